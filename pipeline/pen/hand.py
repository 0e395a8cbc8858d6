"""One person's handwriting: what stays the same from letter to letter, drawn once from a seed."""

import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.problems import Problem, Stopped, Weight, stop

# The letters as people draw them: the allographs of ``letters.txt``, and curves through their points.

PenPath = NDArray[np.float64]  # (n, 2): where the pen goes

STEP = 0.05  # of the capital height: the distance between two samples of a stroke, fine enough for an O of 8 mm
FINE = 12  # samples of the curve between two neighbouring points, before they are spread evenly
UNLETTERED = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}
    | dict.fromkeys("–—−‐‑_", "-")
    | dict.fromkeys("’‘´`", "'")
    | dict.fromkeys("“”", '"')
    | dict.fromkeys("➔➝⇒", "→")
    | {"[": "(", "]": ")", "\\": "/"}
)


class Stroke(Struct, frozen=True, eq=False):
    """One movement of the pen on paper: points it passes, and the matrix that makes a curve of them."""

    points: PenPath  # (n, 2), y up, capital height = 1
    curve: NDArray[np.float64]  # (m, n): curve @ points are m points, at most STEP apart


class Allograph(Struct, frozen=True, eq=False):
    """One way of drawing a letter."""

    letter: str
    name: str  # "tent"
    strokes: tuple[Stroke, ...]
    joins: bool  # the first stroke can be joined to both neighbours


@cache
def _alphabet() -> Mapping[str, tuple[Allograph, ...]]:
    """Read how people draw each letter, the commonest way first.

    >>> len(_alphabet()["A"]), _alphabet()["A"][0].name, "é" in _alphabet()
    (6, 'tent', False)
    """
    return _read_letters(files("pipeline.pen").joinpath("letters.txt").read_text("utf-8"), "letters.txt")


def _read_letters(text: str, where: str) -> Mapping[str, tuple[Allograph, ...]]:
    """Read allographs from their text form; every line that is not one is named."""
    allographs: dict[str, list[Allograph]] = {}
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("# "):
            continue
        try:
            allograph = _read_allograph(line)
        except ValueError as fault:
            problems.append(Problem(Weight.STOPS, str(fault), f"{where} line {number}"))
        else:
            allographs.setdefault(allograph.letter, []).append(allograph)
    if problems:
        raise Stopped(problems)
    return MappingProxyType({letter: tuple(ways) for letter, ways in allographs.items()})


def _read_allograph(line: str) -> Allograph:
    """Read one line: ``A tent  0,0 36,100! 72,0 | 13,36 60,36``.

    >>> [len(stroke.points) for stroke in _read_allograph("A tent  0,0 36,100! 72,0 | 13,36 60,36").strokes]
    [3, 2]
    """
    head = line.split(maxsplit=2)
    if len(head) < 3 or len(head[0]) != 1:
        raise ValueError(f"expected 'letter name x,y x,y …', found {line!r}")
    letter, name, path = head
    return Allograph(letter, name.rstrip("~"), tuple(map(_read_stroke, path.split("|"))), name.endswith("~"))


def _read_stroke(text: str) -> Stroke:
    """Read the points of one stroke; ``!`` marks a corner."""
    words = text.split()
    pairs = [word.rstrip("!").split(",") for word in words]
    if len(pairs) < 2 or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"expected at least two points 'x,y', found {text.strip()!r}")
    points = np.array(pairs, dtype=np.float64) / 100
    corners = [index for index, word in enumerate(words) if word.endswith("!") and 0 < index < len(words) - 1]
    return Stroke(points, _curve_through(points, [0, *corners, len(words) - 1]))


def _curve_through(points: PenPath, corners: list[int]) -> PenPath:
    """Make the (m, n) matrix of a curve through n points: smooth but for the corners, its m samples at most STEP apart.

    The knots come from these points; afterwards the matrix is fixed and the curve linear in the points, so that a hand
    can move the points and have its own curve for the price of one product.
    """
    weights = np.zeros((0, len(points)))
    for first, last in pairwise(corners):
        piece = np.zeros((FINE * (last - first) + 1, len(points)))
        piece[:, first : last + 1] = _catmull_rom(points[first : last + 1])
        weights = np.vstack([weights[:-1], piece])
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(weights @ points, axis=0).T))])
    at = np.linspace(0, length[-1], max(3, int(np.ceil(length[-1] / STEP)) + 1))
    index = np.clip(np.searchsorted(length, at, side="right") - 1, 0, len(length) - 2)
    part = ((at - length[index]) / np.maximum(length[index + 1] - length[index], 1e-9))[:, None]
    return np.asarray(weights[index] * (1 - part) + weights[index + 1] * part)


def _catmull_rom(points: PenPath) -> PenPath:
    """Make the matrix of a centripetal Catmull-Rom curve through n points, FINE samples between each two of them."""
    count = len(points)
    eye = np.eye(count)
    ghosts = np.vstack([2 * eye[0] - eye[1], eye, 2 * eye[-1] - eye[-2]])  # straight on beyond both ends
    gap = np.maximum(np.hypot(*np.diff(ghosts @ points, axis=0).T), 1e-6) ** 0.5
    knots = np.concatenate([[0.0], np.cumsum(gap)])
    pieces = []
    for i in range(count - 1):
        t0, t1, t2, t3 = knots[i : i + 4]
        p0, p1, p2, p3 = ghosts[i : i + 4]
        t = np.linspace(t1, t2, FINE, endpoint=False)[:, None]
        a1 = (t1 - t) / (t1 - t0) * p0 + (t - t0) / (t1 - t0) * p1
        a2 = (t2 - t) / (t2 - t1) * p1 + (t - t1) / (t2 - t1) * p2
        a3 = (t3 - t) / (t3 - t2) * p2 + (t - t2) / (t3 - t2) * p3
        b1 = (t2 - t) / (t2 - t0) * a1 + (t - t0) / (t2 - t0) * a2
        b2 = (t3 - t) / (t3 - t1) * a2 + (t - t1) / (t3 - t1) * a3
        pieces.append((t2 - t) / (t2 - t1) * b1 + (t - t1) / (t2 - t1) * b2)
    return np.vstack([*pieces, eye[-1:]])


def writable(text: str) -> str:
    """Spell a text with the letters the pen knows: accents go, typographer's signs become plain ones.

    >>> writable("José – Łódź")
    'Jose - Lodz'
    """
    if text.isascii() and all(letter == " " or letter in _alphabet() for letter in text):
        return text
    plain = unicodedata.normalize("NFKD", text.translate(UNLETTERED))
    plain = " ".join("".join(c for c in plain if not unicodedata.combining(c)).split(" "))
    unknown = sorted({letter for letter in plain if letter != " " and letter not in _alphabet()})
    if unknown:
        names = ", ".join(map(repr, unknown))
        raise stop(f"the pen has no strokes for {names}; spell it in Latin letters", text)
    return plain


# What people write with: how wide and how dark the line is, and how it breaks.

Colour = tuple[int, int, int]  # blue, green, red, as OpenCV orders them


class Make(Struct, frozen=True):
    """A kind of pen; the ranges are what shops sell and what scans at 600 dpi show."""

    width_mm: tuple[float, float]
    swell: float  # how far the width follows pressure and speed, 0..1
    darkness: tuple[float, float]  # of the ink in the middle of the line, 0..1
    bleed_mm: tuple[float, float]  # how soft the edge is
    grain: float  # how much paper shows through, 0..1
    skips: float  # how much the line breaks up where the pen is fast, 0..1
    colours: tuple[Colour, ...]


BLACK, WORN_BLACK = (38, 35, 35), (62, 55, 55)
BLUE, NAVY, ROYAL = (150, 62, 36), (92, 40, 26), (188, 84, 44)
GRAPHITE, PALE_GRAPHITE = (92, 92, 92), (118, 116, 116)

MAKES: Mapping[str, Make] = MappingProxyType(
    {
        "ballpoint": Make(
            (0.28, 0.46), 0.24, (0.76, 0.97), (0.020, 0.034), 0.10, 0.5, (BLUE, BLACK, NAVY, WORN_BLACK, ROYAL)
        ),
        "gel": Make((0.40, 0.62), 0.12, (0.92, 1.0), (0.020, 0.030), 0.0, 0.05, (BLACK, BLUE, NAVY)),
        "fineliner": Make((0.34, 0.54), 0.08, (0.92, 1.0), (0.018, 0.028), 0.0, 0.0, (BLACK, BLACK, ROYAL)),
        "felt": Make((0.62, 0.92), 0.16, (0.88, 1.0), (0.030, 0.050), 0.05, 0.0, (BLACK, BLUE)),
        "pencil": Make((0.36, 0.62), 0.30, (0.50, 0.86), (0.026, 0.046), 0.32, 0.3, (GRAPHITE, PALE_GRAPHITE)),
    }
)
SHARES = MappingProxyType({"ballpoint": 0.52, "gel": 0.16, "fineliner": 0.12, "felt": 0.05, "pencil": 0.15})


class Pen(Struct, frozen=True):
    make: str  # a key of MAKES
    colour: Colour
    width_mm: float
    swell: float
    darkness: float
    bleed_mm: float
    grain: float
    skips: float


def pick_pen(rng: np.random.Generator, make: str | None = None) -> Pen:
    """Take a pen as it lies about in a tournament hall, or one of a given make.

    >>> pick_pen(np.random.default_rng(1), "pencil").make
    'pencil'
    """
    name = make or str(rng.choice(list(SHARES), p=list(SHARES.values())))
    kind = MAKES[name]
    shade = rng.uniform(0.88, 1.14)
    blue, green, red = (min(255, round(part * shade)) for part in kind.colours[rng.integers(len(kind.colours))])
    return Pen(
        make=name,
        colour=(blue, green, red),
        width_mm=rng.uniform(*kind.width_mm),
        swell=kind.swell * rng.uniform(0.6, 1.3),
        darkness=rng.uniform(*kind.darkness),
        bleed_mm=rng.uniform(*kind.bleed_mm),
        grain=kind.grain * rng.uniform(0.6, 1.3),
        skips=kind.skips * rng.uniform(0.3, 1.3),
    )


THICKEST = 5.5  # times the width of the line: smaller letters close up, and people with felt pens write larger
# capitals for which people write the small letter, and how much larger; never L, whose small form is an I
STRAYS = {**dict.fromkeys("AEMNRU", 1.35), **dict.fromkeys("BDHIT", 1.0), **dict.fromkeys("GPQY", 1.15)}
SIGNS = ".,:;'\"-"  # too small to be bent like a letter


class Case(StrEnum):
    """Which letters a person uses on an order sheet that asks for capitals."""

    CAPITALS = "capitals"
    AS_GIVEN = "as given"


class Hand(Struct, frozen=True, kw_only=True):
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
        """Put a text into the case that this person writes in."""
        return text.upper() if self.case is Case.CAPITALS else text


class LetterForm(Struct, frozen=True, eq=False):
    """One letter as one person draws it."""

    points: PenPath  # (n, 2): the points of all its strokes, y up, capital height = 1
    curve: NDArray[np.float64]  # (m, n): curve @ points is the ink of all its strokes
    stroke_of: NDArray[np.intp]  # (n,): which stroke each point belongs to
    ends: tuple[int, ...]  # where each stroke ends in the curve
    joins: bool


@lru_cache(maxsize=4096)
def form_letter(hand: Hand, letter: str, way: int) -> LetterForm:
    """Draw a letter as this person does; ``way`` 0 is the usual one, 1 the other one."""
    rng = np.random.default_rng([hand.seed, ord(letter), way])
    allograph = _choose_way(hand, letter, way)
    points = np.vstack([stroke.points for stroke in allograph.strokes])
    waver = rng.normal(0, 0.030 * hand.habit, points.shape)
    waver += np.repeat(  # the pen comes down beside where it should: bars and bowls stand off their stems
        rng.normal(0, 0.035 * hand.habit, (len(allograph.strokes), 2)),
        [len(s.points) for s in allograph.strokes],
        axis=0,
    )
    stretch = np.exp(rng.normal(0, (0.09 * hand.habit, 0.07 * hand.habit)))
    shaped = points if letter in SIGNS else _own_shape(points, hand, allograph.letter) * stretch
    if allograph.letter != letter:
        shaped *= STRAYS[letter]
    points = shaped + waver * (0.5 if letter in SIGNS else 1.0)
    blocks = [_hurry(stroke, hand.speed) for stroke in allograph.strokes]
    ends = tuple(np.cumsum([len(block) for block in blocks]).tolist())
    curve = np.zeros((ends[-1], len(points)))
    row = column = 0
    for block in blocks:
        curve[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    points[:, 0] -= (curve @ points)[:, 0].min()
    stroke_of = np.repeat(np.arange(len(allograph.strokes)), [len(stroke.points) for stroke in allograph.strokes])
    return LetterForm(points, curve, stroke_of, ends, allograph.joins and letter.islower())


def _choose_way(hand: Hand, letter: str, way: int) -> Allograph:
    """Choose one of the ways of drawing a letter: common ones for most people, and script where letters are joined."""
    rng = np.random.default_rng([hand.seed, ord(letter), 77])
    if letter in STRAYS and rng.random() < hand.strays:
        printed = [allograph for allograph in _alphabet()[letter.lower()] if not allograph.joins]
        return printed[int(rng.integers(len(printed)))]
    known = _alphabet()[letter]
    weights = np.array([1 / (2 + place) for place in range(len(known))])
    if letter.islower():
        script = np.array([allograph.joins for allograph in known])
        mixed = 0.01 + 0.25 * (1 - hand.joined) if hand.joined else 0.0  # who joins little also prints some letters
        weights = weights * np.where(script == (hand.joined > 0), 1.0, mixed)
    floor = np.maximum(weights, 1e-9)  # above 0, so that each has its place in the order
    order = rng.choice(len(known), size=len(known), replace=False, p=np.asarray(floor / floor.sum()))
    return known[int(order[min(way, int(np.count_nonzero(weights)) - 1)])]


def _own_shape(points: PenPath, hand: Hand, letter: str) -> PenPath:
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


def _hurry(stroke: Stroke, speed: float) -> PenPath:
    """Round off the corners of a stroke as a hasty pen does; the ends stay where they are."""
    count = len(stroke.curve)
    at = np.arange(count)
    reach = 0.4 + 2.6 * speed  # in samples: at full speed a corner is rounded over 0.3 of the capital height
    sigma = np.minimum(reach, np.minimum(at, count - 1 - at) / 1.6 + 1e-3)
    pull = np.exp(-0.5 * ((at[None, :] - at[:, None]) / sigma[:, None]) ** 2)
    return np.asarray((pull / pull.sum(axis=1, keepdims=True)) @ stroke.curve)
