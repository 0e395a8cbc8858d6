"""Rows with a mark by the same pen as the letters, for the net that sees ink which belongs to no sign.

The marks of `training/unread_marks.py` lie on finished pictures, so a net may know them by their ink. These are strokes
among the strokes of a line: only their shape and their place tell them from letters. All lengths are in heights of a
capital; the baseline is 0, y down.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Stroke = NDArray[np.float64]  # points x, y
Laid = list[tuple[str, list[Stroke], Any]]  # letters with their strokes and pressure, spaces left out

MARK, DASH = "mark", "-→>"  # the name of one among the letters; the letters that are dashes
# In place of a dash, or among the words: signs that a line's own text lacks. The readers know brackets and slashes, but
# do not always see them
DASHES = ("<-", "<->", "<", "<--", "-x-", "-X", "=x=", "-|-", "x", "-?", "-!")
KNOWN_DASHES = ("-/-", "-/", "/-", "-/>", "-//-", "=/=", "-)", "(-", "/>", "-/->")
STRAY = (*"?!+*=&#~%@^_<", *"ABCDEFHIKLMNOPRSTVXZabcdefhiklmnoprstuvxz", "??", "no", "or", "if", "X?")
KNOWN = ("/", "/", ")", "(", "//")
BRACKETS = (("(", ")"), ("/", "/"))
SMALL_WORDS = (*STRAY, "not", "sc", "nc", "Bur", "Mun", "NTH", "Bel", "via", "Con", "oder", "non", "1", "2", "C")


class Extent(Struct, frozen=True):
    left: float
    top: float
    right: float
    bottom: float

    @property
    def wide(self) -> float:
        return self.right - self.left

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def extent_of(strokes: Sequence[Stroke]) -> Extent:
    points = np.concatenate(strokes)
    return Extent(*map(float, (*points.min(0), *points.max(0))))


class Page:
    """The letters of a line, to draw a mark on."""

    def __init__(self, laid: Laid, rng: np.random.Generator) -> None:
        self.rng = rng
        self.letters = [(letter, extent_of(strokes)) for letter, strokes, _ in laid]
        self.all = extent_of([stroke for _, strokes, _ in laid for stroke in strokes])
        self.words: list[list[Extent]] = [[]]
        for (before, one), (letter, other) in pairwise([("", self.all), *self.letters]):
            apart = other.left - one.right > 0.3 or "-" in (before, letter) or letter == "→"
            if before and apart:
                self.words.append([])
            self.words[-1].append(other)

    def between(self, least: float, most: float) -> float:
        return float(self.rng.uniform(least, most))

    def one(self, *choices: Any) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def word(self, least: int = 1) -> Extent:
        """One of the words, or a part of it."""
        some = [word for word in self.words if len(word) >= least] or self.words
        word = self.one(*some)
        if self.rng.random() < 0.25 and len(word) > least:
            first = int(self.rng.integers(len(word) - least))
            word = word[first : first + int(self.rng.integers(least, len(word) + 1))]
        return Extent(word[0].left, min(one.top for one in word), word[-1].right, max(one.bottom for one in word))

    def dash(self) -> Extent:
        """One of the dashes or arrows; a letter where the line has none."""
        pairs = pairwise([("", self.all), *self.letters])
        found = [one for (before, _), (letter, one) in pairs if letter in DASH and before != "-"]
        one: Extent = self.one(*found) if found else self.one(*self.letters)[1]
        return one

    def line(self, start: tuple[float, float], end: tuple[float, float]) -> Stroke:
        """Draw a line that is not quite straight."""
        first, last = np.asarray(start, float), np.asarray(end, float)
        along = np.linspace(0, 1, 12)[:, None]
        aside = np.array([-(last - first)[1], (last - first)[0]]) * self.rng.normal(0, 0.04)
        return np.asarray(first + (last - first) * along + np.sin(math.pi * along) * aside)


def _slash(page: Page) -> list[Stroke]:
    """Slashes through a dash, or a cross."""
    dash = page.dash()
    x, y = dash.middle
    x, y = x + page.between(-0.35, 0.35) * dash.wide, y + page.between(-0.12, 0.12)
    half, turn = page.between(0.15, 0.8), math.radians(page.between(-20, 65) * page.one(1, 1, 1, -1))
    across, down = half * math.sin(turn), half * math.cos(turn)
    found = []
    for aside in page.one((0.0,), (0.0,), (0.0,), (-0.5, 0.5)):
        left = x + aside * page.between(0.1, 0.4)
        found.append(page.line((left + across, y - down), (left - across, y + down * page.between(0.6, 1.2))))
    if page.rng.random() < 0.25:  # crossed
        across = max(abs(across), 0.4 * half)
        found.append(page.line((x - across, y - down), (x + across, y + down)))
    return found


def _head(page: Page) -> list[Stroke]:
    """An arrow's head at the left of a dash, open, closed or filled; seldom one that points to the right."""
    dash, rng = page.dash(), page.rng
    x, y = dash.left + page.between(-0.15, 0.12), dash.middle[1] + page.between(-0.09, 0.09)
    long, other = page.between(0.12, 0.42), page.between(0.75, 1.3)
    if rng.random() < 0.4:  # it touches the dash
        x, y, long = dash.left + page.between(-0.05, 0.05), dash.middle[1] + page.between(-0.04, 0.04), long * 0.8
    turns = [math.radians(page.between(18, 62)), -math.radians(page.between(18, 62))]
    way = -1 if rng.random() < 0.1 else 1
    arms = [
        (x + way * long * much * math.cos(turn), y - long * much * math.sin(turn))
        for turn, much in zip(turns, (1, other), strict=True)
    ]
    kind = rng.random()
    if kind < 0.08:  # one barb
        return [page.line(page.one(*arms), (x, y))]
    found = [np.concatenate([page.line(arms[0], (x, y)), page.line((x, y), arms[1])])]
    if kind > 0.6:
        found = [page.line(arms[0], (x, y)), page.line((x, y), arms[1])]
    if kind > 0.82:  # closed
        found.append(page.line(*arms))
    if kind > 0.92:  # filled
        found += [page.line(*[(x + (u - x) * share, y + (v - y) * share) for u, v in arms]) for share in (0.75, 0.5)]
    return found


def _ring(page: Page) -> list[Stroke]:
    """A ring round a word, some letters, or a dash."""
    around = page.word() if page.rng.random() < 0.75 else page.dash()
    x, y = around.middle
    half = [around.wide / 2 * page.between(1, 1.25) + page.between(0.05, 0.3)]
    half.append(max(0.3, (around.bottom - around.top) / 2 * page.between(1, 1.25) + page.between(0.02, 0.3)))
    turns = np.linspace(0, 2 * math.pi * page.between(0.85, 1.15), 50) + page.between(0, 6.28)
    wobble = 1 + page.between(0, 0.08) * np.sin(2 * turns + page.between(0, 6.28))
    return [np.array([x, y]) + np.stack([np.cos(turns), np.sin(turns)], 1) * half * wobble[:, None]]


def _strike(page: Page) -> list[Stroke]:
    """Lines through a word or a part of it: level, leaning, two, waves, or to and fro."""
    word = page.word(2)
    left, right = word.left - page.between(-0.1, 0.3), word.right + page.between(-0.1, 0.3)
    high, kind = word.bottom - word.top, page.rng.random()
    if kind < 0.5:
        levels = [word.top + high * page.between(0.25, 0.8) for _ in range(page.one(1, 1, 1, 2))]
        return [page.line((left, at), (right, at + page.between(-0.2, 0.2))) for at in levels]
    up, down = word.top - page.between(-0.15, 0.3), word.bottom + page.between(-0.15, 0.3)
    if kind < 0.85:
        middle, across = (left + right) / 2, (right - left) / 2 * page.one(1.0, page.between(0.3, 1))
        found = [page.line((middle + across, up), (middle - across, down))]
        if page.rng.random() < 0.3:
            found.append(page.line((middle - across, up), (middle + across, down)))
        return found[:: page.one(1, 1, -1)]
    turns = int(page.rng.integers(3, 5 + max(0, int(3 * (right - left)))))
    xs, ys = np.linspace(left, right, turns), np.array([up, down] * turns)[:turns]
    if page.rng.random() < 0.5:
        ys = word.top + high * (0.5 + page.between(0.05, 0.2) * np.array([-1, 1] * turns)[:turns])
    return [np.stack([xs, ys + page.rng.normal(0, 0.05, turns)], 1)]


def _sign(page: Page) -> list[Stroke]:
    """A small sign anywhere: a cross, a tick, a bar, an angle, a hook, a caret, a plus."""
    near = page.dash() if page.rng.random() < 0.3 else page.one(*page.letters)[1]
    size, kind = page.between(0.22, 0.75), int(page.rng.integers(7))
    x = near.middle[0] + page.between(-0.5, 0.5) * max(near.wide, 0.4)
    y = near.middle[1] + page.between(-0.9, 0.6)

    def at(across: float, down: float) -> tuple[float, float]:
        return x + size * across + page.between(-0.06, 0.06), y + size * down + page.between(-0.06, 0.06)

    drawn = (
        [[at(-0.4, -0.5), at(0.4, 0.5)], [at(0.4, -0.5), at(-0.4, 0.5)]],
        [[at(-0.4, 0), at(-0.1, 0.5)], [at(-0.1, 0.5), at(0.5, -0.6)]],
        [[at(page.between(-0.3, 0.5), -0.6), at(0, 0.6)]],
        [[at(-0.3, -0.5), at(0.4, 0)], [at(0.4, 0), at(-0.3, 0.5)]],
        [[at(-0.4, -0.4), at(0.4, -0.4)], [at(0.4, -0.4), at(0.2, 0.6)]],
        [[at(-0.4, 0.5), at(0, -0.5)], [at(0, -0.5), at(0.4, 0.5)]],
        [[at(-0.5, 0), at(0.5, 0)], [at(0, -0.5), at(0, 0.5)]],
    )[kind]
    return [page.line(first, last) for first, last in drawn]


def _curve(page: Page) -> list[Stroke]:
    """A stroke of any shape anywhere, also a long one out of the row."""
    rng, count = page.rng, int(page.rng.integers(2, 7))
    x, y = page.between(page.all.left - 0.4, page.all.right + 0.4), page.between(-1.5, 0.6)
    step, turn = page.between(0.5, 2.6) / count, page.between(0, 6.28)
    points = [(x, y)]
    for _ in range(count):
        turn += rng.normal(0, 0.8)
        x, y = x + step * math.cos(turn), y + 0.8 * step * math.sin(turn)
        points.append((x, y))
    at, fine = np.arange(len(points)), np.linspace(0, len(points) - 1, 8 * len(points))
    corners = np.asarray(points)
    dense = np.stack([np.interp(fine, at, corners[:, axis]) for axis in (0, 1)], 1)
    wide = np.pad(dense, ((3, 3), (0, 0)), mode="edge")
    return [np.stack([np.convolve(wide[:, axis], np.full(7, 1 / 7), "valid") for axis in (0, 1)], 1)]


def _bracket(page: Page) -> list[Stroke]:
    """A square bracket or a brace before some words, behind them, or both."""
    word = page.word()
    up, down = min(word.top, -0.8) - page.between(-0.1, 0.25), max(word.bottom, 0) + page.between(-0.1, 0.25)
    out, middle, is_square = page.between(0.1, 0.3), (up + down) / 2, page.rng.random() < 0.6
    found = []
    for x, way in ((word.left - page.between(0.05, 0.25), 1), (word.right + page.between(0.05, 0.25), -1)):
        brace = [(1.0, up), (0.3, up + 0.1), (0.3, middle - 0.1), (-0.4, middle)]
        brace += [(0.3, middle + 0.1), (0.3, down - 0.1), (1.0, down)]
        turns = [(1.0, up), (0.0, up), (0.0, down), (1.0, down)] if is_square else brace
        found.append(np.array([(x + way * out * share, y) for share, y in turns]))
    return found if page.rng.random() < 0.6 else [page.one(*found)]


DRAWN: dict[Callable[[Page], list[Stroke]], float] = {  # how often each is drawn, beside the others
    _slash: 3,
    _head: 8,
    _ring: 1,
    _strike: 6,
    _sign: 2,
    _curve: 1,
    _bracket: 0.5,
}
ABOVE, WRITTEN = 5.0, 5.5  # and small words above the letters or below, and signs among them


def bank_with_pen(plain: Any) -> Any:
    """Make the class of a bank (the handwriting set's composer) that draws these marks."""

    class BankWithPen(plain):  # type: ignore[misc,unused-ignore]
        is_above = False  # whether a small word is written above the letters
        draws: Callable[[Page], list[Stroke]] | None = None

        def layout(self, text: str, w: str, rng: np.random.Generator, meta: Any, tight: float = 1.0) -> Laid:
            laid: Laid = super().layout(text, w, rng, meta, tight)
            page = Page(laid, rng)
            draw = type(self).draws
            if draw is not None:
                return [*laid, (MARK, draw(page), None)]
            return [*laid, *self.small_word(page, w, rng, meta)] if self.is_above else laid

        def small_word(self, page: Page, w: str, rng: np.random.Generator, meta: Any) -> Laid:
            word = next(word for word in rng.permutation(SMALL_WORDS) if not self.missing(w, str(word)))
            small: Laid = super().layout(str(word), w, rng, meta)
            scale, x = page.between(0.4, 0.85), page.between(page.all.left, page.all.right - 0.3)
            tops = [one.top for _, one in page.letters if one.right > x - 0.1 and one.left < x + 0.5 * len(word)]
            level = min([-0.45, *tops]) - page.between(-0.3, 0.35)
            if rng.random() < 0.07:
                level = page.between(0.6, 1.2)
            at = np.array([x, level])
            found = [(MARK, [stroke * scale + at for stroke in strokes], pressure) for _, strokes, pressure in small]
            if rng.random() < 0.35:
                foot, tip = page.between(0.15, 0.4), at + np.array([0.2, page.between(0.02, 0.3)])
                angle = tip + np.array([[-0.5 * foot, foot], [0, 0], [0.5 * foot, foot]])
                found.append((MARK, [angle], None))
            return found

    return BankWithPen


def with_sign(text: str, rng: np.random.Generator) -> tuple[str, tuple[int, ...]]:
    """Put a sign that the text lacks among its words, or brackets around some; and their places, without spaces."""
    words = text.replace("->", "-").replace("→", "-").replace("-", " - ").split()
    dashes = [at for at, word in enumerate(words) if word == "-"]
    kind = rng.random()
    if dashes and kind < 0.45:
        at, sign = dashes[int(rng.integers(len(dashes)))], str(rng.choice(KNOWN_DASHES if kind < 0.2 else DASHES))
        words[at] = sign
        extra = [place for place, one in enumerate(sign) if one not in "->"]
    elif kind > 0.93:
        first = int(rng.integers(len(words)))
        at, last = first, int(rng.integers(first, len(words)))
        opens, closes = BRACKETS[int(rng.integers(len(BRACKETS)))]
        extra = [0, 1 + sum(map(len, words[first : last + 1]))]
        words[first] = opens + words[first]
        words[last] += closes
    else:
        at, sign = int(rng.integers(len(words) + 1)), str(rng.choice(KNOWN if kind > 0.84 else STRAY))
        words.insert(at, sign)
        extra = list(range(len(sign)))
    begins = sum(map(len, words[:at]))
    return " ".join(words), tuple(begins + place for place in extra)
