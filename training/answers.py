"""What a reader answers about a row whose truth is known."""

import time
from dataclasses import dataclass

from pipeline.ink import Tier
from pipeline.reading.net.alphabet import bare
from pipeline.reading.net.engine import NetRecogniser
from pipeline.reading.net.lattice import accepts, spelled
from pipeline.reading.recogniser import Crop, Vocabulary
from training.rows import Row


@dataclass(frozen=True, slots=True)
class Answer:
    """What one reader said about one row."""

    row: Row
    text: str
    asked: bool
    right: bool  # the text is the one written, or another spelling of the same line
    seconds: float  # of processor time


def is_right(text: str, row: Row, lines: Vocabulary) -> bool:
    """Whether what was read means what was written: the same spelling, or a spelling of the same admissible line."""
    read, truth = bare(text), bare(row.case.text)
    slots = [tuple(map(spelled, line.slots)) for line in lines.lines]
    return read == truth or any(accepts(one, read) and accepts(one, truth) for one in slots)


def by_net(row: Row, lines: Vocabulary, engine: NetRecogniser) -> Answer:
    """Read one row with the net."""
    begun = time.process_time()
    found = engine.read([Crop(row.grey, int(row.grey.shape[0] * 0.7))], lines)[0]
    seconds = time.process_time() - begun
    text = found.readings[0].text if found.readings else ""
    return Answer(row, text, found.tier not in (Tier.ACCEPTED, Tier.MARKED), is_right(text, row, lines), seconds)
