"""``ordersheets check``: work everything out again and print any difference."""

from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json
from pipeline.desk.publish.check import check_event
from pipeline.problems import ExitCode


@click.command("check")
@on_event
@as_json
def command(event: Path, wants_json: bool) -> None:
    """Work the event out again from its facts; exit code 1 if anything differs from what was published."""
    with opened(event) as the_event:
        found = list(check_event(the_event))
    if wants_json:
        print_json([{"where": p.where, "text": p.text} for p in found])
    else:
        for problem in found:
            click.echo(f"{problem.where}: {problem.text}")
        differences = "1 difference" if len(found) == 1 else f"{len(found)} differences"
        click.echo(differences if found else "everything follows from the facts")
    raise SystemExit(ExitCode.WITH_FAULTS if found else ExitCode.DONE)
