"""The director's decisions on rows and on sheets, written down before they have any effect."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.desk.sheets.sheet_reasons import SheetReason
from pipeline.interpret.doubts.doubts import Found
from pipeline.ledger.events import DecisionUndone, LinesTyped, OnTurn, RowRuled, SheetRuled
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import NOTHING_LEFT, LeftOpen, Question, RulingBasis, SheetDecision
from pipeline.orders.notation import NotAnOrder, read, write
from pipeline.orders.order import Order, units_of
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.rulings_book import Situation
from pipeline.words import Told

NOTHING = "nothing"  # as an order: this row gives no order


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDecision:
    """What the director says of one row: the orders that stand, or what the ink says."""

    order: str | None = None  # canonical, several parted by ";", or "nothing"
    text: str | None = None  # the ink, read by a person; the rules decide what it means
    why: str = ""
    without: tuple[Found, ...] = ()  # with "nothing" on line 0: what is known to have no order
    left: LeftOpen = NOTHING_LEFT  # with orders: what else on the row is still asked

    def faults(self, line: int) -> list[str]:
        """Say what is wrong with the decision."""
        found = []
        parts = [part.strip() for part in (self.order or "").split(";")]
        if (self.order is None) == (self.text is None):
            found.append("give either the order that stands, or the text that is written")
        if line == 0 and self.order is None:
            found.append(f"line 0 is a unit without a row; give its order, such as 'A VIE H', or '{NOTHING}'")
        if line == 0 and NOTHING in parts and (len(parts) > 1 or not self.without):
            found.append(f"'{NOTHING}' on line 0 says of no unit that it has no order; rule '{NOTHING}' alone")
        for part in parts if self.order is not None else ():
            try:
                if part != NOTHING:
                    read(part)
            except NotAnOrder as error:
                found.append(f"{error}; or '{NOTHING}' for no order")
        return found

    @property
    def orders(self) -> tuple[Order, ...] | None:
        """The orders that stand; none for "nothing", None where the text is interpreted.

        >>> [str(order.unit) for order in RowDecision(order="A VIE - BOH; A BUD - SER").orders or ()]
        ['A VIE', 'A BUD']
        >>> RowDecision(order="nothing").orders, RowDecision(text="A Vie H").orders
        ((), None)
        """
        if self.order is None:
            return None
        return tuple(read(part.strip()) for part in self.order.split(";") if part.strip() != NOTHING)

    def beside(self, others: Iterable[Order]) -> "RowDecision":
        """The same, with the other orders of its row that stand: those for units that it gives none.

        >>> RowDecision(order="A VIE H").beside([read("A BUD - SER"), read("A VIE - BOH")]).order
        'A BUD - SER; A VIE H'
        """
        if self.orders is None:
            return self
        units = units_of(self.orders)
        stand = dict.fromkeys([*(other for other in others if units_of([other]).isdisjoint(units)), *self.orders])
        return replace(self, order="; ".join(map(write, stand)) or NOTHING)


@dataclass(frozen=True, slots=True)
class RowRuling:
    """A decision on a row, as a fact."""

    fact: Fact[RowRuled]
    line: int  # the row's number among those of the power; 0 for a unit that has no row
    decision: RowDecision
    on: RulingBasis | None = None  # what it was made on; None where that was not said

    @property
    def by(self) -> str:
        """Who ruled."""
        return self.fact.by


@dataclass(frozen=True, slots=True)
class SheetRuling:
    """A decision on a sheet, as a fact."""

    fact: Fact[SheetRuled]
    decision: SheetDecision
    serial: int | None  # the sheet that counts, where one of two was chosen
    why: str
    asked: Situation | None = None  # what was doubtful, where the same may be doubtful on another sheet
    lost: "TypedLines | None" = None  # lines that stood when it was made, and were taken back since

    @property
    def concerns_others(self) -> bool:
        """Whether it changes what is made of other sheets, or what is offered for them."""
        return self.decision.is_late or self.asked is not None

    @property
    def told(self) -> Told:
        """Who ruled what, when and why, to be offered where the same is asked again."""
        sheet = (self.serial,) if self.serial is not None else ()
        why = (self.why,) if self.why else ()
        found = {"by": self.fact.by, "decision": str(self.decision), "at": self.fact.at}
        return Told.of(SheetReason.RULING, **found, sheet=sheet, why=why)


@dataclass(frozen=True, slots=True)
class TypedLines:
    """Lines that the director typed instead of a sheet, as a fact."""

    fact: Fact[LinesTyped]
    lines: tuple[str, ...]

    @property
    def number(self) -> int:
        """The fact with which they were typed first: made again after they were taken back, they are the same."""
        return self.fact.said.first or self.fact.number

    @property
    def told(self) -> Told:
        """Who typed them and when."""
        return Told.of(SheetReason.LINES, by=self.fact.by, at=self.fact.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingsOf:
    """All that was decided about one turn."""

    rows: tuple[RowRuling, ...] = ()
    sheet: SheetRuling | None = None
    typed: TypedLines | None = None  # the newest
    choices: tuple[SheetRuling, ...] = ()  # the newest rulings on sheets that only choose or accept, newest first
    unsigned: SheetRuling | None = None  # that sheets without a signature are accepted, whatever was ruled after it

    @property
    def give_orders(self) -> bool:
        """Whether orders stand here that are on no sheet: typed lines, or an order for a unit without a row."""
        return self.typed is not None or any(row.line == 0 and row.decision.orders for row in self.rows)

    def on(self, line: int) -> RowRuling | None:
        """The ruling on a row of the sheet, the newest."""
        return next((r for r in reversed(self.rows) if r.line == line), None)


def rule_row(
    event: Event,
    turn: Turn,
    line: int,
    decision: RowDecision,
    by: str,
    *,
    on: RulingBasis | None = None,
    asked: Question | None = None,
) -> Fact[RowRuled]:
    """Write down a ruling on a row, or stop with what is wrong with it; ``asked`` says what was doubtful about it.

    ``on`` is what it is made on: it counts while that does. Without it, it counts for whatever has the number.
    """
    return event.facts.write(ruling_of(turn, line, decision, on=on, asked=asked), by)


def ruling_of(
    turn: Turn, line: int, decision: RowDecision, *, on: RulingBasis | None, asked: Question | None
) -> RowRuled:
    """A ruling on a row as it is written down, or stop with what is wrong with it."""
    if faults := decision.faults(line):
        raise Stopped(Problem(Weight.STOPS, text, f"{turn} line {line}") for text in faults)
    return RowRuled(
        board=turn.board,
        phase=turn.phase,
        power=turn.power,
        line=line,
        why=decision.why,
        without=decision.without,
        order=decision.order,
        text=decision.text,
        left=decision.left if decision.left.asked else None,
        asked=asked,
        on=on,
    )


def undo_ruling(event: Event, decision: Fact[OnTurn], by: str, why: str = "") -> Fact[DecisionUndone]:
    """Take a decision back: it stays written down, and no longer counts."""
    return event.facts.write(DecisionUndone(fact=decision.number, why=why), by)


def rule_sheet(
    event: Event,
    turn: Turn,
    decision: SheetDecision,
    *,
    by: str,
    why: str = "",
    serial: int | None = None,
    asked: Question | None = None,
) -> Fact[SheetRuled]:
    """Write down a decision on a sheet; ``asked`` says what was doubtful about it."""
    said = SheetRuled(
        board=turn.board,
        phase=turn.phase,
        power=turn.power,
        decision=decision,
        serial=serial,
        why=why,
        asked=asked,
    )
    return event.facts.write(said, by)


def type_lines(event: Event, turn: Turn, lines: Sequence[str], *, by: str) -> Fact[LinesTyped]:
    """Write down lines that the director types for a power, read aloud or from paper that no scanner saw."""
    said = LinesTyped(board=turn.board, phase=turn.phase, power=turn.power, lines=tuple(lines))
    return event.facts.write(said, by)
