"""Every formula, computed by a real spreadsheet program, comes to what our engine says; also after inputs are changed.

Set ORDERSHEETS_EVENTS to compare more events of each tournament (300 take about an hour): the events are made by
number, so a difference can be found again.
"""

import os
from pathlib import Path

import pytest

from pipeline.scoring.places.score import score
from pipeline.workbook.books.write import write_workbook
from workbook.events import invent
from workbook.office import differences, formulas, recalculate
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

EVENTS = int(os.environ.get("ORDERSHEETS_EVENTS", "2"))  # of each tournament
FIRST = int(os.environ.get("ORDERSHEETS_FIRST_EVENT", "0"))
A_RUN = 15  # workbooks given to the program at once
LEAST = 2000  # formulas in the smallest workbook


def workbook(name: str, seed: int) -> bytes:
    """Invent an event and write its workbook."""
    scored = score(invent(seed, wishes_for(name, seed)), rules_of(name))
    return write_workbook(scored, title=f"Event {seed}", sealed=False).data


@pytest.mark.slow
@pytest.mark.parametrize("name", TOURNAMENTS)
def test_every_value_is_the_engines(name: str, tmp_path: Path) -> None:
    found = {}
    for start in range(FIRST, FIRST + EVENTS, A_RUN):
        seeds = range(start, min(start + A_RUN, FIRST + EVENTS))
        written = {f"{name}{seed}": workbook(name, seed) for seed in seeds}
        computed = recalculate(written, tmp_path / str(start))
        for book, data in written.items():
            assert len(formulas(data)) > LEAST
            if differing := differences(data, computed[book]):
                found[book] = differing[:5]
    assert found == {}
