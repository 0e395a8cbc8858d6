"""The rim that a wet cup leaves is no ink; a ring drawn by hand is, for no hand draws as large a circle as round."""

import cv2
import numpy as np
import pytest

from pipeline.pen.filling import FieldMark, Tick
from pipeline.reading.pages import Grey
from pipeline.reading.rims import without_rims
from reading.boxed import PX, line_of, read, written
from reading.sheetbench import Bench
from reading.target_sheet import request

LINES: dict[int, str] = {row: f"A PAR - BUR {row}" for row in range(1, 10)}
TICKS: dict[tuple[str, int | None], FieldMark] = {("BUR", 1): Tick(), ("H", 2): Tick(), ("H", 4): Tick()}
MIDDLE, RADIUS = (95.0, 105.0), 38.0  # mm


def ringed(
    page: Grey,
    *,
    wide: float = 2.5,
    dark: float = 0.45,
    soft: float = 0.6,
    wobble: float = 0.0,
    middle: tuple[float, float] = MIDDLE,
) -> Grey:
    """A ring on a page, a little darker inside as a cup leaves it; ``wobble``: how far a hand strays, mm."""
    angles = np.linspace(0, 2 * np.pi, 400)
    stray = wobble * (np.sin(2 * angles + 0.4) + 0.7 * np.sin(3 * angles + 2.0))
    reach = (RADIUS + stray)[:, None]
    outline = (np.array(middle) + reach * np.stack([np.cos(angles), np.sin(angles)], axis=1)) * PX
    wet = np.zeros(page.shape, np.float32)
    cv2.fillPoly(wet, [outline.round().astype(np.int32)], (0.3,))
    cv2.polylines(wet, [outline.round().astype(np.int32)], True, (1.0,), round(wide * PX), cv2.LINE_AA)
    return np.asarray(page * (1 - dark * cv2.GaussianBlur(wet, (0, 0), soft * PX)), np.uint8)


@pytest.mark.parametrize("dark", [0.3, 0.6])
def test_a_rim_across_free_lines_is_no_ink(bench: Bench, dark: float) -> None:
    wanted = bench.request(1)
    page = written(bench, wanted, {("order", row): line for row, line in LINES.items()})
    assert not any(row.notes for row in read(bench, wanted, bench.scanned(ringed(page, dark=dark), "office")))


def test_a_rim_across_boxes_is_no_ink(bench: Bench) -> None:
    wanted = request(bench)
    found = read(bench, wanted, bench.scanned(ringed(written(bench, wanted, TICKS)), "office"))
    sure = {row.number: line_of(row.crop) for row in found if not (row.is_blank or row.notes)}
    assert sure.pop(1) == "A PAR - BUR"
    assert sure.keys() <= {2, 4}
    assert sum(bool(row.notes) for row in found) <= 2  # four where the rim is left


@pytest.mark.parametrize("soft", [0.1, 0.6])
def test_a_ring_that_a_hand_drew_with_a_pale_marker_is_asked_about(bench: Bench, soft: float) -> None:
    wanted = bench.request(1)
    page = written(bench, wanted, {("order", row): line for row, line in LINES.items()})
    drawn = ringed(page, wide=2.0, soft=soft, wobble=1.6)
    assert sum(bool(row.notes) for row in read(bench, wanted, bench.scanned(drawn, "office"))) >= 4


@pytest.mark.parametrize("middle", [MIDDLE, (30.0, 105.0), (95.0, 30.0), (185.0, 105.0), (95.0, 270.0)])
def test_strokes_in_a_rim_keep_their_depth_and_a_page_without_a_rim_stays_as_it_is(middle: tuple[float, float]) -> None:
    page = np.full((2339, 1654), 240, np.uint8)
    for across in range(300, 1300, 60):
        cv2.line(page, (across, 500), (across + 20, 1200), 60, 3, cv2.LINE_AA)
    assert np.array_equal(without_rims(page), page)
    cleaned = without_rims(ringed(page, dark=0.5, middle=middle))
    ink = page < 100
    assert float(np.median(cleaned[ink])) < 100
    assert float(np.percentile(cleaned[cv2.dilate((page < 235).astype(np.uint8), np.ones((9, 9))) == 0], 1)) > 200
