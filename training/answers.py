"""What a reader answers about a row whose truth is known."""

import time
from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct

from pipeline.ink import Tier
from pipeline.reading.alphabet import accepts, bare, spell_slot
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.recogniser import Crop, Vocabulary
from training.orders import admissible
from training.rows import Row


class Answer(Struct, frozen=True):
    """What one reader said about one row."""

    row: Row
    text: str
    asked: bool
    right: bool  # the text is the one written, or another spelling of the same line
    seconds: float  # of processor time


def is_right(text: str, row: Row, lines: Vocabulary) -> bool:
    """Whether what was read means what was written: the same spelling, or a spelling of the same admissible line."""
    read, truth = bare(text), bare(row.case.text)
    slots = [tuple(map(spell_slot, line.slots)) for line in lines.lines]
    return read == truth or any(accepts(one, read) and accepts(one, truth) for one in slots)


def by_net(rows: Sequence[Row], engine: NetRecogniser) -> list[Answer]:
    """Read rows with the net; those of one seat that stand together are read as a sheet."""
    found: list[Answer] = []
    for _, together in groupby(rows, key=lambda row: (id(row.case.position), row.case.power)):
        sheet = list(together)
        begun = time.process_time()
        lines = admissible(sheet[0].case.position, sheet[0].case.power).vocabulary
        answers = engine.read([Crop(row.grey) for row in sheet], lines)
        seconds = (time.process_time() - begun) / len(sheet)
        for row, answer in zip(sheet, answers, strict=True):
            text = answer.readings[0].text if answer.readings else ""
            asked = answer.tier not in (Tier.ACCEPTED, Tier.MARKED)
            found.append(Answer(row, text, asked, is_right(text, row, lines), seconds))
    return found
