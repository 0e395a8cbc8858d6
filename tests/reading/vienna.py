"""What may be written of an army in Vienna, and pictures in which a plain hand wrote it."""

import copy
from collections.abc import Sequence
from functools import cache

import numpy as np

from pipeline.ink import Tier
from pipeline.pen.hand import Hand
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.evidence import Expected
from pipeline.reading.gate import AnyEvidence
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import CROP_DPI, Crop, Vocabulary, VocabularyLine
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


def first_of(reader: NetRecogniser) -> NetRecogniser:
    """The first reader without the further ones."""
    other = copy.copy(reader)
    other.further = ()
    other.use(reader.gates, reader.gate_name)
    return other


def weighed_by(reader: NetRecogniser, crops: Sequence[Crop], vocabulary: Vocabulary) -> list[AnyEvidence | None]:
    """What a reader makes of rows, without a verdict; None where there is no ink."""
    expected = Expected(vocabulary)
    rows = reader.weigh_rows([reader.look(crop) for crop in crops], expected)
    weighed = reader.weighed_again(rows, expected, crops)
    return [None if row is None else row.evidence for row in weighed]


@cache  # many tests look at the same line
def written(text: str, hand: int) -> Grey:
    """A picture of a text as a plain hand writes it with a gel pen, at `CROP_DPI`."""
    return line_image(text, Hand.from_seed(hand, neatness=0.8, make="gel"), np.random.default_rng(hand), CROP_DPI)
