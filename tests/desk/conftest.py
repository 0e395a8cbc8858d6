"""The small event of `desk.cup`, seated and printed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.cup import NAMES, clock
from pipeline.desk.event import Details, Event, new_event, open_event
from pipeline.desk.printing import print_round
from pipeline.desk.seating import seat
from pipeline.tournament.roster import Player


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """An event whose first round is seated and printed."""
    details = Details(name="Test Cup", code="TEST", tournament="weaselmoot")
    new_event(tmp_path / "cup", details, [Player(name=name) for name in NAMES.values()], clock)
    with open_event(tmp_path / "cup", clock) as opened:
        seat(opened, 1, {"1": NAMES}, by="Tess")
        print_round(opened, 1, None, None, 0)
        yield opened
