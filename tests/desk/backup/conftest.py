"""The event of which copies are made."""

from pathlib import Path

import pytest

from desk.cup import clock, hand_in_all, printed
from pipeline.desk.event.event import open_event


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event with everybody's orders in."""
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event)
    return tmp_path / "cup"
