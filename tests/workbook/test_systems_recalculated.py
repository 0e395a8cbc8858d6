"""The workbook computes every scoring system that comes with the program, with live formulas and no difference.

Set ORDERSHEETS_EVENTS to compare more events of each; they are made by number.
"""

import os
from pathlib import Path

import pytest

from pipeline.rules.load import load_systems
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.score import score
from pipeline.workbook.write import write_workbook
from workbook.events import Wishes, invent
from workbook.office import LOCALES, differences, recalculate

EVENTS = int(os.environ.get("ORDERSHEETS_EVENTS", "1"))  # of each system
A_RUN = 25  # workbooks given to the program at once
SYSTEMS = load_systems()


def workbook(name: str, seed: int) -> bytes:
    """An invented event, with solos, ties at the top, survivors left out of a draw, and boards without years."""
    tables = {"scoring": SYSTEMS[name].scoring, "totals": {"rounds": 2}}
    event = invent(seed, Wishes(players=14, rounds=2, left_out=0.2, absent=0))
    return write_workbook(score(event, read_scoring(tables, name)), title=name, sealed=False).data


@pytest.mark.slow
@pytest.mark.parametrize("part", range(0, len(SYSTEMS), A_RUN))
def test_every_system_is_computed_by_the_spreadsheet_as_by_the_engine(part: int, tmp_path: Path) -> None:
    found = {}
    for seed in range(EVENTS):
        names = list(SYSTEMS)[part : part + A_RUN]
        books = {name: workbook(name, 50 * seed + place) for place, name in enumerate(names)}
        computed = recalculate(books, tmp_path / str(seed), LOCALES[(2 + part // A_RUN) % len(LOCALES)])
        for name, data in books.items():
            if differing := differences(data, computed[name]):
                found[name, seed] = differing[:5]
    assert found == {}
