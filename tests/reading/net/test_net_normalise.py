"""A row comes out the same size however large, dark or lonely it was written."""

import cv2
import numpy as np
import pytest

from pipeline.reading.network import OURS, Ink, _darkness, normalise
from pipeline.reading.pages import Grey


def row(height: int = 90, width: int = 500, size: float = 1.0, ink: int = 30, paper: int = 245) -> Grey:
    picture = np.full((height, width), paper, np.uint8)
    place = (20, int(height * 0.65))
    cv2.putText(picture, "A VIE", place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 2, cv2.LINE_AA)
    return picture


def heights(ink: Ink | None) -> float:
    assert ink is not None
    inked = np.flatnonzero((ink > 0.5).any(1))
    return float(inked[-1] - inked[0] + 1)


@pytest.mark.parametrize(
    "picture",
    [row(), row(size=2.0, height=140), row(size=0.7), row(ink=190), row(width=2400), row(paper=180)],
    ids=["plain", "large", "small", "pencil", "alone in a wide row", "grey paper"],
)
def test_writing_always_fills_the_same_rows(picture: Grey) -> None:
    found = normalise(picture)
    assert found is not None
    assert found.shape[0] == OURS.rows
    assert heights(found) == pytest.approx(OURS.ink_rows, abs=4)
    assert float(found.max()) > 0.8


def test_bare_paper_is_no_ink() -> None:
    noise = np.random.default_rng(1).normal(240, 2, (90, 600))
    assert normalise(np.asarray(np.clip(noise, 0, 255), np.uint8)) is None


def test_a_printed_rule_does_not_shrink_the_writing() -> None:
    ruled = row(height=120)
    ruled[112:114] = 90
    assert heights(normalise(ruled)) <= OURS.rows
    inked, plain = normalise(ruled), normalise(row(height=120))
    assert inked is not None and plain is not None
    assert abs(int(np.argmax((plain > 0.5).sum(1))) - int(np.argmax((inked[:33] > 0.5).sum(1)))) < 4


def test_a_shadow_over_half_of_the_row_is_paper() -> None:
    shaded = row().astype(np.float32)
    shaded *= np.linspace(1.0, 0.7, shaded.shape[1])[None]
    found = normalise(shaded.astype(np.uint8))
    assert found is not None
    assert float((found > 0.35).mean()) < 0.3


@pytest.mark.parametrize("width", [8, 31, 63, 64, 65, 97])
def test_the_ink_of_a_crop_of_any_width_is_found(width: int) -> None:
    crop = np.full((60, width), 220, np.uint8)
    crop[20:40, 3:6] = 40
    ink, peak = _darkness(crop)
    assert ink.shape == crop.shape
    assert ink[30, 4] == 1
    assert ink[5, 4] == 0
    assert peak > 0
