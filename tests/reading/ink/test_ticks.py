"""On a sheet without a season the player ticks it: a mark is seen, dirt and the frame are not."""

import cv2
import numpy as np
import pytest
from sampled import slow_after

from pipeline.board import Power
from pipeline.paper.sheet import SheetRequest
from pipeline.paper.sheet_layout import PageLayout
from pipeline.pen.filling import FieldMark, Tick, fill
from pipeline.pen.hand import Hand
from pipeline.reading.pages import Grey, PageImage
from pipeline.reading.recogniser import Filed, NoRecogniser, Vocabulary
from pipeline.reading.transcribe import SheetReader
from reading.sheetbench import EVENT, Bench


def pad(bench: Bench, phase: str = "S1901M") -> tuple[SheetRequest, PageLayout]:
    plain = bench.request(7, Power.TURKEY, phase)
    request = SheetRequest(
        event=plain.event,
        serial=plain.serial,
        title=plain.title,
        round=1,
        board="1",
        slot=plain.slot,
        power=plain.power,
        phase=plain.phase,
        is_pad=True,
    )
    return request, bench.layout(request)


def ticks_of(layout: PageLayout, grey: Grey) -> frozenset[str]:
    reader = SheetReader({layout.sheet: layout}, NoRecogniser(), lambda _: Vocabulary(), EVENT, "0" * 64)
    found = reader.transcribe(PageImage("scan.pdf", 1, grey))
    assert isinstance(found, Filed)
    return found.transcription.ticks


@pytest.mark.parametrize(
    ("damages", "seed"), slow_after(2, [("clean", 0), ("office", 1), ("phone", 2), ("fax:0.3", 0), ("phone", 1)])
)
def test_what_was_ticked_is_seen_and_nothing_else(bench: Bench, damages: str, seed: int) -> None:
    request, layout = pad(bench)
    rng = np.random.default_rng(seed)
    wanted = {("spring", "fall")[seed % 2], str(1901 + 4 * seed)}
    marks: dict[tuple[str, int | None], FieldMark] = {(name, None): Tick() for name in wanted}
    marks["order", 1] = "A CON - BUL"
    page = fill(bench.printed(request), layout.as_json(), marks, Hand.from_seed(60 + seed), rng)
    assert ticks_of(layout, bench.scanned(page, damages, seed)) == wanted


def test_specks_are_not_ticks_and_a_box_blacked_out_is_one(bench: Bench) -> None:
    request, layout = pad(bench)
    page = bench.printed(request)
    for tick in layout.form.ticks:
        middle = round((tick.box.left + 2.5) * 200 / 25.4), round((tick.box.top + 2.5) * 200 / 25.4)
        cv2.circle(page, middle, 12 if tick.name == "1904" else 1, 40, -1)
    assert ticks_of(layout, page) == {"1904"}
