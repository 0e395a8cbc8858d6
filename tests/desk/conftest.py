"""The small event of `desk.cup`, seated and printed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.cup import clock, hand_in_all, seated, sheets_of, spring
from pipeline.board.map import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.print.printing import print_round
from pipeline.paper.sheet.field_rows import Design


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """An event whose first round is seated and printed, in free lines."""
    with open_event(seated(tmp_path / "cup"), clock) as opened:
        print_round(opened, 1, None, None, 0, Design.LINE)
        yield opened


@pytest.fixture
def sheets(event: Event) -> list[str]:
    """England's sheets, three of them; everybody else's orders are in."""
    hand_in_all(event, but=Power.ENGLAND)
    for _ in range(2):
        print_round(event, 1, None, None, 0, Design.LINE)
    return sheets_of(event, spring(Power.ENGLAND))
