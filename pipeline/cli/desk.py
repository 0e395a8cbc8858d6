"""``ordersheets desk``, and ``ordersheets`` without words: the whole event in the browser."""

import os
import secrets
import time
import webbrowser
from pathlib import Path

import click

from pipeline.cli.common import account_name
from pipeline.ledger.this_machine import kept_name
from pipeline.problems import ExitCode, Stopped

PORT = 8040  # or any that is free, where it is taken


@click.command("desk")
@click.argument("event", metavar="[EVENT]", required=False, type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), help="[default: 8040, or any that is free]")
@click.option("--lan", is_flag=True, help="Let other machines in this room come in, each with a PIN.")
@click.option("--desk", "desks", multiple=True, metavar="NAME:ROLE", help="Somebody else who comes in, as in review.")
@click.option("--by", help="Who decides.  [default: you, as you were asked once]")
@click.option("--no-browser", is_flag=True, help="Only tell the address.")
def command(
    event: Path | None, port: int | None, lan: bool, desks: tuple[str, ...], by: str | None, no_browser: bool
) -> None:
    """Run the event in the browser: choose one or make one, then a page for each round. Also: ordersheets alone."""
    from pipeline.cli.review import seats_for, tell_seats, tell_wrong  # noqa: PLC0415 - help needs no web server
    from pipeline.web.hall import open_hall  # noqa: PLC0415 - likewise
    from pipeline.web.server import addresses, listen, serve  # noqa: PLC0415 - likewise

    # the name is asked for in the browser: nobody looks at the terminal
    seats = seats_for(by or kept_name() or account_name(), lan, desks)
    key = secrets.token_urlsafe(24)
    with open_hall(seats, key, time.time, is_lan=lan, folder=event, on_wrong=tell_wrong) as hall:
        try:
            ear = listen(PORT if port is None else port, is_lan=lan)
        except Stopped as stopped:
            if port is not None or stopped.code is not ExitCode.MACHINE_LACKS:
                raise
            ear = listen(0, is_lan=lan)  # another event is open at 8040
        where = addresses(ear.getsockname()[1], is_lan=lan)
        link = f"{where[0]}door?key={key}"
        tell_seats(link, seats, where[1:])
        if not no_browser and has_screen():
            webbrowser.open(link)
        serve(hall, ear)


def has_screen() -> bool:
    """Whether a browser would be a window: one in the terminal would hide what stands there."""
    return (
        os.name == "nt"
        or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ))
        or "darwin" in os.uname().sysname.lower()
    )
