"""What several commands share: the event they work on, who works, and how answers are printed."""

import getpass
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from pipeline.desk.backup.backups import back_up_if_due, older_state
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.settings import note_if_changed
from pipeline.desk.review.status import leave_status
from pipeline.ledger.clock import now
from pipeline.ledger.files.this_machine import keep_name, kept_name
from pipeline.problems import Problem

DIRECTOR = "the director"
NOBODYS = ("root", "admin", "administrator", "user", "pi")  # accounts that several people use, and nobody is called

Command = TypeVar("Command", bound=Callable[..., Any])


def on_event(command: Command) -> Command:
    """Take the event's folder as the first argument."""
    return click.argument("event", metavar="EVENT", type=click.Path(path_type=Path))(command)


def as_json(command: Command) -> Command:
    """Take ``--json``."""
    return click.option("--json", "wants_json", is_flag=True, help="Print JSON for scripts.")(command)


def signed(command: Command) -> Command:
    """Take ``--by``: every decision has a name under it."""
    told = "Who decides; kept with the fact."
    return click.option("--by", default=director_name, show_default="you, as you were asked once", help=told)(command)


def director_name() -> str:
    """Who decides where nobody says it: the name that was asked for once on this machine.

    A script is not asked. It has the name of its account, but for accounts that are nobody's own.
    """
    if name := kept_name():
        return name
    if sys.stdin.isatty() and sys.stderr.isatty():
        name = " ".join(str(click.prompt("Your name, kept with what you decide (asked once)", err=True)).split())
        keep_name(name)
        return name
    return account_name()


def account_name() -> str:
    """The name of the account, but of one that is nobody's own."""
    account = getpass.getuser()
    return DIRECTOR if account.casefold() in NOBODYS else account


@contextmanager
def opened(folder: Path, *, makes_files: bool = False, leaves_status: bool = False) -> Iterator[Event]:
    """Open the event of a command, and note where its file was changed.

    Behind it a copy is made, where it wrote facts down, or files, and one is due; and the status is kept for the next
    command, where it wrote facts down and has worked out most of it already.
    """
    with open_event(folder, now) as event:
        print_problems(older_state(event))
        note_if_changed(event)
        try:
            yield event
        finally:
            if event.facts.has_written:
                note_if_changed(event)
                if leaves_status:
                    leave_status(event)
            if makes_files or event.facts.has_written:
                keep_copies(event)


def keep_copies(event: Event) -> None:
    """Make a copy of the event where one is due; what stands against it is told, and stops nothing."""
    print_problems(back_up_if_due(event))


def print_json(value: object) -> None:
    """Print one JSON value, readable."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))


def print_problems(problems: tuple[Problem, ...]) -> None:
    """Print problems that do not stop the work, to standard error."""
    for problem in problems:
        click.echo(f"{problem.where}: {problem.text}", err=True)
