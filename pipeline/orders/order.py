"""The orders of the three kinds of phase. Powers stand beside orders, not in them."""

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.board.position import Unit


@dataclass(frozen=True, slots=True)
class Hold:
    """Stay."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Move:
    """Go, or attack."""

    unit: Unit
    to: str  # place; a province alone where no coast was written
    via: bool = False  # a convoy was asked for
    route: tuple[str, ...] = ()  # seas named in the order, first to last; implies that a convoy is intended


@dataclass(frozen=True, slots=True)
class Support:
    """Lend one strength to another unit: to its move to ``to``, or to its staying where ``to`` is None."""

    unit: Unit
    of: Unit
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    """Carry an army over this fleet's sea."""

    unit: Unit
    of: Unit
    to: str


@dataclass(frozen=True, slots=True)
class Retreat:
    """A dislodged unit goes to a place."""

    unit: Unit
    to: str


@dataclass(frozen=True, slots=True)
class Disband:
    """A unit leaves the board, in retreats or in adjustments."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Build:
    """A new unit in a home supply centre."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Waive:
    """A build not made."""


Order = Hold | Move | Support | Convoy | Retreat | Disband | Build | Waive


def units_of(orders: Iterable[Order]) -> frozenset[str]:
    """The provinces of the units that orders are for; a waived build is for none."""
    return frozenset(order.unit.place[:3] for order in orders if not isinstance(order, Waive))
