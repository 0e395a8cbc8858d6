"""What every reason has: one word for the result, the orders that decided it, and a sentence."""

from enum import StrEnum
from typing import ClassVar

from pipeline.orders.order import Order


class Word(StrEnum):
    """What became of an order, in one word (DATC 4.E.2)."""

    SUCCEEDS = "succeeds"
    FAILS = "fails"
    GIVEN = "given"  # a support
    CUT = "cut"  # a support
    STANDS = "stands"  # a hold
    AVAILABLE = "available"  # a convoy
    DISRUPTED = "disrupted"  # a convoy
    ILLEGAL = "illegal"  # not possible, whatever the others ordered
    INVALID = "invalid"  # possible, but not matched by the others' orders; or not understood
    AUTOMATIC = "automatic"  # nobody ordered it: the rules did


class Reason:
    """One reason why an order did what it did. Success is never stored: it is what the reason says (``result``)."""

    __slots__ = ()
    result: ClassVar[Word]

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()
