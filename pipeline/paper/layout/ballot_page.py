"""The rows of a sheet of blocks, from the top of the page to its foot, and the bars beside them."""

from collections.abc import Iterator
from itertools import pairwise

from pipeline.board.position import Step
from pipeline.ink import Box
from pipeline.paper.layout.ballot_layout import WITHIN_MM
from pipeline.paper.layout.cell_layout import LaidRow
from pipeline.paper.sheet.ballot_rows import BallotRows, share_of
from pipeline.paper.sheet.sheet import SheetTemplate

ABOVE_MM = 0.8  # from a line of dots to the edge of the block that it ends
APART_MM = 0.4  # between two rows
END_MM = 1.5  # from the last bar to the end of the rows


def ballot_lines(ballot: BallotRows, step: Step, units: int, part: int) -> tuple[LaidRow, ...]:
    """Lay the rows of one sheet out: the blocks of its units, and then the free ones."""
    share = share_of(ballot, step, units, part)
    count = ballot.lines_on(step)
    line = (share.height - ballot.above) / count
    block = [line + ballot.above, *(line for _ in range(1, count))]
    kinds = [(share.first + number, block) for number in range(share.units)]
    kinds += [(share.first_free + number, [ballot.ticks, ballot.writing]) for number in range(share.free)]
    rows, top = [], ballot.top
    for number, heights in kinds:
        rows.append(row_at(ballot, number, top, heights))
        top += sum(heights)
    return tuple(rows)


def row_at(ballot: BallotRows, number: int, top: float, heights: list[float]) -> LaidRow:
    """Lay one row out: its lines have these heights, and each but the last ends on its dots."""
    left, wide = ballot.left, ballot.right - ballot.left
    edges = [top - ABOVE_MM + WITHIN_MM + APART_MM]
    for height in heights:
        top += height
        edges.append(top - ABOVE_MM)
    edges[-1] += WITHIN_MM
    lines = tuple(Box(left, round(start, 3), wide, round(end - start, 3)) for start, end in pairwise(edges))
    return LaidRow(number, Box(left, round(edges[0], 3), wide, round(edges[-1] - edges[0], 3)), lines)


def dotted(row: LaidRow) -> Iterator[tuple[float, bool]]:
    """Where the lines of dots of a row are, and whether it is the last one."""
    for line in row.lines[:-1]:
        yield round(line.top + line.height, 3), False
    yield round(row.box.top + row.box.height - WITHIN_MM, 3), True


def ballot_bars(template: SheetTemplate, ballot: BallotRows) -> tuple[tuple[Box, Box], ...]:
    """Bars all down both sides of the rows, wherever these are: the same on all sheets of a paper."""
    margin, bars = template.markers.margin, template.bars
    lowest = ballot.bottom - END_MM - bars.height
    count = int((lowest - ballot.top) / ballot.bars) + 1
    tops = [round(lowest - number * ballot.bars, 3) for number in reversed(range(count))]
    right = round(template.width - margin - bars.width, 3)
    return tuple((Box(margin, top, bars.width, bars.height), Box(right, top, bars.width, bars.height)) for top in tops)
