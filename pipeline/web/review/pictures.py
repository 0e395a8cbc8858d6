"""Pictures of rows, sheets, cards and maps: only for those who may see what is on them."""

import re
from collections.abc import Sequence
from typing import Any

from starlette.responses import FileResponse, Response
from starlette.routing import Route

from pipeline.board.position import Unit
from pipeline.desk.event.event import Event
from pipeline.desk.review.cards import DIGITS, cards_of
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.files.claims import Login
from pipeline.ledger.undone import standing
from pipeline.orders.order import Build, Order, Waive
from pipeline.picture.dark import in_either_look
from pipeline.picture.draw import draw_candidates, draw_position, draw_resolution
from pipeline.picture.formats.svg import as_svg
from pipeline.picture.panel import Caption
from pipeline.problems import stop
from pipeline.web.office.app import Pages, Refused
from pipeline.web.office.auth import Right
from pipeline.web.office.office import Office
from pipeline.web.review.acts import turn_named

PICTURE = re.compile(r"([0-9a-f]{16})-p(\d+)(-r\d+)?\.(png|jpg)")
PUBLISHED = re.compile(r"([\w.]+)-([SFW]\d{4}[MRA])-(card\.pdf|map\.(?:svg|png|pdf))")


def routes(pages: Pages) -> list[Route]:
    """The pictures."""
    return [
        pages.get("/picture/{name}", show_picture, Right.RULE),
        pages.get("/out/{name}", show_published, Right.RULE),
        pages.get("/map/row", draw_row, Right.RULE),
        pages.get("/map/board/{board}", draw_board, Right.WATCH),
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
    kind = "image/png" if name.endswith(".png") else "image/jpeg"
    return Response(path.read_bytes(), media_type=kind, headers={"Cache-Control": "private, max-age=3600"})


def show_published(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """A card or a map of a phase that was published."""
    name = asked["name"]
    path = office.event.out / name
    with office.lock:
        may_be_seen = PUBLISHED.fullmatch(name) and path.is_file() and is_published(office.event, name)
    if not may_be_seen:
        raise stop("nothing of this name is published", name)
    return FileResponse(path, headers={"Cache-Control": "no-store"}, content_disposition_type="inline")


def is_published(event: Event, name: str) -> bool:
    """Whether a file belongs to a phase that was published."""
    found = PUBLISHED.fullmatch(name)
    published = (fact.said for fact in standing(event.facts, PhasePublished))
    return found is not None and any((said.board, str(said.phase)) == (found[1], found[2]) for said in published)


def draw_row(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The map round the unit of one row, with the possible orders that it may mean numbered as their keys are."""
    with office.inside():
        turn = turn_named(office, login, asked.get("turn", ""))
        rows = office.live.power(office.live.games[turn.board], turn.power).rows
        game = office.live.games[turn.board]
        row = next((row for row in rows if str(row.line) == asked.get("line") and row.candidates), None)
        cards = [card for card in cards_of(office.event, game, turn, row) if card.key in DIGITS] if row else []
    orders = [None if card.is_impossible else card.order for card in cards]
    drawing = draw_candidates(game.map, game.position, unit_of(orders), orders)
    return svg(as_svg(drawing), "private, max-age=600")


def unit_of(orders: Sequence[Order | None]) -> Unit | None:
    """The unit that all the readings order, if it is one."""
    units = {order.unit for order in orders if order is not None and not isinstance(order, Build | Waive)}
    return units.pop() if len(units) == 1 else None


def draw_board(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The last published phase of a board; before the first, how it stands."""
    with office.inside() as live:
        game = live.games.get(asked["board"])
        if game is None:
            raise stop("no such board", asked["board"])
    if game.played and asked.get("now") is None:
        last = game.played[-1]
        caption = Caption(title=f"Board {game.name}", subtitle=office.event.details.name, what="orders and results")
        return svg(as_svg(draw_resolution(game.map, last.before, last.resolution, caption)), "no-store")
    caption = Caption(title=f"Board {game.name}", subtitle=office.event.details.name, what="position")
    return svg(as_svg(draw_position(game.map, game.position, caption)), "no-store")


def svg(text: str, cache: str) -> Response:
    """Send a drawing; where the page is dark, it is."""
    return Response(in_either_look(text), media_type="image/svg+xml", headers={"Cache-Control": cache})
