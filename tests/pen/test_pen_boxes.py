"""An order goes into the boxes of its row, and what goes wrong with it goes wrong there."""

import numpy as np
import pytest
from msgspec.structs import replace

from pen.paper import DPI, printed
from pipeline.ink import Box
from pipeline.pen.filling import FieldMark, Strike, Tick, _spread_line, boxes_of, fill
from pipeline.pen.hand import Hand
from pipeline.pen.writing import Slip, Writing, WrittenWords
from pipeline.problems import Stopped

PX = DPI / 25.4


FREE = 2  # the first row below the block of the one unit


def inked_boxes(marks: dict[tuple[str, int | None], FieldMark], row: int = FREE) -> set[str]:
    """The boxes of a row that have ink after these marks were made."""
    page, where = printed(("A VIE",))
    written = fill(page, where.as_json(), marks, Hand.from_seed(2, make="gel"), np.random.default_rng(1))
    changed = page.astype(int) - written > 60

    def has_ink(box: Box) -> bool:
        down = slice(round((box.top + 1) * PX), round((box.top + box.height - 1) * PX))
        return bool(changed[down, round((box.left + 1) * PX) : round((box.left + box.width - 1) * PX)].any())

    return {cell.name for cell in where.form.cells_of(row) if has_ink(cell.box)}


@pytest.mark.parametrize(
    ("line", "boxes"),
    [
        ("A VIE H", "A,unit,H"),
        ("A VIE - BOH", "A,unit,-,to"),
        ("A TRI - APU VIA", "A,unit,-,to,via"),
        ("F MAO - SPA/SC", "F,unit,-,to"),
        ("A BUD S A VIE", "A,unit,S,of A,of"),
        ("A BUD S F VIE - GAL", "A,unit,S,of F,of,to"),
        ("F ADR C A TRI - APU", "F,unit,C,of A,of,to"),
        ("TYR H", "unit,H"),
        ("nobody moves", "unit"),
    ],
)
def test_an_order_fills_its_boxes_and_no_other(line: str, boxes: str) -> None:
    assert set(boxes_of(line)) == set(boxes.split(","))
    assert inked_boxes({("order", FREE): line}) == set(boxes.split(","))


def test_where_the_unit_is_printed_nobody_writes_it() -> None:
    assert inked_boxes({("order", 1): "A VIE S A BUD - GAL"}, 1) == {"S", "of", "to"}


@pytest.mark.parametrize(
    ("line", "boxes"),
    [
        ("A VIE - BOH", {"BOH"}),
        ("A VIE - LON", {"via", "to"}),
        ("A VIE S A BUD - GAL", {"S", "of BUD", "GAL"}),
        ("A VIE S A BUD", {"S", "of BUD"}),
        ("A VIE S A BOH", {"S", "of"}),
        ("A VIE S F ROM - NAP", {"S", "of", "to"}),
        ("A VIE H", {"H"}),
    ],
)
def test_on_a_row_of_targets_a_place_with_a_box_is_ticked_and_not_written(line: str, boxes: set[str]) -> None:
    known = {(name, 1) for name in ("H", "BOH", "BUD", "GAL", "TRI", "TYR", "via", "to", "S", "of BUD", "of")}
    assert {name for name, _ in _spread_line(1, WrittenWords(line), known)} == boxes


def test_what_has_only_ticks_is_struck_out_where_a_line_would_be_scribbled() -> None:
    known = {("H", 1), ("BOH", 1), ("of", 1), ("to", 1)}
    assert _spread_line(1, WrittenWords("A VIE - BOH", Slip.SCRIBBLE), known) == {
        ("BOH", 1): Tick(),
        ("row", 1): Strike(),
    }


def test_boxes_can_be_filled_one_by_one_and_with_strokes_from_elsewhere() -> None:
    stroke = Writing((np.array([(0.0, 0.0), (4.0, -4.0), (8.0, 0.0)]),), 4.0, ((0, 8),))
    assert inked_boxes({("C", FREE): Tick(), ("of", FREE): stroke, ("to", FREE): "BOH"}) == {"C", "of", "to"}


def test_a_row_that_is_struck_out_is_struck_through_all_that_is_written_in_it() -> None:
    found = inked_boxes({("order", FREE): WrittenWords("A VIE H", Slip.STRUCK_OUT)})
    assert found >= {"unit", "of", "to"}


def test_a_slip_happens_to_the_longest_word() -> None:
    known = {(name, 3) for name in ("A", "unit", "-", "to")}
    found = _spread_line(3, WrittenWords("A VIE - SPA/SC", Slip.OVERWRITTEN, before="BOH"), known)
    assert found["to", 3] == WrittenWords("SPA/SC", Slip.OVERWRITTEN, "BOH")
    assert found["unit", 3] == WrittenWords("VIE")
    assert _spread_line(3, WrittenWords("A VIE H", Slip.STRUCK_OUT), known)["row", 3] == Strike()


def test_a_whole_line_of_strokes_has_no_place_in_boxes() -> None:
    page, where = printed(("A VIE",))
    line = Writing((np.array([(0.0, 0.0), (4.0, -4.0)]),), 4.0, ((0, 4),))
    with pytest.raises(Stopped, match=r"no field 'order' in row 2"):
        fill(page, where.as_json(), {("order", FREE): line}, Hand.from_seed(1), np.random.default_rng(1))


def test_a_free_line_is_written_as_it_is() -> None:
    page, where = printed(("A VIE",))
    free = replace(where, form=where.form.whole)
    marks: dict[tuple[str, int | None], FieldMark] = {("order", FREE): "A VIE - BOH"}
    written = fill(page, free.as_json(), marks, Hand.from_seed(1), np.random.default_rng(1))
    assert (page.astype(int) - written > 60).any()
