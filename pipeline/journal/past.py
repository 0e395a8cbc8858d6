"""All facts of an event as they are now, so that each can be told with what came before and after it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.turn import Turn
from pipeline.desk.sheets.old_seats import OldSeats
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.desk.sheets.sheets_in import SheetIn, sheets_in
from pipeline.ledger.events import EndUndone, LedgerEvent, ResultEntered, ScanReceived, TakesBack
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import undone_in

E = TypeVar("E", bound=LedgerEvent)


@dataclass(frozen=True)
class Chronicle:
    """Everything that was written down, and what of it was taken back."""

    event: Event
    facts: dict[int, Fact[LedgerEvent]]  # by number, oldest first
    by_class: Mapping[type[LedgerEvent], tuple[Fact[LedgerEvent], ...]]
    undone: Mapping[int, int]  # a fact that counts no more -> the one that took it back
    games: Mapping[str, Game]

    @classmethod
    def of(cls, event: Event) -> "Chronicle":
        """Read the facts."""
        facts = {fact.number: fact for fact in event.facts.everything()}
        by_class: dict[type[LedgerEvent], list[Fact[LedgerEvent]]] = {}
        for fact in facts.values():
            by_class.setdefault(type(fact.said), []).append(fact)
        undone = undone_in(facts.values()) | ended_otherwise(facts.values())
        found = {} if event.people.strangers else games(event)  # the journal is shown all the same
        return cls(event, facts, {said: tuple(each) for said, each in by_class.items()}, undone, found)

    def counting(self, *classes: type[E], after: int = 0) -> Iterator[Fact[E]]:
        """The facts of some classes, or of classes below them, that nobody took back, oldest first."""
        known = [facts for said, facts in self.by_class.items() if issubclass(said, classes)]
        for fact in sorted((fact for facts in known for fact in facts), key=lambda fact: fact.number):
            if fact.number > after and fact.number not in self.undone and (found := first_of(fact, classes)):
                yield found

    @cached_property
    def files(self) -> Mapping[str, str]:
        """By their SHA-256, the files as they came."""
        return {fact.said.sha256: fact.said.name for fact in self.event.facts.told(ScanReceived)}

    @cached_property
    def printed(self) -> Mapping[str, PrintedSheet]:
        """Every sheet that was printed, by its id."""
        return printed_sheets(self.event)

    @cached_property
    def seats(self) -> OldSeats:
        """Who sat where after each draw."""
        return OldSeats.of(self.event)

    @cached_property
    def sheets(self) -> Mapping[Turn, tuple[SheetIn, ...]]:
        """The sheets that are in, by turn."""
        return sheets_in(self.event)


def ended_otherwise(facts: Iterable[Fact[LedgerEvent]]) -> dict[int, int]:
    """The ends of games, and the results that were entered, that count no more, each with the fact that says so."""
    found: dict[int, int] = {}
    results: dict[str, int] = {}  # by board
    for fact in facts:
        match fact.said:
            case EndUndone(fact=number):
                found.setdefault(number, fact.number)
            case ResultEntered(board=board, years=years) if years:
                results[board] = fact.number
            case ResultEntered(board=board) if board in results:
                found[results.pop(board)] = fact.number
    return found


def first_of(fact: Fact[LedgerEvent], classes: tuple[type[E], ...]) -> Fact[E] | None:
    """The fact as one of the classes that it is of."""
    return next((found for each in classes if (found := fact.of(each))), None)


def taken_back_by(said: LedgerEvent) -> int | None:
    """The number of the fact that a fact takes back; None where it takes nothing back."""
    return said.fact if isinstance(said, TakesBack | EndUndone) else None
