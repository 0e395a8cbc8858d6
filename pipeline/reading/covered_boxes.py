"""A box that something lies on: a sticker, tape, correcting fluid or a fold hides its printed edge, and its tick."""

import numpy as np

from pipeline.ink import Box
from pipeline.paper.sheet_rows import TickBox
from pipeline.reading import strokes
from pipeline.reading.box_edges import find_darkest, measure_edges
from pipeline.reading.register import RegisteredPage, part

GONE = 0.12  # of the page's usual darkness; a white band of a drum leaves 0.15, streaky toner 0.39
PALE = 0.35  # of it: what is as pale may be a sensor's grain on what lies there, and is compared with the box's middle
MIDDLE = 25  # percentile of the middle: a thin tick covers less than the rest; a broad one beside pale dashes is asked
INSIDE_MM = 1.2  # from the edge to where the middle begins


def rows_with_covered_boxes(page: RegisteredPage) -> frozenset[int]:
    """Name the rows of which a box to tick has lost its printed edge, on a page whose boxes are seen."""
    if page.is_one_bit or page.through:  # a fax keeps some dots and drops others
        return frozenset()
    cells = [cell for cell in page.form.cells if isinstance(cell.column, TickBox)]
    darkest = find_darkest(strokes.on_white(page.flat), strokes.DOT_OFF_MM)
    depths = measure_edges(darkest, cells, (0, 0))
    usual = float(np.median(depths)) if depths else 0.0
    if usual < strokes.LEAST_CONTRAST:
        return frozenset()

    def is_covered(box: Box, depth: float) -> bool:
        middle = float(np.percentile(part(darkest, box, -INSIDE_MM), MIDDLE)) if depth < PALE * usual else 0.0
        return depth - middle < GONE * usual

    return frozenset(cell.row for cell, depth in zip(cells, depths, strict=True) if is_covered(cell.box, depth))
