"""Free reading of a row, without a vocabulary: letters, and spaces where the ink leaves a gap."""

import re
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Note
from pipeline.reading.alphabet import AIR, BLANK, CLASS_OF, CLASSES, STRUCK, Words, bare
from pipeline.reading.lattice import Floats, Frames, LatticeDrawing, stack_frames, tree_of
from pipeline.reading.network import OURS, Ink, NormalCanvas, best_letters, without
from pipeline.reading.slips import SHORTEST
from pipeline.reading.strokes import pieces

# The likeliest spelling of a line on a row (Viterbi algorithm), for many rows at once.

SYMBOL_OF = {number: symbol for symbol, number in CLASS_OF.items()}
NOWHERE = 0  # a sentinel arc that is never reached: the predecessor of arcs without one


def likeliest_spellings(lines: Sequence[Sequence[Words]], rows: Sequence[Frames]) -> list[str]:
    """Find for each row the likeliest spelling of its line (Viterbi)."""
    if not rows:
        return []
    paths = Paths([Arcs(line) for line in lines], rows)
    return ["".join(SYMBOL_OF[letter] for letter in path) for path in paths.best()]


def laid_along(text: str, frames: Frames) -> list[tuple[str, int]]:
    """Align a text with the frames: each letter with the frame in which it begins.

    >>> frames = np.full((4, CLASSES), 1e-9)
    >>> frames[[0, 1, 2, 3], [CLASS_OF["a"], BLANK, BLANK, CLASS_OF["b"]]] = 1.0
    >>> laid_along("ab", frames)
    [('a', 0), ('b', 3)]
    """
    path, no_leap = _path_of(text)
    with np.errstate(divide="ignore"):
        shown = np.log(frames)[:, path]
    here = np.full(len(path), -np.inf)
    here[:2] = shown[0, :2]
    came = np.zeros(shown.shape, np.int64)  # back pointers: by frame and place, how many places back the path came from
    ways = np.full((3, len(path)), -np.inf)  # from there, and from one and two places back
    for number, frame in enumerate(shown[1:], start=1):
        ways[0], ways[1, 1:], ways[2, 2:] = here, here[:-1], here[:-2] + no_leap
        came[number] = ways.argmax(0)
        here = ways.max(0) + frame
    place = len(path) - 1 if not text or here[-1] >= here[-2] else len(path) - 2
    begun: dict[int, int] = {}
    for number in range(len(shown) - 1, -1, -1):
        begun[place] = number
        place -= int(came[number, place])
    return [(letter, begun[2 * at + 1]) for at, letter in enumerate(text) if 2 * at + 1 in begun]


def _path_of(text: str) -> tuple[NDArray[np.int64], Floats]:
    """The classes along a text with a blank before, between and behind its letters; what it costs to leap over each."""
    path = np.full(2 * len(text) + 1, BLANK)
    path[1::2] = [CLASS_OF[letter] for letter in text]
    leaps = (path[2:] != BLANK) & (path[2:] != path[:-2])  # over a blank, to another letter
    return path, np.where(leaps, 0.0, -np.inf)


def gain_of_further_signs(text: str, frames: Frames) -> float:
    """How much likelier a row is (log) if any signs may stand before, between and behind the letters of a text.

    >>> frames = np.full((4, CLASSES), 1e-9)
    >>> frames[[0, 1, 2, 3], [CLASS_OF["a"], BLANK, CLASS_OF["x"], CLASS_OF["b"]]] = 1.0
    >>> round(gain_of_further_signs("ab", frames)), round(gain_of_further_signs("axb", frames))
    (21, 0)
    """
    path, no_leap = _path_of(text)
    with np.errstate(divide="ignore"):
        plain = np.log(frames)[:, path]
    free = plain.copy()
    free[:, ::2] = np.log(frames.max(1))[:, None]
    return _likeliest(free, no_leap) - _likeliest(plain, no_leap)


def gain_as(other: str, text: str, frames: Frames) -> float:
    """How much likelier a row is (log) as another text.

    >>> frames = np.full((3, CLASSES), 1e-9)
    >>> frames[[0, 1, 2], [CLASS_OF["a"], BLANK, CLASS_OF["b"]]] = 1.0
    >>> round(gain_as("ab", "a-b", frames)), round(gain_as("a-b", "a-b", frames))
    (21, 0)
    """
    return _fit(other, frames) - _fit(text, frames)


def without_each_dash(text: str) -> list[tuple[int, str]]:
    """A text without one of its dashes, in words, and where that is among its letters.

    >>> without_each_dash("A VIE - BOH"), without_each_dash("A VIE H")
    ([(4, 'A VIE BOH')], [])
    """
    words = text.split()
    return [
        (len(bare(" ".join(words[:at]))), " ".join([*words[:at], *words[at + 1 :]]))
        for at, word in enumerate(words)
        if word == DASH
    ]


def with_other_signs(text: str) -> list[str]:
    """A text with one of its dashes as the sign for a support, or the other way round: an arrow's head is like an S.

    >>> with_other_signs("A BUD S TRI"), with_other_signs("A VIE H")
    (['A BUD - TRI'], [])
    """
    others, words = {"S": DASH, DASH: "S"}, text.split()
    return [" ".join([*words[:at], others[word], *words[at + 1 :]]) for at, word in enumerate(words) if word in others]


# A dash that the ink shows, whatever the nets make of it: one flat stroke by itself, as high as the letters' middle. At
# the beginning of a line the nets hardly see it

LEAST_DASH, MOST_HIGH = 0.22, 0.2  # ink heights: how wide it is at least, and how high a level one is at most
MOST_STEEP = 0.45  # its height, for its width
OFF_MIDDLE = 0.3  # ink heights, between its middle and that of the writing
CRUMB = 0.12  # ink heights: what else stands there is no longer


def drawn_dashes(text: str, frames: Frames, ink: Ink) -> list[int]:
    """The dashes of a bare text that the ink shows: one flat stroke between the signs beside it, and nothing else.

    >>> frames, ink = np.full((6, CLASSES), 1e-9), np.zeros((OURS.rows, 24), np.float32)
    >>> frames[np.arange(6), [BLANK, BLANK, BLANK, CLASS_OF["a"], BLANK, BLANK]] = 1.0
    >>> ink[19:21, 2:9], ink[8:32, 12:18] = 1.0, 1.0
    >>> drawn_dashes("-a", frames, ink), drawn_dashes("-a", frames, np.roll(ink, 9, axis=0))
    ([0], [])
    """
    dashes = [at for at, sign in enumerate(text) if sign == DASH]
    letters = laid_along(text, frames) if dashes and ink.size else []
    if len(letters) != len(text):
        return []
    edges = [0.0, *((frame + 0.5) * COLUMNS_PER_FRAME for _, frame in letters), float(ink.shape[1])]
    _, sizes, middles = pieces(_remove_rulings(ink > INKED).astype(np.uint8))
    drawn = []
    for at in dashes:
        there = [
            (wide, high, middle)
            for (left, _, wide, high, _), (_, middle) in zip(sizes[1:].tolist(), middles[1:].tolist(), strict=True)
            if edges[at] < left and left + wide < edges[at + 2] and max(wide, high) > CRUMB * INK_ROWS
        ]
        if len(there) == 1 and _is_dash(*there[0], ink.shape[0] / 2):
            drawn.append(at)
    return drawn


def _is_dash(wide: int, high: int, middle: float, middle_of_writing: float) -> bool:
    """Whether a piece of ink is a dash by its size and its height on the row, in pixels."""
    is_flat = wide > LEAST_DASH * INK_ROWS and high < max(MOST_HIGH * INK_ROWS, MOST_STEEP * wide)
    return is_flat and abs(middle - middle_of_writing) < OFF_MIDDLE * INK_ROWS


def _fit(text: str, frames: Frames) -> float:
    """The log likelihood of a text along its likeliest alignment."""
    path, no_leap = _path_of(text)
    with np.errstate(divide="ignore"):
        return _likeliest(np.log(frames)[:, path], no_leap)


def _likeliest(shown: Floats, no_leap: Floats) -> float:
    """The log likelihood of the likeliest alignment along a path; ``shown`` by frame and place."""
    here = np.full(shown.shape[1], -np.inf)
    here[:2] = shown[0, :2]
    for frame in shown[1:]:
        come = here.copy()
        come[1:] = np.maximum(come[1:], here[:-1])
        come[2:] = np.maximum(come[2:], here[:-2] + no_leap)
        here = come + frame
    return float(here[-2:].max())


class Arcs:
    """The small graph of one line, and which of its arcs may follow which."""

    def __init__(self, line: Sequence[Words]) -> None:
        drawing = LatticeDrawing()
        drawing.tree(tree_of([line], [0]), 0)
        sources, self.letters, targets = drawing.arcs().T
        leads = np.eye(drawing.states, dtype=bool)
        for start, end in drawing.reach_by_skips():
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
        self.between = np.where(alike, -np.inf, 0.0)  # a double letter needs a blank between

    def best(self) -> list[list[int]]:
        """Find the letters of each row's likeliest alignment."""
        on = np.full(len(self.row), -np.inf)  # by arc: now on its letter
        rest = np.full(len(self.row), -np.inf)  # by arc: now in the blank after it
        start = np.zeros(len(self.rows))  # by row: nothing written yet
        steps: list[tuple[Floats, Floats, Floats]] = []  # the three arrays before each frame
        best_ways: list[list[int]] = [[]] * len(self.rows)
        shown = self.row * CLASSES + np.maximum(self.letters, 0)
        with np.errstate(divide="ignore"):
            logs = np.log(stack_frames(self.rows))
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
                    best_ways[row] = self.trace_path(row, steps, on, rest)
        return best_ways

    def trace_path(
        self, row: int, steps: Sequence[tuple[Floats, Floats, Floats]], on: Floats, rest: Floats
    ) -> list[int]:
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


# Gaps between letters: which separate words, and which lie inside a word.

INK_ROWS, COLUMNS_PER_FRAME = OURS.ink_rows, OURS.columns_per_frame  # all that is looked at here is laid so
INKED = 0.3  # of the darkest
SPACE = 0.32 * INK_ROWS  # columns without ink that part two words; 90 % of gaps within a word are narrower
DOTTED = "ij"
LONGER_THAN_A_STOP = 0.3  # ink heights
WIDER = 4  # columns: a word counts as torn if an inner gap is so much wider than the gaps at its ends
# A narrower gap tears a word apart if no other word of the row has such a gap. A verb of one letter belongs to the next
# word if it touches that and stands apart from the word before. Measured on hands that the gate is fitted on: of 1,209
# rows with a misplaced space, which the rules do not follow, 93 % show one of the three signs; of 7,459 good rows 36
# do, and are asked
NARROW, WIDER_THAN_ENDS, WIDER_THAN_OTHERS = 6, 3, 3
DASH = "-"
JOINED = 1  # columns from such a verb to the next word
RULED = 0.8  # of the columns: a row of the picture with more ink is a line to write on, and shows no gap


def _gaps(letters: Sequence[tuple[str, int]], ink: Ink) -> list[int]:
    """The widest gap between each letter and the next, in columns; letters come with their frames.

    A letter with a dot ends where its dot does: some fly far to the right.
    """
    inked = np.concatenate([_remove_rulings(ink > INKED).any(0), [True]]).tobytes()
    dots = _dots_of(ink) if any(letter in DOTTED for letter, _ in letters) else []
    widths = []
    for (letter, before), (_, frame) in pairwise(letters):
        start, end = before * COLUMNS_PER_FRAME, (frame + 1) * COLUMNS_PER_FRAME
        behind = [right for left, right in dots if letter in DOTTED and start <= left and right <= end]
        widths.append(_longest_gap(inked[max([start, *behind]) : end]))
    return widths


def _dots_of(ink: Ink) -> list[tuple[int, int]]:
    """Find what may be the dot of a letter: small, and above the middle of the writing; from column to column."""
    _, sizes, _ = pieces((ink > INKED).astype(np.uint8))
    return [
        (int(left), int(left + width))
        for left, top, width, height, _ in sizes[1:]
        if max(width, height) <= LONGER_THAN_A_STOP * INK_ROWS and top + height <= ink.shape[0] / 2
    ]


def gaps_of(text: str, frames: Frames, ink: Ink) -> list[int] | None:
    """Measure the gaps of a reading, behind each of its letters but the last; None where there is no room for all.

    Where the letters were read otherwise, those of the reading are looked for where they lie best.
    """
    letters = [(letter, frame) for letter, frame in best_letters(frames) if letter not in AIR]
    wanted = bare(text)
    if wanted != "".join(letter for letter, _ in letters):
        letters = laid_along(wanted, frames)
        if len(letters) != len(wanted):
            return None
    return _gaps(letters, ink)


def is_torn(text: str, apart: Sequence[int]) -> bool:
    """Say whether a word of a reading has a gap in it, wider than at an end of that word: ``RU M- BUL`` for RUM - BUL.

    It is as wide as between words, or stands out among those within words. The letters are the same, so nothing else
    shows it; what such a line means is for the rules.
    """
    spans = list(pairwise(accumulate((len(bare(word)) for word in text.split()), initial=0)))
    within = sorted(gap for start, end in spans for gap in apart[start : end - 1])
    stands_out = max([NARROW, *(gap + WIDER_THAN_OTHERS for gap in within[-2:-1])])
    for start, end in spans:
        ends = [apart[place - 1] for place in (start, end) if 0 < place <= len(apart)]
        widest = max(apart[start : end - 1], default=0)
        if ends and widest > SPACE and widest > min(ends) + WIDER:
            return True
        if ends and widest > stands_out and widest > min(ends) + WIDER_THAN_ENDS:
            return True
    return False


def run_together(text: str, apart: Sequence[int]) -> str:
    """Join a letter to the next word of a reading where it stands away from the word before it and at the next.

    >>> run_together("A BUL S AEG", [0, 0, 1, 12, 0, 2, 1])
    'A BUL SAEG'
    """
    joined, letters = "", 0
    for word, behind in pairwise([*text.split(), ""]):
        first, letters = letters, letters + len(bare(word))
        joined += word
        is_one = len(bare(word)) == 1 and DASH not in (bare(word), bare(behind)) and 0 < first < len(apart)
        joined += "" if is_one and apart[first - 1] > SPACE and apart[first] <= JOINED else " "
    return joined.rstrip()


def _remove_rulings(inked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Leave out of a picture what is ruled across it."""
    ruled: NDArray[np.bool_] = inked.mean(1, keepdims=True) >= RULED
    return inked & ~ruled


def _longest_gap(inked: bytes) -> int:
    r"""Count the longest run of columns without ink, a byte for each column.

    >>> _longest_gap(b"\0\1\0\0\1"), _longest_gap(b"\1"), _longest_gap(b"")
    (2, 0, 0)
    """
    return max(map(len, inked.split(b"\1")))


SET_OFF = re.compile(r"[^()/]*(([^()/]\([a-z]{1,12}\)|[^()/]/[a-z]+)[^()/]*)*")  # spa(nc)-mao, stp/sc
# Distance from the first and the last letter, where the net saw them, to the ends of the ink, in ink heights: of 659
# legal orders (hands that the gate is fitted on) 0.8 in 99.5 %, at most 1.0 and 0.9
BEFORE, BEHIND = 1.05, 0.95
RUNS_OUT = 1.4  # the same for a stroke that is part of the last letter: wide n and e have 0.96 to 1.25
# A stroke this near to the last letter counts as part of it: the right stem of an H is at most 0.09 away (eight rows)
APART = 0.1


def free_text(frames: Frames, ink: Ink) -> str:
    """Read a row freely, in capitals, with spaces where the gaps are wide and around dashes."""
    letters = best_letters(frames)
    text = ""
    for number, ((letter, _), gap) in enumerate(zip(letters, [0, *_gaps(letters, ink)], strict=False)):
        if number and (gap > SPACE or "-" in (letter, letters[number - 1][0])):
            text += " "
        text += letter.upper()
    return text


def has_sign(text: str, frames: Frames, unwanted: str) -> bool:
    """Say whether a sign is seen that no letter of a reading is: ``A VIE - GAL (?)``. A full stop is no such sign.

    It is a digit (``unwanted``: no line here has one), or a bracket or stroke that sets off no word as a coast's does.
    """
    seen = "".join(letter for letter, _ in best_letters(frames))
    plain = "".join(letter for letter in seen if letter not in AIR)
    if any(sign in unwanted for sign in plain) and bare(text) == "".join(c for c in plain if c not in unwanted):
        return True
    letters = best_letters(without(frames, unwanted) if unwanted else frames)
    return not SET_OFF.fullmatch("".join(letter for letter, _ in letters))


def with_air(text: str, frames: Frames, silent: Frames) -> str:
    """Put into a reading the brackets and strokes that a net sees between its letters: ``F SPA/SC - MAO``, ``(A VIE)``.

    ``silent``: the same frames, with these signs taken for the blank between letters.
    """
    seen = [(sign, frame) for sign, frame in best_letters(frames) if sign in AIR]
    if not seen:
        return text
    at = [frame for _, frame in laid_along(bare(text), silent)]
    before = [(sum(frame < place for frame in at), sign) for sign, place in seen if place not in at]
    spelled = ""
    letters = 0
    for sign in f"{text} ":
        if bare(sign) or letters == len(at):
            spelled = reduce(_set_sign, (sign for count, sign in before if count == letters), spelled)
            letters += 1
        spelled += sign
    return spelled.rstrip()


def _set_sign(text: str, sign: str) -> str:
    """Put a bracket or stroke behind what was read so far: one that closes or sets off stands at the word before it.

    >>> _set_sign("F SPA ", "("), _set_sign("F SPA (NC ", ")"), _set_sign("F SPA ", "/")
    ('F SPA (', 'F SPA (NC) ', 'F SPA/')
    """
    match sign:
        case "(":
            return text + sign
        case ")":
            return f"{text.rstrip()}{sign}{' ' if text.endswith(' ') else ''}"
        case _:
            return text.rstrip() + sign


def reaches_beyond(frames: Frames, ink: Ink, unwanted: str, canvas: NormalCanvas = OURS) -> bool:
    """Say whether there is ink before the first letter that a net sees, or behind the last: ``A VIE - GAL ~~``."""
    if not ink.size:  # of a row that was kept there is no picture
        return False
    letters = best_letters(without(frames, unwanted) if unwanted else frames)
    _, sizes, _ = pieces((ink > INKED).astype(np.uint8))
    tall = sizes[1:][sizes[1:, cv2.CC_STAT_HEIGHT] > LONGER_THAN_A_STOP * canvas.ink_rows]
    if not letters or not len(tall):
        return False
    first, last = ((frame + 0.5) * canvas.columns_per_frame for _, frame in (letters[0], letters[-1]))
    begins, ends = tall[:, cv2.CC_STAT_LEFT], tall[:, cv2.CC_STAT_LEFT] + tall[:, cv2.CC_STAT_WIDTH]
    touched = ends[begins <= last].max(initial=last) + APART * canvas.ink_rows
    most = np.where(begins <= touched, RUNS_OUT, BEHIND) * canvas.ink_rows
    return bool(first - begins.min() > BEFORE * canvas.ink_rows or (ends - last > most).any())


def struck_notes(free: str) -> tuple[Note, ...]:
    """Say what was crossed out."""
    if STRUCK not in free:
        return ()
    return (Note.STRUCK_OUT,) if set(free) <= {STRUCK, " "} else (Note.PARTLY_STRUCK,)


# Whether the names on a row begin with capitals: then a bare stroke before ``on`` is the I of Ion, not the l of lon.
#
# The nets know no case, and a capital I without serifs is the same ink as a small l. What tells them apart is what a
# person looks at: how the other names of the row begin.

STROKES = "il"  # of these two one may be the capital and the other the small letter
WITHOUT_ASCENDER = frozenset("acegmnopqrsuvwxyz")  # small they are low, as capitals high
LEAST_LOW = 2  # such letters inside names: without them nobody knows how high low is
HALF = 10  # columns on either side of where a letter was seen within which its ink is looked for
# How much higher than low letters the lowest first letter must be, in heights of a low letter. Of 383 legal rows with
# capitals (fit half) 55 % reach this, of 522 others 1.7 %: log odds 3.5 for capitals
HIGHER = 0.4
FAVOUR = 3.5  # log likelihood


def i_over_l(written: str, words: Sequence[str], at: int, frames: Frames, ink: Ink) -> float:
    """The log odds to add for i against l at a place of a text, because the nets ignore case.

    0 where it is not the first letter of a name, or the row does not show that names begin with capitals on it.
    """
    starts = np.cumsum([0, *map(len, words)])
    word = int(np.searchsorted(starts, at, side="right")) - 1
    if written[at] not in STROKES or starts[word] != at or len(words[word]) < SHORTEST:
        return 0.0
    return FAVOUR if _begin_with_capitals(words, frames, ink) else 0.0


def _begin_with_capitals(words: Sequence[str], frames: Frames, ink: Ink) -> bool:
    """Say whether all names of a text, those with a low first letter, begin high on this row; False if it has none."""
    text = "".join(words)
    letters = laid_along(text, frames)
    if not ink.size or len(letters) != len(text):
        return False
    tops, feet = _extents(ink, [(frame + 0.5) * OURS.columns_per_frame for _, frame in letters])
    first, low = [], []
    at = 0
    for word in words:
        if len(word) >= SHORTEST:
            first += [at] if word[0] in WITHOUT_ASCENDER else []
            low += [at + k for k, letter in enumerate(word) if k and letter in WITHOUT_ASCENDER]
        at += len(word)
    if not first or len(low) < LEAST_LOW:
        return False
    line = float(np.median(tops[low]))
    height = float(np.median(feet)) - line
    return height > 0 and bool((line - tops[first] >= HIGHER * height).all())


def _extents(ink: Ink, places: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measure the highest and the lowest row of ink of each letter, below all rows where there is none.

    Places are the columns where the letters were seen.
    """
    rows = (ink > INKED).astype(np.int64)
    edges = [places[0] - HALF, *((a + b) / 2 for a, b in pairwise(places)), places[-1] + HALF]
    extents = []
    for place, (left, right) in zip(places, pairwise(edges), strict=True):
        part = rows[:, max(0, int(max(left, place - HALF))) : int(min(right, place + HALF)) + 1]
        inked = np.flatnonzero(part.any(1))
        extents.append((inked[0], inked[-1]) if len(inked) else (len(rows), len(rows)))
    tops, feet = np.array(extents, np.float64).T
    return tops, feet
