"""The director's decisions on rows and on sheets, written down before they have any effect."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.people import Turn
from pipeline.desk.sheets.pads import SheetReason
from pipeline.desk.sheets.printed import OldSeats
from pipeline.desk.sheets.sheets_in import SheetIn, sheets_in
from pipeline.interpret.doubts import LineDoubt
from pipeline.ledger.events import (
    ActTakenBack,
    Decision,
    DecisionUndone,
    LedgerEvent,
    LinesTyped,
    OnTurn,
    PageIdentified,
    PageSetAside,
    RowRuled,
    SheetRuled,
)
from pipeline.ledger.files import local_time
from pipeline.ledger.ledger import Fact, undone_in
from pipeline.ledger.parts import NOTHING_LEFT, LeftOpen, Question, RulingBasis, SheetDecision
from pipeline.orders import NotAnOrder, Order, Waive, read_order, units_of, write
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.rulings_book import Situation
from pipeline.words.speech import Message

NOTHING = "nothing"  # as an order: this row gives no order


class RowDecision(Struct, frozen=True, kw_only=True):
    """What the director says of one row: the orders that stand, or what the ink says."""

    order: str | None = None  # canonical, several separated by ";", or "nothing"
    text: str | None = None  # the ink, read by a person; the rules decide what it means
    why: str = ""
    without: tuple[LineDoubt, ...] = ()  # with "nothing" on line 0: what has no order
    left: LeftOpen = NOTHING_LEFT  # with orders: what else on the row is still asked

    def faults(self, line: int) -> list[str]:
        faults_here = []
        parts = self.parts
        if (self.order is None) == (self.text is None):
            faults_here.append("give either the order that stands, or the text that is written")
        if line == 0 and self.order is None:
            faults_here.append(f"line 0 is a unit without a row; give its order, such as 'A VIE H', or '{NOTHING}'")
        if line == 0 and NOTHING in parts and len(parts) > 1:
            faults_here.append(
                f"'{NOTHING}' on line 0 cannot be combined with orders, as it names no unit; rule '{NOTHING}' alone"
            )
        elif line == 0 and NOTHING in parts and not self.without:
            faults_here.append(
                f"no unit without an order waits here for '{NOTHING}'; give its order, or undo its ruling"
            )
        orders: dict[str, set[Order]] = {}  # by the province of the unit
        for part in parts:
            try:
                if part != NOTHING and not isinstance(order := read_order(part), Waive):
                    orders.setdefault(order.unit.province, set()).add(order)
            except NotAnOrder as error:
                faults_here.append(f"{error}; or '{NOTHING}' for no order")
        for unit, given in orders.items():
            if len(given) > 1:
                different = ", ".join(sorted(map(write, given)))
                faults_here.append(
                    f"the unit in {unit} is given different orders ({different}); give the one that stands"
                )
        return faults_here

    @property
    def parts(self) -> tuple[str, ...]:
        """The orders as they are typed, and "nothing"; empty if the text is to be interpreted."""
        return tuple(part.strip() for part in self.order.split(";")) if self.order is not None else ()

    @property
    def orders(self) -> tuple[Order, ...] | None:
        """The orders given; empty for "nothing", None if the text is to be interpreted.

        >>> [str(order.unit) for order in RowDecision(order="A VIE - BOH; A BUD - SER").orders or ()]
        ['A VIE', 'A BUD']
        >>> RowDecision(order="nothing").orders, RowDecision(text="A Vie H").orders
        ((), None)
        """
        if self.order is None:
            return None
        return tuple(read_order(part) for part in self.parts if part != NOTHING)

    def beside(self, others: Iterable[Order]) -> "RowDecision":
        """The decision with the row's other orders added, for units that it gives no order.

        >>> RowDecision(order="A VIE H").beside([read_order("A BUD - SER"), read_order("A VIE - BOH")]).order
        'A BUD - SER; A VIE H'
        """
        if self.orders is None:
            return self
        units = units_of(self.orders)
        stand = dict.fromkeys([*(other for other in others if units_of([other]).isdisjoint(units)), *self.orders])
        return replace(self, order="; ".join(map(write, stand)) or NOTHING)


class RowRuling(Struct, frozen=True):
    """A decision on a row, as a fact."""

    fact: Fact[RowRuled]
    line: int  # the row's number among those of the power; 0 for a unit that has no row
    decision: RowDecision
    on: RulingBasis | None = None  # the sheet and scans it was made on; None if unknown

    @property
    def by(self) -> str:
        return self.fact.by


class SheetRuling(Struct, frozen=True):
    """A decision on a sheet, as a fact."""

    fact: Fact[SheetRuled]
    decision: SheetDecision
    serial: int | None  # the sheet that counts, where one of two was chosen
    why: str
    asked: Situation | None = None  # what was doubtful, where the same may be doubtful on another sheet
    lost: "TypedLines | None" = None  # typed lines that counted when it was made, and were undone since

    @property
    def as_told(self) -> Message:
        """Who ruled what, when and why, to be offered where the same is asked again."""
        sheet = (self.serial,) if self.serial is not None else ()
        why = (self.why,) if self.why else ()
        values = {"by": self.fact.by, "decision": str(self.decision), "at": local_time(self.fact.at)}
        return Message.of(SheetReason.RULING, **values, sheet=sheet, why=why)


class TypedLines(Struct, frozen=True):
    """Lines that the director typed instead of a sheet, as a fact."""

    fact: Fact[LinesTyped]
    lines: tuple[str, ...]

    @property
    def number(self) -> int:
        """The fact that first wrote them: after undo and redo they count as the same lines."""
        return self.fact.said.first or self.fact.number

    @property
    def as_told(self) -> Message:
        return Message.of(SheetReason.LINES, by=self.fact.by, at=local_time(self.fact.at))


class RulingsOf(Struct, frozen=True, kw_only=True):
    """All that was decided about one turn."""

    rows: tuple[RowRuling, ...] = ()
    sheet: SheetRuling | None = None
    typed: TypedLines | None = None  # the newest
    choices: tuple[SheetRuling, ...] = ()  # the newest rulings on sheets that leave a choice standing, newest first
    late: SheetRuling | None = None  # the ruling "late"; a later choice of sheets, or typed lines, does not end it
    unsigned: SheetRuling | None = None  # the ruling that accepts unsigned sheets; later rulings do not change it

    @property
    def give_orders(self) -> bool:
        """Whether there are orders outside the sheets: typed lines, or an order for a unit without a row."""
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

    ``on`` is the sheet and scans that the director saw: the ruling counts as long as these count. Without ``on`` it
    counts for whatever row has the number.
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


# Everything that was decided, read back from the facts and sorted by turn.


def all_rulings(event: Event) -> dict[Turn, RulingsOf]:
    """Gather all decisions by turn; without undone ones and those on seats that were drawn anew since."""
    seats = OldSeats.of(event)
    return gather_rulings(tuple(fact for fact in event.facts.select(Decision, DecisionUndone) if seats.counts(fact)))


def gather_rulings(facts: Sequence[Fact[LedgerEvent]]) -> dict[Turn, RulingsOf]:
    """Sort decisions by turn; what was undone is left out."""
    undone = undone_in(facts)
    gathered = Gathered(undone)
    for fact in facts:
        gathered.take(fact)
    return gathered.by_turn()


class Gathered(Struct, frozen=True):
    """Decisions while they are sorted."""

    undone: Mapping[int, int]  # a fact that was taken back -> the fact that did so
    rows: dict[Turn, list[RowRuling]] = field(default_factory=dict)
    sheets: dict[Turn, SheetRuling] = field(default_factory=dict)
    typed: dict[Turn, TypedLines] = field(default_factory=dict)
    late: dict[Turn, SheetRuling] = field(default_factory=dict)
    unsigned: dict[Turn, SheetRuling] = field(default_factory=dict)
    choices: dict[Turn, tuple[SheetRuling, ...]] = field(default_factory=dict)
    ever_typed: dict[Turn, list[Fact[LinesTyped]]] = field(default_factory=dict)

    def take(self, fact: Fact[LedgerEvent]) -> None:
        if not isinstance(fact.said, Decision):
            return
        turn, counts = Turn.of(fact.said), fact.number not in self.undone
        if lines := fact.of(LinesTyped):
            self.take_lines(turn, lines, counts=counts)
        elif not counts:
            return
        elif row := fact.of(RowRuled):
            self.rows.setdefault(turn, []).append(_read_row_ruling(row))
        elif sheet := fact.of(SheetRuled):
            self.take_sheet(turn, sheet)

    def take_lines(self, turn: Turn, fact: Fact[LinesTyped], *, counts: bool) -> None:
        self.ever_typed.setdefault(turn, []).append(fact)
        if counts:
            self.typed[turn] = TypedLines(fact, fact.said.lines)
            self.choices[turn] = ()

    def take_sheet(self, turn: Turn, fact: Fact[SheetRuled]) -> None:
        lost = _lines_lost(fact, self.ever_typed.get(turn, ()), self.undone)
        said = fact.said
        asked = said.asked.situation if said.asked else None
        ruling = self.sheets[turn] = SheetRuling(fact, said.decision, said.serial, said.why, asked, lost)
        goes_on = ruling.decision.may_leave_a_choice
        self.choices[turn] = (ruling, *self.choices.get(turn, ())) if goes_on else ()
        if ruling.decision.is_late:
            self.late[turn] = ruling
        elif not ruling.decision.leaves_late:
            self.late.pop(turn, None)
        if ruling.decision.settles_unsigned:
            self.unsigned[turn] = ruling

    def by_turn(self) -> dict[Turn, RulingsOf]:
        return {
            turn: RulingsOf(
                rows=tuple(self.rows.get(turn, ())),
                sheet=self.sheets.get(turn),
                typed=self.typed.get(turn),
                choices=self.choices.get(turn, ()),
                late=self.late.get(turn),
                unsigned=self.unsigned.get(turn),
            )
            for turn in dict.fromkeys([*self.rows, *self.sheets, *self.typed])
        }


def _lines_lost(
    ruling: Fact[SheetRuled], typed: Sequence[Fact[LinesTyped]], undone: Mapping[int, int]
) -> TypedLines | None:
    """The typed lines that counted when a sheet was ruled on, if they were undone since.

    ``typed`` are all that were typed before it, ``undone`` says with which fact a fact was taken back.
    """
    if not ruling.said.decision.depends_on_lines:
        return None
    stood = [fact for fact in typed if undone.get(fact.number, ruling.number) >= ruling.number]
    return TypedLines(stood[-1], stood[-1].said.lines) if stood and stood[-1].number in undone else None


def _read_row_ruling(fact: Fact[RowRuled]) -> RowRuling:
    said = fact.said
    decision = RowDecision(
        order=said.order,
        text=said.text,
        why=said.why,
        without=said.without,
        left=said.left or NOTHING_LEFT,
    )
    return RowRuling(fact, said.line, decision, said.on)


# Undo and redo for one person, worked out from the facts alone: they work after a restart and from another browser.


Decided = OnTurn | PageIdentified | PageSetAside


def stacks(log: Iterable[Fact[LedgerEvent]], name: str) -> tuple[list[Fact[Decided]], list[Fact[Decided]]]:
    """What a person has decided and may undo, and what the person undid and may redo; the newest last.

    What somebody else took back is in neither.
    """
    done: dict[int, Fact[Decided]] = {}
    undone: dict[int, Fact[Decided]] = {}
    for fact in log:
        if isinstance(fact.said, DecisionUndone | ActTakenBack):
            if (taken_back := done.pop(fact.said.fact, None)) is not None and fact.by == name:
                undone[taken_back.number] = taken_back
        elif fact.by == name and isinstance(fact.said, OnTurn | PageIdentified | PageSetAside):
            done[fact.number] = cast("Fact[Decided]", fact)
            if undone.pop(_redone_by(fact.said, undone), None) is None:
                undone.clear()
    return list(done.values()), list(undone.values())


def _redone_by(said: Decided, undone: Mapping[int, Fact[Decided]]) -> int:
    """The number of the undone decision that this repeats: of a page it is the one with the same words; 0 if none."""
    if isinstance(said, OnTurn):
        return said.again
    return max((number for number, fact in undone.items() if fact.said == said), default=0)


def undo_decision(event: Event, fact: Fact[OnTurn], by: str) -> Turn:
    """Take a decision back, and say which turn it was about."""
    undo_ruling(event, fact, by)
    return Turn.of(fact.said)


def redo_decision(event: Event, fact: Fact[OnTurn], by: str) -> Turn:
    """Redo an undone decision; stop if something that nobody had seen came in since, or somebody else decided since."""
    turn = Turn.of(fact.said)
    if not isinstance(fact.said, RowRuled) and any(
        sheet.news > fact.number for sheet in sheets_in(event).get(turn, ())
    ):
        raise stop("a sheet came in, or shows other ink, since this was decided; decide anew", str(turn))
    if others := {other.by for other in _decisions_on(event, turn) if other.by != by and other.number > fact.number}:
        raise stop(f"{' and '.join(sorted(others))} decided on this turn since; decide anew", str(turn))
    event.facts.write(replace(fact.said, again=fact.number, first=fact.said.first or fact.number), by)
    return turn


def _decisions_on(event: Event, turn: Turn) -> Iterator[Fact[LedgerEvent]]:
    """Everything that was decided on a turn, and taken back."""
    facts: dict[int, Fact[LedgerEvent]] = {f.number: f for f in event.facts.select(Decision, DecisionUndone)}
    for fact in facts.values():
        about = facts.get(fact.said.fact) if isinstance(fact.said, DecisionUndone) else fact
        if about is not None and isinstance(about.said, Decision) and Turn.of(about.said) == turn:
            yield fact


# Repeated commands: if the same decision is in force and nothing changed since, nothing is written down.
# A command may be killed after its fact was written, or its answer lost; then people repeat it (idempotence).
# An open question is always decided anew: a ruling in force that did not settle it was a different one.


def same_on_row(
    rulings: Iterable[RowRuling], line: int, decision: RowDecision, on: RulingBasis, by: str
) -> Fact[RowRuled] | None:
    """The ruling with the same decision on a row, if it is the newest in force there; else None.

    ``rulings`` are those that count for the turn, by the numbers that its rows have now. For line 0 (no row), the
    newest ruling that orders one of the same units.
    """
    units = units_of(decision.orders or ())
    there = [each for each in rulings if each.line == line and (line or units & units_of(each.decision.orders or ()))]
    if not there or there[-1].by != by or there[-1].on != on:
        return None
    given = [(each.orders, each.text, each.why, each.without, each.left) for each in (there[-1].decision, decision)]
    return there[-1].fact if given[0] == given[1] else None  # however the orders are typed


def nothing_of(rulings: Iterable[RowRuling], why: str, by: str) -> tuple[Fact[RowRuled], ...]:
    """The rulings "no order" on units without a row, by one person for one reason, that are still in force."""
    there = [each for each in rulings if each.line == 0]
    if not there or there[-1].decision.orders != ():
        return ()
    nothing = (each for each in there if each.decision.orders == ())
    return tuple(each.fact for each in nothing if (each.decision.why, each.by) == (why, by))


def same_on_sheet(
    rulings: RulingsOf, sheets: Sequence[SheetIn], decision: SheetDecision, serial: int | None, why: str, by: str
) -> Fact[SheetRuled] | None:
    """An equal earlier ruling on a sheet, if it is in force and nothing came in or was typed since; else None."""
    ruled = rulings.sheet
    if ruled is None or (ruled.decision, ruled.serial, ruled.why, ruled.fact.by) != (decision, serial, why, by):
        return None
    since = [rulings.typed.fact.number if rulings.typed else 0, *(sheet.news for sheet in sheets)]
    return ruled.fact if max(since) < ruled.fact.number else None


def same_lines(rulings: RulingsOf, sheets: Sequence[SheetIn], lines: Sequence[str], by: str) -> Fact[LinesTyped] | None:
    """Equal earlier typed lines, if they are in force and nothing came in or was ruled since; else None."""
    typed = rulings.typed
    if typed is None or (typed.lines, typed.fact.by) != (tuple(lines), by):
        return None
    since = [rulings.sheet.fact.number if rulings.sheet else 0, *(sheet.news for sheet in sheets)]
    return typed.fact if max(since) < typed.fact.number else None


def written_in_words(facts: Sequence[Fact[LedgerEvent]], newest: int) -> str:
    """Say that facts were written, or that they were in force already; ``newest`` was the newest fact before."""
    numbers = " and ".join(str(fact.number) for fact in facts)
    if all(fact.number <= newest for fact in facts):
        return f"it is in force already, as number {numbers} in the journal; nothing new is written down"
    return f"number {numbers} in the journal"
