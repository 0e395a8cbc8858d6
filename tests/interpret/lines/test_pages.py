"""What stands on the pages of tests/cases/interpret is what the five tournaments make of written lines."""

import pytest

from interpret.pages import REMARKS, TOURNAMENTS, Case, Row, cases
from pipeline.cli.judge import interpret_sheet

CASES = list(cases())


@pytest.mark.parametrize("short", TOURNAMENTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.number} {case.name}")
def test_page(case: Case, short: str) -> None:
    found = interpret_sheet({**case.sheet, "tournament": TOURNAMENTS[short]})

    rows: dict[int, list[Row]] = {}
    for at, entry in [(e["line"], e) for e in found["entries"]] + [(REMARKS, e) for e in found.get("remarks", [])]:
        doubts = tuple(doubt["code"].value for doubt in entry["doubts"])
        rows.setdefault(at, []).append((entry["status"].value, entry["order"], entry["rule"], doubts))
    assert rows == case.expected[short]


def test_every_row_in_scope_has_cases() -> None:
    rows = {int(case.number.split(".")[0]) for case in CASES}

    assert rows >= {6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 22, 23, 24, 25, 26, 33, 34}


def test_orders_are_those_of_the_entries() -> None:
    for case in CASES:
        for tournament in TOURNAMENTS.values():
            found = interpret_sheet({**case.sheet, "tournament": tournament})
            written = [entry["order"] for entry in found["entries"] if entry["order"] is not None]

            assert list(dict.fromkeys(found["orders"])) == list(dict.fromkeys(written))
