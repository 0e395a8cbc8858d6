"""What each reader by itself saw and read in the rows of the sheet that was read last: to be shown, never to decide."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.ink import InkReading
from pipeline.reading.handwriting.engine import read_as, surety_of
from pipeline.reading.handwriting.hand_reader import HandReader
from pipeline.reading.net.best_path import likeliest_spellings
from pipeline.reading.net.free import free_text
from pipeline.reading.net.lattice import Frames, condensed
from pipeline.reading.net.network import Head
from pipeline.reading.net.normalise import Ink
from pipeline.reading.net.written_boxes import Seen
from pipeline.reading.rows.recogniser import Vocabulary
from pipeline.reading.thresholds.evidence import Expected, ranked, run, worded


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    """What one reader makes of a row that it looked at."""

    ink: Ink  # what the net was shown: ink 0..1, all hands about the same size
    letters: InkReading  # nothing expected; the mean certainty of its letters
    line: InkReading | None  # the likeliest of what may be written, and its share of all texts; None: nothing may be


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What the readers make of a row, as far as they looked."""

    first: Alone
    further: tuple[Alone, ...]


def each_alone(reader: HandReader, vocabulary: Vocabulary) -> list[Looks | None]:
    """Say what each reader makes of the rows that were read last; None where there was no ink to see."""
    expected = Expected(vocabulary) if vocabulary.lines else None
    knows_hand = reader.taught is not None and reader.is_this_hand
    first = reader.taught if knows_hand and reader.taught is not None else reader.plain
    heads = [first.head, *reader.plain.heads[1:]]
    views = [() if row is None else row.views for row in reader.seen]
    by_reader = [
        alone([row[number] if number < len(row) else None for row in views], head, expected)
        for number, head in enumerate(heads)
    ]
    return [
        None if one is None else Looks(one, tuple(each for each in others if each is not None))
        for one, *others in zip(*by_reader, strict=True)
    ]


def alone(rows: Sequence[Seen | None], head: Head, expected: Expected | None) -> list[Alone | None]:
    """Say what one reader makes of rows."""
    found: list[Alone | None] = []
    for row in rows:
        if row is None:
            found.append(None)
            continue
        frames = row.frames(head)
        wanted = frames if expected is None else expected.only_wanted(frames)
        letters = read_as(free_text(wanted, row.ink), math.exp(surety_of(frames)))
        found.append(Alone(row.ink, letters, None if expected is None else likeliest(frames, expected)))
    return found


def likeliest(frames: Frames, expected: Expected) -> InkReading:
    """Find the likeliest line of those that may be written on a row."""
    short = condensed(expected.comparable(frames))
    (lines,) = run([short], expected)
    best = ranked(lines, expected)[0]
    (spelling,) = likeliest_spellings([expected.slots[best]], [short])
    return read_as(worded(expected.lines[best], spelling), math.exp(min(0.0, float(lines[best]))))
