"""Neat hands can be read by a program that never saw them: the letters are letters."""

import shutil

import cv2
import numpy as np
import pytesseract
import pytest

from pipeline.pen.hand import Case, Hand
from training.lines import line_image

MOVES = ("A VIE - BOH", "F LON - NTH", "A BUD - SER", "A MUN - RUH", "F EDI - NWG", "A PAR - BUR")


def read(text: str, hand: Hand, seed: int) -> str:
    """What Tesseract reads of a line, without its spaces."""
    line = line_image(text, hand, np.random.default_rng(seed), 300)
    page = cv2.copyMakeBorder(line, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(float(np.median(line)),))
    found = str(pytesseract.image_to_string(page, config="--psm 7"))
    return "".join(found.split()).upper().replace("—", "-").replace("–", "-")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
def test_tesseract_reads_at_least_half_of_what_neat_hands_write() -> None:
    neat = [Hand.from_seed(seed, neatness=0.97, make="gel") for seed in range(30)]
    capitals = [hand for hand in neat if hand.case is Case.CAPITALS and not hand.strays][:2]
    right = sum(read(move, hand, hand.seed) == move.replace(" ", "") for hand in capitals for move in MOVES)
    assert right >= len(capitals) * len(MOVES) / 2
