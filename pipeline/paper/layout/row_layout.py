"""Where all boxes of a sheet are: rows of fields, and rows of targets as they were printed before `ballot_rows`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.board.position import Step
from pipeline.ink import Box
from pipeline.paper.layout.cell_layout import Cell, LaidRow, column_width, field_heads, group_width, lay, row_of_fields
from pipeline.paper.sheet.field_rows import LEAST_PLACE_MM
from pipeline.paper.sheet.sheet import SheetTemplate
from pipeline.paper.sheet.target_rows import (
    CONVOY,
    DISBAND,
    HOLD,
    OF,
    SUPPORT,
    TO,
    VIA,
    Choices,
    HelpedBox,
    Targets,
    helped_boxes,
    signs_of,
    target_boxes,
)
from pipeline.problems import stop


def cells(
    template: SheetTemplate,
    step: Step,
    rows: Sequence[LaidRow],
    units: Sequence[str],
    targets: Targets,
) -> Iterator[Cell]:
    """Lay the boxes of all rows of a sheet out, from the left; ``units`` are those printed, in the first rows."""
    starts = Starts.of(template, step, rows[0].box, units, targets) if targets else None
    for row in rows:
        unit = units[row.number - 1] if row.number <= len(units) else ""
        if unit and starts is not None:
            lay_out = row_of_targets if step is Step.MOVEMENT else row_of_retreats
            yield from lay_out(template, starts, row.number, row.lines, unit, targets[row.number - 1])
        else:
            yield from row_of_fields(template, step, row.number, row.box, unit_printed=bool(unit))


@dataclass(frozen=True, slots=True)
class Starts:
    """Where the groups of boxes of rows of targets begin, in mm: the same on all rows of a sheet."""

    first: float  # H, and S below
    goes: float
    helps: float
    written: float  # the boxes for a place, at the end of both lines; D of a retreat
    place: float  # how wide those for a place are

    @classmethod
    def of(cls, template: SheetTemplate, step: Step, row: Box, units: Sequence[str], targets: Targets) -> "Starts":
        """Find room for the most targets that a unit of this sheet has."""
        fields, first, end = template.boxes, row.left + template.rows.units_width, row.left + row.width
        wide = [group_width(template, target_boxes(choices, step)) for choices in targets]
        if step is not Step.MOVEMENT:
            return cls(first, first, first, first + max(wide) + fields.apart, 0.0)
        goes = first + fields.tick + fields.apart
        room = end - goes - max(wide) - fields.apart - fields.tick - fields.gap
        if room < LEAST_PLACE_MM:
            most = units[wide.index(max(wide))]
            left = f"the targets of {most} leave {max(room, 0):.0f} mm to write a place in"
            text = f"{left}, and {LEAST_PLACE_MM:g} are needed; print this board with --design fields --units"
            raise stop(text, template.name)
        place = min(fields.place, room)
        helps = first + group_width(template, (SUPPORT, CONVOY)) + fields.apart
        return cls(first, goes, helps, end - place, place)


def row_of_targets(
    template: SheetTemplate, starts: Starts, number: int, lines: Sequence[Box], unit: str, choices: Choices
) -> Iterator[Cell]:
    """Lay the two lines of one unit out: where it goes, and whom it helps to go or to stay there."""
    fields, (upper, lower) = template.boxes, lines
    via = starts.written - fields.gap - fields.tick
    yield from lay(template, (HOLD,), number, upper, starts.first, 0.0)
    yield from lay(template, target_boxes(choices, Step.MOVEMENT), number, upper, starts.goes, 0.0)
    yield from lay(template, (VIA,) if unit.startswith("A") else (), number, upper, via, 0.0)
    yield from lay(template, (TO,), number, upper, starts.written, starts.place)
    yield from lay(template, signs_of(unit), number, lower, starts.first, 0.0)
    room = starts.written - fields.apart - starts.helps
    yield from lay(template, fitting(template, helped_boxes(choices), room), number, lower, starts.helps, 0.0)
    yield from lay(template, (OF,), number, lower, starts.written, starts.place)


def row_of_retreats(
    template: SheetTemplate, starts: Starts, number: int, lines: Sequence[Box], unit: str, choices: Choices
) -> Iterator[Cell]:
    """Lay the one line of a dislodged unit out: where it retreats to, or that it is disbanded."""
    yield from lay(template, target_boxes(choices, Step.RETREATS), number, lines[0], starts.goes, 0.0)
    yield from lay(template, (DISBAND,), number, lines[0], starts.written, 0.0)


def fitting(template: SheetTemplate, boxes: Sequence[HelpedBox], room: float) -> tuple[HelpedBox, ...]:
    """Take as many boxes as there is room for, the likeliest first, and put them in the order of their places."""
    taken: list[HelpedBox] = []
    for box in boxes:
        room -= column_width(template, box, 0.0) + (template.boxes.gap if taken else 0.0)
        if room < 0:
            break
        taken.append(box)
    return tuple(sorted(taken, key=lambda box: box.place))


def lines_of(row: Box, above: Sequence[float]) -> tuple[Box, ...]:
    """Part a row into its lines, from the top; ``above``: how far above its last each of the others is.

    >>> lines_of(Box(22.0, 54.8, 166.0, 18.8), (9.0,))[0]
    Box(left=22.0, top=54.8, width=166.0, height=9.8)
    """
    bottoms = [round(row.top + row.height - up, 3) for up in (*above, 0.0)]
    tops = [row.top, *bottoms[:-1]]
    return tuple(
        Box(row.left, top, row.width, round(bottom - top, 3)) for top, bottom in zip(tops, bottoms, strict=True)
    )


def head_places(
    template: SheetTemplate, step: Step, row: Box, units: Sequence[str] = (), targets: Targets = ()
) -> Iterator[tuple[float, float]]:
    """Where the words over each group of the first row begin, and how wide they may be."""
    end = row.left + row.width
    if targets:
        starts = Starts.of(template, step, row, units, targets)
        begin = (starts.first, starts.goes, starts.written, end)[0 if step is Step.MOVEMENT else 1 :]
    else:
        *groups, after_last = field_heads(template, step, row.left)
        begin = (*groups, max(after_last, end))
    for start, after in pairwise(begin):
        yield start, after - start - 1.0
