"""What is kept of one page's stages: the labelled pictures, and of each row what was seen and read there."""

from dataclasses import dataclass

from pipeline.ink import InkReading


@dataclass(frozen=True, slots=True)
class StagePicture:
    """One stage of a page."""

    name: str  # of its file: "01-marks"
    title: str
    told: tuple[str, ...]  # what is to be seen, in words
    png: bytes


@dataclass(frozen=True, slots=True)
class ReaderSaid:
    """What one reader by itself made of a row."""

    letters: InkReading  # with nothing expected
    line: InkReading | None  # the likeliest of what may be written there


@dataclass(frozen=True, slots=True)
class RowSeen:
    """One row as it was seen; what it means is not known here."""

    number: int
    crop: bytes  # PNG: the row with half of its neighbours, nothing painted out
    ink: bytes  # PNG: the ink that counts, and what was taken out
    first: ReaderSaid | None = None  # None: there was nothing to read, or a reader that cannot say
    further: tuple[ReaderSaid, ...] = ()  # the readers after it, as far as they looked
