"""``ordersheets page``: deal with a page that the reader could not file."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened, signed
from pipeline.ink import part_number
from pipeline.problems import stop


@click.command("page")
@on_event
@click.argument("scan")
@click.argument("page", type=click.IntRange(0))
@click.option("--part", default=0, help="Of several sheets on the page's picture, as 'status' names it.")
@click.option("--is", "sheet", help="It is this sheet: the id printed on it.")
@click.option("--aside", is_flag=True, help="It needs nothing more.")
@signed
@click.option("--why", default="", help="Kept with the fact.")
def command(event: Path, scan: str, page: int, part: int, sheet: str | None, aside: bool, by: str, why: str) -> None:
    """Say which sheet PAGE of SCAN (the beginning of its hash) is, or put it aside; 0 is a file as a whole."""
    if (sheet is None) == (not aside):
        raise stop("give either --is or --aside", f"{scan} page {page}")
    from pipeline.desk.hands.reader import best_recogniser  # noqa: PLC0415 - likewise
    from pipeline.desk.intake.identifying import find_page, identify_page, set_aside  # noqa: PLC0415 - they load the reader

    with opened(event, leaves_status=True) as the_event:
        found = find_page(the_event, scan, part_number(page, part))
        if sheet is not None:
            fact = identify_page(the_event, found, sheet, best_recogniser(), by)
        else:
            fact = set_aside(the_event, found, by, why)
    click.echo(f"written down as fact {fact.number}")
