"""How far the paper is from where the corner markers say: by the bars beside the rows, and by the dots between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.reading.picture import Grey
from pipeline.reading.warp import PIXELS_PER_MM, Grid, Warp
from pipeline.tournament.sheet_layout import Form, Guide

Shades = NDArray[np.uint8] | NDArray[np.float32]
Offsets = NDArray[np.float64]  # rows by places by 2, in mm; NaN where nothing was found

BAR_SEARCH_MM = 4.0  # rollers slip up to 3 mm (READING 1); half a row of 9 mm is 4.5
BAR_SCORE = 0.55
DOT_SCORE = 0.40
DOT_ACROSS_MM = 0.5  # less than half the pitch of the dots, or the wrong dot would do
SEGMENT_MM = 24.0  # 20 dots: enough that ink over a few does not matter
LEAP_MM = 1.2  # a bar that lies this far from its neighbours is something else


@dataclass(frozen=True, slots=True)
class Found:
    """Offsets of marks, and which were seen at all."""

    offsets: Offsets
    share: float  # of the marks that were found

    @property
    def rms_mm(self) -> float:
        """Root mean square of the offsets that were found."""
        if np.isnan(self.offsets).all():
            return float("nan")
        return float(np.sqrt(np.nanmean(np.nansum(self.offsets**2, axis=2)[~np.isnan(self.offsets[..., 0])])))


def find_bars(flat: Grey, form: Form) -> Found:
    """Find the bars at both ends of every row on a sheet taken out of its picture."""
    offsets = np.full((len(form.bars), 2, 2), np.nan)
    for row, pair in enumerate(form.bars):
        for side, bar in enumerate(pair):
            offsets[row, side] = find_bar(flat, bar)
    for side in (0, 1):
        drop_leaps(offsets[:, side])
    return Found(offsets, float(1 - np.isnan(offsets[..., 0]).mean()))


def find_bar(flat: Grey, bar: Box) -> tuple[float, float]:
    """Find one bar near its place; NaN where nothing looks like it."""
    around = 1.0
    width, height = round(bar.width * PIXELS_PER_MM), round(bar.height * PIXELS_PER_MM)
    edge = round(around * PIXELS_PER_MM)
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


def best_match(window: Shades, pattern: Shades) -> tuple[NDArray[np.float64], float]:
    """Find a pattern to a fraction of a pixel: column and row of its corner, and how alike they are (-1..1)."""
    likeness = cv2.matchTemplate(window, pattern, cv2.TM_CCOEFF_NORMED)
    _, score, _, (column, row) = cv2.minMaxLoc(likeness)
    place = np.array([column, row], np.float64)
    if 0 < column < likeness.shape[1] - 1:
        place[0] += peak(*(float(v) for v in likeness[row, column - 1 : column + 2]))
    if 0 < row < likeness.shape[0] - 1:
        place[1] += peak(*(float(v) for v in likeness[row - 1 : row + 2, column]))
    return place, float(score) if np.isfinite(score) else -1.0


def peak(before: float, at: float, after: float) -> float:
    """Where the top of a parabola through three values lies, from the middle one."""
    curve = before - 2 * at + after
    return 0.5 * (before - after) / curve if abs(curve) > 1e-9 else 0.0


def drop_leaps(column: NDArray[np.float64]) -> None:
    """Forget the marks of one column that lie far from their neighbours."""
    for row in range(len(column)):
        near = np.delete(column, row, axis=0)[max(0, row - 3) : row + 3]
        known = near[~np.isnan(near[:, 0])]
        if len(known) >= 2 and np.abs(column[row] - np.median(known, axis=0)).max() > LEAP_MM:
            column[row] = np.nan


def bars_bend(found: Found, form: Form, warp: Warp, anchored: tuple[bool, bool]) -> Grid:
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


def find_dots(flat: Grey, form: Form, down_mm: float) -> Found:
    """Find the dotted lines of the rows, piece by piece; ``down_mm`` is how far above and below to look."""
    guides = row_guides(form)
    pieces = [segments(guide) for guide in guides]
    offsets = np.full((len(guides), min(len(p) for p in pieces), 2), np.nan)
    for row, guide in enumerate(guides):
        margin = down_mm + 1.0
        top = max(0, round((guide.y - margin) * PIXELS_PER_MM))
        band = dotness(flat[top : round((guide.y + margin) * PIXELS_PER_MM)])
        for place in range(offsets.shape[1]):
            offsets[row, place] = find_piece(band, top, guide, pieces[row][place], down_mm)
    drop_strays(offsets)
    return Found(offsets, float(1 - np.isnan(offsets[..., 0]).mean()))


def row_guides(form: Form) -> tuple[Guide, ...]:
    """The dotted lines of the rows, without those of the header."""
    first = form.rows[0].box.top
    return tuple(guide for guide in form.guides if guide.y > first)


def segments(guide: Guide) -> list[tuple[float, float]]:
    """Cut a dotted line into pieces: from and to, in mm, on dots."""
    per = round(SEGMENT_MM / guide.pitch)
    dots = guide.dots
    count = max(1, len(dots) // per)
    return [(dots[n * per], dots[min(len(dots), (n + 1) * per) - 1]) for n in range(count)]


def dotness(band: Grey) -> NDArray[np.float32]:
    """How much each pixel is part of something small in all directions: a dot, and not a stroke."""
    dark = cv2.subtract(cv2.blur(band, (25, 25)), band)
    along = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((1, 6), np.uint8))
    across = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((6, 1), np.uint8))
    small = cv2.subtract(dark, cv2.max(along, across))
    return cv2.GaussianBlur(np.minimum(small, 60), (3, 3), 0).astype(np.float32)


def find_piece(
    band: NDArray[np.float32], top: int, guide: Guide, piece: tuple[float, float], down_mm: float
) -> tuple[float, float]:
    """Find one piece of a dotted line in the band around it."""
    edge = 3
    start, end = (value * PIXELS_PER_MM - 0.5 for value in piece)
    y = guide.y * PIXELS_PER_MM - 0.5
    left, up = int(start) - edge, int(y) - edge
    width, height = int(end) - left + edge + 2, 2 * edge + 2
    pattern = dots_pattern(start - left, y - up, guide.pitch * PIXELS_PER_MM, (height, width))
    across, down = round(DOT_ACROSS_MM * PIXELS_PER_MM), round(down_mm * PIXELS_PER_MM)
    row = up - top - down
    window = band[max(0, row) : up - top + height + down, max(0, left - across) : left + width + across]
    if row < 0 or window.shape[0] <= height or window.shape[1] <= width or float(window.max()) < 8:
        return (np.nan, np.nan)
    place, score = best_match(window, pattern)
    if score < DOT_SCORE:
        return (np.nan, np.nan)
    return (place[0] - min(across, left)) / PIXELS_PER_MM, (place[1] - down) / PIXELS_PER_MM


def dots_pattern(x: float, y: float, pitch: float, size: tuple[int, int]) -> NDArray[np.float32]:
    """Draw a piece of a dotted line as it looks at `FLAT_DPI`."""
    rows, columns = (np.arange(count, dtype=np.float32) for count in size)
    sigma = 0.85  # a dot of 0.16 mm and the scanner's own softness
    to_dot = (columns - x + pitch / 2) % pitch - pitch / 2
    pattern = np.exp(-((rows - y)[:, None] ** 2 + to_dot[None, :] ** 2) / (2 * sigma**2))
    return pattern.astype(np.float32)


def drop_strays(offsets: Offsets) -> None:
    """Forget the pieces that lie far from the pieces around them."""
    rows, places = offsets.shape[:2]
    before = offsets.copy()
    for row in range(rows):
        for place in range(places):
            near = before[max(0, row - 1) : row + 2, max(0, place - 1) : place + 2].reshape(-1, 2)
            known = near[~np.isnan(near[:, 0])]
            if len(known) < 3 or np.abs(before[row, place] - np.median(known, axis=0)).max() > 0.5:
                offsets[row, place] = np.nan


def dots_bend(found: Found, form: Form, warp: Warp) -> Grid:
    """Spread the offsets of the dotted lines over the sheet."""
    guides = row_guides(form)
    pieces = segments(guides[0])[: found.offsets.shape[1]]
    xs = [(start + end) / 2 for start, end in pieces]
    return spread(filled(found.offsets), xs, [guide.y for guide in guides], warp)


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


def spread(offsets: Offsets, xs: Sequence[float], ys: Sequence[float], warp: Warp) -> Grid:
    """Interpolate offsets at columns ``xs`` and rows ``ys`` to all nodes of a sheet."""
    nodes = warp.nodes()
    node_x, node_y = nodes[0, :, 0], nodes[:, 0, 1]
    bend = np.empty_like(nodes)
    for axis in (0, 1):
        wide = np.stack([np.interp(node_x, xs, row) for row in offsets[..., axis]])
        bend[..., axis] = np.stack([np.interp(node_y, ys, column) for column in wide.T], axis=1)
    return bend
