"""The review page's data: what waits, one thing at a time, and what a key did."""

from contextlib import suppress
from itertools import islice
from typing import Any

from starlette.routing import Route

from pipeline.desk.review.agenda import Check, Item
from pipeline.desk.review.queue import ReviewItem
from pipeline.desk.ruling.undoing import stacks
from pipeline.ledger.files.claims import Login
from pipeline.problems import Stopped, stop
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right, may
from pipeline.web.office.office import CLAIM_S, Focus, Office
from pipeline.web.review.acts import Do, Key, act, shown, turn_named
from pipeline.web.review.board_view import board_view, published_view, whole_board
from pipeline.web.review.going_back import page_to_undo
from pipeline.web.review.keyboard import Typist
from pipeline.web.review.row_view import map_url
from pipeline.web.review.view_parts import picture_url
from pipeline.web.review.views import item_view

AHEAD = 3  # pictures of the next rows that the browser loads while a row is looked at


def routes(pages: Pages) -> list[Route]:
    """The page and its data."""
    return [
        pages.page("/", "review.html", Right.RULE),
        pages.get("/api/next", show_next, Right.RULE),
        pages.post("/api/act", take_key, Right.RULE),
        pages.post("/api/alive", stay, Right.RULE),
        pages.post("/api/gone", let_go, Right.RULE),
        pages.get("/api/boards", show_boards, Right.RULE),
        pages.get("/api/legal", list_orders, Right.RULE),
        pages.post("/api/meaning", what_it_means, Right.RULE),
    ]


def show_next(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """What waits now; the turn or the board's gate that is asked for comes first, if it may."""
    with office.inside() as live:
        game = live.games.get(asked.get("gate", ""))
        gate = f"{game.name} {game.position.phase}" if game else ""
        return state(office, login, Focus(turn=asked.get("first", ""), claim=gate))


def take_key(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Do what a key stands for, and show the next thing."""
    with office.inside():
        key = Key.of(body)
        focus = act(office, login, key)
        office.live.refresh()
        page = state(office, login, focus) | {"told": focus.told}
        if key.do is Do.PUBLISH:
            board = body.get("board", "")
            if board in office.live.games and office.live.games[board].played:
                page["published"] = published_view(office, office.game(login, board))
        return page


def state(office: Office, login: Login, focus: Focus) -> dict[str, Any]:
    """Everything that a review page shows."""
    items = office.items(login)
    item = office.take(login, items, focus)
    waiting, later = {name for name, _ in items}, office.later.get(login.digest, [])
    done, undone = stacks(office.live.log(), login.name)
    upcoming = list(islice((each for _, each in items if each is not item), AHEAD))
    return {
        "boards": [
            board_view(office, game, is_own=office.plays_on(login, game.name)) for game in office.live.games.values()
        ],
        "number": office.live.number,
        "left": len(items),
        "put_off": sum(name in waiting for name in later),
        "publishes": may(login, Right.PUBLISH),
        "checks": office.live.checked.in_words,
        "undo": len(done) + bool(page_to_undo(office, login)),
        "redo": len(undone),
        "clock": office.big_clock(),
        "item": item_view(office, item) if item is not None else None,
        "ahead": [url for each in upcoming for url in pictures_of(each)],
        "others": sorted(set(office.claims.held_by_others(login, now=office.clock(), seconds=CLAIM_S).values())),
    }


def pictures_of(item: Item) -> list[str]:
    """The pictures that a row needs, for the browser to load while another is looked at."""
    if not isinstance(item, ReviewItem | Check) or item.row is None:
        return []
    return [url for url in (picture_url(item.row.crop), map_url(item.turn, item.row)) if url]


def show_boards(office: Office, login: Login, _: dict[str, Any]) -> dict[str, Any]:
    """Every board with the state of each power; who plays it is for directors, who look for missing sheets."""
    is_named = may(login, Right.PUBLISH)
    with office.inside() as live:
        own = [(game, office.plays_on(login, game.name)) for game in live.games.values()]
        return {"boards": [whole_board(office, game, is_own=mine, is_named=is_named) for game, mine in own]}


def stay(office: Office, login: Login, _: dict[str, Any]) -> dict[str, Any]:
    """The browser is still there; says whether anything is new."""
    office.claims.renew(login, now=office.clock(), seconds=CLAIM_S)
    with office.lock:
        told = {"knock": office.knocks[-1] if office.knocks else "", "backup": office.no_backup}
        told |= {"trouble": "; ".join(f"{name}: {text}" for name, text in office.troubles().items())}
        told = {what: text for what, text in told.items() if text and may(login, Right.PUBLISH)}
        state: dict[str, Any] = {"number": office.live.number, "clock": None, "living": office.living()}
        with suppress(Stopped):  # where facts cannot be read, who decides anything is told
            state |= {"number": office.event.facts.last_number(), "clock": office.big_clock()}
        return state | told


def let_go(office: Office, login: Login, _: dict[str, Any]) -> dict[str, Any]:
    """The browser goes away: others may take what it held."""
    office.claims.keep_only(None, login)
    return {}


def list_orders(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Every legal order of a turn and a line for each that is due, for typing."""
    with office.inside():
        return Typist(office, turn_named(office, login, asked.get("turn", ""))).offers()


def what_it_means(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """What this tournament's rules make of what is typed: of a whole sheet, of a row's ink, of an order for a row."""
    with office.inside():
        typist = Typist(office, turn_named(office, login, str(asked.get("turn", ""))))
        if "token" not in asked:
            return typist.view_lines(texts_in(asked, "lines"), texts_in(asked, "units"))
        item = shown(office, login, str(asked["token"]))
        if not isinstance(item, ReviewItem | Check) or item.row is None or item.turn != typist.turn:
            raise stop("no row is asked about; reload the page", str(typist.turn))
        typed = str(asked.get("typed", ""))
        return (
            typist.view_text(item.row.line, typed) if asked.get("as") == "ink" else typist.view_order(item.row, typed)
        )


def texts_in(asked: dict[str, Any], name: str) -> tuple[str, ...]:
    """A list of texts."""
    found = asked.get(name, [])
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise stop("expected a list of texts", name)
    return tuple(found)
