"""Read one sheet with what is known of its writer's hand, as far as the sheet itself bears that out.

Two players may swap their sheets, a substitute may sit down, an ally may fill one in: nobody tells the reader. So the
sheet is weighed twice, by the reader that knows nobody and by the one that was taught, and the taught one reads it only
if it explains the rows better as a whole. And it makes surer, it does not overrule: a row that the two would read as
different lines is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pipeline.ink import Note, Tier
from pipeline.reading.handwriting.engine import BLANK_ROW, NetRecogniser, WeighedRow
from pipeline.reading.net.lattice import Floats, Frames, condensed
from pipeline.reading.net.written_boxes import Seen
from pipeline.reading.rows.recogniser import Compared, Crop, KeptRow, RowReading, Vocabulary
from pipeline.reading.thresholds.evidence import Expected, ranked, run
from pipeline.reading.thresholds.gate import AnyEvidence

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
    def saw(self) -> Sequence[KeptRow | None]:
        """What the nets saw in the rows that were read last, to be kept."""
        return [None if row is None else row.kept for row in self.seen]

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Read inked rows, one answer for each."""
        self.seen = tuple(map(self.plain.look, crops))
        expected = Expected(vocabulary) if vocabulary.lines else None
        if expected is None:
            return self.plain.rows(self.seen, None, crops)
        before, after = self.weighed(expected, crops)
        return [
            BLANK_ROW if row is None or found is None else self.surer(row, glance, found, expected)
            for row, glance, found in zip(self.seen, before, after, strict=True)
        ]

    def compare(self, crops: Sequence[Crop], texts: Sequence[str]) -> Sequence[Compared]:
        """Say of rows whether they are copies of what was printed beside them; what is known of a hand is left out."""
        return self.plain.compare(crops, texts)

    def weighed(
        self, expected: Expected, crops: Sequence[Crop | None]
    ) -> tuple[Sequence[Glance | None], list[WeighedRow | None]]:
        """Weigh every row by the reader that is to read it; beside it what it is to a stranger, where that matters."""
        before: Sequence[Glance | None] = [None] * len(self.seen)
        reader = self.plain
        if self.taught is None:
            first = self.plain.weighed(self.seen, expected)
        else:
            before, first = self.weighed_twice(self.taught, expected)
            if self.is_this_hand:
                reader = self.taught
            else:
                before, first = [None] * len(self.seen), self.plain.weighed(self.seen, expected)
        seen, found = reader.weighed_again(self.seen, first, expected, crops)
        self.seen = tuple(seen)
        return before, found

    def surer(self, row: Seen, before: Glance | None, after: WeighedRow, expected: Expected) -> RowReading:
        """Read a row; a person is asked where one of a hand that is known would be another line to a stranger."""
        reader = self.plain if before is None or self.taught is None else self.taught
        found = reader.judged(row, after, expected)
        if before is None or before.best == after.evidence.best or found.tier is Tier.ASKED:
            return found
        return replace(found, tier=Tier.ASKED, notes=(*found.notes, Note.HANDS_DIFFER))

    def weigh(self, kept: Sequence[KeptRow], expected: Expected) -> list[AnyEvidence]:
        """Weigh rows that were kept (`saw`) as `read` would, without the verdict."""
        self.seen = tuple(map(self.plain.seen_before, kept))
        _, found = self.weighed(expected, [None] * len(kept))
        return [row.evidence for row in found if row is not None]

    def weighed_twice(
        self, taught: NetRecogniser, expected: Expected
    ) -> tuple[list[Glance | None], list[WeighedRow | None]]:
        """Weigh every row with the hand in mind, glance at it without, and say whether this is the hand."""
        before = glances([None if row is None else row.frames(self.plain.head) for row in self.seen], expected)
        after = taught.weighed(self.seen, expected)
        pairs = [(then, now) for then, now in zip(before, after, strict=True) if then is not None and now is not None]
        gains = (max(UNREAD, now.evidence.likelihood) - max(UNREAD, then.likelihood) for then, now in pairs)
        self.is_this_hand = sum(gains) > 0
        return before, after


def glances(rows: Sequence[Frames | None], expected: Expected) -> list[Glance | None]:
    """Find the best line of each row and its likelihood, and weigh nothing else: a fifth of the work."""
    short = [condensed(expected.comparable(frames)) for frames in rows if frames is not None]
    found = iter(run(short, expected))
    return [None if frames is None else glance(next(found), expected) for frames in rows]


def glance(lines: Floats, expected: Expected) -> Glance:
    """Take the best line."""
    best = ranked(lines, expected)[0]
    return Glance(best, float(lines[best]))
