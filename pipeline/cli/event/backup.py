"""``ordersheets backup``: a copy of the event, now."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, print_problems
from pipeline.desk.backup.backups import back_up, backup_status
from pipeline.desk.event.event import open_event
from pipeline.desk.event.settings import note_if_changed
from pipeline.ledger.clock import now
from pipeline.problems import ExitCode

LONGEST_S = 600.0  # for a stick that is slow


@click.command("backup")
@on_event
def command(event: Path) -> None:
    """Copy the event beside its folder, and to the second place that event.toml names; exit code 4 where that fails.

    Nobody has to say so: it is done after everything that is published or printed, and every few minutes of rulings.
    """
    with open_event(event, now) as the_event:
        note_if_changed(the_event)  # an edit of the file is in the copy, and so is its line
        problems = back_up(the_event, LONGEST_S)
        found = backup_status(the_event)
    print_problems(problems)
    click.echo(f"{found['place']}/{found['copy']}")
    if found["second"] is not None and found["second"]["at"]:
        click.echo(found["second"]["place"])
    raise SystemExit(ExitCode.MACHINE_LACKS if problems else ExitCode.DONE)
