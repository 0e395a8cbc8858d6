"""The small event of `desk.cup`, seated and printed."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import segno

from desk.beginnings import copied
from desk.cup import clock, hand_in_all, printed, sheets_of, spring
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.paper.canvas import code_squares
from pipeline.paper.sheet_rows import Design


@pytest.fixture(scope="package", autouse=True)
def codes_of_one_mask() -> Iterator[None]:
    """Codes have one mask, not the best of eight, which is a third of the time of a sheet; `paper` prints the best."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.paper.canvas.segno.make", partial(segno.make, mask=0))
        yield
    code_squares.cache_clear()


def three_of_england(folder: Path) -> None:
    """England has three sheets, none of them is in; everybody else's orders are."""
    with open_event(printed(folder), clock) as event:
        hand_in_all(event, but=Power.ENGLAND)
        for _ in range(2):
            print_round(event, 1, wish=PrintWish(design=Design.LINE))


@pytest.fixture
def event(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Event]:
    """An event whose first round is seated and printed, in free lines; with `sheets`, what these say."""
    with_three = "sheets" in request.fixturenames
    folder = copied(three_of_england, tmp_path / "cup") if with_three else printed(tmp_path / "cup")
    with open_event(folder, clock) as opened:
        yield opened


@pytest.fixture
def sheets(event: Event) -> list[str]:
    """England's sheets, three of them; everybody else's orders are in."""
    return sheets_of(event, spring(Power.ENGLAND))
