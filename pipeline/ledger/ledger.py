"""The facts of an event as typed objects, decoded and appended to ``event.db`` here; no other package reads a body.

By msgspec a field is a key of the JSON, and its type says how it is read and written. Unknown keys are ignored. A
missing field takes its default; a struct that is declared with ``omit_defaults`` leaves such fields out. A class that
is no struct writes itself with ``as_body`` and is read with ``of_body``: phases, and codes with their data.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, TypeVar, cast
from weakref import WeakKeyDictionary

import msgspec
from msgspec import DecodeError, Struct, ValidationError

from pipeline.ledger.events import KINDS, LedgerEvent, TakesBack, kinds_of
from pipeline.ledger.facts import Clock, FactStore
from pipeline.problems import Stopped, stop

E_co = TypeVar("E_co", bound=LedgerEvent, covariant=True)
E = TypeVar("E", bound=LedgerEvent)
T = TypeVar("T")
NUMBER = attrgetter("number")
NOT_UNDERSTOOD = (LookupError, ValueError, TypeError, AttributeError, ValidationError, DecodeError)


def read_text(kind: type[T], text: str) -> T:
    of: Any = kind  # hashable, as every type
    value: T = _decoder_of(of).decode(text)
    return value


def body_of(said: object) -> dict[str, Any]:
    """Encode a fact's body as JSON, as it is stored; sets are sorted."""
    plain = msgspec.to_builtins(said, enc_hook=_write_other, str_keys=True, order="deterministic")
    body: dict[str, Any] = json.loads(json.dumps(plain))  # as it will be read back: tuples become lists
    return body


@cache
def _decoder_of(kind: Any) -> Any:
    return msgspec.json.Decoder(kind, dec_hook=_decode_other)


def _decode_other(kind: Any, body: Any) -> Any:
    return kind.of_body(body)


def _write_other(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value.as_body()  # a plain text, without the subclass


class Fact(Struct, Generic[E_co], frozen=True):
    """One thing that happened: what, when, and who says so."""

    number: int  # 1.., in the order in which facts were written down
    at: str  # ISO 8601
    by: str  # a person's name, or the program and its version
    said: E_co

    def of(self, said: type[E]) -> "Fact[E] | None":
        """Return the fact itself if it is of a class, else None."""
        return cast("Fact[E]", self) if isinstance(self.said, said) else None


class UpToNow(Generic[T]):
    """A cache of an answer derived from facts of some classes; valid until a newer fact of these classes is written."""

    def __init__(self, *classes: type[LedgerEvent]) -> None:
        self.classes = classes or (LedgerEvent,)
        self.found: WeakKeyDictionary[Ledger, tuple[tuple[int, int], T]] = WeakKeyDictionary()

    def of(self, facts: "Ledger", work_out: Callable[[], T]) -> T:
        """Return the cached answer, computing it if newer facts or a rollback have invalidated it."""
        newest = (facts.newest(*self.classes), facts.rolled_back)
        value = self.found.get(facts)
        if value is None or value[0] != newest:
            value = self.found[facts] = (newest, work_out())
        return value[1]


class ReadSoFar(Struct, frozen=True):
    """The facts of one kind that were read and understood."""

    facts: list[Fact[LedgerEvent]]
    to: int  # the newest fact that was looked at


NONE_READ = ReadSoFar([], 0)


class Ledger(FactStore):
    """The facts of one event; each is read and understood once, and is then in memory."""

    def __init__(self, path: Path, clock: Clock) -> None:
        super().__init__(path, clock)
        self.known: dict[str, ReadSoFar] = {}  # by kind

    def write(self, said: E, by: str) -> Fact[E]:
        """Append one fact, and return it with its number."""
        return self.write_all((said,), by)[0]

    def write_all(self, all_said: Iterable[E], by: str) -> tuple[Fact[E], ...]:
        """Append several facts in one transaction: all or none."""
        with self.transaction():
            stored = [(*self.add(said.KIND, body_of(said), by), said) for said in all_said]
        return tuple(Fact(number, at, by, said) for number, at, said in stored)

    def select(self, *classes: type[E], after: int = 0) -> Iterator[Fact[E]]:
        """All facts of some classes (or their subclasses), oldest first, undone ones included."""
        hashable: tuple[Any, ...] = classes  # as every type is
        by_kind = [self.of_kind(kind) for kind in kinds_of(*hashable)]
        facts = sorted(chain.from_iterable(by_kind), key=NUMBER) if len(by_kind) != 1 else by_kind[0]
        yield from cast("list[Fact[E]]", facts[bisect_right(facts, after, key=NUMBER) :])  # by `kinds_of`

    def newest(self, *classes: type[LedgerEvent]) -> int:
        """The number of the newest fact of some classes; 0 where there is none."""
        if LedgerEvent in classes:
            return self.last_number()
        return max((fact.number for fact in self.select(*classes)), default=0)

    def of_kind(self, kind: str) -> list[Fact[LedgerEvent]]:
        """All facts of a kind; each is decoded once, because it never changes."""
        with self.lock:
            known = self.known.get(kind, NONE_READ)
            newest = self.look()
            if known.to < newest:
                new = [
                    Fact(number, at, by, self.decode(number, kind, text))
                    for number, at, by, kind, text in self.rows(kind, known.to)
                ]
                facts = [*known.facts, *new] if new else known.facts  # a new list: the old one may be in use
                known = self.known[kind] = ReadSoFar(facts, newest)
            return known.facts

    def forget(self, after: int) -> None:
        """Forget the facts of a transaction that was rolled back."""
        with self.lock:
            super().forget(after)
            for kind, known in self.known.items():
                facts = [fact for fact in known.facts if fact.number <= after]
                self.known[kind] = ReadSoFar(facts, min(known.to, after))

    def everything(self, after: int = 0) -> Iterator[Fact[LedgerEvent]]:
        """All facts, oldest first."""
        with self.lock:
            by_kind = [self.of_kind(kind) for kind in sorted(self.kinds_after(after))]
        newer = chain.from_iterable(facts[bisect_right(facts, after, key=NUMBER) :] for facts in by_kind)
        yield from sorted(newer, key=NUMBER)

    def decode(self, number: int, kind: str, text: str) -> LedgerEvent:
        """Decode a fact, or stop: the file is damaged, or a newer program wrote it."""
        try:
            return read_text(KINDS[kind], text)
        except NOT_UNDERSTOOD as error:
            if problems := self.verify():
                raise Stopped(problems) from error
            what = f"number {number} of the journal ({kind})"
            unknown = f"{what} says what this version does not know ({error!r}); use the newest one"
            raise stop(unknown, str(self.path)) from error


# Undone facts: whatever undoes a fact names it by its number.


def undone_in(facts: Iterable[Fact[LedgerEvent]]) -> dict[int, int]:
    """The undone facts, each with the number of the first fact that undid it."""
    undone: dict[int, int] = {}
    for fact in facts:
        if isinstance(fact.said, TakesBack):
            undone.setdefault(fact.said.fact, fact.number)
    return undone


def still_counting(facts: Iterable[Fact[E]]) -> tuple[Fact[E], ...]:
    """The facts that are not undone, without the undoing facts themselves."""
    all_of = tuple(facts)
    undone = undone_in(all_of)
    return tuple(f for f in all_of if f.number not in undone and not isinstance(f.said, TakesBack))


def standing(ledger: Ledger, *classes: type[E]) -> list[Fact[E]]:
    """The facts of some classes that are not undone, oldest first."""
    undone = undone_in(ledger.select(TakesBack))
    return [fact for fact in ledger.select(*classes) if fact.number not in undone]
