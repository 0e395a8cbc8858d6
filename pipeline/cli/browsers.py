"""What the commands share that open pages for browsers: who reaches them and how, and what the terminal says of it."""

import socket
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from pipeline.desk.event.event import Event
from pipeline.problems import stop

if TYPE_CHECKING:
    from pipeline.web.office.auth import Door, Guest
    from pipeline.web.office.certificate import Certificate
    from pipeline.web.office.network import Room
    from pipeline.web.server.server import Tells


@dataclass(frozen=True, slots=True)
class LanWish:
    """Who is to reach the pages, and how."""

    port: int
    is_lan: bool
    is_tls: bool
    address: str | None

    def checked(self) -> "LanWish":
        """The same, or stop where nobody else comes in whom it would be for."""
        if not self.is_lan and (self.is_tls or self.address):
            where = "--tls" if self.is_tls else "--address"
            raise stop("say --lan as well: without it only this machine opens the pages", where)
        return self

    def addresses(self) -> tuple[str, ...]:
        """The addresses in the room; none where only this machine opens the pages."""
        from pipeline.web.office.network import room_addresses  # noqa: PLC0415 - help needs no web server

        return room_addresses(self.address) if self.is_lan else ()


def certificate_of(event: Event, addresses: tuple[str, ...]) -> "Certificate":
    """The certificate of an event, which is kept in its folder."""
    from pipeline.web.office.certificate import certificate_for  # noqa: PLC0415 - not needed without TLS
    from pipeline.web.office.network import LOCAL  # noqa: PLC0415 - likewise

    return certificate_for(event.folder, event.details.name, (LOCAL, *addresses), datetime.now(UTC))


def seats_for(by: str, is_lan: bool, desks: tuple[str, ...]) -> "tuple[Guest, ...]":
    """Who is expected at a browser: the director, those who are named, and in the room a phone and a screen."""
    from pipeline.web.office.auth import Role, new_seat, read_seat  # noqa: PLC0415 - the terminal needs no web server

    seats = (new_seat(by, Role.DIRECTOR), *(read_seat(text) for text in desks))
    if is_lan:
        seats += tuple(
            new_seat(role, role) for role in (Role.UPLOAD, Role.SCREEN) if role not in {s.role for s in seats}
        )
    return seats


def tell_door(
    door: "Door",
    ear: socket.socket,
    there: tuple[str, ...],
    certificate: "Certificate | None",
    event: Event | None,
) -> str:
    """Say where the pages are, and who comes in with which PIN; gives back the link that opens the director's page."""
    from pipeline.web.office.network import LOCAL, Room  # noqa: PLC0415 - the terminal needs no web server

    door.port = ear.getsockname()[1]
    door.room = Room(there, certificate.fingerprint if certificate else "")
    page = door.room.url(LOCAL, door.port)
    link = f"{page}door?key={door.key}"
    click.echo(f"your page:  {link}")
    click.echo("  the link opens it once, on this machine; after that, or on another one, come in with the PIN")
    for seat in door.seats:
        click.echo(f"  {seat.name} ({seat.role})  PIN {seat.pin}")
    if door.is_lan:
        tell_room(door.room, door.port, page)
        tell_players(door.room, door.port, event.details.live_address if event else None)
    click.echo("Ctrl-C ends it; everything that was decided is kept")
    return link


def at_terminal() -> "Tells":
    """Say at the terminal that somebody was not let in, or that no copy could be made; the event goes on."""
    from pipeline.web.server.server import Tells  # noqa: PLC0415 - help needs no web server

    return Tells(
        wrong=lambda words: click.echo(f"not let in: {words}", err=True),
        trouble=lambda words: click.echo(words, err=True),
    )


def tell_room(room: "Room", port: int, page: str) -> None:
    """Say how telephones come in, and what the network can read."""
    from pipeline.web.office.network import in_terminal  # noqa: PLC0415 - the terminal needs no web server

    for number, address in enumerate(room.addresses):
        click.echo(f"{'on other networks:' if number else 'in the room:'}  {room.url(address, port)}")
    if len(room.addresses) > 1:
        click.echo("  to show another of these first: --address")
    if not room.addresses:
        click.echo("this machine is in no network: nobody else can come in; join one, and start again")
    code = room.code(port)
    if code is not None and (sys.stdout.encoding or "").lower().startswith("utf"):
        click.echo(in_terminal(code))
    if room.fingerprint:
        click.echo("browsers warn once, for nobody but you vouches for this certificate; its SHA-256 fingerprint is")
        click.echo(
            f"  {room.fingerprint}\n  the same stands on {page}room; where a telephone shows another, type no PIN there"
        )
    else:
        click.echo("plain HTTP: whoever is on this network can read along, PINs too; use one of your own, or --tls")


def tell_players(room: "Room", port: int, live_address: str | None) -> None:
    """Say where players see their boards; ``live_address`` is the one that the event's file says, for every sheet.

    None: no event is open yet.
    """
    if not room.addresses:
        return
    here = room.url(room.addresses[0], port)
    click.echo(f"for players, without a PIN:  {here}live")
    if live_address == "":
        click.echo(f'  for a code on every sheet write live_address = "{here.rstrip("/")}" into event.toml')
