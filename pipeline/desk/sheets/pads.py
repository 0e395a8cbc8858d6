"""Pads: sheets without a season. The player ticks season and year, and the ticks must name the phase that is open.

There are three kinds, and the kind is printed on the paper: for movement and for retreats season and year are ticked,
for adjustments the year alone. A pad can only be for the phase of its kind that is open when it comes in, or for the
next of its kind. It has a serial, so it is one piece of paper and for one turn only: where it comes in for a second
one, a person is asked.
"""

from bisect import bisect_right
from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from pipeline.board import FIRST_PHASE, Phase, Season, Step
from pipeline.ledger.events import LedgerEvent, OnGame, PhasePublished, PositionSet
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import HEADER_INCOMPLETE, WRONG_SEASON, TickFault, missing_tick
from pipeline.rules.rulings_book import Situation
from pipeline.words.speech import Message, SentenceCode

# Notes and questions on a sheet.


class SheetReason(SentenceCode):
    """One kind of remark on a sheet. The comments name what its sentence mentions."""

    NO_SHEET = "NO_SHEET"
    TWO_SHEETS = "TWO_SHEETS"  # of sheets
    PART_MISSING = "PART_MISSING"  # of part, parts
    UNSIGNED = "UNSIGNED"  # of sheets
    UNSIGNED_BEFORE = "UNSIGNED_BEFORE"  # of by: who accepted all of them
    OUTSIDE = "OUTSIDE"  # of places: where something is written that is in no row
    # pads
    PAD_TWICE = "PAD_TWICE"  # of sheet, before, due: the same paper for another turn
    PAD_UNTICKED = "PAD_UNTICKED"  # of sheet, case, due
    PAD_SEVERAL = "PAD_SEVERAL"  # of sheet, ticked, due
    PAD_OTHER = "PAD_OTHER"  # of sheet, ticked, case, due
    # what came after a decision
    RULING = "RULING"  # of by, decision, sheet, at, why
    LINES = "LINES"  # of by, at: lines that were typed
    CAME_AFTER = "CAME_AFTER"  # of sheets, what
    SCANNED_AGAIN = "SCANNED_AGAIN"  # of sheets, what
    LINES_TAKEN_BACK = "LINES_TAKEN_BACK"  # of by, what
    OTHER_DUE = "OTHER_DUE"  # of what
    OTHER_POSITION = "OTHER_POSITION"  # of what, then, now: what its power had to order, and has to
    PRINTED = "PRINTED"  # of sheet
    CAME_IN = "CAME_IN"  # of sheet
    SEAT_CHANGED = "SEAT_CHANGED"  # of before, now: who left the seat, and who has it
    # what counts, and what does not
    LINES_COUNT = "LINES_COUNT"  # of sheets, by
    LINES_INSTEAD = "LINES_INSTEAD"  # of sheets, lines
    LINES_DO_NOT_COUNT = "LINES_DO_NOT_COUNT"  # of by, at
    LINES_AFTER_FAULT = "LINES_AFTER_FAULT"  # of lines, ruling: that the orders were late, on other paper and so on
    # what may be done
    LOOK = "LOOK"
    RULE_AGAIN = "RULE_AGAIN"
    LINES_OR_SHEET = "LINES_OR_SHEET"
    ACCEPTED_OR_REFUSED = "ACCEPTED_OR_REFUSED"
    ONLY_IF_NOT_COUNTED = "ONLY_IF_NOT_COUNTED"
    IF_TICKS_DIFFER = "IF_TICKS_DIFFER"
    BY_RULE = "BY_RULE"  # of decision, rule: what the tournament makes of it
    OFFERED = "OFFERED"  # of ruling: an earlier one


class OutsidePlace(SentenceCode):
    ABOVE = "ABOVE"  # of on: the sheet, where there are several
    BELOW = "BELOW"  # likewise
    LEFT = "LEFT"  # of row, on
    RIGHT = "RIGHT"  # of row, on


SEASONS = {"spring": Season.SPRING, "fall": Season.FALL}  # the names of the tick boxes
KINDS = {step: Phase.read(text) for step, text in zip(Step, ("S1901M", "S1901R", "W1901A"), strict=True)}


class Ticked(Struct, frozen=True):
    """What is ticked on a pad.

    >>> ticked = Ticked.of(frozenset({"fall", "1902"}), Step.RETREATS)
    >>> ticked.phase, ticked.in_words, ticked.missing
    (Phase(year=1902, season=<Season.FALL: 'F'>, step=<Step.RETREATS: 'R'>), 'Fall 1902', ())
    >>> twice = Ticked.of(frozenset({"spring", "fall", "1902"}), Step.MOVEMENT)
    >>> twice.phase, twice.in_words, Ticked.of(frozenset({"1902"}), Step.MOVEMENT).missing
    (None, 'Spring and Fall, 1902', ('season',))
    """

    seasons: tuple[Season, ...]
    years: tuple[int, ...]
    step: Step

    @classmethod
    def of(cls, ticks: frozenset[str], step: Step) -> "Ticked":
        """Sort the names of the ticked boxes; a pad for adjustments has no boxes for a season: it is always winter."""
        seasons = tuple(season for name, season in SEASONS.items() if name in ticks)
        years = tuple(sorted(int(name) for name in ticks if name.isdigit()))
        return cls((Season.WINTER,) if step is Step.ADJUSTMENTS else seasons, years, step)

    @property
    def phase(self) -> Phase | None:
        """The phase that is named: one season and one year; None where there are more or fewer."""
        if len(self.seasons) != 1 or len(self.years) != 1:
            return None
        return Phase(self.years[0], self.seasons[0], self.step)

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name, ticks in (("season", self.seasons), ("year", self.years)) if not ticks)

    @property
    def in_words(self) -> str:
        """What is ticked, as people say it."""
        seasons = " and ".join(season.name.capitalize() for season in self.seasons)
        years = " and ".join(map(str, self.years))
        if self.phase is not None:
            return f"{seasons} {years}"
        return ", ".join(part for part in (seasons, years) if part) or "nothing"


class PadIn(Struct, frozen=True):
    """A pad as it came in for one turn."""

    sheet: str  # its id
    ticked: Ticked
    due: Phase  # the phase it can be for: the one of its kind that was open, or the next
    before: Phase | None = None  # an earlier phase for which the same paper came in already

    @property
    def is_clean(self) -> bool:
        """Whether it says without doubt that it is for the phase that is due."""
        return self.ticked.phase == self.due and self.before is None

    @property
    def doubt(self) -> Message:
        """What is wrong with it: which phase it names, and which it should."""
        if self.before is not None:
            return Message.of(SheetReason.PAD_TWICE, sheet=self.sheet, before=self.before, due=self.due)
        if self.ticked.missing:
            return Message.of(SheetReason.PAD_UNTICKED, sheet=self.sheet, case=self.case, due=self.due)
        if self.ticked.phase is None:
            return Message.of(SheetReason.PAD_SEVERAL, sheet=self.sheet, ticked=self.ticked, due=self.due)
        return Message.of(SheetReason.PAD_OTHER, sheet=self.sheet, ticked=self.ticked, case=self.case, due=self.due)

    @property
    def case(self) -> Message:
        """What kind of fault its ticks are, the same in every season."""
        if self.ticked.missing:
            return Message.of(TickFault.NONE, of=self.ticked.missing)
        if self.ticked.phase is None:
            return Message.of(TickFault.SEVERAL)
        return Message.of(TickFault.OVER if self.ticked.phase.sort_key < self.due.sort_key else TickFault.TO_COME)

    @property
    def situation(self) -> Situation:
        """What is doubtful about its ticks, under the switch that decides it; the same for all boards and seasons."""
        if self.ticked.missing:
            return Situation(HEADER_INCOMPLETE, "conduct.header_incomplete", missing_tick(self.ticked.missing))
        return Situation(WRONG_SEASON, "conduct.wrong_season", self.case.code)


def due_phase(opened: Phase, step: Step) -> Phase:
    """The phase that a pad of a kind can be for: the one that is open, or else the next of that kind.

    >>> str(due_phase(Phase.read("S1901R"), Step.MOVEMENT)), str(due_phase(Phase.read("F1902M"), Step.ADJUSTMENTS))
    ('F1901M', 'W1902A')
    """
    while opened.step is not step:
        opened = opened.following(retreats=step is Step.RETREATS)
    return opened


class OpenPhases:
    """Which phase each board was in when a fact was written: known from what was published and set before it."""

    def __init__(self, facts: Iterable[Fact[OnGame]] = ()) -> None:
        self.numbers: dict[str, list[int]] = {}
        self.moves: dict[str, list[tuple[Phase, bool]]] = {}  # the phase after each, and whether it was set by hand
        for fact in facts:
            self.follow(fact)

    def follow(self, fact: Fact[LedgerEvent]) -> None:
        """Apply a fact; only those that advance a board matter."""
        match fact.said:
            case PhasePublished(board=board, after=position) | PositionSet(board=board, position=position):
                is_set = isinstance(fact.said, PositionSet)
                self.numbers.setdefault(board, []).append(fact.number)
                self.moves.setdefault(board, []).append((Phase.read(position["phase"]), is_set))

    def at(self, board: str, number: int) -> Phase:
        """The phase a board was in when fact ``number`` was written.

        A position set by hand before the next publication corrects the phase in retrospect.
        """
        moves = self.moves.get(board, [])
        place = bisect_right(self.numbers.get(board, []), number)
        phase = moves[place - 1][0] if place else FIRST_PHASE
        for later, is_set in moves[place:]:
            if not is_set:
                break
            phase = later
        return phase


# What has become of a power's sheet, in a word.


class SheetState(StrEnum):
    """What has become of a power's sheet."""

    IN = "in"
    MISSING = "missing"
    TWO = "two sheets"
    TYPED = "typed"
    NO_ORDERS = "no orders"  # a person said that nothing will come
    LATE = "late"
    REFUSED = "refused"
