"""The pieces of ink in a crop: which are strokes of a pen, which are printed dots, and which hang in from elsewhere."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.paper.layout.sheet_layout import Guide
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import SOFT_PX, WHITE, grain, inked_below
from pipeline.reading.ink.pieces import Labels, pieces
from pipeline.reading.registration.warp import PIXELS_PER_MM

SPECK_MM = 0.30  # smaller than any pen's stroke is long
DOT_MM = 0.9  # a printed dot of 0.16 mm is no larger in any scan, a sensor's noise around it included
GUIDE_DOT_MM = 0.16  # a dot that was measured so
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
MARK_MM = 1.8  # no longer is the dot of an i, a felt pen's; letters that somebody squeezed in under a row are
STRIKE_MM = 12.0  # words joined by their hyphen are shorter where the line is longer
STRIKE_COVERS = 0.6  # of the writing's length that holds together
STRAIGHT_COVERS = 0.85  # of it under a line drawn through; bold small letters with an arrow between them reach 0.75
STRIKE_HIGH_MM = 0.4  # a line drawn through stays within this height: letters that touch do not, but for half a row
EDGE_OF_PEN = 0.3  # of the pen's width, that is taken off at each side
# Of the writing's length along which a line goes through the middle of its strokes. 15 legal rows of 5,000 in hands the
# gate is fitted on seemed struck out, letters that touch: no more than 0.5 of any; 343 of 496 that were have more than
# this, and of no other the readers were sure
LINE_COVERS = 0.6
STRIKE_CLIMBS = tuple(range(-4, 5))  # degrees
SCRIBBLE_MM = 25.0  # letters that touch are seldom one piece as long as this ...
SCRIBBLE_COVERS = 0.85  # ... and seldom all of a line


@dataclass(frozen=True, slots=True)
class Parts:
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
        """The pixels of some pieces; to take is twice as fast as to index."""
        return which.take(self.labels)

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
        found = np.zeros(len(self.keep), bool)
        found[self.labels[down[inside], across[inside]]] = True
        return found & self.keep

    def cut(self, piece: int) -> NDArray[np.bool_]:
        """One piece, as large as it is."""
        left, top, width, height = self.sizes[piece, : cv2.CC_STAT_AREA].tolist()
        found: NDArray[np.bool_] = self.labels[top : top + height, left : left + width] == piece
        return found

    def without(self, gone: NDArray[np.bool_]) -> "Parts":
        """Leave some pieces out."""
        return replace(self, keep=self.keep & ~gone)


def ink_parts(grey: Grey) -> Parts:
    """Find the ink: darker than the paper by more than the paper's own noise, and longer than a speck."""
    soft = cv2.GaussianBlur(grey, (0, 0), SOFT_PX).astype(np.uint8, copy=False)
    noise = grain(soft[::3, ::3])
    mask = (soft < inked_below(noise, LEAST_CONTRAST)).astype(np.uint8)
    labels, sizes, middles = pieces(mask)
    found = Parts(labels, sizes, middles, np.ones(len(sizes), bool))
    specks = found.longest <= SPECK_MM * PIXELS_PER_MM
    specks[0] = True  # the paper
    return found.without(specks)


def without_dots(grey: Grey, parts: Parts, guide: Guide, left: int, top: int) -> Parts:
    """Paint out the printed dots that stand alone; a dot under a stroke stays part of the stroke."""
    line = guide.y * PIXELS_PER_MM - 0.5 - top
    pitch, start = guide.pitch * PIXELS_PER_MM, guide.left * PIXELS_PER_MM - 0.5 - left
    off = np.abs(parts.middles[:, 1] - line)
    aside = np.abs((parts.middles[:, 0] - start + pitch / 2) % pitch - pitch / 2)
    is_small = (parts.longest <= (DOT_MM + guide.dot - GUIDE_DOT_MM) * PIXELS_PER_MM) & (off <= BENT_MM * PIXELS_PER_MM)
    in_place = np.maximum(off, aside) <= DOT_OFF_MM * PIXELS_PER_MM
    dots = is_small & (in_place | in_line(parts.middles, is_small, pitch))
    dots[0] = False  # the paper
    kept = parts.without(dots)
    paint_out(grey, parts.pixels(dots) | faint_dots(grey.shape, line, start, guide), kept)
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


def faint_dots(shape: tuple[int, ...], line: float, start: float, guide: Guide) -> NDArray[np.bool_]:
    """Where dots must be even if they are too faint to be seen as ink."""
    mask = np.zeros(shape, bool)
    places = np.round(start + (np.array(guide.dots) - guide.left) * PIXELS_PER_MM).astype(int)
    row = round(line)
    if 0 <= row < shape[0]:
        mask[row, places[(places >= 0) & (places < shape[1])]] = True
    return mask


def in_line(middles: NDArray[np.float64], is_small: NDArray[np.bool_], pitch: float) -> NDArray[np.bool_]:
    """Say which small pieces stand in line with others at the pitch of the dots, wherever the line is."""
    place = np.flatnonzero(is_small)
    found = np.zeros(len(middles), bool)
    if not LEAST_IN_LINE <= len(place) <= MOST_PIECES:
        return found
    across, down = middles[place, 0], middles[place, 1]
    apart = np.abs(across[:, None] - across[None, :])
    level = np.abs(down[:, None] - down[None, :]) <= LEVEL * pitch
    beside = (np.abs(apart - pitch) <= BESIDE * pitch) | (np.abs(apart - 2 * pitch) <= BESIDE * pitch)
    found[place] = (beside & level).sum(axis=1) >= LEAST_IN_LINE - 1
    return found


@dataclass(frozen=True, slots=True, eq=False)
class FromAbove:
    """Which pieces of ink the row above has a claim to."""

    told: NDArray[np.bool_]  # it says that they leave it
    tails: NDArray[np.bool_]  # they hang down from its letters, and end


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

    Of what hangs in from above, only what ends before ``seen``, where the row above no longer looks: there it hangs in
    from below, and of a mark between two rows both would say that it is the other's. And what the row ``above`` tells.
    Where the field ``below`` begins, a dot is that row's; and what reaches up from it begins no higher than letters do.
    """
    height = grey.shape[0]
    tops, middles = parts.sizes[:, cv2.CC_STAT_TOP], parts.middles[:, 1]
    ends = tops + parts.sizes[:, cv2.CC_STAT_HEIGHT]
    from_above = (tops <= 1) & (middles < upper)
    from_above &= ends < seen - 1 if above is None else (ends < seen - 1) | above.told
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
    length, widest = held_together(parts)
    width = int(parts.sizes[widest, cv2.CC_STAT_WIDTH])
    if width < max(STRIKE_MM * PIXELS_PER_MM, STRIKE_COVERS * length):
        return False
    if width >= max(SCRIBBLE_MM * PIXELS_PER_MM, SCRIBBLE_COVERS * length):
        return True
    return straightest(parts.cut(widest)) >= STRAIGHT_COVERS * length


def has_line_through(parts: Parts) -> bool:
    """Say whether a straight line goes through most of a row, however bold its letters are: no letters make one."""
    length, widest = held_together(parts)
    return straightest(core(parts.cut(widest))) >= LINE_COVERS * length


def held_together(parts: Parts) -> tuple[int, int]:
    """How long a row's writing is, in pixels, and which of its pieces is the widest."""
    sizes = parts.strokes
    ends = sizes[:, cv2.CC_STAT_LEFT] + sizes[:, cv2.CC_STAT_WIDTH]
    widest = int(np.flatnonzero(parts.keep)[parts.sizes[parts.keep, cv2.CC_STAT_WIDTH].argmax()])
    return int(ends.max() - sizes[:, cv2.CC_STAT_LEFT].min()), widest


def core(piece: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The middle of a pen's strokes: what is left of a piece of ink where each edge is taken off."""
    depth = cv2.distanceTransform(np.pad(piece, 1).astype(np.uint8), cv2.DIST_L2, 3)
    ridge = (depth > 0) & (depth == cv2.dilate(depth, square(3)))
    return (depth > EDGE_OF_PEN * 2 * float(np.median(depth[ridge])))[1:-1, 1:-1]


def straightest(piece: NDArray[np.bool_]) -> int:
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
