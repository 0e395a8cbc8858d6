"""The band of paper that holds a row: cutting it out, and the doubts seen there, such as tails and hidden paper."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.ink import Box, Note, PictureFault, PictureMessage
from pipeline.paper.sheet_layout import Field, Form, Guide
from pipeline.reading.dewarp import find_bars, small_and_long
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage
from pipeline.reading.strokes import (
    DOT_MM,
    HIGHEST_MM,
    WHITE,
    FromAbove,
    Parts,
    grain,
    ink_parts,
    inked_below,
    on_white,
    pieces,
    square,
)

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
    """How far down the row above searches for its tails, in pixels from ``top``."""
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


def trim_paper(grey: Grey, own: Parts) -> Grey:
    """Cut away the empty paper left and right of the ink."""
    first, last = stretch(own)
    return np.ascontiguousarray(grey[:, first:last])


def stretch(own: Parts) -> tuple[int, int]:
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
    return goes_beyond(drawn.without(_of_letters(drawn, upper, lower)).mask, upper, lower, OUT_MM)


def _of_letters(parts: Parts, upper: int, lower: int) -> NDArray[np.bool_]:
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


def told_rows(rows: Sequence[int]) -> tuple[PictureMessage, ...]:
    """Warn about hidden rows while the sheet is still at hand.

    >>> [message.as_body() for message in told_rows([16, 17])]
    [{'code': 'ROWS_HIDDEN', 'rows': [16, 17]}]
    """
    return (PictureMessage.of(PictureFault.ROWS_HIDDEN, rows=tuple(rows)),) if rows else ()


# Writing outside the fields of a sheet: below the rows, in the margin, across the heading.
#
# A pen's stroke is thin, dark and a few mm long. What is wide is a stain, a hole or a torn corner, what is faint a fold
# or the back of the paper, and what runs down the whole sheet is dirt on the scanner's glass.

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
HEAD_ASTRAY_MM = (2.6, 1.3)  # the same on any other sheet
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
        left, top, right, bottom = (edge // STEP for edge in pixels(row, form, blank.shape))
        taken[top:bottom, left:right] = True
    free, sure = (
        ~(taken | filled | (cv2.dilate(print_, square(2 * round(off * PIXELS) + 1)) > 0))
        for off in (PRINT_OFF_MM, PRINT_ASTRAY_MM)
    )
    return FreePaper(free, sure, filled)


def outside(page: RegisteredPage, paper: FreePaper) -> tuple[Box, ...]:
    """Find what was written outside of all that is to be filled in: where, in mm on the sheet, from the top."""
    white = on_white(_smaller(page.flat), STEP)
    ink = white < inked_below(grain(white[::3, ::3]), CONTRAST)
    free = ink & (paper.free if _lies_straight(page) else paper.sure)
    if int(free.sum()) < AREA_MM2 * PIXELS**2:
        return ()
    down, across = strokes(white, ink, free, paper.filled)
    return tuple(sorted(_join_near_strokes(down, across, ink.shape), key=lambda box: box.top))


def _lies_straight(page: RegisteredPage) -> bool:
    """Whether print is near its place all over a sheet, also far from its dotted lines."""
    return page.residual_mm <= STRAIGHT_MM and float(np.abs(page.warp.bend).max()) <= BENT_MM


def strokes(white: Grey, ink: Mask, free: Mask, filled: Mask) -> tuple[PixelPlaces, PixelPlaces]:
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


def across_heading(page: RegisteredPage, blank: Grey) -> tuple[Box, ...]:
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
    down, across = strokes(white[::STEP, ::STEP], ink, free, filled)
    yield from _join_near_strokes(down, across, ink.shape)


def _at(box: Box, more_mm: float = 0.0, per_mm: float = PIXELS_PER_MM) -> tuple[slice, slice]:
    """The pixels of a box on a straight sheet, larger all round."""
    edges = (box.top - more_mm, box.top + box.height + more_mm, box.left - more_mm, box.left + box.width + more_mm)
    top, bottom, left, right = (max(0, round(edge * per_mm)) for edge in edges)
    return slice(top, bottom), slice(left, right)


def _at_half_size(box: Box, more_mm: float = 0.0) -> tuple[slice, slice]:
    """The same on a sheet at half its size (`_smaller`)."""
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


# Tails: strokes of a letter that reach into the row below, and end there or run into its writing.
# A tail belongs to its letter's row, however far it reaches. But a stroke drawn on purpose may look like one. A stroke
# that comes straight from the top of the writing may strike a letter out: it is never taken for a tail. All others are
# reported with their place, and are tails if a letter with a tail is read there. A tail that runs into the row below
# cannot be removed from that row, but causes no question there.

ENDS_MM = 7.0  # below the field: the longest of 18 that were seen, a straight y's, ended 6.98 below
WIDEST_TAIL_MM = 6.0  # of what hangs down: a loop was 3.6 wide, that straight y slants over 4.1
NO_LINE_MM = 3.0  # the widest a tail may be that runs into the row below; what is wider counts as a line drawn there
WIDE_MM = 4.0  # the widest a tail may be where it runs into other ink: the two sides of a loop
ROOM_MM = 1.5  # of paper that is looked at below where they end
TAILS_APART_MM = 1.2  # between the two sides of a loop
ALIKE_PX = 2  # rows: the same ink in two pictures of it
# A stroke that begins above this height strikes a letter out; 0 is the top of the writing, 1 its middle. Of 23 tails
# (hands that the gate is fitted on) 2 began as high: a p and a g as tall as the h beside them
FROM_TOP = 0.25
EDGE = 0.03  # of the ink above the top: dots, and the ends of strokes
LEANS = np.linspace(-1.0, 1.0, 21)  # columns a row that a stroke leans by
BENDS_MM = np.linspace(-1.2, 1.2, 7)  # how far a hand-drawn line may bend between its ends
AGAIN_MM = 0.3  # below the end of a row's band: ink there is matched with the ink that leaves the band

Pixels = tuple[NDArray[np.int64], NDArray[np.int64]]  # down and across


class Tail(Struct, frozen=True, eq=False):
    """What hangs down from one letter."""

    first: int  # the columns between which it leaves the row, in the row's band
    last: int
    ink: Pixels  # its ink below there, in the band or below it; of one that runs on, its narrowest row
    runs_on: bool = False  # into the writing of the row below


class HangingInk(Struct, frozen=True, eq=False):
    """What is found below a row where something leaves it."""

    wide: int  # px
    ended: int  # from where it leaves the row
    ink: NDArray[np.bool_]  # from there

    def as_tail(self, out: int, first: int, last: int) -> Tail:
        """Make the tail that leaves the row between two columns, at row ``out`` of its band."""
        down, across = np.nonzero(self.ink)
        return Tail(first, last, (down + out, across))


def hanging(flat: Grey, own: Parts, corner: tuple[int, int], upper: int, lower: int) -> tuple[Tail, ...]:
    """The tails of a row, if nothing else leaves it: none where anything does.

    ``own`` is the row's ink in a band of the sheet with this corner (left, top; px); the field begins and ends at
    ``upper`` and ``lower`` of it.
    """
    drawn = drawn_by_pen(own)
    if not goes_beyond(drawn.mask[upper:], 0, lower - upper, TAIL_MM):
        return ()
    if goes_beyond(drawn.mask[:lower], upper, lower, TAIL_MM) or lies_beyond(drawn, upper, lower):
        return ()
    out = lower + round(TAIL_MM * PIXELS_PER_MM)
    ends = lower + round(ENDS_MM * PIXELS_PER_MM)
    below = _seen_below(flat, corner, own.labels.shape[1], out, ends)
    tails: list[Tail] = []
    for first, last in together(drawn.mask[out:]):
        hung = _below_row(below, first, last)
        low, tail = out, None
        if hung.ended + out <= ends and hung.ink.any() and hung.wide <= WIDEST_TAIL_MM * PIXELS_PER_MM:
            tail = hung.as_tail(out, first, last)
        elif hung.ended + out > ends and hung.wide > NO_LINE_MM * PIXELS_PER_MM:
            low, tail = _running_on(drawn, lower, out, first, last)
        if tail is None or _comes_from_the_top(drawn, low, tail.first, tail.last):
            return ()
        tails.append(tail)
    return tuple(tails)


def _running_on(drawn: Parts, lower: int, out: int, first: int, last: int) -> tuple[int, Tail | None]:
    """Take ink that is narrow where it leaves a row and wide below for a tail.

    Returns also the row, between the end of the field and ``out``, where it is narrowest.
    """
    here = np.unique(drawn.labels[out, first : last + 1])
    room = round(WIDE_MM * PIXELS_PER_MM)
    left = max(0, first - room)
    there = np.isin(drawn.labels[lower : out + 1, left : last + 1 + room], here[drawn.keep[here]])
    narrowest = min(
        (
            (int(np.ptp(columns)), row, columns)
            for row, columns in enumerate(map(np.flatnonzero, there))
            if len(columns)
        ),
        key=lambda each: each[:2],
        default=None,
    )
    if narrowest is None or narrowest[0] >= room:
        return out, None
    low, columns = lower + narrowest[1], left + narrowest[2]
    return low, Tail(int(columns[0]), int(columns[-1]), (np.full_like(columns, low), columns), runs_on=True)


def _comes_from_the_top(drawn: Parts, out: int, first: int, last: int) -> bool:
    """Say whether what hangs down between two columns is one stroke, all but straight, from the top of the writing."""
    ink = drawn.mask[: out + 1]
    rising = np.cumsum(ink.sum(1))
    top, middle = (int(np.searchsorted(rising, part * rising[-1])) for part in (EDGE, 0.5))
    high = round(top + FROM_TOP * (middle - top))
    whole = np.isin(drawn.labels[: out + 1], np.unique(drawn.labels[out, first : last + 1])) & ink
    near = cv2.dilate(whole.astype(np.uint8), np.ones((1, 3), np.uint8)) > 0  # a hand is not quite steady
    rows = np.arange(high, out + 1)
    up = out - rows
    bent = BENDS_MM[:, None] * PIXELS_PER_MM * (up / max(1, len(up) - 1)) ** 2
    ways = (LEANS[:, None, None] * up + bent)[:, :, None, :] + np.arange(first, last + 1)[:, None]
    across = np.rint(ways).astype(int)
    is_inside = (across >= 0) & (across < near.shape[1])
    return bool((near[rows, np.clip(across, 0, near.shape[1] - 1)] & is_inside).all(-1).any())


def _seen_below(flat: Grey, corner: tuple[int, int], width: int, out: int, ends: int) -> Parts:
    """The ink of the sheet under a row, from ``out`` of its band to some way below where tails end."""
    left, top = corner
    bottom = top + ends + round(ROOM_MM * PIXELS_PER_MM)
    return ink_parts(on_white(flat[top + out : bottom, left : left + width]))


def _below_row(below: Parts, first: int, last: int) -> HangingInk:
    """Find what hangs down between two columns."""
    near = np.zeros(len(below.keep), bool)
    near[below.labels[: round(AGAIN_MM * PIXELS_PER_MM), first : last + 1]] = True
    near &= below.keep
    sizes = below.sizes[near]
    lefts, rights = sizes[:, cv2.CC_STAT_LEFT], sizes[:, cv2.CC_STAT_LEFT] + sizes[:, cv2.CC_STAT_WIDTH]
    ended = sizes[:, cv2.CC_STAT_TOP] + sizes[:, cv2.CC_STAT_HEIGHT]
    wide = max(last + 1, int(rights.max(initial=0))) - min(first, int(lefts.min(initial=first)))
    return HangingInk(wide, int(ended.max(initial=0)), below.pixels(near))


def together(inked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The stretches of columns with ink, first and last; the sides of a loop are one."""
    columns = np.flatnonzero(inked.any(0))
    cuts = np.flatnonzero(np.diff(columns) > TAILS_APART_MM * PIXELS_PER_MM) + 1
    return [(int(part[0]), int(part[-1])) for part in np.split(columns, cuts) if len(part)]


def hanging_into(
    parts: Parts, corner: tuple[int, int], above: Parts, field: tuple[int, int], tails: Sequence[Tail]
) -> FromAbove:
    """The pieces of a row that may be tails of the row above.

    These are pieces that end above this row's writing, and of the others those that are nothing but tails. ``corner``
    is where this row's band begins in the band of the row above, whose ``field`` begins and ends at these rows of it.
    """
    left, top = corner
    upper, lower = field
    out = lower + round(TAIL_MM * PIXELS_PER_MM)
    down, across = np.nonzero(drawn_by_pen(above).keep.take(above.labels[out:]))
    leaving = parts.at(down + out - top, across - left)
    hung = np.zeros(len(parts.keep), bool)
    ends = parts.sizes[:, cv2.CC_STAT_TOP] + parts.sizes[:, cv2.CC_STAT_HEIGHT]
    for down, across in (*(tail.ink for tail in tails), *ending(above, upper, lower, top)):
        here = parts.at(down - top, across - left)
        hung |= here & (ends <= int(down.max(initial=0)) - top + 1 + ALIKE_PX)
    return FromAbove(leaving, hung)


def ending(own: Parts, upper: int, lower: int, first: int) -> Iterator[Pixels]:
    """The tails that end in a row's band, if they are visible from row ``first`` on."""
    height = own.labels.shape[0]
    ends = own.sizes[:, cv2.CC_STAT_TOP] + own.sizes[:, cv2.CC_STAT_HEIGHT]
    in_row = own.keep & _of_letters(own, upper, lower)
    for piece in np.flatnonzero(in_row & (ends > max(lower, first)) & (ends < height)).tolist():
        down, across = np.nonzero(own.labels[first:] == piece)
        yield down + first, across


def hung_into(own: Parts, corner: tuple[int, int], upper: int, above: Parts, tails: Sequence[Tail]) -> bool:
    """Whether all ink that leaves a row at its top belongs to tails of the row above.

    ``corner`` is where this row's band begins in the band of the row above, ``upper`` where its field does.
    """
    left, top = corner
    out = max(0, upper - round(TAIL_MM * PIXELS_PER_MM))
    down, across = np.nonzero(drawn_by_pen(own).mask[:out])
    theirs = [above.labels[tail.ink] for tail in tails if tail.runs_on]
    if not len(down) or not theirs:
        return False
    running = np.zeros(len(above.keep), bool)
    running[np.concatenate(theirs)] = True
    down, across = down + top, across + left
    height, width = above.labels.shape
    if (down >= height).any() or (across < 0).any() or (across >= width).any():
        return False
    return bool((running & above.keep)[above.labels[down, across]].all())
