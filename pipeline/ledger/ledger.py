"""The facts of an event as what they say: read and written here, and nowhere else is a body looked into."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from pipeline.ledger.codec import read_as, written
from pipeline.ledger.events import KINDS, LedgerEvent, OfNewerEdition, kinds_of
from pipeline.ledger.facts import FactStore
from pipeline.ledger.old import of_today
from pipeline.problems import Stopped, stop

E_co = TypeVar("E_co", bound=LedgerEvent, covariant=True)
E = TypeVar("E", bound=LedgerEvent)
NOT_UNDERSTOOD = (LookupError, ValueError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Fact(Generic[E_co]):
    """One thing that happened: what, when, and who says so."""

    number: int  # 1.., in the order in which facts were written down
    at: str  # ISO 8601
    by: str  # a person's name, or the program and its version
    said: E_co

    def of(self, said: type[E]) -> "Fact[E] | None":
        """The same fact, where it says something of a class."""
        return cast("Fact[E]", self) if isinstance(self.said, said) else None


def body_of(said: object) -> dict[str, Any]:
    """Write what was said as JSON, as it is kept and as the contract shows it."""
    return written(said)


def read_said(kind: str, body: Mapping[str, Any]) -> LedgerEvent:
    """Read what was said; of a kind that this edition does not know only that it is there."""
    found = KINDS.get(kind)
    return OfNewerEdition(kind) if found is None else read_as(found, of_today(kind, body))


class Ledger(FactStore):
    """The facts of one event."""

    def write(self, said: E, by: str) -> Fact[E]:
        """Write one thing down, and give it back as a fact with its number."""
        return self.write_all((said,), by)[0]

    def write_all(self, all_said: Iterable[E], by: str) -> tuple[Fact[E], ...]:
        """Write several things down together: all of them or, if the machine dies, none."""
        with self.transaction():
            return tuple(self.kept(said, by) for said in all_said)

    def kept(self, said: E, by: str) -> Fact[E]:
        """Write one thing down inside a transaction."""
        fact = self.add(said.KIND, body_of(said), by)
        return Fact(fact.number, fact.at, by, said)

    def told(self, *classes: type[E], after: int = 0) -> Iterator[Fact[E]]:
        """Give back what was said of some classes, or of classes below them, oldest first."""
        for fact in self.read_kinds(kinds_of(*classes), after):
            said = cast("E", self.understood(fact.number, fact.kind, fact.body))  # its kind says so
            yield Fact(fact.number, fact.at, fact.by, said)

    def sifted(self, *classes: type[E]) -> Iterator[Fact[E]]:
        """As `told`, and every other fact is looked at, too: what is worked out stops where any fact is damaged."""
        for fact in self.sift(kinds_of(*classes)):
            yield Fact(fact.number, fact.at, fact.by, cast("E", self.understood(fact.number, fact.kind, fact.body)))

    def everything(self, after: int = 0) -> Iterator[Fact[LedgerEvent]]:
        """Give back all that was said, oldest first."""
        for fact in self.read(after=after):
            yield Fact(fact.number, fact.at, fact.by, self.understood(fact.number, fact.kind, fact.body))

    def understood(self, number: int, kind: str, body: Mapping[str, Any]) -> LedgerEvent:
        """Read what was said, or stop: the file is damaged, or a newer edition wrote what this one does not know."""
        try:
            return read_said(kind, body)
        except NOT_UNDERSTOOD as error:
            if problems := self.verify():
                raise Stopped(problems) from error
            text = f"fact {number} ({kind}) says what this edition does not know ({error!r}); use the newest one"
            raise stop(text, str(self.path)) from error
