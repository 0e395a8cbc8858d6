"""Rows of targets: a place is ticked, and what that says follows from the sign beside it; the rest is asked."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from sampled import slow_after

from pipeline.ink import DOUBTS, InkLine, InkReading, Note, Tier
from pipeline.paper.load_sheet import read_template
from pipeline.pen.filling import FieldMark, Tick
from pipeline.pen.writing import Slip, WrittenWords
from pipeline.reading.rows import _ink_line
from pipeline.small_files import data_folder
from reading.boxed import Marks, box_of, check_crumpled, line_of, read, stroke, written
from reading.sheetbench import Bench
from reading.target_sheet import FREE, ORDERS, UNITS, lines_of, read_rows, request, winter


@pytest.mark.parametrize(
    ("damages", "seed"),  # 3 is a gel pen, 11 a pencil
    slow_after(1, [("office", 3), ("phone", 11), ("low-contrast:0.5+noise:0.3", 11), ("fax:0.2", 3)]),
)
def test_every_order_is_found_box_by_box_and_the_other_rows_are_blank(bench: Bench, damages: str, seed: int) -> None:
    wanted = request(bench)
    marks: Marks = {("order", row): line for row, line in enumerate(ORDERS, start=1)}
    marks |= {("order", FREE): "A VEN - TRI"}  # a free row has boxes for the unit
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks, seed), damages, seed))
    assert [line_of(row.crop) for row in found[: len(ORDERS)]] == list(ORDERS.values())
    assert line_of(found[FREE - 1].crop) == "A _ - _"
    notes = Counter(note for row in found for note in row.notes)
    assert notes.keys() <= {"faint ink", Note.BESIDE}
    assert notes[Note.BESIDE] <= (damages == "phone")  # the letters of STP touch there, as if a line ran through them
    assert not any(row.is_blank for row in found)


def test_on_letter_the_markers_are_no_further_rows(bench: Bench) -> None:
    letter = Bench(read_template((data_folder("templates/sheets") / "letter.toml").read_text("utf-8"), "letter.toml"))
    wanted = request(letter, units=UNITS[:7])  # as many as a sheet has room for
    marks: Marks = {("order", row): line for row, line in enumerate(ORDERS, start=1) if row <= 7}
    found = read(letter, wanted, bench.scanned(written(letter, wanted, marks), "office"))
    assert [line_of(row.crop) for row in found[:7]] == list(ORDERS.values())[:7]


@pytest.mark.slow
def test_on_crumpled_paper_no_row_says_something_else_unasked(bench: Bench) -> None:
    check_crumpled(bench, request(bench), ORDERS, seed=4)


def test_a_retreat_is_one_tick(bench: Bench) -> None:
    wanted = request(bench, "F1901R", ("A PAR", "F STP/NC", "A MUN"))
    marks: Marks = {("order", 1): "A PAR R PIC", ("order", 2): "F STP/NC D", ("order", 5): "A VEN R APU"}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [line_of(row.crop) for row in found[:5]] == ["A PAR R PIC", "F STP/NC D", "", "", "A _ R _"]
    assert not any(row.notes for row in found)


def test_a_build_a_waiver_and_a_removal_are_one_tick_each_and_two_builds_in_one_home_are_asked(bench: Bench) -> None:
    wanted = winter(
        bench, ("F SEV",), ("MOS", "SEV", "STP", "WAR")
    )  # rows: MOS, STP, WAR, three to waive, and free ones
    marks: Marks = {("A MOS", 1): Tick(), ("F STP/NC", 2): Tick(), ("waive", 4): Tick(), ("order", 7): "A WAR B"}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [line_of(row.crop) for row in found[:7]] == ["A MOS B", "F STP/NC B", "", "WAIVE", "", "", "A _ B"]
    assert not any(row.notes for row in found)
    grey = written(bench, wanted, {("A STP", 2): Tick(), ("F STP/SC", 2): Tick()})
    row = read(bench, wanted, bench.scanned(grey, "office"))[1]
    assert (row.notes, row.offers) == ((Note.TWO_TICKS,), ("A STP B", "F STP/SC B"))
    removals = winter(bench, ("A MOS", "F BLA", "A UKR"), ("MOS", "SEV"))
    found = read(bench, removals, bench.scanned(written(bench, removals, {("D", 2): Tick()}), "office"))
    assert [line_of(row.crop) for row in found[:3]] == ["", "F BLA D", ""]


A_SHEET = 8  # rows with boxes
NOT_ONE_ORDER: Sequence[tuple[str, Mapping[str, FieldMark], set[str]]] = (
    ("A PAR", {"BUR": Tick(), "PIC": Tick()}, {Note.TWO_TICKS}),
    ("A PAR", {"H": Tick(), "S": Tick()}, {Note.TWO_TICKS}),
    ("A PAR", {"H": Tick(), "BUR": Tick()}, {Note.TOO_MUCH}),
    ("A PAR", {"H": Tick(), "of GAS": Tick()}, {Note.TOO_MUCH}),
    ("A PAR", {"BUR": Tick(), "of": "MAR"}, {Note.TOO_MUCH}),
    ("A PAR", {"BUR": Tick(), "of MAR": Tick()}, {Note.TOO_MUCH}),
    ("A PAR", {"BUR": Tick(), "to": "BUR"}, {Note.TOO_MUCH}),
    ("A PAR", {"S": Tick(), "of MAR": Tick(), "BUR": Tick(), "to": "BUR"}, {Note.TOO_MUCH}),
    ("A PAR", {"S": Tick(), "of MAR": Tick(), "BUR": Tick(), "of": "MUN"}, {Note.TOO_MUCH}),
    ("A PAR", {"S": Tick(), "of MAR": Tick(), "of MUN": Tick(), "BUR": Tick()}, {Note.TWO_TICKS}),
    ("A PAR", {"S": Tick()}, {Note.TOO_LITTLE}),
    ("A PAR", {"S": Tick(), "BUR": Tick()}, {Note.TOO_LITTLE}),
    ("A PAR", {"S": Tick(), "to": "BUR"}, {Note.TOO_LITTLE}),
    ("A PAR", {"via": Tick()}, {Note.TOO_LITTLE}),
    ("A PAR", {"via": Tick(), "of": "BRE", "to": "LON"}, {Note.TOO_MUCH}),
    ("F NTH", {"C": Tick(), "of": "LON"}, {Note.TOO_LITTLE}),
    ("F NTH", {"C": Tick(), "of WAL": Tick()}, {Note.TOO_LITTLE}),
    ("F NTH", {"C": Tick(), "NWY": Tick()}, {Note.TOO_LITTLE}),
    ("F NTH", {"C": Tick(), "NWY": Tick(), "of": "LON", "to": "NWY"}, {Note.TOO_MUCH}),
    ("A PAR", {"to": "BUR"}, {Note.NO_SIGN}),
    ("A PAR", {"of MAR": Tick()}, {Note.NO_SIGN}),
)


@pytest.mark.parametrize("start", slow_after(1, range(0, len(NOT_ONE_ORDER), A_SHEET)))
def test_what_is_not_one_order_is_asked(bench: Bench, start: int) -> None:
    cases = NOT_ONE_ORDER[start : start + A_SHEET]
    found = read_rows(bench, [(unit, marks) for unit, marks, _ in cases])
    assert [set(row.notes) for row in found] == [notes for *_, notes in cases]


def test_what_has_a_box_may_be_written_and_what_is_written_is_read(bench: Bench) -> None:
    cases: Sequence[tuple[Mapping[str, FieldMark], str]] = [
        ({"S": Tick(), "of": "BUR"}, "A PAR S _"),
        ({"S": Tick(), "of": "MAR", "BUR": Tick()}, "A PAR S _ - BUR"),
        ({"S": Tick(), "of": "MAR", "to": "BUR"}, "A PAR S _ - _"),
        ({"S": Tick(), "of MUN": Tick(), "to": "BUR"}, "A PAR S A MUN - _"),
        ({"via": Tick(), "PIC": Tick()}, "A PAR - PIC VIA"),
    ]
    found = lines_of(bench, [("A PAR", marks) for marks, _ in cases])
    assert found == [(line, ()) for _, line in cases]


def test_where_not_all_ticks_can_count_the_orders_are_offered_that_some_of_them_make(bench: Bench) -> None:
    cases: Sequence[tuple[Mapping[str, FieldMark], tuple[str, ...]]] = [
        ({"BUR": Tick(), "PIC": Tick()}, ("A PAR - BUR", "A PAR - PIC")),
        ({"H": Tick(), "BUR": Tick()}, ("A PAR - BUR", "A PAR H")),
        (
            {"S": Tick(), "of MAR": Tick(), "of MUN": Tick(), "BUR": Tick()},
            ("A PAR S A MAR - BUR", "A PAR S A MUN - BUR", "A PAR S A MAR", "A PAR S A MUN"),
        ),
        ({"S": Tick(), "BUR": Tick()}, ("A PAR - BUR",)),
        ({"S": Tick(), "BUR": Tick(), "to": "BUR"}, ()),
        ({"BUR": Tick()}, ()),
    ]
    best = InkLine.without_place(
        (InkReading("A PAR - PIE", 0.95), InkReading("A PAR - RUH", 0.01), InkReading("LESS", 0.05)), Tier.ASKED
    )
    rows = read_rows(bench, [("A PAR", marks) for marks, _ in cases])
    for row, (marks, offers) in zip(rows, cases, strict=True):
        assert row.offers == offers, marks
        found = [reading.text for reading in _ink_line(row, best).readings]
        first, low, less = (reading.text for reading in best.readings)
        assert found == ([first, *offers, less, low] if offers else [first, low, less])


def test_who_ticks_where_the_helped_unit_stands_has_it_hold(bench: Bench) -> None:
    cases: Sequence[tuple[Mapping[str, FieldMark], str]] = [
        ({"S": Tick(), "of RUH": Tick()}, "A MUN S A RUH"),
        ({"S": Tick(), "of RUH": Tick(), "RUH": Tick()}, "A MUN S A RUH"),
        ({"S": Tick(), "of KIE": Tick(), "RUH": Tick()}, "A MUN S A KIE - RUH"),
    ]
    found = lines_of(bench, [("A MUN", marks) for marks, _ in cases])
    assert found == [(line, ()) for _, line in cases]


def test_a_coast_is_said_of_fleets_and_of_whoever_is_written_and_not_of_armies(bench: Bench) -> None:
    cases: Sequence[tuple[Mapping[str, FieldMark], str]] = [
        ({"S": Tick(), "of": "WES", "SPA/SC": Tick()}, "F MAO S _ - SPA/SC"),
        ({"S": Tick(), "of POR": Tick(), "SPA/SC": Tick()}, "F MAO S F POR - SPA/SC"),
        ({"S": Tick(), "of MAR": Tick(), "SPA/SC": Tick()}, "F MAO S A MAR - SPA"),
        ({"C": Tick(), "of": "BRE", "SPA/SC": Tick()}, "F MAO C _ - SPA"),
    ]
    found = lines_of(bench, [("F MAO", marks) for marks, _ in cases])
    assert found == [(line, ()) for _, line in cases]


def test_an_army_has_boxes_for_the_coasts_that_it_can_support_a_fleet_onto(bench: Bench) -> None:
    wanted = request(bench, units=("A GAS", "F MAO", "A PAR"))
    names = [cell.name for cell in bench.layout(wanted).form.cells_of(1)]
    assert [name for name in names if name.startswith("SPA")] == ["SPA", "SPA/NC", "SPA/SC"]
    assert not [cell.name for cell in bench.layout(wanted).form.cells_of(3) if "/" in cell.name]
    lines = {
        "A GAS S F MAO - SPA/SC": {"S": Tick(), "of MAO": Tick(), "SPA/SC": Tick()},
        "A GAS S F MAO - SPA": {"S": Tick(), "of MAO": Tick(), "SPA": Tick()},
        "A GAS S A MAR - SPA": {"S": Tick(), "of MAR": Tick(), "SPA/SC": Tick()},
        "A GAS - SPA": {"SPA/NC": Tick()},
    }
    wanted = request(bench, units=("A GAS", "F MAO", "A PAR"), shown=("A GAS",) * len(lines))
    marks: Marks = {(name, row): mark for row, marked in enumerate(lines.values(), 1) for name, mark in marked.items()}
    found = read(bench, wanted, written(bench, wanted, marks))[: len(lines)]
    assert [(line_of(row.crop), row.notes) for row in found] == [(line, ()) for line in lines]


def test_ink_beside_the_boxes_or_across_them_is_never_passed_over(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("BUR", 1): Tick(), ("BUR", 5): Tick(), ("H", 8): Tick()})
    named = box_of(bench, wanted, "PIC", 1)  # a stroke through the name of another place
    stroke(grey, (named.left + 6.4, named.top + 2.3), (named.left + 12.0, named.top + 2.7), 0.7)
    between = box_of(bench, wanted, "TYR", 5)  # where a unit of more targets would have a box
    stroke(grey, (between.left + 18.5, between.top + 2), (between.left + 22, between.top + 4))
    first = box_of(bench, wanted, "GAL", 8)
    stroke(grey, (first.left + 1, first.top + 2.5), (first.left + 21, first.top + 2.5))
    found = read(bench, wanted, grey)
    assert Note.BESIDE in found[0].notes
    assert Note.BESIDE in found[4].notes
    assert DOUBTS.intersection(found[7].notes)


def test_a_row_struck_out_gives_nothing(bench: Bench) -> None:
    wanted = request(bench)
    marks: Marks = {("order", 1): WrittenWords("A PAR - BUR", Slip.STRUCK_OUT), ("order", 2): "F STP/NC - NWY"}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [Note.STRUCK_OUT in row.notes for row in found[:2]] == [True, False]
