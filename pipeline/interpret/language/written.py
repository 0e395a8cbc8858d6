"""What a line says, as grammar: a unit, a sign, places as words. Nothing here knows what a word means."""

from dataclasses import dataclass
from enum import StrEnum

from pipeline.board.map import Kind, Power


class Left(StrEnum):
    """What the words of a line that belong to no order of it do to that order."""

    REMARK = "remark"  # at its edge or in brackets, and like no word of the language of orders
    OPEN = "open"  # they may be a part of it, or of another
    SPOILS = "spoils"  # another order for the same unit, a condition, a negation: it has two meanings


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words for one place, and the coast beside them."""

    text: str  # as written: "St P"
    folded: str  # "stp"; two places with a stroke between them: "bur/ruh"
    coast: str = ""  # "NC", "SC", "EC" or nothing; "NC/SC" where two are written

    def __str__(self) -> str:
        return f"{self.text} {self.coast.lower()}".strip()


@dataclass(frozen=True, slots=True)
class UnitWords:
    """The words for one unit, each of which may be missing."""

    nation: Power | None = None
    letter: Kind | None = None
    place: Phrase | None = None
    is_own: bool = False  # "own" or "my" was written

    @property
    def is_empty(self) -> bool:
        """Nothing was written at all."""
        return self.place is None and self.letter is None and self.nation is None


@dataclass(frozen=True, slots=True)
class BareUnit:
    """A unit and no order."""

    unit: UnitWords


@dataclass(frozen=True, slots=True)
class Holds:
    """A unit and the sign for staying."""

    unit: UnitWords


@dataclass(frozen=True, slots=True)
class Moves:
    """A unit and where it goes; in retreats too."""

    unit: UnitWords
    steps: tuple[Phrase, ...]  # places after dashes, in order; empty where nothing follows the dash
    over: tuple[Phrase, ...] = ()  # places after "via"
    via: bool = False  # "by convoy" was written
    by_land: bool = False  # "by land" was written
    has_sign: bool = True  # a dash or a word stands between unit and place
    to_unit: bool = False  # a unit is named where a place is due: "A Vie - A Bud"; not the fleets of a route


@dataclass(frozen=True, slots=True)
class Supports:
    """A unit lends its strength to another one."""

    unit: UnitWords
    of: UnitWords
    steps: tuple[Phrase, ...] = ()
    is_complete: bool = True  # False: a dash and nothing after it
    has_sign: bool = True  # a dash or a word stands before the place
    to_unit: bool = False  # as in `Moves`


@dataclass(frozen=True, slots=True)
class Convoys:
    """A fleet carries an army."""

    unit: UnitWords
    of: UnitWords
    steps: tuple[Phrase, ...] = ()
    has_sign: bool = True
    to_unit: bool = False  # as in `Moves`


@dataclass(frozen=True, slots=True)
class Disbands:
    """A unit leaves the board."""

    unit: UnitWords


@dataclass(frozen=True, slots=True)
class Builds:
    """A unit is to be built."""

    unit: UnitWords


@dataclass(frozen=True, slots=True)
class Waives:
    """A build is declined."""


@dataclass(frozen=True, slots=True)
class Senseless:
    """Words after a unit, or instead of one, that are no order."""

    unit: UnitWords
    words: str
    is_for_all: bool = False  # "all hold": units without an order hold anyway


Shape = BareUnit | Holds | Moves | Supports | Convoys | Disbands | Builds | Waives | Senseless


@dataclass(frozen=True, slots=True)
class Written:
    """One order as it stands on a line."""

    shape: Shape
    text: str  # the piece of the line
    rest: str = ""  # words that belong to no order: a remark, an alternative, what nobody understands
    left: Left = Left.OPEN  # what they do to the order
    alternatives: tuple[Shape, ...] = ()  # what else the line may order the unit to do
