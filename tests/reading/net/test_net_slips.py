"""The likelihood of all texts one slip away is the sum it claims to be."""

import numpy as np
import pytest

from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.lattice import Frames
from pipeline.reading.slips import is_slip, other_spellings, slip_by_slip, slips, split_spelling
from reading.paths import likelihoods

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
    assert [one.together for one in slips([written], [[(written,)]], [shown])] == [
        pytest.approx(np.log(wanted), abs=1e-6)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_every_slip_has_the_likelihood_of_its_text_whatever_stands_beside(seed: int) -> None:
    rows = [frames(6, seed), frames(4, seed + 20), frames(5, seed + 40)]
    for written, shown, found in zip(("aab", "b", "a-b"), rows, slip_by_slip(["aab", "b", "a-b"], rows), strict=True):
        wanted = {text: chance for text, chance in likelihoods(shown, LETTERS).items() if is_slip(written, text)}
        likely = {text: np.exp(log) for text, log in found.likelier(-200.0)}
        possible = {text: chance for text, chance in wanted.items() if chance > 0}
        assert likely == {text: pytest.approx(chance, rel=1e-6) for text, chance in possible.items()}
        assert np.exp(found.own) == pytest.approx(likelihoods(shown, LETTERS)[written])


def test_what_two_readers_say_of_a_slip_is_multiplied() -> None:
    first, second = (slip_by_slip(["ab"], [frames(5, seed)])[0] for seed in (1, 2))
    both = dict(first.with_other(second).likelier(-200.0))
    alone, other = dict(first.likelier(-200.0)), dict(second.likelier(-200.0))
    assert both == {text: pytest.approx(alone[text] + other[text]) for text in alone.keys() & other.keys()}
    left = first.without(["b", "aab", "-b"])
    assert dict(left.likelier(-200.0)).keys() == alone.keys() - {"b", "aab", "-b"}


def test_another_spelling_of_the_same_line_is_no_slip() -> None:
    shown = frames(5, 3)
    all_of_them = likelihoods(shown, LETTERS)
    wanted = sum(chance for text, chance in all_of_them.items() if is_slip("ab", text) and text not in ("a", "a-b"))
    assert [one.together for one in slips(["ab"], [[("a",), ("", "-"), ("", "b")]], [shown])] == [
        pytest.approx(np.log(wanted), abs=1e-6)
    ]


def test_the_words_of_a_line_are_found_in_its_spelling() -> None:
    slots = (("a", "army"), ("vie", "vienna"), ("", "-"), ("boh",))
    assert split_spelling("armyvieboh", slots) == ["army", "vie", "", "boh"]
    assert other_spellings("avieboh", slots) == {"avie-boh"}
    with pytest.raises(ValueError, match="no spelling"):
        split_spelling("avi-boh", slots)


def test_a_letter_no_frame_shows_is_no_slip() -> None:
    certain = np.zeros((2, CLASSES))
    certain[0, CLASS_OF["a"]] = certain[1, CLASS_OF["b"]] = 1.0
    assert [one.together for one in slips(["ab"], [[("ab",)]], [certain])] == [-np.inf]


def test_what_is_found_of_a_row_does_not_depend_on_the_rows_beside_it() -> None:
    texts, rows = ["ab", "a-b", "bb"], [frames(5, 1), frames(9, 2), frames(7, 3)]
    for found, text, row in zip(slip_by_slip(texts, rows), texts, rows, strict=True):
        (alone,) = slip_by_slip([text], [row])
        assert (found.written, found.own) == (text, alone.own)
        assert found.changed.tolist() == alone.changed.tolist()  # to the last digit
        assert found.added.tolist() == alone.added.tolist()
        assert found.swapped.tolist() == alone.swapped.tolist()
