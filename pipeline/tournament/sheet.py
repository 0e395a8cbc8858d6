"""What a printed sheet looks like, in millimetres: the template that a director can edit, and one sheet asked for."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from pipeline.board.map import Power
from pipeline.board.position import Phase, Step
from pipeline.problems import Stopped, stop
from pipeline.tournament.field_rows import LEAST_PLACE_MM, LEAST_TICK_MM, Design, FieldRows
from pipeline.tournament.sheet_examples import Beginners, read_beginners
from pipeline.tournament.sheet_id import SheetId
from pipeline.tournament.table import Table

T = TypeVar("T")

LEAST_MARKER_MM = 8.0  # READING 1: 6 mm is too small, 10 mm is right; A5 takes 8
LEAST_PITCH_MM = 9.0  # READING 3
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
class Words:
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
    words: Words
    beginners: Beginners | None = None  # None: this template has no sheet for beginners
    fields: FieldRows | None = None  # None: this template has no rows of fields

    @property
    def boxes(self) -> FieldRows:
        """The measures of rows of fields, which a template of an earlier edition does not have."""
        if self.fields is None:
            raise stop("no table [fields]; print free lines, or copy the table from the template that ships", self.name)
        return self.fields

    def rows_on(self, step: Step, *, is_pad: bool = False, for_beginners: bool = False) -> int:
        """How many rows a sheet has: on a pad the years stand where the first would, examples where the last would."""
        rows = self.beginners.on(step) if for_beginners and self.beginners else self.rows.on(step)
        return rows - is_pad


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
    part: int = 1
    parts: int = 1
    is_pad: bool = False  # the season is ticked by the player; of the phase only the step counts
    design: Design = Design.LINE
    for_beginners: bool = False  # with examples of every form of order, on fewer rows

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
    template: SheetTemplate, step: Step, units: int, *, is_pad: bool = False, for_beginners: bool = False
) -> int:
    """How many sheets a power with so many units needs, some rows staying free for corrections.

    >>> from pipeline.tournament.folders import data_folder
    >>> a4 = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    >>> parts_for(a4, Step.MOVEMENT, 15), parts_for(a4, Step.MOVEMENT, 17)
    (1, 2)
    """
    rows = template.rows_on(step, is_pad=is_pad, for_beginners=for_beginners)
    return max(1, -(-(units + template.rows.spare) // rows))


def read_template(text: str, where: str) -> SheetTemplate:
    """Read a template; every fault at once."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise stop(f"not TOML: {error}", where) from error
    top = Table(values, where)
    paper = top.table("paper")
    template = SheetTemplate(
        name=paper.need("name", str, ""),
        width=paper.need("width", float, 210.0),
        height=paper.need("height", float, 297.0),
        markers=lengths(top.table("markers"), Markers),
        codes=lengths(top.table("codes"), Codes),
        header=lengths(top.table("header"), Header),
        rows=read_rows(top.table("rows")),
        bars=lengths(top.table("bars"), Bars),
        guide=lengths(top.table("guide"), Dots),
        foot=lengths(top.table("foot"), Foot),
        pad=read_pad(top.table("pad")),
        fields=read_fields(top.table("fields")) if "fields" in values else None,
        words=read_words(top.table("words")),
        beginners=read_beginners(top.table("beginners")) if "beginners" in values else None,
    )
    paper.finish()
    check_fits(template, top)
    problems = top.finish()
    if problems:
        raise Stopped(problems)
    return template


def lengths(table: Table, kind: Callable[..., T]) -> T:
    """Read a table whose fields are all lengths."""
    found = kind(**{name: positive(table, name) for name in kind.__annotations__})
    table.finish()
    return found


def positive(table: Table, name: str) -> float:
    """Read one length, which must be more than nothing."""
    value = table.need(name, float, 1.0)
    if value <= 0:
        table.fault(name, f"expected more than 0, found {value:g}")
    return value


def read_rows(table: Table) -> Rows:
    """Read the table of rows, the one that has counts among its lengths."""
    counts = {name: table.need(name, int, 1) for name in ("movement", "retreats", "adjustments", "spare")}
    lengths_here = {name: positive(table, name) for name in Rows.__annotations__ if name not in counts}
    make: Callable[..., Rows] = Rows
    found = make(**lengths_here, **counts)
    for name in ("movement", "retreats", "adjustments"):
        if counts[name] <= found.spare:
            table.fault(name, f"expected more rows than the {found.spare} spare ones, found {counts[name]}")
    table.finish()
    return found


def read_pad(table: Table) -> Pad:
    """Read the table of tick boxes."""
    found = Pad(
        box=positive(table, "box"),
        label_pt=positive(table, "label_pt"),
        first_year=table.need("first_year", int, 1901),
        years=table.need("years", int, 10),
    )
    if not 4 <= found.box <= 8:
        table.fault("box", f"expected 4 to 8 mm, found {found.box:g}")
    if not 1 <= found.years <= 20:
        table.fault("years", f"expected 1 to 20, found {found.years}")
    table.finish()
    return found


def read_fields(table: Table) -> FieldRows:
    """Read the table of the second row design."""
    kinds = FieldRows.__annotations__
    make: Callable[..., FieldRows] = FieldRows
    found = make(
        **{name: positive(table, name) for name, kind in kinds.items() if kind is float},
        **{name: table.need(name, str, "") for name, kind in kinds.items() if kind is str},
        **{name: sentences(table, name) for name in ("movement", "retreats", "adjustments")},
    )
    for name, least in (("tick", LEAST_TICK_MM), ("place", LEAST_PLACE_MM)):
        if getattr(found, name) < least:
            table.fault(name, f"expected at least {least:g} mm, found {getattr(found, name):g}")
    table.finish()
    return found


def read_words(table: Table) -> Words:
    """Read the table of words."""
    found = Words(
        alphabet=table.need("alphabet", str, ""),
        capitals=table.need("capitals", str, ""),
        player=table.need("player", str, ""),
        signature=table.need("signature", str, ""),
        spring=table.need("spring", str, ""),
        fall=table.need("fall", str, ""),
        movement=sentences(table, "movement"),
        retreats=sentences(table, "retreats"),
        adjustments=sentences(table, "adjustments"),
    )
    table.finish()
    return found


def sentences(table: Table, name: str) -> tuple[str, ...]:
    """Read an array of sentences."""
    found = table.need(name, list, [])
    if not all(isinstance(sentence, str) for sentence in found):
        table.fault(name, f"expected an array of strings, found {found!r}")
        return ()
    return tuple(found)


def check_fits(template: SheetTemplate, top: Table) -> None:
    """Refuse a template that no printer or reader could live with."""
    if template.markers.size < LEAST_MARKER_MM:
        top.fault("markers.size", f"expected at least {LEAST_MARKER_MM:g} mm, found {template.markers.size:g}")
    if template.rows.pitch < LEAST_PITCH_MM:
        top.fault("rows.pitch", f"expected at least {LEAST_PITCH_MM:g} mm to write in, found {template.rows.pitch:g}")
    room = template.rows.right - template.rows.left
    for step in Step if template.fields is not None else ():
        wide = template.boxes.width(step)
        if wide > room:
            text = f"the boxes of a row of {step.name.lower()} take {wide:g} mm, and a row has {room:g}"
            top.fault("fields.place", text)
    floor = template.height - template.markers.margin - max(template.markers.size, template.codes.bottom)
    for step in Step:
        foot = template.rows.top + template.rows.on(step) * template.rows.pitch
        if foot > floor:
            name = step.name.lower()
            top.fault(f"rows.{name}", f"the last row ends at {foot:g} mm, below {floor:g} where the markers begin")
    if template.beginners is not None:
        check_examples(template, template.beginners, top)


def check_examples(template: SheetTemplate, beginners: Beginners, top: Table) -> None:
    """Refuse examples that run into the instructions at the foot, or rows of which none is left to write on."""
    floor = template.foot.top - template.foot.leading
    for step in Step:
        name = f"beginners.{step.name.lower()}"
        if beginners.on(step) <= template.rows.spare:
            spare = template.rows.spare
            top.fault(f"{name}_rows", f"expected more rows than the {spare} spare ones, found {beginners.on(step)}")
        end = template.rows.top + beginners.on(step) * template.rows.pitch + beginners.height(step)
        if end > floor:
            top.fault(name, f"the examples end at {end:g} mm, below {floor:g} where the foot begins; have fewer rows")
