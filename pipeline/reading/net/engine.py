"""The handwriting net as an engine: rows in, readings with tiers out."""

import copy
import hashlib
import math
from collections.abc import Sequence
from pathlib import Path

import cv2

from pipeline.ink import Reading, Tier
from pipeline.reading.net.alphabet import STRUCK
from pipeline.reading.net.evidence import Evidence, Expected, ranked, weigh, worded
from pipeline.reading.net.free import free_text
from pipeline.reading.net.gate import Gate, load_gate
from pipeline.reading.net.hand import Known, fitted
from pipeline.reading.net.lattice import Floats, Frames, condensed, likeliest_spelling
from pipeline.reading.net.network import Network, load_head, shipped_weights
from pipeline.reading.net.normalise import normalise
from pipeline.reading.recogniser import Crop, EngineFailed, RowReading, Vocabulary

MOST_KNOWN = 120  # rows of one hand, the latest: ten seasons of twelve; more teach little and take long
PROPOSED = 3  # lines offered for a row that is asked
HOPELESS = -14.0  # log likelihood below which a line is no proposal: the free reading says more
ALL_STRUCK = "struck out"
PARTLY_STRUCK = "something is struck out or written over"


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
        self.digest = hashlib.sha256(self.weights.read_bytes()).hexdigest()[:8]

    @property
    def name(self) -> str:
        """The engine and its version: the weights' own digest, and how much it knows of a hand."""
        return f"row net {self.digest}" + (f", {self.rows_known} rows of this hand" if self.rows_known else "")

    def taught(self, known: Sequence[tuple[Crop, str]]) -> "NetRecogniser":
        """Make a reader for one hand, of rows whose text is known: read and let stand, confirmed, or corrected.

        The texts are what was written, letter by letter as far as anybody can tell, not what was meant.
        """
        inks = [(normalise(crop.grey), text) for crop, text in known[-MOST_KNOWN:]]
        rows = [Known(self.network.features(ink), text) for ink, text in inks if ink is not None]
        other = copy.copy(self)
        other.head, other.rows_known = fitted(self.head, rows), self.rows_known + len(rows)
        return other

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Read inked rows, one answer for each; `EngineFailed` where OpenCV cannot run the net."""
        expected = Expected(vocabulary) if vocabulary.lines else None
        try:
            return [self.row(crop, expected) for crop in crops]
        except cv2.error as failed:
            raise EngineFailed(str(failed)) from failed

    def evidence(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> list[Evidence | None]:
        """Weigh rows without a verdict, to fit thresholds on (`fitting`); None where there is no ink."""
        expected = Expected(vocabulary)
        inks = [normalise(crop.grey) for crop in crops]
        return [
            None if ink is None else weigh(self.head.frames(self.network.features(ink)), expected)[0] for ink in inks
        ]

    def row(self, crop: Crop, expected: Expected | None) -> RowReading:
        """Read one row."""
        ink = normalise(crop.grey)
        if ink is None:
            return RowReading((), Tier.BLANK)
        frames = self.head.frames(self.network.features(ink))
        free = free_text(frames if expected is None else expected.only_wanted(frames), ink)
        notes = struck_notes(free)
        freely = Reading(free, math.exp(surety_of(frames)))
        if expected is None or set(free) <= {STRUCK, " "}:
            return RowReading((freely,) if free else (), Tier.ASKED, notes)
        evidence, likelihoods = weigh(frames, expected)
        tier = self.gate.tier(evidence)
        best = Reading(evidence.text, self.gate.chance(evidence))
        if tier is not Tier.ASKED:
            return RowReading((best, freely), tier, notes)
        proposals = [best, *self.proposals(evidence, likelihoods, frames, expected)]
        hopeful = evidence.likelihood > HOPELESS
        return RowReading((*proposals, freely) if hopeful else (freely, *proposals[:1]), tier, notes)

    def proposals(self, evidence: Evidence, likelihoods: Floats, frames: Frames, expected: Expected) -> list[Reading]:
        """Offer the lines that come after the best, where they are not far behind it."""
        short = condensed(expected.comparable(frames))
        found: list[Reading] = []
        for line in ranked(likelihoods, expected)[:PROPOSED]:
            chance = float(likelihoods[line])
            if line == evidence.best or chance < HOPELESS:
                continue
            text = worded(expected.lines[line], likeliest_spelling(expected.slots[line], short))
            if text != evidence.text:
                found.append(Reading(text, math.exp(chance)))
        return found


def surety_of(frames: Frames) -> float:
    """Mean log of the best class's probability: how sure the net is, whatever it read."""
    return sum(map(math.log, frames.max(1).tolist())) / len(frames)


def struck_notes(free: str) -> tuple[str, ...]:
    """Say what was crossed out."""
    if STRUCK not in free:
        return ()
    return (ALL_STRUCK,) if set(free) <= {STRUCK, " "} else (PARTLY_STRUCK,)
