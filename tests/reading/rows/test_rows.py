"""What is written is found and nothing else: no order is ever lost, whatever the pen and whatever the paper."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from sampled import slow_after

from pipeline.ink import Box, InkLine, Note, Tier
from pipeline.pen.filling import FieldMark
from pipeline.pen.writing import Slip, WrittenWords
from pipeline.reading.recogniser import Crop
from pipeline.reading.rows import RowInk, _ink_line
from pipeline.reading.strokes import Parts, has_line_through, ink_parts
from pipeline.reading.typed import _fold_text
from reading.boxed import stroke
from reading.sheetbench import Bench, rows_of


@pytest.mark.parametrize(
    ("damages", "seed"),  # 2 is a ball pen, 11 a pencil
    slow_after(
        1, [("office", 2), ("phone", 11), ("low-contrast:0.6+noise:0.3", 11), ("fax:0.4", 2), ("crumple:0.4+noise", 11)]
    ),
)
def test_every_written_row_has_ink(bench: Bench, damages: str, seed: int) -> None:
    written = {1: "A PAR - BUR", 3: "F MAO H", 4: "WAIVE", 8: "-", 15: "A MAR S F BRE - GAS"}
    page = bench.written(bench.request(1), written, seed)
    found = {row.number for row in rows_of(bench, bench.scanned(page, damages, seed)) if not row.is_blank}
    assert found >= set(written)


@pytest.mark.parametrize(
    "damages", slow_after(1, ["office", "low-contrast:0.6+noise:0.3", "fax:0.3", "crumple:0.8", "specks:0.6"])
)
def test_an_empty_row_is_blank(bench: Bench, damages: str) -> None:
    page = bench.written(bench.request(1), {1: "A PAR - BUR", 9: "F MAO H"}, 5)
    found = [row.number for row in rows_of(bench, bench.scanned(page, damages, 5)) if not row.is_blank]
    assert found == [1, 9]


def test_no_printed_dot_is_left_in_a_crop_and_no_stroke_is_lost(bench: Bench) -> None:
    page = bench.written(bench.request(1), {2: "A PAR - BUR"}, 7)
    crop = rows_of(bench, bench.scanned(page, "rotation:0.3"))[1].crop
    assert crop.grey.shape[1] < 600  # the empty paper is cut away
    assert (crop.grey < 180).sum() > 400  # the writing is there
    empty = rows_of(bench, bench.scanned(page, "rotation:0.3"))[4].crop.grey
    assert int(empty.min()) > 215


LOWER = (-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2)  # than the middle between two rows, mm


@pytest.mark.parametrize("lower", [LOWER[:4], LOWER[4:]])
@pytest.mark.parametrize("high", [4.8, 6.0])
def test_what_is_written_between_two_rows_is_found_in_one_of_them(
    bench: Bench, lower: Sequence[float], high: float
) -> None:
    grey, rows_ = bench.printed(bench.request(1)), bench.layout(bench.request(1)).form.rows
    for pair, low in enumerate(lower):
        middle = rows_[4 * pair + 2].box.top - 0.8 + low
        for letter in range(6):
            left = rows_[0].box.left + 20 + 6 * letter
            stroke(grey, (left, middle - high / 2), (left + 3.5, middle + high / 2))
            stroke(grey, (left, middle + high / 2), (left + 3.5, middle - high / 2))
    inked = {row.number for row in rows_of(bench, grey) if not row.is_blank}
    both = [{4 * pair + 2, 4 * pair + 3} for pair in range(len(lower))]
    assert inked <= set().union(*both)
    assert all(inked & one_of for one_of in both)


@pytest.mark.parametrize("seed", range(3))
def test_a_row_struck_out_is_noted_and_a_row_that_stands_is_not(bench: Bench, seed: int) -> None:
    marks: dict[int, FieldMark] = {
        1: WrittenWords("A PAR - BUR", Slip.STRUCK_OUT),
        2: "A PAR - PIC",
        3: "A MAR S A PAR - PIC",
    }
    found = rows_of(bench, bench.scanned(bench.written(bench.request(1), marks, 40 + seed), "office", seed))
    assert [Note.STRUCK_OUT in row.notes for row in found[:4]] == [True, False, False, False]
    assert found[0].notes[0] == Note.STRUCK_OUT


def test_the_grain_of_a_sensor_in_a_shadow_is_no_ink_that_leaves_the_row(bench: Bench) -> None:
    page = bench.written(bench.request(1), {5: "A PAR - BUR"}, 3)
    box = bench.layout(bench.request(1)).form.rows[4].box
    left, low = round((box.left + 60) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
    for place in range(0, 90, 15):
        page[low + 15 : low + 18, left + place : left + place + 3] = 30
    assert Note.LEAVES_ROW not in rows_of(bench, page)[4].notes


def drawn(*lines: tuple[tuple[int, int], ...], pen: int = 3) -> Parts:
    """The pieces of ink of some lines, so many pixels wide."""
    paper = np.full((90, 700), 250, np.uint8)
    for line in lines:
        cv2.polylines(paper, [np.array(line, np.int32)], False, 40, pen)
    return ink_parts(paper)


@pytest.mark.parametrize("pen", [3, 6])
def test_a_line_through_letters_is_told_from_letters_that_touch_whatever_the_pen(pen: int) -> None:
    letters = tuple((40 + 12 * k, 36 if k % 2 else 60) for k in range(12))
    for line, is_through in (
        ([(30, 52), (180, 44)], True),
        ([(30, 46), (105, 46)], False),  # a hyphen, and the letters before it
        ([(30, 40), (105, 60), (180, 40)], False),
    ):
        parts = drawn(letters, tuple(line), pen=pen)
        assert has_line_through(parts) is is_through, line


@pytest.mark.parametrize(("tier", "told"), [(Tier.ACCEPTED, False), (Tier.MARKED, True), (Tier.ASKED, True)])
@pytest.mark.parametrize("may_be_letters", [True, False])
def test_letters_that_touch_are_not_struck_out_where_a_reader_is_sure_of_them(
    tier: Tier, told: bool, may_be_letters: bool
) -> None:
    crop = Crop(np.full((9, 9), 250, np.uint8))
    row = RowInk(5, Box(0, 0, 1, 1), crop, False, (Note.STRUCK_OUT,), may_be_letters=may_be_letters)
    line = _ink_line(row, InkLine.without_place((), tier))
    assert (Note.STRUCK_OUT in line.notes) is (told or not may_be_letters)
    assert line.tier is (Tier.ASKED if Note.STRUCK_OUT in line.notes else tier)


def test_folding_is_blind_to_case_spaces_and_kinds_of_arrow() -> None:
    assert len({_fold_text(text) for text in ("A Vie-Boh", "a VIE → boh", "A VIE -> BOH.", "A VIE — BOH")}) == 1
    assert _fold_text("A VIE H") != _fold_text("A VIE - H")


def test_the_paper_of_a_crop_is_white_under_a_shadow(bench: Bench) -> None:
    page = bench.written(bench.request(1), {2: "A PAR - BUR"}, 7)
    dim = (page * np.linspace(0.45, 1, page.shape[1])[None, :]).astype(np.uint8)
    crop = rows_of(bench, dim)[1].crop.grey
    assert np.percentile(crop, 50) > 235
