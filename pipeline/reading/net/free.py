"""What a row says when nothing is expected of it: letters, and spaces where the ink leaves a gap."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from pipeline.reading.net.alphabet import AIR, bare
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.network import COLUMNS_PER_FRAME, best_letters
from pipeline.reading.net.normalise import INK_ROWS, Ink

SPACE = (
    0.32 * INK_ROWS
)  # columns without ink that part two words; between letters of one word 90 % of gaps are narrower


WIDER = 4  # columns by which a gap inside a word must be wider than one at the word's own ends to tear it apart


def free_text(frames: Frames, ink: Ink) -> str:
    """Read a row freely, in capitals, with spaces where the gaps are wide and around dashes."""
    letters = best_letters(frames)
    text = ""
    for number, ((letter, _), gap) in enumerate(zip(letters, [0, *gaps(letters, ink)], strict=False)):
        if number and (gap > SPACE or "-" in (letter, letters[number - 1][0])):
            text += " "
        text += letter.upper()
    return text


def gaps(letters: Sequence[tuple[str, int]], ink: Ink) -> list[int]:
    """Measure the widest paper between each letter and the next, in columns; letters come with their frames."""
    inked = np.concatenate([(ink > 0.3).any(0), [True]])
    return [
        longest_gap(inked[before * COLUMNS_PER_FRAME : (frame + 1) * COLUMNS_PER_FRAME])
        for (_, before), (_, frame) in pairwise(letters)
    ]


def is_torn(text: str, frames: Frames, ink: Ink) -> bool:
    """Say whether a word of a reading has a gap in it, wider than at an end of that word: ``RU M- BUL`` for RUM - BUL.

    The letters are the same, so nothing else shows it; what such a line means is for the rules. False where the letters
    themselves were read otherwise.
    """
    letters = [(letter, frame) for letter, frame in best_letters(frames) if letter not in AIR]
    words = [word for word in map(bare, text.split()) if word]
    if "".join(words) != "".join(letter for letter, _ in letters):
        return False
    apart = gaps(letters, ink)
    start = 0
    for word in words:
        end = start + len(word)
        inside = max(apart[start : end - 1], default=0)
        ends = [apart[place - 1] for place in (start, end) if 0 < place < len(letters)]
        if inside > SPACE and ends and inside > min(ends) + WIDER:
            return True
        start = end
    return False


def longest_gap(inked: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> int:
    """Count the longest run of columns without ink."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], inked, [True]]).astype(np.int8)))
    return int((edges[1::2] - edges[::2]).max(initial=0))
