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
    slots: list[tuple[int, int, int]] = field(default_factory=list)  # begins in, ends in, first of the states inside
    slot_arcs: list[Numbers] = field(default_factory=list)  # of each slot
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
        self.slots.append((start, end, self.states))
        self.slot_arcs.append(arcs)
        self.states += count
        if "" in words:
            self.skips.append((start, end))

    def arcs(self) -> Numbers:
        """All arcs, sorted: from, letter, to."""
        arcs = np.concatenate(self.slot_arcs)
        start, end, inside = np.repeat(np.array(self.slots), [len(each) for each in self.slot_arcs], axis=0).T
        for side in (arcs[:, 0], arcs[:, 2]):
            side[:] = np.where(side == START, start, np.where(side == END, end, side + inside))
        return arcs[np.lexsort(arcs.T[::-1])]

    def reach_by_skips(self) -> list[tuple[int, int]]:
        """List the states that are reached from others by skips alone, however many."""
        over: dict[int, list[int]] = {}
        for start, end in self.skips:
            over.setdefault(start, []).append(end)
        reached: set[tuple[int, int]] = set()
        for start, nearest in over.items():
            waiting = list(nearest)
            while waiting:
                end = waiting.pop()
                reached.add((start, end))
                waiting += over.get(end, ())
        return sorted(reached)


START, END = -1, -2  # of the words of a slot


@lru_cache(maxsize=65536)
def _slot_graph(words: Words) -> tuple[int, Numbers]:
    """Draw the words of a slot once for all the places where it stands: how many states it has inside, and its arcs.

    >>> count, arcs = _slot_graph(("a", "ab", ""))
    >>> count, arcs.tolist()
    (1, [[-1, 1, -2], [-1, 1, 0], [0, 2, -2]])
    """
    inside = {"": START}
    arcs: list[tuple[int, int, int]] = []
    for word in filter(None, words):
        for count in range(1, len(word)):
            if word[:count] not in inside:
                inside[word[:count]] = len(inside) - 1
                arcs.append((inside[word[: count - 1]], CLASS_OF[word[count - 1]], inside[word[:count]]))
        arcs.append((inside[word[:-1]], CLASS_OF[word[-1]], END))
    return len(inside) - 1, np.array(arcs, np.int64).reshape(-1, 3)


class Lattice(Struct, frozen=True, eq=False):
    """The graph of some lines, ready to be run. What is reached by skips counts as if it were reached without them."""

    letters: Numbers  # of each arc
    targets: Numbers  # of each arc
    first: Numbers  # by state: where in `onward` the arcs begin that lead on from it; the last is their end
    onward: Numbers  # these arcs, state by state
    doubled: Numbers  # arcs with the letter of an arc just before them: between the two there must be a blank
    doubling: Numbers  # for each of these the arc before it, by which both are sorted
    ends: Numbers  # states in which a line is complete
    completed: Numbers  # for each of these the number of the line
    numbers: Numbers  # of the lines in the order they were given; lines with the same spellings have the same

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.first) - 1


def lattice(lines: Sequence[Sequence[Words]], *, together: bool = False) -> Lattice:
    """Draw the graph of spelled lines; ``together`` asks only for the log-sum-exp of all lines."""
    kinds = {tuple(line): number for number, line in enumerate(lines)}
    numbers = [0 if together else kinds[tuple(line)] for line in lines]
    drawing = LatticeDrawing()
    drawing.tree(tree_of(lines, numbers), 0)
    return ready(drawing, numbers[:1] if together else numbers)


def ready(drawing: LatticeDrawing, numbers: Sequence[int]) -> Lattice:
    """Make a drawn graph ready to be run; ``numbers`` say which lines are asked for, in which order."""
    sources, letters, targets = np.ascontiguousarray(drawing.arcs().T)
    leaving = np.searchsorted(sources, np.arange(drawing.states + 1))
    skips = drawing.reach_by_skips()
    skipped_from, skipped_to = np.array(skips, np.int64).reshape(-1, 2).T
    over = np.diff(leaving)[skipped_to]  # arcs that leave a state to which skips lead
    onward = np.concatenate([np.arange(len(letters)), _spans(leaving[skipped_to], over)])
    state = np.concatenate([sources, np.repeat(skipped_from, over)])
    doubled, doubling = _doubles(state, onward, letters, targets)
    by_state = np.argsort(state, kind="stable")
    first = np.searchsorted(state[by_state], np.arange(drawing.states + 1))
    complete = {end: line for line, end in drawing.ends}
    drawn = [*drawing.ends, *((complete[end], start) for start, end in skips if end in complete)]
    completed, ends = np.array(drawn, np.int64).T
    asked_for = np.array(numbers, np.int64)
    return Lattice(letters, targets, first, onward[by_state], doubled, doubling, ends, completed, asked_for)


def _spans(first: Numbers, count: Numbers) -> Numbers:
    """Count on from each first number.

    >>> _spans(np.array([3, 7]), np.array([2, 3])).tolist()
    [3, 4, 7, 8, 9]
    """
    ends = count.cumsum()
    numbers: Numbers = (first - ends + count).repeat(count) + np.arange(ends[-1] if len(ends) else 0)
    return numbers


def _doubles(state: Numbers, onward: Numbers, letters: Numbers, targets: Numbers) -> tuple[Numbers, Numbers]:
    """Pair each arc with those that may come just before it and carry the same letter, sorted by these.

    ``onward`` are the arcs that lead on from a ``state``.
    """
    entered = targets * CLASSES + letters
    order = np.argsort(entered, kind="stable")
    wanted = state * CLASSES + letters[onward]
    first = np.searchsorted(entered, wanted, "left", sorter=order)
    pairs = np.searchsorted(entered, wanted, "right", sorter=order) - first
    doubled, doubling = np.repeat(onward, pairs), order[_spans(first, pairs)]
    sort = np.argsort(doubling, kind="stable")
    return doubled[sort], doubling[sort]


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
    stacked = np.zeros((max(map(len, rows)), len(rows), CLASSES))
    for number, row in enumerate(rows):
        stacked[: len(row), number] = row
    return stacked


def _join(parts: Sequence[Numbers], by: Sequence[int] | Numbers) -> Numbers:
    """Lay the numbers of several graphs one after the other, each moved by so much."""
    return np.concatenate([part + shift for part, shift in zip(parts, by, strict=True)])


class Sweep:
    """Several graphs as one, each with its own row. What is found of a row does not depend on the others.

    Rows may have the same graph: the *graphs* lie one after the other once, the *places* of their states and arcs once
    for each row. A place is a number of the graphs, moved by its row's shift.
    """

    def __init__(self, graphs: Sequence[Lattice], rows: Sequence[Frames]) -> None:
        self.graphs, self.lengths, self.frames = graphs, [len(row) for row in rows], stack_frames(rows)
        kinds = list(dict.fromkeys(graphs))
        states, arcs = [graph.states for graph in kinds], [len(graph.letters) for graph in kinds]
        first_state, first_arc = ([0, *np.cumsum(counts).tolist()] for counts in (states, arcs))
        onward = np.cumsum([0, *(len(graph.onward) for graph in kinds)])
        self.letters = np.concatenate([graph.letters for graph in kinds])
        self.targets = _join([graph.targets for graph in kinds], first_state[:-1])
        self.onward = _join([graph.onward for graph in kinds], first_arc[:-1])
        self.first = _join([graph.first[:-1] for graph in kinds], onward[:-1])  # by state: where its `onward` begins
        self.leaving = np.diff(self.first, append=onward[-1])  # by state: how long its `onward` is
        self.doubled = _join([graph.doubled for graph in kinds], first_arc[:-1])
        doubling = _join([graph.doubling for graph in kinds], first_arc[:-1])
        self.doubles = np.bincount(doubling, minlength=len(self.letters))  # by arc: how many of `doubled` follow it
        self.first_pair = np.cumsum(self.doubles) - self.doubles  # by arc: where these begin in `doubled`
        number = {graph: at for at, graph in enumerate(kinds)}
        kind = np.array([number[graph] for graph in graphs])
        here, there = np.array(states)[kind], np.array(arcs)[kind]
        self.starts = np.cumsum(here) - here  # by row: the place of its first state
        self.state_shift = self.starts - np.array(first_state)[kind]
        self.arc_shift = np.cumsum(there) - there - np.array(first_arc)[kind]
        self.row_of_state, self.row_of_arc = (
            np.repeat(np.arange(len(rows)), here),
            np.repeat(np.arange(len(rows)), there),
        )

    def run(self) -> list[Floats]:
        """Sum over the frames."""
        with np.errstate(divide="ignore"):  # what is impossible has no logarithm
            return self._sum_over_frames()

    def _sum_over_frames(self) -> list[Floats]:
        """Go along the frames, and sum what is complete where a row ends.

        The probability mass of a row sums to one before each frame.
        """
        count, states, arcs = len(self.graphs), len(self.row_of_state), len(self.row_of_arc)
        mass, is_here = np.zeros(states), np.zeros(states, bool)
        mass[self.starts], is_here[self.starts] = 1.0, True  # by state
        held, gained = np.zeros(arcs), np.zeros(arcs)  # held: shown by the last frame
        stamps = np.zeros(max(states, arcs), np.int64)
        here, rows = self.starts, np.arange(count)  # the states where anything has stayed, and their rows
        active: Numbers = np.zeros(0, np.int64)  # arcs with anything held
        arc = row = active  # in the graph, and their rows
        log_scale = np.zeros(count)
        sums: list[Floats] = [np.zeros(0)] * count
        for number, frame in enumerate(self.frames, start=1):
            stayed = mass.take(here)
            live = (stayed > NEGLIGIBLE).nonzero()[0]
            out, come = self.lead_on(here.take(live), rows.take(live), stayed.take(live))
            np.add.at(gained, out, come)
            doubling, doubled = self.pairs_of(active, arc, row)
            np.subtract.at(gained, doubled, held.take(doubling))
            touched = _each_once(np.concatenate([out, active]), stamps)
            row = self.row_of_arc.take(touched)
            arc = touched - self.arc_shift.take(row)
            shown = frame.take(row * CLASSES + self.letters.take(arc))
            value = (np.maximum(gained.take(touched), 0) + held.take(touched)) * shown
            gained[touched], held[active] = 0.0, 0.0
            keep = (value > NEGLIGIBLE).nonzero()[0]
            active, arc, row, value = touched.take(keep), arc.take(keep), row.take(keep), value.take(keep)
            blank = frame[:, BLANK]
            total = blank + np.bincount(row, value, count)
            log_scale += np.log(total)
            total[total <= 0] = 1.0  # nothing is left to be scaled
            held[active] = value = value / total.take(row)
            mass[here] = stayed * (blank / total).take(rows)
            entered = self.targets.take(arc) + self.state_shift.take(row)
            np.add.at(mass, entered, value)
            fresh = _each_once(entered[~is_here.take(entered)], stamps)
            is_here[fresh] = True
            here, rows = np.concatenate([here, fresh]), np.concatenate([rows, self.row_of_state.take(fresh)])
            if number in self.lengths:
                for ended in (at for at, length in enumerate(self.lengths) if length == number):
                    graph, start = self.graphs[ended], self.starts[ended]
                    there = mass[start : start + graph.states]
                    sums[ended] = _sum_complete_lines(graph, there, float(log_scale[ended]))
                goes_on = np.array([length > number for length in self.lengths])[rows]
                here, rows = here[goes_on], rows[goes_on]
        return sums

    def lead_on(self, states: Numbers, rows: Numbers, mass: Floats) -> tuple[Numbers, Floats]:
        """The arcs that lead on from some states, and the mass that comes to each; an arc may come more than once."""
        inside = states - self.state_shift.take(rows)
        count = self.leaving.take(inside)
        arcs = self.onward.take(_spans(self.first.take(inside), count))
        return arcs + self.arc_shift.take(rows).repeat(count), mass.repeat(count)

    def pairs_of(self, active: Numbers, arc: Numbers, row: Numbers) -> tuple[Numbers, Numbers]:
        """The pairs of some doubling arcs with those that they double."""
        count = self.doubles.take(arc)
        some = count.nonzero()[0]
        count = count.take(some)
        doubled = self.doubled.take(_spans(self.first_pair.take(arc.take(some)), count))
        return active.take(some).repeat(count), doubled + self.arc_shift.take(row.take(some)).repeat(count)


def _each_once(numbers: Numbers, stamps: Numbers) -> Numbers:
    """Take each number once, in any order; ``stamps`` has room for each of them, whatever stands there.

    >>> sorted(_each_once(np.array([3, 0, 3, 2]), np.zeros(4, np.int64)).tolist())
    [0, 2, 3]
    """
    order = np.arange(len(numbers))
    stamps[numbers] = order
    once: Numbers = numbers[stamps.take(numbers) == order]
    return once


def _sum_complete_lines(graph: Lattice, mass: Floats, log_scale: float) -> Floats:
    """Sum what is complete, for each line that is asked for."""
    with np.errstate(divide="ignore"):
        complete = np.bincount(graph.completed, mass[graph.ends])
        return np.asarray(np.minimum(np.log(complete[graph.numbers]) + log_scale, 0.0))
