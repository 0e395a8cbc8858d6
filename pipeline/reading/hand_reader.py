"""Read one sheet with what is known of its player's hand, if the sheet was written by that hand.

Somebody else may have written it: players swap sheets, a substitute sits down. So the sheet is weighed twice, by the
reader that knows nobody and by the one that was taught, and the taught one reads it only if it explains the rows better
as a whole. The adapted reader can confirm and never overrule: a row that the two read as
different lines is asked. A row that the general reader accepts as the same line, with no slip near, passes (rows of
boxes excepted).

The accepted rows of a sheet are then used to adapt the reader for its doubtful rows, on that sheet only. This, too, can
confirm and never overrule: a row stays asked if another line was much likelier, or if the doubt is about letters that
the accepted rows do not contain.
"""

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.ink import InkLine, Note, Tier
from pipeline.reading.alphabet import bare
from pipeline.reading.engine import BLANK_ROW, NetRecogniser, WeighedRow
from pipeline.reading.evidence import Expected, Joint, line_likelihoods, rank_lines
from pipeline.reading.further import Known, Seen
from pipeline.reading.gate import AnyEvidence
from pipeline.reading.lattice import Floats, Frames, drop_repeated_blanks
from pipeline.reading.recogniser import Compared, Crop, EngineFailed, KeptRow, Vocabulary
from pipeline.reading.slips import letters_of
from pipeline.words.speech import write_count

UNREAD = -20.0  # rows below this log likelihood do not help to recognise a hand
NOT_THIS_HAND = "not this hand"

OpenRow = tuple[int, WeighedRow]  # a row that would be asked and may be read again, with its number


class Glance(Struct, frozen=True):
    """The best line of a row, and how likely it is."""

    best: int
    likelihood: float  # its logarithm


SETTLED = 0.99  # confidence limit of a row settled by its own sheet, so that it teaches no other sheet
# The least margin (log) to all slips that the rules would not follow, for a row that other rows of its sheet settle.
# With -8, of 4,000 rows (fit half) two more legal ones are settled, but also one wrong order and two slips. It also
# holds for a row of a known hand that only the general reader accepts
SETTLES = -6.0
# A row with a lower margin (log) is not read again, because that costs as much time as five rows. Of 94 rows that were
# read again 20 passed, none of them with less than -13.4
IN_REACH = -25.0
# Nor is a row read again if a text that may be another line is likelier by more than this (log): it would rather pass
# because the reader has got used to the hand than because it sees more. Of 46 rows that their sheet settled (10,000
# rows of the fit half) three were wrong orders, 7.3 to 9.7 behind, and one was a slip, 6.8 behind; of the 17 legal ones
# one was as far behind
ANOTHER = -6.0
PASSED = (Tier.ACCEPTED, Tier.MARKED)
MOST_OWN = 5  # rows of a sheet that teach, first those at which most have looked; so many were measured


class HandReader(Struct):
    """Reads the rows of one sheet; what it saw can be kept, so that the rows can teach."""

    plain: NetRecogniser
    taught: NetRecogniser | None = None  # None: nothing is known of this hand
    learns: bool = True  # whether rows of a sheet teach the others
    is_this_hand: bool | None = None  # None: not read yet, or nothing is known of a hand
    seen: tuple[Seen | None, ...] = field(default=())
    own_rows: int = 0  # of this sheet, that settled others

    @property
    def name(self) -> str:
        """The reader, with what it knew of the hand, whether the sheet showed that hand, and what it learnt there."""
        own = f", {write_count(self.own_rows, 'row')} of this sheet" if self.own_rows else ""
        if self.taught is None:
            return self.plain.name + own
        return self.taught.name + (f" ({NOT_THIS_HAND})" if self.is_this_hand is False else "") + own

    @property
    def reader(self) -> NetRecogniser:
        """Who reads the sheet: the reader that knows its hand, if the sheet shows that hand."""
        return self.taught if self.taught is not None and self.is_this_hand else self.plain

    @property
    def saw(self) -> Sequence[KeptRow | None]:
        """The features of the rows read last, to be stored."""
        return [None if row is None else row.as_kept for row in self.seen]

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
        """Read inked rows, one answer for each."""
        self.seen, self.own_rows = tuple(map(self.plain.look, crops)), 0
        expected = Expected(vocabulary) if vocabulary.lines else None
        if expected is None:
            return self.plain.rows(self.seen, None, crops)
        before, after = self.weigh_rows(expected, crops)
        readings = [
            BLANK_ROW if row is None else self.surer(glance, row, expected)
            for glance, row in zip(before, after, strict=True)
        ]
        if not self.plain.further:  # what follows was measured with all readers
            return readings
        try:
            readings = self.by_a_stranger(readings, self.open_rows(readings, before, after), expected, crops)
            return self.settle_rows(readings, before, after, expected, crops) if self.learns else readings
        except EngineFailed:
            return readings

    def compare(self, crops: Sequence[Crop], texts: Sequence[str]) -> Sequence[Compared]:
        """Say whether rows are copies of what was printed beside them; the hand is not used."""
        return self.plain.compare(crops, texts)

    def weigh_rows(
        self, expected: Expected, crops: Sequence[Crop | None]
    ) -> tuple[Sequence[Glance | None], list[WeighedRow | None]]:
        """The evidence of every row by the chosen reader, and by the general reader where that matters."""
        before: Sequence[Glance | None] = [None] * len(self.seen)
        if self.taught is None:
            first = self.plain.weigh_rows(self.seen, expected)
        else:
            before, first = self.weighed_twice(self.taught, expected)
            if not self.is_this_hand:
                before, first = [None] * len(self.seen), self.plain.weigh_rows(self.seen, expected)
        weighed = self.reader.weighed_again(first, expected, crops)
        self.seen = tuple(None if row is None else row.seen for row in weighed)
        return self.by_all(before, weighed, expected, crops), weighed

    def by_all(
        self,
        before: Sequence[Glance | None],
        after: Sequence[WeighedRow | None],
        expected: Expected,
        crops: Sequence[Crop | None],
    ) -> list[Glance | None]:
        """Use all general readers where the first reads another line than the adapted reader."""
        pairs = enumerate(zip(before, after, strict=True))
        some = [number for number, (then, now) in pairs if then and now and then.best != now.evidence.best]
        rows = [self.seen[number] for number in some]
        weighed = self.plain.weigh_rows(rows, expected) if rows else []
        readings = self.plain.weighed_again(weighed, expected, [crops[number] for number in some])
        by_strangers = {
            number: Glance(one.evidence.best, one.evidence.likelihood)
            for number, one in zip(some, readings, strict=True)
            if one is not None
        }
        return [by_strangers.get(number, then) for number, then in enumerate(before)]

    def surer(self, before: Glance | None, after: WeighedRow, expected: Expected) -> InkLine:
        """Judge a row; ask if the general reader reads another line than the adapted one."""
        reader = self.plain if before is None or self.taught is None else self.taught
        reading = reader.judge_row(after, expected)
        if before is None or before.best == after.evidence.best or reading.tier is Tier.ASKED:
            return reading
        return replace(reading, tier=Tier.ASKED, notes=(*reading.notes, Note.HANDS_DIFFER))

    def by_a_stranger(
        self,
        readings: Sequence[InkLine],
        open_rows: Sequence[OpenRow],
        expected: Expected,
        crops: Sequence[Crop | None],
    ) -> list[InkLine]:
        """Accept rows that the adapted reader doubts and the general reader is sure of."""
        some = open_rows if self.reader is not self.plain else ()
        sure = read_again(self.plain, some, expected, crops) if some else {}
        return [sure.get(number, reading) for number, reading in enumerate(readings)]

    def open_rows(
        self,
        readings: Sequence[InkLine],
        before: Sequence[Glance | None],
        after: Sequence[WeighedRow | None],
    ) -> list[OpenRow]:
        """Find the rows that would be asked and may be read once more, with their numbers."""
        return [
            (number, row)
            for number, (glance, row, reading) in enumerate(zip(before, after, readings, strict=True))
            if row is not None
            and row.seen.box_frames is None
            and _could_be_settled(reading, glance, row)
            and is_in_reach(row.evidence)
        ]

    def settle_rows(
        self,
        readings: Sequence[InkLine],
        before: Sequence[Glance | None],
        after: Sequence[WeighedRow | None],
        expected: Expected,
        crops: Sequence[Crop | None],
    ) -> list[InkLine]:
        """Read once more the rows that would be asked, by a reader that the others of this sheet have taught."""
        open_rows = self.open_rows(readings, before, after)
        sure = [
            (number, row)
            for number, (row, reading) in enumerate(zip(after, readings, strict=True))
            if row is not None and row.seen.box_frames is None and reading.tier in PASSED
        ]
        if not open_rows or not sure:
            return list(readings)
        known = [
            Known(row.seen, row.evidence.text, crop=crops[number])
            for number, row in sorted(sure, key=lambda each: -len(each[1].seen.views))[:MOST_OWN]
        ]
        open_rows = [row for row in open_rows if may_lift(known, row[1].evidence)]
        if not open_rows:
            return list(readings)
        again = read_again(self.reader.taught_by(known), open_rows, expected, crops)
        self.own_rows = len(known) if again else 0
        return [again.get(number, reading) for number, reading in enumerate(readings)]

    def weigh(self, kept: Sequence[KeptRow], expected: Expected) -> list[AnyEvidence]:
        """Weigh rows that were kept (`saw`) as `read` would, without the verdict."""
        self.seen = tuple(map(self.plain.seen_before, kept))
        _, weighed = self.weigh_rows(expected, [None] * len(kept))
        return [row.evidence for row in weighed if row is not None]

    def weighed_twice(
        self, taught: NetRecogniser, expected: Expected
    ) -> tuple[list[Glance | None], list[WeighedRow | None]]:
        """Weigh every row with the adapted and the general reader, and decide whether this is the player's hand."""
        before = _glances([None if row is None else row.frames(self.plain.head) for row in self.seen], expected)
        after = taught.weigh_rows(self.seen, expected)
        pairs = [(then, now) for then, now in zip(before, after, strict=True) if then is not None and now is not None]
        gains = (max(UNREAD, now.evidence.likelihood) - max(UNREAD, then.likelihood) for then, now in pairs)
        self.is_this_hand = sum(gains) > 0
        return before, after


def _could_be_settled(reading: InkLine, before: Glance | None, after: WeighedRow) -> bool:
    """Whether a row is asked and could be settled: the general reader does not read another line.

    Whether a sign is an S or an arrow's head, its letters elsewhere do not show.
    """
    is_open = reading.tier is Tier.ASKED and Note.S_OR_ARROW not in reading.notes
    return is_open and (before is None or before.best == after.evidence.best)


def read_again(
    other: NetRecogniser,
    rows: Sequence[OpenRow],
    expected: Expected,
    crops: Sequence[Crop | None],
) -> dict[int, InkLine]:
    """Read rows again with another reader.

    Returns, by number, those read as the same line and with certainty.
    """
    first = other.weigh_rows([row.seen for _, row in rows], expected)
    weighed = other.weighed_again(first, expected, [crops[number] for number, _ in rows])
    sure = {}
    for (number, before), after in zip(rows, weighed, strict=True):
        if after is None or after.evidence.best != before.evidence.best:
            continue
        reading = other.judge_row(after, expected)
        if reading.tier is not Tier.ASKED and may_settle(after.evidence):
            capped = (replace(one, confidence=min(SETTLED, one.confidence)) for one in reading.readings)
            sure[number] = replace(reading, readings=tuple(capped))
    return sure


def is_in_reach(evidence: AnyEvidence) -> bool:
    """Whether adaptation may settle a row: several readers have seen it, and no other line is too near."""
    return isinstance(evidence, Joint) and evidence.to_asked >= IN_REACH and evidence.to_harm >= ANOTHER


def may_lift(known: Sequence[Known], evidence: AnyEvidence) -> bool:
    """Whether the known rows contain every letter that is doubtful on another row."""
    shown = {letter for row in known for letter in letters_of([bare(word) for word in row.text.split()])}
    return isinstance(evidence, Joint) and evidence.doubted <= shown


def may_settle(evidence: AnyEvidence) -> bool:
    """Whether an asked row may be accepted after all; with several readers only if no slip is near."""
    return not isinstance(evidence, Joint) or evidence.to_asked >= SETTLES


def _glances(rows: Sequence[Frames | None], expected: Expected) -> list[Glance | None]:
    """The best line of each row and its likelihood only: a fifth of the work."""
    short = [drop_repeated_blanks(expected.comparable(frames)) for frames in rows if frames is not None]
    of_lines = iter(line_likelihoods(short, expected))
    return [None if frames is None else _glance(next(of_lines), expected) for frames in rows]


def _glance(lines: Floats, expected: Expected) -> Glance:
    """Take the best line."""
    best = rank_lines(lines, expected)[0]
    return Glance(best, float(lines[best]))
