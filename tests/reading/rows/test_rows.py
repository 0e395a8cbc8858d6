"""What is written is found and nothing else: no order is ever lost, whatever the pen and whatever the paper."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from pipeline.ink import Box, Note, Tier
from pipeline.pen.filling import Mark
from pipeline.pen.slips import Slip, WrittenWords
from pipeline.reading.files.picture import Grey
from pipeline.reading.identity.identify import Identified, identify
from pipeline.reading.ink.strokes import Parts, ink_parts, is_struck
from pipeline.reading.registration.register import RegisteredPage, register
from pipeline.reading.rows.recogniser import Crop, RowReading
from pipeline.reading.rows.rows import RowInk, ink_line, rows
from pipeline.reading.typed.spelling_match import folded
from reading.boxed import stroke
from reading.sheetbench import EVENT, Bench


def rows_of(bench: Bench, grey: Grey) -> tuple[RowInk, ...]:
    layout = bench.layout(bench.request(1))
    shown = identify(grey, {layout.sheet: layout}, EVENT)
    assert isinstance(shown, Identified)
    page = register(shown.grey, shown.marks, layout.marker_ids, layout.form)
    assert isinstance(page, RegisteredPage)
    return rows(page)


@pytest.mark.parametrize(
    "damages",
    ["office", "phone", "low-contrast:0.6+noise:0.3", "fax:0.4", "crumple:0.4+noise"],
)
@pytest.mark.parametrize("seed", [2, 11])  # a ball pen and a pencil
def test_every_written_row_has_ink(bench: Bench, damages: str, seed: int) -> None:
    written = {1: "A PAR - BUR", 3: "F MAO H", 4: "WAIVE", 8: "-", 15: "A MAR S F BRE - GAS"}
    page = bench.written(bench.request(1), written, seed)
    found = {row.number for row in rows_of(bench, bench.scanned(page, damages, seed)) if not row.is_blank}
    assert found >= set(written)


@pytest.mark.parametrize("damages", ["office", "low-contrast:0.6+noise:0.3", "fax:0.3", "crumple:0.8", "specks:0.6"])
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


def test_a_tail_that_hangs_in_from_the_row_above_is_not_this_rows_ink(bench: Bench) -> None:
    page = bench.written(bench.request(1), {2: "A PAR - BUR"}, 7)
    box = bench.layout(bench.request(1)).form.rows[2].box  # row 3 is empty; a tail of row 2 reaches 1 mm into it
    left, top = round((box.left + 30) * 200 / 25.4), round(box.top * 200 / 25.4)
    page[top - 40 : top + 8, left : left + 4] = 30
    found = rows_of(bench, page)
    assert found[2].is_blank


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


@pytest.mark.parametrize("seed", range(6))
def test_a_row_struck_out_is_noted_and_a_row_that_stands_is_not(bench: Bench, seed: int) -> None:
    marks: dict[int, Mark] = {
        1: WrittenWords("A PAR - BUR", Slip.STRUCK_OUT),
        2: "A PAR - PIC",
        3: "A MAR S A PAR - PIC",
    }
    found = rows_of(bench, bench.scanned(bench.written(bench.request(1), marks, 40 + seed), "office", seed))
    assert [row.is_struck for row in found[:4]] == [True, False, False, False]
    assert found[0].notes[0] == Note.STRUCK_OUT


def test_ink_that_leaves_its_row_is_noted_but_no_tail(bench: Bench) -> None:
    cases = {"far": (3, 30, 24, True), "tail": (7, 30, 18, False), "apart": (11, -4, 20, True)}  # row, above, below
    page = bench.written(bench.request(1), {row: "A PAR - BUR" for row, *_ in cases.values()}, 3)
    for row, above, below, _ in cases.values():
        box = bench.layout(bench.request(1)).form.rows[row - 1].box
        left, low = round((box.left + 60) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
        page[low - above : low + below, left : left + 5] = 30
    found = rows_of(bench, page)
    for name, (row, _, _, leaves) in cases.items():
        assert (Note.LEAVES_ROW in found[row - 1].notes) is leaves, name


@pytest.mark.parametrize(
    ("above", "below", "leaves"),
    [(30, 30, [True, False]), (30, 52, [True, True])],
    ids=["a tail", "a line into the row below"],
)
def test_what_leaves_a_row_is_told_of_that_row_and_not_of_the_one_it_hangs_into(
    bench: Bench, above: int, below: int, leaves: list[bool]
) -> None:
    page = bench.written(bench.request(1), {5: "A PAR - BUR", 6: "F BRE - MAO"}, 3)
    box = bench.layout(bench.request(1)).form.rows[4].box
    left, low = round((box.left + 60) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
    page[low - above : low + below, left : left + 5] = 30
    assert [Note.LEAVES_ROW in row.notes for row in rows_of(bench, page)[4:6]] == leaves


def test_a_tail_that_runs_into_letters_of_the_row_below_is_told_of_both(bench: Bench) -> None:
    page = bench.written(bench.request(1), {5: "A PAR - BUR"}, 3)
    box = bench.layout(bench.request(1)).form.rows[4].box
    left, low = round((box.left + 60) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
    page[low - 30 : low + 30, left : left + 5] = 30
    page[low + 26 : low + 30, left - 60 : left + 60] = 30
    page[low + 26 : low + 70, left + 56 : left + 60] = 30
    assert [Note.LEAVES_ROW in row.notes for row in rows_of(bench, page)[4:6]] == [True, True]


@pytest.mark.parametrize(
    ("below", "wide", "above", "hangs"),
    [
        (30, 5, 30, True),
        (37, 5, 30, True),
        (48, 5, 30, False),
        (30, 60, 30, False),
        (30, 5, -4, False),
        (18, 5, 30, False),
        (30, 5, 70, False),
    ],
    ids=["a tail", "long", "a line into the row below", "a bar", "a stroke of its own", "in its row", "from the top"],
)
def test_what_hangs_from_a_row_and_ends_is_told_by_its_columns(
    bench: Bench, below: int, wide: int, above: int, hangs: bool
) -> None:
    page = bench.written(bench.request(1), {5: "A PAR - BUR", 6: "F BRE - MAO"}, 3)
    plain = rows_of(bench, page)
    box = bench.layout(bench.request(1)).form.rows[4].box
    left, low = round((box.left + 60) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
    page[low - above : low + below, left : left + wide] = 30
    upper, lower = rows_of(bench, page)[4:6]
    assert len(upper.crop.tails) == hangs
    if hangs:
        first, last = upper.crop.tails[0]
        assert 3 <= last - first + 1 <= wide + 4
        assert (upper.crop.grey[:, first : last + 1] < 150).any(0).sum() >= wide
        assert Note.LEAVES_ROW in upper.notes, "only a reader can say whose tail it is"
        assert lower.notes == plain[5].notes
        assert (lower.crop.grey < 150).sum() == (plain[5].crop.grey < 150).sum(), "it is no ink of the row below"


@pytest.mark.parametrize("lean", [-0.8, -0.3, 0.0, 0.4, 0.9])
@pytest.mark.parametrize("bend", [-5.0, 0.0, 5.0])
def test_a_slash_through_a_letter_is_no_tail(bench: Bench, lean: float, bend: float) -> None:
    page = bench.written(bench.request(1), {5: "A PAR - BUR"}, 3)
    crop = rows_of(bench, page)[4].crop.grey
    top = int(np.flatnonzero((crop < 150).any(axis=1))[0])
    box = bench.layout(bench.request(1)).form.rows[4].box
    left, low = round((box.left + 20) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
    begins = round((box.top - 3.0) * 200 / 25.4) + top  # a crop begins 3 mm above its field
    down = np.linspace(begins - 3, low + 30, 30)
    across = left + lean * (low - down) + bend * np.sin(np.linspace(0, np.pi, 30))
    cv2.polylines(page, [np.stack([across, down], 1).round().astype(np.int32)], False, 40, 3)
    row = rows_of(bench, page)[4]
    assert Note.LEAVES_ROW in row.notes
    assert not row.crop.tails


def test_beside_a_tail_nothing_else_may_leave_the_row(bench: Bench) -> None:
    page = bench.written(bench.request(1), {5: "A PAR - BUR"}, 3)
    box = bench.layout(bench.request(1)).form.rows[4].box
    left, low = round((box.left + 60) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
    page[low - 30 : low + 30, left : left + 5] = 30
    page[low - 130 : low - 30, left + 90 : left + 95] = 30
    row = rows_of(bench, page)[4]
    assert Note.LEAVES_ROW in row.notes
    assert not row.crop.tails


@pytest.mark.parametrize(("read", "tier"), [(True, Tier.ACCEPTED), (False, Tier.ASKED)])
def test_a_tail_that_a_letter_was_read_for_asks_nobody(read: bool, tier: Tier) -> None:
    row = RowInk(5, Box(0, 0, 1, 1), Crop(np.full((9, 9), 250, np.uint8), 5), False, False, (Note.LEAVES_ROW,))
    line = ink_line(row, RowReading((), Tier.ACCEPTED, (), tails_read=read))
    assert line.tier is tier
    assert (Note.LEAVES_ROW in line.notes) is not read


def test_the_grain_of_a_sensor_in_a_shadow_is_no_ink_that_leaves_the_row(bench: Bench) -> None:
    page = bench.written(bench.request(1), {5: "A PAR - BUR"}, 3)
    box = bench.layout(bench.request(1)).form.rows[4].box
    left, low = round((box.left + 60) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
    for place in range(0, 90, 15):
        page[low + 15 : low + 18, left + place : left + place + 3] = 30
    assert Note.LEAVES_ROW not in rows_of(bench, page)[4].notes


def drawn(*lines: tuple[tuple[int, int], ...]) -> Parts:
    """The pieces of ink of some lines, 3 pixels wide."""
    paper = np.full((90, 700), 250, np.uint8)
    for line in lines:
        cv2.polylines(paper, [np.array(line, np.int32)], False, 40, 3)
    return ink_parts(paper)


def test_letters_joined_by_their_hyphen_are_not_struck_out_and_a_line_through_words_is() -> None:
    word = tuple((40 + 9 * k, 30 if k % 2 else 62) for k in range(8))
    other = tuple((x + 90, y) for x, y in word)
    joined = ((word[-1][0], 46), (other[0][0], 46))
    assert not is_struck(drawn(word, other, joined))
    assert not is_struck(drawn(word, other, ((80, 46), (165, 46))))  # an arrow, and what it touches
    assert is_struck(drawn(word, other, ((30, 50), (205, 41))))
    assert not is_struck(drawn(word, other, ((30, 50), (70, 48))))


def test_a_scribble_over_words_strikes_them_out() -> None:
    scribble = tuple((30 + 8 * k, 28 if k % 2 else 64) for k in range(30))
    assert is_struck(drawn(scribble))


def test_folding_is_blind_to_case_spaces_and_kinds_of_arrow() -> None:
    assert len({folded(text) for text in ("A Vie-Boh", "a VIE → boh", "A VIE -> BOH.", "A VIE — BOH")}) == 1
    assert folded("A VIE H") != folded("A VIE - H")


def test_the_paper_of_a_crop_is_white_under_a_shadow(bench: Bench) -> None:
    page = bench.written(bench.request(1), {2: "A PAR - BUR"}, 7)
    dim = (page * np.linspace(0.45, 1, page.shape[1])[None, :]).astype(np.uint8)
    crop = rows_of(bench, dim)[1].crop.grey
    assert np.percentile(crop, 50) > 235
