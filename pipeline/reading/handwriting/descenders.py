"""Whether what hangs down out of a row is tails of the letters that were read there."""

from collections.abc import Sequence

from pipeline.reading.net.alphabet import bare
from pipeline.reading.net.best_path import laid_along
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.normalise import OURS

DESCENDERS = frozenset("fgjpqyz")  # in one case or the other, in somebody's hand
# Ink heights from where a letter is seen to where its tail hangs down: of 24 tails of hands that the gate is fitted
# on the letter was 0.2 to the left of the middle at most, and 0.45 to the right
BEFORE, BEHIND = 0.4, 0.6


def hang_from_letters(tails: Sequence[tuple[float, float]], text: str, frames: Frames) -> bool:
    """Say whether there are tails, each (the columns that it hangs down between) under a letter that may have one."""
    if not tails:
        return False
    letters = laid_along(bare(text), frames)
    columns = [(frame + 0.5) * OURS.columns_per_frame for letter, frame in letters if letter in DESCENDERS]
    before, behind = BEFORE * OURS.ink_rows, BEHIND * OURS.ink_rows
    return all(any(first - before <= column <= last + behind for column in columns) for first, last in tails)
