"""Read one sheet with what is known of its writer's hand, as far as the sheet itself bears that out.

Two players may swap their sheets, a substitute may sit down, an ally may fill one in: nobody tells the reader. So the
sheet is weighed twice, by the reader that knows nobody and by the one that was taught, and the taught one reads it only
if it explains the rows better as a whole. And it makes surer, it does not overrule: a row that the two would read as
different lines is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Note, Tier
from pipeline.reading.net.engine import BLANK_ROW, NetRecogniser, Weighed
from pipeline.reading.net.evidence import Evidence, Expected, ranked, run
from pipeline.reading.net.lattice import Floats, Frames, condensed
from pipeline.reading.net.parts import Seen
from pipeline.reading.recogniser import Crop, RowReading, Vocabulary

UNREAD = -20.0  # log likelihood below which nobody can read a row: misorders and blots do not say whose hand it is
NOT_THIS_HAND = "not this hand"


@dataclass(frozen=True, slots=True)
class Glance:
    """The best line of a row, and how likely it is."""

    best: int
    likelihood: float  # its logarithm


@dataclass(slots=True)
class HandReader:
    """Reads the rows of one sheet; what it saw can be kept, so that the rows can teach."""

    plain: NetRecogniser
    taught: NetRecogniser | None = None  # None: nothing is known of this hand
    is_this_hand: bool | None = None  # None: not read yet, or nothing to tell it by
    seen: tuple[Seen | None, ...] = field(default=())

    @property
    def name(self) -> str:
        """The reader, with what it knew of the hand, and whether the sheet showed that hand."""
        if self.taught is None:
            return self.plain.name
        return self.taught.name + (f" ({NOT_THIS_HAND})" if self.is_this_hand is False else "")

    @property
    def saw(self) -> Sequence[NDArray[np.float16] | None]:
        """What the net saw in the rows it read last, to be kept."""
        return [None if row is None else row.packed for row in self.seen]

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Read inked rows, one answer for each."""
        self.seen = tuple(map(self.plain.look, crops))
        expected = Expected(vocabulary) if vocabulary.lines else None
        if self.taught is None or expected is None:
            return self.plain.rows(self.seen, expected)
        pairs = self.weighed_twice(self.taught, expected)
        if not self.is_this_hand:
            return self.plain.rows(self.seen, expected)
        return [
            BLANK_ROW if row is None or pair is None else self.surer(self.taught, row, *pair, expected)
            for row, pair in zip(self.seen, pairs, strict=True)
        ]

    def surer(self, taught: NetRecogniser, row: Seen, before: Glance, after: Weighed, expected: Expected) -> RowReading:
        """Read a row of the hand that is known; a person is asked where it would be another line to a stranger."""
        found = taught.judged(row, after, expected)
        if before.best == after.evidence.best or found.tier is Tier.ASKED:
            return found
        return replace(found, tier=Tier.ASKED, notes=(*found.notes, Note.HANDS_DIFFER))

    def weigh(self, seen: Sequence[NDArray[np.float16]], expected: Expected) -> list[Evidence]:
        """Weigh rows that were kept (`saw`) as `read` would, without the verdict."""
        self.seen = tuple(map(self.plain.seen_before, seen))
        pairs = self.weighed_twice(self.taught, expected) if self.taught is not None else []
        if self.is_this_hand:
            return [pair[1].evidence for pair in pairs if pair is not None]
        return [row.evidence for row in self.plain.weighed(self.seen, expected) if row is not None]

    def weighed_twice(self, taught: NetRecogniser, expected: Expected) -> list[tuple[Glance, Weighed] | None]:
        """Weigh every row with the hand in mind, glance at it without, and say whether this is the hand."""
        before = glances([None if row is None else row.frames(self.plain.head) for row in self.seen], expected)
        after = taught.weighed(self.seen, expected)
        pairs = [None if a is None or b is None else (a, b) for a, b in zip(before, after, strict=True)]
        gains = [max(UNREAD, now.evidence.likelihood) - max(UNREAD, then.likelihood)
                 for then, now in filter(None, pairs)]  # fmt: skip
        self.is_this_hand = sum(gains) > 0
        return pairs


def glances(rows: Sequence[Frames | None], expected: Expected) -> list[Glance | None]:
    """Find the best line of each row and its likelihood, and weigh nothing else: a fifth of the work."""
    short = [condensed(expected.comparable(frames)) for frames in rows if frames is not None]
    found = iter(run(short, expected))
    return [None if frames is None else glance(next(found), expected) for frames in rows]


def glance(lines: Floats, expected: Expected) -> Glance:
    """Take the best line."""
    best = ranked(lines, expected)[0]
    return Glance(best, float(lines[best]))
