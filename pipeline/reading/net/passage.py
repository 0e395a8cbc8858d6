"""How a text lies along the frames of a row: what comes before each of its places, and what comes after.

The forward and backward variables of Graves et al. 2006 (section 4.1), of many rows at once. All that changes one place
of a text is measured with them without measuring the rest again.
"""

from collections.abc import Sequence

import numpy as np

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.net.lattice import Floats, Frames, Numbers

NOBODY = CLASSES  # the class of a place where no letter stands: before the first, behind the last


class Passage:
    """Texts, each on its own row. Likelihoods; places are counted from before the first letter."""

    def __init__(self, texts: Sequence[str], rows: Sequence[Frames]) -> None:
        self.lengths = np.array([len(text) for text in texts])
        self.classes = classes_of(texts)  # by row and place: the letter before it
        self.frames = laid(rows)  # frame, row, class
        steps, count, places = len(self.frames), len(texts), self.classes.shape[1] - 1
        shape = (steps + 1, count, places)
        self.blank_before, self.letter_before = np.zeros(shape), np.zeros(shape)  # after so many frames, all used
        self.blank_after, self.letter_after = np.zeros(shape), np.zeros(shape)  # from a frame on; by how it begins
        shown = np.take_along_axis(self.frames, self.classes[None], 2)
        self.go_forward(shown[:, :, :-1])
        self.go_back(shown[:, :, 1:])
        ends = np.arange(count), self.lengths
        self.whole: Floats = self.blank_before[-1][ends] + self.letter_before[-1][ends]

    @property
    def fresh(self) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
        """By place: whether the letters on both sides of it differ, so that no blank need part them."""
        return np.asarray(self.classes[:, :-1] != self.classes[:, 1:])

    def go_forward(self, shown: Floats) -> None:
        """Come to each place from the beginning."""
        self.blank_before[0, :, 0] = 1.0
        fresh = self.fresh[:, :-1]
        for number, frame in enumerate(self.frames):
            blank, letter = self.blank_before[number], self.letter_before[number]
            self.blank_before[number + 1] = (blank + letter) * frame[:, BLANK, None]
            come = letter.copy()
            come[:, 1:] += blank[:, :-1] + letter[:, :-1] * fresh
            self.letter_before[number + 1] = come * shown[number]

    def go_back(self, shown: Floats) -> None:
        """Come to each place from the end."""
        fresh = self.fresh
        rows = np.arange(len(self.lengths))
        self.blank_after[-1][rows, self.lengths] = 1.0  # nothing is left: as good as bare paper
        on = np.zeros(self.letter_after.shape[1:])  # the letter before the place still lasts
        on[rows, self.lengths] = 1.0
        for number in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[number]
            rest = self.blank_after[number + 1] + self.letter_after[number + 1]
            self.blank_after[number] = rest * frame[:, BLANK, None]
            self.letter_after[number, :, :-1] = shown[number, :, :-1] * on[:, 1:]
            on = self.blank_after[number] + self.letter_after[number] * fresh
            on[:, 1:] += self.letter_after[number, :, :-1]

    def without_a_letter(self) -> Floats:
        """The likelihood of each text with one letter left out, by row and letter."""
        classes = self.classes
        goes_on = classes[:, :-2] != classes[:, 2:]
        before = self.blank_before[:-1, :, :-1] + self.letter_before[:-1, :, :-1] * goes_on
        found: Floats = (before * self.letter_after[:-1, :, 1:]).sum(0)
        rows = np.arange(len(self.lengths))
        last = self.lengths - 1
        found[rows, last] = self.blank_before[-1][rows, last] + self.letter_before[-1][rows, last]
        return found


def classes_of(texts: Sequence[str]) -> Numbers:
    """The classes of the letters of each text, with nobody before and behind."""
    longest = max(map(len, texts))
    found = np.full((len(texts), longest + 2), NOBODY)
    for row, text in enumerate(texts):
        found[row, 1 : len(text) + 1] = [CLASS_OF[letter] for letter in text]
    return found


def laid(rows: Sequence[Frames]) -> Frames:
    """Lay rows of different lengths side by side: frame, row, class; behind its end a row is surely bare paper."""
    found = np.zeros((max(map(len, rows)), len(rows), CLASSES + 1))
    for number, row in enumerate(rows):
        found[: len(row), number, :CLASSES] = row
        found[len(row) :, number, BLANK] = 1.0
    return found
