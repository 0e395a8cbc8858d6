"""The handwriting net as an engine: rows in, readings with tiers out."""

import copy
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Note, Reading, Tier
from pipeline.reading.net.alphabet import STRUCK
from pipeline.reading.net.best_path import likeliest_spellings
from pipeline.reading.net.evidence import Evidence, Expected, ranked, weigh, worded
from pipeline.reading.net.free import free_text, is_more_written, is_torn
from pipeline.reading.net.gate import Gate, load_gate
from pipeline.reading.net.hand import Known, fitted
from pipeline.reading.net.lattice import Floats, Frames, condensed
from pipeline.reading.net.network import Network, load_head, shipped_weights
from pipeline.reading.net.normalise import Grey, normalise
from pipeline.reading.net.parts import Seen, see_parts
from pipeline.reading.recogniser import Crop, EngineFailed, RowReading, Vocabulary

MOST_KNOWN = 48  # rows of one hand, the latest: nine hands were asked 23.5 % with 48 and with 120, 28.8 % with 24
PROPOSED = 3  # lines offered for a row that is asked
BLANK_ROW = RowReading((), Tier.BLANK)
DIGITS = 9  # of a confidence; sums by several processors differ in the 14th
HOPELESS = -30.0  # log likelihood below which a line is no proposal; above it hardly a legal order was misread


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """One row weighed against what is expected there, before the verdict."""

    frames: Frames
    evidence: Evidence
    likelihoods: Floats  # by line


class NetRecogniser:
    """Reads rows with the net that ships in the package, or with another. One thread at a time.

    >>> reader = NetRecogniser()
    >>> reader.taught([]).name == reader.name
    True
    """

    def __init__(self, weights: Path | None = None, gate: Gate | None = None) -> None:
        self.weights = weights or shipped_weights()
        self.network = Network(self.weights)
        self.head = load_head(self.weights)
        self.rows_known = 0  # of one hand
        self.gate = gate or load_gate()
        self.gate_name = ""  # of thresholds that are not the package's
        self.digest = hashlib.sha256(self.weights.read_bytes()).hexdigest()[:8]

    @property
    def name(self) -> str:
        """The engine and its version: the weights' own digest, whose thresholds, and how much it knows of a hand."""
        known = f"{self.rows_known} rows of this hand" if self.rows_known else ""
        return ", ".join(part for part in (f"row net {self.digest}", self.gate_name, known) if part)

    def gated(self, gate: Gate, name: str) -> "NetRecogniser":
        """Make a reader with other thresholds; the name says which, wherever this reader is named."""
        other = copy.copy(self)
        other.gate, other.gate_name = gate, name
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
        return other

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Read inked rows, one answer for each; `EngineFailed` where OpenCV cannot run the net."""
        expected = Expected(vocabulary) if vocabulary.lines else None
        return self.rows([self.look(crop) for crop in crops], expected)

    def look(self, crop: Crop) -> Seen | None:
        """See one row; None where there is no ink, `EngineFailed` where OpenCV cannot run the net."""
        try:
            return see_parts(crop, self.network.features) if crop.parts else self.see(crop.grey)
        except cv2.error as failed:
            raise EngineFailed(str(failed)) from failed

    def see(self, grey: Grey) -> Seen | None:
        """See one piece of writing."""
        ink = normalise(grey)
        return None if ink is None else Seen(ink, self.network.features(ink))

    def seen_before(self, kept: NDArray[np.float16]) -> Seen:
        """Make a row again of what was kept of it."""
        return Seen.unpacked(kept, self.head.kernel.shape[1])

    def evidence(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> list[Evidence | None]:
        """Weigh rows without a verdict, to fit thresholds on (`fitting`); None where there is no ink."""
        expected = Expected(vocabulary)
        weighed = self.weighed([self.look(crop) for crop in crops], expected)
        return [None if row is None else row.evidence for row in weighed]

    def weighed(self, rows: Sequence[Seen | None], expected: Expected) -> list[Weighed | None]:
        """Weigh the rows of a sheet together; None where there is no ink."""
        frames = [None if row is None else row.frames(self.head) for row in rows]
        found = iter(weigh([one for one in frames if one is not None], expected))
        return [None if one is None else Weighed(one, *next(found)) for one in frames]

    def rows(self, rows: Sequence[Seen | None], expected: Expected | None) -> list[RowReading]:
        """Read the rows of a sheet."""
        if expected is None:
            return [BLANK_ROW if row is None else self.unexpected(row, row.frames(self.head), None) for row in rows]
        pairs = zip(rows, self.weighed(rows, expected), strict=True)
        return [
            BLANK_ROW if row is None or found is None else self.judged(row, found, expected) for row, found in pairs
        ]

    def unexpected(self, row: Seen, frames: Frames, expected: Expected | None) -> RowReading:
        """Say what the letters say; nothing here can be an order."""
        free = free_text(frames if expected is None else expected.only_wanted(frames), row.ink)
        freely = read_as(free, math.exp(surety_of(frames)))
        return RowReading((freely,) if free else (), Tier.ASKED, struck_notes(free))

    def judged(self, row: Seen, weighed: Weighed, expected: Expected) -> RowReading:
        """Pass the verdict on one row."""
        frames, evidence = weighed.frames, weighed.evidence
        free = free_text(expected.only_wanted(frames), row.ink)
        if set(free) <= {STRUCK, " "}:
            return self.unexpected(row, frames, expected)
        notes = struck_notes(free)
        freely = read_as(free, math.exp(surety_of(frames)))
        tier = self.gate.tier(evidence)
        if tier is not Tier.ASKED and (doubts := self.doubts(row, evidence.text, frames, expected)):
            tier, notes = Tier.ASKED, (*notes, *doubts)
        best = read_as(evidence.text, self.gate.chance(evidence))
        if tier is not Tier.ASKED:
            return RowReading((best, freely), tier, notes)
        proposals = [best, *self.proposals(evidence, weighed.likelihoods, frames, expected)]
        hopeful = evidence.likelihood > HOPELESS
        return RowReading((*proposals, freely) if hopeful else (freely, *proposals[:1]), tier, notes)

    def doubts(self, row: Seen, text: str, frames: Frames, expected: Expected) -> tuple[Note, ...]:
        """Say what the letters alone do not show; the boxes of a row are looked at one by one, and have no ends."""
        if row.known is not None:
            return ()
        torn = (Note.TORN,) if is_torn(text, expected.only_wanted(frames), row.ink) else ()
        return (*torn, Note.MORE) if is_more_written(text, frames, row.ink, expected.unwanted) else torn

    def proposals(self, evidence: Evidence, likelihoods: Floats, frames: Frames, expected: Expected) -> list[Reading]:
        """Offer the lines that come after the best, where they are not far behind it."""
        likely = [line for line in ranked(likelihoods, expected)[:PROPOSED] if float(likelihoods[line]) >= HOPELESS]
        after = [line for line in likely if line != evidence.best]
        short = condensed(expected.comparable(frames))
        spellings = likeliest_spellings([expected.slots[line] for line in after], [short] * len(after))
        texts = [worded(expected.lines[line], spelling) for line, spelling in zip(after, spellings, strict=True)]
        return [
            read_as(text, math.exp(float(likelihoods[line])))
            for line, text in zip(after, texts, strict=True)
            if text != evidence.text
        ]


def read_as(text: str, chance: float) -> Reading:
    """Make a reading that is the same however many processors did the sums."""
    return Reading(text, round(chance, DIGITS))


def surety_of(frames: Frames) -> float:
    """Mean log of the best class's probability: how sure the net is, whatever it read."""
    return sum(map(math.log, frames.max(1).tolist())) / len(frames)


def struck_notes(free: str) -> tuple[Note, ...]:
    """Say what was crossed out."""
    if STRUCK not in free:
        return ()
    return (Note.STRUCK_OUT,) if set(free) <= {STRUCK, " "} else (Note.PARTLY_STRUCK,)
