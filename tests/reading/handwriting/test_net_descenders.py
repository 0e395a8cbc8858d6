"""What hangs down out of a row is a tail only where a letter was read that may have one."""

from collections.abc import Sequence

import numpy as np
import pytest

from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.engine import _hang_from_letters
from pipeline.reading.lattice import Frames
from pipeline.reading.network import OURS

APART = 4  # frames from letter to letter
WIDE = APART * OURS.columns_per_frame


def seen(text: str) -> Frames:
    """Frames of a text, each letter in the first of four."""
    frames = np.full((APART * len(text), CLASSES), 1e-4)
    frames[:, BLANK] = 1 - 1e-4 * (CLASSES - 1)
    for number, letter in enumerate(text):
        frames[APART * number] = 1e-4
        frames[APART * number, CLASS_OF[letter]] = 1 - 1e-4 * (CLASSES - 1)
    return frames


def under(*letters: int) -> list[tuple[float, float]]:
    """Tails of two columns under some letters, by their numbers."""
    return [(number * WIDE + 1.0, number * WIDE + 3.0) for number in letters]


@pytest.mark.parametrize(
    ("tails", "is_read"),
    [
        (under(9), True),  # g
        (under(3), True),  # y
        (under(3, 9), True),
        (under(9, 11), False),  # the second is under the last letter, o
        (under(1), False),  # t
        (under(0), False),
        ([], False),
        ([(9 * WIDE + 11.0, 9 * WIDE + 14.0)], True),  # a tail swings to the left or to the right, but not far
        ([(9 * WIDE + 14.0, 9 * WIDE + 15.0)], False),
    ],
)
def test_a_tail_is_under_a_letter_that_has_one(tails: Sequence[tuple[float, float]], is_read: bool) -> None:
    text = "atlyens-wgao"
    assert _hang_from_letters(tails, text, seen(text)) is is_read


def test_it_is_the_letters_of_the_reading_that_count() -> None:
    assert _hang_from_letters(under(3), "F LOY", seen("floy"))
    assert not _hang_from_letters(under(3), "F LOV", seen("floy"))
