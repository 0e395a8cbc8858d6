"""A sheet as it was when something was decided: what it was then, whatever was scanned since."""

from pathlib import Path
from random import Random

import pytest

from desk.cup import clock, hand_in_sheet, inked, printed, sheets_of, spring
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.sheets_in import SheetIn, as_of, sheets_in
from pipeline.ink import Box, InkLine, Tier

LINES = ("A VIE - GAL", "A VIE H", "A BUD - SER", "F TRI - ALB", "F TRI H", "")
STRAY = Box(150, 5, 20, 8)


def scanned(dice: Random) -> tuple[list[InkLine], tuple[Box, ...]]:
    """A sheet as one scan shows it: some rows written otherwise than on another, and ink beside the rows."""
    tiers = (Tier.ACCEPTED, Tier.MARKED, Tier.ASKED)
    texts = [dice.choice(LINES) for _ in range(3)]
    rows = [inked(row, text, dice.choice(tiers) if text else Tier.BLANK) for row, text in enumerate(texts, start=1)]
    return rows, (STRAY,) if dice.random() < 0.4 else ()


def seen(sheet: SheetIn) -> tuple[object, ...]:
    return sheet.scans, sheet.lines, sheet.since, sheet.differs, sheet.noted, sheet.read_at


@pytest.mark.parametrize("seed", range(4))
def test_a_sheet_as_of_a_fact_is_what_it_was_then(tmp_path: Path, seed: int) -> None:
    dice, turn = Random(seed), spring(Power.AUSTRIA)
    then: dict[int, dict[int, SheetIn]] = {}  # by the newest fact: the sheets that were in, by their serials
    with open_event(printed(tmp_path / "cup"), clock) as event:
        print_round(event, 1)
        for step in range(8):
            rows, outside = scanned(dice)
            hand_in_sheet(event, dice.choice(sheets_of(event, turn)), rows, f"{step:064d}", outside=outside)
            now = {sheet.serial: sheet for sheet in sheets_in(event).get(turn, ())}
            then[event.facts.last_number()] = now
            for number, before in then.items():
                for serial, sheet in now.items():
                    found = as_of(sheet, number)
                    assert (found is None) == (serial not in before)
                    assert found is None or seen(found) == seen(before[serial])
        assert max(len(sheet.scans) for sheet in now.values()) > 2
