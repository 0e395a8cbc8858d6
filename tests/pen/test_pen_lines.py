"""The pen writes lines: the same from the same seed, different from different people, and of a sensible size."""

import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.pen.hand import Case, Hand, _alphabet, _read_letters, form_letter, writable
from pipeline.pen.writing import write_line
from pipeline.problems import Stopped
from training.lines import line_image

ORDER = "A Bud S A Vie - Gal"


def test_the_same_hand_and_seed_give_the_same_picture() -> None:
    first = line_image(ORDER, Hand.from_seed(5), np.random.default_rng(1))
    again = line_image(ORDER, Hand.from_seed(5), np.random.default_rng(1))
    assert np.array_equal(first, again)


def test_every_letter_a_player_needs_can_be_written_in_two_ways_or_more() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-()/>→"
    assert [letter for letter in letters if len(_alphabet().get(letter, ())) < 2] == []
    assert [letter for letter in ".,+:;'\"?" if letter not in _alphabet()] == []


def test_every_small_letter_has_a_form_that_joins() -> None:
    joining = {letter for letter, ways in _alphabet().items() if any(way.joins for way in ways)}
    assert joining == set("abcdefghijklmnopqrstuvwxyz")


def joining(letters: str) -> Hand:
    """A hand that joins these letters always, since it knows no other way."""
    hands = (replace(Hand.from_seed(n), joined=1.0, case=Case.AS_GIVEN, second_ways=0.0) for n in range(50))
    return next(hand for hand in hands if all(form_letter(hand, letter, 0).joins for letter in letters))


@pytest.mark.parametrize("seed", range(12))
def test_letters_stand_on_the_line_and_follow_each_other(seed: int) -> None:
    hand = Hand.from_seed(seed)
    writing = write_line("MAIM", hand, np.random.default_rng(seed))
    left, top, right, bottom = writing.extent
    assert abs(left) < 0.5
    assert bottom < 0.45 * hand.height_mm
    assert 0.5 * hand.height_mm < -top < 1.7 * hand.height_mm
    assert right > 1.2 * hand.height_mm
    ((start, end),) = writing.words
    assert start == pytest.approx(0, abs=0.01)
    assert end > start


def test_an_empty_line_has_no_strokes_and_a_picture_all_the_same() -> None:
    assert write_line("", Hand.from_seed(1), np.random.default_rng(0)).strokes == ()
    assert line_image("  ", Hand.from_seed(1), np.random.default_rng(0)).size > 0


def test_the_picture_grows_with_the_resolution() -> None:
    hand = Hand.from_seed(3)
    low = line_image(ORDER, hand, np.random.default_rng(1), 150)
    high = line_image(ORDER, hand, np.random.default_rng(1), 600)
    assert high.shape[1] == pytest.approx(4 * low.shape[1], abs=4)


def test_a_letter_the_pen_does_not_know_is_named() -> None:
    with pytest.raises(Stopped) as stopped:
        writable("Жuk ☃")
    assert [p.text for p in stopped.value.problems] == [
        "the pen has no strokes for 'Ж', '☃'; spell it in Latin letters"
    ]


def test_every_faulty_line_of_the_letters_is_named() -> None:
    with pytest.raises(Stopped) as stopped:
        _read_letters("A tent 0,0 1\nB\n# a remark\nC moon 0,0 1,1\nD x 0,0", "mine.txt")
    assert [str(p) for p in stopped.value.problems] == [
        "stops  mine.txt line 1: expected at least two points 'x,y', found '0,0 1'",
        "stops  mine.txt line 2: expected 'letter name x,y x,y …', found 'B'",
        "stops  mine.txt line 5: expected at least two points 'x,y', found '0,0'",
    ]
