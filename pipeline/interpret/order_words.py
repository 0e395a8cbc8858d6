"""What a line says, as grammar: a unit, a sign, places as words. Nothing here knows what a word means."""

from msgspec import Struct

from pipeline.board import Kind, Power, Unit
from pipeline.interpret.doubts import LineDoubt, Meaning
from pipeline.orders import Order
from pipeline.words.speech import Message, sentences


class Phrase(Struct, frozen=True):
    """The words for one place, and the coast beside them."""

    text: str  # as written: "St P"
    folded: str  # "stp"; two places with a stroke between them: "bur/ruh"
    coast: str = ""  # "NC", "SC", "EC" or nothing; "NC/SC" where two are written

    def __str__(self) -> str:
        return f"{self.text} {self.coast.lower()}".strip()


class UnitWords(Struct, frozen=True):
    """The words for one unit, each of which may be missing."""

    nation: Power | None = None
    letter: Kind | None = None
    place: Phrase | None = None
    is_own: bool = False  # "own" or "my" was written

    @property
    def is_empty(self) -> bool:
        """Nothing was written at all."""
        return self.place is None and self.letter is None and self.nation is None


class BareUnit(Struct, frozen=True):
    """A unit and no order."""

    unit: UnitWords


class Holds(Struct, frozen=True):
    """A unit and the sign for staying."""

    unit: UnitWords


class Moves(Struct, frozen=True):
    """A unit and where it goes; in retreats too."""

    unit: UnitWords
    steps: tuple[Phrase, ...]  # places after dashes, in order; empty where nothing follows the dash
    over: tuple[Phrase, ...] = ()  # places after "via"
    is_goal_last: bool = False  # they stand before the goal: "via Ion, Aeg - Bul"
    via: bool = False  # "by convoy" was written
    by_land: bool = False  # "by land" was written
    has_sign: bool = True  # a dash or a word stands between unit and place
    to_unit: bool = False  # a unit is named where a place is due: "A Vie - A Bud"; not the fleets of a route


class Supports(Struct, frozen=True):
    """A unit lends its strength to another one."""

    unit: UnitWords
    of: UnitWords
    steps: tuple[Phrase, ...] = ()  # where to, behind the seas on the way
    has_sign: bool = True  # a dash or a word stands before the place
    to_unit: bool = False  # as in `Moves`, and so are the next two
    via: bool = False
    by_land: bool = False
    is_complete: bool = True  # False: a dash and nothing after it, or a hold and a move


class Convoys(Struct, frozen=True):
    """A fleet carries an army."""

    unit: UnitWords
    of: UnitWords
    steps: tuple[Phrase, ...] = ()  # this and the rest as in `Supports`
    has_sign: bool = True
    to_unit: bool = False
    via: bool = False
    by_land: bool = False


class Disbands(Struct, frozen=True):
    """A unit leaves the board."""

    unit: UnitWords


class Builds(Struct, frozen=True):
    """A unit is to be built."""

    unit: UnitWords


class Waives(Struct, frozen=True):
    """A build is declined; or all that are left: "no builds", "no more", "waive the rest"."""

    are_all: bool = False


class Senseless(Struct, frozen=True):
    """Words after a unit, or instead of one, that are no order."""

    unit: UnitWords
    words: str
    is_for_all: bool = False  # "all hold": units without an order hold anyway


Shape = BareUnit | Holds | Moves | Supports | Convoys | Disbands | Builds | Waives | Senseless


class Reading(Struct, frozen=True):
    """An order that a line may mean, and what speaks for it or against it."""

    order: Order
    because: tuple[Message, ...] = ()
    unit: Unit | None = None  # the own unit that is ordered; None: nobody's, or another power's
    doubts: tuple[LineDoubt, ...] = ()
    words: tuple[tuple[Phrase, Meaning], ...] = ()  # each place as written, with its meaning
    others: tuple[Order, ...] = ()  # what else it may be where a coast is missing
    is_possible: bool = True

    @property
    def reason(self) -> str:
        """The reasons in words."""
        return sentences(self.because)
