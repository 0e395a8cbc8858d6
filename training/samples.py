"""Endless training pictures: text, hand, paper, and the product's own normalisation."""

import random
from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.pen.hand import Hand, writable
from pipeline.reading.alphabet import STRUCK, spelling
from pipeline.reading.network import OURS, Framing, NormalCanvas, normalise
from training import texts
from training.hand import Composer, Line
from training.lines import line_image
from training.paper import degraded, scanned
from training.strokes import Hands

LONGEST = 44  # letters
WIDEST = 33.3  # ink heights
PENNED = 0.15  # share of lines written by our own pen: any number of hands, though none of them a person's
JOINED = 0.16  # share of the others that are real words as they were joined
PEN_SEEDS = 1_000_000  # our pen's training hands are numbered from here; tests and samples use smaller numbers
MM_PER_INCH = 25.4
NO_PEN = str.maketrans("*%@$^<", "??!!??")  # signs that our pen does not write: others of the same class


class Sample(Struct, frozen=True):
    """A normalised picture and what it spells."""

    picture: NDArray[np.uint8]  # ink 0..255, as large as the net's canvas wants it
    spelled: str


def written(composer: Composer, rng: random.Random) -> Line:
    """Write one line: composed, joined words, sometimes with something struck out."""
    draw = rng.random()
    if draw < JOINED and composer.hands.words:
        return composer.joined()
    line = composer.line(texts.text(rng))
    if draw > 0.95:
        composer.struck(line, texts.text(rng)[: rng.randint(1, 12)])
        if rng.random() < 0.6:
            more = composer.line(texts.text(rng))
            gap = np.array([line.width + rng.uniform(0.2, 0.8), 0], np.float32)
            line.strokes += [stroke + gap for stroke in more.strokes]
            line.width = float(gap[0]) + more.width
            line.spelled += more.spelled
    elif draw > 0.94:
        wholly_struck = Line()
        composer.struck(wholly_struck, texts.text(rng))
        return wholly_struck
    return line


def sample(
    composer: Composer, rng: random.Random, noise: np.random.Generator, canvas: NormalCanvas = OURS
) -> Sample | None:
    """Make one sample; None where the line came out too long, or as nothing."""
    if rng.random() < PENNED:
        grey, spelled = penned(rng, noise)
    else:
        line = written(composer, rng)
        spelled = line.spelled
        if not spelled or len(spelled) > LONGEST:
            return None
        grey = scanned(line, rng, noise)
    framing = Framing(stretch=float(np.exp(rng.gauss(0, 0.10))), shift=rng.gauss(0, 0.04))
    picture = normalise(grey, canvas, framing)
    if picture is None or picture.shape[1] > WIDEST * canvas.ink_rows or not spelled:
        return None
    room = picture.shape[1] / canvas.columns_per_frame
    if len(spelled) > LONGEST or (room < len(spelled) * 1.35 + 2 and STRUCK not in spelled):
        return None
    return Sample((picture * 255).astype(np.uint8), spelled)


def penned(rng: random.Random, noise: np.random.Generator) -> tuple[NDArray[np.uint8], str]:
    """Write a line with our own pen, in a hand of its own."""
    hand = Hand.from_seed(PEN_SEEDS + rng.randrange(10**9))
    dpi = rng.choice((150, 200, 200, 300))
    text = writable(texts.text(rng).translate(NO_PEN))
    clean = line_image(text, hand, noise, dpi).astype(np.float32)
    capital = hand.height_mm / MM_PER_INCH * dpi
    return degraded(clean, clean.shape[0] - 0.45 * capital, capital, rng, noise), spelling(text)


def samples(hands: Hands, seed: int, canvas: NormalCanvas = OURS) -> Iterator[Sample]:
    """Make samples for ever."""
    rng, noise = random.Random(seed), np.random.default_rng(seed)
    composer = Composer(hands, rng)
    while True:
        made = sample(composer, rng, noise, canvas)
        if made is not None:
            yield made
