"""Dewarping: the displacement of the paper from the markers' homography, measured at bars and dotted lines."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.sheet_layout import Form, Guide
from pipeline.reading.marks import PIXELS_PER_MM, GridPoints, Warp
from pipeline.reading.pages import Grey

# Where a small picture lies in a larger one, to a fraction of a pixel.

AnyShades = NDArray[np.uint8] | NDArray[np.float32]


def best_match(window: AnyShades, pattern: AnyShades) -> tuple[NDArray[np.float64], float]:
    """Find a pattern to a fraction of a pixel: column and row of its corner, and how alike they are (-1..1)."""
    matches = cv2.matchTemplate(window, pattern, cv2.TM_CCOEFF_NORMED)
    _, score, _, (column, row) = cv2.minMaxLoc(matches)
    place = np.array([column, row], np.float64)
    if 0 < column < matches.shape[1] - 1:
        place[0] += find_peak(*(float(v) for v in matches[row, column - 1 : column + 2]))
    if 0 < row < matches.shape[0] - 1:
        place[1] += find_peak(*(float(v) for v in matches[row - 1 : row + 2, column]))
    return place, float(score) if np.isfinite(score) else -1.0


def find_peak(before: float, at: float, after: float) -> float:
    """Where the top of a parabola through three values lies, from the middle one."""
    curve = before - 2 * at + after
    return 0.5 * (before - after) / curve if abs(curve) > 1e-9 else 0.0


Offsets = NDArray[np.float64]  # rows by places by 2, in mm; NaN where nothing was found

BAR_SEARCH_MM = 4.0  # rollers slip up to 3 mm; half a row of 9 mm is 4.5
AROUND_MM = 1.0  # of white around a bar, which is part of what is looked for
BAR_SCORE = 0.55  # least likeness of a bar; 32 damaged pages: the same with 0.33 to 0.83 (benchmarks/constants.py)
LEAP_MM = 1.2  # a bar that lies this far from its neighbours is something else


class MarksFound(Struct, frozen=True):
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
            offsets[row, side] = _find_bar(flat, bar)
    for side in (0, 1):
        _drop_leaps(offsets[:, side])
    return MarksFound(offsets, float(1 - np.isnan(offsets[..., 0]).mean()))


def columns_of_bars(form: Form) -> tuple[slice, ...]:
    """The columns of a straight sheet in which its bars are looked for."""
    around = BAR_SEARCH_MM + 2 * AROUND_MM
    sides = zip(*form.bars, strict=True)
    edges = [(min(b.left for b in side) - around, max(b.left + b.width for b in side) + around) for side in sides]
    return tuple(slice(max(0, round(left * PIXELS_PER_MM)), round(right * PIXELS_PER_MM)) for left, right in edges)


def has_more_bars(flat: Grey, form: Form) -> bool:
    """Say whether there are bars below the last row: then the paper is another form than this.

    Where the corner markers are no row has room, and on Letter the edge of one looks like a bar.
    """
    pitch = form.bars[1][0].top - form.bars[0][0].top
    more = [replace(bar, top=bar.top + pitch) for bar in form.bars[-1]]
    if more[0].top + more[0].height + LEAP_MM > form.markers[3].top:
        return False
    offsets = [_find_bar(flat, bar) for bar in more]
    return all(abs(across) < LEAP_MM and abs(down) < LEAP_MM for across, down in offsets)


def _find_bar(flat: Grey, bar: Box) -> tuple[float, float]:
    """Find one bar near its place; NaN where nothing looks like it."""
    width, height = round(bar.width * PIXELS_PER_MM), round(bar.height * PIXELS_PER_MM)
    edge = round(AROUND_MM * PIXELS_PER_MM)
    pattern = np.full((height + 2 * edge, width + 2 * edge), 255, np.uint8)
    pattern[edge : edge + height, edge : edge + width] = 0
    pattern = cv2.GaussianBlur(pattern, (3, 3), 0).astype(np.uint8, copy=False)
    # the middle of the pattern's ink, in pixels from the pattern's corner, against the bar's true middle
    middle = np.array([edge + (width - 1) / 2, edge + (height - 1) / 2])
    true = np.array([bar.left + bar.width / 2, bar.top + bar.height / 2]) * PIXELS_PER_MM - 0.5
    around = round(BAR_SEARCH_MM * PIXELS_PER_MM)
    corner = np.round(true - middle).astype(int) - around
    left, top = max(0, int(corner[0])), max(0, int(corner[1]))
    right, bottom = corner + around * 2 + np.array(pattern.shape[::-1])
    window = flat[top : max(0, int(bottom)), left : max(0, int(right))]
    if window.shape[0] < pattern.shape[0] or window.shape[1] < pattern.shape[1]:
        return (np.nan, np.nan)
    place, score = best_match(window, pattern)
    if score < BAR_SCORE:
        return (np.nan, np.nan)
    off = (np.array([left, top]) + place + middle - true) / PIXELS_PER_MM
    return float(off[0]), float(off[1])


def _drop_leaps(column: NDArray[np.float64]) -> None:
    """Forget the marks of one column that lie far from their neighbours."""
    for row in range(len(column)):
        near = np.delete(column, row, axis=0)[max(0, row - 3) : row + 3]
        known = near[~np.isnan(near[:, 0])]
        if len(known) >= 2 and np.abs(column[row] - np.median(known, axis=0)).max() > LEAP_MM:
            column[row] = np.nan


def bars_bend(marks: MarksFound, form: Form, warp: Warp, *, anchored: bool) -> GridPoints:
    """Interpolate the offsets of the bars over the sheet; ``anchored``: the markers above and below are exact."""
    left, right = form.bars[0]
    xs = [left.left + left.width / 2, right.left + right.width / 2]
    ys = [pair[0].top + pair[0].height / 2 for pair in form.bars]
    offsets = _fill_offsets(marks.offsets)
    above, below = form.markers[0], form.markers[3]
    still = np.zeros((1, 2, 2))
    if anchored:
        ys = [above.top + above.height / 2, *ys, below.top + below.height / 2]
        offsets = np.concatenate([still, offsets, still])
    return _interpolate_offsets(offsets, xs, ys, warp)


def _fill_offsets(offsets: Offsets) -> Offsets:
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


def _interpolate_offsets(
    offsets: Offsets, xs: Sequence[float], ys: Sequence[float], warp: Warp, *, smooth: bool = False
) -> GridPoints:
    """Interpolate offsets at columns ``xs`` and rows ``ys`` to all nodes of a sheet.

    ``smooth``: the paper bends between the rows, as it does where it was crumpled; rollers slip at once.
    """
    nodes = warp.nodes()
    node_x, node_y = nodes[0, :, 0], nodes[:, 0, 1]
    interpolate = _spline if smooth else np.interp
    bend = np.empty_like(nodes)
    for axis in (0, 1):
        wide = np.stack([np.interp(node_x, xs, row) for row in offsets[..., axis]])
        bend[..., axis] = np.stack([interpolate(node_y, ys, column) for column in wide.T], axis=1)
    return bend


def _spline(at: NDArray[np.float64], places: Sequence[float], values: NDArray[np.float64]) -> NDArray[np.float64]:
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
    smooth: NDArray[np.float64] = (
        (low * before**3 + high * after**3) / (6 * step)
        + (values[part] / step - low * step / 6) * before
        + (values[part + 1] / step - high * step / 6) * after
    )
    return smooth


# How far the paper is from its place between the bars: by the dotted lines that people write on.

AROUND_PX = 25  # side of the paper that a dot is darker than: 3 mm, two dots and a half
LONG_PX = 6  # what is as long is a stroke: 0.8 mm, twice a dot with its blur
DARKEST_DOT = 60  # grey levels: a blot of ink counts as one dot
FAINTEST_DOT = 8  # grey levels: what is fainter everywhere in a window is grain, of 4 to 8
DOT_SIGMA_PX = 0.85  # a dot of 0.16 mm and the scanner's own softness
DOT_SCORE = 0.40  # correlation with printed dots that a piece of a line must have
ACROSS_MM = 0.5  # less than half the pitch of the dots, or the wrong dot would do
LEAST_NEAR = 3  # pieces, itself among them, by which a piece is judged
STRAY_MM = 0.8  # a piece this far from the pieces around it is something else
EDGE_OFF_MM = 0.25  # a piece as near to where a box's dotted edge was printed may be that edge
EDGE_DOTS = 3  # of an edge beside a piece: its upright sides have one or two at a height
AROUND = 2  # lines above and below and pieces on both sides, which say whether it is
AGREED_MM = 0.5  # paper bends less from one piece to the next


class DotSearch(Struct, frozen=True):
    """How to look for the dotted lines."""

    piece_mm: float  # length of a piece: long is reliable, short follows a crumple (benchmarks/registration.py)
    down_mm: float  # how far above and below its place
    score: float = DOT_SCORE  # how much like dots a piece must look


# 16 bent pages lie within 0.34 mm with half and with twice of each of these (benchmarks/constants.py)
FIRST = DotSearch(12.0, 1.6)
THEN = DotSearch(9.6, 1.2)
# used to measure the residual: other pieces than those of registration, and surely dots
MEASURED = DotSearch(6.0, 1.2, 0.55)


def find_dots(flat: Grey, form: Form, search: DotSearch) -> MarksFound:
    """Find the dotted lines of the rows, piece by piece."""
    guides = row_guides(form)
    lines: list[Offsets] = []
    for guide in guides:
        lines.append(_find_line(flat, guide, search, lines[-1] if lines else None))
    offsets = np.stack(lines)
    _drop_strays(offsets)
    _drop_edges(offsets, form, search.piece_mm)
    return MarksFound(offsets, float(1 - np.isnan(offsets[..., 0]).mean()))


def row_guides(form: Form) -> tuple[Guide, ...]:
    """The dotted lines of the rows, without those of the header; a form without rows has no others."""
    first = form.rows[0].box.top if form.rows else 0.0
    return tuple(guide for guide in form.guides if guide.y > first)


def _find_line(flat: Grey, guide: Guide, search: DotSearch, above: Offsets | None) -> Offsets:
    """Find the pieces of one line, from both ends to the middle: at the ends, the bars say which dot is which.

    Each piece is looked for where the pieces beside it and above it say; paper bends smoothly.
    """
    margin = 2 * search.down_mm + 1.0
    top = max(0, round((guide.y - margin) * PIXELS_PER_MM))
    band = _dotness(flat[top : round((guide.y + margin) * PIXELS_PER_MM)])
    pieces = _segments(guide, search.piece_mm)
    offsets = np.full((len(pieces), 2), np.nan)
    half = (len(pieces) + 1) // 2
    for inwards in (range(half), range(len(pieces) - 1, half - 1, -1)):
        beside = np.zeros(2)
        for place in inwards:
            known = above is not None and not np.isnan(above[place, 0])
            near = (beside + above[place]) / 2 if above is not None and known else beside
            offsets[place] = _find_piece(band, top, guide, pieces[place], near, search)
            if not np.isnan(offsets[place, 0]):
                beside = offsets[place]
    return offsets


def _segments(guide: Guide, piece_mm: float) -> list[tuple[float, float]]:
    """Cut a dotted line into pieces: from and to, in mm, on dots."""
    per = round(piece_mm / guide.pitch)
    dots = guide.dots
    count = max(1, len(dots) // per)
    return [(dots[n * per], dots[min(len(dots), (n + 1) * per) - 1]) for n in range(count)]


def _dotness(band: Grey) -> NDArray[np.float32]:
    """How much each pixel is part of something small in all directions: a dot, and not a stroke."""
    return small_and_long(band)[0]


def small_and_long(band: Grey) -> tuple[NDArray[np.float32], Grey]:
    """How dark each pixel is as part of something small in all directions, and as part of a stroke."""
    dark = cv2.subtract(cv2.blur(band, (AROUND_PX, AROUND_PX)), band)
    along = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((1, LONG_PX), np.uint8))
    across = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((LONG_PX, 1), np.uint8))
    long = cv2.max(along, across).astype(np.uint8, copy=False)
    small = cv2.subtract(dark, long)
    _, no_blot = cv2.threshold(small, DARKEST_DOT, 0, cv2.THRESH_TRUNC)
    return cv2.GaussianBlur(no_blot, (3, 3), 0).astype(np.float32), long


def _find_piece(
    band: NDArray[np.float32],
    top: int,
    guide: Guide,
    piece: tuple[float, float],
    near: NDArray[np.float64],
    search: DotSearch,
) -> tuple[float, float]:
    """Find one piece of a dotted line in the band around it, near an offset in mm; NaN where it is not seen."""
    edge = 3
    start, end = (value * PIXELS_PER_MM - 0.5 for value in piece)
    y = guide.y * PIXELS_PER_MM - 0.5
    left, up = int(start) - edge, int(y) - edge
    width, height = int(end) - left + edge + 2, 2 * edge + 2
    pattern = _dots_pattern(start - left, y - up, guide.pitch * PIXELS_PER_MM, (height, width))
    across, down = round(ACROSS_MM * PIXELS_PER_MM), round(search.down_mm * PIXELS_PER_MM)
    column, row = left + round(near[0] * PIXELS_PER_MM) - across, up + round(near[1] * PIXELS_PER_MM) - down - top
    first, upper = max(0, column), max(0, row)
    window = band[upper : max(0, row + height + 2 * down), first : max(0, column + width + 2 * across)]
    if window.shape[0] <= height or window.shape[1] <= width or float(window.max()) < FAINTEST_DOT:
        return (np.nan, np.nan)
    place, score = best_match(window, pattern)
    if score < search.score:
        return (np.nan, np.nan)
    return (place[0] + first - left) / PIXELS_PER_MM, (place[1] + upper + top - up) / PIXELS_PER_MM


@lru_cache(maxsize=4096)  # 3 kB each; every sheet of a template has the same
def _dots_pattern(x: float, y: float, pitch: float, size: tuple[int, int]) -> NDArray[np.float32]:
    """Draw a piece of a dotted line as it looks at `FLAT_DPI`."""
    rows, columns = (np.arange(count, dtype=np.float32) for count in size)
    to_dot = (columns - x + pitch / 2) % pitch - pitch / 2
    pattern = np.exp(-((rows - y)[:, None] ** 2 + to_dot[None, :] ** 2) / (2 * DOT_SIGMA_PX**2))
    return pattern.astype(np.float32)


def _drop_strays(offsets: Offsets) -> None:
    """Forget the pieces that lie far from the pieces around them."""
    rows, places = offsets.shape[:2]
    wide = np.pad(offsets, ((1, 1), (1, 1), (0, 0)), constant_values=np.nan)
    around = [wide[down : down + rows, right : right + places] for down in range(3) for right in range(3)]
    near = np.sort(np.stack(around), axis=0)  # what was not found comes last
    known = (~np.isnan(near)).sum(axis=0)
    low, high = (np.take_along_axis(near, half[None], 0)[0] for half in ((known - 1).clip(0) // 2, known // 2))
    is_stray = np.abs(offsets - (low + high) / 2).max(axis=2) > STRAY_MM
    offsets[is_stray | (known[..., 0] < LEAST_NEAR)] = np.nan


def _drop_edges(offsets: Offsets, form: Form, piece_mm: float) -> None:
    """Forget the pieces that may be edges of boxes, unless others around them, which cannot be, lie like them.

    Those are dashes: where too much light falls, they are still seen when the dots of the lines are gone.
    """
    may_be, heights = np.zeros(offsets.shape[:2], bool), _edge_heights(form, piece_mm)
    for row, place in np.argwhere(np.abs(np.nan_to_num(offsets[..., 1])) > 2 * EDGE_OFF_MM).tolist():
        off = np.abs(heights[row][place] - offsets[row, place, 1])
        may_be[row, place] = bool((off <= EDGE_OFF_MM).sum() >= EDGE_DOTS)
    sure = np.where(may_be[..., None], np.nan, offsets)
    for row, place in np.argwhere(may_be).tolist():
        down, across = (slice(max(0, at - AROUND), at + AROUND + 1) for at in (row, place))
        near = sure[down, across, 1]
        known = near[~np.isnan(near)]
        if not len(known) or abs(float(np.median(known)) - offsets[row, place, 1]) > AGREED_MM:
            offsets[row, place] = np.nan


@lru_cache(maxsize=64)
def _edge_heights(form: Form, piece_mm: float) -> list[list[NDArray[np.float64]]]:
    """How far below each piece of a dotted line the dots of boxes' edges are that stand over it or under it."""
    dots = np.array([dot for edge in form.edges for dot in edge.dots]).reshape(-1, 2)
    return [
        [dots[(dots[:, 0] >= start) & (dots[:, 0] <= end), 1] - guide.y for start, end in _segments(guide, piece_mm)]
        for guide in row_guides(form)
    ]


def dots_bend(marks: MarksFound, form: Form, warp: Warp, search: DotSearch) -> GridPoints:
    """Interpolate the offsets of the dotted lines over the sheet."""
    guides = row_guides(form)
    xs = [(start + end) / 2 for start, end in _segments(guides[0], search.piece_mm)]
    return _interpolate_offsets(_fill_offsets(marks.offsets), xs, [guide.y for guide in guides], warp)


# Crumpled paper: each dotted line is matched as a chain (hidden Markov model), from its left bar to its right bar.
#
# A piece of a dotted line looks the same one dot further along. So a line is not searched piece by piece. All positions
# of all its pieces are weighed together (forward-backward algorithm), with the two ends of the line and with the lines
# above and below. The result is the most likely position of each piece, and its probability.

PlaceWeights = NDArray[np.float32]  # pieces by places down by places along: how likely each place is

DOTS = 3  # of a piece: 2.4 mm; where paper is steep, more would not be a row of dots of this pitch
STEP = 1  # dots from one piece to the next
ALONG_MM = 4.0  # how far from where the bars say: crumpled paper moves 2.5 mm, and so may each bar
DOWN_MM = 3.2  # the same above and below: 16 bent pages lie the same with 1.6 to 6.4 (benchmarks/constants.py)
LIKE = 6.0  # how much a likeness of 1 counts for, as a logarithm; every dot is in two or three pieces
BEND = 0.15  # mm a mm: how much the paper's place changes along a line, one standard deviation
LEAP = 1e-4  # probability that a piece has nothing to do with the one before: it is hidden, or the paper is torn
SURE = 0.9  # of a piece's weight must be where it is most likely
SURE_MM = 0.45  # less than half the way to the next dot
EDGE = 3  # pixels around a pattern
CELL = 2  # pixels of a place: a quarter of a mm; the rest is left to `find_dots`
CELL_MM = CELL / PIXELS_PER_MM
END_DOTS = 3  # seen with nothing beyond them at the end of a line
END_MM = 1.7  # of nothing: the rows' numbers are 2 mm away
END_LIKE = 30.0  # of 16 bent pages the worst is 0.3 mm off with 15 to 30, 1.3 with 40 (benchmarks/constants.py)
BAR_MM = 0.9  # how far the end of a line may be from where the bar beside it says: one standard deviation
ASTRAY_MM = 0.85  # from the middle between the lines above and below: a dot is 1.2, the worst that paper bends 0.7
BESIDE_MM = 0.5  # how far a line may be from the middle between the lines above and below: one standard deviation
BESIDE = 0.12  # weight of each piece's neighbours above and below; low, because their errors are correlated


class DottedLine(Struct, frozen=True):
    """One dotted line as it was found."""

    xs: NDArray[np.float64]  # mm: the middles of its pieces on the sheet
    y: float
    offsets: NDArray[np.float64]  # pieces by 2, mm
    sure: NDArray[np.float64]  # 0..1: how likely it is this dot and not the next one


def _find_chains(flat: Grey, guides: Sequence[Guide]) -> tuple[DottedLine, ...]:
    """Find dotted lines: first each for itself, then each with the lines above and below it."""
    likely = [likeness(flat, guide) for guide in guides]
    chains = [chain(guide, weights) for guide, weights in zip(guides, likely, strict=True)]
    for _ in range(2):
        beside = _offsets_beside(chains)
        chains = [
            chain(guide, weights if near is None else weights * nearness(near, BESIDE_MM, BESIDE))
            for guide, weights, near in zip(guides, likely, beside, strict=True)
        ]
    return tuple(chains)


class Lay(Struct, frozen=True):
    """The positions of a sheet's dotted lines."""

    chains: tuple[DottedLine, ...]  # from the top
    doubt: float  # share of the pieces that may be off by one dot

    def bend(self, warp: Warp) -> GridPoints:
        """Interpolate the offsets of the certain pieces over the sheet."""
        offsets = np.stack([np.where(_is_sure(each)[:, None], each.offsets, np.nan) for each in self.chains])
        for place, beside in enumerate(_offsets_beside(self.chains)):
            offsets[place][_is_astray(self.chains[place], beside)] = np.nan
        return _interpolate_offsets(
            _fill_offsets(offsets), self.chains[0].xs.tolist(), [each.y for each in self.chains], warp, smooth=True
        )


def lay(flat: Grey, form: Form) -> Lay:
    """Find the dotted lines of the rows on crumpled paper."""
    chains = _find_chains(flat, row_guides(form))
    beside = _offsets_beside(chains)
    doubts = [~_is_sure(each) | _is_astray(each, near) for each, near in zip(chains, beside, strict=True)]
    return Lay(chains, float(np.mean(doubts)))


def _is_sure(each: DottedLine) -> NDArray[np.bool_]:
    """Say of each piece whether its position is certain to the dot."""
    is_sure: NDArray[np.bool_] = each.sure >= SURE
    return is_sure


def _is_astray(each: DottedLine, beside: NDArray[np.float64] | None) -> NDArray[np.bool_]:
    """Say of each piece whether it lies a dot away from where the lines above and below say."""
    if beside is None:
        return np.zeros(len(each.xs), bool)
    is_astray: NDArray[np.bool_] = np.abs(each.offsets[:, 0] - beside[:, 0]) > ASTRAY_MM
    return is_astray


def _offsets_beside(chains: Sequence[DottedLine]) -> list[NDArray[np.float64] | None]:
    """Where the lines above and below say that each line's pieces are."""
    return [between(chains, place) for place in range(len(chains))]


def starts(guide: Guide) -> NDArray[np.int64]:
    """The first dots of the pieces of a line."""
    last = len(guide.dots) - DOTS
    return np.unique(np.r_[np.arange(0, last, STEP), last])


def reach() -> tuple[int, int]:
    """How many cells a piece may be off, along and down."""
    return round(ALONG_MM / CELL_MM), round(DOWN_MM / CELL_MM)


def likeness(flat: Grey, guide: Guide) -> PlaceWeights:
    """Weigh each place of each piece of a line by how much it looks like a row of dots there."""
    along, down = (CELL * steps for steps in reach())
    pitch = guide.pitch * PIXELS_PER_MM
    top = round(guide.y * PIXELS_PER_MM - 0.5) - EDGE - down
    pad = along + EDGE + round(2 * pitch)
    rows = np.clip(np.arange(top, top + 2 * (down + EDGE) + 2), 0, flat.shape[0] - 1)
    band = np.pad(_dotness(np.ascontiguousarray(flat[rows])), ((0, 0), (pad, pad)))
    corners = np.round(np.array(guide.dots)[starts(guide)] * PIXELS_PER_MM - 0.5).astype(int) - EDGE + pad - along
    whole = alike(band, _row_of_dots(DOTS, pitch))
    likenesses = np.stack([cells(whole, corner) for corner in corners])
    weights = np.exp(LIKE * np.maximum(likenesses, 0)).astype(np.float32)
    at_bar = nearness(np.zeros((1, 2)), BAR_MM)[0]
    row, empty = _row_of_dots(END_DOTS, pitch), round(END_MM * PIXELS_PER_MM)
    for place, before in ((0, True), (-1, False)):
        ended = np.pad(row, ((0, 0), (empty, 0) if before else (0, empty)))
        left = int(corners[place]) + (-empty if before else round((DOTS - END_DOTS) * pitch))
        ends = cells(alike(band[:, left : left + 2 * along + ended.shape[1]], ended), 0)
        weights[place] *= at_bar * np.exp(END_LIKE * np.maximum(ends, 0))
    return weights


def _row_of_dots(count: int, pitch: float) -> NDArray[np.float32]:
    """Draw some dots of a line with a little paper around them."""
    return _dots_pattern(EDGE, EDGE, pitch, (2 * EDGE + 2, round((count - 1) * pitch) + 2 * EDGE + 2))


def cells(alike_there: NDArray[np.float32], corner: int) -> NDArray[np.float32]:
    """The best likeness in each cell that a piece may be in."""
    along, down = reach()
    part = alike_there[: CELL * (2 * down + 1), corner : corner + CELL * (2 * along + 1)]
    highest = np.asarray(cv2.dilate(part, np.ones((CELL, CELL), np.uint8), anchor=(0, 0)), np.float32)
    return highest[::CELL, ::CELL][: 2 * down + 1, : 2 * along + 1]


def alike(window: NDArray[np.float32], pattern: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much each place looks like the pattern, -1..1; nothing where nothing is."""
    likeness_map = cv2.matchTemplate(window, pattern, cv2.TM_CCOEFF_NORMED)
    return np.nan_to_num(np.clip(likeness_map, -1, 1)).astype(np.float32)


def chain(guide: Guide, likely: PlaceWeights) -> DottedLine:
    """Weigh all places of all pieces together, and take the best."""
    forward, backward = _passed_on(likely, guide), _passed_on(likely[::-1], guide)[::-1]
    weights = likely * forward * backward
    weights /= weights.sum(axis=(1, 2), keepdims=True)
    along, down = reach()
    places = [best(weight) for weight in weights]
    offsets = (np.array(places) - (along, down)) * CELL_MM
    sure = np.array([_mass(each, place) for each, place in zip(weights, places, strict=True)])
    return DottedLine(np.array(guide.dots)[starts(guide)] + (DOTS - 1) / 2 * guide.pitch, guide.y, offsets, sure)


def _passed_on(likely: PlaceWeights, guide: Guide) -> PlaceWeights:
    """The forward message: what the pieces before each piece say of its place."""
    sigma = BEND * STEP * guide.pitch / CELL_MM
    messages = np.empty_like(likely)
    messages[0] = 1 / likely[0].size
    for place in range(1, len(likely)):
        before = messages[place - 1] * likely[place - 1]
        before /= before.sum()
        spread = cv2.GaussianBlur(before, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
        messages[place] = (1 - LEAP) * spread + LEAP / before.size
    return messages


def best(weights: NDArray[np.float32]) -> tuple[float, float]:
    """The column and row with the most weight, to a fraction of a cell."""
    row, column = np.unravel_index(int(weights.argmax()), weights.shape)
    x, y = float(column), float(row)
    logs = np.log(weights + 1e-30)
    if 0 < column < weights.shape[1] - 1:
        x += find_peak(*(float(v) for v in logs[row, column - 1 : column + 2]))
    if 0 < row < weights.shape[0] - 1:
        y += find_peak(*(float(v) for v in logs[row - 1 : row + 2, column]))
    return x, y


def _mass(weights: NDArray[np.float32], place: tuple[float, float]) -> float:
    """How much of the weight lies around a place, nearer than the next dot."""
    near = round(SURE_MM / CELL_MM)
    column, row = (round(value) for value in place)
    return float(weights[max(0, row - near) : row + near + 1, max(0, column - near) : column + near + 1].sum())


def between(chains: Sequence[DottedLine], place: int) -> NDArray[np.float64] | None:
    """Where the lines above and below say that a line's pieces are; None at the first and the last."""
    if not 0 < place < len(chains) - 1:
        return None
    here, above, below = chains[place], chains[place - 1], chains[place + 1]
    share = (here.y - above.y) / (below.y - above.y)
    guesses = [
        np.stack([np.interp(here.xs, each.xs, each.offsets[:, axis]) for axis in (0, 1)], axis=1)
        for each in (above, below)
    ]
    middle: NDArray[np.float64] = (1 - share) * guesses[0] + share * guesses[1]
    return middle


def nearness(near: NDArray[np.float64], sigma_mm: float, counts: float = 1.0) -> PlaceWeights:
    """Weigh the places of each piece by how near they are to where its neighbours say."""
    along, down = reach()
    columns = np.arange(-along, along + 1) * CELL_MM
    rows = np.arange(-down, down + 1) * CELL_MM
    far = (rows[None, :, None] - near[:, 1, None, None]) ** 2 + (columns[None, None, :] - near[:, 0, None, None]) ** 2
    return np.exp(-counts * far / (2 * sigma_mm**2)).astype(np.float32)
