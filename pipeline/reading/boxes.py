"""The ink of a row of boxes: which box each piece belongs to, which boxes are ticked, and what stands beside them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
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
    LEAST_CONTRAST,
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
from pipeline.reading.warp import PIXELS_PER_MM
from pipeline.reading.whiten import WHITE, on_white
from pipeline.tournament.field_rows import GROUPS, PlaceBox
from pipeline.tournament.sheet_layout import Field, Form

EDGE_OFF_MM = 0.7  # how far from its place a dot of an edge may be; nothing as small is written that near to it
RUN_MM = 3.0  # a blurred picture draws a few dots of an edge together, but fainter than any pen
PRINT_OFF_MM = 0.6  # likewise a printed letter
PRINTED_NEAR_MM = 6.0  # what is printed further above or below a row does not reach into it
MORE_MM2 = 1.3  # of ink on a printed letter, against the same letter of the other rows: a shadow's edge adds 1.1
REACH_MM = 2.0  # a box reaches half way to the next, and so far at most
TICK_REACH_MM = 1.2  # above and below a tick box
INNER_MM = 0.8  # inside its edges nobody ticks by mistake
TICK_MM, TICK_MM2 = 2.6, 2.0  # a tick is as long, or covers as much; what is less may be a slip of the pen
TAIL = 0.3  # of a tick that reaches into another box: more, and nobody knows which of the two is meant
FAINTEST = 2 * LEAST_CONTRAST  # what shines through from the back is fainter
CLOSED_MM = 0.7  # gaps that a pen leaves where it fills a box
CORE = 0.6  # of a box's side: a core without gaps as wide is no cross, whose middle has 0.45 in the broadest felt pen
FILLED = 0.4  # of the box: so much of such a core, and it is not ticked but blacked out


Cover = NDArray[np.bool_]


class Mark(StrEnum):
    """What is in a box to tick."""

    EMPTY = "empty"
    TICKED = "ticked"
    UNSURE = "unsure"  # too little, too faint, or blacked out


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
class Band:
    """One row, cleaned of what was printed."""

    row: Field
    cells: tuple[Field, ...]
    grey: Grey
    own: Parts
    left: int  # px, on the sheet
    top: int
    upper: int  # px, in the band
    lower: int
    baseline: int
    on_print: Mapping[tuple[float, float], float]  # mm² of small ink where letters are printed: by place and width

    def span(self, box: Box, more_mm: float = 0.0) -> tuple[slice, slice]:
        """The pixels of a box, larger all round."""
        return inside(box, self.left, self.top, more_mm)


def boxed_rows(page: RegisteredPage) -> Iterator[BoxedInk]:
    """Look at all rows of a sheet whose rows are boxes."""
    dots = edge_dots(page.form)
    bands = [band_of(page.flat, page.form, row, dots) for row in page.form.rows]
    usual: dict[tuple[float, float], list[float]] = {}
    for band in bands:
        for place, area in band.on_print.items():
            usual.setdefault(place, []).append(area)
    most = {place: median(areas) + MORE_MM2 for place, areas in usual.items() if len(areas) > 2}
    for band in bands:
        hidden = any(area > most.get(place, np.inf) for place, area in band.on_print.items())
        yield boxed_ink(band, page.form, hidden=hidden)


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
    parts, on_print = without_print(grey, parts, form, row, (left, top))
    upper = round(row.box.top * PIXELS_PER_MM) - top
    lower = round((row.box.top + row.box.height) * PIXELS_PER_MM) - top
    own = own_parts(grey, parts, upper, lower)
    baseline = round(guide.y * PIXELS_PER_MM - 0.5) - top
    return Band(row, form.cells_of(row.row or 0), grey, own, left, top, upper, lower, baseline, on_print)


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
    grey: Grey, parts: Parts, form: Form, row: Field, corner: tuple[int, int]
) -> tuple[Parts, dict[tuple[float, float], float]]:
    """Paint out the letters round the boxes, and measure what is gone: in every row it must be the same."""
    gone = np.zeros(len(parts.keep), bool)
    measured: dict[tuple[float, float], float] = {}
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
            measured[box.left, box.width] = float(parts.sizes[within, cv2.CC_STAT_AREA].sum()) / PIXELS_PER_MM**2
    kept = parts.without(gone)
    paint_out(grey, gone[parts.labels], kept)
    return kept, measured


def inside(box: Box, left: int, top: int, more_mm: float) -> tuple[slice, slice]:
    """The pixels of a box, larger all round, seen from a corner of the sheet that lies at ``left`` and ``top``."""
    edges = (box.top - more_mm, box.top + box.height + more_mm, box.left - more_mm, box.left + box.width + more_mm)
    first, last, start, end = (round(edge * PIXELS_PER_MM) for edge in edges)
    return slice(max(0, first - top), max(0, last - top)), slice(max(0, start - left), max(0, end - left))


def boxed_ink(band: Band, form: Form, *, hidden: bool) -> BoxedInk:
    """Say what is in each box of a row, and what is in none. ``hidden``: there is ink on the printed letters."""
    if not has_ink(band.own) and not hidden:
        return BoxedInk(band.grey, band.baseline, True, False, {}, {}, ())
    places = {column.name for group in GROUPS[form.step] for column in group if isinstance(column, PlaceBox)}
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
        marks={cell.name: mark_in(band, cell, parts) for cell, parts in cells if cell.name not in places},
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


def reaches(cells: Sequence[Field]) -> Iterator[tuple[float, float]]:
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


def mark_in(band: Band, cell: Field, parts: Parts) -> Mark:
    """Judge a box to tick: a cross, a hook or a blob ticks it; a trace, a shadow or a box blacked out is a doubt."""
    if not has_ink(parts):
        return Mark.EMPTY
    ink = parts.mask
    here = band.span(cell.box, PRINT_OFF_MM)
    rows, columns = np.nonzero(ink[here])
    length = float(np.hypot(np.ptp(rows), np.ptp(columns))) / PIXELS_PER_MM if len(rows) else 0.0
    is_small = length < TICK_MM and len(rows) < TICK_MM2 * PIXELS_PER_MM**2
    is_faint = WHITE - float(np.percentile(band.grey[ink], 10)) < FAINTEST
    return Mark.UNSURE if is_small or is_faint or is_blacked_out(ink[band.span(cell.box)]) else Mark.TICKED


def is_blacked_out(ink: Cover) -> bool:
    """Say whether a box is filled rather than ticked: a core without gaps over much of it."""
    closed = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_CLOSE, square(round(CLOSED_MM * PIXELS_PER_MM)))
    core = cv2.morphologyEx(closed, cv2.MORPH_OPEN, square(round(CORE * len(ink))))
    return float(core.mean()) >= FILLED


def alone(band: Band, parts: Parts) -> Grey:
    """Cut out what stands in one box, without the strokes of its neighbours."""
    first, last = stretch(parts)
    grey = band.grey[:, first:last].copy()
    here = replace(parts, labels=parts.labels[:, first:last])
    paint_out(grey, replace(here, keep=band.own.keep & ~parts.keep).mask, here)
    return grey
