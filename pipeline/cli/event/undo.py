"""``ordersheets undo``: take back what a number of the journal says."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened, signed
from pipeline.journal.acts import undo


@click.command("undo")
@on_event
@click.argument("number", metavar="NUMBER", type=click.IntRange(1))
@signed
@click.option("--why", default="", help="Lifts what a reason may lift; kept with the fact.")
def command(event: Path, number: int, by: str, why: str) -> None:
    """Take back what stands in the journal under NUMBER; it stays written down, and counts no more.

    Where something rests on it, that is told (exit code 3), and nothing is written down.
    """
    with opened(event, makes_files=True) as the_event:
        fact = undo(the_event, number, by=by, why=why)
    click.echo(f"number {number} is taken back, written down as fact {fact.number}")
