"""A shaken page: what the shake makes of each printed dot is taken out, and what is written stays."""

import cv2
import numpy as np
import pytest

from pipeline.reading.boxes import STREAK_PX, _draw_dots, _without_streaks

SHAPE = (60, 700)
DOTS = np.array([(8.0 + 12 * n, y) for n in range(57) for y in (14.0, 44.0)])
NONE = np.zeros(SHAPE, bool)


def shaken(kernel: np.ndarray) -> np.ndarray:
    """Paper with dots that are smeared."""
    drawn = _draw_dots(DOTS, SHAPE).astype(np.float32)
    return np.asarray(255 - cv2.filter2D(drawn, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float64)


def streak(turned: bool) -> np.ndarray:
    kernel = np.zeros((2 * STREAK_PX + 1,) * 2, np.float32)
    kernel[STREAK_PX, 2:-2] = 30  # grey levels
    return kernel.T if turned else kernel


@pytest.mark.parametrize("turned", [False, True])
def test_dots_are_gone_and_faint_ink_on_them_is_as_dark_as_before(turned: bool) -> None:
    seen = shaken(streak(turned))
    assert seen.min() < 230
    written = np.zeros(SHAPE, bool)
    for at in range(20, 650, 24):
        written[8:20, at - 4 : at + 8] = True
    plain, inked = (
        _without_streaks(np.clip(grey, 0, 255).astype(np.uint8), DOTS, NONE).astype(int)
        for grey in (seen, np.where(written, seen - 45, seen))
    )
    assert plain.min() > 230
    assert (plain < 240).mean() < 0.2 * (seen < 240).mean()
    assert np.abs(plain - inked)[~written].mean() < 0.5
    assert np.median((plain - inked)[written]) == pytest.approx(45, abs=10)
