"""The pieces of ink in a crop: pen strokes, printed dots, and ink that belongs to neighbouring rows."""

import math
from collections.abc import Iterable
from enum import StrEnum

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.sheet_layout import Guide
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage

# What holds together in a picture of ink: its pieces, each with a number of its own.

Labels = NDArray[np.uint16] | NDArray[np.int32]  # by pixel: its piece; the paper is piece 0

MOST_SHORT = 2**16 - 1  # numbers that have 16 bits, without the paper's


def pieces(mask: Grey) -> tuple[Labels, NDArray[np.int32], NDArray[np.float64]]:
    """Find the pieces of a mask: their labels, OpenCV's sizes of each, and their middles.

    OpenCV finds the same with numbers of 16 and of 32 bits, and takes a third of the time with the shorter ones.
    """
    height, width = mask.shape
    is_small = ((height + 1) // 2) * ((width + 1) // 2) < MOST_SHORT  # no two pieces are in one square of four pixels
    if not is_small:  # runs of ink along the rows: each piece has at least one
        is_small = np.count_nonzero(mask[:, :1]) + np.count_nonzero(mask[:, 1:] > mask[:, :-1]) < MOST_SHORT
    kind = cv2.CV_16U if is_small else cv2.CV_32S
    _, labels, sizes, middles = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=kind)
    typed_labels: Labels = np.asarray(labels, np.uint16) if is_small else np.asarray(labels, np.int32)
    return typed_labels, np.asarray(sizes, np.int32), np.asarray(middles, np.float64)


# Paper made white: shadows, coffee and yellow paper go, ink keeps its depth against what is around it.

LEVELS = 256  # of grey
WHITE = 250  # not 255: what is a little brighter than the paper around it must not be cut off
STEP = 2  # the paper is measured on a picture so much smaller: a quarter of a mm a pixel
STROKE_MM = 1.3  # felt pens draw 0.9; the rim of a coffee stain is wider
COARSE_STEP = 8  # pixels of a sheet in one of the picture that shadows are measured on: 1 mm
SHADOW_MM = 12.0  # nothing written is dark over so much
BROAD_MM, BROAD_DARK = 5.0, 0.3  # of a marker's stroke; highlighters draw 5 mm and more
BLOT = 0.42  # of the brightness around: darker than any shadow's edge or coffee
DARKEST = 30  # grey level that paper is taken for at least: without light there is nothing to be evened out
SIGMA_OF_MEDIAN = 1.48  # standard deviations in a median deviation, where grain is normal: 1 / 0.6745
SOFT_PX = 0.9  # blur, standard deviation: a sensor's grain is no ink
NOISES = 6  # standard deviations of the paper's own noise: of the 4 million pixels of a sheet no grain reaches ink


def on_white(part: Grey, smaller: int = 1) -> Grey:
    """Make the paper white despite uneven illumination: a part of a sheet, or its picture ``smaller`` times as small.

    Dark areas wider than any stroke count as paper, except blots, which are much darker than the paper.
    """
    at_large = _close_morphologically(part, COARSE_STEP // smaller, SHADOW_MM, smaller)
    near = _close_morphologically(part, STEP // smaller, STROKE_MM, smaller)
    light = near.astype(np.float64)
    if near.min() < at_large.max() * BLOT:  # there may be a blot
        light = np.maximum(light, cv2.resize(at_large, near.shape[::-1], interpolation=cv2.INTER_LINEAR) * BLOT)
    paper = cv2.blur(light, (5, 5)).astype(np.uint8)
    wide = cv2.resize(paper, part.shape[::-1], interpolation=cv2.INTER_LINEAR)
    lit = np.maximum(wide, np.full_like(wide, DARKEST))  # with a number numpy takes ten times as long
    white: Grey = cv2.divide(part, lit, scale=WHITE).astype(np.uint8, copy=False)
    return white


def find_broad_marks(flat: Grey, long_mm: float) -> Grey:
    """Where a broad marker drew on a sheet, as 1: what `on_white` takes for paper, and is no shadow.

    Darker by three tenths than what is around, wider than a pen's stroke, narrower than a highlighter's, and so long.
    What is mostly as dark as a blot is ink there, such as close letters of a felt pen.
    """
    near = _close_morphologically(flat, STEP, STROKE_MM, 1)
    side = round(BROAD_MM * PIXELS_PER_MM / STEP) | 1
    around = np.maximum(cv2.morphologyEx(near, cv2.MORPH_CLOSE, square(side)), 1)
    small = cv2.resize(flat, near.shape[::-1], interpolation=cv2.INTER_AREA)
    labels, sizes, _ = pieces((near < around * (1 - BROAD_DARK)).astype(np.uint8))
    long = np.maximum(sizes[:, cv2.CC_STAT_WIDTH], sizes[:, cv2.CC_STAT_HEIGHT]) >= long_mm * PIXELS_PER_MM / STEP
    long[0] = False  # the paper
    drawn = np.zeros(near.shape, np.uint8)
    for number in np.flatnonzero(long):
        mine = labels == number
        if np.median(small[mine] / around[mine]) > BLOT:
            drawn[mine] = 1
    marks: Grey = np.asarray(cv2.resize(drawn, flat.shape[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)
    return marks


def grain(sample: NDArray[np.uint8]) -> float:
    """How much paper varies, in grey levels, one standard deviation; ink on less than half of it does not matter."""
    counts, levels = np.bincount(sample.ravel(), minlength=LEVELS), np.arange(LEVELS)
    off = np.abs(levels - _median_of(levels, counts))
    nearest = np.argsort(off)
    return SIGMA_OF_MEDIAN * _median_of(off[nearest], counts[nearest])


def _median_of(values: NDArray[np.int64] | NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """The median of values, each there so many times, the least first.

    >>> _median_of(np.array([10, 20, 30]), np.array([1, 2, 1])), _median_of(np.array([10, 20, 30]), np.array([2, 0, 2]))
    (20.0, 20.0)
    """
    ends = np.cumsum(counts)
    low, high = np.searchsorted(ends, [(ends[-1] - 1) // 2, ends[-1] // 2], "right")
    return float(values[low] + values[high]) / 2


def inked_below(noise: float, least: float) -> float:
    """The grey level below which something is ink on white paper: by so much, and by more than its noise."""
    return WHITE - max(least, NOISES * noise)


def _close_morphologically(part: Grey, step: int, side_mm: float, smaller: int) -> NDArray[np.uint8]:
    """Take out whatever is dark and narrower than this, on a picture that is ``step`` times smaller again."""
    small = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    side = round(side_mm * PIXELS_PER_MM / (step * smaller)) | 1
    return cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)).astype(np.uint8, copy=False)


SPECK_MM = 0.30  # smaller than any pen's stroke is long
DOT_MM = 0.9  # the largest that a printed dot of 0.16 mm appears in any scan, with the sensor's noise around it
GUIDE_DOT_MM = 0.16  # the size of dot for which `DOT_MM` was measured
DOT_OFF_MM = 0.4  # how far from its place a dot may be after registration
BENT_MM = 2.0  # and where the paper is crumpled: there its dots still stand in line
LEAST_CONTRAST = 20.0  # grey levels; a hard pencil on a grey scan has 35
STROKE_LENGTH_MM = 0.6  # dirt and the grain of a sensor are shorter
INK_LENGTH_MM = 1.2  # a hyphen is 2 mm, a full stop 0.5
INK_AREA_MM2 = 0.35  # of ink in all: INK_LENGTH_MM of a thin pen's 0.3
LEAST_IN_LINE = 3  # small pieces: a dot, and two at one or two pitches from it
MOST_PIECES = 1000  # that are compared, each with each: more are grain or a stain, and take 8 MB a table
LEVEL = 0.3  # of the pitch: how far such a dot may be above or below
BESIDE = 0.25  # of the pitch: how far from its place along the line; no two places overlap
HIGHEST_MM = 2.0  # above the end of a field: no letter of the row below reaches up so far, and a low y begins there
MARK_MM = 1.8  # the dot of an i is at most as long, even in felt pen; letters squeezed in under a row are longer
STRIKE_MM = 12.0  # shorter ink never counts as struck out: two words with a hyphen between them may be as long
# Of the writing's length, what a line drawn through or a scribble holds together; letters that touch seldom do, and
# bold small letters with an arrow between them reach 0.75
STRIKE_COVERS = 0.85
STRIKE_HIGH_MM = 0.4  # a line drawn through stays within this height; letters that touch do for half a row at most
EDGE_OF_PEN = 0.3  # of the pen's width, that is taken off at each side
# Share of the writing's length along which one straight line runs through the strokes. 15 of 5,000 legal rows (fit
# half), whose letters touch, seemed struck out: they have at most 0.5. Of 496 rows that were struck out 343 have more
# than this; none of the others was accepted by the readers
LINE_COVERS = 0.6
STRIKE_CLIMBS = tuple(range(-4, 5))  # degrees
SCRIBBLE_MM = 25.0  # letters that touch are seldom one piece as long as this


class Parts(Struct, frozen=True):
    """The connected pieces of ink in a crop, and which of them count."""

    labels: Labels
    sizes: NDArray[np.int32]  # OpenCV's: left, top, width, height, area; the paper is the first
    middles: NDArray[np.float64]
    keep: NDArray[np.bool_]

    @property
    def mask(self) -> NDArray[np.bool_]:
        """The pixels of the pieces that count."""
        return self.pixels(self.keep)

    def pixels(self, which: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The pixels of some pieces; only the box round them is looked at, and `take` is twice as fast as indexing."""
        some = self.sizes[which]
        mask = np.zeros(self.labels.shape, bool)
        if len(some):
            left, top = some[:, :2].min(axis=0).tolist()
            right, bottom = (some[:, :2] + some[:, 2:4]).max(axis=0).tolist()
            mask[top:bottom, left:right] = which.take(self.labels[top:bottom, left:right])
        return mask

    @property
    def longest(self) -> NDArray[np.int32]:
        """How long each piece is, in pixels."""
        return np.maximum(self.sizes[:, cv2.CC_STAT_WIDTH], self.sizes[:, cv2.CC_STAT_HEIGHT])

    @property
    def strokes(self) -> NDArray[np.int32]:
        """The sizes of the pieces that a pen must have drawn: longer than dirt."""
        return self.sizes[self.keep & (self.longest >= STROKE_LENGTH_MM * PIXELS_PER_MM)]

    def at(self, down: NDArray[np.int64], across: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which pieces have ink in some places, of those that are in the crop."""
        height, width = self.labels.shape
        inside = (down >= 0) & (down < height) & (across >= 0) & (across < width)
        is_there = np.zeros(len(self.keep), bool)
        is_there[self.labels[down[inside], across[inside]]] = True
        return is_there & self.keep

    def cut(self, piece: int) -> NDArray[np.bool_]:
        """One piece, as large as it is."""
        left, top, width, height = self.sizes[piece, : cv2.CC_STAT_AREA].tolist()
        shape: NDArray[np.bool_] = self.labels[top : top + height, left : left + width] == piece
        return shape

    def without(self, gone: NDArray[np.bool_]) -> "Parts":
        """Leave some pieces out."""
        return replace(self, keep=self.keep & ~gone)


def ink_parts(grey: Grey, least: float = LEAST_CONTRAST) -> Parts:
    """Find the ink, as connected components: darker than the paper by more than its noise, longer than a speck.

    ``least``: grey levels by which it is darker, whatever the noise.
    """
    soft = cv2.GaussianBlur(grey, (0, 0), SOFT_PX).astype(np.uint8, copy=False)
    noise = grain(soft[::3, ::3])
    mask = (soft < math.ceil(inked_below(noise, least))).view(np.uint8)  # whole numbers compare faster
    labels, sizes, middles = pieces(mask)
    parts = Parts(labels, sizes, middles, np.ones(len(sizes), bool))
    specks = parts.longest <= SPECK_MM * PIXELS_PER_MM
    specks[0] = True  # the paper
    return parts.without(specks)


def without_dots(grey: Grey, parts: Parts, guide: Guide, left: int, top: int) -> Parts:
    """Paint out the printed dots that stand alone; a dot under a stroke stays part of the stroke."""
    line = guide.y * PIXELS_PER_MM - 0.5 - top
    pitch, start = guide.pitch * PIXELS_PER_MM, guide.left * PIXELS_PER_MM - 0.5 - left
    off = np.abs(parts.middles[:, 1] - line)
    aside = np.abs((parts.middles[:, 0] - start + pitch / 2) % pitch - pitch / 2)
    is_small = (parts.longest <= (DOT_MM + guide.dot - GUIDE_DOT_MM) * PIXELS_PER_MM) & (off <= BENT_MM * PIXELS_PER_MM)
    in_place = np.maximum(off, aside) <= DOT_OFF_MM * PIXELS_PER_MM
    dots = is_small & (in_place | _in_line(parts.middles, is_small, pitch))
    dots[0] = False  # the paper
    kept = parts.without(dots)
    paint_out(grey, parts.pixels(dots) | _faint_dots(grey.shape, line, start, guide), kept)
    return kept


def paint_out(grey: Grey, gone: NDArray[np.bool_], kept: Parts) -> None:
    """Make paper of some pixels and what is close around them, but for the pieces that are kept."""
    rows = np.flatnonzero(gone.any(axis=1))
    if not len(rows):
        return
    top, bottom = max(0, int(rows[0]) - 2), int(rows[-1]) + 3  # as far as what is close around reaches
    above = min(top, 1)  # a row more of the strokes, which are grown by one
    around = cv2.dilate(gone[top:bottom].astype(np.uint8), square(5))
    strokes = cv2.dilate(kept.keep.take(kept.labels[top - above : bottom + 1]).astype(np.uint8), square(3))
    grey[top:bottom][(around > 0) & (strokes[above : above + len(around)] == 0)] = WHITE


def _faint_dots(shape: tuple[int, ...], line: float, start: float, guide: Guide) -> NDArray[np.bool_]:
    """Where dots must be even if they are too faint to be seen as ink."""
    mask = np.zeros(shape, bool)
    places = np.round(start + (np.array(guide.dots) - guide.left) * PIXELS_PER_MM).astype(int)
    row = round(line)
    if 0 <= row < shape[0]:
        mask[row, places[(places >= 0) & (places < shape[1])]] = True
    return mask


def _in_line(middles: NDArray[np.float64], is_small: NDArray[np.bool_], pitch: float) -> NDArray[np.bool_]:
    """Say which small pieces stand in line with others at the pitch of the dots, wherever the line is."""
    place = np.flatnonzero(is_small)
    is_in_line = np.zeros(len(middles), bool)
    if not LEAST_IN_LINE <= len(place) <= MOST_PIECES:
        return is_in_line
    across, down = middles[place, 0], middles[place, 1]
    apart = np.abs(across[:, None] - across[None, :])
    level = np.abs(down[:, None] - down[None, :]) <= LEVEL * pitch
    beside = (np.abs(apart - pitch) <= BESIDE * pitch) | (np.abs(apart - 2 * pitch) <= BESIDE * pitch)
    is_in_line[place] = (beside & level).sum(axis=1) >= LEAST_IN_LINE - 1
    return is_in_line


class FromAbove(Struct, frozen=True, eq=False):
    """The pieces of ink that belong to the row above."""

    reported: NDArray[np.bool_]  # pieces with ink that leaves the row above, which that row reports
    tails: NDArray[np.bool_]  # tails of its letters that end here


def own_parts(
    grey: Grey,
    parts: Parts,
    upper: int,
    lower: int,
    seen: int,
    above: FromAbove | None = None,
    below: int | None = None,
) -> Parts:
    """Keep the ink that belongs to this row, and paint out what hangs in from its neighbours.

    Ink from above is removed if it ends before ``seen``, the limit of the row above's search, so that a mark between
    two rows is not disowned by both, or if the row ``above`` claims it.
    A dot where the field ``below`` begins belongs to that row, as does what reaches up from it no higher than letters
    do.
    """
    height = grey.shape[0]
    tops, middles = parts.sizes[:, cv2.CC_STAT_TOP], parts.middles[:, 1]
    ends = tops + parts.sizes[:, cv2.CC_STAT_HEIGHT]
    from_above = (tops <= 1) & (middles < upper)
    from_above &= ends < seen - 1 if above is None else (ends < seen - 1) | above.reported
    if above is not None:
        from_above |= above.tails
    from_below = (ends >= height - 1) & (middles > lower)
    if below is not None:
        from_below &= tops > lower - HIGHEST_MM * PIXELS_PER_MM
        from_below |= (middles > below) & (parts.longest <= MARK_MM * PIXELS_PER_MM)
    foreign = parts.keep & (from_above | from_below)
    own = parts.without(foreign)
    if foreign.any():
        gone = cv2.dilate(parts.pixels(foreign).astype(np.uint8), square(5)) > 0
        grey[gone & ~own.mask] = WHITE
    return own


def has_ink(parts: Parts) -> bool:
    """Say whether anything was written: one stroke as long as a small hyphen is enough."""
    sizes = parts.strokes
    if not len(sizes):
        return False
    longest = float(np.hypot(sizes[:, cv2.CC_STAT_WIDTH], sizes[:, cv2.CC_STAT_HEIGHT]).max()) / PIXELS_PER_MM
    area = float(sizes[:, cv2.CC_STAT_AREA].sum()) / PIXELS_PER_MM**2
    return longest >= INK_LENGTH_MM or area >= INK_AREA_MM2


def is_struck(parts: Parts) -> bool:
    """Say whether a row seems struck out: a straight line, or a scribble, holds together what is else words apart.

    Letters that touch do that, too: see `has_line_through`.
    """
    length, widest = _held_together(parts)
    width = int(parts.sizes[widest, cv2.CC_STAT_WIDTH])
    if width < max(STRIKE_MM * PIXELS_PER_MM, STRIKE_COVERS * length):
        return False
    return width >= SCRIBBLE_MM * PIXELS_PER_MM or _straightest(parts.cut(widest)) >= STRIKE_COVERS * length


def has_line_through(parts: Parts) -> bool:
    """Say whether a straight line goes through most of a row, however bold its letters are: no letters make one."""
    length, widest = _held_together(parts)
    return _straightest(core(parts.cut(widest))) >= LINE_COVERS * length


def _held_together(parts: Parts) -> tuple[int, int]:
    """How long a row's writing is, in pixels, and which of its pieces is the widest."""
    sizes = parts.strokes
    ends = sizes[:, cv2.CC_STAT_LEFT] + sizes[:, cv2.CC_STAT_WIDTH]
    widest = int(np.flatnonzero(parts.keep)[parts.sizes[parts.keep, cv2.CC_STAT_WIDTH].argmax()])
    return int(ends.max() - sizes[:, cv2.CC_STAT_LEFT].min()), widest


def core(piece: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The middle of a pen's strokes: what is left of a piece of ink where each edge is taken off."""
    depth, wide = _measure_pen(piece)
    return (depth > EDGE_OF_PEN * wide)[1:-1, 1:-1]


def length_drawn(ink: NDArray[np.bool_]) -> float:
    """How far a pen went to draw some ink, in mm: its area by the width of the pen."""
    return float(np.count_nonzero(ink)) / _measure_pen(ink)[1] / PIXELS_PER_MM if ink.any() else 0.0


def _measure_pen(ink: NDArray[np.bool_]) -> tuple[NDArray[np.float32], float]:
    """How deep in ink each pixel is, of a picture with a pixel of paper all round, and how wide the pen is; pixels."""
    depth = cv2.distanceTransform(np.pad(ink, 1).astype(np.uint8), cv2.DIST_L2, 3)
    ridge = (depth > 0) & (depth == cv2.dilate(depth, square(3)))
    return np.asarray(depth, np.float32), 2 * float(np.median(depth[ridge]))


def _straightest(piece: NDArray[np.bool_]) -> int:
    """Measure the longest straight line in a piece of ink, level or climbing a little; in pixels."""
    height, width = piece.shape
    room = round(width * math.tan(math.radians(max(STRIKE_CLIMBS))) / 2) + 1
    ink = np.pad(piece, ((room, room), (0, 0))).astype(np.uint8)
    band = np.ones((round(STRIKE_HIGH_MM * PIXELS_PER_MM), 1), np.uint8)
    longest = 0
    for degrees in STRIKE_CLIMBS:
        slope = math.tan(math.radians(degrees))
        level = np.array([[1, 0, 0], [slope, 1, -slope * width / 2]], np.float32)
        turned = cv2.warpAffine(ink, level, (width, height + 2 * room), flags=cv2.INTER_NEAREST)
        bands = np.pad(cv2.dilate(turned, band), ((0, 0), (1, 1))).astype(np.int8)
        edges = np.diff(bands[bands.any(1)].ravel())  # each row ends on paper: no line runs over into the next
        longest = max(longest, int((np.flatnonzero(edges < 0) - np.flatnonzero(edges > 0)).max(initial=0)))
    return longest


def square(side: int) -> NDArray[np.uint8]:
    """A square to grow things by."""
    return np.ones((side, side), np.uint8)


# Which boxes are ticked: ink inside a box, well away from its printed frame.

FRAME_MM = 0.6  # the frame, and how far it may lie off
AROUND_MM = 4.0  # of paper, to see how bright it is
TICKED = 0.025  # of the box: a tick of a thin pen covers 0.06, dirt 0.01
FRAME_SEEN = 0.3  # of the frame; under another paper there is nothing of it
DEEP = 2.0  # times the least contrast: what shines through from the back is fainter


def ticked_boxes(page: RegisteredPage) -> frozenset[str]:
    """Name the boxes with a mark in them; a box blacked out is a mark too."""
    return frozenset(tick.name for tick in page.form.ticks if ink_share(page, tick.box) >= TICKED)


def ink_share(page: RegisteredPage, box: Box) -> float:
    """Measure how much of a box is covered with ink."""
    inside = _cut_bright_box(page, box, -FRAME_MM)
    return float(np.mean(inside < WHITE - DEEP * LEAST_CONTRAST))


def has_frame(page: RegisteredPage, box: Box) -> bool:
    """Say whether the printed frame of a box can be seen; where it cannot, something lies on the box or cut it off."""
    here = _cut_bright_box(page, box, FRAME_MM)
    wide = 2 * round(FRAME_MM * PIXELS_PER_MM)
    if min(here.shape) <= 2 * wide:
        return False
    sides = (here[:wide].min(axis=0), here[-wide:].min(axis=0), here[:, :wide].min(axis=1), here[:, -wide:].min(axis=1))
    return float(np.mean(np.concatenate(sides) < WHITE - LEAST_CONTRAST)) >= FRAME_SEEN


def _cut_bright_box(page: RegisteredPage, box: Box, more_mm: float) -> Grey:
    """Cut a box out of the sheet, larger or smaller all round, as bright as the paper around it says."""
    left, top = (max(0.0, edge - AROUND_MM) for edge in (box.left, box.top))
    around = page.flat[
        round(top * PIXELS_PER_MM) : round((box.top + box.height + AROUND_MM) * PIXELS_PER_MM),
        round(left * PIXELS_PER_MM) : round((box.left + box.width + AROUND_MM) * PIXELS_PER_MM),
    ]
    across, down = (
        slice(
            max(0, round((near - edge - more_mm) * PIXELS_PER_MM)),
            round((near - edge + size + more_mm) * PIXELS_PER_MM),
        )
        for near, edge, size in ((box.left, left, box.width), (box.top, top, box.height))
    )
    return on_white(around)[down, across]


# What is in a box to tick: nothing, a tick, a box blacked out, or what may be one or not.

TICK_MM, TICK_MM2 = 2.6, 2.0  # a tick is as long, or covers as much; what is less may be a slip of the pen
FAINTEST = 2 * LEAST_CONTRAST  # what shines through from the back is fainter
HALF_FAINTEST = 28  # grey levels of a tick's ink in the median, at least: a coffee stain's rim has 26, over dots too
CLOSED_MM = 0.7  # gaps that a pen leaves where it fills a box
CORE = 0.6  # of a box's side: a core without gaps as wide is no cross, whose middle has 0.45 in the broadest felt pen
FILLED = 0.4  # of the box: so much of such a core, and it is blacked out rather than ticked
LINE = 1.36  # sides of its box: a level line as long strikes it; with the dots under its box a tick has 1.16
LINE_HIGH_MM = 2.5  # the mark that it goes through is higher than a line
RING = 0.46  # of its box: paper within a mark; a tick, with the dots round its box, has 0.42, a cross in a ring 0.5
BAND = 0.12  # of a box's side, both ways from its middle
DENSE = 0.5  # of the box is ink where a pen went to and fro (0.59 to 0.75); a plus, a stroke or a hook has 0.17 to 0.47
SHADED = 0.65  # of the lines through its middle: the pen went to and fro (0.67 to 1), and drew no cross (0.35 to 0.63)
LEAST_SHADED = 3  # boxes of a sheet that are shaded or blacked out: fewer may be taken back
SHADED_TO_OTHERS = 4  # so many for each box that is ticked otherwise, and that is this player's way to tick

Cover = NDArray[np.uint8]  # 1 where there is ink, and in gaps that a pen leaves


class TickMark(StrEnum):
    """What is in a box to tick."""

    EMPTY = "empty"
    TICKED = "ticked"
    SHADED = "shaded"  # a tick, by a pen that went to and fro
    BLACK = "blacked out"  # a tick by one player, taken back by another
    UNSURE = "unsure"  # too little, or too faint

    def as_seen(self, is_manner: bool) -> "TickMark":
        """The meaning of a mark, given whether this player ticks by filling boxes."""
        match self:
            case TickMark.SHADED:
                return TickMark.TICKED
            case TickMark.BLACK:
                return TickMark.TICKED if is_manner else TickMark.UNSURE
            case _:
                return self


def mark_in(
    grey: Grey,
    around: tuple[slice, slice],
    box: tuple[slice, slice],
    parts: Parts,
    letters: tuple[slice, slice] | None,
    *,
    is_plain: bool,
    contrast: float,
) -> TickMark:
    """Judge a box to tick by the pieces of ink that are its own: a cross, a hook or a blob ticks it.

    ``around`` are the pixels of the box and a little more, ``box`` are its own; ``letters`` those of the letters over
    it, where a hook may be tall enough to make a ring with them. ``is_plain``: it is a hook, and no line joined to it.
    ``contrast`` is the page's: 1 is full, and where it is less, what shines through is fainter, too.
    """
    if not has_ink(parts):
        return TickMark.EMPTY
    ink = parts.mask
    rows, columns = np.nonzero(ink[around])
    length = float(np.hypot(np.ptp(rows), np.ptp(columns))) / PIXELS_PER_MM if len(rows) else 0.0
    is_small = length < TICK_MM and len(rows) < TICK_MM2 * PIXELS_PER_MM**2
    dark = WHITE - grey[ink].astype(int)
    is_faint = (
        float(np.percentile(dark, 90)) < max(FAINTEST * contrast, LEAST_CONTRAST)
        or float(np.median(dark)) < HALF_FAINTEST * contrast
    )
    ends = parts.strokes[:, cv2.CC_STAT_TOP] + parts.strokes[:, cv2.CC_STAT_HEIGHT]
    from_below = bool((ends >= len(grey) - 1).any())  # a tick of the row below may have a tail as long
    taken_back = _is_taken_back(parts, ink, around[0], box[0], letters, may_be_ringed=not is_plain)
    if is_small or is_faint or from_below or taken_back:
        return TickMark.UNSURE
    if is_plain:
        return TickMark.TICKED
    gaps = square(round(CLOSED_MM * PIXELS_PER_MM))
    closed = np.asarray(cv2.morphologyEx(ink[box].astype(np.uint8), cv2.MORPH_CLOSE, gaps), np.uint8)
    if _is_blacked_out(closed):
        return TickMark.BLACK
    return TickMark.SHADED if _is_shaded(closed) else TickMark.TICKED


def _is_taken_back(
    parts: Parts,
    mask: NDArray[np.bool_],
    level: slice,
    box: slice,
    letters: tuple[slice, slice] | None,
    *,
    may_be_ringed: bool,
) -> bool:
    """Say whether a tick seems to be struck by a line, longer than its box, or to have a ring drawn round it.

    ``mask`` are the pixels of its ``parts``, ``level`` the rows of pixels of its box, and a little more; ``box`` only
    those. A tail that meets printed letters makes one piece with them.
    """
    side = box.stop - box.start
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    here = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    drawn = mask.copy()
    if letters is not None:
        drawn[letters] = False
    ink = drawn[here].astype(np.uint8)
    if min(ink.shape) < LINE_HIGH_MM * PIXELS_PER_MM:
        return False
    outlines, nesting = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    inner = zip(outlines, nesting[0], strict=True) if outlines else ()
    holes = [cv2.contourArea(one) for one, place in inner if place[3] >= 0]
    if may_be_ringed and sum(holes) >= RING * side**2:
        return True
    seen = mask if may_be_ringed else drawn
    struck = np.where(seen, parts.labels, 0)[level, here[1]]
    numbers = np.unique(struck[struck > 0])
    return any(_straightest(struck == piece) >= LINE * side for piece in numbers)


def _is_blacked_out(closed: Cover) -> bool:
    """Say whether a box is filled rather than ticked: a core without gaps over much of it."""
    inner = cv2.morphologyEx(closed, cv2.MORPH_OPEN, square(round(CORE * len(closed))))
    return float(inner.mean()) >= FILLED


def _is_shaded(closed: Cover) -> bool:
    """Say whether the pen went to and fro in a box: most of the lines through its middle, down or across, meet ink."""
    down, across = (slice(round((0.5 - BAND) * side), round((0.5 + BAND) * side)) for side in closed.shape)
    middles = (closed[:, across].mean(axis=1), closed[down].mean(axis=0))
    return float(closed.mean()) >= DENSE and max(float((middle > 0.5).mean()) for middle in middles) >= SHADED


def are_shaded(rows: Iterable[Iterable[TickMark]]) -> bool:
    """Say whether a player ticks by filling boxes: nearly all marks of the sheet are filled, more or less.

    A player who crosses boxes blacks one out to cancel it; one who only fills boxes means a tick.
    """
    marks = [mark for row in rows for mark in row]
    shaded = marks.count(TickMark.SHADED) + marks.count(TickMark.BLACK)
    return shaded >= LEAST_SHADED and shaded >= SHADED_TO_OTHERS * marks.count(TickMark.TICKED)
