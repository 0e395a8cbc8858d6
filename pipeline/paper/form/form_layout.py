"""Where everything is on a printed form: the geometry that prints a box and cuts it out again."""

from collections.abc import Iterator, Mapping

from pipeline.ink import Box
from pipeline.paper.form.form import (
    Block,
    ChoiceColumn,
    Column,
    FormRequest,
    FormTemplate,
    Item,
    NumberColumn,
    WrittenColumn,
)
from pipeline.paper.layout.answers import Answer, ChoiceAnswer, NumberAnswer, SignatureAnswer, TextAnswer
from pipeline.paper.layout.paper_layout import ID_MM, code_boxes, marker_boxes, rounded, type_box
from pipeline.paper.layout.sheet_layout import Field, Form, Guide, PageLayout

Lists = Mapping[str, tuple[Item, ...]]
NAMELESS = (Item("", ""),)  # the one row, or the one column, of what is not repeated
INSET = 0.8  # mm above and below what is written on a line
CLEAR = 1.5  # mm between a bar and the dotted lines


def place_form(request: FormRequest, template: FormTemplate, page: int = 1) -> PageLayout:
    """Say where everything is on one form, in millimetres from its own top-left corner."""
    answers = tuple(answers_of(template, request.lists))
    return PageLayout(
        page=page,
        sheet=str(request.id),
        slot=request.kind.slot,
        board=request.board,
        power=request.power,
        phase=request.phase,
        form=Form(
            width=template.width,
            height=template.height,
            markers=marker_boxes(template),
            codes=code_boxes(template),
            printed_id=Box(template.head.left - 1, template.head.id_y - 4, ID_MM, 5.5),
            heading=(
                type_box(template.head.left, template.head.right, template.head.title_y, template.head.title_pt),
                type_box(template.head.left, template.head.right, template.head.about_y, template.head.about_pt),
            ),
            bars=tuple(bars_of(template)),
            fields=tuple(written_fields(answers)),
            guides=tuple(guides_of(template, request.lists)),
            ticks=tuple(
                Field(tick_name(answer, choice), None, box)
                for answer in answers
                if isinstance(answer, ChoiceAnswer)
                for choice, box in zip(answer.choices, answer.boxes, strict=True)
            ),
        ),
        answers=answers,
    )


def tick_name(answer: ChoiceAnswer, choice: str) -> str:
    """Name one box of several.

    >>> tick_name(ChoiceAnswer("FRANCE tactics", 2, ("A", "B"), ()), "B")
    'FRANCE tactics: B'
    """
    return f"{answer.name}: {choice}"


def written_fields(answers: tuple[Answer, ...]) -> Iterator[Field]:
    """The places to write in; the boxes of a number are counted from the left."""
    for answer in answers:
        match answer:
            case NumberAnswer():
                yield from (Field(answer.name, place, box) for place, box in enumerate(answer.boxes, start=1))
            case TextAnswer() | SignatureAnswer():
                yield Field(answer.name, None, answer.box)
            case ChoiceAnswer():
                pass


def bars_of(template: FormTemplate) -> Iterator[tuple[Box, Box]]:
    """Where the bars are, left and right."""
    bars, margin = template.bars, template.markers.margin
    for number in range(bars.count):
        top = bars.top + number * bars.pitch
        yield (
            rounded(margin, top, bars.width, bars.height),
            rounded(template.width - margin - bars.width, top, bars.width, bars.height),
        )


def rows_of(block: Block, lists: Lists) -> tuple[Item, ...]:
    """The rows of a block."""
    return lists[block.each] if block.each else NAMELESS


def guides_of(template: FormTemplate, lists: Lists) -> Iterator[Guide]:
    """The dotted line under each row, as long as the form is wide: it is written on, and shows how the paper lies."""
    left = template.markers.margin + template.bars.width + CLEAR
    for block in template.blocks:
        for number in range(len(rows_of(block, lists))):
            y = round(block.top + (number + 1) * block.pitch - template.guide_above, 3)
            yield Guide(left, round(template.width - left, 3), y, template.guide.dot, template.guide.pitch)


def answers_of(template: FormTemplate, lists: Lists) -> Iterator[Answer]:
    """Everything that can be written on a form, block by block and row by row."""
    number = 0
    for block in template.blocks:
        for row, item in enumerate(rows_of(block, lists)):
            top = block.top + row * block.pitch
            for column in block.columns:
                for answer in cells(template, block, column, item, top, lists):
                    number += 1
                    yield numbered(answer, number)


def numbered(answer: Answer, number: int) -> Answer:
    """Give an answer its place among the others."""
    match answer:
        case NumberAnswer(name, _, boxes, least, most):
            return NumberAnswer(name, number, boxes, least, most)
        case ChoiceAnswer(name, _, choices, boxes):
            return ChoiceAnswer(name, number, choices, boxes)
        case TextAnswer(name, _, box, is_player, copies):
            return TextAnswer(name, number, box, is_player, copies)
        case SignatureAnswer(name, _, box):
            return SignatureAnswer(name, number, box)


def cells(
    template: FormTemplate, block: Block, column: Column, item: Item, top: float, lists: Lists
) -> Iterator[Answer]:
    """What one row has in one column."""
    match column:
        case NumberColumn():
            for place, other in enumerate(lists[column.per] if column.per else NAMELESS):
                boxes = digit_boxes(template, block, column, top, place)
                yield NumberAnswer(named(item.name, column.name, other.name), 0, boxes, column.least, column.most)
        case ChoiceColumn():
            choices = column.choices or tuple(each.name for each in lists[column.per])
            boxes = tick_places(template, block, column, top, len(choices))
            yield ChoiceAnswer(named(item.name, column.name), 0, choices, boxes)
        case WrittenColumn():
            box = rounded(column.left, top + INSET, column.width, block.pitch - 2 * INSET)
            name = named(item.name, column.name)
            copies = item.label if column.is_copied else ""
            text = TextAnswer(name, 0, box, column.is_player, copies)
            yield SignatureAnswer(name, 0, box) if column.is_signature else text


def named(*parts: str) -> str:
    """Name an answer after its row and its column.

    >>> named("1901", "", "FRANCE"), named("", "game")
    ('1901 FRANCE', 'game')
    """
    return " ".join(part for part in parts if part)


def digit_boxes(template: FormTemplate, block: Block, column: NumberColumn, top: float, place: int) -> tuple[Box, ...]:
    """The boxes of one number, above the line of its row."""
    boxes = template.boxes
    high = top + (block.pitch - template.guide_above - boxes.digit_height) / 2
    left = column.left + place * column.step
    across = boxes.digit_width + boxes.digit_gap
    return tuple(
        rounded(left + digit * across, high, boxes.digit_width, boxes.digit_height) for digit in range(column.digits)
    )


def tick_places(template: FormTemplate, block: Block, column: ChoiceColumn, top: float, count: int) -> tuple[Box, ...]:
    """The boxes of one choice."""
    side = template.boxes.tick
    high = top + (min(block.pitch, column.line) - template.guide_above - side) / 2
    return tuple(
        rounded(
            column.left + number % column.across * column.step, high + number // column.across * column.line, side, side
        )
        for number in range(count)
    )
