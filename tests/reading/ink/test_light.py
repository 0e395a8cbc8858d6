"""Pictures that are too light or too dark: it is told, and what may be lost in them is asked with its picture."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.ink import Box, Note, PictureFault
from pipeline.pen.filling import Tick
from pipeline.reading.covered_boxes import rows_with_covered_boxes
from pipeline.reading.dewarp import FIRST, find_dots
from pipeline.reading.identify import Identified, identify
from pipeline.reading.limits import MM_PER_INCH
from pipeline.reading.marks import FLAT_DPI, PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage, register
from pipeline.reading.rows import cut_rows
from reading.boxed import box_of, line_of, read, written
from reading.sheetbench import EVENT, Bench
from reading.target_sheet import ORDERS, request

TICKED = {1: ("S", "of MUN", "BUR"), 2: ("NWY",)}


def laid(bench: Bench, grey: Grey) -> RegisteredPage:
    layout = bench.layout(request(bench))
    found = identify(grey, {layout.sheet: layout}, EVENT)
    assert isinstance(found, Identified)
    page = register(found.grey, found.marks, layout.marker_ids, layout.form)
    assert isinstance(page, RegisteredPage)
    return page


def _corners(box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two corners of a box with its dashes, in pixels of a straight sheet."""
    edges = ((box.left - 0.8, box.top - 0.8), (box.right + 0.8, box.bottom + 0.8))
    first, last = ((round(x * PIXELS_PER_MM), round(y * PIXELS_PER_MM)) for x, y in edges)
    return first, last


def faults(page: RegisteredPage) -> set[str]:
    return {told.code for told in page.warnings}


def test_edges_of_boxes_are_not_taken_for_lines_whose_dots_are_lost_in_much_light(bench: Bench) -> None:
    wanted = request(bench)
    form, printed = bench.layout(wanted).form, bench.printed(wanted)
    light = np.linspace(1.75, 0.95, printed.shape[1], dtype=np.float32)  # less and less to the right
    lit = cv2.GaussianBlur(printed, (0, 0), 1.2) * light + 20
    bleached = find_dots(np.clip(lit, 0, 255).astype(np.uint8), form, FIRST)
    assert bleached.share > 0.1
    assert float(np.nanmax(np.abs(bleached.offsets))) < 0.3


def test_where_light_leaves_pale_dashes_boxes_are_seen_and_one_under_a_sticker_in_a_grainy_shadow_is_not(
    bench: Bench,
) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {(name, row): Tick() for row, names in TICKED.items() for name in names})
    light = np.linspace(1.6, 0.6, grey.shape[1], dtype=np.float32)
    lit = np.clip(cv2.GaussianBlur(grey, (0, 0), 1.0) * light + 20, 0, 255).astype(np.uint8)
    page = laid(bench, lit)
    assert rows_with_covered_boxes(page) == set()
    first, last = _corners(box_of(bench, wanted, "BUR", 1))
    here = slice(first[1], last[1]), slice(first[0], last[0])
    flat = page.flat.copy()
    flat[here] = np.clip(np.random.default_rng(1).normal(230, 5, flat[here].shape), 0, 255)
    assert rows_with_covered_boxes(replace(page, flat=flat)) == {1}


def test_lines_that_lie_where_edges_of_boxes_should_be_are_found_where_others_lie_like_them(bench: Bench) -> None:
    wanted = request(bench)
    form, printed = bench.layout(wanted).form, bench.printed(wanted)
    for mm in (0.9, 1.2):  # so far above its dotted line is the lower edge of a box
        found = find_dots(np.roll(printed, -round(mm * FLAT_DPI / MM_PER_INCH), axis=0), form, FIRST)
        assert found.share > 0.9
        assert float(np.nanmedian(found.offsets[..., 1])) == pytest.approx(-mm, abs=0.1)


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
        last = cut_rows(page)[len(ORDERS) - 1]
        assert last.is_blank
        assert (Note.HIDDEN in last.notes) is noted


@pytest.mark.parametrize(("contrast", "pen", "is_sure"), [(0.3, 0.4, True), (1.0, 0.14, False)])
def test_a_pale_tick_is_measured_by_the_contrast_of_its_page(
    bench: Bench, contrast: float, pen: float, is_sure: bool
) -> None:
    wanted = request(bench)
    plain, blank = written(bench, wanted, {("BUR", 1): Tick(), ("H", 2): Tick()}), written(bench, wanted, {})
    pale = blank - (blank.astype(float) - plain) * pen
    found = read(bench, wanted, np.round(255 - (255 - pale) * contrast - 40 * (1 - contrast)).astype(np.uint8))
    assert [Note.UNSURE_TICK in row.notes for row in found[:2]] == [not is_sure] * 2
    if is_sure:
        assert line_of(found[0].crop) == "A PAR - BUR"
