"""The rows of a sheet of lines of one height, from the top of the page down, and the bars beside them."""

from pipeline.ink import Box
from pipeline.paper.layout.paper_layout import rounded
from pipeline.paper.sheet.sheet import RowGrid, SheetTemplate


def row_boxes(template: SheetTemplate, grid: RowGrid, *, units_printed: bool, is_pad: bool) -> list[Box]:
    """Where the rows are; on a pad the years take the place of the first."""
    rows = template.rows
    left = rows.left + (rows.units_width if units_printed else 0)
    return [
        rounded(left, rows.top + n * grid.pitch + rows.inset, rows.right - left, grid.pitch - 2 * rows.inset)
        for n in range(is_pad, is_pad + grid.count)
    ]


def bar_boxes(template: SheetTemplate, line: float) -> tuple[Box, Box]:
    """Where the two bars beside a line to write on are: beside the middle of a row of one line."""
    margin, bars, rows = template.markers.margin, template.bars, template.rows
    top = line + rows.guide_above - (rows.pitch - 2 * rows.inset) / 2 - bars.height / 2
    return (
        rounded(margin, top, bars.width, bars.height),
        rounded(template.width - margin - bars.width, top, bars.width, bars.height),
    )


def below(box: Box, above_edge: float) -> float:
    """A line so far above the lower edge of a box."""
    return round(box.top + box.height - above_edge, 3)
