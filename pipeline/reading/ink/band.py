"""The band of paper that a row's ink is looked for in, and what is seen there at a glance."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Note
from pipeline.paper.layout.sheet_layout import Field, Form, Guide
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import WHITE
from pipeline.reading.ink.strokes import DOT_MM, HIGHEST_MM, Parts, square
from pipeline.reading.registration.warp import PIXELS_PER_MM

REACH_MM = 3.0  # above and below a field: tall letters and tails that leave it
RIGHT_MM = 7.0  # beyond its right end, where a long order runs on
CLEAR_MM = 1.5  # from the bar at the row's end
LEFT_MM = 1.0  # no written row of 32 pages is missed with 0.5 to 2.0 (benchmarks/constants.py)
AROUND_MM = 2.0  # of white left and right of the ink in a crop
FAINT = 60.0  # grey levels of the darkest tenth of the ink; a ball pen has 150
TAKEN_OUT = 250  # grey levels of the picture that says where a scanner's lines were
BESIDE_LINE_MM = 0.3  # the rows of 36 pages are the same with 0.15 to 0.6 (benchmarks/constants.py)
OUT_MM = 1.6  # ink this far outside its field, and no part of a letter inside, is said to leave it
TAIL_MM = 2.8  # no letter's tail goes further


def pixels(field: Field, form: Form, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The part of the sheet to look at: left, top, right, bottom."""
    box = field.box
    reach, end = 0.0, box.left + box.width
    if field.row is not None:  # words are printed close around the header's fields, but nothing near a row's
        reach, end = REACH_MM, min(end + RIGHT_MM, form.bars[0][1].left - CLEAR_MM)
    left = max(0, round((box.left - LEFT_MM) * PIXELS_PER_MM))
    top = max(0, round((box.top - reach) * PIXELS_PER_MM))
    right = min(shape[1], round(end * PIXELS_PER_MM))
    bottom = min(shape[0], round((box.top + box.height + reach) * PIXELS_PER_MM))
    return left, top, right, bottom


def guides_of(form: Form, field: Field) -> tuple[Guide, ...]:
    """The dotted lines in a field, from the top."""
    box = field.box
    bottom = box.top + box.height
    return tuple(g for g in form.guides if box.top < g.y < bottom and g.left <= box.left + 1 <= g.right)


def seen_above(form: Form, field: Field, top: int) -> int:
    """How far down the row above looks, in pixels from ``top``: what hangs in and ends before is found there."""
    if field.row is None:
        return 0
    first, second = (row.box for row in form.rows[:2])
    apart = second.top - first.top - first.height
    return round((field.box.top - apart + REACH_MM) * PIXELS_PER_MM) - top


def begins_below(form: Form, field: Field, top: int) -> int | None:
    """Where the field of the row below begins, in pixels from ``top``; None where there is none."""
    if field.row is None:
        return None
    after = [row.box.top for row in form.rows if row.box.top > field.box.top]
    return round(min(after) * PIXELS_PER_MM) - top if after else None


def trimmed(grey: Grey, own: Parts) -> Grey:
    """Cut away the empty paper left and right of the ink."""
    first, last = stretch(own)
    return np.ascontiguousarray(grey[:, first:last])


def stretch(own: Parts) -> tuple[int, int]:
    """From where to where the ink reaches along the line, with some paper around; in pixels."""
    sizes = own.strokes
    around = round(AROUND_MM * PIXELS_PER_MM)
    first = max(0, int(sizes[:, cv2.CC_STAT_LEFT].min()) - around)
    return first, int((sizes[:, cv2.CC_STAT_LEFT] + sizes[:, cv2.CC_STAT_WIDTH]).max()) + around


def notes(grey: Grey, own: Parts, free: Parts, upper: int, lower: int, *, struck: bool) -> tuple[Note, ...]:
    """What was seen on the paper, for the director; ``free`` is the ink that has to stay in its row."""
    found = [Note.STRUCK_OUT] if struck else []
    drawn = drawn_by_pen(free)
    if goes_beyond(drawn.mask, upper, lower, TAIL_MM) or lies_beyond(drawn, upper, lower):
        found.append(Note.LEAVES_ROW)
    if WHITE - float(np.percentile(grey[own.mask], 10)) < FAINT:
        found.append(Note.FAINT_INK)
    return tuple(found)


def lies_beyond(drawn: Parts, upper: int, lower: int) -> bool:
    """Say whether ink that is no part of a letter in a field is found outside of it."""
    return goes_beyond(drawn.without(of_letters(drawn, upper, lower)).mask, upper, lower, OUT_MM)


def of_letters(parts: Parts, upper: int, lower: int) -> NDArray[np.bool_]:
    """Which pieces are of letters in a field: most of their ink is in it, or hangs down from where letters begin."""
    tops, middles = parts.sizes[:, cv2.CC_STAT_TOP], parts.middles[:, 1]
    hangs = (tops >= upper) & (tops <= lower - HIGHEST_MM * PIXELS_PER_MM)
    return (middles >= upper) & ((middles <= lower) | hangs)


def drawn_by_pen(parts: Parts) -> Parts:
    """Leave out what may be a sensor's grain in a shadow: it is no larger than a printed dot."""
    return parts.without(parts.longest <= DOT_MM * PIXELS_PER_MM)


def is_crossed(own: Parts, lines: Grey | None, left: int, top: int) -> bool:
    """Say whether ink stands where a line of the scanner was taken out, or right beside; of a crop at this corner."""
    if lines is None:
        return False
    height, width = own.labels.shape
    where = (lines[top : top + height, left : left + width] < TAKEN_OUT).astype(np.uint8)
    near = cv2.dilate(where, square(2 * round(BESIDE_LINE_MM * PIXELS_PER_MM) + 1))
    return bool((near[own.mask] > 0).any())


def goes_beyond(ink: NDArray[np.bool_], upper: int, lower: int, by_mm: float) -> bool:
    """Say whether ink is found further than this above or below a field."""
    out = round(by_mm * PIXELS_PER_MM)
    return bool(ink[: max(0, upper - out)].any() or ink[lower + out :].any())
