"""Each limit by which ink is judged has a piece of ink just on either side of it, drawn pixel by pixel."""

from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.ink import Box, Note
from pipeline.reading import band, strokes
from pipeline.reading.outside import _find_strokes, _join_near_strokes
from pipeline.reading.pages import Grey
from pipeline.reading.strokes import WHITE, FromAbove, Parts, TickMark, pieces

Block = tuple[int, int, int, int]  # left, top, width, height; pixels
SHAPE = (100, 320)
SIDE = 40  # of a box to tick


def drawn(blocks: Sequence[Block], shape: tuple[int, int] = SHAPE) -> NDArray[np.uint8]:
    mask = np.zeros(shape, np.uint8)
    for left, top, width, height in blocks:
        mask[top : top + height, left : left + width] = 1
    return mask


def parts_of(mask: NDArray[np.uint8]) -> Parts:
    labels, sizes, middles = pieces(mask)
    return Parts(labels, sizes, middles, np.arange(len(sizes)) > 0)


def bent(width: int) -> NDArray[np.uint8]:
    """A piece so wide that is far from straight."""
    mask = drawn([])
    ends = [(10, 10), (10 + width // 2, 60), (9 + width, 10)]
    cv2.polylines(mask, [np.array(ends, np.int32)], False, 1, 1)
    return mask


@pytest.mark.parametrize(("blocks", "is_ink"), [
    ([], False), ([(0, 0, 10, 1)], True),
    ([(0, 0, 9, 2)], False), ([(0, 0, 9, 3)], True), ([(0, 0, 5, 4)], False), ([(0, 0, 5, 5)], True),
    ([(0, 0, 5, 2), (9, 0, 5, 2)], False), ([(0, 0, 5, 2), (9, 0, 6, 2)], True),
    ([(9 * n, 0, 4, 4) for n in range(9)], False),
])  # fmt: skip
def test_what_is_long_enough_or_large_enough_is_ink(blocks: Sequence[Block], is_ink: bool) -> None:
    for mask in (drawn(blocks), drawn(blocks)[::-1, ::-1], drawn(blocks)[:, : SHAPE[0]].T):
        assert strokes.has_ink(parts_of(np.ascontiguousarray(mask))) is is_ink


@pytest.mark.parametrize(("mask", "is_struck"), [
    (drawn([(10, 20, 94, 2)]), False), (drawn([(10, 20, 95, 2)]), True),
    (drawn([(10, 20, 171, 2), (205, 20, 6, 6)]), True), (drawn([(10, 20, 169, 2), (205, 20, 6, 6)]), False),
    (drawn([(10, 20, 171, 2), (206, 60, 4, 4)]), True), (bent(197), True), (bent(196), False),
    (bent(200) | drawn([(239, 60, 6, 6)]), True), (bent(200) | drawn([(241, 60, 6, 6)]), False),
])  # fmt: skip
def test_a_row_is_struck_by_a_straight_line_or_a_long_scribble(mask: NDArray[np.uint8], is_struck: bool) -> None:
    for seen in (mask, mask[::-1], mask[:, ::-1]):
        assert strokes.is_struck(parts_of(np.ascontiguousarray(seen))) is is_struck


@pytest.mark.parametrize("degrees", range(-9, 10))
def test_a_line_is_straight_if_it_climbs_by_no_more_than_four_degrees(degrees: int) -> None:
    mask = np.zeros((60, 201), np.uint8)
    rise = round(100 * np.tan(np.radians(degrees)))
    cv2.line(mask, (0, 30 + rise), (200, 30 - rise), 1, 1)
    found = strokes._straightest(mask > 0)
    assert found > 195 if abs(degrees) <= 4 else abs(degrees) == 5 or found < 150


ABOVE = {"reported": (10, 0, 3, 30), "tails": (20, 0, 3, 90)}


@pytest.mark.parametrize(("block", "below", "is_mine"), [
    ((0, 0, 3, 23), None, False), ((0, 0, 3, 24), None, True), ((0, 1, 3, 22), None, False),
    ((0, 2, 3, 21), None, True), ((0, 81, 3, 19), None, False), ((0, 70, 3, 30), None, False),
    ((0, 62, 3, 38), None, False), ((0, 62, 3, 38), 65, True), ((0, 65, 3, 35), 65, False),
    ((0, 64, 3, 36), 65, True), ((0, 60, 3, 40), None, True), ((0, 82, 3, 17), None, False),
    ((0, 82, 3, 16), None, True), ((0, 83, 3, 14), 85, False), ((0, 83, 3, 15), 85, True), ((0, 78, 3, 14), 85, True),
])  # fmt: skip
def test_ink_of_the_rows_above_and_below_is_told_from_a_rows_own(
    block: Block, below: int | None, is_mine: bool
) -> None:
    grey = np.where(drawn([block], (100, 30)) > 0, 40, WHITE).astype(np.uint8)
    parts = parts_of((grey < 200).astype(np.uint8))
    own = strokes.own_parts(grey, parts, 20, 80, 25, None, below)
    assert own.keep.tolist() == [False, is_mine]
    assert bool((grey < 200).any()) is is_mine


def test_what_the_row_above_claims_is_its_own() -> None:
    mask = drawn([*ABOVE.values(), (0, 40, 5, 5)], (100, 30))
    parts = parts_of(mask)
    named = {name: parts.labels[block[1], block[0]] for name, block in ABOVE.items()}
    claims = {name: np.arange(len(parts.keep)) == number for name, number in named.items()}
    own = strokes.own_parts(np.full(mask.shape, WHITE, np.uint8), parts, 20, 80, 25, FromAbove(**claims))
    assert own.keep.sum() == 1
    assert own.keep[parts.labels[40, 0]]


def mark(
    ink: NDArray[np.uint8], dark: float | Grey = 200, contrast: float = 1.0, *, is_plain: bool = False
) -> TickMark:
    """What is in a box of 40 pixels, 20 from the left and from the top."""
    grey = np.where(ink > 0, WHITE - np.asarray(dark), WHITE).astype(np.uint8)
    box, around = (slice(20, 20 + SIDE),) * 2, (slice(15, 25 + SIDE),) * 2
    return strokes.mark_in(grey, around, box, parts_of(ink), None, is_plain=is_plain, contrast=contrast)


def in_box(*blocks: Block) -> NDArray[np.uint8]:
    return drawn([(left + 20, top + 20, width, height) for left, top, width, height in blocks], (100, 100))


CROSS = np.asarray(cv2.line(cv2.line(in_box(), (24, 24), (56, 56), 1, 3), (24, 56), (56, 24), 1, 3), np.uint8)
BROKEN = np.where(np.indices((100, 100)).sum(axis=0) % 2 > 0, 60, 27).astype(np.uint8)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (partial(mark, in_box()), TickMark.EMPTY),
        (partial(mark, CROSS), TickMark.TICKED),
        (partial(mark, in_box((5, 5, 3, 20))), TickMark.UNSURE),  # 2.4 mm long, and little
        (partial(mark, in_box((5, 5, 3, 22))), TickMark.TICKED),  # 2.7
        (partial(mark, in_box((5, 5, 11, 11))), TickMark.UNSURE),  # 1.95 mm²
        (partial(mark, in_box((5, 5, 12, 11))), TickMark.TICKED),  # 2.1
        (partial(mark, CROSS, 39), TickMark.UNSURE),
        (partial(mark, CROSS, 40), TickMark.TICKED),
        (partial(mark, CROSS, BROKEN), TickMark.UNSURE),  # half of it is paler than any pen
        (partial(mark, CROSS, BROKEN + 1), TickMark.TICKED),
        (partial(mark, CROSS, 39, 0.9), TickMark.TICKED),  # of a page whose print is paler, too
        (partial(mark, CROSS, 19, 0.1), TickMark.UNSURE),
        (partial(mark, CROSS, 20, 0.1), TickMark.TICKED),
        (partial(mark, CROSS | in_box((10, 10, 3, 69))), TickMark.UNSURE),  # the row below may have as long a tail
        (partial(mark, in_box((7, 7, 25, 25))), TickMark.TICKED),
        (partial(mark, in_box((7, 7, 26, 26))), TickMark.BLACK),  # 0.42 of the box
        (partial(mark, in_box((7, 7, 26, 26)), is_plain=True), TickMark.TICKED),
        (partial(mark, in_box(*((0, 13 * n, 40, 7) for n in range(3)))), TickMark.SHADED),
        (partial(mark, in_box((0, 0, 40, 9), (0, 31, 40, 9))), TickMark.TICKED),  # 0.45 of the box
        (partial(mark, in_box((0, 0, 40, 10), (0, 30, 40, 10))), TickMark.TICKED),  # none in its middle
        (partial(mark, CROSS | in_box((-7, 19, 53, 2))), TickMark.TICKED),  # 1.33 of its side
        (partial(mark, CROSS | in_box((-8, 19, 56, 2))), TickMark.UNSURE),
        (partial(mark, in_box((-8, 10, 56, 19))), TickMark.TICKED),  # no higher than a line may be
        (
            partial(mark, in_box((-4, -4, 48, 2), (-4, 42, 48, 2), (-4, -4, 2, 48), (42, -4, 2, 48))),
            TickMark.UNSURE,
        ),  # a ring
        (partial(mark, in_box((6, 6, 31, 2), (6, 35, 31, 2), (6, 6, 2, 31), (35, 6, 2, 31))), TickMark.UNSURE),
        (partial(mark, in_box((6, 6, 30, 2), (6, 34, 30, 2), (6, 6, 2, 30), (34, 6, 2, 30))), TickMark.TICKED),
    ],
)
def test_a_tick_is_told_from_a_slip_of_the_pen_and_from_what_is_taken_back(
    found: Callable[[], TickMark], wanted: TickMark
) -> None:
    assert found() is wanted


@pytest.mark.parametrize(
    ("filled", "ticked", "is_manner"),
    [(3, 0, True), (2, 0, False), (4, 1, True), (3, 1, False), (8, 2, True), (7, 2, False)],
)
def test_who_fills_nearly_all_boxes_ticks_so(filled: int, ticked: int, is_manner: bool) -> None:
    for of in (TickMark.SHADED, TickMark.BLACK):
        rows = [[of, TickMark.EMPTY]] * filled + [[TickMark.TICKED, TickMark.UNSURE]] * ticked
        assert strokes.are_shaded(rows) is is_manner


@pytest.mark.parametrize(("block", "notes"), [
    ((50, 30, 3, 40), ()), ((50, 8, 3, 62), ()), ((50, 7, 3, 63), (Note.LEAVES_ROW,)), ((50, 30, 3, 62), ()),
    ((50, 30, 3, 63), (Note.LEAVES_ROW,)), ((50, 17, 3, 12), ()), ((50, 16, 3, 13), (Note.LEAVES_ROW,)),
    ((50, 71, 3, 12), ()), ((50, 71, 3, 13), (Note.LEAVES_ROW,)), ((50, 54, 3, 38), ()),
    ((50, 55, 3, 37), (Note.LEAVES_ROW,)), ((50, 7, 3, 7), ()),
])  # fmt: skip
def test_what_leaves_a_row_further_than_letters_do_is_noted(block: Block, notes: tuple[Note, ...]) -> None:
    mask = drawn([block, (100, 40, 30, 4)])
    parts = parts_of(mask)
    for dark, faint in ((60, ()), (59, (Note.FAINT_INK,))):
        grey = np.where(mask > 0, WHITE - dark, WHITE).astype(np.uint8)
        assert band.paper_notes(grey, parts, parts, 30, 70, struck=False) == (*notes, *faint)


@pytest.mark.parametrize(("length", "is_gap"), [(3, False), (4, True)])
def test_a_row_is_hidden_where_its_dots_are_gone_for_twenty_four_millimetres(length: int, is_gap: bool) -> None:
    gone = np.isin(np.arange(20), np.arange(8, 8 + length))
    assert band._has_gap(gone) is is_gap


@pytest.mark.parametrize(("block", "dark", "is_found"), [
    ((60, 60, 16, 2), 150, True), ((60, 60, 15, 2), 150, False), ((60, 60, 16, 1), 150, False),
    ((60, 60, 16, 2), 75, True), ((60, 60, 16, 2), 74, False), ((60, 60, 17, 8), 150, True),
    ((60, 60, 16, 11), 150, False), ((10, 60, 150, 2), 150, True), ((10, 60, 151, 2), 150, False),
    ((60, 10, 2, 100), 150, True), ((60, 10, 2, 101), 150, False),
])  # fmt: skip
def test_a_pens_stroke_on_free_paper_is_told_from_dirt_and_stains(block: Block, dark: int, is_found: bool) -> None:
    ink = drawn([block], (200, 300)) > 0
    white = np.where(ink, WHITE - dark, WHITE).astype(np.uint8)
    for filled in (np.zeros(ink.shape, bool), ink):
        found = list(_join_near_strokes(*_find_strokes(white, ink, ink, filled), ink.shape))
        mm = [round(side * 25.4 / 100, 1) for side in block]
        assert found == ([Box(*mm)] if is_found and not filled.any() else [])


@pytest.mark.parametrize(("high", "words"), [(3, 0), (4, 2)])
def test_near_strokes_are_taken_together_and_specks_are_none(high: int, words: int) -> None:
    ink = drawn([(60 + 6 * n, top, 2, high) for n in range(6) for top in (60, 80)], (200, 300)) > 0
    white = np.where(ink, 100, WHITE).astype(np.uint8)
    found = _join_near_strokes(*_find_strokes(white, ink, ink, np.zeros(ink.shape, bool)), ink.shape)
    assert len(list(found)) == words


@pytest.mark.parametrize(("wide", "long", "dark", "is_found"), [
    (16, 60, 0.32, True), (16, 60, 0.28, False), (16, 60, 0.55, True), (16, 60, 0.6, False), (8, 60, 0.4, False),
    (38, 60, 0.4, True), (46, 60, 0.4, False), (16, 40, 0.4, True), (16, 38, 0.4, False),
])  # fmt: skip
def test_a_broad_stroke_is_wider_than_a_pens_and_narrower_than_a_highlighters_and_no_blot(
    wide: int, long: int, dark: float, is_found: bool
) -> None:
    flat = np.where(drawn([(100, 100, long, wide)], (300, 300)) > 0, 240 * (1 - dark), 240).astype(np.uint8)
    for seen in (flat, flat.T):
        assert bool(strokes.find_broad_marks(np.ascontiguousarray(seen), 5.0).any()) is is_found
