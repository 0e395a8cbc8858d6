"""Whether a form can be printed and read: nothing over anything else, nothing in the margins, room for the markers."""

from collections import Counter
from collections.abc import Iterator

from pipeline.ink import Box
from pipeline.paper.form.form import FormTemplate, Item, WrittenColumn
from pipeline.paper.form.form_layout import INSET, answers_of
from pipeline.paper.layout.answers import Answer, ChoiceAnswer, NumberAnswer
from pipeline.paper.sheet.load_sheet import LEAST_MARKER_MM
from pipeline.rules.toml.table import Table


def check_fits(template: FormTemplate, top: Table) -> None:
    """Refuse a form that no printer or reader could live with, its lists being full."""
    full = {name: tuple(Item(f"{name} {n}", "") for n in range(most)) for name, most in template.lists.items()}
    answers = list(answers_of(template, full))
    check_marks(template, top)
    check_headings(template, top)
    check_places(template, answers, top)
    for name, often in Counter(answer.name for answer in answers).items():
        if often > 1:
            top.fault("blocks", f"{often} answers are called {name!r}; give the columns different names")
    for first, second in touching(answers):
        top.fault("blocks", f"{first.name!r} and {second.name!r} lie over one another")


def lowest_of(template: FormTemplate) -> float:
    """Where the markers and codes at the foot begin."""
    return template.height - template.markers.margin - max(template.markers.size, template.codes.bottom)


def check_marks(template: FormTemplate, top: Table) -> None:
    """Refuse markers that are lost in a scan, and bars that run into them."""
    size, bars, lowest = template.markers.size, template.bars, lowest_of(template)
    if size < LEAST_MARKER_MM:
        top.fault("markers.size", f"expected at least {LEAST_MARKER_MM:g} mm, found {size:g}")
    below = bars.top + bars.count * bars.pitch + bars.height
    if below > lowest:
        top.fault("bars.count", f"the bars, and the empty place below them, end at {below:g} mm, below {lowest:g}")


def check_headings(template: FormTemplate, top: Table) -> None:
    """Refuse words printed where people write: they would be taken for ink."""
    for number, block in enumerate(template.blocks):
        headed = any(isinstance(column, WrittenColumn) and column.heading for column in block.columns)
        if headed and block.heading_y > block.top + INSET:
            text = f"expected the heading above {block.top + INSET:g} mm, where people write, found {block.heading_y:g}"
            top.fault(f"blocks[{number}].heading_y", text)


def check_places(template: FormTemplate, answers: list[Answer], top: Table) -> None:
    """Refuse what lies beside the bars or among the markers."""
    left = template.markers.margin + template.bars.width
    right, lowest = template.width - left, lowest_of(template)
    for answer in answers:
        if any(box.left < left or box.left + box.width > right for box in boxes_of(answer)):
            top.fault("blocks", f"{answer.name!r} is not between the bars, {left:g} to {right:g} mm")
        if any(box.top + box.height > lowest for box in boxes_of(answer)):
            top.fault("blocks", f"{answer.name!r} ends below {lowest:g} mm, where the markers begin")


def boxes_of(answer: Answer) -> tuple[Box, ...]:
    """All boxes of an answer."""
    return answer.boxes if isinstance(answer, NumberAnswer | ChoiceAnswer) else (answer.box,)


def touching(answers: list[Answer]) -> Iterator[tuple[Answer, Answer]]:
    """Pairs of answers that lie over one another."""
    placed = [(answer, box) for answer in answers for box in boxes_of(answer)]
    for number, (first, one) in enumerate(placed):
        for second, other in placed[number + 1 :]:
            across = one.left < other.left + other.width and other.left < one.left + one.width
            if across and one.top < other.top + other.height and other.top < one.top + one.height:
                yield first, second
