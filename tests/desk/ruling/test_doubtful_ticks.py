"""A tick about which a person is asked: what the row may be is offered in the order of its confidence."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from desk.cup import clock, seated
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.review.orders_shown import board_orders
from pipeline.desk.sheets.printing import Printed, PrintWish, print_round
from pipeline.ink import Box
from pipeline.paper.sheet_rows import Design
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.pages import Grey

DPI = 200
PX = DPI / 25.4


def page_of(printed: Printed, power: Power) -> tuple[int, Grey]:
    number = next(n for n, page in enumerate(printed.layout.pages) if page.power == str(power))
    with pypdfium2.PdfDocument(printed.pdf) as document:
        picture = document[number].render(scale=DPI / 72, grayscale=True).to_numpy()
    return number, np.ascontiguousarray(picture.reshape(picture.shape[:2]))


def draw(grey: Grey, box: Box, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a line in a box, in mm from its corner."""
    ends = [(round((box.left + x) * PX), round((box.top + y) * PX)) for x, y in (start, end)]
    cv2.line(grey, ends[0], ends[1], 40, round(0.4 * PX), cv2.LINE_AA)


@pytest.mark.slow
@pytest.mark.parametrize("ticked", ["BUR", "GAS"])
def test_the_move_of_a_doubtful_tick_is_offered_before_the_hold_that_nobody_ticked(tmp_path: Path, ticked: str) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=Design.TARGETS))
        number, grey = page_of(printed, Power.FRANCE)
        form = printed.layout.pages[number].form
        for row in (2, 3):
            hold = next(cell.box for cell in form.cells_of(row) if cell.name == "H")
            draw(grey, hold, (0.4, 0.4), (4.6, 4.6))
            draw(grey, hold, (4.6, 0.4), (0.4, 4.6))
        box = next(cell.box for cell in form.cells_of(1) if cell.name == ticked)
        draw(grey, box, (2.0, 2.0), (2.7, 2.7))  # 1 mm: too little for a tick
        (tmp_path / "s.png").write_bytes(cv2.imencode(".png", grey)[1].tobytes())
        assert take_in(event, [tmp_path / "s.png"], NetRecogniser(), lambda _: None) == ()
        row = board_orders(event, find_game(event, "1"))["powers"]["FRANCE"]["rows"][0]
    assert row["needs_director"]
    move = f"A MAR - {ticked}"
    confidences = [reading["confidence"] for reading in row["readings"]]
    assert confidences == sorted(confidences, reverse=True)
    assert [reading["text"] for reading in row["readings"]] == ["A MAR", move, "A MAR H"]
    assert row["candidates"] == [move, "A MAR H"]
