"""Writing outside the fields of a sheet: below the rows, in the margin, across the heading.

A pen's stroke is thin, dark and a few mm long. What is wide is a stain, a hole or a torn corner, what is faint a fold
or the back of the paper, and what runs down the whole sheet is dirt on the scanner's glass.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.sheet_layout import Field, Form
from pipeline.reading.band import field_edges
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage
from pipeline.reading.strokes import (
    WHITE,
    grain,
    inked_below,
    on_white,
    pieces,
    square,
)

STEP = 2  # the picture is reduced by this factor: a quarter of a mm a pixel
PIXELS = PIXELS_PER_MM / STEP  # in a mm
PRINT = 215  # grey level: darker is print on a blank sheet, small grey type made smaller included
PRINT_OFF_MM = 0.8  # how far from its place print may be on a sheet that lies straight (`_lies_straight`)
STRAIGHT_MM = 0.1  # the largest residual of such a sheet; damaged sheets have 0.01 to 0.08
BENT_MM = 1.0  # the most that such a sheet was bent; folded and stretched ones are by 0.3 to 0.7, crumpled ones by 1.6
PRINT_ASTRAY_MM = 3.0  # on any other sheet: far from dots crumpled paper had heading, foot and codes 1.3 to 2.4 off
MARK_OFF_MM = 1.5  # around a corner marker or a code, where a thumb may leave a rim
FILLED_MM = 2.0  # around a field of the header, a tick box: what is written there may leave it a little
RIM_MM = 4.0  # shadows and the edge of the paper
CORNER_MM = 30.0  # staples, and corners that are torn off or lie under something
LENGTH_MM = 4.0  # no smaller mark changes an order
AREA_MM2 = 1.2  # smallest ink that is reported: a line of LENGTH_MM by a thin pen's 0.3 mm
STROKE_MM2 = 0.4  # the least of a letter; dirt is smaller
APART_MM = 2.0  # letters of a word are closer
CONTRAST = 40.0  # grey levels of every pixel of ink, at least
DARK = 75.0  # grey levels of a stroke's darkest tenth, at least; a ball pen has 150
WIDEST_MM = 2.4  # felt pens draw 0.9, strokes cross; a punched hole has 5
ACROSS = 0.5  # of the sheet: no word is as long, and a fold or a streak is longer

HEAD_PRINT_MM = 0.3  # how much further than on a blank sheet a printed word of the heading reaches, where it is found
WORD_MM = 1.5  # letters that are closer are one word
HEAD_OFF_MM = (1.2, 0.5)  # how far a word is looked for, and then its letters, on a sheet that lies straight
HEAD_ASTRAY_MM = (2.6, 1.3)  # on any other sheet
FAR_OFF = 0.15  # penalty on the match at the end of the reach, so that the second l of "ill" is not taken for the first
HEAD_RIM_PX = 3  # of white around a piece of print, where it is looked for
HEAD_MM2 = 0.65  # the least of ink across print: 2 mm of a thin pen; the print of another font had 0.6
HEAD_LENGTH_MM = 1.5
LETTER_MM = 1.0  # as near to ink, print is missing where the ink is a letter of another cut of the font
OTHER_CUT = 0.25  # of such a letter's ink: so much print is missing, at least
ABOVE_GUIDE_MM = 1.4  # a name is printed so far above the lower edge of its field: there is the dotted line
NAME_MM = 1.0  # around a name that is printed in its field

Mask = NDArray[np.bool_]
PixelPlaces = NDArray[np.int64]


class FreePaper(Struct, frozen=True, eq=False):
    """The paper of one form that is not to be written on; pixels of a quarter of a mm."""

    free: Mask  # nothing is printed here, and nothing to be filled in
    sure: Mask  # nothing is printed here or nearby
    filled: Mask  # the fields of the header and the tick boxes


def free_paper(blank: Grey, form: Form) -> FreePaper:
    """Say where nothing is printed on a blank sheet, and nothing to be filled in."""
    blank = _as_laid(blank, form)
    print_ = (_smaller(blank) < PRINT).astype(np.uint8)
    filled = np.zeros(print_.shape, bool)
    for field in (*(field for field in form.fields if field.row is None), *form.ticks):
        filled[_at_half_size(field.box, FILLED_MM)] = True
    taken = np.ones(print_.shape, bool)
    taken[_at_half_size(Box(RIM_MM, RIM_MM, form.width - 2 * RIM_MM, form.height - 2 * RIM_MM))] = False
    for box in form.marks:
        taken[_at_half_size(box, MARK_OFF_MM)] = True
    for left in (0.0, form.width - CORNER_MM):
        for top in (0.0, form.height - CORNER_MM):
            taken[_at_half_size(Box(left, top, CORNER_MM, CORNER_MM))] = True
    head = form.printed_id.top + form.printed_id.height + PRINT_OFF_MM
    taken[_at_half_size(Box(0.0, 0.0, form.width, head))] = True  # the heading is another on every sheet
    for row in form.rows:
        left, top, right, bottom = (edge // STEP for edge in field_edges(row, form, blank.shape))
        taken[top:bottom, left:right] = True
    free, sure = (
        ~(taken | filled | (cv2.dilate(print_, square(2 * round(off * PIXELS) + 1)) > 0))
        for off in (PRINT_OFF_MM, PRINT_ASTRAY_MM)
    )
    return FreePaper(free, sure, filled)


def find_ink_outside(page: RegisteredPage, paper: FreePaper) -> tuple[Box, ...]:
    """Find what was written outside of all that is to be filled in: where, in mm on the sheet, from the top."""
    white = on_white(_smaller(page.flat), STEP)
    ink = white < inked_below(grain(white[::3, ::3]), CONTRAST)
    free = ink & (paper.free if _lies_straight(page) else paper.sure)
    if int(free.sum()) < AREA_MM2 * PIXELS**2:
        return ()
    down, across = _find_strokes(white, ink, free, paper.filled)
    return tuple(sorted(_join_near_strokes(down, across, ink.shape), key=lambda box: box.top))


def _lies_straight(page: RegisteredPage) -> bool:
    """Whether print is near its place all over a sheet, also far from its dotted lines."""
    return page.residual_mm <= STRAIGHT_MM and float(np.abs(page.warp.bend).max()) <= BENT_MM


def _find_strokes(white: Grey, ink: Mask, free: Mask, filled: Mask) -> tuple[PixelPlaces, PixelPlaces]:
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


def _join_near_strokes(down: PixelPlaces, across: PixelPlaces, shape: tuple[int, ...]) -> Iterator[Box]:
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
            yield _box_of(rows, columns)


def find_ink_across_heading(page: RegisteredPage, blank: Grey) -> tuple[Box, ...]:
    """Find ink across what is printed in the heading, and words beside it: where, in mm on the sheet.

    The heading says for which board, power, season and player a sheet is; ``blank`` is this very sheet as it was
    printed. Each printed word is searched near its place, so that displaced print is not taken for ink. A stroke that
    begins in the field for the signature, or in a box to tick, belongs there.
    """
    form = page.form
    ends = [box.top + box.height for box in (form.printed_id, *(field.box for field in _header_fields(form)))]
    low = round(max(ends) * PIXELS_PER_MM)
    white = on_white(page.flat[:low])
    ink = white < inked_below(grain(white[::3, ::3]), CONTRAST)
    blank = _as_laid(blank, form)[:low]
    is_straight = _lies_straight(page)
    head, filled = _heading_masks(blank, form, MARK_OFF_MM if is_straight else PRINT_ASTRAY_MM)
    wanted = np.where(head, blank, WHITE).astype(np.uint8)
    printed = (wanted < PRINT).astype(np.uint8)
    for is_sought in (False, True):  # most headings are clean, and print is where it should be: a third of the time
        if is_sought:
            printed = _print_as_found(white, wanted, HEAD_OFF_MM if is_straight else HEAD_ASTRAY_MM)
        thick = cv2.dilate(printed, square(2 * round(HEAD_PRINT_MM * PIXELS_PER_MM) + 1)) > 0
        left = ink & head & ~thick
        if int(left.sum()) < HEAD_MM2 * PIXELS_PER_MM**2:
            return ()
    return (
        *_across_print(white, ink, left, (printed > 0, filled, form)),
        *_beside_print(white, ink, left, (filled, form)),
    )


def _header_fields(form: Form) -> tuple[Field, ...]:
    """The fields of the header, of a sheet for orders: player and signature."""
    return tuple(field for field in form.fields if field.row is None and field.name in ("player", "signature"))


def _heading_masks(blank: Grey, form: Form, mark_off_mm: float) -> tuple[Mask, Mask]:
    """Where ink counts on the heading, the name that is printed in its field included; and what is to be filled in."""
    head, filled = np.zeros(blank.shape, bool), np.zeros(blank.shape, bool)
    bottom = form.printed_id.top + form.printed_id.height
    head[_at(Box(RIM_MM, RIM_MM, form.width - 2 * RIM_MM, bottom - RIM_MM))] = True
    for box in form.marks:
        head[_at(box, mark_off_mm)] = False
    for tick in form.ticks:
        filled[_at(tick.box, FILLED_MM)] = True
    for field in _header_fields(form):
        above = Box(field.box.left, field.box.top, field.box.width, field.box.height - ABOVE_GUIDE_MM)
        if field.name == "signature":
            filled[_at(field.box)] = True
        elif (name := blank[_at(above)] < PRINT).any():
            columns = np.flatnonzero(name.any(axis=0)) / PIXELS_PER_MM
            left, width = above.left + float(columns[0]) - NAME_MM, float(np.ptp(columns)) + 2 * NAME_MM
            head[_at(Box(left, above.top, width, above.height))] = True
    return head & ~filled, filled


def _print_as_found(white: Grey, wanted: Grey, reach_mm: tuple[float, float]) -> NDArray[np.uint8]:
    """Where the print of a blank heading is on a scanned one: each word is looked for so far around its place.

    Then each letter is searched around the word's place, because paper bends within a word, too.
    """
    print_ = (wanted < PRINT).astype(np.uint8)
    on_scan = np.zeros(print_.shape, np.uint8)
    joined = cv2.dilate(print_, square(2 * round(WORD_MM / 2 * PIXELS_PER_MM) + 1)).astype(np.uint8, copy=False)
    word_of, words_, _ = pieces(joined)
    letter_of, letters, _ = pieces(print_)
    reach, near = (round(mm * PIXELS_PER_MM) for mm in reach_mm)
    seen = np.pad(WHITE - np.minimum(white, WHITE), reach + near + HEAD_RIM_PX)
    blank = np.pad(WHITE - np.minimum(wanted, WHITE), HEAD_RIM_PX)
    shifts = [_offset_of(blank, seen, each, (0, 0), (reach, near)) for each in words_[1:].tolist()]
    for number, (left, top, width, height, _) in enumerate(letters[1:].tolist(), start=1):
        rows, columns = np.nonzero(letter_of[top : top + height, left : left + width] == number)
        word = int(word_of[top + rows[0], left + columns[0]])
        right, down = _offset_of(blank, seen, (left, top, width, height, 0), shifts[word - 1], (near, reach))
        rows, columns = rows + top + down, columns + left + right
        is_in = (rows >= 0) & (rows < white.shape[0]) & (columns >= 0) & (columns < white.shape[1])
        on_scan[rows[is_in], columns[is_in]] = 1
    return on_scan


def _offset_of(
    blank: Grey, seen: Grey, piece: Sequence[int], around: tuple[int, int], reach: tuple[int, int]
) -> tuple[int, int]:
    """How many pixels to the right and down a piece of print is found; ``reach``: how far, and what ``seen`` has more.

    The search is around a given offset, with the white margin, because an I alone is all black. ``seen`` has as many
    more pixels on all sides as both reaches together.
    """
    left, top = piece[:2]
    width, height = (side + 2 * HEAD_RIM_PX for side in piece[2:4])
    first, border = reach[0], sum(reach)
    x, y = left + border + around[0] - first, top + border + around[1] - first
    where = seen[y : y + height + 2 * first, x : x + width + 2 * first]
    alike = cv2.matchTemplate(where, blank[top : top + height, left : left + width], cv2.TM_CCOEFF)
    off = (np.arange(-first, first + 1) / first) ** 2
    _, _, _, (right, down) = cv2.minMaxLoc(alike * (1 - FAR_OFF * (off[:, None] + off[None, :])))
    return around[0] + right - first, around[1] + down - first


def _across_print(white: Grey, ink: Mask, left: Mask, places: tuple[Mask, Mask, Form]) -> Iterator[Box]:
    """The strokes that touch print and go on beside it; ``places``: the print as it is found, and what is filled in.

    The printer may use another cut of the font, so a letter differs from ours in some ink. Such a letter is not a pen's
    stroke, except in the line of season and board, where a figure may have been altered.
    """
    printed, filled, form = places
    missing = printed & (cv2.dilate(ink.astype(np.uint8), square(3)) == 0)
    if len(form.heading) > 1:
        missing[_at(form.heading[1])] = False
    around = round(LETTER_MM * PIXELS_PER_MM)
    labels, sizes, _ = pieces(ink.astype(np.uint8))
    touches = np.zeros(len(sizes), bool)
    touches[np.unique(labels[printed & ink])] = True
    touches[np.unique(labels[filled & ink])] = False
    down, across = np.nonzero(left & touches[labels])
    owner = labels[down, across]
    for piece in np.unique(owner):
        rows, columns = down[owner == piece], across[owner == piece]
        is_faint = WHITE - float(np.percentile(white[rows, columns], 10)) < DARK
        length = max(np.ptp(rows), np.ptp(columns)) + 1
        is_stroke = len(rows) >= HEAD_MM2 * PIXELS_PER_MM**2 and length >= HEAD_LENGTH_MM * PIXELS_PER_MM
        near = missing[
            max(0, rows.min() - around) : rows.max() + around, max(0, columns.min() - around) : columns.max() + around
        ]
        is_letter = np.ptp(columns) < around * 2 and int(near.sum()) >= OTHER_CUT * len(rows)
        if is_stroke and not is_faint and not is_letter:
            yield _box_of(rows // STEP, columns // STEP)


def _beside_print(white: Grey, ink: Mask, left: Mask, places: tuple[Mask, Form]) -> Iterator[Box]:
    """The words that are written in the heading where nothing is printed, but for its corners, where staples are."""
    filled, form = places
    bottom = round((form.printed_id.top + form.printed_id.height) * PIXELS_PER_MM)
    free = left.copy()
    free[bottom:] = False
    for side in (0.0, form.width - CORNER_MM):
        free[_at(Box(side, 0.0, CORNER_MM, CORNER_MM))] = False
    free, ink, filled = (mask[::STEP, ::STEP] for mask in (free, ink, filled))
    down, across = _find_strokes(white[::STEP, ::STEP], ink, free, filled)
    yield from _join_near_strokes(down, across, ink.shape)


def _at(box: Box, more_mm: float = 0.0, per_mm: float = PIXELS_PER_MM) -> tuple[slice, slice]:
    """The pixels of a box on a straight sheet, larger all round."""
    edges = (box.top - more_mm, box.top + box.height + more_mm, box.left - more_mm, box.left + box.width + more_mm)
    top, bottom, left, right = (max(0, round(edge * per_mm)) for edge in edges)
    return slice(top, bottom), slice(left, right)


def _at_half_size(box: Box, more_mm: float = 0.0) -> tuple[slice, slice]:
    """The pixels of a box on a straight sheet at half its size (`_smaller`)."""
    return _at(box, more_mm, PIXELS)


def _box_of(rows: PixelPlaces, columns: PixelPlaces) -> Box:
    """The box of some pixels, in mm on the sheet to a tenth."""
    edges = columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1
    left, top, width, height = (round(float(edge) / PIXELS, 1) for edge in edges)
    return Box(left, top, width, height)


def _as_laid(blank: Grey, form: Form) -> Grey:
    """A drawn sheet with as many pixels as one laid straight: a page of A5 is drawn one wider, by rounding."""
    height, width = round(form.height * PIXELS_PER_MM), round(form.width * PIXELS_PER_MM)
    missing = ((0, max(0, height - blank.shape[0])), (0, max(0, width - blank.shape[1])))
    return np.pad(blank, missing, constant_values=WHITE)[:height, :width]


def _smaller(grey: Grey) -> Grey:
    """A straight sheet at half its size."""
    return cv2.resize(grey, None, fx=1 / STEP, fy=1 / STEP, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
