"""What a page without a mark is compared with: every sheet and form, drawn again as it was printed."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from desk.cup import NAMES, clock
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.intake.ingest import _draw_blank
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.draw.roster import Player
from pipeline.paper.form import FormKind
from pipeline.paper.sheet_rows import Design
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey


def cup(folder: Path) -> Path:
    details = Details(name="Cup", code="TEST", tournament="weaselmoot")
    make_event_folder(folder, details, [Player(name=name) for name in NAMES.values()], clock)
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": NAMES}, by="Tess")
    return folder


def first_page(pdf: bytes) -> Grey:
    with pypdfium2.PdfDocument(pdf) as document:
        drawn = document[0].render(scale=200 / 72, grayscale=True).to_numpy()
    return np.asarray(drawn.reshape(drawn.shape[:2]), np.uint8)


@pytest.mark.parametrize("wish", [PrintWish(), PrintWish(pads=1), PrintWish(design=Design.TARGETS)])
def test_a_sheet_is_drawn_as_it_was_printed(tmp_path: Path, wish: PrintWish) -> None:
    with open_event(cup(tmp_path / "cup"), clock) as event:
        printed = print_round(event, 1, wish=wish)
        assert np.array_equal(_draw_blank(event, printed.layout.pages[0].sheet), first_page(printed.pdf))


def test_a_slip_is_drawn_alone_and_not_with_those_beside_it(tmp_path: Path) -> None:
    with open_event(cup(tmp_path / "cup"), clock) as event:
        printed = print_wanted(event, Wanted(kind=FormKind.VOTE))
        form = printed.pages[1].form
        slip = _draw_blank(event, printed.pages[1].sheet)
        assert slip.shape == pytest.approx((form.height * PIXELS_PER_MM, form.width * PIXELS_PER_MM), abs=1.5)
        left, top = (round(edge * PIXELS_PER_MM) for edge in printed.imposed.places[1])
        page = first_page(printed.pdf)[top : top + slip.shape[0], left : left + slip.shape[1]]
        alike = cv2.matchTemplate(cv2.blur(page, (5, 5)), cv2.blur(slip[20:-20, 20:-20], (5, 5)), cv2.TM_CCOEFF_NORMED)
        assert float(alike.max()) > 0.95


def test_what_was_never_printed_cannot_be_drawn(tmp_path: Path) -> None:
    with open_event(cup(tmp_path / "cup"), clock) as event, pytest.raises(KeyError, match="TEST-0099-Z"):
        _draw_blank(event, "TEST-0099-Z")
