"""The review page's data: what waits, one thing at a time, and what a key did."""

from typing import Any

from starlette.routing import Route

from pipeline.desk.agenda import Check, Item
from pipeline.desk.big_clock import big_clock
from pipeline.desk.clock import now
from pipeline.desk.review import Doubt
from pipeline.desk.spot_checks import checked
from pipeline.desk.undoing import stacks
from pipeline.interpret.entry import Line
from pipeline.interpret.interpret import interpret
from pipeline.judge.legality import legal_orders
from pipeline.orders.notation import write
from pipeline.store.claims import Login
from pipeline.web.acts import Key, act, turn_named
from pipeline.web.app import Pages
from pipeline.web.board_view import board_view, published_view
from pipeline.web.doors import Right
from pipeline.web.office import CLAIM_S, Focus, Office
from pipeline.web.parts import picture_url
from pipeline.web.row_view import map_url
from pipeline.web.views import item_view
from pipeline.web.words import in_words

AHEAD = 3  # pictures of the next rows that the browser loads while a row is looked at


def routes(pages: Pages) -> list[Route]:
    """The page and its data."""
    return [
        pages.page("/", "review.html", Right.RULE),
        pages.get("/api/next", show_next, Right.RULE),
        pages.post("/api/act", take_key, Right.RULE),
        pages.post("/api/alive", stay, Right.RULE),
        pages.post("/api/gone", let_go, Right.RULE),
        pages.get("/api/legal", list_orders, Right.RULE),
        pages.get("/api/meaning", what_it_means, Right.RULE),
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
        shown = state(office, login, focus)
        if key.do == "publish":
            board = body.get("board", "")
            if board in office.live.games and office.live.games[board].played:
                shown["published"] = published_view(office, office.game(login, board))
        return shown


def state(office: Office, login: Login, focus: Focus) -> dict[str, Any]:
    """Everything that a review page shows."""
    items = office.items(login)
    item = office.take(login, items, focus)
    done, undone = stacks(office.live.log(), login.name)
    clock = big_clock(office.event)
    upcoming = [each for each in items if each is not item][:AHEAD]
    return {
        "boards": [
            board_view(office, game, is_own=office.plays_on(login, game.name)) for game in office.live.games.values()
        ],
        "number": office.live.number,
        "left": len(items),
        "put_off": len(office.later.get(login.digest, [])),
        "checks": checked(office.live.log()).in_words,
        "undo": len(done),
        "redo": len(undone),
        "clock": clock.as_json() if clock else None,
        "now": now(),
        "item": item_view(office, item) if item is not None else None,
        "ahead": [url for each in upcoming for url in pictures_of(each)],
        "others": sorted(set(office.claims.held_by_others(login, now=office.clock()).values())),
    }


def pictures_of(item: Item) -> list[str]:
    """The pictures that a row needs, for the browser to load while another is looked at."""
    if not isinstance(item, Doubt | Check) or item.row is None:
        return []
    return [url for url in (picture_url(item.row.crop), map_url(item.turn, item.row)) if url]


def stay(office: Office, login: Login, _: dict[str, Any]) -> dict[str, Any]:
    """The browser is still there; says whether anything is new."""
    office.claims.renew(login, now=office.clock(), seconds=CLAIM_S)
    with office.lock:
        return {"number": office.event.facts.last_number()}


def let_go(office: Office, login: Login, _: dict[str, Any]) -> dict[str, Any]:
    """The browser goes away: others may take what it held."""
    office.claims.keep_only(None, login)
    return {}


def list_orders(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Every legal order of a turn, for typing."""
    with office.inside():
        turn = turn_named(office, login, asked.get("turn", ""))
        game = office.live.games[turn.board]
        orders = legal_orders(game.map, game.position, turn.power, office.event.tournament.rulebook)
        units = [str(unit) for unit in game.position.units.get(turn.power, ())]
        return {
            "orders": [[write(order), in_words(order, office.event.board)] for order in orders],
            "units": units,
        }


def what_it_means(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """What this tournament's rules make of a line while it is typed."""
    with office.inside():
        turn = turn_named(office, login, asked.get("turn", ""))
        game = office.live.games[turn.board]
        text = asked.get("text", "")[:200]
        entries = interpret([Line(1, text)], turn.power, game.position, office.event.rules_on(game.map_name)).entries
        return {
            "entries": [
                {
                    "order": write(e.order) if e.order else None,
                    "words": in_words(e.order, office.event.board) if e.order else "no order",
                    "status": str(e.status),
                    "reason": e.reason,
                    "rule": e.rule,
                }
                for e in entries
            ]
        }
