"""``ordersheets undo``: take back what some numbers of the journal say."""

import re
from pathlib import Path

import click

from pipeline.cli.common import on_event, opened, signed
from pipeline.desk.event.event import Event
from pipeline.journal.acts import undo_all
from pipeline.journal.codes import Standing
from pipeline.journal.lines import journal
from pipeline.problems import stop

RANGE = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")
PASSED = (Standing.STAYS, Standing.TAKEN_BACK)


@click.command("undo")
@on_event
@click.argument("numbers", metavar="NUMBER...", nargs=-1, required=True)
@signed
@click.option("--why", default="", help="Lifts what a reason may lift; kept with the fact.")
def command(event: Path, numbers: tuple[str, ...], by: str, why: str) -> None:
    """Take back what stands in the journal under each NUMBER; it stays written down, and counts no more.

    Several are taken back together, all of them or none; 12-20 is all in between that can be taken back: paper, pages
    that came in, lots and dice never are. Where something rests on one of them, that is told (exit code 3), and nothing
    is written down.
    """
    with opened(event, makes_files=True, leaves_status=True) as the_event:
        wanted = sorted({each for text in numbers for each in numbers_of(the_event, text)})
        facts = undo_all(the_event, wanted, by=by, why=why)
    written = ", ".join(str(fact.number) for fact in facts)
    if len(wanted) == 1:
        click.echo(f"number {wanted[0]} is taken back, written down as fact {written}")
    else:
        click.echo(f"numbers {', '.join(map(str, wanted))} are taken back, written down as facts {written}")


def numbers_of(event: Event, text: str) -> list[int]:
    """The numbers that are meant: one, or those of a range that can be taken back at all."""
    found = RANGE.fullmatch(text)
    if found is None:
        raise stop("expected a number of the journal, or two of them: 12-20", text)
    first, last = (int(number) for number in (found[1], found[2] or found[1]))
    if found[2] is None:
        return [first]
    lines = journal(event, since=first - 1, before=last + 1)
    wanted = [line.fact.number for line in lines if line.standing not in PASSED]
    for line in lines:
        if line.standing is Standing.STAYS:
            click.echo(f"number {line.fact.number} stays: {line.why_not}", err=True)
    if not wanted:
        raise stop("nothing between these numbers can be taken back", text)
    return wanted
