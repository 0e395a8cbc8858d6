"""Sheets are filled where their layout says, and what people do wrong shows on the paper."""

from typing import Any

import numpy as np
import pytest

from pipeline.ink import Box
from pipeline.pen.filling import FieldMark, Signature, fill, write_mark
from pipeline.pen.hand import Hand
from pipeline.pen.laying import Picture
from pipeline.pen.writing import Slip, Writing, WrittenWords, write_line, write_words
from pipeline.problems import Stopped

DPI = 150
ROW = Box(22.0, 55.0, 166.0, 10.4)
PAGE: dict[str, Any] = {
    "page": 1,
    "sheet": "WM26-0042-V",
    "size_mm": [210.0, 120.0],
    "fields": [
        {"name": "signature", "row": None, "box_mm": [114.0, 33.0, 72.0, 10.0]},
        {"name": "order", "row": 1, "box_mm": [ROW.left, ROW.top, ROW.width, ROW.height]},
        {"name": "order", "row": 2, "box_mm": [22.0, 67.0, 166.0, 10.4]},
        {"name": "hold", "row": 1, "box_mm": [195.0, 57.0, 5.0, 5.0]},
        {"name": "cell", "row": 1, "box_mm": [22.0, 80.0, 5.0, 7.0]},
    ],
}


def blank(*shape: int) -> Picture:
    return np.full(shape or (round(120 / 25.4 * DPI), round(210 / 25.4 * DPI)), 255, np.uint8)


def ink_box(page: Picture) -> Box:
    """The box around the ink, mm."""
    ys, xs = np.nonzero(page < 200)
    mm = 25.4 / DPI
    return Box(xs.min() * mm, ys.min() * mm, np.ptp(xs) * mm, np.ptp(ys) * mm)


def is_inside(inner: Box, outer: Box, slack: float) -> bool:
    return (
        inner.left >= outer.left - slack
        and inner.top >= outer.top - slack
        and inner.left + inner.width <= outer.left + outer.width + slack
        and inner.top + inner.height <= outer.top + outer.height + slack
    )


def filled(marks: dict[tuple[str, int | None], FieldMark], seed: int = 3) -> Picture:
    return fill(blank(), PAGE, marks, Hand.from_seed(seed, make="gel"), np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(8))
def test_an_order_stands_in_its_row(seed: int) -> None:
    assert is_inside(ink_box(filled({("order", 1): "A Bud S A Vie - Gal"}, seed)), ROW, slack=1.5)


@pytest.mark.parametrize("seed", range(4))
def test_a_long_order_is_squeezed_into_its_row(seed: int) -> None:
    words = "Fleet Mid-Atlantic Ocean supports Army Gascony to Spain (south coast), please and thank you, dear director"
    assert is_inside(ink_box(filled({("order", 1): words}, seed)), ROW, slack=1.5)


@pytest.mark.parametrize("seed", range(4))
def test_a_single_letter_stands_in_the_middle_of_its_cell(seed: int) -> None:
    ink = ink_box(filled({("cell", 1): "M"}, seed))
    assert ink.left + ink.width / 2 == pytest.approx(24.5, abs=1.0)
    assert ink.top + ink.height / 2 == pytest.approx(83.5, abs=1.2)


def test_a_signature_is_this_persons_own() -> None:
    hand = Hand.from_seed(9)
    box = Box(114, 33, 72, 10)
    first, again = (write_mark("signature", "Ann Lee", box, hand, np.random.default_rng(n)) for n in (1, 2))
    other = write_mark("signature", Signature("Ann Lee"), box, Hand.from_seed(10), np.random.default_rng(1))
    assert len(first.strokes) == len(again.strokes)
    assert first.extent != again.extent
    assert first.extent != other.extent


def test_strokes_from_elsewhere_are_put_into_the_box() -> None:
    real = Writing(
        (np.array([(0.0, 0.0), (2.0, -4.0), (4.0, 0.0)]), np.array([(1.0, -1.5), (3.0, -1.5)])), 4.0, ((0, 4),)
    )
    ink = ink_box(filled({("order", 1): real}))
    assert is_inside(ink, ROW, slack=0.5)
    assert ink.height == pytest.approx(4.0, abs=0.8)


def test_a_line_that_leaves_its_box_does() -> None:
    mark = WrittenWords("F ADR C A TRI - APU", Slip.LEAVES_BOX)
    for seed in range(8):
        left, top, right, bottom = write_mark(
            "order", mark, ROW, Hand.from_seed(seed), np.random.default_rng(seed)
        ).extent
        assert top < ROW.top or bottom > ROW.top + ROW.height or right > ROW.left + ROW.width, (seed, left)


@pytest.mark.parametrize(
    "slip", [Slip.STRUCK_OUT, Slip.OVERWRITTEN, Slip.CORRECTED_ABOVE, Slip.CORRECTED_BESIDE, Slip.BLOT]
)
def test_a_slip_costs_ink(slip: Slip) -> None:
    hand = Hand.from_seed(4)
    clean = write_line("A VIE - BOH", hand, np.random.default_rng(1))
    spoilt = write_words(WrittenWords("A VIE - BOH", slip), hand, np.random.default_rng(1))
    assert sum(map(len, spoilt.strokes)) > sum(map(len, clean.strokes))


def test_a_scribble_keeps_no_letter() -> None:
    scrawl = write_words(WrittenWords("A VIE - BOH", Slip.SCRIBBLE), Hand.from_seed(4), np.random.default_rng(1))
    assert len(scrawl.strokes) == 1


def test_ink_never_makes_print_lighter_and_keeps_its_colour() -> None:
    black = np.zeros((709, 1240, 3), np.uint8)
    hand = Hand.from_seed(3, make="gel")
    marks: dict[tuple[str, int | None], FieldMark] = {("order", 1): "A VIE - BOH"}
    assert fill(black, PAGE, marks, hand, np.random.default_rng(1)).max() == 0
    page = fill(blank(709, 1240, 3), PAGE, marks, hand, np.random.default_rng(1))
    darkest = page.reshape(-1, 3)[page.sum(axis=2).argmin()]
    assert np.abs(darkest.astype(int) - hand.pen.colour).max() < 40


def test_nothing_to_write_leaves_no_ink() -> None:
    assert filled({("order", 1): "", ("order", 2): "  "}).min() == 255


def test_any_name_of_latin_letters_can_be_written() -> None:
    assert (
        filled({("signature", None): "Søren “Łu” O’Neill-D'Été & Co. (jr.)", ("order", 1): "Çağrı Ünal ß"}).min() < 200
    )


def test_the_printed_page_itself_stays_as_it_was() -> None:
    page = blank()
    fill(page, PAGE, {("order", 1): "A VIE - BOH"}, Hand.from_seed(1), np.random.default_rng(1))
    assert page.min() == 255


def test_every_field_the_layout_does_not_have_is_named() -> None:
    with pytest.raises(Stopped) as stopped:
        filled({("order", 9): "A VIE H", ("date", None): "today"})
    assert [str(p) for p in stopped.value.problems] == [
        "stops  page 1: no field 'order' in row 9",
        "stops  page 1: no field 'date' in row None",
    ]
