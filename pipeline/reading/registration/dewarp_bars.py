"""How far the paper is from where the corner markers say: measured beside the rows, spread over the sheet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.match import best_match
from pipeline.reading.registration.warp import PIXELS_PER_MM, Grid, Warp

Offsets = NDArray[np.float64]  # rows by places by 2, in mm; NaN where nothing was found

BAR_SEARCH_MM = 4.0  # rollers slip up to 3 mm; half a row of 9 mm is 4.5
AROUND_MM = 1.0  # of white around a bar, which is part of what is looked for
BAR_SCORE = 0.55  # 32 damaged pages lie the same with 0.33 to 0.83 (benchmarks/constants.py)
LEAP_MM = 1.2  # a bar that lies this far from its neighbours is something else


@dataclass(frozen=True, slots=True)
class MarksFound:
    """Offsets of marks, and which were seen at all."""

    offsets: Offsets
    share: float  # of the marks that were found

    @property
    def rms_mm(self) -> float:
        """Root mean square of the offsets that were found."""
        if np.isnan(self.offsets).all():
            return float("nan")
        return float(np.sqrt(np.nanmean(np.nansum(self.offsets**2, axis=2)[~np.isnan(self.offsets[..., 0])])))


def find_bars(flat: Grey, form: Form) -> MarksFound:
    """Find the bars at both ends of every row on a sheet taken out of its picture."""
    offsets = np.full((len(form.bars), 2, 2), np.nan)
    for row, pair in enumerate(form.bars):
        for side, bar in enumerate(pair):
            offsets[row, side] = find_bar(flat, bar)
    for side in (0, 1):
        drop_leaps(offsets[:, side])
    return MarksFound(offsets, float(1 - np.isnan(offsets[..., 0]).mean()))


def columns_of_bars(form: Form) -> tuple[slice, ...]:
    """The columns of a straight sheet in which its bars are looked for."""
    reach = BAR_SEARCH_MM + 2 * AROUND_MM
    sides = zip(*form.bars, strict=True)
    edges = [(min(b.left for b in side) - reach, max(b.left + b.width for b in side) + reach) for side in sides]
    return tuple(slice(max(0, round(left * PIXELS_PER_MM)), round(right * PIXELS_PER_MM)) for left, right in edges)


def has_more_bars(flat: Grey, form: Form) -> bool:
    """Say whether there are bars below the last row: then the paper is another form than this.

    Where the corner markers are no row has room, and on Letter the edge of one looks like a bar.
    """
    pitch = form.bars[form.bars_a_row][0].top - form.bars[0][0].top
    more = [replace(bar, top=bar.top + pitch) for bar in form.bars[-form.bars_a_row]]
    if more[0].top + more[0].height + LEAP_MM > form.markers[3].top:
        return False
    offsets = [find_bar(flat, bar) for bar in more]
    return all(abs(across) < LEAP_MM and abs(down) < LEAP_MM for across, down in offsets)


def find_bar(flat: Grey, bar: Box) -> tuple[float, float]:
    """Find one bar near its place; NaN where nothing looks like it."""
    width, height = round(bar.width * PIXELS_PER_MM), round(bar.height * PIXELS_PER_MM)
    edge = round(AROUND_MM * PIXELS_PER_MM)
    pattern = np.full((height + 2 * edge, width + 2 * edge), 255, np.uint8)
    pattern[edge : edge + height, edge : edge + width] = 0
    pattern = cv2.GaussianBlur(pattern, (3, 3), 0).astype(np.uint8, copy=False)
    # the middle of the pattern's ink, in pixels from the pattern's corner, against the bar's true middle
    middle = np.array([edge + (width - 1) / 2, edge + (height - 1) / 2])
    true = np.array([bar.left + bar.width / 2, bar.top + bar.height / 2]) * PIXELS_PER_MM - 0.5
    reach = round(BAR_SEARCH_MM * PIXELS_PER_MM)
    corner = np.round(true - middle).astype(int) - reach
    left, top = max(0, int(corner[0])), max(0, int(corner[1]))
    right, bottom = corner + reach * 2 + np.array(pattern.shape[::-1])
    window = flat[top : max(0, int(bottom)), left : max(0, int(right))]
    if window.shape[0] < pattern.shape[0] or window.shape[1] < pattern.shape[1]:
        return (np.nan, np.nan)
    place, score = best_match(window, pattern)
    if score < BAR_SCORE:
        return (np.nan, np.nan)
    off = (np.array([left, top]) + place + middle - true) / PIXELS_PER_MM
    return float(off[0]), float(off[1])


def drop_leaps(column: NDArray[np.float64]) -> None:
    """Forget the marks of one column that lie far from their neighbours."""
    for row in range(len(column)):
        near = np.delete(column, row, axis=0)[max(0, row - 3) : row + 3]
        known = near[~np.isnan(near[:, 0])]
        if len(known) >= 2 and np.abs(column[row] - np.median(known, axis=0)).max() > LEAP_MM:
            column[row] = np.nan


def bars_bend(found: MarksFound, form: Form, warp: Warp, anchored: tuple[bool, bool]) -> Grid:
    """Spread the offsets of the bars over the sheet; ``anchored``: the markers above and below are right."""
    left, right = form.bars[0]
    xs = [left.left + left.width / 2, right.left + right.width / 2]
    ys = [pair[0].top + pair[0].height / 2 for pair in form.bars]
    offsets = filled(found.offsets)
    above, below = form.markers[0], form.markers[3]
    still = np.zeros((1, 2, 2))
    if anchored[0]:
        ys, offsets = [above.top + above.height / 2, *ys], np.concatenate([still, offsets])
    if anchored[1]:
        ys, offsets = [*ys, below.top + below.height / 2], np.concatenate([offsets, still])
    return spread(offsets, xs, ys, warp)


def filled(offsets: Offsets) -> Offsets:
    """Fill what was not found from its neighbours: along the column first, then across."""
    full = offsets.copy()
    for along in (0, 1):
        lanes = full if along == 0 else full.transpose(1, 0, 2)
        for lane in range(lanes.shape[1]):
            known = ~np.isnan(lanes[:, lane, 0])
            if known.any() and not known.all():
                places = np.arange(len(known))
                for axis in (0, 1):
                    lanes[:, lane, axis] = np.interp(places, places[known], lanes[known, lane, axis])
    full[np.isnan(full)] = 0
    return full


def spread(offsets: Offsets, xs: Sequence[float], ys: Sequence[float], warp: Warp, *, smooth: bool = False) -> Grid:
    """Interpolate offsets at columns ``xs`` and rows ``ys`` to all nodes of a sheet.

    ``smooth``: the paper bends between the rows, as it does where it was crumpled; rollers slip at once.
    """
    nodes = warp.nodes()
    node_x, node_y = nodes[0, :, 0], nodes[:, 0, 1]
    between = spline if smooth else np.interp
    bend = np.empty_like(nodes)
    for axis in (0, 1):
        wide = np.stack([np.interp(node_x, xs, row) for row in offsets[..., axis]])
        bend[..., axis] = np.stack([between(node_y, ys, column) for column in wide.T], axis=1)
    return bend


def spline(at: NDArray[np.float64], places: Sequence[float], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Interpolate with a curve that bends as little as it can (the natural cubic spline); level beyond its ends."""
    x = np.asarray(places, float)
    at = np.clip(at, x[0], x[-1])
    steps, slopes = np.diff(x), np.diff(values) / np.diff(x)
    system = np.eye(len(x))
    for n in range(1, len(x) - 1):
        system[n, n - 1 : n + 2] = steps[n - 1], 2 * (steps[n - 1] + steps[n]), steps[n]
    curves = np.linalg.solve(system, np.r_[0, 6 * np.diff(slopes), 0])
    part = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
    step, after, before = steps[part], at - x[part], x[part + 1] - at
    low, high = curves[part], curves[part + 1]
    found: NDArray[np.float64] = (
        (low * before**3 + high * after**3) / (6 * step)
        + (values[part] / step - low * step / 6) * before
        + (values[part + 1] / step - high * step / 6) * after
    )
    return found
