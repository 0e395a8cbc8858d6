"""The start page: choose or make an event in the browser. An open event uses the same log-ins."""

import base64
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct, ValidationError, convert, field, to_builtins
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pipeline.desk.backups import choose_copy, restore_copy
from pipeline.desk.event.event import Event, code_on_paper, open_event
from pipeline.desk.event.event_file import Details, read_event_file
from pipeline.desk.event.make_event import make_event
from pipeline.desk.event.own_files import NOTHING_KEPT
from pipeline.desk.event.settings import change_rules, check_new_code, is_to_be_opened_anew
from pipeline.desk.review.other_rules import foresee_rules
from pipeline.desk.roster_file import LARGEST, check_roster, read_roster_bytes, read_roster_file, read_roster_text
from pipeline.draw.list_as_read import ReadRoster, RosterChoices
from pipeline.draw.list_headings import MEANINGS
from pipeline.draw.roster import Player
from pipeline.journal.acts import undo_all
from pipeline.ledger.claims import Claims, Login, hold_lock
from pipeline.ledger.copies import Copy, tip_in_file
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.facts import FACTS
from pipeline.ledger.files import keep_event, keep_file, keep_name, kept_name, now, recent_events
from pipeline.paper.lettering import unprintable_names
from pipeline.paper.sheet import PAPER_SIZES
from pipeline.printable import unprintable
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules import load, new_rules
from pipeline.rules.systems import picture_file
from pipeline.small_files import data_folder
from pipeline.web import copying, correct, journal_page, practice, round_page
from pipeline.web.app import PagesOf, Refused, make_app, text_of
from pipeline.web.logins import Guest, Logins, Right, Role, new_token
from pipeline.web.on_pages import say_on_page
from pipeline.web.phones_page import LONGEST_NAME
from pipeline.web.server import DESK_LOCK, NOBODY, Alerts, Opened, SessionHandover, open_office, refuse_second
from pipeline.web.shown import ABSENT, Things, Version
from pipeline.web.tables import why_of
from pipeline.words.speech import IN_ENGLISH, Speech, languages, write_count

OWN = ("/events", "/api/events", "/leave")  # paths of the start page; all others are the event's
OWN_TABS = ("live", "map", "out", "print")  # pages of an event that are opened in tabs of their own
DESK = "/desk"  # the page Round, where a director begins in an event
OWN_RULES = "own.toml"  # the rules of the event that is made by answers
LIST = "the list"  # the source named in faults of a typed list
ROSTER_S = 120.0  # for a file to come
MOST_SHOWN = 200  # folders that are listed of one folder
SAMPLE = "sample-event"  # name of a sample event's folder, before its number
GONE = 410  # HTTP 410: it was here, and is gone


class OpenNext(Struct):
    """Which event is opened when something is done that no open event allows."""

    folder: Path | None


class EventSwitcher(Struct):
    """The event that is open, if one is, and what opens another."""

    logins: Logins
    claims: Claims  # the sessions while no event is open
    is_lan: bool
    alerts: Alerts
    start: Path  # where folders are looked for first
    pen: practice.FillSheets | None = None  # fills in the sheets of a practice event
    opened: Opened | None = None
    stack: ExitStack = field(default_factory=ExitStack)  # closes what is open
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def title(self) -> str:
        """The title of the start page."""
        return "ordersheets"

    @property
    def speech(self) -> Speech:
        """English, before an event is open."""
        return IN_ENGLISH

    @property
    def trouble(self) -> str:
        """The trouble of the open event; empty if no event is open."""
        return self.opened.office.trouble if self.opened else ""

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Hold the lock: no other event is opened meanwhile."""
        with self.lock:
            yield

    def expecting(self, check: Callable[[], None]) -> AbstractContextManager[None]:
        """Nothing is written in a transaction here; the lock is enough."""
        return nullcontext()

    def open(self, folder: Path, login: Login | None = None) -> None:
        """Open an event; who opens it stays logged in, everybody else comes in by the same PIN again.

        The CSRF token changes, so that a tab of the previous event cannot decide anything in this one.
        """
        with self.lock:
            if self.is_open(folder):
                return
            self.keep_lost_facts()
            stack = ExitStack()
            known = replace(login, csrf=new_token()) if login else None
            here = SessionHandover(self.logins, DESK, known, self.pen)
            office = open_office(folder, self.logins.guests, is_lan=self.is_lan, alerts=self.alerts, switcher=here)
            opened = stack.enter_context(office)
            before, self.stack, self.opened = (self.opened, self.stack), stack, opened
            _close_event(*before)
            keep_event(folder)

    def close(self) -> None:
        self.stack.close()

    def keep_lost_facts(self) -> None:
        """If the open event's facts are lost, keep what is known of them as a copy; stop if no place can be written."""
        if self.opened is None:
            return
        facts = self.opened.office.event.facts
        with suppress(Stopped):
            facts.check_file()
        if facts.refusal is not None and NOTHING_KEPT in str(facts.refusal):
            raise facts.refusal

    @contextmanager
    def close_meanwhile(self, login: Login) -> Iterator["OpenNext"]:
        """Close the open event meanwhile, and open it, or another one, again; who asks stays logged in."""
        with self.lock:
            opens = OpenNext(self.opened.office.event.folder if self.opened else None)
            if self.opened is not None:
                self.keep_lost_facts()
                self.logins.claims = self.claims
                self.logins.inside.clear()
                self.logins.let_in(login)
                before, self.opened, self.stack = (self.opened, self.stack), None, ExitStack()
                _close_event(*before)
            try:
                yield opens
            except BaseException:
                with suppress(Stopped):  # without its facts it cannot be opened: the pages say that none is open
                    self._open_next(opens, login)
                raise
            self._open_next(opens, login)

    def _open_next(self, opens: "OpenNext", login: Login) -> None:
        if opens.folder is not None:
            self.open(opens.folder, login)

    def is_open(self, folder: Path) -> bool:
        return self.opened is not None and self.opened.office.event.folder.resolve() == folder.resolve()

    def restore(self, copy: Copy, folder: Path, login: Login, *, without_damaged: bool) -> list[Problem]:
        """Restore a copy into a folder, and open it; what is there is kept beside it. Returns what to know.

        Where that fails, the event that was open is open again.
        """
        with self.close_meanwhile(login) as opens:
            with ExitStack() as held:
                if (folder / FACTS).is_file():
                    held.enter_context(hold_lock(folder / DESK_LOCK, refuse_second))
                by, replaces = login.name, folder.is_dir()
                done, _, problems = restore_copy(
                    copy, folder, by, now, replaces=replaces, without_damaged=without_damaged
                )
            opens.folder = folder
        self.alerts.trouble(f"{folder}: restored from the copy {copy.folder.name}, and open")
        kept = [Problem(Weight.NOTES, "what was in the folder is kept here", str(done.kept))] if done.kept else []
        lost = [
            Problem(Weight.NOTES, "this scan is not in the copy; scan it again", scan.came_as) for scan in done.missing
        ]
        return [*kept, *lost, *problems]


def _close_event(opened: Opened | None, stack: ExitStack) -> None:
    """Close an event, also one whose facts are lost, which its pages have told."""
    try:
        stack.close()
    except Stopped:
        if opened is None or not opened.office.event.facts.is_lost:
            raise


@contextmanager
def open_switcher(
    guests: tuple[Guest, ...],
    key: str,
    clock: Callable[[], float],
    *,
    is_lan: bool = False,
    folder: Path | None = None,
    alerts: Alerts = NOBODY,
    pen: practice.FillSheets | None = None,
) -> Iterator["SwitchingApp"]:
    """Open the page of events, with an event or without one, and close all behind it."""
    with TemporaryDirectory() as own:
        claims = Claims(Path(own) / "claims.db")
        logins = Logins(claims, guests, key, clock, is_lan, on_wrong=alerts.wrong, has_start_page=True)
        switcher = EventSwitcher(logins, claims, is_lan, alerts, Path.cwd(), pen)
        try:
            if folder is not None:
                switcher.open(folder)
            own_pages, closed = (make_app(switcher, logins, routes, OWN[0]) for routes in (_own_routes, _closed_routes))
            yield SwitchingApp(switcher, own_pages, closed)
        finally:
            switcher.close()
            claims.close()


class SwitchingApp(Struct, frozen=True):
    """All pages: the start page, those of the open event, and those that say that no event is open."""

    switcher: EventSwitcher
    app: Starlette
    closed: Starlette

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the start page or to the open event."""
        opened = self.switcher.opened
        is_own = scope["type"] == "lifespan" or str(scope.get("path", "")).startswith(OWN)
        await (self.app if is_own else opened.app if opened else self.closed)(scope, receive, send)


def _own_routes(app: PagesOf[EventSwitcher]) -> list[Route]:
    """The routes of the start page: the page, its data, and its actions."""
    large = (2 * LARGEST, ROSTER_S)  # a file as text is a third longer
    return [
        app.page("/events", "events.html", Right.PUBLISH),
        app.get("/api/events", _start_view, Right.PUBLISH, shows=_see_start),
        app.get("/api/events/folders", _list_folders, Right.PUBLISH),
        app.act("/api/events/me", _set_own_name, Right.PUBLISH, _see_name, shows=_see_start),
        app.act("/api/events/open", _open_event_of, Right.PUBLISH, _see_open),
        app.question("/api/events/roster", _look_through, Right.PUBLISH, large),
        app.get("/events/systems/{name}.svg", _show_picture, Right.PUBLISH),
        app.act("/api/events/new", _make_and_open, Right.PUBLISH, _see_open, large),
        app.get("/api/events/rules", _show_rules, Right.PUBLISH, shows=_see_rules),
        app.question("/api/events/rules/look", _foresee_rules, Right.PUBLISH),
        app.act("/api/events/rules", _change_rules, Right.PUBLISH, _see_rules),
        app.act("/api/events/undo", _take_rules_back, Right.PUBLISH, _see_lines),
        app.get("/api/events/copies", _show_copies, Right.PUBLISH, shows=_see_copies),
        app.act("/api/events/restore", _restore, Right.PUBLISH, _see_copies),
        app.act("/api/events/sample", _make_sample, Right.PUBLISH, _see_open),
    ]


def _see_start(switcher: EventSwitcher, login: Login, _: dict[str, Any]) -> Things:
    return _see_open(switcher, login, {}) | _see_name(switcher, login, {})


def _see_open(switcher: EventSwitcher, login: Login, _: dict[str, Any]) -> Things:
    opened = switcher.opened
    return {"the event that is open": Version((str(opened.office.event.folder),)) if opened else ABSENT}


def _see_name(switcher: EventSwitcher, login: Login, _: dict[str, Any]) -> Things:
    return {"your name": Version((kept_name(),)) if kept_name() else ABSENT}


def _open_now(switcher: EventSwitcher) -> Event:
    if switcher.opened is None:
        raise stop("no event is open; open one first", "event")
    return switcher.opened.office.event


def _see_rules(switcher: EventSwitcher, login: Login, _: dict[str, Any]) -> Things:
    """By which rules the open event goes, and how far it has come."""
    event = _open_now(switcher)
    details = event.details
    said = (f"tournament: {details.tournament}", f"language: {event.speech.code}", f"code: {details.code}")
    return {f"the rules of {event.folder}": Version(said, str(event.facts.newest(PhasePublished)))}


def _show_rules(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """By which rules the open event goes, and which there are."""
    event = _open_now(switcher)
    return {
        "tournament": event.details.tournament,
        "language": event.details.language,
        "code": event.details.code,
        "is_printed": code_on_paper(event.facts) is not None,
        "tournaments": [[name, words] for name, words in _rules_of_event(event).items()],
        "languages": languages(),
    }


def _rules_of_event(event: Event) -> dict[str, str]:
    """By what an event may go: the tournaments that are known, and the rules files in its folder."""
    own = sorted(path.name for path in event.folder.glob("*.toml") if path.name != "event.toml")
    known = {each: load.load_tournament(each).name for each in load.tournament_ids()}
    return known | {name: f"{name}, in the event's folder" for name in own}


def _rules_wanted(switcher: EventSwitcher, body: dict[str, Any]) -> dict[str, str]:
    """The tournament, the language and the code that a request asks for."""
    tournament, language, code = (text_of(body, key) for key in ("tournament", "language", "code"))
    if language and language not in languages():
        raise stop(f"expected one of {', '.join(languages())}", "language")
    event = _open_now(switcher)
    code = code.upper() or event.details.code
    check_new_code(event, code)
    known = _rules_of_event(event)
    if tournament not in known:
        raise stop(f"expected one of {', '.join(known)}", "tournament")
    return {"tournament": tournament, "language": language, "code": code}


def _foresee_rules(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """What would be judged and scored otherwise."""
    foreseen = foresee_rules(_open_now(switcher), _rules_wanted(switcher, body))
    return {
        "places": [correct.place_view(each) for each in foreseen.places],
        "otherwise": [say_on_page(text) for text in foreseen.otherwise],
        "states": [[each.what, each.was, each.now] for each in foreseen.states],
    }


def _change_rules(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Let the open event go by other rules: it is closed, and opened anew."""
    folder, wanted = _open_now(switcher).folder, _rules_wanted(switcher, body)
    with switcher.close_meanwhile(login), open_event(folder, now) as event:
        fact = change_rules(event, wanted, login.name)
    return {"home": DESK, "number": fact.number if fact else 0}


def _see_lines(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> Things:
    """The lines of the journal that are to be taken back."""
    return journal_page.see_lines(switcher.opened.office, login, body) if switcher.opened else {}


def _take_rules_back(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Take lines of the journal back that changed the rules: the event is closed, and opened anew."""
    numbers, folder = journal_page.numbers_in(body), _open_now(switcher).folder
    with switcher.close_meanwhile(login), open_event(folder, now) as event:
        told = journal_page.taken_back(numbers, undo_all(event, numbers, by=login.name, why=why_of(body)))
    return told | {"said": f"{told['said']}: the event goes by what event.toml said before"}


def _see_copies(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> Things:
    """What a restoration replaces."""
    folder = _folder_of(asked)
    tip = tip_in_file(folder / FACTS)
    return {
        f"the event in {folder}": Version((write_count(tip.facts, "entry", "entries"),), tip.sum) if tip else ABSENT
    }


def _show_copies(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The copies of the event that is, or was, in a folder; or those in another place."""
    folder, place = _folder_of(asked), str(asked.get("place", "")).strip()
    if switcher.is_open(folder):
        switcher.keep_lost_facts()
    tip = tip_in_file(folder / FACTS)
    return {
        "folder": str(folder),
        "newest": tip.facts if tip else 0,
        "gone": folder.is_dir() and not (folder / FACTS).is_file(),
        "copies": copying.list_copies(folder, round_page.read_folder(place) if place else None),
    }


def _restore(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Restore a copy, and open the event."""
    folder, place, name = _folder_of(body), text_of(body, "place"), text_of(body, "copy")
    if not place or not name:
        raise stop("say which copy", "copy")
    copy = choose_copy(folder, round_page.read_folder(place), name)
    problems = switcher.restore(copy, folder, login, without_damaged=body.get("without_damaged") is True)
    return {"home": DESK, "notes": _problem_lines(problems), **_events_view(switcher)}


def _closed_routes(app: PagesOf[EventSwitcher]) -> list[Route]:
    """Where the pages of an event would be, while none is open."""

    async def go(request: Request) -> Response:
        return RedirectResponse(OWN[0], 303)

    async def tell_closed(request: Request) -> Response:
        """A page of an event asks, in a tab that was open before the desk was started again."""
        await app.let_through(request, Right.PUBLISH)
        raise Refused("no event is open: the desk was started again; open the event under 'events'", GONE)

    return [
        Route("/", go),
        Route("/{page}", go),
        *(Route(f"/{part}/{{page:path}}", go) for part in OWN_TABS),
        Route("/api/{what:path}", tell_closed, methods=["GET", "POST"]),
    ]


def _start_view(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The start page's data: the director's name, recent events, and the tournaments to choose from."""
    return {
        "name": login.name if kept_name() else "",
        "start": str(switcher.start),
        "languages": languages(),
        "papers": list(PAPER_SIZES),
        **_events_view(switcher),
        "tournaments": [_tournament_view(each) for each in load.tournament_ids()],
        "questions": [to_builtins(question) for question in _asked_for()],
        "systems": [
            {"id": each.id, "name": each.name, "summary": each.summary, "picture": f"{OWN[0]}/systems/{each.id}.svg"}
            for each in load.load_systems().values()
        ],
    }


def _events_view(switcher: EventSwitcher) -> dict[str, Any]:
    """The event that is open, and the recent ones."""
    opened = switcher.opened
    return {
        "open": str(opened.office.event.folder.resolve()) if opened else "",
        "recent": [_event_view(folder) for folder in recent_events()],
    }


def _asked_for() -> tuple[new_rules.RulesQuestion, ...]:
    """The questions for own rules, without two: the page asks the event's name before, and folds rare ones away."""
    return tuple(question for question in new_rules.own_questions() if question.key not in ("name", "rare"))


def _show_picture(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> Response:
    if asked["name"] not in load.load_systems():
        raise stop("no such system", asked["name"])
    return FileResponse(picture_file(asked["name"]), media_type="image/svg+xml")


def _event_view(folder: Path) -> dict[str, Any]:
    """One event of the list; faults are shown when it is opened."""
    try:
        details, players = read_event_file(folder / "event.toml")
    except (Stopped, OSError):
        trouble = (
            "its event.toml has faults"
            if _is_event(folder)
            else "its event.toml has faults, and its event.db is missing"
        )
        return {"folder": str(folder), "name": folder.name, "told": trouble}
    if not (folder / FACTS).is_file():
        told = "its event.db is gone: restore it from a copy, below"
        return {"folder": str(folder), "name": details.name, "told": told, "gone": True}
    return {
        "folder": str(folder),
        "name": details.name,
        "told": f"{write_count(len(players), 'player')}, {details.tournament}, code {details.code}",
    }


def _tournament_view(tournament: str) -> dict[str, Any]:
    rules = load.load_tournament(tournament)
    return {"id": tournament, "name": rules.name, "rounds": rules.rounds, "source": rules.source}


def _list_folders(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The folders inside a folder, those of events marked."""
    folder = round_page.read_folder(str(asked.get("folder") or switcher.start))
    try:
        inside = sorted(each for each in folder.resolve().iterdir() if each.is_dir() and not each.name.startswith("."))
    except OSError as error:
        raise stop(f"cannot be looked into: {error.strerror}", str(folder)) from error
    return {
        "folder": str(folder.resolve()),
        "above": str(folder.resolve().parent),
        "is_event": _is_event(folder),
        "folders": [
            {"name": each.name, "folder": str(each), "is_event": _is_event(each)} for each in inside[:MOST_SHOWN]
        ],
        "more": max(0, len(inside) - MOST_SHOWN),
    }


def _is_event(folder: Path) -> bool:
    try:
        return (folder / "event.toml").is_file() and (folder / FACTS).is_file()
    except OSError:  # nobody may look into it
        return False


def _set_own_name(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Store the director's name for this machine; it is kept with his decisions from now on."""
    name = " ".join(text_of(body, "name").split())
    if not name:
        raise stop("type your name; it is kept with every decision", "name")
    if fault := unprintable(name):
        raise stop(f"the name holds {fault}", "name")
    if len(name) > LONGEST_NAME:
        raise stop(f"a name has at most {LONGEST_NAME} letters", "name")
    keep_name(name)
    own = next(guest for guest in switcher.logins.guests if guest.role is Role.DIRECTOR)
    switcher.logins.guests = tuple(replace(g, name=name) if g is own else g for g in switcher.logins.guests)
    switcher.logins.let_in(replace(login, name=name))
    return {"name": name}


def _open_event_of(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    folder = _folder_of(body)
    if switcher.is_open(folder) and is_to_be_opened_anew(_open_now(switcher)):
        with switcher.close_meanwhile(login):
            pass
    switcher.open(folder, login)
    return {"home": DESK}


def _folder_of(body: dict[str, Any]) -> Path:
    """The folder that a decision names."""
    text = text_of(body, "folder")
    if not text:
        raise stop("say which folder", "folder")
    return round_page.read_folder(text)


def _roster_of(body: dict[str, Any]) -> ReadRoster:
    """Read the roster, a file or typed text, with the director's choices about its columns."""
    text, file, name = (body.get(key, "") for key in ("text", "file", "file_name"))
    if not all(isinstance(each, str) for each in (text, file, name)):
        raise stop("expected texts", "roster")
    choices = _read_choices(body)
    if not file:
        return read_roster_text(text, LIST, choices)
    try:
        data = base64.b64decode(file, validate=True)
    except ValueError as error:  # not base64
        raise stop("the file arrived incomplete; choose it again", name) from error
    return read_roster_bytes(data, Path(name).name or LIST, choices)


def _read_choices(body: dict[str, Any]) -> RosterChoices:
    """What the director said of the columns, of names that look alike, and of doubtful rows."""
    said = {key: body[key] for key in RosterChoices.__struct_fields__ if key in body}
    try:
        choices = convert(said, RosterChoices)
    except ValidationError as error:
        raise stop(f"expected what was decided about a list ({error})", "roster") from error
    if unknown := [each[:40] for each in choices.columns.values() if each not in ("", *MEANINGS)]:
        raise stop(f"no column of a roster: {', '.join(unknown)}", "roster")
    return choices


ROSTER_QUESTIONS = ("columns", "alike", "same", "doubtful", "encodings", "sheets")  # of `ReadRoster`, for the page


def _look_through(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Read a roster without making anything of it: its players, what is worth a note, and all its faults."""
    try:
        read = _roster_of(body)
    except Stopped as stopped:
        read = ReadRoster((), stopped.problems)
    stops = [problem for problem in read.problems if problem.weight is Weight.STOPS]
    lacking = unprintable_names(player.name for player in read.players)
    return {
        "players": [] if stops else [_with_places(player) for player in read.players],
        "faults": _problem_lines(stops),
        "asks": any(problem.weight is Weight.ASKS for problem in read.problems),
        "notes": _problem_lines(problem for problem in (*read.problems, *lacking) if problem.weight is Weight.NOTES),
        "meanings": MEANINGS,
        **{key: to_builtins(getattr(read, key)) for key in ROSTER_QUESTIONS},
    }


def _with_places(player: Player) -> str:
    """A player of a list with what the list is taken to say of it: a club that is none is seen before it counts."""
    places = ", ".join(filter(None, (player.club, player.team, player.country)))
    return f"{player.name} ({places})" if places else player.name


def _problem_lines(problems: Any) -> list[str]:
    return [f"{problem.where}: {say_on_page(problem.text)}" for problem in problems]


def _make_and_open(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    wanted = _wanted_event(body)
    folder = _folder_of(body)
    with TemporaryDirectory() as begun:
        if answers := body.get("answers"):
            wanted = replace(wanted, tournament=str(_own_rules(Path(begun), wanted.name or folder.name, answers)))
        _, notes = make_event(folder, wanted, check_roster(_roster_of(body), LIST), now)
    switcher.open(folder, login)
    return {"home": DESK, "notes": _problem_lines(notes)}


def _make_sample(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Make an event of invented players to try everything with, in a folder of its own, and open it."""
    sample = data_folder("samples") / "moot"
    number = next(number for number in count(1) if not (switcher.start / f"{SAMPLE}-{number}").exists())
    folder = switcher.start / f"{SAMPLE}-{number}"
    wanted = Details(name="Sample event", code="", tournament="weaselmoot", map_name="", practice=True)
    make_event(folder, wanted, read_roster_file(sample / "players.csv"), now)
    switcher.open(folder, login)
    return {"home": DESK}


def _wanted_event(body: dict[str, Any]) -> Details:
    """What the page says of a new event."""
    said = {key: text_of(body, key) for key in ("tournament", "name", "code", "paper", "language")}
    return Details(
        name=said["name"],
        code=said["code"].upper(),
        tournament=said["tournament"],
        paper=said["paper"] or "A4",
        map_name="",
        language=said["language"],
    )


def _own_rules(folder: Path, name: str, answers: object) -> Path:
    """Write a rules file by the director's answers, as 'rules --new' does; the event takes a copy of it."""
    asked = _asked_for()
    if not isinstance(answers, dict):
        raise stop("expected an answer to each question", "answers")
    defaults = {question.key: question.otherwise if question.is_rare else "" for question in asked}
    given = {key: str(answers.get(key, default)).strip() for key, default in defaults.items()}
    path = folder / OWN_RULES
    keep_file(path, new_rules.rules_text(new_rules.NewRulesAnswers(name=name, **given), asked).encode())
    return path
