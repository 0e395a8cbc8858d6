"""The band of paper of a row of boxes, cleaned of what was printed there; what lies on the print is measured."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.layout.cell_layout import Cell, PrintedWord, ink_of
from pipeline.paper.layout.sheet_layout import Field, Form
from pipeline.paper.sheet.field_rows import TickBox
from pipeline.paper.sheet.target_rows import BuildBox, NamedBox
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import WHITE, on_white
from pipeline.reading.ink.band import FAINT, guides_of, pixels, seen_above
from pipeline.reading.ink.strokes import (
    DOT_MM,
    GUIDE_DOT_MM,
    Parts,
    ink_parts,
    own_parts,
    paint_out,
    square,
    without_dots,
)
from pipeline.reading.registration.dots import row_guides
from pipeline.reading.registration.warp import PIXELS_PER_MM

EDGE_OFF_MM = 0.7  # how far from its place a dot of an edge may be; nothing as small is written that near to it
RUN_MM = 3.0  # a blurred picture draws a few dots of an edge together, but fainter than any pen
TOGETHER_MM, THICK_MM = 2.0, 1.0  # two dots of a rule, drawn together at a shadow's edge, were up to 1.8 by 0.9
INNER_MM = 0.8  # inside its edges nobody ticks by mistake
SEEN_MM2 = 0.6  # well inside one box and no other: a tick whose long tail lies over the letters, or over nothing
TAIL = 0.3  # against the ink well inside its own box: so much in another, and nobody knows which is meant
PRINT_OFF_MM = 0.6  # likewise a printed letter
PRINTED_NEAR_MM = 6.0  # what is printed further above or below a row does not reach into it


@dataclass(frozen=True, slots=True)
class OnPrint:
    """Small ink where letters are printed: these letters, and whatever else is as small."""

    alike: Hashable  # the same for what must have as much ink
    usual: float  # how much ink these letters have beside those that are alike
    area: float  # mm²


@dataclass(frozen=True, slots=True)
class Band:
    """One row, cleaned of what was printed."""

    row: Field
    cells: tuple[Cell, ...]
    grey: Grey
    own: Parts
    left: int  # px, on the sheet
    top: int
    upper: int  # px, in the band
    lower: int
    baseline: int
    on_print: tuple[OnPrint, ...]

    def span(self, box: Box, more_mm: float = 0.0) -> tuple[slice, slice]:
        """The pixels of a box, larger all round."""
        return inside(box, self.left, self.top, more_mm)

    def level(self, line: Box) -> slice:
        """The lines of pixels of one line of boxes: the first and the last of a row reach as far as the band."""
        down = self.span(line)[0]
        is_first, is_last = down.start <= self.upper, down.stop >= self.lower
        return slice(0 if is_first else down.start, len(self.grey) if is_last else down.stop)


@lru_cache(maxsize=64)
def edge_dots(form: Form) -> NDArray[np.float64]:
    """Where all dots round the boxes of a sheet are, in mm."""
    return np.array([dot for edge in form.edges for dot in edge.dots])


def band_of(flat: Grey, form: Form, row: Field, dots: NDArray[np.float64]) -> Band:
    """Cut out one row and clean it."""
    left, top, right, bottom = pixels(row, form, flat.shape)
    grey = on_white(flat[top:bottom, left:right])
    parts = ink_parts(grey)
    for guide in row_guides(form):
        if top < guide.y * PIXELS_PER_MM < bottom:  # the last of the row above may be near
            parts = without_dots(grey, parts, guide, left, top)
    cells = form.cells_of(row.row or 0)
    dash = max(edge.dash for cell in cells for edge in cell.edges)
    parts = without_edges(grey, parts, dots * PIXELS_PER_MM - 0.5 - (left, top), dash)
    parts, on_print = without_print(grey, parts, form, row, cells, (left, top))
    upper = round(row.box.top * PIXELS_PER_MM) - top
    lower = round((row.box.top + row.box.height) * PIXELS_PER_MM) - top
    own = own_parts(grey, parts, upper, lower, seen_above(form, row, top))
    own = without_tails(flat, form, row, grey, own, (left, top))
    own = without_runs(grey, own, form, cells, (left, top))
    baseline = round(guides_of(form, row)[-1].y * PIXELS_PER_MM - 0.5) - top
    return Band(row, cells, grey, own, left, top, upper, lower, baseline, on_print)


def without_tails(flat: Grey, form: Form, row: Field, grey: Grey, own: Parts, corner: tuple[int, int]) -> Parts:
    """Leave out, and paint out, what comes in from below and is a tick of the next row: most of it is in a box."""
    height, width = grey.shape
    touching = own.keep & (own.sizes[:, cv2.CC_STAT_TOP] + own.sizes[:, cv2.CC_STAT_HEIGHT] >= height - 1)
    after = next((each for each in form.rows if each.box.top > row.box.top), None)
    if after is None or not touching.any():
        return own
    left, top = corner
    cells = form.cells_of(after.row or 0)
    first = [cell.box for cell in cells if isinstance(cell.column, TickBox) and cell.line == cells[0].line]
    low = max(box.top + box.height for box in first) + INNER_MM
    seen = ink_parts(on_white(flat[top : round(low * PIXELS_PER_MM), left : left + width]))
    theirs, mine = np.zeros(seen.labels.shape, bool), np.zeros(grey.shape, bool)
    for box in first:
        theirs[inside(box, left, top, -INNER_MM)] = True
    for cell in form.cells_of(row.row or 0):
        mine[inside(cell.box, left, top, -INNER_MM)] = True
    gone = np.zeros(len(own.keep), bool)
    for piece in np.flatnonzero(touching).tolist():
        whole = np.bincount(seen.labels[:height][own.labels == piece], minlength=2)[1:].argmax() + 1
        there = int((theirs & (seen.labels == whole)).sum())
        here = int((mine & (own.labels == piece)).sum())
        gone[piece] = there >= SEEN_MM2 * PIXELS_PER_MM**2 and here < TAIL * there
    kept = own.without(gone)
    paint_out(grey, own.pixels(gone), kept)
    return kept


def without_edges(grey: Grey, parts: Parts, dots: NDArray[np.float64], dash: float) -> Parts:
    """Paint out the dots round the boxes; a dot under a stroke stays part of the stroke.

    Dots are in pixels here; ``dash`` is how long they are at most, in mm.
    """
    longest = DOT_MM + max(0.0, dash - GUIDE_DOT_MM)
    height, width = grey.shape
    across, down = np.round(dots).astype(int).T
    shown = (across >= 0) & (across < width) & (down >= 0) & (down < height)
    places = np.zeros(grey.shape, np.uint8)
    places[down[shown], across[shown]] = 1
    near = cv2.dilate(places, square(2 * round(EDGE_OFF_MM * PIXELS_PER_MM) + 1)) > 0
    across, down = np.round(parts.middles).astype(int).T
    gone = parts.keep & (parts.longest <= longest * PIXELS_PER_MM) & near[down, across]
    for piece in np.flatnonzero(parts.keep & ~gone & (parts.longest <= RUN_MM * PIXELS_PER_MM) & near[down, across]):
        ink = parts.labels == piece
        gone[piece] = near[ink].all() and WHITE - float(np.percentile(grey[ink], 10)) < FAINT
    kept = parts.without(gone)
    paint_out(grey, parts.pixels(gone) | (places > 0), kept)  # also where a dot is too faint to be seen as ink
    return kept


def without_runs(grey: Grey, own: Parts, form: Form, cells: tuple[Cell, ...], corner: tuple[int, int]) -> Parts:
    """Leave out, and paint out, dots of the lines between rows and columns that a shadow has drawn together.

    Only what lies on such a line and in no box, and is smaller than any tick. Where there are no rules between columns
    the lines are there to be written on, and nothing is left out.
    """
    if not form.parted.rules:
        return own
    left, top = corner
    across, down = own.middles[:, 0], own.middles[:, 1]
    off = np.full(len(own.keep), np.inf)
    for guide in row_guides(form):
        off = np.minimum(off, np.abs(down - (guide.y * PIXELS_PER_MM - 0.5 - top)))
    for x in {rule.left for rule in form.parted.rules if rule.is_upright}:
        off = np.minimum(off, np.abs(across - (x * PIXELS_PER_MM - 0.5 - left)))
    shorter = np.minimum(own.sizes[:, cv2.CC_STAT_WIDTH], own.sizes[:, cv2.CC_STAT_HEIGHT])
    gone = own.keep & (off <= EDGE_OFF_MM * PIXELS_PER_MM)
    gone &= (own.longest <= TOGETHER_MM * PIXELS_PER_MM) & (shorter <= THICK_MM * PIXELS_PER_MM)
    for cell in cells:
        rows, columns = inside(cell.box, left, top, PRINT_OFF_MM)
        gone &= (down < rows.start) | (down >= rows.stop) | (across < columns.start) | (across >= columns.stop)
    kept = own.without(gone)
    paint_out(grey, own.pixels(gone), kept)
    return kept


def without_print(
    grey: Grey, parts: Parts, form: Form, row: Field, cells: tuple[Cell, ...], corner: tuple[int, int]
) -> tuple[Parts, tuple[OnPrint, ...]]:
    """Paint out the letters round the boxes, and measure what is gone: in every row it must be the same."""
    gone = np.zeros(len(parts.keep), bool)
    labels = {cell.label: cell for cell in cells if isinstance(cell.column, TickBox)}
    words = {word.box: word for word in form.parted.words}
    measured: list[OnPrint] = []
    first, above, wide, tall = (parts.sizes[:, column] for column in range(4))
    for box in form.parted.printed:
        if not row.box.top - PRINTED_NEAR_MM <= box.top <= row.box.top + row.box.height + PRINTED_NEAR_MM:
            continue
        down, across = inside(box, *corner, PRINT_OFF_MM)
        within = parts.keep & ~gone & (first >= across.start) & (first + wide <= across.stop)
        within &= (above >= down.start) & (above + tall <= down.stop)
        gone |= within
        if row.box.top <= box.top + box.height / 2 <= row.box.top + row.box.height:
            area = float(parts.sizes[within, cv2.CC_STAT_AREA].sum()) / PIXELS_PER_MM**2
            measured.append(on_print(labels.get(box), words.get(box), area))
    kept = parts.without(gone)
    paint_out(grey, parts.pixels(gone), kept)
    return kept, tuple(measured)


def on_print(cell: Cell | None, word: PrintedWord | None, area: float) -> OnPrint:
    """Say what printed letters are to be compared with: a name may stand on this row alone."""
    match cell:
        case Cell(column=NamedBox() as box) if not isinstance(box, BuildBox):
            return OnPrint(NamedBox, ink_of(cell), area)
        case Cell(column=TickBox(label=label)):
            return OnPrint(label, 1.0, area)
        case None if word is not None:
            return OnPrint(("word", word.text), word.ink, area)
        case _:
            return OnPrint(None, 1.0, area)


def inside(box: Box, left: int, top: int, more_mm: float) -> tuple[slice, slice]:
    """The pixels of a box, larger all round, seen from a corner of the sheet that lies at ``left`` and ``top``."""
    edges = (box.top - more_mm, box.top + box.height + more_mm, box.left - more_mm, box.left + box.width + more_mm)
    first, last, start, end = (round(edge * PIXELS_PER_MM) for edge in edges)
    return slice(max(0, first - top), max(0, last - top)), slice(max(0, start - left), max(0, end - left))
