"""A sheet's identity is what its codes and markers agree on; anything less goes to a person, and is never guessed."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image
from sampled import slow_after

from pipeline.board import Power
from pipeline.ink import Box, PictureFault, PictureMessage, Tier
from pipeline.paper.sheet import slot_of
from pipeline.paper.sheet_layout import PageLayout
from pipeline.problems import Stopped, stop
from pipeline.reading import transcribe
from pipeline.reading.marks import find_codes
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import (
    Blank,
    Doubtful,
    Filed,
    Foreign,
    NoRecogniser,
    NotOpened,
    ReadOutcome,
    Unidentified,
    Vocabulary,
)
from pipeline.reading.transcribe import SheetReader, transcribe_as, transcribe_pages
from pipeline.reading.typed import tesseract_version
from reading.sheetbench import EVENT, ORDERS, Bench, rows_of

needs_tesseract = pytest.mark.skipif(tesseract_version() is None, reason="Tesseract is not installed")


@pytest.fixture(scope="module")
def layouts(bench: Bench) -> dict[str, PageLayout]:
    """Three sheets of France and one of Italy were printed."""
    requests = [
        bench.request(1),
        bench.request(2, phase="S1901R"),
        bench.request(3, phase="F1901M"),
        bench.request(4, Power.ITALY),
    ]
    return {page.sheet: page for page in map(bench.layout, requests)}


@pytest.fixture(scope="module")
def reader(layouts: dict[str, PageLayout]) -> SheetReader:
    return SheetReader(layouts, NoRecogniser(), lambda _: Vocabulary(), EVENT, "0" * 64)


def read(reader: SheetReader, grey: Grey) -> ReadOutcome:
    return reader.transcribe(PageImage("scan.pdf", 7, grey))


def covered(page: Grey, boxes: Sequence[Box]) -> Grey:
    """Lay paper over some of the print."""
    grey = page.copy()
    for box in boxes:
        left, top, right, bottom = (
            round(mm * 200 / 25.4)
            for mm in (box.left - 1.2, box.top - 1.2, box.left + box.width + 1.2, box.top + box.height + 1.2)
        )
        grey[top:bottom, left:right] = 246
    return grey


@pytest.fixture(scope="module")
def france(layouts: dict[str, PageLayout]) -> PageLayout:
    return layouts["WM26-0001-C"]


@pytest.mark.parametrize(
    "damages", slow_after(2, ["clean", "upside-down+office", "sideways+clean", "mirrored+clean", "phone"])
)
def test_any_side_up_a_sheet_is_filed(bench: Bench, sheet: Grey, reader: SheetReader, damages: str) -> None:
    found = read(reader, bench.scanned(sheet, damages))
    assert isinstance(found, Filed)
    assert (found.tray, found.page, found.transcription.sheet_id) == ("filed", 7, "WM26-0001-C")
    assert found.transcription.signed is True
    assert sorted(found.crops) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("gone", slow_after(1, [(1, 3), (0, 1), (0, 1, 2)], is_value=True))
def test_with_a_code_left_all_markers_but_one_may_be_gone(
    sheet: Grey, reader: SheetReader, france: PageLayout, gone: tuple[int, ...]
) -> None:
    lost = [france.form.markers[corner] for corner in gone]
    found = read(reader, covered(sheet, lost))
    assert isinstance(found, Filed)
    assert found.transcription.sheet_id == "WM26-0001-C"
    assert found.warnings == (PictureMessage.of(PictureFault.MARKERS_LOST, lost=len(gone)),)


def test_a_sheet_of_which_no_marker_can_be_seen_is_asked_about(
    sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    found = read(reader, covered(sheet, france.form.markers))
    assert isinstance(found, Doubtful)
    assert "none of its four corner markers" in found.text
    assert (found.filed.text, sorted(found.filed.crops)) == ("WM26-0001-C", [1, 2, 3, 4, 5])


@needs_tesseract
def test_without_codes_the_printed_id_is_offered_and_a_person_confirms(
    sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    found = read(reader, covered(sheet, france.form.codes))
    assert isinstance(found, Doubtful)
    assert found.filed.transcription.sheet_id == "WM26-0001-C"
    assert found.offers == ("WM26-0002-A", "WM26-0003-8")


def test_without_codes_and_id_the_markers_offer_all_sheets_of_that_power(
    sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    found = read(reader, covered(sheet, [*france.form.codes, france.form.printed_id]))
    assert isinstance(found, Unidentified)
    assert found.offers == ("WM26-0001-C", "WM26-0002-A", "WM26-0003-8")
    assert cv2.imdecode(np.frombuffer(found.picture, np.uint8), cv2.IMREAD_GRAYSCALE) is not None


def test_a_code_pasted_from_another_sheet_is_not_believed(
    bench: Bench, sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    italy, mixed = bench.printed(bench.request(4, Power.ITALY)), sheet.copy()
    for box in france.form.codes:
        part = tuple(slice(round(a * 200 / 25.4), round((a + box.width) * 200 / 25.4)) for a in (box.top, box.left))
        mixed[part] = italy[part]
    found = read(reader, mixed)
    assert isinstance(found, Unidentified)
    assert found.text == "the code says WM26-0004-6, but the corner markers are another sheet's"


def test_two_codes_that_differ_are_not_believed_though_both_are_sheets_of_the_same_player(
    bench: Bench, sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    later, mixed = bench.printed(bench.request(3, phase="F1901M")), sheet.copy()
    box = france.form.codes[1]
    part = tuple(slice(round(a * 200 / 25.4), round((a + box.width) * 200 / 25.4)) for a in (box.top, box.left))
    mixed[part] = later[part]
    found = read(reader, mixed)
    assert isinstance(found, Unidentified)
    assert found.offers == ("WM26-0001-C", "WM26-0003-8")


def test_two_codes_that_differ_when_they_are_read_closely_are_not_believed(
    sheet: Grey, reader: SheetReader, france: PageLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = cycle(("WM26-0001-C", "WM26-0003-8"))
    monkeypatch.setattr(transcribe, "read_code_closely", lambda _: next(codes))
    found = read(reader, covered(sheet, [*france.form.codes, france.form.printed_id]))
    assert isinstance(found, Unidentified)
    assert found.offers == ("WM26-0001-C", "WM26-0002-A", "WM26-0003-8")


def test_another_events_sheet_is_foreign(bench: Bench, reader: SheetReader) -> None:
    found = read(reader, bench.printed(bench.request(1, event="PARIS")))
    assert isinstance(found, Foreign)
    assert found.text == "a sheet of another event: PARIS-0001-H; ours begin with WM26"


def test_a_serial_that_was_never_printed_is_not_guessed(bench: Bench, reader: SheetReader) -> None:
    found = read(reader, bench.printed(bench.request(99)))
    assert isinstance(found, Unidentified)
    assert "this sheet was not printed by this event" in found.text


def test_the_same_serial_with_another_token_is_another_sheet(bench: Bench, reader: SheetReader) -> None:
    request = bench.request(1)
    other = replace(request, token="7KQ3F")
    for layouts, page in ((reader.layouts, other), ({str(other.id): bench.layout(other)}, request)):
        found = read(replace(reader, layouts=layouts), bench.printed(page))
        assert isinstance(found, Unidentified)
        assert found.text.startswith(f"{page.id}: this sheet was not printed by this event")


def test_the_markers_of_a_board_of_which_nothing_was_printed_are_seen(
    bench: Bench, sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    """Another folder of the same event has printed for it: the code is ours, the markers are a stranger's."""
    stranger = replace(bench.request(1), slot=slot_of(7, Power.FRANCE))
    found = read(reader, bench.printed(stranger))
    assert isinstance(found, Unidentified)
    assert found.text == "the code says WM26-0001-C, but the corner markers are another sheet's"
    torn = read(reader, covered(bench.printed(stranger), [*france.form.codes, france.form.printed_id]))
    assert isinstance(torn, Unidentified)
    assert "its corner markers are on no sheet that was printed" in torn.text


@pytest.mark.parametrize(
    "paper",
    [
        np.full((2339, 1654), 250, np.uint8),
        np.clip(np.random.default_rng(1).normal(238, 5, (2339, 1654)), 0, 255).astype(np.uint8),
    ],
    ids=["white", "grainy"],
)
def test_empty_paper_is_blank(reader: SheetReader, paper: Grey) -> None:
    assert isinstance(read(reader, paper), Blank)


@pytest.mark.parametrize("flipped", [False, True])
def test_a_negative_is_turned_by_itself(sheet: Grey, reader: SheetReader, flipped: bool) -> None:
    found = read(reader, cv2.flip(255 - sheet, 1).astype(np.uint8) if flipped else 255 - sheet)
    assert isinstance(found, Filed)
    assert [line.number for line in found.transcription.lines if line.tier is not Tier.BLANK] == [1, 2, 3, 4, 5]


def test_a_negative_without_codes_is_still_seen_to_be_whose_it_is(
    sheet: Grey, layouts: dict[str, PageLayout], reader: SheetReader
) -> None:
    (layout,) = [page for page in layouts.values() if page.sheet.startswith("WM26-0001")]
    found = read(reader, 255 - covered(sheet, layout.form.codes))
    assert isinstance(found, Unidentified | Doubtful)
    assert "codes" in found.text


@pytest.mark.parametrize("shape", [(40, 5000), (5000, 40), (16, 5000)])
def test_a_strip_of_paper_is_no_fault_of_the_program(reader: SheetReader, shape: tuple[int, int]) -> None:
    assert isinstance(read(reader, np.full(shape, 255, np.uint8)), Blank)
    strip = read(reader, np.zeros(shape, np.uint8))
    assert isinstance(strip, Unidentified)
    assert "fault of the program" not in strip.text


def test_a_back_through_which_the_front_shines_is_blank(sheet: Grey, reader: SheetReader) -> None:
    back = 255 - (0.12 * (255 - cv2.flip(sheet, 1).astype(np.float32)))
    assert isinstance(read(reader, back.astype(np.uint8)), Blank)


@pytest.mark.slow
def test_a_letter_is_shown_to_a_person(reader: SheetReader) -> None:
    letter = np.full((2339, 1654), 250, np.uint8)
    for line in range(40):
        cv2.putText(letter, "Dear director, my orders are", (100, 120 + 50 * line), 0, 1.2, 40, 3)
    for picture in (
        letter,
        np.zeros_like(letter),
        np.random.default_rng(2).integers(0, 256, (900, 700)).astype(np.uint8),
    ):
        found = read(reader, picture)
        assert isinstance(found, Unidentified)
        assert found.text.startswith("neither a code nor the corner markers")


@pytest.mark.parametrize(
    "error", slow_after(1, [cv2.error("(-215:Assertion failed)"), ZeroDivisionError(), KeyError("x"), TypeError()])
)
def test_a_fault_of_the_program_costs_one_page_and_is_told_as_one(
    monkeypatch: pytest.MonkeyPatch, sheet: Grey, reader: SheetReader, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(transcribe, "register", fail)
        found = read(reader, sheet)
    assert isinstance(found, Unidentified)
    assert found.text.startswith(f"a fault of the program, not of the paper ({type(error).__name__}")
    assert ", transcribe.py line " in found.text
    assert found.picture
    assert isinstance(read(reader, sheet), Filed)


def test_a_page_that_memory_does_not_hold_is_no_fault_of_the_program() -> None:
    assert transcribe.failure_in_words(MemoryError()).startswith("too little memory")


def test_the_disk_being_full_is_nothing_that_the_page_has_done(
    monkeypatch: pytest.MonkeyPatch, sheet: Grey, reader: SheetReader
) -> None:
    def fail(*_: object) -> None:
        raise stop("the disk is full", "event.db")

    monkeypatch.setattr(transcribe, "register", fail)
    with pytest.raises(Stopped):
        read(reader, sheet)


def test_what_was_printed_and_never_written_has_no_ink(bench: Bench, reader: SheetReader) -> None:
    found = read(reader, bench.scanned(bench.printed(bench.request(1)), "office"))
    assert isinstance(found, Filed)
    assert {str(line.tier) for line in found.transcription.lines} == {"blank"}
    assert found.transcription.signed is False
    assert not found.crops


def test_a_page_is_read_as_the_sheet_that_a_person_says_it_is(
    tmp_path: Path, sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    torn = covered(sheet, [*france.form.codes, france.form.printed_id])
    file = tmp_path / "torn.png"
    cv2.imwrite(str(file), torn)
    (found,) = transcribe_pages(file, reader)
    assert isinstance(found, Unidentified)
    told = transcribe_as(file, 1, reader, found.offers[0])
    assert isinstance(told, Filed)
    assert (told.transcription.sheet_id, sorted(told.crops)) == (found.offers[0], [1, 2, 3, 4, 5])
    assert isinstance(transcribe_as(file, 1, reader, found.offers[1]), Unidentified)  # its form is another
    assert isinstance(transcribe_as(file, 2, reader, found.offers[0]), NotOpened)


def test_a_batch_goes_on_after_a_bad_page(tmp_path: Path, sheet: Grey, reader: SheetReader) -> None:
    good = Image.fromarray(sheet)
    good.save(tmp_path / "three.tif", save_all=True, append_images=[Image.new("L", (1654, 2339), 250), good])
    trays = [page.tray for page in transcribe_pages(tmp_path / "three.tif", reader)]
    assert trays == ["filed", "blank", "filed"]
    (tmp_path / "no.pdf").write_bytes(b"not a pdf")
    (bad,) = transcribe_pages(tmp_path / "no.pdf", reader)
    assert (bad.tray, bad.page) == ("unreadable", 0)


@pytest.mark.parametrize("seed", [0, 2])
def test_a_picture_shaken_by_more_than_a_mm_is_filed_by_its_code(
    bench: Bench, sheet: Grey, reader: SheetReader, seed: int
) -> None:
    grey = bench.scanned(sheet, "rotation:0.1+motion:0.9+noise:0.15", seed=seed)
    assert not find_codes(grey)
    found = read(reader, grey)
    assert isinstance(found, Filed)
    assert found.transcription.sheet_id == "WM26-0001-C"


def with_back(bench: Bench, front: Grey, share: float) -> Grey:
    """Let another sheet shine through that is printed and written on the other side."""
    back = cv2.flip(bench.written(bench.request(4, Power.ITALY), dict(enumerate(ORDERS[::-1], start=3)), seed=5), 1)
    return (front * (1 - share * (1 - back / 255))).astype(np.uint8)


@pytest.mark.parametrize(("share", "damages"), [(0.1, "clean"), (0.2, "office"), (0.35, "office")])
def test_the_back_of_the_paper_is_no_second_sheet_and_no_ink(
    bench: Bench, sheet: Grey, reader: SheetReader, share: float, damages: str
) -> None:
    found = read(reader, bench.scanned(with_back(bench, sheet, share), damages, seed=3))
    assert isinstance(found, Filed)
    assert found.transcription.sheet_id.startswith("WM26-0001")
    inked = [line.number for line in found.transcription.lines if line.tier is not Tier.BLANK and line.notes == ()]
    assert inked == [1, 2, 3, 4, 5]
    assert sum(bool(line.notes) for line in found.transcription.lines) <= 1


def test_a_pencil_that_is_hardly_darker_than_what_shines_through_keeps_its_strokes(bench: Bench, sheet: Grey) -> None:
    printed = bench.printed(bench.request(1))
    pencil = np.minimum(printed, 255 - 0.42 * (255 - sheet.astype(np.float32))).astype(np.uint8)
    found = rows_of(bench, bench.scanned(with_back(bench, pencil, 0.22), "clean"))
    assert all(np.count_nonzero(row.crop.grey < 200) > 800 for row in found[:5])  # without a back 930 and more


def test_writing_as_faint_as_what_shines_through_is_not_lost(bench: Bench, reader: SheetReader, sheet: Grey) -> None:
    printed = bench.printed(bench.request(1))
    pencil = np.minimum(printed, 255 - 0.4 * (255 - sheet.astype(np.float32))).astype(np.uint8)
    found = read(reader, bench.scanned(with_back(bench, pencil, 0.35), "clean"))
    assert isinstance(found, Filed)
    assert {line.tier for line in found.transcription.lines[:5]} == {Tier.ASKED}
