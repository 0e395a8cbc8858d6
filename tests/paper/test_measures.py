"""The measures of a layout: to the micrometre, in the middle of what they belong to, clear of what is beside them."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import asdict, replace
from paper.rows_of import PAPERS, form_of, request, targets, template
from paper.test_form_templates import full
from paper.test_form_templates import template as form_template
from paper.test_target_layout import MANY, winter

from pipeline.ink import Box
from pipeline.paper.form import FormKind, place_form
from pipeline.paper.sheet import SheetRequest
from pipeline.paper.sheet_layout import Form, NumberAnswer
from pipeline.paper.sheet_rows import LaidRow, Type

CAPITAL_MM = 0.73 * 25.4 / 72  # a point of the height of capitals
OFF_MM = 0.00037  # added to every length of a template, so that sums have more digits than are kept
LEAST_MM = 0.95  # of white between print and dots in a row


def blocks() -> list[SheetRequest]:
    some = [targets(units=MANY), targets(units=MANY[:3]), targets("F1901R", units=MANY[:5])]
    return [*some, targets("F1901R", units=MANY[:2]), winter(), winter(is_removal=True)]


def with_odd_lengths(part: Any) -> Any:
    if isinstance(part, Struct):
        return replace(part, **{name: with_odd_lengths(value) for name, value in asdict(part).items()})
    return part + OFF_MM if isinstance(part, float) and part > 0.1 else part


def box_sides(boxes: Any) -> Iterator[float]:
    for box in boxes:
        yield from (box.left, box.top, box.width, box.height)


def rounded_lengths(form: Form) -> Iterator[float]:
    """All that is worked out of several lengths of a template."""
    cells, layout = form.cells, form.box_layout
    yield from box_sides(cell.box for cell in cells)
    yield from box_sides(cell.label for cell in cells if cell.label)
    for type_ in (*layout.type, *(word for cell in cells for word in cell.words)):
        yield from (type_.left, type_.base)
        yield from box_sides([type_.box])
    for edge in (*layout.rules, *(edge for cell in cells for edge in cell.edges)):
        yield from (edge.left, edge.top)
    rows = form.parting.rows if form.parting else ()
    for box in (box for row in rows for box in (row.box, *row.lines)):
        yield from (box.top, box.height)
    if not rows:
        yield from box_sides(row.box for row in form.rows)
    yield from box_sides(tick.box for tick in form.ticks)
    yield from (guide.y for guide in form.guides)
    yield from (side for left, right in form.bars for side in (left.top, right.top, right.left))
    yield from (side for box in (form.live,) if box for side in (box.left, box.top))


def test_what_is_worked_out_is_told_to_the_micrometre() -> None:
    lines = [request(phase, is_pad=is_pad) for phase, is_pad in product(("S1901M", "W1901A"), (False, True))]
    sheet = with_odd_lengths(template())
    forms = [form_of(replace(each, live="https://moot.example"), sheet) for each in (*lines, *blocks())]
    for kind in FormKind:
        page = place_form(full(kind), with_odd_lengths(form_template(kind)))
        answers = [box for each in page.answers for box in getattr(each, "boxes", None) or [getattr(each, "box", None)]]
        assert {x for x in (*box_sides(answers), *(g.right for g in page.form.guides)) if round(x, 3) != x} == set()
        forms.append(page.form)
    assert {x for form in forms for x in rounded_lengths(form) if round(x, 3) != x} == set()


def middle_of(words: tuple[Type, ...]) -> float:
    """The middle of the capitals of some lines of words, from the top of the first to the foot of the last."""
    return (words[0].base - CAPITAL_MM * words[0].points + words[-1].base) / 2


def dots_around(row: LaidRow, line: Box) -> tuple[float, float]:
    """Where the dotted lines above and below a line of a row are."""
    place = row.lines.index(line)
    ends = [row.box.top, *(line.bottom for line in row.lines[:-1]), row.box.bottom - 0.3]
    return ends[place], ends[place + 1]


@pytest.mark.parametrize("paper", PAPERS)
def test_words_stand_at_the_middle_of_their_boxes_and_boxes_low_in_their_lines(paper: str) -> None:
    measures = template(paper).target_measures
    for form in (form_of(wanted, paper) for wanted in blocks()):
        assert form.parting is not None
        for row in form.parting.rows:
            cells = form.cells_of(row.number)
            ticks = [cell for cell in cells if cell.words]
            for cell in ticks:
                assert middle_of(cell.words) == pytest.approx(cell.box.top + cell.box.height / 2, abs=0.01)
                assert (
                    len(cell.words) == 1
                    or 0.8 < (cell.words[1].base - cell.words[0].base) / (cell.words[0].points * 25.4 / 72) < 1
                )
                assert cell.words[0].left - cell.box.right == pytest.approx(measures.gap, abs=0.001)
                upper, lower = dots_around(row, cell.line)
                assert 0.85 < lower - cell.box.bottom < cell.box.top - upper
            first = [cell for cell in ticks if cell.line == row.lines[0]]
            beside = [each for each in form.box_layout.type if row.lines[0].top < each.base < row.lines[0].bottom]
            beside = [each for each in beside if each.text != measures.other]
            for each in beside:
                assert middle_of((each,)) == pytest.approx(first[0].box.top + first[0].box.height / 2, abs=0.01)
            for cell in (cell for cell in cells if not cell.words):
                (dots,) = cell.edges
                assert cell.box.top + cell.box.height / 2 < dots.top < cell.box.bottom - 1
                assert dots.left == cell.box.left
                assert dots.ends[1][0] == pytest.approx(cell.box.right, abs=0.01)


@pytest.mark.parametrize("paper", PAPERS)
def test_rules_between_columns_end_before_the_dots_and_words_and_boxes_before_the_rules(paper: str) -> None:
    measures = template(paper).target_measures
    for form in (form_of(wanted, paper) for wanted in blocks()):
        assert form.parting is not None
        lines = [(row, line) for row in form.parting.rows for line in row.lines]
        for rule in form.box_layout.rules:
            upper, lower = next(dots_around(*each) for each in lines if each[1].top < rule.top < each[1].bottom)
            assert LEAST_MM <= rule.top - upper <= 1.5
            assert LEAST_MM <= lower - rule.ends[1][1] <= 1.5
        widths = (measures.does, measures.acts, measures.whom_width, measures.goes_width)
        across = sorted({rule.left for rule in form.box_layout.rules})
        for cell in (cell for cell in form.cells if form.has_targets(cell.row)):
            after = [x for x in (*across, measures.right) if x > cell.box.left]
            ends = [cell.box.right, *(word.box.right for word in cell.words)]
            assert all(after[0] - end > 0.4 for end in ends)
            assert all(abs(x - cell.box.left) > LEAST_MM for x in across)
            if not cell.words and cell.name in ("of", "to"):
                assert 0.9 < after[0] - cell.box.right < 3
            start = cell.box.left - measures.pad
            ends = [start + n * width for width in widths for n in (1, 2)]
            for word in (word for word in cell.words if len(cell.words) == 1 and word.squeeze < 1):
                assert min(abs(end - word.box.right - 1.4) for end in ends) < 0.1, "squeezed no further than it must be"


@pytest.mark.parametrize("kind", FormKind)
def test_boxes_of_a_form_stand_in_the_middle_above_the_line_of_their_row(kind: FormKind) -> None:
    form = form_template(kind)
    page = place_form(full(kind), form)
    for block in form.blocks:
        for answer in page.answers:
            for box in answer.boxes if isinstance(answer, NumberAnswer) else ():
                if not block.top < box.top < block.top + block.pitch:
                    continue
                above, below = box.top - block.top, block.top + block.pitch - form.guide_above - box.bottom
                assert above == pytest.approx(below, abs=0.002)


@pytest.mark.parametrize("paper", PAPERS)
def test_heads_stand_close_above_the_first_block_in_one_line(paper: str) -> None:
    measures = template(paper).target_measures
    for kind, form in enumerate(form_of(wanted, paper) for wanted in blocks()):
        assert form.parting is not None
        first = form.parting.rows[0].box
        heads = [each for each in form.box_layout.type if each.base < first.top]
        assert heads[0].text == (measures.homes if kind == 4 else measures.units), "the fifth are builds"
        assert {round(first.top - each.base, 3) for each in heads} == {2.0}
        assert heads[0].left == first.left
        for head, after in zip(heads, [*(each.left for each in heads[1:]), first.right], strict=True):
            assert head.box.right < after
