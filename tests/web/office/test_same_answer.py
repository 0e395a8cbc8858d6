"""A text gets one answer, whichever door it comes through: typed, ruled by command, page or spreadsheet."""

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.same_answer import BUILDS, COASTS, DISBANDS, ORDER_DOORS, RETREAT, SPRING, TEXT_DOORS, Table, compare


@pytest.mark.parametrize(
    ("tournament", "table", "texts"),
    [
        ("edc1996", SPRING, ("A VIE - GAL", "F VIE - GAL", "A Vie - Gla")),
        ("weaselmoot", SPRING, ("F VIE - GAL", "A VIE - LON")),
        ("edc2023", COASTS, ("A SPA - MAR", "F MAO S F POR - SPA")),
        ("nzdc1999", RETREAT, ("A GAL R BOH", "F GAL D")),
        ("wdc2008", BUILDS, ("F STP B", "BUILD A MOS")),
        ("weaselmoot", DISBANDS, ("REMOVE F GAL", "A MOS D")),
    ],
)
def test_every_door_gives_the_answer_of_interpret(
    tmp_path: Path, tournament: str, table: Table, texts: tuple[str, ...]
) -> None:
    count: Counter[str] = Counter()
    assert not list(map(str, compare(tournament, replace(table, written="|".join(texts)), tmp_path / "cup", count)))
    assert all(count[door] for door in (*TEXT_DOORS, *ORDER_DOORS)), count
