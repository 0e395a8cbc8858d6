"""One line of handwriting as a grey picture: what the recogniser is trained on."""

from collections.abc import Sequence

import numpy as np

from pipeline.pen.hand import Hand
from pipeline.pen.laying import MM_PER_INCH, Picture, lay
from pipeline.pen.slips import Slip, WrittenWords, write_words
from pipeline.pen.writing import Writing

MARGIN_MM = 1.5


def line_image(text: str, hand: Hand, rng: np.random.Generator, dpi: int = 200, *, slip: Slip | None = None) -> Picture:
    """Write a text, with a slip if asked for, and return the grey picture of it with some paper around it.

    >>> line_image("A VIE - BOH", Hand.from_seed(3), np.random.default_rng(1), 200).ndim
    2
    """
    return picture_of(write_words(WrittenWords(text, slip), hand, rng), hand, rng, dpi)


def picture_of(writing: Writing, hand: Hand, rng: np.random.Generator, dpi: int = 200) -> Picture:
    """Put a written line on a strip of paper of its own size."""
    left, top, right, bottom = writing.extent
    px = dpi / MM_PER_INCH
    around = MARGIN_MM * rng.uniform(0.5, 1.5, 4)
    width = round((right - left + around[0] + around[1]) * px)
    height = round((bottom - top + around[2] + around[3]) * px)
    moved = writing.moved(around[0] - left, around[2] - top)
    paper = np.full((height, width), rng.uniform(232, 254), np.float32)
    paper += rng.uniform(0.4, 3.0) * rng.standard_normal((height, width), dtype=np.float32)
    strip = np.asarray(np.clip(paper, 0, 255), np.uint8)
    lay(moved.strokes, hand.pen, rng, dpi, hand.heft).on(strip, hand.pen)
    return strip


def specimens(hands: Sequence[Hand], texts: Sequence[str], *, dpi: int = 130, width_mm: float = 250.0) -> Picture:
    """Show how people write: a row for each hand with the texts beside one another."""
    px = dpi / MM_PER_INCH
    row, wide = round(10.5 * px), round(width_mm * px)
    sheet = np.full((row * len(hands), wide), 252, np.uint8)
    for number, hand in enumerate(hands):
        rng = np.random.default_rng([hand.seed, 8])
        left = 4.0
        for text in texts:
            line = write_words(WrittenWords(text), hand, rng)
            moved = line.moved(left, 10.5 * number + 7.5)
            if left + line.extent[2] > width_mm:
                break
            lay(moved.strokes, hand.pen, rng, dpi, hand.heft).on(sheet, hand.pen)
            left += line.extent[2] + 9.0
    return sheet
