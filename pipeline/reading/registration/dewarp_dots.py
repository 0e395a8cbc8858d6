"""Which dot is which on crumpled paper: every dotted line is one chain, from the bar at its left to that at its right.

A piece of a dotted line looks the same one dot further along. So a line is not found piece by piece: all places of all
its pieces are weighed together (forward and backward along the line, as in a hidden Markov model), with both ends of
the line, where no dot follows, and with what the lines above and below say. What comes out is a place of each piece,
and how sure it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.paper.layout.sheet_layout import Form, Guide
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.dewarp_bars import filled, spread
from pipeline.reading.registration.dots import dotness, dots_pattern, row_guides
from pipeline.reading.registration.match import peak
from pipeline.reading.registration.warp import PIXELS_PER_MM, Grid, Warp

Weights = NDArray[np.float32]  # pieces by places down by places along: how likely each place is

DOTS = 3  # of a piece: 2.4 mm; where paper is steep, more would not be a row of dots of this pitch
STEP = 1  # dots from one piece to the next
ALONG_MM = 4.0  # how far from where the bars say: crumpled paper moves 2.5 mm, and so may each bar
DOWN_MM = 3.2  # 16 bent pages lie the same with 1.6 to 6.4 (benchmarks/constants.py)
LIKE = 6.0  # how much a likeness of 1 counts for, as a logarithm; every dot is in two or three pieces
BEND = 0.15  # mm a mm: how much the paper's place changes along a line, one standard deviation
LEAP = 1e-4  # that a piece has nothing to do with the one before: it is hidden, or the paper is torn
SURE = 0.9  # of a piece's weight must be where it is most likely
SURE_MM = 0.45  # less than half the way to the next dot
EDGE = 3  # pixels around a pattern
CELL = 2  # pixels of a place: a quarter of a mm; the rest is left to `dots.find_dots`
CELL_MM = CELL / PIXELS_PER_MM
END_DOTS = 3  # seen with nothing beyond them at the end of a line
END_MM = 1.7  # of nothing: the rows' numbers are 2 mm away
END_LIKE = 30.0  # of 16 bent pages the worst is 0.3 mm off with 15 to 30, 1.3 with 40 (benchmarks/constants.py)
BAR_MM = 0.9  # how far the end of a line may be from where the bar beside it says: one standard deviation
ASTRAY_MM = 0.85  # from the middle between the lines above and below: a dot is 1.2, the worst that paper bends 0.7
BESIDE_MM = 0.5  # how far a line may be from the middle between the lines above and below: one standard deviation
BESIDE = 0.12  # how much each piece's neighbours above and below count: their errors come together


@dataclass(frozen=True, slots=True)
class Chain:
    """One dotted line as it was found."""

    xs: NDArray[np.float64]  # mm: the middles of its pieces on the sheet
    y: float
    offsets: NDArray[np.float64]  # pieces by 2, mm
    sure: NDArray[np.float64]  # 0..1: how likely it is this dot and not the next one


def find_chains(flat: Grey, guides: Sequence[Guide]) -> tuple[Chain, ...]:
    """Find dotted lines: first each for itself, then each with the lines above and below it."""
    likely = [likeness(flat, guide) for guide in guides]
    chains = [chain(guide, weights) for guide, weights in zip(guides, likely, strict=True)]
    for _ in range(2):
        beside = offsets_beside(chains)
        chains = [
            chain(guide, weights if near is None else weights * nearness(near, BESIDE_MM, BESIDE))
            for guide, weights, near in zip(guides, likely, beside, strict=True)
        ]
    return tuple(chains)


@dataclass(frozen=True, slots=True)
class Lay:
    """How the dotted lines of a sheet lie."""

    chains: tuple[Chain, ...]  # from the top
    doubt: float  # share of the pieces that may be taken for another dot's

    def bend(self, warp: Warp) -> Grid:
        """Spread the offsets of the pieces that are sure over the sheet."""
        offsets = np.stack([np.where(is_sure(each)[:, None], each.offsets, np.nan) for each in self.chains])
        for place, beside in enumerate(offsets_beside(self.chains)):
            offsets[place][is_astray(self.chains[place], beside)] = np.nan
        return spread(filled(offsets), self.chains[0].xs.tolist(), [each.y for each in self.chains], warp, smooth=True)


def lay(flat: Grey, form: Form) -> Lay:
    """Find the dotted lines of the rows on crumpled paper."""
    chains = find_chains(flat, row_guides(form))
    beside = offsets_beside(chains)
    doubts = [~is_sure(each) | is_astray(each, near) for each, near in zip(chains, beside, strict=True)]
    return Lay(chains, float(np.mean(doubts)))


def is_sure(each: Chain) -> NDArray[np.bool_]:
    """Say of each piece whether it is sure which dot is which."""
    found: NDArray[np.bool_] = each.sure >= SURE
    return found


def is_astray(each: Chain, beside: NDArray[np.float64] | None) -> NDArray[np.bool_]:
    """Say of each piece whether it lies a dot away from where the lines above and below say."""
    if beside is None:
        return np.zeros(len(each.xs), bool)
    found: NDArray[np.bool_] = np.abs(each.offsets[:, 0] - beside[:, 0]) > ASTRAY_MM
    return found


def offsets_beside(chains: Sequence[Chain]) -> list[NDArray[np.float64] | None]:
    """Where the lines above and below say that each line's pieces are."""
    return [between(chains, place) for place in range(len(chains))]


def starts(guide: Guide) -> NDArray[np.int64]:
    """The first dots of the pieces of a line."""
    last = len(guide.dots) - DOTS
    return np.unique(np.r_[np.arange(0, last, STEP), last])


def reach() -> tuple[int, int]:
    """How many cells a piece may be off, along and down."""
    return round(ALONG_MM / CELL_MM), round(DOWN_MM / CELL_MM)


def likeness(flat: Grey, guide: Guide) -> Weights:
    """Weigh each place of each piece of a line by how much it looks like a row of dots there."""
    along, down = (CELL * cells for cells in reach())
    pitch = guide.pitch * PIXELS_PER_MM
    top = round(guide.y * PIXELS_PER_MM - 0.5) - EDGE - down
    pad = along + EDGE + round(2 * pitch)
    rows = np.clip(np.arange(top, top + 2 * (down + EDGE) + 2), 0, flat.shape[0] - 1)
    band = np.pad(dotness(np.ascontiguousarray(flat[rows])), ((0, 0), (pad, pad)))
    corners = np.round(np.array(guide.dots)[starts(guide)] * PIXELS_PER_MM - 0.5).astype(int) - EDGE + pad - along
    whole = alike(band, row_of_dots(DOTS, pitch))
    found = np.stack([cells(whole, corner) for corner in corners])
    weights = np.exp(LIKE * np.maximum(found, 0)).astype(np.float32)
    at_bar = nearness(np.zeros((1, 2)), BAR_MM)[0]
    row, empty = row_of_dots(END_DOTS, pitch), round(END_MM * PIXELS_PER_MM)
    for place, before in ((0, True), (-1, False)):
        ended = np.pad(row, ((0, 0), (empty, 0) if before else (0, empty)))
        left = int(corners[place]) + (-empty if before else round((DOTS - END_DOTS) * pitch))
        ends = cells(alike(band[:, left : left + 2 * along + ended.shape[1]], ended), 0)
        weights[place] *= at_bar * np.exp(END_LIKE * np.maximum(ends, 0))
    return weights


def row_of_dots(count: int, pitch: float) -> NDArray[np.float32]:
    """Draw some dots of a line with a little paper around them."""
    return dots_pattern(EDGE, EDGE, pitch, (2 * EDGE + 2, round((count - 1) * pitch) + 2 * EDGE + 2))


def cells(alike_there: NDArray[np.float32], corner: int) -> NDArray[np.float32]:
    """The best likeness in each cell that a piece may be in."""
    along, down = reach()
    part = alike_there[: CELL * (2 * down + 1), corner : corner + CELL * (2 * along + 1)]
    highest = np.asarray(cv2.dilate(part, np.ones((CELL, CELL), np.uint8), anchor=(0, 0)), np.float32)
    return highest[::CELL, ::CELL][: 2 * down + 1, : 2 * along + 1]


def alike(window: NDArray[np.float32], pattern: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much each place looks like the pattern, -1..1; nothing where nothing is."""
    found = cv2.matchTemplate(window, pattern, cv2.TM_CCOEFF_NORMED)
    return np.nan_to_num(np.clip(found, -1, 1)).astype(np.float32)


def chain(guide: Guide, likely: Weights) -> Chain:
    """Weigh all places of all pieces together, and take the best."""
    forward, backward = passed_on(likely, guide), passed_on(likely[::-1], guide)[::-1]
    weights = likely * forward * backward
    weights /= weights.sum(axis=(1, 2), keepdims=True)
    along, down = reach()
    places = [best(each) for each in weights]
    offsets = (np.array(places) - (along, down)) * CELL_MM
    sure = np.array([mass(each, place) for each, place in zip(weights, places, strict=True)])
    return Chain(np.array(guide.dots)[starts(guide)] + (DOTS - 1) / 2 * guide.pitch, guide.y, offsets, sure)


def passed_on(likely: Weights, guide: Guide) -> Weights:
    """What the pieces before each piece say of its place."""
    sigma = BEND * STEP * guide.pitch / CELL_MM
    told = np.empty_like(likely)
    told[0] = 1 / likely[0].size
    for place in range(1, len(likely)):
        before = told[place - 1] * likely[place - 1]
        before /= before.sum()
        spread = cv2.GaussianBlur(before, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
        told[place] = (1 - LEAP) * spread + LEAP / before.size
    return told


def best(weights: NDArray[np.float32]) -> tuple[float, float]:
    """The column and row with the most weight, to a fraction of a pixel."""
    row, column = np.unravel_index(int(weights.argmax()), weights.shape)
    x, y = float(column), float(row)
    logs = np.log(weights + 1e-30)
    if 0 < column < weights.shape[1] - 1:
        x += peak(*(float(v) for v in logs[row, column - 1 : column + 2]))
    if 0 < row < weights.shape[0] - 1:
        y += peak(*(float(v) for v in logs[row - 1 : row + 2, column]))
    return x, y


def mass(weights: NDArray[np.float32], place: tuple[float, float]) -> float:
    """How much of the weight lies around a place, nearer than the next dot."""
    near = round(SURE_MM / CELL_MM)
    column, row = (round(value) for value in place)
    return float(weights[max(0, row - near) : row + near + 1, max(0, column - near) : column + near + 1].sum())


def between(chains: Sequence[Chain], place: int) -> NDArray[np.float64] | None:
    """Where the lines above and below say that a line's pieces are; None at the first and the last."""
    if not 0 < place < len(chains) - 1:
        return None
    here, above, below = chains[place], chains[place - 1], chains[place + 1]
    share = (here.y - above.y) / (below.y - above.y)
    told = [
        np.stack([np.interp(here.xs, each.xs, each.offsets[:, axis]) for axis in (0, 1)], axis=1)
        for each in (above, below)
    ]
    middle: NDArray[np.float64] = (1 - share) * told[0] + share * told[1]
    return middle


def nearness(near: NDArray[np.float64], sigma_mm: float, counts: float = 1.0) -> Weights:
    """Weigh the places of each piece by how near they are to where its neighbours say."""
    along, down = reach()
    columns = np.arange(-along, along + 1) * CELL_MM
    rows = np.arange(-down, down + 1) * CELL_MM
    far = (rows[None, :, None] - near[:, 1, None, None]) ** 2 + (columns[None, None, :] - near[:, 0, None, None]) ** 2
    return np.exp(-counts * far / (2 * sigma_mm**2)).astype(np.float32)
