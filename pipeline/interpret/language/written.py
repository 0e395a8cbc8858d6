"""What a line says, as grammar: a unit, a sign, places as words. Nothing here knows what a word means."""

from dataclasses import dataclass

from pipeline.board.map import Kind, Power


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


@dataclass(frozen=True, slots=True)
class Supports:
    """A unit lends its strength to another one."""

    unit: UnitWords
    of: UnitWords
    steps: tuple[Phrase, ...] = ()
    is_complete: bool = True  # False: a dash and nothing after it
    has_sign: bool = True  # a dash or a word stands before the place


@dataclass(frozen=True, slots=True)
class Convoys:
    """A fleet carries an army."""

    unit: UnitWords
    of: UnitWords
    steps: tuple[Phrase, ...] = ()
    has_sign: bool = True


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


Shape = BareUnit | Holds | Moves | Supports | Convoys | Disbands | Builds | Waives | Senseless


@dataclass(frozen=True, slots=True)
class Written:
    """One order as it stands on a line."""

    shape: Shape
    text: str  # the piece of the line
    rest: str = ""  # words after the order that belong to nothing
