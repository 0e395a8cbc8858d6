"""One page a round: roll call, draw, seats, print, scan, doubts, publish, end, standings, each with its state."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from starlette.routing import Route

from pipeline.board.position import Phase
from pipeline.desk.draw.players import add_player, leaving, listed, mark_left, rename
from pipeline.desk.draw.roll_call import SAID, Called, RollCall, call_roll, read_called, roll_call
from pipeline.desk.draw.seat_lists import of_games
from pipeline.desk.draw.told import standings_are_open, told_rounds
from pipeline.desk.event.games import Game
from pipeline.desk.event.lots import lots
from pipeline.desk.event.settings import change_setting
from pipeline.ledger.events import ScanRead, ScanReceived, Seated, SheetsPrinted
from pipeline.ledger.files.claims import Login
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.problems import stop
from pipeline.web.day.day_steps import Today, steps
from pipeline.web.day.tables import why_of
from pipeline.web.day.upload import UploadReader
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right, host_of
from pipeline.web.office.office import Office
from pipeline.web.review.board_view import board_view

MOST_DETAILS = ("club", "country", "team")
SETTINGS = ("name", "live_address", "backup")  # that a director may want to change in the middle of a day


def routes(pages: Pages, reading: UploadReader) -> list[Route]:
    """The page, what it shows, and what it does beside the draw and the prints."""

    def show(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
        with office.inside():
            found = view(office, login, reading, round_of(office, asked.get("round")))
        room = pages.door.room
        address = room.url(room.addresses[0], pages.door.port).rstrip("/") if room.addresses else ""
        return found | {"address": address if pages.door.is_lan else ""}

    def watch(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        folder = text_of(body, "folder")
        reading.watch(Path(folder).expanduser() if folder else None)
        return {}

    def set_here(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        set_one(office, login, body)
        pages.door.live_host = host_of(office.event.details.live_address)
        return {}

    return [
        pages.page("/desk", "day.html", Right.PUBLISH),
        pages.get("/api/day", show, Right.PUBLISH),
        pages.post("/api/day/roll", call, Right.PUBLISH),
        pages.post("/api/day/player", say_of_player, Right.PUBLISH),
        pages.post("/api/day/watch", watch, Right.PUBLISH),
        pages.post("/api/day/setting", set_here, Right.PUBLISH),
    ]


def text_of(body: dict[str, Any], name: str) -> str:
    """A text of a decision; nothing where it is left out."""
    value = body.get(name, "")
    if not isinstance(value, str):
        raise stop("expected a text", name)
    return value.strip()


def texts_of(body: dict[str, Any], name: str) -> tuple[str, ...]:
    """A list of texts of a decision; none where it is left out."""
    value = body.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise stop("expected a list of texts", name)
    return tuple(value)


def round_of(office: Office, asked: object) -> int:
    """The round that is asked for; else the one that is being played, or comes next."""
    rounds = office.event.tournament.rounds
    if asked is not None:
        try:
            number = int(str(asked))
        except ValueError:
            number = 0
        if not 1 <= number <= rounds:
            raise stop(f"no round {asked}; there are {rounds}", "round")
        return number
    games = office.live.games.values()
    seated = [game.seating.round for game in games]
    going_on = [game.seating.round for game in games if not game.ended]
    return min(going_on) if going_on else min(rounds, max(seated, default=0) + 1)


def view(office: Office, login: Login, reading: UploadReader, number: int) -> dict[str, Any]:
    """Everything that the page of a round shows."""
    event, live = office.event, office.live
    games = [game for game in live.games.values() if game.seating.round == number]
    roll = roll_call(event, number)
    prints = [fact for fact in event.facts.told(SheetsPrinted) if any(s.round == number for s in fact.said.sheets)]
    boards = [board_view(office, game, is_own=office.plays_on(login, game.name)) for game in games]
    scan = scan_view(office, reading)
    waiting = [lot for lot in lots(event) if lot.round == number and lot.seed is None]
    is_told = number in told_rounds(event, games)
    today = Today(roll, len(games), bool(waiting), is_told, tuple(boards), printed_now(games, prints), scan["unread"])
    return {
        "number": live.number,
        "round": number,
        "rounds": event.tournament.rounds,
        "tournament": event.tournament.id,
        "steps": [each.as_json() for each in steps(today)],
        "roll": roll_view(office, roll),
        "quotes": [str(quote) for quote in event.tournament.stated(("conduct.registration", "ending.round_times"))],
        "seats": of_games(games, number).as_json(),
        "told": is_told,
        "lots": [{"hash": lot.hash, "names": list(lot.names)} for lot in waiting],
        "notes": drawn_notes(office, number),
        "prints": [print_view(fact, number) for fact in prints],
        "boards": boards,
        "scan": scan,
        "trouble": "; ".join(f"{name}: {text}" for name, text in office.troubles().items()) or office.no_backup,
        "left": len(office.items(login)),
        "open": standings_are_open(event),
        "settings": {name: getattr(event.details, name) for name in SETTINGS},
    }


def roll_view(office: Office, roll: RollCall) -> dict[str, Any]:
    """The roster of a round, with what was said of each and where he plays just now."""
    going_on = [game for game in office.live.games.values() if not game.ended]
    sits: dict[str, list[list[str]]] = {}
    for game in going_on:
        for power, name in game.seating.players.items():
            sits.setdefault(name, []).append([game.name, str(power), str(game.position.phase)])
    more = {each.player.name: each.player for each in listed(office.event)}
    return {
        "begun": roll.is_begun,
        "counts": {str(called): len(roll.those(called)) for called in Called},
        "players": [
            {
                "name": name,
                "called": str(called),
                "left": more[name].left,
                "director": more[name].director,
                "told": ", ".join(each for each in (more[name].club, more[name].country) if each),
                "sits": sits.get(name, []),
            }
            for name, called in roll.called.items()
        ],
    }


def drawn_notes(office: Office, number: int) -> list[str]:
    """What was said of the draw that stands."""
    told = [fact.said for fact in standing(office.event.facts, Seated) if fact.said.round == number]
    return list(told[-1].notes) if told else []


def print_view(fact: Fact[SheetsPrinted], number: int) -> dict[str, Any]:
    """One print-out of sheets."""
    sheets = [sheet for sheet in fact.said.sheets if sheet.round == number]
    return {
        "url": f"/print/sheets/{fact.number}.pdf",
        "number": fact.number,
        "sheets": len(sheets),
        "boards": sorted({f"{number}.{sheet.board}" for sheet in sheets}),
        "phases": [] if fact.said.pads else phases_of(sheet.phase for sheet in sheets),
        "pads": bool(fact.said.pads),
        "at": fact.at,
    }


def phases_of(phases: Iterable[Phase]) -> list[str]:
    """Phases in words, the earliest first."""
    return [phase.in_words for phase in sorted(set(phases), key=lambda phase: phase.sort_key)]


def printed_now(games: list[Game], prints: list[Fact[SheetsPrinted]]) -> frozenset[str]:
    """The boards whose sheets for the phase that they are in are printed, or that have pads."""
    done = {
        (f"{sheet.round}.{sheet.board}", None if fact.said.pads else sheet.phase)
        for fact in prints
        for sheet in fact.said.sheets
    }
    return frozenset(game.name for game in games if done & {(game.name, game.position.phase), (game.name, None)})


def scan_view(office: Office, reading: UploadReader) -> dict[str, Any]:
    """What came in and what of it is read, in files; and the folder that is watched."""
    facts = office.event.facts
    came = {fact.said.sha256 for fact in facts.told(ScanReceived)}
    read = {fact.said.sha256 for fact in facts.told(ScanRead)}
    watched = reading.watched
    return {
        "came": len(came),
        "unread": len(came - read),
        "watching": str(watched.folder) if watched else "",
        "gone": watched.gone if watched else "",
        "failed": reading.failed,
    }


def call(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Say who is here, comes later, or is away; and of all the others, if it is said."""
    others = text_of(body, "others")
    with office.inside():
        said = {called: texts_of(body, called) for called in SAID}
        fact = call_roll(
            office.event,
            round_of(office, body.get("round")),
            said,
            by=login.name,
            others=read_called(others, "others") if others else None,
        )
        return {"number": fact.number}


def say_of_player(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Somebody came who is not on the list, has gone home, is back, or is called otherwise."""
    name, what, event = text_of(body, "name"), text_of(body, "what"), office.event
    with office.inside():
        match what:
            case "add":
                details = {key: text_of(body, key) for key in MOST_DETAILS}
                add_player(event, name, details, by=login.name, why=why_of(body))
            case "left" | "back":
                mark_left(event, (name,), left=what == "left", by=login.name, why=why_of(body))
            case "rename":
                rename(event, name, text_of(body, "new"), by=login.name, why=why_of(body))
            case _:
                raise stop(f"expected add, left, back or rename, found {what!r}", "what")
        return {"told": list(told_of_leaving(office, name)) if what == "left" else []}


def set_one(office: Office, login: Login, body: dict[str, Any]) -> None:
    """Change a setting of the event; its file stays otherwise as people wrote it."""
    name = text_of(body, "setting")
    if name not in SETTINGS:
        raise stop(f"expected one of {', '.join(SETTINGS)}", "setting")
    if name == "name" and not text_of(body, "value"):
        raise stop("an event has a name", "name")
    with office.inside():
        change_setting(office.event, name, text_of(body, "value"), login.name)


def told_of_leaving(office: Office, name: str) -> Iterator[str]:
    """What the rules say of somebody who leaves a game that goes on."""
    if told := leaving(office.event, name):
        yield told
