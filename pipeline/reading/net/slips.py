"""One letter amiss: the likelihood of every text that is a single slip away from the best line's spelling.

What a player may have written instead of an order is seldom any text at all; most often it is that order with one
letter changed, left out or added. Held against these alone, a careless hand can be read surely, and a misspelling
cannot pass.
"""

from collections.abc import Sequence

import numpy as np

from pipeline.reading.net.alphabet import ALONE, CLASS_OF, SIGN
from pipeline.reading.net.lattice import Drawing, Frames, Lattice, Words, lattice, ready
from pipeline.reading.net.sweep import likelihoods

WRITTEN = "abcdefghijklmnopqrstuvwxyz0123456789-" + SIGN + ALONE  # what a slip may put there
UNSEEN = 1e-4  # probability below which a letter stands in no frame: it cannot be what was written


def slips(written: Sequence[str], lines: Sequence[Sequence[Words]], rows: Sequence[Frames]) -> list[float]:
    """Measure, for each row, all texts one slip away from a spelling of its line that do not spell it; logarithms.

    >>> frames = np.full((4, 45), 1e-9)
    >>> frames[[0, 1, 3], [1, 2, 3]] = 0.98
    >>> frames[2, [2, 4]] = 0.49
    >>> bool(slips(["abc"], [[("abc",)]], [frames])[0] > np.log(0.4))
    True
    >>> bool(slips(["abc"], [[("abc", "abdc")]], [frames])[0] < np.log(0.1))
    True
    """
    graphs = [graph_of_slips(text, seen_in(frames)) for text, frames in zip(written, rows, strict=True)]
    found = [float(one[0]) for one in likelihoods(graphs, rows)]
    spellings = [sorted(other_spellings(text, slots)) for text, slots in zip(written, lines, strict=True)]
    with_own = [row for row, texts in enumerate(spellings) if texts]
    own = [lattice([((text,),) for text in spellings[row]], together=True) for row in with_own]
    measured = likelihoods(own, [rows[row] for row in with_own])
    for row, of_line in zip(with_own, measured, strict=True):
        found[row] = less(found[row], float(of_line[0]))
    return found


def less(more: float, own: float) -> float:
    """Subtract likelihoods given as logarithms."""
    return float(more + np.log(-np.expm1(own - more))) if own < more else -np.inf


def seen_in(frames: Frames) -> list[str]:
    """List what a slip may have put on a row: what stands in one of its frames at least."""
    seen = frames.max(0)
    return [letter for letter in WRITTEN if seen[CLASS_OF[letter]] > UNSEEN]


def graph_of_slips(written: str, letters: Sequence[str]) -> Lattice:
    """Draw all texts one slip away: state k is k letters written rightly, state k + length + 1 the same after a slip.

    A letter put in beside its like is drawn once, after it; so is one of two alike that is left out, the second.
    """
    length = len(written)
    slipped = length + 1
    drawing = Drawing(states=2 * slipped, ends=[(0, slipped + length)])
    for at in range(length + 1):
        right = written[at : at + 1]
        instead = [CLASS_OF[letter] for letter in letters if letter != right]
        drawing.arcs += [(at, letter, slipped + at) for letter in instead]  # one too many
        if right:
            drawing.arcs += [(start + at, CLASS_OF[right], start + at + 1) for start in (0, slipped)]
            drawing.arcs += [(at, letter, slipped + at + 1) for letter in instead]  # another
            if written[at + 1 : at + 2] != right:
                drawing.skips.append((at, slipped + at + 1))  # one too few
    return ready(drawing, [0])


def other_spellings(written: str, slots: Sequence[Words]) -> set[str]:
    """List the spellings of the same line that are one slip away in one of its words."""
    words = parted(written, slots)
    found = {
        "".join([*words[:at], other, *words[at + 1 :]])
        for at, slot in enumerate(slots)
        for other in slot
        if is_slip(words[at], other)
    }
    return found - {written}


def parted(written: str, slots: Sequence[Words]) -> list[str]:
    """Cut a spelling of a line into the words of its slots; a `ValueError` where it is none."""
    if not slots:
        if written:
            raise ValueError(f"{written!r} is left over after the last word of the line")
        return []
    for word in slots[0]:
        if written.startswith(word):
            try:
                return [word, *parted(written[len(word) :], slots[1:])]
            except ValueError:
                continue
    raise ValueError(f"{written!r} is no spelling of {slots}")


def is_slip(word: str, other: str) -> bool:
    """Whether two words differ by one letter changed, left out or added.

    >>> is_slip("vie", "via"), is_slip("vie", "vi"), is_slip("vie", "vei"), is_slip("vie", "vie")
    (True, True, False, False)
    """
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    short, long = sorted((word, other), key=len)
    at = next((k for k, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]
