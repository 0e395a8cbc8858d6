"""Where the boxes of a row of fields are: the second row design in millimetres."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pipeline.board.position import Step
from pipeline.ink import Box
from pipeline.tournament.field_rows import GROUPS, UNIT, Column, FieldRows, PlaceBox, TickBox
from pipeline.tournament.sheet import Rows, SheetTemplate

MM_PER_PT = 25.4 / 72
CAPITAL = 0.73  # height of Helvetica's capitals, of the type size
BOLD_WIDTHS = {
    "I/ ": 0.278,
    "J": 0.556,
    "FLTZ": 0.611,
    "EPSVXY": 0.667,
    "ABCDHKNRU": 0.722,
    "GOQ": 0.778,
    "M": 0.833,
    "W": 0.944,
}
LABEL_UP_MM = 0.7  # from a tick box to the letters over it
HEAD_UP_MM = 0.6  # from the first row to the words over it
AROUND_MM = 0.4  # of white around what is printed


@dataclass(frozen=True, slots=True)
class Stippled:
    """A dotted edge of a box, across or down."""

    left: float
    top: float
    length: float
    pitch: float
    is_upright: bool

    @property
    def dots(self) -> tuple[tuple[float, float], ...]:
        """Where its dots are: from the left, and from the top."""
        along = [n * self.pitch for n in range(round(self.length / self.pitch) + 1)]
        return tuple((self.left, self.top + at) if self.is_upright else (self.left + at, self.top) for at in along)


@dataclass(frozen=True, slots=True)
class Cell:
    """One box of a row."""

    column: Column
    box: Box  # where to write or to tick


def base_of(row: Box, rows: Rows) -> float:
    """Where the dotted line of a row is."""
    return row.top + row.height - rows.guide_above


def cells(template: SheetTemplate, step: Step, row: Box, *, unit_printed: bool) -> Iterator[Cell]:
    """Lay the boxes of one row out, from the left; the unit's own only where it is not printed."""
    fields, base = template.boxes, base_of(row, template.rows)
    left = row.left
    for group in GROUPS[step]:
        for column in group:
            width = fields.width_of(column)
            top, height = (row.top, row.height) if isinstance(column, PlaceBox) else (base - fields.tick, fields.tick)
            if group is not UNIT or not unit_printed:
                box = Box(round(left, 3), round(top, 3), round(width, 3), round(height, 3))
                yield Cell(column, box)
            left += width + fields.gap
        left += fields.apart - fields.gap


def edges(cell: Cell, base: float, fields: FieldRows) -> Iterator[Stippled]:
    """Draw a box round with dots; the row's dotted line is its lower edge, and a place box is open above."""
    box, sides = cell.box, (cell.box.left, round(cell.box.left + cell.box.width, 3))
    if isinstance(cell.column, TickBox):
        pitch = fields.tick / max(1, round(fields.tick / fields.dots))
        yield Stippled(box.left, box.top, box.width, pitch, is_upright=False)
        top, length = box.top + pitch, fields.tick - 2 * pitch
    else:
        pitch = fields.side / max(1, round(fields.side / fields.dots))
        top, length = base - fields.side, fields.side - pitch
    for left in sides:
        yield Stippled(left, round(top, 3), length, pitch, is_upright=True)


def label_base(box: Box) -> float:
    """The line on which the letters over a tick box stand."""
    return box.top - LABEL_UP_MM


def label_box(cell: Cell, fields: FieldRows) -> Box:
    """The room for the letters over a tick box; nothing else is printed there."""
    size = fields.label_pt * MM_PER_PT
    across = max(fields.tick, 0.6 * size * len(getattr(cell.column, "label", ""))) + 2 * AROUND_MM
    top = label_base(cell.box) - CAPITAL * size - AROUND_MM
    left = cell.box.left + (cell.box.width - across) / 2
    return Box(round(left, 3), round(top, 3), round(across, 3), round(CAPITAL * size + 2 * AROUND_MM, 3))


def head_base(row: Box, rows: Rows) -> float:
    """The line on which the words over the first row stand."""
    return round(row.top - rows.inset - HEAD_UP_MM, 3)


def head_box(row: Box, template: SheetTemplate) -> Box:
    """The room for the words over the first row."""
    high = CAPITAL * template.boxes.head_pt * MM_PER_PT
    top = head_base(row, template.rows) - high - AROUND_MM
    return Box(row.left, round(top, 3), row.width, round(high + 3 * AROUND_MM, 3))


def head_places(template: SheetTemplate, step: Step, row: Box) -> Iterator[tuple[float, float]]:
    """Where the words over each group begin, and how wide they may be."""
    fields = template.boxes
    starts = []
    left = row.left
    for group in GROUPS[step]:
        starts.append(left)
        left += sum(map(fields.width_of, group)) + (len(group) - 1) * fields.gap + fields.apart
    for start, after in pairwise([*starts, max(left, row.left + row.width)]):
        yield start, after - start - 1.0


def unit_boxes(row: Box, unit: str, rows: Rows) -> Iterator[Box]:
    """The room for each word of a printed unit: ink that holds two words together was not printed."""
    size, base = rows.unit_pt * MM_PER_PT, base_of(row, rows)
    top, height = base - CAPITAL * size - AROUND_MM, CAPITAL * size + 2 * AROUND_MM
    left = row.left
    for word in unit.split():
        width = sum(map(letter_width, word)) * size
        box = (left - AROUND_MM, top, width + 2 * AROUND_MM, height)
        yield Box(*(round(edge, 3) for edge in box))
        left += width + letter_width(" ") * size


def letter_width(letter: str) -> float:
    """How wide a letter of a printed unit is, of the type size (Adobe's metrics of Helvetica bold)."""
    return next(width for letters, width in BOLD_WIDTHS.items() if letter in letters)
