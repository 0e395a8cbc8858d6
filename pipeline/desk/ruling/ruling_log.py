"""Everything that was decided, read back from the facts and sorted by turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.rulings import RowDecision, RowRuling, RulingsOf, SheetRuling, TypedLines
from pipeline.desk.sheets.old_seats import OldSeats
from pipeline.ledger.events import Decision, DecisionUndone, LedgerEvent, LinesTyped, RowRuled, SheetRuled
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import NOTHING_LEFT
from pipeline.ledger.undone import undone_in


def all_rulings(event: Event) -> dict[Turn, RulingsOf]:
    """Gather all decisions by turn; what was undone is left out, and what was on seats that were drawn anew since."""
    seats = OldSeats.of(event)
    return gather(tuple(fact for fact in event.facts.told(Decision, DecisionUndone) if seats.counts(fact)))


def gather(facts: Sequence[Fact[LedgerEvent]]) -> dict[Turn, RulingsOf]:
    """Sort decisions by turn; what was undone is left out."""
    undone = undone_in(facts)
    found = Gathered(undone)
    for fact in facts:
        found.take(fact)
    return found.by_turn()


@dataclass(frozen=True, slots=True)
class Gathered:
    """Decisions while they are sorted."""

    undone: Mapping[int, int]  # by the fact that took it back
    rows: dict[Turn, list[RowRuling]] = field(default_factory=dict)
    sheets: dict[Turn, SheetRuling] = field(default_factory=dict)
    typed: dict[Turn, TypedLines] = field(default_factory=dict)
    unsigned: dict[Turn, SheetRuling] = field(default_factory=dict)
    choices: dict[Turn, tuple[SheetRuling, ...]] = field(default_factory=dict)
    ever_typed: dict[Turn, list[Fact[LinesTyped]]] = field(default_factory=dict)

    def take(self, fact: Fact[LedgerEvent]) -> None:
        """Take the next one."""
        if not isinstance(fact.said, Decision):
            return
        turn, counts = Turn.of(fact.said), fact.number not in self.undone
        if lines := fact.of(LinesTyped):
            self.take_lines(turn, lines, counts=counts)
        elif not counts:
            return
        elif row := fact.of(RowRuled):
            self.rows.setdefault(turn, []).append(read_row_ruling(row))
        elif sheet := fact.of(SheetRuled):
            self.take_sheet(turn, sheet)

    def take_lines(self, turn: Turn, fact: Fact[LinesTyped], *, counts: bool) -> None:
        """Take lines that were typed."""
        self.ever_typed.setdefault(turn, []).append(fact)
        if counts:
            self.typed[turn] = TypedLines(fact, fact.said.lines)
            self.choices[turn] = ()

    def take_sheet(self, turn: Turn, fact: Fact[SheetRuled]) -> None:
        """Take a ruling on a sheet."""
        lost = lines_lost(fact, self.ever_typed.get(turn, ()), self.undone)
        ruling = self.sheets[turn] = read_sheet_ruling(fact, lost)
        goes_on = ruling.decision.may_leave_a_choice
        self.choices[turn] = (ruling, *self.choices.get(turn, ())) if goes_on else ()
        if ruling.decision.settles_unsigned:
            self.unsigned[turn] = ruling

    def by_turn(self) -> dict[Turn, RulingsOf]:
        """All of them."""
        return {
            turn: RulingsOf(
                rows=tuple(self.rows.get(turn, ())),
                sheet=self.sheets.get(turn),
                typed=self.typed.get(turn),
                choices=self.choices.get(turn, ()),
                unsigned=self.unsigned.get(turn),
            )
            for turn in dict.fromkeys([*self.rows, *self.sheets, *self.typed])
        }


def lines_lost(
    ruling: Fact[SheetRuled], typed: Sequence[Fact[LinesTyped]], undone: Mapping[int, int]
) -> TypedLines | None:
    """The lines that stood when a sheet was ruled on, where they were taken back since.

    ``typed`` are all that were typed before it, ``undone`` says with which fact a fact was taken back.
    """
    if not ruling.said.decision.depends_on_lines:
        return None
    stood = [fact for fact in typed if undone.get(fact.number, ruling.number) >= ruling.number]
    return TypedLines(stood[-1], stood[-1].said.lines) if stood and stood[-1].number in undone else None


def read_sheet_ruling(fact: Fact[SheetRuled], lost: TypedLines | None) -> SheetRuling:
    """Read a ruling on a sheet back."""
    said = fact.said
    asked = said.asked.situation if said.asked else None
    return SheetRuling(fact, said.decision, said.serial, said.why, asked, lost)


def read_row_ruling(fact: Fact[RowRuled]) -> RowRuling:
    """Read a ruling back."""
    said = fact.said
    decision = RowDecision(
        order=said.order,
        text=said.text,
        why=said.why,
        without=said.without,
        left=said.left or NOTHING_LEFT,
    )
    return RowRuling(fact, said.line, decision, said.on)
