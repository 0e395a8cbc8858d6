"""A broad marker's pale stroke is seen: it is too wide for a letter, and too narrow for a highlighter or a shadow."""

import cv2
import numpy as np

from pipeline.ink import Note
from pipeline.pen.filling import FieldMark, FieldPlace, Tick, fill
from pipeline.pen.hand import Hand
from reading.boxed import PX, read, written
from reading.sheetbench import Bench, rows_of
from reading.target_sheet import request

WRITTEN = {4: "A PAR - BUR", 5: "F MAO H", 6: "A MAR S A PAR - BUR", 7: "F BRE - ENG"}


def test_a_broad_stroke_through_rows_is_seen_on_each(bench: Bench) -> None:
    wanted = bench.request(1)
    row = bench.layout(wanted).form.rows[4].box
    ends = ((row.left, row.top + 3), (row.left + 35.0, row.top + 34.5))
    begin, end = (tuple(round(mm * PX) for mm in place) for place in ends)
    page = bench.written(wanted, WRITTEN, 2)
    drawn = cv2.line(np.zeros(page.shape, np.float32), begin, end, 1.0, round(2.6 * PX), cv2.LINE_AA)
    page = (page * (1 - 0.35 * cv2.GaussianBlur(drawn, (0, 0), 0.1 * PX))).astype(np.uint8)
    found = rows_of(bench, bench.scanned(page, "rotation:0.3"))
    assert [Note.MORE in found[number - 1].notes for number in (5, 6, 7)] == [True, True, True]


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
