"""What the frames of one row say about the lines that may be written there: likelihoods and margins, no verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from pipeline.reading.net.alphabet import AIR, BLANK, CLASS_OF, STRUCK, Words, accepts, bare, spelled
from pipeline.reading.net.best_path import likeliest_spellings
from pipeline.reading.net.lattice import Floats, Frames, Lattice, condensed, lattice
from pipeline.reading.net.line_tree import LineTree
from pipeline.reading.net.network import best_letters, without
from pipeline.reading.net.slips import slips
from pipeline.reading.net.sweep import likelihoods
from pipeline.reading.rows.recogniser import Slot, Vocabulary, VocabularyLine

DIGITS = "0123456789"
CLOSE = 12.0  # log likelihood below the best within which a line is looked at again
# How much further the next order must be where a word is one that hardly anybody writes (log). Of 24,801 rows of whole
# sheets of the fitted half 291 legal ones with such a word passed, one of them wrong: TRL for `tri`, the next order
# e^10.7 behind. It is asked now, and so are two on which `Trl` is written, at e^13.5 and e^12.7; the next is at e^16.6
UNUSUAL = 6.0
ALIKE_DIGITS = 6  # of a log likelihood: what differs only behind them is equal
ALIKE = 10**-ALIKE_DIGITS
FLOOR = -60.0  # log likelihood below which nothing is told apart

Span = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well the best line explains a row, and how well everything else does (natural logarithms)."""

    SPAN: ClassVar[Span] = {  # beyond these the evidence is as good, or as bad, as it gets
        "to_next": (0.0, 12.0),
        "to_others": (-15.0, 12.0),
        "to_slips": (-15.0, 10.0),
        "to_free": (-20.0, 1.0),
    }

    best: int  # index of the line in the vocabulary
    text: str  # its likeliest spelling, in the vocabulary's own words and in capitals
    likelihood: float  # of the best line among all texts there are: at most 0
    to_next: float  # down to the best line that this spelling does not belong to
    to_others: float  # down to all the inadmissible lines together
    to_slips: float  # down to all texts together that are one slip away from the spelling: misspellings of it
    to_free: float  # down to the likeliest path of letters, whatever it spells: at most a little over 0
    struck: bool  # something was crossed out or written over


class Expected:
    """A vocabulary, spelled and drawn once for all the rows of a sheet."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.lines = vocabulary.lines
        self.taken, self.misspelt, self.unusual = vocabulary.taken, vocabulary.misspelt, vocabulary.unusual
        self.slots = [tuple(map(spelled, line.slots)) for line in vocabulary.lines]
        self.others = {tuple(map(spelled, line.slots)) for line in vocabulary.others}
        self.graph = lattice(self.slots)
        self.beside = graph_of_others(vocabulary.others)
        written = {letter for slots in self.slots for words in slots for word in words for letter in word}
        self.unwanted = "" if written & set(DIGITS) else DIGITS

    @cached_property
    def tree(self) -> LineTree:
        """All lines, the inadmissible ones behind the others."""
        return LineTree.of((*self.slots, *self.others))

    def only_wanted(self, frames: Frames) -> Frames:
        """Rule digits out where no line has one: a nought is then an o."""
        return without(frames, self.unwanted) if self.unwanted else frames

    def spells_another(self, text: str, line: int) -> bool:
        """Whether a text is a spelling of another line, admissible or not."""
        return bool(self.tree.spelled_by(text) - {line})

    def handicap(self, line: int, written: str) -> float:
        """How much further the next order must be where a line is spelled so: with words that hardly anybody writes."""
        return UNUSUAL if self.unusual.intersection(map(bare, words_of(self.lines[line], written))) else 0.0

    def comparable(self, frames: Frames) -> Frames:
        """Take brackets and slashes for the blank between letters, as spellings do that are compared."""
        found = self.only_wanted(frames).copy()
        air = [CLASS_OF[symbol] for symbol in AIR]
        found[:, BLANK] += found[:, air].sum(1)
        found[:, air] = 0.0
        return found


@lru_cache(maxsize=16)
def graph_of_others(others: tuple[VocabularyLine, ...]) -> Lattice | None:
    """Draw the inadmissible lines; they are the same for many sheets."""
    return lattice([tuple(map(spelled, line.slots)) for line in others], together=True) if others else None


def covered(slots: Sequence[Words], other: Sequence[Words]) -> bool:
    """Whether every spelling of a line is one of another, slot by slot; the other may have more to leave out."""
    if not other:
        return not slots
    if slots and within(slots[0], other[0]) and covered(slots[1:], other[1:]):
        return True
    return "" in other[0] and covered(slots, other[1:])


@lru_cache(maxsize=65536)
def within(words: Words, others: Words) -> bool:
    """Whether all the words of one slot stand in another; the same slots are asked about again and again."""
    return set(words) <= set(others)


def log_less(more: float, less: float) -> float:
    """Subtract likelihoods given as logarithms; nothing left is the floor.

    >>> round(log_less(np.log(0.5), np.log(0.2)), 6) == round(float(np.log(0.3)), 6)
    True
    """
    if more <= less:
        return FLOOR
    return max(FLOOR, float(more + np.log(-np.expm1(less - more))))


def ranked(likelihoods: Floats, expected: Expected, most: int = 1) -> list[int]:
    """Find so many lines, the likeliest first; equals by their weight, then as given."""
    first = min(most, len(likelihoods))
    least = float(np.partition(likelihoods, -first)[-first]) - 2 * ALIKE
    likely = np.flatnonzero(likelihoods >= least).tolist()
    lines = expected.lines
    return sorted(likely, key=lambda i: (-round(float(likelihoods[i]), ALIKE_DIGITS), -lines[i].weight))[:most]


def worded(line: VocabularyLine, written: str) -> str:
    """Write a spelling with the vocabulary's own words, in capitals: the net sees no case, so none must be made up.

    >>> worded(VocabularyLine((("A",), ("Vie", "Vienna"), ("-", "to"), ("Boh",))), "avienna-boh")
    'A VIENNA - BOH'
    """
    return " ".join(words_of(line, written)).upper()


def words_of(line: VocabularyLine, written: str) -> list[str]:
    """The vocabulary's own words for a spelling."""
    found: list[str] = []
    if not words_from(line.slots, written, found):
        raise ValueError(f"{written!r} is no spelling of {line.slots}")
    return [word for word in found if word]


def words_from(slots: Sequence[Slot], written: str, found: list[str]) -> bool:
    """Cut a spelled text into one word for each slot."""
    if not slots:
        return not written
    for word in slots[0]:
        letters = bare(word)
        if written.startswith(letters) and words_from(slots[1:], written[len(letters) :], found):
            found.insert(0, word)
            return True
    return False


def run(rows: Sequence[Frames], expected: Expected) -> list[Floats]:
    """Measure every line on each of some rows, which are comparable and condensed."""
    return likelihoods([expected.graph] * len(rows), rows)


def run_with_others(rows: Sequence[Frames], expected: Expected) -> tuple[list[Floats], list[float]]:
    """Measure the same, and all inadmissible lines together; none of them has no likelihood."""
    if expected.beside is None:
        return run(rows, expected), [-np.inf] * len(rows)
    found = likelihoods([expected.graph] * len(rows) + [expected.beside] * len(rows), [*rows, *rows])
    return found[: len(rows)], [float(together[0]) for together in found[len(rows) :]]


def weigh(rows: Sequence[Frames], expected: Expected) -> list[tuple[Evidence, Floats, float]]:
    """Measure rows against what is expected there.

    Of each the evidence, the log likelihood of every line, and that of all inadmissible lines together.
    """
    wanted = [expected.comparable(frames) for frames in rows]
    short = [condensed(frames) for frames in wanted]
    lines, together = run_with_others(short, expected)
    best = [ranked(found, expected)[0] for found in lines]
    likely = [max(FLOOR, float(found[line])) for found, line in zip(lines, best, strict=True)]
    written = likeliest_spellings([expected.slots[line] for line in best], short)
    slipped = slips(written, [expected.slots[line] for line in best], short)
    others = beside(together, written, best, likely, expected, short)
    return [
        (
            Evidence(
                best=best[row],
                text=worded(expected.lines[best[row]], written[row]),
                likelihood=likely[row],
                to_next=to_next(written[row], best[row], likely[row], lines[row], expected),
                to_others=likely[row] - others[row],
                to_slips=likely[row] - max(FLOOR, slipped[row]),
                to_free=likely[row] - float(np.log(short[row].max(1)).sum()),
                struck=STRUCK in "".join(letter for letter, _ in best_letters(wanted[row])),
            ),
            lines[row],
            together[row],
        )
        for row in range(len(rows))
    ]


def to_next(written: str, best: int, likely: float, lines: Floats, expected: Expected, far: float = CLOSE) -> float:
    """Measure down to the likeliest line that a spelling of the best does not belong to; ``far`` if none is closer."""
    handicap = expected.handicap(best, written)
    least = likely - far - handicap
    close = [i for i in np.flatnonzero(lines > least).tolist() if i != best]
    rivals = [float(lines[i]) for i in close if not accepts(expected.slots[i], written)]
    return likely - handicap - max(rivals, default=least)


def anything_else(likelihood: float) -> float:
    """Measure all texts but one line together: they sum to one."""
    return log_less(0.0, min(likelihood, -1e-12))


def beside(
    together: Sequence[float],
    written: Sequence[str],
    best: Sequence[int],
    likely: Sequence[float],
    expected: Expected,
    short: Sequence[Frames],
) -> list[float]:
    """Measure the inadmissible lines together, without the best line of a row where it is one of them."""
    if expected.beside is None:
        return [anything_else(one) for one in likely]  # nothing to tell it from: then it stands against everything
    covers = [sum(covered(expected.slots[line], other) for other in expected.others) for line in best]
    same = [
        0 if covering else sum(accepts(other, text) for other in expected.others)
        for covering, text in zip(covers, written, strict=True)
    ]
    own = [row for row, count in enumerate(same) if count]  # spelled as one of them is
    graphs = [lattice([((written[row],),)]) for row in own]
    alone = dict(zip(own, likelihoods(graphs, [short[row] for row in own]), strict=True))
    found = [max(FLOOR, one) for one in together]
    for row, covering in enumerate(covers):
        if covering:
            found[row] = log_less(together[row], likely[row] + float(np.log(covering)))
        elif row in alone:
            found[row] = log_less(together[row], float(alone[row][0]) + float(np.log(same[row])))
    return found
