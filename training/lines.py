"""One line of handwriting as a grey picture: what the recogniser is trained on."""

import numpy as np

from pipeline.pen.hand import Hand
from pipeline.pen.laying import MM_PER_INCH, Picture, lay_strokes
from pipeline.pen.writing import Writing, WrittenWords, write_words

MARGIN_MM = 1.5


def line_image(text: str, hand: Hand, rng: np.random.Generator, dpi: int = 200) -> Picture:
    """Write a text, and return the grey picture of it with some paper around it.

    >>> line_image("A VIE - BOH", Hand.from_seed(3), np.random.default_rng(1), 200).ndim
    2
    """
    return _draw_line_picture(write_words(WrittenWords(text), hand, rng), hand, rng, dpi)


def _draw_line_picture(writing: Writing, hand: Hand, rng: np.random.Generator, dpi: int) -> Picture:
    """Put a written line on a strip of paper of its own size."""
    left, top, right, bottom = writing.extent
    px = dpi / MM_PER_INCH
    around = MARGIN_MM * rng.uniform(0.5, 1.5, 4)
    width = round((right - left + around[0] + around[1]) * px)
    height = round((bottom - top + around[2] + around[3]) * px)
    moved = writing.move_by(around[0] - left, around[2] - top)
    paper = np.full((height, width), rng.uniform(232, 254), np.float32)
    paper += rng.uniform(0.4, 3.0) * rng.standard_normal((height, width), dtype=np.float32)
    strip = np.asarray(np.clip(paper, 0, 255), np.uint8)
    lay_strokes(moved.strokes, hand.pen, rng, dpi, hand.heft).on(strip, hand.pen)
    return strip
