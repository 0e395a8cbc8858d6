"""``ordersheets rule``: a decision of the director, scripted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from pipeline.board.map import Power
from pipeline.cli.common import on_event, opened, signed
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, check_plays, find_game
from pipeline.desk.event.turn import Turn
from pipeline.desk.review.meaning import check_decision, take_typed
from pipeline.desk.ruling.desk import Desk, rule_by_number, rule_unasked, rule_without_order
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.desk.ruling.said_again import in_words
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.ledger.events import Decision
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders.notation import write
from pipeline.problems import stop

KEEP = "correct it, or say --anyway if it is meant so"


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
@click.option("--anyway", is_flag=True, help="Write it down though it is not followed as it is typed: it is no slip.")
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
    anyway: bool,
    phase: str | None,
    by: str,
    why: str,
) -> None:
    """Rule on a row (--line with --order or --text), on a sheet (--sheet), or type a power's lines (--type).

    What is typed and is not followed as it is typed (impossible, ambiguous, no order at all) is told with what it
    would do, and written down only with --anyway.
    """
    if sum((line is not None, sheet is not None, bool(typed))) != 1:
        raise stop("give exactly one of --line, --sheet and --type", f"{board} {power}")
    if serial is not None and sheet != SheetDecision.CHOSEN:
        raise stop(
            f"--serial says which sheet is chosen; give it with --sheet '{SheetDecision.CHOSEN}'", f"{board} {power}"
        )
    with opened(event, leaves_status=True) as the_event:
        game = find_game(the_event, board)
        then = at_phase(game, phase) if phase else game
        check_plays(game, Power(power.upper()))
        ruling = CommandRuling(the_event, then, Turn(game.name, then.position.phase, Power(power.upper())), by, why)
        newest = the_event.facts.last_number()
        if line is not None:
            facts = ruling.on_row(line, RowDecision(order=order, text=text, why=why), anyway=anyway)
        elif sheet is not None:
            facts = ruling.on_sheet(SheetDecision(sheet), serial)
        else:
            facts = ruling.type(typed, anyway=anyway)
        told = list(ruling.stands(line))
    click.echo(f"{ruling.turn}: {in_words(facts, newest)}")
    for each in told:
        click.echo(f"  {each}")


@dataclass(frozen=True, slots=True)
class CommandRuling:
    """One decision on the turn of a power."""

    event: Event
    game: Game  # as it was when the turn was written
    turn: Turn
    by: str
    why: str

    def on_row(self, line: int, decision: RowDecision, *, anyway: bool) -> tuple[Fact[Decision], ...]:
        """Rule on a row, or on every unit without a row that waits."""
        if line == 0 and decision.order == NOTHING:
            return rule_without_order(self.event, self.turn, self.why, self.by)
        if not anyway and not decision.faults(line):
            check_decision(Desk.of(self.event), self.game, self.turn, line, decision, KEEP)
        return (rule_by_number(self.event, self.turn, line, decision, self.by),)

    def on_sheet(self, decision: SheetDecision, serial: int | None) -> tuple[Fact[Decision], ...]:
        """Rule on the whole sheet."""
        if decision is SheetDecision.CHOSEN:
            there = [each.serial for each in sheets_in(self.event).get(self.turn, ())]
            check_serial(serial, there, str(self.turn))
        desk = Desk.of(self.event)
        return (rule_unasked(desk, self.game, self.turn, decision, by=self.by, why=self.why, serial=serial),)

    def type(self, lines: Sequence[str], *, anyway: bool) -> tuple[Fact[Decision], ...]:
        """Type the lines of a sheet."""
        sure = [line.strip() for line in lines] if anyway else ()
        return (take_typed(Desk.of(self.event), self.game, self.turn, lines, KEEP, sure=sure, by=self.by),)

    def stands(self, line: int | None) -> Iterator[str]:
        """What stands now: of a row its orders, of all lines together what counts and every row."""
        power = Desk.of(self.event).power(self.game, self.turn.power)
        if line is None:
            yield f"sheet: {power.state}"
            yield from (problem.text for problem in power.problems)
        yield from (row_in_words(row) for row in power.rows if line in (None, row.line))


def row_in_words(row: Row) -> str:
    """A row: its number, what is written, what that gives, and why where it waits or gives nothing."""
    order = write(row.order) if row.order else "no order"
    what = f"{row.ink!r} = {order}" if row.ink else order
    why = f"  {row.reason}" if row.needs_director or not row.order else ""
    return f"{row.line or '-':>3}  {'waits: ' if row.needs_director else ''}{what}{why}"


def check_serial(serial: int | None, there: Sequence[int], where: str) -> None:
    """Stop where the sheet that is chosen is not among those that are in."""
    if serial not in there:
        known = ", ".join(map(str, there)) or "none"
        which = "no --serial says which sheet is chosen" if serial is None else f"sheet {serial} is not in"
        raise stop(f"{which}; in are: {known}", where)
