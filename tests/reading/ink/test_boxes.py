"""Rows of boxes: what is ticked is certain, what is written is cut out alone, and nothing else is ever passed over."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.ink import Note, Tier
from pipeline.paper.load_sheet import read_template
from pipeline.paper.sheet import SheetRequest
from pipeline.paper.sheet_rows import Design
from pipeline.pen.filling import Mark, Tick
from pipeline.pen.writing import Slip, WrittenWords
from pipeline.reading.page_outcome import Filed
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import Inked, RowReading, Sure, Vocabulary
from pipeline.reading.transcribe import SheetReader
from pipeline.rules.table import data_folder
from reading.boxed import PX, Marks, box_of, check_crumpled, line_of, read, stroke, written
from reading.sheetbench import EVENT, Bench
from reading.stand_ins import Recorded

ORDERS = {  # a line, and what of it is certain; "_" is read
    "A PAR - BUR": "A _ - _",
    "A MAR S A PAR - BUR": "A _ S A _ - _",
    "F BRE - SPA/NC": "F _ - _",
    "A PIC H": "A _ H",
    "F ENG C A LON - BEL": "F _ C A _ - _",
    "A GAS S F SPA/SC": "A _ S F _",
    "A WAL - BRE VIA": "A _ - _ VIA",
    "TYR H": "_ H",
}


def request(bench: Bench, phase: str = "S1901M", units: tuple[str, ...] = ()) -> SheetRequest:
    return replace(bench.request(1, phase=phase), design=Design.FIELDS, units=units)


@pytest.mark.parametrize("damages", ["clean", "office", "phone", "low-contrast:0.5+noise:0.3", "fax:0.2"])
@pytest.mark.parametrize("seed", [3, 11])  # a gel pen and a pencil
def test_every_order_is_found_box_by_box_and_the_other_rows_are_blank(bench: Bench, damages: str, seed: int) -> None:
    wanted = request(bench)
    marks: Marks = {("order", row): line for row, line in enumerate(ORDERS, start=1)}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks, seed), damages, seed))
    assert [line_of(row.crop) for row in found[: len(ORDERS)]] == list(ORDERS.values())
    assert {note for row in found for note in row.notes} <= {"faint ink"}
    assert all(row.is_blank for row in found[len(ORDERS) :])


def test_on_crumpled_paper_no_row_says_something_else_unasked(bench: Bench) -> None:
    check_crumpled(bench, request(bench), ORDERS)


def test_the_small_boxes_of_a5_are_read_as_the_large_ones() -> None:
    small = Bench(read_template((data_folder("templates/sheets") / "a5.toml").read_text("utf-8"), "a5.toml"))
    wanted = request(small)
    marks: Marks = {("order", row): line for row, line in enumerate(ORDERS, start=1)}
    found = read(small, wanted, small.scanned(written(small, wanted, marks), "office"))
    assert [line_of(row.crop) for row in found[: len(ORDERS)]] == list(ORDERS.values())
    assert not any(row.notes for row in found)


@pytest.mark.parametrize(
    ("phase", "lines"),
    [
        ("F1901R", {"A VEN R APU": "A _ R _", "F TRI D": "F _ D"}),
        ("W1901A", {"F STP/NC B": "F _ B", "A SYR D": "A _ D", "WAIVE": "WAIVE"}),
    ],
)
def test_retreats_and_adjustments_have_boxes_of_their_own(bench: Bench, phase: str, lines: dict[str, str]) -> None:
    wanted = request(bench, phase)
    marks: Marks = {("order", row): line for row, line in enumerate(lines, start=1)}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [line_of(row.crop) for row in found[: len(lines)]] == list(lines.values())
    assert not any(row.notes for row in found)


def test_a_printed_unit_is_certain_and_its_row_without_ink_is_blank(bench: Bench) -> None:
    wanted = request(bench, units=("A PAR", "F STP/NC", "A MUN"))
    marks: Marks = {("order", 1): "A PAR H", ("order", 2): "F STP/NC - NWY", ("order", 4): "A VEN H"}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [line_of(row.crop) for row in found[:4]] == ["A PAR H", "F STP/NC - _", "", "A _ H"]
    assert [row.is_blank for row in found[:5]] == [False, False, True, False, True]
    assert not any(row.notes for row in found)


def test_a_stroke_through_a_printed_unit_is_not_passed_over(bench: Bench) -> None:
    wanted = request(bench, units=("A PAR",))
    grey = written(bench, wanted, {("order", 1): "A PAR H"})
    left = bench.layout(wanted).form.rows[0].box.left
    base = box_of(bench, wanted, "H").top + 5.0
    stroke(grey, (left - 1, base - 1.5), (left + 14, base - 1.5))
    assert Note.BESIDE in read(bench, wanted, grey)[0].notes


NOT_ONE_ORDER: Sequence[tuple[Mapping[str, Mark], set[str]]] = (
    ({"A": Tick(), "unit": "PAR", "-": Tick(), "S": Tick(), "to": "BUR"}, {Note.TWO_TICKS}),
    ({"A": Tick(), "F": Tick(), "unit": "PAR", "H": Tick()}, {Note.TWO_TICKS}),
    ({"unit": "PAR", "S": Tick(), "of A": Tick(), "of F": Tick(), "of": "BUR"}, {Note.TWO_TICKS}),
    ({"A": Tick(), "unit": "PAR", "to": "BUR"}, {Note.NO_SIGN}),
    ({"A": Tick(), "-": Tick(), "to": "BUR"}, {Note.NO_UNIT}),
    ({"A": Tick(), "unit": "PAR", "-": Tick()}, {Note.TOO_LITTLE}),
    ({"A": Tick(), "unit": "PAR", "S": Tick(), "to": "BUR"}, {Note.TOO_LITTLE}),
    ({"A": Tick(), "unit": "PAR", "H": Tick(), "to": "BUR"}, {Note.TOO_MUCH}),
    ({"A": Tick(), "unit": "PAR", "-": Tick(), "of": "PIC", "to": "BUR"}, {Note.TOO_MUCH}),
    ({"A": Tick(), "unit": "PAR", "S": Tick(), "of": "PIC", "via": Tick()}, {Note.TOO_MUCH}),
    ({"A": Tick(), "unit": "PAR", "-": Tick(), "of": "BUR"}, set()),  # a move has no other target
)


def test_what_is_not_one_order_is_asked(bench: Bench) -> None:
    wanted = request(bench)
    marks: Marks = {
        (name, row): mark for row, (boxes, _) in enumerate(NOT_ONE_ORDER, 1) for name, mark in boxes.items()
    }
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [set(row.notes) for row in found[: len(NOT_ONE_ORDER)]] == [notes for _, notes in NOT_ONE_ORDER]


def test_waiving_leaves_no_room_for_anything_else(bench: Bench) -> None:
    wanted = request(bench, "W1901A")
    grey = written(bench, wanted, {("waive", 1): Tick(), ("unit", 1): "PAR"})
    assert read(bench, wanted, grey)[0].notes == (Note.TOO_MUCH,)


def test_a_box_blacked_out_is_no_tick_and_a_trace_is_none_either(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("order", 1): "A PAR - BUR", ("order", 2): "A PAR - BUR"})
    blacked, traced = (box_of(bench, wanted, "H", row) for row in (1, 2))
    for down in np.arange(0.4, 4.8, 0.4):
        stroke(grey, (blacked.left + 0.4, blacked.top + down), (blacked.left + 4.6, blacked.top + down))
    stroke(grey, (traced.left + 2, traced.top + 2), (traced.left + 3.0, traced.top + 2.6))
    assert all(Note.UNSURE_TICK in row.notes for row in read(bench, wanted, grey)[:2])


@pytest.mark.parametrize("wide_mm", [0.3, 0.9])
def test_a_cross_a_hook_and_a_blob_are_ticks(bench: Bench, wide_mm: float) -> None:
    def cross(grey: Grey, left: float, top: float) -> None:
        stroke(grey, (left + 0.3, top + 0.3), (left + 4.7, top + 4.7), wide_mm)
        stroke(grey, (left + 4.7, top + 0.3), (left + 0.3, top + 4.7), wide_mm)

    def hook(grey: Grey, left: float, top: float) -> None:
        stroke(grey, (left + 1, top + 2.5), (left + 2, top + 4.5), wide_mm)
        stroke(grey, (left + 2, top + 4.5), (left + 6.4, top - 1.8), wide_mm)  # its tail over the box beside

    def blob(grey: Grey, left: float, top: float) -> None:
        cv2.circle(grey, (round((left + 2.5) * PX), round((top + 2.4) * PX)), round(1.1 * PX), 40, -1)

    shapes = (cross, hook, blob)
    wanted = request(bench)
    marks: Marks = {}
    for row in range(1, len(shapes) + 1):
        marks |= {("A", row): Tick(), ("unit", row): "PAR", ("to", row): "BUR"}
    grey = written(bench, wanted, marks)
    for row, shape in enumerate(shapes, 1):
        box = box_of(bench, wanted, "-", row)
        shape(grey, box.left, box.top)
    found = read(bench, wanted, grey)[: len(shapes)]
    assert [(line_of(row.crop), row.notes) for row in found] == [("A _ - _", ())] * len(shapes)


@pytest.mark.parametrize("line", ["A PAR - BUR", ""])
def test_ink_that_stands_in_no_box_is_never_passed_over(bench: Bench, line: str) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("order", 1): line, ("order", 3): line} if line else {})
    after_the_last = box_of(bench, wanted, "via", 1)
    stroke(
        grey, (after_the_last.left + 8.5, after_the_last.top + 2), (after_the_last.left + 11, after_the_last.top + 2)
    )
    letter = box_of(bench, wanted, "C", 3)
    stroke(grey, (letter.left + 0.4, letter.top - 1.7), (letter.left + 4.6, letter.top - 1.3), 0.7)
    found = read(bench, wanted, grey)
    for row in (found[0], found[2]):
        assert not row.is_blank
        assert Note.BESIDE in row.notes


def test_a_stroke_from_one_box_into_another_is_noted(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("order", 1): "A PAR - BUR"})
    box = box_of(bench, wanted, "H")
    stroke(grey, (box.left - 12, box.top + 2), (box.left + 4, box.top + 2))
    assert Note.ACROSS in read(bench, wanted, grey)[0].notes


@pytest.mark.parametrize("seed", range(4))
def test_a_row_struck_out_is_noted(bench: Bench, seed: int) -> None:
    wanted = request(bench)
    marks: Marks = {("order", 1): WrittenWords("A PAR - BUR", Slip.STRUCK_OUT), ("order", 2): "A PAR - PIC"}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks, 40 + seed), "office", seed))
    assert [Note.STRUCK_OUT in row.notes for row in found[:2]] == [True, False]


def test_the_crop_of_a_box_has_its_own_ink_and_no_neighbours(bench: Bench) -> None:
    wanted = request(bench)
    marks: Marks = {("order", 1): "A PAR S A BUR"}
    alone: Marks = {("unit", 1): "PAR"}
    part = next(part for part in read(bench, wanted, written(bench, wanted, marks))[0].crop.parts if part != Sure("A"))
    same = next(part for part in read(bench, wanted, written(bench, wanted, alone))[0].crop.parts)
    assert isinstance(part, Inked)
    assert isinstance(same, Inked)
    assert abs(int((part.grey < 150).sum()) - int((same.grey < 150).sum())) < 0.25 * int((same.grey < 150).sum())
    assert part.grey.shape[1] < 25 * PX


def test_a_row_in_doubt_is_asked_whatever_the_engine_says(bench: Bench) -> None:
    wanted = request(bench)
    layout = bench.layout(wanted)
    marks: Marks = {("order", 1): "A PAR - BUR", ("order", 2): "A MAR - GAS", ("S", 2): Tick()}
    sanguine = Recorded([RowReading((), Tier.ACCEPTED)] * 2)
    reader = SheetReader({layout.sheet: layout}, sanguine, lambda _: Vocabulary(), EVENT, "0" * 64)
    found = reader.transcribe(PageImage("scan.pdf", 1, written(bench, wanted, marks)))
    assert isinstance(found, Filed)
    lines = found.transcription.lines
    assert [line.tier for line in lines[:3]] == [Tier.ACCEPTED, Tier.ASKED, Tier.BLANK]
    assert lines[0].box == layout.form.rows[0].box
    assert sorted(found.crops) == [1, 2]
