"""Change a sheet by command or on a page: a row, the whole sheet, or its lines."""

from msgspec import Struct

from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, check_plays
from pipeline.desk.event.people import Turn
from pipeline.desk.review.meaning import follow_decision, take_typed
from pipeline.desk.ruling.desk import Desk, rule_by_number, rule_unasked, rule_without_order
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.ledger.events import Decision
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.problems import stop


class RowChange(Struct, frozen=True, kw_only=True, tag="row"):
    """Another order on a row, or another reading of it; line 0 is a unit without a row."""

    power: Power
    line: int
    order: str | None = None
    text: str | None = None
    anyway: bool = False  # it is meant although the rules do not follow it


class SheetChange(Struct, frozen=True, kw_only=True, tag="sheet"):
    """A decision on a whole sheet."""

    power: Power
    decision: SheetDecision
    serial: int | None = None  # of the sheet that is chosen


class LinesChange(Struct, frozen=True, kw_only=True, tag="lines"):
    """Lines typed instead of a sheet."""

    power: Power
    lines: tuple[str, ...]
    anyway: bool = False


PaperChange = RowChange | SheetChange | LinesChange


def write_change(
    event: Event, game: Game, change: PaperChange, *, by: str, why: str, keep: str
) -> tuple[Fact[Decision], ...]:
    """Write down a change of a sheet; ``game`` is as it was when the sheet was written.

    Text that the rules would not follow stops, with ``keep``: the advice how to confirm it.
    """
    check_plays(game, change.power)
    turn = Turn(game.name, game.position.phase, change.power)
    match change:
        case RowChange():
            return _rule_on_row(event, game, turn, change, by=by, why=why, keep=keep)
        case SheetChange(decision=decision, serial=serial):
            if decision is SheetDecision.CHOSEN:
                _check_serial(event, turn, serial)
            return (rule_unasked(Desk.of(event), game, turn, decision, by=by, why=why, serial=serial),)
        case LinesChange(lines=lines, anyway=anyway):
            sure = [line.strip() for line in lines] if anyway else ()
            return (take_typed(Desk.of(event), game, turn, lines, keep, sure=sure, by=by),)


def _rule_on_row(
    event: Event, game: Game, turn: Turn, change: RowChange, *, by: str, why: str, keep: str
) -> tuple[Fact[Decision], ...]:
    """Rule on a row, or that every unit without a row that waits has no order."""
    decision = RowDecision(order=change.order, text=change.text, why=why)
    if change.line == 0 and decision.order == NOTHING:
        return rule_without_order(event, turn, why, by)
    if not change.anyway and not decision.faults(change.line):
        decision = follow_decision(Desk.of(event), game, turn, change.line, decision, keep)
    return (rule_by_number(event, turn, change.line, decision, by),)


def _check_serial(event: Event, turn: Turn, serial: int | None) -> None:
    """Stop if the chosen sheet is not in."""
    there = [each.serial for each in sheets_in(event).get(turn, ())]
    if serial not in there:
        known = ", ".join(map(str, there)) or "none"
        which = "no --serial says which sheet is chosen" if serial is None else f"sheet {serial} is not in"
        raise stop(f"{which}; sheets that are in: {known}", str(turn))
