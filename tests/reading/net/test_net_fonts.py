"""A font becomes a hand: its letters thinned to the strokes that a pen would have made."""

import pickle
import random
from pathlib import Path

import cv2
import numpy as np
import pytest
import reportlab
from PIL import ImageFont

from training.fonts import drawn, hand, strokes
from training.hand import OF_FONTS, Composer
from training.strokes import Hands, Stroke, Writer, dense, fonts_kept, glyph, hands

VERA = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
CAPITAL = 96.0
SOME = pytest.mark.parametrize("letter", "AOTgi8&")


def length(stroke: Stroke) -> float:
    """How far a pen goes."""
    return float(np.hypot(*np.diff(stroke, axis=0).T).sum())


@SOME
def test_the_middle_line_drawn_again_is_the_letter(letter: str) -> None:
    font = ImageFont.truetype(str(VERA), 132)
    ink, origin = drawn(font, letter)
    again = np.zeros(ink.shape, np.uint8)
    lines = [np.round(stroke * CAPITAL + origin).astype(np.int32) for stroke in strokes(ink, origin, CAPITAL)]
    inside = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 5)
    pen = round(2 * float(np.median(np.concatenate([inside[line[:, 1], line[:, 0]] for line in lines]))))
    for line in lines:
        cv2.polylines(again, [line.reshape(-1, 1, 2)], False, 1, pen)
    both = (again > 0) & ink
    assert both.sum() > 0.93 * ink.sum()
    assert both.sum() > 0.75 * (again > 0).sum()


def test_a_pen_goes_no_further_than_the_letter_asks() -> None:
    font = ImageFont.truetype(str(VERA), 132)
    far = {letter: sum(map(length, strokes(*drawn(font, letter), CAPITAL))) for letter in "lTO"}
    assert far["l"] == pytest.approx(1.04, abs=0.12)  # an l is a little taller than a capital
    assert far["T"] == pytest.approx(1.8, abs=0.2)
    assert far["O"] == pytest.approx(3.0, abs=0.3)


def test_a_font_is_a_hand_with_all_its_letters_on_the_baseline() -> None:
    made = hand("vera", VERA)
    assert made is not None
    assert {letter for letter in made.glyphs if letter.isalpha()} == set(map(chr, [*range(65, 91), *range(97, 123)]))
    height = {letter: np.concatenate([dense(s) for s in made.glyphs[letter][0].strokes])[:, 1] for letter in "HgxE"}
    assert height["H"].min() == pytest.approx(-0.95, abs=0.1)
    assert height["E"].max() == pytest.approx(-0.05, abs=0.1)
    assert height["g"].max() > 0.15
    assert height["x"].min() > -0.8


def test_fonts_are_a_share_of_the_hands_that_are_learnt_and_no_part_of_those_that_judge(tmp_path: Path) -> None:
    dot = glyph([np.zeros((2, 2), np.float32)])
    person, font = Writer("person", {"a": (dot,)}, 0.2, 0.8), Writer("font-x", {"a": (dot,)}, 0.2, 0.8)
    composer = Composer(Hands((person,), (), (font,)), random.Random(1))
    share = sum(composer.somebody() is font for _ in range(2000)) / 2000
    assert share == pytest.approx(OF_FONTS, abs=0.04)
    assert Composer(Hands((person,), ()), random.Random(1)).somebody() is person
    fonts_kept(tmp_path, (font,))
    for split, wanted in (("dev", []), ("train", ["font-x"])):
        (tmp_path / f"hands_{split}.pkl").write_bytes(pickle.dumps(Hands((person,), ())))
        assert [one.name for one in hands(split, tmp_path).fonts] == wanted
