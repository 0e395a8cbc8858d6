"""Loose ink: marks above the letters of a row and beside them, lines through letters, and what is none."""

import cv2
import numpy as np
import pytest

from pipeline.reading.loose import has_line_through, has_loose_ink
from pipeline.reading.network import find_ink
from pipeline.reading.pages import Grey

TOP, BASE, WIDE = 60, 100, 24  # rows of the letters; columns of each
SIGNS = [("a", 112.0), ("v", 172.0), ("i", 212.0), ("-", 262.0), ("g", 312.0), ("a", 352.0)]


@pytest.fixture
def row() -> Grey:
    """``A VI - GA``, every letter a box; the i is small and has a dot, the dash is short."""
    grey = np.full((140, 480), 240, np.uint8)
    for sign, column in SIGNS:
        left, top = round(column) - WIDE // 2, TOP + 16 if sign == "i" else TOP
        if sign == "-":
            cv2.line(grey, (left, 82), (left + WIDE, 82), 40, 4)
        else:
            cv2.rectangle(grey, (left, top), (left + WIDE, BASE), 40, 4)
    cv2.circle(grey, (214, 62), 3, 40, -1)
    return grey


def is_loose(grey: Grey, signs: list[tuple[str, float]] | None = None) -> bool:
    found = find_ink(grey)
    assert found is not None
    return has_loose_ink(found, SIGNS if signs is None else signs)


def test_letters_with_their_dots_are_not_loose_nor_is_what_no_sign_is_in(row: Grey) -> None:
    assert not is_loose(row)
    assert not is_loose(row, [])


def test_a_line_to_write_on_is_not_loose(row: Grey) -> None:
    row[BASE + 4 : BASE + 6] = 150
    assert not is_loose(row)


def is_lined(grey: Grey, signs: list[tuple[str, float]] | None = None) -> bool:
    found = find_ink(grey)
    assert found is not None
    return has_line_through(found, SIGNS if signs is None else signs)


@pytest.mark.parametrize("climb", [-6, 0, 6])
def test_a_line_through_two_letters_is_seen_level_or_climbing(row: Grey, climb: int) -> None:
    assert not is_lined(row)
    cv2.line(row, (295, 80 + climb), (372, 80 - climb), 40, 3)
    assert is_lined(row)
    assert not is_lined(row, [])


@pytest.mark.parametrize(("foot", "top"), [((295, 104), (372, 56)), ((296, 98), (366, 66))])
def test_a_slash_through_two_letters_is_a_line_through_them(
    row: Grey, foot: tuple[int, int], top: tuple[int, int]
) -> None:
    cv2.line(row, foot, top, 40, 3)
    assert is_lined(row)


def test_a_dash_that_touches_the_letters_is_no_line_through_them(row: Grey) -> None:
    cv2.line(row, (170, 82), (312, 82), 40, 4)
    assert not is_lined(row)


def test_a_line_below_the_letters_is_none_through_them(row: Grey) -> None:
    cv2.line(row, (295, BASE), (372, BASE), 40, 4)
    assert not is_lined(row)
