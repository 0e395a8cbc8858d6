"""What a form looks like, in millimetres: the board sheet, the slips and ballots, and the forms to enter something.

A form is blocks of rows. What the rows are (years, powers, places) is said when it is printed; what stands in a row
the template says: numbers in boxes, boxes to tick, words, signatures.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pipeline.paper.sheet.sheet import Codes, Dots, Markers
from pipeline.paper.sheet.sheet_id import SheetId
from pipeline.words.speech import ENGLISH

FIRST_SLOT = 245  # sheets take 0 to 244, 35 boards of seven powers; the kinds of forms share the last five


class FormKind(StrEnum):
    """The forms there are."""

    BOARD = "board"  # the centres of every year, and signatures
    VOTE = "vote"  # one vote on ending a game
    RATINGS = "ratings"  # what one player thinks of the others
    TEAM = "team"  # who is in a team
    GAME = "game"  # the score sheet of a board game
    SAMPLE = "sample"  # what a player writes once, to show his hand

    @property
    def slot(self) -> int:
        """What the corner markers say: the kind of form; samples share the team entry's, whose markers lie the same."""
        kinds = tuple(FormKind)
        return FIRST_SLOT + kinds.index(FormKind.TEAM if self is FormKind.SAMPLE else self)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormHead:
    """The head of a form. Ends in ``_pt``: points."""

    left: float
    right: float
    title_pt: float
    title_y: float
    about_pt: float
    about_y: float
    id_pt: float
    id_y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FormBars:
    """The bars at both edges, evenly spaced, whatever stands between them."""

    width: float
    height: float
    top: float
    pitch: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """The boxes for digits and ticks."""

    digit_width: float
    digit_height: float
    digit_gap: float
    tick: float
    label_pt: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberColumn:
    """Numbers, one digit a box; ``per`` repeats it for every item of a list, ``step`` mm apart."""

    name: str
    left: float
    digits: int
    least: int
    most: int
    heading: str
    per: str
    step: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceColumn:
    """Boxes of which one is ticked; more than ``across`` of them go on below, ``line`` mm further down."""

    name: str
    left: float
    choices: tuple[str, ...]  # or, where there are none, the items of the list ``per``
    labels: tuple[str, ...]  # what is printed beside each choice
    heading: str
    per: str
    step: float
    across: int
    line: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenColumn:
    """A line to write on: for words, for a signature, or to copy what is printed in front of the row."""

    name: str
    left: float
    width: float
    heading: str
    is_signature: bool
    is_player: bool  # a player's name is written here
    is_copied: bool = False  # the label of the row is written here


Column = NumberColumn | ChoiceColumn | WrittenColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Rows that look alike: one for each item of the list ``each``, or a single one without a name."""

    each: str
    top: float
    pitch: float
    heading_y: float
    label_left: float
    label_width: float
    label_pt: float
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Words printed for people."""

    text: str
    left: float
    y: float
    pt: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FormTemplate:
    """One form and where everything is on it."""

    kind: FormKind
    title: str
    width: float
    height: float
    markers: Markers
    codes: Codes
    head: FormHead
    bars: FormBars
    guide: Dots
    guide_above: float  # the line to write on, above the lower edge of a row
    boxes: Boxes
    remarks: tuple[Remark, ...]
    blocks: tuple[Block, ...]
    lists: Mapping[str, int]  # how many items of each list there is room for
    language: str = ENGLISH  # of its words


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list: what it is called in the answers, and what is printed for people."""

    name: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRequest:
    """One form to print."""

    id: SheetId
    kind: FormKind
    title: str  # the event's name, for people
    about: str  # what it is about, for people: "Round 1  ·  Board 2"
    board: str = ""  # in full, "1.2"; nothing where it is about no board
    power: str = ""  # whose it is; nothing where nobody may know
    phase: str = ""  # of the board, where that matters
    lists: Mapping[str, tuple[Item, ...]] = field(default_factory=dict)
