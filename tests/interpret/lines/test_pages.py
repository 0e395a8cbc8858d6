"""What stands on the pages of tests/cases/interpret is what the five tournaments make of written lines."""

import re
from functools import cache
from typing import Any

import pytest

from interpret.pages import REMARKS, TOURNAMENTS, Case, Row, cases
from pipeline.cli.judge import interpret_sheet

NOT_FILLED_IN = re.compile(r"\{\w*\}|\bNone\b|<\w+\.")  # of a template, of Python
CASES = list(cases())
BY_NUMBER = {case.number: case for case in CASES}


def interpreted(case: Case, short: str) -> dict[str, Any]:
    """What one tournament makes of a sheet, found once for all tests."""
    return _interpreted(case.number, short)


@cache
def _interpreted(number: str, short: str) -> dict[str, Any]:
    return interpret_sheet({**BY_NUMBER[number].sheet, "tournament": TOURNAMENTS[short]})


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.number} {case.name}")
def test_page(case: Case) -> None:
    for short in TOURNAMENTS:
        found = interpreted(case, short)

        rows: dict[int, list[Row]] = {}
        for at, entry in [(e["line"], e) for e in found["entries"]] + [(REMARKS, e) for e in found.get("remarks", [])]:
            doubts = tuple(doubt["code"].value for doubt in entry["doubts"])
            rows.setdefault(at, []).append((entry["status"].value, entry["order"], entry["rule"], doubts))
        assert rows == case.expected[short], short
        written = [entry["order"] for entry in found["entries"] if entry["order"] is not None]
        assert list(dict.fromkeys(found["orders"])) == list(dict.fromkeys(written)), "orders are those of the entries"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_every_doubt_is_in_words_and_every_order_offered_has_its_reason(case: Case) -> None:
    for short in TOURNAMENTS:
        found = interpreted(case, short)
        for entry in [*found["entries"], *found.get("remarks", [])]:
            told = [doubt["text"] for doubt in entry["doubts"]]
            reasons = [one["reason"] for one in entry["considered"]]
            said = [entry["reason"], *told, *reasons]
            assert all(text and not NOT_FILLED_IN.search(text) for text in said)
            assert len(set(told)) == len(told), "each doubt is told once"
            assert [one["order"] for one in entry["considered"]] == entry["candidates"]
            if not told and len(reasons) == 1:
                assert reasons == ["as written"], "where nothing is doubtful nothing speaks for the order but itself"
            if entry["status"].value not in ("clear", "void"):
                assert told
                assert any(text in entry["reason"] for text in told), "the doubt that decides is in the reason"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_a_unit_that_no_line_orders_is_told(case: Case) -> None:
    step = case.sheet["phase"][-1]
    own = case.sheet["units"].get(case.sheet["power"], [])
    for short in TOURNAMENTS:
        found = interpreted(case, short)
        ordered = [" ".join(order.split()[:2]) for order in found["orders"]]
        if step == "M" and all(entry["order"] for entry in found["entries"]):
            assert {*found["unordered"], *ordered} >= {unit for unit in own if "/" not in unit}


def test_every_row_in_scope_has_cases() -> None:
    rows = {int(case.number.split(".")[0]) for case in CASES}

    assert rows >= {6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 22, 23, 24, 25, 26, 33, 34}
