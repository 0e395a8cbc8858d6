"""What somebody wrote on a sheet where nothing is to be filled in: below the rows, over a row's number, in the margin.

A pen's stroke is thin, dark and a few mm long. What is wide is a stain, a hole or a torn corner, what is faint a fold
or the back of the paper, and what runs down the whole sheet is dirt on the scanner's glass.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import WHITE, grain, inked_below, on_white
from pipeline.reading.ink.band import pixels
from pipeline.reading.ink.pieces import pieces
from pipeline.reading.ink.strokes import square
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.registration.warp import PIXELS_PER_MM

STEP = 2  # looked at on a picture so much smaller: a quarter of a mm a pixel
PIXELS = PIXELS_PER_MM / STEP  # in a mm
PRINT = 215  # grey level: darker is print on a blank sheet, small grey type made smaller included
PRINT_OFF_MM = 0.8  # how far from its place print may be on a sheet that lies straight ...
STRAIGHT_MM = 0.1  # ... by what registration tells; damaged sheets tell 0.01 to 0.08
BENT_MM = 1.0  # ... and that was not bent further; folded and stretched sheets are by 0.3 to 0.7, crumpled ones by 1.6
PRINT_ASTRAY_MM = 3.0  # else: on crumpled paper the heading, the foot and the codes were 1.3 to 2.4 off, far from dots
MARK_OFF_MM = 1.5  # a corner marker or a code, on which a thumb may leave a rim
FILLED_MM = 2.0  # around a field of the header, a tick box: what is written there may leave it a little
RIM_MM = 4.0  # shadows and the edge of the paper
CORNER_MM = 30.0  # staples, and corners that are torn off or lie under something
LENGTH_MM = 4.0  # no smaller mark changes an order
AREA_MM2 = 1.2  # of ink in what is told: a line of LENGTH_MM by a thin pen's 0.3 mm
STROKE_MM2 = 0.4  # the least of a letter; dirt is smaller
APART_MM = 2.0  # letters of a word are closer
CONTRAST = 40.0  # grey levels, of every pixel ...
DARK = 75.0  # ... and of the darkest tenth; a ball pen has 150
WIDEST_MM = 2.4  # felt pens draw 0.9, strokes cross; a punched hole has 5
ACROSS = 0.5  # of the sheet: no word is as long, and a fold or a streak is longer

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class FreePaper:
    """Where nobody is to write on the sheets of one form; pixels of a quarter of a mm."""

    free: Mask  # nothing is printed here, and nothing to be filled in
    sure: Mask  # nor near here
    filled: Mask  # the fields of the header and the tick boxes


def free_paper(blank: Grey, form: Form) -> FreePaper:
    """Say where nothing is printed on a blank sheet, and nothing to be filled in."""
    blank = as_laid(blank, form)
    print_ = (smaller(blank) < PRINT).astype(np.uint8)
    filled = np.zeros(print_.shape, bool)
    for field in (*(field for field in form.fields if field.row is None), *form.ticks):
        filled[inside(field.box, FILLED_MM)] = True
    taken = np.ones(print_.shape, bool)
    taken[inside(Box(RIM_MM, RIM_MM, form.width - 2 * RIM_MM, form.height - 2 * RIM_MM))] = False
    for box in form.marks:
        taken[inside(box, MARK_OFF_MM)] = True
    for left in (0.0, form.width - CORNER_MM):
        for top in (0.0, form.height - CORNER_MM):
            taken[inside(Box(left, top, CORNER_MM, CORNER_MM))] = True
    head = form.printed_id.top + form.printed_id.height + PRINT_OFF_MM
    taken[inside(Box(0.0, 0.0, form.width, head))] = True  # the heading is another on every sheet
    for row in form.rows:
        left, top, right, bottom = (edge // STEP for edge in pixels(row, form, blank.shape))
        taken[top:bottom, left:right] = True
    free, sure = (
        ~(taken | filled | (cv2.dilate(print_, square(2 * round(off * PIXELS) + 1)) > 0))
        for off in (PRINT_OFF_MM, PRINT_ASTRAY_MM)
    )
    return FreePaper(free, sure, filled)


def outside(page: RegisteredPage, paper: FreePaper) -> tuple[Box, ...]:
    """Find what was written outside of all that is to be filled in: where, in mm on the sheet, from the top."""
    white = on_white(smaller(page.flat), STEP)
    ink = white < inked_below(grain(white[::3, ::3]), CONTRAST)
    is_straight = page.residual_mm <= STRAIGHT_MM and float(np.abs(page.warp.bend).max()) <= BENT_MM
    free = ink & (paper.free if is_straight else paper.sure)
    if int(free.sum()) < AREA_MM2 * PIXELS**2:
        return ()
    down, across = strokes(white, ink, free, paper.filled)
    return tuple(sorted(words(down, across, ink.shape), key=lambda box: box.top))


def strokes(white: Grey, ink: Mask, free: Mask, filled: Mask) -> tuple[Places, Places]:
    """The pixels that a pen drew on free paper, down and across; a stroke that begins in a field is the field's."""
    labels, sizes, _ = pieces(ink.astype(np.uint8))
    count = len(sizes)
    down, across = np.nonzero(free)
    owner = labels[down, across]
    enough = np.bincount(owner, minlength=count) >= STROKE_MM2 * PIXELS**2
    enough[np.unique(labels[filled])] = False
    drawn = np.zeros(count, bool)
    for piece in np.flatnonzero(enough):
        left, top, width, height, _ = sizes[piece].tolist()
        mine = owner == piece
        is_faint = WHITE - float(np.percentile(white[down[mine], across[mine]], 10)) < DARK
        if is_faint or height > ACROSS * ink.shape[0] or width > ACROSS * ink.shape[1]:
            continue
        whole = (labels[top : top + height, left : left + width] == piece).astype(np.uint8)
        drawn[piece] = 2 * cv2.distanceTransform(np.pad(whole, 1), cv2.DIST_L2, 3).max() <= WIDEST_MM * PIXELS
    return down[drawn[owner]], across[drawn[owner]]


def words(down: Places, across: Places, shape: tuple[int, ...]) -> Iterator[Box]:
    """Take strokes that are close to one another together, and leave out what is too small to say anything."""
    near = np.zeros(shape, np.uint8)
    near[down, across] = 1
    joined = cv2.dilate(near, square(2 * round(APART_MM / 2 * PIXELS) + 1))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    owner = labels[down, across]
    for word in range(1, count):
        rows, columns = down[owner == word], across[owner == word]
        is_long = max(np.ptp(rows), np.ptp(columns)) + 1 >= LENGTH_MM * PIXELS
        if is_long and len(rows) >= AREA_MM2 * PIXELS**2:
            yield box_of(rows, columns)


def box_of(rows: Places, columns: Places) -> Box:
    """The box of some pixels, in mm on the sheet to a tenth."""
    edges = columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1
    left, top, width, height = (round(float(edge) / PIXELS, 1) for edge in edges)
    return Box(left, top, width, height)


def as_laid(blank: Grey, form: Form) -> Grey:
    """A drawn sheet with as many pixels as one laid straight: a page of A5 is drawn one wider, by rounding."""
    height, width = round(form.height * PIXELS_PER_MM), round(form.width * PIXELS_PER_MM)
    missing = ((0, max(0, height - blank.shape[0])), (0, max(0, width - blank.shape[1])))
    return np.pad(blank, missing, constant_values=WHITE)[:height, :width]


def smaller(grey: Grey) -> Grey:
    """A straight sheet at half its size."""
    return cv2.resize(grey, None, fx=1 / STEP, fy=1 / STEP, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def inside(box: Box, more_mm: float = 0.0) -> tuple[slice, slice]:
    """The pixels of a box, larger all round."""
    edges = (box.top - more_mm, box.top + box.height + more_mm, box.left - more_mm, box.left + box.width + more_mm)
    top, bottom, left, right = (max(0, round(edge * PIXELS)) for edge in edges)
    return slice(top, bottom), slice(left, right)
