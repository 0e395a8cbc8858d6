"""``docs/pictures/page.py`` draws how any page of an event is read."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desk.cup import clock, openings_in, seated
from docs.pictures.page import FOUND, draw_page
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.paper.sheet_rows import Design
from pipeline.rehearsal.simulated_scans import write_and_scan

STAGES = ["page-marks", "page-registered", "page-rows", "page-ink", "page-readers"]


@pytest.mark.parametrize("design", Design)
def test_each_stage_of_a_page_has_its_picture_and_nothing_is_written_down(design: Design, tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=design))
        before = event.facts.last_number()
    file = write_and_scan(printed, openings_in(printed, {Power.ENGLAND: 3}), tmp_path / "scans", seed=5)[0]

    drawn = dict(draw_page(tmp_path / "cup", file, 1))

    rows = [f"page-row-{number:02}-{what}" for number in (1, 2, 3) for what in ("crop", "ink")]
    assert list(drawn) == STAGES + rows
    assert all(_is_blue(drawn[name]) for name in ("page-ink", *rows[1::2]))
    with open_event(tmp_path / "cup", clock) as event:
        assert event.facts.last_number() == before


def _is_blue(picture: Image.Image) -> bool:
    """Whether ink was found on it."""
    return int((np.asarray(picture) == FOUND).all(axis=2).sum()) > 100
