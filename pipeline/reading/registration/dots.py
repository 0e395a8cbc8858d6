"""How far the paper is from its place between the bars: by the dotted lines that people write on."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.paper.layout.sheet_layout import Form, Guide
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.dewarp_bars import MarksFound, Offsets, filled, spread
from pipeline.reading.registration.match import best_match
from pipeline.reading.registration.warp import PIXELS_PER_MM, Grid, Warp

AROUND_PX = 25  # side of the paper that a dot is darker than: 3 mm, two dots and a half
LONG_PX = 6  # what is as long is a stroke: 0.8 mm, twice a dot with its blur
DARKEST_DOT = 60  # grey levels: a blot of ink counts as one dot
FAINTEST_DOT = 8  # grey levels: what is fainter everywhere in a window is grain, of 4 to 8
DOT_SIGMA_PX = 0.85  # a dot of 0.16 mm and the scanner's own softness
DOT_SCORE = 0.40  # correlation with printed dots that a piece of a line must have
ACROSS_MM = 0.5  # less than half the pitch of the dots, or the wrong dot would do
LEAST_NEAR = 3  # pieces, itself among them, by which a piece is judged
STRAY_MM = 0.8  # a piece this far from the pieces around it is something else


@dataclass(frozen=True, slots=True)
class DotSearch:
    """How to look for the dotted lines."""

    piece_mm: (
        float  # how much of a line is found as one: long is sure, short follows a crumple (benchmarks/registration.py)
    )
    down_mm: float  # how far above and below its place
    score: float = DOT_SCORE  # how much like dots a piece must look


# 16 bent pages lie within 0.34 mm with half and with twice of each of these (benchmarks/constants.py)
FIRST = DotSearch(12.0, 1.6)
THEN = DotSearch(9.6, 1.2)
MEASURED = DotSearch(6.0, 1.2, 0.55)  # other pieces than those that the sheet was laid straight by, and surely dots


def find_dots(flat: Grey, form: Form, search: DotSearch) -> MarksFound:
    """Find the dotted lines of the rows, piece by piece."""
    guides = row_guides(form)
    lines: list[Offsets] = []
    for guide in guides:
        lines.append(find_line(flat, guide, search, lines[-1] if lines else None))
    offsets = np.stack(lines)
    drop_strays(offsets)
    return MarksFound(offsets, float(1 - np.isnan(offsets[..., 0]).mean()))


def row_guides(form: Form) -> tuple[Guide, ...]:
    """The dotted lines of the rows, without those of the header; a form without rows has no others."""
    first = form.rows[0].box.top if form.rows else 0.0
    return tuple(guide for guide in form.guides if guide.y > first)


def find_line(flat: Grey, guide: Guide, search: DotSearch, above: Offsets | None) -> Offsets:
    """Find the pieces of one line, from both ends to the middle: at the ends, the bars say which dot is which.

    Each piece is looked for where the pieces beside it and above it say; paper bends smoothly.
    """
    margin = 2 * search.down_mm + 1.0
    top = max(0, round((guide.y - margin) * PIXELS_PER_MM))
    band = dotness(flat[top : round((guide.y + margin) * PIXELS_PER_MM)])
    pieces = segments(guide, search.piece_mm)
    offsets = np.full((len(pieces), 2), np.nan)
    half = (len(pieces) + 1) // 2
    for inwards in (range(half), range(len(pieces) - 1, half - 1, -1)):
        beside = np.zeros(2)
        for place in inwards:
            known = above is not None and not np.isnan(above[place, 0])
            near = (beside + above[place]) / 2 if above is not None and known else beside
            offsets[place] = find_piece(band, top, guide, pieces[place], near, search)
            if not np.isnan(offsets[place, 0]):
                beside = offsets[place]
    return offsets


def segments(guide: Guide, piece_mm: float) -> list[tuple[float, float]]:
    """Cut a dotted line into pieces: from and to, in mm, on dots."""
    per = round(piece_mm / guide.pitch)
    dots = guide.dots
    count = max(1, len(dots) // per)
    return [(dots[n * per], dots[min(len(dots), (n + 1) * per) - 1]) for n in range(count)]


def dotness(band: Grey) -> NDArray[np.float32]:
    """How much each pixel is part of something small in all directions: a dot, and not a stroke."""
    return small_and_long(band)[0]


def small_and_long(band: Grey) -> tuple[NDArray[np.float32], Grey]:
    """How dark each pixel is as part of something small in all directions, and as part of a stroke."""
    dark = cv2.subtract(cv2.blur(band, (AROUND_PX, AROUND_PX)), band)
    along = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((1, LONG_PX), np.uint8))
    across = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((LONG_PX, 1), np.uint8))
    long = cv2.max(along, across).astype(np.uint8, copy=False)
    small = cv2.subtract(dark, long)
    return cv2.GaussianBlur(np.minimum(small, DARKEST_DOT), (3, 3), 0).astype(np.float32), long


def find_piece(
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
    pattern = dots_pattern(start - left, y - up, guide.pitch * PIXELS_PER_MM, (height, width))
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


def dots_pattern(x: float, y: float, pitch: float, size: tuple[int, int]) -> NDArray[np.float32]:
    """Draw a piece of a dotted line as it looks at `FLAT_DPI`."""
    rows, columns = (np.arange(count, dtype=np.float32) for count in size)
    to_dot = (columns - x + pitch / 2) % pitch - pitch / 2
    pattern = np.exp(-((rows - y)[:, None] ** 2 + to_dot[None, :] ** 2) / (2 * DOT_SIGMA_PX**2))
    return pattern.astype(np.float32)


def drop_strays(offsets: Offsets) -> None:
    """Forget the pieces that lie far from the pieces around them."""
    rows, places = offsets.shape[:2]
    wide = np.pad(offsets, ((1, 1), (1, 1), (0, 0)), constant_values=np.nan)
    around = [wide[down : down + rows, right : right + places] for down in range(3) for right in range(3)]
    near = np.sort(np.stack(around), axis=0)  # what was not found comes last
    known = (~np.isnan(near)).sum(axis=0)
    low, high = (np.take_along_axis(near, half[None], 0)[0] for half in ((known - 1).clip(0) // 2, known // 2))
    is_stray = np.abs(offsets - (low + high) / 2).max(axis=2) > STRAY_MM
    offsets[is_stray | (known[..., 0] < LEAST_NEAR)] = np.nan


def dots_bend(found: MarksFound, form: Form, warp: Warp, search: DotSearch) -> Grid:
    """Spread the offsets of the dotted lines over the sheet."""
    guides = row_guides(form)
    xs = [(start + end) / 2 for start, end in segments(guides[0], search.piece_mm)]
    return spread(filled(found.offsets), xs, [guide.y for guide in guides], warp)
