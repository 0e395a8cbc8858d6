"""Layout of the blocks of a sheet: boxes in columns with their words beside them, and the print around.

From left to right stands what makes an order: the unit, what it does, whom it helps, where that goes.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Step
from pipeline.ink import Box
from pipeline.paper import sheet_rows
from pipeline.paper.sheet import MarkedPaper, SheetTemplate
from pipeline.problems import stop
from pipeline.words.speech import write_count

# What every printed paper has in the same way: corner markers, codes, and lines of type, in millimetres.

ID_MM = 50.0  # the longest id in 10 points; nothing else is printed there
POINT_MM = 25.4 / 72


def marker_boxes(template: MarkedPaper) -> tuple[Box, Box, Box, Box]:
    size, margin = template.markers.size, template.markers.margin
    right, bottom = template.width - margin - size, template.height - margin - size
    return (
        Box(margin, margin, size, size),
        Box(right, margin, size, size),
        Box(right, bottom, size, size),
        Box(margin, bottom, size, size),
    )


def code_boxes(template: MarkedPaper) -> tuple[Box, Box]:
    """Where the two codes are: beside the top right marker, and beside the bottom left one."""
    marker, margin, codes = template.markers.size, template.markers.margin, template.codes
    left = template.width - margin - marker - codes.gap - codes.top
    low = template.height - margin - codes.bottom
    return (
        Box(left, margin, codes.top, codes.top),
        Box(margin + marker + codes.gap, low, codes.bottom, codes.bottom),
    )


def type_box(left: float, right: float, y: float, points: float) -> Box:
    """The box of a line of type that stands at ``y``: it reaches 0.3 of its size down, for tails, and 0.95 up."""
    size = points * POINT_MM
    return round_box(left - 1, y - 0.95 * size, right - left + 2, 1.25 * size)


def round_box(left: float, top: float, width: float, height: float) -> Box:
    """A box to the micrometre, so that sums of lengths read well in the layout."""
    return Box(round(left, 3), round(top, 3), round(width, 3), round(height, 3))


GREY = 0.35  # words that are read, but not first
# share of a line's white space below its boxes, and its minimum: ticks have their tails above
LOW, LEAST_LOW_MM = 0.34, 1.2
BASE = 0.26  # the line to write on, above the lower edge of a box for a place, as a share of its height
LEADING = 0.92  # from one line of a name to the next, of the type size
HEAD_UP_MM = 2.0  # from the first block to the words over the columns
RULE_END_MM = 1.0  # from the end of a rule to the lines of dots above and below it
WORD_END_MM = 0.9  # from the end of a box's words to the rule beside it: on blurred scans nearer ones run together
BESIDE_MM = 1.4  # from a line to write on to the rule beside it
WITHIN_MM = 0.3  # a row ends below its last line of dots
RULE_OFF_MM = 0.9  # from the rule between two columns to where the column begins


class Slots(Struct, frozen=True):
    """The places of boxes in one group of columns of a block, line after line from the left."""

    measures: sheet_rows.TargetMeasures
    row: sheet_rows.LaidRow
    left: float
    columns: int
    width: float

    def __len__(self) -> int:
        return len(self.row.lines) * self.columns

    def tick(self, place: int, column: sheet_rows.TickBox, places: int = 1) -> sheet_rows.Cell:
        """Put a box to tick into one place, or into several of one line, with its words beside it."""
        line = self.row.lines[place // self.columns]
        left = self.left + place % self.columns * self.width
        return _tick_cell(self.measures, self.row, line, column, left, left + places * self.width)

    def ticks(self, columns: Sequence[sheet_rows.TickBox], room: int) -> tuple[list[sheet_rows.Cell], int]:
        """Put boxes to tick into the first places, and say how many these are.

        A box whose words would be squeezed too far in one place takes two, the longest first, as long as all have room;
        else a unit stands on two lines.
        """
        narrow = [min(word.squeeze for word in self.tick(0, column).words) for column in columns]
        is_long = [self.columns > 1 and squeeze < self.measures.least_squeeze for squeeze in narrow]
        shown = list(columns)
        while (taken := max(map(max, places := self._places(is_long)), default=-1) + 1) > room and any(is_long):
            _, last = max((squeeze, number) for number, squeeze in enumerate(narrow) if is_long[number])
            is_long[last], shown[last] = False, _on_two_lines(columns[last])
        return [self.tick(own[0], column, len(own)) for own, column in zip(places, shown, strict=True)], taken

    def _places(self, is_long: Sequence[bool]) -> list[tuple[int, ...]]:
        """The first places that are left for each box: one, or two of one line for a long one."""
        given: list[tuple[int, ...]] = []
        for long in is_long:
            used = {place for places in given for place in places}
            starts = (n for n in range(3 * len(is_long)) if not long or n % self.columns < self.columns - 1)
            wanted = ((n, n + 1) if long else (n,) for n in starts)
            given.append(next(places for places in wanted if used.isdisjoint(places)))
        return given

    def first_to_write_in(self, taken: int) -> int:
        """Where the box to write in begins: before the last two places, or before the last where they are taken."""
        return len(self) - (2 if self.columns > 1 and taken <= len(self) - 2 else 1)

    def written(self, column: sheet_rows.PlaceBox, first: int) -> Iterator[sheet_rows.Cell | sheet_rows.Type]:
        """Put a box to write in into the last places; where it takes two, the word "other" stands before it."""
        line, left = self.row.lines[-1], self.left + first % self.columns * self.width
        end = self.left + self.columns * self.width - RULE_OFF_MM - BESIDE_MM
        if len(self) - first == 1:
            yield _place_cell(self.measures, self.row, line, column, left, end)
            return
        left, points = left + self.measures.pad, self.measures.small_pt
        after = left + sheet_rows.text_width(self.measures.other) * points * sheet_rows.MM_PER_PT + 1.0
        cell = _place_cell(self.measures, self.row, line, column, after, end)
        yield cell
        yield sheet_rows.Type(self.measures.other, round(left, 3), cell.edges[0].top, points, is_bold=False, grey=GREY)


def _on_two_lines(column: sheet_rows.TickBox) -> sheet_rows.TickBox:
    """A box with "A" or "F" above the place of its unit; a coast stands below its province already."""
    return column if "/" in column.label else replace(column, label=column.label.replace(" ", "/"))


def target_blocks(
    where: str,
    measures: sheet_rows.TargetMeasures,
    step: Step,
    rows: Sequence[sheet_rows.LaidRow],
    units: Sequence[str],
    targets: sheet_rows.Targets,
) -> sheet_rows.Parted:
    """Lay the rows of a sheet out.

    ``units`` and ``targets`` are those of the whole power: row n is that of unit n, and higher rows are free. ``where``
    names the paper.
    """
    first = measures.homes if step is Step.ADJUSTMENTS and any(choices.goes for choices in targets) else measures.units
    parts: list[sheet_rows.Cell | sheet_rows.Type] = list(_group_heads(measures, step, rows[0], first))
    blocks = [row for row in rows if row.number <= len(units)]
    for row in blocks:
        unit = units[row.number - 1]
        parts += _block(where, measures, step, row, unit, targets[row.number - 1])
        parts += _unit_type(measures, row, unit)
    for row in rows[len(blocks) :]:
        parts += _free_row(measures, step, row)
    cells = tuple(part for part in parts if isinstance(part, sheet_rows.Cell))
    words = tuple(part for part in parts if isinstance(part, sheet_rows.Type))
    return sheet_rows.Parted(
        cells=cells,
        printed=(*(word.box for word in words), *(cell.label for cell in cells if cell.label is not None)),
        words=tuple(sheet_rows.PrintedWord(type_.box, type_.text, sheet_rows.growth(type_)) for type_ in words),
        rules=tuple(_rules(measures, step, blocks)),
        type=words,
    )


def _block(
    where: str,
    measures: sheet_rows.TargetMeasures,
    step: Step,
    row: sheet_rows.LaidRow,
    unit: str,
    choices: sheet_rows.Choices,
) -> Iterator[sheet_rows.Cell | sheet_rows.Type]:
    match step:
        case Step.MOVEMENT:
            yield from _movement_block(where, measures, row, unit, choices)
        case Step.RETREATS:
            yield from _retreat_block(where, measures, row, unit, choices)
        case Step.ADJUSTMENTS:
            yield from _adjustment_block(measures, row, unit, choices)


def _movement_block(
    where: str, measures: sheet_rows.TargetMeasures, row: sheet_rows.LaidRow, unit: str, choices: sheet_rows.Choices
) -> Iterator[sheet_rows.Cell | sheet_rows.Type]:
    """The columns of a movement block: what the unit does, whom it helps, and where that goes."""
    does, whom, goes = _columns(measures, row)
    is_fleet = unit.startswith("F")
    signs = {
        sheet_rows.SUPPORT: 0,
        sheet_rows.CONVOY: 1,
        sheet_rows.HOLD: len(row.lines) - 1,
    }  # Support in the first line, beside the units that it can support
    if not (is_fleet and choices.can_convoy):
        del signs[sheet_rows.CONVOY]
    yield from (does.tick(place, _box_with_word(measures, sign)) for sign, place in signs.items())
    helped = sorted(sheet_rows.helped_boxes(choices)[: len(whom) - 1], key=lambda box: box.place)
    cells, taken = whom.ticks(helped, len(whom) - 1)
    yield from cells
    yield from whom.written(sheet_rows.TARGET_OF, whom.first_to_write_in(taken))
    targets, others = sheet_rows.target_boxes(choices, Step.MOVEMENT), 0 if is_fleet else 1
    _check_room(where, unit, len(targets) + others, len(goes) - 1)
    cells, taken = goes.ticks(targets, len(goes) - 1 - others)
    yield from cells
    first = goes.first_to_write_in(taken + others)
    if not is_fleet:
        yield goes.tick(first - 1, _box_with_word(measures, sheet_rows.VIA))
    yield from goes.written(sheet_rows.TO, first)


def _retreat_block(
    where: str, measures: sheet_rows.TargetMeasures, row: sheet_rows.LaidRow, unit: str, choices: sheet_rows.Choices
) -> Iterator[sheet_rows.Cell]:
    """Where a unit retreats to, or that it is disbanded."""
    targets = sheet_rows.target_boxes(choices, Step.RETREATS)
    left = row.box.left + measures.unit
    goes = Slots(measures, row, left + measures.acts, measures.retreat_columns(), measures.goes_width)
    _check_room(where, unit, len(targets), len(goes))
    yield Slots(measures, row, left, 1, measures.acts).tick(0, _box_with_word(measures, sheet_rows.DISBAND))
    yield from goes.ticks(targets, len(goes))[0]


def _adjustment_block(
    measures: sheet_rows.TargetMeasures, row: sheet_rows.LaidRow, unit: str, choices: sheet_rows.Choices
) -> Iterator[sheet_rows.Cell]:
    """What may be built in a home centre; that nothing is; or that a unit is disbanded."""
    builds = tuple(_build_box(measures, choice) for choice in choices.goes)
    boxes = builds or (_box_with_word(measures, sheet_rows.DISBAND if unit else sheet_rows.WAIVE),)
    slots = Slots(measures, row, row.box.left + measures.unit, len(boxes), measures.acts)
    yield from (slots.tick(place, box) for place, box in enumerate(boxes))


def _build_box(measures: sheet_rows.TargetMeasures, unit: sheet_rows.Target) -> sheet_rows.BuildBox:
    """The box to build a unit: the word beside it is its kind, and its coast where it must have one."""
    kind, _, place = unit.place.partition(" ")
    _, slash, coast = place.partition("/")
    return sheet_rows.BuildBox(
        unit.place, f"{unit.word} B", (measures.army if kind == "A" else measures.fleet) + slash + coast
    )


def _check_room(where: str, unit: str, boxes: int, room: int) -> None:
    """Refuse a unit with more targets than its block has room for."""
    if boxes > room:
        text = f"{unit} needs {write_count(boxes, 'box', 'boxes')} for where it goes, and its block has {room}"
        raise stop(f"{text}; print --design line, or add lines or columns", f"{where} ballot")


def _columns(measures: sheet_rows.TargetMeasures, row: sheet_rows.LaidRow) -> tuple[Slots, Slots, Slots]:
    """The columns of a block of a movement: what it does, whom it helps, where that goes."""
    _, does, whom, goes = _starts_of(measures, Step.MOVEMENT)
    return (
        Slots(measures, row, does, 1, measures.does),
        Slots(measures, row, whom, measures.whom, measures.whom_width),
        Slots(measures, row, goes, measures.goes, measures.goes_width),
    )


def _starts_of(measures: sheet_rows.TargetMeasures, step: Step) -> tuple[float, ...]:
    """Where the groups of columns begin: the unit, what it does, and what else there is."""
    does = measures.left + measures.unit
    if step is not Step.MOVEMENT:
        return measures.left, does, does + measures.acts
    whom = does + measures.does
    return measures.left, does, whom, whom + measures.whom * measures.whom_width


def _free_row(
    measures: sheet_rows.TargetMeasures, step: Step, row: sheet_rows.LaidRow
) -> Iterator[sheet_rows.Cell | sheet_rows.Type]:
    """Lay a row out for what has no box: all that is ticked stands above what is written, in the same columns."""
    upper, lower = row.lines
    starts = dict(zip(sheet_rows.GROUPS[step], _starts_of(measures, step), strict=True))
    written = [
        starts[group] for group in sheet_rows.GROUPS[step] if any(isinstance(box, sheet_rows.PlaceBox) for box in group)
    ]
    ends = dict(zip(written, (*written[1:], measures.right), strict=True))
    left = 0.0
    for group in sheet_rows.GROUPS[step]:
        start = starts[group]
        left = max(left, start)
        for column in group:
            if isinstance(column, sheet_rows.PlaceBox):
                yield _place_cell(
                    measures, row, lower, column, start + measures.pad, ends[start] - RULE_OFF_MM - BESIDE_MM
                )
            else:
                cell = _tick_cell(measures, row, upper, column, left, measures.right)
                yield cell
                left = max(word.box.right for word in cell.words)
    base = base_in(measures, row, upper, measures.small_pt)
    caption = sheet_rows.Type(measures.free, round(left + 2 * measures.pad, 3), base, measures.small_pt, False, GREY)
    yield _squeeze_type(caption, measures.right - caption.left)


def _tick_cell(
    measures: sheet_rows.TargetMeasures,
    row: sheet_rows.LaidRow,
    line: Box,
    column: sheet_rows.TickBox,
    left: float,
    right: float,
) -> sheet_rows.Cell:
    """A box to tick, low in its line, with its words beside it; long ones are squeezed into the column."""
    side = _tick_side(measures, row)
    box = round_box(left + measures.pad, _top_in(line, side), side, side)
    words = _words_beside(measures, column.label, box, right - RULE_OFF_MM - WORD_END_MM)
    boxes = [word.box for word in words]
    up, low = min(each.top for each in boxes), max(each.bottom for each in boxes)
    label = round_box(boxes[0].left, up, max(each.width for each in boxes), low - up)
    return sheet_rows.Cell(column, row.number, line, box, label, tuple(dot_frame(measures, box)), words)


def _top_in(line: Box, side: float) -> float:
    """Where the boxes of a line begin, which are nearer to its lower end."""
    return line.bottom - side - max(LOW * (line.height - side), LEAST_LOW_MM)


def base_in(measures: sheet_rows.TargetMeasures, row: sheet_rows.LaidRow, line: Box, points: float) -> float:
    """Where letters of a size stand that are as high as the middle of a line's boxes."""
    side = _tick_side(measures, row)
    return round(_top_in(line, side) + side / 2 + sheet_rows.CAPITAL * points * sheet_rows.MM_PER_PT / 2, 3)


def _tick_side(measures: sheet_rows.TargetMeasures, row: sheet_rows.LaidRow) -> float:
    """The side of a box to tick: larger where there is room."""
    is_roomy = row.box.height / len(row.lines) >= sheet_rows.COMFORTABLE_MM
    return measures.roomy_tick if is_roomy else measures.tick


def _place_cell(
    measures: sheet_rows.TargetMeasures,
    row: sheet_rows.LaidRow,
    line: Box,
    column: sheet_rows.BoxColumn,
    left: float,
    right: float,
) -> sheet_rows.Cell:
    """A box for a place: as high as its line, with a dotted line to write on."""
    box = round_box(left, line.top, right - left, line.height)
    pitch = box.width / max(1, round(box.width / measures.dots))
    base = round(box.top + (1 - BASE) * box.height, 3)
    return sheet_rows.Cell(
        column,
        row.number,
        line,
        box,
        None,
        (sheet_rows.Stippled(box.left, base, box.width, pitch, False, measures.dash),),
    )


def dot_frame(measures: sheet_rows.TargetMeasures, box: Box) -> Iterator[sheet_rows.Stippled]:
    """Draw a box round with dots."""
    pitch = box.width / max(1, round(box.width / measures.dots))
    right, low = round(box.right, 3), round(box.bottom, 3)
    for top in (box.top, low):
        yield sheet_rows.Stippled(box.left, top, box.width, pitch, False, measures.dash)
    for left in (box.left, right):
        yield sheet_rows.Stippled(left, round(box.top + pitch, 3), box.height - 2 * pitch, pitch, True, measures.dash)


def _words_beside(
    measures: sheet_rows.TargetMeasures, label: str, box: Box, right: float
) -> tuple[sheet_rows.Type, ...]:
    """The words beside a box to tick, which end at ``right``; a coast stands below its province."""
    lines = label.split("/")
    high, left = measures.label_pt * sheet_rows.MM_PER_PT, box.right + measures.gap
    squeeze = min(1.0, round((right - left) / (max(map(sheet_rows.text_width, lines)) * high), 3))
    first = box.top + box.height / 2 + (sheet_rows.CAPITAL - (len(lines) - 1) * LEADING) * high / 2
    bases = [round(first + number * LEADING * high, 3) for number in range(len(lines))]
    return tuple(
        sheet_rows.Type(word, round(left, 3), base, measures.label_pt, squeeze=squeeze)
        for word, base in zip(lines, bases, strict=True)
    )


def _box_with_word(measures: sheet_rows.TargetMeasures, box: sheet_rows.TickBox) -> sheet_rows.TickBox:
    """A box with the word beside it that this template prints."""
    words = {
        sheet_rows.HOLD: measures.hold,
        sheet_rows.SUPPORT: measures.support,
        sheet_rows.CONVOY: measures.convoy,
        sheet_rows.VIA: measures.via,
        sheet_rows.DISBAND: measures.disband,
        sheet_rows.WAIVE: measures.waive,
    }
    return replace(box, label=words[box])


def _unit_type(measures: sheet_rows.TargetMeasures, row: sheet_rows.LaidRow, unit: str) -> Iterator[sheet_rows.Type]:
    """The words of a unit, large, as high as the boxes of its first line; none in a row that is for no unit."""
    if not unit:
        return
    line, left, points = row.lines[0], measures.left, measures.unit_pt
    wide = sheet_rows.text_width(unit) * points * sheet_rows.MM_PER_PT
    points = round(min(points, points * (measures.unit - 2 * RULE_OFF_MM) / max(wide, 1.0)), 2)
    base = base_in(measures, row, line, points)
    for word in unit.split():
        yield sheet_rows.Type(word, round(left, 3), base, points)
        left += sheet_rows.text_width(f"{word} ") * points * sheet_rows.MM_PER_PT


def _group_heads(
    measures: sheet_rows.TargetMeasures, step: Step, row: sheet_rows.LaidRow, first: str
) -> Iterator[sheet_rows.Type]:
    """The words over the groups of columns; ``first`` stands over the first group."""
    words = {
        Step.MOVEMENT: (first, measures.does_what, measures.helps, measures.goes_to),
        Step.RETREATS: (first, measures.does_what, measures.retreats_to),
        Step.ADJUSTMENTS: (first, "", ""),
    }[step]
    starts = _starts_of(measures, step)
    base = round(row.box.top - HEAD_UP_MM, 3)
    for word, start, end in zip(words, starts, (*starts[1:], measures.right), strict=True):
        left = round(start if start == measures.left else start + measures.pad, 3)
        if word:
            yield _squeeze_type(
                sheet_rows.Type(word, left, base, measures.head_pt, is_bold=False, grey=GREY), end - left - 1.0
            )


def _squeeze_type(type_: sheet_rows.Type, room: float) -> sheet_rows.Type:
    """Squeeze a line into its room; it is measured as if it were bold."""
    wide = sheet_rows.text_width(type_.text) * type_.points * sheet_rows.MM_PER_PT
    return type_ if wide <= room else replace(type_, squeeze=round(room / wide, 3))


def _rules(
    measures: sheet_rows.TargetMeasures, step: Step, blocks: Sequence[sheet_rows.LaidRow]
) -> Iterator[sheet_rows.Stippled]:
    """The dotted rules between the groups of columns of each block; they end before its dotted lines."""
    for line in (line for row in blocks for line in row.lines) if step is not Step.ADJUSTMENTS else ():
        top, high = line.top + RULE_END_MM, line.height - 2 * RULE_END_MM - WITHIN_MM
        pitch = high / max(1, round(high / measures.rule_dots))
        for start in _starts_of(measures, step)[1:]:
            yield sheet_rows.Stippled(round(start - RULE_OFF_MM, 3), round(top, 3), high, pitch, True, measures.dash)


# The rows of a sheet of blocks, from the top of the page to its foot, and the bars beside them.

ABOVE_MM = 0.8  # from a line of dots to the edge of the block that it ends
APART_MM = 0.4  # between two rows
END_MM = 1.5  # from the last bar to the end of the rows


def target_lines(
    measures: sheet_rows.TargetMeasures, step: Step, units: int, part: int
) -> tuple[sheet_rows.LaidRow, ...]:
    """Lay the rows of one sheet out: the blocks of its units, and then the free ones."""
    high, of_units, free = sheet_rows.share_of(measures, step, units, part)
    count = measures.lines_on(step)
    line = (high - measures.above) / count
    heights_of_unit = [line + measures.above, *(line for _ in range(1, count))]
    kinds = [(number, heights_of_unit) for number in of_units]
    kinds += [(number, [measures.ticks, measures.writing]) for number in free]
    rows, top = [], measures.top
    for number, heights in kinds:
        rows.append(_row_at(measures, number, top, heights))
        top += sum(heights)
    return tuple(rows)


def _row_at(measures: sheet_rows.TargetMeasures, number: int, top: float, heights: list[float]) -> sheet_rows.LaidRow:
    """Lay one row out: its lines have these heights, and each but the last ends on its dots."""
    left, wide = measures.left, measures.right - measures.left
    edges = [top - ABOVE_MM + WITHIN_MM + APART_MM]
    for height in heights:
        top += height
        edges.append(top - ABOVE_MM)
    edges[-1] += WITHIN_MM
    lines = tuple(Box(left, round(start, 3), wide, round(end - start, 3)) for start, end in pairwise(edges))
    return sheet_rows.LaidRow(number, Box(left, round(edges[0], 3), wide, round(edges[-1] - edges[0], 3)), lines)


def dotted_lines(row: sheet_rows.LaidRow) -> Iterator[tuple[float, bool]]:
    """Where the lines of dots of a row are, and whether it is the last one."""
    for line in row.lines[:-1]:
        yield round(line.bottom, 3), False
    yield round(row.box.bottom - WITHIN_MM, 3), True


def target_bars(template: SheetTemplate, measures: sheet_rows.TargetMeasures) -> tuple[tuple[Box, Box], ...]:
    """Bars all down both sides of the rows, wherever these are: the same on all sheets of a paper."""
    margin, bars = template.markers.margin, template.bars
    lowest = measures.bottom - END_MM - bars.height
    count = int((lowest - measures.top) / measures.bars) + 1
    tops = [round(lowest - number * measures.bars, 3) for number in reversed(range(count))]
    right = round(template.width - margin - bars.width, 3)
    return tuple((Box(margin, top, bars.width, bars.height), Box(right, top, bars.width, bars.height)) for top in tops)
