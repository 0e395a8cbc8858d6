"""The handwriting net as an engine: rows in, readings with tiers out."""

import copy
import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from pipeline.ink import InkReading, Note, Tier
from pipeline.reading.handwriting.copied import read_copy
from pipeline.reading.net.alphabet import STRUCK
from pipeline.reading.net.best_path import likeliest_spellings
from pipeline.reading.net.descenders import hang_from_letters
from pipeline.reading.net.free import free_text, has_sign, is_torn, reaches_beyond, struck_notes
from pipeline.reading.net.hand import Known, fitted
from pipeline.reading.net.lattice import Floats, Frames, condensed
from pipeline.reading.net.network import Network, load_head, shipped_weights
from pipeline.reading.net.normalise import BORROWED
from pipeline.reading.net.second import second_reader
from pipeline.reading.net.written_boxes import Seen, look
from pipeline.reading.rows.recogniser import Compared, Crop, EngineFailed, KeptRow, RowReading, Vocabulary
from pipeline.reading.thresholds.evidence import Expected, ranked, weigh, worded
from pipeline.reading.thresholds.gate import AnyEvidence, Gates, digest, load_gates
from pipeline.reading.thresholds.joint import Joint, weigh_jointly

MOST_KNOWN = 48  # rows of one hand, the latest: nine hands were asked 23.5 % with 48 and with 120, 28.8 % with 24
PROPOSED = 3  # lines offered for a row that is asked
BLANK_ROW = RowReading((), Tier.BLANK)
DIGITS = 9  # of a confidence; sums by several processors differ in the 14th
HOPELESS = -30.0  # log likelihood below which a line is no proposal; above it hardly a legal order was misread
NOT_WORTH_IT = -45.0  # log likelihood below which the second reader does not look: nobody can say what is written there


@dataclass(frozen=True, slots=True, eq=False)
class WeighedRow:
    """One row weighed against what is expected there, before the verdict."""

    frames: Frames  # of the first reader
    evidence: AnyEvidence
    likelihoods: Floats  # by line
    others: float  # log likelihood of all inadmissible lines together, to the first reader

    @property
    def readers(self) -> int:
        """How many readers the likelihoods are of."""
        return 2 if isinstance(self.evidence, Joint) else 1


class NetRecogniser:
    """Reads rows with the nets that ship in the package, or with others. One thread at a time.

    >>> reader = NetRecogniser()
    >>> reader.taught([]).name == reader.name
    True
    """

    def __init__(self, weights: Path | None = None, gates: Gates | None = None) -> None:
        self.weights = weights or shipped_weights()
        self.network = Network(self.weights)
        self.head = load_head(self.weights)
        self.rows_known = 0  # of one hand
        self.second = second_reader()
        self.digest = hashlib.sha256(self.weights.read_bytes()).hexdigest()[:8]
        self.use(gates or load_gates())

    def use(self, gates: Gates, name: str = "") -> None:
        """Judge by these thresholds from now on; the name says whose they are."""
        self.gates = replace(gates, is_alone=self.second is None)
        self.gate_name = name or f"gates {digest(gates)}"

    @property
    def digests(self) -> tuple[str, ...]:
        """The nets that read, each by the digest of its file."""
        return (self.digest,) if self.second is None else (self.digest, self.second.digest)

    @property
    def name(self) -> str:
        """The engine and its version: the weights' own digests, whose thresholds, and how much it knows of a hand."""
        nets = f"row net {self.digest}" if self.second is None else f"row nets {' and '.join(self.digests)}"
        known = f"{self.rows_known} rows of this hand" if self.rows_known else ""
        return ", ".join(part for part in (nets, self.gate_name, known) if part)

    def gated(self, gates: Gates, name: str) -> "NetRecogniser":
        """Make a reader with other thresholds; the name says which, wherever this reader is named."""
        other = copy.copy(self)
        other.use(gates, name)
        return other

    def alone(self) -> "NetRecogniser":
        """Make a reader as it is where there is no second one."""
        other = copy.copy(self)
        other.second = None
        other.use(self.gates, self.gate_name)
        return other

    def taught(self, known: Sequence[tuple[Crop, str]]) -> "NetRecogniser":
        """Make a reader for one hand, of rows whose text is known: read and let stand, confirmed, or corrected.

        The texts are what was written, letter by letter as far as anybody can tell, not what was meant.
        """
        seen = [(self.look(crop), text) for crop, text in known[-MOST_KNOWN:]]
        return self.taught_by([Known(row, text) for row, text in seen if row is not None])

    def taught_by(self, known: Sequence[Known]) -> "NetRecogniser":
        """Make a reader for one hand of rows that the net has seen before: `look` takes most of the time."""
        rows = known[-MOST_KNOWN:]
        other = copy.copy(self)
        other.head, other.rows_known = fitted(self.head, rows), self.rows_known + len(rows)
        other.second = None if self.second is None else self.second.taught_by(rows)
        return other

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Read inked rows, one answer for each; `EngineFailed` where OpenCV cannot run the net."""
        expected = Expected(vocabulary) if vocabulary.lines else None
        return self.rows([self.look(crop) for crop in crops], expected, crops)

    def compare(self, crops: Sequence[Crop], texts: Sequence[str]) -> Sequence[Compared]:
        """Say of rows whether they are copies of what was printed beside them; both readers look."""
        return [self.compared(self.look(crop), crop, text) for crop, text in zip(crops, texts, strict=True)]

    def compared(self, row: Seen | None, crop: Crop, text: str) -> Compared:
        """Compare one row."""
        if row is None:
            return Compared(BLANK_ROW, None)
        seen = self.look_again(row, crop)
        frames = [seen.frames(self.head)]
        if self.second is not None and seen.again is not None:
            frames.append(seen.again.frames(self.second.head))
        return Compared(read_copy(text, seen.ink, frames), seen.kept)

    def look(self, crop: Crop) -> Seen | None:
        """See one row; None where there is no ink, `EngineFailed` where OpenCV cannot run the net."""
        return seen_safely(lambda: look(crop, self.network))

    def look_again(self, row: Seen, crop: Crop | None) -> Seen:
        """Let the second reader see a row as well, if it has not; of a row that was kept there may be no picture."""
        if row.again is not None or crop is None or (second := self.second) is None:
            return row
        return replace(row, again=seen_safely(lambda: second.look(crop)))

    def seen_before(self, kept: KeptRow) -> Seen:
        """Make a row again of what was kept of it."""
        row = Seen.unpacked(kept.first, self.head.kernel.shape[1])
        if kept.second is None or self.second is None:
            return row
        return replace(row, again=Seen.unpacked(kept.second, self.second.head.kernel.shape[1]))

    def evidence(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> list[AnyEvidence | None]:
        """Weigh rows without a verdict, to fit thresholds on (`fitting`); None where there is no ink."""
        expected = Expected(vocabulary)
        rows = [self.look(crop) for crop in crops]
        _, found = self.weighed_again(rows, self.weighed(rows, expected), expected, crops)
        return [None if row is None else row.evidence for row in found]

    def weighed(self, rows: Sequence[Seen | None], expected: Expected) -> list[WeighedRow | None]:
        """Weigh the rows of a sheet together, as the first reader sees them; None where there is no ink."""
        frames = [None if row is None else row.frames(self.head) for row in rows]
        found = iter(weigh([one for one in frames if one is not None], expected))
        return [None if one is None else WeighedRow(one, *next(found)) for one in frames]

    def weighed_again(
        self,
        rows: Sequence[Seen | None],
        weighed: Sequence[WeighedRow | None],
        expected: Expected,
        crops: Sequence[Crop | None],
    ) -> tuple[list[Seen | None], list[WeighedRow | None]]:
        """Let the second reader look where the first is not sure: the rows as they were seen, and what both say."""
        found, seen = list(weighed), list(rows)
        if self.second is None:
            return seen, found
        again: list[tuple[int, WeighedRow, Seen]] = []
        for number, (row, one) in enumerate(zip(rows, weighed, strict=True)):
            if row is not None and one is not None and self.is_worth_another_look(row, one, expected):
                looked = seen[number] = self.look_again(row, crops[number])
                if looked.again is not None:
                    again.append((number, one, looked.again))
        if not again:
            return seen, found
        frames = [row.frames(self.second.head) for _, _, row in again]
        before = [one for _, one, _ in again]
        joint = weigh_jointly(
            [one.frames for one in before],
            frames,
            [one.likelihoods for one in before],
            [one.others for one in before],
            [one.evidence.struck for one in before],
            expected,
        )
        for (number, one, _), (evidence, lines) in zip(again, joint, strict=True):
            found[number] = WeighedRow(one.frames, evidence, lines, one.others)
        return seen, found

    def is_worth_another_look(self, row: Seen, weighed: WeighedRow, expected: Expected) -> bool:
        """Whether the second reader looks at a row: where the first alone would ask, and somebody may still read it."""
        evidence = weighed.evidence
        if row.known is not None or evidence.struck or evidence.likelihood < NOT_WORTH_IT:
            return False
        return self.gates.tier(evidence) is Tier.ASKED or self.has_more_ink(row, weighed.frames, expected)

    def gates_for(self, row: Seen) -> Gates:
        """Who judges a row: of boxes, where ticks say most of it, the first reader alone, as it was measured."""
        return self.gates if row.known is None else replace(self.gates, is_alone=True)

    def rows(
        self, rows: Sequence[Seen | None], expected: Expected | None, crops: Sequence[Crop | None]
    ) -> list[RowReading]:
        """Read the rows of a sheet."""
        if expected is None:
            return [BLANK_ROW if row is None else self.unexpected(row, row.frames(self.head), None) for row in rows]
        _, weighed = self.weighed_again(rows, self.weighed(rows, expected), expected, crops)
        return [
            BLANK_ROW if row is None or found is None else self.judged(row, found, expected)
            for row, found in zip(rows, weighed, strict=True)
        ]

    def unexpected(self, row: Seen, frames: Frames, expected: Expected | None) -> RowReading:
        """Say what the letters say; nothing here can be an order."""
        free = free_text(frames if expected is None else expected.only_wanted(frames), row.ink)
        freely = read_as(free, math.exp(surety_of(frames)))
        return RowReading((freely,) if free else (), Tier.ASKED, struck_notes(free))

    def judged(self, row: Seen, weighed: WeighedRow, expected: Expected) -> RowReading:
        """Pass the verdict on one row."""
        frames, evidence = weighed.frames, weighed.evidence
        free = free_text(expected.only_wanted(frames), row.ink)
        if set(free) <= {STRUCK, " "}:
            return self.unexpected(row, frames, expected)
        notes = struck_notes(free)
        freely = read_as(free, math.exp(surety_of(frames)))
        gates = self.gates_for(row)
        tier = gates.tier(evidence)
        if tier is not Tier.ASKED and (doubts := self.doubts(row, evidence.text, frames, expected)):
            tier, notes = Tier.ASKED, (*notes, *doubts)
        best = read_as(evidence.text, gates.chance(evidence))
        if tier is not Tier.ASKED:
            tails_read = hang_from_letters(row.tails, evidence.text, expected.only_wanted(frames))
            return RowReading((best, freely), tier, notes, tails_read)
        proposals = [best, *self.proposals(weighed, expected)]
        hopeful = evidence.likelihood > HOPELESS * weighed.readers
        return RowReading((*proposals, freely) if hopeful else (freely, *proposals[:1]), tier, notes)

    def doubts(self, row: Seen, text: str, frames: Frames, expected: Expected) -> tuple[Note, ...]:
        """Say what the letters alone do not show; the boxes of a row are looked at one by one, and have no ends."""
        if row.known is not None:
            return ()
        torn = (Note.TORN,) if is_torn(text, expected.only_wanted(frames), row.ink) else ()
        is_more = has_sign(text, frames, expected.unwanted) or self.has_more_ink(row, frames, expected)
        return (*torn, Note.MORE) if is_more else torn

    def has_more_ink(self, row: Seen, frames: Frames, expected: Expected) -> bool:
        """Whether a row has ink beyond its letters, as far as every reader sees that has looked."""
        if row.known is not None or not reaches_beyond(frames, row.ink, expected.unwanted):
            return False
        if self.second is None or row.again is None:
            return True
        return reaches_beyond(row.again.frames(self.second.head), row.again.ink, expected.unwanted, BORROWED)

    def proposals(self, weighed: WeighedRow, expected: Expected) -> list[InkReading]:
        """Offer the lines that come after the best, where they are not far behind it."""
        evidence, likelihoods = weighed.evidence, weighed.likelihoods / weighed.readers
        likely = [line for line in ranked(likelihoods, expected, PROPOSED) if float(likelihoods[line]) >= HOPELESS]
        after = [line for line in likely if line != evidence.best]
        short = condensed(expected.comparable(weighed.frames))
        spellings = likeliest_spellings([expected.slots[line] for line in after], [short] * len(after))
        texts = [worded(expected.lines[line], spelling) for line, spelling in zip(after, spellings, strict=True)]
        return [
            read_as(text, math.exp(float(likelihoods[line])))
            for line, text in zip(after, texts, strict=True)
            if text != evidence.text
        ]


def seen_safely(see: Callable[[], Seen | None]) -> Seen | None:
    """See a row; `EngineFailed` where OpenCV cannot run the net."""
    try:
        return see()
    except cv2.error as failed:
        raise EngineFailed(str(failed)) from failed


def read_as(text: str, chance: float) -> InkReading:
    """Make a reading that is the same however many processors did the sums."""
    return InkReading(text, round(chance, DIGITS))


def surety_of(frames: Frames) -> float:
    """Mean log of the best class's probability: how sure the net is, whatever it read."""
    return sum(map(math.log, frames.max(1).tolist())) / len(frames)
