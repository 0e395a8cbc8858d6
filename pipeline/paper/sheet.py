"""What a printed sheet looks like, in millimetres: the template that a director can edit, and one sheet asked for."""

import re
from collections.abc import Iterator
from random import Random
from typing import Annotated

from msgspec import Struct, field

from pipeline.board import Phase, Power, Step
from pipeline.paper.sheet_rows import AtLeastOne, Design, Length, TargetMeasures, Targets, count_parts
from pipeline.problems import stop
from pipeline.scoring.numbers import Derived, Range
from pipeline.words.speech import ENGLISH

# The name of one printed sheet: what its codes hold and what is printed beside them.
#
# ``WM26-0042-7KQ3F-Q`` is the event's code, a serial that no other sheet of the event has, a token of its own, and a
# check character. Two copies of one event may print the same serial for different sheets: the random token tells them
# apart. Who has one sheet cannot work out the ids of others from it.

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TOKEN_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # no 0, 1, I, O: tokens are typed by hand
TOKEN_LENGTH = 5  # 33,554,432 tokens
LONGEST_EVENT = 16  # letters
LONGEST = 29  # letters of an id: what a version 2 code at level Q holds
SHEET_ID = re.compile(
    rf"([A-Z0-9]{{1,{LONGEST_EVENT}}})-(\d{{4,10}})-(?:([{TOKEN_LETTERS}]{{{TOKEN_LENGTH}}})-)?([A-Z0-9])"
)

PAPER_SIZES = {"A4": (210.0, 297.0), "A5": (148.0, 210.0), "LETTER": (215.9, 279.4)}  # mm, upright


class SheetId(Struct, frozen=True):
    """One sheet of one event.

    >>> str(SheetId("WM26", 42, "7KQ3F"))
    'WM26-0042-7KQ3F-Q'
    >>> SheetId.read("WM26-0042-7KQ3F-Q")
    SheetId(event='WM26', serial=42, token='7KQ3F')
    """

    event: str  # capitals and digits
    serial: int  # 1.., unique in the event
    token: str = ""  # nothing on the test deck, and on sheets from before there were tokens

    @classmethod
    def read(cls, text: str) -> "SheetId":
        """Read an id back; a `ValueError` where it is none, or where the check character is wrong."""
        match = SHEET_ID.fullmatch(text)
        if not match or len(text) > LONGEST:
            raise ValueError(f"{text!r} is not a sheet id; they look like WM26-0042-7KQ3F-Q")
        sheet = cls(match[1], int(match[2]), match[3] or "")
        if str(sheet) != text:
            raise ValueError(f"{text!r} has the check character {match[4]!r}; it should be {str(sheet)[-1]!r}")
        return sheet

    def __str__(self) -> str:
        name = "-".join(filter(None, (self.event, f"{self.serial:04d}", self.token)))
        return f"{name}-{_check_character(name.replace('-', ''))}"


def draw_token(random: Random) -> str:
    """Draw the token of a sheet.

    >>> len(draw_token(Random(1)))
    5
    """
    return "".join(random.choices(TOKEN_LETTERS, k=TOKEN_LENGTH))


def _check_character(text: str) -> str:
    """Work out the check character of ISO 7064 MOD 37,36: it shows every single wrong character and every swap.

    >>> _check_character("A12425GABC1234002")
    'M'
    """
    total = 36
    for character in text:
        total = (total + ALPHABET.index(character)) % 36 or 36
        total = total * 2 % 37
    return ALPHABET[(37 - total) % 36]


# Beginners' sheets: examples of every form of order take the place of some rows.

LEAST_GAP_MM = 5.0  # the reader looks 3 mm below a row for the tails of letters; the letters of the key are 2 mm high


class Example(Struct, frozen=True):
    """One order as it is written, and what it says in plain words."""

    order: str
    meaning: str

    @staticmethod
    def spell_out(value: object) -> object:
        """``["A PAR H", "hold"]`` is short for its fields."""
        if isinstance(value, list) and len(value) == 2:
            return {"order": value[0], "meaning": value[1]}
        raise ValueError(f'expected an order and what it says, such as ["A PAR H", "hold"], found {value!r}')


class Examples(Struct, frozen=True):
    """The examples of one kind of phase, under their heading."""

    heading: str
    lines: tuple[Example, ...]


class Beginners(Struct, frozen=True, kw_only=True):
    """How many rows a beginner's sheet has, and what stands below them. Lengths in mm; ends in ``_pt``: points."""

    movement: AtLeastOne = field(name="movement_rows")
    retreats: AtLeastOne = field(name="retreats_rows")
    adjustments: AtLeastOne = field(name="adjustments_rows")
    gap: Annotated[float, Range(LEAST_GAP_MM, unit="mm of white below the rows")]  # below the last row
    left: Length
    meaning_left: Length
    leading: Length
    text_pt: Length
    key: str  # what the letters and signs are
    examples: Annotated[tuple[Examples, ...], Derived()]  # of movement, retreats and adjustments

    def on(self, step: Step) -> int:
        """How many rows a beginner's sheet of this step has."""
        return {Step.MOVEMENT: self.movement, Step.RETREATS: self.retreats, Step.ADJUSTMENTS: self.adjustments}[step]

    def examples_for(self, step: Step) -> tuple[Examples, ...]:
        """The examples on a sheet: all of them where units move, else only what may be written there."""
        return self.examples if step is Step.MOVEMENT else (self.examples[tuple(Step).index(step)],)

    def height(self, step: Step) -> float:
        """How much paper the examples take, with the key above them, in mm."""
        lines = 1 + sum(1 + len(group.lines) for group in self.examples_for(step))
        return self.gap + lines * self.leading


LEAST_MARKER_MM = 8.0  # 6 mm is too small, 10 mm is right; A5 takes 8
LEAST_PITCH_MM = 9.0  # lower rows make letters of two lines touch
SLOTS = 250  # DICT_5X5_1000 has 1000 markers, four a slot


class Markers(Struct, frozen=True, kw_only=True):
    """The four corner markers."""

    size: Annotated[float, Range(LEAST_MARKER_MM, unit="mm")]
    margin: Length  # from the edges of the paper


class Codes(Struct, frozen=True, kw_only=True):
    """The two codes that hold the sheet's id."""

    top: Length  # side of the one at the top right
    bottom: Length  # side of the one at the bottom left
    gap: Length  # to the marker beside it


class Header(Struct, frozen=True, kw_only=True):
    """The head of the sheet: year, season, game, power, player, signature (NZ99 10). Ends in ``_pt``: points."""

    left: Length
    right: Length
    power_pt: Length
    power_y: Length
    game_pt: Length
    game_y: Length
    id_pt: Length
    id_y: Length
    fields_top: Length
    fields_height: Length
    player_left: Length
    player_width: Length
    signature_left: Length
    signature_width: Length
    label_pt: Length
    alphabet_pt: Length
    alphabet_y: Length


class Rows(Struct, frozen=True, kw_only=True):
    """The rows to write on, and how many a sheet of each step has."""

    top: Length
    pitch: Annotated[float, Range(LEAST_PITCH_MM, unit="mm to write in")]
    left: Length
    right: Length
    inset: Length
    guide_above: Length
    number_pt: Length
    movement: AtLeastOne
    retreats: AtLeastOne
    adjustments: AtLeastOne
    spare: Annotated[int, Range(0)]

    def faults(self) -> Iterator[tuple[str, str]]:
        """What its rows cannot be together: the key, and what to write."""
        for step in Step:
            if self.on(step) <= self.spare:
                text = f"expected more rows than the {self.spare} spare ones, found {self.on(step)}"
                yield step.name.lower(), text

    def on(self, step: Step) -> int:
        return {Step.MOVEMENT: self.movement, Step.RETREATS: self.retreats, Step.ADJUSTMENTS: self.adjustments}[step]


class Bars(Struct, frozen=True, kw_only=True):
    """The timing bars at both ends of every row."""

    width: Length
    height: Length


class Dots(Struct, frozen=True, kw_only=True):
    dot: Length  # diameter
    pitch: Length


class Foot(Struct, frozen=True, kw_only=True):
    left: Length
    top: Length
    leading: Length
    how_pt: Length


class Pad(Struct, frozen=True, kw_only=True):
    """Tick boxes for season and year, on sheets that are printed before the season is known."""

    box: Annotated[float, Range(4, 8, unit="mm")]  # side of a tick box
    label_pt: Length
    first_year: int
    years: Annotated[int, Range(1, 20)]


class SheetWords(Struct, frozen=True, kw_only=True):
    """What is printed for people to read."""

    alphabet: str
    capitals: str
    player: str
    signature: str
    spring: str
    fall: str
    movement: tuple[str, ...]
    retreats: tuple[str, ...]
    adjustments: tuple[str, ...]

    def how(self, step: Step) -> tuple[str, ...]:
        return {Step.MOVEMENT: self.movement, Step.RETREATS: self.retreats, Step.ADJUSTMENTS: self.adjustments}[step]


class RowGrid(Struct, frozen=True):
    """The rows of one kind of sheet."""

    count: int
    pitch: float
    spare: int  # rows that must stay free, else a second sheet is printed


class MarkedPaper(Struct, frozen=True, kw_only=True):
    """Paper with corner markers and codes: of a sheet or of a form."""

    width: Length
    height: Length
    markers: Markers
    codes: Codes


class SheetTemplate(MarkedPaper, frozen=True, kw_only=True):
    """One kind of paper and where everything is on it."""

    name: str
    header: Header
    rows: Rows
    bars: Bars
    guide: Dots
    foot: Foot
    pad: Pad
    words: SheetWords
    language: str = ENGLISH  # of its words, and of all else that is printed for people
    beginners: Beginners | None = None  # None: this template has no sheet for beginners
    targets: TargetMeasures | None = field(
        default=None, name="ballot"
    )  # a block of boxes for each unit; None: this template has no such rows

    @property
    def target_measures(self) -> TargetMeasures:
        """The measures of blocks for units; `Stopped` where the template has none."""
        if self.targets is None:
            raise stop("no table [ballot]; print free lines, or copy the table from the template that ships", self.name)
        return self.targets

    def grid(self, step: Step, *, is_pad: bool = False, for_beginners: bool = False) -> RowGrid:
        """The rows of a sheet: on a pad the years stand where the first would, examples where the last would."""
        count = self.beginners.on(step) if for_beginners and self.beginners else self.rows.on(step)
        return RowGrid(count - is_pad, self.rows.pitch, self.rows.spare)


class SheetRequest(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One sheet to print, as the fact of its printing has it.

    The fact leaves out a field that has its plain default, and always has those with a factory. It has no event's code:
    ``event`` is filled in when it is read, and ``token`` where it was printed when all sheets of a print-out had one.
    """

    event: str = ""
    token: str = ""
    serial: int
    title: str  # the event's name, for people
    round: int
    board: str
    slot: int  # 0..249, tells boards and powers apart by the corner markers alone
    power: Power
    phase: Phase
    player: str = field(default_factory=str)  # printed in the field where it is known
    units: tuple[str, ...] = field(default_factory=lambda: ())  # in their blocks; all the power's units, in order
    due: int = field(default_factory=int)  # builds that the power may make, or units that it must disband
    targets: Targets = field(default_factory=lambda: ())  # where each of these units can go, and whom it can help
    part: int = field(default_factory=lambda: 1)
    parts: int = field(default_factory=lambda: 1)
    design: Design = field(default_factory=lambda: Design.LINE)
    is_pad: bool = field(name="pad", default_factory=bool)  # the player ticks the season; ``phase`` says the step
    for_beginners: bool = field(name="beginners", default_factory=bool)  # with examples of orders, on fewer rows
    live: str = ""  # the address of the public pages, printed as a code; nothing: no code
    pool: str = ""  # that plays at the board

    @property
    def id(self) -> SheetId:
        """What is printed on it, and in its codes."""
        return SheetId(self.event, self.serial, self.token)

    @property
    def occasion(self) -> str:
        """What the sheet is for: "Spring 1901", or "movement pad" where the player ticks the season."""
        return f"{self.phase.step.name.lower()} pad" if self.is_pad else self.phase.in_words


def slot_of(board_index: int, power: Power) -> int:
    """Number a board (0..) and power as the corner markers can show them; after 35 boards the numbers come again.

    >>> slot_of(0, Power.AUSTRIA), slot_of(2, Power.TURKEY), slot_of(36, Power.AUSTRIA)
    (0, 20, 7)
    """
    boards = SLOTS // len(Power)
    return board_index % boards * len(Power) + tuple(Power).index(power)


def parts_for(
    template: SheetTemplate,
    step: Step,
    units: int,
    *,
    is_pad: bool = False,
    for_beginners: bool = False,
    design: Design = Design.LINE,
) -> int:
    """How many sheets a power with so many units needs, continuation sheets included; some rows stay free.

    >>> from pipeline.small_files import data_folder
    >>> from pipeline.paper.load_sheet import read_template
    >>> a4 = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    >>> parts_for(a4, Step.MOVEMENT, 15), parts_for(a4, Step.MOVEMENT, 17)
    (1, 2)
    """
    if design is Design.TARGETS:
        return count_parts(template.target_measures, step, units)
    grid = template.grid(step, is_pad=is_pad, for_beginners=for_beginners)
    return max(1, -(-(units + grid.spare) // grid.count))


# The code on a sheet that a telephone opens: the address of the public pages, and which sheet it is.
# It is in capitals: so a QR code holds half as much again. It does not identify the sheet; the reader ignores it.

PATH = "/LIVE/"
LONGEST_ADDRESS = 60  # letters of an address; with a sheet's id a code of 14 mm has squares of 0.4 mm then
ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
ON_A_SHEET = re.compile(r"https?://[A-Z0-9.-]+(?::[0-9]{1,5})?/LIVE/([A-Z0-9-]+)", re.IGNORECASE)


def address_fault(text: str) -> str:
    """Say what is wrong with an address of the public pages; nothing: it is one.

    >>> address_fault("http://192.168.1.20:8040"), address_fault("https://moot.example.org")
    ('', '')
    >>> address_fault("192.168.1.20")
    "expected an address such as 'http://192.168.1.20:8040', without a path, found '192.168.1.20'"
    >>> [address_fault(f"http://{'x' * letters}") for letters in (53, 54)]
    ['', 'expected at most 60 letters']
    """
    if not ADDRESS.fullmatch(text):
        return (
            f"expected an address such as 'http://192.168.1.20:8040', without a path, found {text[:LONGEST_ADDRESS]!r}"
        )
    return f"expected at most {LONGEST_ADDRESS} letters" if len(text) > LONGEST_ADDRESS else ""


def live_text(address: str, sheet: SheetId) -> str:
    """What the code on a sheet says.

    >>> live_text("http://192.168.1.20:8040", SheetId("WM26", 42))
    'HTTP://192.168.1.20:8040/LIVE/WM26-0042-V'
    """
    return f"{address}{PATH}{sheet}".upper()


def is_live(text: str) -> bool:
    """Whether a code that was read is one for telephones.

    >>> is_live("HTTP://192.168.1.20:8040/LIVE/WM26-0042-V"), is_live("WM26-0042-V"), is_live("https://a.org/LIVE/X")
    (True, False, False)
    """
    match = ON_A_SHEET.fullmatch(text)
    try:
        return match is not None and bool(SheetId.read(match[1].upper()))
    except ValueError:
        return False
