"""The small event of `desk.cup`, seated and printed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.cup import clock, seated
from pipeline.desk.event import Event, open_event
from pipeline.desk.printing import print_round


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """An event whose first round is seated and printed."""
    with open_event(seated(tmp_path / "cup"), clock) as opened:
        print_round(opened, 1, None, None, 0)
        yield opened
