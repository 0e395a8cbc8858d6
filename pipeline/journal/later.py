"""Saying that a newer fact rests on an older one."""

from collections.abc import Iterable, Iterator

from pipeline.journal.codes import Resting
from pipeline.journal.happened import happened
from pipeline.journal.past import Chronicle
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.words import Told


def by_fact(code: Resting, fact: Fact[LedgerEvent], past: Chronicle, **more: object) -> Told:
    """A fact rests on another one."""
    return Told.of(code, fact=fact.number, what=happened(fact, past), **more)


def by_newest(code: Resting, facts: Iterable[Fact[LedgerEvent]], past: Chronicle, **more: object) -> Iterator[Told]:
    """Of several facts that rest on another one, the newest: it is the first that must go."""
    found = tuple(facts)
    if found:
        yield by_fact(code, found[-1], past, **more)
