"""The reasons that need no battle: what cannot be, what was not understood, and what retreats and winters bring."""

from dataclasses import dataclass
from typing import ClassVar

from pipeline.judge.outcome.reason import Reason, Word
from pipeline.orders.notation import write
from pipeline.orders.order import Order
from pipeline.words.wording import wording


@dataclass(frozen=True, slots=True)
class Illegal(Reason):
    """The order was understood and is not possible here."""

    result: ClassVar[Word] = Word.ILLEGAL
    why: str
    rule: str = ""

    def __str__(self) -> str:
        return wording("{why} ({rule})", why=self.why, rule=self.rule) if self.rule else self.why


@dataclass(frozen=True, slots=True)
class Invalid(Reason):
    """The order was not understood: the notation or the map does not know it."""

    result: ClassVar[Word] = Word.INVALID
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(frozen=True, slots=True)
class Done(Reason):
    """A retreat, a disbanding, a build or a waiver that took place."""

    result: ClassVar[Word] = Word.SUCCEEDS
    what: str  # "retreats", "built", "removed"

    def __str__(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True)
class Clashed(Reason):
    """Units that retreat to one province all disband (DATC 6.H.7)."""

    result: ClassVar[Word] = Word.FAILS
    others: tuple[Order, ...]

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return self.others

    def __str__(self) -> str:
        return wording("disbands: meets {orders}", orders=tuple(map(write, self.others)))


@dataclass(frozen=True, slots=True)
class Failed(Reason):
    """A build that lacks what it needs (DATC 6.B.14)."""

    result: ClassVar[Word] = Word.FAILS
    why: str
    rule: str = ""

    def __str__(self) -> str:
        return wording("{why} ({rule})", why=self.why, rule=self.rule) if self.rule else self.why


@dataclass(frozen=True, slots=True)
class Automatic(Reason):
    """Nobody ordered this; the rules did it."""

    result: ClassVar[Word] = Word.AUTOMATIC
    why: str

    def __str__(self) -> str:
        return self.why
