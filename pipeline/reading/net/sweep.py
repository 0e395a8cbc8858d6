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


class Sweep:
    """Several graphs as one, each with its own row: the states of each fill as many places as those of the largest."""

    def __init__(self, graphs: Sequence[Lattice], rows: Sequence[Frames]) -> None:
        self.graphs = graphs
        self.lengths = [len(row) for row in rows]
        self.frames = stacked(rows)
        self.states = max(graph.states for graph in graphs)
        count = len(graphs)
        counts = np.array([len(graph.letters) for graph in graphs])
        arcs, states = np.cumsum(counts) - counts, np.arange(count) * self.states
        self.row = np.repeat(np.arange(count), counts)  # of each arc
        self.letters = shifted([graph.letters for graph in graphs], np.arange(count) * CLASSES)
        self.targets = shifted([graph.targets for graph in graphs], states)
        self.first = np.zeros(count * self.states, np.int64)  # by state: the arc that leaves it first ...
        self.leaving = np.zeros(count * self.states, np.int64)  # ... and how many leave it
        for graph, arc, state in zip(graphs, arcs, states, strict=True):
            here = slice(state, state + graph.states)
            self.first[here], self.leaving[here] = graph.leaving[:-1] + arc, np.diff(graph.leaving)
        self.doubled = shifted([graph.doubled for graph in graphs], arcs)
        self.doubling = shifted([graph.doubling for graph in graphs], arcs)
        self.skipped_from = shifted([graph.skipped_from for graph in graphs], states)
        self.skipped_to = shifted([graph.skipped_to for graph in graphs], states)

    def run(self) -> list[Floats]:
        """Go along the frames."""
        rows = len(self.graphs)
        held = np.zeros(len(self.letters))  # by arc: the last frame showed this arc's letter
        gained = np.zeros(len(self.letters))
        marked = np.zeros(len(self.letters), bool)
        active: Numbers = np.zeros(0, np.int64)  # arcs with anything held
        stayed = np.zeros((rows, self.states))  # by state: the last frame was blank, or showed a letter that led here
        stayed[:, 0] = 1.0
        log_scale = np.zeros(rows)
        found: list[Floats] = [np.zeros(0)] * rows
        for number, frame in enumerate(self.frames):
            mass = self.spread(stayed)
            live = np.flatnonzero(mass > NEGLIGIBLE)
            out = spans(self.first[live], self.leaving[live])
            gained[out] = np.repeat(mass[live], self.leaving[live])
            same = np.flatnonzero(held[self.doubling])
            if same.size:
                np.subtract.at(gained, self.doubled[same], held[self.doubling[same]])
            marked[out] = True
            touched = np.concatenate([out, active[~marked[active]]])
            marked[out] = False
            value = (np.maximum(gained[touched], 0) + held[touched]) * frame.take(self.letters[touched])
            gained[touched], held[active] = 0.0, 0.0
            keep = value > NEGLIGIBLE
            active, value = touched[keep], value[keep]
            stayed *= frame[:, BLANK, None]
            total = stayed.sum(1) + np.bincount(self.row[active], value, rows)
            with np.errstate(divide="ignore"):
                log_scale += np.log(total)
            total[total <= 0] = 1.0  # nothing is left to be scaled
            held[active] = value = value / total[self.row[active]]
            stayed /= total[:, None]
            stayed += np.bincount(self.targets[active], value, stayed.size).reshape(stayed.shape)
            ending = [row for row in range(rows) if self.lengths[row] == number + 1]
            if ending:
                complete = self.spread(stayed).reshape(stayed.shape)
                for row in ending:
                    found[row] = summed(self.graphs[row], complete[row], float(log_scale[row]))
        return found

    def spread(self, stayed: Floats) -> Floats:
        """Let what has come to a state be also where skips lead from there; by state, in one line."""
        mass = stayed.ravel().copy()
        np.add.at(mass, self.skipped_to, stayed.ravel()[self.skipped_from])
        return mass


def summed(graph: Lattice, mass: Floats, log_scale: float) -> Floats:
    """Sum what is complete, for each line that is asked for."""
    with np.errstate(divide="ignore"):
        complete = np.bincount(graph.completed, mass[graph.ends])
        return np.asarray(np.minimum(np.log(complete[graph.numbers]) + log_scale, 0.0))
