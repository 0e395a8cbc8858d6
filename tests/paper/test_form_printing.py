"""Forms as PDF: the same bytes for the same request, and every box where it is read, on every paper."""

import pypdfium2
import pytest
from paper.drawn import PER_MM, not_printed, picture
from paper.test_form_templates import full, template

from pipeline.paper.form import FormKind, impose, place_form
from pipeline.paper.printed_form import print_forms


@pytest.mark.parametrize("paper", ["A4", "LETTER"])
@pytest.mark.parametrize("kind", FormKind)
def test_the_same_request_prints_the_same(kind: FormKind, paper: str) -> None:
    page = impose(template(kind), paper)
    requests = [full(kind)] * (len(page.places) + 1)
    first, second = (print_forms(requests, template(kind), page) for _ in range(2))
    assert first == second
    with pypdfium2.PdfDocument(first) as document:
        assert len(document) == 2  # one form more than a page holds


@pytest.mark.parametrize("kind", FormKind)
def test_every_form_of_a_page_is_printed_where_it_is_cut_out_and_read(kind: FormKind) -> None:
    page = impose(template(kind), "A4")
    found = picture(print_forms([full(kind)] * len(page.places), template(kind), page))
    for left, top in page.places:
        cut = found[round(top * PER_MM) :, round(left * PER_MM) :]
        assert not_printed(cut, place_form(full(kind), template(kind))) == []
