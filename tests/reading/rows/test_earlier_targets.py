"""Sheets with rows of targets as an earlier edition printed them: what the paper out there says is still read so."""

import pytest
from paper.rows_of import earlier

from pipeline.ink import InkReading, Note, Tier
from pipeline.pen.filling import Mark, Tick
from pipeline.pen.slips import Slip, WrittenWords
from pipeline.reading.rows.recogniser import RowReading
from pipeline.reading.rows.rows import ink_line
from reading.boxed import Marks, box_of, check_crumpled, line_of, read, stroke, written
from reading.earlier_sheet import FREE, ORDERS, read_row, request
from reading.sheetbench import Bench


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench(earlier())


@pytest.mark.parametrize("damages", ["clean", "office", "phone", "low-contrast:0.5+noise:0.3", "fax:0.2"])
@pytest.mark.parametrize("seed", [3, 11])  # a gel pen and a pencil
def test_every_order_is_found_box_by_box_and_the_other_rows_are_blank(bench: Bench, damages: str, seed: int) -> None:
    wanted = request(bench)
    marks: Marks = {("order", row): line for row, line in enumerate(ORDERS, start=1)}
    marks |= {("order", FREE): "A VEN - TRI"}  # a free row has boxes for the unit
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks, seed), damages, seed))
    assert [line_of(row.crop) for row in found[: len(ORDERS)]] == list(ORDERS.values())
    assert line_of(found[FREE - 1].crop) == "A _ - _"
    assert {note for row in found for note in row.notes} <= {"faint ink"}
    assert not any(row.is_blank for row in found)


def test_on_letter_the_markers_are_no_further_rows(bench: Bench) -> None:
    letter = Bench(earlier("letter"))
    wanted = request(letter)
    marks: Marks = {("order", row): line for row, line in enumerate(ORDERS, start=1)}
    found = read(letter, wanted, bench.scanned(written(letter, wanted, marks), "office"))
    assert [line_of(row.crop) for row in found[: len(ORDERS)]] == list(ORDERS.values())


def test_on_crumpled_paper_no_row_says_something_else_unasked(bench: Bench) -> None:
    check_crumpled(bench, request(bench), ORDERS)


def test_a_retreat_is_one_tick(bench: Bench) -> None:
    wanted = request(bench, "F1901R", ("A PAR", "F STP/NC", "A MUN"))
    marks: Marks = {("order", 1): "A PAR R PIC", ("order", 2): "F STP/NC D", ("order", 5): "A VEN R APU"}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [line_of(row.crop) for row in found[:5]] == ["A PAR R PIC", "F STP/NC D", "", "", "A _ R _"]
    assert not any(row.notes for row in found)


@pytest.mark.parametrize(
    ("row", "marks", "notes"),
    [
        (1, {"BUR": Tick(), "PIC": Tick()}, {Note.TWO_TICKS}),
        (1, {"H": Tick(), "S": Tick()}, {Note.TWO_TICKS}),
        (1, {"H": Tick(), "BUR": Tick()}, {Note.TOO_MUCH}),
        (1, {"H": Tick(), "of GAS": Tick()}, {Note.TOO_MUCH}),
        (1, {"BUR": Tick(), "of": "MAR"}, {Note.TOO_MUCH}),
        (1, {"BUR": Tick(), "of MAR": Tick()}, {Note.TOO_MUCH}),
        (1, {"BUR": Tick(), "to": "BUR"}, {Note.TOO_MUCH}),
        (1, {"S": Tick(), "of MAR": Tick(), "BUR": Tick(), "to": "BUR"}, {Note.TOO_MUCH}),
        (1, {"S": Tick(), "of MAR": Tick(), "BUR": Tick(), "of": "MUN"}, {Note.TOO_MUCH}),
        (1, {"S": Tick(), "of MAR": Tick(), "of MUN": Tick(), "BUR": Tick()}, {Note.TWO_TICKS}),
        (1, {"S": Tick()}, {Note.TOO_LITTLE}),
        (1, {"S": Tick(), "BUR": Tick()}, {Note.TOO_LITTLE}),
        (1, {"S": Tick(), "to": "BUR"}, {Note.TOO_LITTLE}),
        (1, {"via": Tick()}, {Note.TOO_LITTLE}),
        (1, {"via": Tick(), "of": "BRE", "to": "LON"}, {Note.TOO_MUCH}),
        (3, {"C": Tick(), "of": "LON"}, {Note.TOO_LITTLE}),
        (3, {"C": Tick(), "of WAL": Tick()}, {Note.TOO_LITTLE}),
        (3, {"C": Tick(), "NWY": Tick()}, {Note.TOO_LITTLE}),
        (3, {"C": Tick(), "NWY": Tick(), "of": "LON", "to": "NWY"}, {Note.TOO_MUCH}),
        (1, {"to": "BUR"}, {Note.NO_SIGN}),
        (1, {"of MAR": Tick()}, {Note.NO_SIGN}),
    ],
)
def test_what_is_not_one_order_is_asked(bench: Bench, row: int, marks: dict[str, Mark], notes: set[str]) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {(name, row): mark for name, mark in marks.items()})
    assert set(read(bench, wanted, bench.scanned(grey, "office"))[row - 1].notes) == notes


@pytest.mark.parametrize(
    ("marks", "line"),
    [
        ({"S": Tick(), "of": "BUR"}, "A PAR S _"),
        ({"S": Tick(), "of": "MAR", "BUR": Tick()}, "A PAR S _ - BUR"),
        ({"S": Tick(), "of": "MAR", "to": "BUR"}, "A PAR S _ - _"),
        ({"S": Tick(), "of MUN": Tick(), "to": "BUR"}, "A PAR S A MUN - _"),
        ({"via": Tick(), "PIC": Tick()}, "A PAR - PIC VIA"),
    ],
)
def test_what_has_a_box_may_be_written_and_what_is_written_is_read(
    bench: Bench, marks: dict[str, Mark], line: str
) -> None:
    assert read_row(bench, 1, marks) == (line, ())


@pytest.mark.parametrize(
    ("marks", "offers"),
    [
        ({"BUR": Tick(), "PIC": Tick()}, ("A PAR - BUR", "A PAR - PIC")),
        ({"H": Tick(), "BUR": Tick()}, ("A PAR - BUR", "A PAR H")),
        (
            {"S": Tick(), "of MAR": Tick(), "of MUN": Tick(), "BUR": Tick()},
            ("A PAR S A MAR - BUR", "A PAR S A MUN - BUR", "A PAR S A MAR", "A PAR S A MUN"),
        ),
        ({"S": Tick(), "BUR": Tick()}, ("A PAR - BUR",)),
        ({"S": Tick(), "BUR": Tick(), "to": "BUR"}, ()),
        ({"BUR": Tick()}, ()),
    ],
)
def test_where_not_all_ticks_can_count_the_orders_are_offered_that_some_of_them_make(
    bench: Bench, marks: dict[str, Mark], offers: tuple[str, ...]
) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {(name, 1): mark for name, mark in marks.items()})
    row = read(bench, wanted, bench.scanned(grey, "office"))[0]
    assert row.offers == offers
    best = RowReading((InkReading("A PAR H", 0.9), InkReading("A PAR", 0.1)), Tier.ASKED)
    assert [reading.text for reading in ink_line(row, best).readings] == [*dict.fromkeys(("A PAR H", *offers, "A PAR"))]


def test_who_ticks_where_the_helped_unit_stands_has_it_hold(bench: Bench) -> None:
    assert read_row(bench, 5, {"S": Tick(), "of RUH": Tick()}) == ("A MUN S A RUH", ())
    assert read_row(bench, 5, {"S": Tick(), "of RUH": Tick(), "RUH": Tick()}) == ("A MUN S A RUH", ())
    assert read_row(bench, 5, {"S": Tick(), "of KIE": Tick(), "RUH": Tick()}) == ("A MUN S A KIE - RUH", ())


def test_a_coast_is_said_of_fleets_and_of_whoever_is_written_and_not_of_armies(bench: Bench) -> None:
    assert read_row(bench, 4, {"S": Tick(), "of": "WES", "SPA/SC": Tick()}) == ("F MAO S _ - SPA/SC", ())
    assert read_row(bench, 4, {"S": Tick(), "of POR": Tick(), "SPA/SC": Tick()}) == ("F MAO S F POR - SPA/SC", ())
    assert read_row(bench, 4, {"S": Tick(), "of MAR": Tick(), "SPA/SC": Tick()}) == ("F MAO S A MAR - SPA", ())
    assert read_row(bench, 4, {"C": Tick(), "of": "BRE", "SPA/SC": Tick()}) == ("F MAO C _ - SPA", ())


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
    for line, marks in lines.items():
        grey = written(bench, wanted, {(name, 1): mark for name, mark in marks.items()})
        found = read(bench, wanted, grey)[0]
        assert (line_of(found.crop), found.notes) == (line, ())


def test_ink_beside_the_boxes_or_across_them_is_never_passed_over(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("BUR", 1): Tick(), ("BUR", 5): Tick(), ("H", 8): Tick()})
    named = box_of(bench, wanted, "PIC", 1)  # a stroke through the name of another place
    stroke(grey, (named.left + 0.2, named.top - 1.7), (named.left + 4.8, named.top - 1.3), 0.7)
    between = box_of(bench, wanted, "TYR", 5)  # where a row of more targets would have a box
    stroke(grey, (between.left + 8, between.top + 2), (between.left + 12, between.top + 4))
    first = box_of(bench, wanted, "GAL", 8)
    stroke(grey, (first.left + 1, first.top + 2.5), (first.left + 10, first.top + 2.5))
    found = read(bench, wanted, grey)
    assert Note.BESIDE in found[0].notes
    assert Note.BESIDE in found[4].notes
    assert {Note.ACROSS, Note.TWO_TICKS, Note.TOO_MUCH}.intersection(found[7].notes)


def test_a_row_struck_out_gives_nothing(bench: Bench) -> None:
    wanted = request(bench)
    marks: Marks = {("order", 1): WrittenWords("A PAR - BUR", Slip.STRUCK_OUT), ("order", 2): "F STP/NC - NWY"}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [Note.STRUCK_OUT in row.notes for row in found[:2]] == [True, False]
