"""A line through printed letters is as dark as it is drawn, if it is straight, long, level and near their middle."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.reading.ink_on_print import CLIMBS, LINE_MM, LONG_WORD, LONGEST_MM, SHORT_MM, measure_line
from pipeline.reading.marks import PIXELS_PER_MM

MORE_MM, HIGH_MM = 1.0, 5.0
SOME = settings(max_examples=25)


def drawn(
    letters: float, start: float, end: float, off: float = 0.0, climb: float = 0.0, dark: int = 100, thick: int = 1
) -> float:
    """How dark the line is that goes so far over a word so long, ``off`` its middle; in mm, ``thick`` in pixels."""
    wide, high = letters + 2 * MORE_MM, HIGH_MM + letters * abs(climb)
    grey = np.zeros((round(high * PIXELS_PER_MM), round(wide * PIXELS_PER_MM)), np.uint8)
    ends = [(x + MORE_MM, high / 2 + off + climb * (x - letters / 2)) for x in (start, end)]
    places = [(round(x * PIXELS_PER_MM), round(y * PIXELS_PER_MM)) for x, y in ends]
    cv2.line(grey, places[0], places[1], dark, thick)
    return measure_line(grey, "SOP", MORE_MM)


@given(st.floats(2.0, 16.0), st.sampled_from(CLIMBS), st.integers(20, 255))
@SOME
def test_a_line_over_a_whole_word_is_as_dark_as_it_is_drawn(letters: float, climb: float, dark: int) -> None:
    ends = (-MORE_MM / 2, letters + MORE_MM / 2)
    assert drawn(letters, *ends, climb=climb, dark=dark, thick=3) == pytest.approx(dark, rel=0.1)


@given(st.floats(2.0, 16.0), st.floats(0.0, 1.0), st.sampled_from([-1, 1]))
@SOME
def test_it_is_seen_from_a_length_on_that_no_gap_between_letters_has(letters: float, place: float, way: int) -> None:
    least = min(max(LINE_MM, LONG_WORD * letters), LONGEST_MM, letters - SHORT_MM)
    long = least + way * 0.4
    start = place * max(0.0, letters - long)
    assert (drawn(letters, start, start + long) > 90) is (way > 0)


@given(st.floats(3.0, 16.0), st.sampled_from([-1, 1]))
@SOME
def test_far_from_the_middle_of_the_letters_it_counts_half_or_nothing(letters: float, side: int) -> None:
    for off, share in ((0.0, 1.0), (0.35, 1.0), (0.8, 0.5), (1.2, 0.0), (2.0, 0.0)):
        seen = drawn(letters, 0.0, letters, side * off)
        assert seen == pytest.approx(100 * share, abs=1), off


def test_without_ink_or_letters_there_is_none() -> None:
    assert drawn(6.0, 2.0, 2.0, dark=0) == 0
    assert drawn(0.3, 0.0, 0.3) == 0
