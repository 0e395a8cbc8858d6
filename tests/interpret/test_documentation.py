"""What docs/reference/interpretation.md says is what the code does."""

import re
from pathlib import Path

import pytest

from interpret.pages import FOLDER, TOURNAMENTS, cases
from pipeline.board import Power
from pipeline.cli.judge import interpret_sheet
from pipeline.interpret.verdict import Status

TEXT = (Path(__file__).parents[2] / "docs" / "reference" / "interpretation.md").read_text("utf-8")
MATRIX = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.split("## The Nor matrix")[1].split("\n## ")[0].splitlines()
    if line.startswith("| `")
]
COVERED = re.findall(r"^\| (\d+) \| [^|]+ \| `([^`]+)` \| ([\d.]+)(?: to ([\d.]+))? \|$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: row[0])
def test_a_cell_of_the_nor_matrix_is_what_the_code_says(row: list[str]) -> None:
    line, units, *cells = row
    power = power_of(line)

    found = []
    for tournament in TOURNAMENTS.values():
        sheet = {"power": power, "phase": "S1902M", "units": {power: units.split(", ")}, "lines": [line.strip("`")]}
        entry = interpret_sheet({**sheet, "tournament": tournament})["entries"][0]
        rule = f"({entry['rule']})" if entry["rule"] else ""
        found.append(" ".join(part for part in (entry["status"], entry["order"], rule) if part))

    assert cells == found


def power_of(line: str) -> Power:
    """Any power will do: only its own units are on the board."""
    return Power.FRANCE if "Spa" in line or "Gas" in line else Power.RUSSIA


def test_the_matrix_has_all_five_tournaments() -> None:
    assert len(MATRIX) > 10
    assert f"| {' | '.join(TOURNAMENTS)} |" in TEXT


def test_every_row_and_every_case_is_in_the_list() -> None:
    known = {case.number for case in cases()}
    listed = set()
    for row, page, first, last in COVERED:
        assert (FOLDER / page).is_file()
        start, end = (int(number.split(".")[1]) for number in (first, last or first))
        group = first.split(".")[0]
        assert row in {group, "5"}
        listed |= {f"{group}.{number}" for number in range(start, end + 1)}

    assert known <= listed


def test_every_status_is_explained() -> None:
    assert all(f"| `{status}` |" in TEXT for status in Status)
