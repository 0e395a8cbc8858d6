"""``ordersheets rulings``: what the director has ruled, to look up or to hang up."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened
from pipeline.desk.ruling.precedents import rulings_book
from pipeline.ledger.events import Decision, DecisionUndone
from pipeline.ledger.files.disk import keep_file
from pipeline.rules.rulings_book import as_html, as_text


@click.command("rulings")
@on_event
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write a page to hang up (HTML).")
def command(event: Path, output: Path | None) -> None:
    """Show the rulings book: every situation that was ruled on, with who and why."""
    with opened(event) as the_event:
        book = rulings_book(the_event.facts.told(Decision, DecisionUndone), with_readings=False)
        title = f"{the_event.details.name}: the director's rulings"
    if output is None:
        click.echo(as_text(book, title))
        return
    keep_file(output, as_html(book, title).encode())
    click.echo(f"{output}: {len(book.rulings)} rulings")
