"""What is written on a sheet where nothing is to be filled in is seen; what happens to paper is not taken for it."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from sampled import slow_after

from pipeline.ink import Box
from pipeline.paper.load_sheet import read_template
from pipeline.paper.sheet import SheetRequest
from pipeline.pen.filling import fill
from pipeline.pen.hand import Hand
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import Filed, NoRecogniser, Vocabulary
from pipeline.reading.transcribe import SheetReader
from pipeline.reading.unmarked import Blanks
from pipeline.small_files import data_folder
from reading.sheetbench import EVENT, Bench

PX = 200 / 25.4
Line = tuple[float, float, float, float]  # from and to, mm


def read(bench: Bench, request: SheetRequest, picture: Grey, *others: SheetRequest) -> tuple[Box, ...]:
    """Read one sheet, after blank others: where it has writing outside of its rows."""
    asked = (*others, request)
    layouts = {str(each.id): bench.layout(each) for each in asked}
    blanks = Blanks({str(each.id): bench.printed(each) for each in asked}.__getitem__)
    reader = SheetReader(layouts, NoRecogniser(), lambda _: Vocabulary(), EVENT, "0" * 64, blanks=blanks)
    for other in others:
        assert isinstance(reader.transcribe(PageImage("other.png", 1, bench.printed(other))), Filed)
    found = reader.transcribe(PageImage("scan.png", 1, picture))
    assert isinstance(found, Filed)
    return found.transcription.outside


def with_words(bench: Bench, sheet: Grey, words: str, box: tuple[float, float, float, float]) -> Grey:
    """Write words where no field is."""
    page = bench.layout(bench.request(1)).as_json()
    page["fields"].append({"name": "elsewhere", "row": None, "box_mm": list(box)})
    hand = Hand.from_seed(3, neatness=0.9)
    return fill(sheet.copy(), page, {("elsewhere", None): words}, hand, np.random.default_rng(5))


def with_lines(sheet: Grey, lines: Sequence[Line]) -> Grey:
    """Draw lines with a ball pen."""
    drawn = sheet.copy()
    for line in lines:
        left, top, right, low = (round(each * PX) for each in line)
        cv2.line(drawn, (left, top), (right, low), (40,), 4, cv2.LINE_AA)
    return drawn


WORDS: Sequence[tuple[tuple[str, tuple[float, float, float, float]], ...]] = (  # on one sheet each
    (
        ("NO! A VIE H", (24, 258.5, 150, 9)),
        ("SEE BACK", (70, 279, 80, 9)),
        ("NOT", (7, 60, 13, 7)),
        ("X", (199, 54, 11, 9)),
        ("CANCEL ROW 1", (70, 45, 80, 7)),
    ),
    (("A VIE - BOH", (24, 258.5, 120, 9)),),
)


@pytest.mark.parametrize("words", WORDS)
def test_words_below_beside_and_above_the_rows_are_seen(
    bench: Bench, sheet: Grey, words: Sequence[tuple[str, tuple[float, float, float, float]]]
) -> None:
    page = sheet
    for word, box in words:
        page = with_words(bench, page, word, box)
    found = read(bench, bench.request(1), bench.scanned(page, "clean"))

    where = [[word for word, box in words if is_inside(each, box)] for each in found]
    assert all(len(one) == 1 for one in where), where
    assert {word for one in where for word in one} == {word for word, _ in words}


def is_inside(found: Box, box: tuple[float, float, float, float]) -> bool:
    left, top, width, height = box
    return (
        left - 2 <= found.left
        and found.left + found.width <= left + width + 2
        and top - 2 <= found.top
        and found.top + found.height <= top + height + 2
    )


@pytest.mark.parametrize(
    "damages", slow_after(1, ["office", "phone", "stain:0.9+staple:0.9", "holes:0.9+streaks:0.9", "crumple:0.6", "fax"])
)
def test_what_happens_to_paper_is_not_taken_for_writing(bench: Bench, sheet: Grey, damages: str) -> None:
    assert read(bench, bench.request(1), bench.scanned(sheet, damages, seed=4)) == ()


def test_a_signature_may_leave_its_field(bench: Bench, sheet: Grey) -> None:
    field = bench.layout(bench.request(1)).form.field("signature")
    assert field is not None
    box = field.box
    tail = (box.left + box.width - 10, box.top + box.height / 2, box.left + box.width + 12, box.top + box.height / 2)
    assert read(bench, bench.request(1), with_lines(sheet, [tail])) == ()


@pytest.mark.parametrize("paper", ["a4", "a5", "letter", "half_letter"])
def test_sheets_of_every_paper_are_compared_with_their_blanks(paper: str) -> None:
    text = (data_folder("templates/sheets") / f"{paper}.toml").read_text("utf-8")
    bench = Bench(read_template(text, f"{paper}.toml"))
    request = bench.request(1)
    sheet = bench.printed(request)
    assert read(bench, request, sheet) == ()
    form = bench.layout(request).form
    last = form.rows[-1].box
    below = last.top + last.height + 6
    marked = with_lines(sheet, [(60, below, 75, below + 3), (75, below, 60, below + 3)])
    assert read(bench, request, marked)


def test_marks_beside_and_over_the_numbers_of_rows_are_seen(bench: Bench, sheet: Grey) -> None:
    marks: Sequence[Sequence[Line]] = [
        [(14, 69, 20, 75), (14, 75, 20, 69)],  # a cross over the number of a row
        [(12.5, 106, 20.5, 105)],  # a line through it
        [(20, 153, 17, 156), (17, 156, 17, 171), (17, 171, 20, 175)],  # a bracket: these two change places
    ]
    drawn = with_lines(sheet, [line for mark in marks for line in mark])
    found = read(bench, bench.request(1), bench.scanned(drawn, "office"))
    for mark in marks:
        top, low = min(min(line[1], line[3]) for line in mark), max(max(line[1], line[3]) for line in mark)
        assert any(each.top < low and each.top + each.height > top for each in found), mark
