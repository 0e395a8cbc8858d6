"""A printed sheet, filled and scanned: its markers are where the truth says, whatever the renderer rounded up."""

import cv2
import numpy as np
import pytest
from sampled import slow_after

from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import scan
from pen.paper import DPI, printed
from pipeline.pen.filling import fill
from pipeline.pen.hand import Hand


@pytest.mark.parametrize(
    "damages", slow_after(1, ["rotation:0.5", "perspective:0.5", "rotation:0.2+shift+upside-down"])
)
def test_the_markers_of_a_filled_sheet_are_where_the_truth_says(damages: str) -> None:
    page, where = printed()
    form, rng = where.form, np.random.default_rng(3)
    written = fill(page, where.as_json(), {("order", 1): "A VIE - BOH"}, Hand.from_seed(1), rng)
    size = (form.width, form.height)
    found = scan(written, read_damages(damages), rng, page_dpi=DPI, size_mm=size)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000))
    corners, ids, _ = detector.detectMarkers(found.image)
    assert sorted(ids.ravel().tolist()) == list(where.marker_ids)
    for seen, number in zip(corners, ids.ravel(), strict=True):
        box = form.markers[where.marker_ids.index(number)]
        middle = np.array([(box.left + box.width / 2, box.top + box.height / 2)])
        assert seen[0].mean(axis=0) == pytest.approx(found.path.place(middle)[0], abs=0.5)  # px


def test_a_filled_row_has_ink_where_the_layout_has_the_row() -> None:
    page, where = printed()
    marks = {("order", 3): "F TRI - ALB", ("signature", None): "Ann Lee"}
    written = fill(page, where.as_json(), marks, Hand.from_seed(2, make="gel"), np.random.default_rng(1))
    changed = page.astype(int) - written > 60
    px = DPI / 25.4
    for field in where.form.fields:
        box = field.box
        inside = changed[
            round(box.top * px) : round((box.top + box.height) * px),
            round(box.left * px) : round((box.left + box.width) * px),
        ]
        assert inside.any() == ((field.name, field.row) in marks), field
