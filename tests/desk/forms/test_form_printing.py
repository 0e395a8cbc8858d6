"""Forms as PDF: the same strokes for the same request, on every paper."""

import hashlib

import pypdfium2
import pytest
from paper.drawn import strokes

from desk.forms.test_form_templates import full, template
from pipeline.paper.form import FormKind, impose
from pipeline.paper.printed_form import print_forms

GOLDEN = {  # a form that is on paper must be cut out as it was printed: change these only with a new template
    FormKind.BOARD: "584368dfb611cd78",
    FormKind.VOTE: "4075535473ba4737",
    FormKind.RATINGS: "5aa0e87d1b5f167a",
    FormKind.TEAM: "b172fa0bd1d26a66",
    FormKind.GAME: "f530ffcd5fa6d12c",
    FormKind.SAMPLE: "e1caf40a61430d31",
}


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
def test_a_form_is_what_it_was(kind: FormKind) -> None:
    page = impose(template(kind), "A4")
    drawn = strokes(print_forms([full(kind)] * len(page.places), template(kind), page))
    assert hashlib.sha256(drawn).hexdigest()[:16] == GOLDEN[kind]
