"""A line of handwriting as pen strokes in mm, before there is any ink."""

from enum import StrEnum

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.pen.hand import Hand, LetterForm, PenPath, form_letter, writable

BANDS = 8  # horizontal bands in which neighbouring letters keep their distance
LOW, HIGH = -0.4, 1.1  # the heights the bands cover, in capital heights
NEVER = 1e3  # the edge of a band without ink: farther off than any letter
TUCK = 0.16  # how far people put a letter under the roof of the one before it: the A of VA, the O of TO


class Writing(Struct, frozen=True, eq=False):
    """Strokes in mm: x to the right from the start of the line, y down from the base line."""

    strokes: tuple[PenPath, ...]  # each (n, 2)
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

    def scale(self, across: float, down: float) -> "Writing":
        """Squeeze or enlarge the line."""
        return Writing(
            tuple(stroke * (across, down) for stroke in self.strokes),
            self.height_mm * down,
            tuple((start * across, end * across) for start, end in self.words),
        )

    def move_by(self, right: float, down: float) -> "Writing":
        """Put the line somewhere else."""
        return Writing(
            tuple(stroke + np.array((right, down)) for stroke in self.strokes),
            self.height_mm,
            tuple((start + right, end + right) for start, end in self.words),
        )

    def also(self, *strokes: PenPath) -> "Writing":
        """Add strokes to the line: a strike-out, a dot."""
        return replace(self, strokes=(*self.strokes, *strokes))


def write_line(text: str, hand: Hand, rng: np.random.Generator) -> Writing:
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
        words.append((letters[first].left_edge, letters[-1].right))
    strokes = mood.finish(_order_strokes(letters))
    scale = hand.height_mm * mood.size
    return Writing(tuple(strokes), scale, tuple((start * scale, end * scale) for start, end in words))


class PlacedLetter(Struct, eq=False):
    """One letter on its way to its place in the line, in capital heights."""

    form: LetterForm
    ink: PenPath  # (m, 2)
    edges: tuple[NDArray[np.float64], NDArray[np.float64]]  # how far left and right the ink reaches in each band
    linked: bool = False  # to the letter before it

    @property
    def left_edge(self) -> float:
        """Where its ink begins."""
        return float(self.edges[0].min())

    @property
    def right(self) -> float:
        """Where its ink ends."""
        return float(self.edges[1].max())

    def follow(self, before: "PlacedLetter | None", pending: float | None, mood: "Mood") -> None:
        """Move beside the letter before, as near as this person writes; ``pending`` is the gap between two words."""
        if before is None:
            self.shift(-self.left_edge)
            return
        if pending is not None:
            self.shift(before.right + pending - self.left_edge)
            return
        self.linked = before.form.joins and self.form.joins and mood.rng.random() < mood.hand.joined
        if self.linked:
            leave = before.ink[before.form.ends[0] - 1]
            self.shift(leave[0] + mood.hand.gap * mood.rng.uniform(-0.1, 0.35) - self.ink[0, 0])
            return
        gap = mood.hand.gap * mood.tight * mood.rng.lognormal(0, 0.18 + 0.25 * mood.hand.wobble)
        close = float((before.edges[1] - self.edges[0]).max())
        tucked = before.right + gap / 2 - TUCK - self.left_edge
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
        shape = form_letter(hand, letter, int(rng.random() < hand.second_ways))
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
        return PlacedLetter(shape, np.stack([across, up], axis=1), _ink_edges(across, up))

    def finish(self, strokes: list[PenPath]) -> list[PenPath]:
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


def _ink_edges(across: NDArray[np.float64], up: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measure how far left and right the ink reaches in each band, and in its two neighbours."""
    band = np.clip(((up - LOW) * (BANDS / (HIGH - LOW))).astype(int), 0, BANDS - 1)
    left, right = np.full(BANDS + 2, NEVER), np.full(BANDS + 2, -NEVER)
    np.minimum.at(left, band + 1, across)
    np.maximum.at(right, band + 1, across)
    return (
        np.minimum(np.minimum(left[:-2], left[2:]), left[1:-1]),
        np.maximum(np.maximum(right[:-2], right[2:]), right[1:-1]),
    )


def _order_strokes(letters: list[PlacedLetter]) -> list[PenPath]:
    """Put the strokes in the order they are written: the joined bodies of a word in one movement, then its marks."""
    strokes: list[PenPath] = []
    marks: list[PenPath] = []
    for letter in letters:
        parts = np.split(letter.ink, letter.form.ends[:-1])
        if letter.linked:
            strokes[-1] = np.vstack([strokes[-1], _bridge(strokes[-1], parts[0]), parts[0]])
        else:
            strokes += marks
            marks = []
            strokes.append(parts[0])
        if letter.form.joins:
            marks += parts[1:]
        else:
            strokes += parts[1:]
    return strokes + marks


def _bridge(before: PenPath, after: PenPath) -> PenPath:
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


# What happens to people while they write: they strike out, write over, correct above the line, and leave blots.


class Slip(StrEnum):
    """One human accident."""

    STRUCK_OUT = "struck out"  # the whole line is struck out: it no longer counts
    OVERWRITTEN = "overwritten"  # one word was another one first, and the right one stands on top of it
    CORRECTED_ABOVE = "corrected above"  # one word is struck out, the right one stands above it
    CORRECTED_BESIDE = "corrected beside"  # one word is struck out, the right one follows it
    BLOT = "blot"  # a blot lies on the line
    LEAVES_BOX = "leaves the box"  # too large, too low or too far to the right
    SCRIBBLE = "scribble"  # nobody can read it


class WrittenWords(Struct, frozen=True):
    """A text to write, with what goes wrong while it is written."""

    text: str
    slip: Slip | None = None
    before: str = ""  # the wrong word that was there first; left out, a word of the same length is made up


def write_words(words: WrittenWords, hand: Hand, rng: np.random.Generator) -> Writing:
    """Write a text with its slip; `Slip.LEAVES_BOX` is up to whoever knows the box."""
    match words.slip:
        case Slip.STRUCK_OUT:
            written = write_line(words.text, hand, rng)
            left, _, right, _ = written.extent
            return written.also(*strike(left, right, written.height_mm, hand, rng))
        case Slip.OVERWRITTEN:
            return _overwrite(words, hand, rng)
        case Slip.CORRECTED_ABOVE:
            return _correct_above(words, hand, rng)
        case Slip.CORRECTED_BESIDE:
            return _correct_beside(words, hand, rng)
        case Slip.BLOT:
            written = write_line(words.text, hand, rng)
            left, top, right, bottom = written.extent
            return written.also(_blot(rng.uniform(left, right), rng.uniform(top, bottom), rng))
        case Slip.SCRIBBLE:
            return _scribble(write_line(words.text, hand, rng), rng)
        case Slip.LEAVES_BOX | None:
            return write_line(words.text, hand, rng)


def strike(left: float, right: float, height: float, hand: Hand, rng: np.random.Generator) -> list[PenPath]:
    """Strike out what stands between two places, the way this person does: once, twice, or in zigzags.

    All lengths are mm; the base line is 0.
    """
    manner = np.random.default_rng([hand.seed, 4]).choice(["once", "twice", "zigzag"], p=[0.5, 0.25, 0.25])
    left, right = left - rng.uniform(0, 0.4) * height, right + rng.uniform(0, 0.4) * height
    middle = -0.45 * height
    if manner == "zigzag":
        count = max(4, int((right - left) / (0.28 * height)))
        x = np.linspace(left, right, count)
        y = middle + 0.42 * height * np.where(np.arange(count) % 2, 1, -1) * rng.uniform(0.7, 1.1, count)
        return [_smooth(np.stack([x, y], axis=1), 4)]
    lines = []
    for number in range(2 if manner == "twice" else 1):
        y0 = middle + (number * 0.24 + rng.normal(0, 0.08)) * height
        tilt = rng.normal(0, 0.10) * height
        x = np.linspace(left, right, 6)
        bow = np.linspace(-1, 1, 6) ** 2 * rng.normal(0, 0.08) * height
        lines.append(_smooth(np.stack([x, y0 + np.linspace(-tilt, tilt, 6) + bow], axis=1), 8))
    return lines


def _overwrite(words: WrittenWords, hand: Hand, rng: np.random.Generator) -> Writing:
    """Write the wrong word first and the right one, pressed harder, on top of it."""
    right = write_line(words.text, hand, rng)
    if not right.words:
        return right
    which = int(np.argmax([end - start for start, end in right.words]))  # the longest word
    start, end = right.words[which]
    wrong = write_line(words.before or _wrong_word(words.text.split()[which], rng), hand, rng)
    left, _, reach, _ = wrong.extent
    fitted = wrong.scale((end - start) / max(reach - left, 0.5), 1.0).move_by(
        start, rng.normal(0, 0.05) * right.height_mm
    )
    again = [stroke for stroke in right.strokes if start - 0.2 <= stroke[:, 0].mean() <= end + 0.2]
    pressed = [stroke + rng.normal(0, 0.02 * right.height_mm, 2) for stroke in again]
    return right.also(*fitted.strokes, *pressed)


def _correct_above(words: WrittenWords, hand: Hand, rng: np.random.Generator) -> Writing:
    """Strike the wrong word out and write the right one, smaller, above it."""
    parts = words.text.split()
    if not parts:
        return write_line(words.text, hand, rng)
    which = int(np.argmax([len(part) for part in parts]))
    wrong = [*parts[:which], words.before or _wrong_word(parts[which], rng), *parts[which + 1 :]]
    line = write_line(" ".join(wrong), hand, rng)
    start, end = line.words[which]
    above = write_line(parts[which], hand, rng).scale(0.72, 0.72)
    lift = (-1.12 + rng.normal(0, 0.05)) * line.height_mm
    middle = (start + end) / 2 - above.extent[2] / 2 + rng.normal(0, 0.3)
    return line.also(*strike(start, end, line.height_mm, hand, rng), *above.move_by(middle, lift).strokes)


def _correct_beside(words: WrittenWords, hand: Hand, rng: np.random.Generator) -> Writing:
    """Strike the wrong word out and go on with the right one."""
    parts = words.text.split()
    if not parts:
        return write_line(words.text, hand, rng)
    which = int(np.argmax([len(part) for part in parts]))
    line = write_line(
        " ".join([*parts[:which], words.before or _wrong_word(parts[which], rng), *parts[which:]]), hand, rng
    )
    start, end = line.words[which]
    return line.also(*strike(start, end, line.height_mm, hand, rng))


def _blot(x: float, y: float, rng: np.random.Generator) -> PenPath:
    """Make a blot: the pen going round and round, mm."""
    turns = np.linspace(0, rng.uniform(10, 18) * np.pi, 160)
    radius = rng.uniform(0.5, 1.5) * np.linspace(0.05, 1, 160) * (1 + 0.25 * np.sin(turns * 0.37 + rng.uniform(0, 6)))
    return np.stack([x + radius * np.cos(turns) * rng.uniform(0.9, 1.6), y + radius * np.sin(turns)], axis=1)


def _scribble(model: Writing, rng: np.random.Generator) -> Writing:
    """Run the pen through a written line so fast that every letter melts into a wave nobody can read."""
    if not model.strokes:
        return model
    left, _, right, _ = model.extent
    height = model.height_mm
    path = np.vstack(model.strokes)
    reach = max(5, int(rng.uniform(0.5, 0.9) * len(path) / max(1, len(model.strokes))))
    drag = np.exp(-(np.linspace(-2, 2, reach) ** 2))
    padded = np.pad(path, ((reach, reach), (0, 0)), mode="edge")
    melted = np.stack([np.convolve(padded[:, axis], drag / drag.sum(), "same") for axis in (0, 1)], axis=1)[
        reach:-reach
    ]
    turn = np.cumsum(rng.uniform(0.1, 0.9, len(path)))
    melted[:, 1] += 0.16 * height * np.sin(turn) * np.interp(turn, turn[::9], rng.uniform(0.1, 2, len(turn[::9])))
    melted[:, 0] += 0.16 * height * np.cos(turn)
    return Writing((melted,), height, ((left, right),))


def write_signature(name: str, hand: Hand, rng: np.random.Generator) -> Writing:
    """Sign: the name as a scrawl, or initials, a wave and a flourish; this person's own, never quite the same."""
    own = np.random.default_rng([hand.seed, 5])
    if own.random() < 0.35:
        return _scribble(write_line(name.rsplit(maxsplit=1)[-1] if name.split() else "X", hand, rng), rng).scale(
            1.0, own.uniform(1.2, 1.7)
        )
    initials = "".join(word[0] for word in name.split()[:2] if word[0].isalpha()).upper() or "X"
    written = write_line(initials, hand, rng)
    _, _, right, _ = written.extent
    size = written.height_mm * own.uniform(1.1, 1.6)
    loops = int(own.integers(4, 9))
    turn = np.linspace(0, 2 * np.pi * loops, 12 * loops)
    tall = np.interp(turn, np.linspace(0, turn[-1], 2 * loops + 1), own.uniform(0.04, 0.45, 2 * loops + 1))
    tall *= np.linspace(1, own.uniform(0.2, 0.8), len(turn)) * rng.uniform(0.9, 1.1)
    x = right * 1.05 + np.linspace(0, size * own.uniform(2.5, 5) * rng.uniform(0.9, 1.1), len(turn))
    x += size * own.uniform(0.05, 0.25) * np.cos(turn)
    y = -size * (0.25 + tall * np.sin(turn + own.uniform(0, 6)))
    strokes = [np.stack([x, y], axis=1)]
    if own.random() < 0.6:
        at = np.linspace(0, 1, 30)
        sweep = size * (own.uniform(0.1, 0.35) - 0.25 * np.sin(at * own.uniform(2, 4)))
        strokes.append(np.stack([x[-1] - at * (x[-1] - own.uniform(-1, 3)), sweep + rng.normal(0, 0.1)], axis=1))
    return written.scale(1.05, own.uniform(1.2, 1.5)).also(*strokes)


def tick(hand: Hand, width: float, height: float, rng: np.random.Generator) -> Writing:
    """Tick a box, mm, the way this person does: a cross, a tick, a stroke, or the box filled in; corner at 0, 0."""
    manner = np.random.default_rng([hand.seed, 6]).choice(
        ["cross", "tick", "stroke", "filled"], p=[0.5, 0.35, 0.08, 0.07]
    )
    shapes = {
        "cross": ([(0.1, 0.1), (0.5, 0.52), (0.9, 0.9)], [(0.9, 0.08), (0.5, 0.5), (0.1, 0.92)]),
        "tick": ([(0.1, 0.5), (0.35, 0.9), (0.36, 0.9), (0.7, 0.3), (1.1, -0.1)],),
        "stroke": ([(0.95, 0.05), (0.5, 0.5), (0.05, 0.95)],),
        "filled": ([(0.1 + 0.8 * (n % 2), 0.12 + 0.76 * n / 9) for n in range(10)],),
    }[str(manner)]
    strokes = []
    for shape in shapes:
        points = np.array(shape) + rng.normal(0, 0.05 + 0.04 * hand.wobble, (len(shape), 2))
        strokes.append(_smooth(points * (width, height), 6))
    return Writing(tuple(strokes), height, ((0.0, width),))


def _smooth(points: PenPath, between: int) -> PenPath:
    """Round a path off: ``between`` points on each leg, corners cut as a moving hand cuts them."""
    legs = len(points) - 1
    at = np.linspace(0, legs, legs * between + 1)
    path = np.stack([np.interp(at, np.arange(legs + 1), points[:, axis]) for axis in (0, 1)], axis=1)
    kernel = np.ones(max(1, between // 2)) / max(1, between // 2)
    padded = np.pad(path, ((len(kernel), len(kernel)), (0, 0)), mode="edge")
    rounded = np.stack([np.convolve(padded[:, axis], kernel, "same") for axis in (0, 1)], axis=1)
    return np.asarray(rounded[len(kernel) : -len(kernel)])


def _wrong_word(word: str, rng: np.random.Generator) -> str:
    """Make up a word of the same length that somebody might have written first."""
    pool = "ABEGILMNOPRSTUV" if word.isupper() else "abegilmnoprstuv"
    return "".join(str(rng.choice([letter for letter in pool if letter != old])) for old in word)
