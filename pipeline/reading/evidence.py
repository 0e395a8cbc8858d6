"""The evidence of one row's frames for each line of the vocabulary: likelihoods and margins, no verdict."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import islice, zip_longest
from operator import itemgetter
from typing import ClassVar, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from pipeline.reading import slips
from pipeline.reading.alphabet import AIR, BLANK, CLASS_OF, STRUCK, LineTree, Words, accepts, bare, spell_slot
from pipeline.reading.free import SPACE, STROKES, drawn_dashes, gaps_of, i_over_l, likeliest_spellings
from pipeline.reading.lattice import Floats, Frames, Lattice, drop_repeated_blanks, lattice, likelihoods
from pipeline.reading.network import Ink, best_letters, without
from pipeline.reading.recogniser import Taken, Vocabulary, VocabularyLine

DIGITS = "0123456789"
CLOSE = 12.0  # log likelihood below the best within which a line is looked at again
# The extra margin (log) to the next order if a word of the line is one that hardly anybody writes. Of 291 legal rows
# with such a word (fit half) one was misread, TRL for tri, with a margin of 10.7. It is asked now, and so are two
# rows that do say Trl, with 12.7 and 13.5; the next has 16.6
UNUSUAL = 6.0
ALIKE_DIGITS = 6  # digits of a log likelihood; smaller differences count as equal
ALIKE = 10**-ALIKE_DIGITS
FLOOR = -60.0  # lower bound of log likelihoods

Bounds = Mapping[str, tuple[float, float]]


class Evidence(Struct, frozen=True):
    """The evidence of a row: likelihood of the best line and its margins to all alternatives (natural logarithms)."""

    SPAN: ClassVar[Bounds] = {  # beyond these the evidence is as good, or as bad, as it gets
        "to_next": (0.0, 12.0),
        "to_others": (-15.0, 12.0),
        "to_slips": (-15.0, 10.0),
        "to_free": (-20.0, 1.0),
    }

    best: int  # index of the line in the vocabulary
    text: str  # its likeliest spelling, in the vocabulary's own words and in capitals
    likelihood: float  # of the best line among all texts there are: at most 0
    to_next: float  # margin to the best line that this spelling does not belong to
    to_others: float  # margin to all inadmissible lines together (log-sum-exp)
    to_slips: float  # margin to all texts one slip away from the spelling: its misspellings
    to_free: float  # margin to the likeliest letters without a vocabulary; at most a little over 0
    struck: bool  # something was crossed out or written over


class Expected:
    """A vocabulary, spelled and drawn once for all the rows of a sheet."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.lines = vocabulary.lines
        self.taken, self.misspelt, self.unusual = vocabulary.taken, vocabulary.misspelt, vocabulary.unusual
        self.slots = [tuple(map(spell_slot, line.slots)) for line in vocabulary.lines]
        self.others = {tuple(map(spell_slot, line.slots)) for line in vocabulary.others}
        self.graph = lattice(self.slots)
        self.beside = _graph_of_others(vocabulary.others)
        written = {letter for slots in self.slots for words in slots for word in words for letter in word}
        self.unwanted = "" if written & set(DIGITS) else DIGITS

    @cached_property
    def words_there(self) -> list[frozenset[str]]:
        """By place in a line: its words, admissible here or not."""
        places = zip_longest(*self.slots, *self.others, fillvalue=())
        return [frozenset(word for words in place for word in words) for place in places]

    @cached_property
    def tree(self) -> LineTree:
        """All lines, the inadmissible ones behind the others."""
        return LineTree.of((*self.slots, *self.others))

    def without_unwanted_digits(self, frames: Frames) -> Frames:
        """Rule digits out if no line has one: a 0 is then an o."""
        return without(frames, self.unwanted) if self.unwanted else frames

    def spells_another(self, text: str, line: int) -> bool:
        """Whether a text is a spelling of another line, admissible or not."""
        return bool(self.tree.spelled_by(text) - {line})

    def spells_order(self, text: str) -> bool:
        """Whether a text is a spelling of an admissible line."""
        return any(line < len(self.lines) for line in self.tree.spelled_by(text))

    def handicap(self, line: int, written: str) -> float:
        """The extra margin required to the next order if a line is spelled with rare words."""
        return UNUSUAL if self.unusual.intersection(map(bare, _words_of(self.lines[line], written))) else 0.0

    def comparable(self, frames: Frames) -> Frames:
        """Treat brackets and slashes as blank: the spellings that are compared have none either."""
        clean = self.without_unwanted_digits(frames).copy()
        air = [CLASS_OF[symbol] for symbol in AIR]
        clean[:, BLANK] += clean[:, air].sum(1)
        clean[:, air] = 0.0
        return clean


@lru_cache(maxsize=16)
def _graph_of_others(others: tuple[VocabularyLine, ...]) -> Lattice | None:
    """Draw the inadmissible lines; they are the same for many sheets."""
    return lattice([tuple(map(spell_slot, line.slots)) for line in others], together=True) if others else None


def _covers_spellings(slots: Sequence[Words], other: Sequence[Words]) -> bool:
    """Whether every spelling of a line is one of another, slot by slot; the other may have more to leave out."""
    if not other:
        return not slots
    if slots and within(slots[0], other[0]) and _covers_spellings(slots[1:], other[1:]):
        return True
    return "" in other[0] and _covers_spellings(slots, other[1:])


@lru_cache(maxsize=65536)
def within(words: Words, others: Words) -> bool:
    """Whether all the words of one slot stand in another; the same slots are asked about again and again."""
    return set(words) <= set(others)


def _log_less(more: float, less: float) -> float:
    """Subtract likelihoods given as logarithms; nothing left is the floor.

    >>> round(_log_less(np.log(0.5), np.log(0.2)), 6) == round(float(np.log(0.3)), 6)
    True
    """
    if more <= less:
        return FLOOR
    return max(FLOOR, float(more + np.log(-np.expm1(less - more))))


def rank_lines(of_lines: Floats, expected: Expected, most: int = 1) -> list[int]:
    """Find so many lines, the likeliest first; equals by their weight, then as given."""
    first = min(most, len(of_lines))
    least = float(np.partition(of_lines, -first)[-first]) - 2 * ALIKE
    likely = np.flatnonzero(of_lines >= least).tolist()
    lines = expected.lines
    return sorted(likely, key=lambda i: (-round(float(of_lines[i]), ALIKE_DIGITS), -lines[i].weight))[:most]


def spelling_in_words(line: VocabularyLine, written: str) -> str:
    """Write a spelling with the vocabulary's own words, in capitals: the net sees no case, so none must be made up.

    >>> spelling_in_words(VocabularyLine((("A",), ("Vie", "Vienna"), ("-", "to"), ("Boh",))), "avienna-boh")
    'A VIENNA - BOH'
    """
    return " ".join(_words_of(line, written)).upper()


def _words_of(line: VocabularyLine, written: str) -> list[str]:
    """The vocabulary's own words for a spelling."""
    words: list[str] = []
    if not _words_from(line.slots, written, words):
        raise ValueError(f"{written!r} is no spelling of {line.slots}")
    return [word for word in words if word]


def _words_from(slots: Sequence[Sequence[str]], written: str, words: list[str]) -> bool:
    """Cut a spelled text into one word for each slot."""
    if not slots:
        return not written
    for word in slots[0]:
        letters = bare(word)
        if written.startswith(letters) and _words_from(slots[1:], written[len(letters) :], words):
            words.insert(0, word)
            return True
    return False


def line_likelihoods(rows: Sequence[Frames], expected: Expected) -> list[Floats]:
    """The log likelihood of every line on each row; the rows' frames are prepared by `comparable`."""
    return likelihoods([expected.graph] * len(rows), rows)


def _run_with_others(rows: Sequence[Frames], expected: Expected) -> tuple[list[Floats], list[float]]:
    """As `line_likelihoods`, and the log-sum-exp of all inadmissible lines; without any it is -inf."""
    if expected.beside is None:
        return line_likelihoods(rows, expected), [-np.inf] * len(rows)
    of_lines = likelihoods([expected.graph] * len(rows) + [expected.beside] * len(rows), [*rows, *rows])
    return of_lines[: len(rows)], [float(together[0]) for together in of_lines[len(rows) :]]


def weigh(rows: Sequence[Frames], expected: Expected) -> list[tuple[Evidence, Floats, float]]:
    """Measure rows against what is expected there.

    Returns for each row its evidence, the log likelihood of every line, and that of all inadmissible lines together.
    """
    wanted = [expected.comparable(frames) for frames in rows]
    short = [drop_repeated_blanks(frames) for frames in wanted]
    lines, together = _run_with_others(short, expected)
    best = [rank_lines(of_row, expected)[0] for of_row in lines]
    likely = [max(FLOOR, float(of_row[line])) for of_row, line in zip(lines, best, strict=True)]
    written = likeliest_spellings([expected.slots[line] for line in best], short)
    slipped = slips.slips(written, [expected.slots[line] for line in best], short)
    alone = [one.own for one in slipped]
    others = _margins_to_inadmissible(together, written, best, likely, expected, alone)
    return [
        (
            Evidence(
                best=best[row],
                text=spelling_in_words(expected.lines[best[row]], written[row]),
                likelihood=likely[row],
                to_next=_to_next(written[row], best[row], likely[row], lines[row], expected),
                to_others=likely[row] - others[row],
                to_slips=likely[row] - max(FLOOR, slipped[row].together),
                to_free=likely[row] - float(np.log(short[row].max(1)).sum()),
                struck=STRUCK in "".join(letter for letter, _ in best_letters(wanted[row])),
            ),
            lines[row],
            together[row],
        )
        for row in range(len(rows))
    ]


def _to_next(written: str, best: int, likely: float, lines: Floats, expected: Expected, far: float = CLOSE) -> float:
    """The margin to the likeliest line that does not share the spelling of the best; at most ``far``."""
    handicap = expected.handicap(best, written)
    least = likely - far - handicap
    close = [i for i in np.flatnonzero(lines > least).tolist() if i != best]
    rivals = [float(lines[i]) for i in close if not accepts(expected.slots[i], written)]
    return likely - handicap - max(rivals, default=least)


def _margins_to_inadmissible(
    together: Sequence[float],
    written: Sequence[str],
    best: Sequence[int],
    likely: Sequence[float],
    expected: Expected,
    alone: Sequence[float],
) -> list[float]:
    """Measure the inadmissible lines together, without the best line of a row where it is one of them.

    ``alone``: the log likelihood of each spelling by itself.
    """
    if expected.beside is None:
        # no inadmissible lines: compare with all other texts, whose probability is one minus that of the line
        return [_log_less(0.0, min(one, -1e-12)) for one in likely]
    covers = [sum(_covers_spellings(expected.slots[line], other) for other in expected.others) for line in best]
    same = [
        0 if covering else sum(accepts(other, text) for other in expected.others)
        for covering, text in zip(covers, written, strict=True)
    ]
    margins = [max(FLOOR, one) for one in together]
    for row, covering in enumerate(covers):
        if covering:
            margins[row] = _log_less(together[row], likely[row] + float(np.log(covering)))
        elif same[row]:  # spelled as one of them is
            margins[row] = _log_less(together[row], alone[row] + float(np.log(same[row])))
    return margins


# The joint evidence of several independent readers for a row: likelihoods and margins, no verdict.
# A text's likelihood is the product over the readers. If they err independently, a wrong text is unlikely to one of
# them.

LEAST = -100.0  # lower bound of one reader's log likelihood
AS_FAR = 25.0  # the margin if nothing comes near
LOOKED_AT = 15.0  # slips within this margin are classified; all others count as harmful
NEAR = 9.0  # alternatives within this margin are a doubt
MOST_LOOKED_AT = 24  # slips, and lines that they may be taken for
HOPELESS = 30.0  # margin to the likeliest letters beyond which a line cannot be what is written
DASH = "-"  # as a spelling has it, however it was drawn
UNITS = ("a", "f")  # a unit's letter, standing by itself
MAY_BE = 30.0  # a line beyond this margin is not what a slip is taken for
# How much less likely (log) a slip is that makes no word of a sign (T VIE for A VIE, HOLPS), against one in a name. Set
# for signs of one letter: of 527 legal winter rows of 99 people 53 are asked instead of 61, of 1,002 movement rows as
# many as before; of 1,094 misorders of all kinds none more stands. With 12, 50 are asked. Not for signs of two letters:
# a struck arrow looks like TO
OUT_OF_PLACE = 9.0
# The same for a slip that leaves no dash where the ink shows one
DASH_DRAWN = 9.0
CLOSE_TOGETHER = 2  # columns: so far letters may stand apart wherever a word ends
SAME_INK = {"+": "t"}  # signs, each with a letter that has the same strokes

S = TypeVar("S")  # what a row is measured against
T = TypeVar("T")


class Joint(Struct, frozen=True):
    """How well the best line explains a row to some readers, and how well everything else does (natural logarithms)."""

    SPAN: ClassVar[Bounds] = {
        "to_next": (0.0, 25.0),
        "to_slips": (-15.0, 12.0),
        "to_asked": (-15.0, 12.0),
        "to_harm": (-15.0, 12.0),
        "to_others": (-25.0, 20.0),
        "first_free": (-20.0, 1.0),
        "second_free": (-20.0, 1.0),
        "likelihood": (-60.0, 0.0),
    }

    best: int  # index of the line in the vocabulary
    text: str  # its likeliest spelling, in the vocabulary's own words and in capitals
    likelihood: float  # of the best line, to all: their sum
    to_next: float  # margin to the best line that this spelling does not belong to
    to_slips: float  # margin to all texts that are one slip away from the spelling
    # Margin to those that the rules would not follow as this line, and to those that may be another line, or would cost
    # the player the order. It is more where all that the rules follow as this line is likelier than everything else
    to_asked: float
    to_harm: float
    to_others: float  # margin to all inadmissible lines (log-sum-exp)
    first_free: float  # margin to the likeliest letters of the first reader
    second_free: float  # margin to the likeliest letters of a further reader, the least of them all
    struck: bool  # something was crossed out or written over
    readers: int = 2  # number of readers that have looked
    doubted: frozenset[str] = frozenset()  # its doubtful letters, and what makes another line of it (`letters_of`)


def weigh_jointly(
    views: Sequence[Sequence[Frames]],
    lines: Sequence[Floats],
    others: Sequence[float],
    struck: Sequence[bool],
    expected: Expected,
    inks: Sequence[Ink],
) -> list[tuple[Joint, Floats]]:
    """The joint evidence of rows by several readers, and the joint log likelihood of every line.

    The first reader's likelihoods (of lines, and of all inadmissible ones) and its strike-outs are arguments. ``inks``
    are the first reader's input pictures, empty if not stored.
    """
    if not lines:
        return []
    together = ManyViews(views, lines, others, struck, expected, inks)
    return [(together.joint(row), together.lines[row]) for row in range(len(lines))]


class ManyViews:
    """Several rows, each with the frames of several readers."""

    def __init__(
        self,
        views: Sequence[Sequence[Frames]],
        lines: Sequence[Floats],
        others: Sequence[float],
        struck: Sequence[bool],
        expected: Expected,
        inks: Sequence[Ink],
    ) -> None:
        self.expected = expected
        self.pictures = list(zip(views[0], inks, strict=True))
        self.views = [[drop_repeated_blanks(expected.comparable(frames)) for frames in rows] for rows in views]
        rows = len(lines)
        more, together = _run_with_others([row for view in self.views[1:] for row in view], expected)
        self.lines_of = _by_reader([np.maximum(one, LEAST) for one in (*lines, *more)], rows)
        self.lines = [np.asarray(sum(each)) for each in zip(*self.lines_of, strict=True)]
        self.struck = struck
        self.best = [rank_lines(lines, expected)[0] for lines in self.lines]
        self.slots = [expected.slots[line] for line in self.best]
        self.written = self.spell_best_lines()
        measured = self.measured_by_all(slips.slip_by_slip, self.written)
        self.slips = [
            self.by_ink(
                row,
                self.by_place(row, reduce(slips.Slips.with_other, each).without(slips.other_spellings(text, slots))),
            )
            for row, (*each, text, slots) in enumerate(zip(*measured, self.written, self.slots, strict=True))
        ]
        alone = [[one.own for one in by_one] for by_one in measured]
        self.others = [
            _margins_to_inadmissible(apart, self.written, self.best, self.likely(reader), expected, alone[reader])
            for reader, apart in enumerate(_by_reader([*others, *together], rows))
        ]

    def measured_by_all(
        self, measure: Callable[[Sequence[S], Sequence[Frames]], Sequence[T]], given: Sequence[S]
    ) -> list[Sequence[T]]:
        """The likelihoods of all rows by all readers, computed at once to save numpy's overhead."""
        return _by_reader(measure([*given] * len(self.views), [row for view in self.views for row in view]), len(given))

    def likely(self, reader: int) -> list[float]:
        """How likely each row's best line is to one of the readers."""
        return [max(FLOOR, float(lines[best])) for lines, best in zip(self.lines_of[reader], self.best, strict=True)]

    def spell_best_lines(self) -> list[str]:
        """How each row's best line is spelled: of the readers' spellings, the likeliest to all of them."""
        spellings = []
        for row, each in enumerate(zip(*self.measured_by_all(likeliest_spellings, self.slots), strict=True)):
            texts = sorted(set(each))
            spellings.append(texts[int(np.argmax(self.measure_texts(row, texts)))] if len(texts) > 1 else texts[0])
        return spellings

    def by_ink(self, row: int, row_slips: slips.Slips) -> slips.Slips:
        """Weigh slips by what the row's picture shows."""
        return self.by_dashes(row, self.by_capitals(row, row_slips))

    def by_dashes(self, row: int, row_slips: slips.Slips) -> slips.Slips:
        """Weigh down what has no dash where the ink shows one."""
        drawn = drawn_dashes(row_slips.written, *self.pictures[row])
        changed, left_out = row_slips.changed.copy(), row_slips.left_out.copy()
        changed[drawn] -= DASH_DRAWN
        left_out[drawn] -= DASH_DRAWN
        return replace(row_slips, changed=changed, left_out=left_out)

    def by_capitals(self, row: int, row_slips: slips.Slips) -> slips.Slips:
        """Decide between names that differ by a stroke (Ion and Lon), by the capitals of the row's other names."""
        changed, written = row_slips.changed.copy(), row_slips.written
        least = max(row_slips.own, float(changed.max(initial=-np.inf))) - LOOKED_AT
        for at, letter in enumerate(written):
            if letter not in STROKES:
                continue
            other = STROKES.replace(letter, "")
            put, text = slips.WRITTEN.index(other), written[:at] + other + written[at + 1 :]
            if changed[at, put] >= least and self.expected.spells_another(text, self.best[row]):
                by = i_over_l(written, slips.split_spelling(written, self.slots[row]), at, *self.pictures[row])
                changed[at, put] += by if other == "i" else -by
        return replace(row_slips, changed=changed)

    def by_place(self, row: int, row_slips: slips.Slips) -> slips.Slips:
        """Weigh down what makes no word of a sign: there stands one of a few, some of which are a single letter."""
        changed, left_out, swapped = (getattr(row_slips, kind).copy() for kind in ("changed", "left_out", "swapped"))
        words, at = slips.split_spelling(row_slips.written, self.slots[row]), 0
        for word, slot, there in zip(words, self.slots[row], self.expected.words_there, strict=False):
            if (len(word) == 1 or len(word) >= slips.SHORTEST) and any(len(other) == 1 for other in slot):
                for k in range(max(1, len(word) - 1)):  # not in the last letter, which may be a stray sign
                    none = [word[:k] + letter + word[k + 1 :] not in there for letter in slips.WRITTEN]
                    changed[at + k, none] -= OUT_OF_PLACE
                    if len(word) > 1 and word[:k] + word[k + 1 :] not in there:
                        left_out[at + k] -= OUT_OF_PLACE
                    if k and word[: k - 1] + word[k] + word[k - 1] + word[k + 1 :] not in there:
                        swapped[at + k - 1] -= OUT_OF_PLACE
            at += len(word)
        return replace(row_slips, changed=changed, left_out=left_out, swapped=swapped)

    def with_like_signs(self, row: int) -> frozenset[str]:
        """A row's text with a letter that is the same ink as one of its signs, and no sign of that place itself."""
        written, at = self.written[row], 0
        texts: set[str] = set()
        for word, there in zip(slips.split_spelling(written, self.slots[row]), self.expected.words_there, strict=False):
            other = SAME_INK.get(word)
            if other is not None and other not in there:
                texts.add(written[:at] + other + written[at + 1 :])
            at += len(word)
        return frozenset(texts)

    def measure_texts(self, row: int, texts: Sequence[str]) -> Floats:
        """How likely some texts are on a row, to all."""
        return np.asarray(sum(np.maximum(one, LEAST) for one in self.texts_by_reader(row, texts)))

    def texts_by_reader(self, row: int, texts: Sequence[str]) -> list[Floats]:
        """How likely some texts are on a row, to each reader."""
        graph = lattice([((text,),) for text in texts])
        return likelihoods([graph] * len(self.views), [view[row] for view in self.views])

    def meant(self, row: int, followed: Sequence[str]) -> tuple[float, float]:
        """How likely a row's order is, in the spelling of its line or another that the rules follow; and its odds.

        The odds are against every other text there is, as if all of these were one.
        """
        texts = [self.written[row], *followed]
        by_reader = [float(np.logaddexp.reduce(one)) for one in self.texts_by_reader(row, texts)]
        return sum(by_reader), sum(one - _log_less(0.0, one) for one in by_reader)

    def is_surely_followed(self, row: int, text: str, followed: Sequence[str]) -> bool:
        """Whether the rules follow a slip of a row's best line whatever its letters and the gaps between them hide.

        The slip is in a word of some letters. A bare stroke may be an i or an l, and is followed as both. No gap in the
        word is as wide as at its ends: the second letter of ``BUILD B`` is no misspelt S.
        """
        if text in self.with_like_signs(row):
            return True
        words = _words_of(self.expected.lines[self.best[row]], self.written[row])
        slipped = self.with_slip(row, words, text)
        other = _with_other_stroke(self.written[row], text) or self.written[row]
        if other not in (self.written[row], *followed) and self.judge_slip(row, words, other) is not Taken.SAME:
            return False
        start = 0
        for word, own in zip(slipped[0].split() if slipped else (), " ".join(words).upper().split(), strict=False):
            if word != own:
                return len(own) >= slips.SHORTEST and self.is_in_one(row, text, (start, start + len(bare(word))))
            start += len(bare(word))
        return False

    def is_in_one(self, row: int, text: str, word: tuple[int, int]) -> bool:
        """Whether the ink of a word of a text, from one letter to another, has no gap that may part it."""
        (frames, ink), (start, end) = self.pictures[row], word
        if not ink.size:
            return True
        apart = gaps_of(text, frames, ink)
        if apart is None:
            return False
        ends = [apart[place - 1] for place in word if 0 < place <= len(apart)]
        widest = max(apart[start : end - 1], default=0)
        return widest <= CLOSE_TOGETHER or widest < min([SPACE, *ends])

    def joint(self, row: int) -> Joint:
        likelihood, row_slips = float(self.lines[row][self.best[row]]), self.slips[row]
        own = max(len(self.views) * LEAST, row_slips.own)
        each = [max(LEAST, float(lines[row][self.best[row]])) for lines in self.lines_of]
        others = [max(one, FLOOR) - others[row] for one, others in zip(each, self.others, strict=True)]
        free = [one - float(np.log(view[row].max(1)).sum()) for one, view in zip(each, self.views, strict=True)]
        harmless = self.harmless(row)
        followed = [text for text, verdict in harmless.items() if verdict is Taken.SAME]
        surely = [text for text in followed if self.is_surely_followed(row, text, followed)]
        meant, odds = self.meant(row, surely) if surely else (likelihood, -np.inf)
        return Joint(
            best=self.best[row],
            text=spelling_in_words(self.expected.lines[self.best[row]], self.written[row]),
            likelihood=max(likelihood, meant),
            to_next=_to_next(self.written[row], self.best[row], likelihood, self.lines[row], self.expected, AS_FAR),
            to_slips=own - max(own - AS_FAR, row_slips.together),
            to_asked=max(odds, own - max(own - AS_FAR, row_slips.without(followed).together)),
            to_harm=max(odds, own - max(own - AS_FAR, row_slips.without(harmless).together)),
            to_others=sum(others),
            first_free=free[0],
            second_free=min(free[1:]),
            struck=self.struck[row],
            readers=len(self.views),
            doubted=self.doubtful_letters(row, harmless),
        )

    def doubtful_letters(self, row: int, harmless: Mapping[str, Taken]) -> frozenset[str]:
        """The doubtful letters of a row's best line, with the letters that would make another line of it.

        What makes no line of it at all need not be known: if the line's own letters are, it is told from anything.
        """
        followed = [text for text, verdict in harmless.items() if verdict is Taken.SAME]
        row_slips, words = self.slips[row].without(followed), slips.split_spelling(self.written[row], self.slots[row])
        near = sorted(row_slips.likelier(row_slips.own - NEAR), key=lambda one: -one[1])[:MOST_LOOKED_AT]
        letters: set[str] = set()
        for text, _ in near:
            own, other = slips.letters_apart(words, text)
            is_line = text not in harmless and self.expected.spells_another(text, self.best[row])
            letters |= own | other if is_line else own
        for text in self.lines_near(row):
            letters.update(*slips.letters_apart(words, text))
        return frozenset(letters)

    def lines_near(self, row: int) -> list[str]:
        """The lines nearly as likely as a row's best line but spelled otherwise, as the first reader spells them."""
        lines, best = self.lines[row], self.best[row]
        likely = np.flatnonzero(lines > lines[best] - NEAR).tolist()
        rivals = [self.expected.slots[line] for line in likely]
        rivals = [slots for slots in rivals if not accepts(slots, self.written[row])][:MOST_LOOKED_AT]
        return likeliest_spellings(rivals, [self.views[0][row]] * len(rivals))

    def harmless(self, row: int) -> dict[str, Taken]:
        """The likely misspellings of a row's best line that cannot be another line, and what the rules make of each.

        A missing sign is harmless only if the rules follow the line without it.
        """
        row_slips, taken = self.slips[row], self.expected.taken
        most = max([row_slips.own, *(likely for _, likely in row_slips.likelier(row_slips.together - 1.0))])
        if taken is None or most < sum(float(np.log(view[row].max(1)).sum()) for view in self.views) - HOPELESS:
            return {}
        likely = sorted(row_slips.likelier(most - LOOKED_AT), key=lambda one: -one[1])[:MOST_LOOKED_AT]
        near = self.near(row) if likely else []
        words_there = _words_of(self.expected.lines[self.best[row]], self.written[row])
        verdicts = {}
        alike = self.with_like_signs(row)
        for text, _ in likely:
            verdict, signless = self.judge_slip(row, words_there, text), self.without_sign(row, words_there, text)
            is_own = verdict is Taken.ASKED and not self.may_be_another(row, text, near)
            if text in alike:
                verdicts[text] = Taken.SAME
            elif verdict is Taken.SAME or is_own:
                verdicts[text] = verdict
            elif signless is not None and taken(signless, self.best[row]) is Taken.SAME:
                verdicts[text] = Taken.SAME
        return verdicts

    def judge_slip(self, row: int, words: Sequence[str], text: str) -> Taken:
        """What the rules make of a slip of a row's best line, whose words are these; the worst if there are several."""
        taken = self.expected.taken
        return _worst_taken([taken(line, self.best[row]) for line in self.with_slip(row, words, text)] if taken else [])

    def may_be_another(self, row: int, text: str, near: Sequence[Sequence[Words]]) -> bool:
        """Whether a slip of a row's best line is another line, or a slip of another that may be written there."""
        return any(slips.is_near(line, text) for line in near) or self.expected.spells_another(text, self.best[row])

    def with_slip(self, row: int, words: Sequence[str], text: str) -> list[str]:
        """Write a row's best line with a slip in one of its words, a long one if possible; empty if in none.

        If nothing is left of a word, it was left out: that is no slip. An extra letter after A, F or a dash may
        begin another word, and is none either. An extra letter after another sign may belong to it, as the c in
        ``S CMAO`` may be a coast's: such texts stand at the end of the list.
        """
        written = self.written[row]
        start = 0
        ways: list[tuple[bool, str]] = []
        longer: list[str] = []
        for at, word in enumerate(words):
            end = start + len(bare(word))
            slipped = text[start : len(text) - (len(written) - end)]
            if slipped and _is_within((start, end), written, text):
                line = " ".join([*words[:at], slipped, *words[at + 1 :]]).upper()
                if not end - start == 1 < len(slipped):
                    ways.append((end - start < slips.SHORTEST, line))
                elif bare(word) not in (*UNITS, DASH):
                    longer.append(line)
            start = end
        return [min(ways, key=itemgetter(0))[1], *longer] if ways else []

    def without_sign(self, row: int, words: Sequence[str], text: str) -> str | None:
        """Write a row's best line without one of its dashes; None where a text is not that."""
        written = self.written[row]
        start = 0
        for at, word in enumerate(words):
            end = start + len(bare(word))
            if written[start:end] == DASH and text == written[:start] + written[end:]:
                return " ".join([*words[:at], *words[at + 1 :]]).upper()
            start = end
        return None

    def near(self, row: int) -> list[tuple[Words, ...]]:
        """The lines that a slip of a row's best line may be taken for, the likeliest first."""
        lines = self.lines[row]
        likely = [i for i in np.argsort(-lines).tolist() if lines[i] > lines[self.best[row]] - MAY_BE]
        others = (self.expected.slots[i] for i in likely)
        return list(islice((slots for slots in others if not accepts(slots, self.written[row])), MOST_LOOKED_AT))


def _with_other_stroke(written: str, text: str) -> str | None:
    """A slip of a text with the other letter for a bare stroke in it, an i or an l; None where it puts none there.

    >>> _with_other_stroke("avie", "avle"), _with_other_stroke("avie", "avile"), _with_other_stroke("avie", "avoe")
    ('avie', 'aviie', None)
    """
    at = next((k for k, (a, b) in enumerate(zip(written, text, strict=False)) if a != b), len(written))
    is_put = len(text) > len(written) or (len(text) == len(written) and text[at + 1 :] == written[at + 1 :])
    if not is_put or text[at] not in STROKES:
        return None
    return text[:at] + STROKES.replace(text[at], "") + text[at + 1 :]


def _worst_taken(verdicts: Sequence[Taken]) -> Taken:
    """The worst of what the rules make of a text with several readings; `OTHER` if it has none."""
    return next((each for each in (Taken.OTHER, Taken.ASKED, Taken.SAME) if each in verdicts), Taken.OTHER)


def _by_reader(measured: Sequence[T], rows: int) -> list[Sequence[T]]:
    """Split the joint measurements by reader.

    >>> _by_reader("abcdef", 3)
    ['abc', 'def']
    """
    return [measured[start : start + rows] for start in range(0, len(measured), rows)]


def _is_within(word: tuple[int, int], written: str, text: str) -> bool:
    """Whether a text differs from a spelling by a slip in one of its words.

    >>> [_is_within((1, 4), "avie-boh", text) for text in ("avia-boh", "ave-boh", "aviee-boh", "fvie-boh", "avieboh")]
    [True, True, True, False, False]
    """
    start, end = word
    before, behind = written[:start], written[end:]
    if not (text.startswith(before) and text.endswith(behind) and len(text) >= len(before) + len(behind)):
        return False
    return slips.is_slip(written[start:end], text[start : len(text) - len(behind)])
