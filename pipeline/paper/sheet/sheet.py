"""What a printed sheet looks like, in millimetres: the template that a director can edit, and one sheet asked for."""

from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.board.position import Phase, Step
from pipeline.paper.sheet.ballot_rows import BallotRows, parts_of
from pipeline.paper.sheet.examples import Beginners
from pipeline.paper.sheet.field_rows import Design, FieldRows
from pipeline.paper.sheet.sheet_id import SheetId
from pipeline.paper.sheet.target_rows import LINES, TargetRows, Targets
from pipeline.problems import stop
from pipeline.words.speech import ENGLISH

SLOTS = 250  # DICT_5X5_1000 has 1000 markers, four a slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """The four corner markers."""

    size: float
    margin: float  # from the edges of the paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """The two codes that hold the sheet's id."""

    top: float  # side of the one at the top right
    bottom: float  # side of the one at the bottom left
    gap: float  # to the marker beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The head of the sheet: year, season, game, power, player, signature (NZ99 10). Ends in ``_pt``: points."""

    left: float
    right: float
    power_pt: float
    power_y: float
    game_pt: float
    game_y: float
    id_pt: float
    id_y: float
    fields_top: float
    fields_height: float
    player_left: float
    player_width: float
    signature_left: float
    signature_width: float
    label_pt: float
    alphabet_pt: float
    alphabet_y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows to write on, and how many a sheet of each step has."""

    top: float
    pitch: float
    left: float
    right: float
    inset: float
    guide_above: float
    units_width: float
    number_pt: float
    unit_pt: float
    movement: int
    retreats: int
    adjustments: int
    spare: int

    def on(self, step: Step) -> int:
        """How many rows a sheet of this step has."""
        return {Step.MOVEMENT: self.movement, Step.RETREATS: self.retreats, Step.ADJUSTMENTS: self.adjustments}[step]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """The timing bars at both ends of every row."""

    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """The dots of a line to write on."""

    dot: float  # diameter
    pitch: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Foot:
    """The instructions at the foot."""

    left: float
    top: float
    leading: float
    how_pt: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """Tick boxes for season and year, on sheets that are printed before the season is known."""

    box: float  # side of a tick box
    label_pt: float
    first_year: int
    years: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetWords:
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
        """The instructions for this step."""
        return {Step.MOVEMENT: self.movement, Step.RETREATS: self.retreats, Step.ADJUSTMENTS: self.adjustments}[step]


@dataclass(frozen=True, slots=True)
class RowGrid:
    """The rows of one kind of sheet."""

    count: int
    pitch: float
    spare: int  # of them stay free before a second sheet is printed
    above: tuple[float, ...] = ()  # further lines of a row: how far above its last


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTemplate:
    """One kind of paper and where everything is on it."""

    name: str
    width: float
    height: float
    markers: Markers
    codes: Codes
    header: Header
    rows: Rows
    bars: Bars
    guide: Dots
    foot: Foot
    pad: Pad
    words: SheetWords
    language: str = ENGLISH  # of its words, and of all else that is printed for people
    beginners: Beginners | None = None  # None: this template has no sheet for beginners
    fields: FieldRows | None = None  # None: this template has no rows of fields
    targets: TargetRows | None = None  # rows of targets as they were printed before there were blocks
    ballot: BallotRows | None = None  # rows of targets: a block for each unit; None: it has no such rows

    @property
    def boxes(self) -> FieldRows:
        """The measures of rows of fields, which a template of an earlier edition does not have."""
        if self.fields is None:
            raise stop("no table [fields]; print free lines, or copy the table from the template that ships", self.name)
        return self.fields

    @property
    def target_rows(self) -> TargetRows:
        """The measures of rows of targets as an earlier edition printed them; still earlier ones had none."""
        if self.targets is None:
            raise stop("no table [ballot]; print free lines, or copy the table from the template that ships", self.name)
        return self.targets

    @property
    def ballot_rows(self) -> BallotRows:
        """The measures of blocks for units, which a template of an earlier edition does not have."""
        if self.ballot is None:
            raise stop("no table [ballot]; print free lines, or copy the table from the template that ships", self.name)
        return self.ballot

    def grid(
        self, step: Step, *, is_pad: bool = False, for_beginners: bool = False, design: Design = Design.LINE
    ) -> RowGrid:
        """The rows of a sheet: on a pad the years stand where the first would, examples where the last would."""
        if design is Design.TARGETS and LINES[step] > 1:
            tall = self.target_rows
            return RowGrid(tall.rows, tall.pitch, tall.spare, (tall.line,))
        count = self.beginners.on(step) if for_beginners and self.beginners else self.rows.on(step)
        return RowGrid(count - is_pad, self.rows.pitch, self.rows.spare)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRequest:
    """One sheet to print."""

    id: SheetId
    title: str  # the event's name, for people
    round: int
    board: str
    slot: int  # 0..249, tells boards and powers apart by the corner markers alone
    power: Power
    phase: Phase
    player: str = ""  # printed in the field where it is known
    units: tuple[str, ...] = ()  # printed in front of the rows where they are given; all the power's units, in order
    targets: Targets = ()  # rows of targets: where each of these units can go, and whom it can help
    due: int = 0  # builds that the power may make, or units that it must disband
    part: int = 1
    parts: int = 1
    is_pad: bool = False  # the season is ticked by the player; of the phase only the step counts
    design: Design = Design.LINE
    for_beginners: bool = False  # with examples of every form of order, on fewer rows
    live: str = ""  # the address of the public pages, printed as a code; nothing: no code

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
    """How many sheets a power with so many units needs, some rows staying free for corrections.

    >>> from pipeline.rules.toml.folders import data_folder
    >>> from pipeline.paper.sheet.load_sheet import read_template
    >>> a4 = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    >>> parts_for(a4, Step.MOVEMENT, 15), parts_for(a4, Step.MOVEMENT, 17)
    (1, 2)
    """
    if design is Design.TARGETS and template.ballot is not None:
        return parts_of(template.ballot, step, units)
    grid = template.grid(step, is_pad=is_pad, for_beginners=for_beginners, design=design)
    return max(1, -(-(units + grid.spare) // grid.count))
