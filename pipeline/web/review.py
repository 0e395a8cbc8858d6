"""The review page's data: the items that wait, one at a time, and the effect of a key."""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from starlette.responses import FileResponse, Response
from starlette.routing import Route

from pipeline.board import Unit
from pipeline.desk.event.event import Event
from pipeline.desk.players import games_with_public_seats
from pipeline.desk.review.queue import (
    DIGITS,
    Check,
    QueueItem,
    ReviewItem,
    agenda_by_name,
    cards_of,
    claim_name,
    item_fingerprint,
)
from pipeline.ledger.claims import Login
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.ledger import standing
from pipeline.orders import Build, Order, Waive
from pipeline.picture.draw import Caption, draw_candidates, draw_position, draw_resolution
from pipeline.picture.formats import as_svg
from pipeline.picture.shapes import in_either_look
from pipeline.problems import Stopped, stop
from pipeline.web import versions
from pipeline.web.acts import Do, PressedKey, act, decided_by, item_on_screen, next_to_undo, turn_named
from pipeline.web.app import Pages, Refused
from pipeline.web.keyboard import Typist
from pipeline.web.logins import Right, may
from pipeline.web.office import CLAIM_S, Focus, Office
from pipeline.web.round_page import texts_of_field
from pipeline.web.sheet_pictures import picture_url
from pipeline.web.shown import Things
from pipeline.web.views import board_view, item_view, map_url, published_view, readings_mark, whole_board

AHEAD = 3  # pictures of the next rows that the browser loads while a row is looked at


def routes(pages: Pages) -> list[Route]:
    return [
        pages.page("/", "review.html", Right.RULE),
        pages.get("/api/next", _show_next, Right.RULE, shows=_see_screen),
        pages.act("/api/act", _take_key, Right.RULE, _see_of_key, shows=_see_screen),
        pages.question("/api/alive", _renew_claims, Right.RULE),
        pages.question("/api/gone", _release_claims, Right.RULE),
        pages.get("/api/boards", _show_boards, Right.RULE),
        pages.get("/api/legal", _list_orders, Right.RULE, shows=_see_turn),
        pages.question("/api/meaning", _what_it_means, Right.RULE),
    ]


def _see_screen(office: Office, login: Login, data: dict[str, Any]) -> Things:
    """What waits on the screen, the sheet that it is about, and what somebody may take back."""
    seen, item = versions.of_decisions(office.live, login.name), data["item"]
    if item is not None:
        seen |= _see_item(office, login, item["name"], item["token"])
        seen |= _see_turn(office, login, item) if "turn" in item else {}
    return seen


def _see_item(office: Office, login: Login, name: str, token: str) -> Things:
    """What waits under a name; of two rows of one line that of the token."""
    items = [
        item for item, own in agenda_by_name(office.live, every=True) if own == name and office.is_for(login, item)
    ]
    same = [item for item in items if item_fingerprint(office.live, item) == token]
    return versions.of_item(office.live, name, next(iter((*same, *items)), None))


def _see_turn(office: Office, login: Login, asked: dict[str, Any]) -> Things:
    return versions.of_turn(office.live, turn_named(office, login, str(asked.get("turn", ""))))


def _see_of_key(office: Office, login: Login, body: dict[str, Any]) -> Things:
    """What a key is pressed for: an item, a sheet, or one's own last decision."""
    key = PressedKey.of(body)
    if key.do in (Do.UNDO, Do.REDO):
        return versions.of_decisions(office.live, login.name)
    if key.do in (Do.TYPE, Do.SHEET_OF):
        return _see_turn(office, login, {"turn": key.token})
    name = str(body.get("what", "")) or claim_name(item_on_screen(office, login, key.token))
    return _see_item(office, login, name, key.token)


def _show_next(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """What waits now; the turn asked for, or the board ready to publish, comes first if this login may have it."""
    with office.inside() as live:
        game = live.games.get(asked.get("gate", ""))
        gate = f"{game.name} {game.position.phase}" if game else ""
        return _review_view(office, login, Focus(turn=asked.get("first", ""), claim=gate))


def _take_key(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Do what a key stands for, and show the next thing."""
    with office.inside():
        key = PressedKey.of(body)
        focus = act(office, login, key)
        office.live.refresh()
        page = _review_view(office, login, focus) | {"told": focus.effect}
        if key.do is Do.PUBLISH:
            board = body.get("board", "")
            if board in office.live.games and office.live.games[board].played:
                page["published"] = published_view(office, office.game(login, board))
        return page


def _review_view(office: Office, login: Login, focus: Focus) -> dict[str, Any]:
    """Everything that a review page shows."""
    items = office.items(login)
    item = office.take(login, items, focus)
    waiting, later = {name for name, _ in items}, office.later.get(login.digest, [])
    settle = office.to_settle(items)
    done, undone = decided_by(office.live, login.name)
    upcoming = list(islice((each for _, each in items if each is not item), AHEAD))
    return {
        "boards": [
            board_view(office, game, is_own=office.plays_on(login, game.name)) | {"settle": settle[game.name]}
            for game in office.live.games.values()
        ],
        "number": office.live.number,
        "left": len(items),
        "settle": settle.total(),
        # what was published is worked out anew for it, so no key waits for that while there are doubts
        "not_applied": [] if settle.total() else office.to_correct(login),
        "unread": len(office.live.unread),
        "put_off": sum(name in waiting for name in later),
        "publishes": may(login, Right.PUBLISH),
        "checks": office.live.spot_checks.in_words,
        "undo": len(done),
        "to_undo": next_to_undo(office, done),
        "redo": len(undone),
        "clock": office.big_clock(),
        "item": _item_with_player(office, login, item) if item is not None else None,
        "ahead": [url for each in upcoming for url in _pictures_of(each)],
        "others": sorted(set(office.claims.held_by_others(login, now=office.clock(), seconds=CLAIM_S).values())),
    }


def _item_with_player(office: Office, login: Login, item: QueueItem) -> dict[str, Any]:
    """An item as it is shown to somebody; where he is told whose sheet it is, nothing of its picture is covered."""
    view, player = item_view(office, item), _player_of(office, login, item)
    if player:
        view |= {"sheets": [sheet | {"covers": []} for sheet in view["sheets"]]}
        view |= {"sheet": view["sheet"] and view["sheet"] | {"covers": []}}
    return view | player


def _player_of(office: Office, login: Login, item: QueueItem) -> dict[str, str]:
    """Whom a director must look for where a whole sheet is asked about; of a row nobody sees who wrote it."""
    if not isinstance(item, ReviewItem) or item.row is not None or not may(login, Right.PUBLISH):
        return {}
    turn = item.turn
    return {"player": office.live.games[turn.board].seating.player_at(turn.power, turn.phase)}


def _pictures_of(item: QueueItem) -> list[str]:
    """The pictures of an item, which the browser loads while another item is looked at."""
    if not isinstance(item, ReviewItem | Check) or item.row is None:
        return []
    return [url for url in (picture_url(item.row.crop), map_url(item.turn, item.row)) if url]


def _show_boards(office: Office, login: Login, _: dict[str, Any]) -> dict[str, Any]:
    """Every board with the state of each power; who plays it is for directors, who look for missing sheets."""
    is_named = may(login, Right.PUBLISH)
    with office.inside() as live:
        own = [(game, office.plays_on(login, game.name)) for game in live.games.values()]
        return {"boards": [whole_board(office, game, is_own=mine, is_named=is_named) for game, mine in own]}


def _renew_claims(office: Office, login: Login, _: dict[str, Any]) -> dict[str, Any]:
    """Heartbeat of a browser; returns the newest fact's number, the clock, and for a director what is wrong."""
    office.claims.renew(login, now=office.clock(), seconds=CLAIM_S)
    living = office.living()  # before taking the lock: background work may hold it
    with office.lock:
        alerts = {"knock": office.failed_logins[-1] if office.failed_logins else "", "backup": office.no_backup}
        alerts |= {"trouble": "; ".join(f"{name}: {text}" for name, text in office.troubles().items())}
        alerts = {what: text for what, text in alerts.items() if text and may(login, Right.PUBLISH)}
        if office.event.facts.is_lost:
            alerts = {"trouble": office.trouble}
        state: dict[str, Any] = {"number": office.live.number, "clock": None, "living": living}
        with suppress(Stopped):  # unreadable facts are reported with the next decision
            state |= {"number": office.event.facts.last_number(), "clock": office.big_clock()}
        return state | alerts


def _release_claims(office: Office, login: Login, _: dict[str, Any]) -> dict[str, Any]:
    """A browser leaves: its claims are released."""
    office.claims.keep_only(None, login)
    return {}


def _list_orders(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Every legal order of a turn and a line for each that is due, for typing."""
    with office.inside():
        return Typist(office, turn_named(office, login, asked.get("turn", ""))).offers()


def _what_it_means(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Interpret typed text live: a whole sheet, a row's ink, or an order for a row."""
    with office.inside():
        typist = Typist(office, turn_named(office, login, str(asked.get("turn", ""))))
        if "token" not in asked:
            return typist.view_lines(texts_of_field(asked, "lines"), texts_of_field(asked, "units"))
        item = item_on_screen(office, login, str(asked["token"]))
        if not isinstance(item, ReviewItem | Check) or item.row is None or item.turn != typist.turn:
            raise stop("no row is asked about; reload the page", str(typist.turn))
        typed = str(asked.get("typed", ""))
        return (
            typist.view_text(item.row.line, typed) if asked.get("as") == "ink" else typist.view_order(item.row, typed)
        )


# Pictures of rows, sheets, cards and maps: only for those who may see what is on them.

PICTURE = re.compile(r"([0-9a-f]{16})-p(\d+)(-r\d+)?\.(png|jpg)")
PUBLISHED = re.compile(r"([\w.]+)-([SFW]\d{4}[MRA])-(card\.pdf|map\.(?:svg|png|pdf))")


def picture_routes(pages: Pages) -> list[Route]:
    return [
        pages.get("/picture/{name}", _show_scan_picture, Right.RULE),
        pages.get("/out/{name}", _show_published, Right.RULE),
        pages.get("/map/row", _draw_row, Right.RULE),
        pages.get("/map/board/{board}", _draw_board, Right.WATCH),
    ]


def _show_scan_picture(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The picture of a row or a page; refused to somebody who plays on that board."""
    name = asked["name"]
    picture = PICTURE.fullmatch(name)
    path = office.event.out / "crops" / name
    if not picture or not path.is_file():
        raise stop("no such picture", name)
    board = office.board_of_page(picture[1], int(picture[2]))
    if office.plays_on(login, board):
        raise Refused("you play on this board", 403)
    kind = "image/png" if name.endswith(".png") else "image/jpeg"
    return Response(path.read_bytes(), media_type=kind, headers={"Cache-Control": "private, max-age=3600"})


def _show_published(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """A card or a map of a phase that was published."""
    name = asked["name"]
    path = office.event.out / name
    with office.lock:
        may_be_seen = PUBLISHED.fullmatch(name) and path.is_file() and _is_published(office.event, name)
    if not may_be_seen:
        raise stop("nothing of this name is published", name)
    return FileResponse(path, headers={"Cache-Control": "no-store"}, content_disposition_type="inline")


def _is_published(event: Event, name: str) -> bool:
    """Whether a file belongs to a phase that was published."""
    named = PUBLISHED.fullmatch(name)
    published = (fact.said for fact in standing(event.facts, PhasePublished))
    return named is not None and any((said.board, str(said.phase)) == (named[1], named[2]) for said in published)


def _draw_row(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The map round the unit of one row, with the possible orders that it may mean numbered as their keys are."""
    with office.inside():
        turn = turn_named(office, login, asked.get("turn", ""))
        rows = office.live.power(office.live.games[turn.board], turn.power).rows
        game = office.live.games[turn.board]
        of_line = [row for row in rows if str(row.line) == asked.get("line") and row.candidates]
        row = next((row for row in of_line if asked.get("of") in (None, readings_mark(row))), None)
        cards = [card for card in cards_of(office.live.desk, game, turn, row) if card.key in DIGITS] if row else []
    orders = [None if card.is_impossible else card.order for card in cards]
    drawing = draw_candidates(game.map, game.position, _unit_of(orders), orders)
    return _svg(as_svg(drawing), "private, max-age=600")


def _unit_of(orders: Sequence[Order | None]) -> Unit | None:
    """The unit that all these orders are for; None if they are for several, or none."""
    units = {order.unit for order in orders if order is not None and not isinstance(order, Build | Waive)}
    return units.pop() if len(units) == 1 else None


def _draw_board(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The last published phase of a board; before the first, how it stands. The screen has public ones only."""
    with office.inside() as live:
        shown = live.games if may(login, Right.RULE) else games_with_public_seats(office.event, live.games)
        game = shown.get(asked["board"])
        if game is None:
            raise stop("no such board", asked["board"])
    if game.played and asked.get("now") is None:
        last = game.played[-1]
        caption = Caption(title=f"Board {game.name}", subtitle=office.event.details.name, what="orders and results")
        return _svg(as_svg(draw_resolution(game.map, last.before, last.resolution, caption)), "no-store")
    caption = Caption(title=f"Board {game.name}", subtitle=office.event.details.name, what="position")
    return _svg(as_svg(draw_position(game.map, game.position, caption)), "no-store")


def _svg(text: str, cache: str) -> Response:
    """Send a drawing; it follows the dark mode of the page."""
    return Response(in_either_look(text), media_type="image/svg+xml", headers={"Cache-Control": cache})
