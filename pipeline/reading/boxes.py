"""The ink of a row of boxes: which box each piece belongs to, which boxes are ticked, and what stands beside them."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.reading.band import FAINT, guide_of, notes, pixels, stretch, trimmed
from pipeline.reading.picture import Grey
from pipeline.reading.register import RegisteredPage
from pipeline.reading.spoils import ACROSS, BESIDE
from pipeline.reading.strokes import (
    DOT_MM,
    INK_AREA_MM2,
    STROKE_LENGTH_MM,
    Parts,
    has_ink,
    ink_parts,
    is_struck,
    own_parts,
    paint_out,
    square,
    without_dots,
)
from pipeline.reading.tick_marks import Mark, are_shaded, mark_in
from pipeline.reading.warp import PIXELS_PER_MM
from pipeline.reading.whiten import WHITE, on_white
from pipeline.tournament.cell_layout import Cell, ink_of
from pipeline.tournament.field_rows import PlaceBox, TickBox
from pipeline.tournament.sheet_layout import Field, Form
from pipeline.tournament.target_rows import TargetBox

EDGE_OFF_MM = 0.7  # how far from its place a dot of an edge may be; nothing as small is written that near to it
RUN_MM = 3.0  # a blurred picture draws a few dots of an edge together, but fainter than any pen
PRINT_OFF_MM = 0.6  # likewise a printed letter
PRINTED_NEAR_MM = 6.0  # what is printed further above or below a row does not reach into it
MORE_MM2 = 1.3  # of ink on a printed letter, against the same letter of the other rows: a shadow's edge adds 1.1
REACH_MM = 2.0  # a box reaches half way to the next, and so far at most
TICK_REACH_MM = 1.2  # above and below a tick box
INNER_MM = 0.8  # inside its edges nobody ticks by mistake
TAIL = 0.3  # of a tick that reaches into another box: more, and nobody knows which of the two is meant


@dataclass(frozen=True, slots=True)
class BoxedInk:
    """What was found in one row of boxes."""

    grey: Grey  # the whole row, as far as it has ink
    baseline: int
    is_blank: bool
    is_struck: bool
    marks: Mapping[str, Mark]  # by box
    written: Mapping[str, Grey]  # by box; only those that have ink
    notes: tuple[str, ...]


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


def boxed_rows(page: RegisteredPage) -> Iterator[BoxedInk]:
    """Look at all rows of a sheet whose rows are boxes."""
    dots = edge_dots(page.form)
    bands = [band_of(page.flat, page.form, row, dots) for row in page.form.rows]
    found = [boxed_ink(band, hidden=hidden) for band, hidden in zip(bands, hidden_ink(bands), strict=True)]
    is_manner = are_shaded(ink.marks.values() for ink in found)
    yield from (replace(ink, marks={name: mark.seen(is_manner) for name, mark in ink.marks.items()}) for ink in found)


def hidden_ink(bands: Sequence[Band]) -> Iterator[bool]:
    """Say of each row whether there is more ink on its printed letters than on the same letters of the other rows.

    Over the boxes for targets no letters are the same; there it is more than such letters have on the whole sheet.
    """
    shares: dict[Hashable, list[float]] = {}
    for each in (each for band in bands for each in band.on_print):
        shares.setdefault(each.alike, []).append(each.area / each.usual)
    usual = {alike: median(found) if len(found) > 2 else np.inf for alike, found in shares.items()}
    for band in bands:
        yield any(
            each.area > max(usual[each.alike], share_beside(each, band.on_print)) * each.usual + MORE_MM2
            for each in band.on_print
        )


def share_beside(one: OnPrint, row: Sequence[OnPrint]) -> float:
    """What letters that are alike have on the same row, this one aside: pictures are darker here and there."""
    shares = [each.area / each.usual for each in row if each.alike == one.alike and each is not one]
    return median(shares) if len(shares) > 1 else 0.0


@lru_cache(maxsize=64)
def edge_dots(form: Form) -> NDArray[np.float64]:
    """Where all dots round the boxes of a sheet are, in mm."""
    return np.array([dot for edge in form.edges for dot in edge.dots])


def band_of(flat: Grey, form: Form, row: Field, dots: NDArray[np.float64]) -> Band:
    """Cut out one row and clean it."""
    left, top, right, bottom = pixels(row, form, flat.shape)
    grey = on_white(flat[top:bottom, left:right])
    parts = ink_parts(grey)
    guide = guide_of(form, row)
    assert guide is not None  # every row has its dotted line
    parts = without_dots(grey, parts, guide, left, top)
    parts = without_edges(grey, parts, dots * PIXELS_PER_MM - 0.5 - (left, top))
    cells = form.cells_of(row.row or 0)
    parts, on_print = without_print(grey, parts, form, row, cells, (left, top))
    upper = round(row.box.top * PIXELS_PER_MM) - top
    lower = round((row.box.top + row.box.height) * PIXELS_PER_MM) - top
    own = own_parts(grey, parts, upper, lower)
    baseline = round(guide.y * PIXELS_PER_MM - 0.5) - top
    return Band(row, cells, grey, own, left, top, upper, lower, baseline, on_print)


def without_edges(grey: Grey, parts: Parts, dots: NDArray[np.float64]) -> Parts:
    """Paint out the dots round the boxes; a dot under a stroke stays part of the stroke. Dots are in pixels here."""
    height, width = grey.shape
    across, down = np.round(dots).astype(int).T
    shown = (across >= 0) & (across < width) & (down >= 0) & (down < height)
    places = np.zeros(grey.shape, np.uint8)
    places[down[shown], across[shown]] = 1
    near = cv2.dilate(places, square(2 * round(EDGE_OFF_MM * PIXELS_PER_MM) + 1)) > 0
    across, down = np.round(parts.middles).astype(int).T
    gone = parts.keep & (parts.longest <= DOT_MM * PIXELS_PER_MM) & near[down, across]
    for piece in np.flatnonzero(parts.keep & ~gone & (parts.longest <= RUN_MM * PIXELS_PER_MM) & near[down, across]):
        ink = parts.labels == piece
        gone[piece] = near[ink].all() and WHITE - float(np.percentile(grey[ink], 10)) < FAINT
    kept = parts.without(gone)
    paint_out(grey, gone[parts.labels] | (places > 0), kept)  # also where a dot is too faint to be seen as ink
    return kept


def without_print(
    grey: Grey, parts: Parts, form: Form, row: Field, cells: tuple[Cell, ...], corner: tuple[int, int]
) -> tuple[Parts, tuple[OnPrint, ...]]:
    """Paint out the letters round the boxes, and measure what is gone: in every row it must be the same."""
    gone = np.zeros(len(parts.keep), bool)
    labels = {cell.label: cell.column for cell in cells if isinstance(cell.column, TickBox)}
    measured: list[OnPrint] = []
    first, above, wide, tall = (parts.sizes[:, column] for column in range(4))
    for box in form.printed:
        if not row.box.top - PRINTED_NEAR_MM <= box.top <= row.box.top + row.box.height + PRINTED_NEAR_MM:
            continue
        down, across = inside(box, *corner, PRINT_OFF_MM)
        within = (
            parts.keep & ~gone & (first >= across.start) & (first + wide <= across.stop) & (above + tall <= down.stop)
        )
        within &= (above >= down.start) | (above == 0)  # the band may begin in the middle of a word
        gone |= within
        if row.box.top <= box.top + box.height / 2 <= row.box.top + row.box.height:
            area = float(parts.sizes[within, cv2.CC_STAT_AREA].sum()) / PIXELS_PER_MM**2
            column = labels.get(box)
            if isinstance(column, TargetBox):  # a place may stand on this row alone
                measured.append(OnPrint(TargetBox, ink_of(column.label), area))
            else:
                measured.append(OnPrint(column.label if column else (box.left, box.width), 1.0, area))
    kept = parts.without(gone)
    paint_out(grey, gone[parts.labels], kept)
    return kept, tuple(measured)


def inside(box: Box, left: int, top: int, more_mm: float) -> tuple[slice, slice]:
    """The pixels of a box, larger all round, seen from a corner of the sheet that lies at ``left`` and ``top``."""
    edges = (box.top - more_mm, box.top + box.height + more_mm, box.left - more_mm, box.left + box.width + more_mm)
    first, last, start, end = (round(edge * PIXELS_PER_MM) for edge in edges)
    return slice(max(0, first - top), max(0, last - top)), slice(max(0, start - left), max(0, end - left))


def boxed_ink(band: Band, *, hidden: bool) -> BoxedInk:
    """Say what is in each box of a row, and what is in none. ``hidden``: there is ink on the printed letters."""
    if not has_ink(band.own) and not hidden:
        return BoxedInk(band.grey, band.baseline, True, False, {}, {}, ())
    places = {cell.name for cell in band.cells if isinstance(cell.column, PlaceBox)}
    shares = Shares.of(band, places)
    own = [shares.parts_of(number) for number in range(1, len(band.cells) + 1)]
    cells = list(zip(band.cells, own, strict=True))
    struck = has_ink(band.own) and is_struck(band.own)
    found = notes(band.grey, band.own, band.upper, band.lower, struck=struck) if has_ink(band.own) else ()
    beside = (BESIDE,) if hidden or has_ink(shares.parts_of(0)) else ()
    across = (ACROSS,) if shares.run_across(places) else ()
    return BoxedInk(
        grey=trimmed(band.grey, band.own) if len(band.own.strokes) else band.grey,
        baseline=band.baseline,
        is_blank=False,
        is_struck=struck,
        marks={
            cell.name: mark_in(band.grey, band.span(cell.box, PRINT_OFF_MM), band.span(cell.box), parts)
            for cell, parts in cells
            if cell.name not in places
        },
        written={cell.name: alone(band, parts) for cell, parts in cells if cell.name in places and has_ink(parts)},
        notes=(*found, *beside, *across),
    )


@dataclass(frozen=True, slots=True)
class Shares:
    """How the ink of a row is shared among its boxes, piece by piece."""

    band: Band
    inner: NDArray[np.int64]  # pixels by piece and box, well inside the box; the first column is what is in none
    owner: NDArray[np.int64]  # by piece: the box with most of it, 1..; 0 where most of it is in none

    @classmethod
    def of(cls, band: Band, places: set[str]) -> "Shares":
        """Count the pixels of each piece in each box."""
        near = np.zeros(band.grey.shape, np.int64)
        well_inside = near.copy()
        for number, (cell, reach) in enumerate(zip(band.cells, reaches(band.cells), strict=True), start=1):
            start, end = (max(0, round(edge * PIXELS_PER_MM) - band.left) for edge in reach)
            down, across = band.span(cell.box, -INNER_MM)
            if cell.name in places:  # letters may be tall, and have tails
                near[:, start:end] = well_inside[:, across] = number
            else:
                near[band.span(cell.box, TICK_REACH_MM)[0], start:end] = number
                well_inside[down, across] = number
        counted, inner = (count(band.own.labels, region, len(band.cells) + 1) for region in (near, well_inside))
        owner = np.where(counted[:, 1:].sum(1) >= counted[:, 0], 1 + counted[:, 1:].argmax(1), 0)
        return cls(band, inner, owner)

    def parts_of(self, number: int) -> Parts:
        """The pieces that belong to one box, or (0) to none."""
        return self.band.own.without(self.owner != number)

    def run_across(self, places: set[str]) -> bool:
        """Say whether a piece reaches so far into a second box that it may belong to either."""
        own = self.band.own
        strokes = own.keep & (own.longest >= STROKE_LENGTH_MM * PIXELS_PER_MM)
        enough = INK_AREA_MM2 * PIXELS_PER_MM**2
        for piece in np.flatnonzero(strokes & (self.owner > 0)).tolist():
            number = int(self.owner[piece])
            is_word = self.band.cells[number - 1].name in places
            least = enough if is_word else TAIL * float(own.sizes[piece, cv2.CC_STAT_AREA])
            others = np.delete(self.inner[piece], [0, number])
            if (others >= max(least, 1)).any():
                return True
        return False


def reaches(cells: Sequence[Cell]) -> Iterator[tuple[float, float]]:
    """How far each box reaches left and right, in mm: half way to the next."""
    for number, cell in enumerate(cells):
        left, right = cell.box.left, cell.box.left + cell.box.width
        before = cells[number - 1].box if number else None
        after = cells[number + 1].box if number + 1 < len(cells) else None
        room = REACH_MM if before is None else min(REACH_MM, (left - before.left - before.width) / 2)
        beyond = REACH_MM if after is None else min(REACH_MM, (after.left - right) / 2)
        yield left - room, right + beyond


def count(labels: NDArray[np.int32], region: NDArray[np.int64], regions: int) -> NDArray[np.int64]:
    """Count the pixels of each piece in each region."""
    pieces, inked = int(labels.max()) + 1, labels > 0
    both = labels[inked].astype(np.int64) * regions + region[inked]
    return np.bincount(both, minlength=pieces * regions).reshape(pieces, regions)


def alone(band: Band, parts: Parts) -> Grey:
    """Cut out what stands in one box, without the strokes of its neighbours."""
    first, last = stretch(parts)
    grey = band.grey[:, first:last].copy()
    here = replace(parts, labels=parts.labels[:, first:last])
    paint_out(grey, replace(here, keep=band.own.keep & ~parts.keep).mask, here)
    return grey
