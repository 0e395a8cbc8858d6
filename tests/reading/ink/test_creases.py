"""Lines that cross the whole paper, creases and what is drawn askew on the glass: only what they touch is asked."""

import cv2
import numpy as np
import pytest
from sampled import slow_after

from pipeline.ink import Note
from pipeline.reading.pages import Grey
from pipeline.reading.register import STRIP_MM, Crease, _lighten_along
from reading.boxed import PX, line_of, read, written
from reading.sheetbench import Bench
from reading.target_sheet import ORDERS, request

FREE_LINES = {1: "A PAR - BUR", 2: "A MAR H", 3: "F BRE - MAO"}


def on_lines(bench: Bench, damages: str, seed: int) -> tuple[list[int], list[int]]:
    """The rows of a damaged sheet on which ink is seen, and those of which something is noted."""
    wanted = bench.request(1)
    grey = written(bench, wanted, {("order", row): line for row, line in FREE_LINES.items()})
    found = read(bench, wanted, bench.scanned(grey, damages, seed))
    return [row.number for row in found if not row.is_blank], [row.number for row in found if row.notes]


@pytest.mark.parametrize(
    ("damages", "seed"),
    slow_after(1, [("office+fold", 1), ("phone+pale-fold", 2), ("phone+lengthwise", 2), ("office+pale-lengthwise", 1)]),
)
def test_a_crease_is_no_ink(bench: Bench, damages: str, seed: int) -> None:
    assert on_lines(bench, f"{damages}:0.6", seed) == ([1, 2, 3], [])


@pytest.mark.parametrize("lean", [0.0, 0.02])
def test_along_a_crease_the_paper_is_as_bright_as_beside_it(lean: float) -> None:
    """Paper that is darker towards its foot, as in the light of a window, with a crease from edge to edge."""
    width, strip = round(40 * PX), round(STRIP_MM * PX / 2) * 2
    height = round(297 * PX / strip) * strip
    paper = np.repeat(np.linspace(240, 170, height)[:, None], width, axis=1)
    middles = width / 2 + lean * (np.arange(height // strip) + 0.5) * strip
    crossed = paper.copy()
    for row, middle in enumerate(np.interp(np.arange(height), (np.arange(len(middles)) + 0.5) * strip, middles)):
        crossed[row, round(middle) - 1 : round(middle) + 2] *= 0.8

    found = _lighten_along(crossed.astype(np.uint8), Crease(middles.astype(np.float32), 40.0), is_ruled=False)

    assert np.abs(found - paper).max() <= 4
    assert (found[:, : width // 4] == paper[:, : width // 4].astype(np.uint8)).all()
    if not lean:  # the same from below
        turned = Crease(middles[::-1].astype(np.float32), 40.0)
        assert (_lighten_along(crossed.astype(np.uint8)[::-1], turned, is_ruled=False)[::-1] == found).all()


@pytest.mark.parametrize("seed", slow_after(1, [1, 2]))
def test_ticks_beside_and_under_a_crease_are_ticks(bench: Bench, seed: int) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("order", row): line for row, line in enumerate(ORDERS, start=1)})
    found = read(bench, wanted, bench.scanned(grey, "office+lengthwise:0.7", seed))
    unasked = [row for row in found[: len(ORDERS)] if not row.notes]
    assert len(unasked) >= len(ORDERS) - 1
    for row in unasked:
        assert line_of(row.crop) == list(ORDERS.values())[row.number - 1]
    assert found[-1].is_blank


def askew(grey: Grey, ends: tuple[tuple[float, float], tuple[float, float]], shade: int) -> Grey:
    """Draw a straight line between two places of a sheet, in mm."""
    drawn = grey.copy()
    start, end = ((round(x * PX), round(y * PX)) for x, y in ends)
    cv2.line(drawn, start, end, (shade,), 3, cv2.LINE_AA)
    return np.asarray(drawn, np.uint8)


def test_a_dark_line_askew_asks_only_what_it_touches(bench: Bench) -> None:
    wanted = bench.request(1)
    grey = written(bench, wanted, {("order", row): line for row, line in FREE_LINES.items()})
    found = read(bench, wanted, askew(grey, ((130.0, 0.0), (134.0, 297.0)), 40))
    assert [row.number for row in found if not row.is_blank] == [1, 2, 3]
    assert not any(row.notes for row in found)
    through = [
        Note.LINE_THROUGH in row.notes
        for left in (24.0, 28.0, 32.0, 36.0)
        for row in read(bench, wanted, askew(grey, ((left, 0.0), (left + 3, 297.0)), 40))[:3]
    ]
    assert through.count(True) >= 6


def test_a_line_that_ends_in_the_margins_is_a_pens(bench: Bench) -> None:
    """Somebody strikes a row out as far as it goes, with a pencil: it stays struck out."""
    wanted = bench.request(1)
    grey = written(bench, wanted, {("order", row): line for row, line in FREE_LINES.items()})
    box = bench.layout(wanted).form.rows[1].box
    struck = askew(grey, ((box.left - 1, box.top + 5), (box.left + box.width + 1, box.top + 5)), 165)
    assert Note.STRUCK_OUT in read(bench, wanted, struck)[1].notes


@pytest.mark.parametrize("start", slow_after(1, [0.0, 2.7, 5.3]))
def test_the_lines_of_a_ruled_block_are_no_ink_wherever_they_lie(bench: Bench, start: float) -> None:
    """Some lie along the tops of words, and some on the dotted lines that are printed."""
    wanted = request(bench)
    grey = written(bench, wanted, {("order", row): line for row, line in enumerate(ORDERS, start=1)})
    block = grey.astype(np.float32)
    for place in np.arange(start, len(grey) / PX, 8.0):
        block[round(place * PX) : round(place * PX) + max(1, round(PX / 4))] *= 0.8
    found = read(bench, wanted, bench.scanned(block.astype(np.uint8), "office", 5))
    assert [row.number for row in found if row.notes] == []
    assert [line_of(row.crop) for row in found[: len(ORDERS)]] == list(ORDERS.values())
    assert found[-1].is_blank


@pytest.mark.parametrize("seed", [1, 2])
def test_dots_that_a_packed_picture_draws_together_are_no_ink(bench: Bench, seed: int) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("order", row): line for row, line in enumerate(ORDERS, start=1)})
    packed = cv2.imencode(".jpg", bench.scanned(grey, "office", seed), [cv2.IMWRITE_JPEG_QUALITY, 8])[1]
    found = read(bench, wanted, np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8))
    unasked = [row for row in found[: len(ORDERS)] if not row.notes]
    assert len(unasked) >= len(ORDERS) - 3  # OpenCV 4 has another JPEG library: one more
    for row in unasked:
        assert line_of(row.crop) == list(ORDERS.values())[row.number - 1]
