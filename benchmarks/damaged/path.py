"""Where a point of the sheet is on the scan: the truth that registration is measured against."""

import cv2
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from pipeline.pen.hand import PenPath
from pipeline.pen.laying import Picture
from pipeline.pen.scanner import Homography

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

        Worked out at every COARSE-th pixel and interpolated: the steepest slip of `kinds._stretch_page` is off by
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
