"""Every line that may be written, spelled every way, as one graph; `sweep` measures them on the frames of a row.

The net says for every frame of a row how likely each letter is, or the blank between letters. The likelihood of a
text is the sum over all the ways it can be laid along the frames (connectionist temporal classification, Graves et
al. 2006). All texts together sum to one, so a likelihood is also a posterior: what is left is the likelihood of
*anything else*.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES, Words

Frames = NDArray[np.float64]  # frames by classes, each row a distribution
Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
SURELY_BLANK = 1 - 1e-6  # a run of such frames says no more than one of them


def condensed(frames: Frames) -> Frames:
    """Leave out all but the first of each run of frames that are surely blank."""
    blank = frames[:, BLANK] > SURELY_BLANK
    again = np.concatenate([[False], blank[1:] & blank[:-1]])
    return np.asarray(frames[~again])


@dataclass
class Tree:
    """Lines, slot after slot, before they are drawn."""

    branches: "dict[Words, Tree]" = field(default_factory=dict)
    number: int | None = None  # of the line that is complete here


def tree_of(lines: Sequence[Sequence[Words]], numbers: Sequence[int]) -> Tree:
    """Let lines that begin alike share their beginning."""
    tree = Tree()
    for slots, number in zip(lines, numbers, strict=True):
        here = tree
        for words in slots:
            here = here.branches.setdefault(words, Tree())
        here.number = number
    return tree


@dataclass
class LatticeDrawing:
    """A graph while it is drawn: arcs carry a letter from state to state, skips carry nothing. It begins in state 0."""

    states: int = 1
    arcs: list[tuple[int, int, int]] = field(default_factory=list)  # from, letter, to
    skips: list[tuple[int, int]] = field(default_factory=list)  # over a slot that may be left out
    ends: list[tuple[int, int]] = field(default_factory=list)  # line and a state in which it is complete
    alike: dict[tuple[object, ...], int] = field(default_factory=dict)  # what may follow -> the state before it

    def state(self) -> int:
        """Add a state."""
        self.states += 1
        return self.states - 1

    def tree(self, tree: Tree, start: int | None = None) -> int:
        """Draw a tree of slots, states with the same continuations only once; the state it begins in."""
        after = sorted((words, self.tree(branch)) for words, branch in tree.branches.items())
        key = (tree.number, *after)
        if start is None and key in self.alike:
            return self.alike[key]
        here = self.alike[key] = self.state() if start is None else start
        if tree.number is not None:
            self.ends.append((tree.number, here))
        for words, end in after:
            self.slot(here, words, end)
        return here

    def slot(self, start: int, words: Words, end: int) -> None:
        """Draw the words of one slot as a tree whose leaves all meet in ``end``."""
        count, arcs = drawn(words)
        state = [*range(self.states, self.states + count), end, start]  # by its number, or END, or START
        self.states += count
        self.arcs += [(state[source], letter, state[target]) for source, letter, target in arcs]
        if "" in words:
            self.skips.append((start, end))

    def reached(self) -> list[tuple[int, int]]:
        """List the states that are reached from others by skips alone, however many."""
        over: dict[int, list[int]] = {}
        for start, end in self.skips:
            over.setdefault(start, []).append(end)
        found: set[tuple[int, int]] = set()
        for start, nearest in over.items():
            waiting = list(nearest)
            while waiting:
                end = waiting.pop()
                found.add((start, end))
                waiting += over.get(end, ())
        return sorted(found)


START, END = -1, -2  # of the words of a slot


@lru_cache(maxsize=65536)
def drawn(words: Words) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Draw the words of a slot once for all the places where it stands: how many states it has inside, and its arcs.

    >>> drawn(("a", "ab", ""))
    (1, ((-1, 1, -2), (-1, 1, 0), (0, 2, -2)))
    """
    inside = {"": START}
    arcs: list[tuple[int, int, int]] = []
    for word in filter(None, words):
        for count in range(1, len(word)):
            if word[:count] not in inside:
                inside[word[:count]] = len(inside) - 1
                arcs.append((inside[word[: count - 1]], CLASS_OF[word[count - 1]], inside[word[:count]]))
        arcs.append((inside[word[:-1]], CLASS_OF[word[-1]], END))
    return len(inside) - 1, tuple(arcs)


@dataclass(frozen=True, slots=True)
class Lattice:
    """The graph of some lines, ready to be run."""

    letters: Numbers  # of each arc; arcs are sorted by the state they leave
    targets: Numbers  # of each arc
    leaving: Numbers  # arcs leaving[s] to leaving[s + 1] leave state s
    doubled: Numbers  # arcs whose letter is also the letter of an arc into the state they leave ...
    doubling: Numbers  # ... and that arc: between the two there must be a blank
    skipped_from: Numbers  # states from which others are reached without a letter ...
    skipped_to: Numbers  # ... and those others
    ends: Numbers  # states in which a line is complete ...
    completed: Numbers  # ... and which one: its number
    numbers: Numbers  # of the lines in the order they were given; lines with the same spellings have the same

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.leaving) - 1


def lattice(lines: Sequence[Sequence[Words]], *, together: bool = False) -> Lattice:
    """Draw the graph of spelled lines; ``together`` asks only for the likelihood of all of them in one number."""
    kinds = {tuple(line): number for number, line in enumerate(lines)}
    numbers = [0 if together else kinds[tuple(line)] for line in lines]
    drawing = LatticeDrawing()
    drawing.tree(tree_of(lines, numbers), 0)
    return ready(drawing, numbers[:1] if together else numbers)


def ready(drawing: LatticeDrawing, numbers: Sequence[int]) -> Lattice:
    """Make a drawn graph ready to be run; ``numbers`` say which lines are asked for, in which order."""
    arcs = np.array(drawing.arcs, np.int64).reshape(-1, 3)
    sources, letters, targets = arcs[np.lexsort(arcs.T[::-1])].T
    leaving = np.searchsorted(sources, np.arange(drawing.states + 1))
    skipped_from, skipped_to = np.array(drawing.reached(), np.int64).reshape(-1, 2).T
    doubled, doubling = doubles(leaving, letters, targets, skipped_from, skipped_to)
    completed, ends = np.array(drawing.ends, np.int64).T
    asked_for = np.array(numbers, np.int64)
    return Lattice(letters, targets, leaving, doubled, doubling, skipped_from, skipped_to, ends, completed, asked_for)


def spans(first: Numbers, count: Numbers) -> Numbers:
    """Count on from each first number.

    >>> spans(np.array([3, 7]), np.array([2, 3])).tolist()
    [3, 4, 7, 8, 9]
    """
    return np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())


def doubles(
    leaving: Numbers, letters: Numbers, targets: Numbers, skipped_from: Numbers, skipped_to: Numbers
) -> tuple[Numbers, Numbers]:
    """Pair each arc with those that may come just before it and carry the same letter."""
    count = np.diff(leaving)
    over = count[skipped_to]  # arcs that leave a state to which skips lead
    later = np.concatenate([np.arange(len(letters)), spans(leaving[skipped_to], over)])
    state = np.concatenate([np.repeat(np.arange(len(count)), count), np.repeat(skipped_from, over)])
    entered = targets * CLASSES + letters
    order = np.argsort(entered, kind="stable")
    wanted = state * CLASSES + letters[later]
    first = np.searchsorted(entered, wanted, "left", sorter=order)
    pairs = np.searchsorted(entered, wanted, "right", sorter=order) - first
    return np.repeat(later, pairs), order[spans(first, pairs)]
