"""A cup's ring that runs through rows is no ink of theirs; what a pen draws there is, however like a ring it looks."""

import cv2
import numpy as np
import pytest

from pipeline.ink import Box, Note
from pipeline.reading.pages import Grey
from reading.boxed import PX
from reading.sheetbench import Bench, rows_of

WRITTEN = {4: "A PAR - BUR", 5: "F MAO H", 6: "A MAR S A PAR - BUR", 7: "F BRE - ENG"}
ROUND = 30.0  # mm, the radius


def arc(page: Grey, row: Box, across: float, wide: float, dark: float, soft: float) -> None:
    """Draw a circle through rows, ``across`` mm behind the beginning of one: so wide (mm), with edges so soft (mm)."""
    middle = round((row.left + across + ROUND) * PX), round((row.top + row.height / 2) * PX)
    drawn = np.zeros(page.shape, np.float32)
    cv2.circle(drawn, middle, round(ROUND * PX), 1.0, max(1, round(wide * PX)), cv2.LINE_AA)
    edge = cv2.GaussianBlur(drawn, (0, 0), soft * PX) if soft else drawn
    page[:] = (page * (1 - dark * edge)).astype(np.uint8)


def sheet_with_arc(bench: Bench, across: float, wide: float, dark: float, soft: float, seed: int = 2) -> list[bool]:
    """Whether each of the rows is said to be left by its writing."""
    wanted = bench.request(1)
    page = bench.written(wanted, WRITTEN, seed)
    arc(page, bench.layout(wanted).form.rows[4].box, across, wide, dark, soft)
    found = rows_of(bench, bench.scanned(page, "rotation:0.3"))
    assert all(not found[row - 1].is_blank for row in WRITTEN)
    return [Note.LEAVES_ROW in found[row - 1].notes for row in WRITTEN]


@pytest.mark.parametrize("across", [8.0, 19.0, 45.0])
@pytest.mark.parametrize(("wide", "dark"), [(1.6, 0.35), (2.5, 0.45)])
def test_the_rim_of_a_stain_does_not_leave_a_row(bench: Bench, across: float, wide: float, dark: float) -> None:
    assert not any(sheet_with_arc(bench, across, wide, dark, 0.7))


@pytest.mark.parametrize(
    ("wide", "dark", "soft"), [(0.5, 0.8, 0.0), (0.9, 0.8, 0.1), (0.5, 0.45, 0.1), (1.2, 0.9, 0.1)]
)
def test_a_pens_stroke_through_rows_leaves_them(bench: Bench, wide: float, dark: float, soft: float) -> None:
    assert any(sheet_with_arc(bench, 45.0, wide, dark, soft))


def test_a_pens_stroke_on_the_rim_of_a_stain_leaves_the_row(bench: Bench) -> None:
    wanted = bench.request(1)
    page = bench.written(wanted, WRITTEN, 2)
    row = bench.layout(wanted).form.rows[4].box
    arc(page, row, 45.0, 2.5, 0.45, 0.7)
    arc(page, row, 45.0, 0.5, 0.8, 0.1)
    assert any(Note.LEAVES_ROW in one.notes for one in rows_of(bench, bench.scanned(page, "rotation:0.3")))
