"""The likelihood of all texts one slip away is the sum it claims to be."""

import numpy as np
import pytest

from net.paths import likelihoods
from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.slips import is_slip, other_spellings, parted, slips

LETTERS = "ab-"


def frames(count: int, seed: int) -> Frames:
    """Make distributions over three letters and the blank."""
    found = np.zeros((count, CLASSES))
    used = [BLANK, *(CLASS_OF[letter] for letter in LETTERS)]
    found[:, used] = np.random.default_rng(seed).dirichlet(np.ones(len(used)), count)
    return found


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("written", ["ab", "aab", "a-b", "bb"])
def test_the_sum_over_all_slips_is_exact(seed: int, written: str) -> None:
    shown = frames(5, seed)
    wanted = sum(chance for text, chance in likelihoods(shown, LETTERS).items() if is_slip(written, text))
    assert slips([written], [[(written,)]], [shown]) == [pytest.approx(np.log(wanted), abs=1e-6)]


def test_another_spelling_of_the_same_line_is_no_slip() -> None:
    shown = frames(5, 3)
    all_of_them = likelihoods(shown, LETTERS)
    wanted = sum(chance for text, chance in all_of_them.items() if is_slip("ab", text) and text not in ("a", "a-b"))
    assert slips(["ab"], [[("a",), ("", "-"), ("", "b")]], [shown]) == [pytest.approx(np.log(wanted), abs=1e-6)]


def test_the_words_of_a_line_are_found_in_its_spelling() -> None:
    slots = (("a", "army"), ("vie", "vienna"), ("", "-"), ("boh",))
    assert parted("armyvieboh", slots) == ["army", "vie", "", "boh"]
    assert other_spellings("avieboh", slots) == {"avie-boh"}
    with pytest.raises(ValueError, match="no spelling"):
        parted("avi-boh", slots)


def test_a_letter_no_frame_shows_is_no_slip() -> None:
    certain = np.zeros((2, CLASSES))
    certain[0, CLASS_OF["a"]] = certain[1, CLASS_OF["b"]] = 1.0
    assert slips(["ab"], [[("ab",)]], [certain]) == [-np.inf]
