"""Slips: the likelihood of every text at edit distance one from a spelling: a letter changed, left out, added, swapped.

If a player wrote something else than an order, it is seldom an arbitrary text; most often it is that order with one
letter changed, left out or added, or two neighbours swapped. Comparing with these texts accepts a careless hand and
stops a misspelling. Each text has its own likelihood, because independent readers doubt different ones.
"""

from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from pipeline.reading.alphabet import ALONE, BLANK, CLASS_OF, CLASSES, SIGN, Words
from pipeline.reading.lattice import Floats, Frames, Numbers

# The forward and backward variables of texts along the frames of a row (CTC; Graves et al. 2006, section 4.1), for many
# rows at once. With them the likelihood of a text that is changed at one place follows without computing the rest
# again.

NO_LETTER = CLASSES  # the class of a place where no letter stands: before the first, behind the last


class ForwardBackward:
    """Forward and backward likelihoods of texts, each on its own row.

    Places are counted from before the first letter.
    """

    def __init__(self, texts: Sequence[str], rows: Sequence[Frames]) -> None:
        self.lengths = np.array([len(text) for text in texts])
        self.classes = _classes_of(texts)  # by row and place: the letter before it
        self.frames = _pad_frames(rows)  # frame, row, class
        steps, count, places = len(self.frames), len(texts), self.classes.shape[1] - 1
        shape = (steps + 1, count, places)
        # by frames used: the likelihood of the text up to a place, ending in a blank or in its last letter
        self.blank_before, self.letter_before = np.zeros(shape), np.zeros(shape)
        # by frame: the likelihood of the rest of the text from there on, beginning with a blank or with a letter
        self.blank_after, self.letter_after = np.zeros(shape), np.zeros(shape)
        shown = np.take_along_axis(self.frames, self.classes[None], 2)
        self.go_forward(shown[:, :, :-1])
        self.go_back(shown[:, :, 1:])
        ends = np.arange(count), self.lengths
        self.whole: Floats = self.blank_before[-1][ends] + self.letter_before[-1][ends]

    @property
    def fresh(self) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
        """By place: whether the letters on both sides differ, so that CTC needs no blank between them."""
        return np.asarray(self.classes[:, :-1] != self.classes[:, 1:])

    def go_forward(self, shown: Floats) -> None:
        """Compute the forward variables."""
        self.blank_before[0, :, 0] = 1.0
        fresh = self.fresh[:, :-1]
        for number, frame in enumerate(self.frames):
            blank, letter = self.blank_before[number], self.letter_before[number]
            self.blank_before[number + 1] = (blank + letter) * frame[:, BLANK, None]
            come = letter.copy()
            come[:, 1:] += blank[:, :-1] + letter[:, :-1] * fresh
            self.letter_before[number + 1] = come * shown[number]

    def go_back(self, shown: Floats) -> None:
        """Compute the backward variables."""
        fresh = self.fresh
        rows = np.arange(len(self.lengths))
        self.blank_after[-1][rows, self.lengths] = 1.0  # no letter is left: the rest is blank
        on = np.zeros(self.letter_after.shape[1:])  # the state in which the letter before the place continues
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
        sums: Floats = (before * self.letter_after[:-1, :, 1:]).sum(0)
        rows = np.arange(len(self.lengths))
        last = self.lengths - 1
        sums[rows, last] = self.blank_before[-1][rows, last] + self.letter_before[-1][rows, last]
        return sums


def _classes_of(texts: Sequence[str]) -> Numbers:
    """The classes of the letters of each text, with `NO_LETTER` before and behind."""
    longest = max(map(len, texts))
    classes = np.full((len(texts), longest + 2), NO_LETTER)
    for row, text in enumerate(texts):
        classes[row, 1 : len(text) + 1] = [CLASS_OF[letter] for letter in text]
    return classes


def _pad_frames(rows: Sequence[Frames]) -> Frames:
    """Lay rows of different lengths side by side: frame, row, class; behind its end a row is surely bare paper."""
    padded = np.zeros((max(map(len, rows)), len(rows), CLASSES + 1))
    for number, row in enumerate(rows):
        padded[: len(row), number, :CLASSES] = row
        padded[len(row) :, number, BLANK] = 1.0
    return padded


WRITTEN = "abcdefghijklmnopqrstuvwxyz0123456789-" + SIGN + ALONE  # what a slip may put there
PUT = np.array([CLASS_OF[letter] for letter in WRITTEN])
SHORTEST = 3  # letters: shorter words are units, signs and coasts, of which one letter makes another
KINDS = ("changed", "added", "left_out", "swapped")


class Slips(Struct, frozen=True, eq=False):
    """Every text one slip away from a text, with its log likelihood on one row; -inf where it is no slip."""

    written: str
    own: float  # of the text itself
    changed: Floats  # letters of the text by `WRITTEN`
    added: Floats  # places before, between and behind its letters, by `WRITTEN`
    left_out: Floats  # letters
    swapped: Floats  # pairs of neighbours

    def likelier(self, least: float) -> Iterator[tuple[str, float]]:
        """Spell the texts that are at least so likely."""
        text = self.written
        for at, put in np.argwhere(self.changed >= least).tolist():
            yield text[:at] + WRITTEN[put] + text[at + 1 :], float(self.changed[at, put])
        for at, put in np.argwhere(self.added >= least).tolist():
            yield text[:at] + WRITTEN[put] + text[at:], float(self.added[at, put])
        for (at,) in np.argwhere(self.left_out >= least).tolist():
            yield text[:at] + text[at + 1 :], float(self.left_out[at])
        for (at,) in np.argwhere(self.swapped >= least).tolist():
            yield text[:at] + text[at + 1] + text[at] + text[at + 2 :], float(self.swapped[at])

    def without(self, texts: Collection[str]) -> "Slips":
        """Leave some of the texts out, for instance other spellings of the same line."""
        kept = {kind: getattr(self, kind).copy() for kind in KINDS} if texts else {}
        for text in texts:
            kind, place = _place_of(self.written, text)
            kept[kind][place] = -np.inf
        return replace(self, **kept)

    def with_other(self, other: "Slips") -> "Slips":
        """Weigh the same texts by what two readers say of the row."""
        both = {kind: getattr(self, kind) + getattr(other, kind) for kind in KINDS}
        return replace(self, own=self.own + other.own, **both)

    @property
    def together(self) -> float:
        """Log-sum-exp over all slips."""
        return _log_sum_exp(np.concatenate([getattr(self, kind).ravel() for kind in KINDS]))


def _log_sum_exp(logs: Floats) -> float:
    """Sum likelihoods given as logarithms.

    >>> round(_log_sum_exp(np.log([0.25, 0.25])), 6) == round(float(np.log(0.5)), 6)
    True
    """
    most = float(logs.max(initial=-np.inf))
    return most if most == -np.inf else most + float(np.log(np.exp(logs - most).sum()))


def slips(written: Sequence[str], lines: Sequence[Sequence[Words]], rows: Sequence[Frames]) -> list[Slips]:
    """Measure, for each row, all texts one slip away from a spelling of its line that do not spell it.

    >>> frames = np.full((4, 45), 1e-9)
    >>> frames[[0, 1, 3], [1, 2, 3]] = 0.98
    >>> frames[2, [2, 4]] = 0.49
    >>> bool(slips(["abc"], [[("abc",)]], [frames])[0].together > np.log(0.4))
    True
    >>> bool(slips(["abc"], [[("abc", "abdc")]], [frames])[0].together < np.log(0.1))
    True
    """
    slipped = slip_by_slip(written, rows)
    return [one.without(other_spellings(one.written, slots)) for one, slots in zip(slipped, lines, strict=True)]


def slip_by_slip(written: Sequence[str], rows: Sequence[Frames]) -> list[Slips]:
    """Measure every slip of a text on each row, all rows together.

    All slips share the forward variables before and the backward variables after them (`ForwardBackward`); the letter
    that was put there may last any number of frames. Rows are sorted by length, the longest first, so that at each
    frame the rows that still go on are the first ones.
    """
    if not written:
        return []
    order = sorted(range(len(rows)), key=lambda row: -len(rows[row]))
    passage = ForwardBackward([written[row] for row in order], [rows[row] for row in order])
    going_on = [sum(len(row) > frame for row in rows) for frame in range(len(passage.frames))]
    changed, added = _changed_and_added(passage, going_on)
    left_out, swapped = passage.without_a_letter(), _swap_letters(passage)
    by_row: dict[int, Slips] = {}
    with np.errstate(divide="ignore"):
        for row, number in enumerate(order):
            text = written[number]
            count = len(text)
            right = np.array([CLASS_OF[letter] for letter in text])[:, None] == PUT
            here = [np.log(part[row]) for part in (changed, added, left_out, swapped)]
            # the right letter is no slip; doubling a letter before or after itself gives one text
            here[0][:count][right] = here[1][:count][right] = -np.inf
            here[2][_doubled_letters(text)] = -np.inf  # leaving out either of two equal letters is one text
            here[3][[at for at, (a, b) in enumerate(pairwise(text)) if a == b]] = -np.inf
            parts = here[0][:count], here[1][: count + 1], here[2][:count], here[3][: max(0, count - 1)]
            by_row[number] = Slips(text, float(np.log(passage.whole[row])), *parts)
    return [by_row[number] for number in range(len(written))]


def _doubled_letters(text: str) -> list[int]:
    """The letters that repeat the letter before."""
    return [at for at, (a, b) in enumerate(pairwise(text), start=1) if a == b]


def _changed_and_added(passage: ForwardBackward, going_on: Sequence[int]) -> tuple[Floats, Floats]:
    """The likelihoods of each letter at each place: instead of the letter there, and added before it.

    ``going_on``: how many rows are long enough to have each frame.
    """
    classes, shown = passage.classes, passage.frames[:, :, PUT]
    fresh, after = classes[:, :-1, None] != PUT, classes[:, 1:, None] != PUT
    beyond = np.pad(after[:, 1:], ((0, 0), (0, 1), (0, 0)))
    here, added, changed = (np.zeros(fresh.shape) for _ in range(3))
    beyond_rest, beyond_letter = (_next_place(part) for part in (passage.blank_after, passage.letter_after))
    for frame, on in enumerate(going_on):
        letter = passage.letter_before[frame, :on, :, None]
        here = here[:on] + (passage.blank_before[frame, :on, :, None] + letter * fresh[:on])
        here *= shown[frame, :on, None, :]
        rest, letter = passage.blank_after[frame + 1, :on, :, None], passage.letter_after[frame + 1, :on, :, None]
        added[:on] += here * (rest + letter * after[:on])
        rest, letter = beyond_rest[frame + 1, :on, :, None], beyond_letter[frame + 1, :on, :, None]
        changed[:on] += here * (rest + letter * beyond[:on])
    return changed, added


def _next_place(part: Floats) -> Floats:
    """Shift values by one place: each frame, row and place gets the next place's value."""
    return np.pad(part[:, :, 1:], ((0, 0), (0, 0), (0, 1)))


def _swap_letters(passage: ForwardBackward) -> Floats:
    """The likelihoods of each letter swapped with the next."""
    classes = passage.classes
    first, second, before = classes[:, 2:], classes[:, 1:-1], classes[:, :-2]  # as they would stand
    beyond = np.pad(classes[:, 3:], ((0, 0), (0, 1)), constant_values=CLASSES)
    on, between, last, swapped = (np.zeros(first.shape) for _ in range(4))
    count = first.shape[1]
    rests, letters = (_over_next(part, count) for part in (passage.blank_after, passage.letter_after))
    is_fresh, are_apart, is_fresh_behind = before != first, first != second, beyond != second
    shown_first, shown_second = (np.take_along_axis(passage.frames, each[None], 2) for each in (first, second))
    for number, frame in enumerate(passage.frames):
        come = passage.blank_before[number][:, :count] + passage.letter_before[number][:, :count] * is_fresh
        held = on
        last = (last + between + held * are_apart) * shown_second[number]
        between = (between + held) * frame[:, BLANK, None]
        on = (held + come) * shown_first[number]
        swapped += last * (rests[number + 1] + letters[number + 1] * is_fresh_behind)
    return swapped


def _over_next(part: Floats, count: int) -> Floats:
    """Shift values by two places."""
    return np.pad(part[:, :, 2:], ((0, 0), (0, 0), (0, count - (part.shape[2] - 2))))


def _place_of(text: str, other: str) -> tuple[str, int | tuple[int, int]]:
    """Say which slip makes one text of another: its kind and its place, as `Slips` has them.

    >>> _place_of("vie", "via") == ("changed", (2, WRITTEN.index("a"))), _place_of("vie", "ve"), _place_of("vie", "vei")
    (True, ('left_out', 1), ('swapped', 1))
    """
    at = next((k for k, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
    if len(other) < len(text):
        while at and text[at - 1] == text[at]:
            at -= 1  # of equal letters the first
        return "left_out", at
    put = WRITTEN.index(other[at])
    if len(other) > len(text):
        return "added", (at, put)
    return ("changed", (at, put)) if text[at + 1 :] == other[at + 1 :] else ("swapped", at)


def other_spellings(written: str, slots: Sequence[Words]) -> set[str]:
    """List the spellings of the same line that are one slip away in one of its words."""
    words = split_spelling(written, slots)
    spelled = {
        "".join([*words[:at], other, *words[at + 1 :]])
        for at, slot in enumerate(slots)
        for other in slot
        if is_slip(words[at], other)
    }
    return spelled - {written}


def letters_of(words: Sequence[str]) -> list[str]:
    """The letters of spelled words, the first of each word as a capital, because most people write it so.

    >>> letters_of(["f", "mao", "to", "nat"])
    ['F', 'M', 'a', 'o', 'T', 'o', 'N', 'a', 't']
    """
    return [letter if at else letter.upper() for word in words for at, letter in enumerate(word)]


def letters_apart(words: Sequence[str], other: str) -> tuple[set[str], set[str]]:
    """The letters of a spelled text that differ in another one, each with its counterpart.

    >>> letters_apart(["f", "mao", "to", "nat"], "fmaotonaf"), letters_apart(["a", "gre", "h"], "abreh")
    (({'t'}, {'f'}), ({'G'}, {'B'}))
    >>> letters_apart(["a", "vie", "h"], "avieh"), letters_apart(["a", "vie", "h"], "avie")
    ((set(), set()), ({'H'}, set()))
    """
    own = letters_of(words)
    mine: set[str] = set()
    theirs: set[str] = set()
    for kind, start, end, first, last in SequenceMatcher(None, "".join(words), other).get_opcodes():
        if kind != "equal":
            mine.update(own[start:end])
            like = [*own[start:end], *("" for _ in other[first:last])]  # the own letter that each other letter replaces
            theirs.update(b.upper() if a.isupper() else b for a, b in zip(like, other[first:last], strict=False))
    return mine, theirs


def split_spelling(written: str, slots: Sequence[Words]) -> list[str]:
    """Cut a spelling of a line into the words of its slots; a `ValueError` where it is none."""
    if not slots:
        if written:
            raise ValueError(f"{written!r} is left over after the last word of the line")
        return []
    for word in slots[0]:
        if written.startswith(word):
            try:
                return [word, *split_spelling(written[len(word) :], slots[1:])]
            except ValueError:
                continue
    raise ValueError(f"{written!r} is no spelling of {slots}")


def is_near(slots: Sequence[Words], text: str, least: int = 1) -> bool:
    """Whether a text spells a line, or is one slip away from a spelling of it, in a word of so many letters or more.

    >>> line = (("a",), ("vie", "vienna"), ("-",), ("", "boh"))
    >>> [is_near(line, text) for text in ("avie-boh", "avienna-bh", "avie-", "avei-", "avei-bh", "fvie-boh")]
    [True, True, True, True, False, True]
    >>> is_near(line, "avei-boh", 3), is_near(line, "fvie-boh", 3)
    (True, False)
    """
    ways = {(0, False)}  # how far the text goes, and whether a slip was made on the way
    for words in slots:
        ways = {
            way
            for at, slipped in ways
            for word in words
            for end, slipping in _word_ends(text, at, word, may_slip=not slipped and len(word) >= least)
            for way in [(end, slipped or slipping)]
        }
    return any(at == len(text) for at, _ in ways)


def _word_ends(text: str, at: int, word: str, *, may_slip: bool) -> Iterator[tuple[int, bool]]:
    """Where in a text a word may end that begins at ``at``, and whether it has a slip."""
    if text.startswith(word, at):
        yield at + len(word), False
    if may_slip:
        for length in (len(word) - 1, len(word), len(word) + 1):
            if at + length <= len(text) and is_slip(word, text[at : at + length]):
                yield at + length, True


def is_slip(word: str, other: str) -> bool:
    """Whether two words differ by one letter changed, left out or added, or by two neighbours swapped.

    >>> is_slip("vie", "via"), is_slip("vie", "vi"), is_slip("vie", "vei"), is_slip("vie", "vie"), is_slip("vie", "eiv")
    (True, True, True, False, False)
    """
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    short, long = sorted((word, other), key=len)
    at = next((k for k, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if short[at + (len(short) == len(long)) :] == long[at + 1 :]:
        return True
    return (
        len(short) == len(long) and short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    )
