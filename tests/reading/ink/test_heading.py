"""Ink across what is printed in the heading is asked about: nobody knows whether the sheet is still for that board."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from sampled import slow_after

from pipeline.board import Power
from pipeline.paper.sheet import SheetRequest
from pipeline.pen.filling import fill
from pipeline.pen.hand import Hand
from pipeline.reading.outside import _print_as_found
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import Doubtful, Filed, NoRecogniser, ReadOutcome, Vocabulary
from pipeline.reading.transcribe import SheetReader, _alike
from pipeline.reading.unmarked import Blanks
from reading.boxed import PX
from reading.ink.test_outside import Line, with_lines, with_words
from reading.sheetbench import EVENT, Bench

STRUCK: Sequence[tuple[str, Sequence[Line]]] = (
    ("board", [(84, 21.6, 100, 21.2)]),
    ("power", [(26, 13.4, 52, 14.2)]),
    ("season", [(24, 21.4, 40, 21.1)]),
    ("player", [(24, 40.2, 48, 40.6)]),
    ("id", [(25, 27.0, 44, 26.6)]),
    ("digit", [(96.5, 20.0, 98.6, 22.8), (98.6, 20.0, 96.5, 22.8)]),
)
HARMLESS: Sequence[tuple[str, Sequence[Line]]] = (
    ("nothing", []),
    ("stray dot", [(120, 14, 121, 14.6)]),
    ("dot on a letter", [(60, 21, 60.5, 21.3)]),
    ("signature that touches the title", [(130, 40, 150, 41), (150, 41, 152, 26.5)]),
    ("player's name written in the field", [(70, 40, 72, 36), (72, 36, 74, 40), (76, 40, 80, 37)]),
)


@pytest.mark.parametrize("seed", [1, 2])
def test_print_is_found_wherever_each_word_and_each_letter_moved(seed: int) -> None:
    chance, height, width = np.random.default_rng(seed), 140, 460
    blank, scanned = np.full((2, height, width), 255, np.uint8)
    for place, word in enumerate(("Alba", "Ionia", "Tyre", "Vesle")):
        left, top = 30 + 110 * place, 60 + 8 * (place % 2)
        right, down = chance.integers(-6, 7, 2).tolist()
        for number, letter in enumerate(word):
            astray = chance.integers(-1, 2, 2).tolist()
            for grey, moved in ((blank, (0, 0)), (scanned, (right + astray[0], down + astray[1]))):
                at = (left + 14 * number + moved[0], top + moved[1])
                cv2.putText(grey, letter, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0,), 2)

    found = _print_as_found(scanned, blank, (8 / PX, 2 / PX))

    assert set(np.unique(found).tolist()) == {0, 1}
    assert np.count_nonzero(found != (scanned < 215)) <= 12, "a side of a stroke or two"
    assert np.count_nonzero(found) > 900


def named(bench: Bench) -> SheetRequest:
    return replace(bench.request(1), player="Hal Jung")


def read(bench: Bench, picture: Grey, *others: SheetRequest) -> ReadOutcome:
    """Read a picture of a sheet on which a player's name is printed."""
    asked = (named(bench), *others)
    layouts = {str(each.id): bench.layout(each) for each in asked}
    blanks = Blanks({str(each.id): bench.printed(each) for each in asked}.__getitem__)
    reader = SheetReader(layouts, NoRecogniser(), lambda _: Vocabulary(), EVENT, "0" * 64, blanks=blanks)
    return reader.transcribe(PageImage("scan.png", 1, picture))


def signed(bench: Bench) -> Grey:
    """A sheet with a row and a signature."""
    marks = {("order", 1): "A PAR - BUR", ("signature", None): "Hal Jung"}
    page = bench.layout(named(bench)).as_json()
    return fill(bench.printed(named(bench)), page, marks, Hand.from_seed(2), np.random.default_rng(2))


@pytest.mark.parametrize(("what", "lines"), slow_after(2, STRUCK), ids=[what for what, _ in STRUCK])
def test_what_is_struck_out_in_the_heading_is_asked(bench: Bench, what: str, lines: Sequence[Line]) -> None:
    found = read(bench, bench.scanned(with_lines(signed(bench), lines), "office"))
    assert isinstance(found, Doubtful), what
    assert "something is written in the printed heading" in found.text
    assert sorted(found.filed.crops) == [1]


@pytest.mark.parametrize(("what", "lines"), slow_after(2, HARMLESS), ids=[what for what, _ in HARMLESS])
def test_what_changes_nothing_of_the_heading_is_not_asked(bench: Bench, what: str, lines: Sequence[Line]) -> None:
    assert isinstance(read(bench, bench.scanned(with_lines(signed(bench), lines), "office")), Filed), what


@pytest.mark.parametrize(
    "damages", slow_after(1, ["phone", "crumple:0.5", "fax", "holes:0.9", "staple:0.9", "fold:0.9", "stain:0.9"])
)
def test_print_that_lies_askew_is_no_ink(bench: Bench, damages: str) -> None:
    assert isinstance(read(bench, bench.scanned(signed(bench), damages, seed=3)), Filed)


def test_another_board_beside_the_heading_is_asked_with_the_sheets_that_it_may_be(bench: Bench) -> None:
    written = with_words(bench, signed(bench), "BOARD 2", (105, 12, 45, 8))
    other = replace(bench.request(2), board="2", slot=9)
    later = replace(bench.request(3, phase="F1901M"), board="2", slot=9)
    elsewhere = replace(bench.request(4, Power.ITALY), board="2", slot=11)
    found = read(bench, bench.scanned(written, "clean"), other, later, elsewhere)
    assert isinstance(found, Doubtful)
    assert found.offers == (str(other.id),)


def test_a_struck_out_board_as_it_was_reported(bench: Bench, shared: Path) -> None:
    picture = cv2.imread(str(shared / "data" / "reported" / "heading-struck-other-board.png"), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        pytest.skip("no reported pictures are here")
    request = replace(bench.request(17), event="CUPS", title="The Owl Cup", player="Hal Jung")
    blanks = Blanks({str(request.id): bench.printed(request)}.__getitem__)
    layouts = {str(request.id): bench.layout(request)}
    reader = SheetReader(layouts, NoRecogniser(), lambda _: Vocabulary(), "CUPS", "0" * 64, blanks=blanks)
    found = reader.transcribe(PageImage("scan.png", 1, np.asarray(picture, np.uint8)))
    assert isinstance(found, Doubtful)


@pytest.mark.parametrize("power", [Power.AUSTRIA, Power.TURKEY])
def test_every_power_is_found_where_it_is_printed(bench: Bench, power: Power) -> None:
    """A capital I is black all over: without the white around it, it would be found anywhere."""
    request = bench.request(9, power)
    page = bench.scanned(bench.printed(request), "office")
    layouts, blanks = {str(request.id): bench.layout(request)}, Blanks(lambda _: bench.printed(request))
    reader = SheetReader(layouts, NoRecogniser(), lambda _: Vocabulary(), EVENT, "0" * 64, blanks=blanks)
    assert isinstance(reader.transcribe(PageImage("scan.png", 1, page)), Filed)


def test_a_pad_with_ink_in_its_heading_offers_the_pads_of_other_boards_and_powers(bench: Bench) -> None:
    pad = replace(bench.layout(named(bench)), phase="", sheet="own")
    others = [
        replace(pad, sheet="first of another board", board="2.7"),
        replace(pad, sheet="last of another board", board="2.7"),
        replace(pad, sheet="another power", power="TURKEY"),
        replace(pad, sheet="both", board="2.7", power="TURKEY"),
        replace(pad, sheet="no pad", board="2.7", phase="S1901M"),
        replace(pad, sheet="its own neighbour"),
    ]
    assert _alike(pad, {each.sheet: each for each in (pad, *others)}) == ("last of another board", "another power")
