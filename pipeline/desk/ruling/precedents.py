"""Earlier rulings like this one: the rulings book of an event, read from its facts."""

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.interpret.doubts.doubts import Found
from pipeline.ledger.events import LedgerEvent, RowRuled, SheetRuled
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Question
from pipeline.ledger.undone import still_counting
from pipeline.problems import Problem, Weight
from pipeline.rules.rulings_book import INK, Ruling, RulingsBook, Situation
from pipeline.words import sentences
from pipeline.words.told import PLAIN


def situation_of(row: Row) -> Situation:
    """What is doubtful about a row, whatever board and power it stands on; unread ink is alike where it looks alike."""
    if row.situation is not None:
        return row.situation
    doubt = row.flags[0] if row.flags else row.status.upper()
    return Situation(doubt, row.rule or INK, row.ink)


def asked_of(row: Row) -> Question:
    """Write down with a ruling what was asked, so that it can be found again."""
    found = tuple(plain(told) for told in row.because if isinstance(told, Found))
    return replace(Question.of(situation_of(row)), ink=row.ink, found=found, lacks=row.lacks)


def plain(found: Found) -> Found:
    """A doubt with data that can stand in a fact: the judge's reason in it is quoted."""
    return Found.of(found.code, **{name: value if is_plain(value) else str(value) for name, value in found.data})


def is_plain(value: object) -> bool:
    """Whether a value can stand in a fact as it is."""
    return isinstance(value, (*PLAIN, tuple)) and not isinstance(value, StrEnum)


def in_words(asked: Question) -> str:
    """Say what a ruling was asked; events of before there were codes have it as a sentence."""
    if asked.words is not None:
        return asked.words
    return ": ".join(part for part in (repr(asked.ink) if asked.ink else "", sentences(asked.found or ())) if part)


def asked_of_sheet(problem: Problem | None) -> Question | None:
    """Write down with a ruling on a sheet what was asked; None where no other sheet could ask the same."""
    situation = problem.situation if isinstance(problem, SheetDoubt) else None
    return None if situation is None else Question.of(situation)


def asked_first(problems: Iterable[Problem]) -> Question | None:
    """Write down with a ruling on a sheet that was not shown what is asked about it first, as where it is shown."""
    return asked_of_sheet(next((problem for problem in problems if problem.weight is Weight.ASKS), None))


def rulings_book(log: Iterable[Fact[LedgerEvent]], *, with_readings: bool = True) -> RulingsBook:
    """Every ruling that still counts, on rows and on sheets; without readings only those that said what stands."""
    found = (as_ruling(fact, with_readings=with_readings) for fact in still_counting(log))
    return RulingsBook(tuple(ruling for ruling in found if ruling is not None))


class BookByFacts:
    """The rulings book of a log that grows: each of its rulings is read once."""

    def __init__(self) -> None:
        self.read: dict[int, tuple[Fact[LedgerEvent], Ruling | None]] = {}  # by the number of its fact

    def of(self, log: Iterable[Fact[LedgerEvent]]) -> RulingsBook:
        """The same as `rulings_book`, with readings."""
        found = (self.ruling(fact) for fact in still_counting(log))
        return RulingsBook(tuple(ruling for ruling in found if ruling is not None))

    def ruling(self, fact: Fact[LedgerEvent]) -> Ruling | None:
        """A ruling of the log; a fact that was rolled back may have had its number."""
        known = self.read.get(fact.number)
        if known is None or known[0] is not fact:
            known = self.read[fact.number] = (fact, as_ruling(fact, with_readings=True))
        return known[1]


def as_ruling(fact: Fact[LedgerEvent], *, with_readings: bool) -> Ruling | None:
    """Read a ruling as a page of the book; one that was made without being asked is about the director's word alone.

    None is what is no ruling that may be looked up, and without readings what a person read on a row.
    """
    match fact.said:
        case SheetRuled(asked=Question()) as said:
            decision, where = str(said.decision), "sheet"
        case RowRuled(order=str() as order) as said:
            decision, where = order, f"line {said.line}"
        case RowRuled() as said if with_readings:
            decision, where = f"the ink says {said.text!r}", f"line {said.line}"
        case _:
            return None
    return Ruling(
        situation=said.asked.situation if said.asked else Situation("UNASKED", "none"),
        decision=decision,
        by=fact.by,
        asked=in_words(said.asked) if said.asked else "",
        why=said.why,
        when=fact.at,
        case=f"board {said.board}, {said.phase}, {where}",
    )
