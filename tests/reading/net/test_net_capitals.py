"""A bare stroke is the I of Ion where the other names of a row begin with capitals; elsewhere nobody knows."""

import numpy as np
import pytest

from pipeline.reading.free import FAVOUR, _begin_with_capitals, i_over_l
from pipeline.reading.network import OURS, Ink
from reading.thresholds.test_net_evidence import shown

HIGH, LOW, FOOT = 6, 18, 33
HAS_ASCENDER = "bdfhklt"


def drawn(text: str) -> Ink:
    """A picture of a text of which every letter is one stroke, as high as it is, where `shown` shows it."""
    letters = [letter for letter in text if letter != " "]
    ink = np.zeros((OURS.rows, 8 * len(letters) + 8), np.float32)
    for number, letter in enumerate(letters):
        top = HIGH if letter.isupper() or letter in HAS_ASCENDER else LOW
        ink[top : FOOT + 1, 8 * number + 5 : 8 * number + 8] = 1.0
    return ink


def words(text: str) -> list[str]:
    """The words of a text as lines are spelled."""
    return text.lower().replace("-", " - ").split()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("F Eng - Ion", True),
        ("F Mar S F Nap - Ion", True),
        ("F Aegean Sea - Ion", True),
        ("F eng - lon", False),
        ("F ENG - ION", False),
        ("F Eng S F mao - Ion", False),  # one does and one does not
        ("F Bre - Ion", False),  # a small b is as high
        ("F Ion H", False),
        ("F Mar S F Bla", True),
        ("A P - Q", False),
    ],
)
def test_names_begin_with_capitals_where_all_that_may_be_low_are_high(text: str, told: bool) -> None:
    assert _begin_with_capitals(words(text), shown(text), drawn(text)) is told


def test_of_a_row_without_a_picture_nothing_is_known() -> None:
    text = "F Eng - Ion"
    assert not _begin_with_capitals(words(text), shown(text), np.zeros((0, 0), np.float32))
    assert not _begin_with_capitals(words(text), shown(text), np.zeros((OURS.rows, 80), np.float32))


def test_only_the_first_letter_of_a_name_is_told_so() -> None:
    text = "F Eng - Ion"
    written = "feng-ion"
    told = [i_over_l(written, words(text), at, shown(text), drawn(text)) for at in range(len(written))]
    assert told == [0.0] * 5 + [FAVOUR, 0.0, 0.0]
    vie = "A Vie - Gre"
    assert i_over_l("avie-gre", words(vie), 2, shown(vie), drawn(vie)) == 0.0
