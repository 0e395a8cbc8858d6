"""Marks of many kinds on pictures of rows, for the net that sees ink which belongs to no sign (`training/unread.py`).

They are drawn on the pixels of a row, where its letters are known. The marks of `training/beside.py`, which measure the
net, are others: strokes that are written together with the letters.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Picture = NDArray[np.float32]
Point = tuple[float, float]
Points = Sequence[Point] | NDArray[np.float64]


class Span(Struct, frozen=True):
    """Where a sign is, in pixels."""

    left: float
    right: float
    top: float
    bottom: float


class Glyph(Struct, frozen=True, eq=False):
    """A letter cut out of a row, to be written elsewhere."""

    alpha: Picture
    above: float  # its top above the baseline, in heights
    high: float  # a capital of its row, pixels


Glyphs = Mapping[str, Sequence[Glyph]]


class CleanRow(Struct, frozen=True, eq=False):
    """A row whose every stroke belongs to a sign of its text."""

    grey: NDArray[np.uint8]
    signs: str  # as the readers spell them
    columns: tuple[float, ...]  # in which the first reader sees each sign begin
    spans: tuple[Span, ...]  # of each sign
    boxes: tuple[tuple[str, Span], ...]  # of each letter as it is written, where that is known
    pen: float  # width, pixels
    dark: float  # how much darker than the paper strokes are
    paper: float
    top: float  # of capitals, pixels
    base: float
    marks: tuple[Span, ...] = ()  # that were written with it

    @property
    def high(self) -> float:
        return max(12.0, self.base - self.top)

    @property
    def ends(self) -> tuple[float, float]:
        """The first and the last column with a sign."""
        return self.spans[0].left, self.spans[-1].right

    def widened(self, aside: int, above: int) -> "CleanRow":
        """Lay paper around a row, so that marks beside and above it have room."""
        grey = cv2.copyMakeBorder(self.grey, above, above, aside, aside, cv2.BORDER_REPLICATE)

        def move(span: Span) -> Span:
            return Span(span.left + aside, span.right + aside, span.top + above, span.bottom + above)

        return CleanRow(
            grey.astype(np.uint8),
            self.signs,
            tuple(column + aside for column in self.columns),
            tuple(map(move, self.spans)),
            tuple((letter, move(span)) for letter, span in self.boxes),
            self.pen,
            self.dark,
            self.paper,
            self.top + above,
            self.base + above,
        )

    def words(self) -> list[list[int]]:
        """Part the signs at wide gaps and at dashes: the places of each word's signs, and of each dash."""
        found: list[list[int]] = []
        last = -math.inf
        for place, (sign, span) in enumerate(zip(self.signs, self.spans, strict=True)):
            if sign == "-" or span.left - last > 0.33 * self.high:
                found.append([])
            found[-1].append(place)
            last = -math.inf if sign == "-" else span.right
        return found

    def around(self, places: Sequence[int]) -> Span:
        spans = [self.spans[place] for place in places]
        return Span(
            min(span.left for span in spans),
            max(span.right for span in spans),
            min(span.top for span in spans),
            max(span.bottom for span in spans),
        )


class Sketch:
    """Draws on a row: how much ink there is in each pixel, 0..1."""

    def __init__(self, row: CleanRow, rng: random.Random, glyphs: Glyphs) -> None:
        self.row, self.rng, self.glyphs = row, rng, glyphs
        self.ink: Picture = np.zeros(row.grey.shape, np.float32)

    def stroke(self, points: Points) -> None:
        """Draw with about the row's own pen."""
        wide = max(1, round(2 * self.row.pen * self.rng.uniform(0.8, 1.25)))
        large = np.zeros((2 * self.ink.shape[0], 2 * self.ink.shape[1]), np.uint8)
        corners = np.round(np.asarray(points, np.float64) * 32).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(large, [corners], False, 255, wide, cv2.LINE_AA, 4)
        drawn = cv2.resize(large, self.ink.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        self.ink = np.maximum(self.ink, drawn)

    def line(self, start: Point, end: Point) -> None:
        """Draw a line that is not quite straight."""
        first, last = np.asarray(start, np.float64), np.asarray(end, np.float64)
        along = np.linspace(0, 1, 9)[:, None]
        aside = np.array([-(last - first)[1], (last - first)[0]]) * self.rng.gauss(0, 0.03)
        self.stroke(first + (last - first) * along + np.sin(math.pi * along) * aside)

    def write(self, left: float, base: float, scale: float, count: int) -> None:
        """Write so many letters that others wrote."""
        for letter in self.rng.choices(list(self.glyphs), k=count):
            glyph = self.rng.choice(self.glyphs[letter])
            size = self.row.high / glyph.high * scale
            alpha = cv2.resize(glyph.alpha, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
            self._lay(np.asarray(alpha, np.float32), round(left), round(base - glyph.above * self.row.high * scale))
            left += alpha.shape[1] + self.row.high * 0.12 * scale

    def _lay(self, alpha: Picture, left: int, top: int) -> None:
        rows = slice(max(0, top), min(len(self.ink), top + len(alpha)))
        columns = slice(max(0, left), min(self.ink.shape[1], left + alpha.shape[1]))
        if rows.stop > rows.start and columns.stop > columns.start:
            part = alpha[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
            self.ink[rows, columns] = np.maximum(self.ink[rows, columns], part)

    def between(self, least: float, most: float) -> float:
        """A length in pixels, drawn between two numbers of heights."""
        return self.rng.uniform(least, most) * self.row.high


def _slash(sketch: Sketch) -> None:
    """A slash or two through a dash."""
    _slashes(sketch, is_cross=False)


def _cross(sketch: Sketch) -> None:
    """A cross through a dash."""
    _slashes(sketch, is_cross=True)


def _slashes(sketch: Sketch, *, is_cross: bool) -> None:
    rng, dash = sketch.rng, _dash_of(sketch)
    x = (dash.left + dash.right) / 2 + rng.uniform(-0.2, 0.2) * (dash.right - dash.left)
    y = (dash.top + dash.bottom) / 2 + sketch.between(-0.1, 0.1)
    half = sketch.between(0.22, 0.85)
    lean = rng.uniform(0, 0.5) * half * rng.choice((1, 1, 1, -1))
    count = rng.choice((1, 1, 1, 2))
    for number in range(count):
        aside = (number - (count - 1) / 2) * sketch.between(0.15, 0.35)
        sketch.line((x + lean + aside, y - half), (x - lean + aside, y + half * rng.uniform(0.7, 1.1)))
    if is_cross:
        lean = max(lean, 0.3 * half)
        sketch.line((x - lean, y - half), (x + lean, y + half))


def _left_head(sketch: Sketch) -> None:
    """An arrow's head at the left of a dash."""
    rng, dash = sketch.rng, _dash_of(sketch)
    x, y = dash.left - sketch.between(-0.12, 0.1), (dash.top + dash.bottom) / 2 + sketch.between(-0.1, 0.1)
    long, turn = sketch.between(0.16, 0.42), math.radians(rng.uniform(22, 55))
    over, down = long * math.cos(turn), long * math.sin(turn)
    sketch.stroke([(x + over, y - down), (x, y), (x + over * rng.uniform(0.8, 1.2), y + down)])


def _dash_of(sketch: Sketch) -> Span:
    """One of the dashes; where there is none, one of the signs."""
    signs, spans = sketch.row.signs, sketch.row.spans
    dashes = [span for sign, span in zip(signs, spans, strict=True) if sign == "-"]
    short = [span for span in dashes if span.right - span.left < 2.5 * sketch.row.high]
    return sketch.rng.choice(short or list(spans))


def _ring(sketch: Sketch) -> None:
    """A ring round a word, a dash or a letter."""
    rng, row = sketch.rng, sketch.row
    word = rng.choice(row.words())
    span = row.around(word if rng.random() < 0.67 else [rng.choice(word)])
    across = (span.right - span.left) / 2 * rng.uniform(1.05, 1.3) + sketch.between(0.08, 0.3)
    down = max(0.35 * row.high, (span.bottom - span.top) / 2 * rng.uniform(1, 1.3) + sketch.between(0.05, 0.3))
    turns = np.linspace(0, 2 * math.pi * rng.uniform(0.85, 1.15), 40) + rng.uniform(0, 6.28)
    wobble = 1 + rng.uniform(0, 0.08) * np.sin(2 * turns + rng.uniform(0, 6))
    x, y = (span.left + span.right) / 2, (span.top + span.bottom) / 2
    sketch.stroke(np.stack([x + across * np.cos(turns) * wobble, y + down * np.sin(turns) * wobble], 1))


def _strike(sketch: Sketch) -> None:
    """Lines through a word or a part of it."""
    rng, row = sketch.rng, sketch.row
    word = rng.choice(row.words())
    first = rng.randrange(len(word)) if rng.random() < 0.3 else 0
    span = row.around(word[first:])
    if span.right - span.left < 0.7 * row.high:  # of one letter it would be another letter
        span = row.around(range(len(row.spans)))
    over, way = sketch.between(0, 0.25), rng.random()
    up, down = row.top - sketch.between(0, 0.3), row.base + sketch.between(0, 0.3)
    for number in range(rng.choice((1, 1, 1, 2, 3))):
        aside = 0.2 * number * row.high
        if way < 0.6:
            level = row.top + (row.base - row.top) * rng.uniform(0.3, 0.7)
            sketch.line((span.left - over, level), (span.right + over, level + sketch.between(-0.12, 0.12)))
        else:
            sketch.line((span.right + over + aside, up), (span.left - over + aside, down))
        if way >= 0.85:
            sketch.line((span.left - over + aside, up), (span.right + over + aside, down))


def _above(sketch: Sketch) -> None:
    """A small word above the line, sometimes with a caret."""
    rng, row = sketch.rng, sketch.row
    highest = row.top if rng.random() < 0.5 else min(span.top for span in row.spans)
    left, level = rng.uniform(*row.ends) - 0.2 * row.high, highest - sketch.between(0, 0.3)
    sketch.write(left, level, rng.uniform(0.4, 0.85), rng.choice((1, 1, 2, 3, 3, 4)))
    if rng.random() < 0.35:
        x, foot = left + sketch.between(0, 1), row.base + sketch.between(-0.1, 0.3)
        aside = 0.15 * row.high
        sketch.stroke([(x - aside, foot), (x, level + sketch.between(0.05, 0.25)), (x + aside, foot)])


def _below(sketch: Sketch) -> None:
    """A small word below the line."""
    rng = sketch.rng
    level = sketch.row.base + sketch.between(0.7, 1.1)
    sketch.write(rng.uniform(*sketch.row.ends), level, rng.uniform(0.4, 0.8), rng.choice((1, 1, 2, 3)))


def _beyond(sketch: Sketch) -> None:
    """Letters behind the line, or before it."""
    rng, (first, last) = sketch.rng, sketch.row.ends
    count, level = rng.choice((1, 1, 1, 2, 3)), sketch.row.base + sketch.between(-0.1, 0.1)
    behind = rng.random() < 0.65
    left = (
        last + sketch.between(0.12, 1.6) if behind else first - sketch.between(0.5, 1.6) - count * sketch.row.high / 2
    )
    sketch.write(left, level, rng.uniform(0.7, 1.2), count)


def _within(sketch: Sketch) -> None:
    """A letter in a gap between two signs."""
    rng, spans = sketch.rng, sketch.row.spans
    gaps = [(one.right, other.left) for one, other in pairwise(spans)] or [sketch.row.ends]
    first, last = max(gaps, key=lambda gap: (gap[1] - gap[0]) * rng.uniform(0.5, 1))
    left, level = (first + last) / 2 - sketch.between(0.1, 0.35), sketch.row.base + sketch.between(-0.6, 0.1)
    sketch.write(left, level, rng.uniform(0.4, 1), 1)


def _bracket(sketch: Sketch) -> None:
    """Square brackets or braces round some words."""
    rng, row = sketch.rng, sketch.row
    words = row.words()
    first = rng.randrange(len(words))
    span = row.around([words[first][0], words[rng.randrange(first, len(words))][-1]])
    up, down = row.top - sketch.between(0, 0.25), row.base + sketch.between(0, 0.25)
    out, apart, middle = sketch.between(0.12, 0.3), sketch.between(0.08, 0.3), (up + down) / 2
    is_square = rng.random() < 0.6
    for x, way in ((span.left - apart, 1), (span.right + apart, -1)):
        corner = 0.1 * row.high
        brace = [(1.0, up), (0.3, up + corner), (0.3, middle - corner), (-0.4, middle)]
        brace += [(0.3, middle + corner), (0.3, down - corner), (1.0, down)]
        turns = [(1.0, up), (0.0, up), (0.0, down), (1.0, down)] if is_square else brace
        sketch.stroke([(x + way * out * share, y) for share, y in turns])


def _curve(sketch: Sketch) -> None:
    """A stroke of any shape anywhere."""
    rng, row = sketch.rng, sketch.row
    count, long = rng.randint(2, 7), sketch.between(0.5, 2.2)
    x, y = rng.uniform(row.ends[0] - 0.5 * row.high, row.ends[1] + 0.5 * row.high), row.top - 0.6 * row.high
    y += rng.random() * (row.base - row.top + row.high)
    points, turn = [(x, y)], rng.uniform(0, 6.28)
    for _ in range(count):
        turn += rng.gauss(0, 0.9)
        x, y = x + long / count * math.cos(turn), y + 0.8 * long / count * math.sin(turn)
        points.append((x, y))
    sketch.stroke(_smoothed(np.asarray(points)))


def _long(sketch: Sketch) -> None:
    """A line or an arrow out of the row."""
    rng, row = sketch.rng, sketch.row
    start = (rng.uniform(*row.ends), rng.uniform(row.top - 0.2 * row.high, row.base + 0.2 * row.high))
    end = (start[0] + sketch.between(-3, 3), start[1] + rng.choice((-1, 1)) * sketch.between(0.5, 2))
    sketch.line(start, end)
    if rng.random() < 0.5:
        turn, long = math.atan2(end[1] - start[1], end[0] - start[0]), 0.25 * row.high
        barbs = [(end[0] - long * math.cos(turn + way), end[1] - long * math.sin(turn + way)) for way in (0.5, -0.5)]
        sketch.stroke([barbs[0], end, barbs[1]])


def underline(sketch: Sketch) -> None:
    """A line below a word, which makes no other order of it."""
    row = sketch.row
    span, level = row.around(sketch.rng.choice(row.words())), row.base + sketch.between(0.12, 0.35)
    first, last = span.left - sketch.between(-0.1, 0.2), span.right + sketch.between(-0.1, 0.2)
    sketch.line((first, level), (last, level + sketch.between(-0.08, 0.08)))


def _smoothed(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round the corners of a line."""
    at = np.linspace(0, len(points) - 1, 8 * len(points))
    dense = np.stack([np.interp(at, np.arange(len(points)), points[:, axis]) for axis in (0, 1)], 1)
    weights = np.array([1, 2, 3, 4, 3, 2, 1]) / 16
    wide = np.pad(dense, ((3, 3), (0, 0)), mode="edge")
    return np.stack([np.convolve(wide[:, axis], weights, "valid") for axis in (0, 1)], 1)


MARKS: dict[Callable[[Sketch], None], float] = {  # how often each is drawn, beside the others
    _slash: 3,
    _cross: 1.2,
    _left_head: 3,
    _ring: 2,
    _strike: 5,
    _above: 4.5,
    _below: 0.7,
    _beyond: 2.2,
    _within: 2,
    _bracket: 1.5,
    _curve: 1.6,
    _long: 1,
}


def draw_mark(sketch: Sketch) -> None:
    """Draw a mark of any kind; sometimes two."""
    for kind in sketch.rng.choices(list(MARKS), list(MARKS.values()), k=1 + (sketch.rng.random() < 0.12)):
        kind(sketch)
