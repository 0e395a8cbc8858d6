"""Typed orders: told from writing by their level letters, and taken where Tesseract and the net read the same."""

import io
from collections.abc import Mapping
from itertools import pairwise

import cv2
import numpy as np
import pypdfium2
import pytest
from msgspec.structs import replace
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from sampled import slow_after

from pipeline.ink import Box, InkLine, InkReading, Note, Tier
from pipeline.reading import typed
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import Crop, EngineFailed, Filed, Vocabulary, VocabularyLine
from pipeline.reading.transcribe import SheetReader
from pipeline.reading.typed import (
    SeenByTesseract,
    _agree_with_tesseract,
    _find_letters,
    _is_level,
    _is_typed_sheet,
    tesseract_version,
)
from reading.sheetbench import EVENT, Bench
from reading.stand_ins import Recorded

needs_tesseract = pytest.mark.skipif(tesseract_version() is None, reason="needs tesseract-ocr")
UNITS = {"PAR": "Paris", "MAR": "Marseilles", "BRE": "Brest"}
PLACES = {"BUR": "Burgundy", "PIC": "Picardy", "GAS": "Gascony", "SPA": "Spain", "MAO": "Mid-Atlantic Ocean"}
LINES = tuple(
    VocabularyLine((("A", "F", "Army", "Fleet"), (unit, UNITS[unit]), ("-", "to"), (place, PLACES[place])))
    for unit in UNITS
    for place in PLACES
)
VOCABULARY = Vocabulary(LINES)


def typed_onto(page: Grey, boxes: Mapping[int, Box], texts: Mapping[int, str], font: str, size: float) -> Grey:
    """Type into the rows of a sheet, as with a form filled on a computer."""
    height, width = page.shape
    stream = io.BytesIO()
    paper = (width / 200 * 25.4 * mm, height / 200 * 25.4 * mm)
    canvas = Canvas(stream, pagesize=paper)
    canvas.setFont(font, size)
    for row, text in texts.items():
        box = boxes[row]
        canvas.drawString((box.left + 2) * mm, paper[1] - (box.top + 0.72 * box.height) * mm, text)
    canvas.save()
    with pypdfium2.PdfDocument(stream.getvalue()) as document:
        ink = document[0].render(scale=200 / 72, grayscale=True).to_numpy()
    return np.minimum(page, np.asarray(ink.reshape(ink.shape[:2]), np.uint8)[:height, :width])


def filed(bench: Bench, texts: Mapping[int, str], font: str, size: float) -> Filed:
    request = bench.request(1)
    layout = bench.layout(request)
    boxes = {field.row: field.box for field in layout.form.rows if field.row}
    page = bench.scanned(typed_onto(bench.printed(request), boxes, texts, font, size), "noise:0.2", seed=3)
    reader = SheetReader({layout.sheet: layout}, NetRecogniser(), lambda _: VOCABULARY, EVENT, "0" * 64)
    found = reader.transcribe(PageImage("scan.pdf", 1, page))
    assert isinstance(found, Filed)
    return found


TEXTS = {1: "A PAR - BUR", 2: "A Mar - Spa", 3: "F Brest - Mid-Atlantic Ocean", 4: "A PAR - MUN", 5: "A PAR - PIC ?"}


@needs_tesseract
@pytest.mark.parametrize(("font", "size"), slow_after(1, [("Courier", 12), ("Helvetica", 11), ("Times-Roman", 13)]))
def test_typed_rows_are_read_and_an_order_that_is_none_is_asked(bench: Bench, font: str, size: float) -> None:
    lines = filed(bench, TEXTS, font, size).transcription.lines
    read = {line.number: line for line in lines}
    assert all(read[row].tier is not Tier.ASKED for row in (1, 2, 3))
    assert [read[row].text.upper() for row in (1, 2)] == ["A PAR - BUR", "A MAR - SPA"]
    assert {read[row].tier for row in (4, 5)} == {Tier.ASKED}


def test_type_is_level_and_has_every_letter_twice_and_writing_is_neither(bench: Bench) -> None:
    request = bench.request(1)
    layout = bench.layout(request)
    boxes = {field.row: field.box for field in layout.form.rows if field.row}
    paper = np.full(bench.printed(request).shape, 255, np.uint8)
    page = typed_onto(paper, boxes, TEXTS, "Courier", 12)
    crops = [Crop(cut(page, boxes[row])) for row in TEXTS]
    assert all(_is_level(_find_letters(crop.grey)) for crop in crops)
    assert _is_typed_sheet(crops)
    rng = np.random.default_rng(4)
    jumping = [replace(crop, grey=uneven(crop.grey, rng)) for crop in crops]
    assert not any(_is_level(_find_letters(crop.grey)) for crop in jumping)
    assert not _is_typed_sheet([crops[0], *jumping])
    bent = [replace(crop, grey=drawn_anew(crop.grey, rng)) for crop in crops]
    assert sum(_is_level(_find_letters(crop.grey)) for crop in bent) >= 4, "as level as type"
    assert not _is_typed_sheet(bent), "and no letter twice alike"
    assert not _is_typed_sheet([Crop(np.full((40, 300), 255, np.uint8))])


def cut(page: Grey, box: Box) -> Grey:
    """Cut a row out of a page of 200 dpi."""
    sides = (box.top, box.top + box.height, box.left, box.left + box.width)
    top, bottom, left, right = (round(side / 25.4 * 200) for side in sides)
    return page[top:bottom, left:right]


def uneven(grey: Grey, rng: np.random.Generator) -> Grey:
    """Move every column of a row up or down with its letter, as no typewriter does."""
    moved = grey.copy()
    gaps = np.flatnonzero((grey > 128).all(0))
    for start, stop in pairwise(gaps):
        if stop - start > 3:
            moved[:, start:stop] = np.roll(grey[:, start:stop], int(rng.integers(-4, 5)), 0)
    return moved


def drawn_anew(grey: Grey, rng: np.random.Generator) -> Grey:
    """Lean every letter another way, its feet and head where they were."""
    rows, columns = np.mgrid[: grey.shape[0], : grey.shape[1]].astype(np.float32)
    waves = cv2.resize(rng.normal(0, 3.0, (4, grey.shape[1] // 12)), (grey.shape[1], grey.shape[0]))
    moved = cv2.remap(grey, columns + waves.astype(np.float32), rows, cv2.INTER_LINEAR, borderValue=255)
    return np.asarray(moved, np.uint8)


ASKED = InkLine.without_place((InkReading("A PAR - BUR", 0.6),), Tier.ASKED)


@pytest.mark.parametrize(
    ("one", "other", "tier"),
    [
        (SeenByTesseract("A PAR - BUR", 0.9), SeenByTesseract("APAR-BUR", 0.8), Tier.MARKED),
        (
            SeenByTesseract("A PAR - BUR", 0.9),
            SeenByTesseract("A PAR - BUR", 0.5),
            Tier.ASKED,
        ),  # unsure at the second look
        (SeenByTesseract("A PAR - BUR", 0.9), SeenByTesseract("A PAR - BUK", 0.9), Tier.ASKED),  # two looks, two texts
        (
            SeenByTesseract("A PAR - PIC", 0.9),
            SeenByTesseract("A PAR - PIC", 0.9),
            Tier.ASKED,
        ),  # the net says otherwise
        (
            SeenByTesseract("A PAR - BUV", 0.9),
            SeenByTesseract("A PAR - BUV", 0.9),
            Tier.ASKED,
        ),  # nothing that may be written here
        (
            SeenByTesseract("A PAR - BUR ?", 0.9),
            SeenByTesseract("A PAR - BUR", 0.9),
            Tier.ASKED,
        ),  # a sign that is no letter
        (SeenByTesseract("", 0.0), SeenByTesseract("", 0.0), Tier.ASKED),
    ],
)
def test_a_row_is_settled_only_where_all_three_say_the_same(
    one: SeenByTesseract, other: SeenByTesseract, tier: Tier
) -> None:
    found = _agree_with_tesseract(ASKED, one, other, VOCABULARY)
    assert found.tier is tier
    assert (Note.TYPED in found.notes) is (tier is Tier.MARKED)
    assert ASKED.readings[0].text in [reading.text for reading in found.readings], "what the net read is never lost"
    confidences = [reading.confidence for reading in found.readings]
    assert confidences == sorted(confidences, reverse=True), "by one measure"


def test_a_typed_row_with_a_letter_written_above_it_is_asked_however_sure_it_was_read(bench: Bench) -> None:
    request = bench.request(1)
    layout = bench.layout(request)
    boxes = {field.row: field.box for field in layout.form.rows if field.row}
    page = typed_onto(bench.printed(request), boxes, TEXTS, "Courier", 12)
    box = boxes[2]
    x, y = round((box.left + 20) / 25.4 * 200), round((box.top + 0.30 * box.height) / 25.4 * 200)
    cv2.putText(page, "G", (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7, 40, 2)
    sure = [InkLine.without_place((InkReading(text, 0.9),), Tier.ACCEPTED) for text in TEXTS.values()]
    reader = SheetReader({layout.sheet: layout}, Recorded(sure), lambda _: VOCABULARY, EVENT, "0" * 64)
    found = reader.transcribe(PageImage("scan.pdf", 1, page))
    assert isinstance(found, Filed)
    tiers = [line.tier for line in found.transcription.lines[:4]]
    assert tiers == [Tier.ACCEPTED, Tier.ASKED, Tier.ACCEPTED, Tier.ACCEPTED]
    assert Note.MENDED in found.transcription.lines[1].notes


def test_a_line_that_the_net_holds_less_likely_than_another_is_not_settled() -> None:
    unsure = InkLine.without_place((InkReading("A PAR - PIC", 0.5), InkReading("A PAR - BUR", 0.4)), Tier.ASKED)
    assert (
        _agree_with_tesseract(
            unsure, SeenByTesseract("A PAR - BUR", 0.9), SeenByTesseract("A PAR - BUR", 0.9), VOCABULARY
        ).tier
        is Tier.ASKED
    )


def test_without_room_for_its_pictures_tesseract_fails_and_the_page_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    with pytest.raises(EngineFailed):
        typed.see([np.full((40, 200), 255, np.uint8)])


def test_where_tesseract_fails_the_rows_stay_as_they_were(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> list[SeenByTesseract]:
        raise EngineFailed("no memory")

    monkeypatch.setattr(typed, "tesseract_version", lambda: "5")
    monkeypatch.setattr(typed, "see", failing)
    request = bench.request(1)
    layout = bench.layout(request)
    boxes = {field.row: field.box for field in layout.form.rows if field.row}
    page = typed_onto(bench.printed(request), boxes, {1: "A PAR - BUR"}, "Courier", 12)
    reader = SheetReader({layout.sheet: layout}, Recorded([ASKED]), lambda _: VOCABULARY, EVENT, "0" * 64)
    found = reader.transcribe(PageImage("scan.pdf", 1, page))
    assert isinstance(found, Filed)
    assert (found.transcription.lines[0].tier, found.transcription.lines[0].text) == (Tier.ASKED, "A PAR - BUR")
