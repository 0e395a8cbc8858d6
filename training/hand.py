"""A text becomes strokes: one real writer's letters set as that writer sets them, or words as they were joined."""

import math
import random

import numpy as np
from msgspec import Struct, field

from pipeline.reading.alphabet import STRUCK, spelling
from training.strokes import BANDS, Glyph, Hands, Stroke, Word, Writer, glyph

Placed = list[Stroke]
BLEND_POINTS = 40  # of a stroke, where two hands are blended
OF_FONTS = 0.3  # share of the hands that are fonts, where there are any
ALIKE = 0.25  # capital heights: two letters whose points stand closer on average are made the same way
EXCHANGED = 0.12  # share of letters with a part as somebody else makes it
TAIL_BEGINS, TAIL_REACHES = 0.05, 0.2  # capital heights below the baseline ...
TAIL_RETURNS = -0.3  # ... and above: a stroke that climbs further, as that of a p, draws more than a tail
DRAWN: dict[str, list[list[list[float]]]] = {  # what a writer never wrote for the record, drawn with a plain pen
    "-": [[[0, -0.42], [0.25, -0.44], [0.5, -0.42]]],
    "(": [[[0.2, -1.05], [0.03, -0.7], [0, -0.35], [0.06, 0], [0.2, 0.15]]],
    ")": [[[0, -1.05], [0.17, -0.7], [0.2, -0.35], [0.14, 0], [0, 0.15]]],
    "/": [[[0.45, -1.05], [0, 0.1]]],
    ".": [[[0, 0]]],
    ">": [[[0, -0.6], [0.35, -0.4], [0, -0.15]]],
}


class Line(Struct, dict=True, weakref=True):
    """A line of writing in capital heights, and what it spells."""

    strokes: Placed = field(default_factory=list)
    spelled: str = ""
    width: float = 0.0
    reach: "np.ndarray" = field(default_factory=lambda: np.full(BANDS, -np.inf, np.float32))


def rewritten(stroke: Stroke, rng: random.Random) -> Stroke:
    """Write a stroke again, as nobody writes a letter twice the same: its waves go a little further, or less far."""
    reach = rng.gauss(0, 0.03), rng.gauss(0, 0.03)
    start = rng.uniform(0, 6.3), rng.uniform(0, 6.3)
    turns = rng.uniform(2.5, 7), rng.uniform(2.5, 7)  # in a capital's height, in radians
    across = reach[0] * np.sin(stroke[:, 1] * turns[0] + start[0])
    down = reach[1] * np.sin(stroke[:, 0] * turns[1] + start[1])
    return stroke + np.stack([across, down], 1).astype(np.float32)


def along(stroke: Stroke, points: int = BLEND_POINTS) -> Stroke:
    """Lay points evenly along a stroke: the n-th of one can then be set beside the n-th of another."""
    if len(stroke) < 2:
        return np.repeat(stroke[:1], points, axis=0)
    far = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(stroke, axis=0).T))])
    every = np.linspace(0, far[-1], points)
    return np.stack([np.interp(every, far, stroke[:, axis]) for axis in (0, 1)], 1).astype(np.float32)


def between(one: Glyph, other: Glyph, share: float) -> Glyph:
    """Write a letter as somebody would whose hand lies between two; the first where they make it in different ways.

    Made the same way are letters of as many strokes that run alike: there the points stand on average within a quarter
    of a capital's height of one another.
    """
    if len(one.strokes) != len(other.strokes):
        return one
    pairs = [(along(mine), along(theirs)) for mine, theirs in zip(one.strokes, other.strokes, strict=True)]
    apart = np.concatenate([np.hypot(*(mine - theirs).T) for mine, theirs in pairs])
    if float(apart.mean()) > ALIKE:
        return one
    strokes = tuple(mine + share * (theirs - mine) for mine, theirs in pairs)
    return Glyph(strokes, one.width + share * (other.width - one.width), one.left, one.right)


def exchange_part(one: Glyph, other: Glyph, rng: random.Random) -> Glyph:
    """Make a letter with a part of somebody else's: his tail, or one of as many strokes, such as a bar or a dot.

    People mix ways of making a letter; those who were recorded do not show every mixture. The first where no part fits.
    """
    mine, its = tail_of(one), tail_of(other)
    if mine is not None and its is not None:
        (number, at), (source, begins) = mine, its
        kept, tail = one.strokes[number][: at + 1], other.strokes[source][begins:]
        strokes = [*one.strokes]
        strokes[number] = np.concatenate([kept, tail[1:] + (kept[-1] - tail[0])]).astype(np.float32)
        return glyph(strokes)
    if len(one.strokes) < 2 or len(one.strokes) != len(other.strokes):
        return one
    number = rng.randrange(len(one.strokes))
    wider = np.array([one.width / max(other.width, 0.1), 1], np.float32)
    instead = np.asarray(other.strokes[number] * wider, np.float32)
    if float(np.hypot(*(along(one.strokes[number]) - along(instead)).T).mean()) > ALIKE:
        return one
    return glyph([*one.strokes[:number], instead, *one.strokes[number + 1 :]])


def tail_of(one: Glyph) -> tuple[int, int] | None:
    """Find where a letter leaves the line for what hangs below it: stroke and point; None where nothing does."""
    deepest = [float(stroke[:, 1].max()) for stroke in one.strokes]
    number = int(np.argmax(deepest))
    depth = one.strokes[number][:, 1]
    lowest = int(depth.argmax())
    on_the_line = np.flatnonzero(depth[:lowest] <= TAIL_BEGINS)
    hangs = deepest[number] > TAIL_REACHES and depth[lowest:].min() > TAIL_RETURNS
    return (number, int(on_the_line[-1])) if hangs and len(on_the_line) else None


def arrow(rng: random.Random) -> list[Stroke]:
    """Draw an arrow or a dash in one go."""
    length, height, head = rng.uniform(0.35, 1.1), -rng.uniform(0.25, 0.55), rng.uniform(0.12, 0.28)
    tip = np.array([length, height + rng.gauss(0, 0.05)])
    shaft = np.array([[0, height], [length / 2, height + rng.gauss(0, 0.03)], tip], np.float32)
    if rng.random() < 0.45:
        return [shaft]
    barbs = np.array([tip - [head, head * rng.uniform(0.5, 1)], tip, tip - [head, -head * rng.uniform(0.5, 1)]])
    return [shaft, barbs.astype(np.float32)]


def scribble(width: float, rng: random.Random) -> list[Stroke]:
    """Cross out what stands between 0 and ``width``: one or two lines, or a zigzag."""
    start, stop = -rng.uniform(0, 0.2), width + rng.uniform(0, 0.2)
    if rng.random() < 0.6:
        heights = [rng.uniform(-0.75, -0.25) for _ in range(rng.choice((1, 1, 2, 3)))]
        ends = [(height, height + rng.gauss(0, 0.12)) for height in heights]
        return [np.array([[start, a], [(start + stop) / 2, (a + b) / 2 + rng.gauss(0, 0.04)], [stop, b]], np.float32)
                for a, b in ends]  # fmt: skip
    turns = rng.randint(4, 5 + int(8 * width))
    xs = np.linspace(start, stop, turns) + np.random.default_rng(rng.randrange(2**32)).normal(0, 0.08, turns)
    ys = [(-rng.uniform(0.7, 1.1) if turn % 2 else rng.uniform(-0.3, 0.1)) for turn in range(turns)]
    return [np.stack([xs, ys], 1).astype(np.float32)]


class Composer:
    """Writes lines in the hands of one split, with random mixtures of hands."""

    def __init__(self, hands: Hands, rng: random.Random) -> None:
        self.hands = hands
        self.rng = rng
        self.donors: dict[str, list[Glyph]] = {}
        for writer in hands.writers:
            for letter, glyphs in writer.glyphs.items():
                self.donors.setdefault(letter, []).extend(glyphs)

    def line(self, text: str) -> Line:
        """Write a text in one hand."""
        rng = self.rng
        writer, guest = self.somebody(), self.somebody()
        lent = rng.choice(
            (0, 0, 0.1, 0.3, 0.5)
        )  # share of letters taken from the guest: more hands than there are people
        between_hands = rng.choice((0.0, 0.0, rng.uniform(0.1, 0.5), rng.uniform(-0.3, -0.1)))  # below 0: away from
        tight = math.exp(rng.gauss(0, 0.25))
        written = Line()
        at = 0
        while at < len(text):
            take = 2 if text[at : at + 2] == "->" else 1
            piece, at = text[at : at + take], at + take
            if piece == " ":
                written.width += writer.space * tight**0.5 * rng.uniform(0.6, 1.2)
                written.reach[:] = written.width
                continue
            chosen = self.glyph(piece, guest if rng.random() < lent else writer)
            if between_hands and piece in guest.glyphs:
                chosen = between(chosen, rng.choice(guest.glyphs[piece]), between_hands)
            elif rng.random() < EXCHANGED and piece in self.donors:
                chosen = exchange_part(chosen, rng.choice(self.donors[piece]), rng)
            self.set_down(written, chosen, writer.gap * tight * rng.uniform(0.5, 1.5))
            written.spelled += piece
        written.spelled = spelling(written.spelled)
        return written

    def somebody(self) -> Writer:
        """Choose a hand: one that was recorded, or a font."""
        fonts = self.hands.fonts
        return self.rng.choice(fonts if fonts and self.rng.random() < OF_FONTS else self.hands.writers)

    def glyph(self, piece: str, writer: Writer) -> Glyph:
        """Find a letter in a hand, or in the same hand's other case, or in any hand."""
        rng = self.rng
        if piece in ("->", "→"):
            return measured(arrow(rng)) if rng.random() < 0.4 else self.arrow_of_two(writer)
        if piece == "-" and ("-" not in writer.glyphs or rng.random() < 0.3):
            return measured(arrow(rng))
        known = writer.glyphs.get(piece)
        if not known and (rng.random() < 0.7 or piece not in self.donors):
            known = writer.glyphs.get(piece.swapcase())
        if not known:
            drawn = [np.array(stroke, np.float32) for stroke in DRAWN.get(piece, ())]
            if drawn and (piece not in self.donors or rng.random() < 0.5):
                return measured(drawn)
            known = tuple(self.donors.get(piece) or self.donors[piece.swapcase()])
        return rng.choice(known)

    def arrow_of_two(self, writer: Writer) -> Glyph:
        """Make an arrow of a hand's dash and its angle: touching, apart, or one over the other."""
        rng = self.rng
        shaft, head = self.glyph("-", writer), self.glyph(">", writer)
        longer = np.array([rng.uniform(0.8, 1.9), 1], np.float32)
        start = np.array([shaft.width * longer[0] + rng.uniform(-0.3, 0.35), rng.gauss(0, 0.04)], np.float32)
        return measured([*(stroke * longer for stroke in shaft.strokes), *(stroke + start for stroke in head.strokes)])

    def set_down(self, line: Line, glyph: Glyph, gap: float) -> None:
        """Put a letter after the last: as close as their sides allow, never far back over it."""
        rng = self.rng
        gap = max(gap, 0.05) if rng.random() < 0.88 else gap - 0.12  # writers touch now and then
        beside = float(np.max(line.reach - glyph.left)) if line.strokes else 0.0
        x = max(beside + gap, line.width - 0.6) if line.strokes else 0.0
        size, turn = math.exp(rng.gauss(0, 0.07)), rng.gauss(0, 0.035)
        spin = np.array([[size, rng.gauss(0, 0.06) - turn], [turn, math.exp(rng.gauss(0, 0.06))]], np.float32)
        shift = np.array([x, rng.gauss(0, 0.03)], np.float32)
        line.strokes += [rewritten(stroke, rng) @ spin.T + shift for stroke in glyph.strokes]
        line.width = x + glyph.width * size
        line.reach = np.maximum(x + glyph.right * size, line.width - 0.9)

    def struck(self, line: Line, text: str) -> None:
        """Add a piece that was written and crossed out, or a letter written over another."""
        rng = self.rng
        if rng.random() < 0.6:
            piece = self.line(text)
            marks = scribble(piece.width, rng)
        else:
            piece = self.line(rng.choice("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            marks = self.line(rng.choice("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")).strokes * 2
        x = line.width + rng.uniform(0.1, 0.6) if line.strokes else 0.0
        line.strokes += [stroke + np.array([x, 0], np.float32) for stroke in piece.strokes + marks]
        line.width = x + piece.width
        line.reach[:] = line.width
        line.spelled += STRUCK

    def joined(self) -> Line:
        """Write one to three real words of one person, with dashes or spaces between."""
        rng = self.rng
        pool = self.hands.words
        at = rng.randrange(len(pool))
        chosen = [pool[at]]
        for _ in range(rng.choices((0, 1, 2), (45, 35, 20))[0]):
            near = pool[min(len(pool) - 1, max(0, at + rng.randint(-60, 60)))]
            if near.writer == chosen[0].writer:
                chosen.append(near)
        return self.beside(chosen)

    def beside(self, chosen: list[Word]) -> Line:
        """Set words beside one another."""
        rng = self.rng
        line, spelled = Line(), ""
        for number, word in enumerate(chosen):
            if number:
                line.width += rng.uniform(0.1, 0.5)
                if rng.random() < 0.5:
                    dash = measured(arrow(rng))
                    line.strokes += [s + np.array([line.width, 0.0], np.float32) for s in dash.strokes]
                    line.width += dash.width + rng.uniform(0.1, 0.4)
                    spelled += "-"
            size = 1.1 * (0.75 if number and rng.random() < 0.3 else 1)
            line.strokes += [s * size + np.array([line.width, -size], np.float32) for s in word.strokes]
            line.width += word.width * size
            spelled += word.text
        line.spelled = spelling(spelled)
        return line


def measured(strokes: list[Stroke]) -> Glyph:
    """Make a glyph of drawn strokes, whose box is its outline."""
    points = np.concatenate(strokes)
    low = float(points[:, 0].min())
    width = float(np.ptp(points[:, 0]))
    left, right = np.zeros(BANDS, np.float32), np.full(BANDS, width, np.float32)
    return Glyph(tuple(stroke - np.array([low, 0], np.float32) for stroke in strokes), width, left, right)
