"""The third row design: a printed unit, a box to tick for each place it can go to, and for each unit it can help.

Of adjustments: a home centre with a box for each unit that may be built there, or a unit that may be disbanded.
"""

from dataclasses import dataclass

from pipeline.board.position import Step
from pipeline.paper.sheet.field_rows import Column, PlaceBox, TickBox, sign

HOLD, SUPPORT, CONVOY, DISBAND = (sign(letter) for letter in "HSCD")
VIA = TickBox("via", "VIA", "via")
WAIVE = TickBox("waive", "WAIVE", "waive")
OF, TO = PlaceBox("of"), PlaceBox("to")
LINES = {Step.MOVEMENT: 2, Step.RETREATS: 1, Step.ADJUSTMENTS: 1}  # of boxes, of a unit: where it goes, whom it helps


@dataclass(frozen=True, slots=True)
class Target:
    """A place that a unit can go to without a convoy, a unit that it can help, or a unit that may be built."""

    place: str  # where that is; of a build the whole unit, "F STP/NC"
    word: str  # printed at its box: one that means no other place in this tournament


@dataclass(frozen=True, slots=True)
class Choices:
    """What one printed unit, or home centre, has boxes for."""

    goes: tuple[Target, ...]  # places, or builds
    helps: tuple[Target, ...] = ()  # units, the likeliest first: as many have a box as there is room for


Targets = tuple[Choices, ...]  # of each printed unit


@dataclass(frozen=True, slots=True)
class NamedBox(TickBox):
    """A box to tick that has a name over it, of a place or of a unit."""


@dataclass(frozen=True, slots=True)
class TargetBox(NamedBox):
    """A box to tick for one place; what that says depends on the sign that is ticked beside it."""

    goes: str  # how the unit gets there: "-", or "R" where it retreats
    province: str  # what it says of an army, which has no coast


@dataclass(frozen=True, slots=True)
class HelpedBox(NamedBox):
    """A box to tick for one unit that is supported or carried."""

    place: str  # the unit's, as the boxes for places call it

    @property
    def is_army(self) -> bool:
        """Say whether it is an army: it goes to provinces, not to coasts."""
        return self.text.startswith("A ")


@dataclass(frozen=True, slots=True)
class BuildBox(NamedBox):
    """A box to tick for one unit that is built: its text is the whole order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRows:
    """Rows of targets as they were printed before `ballot_rows`: measures and words of a table ``[targets]``.

    Sheets of that edition are still read. Boxes are as in ``[fields]``.
    """

    pitch: float  # of the rows of a movement: each has two lines of boxes
    line: float  # from its upper line to its lower
    rows: int  # on a sheet for a movement
    spare: int  # of them stay free before a second sheet is printed
    label_pt: float  # the names over the boxes
    hold: str
    goes: str
    written: str
    retreats_to: str
    disband: str
    movement: tuple[str, ...]
    retreats: tuple[str, ...]

    def how(self, step: Step) -> tuple[str, ...]:
        """The instructions for this step."""
        return self.movement if step is Step.MOVEMENT else self.retreats

    def heads(self, step: Step) -> tuple[str, ...]:
        """The words over each group of boxes of the first line."""
        if step is Step.MOVEMENT:
            return self.hold, self.goes, self.written
        return self.retreats_to, self.disband


def target_boxes(choices: Choices, step: Step) -> tuple[TargetBox, ...]:
    """Make the boxes for the places that a unit can go to."""
    goes = "R" if step is Step.RETREATS else "-"
    return tuple(TargetBox(c.place, c.word, c.word, goes, c.word.split("/")[0]) for c in choices.goes)


def helped_boxes(choices: Choices) -> tuple[HelpedBox, ...]:
    """Make the boxes for the units that a unit can help.

    >>> helped_boxes(Choices((), (Target("MAR", "A MARS"),)))[0].name
    'of MAR'
    """
    return tuple(HelpedBox(f"{OF.name} {c.place}", c.word, c.word, c.place) for c in choices.helps)


def signs_of(unit: str) -> tuple[Column, ...]:
    """The boxes that say how a unit helps: only a fleet convoys."""
    return (SUPPORT,) if unit.startswith("A") else (SUPPORT, CONVOY)
