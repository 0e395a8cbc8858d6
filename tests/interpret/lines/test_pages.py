"""What stands on the pages of tests/cases/interpret is what the five tournaments make of written lines."""

import pytest

from interpret.pages import REMARKS, TOURNAMENTS, Case, Row, cases
from interpret.told import interpreted, stored, told_of

CASES = list(cases())


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


TOLD = stored()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_every_doubt_is_in_words_and_every_order_offered_has_its_reason(case: Case) -> None:
    """Not what is right, but what is so: whoever changes it writes the file anew, and looks at what has changed."""
    assert told_of(case) == TOLD[case.number]


def test_every_row_in_scope_has_cases() -> None:
    rows = {int(case.number.split(".")[0]) for case in CASES}

    assert rows >= {6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 22, 23, 24, 25, 26, 33, 34}
