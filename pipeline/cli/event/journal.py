"""``ordersheets journal``: everything that was written down about an event, a line each."""

from datetime import datetime
from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json
from pipeline.journal.codes import Standing
from pipeline.journal.lines import JournalLine, journal
from pipeline.words import sentence


@click.command("journal")
@on_event
@click.option("--since", default=0, type=click.IntRange(0), help="Only what has a higher number.")
@click.option("--board", default="", help="Only what is about a board, by its full name: 2.5.")
@click.option("--who", default="", help="Only what somebody wrote down.")
@as_json
def command(event: Path, since: int, board: str, who: str, wants_json: bool) -> None:
    """Show the journal: when, who, what, what followed, and what of it 'undo' takes back."""
    with opened(event) as the_event:
        lines = journal(the_event, since=since, board=board, by=who)
        if wants_json:
            print_json([line.as_json() for line in lines])
            return
        for line in lines:
            show(line)


def show(line: JournalLine) -> None:
    """Print one fact, and below it what followed."""
    state = f"  [taken back: number {line.back}]" if line.back else "  [undo]" * (line.standing is Standing.OPEN)
    at = datetime.fromisoformat(line.fact.at).astimezone().strftime("%Y-%m-%d %H:%M")
    click.echo(f"{line.fact.number:>5}  {at}  {line.fact.by:<14}  {sentence(line.what)}{state}")
    if line.why:
        click.echo(f"{'':>9}why: {line.why}")
    for told in line.followed:
        click.echo(f"{'':>9}{sentence(told)}")
