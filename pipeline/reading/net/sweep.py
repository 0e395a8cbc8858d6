"""The exact likelihood of every line of a graph, on the frames of many rows at once.

The rows of a sheet go along their frames together: what numpy costs for each step is paid once for all of them.
"""

from collections.abc import Sequence

import numpy as np

from pipeline.reading.net.alphabet import BLANK, CLASSES
from pipeline.reading.net.lattice import Floats, Frames, Lattice, Numbers, spans

NEGLIGIBLE = 1e-12  # of what all the beginnings in one row hold together: far below every margin the gate looks at


def likelihoods(graphs: Sequence[Lattice], rows: Sequence[Frames]) -> list[Floats]:
    """Measure, for each row on its own graph, the log likelihood of each line (sum over its spellings) as given.

    The forward algorithm (Graves et al. 2006, section 4.1), in probabilities scaled frame by frame.
    """
    return Sweep(graphs, rows).run() if graphs else []


def stacked(rows: Sequence[Frames]) -> Frames:
    """Stack rows of different lengths: frame, row, class; where a row has ended nothing is likely."""
    found = np.zeros((max(map(len, rows)), len(rows), CLASSES))
    for number, row in enumerate(rows):
        found[: len(row), number] = row
    return found


def shifted(parts: Sequence[Numbers], by: Sequence[int] | Numbers) -> Numbers:
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
        self.frames = stacked(rows)
        self.stayed = Stayed(graphs, self.lengths)
        count = len(graphs)
        counts = np.array([len(graph.letters) for graph in graphs])
        arcs, states = np.cumsum(counts) - counts, self.stayed.starts
        self.row = np.repeat(np.arange(count), counts)  # of each arc
        self.letters = shifted([graph.letters for graph in graphs], np.arange(count) * CLASSES)
        self.targets = shifted([graph.targets for graph in graphs], states)
        self.first = np.zeros(len(self.stayed.row), np.int64)  # by state: the arc that leaves it first ...
        self.leaving = np.zeros(len(self.stayed.row), np.int64)  # ... and how many leave it
        for graph, arc, state in zip(graphs, arcs, states, strict=True):
            here = slice(state, state + graph.states)
            self.first[here], self.leaving[here] = graph.leaving[:-1] + arc, np.diff(graph.leaving)
        self.doubled = shifted([graph.doubled for graph in graphs], arcs)
        doubling = shifted([graph.doubling for graph in graphs], arcs)
        self.pairs = np.argsort(doubling, kind="stable")  # of doubled and doubling arcs, by the doubling one ...
        self.doubles = np.bincount(doubling, minlength=len(self.letters))  # ... of which each arc has so many ...
        self.first_pair = np.cumsum(self.doubles) - self.doubles  # ... from this one on
        self.doubling = doubling

    def run(self) -> list[Floats]:
        """Go along the frames."""
        with np.errstate(divide="ignore"):  # what is impossible has no logarithm
            return self.gone_along()

    def gone_along(self) -> list[Floats]:
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
            out = spans(self.first[live], leaving)
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
                    found[ended] = summed(self.graphs[ended], stayed.complete(ended), float(log_scale[ended]))
                stayed.leave([length > number for length in self.lengths])
        return found

    def pairs_of(self, doubling: Numbers) -> Numbers:
        """The pairs of some doubling arcs, as they stand in their graphs."""
        count = self.doubles[doubling]
        some = np.flatnonzero(count)
        return np.sort(self.pairs[spans(self.first_pair[doubling[some]], count[some])])


class Stayed:
    """What has stayed in the states of several graphs: the last frame was blank, or showed a letter that led there.

    In few of all states anything has, and only those are gone through. But all are summed: how a sum is rounded
    depends on the places of what is summed. Graphs that are the same stand together, the one with the longest row
    first, so that all that is left of them is summed at once.
    """

    def __init__(self, graphs: Sequence[Lattice], lengths: Sequence[int]) -> None:
        kinds = list(dict.fromkeys(map(id, graphs)))
        order = sorted(range(len(graphs)), key=lambda row: (kinds.index(id(graphs[row])), -lengths[row]))
        sizes = np.array([graphs[row].states for row in order])
        self.graphs = graphs
        self.starts = np.zeros(len(graphs), np.int64)  # by row: its first state
        self.starts[order] = np.cumsum(sizes) - sizes
        self.row = np.repeat(order, sizes)  # by state
        self.blocks = [[row for row in order if id(graphs[row]) == kind] for kind in kinds]  # rows with the same graph
        self.mass = np.zeros(len(self.row))
        self.more = np.zeros(len(self.row))  # what comes to a state; nothing between two steps
        self.here: Numbers = self.starts  # the states where anything has stayed, in any order ...
        self.rows: Numbers = self.row[self.here]  # ... and their rows
        self.is_here = np.zeros(len(self.row), bool)
        self.mass[self.here], self.is_here[self.here] = 1.0, True
        self.skipped_from = shifted([graph.skipped_from for graph in graphs], self.starts)
        self.skipped_to = shifted([graph.skipped_to for graph in graphs], self.starts)

    def spread(self) -> tuple[Numbers, Floats]:
        """Let it be also where skips lead from there: the states where that is not negligible in turn, and how much."""
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
        """The same for all states of one row."""
        graph = self.graphs[row]
        mass = self.mass[self.starts[row] : self.starts[row] + graph.states].copy()
        np.add.at(mass, graph.skipped_to, mass[graph.skipped_from])
        return mass

    def multiply(self, by: Floats) -> None:
        """Take so much of it, row by row."""
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


def summed(graph: Lattice, mass: Floats, log_scale: float) -> Floats:
    """Sum what is complete, for each line that is asked for."""
    with np.errstate(divide="ignore"):
        complete = np.bincount(graph.completed, mass[graph.ends])
        return np.asarray(np.minimum(np.log(complete[graph.numbers]) + log_scale, 0.0))
