"""Ticks in rows of targets, with tails, between boxes, struck and ringed: each is a tick of its own box, or asked."""

from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from typing import TypeVar

import cv2
import pytest
from msgspec.structs import replace
from sampled import slow_after

from pipeline.ink import DOUBTS, Note
from pipeline.pen.filling import FieldMark, Tick
from pipeline.rules.load import tournament_ids
from reading.boxed import PX, box_of, line_of, read, stroke, written
from reading.sheetbench import Bench
from reading.target_sheet import UNITS, blacken, crossed, hooked, request

Shape = TypeVar("Shape")
TURNS = slow_after(1, range(3))  # which row of a sheet has which of several shapes


def turned(shapes: Sequence[Shape], turn: int) -> Sequence[Shape]:
    """The shapes of the rows of one sheet, one after another, beginning with another one each time."""
    return [*islice(cycle(shapes), turn, turn + 8)]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_what_a_tournament_prints_beside_its_boxes_is_no_ink(bench: Bench, tournament: str) -> None:
    units = ("A MUN", "A VEN", "A VIE", "A MAR", "A GAS", "A SER", "F TRI", "F LON")
    wanted = request(bench, units=units, tournament=tournament)
    grey = written(bench, wanted, {("H", row): Tick() for row in range(1, len(units) + 1)})
    found = [(line_of(row.crop), row.notes) for row in read(bench, wanted, grey)[: len(units)]]
    assert found == [(f"{unit} H", ()) for unit in units]


@pytest.mark.parametrize("tail", [(2.0, 8.0), (3.0, 14.0), (7.0, 3.0)])
@pytest.mark.parametrize(
    "hooks",
    [
        (
            (1, "BUR", {}),  # below the words over the columns
            (4, "BOH", {}),  # below another row
            (7, "S", {"of KIE": Tick(), "RUH": Tick()}),
        ),
        (
            (1, "of MUN", {"S": Tick(), "BUR": Tick()}),  # below the row's own first line
        ),
    ],
)
def test_a_hook_with_a_long_tail_is_a_tick_or_asked_and_never_nothing_or_its_neighbour(
    bench: Bench, hooks: Sequence[tuple[int, str, Mapping[str, FieldMark]]], tail: tuple[float, float]
) -> None:
    units = (*UNITS[:3], "A MUN", *UNITS[4:6], "A MUN", *UNITS[7:])
    wanted = request(bench, shown=units)
    grey = written(bench, wanted, {("H", 8): Tick()})
    for row, name, crosses in hooks:
        for other in crosses:
            crossed(grey, bench, wanted, other, row)
        hooked(grey, bench, wanted, name, row, tail)
    found = read(bench, wanted, grey)
    for row, name, _ in hooks:
        asked = DOUBTS.union({Note.LEAVES_ROW}).intersection(found[row - 1].notes)
        line = {"BUR": "- BUR", "BOH": "- BOH", "of MUN": "S A MUN - BUR", "S": "S A KIE - RUH"}[name]
        assert asked or line_of(found[row - 1].crop) == f"{units[row - 1]} {line}", name
        above = found[row - 2] if row > 1 else None
        assert above is None or above.is_blank or DOUBTS.intersection(above.notes), name
        straight_up = tail[0] < tail[1] / 3  # a flat tail runs over the box beside
        assert not straight_up or tail[1] > (14.0 if name == "BUR" else 8.0) or not asked, name


@pytest.mark.parametrize("turn", slow_after(1, range(2)))
def test_a_hook_whose_tail_goes_straight_up_into_the_letters_makes_no_ring_with_them(bench: Bench, turn: int) -> None:
    hooks: Sequence[tuple[int, str, Mapping[str, FieldMark], str]] = [
        (2, "SIL", {}, "A MUN - SIL"),
        (4, "of KIE", {"S": Tick(), "RUH": Tick()}, "A MUN S A KIE - RUH"),
        (6, "S", {"of KIE": Tick(), "RUH": Tick()}, "A MUN S A KIE - RUH"),
    ]
    wanted = request(bench, shown=("A MUN",) * 8)
    grey = written(bench, wanted, {("H", 8): Tick()})
    for (row, name, crosses, _), high in zip(hooks, turned([8.0, 10.0], turn), strict=False):
        for other in crosses:
            crossed(grey, bench, wanted, other, row)
        box = box_of(bench, wanted, name, row)
        low = (box.left + 3.6, box.top + 4.6)
        stroke(grey, (box.left + 0.2, box.top - 1.4), low)
        stroke(grey, low, (low[0] + 0.2, low[1] - high))
    found = read(bench, wanted, grey)
    for row, name, _, line in hooks:
        assert (line_of(found[row - 1].crop), found[row - 1].notes) == (line, ()), name


def test_the_tail_of_a_letter_that_reaches_into_the_row_below_is_nothing_there(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("via", 7): Tick(), ("H", 8): Tick()})
    box = box_of(bench, wanted, "to", 7)
    line = box.top + box.height - 2.6
    for across, tail in ((3.0, 0.0), (6.0, 4.5), (9.0, 0.0)):
        stroke(grey, (box.left + across, line - 4), (box.left + across + 0.5, line - 0.2 + tail))
        stroke(grey, (box.left + across, line - 4), (box.left + across + 2, line - 3))
    found = read(bench, wanted, grey)
    assert (line_of(found[6].crop), found[6].notes) == ("A WAL - _ VIA", ())
    assert (line_of(found[7].crop), found[7].notes) == ("A UKR H", ())


def test_a_mark_between_two_boxes_is_asked(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {})
    sizes = {1: ("BUR", 1.6), 5: ("BOH", 2.0)}
    for row, (target, size) in sizes.items():
        box = box_of(bench, wanted, target, row)
        middle = (box.left + 5.75, box.top + 2.5)
        for way in (1, -1):
            ends = [(middle[0] - size, middle[1] - way * size), (middle[0] + size, middle[1] + way * size)]
            stroke(grey, ends[0], ends[1])
    found = read(bench, wanted, grey)
    assert all(DOUBTS.intersection(found[row - 1].notes) for row in sizes)


def test_a_tick_with_more_strokes_than_the_others_of_its_sheet_is_asked(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {})
    ticked = {1: "BUR", 2: "NWY", 3: "HOL", 4: "SPA/NC", 5: "BOH", 6: "BRE", 7: "YOR", 8: "SEV"}
    boxes = {row: crossed(grey, bench, wanted, name, row) for row, name in ticked.items()}
    lines = {2: (2.0, -0.8, 2.9, 6.0), 5: (3.2, -1.0, 1.4, 6.0), 7: (1.0, -0.8, 3.4, 6.0)}
    for row, (x, y, to_x, to_y) in lines.items():
        box = boxes[row]
        stroke(grey, (box.left + x, box.top + y), (box.left + to_x, box.top + to_y))
    found = read(bench, wanted, bench.scanned(grey, "office"))
    assert [row.number for row in found if Note.UNSURE_TICK in row.notes] == sorted(lines)
    assert not any(found[row - 1].notes for row in ticked.keys() - lines.keys())


def test_a_row_with_a_sticker_on_a_ticked_or_an_empty_box_is_asked_and_no_other(bench: Bench) -> None:
    wanted = request(bench)
    ticked = {1: ("BUR",), 2: ("NWY",), 5: ("S", "of RUH"), 8: ("H",)}
    grey = written(bench, wanted, {(name, row): Tick() for row, names in ticked.items() for name in names})
    for row, name in ((1, "BUR"), (5, "of RUH"), (8, "SEV")):
        box = box_of(bench, wanted, name, row)
        down, across = ((round((start - 1) * PX), round((start + 6) * PX)) for start in (box.top, box.left))
        grey[slice(*down), slice(*across)] = 250
    found = read(bench, wanted, bench.scanned(grey, "rotation:0.2+noise:0.3+jpeg:0.3"))
    assert [row.number for row in found if Note.HIDDEN in row.notes] == [1, 5, 8]


def test_a_ring_round_a_name_beside_its_box_is_asked(bench: Bench) -> None:
    wanted = request(bench)
    cells = bench.layout(wanted).form.cells
    grey = written(bench, wanted, {("H", 2): Tick()})
    for row, target, more in ((1, "BUR", 0.8), (3, "HOL", 1.6), (5, "BOH", 0.8), (8, "SEV", 1.6)):
        name = next(cell.label for cell in cells if (cell.row, cell.name) == (row, target))
        assert name is not None
        centre = (round((name.left + name.width / 2) * PX), round((name.top + name.height / 2) * PX))
        axes = (round((name.width / 2 + more) * PX), round((name.height / 2 + more) * PX))
        cv2.ellipse(grey, centre, axes, 0, 0, 360, 40, 3, cv2.LINE_AA)
    found = read(bench, wanted, grey)
    assert all(DOUBTS.intersection(found[row - 1].notes) for row in (1, 3, 5, 8))


def test_a_thin_line_through_the_name_beside_a_tick_is_asked(bench: Bench) -> None:
    wanted = request(bench)
    cells = {(cell.row, cell.name): cell for cell in bench.layout(wanted).form.cells}
    struck = {(1, "BUR"): (-0.3, 0.0), (3, "HOL"): (0.4, 0.5), (4, "SPA/SC"): (0.0, 0.0), (5, "BOH"): (0.0, -0.9)}
    struck |= {(2, "H"): (0.2, 0.4), (7, "YOR"): (0.0, 0.0)}
    grey = written(bench, wanted, {("H", 8): Tick(), **dict.fromkeys([(name, row) for row, name in struck], Tick())})
    for place, (lower, climb) in struck.items():
        word = cells[place].words[0].box
        middle, start = word.top + word.height / 2 + lower, word.left - 0.2
        stroke(grey, (start, middle + climb / 2), (start + max(7.0, word.width - 0.5), middle - climb / 2), wide_mm=0.3)
    found = read(bench, wanted, grey)
    assert [row.number for row in found if Note.BESIDE in row.notes] == sorted(row for row, _ in struck)


@pytest.mark.parametrize("turn", TURNS)
def test_a_hook_with_a_ring_round_it_is_asked(bench: Bench, turn: int) -> None:
    names = {1: "BOH", 3: "BOH", 5: "of KIE", 7: "of KIE"}
    wanted = request(bench, shown=("A MUN",) * 8)
    grey = written(bench, wanted, {("H", 8): Tick()})
    for (row, name), radius in zip(names.items(), turned([2.9, 3.2, 3.6], turn), strict=False):
        crossed(grey, bench, wanted, {"BOH": "H", "of KIE": "S"}[name], row)
        box = box_of(bench, wanted, name, row)
        low = (box.left + 2.2, box.top + 3.6)
        stroke(grey, (box.left + 1.2, box.top + 2.2), low)
        stroke(grey, low, (box.left + 4.0, box.top + 1.2))
        centre = (round((box.left + 2.5) * PX), round((box.top + 2.5) * PX))
        cv2.circle(grey, centre, round(radius * PX), 40, round(0.4 * PX), cv2.LINE_AA)
    found = read(bench, wanted, grey)
    assert all(Note.UNSURE_TICK in found[row - 1].notes for row in names)


def test_blacking_out_is_a_tick_where_every_mark_of_the_sheet_is_one(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {})
    for name, row in (("BUR", 1), ("NWY", 2), ("H", 8)):
        blacken(grey, bench, wanted, name, row)
    found = read(bench, wanted, bench.scanned(grey, "office"))
    assert [line_of(found[row - 1].crop) for row in (1, 2, 8)] == ["A PAR - BUR", "F STP/NC - NWY", "A UKR H"]
    assert not any(row.notes for row in found)
    blacken(grey, bench, wanted, "PIC", 1)  # two in one row are still two
    assert read(bench, wanted, bench.scanned(grey, "office"))[0].notes == (Note.TWO_TICKS,)


def test_a_unit_in_narrower_letters_than_another_has_no_ink_on_it(bench: Bench) -> None:
    long = ("A PAR", "A MEDITERRANEAN", "A SAINT PETERSBURG")
    wanted = replace(request(bench, shown=("A PAR", "A MUN", "A WAL")), units=long)
    found = read(bench, wanted, written(bench, wanted, {}))
    assert all(row.is_blank for row in found)


def test_two_dots_of_a_rule_in_one_are_no_ink_and_a_stroke_along_it_is(bench: Bench) -> None:
    wanted = request(bench)
    form = bench.layout(wanted).form
    grey = written(bench, wanted, {})
    strokes = {3: (1, False), 6: (5, True)}  # over how many dots, and whether it is ink
    for row, (dots, _) in strokes.items():
        guide = next(guide for guide in form.guides if form.rows[row - 1].box.top + 1 < guide.y)
        stroke(grey, (guide.dots[3], guide.y), (guide.dots[3 + dots], guide.y), 0.3)
    found = read(bench, wanted, grey)
    for row, (_, is_ink) in strokes.items():
        assert (found[row - 1].is_blank, Note.BESIDE in found[row - 1].notes) == (not is_ink, is_ink)


@pytest.mark.parametrize("seed", slow_after(1, [1, 2]))
def test_a_shaken_picture_draws_dots_as_streaks_and_they_are_no_ticks(bench: Bench, seed: int) -> None:
    wanted = request(bench)
    ticks: dict[tuple[str, int | None], FieldMark] = {
        ("BUR", 1): Tick(),
        ("H", 2): Tick(),
        ("H", 5): Tick(),
        ("H", 8): Tick(),
    }
    found = read(bench, wanted, bench.scanned(written(bench, wanted, ticks), "office+motion:0.5", seed))
    sure = {row: line_of(ink.crop) for row, ink in enumerate(found, start=1) if not (ink.is_blank or ink.notes)}
    assert sure == {1: "A PAR - BUR", 2: f"{UNITS[1]} H", 5: f"{UNITS[4]} H", 8: f"{UNITS[7]} H"}
    assert sum(bool(ink.notes) for ink in found) <= 1


@pytest.mark.parametrize(("seed", "row"), slow_after(1, [(1, 2), (4, 6)]))
def test_the_rim_of_a_coffee_stain_beside_the_boxes_is_no_ink(bench: Bench, seed: int, row: int) -> None:
    wanted = request(bench)
    ticks: dict[tuple[str, int | None], FieldMark] = {
        ("BUR", 1): Tick(),
        ("H", 2): Tick(),
        ("H", 5): Tick(),
        ("H", 8): Tick(),
    }
    found = read(bench, wanted, bench.scanned(written(bench, wanted, ticks), "office+stain:0.7", seed))
    assert not found[row - 1].notes


def test_a_pale_pencil_beside_the_boxes_is_ink_on_white_paper(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("H", 2): Tick(), ("H", 5): Tick()})
    for row, grey_level in ((2, 215), (5, 222)):
        box = box_of(bench, wanted, "H", row)
        across, down = round((box.left - 5) * PX), round((box.top + 1) * PX)
        cv2.line(grey, (across, down), (across + 16, down + 24), (grey_level,), 4, cv2.LINE_AA)
    found = read(bench, wanted, grey)
    assert all(Note.BESIDE in found[row - 1].notes for row in (2, 5))


def test_a_tail_that_meets_a_long_name_is_no_line_through_the_tick(bench: Bench) -> None:
    wanted = request(bench)
    grey = written(bench, wanted, {("H", 5): Tick(), ("H", 8): Tick()})
    hooked(grey, bench, wanted, "SPA/NC", 4, (2.0, 7.0))
    hooked(grey, bench, wanted, "SPA/NC", 6, (2.0, 9.0))  # into the row above, which it is nothing in
    found = read(bench, wanted, grey)[3:6]
    lines = ["F MAO - SPA/NC", "A MUN H", "F GAS - SPA/NC"]
    assert [(line_of(row.crop), row.notes) for row in found] == [(line, ()) for line in lines]
