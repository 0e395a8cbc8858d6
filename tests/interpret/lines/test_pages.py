"""What stands on the pages of tests/cases/interpret is what the five tournaments make of written lines."""

import re
from typing import Any

import pytest

from interpret.pages import REMARKS, TOURNAMENTS, Case, Row, cases
from pipeline.cli.judge import interpret_sheet

NOT_FILLED_IN = re.compile(r"\{\w*\}|\bNone\b|<\w+\.")  # of a template, of Python
CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.number} {case.name}")
def test_page(case: Case) -> None:
    for short in TOURNAMENTS:
        found = interpret_sheet({**case.sheet, "tournament": TOURNAMENTS[short]})

        rows: dict[int, list[Row]] = {}
        for at, entry in [(e["line"], e) for e in found["entries"]] + [(REMARKS, e) for e in found.get("remarks", [])]:
            doubts = tuple(doubt["code"].value for doubt in entry["doubts"])
            rows.setdefault(at, []).append((entry["status"].value, entry["order"], entry["rule"], doubts))
            is_told_in_words(entry)
        assert rows == case.expected[short], short
        written = [entry["order"] for entry in found["entries"] if entry["order"] is not None]
        assert list(dict.fromkeys(found["orders"])) == list(dict.fromkeys(written)), "orders are those of the entries"
        if case.sheet["phase"].endswith("M") and len(written) == len(found["entries"]):
            ordered = [" ".join(order.split()[:2]) for order in found["orders"]]
            own = {unit for unit in case.sheet["units"].get(case.sheet["power"], []) if "/" not in unit}
            assert {*found["unordered"], *ordered} >= own, "a unit that no line orders is told"


def is_told_in_words(entry: dict[str, Any]) -> None:
    """Every doubt is in words, and every order that is offered has its reason."""
    told = [doubt["text"] for doubt in entry["doubts"]]
    reasons = [one["reason"] for one in entry["considered"]]
    assert all(text and not NOT_FILLED_IN.search(text) for text in (entry["reason"], *told, *reasons))
    assert len(set(told)) == len(told), "each doubt is told once"
    assert [one["order"] for one in entry["considered"]] == entry["candidates"]
    if not told and len(reasons) == 1:
        assert reasons == ["as written"], "where nothing is doubtful nothing speaks for the order but itself"
    if entry["status"].value not in ("clear", "void"):
        assert told
        assert any(text in entry["reason"] for text in told), "the doubt that decides is in the reason"


def test_every_row_in_scope_has_cases() -> None:
    rows = {int(case.number.split(".")[0]) for case in CASES}

    assert rows >= {6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 22, 23, 24, 25, 26, 33, 34}
