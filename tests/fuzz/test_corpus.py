"""Every input that was once a fault is taken or refused in words now."""

from pathlib import Path

import pytest

from benchmarks.fuzzing.doors import CHEAP

CORPUS = Path(__file__).parent / "corpus"
DOORS = {door.name: door for door in CHEAP}
PUT_RIGHT = {("roster.csv", "delete"), ("roster.csv", "separator")}  # signs that nobody sees are left out, and told
FOUND = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


def test_there_is_a_corpus() -> None:
    assert {path.parent.name for path in FOUND} <= DOORS.keys()
    assert len(FOUND) >= 10


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_is_found_no_more(path: Path) -> None:
    """A damaged workbook may still hold a list that can be read; what is damaged past that is refused in words."""
    is_taken = DOORS[path.parent.name].accepts(path.read_bytes())
    door = path.parent.name
    assert door == "roster.xlsx" or is_taken is (door == "interpret" or (door, path.name) in PUT_RIGHT)
