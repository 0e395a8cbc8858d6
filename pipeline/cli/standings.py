"""``ordersheets standings``: the workbook."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened, print_problems
from pipeline.desk.standings import told_twice, write_standings
from pipeline.problems import stop


@click.command("standings")
@on_event
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The workbook to write.")
@click.option("--running", is_flag=True, help="Count games that go on as they stand.")
@click.option("--sealed/--open", default=None, help="Hide the places until the awards.  [default: as the rules say]")
def command(event: Path, output: Path, running: bool, sealed: bool | None) -> None:
    """Write the standings of all games that are over, with live formulas."""
    with opened(event) as the_event:
        written = write_standings(the_event, running=running, sealed=sealed)
        readings = told_twice(the_event, running=running)
    try:
        output.write_bytes(written.data)
    except OSError as error:
        raise stop(f"cannot write: {error.strerror or error}; close it in the spreadsheet", str(output), 4) from error
    print_problems((*written.problems, *readings))
    click.echo(f"{output}: {len(written.data) // 1024} kB")
