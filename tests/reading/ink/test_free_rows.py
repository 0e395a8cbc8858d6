"""Free rows of a sheet of blocks: what is ticked is certain, what is written is cut out, nothing is passed over."""

from collections.abc import Iterator, Mapping, Sequence

import pytest
from msgspec.structs import replace
from sampled import slow_after

from pipeline.ink import InkLine, Note, Tier
from pipeline.paper.sheet_rows import Choices
from pipeline.pen.filling import FieldMark, Tick
from pipeline.pen.writing import Slip, WrittenWords
from pipeline.reading.pages import PageImage
from pipeline.reading.recogniser import Filed, Inked, Vocabulary
from pipeline.reading.rows import RowInk
from pipeline.reading.transcribe import SheetReader
from reading.boxed import PX, Marks, box_of, line_of, read, stroke, written
from reading.sheetbench import EVENT, Bench
from reading.stand_ins import Recorded
from reading.target_sheet import request

ORDERS = {  # a line, and what of it is certain; "_" is read
    "A PAR - BUR": "A _ - _",
    "A MAR S A PAR - BUR": "A _ S A _ - _",
    "F BRE - SPA/NC": "F _ - _",
    "A PIC H": "A _ H",
    "F ENG C A LON - BEL": "F _ C A _ - _",
    "A GAS S F SPA/SC": "A _ S F _",
    "A WAL - BRE VIA": "A _ - _ VIA",
    "TYR H": "_ H",
}


FREE = (2, 3)  # the rows below the one unit that is printed


def free_rows(
    bench: Bench, cases: Sequence[Mapping[str, FieldMark]], damages: str = "office", seed: int = 3
) -> Iterator[RowInk]:
    """Read rows that are filled so, two on a sheet; ``order`` is a whole line."""
    wanted = request(bench, units=("A MUN",))
    for some in batched(cases, len(FREE)):
        marks: Marks = {(n, row): mark for row, marked in zip(FREE, some, strict=False) for n, mark in marked.items()}
        found = read(bench, wanted, bench.scanned(written(bench, wanted, marks, seed), damages, seed))
        assert found[0].is_blank
        yield from found[1 : 1 + len(some)]


def batched(cases: Sequence[Mapping[str, FieldMark]], size: int) -> Iterator[Sequence[Mapping[str, FieldMark]]]:
    """Take so many at a time."""
    return (cases[first : first + size] for first in range(0, len(cases), size))


@pytest.mark.parametrize(
    ("damages", "seed"),  # 3 is a gel pen, 11 a pencil
    slow_after(1, [("office", 3), ("phone", 11), ("fax:0.2", 3)]),  # of pale ink it is in rows/test_targets.py
)
def test_every_order_is_found_box_by_box(bench: Bench, damages: str, seed: int) -> None:
    found = list(free_rows(bench, [{"order": line} for line in ORDERS], damages, seed))
    assert [line_of(row.crop) for row in found] == list(ORDERS.values())
    assert {note for row in found for note in row.notes} <= {"faint ink"}


@pytest.mark.parametrize(
    ("phase", "lines"),
    [("F1901R", {"A VEN R APU": "A _ R _", "F TRI D": "F _ D"}), ("W1901A", {"F STP/NC B": "F _ B", "WAIVE": "WAIVE"})],
)
def test_retreats_and_adjustments_have_boxes_of_their_own(bench: Bench, phase: str, lines: dict[str, str]) -> None:
    wanted = replace(request(bench, phase, ("A MUN",)), targets=(Choices(()),))
    marks: Marks = {("order", row): line for row, line in zip(FREE, lines, strict=True)}
    found = read(bench, wanted, bench.scanned(written(bench, wanted, marks), "office"))[1:]
    assert [line_of(row.crop) for row in found] == list(lines.values())
    assert not any(row.notes for row in found)


NOT_ONE_ORDER: Sequence[tuple[Mapping[str, FieldMark], set[str]]] = (
    ({"A": Tick(), "unit": "PAR", "-": Tick(), "S": Tick(), "to": "BUR"}, {Note.TWO_TICKS}),
    ({"A": Tick(), "F": Tick(), "unit": "PAR", "H": Tick()}, {Note.TWO_TICKS}),
    ({"unit": "PAR", "S": Tick(), "of A": Tick(), "of F": Tick(), "of": "BUR"}, {Note.TWO_TICKS}),
    ({"A": Tick(), "unit": "PAR", "to": "BUR"}, {Note.NO_SIGN}),
    ({"A": Tick(), "-": Tick(), "to": "BUR"}, {Note.NO_UNIT}),
    ({"A": Tick(), "unit": "PAR", "-": Tick()}, {Note.TOO_LITTLE}),
    ({"A": Tick(), "unit": "PAR", "S": Tick(), "to": "BUR"}, {Note.TOO_LITTLE}),
    ({"A": Tick(), "unit": "PAR", "H": Tick(), "to": "BUR"}, {Note.TOO_MUCH}),
    ({"A": Tick(), "unit": "PAR", "-": Tick(), "of": "PIC", "to": "BUR"}, {Note.TOO_MUCH}),
    ({"A": Tick(), "unit": "PAR", "S": Tick(), "of": "PIC", "via": Tick()}, {Note.TOO_MUCH}),
    ({"A": Tick(), "unit": "PAR", "-": Tick(), "of": "BUR"}, set()),  # a move has no other target
)


def test_what_is_not_one_order_is_asked(bench: Bench) -> None:
    found = free_rows(bench, [boxes for boxes, _ in NOT_ONE_ORDER])
    assert [set(row.notes) for row in found] == [notes for _, notes in NOT_ONE_ORDER]


def test_waiving_leaves_no_room_for_anything_else(bench: Bench) -> None:
    wanted = replace(request(bench, "W1901A", ("A MUN",)), targets=(Choices(()),))
    grey = written(bench, wanted, {("waive", 2): Tick(), ("unit", 2): "PAR"})
    assert read(bench, wanted, grey)[1].notes == (Note.TOO_MUCH,)


@pytest.mark.parametrize("line", ["A PAR - BUR", ""])
def test_ink_that_stands_in_no_box_is_never_passed_over(bench: Bench, line: str) -> None:
    wanted = request(bench, units=("A MUN",))
    grey = written(bench, wanted, {("order", 2): line} if line else {})
    box = box_of(bench, wanted, "via", 2)
    stroke(grey, (box.left - 15, box.top + 2), (box.left - 11, box.top + 2))
    found = read(bench, wanted, grey)[1]
    assert not found.is_blank
    assert Note.BESIDE in found.notes


@pytest.mark.parametrize("seed", slow_after(1, range(4)))
def test_a_row_struck_out_is_noted(bench: Bench, seed: int) -> None:
    struck, plain = free_rows(
        bench, [{"order": WrittenWords("A PAR - BUR", Slip.STRUCK_OUT)}, {"order": "A PAR - PIC"}], seed=40 + seed
    )
    assert [Note.STRUCK_OUT in row.notes for row in (struck, plain)] == [True, False]


def test_the_crop_of_a_box_has_its_own_ink_and_no_neighbours(bench: Bench) -> None:
    whole, same = free_rows(bench, [{"order": "A PAR S A BUR"}, {"unit": "PAR"}], "clean")
    part, alone = (next(p for p in row.crop.parts if isinstance(p, Inked)) for row in (whole, same))
    assert abs(int((part.grey < 150).sum()) - int((alone.grey < 150).sum())) < 0.25 * int((alone.grey < 150).sum())
    assert part.grey.shape[1] < 25 * PX


def test_a_row_in_doubt_is_asked_whatever_the_engine_says(bench: Bench) -> None:
    wanted = request(bench, units=("A MUN",))
    layout = bench.layout(wanted)
    marks: Marks = {("order", 2): "A PAR - BUR", ("order", 3): "A MAR - GAS", ("S", 3): Tick()}
    sanguine = Recorded([InkLine.without_place((), Tier.ACCEPTED)] * 2)
    reader = SheetReader({layout.sheet: layout}, sanguine, lambda _: Vocabulary(), EVENT, "0" * 64)
    found = reader.transcribe(PageImage("scan.pdf", 1, bench.scanned(written(bench, wanted, marks), "office")))
    assert isinstance(found, Filed)
    lines = found.transcription.lines
    assert [line.tier for line in lines[:3]] == [Tier.BLANK, Tier.ACCEPTED, Tier.ASKED]
    assert lines[1].box == layout.form.rows[1].box
    assert sorted(found.crops) == [2, 3]
