"""The protocol of handwriting engines, so that they can be exchanged, recorded and made to fail.

An engine is given words, never provinces: a `Vocabulary` says what people may write on this sheet, with weights.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from msgspec import Struct, field

from pipeline.ink import InkReading, Note, Noted, NoteMessage, Tier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


CROP_DPI = 200  # all crops, whatever the scanner did
AFTER_FIRST = ("second", "third")  # the readers after the first, in the order in which they look

Slot = tuple[str, ...]  # ways to write one part of a line; "" where it may be left out


class EngineFailed(Exception):
    """A recogniser that could not do its work; its rows are asked, its sheet is not lost."""


class Sure(Struct, frozen=True):
    """A part of a row of boxes that is known without reading: a ticked box, a printed unit."""

    text: str


class Inked(Struct, frozen=True):
    """Part of a row of boxes that somebody wrote."""

    grey: "NDArray[np.uint8]"  # as a crop


class Crop(Struct, frozen=True):
    """The ink of one row: grey, paper white, what was printed painted out."""

    grey: "NDArray[np.uint8]"  # height by width, at CROP_DPI
    baseline: int  # the pixel row of the line that was printed to write on
    parts: tuple[Sure | Inked, ...] = ()  # only for a row of boxes, in the order of the line
    tails: tuple[tuple[int, int], ...] = ()  # columns between which something hangs down out of the row


class VocabularyLine(Struct, frozen=True):
    """One thing that may be written on a row, with all its spellings: a spelling of each slot, in turn.

    >>> VocabularyLine((("A", "Army"), ("Vie", "Vienna"), ("-", "to"), ("Boh", "Bohemia"))).weight
    1.0
    """

    slots: tuple[Slot, ...]
    weight: float = 1.0  # how likely, against the other lines; not a probability


class Taken(StrEnum):
    """What the rules make of a text that is nearly a line of the vocabulary."""

    SAME = "same"  # it is that line
    ASKED = "asked"  # it is no line, or might be several: somebody would be asked, or nothing comes of it
    OTHER = "other"  # it is something else


TakenFor = Callable[[str, int], Taken]  # a text, and the number of the line that it is nearly


class Vocabulary(Struct, frozen=True):
    """What may be written on the rows of one sheet."""

    lines: tuple[VocabularyLine, ...] = ()
    others: tuple[VocabularyLine, ...] = ()  # inadmissible lines of the same form: they compete and are never chosen
    words: Mapping[str, float] = field(default_factory=dict)  # single words with weights, wherever they stand
    taken: TakenFor | None = None  # what the rules make of a text that is no line; None: not known
    misspelt: Taken = Taken.SAME  # what the rules make of a misspelt word with one meaning
    unusual: frozenset[str] = frozenset()  # words that hardly anybody writes, letters only


class RowReading(Struct, frozen=True):
    """What an engine makes of one row."""

    readings: tuple[InkReading, ...]  # surest first; their confidences are on one scale
    tier: Tier  # ACCEPTED only where an absolute test was passed
    notes: tuple[Noted, ...] = ()
    tails_read: bool = False  # whether all ink that leaves the row below is tails of letters that were read


class Recogniser(Protocol):
    """An engine that reads rows."""

    @property
    def name(self) -> str:
        """The engine and its version: ``tesseract 5.3.0``."""

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Read inked rows, one answer for each; `EngineFailed` where the engine cannot work."""


class KeptRow(Struct, frozen=True, eq=False):
    """The features of one row, enough to weigh it again and to learn its hand; no picture."""

    first: "NDArray[np.float16]"  # frames by features; one more column for a row of boxes
    further: "tuple[NDArray[np.float16], ...]" = ()  # as `first`, for the later readers that read this row


@runtime_checkable
class Remembers(Protocol):
    """An engine that can say what it saw in the rows it read last."""

    @property
    def saw(self) -> Sequence[KeptRow | None]:
        """What the engine saw in each row; None where there was no ink."""


class Compared(Struct, frozen=True, eq=False):
    """An engine's result for a row with a text to copy; its tier is ACCEPTED if the row is that text."""

    reading: RowReading
    kept: KeptRow | None  # what the readers saw; None where there was no ink


@runtime_checkable
class Compares(Protocol):
    """An engine that can say whether a row is a copy of what was printed beside it."""

    def compare(self, crops: Sequence[Crop], texts: Sequence[str]) -> Sequence[Compared]:
        """Compare inked rows, each with its text; `EngineFailed` where the engine cannot work."""


def compare_safely(engine: Recogniser, crops: Sequence[Crop], texts: Sequence[str]) -> Sequence[Compared]:
    """Compare rows with the texts to copy; unread rows if the engine fails, none if it cannot compare."""
    if not crops or not isinstance(engine, Compares):
        return []
    try:
        return engine.compare(crops, texts)
    except EngineFailed as failed:
        note = NoteMessage.of(Note.ENGINE_FAILED, engine=engine.name, why=str(failed))
        return [Compared(_unread_row(note), None) for _ in crops]


def _unread_row(*notes: Noted) -> RowReading:
    """A row that nobody could read."""
    return RowReading((), Tier.ASKED, notes)


class NoRecogniser(Struct, frozen=True):
    """Where no engine is installed every inked row is asked."""

    name: str = "none"

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Ask for every row."""
        return [_unread_row() for _ in crops]


def read_safely(engine: Recogniser, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
    """Read rows; an engine that fails, or answers too little, turns into rows that are asked, with a note."""
    if not crops:
        return []
    try:
        found = engine.read(crops, vocabulary)
    except EngineFailed as failed:
        return [_unread_row(NoteMessage.of(Note.ENGINE_FAILED, engine=engine.name, why=str(failed))) for _ in crops]
    if len(found) != len(crops):
        short = NoteMessage.of(Note.ENGINE_SHORT, engine=engine.name, answered=len(found), rows=len(crops))
        return [_unread_row(short) for _ in crops]
    return found
