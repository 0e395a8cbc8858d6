"""Open the office and serve its pages: on this machine only, or with ``--lan`` in the room."""

import os
import secrets
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from pipeline.desk.event.event import Event, open_event
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.publish.public_book import PublicBook
from pipeline.desk.review.live import LiveDesk
from pipeline.ledger.clock import now, steady
from pipeline.ledger.files.claims import Claims, Login
from pipeline.problems import ExitCode, stop
from pipeline.reading.rows.recogniser import Recogniser
from pipeline.web.day import day, day_draw, forms, journal, notes, prints, room, systems, tables, upload
from pipeline.web.office.app import HOME, Pages, make_app
from pipeline.web.office.auth import Door, Guest, Role, host_of, is_here
from pipeline.web.office.certificate import Certificate
from pipeline.web.office.network import LOCAL
from pipeline.web.office.office import Office
from pipeline.web.office.patience import Patient
from pipeline.web.public import clock as clock_pages
from pipeline.web.public import live
from pipeline.web.review import pictures, review
from pipeline.web.server.copying import Copying
from pipeline.web.server.effects import Effects

BACKLOG = 64
SWITCH_S = 0.001
CLOSING_S = 5.0  # a page that is being read is read again at the next start
EVERYWHERE = "0.0.0.0"  # only with --lan
PLACES = (review, pictures, clock_pages, tables, notes, forms, journal, systems, room, day_draw, prints)


@dataclass(frozen=True, slots=True)
class Opened:
    """An office that is open, with its door and its pages."""

    office: Office
    door: Door
    app: Starlette


@dataclass(frozen=True, slots=True)
class Tells:
    """Who is told, in words, of what the director must know who looks at no page."""

    wrong: Callable[[str], None] = lambda _: None  # that somebody was not let in
    trouble: Callable[[str], None] = lambda _: None  # what stands against copies, and other work beside the pages


NOBODY = Tells()


@dataclass(frozen=True, slots=True)
class FromHall:
    """The door that an event is opened behind, and who has opened it."""

    door: Door
    home: str  # where a director begins
    login: Login | None = None

    def move_in(self, event: Event, claims: Claims, on_wrong: Callable[[str], None]) -> None:
        """Who is let in is kept beside the event from now on; who opened it is in already."""
        if self.login is not None:
            claims.let_in(self.login)
        self.door.claims, self.door.on_wrong = claims, on_wrong
        self.door.live_host = host_of(event.details.live_address)


def all_routes(pages: Pages, reading: upload.UploadReader, book: PublicBook) -> list[Route]:
    """Every page."""
    return [
        *upload.routes(pages, reading),
        *day.routes(pages, reading),
        *(route for place in PLACES for route in place.routes(pages)),
        *live.routes(live.Live(book), lambda request: live_address(pages, request), pages.office.gone),
    ]


@contextmanager
def open_office(
    folder: Path,
    seats: tuple[Guest, ...],
    *,
    is_lan: bool = False,
    clock: Callable[[], float] = steady,
    engine: Callable[[], Recogniser] = best_recogniser,
    tells: Tells = NOBODY,
    hall: FromHall | None = None,
) -> Iterator[Opened]:
    """Open an event for browsers, and close it behind them."""
    claims = Claims(folder / "claims.db")
    try:
        with open_event(folder, now) as event, open_event(folder, now) as watched:
            office = Office(event, LiveDesk(event), claims, clock, on_trouble=tells.trouble)
            if hall is None:
                hall = FromHall(Door(claims, seats, secrets.token_urlsafe(24), clock, is_lan), home=HOME[Role.DIRECTOR])
            hall.move_in(event, claims, told_of(office, tells.wrong))
            reading, effects = upload.UploadReader(folder, engine), Effects(office)
            book = PublicBook(watched)
            reading.wake.put(True)  # what an earlier run left unread is read first
            copiers = Copying(office, tells.trouble)
            works = [
                office.begin("copying", copiers.work, copiers.every_s),
                office.begin("effects", effects.work, effects.every_s),
                office.begin("reading", reading.work, 0.0),
            ]
            pages = make_app(office, hall.door, lambda pages: all_routes(pages, reading, book), hall.home)
            try:
                yield Opened(office, hall.door, pages)
            finally:
                for each in works:
                    each.is_over.set()
                effects.is_over.set()
                reading.wake.put(False)
                for each in works:
                    each.thread.join(CLOSING_S)
    finally:
        claims.close()


def told_of(office: Office, on_wrong: Callable[[str], None]) -> Callable[[str], None]:
    """Tell the director's page of a wrong PIN, and his terminal."""

    def tell(words: str) -> None:
        office.knocked(words)
        on_wrong(words)

    return tell


def listen(port: int, *, is_lan: bool) -> socket.socket:
    """Take a port: the one that is asked for, or with 0 any that is free."""
    host = EVERYWHERE if is_lan else LOCAL
    ear = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would let another program take the port as well
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        ear.bind((host, port))
        ear.listen(BACKLOG)  # now: whoever was told the address may come before the pages are served
    except OSError as error:
        ear.close()
        raise stop(
            f"cannot listen: {error.strerror}; choose another --port", f"{host}:{port}", ExitCode.MACHINE_LACKS
        ) from error
    return ear


def serve(app: ASGIApp, ear: socket.socket, certificate: Certificate | None = None) -> None:
    """Serve an ASGI application until Ctrl-C.

    Whoever waits for Python's lock gets it within a millisecond, not five: most want it only to pass something on.
    """
    sys.setswitchinterval(SWITCH_S)
    server_of(app, certificate).run(sockets=[ear])


def server_of(app: ASGIApp, certificate: Certificate | None = None) -> uvicorn.Server:
    """What serves an ASGI application once it is run."""
    pem = str(certificate.path) if certificate else None
    config = uvicorn.Config(
        app,
        http=Patient,
        log_level="warning",
        access_log=False,
        server_header=False,
        ssl_keyfile=pem,
        ssl_certfile=pem,
    )
    return uvicorn.Server(config)


def live_address(pages: Pages, request: Request) -> str:
    """Where telephones find the public pages: as the event's file says, or else by what this machine is called."""
    if known := pages.office.event.details.live_address:
        return known
    room = pages.door.room
    asked = urlsplit(f"//{request.headers.get('host', '')}")
    if asked.hostname and asked.hostname != "localhost" and not is_here(asked.hostname):
        return f"{'https' if room.is_tls else 'http'}://{asked.netloc}"
    return room.url(room.addresses[0], pages.door.port).rstrip("/") if room.addresses else ""
