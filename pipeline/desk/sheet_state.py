"""Where a power's sheet is, and what is doubtful about it as a sheet."""

from enum import StrEnum

from pipeline.desk.rulings import RulingsOf, SheetDecision
from pipeline.desk.sheets_in import SheetIn
from pipeline.problems import Problem, Weight


class SheetState(StrEnum):
    """Where a power's sheet is."""

    IN = "in"
    MISSING = "missing"
    TWO = "two sheets"
    TYPED = "typed"
    NO_ORDERS = "no orders"  # a person said that nothing will come
    LATE = "late"
    REFUSED = "refused"


Weighed = tuple[SheetState, tuple[Problem, ...], tuple[SheetIn, ...]]  # the last: the sheets that count


def weigh(sheets: tuple[SheetIn, ...], rulings: RulingsOf, where: str) -> Weighed:
    """Say where a power's sheet is, what a person must still decide about it, and which sheets count."""
    if rulings.typed is not None:
        return SheetState.TYPED, (), ()
    if rulings.sheet is not None:
        return decided(rulings.sheet.decision, rulings.sheet.serial, sheets)
    if not sheets:
        text = "no sheet is in; scan it, type its lines, or rule that there are no orders"
        return SheetState.MISSING, (Problem(Weight.ASKS, text, where),), ()
    written = tuple(s for s in sheets if not s.is_empty) or sheets[:1]
    parts = [s.printed.request.part for s in written]
    if len(set(parts)) < len(parts):
        ids = " and ".join(str(s.printed.request.id) for s in written)
        return SheetState.TWO, (Problem(Weight.ASKS, f"two sheets are in, {ids}; rule which counts", where),), written
    of = written[0].printed.request.parts
    missing = sorted(set(range(1, of + 1)) - {s.printed.request.part for s in sheets})
    problems = tuple(
        Problem(Weight.ASKS, f"sheet {part} of {of} is not in; scan it, or accept the orders as they are", where)
        for part in missing
    )
    return SheetState.IN, problems, written


def decided(decision: SheetDecision, serial: int | None, sheets: tuple[SheetIn, ...]) -> Weighed:
    """Carry out what the director decided about the sheets."""
    chosen = tuple(s for s in sheets if serial in (None, s.serial))
    match decision:
        case SheetDecision.NO_ORDERS:
            return SheetState.NO_ORDERS, (), ()
        case SheetDecision.REFUSED:
            return SheetState.REFUSED, (), ()
        case SheetDecision.LATE:
            return SheetState.LATE, (), chosen
        case _:
            return SheetState.IN, (), chosen
