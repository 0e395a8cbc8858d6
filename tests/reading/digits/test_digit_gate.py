"""The gate of numbers in boxes: what it says, and all that is wrong with one at once."""

import pytest

from pipeline.problems import Stopped
from pipeline.reading.digits import _load_digit_gate, _read_digit_gate


def test_the_gate_that_ships_says_what_set_it() -> None:
    gate = _load_digit_gate()
    assert (gate.accepted, gate.spoilt) == (5.0, 0.1)
    assert "benchmarks/board_sheets.py" in gate.measured


def test_all_faults_of_a_gate_are_told_at_once() -> None:
    with pytest.raises(Stopped) as stopped:
        _read_digit_gate("accepted = 'much'\nspoilt = 0\nacepted = 1\n", "gate.toml")
    assert [str(problem) for problem in stopped.value.problems] == [
        "stops  gate.toml accepted: expected float, found 'much'",
        "stops  gate.toml acepted: unknown field; did you mean 'accepted'?",
        "stops  gate.toml measured: missing; expected str",
        "stops  gate.toml spoilt: 0.0 times; wanted more than 0",
    ]
