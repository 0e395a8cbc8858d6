"""Ink beside what is read: marks that players make on a line and that no order has, in each one's own strokes.

Some are signs in the row of the letters (``A PAR -/- BUR``, ``F BRE - ENG C``): those are part of the text, and the
rules say what such a text means. Others lie on the letters or above them (a slash through the dash, a ring round a
word): no text says what they mean, and a row with one is always to be asked.
"""

import math
import random
import re
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from training.strokes import HANDWRITING

Stroke = NDArray[np.float64]  # points x, y in capital heights; the baseline is 0, y down
Word = tuple[str, list[Stroke]]
Laid = list[tuple[str, list[Stroke], Any]]  # letters with their strokes and pressure, spaces left out

# Signs in the row of the letters.

STRUCK_DASHES = ("-/-", "-/", "/-", "-/>", "-//-", "-x-", "-X", "=/=", "-\\-", "-|-")
BACK_ARROWS = ("<-", "<->", "<", "<--", "<>", "-<", "<=")
BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("/", "/"))
STRAY_LETTERS = "XCASHFxcBDOIN"
STRAY_SIGNS = ("?", "!", "/", "+", "*", "=", "&", "??", "(?)", "(X)", "#", "~", "%", "@", ")", "(", "^", "_")


def struck_dash(text: str, rng: random.Random) -> str:
    """Put a slash through the dash of a line, where it has one."""
    return _with_dash(text, rng.choice(STRUCK_DASHES))


def back_arrow(text: str, rng: random.Random) -> str:
    """Turn the arrow of a line round, or give it two heads."""
    return _with_dash(text, rng.choice(BACK_ARROWS))


def bracketed(text: str, rng: random.Random) -> str:
    """Put some words of a line in brackets."""
    words = text.split()
    first = rng.randrange(len(words))
    last = rng.randint(first, len(words) - 1)
    opens, closes = rng.choice(BRACKETS)
    words[first], words[last] = opens + words[first], words[last] + closes
    return " ".join(words)


def with_stray(text: str, rng: random.Random) -> str:
    """Put a letter or a sign of its own behind a line, before it, or between two of its words."""
    stray = rng.choice(STRAY_LETTERS) if rng.random() < 0.6 else rng.choice(STRAY_SIGNS)
    words = text.split()
    at = rng.choice((0, len(words), len(words), rng.randint(0, len(words))))
    return " ".join([*words[:at], stray, *words[at:]])


def dash_of(text: str) -> str | None:
    """What stands between two places of a line: its dash, with the gaps around it; None where it has none."""
    found = re.search(r" ?(-+>?|→|>) ?", text)
    return found[0] if found else None


def _with_dash(text: str, other: str) -> str:
    """Put something else in the place of a line's dash."""
    return text.replace(dash_of(text) or "", f" {other} ", 1)


WRITTEN: dict[str, Callable[[str, random.Random], str]] = {
    "struck dash": struck_dash,
    "back arrow": back_arrow,
    "brackets": bracketed,
    "stray sign": with_stray,
}


class Marked(Struct, frozen=True):
    """A line with a sign in it, or with a mark on it."""

    text: str
    mark: str = ""  # of MARKS, or a word above; empty: the text has it all


def marked(text: str, rng: random.Random) -> Marked:
    """Put a sign into a line, or a mark on it; what needs a dash is another where the line has none."""
    kind = rng.choice(KINDS)
    if kind in WITH_DASH and dash_of(text) is None:
        kind = "stray sign" if kind in WRITTEN else "ring"
    return Marked(WRITTEN[kind](text, rng)) if kind in WRITTEN else Marked(text, kind)


# Marks on the letters, or above them.

WORDS_ABOVE = ("not", "no", "or", "if", "?", "sc", "nc", "Bur", "Mun", "NTH", "Bel", "H", "S", "via", "Con", "X")


def slash_through_dash(words: Sequence[Word], rng: np.random.Generator) -> list[Stroke]:
    """Draw one slash or two through the dash, or a cross."""
    middle, _, size = _place(_one([word for word in words if _is_dash(word)], rng))
    high, lean, apart = rng.uniform(0.35, 0.8), rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.2)
    middle = _moved(middle, rng.uniform(-0.2, 0.2) * size[0], rng.uniform(-0.1, 0.1))
    ways = SLASHES[int(rng.choice(len(SLASHES), p=SLASH_WEIGHTS))]
    tops = [_moved(middle, way * lean + shift * apart, -high) for way, shift in ways]
    feet = [_moved(middle, shift * apart - way * lean, high) for way, shift in ways]
    return [_drawn(top, foot, rng) for top, foot in zip(tops, feet, strict=True)]


SLASHES = (((1, 0),), ((-1, 0),), ((1, -1), (1, 1)), ((1, 0), (-1, 0)))  # which way each leans, and how far aside
SLASH_WEIGHTS = (0.6, 0.1, 0.15, 0.15)


def head_on_the_left(words: Sequence[Word], rng: np.random.Generator) -> list[Stroke]:
    """Draw an arrow's head at the left end of the dash."""
    middle, low, _ = _place(_one([word for word in words if _is_dash(word)], rng))
    tip, long = np.array([low[0] - rng.uniform(0, 0.05), middle[1]]), rng.uniform(0.2, 0.38)
    turn = math.radians(rng.uniform(28, 45))
    arms = [tip + long * np.array([math.cos(turn), sign * math.sin(turn)]) for sign in (-1, 1)]
    if rng.random() < 0.6:
        return [np.concatenate([_drawn(arms[0], tip, rng), _drawn(tip, arms[1], rng)])]
    return [_drawn(arms[0], tip, rng), _drawn(arms[1], tip, rng)]


def ring(words: Sequence[Word], rng: np.random.Generator) -> list[Stroke]:
    """Draw a ring round a word, a letter or the dash."""
    low, high = _extent(_one(words, rng))
    room = rng.uniform(0.08, 0.3, 2)
    middle, half = (low + high) / 2, (high - low) / 2 * 1.15 + room
    half[1] = max(half[1], 0.35)
    turns = np.linspace(0, 2 * math.pi * rng.uniform(0.95, 1.1), 50) + rng.uniform(0, 6.28)
    wobble = 1 + 0.05 * np.sin(2 * turns + rng.uniform(0, 6.28))
    return [middle + np.stack([np.cos(turns), np.sin(turns)], 1) * half * wobble[:, None]]


def line_through_word(words: Sequence[Word], rng: np.random.Generator) -> list[Stroke]:
    """Strike a word out with a line, or a slash: of one letter or a dash it would be another letter or dash."""
    low, high = _extent(_one([word for word in words if len(word[0]) > 1 and not _is_dash(word)], rng))
    over = rng.uniform(0.0, 0.25)
    if rng.random() < 0.5:
        level = low[1] + (high[1] - low[1]) * rng.uniform(0.35, 0.65, 2)
        return [_drawn(np.array([low[0] - over, level[0]]), np.array([high[0] + over, level[1]]), rng)]
    return [_drawn(np.array([high[0] + over, low[1] - over]), np.array([low[0] - over, high[1] + over]), rng)]


MARKS: dict[str, Callable[[Sequence[Word], np.random.Generator], list[Stroke]]] = {
    "slash through dash": slash_through_dash,
    "head on the left": head_on_the_left,
    "ring": ring,
    "line through word": line_through_word,
}
ABOVE = "word above"
KINDS = (*WRITTEN, *MARKS, ABOVE)
WITH_DASH = ("struck dash", "back arrow", "slash through dash", "head on the left")


def _drawn(start: NDArray[np.float64], end: NDArray[np.float64], rng: np.random.Generator) -> Stroke:
    """Draw a line that is not quite straight."""
    along = np.linspace(0, 1, 12)[:, None]
    aside = np.array([[-(end - start)[1], (end - start)[0]]]) * rng.normal(0, 0.03)
    return np.asarray(start + (end - start) * along + np.sin(math.pi * along) * aside)


def _is_dash(word: Word) -> bool:
    return word[0][0] in "-→>"


def _moved(point: NDArray[np.float64], across: float, down: float) -> NDArray[np.float64]:
    return np.asarray(point + np.array([across, down]))


def _extent(strokes: Sequence[Stroke]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    points = np.concatenate(strokes)
    return points.min(0), points.max(0)


def _place(strokes: Sequence[Stroke]) -> tuple[NDArray[np.float64], ...]:
    """The middle of some strokes, their upper left corner and their size."""
    low, high = _extent(strokes)
    return (low + high) / 2, low, high - low


def _words(laid: Laid, text: str) -> list[Word]:
    """The words and dashes of a text, each with its strokes."""
    found, first = [], 0
    for word in re.findall(r"[-→>]+|[^-→>\s]+", text):
        found.append((word, [stroke for _, strokes, _ in laid[first : first + len(word)] for stroke in strokes]))
        first += len(word)
    return found


def _one(words: Sequence[Word], rng: np.random.Generator) -> list[Stroke]:
    """The strokes of one of some words."""
    return words[int(rng.integers(len(words)))][1]


@lru_cache(maxsize=1)
def bank_with_marks(folder: Path = HANDWRITING) -> tuple[Any, type[Exception]]:
    """Make the class of a bank (the handwriting set's composer) that draws marks; and what a missing letter raises."""
    sys.path.insert(0, str(folder / "tools"))
    from compose import Bank, Missing  # type: ignore[import-not-found]  # noqa: PLC0415 - the set's own tool

    class BankWithMarks(Bank):  # type: ignore[misc]
        """Lays the letters of a line, and the mark that is wanted on it."""

        mark = ""  # of MARKS, or a word above; empty: none

        def layout(self, text: str, w: str, rng: np.random.Generator, meta: Any, tight: float = 1.0) -> Laid:
            laid: Laid = super().layout(text, w, rng, meta, tight)
            if self.mark in MARKS:
                return [*laid, (self.mark, MARKS[self.mark](_words(laid, text), rng), None)]
            return [*laid, *self.above(laid, w, rng, meta)] if self.mark == ABOVE else laid

        def above(self, laid: Laid, w: str, rng: np.random.Generator, meta: Any) -> Laid:
            """A small word above the line, sometimes with a caret under it."""
            word = next(word for word in rng.permutation(WORDS_ABOVE) if not self.missing(w, word))
            small: Laid = super().layout(str(word), w, rng, meta)
            (low, high), scale = _extent([s for _, strokes, _ in laid for s in strokes]), rng.uniform(0.5, 0.75)
            at = np.array([rng.uniform(low[0] + 0.3, high[0] - 0.5), min(-1.05, low[1]) - rng.uniform(0.05, 0.25)])
            found = [(letter, [s * scale + at for s in strokes], pr) for letter, strokes, pr in small]
            if rng.random() < 0.4:
                tip = _moved(at, 0.2, rng.uniform(0.1, 0.3))
                found.append(("^", [np.array([_moved(tip, -0.15, 0.3), tip, _moved(tip, 0.15, 0.3)])], None))
            return found

    return BankWithMarks, Missing
