"""Ink on paper: strokes in mm become a picture of how much light the ink takes away."""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from pipeline.pen.hand import Pen, PenPath

Picture = NDArray[np.uint8]  # (h, w) grey or (h, w, 3) blue, green, red
InkCover = NDArray[np.float32]  # (h, w): 0 bare paper … 1 full ink

MM_PER_INCH = 25.4
DRAWN_AT = 500  # dots per inch at least: strokes are drawn this finely and then made smaller
RUN = 3  # samples of a stroke drawn with one width
SHIFT = 4  # fractional bits of the coordinates OpenCV draws at


class InkPatch(Struct, frozen=True, eq=False):
    """A patch of ink: how it covers the paper, and where its corner lies in the picture."""

    cover: InkCover
    left: int  # px
    top: int  # px

    def on(self, page: Picture, pen: Pen) -> None:
        """Lay the ink on a page, in place; what falls off the edge is lost."""
        top, left = max(self.top, 0), max(self.left, 0)
        bottom = min(self.top + self.cover.shape[0], page.shape[0])
        right = min(self.left + self.cover.shape[1], page.shape[1])
        if top >= bottom or left >= right:
            return
        cover = self.cover[top - self.top : bottom - self.top, left - self.left : right - self.left]
        paper = page[top:bottom, left:right].astype(np.float32)
        if page.ndim == 3:
            cover = cover[:, :, None]
        blue, green, red = pen.colour
        grey = 0.114 * blue + 0.587 * green + 0.299 * red  # as a grey scanner sees the colour, 0..255
        colour = np.array(pen.colour if page.ndim == 3 else grey, np.float32)
        # ink is a filter, not a paint: on grey or printed paper it never makes anything lighter
        page[top:bottom, left:right] = np.minimum(paper, paper * (1 - cover) + colour * cover).astype(np.uint8)


def lay_strokes(strokes: Sequence[PenPath], pen: Pen, rng: np.random.Generator, dpi: int, heft: float) -> InkPatch:
    """Draw strokes (mm from the picture's top left corner) with a pen.

    ``heft`` is the pressure of the hand: 1 usual, less is lighter.
    """
    finer = max(1, -(-DRAWN_AT // dpi))
    scale = dpi * finer / MM_PER_INCH
    width = pen.width_mm * scale * (0.6 + 0.4 * heft)
    if not strokes:
        return InkPatch(np.zeros((0, 0), np.float32), 0, 0)
    points = np.vstack(strokes) * scale
    margin = int(width * 1.5 + 3 * finer)
    left, top = (int(v) for v in (np.floor(points.min(axis=0) - margin) // finer))
    right, bottom = (int(v) for v in (np.ceil(points.max(axis=0) + margin) // finer + 1))
    points -= (left * finer, top * finer)
    canvas = np.zeros(((bottom - top) * finer, (right - left) * finer), np.uint8)
    widths, tones = _flow(points, [len(stroke) for stroke in strokes], pen, rng)
    _draw_strokes(canvas, points, [len(stroke) for stroke in strokes], widths * width, tones)
    if finer > 1:
        canvas = np.asarray(cv2.resize(canvas, (right - left, bottom - top), interpolation=cv2.INTER_AREA), np.uint8)
    cover: InkCover = canvas.astype(np.float32) * np.float32(1 / 255)
    if pen.grain > 0.02:
        cover *= _paper_grain(cover.shape, pen.grain, rng, dpi)
    soft = np.asarray(cv2.GaussianBlur(cover, (0, 0), max(0.25, pen.bleed_mm * dpi / MM_PER_INCH)), np.float32)
    return InkPatch(
        np.minimum(soft * np.float32(min(1.0, pen.darkness * (0.7 + 0.3 * heft))), np.float32(1)), left, top
    )


def _flow(
    points: PenPath, lengths: list[int], pen: Pen, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Say how wide (1 = usual) and how dark (0..1) the line is at each point."""
    count = len(points)
    noise = rng.standard_normal((2, count + 30))
    slow = np.array([np.convolve(row, np.ones(15) / 15**0.5, "same")[15:-15] for row in noise])
    step = np.diff(points, axis=0, prepend=points[:1])
    turn = np.abs(np.convolve(np.unwrap(np.arctan2(step[:, 1], step[:, 0])), (1, 0, 0, -1), "same"))[:count]
    widths = 1 + pen.swell * (0.22 * np.clip(slow[0], -2, 2) + 0.35 * np.clip(turn, 0, 1.2) - 0.12)
    tones = 1 - pen.skips * 0.30 * np.clip(slow[1] - 0.6, 0, 1.6)
    ends = np.cumsum(lengths)
    for back, thin in ((1, 0.72), (2, 0.84), (3, 0.94)):  # a stroke thins out where the pen leaves the paper
        at = np.maximum(ends - back, 0)
        widths[at] *= 1 - (1 - thin) * min(1.0, 3 * pen.swell)
    return np.clip(widths, 0.5, 1.6), np.clip(tones, 0.35, 1.0)


def _draw_strokes(
    canvas: Picture, points: PenPath, lengths: list[int], widths: NDArray[np.float64], tones: NDArray[np.float64]
) -> None:
    """Draw strokes run by run, each run with its own width and tone."""
    fixed = np.round(points * (1 << SHIFT)).astype(np.int32)
    thick = np.maximum(1, np.round(widths)).astype(int).tolist()
    tone = np.round(tones * 255).astype(int).tolist()
    start = 0
    for length in lengths:
        end = start + length
        for at in range(start, end - 1, RUN):
            run = fixed[at : min(at + RUN + 1, end)]
            cv2.polylines(canvas, [run], False, tone[at], thick[at], cv2.LINE_AA, SHIFT)
        start = end


def _paper_grain(shape: tuple[int, ...], strength: float, rng: np.random.Generator, dpi: int) -> InkCover:
    """Let the tooth of the paper show through the ink: a mask around 1 - strength / 3."""
    noise = cv2.GaussianBlur(rng.standard_normal(shape, dtype=np.float32), (0, 0), max(0.5, 0.06 * dpi / MM_PER_INCH))
    even = np.asarray(noise, np.float32) / np.float32(max(float(np.std(noise)), 1e-6))
    return np.asarray(np.clip(1 - strength / 3 + strength * 0.75 * even, 0.1, 1.1), np.float32)


# Where a point of the sheet is on the scan: the truth that registration is measured against.

Homography = NDArray[np.float64]  # (3, 3)
Displacement = NDArray[np.float32]  # (h, w): how far to go for each pixel of the paper, px
COARSE = 4  # px
ROUNDS = 40  # of the fixed-point iteration that inverts a displacement; each at least halves the error


class ScanPath(Struct):
    """Maps every point of the printed sheet to the scan. Its parts are in px of one resolution; `place` takes mm."""

    per_mm: tuple[
        float, float
    ]  # px across and down; renderers round a page up to whole px, so they may differ a little
    size: tuple[int, int]  # of the scan as it is now: width, height
    printed: Homography = field(default_factory=lambda: np.eye(3))  # sheet → paper: the printer's own scale
    shift: tuple[Displacement, Displacement] | None = None  # paper as scanned → paper as printed: dx, dy
    fed: Homography = field(default_factory=lambda: np.eye(3))  # paper → scan

    @property
    def homography(self) -> Homography | None:
        """The 3 × 3 matrix from mm on the sheet to px on the scan, where one matrix says it all."""
        if self.shift is not None:
            return None
        across, down = self.per_mm
        return np.asarray(self.fed @ self.printed @ np.array([[across, 0, -0.5], [0, down, -0.5], [0, 0, 1]]))

    def place(self, points_mm: PenPath) -> PenPath:
        """Find points of the sheet, (n, 2) in mm from its top left corner, on the scan: (n, 2) in px.

        Pixel centres are whole numbers, as OpenCV counts.
        """
        paper = _through(self.printed, np.asarray(points_mm, float) * self.per_mm - 0.5)
        return _through(self.fed, paper if self.shift is None else _invert_shift(paper, self.shift))

    def then(self, matrix: Homography, size: tuple[int, int] | None = None) -> None:
        """Apply a further homography after the others; ``matrix`` is in px of the scan as it was before."""
        self.fed = matrix @ self.fed
        self.size = size or self.size

    def bend(self, dx: Displacement, dy: Displacement) -> None:
        """Bend the paper; bends add up as long as they are small beside the distances they vary over."""
        self.shift = (dx, dy) if self.shift is None else (self.shift[0] + dx, self.shift[1] + dy)

    def picture(self, page: Picture, background: Picture) -> Picture:
        """Warp a page to the scan, onto a background of the scan's size and kind."""
        if self.shift is None and np.allclose(self.fed @ self.printed, np.eye(3)):
            return page
        out = background.copy()
        width, height = self.size
        if self.shift is None:
            matrix = self.fed @ self.printed
            return np.asarray(
                cv2.warpPerspective(page, matrix, (width, height), out, cv2.INTER_CUBIC, cv2.BORDER_TRANSPARENT),
                np.uint8,
            )
        xs, ys = self.sources()
        return np.asarray(cv2.remap(page, xs, ys, cv2.INTER_CUBIC, out, cv2.BORDER_TRANSPARENT), np.uint8)

    def sources(self) -> tuple[Displacement, Displacement]:
        """Say for each pixel of the scan where on the page it comes from.

        Worked out at every COARSE-th pixel and interpolated: the steepest slip of `damage._stretch_page` is off by
        0.02 px at most.
        """
        assert self.shift is not None
        width, height = self.size
        rows, columns = -(-height // COARSE) + 2, -(-width // COARSE) + 2  # one more on each side
        middle = (COARSE - 1) / 2 - COARSE
        down, across = (np.arange(count, dtype=np.float32) * COARSE + np.float32(middle) for count in (rows, columns))
        xs, ys = _apply_homography(np.linalg.inv(self.fed), *np.meshgrid(across, down))
        dx, dy = (_displacement_at(part, xs, ys) for part in self.shift)
        coarse = _apply_homography(np.linalg.inv(self.printed), xs + dx, ys + dy)
        x, y = (cv2.resize(part, (columns * COARSE, rows * COARSE), interpolation=cv2.INTER_LINEAR) for part in coarse)
        inside = (slice(COARSE, COARSE + height), slice(COARSE, COARSE + width))
        return np.asarray(x[inside], np.float32), np.asarray(y[inside], np.float32)


def _through(matrix: Homography, points: PenPath) -> PenPath:
    """Apply a homography to (n, 2) points."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def _apply_homography(
    matrix: NDArray[np.floating], x: Displacement, y: Displacement
) -> tuple[Displacement, Displacement]:
    """Apply a homography to the coordinates of a whole picture."""
    a, b, c = matrix.astype(np.float32)
    depth = c[0] * x + c[1] * y + c[2]
    return (a[0] * x + a[1] * y + a[2]) / depth, (b[0] * x + b[1] * y + b[2]) / depth


def _invert_shift(points: PenPath, shift: tuple[Displacement, Displacement]) -> PenPath:
    """Invert the displacement: for each point the p with p + shift(p) = point."""
    moved = points.astype(np.float32)
    goal = moved.copy()
    for _ in range(ROUNDS):
        xs, ys = moved[:, 0][None].copy(), moved[:, 1][None].copy()
        moves = [_displacement_at(part, xs, ys)[0] for part in shift]
        moved = goal - np.stack(moves, axis=1)
    return moved.astype(np.float64)


def _displacement_at(part: Displacement, xs: Displacement, ys: Displacement) -> Displacement:
    """Interpolate a displacement between pixels; beyond the paper's edge the value of the edge is used."""
    return np.asarray(cv2.remap(part, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
