"""All facts of an event, to describe each with what came before and after it."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeVar, cast

from msgspec import Struct

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.forms_in import PrintedForm, printed_forms
from pipeline.desk.sheets.printed import OldSeats, PrintedSheet, printed_sheets
from pipeline.desk.sheets.sheets_in import SheetIn, sheets_in
from pipeline.ledger.events import LedgerEvent, ScanReceived
from pipeline.ledger.ledger import NUMBER, Fact, undone_in

E = TypeVar("E", bound=LedgerEvent)


class Chronicle(Struct, frozen=True, dict=True, weakref=True):
    """All facts of an event, with what was undone."""

    event: Event
    facts: dict[int, Fact[LedgerEvent]]  # by number, oldest first
    by_class: Mapping[type[LedgerEvent], tuple[Fact[LedgerEvent], ...]]
    undone: Mapping[int, int]  # undone fact -> the fact that undid it
    games: Mapping[str, Game]

    @classmethod
    def of(cls, event: Event) -> "Chronicle":
        facts = {fact.number: fact for fact in event.facts.everything()}
        by_class: dict[type[LedgerEvent], list[Fact[LedgerEvent]]] = {}
        for fact in facts.values():
            by_class.setdefault(type(fact.said), []).append(fact)
        undone = undone_in(facts.values())
        # unknown people are in no game; the journal still works
        by_board = {} if event.people.roster_problems else games(event)
        return cls(event, facts, {said: tuple(each) for said, each in by_class.items()}, undone, by_board)

    def counting(self, *classes: type[E], after: int = 0) -> Iterator[Fact[E]]:
        """The facts of some classes, or of classes below them, that nobody took back, oldest first."""
        known = [facts for said, facts in self.by_class.items() if issubclass(said, classes)]
        for fact in sorted((fact for facts in known for fact in facts), key=NUMBER):
            if fact.number > after and fact.number not in self.undone:
                yield cast("Fact[E]", fact)  # by `issubclass`

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The names of the files that came in, by their SHA-256."""
        return {fact.said.sha256: fact.said.name for fact in self.event.facts.select(ScanReceived)}

    @cached_property
    def printed_sheets(self) -> Mapping[str, PrintedSheet]:
        return printed_sheets(self.event)

    @cached_property
    def printed_forms(self) -> Mapping[str, PrintedForm]:
        return printed_forms(self.event)

    @cached_property
    def seats(self) -> OldSeats:
        """Who sat where after each draw."""
        return OldSeats.of(self.event)

    @cached_property
    def sheets(self) -> Mapping[Turn, tuple[SheetIn, ...]]:
        return sheets_in(self.event)
