"""Before an event is open: choose one, or make one, in the browser. An open event's pages are behind the same door."""

import base64
import binascii
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pipeline.desk.draw.roster_file import LARGEST, read_roster_bytes, read_roster_text
from pipeline.desk.event.event import read_event_file
from pipeline.desk.event.making import Roster, WantedEvent, make_event
from pipeline.desk.results.gallery import gallery, picture_file
from pipeline.ledger.clock import now
from pipeline.ledger.facts import FACTS
from pipeline.ledger.files.claims import Claims, Login
from pipeline.ledger.files.disk import keep_file
from pipeline.ledger.files.this_machine import keep_event, keep_name, kept_name, recent_events
from pipeline.problems import Stopped, stop
from pipeline.rules.load import load_systems, load_tournament, own_questions, tournament_ids
from pipeline.rules.new_rules import NewRulesAnswers as RulesAnswers
from pipeline.rules.new_rules import RulesQuestion, rules_text
from pipeline.rules.toml.plain_text import unprintable
from pipeline.web.office.app import PagesOf, make_app
from pipeline.web.office.auth import Door, Guest, Right, Role, new_token
from pipeline.web.server.server import NOBODY, FromHall, Opened, Tells, open_office
from pipeline.words.speech import languages

OWN = ("/events", "/api/events")  # the hall's pages; all others are the event's
DESK = "/desk"  # where a director begins in an event
OWN_RULES = "own.toml"  # the rules of the event that is made by answers
LIST = "the list"  # what faults of a list that is typed are told of
ROSTER_S = 120.0  # for a file to come
MOST_SHOWN = 200  # folders of one folder


@dataclass(slots=True)
class Hall:
    """The event that is open, if one is, and what opens another."""

    seats: tuple[Guest, ...]
    door: Door
    is_lan: bool
    tells: Tells
    start: Path  # where folders are looked for first
    opened: Opened | None = None
    stack: ExitStack = field(default_factory=ExitStack)  # closes what is open
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def title(self) -> str:
        """What stands above its pages."""
        return "ordersheets"

    def open(self, folder: Path, login: Login | None = None) -> None:
        """Open an event; who opens it stays logged in, everybody else comes in by the same PIN again.

        He has another token here: a page of the event before, in another tab, decides nothing in this one.
        """
        with self.lock:
            if self.opened is not None and self.opened.office.event.folder.resolve() == folder.resolve():
                return
            stack = ExitStack()
            here = FromHall(self.door, DESK, replace(login, csrf=new_token()) if login else None)
            office = open_office(folder, self.seats, is_lan=self.is_lan, tells=self.tells, hall=here)
            opened = stack.enter_context(office)
            before, self.stack, self.opened = self.stack, stack, opened
            before.close()
            keep_event(folder)

    def close(self) -> None:
        """Close what is open."""
        self.stack.close()


@contextmanager
def open_hall(
    seats: tuple[Guest, ...],
    key: str,
    clock: Callable[[], float],
    *,
    is_lan: bool = False,
    folder: Path | None = None,
    tells: Tells = NOBODY,
) -> Iterator["HallApp"]:
    """Open the hall, with an event or without one, and close all behind it."""
    with TemporaryDirectory() as own:
        claims = Claims(Path(own) / "claims.db")
        door = Door(claims, seats, key, clock, is_lan, on_wrong=tells.wrong)
        hall = Hall(seats, door, is_lan, tells, Path.cwd())
        try:
            if folder is not None:
                hall.open(folder)
            yield HallApp(hall, make_app(hall, door, routes, OWN[0]))
        finally:
            hall.close()
            claims.close()


@dataclass(frozen=True, slots=True)
class HallApp:
    """All pages: the hall's own, and those of the event that is open."""

    hall: Hall
    app: Starlette

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from where the page is."""
        opened = self.hall.opened
        path = str(scope.get("path", ""))
        is_own = opened is None or scope["type"] == "lifespan" or path.startswith(OWN)
        await (self.app if is_own or opened is None else opened.app)(scope, receive, send)


def routes(pages: PagesOf[Hall]) -> list[Route]:
    """The page, what it shows, and what it does."""

    async def go(request: Request) -> Response:
        return RedirectResponse(OWN[0], 303)

    large = (2 * LARGEST, ROSTER_S)  # a file as text is a third longer
    return [
        pages.page("/events", "hall.html", Right.PUBLISH),
        pages.get("/api/events", show, Right.PUBLISH),
        pages.get("/api/events/folders", look, Right.PUBLISH),
        pages.post("/api/events/me", call_me, Right.PUBLISH),
        pages.post("/api/events/open", open_event_of, Right.PUBLISH),
        pages.post("/api/events/roster", look_through, Right.PUBLISH, large),
        pages.get("/events/systems/{name}.svg", show_picture, Right.PUBLISH),
        pages.post("/api/events/new", make, Right.PUBLISH, large),
        Route("/", go),
        Route("/desk", go),
    ]


def show(hall: Hall, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Who is here, the events opened last, and the tournaments whose rules there are."""
    opened = hall.opened
    return {
        "name": kept_name(),
        "start": str(hall.start),
        "languages": languages(),
        "open": str(opened.office.event.folder) if opened else "",
        "recent": [event_view(folder) for folder in recent_events()],
        "tournaments": [tournament_view(each) for each in tournament_ids()],
        "questions": [asdict(question) for question in asked_for()],
        "systems": [
            {"id": hung.id, "name": hung.name, "summary": hung.summary, "picture": f"{OWN[0]}/systems/{hung.id}.svg"}
            for hung in gallery()
        ],
    }


def asked_for() -> tuple[RulesQuestion, ...]:
    """What is asked for rules of one's own; the event's name is asked for already."""
    return tuple(question for question in own_questions() if question.key != "name")


def show_picture(hall: Hall, login: Login, asked: dict[str, Any]) -> Response:
    """The picture of one scoring system."""
    if asked["name"] not in load_systems():
        raise stop("no such system", asked["name"])
    return FileResponse(picture_file(asked["name"]), media_type="image/svg+xml")


def event_view(folder: Path) -> dict[str, Any]:
    """One event of the list; one that cannot be read is told so when it is opened."""
    try:
        details, players = read_event_file(folder / "event.toml")
    except (Stopped, OSError):
        told = "its event.toml has faults" if is_event(folder) else "it is not there now: moved, deleted, or on a stick"
        return {"folder": str(folder), "name": folder.name, "told": told}
    return {
        "folder": str(folder),
        "name": details.name,
        "told": f"{len(players)} players, {details.tournament}, code {details.code}",
    }


def tournament_view(tournament: str) -> dict[str, Any]:
    """One tournament to choose."""
    rules = load_tournament(tournament)
    return {"id": tournament, "name": rules.name, "rounds": rules.rounds, "source": rules.source}


def look(hall: Hall, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The folders inside a folder, those of events marked."""
    folder = Path(str(asked.get("folder") or hall.start)).expanduser()
    try:
        inside = sorted(each for each in folder.resolve().iterdir() if each.is_dir() and not each.name.startswith("."))
    except OSError as error:
        raise stop(f"cannot be looked into: {error.strerror}", str(folder)) from error
    return {
        "folder": str(folder.resolve()),
        "above": str(folder.resolve().parent),
        "is_event": is_event(folder),
        "folders": [
            {"name": each.name, "folder": str(each), "is_event": is_event(each)} for each in inside[:MOST_SHOWN]
        ],
        "more": max(0, len(inside) - MOST_SHOWN),
    }


def is_event(folder: Path) -> bool:
    """Whether an event is in a folder."""
    return (folder / "event.toml").is_file() and (folder / FACTS).is_file()


def call_me(hall: Hall, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """The director's name: it is kept for this machine, and stands under what is decided from now on."""
    name = " ".join(str(body.get("name", "")).split())
    if not name:
        raise stop("type your name; it stands under what you decide", "name")
    if fault := unprintable(name):
        raise stop(f"the name holds {fault}", "name")
    keep_name(name)
    own = next(seat for seat in hall.seats if seat.role is Role.DIRECTOR)
    hall.seats = tuple(replace(seat, name=name) if seat is own else seat for seat in hall.seats)
    hall.door.seats = hall.seats
    hall.door.claims.let_in(replace(login, name=name))
    return {"name": name}


def open_event_of(hall: Hall, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Open an event that is there."""
    hall.open(folder_of(body), login)
    return {"home": DESK}


def folder_of(body: dict[str, Any]) -> Path:
    """The folder that a decision names."""
    text = str(body.get("folder", "")).strip()
    if not text:
        raise stop("say which folder", "folder")
    return Path(text).expanduser()


def roster_of(body: dict[str, Any]) -> Roster:
    """The roster that came: a file, or what was pasted or typed."""
    text, file, name = (body.get(key, "") for key in ("text", "file", "file_name"))
    if not all(isinstance(each, str) for each in (text, file, name)):
        raise stop("expected texts", "roster")
    if not file:
        return read_roster_text(text, LIST)
    try:
        return read_roster_bytes(base64.b64decode(file, validate=True), Path(name).name or LIST)
    except binascii.Error as error:
        raise stop("the file did not come whole; choose it again", name) from error


def look_through(hall: Hall, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Read a roster without making anything of it: its players, what is worth a note, and all its faults."""
    try:
        players, notes = roster_of(body)
    except Stopped as stopped:
        return {"players": [], "faults": told(stopped.problems), "notes": []}
    return {"players": [player.name for player in players], "faults": [], "notes": told(notes)}


def told(problems: Any) -> list[str]:
    """Problems in lines, each with where it is."""
    return [f"{problem.where}: {problem.text}" for problem in problems]


def make(hall: Hall, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Make an event and open it."""
    wanted = wanted_event(body)
    folder = folder_of(body)
    with TemporaryDirectory() as begun:
        if answers := body.get("answers"):
            wanted = replace(wanted, tournament=str(own_rules(Path(begun), wanted.name or folder.name, answers)))
        made = make_event(folder, wanted, roster_of(body), now)
    hall.open(folder, login)
    return {"home": DESK, "notes": told(made.notes)}


def wanted_event(body: dict[str, Any]) -> WantedEvent:
    """What the page says of a new event."""
    said = {key: str(body.get(key, "")).strip() for key in ("tournament", "name", "code", "paper", "language")}
    return WantedEvent(**said | {"code": said["code"].upper(), "paper": said["paper"] or "A4"})


def own_rules(folder: Path, name: str, answers: object) -> Path:
    """Write rules of one's own by the answers, as 'rules --new' does; the event takes a copy of them."""
    asked = asked_for()
    if not isinstance(answers, dict):
        raise stop("expected an answer to each question", "answers")
    given = {question.key: str(answers.get(question.key, "")).strip() for question in asked}
    path = folder / OWN_RULES
    keep_file(path, rules_text(RulesAnswers(name=name, **given), asked).encode())
    return path
