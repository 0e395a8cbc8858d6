"""A row that the picture does not show is asked: neither taken for an empty one, nor its beginning for all of it."""

import numpy as np
import pytest
from sampled import slow_after

from pipeline.ink import Note, PictureFault, PictureMessage, Tier
from pipeline.paper.sheet import SheetRequest
from pipeline.reading.band import hidden_rows
from pipeline.reading.identify import Identified, identify
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import Filed, NoRecogniser, Vocabulary
from pipeline.reading.register import RegisteredPage, register
from pipeline.reading.transcribe import SheetReader
from reading.sheetbench import EVENT, Bench
from reading.target_sheet import request

MM = 200 / 25.4  # pixels of the bench's pages


def covered(page: Grey, left: float, top: float, right: float, bottom: float, shade: int = 250) -> Grey:
    """Lay something over part of a page; mm from its corner."""
    found = page.copy()
    found[round(top * MM) : round(bottom * MM), round(left * MM) : round(right * MM)] = shade
    return found


def hidden(bench: Bench, grey: Grey, wanted: SheetRequest | None = None) -> list[int]:
    """The rows that cannot be seen on a picture."""
    layout = bench.layout(wanted or bench.request(1))
    shown = identify(grey, {layout.sheet: layout}, EVENT)
    assert isinstance(shown, Identified)
    page = register(shown.grey, shown.marks, layout.marker_ids, layout.form)
    assert isinstance(page, RegisteredPage)
    return sorted(hidden_rows(page))


@pytest.mark.parametrize("shade", [255, 245, 128, 0])
def test_rows_under_another_paper_are_hidden(bench: Bench, sheet: Grey, shade: int) -> None:
    over = covered(sheet, 20, 54, 185, 78, shade)
    assert hidden(bench, bench.scanned(over, "rotation:0.2+noise:0.3+jpeg:0.3")) == [1, 2]


def test_rows_whose_end_is_covered_are_hidden_and_so_are_those_cut_off(bench: Bench, sheet: Grey) -> None:
    assert hidden(bench, covered(sheet, 110, 54, 210, 100)) == [1, 2, 3, 4]
    assert hidden(bench, sheet[: round(240 * MM)]) == [16, 17]
    assert hidden(bench, covered(sheet, 0, 240, 210, 297, 128)) == [16, 17]


def test_rows_of_a_fax_are_hidden_where_neither_of_their_bars_is_seen(bench: Bench, sheet: Grey) -> None:
    black_and_white = np.where(sheet > 150, 255, 0).astype(np.uint8)
    assert hidden(bench, black_and_white) == []
    assert hidden(bench, black_and_white[: round(232 * MM)]) == [16, 17]


@pytest.mark.parametrize(
    "damages", slow_after(1, ["office", "phone", "fax:0.5", "crumple:0.8", "glare:0.8", "stain:1", "blur:0.8"])
)
def test_nothing_is_hidden_on_a_whole_sheet_however_bad_its_picture(bench: Bench, sheet: Grey, damages: str) -> None:
    assert hidden(bench, bench.scanned(sheet, damages, seed=3)) == []


def test_nothing_is_hidden_in_a_pdf_that_was_never_on_paper(bench: Bench) -> None:
    wanted = request(bench, units=("A MOS", "A WAR", "F SEV", "F STP/SC"))
    for turns in (0, 1):
        assert hidden(bench, np.rot90(bench.printed(wanted), turns), wanted) == []


def test_a_line_drawn_under_an_order_hides_nothing(bench: Bench, sheet: Grey) -> None:
    assert hidden(bench, covered(sheet, 25, 62.2, 120, 62.9, 40)) == []


def test_a_hidden_row_is_asked_and_told_with_the_way_to_mend_it(bench: Bench, sheet: Grey) -> None:
    layout = bench.layout(bench.request(1))
    reader = SheetReader({layout.sheet: layout}, NoRecogniser(), lambda _: Vocabulary(), EVENT, "ab" * 32)
    found = reader.every_sheet(PageImage("scan.jpg", 1, covered(sheet, 20, 54, 185, 78)))
    assert isinstance(found, Filed)
    lines = found.transcription.lines
    assert [(line.tier, line.notes) for line in lines[:2]] == [(Tier.ASKED, (Note.HIDDEN,))] * 2
    assert [line.tier for line in lines[5:]] == [Tier.BLANK] * 12
    assert {1, 2} <= found.crops.keys(), "a person sees them"
    assert found.warnings == (PictureMessage.of(PictureFault.ROWS_HIDDEN, rows=(1, 2)),)
