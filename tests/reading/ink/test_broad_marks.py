"""A broad marker's pale stroke is seen: it is too wide for a letter, and too narrow for a highlighter or a shadow."""

import cv2
import numpy as np
import pytest

from pipeline.ink import Note
from pipeline.pen.filling import FieldMark, FieldPlace, Tick, fill
from pipeline.pen.hand import Hand
from reading.boxed import PX, read, written
from reading.sheetbench import Bench, rows_of
from reading.target_sheet import request

WRITTEN = {4: "A PAR - BUR", 5: "F MAO H", 6: "A MAR S A PAR - BUR", 7: "F BRE - ENG"}
MARK = 35.0  # mm, its length


def marked(bench: Bench, slope: float, wide: float, dark: float, soft: float) -> list[bool]:
    """Whether more than letters is seen on each row, with a straight mark from the beginning of row 5."""
    wanted = bench.request(1)
    page = bench.written(wanted, WRITTEN, 2)
    row = bench.layout(wanted).form.rows[4].box
    drawn = np.zeros(page.shape, np.float32)
    ends = ((row.left, row.top + 3), (row.left + MARK, row.top + 3 + slope * MARK))
    begin, end = (tuple(round(mm * PX) for mm in place) for place in ends)
    cv2.line(drawn, begin, end, 1.0, round(wide * PX), cv2.LINE_AA)
    page = (page * (1 - dark * cv2.GaussianBlur(drawn, (0, 0), soft * PX))).astype(np.uint8)
    found = rows_of(bench, bench.scanned(page, "rotation:0.3"))
    return [Note.MORE in found[number - 1].notes for number in WRITTEN]


@pytest.mark.parametrize("wide", [2.0, 3.0])
@pytest.mark.parametrize("dark", [0.35, 0.5])
def test_a_broad_stroke_along_a_row_is_more_than_letters_on_this_row_alone(
    bench: Bench, wide: float, dark: float
) -> None:
    assert marked(bench, 0.02, wide, dark, 0.1) == [False, True, False, False]


def test_a_broad_stroke_through_rows_is_seen_on_each(bench: Bench) -> None:
    assert marked(bench, 0.9, 2.6, 0.35, 0.1)[1:] == [True, True, True]


@pytest.mark.parametrize(
    ("wide", "dark", "soft"),
    [(8.0, 0.35, 0.1), (20.0, 0.4, 4.0), (2.6, 0.1, 0.1)],
    ids=["a highlighter", "a shadow", "hardly darker than paper"],
)
def test_what_is_wider_than_a_stroke_or_hardly_seen_is_no_mark(
    bench: Bench, wide: float, dark: float, soft: float
) -> None:
    assert not any(marked(bench, 0.02, wide, dark, soft))


def test_a_row_of_boxes_with_a_broad_stroke_through_it_is_more_than_ticks(bench: Bench) -> None:
    wanted = request(bench)
    page = written(bench, wanted, {("H", 2): Tick(), ("H", 4): Tick()})
    row = bench.layout(wanted).form.rows[1].box
    middle = round((row.top + row.height / 2) * PX)
    ends = (round(row.left * PX), middle), (round((row.left + row.width) * PX), middle)
    drawn = cv2.line(np.zeros(page.shape, np.float32), *ends, 1.0, round(2.6 * PX))
    found = read(bench, wanted, (page * (1 - 0.4 * drawn)).astype(np.uint8))
    assert [Note.MORE in found[at].notes for at in (1, 3)] == [True, False]


def test_close_letters_of_a_felt_pen_are_no_mark(bench: Bench) -> None:
    wanted = bench.request(1)
    for seed in range(8):
        hand = Hand.from_seed(seed, neatness=0.9, make="felt")
        page = bench.layout(wanted).as_json()
        marks: dict[FieldPlace, FieldMark] = {("order", row): text for row, text in WRITTEN.items()}
        filled = fill(bench.printed(wanted), page, marks, hand, np.random.default_rng(seed))
        found = rows_of(bench, bench.scanned(np.asarray(filled, np.uint8), "rotation:0.3"))
        assert not any(Note.MORE in found[number - 1].notes for number in WRITTEN)
