"""What frames say of every text, path by path: slow, and beyond doubt."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from pipeline.reading.alphabet import BLANK, CLASS_OF
from pipeline.reading.lattice import Frames


def paths(shown: Frames, letters: str) -> Iterator[tuple[list[int], str, float]]:
    """Every path through the frames, the text it spells (repeats merged, blanks left out), and its probability."""
    names = {CLASS_OF[letter]: letter for letter in letters}
    for path in product([BLANK, *names], repeat=len(shown)):
        kept = [now for before, now in zip((BLANK, *path), path, strict=False) if now not in (before, BLANK)]
        chance = float(np.prod(shown[np.arange(len(path)), list(path)]))
        yield list(path), "".join(names[now] for now in kept), chance


def likelihoods(shown: Frames, letters: str) -> dict[str, float]:
    """The probability of every text of these letters: the sum over all its paths."""
    found: dict[str, float] = {}
    for _, text, chance in paths(shown, letters):
        found[text] = found.get(text, 0.0) + chance
    return found
