"""What is wrong with a printer or a scanner, measured on a picture; what to do about it is for others to say."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form
from pipeline.reading.files.limits import MM_PER_INCH
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.marks import bridged
from pipeline.reading.registration.warp import transform

Perspective = NDArray[np.float64]  # 3 by 3, mm on the sheet -> pixels

NEIGHBOUR_MM = 1.0  # dirt on the glass draws lines of 0.1 to 0.6 mm; what is beside them is paper or print
RIM_MM = 3.0  # at the sides of a picture the paper's own edge is seen
EDGE_MM = 8.0  # from the sheet's edge: where its markers are, about
MOST_INSET_MM = 1.0  # of a box that is measured: its edge is soft, and may lie off
LIGHTEST_MM = 0.6  # on either side of a line: a printed dot is 0.4 wide with its blur, a hyphen 2
BLUR_MM = 0.2  # beside a line that is a little darker than paper
DEEPER = 20  # grey levels below both neighbours: a scanner's grain has 4 to 8
PAPER, PRINT = 130, 110  # grey levels
ALWAYS = 0.9  # of the rows that could show it
ENOUGH_MM = 8.0  # of such rows at least: two bands of the test deck are 12
PAPER_SHARE = 0.3  # of all rows must be paper for a dark line to be seen at all


@dataclass(frozen=True, slots=True)
class Streak:
    """A line down the whole picture, drawn by something on the scanner's glass."""

    left_mm: float  # from the left edge of the picture
    width_mm: float
    is_white: bool  # it hides print; else it is drawn on the paper


@dataclass(frozen=True, slots=True)
class Lie:
    """How a sheet lies in its picture, and how large it is there."""

    across: float  # its size by what the file states, 1.0 as it should be; 0 where the file states nothing
    down: float
    askew: float  # degrees from upright, on its side or upside down
    sheared: float  # degrees by which the sides are not at right angles
    taper: float  # how much longer one side is than the one across from it; a scanner's picture has less than 0.002
    dpi: float


def lie_of(perspective: Perspective, form: Form, shape: Sequence[int], size_mm: tuple[float, float] | None) -> Lie:
    """Measure size and angles between the middles of the sheet's edges, where its markers are."""
    width, height = form.width, form.height
    right_mm, low_mm = width - EDGE_MM, height - EDGE_MM
    middles = np.array([[EDGE_MM, height / 2], [right_mm, height / 2], [width / 2, EDGE_MM], [width / 2, low_mm]])
    left, right, top, bottom = transform(perspective, middles)
    across, down = right - left, bottom - top
    ends_mm = width - 2 * EDGE_MM, height - 2 * EDGE_MM
    found = [0.0, 0.0]
    if size_mm is not None:
        per_px = np.array([size_mm[0] / shape[1], size_mm[1] / shape[0]])
        found = [float(np.linalg.norm(way * per_px)) / mm for way, mm in zip((across, down), ends_mm, strict=True)]
    turned, upright = (float(np.degrees(np.arctan2(way[1], way[0]))) for way in (across, down))
    askew = (turned + 45) % 90 - 45
    sheared = (upright - turned) % 180 - 90
    corners = transform(
        perspective, np.array([[EDGE_MM, EDGE_MM], [right_mm, EDGE_MM], [right_mm, low_mm], [EDGE_MM, low_mm]])
    )
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    taper = float(np.abs(sides[:2] / sides[2:] - 1).max())
    dpi = float(np.linalg.norm(across)) / ends_mm[0] * MM_PER_INCH
    return Lie(found[0], found[1], askew, sheared, taper, dpi)


def streaks(grey: Grey, dpi: float, *, has_bands: bool = False) -> tuple[Streak, ...]:
    """Find the lines that dirt draws down a picture.

    Dark ones are seen on paper; white ones only where something black is printed from edge to edge (``has_bands``).
    A grey line is dark on paper and pale on black: it is one line.
    """
    per_mm = dpi / MM_PER_INCH
    soft = np.asarray(cv2.blur(grey, (1, 3)), np.int16)  # a little along the feed: grain goes, lines stay
    beside = max(2, round(NEIGHBOUR_MM * per_mm))
    middle = soft[:, beside:-beside]
    left, right = soft[:, : -2 * beside], soft[:, 2 * beside :]
    least, most = np.minimum(left, right), np.maximum(left, right)
    rim = max(0, round(RIM_MM * per_mm) - beside)
    dark = share(middle < least - DEEPER, least > PAPER, PAPER_SHARE * len(grey))
    found = [Streak((a + b) / 2 / per_mm, (b - a) / per_mm, False) for a, b in runs(dark >= ALWAYS, rim, beside)]
    if has_bands:
        white = share(middle > most + 2 * DEEPER, most < PRINT, ENOUGH_MM * per_mm)
        pale = [Streak((a + b) / 2 / per_mm, (b - a) / per_mm, True) for a, b in runs(white >= ALWAYS, rim, beside)]
        found += [p for p in pale if all(abs(p.left_mm - d.left_mm) > NEIGHBOUR_MM for d in found)]
    return tuple(sorted(found, key=lambda streak: streak.left_mm))


def without_lines(grey: Grey, found: Sequence[Streak], dpi: float) -> tuple[Grey, Grey]:
    """Fill dark lines with what is lightest beside them, and draw where: black there, else white.

    A stroke that crosses a line is bridged where it is level; a dot beside a line does not become a dash.
    """
    per_mm = dpi / MM_PER_INCH
    struck = np.zeros(grey.shape[1], bool)
    for line in found:
        middle, half = line.left_mm * per_mm, (line.width_mm / 2 + BLUR_MM) * per_mm
        struck[max(0, int(middle - half)) : int(middle + half) + 1] = True
    where = np.where(struck, 0, 255).astype(np.uint8)
    return bridged(grey, struck, max(1, round(LIGHTEST_MM * per_mm))), np.repeat(where[None], len(grey), axis=0)


def share(seen: NDArray[np.bool_], where: NDArray[np.bool_], least: float) -> NDArray[np.float64]:
    """In what part of the rows that could show it something is seen, column by column; 0 where too few could."""
    could = where.sum(axis=0)
    return np.where(could >= least, (seen & where).sum(axis=0) / np.maximum(could, 1), 0.0)


def runs(columns: NDArray[np.bool_], rim: int, offset: int) -> list[tuple[int, int]]:
    """Stretches of columns, first and one past the last, in pixels of the picture; those at its rim are left out."""
    kept = columns.copy()
    kept[:rim] = kept[max(0, len(kept) - rim) :] = False
    edges = np.flatnonzero(np.diff(np.r_[0, kept.astype(np.int8), 0]))
    return [(int(a) + offset, int(b) + offset) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def level(grey: Grey, perspective: Perspective, box: Box) -> float | None:
    """The mean grey of a box of the sheet, its rim left out; None where it lies outside the picture."""
    inset = min(box.width / 4, box.height / 4, MOST_INSET_MM)
    x = np.linspace(box.left + inset, box.left + box.width - inset, max(4, round(4 * box.width)))
    y = np.linspace(box.top + inset, box.top + box.height - inset, max(4, round(4 * box.height)))
    places = transform(perspective, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))
    height, width = grey.shape
    if places.min() < 0 or places[:, 0].max() > width - 1 or places[:, 1].max() > height - 1:
        return None
    at = places.astype(np.float32)
    return float(cv2.remap(grey, at[None, :, 0].copy(), at[None, :, 1].copy(), cv2.INTER_LINEAR).mean())
