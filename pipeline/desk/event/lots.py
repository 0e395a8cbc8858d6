"""Lots drawn openly: where the rules say so, or where nothing else decides, a sealed seed and a called word decide.

As with the dice, the desk shows the hash of a secret seed first. Then somebody in the room calls a word, and the order
is made of both together. A lot among the same people for the same thing is drawn once: its order stands.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pipeline.desk.event.dice import hash_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import with_names, with_numbers
from pipeline.ledger.events import LotDrawn, LotSealed
from pipeline.ledger.files.claims import Claims
from pipeline.ledger.parts import About, LotTold
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """One lot: sealed, and perhaps drawn."""

    number: int  # 1.. in the event
    round: int
    about: About
    names: tuple[str, ...]  # by name
    hash: str
    seed: str | None = None
    word: str = ""
    order: tuple[str, ...] = ()  # as drawn, whom it hits first before the others

    def is_for(self, round_number: int, about: About, names: Sequence[str]) -> bool:
        """Whether it decides this, among these."""
        return (self.round, self.about, self.names) == (round_number, about, tuple(sorted(names)))

    def __str__(self) -> str:
        told = (
            f"lot {self.number} of round {self.round}: word {self.word!r}, seed {self.seed} (shown before: {self.hash})"
        )
        return f"{told}; drawn in this order: {', '.join(self.order)}"


def order_of(seed: str, word: str, names: Sequence[str]) -> tuple[str, ...]:
    """The order that a seed and a word make: by the SHA-256 of seed, word and name; anybody can work it out again.

    >>> order_of("seed", "Apple ", ("Ann", "Bob", "Cem"))
    ('Bob', 'Cem', 'Ann')
    """
    called = " ".join(word.casefold().split())
    return tuple(sorted(names, key=lambda name: hashlib.sha256(f"{seed} {called} {name}".encode()).digest()))


def lots(event: Event) -> tuple[Lot, ...]:
    """Every lot of an event, oldest first, with everybody's name of today."""
    sealed = [read_lot(with_names(fact.said, event.people)) for fact in event.facts.told(LotSealed)]
    drawn = [read_lot(with_names(fact.said, event.people)) for fact in event.facts.told(LotDrawn)]
    newest = {lot.number: lot for lot in [*sealed, *drawn]}
    return tuple(newest[number] for number in sorted(newest))


def read_lot(told: LotTold) -> Lot:
    """Read a lot back, whose people are named."""
    return Lot(
        number=told.number,
        round=told.round,
        about=told.about,
        names=tuple(sorted(map(str, told.among))),
        hash=told.hash,
        seed=told.seed,
        word=told.word,
        order=tuple(map(str, told.order)),
    )


T = TypeVar("T", bound=LotTold)
LotKind = TypeVar("LotKind", LotSealed, LotDrawn)


def write_lot(lot: Lot, kind: type[T]) -> T:
    """Write a lot down: sealed, or drawn."""
    return kind(
        number=lot.number,
        round=lot.round,
        about=lot.about,
        among=lot.names,
        hash=lot.hash,
        seed=lot.seed,
        word=lot.word,
        order=lot.order,
    )


@dataclass(slots=True, kw_only=True)
class Urn:
    """The lots of one draw: what was drawn before stands, what a word was called for is drawn, the rest is sealed."""

    event: Event
    claims: Claims
    round: int
    by: str
    word: str | None = None  # what was called in the room
    seed: Callable[[], str] = lambda: secrets.token_hex(16)
    used: list[Lot] = field(default_factory=list)

    def draw(self, about: About, names: Sequence[str], count: int) -> tuple[str, ...]:
        """So many of these; or stop until a word is called (exit code 3)."""
        known = [lot for lot in lots(self.event) if lot.is_for(self.round, about, names)]
        lot = known[-1] if known else None
        if lot is not None and lot.seed is None and self.word is not None:
            lot = self.reveal(lot, self.word)
        if lot is None:
            lot = self.seal(about, names)
        if lot.seed is None:
            raise Stopped((Problem(Weight.ASKS, waiting(lot, count), f"lot {lot.number}"),), ExitCode.RULE_FIRST)
        self.used.append(lot)
        return lot.order[:count]

    def seal(self, about: About, names: Sequence[str]) -> Lot:
        """Choose a seed and show its hash; the seed stays sealed until the word is called."""
        seed, number = self.seed(), len(lots(self.event)) + 1
        lot = Lot(number=number, round=self.round, about=about, names=tuple(sorted(names)), hash=hash_of(seed))
        self.claims.keep_secret(secret_of(lot), seed)
        self.write(write_lot(lot, LotSealed))
        return lot

    def reveal(self, lot: Lot, word: str) -> Lot:
        """Draw with the word that was called, and show the seed."""
        if not word.strip():
            raise stop("somebody in the room must call a word first", "--word")
        seed = self.claims.secret(secret_of(lot), lot.hash)
        if seed is None:
            text = "the sealed seed is lost (claims.db is not what it was); draw paper lots, and name who is drawn"
            raise stop(text, f"lot {lot.number}", ExitCode.RULE_FIRST)
        self.word = None
        drawn = replace(lot, seed=seed, word=word, order=order_of(seed, word, lot.names))
        self.write(write_lot(drawn, LotDrawn))
        return drawn

    def write(self, lot: LotKind) -> None:
        """Write a lot down, with the numbers of its players."""
        self.event.facts.write(with_numbers(lot, self.event.people, f"lot {lot.number}"), self.by)

    def close(self) -> None:
        """Stop where a word was called that no lot waited for; said again, it is the word of a lot that was drawn."""
        if self.word is not None and self.word not in (lot.word for lot in self.used):
            raise stop("no lot waits for a word; leave it out", "--word")


def secret_of(lot: Lot) -> str:
    """The name under which the seed is kept."""
    return f"lot {lot.number} {lot.hash}"


def waiting(lot: Lot, count: int) -> str:
    """What is to be done before a lot is drawn."""
    among = ", ".join(lot.names)
    return (
        f"{count} of {len(lot.names)} by lot: {among}; a secret seed is sealed, show everybody its hash {lot.hash}; "
        "then let somebody call a word and say the command again with --word WORD"
    )
