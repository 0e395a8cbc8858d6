"""Whether the names on a row begin with capitals: then a bare stroke before ``on`` is the I of Ion, not the l of lon.

The nets know no case, and a capital I without serifs is the same ink as a small l. What tells them apart is what a
person looks at: how the other names of the row begin.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pipeline.reading.net.best_path import laid_along
from pipeline.reading.net.gaps import INKED
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.normalise import OURS, Ink
from pipeline.reading.net.slips import SHORTEST

STROKES = "il"  # of these two one may be the capital and the other the small letter
WITHOUT_ASCENDER = frozenset("acegmnopqrsuvwxyz")  # small they are low, as capitals high
LEAST_LOW = 2  # such letters inside names: without them nobody knows how high low is
HALF = 10  # columns on either side of where a letter was seen within which its ink is looked for
# By how much of the height of low letters the lowest first letter stands above them: of 383 legal rows of the fitted
# half in names with capitals 55 % have so much, of 522 others 1.7 %: e^3.5 for capitals
HIGHER = 0.4
FAVOUR = 3.5  # log likelihood


def favoured(written: str, words: Sequence[str], at: int, frames: Frames, ink: Ink) -> float:
    """Say by how much an i is likelier than an l at a place of a text than the nets say, which know no case (log).

    0 where it is not the first letter of a name, or the row does not show that names begin with capitals on it.
    """
    starts = np.cumsum([0, *map(len, words)])
    word = int(np.searchsorted(starts, at, side="right")) - 1
    if written[at] not in STROKES or starts[word] != at or len(words[word]) < SHORTEST:
        return 0.0
    return FAVOUR if begin_with_capitals(words, frames, ink) else 0.0


def begin_with_capitals(words: Sequence[str], frames: Frames, ink: Ink) -> bool:
    """Say whether all names of a text, those with a low first letter, begin high on this row; False if it has none."""
    text = "".join(words)
    letters = laid_along(text, frames)
    if not ink.size or len(letters) != len(text):
        return False
    tops, feet = extents(ink, [(frame + 0.5) * OURS.columns_per_frame for _, frame in letters])
    first, low = [], []
    at = 0
    for word in words:
        if len(word) >= SHORTEST:
            first += [at] if word[0] in WITHOUT_ASCENDER else []
            low += [at + k for k, letter in enumerate(word) if k and letter in WITHOUT_ASCENDER]
        at += len(word)
    if not first or len(low) < LEAST_LOW:
        return False
    line = float(np.median(tops[low]))
    height = float(np.median(feet)) - line
    return height > 0 and bool((line - tops[first] >= HIGHER * height).all())


def extents(ink: Ink, places: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measure the highest and the lowest row of ink of each letter, below all rows where there is none.

    Places are the columns where the letters were seen.
    """
    rows = (ink > INKED).astype(np.int64)
    edges = [places[0] - HALF, *((a + b) / 2 for a, b in pairwise(places)), places[-1] + HALF]
    found = []
    for place, (left, right) in zip(places, pairwise(edges), strict=True):
        part = rows[:, max(0, int(max(left, place - HALF))) : int(min(right, place + HALF)) + 1]
        inked = np.flatnonzero(part.any(1))
        found.append((inked[0], inked[-1]) if len(inked) else (len(rows), len(rows)))
    tops, feet = np.array(found, np.float64).T
    return tops, feet
