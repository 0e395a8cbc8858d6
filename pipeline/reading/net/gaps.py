"""The paper between the letters of a row: what parts two words, and what tears one."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from pipeline.reading.ink.pieces import pieces
from pipeline.reading.net.alphabet import AIR, bare
from pipeline.reading.net.best_path import laid_along
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.network import best_letters
from pipeline.reading.net.normalise import OURS, Ink

INK_ROWS, COLUMNS_PER_FRAME = OURS.ink_rows, OURS.columns_per_frame  # all that is looked at here is laid so
INKED = 0.3  # of the darkest
SPACE = 0.32 * INK_ROWS  # columns without ink that part two words; 90 % of gaps within a word are narrower
DOTTED = "ij"
LONGER_THAN_A_STOP = 0.3  # ink heights
WIDER = 4  # columns by which a gap inside a word must be wider than one at the word's own ends to tear it apart
# A narrower one tears a word where no other word of the row has one like it, and a verb of one letter is torn off where
# it stands apart from the word before it and at the next. Of 1,209 rows of which a letter has changed places with the
# space behind it, and which the rules then do not follow, 93 % show one of the three signs; 66 % showed the first while
# lines to write on hid gaps. Of 7,459 rows of whole sheets that nobody else asks about 36 do (29 the first). All are in
# hands that the gate is fitted on
NARROW, WIDER_THAN_ENDS, WIDER_THAN_OTHERS = 6, 3, 3
DASH = "-"
JOINED = 1  # columns from such a verb to the next word
RULED = 0.8  # of the columns: a row of the picture with more ink is a line to write on, and shows no gap


def gaps(letters: Sequence[tuple[str, int]], ink: Ink) -> list[int]:
    """Measure the widest paper between each letter and the next, in columns; letters come with their frames.

    A letter with a dot ends where its dot does: some fly far to the right.
    """
    inked = np.concatenate([unruled(ink > INKED).any(0), [True]])
    dots = dots_of(ink) if any(letter in DOTTED for letter, _ in letters) else []
    found = []
    for (letter, before), (_, frame) in pairwise(letters):
        start, end = before * COLUMNS_PER_FRAME, (frame + 1) * COLUMNS_PER_FRAME
        behind = [right for left, right in dots if letter in DOTTED and start <= left and right <= end]
        found.append(longest_gap(inked[max([start, *behind]) : end]))
    return found


def dots_of(ink: Ink) -> list[tuple[int, int]]:
    """Find what may be the dot of a letter: small, and above the middle of the writing; from column to column."""
    _, sizes, _ = pieces((ink > INKED).astype(np.uint8))
    return [
        (int(left), int(left + width))
        for left, top, width, height, _ in sizes[1:]
        if max(width, height) <= LONGER_THAN_A_STOP * INK_ROWS and top + height <= ink.shape[0] / 2
    ]


def gaps_of(text: str, frames: Frames, ink: Ink) -> list[int] | None:
    """Measure the gaps of a reading, behind each of its letters but the last; None where there is no room for all.

    Where the letters were read otherwise, those of the reading are looked for where they lie best.
    """
    letters = [(letter, frame) for letter, frame in best_letters(frames) if letter not in AIR]
    wanted = bare(text)
    if wanted != "".join(letter for letter, _ in letters):
        letters = laid_along(wanted, frames)
        if len(letters) != len(wanted):
            return None
    return gaps(letters, ink)


def is_torn(text: str, apart: Sequence[int]) -> bool:
    """Say whether a word of a reading has a gap in it, wider than at an end of that word: ``RU M- BUL`` for RUM - BUL.

    It is as wide as between words, or stands out among those within words. The letters are the same, so nothing else
    shows it; what such a line means is for the rules.
    """
    spans = list(pairwise(accumulate((len(bare(word)) for word in text.split()), initial=0)))
    within = sorted(gap for start, end in spans for gap in apart[start : end - 1])
    stands_out = max([NARROW, *(gap + WIDER_THAN_OTHERS for gap in within[-2:-1])])
    for start, end in spans:
        ends = [apart[place - 1] for place in (start, end) if 0 < place <= len(apart)]
        widest = max(apart[start : end - 1], default=0)
        if ends and widest > SPACE and widest > min(ends) + WIDER:
            return True
        if ends and widest > stands_out and widest > min(ends) + WIDER_THAN_ENDS:
            return True
    return False


def run_together(text: str, apart: Sequence[int]) -> str:
    """Join a letter to the next word of a reading where it stands away from the word before it and at the next.

    >>> run_together("A BUL S AEG", [0, 0, 1, 12, 0, 2, 1])
    'A BUL SAEG'
    """
    found, letters = "", 0
    for word, behind in pairwise([*text.split(), ""]):
        first, letters = letters, letters + len(bare(word))
        found += word
        is_one = len(bare(word)) == 1 and DASH not in (bare(word), bare(behind)) and 0 < first < len(apart)
        found += "" if is_one and apart[first - 1] > SPACE and apart[first] <= JOINED else " "
    return found.rstrip()


def unruled(inked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Leave out of a picture what is ruled across it."""
    ruled: NDArray[np.bool_] = inked.mean(1, keepdims=True) >= RULED
    return inked & ~ruled


def longest_gap(inked: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> int:
    """Count the longest run of columns without ink."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], inked, [True]]).astype(np.int8)))
    return int((edges[1::2] - edges[::2]).max(initial=0))
