"""What is in a box to tick: nothing, a tick, a box blacked out, or what may be one or not."""

from collections.abc import Iterable
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import WHITE
from pipeline.reading.ink.strokes import LEAST_CONTRAST, Parts, has_ink, square, straightest
from pipeline.reading.registration.warp import PIXELS_PER_MM

TICK_MM, TICK_MM2 = 2.6, 2.0  # a tick is as long, or covers as much; what is less may be a slip of the pen
FAINTEST = 2 * LEAST_CONTRAST  # what shines through from the back is fainter
CLOSED_MM = 0.7  # gaps that a pen leaves where it fills a box
CORE = 0.6  # of a box's side: a core without gaps as wide is no cross, whose middle has 0.45 in the broadest felt pen
FILLED = 0.4  # of the box: so much of such a core, and it is blacked out rather than ticked
LINE = 1.36  # sides of its box: a level line; with the dots under its box a tick has 1.16
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

    def seen(self, is_manner: bool) -> "TickMark":
        """What a mark says, once it is known whether to fill boxes is this player's way to tick."""
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
    letters: tuple[slice, slice] | None = None,
) -> TickMark:
    """Judge a box to tick by the pieces of ink that are its own: a cross, a hook or a blob ticks it.

    ``around`` are the pixels of the box and a little more, ``box`` are its own; ``letters`` those of the letters over
    it, where a hook may be tall enough to make a ring with them.
    """
    if not has_ink(parts):
        return TickMark.EMPTY
    ink = parts.mask
    rows, columns = np.nonzero(ink[around])
    length = float(np.hypot(np.ptp(rows), np.ptp(columns))) / PIXELS_PER_MM if len(rows) else 0.0
    is_small = length < TICK_MM and len(rows) < TICK_MM2 * PIXELS_PER_MM**2
    is_faint = WHITE - float(np.percentile(grey[ink], 10)) < FAINTEST
    ends = parts.strokes[:, cv2.CC_STAT_TOP] + parts.strokes[:, cv2.CC_STAT_HEIGHT]
    from_below = bool((ends >= len(grey) - 1).any())  # a tick of the row below may have a tail as long
    if is_small or is_faint or from_below or is_taken_back(parts, ink, around[0], box[0], letters):
        return TickMark.UNSURE
    gaps = square(round(CLOSED_MM * PIXELS_PER_MM))
    closed = np.asarray(cv2.morphologyEx(ink[box].astype(np.uint8), cv2.MORPH_CLOSE, gaps), np.uint8)
    if is_blacked_out(closed):
        return TickMark.BLACK
    return TickMark.SHADED if is_shaded(closed) else TickMark.TICKED


def is_taken_back(
    parts: Parts, mask: NDArray[np.bool_], level: slice, box: slice, letters: tuple[slice, slice] | None
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
    if sum(holes) >= RING * side**2:
        return True
    struck = parts.labels[level, here[1]]
    pieces = np.unique(struck[mask[level, here[1]]])
    return any(straightest(struck == piece) >= LINE * side for piece in pieces)


def is_blacked_out(closed: Cover) -> bool:
    """Say whether a box is filled rather than ticked: a core without gaps over much of it."""
    core = cv2.morphologyEx(closed, cv2.MORPH_OPEN, square(round(CORE * len(closed))))
    return float(core.mean()) >= FILLED


def is_shaded(closed: Cover) -> bool:
    """Say whether the pen went to and fro in a box: most of the lines through its middle, down or across, meet ink."""
    down, across = (slice(round((0.5 - BAND) * side), round((0.5 + BAND) * side)) for side in closed.shape)
    middles = (closed[:, across].mean(axis=1), closed[down].mean(axis=0))
    return float(closed.mean()) >= DENSE and max(float((one > 0.5).mean()) for one in middles) >= SHADED


def are_shaded(rows: Iterable[Iterable[TickMark]]) -> bool:
    """Say whether a player ticks by filling boxes: nearly all marks of the sheet are filled, more or less.

    Who crosses his boxes blacks one out to take it back; who has no other mark than that means it.
    """
    marks = [mark for row in rows for mark in row]
    shaded = marks.count(TickMark.SHADED) + marks.count(TickMark.BLACK)
    return shaded >= LEAST_SHADED and shaded >= SHADED_TO_OTHERS * marks.count(TickMark.TICKED)
