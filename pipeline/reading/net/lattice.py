"""Every line that may be written, spelled every way, as one graph; and the exact likelihood of each on given frames.

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

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, bare

Frames = NDArray[np.float64]  # frames by classes, each row a distribution
Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
NEGLIGIBLE = 1e-12  # of what all the graph's beginnings hold together: far below every margin the gate looks at
SURELY_BLANK = 1 - 1e-6  # a run of such frames says no more than one of them
STAYS, BEGINS = -1, -2  # how an alignment came to be on a letter, other than from the arc before

Words = tuple[str, ...]


@lru_cache(maxsize=65536)
def spelled(slot: tuple[str, ...]) -> Words:
    """Spell the words of one slot; the empty word stays, for a slot that may be left out.

    >>> spelled(("", "A", "Army", "army"))
    ('', 'a', 'army')
    """
    return tuple(sorted({bare(text) for text in slot}))


def accepts(slots: Sequence[Words], text: str) -> bool:
    """Whether a spelled text is one of the spellings of a line."""
    ends = {0}
    for slot in slots:
        ends = {end + len(word) for end in ends for word in slot if text.startswith(word, end)}
    return len(text) in ends


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
class Drawing:
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
        inside: dict[str, int] = {"": start}
        for word in words:
            if not word:
                self.skips.append((start, end))
                continue
            for count in range(1, len(word)):
                if word[:count] not in inside:
                    inside[word[:count]] = self.state()
                    self.arcs.append((inside[word[: count - 1]], CLASS_OF[word[count - 1]], inside[word[:count]]))
            self.arcs.append((inside[word[:-1]], CLASS_OF[word[-1]], end))

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

    def run(self, frames: Frames) -> Floats:
        """Measure the log likelihood of each line (sum over its spellings), in the order they were given."""
        held = np.zeros(len(self.letters))  # by arc: the last frame showed this arc's letter
        gained = np.zeros(len(self.letters))
        marked = np.zeros(len(self.letters), bool)
        resting = np.zeros(self.states)  # by state: the last frame was blank
        resting[0] = 1.0
        come = np.zeros(self.states)  # by state: the last frame showed a letter that led here
        active: Numbers = np.zeros(0, np.int64)  # arcs with anything held
        log_scale = 0.0
        for frame in frames:
            stayed = resting + come
            mass = self.spread(stayed)
            live = np.flatnonzero(mass > NEGLIGIBLE)
            first = self.leaving[live]
            count = self.leaving[live + 1] - first
            out = np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())
            gained[out] = np.repeat(mass[live], count)
            same = np.flatnonzero(held[self.doubling])
            if same.size:
                np.subtract.at(gained, self.doubled[same], held[self.doubling[same]])
            marked[out] = True
            touched = np.concatenate([out, active[~marked[active]]])
            marked[out] = False
            value = (np.maximum(gained[touched], 0) + held[touched]) * frame[self.letters[touched]]
            gained[touched], held[active] = 0.0, 0.0
            keep = value > NEGLIGIBLE
            active, value = touched[keep], value[keep]
            resting = stayed * frame[BLANK]
            total = float(resting.sum() + value.sum())
            if total <= 0:
                return np.full(len(self.numbers), -np.inf)
            held[active] = value = value / total
            resting /= total
            come = np.asarray(np.bincount(self.targets[active], value, self.states), np.float64)
            log_scale += float(np.log(total))
        with np.errstate(divide="ignore"):
            complete = np.bincount(self.completed, self.spread(resting + come)[self.ends])
            return np.asarray(np.minimum(np.log(complete[self.numbers]) + log_scale, 0.0))

    def spread(self, stayed: Floats) -> Floats:
        """Let what has come to a state be also where skips lead from there."""
        mass = stayed.copy()
        np.add.at(mass, self.skipped_to, stayed[self.skipped_from])
        return mass


def lattice(lines: Sequence[Sequence[Words]], *, together: bool = False) -> Lattice:
    """Draw the graph of spelled lines; ``together`` asks only for the likelihood of all of them in one number."""
    kinds = {tuple(line): number for number, line in enumerate(lines)}
    numbers = [0 if together else kinds[tuple(line)] for line in lines]
    drawing = Drawing()
    drawing.tree(tree_of(lines, numbers), 0)
    return ready(drawing, numbers[:1] if together else numbers)


def ready(drawing: Drawing, numbers: Sequence[int]) -> Lattice:
    """Make a drawn graph ready to be run; ``numbers`` say which lines are asked for, in which order."""
    reached = drawing.reached()
    arcs = np.array(sorted(drawing.arcs), np.int64).reshape(-1, 3)
    sources, letters, targets = arcs.T
    pairs = doubles(drawing.arcs, reached)
    doubled, doubling = np.array(pairs, np.int64).reshape(-1, 2).T
    skipped_from, skipped_to = np.array(reached, np.int64).reshape(-1, 2).T
    leaving = np.searchsorted(sources, np.arange(drawing.states + 1))
    completed, ends = np.array(drawing.ends, np.int64).T
    asked_for = np.array(numbers, np.int64)
    return Lattice(letters, targets, leaving, doubled, doubling, skipped_from, skipped_to, ends, completed, asked_for)


def doubles(arcs: Sequence[tuple[int, int, int]], reached: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pair each arc with those that may come just before it and carry the same letter; numbers as in sorted order."""
    from_states: dict[int, list[int]] = {}
    for start, end in reached:
        from_states.setdefault(end, []).append(start)
    ordered = sorted(arcs)
    entering: dict[tuple[int, int], list[int]] = {}
    for number, (_, letter, target) in enumerate(ordered):
        entering.setdefault((target, letter), []).append(number)
    return [
        (number, before)
        for number, (source, letter, _) in enumerate(ordered)
        for state in (source, *from_states.get(source, ()))
        for before in entering.get((state, letter), ())
    ]


def likeliest_spelling(slots: Sequence[Words], frames: Frames) -> str:
    """Find the spelling of one line that lies best along the frames."""
    drawing = Drawing()
    drawing.tree(tree_of([slots], [0]), 0)
    with np.errstate(divide="ignore"):
        path = Alignment(drawing).best(np.log(frames))
    symbol_of = {number: symbol for symbol, number in CLASS_OF.items()}
    return "".join(symbol_of[letter] for letter in path)


class Alignment:
    """The single likeliest way along a small graph (Viterbi)."""

    def __init__(self, drawing: Drawing) -> None:
        reached = {(state, state) for state in range(drawing.states)} | set(drawing.reached())
        self.arcs = sorted(drawing.arcs)
        sources, letters, targets = np.array(self.arcs, np.int64).T
        self.letters = letters
        count = len(self.arcs)
        before = [[b for b in range(count) if (targets[b], sources[a]) in reached] for a in range(count)]
        width = max(1, *map(len, before))
        self.before = np.full((count, width), count)  # by arc: those that may come just before it; ``count`` is none
        self.differs = np.zeros((count, width), bool)  # where no blank is needed between the two
        for a, found in enumerate(before):
            self.before[a, : len(found)] = found
            self.differs[a, : len(found)] = letters[found] != letters[a]
        self.begins = np.array([(0, source) in reached for source in sources])
        self.completes = [a for a in range(count) if (targets[a], drawing.ends[0][1]) in reached]

    def best(self, logs: Floats) -> list[int]:
        """Find the letters of the likeliest alignment."""
        count = len(self.arcs)
        on = np.full(count + 1, -np.inf)  # by arc: now on its letter
        rest = np.full(count + 1, -np.inf)  # by arc: now in the blank after it
        steps: list[tuple[Numbers, NDArray[np.bool_]]] = []
        start = 0.0
        for frame in logs:
            come = np.stack([np.where(self.differs, on[self.before], -np.inf), rest[self.before]], 2)
            choices = come.reshape(count, -1)
            choice = choices.argmax(1)
            fresh = choices[np.arange(count), choice]
            first = self.begins & (start > fresh)
            fresh = np.where(first, start, fresh)
            stays = on[:-1] >= fresh
            steps.append((np.where(stays, STAYS, np.where(first, BEGINS, choice)), on[:-1] > rest[:-1]))
            rest[:-1] = np.maximum(on[:-1], rest[:-1]) + frame[BLANK]
            on[:-1] = np.maximum(on[:-1], fresh) + frame[self.letters]
            start += frame[BLANK]
        return self.traced(steps, on, rest)

    def traced(self, steps: Sequence[tuple[Numbers, NDArray[np.bool_]]], on: Floats, rest: Floats) -> list[int]:
        """Follow the likeliest alignment back to its beginning."""
        here = max(self.completes, key=lambda arc: max(on[arc], rest[arc]))
        resting = bool(rest[here] > on[here])
        letters = [int(self.letters[here])]
        for came, left_letter in reversed(steps):
            if resting:
                resting = not left_letter[here]
                continue
            step = int(came[here])
            if step == BEGINS:
                break
            if step != STAYS:
                here, resting = int(self.before[here, step // 2]), bool(step % 2)
                letters.append(int(self.letters[here]))
        return letters[::-1]
