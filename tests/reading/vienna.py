"""What may be written of an army in Vienna, and pictures in which a plain hand wrote it."""

from functools import cache

import numpy as np

from pipeline.ink import Tier
from pipeline.pen.hand import Hand
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import CROP_DPI, Vocabulary, VocabularyLine
from training.lines import line_image

UNIT = ("A", "Army")
DASH = ("-", "to")
VIE = ("Vie", "Vienna")
PLACES = (("Boh", "Bohemia"), ("Gal", "Galicia"), ("Tyr", "Tyrolia"), ("Tri", "Trieste"), ("Bud",))
ELSEWHERE = ("Lon", "London", "Lvn", "Lvp", "Mos", "Mun", "Ber", "Bur", "Rom", "Tys", "Bot")
EVERYWHERE = (*VIE, *(word for words in PLACES for word in words), *ELSEWHERE)
ANY_UNIT = (*UNIT, "F", "Fleet")
MOVES = tuple(VocabularyLine((UNIT, VIE, DASH, words)) for words in PLACES)
HOLD = VocabularyLine((UNIT, VIE, ("H", "holds")))
OTHERS = (VocabularyLine((ANY_UNIT, EVERYWHERE, DASH, EVERYWHERE)),)
VIENNA = Vocabulary((*MOVES, HOLD), OTHERS)

PLAIN_HANDS = (2, 3, 5, 8, 11, 14)
UNASKED = (Tier.ACCEPTED, Tier.MARKED)


@cache  # many tests look at the same line
def written(text: str, hand: int) -> Grey:
    """A picture of a text as a plain hand writes it with a gel pen, at `CROP_DPI`."""
    return line_image(text, Hand.from_seed(hand, neatness=0.8, make="gel"), np.random.default_rng(hand), CROP_DPI)
