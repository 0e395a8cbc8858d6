"""The web server: opens an event for browsers, on this machine only or with ``--lan`` in the room."""

import asyncio
import gc
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from pipeline.board import Step
from pipeline.desk.backups import back_up, is_due, warn_of_newer_copies
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.people import Turn
from pipeline.desk.event.settings import FilesWatch, note_if_changed
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.publish.public_record import PublicBook
from pipeline.desk.review.live import LiveDesk, without_effect
from pipeline.desk.review.queue import ReviewItem, claim_name
from pipeline.ledger.claims import Claims, Login, hold_lock
from pipeline.ledger.files import now, steady
from pipeline.logs import logging_into
from pipeline.problems import ExitCode, Stopped, stop
from pipeline.processes import end_processes, return_memory_at_once
from pipeline.reading.recogniser import Recogniser
from pipeline.web import (
    copying,
    correct,
    forms_page,
    journal_page,
    notes_page,
    phones_page,
    practice,
    prints,
    public_site,
    review,
    round_draw,
    round_page,
    screen,
    systems_page,
    tables,
    upload,
)
from pipeline.web.app import HOME, Pages, make_app
from pipeline.web.certificate import Certificate, certificate_for
from pipeline.web.connections import DESK_S, ConnectionLimits, ListeningSocket
from pipeline.web.logins import Guest, Logins, Role, host_of, is_here, with_phone_and_screen
from pipeline.web.network import LOCAL, PageAddresses, network_addresses
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page

# Background copies while the desk is open: made when due; no page waits for them.

EVERY_S = 2.0  # interval of the check for new facts
OFTEN_S = 30.0  # interval of the check without new facts, since copies also become due with time
LONGEST_S = 600.0  # longest time for a copy: the second place may be slow


class Copying:
    """The background task that makes copies."""

    def __init__(self, office: Office, on_trouble: Callable[[str], None]) -> None:
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
        if text and say_on_page(text) != self.office.no_backup:
            self.on_trouble(text)
        self.office.no_backup = say_on_page(text)


# In idle moments: find the rows without effect, whose every meaning leads to the same position.

EFFECTS_QUIET_S = 0.3  # seconds without a key press before this work may run
PAUSE_S = 0.002  # between two adjudications
EFFECTS_EVERY_S = 0.5


class NoEffectFinder:
    """The background task that finds rows without effect on boards whose rows have changed."""

    def __init__(self, office: Office) -> None:
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


def _find_rows_without_effect(office: Office, board: str, wait_for_quiet: Callable[[], None]) -> None:
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
    without = without_effect(game.map, game.position, powers, rules, wait_for_quiet)
    by_power = {power.power: power for power in powers}
    names = {
        claim_name(ReviewItem(Turn(board, game.position.phase, power), by_power[power].rows[number], None))
        for power, number in without
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
    screen.clock_routes,
    tables.routes,
    notes_page.note_routes,
    forms_page.form_routes,
    journal_page.journal_routes,
    correct.routes,
    copying.routes,
    systems_page.system_routes,
    phones_page.phone_routes,
    round_draw.draw_routes,
    prints.routes,
)


class Opened(Struct, frozen=True):
    """An open event: its state, its logins and its pages."""

    office: Office
    logins: Logins
    app: Starlette


class Alerts(Struct, frozen=True):
    """Callbacks for messages to a director who looks at no page."""

    wrong: Callable[[str], None] = lambda _: None  # somebody failed to log in
    trouble: Callable[[str], None] = lambda _: None  # failed copies and other work, and a restored copy


NOBODY = Alerts()


class SessionHandover(Struct, frozen=True):
    """The login state that an event takes over from the start page, and who opened it."""

    logins: Logins
    home: str  # where a director begins
    login: Login | None = None
    pen: practice.FillSheets | None = None  # fills in the sheets of a practice event

    def move_in(self, event: Event, claims: Claims, on_wrong: Callable[[str], None]) -> None:
        """Keep sessions beside the event from now on; the user who opened it stays logged in."""
        self.logins.claims, self.logins.on_wrong = claims, on_wrong
        self.logins.inside.clear()
        if self.login is not None:
            self.logins.let_in(self.login)
        self.logins.live_host = host_of(event.details.live_address)


def _all_routes(
    app: Pages, reading: upload.UploadReader, book: PublicBook, pen: practice.FillSheets | None
) -> list[Route]:
    is_practice = pen is not None and app.office.event.is_practice

    def address(request: Request) -> str:
        return _live_address(app, request)

    app.templates.env.globals["live_address"] = address
    return [
        *(practice.routes(app, reading, pen) if pen is not None and is_practice else ()),
        *upload.routes(app, reading),
        *upload.camera_routes(app),
        *round_page.routes(app, reading, practice.count_written if is_practice else None),
        *(route for routes in PAGE_ROUTES for route in routes(app)),
        *public_site.routes(public_site.PublicSite(book), address, app.office, app.logins),
    ]


@contextmanager
def open_office(
    folder: Path,
    guests: tuple[Guest, ...],
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
        hold_lock(folder / DESK_LOCK, refuse_second),  # behind it: a folder without an event stays as it is
        open_event(folder, now) as watched,
    ):
        claims = Claims(folder / "claims.db")
        try:
            note_if_changed(event)
            FilesWatch(event)
            office = Office(event, LiveDesk(event), claims, clock, on_trouble=alerts.trouble)
            if switcher is None:
                switcher = SessionHandover(
                    Logins(claims, guests, secrets.token_urlsafe(24), clock, is_lan),
                    home=HOME[Role.DIRECTOR],
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
            app = make_app(
                office, switcher.logins, lambda app: _all_routes(app, reading, book, switcher.pen), switcher.home
            )
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


def refuse_second() -> None:
    text = "this event is open in another desk already: go on in its pages, or end it with Ctrl-C first"
    raise stop(text, "desk", ExitCode.MACHINE_LACKS)


def _told_of(office: Office, on_wrong: Callable[[str], None]) -> Callable[[str], None]:
    """The callback that tells the director's page and his terminal of a wrong PIN."""

    def tell(words: str) -> None:
        office.report_failed_login(words)
        on_wrong(words)

    return tell


def listen(port: int, *, is_lan: bool, address: str = "") -> ListeningSocket:
    """Listen at a port (0: any that is free): at ``address``, or else at all addresses (``is_lan``) or only here."""
    host = address or (EVERYWHERE if is_lan else LOCAL)
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


def serve(app: ASGIApp, logins: Logins, listener: ListeningSocket, certificate: Certificate | None = None) -> None:
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
    logins: Logins
    listener: ListeningSocket
    began: PageAddresses  # with these addresses, by --lan
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
        there = network_addresses(address or None)[:1]
        if not there:
            raise stop("this machine is in no network; join one, then switch it on", "network", ExitCode.MACHINE_LACKS)
        name, known = event.details.name, (LOCAL, *there)
        certificate = certificate_for(event.folder, name, known, datetime.now(UTC)) if is_tls else None
        listener = listen(self.logins.port, is_lan=True, address=there[0])
        self.server = server_of(ConnectionLimits(self.app, self.logins, listener), certificate)
        self.serving = threading.Thread(target=_run_server, args=(self.server, listener), name="network", daemon=True)
        self.serving.start()
        self.logins.guests = with_phone_and_screen(self.logins.guests)
        self.logins.is_lan, self.logins.pages_at = (
            True,
            PageAddresses(there, certificate.fingerprint if certificate else ""),
        )

    def switch_off(self) -> None:
        """Let only this machine open the pages."""
        self.logins.is_lan, self.logins.pages_at = False, PageAddresses()
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


def _live_address(app: Pages, request: Request) -> str:
    """Where telephones find the public pages: as the event's file says, or else by what this machine is called."""
    if known := app.office.event.details.live_address:
        return known
    pages_at = app.logins.pages_at
    asked = urlsplit(f"//{request.headers.get('host', '')}")
    if asked.hostname and asked.hostname != "localhost" and not is_here(asked.hostname):
        return f"{'https' if pages_at.is_tls else 'http'}://{asked.netloc}"
    return pages_at.url(pages_at.addresses[0], app.logins.port).rstrip("/") if pages_at.addresses else ""
