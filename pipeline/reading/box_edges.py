"""How dark the dashes of the printed edge of a box are: they show what covers it, and how much light fell on it."""

from collections.abc import Sequence

import cv2
import numpy as np

from pipeline.paper.sheet_rows import Cell
from pipeline.reading import strokes
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey


def find_darkest(white: Grey, off_mm: float) -> Grey:
    """By how many grey levels the darkest pixel no farther than this is darker than white paper, for each pixel."""
    eroded = cv2.erode(white, strokes.square(2 * round(off_mm * PIXELS_PER_MM) + 1))
    return np.asarray(strokes.WHITE - np.minimum(eroded, strokes.WHITE), np.uint8)


def measure_edges(darkest: Grey, cells: Sequence[Cell], corner: tuple[int, int]) -> tuple[float, ...]:
    """How dark the dashes of each cell are: the median of one edge's.

    ``darkest``: see `find_darkest`, of a part of a sheet whose left upper corner is at this pixel of the sheet.
    """
    height, width = darkest.shape
    depths = []
    for cell in cells:
        dots = np.array([dot for edge in cell.edges for dot in edge.dots]) * PIXELS_PER_MM - 0.5 - corner
        across, down = np.round(dots).astype(int).T
        depths.append(float(np.median(darkest[down.clip(0, height - 1), across.clip(0, width - 1)])))
    return tuple(depths)
