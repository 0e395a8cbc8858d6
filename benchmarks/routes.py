"""Every route, for every role, by every method, and with values that nobody thought of: made from the routes.

    python benchmarks/routes.py [--seed 1] [--values 6]

A route is named for the right that it needs. Who is not logged in is sent to the door (a page) or refused (401), who
has no right is sent home or refused (403), a method that a route does not know is 405, a POST without its token 403.
Then the parts of addresses, and what the bodies of POSTs are asked for (their keys are learnt while they are sent), are
replaced by lists, numbers of 5,000 digits, names that no disk takes. No answer is ever 500. Exit code 1 where one is.
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any
from unittest.mock import patch

from anyio.from_thread import BlockingPortal, start_blocking_portal
from msgspec import Struct, field
from starlette.routing import Match, Route

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.whole_sheets.count import markdown
from pipeline.web.logins import RIGHTS, SESSION_S, Guest, Right, Role
from pipeline.web.start_page import SwitchingApp, open_switcher

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer Starlettes ask for a successor of httpx that older ones do not know
    from starlette.testclient import TestClient

SEATS = tuple(Guest(role, role, f"{number}" * 6) for number, role in enumerate(Role, start=1))
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW")
HERE = "http://127.0.0.1:8040"
LONG = "9" * 5000
NO_BODIES = ("/api/upload", "/api/room/away")  # files; and who sends himself away tries no more
PARTS = ("1.1", "1", LONG, "%00", "~nobody", "x" * 300, "..%2f..", "%F0%9F%A6%89", "%ff", "-1", "١", "1e400")
VALUES: tuple[Any, ...] = (
    *([], {}, [[]], [{}], [1, "a"], {"a": []}, None, True, -1, 10**30, 1.5, 1e308, "", " ", "x" * 5000, LONG),
    *("~nobody/x", "~", "/" + "x" * 5000, "/proc/self/fd", "1.1", "S1901M", "ENGLAND", 1, "1", "²", "\u2028", "\x00"),
)
GOOD: tuple[dict[str, Any], ...] = (
    {},
    {"board": "1.1", "round": 1, "number": 1, "turn": "1.1 S1901M ENGLAND", "how": "time", "power": "ENGLAND"},
)


class Tries(Struct):
    """What was tried, and what failed."""

    many: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)

    def expect(self, what: str, is_so: bool, told: str) -> None:
        """Count a try."""
        self.many[what] += 1
        if not is_so:
            self.failed.append(f"{what}: {told}"[:300])


class Keys(dict[str, Any]):
    """The body of a POST, which keeps what it is asked for."""

    asked: set[str]

    def get(self, key: str, default: Any = None) -> Any:
        """Look a key up."""
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.asked.add(str(key))
        return super().__contains__(key)


def routes_of(pages: SwitchingApp) -> list[Route]:
    """All routes, the hall's own and those of the event that is open, or that say that none is."""
    both = (*pages.app.routes, *(pages.switcher.opened.app if pages.switcher.opened else pages.closed).routes)
    found = {(each.path, *sorted(each.methods or ())): each for each in both if isinstance(each, Route)}
    return list(found.values())


def browser(pages: Any, loop: BlockingPortal, seat: Guest | None) -> tuple[TestClient, str]:
    """Somebody's browser, and the token of his pages; None: nobody's."""
    client = TestClient(pages, base_url=HERE, follow_redirects=False, raise_server_exceptions=False)
    client.portal = loop  # one for all, as in a server; else each request had one of its own
    if seat is None:
        return client, ""
    answer = client.post("/door", data={"name": seat.name, "pin": seat.pin})
    assert answer.status_code == 303, answer.text
    logins = pages.switcher.logins
    login = logins.claims.login(client.cookies[logins.cookie], now=logins.clock(), seconds=SESSION_S)
    assert login is not None
    return client, login.csrf


def filled(path: str, part: str) -> str:
    """A route's address with a value for each of its parts."""
    return re.sub(r"\{[^}]*\}", lambda _: part, path)


def takes(every: list[Route], route: Route, method: str) -> Route:
    """The route that takes a route's own address by a method: another, perhaps, of the same address."""
    if method in (route.methods or ()):
        return route
    scope = {"type": "http", "method": method, "path": filled(route.path, "1.1")}
    return next((each for each in every if each.matches(scope)[0] is Match.FULL), route)


def expected(route: Route, method: str, role: Role | None) -> tuple[int, ...]:
    """What a route may answer to somebody who brings no token; nothing: whatever is no fault."""
    if method not in (route.methods or ()):
        return (405,)
    if route.name not in [*Right]:
        return ()
    is_page = method in ("GET", "HEAD") and not route.path.startswith(("/api", "/picture", "/out", "/map", "/print"))
    is_page = is_page and "{" not in route.path
    if role is None:
        return (303,) if is_page else (401,)
    if Right(route.name) not in RIGHTS[role]:
        return (303,) if is_page else (403,)
    return (403,) if method == "POST" else (200,) if is_page else ()


def try_roles(pages: SwitchingApp, loop: BlockingPortal, tries: Tries) -> None:
    """Every route for every role by every method."""
    for seat in (None, *SEATS):
        client, _ = browser(pages, loop, seat)
        every = routes_of(pages)
        for route in every:
            for method in METHODS:
                if route.path in ("/door", "/leave") and method == "POST":  # no PIN is tried, nobody goes
                    continue
                answer = client.request(method, filled(route.path, "1.1"))
                wanted = expected(takes(every, route, method), method, seat.role if seat else None)
                told = f"{method} {route.path} for {seat.name if seat else 'nobody'}: {answer.status_code}"
                is_so = answer.status_code in wanted if wanted else answer.status_code < 500
                tries.expect("route × role × method", is_so, f"{told}, expected {wanted}")
                if route.name in [*Right]:
                    is_kept = answer.headers.get("cache-control") != "no-store"
                    tries.expect("private, so not kept", not is_kept, told)


def try_addresses(pages: SwitchingApp, loop: BlockingPortal, tries: Tries) -> None:
    """Odd parts of addresses, and odd questions behind them, by the director."""
    client, _ = browser(pages, loop, SEATS[0])
    names = ("board", "turn", "line", "round", "before", "who", "of", "folder", "first", "gate", "now", "key", "name")
    for route in routes_of(pages):
        if "GET" not in (route.methods or ()):
            continue
        for part in PARTS:
            asked = "&".join(f"{name}={part}" for name in names)
            for address in {filled(route.path, part), f"{filled(route.path, '1.1')}?{asked}"}:
                answer = client.get(address)
                tries.expect("odd address", answer.status_code < 500, f"{address[:90]}: {answer.status_code}")


def try_bodies(pages: SwitchingApp, loop: BlockingPortal, tries: Tries, lot: random.Random, values: int) -> None:
    """Odd bodies of POSTs, by the director; a key that is asked for is learnt, and filled from then on."""
    client, token = browser(pages, loop, SEATS[0])
    learnt: dict[str, set[str]] = defaultdict(set)
    read = json.loads

    def load(*given: Any, **named: Any) -> Any:
        found = read(*given, **named)
        if isinstance(found, dict):
            found = Keys(found)
            found.asked = learnt[path]
        return found

    for route in routes_of(pages):
        path = route.path
        if route.name not in [*Right] or "POST" not in (route.methods or ()) or path in NO_BODIES:
            continue
        with patch("pipeline.web.app.json.loads", load):
            for _ in range(3):
                for body in bodies(learnt[path], lot, values):
                    said = json.dumps(body)
                    answer = client.post(path, content=said, headers={"X-Token": token})
                    tries.expect("odd body", answer.status_code < 500, f"{path} {said[:150]}: {answer.status_code}")


def bodies(keys: set[str], lot: random.Random, values: int) -> Iterator[dict[str, Any]]:
    """Some bodies with odd values under all keys that are known."""
    for good in GOOD:
        yield good
        for key in sorted(keys):
            for value in lot.sample(VALUES, min(values, len(VALUES))):
                yield good | {key: value}
        yield {key: lot.choice(VALUES) for key in sorted(keys)}


def try_all(folder: Path, seed: int, values: int) -> Tries:
    """Everything, at an event in a folder; before one is open, every route, role and method."""
    tries = Tries()
    with open_switcher(SEATS, "key", lambda: 1e6, is_lan=True) as pages, start_blocking_portal() as loop:
        try_roles(pages, loop, tries)
    with open_switcher(SEATS, "key", lambda: 1e6, is_lan=True, folder=folder) as pages, start_blocking_portal() as loop:
        try_roles(pages, loop, tries)
        try_addresses(pages, loop, tries)
        try_bodies(pages, loop, tries, random.Random(seed), values)
    return tries


def main() -> int:
    """Try everything, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--values", type=int, default=6, help="odd values under each key")
    asked = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from web.conftest import make_event  # noqa: PLC0415 - the tests' event

    with tempfile.TemporaryDirectory() as folder, chdir(folder):  # new events go there, and whose they are
        os.environ["XDG_CONFIG_HOME"] = folder
        make_event(Path(folder) / "cup")
        tries = try_all(Path(folder) / "cup", asked.seed, asked.values)
    wrong = Counter(each.partition(":")[0] for each in tries.failed)
    print(markdown(("try", "tries", "failures"), [(what, str(n), str(wrong[what])) for what, n in tries.many.items()]))
    print(*tries.failed[:40], sep="\n")
    return int(bool(tries.failed))


if __name__ == "__main__":
    sys.exit(main())
