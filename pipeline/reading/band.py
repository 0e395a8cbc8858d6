"""The band of paper that holds a row: where it is cut out, what is amiss with its ink, and rows that are hidden."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box, Note, PictureFault, PictureMessage
from pipeline.paper.sheet_layout import Field, Form, Guide
from pipeline.reading.dewarp import find_bars, small_and_long
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage
from pipeline.reading.strokes import DOT_MM, HIGHEST_MM, WHITE, Parts, square

REACH_MM = 3.0  # above and below a field: tall letters and tails that leave it
RIGHT_MM = 7.0  # beyond its right end, where a long order runs on
CLEAR_MM = 1.5  # from the bar at the row's end
LEFT_MM = 1.0  # no written row of 32 pages is missed with 0.5 to 2.0 (benchmarks/constants.py)
AROUND_MM = 2.0  # of white left and right of the ink in a crop
FAINT = 60.0  # grey levels of the darkest tenth of the ink; a ball pen has 150
TAKEN_OUT = 250  # grey levels of the picture that says where a scanner's lines were
BESIDE_LINE_MM = 0.3  # ink may go with a line so near; 36 pages: the same with 0.15 to 0.6 (benchmarks/constants.py)
OUT_MM = 1.6  # beyond this, ink that belongs to no letter of the field counts as outside of it
TAIL_MM = 2.8  # no letter's tail goes further


def field_edges(field: Field, form: Form, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
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


def reach_of_row_above(form: Form, field: Field, top: int) -> int:
    """How far down the row above searches for its tails, in pixels from ``top``."""
    if field.row is None:
        return 0
    first, second = (row.box for row in form.rows[:2])
    apart = second.top - first.top - first.height
    return round((field.box.top - apart + REACH_MM) * PIXELS_PER_MM) - top


def start_of_row_below(form: Form, field: Field, top: int) -> int | None:
    """Where the field of the row below begins, in pixels from ``top``; None where there is none."""
    if field.row is None:
        return None
    after = [row.box.top for row in form.rows if row.box.top > field.box.top]
    return round(min(after) * PIXELS_PER_MM) - top if after else None


def trim_paper(grey: Grey, own: Parts) -> Grey:
    """Cut away the empty paper left and right of the ink."""
    first, last = inked_stretch(own)
    return np.ascontiguousarray(grey[:, first:last])


def inked_stretch(own: Parts) -> tuple[int, int]:
    """From where to where the ink reaches along the line, with some paper around; in pixels."""
    sizes = own.strokes
    around = round(AROUND_MM * PIXELS_PER_MM)
    first = max(0, int(sizes[:, cv2.CC_STAT_LEFT].min()) - around)
    return first, int((sizes[:, cv2.CC_STAT_LEFT] + sizes[:, cv2.CC_STAT_WIDTH]).max()) + around


def paper_notes(grey: Grey, own: Parts, free: Parts, upper: int, lower: int, *, struck: bool) -> tuple[Note, ...]:
    """The notes on the paper of a row; ``free`` is the ink that must stay within the row."""
    notes = [Note.STRUCK_OUT] if struck else []
    drawn = drawn_by_pen(free)
    if goes_beyond(drawn.mask, upper, lower, TAIL_MM) or lies_beyond(drawn, upper, lower):
        notes.append(Note.LEAVES_ROW)
    if WHITE - float(np.percentile(grey[own.mask], 10)) < FAINT:
        notes.append(Note.FAINT_INK)
    return tuple(notes)


def lies_beyond(drawn: Parts, upper: int, lower: int) -> bool:
    """Say whether ink that is no part of a letter in a field is found outside of it."""
    return goes_beyond(drawn.without(letters_of_field(drawn, upper, lower)).mask, upper, lower, OUT_MM)


def letters_of_field(parts: Parts, upper: int, lower: int) -> NDArray[np.bool_]:
    """Which pieces are of letters in a field: most of their ink is in it, or hangs down from where letters begin."""
    tops, middles = parts.sizes[:, cv2.CC_STAT_TOP], parts.middles[:, 1]
    hangs = (tops >= upper) & (tops <= lower - HIGHEST_MM * PIXELS_PER_MM)
    return (middles >= upper) & ((middles <= lower) | hangs)


def drawn_by_pen(parts: Parts) -> Parts:
    """Leave out what may be a sensor's grain in a shadow: it is no larger than a printed dot."""
    return parts.without(parts.longest <= DOT_MM * PIXELS_PER_MM)


def touches_scanner_line(own: Parts, lines: Grey | None, left: int, top: int) -> bool:
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


# Hidden paper: cut off, under another sheet, painted over. What is written there is unknown.
#
# Each row has a dotted line from end to end, or two. Where a long stretch has neither dots nor ink, something hides it.

PIECE_MM = 6.0  # of a line, judged as a whole: 44 damaged pages give the same with 3 to 12 (benchmarks/constants.py)
HIDDEN_MM = 24.0  # so long a stretch; a short order has 25
BAND_MM = 3.5  # above and below the line, for the paper around the dots to be known
DOWN_MM = 1.2  # where a dot may be, above and below its line
LEAST_DOTS = 8.0  # grey levels of the dots of the whole page; below, blurred or faded, they tell nothing
GONE = 0.25  # share of that level, below which dots are missing; glare, shadow and stains leave them 0.35 or more
STROKE = 25.0  # grey levels: where something long is darker than this, a pen's stroke hides the dots


def hidden_rows(page: RegisteredPage) -> frozenset[int]:
    """Name the rows of which a long stretch cannot be seen."""
    form, flat = page.form, page.flat
    lines = [
        (field.row or 0, *_dots_and_strokes(flat, guide)) for field in form.rows for guide in guides_of(form, field)
    ]
    usual = float(np.median(np.concatenate([dots for _, dots, _ in lines]))) if lines else 0.0
    if usual >= LEAST_DOTS and not page.is_one_bit and not page.through:  # a fax keeps some dots and drops others
        return frozenset(row for row, dots, stroked in lines if _has_gap((dots < GONE * usual) & ~stroked))
    gone = [
        pair
        for pair, seen in zip(form.bars, np.isfinite(find_bars(flat, form).offsets[..., 0]), strict=True)
        if not seen.any()
    ]
    return frozenset(field.row or 0 for field in form.rows if any(_is_beside(field.box, bar) for bar, _ in gone))


def _is_beside(row: Box, bar: Box) -> bool:
    return row.top <= bar.top + bar.height / 2 <= row.top + row.height


def _dots_and_strokes(flat: Grey, guide: Guide) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Piece by piece: how dark the dots of a line are, and whether a stroke lies over them."""
    top = max(0, round((guide.y - BAND_MM) * PIXELS_PER_MM))
    small, long = small_and_long(flat[top : round((guide.y + BAND_MM) * PIXELS_PER_MM)])
    near = slice(round((guide.y - DOWN_MM) * PIXELS_PER_MM) - top, round((guide.y + DOWN_MM) * PIXELS_PER_MM) - top)
    edges = np.round((np.array(guide.dots) - guide.pitch / 2) * PIXELS_PER_MM).astype(int)
    edges = edges[edges < flat.shape[1]]
    per = round(PIECE_MM / guide.pitch)
    count = len(edges) // per
    dots, long_lines = (np.maximum.reduceat(kind[near].max(axis=0), edges)[: count * per] for kind in (small, long))
    return np.median(dots.reshape(count, per), axis=1), np.median(long_lines.reshape(count, per), axis=1) > STROKE


def _has_gap(gone: NDArray[np.bool_]) -> bool:
    """Say whether so many pieces beside one another are gone."""
    least = round(HIDDEN_MM / PIECE_MM)
    return bool((np.convolve(gone, np.ones(least, int)) == least).any())


def warn_of_hidden_rows(rows: Sequence[int]) -> tuple[PictureMessage, ...]:
    """Warn about hidden rows while the sheet is still at hand.

    >>> [message.as_body() for message in warn_of_hidden_rows([16, 17])]
    [{'code': 'ROWS_HIDDEN', 'rows': [16, 17]}]
    """
    return (PictureMessage.of(PictureFault.ROWS_HIDDEN, rows=tuple(rows)),) if rows else ()
