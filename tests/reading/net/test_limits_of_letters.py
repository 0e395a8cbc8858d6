"""Each limit by which letters, gaps and marks beside them are judged has a case just on either side of it."""

import numpy as np
import pytest
from msgspec.structs import replace

from pipeline.reading import loose
from pipeline.reading.alphabet import BLANK, CLASSES
from pipeline.reading.free import _is_dash, is_torn, run_together
from pipeline.reading.further import _with_room
from pipeline.reading.loose import Piece, SeenSign


@pytest.mark.parametrize(("inner", "ends", "others", "torn"), [
    (9, (4, 4), 9, True), (9, (5, 5), 9, False), (8, (3, 3), 9, False), (9, (9, 3), 9, True), (7, (3, 3), 4, False),
    (7, (3, 3), 3, True), (6, (2, 2), 0, False), (7, (4, 4), 0, False),
])  # fmt: skip
def test_a_gap_tears_a_word_where_it_is_wider_than_at_its_ends_and_stands_out(
    inner: int, ends: tuple[int, int], others: int, torn: bool
) -> None:
    assert is_torn("A RUM - BUL", [ends[0], inner, 0, ends[1], 9, others, 0]) is torn


@pytest.mark.parametrize(
    ("before", "behind", "joined"), [(9, 1, "A BUL SAEG"), (8, 1, "A BUL S AEG"), (9, 2, "A BUL S AEG")]
)
def test_a_letter_away_from_the_word_before_it_and_at_the_next_belongs_to_that(
    before: int, behind: int, joined: str
) -> None:
    assert run_together("A BUL S AEG", [0, 0, 0, before, behind, 0, 0]) == joined
    assert run_together("S AEG", [0, 0, before]) == "S AEG", "before it is nothing"


@pytest.mark.parametrize(("wide", "high", "off", "is_dash"), [
    (6, 5, 0, True), (5, 4, 0, False), (6, 6, 0, False), (14, 6, 0, True), (13, 6, 0, False), (9, 3, 8, True),
    (9, 3, -8, True), (9, 3, 8.2, False), (9, 3, -8.2, False),
])  # fmt: skip
def test_a_dash_is_long_flat_and_in_the_middle(wide: int, high: int, off: float, is_dash: bool) -> None:
    assert _is_dash(wide, high, 20 + off, 20.0) is is_dash


@pytest.mark.parametrize(("written", "is_padded"), [(23, True), (24, False)])
def test_a_row_with_hardly_any_writing_gets_bare_paper(written: int, is_padded: bool) -> None:
    frames = np.full((60, CLASSES), 1e-9)
    frames[:, BLANK] = 1.0
    frames[:written] = 1 / CLASSES
    padded = _with_room(frames)
    assert len(padded) == 60 + 24 * is_padded
    assert (padded[60:, BLANK] > 0.9999).all()


H = 40.0  # of the letters
LETTERS = [Piece(100.0 + 30 * n, 60, 124.0 + 30 * n, 100, 80, 0.8) for n in range(3)]
SIGNS: list[SeenSign] = [("a", 112.0), ("v", 142.0), ("a", 172.0)]


def at(left: float, top: float, wide: float, high: float, roundness: float = 0.0) -> Piece:
    return Piece(left, top, left + wide, top + high, top + high / 2, roundness)


@pytest.mark.parametrize(("piece", "is_above"), [
    (at(135, 30, 11.3, 11.3), True), (at(135, 30, 11.1, 11.1), False), (at(135, 41.9, 12, 12), True),
    (at(135, 42.1, 12, 12), False), (at(225, 30, 12, 12), True), (at(236.1, 30, 12, 12), False),
    (at(135, 30, 12, 39), True), (at(135, 30, 12, 40), False),
])  # fmt: skip
def test_a_mark_above_the_letters_is_large_and_clear_of_them(piece: Piece, is_above: bool) -> None:
    if piece.high > 20:
        piece = replace(piece, middle=40.0)
    assert loose._is_above(piece, LETTERS, SIGNS, H) is is_above
    assert not loose._is_above(LETTERS[0], LETTERS, SIGNS, H)
    low = [replace(one, top=one.bottom - 18) for one in LETTERS]
    assert not loose._is_above(piece, low, SIGNS, H), "they are too low to be letters"


@pytest.mark.parametrize("sign", "ijt")
@pytest.mark.parametrize(
    ("left", "size", "is_above"),
    [(135, 20, False), (135, 27, True), (165, 20, False), (167, 20, True), (113, 20, False), (111, 20, True)],
)
def test_over_a_letter_with_a_dot_or_a_bar_a_mark_is_larger(
    left: float, size: float, is_above: bool, sign: str
) -> None:
    signs = [SIGNS[0], (sign, 142.0), SIGNS[2]]
    assert loose._is_above(at(left, 30, size, size), LETTERS, signs, H) is is_above


@pytest.mark.parametrize(("piece", "signs", "is_beside"), [
    (at(192, 70, 4, 40), SIGNS, True), (at(185, 70, 4, 40), SIGNS, False), (at(200, 70, 11, 3), SIGNS, False),
    (at(205, 70, 13, 3), SIGNS, True), (at(202, 70, 13, 3), [*SIGNS, ("v", 219.0)], False),
    (at(84, 70, 4, 40), SIGNS, True), (at(182, 70, 4, 40), [*SIGNS, ("-", 176.0)], False),
    (at(190, 70, 4, 40), [*SIGNS, ("-", 180.0)], True), (at(190, 70, 4, 40, 0.21), [*SIGNS, ("-", 180.0)], False),
    (at(190, 70, 4, 40, 0.2), [*SIGNS, ("-", 180.0)], True), (at(150, 70, 60, 8), [*SIGNS[:1]], True),
    (at(208, 70, 11, 3), SIGNS, False), (at(234.5, 60, 4, 40), [*SIGNS, ("-", 230.0)], False),
    (at(182, 70, 40, 8), [*SIGNS[:2], ("a", 162.0)], True), (at(188, 70, 13, 3), [*SIGNS, ("-", 180.0)], False),
])  # fmt: skip
def test_a_mark_beside_the_signs_is_long_and_away_from_them(
    piece: Piece, signs: list[SeenSign], is_beside: bool
) -> None:
    assert loose._is_beside(piece, LETTERS, signs, H) is is_beside
