"""One line of handwriting as a grey picture: what the recogniser is trained on."""

import numpy as np

from pipeline.pen.hand import Hand
from pipeline.pen.laying import MM_PER_INCH, Picture, grey_of, lay
from pipeline.pen.writing import Writing, write

MARGIN_MM = 1.5


def line_image(text: str, hand: Hand, rng: np.random.Generator, dpi: int = 200) -> Picture:
    """Write a text and return the grey picture of it, paper around it included.

    >>> line_image("A VIE - BOH", Hand.from_seed(3), np.random.default_rng(1), 200).ndim
    2
    """
    return picture_of(write(text, hand, rng), hand, rng, dpi)


def picture_of(writing: Writing, hand: Hand, rng: np.random.Generator, dpi: int = 200) -> Picture:
    """Put a written line on a strip of paper of its own size."""
    left, top, right, bottom = writing.extent
    px = dpi / MM_PER_INCH
    around = MARGIN_MM * rng.uniform(0.5, 1.5, 4)
    width = round((right - left + around[0] + around[1]) * px)
    height = round((bottom - top + around[2] + around[3]) * px)
    moved = writing.moved(around[0] - left, around[2] - top)
    ink = lay(moved.strokes, hand.pen, rng, dpi, hand.heft)
    paper = np.full((height, width), rng.uniform(232, 254), np.float32)
    paper += rng.uniform(0.4, 3.0) * rng.standard_normal((height, width), dtype=np.float32)
    covered = np.zeros((height, width), np.float32)
    patch = ink.cover[: height - max(ink.top, 0), : width - max(ink.left, 0)]
    patch = patch[max(-ink.top, 0) :, max(-ink.left, 0) :]
    covered[max(ink.top, 0) :, max(ink.left, 0) :][: patch.shape[0], : patch.shape[1]] = patch
    dark = np.float32(grey_of(hand.pen))
    return np.asarray(np.clip(paper * (1 - covered) + dark * covered, 0, 255), np.uint8)
