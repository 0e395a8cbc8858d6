"""A ruling on a row is on that ink: it follows its row to another number, and says nothing about any other row."""

import pytest
from facts_as_kept import append_fact

from desk.came import ENGLAND, HOLDS, ORDERS, england, orders, published, scanned, serial, written
from desk.cup import inked
from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game
from pipeline.desk.hands.known_rows import known_rows
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.queue import Check, agenda, queue, settle_doubt
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rows import Row, check_row
from pipeline.desk.ruling.rulings import RowDecision, redo_decision, rule_sheet, type_lines, undo_ruling
from pipeline.ink import Tier
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write_position
from pipeline.problems import Stopped

ENG = RowDecision(order="F LON - ENG")
DOUBTFUL = [inked(1, "?", Tier.ASKED)]


def choose(event: Event, sheet: str) -> None:
    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=serial(event, sheet))


def test_it_is_not_on_the_sheet_that_is_chosen_instead(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*HOLDS), "a")
    scanned(event, sheets[1], [*DOUBTFUL, *written(*ORDERS)[1:]], "b")
    choose(event, sheets[1])
    rule_by_number(event, ENGLAND, 1, ENG, "Tess")
    choose(event, sheets[0])
    assert published(event) == HOLDS


def test_it_is_not_on_a_sheet_that_was_blank_when_it_was_made(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [inked(row, "", Tier.BLANK) for row in (1, 2, 3)], "a")
    scanned(event, sheets[1], [*DOUBTFUL, *written(*HOLDS)[1:]], "b")
    rule_by_number(event, ENGLAND, 1, ENG, "Tess")
    scanned(event, sheets[0], written(*ORDERS), "c")
    choose(event, sheets[0])
    assert "F LON - ENG" not in orders(event)


def test_one_on_a_typed_line_goes_with_the_typing(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    typed = type_lines(event, ENGLAND, ["F LON ???", *HOLDS[1:]], by="Ann")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON H"), "Tess")
    assert orders(event) == HOLDS
    undo_ruling(event, typed, "Ann")
    assert published(event) == ORDERS


def test_it_follows_its_row_to_another_number(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[1], written("F LON - ENG", "F EDI - NWG"), "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(text="F LON - NTH", why="spot check"), "Tess")
    scanned(event, sheets[0], written("A LVP - YOR"), "b")
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert sorted(published(event)) == ["A LVP - YOR", "F EDI - NWG", "F LON - NTH"]


def test_one_made_while_two_sheets_lay_there_holds_on_the_one_that_is_chosen(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*HOLDS), "a")
    scanned(event, sheets[1], written("F LON - ENG", *ORDERS[1:]), "b")
    rule_by_number(event, ENGLAND, 101, RowDecision(text="F LON - NTH"), "Tess")
    choose(event, sheets[1])
    assert published(event) == ORDERS


@pytest.mark.parametrize("first", ["?", "F LON - ENG"])
def test_a_row_that_surely_shows_something_else_since_is_asked(event: Event, sheets: list[str], first: str) -> None:
    tier = Tier.ASKED if first == "?" else Tier.ACCEPTED
    scanned(event, sheets[0], [inked(1, first, tier), *written(*ORDERS)[1:]], "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(text="F LON - WAL"), "Tess")
    scanned(event, sheets[0], written(*ORDERS), "b")
    assert england(event).is_open


def test_a_row_that_is_as_doubtful_as_before_or_says_what_was_ruled_is_not(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [*DOUBTFUL, *written(*ORDERS)[1:]], "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(text="F LON - NTH"), "Tess")
    scanned(event, sheets[0], [inked(1, "??", Tier.ASKED), *written(*ORDERS)[1:]], "b")
    scanned(event, sheets[0], written(*ORDERS), "c")
    assert (england(event).is_open, orders(event)) == (False, ORDERS)


def test_it_does_not_outlive_a_page_that_turned_out_to_be_another_sheets(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    scanned(event, sheets[0], written("F LON - ENG", *ORDERS[1:]), "b")
    rule_by_number(event, ENGLAND, 1, ENG, "Tess")
    assert orders(event)[0] == "F LON - ENG"
    append_fact(event.facts, "page identified", {"sha256": "b" * 64, "page": 1, "sheet": sheets[1]}, "Tess")
    assert orders(event) == ORDERS
    scanned(event, sheets[0], written(*ORDERS), "c")
    assert orders(event) == ORDERS, "nor does it come back with as many scans as there were"


def test_a_row_that_was_read_as_blank_can_be_ruled_and_one_that_is_not_there_cannot(
    event: Event, sheets: list[str]
) -> None:
    scanned(event, sheets[0], [*written(*ORDERS[:2]), inked(3, "", Tier.BLANK)], "a")
    rule_by_number(event, ENGLAND, 3, RowDecision(text="A LVP - YOR", why="faint pencil"), "Tess")
    assert orders(event) == ORDERS
    with pytest.raises(Stopped, match="no row has this number; there are 1, 2, 3"):
        rule_by_number(event, ENGLAND, 4, ENG, "Tess")


def test_the_newest_of_two_orders_keyed_in_for_a_unit_stands(event: Event, sheets: list[str]) -> None:
    type_lines(event, ENGLAND, (), by="Tess")
    rule_by_number(event, ENGLAND, 0, RowDecision(order="; ".join(ORDERS)), "Tess")
    rule_by_number(event, ENGLAND, 0, RowDecision(order="F LON - ENG", why="misheard"), "Tess")
    assert orders(event) == ["F EDI - NWG", "A LVP - YOR", "F LON - ENG"]


@pytest.mark.parametrize("line", [0, 2])
def test_two_rulings_that_give_a_unit_two_orders_are_asked(event: Event, sheets: list[str], line: int) -> None:
    scanned(event, sheets[0], [*DOUBTFUL, inked(2, "?", Tier.ASKED), *written(*ORDERS)[2:]], "a")
    rule_by_number(event, ENGLAND, 2, RowDecision(order="F EDI - NWG"), "Tess")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - NTH"), "Tess")
    rule_by_number(event, ENGLAND, line, ENG, "Tess")
    (first, *_) = england(event).rows
    assert (first.needs_director, first.reason[:41]) == (True, "rulings give this unit F LON - NTH and F ")
    rule_by_number(event, ENGLAND, 1, ENG, "Tess")
    assert not any(row.needs_director and row.order == first.order for row in england(event).rows)
    assert orders(event).count("F LON - ENG") == 1


def test_what_changed_since_it_was_shown_is_not_decided(event: Event, sheets: list[str]) -> None:
    (doubt,) = queue(event, "1")
    scanned(event, sheets[0], written(*ORDERS), "a")
    with pytest.raises(Stopped, match="changed since it was shown"):
        settle_doubt(event, doubt, SheetDecision.NO_ORDERS, "Tess")
    assert orders(event) == ORDERS


def test_a_hand_is_taught_by_no_other_sheets_ruling(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [*DOUBTFUL, *written(*ORDERS)[1:]], "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(text="F LON - ENG"), "Tess")
    scanned(event, sheets[1], written(*HOLDS), "b")
    choose(event, sheets[1])
    assert [row.text for row in known_rows(event).get(ENGLAND, ())] == []


def test_a_correction_after_publishing_is_on_the_row_that_was_published(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[1], written(*ORDERS), "a")
    publish(event, "1", "Tess")
    rule_by_number(event, ENGLAND, 1, ENG, "Tess")
    desk = Desk.of(event)
    (ruling,) = desk.rulings_on(ENGLAND, desk.counted_sheets(ENGLAND))
    assert (ruling.line, ruling.on and ruling.on.sheet) == (1, serial(event, sheets[1]))


def test_a_row_whose_check_found_it_wrong_is_checked_again_when_the_ruling_is_taken_back(
    event: Event, sheets: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.desk.ruling.rows.ONE_IN", 1)
    scanned(event, sheets[0], written("F LON - ENG", *ORDERS[1:]), "a")
    row = england(event).rows[0]
    check_row(event, ENGLAND, row, right=False, by="Tess")
    ruling = rule_by_number(event, ENGLAND, 1, RowDecision(text="F LON - NTH"), "Tess")
    assert row not in checks(event)
    undo_ruling(event, ruling, "Tess")
    assert row in checks(event)
    check_row(event, ENGLAND, row, right=True, by="Tess")
    assert row not in checks(event)


def checks(event: Event) -> list[Row]:
    return [item.row for item in agenda(LiveDesk(event)) if isinstance(item, Check)]


def test_what_was_taken_back_is_not_made_again_over_a_sheet_that_came_since(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(ORDERS[0]), "a")
    refused = rule_sheet(event, ENGLAND, SheetDecision.REFUSED, by="Tess")
    undo_ruling(event, refused, "Tess")
    redo_decision(event, refused, "Tess")
    undo_ruling(event, refused, "Tess")
    scanned(event, sheets[1], written(*ORDERS), "b")
    with pytest.raises(Stopped, match="since this was decided"):
        redo_decision(event, refused, "Tess")


def test_a_row_that_continues_a_ruled_one_gives_its_unit_no_second_order(event: Event, sheets: list[str]) -> None:
    position = write_position(find_game(event, "1").position)
    position["units"][Power.ENGLAND] = ["A YOR", "F NTH"]
    append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
    scanned(event, sheets[0], [*DOUBTFUL, *written("", "by convoy", "F NTH C A YOR - NWY")[1:]], "a")
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")  # it was printed for other units
    rule_by_number(event, ENGLAND, 1, RowDecision(order="A YOR - NWY"), "Tess")
    second = england(event).rows[1]
    assert (second.needs_director, second.reason[:36]) == (True, "this unit was given A YOR - NWY by a")
    rule_by_number(event, ENGLAND, 2, RowDecision(order="nothing"), "Tess")
    assert (england(event).is_open, orders(event)) == (False, ["A YOR - NWY", "F NTH C A YOR - NWY"])
