"""Lines that a grammar composes are followed as their tournament's rules take them, or asked about.

`benchmarks/composed_lines.py` judges as many lines as one likes; here is a sample of a few seconds.
"""

from typing import Any

import pytest

from benchmarks.line_grammar import verdicts
from benchmarks.line_grammar.decorations import DECORATIONS, Property
from benchmarks.line_grammar.torn import judge_torn, judge_whole, make_torn_sheets
from benchmarks.line_grammar.verdicts import SILENT, WRONG, Line, judge_line, judge_lines, make_lines

Sheet = dict[str, Any]


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    return list(make_lines(400, seed=2))


def test_no_composed_line_is_followed_wrongly_or_settled_in_silence() -> None:
    found = [
        f"{line.tournament} {line.situation.phase} {line.lines} ({', '.join(line.names)}) -> {answer}: {fault}"
        for _, fault, line, answer in judge_lines(1_200, seed=1)
        if fault in {WRONG, SILENT}
    ]
    assert found == []


def test_composed_lines_differ_and_have_two_decorations_at_once(lines: list[Line]) -> None:
    assert len({(line.tournament, line.situation, *map(str, line.lines)) for line in lines}) == len(lines)
    assert sum(len(line.decorations) == 2 for line in lines) > len(lines) / 4
    assert len({name for line in lines for name in line.names}) > len(DECORATIONS) * 3 / 4


def test_a_program_that_always_follows_the_plain_order_is_found_out(
    lines: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What turns an order is followed wrongly then; what puts it in doubt is settled in silence."""
    for line in lines:
        answer = [{"line": 1, "order": str(line.order), "status": "clear"}]
        monkeypatch.setattr(verdicts, "interpret_sheet", lambda sheet, answer=answer: {"entries": answer})
        fault, _ = judge_line(line)
        assert line.made is not None
        assert (fault == WRONG) == (line.made.property is Property.TURNING), line.lines
        assert (fault == SILENT) == (line.made.property in {Property.DOUBTFUL, Property.ANNOUNCED}), line.lines


def test_a_program_that_follows_an_order_nobody_gave_is_found_out(
    lines: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    def follow_another(sheet: Sheet) -> Sheet:
        return {"entries": [{"line": 1, "order": "A SWI - TIB", "status": "clear"}]}

    monkeypatch.setattr(verdicts, "interpret_sheet", follow_another)
    assert {judge_line(line)[0] for line in lines} == {WRONG}


def test_no_part_of_a_torn_order_is_followed_or_held_unasked() -> None:
    """`benchmarks/torn_sheets.py` judges more of them."""
    found = [
        f"{sheet.tournament} {sheet.situation.phase} {sheet.lines} -> {answer}: {fault}"
        for sheet in make_torn_sheets(100, seed=6)
        for fault, answer, _ in [judge_torn(sheet)]
        if fault is not None
    ]
    assert found == []


def test_no_sheet_of_whole_orders_is_asked_about_as_if_they_were_torn() -> None:
    found = [sheet.rows for sheet in make_torn_sheets(100, seed=6) if judge_whole(sheet)[0] is not None]
    assert found == []
