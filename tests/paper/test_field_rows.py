"""Rows of fields: every box where the layout says, all dots and small letters, the same bytes each time."""

import hashlib
from itertools import combinations, product

import pytest
from paper.drawn import strokes
from paper.rows_of import PAPERS, apart, check_print, form_of, request, template, text_of

from pipeline.board.position import Phase
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet_layout import layout
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped

GOLDEN = {
    "S1901M": "8af4094d4be343b7",
    "F1901R": "c8eef96bdab40138",
    "W1901A": "e709124ef6ea1d37",
    "F1902M": "3abc3ecc58753c0f",
}


@pytest.mark.parametrize(("phase", "units"), [("S1901M", ()), ("F1901R", ()), ("W1901A", ()), ("F1902M", ("A PAR",))])
def test_a_sheet_of_fields_is_what_it_was(phase: str, units: tuple[str, ...]) -> None:
    drawn = strokes(print_sheets([request(phase, units=units, player="Ann Łé")], template()))
    assert hashlib.sha256(drawn).hexdigest()[:16] == GOLDEN[phase]


@pytest.mark.parametrize(
    ("phase", "names"),
    [
        ("S1901M", "A,F,unit,H,-,S,C,of A,of F,of,to,via"),
        ("F1901R", "A,F,unit,R,D,to"),
        ("W1901A", "A,F,unit,B,D,waive"),
    ],
)
def test_the_layout_names_every_box_of_every_row_and_no_row_around_them(phase: str, names: str) -> None:
    page = layout([request(phase)], template()).as_json()["pages"][0]
    found = [(field["name"], field["row"]) for field in page["fields"] if field["row"] is not None]
    count = template().rows.on(Phase.read(phase).step)
    assert found == [(name, row) for row in range(1, count + 1) for name in names.split(",")]


@pytest.mark.parametrize("paper", PAPERS)
def test_boxes_lie_in_their_rows_and_never_overlap(paper: str) -> None:
    wanted = [request(phase, is_pad=pad) for phase, pad in product(("S1901M", "F1901R", "W1901A"), (False, True))]
    for form in (form_of(one, paper) for one in wanted):
        for row in form.rows:
            assert row.row is not None
            boxes = [cell.box for cell in form.cells_of(row.row)]
            assert all(apart(one, other) for one, other in combinations(boxes, 2))
            assert min(box.left for box in boxes) >= row.box.left
            assert max(box.left + box.width for box in boxes) <= row.box.left + row.box.width
            assert min(box.top for box in boxes) >= row.box.top


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_but_dots_and_letters_in_their_places_is_printed_in_a_row(paper: str) -> None:
    check_print(request(units=("A PAR", "F STP/NC")), template(paper))


def test_a_printed_unit_takes_the_place_of_its_boxes() -> None:
    form = form_of(request(units=("A PAR", "F STP/NC")))
    assert [cell.name for cell in form.cells_of(1)] == ["H", "-", "S", "C", "of A", "of F", "of", "to", "via"]
    assert [cell.name for cell in form.cells_of(3)][:3] == ["A", "F", "unit"]
    assert (form.unit_of(2), form.unit_of(3)) == ("F STP/NC", "")


def test_a_free_line_has_no_boxes() -> None:
    form = form_of(request(design=Design.LINE))
    assert (form.cells, form.edges, form.parted.printed) == ((), (), ())


@pytest.mark.parametrize("paper", PAPERS)
def test_three_letters_and_a_coast_fit_into_a_place_box(paper: str) -> None:
    places = [cell.box for cell in form_of(request(), paper).cells if cell.name in ("unit", "of", "to")]
    assert min(box.width for box in places) >= 19.0  # five letters of 3.5 mm and their gaps


def test_boxes_that_do_not_fit_are_refused_with_their_sizes() -> None:
    text = text_of("a4").replace("place = 31.0", "place = 36.0").replace("tick = 5.0 # side", "tick = 3 # side", 1)
    with pytest.raises(Stopped) as stopped:
        read_template(text, "mine.toml")
    assert [f"{p.where}: {p.text}" for p in stopped.value.problems] == [
        "mine.toml.fields.tick: expected at least 4 mm, found 3",
    ]
    with pytest.raises(Stopped, match=r"the boxes of a row of movement take 177 mm, and a row has 166"):
        read_template(text_of("a4").replace("place = 31.0", "place = 36.0"), "mine.toml")


def test_a_template_without_boxes_prints_free_lines_and_says_why_not_boxes() -> None:
    text = text_of("a4")
    start, end = text.index("[fields]"), text.index("[words]")
    old = read_template(text[:start] + text[end:], "old.toml")
    assert print_sheets([request(design=Design.LINE)], old)
    with pytest.raises(Stopped, match=r"no table \[fields\]; print free lines"):
        print_sheets([request()], old)
