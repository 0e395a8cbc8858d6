"""``ordersheets sheets``: print what the players need next."""

import json
from pathlib import Path

import click

from pipeline.board.position import Phase, Step
from pipeline.cli.common import on_event, opened, print_problems
from pipeline.desk.sheets.printing import PrintWish, print_wish, printed_again
from pipeline.ledger.files.disk import keep_file
from pipeline.paper.sheet.field_rows import Design
from pipeline.problems import stop

KINDS = tuple(step.name.lower() for step in Step)


@click.command("sheets")
@on_event
@click.option("--round", "round_number", type=int, help="Needed where no board is named.")
@click.option("--board", help="One board only, in full such as 2.5, or alone.  [default: all boards of the round]")
@click.option("--phase", help="Another phase than the one each board is in, such as F1901M.")
@click.option("--spare", type=click.IntRange(0, 20), default=0, help="So many further sheets for each power.")
@click.option(
    "--design",
    type=click.Choice([str(design) for design in Design]),
    help="A free line a row; boxes to tick and for places; or printed units and a box for each thing that they can do."
    "  [default: targets for the phase that is open; line for pads, for a phase to come and with --beginners]",
)
@click.option("--units", is_flag=True, help="Print the units in front of their rows of boxes.")
@click.option("--pads", type=click.IntRange(0, 20), default=0, help="Pads for so many seasons: the player ticks which.")
@click.option(
    "--only", "kinds", multiple=True, type=click.Choice(KINDS), help="Pads of this kind only.  [default: all]"
)
@click.option("--reprint", type=int, metavar="FACT", help="An earlier print-out once more, with the same ids.")
@click.option("--beginners", is_flag=True, help="With examples of every form of order, on fewer rows.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
@click.option(
    "--layout", "layout_file", type=click.Path(path_type=Path), help="Also write where everything is, as JSON."
)
def command(  # one parameter an option
    event: Path,
    round_number: int | None,
    board: str | None,
    phase: str | None,
    spare: int,
    design: str | None,
    units: bool,
    pads: int,
    kinds: tuple[str, ...],
    reprint: int | None,
    beginners: bool,
    output: Path,
    layout_file: Path | None,
) -> None:
    """Print the order sheets of a round; every sheet has an id of its own.

    With --pads one print-out serves the whole round: for each power so many pads for movement, half as many for
    retreats and half as many for adjustments.
    """
    if reprint is not None:
        with opened(event) as the_event:
            keep_file(output, printed_again(the_event, reprint))
        click.echo(f"{output}: the sheets of fact {reprint} once more")
        return
    try:
        when = Phase.read(phase) if phase else None
    except ValueError as error:
        raise stop(str(error), "--phase") from error
    wish = PrintWish(
        phase=when,
        spare=spare,
        pads=pads,
        kinds=tuple(step for step in Step if step.name.lower() in kinds),
        design=Design(design) if design else None,
        for_beginners=beginners,
        units_printed=units,
    )
    with opened(event, leaves_status=True) as the_event:
        printed = print_wish(the_event, round_number, board, wish)
    print_problems(printed.notes)
    keep_file(output, printed.pdf)
    if layout_file:
        keep_file(layout_file, json.dumps(printed.layout.as_json(), indent=1).encode())
    click.echo(f"{output}: {len(printed.layout.pages)} {'pads' if pads else 'sheets'}")
