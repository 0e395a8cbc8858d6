"""What is read on a sheet: letters, boxes and ticks, and how sure the reading is; what they mean is not known here."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from pipeline.words.speech import Message, SentenceCode

PARTS = 1_000_000  # a page's number counts in ones, its parts in millions: one number says which sheet of which page


def part_number(page: int, part: int) -> int:
    """Number one of several sheets on one page's picture; ``part`` counts from 1.

    >>> part_number(3, 2)
    2000003
    """
    return page + part * PARTS


def page_in_words(number: int) -> str:
    """Name a page, or one of several sheets on it; 0 is a file as a whole.

    >>> page_in_words(3), page_in_words(2_000_003), page_in_words(0)
    ('page 3', 'page 3 part 2', 'the whole file')
    """
    part, page = divmod(number, PARTS)
    if not number:
        return "the whole file"
    return f"page {page} part {part}" if part else f"page {page}"


def page_of_file(name: str, number: int) -> str:
    """Name a page with its file; a file as a whole has its name alone.

    >>> page_of_file("a.pdf", 3), page_of_file("one.csv", 0)
    ('a.pdf page 3', 'one.csv')
    """
    return f"{name} {page_in_words(number)}" if number else name


class Box(Struct, frozen=True):
    """A rectangle: in mm from the top-left corner of the registered page, or in the units of a drawing."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    @classmethod
    def around(cls, middle: tuple[float, float], width: float, height: float) -> "Box":
        """The box of a size about its middle."""
        return cls(middle[0] - width / 2, middle[1] - height / 2, width, height)

    @classmethod
    def of(cls, spots: Iterable[tuple[float, float]], margin: float = 0) -> "Box":
        """The smallest box that holds some spots, and a margin.

        >>> Box.of(((3, 4), (13, 9)), margin=1)
        Box(left=2, top=3, width=12, height=7)
        """
        across, down = zip(*spots, strict=True)
        left, top = min(across) - margin, min(down) - margin
        return cls(left, top, max(across) + margin - left, max(down) + margin - top)

    def meets(self, other: "Box") -> bool:
        """Say whether two overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def box_around(boxes: Iterable[Box]) -> Box:
    """The smallest box around some others."""
    return Box.of([spot for box in boxes for spot in ((box.left, box.top), (box.right, box.bottom))])


class InkReading(Struct, frozen=True):
    """One guess at the text of a field, as the engine gave it."""

    text: str
    confidence: float  # 0..1: the probability that this is what is written, by the engine that gave it


def surest_first(readings: Iterable[InkReading]) -> tuple[InkReading, ...]:
    """Sort the readings of a row by confidence; the sort is stable."""
    return tuple(sorted(readings, key=lambda reading: -reading.confidence))


class Tier(StrEnum):
    """How far an engine's best reading may be trusted without a person."""

    ACCEPTED = "accepted"  # passed the absolute test: this is what is written
    MARKED = "marked"  # accepted, and marked for a quick look
    ASKED = "asked"  # a person must say what is written
    BLANK = "blank"  # no ink in the field


class Note(SentenceCode):
    """What is seen on the paper of a line, beside what is read there; a comment "of …" names the sentence's data."""

    STRUCK_OUT = "STRUCK_OUT"  # the whole line
    PARTLY_STRUCK = "PARTLY_STRUCK"  # or written over
    TORN = "TORN"  # a word has a gap in it
    RUN_TOGETHER = "RUN_TOGETHER"  # two words
    NO_DASH = "NO_DASH"  # the line has one, and it is not seen
    S_OR_ARROW = "S_OR_ARROW"  # an S may be the head of an arrow, or the other way round
    MORE = "MORE"  # there is more ink than the letters that were read
    LEAVES_ROW = "LEAVES_ROW"
    FAINT_INK = "FAINT_INK"
    HIDDEN = "HIDDEN"  # cut off, covered, painted over or lost in a poor picture
    MENDED = "MENDED"  # handwriting above or below a machine-typed line
    LINE_THROUGH = "LINE_THROUGH"  # a line of the scanner
    # of a row of boxes
    BESIDE = "BESIDE"
    ACROSS = "ACROSS"
    NO_SIGN = "NO_SIGN"
    TWO_TICKS = "TWO_TICKS"
    UNSURE_TICK = "UNSURE_TICK"
    NO_UNIT = "NO_UNIT"
    TOO_MUCH = "TOO_MUCH"
    TOO_LITTLE = "TOO_LITTLE"
    # of an answer on a form
    LEAVES_BOX = "LEAVES_BOX"
    GAP = "GAP"  # a box between two digits is empty
    OUT_OF_RANGE = "OUT_OF_RANGE"  # of least, most
    HIDDEN_BOX = "HIDDEN_BOX"
    TWO_CHOICES = "TWO_CHOICES"
    FAINT_TICK = "FAINT_TICK"
    # of several readings
    TYPED = "TYPED"  # another engine reads the same
    SCANS_DIFFER = "SCANS_DIFFER"
    HANDS_DIFFER = "HANDS_DIFFER"  # with what is known of the writer's hand it is another order
    ENGINE_FAILED = "ENGINE_FAILED"  # of engine, why
    ENGINE_SHORT = "ENGINE_SHORT"  # of engine, answered, rows
    RECORDING_ENDED = "RECORDING_ENDED"


class NoteMessage(Message):
    """A note that needs data."""

    __slots__ = ()
    CODES = Note


if TYPE_CHECKING:
    Noted = Note | NoteMessage
else:  # msgspec reads no union of an enum and another class

    class _Noted(ABC):
        """A note, with data or without."""

        @staticmethod
        @abstractmethod
        def of_body(body):
            """Read it from a fact."""
            return NoteMessage.of_body(body) if isinstance(body, dict) else Note(body)

    _Noted.register(Note)
    _Noted.register(NoteMessage)
    Noted = _Noted


NOWHERE = Box(0, 0, 0, 0)


class InkLine(Struct, frozen=True, kw_only=True):
    """One line of an order sheet: where it is, and every guess at what it says."""

    number: int  # 1.., as printed on the sheet
    box: Box
    readings: tuple[InkReading, ...]  # best first, on one scale; empty = no ink, or nothing legible
    tier: Tier  # ACCEPTED only where an absolute test was passed
    notes: tuple[Noted, ...] = ()  # what was seen on the paper
    # whether all ink that leaves the row below is tails of letters that were read; of an engine's answer, never kept
    tails_read: bool | UnsetType = UNSET

    @classmethod
    def without_place(
        cls,
        readings: tuple[InkReading, ...],
        tier: Tier,
        notes: tuple[Noted, ...] = (),
        *,
        tails_read: bool | UnsetType = UNSET,
    ) -> "InkLine":
        """What an engine makes of a row: it sees nothing but the picture, so its answer has no place yet."""
        return cls(number=0, box=NOWHERE, readings=readings, tier=tier, notes=notes, tails_read=tails_read)

    @property
    def text(self) -> str:
        """The best reading's text, or nothing."""
        return self.readings[0].text if self.readings else ""


class Transcription(Struct, frozen=True, kw_only=True):
    """All the ink of one sheet."""

    sheet_id: str  # by its QR codes, its printed id or a person
    scan_sha256: str
    page: int  # 1.., in the scanned file; see `part_number`
    reader: str  # engine and version: "tesseract 5.3.0"
    lines: tuple[InkLine, ...]
    residual_mm: float  # root mean square error of the registration
    ticks: frozenset[str] = frozenset()  # names of the tick boxes that are ticked
    signed: bool | None = None  # None: the sheet has no signature field
    outside: tuple[Box, ...] = ()  # where something is written that is in no row and no field


# The notes of a line with which its reading is not to be trusted.

DOUBTS = frozenset(  # of a row of boxes
    {
        Note.BESIDE,
        Note.ACROSS,
        Note.NO_SIGN,
        Note.TWO_TICKS,
        Note.UNSURE_TICK,
        Note.NO_UNIT,
        Note.TOO_MUCH,
        Note.TOO_LITTLE,
    }
)

# With one of these notes, what is read of the row may not be what was written, however sure the reading is.
SPOILS = DOUBTS | {
    Note.STRUCK_OUT,
    Note.PARTLY_STRUCK,
    Note.TORN,
    Note.RUN_TOGETHER,
    Note.NO_DASH,
    Note.S_OR_ARROW,
    Note.MORE,
    Note.HIDDEN,
    Note.LINE_THROUGH,
    Note.MENDED,
    Note.LEAVES_ROW,
    Note.LEAVES_BOX,
    Note.TWO_CHOICES,
    Note.HIDDEN_BOX,
}


# What is wrong with a picture that could be read all the same: the next one may be better.


class PictureFault(SentenceCode):
    """One kind of fault; a comment "of …" names the sentence's data."""

    MARKERS_LOST = "MARKERS_LOST"  # of lost: so many of the four corner markers
    BARS_LOST = "BARS_LOST"  # of share, 0..1
    COARSE = "COARSE"  # of dpi
    ONE_BIT = "ONE_BIT"
    TOO_LIGHT = "TOO_LIGHT"  # what is thin is white
    TOO_DARK = "TOO_DARK"
    LINE_DOWN = "LINE_DOWN"  # of at_mm, from the left edge of the scan
    LINES_DOWN = "LINES_DOWN"  # of count: too many to name
    ROWS_HIDDEN = "ROWS_HIDDEN"  # of rows
    SHEET_UNDER = "SHEET_UNDER"  # a corner of another sheet shows


class PictureMessage(Message):
    """A fault of a picture, with its data."""

    __slots__ = ()
    CODES = PictureFault


# a better picture of the paper mends these
RETAKE = frozenset({PictureFault.MARKERS_LOST, PictureFault.ROWS_HIDDEN, PictureFault.TOO_LIGHT, PictureFault.TOO_DARK})
