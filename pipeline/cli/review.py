"""``ordersheets review``: settle what waits for the director."""

import sys
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from pathlib import Path
from shlex import quote
from typing import Any

import click

from pipeline.cli import common
from pipeline.ledger.files import keep_file
from pipeline.problems import ExitCode, stop
from pipeline.small_files import read_named
from pipeline.words.speech import write_count

# ``ordersheets review --xlsx`` and ``--from-xlsx``: settle what waits in a spreadsheet.

A_FILE = click.Path(path_type=Path, dir_okay=False)


def _with_spreadsheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--xlsx`` and ``--from-xlsx``; without them the command runs as usual."""

    @click.option("--xlsx", type=A_FILE, metavar="FILE", help="Write what waits as a spreadsheet, to be filled in.")
    @click.option("--from-xlsx", type=A_FILE, metavar="FILE", help="Read a spreadsheet that was filled in.")
    @click.option(
        "--anyway", is_flag=True, help="With --from-xlsx: confirm all typed text, even if the rules do not follow it."
    )
    @wraps(command)
    def review(xlsx: Path | None, from_xlsx: Path | None, anyway: bool, **rest: Any) -> None:
        if xlsx and from_xlsx:
            raise stop("write a sheet or read one, not both at once", "--xlsx, --from-xlsx")
        if anyway and not from_xlsx:
            raise stop("it confirms what is typed in a spreadsheet; give it with --from-xlsx", "--anyway")
        if xlsx:
            _write_file(rest["event"], rest["board"], xlsx)
        elif from_xlsx:
            _take_file(rest["event"], from_xlsx, rest["by"], anyway=anyway)
        else:
            command(**rest)

    return review


def _write_file(folder: Path, board: str | None, path: Path) -> None:
    """Write the queue; a file with decisions that were not read in yet is never overwritten."""
    from pipeline.desk.review.review_sheet import count_open_lines, write_review_sheet  # noqa: PLC0415 - loaded where it is used

    how = f"When it is filled in: ordersheets review {quote(str(folder))} --from-xlsx {quote(path.name)} --by YOUR-NAME"
    with common.open_for_command(folder) as event:
        if path.exists() and (many := count_open_lines(event, _read_bytes(path), path.name)):
            raise stop(
                f"{write_count(many, 'decision')} in it not read in yet; use --from-xlsx first, or another name",
                str(path),
            )
        data, lines, losses = write_review_sheet(event, board, how)
    keep_file(path, data, "close it, or use another name")
    common.print_problems(losses)
    click.echo(f"{path}: {lines} wait" if lines else f"{path}: nothing waits")


def _take_file(folder: Path, path: Path, by: str, *, anyway: bool) -> None:
    """Read a filled-in spreadsheet: good lines are written down, the others are listed with their cells."""
    from pipeline.desk.review.review_sheet import take_sheet_back  # noqa: PLC0415 - likewise

    with common.open_for_command(folder) as event:
        taken = take_sheet_back(event, _read_bytes(path), path.name, by, anyway=anyway)
    common.print_problems(taken.refused)
    parts = [f"{len(taken.facts)} taken" if taken.facts else "nothing changed"]
    parts += [f"{taken.taken_before} taken before"] if taken.taken_before else []
    parts += [f"{len(taken.refused)} refused"] if taken.refused else []
    click.echo(f"{', '.join(parts)}; {taken.left or 'nothing'} {'wait' if taken.left > 1 else 'waits'} now")
    if taken.refused:
        sys.exit(ExitCode.WITH_FAULTS)


def _read_bytes(path: Path) -> bytes:
    try:
        return read_named(path)
    except OSError as error:
        raise stop(f"cannot read it: {error.strerror or error}", str(path)) from error


ROLES = "Somebody else who may log in: director, assistant, upload or screen; once for each."


@click.command("review")
@common.on_event
@click.option("--board", help="With --xlsx: one board only, in full such as 2.5, or alone.")
@click.option("--port", type=click.IntRange(0, 65535), default=8040, show_default=True, help="0: any that is free.")
@click.option("--lan", is_flag=True, help="Let other machines in this room log in, each with a PIN.")
@click.option("--tls", is_flag=True, help="With --lan: encrypt the pages, with a certificate that is made.")
@click.option("--address", metavar="IP", help="With --lan: the address to show, of several that this machine has.")
@click.option("--desk", "helpers", multiple=True, metavar="NAME:ROLE", help=ROLES)
@common.with_by_option
@_with_spreadsheet_options
def review_command(
    event: Path,
    board: str | None,
    port: int,
    lan: bool,
    tls: bool,
    address: str | None,
    helpers: tuple[str, ...],
    by: str,
) -> None:
    """Go through everything that waits for the director: in the browser, until Ctrl-C, or in a spreadsheet."""
    if board is not None:
        raise stop("the browser shows every board; give it with --xlsx", "--board")
    from pipeline.web.server import listen, open_office, serve  # noqa: PLC0415 - a spreadsheet needs no web server

    network = common.NetworkOptions(port, lan, tls, address).check()
    addresses, guests = network.addresses(), common.make_guests(by, network.is_lan, helpers)
    with (
        closing(listen(network.port, is_lan=network.is_lan)) as listener,
        open_office(event, guests, is_lan=network.is_lan, alerts=common.at_terminal()) as office,
    ):
        certificate = common.certificate_of(office.office.event, addresses) if network.is_tls else None
        common.print_log_in_addresses(office.logins, listener, addresses, certificate, office.office.event)
        serve(office.app, office.logins, listener, certificate)
