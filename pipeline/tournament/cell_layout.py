"""Where the boxes of a row of fields or targets are: the second and the third row design in millimetres."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pipeline.board.position import Step
from pipeline.ink import Box
from pipeline.problems import stop
from pipeline.tournament.field_rows import GROUPS, LEAST_PLACE_MM, UNIT, Column, FieldRows, PlaceBox, TickBox
from pipeline.tournament.sheet import Rows, SheetTemplate
from pipeline.tournament.target_rows import TargetBox, Targets, groups_of

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


def cells(
    template: SheetTemplate, step: Step, rows: Sequence[tuple[int, Box]], units: Sequence[str], targets: Targets
) -> Iterator[Cell]:
    """Lay the boxes of all rows of a sheet out, from the left; ``units`` are those printed, in the first rows."""
    places = target_places(template, step, rows[0][1], units, targets) if any(targets) else ()
    for number, row in rows:
        unit = units[number - 1] if number <= len(units) else ""
        if unit and any(targets):
            groups = groups_of(step, unit, targets[number - 1])
            for (left, place), group in zip(places, groups, strict=True):
                yield from lay(template, group, number, row, left, place)
        else:
            yield from row_of_fields(template, step, number, row, unit_printed=bool(unit))


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
    """Lay one group of boxes out; ``place`` is how wide a box for a place is."""
    fields, base = template.boxes, base_of(row, template.rows)
    for column in group:
        room = column_width(template, column, place)
        is_place = isinstance(column, PlaceBox)
        width = room if is_place else fields.tick
        top, height = (row.top, row.height) if is_place else (base - fields.tick, fields.tick)
        box = Box(*(round(edge, 3) for edge in (left + (room - width) / 2, top, width, height)))
        label = label_box(column, box, template) if isinstance(column, TickBox) else None
        yield Cell(column, number, box, label, tuple(edges(column, box, base, fields)))
        left += room + fields.gap


def column_width(template: SheetTemplate, column: Column, place: float) -> float:
    """How wide a box is, or what is printed over it."""
    if isinstance(column, PlaceBox):
        return place
    wide = text_width(column.label) * template.target_rows.label_pt * MM_PER_PT if isinstance(column, TargetBox) else 0
    return max(template.boxes.tick, wide)


def group_width(template: SheetTemplate, group: Sequence[Column], place: float | None = None) -> float:
    """How wide a group of boxes is."""
    fields = template.boxes
    wide = [column_width(template, column, fields.place if place is None else place) for column in group]
    return sum(wide) + (len(wide) - 1) * fields.gap


def target_places(
    template: SheetTemplate, step: Step, row: Box, units: Sequence[str], targets: Targets
) -> tuple[tuple[float, float], ...]:
    """Where each group of a row of targets begins, the same on all rows of a sheet, and how wide its places are."""
    fields, left = template.boxes, row.left + template.rows.units_width
    rows = [groups_of(step, unit, places) for unit, places in zip(units, targets, strict=True)]
    written = sum(isinstance(column, PlaceBox) for group in rows[0] for column in group)
    widest = [max(group_width(template, group, 0.0) for group in groups) for groups in zip(*rows, strict=True)]
    room = row.left + row.width - left - sum(widest) - (len(widest) - 1) * fields.apart
    place = min(fields.place, room / written) if written else 0.0
    if room < written * LEAST_PLACE_MM:
        most = max(zip(units, targets, strict=True), key=lambda each: len(each[1]))[0]
        text = (
            f"the targets of {most} leave {max(place, 0):.0f} mm to write a place in, and {LEAST_PLACE_MM:g} are needed"
        )
        raise stop(f"{text}; print this board with --design fields --units", template.name)
    spare = max(room - written * place, 0.0) if written else 0.0  # goes to the words over the targets
    found = []
    for wide, group in zip(widest, rows[0], strict=True):
        found.append((left, place))
        left += (wide or place) + (spare if isinstance(group[0], TargetBox) else 0.0) + fields.apart
    return tuple(found)


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
    return template.target_rows.label_pt if isinstance(column, TargetBox) else template.boxes.label_pt


def label_box(column: TickBox, box: Box, template: SheetTemplate) -> Box:
    """The room for the letters over a tick box; nothing else is printed there."""
    size = label_pt(template, column) * MM_PER_PT
    if isinstance(column, TargetBox):
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


def head_places(
    template: SheetTemplate, step: Step, row: Box, units: Sequence[str] = (), targets: Targets = ()
) -> Iterator[tuple[float, float]]:
    """Where the words over each group begin, and how wide they may be."""
    left = row.left
    if any(targets):
        starts = [start for start, _ in target_places(template, step, row, units, targets)]
    else:
        starts = []
        for group in GROUPS[step]:
            starts.append(left)
            left += group_width(template, group) + template.boxes.apart
    for start, after in pairwise([*starts, max(left, row.left + row.width)]):
        yield start, after - start - 1.0


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
