"""A sheet is laid straight whatever happened to it, to a fraction of a mm, or refused."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from sampled import slow_after

from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import scan
from pipeline.ink import PictureFault, PictureMessage
from pipeline.reading.dewarp import columns_of_bars
from pipeline.reading.identify import Identified, identify, sharpness_of
from pipeline.reading.marks import (
    NODE_MM,
    Marks,
    PointArray,
    Warp,
    find_codes,
    find_markers,
    transform,
)
from pipeline.reading.pages import Grey
from pipeline.reading.register import NotRegistered, RegisteredPage, register
from reading.sheetbench import EVENT, Bench

PER_MM = 200 / 25.4


def places(warp: Warp, points: PointArray) -> PointArray:
    """Where the warp says that points of the sheet are on the picture."""
    columns, rows = ((points[:, axis, None] / NODE_MM + 1).astype(np.float32) for axis in (0, 1))
    bend = [
        cv2.remap(warp.bend[..., axis].astype(np.float32), columns, rows, cv2.INTER_LINEAR)[:, 0] for axis in (0, 1)
    ]
    return transform(warp.perspective, points + np.stack(bend, axis=1))


@pytest.mark.parametrize(
    ("damages", "within_mm"),
    slow_after(
        3,
        [
            ("clean", 0.15),
            ("rotation:0.9+noise", 0.15),
            ("upside-down+clean", 0.15),
            ("sideways+clean", 0.15),
            ("perspective:0.7+shadow", 0.2),
            ("print-scale:0.9+noise", 0.15),
            ("stretch:0.3+noise", 0.5),
            ("jpeg:0.9", 0.15),
            ("fax:0.3", 0.4),
            ("stain:0.6+staple", 0.2),
            ("streaks:0.5", 0.3),
            ("cut-corner:0.5", 0.2),
        ],
    ),
)
def test_rows_are_found_where_they_are(bench: Bench, sheet: Grey, damages: str, within_mm: float) -> None:
    layout = bench.layout(bench.request(1))
    scanned = scan(sheet, read_damages(damages), np.random.default_rng(4), page_dpi=200)
    shown = identify(bench.scanned(sheet, damages, seed=4), {layout.sheet: layout}, EVENT)
    assert isinstance(shown, Identified)
    found = register(shown.grey, shown.marks, layout.marker_ids, layout.form)
    assert isinstance(found, RegisteredPage)
    boxes = [field.box for field in layout.form.rows]
    points = np.array(
        [(b.left + u * b.width, b.top + v * b.height) for b in boxes for u in (0, 0.5, 1) for v in (0.4, 0.75)]
    )
    off = np.linalg.norm(places(found.warp, points) - scanned.path.place(points), axis=1) / found.warp.pixels_per_mm
    assert np.percentile(off, 95) <= within_mm
    assert found.residual_mm <= within_mm + 0.1


@pytest.mark.parametrize("dpi", slow_after(2, [120, 150, 300, 600]))
def test_any_resolution_comes_out_the_same_size(bench: Bench, sheet: Grey, dpi: int) -> None:
    layout = bench.layout(bench.request(1))
    grey = bench.scanned(sheet, "rotation:0.1", dpi=dpi)
    found = register(
        grey, Marks(find_codes(grey), find_markers(grey, layout.marker_ids)), layout.marker_ids, layout.form
    )
    assert isinstance(found, RegisteredPage)
    assert found.flat.shape == (2339, 1654)
    assert found.dpi == pytest.approx(dpi, rel=0.03)


def test_half_a_sheet_is_refused(bench: Bench, sheet: Grey) -> None:
    layout = bench.layout(bench.request(1))
    for half in (sheet[:1100], sheet[1100:]):
        marks = Marks(find_codes(half), find_markers(half, layout.marker_ids))
        found = register(half, marks, layout.marker_ids, layout.form)
        assert isinstance(found, NotRegistered)
        assert "bars beside the rows" in found.why


def test_another_form_than_the_one_on_the_paper_is_refused(bench: Bench) -> None:
    retreats = bench.printed(bench.request(9, phase="S1901R"))
    movement = bench.layout(bench.request(1))
    marks = Marks((), find_markers(retreats, movement.marker_ids))
    found = register(retreats, marks, movement.marker_ids, movement.form)
    assert isinstance(found, NotRegistered)


@pytest.mark.parametrize("left_out", [1, 5])
def test_paper_with_more_rows_than_its_layout_is_refused(bench: Bench, left_out: int) -> None:
    printed, layout = bench.printed(bench.request(1)), bench.layout(bench.request(1))
    marks = Marks(find_codes(printed), find_markers(printed, layout.marker_ids))
    fewer = replace(layout.form, bars=layout.form.bars[:-left_out])
    found = register(printed, marks, layout.marker_ids, fewer)
    assert isinstance(found, NotRegistered)
    assert found.why == "there are more rows on the paper than this sheet has"


@pytest.mark.parametrize("lost", [0, 5])
def test_bars_that_cannot_be_seen_are_told_with_their_share(bench: Bench, lost: int) -> None:
    printed, layout = bench.printed(bench.request(1)), bench.layout(bench.request(1))
    marks = Marks(find_codes(printed), find_markers(printed, layout.marker_ids))
    bars = [bar for pair in layout.form.bars for bar in pair]
    for bar in bars[3 : 3 + lost]:
        cut = slice(*(round(place * PER_MM) for place in (bar.left - 1, bar.right + 1)))
        printed[round((bar.top - 1) * PER_MM) : round((bar.bottom + 1) * PER_MM), cut] = 255
    found = register(printed, marks, layout.marker_ids, layout.form)
    assert isinstance(found, RegisteredPage)
    share = PictureMessage.of(PictureFault.BARS_LOST, share=round(lost / len(bars), 3))
    assert found.warnings == ((share,) if lost else ())


def test_a_poor_picture_is_read_with_a_warning(bench: Bench, sheet: Grey) -> None:
    layout = bench.layout(bench.request(1))
    black_and_white = np.where(cv2.resize(sheet, None, fx=0.6, fy=0.6) > 128, 255, 0).astype(np.uint8)
    black_and_white[:120, :120] = 255
    marks = Marks(find_codes(black_and_white), find_markers(black_and_white, layout.marker_ids))
    found = register(black_and_white, marks, layout.marker_ids, layout.form)
    assert isinstance(found, RegisteredPage)
    assert found.warnings == (
        PictureMessage.of(PictureFault.MARKERS_LOST, lost=1),
        PictureMessage.of(PictureFault.COARSE, dpi=120),
        PictureMessage.of(PictureFault.ONE_BIT),
    )


@pytest.mark.parametrize(("damages", "lines"), [("office", 0), ("streaks:0.6", 2)])
def test_dirt_on_the_scanners_glass_is_told_with_its_place(bench: Bench, damages: str, lines: int) -> None:
    page = bench.scanned(bench.written(bench.request(1), {2: "A PAR - BUR"}, 7), damages)
    layout = bench.layout(bench.request(1))
    shown = identify(page, {layout.sheet: layout}, EVENT)
    assert isinstance(shown, Identified)
    found = register(shown.grey, shown.marks, layout.marker_ids, layout.form)
    assert isinstance(found, RegisteredPage)
    told = [fault for fault in found.warnings if fault.code is PictureFault.LINE_DOWN]
    assert len(told) == lines


def test_strips_of_a_sheet_are_the_columns_of_its_picture(bench: Bench) -> None:
    page = np.random.default_rng(1).integers(0, 256, (1200, 900), np.uint8)
    warp = Warp.flat(np.array([[4.0, 0.1, 9.0], [-0.1, 4.0, 12.0], [1e-6, 2e-6, 1.0]]), 200.0, 280.0)
    whole, columns = warp.picture(page), columns_of_bars(bench.layout(bench.request(1)).form)
    strips = warp.strips(page, columns)
    seen = np.zeros(whole.shape[1], bool)
    for strip in columns:
        seen[strip] = True
    assert (strips[:, seen] == whole[:, seen]).all()
    assert 0.05 < seen.mean() < 0.3
    assert not strips[:, ~seen].any()


def test_how_sharp_a_page_is_is_judged_by_those_markers_that_are_on_it(bench: Bench, sheet: Grey) -> None:
    layout = bench.layout(bench.request(1))
    shown = identify(bench.scanned(sheet, "", seed=4), {layout.sheet: layout}, EVENT)
    assert isinstance(shown, Identified)
    page = register(shown.grey, shown.marks, layout.marker_ids, layout.form)
    assert isinstance(page, RegisteredPage)
    whole, half = (sharpness_of(replace(page, flat=page.flat[:height])) for height in (None, len(page.flat) // 2))
    assert half == pytest.approx(whole, rel=0.2)
    assert sharpness_of(replace(page, flat=cv2.GaussianBlur(page.flat, (0, 0), 3))) < whole / 2
    assert sharpness_of(replace(page, flat=page.flat[:1])) == 1
