"""From the sheet to its picture and back: each step of the geometry beside the plain words for it."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pipeline.ink import Box
from pipeline.paper.sheet_layout import Guide
from pipeline.reading.dewarp import _passed_on
from pipeline.reading.identify import _outline_from_codes
from pipeline.reading.marks import Code, Warp, bridge_columns, corners


@pytest.mark.parametrize("scale", [0.25, 0.5, 2.0])
def test_on_a_picture_made_smaller_the_middle_of_a_pixel_stays_where_it_is(scale: float) -> None:
    warp = Warp.flat(np.array([[7.8, 0.4, 31.0], [-0.3, 7.9, 12.0], [1e-5, -2e-5, 1.0]]), 210.0, 297.0)
    points = np.array([[0.0, 0.0], [105.0, 148.5], [210.0, 10.0]])
    edges_of_pixels = warp.carry(points) + 0.5
    assert warp.scale(scale).carry(points) + 0.5 == pytest.approx(edges_of_pixels * scale)
    assert warp.scale(scale).pixels_per_mm == pytest.approx(warp.pixels_per_mm * scale, rel=1e-2)


SEEN = Warp.flat(np.array([[7.8, 0.4, 31.0], [-0.3, 7.9, 12.0], [1e-5, -2e-5, 1.0]]), 210.0, 297.0).carry
CODES = (Box(10.0, 12.0, 22.0, 22.0), Box(150.0, 250.0, 30.0, 30.0))


@pytest.mark.parametrize("turned", [False, True])
def test_by_its_two_codes_a_sheet_lies_where_it_is_whichever_was_seen_first(turned: bool) -> None:
    form: Any = SimpleNamespace(codes=CODES, width=210.0, height=297.0)
    codes = [Code("x", SEEN(corners(box))) for box in CODES]
    found = _outline_from_codes(codes[::-1] if turned else codes, SimpleNamespace(form=form))  # type: ignore[arg-type]
    assert found == pytest.approx(SEEN(corners(Box(0, 0, 210.0, 297.0))), abs=0.5)


@pytest.mark.parametrize("place", [0, 1])
def test_by_one_code_as_much_is_cut_out_as_a_sheet_may_be_long_to_each_side_of_it(place: int) -> None:
    form: Any = SimpleNamespace(codes=(CODES[place],), width=210.0, height=297.0)
    code = Code("x", corners(CODES[place]) * 8)
    around = Box(CODES[place].left - 297, CODES[place].top - 297, CODES[place].width + 594, CODES[place].height + 594)
    found = _outline_from_codes([code], SimpleNamespace(form=form))  # type: ignore[arg-type]
    assert found == pytest.approx(corners(around) * 8)
    side = 2 * CODES[place].width
    around = Box(CODES[place].left - side, CODES[place].top - side, 5 * CODES[place].width, 5 * CODES[place].height)
    assert _outline_from_codes([code], None) == pytest.approx(corners(around) * 8), "of a code that nobody knows"


@pytest.mark.parametrize("lightest_of", [0, 1, 3])
@pytest.mark.parametrize("struck", [[4], [0, 1], [10, 11], [3, 4, 8]])
def test_a_column_that_is_struck_is_filled_in_each_line_from_both_sides(lightest_of: int, struck: list[int]) -> None:
    grey = np.random.default_rng(7).integers(0, 256, (9, 12)).astype(np.uint8)
    mask = np.isin(np.arange(12), struck)
    mended = bridge_columns(grey, mask, lightest_of)
    assert (mended[:, ~mask] == grey[:, ~mask]).all()
    for column in struck:
        left = [other for other in range(column) if other not in struck] or [min(set(range(12)) - {*struck})]
        right = [other for other in range(column, 12) if other not in struck] or [max(set(range(12)) - {*struck})]
        for line in range(9):
            before, after = int(grey[line, left[-1]]), int(grey[line, right[0]])
            beside = [
                *grey[line, max(0, left[-1] + 1 - lightest_of) : left[-1] + 1],
                *grey[line, right[0] :][:lightest_of],
            ]
            assert mended[line, column] == (max(beside) if lightest_of else (before + after) // 2)


def test_what_is_known_of_a_piece_is_passed_on_to_the_next_and_a_little_to_every_place() -> None:
    guide = Guide(left=20.0, right=140.0, y=100.0, dot=0.3, pitch=2.0)
    likely = np.full((6, 15, 17), 1e-3, np.float32)
    tops = [(3, 4), (4, 4), (5, 6), (6, 7), (7, 9), (8, 10)]
    for piece, top in zip(likely, tops, strict=True):
        piece[top] = 1.0
    passed = _passed_on(likely, guide)
    assert (passed > 0).all()
    assert passed.sum(axis=(1, 2)) == pytest.approx(np.ones(6), abs=0.05)
    assert np.ptp(passed[0]) == 0, "before the first piece nothing is known"
    for piece, top in zip(passed[1:], tops, strict=False):
        assert divmod(int(piece.argmax()), piece.shape[1]) == top
