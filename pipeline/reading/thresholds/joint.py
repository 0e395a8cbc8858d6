"""What readers that do not know each other say of a row, weighed together: likelihoods and margins, no verdict.

Each text's likelihood is what the one says of it times what the others do. Where they err apart, what is wrong is
unlikely to one of them; only what all take for possible is left. A slip counts with all, text by text.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from operator import itemgetter
from typing import ClassVar, TypeVar

import numpy as np

from pipeline.reading.net.alphabet import Words, accepts, bare
from pipeline.reading.net.best_path import likeliest_spellings
from pipeline.reading.net.capitals import STROKES, favoured
from pipeline.reading.net.lattice import Floats, Frames, condensed, lattice
from pipeline.reading.net.normalise import Ink
from pipeline.reading.net.slips import (
    SHORTEST,
    WRITTEN,
    Slips,
    is_near,
    is_slip,
    letters_apart,
    other_spellings,
    parted,
    slip_by_slip,
)
from pipeline.reading.net.sweep import likelihoods
from pipeline.reading.rows.recogniser import Taken
from pipeline.reading.thresholds.evidence import (
    FLOOR,
    Expected,
    Span,
    beside,
    ranked,
    run_with_others,
    to_next,
    worded,
    words_of,
)

LEAST = -100.0  # log likelihood: a reader that finds a line less likely than this says no more against it
AS_FAR = 25.0  # below the best, where nothing comes near
LOOKED_AT = 15.0  # below the best: a slip as likely as that is looked at; all others may do harm
NEAR = 9.0  # below the best: what is as likely as that is a doubt
MOST_LOOKED_AT = 24  # slips, and lines that they may be taken for
HOPELESS = 30.0  # below the likeliest letters: a line that no slip brings nearer is not what is written
DASH = "-"  # as a spelling has it, however it was drawn
UNITS = ("a", "f")  # letters of units: of no longer sign
MAY_BE = 30.0  # below the best: a less likely line is not what a slip is taken for

Given = TypeVar("Given")  # what a row is measured against
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Joint:
    """How well the best line explains a row to some readers, and how well everything else does (natural logarithms)."""

    SPAN: ClassVar[Span] = {
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
    to_next: float  # down to the best line that this spelling does not belong to
    to_slips: float  # down to all texts that are one slip away from the spelling
    to_asked: float  # down to those of them that the rules would not follow as this line
    to_harm: float  # down to those of them that may be another line, or that cost a player his own
    to_others: float  # down to all the inadmissible lines, their sum
    first_free: float  # down to the likeliest path of letters, the first reader's own
    second_free: float  # the least of the readers after it
    struck: bool  # something was crossed out or written over
    readers: int = 2  # that have looked
    doubted: frozenset[str] = frozenset()  # letters of the spelling that may be others, and which (`letters_of`)


def weigh_jointly(
    views: Sequence[Sequence[Frames]],
    lines: Sequence[Floats],
    others: Sequence[float],
    struck: Sequence[bool],
    expected: Expected,
    inks: Sequence[Ink],
) -> list[tuple[Joint, Floats]]:
    """Measure rows as some readers see them; of each the evidence, and the log likelihood of every line to all.

    What every line is to the first of them, and all inadmissible ones together, has been measured before, and whether
    something is struck out. ``inks`` are the pictures that the first saw, without any ink where there is none that its
    frames lie along.
    """
    if not lines:
        return []
    together = ManyViews(views, lines, others, struck, expected, inks)
    return [(together.joint(row), together.lines[row]) for row in range(len(lines))]


class ManyViews:
    """Some rows as some readers see them."""

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
        self.views = [[condensed(expected.comparable(frames)) for frames in rows] for rows in views]
        rows = len(lines)
        more, together = run_with_others([row for view in self.views[1:] for row in view], expected)
        self.lines_of = by_reader([np.maximum(one, LEAST) for one in (*lines, *more)], rows)
        self.lines = [np.asarray(sum(each)) for each in zip(*self.lines_of, strict=True)]
        self.struck = struck
        self.best = [ranked(lines, expected)[0] for lines in self.lines]
        self.slots = [expected.slots[line] for line in self.best]
        self.written = self.spelled()
        self.slips = [
            self.by_capitals(row, reduce(Slips.with_other, each).without(other_spellings(text, slots)))
            for row, (*each, text, slots) in enumerate(
                zip(*self.measured_by_all(slip_by_slip, self.written), self.written, self.slots, strict=True)
            )
        ]
        self.others = [
            beside(apart, self.written, self.best, self.likely(reader), expected, view)
            for reader, (apart, view) in enumerate(zip(by_reader([*others, *together], rows), self.views, strict=True))
        ]

    def measured_by_all(
        self, measure: Callable[[Sequence[Given], Sequence[Frames]], Sequence[Found]], given: Sequence[Given]
    ) -> list[Sequence[Found]]:
        """Measure all rows as all readers see them, at once: what each frame costs is paid once."""
        return by_reader(measure([*given] * len(self.views), [row for view in self.views for row in view]), len(given))

    def likely(self, reader: int) -> list[float]:
        """How likely each row's best line is to one of the readers."""
        return [max(FLOOR, float(lines[best])) for lines, best in zip(self.lines_of[reader], self.best, strict=True)]

    def spelled(self) -> list[str]:
        """How each row's best line is spelled: as one of the readers would spell it, whichever all like best."""
        found = []
        for row, each in enumerate(zip(*self.measured_by_all(likeliest_spellings, self.slots), strict=True)):
            texts = sorted(set(each))
            found.append(texts[int(np.argmax(self.measured(row, texts)))] if len(texts) > 1 else texts[0])
        return found

    def by_capitals(self, row: int, slips: Slips) -> Slips:
        """Tell another line that a stroke makes of a name, LON of Ion, by how the other names of the row begin."""
        changed, written = slips.changed.copy(), slips.written
        least = max(slips.own, float(changed.max(initial=-np.inf))) - LOOKED_AT
        for at, letter in enumerate(written):
            if letter not in STROKES:
                continue
            other = STROKES.replace(letter, "")
            put, text = WRITTEN.index(other), written[:at] + other + written[at + 1 :]
            if changed[at, put] >= least and self.expected.spells_another(text, self.best[row]):
                by = favoured(written, parted(written, self.slots[row]), at, *self.pictures[row])
                changed[at, put] += by if other == "i" else -by
        return replace(slips, changed=changed)

    def measured(self, row: int, texts: Sequence[str]) -> Floats:
        """How likely some texts are on a row, to all."""
        graph = lattice([((text,),) for text in texts])
        return np.asarray(sum(np.maximum(likelihoods([graph], [view[row]])[0], LEAST) for view in self.views))

    def joint(self, row: int) -> Joint:
        """All the evidence of one row."""
        likelihood, slips = float(self.lines[row][self.best[row]]), self.slips[row]
        own = max(len(self.views) * LEAST, slips.own)
        each = [max(LEAST, float(lines[row][self.best[row]])) for lines in self.lines_of]
        others = [max(one, FLOOR) - others[row] for one, others in zip(each, self.others, strict=True)]
        free = [one - float(np.log(view[row].max(1)).sum()) for one, view in zip(each, self.views, strict=True)]
        harmless = self.harmless(row)
        followed = [text for text, said in harmless.items() if said is Taken.SAME]
        return Joint(
            best=self.best[row],
            text=worded(self.expected.lines[self.best[row]], self.written[row]),
            likelihood=likelihood,
            to_next=to_next(self.written[row], self.best[row], likelihood, self.lines[row], self.expected, AS_FAR),
            to_slips=own - max(own - AS_FAR, slips.together),
            to_asked=own - max(own - AS_FAR, slips.without(followed).together),
            to_harm=own - max(own - AS_FAR, slips.without(harmless).together),
            to_others=sum(others),
            first_free=free[0],
            second_free=min(free[1:]),
            struck=self.struck[row],
            readers=len(self.views),
            doubted=self.doubted(row, harmless),
        )

    def doubted(self, row: int, harmless: Mapping[str, Taken]) -> frozenset[str]:
        """The letters of a row's best line of which it is doubtful whether they stand there.

        With them are those that would make another line of it, if they stood there instead.
        """
        followed = [text for text, said in harmless.items() if said is Taken.SAME]
        slips, words = self.slips[row].without(followed), parted(self.written[row], self.slots[row])
        near = sorted(slips.likelier(slips.own - NEAR), key=lambda one: -one[1])[:MOST_LOOKED_AT]
        found: set[str] = set()
        for text in (*(text for text, _ in near), *self.lines_near(row)):
            own, other = letters_apart(words, text)
            found |= own if text in harmless else own | other
        return frozenset(found)

    def lines_near(self, row: int) -> list[str]:
        """The lines that come near a row's best one and are not spelled as it is, as the first reader spells them."""
        lines, best = self.lines[row], self.best[row]
        likely = np.flatnonzero(lines > lines[best] - NEAR).tolist()
        rivals = [self.expected.slots[line] for line in likely]
        rivals = [slots for slots in rivals if not accepts(slots, self.written[row])][:MOST_LOOKED_AT]
        return likeliest_spellings(rivals, [self.views[0][row]] * len(rivals))

    def harmless(self, row: int) -> dict[str, Taken]:
        """Find the likely slips of a row's best line that can only be slips of it, and what the rules make of each.

        The others may be other lines. A sign that is left out is harmless only where the rules follow the line without
        it. Nothing is asked where neither the line nor a slip of it can be what is written.
        """
        slips, taken = self.slips[row], self.expected.taken
        most = max([slips.own, *(likely for _, likely in slips.likelier(slips.together - 1.0))])
        if taken is None or most < sum(float(np.log(view[row].max(1)).sum()) for view in self.views) - HOPELESS:
            return {}
        likely = sorted(slips.likelier(most - LOOKED_AT), key=lambda one: -one[1])[:MOST_LOOKED_AT]
        near = self.near(row) if likely else []
        words_there = words_of(self.expected.lines[self.best[row]], self.written[row])
        found = {}
        for text, _ in likely:
            slipped, signless = self.with_slip(row, words_there, text), self.without_sign(row, words_there, text)
            said = worst([taken(words, self.best[row]) for words in slipped])
            is_own = said is Taken.ASKED and not self.may_be_another(row, text, near)
            if said is Taken.SAME or is_own:
                found[text] = said
            elif signless is not None and taken(signless, self.best[row]) is Taken.SAME:
                found[text] = Taken.SAME
        return found

    def may_be_another(self, row: int, text: str, near: Sequence[Sequence[Words]]) -> bool:
        """Whether a slip of a row's best line is another line, or a slip of another that may be written there."""
        return any(is_near(line, text) for line in near) or self.expected.spells_another(text, self.best[row])

    def with_slip(self, row: int, words: Sequence[str], text: str) -> list[str]:
        """Write a row's best line with a slip in one of its words, a long one if it may be in one; empty: in none.

        Where nothing is left of a word it was left out, and that is no slip in it; nor is a letter more in a unit's
        letter, or a dash, which may be the beginning of another word. Behind another sign it may be more of the sign,
        as the c of ``S CMAO`` is of a coast: that stands behind the line then.
        """
        written = self.written[row]
        start = 0
        ways: list[tuple[bool, str]] = []
        longer: list[str] = []
        for at, word in enumerate(words):
            end = start + len(bare(word))
            slipped = text[start : len(text) - (len(written) - end)]
            if slipped and is_within((start, end), written, text):
                line = " ".join([*words[:at], slipped, *words[at + 1 :]]).upper()
                if not end - start == 1 < len(slipped):
                    ways.append((end - start < SHORTEST, line))
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


def worst(said: Sequence[Taken]) -> Taken:
    """What may be made of a text that is read in several ways; something else where it is read in none."""
    return next((each for each in (Taken.OTHER, Taken.ASKED, Taken.SAME) if each in said), Taken.OTHER)


def by_reader(found: Sequence[Found], rows: int) -> list[Sequence[Found]]:
    """Part what was measured of so many rows as all readers see them.

    >>> by_reader("abcdef", 3)
    ['abc', 'def']
    """
    return [found[start : start + rows] for start in range(0, len(found), rows)]


def is_within(word: tuple[int, int], written: str, text: str) -> bool:
    """Whether a text differs from a spelling by a slip in one of its words.

    >>> [is_within((1, 4), "avie-boh", text) for text in ("avia-boh", "ave-boh", "aviee-boh", "fvie-boh", "avieboh")]
    [True, True, True, False, False]
    """
    start, end = word
    before, behind = written[:start], written[end:]
    if not (text.startswith(before) and text.endswith(behind) and len(text) >= len(before) + len(behind)):
        return False
    return is_slip(written[start:end], text[start : len(text) - len(behind)])
