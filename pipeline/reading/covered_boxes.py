"""A box that something lies on: a sticker, tape, correcting fluid or a fold hides its printed edge, and its tick."""

import cv2
import numpy as np

from pipeline.paper.sheet_rows import TickBox
from pipeline.reading import strokes
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.register import RegisteredPage

GONE = 0.12  # of the page's usual darkness; a white band of a drum leaves 0.15, streaky toner 0.39


def rows_with_covered_boxes(page: RegisteredPage) -> frozenset[int]:
    """Name the rows of which a box to tick has lost its printed edge, on a page whose boxes are seen."""
    if page.is_one_bit or page.through:  # a fax keeps some dots and drops others
        return frozenset()
    side = 2 * round(strokes.DOT_OFF_MM * PIXELS_PER_MM) + 1
    dark = strokes.WHITE - cv2.erode(strokes.on_white(page.flat), strokes.square(side)).astype(np.int16)
    cells = [cell for cell in page.form.cells if isinstance(cell.column, TickBox)]
    depths = []
    for cell in cells:
        dots = np.array([dot for edge in cell.edges for dot in edge.dots]) * PIXELS_PER_MM - 0.5
        across, down = np.round(dots).astype(int).T
        depths.append(float(np.median(dark[down.clip(0, len(dark) - 1), across.clip(0, dark.shape[1] - 1)])))
    usual = float(np.median(depths)) if depths else 0.0
    if usual < strokes.LEAST_CONTRAST:
        return frozenset()
    return frozenset(cell.row for cell, depth in zip(cells, depths, strict=True) if depth < GONE * usual)
