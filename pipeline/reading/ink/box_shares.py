"""Which box each piece of ink in a row belongs to, and which pieces may belong to either of two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.paper.layout.cell_layout import Cell
from pipeline.reading.ink.boxed_band import INNER_MM, SEEN_MM2, TAIL, Band
from pipeline.reading.ink.pieces import Labels
from pipeline.reading.ink.strokes import INK_AREA_MM2, STROKE_LENGTH_MM, Parts
from pipeline.reading.ink.tick_marks import TICK_MM2
from pipeline.reading.registration.warp import PIXELS_PER_MM

REACH_MM = 2.0  # a box reaches half way to the next, and so far at most
TICK_REACH_MM = 1.2  # above and below a tick box
WITHIN = 0.5  # of a tick lies well inside its box; with less it may be meant for the one beside
RUNS_ON = 0.5  # of the ink in and near its own box: crosses have 0.07 in and near another, flat hooks from there 0.92
ALONE = 0.9  # of what is well inside any box
ARM_MM = 1.0  # so far at least the shorter arm of a hook rises, beside its corner
BELOW_MM = 1.6  # its box the corner may be: boxes of two lines are 3.2 or more apart
TIP_MM2 = 0.8  # of its arms well inside another box: a tick that they run into there has more, with them
NEARER = 0.6  # of a hook's ink in and near its own box: with less in and near another the arms only point there


@dataclass(frozen=True, slots=True)
class Shares:
    """How the ink of a row is shared among its boxes, piece by piece."""

    band: Band
    near: NDArray[np.int64]  # pixels by piece and box, as far as each box reaches; the first column is what is in none
    inner: NDArray[np.int64]  # pixels by piece and box, well inside the box; the first column is what is in none
    owner: NDArray[np.int64]  # by piece: the box with most of it, 1..; 0 where most of it is in none

    @classmethod
    def of(cls, band: Band, places: set[str]) -> "Shares":
        """Count the pixels of each piece in each box."""
        near = np.zeros(band.grey.shape, np.int64)
        well_inside = near.copy()
        for number, (cell, reach) in enumerate(zip(band.cells, reaches(band.cells), strict=True), start=1):
            start, end = (max(0, round(edge * PIXELS_PER_MM) - band.left) for edge in reach)
            down, across = band.span(cell.box, -INNER_MM)
            if cell.name in places:  # letters may be tall, and have tails
                level = band.level(cell.line)
                near[level, start:end] = well_inside[level, across] = number
            else:
                near[band.span(cell.box, TICK_REACH_MM)[0], start:end] = number
                well_inside[down, across] = number
        counted, inner = (count(band.own.labels, region, len(band.cells) + 1) for region in (near, well_inside))
        owner = np.where(counted[:, 1:].sum(1) >= counted[:, 0], 1 + counted[:, 1:].argmax(1), 0)
        seen, most = inner[:, 1:].max(1), inner[:, 1:].argmax(1)
        is_tick = np.array([cell.name not in places for cell in band.cells])[most]
        with_tail = is_tick & (seen >= SEEN_MM2 * PIXELS_PER_MM**2) & (seen >= ALONE * inner[:, 1:].sum(1))
        return cls(band, counted, inner, np.where((owner == 0) & with_tail, 1 + most, owner))

    def parts_of(self, number: int) -> Parts:
        """The pieces that belong to one box, or (0) to none."""
        return self.band.own.without(self.owner != number)

    def hooks(self, places: set[str]) -> NDArray[np.bool_]:
        """Say which pieces are hooks with their corner in a tick box: however high the tail is, it belongs there."""
        own, found = self.band.own, np.zeros(len(self.owner), bool)
        for piece in np.flatnonzero(own.keep & (self.owner > 0)).tolist():
            cell = self.band.cells[int(self.owner[piece]) - 1]
            if cell.name not in places:
                left, top, width, height = own.sizes[piece, : cv2.CC_STAT_AREA].tolist()
                corner = has_corner(own.labels[top : top + height, left : left + width] == piece)
                down, across = self.band.span(cell.box, TICK_REACH_MM)
                lowest = self.band.span(cell.box, BELOW_MM)[0].stop
                found[piece] = (
                    corner is not None
                    and across.start <= left + corner < across.stop
                    and down.start <= top + height - 1 < lowest
                )
        return found

    def run_across(self, places: set[str], hooks: NDArray[np.bool_]) -> bool:
        """Say whether a piece reaches so far into a second box that it may belong to either.

        The tail of a hook may reach into the line above its corner, though not as far as a tick does; a letter's may
        reach into a line where nothing else is written.
        """
        own, lines = self.band.own, [cell.line for cell in self.band.cells]
        strokes = own.keep & (own.longest >= STROKE_LENGTH_MM * PIXELS_PER_MM)
        enough, tip, a_tick = (area * PIXELS_PER_MM**2 for area in (INK_AREA_MM2, TIP_MM2, TICK_MM2))
        for piece in np.flatnonzero(strokes & (self.owner > 0)).tolist():
            number = int(self.owner[piece])
            is_word = self.band.cells[number - 1].name in places
            is_level = np.array([line == lines[number - 1] for line in lines])
            most = max(a_tick, NEARER * float(self.near[piece, number]))
            is_tail = hooks[piece] & (self.inner[piece, 1:] < tip) & (self.near[piece, 1:] < most)
            free = ~is_level & (~self.holds_ink(number) if is_word else is_tail)
            free[number - 1] = True
            mine, near = float(self.inner[piece, number]), float(self.near[piece, number])
            others, beside = (counted[piece, 1:][~free] for counted in (self.inner, self.near))
            if (others >= max(enough if is_word else TAIL * mine, 1)).any():
                return True
            if not is_word and mine < WITHIN * near and (beside >= TAIL * near).any():
                return True
            if not is_word and not hooks[piece] and (beside >= RUNS_ON * near).any():
                return True
        return False

    def holds_ink(self, number: int) -> NDArray[np.bool_]:
        """Say of each box whether something is in it beside the tails of what stands in the box with this number."""
        word = self.owner == number
        tails = self.inner[word & self.band.own.keep].sum(axis=0)
        others = np.bincount(self.owner[self.band.own.keep], minlength=len(self.band.cells) + 1)
        found: NDArray[np.bool_] = ((others > 0) | (tails >= TAIL * tails[number]))[1:]
        return found


def has_corner(piece: NDArray[np.bool_]) -> int | None:
    """Find the corner of a hook: its lowest ink, with two arms that rise from it; pixels from its left."""
    arm = round(ARM_MM * PIXELS_PER_MM)
    low = np.flatnonzero(piece[-max(1, arm // 2) :].any(axis=0))
    corner = int(low.mean())
    sides = (piece[:, : max(0, corner - arm // 2)], piece[:, corner + arm // 2 :])
    rises = [len(piece) - int(side.any(axis=1).argmax()) if side.any() else 0 for side in sides]
    starts = np.diff(np.pad(piece[-3 * arm : -arm], ((0, 0), (1, 0))).astype(np.int8), axis=1) > 0
    has_arms = min(rises) >= arm or (starts.sum(axis=1) > 1).any()  # on both sides, or one straight up
    return corner if has_arms and np.ptp(low) <= 2 * arm else None


def reaches(cells: Sequence[Cell]) -> Iterator[tuple[float, float]]:
    """How far each box reaches left and right, in mm: half way to the next on its line."""
    for cell in cells:
        left, right = cell.box.left, cell.box.left + cell.box.width
        level = [each.box for each in cells if each.line == cell.line and each is not cell]
        before = max((box.left + box.width for box in level if box.left < left), default=left - 2 * REACH_MM)
        after = min((box.left for box in level if box.left > left), default=right + 2 * REACH_MM)
        yield left - min(REACH_MM, (left - before) / 2), right + min(REACH_MM, (after - right) / 2)


def count(labels: Labels, region: NDArray[np.int64], regions: int) -> NDArray[np.int64]:
    """Count the pixels of each piece in each region."""
    pieces, inked = int(labels.max()) + 1, labels > 0
    both = labels[inked].astype(np.int64) * regions + region[inked]
    return np.bincount(both, minlength=pieces * regions).reshape(pieces, regions)
