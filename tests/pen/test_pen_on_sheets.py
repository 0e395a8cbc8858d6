"""A printed sheet, filled and scanned: its markers are where the truth says, whatever the renderer rounded up."""

import cv2
import numpy as np
import pypdfium2
import pytest

from pipeline.board.map import Power
from pipeline.board.position import Phase
from pipeline.pen.damage import read_damages
from pipeline.pen.filling import fill
from pipeline.pen.hand import Hand
from pipeline.pen.laying import Picture
from pipeline.pen.scanner import scan
from pipeline.sheets.sheet import print_sheets
from pipeline.tournament.folders import data_folder
from pipeline.tournament.sheet import SheetRequest
from pipeline.tournament.sheet_id import SheetId
from pipeline.tournament.sheet_layout import PageLayout, layout
from pipeline.tournament.sheet_load import read_template


def printed(dpi: int) -> tuple[Picture, PageLayout]:
    template = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    request = SheetRequest(
        id=SheetId("WM26", 42),
        title="Weasel Moot",
        round=1,
        board="2",
        slot=3,
        power=Power.AUSTRIA,
        phase=Phase.read("S1901M"),
    )
    with pypdfium2.PdfDocument(print_sheets([request], template)) as document:
        page: Picture = document[0].render(scale=dpi / 72, grayscale=True).to_numpy().copy()
    return page.reshape(page.shape[:2]), layout([request], template).pages[0]


@pytest.mark.parametrize("damages", ["rotation:0.5", "perspective:0.5", "rotation:0.2+shift+upside-down"])
def test_the_markers_of_a_filled_sheet_are_where_the_truth_says(damages: str) -> None:
    page, where = printed(150)
    form, rng = where.form, np.random.default_rng(3)
    written = fill(page, where.as_json(), {("order", 1): "A VIE - BOH"}, Hand.from_seed(1), rng)
    size = (form.width, form.height)
    found = scan(written, read_damages(damages), rng, page_dpi=150, size_mm=size)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000))
    corners, ids, _ = detector.detectMarkers(found.image)
    assert sorted(ids.ravel().tolist()) == list(where.marker_ids)
    for seen, number in zip(corners, ids.ravel(), strict=True):
        box = form.markers[where.marker_ids.index(number)]
        middle = np.array([(box.left + box.width / 2, box.top + box.height / 2)])
        assert seen[0].mean(axis=0) == pytest.approx(found.path.place(middle)[0], abs=0.5)  # px


def test_a_filled_row_has_ink_where_the_layout_has_the_row() -> None:
    page, where = printed(150)
    marks = {("order", 3): "F TRI - ALB", ("signature", None): "Ann Lee"}
    written = fill(page, where.as_json(), marks, Hand.from_seed(2, make="gel"), np.random.default_rng(1))
    changed = page.astype(int) - written > 60
    px = 150 / 25.4
    for field in where.form.fields:
        box = field.box
        inside = changed[
            round(box.top * px) : round((box.top + box.height) * px),
            round(box.left * px) : round((box.left + box.width) * px),
        ]
        assert inside.any() == ((field.name, field.row) in marks), field
