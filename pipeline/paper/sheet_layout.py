"""Where everything is on a printed sheet: the geometry that prints a box and cuts it out again."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Step
from pipeline.ink import Box, box_around
from pipeline.paper import target_layout
from pipeline.paper.sheet import RowGrid, SheetRequest, SheetTemplate
from pipeline.paper.sheet_rows import Cell, Design, LaidRow, Parted, Stippled, Targets
from pipeline.words.speech import speech_of

# What can be written on a form: a number in boxes, one tick of several, words, a signature.


class NumberAnswer(Struct, frozen=True):
    """A number, one digit a box."""

    name: str
    number: int  # 1.., its place among the answers of the form: the line it comes back as
    boxes: tuple[Box, ...]
    least: int = 0
    most: int = 9999  # what is less or more is no answer
    together: int = 0  # what all numbers of its row come to, where that is known


class ChoiceAnswer(Struct, frozen=True):
    """One tick where several boxes stand."""

    name: str
    number: int
    choices: tuple[str, ...]
    boxes: tuple[Box, ...]  # one for each choice


class TextAnswer(Struct, frozen=True):
    """A written line, kept as a picture; read only if it names a player or copies printed words."""

    name: str
    number: int
    box: Box
    is_player: bool = False  # the name of a player: the reader gets the names of the roster
    copies: str = ""  # the words that are printed beside it, to be copied


class SignatureAnswer(Struct, frozen=True):
    """A signature: there, or not."""

    name: str
    number: int
    box: Box


Answer = NumberAnswer | ChoiceAnswer | TextAnswer | SignatureAnswer


def answer_boxes(answer: Answer) -> tuple[Box, ...]:
    return answer.boxes if isinstance(answer, NumberAnswer | ChoiceAnswer) else (answer.box,)


def place_of(answer: Answer) -> Box:
    """The part of the form that an answer takes up.

    >>> place_of(NumberAnswer("1901 FRANCE", 1, (Box(10, 20, 5, 8), Box(16, 20, 5, 8))))
    Box(left=10, top=20, width=11, height=8)
    """
    box = box_around(answer_boxes(answer))
    return Box(box.left, box.top, round(box.width, 3), round(box.height, 3))


# The rows of a sheet of lines of one height, from the top of the page down, and the bars beside them.


def _row_boxes(template: SheetTemplate, grid: RowGrid, *, is_pad: bool) -> list[Box]:
    """Where the rows are; on a pad the years take the place of the first."""
    rows = template.rows
    width, height = rows.right - rows.left, grid.pitch - 2 * rows.inset
    return [
        target_layout.round_box(rows.left, rows.top + n * grid.pitch + rows.inset, width, height)
        for n in range(is_pad, is_pad + grid.count)
    ]


def _bar_boxes(template: SheetTemplate, line: float) -> tuple[Box, Box]:
    """Where the two bars beside a line to write on are: beside the middle of a row of one line."""
    margin, bars, rows = template.markers.margin, template.bars, template.rows
    top = line + rows.guide_above - (rows.pitch - 2 * rows.inset) / 2 - bars.height / 2
    return (
        target_layout.round_box(margin, top, bars.width, bars.height),
        target_layout.round_box(template.width - margin - bars.width, top, bars.width, bars.height),
    )


def _above_edge(box: Box, above_edge: float) -> float:
    """A line so far above the lower edge of a box."""
    return round(box.bottom - above_edge, 3)


# Blocks of units divided into boxes, computed on demand.
#
# Every sheet of targets has boxes of its own, 200 and more, and an event prints thousands of sheets: only those that
# were used last are kept.

MOST_KEPT = 64  # sheets


class Parting(Struct, frozen=True):
    """The cache key of a sheet's boxes: all that their layout depends on."""

    template: SheetTemplate
    step: Step
    rows: tuple[LaidRow, ...]
    units: tuple[str, ...]  # of the whole power: unit n is printed in row n
    targets: Targets

    def __hash__(self) -> int:
        return hash((self.step, self.rows[0].number, len(self.rows), self.units))


@lru_cache(maxsize=MOST_KEPT)
def _part_rows(parting: Parting) -> Parted:
    """Divide the rows of a sheet into boxes."""
    template = parting.template
    return target_layout.target_blocks(
        template.name, template.target_measures, parting.step, parting.rows, parting.units, parting.targets
    )


class Field(Struct, frozen=True):
    name: str  # "order", "player", "signature", a box to tick such as "fall" or "1904"; on a form the answer
    row: int | None  # 1.., of an order, counted on over several sheets; on a form the digit, from the left
    box: Box


class Guide(Struct, frozen=True):
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


class Form(Struct, frozen=True, kw_only=True):
    """The geometry of a printed page; `whole` is the part that all sheets with as many units share."""

    width: float
    height: float
    markers: tuple[Box, Box, Box, Box]  # clockwise from the top left
    codes: tuple[Box, Box]  # top right, bottom left
    live: Box | None = None  # the code for telephones, where there is one
    printed_id: Box  # the id as text
    bars: tuple[tuple[Box, Box], ...]  # left and right of the rows
    fields: tuple[Field, ...]
    guides: tuple[Guide, ...]
    ticks: tuple[Field, ...] = ()  # boxes to tick: "spring", "fall", "1901" and so on
    step: Step = Step.MOVEMENT
    parting: Parting | None = None  # where the rows are divided into boxes
    design: Design = Design.LINE
    heading: tuple[Box, ...] = ()  # lines of type above the id: power and occasion, or what a form is and of what

    @property
    def marks(self) -> tuple[Box, ...]:
        """Everything in black squares: the markers, and all codes."""
        return (*self.markers, *self.codes, *((self.live,) if self.live else ()))

    @property
    def rows(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if field.name == "order")

    @property
    def box_layout(self) -> Parted:
        """The boxes of the rows, and what is printed round them."""
        return Parted() if self.parting is None else _part_rows(self.parting)

    @property
    def whole(self) -> "Form":
        """The form without the boxes of its rows, which all sheets with as many units share."""
        return replace(self, parting=None)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The boxes of the rows, row after row, in the order of the line."""
        return self.box_layout.cells

    def cells_of(self, row: int) -> tuple[Cell, ...]:
        """The boxes of one row, in the order of the line; none where the row is a free line."""
        return tuple(cell for cell in self.cells if cell.row == row)

    def has_targets(self, row: int) -> bool:
        """Say whether a row has a box for each thing that its unit can do."""
        return self.parting is not None and row <= len(self.parting.targets)

    @property
    def units(self) -> tuple[str, ...]:
        """The units that are printed in their blocks, by the numbers of the rows."""
        return () if self.parting is None else self.parting.units

    def unit_of(self, row: int) -> str:
        """The unit that is printed in a row, if there is one."""
        return self.units[row - 1] if row <= len(self.units) else ""

    @property
    def edges(self) -> tuple[Stippled, ...]:
        """The dotted edges of the boxes, and the rules between columns."""
        return (*(edge for cell in self.cells for edge in cell.edges), *self.box_layout.rules)

    @property
    def to_fill(self) -> tuple[Field | Cell, ...]:
        """All places to write in: where a row has boxes, these and not the row."""
        written = self.fields if self.parting is None else tuple(f for f in self.fields if f.name != "order")
        return (*written, *self.cells, *self.ticks)

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)


class PageLayout(Struct, frozen=True, kw_only=True):
    """One printed page: which sheet it is, and where everything is on it."""

    page: int  # 1.., in the printed file
    sheet: str  # the id in the codes
    slot: int
    board: str
    power: str
    phase: str  # "" where the player ticks it
    form: Form
    answers: tuple[Answer, ...] = ()  # what is written on a form; a sheet has rows for orders instead
    headed: str = ""  # the power as it is printed, letters without accents: ``OSTERREICH``

    @property
    def marker_ids(self) -> tuple[int, int, int, int]:
        """The numbers of the corner markers, clockwise from the top left."""
        first = 4 * self.slot
        return first, first + 1, first + 2, first + 3

    def as_json(self) -> dict[str, Any]:
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


class Layout(Struct, frozen=True):
    """All the pages of one printed file."""

    pages: tuple[PageLayout, ...]

    def as_json(self) -> dict[str, Any]:
        """The layout as ``ordersheets sheets --layout`` writes it."""
        return {"pages": [page.as_json() for page in self.pages]}


def layout(requests: Iterable[SheetRequest], template: SheetTemplate) -> Layout:
    """Say where everything is on the pages that these requests print, in order; `Stopped` where there is no room."""
    pages = tuple(place_fields(request, template, page) for page, request in enumerate(requests, start=1))
    for page in pages:
        _ = page.form.cells  # worked out now, so that nothing is printed that cannot be
    return Layout(pages)


def place_fields(request: SheetRequest, template: SheetTemplate, page: int = 1) -> PageLayout:
    whole = _with_boxes(request, template)
    return PageLayout(
        page=page,
        sheet=str(request.id),
        slot=request.slot,
        board=request.board,
        power=str(request.power),
        phase="" if request.is_pad else str(request.phase),
        form=replace(whole, live=_live_box_of(template)) if request.live else whole,
        headed=_without_accents(speech_of(template.language).power(request.power).upper()),
    )


def _without_accents(word: str) -> str:
    """A word with plain letters.

    >>> _without_accents("ÖSTERREICH")
    'OSTERREICH'
    """
    return unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()


def _live_box_of(template: SheetTemplate) -> Box:
    """Where the code for telephones is on a sheet."""
    marks, codes = template.markers, template.codes
    left = template.width - marks.margin - marks.size - codes.gap - codes.bottom
    return Box(round(left, 3), round(template.height - marks.margin - codes.bottom, 3), codes.bottom, codes.bottom)


def _with_boxes(request: SheetRequest, template: SheetTemplate) -> Form:
    """Say what one sheet shares with others, and the boxes of its rows."""
    step = request.phase.step
    if request.design is Design.LINE:
        return _sheet_form(template, step, request.part, is_pad=request.is_pad, for_beginners=request.for_beginners)
    plain, rows = _target_form(template, step, len(request.units), request.part)
    return replace(plain, design=request.design, parting=Parting(template, step, rows, request.units, request.targets))


@lru_cache(maxsize=64)
def _sheet_form(
    template: SheetTemplate,
    step: Step,
    part: int,
    *,
    is_pad: bool,
    for_beginners: bool,
) -> Form:
    """Work out the geometry of one template, step and part."""
    grid = template.grid(step, is_pad=is_pad, for_beginners=for_beginners)
    boxes = _row_boxes(template, grid, is_pad=is_pad)
    lines = [(box, _above_edge(box, template.rows.guide_above)) for box in boxes]
    dots = template.guide
    return _build_form(
        template,
        step,
        [((part - 1) * len(boxes) + n, box) for n, box in enumerate(boxes, start=1)],
        [Guide(b.left, b.right, y, dots.dot, dots.pitch) for b, y in lines],
        tuple(_bar_boxes(template, y) for _, y in lines),
        ticks=_tick_boxes(template, step) if is_pad else (),
    )


@lru_cache(maxsize=64)
def _target_form(template: SheetTemplate, step: Step, units: int, part: int) -> tuple[Form, tuple[LaidRow, ...]]:
    """Work out what all sheets of blocks share that have as many units, and their rows."""
    measures, dots = template.target_measures, template.guide
    rows = target_layout.target_lines(measures, step, units, part)
    lines = (
        (y, measures.end_dot if is_last else measures.line_dot)
        for row in rows
        for y, is_last in target_layout.dotted_lines(row)
    )
    return _build_form(
        template,
        step,
        [(row.number, row.box) for row in rows],
        [Guide(measures.left, measures.right, y, dot, dots.pitch) for y, dot in lines],
        target_layout.target_bars(template, measures),
    ), rows


def _build_form(
    template: SheetTemplate,
    step: Step,
    rows: Iterable[tuple[int, Box]],
    lines: Iterable[Guide],
    bars: tuple[tuple[Box, Box], ...],
    ticks: tuple[Field, ...] = (),
) -> Form:
    """Put the numbered rows of a sheet, and the lines and bars beside them, into what all sheets have."""
    head, header, dots = template.header, _make_header_fields(template), template.guide
    return Form(
        width=template.width,
        height=template.height,
        markers=target_layout.marker_boxes(template),
        codes=target_layout.code_boxes(template),
        printed_id=Box(head.left - 1, head.id_y - 4, target_layout.ID_MM, 5.5),
        heading=(
            target_layout.type_box(head.left, head.right, head.power_y, head.power_pt),
            target_layout.type_box(head.left, head.right, head.game_y, head.game_pt),
        ),
        bars=bars,
        fields=(*header, *(Field("order", number, box) for number, box in rows)),
        guides=(
            *(Guide(f.box.left, f.box.right, _above_edge(f.box, 1.0), dots.dot, dots.pitch) for f in header),
            *lines,
        ),
        ticks=ticks,
        step=step,
    )


def _tick_boxes(template: SheetTemplate, step: Step) -> tuple[Field, ...]:
    """Where season and year are ticked; adjustments are always in winter."""
    head, rows, pad = template.header, template.rows, template.pad
    seasons = () if step is Step.ADJUSTMENTS else ("spring", "fall")
    wide = (head.right - head.left) / 4
    narrow = (rows.right - rows.left) / pad.years
    across = [
        *((name, head.left + n * wide, head.game_y - 0.85 * pad.box) for n, name in enumerate(seasons)),
        *((str(pad.first_year + n), rows.left + n * narrow, rows.top + 1.0) for n in range(pad.years)),
    ]
    return tuple(Field(name, None, target_layout.round_box(left, top, pad.box, pad.box)) for name, left, top in across)


def _make_header_fields(template: SheetTemplate) -> tuple[Field, Field]:
    """Where the player's name and signature go."""
    head = template.header
    return (
        Field("player", None, Box(head.player_left, head.fields_top, head.player_width, head.fields_height)),
        Field("signature", None, Box(head.signature_left, head.fields_top, head.signature_width, head.fields_height)),
    )
