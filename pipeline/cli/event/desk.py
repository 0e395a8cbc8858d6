"""``ordersheets desk``, and ``ordersheets`` without words: the whole event in the browser."""

import os
import secrets
import socket
import webbrowser
from pathlib import Path

import click

from pipeline.cli.browsers import LanWish, at_terminal, certificate_of, seats_for, tell_door
from pipeline.cli.common import account_name
from pipeline.ledger.clock import steady
from pipeline.ledger.files.this_machine import kept_name
from pipeline.problems import ExitCode, Stopped, stop

PORT = 8040  # or any that is free, where it is taken


@click.command("desk")
@click.argument("event", metavar="[EVENT]", required=False, type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), help="[default: 8040, or any that is free]")
@click.option("--lan", is_flag=True, help="Let other machines in this room come in, each with a PIN.")
@click.option("--tls", is_flag=True, help="With --lan, and an event named: nobody on the network can read along.")
@click.option("--address", metavar="IP", help="With --lan: the address to show, of several that this machine has.")
@click.option("--desk", "desks", multiple=True, metavar="NAME:ROLE", help="Somebody else who comes in, as in review.")
@click.option("--by", help="Who decides.  [default: you, as you were asked once]")
@click.option("--no-browser", is_flag=True, help="Only tell the address.")
def command(
    event: Path | None,
    port: int | None,
    lan: bool,
    tls: bool,
    address: str | None,
    desks: tuple[str, ...],
    by: str | None,
    no_browser: bool,
) -> None:
    """Run the event in the browser: choose one or make one, then a page for each round. Also: ordersheets alone."""
    from pipeline.web.server.hall import open_hall  # noqa: PLC0415 - help needs no web server
    from pipeline.web.server.server import serve  # noqa: PLC0415 - likewise

    wish = LanWish(PORT if port is None else port, lan, tls, address).checked()
    if tls and event is None:
        raise stop("say which event as well: the certificate is kept in its folder", "--tls")
    # the name is asked for in the browser: nobody looks at the terminal
    there, seats = wish.addresses(), seats_for(by or kept_name() or account_name(), lan, desks)
    key = secrets.token_urlsafe(24)
    with open_hall(seats, key, steady, is_lan=lan, folder=event, tells=at_terminal()) as pages:
        opened = pages.hall.opened
        certificate = certificate_of(opened.office.event, there) if tls and opened else None
        ear = listening(wish, may_move=port is None)
        link = tell_door(pages.hall.door, ear, there, certificate, opened.office.event if opened else None)
        if not no_browser and has_screen():
            webbrowser.open(link)
        serve(pages, ear, certificate)


def listening(wish: LanWish, *, may_move: bool) -> socket.socket:
    """Take the port, or any that is free where it is taken and nobody asked for it."""
    from pipeline.web.server.server import listen  # noqa: PLC0415 - help needs no web server

    try:
        return listen(wish.port, is_lan=wish.is_lan)
    except Stopped as stopped:
        if not may_move or stopped.code is not ExitCode.MACHINE_LACKS:
            raise
        return listen(0, is_lan=wish.is_lan)  # another event is open at 8040


def has_screen() -> bool:
    """Whether a browser would be a window: one in the terminal would hide what stands there."""
    return (
        os.name == "nt"
        or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ))
        or "darwin" in os.uname().sysname.lower()
    )
