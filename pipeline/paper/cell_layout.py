"""Boxes to tick and to write in, in millimetres, with what is printed round them; and how they make a row of fields."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from pipeline.board.position import Step
from pipeline.ink import Box
from pipeline.paper.sheet import Rows, SheetTemplate
from pipeline.paper.sheet_rows import (
    GROUPS,
    UNIT,
    Column,
    FieldRows,
    PlaceBox,
    TickBox,
)

MM_PER_PT = 25.4 / 72
CAPITAL = 0.73  # height of Helvetica's capitals, of the type size
ACCENTED = 0.94  # of capitals with an accent: É 0.936, Ü 0.915 (Adobe's metrics)
TAILED, TAIL = frozenset("gjpqy,;()"), 0.22  # letters that go below their line, and how far, of the type size
BOLD_WIDTHS = {
    "I/ ijl": 0.278,
    "ft": 0.333,
    "r": 0.389,
    "z": 0.5,
    "Jacekyvxs–": 0.556,
    "FLTZbdghnopqu": 0.611,
    "EPSVXY": 0.667,
    "ABCDHKNRU": 0.722,
    "GOQw": 0.778,
    "M": 0.833,
    "m": 0.889,
    "W": 0.944,
}
WIDEST = 1.0  # of a letter that is not named here
BOLD_INK = {  # mm² of ink at 7 points, a scanner's blur and all: fitted to 3,576 labels on 60 scans
    "A": 1.96,
    "B": 2.59,
    "C": 2.25,
    "D": 2.49,
    "E": 2.37,
    "F": 1.90,
    "G": 2.59,
    "H": 2.34,
    "I": 0.92,
    "J": 1.49,
    "K": 2.26,
    "L": 1.54,
    "M": 2.93,
    "N": 2.45,
    "O": 2.44,
    "P": 2.04,
    "Q": 2.58,
    "R": 2.44,
    "S": 2.38,
    "T": 1.61,
    "U": 2.24,
    "V": 1.89,
    "W": 3.04,
    "X": 2.03,
    "Y": 1.57,
    "Z": 2.08,
    "/": 1.0,
}
ACCENT_INK = 0.25  # mm² at 7 points, as those above: two dots, or a stroke
INK_NARROWS = 0.68  # with this power of the squeeze: 0.86 times as much at 0.8
INK_GROWS = 1.93  # with this power of the size: 2.11 times as much at 10.3 points
LABEL_UP_MM = 0.7  # from a tick box to the letters over it
HEAD_UP_MM = 0.6  # from the first row to the words over it
AROUND_MM = 0.4  # of white around what is printed


class Stippled(Struct, frozen=True):
    """A dotted edge of a box, across or down; its dots may be as long as dashes."""

    left: float
    top: float
    length: float
    pitch: float
    is_upright: bool
    dash: float = 0.0  # how long a dot is along the edge; 0: as long as it is thick

    @property
    def dots(self) -> tuple[tuple[float, float], ...]:
        """Where its dots are: from the left, and from the top."""
        along = [n * self.pitch for n in range(self.count)]
        return tuple((self.left, self.top + at) if self.is_upright else (self.left + at, self.top) for at in along)

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where its first and its last dot are."""
        at = (self.count - 1) * self.pitch
        return (self.left, self.top), (self.left, self.top + at) if self.is_upright else (self.left + at, self.top)

    @property
    def count(self) -> int:
        """How many dots it has."""
        return round(self.length / self.pitch) + 1


class Type(Struct, frozen=True):
    """One line of print, from the left."""

    text: str
    left: float
    base: float  # the line that its letters stand on
    points: float
    is_bold: bool = True
    grey: float = 0.0
    squeeze: float = 1.0  # how wide its letters are, against what they are in the font

    @property
    def box(self) -> Box:
        """The room of bold letters, with some white around."""
        size = self.points * MM_PER_PT
        wide, high = text_width(self.text) * size * self.squeeze, _height_of(self.text) * size
        deep = TAIL * size if TAILED.intersection(self.text) else 0.0
        top, tall = self.base - high - AROUND_MM, high + deep + 2 * AROUND_MM
        return Box(*(round(edge, 3) for edge in (self.left - AROUND_MM, top, wide + 2 * AROUND_MM, tall)))


class Cell(Struct, frozen=True):
    """One box of a row."""

    column: Column
    row: int  # 1.., as it is printed
    line: Box  # what it stands in: the whole row, or one of its lines
    box: Box  # where to write or to tick
    label: Box | None  # the room for the letters over it, or beside it; nothing else is printed there
    edges: tuple[Stippled, ...]
    words: tuple[Type, ...] = ()  # those beside it; over it, they follow from its column

    @property
    def name(self) -> str:
        """What it is called in the layout."""
        return self.column.name


class LaidRow(Struct, frozen=True):
    """One row of a sheet: a unit's, or one for what has no box."""

    number: int  # 1.., as it is printed
    box: Box
    lines: tuple[Box, ...]  # from the top


class PrintedWord(Struct, frozen=True):
    """A printed word that names no box."""

    box: Box
    text: str
    ink: float = 1.0  # how much it has, beside the same word as large as most are


class Parted(Struct, frozen=True):
    """The boxes of all rows of a sheet, and what is printed round them."""

    cells: tuple[Cell, ...] = ()  # row after row, in the order of the line
    printed: tuple[Box, ...] = ()  # words and letters round the boxes, to be told from ink
    words: tuple[PrintedWord, ...] = ()  # of these, what has no box: units word by word, and captions
    rules: tuple[Stippled, ...] = ()  # between columns
    type: tuple[Type, ...] = ()  # what is printed beside the words of the boxes


def _base_of(row: Box, rows: Rows) -> float:
    """Where the dotted line of a row is."""
    return row.top + row.height - rows.guide_above


@lru_cache(maxsize=1024)
def _row_of_fields(
    template: SheetTemplate, step: Step, number: int, row: Box, *, unit_printed: bool
) -> tuple[Cell, ...]:
    """Lay a row of fields out, as many sheets have it; the unit's own boxes only where it is not printed."""
    found: list[Cell] = []
    left = row.left
    for group in GROUPS[step]:
        if group is not UNIT or not unit_printed:
            found += lay(template, group, number, row, left, template.boxes.place)
        left += _group_width(template, group) + template.boxes.apart
    return tuple(found)


def lay(
    template: SheetTemplate, group: Iterable[Column], number: int, row: Box, left: float, place: float
) -> Iterator[Cell]:
    """Lay one group of boxes out in a row or one line of it; ``place`` is how wide a box for a place is."""
    fields, base = template.boxes, _base_of(row, template.rows)
    for column in group:
        room = _column_width(template, column, place)
        is_place = isinstance(column, PlaceBox)
        width = room if is_place else fields.tick
        top, height = (row.top, row.height) if is_place else (base - fields.tick, fields.tick)
        box = Box(*(round(edge, 3) for edge in (left + (room - width) / 2, top, width, height)))
        label = _label_box(column, box, template) if isinstance(column, TickBox) else None
        yield Cell(column, number, row, box, label, tuple(edges(column, box, base, fields)))
        left += room + fields.gap


def _column_width(template: SheetTemplate, column: Column, place: float) -> float:
    """How wide a box is, or what is printed over it."""
    if isinstance(column, PlaceBox):
        return place
    return template.boxes.tick


def _group_width(template: SheetTemplate, group: Sequence[Column], place: float | None = None) -> float:
    """How wide a group of boxes is."""
    fields = template.boxes
    wide = [_column_width(template, column, fields.place if place is None else place) for column in group]
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


def _label_box(column: TickBox, box: Box, template: SheetTemplate) -> Box:
    """The room for the letters over a tick box; nothing else is printed there."""
    size = template.boxes.label_pt * MM_PER_PT
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


def _field_heads(template: SheetTemplate, step: Step, left: float) -> Iterator[float]:
    """Where the words over each group of boxes of a row of fields begin, and where another group would."""
    yield left
    for group in GROUPS[step]:
        left += _group_width(template, group) + template.boxes.apart
        yield left


def unit_boxes(row: Box, unit: str, rows: Rows) -> Iterator[PrintedWord]:
    """Each word of a printed unit, with its room: ink that holds two words together was not printed."""
    size, base = rows.unit_pt * MM_PER_PT, _base_of(row, rows)
    high = _height_of(unit) * size
    top, height = base - high - AROUND_MM, high + 2 * AROUND_MM
    left = row.left
    for word in unit.split():
        width = text_width(word) * size
        box = (left - AROUND_MM, top, width + 2 * AROUND_MM, height)
        yield PrintedWord(Box(*(round(edge, 3) for edge in box)), word)
        left += width + _letter_width(" ") * size


def text_width(word: str) -> float:
    """How wide a word is, of the type size."""
    return sum(map(_letter_width, word))


def ink_of(cell: Cell) -> float:
    """How much ink the letters of a box's name have, beside those of another."""
    if not cell.words:
        return sum(map(_letter_ink, cell.column.label)) if isinstance(cell.column, TickBox) else 0.0
    type_, ink = cell.words[0], sum(_letter_ink(letter) for word in cell.words for letter in word.text)
    return ink * growth(type_)


def growth(type_: Type) -> float:
    """How much ink letters have, beside the same of 7 points that are as wide as in the font."""
    return float(type_.squeeze**INK_NARROWS) * float((type_.points / 7) ** INK_GROWS)


def _letter_ink(letter: str) -> float:
    """How much ink a letter has; small ones stand in no name."""
    bare = _without_accent(letter)
    return BOLD_INK.get(bare, 0.0) + (ACCENT_INK if bare != letter and bare in BOLD_INK else 0.0)


def _height_of(text: str) -> float:
    """How high the letters of a text may be, of the type size: accents stand above capitals."""
    return ACCENTED if any(letter.isupper() and _without_accent(letter) != letter for letter in text) else CAPITAL


@lru_cache(maxsize=512)
def _without_accent(letter: str) -> str:
    """A letter without its accent: as wide, in this type.

    >>> _without_accent("Ü"), _without_accent("é"), _without_accent("–")
    ('U', 'e', '–')
    """
    return letter if letter.isascii() else unicodedata.normalize("NFD", letter)[0]


def _letter_width(letter: str) -> float:
    """How wide a letter of a printed unit or place is, of the type size (Adobe's metrics of Helvetica bold)."""
    bare = _without_accent(letter)
    return next((width for letters, width in BOLD_WIDTHS.items() if bare in letters), WIDEST)


def cells(template: SheetTemplate, step: Step, rows: Sequence[LaidRow], units: Sequence[str]) -> Iterator[Cell]:
    """Lay the boxes of all rows of fields of a sheet out; ``units`` are those printed, in the first rows."""
    for row in rows:
        yield from _row_of_fields(template, step, row.number, row.box, unit_printed=row.number <= len(units))


def head_places(template: SheetTemplate, step: Step, row: Box) -> Iterator[tuple[float, float]]:
    """Where the words over each group of the first row begin, and how wide they may be."""
    *groups, after_last = _field_heads(template, step, row.left)
    for start, after in pairwise((*groups, max(after_last, row.left + row.width))):
        yield start, after - start - 1.0
