"""Boxes to tick and to write in, in millimetres, and what is printed round them: how wide it is, and its ink."""

import unicodedata
from functools import lru_cache

from msgspec import Struct

from pipeline.ink import Box
from pipeline.paper.sheet_rows import (
    Column,
)

MM_PER_PT = 25.4 / 72
CAPITAL = 0.73  # height of Helvetica's capitals, of the type size
ACCENTED = 0.94  # of capitals with an accent: É 0.936, Ü 0.915 (Adobe's metrics)
TAILED, TAIL = frozenset("gjpqy,;()"), 0.22  # letters that go below their line, and how far, of the type size
BOLD_WIDTHS = {
    "I/ ijl": 0.278,
    "ft": 0.333,
    "r": 0.389,
    "z": 0.5,
    "Jacekyvxs–": 0.556,
    "FLTZbdghnopqu": 0.611,
    "EPSVXY": 0.667,
    "ABCDHKNRU": 0.722,
    "GOQw": 0.778,
    "M": 0.833,
    "m": 0.889,
    "W": 0.944,
}
WIDEST = 1.0  # of a letter that is not named here
BOLD_INK = {  # mm² of ink at 7 points, a scanner's blur and all: fitted to 3,576 labels on 60 scans
    "A": 1.96,
    "B": 2.59,
    "C": 2.25,
    "D": 2.49,
    "E": 2.37,
    "F": 1.90,
    "G": 2.59,
    "H": 2.34,
    "I": 0.92,
    "J": 1.49,
    "K": 2.26,
    "L": 1.54,
    "M": 2.93,
    "N": 2.45,
    "O": 2.44,
    "P": 2.04,
    "Q": 2.58,
    "R": 2.44,
    "S": 2.38,
    "T": 1.61,
    "U": 2.24,
    "V": 1.89,
    "W": 3.04,
    "X": 2.03,
    "Y": 1.57,
    "Z": 2.08,
    "/": 1.0,
}
ACCENT_INK = 0.25  # mm² at 7 points, as those above: two dots, or a stroke
INK_NARROWS = 0.68  # exponent of the squeeze: 0.86 times as much ink at 0.8
INK_GROWS = 1.93  # exponent of the size: 2.11 times as much ink at 10.3 points
AROUND_MM = 0.4  # of white around what is printed


class Stippled(Struct, frozen=True):
    """A dotted edge of a box, across or down; its dots may be as long as dashes."""

    left: float
    top: float
    length: float
    pitch: float
    is_upright: bool
    dash: float = 0.0  # how long a dot is along the edge; 0: as long as it is thick

    @property
    def dots(self) -> tuple[tuple[float, float], ...]:
        """Where its dots are: from the left, and from the top."""
        along = [n * self.pitch for n in range(self.count)]
        return tuple((self.left, self.top + at) if self.is_upright else (self.left + at, self.top) for at in along)

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where its first and its last dot are."""
        at = (self.count - 1) * self.pitch
        return (self.left, self.top), (self.left, self.top + at) if self.is_upright else (self.left + at, self.top)

    @property
    def count(self) -> int:
        """How many dots it has."""
        return round(self.length / self.pitch) + 1


class Type(Struct, frozen=True):
    """One line of print, from the left."""

    text: str
    left: float
    base: float  # the line that its letters stand on
    points: float
    is_bold: bool = True
    grey: float = 0.0
    squeeze: float = 1.0  # how wide its letters are, against what they are in the font

    @property
    def box(self) -> Box:
        """The room of bold letters, with some white around."""
        size = self.points * MM_PER_PT
        wide, high = text_width(self.text) * size * self.squeeze, _height_of(self.text) * size
        deep = TAIL * size if TAILED.intersection(self.text) else 0.0
        top, tall = self.base - high - AROUND_MM, high + deep + 2 * AROUND_MM
        return Box(*(round(edge, 3) for edge in (self.left - AROUND_MM, top, wide + 2 * AROUND_MM, tall)))


class Cell(Struct, frozen=True):
    """One box of a row."""

    column: Column
    row: int  # 1.., as it is printed
    line: Box  # what it stands in: the whole row, or one of its lines
    box: Box  # where to write or to tick
    label: Box | None  # the room for the words beside it; nothing else is printed there
    edges: tuple[Stippled, ...]
    words: tuple[Type, ...] = ()  # those beside it

    @property
    def name(self) -> str:
        """The name of the box in the layout."""
        return self.column.name


class LaidRow(Struct, frozen=True):
    """One row of a sheet: a unit's, or one for what has no box."""

    number: int  # 1.., as it is printed
    box: Box
    lines: tuple[Box, ...]  # from the top


class PrintedWord(Struct, frozen=True):
    """A printed word that names no box."""

    box: Box
    text: str
    ink: float = 1.0  # how much ink it has, relative to the same word in the usual size


class Parted(Struct, frozen=True):
    """The boxes of all rows of a sheet, and what is printed round them."""

    cells: tuple[Cell, ...] = ()  # row after row, in the order of the line
    printed: tuple[Box, ...] = ()  # words and letters round the boxes, to be told from ink
    words: tuple[PrintedWord, ...] = ()  # of these, what has no box: units word by word, and captions
    rules: tuple[Stippled, ...] = ()  # between columns
    type: tuple[Type, ...] = ()  # what is printed beside the words of the boxes


def text_width(word: str) -> float:
    """How wide a word is, of the type size."""
    return sum(map(_letter_width, word))


def ink_of(cell: Cell) -> float:
    """How much ink the letters of a box's name have, beside those of another."""
    if not cell.words:
        return 0.0
    type_, ink = cell.words[0], sum(_letter_ink(letter) for word in cell.words for letter in word.text)
    return ink * growth(type_)


def growth(type_: Type) -> float:
    """How much ink letters have, relative to the same letters of 7 points at their full width."""
    return float(type_.squeeze**INK_NARROWS) * float((type_.points / 7) ** INK_GROWS)


def _letter_ink(letter: str) -> float:
    """How much ink a letter has; small ones stand in no name."""
    bare = _without_accent(letter)
    return BOLD_INK.get(bare, 0.0) + (ACCENT_INK if bare != letter and bare in BOLD_INK else 0.0)


def _height_of(text: str) -> float:
    """How high the letters of a text may be, of the type size: accents stand above capitals."""
    return ACCENTED if any(letter.isupper() and _without_accent(letter) != letter for letter in text) else CAPITAL


@lru_cache(maxsize=512)
def _without_accent(letter: str) -> str:
    """A letter without its accent: as wide, in this type.

    >>> _without_accent("Ü"), _without_accent("é"), _without_accent("–")
    ('U', 'e', '–')
    """
    return letter if letter.isascii() else unicodedata.normalize("NFD", letter)[0]


def _letter_width(letter: str) -> float:
    """How wide a letter of a printed unit or place is, of the type size (Adobe's metrics of Helvetica bold)."""
    bare = _without_accent(letter)
    return next((width for letters, width in BOLD_WIDTHS.items() if bare in letters), WIDEST)
