"""Where a small picture lies in a larger one, to a fraction of a pixel."""

import cv2
import numpy as np
from numpy.typing import NDArray

Shades = NDArray[np.uint8] | NDArray[np.float32]


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
