"""Which facts count no more: whatever takes a fact back names it by its number."""

from collections.abc import Iterable
from typing import TypeVar

from pipeline.ledger.events import LedgerEvent, TakesBack
from pipeline.ledger.ledger import Fact, Ledger

E = TypeVar("E", bound=LedgerEvent)


def undone_in(facts: Iterable[Fact[LedgerEvent]]) -> dict[int, int]:
    """The facts that were taken back, each with the number of the first fact that did so."""
    found: dict[int, int] = {}
    for fact in facts:
        if isinstance(fact.said, TakesBack):
            found.setdefault(fact.said.fact, fact.number)
    return found


def still_counting(facts: Iterable[Fact[E]]) -> tuple[Fact[E], ...]:
    """The facts that none of the others takes back; those that do so themselves are not among them."""
    all_of = tuple(facts)
    undone = undone_in(all_of)
    return tuple(f for f in all_of if f.number not in undone and not isinstance(f.said, TakesBack))


def standing(ledger: Ledger, *classes: type[E]) -> list[Fact[E]]:
    """The facts of some classes that nobody took back, oldest first."""
    undone = undone_in(ledger.told(TakesBack))
    return [fact for fact in ledger.told(*classes) if fact.number not in undone]
