"""Lots drawn openly: where the rules say so, or where nothing else decides, a sealed seed and a called word decide.

As with the dice, the desk shows the hash of a secret seed first. Then somebody in the room calls a word, and the
order is made of both together. A lot among the same people for the same thing is drawn once: its order stands.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.desk.event.ending import hash_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import with_names, with_numbers
from pipeline.ledger.claims import Claims
from pipeline.ledger.events import LotDrawn, LotSealed
from pipeline.ledger.parts import About, LotRecord
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop


def _order_of(seed: str, word: str, names: Sequence[str]) -> tuple[str, ...]:
    """The order that a seed and a word make: by the SHA-256 of seed, word and name; anybody can work it out again.

    >>> _order_of("seed", "Apple ", ("Ann", "Bob", "Cem"))
    ('Bob', 'Cem', 'Ann')
    """
    called = " ".join(word.casefold().split())
    return tuple(sorted(names, key=lambda name: hashlib.sha256(f"{seed} {called} {name}".encode()).digest()))


def lots(event: Event) -> tuple[LotRecord, ...]:
    """Every lot of an event, oldest first, with everybody's name of today."""
    records: list[LotRecord] = [with_names(fact.said, event.people) for fact in event.facts.select(LotSealed)]
    records += [with_names(fact.said, event.people) for fact in event.facts.select(LotDrawn)]
    newest = {lot.number: _as_lot(lot, LotRecord) for lot in records}
    return tuple(newest[number] for number in sorted(newest))


T = TypeVar("T", bound=LotRecord)
LotKind = TypeVar("LotKind", LotSealed, LotDrawn)


def _as_lot(lot: LotRecord, kind: type[T]) -> T:
    """Convert a lot between the facts that seal or draw it and the record in a draw."""
    return kind(**{name: getattr(lot, name) for name in LotRecord.__struct_fields__})


class OpenLots(Struct, kw_only=True):
    """The lots of one draw: a drawn one keeps its order, a sealed one is drawn with a word, a new one is sealed."""

    event: Event
    claims: Claims
    round: int
    by: str
    word: str | None = None  # what was called in the room
    seed: Callable[[], str] = lambda: secrets.token_hex(16)
    used: list[LotRecord] = field(default_factory=list)

    def draw(self, about: About, names: Sequence[str], count: int) -> tuple[str, ...]:
        """Draw ``count`` of ``names``; stops with exit code 3 until a word is called."""
        known = [lot for lot in lots(self.event) if lot.is_for(self.round, about, names)]
        lot = known[-1] if known else None
        if lot is not None and lot.seed is None and self.word is not None:
            lot = self.reveal(lot, self.word)
        if lot is None:
            lot = self.seal(about, names)
        if lot.seed is None:
            raise Stopped((Problem(Weight.ASKS, _waiting(lot, count), f"lot {lot.number}"),), ExitCode.RULE_FIRST)
        self.used.append(lot)
        return lot.order_drawn[:count]

    def seal(self, about: About, names: Sequence[str]) -> LotRecord:
        """Choose a seed and show its hash; the seed stays sealed until the word is called."""
        seed, number = self.seed(), len(lots(self.event)) + 1
        lot = LotRecord(number=number, round=self.round, about=about, among=tuple(sorted(names)), hash=hash_of(seed))
        self.claims.keep_secret(_secret_of(lot), seed)
        self.write(_as_lot(lot, LotSealed))
        return lot

    def reveal(self, lot: LotRecord, word: str) -> LotRecord:
        """Draw with the word that was called, and show the seed."""
        if not word.strip():
            raise stop("somebody in the room must call a word first", "--word")
        seed = self.claims.secret(_secret_of(lot), lot.hash)
        if seed is None:
            text = "the sealed seed is lost (claims.db was replaced or changed); draw paper lots, and name who is drawn"
            raise stop(text, f"lot {lot.number}", ExitCode.RULE_FIRST)
        self.word = None
        drawn = replace(lot, seed=seed, word=word, order=_order_of(seed, word, lot.people))
        self.write(_as_lot(drawn, LotDrawn))
        return drawn

    def write(self, lot: LotKind) -> None:
        """Write a lot down, with the numbers of its players."""
        self.event.facts.write(with_numbers(lot, self.event.people, f"lot {lot.number}"), self.by)

    def close(self) -> None:
        """Stop if a word was called and no lot waits for one; a repeated word of a drawn lot is accepted."""
        if self.word is not None and self.word not in (lot.word for lot in self.used):
            raise stop("no lot waits for a word; leave it out", "--word")


def _secret_of(lot: LotRecord) -> str:
    return f"lot {lot.number} {lot.hash}"


def _waiting(lot: LotRecord, count: int) -> str:
    """What is to be done before a lot is drawn."""
    among = ", ".join(lot.people)
    return (
        f"{count} of {len(lot.people)} by lot: {among}; a secret seed is sealed, show everybody its hash {lot.hash}; "
        "then let somebody call a word, and repeat the command with --word WORD"
    )
