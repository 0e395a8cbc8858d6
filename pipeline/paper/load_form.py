"""Read the template of a form: every fault at once, each with its path and how to mend it."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import asdict

from pipeline.paper import form
from pipeline.paper.load_sheet import open_template
from pipeline.paper.sheet_layout import Answer, answer_boxes
from pipeline.paper.sheet_rows import Length
from pipeline.problems import Stopped
from pipeline.rules.convert import read_struct
from pipeline.rules.table import did_you_mean
from pipeline.words.speech import ENGLISH, write_count


class _FormTable(Struct, frozen=True):
    """Table ``[form]``."""

    kind: form.FormKind
    title: str
    width: Length
    height: Length
    guide_above: Length
    language: str = ENGLISH


@lru_cache(maxsize=64)  # an event's printings, each of which says its template
def read_form(text: str, where: str) -> form.FormTemplate:
    """Read a template, or stop with all its faults."""
    top = open_template(text, where, between=" ")
    template = read_struct(form.FormTemplate, top, asdict(read_struct(_FormTable, top.table("form"))))
    for key, fault in _unknown_lists(template):
        top.fault(key, fault)
    if not top.problems:  # only a whole form can be laid out
        for key, fault in _faults_in(template):
            top.fault(key, fault)
    if top.problems:
        raise Stopped(sorted(top.problems, key=lambda problem: problem.where))
    return template


def _unknown_lists(template: form.FormTemplate) -> Iterator[tuple[str, str]]:
    """Names of lists, of rows and of columns, that the template does not have."""
    named = [(f"blocks[{n}].each", block.each) for n, block in enumerate(template.blocks)]
    for n, block in enumerate(template.blocks):
        for m, column in enumerate(block.columns):
            if isinstance(column, form.NumberColumn | form.ChoiceColumn):
                named.append((f"blocks[{n}].columns[{m}].per", column.per))
    for key, name in named:
        if name and name not in template.lists:
            known = ", ".join(template.lists) or "none"
            near = did_you_mean(name, tuple(template.lists))
            yield key, f"unknown list {name!r}{near or f'; there are {known}'}"


# Whether a form can be printed and read: nothing over anything else, nothing in the margins, room for the markers.


def _faults_in(template: form.FormTemplate) -> Iterator[tuple[str, str]]:
    """Why a form cannot be printed or read with full lists."""
    full = {name: tuple(form.Item(f"{name} {n}", "") for n in range(most)) for name, most in template.lists.items()}
    answers = list(form.answers_of(template, full))
    bars, lowest = template.bars, template.height - template.markers.margin
    lowest -= max(template.markers.size, template.codes.bottom)  # there the markers and codes at the foot begin
    below = bars.top + bars.count * bars.pitch + bars.height
    if below > lowest:
        yield "bars.count", f"the bars, and the empty place below them, end at {below:g} mm, below {lowest:g}"
    left = template.markers.margin + bars.width
    right = template.width - left
    for answer in answers:
        if any(box.left < left or box.right > right for box in answer_boxes(answer)):
            yield "blocks", f"{answer.name!r} is not between the bars, {left:g} to {right:g} mm"
        if any(box.bottom > lowest for box in answer_boxes(answer)):
            yield "blocks", f"{answer.name!r} ends below {lowest:g} mm, where the markers begin"
    for name, often in Counter(answer.name for answer in answers).items():
        if often > 1:
            yield "blocks", f"{write_count(often, 'answer')} are called {name!r}; give the columns different names"
    for first, second in _touching(answers):
        yield "blocks", f"{first.name!r} and {second.name!r} lie over one another"


def _touching(answers: list[Answer]) -> Iterator[tuple[Answer, Answer]]:
    """Pairs of answers that lie over one another."""
    placed = [(answer, box) for answer in answers for box in answer_boxes(answer)]
    for number, (first, box) in enumerate(placed):
        for second, other in placed[number + 1 :]:
            if box.meets(other):
                yield first, second
