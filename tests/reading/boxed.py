"""Rows of boxes on paper: written by the pen, drawn on by hand, and what is found in them."""

from collections.abc import Mapping

import cv2
import numpy as np

from pipeline.ink import DOUBTS, Box
from pipeline.paper.sheet import SheetRequest
from pipeline.pen.filling import FieldMark, fill
from pipeline.pen.hand import Hand
from pipeline.reading.identify import Identified, identify
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import Crop, Sure
from pipeline.reading.register import RegisteredPage, register
from pipeline.reading.rows import RowInk, cut_rows
from reading.sheetbench import EVENT, Bench

PX = 200 / 25.4
Marks = dict[tuple[str, int | None], FieldMark]


def written(bench: Bench, wanted: SheetRequest, marks: Marks, seed: int = 3) -> Grey:
    page = bench.layout(wanted).as_json()
    hand = Hand.from_seed(seed, neatness=0.8)
    return np.asarray(fill(bench.printed(wanted), page, marks, hand, np.random.default_rng(seed)), np.uint8)


def read(bench: Bench, wanted: SheetRequest, grey: Grey) -> tuple[RowInk, ...]:
    layout = bench.layout(wanted)
    shown = identify(grey, {layout.sheet: layout}, EVENT)
    assert isinstance(shown, Identified)
    page = register(shown.grey, shown.marks, layout.marker_ids, layout.form)
    assert isinstance(page, RegisteredPage)
    return cut_rows(page)


def line_of(crop: Crop) -> str:
    return " ".join(part.text if isinstance(part, Sure) else "_" for part in crop.parts)


def box_of(bench: Bench, wanted: SheetRequest, name: str, row: int = 1) -> Box:
    return next(cell.box for cell in bench.layout(wanted).form.cells_of(row) if cell.name == name)


def check_crumpled(bench: Bench, wanted: SheetRequest, orders: Mapping[str, str], seed: int = 3) -> None:
    """On crumpled paper some rows are read, and none of them says something else unasked."""
    marks: Marks = {("order", row): line for row, line in enumerate(orders, start=1)}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "crumple:1+noise:0.2", seed))
    unasked = [row for row in found[: len(orders)] if not DOUBTS.intersection(row.notes)]
    assert len(unasked) >= 3
    for row in unasked:
        assert line_of(row.crop) == list(orders.values())[row.number - 1]


def stroke(grey: Grey, start: tuple[float, float], end: tuple[float, float], wide_mm: float = 0.4) -> None:
    """Draw a line between two places in mm."""
    places = [(round(x * PX), round(y * PX)) for x, y in (start, end)]
    cv2.line(grey, places[0], places[1], 40, round(wide_mm * PX), cv2.LINE_AA)
