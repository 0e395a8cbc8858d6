"""Benchmarks that stand on the program's inner parts still run: a small round of each."""

import json

import pytest

from benchmarks.judge import Counted, Lines
from benchmarks.registration import main as registration
from pipeline.cli.judge import judge
from pipeline.cli.streams import answer_each

QUESTION = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}, "orders": {}}


def test_as_many_phases_are_streamed_as_are_asked_for() -> None:
    out = Counted()
    answer_each(Lines([json.dumps(QUESTION)], 5), judge, out)
    assert out.lines == 5


@pytest.mark.slow
def test_a_page_of_each_damage_is_laid_straight_and_compared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["registration.py", "--pages", "2", "--only", "rotation"])
    assert not registration()
    rows = [line.split("|")[1:3] for line in capsys.readouterr().out.splitlines() if line.startswith("| rotation")]
    assert rows == [[" rotation ", " 2/2 "]]
