"""Gaps in the ink part words in a free reading, and tear them where a reading has none."""

import numpy as np
import pytest

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.net.free import free_text, is_torn
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.normalise import ROWS, Ink

FRAME, LETTER, WORD = 4, 3, 6  # columns a frame; frames of a letter and its gap; frames of a gap between words


def written(text: str) -> tuple[Frames, Ink]:
    """Frames and ink of a text: each letter a frame and eight columns, spaces as wide as they are written."""
    frames: list[int] = []
    inked: list[bool] = []
    for symbol in text.lower():
        if symbol == " ":
            frames += [BLANK] * WORD
            inked += [False] * WORD * FRAME
        else:
            frames += [BLANK, CLASS_OF[symbol], BLANK]
            inked += [False] * 2 + [True] * (LETTER * FRAME - 4) + [False] * 2
    shown = np.full((len(frames), CLASSES), 1e-4)
    shown[np.arange(len(frames)), frames] = 1 - 1e-4 * (CLASSES - 1)
    return shown, np.tile(np.array(inked, np.float32), (ROWS, 1))


def test_wide_gaps_and_dashes_part_words() -> None:
    assert free_text(*written("a rum-bul")) == "A RUM - BUL"
    assert free_text(*written("a ru m- bul")) == "A RU M - BUL"


@pytest.mark.parametrize("line", ["a rum - bul", "arum-bul", "a r u m - b u l", "a spa(nc) - mao", "a spa (nc)-mao"])
def test_evenly_spaced_words_are_whole(line: str) -> None:
    read = "A SPA NC - MAO" if "spa" in line else "A RUM - BUL"
    assert not is_torn(read, *written(line))


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("a ru m- bul", "A RUM - BUL"),
        ("flo n- nth", "F LON - NTH"),
        ("f nap support sf ion", "F NAP SUPPORTS F ION"),
    ],
)
def test_a_gap_wider_than_at_a_words_end_tears_it(line: str, read: str) -> None:
    assert is_torn(read, *written(line))


def test_letters_that_were_read_otherwise_say_nothing_of_gaps() -> None:
    assert not is_torn("A RUM - BUL", *written("a ru n- bul"))
