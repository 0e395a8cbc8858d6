"""``ordersheets rule``: a decision of the director, scripted."""

from collections.abc import Sequence
from pathlib import Path

import click

from pipeline.board.map import Power
from pipeline.cli.common import on_event, opened, signed
from pipeline.desk.desk import rule_by_number
from pipeline.desk.games import at_phase, check_plays, find_game
from pipeline.desk.rulings import RowDecision, SheetDecision, rule_sheet, type_lines
from pipeline.desk.sheets_in import sheets_in
from pipeline.desk.turn import Turn
from pipeline.problems import stop


@click.command("rule")
@on_event
@click.option("--board", required=True)
@click.option("--power", required=True, type=click.Choice([str(power) for power in Power], case_sensitive=False))
@click.option("--line", type=click.IntRange(0), help="The row's printed number; 0 for a unit without a row.")
@click.option("--order", help="What stands there: 'A VIE - BOH', several parted by ';', or 'nothing'.")
@click.option("--text", help="What the ink says; the tournament's rules decide what it means.")
@click.option("--sheet", type=click.Choice([str(d) for d in SheetDecision]), help="A decision on the whole sheet.")
@click.option("--serial", type=int, help="Of the sheets for the same rows, the one that counts.")
@click.option("--type", "typed", multiple=True, help="A line typed instead of a sheet; once for each line.")
@click.option("--phase", help="A phase that is published already, to correct it.  [default: the one being played]")
@signed
@click.option("--why", default="", help="Kept with the ruling.")
def command(
    event: Path,
    board: str,
    power: str,
    line: int | None,
    order: str | None,
    text: str | None,
    sheet: str | None,
    serial: int | None,
    typed: tuple[str, ...],
    phase: str | None,
    by: str,
    why: str,
) -> None:
    """Rule on a row (--line with --order or --text), on a sheet (--sheet), or type a power's lines (--type)."""
    if sum((line is not None, sheet is not None, bool(typed))) != 1:
        raise stop("give exactly one of --line, --sheet and --type", f"{board} {power}")
    if serial is not None and sheet != SheetDecision.CHOSEN:
        raise stop(
            f"--serial says which sheet is chosen; give it with --sheet '{SheetDecision.CHOSEN}'", f"{board} {power}"
        )
    with opened(event) as the_event:
        game = find_game(the_event, board)
        when = at_phase(game, phase).position.phase if phase else game.position.phase
        check_plays(game, Power(power.upper()))
        turn = Turn(game.name, when, Power(power.upper()))
        if line is not None:
            fact = rule_by_number(the_event, turn, line, RowDecision(order=order, text=text, why=why), by)
        elif sheet is not None:
            if sheet == SheetDecision.CHOSEN:
                check_serial(serial, [each.serial for each in sheets_in(the_event).get(turn, ())], str(turn))
            fact = rule_sheet(the_event, turn, SheetDecision(sheet), by=by, why=why, serial=serial)
        else:
            fact = type_lines(the_event, turn, typed, by=by)
    click.echo(f"{turn}: written down as fact {fact.number}")


def check_serial(serial: int | None, there: Sequence[int], where: str) -> None:
    """Stop where the sheet that is chosen is not among those that are in."""
    if serial not in there:
        known = ", ".join(map(str, there)) or "none"
        which = "no --serial says which sheet is chosen" if serial is None else f"sheet {serial} is not in"
        raise stop(f"{which}; in are: {known}", where)
