"""Tails: what hangs from a letter into the row below, and ends there by itself.

A tail is as much of its row as the letter is, however far it goes: that some ink leaves the row is no doubt then. But
what hangs down may be a stroke drawn on purpose as well. One that comes straight from the top of the writing may strike
a letter out, and is no tail here; of all else it is only said where it stands: it is a tail if a letter is read there
that has one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import on_white
from pipeline.reading.ink.band import OUT_MM, TAIL_MM, drawn_by_pen, goes_beyond
from pipeline.reading.ink.strokes import FromAbove, Parts, ink_parts
from pipeline.reading.registration.warp import PIXELS_PER_MM

ENDS_MM = 5.0  # below the field: the longest of 11 that were seen ended 4.6 below, a felt pen's
WIDE_MM = 4.0  # of what hangs down: its loop was 3.6 wide
ROOM_MM = 1.5  # of paper that is looked at below where they end
APART_MM = 1.2  # between the two sides of a loop
ALIKE_PX = 2  # rows: the same ink in two pictures of it
FROM_TOP = (
    0.4  # of the way from the top of the writing to its middle: so high no p, q, g or y begins beside taller letters
)
EDGE = 0.03  # of the ink above the top: dots, and the ends of strokes
LEANS = np.linspace(-1.0, 1.0, 21)  # columns a row that a stroke leans by
BENDS_MM = np.linspace(-1.2, 1.2, 7)  # that it bends by, from its end to its beginning: nobody draws with a ruler
AGAIN_MM = 0.3  # from where the row's band ends: there the ink is found again

Pixels = tuple[NDArray[np.int64], NDArray[np.int64]]  # down and across


@dataclass(frozen=True, slots=True, eq=False)
class Tail:
    """What hangs down from one letter."""

    first: int  # the columns between which it leaves the row, in the row's band
    last: int
    ink: Pixels  # its ink below there, in the band; it may end below the band


def hanging(flat: Grey, own: Parts, corner: tuple[int, int], upper: int, lower: int) -> tuple[Tail, ...]:
    """The tails of a row, if nothing else leaves it: none where anything does.

    ``own`` is the row's ink in a band of the sheet with this corner (left, top; px); the field begins and ends at
    ``upper`` and ``lower`` of it.
    """
    drawn = drawn_by_pen(own)
    if not goes_beyond(drawn.mask[upper:], 0, lower - upper, TAIL_MM):
        return ()
    in_row = (own.middles[:, 1] >= upper) & (own.middles[:, 1] <= lower)
    if goes_beyond(drawn.mask[:lower], upper, lower, TAIL_MM):
        return ()
    if goes_beyond(drawn.without(in_row).mask, upper, lower, OUT_MM):
        return ()
    out = lower + round(TAIL_MM * PIXELS_PER_MM)
    ends = lower + round(ENDS_MM * PIXELS_PER_MM)
    below = seen_below(flat, corner, own.labels.shape[1], out, ends)
    found: list[Tail] = []
    for first, last in together(drawn.mask[out:]):
        tail = below_row(below, out, ends, first, last)
        if tail is None or comes_from_the_top(drawn, out, first, last):
            return ()
        found.append(tail)
    return tuple(found)


def comes_from_the_top(drawn: Parts, out: int, first: int, last: int) -> bool:
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
    inside = (across >= 0) & (across < near.shape[1])
    return bool((near[rows, np.clip(across, 0, near.shape[1] - 1)] & inside).all(-1).any())


def seen_below(flat: Grey, corner: tuple[int, int], width: int, out: int, ends: int) -> Parts:
    """The ink of the sheet under a row, from ``out`` of its band to some way below where tails end."""
    left, top = corner
    bottom = top + ends + round(ROOM_MM * PIXELS_PER_MM)
    return ink_parts(on_white(flat[top + out : bottom, left : left + width]))


def below_row(below: Parts, out: int, ends: int, first: int, last: int) -> Tail | None:
    """What hangs down between two columns; None where it is no tail: too wide, or it does not end."""
    near = np.zeros(len(below.keep), bool)
    near[below.labels[: round(AGAIN_MM * PIXELS_PER_MM), first : last + 1]] = True
    near &= below.keep
    sizes = below.sizes[near]
    lefts, rights = sizes[:, cv2.CC_STAT_LEFT], sizes[:, cv2.CC_STAT_LEFT] + sizes[:, cv2.CC_STAT_WIDTH]
    ended = sizes[:, cv2.CC_STAT_TOP] + sizes[:, cv2.CC_STAT_HEIGHT]
    wide = max(last + 1, int(rights.max(initial=0))) - min(first, int(lefts.min(initial=first)))
    if wide > WIDE_MM * PIXELS_PER_MM or (ended + out > ends).any():
        return None
    down, across = np.nonzero(below.pixels(near))
    return Tail(first, last, (down + out, across))


def together(inked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The stretches of columns with ink, first and last; the sides of a loop are one."""
    columns = np.flatnonzero(inked.any(0))
    cuts = np.flatnonzero(np.diff(columns) > APART_MM * PIXELS_PER_MM) + 1
    return [(int(part[0]), int(part[-1])) for part in np.split(columns, cuts) if len(part)]


def hanging_into(parts: Parts, corner: tuple[int, int], above: Parts, lower: int, tails: Sequence[Tail]) -> FromAbove:
    """Which pieces of a row the row above has a claim to: what leaves that row below, further than most tails go.

    ``corner`` is where this row's band begins in the band of the row above, whose field ends at ``lower``.
    """
    left, top = corner
    out = lower + round(TAIL_MM * PIXELS_PER_MM)
    down, across = np.nonzero(drawn_by_pen(above).keep.take(above.labels[out:]))
    told = parts.at(down + out - top, across - left)
    hung = np.zeros(len(parts.keep), bool)
    ends = parts.sizes[:, cv2.CC_STAT_TOP] + parts.sizes[:, cv2.CC_STAT_HEIGHT]
    for tail in tails:
        down, across = tail.ink
        here = parts.at(down - top, across - left)
        hung |= here & (ends <= int(down.max(initial=0)) - top + 1 + ALIKE_PX)
    return FromAbove(told, hung)
