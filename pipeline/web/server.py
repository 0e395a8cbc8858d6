"""The web server: opens an event for browsers, on this machine only or with ``--lan`` in the room."""

import asyncio
import base64
import gc
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from msgspec import Struct, ValidationError, convert, field, to_builtins
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pipeline.board import Step
from pipeline.desk.backups import back_up, choose_copy, is_due, restore_copy, warn_of_newer_copies
from pipeline.desk.event.event import Details, Event, open_event, read_event_file
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import make_event
from pipeline.desk.event.settings import FilesWatch, change_rules, is_to_be_opened_anew, note_if_changed
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.publish.public_record import PublicBook
from pipeline.desk.review.live import LiveDesk, without_effect
from pipeline.desk.review.other_rules import foresee_rules
from pipeline.desk.review.queue import ReviewItem, claim_name
from pipeline.desk.roster_file import LARGEST, check_roster, read_roster_bytes, read_roster_file, read_roster_text
from pipeline.draw.offers import write_count
from pipeline.draw.roster_list import MEANINGS, ReadRoster, RosterChoices
from pipeline.ledger.claims import Claims, Login, hold_lock
from pipeline.ledger.copies import Copy, tip_in_file
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.facts import FACTS
from pipeline.ledger.files import keep_event, keep_file, keep_name, kept_name, now, recent_events, steady
from pipeline.logs import logging_into
from pipeline.paper.lettering import unprintable_names
from pipeline.paper.sheet import PAPER_SIZES
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.reading.limits import end_processes, return_memory_at_once
from pipeline.reading.recogniser import Recogniser
from pipeline.rules import load
from pipeline.rules.systems import picture_file
from pipeline.rules.table import data_folder, unprintable
from pipeline.web import copying, correct, day, live, pages, prints, review, tables, upload
from pipeline.web import office as offices
from pipeline.web.app import DESK_S, HOME, ConnectionLimits, ListeningSocket, Pages, PagesOf, Refused, make_app
from pipeline.web.certificate import Certificate, certificate_for
from pipeline.web.on_pages import say_on_page
from pipeline.web.shown import ABSENT, Things, Version
from pipeline.words.speech import languages

# Background copies while the desk is open: made when due; no page waits for them.

EVERY_S = 2.0  # interval of the check for new facts
OFTEN_S = 30.0  # interval of the check without new facts, since copies also become due with time
LONGEST_S = 600.0  # longest time for a copy: the second place may be slow


class Copying:
    """The background task that makes copies."""

    def __init__(self, office: offices.Office, on_trouble: Callable[[str], None]) -> None:
        self.office = office
        self.every_s = EVERY_S
        self.on_trouble = on_trouble
        self.seen, self.waited = -1, 0.0

    def work(self) -> None:
        """Check whether the file is still there, for new facts, and whether the time for a copy has come."""
        self.office.event.facts.check_file()
        with self.office.lock:
            number = self.office.event.facts.last_number()
        self.waited += self.every_s
        if number != self.seen or self.waited >= OFTEN_S:
            self.look()
            self.seen, self.waited = number, 0.0

    def look(self) -> None:
        """Make a copy if one is due; a failure is reported once, and again if it changes."""
        event = self.office.event
        try:
            with self.office.lock:
                problems, needs_copy = warn_of_newer_copies(event), is_due(event)
            if not needs_copy and not problems:
                return
            if needs_copy:
                problems += back_up(event, LONGEST_S)
        except Stopped as stopped:
            problems = stopped.problems
        text = "; ".join(f"{each.where}: {each.text}" for each in problems)
        if text and text != self.office.no_backup:
            self.on_trouble(text)
        self.office.no_backup = text


# In idle moments: find the rows without effect, whose every meaning leads to the same position.

EFFECTS_QUIET_S = 0.3  # seconds without a key press before this work may run
PAUSE_S = 0.002  # between two adjudications
EFFECTS_EVERY_S = 0.5


class NoEffectFinder:
    """The background task that finds rows without effect on boards whose rows have changed."""

    def __init__(self, office: offices.Office) -> None:
        self.office = office
        self.every_s = EFFECTS_EVERY_S
        self.is_over = threading.Event()
        self.beat: Callable[[], None] = lambda: None  # a sign of life

    def work(self) -> None:
        """Look at one board after the other."""
        for board in list(self.office.live.games):
            self.wait_for_quiet()
            if self.is_over.is_set():
                return
            _find_rows_without_effect(self.office, board, self.wait_for_quiet)

    def wait_for_quiet(self) -> None:
        """Wait until nobody has pressed a key for a moment."""
        self.beat()
        time.sleep(PAUSE_S)
        while self.office.clock() - self.office.last_seen < EFFECTS_QUIET_S and not self.is_over.wait(
            EFFECTS_QUIET_S / 3
        ):
            self.beat()


def _find_rows_without_effect(office: offices.Office, board: str, wait_for_quiet: Callable[[], None]) -> None:
    """Work out a board's rows without effect, if its rows have changed since."""
    with office.lock:
        as_of = office.live.touched.get(board, 0)
        game = office.live.games.get(board)
        if (
            game is None  # it was drawn anew meanwhile
            or office.unimportant.get(board, (-1, frozenset()))[0] == as_of
            or game.position.phase.step is not Step.MOVEMENT
        ):
            return
        powers = office.live.board(game)
    rules = office.event.tournament.rulebook
    found = without_effect(game.map, game.position, powers, rules, wait_for_quiet)
    by_power = {power.power: power for power in powers}
    names = {
        claim_name(ReviewItem(Turn(board, game.position.phase, power), by_power[power].rows[number], None))
        for power, number in found
    }
    with office.lock:
        office.unimportant[board] = (as_of, frozenset(names))


DESK_LOCK = "desk.lock"  # an empty file in the event's folder
BACKLOG = 1024
SWITCH_S = 0.001
CLEARS_EVERY_S = 30.0
CLOSING_S = 5.0  # longer reading is abandoned and repeated at the next start
ANSWERING_S = 1  # after a signal, for answers that are on their way
ENDS_WITHIN_S = 4.5  # after a signal, whatever is going on
EVERYWHERE = "0.0.0.0"  # only with --lan
PAGE_ROUTES = (
    review.routes,
    review.picture_routes,
    live.clock_routes,
    tables.routes,
    pages.note_routes,
    pages.form_routes,
    pages.journal_routes,
    correct.routes,
    copying.routes,
    pages.system_routes,
    pages.room_routes,
    day.draw_routes,
    prints.routes,
)


class Opened(Struct, frozen=True):
    """An open event: its state, its logins and its pages."""

    office: offices.Office
    logins: offices.Logins
    app: Starlette


class Alerts(Struct, frozen=True):
    """Callbacks for messages to a director who looks at no page."""

    wrong: Callable[[str], None] = lambda _: None  # somebody failed to log in
    trouble: Callable[[str], None] = lambda _: None  # failures of copies and other background work


NOBODY = Alerts()


class SessionHandover(Struct, frozen=True):
    """The login state that an event takes over from the start page, and who opened it."""

    logins: offices.Logins
    home: str  # where a director begins
    login: Login | None = None

    def move_in(self, event: Event, claims: Claims, on_wrong: Callable[[str], None]) -> None:
        """Keep sessions beside the event from now on; the user who opened it stays logged in."""
        self.logins.claims, self.logins.on_wrong = claims, on_wrong
        self.logins.inside.clear()
        if self.login is not None:
            self.logins.let_in(self.login)
        self.logins.live_host = offices.host_of(event.details.live_address)


def _all_routes(app: Pages, reading: upload.UploadReader, book: PublicBook) -> list[Route]:
    return [
        *upload.routes(app, reading),
        *upload.camera_routes(app),
        *day.routes(app, reading),
        *(route for routes in PAGE_ROUTES for route in routes(app)),
        *live.routes(live.Live(book), lambda request: live_address(app, request), app.office, app.logins),
    ]


@contextmanager
def open_office(
    folder: Path,
    guests: tuple[offices.Guest, ...],
    *,
    is_lan: bool = False,
    clock: Callable[[], float] = steady,
    engine: Callable[[], Recogniser] = best_recogniser,
    alerts: Alerts = NOBODY,
    switcher: SessionHandover | None = None,
) -> Iterator[Opened]:
    """Open an event for browsers, and close it behind them."""
    with (
        logging_into(folder),
        open_event(folder, now) as event,
        hold_lock(folder / DESK_LOCK, _refuse_second),  # behind it: a folder without an event stays as it is
        open_event(folder, now) as watched,
    ):
        claims = Claims(folder / "claims.db")
        try:
            note_if_changed(event)
            FilesWatch(event)
            office = offices.Office(event, LiveDesk(event), claims, clock, on_trouble=alerts.trouble)
            if switcher is None:
                switcher = SessionHandover(
                    offices.Logins(claims, guests, secrets.token_urlsafe(24), clock, is_lan),
                    home=HOME[offices.Role.DIRECTOR],
                )
            switcher.move_in(event, claims, _told_of(office, alerts.wrong))
            reading, effects = upload.UploadReader(event, engine), NoEffectFinder(office)
            book = PublicBook(watched)
            reading.wake.put(True)  # what an earlier run left unread is read first
            copiers = Copying(office, alerts.trouble)
            works = [
                office.begin("copying", copiers.work, copiers.every_s),
                begun_effects := office.begin("effects", effects.work, effects.every_s),
                begun_reading := office.begin("reading", reading.work, 0.0),
            ]
            effects.beat, reading.beat = begun_effects.beat, begun_reading.beat
            app = make_app(office, switcher.logins, lambda app: _all_routes(app, reading, book), switcher.home)
            try:
                yield Opened(office, switcher.logins, app)
            finally:
                for each in works:
                    each.is_over.set()
                effects.is_over.set()
                reading.end()
                closes = time.monotonic() + CLOSING_S
                for each in works:
                    each.thread.join(max(0.0, closes - time.monotonic()))
        finally:
            claims.close()


def _refuse_second() -> None:
    text = "this event is open in another desk already: go on in its pages, or end it with Ctrl-C first"
    raise stop(text, "desk", ExitCode.MACHINE_LACKS)


def _told_of(office: offices.Office, on_wrong: Callable[[str], None]) -> Callable[[str], None]:
    """The callback that tells the director's page and his terminal of a wrong PIN."""

    def tell(words: str) -> None:
        office.report_failed_login(words)
        on_wrong(words)

    return tell


def listen(port: int, *, is_lan: bool, address: str = "") -> ListeningSocket:
    """Listen at a port (0: any that is free): at ``address``, or else at all addresses (``is_lan``) or only here."""
    host = address or (EVERYWHERE if is_lan else offices.LOCAL)
    listener = ListeningSocket()
    if os.name == "posix":  # elsewhere it would let another program take the port as well
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)  # at once: browsers may connect before the pages are served
    except OSError as error:
        listener.close()
        advice = "choose another network, or close what else uses it" if address else "choose another --port"
        raise stop(f"cannot listen: {error.strerror}; {advice}", f"{host}:{port}", ExitCode.MACHINE_LACKS) from error
    return listener


def serve(
    app: ASGIApp, logins: offices.Logins, listener: ListeningSocket, certificate: Certificate | None = None
) -> None:
    """Serve an ASGI application until Ctrl-C.

    A system that shuts down (SIGTERM) ends it like Ctrl-C.

    Python's thread switch interval is one millisecond instead of five, for quicker answers.
    """
    sys.setswitchinterval(SWITCH_S)
    return_memory_at_once()
    gc.collect()
    gc.freeze()  # modules stay loaded, so the garbage collector need not look through them
    logins.network = network = NetworkSharing(app, logins, listener, logins.pages_at)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)  # after the server has answered what was asked
    try:
        _run_server(server_of(ConnectionLimits(app, logins, listener), certificate), listener)
    finally:
        network.switch_off()


class NetworkSharing(Struct):
    """The room's network, on or off while the pages are served.

    A desk that was started for this machine alone listens at an address of the network, too; one that was
    started with ``--lan`` has one listener for all, which then closes connections from other machines.
    """

    app: ASGIApp
    logins: offices.Logins
    listener: ListeningSocket
    began: offices.PageAddresses  # with these addresses, by --lan
    server: uvicorn.Server | None = None  # at the second listener
    serving: threading.Thread | None = None

    def switch_on(self, event: Event, address: str, *, is_tls: bool) -> None:
        """Let others in by an address of this machine; by its best where none is named."""
        if self.began.addresses and is_tls is not self.began.is_tls:
            how = "with" if self.began.is_tls else "without"
            raise stop(f"the desk was started {how} --tls; open it anew to change that", "network")
        self.switch_off()
        if self.began.addresses:
            self.listener.is_for_all, self.logins.is_lan, self.logins.pages_at = True, True, self.began
            return
        there = offices.network_addresses(address or None)[:1]
        if not there:
            raise stop("this machine is in no network; join one, then switch it on", "network", ExitCode.MACHINE_LACKS)
        name, known = event.details.name, (offices.LOCAL, *there)
        certificate = certificate_for(event.folder, name, known, datetime.now(UTC)) if is_tls else None
        listener = listen(self.logins.port, is_lan=True, address=there[0])
        self.server = server_of(ConnectionLimits(self.app, self.logins, listener), certificate)
        self.serving = threading.Thread(target=_run_server, args=(self.server, listener), name="network", daemon=True)
        self.serving.start()
        self.logins.guests = offices.with_phone_and_screen(self.logins.guests)
        self.logins.is_lan, self.logins.pages_at = (
            True,
            offices.PageAddresses(there, certificate.fingerprint if certificate else ""),
        )

    def switch_off(self) -> None:
        """Let only this machine open the pages."""
        self.logins.is_lan, self.logins.pages_at = False, offices.PageAddresses()
        if self.began.addresses:
            self.listener.is_for_all = False
            self.listener.hang_up_on_others()
        if self.server is not None and self.serving is not None:
            self.server.should_exit = self.server.force_exit = True
            self.serving.join(CLOSING_S)
            self.server = self.serving = None


def server_of(app: ASGIApp, certificate: Certificate | None = None) -> uvicorn.Server:
    """Configure the server of an ASGI application; proxy headers are ignored, so addresses cannot be forged."""
    pem = str(certificate.path) if certificate else None
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_level="critical",
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=ANSWERING_S,
        timeout_keep_alive=int(DESK_S),  # the listening socket closes others sooner
        ssl_keyfile=pem,
        ssl_certfile=pem,
    )
    return _Server(config)


class _Server(uvicorn.Server):
    """A server that ends soon after a signal, with all helpers."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; what takes longer than some seconds is cut off, as by a loss of power."""
        super().handle_exit(sig, frame)
        end_processes()
        watch = threading.Timer(ENDS_WITHIN_S, os._exit, (ExitCode.DONE,))
        watch.daemon = True
        watch.start()


def _end(sig: int, frame: FrameType | None) -> None:
    """End the program by closing everything behind it, as Ctrl-C does."""
    raise SystemExit(ExitCode.DONE)


def _run_server(server: uvicorn.Server, listener: ListeningSocket) -> None:
    """Run a server on a listening socket until it ends.

    Asyncio's selector loop calls its ``accept`` on every system.
    """

    async def answer() -> None:
        beside = [asyncio.create_task(each) for each in (listener.look_after(), _clear_away())]
        try:
            await server.serve(sockets=[listener])
        finally:
            for each in beside:
                each.cancel()

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(answer())


async def _clear_away() -> None:
    """Collect reference cycles that answers leave behind; by itself Python would wait until they are some 30 MB."""
    while True:
        await asyncio.sleep(CLEARS_EVERY_S)
        gc.collect()


def live_address(app: Pages, request: Request) -> str:
    """Where telephones find the public pages: as the event's file says, or else by what this machine is called."""
    if known := app.office.event.details.live_address:
        return known
    pages_at = app.logins.pages_at
    asked = urlsplit(f"//{request.headers.get('host', '')}")
    if asked.hostname and asked.hostname != "localhost" and not offices.is_here(asked.hostname):
        return f"{'https' if pages_at.is_tls else 'http'}://{asked.netloc}"
    return pages_at.url(pages_at.addresses[0], app.logins.port).rstrip("/") if pages_at.addresses else ""


# The start page: choose or make an event in the browser. An open event uses the same log-ins.

OWN = ("/events", "/api/events", "/leave")  # paths of the start page; all others are the event's
OWN_TABS = ("live", "map", "out", "print")  # pages of an event that are opened in tabs of their own
DESK = "/desk"  # the page overview, where a director begins in an event
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

    logins: offices.Logins
    claims: Claims  # the sessions while no event is open
    is_lan: bool
    alerts: Alerts
    start: Path  # where folders are looked for first
    opened: Opened | None = None
    stack: ExitStack = field(default_factory=ExitStack)  # closes what is open
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def title(self) -> str:
        """The title of the start page."""
        return "ordersheets"

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
            stack = ExitStack()
            here = SessionHandover(self.logins, DESK, replace(login, csrf=offices.new_token()) if login else None)
            office = open_office(folder, self.logins.guests, is_lan=self.is_lan, alerts=self.alerts, switcher=here)
            opened = stack.enter_context(office)
            before, self.stack, self.opened = self.stack, stack, opened
            before.close()
            keep_event(folder)

    def close(self) -> None:
        self.stack.close()

    @contextmanager
    def close_meanwhile(self, login: Login) -> Iterator["OpenNext"]:
        """Close the open event meanwhile, and open it, or another one, again; who asks stays logged in."""
        with self.lock:
            opens = OpenNext(self.opened.office.event.folder if self.opened else None)
            if self.opened is not None:
                self.logins.claims = self.claims
                self.logins.inside.clear()
                self.logins.let_in(login)
                self.close()
                self.opened, self.stack = None, ExitStack()
            try:
                yield opens
            finally:
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
                    held.enter_context(hold_lock(folder / DESK_LOCK, _refuse_second))
                by, replaces = login.name, folder.is_dir()
                done, _, problems = restore_copy(
                    copy, folder, by, now, replaces=replaces, without_damaged=without_damaged
                )
            opens.folder = folder
        kept = [Problem(Weight.NOTES, "what was in the folder is kept here", str(done.kept))] if done.kept else []
        lost = [
            Problem(Weight.NOTES, "this scan is not in the copy; scan it again", scan.came_as) for scan in done.missing
        ]
        return [*kept, *lost, *problems]


@contextmanager
def open_switcher(
    guests: tuple[offices.Guest, ...],
    key: str,
    clock: Callable[[], float],
    *,
    is_lan: bool = False,
    folder: Path | None = None,
    alerts: Alerts = NOBODY,
) -> Iterator["SwitchingApp"]:
    """Open the page of events, with an event or without one, and close all behind it."""
    with TemporaryDirectory() as own:
        claims = Claims(Path(own) / "claims.db")
        logins = offices.Logins(claims, guests, key, clock, is_lan, on_wrong=alerts.wrong, has_start_page=True)
        switcher = EventSwitcher(logins, claims, is_lan, alerts, Path.cwd())
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
        app.page("/events", "events.html", offices.Right.PUBLISH),
        app.get("/api/events", _start_view, offices.Right.PUBLISH, shows=_see_start),
        app.get("/api/events/folders", _list_folders, offices.Right.PUBLISH),
        app.act("/api/events/me", _set_own_name, offices.Right.PUBLISH, _see_name, shows=_see_start),
        app.act("/api/events/open", _open_event_of, offices.Right.PUBLISH, _see_open),
        app.question("/api/events/roster", _look_through, offices.Right.PUBLISH, large),
        app.get("/events/systems/{name}.svg", _show_picture, offices.Right.PUBLISH),
        app.act("/api/events/new", _make_and_open, offices.Right.PUBLISH, _see_open, large),
        app.get("/api/events/rules", _show_rules, offices.Right.PUBLISH, shows=_see_rules),
        app.question("/api/events/rules/look", _foresee_rules, offices.Right.PUBLISH),
        app.act("/api/events/rules", _change_rules, offices.Right.PUBLISH, _see_rules),
        app.get("/api/events/copies", _show_copies, offices.Right.PUBLISH, shows=_see_copies),
        app.act("/api/events/restore", _restore, offices.Right.PUBLISH, _see_copies),
        app.act("/api/events/sample", _make_sample, offices.Right.PUBLISH, _see_open),
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
    said = (f"tournament: {event.details.tournament}", f"language: {event.speech.code}")
    return {f"the rules of {event.folder}": Version(said, str(event.facts.newest(PhasePublished)))}


def _show_rules(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """By which rules the open event goes, and which there are."""
    event = _open_now(switcher)
    return {
        "tournament": event.details.tournament,
        "language": event.details.language,
        "tournaments": [[name, words] for name, words in _rules_of_event(event).items()],
        "languages": languages(),
    }


def _rules_of_event(event: Event) -> dict[str, str]:
    """By what an event may go: the tournaments that are known, and the rules files in its folder."""
    own = sorted(path.name for path in event.folder.glob("*.toml") if path.name != "event.toml")
    known = {each: load.load_tournament(each).name for each in load.tournament_ids()}
    return known | {name: f"{name}, in the event's folder" for name in own}


def _rules_wanted(switcher: EventSwitcher, body: dict[str, Any]) -> dict[str, str]:
    """The tournament and the language that a request asks for."""
    tournament, language = day.text_of(body, "tournament"), day.text_of(body, "language")
    if language and language not in languages():
        raise stop(f"expected one of {', '.join(languages())}", "language")
    known = _rules_of_event(_open_now(switcher))
    if tournament not in known:
        raise stop(f"expected one of {', '.join(known)}", "tournament")
    return {"tournament": tournament, "language": language}


def _foresee_rules(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """What would be judged and scored otherwise."""
    found = foresee_rules(_open_now(switcher), _rules_wanted(switcher, body))
    return {
        "places": [correct.place_view(each) for each in found.places],
        "otherwise": [say_on_page(text) for text in found.otherwise],
    }


def _change_rules(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Let the open event go by other rules: it is closed, and opened anew."""
    folder, wanted = _open_now(switcher).folder, _rules_wanted(switcher, body)
    with switcher.close_meanwhile(login), open_event(folder, now) as event:
        fact = change_rules(event, wanted, login.name)
    return {"home": DESK, "number": fact.number if fact else 0}


def _see_copies(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> Things:
    """What a restoration replaces."""
    folder = _folder_of(asked)
    tip = tip_in_file(folder / FACTS)
    return {f"the event in {folder}": Version((f"{tip.facts} entries",), tip.sum) if tip else ABSENT}


def _show_copies(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The copies of the event that is, or was, in a folder; or those in another place."""
    folder, place = _folder_of(asked), str(asked.get("place", "")).strip()
    return {
        "folder": str(folder),
        "gone": folder.is_dir() and not (folder / FACTS).is_file(),
        "copies": copying.list_copies(folder, day.read_folder(place) if place else None),
    }


def _restore(switcher: EventSwitcher, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Restore a copy, and open the event."""
    folder, place, name = _folder_of(body), day.text_of(body, "place"), day.text_of(body, "copy")
    if not place or not name:
        raise stop("say which copy", "copy")
    copy = choose_copy(folder, day.read_folder(place), name)
    problems = switcher.restore(copy, folder, login, without_damaged=body.get("without_damaged") is True)
    return {"home": DESK, "notes": _problem_lines(problems)}


def _closed_routes(app: PagesOf[EventSwitcher]) -> list[Route]:
    """Where the pages of an event would be, while none is open."""

    async def go(request: Request) -> Response:
        return RedirectResponse(OWN[0], 303)

    async def tell_closed(request: Request) -> Response:
        """A page of an event asks, in a tab that was open before the desk was started again."""
        await app.let_through(request, offices.Right.PUBLISH)
        raise Refused("no event is open: the desk was started again; open the event under 'events'", GONE)

    return [
        Route("/", go),
        Route("/{page}", go),
        *(Route(f"/{part}/{{page:path}}", go) for part in OWN_TABS),
        Route("/api/{what:path}", tell_closed, methods=["GET", "POST"]),
    ]


def _start_view(switcher: EventSwitcher, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The start page's data: the director's name, recent events, and the tournaments to choose from."""
    opened = switcher.opened
    return {
        "name": kept_name(),
        "start": str(switcher.start),
        "languages": languages(),
        "papers": list(PAPER_SIZES),
        "open": str(opened.office.event.folder) if opened else "",
        "recent": [_event_view(folder) for folder in recent_events()],
        "tournaments": [_tournament_view(each) for each in load.tournament_ids()],
        "questions": [to_builtins(question) for question in _asked_for()],
        "systems": [
            {"id": each.id, "name": each.name, "summary": each.summary, "picture": f"{OWN[0]}/systems/{each.id}.svg"}
            for each in load.load_systems().values()
        ],
    }


def _asked_for() -> tuple[load.RulesQuestion, ...]:
    """The questions for own rules, without two: the page asks the event's name before, and folds rare ones away."""
    return tuple(question for question in load.own_questions() if question.key not in ("name", "rare"))


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
    folder = day.read_folder(str(asked.get("folder") or switcher.start))
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
    name = " ".join(day.text_of(body, "name").split())
    if not name:
        raise stop("type your name; it is kept with every decision", "name")
    if fault := unprintable(name):
        raise stop(f"the name holds {fault}", "name")
    if len(name) > pages.LONGEST_NAME:
        raise stop(f"a name has at most {pages.LONGEST_NAME} letters", "name")
    keep_name(name)
    own = next(guest for guest in switcher.logins.guests if guest.role is offices.Role.DIRECTOR)
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
    text = day.text_of(body, "folder")
    if not text:
        raise stop("say which folder", "folder")
    return day.read_folder(text)


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
        "players": [] if stops else [player.name for player in read.players],
        "faults": _problem_lines(stops),
        "asks": any(problem.weight is Weight.ASKS for problem in read.problems),
        "notes": _problem_lines(problem for problem in (*read.problems, *lacking) if problem.weight is Weight.NOTES),
        "meanings": MEANINGS,
        **{key: to_builtins(getattr(read, key)) for key in ROSTER_QUESTIONS},
    }


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
    wanted = Details(name="Sample event", code="", tournament="weaselmoot", map_name="")
    make_event(folder, wanted, read_roster_file(sample / "players.csv"), now)
    switcher.open(folder, login)
    return {"home": DESK}


def _wanted_event(body: dict[str, Any]) -> Details:
    """What the page says of a new event."""
    said = {key: day.text_of(body, key) for key in ("tournament", "name", "code", "paper", "language")}
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
    keep_file(path, load.rules_text(load.NewRulesAnswers(name=name, **given), asked).encode())
    return path
