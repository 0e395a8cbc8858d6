"""The letters as people draw them: the allographs of ``letters.txt``, and curves through their points."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pipeline.problems import Problem, Stopped, Weight

Floats = NDArray[np.float64]

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


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """One movement of the pen on paper: points it passes, and the matrix that makes a curve of them."""

    points: Floats  # (n, 2), y up, capital height = 1
    curve: Floats  # (m, n): curve @ points are m points, STEP apart


@dataclass(frozen=True, slots=True, eq=False)
class Allograph:
    """One way of drawing a letter."""

    letter: str
    name: str  # "tent"
    strokes: tuple[Stroke, ...]
    joins: bool  # the first stroke can be joined to both neighbours


@cache
def alphabet() -> Mapping[str, tuple[Allograph, ...]]:
    """Read how people draw each letter, the commonest way first.

    >>> len(alphabet()["A"]), alphabet()["A"][0].name, "é" in alphabet()
    (6, 'tent', False)
    """
    return read_letters(files("pipeline.pen").joinpath("letters.txt").read_text("utf-8"), "letters.txt")


def read_letters(text: str, where: str) -> Mapping[str, tuple[Allograph, ...]]:
    """Read allographs from their text form; every line that is not one is named."""
    found: dict[str, list[Allograph]] = {}
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("# "):
            continue
        try:
            allograph = read_allograph(line)
        except ValueError as fault:
            problems.append(Problem(Weight.STOPS, str(fault), f"{where} line {number}"))
        else:
            found.setdefault(allograph.letter, []).append(allograph)
    if problems:
        raise Stopped(problems)
    return MappingProxyType({letter: tuple(ways) for letter, ways in found.items()})


def read_allograph(line: str) -> Allograph:
    """Read one line: ``A tent  0,0 36,100! 72,0 | 13,36 60,36``.

    >>> [len(stroke.points) for stroke in read_allograph("A tent  0,0 36,100! 72,0 | 13,36 60,36").strokes]
    [3, 2]
    """
    head = line.split(maxsplit=2)
    if len(head) < 3 or len(head[0]) != 1:
        raise ValueError(f"expected 'letter name x,y x,y …', found {line!r}")
    letter, name, path = head
    return Allograph(letter, name.rstrip("~"), tuple(map(read_stroke, path.split("|"))), name.endswith("~"))


def read_stroke(text: str) -> Stroke:
    """Read the points of one stroke; ``!`` marks a corner."""
    words = text.split()
    pairs = [word.rstrip("!").split(",") for word in words]
    if len(pairs) < 2 or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"expected at least two points 'x,y', found {text.strip()!r}")
    points = np.array(pairs, dtype=np.float64) / 100
    corners = [index for index, word in enumerate(words) if word.endswith("!") and 0 < index < len(words) - 1]
    return Stroke(points, curve_through(points, [0, *corners, len(words) - 1]))


def curve_through(points: Floats, corners: list[int]) -> Floats:
    """Make the (m, n) matrix of a curve through n points: smooth but for the corners, its m samples STEP apart.

    The knots come from these points; afterwards the matrix is linear in them, so that a hand can move the points
    and have its own curve for the price of one product.
    """
    weights = np.zeros((0, len(points)))
    for first, last in pairwise(corners):
        piece = np.zeros((FINE * (last - first) + 1, len(points)))
        piece[:, first : last + 1] = catmull_rom(points[first : last + 1])
        weights = np.vstack([weights[:-1], piece])
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(weights @ points, axis=0).T))])
    at = np.linspace(0, length[-1], max(3, int(np.ceil(length[-1] / STEP)) + 1))
    index = np.clip(np.searchsorted(length, at, side="right") - 1, 0, len(length) - 2)
    part = ((at - length[index]) / np.maximum(length[index + 1] - length[index], 1e-9))[:, None]
    return np.asarray(weights[index] * (1 - part) + weights[index + 1] * part)


def catmull_rom(points: Floats) -> Floats:
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
    if text.isascii() and all(letter == " " or letter in alphabet() for letter in text):
        return text
    plain = unicodedata.normalize("NFKD", text.translate(UNLETTERED))
    plain = " ".join("".join(c for c in plain if not unicodedata.combining(c)).split(" "))
    unknown = sorted({letter for letter in plain if letter != " " and letter not in alphabet()})
    if unknown:
        names = ", ".join(map(repr, unknown))
        raise Stopped((Problem(Weight.STOPS, f"the pen has no strokes for {names}; spell it in Latin letters", text),))
    return plain
