"""The protocol of handwriting engines, so that they can be exchanged, recorded and made to fail.

An engine is given words, never provinces: a `Vocabulary` says what people may write on this sheet, with weights. What
becomes of a page (filed, doubtful, unidentified, foreign, blank, unreadable) is an `Outcome`.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from msgspec import Struct, field

from pipeline.ink import InkLine, Note, Noted, NoteMessage, PictureMessage, Tier, Transcription

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


CROP_DPI = 200  # all crops, whatever the scanner did
VIEW_MM = 6.0  # around a row in its picture for the eye: half of each neighbour
AFTER_FIRST = ("second", "third")  # the readers after the first, in the order in which they look


class EngineFailed(Exception):
    """A recogniser that could not do its work; its rows are asked, its sheet is not lost."""


class Sure(Struct, frozen=True):
    """A part of a row of boxes that is known without reading: a ticked box, a printed unit."""

    text: str


class Inked(Struct, frozen=True):
    """Part of a row of boxes that somebody wrote."""

    grey: "NDArray[np.uint8]"  # as a crop
    tails: tuple[tuple[int, int], ...] = ()  # columns between which something hangs down out of the row


class Crop(Struct, frozen=True):
    """The ink of one row: grey, paper white, what was printed painted out."""

    grey: "NDArray[np.uint8]"  # height by width, at CROP_DPI
    parts: tuple[Sure | Inked, ...] = ()  # only for a row of boxes, in the order of the line
    tails: tuple[tuple[int, int], ...] = ()  # columns between which something hangs down out of the row


class VocabularyLine(Struct, frozen=True):
    """One thing that may be written on a row, with all its spellings: a spelling of each slot, in turn.

    >>> VocabularyLine((("A", "Army"), ("Vie", "Vienna"), ("-", "to"), ("Boh", "Bohemia"))).weight
    1.0
    """

    slots: tuple[tuple[str, ...], ...]  # how each part of it may be written; "" where it may be left out
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
    taken: TakenFor | None = None  # what the rules make of a text that is no line; None: not known
    misspelt: Taken = Taken.SAME  # what the rules make of a misspelt word with one meaning
    unusual: frozenset[str] = frozenset()  # words that hardly anybody writes, letters only


class Recogniser(Protocol):
    """An engine that reads rows."""

    @property
    def name(self) -> str:
        """The engine and its version: ``tesseract 5.3.0``."""

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
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

    reading: InkLine
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


def _unread_row(*notes: Noted) -> InkLine:
    """A row that nobody could read."""
    return InkLine.without_place((), Tier.ASKED, notes)


class NoRecogniser(Struct, frozen=True):
    """Where no engine is installed every inked row is asked."""

    name: str = "none"

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
        """Ask for every row."""
        return [_unread_row() for _ in crops]


def read_safely(engine: Recogniser, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
    """Read rows; an engine that fails, or answers too little, turns into rows that are asked, with a note."""
    if not crops:
        return []
    try:
        readings = engine.read(crops, vocabulary)
    except EngineFailed as failed:
        return [_unread_row(NoteMessage.of(Note.ENGINE_FAILED, engine=engine.name, why=str(failed))) for _ in crops]
    if len(readings) != len(crops):
        short = NoteMessage.of(Note.ENGINE_SHORT, engine=engine.name, answered=len(readings), rows=len(crops))
        return [_unread_row(short) for _ in crops]
    return readings


class Tray(StrEnum):
    """The tray of a page: a person must look into all but the first and the blank one."""

    FILED = "filed"
    DOUBTFUL = "doubtful"
    UNIDENTIFIED = "unidentified"
    FOREIGN = "foreign"
    BLANK = "blank"
    UNREADABLE = "unreadable"


class Filed(Struct, frozen=True, kw_only=True):
    """A sheet of ours, read."""

    tray: ClassVar[Tray] = Tray.FILED
    page: int  # 1.., in the file
    transcription: Transcription
    crops: Mapping[int, bytes]  # row -> its picture with half of its neighbours, PNG; inked rows only
    picture: bytes  # the whole sheet laid straight, JPEG
    warnings: tuple[PictureMessage, ...] = ()
    free: Mapping[int, bytes] = field(default_factory=dict)  # the same of rows without ink
    seen: Mapping[int, KeptRow] = field(default_factory=dict)  # row -> the engine's features, if it gives them

    @property
    def text(self) -> str:
        """The sheet, in words."""
        return self.transcription.sheet_id


class Doubtful(Struct, frozen=True, kw_only=True):
    """A sheet of ours, read, whose identity a person must confirm: its codes are gone."""

    tray: ClassVar[Tray] = Tray.DOUBTFUL
    page: int
    text: str
    filed: Filed  # what it is if the person says yes
    offers: tuple[str, ...]  # the other sheets that it might be


class Unidentified(Struct, frozen=True, kw_only=True):
    """Something that a person must look at; ``offers`` are the sheets it may be."""

    tray: ClassVar[Tray] = Tray.UNIDENTIFIED
    page: int
    text: str
    offers: tuple[str, ...] = ()
    picture: bytes = b""  # the page as it came, smaller, JPEG


class Foreign(Struct, frozen=True, kw_only=True):
    """A sheet of another event, or somebody else's page."""

    tray: ClassVar[Tray] = Tray.FOREIGN
    page: int
    text: str
    picture: bytes = b""  # the page as it came, smaller, JPEG


class Blank(Struct, frozen=True, kw_only=True):
    """Empty paper."""

    tray: ClassVar[Tray] = Tray.BLANK
    page: int
    text: str = "an empty page"


class NotOpened(Struct, frozen=True, kw_only=True):
    """A page, or a whole file (page 0), that is no picture or is damaged."""

    tray: ClassVar[Tray] = Tray.UNREADABLE
    page: int
    text: str


ReadOutcome = Filed | Doubtful | Unidentified | Foreign | Blank | NotOpened


Corners = tuple[tuple[float, float], ...]


class PicturePart(Struct, frozen=True):
    """One of several sheets on one picture."""

    outcome: ReadOutcome
    corners: Corners  # of the sheet, clockwise, as fractions of the picture's width and height


class SeveralSheets(Struct, frozen=True):
    """A picture of several sheets: each of them ends in a tray of its own."""

    page: int
    parts: tuple[PicturePart, ...]


PageOutcome = ReadOutcome | SeveralSheets
