"""Pictures that are too light or too dark: it is told, and what may be lost in them is asked with its picture."""

import numpy as np

from pipeline.ink import Note, PictureFault
from pipeline.reading.identify import Identified, identify
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage, register
from pipeline.reading.rows import rows
from reading.boxed import written
from reading.sheetbench import EVENT, Bench
from reading.target_sheet import ORDERS, request


def laid(bench: Bench, grey: Grey) -> RegisteredPage:
    layout = bench.layout(request(bench))
    found = identify(grey, {layout.sheet: layout}, EVENT)
    assert isinstance(found, Identified)
    page = register(found.grey, found.marks, layout.marker_ids, layout.form)
    assert isinstance(page, RegisteredPage)
    return page


def faults(page: RegisteredPage) -> set[str]:
    return {told.code for told in page.warnings}


def test_a_unit_without_a_tick_is_a_doubt_of_the_picture_where_that_is_too_light_or_dark(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("order", row): line for row, line in enumerate(list(ORDERS)[:-1], start=1)})
    scan = bench.scanned(grey, "office").astype(np.float32)
    light = laid(bench, np.clip(scan * 1.6 + 60, 0, 255).astype(np.uint8))
    dark = laid(bench, (scan * 0.25).astype(np.uint8))
    good = laid(bench, scan.astype(np.uint8))
    assert PictureFault.TOO_LIGHT in faults(light)
    assert PictureFault.TOO_DARK in faults(dark)
    assert not faults(good)
    for page, noted in ((light, True), (dark, True), (good, False)):
        last = rows(page)[len(ORDERS) - 1]
        assert last.is_blank
        assert (Note.HIDDEN in last.notes) is noted
