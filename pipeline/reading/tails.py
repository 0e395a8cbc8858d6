"""Tails: strokes of a letter that reach into the row below, and end there or run into its writing.

A tail belongs to its letter's row, however far it reaches. But a stroke drawn on purpose may look like one. A stroke
that comes straight from the top of the writing may strike a letter out: it is never taken for a tail. All others are
reported with their place, and are tails if a letter with a tail is read there. A tail that runs into the row below
cannot be removed from that row, but causes no question there.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.reading.band import TAIL_MM, drawn_by_pen, goes_beyond, letters_of_field, lies_beyond
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.strokes import (
    FromAbove,
    Parts,
    ink_parts,
    on_white,
)

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


def find_tails(flat: Grey, own: Parts, corner: tuple[int, int], upper: int, lower: int) -> tuple[Tail, ...]:
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
    for first, last in _inked_stretches(drawn.mask[out:]):
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
    """The tail that ink is which runs into the row below, if it is narrow where it leaves its own row; else None.

    Returns also where it is narrowest: a row of pixels between the end of the field and ``out``.
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


def _inked_stretches(inked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The stretches of columns with ink, first and last; the sides of a loop are one."""
    columns = np.flatnonzero(inked.any(0))
    cuts = np.flatnonzero(np.diff(columns) > TAILS_APART_MM * PIXELS_PER_MM) + 1
    return [(int(part[0]), int(part[-1])) for part in np.split(columns, cuts) if len(part)]


def find_tails_from_above(
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
    for down, across in (*(tail.ink for tail in tails), *_tails_that_end(above, upper, lower, top)):
        here = parts.at(down - top, across - left)
        hung |= here & (ends <= int(down.max(initial=0)) - top + 1 + ALIKE_PX)
    return FromAbove(leaving, hung)


def _tails_that_end(own: Parts, upper: int, lower: int, first: int) -> Iterator[Pixels]:
    """The tails that end in a row's band, if they are visible from row ``first`` on."""
    height = own.labels.shape[0]
    ends = own.sizes[:, cv2.CC_STAT_TOP] + own.sizes[:, cv2.CC_STAT_HEIGHT]
    in_row = own.keep & letters_of_field(own, upper, lower)
    for piece in np.flatnonzero(in_row & (ends > max(lower, first)) & (ends < height)).tolist():
        down, across = np.nonzero(own.labels[first:] == piece)
        yield down + first, across


def comes_from_above(own: Parts, corner: tuple[int, int], upper: int, above: Parts, tails: Sequence[Tail]) -> bool:
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
