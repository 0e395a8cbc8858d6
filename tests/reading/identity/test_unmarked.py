"""A sheet without a mark is laid straight by its print; what its type says is proposed to a person, never filed."""

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from sampled import slow_after

from pipeline.board import Power
from pipeline.ink import Box
from pipeline.paper.load_sheet import read_template
from pipeline.paper.sheet import SheetRequest
from pipeline.paper.sheet_layout import PageLayout
from pipeline.reading import transcribe
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import (
    Doubtful,
    Filed,
    NoRecogniser,
    ReadOutcome,
    SeveralSheets,
    Tray,
    Unidentified,
    Vocabulary,
)
from pipeline.reading.register import NotRegistered
from pipeline.reading.transcribe import SheetReader, transcribe_as
from pipeline.reading.typed import tesseract_version
from pipeline.reading.unmarked import Blanks, _accept_perspective, _blank_features, _fit_print, features
from pipeline.small_files import data_folder
from reading.sheetbench import EVENT, ORDERS, Bench

needs_tesseract = pytest.mark.skipif(tesseract_version() is None, reason="Tesseract is not installed")


def requests_of(bench: Bench) -> list[SheetRequest]:
    """Two sheets of France's orders, one of Italy's, and a retreat sheet of France's."""
    return [
        bench.request(1),
        bench.request(2, phase="S1901R"),
        bench.request(3, phase="F1901M"),
        bench.request(4, Power.ITALY),
    ]


def reader_of(bench: Bench, requests: Sequence[SheetRequest]) -> SheetReader:
    layouts = {page.sheet: page for page in map(bench.layout, requests)}
    drawn = {str(request.id): request for request in requests}
    blanks = Blanks(lambda sheet: bench.printed(drawn[sheet]))
    return SheetReader(layouts, NoRecogniser(), lambda _: Vocabulary(), EVENT, "0" * 64, blanks=blanks)


@pytest.fixture(scope="module")
def reader(bench: Bench) -> SheetReader:
    return reader_of(bench, requests_of(bench))


@pytest.fixture(scope="module")
def france(reader: SheetReader) -> PageLayout:
    return reader.layouts["WM26-0001-C"]


def read(reader: SheetReader, grey: Grey) -> ReadOutcome:
    return reader.transcribe(PageImage("scan.pdf", 7, grey))


def blotted(page: Grey, boxes: Sequence[Box]) -> Grey:
    """Spill ink on some of the print, or tear it off."""
    grey = page.copy()
    for number, box in enumerate(boxes):
        left, top, right, bottom = (
            round(mm * 200 / 25.4)
            for mm in (box.left - 1.5, box.top - 1.5, box.left + box.width + 1.5, box.top + box.height + 1.5)
        )
        grey[max(0, top) : bottom, max(0, left) : right] = (246, 30)[number % 2]
    return grey


def without_marks(page: Grey, layout: PageLayout, *more: Box) -> Grey:
    return blotted(page, [*layout.form.markers, *layout.form.codes, *more])


@needs_tesseract
@pytest.mark.parametrize("damages", ["upside-down+office"])
def test_a_sheet_without_a_mark_is_read_as_what_its_type_names_twice_and_a_person_confirms(
    bench: Bench, sheet: Grey, reader: SheetReader, france: PageLayout, damages: str
) -> None:
    found = read(reader, bench.scanned(without_marks(sheet, france), damages))
    assert isinstance(found, Doubtful)
    assert found.text == ("no mark can be seen; the printed id and the heading read WM26-0001-C: is it that sheet?")
    assert (found.filed.text, found.offers, sorted(found.filed.crops)) == ("WM26-0001-C", (), [1, 2, 3, 4, 5])
    assert found.filed.transcription.residual_mm < 0.15


@pytest.mark.slow
def test_without_its_id_nobody_guesses_and_a_person_may_name_it(
    tmp_path: Path, bench: Bench, sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    torn = bench.scanned(without_marks(sheet, france, france.form.printed_id), "clean")
    found = read(reader, torn)
    assert isinstance(found, Unidentified)
    assert found.text.endswith("and its printed id cannot be read")
    if tesseract_version() is not None:
        assert found.offers == ("WM26-0001-C", "WM26-0003-8"), "France's sheets of this form"
    cv2.imwrite(str(tmp_path / "torn.png"), torn)
    told = transcribe_as(tmp_path / "torn.png", 1, reader, "WM26-0003-8")
    assert isinstance(told, Filed)
    assert (told.text, sorted(told.crops)) == ("WM26-0003-8", [1, 2, 3, 4, 5])
    retreats = transcribe_as(tmp_path / "torn.png", 1, reader, "WM26-0002-A")
    assert isinstance(retreats, Unidentified), "the form on the paper is another"


@pytest.mark.slow
def test_a_code_that_can_be_read_reads_a_sheet_whose_other_marks_are_gone(
    sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    found = read(reader, blotted(sheet, [*france.form.markers, france.form.codes[1]]))
    assert isinstance(found, Doubtful), "without a corner marker a person confirms it"
    assert found.filed.text == "WM26-0001-C"
    assert found.filed.transcription.residual_mm < 0.15


@pytest.mark.parametrize(("is_bent", "tray"), [(False, "filed"), (True, "unidentified")])
def test_a_sheet_that_is_too_bent_gets_no_second_chance(
    monkeypatch: pytest.MonkeyPatch, sheet: Grey, reader: SheetReader, is_bent: bool, tray: str
) -> None:
    monkeypatch.setattr(transcribe, "register", lambda *_: NotRegistered("refused", is_bent=is_bent))
    assert read(reader, sheet).tray == tray


def pasted(page: Grey, other: Grey, box: Box, around_mm: float = 0.0) -> Grey:
    """Paste a part of another sheet over the same part of this one."""
    mixed = page.copy()
    place = tuple(
        slice(round((start - around_mm) * 200 / 25.4), round((start + side + around_mm) * 200 / 25.4))
        for start, side in ((box.top, box.height), (box.left, box.width))
    )
    mixed[place] = other[place]
    return mixed


@needs_tesseract
def test_an_id_that_the_heading_does_not_bear_out_is_not_proposed(
    bench: Bench, sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    italy = bench.printed(bench.request(4, Power.ITALY))
    found = read(reader, without_marks(pasted(sheet, italy, france.form.printed_id), france))
    assert isinstance(found, Unidentified)
    assert found.text.endswith("its printed id reads WM26-0004-6, which its heading does not confirm")
    assert found.offers == ("WM26-0004-6",)


@pytest.mark.slow
@needs_tesseract
def test_one_marker_of_another_sheet_is_enough_to_propose_nothing(
    bench: Bench, sheet: Grey, reader: SheetReader, france: PageLayout
) -> None:
    italy, marker = bench.printed(bench.request(4, Power.ITALY)), france.form.markers[2]
    found = read(reader, pasted(without_marks(sheet, france), italy, marker, 2.0))
    assert isinstance(found, Unidentified)
    assert found.text.endswith("its printed id reads WM26-0001-C, which its heading does not confirm")


@needs_tesseract
def test_another_events_sheet_without_a_mark_is_not_forced_onto_ours(
    bench: Bench, reader: SheetReader, france: PageLayout
) -> None:
    theirs = bench.printed(bench.request(1, event="PARIS"))
    found = read(reader, without_marks(theirs, france))
    assert isinstance(found, Unidentified)
    assert "its printed id " in found.text
    assert not {"WM26-0004-6", "WM26-0002-A"} & {*found.offers}, "Italy's, and another form"


def letter() -> Grey:
    grey = np.full((2339, 1654), 250, np.uint8)
    for line in range(40):
        cv2.putText(grey, "Dear director, my orders are", (100, 120 + 50 * line), 0, 1.2, 40, 3)
    return grey


def noise() -> Grey:
    return np.random.default_rng(2).integers(0, 256, (900, 700)).astype(np.uint8)


def dotted() -> Grey:
    """Somebody else's form: rows of dots, and the same words over and over."""
    grey = np.full((2339, 1654), 250, np.uint8)
    for line in range(18):
        grey[400 + 94 * line, 180:1480:9] = 0
        cv2.putText(grey, "Spring 1901 orders  A VIE - BOH", (180, 380 + 94 * line), 0, 0.7, 30, 1)
    return grey


@pytest.mark.parametrize("picture", slow_after(1, [letter, noise, dotted]))
def test_a_page_that_is_no_sheet_stays_one_that_a_person_looks_at(
    reader: SheetReader, picture: Callable[[], Grey]
) -> None:
    found = read(reader, picture())
    assert isinstance(found, Unidentified)
    assert found.text.startswith("neither a code nor the corner markers")
    assert found.offers == ()


def test_half_a_sheet_is_refused(bench: Bench, sheet: Grey, reader: SheetReader, france: PageLayout) -> None:
    blank = _blank_features(bench.printed(bench.request(1)), france.form)
    torn = without_marks(sheet, france)
    for half in (torn[:1150], torn[1150:]):
        assert _fit_print(blank, features(np.ascontiguousarray(half)), france.form) is None


def test_print_at_one_end_of_a_sheet_does_not_hold_the_other(france: PageLayout) -> None:
    across, down = np.meshgrid(np.linspace(10, 200, 12), np.linspace(5, 290, 12))
    everywhere = np.stack([across.ravel(), down.ravel()], axis=1)
    above = everywhere * (1, 0.6)
    same = np.eye(3)
    fit = _accept_perspective(everywhere, everywhere, same, france.form)
    assert fit is not None
    assert fit.rms_mm == pytest.approx(0)
    assert _accept_perspective(above, above, same, france.form) is None, "nothing is known of the lower third"
    assert _accept_perspective(everywhere[::3], everywhere[::3], same, france.form) is None, "too little"
    assert _accept_perspective(everywhere, everywhere + 0.5, same, france.form) is None, "0.7 mm off"


def test_a_picture_of_nothing_has_no_features(bench: Bench, france: PageLayout) -> None:
    nothing = features(np.full((1200, 900), 250, np.uint8))
    assert len(nothing) == 0
    assert _fit_print(_blank_features(bench.printed(bench.request(1)), france.form), nothing, france.form) is None


def test_however_many_designs_were_printed_only_the_newest_are_tried(france: PageLayout) -> None:
    drawn: list[str] = []

    def draw(sheet: str) -> Grey:
        drawn.append(sheet)
        return np.full((1200, 900), 250, np.uint8)

    many = [replace(france, sheet=str(n), form=replace(france.form, width=200.0 + n)) for n in range(40)]
    assert Blanks(draw).likeliest(features(letter()), many) == []
    assert drawn == [str(n) for n in range(30, 40)]


@pytest.mark.slow
def test_a_sheet_without_a_mark_is_not_lost_beside_another() -> None:
    text = (data_folder("templates/sheets") / "a5.toml").read_text("utf-8")
    small = Bench(read_template(text, "a5.toml"))
    requests = [small.request(1), small.request(2, Power.ITALY)]
    reader = reader_of(small, requests)
    whole, torn = (
        small.written(request, dict(enumerate(ORDERS[:rows], start=1)))
        for request, rows in zip(requests, (1, 3), strict=True)
    )
    torn = without_marks(torn, reader.layouts["WM26-0002-A"])
    found = reader.every_sheet(PageImage("scan.jpg", 3, np.rot90(np.hstack([torn, whole])).copy()))
    assert isinstance(found, SeveralSheets)
    trays = {part.outcome.tray: part.outcome for part in found.parts}
    assert trays.keys() == {Tray.FILED, Tray.DOUBTFUL if tesseract_version() else Tray.UNIDENTIFIED}
    assert isinstance(trays[Tray.FILED], Filed)
    assert trays[Tray.FILED].text == "WM26-0001-C"
    other = trays.get(Tray.DOUBTFUL)
    if isinstance(other, Doubtful):
        assert (other.filed.text, sorted(other.filed.crops)) == ("WM26-0002-A", [1, 2, 3])


def test_one_sheet_on_a_table_is_not_found_twice(bench: Bench, sheet: Grey, reader: SheetReader) -> None:
    table = np.full((3600, 3000), 90, np.uint8)
    table[600 : 600 + sheet.shape[0], 700 : 700 + sheet.shape[1]] = sheet
    assert isinstance(reader.every_sheet(PageImage("scan.jpg", 1, table)), Filed)
