"""Boxes to tick and to write in, in millimetres, with what is printed round them; and how they make a row of fields."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.board.position import Step
from pipeline.ink import Box
from pipeline.tournament.field_rows import GROUPS, UNIT, Column, FieldRows, PlaceBox, TickBox
from pipeline.tournament.sheet import Rows, SheetTemplate
from pipeline.tournament.target_rows import NamedBox

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
BOLD_INK = {  # mm² of ink at 7 points, a scanner's blur and all; only the proportions matter
    "I/": 1.0,
    "JLTY": 1.5,
    "FV": 1.8,
    "ACPUXZ": 2.1,
    "DEHKNORS": 2.35,
    "BGQ": 2.6,
    "MW": 3.25,
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
    row: int  # 1.., as it is printed
    line: Box  # what it stands in: the whole row, or one of its lines
    box: Box  # where to write or to tick
    label: Box | None  # the room for the letters over it; nothing else is printed there
    edges: tuple[Stippled, ...]

    @property
    def name(self) -> str:
        """What it is called in the layout."""
        return self.column.name


def base_of(row: Box, rows: Rows) -> float:
    """Where the dotted line of a row is."""
    return row.top + row.height - rows.guide_above


@lru_cache(maxsize=1024)
def row_of_fields(
    template: SheetTemplate, step: Step, number: int, row: Box, *, unit_printed: bool
) -> tuple[Cell, ...]:
    """Lay a row of fields out, as many sheets have it; the unit's own boxes only where it is not printed."""
    found: list[Cell] = []
    left = row.left
    for group in GROUPS[step]:
        if group is not UNIT or not unit_printed:
            found += lay(template, group, number, row, left, template.boxes.place)
        left += group_width(template, group) + template.boxes.apart
    return tuple(found)


def lay(
    template: SheetTemplate, group: Iterable[Column], number: int, row: Box, left: float, place: float
) -> Iterator[Cell]:
    """Lay one group of boxes out in a row or one line of it; ``place`` is how wide a box for a place is."""
    fields, base = template.boxes, base_of(row, template.rows)
    for column in group:
        room = column_width(template, column, place)
        is_place = isinstance(column, PlaceBox)
        width = room if is_place else fields.tick
        top, height = (row.top, row.height) if is_place else (base - fields.tick, fields.tick)
        box = Box(*(round(edge, 3) for edge in (left + (room - width) / 2, top, width, height)))
        label = label_box(column, box, template) if isinstance(column, TickBox) else None
        yield Cell(column, number, row, box, label, tuple(edges(column, box, base, fields)))
        left += room + fields.gap


def column_width(template: SheetTemplate, column: Column, place: float) -> float:
    """How wide a box is, or what is printed over it."""
    if isinstance(column, PlaceBox):
        return place
    wide = text_width(column.label) * template.target_rows.label_pt * MM_PER_PT if isinstance(column, NamedBox) else 0
    return max(template.boxes.tick, wide)


def group_width(template: SheetTemplate, group: Sequence[Column], place: float | None = None) -> float:
    """How wide a group of boxes is."""
    fields = template.boxes
    wide = [column_width(template, column, fields.place if place is None else place) for column in group]
    return sum(wide) + (len(wide) - 1) * fields.gap


def edges(column: Column, box: Box, base: float, fields: FieldRows) -> Iterator[Stippled]:
    """Draw a box round with dots; the row's dotted line is its lower edge, and a place box is open above."""
    sides = (box.left, round(box.left + box.width, 3))
    if isinstance(column, TickBox):
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


def label_pt(template: SheetTemplate, column: Column) -> float:
    """The size of the letters over a box."""
    return template.target_rows.label_pt if isinstance(column, NamedBox) else template.boxes.label_pt


def label_box(column: TickBox, box: Box, template: SheetTemplate) -> Box:
    """The room for the letters over a tick box; nothing else is printed there."""
    size = label_pt(template, column) * MM_PER_PT
    if isinstance(column, NamedBox):
        across = text_width(column.label) * size + 2 * AROUND_MM
    else:
        across = max(template.boxes.tick, 0.6 * size * len(column.label)) + 2 * AROUND_MM
    top = label_base(box) - CAPITAL * size - AROUND_MM
    left = box.left + (box.width - across) / 2
    return Box(round(left, 3), round(top, 3), round(across, 3), round(CAPITAL * size + 2 * AROUND_MM, 3))


def head_base(row: Box, rows: Rows) -> float:
    """The line on which the words over the first row stand."""
    return round(row.top - rows.inset - HEAD_UP_MM, 3)


def head_box(row: Box, template: SheetTemplate) -> Box:
    """The room for the words over the first row."""
    high = CAPITAL * template.boxes.head_pt * MM_PER_PT
    top = head_base(row, template.rows) - high - AROUND_MM
    return Box(row.left, round(top, 3), row.width, round(high + 3 * AROUND_MM, 3))


def field_heads(template: SheetTemplate, step: Step, left: float) -> Iterator[float]:
    """Where the words over each group of boxes of a row of fields begin, and where another group would."""
    yield left
    for group in GROUPS[step]:
        left += group_width(template, group) + template.boxes.apart
        yield left


def unit_boxes(row: Box, unit: str, rows: Rows) -> Iterator[tuple[Box, str]]:
    """The room for each word of a printed unit, and the word: ink that holds two words together was not printed."""
    size, base = rows.unit_pt * MM_PER_PT, base_of(row, rows)
    top, height = base - CAPITAL * size - AROUND_MM, CAPITAL * size + 2 * AROUND_MM
    left = row.left
    for word in unit.split():
        width = text_width(word) * size
        box = (left - AROUND_MM, top, width + 2 * AROUND_MM, height)
        yield Box(*(round(edge, 3) for edge in box)), word
        left += width + letter_width(" ") * size


def text_width(word: str) -> float:
    """How wide a word is, of the type size."""
    return sum(map(letter_width, word))


def ink_of(word: str) -> float:
    """How much ink the letters of a word have beside those of another."""
    return sum(ink for letter in word for letters, ink in BOLD_INK.items() if letter in letters)


def letter_width(letter: str) -> float:
    """How wide a letter of a printed unit or place is, of the type size (Adobe's metrics of Helvetica bold)."""
    return next(width for letters, width in BOLD_WIDTHS.items() if letter in letters)
