"""What a form looks like, in millimetres: the board sheet, the slips and ballots, and the forms to enter something.

A form is blocks of rows. What the rows are (years, powers, places) is said when it is printed; what stands in a row
the template says: numbers in boxes, boxes to tick, words, signatures.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.ink import Box
from pipeline.paper import sheet_layout
from pipeline.paper.sheet import LEAST_PITCH_MM, PAPER_SIZES, Dots, MarkedPaper, SheetId
from pipeline.paper.sheet_rows import LEAST_TICK_MM, AtLeastOne, Length
from pipeline.paper.target_layout import ID_MM, code_boxes, marker_boxes, round_box, type_box
from pipeline.problems import stop
from pipeline.scoring.numbers import Needed, Range
from pipeline.words.speech import ENGLISH, write_count

INSET = 0.8  # mm above and below what is written on a line
FIRST_SLOT = 245  # sheets take 0 to 244, 35 boards of seven powers; the kinds of forms share the last five


class FormKind(StrEnum):
    """What a form is for."""

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


class FormHead(Struct, frozen=True, kw_only=True):
    """The head of a form. Ends in ``_pt``: points."""

    left: Length
    right: Length
    title_pt: Length
    title_y: Length
    about_pt: Length
    about_y: Length
    id_pt: Length
    id_y: Length


class FormBars(Struct, frozen=True, kw_only=True):
    """The bars at both edges, evenly spaced, whatever stands between them."""

    width: Length
    height: Length
    top: Length
    pitch: Length
    count: Annotated[int, Range(4)]  # to lay the paper straight by


class Boxes(Struct, frozen=True, kw_only=True):
    """The boxes for digits and ticks."""

    digit_width: Annotated[float, Range(4.5, unit="mm to write in")]
    digit_height: Annotated[float, Range(6.0, unit="mm to write in")]  # people write digits 3.5 to 6 mm high
    digit_gap: Annotated[float, Range(1.2, unit="mm")]  # ink that leaves a box is seen before it is in the next
    tick: Annotated[float, Range(LEAST_TICK_MM, 8, unit="mm")]
    label_pt: Length


class FormColumn(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What stands in every row of a block."""

    name: str = ""
    left: Length
    heading: str = ""


class NumberColumn(FormColumn, frozen=True, kw_only=True, tag="number"):
    """Numbers, one digit a box; ``per`` repeats it for every item of a list, ``step`` mm apart."""

    digits: Annotated[int, Range(1, 4)]
    least: Annotated[int, Range(0)]
    most: int
    per: str = ""
    step: Annotated[float, Range(0)] = 0.0
    together: int = 0  # what all numbers of a row come to, where that is known

    def faults(self) -> Iterator[tuple[str, str]]:
        """What its fields cannot be together: the key, and what to write."""
        if not self.least <= self.most < 10**self.digits:
            yield (
                "most",
                f"expected a number of {write_count(self.digits, 'digit')}, {self.least} or more, found {self.most}",
            )
        if self.per and not self.step:
            yield "step", "missing; write how many mm they are apart"


class ChoiceColumn(FormColumn, frozen=True, kw_only=True, tag="choice"):
    """Boxes of which one is ticked; more than ``across`` of them go on below, ``line`` mm further down."""

    choices: tuple[str, ...] = ()  # or, where there are none, the items of the list ``per``
    labels: tuple[str, ...] = ()  # what is printed beside each choice; none: the choices themselves
    per: str = ""
    step: Length
    across: AtLeastOne = 20
    line: float = 1000.0

    def faults(self) -> Iterator[tuple[str, str]]:
        """What its fields cannot be together: the key, and what to write."""
        if bool(self.choices) == bool(self.per):
            yield "choices", "give either the choices, or 'per' with the list that they are taken from"
        if self.labels and len(self.labels) != len(self.choices):
            yield "labels", f"expected one for each of the {len(self.choices)} choices, found {len(self.labels)}"


class WrittenColumn(FormColumn, frozen=True, kw_only=True, tag="words"):
    """A line to write on, one in every row, whatever the lists hold."""

    width: Length
    is_player: bool = False  # a player's name is written here

    def faults(self) -> Iterator[tuple[str, str]]:
        """What its fields cannot be together: the key, and what to write."""
        if not self.name and not isinstance(self, CopiedColumn):
            yield "name", "missing; write what the answer is called"


class SignatureColumn(WrittenColumn, frozen=True, kw_only=True, tag="signature"):
    """A line to sign on."""


class CopiedColumn(WrittenColumn, frozen=True, kw_only=True, tag="copied"):
    """A line on which the label in front of the row is written."""


class Block(Struct, frozen=True, kw_only=True):
    """Rows that look alike: one for each item of the list ``each``, or a single one without a name."""

    each: str = ""
    top: Length
    pitch: Length
    heading_y: Length
    label_left: Length
    label_width: Length
    label_pt: Length
    columns: Annotated[tuple[FormColumn, ...], Needed("what there is to write or to tick, a table [[blocks.columns]]")]

    def faults(self) -> Iterator[tuple[str, str]]:
        """What its fields cannot be together: the key, and what to write."""
        if any(isinstance(column, WrittenColumn) for column in self.columns):
            if self.pitch < LEAST_PITCH_MM:
                yield "pitch", f"expected at least {LEAST_PITCH_MM:g} mm to write in, found {self.pitch:g}"
            headed = any(column.heading for column in self.columns if isinstance(column, WrittenColumn))
            if headed and self.heading_y > self.top + INSET:
                text = f"expected the heading above {self.top + INSET:g} mm, where people write"
                yield "heading_y", f"{text}, found {self.heading_y:g}"


class Remark(Struct, frozen=True, kw_only=True):
    """Words printed for people."""

    text: str
    left: Length
    y: Length
    pt: Length


class FormTemplate(MarkedPaper, frozen=True, kw_only=True):
    """A form as its file in ``templates/sheets/forms`` has it; lengths are mm."""

    kind: FormKind
    title: str
    head: FormHead
    bars: FormBars
    guide: Dots
    guide_above: Length  # the line to write on, above the lower edge of a row
    boxes: Boxes
    remarks: tuple[Remark, ...] = ()
    blocks: tuple[Block, ...] = ()
    lists: Mapping[str, AtLeastOne] = field(default_factory=dict)  # how many items of each list there is room for
    language: str = ENGLISH  # of its words


class Item(Struct, frozen=True, array_like=True):
    """One item of a list: what it is called in the answers, and what is printed for people."""

    name: str
    label: str


class FormRequest(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One form to print, as the fact of its printing has it; ``event`` and ``token`` as for `SheetRequest`."""

    event: str = ""
    token: str = ""
    serial: int
    kind: FormKind
    title: str  # the event's name, for people
    about: str  # what it is about, for people: "Round 1  ·  Board 2"
    board: str = field(default_factory=str)  # in full, "1.2"; nothing where it is about no board
    power: str = field(default_factory=str)  # whose form it is; empty on secret ballots
    phase: str = field(default_factory=str)  # of the board, where that matters
    lists: Mapping[str, tuple[Item, ...]]  # the items of rows, columns and choices; and what its reader must know

    @property
    def id(self) -> SheetId:
        """What is printed on it, and in its codes."""
        return SheetId(self.event, self.serial, self.token)


# Where everything is on a printed form: the geometry that prints a box and cuts it out again.

Lists = Mapping[str, tuple[Item, ...]]
NAMELESS = (Item("", ""),)  # the items of a block or column that is not repeated
CLEAR = 1.5  # mm between a bar and the dotted lines


def place_form(request: FormRequest, template: FormTemplate, page: int = 1) -> sheet_layout.PageLayout:
    """Say where everything is on one form, in millimetres from its own top-left corner."""
    answers = tuple(answers_of(template, request.lists))
    return sheet_layout.PageLayout(
        page=page,
        sheet=str(request.id),
        slot=request.kind.slot,
        board=request.board,
        power=request.power,
        phase=request.phase,
        form=sheet_layout.Form(
            width=template.width,
            height=template.height,
            markers=marker_boxes(template),
            codes=code_boxes(template),
            printed_id=Box(template.head.left - 1, template.head.id_y - 4, ID_MM, 5.5),
            heading=(
                type_box(template.head.left, template.head.right, template.head.title_y, template.head.title_pt),
                type_box(template.head.left, template.head.right, template.head.about_y, template.head.about_pt),
            ),
            bars=tuple(_bars_of(template)),
            fields=tuple(_written_fields(answers)),
            guides=tuple(_guides_of(template, request.lists)),
            ticks=tuple(
                sheet_layout.Field(_tick_name(answer, choice), None, box)
                for answer in answers
                if isinstance(answer, sheet_layout.ChoiceAnswer)
                for choice, box in zip(answer.choices, answer.boxes, strict=True)
            ),
        ),
        answers=answers,
    )


def _tick_name(answer: sheet_layout.ChoiceAnswer, choice: str) -> str:
    """Name one box of several.

    >>> _tick_name(sheet_layout.ChoiceAnswer("FRANCE tactics", 2, ("A", "B"), ()), "B")
    'FRANCE tactics: B'
    """
    return f"{answer.name}: {choice}"


def _written_fields(answers: tuple[sheet_layout.Answer, ...]) -> Iterator[sheet_layout.Field]:
    """The places to write in; the boxes of a number are counted from the left."""
    for answer in answers:
        match answer:
            case sheet_layout.NumberAnswer():
                yield from (
                    sheet_layout.Field(answer.name, place, box) for place, box in enumerate(answer.boxes, start=1)
                )
            case sheet_layout.TextAnswer() | sheet_layout.SignatureAnswer():
                yield sheet_layout.Field(answer.name, None, answer.box)
            case sheet_layout.ChoiceAnswer():
                pass


def _bars_of(template: FormTemplate) -> Iterator[tuple[Box, Box]]:
    """Where the bars are, left and right."""
    bars, margin = template.bars, template.markers.margin
    for number in range(bars.count):
        top = bars.top + number * bars.pitch
        yield (
            round_box(margin, top, bars.width, bars.height),
            round_box(template.width - margin - bars.width, top, bars.width, bars.height),
        )


def block_rows(block: Block, lists: Lists) -> tuple[Item, ...]:
    return lists[block.each] if block.each else NAMELESS


def _guides_of(template: FormTemplate, lists: Lists) -> Iterator[sheet_layout.Guide]:
    """The dotted line under each row, as long as the form is wide: it is written on, and shows how the paper lies."""
    left = template.markers.margin + template.bars.width + CLEAR
    for block in template.blocks:
        for number in range(len(block_rows(block, lists))):
            y = round(block.top + (number + 1) * block.pitch - template.guide_above, 3)
            yield sheet_layout.Guide(left, round(template.width - left, 3), y, template.guide.dot, template.guide.pitch)


def answers_of(template: FormTemplate, lists: Lists) -> Iterator[sheet_layout.Answer]:
    """Everything that can be written on a form, block by block and row by row."""
    number = 0
    for block in template.blocks:
        for row, item in enumerate(block_rows(block, lists)):
            top = block.top + row * block.pitch
            for column in block.columns:
                for answer in _cells(template, block, column, item, top, lists):
                    number += 1
                    yield _number_answer(answer, number)


def _number_answer(answer: sheet_layout.Answer, number: int) -> sheet_layout.Answer:
    """Give an answer its place among the others."""
    match answer:
        case sheet_layout.NumberAnswer():
            return replace(answer, number=number)
        case sheet_layout.ChoiceAnswer(name, _, choices, boxes):
            return sheet_layout.ChoiceAnswer(name, number, choices, boxes)
        case sheet_layout.TextAnswer(name, _, box, is_player, copies):
            return sheet_layout.TextAnswer(name, number, box, is_player, copies)
        case sheet_layout.SignatureAnswer(name, _, box):
            return sheet_layout.SignatureAnswer(name, number, box)


def _cells(
    template: FormTemplate, block: Block, column: FormColumn, item: Item, top: float, lists: Lists
) -> Iterator[sheet_layout.Answer]:
    """What one row has in one column."""
    match column:
        case NumberColumn():
            for place, other in enumerate(lists[column.per] if column.per else NAMELESS):
                boxes = _digit_boxes(template, block, column, top, place)
                name = name_answer(item.name, column.name, other.name)
                yield sheet_layout.NumberAnswer(name, 0, boxes, column.least, column.most, column.together)
        case ChoiceColumn():
            choices = column.choices or tuple(each.name for each in lists[column.per])
            boxes = _tick_places(template, block, column, top, len(choices))
            yield sheet_layout.ChoiceAnswer(name_answer(item.name, column.name), 0, choices, boxes)
        case WrittenColumn():
            box = round_box(column.left, top + INSET, column.width, block.pitch - 2 * INSET)
            name = name_answer(item.name, column.name)
            copies = item.label if isinstance(column, CopiedColumn) else ""
            text = sheet_layout.TextAnswer(name, 0, box, column.is_player, copies)
            yield sheet_layout.SignatureAnswer(name, 0, box) if isinstance(column, SignatureColumn) else text


def name_answer(*parts: str) -> str:
    """Name an answer after its row and its column.

    >>> name_answer("1901", "", "FRANCE"), name_answer("", "game")
    ('1901 FRANCE', 'game')
    """
    return " ".join(part for part in parts if part)


def _digit_boxes(template: FormTemplate, block: Block, column: NumberColumn, top: float, place: int) -> tuple[Box, ...]:
    """The boxes of one number, above the line of its row."""
    boxes = template.boxes
    high = top + (block.pitch - template.guide_above - boxes.digit_height) / 2
    left = column.left + place * column.step
    across = boxes.digit_width + boxes.digit_gap
    return tuple(
        round_box(left + digit * across, high, boxes.digit_width, boxes.digit_height) for digit in range(column.digits)
    )


def _tick_places(template: FormTemplate, block: Block, column: ChoiceColumn, top: float, count: int) -> tuple[Box, ...]:
    side = template.boxes.tick
    high = top + (min(block.pitch, column.line) - template.guide_above - side) / 2
    return tuple(
        round_box(
            column.left + number % column.across * column.step, high + number // column.across * column.line, side, side
        )
        for number in range(count)
    )


# How many forms one page of paper holds, and where they are cut apart.


class Imposed(Struct, frozen=True):
    """A page of paper with its forms."""

    width: float
    height: float
    places: tuple[tuple[float, float], ...]  # the top-left corner of each form, row by row

    @property
    def is_cut(self) -> bool:
        """Whether there are several to cut apart."""
        return len(self.places) > 1


def impose(template: FormTemplate, paper: str) -> Imposed:
    """Lay as many forms on a paper as it holds, upright or across, in the middle.

    >>> from pipeline.small_files import data_folder
    >>> from pipeline.paper.load_form import read_form
    >>> text = (data_folder("templates/sheets/forms") / "vote.toml").read_text("utf-8")
    >>> page = impose(read_form(text, "vote.toml"), "A4")
    >>> page.width, len(page.places)
    (297.0, 4)
    """
    short, long = PAPER_SIZES[paper]
    ways = [_impose_forms(template, width, height) for width, height in ((short, long), (long, short))]
    best = max(ways, key=lambda way: len(way.places))
    if not best.places:
        size = f"{template.width:g} by {template.height:g} mm"
        text = f"a form of {size} does not fit on {paper}; print it on A4 or LETTER with --paper"
        raise stop(text, f"form {template.kind}")
    return best


def _impose_forms(template: FormTemplate, width: float, height: float) -> Imposed:
    """Lay forms on a paper that is held in one way."""
    across, down = int(width // template.width), int(height // template.height)
    left, top = (width - across * template.width) / 2, (height - down * template.height) / 2
    return Imposed(
        width,
        height,
        tuple(
            (round(left + column * template.width, 3), round(top + row * template.height, 3))
            for row in range(down)
            for column in range(across)
        ),
    )
