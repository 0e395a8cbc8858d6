"""Rows of targets: a place is ticked, and what that says follows from the sign beside it; the rest is asked."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from pipeline.board.standard import standard_map
from pipeline.desk.printed_units import targets_of
from pipeline.ink import Box
from pipeline.orders.notation import read_unit
from pipeline.pen.filling import Mark, Tick
from pipeline.pen.slips import Slip, Words
from pipeline.reading.picture import Grey
from pipeline.reading.spoils import (
    ACROSS,
    BESIDE,
    DOUBTS,
    LEAVES_ROW,
    NO_SIGN,
    STRUCK_OUT,
    TOO_LITTLE,
    TOO_MUCH,
    TWO_TICKS,
    UNSURE_TICK,
)
from pipeline.tournament.field_rows import Design
from pipeline.tournament.load import load_tournament
from pipeline.tournament.sheet import SheetRequest
from reading.boxed import PX, Marks, box_of, check_crumpled, line_of, read, stroke, written
from reading.sheetbench import Bench

ORDERS = {  # a line, and what is made of it; "_" is read
    "A PAR - BUR": "A PAR - BUR",
    "F STP/NC - NWY": "F STP/NC - NWY",
    "F NTH C A LON - NWY": "F NTH C _ - NWY",
    "F MAO - SPA/SC": "F MAO - SPA/SC",
    "A MUN S A BUR": "A MUN S BUR",
    "F GAS S F MAO - SPA/NC": "F GAS S _ - SPA/NC",
    "A WAL - BEL": "A WAL - _ VIA",
    "A UKR H": "A UKR H",
    "F ENG C A WAL - HOL": "F ENG C _ - _",
    "F LYO S A MAR - SPA": "F LYO S _ - _",  # its box says a coast, which armies have not
}
UNITS = tuple(" ".join(line.split()[:2]) for line in ORDERS)


def request(bench: Bench, phase: str = "S1901M", units: tuple[str, ...] = UNITS) -> SheetRequest:
    words = load_tournament("weaselmoot").abbreviations
    targets = targets_of(standard_map(), tuple(map(read_unit, units)), words)
    return replace(bench.request(1, phase=phase), design=Design.TARGETS, units=units, targets=targets)


def blacken(grey: Grey, bench: Bench, wanted: SheetRequest, name: str, row: int) -> None:
    """Fill a box to tick."""
    box = box_of(bench, wanted, name, row)
    for down in np.arange(0.4, 4.8, 0.4):
        stroke(grey, (box.left + 0.4, box.top + down), (box.left + 4.6, box.top + down))


@pytest.mark.parametrize("damages", ["clean", "office", "phone", "low-contrast:0.5+noise:0.3", "fax:0.2"])
@pytest.mark.parametrize("seed", [3, 11])  # a gel pen and a pencil
def test_every_order_is_found_box_by_box_and_the_other_rows_are_blank(bench: Bench, damages: str, seed: int) -> None:
    wanted = request(bench)
    marks: Marks = {("order", row): line for row, line in enumerate(ORDERS, start=1)}
    marks |= {("order", 12): "A VEN - TRI"}  # a free row has boxes for the unit
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks, seed), damages, seed))
    assert [line_of(row.crop) for row in found[: len(ORDERS)]] == list(ORDERS.values())
    assert line_of(found[11].crop) == "A _ - _"
    assert {note for row in found for note in row.notes} <= {"faint ink"}
    assert [row.number for row in found if row.is_blank] == [11, *range(13, 18)]


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
        (1, {"BUR": Tick(), "PIC": Tick()}, {TWO_TICKS}),
        (1, {"H": Tick(), "S": Tick()}, {TWO_TICKS}),
        (1, {"H": Tick(), "BUR": Tick()}, {TOO_MUCH}),
        (1, {"BUR": Tick(), "of": "MAR"}, {TOO_MUCH}),
        (1, {"BUR": Tick(), "to": "BUR"}, {TOO_MUCH}),
        (1, {"S": Tick(), "BUR": Tick(), "to": "BUR"}, {TOO_MUCH}),
        (1, {"S": Tick()}, {TOO_LITTLE}),
        (1, {"S": Tick(), "to": "BUR"}, {TOO_LITTLE}),
        (1, {"via": Tick()}, {TOO_LITTLE}),
        (1, {"via": Tick(), "of": "BRE", "to": "LON"}, {TOO_MUCH}),
        (3, {"C": Tick(), "of": "LON"}, {TOO_LITTLE}),
        (3, {"C": Tick(), "NWY": Tick()}, {TOO_LITTLE}),
        (3, {"C": Tick(), "NWY": Tick(), "of": "LON", "to": "NWY"}, {TOO_MUCH}),
        (1, {"to": "BUR"}, {NO_SIGN}),
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
        ({"S": Tick(), "of": "MAR", "to": "BUR"}, "A PAR S _ - _"),
        ({"via": Tick(), "PIC": Tick()}, "A PAR - PIC VIA"),
    ],
)
def test_what_can_be_said_in_two_ways_is_read_in_both(bench: Bench, marks: dict[str, Mark], line: str) -> None:
    assert read_row(bench, 1, marks) == (line, ())


def test_a_coast_is_said_of_who_goes_there_and_not_of_who_stands_there_or_is_carried(bench: Bench) -> None:
    assert read_row(bench, 4, {"S": Tick(), "of": "WES", "SPA/SC": Tick()}) == ("F MAO S _ - SPA/SC", ())
    assert read_row(bench, 4, {"S": Tick(), "SPA/SC": Tick()}) == ("F MAO S SPA", ())
    assert read_row(bench, 4, {"C": Tick(), "of": "BRE", "SPA/SC": Tick()}) == ("F MAO C _ - SPA", ())


def read_row(bench: Bench, row: int, marks: dict[str, Mark]) -> tuple[str, tuple[str, ...]]:
    wanted = request(bench)
    grey = written(bench, wanted, {(name, row): mark for name, mark in marks.items()})
    found = read(bench, wanted, bench.scanned(grey, "office"))[row - 1]
    return line_of(found.crop), found.notes


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
    assert BESIDE in found[0].notes
    assert BESIDE in found[4].notes
    assert {ACROSS, TWO_TICKS, TOO_MUCH}.intersection(found[7].notes)


def crossed(grey: Grey, bench: Bench, wanted: SheetRequest, name: str, row: int) -> Box:
    """Cross a box."""
    box = box_of(bench, wanted, name, row)
    stroke(grey, (box.left + 0.4, box.top + 0.4), (box.left + 4.6, box.top + 4.6))
    stroke(grey, (box.left + 4.6, box.top + 0.4), (box.left + 0.4, box.top + 4.6))
    return box


def hooked(grey: Grey, bench: Bench, wanted: SheetRequest, name: str, row: int, tail: tuple[float, float]) -> None:
    """Hook a box, with a tail of so many mm across and up."""
    box = box_of(bench, wanted, name, row)
    low = (box.left + 1.8, box.top + 4.6)
    stroke(grey, (box.left + 0.6, box.top + 2.5), low)
    stroke(grey, low, (low[0] + tail[0], low[1] - tail[1]))


@pytest.mark.parametrize("tail", [(2.0, 8.0), (2.5, 11.0), (3.0, 14.0), (6.0, 6.0), (7.0, 3.0)])
@pytest.mark.parametrize("row", [1, 5])  # below the words, and below another row
def test_a_hook_with_a_long_tail_is_a_tick_or_asked_and_never_nothing_or_its_neighbour(
    bench: Bench, row: int, tail: tuple[float, float]
) -> None:
    wanted = request(bench)
    target = {1: "BUR", 5: "BOH"}[row]
    grey = written(bench, wanted, {("H", 8): Tick()})
    hooked(grey, bench, wanted, "S", row, tail)
    crossed(grey, bench, wanted, target, row)
    found = read(bench, wanted, grey)
    asked = DOUBTS.union({LEAVES_ROW}).intersection(found[row - 1].notes)
    assert asked or line_of(found[row - 1].crop) == f"{UNITS[row - 1]} S {target}"
    above = found[row - 2] if row > 1 else None
    assert above is None or above.is_blank or DOUBTS.intersection(above.notes)
    straight_up = tail[0] < tail[1] / 3  # a flat tail runs over the box beside
    assert not straight_up or row > 1 or not asked


def test_a_tail_that_meets_a_long_name_is_no_line_through_the_tick(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("H", 8): Tick()})
    hooked(grey, bench, wanted, "SPA/NC", 4, (2.0, 7.0))
    found = read(bench, wanted, grey)[3]
    assert (line_of(found.crop), found.notes) == ("F MAO - SPA/NC", ())


def test_a_stroke_over_many_boxes_is_no_tick_in_one_of_them(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("of", 5): "PAR"})
    first, last = box_of(bench, wanted, "BER", 5), box_of(bench, wanted, "TYR", 5)
    stroke(grey, (first.left - 0.5, first.top + 2.5), (last.left + 5.5, last.top + 2.3))
    crossed(grey, bench, wanted, "S", 5)
    assert DOUBTS.intersection(read(bench, wanted, grey)[4].notes)


def test_a_mark_between_two_boxes_is_asked(bench: Bench) -> None:
    wanted = request(bench)
    for size in (1.6, 2.0):
        grey = written(bench, wanted, {})
        box = box_of(bench, wanted, "BUR", 1)
        middle = (box.left + 5.75, box.top + 2.5)
        for way in (1, -1):
            ends = [(middle[0] - size, middle[1] - way * size), (middle[0] + size, middle[1] + way * size)]
            stroke(grey, ends[0], ends[1])
        assert DOUBTS.intersection(read(bench, wanted, grey)[0].notes), size


def test_a_tick_with_a_line_through_it_or_a_ring_round_it_is_asked(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {})
    for row, target in ((1, "BUR"), (5, "BOH"), (8, "SEV")):
        crossed(grey, bench, wanted, target, row)
        crossed(grey, bench, wanted, "S", row)
    struck, ringed = box_of(bench, wanted, "S", 1), box_of(bench, wanted, "S", 5)
    stroke(grey, (struck.left - 1.4, struck.top + 2.4), (struck.left + 6.4, struck.top + 2.6))
    centre = (round((ringed.left + 2.5) * PX), round((ringed.top + 2.5) * PX))
    cv2.circle(grey, centre, round(3.0 * PX), 40, round(0.4 * PX), cv2.LINE_AA)
    found = read(bench, wanted, grey)
    assert [UNSURE_TICK in found[row - 1].notes for row in (1, 5, 8)] == [True, True, False]


def test_who_ticks_with_a_plus_and_blacks_one_out_has_not_ticked_it(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {})
    for name, row in (("BUR", 1), ("NWY", 2), ("H", 3), ("POR", 4), ("SIL", 5)):
        box = box_of(bench, wanted, name, row)
        stroke(grey, (box.left + 2.5, box.top + 0.2), (box.left + 2.5, box.top + 4.8))
        stroke(grey, (box.left + 0.2, box.top + 2.5), (box.left + 4.8, box.top + 2.5))
    blacken(grey, bench, wanted, "S", 1)
    found = read(bench, wanted, grey)
    assert UNSURE_TICK in found[0].notes
    assert not any(found[row - 1].notes for row in (2, 3, 4, 5))


def test_a_row_struck_out_gives_nothing(bench: Bench) -> None:
    wanted = request(bench)
    marks: Marks = {("order", 1): Words("A PAR - BUR", Slip.STRUCK_OUT), ("order", 2): "F STP/NC - NWY"}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))
    assert [STRUCK_OUT in row.notes for row in found[:2]] == [True, False]


def test_blacking_out_is_a_tick_where_every_mark_of_the_sheet_is_one(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {})
    for name, row in (("BUR", 1), ("NWY", 2), ("H", 8)):
        blacken(grey, bench, wanted, name, row)
    found = read(bench, wanted, bench.scanned(grey, "office"))
    assert [line_of(found[row - 1].crop) for row in (1, 2, 8)] == ["A PAR - BUR", "F STP/NC - NWY", "A UKR H"]
    assert not any(row.notes for row in found)
    blacken(grey, bench, wanted, "PIC", 1)  # two in one row are still two
    assert read(bench, wanted, bench.scanned(grey, "office"))[0].notes == (TWO_TICKS,)


def test_blacking_out_is_asked_where_other_boxes_are_crossed_or_too_few_are_black(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("H", 5): Tick()})
    for name, row in (("BUR", 1), ("NWY", 2), ("H", 8)):
        blacken(grey, bench, wanted, name, row)
    found = read(bench, wanted, bench.scanned(grey, "office"))
    assert [UNSURE_TICK in found[row - 1].notes for row in (1, 2, 5, 8)] == [True, True, False, True]
    two = written(bench, wanted, {})
    for name, row in (("BUR", 1), ("NWY", 2)):
        blacken(two, bench, wanted, name, row)
    assert all(UNSURE_TICK in row.notes for row in read(bench, wanted, two)[:2])
