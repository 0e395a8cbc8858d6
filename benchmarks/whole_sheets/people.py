"""Real people's hands: a text becomes one person's own pen strokes, in mm, for the pen to lay on a printed sheet.

Letters and spacing are the handwriting set's own composer's, not the one that makes the net's training pictures.
"""

import warnings
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Protocol

import numpy as np

from pipeline.pen.hand import PenPath
from pipeline.pen.writing import Writing
from training.beside import bank_with_marks
from training.dev_labels import SEEN, leave_out_wrong_labels, mark_as_seen
from training.strokes import HANDWRITING

SMOOTH = 3  # points between two samples of a digitiser: a curve, as the hand drew it, not a polygon
DOT = np.array((0.12, 0.0))  # mm: half of the stroke that a dot is
LETTERS = "ABCDEFGHIJKLMNOPRSTUVWYabcdefghijklmnoprstuvwy"


class Bank(Protocol):
    """What is used of the set's own composer (handwriting/tools/compose.py)."""

    writers: list[str]
    mark: str  # that is drawn on what it lays (training/beside.py); empty: none

    def have(self, writer: str, letter: str) -> bool:
        """Whether a person wrote a letter for the record."""

    def layout(self, text: str, writer: str, rng: np.random.Generator, meta: dict[str, Any], tight: float) -> list[Any]:
        """Set a text: each letter with its strokes in capital heights, the base line at 0."""

    def missing(self, writer: str, text: str) -> list[str]:
        """The letters of a text that a person cannot write."""


class InHand(Writing, frozen=True, eq=False):
    """What one person wrote."""

    has_another: bool = False  # letter than its text: one that is seen as another (training/dev_labels.toml)


@lru_cache(maxsize=1)
def bank(folder: Path = HANDWRITING) -> Bank:
    """Load the hands that nothing was trained on."""
    composer, _ = bank_with_marks(folder)

    class Hands(composer):  # type: ignore[misc, valid-type]
        def glyph(
            self, writer: str, letter: str, rng: np.random.Generator, used: set[Any], meta: dict[str, Any]
        ) -> Mapping[str, Any]:
            """Take one of a person's letters, and say of the text whether it is seen as another."""
            found: Mapping[str, Any] = super().glyph(writer, letter, rng, used, meta)
            meta[SEEN] = meta.get(SEEN, False) or SEEN in found
            return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the tool leaves it to Python to close its files
        hands = Hands(split="dev", borrow=True)
        mark_as_seen(hands.B)
        leave_out_wrong_labels(hands.B)
        found: Bank = hands
    return found


def writable(writer: str, text: str) -> str | None:
    """The text as this person can write it; None where letters are missing.

    A person who never wrote a letter in one case for the record writes it in the other: many do anyhow.
    """
    hands = bank()
    written = "".join(
        letter if hands.have(writer, letter) else swapped if hands.have(writer, swapped) else "\0"
        for letter in text
        for swapped in [letter.swapcase()]
    )
    return None if "\0" in written else written


def own_letters(writer: str, letters: str = "") -> float:
    """The share of some letters that a person has; of the alphabet, in one case or the other, if left out."""
    hands = bank()
    if letters:
        return sum(hands.have(writer, letter) for letter in letters) / len(letters)
    return sum(hands.have(writer, a) or hands.have(writer, a.upper()) for a in ascii_lowercase) / len(ascii_lowercase)


def write(
    text: str, writer: str, cap_mm: float, rng: np.random.Generator, *, over: int | None = None, mark: str = ""
) -> InHand:
    """Write a text in a person's hand; the letter ``over`` (0.., of those with ink) was another one first.

    ``mark``: what is drawn on it (training/beside.py).
    """
    hands = bank()
    hands.mark = mark
    meta: dict[str, Any] = {"text": text, "writer": writer, "derived": [], "composite": []}
    letters = hands.layout(text, writer, rng, meta, 1.0)
    hands.mark = ""
    strokes = [np.asarray(stroke, np.float64) for _, drawn, _ in letters for stroke in drawn]
    if over is not None:
        strokes = [*under(letters[over], writer, rng), *strokes, *pressed(letters[over], rng)]
    slope = np.radians(rng.normal(0, 0.7))
    turn = np.array([[np.cos(slope), -np.sin(slope)], [np.sin(slope), np.cos(slope)]]) * cap_mm
    drawn = tuple(rounded(stroke @ turn.T) for stroke in strokes)
    right = max(float(stroke[:, 0].max()) for stroke in drawn)
    return InHand(drawn, cap_mm, ((0.0, right),), meta[SEEN])


def under(letter: tuple[str, list[PenPath], Any], writer: str, rng: np.random.Generator) -> list[PenPath]:
    """Draw the wrong letter that stood there first, as wide as the right one."""
    able = [other for other in LETTERS if other.lower() != letter[0].lower() and bank().have(writer, other)]
    meta: dict[str, Any] = {"text": "", "writer": writer, "derived": [], "composite": []}
    wrong = bank().layout(str(rng.choice(able)), writer, rng, meta, 1.0)[0][1]
    here, there = (np.concatenate([np.asarray(stroke) for stroke in drawn]) for drawn in (letter[1], wrong))
    wide = np.ptp(here[:, 0]) / max(float(np.ptp(there[:, 0])), 0.1)
    scale = np.array([min(max(wide, 0.5), 1.5), 1.0])
    move = np.array([here[:, 0].min(), 0.0]) - np.array([there[:, 0].min(), 0.0]) * scale
    return [np.asarray(stroke) * scale + move for stroke in wrong]


def pressed(letter: tuple[str, list[PenPath], Any], rng: np.random.Generator) -> list[PenPath]:
    """Draw the right letter once more, pressed harder: beside its own line by a hair."""
    return [np.asarray(stroke) + rng.normal(0, 0.02, 2) for stroke in letter[1]]


def rounded(points: PenPath) -> PenPath:
    """Lay a curve through a digitiser's points (Catmull and Rom); a dot becomes a stroke as short as a dot."""
    if len(points) < 2 or float(np.ptp(points, axis=0).max()) < DOT[0]:
        middle = points.mean(axis=0)
        return np.array([middle - DOT, middle, middle + DOT])
    before = np.vstack([2 * points[0] - points[1], points[:-2]])
    after = np.vstack([points[2:], 2 * points[-1] - points[-2]])
    start, end = points[:-1], points[1:]
    at = (np.arange(SMOOTH) / SMOOTH)[None, :, None]
    a, b, c, d = (part[:, None, :] for part in (before, start, end, after))
    curve = 0.5 * (2 * b + (c - a) * at + (2 * a - 5 * b + 4 * c - d) * at**2 + (3 * b - a - 3 * c + d) * at**3)
    return np.vstack([curve.reshape(-1, 2), points[-1:]])
