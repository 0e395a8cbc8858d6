"""How a line is spelled on a row: the spelling of it that lies best along the frames (Viterbi), for many rows."""

from collections.abc import Sequence

import numpy as np

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES, Words
from pipeline.reading.net.lattice import Floats, Frames, LatticeDrawing, tree_of
from pipeline.reading.net.sweep import stacked

SYMBOL_OF = {number: symbol for symbol, number in CLASS_OF.items()}
NOWHERE = 0  # an arc that is never come to, before all others; who has nobody before him has this


def likeliest_spellings(lines: Sequence[Sequence[Words]], rows: Sequence[Frames]) -> list[str]:
    """Find for each row the spelling of its line that lies best along the frames."""
    if not rows:
        return []
    paths = Paths([Arcs(line) for line in lines], rows)
    return ["".join(SYMBOL_OF[letter] for letter in path) for path in paths.best()]


def laid_along(text: str, frames: Frames) -> list[tuple[str, int]]:
    """Lay a text along the frames as it lies best: each letter with the frame that it begins in.

    >>> frames = np.full((4, CLASSES), 1e-9)
    >>> frames[[0, 1, 2, 3], [CLASS_OF["a"], BLANK, BLANK, CLASS_OF["b"]]] = 1.0
    >>> laid_along("ab", frames)
    [('a', 0), ('b', 3)]
    """
    path = np.full(2 * len(text) + 1, BLANK)
    path[1::2] = [CLASS_OF[letter] for letter in text]
    leaps = np.zeros(len(path), bool)  # over a blank, to another letter
    leaps[2:] = (path[2:] != BLANK) & (path[2:] != path[:-2])
    with np.errstate(divide="ignore"):
        shown = np.log(frames)[:, path]
    here = np.full(len(path), -np.inf)
    here[:2] = shown[0, :2]
    came = np.zeros(shown.shape, np.int64)  # by frame and place: how many places before this one it was
    for number, frame in enumerate(shown[1:], start=1):
        one, two = (np.concatenate([np.full(step, -np.inf), here[:-step]]) for step in (1, 2))
        ways = np.stack([here, one, np.where(leaps, two, -np.inf)])
        came[number] = ways.argmax(0)
        here = ways.max(0) + frame
    place = len(path) - 1 if here[-1] >= here[-2] or not text else len(path) - 2
    begun: dict[int, int] = {}
    for number in range(len(shown) - 1, -1, -1):
        begun[place] = number
        place -= int(came[number, place])
    return [(letter, begun[2 * at + 1]) for at, letter in enumerate(text) if 2 * at + 1 in begun]


class Arcs:
    """The small graph of one line, and which of its arcs may follow which."""

    def __init__(self, line: Sequence[Words]) -> None:
        drawing = LatticeDrawing()
        drawing.tree(tree_of([line], [0]), 0)
        sources, self.letters, targets = np.array(sorted(drawing.arcs), np.int64).T
        leads = np.eye(drawing.states, dtype=bool)
        for start, end in drawing.reached():
            leads[start, end] = True
        self.after, self.before = np.nonzero(leads[targets][:, sources].T)  # pairs of arcs
        self.begins = leads[0, sources]
        self.completes = np.flatnonzero(leads[targets, drawing.ends[0][1]])


class Paths:
    """The likeliest way along each of several small graphs, whose arcs lie one after the other."""

    def __init__(self, graphs: Sequence[Arcs], rows: Sequence[Frames]) -> None:
        counts = np.array([len(graph.letters) for graph in graphs])
        firsts = np.cumsum(counts) - counts + 1
        arcs = int(counts.sum()) + 1
        self.rows = rows
        self.row = np.concatenate([[0], np.repeat(np.arange(len(graphs)), counts)])  # of each arc
        self.letters = np.concatenate([[-1], *(graph.letters for graph in graphs)])
        self.begins = np.concatenate([[False], *(graph.begins for graph in graphs)])
        self.completes = [graph.completes + first for graph, first in zip(graphs, firsts, strict=True)]
        after = np.concatenate([np.arange(arcs), *(g.after + first for g, first in zip(graphs, firsts, strict=True))])
        before = np.concatenate(
            [np.full(arcs, NOWHERE), *(g.before + first for g, first in zip(graphs, firsts, strict=True))]
        )
        order = np.argsort(after, kind="stable")
        self.before = before[order]
        self.first = np.searchsorted(after[order], np.arange(arcs + 1))  # of an arc's pairs
        alike = self.letters[self.before] == self.letters[after[order]]
        self.between = np.where(alike, -np.inf, 0.0)  # two of a letter have a blank between them

    def best(self) -> list[list[int]]:
        """Find the letters of each row's likeliest alignment."""
        on = np.full(len(self.row), -np.inf)  # by arc: now on its letter
        rest = np.full(len(self.row), -np.inf)  # by arc: now in the blank after it
        start = np.zeros(len(self.rows))  # by row: nothing written yet
        steps: list[tuple[Floats, Floats, Floats]] = []  # what these were before each frame
        found: list[list[int]] = [[]] * len(self.rows)
        shown = self.row * CLASSES + np.maximum(self.letters, 0)
        with np.errstate(divide="ignore"):
            logs = np.log(stacked(self.rows))
        for number, frame in enumerate(logs):
            steps.append((on, rest, start))
            come = np.maximum(on.take(self.before) + self.between, rest.take(self.before))
            fresh = np.maximum.reduceat(come, self.first[:-1])
            fresh = np.where(self.begins, np.maximum(fresh, start.take(self.row)), fresh)
            blank = frame[:, BLANK]
            rest = np.maximum(on, rest) + blank.take(self.row)
            on = np.maximum(on, fresh) + frame.take(shown)
            on[NOWHERE] = rest[NOWHERE] = -np.inf
            start = start + blank
            for row, frames in enumerate(self.rows):
                if len(frames) == number + 1:
                    found[row] = self.traced(row, steps, on, rest)
        return found

    def traced(self, row: int, steps: Sequence[tuple[Floats, Floats, Floats]], on: Floats, rest: Floats) -> list[int]:
        """Follow the likeliest alignment of a row back to its beginning."""
        here = int(max(self.completes[row], key=lambda arc: max(on[arc], rest[arc])))
        resting = bool(rest[here] > on[here])
        path = [int(self.letters[here])]
        for on_letter, in_blank, start in reversed(steps):
            if resting:
                resting = not on_letter[here] > in_blank[here]
                continue
            pairs = slice(self.first[here], self.first[here + 1])
            before = self.before[pairs]
            come = np.stack([on_letter[before] + self.between[pairs], in_blank[before]])
            fresh = float(come.max())
            starts = bool(self.begins[here]) and float(start[row]) > fresh
            if on_letter[here] >= (start[row] if starts else fresh):
                continue
            if starts:
                break
            kind, pair = divmod(int(come.argmax()), len(before))
            here, resting = int(before[pair]), kind == 1
            path.append(int(self.letters[here]))
        return path[::-1]
