"""What hangs down out of a row is a letter's tail, or it is told; and it is no ink of the row that it hangs into."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.ink import Box, InkLine, Note, Tier
from pipeline.paper.sheet import SheetRequest
from pipeline.paper.sheet_rows import TickBox
from pipeline.pen.filling import Tick
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import Crop, Inked
from pipeline.reading.rows import RowInk, _ink_line, ink_lines
from pipeline.reading.tails import _below_row
from reading.boxed import box_of, line_of, read, stroke, written
from reading.ink.test_limits_of_ink import parts_of
from reading.sheetbench import Bench, rows_of
from reading.target_sheet import request

PX = 200 / 25.4  # in a mm


def test_a_tail_that_runs_into_letters_of_the_row_below_is_told_of_both(bench: Bench) -> None:
    page = bench.written(bench.request(1), {5: "A PAR - BUR"}, 3)
    box = bench.layout(bench.request(1)).form.rows[4].box
    left, low = round((box.left + 60) * 200 / 25.4), round((box.top + box.height) * 200 / 25.4)
    page[low - 30 : low + 30, left : left + 5] = 30
    page[low + 26 : low + 30, left - 60 : left + 60] = 30
    page[low + 26 : low + 70, left + 56 : left + 60] = 30
    assert [Note.LEAVES_ROW in row.notes for row in rows_of(bench, page)[4:6]] == [True, True]


@pytest.mark.parametrize("column", range(8, 18))
@pytest.mark.parametrize("top", [0, 1, 3])
def test_below_a_row_hangs_what_begins_there_between_the_columns(column: int, top: int) -> None:
    mask = np.zeros((60, 40), np.uint8)
    mask[top : top + 30, column] = 1
    found = _below_row(parts_of(mask), 10, 15)
    hangs = top < 3 and 10 <= column <= 15
    assert (found.ended, found.wide, bool(found.ink.any())) == ((top + 30) * hangs, 6, hangs)
    mask[20, 4:30] = 1
    assert _below_row(parts_of(mask), 10, 15).wide == (26 if hangs else 6)


HANGING = {  # how far below its row and how wide ink is, how far above it begins (px), and whether it is a tail
    "a tail": (30, 5, 30, True),
    "long": (52, 5, 30, True),
    "a line into the row below": (60, 5, 30, False),
    "a bar": (30, 60, 30, False),
    "a stroke of its own": (30, 5, -4, False),
    "in its row": (18, 5, 30, False),
    "from the top": (30, 5, 70, False),
}


def test_what_hangs_from_a_row_and_ends_is_told_by_its_columns(bench: Bench) -> None:
    lines = {row: "A PAR - BUR" if row % 2 else "F BRE - MAO" for row in range(1, 2 * len(HANGING) + 1)}
    page = bench.written(bench.request(1), lines, 3)
    plain = rows_of(bench, page)
    for row, (below, wide, above, _) in zip(range(1, len(lines), 2), HANGING.values(), strict=True):
        left, low = end_of(bench, row)
        left += round(60 * PX)
        page[low - above : low + below, left : left + wide] = 30
    found = rows_of(bench, page)
    for place, (name, (below, wide, above, hangs)) in zip(range(0, len(lines), 2), HANGING.items(), strict=True):
        upper, lower = found[place : place + 2]
        assert len(upper.crop.tails) == hangs, name
        leaves = above > 0 and below > 18  # a tail, too: only a reader can say whose it is
        assert [Note.LEAVES_ROW in row.notes for row in (upper, lower)] == [leaves, below == 60], name
        if hangs:
            first, last = upper.crop.tails[0]
            assert 3 <= last - first + 1 <= wide + 4
            assert (upper.crop.grey[:, first : last + 1] < 150).any(0).sum() >= wide
            assert lower.notes == plain[place + 1].notes
            inked = [(row.crop.grey < 150).sum() for row in (lower, plain[place + 1])]
            assert inked[0] == inked[1], "it is no ink of the row below"


def test_a_slash_through_a_letter_is_no_tail(bench: Bench) -> None:
    slashes = {
        2: (-0.8, 5.0),
        5: (-0.3, -5.0),
        8: (0.0, 0.0),
        11: (0.4, 5.0),
        14: (0.9, -5.0),
    }  # how it leans and bends
    page = bench.written(bench.request(1), dict.fromkeys(slashes, "A PAR - BUR"), 3)
    plain = rows_of(bench, page)
    for row, (lean, bend) in slashes.items():
        top = int(np.flatnonzero((plain[row - 1].crop.grey < 150).any(axis=1))[0])
        box = bench.layout(bench.request(1)).form.rows[row - 1].box
        left, low = round((box.left + 20) * PX), round((box.top + box.height) * PX)
        begins = round((box.top - 3.0) * PX) + top  # a crop begins 3 mm above its field
        down = np.linspace(begins - 3, low + 30, 30)
        across = left + lean * (low - down) + bend * np.sin(np.linspace(0, np.pi, 30))
        cv2.polylines(page, [np.stack([across, down], 1).round().astype(np.int32)], False, 40, 3)
    found = rows_of(bench, page)
    for row in slashes:
        assert Note.LEAVES_ROW in found[row - 1].notes, row
        assert not found[row - 1].crop.tails, row


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
    row = RowInk(5, Box(0, 0, 1, 1), Crop(np.full((9, 9), 250, np.uint8)), False, (Note.LEAVES_ROW,))
    line = _ink_line(row, InkLine.without_place((), Tier.ACCEPTED, tails_read=read))
    assert line.tier is tier
    assert (Note.LEAVES_ROW in line.notes) is not read


def end_of(bench: Bench, row: int) -> tuple[int, int]:
    """The left end of a row's field, and its lower edge; px."""
    box = bench.layout(bench.request(1)).form.rows[row - 1].box
    return round(box.left * PX), round((box.top + box.height) * PX)


def hooked_into(bench: Bench, wide: int = 60) -> Grey:
    """A page with a tail of row 5, 5 px wide, that runs into a letter of row 6, so many px wide."""
    page = bench.written(bench.request(1), {5: "A PAR - BUR"}, 3)
    left, low = end_of(bench, 5)
    page[low - 30 : low + 30, left + 470 : left + 475] = 30
    page[low + 26 : low + 30, left + 470 - wide : left + 475] = 30
    page[low + 26 : low + 80, left + 470 - wide : left + 474 - wide] = 30
    return page


@pytest.mark.parametrize("is_read", [True, False])
def test_what_a_tail_runs_into_asks_nobody_if_a_letter_was_read_for_the_tail(bench: Bench, is_read: bool) -> None:
    found = rows_of(bench, hooked_into(bench))
    assert len(found[4].crop.tails) == 1
    assert [row.is_hung_into for row in found[4:6]] == [False, True]
    below = InkLine.without_place((), Tier.ACCEPTED)
    answers = {5: replace(below, tails_read=is_read), 6: below}
    lines = ink_lines(found, answers)[4:6]
    assert [Note.LEAVES_ROW in line.notes for line in lines] == [not is_read] * 2
    assert {line.tier for line in lines} == {Tier.ACCEPTED if is_read else Tier.ASKED}


def test_a_row_is_hung_into_only_if_nothing_else_leaves_it(bench: Bench) -> None:
    page = hooked_into(bench)
    left, low = end_of(bench, 5)
    page[low - 30 : low + 80, left + 600 : left + 604] = 30  # down to row 6, and from far up in row 5
    assert [row.is_hung_into for row in rows_of(bench, page)[4:6]] == [False, False]


def test_what_is_wide_where_it_leaves_its_letters_is_no_tail_that_runs_on(bench: Bench) -> None:
    page = hooked_into(bench)
    left, low = end_of(bench, 5)
    page[low - 2 : low + 28, left + 420 : left + 475] = 30
    upper, lower = rows_of(bench, page)[4:6]
    assert (upper.crop.tails, lower.is_hung_into) == ((), False)


def test_a_low_letter_is_ink_of_its_own_row(bench: Bench) -> None:
    """A y whose middle hangs below its field: it begins higher than any letter of the next row reaches."""
    page = bench.written(bench.request(1), {5: "A PAR - BUR", 6: "F BRE - MAO"}, 3)
    plain = rows_of(bench, page)[4:6]
    left, low = end_of(bench, 5)
    cv2.line(page, (left + 520, low - 20), (left + 500, low + 34), 30, 4)
    upper, lower = rows_of(bench, page)[4:6]
    assert len(upper.crop.tails) == 1
    assert (upper.crop.grey < 150).sum() > (plain[0].crop.grey < 150).sum() + 100
    assert lower.notes == plain[1].notes
    assert (lower.crop.grey < 150).sum() == (plain[1].crop.grey < 150).sum()


WORD = ("of", 2)  # a box to write in, on the last line of a row of targets


def below_the_word(bench: Bench, wanted: SheetRequest) -> tuple[float, float]:
    """A place under the word in that box, on the lower edge of its row; mm."""
    box, row = box_of(bench, wanted, *WORD), bench.layout(wanted).form.rows[WORD[1] - 1].box
    return box.left + 6, row.top + row.height


def targets_with_word(bench: Bench) -> tuple[SheetRequest, Grey]:
    """Two orders on targets, the unit that the upper supports written into its box."""
    wanted = request(bench, units=("A PAR", "A MUN", "F NTH", "A UKR"))
    return wanted, written(bench, wanted, {("S", 2): Tick(), WORD: "PAR", ("RUH", 2): Tick(), ("H", 3): Tick()})


def test_a_tail_of_a_word_among_targets_is_told_by_its_columns(bench: Bench) -> None:
    wanted, page = targets_with_word(bench)
    plain = read(bench, wanted, page.copy())
    across, low = below_the_word(bench, wanted)
    stroke(page, (across, low - 4), (across, low + 5))
    upper, lower = read(bench, wanted, page)[1:3]
    word = next(part for part in upper.crop.parts if isinstance(part, Inked))
    assert len(word.tails) == 1
    first, last = word.tails[0]
    assert (word.grey[:, first : last + 1] < 150).any()
    assert upper.notes == (Note.LEAVES_ROW,), "only a reader can say whose tail it is"
    assert line_of(upper.crop) == line_of(plain[1].crop)
    assert (line_of(lower.crop), lower.notes) == (line_of(plain[2].crop), plain[2].notes)


def test_a_tail_of_a_word_that_ends_in_a_box_of_the_next_row_is_asked_there(bench: Bench) -> None:
    wanted, page = targets_with_word(bench)
    _, low = below_the_word(bench, wanted)
    helped = [cell.box for cell in bench.layout(wanted).form.cells_of(3) if isinstance(cell.column, TickBox)]
    across = min(box.left + box.width / 2 for box in helped if box.left > box_of(bench, wanted, *WORD).left)
    box = box_of(bench, wanted, *WORD)
    stroke(page, (box.left + 6, low - 4), (across, low + 5))
    lower = read(bench, wanted, page)[2]
    assert lower.notes or line_of(lower.crop) != "F NTH H"


def test_letters_under_a_row_are_told_of_it(bench: Bench) -> None:
    """What somebody squeezes in under his order goes on with it: the row cannot stand without."""
    page = bench.written(bench.request(1), {5: "A PAR S A MAR"}, 3)
    left, low = end_of(bench, 5)
    for letter in range(4):
        across = left + 520 + 18 * letter
        cv2.line(page, (across, low + 3), (across, low + 18), 30, 3)
        cv2.line(page, (across, low + 12), (across + 9, low + 4), 30, 3)
    assert Note.LEAVES_ROW in rows_of(bench, page)[4].notes


def test_beside_the_tail_of_a_word_no_other_ink_may_leave_the_row(bench: Bench) -> None:
    wanted, page = targets_with_word(bench)
    across, low = below_the_word(bench, wanted)
    stroke(page, (across, low - 4), (across, low + 5))
    tick = box_of(bench, wanted, "H", 2)
    stroke(page, (tick.left + 2, tick.top + 1), (tick.left + 2, low + 5))
    upper = read(bench, wanted, page)[1]
    assert Note.LEAVES_ROW in upper.notes
    assert not any(part.tails for part in upper.crop.parts if isinstance(part, Inked))


def test_a_line_down_from_the_top_of_a_word_among_targets_is_no_tail(bench: Bench) -> None:
    wanted, page = targets_with_word(bench)
    across, low = below_the_word(bench, wanted)
    stroke(page, (across, low - 8), (across, low + 5))
    upper = read(bench, wanted, page)[1]
    assert Note.LEAVES_ROW in upper.notes
    assert not any(part.tails for part in upper.crop.parts if isinstance(part, Inked))
