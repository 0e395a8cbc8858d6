"""The same act said again: where it stands already, and nothing was changed since, nothing is written down.

A command may be killed between its fact and what follows, or its answer be lost, and whoever said it says it again.
What waits is always decided anew: a ruling that stands and does not settle it was not the same.
"""

from collections.abc import Iterable, Sequence

from pipeline.desk.ruling.rulings import RowDecision, RowRuling, RulingsOf
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ledger.events import LedgerEvent, LinesTyped, RowRuled, SheetRuled
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import RulingBasis, SheetDecision
from pipeline.orders.order import units_of


def same_on_row(
    rulings: Iterable[RowRuling], line: int, decision: RowDecision, on: RulingBasis, by: str
) -> Fact[RowRuled] | None:
    """The ruling that says the same of a row, where it is the newest that stands there; None where none does.

    ``rulings`` are those that count for the turn, by the numbers that its rows have now. Where there is no row, 0, the
    newest is asked for that gives one of the same units an order.
    """
    units = units_of(decision.orders or ())
    there = [each for each in rulings if each.line == line and (line or units & units_of(each.decision.orders or ()))]
    if not there or there[-1].by != by or there[-1].on != on:
        return None
    return there[-1].fact if is_same(there[-1].decision, decision) else None


def is_same(stands: RowDecision, said: RowDecision) -> bool:
    """Whether two decisions on a row say the same, however their orders are typed."""
    given = [(each.orders, each.text, each.why, each.without, each.left) for each in (stands, said)]
    return given[0] == given[1]


def nothing_of(rulings: Iterable[RowRuling], why: str, by: str) -> tuple[Fact[RowRuled], ...]:
    """The rulings that units without a row have no order, which somebody made for one reason and nobody ruled since."""
    there = [each for each in rulings if each.line == 0]
    if not there or there[-1].decision.orders != ():
        return ()
    nothing = (each for each in there if each.decision.orders == ())
    return tuple(each.fact for each in nothing if (each.decision.why, each.by) == (why, by))


def same_on_sheet(
    rulings: RulingsOf, sheets: Sequence[SheetIn], decision: SheetDecision, serial: int | None, why: str, by: str
) -> Fact[SheetRuled] | None:
    """The ruling that says the same of a sheet; None where it does not stand, or something came or was typed since."""
    ruled = rulings.sheet
    if ruled is None or (ruled.decision, ruled.serial, ruled.why, ruled.fact.by) != (decision, serial, why, by):
        return None
    since = [rulings.typed.fact.number if rulings.typed else 0, *(sheet.news for sheet in sheets)]
    return ruled.fact if max(since) < ruled.fact.number else None


def same_lines(rulings: RulingsOf, sheets: Sequence[SheetIn], lines: Sequence[str], by: str) -> Fact[LinesTyped] | None:
    """The lines that were typed so; None where they do not stand, or something came or was ruled on a sheet since."""
    typed = rulings.typed
    if typed is None or (typed.lines, typed.fact.by) != (tuple(lines), by):
        return None
    since = [rulings.sheet.fact.number if rulings.sheet else 0, *(sheet.news for sheet in sheets)]
    return typed.fact if max(since) < typed.fact.number else None


def in_words(facts: Sequence[Fact[LedgerEvent]], newest: int) -> str:
    """Say that facts were written down, or that they stand already; ``newest`` was the newest fact before."""
    numbers = " and ".join(str(fact.number) for fact in facts)
    if all(fact.number <= newest for fact in facts):
        return f"it stands already, as fact {numbers}; nothing was written down"
    return f"written down as fact {numbers}"
