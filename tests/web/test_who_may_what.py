"""Who may ask for which page, and decide what: every route of an event's pages, for every role and for a stranger."""

import re
from collections.abc import Iterator

from starlette.routing import Route
from starlette.testclient import TestClient

from pipeline.web.server import Opened
from web.acts import DIRECTOR, MAY, SCREEN, UPLOAD
from web.conftest import SEATS, Browser, stranger

FOR_ALL = ("/live", "/static", "/door", "/home", "/leave")


def asked_of(opened: Opened) -> Iterator[tuple[str, str]]:
    """Each method and address."""
    for route in opened.app.routes:
        assert isinstance(route, Route)
        path = re.sub(r"{[^}]*}", "1", route.path)
        if not path.lower().startswith(FOR_ALL):
            yield from ((method, path) for method in sorted((route.methods or set()) - {"HEAD"}))


def status(client: TestClient, method: str, path: str, token: str = "") -> tuple[int, str]:
    """What is answered, and where it sends; nothing is changed, for the body is none."""
    headers = {"X-Token": token} if token else {}
    answer = client.request(method, path, content=b"[", headers=headers)
    return answer.status_code, answer.headers.get("location", "")


def test_every_route_is_open_to_those_who_need_it_and_to_nobody_else(opened: Opened) -> None:
    browsers = {seat.role: Browser(opened, seat.name) for seat in SEATS if seat.name != "Bo"}
    nobody, newest = stranger(opened), opened.office.event.facts.last_number()
    routes = list(asked_of(opened))
    assert len(routes) > 75
    assert {path for _, path in routes} >= MAY.keys()
    for method, path in routes:
        is_page = method == "GET" and not path.startswith(
            ("/api/", "/picture/", "/out/", "/map/", "/print/", "/systems/")
        )
        assert status(nobody, method, path) == ((303, "/door") if is_page else (401, "")), (method, path)
        for role, browser in browsers.items():
            may = role in MAY.get(path, {DIRECTOR})
            found, sent = status(browser.client, method, path, browser.token)
            if may:
                assert found not in (401, 403) and found < 500, (method, path, role, found)
                assert found != 303, (method, path, role, sent)
            else:
                home = {UPLOAD: "/upload", SCREEN: "/screen"}.get(role, "/")
                assert (found, sent) == ((303, home) if is_page else (403, "")), (method, path, role)
            if method == "POST" and may:
                assert status(browser.client, method, path)[0] == 403, (path, "without its token")
    assert opened.office.event.facts.last_number() == newest
