"""The second row design: what a row of fields has, in the order of the line, and its measures in the template."""

from dataclasses import dataclass
from enum import StrEnum

from pipeline.board.position import Step

LEAST_TICK_MM = 4.0  # 5 mm is read best; A5 takes 4.4
LEAST_PLACE_MM = 16.0  # three wide letters of a large hand, 5 mm each


class Design(StrEnum):
    """How the rows of a sheet are made."""

    LINE = "line"  # one free line a row
    FIELDS = "fields"  # boxes to tick and boxes for places
    TARGETS = "targets"  # printed units, and a box to tick for each place they can go to


@dataclass(frozen=True, slots=True)
class TickBox:
    """A box to tick: what it is called in the layout, and what it stands for in the line."""

    name: str
    text: str
    label: str  # printed over it


@dataclass(frozen=True, slots=True)
class PlaceBox:
    """A box to write a place into."""

    name: str


Column = TickBox | PlaceBox

# Army or fleet and the place of the unit; printed instead where the units are known.
UNIT: tuple[Column, ...] = (TickBox("A", "A", "A"), TickBox("F", "F", "F"), PlaceBox("unit"))
OF: tuple[Column, ...] = (TickBox("of A", "A", "A"), TickBox("of F", "F", "F"), PlaceBox("of"))
TO = PlaceBox("to")


def sign(letter: str) -> TickBox:
    """Make the box of a sign that is one letter, or the dash of a move."""
    return TickBox(letter, letter, "–" if letter == "-" else letter)


# Groups of boxes from left to right; together they can say every order of the step (a named route apart).
GROUPS: dict[Step, tuple[tuple[Column, ...], ...]] = {
    Step.MOVEMENT: (UNIT, tuple(map(sign, "H-SC")), OF, (TO, TickBox("via", "VIA", "via"))),
    Step.RETREATS: (UNIT, tuple(map(sign, "RD")), (TO,)),
    Step.ADJUSTMENTS: (UNIT, tuple(map(sign, "BD")), (TickBox("waive", "WAIVE", "waive"),)),
}
HEADS: dict[Step, tuple[str, ...]] = {  # which of the template's words stand over each group
    Step.MOVEMENT: ("unit", "movement_signs", "of", "to"),
    Step.RETREATS: ("unit", "retreat_signs", "to"),
    Step.ADJUSTMENTS: ("unit", "adjustment_signs", "nothing"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRows:
    """The measures and words of rows of fields, in a template's table ``[fields]``."""

    tick: float  # side of a tick box
    gap: float  # between two boxes of a group
    apart: float  # between two groups
    place: float  # width of a place box
    side: float  # height of the dotted sides of a place box
    dots: float  # pitch of the dots round the boxes, at most
    label_pt: float  # the letters over the tick boxes
    head_pt: float  # the words over the first row
    unit: str
    movement_signs: str
    retreat_signs: str
    adjustment_signs: str
    of: str
    to: str
    nothing: str
    movement: tuple[str, ...]
    retreats: tuple[str, ...]
    adjustments: tuple[str, ...]

    def how(self, step: Step) -> tuple[str, ...]:
        """The instructions for this step."""
        return {Step.MOVEMENT: self.movement, Step.RETREATS: self.retreats, Step.ADJUSTMENTS: self.adjustments}[step]

    def heads(self, step: Step) -> tuple[str, ...]:
        """The words over each group of boxes."""
        words = {
            "unit": self.unit,
            "movement_signs": self.movement_signs,
            "retreat_signs": self.retreat_signs,
            "adjustment_signs": self.adjustment_signs,
            "of": self.of,
            "to": self.to,
            "nothing": self.nothing,
        }
        return tuple(words[name] for name in HEADS[step])

    def width_of(self, column: Column) -> float:
        """How wide a box is."""
        return self.place if isinstance(column, PlaceBox) else self.tick

    def width(self, step: Step) -> float:
        """How wide a whole row is."""
        groups = GROUPS[step]
        boxes = sum(self.width_of(column) for group in groups for column in group)
        return boxes + sum(len(group) - 1 for group in groups) * self.gap + (len(groups) - 1) * self.apart
