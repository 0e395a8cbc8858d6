"""Lines that dirt on a scanner's glass draws down a page: what they do not touch is read as on any other page."""

import numpy as np
import pytest
from sampled import slow_after

from pipeline.ink import SPOILS, Note
from pipeline.paper.sheet import SheetRequest
from pipeline.reading.pages import Grey
from pipeline.reading.register import find_streaks
from pipeline.reading.strokes import ink_parts
from pipeline.reading.tails import find_tails
from reading.boxed import PX, Marks, line_of, read, written
from reading.sheetbench import Bench
from reading.target_sheet import ORDERS, request

FREE_LINES = {1: "A PAR - BUR", 2: "A MAR H", 3: "F BRE - MAO"}
MARKS: Marks = {("order", row): line for row, line in enumerate(ORDERS, start=1)}


def lined(scan: Grey, *places_mm: float, shade: int = 60, wide_mm: float = 0.4) -> Grey:
    grey = scan.copy()
    for place in places_mm:
        grey[:, round(place * PX) : round((place + wide_mm) * PX)] = shade
    return grey


def free_lines(bench: Bench) -> tuple[SheetRequest, Grey]:
    wanted = bench.request(1)
    return wanted, written(bench, wanted, {("order", row): line for row, line in FREE_LINES.items()})


@pytest.mark.parametrize(("dark", "on_paper", "count"), [(88, 100, 0), (89, 100, 1), (100, 29, 0), (100, 30, 1)])
def test_a_line_is_one_from_nine_tenths_of_the_paper_on_and_paper_is_seen_on_three_tenths(
    dark: int, on_paper: int, count: int
) -> None:
    """A hundred rows; the row after the last dark one is dark, too, where both run together."""
    grey = np.full((100, 400), 240, np.uint8)
    grey[on_paper:] = 0
    grey[:dark, 200:203] = 0
    assert len(find_streaks(grey, 200.0)) == count


@pytest.mark.parametrize(("shade", "damages"), slow_after(1, [(0, "office"), (60, "clean"), (150, "office")]))
def test_a_line_beside_what_is_written_is_taken_out(bench: Bench, shade: int, damages: str) -> None:
    wanted, grey = free_lines(bench)
    found = read(bench, wanted, lined(bench.scanned(grey, damages), 110.0, 150.0, 171.3, shade=shade))
    assert [row.number for row in found if not row.is_blank] == [1, 2, 3]
    assert not any(row.notes for row in found)
    before = read(bench, wanted, bench.scanned(grey, damages))
    for here, there in zip(found[:3], before[:3], strict=True):
        assert len(here.crop.grey[0]) == pytest.approx(len(there.crop.grey[0]), abs=3)


def test_a_row_whose_writing_a_line_runs_through_is_asked(bench: Bench) -> None:
    wanted, grey = free_lines(bench)
    found = read(bench, wanted, lined(grey, 26.0))
    assert [Note.LINE_THROUGH in row.notes for row in found[:3]] == [
        False,
        True,
        True,
    ]  # between two letters of the first
    assert Note.LINE_THROUGH in SPOILS
    assert all(row.is_blank for row in found[3:])


@pytest.mark.parametrize("place", [60.5, 172.0])
def test_ticks_that_no_line_touches_are_ticks_and_a_line_is_none(bench: Bench, place: float) -> None:
    wanted = request(bench)
    found = read(bench, wanted, lined(bench.scanned(written(bench, wanted, MARKS), "office"), place))
    unasked = [row for row in found[: len(ORDERS)] if not SPOILS.intersection(row.notes)]
    assert len(unasked) >= 5
    for row in unasked:
        assert line_of(row.crop) == list(ORDERS.values())[row.number - 1]
    assert found[-1].is_blank


def test_ink_that_leaves_a_row_and_is_not_found_below_hangs_from_no_letter() -> None:
    seen = np.full((120, 200), 250, np.uint8)
    seen[20:24, 40:160] = seen[54:58, 40:160] = seen[20:58, 40:44] = 40
    seen[54:85, 100:104] = 40
    blank = np.full((260, 200), 250, np.uint8)
    assert find_tails(blank, ink_parts(seen), (0, 0), 10, 60) == ()
