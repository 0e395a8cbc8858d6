"""The page of a round: the roll call, players and settings that are changed there; `round_view` is what it shows."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from starlette.routing import Route

from pipeline.desk import players
from pipeline.desk.event.games import ended_early
from pipeline.desk.event.settings import change_setting, try_second_place
from pipeline.desk.intake.ingest import pass_over, waiting_scans
from pipeline.desk.intake.watching import WatchedFolder
from pipeline.desk.new_name import check_new_name
from pipeline.desk.results.notes import enter_note
from pipeline.ledger.claims import Login
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.files import keep_watched
from pipeline.ledger.ledger import Fact
from pipeline.paper.lettering import unprintable_names
from pipeline.paper.sheet import PAPER_SIZES
from pipeline.problems import Problem, Weight, stop
from pipeline.web import versions
from pipeline.web.app import Pages, text_of
from pipeline.web.logins import Right, host_of
from pipeline.web.office import Office
from pipeline.web.on_pages import texts_on_page
from pipeline.web.round_view import SETTINGS, round_view
from pipeline.web.shown import ABSENT, Things, Version
from pipeline.web.tables import why_of
from pipeline.web.upload import UploadReader

WAITS = Version(("it waits to be read",))  # of a file
LONGEST_SHOWN = 120  # letters of a folder's name that is refused
SHOWN_NAMES = 4  # of files that are in a folder already
DETAILS = ("club", "country", "team")


def routes(
    pages: Pages, reading: UploadReader, count_written: Callable[[Office, Login], dict[str, int]] | None
) -> list[Route]:
    """The page, what it shows, and what it does beside the draw and the prints.

    ``count_written``: in a practice event, how many filled-in sheets of each board wait to be scanned.
    """

    def show(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
        with office.inside():
            view = round_view(office, login, reading, round_of(office, asked.get("round")))
        pages_at = pages.logins.pages_at
        address = pages_at.url(pages_at.addresses[0], pages.logins.port).rstrip("/") if pages_at.addresses else ""
        practice = count_written(office, login) if count_written else None
        return view | {"address": address if pages.logins.is_lan else "", "practice": practice}

    def watch(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        folder, old = text_of(body, "folder"), text_of(body, "old")
        path = read_folder(folder) if folder else None
        if path is not None and path.is_dir() and not old and (present := WatchedFolder(path).present()):
            names = [each.name for each in present]
            return {"full": len(names), "names": names[:SHOWN_NAMES], "folder": str(path)}
        reading.watch(path, only_new=old == "leave")
        keep_watched(office.event.folder.resolve(), path.resolve() if path else None)
        return {"full": 0}

    def see_scans(office: Office, login: Login, asked: dict[str, Any]) -> Things:
        watched = reading.watched
        return {"the folder that is watched": Version((str(watched.folder),)) if watched else ABSENT}

    def pass_file_over(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        with office.inside():
            pass_over(office.event, text_of(body, "file"), login.name)
        return {}

    def set_setting(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        _set_one(office, login, body)
        pages.logins.live_host = host_of(office.event.details.live_address)
        return {}

    return [
        pages.page("/desk", "day.html", Right.PUBLISH),
        pages.page("/players", "players.html", Right.PUBLISH),
        pages.get("/api/day", show, Right.PUBLISH, shows=lambda *asked: _see_round(*asked) | see_scans(*asked)),
        pages.act("/api/day/roll", _call, Right.PUBLISH, _see_called),
        pages.act("/api/day/refuse", _refuse_check_in, Right.PUBLISH, _see_check_in),
        pages.act("/api/day/player", _say_of_player, Right.PUBLISH, _see_player),
        pages.act("/api/day/watch", watch, Right.PUBLISH, see_scans),
        pages.act("/api/day/pass-over", pass_file_over, Right.PUBLISH, _see_waiting_file),
        pages.act("/api/day/setting", set_setting, Right.PUBLISH, _see_setting),
    ]


# What a page of a round shows, and what its acts rest on.


def _see_round(office: Office, login: Login, asked: dict[str, Any]) -> Things:
    """Everything that an act on the page of a round may rest on, but what came in."""
    event, number, every_game = office.event, round_of(office, asked.get("round")), office.live.games.values()
    seen = {**versions.of_settings(event), **versions.of_standings(event), **versions.of_players(event)}
    seen |= versions.of_roll(players.read_roll_call(event, number))
    seen |= versions.of_check_ins(number, _refusals(office, number)) | versions.of_goings(_goings(office))
    for game in every_game:
        seen |= versions.of_board(event, game) if game.seating.round == number else {}
    seen |= {f"the file {fact.said.name}": WAITS for fact in waiting_scans(event)}
    return seen | versions.of_seats(event, every_game, number) | versions.of_prints(event, number)


def _see_called(office: Office, login: Login, body: dict[str, Any]) -> Things:
    roll = players.read_roll_call(office.event, round_of(office, body.get("round")))
    names = [name for called in players.SAID for name in texts_of_field(body, called)]
    return versions.of_called(roll, names, others=bool(text_of(body, "others")))


def _see_check_in(office: Office, login: Login, body: dict[str, Any]) -> Things:
    number, names = round_of(office, body.get("round")), texts_of_field(body, "names")
    here = versions.of_check_ins(number, {name: r for name, r in _refusals(office, number).items() if name in names})
    going = texts_of_field(body, "going")
    return here | versions.of_goings({name: r for name, r in _goings(office).items() if name in going})


def _goings(office: Office) -> dict[str, bool]:
    """Who says by phone to be going home, and whether that was refused."""
    return {name: each.is_refused for name, each in office.say_going.items()}


def _refusals(office: Office, number: int) -> dict[str, bool]:
    """Who says by phone to be here, and whether that was refused."""
    return {name: each.is_refused for name, each in office.say_here.get(number, {}).items()}


def _see_player(office: Office, login: Login, body: dict[str, Any]) -> Things:
    names = filter(None, (text_of(body, "name"), text_of(body, "new")))
    return {what: version for name in names for what, version in versions.of_player(office.event, name).items()}


def _see_waiting_file(office: Office, login: Login, body: dict[str, Any]) -> Things:
    name = text_of(body, "file")
    waits = any(fact.said.name == name for fact in waiting_scans(office.event))
    return {f"the file {name}": WAITS if waits else ABSENT}


def _see_setting(office: Office, login: Login, body: dict[str, Any]) -> Things:
    name = f"the setting {text_of(body, 'setting')}"
    return {what: version for what, version in versions.of_settings(office.event).items() if what == name}


def read_folder(text: str) -> Path:
    """The folder of this name, whether it exists or not; `Stopped` for a name that no folder can have."""
    try:
        folder = Path(text).expanduser()
        folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # too long, not readable, or an unknown home folder
        text = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
        why = getattr(error, "strerror", "") or error
        raise stop(f"no folder can be used here: {why}; name another", text) from error
    return folder


def texts_of_field(body: dict[str, Any], name: str) -> tuple[str, ...]:
    """A list of texts of a request; empty if it is left out."""
    value = body.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise stop("expected a list of texts", name)
    return tuple(value)


def round_of(office: Office, asked: object) -> int:
    """The round that is asked for; by default the one that is being played, or comes next."""
    rounds = office.event.tournament.rounds
    if asked is not None:
        try:
            number = int(str(asked))
        except ValueError:
            number = 0
        if not 1 <= number <= rounds:
            raise stop(f"no round {asked}; there are {rounds}", "round")
        return number
    every = office.live.games.values()
    seated = [game.seating.round for game in every]
    going_on = [game.seating.round for game in every if not game.ending]
    if going_on:
        return min(going_on)
    last = max(seated, default=0)
    return last if ended_early(office.event) else min(rounds, last + 1)


def _call(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Enter the roll call: who is here, comes later or is away, and which of these all others are, if that is given."""
    others = text_of(body, "others")
    with office.inside():
        said = {called: texts_of_field(body, called) for called in players.SAID}
        fact = players.enter_roll_call(
            office.event,
            round_of(office, body.get("round")),
            said,
            by=login.name,
            others=players.read_called(others) if others else None,
        )
        return {"number": fact.number}


def _refuse_check_in(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Refuse what phones say of people who are not here, or do not go; it is not shown again."""
    with office.inside():
        here = office.say_here.get(round_of(office, body.get("round")), {})
        for said, names in ((here, texts_of_field(body, "names")), (office.say_going, texts_of_field(body, "going"))):
            for name in names:
                if name in said:
                    said[name].is_refused = True
    return {}


def _say_of_player(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Add a player who is not on the list; or note that one has gone home, is back, or has another name or club."""
    name, what, event = text_of(body, "name"), text_of(body, "what"), office.event
    more: list[Fact[LedgerEvent]] = []
    with office.inside():
        match what:
            case "add":
                if body.get("sure") is not True:
                    check_new_name(name)
                details = {key: text_of(body, key) for key in DETAILS}
                name = players.add_player(event, name, details, by=login.name, why=why_of(body)).said.player.name
            case "left" | "back":
                _, *more = players.mark_left(event, (name,), left=what == "left", by=login.name, why=why_of(body))
                office.say_going.pop(name, None)
            case "rename":
                name = players.rename(event, name, text_of(body, "new"), by=login.name, why=why_of(body)).said.name
            case "club" | "country":
                enter_note(event, what, {"player": name, what: text_of(body, "new")}, by=login.name, why=why_of(body))
            case _:
                raise stop(f"expected add, left, back, rename, club or country, found {what!r}", "what")
        notes = [Problem(Weight.NOTES, players.leaving_in_words(fact), name) for fact in more]
        notes += _notes_on_leaving(office, name) if what == "left" else unprintable_names([name])
        return {"name": name, "told": texts_on_page(notes)}


def _set_one(office: Office, login: Login, body: dict[str, Any]) -> None:
    """Change a setting of the event; its file stays otherwise as people wrote it."""
    name = text_of(body, "setting")
    if name not in SETTINGS:
        raise stop(f"expected one of {', '.join(SETTINGS)}", "setting")
    if name == "name" and not text_of(body, "value"):
        raise stop("an event has a name", "name")
    if name == "backup" and text_of(body, "value"):
        try_second_place(office.event, text_of(body, "value"))  # without the lock: a share may be slow
    with office.inside():
        if name == "paper" and text_of(body, "value") not in PAPER_SIZES:
            raise stop(f"expected one of {', '.join(PAPER_SIZES)}", "paper")
        change_setting(office.event, name, text_of(body, "value"), login.name)


def _notes_on_leaving(office: Office, name: str) -> Iterator[Problem]:
    """What the rules say of somebody who leaves a game that goes on."""
    if warning := players.leaving_warning(office.event, name):
        yield Problem(Weight.NOTES, warning, name)
