"""Paper is made white in whole numbers where there is no blot, and comes out as it does with fractions."""

import cv2
import numpy as np
import pytest

from pipeline.reading import strokes
from pipeline.reading.pages import Grey
from pipeline.reading.strokes import LEVELS, on_white


def sheet(seed: int) -> Grey:
    """Shaded paper with some strokes on it."""
    rng = np.random.default_rng(seed)
    height, width = int(rng.integers(60, 200)), int(rng.integers(300, 900))
    shade = np.linspace(rng.integers(120, 250), rng.integers(120, 250), width)[None] + rng.normal(0, 4, (height, width))
    grey = np.clip(shade, 0, 255).astype(np.uint8)
    for _ in range(12):
        ends = [(int(rng.integers(width)), int(rng.integers(height))) for _ in range(2)]
        cv2.line(grey, ends[0], ends[1], (40,), 4)
    return grey


@pytest.mark.parametrize("smaller", [1, 2])
def test_paper_is_as_white_as_with_fractions(smaller: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = [sheet(seed) for seed in range(12)]
    found = [on_white(picture, smaller) for picture in pictures]
    monkeypatch.setattr(strokes, "LEAST_NEAR", np.full(LEVELS, 255, np.uint8))  # as if there were blots everywhere
    assert all(
        np.array_equal(on_white(picture, smaller), white) for picture, white in zip(pictures, found, strict=True)
    )


def test_a_blot_stays_dark_on_white_paper() -> None:
    grey = np.full((160, 600), 240, np.uint8)
    cv2.circle(grey, (300, 80), 30, (15,), -1)
    white = on_white(grey)
    assert int(white[80, 300]) < 60
    assert int(white[80, 100]) > 240
