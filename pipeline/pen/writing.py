"""A line of handwriting as pen strokes in mm, before there is any ink."""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.pen.hand import Hand, LetterForm, form
from pipeline.pen.letters import Floats, writable

BANDS = 8  # horizontal bands in which neighbouring letters keep their distance
LOW, HIGH = -0.4, 1.1  # the heights the bands cover, in capital heights
NEVER = 1e3
TUCK = 0.16  # how far people put a letter under the roof of the one before it: the A of VA, the O of TO


@dataclass(frozen=True, slots=True, eq=False)
class Writing:
    """Strokes in mm: x to the right from the start of the line, y down from the base line."""

    strokes: tuple[Floats, ...]  # each (n, 2)
    height_mm: float  # of capitals
    words: tuple[tuple[float, float], ...]  # where each word begins and ends, mm

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The box around the strokes: left, top, right, bottom; mm."""
        if not self.strokes:
            return (0.0, 0.0, 0.0, 0.0)
        points = np.vstack(self.strokes)
        left, top = points.min(axis=0)
        right, bottom = points.max(axis=0)
        return (float(left), float(top), float(right), float(bottom))

    def scaled(self, across: float, down: float) -> "Writing":
        """Squeeze or enlarge the line."""
        return Writing(
            tuple(stroke * (across, down) for stroke in self.strokes),
            self.height_mm * down,
            tuple((start * across, end * across) for start, end in self.words),
        )

    def moved(self, right: float, down: float) -> "Writing":
        """Put the line somewhere else."""
        return Writing(
            tuple(stroke + np.array((right, down)) for stroke in self.strokes),
            self.height_mm,
            tuple((start + right, end + right) for start, end in self.words),
        )

    def also(self, *strokes: Floats) -> "Writing":
        """Add strokes to the line: a strike-out, a dot."""
        return replace(self, strokes=(*self.strokes, *strokes))


def write(text: str, hand: Hand, rng: np.random.Generator) -> Writing:
    """Write a line of text as this person does, a little different every time."""
    mood = Mood(hand, rng)
    letters: list[PlacedLetter] = []
    words: list[tuple[float, float]] = []
    pending = 0.0
    for number, word in enumerate(hand.casing(writable(text)).split(" ")):
        if number:
            pending += hand.word_gap * mood.tight * rng.uniform(0.75, 1.3)
        if not word:
            continue
        first = len(letters)
        for place, letter in enumerate(word):
            size = hand.later_capitals if place and letter.isupper() and word[place - 1].isalpha() else 1.0
            placed = mood.draw(letter, size)
            placed.follow(letters[-1] if letters else None, pending if place == 0 else None, mood)
            letters.append(placed)
        pending = 0.0
        words.append((letters[first].left, letters[-1].right))
    strokes = mood.finish(linked(letters, mood))
    scale = hand.height_mm * mood.size
    return Writing(tuple(strokes), scale, tuple((start * scale, end * scale) for start, end in words))


@dataclass(slots=True, eq=False)
class PlacedLetter:
    """One letter on its way to its place in the line, in capital heights."""

    form: LetterForm
    ink: Floats  # (m, 2)
    edges: tuple[Floats, Floats]  # how far left and right the ink reaches in each band
    linked: bool = False  # to the letter before it

    @property
    def left(self) -> float:
        """Where its ink begins."""
        return float(self.edges[0].min())

    @property
    def right(self) -> float:
        """Where its ink ends."""
        return float(self.edges[1].max())

    def follow(self, before: "PlacedLetter | None", pending: float | None, mood: "Mood") -> None:
        """Move beside the letter before, as near as this person writes."""
        if before is None:
            self.shift(-self.left)
            return
        if pending is not None:
            self.shift(before.right + pending - self.left)
            return
        self.linked = before.form.joins and self.form.joins and mood.rng.random() < mood.hand.joined
        if self.linked:
            leave = before.ink[before.form.ends[0] - 1]
            self.shift(leave[0] + mood.hand.gap * mood.rng.uniform(-0.1, 0.35) - self.ink[0, 0])
            return
        gap = mood.hand.gap * mood.tight * mood.rng.lognormal(0, 0.18 + 0.25 * mood.hand.wobble)
        close = float((before.edges[1] - self.edges[0]).max())
        tucked = before.right + gap / 2 - TUCK - self.left
        self.shift(max(close + gap, tucked))

    def shift(self, right: float) -> None:
        """Move it along the line."""
        self.ink[:, 0] += right
        self.edges = (self.edges[0] + right, self.edges[1] + right)


class Mood:
    """What changes from one line to the next: tightness, size, lean, the wandering of the base line."""

    def __init__(self, hand: Hand, rng: np.random.Generator) -> None:
        self.hand, self.rng = hand, rng
        loose = 0.5 + hand.wobble
        self.tight = float(np.exp(rng.normal(0, 0.12)))
        self.size = float(np.exp(rng.normal(0, 0.035 * loose)))
        self.slant = hand.slant + rng.normal(0, 0.02 * loose)
        self.climb = hand.climb + rng.normal(0, 0.007 * loose)
        self.wave = (rng.uniform(4, 14), rng.uniform(0, 2 * np.pi))  # length in capital heights, phase

    def draw(self, letter: str, size: float) -> PlacedLetter:
        """Draw one letter: the person's form of it, not quite the same as last time."""
        hand, rng = self.hand, self.rng
        shape = form(hand, letter, int(rng.random() < hand.second_ways))
        noise = rng.standard_normal((len(shape.points) + 3 + len(shape.ends), 2))
        lands = noise[3 : 3 + len(shape.ends)][shape.stroke_of]  # where each stroke comes down
        points = shape.points + noise[3 + len(shape.ends) :] * (0.022 * hand.wobble) + lands * (0.028 * hand.wobble)
        turn = noise[0, 0] * 0.030 * hand.wobble
        wide, tall = size * np.exp(noise[1] * (0.08, 0.075) * hand.wobble)
        lift = noise[2, 0] * 0.035 * hand.wobble
        lean = self.slant + noise[2, 1] * 0.035 * hand.wobble + turn
        ink = shape.curve @ points
        across = ink[:, 0] * (wide * hand.width) + ink[:, 1] * (lean * tall)
        up = ink[:, 1] * tall - ink[:, 0] * turn + lift
        return PlacedLetter(shape, np.stack([across, up], axis=1), edges(across, up))

    def finish(self, strokes: list[Floats]) -> list[Floats]:
        """Let the base line wander, the hand tremble, and turn capital heights into mm with y down."""
        if not strokes:
            return []
        hand, rng = self.hand, self.rng
        points = np.vstack(strokes)
        length, phase = self.wave
        points[:, 1] += hand.drift * np.sin(points[:, 0] * (2 * np.pi / length) + phase) + self.climb * points[:, 0]
        if hand.tremor:
            shake = rng.standard_normal((len(points) + 4, 2)) * hand.tremor
            points += shake[:-4] + shake[1:-3] + shake[2:-2] + shake[3:-1]
        points *= (hand.height_mm * self.size, -hand.height_mm * self.size)
        return np.split(points, np.cumsum([len(stroke) for stroke in strokes])[:-1])


def edges(across: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Measure how far left and right the ink reaches in each band, and in its two neighbours."""
    band = np.clip(((up - LOW) * (BANDS / (HIGH - LOW))).astype(int), 0, BANDS - 1)
    left, right = np.full(BANDS + 2, NEVER), np.full(BANDS + 2, -NEVER)
    np.minimum.at(left, band + 1, across)
    np.maximum.at(right, band + 1, across)
    return (
        np.minimum(np.minimum(left[:-2], left[2:]), left[1:-1]),
        np.maximum(np.maximum(right[:-2], right[2:]), right[1:-1]),
    )


def linked(letters: list[PlacedLetter], mood: Mood) -> list[Floats]:
    """Put the strokes in the order they are written: the joined bodies of a word in one movement, then its marks."""
    strokes: list[Floats] = []
    marks: list[Floats] = []
    for letter in letters:
        parts = np.split(letter.ink, letter.form.ends[:-1])
        if letter.linked:
            strokes[-1] = np.vstack([strokes[-1], bridge(strokes[-1], parts[0]), parts[0]])
        else:
            strokes += marks
            marks = []
            strokes.append(parts[0])
        if letter.form.joins:
            marks += parts[1:]
        else:
            strokes += parts[1:]
    return strokes + marks


def bridge(before: Floats, after: Floats) -> Floats:
    """Lead the pen from the end of one letter into the next along both their directions."""
    start, end = before[-1], after[0]
    reach = float(np.hypot(*(end - start)))
    out = (before[-1] - before[-3]) / max(float(np.hypot(*(before[-1] - before[-3]))), 1e-6) * reach
    into = (after[2] - after[0]) / max(float(np.hypot(*(after[2] - after[0]))), 1e-6) * reach
    t = np.linspace(0, 1, max(3, int(reach / 0.05)))[1:-1, None]
    return np.asarray(
        (2 * t**3 - 3 * t**2 + 1) * start
        + (t**3 - 2 * t**2 + t) * out
        + (3 * t**2 - 2 * t**3) * end
        + (t**3 - t**2) * into
    )
