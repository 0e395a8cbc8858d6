"""Lots drawn openly: where the rules say so, or where nothing else decides, a sealed seed and a called word decide.

As with the dice, the desk shows the hash of a secret seed first. Then somebody in the room calls a word, and the order
is made of both together. A lot among the same people for the same thing is drawn once: its order stands.
"""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from pipeline.desk.event.dice import hash_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import with_names, with_numbers
from pipeline.ledger.claims import Claims
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop

SEALED, DRAWN = "lot sealed", "lot drawn"


class About(StrEnum):
    """What a lot decides."""

    FIELD = "field"  # who stands down, is left out or plays twice in a round
    FINAL = "final"  # who takes the last seats of the final table


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
    found = [
        read_lot(with_names(fact.body, event.people)) for kind in (SEALED, DRAWN) for fact in event.facts.read(kind)
    ]
    newest = {lot.number: lot for lot in found}
    return tuple(newest[number] for number in sorted(newest))


def read_lot(body: Mapping[str, Any]) -> Lot:
    """Read a lot from the body of a fact."""
    return Lot(
        number=int(body["number"]),
        round=int(body["round"]),
        about=About(body["about"]),
        names=tuple(sorted(body["among"])),
        hash=str(body["hash"]),
        seed=body.get("seed"),
        word=str(body.get("word", "")),
        order=tuple(body.get("order", ())),
    )


def write_lot(lot: Lot) -> dict[str, Any]:
    """Write a lot as the body of a fact: sealed, or drawn."""
    body: dict[str, Any] = {"number": lot.number, "round": lot.round, "about": str(lot.about)}
    body |= {"among": list(lot.names), "hash": lot.hash}
    return body | ({} if lot.seed is None else {"seed": lot.seed, "word": lot.word, "order": list(lot.order)})


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
        self.write(SEALED, lot)
        return lot

    def reveal(self, lot: Lot, word: str) -> Lot:
        """Draw with the word that was called, and show the seed."""
        if not word.strip():
            raise stop("somebody in the room must call a word first", "--word")
        seed = self.claims.secret(secret_of(lot))
        if seed is None:
            text = "the sealed seed is lost (claims.db was deleted); draw paper lots, and name who is drawn"
            raise stop(text, f"lot {lot.number}", ExitCode.RULE_FIRST)
        self.word = None
        drawn = replace(lot, seed=seed, word=word, order=order_of(seed, word, lot.names))
        self.write(DRAWN, drawn)
        return drawn

    def write(self, kind: str, lot: Lot) -> None:
        """Write a lot down, with the numbers of its players."""
        body = with_numbers(write_lot(lot), self.event.people, f"lot {lot.number}")
        self.event.facts.append(kind, body, self.by)

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
