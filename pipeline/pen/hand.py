"""One person's handwriting: what stays the same from letter to letter, drawn once from a seed."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pipeline.pen.letters import Allograph, Floats, Stroke, alphabet
from pipeline.pen.pens import Pen, pick_pen

THICKEST = 5.5  # times the width of the line: smaller letters close up, and people with felt pens write larger
# capitals for which people write the small letter, and how much larger; never L, whose small form is an I
STRAYS = {**dict.fromkeys("AEMNRU", 1.35), **dict.fromkeys("BDHIT", 1.0), **dict.fromkeys("GPQY", 1.15)}
SIGNS = ".,:;'\"-"  # too small to be bent like a letter


class Case(StrEnum):
    """Which letters a person uses on an order sheet that asks for capitals."""

    CAPITALS = "capitals"
    AS_GIVEN = "as given"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One person's handwriting. Lengths without a unit are shares of the capital height."""

    seed: int
    pen: Pen
    case: Case
    joined: float  # 0..1: how often two small letters are joined
    height_mm: float  # of capitals
    width: float  # of letters, 1 = as drawn in letters.txt
    slant: float  # tangent of the lean to the right
    gap: float  # between letters
    word_gap: float
    small: float  # height of small letters
    descent: float  # how far tails reach down, 1 = as drawn
    later_capitals: float  # size of the capitals inside a word; 1 for most people
    waist: float  # how far the middle of capitals sits above where it is drawn
    squareness: float  # exponent of the letter's box: < 1 squarer, > 1 more pointed
    habit: float  # how far each letter's shape is this person's own
    wobble: float  # how much the same letter differs from one time to the next
    speed: float  # 0 careful … 1 hasty: corners round off, ends fly out
    tremor: float
    drift: float  # how far the base line wanders
    climb: float  # how steadily it climbs, a tangent
    heft: float  # pressure: 1 usual; < 1 light, > 1 heavy
    second_ways: float  # how often the other way of drawing a letter appears
    strays: float  # how many capitals are small letters drawn large

    @classmethod
    def from_seed(cls, seed: int, *, neatness: float | None = None, make: str | None = None) -> "Hand":
        """Make the handwriting of person number ``seed``.

        ``neatness`` (0 scrawl … 1 draughtsman) and the make of the pen are the person's own unless they are given.

        >>> Hand.from_seed(7) == Hand.from_seed(7), Hand.from_seed(7) == Hand.from_seed(8)
        (True, False)
        """
        rng = np.random.default_rng([0x0DE12, seed])
        drawn = float(rng.beta(1.7, 2.0))
        neat = drawn if neatness is None else neatness
        rough = 1 - neat
        capitals = rng.random() < 0.55
        joined = 0.0 if rng.random() < 0.62 else float(rng.uniform(0.35, 1.0))
        small_capitals = rng.random() < 0.22
        pen = pick_pen(rng, make)
        return cls(
            seed=seed,
            pen=pen,
            case=Case.CAPITALS if capitals else Case.AS_GIVEN,
            joined=joined,
            height_mm=max(float(np.clip(rng.lognormal(np.log(3.7), 0.19), 2.5, 5.6)), THICKEST * pen.width_mm),
            width=float(np.clip(rng.lognormal(-0.05, 0.16), 0.66, 1.4)),
            slant=float(rng.normal(0.06, 0.13)),
            gap=float(np.clip(rng.lognormal(np.log(0.19), 0.30), 0.09, 0.42)),
            word_gap=float(np.clip(rng.lognormal(np.log(0.62), 0.26), 0.38, 1.2)),
            small=float(np.clip(rng.normal(0.60, 0.07), 0.46, 0.80)),
            descent=float(rng.uniform(0.6, 1.15)),
            later_capitals=float(rng.uniform(0.70, 0.88)) if small_capitals else 1.0,
            waist=float(rng.normal(0, 0.045)),
            squareness=float(np.clip(rng.normal(1.0, 0.14), 0.72, 1.35)),
            habit=float(rng.uniform(0.45, 1.0) + 0.9 * rough),
            wobble=float(rng.uniform(0.10, 0.30) + 1.0 * rough**1.3),
            speed=float(np.clip(rng.normal(0.15, 0.10) + 0.75 * rough**1.2, 0.0, 1.0)),
            tremor=float(abs(rng.normal(0, 0.004)) + (0.010 if rng.random() < 0.08 else 0)),
            drift=float(abs(rng.normal(0, 0.03)) * (0.5 + rough)),
            climb=float(rng.normal(0.004, 0.012)),
            heft=float(rng.lognormal(0, 0.14)),
            second_ways=float(rng.uniform(0, 0.22)) if rng.random() < 0.5 else 0.0,
            strays=float(rng.uniform(0.05, 0.35)) if rng.random() < 0.25 + 0.3 * rough else 0.0,
        )

    def casing(self, text: str) -> str:
        """Choose the case this person writes a text in."""
        return text.upper() if self.case is Case.CAPITALS else text


@dataclass(frozen=True, slots=True, eq=False)
class LetterForm:
    """One letter as one person draws it."""

    letter: str
    points: Floats  # (n, 2): the points of all its strokes, y up, capital height = 1
    curve: Floats  # (m, n): curve @ points is the ink of all its strokes
    stroke_of: NDArray[np.intp]  # (n,): which stroke each point belongs to
    ends: tuple[int, ...]  # where each stroke ends in the curve
    joins: bool


@lru_cache(maxsize=4096)
def form(hand: Hand, letter: str, way: int) -> LetterForm:
    """Draw a letter as this person does; ``way`` 0 is the usual one, 1 the other one."""
    rng = np.random.default_rng([hand.seed, ord(letter), way])
    allograph = choose_way(hand, letter, way)
    points = np.vstack([stroke.points for stroke in allograph.strokes])
    waver = rng.normal(0, 0.030 * hand.habit, points.shape)
    waver += np.repeat(  # the pen comes down beside where it should: bars and bowls stand off their stems
        rng.normal(0, 0.035 * hand.habit, (len(allograph.strokes), 2)),
        [len(s.points) for s in allograph.strokes],
        axis=0,
    )
    stretch = np.exp(rng.normal(0, (0.09 * hand.habit, 0.07 * hand.habit)))
    shaped = points if letter in SIGNS else own_shape(points, hand, allograph.letter) * stretch
    if allograph.letter != letter:
        shaped *= STRAYS[letter]
    points = shaped + waver * (0.5 if letter in SIGNS else 1.0)
    blocks = [hurry(stroke, hand.speed) for stroke in allograph.strokes]
    ends = tuple(np.cumsum([len(block) for block in blocks]).tolist())
    curve = np.zeros((ends[-1], len(points)))
    row = column = 0
    for block in blocks:
        curve[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    points[:, 0] -= (curve @ points)[:, 0].min()
    stroke_of = np.repeat(np.arange(len(allograph.strokes)), [len(stroke.points) for stroke in allograph.strokes])
    return LetterForm(letter, points, curve, stroke_of, ends, allograph.joins and letter.islower())


def choose_way(hand: Hand, letter: str, way: int) -> Allograph:
    """Choose one of the ways of drawing a letter: common ones for most people, and script where letters are joined."""
    rng = np.random.default_rng([hand.seed, ord(letter), 77])
    if letter in STRAYS and rng.random() < hand.strays:
        printed = [allograph for allograph in alphabet()[letter.lower()] if not allograph.joins]
        return printed[int(rng.integers(len(printed)))]
    known = alphabet()[letter]
    weights = np.array([1 / (2 + place) for place in range(len(known))])
    if letter.islower():
        script = np.array([allograph.joins for allograph in known])
        mixed = 0.01 + 0.25 * (1 - hand.joined) if hand.joined else 0.0  # who joins little also prints some letters
        weights = weights * np.where(script == (hand.joined > 0), 1.0, mixed)
    order = rng.choice(len(known), size=len(known), replace=False, p=spread(weights))
    return known[int(order[min(way, int(np.count_nonzero(weights)) - 1)])]


def spread(weights: Floats) -> Floats:
    """Make weights into probabilities, none of them quite nothing."""
    floor = np.maximum(weights, 1e-9)
    return np.asarray(floor / floor.sum())


def own_shape(points: Floats, hand: Hand, letter: str) -> Floats:
    """Bend a letter as this person bends all letters: waist, squareness, and the height of small letters."""
    x, y = points[:, 0].copy(), points[:, 1].copy()
    middle, half = (x.max() + x.min()) / 2, max((x.max() - x.min()) / 2, 1e-6)
    if half > 0.1:
        across = (x - middle) / half
        x = middle + half * np.sign(across) * np.abs(across) ** hand.squareness
    if letter.islower():
        tall = hand.small + (y - 0.6) * (1 - hand.small) / 0.4
        y = np.where(y > 0.6, tall, np.where(y > 0, y * hand.small / 0.6, y * hand.descent))
        x = x * (0.4 + hand.small)  # large small letters are wide ones
    else:
        y = y + hand.waist * np.sin(np.pi * np.clip(y, 0, 1))
    return np.stack([x, y], axis=1)


def hurry(stroke: Stroke, speed: float) -> Floats:
    """Round off the corners of a stroke as a hasty pen does; the ends stay where they are."""
    count = len(stroke.curve)
    at = np.arange(count)
    reach = 0.4 + 2.6 * speed  # in samples: at full speed a corner is rounded over 0.3 of the capital height
    sigma = np.minimum(reach, np.minimum(at, count - 1 - at) / 1.6 + 1e-3)
    pull = np.exp(-0.5 * ((at[None, :] - at[:, None]) / sigma[:, None]) ** 2)
    return np.asarray((pull / pull.sum(axis=1, keepdims=True)) @ stroke.curve)
