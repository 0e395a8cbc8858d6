"""Ink on printed letters is seen on pale print too, and pale print alone is no ink."""

import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.paper.sheet_rows import NamedBox
from pipeline.reading.ink_on_print import LEAST_LINE, OnPrint, find_hidden_ink, measure_line

USUAL = 16.0  # mm² of a name
ROWS, NAMES = 8, 6


def print_of(darkness: float) -> OnPrint:
    """A name, printed as dark as this: what is paler covers less of the paper, as on a drum without toner."""
    return OnPrint(NamedBox, USUAL, USUAL * (0.5 + 0.5 * darkness), 100 * darkness, 140 * darkness)


def streaky() -> list[list[OnPrint]]:
    """Rows of names that are dark here and pale there, and a sign before them."""
    rows = []
    for row in range(ROWS):
        names = [print_of(0.3 + 0.7 * ((row * 5 + at * 3) % 11) / 10) for at in range(NAMES)]
        rows.append([replace(print_of(0.3 + 0.1 * row), alike="Support"), *names])
    return rows


def test_print_that_is_dark_here_and_pale_there_hides_no_ink() -> None:
    assert list(find_hidden_ink(streaky())) == [False] * ROWS


def test_ink_on_pale_print_is_more_than_print_as_pale_has_elsewhere() -> None:
    for at in (0, 3):
        rows = streaky()
        rows[1][at] = replace(rows[1][at], area=rows[1][at].area + 3.5)
        assert list(find_hidden_ink(rows)) == [row == 1 for row in range(ROWS)]


def test_words_that_are_hardly_seen_have_no_more_ink_than_the_fullest_of_them() -> None:
    def grey_words(areas: list[float], deepest: float = 45.0) -> list[list[OnPrint]]:
        words = [OnPrint(("word", "other"), 1.0, area, 35.0 if area else 0.0, deepest) for area in areas]
        return [[*names, word] for names, word in zip(streaky(), words, strict=True)]

    pale = [0.0, 0.0, 0.3, 2.7, 3.0, 3.8, 0.0, 4.6]
    assert not any(find_hidden_ink(grey_words(pale)))
    assert list(find_hidden_ink(grey_words([*pale[:7], 6.0]))) == [False] * 7 + [True]
    assert any(find_hidden_ink(grey_words(pale, deepest=90.0)))


def test_the_bar_of_a_t_that_meets_the_letters_beside_it_is_no_line_through_a_name_unless_it_is_as_dark() -> None:
    letters = np.zeros((30, 71), np.uint8)
    letters[8:10, 9:62] = 74  # 0.7 mm above the middle
    assert measure_line(letters, "STP", 1.0) < LEAST_LINE < measure_line(letters, "SOP", 1.0)
    assert measure_line(2 * letters, "STP", 1.0) > LEAST_LINE


@pytest.mark.parametrize(("line", "is_seen"), [(20.0, False), (40.0, True), (100.0, True)])
def test_a_line_over_one_name_is_seen_where_it_is_darker_than_photographs_leave(line: float, is_seen: bool) -> None:
    rows = streaky()
    rows[1][2] = replace(rows[1][2], line=line)
    assert list(find_hidden_ink(rows)) == [is_seen and row == 1 for row in range(ROWS)]


def test_letters_that_light_made_thin_or_left_thick_hide_no_ink_where_the_dashes_beside_them_say_so() -> None:
    lit = [[at * 10.0 + 30 for at in range(NAMES)] for _ in range(ROWS)]
    rows = [
        [OnPrint(NamedBox, USUAL, USUAL * (0.8 + edge / 200), 120.0, 160.0, edge=edge) for edge in edges]
        for edges in lit
    ]
    assert list(find_hidden_ink(rows)) == [False] * ROWS
    rows[1][0] = replace(rows[1][0], area=rows[1][0].area + 5.0)
    assert list(find_hidden_ink(rows)) == [row == 1 for row in range(ROWS)]


def test_a_word_that_stands_once_or_twice_on_a_pale_page_cannot_be_compared() -> None:
    rows = [[*names, OnPrint(("word", f"unit {row}"), 1.0, 7.0, 30.0, 40.0)] for row, names in enumerate(streaky())]
    assert not any(find_hidden_ink(rows))
