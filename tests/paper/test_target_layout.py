"""Blocks for units: boxes in columns with words beside them, all dots and dashes, as high as there is room for."""

from itertools import combinations, product

import msgspec
import pypdfium2
import pytest
from msgspec.structs import replace
from paper.drawn import not_printed, picture, words
from paper.rows_of import PAPERS, UNITS, apart, check_markers, check_print, form_of, targets, template, text_of
from sampled import slow_after

from pipeline.board import Kind, Phase, Position, Power, Unit, standard_map
from pipeline.desk.sheets.printed import blocks
from pipeline.ink import Box
from pipeline.paper.load_sheet import read_template, translate_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet import SheetRequest, parts_for
from pipeline.paper.sheet_layout import layout
from pipeline.paper.sheet_rows import MM_PER_PT, Choices, LaidRow, Target, TickBox
from pipeline.paper.target_layout import Slots
from pipeline.problems import Stopped
from pipeline.rules.load import load_tournament
from pipeline.words.speech import speech_of

MANY = ("A PAR", "F STP/NC", "F NTH", "F MAO", "A MUN", "F GAS", "A WAL", "A UKR")
ROUNDED_MM = 0.002


def winter(*, is_removal: bool = False) -> SheetRequest:
    """Builds in Russia's homes, or removals."""
    homes = {"MOS": ("A MOS",), "STP": ("A STP", "F STP/NC", "F STP/SC")}
    rows = [(home, Choices(tuple(Target(unit, unit) for unit in units))) for home, units in homes.items()]
    rows += [("", Choices(()))]
    if is_removal:
        rows = [("A MAR", Choices(())), ("F MAO", Choices(()))]
    return replace(
        targets("W1901A"), due=1, units=tuple(unit for unit, _ in rows), targets=tuple(row for _, row in rows)
    )


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("phase", ["S1901M", "F1901R", "W1901A"])
def test_every_box_is_printed_where_it_is_read(phase: str, paper: str) -> None:
    wanted = winter() if phase == "W1901A" else targets(phase)
    page = layout([wanted], template(paper)).pages[0]
    assert not_printed(picture(print_sheets([wanted], template(paper))), page) == []


def test_a_block_names_its_unit_and_says_what_a_tick_means() -> None:
    said = words(print_sheets([targets()], template()))
    assert "Tick. To move: where the unit goes. To support: Support, whom, where that one goes" in said
    assert "A VIE Support A BUD GAL It helps Budapest into Galicia." in said
    assert all(f"other {unit}" in said for unit in UNITS)
    assert said.count("No box, or a mistake? Write the order here.") == 2


def test_a_block_has_a_box_for_each_thing_that_its_unit_can_do_and_a_free_row_has_fields() -> None:
    page = layout([targets()], template()).as_json()["pages"][0]
    names = {row: [f["name"] for f in page["fields"] if f["row"] == row] for row in (1, 4, 5)}
    assert names[1] == [*("S", "H", "of MAO", "of RUH", "of"), *("BRE", "BUR", "GAS", "PIC", "via", "to")]
    assert names[4] == [
        *("S", "H", "of NTH", "of PAR", "of"),
        *("BRE", "ENG", "GAS", "IRI", "NAF", "NAO", "POR", "SPA/NC", "SPA/SC", "WES", "to"),
    ]
    assert names[5] == ["A", "F", "unit", "H", "-", "S", "C", "of A", "of F", "of", "to", "via"]
    retreat = form_of(targets("F1901R"))
    assert [cell.name for cell in retreat.cells_of(2)] == ["D", "BAR", "NWY"]
    assert [cell.name for cell in retreat.cells_of(5)] == ["A", "F", "unit", "R", "D", "to"]


def test_a_fleet_has_a_box_to_convoy_where_there_is_an_army_that_it_may_carry() -> None:
    form = form_of(targets(units=("A BRE", "F MAO", "F NTH", "F GAS", "F IRI")))
    signs = [[cell.name for cell in form.cells_of(row) if cell.name in "SCH"] for row in range(1, 6)]
    assert signs == [["S", "H"], ["S", "C", "H"], ["S", "H"], ["S", "H"], ["S", "C", "H"]]


def test_a_sheet_that_says_nothing_of_convoys_has_a_box_for_each_fleet() -> None:
    said = msgspec.json.decode(b'[[["BRE", "BRE"]], []]', type=Choices)
    form = form_of(replace(targets(units=("F MAO",)), targets=(said,)))
    assert [cell.name for cell in form.cells_of(1) if cell.name in "SCH"] == ["S", "C", "H"]


def test_in_winter_a_home_has_a_box_for_each_build_and_a_unit_one_to_be_disbanded() -> None:
    form = form_of(winter())
    assert [[cell.name for cell in form.cells_of(row)] for row in (1, 2, 3, 4)] == [
        ["A MOS"],
        ["A STP", "F STP/NC", "F STP/SC"],
        ["waive"],
        ["A", "F", "unit", "B", "D", "waive"],
    ]
    assert form.unit_of(3) == ""
    removals = form_of(winter(is_removal=True))
    assert [[cell.name for cell in removals.cells_of(row)] for row in (1, 2)] == [["D"], ["D"]]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("units", [MANY, MANY[:3]])
def test_boxes_lie_in_their_rows_and_neither_they_nor_their_words_ever_meet(paper: str, units: tuple[str, ...]) -> None:
    for wanted in (targets(units=units), targets("F1901R", units=units), winter(), winter(is_removal=True)):
        form = form_of(wanted, paper)
        for row, below in zip(form.rows, form.rows[1:], strict=False):
            assert row.box.top + row.box.height <= below.box.top
        for row in form.rows:
            cells = form.cells_of(row.row or 0)
            boxes = [cell.box for cell in cells] + [cell.label for cell in cells if cell.label is not None]
            assert all(apart(one, other) for one, other in combinations(boxes, 2))
            assert min(box.left for box in boxes) >= row.box.left
            assert max(box.left + box.width for box in boxes) <= row.box.left + row.box.width
            assert min(box.top for box in boxes) >= row.box.top
            assert max(box.top + box.height for box in boxes) <= row.box.top + row.box.height + ROUNDED_MM


@pytest.mark.parametrize("paper", slow_after(1, PAPERS))
def test_every_unit_anywhere_has_room_for_all_places_and_eight_units_to_help(paper: str) -> None:
    board = standard_map()
    places = {Kind.ARMY: sorted(board.army_borders), Kind.FLEET: sorted(board.fleet_borders)}
    fleets = tuple(Unit(Kind.FLEET, place) for place in places[Kind.FLEET])
    for kind in Kind:
        for place in places[kind]:
            mine = (Unit(kind, place),)
            others = tuple(unit for unit in fleets if unit.province != mine[0].province)
            here = Position(phase=Phase.read("S1901M"), units={Power.FRANCE: mine, Power.ITALY: others}, centres={})
            found = blocks(board, here, Power.FRANCE, load_tournament("edc2023").abbreviations)
            names, choices = tuple(name for name, _ in found), tuple(each for _, each in found)
            form = form_of(replace(targets(), units=names, targets=choices), paper)
            boxes = [cell.name for cell in form.cells_of(1)]
            assert {choice.place for choice in choices[0].goes} <= set(boxes)
            helped = [name for name in boxes if name.startswith("of ")]
            assert len(helped) >= min(len(choices[0].helps), template(paper).target_measures.whom * 2)
            assert {"of", "to"} <= set(boxes), "and what has none is written"


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_no_word_beside_a_box_is_squeezed_until_it_is_hard_to_read(paper: str, language: str) -> None:
    printed = read_template(translate_template(text_of(paper), speech_of(language)), paper)
    least, many = (0.63 if paper == "half_letter" else 0.79), ("A VEN", "A MUN", "A VIE", "A BOH", "F LYO", "F TRI")
    for units, phase in ((many, "S1901M"), (("A MAR", "F LYO"), "S1901M"), (("A MUN",), "F1901R")):
        form = form_of(targets(phase, units=units, tournament="edc2023"), printed)
        words = [word for cell in form.cells for word in cell.words]
        assert {word.text for word in words if word.text in ("TYROL", "MARS")}
        assert {word.text: word.squeeze for word in words if word.squeeze < least} == {}


@pytest.mark.parametrize(
    ("units", "coasts"),
    [
        ("A GAS, F MAO", "SPA NC, SPA SC"),
        ("F MAR, F MAO", "SPA NC"),
        ("F CON, F BLA", "BUL SC"),
        ("F CON, A ARM", ""),
    ],
)
def test_coasts_where_a_unit_cannot_go_are_said_to_be_for_supports_of_fleets(units: str, coasts: str) -> None:
    found = words(print_sheets([targets(units=tuple(units.split(", ")))], template()))
    text = f"Where the unit itself cannot go: {coasts} only to support a fleet that goes there."
    assert (text in found) == bool(coasts)
    assert ("cannot go" in found) == bool(coasts)


def test_sheets_that_were_printed_before_are_laid_out_as_they_were() -> None:
    new = ("least_squeeze", "legend_below")
    text = "".join(line for line in text_of("a4").splitlines(keepends=True) if not line.startswith(new))
    before, wanted = read_template(text, "a4.toml"), targets(units=("A MUN",), tournament="edc2023")
    squeezed = {word.text: word.squeeze for cell in form_of(wanted, before).cells for word in cell.words}
    assert squeezed["TYROL"] < 0.7
    foot = height_of("A (army)", print_sheets([wanted], before))
    assert foot < 25 < height_of("A (army)", print_sheets([wanted], template())), "mm from the foot of the page"


def height_of(words: str, pdf: bytes) -> float:
    """How high above the foot of the page some words stand, in mm."""
    with pypdfium2.PdfDocument(pdf) as document:
        text = document[0].get_textpage()
        return float(text.get_charbox(text.get_text_range().index(words))[1]) * MM_PER_PT


@pytest.mark.parametrize("paper", PAPERS)
def test_more_units_than_a_page_holds_are_shared_evenly_and_numbered_through(paper: str) -> None:
    wanted, paper_ = targets(units=MANY), template(paper)
    parts = parts_for(paper_, wanted.phase.step, len(MANY), design=wanted.design)
    forms = [form_of(replace(wanted, part=part, parts=parts), paper) for part in range(1, parts + 1)]
    with_units = [[row.row for row in form.rows if form.has_targets(row.row or 0)] for form in forms]
    assert [row for rows in with_units for row in rows] == list(range(1, len(MANY) + 1))
    assert max(map(len, with_units)) - min(map(len, with_units)) <= 1
    free = [row.row or 0 for form in forms for row in form.rows if not form.has_targets(row.row or 0)]
    assert free == list(range(len(MANY) + 1, len(MANY) + 1 + len(free)))
    assert all(any(not form.has_targets(row.row or 0) for row in form.rows) for form in forms)


@pytest.mark.parametrize("paper", PAPERS)
def test_no_sentence_on_a_sheet_is_cut(paper: str) -> None:
    for wanted in (targets(), targets("F1901R"), winter(), winter(is_removal=True)):
        with pypdfium2.PdfDocument(print_sheets([wanted], template(paper))) as document:
            assert "…" not in document[0].get_textpage().get_text_range()


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_but_dots_dashes_and_letters_in_their_places_is_printed_in_a_row(paper: str) -> None:
    for wanted in (targets(), targets("F1901R"), winter()):
        check_print(wanted, template(paper))
        check_markers(wanted, template(paper))


def test_a_unit_with_more_targets_than_its_block_holds_is_refused() -> None:
    narrow = replace(template(), targets=replace(template().target_measures, goes=2))
    with pytest.raises(Stopped, match="F NTH needs 11 boxes for where it goes, and its block has 5; print --design"):
        layout([targets()], narrow)


def test_a_template_without_blocks_says_what_to_do() -> None:
    text = text_of("a4")
    bare = read_template(text[: text.index("\n[ballot]")] + text[text.index("\n[words]") :], "mine.toml")
    with pytest.raises(Stopped, match=r"no table \[ballot\]; print free lines"):
        layout([targets()], bare)


def test_braces_in_an_instruction_are_printed_as_they_are() -> None:
    sheet = read_template(text_of("a4").replace("{due} at most", "{due} at most {not more}"), "mine.toml")
    with pypdfium2.PdfDocument(print_sheets([winter()], sheet)) as document:
        assert "Tick what you build: 1 at most {not more}." in document[0].get_textpage().get_text_range()


def test_blocks_that_nobody_could_fill_are_refused_with_all_faults() -> None:
    text = text_of("a4").replace("label_pt = 10.3", "label_pt = 6.0").replace("goes_width = 17.4", "goes_width = 19.0")
    with pytest.raises(Stopped) as stopped:
        read_template(text, "mine.toml")
    faults = sorted(problem.where for problem in stopped.value.problems)
    assert faults == ["mine.toml.ballot.goes_width", "mine.toml.ballot.label_pt"]


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_a_box_with_a_long_word_takes_two_places_of_a_line_while_all_have_room(columns: int) -> None:
    lines = tuple(Box(20.0, 20.0 + 7 * n, 100.0, 7.0) for n in range(12))
    row = LaidRow(1, Box(20.0, 20.0, 100.0, 84.0), lines)
    slots = Slots(template().target_measures, row, 20.0, columns, 16.0)
    places = {(box.left, box.top): n for n in range(12) for box in [slots.tick(n, TickBox("X", "X", "X")).box]}
    kinds = [TickBox(word, word, word) for word in ("PAR", "A Marseilles", "Marseilles/NC")]
    for boxes in (some for count in (1, 2, 3, 4) for some in product(kinds, repeat=count)):
        cells, taken = slots.ticks(boxes, 12)
        assert [cell.column for cell in cells] == list(boxes)
        used: list[int] = []
        for cell, box in zip(cells, boxes, strict=True):
            place = places[cell.box.left, cell.box.top]
            size = 1 if cell == slots.tick(place, box) else 2
            assert cell == slots.tick(place, box, size)
            assert place % columns + size <= columns
            assert size == (1 if columns == 1 or box is kinds[0] else 2)
            used += range(place, place + size)
        assert len(used) == len(set(used))
        assert taken == max(used) + 1
        assert slots.ticks(boxes, taken) == (cells, taken)
        closer, fewer = slots.ticks(boxes, taken - 1)
        assert (fewer < taken) == (len(used) > len(boxes))
        assert all(cell.column in (*kinds, replace(kinds[1], label="A/Marseilles")) for cell in closer)
