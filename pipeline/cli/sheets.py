"""``ordersheets sheets``: print what the players need next."""

import json
from pathlib import Path

import click

from pipeline.board.position import Phase
from pipeline.cli.common import on_event, opened
from pipeline.desk.printing import print_round
from pipeline.problems import stop
from pipeline.tournament.field_rows import Design


@click.command("sheets")
@on_event
@click.option("--round", "round_number", type=int, required=True)
@click.option("--board", help="One board only.  [default: all boards of the round]")
@click.option("--phase", help="Another phase than the one each board is in, such as F1901M.")
@click.option("--spare", type=click.IntRange(0, 20), default=0, help="So many further sheets for each power.")
@click.option(
    "--design",
    type=click.Choice([str(design) for design in Design]),
    default=str(Design.LINE),
    show_default=True,
    help="A free line a row, or boxes to tick and boxes for places.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
@click.option(
    "--layout", "layout_file", type=click.Path(path_type=Path), help="Also write where everything is, as JSON."
)
def command(  # one parameter an option
    event: Path,
    round_number: int,
    board: str | None,
    phase: str | None,
    spare: int,
    design: str,
    output: Path,
    layout_file: Path | None,
) -> None:
    """Print the order sheets of a round; every sheet has a serial of its own."""
    try:
        when = Phase.read(phase) if phase else None
    except ValueError as error:
        raise stop(str(error), "--phase") from error
    with opened(event) as the_event:
        printed = print_round(the_event, round_number, board, when, spare, Design(design))
    try:
        output.write_bytes(printed.pdf)
        if layout_file:
            layout_file.write_text(json.dumps(printed.layout.as_json(), indent=1), "utf-8")
    except OSError as error:
        raise stop(f"cannot write: {error.strerror or error}", str(error.filename or output), 4) from error
    click.echo(f"{output}: {len(printed.layout.pages)} sheets")
