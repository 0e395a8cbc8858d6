"""A row may hold two orders: a decision on the one leaves the other as it was read."""

import pytest

from desk.came import ENGLAND, england, orders, published, scanned, written
from desk.cup import inked
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game
from pipeline.desk.review.queue import queue, settle_doubt
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rulings import RowDecision
from pipeline.ledger.parts import Source

TWO = "F LON - NTH, F EDI - NWG"


@pytest.fixture
def sheet(event: Event, sheets: list[str]) -> str:
    """England's sheet is in, with two orders on its first row."""
    scanned(event, sheets[0], written(TWO, "A LVP - YOR"), "a")
    assert orders(event) == ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"]
    return sheets[0]


@pytest.mark.usefixtures("sheet")
def test_an_order_that_is_corrected_leaves_the_other_on_its_row_as_it_was_read(event: Event) -> None:
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F EDI H", why="misread"), "Tess")
    assert not england(event).is_open
    assert orders(event) == ["F LON - NTH", "F EDI H", "A LVP - YOR"]

    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    assert orders(event) == ["F EDI H", "F LON - ENG", "A LVP - YOR"], "and so does one that was ruled"


@pytest.mark.usefixtures("sheet")
def test_it_does_when_the_phase_is_published_too(event: Event) -> None:
    published(event)
    fact = rule_by_number(event, ENGLAND, 1, RowDecision(order="F EDI H"), "Tess")
    assert fact.said.order == "F LON - NTH; F EDI H"


@pytest.mark.usefixtures("sheet")
@pytest.mark.parametrize(
    ("order", "left"),
    [
        ("F EDI H; nothing", ["F EDI H"]),
        ("nothing", []),
        ("F EDI H; F LON H", ["F EDI H", "F LON H"]),
        ("A LVP - YOR", []),  # it was of another unit: then nothing of the row was read rightly
    ],
)
def test_what_is_said_of_the_whole_row_is_all_that_stands_there(event: Event, order: str, left: list[str]) -> None:
    rule_by_number(event, ENGLAND, 1, RowDecision(order=order), "Tess")
    assert [order for order in orders(event) if order != "A LVP - YOR"] == left


def test_of_two_rows_that_are_ruled_for_one_unit_the_one_that_gives_way_keeps_its_other_order(
    event: Event, sheets: list[str]
) -> None:
    scanned(event, sheets[0], [inked(1, TWO), inked(2, "F EDI H"), inked(3, "A LVP - YOR")], "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - NTH; F EDI - NWG"), "Tess")
    rule_by_number(event, ENGLAND, 2, RowDecision(order="F EDI H"), "Tess")
    doubt = next(doubt for doubt in queue(event, "1") if doubt.row and doubt.row.line == 1)

    settle_doubt(event, doubt, RowDecision(order="F EDI H"), "Tess")

    assert (england(event).is_open, set(orders(event))) == (False, {"F LON - NTH", "F EDI H", "A LVP - YOR"})
    assert {row.source for row in england(event).rows if row.line == 1} == {Source.RULED}


@pytest.mark.usefixtures("sheet")
def test_what_breaks_off_beside_it_is_still_asked_when_a_person_has_read_the_row(event: Event) -> None:
    rule_by_number(event, ENGLAND, 1, RowDecision(text="F LON - NTH, F EDI S"), "Tess")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    rows = Desk.of(event).power(find_game(event, "1"), ENGLAND.power).rows
    asked = [(row.line, row.unit, row.order) for row in rows if row.needs_director]
    assert asked == [(1, "EDI", None), (2, "LVP", None)], "whose order may be what Edinburgh supports"


def test_nothing_for_no_unit_is_not_told_to_stand_alone() -> None:
    (told,) = RowDecision(order="nothing; A VIE H").faults(0)
    assert "cannot be combined with orders" in told
    (told,) = RowDecision(order="nothing").faults(0)
    assert told == "no unit without an order waits here for 'nothing'; give its order, or undo its ruling"
