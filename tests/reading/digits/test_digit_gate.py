"""The gate of numbers in boxes: what it says, and all that is wrong with one at once."""

import numpy as np
import pytest

from pipeline.ink import InkReading, Note
from pipeline.problems import Stopped
from pipeline.reading.digits import (
    OTHER,
    BoxInk,
    _load_digit_gate,
    _rank_numbers,
    _read_digit_gate,
    _structural_notes,
    _weigh_sum,
    log_odds,
)


def test_the_gate_that_ships_says_what_set_it() -> None:
    gate = _load_digit_gate()
    assert (gate.accepted, gate.spoilt) == (5.0, 0.1)
    assert "benchmarks/board_sheets.py" in gate.measured


def test_all_faults_of_a_gate_are_told_at_once() -> None:
    with pytest.raises(Stopped) as stopped:
        _read_digit_gate("accepted = 'much'\nspoilt = 0\nacepted = 1\n", "gate.toml")
    assert [str(problem) for problem in stopped.value.problems] == [
        "stops  gate.toml accepted: expected a number, found 'much'",
        "stops  gate.toml acepted: unknown field; did you mean 'accepted'?",
        "stops  gate.toml measured: missing; expected a text",
        "stops  gate.toml spoilt: found 0.0; wanted more than 0",
    ]


def chart(*numbers: tuple[tuple[str, float], ...]) -> list[tuple[InkReading, ...]]:
    return [tuple(InkReading(text, chance) for text, chance in readings) for readings in numbers]


def test_a_sum_that_comes_out_settles_what_one_digit_leaves_open() -> None:
    found = _weigh_sum(chart((("5", 0.9), ("6", 0.08)), (("17", 0.99),), (("12", 0.97),)), 34)
    assert [readings[0].text for readings in found] == ["5", "17", "12"]
    assert all(log_odds(readings[0].confidence) > 5 for readings in found)


def test_a_sum_that_does_not_come_out_makes_no_other_number_sure() -> None:
    """Who adds up wrongly wrote a six: it is not taken for the eight that would make the sum right."""
    found = _weigh_sum(chart((("6", 0.95), ("8", 0.04)), (("26", 0.999),)), 34)
    assert log_odds(found[0][0].confidence) < 3
    sure = _weigh_sum(chart((("6", 0.9999),), (("26", 0.9999),)), 34)
    assert [readings[0].text for readings in sure] == ["6", "26"]


def test_what_is_no_digit_stays_possible() -> None:
    found = _weigh_sum(chart((("5", 0.1),), (("29", 0.999),)), 34)
    assert found[0][0].confidence < 0.999


@pytest.mark.parametrize("boxes", [1, 2, 3, 4])
def test_the_numbers_of_some_boxes_are_ranked_by_their_chances_and_are_not_all_there_is(boxes: int) -> None:
    chances = np.random.default_rng(boxes).dirichlet(np.ones(OTHER + 1), boxes)
    ranked = _rank_numbers(chances)
    found = {each.text: each.confidence for each in ranked}
    likeliest = "".join(str(int(row[:OTHER].argmax())) for row in chances)
    assert len(found) == len(ranked) == (10 // boxes) ** boxes, "as many digits of each box"
    assert ranked[0].text == str(int(likeliest))
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert sum(found.values()) < 1
    for text, chance in found.items():
        each = [row[int(digit)] for row, digit in zip(chances, text.rjust(boxes, "0"), strict=True)]
        assert chance == pytest.approx(float(np.prod(each)))


@pytest.mark.parametrize(
    ("written", "notes"),
    [("5", ()), ("5 5", (Note.GAP,)), (" 55 ", ()), ("5!", (Note.LEAVES_BOX,)), ("5 !", (Note.LEAVES_BOX, Note.GAP))],
)
def test_ink_that_leaves_a_box_and_an_empty_box_between_two_digits_are_noted(
    written: str, notes: tuple[Note, ...]
) -> None:
    nothing = np.zeros((0, 0), np.uint8)
    assert tuple(_structural_notes([BoxInk(nothing, sign == " ", sign == "!") for sign in written])) == notes
