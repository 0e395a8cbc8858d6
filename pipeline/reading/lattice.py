"""All spellings of all lines of a vocabulary as one graph; `Sweep` computes their likelihoods on the frames of a row.

The net says for every frame of a row how likely each letter is, or the blank between letters. The likelihood of a
text is the sum over all the ways it can be laid along the frames (connectionist temporal classification, Graves et
al. 2006). All texts together sum to one, so a likelihood is also a posterior: what is left is the likelihood of
*anything else*.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES, Words

Frames = NDArray[np.float64]  # frames by classes, each row a distribution
Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
SURELY_BLANK = 1 - 1e-6  # a run of such frames is treated as one


def drop_repeated_blanks(frames: Frames) -> Frames:
    """Leave out all but the first of each run of frames that are surely blank."""
    blank = frames[:, BLANK] > SURELY_BLANK
    again = np.concatenate([[False], blank[1:] & blank[:-1]])
    return np.asarray(frames[~again])


class Tree(Struct, dict=True, weakref=True):
    """Lines, slot after slot (the places for a word), before the lattice is built."""

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


class LatticeDrawing(Struct, dict=True, weakref=True):
    """A graph while it is drawn: arcs carry a letter from state to state, skips carry nothing. It begins in state 0."""

    states: int = 1
    arcs: list[tuple[int, int, int]] = field(default_factory=list)  # from, letter, to
    skips: list[tuple[int, int]] = field(default_factory=list)  # over a slot that may be left out
    ends: list[tuple[int, int]] = field(default_factory=list)  # line and a state in which it is complete
    # continuation -> the state it begins in, to share equal ones
    alike: dict[tuple[object, ...], int] = field(default_factory=dict)

    def state(self) -> int:
        self.states += 1
        return self.states - 1

    def tree(self, tree: Tree, start: int | None = None) -> int:
        """Build a tree of slots, sharing states with the same continuations; returns the first state."""
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
        count, arcs = _slot_graph(words)
        state = [*range(self.states, self.states + count), end, start]  # by its number, or END, or START
        self.states += count
        self.arcs += [(state[source], letter, state[target]) for source, letter, target in arcs]
        if "" in words:
            self.skips.append((start, end))

    def reach_by_skips(self) -> list[tuple[int, int]]:
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
def _slot_graph(words: Words) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Draw the words of a slot once for all the places where it stands: how many states it has inside, and its arcs.

    >>> _slot_graph(("a", "ab", ""))
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


class Lattice(Struct, frozen=True):
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
    """Draw the graph of spelled lines; ``together`` asks only for the log-sum-exp of all lines."""
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
    skipped_from, skipped_to = np.array(drawing.reach_by_skips(), np.int64).reshape(-1, 2).T
    doubled, doubling = _doubles(leaving, letters, targets, skipped_from, skipped_to)
    completed, ends = np.array(drawing.ends, np.int64).T
    asked_for = np.array(numbers, np.int64)
    return Lattice(letters, targets, leaving, doubled, doubling, skipped_from, skipped_to, ends, completed, asked_for)


def _spans(first: Numbers, count: Numbers) -> Numbers:
    """Count on from each first number.

    >>> _spans(np.array([3, 7]), np.array([2, 3])).tolist()
    [3, 4, 7, 8, 9]
    """
    return np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())


def _doubles(
    leaving: Numbers, letters: Numbers, targets: Numbers, skipped_from: Numbers, skipped_to: Numbers
) -> tuple[Numbers, Numbers]:
    """Pair each arc with those that may come just before it and carry the same letter."""
    count = np.diff(leaving)
    over = count[skipped_to]  # arcs that leave a state to which skips lead
    later = np.concatenate([np.arange(len(letters)), _spans(leaving[skipped_to], over)])
    state = np.concatenate([np.repeat(np.arange(len(count)), count), np.repeat(skipped_from, over)])
    entered = targets * CLASSES + letters
    order = np.argsort(entered, kind="stable")
    wanted = state * CLASSES + letters[later]
    first = np.searchsorted(entered, wanted, "left", sorter=order)
    pairs = np.searchsorted(entered, wanted, "right", sorter=order) - first
    return np.repeat(later, pairs), order[_spans(first, pairs)]


# The exact likelihood of every line of a graph, on the frames of many rows at once.
# All rows of a sheet are processed together, frame by frame, so that numpy's overhead is paid once.

NEGLIGIBLE = 1e-12  # share of a row's probability mass that is dropped: far below every margin of the gate


def likelihoods(graphs: Sequence[Lattice], rows: Sequence[Frames]) -> list[Floats]:
    """Measure, for each row on its own graph, the log likelihood of each line (sum over its spellings) as given.

    The forward algorithm (Graves et al. 2006, section 4.1), in probabilities scaled frame by frame.
    """
    return Sweep(graphs, rows).run() if graphs else []


def stack_frames(rows: Sequence[Frames]) -> Frames:
    """Stack rows of different lengths: frame, row, class; where a row has ended nothing is likely."""
    found = np.zeros((max(map(len, rows)), len(rows), CLASSES))
    for number, row in enumerate(rows):
        found[: len(row), number] = row
    return found


def _shift_graphs(parts: Sequence[Numbers], by: Sequence[int] | Numbers) -> Numbers:
    """Lay the numbers of several graphs one after the other, each moved to where its graph stands."""
    return np.concatenate([part + shift for part, shift in zip(parts, by, strict=True)])


def once(numbers: Numbers) -> Numbers:
    """Sort numbers, each taken once.

    >>> once(np.array([7, 3, 7, 5])).tolist()
    [3, 5, 7]
    """
    found = np.sort(numbers)
    return found[np.concatenate([[True], found[1:] != found[:-1]])] if len(found) else found


class Sweep:
    """Several graphs as one, each with its own row. What is found of a row does not depend on the others."""

    def __init__(self, graphs: Sequence[Lattice], rows: Sequence[Frames]) -> None:
        self.graphs, self.lengths = graphs, [len(row) for row in rows]
        self.frames = stack_frames(rows)
        self.stayed = Stayed(graphs, self.lengths)
        count = len(graphs)
        counts = np.array([len(graph.letters) for graph in graphs])
        arcs, states = np.cumsum(counts) - counts, self.stayed.starts
        self.row = np.repeat(np.arange(count), counts)  # of each arc
        self.letters = _shift_graphs([graph.letters for graph in graphs], np.arange(count) * CLASSES)
        self.targets = _shift_graphs([graph.targets for graph in graphs], states)
        self.first = np.zeros(len(self.stayed.row), np.int64)  # by state: the arc that leaves it first ...
        self.leaving = np.zeros(len(self.stayed.row), np.int64)  # ... and how many leave it
        for graph, arc, state in zip(graphs, arcs, states, strict=True):
            here = slice(state, state + graph.states)
            self.first[here], self.leaving[here] = graph.leaving[:-1] + arc, np.diff(graph.leaving)
        self.doubled = _shift_graphs([graph.doubled for graph in graphs], arcs)
        doubling = _shift_graphs([graph.doubling for graph in graphs], arcs)
        self.pairs = np.argsort(doubling, kind="stable")  # of doubled and doubling arcs, by the doubling one ...
        self.doubles = np.bincount(doubling, minlength=len(self.letters))  # ... of which each arc has so many ...
        self.first_pair = np.cumsum(self.doubles) - self.doubles  # ... from this one on
        self.doubling = doubling

    def run(self) -> list[Floats]:
        """Sum over the frames."""
        with np.errstate(divide="ignore"):  # what is impossible has no logarithm
            return self._sum_over_frames()

    def _sum_over_frames(self) -> list[Floats]:
        """Go along the frames, and sum what is complete where a row ends."""
        count, stayed = len(self.graphs), self.stayed
        held = np.zeros(len(self.letters))  # by arc: the last frame showed this arc's letter
        gained = np.zeros(len(self.letters))
        marked = np.zeros(len(self.letters), bool)
        active: Numbers = np.zeros(0, np.int64)  # arcs with anything held
        log_scale = np.zeros(count)
        found: list[Floats] = [np.zeros(0)] * count
        for number, frame in enumerate(self.frames, start=1):
            live, mass = stayed.spread()
            leaving = self.leaving[live]
            out = _spans(self.first[live], leaving)
            gained[out] = np.repeat(mass, leaving)
            pairs = self.pairs_of(active)
            np.subtract.at(gained, self.doubled[pairs], held[self.doubling[pairs]])
            marked[out] = True
            touched = np.concatenate([out, active[~marked[active]]])
            marked[out] = False
            value = (np.maximum(gained[touched], 0) + held[touched]) * frame.take(self.letters[touched])
            gained[touched], held[active] = 0.0, 0.0
            keep = value > NEGLIGIBLE
            active, value = touched[keep], value[keep]
            row = self.row[active]
            stayed.multiply(frame[:, BLANK])
            total = stayed.by_row() + np.bincount(row, value, count)
            log_scale += np.log(total)
            total[total <= 0] = 1.0  # nothing is left to be scaled
            held[active] = value = value / total[row]
            stayed.divide(total)
            stayed.add(self.targets[active], value)
            if number in self.lengths:
                for ended in (row for row, length in enumerate(self.lengths) if length == number):
                    found[ended] = _sum_complete_lines(
                        self.graphs[ended], stayed.complete(ended), float(log_scale[ended])
                    )
                stayed.leave([length > number for length in self.lengths])
        return found

    def pairs_of(self, doubling: Numbers) -> Numbers:
        """The pairs of some doubling arcs, as they stand in their graphs."""
        count = self.doubles[doubling]
        some = np.flatnonzero(count)
        return np.sort(self.pairs[_spans(self.first_pair[doubling[some]], count[some])])


class Stayed:
    """The probability mass in the states of several graphs (forward variables).

    Only states with some mass are processed. All are summed, empty ones too, because the rounding of a sum depends on
    the order of its terms. Graphs that are the same stand together, the one with the longest row first, so that all
    that is left of them is summed at once.
    """

    def __init__(self, graphs: Sequence[Lattice], lengths: Sequence[int]) -> None:
        same = [next(row for row, each in enumerate(graphs) if each is graph) for graph in graphs]  # the first such row
        order = sorted(range(len(graphs)), key=lambda row: (same[row], -lengths[row]))
        sizes = np.array([graphs[row].states for row in order])
        self.graphs = graphs
        self.starts = np.zeros(len(graphs), np.int64)  # by row: its first state
        self.starts[order] = np.cumsum(sizes) - sizes
        self.row = np.repeat(order, sizes)  # by state
        self.blocks = [[row for row in order if same[row] == kind] for kind in dict.fromkeys(same)]  # of the same graph
        self.mass = np.zeros(len(self.row))
        self.more = np.zeros(len(self.row))  # mass that arrives in a state; 0 between two steps
        self.here: Numbers = self.starts  # the states where anything has stayed, in any order ...
        self.rows: Numbers = self.row[self.here]  # ... and their rows
        self.is_here = np.zeros(len(self.row), bool)
        self.mass[self.here], self.is_here[self.here] = 1.0, True
        self.skipped_from = _shift_graphs([graph.skipped_from for graph in graphs], self.starts)
        self.skipped_to = _shift_graphs([graph.skipped_to for graph in graphs], self.starts)

    def spread(self) -> tuple[Numbers, Floats]:
        """Add the mass that skips carry on; returns the states with more than negligible mass, and how much."""
        skipped = self.mass[self.skipped_from]
        on = np.flatnonzero(skipped)
        to = self.skipped_to[on]
        self.more[self.here] = self.mass[self.here]
        np.add.at(self.more, to, skipped[on])
        either = np.concatenate([self.here, once(to[~self.is_here[to]])])
        all_there = self.more[either]
        live = np.sort(either[all_there > NEGLIGIBLE])
        mass = self.more[live]
        self.more[either] = 0.0
        return live, mass

    def complete(self, row: int) -> Floats:
        """The probability mass of all states of one row, with what reaches them by skips."""
        graph = self.graphs[row]
        mass = self.mass[self.starts[row] : self.starts[row] + graph.states].copy()
        np.add.at(mass, graph.skipped_to, mass[graph.skipped_from])
        return mass

    def multiply(self, by: Floats) -> None:
        """Multiply the mass of each row by a factor."""
        self.mass[self.here] *= by[self.rows]

    def divide(self, by: Floats) -> None:
        """Scale it, row by row."""
        self.mass[self.here] /= by[self.rows]

    def by_row(self) -> Floats:
        """How much it is in each row."""
        found = np.zeros(len(self.graphs))
        for rows in self.blocks:
            start, states = self.starts[rows[0]], self.graphs[rows[0]].states
            found[rows] = self.mass[start : start + len(rows) * states].reshape(len(rows), states).sum(1)
        return found

    def add(self, states: Numbers, mass: Floats) -> None:
        """Let more come to some states, all that comes to one of them at once."""
        np.add.at(self.more, states, mass)
        self.mass[states] += self.more[states]
        self.more[states] = 0.0
        fresh = once(states[~self.is_here[states]])
        self.here, self.rows = np.concatenate([self.here, fresh]), np.concatenate([self.rows, self.row[fresh]])
        self.is_here[fresh] = True

    def leave(self, goes_on: Sequence[bool]) -> None:
        """Forget the rows that do not go on."""
        stays = np.array(goes_on)[self.rows]
        self.mass[self.here[~stays]] = 0.0
        self.here, self.rows = self.here[stays], self.rows[stays]
        left = ([row for row in rows if goes_on[row]] for rows in self.blocks)
        self.blocks = [rows for rows in left if rows]


def _sum_complete_lines(graph: Lattice, mass: Floats, log_scale: float) -> Floats:
    """Sum what is complete, for each line that is asked for."""
    with np.errstate(divide="ignore"):
        complete = np.bincount(graph.completed, mass[graph.ends])
        return np.asarray(np.minimum(np.log(complete[graph.numbers]) + log_scale, 0.0))
