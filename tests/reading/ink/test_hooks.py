"""A hook belongs to the box that its corner is in, and what may be in either of two boxes is asked about."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from pipeline.ink import Box
from pipeline.paper.sheet_layout import Field
from pipeline.paper.sheet_rows import Cell, PlaceBox, TickBox
from pipeline.reading.boxes import Band, Shares, _has_corner
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.strokes import WHITE, ink_parts

Stroke = Sequence[tuple[float, float]]  # mm from the upper left corner of the box, or of the one below
SIDE, ASIDE, PITCH = 5.0, 17.4, 7.88  # of boxes; from one to the next, and from line to line
LEFT, TOP = 6.0, 13.0  # of the first box
LINES = [Box(4.0, TOP - 1.7 + PITCH * n, 70.0, PITCH) for n in range(3)]
NAMES = [["A1", "B1", "C1"], ["A2", "B2", "C2"], ["A3", "B3", "to"]]


def cell(name: str, line: int, column: int) -> Cell:
    box = Box(LEFT + ASIDE * column, TOP + PITCH * line, SIDE, SIDE)
    kind = PlaceBox(name) if name == "to" else TickBox(name, name, name)
    return Cell(kind, 1, LINES[line], box, None, ())


CELLS = tuple(cell(name, line, column) for line, names in enumerate(NAMES) for column, name in enumerate(names))


def shares(*strokes: Stroke, wide: float = 0.45, box: str = "A2") -> Shares:
    """The shares of strokes, drawn from a box on."""
    start = next(cell.box for cell in CELLS if cell.name == box)
    grey = np.full((round(42 * PIXELS_PER_MM), round(76 * PIXELS_PER_MM)), WHITE, np.uint8)
    for stroke in strokes:
        places = [(round((start.left + x) * PIXELS_PER_MM), round((start.top + y) * PIXELS_PER_MM)) for x, y in stroke]
        cv2.polylines(grey, [np.array(places, np.int32)], False, (40,), round(wide * PIXELS_PER_MM), cv2.LINE_AA)
    row = Field("order", 1, Box(4.0, LINES[0].top, 70.0, LINES[-1].bottom - LINES[0].top))
    upper, lower = (round(edge * PIXELS_PER_MM) for edge in (row.box.top, row.box.bottom))
    paper, edges = np.full_like(grey, 240), (60.0,) * len(CELLS)
    return Shares.of(Band(row, CELLS, grey, paper, ink_parts(grey), 0, 0, upper, lower, (), edges))


def ticked(found: Shares) -> list[str]:
    """The boxes that ink belongs to."""
    owners = sorted(set(found.owner[found.band.own.keep].tolist()) - {0})
    return [CELLS[owner - 1].name for owner in owners]


def hook(
    below: float = -0.4, rises: tuple[float, float] = (5.5, 9.0), aside: tuple[float, float] = (-1.2, 2.5)
) -> Stroke:
    """A hook whose corner is so far below its box, with two arms that rise so far and end so far aside."""
    low = (1.6, SIDE + below)
    return [(low[0] + aside[0], low[1] - rises[0]), low, (low[0] + aside[1], low[1] - rises[1])]


@pytest.mark.parametrize("stroke", [
    hook(), hook(rises=(2.0, 7.0)), hook(rises=(8.4, 8.2), aside=(-1.0, 2.8)), hook(1.0, (5.5, 10.0)), [(1, 1), (4, 4)],
    [(0.3, 4.6), (1.5, 6.4), (11.5, 2.4)],  # flat, with its corner below the box
    [(0.3, 0.3), (4.7, 4.7), (2.5, 2.5), (0.3, 4.7), (4.7, 0.3)],
])  # fmt: skip
@pytest.mark.parametrize("box", ["A2", "B2"])
def test_a_tick_belongs_to_its_box_however_high_it_rises(stroke: Stroke, box: str) -> None:
    found = shares(stroke, box=box).with_hooks([90, 90])
    assert ticked(found) == [box]
    assert not found.run_across()


@pytest.mark.parametrize("strokes", [
    [[(0.6, -6.9), (3.8, -3.7), (2.2, -5.3), (0.6, -3.7), (3.8, -6.9)], [(0.4, -0.4), (2, 4.6), (2.2, -5.3)]],
    [[(2.5, -7.0), (2.5, -3.5)], [(0.6, -0.4), (2.0, 4.6), (2.5, -3.5)]],
    [hook(), [(1.8, -3.3), (0, -5.5)], [(1.8, -3.3), (4.6, -9.6)], [(4.1, -4.4), (1.8, -3.3)]],
    [[(-0.5, 2.5), (40, 2.3)]],
    [[(2.5, 2.5), (19.9, 2.5)]],
])  # fmt: skip
def test_what_is_in_two_boxes_is_asked(strokes: Sequence[Stroke]) -> None:
    assert shares(*strokes).with_hooks([90, 90]).run_across()


@pytest.mark.parametrize(("usual", "is_sure"), [((73, 73), True), ((72, 73), False), ((73,), False), ((), False)])
def test_a_hook_with_arms_in_the_box_above_counts_where_two_of_the_sheet_are_nearly_as_high(
    usual: tuple[int, ...], is_sure: bool
) -> None:
    found = shares(hook(rises=(5.5, 10.6), aside=(-2.2, 1.0)))
    assert found.plain.any()
    assert not found.is_clear.any()
    assert found.heights[1] == 91
    sure = found.with_hooks(usual)
    assert ticked(sure) == ["A2"] if is_sure else sure.run_across()
    low = shares(hook(rises=(2.0, 3.5)))
    assert low.is_clear.sum() == 1
    assert low.with_hooks(()).plain.any()


@pytest.mark.parametrize(("below", "is_hook"), [(1.0, True), (1.5, False)])
def test_the_corner_of_a_hook_may_be_a_little_below_its_box(below: float, is_hook: bool) -> None:
    stroke = hook(below, (5.5, 9.0))
    found = shares(stroke, [(x + ASIDE, y) for x, y in stroke])
    assert sorted(found.plain[found.band.own.keep]) == [4 * is_hook, 5 * is_hook], "the boxes are A2 and B2"


@pytest.mark.parametrize(("rise", "is_corner"), [(7, True), (6, False)])
def test_both_arms_of_a_hook_rise_by_a_millimetre(rise: int, is_corner: bool) -> None:
    piece = np.zeros((40, 36), np.uint8)
    cv2.polylines(piece, [np.array([(0, 39 - rise), (16, 39), (35, 0)], np.int32)], False, (1,), 1)
    for seen in (piece, piece[:, ::-1]):
        assert (_has_corner(seen > 0) is not None) is is_corner
