"""Rows of targets as they were printed before there were blocks: sheets of that edition are still out, and are read."""

import hashlib

import pytest
from msgspec.structs import replace
from paper.drawn import strokes
from paper.rows_of import EARLIER, check_markers, check_print, earlier, form_of, targets
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth

from pipeline.board.position import Step
from pipeline.paper.cell_layout import head_places
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet_layout import layout
from pipeline.paper.sheet_rows import Choices, HelpedBox, Target
from pipeline.problems import Stopped

GOLDEN_TARGETS = {"S1901M": "3d1fce9bc57e1b9e", "F1901R": "231259fa97006610"}


def test_a_sheet_of_targets_is_what_it_was() -> None:
    for phase, golden in GOLDEN_TARGETS.items():
        drawn = strokes(print_sheets([targets(phase)], earlier()))
        assert hashlib.sha256(drawn).hexdigest()[:16] == golden, phase


def test_a_row_of_targets_has_a_box_for_each_place_and_a_free_row_has_fields() -> None:
    page = layout([targets()], earlier()).as_json()["pages"][0]
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
    retreat = form_of(targets("F1901R"), earlier())
    assert [cell.name for cell in retreat.cells_of(2)] == ["BAR", "NWY", "D"]
    assert [cell.name for cell in retreat.cells_of(5)] == ["A", "F", "unit", "R", "D", "to"]


def test_the_boxes_of_all_rows_of_targets_stand_in_line() -> None:
    form = form_of(targets(), earlier())
    for name in ("H", "S", "of", "to"):
        assert len({cell.box.left for row in range(1, 5) for cell in form.cells_of(row) if cell.name == name}) == 1


def test_a_row_of_few_targets_has_room_for_the_words_over_them() -> None:
    few = replace(targets(), units=targets().units[:1], targets=targets().targets[:1])
    form, rows = form_of(few, earlier()), earlier().rows
    places = head_places(earlier(), Step.MOVEMENT, form.rows[0].box, few.units, few.targets)
    for (_, room), words in zip(places, earlier().target_rows.heads(Step.MOVEMENT), strict=True):
        assert room >= 2 / 3 * stringWidth(words, "Helvetica", earlier().boxes.head_pt) / mm
    last = form.cells_of(1)[-1].box
    assert last.left + last.width == pytest.approx(rows.right)


def test_where_more_units_can_be_helped_than_there_is_room_for_the_likeliest_have_a_box() -> None:
    names = [f"F {place}" for place in ("BEL", "DEN", "EDI", "ENG", "HEL", "HOL", "LON", "NWG", "NWY", "SKA", "YOR")]
    many = Choices((), tuple(Target(name[2:], name) for name in reversed(names)))
    wanted = targets()
    choices = (many, *wanted.targets[1:])
    form = form_of(replace(wanted, targets=choices), earlier())
    boxes = [cell for cell in form.cells_of(1) if isinstance(cell.column, HelpedBox)]
    assert [f"F {cell.name[3:]}" for cell in boxes] == names[-len(boxes) :]
    assert 8 <= len(boxes) < len(names)
    written = next(cell for cell in form.cells_of(1) if cell.name == "of").box
    assert boxes[-1].box.left + boxes[-1].box.width < written.left


def test_a_unit_of_two_lines_has_bars_and_dots_beside_both() -> None:
    form = form_of(targets(), earlier())
    assert (len(form.rows), len(form.bars)) == (10, 20)
    assert [cell.line.top > form.rows[0].box.top for cell in form.cells_of(1)] == [False] * 7 + [True] * 4


def test_where_no_room_is_left_to_write_the_sheet_is_refused() -> None:
    narrow = replace(earlier(), rows=replace(earlier().rows, right=150.0))
    with pytest.raises(Stopped, match="the targets of F MAO leave 10 mm to write a place in, and 16 are needed"):
        layout([targets()], narrow)


def test_targets_need_the_measures_of_fields() -> None:
    text = (EARLIER / "a4.toml").read_text("utf-8")
    with pytest.raises(Stopped) as stopped:
        read_template(text[: text.index("\n[fields]")] + text[text.index("\n[targets]") :], "mine.toml")
    assert [f"{p.where}: {p.text}" for p in stopped.value.problems] == [
        "mine.toml.targets: its boxes are those of the table [fields], which is not there; copy that, too"
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("phase", ["S1901M", "F1901R"])
def test_nothing_else_is_printed_in_a_row_or_near_a_marker(paper: str, phase: str) -> None:
    check_markers(targets(phase), earlier(paper))
    check_print(targets(phase), earlier(paper))
