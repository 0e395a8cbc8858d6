"""Rows of fields and targets: every box where the layout says, all dots and small letters, the same bytes each time."""

import hashlib
from dataclasses import replace
from itertools import combinations, product

import cv2
import numpy as np
import pypdfium2
import pytest
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth

from pipeline.board.map import Kind, Power
from pipeline.board.position import Phase, Position, Step, Unit
from pipeline.board.standard import standard_map
from pipeline.desk.printed_units import targets_of
from pipeline.ink import Box
from pipeline.orders.notation import read_unit
from pipeline.problems import Stopped
from pipeline.sheets.sheet import print_sheets
from pipeline.tournament.field_rows import Design
from pipeline.tournament.folders import data_folder
from pipeline.tournament.load import load_tournament
from pipeline.tournament.row_layout import head_places
from pipeline.tournament.sheet import SheetRequest, SheetTemplate, slot_of
from pipeline.tournament.sheet_id import SheetId
from pipeline.tournament.sheet_layout import Form, layout
from pipeline.tournament.sheet_load import read_template
from pipeline.tournament.target_rows import Choice, Choices, HelpedBox
from sheets.drawn import strokes

PAPERS = ("a4", "a5", "letter")
UNITS = ("A PAR", "F STP/NC", "F NTH", "F MAO")
GOLDEN_TARGETS = {"S1901M": "cbd2a0c270d49d83", "F1901R": "86073ca112041241"}
GOLDEN = {
    "S1901M": "8af4094d4be343b7",
    "F1901R": "c8eef96bdab40138",
    "W1901A": "e709124ef6ea1d37",
    "F1902M": "3abc3ecc58753c0f",
}


def text_of(paper: str) -> str:
    return (data_folder("templates/sheets") / f"{paper}.toml").read_text("utf-8")


def template(paper: str = "a4") -> SheetTemplate:
    return read_template(text_of(paper), f"{paper}.toml")


def request(phase: str = "S1901M", **other: object) -> SheetRequest:
    plain = SheetRequest(
        id=SheetId("WM26", 42),
        title="Weasel Moot 2026",
        round=1,
        board="1",
        slot=slot_of(0, Power.FRANCE),
        power=Power.FRANCE,
        phase=Phase.read(phase),
        design=Design.FIELDS,
    )
    return replace(plain, **other)  # type: ignore[arg-type]  # one test's fields


def targets(phase: str = "S1901M", **other: object) -> SheetRequest:
    units = {Power.FRANCE: tuple(map(read_unit, UNITS)), Power.GERMANY: (Unit(Kind.ARMY, "RUH"),)}
    position = Position(phase=Phase.read(phase), units=units, centres={})
    words = load_tournament("weaselmoot").abbreviations
    choices = targets_of(standard_map(), position, units[Power.FRANCE], words)
    return request(phase, design=Design.TARGETS, units=UNITS, targets=choices, **other)


def form_of(wanted: SheetRequest, paper: str = "a4") -> Form:
    return layout([wanted], template(paper)).pages[0].form


def test_a_sheet_of_targets_is_what_it_was() -> None:
    for phase, golden in GOLDEN_TARGETS.items():
        drawn = strokes(print_sheets([targets(phase)], template()))
        assert hashlib.sha256(drawn).hexdigest()[:16] == golden, phase


def test_a_row_of_targets_has_a_box_for_each_place_and_a_free_row_has_fields() -> None:
    page = layout([targets()], template()).as_json()["pages"][0]
    names = {row: [f["name"] for f in page["fields"] if f["row"] == row] for row in (1, 3, 4, 5)}
    assert names[1] == [*("H", "BRE", "BUR", "GAS", "PIC", "via", "to"), *("S", "of MAO", "of RUH", "of")]
    assert names[3] == [
        *("H", "BEL", "DEN", "EDI", "ENG", "HEL", "HOL", "LON", "NWG", "NWY", "SKA", "YOR", "to"),
        *("S", "C", "of MAO", "of RUH", "of STP/NC", "of"),
    ]
    assert names[4] == [
        *("H", "BRE", "ENG", "GAS", "IRI", "NAF", "NAO", "POR", "SPA/NC", "SPA/SC", "WES", "to"),
        *("S", "C", "of NTH", "of PAR", "of"),
    ]
    assert names[5] == ["A", "F", "unit", "H", "-", "S", "C", "of A", "of F", "of", "to", "via"]
    retreat = form_of(targets("F1901R"))
    assert [cell.name for cell in retreat.cells_of(2)] == ["BAR", "NWY", "D"]
    assert [cell.name for cell in retreat.cells_of(5)] == ["A", "F", "unit", "R", "D", "to"]


def test_the_boxes_of_all_rows_of_targets_stand_in_line() -> None:
    form = form_of(targets())
    for name in ("H", "S", "of", "to"):
        assert len({cell.box.left for row in range(1, 5) for cell in form.cells_of(row) if cell.name == name}) == 1


def test_a_row_of_few_targets_has_room_for_the_words_over_them() -> None:
    few = replace(targets(), units=UNITS[:1], targets=targets().targets[:1])
    form, rows = form_of(few), template().rows
    places = head_places(template(), Step.MOVEMENT, form.rows[0].box, few.units, few.targets)
    for (_, room), words in zip(places, template().target_rows.heads(Step.MOVEMENT), strict=True):
        assert room >= 2 / 3 * stringWidth(words, "Helvetica", template().boxes.head_pt) / mm
    last = form.cells_of(1)[-1].box
    assert last.left + last.width == pytest.approx(rows.right)


def test_where_more_units_can_be_helped_than_there_is_room_for_the_likeliest_have_a_box() -> None:
    names = [f"F {place}" for place in ("BEL", "DEN", "EDI", "ENG", "HEL", "HOL", "LON", "NWG", "NWY", "SKA", "YOR")]
    many = Choices((), tuple(Choice(name[2:], name) for name in reversed(names)))
    wanted = targets()
    choices = (many, *wanted.targets[1:])
    form = form_of(replace(wanted, targets=choices))
    boxes = [cell for cell in form.cells_of(1) if isinstance(cell.column, HelpedBox)]
    assert [f"F {cell.name[3:]}" for cell in boxes] == names[-len(boxes) :]
    assert 8 <= len(boxes) < len(names)
    written = next(cell for cell in form.cells_of(1) if cell.name == "of").box
    assert boxes[-1].box.left + boxes[-1].box.width < written.left


def test_a_unit_of_two_lines_has_bars_and_dots_beside_both() -> None:
    form = form_of(targets())
    assert (len(form.rows), len(form.bars)) == (10, 20)
    assert [cell.line.top > form.rows[0].box.top for cell in form.cells_of(1)] == [False] * 7 + [True] * 4


def test_where_no_room_is_left_to_write_the_sheet_is_refused() -> None:
    narrow = replace(template(), rows=replace(template().rows, right=150.0))
    with pytest.raises(Stopped, match="the targets of F MAO leave 10 mm to write a place in, and 16 are needed"):
        layout([targets()], narrow)


def test_a_template_without_targets_says_what_to_do() -> None:
    with pytest.raises(Stopped, match=r"no table \[targets\], for which A5 has no room; print other rows"):
        layout([targets()], template("a5"))


def test_targets_need_the_measures_of_fields() -> None:
    text = text_of("a4")
    with pytest.raises(Stopped) as stopped:
        read_template(text[: text.index("\n[fields]")] + text[text.index("\n[targets]") :], "mine.toml")
    assert [f"{p.where}: {p.text}" for p in stopped.value.problems] == [
        "mine.toml.targets: its boxes are those of the table [fields], which is not there; copy that, too"
    ]


def apart(one: Box, other: Box) -> bool:
    return (
        one.left + one.width <= other.left
        or other.left + other.width <= one.left
        or one.top + one.height <= other.top
        or other.top + other.height <= one.top
    )


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
    wanted += [targets(phase) for phase in ("S1901M", "F1901R") if template(paper).targets is not None]
    for form in (form_of(one, paper) for one in wanted):
        for row in form.rows:
            assert row.row is not None
            boxes = [cell.box for cell in form.cells_of(row.row)]
            assert all(apart(one, other) for one, other in combinations(boxes, 2))
            assert min(box.left for box in boxes) >= row.box.left
            assert max(box.left + box.width for box in boxes) <= row.box.left + row.box.width
            assert min(box.top for box in boxes) >= row.box.top


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("phase", ["S1901M", "F1901R"])
def test_no_word_comes_near_a_marker(paper: str, phase: str) -> None:
    wanted = targets(phase)
    image = picture(wanted, paper, dpi := 200)
    for box in form_of(wanted, paper).markers:
        edges = (box.left - 0.8, box.top - 0.8, box.left + box.width + 0.8, box.top + box.height + 0.8)
        left, top, right, bottom = (round(edge * dpi / 25.4) for edge in edges)
        around = image[top:bottom, left:right].copy()
        around[4:-4, 4:-4] = 255
        assert around.min() == 255


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_but_dots_and_letters_in_their_places_is_printed_in_a_row(paper: str) -> None:
    for wanted in (request(units=("A PAR", "F STP/NC")), *([targets()] if template(paper).targets else [])):
        check_print(wanted, paper)


def picture(wanted: SheetRequest, paper: str, dpi: int) -> np.ndarray:
    with pypdfium2.PdfDocument(print_sheets([wanted], template(paper))) as document:
        image: np.ndarray = document[0].render(scale=dpi / 72, grayscale=True).to_numpy()
    return image.reshape(image.shape[:2]).copy()


def check_print(wanted: SheetRequest, paper: str) -> None:
    form, dpi = form_of(wanted, paper), 300
    image = picture(wanted, paper, dpi)
    per_mm = dpi / 25.4

    def part(box: Box) -> np.ndarray:
        rows = slice(round(box.top * per_mm), round((box.top + box.height) * per_mm))
        found: np.ndarray = image[rows, round(box.left * per_mm) : round((box.left + box.width) * per_mm)]
        return found

    for box in form.printed:
        assert part(box).min() < 160, box  # something is printed there
        part(box)[:] = 255
    for row in form.rows:
        _, _, sizes, _ = cv2.connectedComponentsWithStats((part(row.box) < 160).astype(np.uint8))
        assert len(sizes) > 50  # the dots
        assert sizes[1:, [cv2.CC_STAT_HEIGHT, cv2.CC_STAT_WIDTH]].max() <= 0.35 * per_mm


def test_a_printed_unit_takes_the_place_of_its_boxes() -> None:
    form = form_of(request(units=("A PAR", "F STP/NC")))
    assert [cell.name for cell in form.cells_of(1)] == ["H", "-", "S", "C", "of A", "of F", "of", "to", "via"]
    assert [cell.name for cell in form.cells_of(3)][:3] == ["A", "F", "unit"]
    assert (form.unit_of(2), form.unit_of(3)) == ("F STP/NC", "")


def test_a_free_line_has_no_boxes() -> None:
    form = form_of(request(design=Design.LINE))
    assert (form.cells, form.edges, form.printed) == ((), (), ())


@pytest.mark.parametrize("paper", PAPERS)
def test_three_letters_and_a_coast_fit_into_a_place_box(paper: str) -> None:
    places = [cell.box for cell in form_of(request(), paper).cells if cell.name in ("unit", "of", "to")]
    assert min(box.width for box in places) >= 19.0  # five letters of 3.5 mm and their gaps


def test_boxes_that_do_not_fit_are_refused_with_their_sizes() -> None:
    text = text_of("a4").replace("place = 31.0", "place = 36.0").replace("tick = 5.0 # side", "tick = 3 # side")
    with pytest.raises(Stopped) as stopped:
        read_template(text, "mine.toml")
    assert [f"{p.where}: {p.text}" for p in stopped.value.problems] == [
        "mine.toml.fields.tick: expected at least 4 mm, found 3",
    ]
    with pytest.raises(Stopped, match=r"the boxes of a row of movement take 177 mm, and a row has 166"):
        read_template(text_of("a4").replace("place = 31.0", "place = 36.0"), "mine.toml")


def test_a_template_of_an_earlier_edition_prints_free_lines_and_says_why_not_boxes() -> None:
    text = text_of("a4")
    start, end = text.index("[fields]"), text.index("[words]")
    old = read_template(text[:start] + text[end:], "old.toml")
    assert print_sheets([request(design=Design.LINE)], old)
    with pytest.raises(Stopped, match=r"no table \[fields\]; print free lines"):
        print_sheets([request()], old)
