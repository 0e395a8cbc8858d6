"""Pictures of rows, sheets, cards and maps: only for those who may see what is on them."""

import re
from typing import Any

from starlette.responses import FileResponse, Response
from starlette.routing import Route

from pipeline.desk.event import Event
from pipeline.problems import stop
from pipeline.store.claims import Login
from pipeline.web.app import Pages, Refused
from pipeline.web.doors import Right
from pipeline.web.office import Office

PICTURE = re.compile(r"([0-9a-f]{16})-p(\d+)(-r\d+)?\.(png|jpg)")
PUBLISHED = re.compile(r"([\w.]+)-([SFW]\d{4}[MRA])-(card\.pdf|map\.(?:svg|png|pdf))")


def routes(pages: Pages) -> list[Route]:
    """The pictures."""
    return [
        pages.get("/picture/{name}", show_picture, Right.RULE),
        pages.get("/out/{name}", show_published, Right.RULE),
    ]


def show_picture(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The picture of a row or a page; nobody sees one from a board he plays on."""
    name = asked["name"]
    found = PICTURE.fullmatch(name)
    path = office.event.out / "crops" / name
    if not found or not path.is_file():
        raise stop("no such picture", name)
    board = office.board_of_page(found[1], int(found[2]))
    if office.plays_on(login, board):
        raise Refused("you play on this board", 403)
    return FileResponse(path, headers={"Cache-Control": "private, max-age=3600"})


def show_published(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """A card or a map of a phase that was published."""
    name = asked["name"]
    path = office.event.out / name
    if not PUBLISHED.fullmatch(name) or not path.is_file() or not is_published(office.event, name):
        raise stop("nothing of this name is published", name)
    return FileResponse(path, headers={"Cache-Control": "no-store"}, content_disposition_type="inline")


def is_published(event: Event, name: str) -> bool:
    """Whether a file belongs to a phase that was published."""
    found = PUBLISHED.fullmatch(name)
    return found is not None and any(
        (fact.body["board"], fact.body["phase"]) == (found[1], found[2]) for fact in event.facts.read("published")
    )
