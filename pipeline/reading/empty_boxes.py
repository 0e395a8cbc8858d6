"""A box to tick is ticked, empty or asked: what is darker than the noise of its page's empty boxes is not empty.

Under a pattern, or in a dark picture, a pen's strokes may fall to crumbs that are too small to be ink. They are still
darker than anything in the empty boxes of the same page, and there are many of those to compare with.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.reading.pages import Grey
from pipeline.reading.strokes import SIGMA_OF_MEDIAN, TickMark, square

# Measured on 24 pages in the hands of 24 people, each under twelve kinds of damage
SOFT_PX = 1.5  # blur, standard deviation: finer than a pen's stroke
DARKEST = 0.08  # of a box: the strokes of a thin cross cover so much
LIGHTEST = 75  # percentile of a row or column of pixels: darker than usual there, most of it is dark
LEAST_EMPTY = 8  # boxes of a page: of fewer nobody knows how much they vary
NOISES = 6.0  # standard deviations of the empty boxes' depths
LEAST_DEPTH, MOST_DEPTH = 2.5, 12.0  # grey levels: a clean page's empty boxes vary by 1, the worst page's by 10
OF_WEAKEST = 0.35  # of the depth of the page's weakest tick: where the empty boxes vary much, half a tick is asked
OF_WEAKEST_STAINED = 0.3  # and where the paper is stained, which alone makes a box darker
WHITEST = 254.0  # grey level of paper that is as white as a picture can show: fainter strokes are lost
FADED = 20.0  # grey levels: on such paper, marks that are no deeper in the middle may stand beside others that are lost
FOREIGN_PX = 7  # as wide is a pixel of ink with its soft edge


class SeenBox(Struct, frozen=True):
    """A box to tick as it is seen."""

    name: str
    mark: TickMark
    depth: float  # of its darkest part, see `measure_depth`
    is_clear: bool  # no piece of ink is in it
    is_stained: bool  # the paper around it varies, as at the rim of a stain or a shadow
    edge: float = 0.0  # how dark the dashes of its printed edge are, in grey levels
    is_bright: bool = False  # its paper is as white as a picture can show
    drawn: float = 0.0  # mm: how far a pen went to tick it; 0 where it is no tick
    is_plain: bool = False  # a hook and nothing else


def measure_depth(grey: Grey, foreign: NDArray[np.bool_]) -> float:
    """How much darker than its middle level the darkest part of a box is, in grey levels.

    ``grey``: what is inside the box; ``foreign``: which of it is ink that belongs to no box, or to another.
    """
    if not grey.size:
        return 0.0
    near = cv2.dilate(foreign.astype(np.uint8), square(FOREIGN_PX)) > 0
    plain = np.where(near, np.uint8(np.median(grey)), grey)
    soft = cv2.GaussianBlur(plain, (0, 0), SOFT_PX).astype(np.float64)
    levels = _without_lines(soft).ravel()
    count = max(1, int(DARKEST * levels.size))
    return float(np.median(levels) - np.partition(levels, count)[:count].mean())


def _without_lines(levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lighten the rows and columns that are dark from edge to edge: a line of the paper, or what is left of one."""
    usual = np.median(levels)
    for axis in (0, 1):
        lightest = np.percentile(levels, LIGHTEST, axis=axis, keepdims=True)
        levels = levels + np.clip(usual - lightest, 0, None)
    return levels


def find_darker_boxes(rows: Sequence[Sequence[SeenBox]], paper: float) -> list[frozenset[str]]:
    """Name in each row of a page the boxes that seem empty and are darker than its empty boxes are.

    ``paper``: the grey level of the page's paper. Where strokes may be lost on it, every box that seems empty is named.
    """
    empty = _depths_of_empty(rows)
    if len(empty) < LEAST_EMPTY:
        return [frozenset()] * len(rows)
    usual = float(np.median(empty))
    ticks = [box.depth - usual for boxes in rows for box in boxes if box.mark is TickMark.TICKED]
    plain, stained = _least_depths(empty - usual, min(ticks, default=None))
    darker = [{box for box in boxes if box.depth - usual > (stained if box.is_stained else plain)} for boxes in rows]
    marks = [
        box.depth - usual
        for boxes, dark in zip(rows, darker, strict=True)
        for box in boxes
        if box in dark or box.mark is not TickMark.EMPTY
    ]
    is_faded = paper >= WHITEST and bool(marks) and float(np.median(marks)) < FADED
    return [
        frozenset(box.name for box in boxes if box.mark is TickMark.EMPTY and (is_faded or box in dark))
        for boxes, dark in zip(rows, darker, strict=True)
    ]


def _depths_of_empty(rows: Sequence[Sequence[SeenBox]]) -> NDArray[np.float64]:
    return np.array([box.depth for boxes in rows for box in boxes if box.mark is TickMark.EMPTY and box.is_clear])


def _least_depths(noise: NDArray[np.float64], weakest: float | None) -> tuple[float, float]:
    """How much deeper than usual a box must be to be asked: on plain paper, and on stained paper.

    ``noise``: how much deeper than usual each of the empty boxes is; ``weakest``: the weakest tick, if there are any.
    """
    plain = min(max(NOISES * SIGMA_OF_MEDIAN * float(np.median(np.abs(noise))), LEAST_DEPTH), MOST_DEPTH)
    if weakest is None:
        return plain, plain
    plain = max(LEAST_DEPTH, min(plain, OF_WEAKEST * weakest))
    return plain, max(plain, OF_WEAKEST_STAINED * weakest)


# In too much light dots and thin strokes are lost, those of a pale pen first. The dashes round the boxes are the last
# print to go, and how much paler they are than elsewhere says what is left of a stroke: light multiplies.

BRIGHT = 255.0  # grey level of light that a picture cannot tell from more
PALER_EDGES = 0.8  # of the page's darkest: between them a dot that is half as dark is lost
DARKEST_EDGES = 90  # percentile
CLEARLY = 1.5  # times as deep as what is asked about


class Light(Struct, frozen=True):
    """How much too much light has taken from a page."""

    palest: float  # the light that the palest tick leaves, as a share of what its dashes leave; infinite without a tick
    plain: float  # how deep a box must be to be asked, see `_least_depths`
    stained: float
    darkest: float  # how dark dashes are, where they are darkest

    @classmethod
    def of(cls, rows: Sequence[Sequence[SeenBox]]) -> "Light | None":
        """Measure it by its ticks, or what may be some; None where too few boxes are empty."""
        marks = [box for boxes in rows for box in boxes if box.mark is not TickMark.EMPTY]
        ticks = [box for box in marks if box.mark in (TickMark.TICKED, TickMark.SHADED)] or marks
        empty = _depths_of_empty(rows)
        if len(empty) < LEAST_EMPTY:
            return None
        palest = max(((BRIGHT - box.depth) / (BRIGHT - box.edge) for box in ticks), default=np.inf)
        usual = float(np.median(empty))
        edges = np.array([box.edge for boxes in rows for box in boxes])
        return cls(
            palest,
            *_least_depths(empty - usual, min((box.depth - usual for box in ticks), default=None)),
            float(np.percentile(edges, DARKEST_EDGES)),
        )

    def shows(self, box: SeenBox) -> bool:
        """Whether the page's palest tick would be asked about at least in this box."""
        left = BRIGHT - self.palest * (BRIGHT - box.edge)
        return left >= CLEARLY * (self.stained if box.is_stained else self.plain)

    def find_lost(self, boxes: Sequence[SeenBox]) -> frozenset[str]:
        """Name the boxes of a row that seem empty, and in whose light a tick would be lost."""
        is_known = np.isfinite(self.palest)
        return frozenset(
            box.name
            for box in boxes
            if box.mark is TickMark.EMPTY and box.is_bright and not self.shows(box)
            if is_known or box.edge <= PALER_EDGES * self.darkest
        )
