"""Which of a power's sheets counts: worked examples, each a list of what happened, in order, and what counts then."""

import pytest

from desk.came import ENGLAND, HOLDS, ORDERS, asked, england, orders, scanned, serial, written
from pipeline.desk.event.event import Event
from pipeline.desk.ruling.rulings import rule_sheet, type_lines
from pipeline.ledger.parts import SheetDecision

FIRST, SECOND, TYPED = ORDERS, HOLDS, ["F LON - ENG", "F EDI - NTH", "A LVP - WAL"]
WHAT = {"first": FIRST, "second": SECOND, "typed": TYPED, "nothing": [], "empty": [], "blank": []}

# what happened, oldest first: a sheet is scanned, lines are typed, a sheet is chosen, or a decision is made;
# then the state, whose orders count, and whether the director is asked about the sheet
TABLE = [
    ("", "missing", "nothing", True),
    ("no orders", "no orders", "nothing", False),
    # a sheet is in where one came or lines were typed, whatever was said of it before
    ("accepted", "missing", "nothing", True),
    ("on other paper", "missing", "nothing", True),
    ("accepted, scan first", "in", "first", True),
    ("refused", "refused", "nothing", False),
    ("scan first", "in", "first", False),
    ("scan first, refused", "refused", "nothing", False),
    ("scan first, accepted", "in", "first", False),
    ("scan first, late", "late", "first", False),
    # of sheets on which nothing is written, one is in where all that came are so
    ("scan empty", "in", "nothing", False),
    ("scan empty, scan blank", "in", "nothing", False),
    ("scan empty, scan second", "in", "second", False),
    ("scan first, scan blank", "in", "first", False),
    # a second sheet of the same rows: what is ruled before it came is no word on it
    ("scan first, scan second", "two sheets", None, True),
    ("scan first, scan second, choose first", "in", "first", False),
    ("scan first, scan second, choose second", "in", "second", False),
    ("scan first, scan second, choose second, choose first", "in", "first", False),
    ("scan first, accepted, scan second", "two sheets", None, True),
    ("scan first, refused, scan second", "two sheets", None, True),
    ("scan first, accepted, scan second, choose first", "in", "first", False),
    # what came late stays late, whichever sheet of it is chosen, until it is accepted as in time
    ("scan first, scan second, choose first, late", "late", "first", False),
    ("scan first, scan second, late", "two sheets", None, True),
    ("scan first, scan second, late, choose first", "late", "first", False),
    ("scan first, late, scan second", "two sheets", None, True),
    ("scan first, late, scan second, choose second", "late", "second", False),
    ("scan first, late, scan second, choose second, accepted", "in", "second", False),
    ("scan first, late, accepted", "in", "first", False),
    ("scan first, late, refused", "refused", "nothing", False),
    ("scan first, scan second, choose first, on other paper", "in", "first", True),
    ("no orders, scan first", "in", "first", True),
    ("no orders, scan first, accepted", "in", "first", False),
    ("no orders, scan first, no orders", "no orders", "nothing", False),
    # typed lines stand instead of every sheet that was in, and what comes after them is asked about
    ("type", "typed", "typed", False),
    ("scan first, type", "typed", "typed", False),
    ("type, scan first", "typed", "typed", True),
    ("type, scan first, refused", "typed", "typed", False),
    ("type, scan first, accepted", "in", "first", False),
    ("type, scan first, type", "typed", "typed", False),
    ("scan first, type, scan second", "typed", "typed", True),
    ("scan first, type, scan second, accepted", "in", "second", False),
    ("scan first, type, scan second, refused", "typed", "typed", False),
    ("scan first, type, accepted", "in", "first", False),
    ("scan first, type, choose first", "in", "first", False),
    ("scan first, type, no orders", "no orders", "nothing", False),
    ("scan first, type, refused", "typed", "typed", False),
    ("scan first, scan second, type, choose first", "in", "first", False),
    ("scan first, scan second, choose first, type", "typed", "typed", False),
    # a ruling after typed lines where no sheet was in is on the lines
    ("type, refused", "refused", "nothing", False),
    ("type, no orders", "no orders", "nothing", False),
    ("type, accepted", "typed", "typed", False),
    ("type, late", "late", "typed", False),
    ("type, late, type", "late", "typed", False),
    ("type, late, type, accepted", "typed", "typed", False),
    ("scan first, late, type", "late", "typed", False),
    ("type, refused, type", "typed", "typed", False),
    # so is one before them: it says what is wrong with the orders, and lines that are typed then are those orders
    ("late, type", "late", "typed", False),
    ("on other paper, type", "typed", "typed", True),
    ("type, proxy orders, type", "typed", "typed", True),
    ("scan first, joint orders, type", "typed", "typed", True),
    ("on other paper, type, accepted", "typed", "typed", False),
    ("on other paper, type, refused", "refused", "nothing", False),
    ("on other paper, accepted, type", "typed", "typed", False),
    ("no orders, type", "typed", "typed", False),
]


def carry_out(event: Event, sheets: list[str], act: str) -> None:
    """Let one thing happen."""
    which = {"first": 0, "second": 1, "empty": 0, "blank": 1}
    match act.split():
        case ["scan", name]:
            scanned(event, sheets[which[name]], written(*WHAT[name]), "ab"[which[name]])
        case ["choose", name]:
            number = serial(event, sheets[which[name]])
            rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=number)
        case ["type"]:
            type_lines(event, ENGLAND, TYPED, by="Tess")
        case _:
            rule_sheet(event, ENGLAND, SheetDecision(act), by="Tess")


@pytest.mark.parametrize(("acts", "state", "counts", "is_asked"), TABLE, ids=[row[0] or "nothing" for row in TABLE])
def test_what_counts(
    event: Event, sheets: list[str], acts: str, state: str, counts: str | None, *, is_asked: bool
) -> None:
    for act in filter(None, acts.split(", ")):
        carry_out(event, sheets, act)
    assert str(england(event).state) == state
    assert bool(asked(event)) is is_asked
    if counts is not None:
        assert orders(event) == WHAT[counts]


def test_two_late_sheets_are_asked_about_with_the_late_ruling(event: Event, sheets: list[str]) -> None:
    for act in ("scan first", "scan second", "late"):
        carry_out(event, sheets, act)
    (question,) = asked(event)
    assert "two sheets are in" in question
    assert "Tess ruled 'late' on" in question
