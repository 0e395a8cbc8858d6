"""Where everything is on a printed sheet: the geometry that prints a box and cuts it out again."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pipeline.board.position import Step
from pipeline.ink import Box
from pipeline.tournament.answers import Answer
from pipeline.tournament.cell_layout import Cell, Stippled, head_box, unit_boxes
from pipeline.tournament.field_rows import Design
from pipeline.tournament.paper_layout import ID_MM, code_boxes, marker_boxes, rounded, type_box
from pipeline.tournament.row_layout import cells, lines_of
from pipeline.tournament.sheet import Grid, SheetRequest, SheetTemplate
from pipeline.tournament.target_rows import TargetBox, Targets


@dataclass(frozen=True, slots=True)
class Field:
    """A place to write in."""

    name: str  # "order", "player", "signature", a season
    row: int | None  # 1.., rows only; it goes on counting on a second sheet
    box: Box


@dataclass(frozen=True, slots=True)
class Guide:
    """A dotted line to write on."""

    left: float
    right: float
    y: float
    dot: float  # diameter
    pitch: float

    @property
    def dots(self) -> tuple[float, ...]:
        """Where the dots are, from the left."""
        return tuple(self.left + n * self.pitch for n in range(int((self.right - self.left) / self.pitch) + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The geometry that all sheets of one template, step and part share."""

    width: float
    height: float
    markers: tuple[Box, Box, Box, Box]  # clockwise from the top left
    codes: tuple[Box, Box]  # top right, bottom left
    printed_id: Box  # the id as text
    bars: tuple[tuple[Box, Box], ...]  # left and right of each row, or of each of its lines
    above: tuple[float, ...] = ()  # further lines of a row: how far above its last
    fields: tuple[Field, ...]
    guides: tuple[Guide, ...]
    ticks: tuple[Field, ...] = ()  # boxes to tick: "spring", "fall", "1901" and so on
    step: Step = Step.MOVEMENT
    cells: tuple[Cell, ...] = ()  # the boxes of rows of fields or targets, row after row, from the left
    printed: tuple[Box, ...] = ()  # words and letters round the boxes, to be told from ink
    units: tuple[str, ...] = ()  # printed in rows of fields or targets in place of their first boxes, by row
    unit_words: tuple[tuple[Box, str], ...] = ()  # each of their words, and its place
    design: Design = Design.LINE
    heading: tuple[Box, ...] = ()  # lines of type above the id: power and occasion, or what a form is and of what

    @property
    def rows(self) -> tuple[Field, ...]:
        """The rows for orders."""
        return tuple(field for field in self.fields if field.name == "order")

    @property
    def lines(self) -> int:
        """How many lines a row has."""
        return 1 + len(self.above)

    def cells_of(self, row: int) -> tuple[Cell, ...]:
        """The boxes of one row, from the left; none where the row is a free line."""
        return tuple(cell for cell in self.cells if cell.row == row)

    def has_targets(self, row: int) -> bool:
        """Say whether a row has a box for each place that its unit can go to."""
        return any(isinstance(cell.column, TargetBox) for cell in self.cells_of(row))

    def unit_of(self, row: int) -> str:
        """The unit that is printed in a row of fields, if there is one."""
        return self.units[row - 1] if row <= len(self.units) else ""

    @property
    def edges(self) -> tuple[Stippled, ...]:
        """The dotted edges of the boxes of rows of fields or targets."""
        return tuple(edge for cell in self.cells for edge in cell.edges)

    @property
    def to_fill(self) -> tuple[Field | Cell, ...]:
        """All places to write in: where a row has boxes, these and not the row."""
        written = self.fields if not self.cells else tuple(f for f in self.fields if f.name != "order")
        return (*written, *self.cells, *self.ticks)

    def field(self, name: str) -> Field | None:
        """Find a field of the header."""
        return next((field for field in self.fields if field.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLayout:
    """One printed page: which sheet it is, and where everything is on it."""

    page: int  # 1.., in the printed file
    sheet: str  # the id in the codes
    slot: int
    board: str
    power: str
    phase: str  # "" where the player ticks it
    form: Form
    answers: tuple[Answer, ...] = ()  # what is written on a form; a sheet has rows for orders instead

    @property
    def marker_ids(self) -> tuple[int, int, int, int]:
        """The numbers of the corner markers, clockwise from the top left."""
        first = 4 * self.slot
        return first, first + 1, first + 2, first + 3

    def as_json(self) -> dict[str, Any]:
        """The page as the contract has it."""
        return {
            "page": self.page,
            "sheet": self.sheet,
            "board": self.board,
            "power": self.power,
            "phase": self.phase,
            "size_mm": [self.form.width, self.form.height],
            "fields": [
                {"name": f.name, "row": f.row, "box_mm": [f.box.left, f.box.top, f.box.width, f.box.height]}
                for f in self.form.to_fill
            ],
        }


@dataclass(frozen=True, slots=True)
class Layout:
    """All the pages of one printed file."""

    pages: tuple[PageLayout, ...]

    def as_json(self) -> dict[str, Any]:
        """The layout as ``ordersheets sheets --layout`` writes it."""
        return {"pages": [page.as_json() for page in self.pages]}


def layout(requests: Iterable[SheetRequest], template: SheetTemplate) -> Layout:
    """Say where everything is on the pages that these requests print, in their order."""
    return Layout(tuple(place(request, template, page) for page, request in enumerate(requests, start=1)))


def place(request: SheetRequest, template: SheetTemplate, page: int = 1) -> PageLayout:
    """Say where everything is on one sheet."""
    has_fields = request.design is not Design.LINE
    plain = form(
        template,
        request.phase.step,
        request.part,
        bool(request.units) and not has_fields,
        is_pad=request.is_pad,
        for_beginners=request.for_beginners,
        design=request.design,
    )
    return PageLayout(
        page=page,
        sheet=str(request.id),
        slot=request.slot,
        board=request.board,
        power=str(request.power),
        phase="" if request.is_pad else str(request.phase),
        form=with_cells(plain, template, request.design, request.units, request.targets) if has_fields else plain,
    )


@lru_cache(maxsize=64)
def form(
    template: SheetTemplate,
    step: Step,
    part: int,
    units_printed: bool,
    *,
    is_pad: bool = False,
    for_beginners: bool = False,
    design: Design = Design.LINE,
) -> Form:
    """Work out the geometry of one template, step and part."""
    grid = template.grid(step, is_pad=is_pad, for_beginners=for_beginners, design=design)
    boxes = row_boxes(template, grid, units_printed=units_printed, is_pad=is_pad)
    orders = [Field("order", (part - 1) * len(boxes) + n, box) for n, box in enumerate(boxes, start=1)]
    header = header_fields(template)
    dots = template.guide
    lines = [(box, below(box, template.rows.guide_above + up)) for box in boxes for up in (*grid.above, 0.0)]
    return Form(
        width=template.width,
        height=template.height,
        markers=marker_boxes(template),
        codes=code_boxes(template),
        printed_id=Box(template.header.left - 1, template.header.id_y - 4, ID_MM, 5.5),
        heading=(
            type_box(template.header.left, template.header.right, template.header.power_y, template.header.power_pt),
            type_box(template.header.left, template.header.right, template.header.game_y, template.header.game_pt),
        ),
        bars=tuple(bar_boxes(template, y) for _, y in lines),
        above=grid.above,
        fields=(*header, *orders),
        guides=(
            *(Guide(f.box.left, f.box.left + f.box.width, below(f.box, 1.0), dots.dot, dots.pitch) for f in header),
            *(Guide(b.left, b.left + b.width, y, dots.dot, dots.pitch) for b, y in lines),
        ),
        ticks=tick_boxes(template, step) if is_pad else (),
        step=step,
    )


@lru_cache(maxsize=64)
def with_cells(plain: Form, template: SheetTemplate, design: Design, units: tuple[str, ...], targets: Targets) -> Form:
    """Part the rows of a sheet into boxes; a unit that is printed needs none."""
    rows = {row.row: row.box for row in plain.rows if row.row is not None}
    found = tuple(cells(template, plain.step, list(rows.items()), plain.above, units, targets))
    printed = [head_box(plain.rows[0].box, template)]
    named = [(rows[number], unit) for number, unit in enumerate(units, start=1) if number in rows]
    lines = [(lines_of(row, plain.above)[0], unit) for row, unit in named]
    words = tuple(word for line, unit in lines for word in unit_boxes(line, unit, template.rows))
    printed += [box for box, _ in words]
    printed += [cell.label for cell in found if cell.label is not None]
    return replace(
        plain,
        cells=found,
        printed=tuple(printed),
        units=units,
        unit_words=words,
        design=design,
    )


def row_boxes(template: SheetTemplate, grid: Grid, *, units_printed: bool, is_pad: bool) -> list[Box]:
    """Where the rows are; on a pad the years take the place of the first."""
    rows = template.rows
    left = rows.left + (rows.units_width if units_printed else 0)
    return [
        rounded(left, rows.top + n * grid.pitch + rows.inset, rows.right - left, grid.pitch - 2 * rows.inset)
        for n in range(is_pad, is_pad + grid.count)
    ]


def tick_boxes(template: SheetTemplate, step: Step) -> tuple[Field, ...]:
    """Where season and year are ticked; adjustments are always in winter."""
    head, rows, pad = template.header, template.rows, template.pad
    seasons = () if step is Step.ADJUSTMENTS else ("spring", "fall")
    wide = (head.right - head.left) / 4
    narrow = (rows.right - rows.left) / pad.years
    across = [
        *((name, head.left + n * wide, head.game_y - 0.85 * pad.box) for n, name in enumerate(seasons)),
        *((str(pad.first_year + n), rows.left + n * narrow, rows.top + 1.0) for n in range(pad.years)),
    ]
    return tuple(Field(name, None, rounded(left, top, pad.box, pad.box)) for name, left, top in across)


def header_fields(template: SheetTemplate) -> tuple[Field, Field]:
    """Where the player's name and signature go."""
    head = template.header
    return (
        Field("player", None, Box(head.player_left, head.fields_top, head.player_width, head.fields_height)),
        Field("signature", None, Box(head.signature_left, head.fields_top, head.signature_width, head.fields_height)),
    )


def bar_boxes(template: SheetTemplate, line: float) -> tuple[Box, Box]:
    """Where the two bars beside a line to write on are: beside the middle of a row of one line."""
    margin, bars, rows = template.markers.margin, template.bars, template.rows
    top = line + rows.guide_above - (rows.pitch - 2 * rows.inset) / 2 - bars.height / 2
    return (
        rounded(margin, top, bars.width, bars.height),
        rounded(template.width - margin - bars.width, top, bars.width, bars.height),
    )


def below(box: Box, above_edge: float) -> float:
    """A line so far above the lower edge of a box."""
    return round(box.top + box.height - above_edge, 3)
