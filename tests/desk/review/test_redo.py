"""What was taken back is made again as it was, or not at all."""

import pytest

from desk.came import ENGLAND, HOLDS, ORDERS, asked, england, orders, scanned, serial, written
from desk.cup import OPENINGS, inked, sheets_of, spring
from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rulings import RowDecision, redo_decision, rule_row, rule_sheet, type_lines, undo_decision
from pipeline.desk.sheets.printing import print_round
from pipeline.ink import Tier
from pipeline.ledger.events import LinesTyped, RowRuled
from pipeline.ledger.parts import RulingBasis, SheetDecision
from pipeline.problems import Stopped

DOUBTFUL = [inked(1, "?", Tier.ASKED)]


def test_a_sheet_that_came_in_before_it_was_taken_back_is_still_asked(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    ruled = rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=serial(event, sheets[0]))
    scanned(event, sheets[1], written(*HOLDS), "b")
    assert f"{sheets[1]} came in after Tess ruled" in asked(event)[0]
    undo_decision(event, ruled, "Tess")
    with pytest.raises(Stopped, match="since this was decided"):
        redo_decision(event, ruled, "Tess")
    assert len(asked(event)) == 1


def test_lines_that_are_typed_again_keep_the_rulings_on_them(event: Event, sheets: list[str]) -> None:
    typed = type_lines(event, ENGLAND, ["F LON ???", *HOLDS[1:]], by="Tess")
    ruled = rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - NTH"), "Tess")
    for _ in range(2):
        undo_decision(event, ruled, "Tess")
        undo_decision(event, typed, "Tess")
        redo_decision(event, typed, "Tess")
        redo_decision(event, ruled, "Tess")
        *_, typed = event.facts.select(LinesTyped)
        *_, ruled = event.facts.select(RowRuled)
        assert (england(event).is_open, orders(event)) == (False, ["F LON - NTH", *HOLDS[1:]])


def test_orders_that_were_keyed_in_come_back_with_the_last_redo(event: Event, sheets: list[str]) -> None:
    typed = type_lines(event, ENGLAND, (), by="Tess")
    keyed = rule_row(event, ENGLAND, 0, RowDecision(order="; ".join(HOLDS)), "Tess", on=RulingBasis(typed=typed.number))
    undo_decision(event, keyed, "Tess")
    undo_decision(event, typed, "Tess")
    redo_decision(event, typed, "Tess")
    redo_decision(event, keyed, "Tess")
    assert (england(event).is_open, orders(event)) == (False, HOLDS)


def test_it_is_not_made_again_over_what_somebody_else_decided_since(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [*DOUBTFUL, *written(*ORDERS)[1:]], "a")
    first = rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Ann")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - NTH"), "Tess")
    undo_decision(event, first, "Ann")
    assert orders(event) == ORDERS
    with pytest.raises(Stopped, match="Tess decided on this turn since"):
        redo_decision(event, first, "Ann")
    assert orders(event) == ORDERS


def test_it_is_not_made_again_after_somebody_else_took_away_what_it_was_made_on(
    event: Event, sheets: list[str]
) -> None:
    typed = type_lines(event, ENGLAND, HOLDS, by="Ann")
    scanned(event, sheets[0], written(ORDERS[0]), "a")
    refused = rule_sheet(event, ENGLAND, SheetDecision.REFUSED, by="Tess")
    undo_decision(event, refused, "Tess")
    undo_decision(event, typed, "Ann")
    with pytest.raises(Stopped, match="Ann decided on this turn since"):
        redo_decision(event, refused, "Tess")
    assert england(event).is_open


@pytest.mark.parametrize("decision", [SheetDecision.REFUSED, SheetDecision.ACCEPTED])
def test_a_ruling_that_was_made_while_typed_lines_stood_is_asked_again_when_they_are_taken_back(
    event: Event, sheets: list[str], decision: SheetDecision
) -> None:
    scanned(event, sheets[0], written(ORDERS[0]), "a")
    typed = type_lines(event, ENGLAND, HOLDS, by="Ann")
    scanned(event, sheets[1], written("F EDI H", "A LVP H"), "b")
    rule_sheet(event, ENGLAND, decision, by="Tess")
    assert asked(event) == []

    undo_decision(event, typed, "Ann")

    (text,) = asked(event)
    assert "the lines that Ann typed were taken back after Tess ruled" in text
    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=serial(event, sheets[0]))
    assert not asked(event)


FRANCE = spring(Power.FRANCE)


def test_all_unsigned_stay_accepted_though_the_sheet_it_was_said_of_is_ruled_on_again(
    event: Event, sheets: list[str]
) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a", signed=False)
    scanned(event, sheets_of(event, FRANCE)[0], written(*OPENINGS[Power.FRANCE]), "f", signed=False)
    said = rule_sheet(event, ENGLAND, SheetDecision.ALL_UNSIGNED, by="Tess")
    scanned(event, sheets[1], written(*HOLDS), "b")
    live = LiveDesk(event)

    def france() -> bool:
        live.refresh()
        (now,) = (rows for rows in live.board(live.games["1.1"]) if rows.power is Power.FRANCE)
        assert now == Desk.of(event).power(find_game(event, "1"), Power.FRANCE)
        return now.is_open

    assert not france()
    chosen = rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=serial(event, sheets[0]))
    assert not france()
    undo_decision(event, said, "Tess")
    assert france()
    undo_decision(event, chosen, "Tess")
    assert france()


@pytest.mark.parametrize("again", [SheetDecision.ACCEPTED, SheetDecision.REFUSED])
def test_the_desk_in_memory_hears_that_a_sheet_was_not_late_after_all(
    event: Event, sheets: list[str], again: SheetDecision
) -> None:
    """Weasel Moot: the second late sheet of a player in a game is void."""
    fall = Turn(ENGLAND.board, Phase.read("F1901M"), Power.ENGLAND)
    scanned(event, sheets[0], written(*ORDERS), "a")
    rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
    publish(event, "1", "Tess")
    print_round(event, 1)
    (sheet,) = sheets_of(event, fall)
    scanned(event, sheet, written("F NTH H", "F NWG H", "A YOR H"), "c")
    rule_sheet(event, fall, SheetDecision.LATE, by="Tess")
    assert orders(event) == []
    live = LiveDesk(event)
    live.board(live.games["1.1"])

    rule_sheet(event, ENGLAND, again, by="Tess", why="the clock was wrong")

    live.refresh()
    assert len(orders(event)) == 3
    assert live.power(live.games["1.1"], Power.ENGLAND) == england(event)
