"""Open the office and serve its pages: on this machine only, or with ``--lan`` in the room."""

import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from pipeline.desk.event.clock import now
from pipeline.desk.event.event import open_event
from pipeline.desk.event.reader import best_recogniser
from pipeline.desk.review.live import LiveDesk
from pipeline.ledger.claims import Claims, Login
from pipeline.problems import ExitCode, stop
from pipeline.reading.rows.recogniser import Recogniser
from pipeline.web import clock as clock_pages
from pipeline.web import day, day_draw, forms, notes, pictures, prints, review, seats_page, systems, tables, upload
from pipeline.web.app import HOME, Pages, make_app
from pipeline.web.auth import Door, Role, Seat
from pipeline.web.effects import Effects
from pipeline.web.office import Office
from pipeline.web.patience import Patient

BACKLOG = 64
CLOSING_S = 5.0  # a page that is being read is read again at the next start
LOCAL, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # the latter only with --lan
PLACES = (review, pictures, clock_pages, tables, notes, forms, systems, day_draw, prints, seats_page)


@dataclass(frozen=True, slots=True)
class Opened:
    """An office that is open, with its door and its pages."""

    office: Office
    door: Door
    app: Starlette


@dataclass(frozen=True, slots=True)
class FromHall:
    """The door that an event is opened behind, and who has opened it."""

    door: Door
    home: str  # where a director begins
    login: Login | None = None

    def move_in(self, claims: Claims, on_wrong: Callable[[str], None]) -> None:
        """Who is let in is kept beside the event from now on; who opened it is in already."""
        if self.login is not None:
            claims.let_in(self.login)
        self.door.claims, self.door.on_wrong = claims, on_wrong


def all_routes(pages: Pages, reading: upload.Reading) -> list[Route]:
    """Every page."""
    both = (*upload.routes(pages, reading), *day.routes(pages, reading))
    return [*both, *(route for place in PLACES for route in place.routes(pages))]


@contextmanager
def open_office(
    folder: Path,
    seats: tuple[Seat, ...],
    *,
    is_lan: bool = False,
    clock: Callable[[], float] = time.time,
    engine: Callable[[], Recogniser] = best_recogniser,
    on_wrong: Callable[[str], None] = lambda _: None,
    hall: FromHall | None = None,
) -> Iterator[Opened]:
    """Open an event for browsers, and close it behind them."""
    with open_event(folder, now) as event:
        claims = Claims(folder / "claims.db")
        try:
            office = Office(event, LiveDesk(event), claims, clock)
            if hall is None:
                hall = FromHall(Door(claims, seats, secrets.token_urlsafe(24), clock, is_lan), home=HOME[Role.DIRECTOR])
            hall.move_in(claims, told_of(office, on_wrong))
            reading = upload.Reading(folder, engine)
            thread = reading.start()
            effects = Effects(office)
            effects.start()
            pages = make_app(office, hall.door, lambda pages: all_routes(pages, reading), hall.home)
            try:
                yield Opened(office, hall.door, pages)
            finally:
                effects.stop()
                reading.wake.put(False)
                thread.join(CLOSING_S)
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


def serve(app: ASGIApp, ear: socket.socket) -> None:
    """Serve an ASGI application until Ctrl-C."""
    config = uvicorn.Config(app, http=Patient, log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[ear])


def addresses(port: int, *, is_lan: bool) -> list[str]:
    """Where the pages are, for people to type."""
    hosts = [LOCAL]
    if is_lan:
        hosts += sorted({str(found[4][0]) for found in lan_addresses()} - {LOCAL})
    return [f"http://{host}:{port}/" for host in hosts]


def lan_addresses() -> list[tuple[int, int, int, str, tuple[str, int]]]:
    """The addresses of this machine in the room; none where its own name is not known."""
    try:
        return socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)  # type: ignore[return-value]
    except OSError:
        return []
