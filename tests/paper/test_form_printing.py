"""Forms as PDF: the same bytes for the same request, and every box where it is read, on every paper."""

from collections.abc import Iterator
from itertools import combinations

import pypdfium2
import pytest
from msgspec.structs import replace
from paper.drawn import PER_MM, not_printed, picture
from paper.test_form_templates import full, template
from reportlab.lib.units import mm

from pipeline.ink import Box
from pipeline.paper import canvas
from pipeline.paper.form import ChoiceColumn, FormKind, FormRequest, FormTemplate, Item, block_rows, impose, place_form
from pipeline.paper.lettering import width_in_points
from pipeline.paper.printed_form import CUT_MM, print_forms
from pipeline.paper.sheet_layout import ChoiceAnswer, NumberAnswer


@pytest.mark.parametrize("paper", ["A4", "LETTER"])
@pytest.mark.parametrize("kind", FormKind)
def test_the_same_request_prints_the_same(kind: FormKind, paper: str) -> None:
    page = impose(template(kind), paper)
    requests = [full(kind)] * (len(page.places) + 1)
    first, second = (print_forms(requests, template(kind), page) for _ in range(2))
    assert first == second
    with pypdfium2.PdfDocument(first) as document:
        assert len(document) == 2  # one form more than a page holds
        said = document.get_metadata_dict(skip_empty=True)
    assert said["Title"] == f"{template(kind).title} · Cup"
    assert not {"Author", "Subject", "Keywords"} & {*said}


@pytest.mark.parametrize("kind", FormKind)
def test_every_form_of_a_page_is_printed_where_it_is_cut_out_and_read(kind: FormKind) -> None:
    page = impose(template(kind), "A4")
    found = picture(print_forms([full(kind)] * len(page.places), template(kind), page))
    for left, top in page.places:
        cut = found[round(top * PER_MM) :, round(left * PER_MM) :]
        assert not_printed(cut, place_form(full(kind), template(kind))) == []


def words_of(request: FormRequest, form: FormTemplate) -> Iterator[str]:
    """Everything that its template says of a form, and for whom it is."""
    yield from (form.title, request.about, request.title, place_form(request, form).sheet)
    yield from (remark.text for remark in form.remarks)
    for block in form.blocks:
        rows = block_rows(block, request.lists)
        yield from (item.label for item in rows)
        for column in block.columns:
            yield column.heading
            others = [item.label for item in request.lists.get(getattr(column, "per", ""), ())]
            if isinstance(column, ChoiceColumn):
                yield from (column.labels or column.choices or others) * len(rows)
            else:
                yield from others


@pytest.mark.parametrize("kind", FormKind)
def test_every_word_of_a_form_stands_once_off_the_others_and_what_is_read(
    kind: FormKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = template(kind)
    lists = {name: tuple(Item(f"{name}{n}", f"P{n}") for n in range(most)) for name, most in form.lists.items()}
    request = replace(full(kind), lists=lists)
    page, laid = impose(form, "A4"), place_form(request, form)
    said: list[tuple[str, Box]] = []

    def note(_: object, x: float, y: float, text: str, font: str, size: float, align: float = 0.0) -> None:
        wide, tall = width_in_points(text, font, size) / mm, 0.5 * size / mm
        said.append((text, Box(x / mm - align * wide, page.height - y / mm - tall, wide, tall)))

    monkeypatch.setattr(canvas, "draw_text", note)
    print_forms([request], form, page)
    assert sorted(text for text, _ in said if text) == sorted(filter(None, words_of(request, form)))
    read = [*laid.form.markers, *laid.form.codes, *(bar for pair in laid.form.bars for bar in pair)]
    read += [box for each in laid.answers if isinstance(each, NumberAnswer | ChoiceAnswer) for box in each.boxes]
    for (text, one), (_, other) in combinations([*said, *(("", box) for box in read)], 2):
        assert not text or not one.meets(other), (text, one, other)
    for box in (box for each in laid.answers if isinstance(each, ChoiceAnswer) for box in each.boxes):
        beside = [
            0 < word.left - box.right < 2 and box.top < word.top + word.height / 2 < box.bottom for _, word in said
        ]
        assert beside.count(True) == 1, "its word stands close to its right"
    for text, box in said:
        assert min(box.left, box.top) >= 0, text
        assert box.right <= form.width, text
        assert box.bottom <= form.height, text


@pytest.mark.parametrize("paper", ["A4", "LETTER"])
@pytest.mark.parametrize("kind", FormKind)
def test_where_paper_is_cut_both_ends_of_every_line_are_marked_and_nowhere_else(
    kind: FormKind, paper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    form, page = template(kind), impose(template(kind), paper)
    marks: list[Box] = []
    monkeypatch.setattr(canvas.Paper, "bar", lambda _, box: marks.append(box))
    print_forms([full(kind)], form, page)
    thin = [box for box in marks if min(box.width, box.height) < 0.2]
    ends = [(left + w * form.width, top + h * form.height) for left, top in page.places for w in (0, 1) for h in (0, 1)]
    (first, top), (last, low) = min(ends), max(ends)
    upright = {
        (round(box.left + box.width / 2, 2), box.bottom <= top + CUT_MM) for box in thin if box.width < box.height
    }
    level = {
        (round(box.top + box.height / 2, 2), box.right <= first + CUT_MM) for box in thin if box.width > box.height
    }
    assert upright == {(round(x, 2), is_first) for x, _ in ends for is_first in (True, False) if page.is_cut}
    assert level == {(round(y, 2), is_first) for _, y in ends for is_first in (True, False) if page.is_cut}
    assert all(box.bottom <= max(top, CUT_MM) or box.top >= low for box in thin if box.width < box.height)
    assert all(box.right <= max(first, CUT_MM) or box.left >= last for box in thin if box.width > box.height)
