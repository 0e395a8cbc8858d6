"""Marks for the net that sees ink which is no sign: each is drawn where the signs of its row are."""

import random

import numpy as np
import pytest

from training.unread_marks import MARKS, CleanRow, Glyph, Sketch, Span, draw_mark, underline

SPANS = (
    Span(20, 40, 30, 60),
    Span(60, 75, 30, 60),
    Span(78, 93, 30, 60),
    Span(110, 130, 44, 47),
    Span(150, 170, 30, 60),
)
ROW = CleanRow(
    grey=np.full((90, 200), 240, np.float32),
    signs="avi-b",
    columns=tuple(span.left for span in SPANS),
    spans=SPANS,
    boxes=(("A", SPANS[0]),),
    pen=3.0,
    dark=180.0,
    paper=240.0,
    top=30.0,
    base=60.0,
)
GLYPHS = {"x": [Glyph(np.ones((30, 20), np.float32), 1.0, 30.0)]}


def test_words_are_parted_at_gaps_and_dashes() -> None:
    assert ROW.words() == [[0], [1, 2], [3], [4]]


def test_a_widened_row_keeps_its_signs() -> None:
    wide = ROW.widened(7, 5)
    assert wide.grey.shape == (100, 214)
    assert wide.spans[0] == Span(27, 47, 35, 65)
    assert (wide.high, wide.columns[1]) == (ROW.high, 67)


@pytest.mark.parametrize("kind", [*MARKS, underline])
def test_a_mark_of_each_kind_is_drawn(kind: object) -> None:
    assert callable(kind)
    for seed in range(20):
        sketch = Sketch(ROW.widened(60, 40), random.Random(seed), GLYPHS)
        kind(sketch)
        assert 20 < np.count_nonzero(sketch.ink > 0.5) < 0.4 * sketch.ink.size


def test_a_mark_is_the_same_for_a_seed() -> None:
    sketches = [Sketch(ROW, random.Random(seed), GLYPHS) for seed in (4, 4, 5)]
    for sketch in sketches:
        draw_mark(sketch)
    assert np.array_equal(sketches[0].ink, sketches[1].ink)
    assert not np.array_equal(sketches[0].ink, sketches[2].ink)


def test_without_a_dash_another_sign_is_struck() -> None:
    letters = CleanRow(ROW.grey, "avi", ROW.columns[:3], SPANS[:3], (), 3.0, 180.0, 240.0, 30.0, 60.0)
    slash = next(iter(MARKS))
    sketch = Sketch(letters, random.Random(1), GLYPHS)
    slash(sketch)
    assert 10 < np.flatnonzero(sketch.ink.any(0)).mean() < 100
