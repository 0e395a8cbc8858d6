"""The boxes of a sheet's rows: what each stands for in the line, the blocks of units, the ink of what is printed."""

import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Annotated

from msgspec import Struct

from pipeline.board import Step
from pipeline.ink import Box
from pipeline.scoring.numbers import Range

Length = Annotated[float, Range(0, is_above=True)]  # mm, or points
AtLeastOne = Annotated[int, Range(1)]
LEAST_TICK_MM = 4.0  # 5 mm is read best; A5 takes 4.4
LEAST_LINE_MM = 7.4  # a box of 5 mm, and room for a long stroke of the tick in the box below
LEAST_ALONE_MM = 9.0  # of a line in retreats and adjustments, and of a line to write on
LEAST_PLACE_MM = 16.0  # three wide letters of a large hand, 5 mm each


class Design(StrEnum):
    """How the rows of a sheet are made."""

    LINE = "line"  # one free line a row
    TARGETS = "targets"  # printed units, and a box to tick for each place they can go to


class TickBox(Struct, frozen=True):
    """A box to tick: what it is called in the layout, and what it stands for in the line."""

    name: str
    text: str
    label: str  # printed over it


class PlaceBox(Struct, frozen=True):
    """A box to write a place in."""

    name: str


BoxColumn = TickBox | PlaceBox

# Army or fleet and the place of the unit; printed instead where the units are known.
UNIT: tuple[BoxColumn, ...] = (TickBox("A", "A", "A"), TickBox("F", "F", "F"), PlaceBox("unit"))
OF: tuple[BoxColumn, ...] = (TickBox("of A", "A", "A"), TickBox("of F", "F", "F"), PlaceBox("of"))
TO = PlaceBox("to")
VIA = TickBox("via", "VIA", "via")
WAIVE = TickBox("waive", "WAIVE", "waive")


def _sign_box(letter: str) -> TickBox:
    """Make the box of a sign that is one letter, or the dash of a move."""
    return TickBox(letter, letter, "–" if letter == "-" else letter)


# Groups of boxes from left to right; together they can say every order of the step (a named route apart).
GROUPS: dict[Step, tuple[tuple[BoxColumn, ...], ...]] = {
    Step.MOVEMENT: (UNIT, tuple(map(_sign_box, "H-SC")), OF, (TO, VIA)),
    Step.RETREATS: (UNIT, tuple(map(_sign_box, "RD")), (TO,)),
    Step.ADJUSTMENTS: (UNIT, tuple(map(_sign_box, "BD")), (WAIVE,)),
}

# A block: a printed unit, a box to tick for each place it can go to, and for each unit it can help.
#
# Of adjustments: a home centre with a box for each unit that may be built there, or a unit that may be disbanded.

HOLD, SUPPORT, CONVOY, DISBAND = (_sign_box(letter) for letter in "HSCD")
TARGET_OF = PlaceBox("of")


class Target(Struct, frozen=True, array_like=True):
    """A place that a unit can go to without a convoy, a unit that it can help, or a unit that may be built."""

    place: str  # where that is; of a build the whole unit, "F STP/NC"
    word: str  # printed at its box: one that means no other place in this tournament


class Choices(Struct, frozen=True, array_like=True):
    """What one printed unit, or home centre, has boxes for."""

    goes: tuple[Target, ...]  # places, or builds
    helps: tuple[Target, ...] = ()  # units, the likeliest first: as many have a box as there is room for
    can_convoy: bool = True  # of a fleet: there is an army that it may carry
    only_help: int = 0  # of a fleet: so many places, the last ones, it cannot go to, but help another fleet to


Targets = tuple[Choices, ...]  # of each printed unit


class NamedBox(TickBox, frozen=True):
    """A box to tick that has a name over it, of a place or of a unit."""


class TargetBox(NamedBox, frozen=True):
    """A box to tick for one place; what that says depends on the sign that is ticked beside it."""

    goes: str  # how the unit gets there: "-", or "R" where it retreats
    province: str  # what a tick says of an army, which stands on no coast


class HelpedBox(NamedBox, frozen=True):
    """A box to tick for one unit that is supported or carried."""

    place: str  # the unit's, as the boxes for places call it

    @property
    def is_army(self) -> bool:
        """Say whether it is an army: it goes to provinces, not to coasts."""
        return self.text.startswith("A ")


class BuildBox(NamedBox, frozen=True):
    """A box to tick for one unit that is built: its text is the whole order."""


def target_boxes(choices: Choices, step: Step) -> tuple[TargetBox, ...]:
    """Make the boxes for the places that a unit can go to."""
    goes = "R" if step is Step.RETREATS else "-"
    return tuple(TargetBox(c.place, c.word, c.word, goes, c.word.split("/")[0]) for c in choices.goes)


def helped_boxes(choices: Choices) -> tuple[HelpedBox, ...]:
    """Make the boxes for the units that a unit can help.

    >>> helped_boxes(Choices((), (Target("MAR", "A MARS"),)))[0].name
    'of MAR'
    """
    return tuple(HelpedBox(f"{TARGET_OF.name} {c.place}", c.word, c.word, c.place) for c in choices.helps)


# Targets, in blocks of columns: the unit, what it does, whom, and where. Here are the measures and the words of a
# template's table ``[ballot]``, and how the height of a page is shared among the units that are there. The table keeps
# that name, because the ledger keeps whole templates.

LEAST_LABEL_PT = 10.25  # letters 2.6 mm high
COMFORTABLE_MM = 10.0  # a line of boxes: where all have so much, a second free row has room
MOST_FREE = 2  # rows for what has no box


class TargetMeasures(Struct, frozen=True, kw_only=True):
    """The measures and words of blocks for units. Lengths in mm; ends in ``_pt``: points."""

    top: Length  # where the first block begins
    bottom: Length  # where the last row ends at most
    left: Length  # of the blocks
    right: Length
    unit: Length  # width of the units' column
    does: Length  # of what they do in a movement
    acts: Length  # of each box of what they do in retreats and adjustments
    whom: AtLeastOne  # columns of units that can be helped
    whom_width: Annotated[float, Range(LEAST_PLACE_MM, unit="mm to write a place in")]
    goes: AtLeastOne  # columns of places in a movement
    goes_width: Annotated[float, Range(LEAST_PLACE_MM, unit="mm to write a place in")]
    lines: AtLeastOne  # of boxes, in a unit's block of a movement
    retreat_lines: AtLeastOne
    least: Annotated[float, Range(LEAST_LINE_MM, unit="mm")]  # height of a line in a movement
    least_alone: Annotated[float, Range(LEAST_ALONE_MM, unit="mm")]  # of a line in retreats and adjustments
    most: Length  # of a line on a sheet of few units
    above: Length  # room above a block's first line: the tails of ticks go up
    ticks: Annotated[float, Range(LEAST_LINE_MM, unit="mm")]  # height of a free row's line of boxes to tick
    writing: Annotated[float, Range(LEAST_ALONE_MM, unit="mm to write in")]  # and of its line of places to write
    tick: Annotated[float, Range(LEAST_TICK_MM, unit="mm")]  # side of a box to tick
    roomy_tick: Length  # where lines are comfortable
    pad: Length  # from where a column begins to its box
    gap: Length  # from a box to its words
    dot: Length  # how thick the dashes round a box are
    dash: Length  # how long
    dots: Length  # their pitch, at most
    line_dot: Length  # diameter of the dots of a line; thinner ones are lost where a page is rendered and not scanned
    end_dot: Length  # and of the line below a block
    rule_dots: Length  # pitch of the dots between the columns
    bars: Length  # pitch of the timing bars beside the blocks
    unit_pt: Length
    label_pt: Annotated[float, Range(LEAST_LABEL_PT, unit="points, letters 2.6 mm high")]
    head_pt: Length
    small_pt: Length
    how_pt: Length
    how_y: Length  # the line of instruction
    example_y: Length  # the example that is filled in
    example_tick: Length  # side of its boxes
    units: str
    homes: str
    does_what: str
    helps: str
    goes_to: str
    retreats_to: str
    hold: str
    support: str
    convoy: str
    via: str
    other: str
    disband: str
    army: str
    fleet: str
    waive: str
    free: str
    movement: str
    retreats: str
    builds: str  # "{due}" stands for how many
    removals: str
    movement_example: tuple[str, ...]  # words, and boxes to tick: "[x] GAL" is ticked
    retreats_example: tuple[str, ...]
    builds_example: tuple[str, ...]
    removals_example: tuple[str, ...]
    # not in templates that are kept with older prints: these are read as they were printed
    least_squeeze: float = 0.0  # words beside a box that would be narrower take the next box's place, too
    legend_below: float = 0.0  # mm from the last row to what the letters of the free rows mean; 0: at the foot

    def faults(self) -> Iterator[tuple[str, str]]:
        """What its measures cannot be together: the key, and what to write."""
        if self.roomy_tick < self.tick:
            yield "roomy_tick", f"expected at least {self.tick:g} mm, as large as the others, found {self.roomy_tick:g}"
        if self.most < self.least_alone:
            yield "most", f"expected at least {self.least_alone:g} mm, as much as the least, found {self.most:g}"
        room = self.right - self.left
        columns = self.unit + self.does + self.whom * self.whom_width + self.goes * self.goes_width
        if columns > room + 1e-6:
            yield "goes_width", f"the columns take {columns:g} mm, and a row has {room:g}"
        for step in Step:
            if self.most_on(step) < 1:
                yield "top", f"there is no room for one unit on a sheet of {step.name.lower()}"

    @property
    def free_height(self) -> float:
        return self.ticks + self.writing

    def lines_on(self, step: Step) -> int:
        """How many lines of boxes a unit's block has."""
        return {Step.MOVEMENT: self.lines, Step.RETREATS: self.retreat_lines, Step.ADJUSTMENTS: 1}[step]

    def most_on(self, step: Step) -> int:
        """How many blocks a sheet has room for, beside a free row."""
        least = self.above + self.lines_on(step) * (self.least if step is Step.MOVEMENT else self.least_alone)
        return int((self.bottom - self.top - self.free_height + 1e-6) / least)

    def retreat_columns(self) -> int:
        """How many columns of places a row of a retreat sheet has; no column for supported units."""
        return int((self.right - self.left - self.unit - self.acts) / self.goes_width + 1e-6)


def count_parts(measures: TargetMeasures, step: Step, units: int) -> int:
    """How many sheets so many units need, continuation sheets included."""
    return max(1, -(-units // measures.most_on(step)))


def share_of(measures: TargetMeasures, step: Step, units: int, part: int) -> tuple[float, range, range]:
    """Share units evenly among sheets, and the page among the units of one.

    Returns the height of a block in mm, and the numbers, from 1, of the units' rows and of the free ones, which follow
    those of all sheets' units.
    """
    parts = count_parts(measures, step, units)
    counts = [units // parts + (number < units % parts) for number in range(parts)]
    free = [_free_rows(measures, step, count) for count in counts]
    mine, more = counts[part - 1], free[part - 1]
    room = measures.bottom - measures.top - more * measures.free_height
    height = min(room / max(1, mine), measures.above + measures.lines_on(step) * measures.most)
    first, first_free = 1 + sum(counts[: part - 1]), 1 + units + sum(free[: part - 1])
    return round(height, 2), range(first, first + mine), range(first_free, first_free + more)


def _free_rows(measures: TargetMeasures, step: Step, units: int) -> int:
    """How many free rows a sheet of so many units has: two if all lines stay comfortable."""
    needed = units * measures.lines_on(step) * COMFORTABLE_MM
    room = measures.bottom - measures.top - needed
    return max(1, min(MOST_FREE, int(room / measures.free_height)))


MM_PER_PT = 25.4 / 72
CAPITAL = 0.73  # height of Helvetica's capitals, as a share of the type size
ACCENTED = 0.94  # of capitals with an accent: É 0.936, Ü 0.915 (Adobe's metrics)
TAILED, TAIL = frozenset("gjpqy,;()"), 0.22  # letters that go below their line, and how far, as CAPITAL
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

    column: BoxColumn
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
    ink: float = 1.0  # how much ink it has, relative to the same word in 7 points


class Parted(Struct, frozen=True):
    """The boxes of all rows of a sheet, and what is printed round them."""

    cells: tuple[Cell, ...] = ()  # row after row, in the order of the line
    printed: tuple[Box, ...] = ()  # words and letters round the boxes, to be told from ink
    words: tuple[PrintedWord, ...] = ()  # of these, what has no box: units word by word, and captions
    rules: tuple[Stippled, ...] = ()  # between columns
    type: tuple[Type, ...] = ()  # what is printed beside the words of the boxes


def text_width(word: str) -> float:
    """How wide a word is, as a multiple of the type size."""
    return sum(map(_letter_width, word))


def ink_of(cell: Cell) -> float:
    """How much ink the words beside a box leave on a scan, in mm²; 0 where it has none."""
    if not cell.words:
        return 0.0
    type_, ink = cell.words[0], sum(_letter_ink(letter) for word in cell.words for letter in word.text)
    return ink * growth(type_)


def growth(type_: Type) -> float:
    """How much ink letters have, relative to the same letters of 7 points at their full width."""
    return float(type_.squeeze**INK_NARROWS) * float((type_.points / 7) ** INK_GROWS)


def _letter_ink(letter: str) -> float:
    """How much ink a letter has, in mm² at 7 points; small letters stand in no name, and count nothing."""
    bare = _without_accent(letter)
    return BOLD_INK.get(bare, 0.0) + (ACCENT_INK if bare != letter and bare in BOLD_INK else 0.0)


def _height_of(text: str) -> float:
    """How high the letters of a text may be, as a share of the type size: accents stand above capitals."""
    return ACCENTED if any(letter.isupper() and _without_accent(letter) != letter for letter in text) else CAPITAL


@lru_cache(maxsize=512)
def _without_accent(letter: str) -> str:
    """A letter without its accent: as wide, in this type.

    >>> _without_accent("Ü"), _without_accent("é"), _without_accent("–")
    ('U', 'e', '–')
    """
    return letter if letter.isascii() else unicodedata.normalize("NFD", letter)[0]


def _letter_width(letter: str) -> float:
    """How wide a letter is, as a share of the type size (Adobe's metrics of Helvetica bold)."""
    bare = _without_accent(letter)
    return next((width for letters, width in BOLD_WIDTHS.items() if bare in letters), WIDEST)
