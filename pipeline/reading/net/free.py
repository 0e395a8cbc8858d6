"""What a row says when nothing is expected of it: letters, and spaces where the ink leaves a gap."""

import numpy as np

from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.network import COLUMNS_PER_FRAME, best_letters
from pipeline.reading.net.normalise import INK_ROWS, Ink

SPACE = (
    0.32 * INK_ROWS
)  # columns without ink that part two words; between letters of one word 90 % of gaps are narrower


def free_text(frames: Frames, ink: Ink) -> str:
    """Read a row freely, in capitals, with spaces where the gaps are wide and around dashes."""
    letters = best_letters(frames)
    inked = np.concatenate([(ink > 0.3).any(0), [True]])
    text = ""
    for number, (letter, frame) in enumerate(letters):
        if number:
            before = letters[number - 1][1]
            gap = longest_gap(inked[before * COLUMNS_PER_FRAME : (frame + 1) * COLUMNS_PER_FRAME])
            if gap > SPACE or "-" in (letter, letters[number - 1][0]):
                text += " "
        text += letter.upper()
    return text


def longest_gap(inked: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> int:
    """Count the longest run of columns without ink."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], inked, [True]]).astype(np.int8)))
    return int((edges[1::2] - edges[::2]).max(initial=0))
