"""What several commands share: the event they work on, who works, and how answers are printed."""

import getpass
import json
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from msgspec import Struct

from pipeline.desk.backups import back_up_if_due, warn_of_newer_copies
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import late_otherwise
from pipeline.desk.event.note_values import phase_code
from pipeline.desk.event.people import Turn
from pipeline.desk.event.settings import note_if_changed
from pipeline.ledger.files import keep_name, kept_name, now
from pipeline.logs import logging_into
from pipeline.problems import Problem, stop

if TYPE_CHECKING:
    from pipeline.web.certificate import Certificate
    from pipeline.web.logins import Guest, Logins
    from pipeline.web.network import PageAddresses
    from pipeline.web.server import Alerts


DIRECTOR = "the director"
SHARED_ACCOUNTS = ("root", "admin", "administrator", "user", "pi")  # accounts that several people share

FORESEEN = (click.ClickException, click.exceptions.Exit, click.Abort)  # what ends a command and is told in words

Command = TypeVar("Command", bound=Callable[..., Any])


def with_phase_option(words: str, *, required: bool = False) -> Callable[[Command], Command]:
    """``--phase``, in code or in words; the command is given its code."""

    def code(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
        return phase_code(value) if value else value

    return click.option("--phase", required=required, callback=code, help=words)


def on_event(command: Command) -> Command:
    """Take the event's folder as the first argument; what fails by a fault of the program leaves its trace there."""
    return click.argument("event", metavar="EVENT", type=click.Path(path_type=Path))(_log_failures(command))


def on_event_if_named(command: Command) -> Command:
    """The same where a folder may be left out."""
    argument = click.argument("event", metavar="[EVENT]", required=False, type=click.Path(path_type=Path))
    return argument(_log_failures(command))


def _log_failures(command: Command) -> Command:
    @wraps(command)
    def run(*, event: Path | None, **options: object) -> object:
        with logging_into(event, FORESEEN) if event and event.is_dir() else nullcontext():
            return command(event=event, **options)

    return cast(Command, run)


def with_json_option(command: Command) -> Command:
    return click.option("--json", "wants_json", is_flag=True, help="Print JSON for scripts.")(command)


def with_by_option(command: Command) -> Command:
    """Take ``--by``: every decision has a name under it."""
    help_text = "Your name, kept with the decision."
    shown = "your name, as you gave it once"
    option = click.option("--by", default=_director_name, show_default=shown, callback=_check_name, help=help_text)
    return option(command)


def _check_name(context: click.Context, option: click.Parameter, name: str) -> str:
    """A name without blanks around it; `Stopped` if nothing is left."""
    if not name.strip():
        raise stop("give your name; it is kept with every decision", "--by")
    return name.strip()


def _director_name() -> str:
    """The default of --by: the name that was asked for once on this machine.

    A script is not asked: it gets the name of its account, or "the director" if several people share the account.
    """
    if name := kept_name():
        return name
    if sys.stdin.isatty() and sys.stderr.isatty():
        name = " ".join(str(click.prompt("Your name, kept with what you decide (asked once)", err=True)).split())
        if name:
            keep_name(name)
        return name
    return account_name()


def account_name() -> str:
    """The name of the account; "the director" for an account that several people share."""
    account = getpass.getuser()
    return DIRECTOR if account.casefold() in SHARED_ACCOUNTS else account


@contextmanager
def open_for_command(folder: Path, *, makes_files: bool = False) -> Iterator[Event]:
    """Open the event of a command, and write down changes that were made in event.toml.

    When the command ends, a copy is made if it wrote anything and a copy is due.
    """
    with open_event(folder, now) as event:
        print_problems(warn_of_newer_copies(event))
        note_if_changed(event)
        try:
            yield event
        finally:
            if event.facts.has_written:
                note_if_changed(event)
            if makes_files or event.facts.has_written:
                keep_copies(event)


def keep_copies(event: Event) -> None:
    """Make a copy of the event if one is due; a failure is reported and stops nothing."""
    print_problems(back_up_if_due(event))


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))


def print_problems(problems: tuple[Problem, ...]) -> None:
    """Print problems that do not stop the work, to standard error."""
    for problem in problems:
        click.echo(f"{problem.where}: {problem.text}", err=True)


def print_published_otherwise(folder: Path, turns: Sequence[Turn]) -> None:
    """Say how to correct published phases in which late orders count otherwise since a decision on another phase."""
    for turn in turns:
        click.echo(f"{turn}: {late_otherwise(folder, turn.board, turn.phase)}")


# Shared by the commands that open pages in browsers: who can reach the pages, and what the terminal prints.


class NetworkOptions(Struct, frozen=True):
    """The options ``--port --lan --tls --address``: who can reach the pages, and how."""

    port: int
    is_lan: bool
    is_tls: bool
    address: str | None

    def check(self) -> "NetworkOptions":
        """Return the options unchanged; `Stopped` where ``--tls`` or ``--address`` is given without ``--lan``."""
        if not self.is_lan and (self.is_tls or self.address):
            where = "--tls" if self.is_tls else "--address"
            raise stop("say --lan as well: without it only this machine opens the pages", where)
        return self

    def addresses(self) -> tuple[str, ...]:
        """The addresses in the room; none where only this machine opens the pages."""
        from pipeline.web.network import network_addresses  # noqa: PLC0415 - help needs no web server

        return network_addresses(self.address) if self.is_lan else ()


def certificate_of(event: Event, addresses: tuple[str, ...]) -> "Certificate":
    """The certificate of an event, which is kept in its folder."""
    from pipeline.web.certificate import certificate_for  # noqa: PLC0415 - not needed without TLS
    from pipeline.web.network import LOCAL  # noqa: PLC0415 - likewise

    return certificate_for(event.folder, event.details.name, (LOCAL, *addresses), datetime.now(UTC))


def make_guests(by: str, is_lan: bool, helpers: tuple[str, ...]) -> "tuple[Guest, ...]":
    """Who is expected at a browser: the director, those who are named, and in the room a phone and a screen."""
    from pipeline.web.logins import Role, new_guest, read_guest, with_phone_and_screen  # noqa: PLC0415 - the terminal needs no web server

    guests = (new_guest(by, Role.DIRECTOR), *(read_guest(text) for text in helpers))
    return with_phone_and_screen(guests) if is_lan else guests


def print_log_in_addresses(
    logins: "Logins",
    listener: socket.socket,
    addresses: tuple[str, ...],
    certificate: "Certificate | None",
    event: Event | None,
) -> str:
    """Print the pages' addresses and everybody's PIN; returns the link that logs the director in."""
    from pipeline.web.network import LOCAL, PageAddresses  # noqa: PLC0415 - the terminal needs no web server

    logins.port = listener.getsockname()[1]
    logins.pages_at = PageAddresses(addresses, certificate.fingerprint if certificate else "")
    page = logins.pages_at.url(LOCAL, logins.port)
    link = f"{page}door?key={logins.key}"
    click.echo(f"your page:  {link}")
    click.echo("  this link works once, on this machine; later, or on another machine, log in with the PIN")
    for guest in logins.guests:
        click.echo(f"  {guest.name} ({guest.role})  PIN {guest.pin}")
    if logins.is_lan:
        _print_network_addresses(logins.pages_at, logins.port, page)
        _print_live_address(logins.pages_at, logins.port, event.details.live_address if event else None)
    click.echo("Ctrl-C ends it; everything that was decided is kept")
    return link


def at_terminal() -> "Alerts":
    """Callbacks that print who was not let in, and which copy or other background work has failed."""
    from pipeline.web.server import Alerts  # noqa: PLC0415 - help needs no web server

    return Alerts(
        wrong=lambda words: click.echo(f"not let in: {words}", err=True),
        trouble=lambda words: click.echo(words, err=True),
    )


def _print_network_addresses(pages_at: "PageAddresses", port: int, page: str) -> None:
    """Print how phones log in, and what others in the network can read."""
    from pipeline.web.network import in_terminal  # noqa: PLC0415 - the terminal needs no web server

    for number, address in enumerate(pages_at.addresses):
        click.echo(f"{'on other networks:' if number else 'in the room:'}  {pages_at.url(address, port)}")
    if len(pages_at.addresses) > 1:
        click.echo("  give --address to show another one first")
    if not pages_at.addresses:
        click.echo("this machine is in no network, so nobody else can reach the pages; join a network, and start again")
    code = pages_at.code(port)
    if code is not None and (sys.stdout.encoding or "").lower().startswith("utf"):
        click.echo(in_terminal(code))
    if pages_at.fingerprint:
        click.echo("browsers warn once, because this certificate is self-signed; its SHA-256 fingerprint is")
        click.echo(
            f"  {pages_at.fingerprint}\n  {page}room shows it, too; if a telephone shows another one, type no PIN there"
        )
    else:
        click.echo("plain HTTP: others on this network can read everything, PINs too; use your own network, or --tls")


def _print_live_address(pages_at: "PageAddresses", port: int, live_address: str | None) -> None:
    """Print the address at which players see their boards.

    ``live_address`` is the address in `event.toml` that sheets are printed with; None: no event is open yet.
    """
    if not pages_at.addresses:
        return
    here = pages_at.url(pages_at.addresses[0], port)
    click.echo(f"for players, without a PIN:  {here}live")
    if live_address == "":
        click.echo(f'  for a code on every sheet write live_address = "{here.rstrip("/")}" into event.toml')
