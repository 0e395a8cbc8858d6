"""The third row design: a printed unit, and a box to tick for each place that it can go to without a convoy."""

from dataclasses import dataclass

from pipeline.board.position import Step
from pipeline.tournament.field_rows import Column, PlaceBox, TickBox, sign

HOLD, SUPPORT, CONVOY, DISBAND = (sign(letter) for letter in "HSCD")
VIA = TickBox("via", "VIA", "via")
OF, TO = PlaceBox("of"), PlaceBox("to")
HEADS: dict[Step, tuple[str, ...]] = {  # which of the template's words stand over each group
    Step.MOVEMENT: ("hold", "goes", "signs", "of", "to"),
    Step.RETREATS: ("retreats_to", "disband"),
}


@dataclass(frozen=True, slots=True)
class Target:
    """A place that a unit can go to without a convoy."""

    place: str  # its box is called so in the layout
    word: str  # and has this over it: one that means no other place in this tournament


Targets = tuple[tuple[Target, ...], ...]  # of each printed unit


@dataclass(frozen=True, slots=True)
class TargetBox(TickBox):
    """A box to tick for one place; what that says depends on the sign that is ticked beside it."""

    goes: str  # how the unit gets there: "-", or "R" where it retreats
    province: str  # what it says of a unit that stands there, or of an army that is carried there


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRows:
    """The words of rows of targets, in a template's table ``[targets]``; their boxes are those of ``[fields]``."""

    label_pt: float  # the places over their boxes
    hold: str
    goes: str
    signs: str
    of: str
    to: str
    retreats_to: str
    disband: str
    movement: tuple[str, ...]
    retreats: tuple[str, ...]

    def how(self, step: Step) -> tuple[str, ...]:
        """The instructions for this step."""
        return self.movement if step is Step.MOVEMENT else self.retreats

    def heads(self, step: Step) -> tuple[str, ...]:
        """The words over each group of boxes."""
        words = {
            "hold": self.hold,
            "goes": self.goes,
            "signs": self.signs,
            "of": self.of,
            "to": self.to,
            "retreats_to": self.retreats_to,
            "disband": self.disband,
        }
        return tuple(words[name] for name in HEADS[step])


def groups_of(step: Step, unit: str, targets: tuple[Target, ...]) -> tuple[tuple[Column, ...], ...]:
    """List the groups of boxes of one printed unit, from the left; together they can say each of its orders.

    >>> near = Target("BRE", "BRE"), Target("MAR", "MARS")
    >>> [[column.name for column in group] for group in groups_of(Step.MOVEMENT, "A GAS", near)]
    [['H'], ['BRE', 'MAR'], ['S', 'via'], ['of'], ['to']]
    >>> [[column.label for column in group] for group in groups_of(Step.RETREATS, "A GAS", near)]
    [['BRE', 'MARS'], ['D']]
    """
    goes = "R" if step is Step.RETREATS else "-"
    places = tuple(TargetBox(t.place, t.word, t.word, goes, t.word.split("/")[0]) for t in targets)
    if step is Step.RETREATS:
        return places, (DISBAND,)
    return (HOLD,), places, (SUPPORT, VIA if unit.startswith("A") else CONVOY), (OF,), (TO,)
