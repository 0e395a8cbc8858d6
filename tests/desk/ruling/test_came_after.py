"""A ruling on a sheet is on the sheets that were in when it was made: what comes in after it is asked anew."""

from typing import Any

import pytest
from facts_as_kept import append_fact, read_facts

from desk.came import ENGLAND, HOLDS, ORDERS, asked, england, orders, scanned, serial, written
from desk.cup import clock, inked
from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.intake.ingest import find_page, set_page_aside
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.ruling.desk import rule_by_number
from pipeline.desk.ruling.rulings import RowDecision, rule_sheet, type_lines
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.ink import Box, Tier
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome import Resolution
from pipeline.ledger.events import PageSetAside
from pipeline.ledger.files import local_time
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write
from pipeline.problems import Stopped

AT = local_time(clock())
ABOVE, BELOW = Box(22, 20, 60, 8), Box(22, 230, 60, 8)


@pytest.mark.parametrize("decision", [d for d in SheetDecision if d is not SheetDecision.CHOSEN])
def test_a_sheet_that_comes_in_after_a_ruling_without_one_is_asked_and_nothing_is_published(
    event: Event, sheets: list[str], decision: SheetDecision
) -> None:
    rule_sheet(event, ENGLAND, decision, by="Tess", why="he is ill")
    live = LiveDesk(event)
    live.board(live.games["1.1"])

    scanned(event, sheets[0], written(*ORDERS), "a")

    news = f"{sheets[0]} came in after Tess ruled '{decision}' on {AT}, because he is ill; rule again"
    assert (england(event).state, asked(event)) == (SheetState.IN, [news])
    live.refresh()
    assert live.power(live.games["1.1"], Power.ENGLAND) == england(event), "the desk in memory followed"
    with pytest.raises(Stopped, match="came in after Tess ruled"):
        publish(event, "1", "Tess")

    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert not england(event).is_open
    assert [write(order) for order in publish(event, "1", "Tess").played.orders[Power.ENGLAND]] == ORDERS


@pytest.mark.parametrize("decision", list(SheetDecision))
def test_a_second_sheet_after_a_ruling_on_the_first_is_asked_and_not_laid_beside_it(
    event: Event, sheets: list[str], decision: SheetDecision
) -> None:
    number = serial(event, sheets[0]) if decision is SheetDecision.CHOSEN else None
    scanned(event, sheets[0], written(ORDERS[0]), "a", signed=False)
    rule_sheet(event, ENGLAND, decision, by="Tess", serial=number)

    scanned(event, sheets[1], written("F EDI H", "A LVP H"), "b")

    which = "" if number is None else f" for sheet {number}"
    (text,) = asked(event)
    assert text.startswith(
        f"two sheets are in, {sheets[0]} and {sheets[1]}; "
        f"{sheets[1]} came in after Tess ruled '{decision}'{which} on {AT}; two sheets came together"
    )
    with pytest.raises(Stopped, match="came in after Tess ruled"):
        publish(event, "1", "Tess")


def test_a_third_sheet_after_one_of_two_was_chosen_is_asked_until_somebody_chooses_again(
    event: Event, sheets: list[str]
) -> None:
    first, third = (printed_sheets(event)[sheet].request.id.serial for sheet in (sheets[0], sheets[2]))
    scanned(event, sheets[0], written(*ORDERS), "a")
    scanned(event, sheets[2], written(*HOLDS), "b")
    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=third)
    assert not england(event).is_open

    scanned(event, sheets[1], written("F LON - ENG", *ORDERS[1:]), "c")

    (text,) = asked(event)
    assert f"{sheets[1]} came in after Tess ruled 'chosen' for sheet {third} on {AT}" in text
    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=first)
    assert orders(event) == ORDERS


@pytest.mark.parametrize("decision", list(SheetDecision))
def test_the_same_sheet_scanned_again_after_a_ruling_changes_nothing(
    event: Event, sheets: list[str], decision: SheetDecision
) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    number = serial(event, sheets[0]) if decision is SheetDecision.CHOSEN else None
    rule_sheet(event, ENGLAND, decision, by="Tess", serial=number)
    before = england(event)

    scanned(event, sheets[0], [inked(1, ORDERS[0], Tier.ASKED), *written(*ORDERS)[1:]], "b")

    after = england(event)
    assert (after.state, after.problems, after.orders) == (before.state, before.problems, before.orders)


def test_a_sheet_laid_aside_and_then_written_on_is_asked(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [inked(1, "", Tier.BLANK)], "a")
    rule_sheet(event, ENGLAND, SheetDecision.NO_ORDERS, by="Tess")
    assert asked(event) == []

    scanned(event, sheets[0], written(ORDERS[0]), "b")

    news = f"{sheets[0]} came in again, with other ink, after Tess ruled 'no orders' on {AT}; rule again"
    assert asked(event) == [news]
    rule_sheet(event, ENGLAND, SheetDecision.REFUSED, by="Tess")
    assert asked(event) == [], "now a person has seen it"


def test_new_ink_on_a_sheet_that_counts_is_asked_in_its_row_alone(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a", signed=False)
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")

    scanned(event, sheets[0], written(HOLDS[0], *ORDERS[1:]), "b", signed=False)

    assert asked(event) == []
    assert [row.line for row in england(event).rows if row.needs_director] == [1]


def test_an_empty_sheet_that_comes_after_a_ruling_on_a_written_one_asks_nothing(
    event: Event, sheets: list[str]
) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a", signed=False)
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    scanned(event, sheets[1], [inked(1, "", Tier.BLANK)], "b")
    assert not england(event).is_open


def test_a_page_that_was_named_after_a_ruling_came_in_after_it(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    (read,) = (fact.body for fact in read_facts(event.facts, "page read") if fact.body["sha256"] == "a" * 64)
    shows = read["transcription"] | {"sheet_id": sheets[1], "scan_sha256": "b" * 64}
    stray = {"sha256": "b" * 64, "page": 1, "tray": "doubtful", "text": "", "transcription": shows}
    append_fact(event.facts, "page read", stray, "test")
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert asked(event) == []
    word = {"sha256": "b" * 64, "page": 1, "sheet": sheets[1]}

    append_fact(event.facts, "page identified", word, "Tess")

    (text,) = asked(event)
    assert f"{sheets[1]} came in after Tess ruled 'accepted'" in text
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    append_fact(event.facts, "page identified", word, "Tess")
    assert asked(event) == [], "said twice is no news"


def test_a_ruling_on_a_row_is_not_one_on_another_sheets_row_of_the_same_number(event: Event, sheets: list[str]) -> None:
    """Tess ruled on row 1 of the first sheet; then he handed in another, and she chose that."""
    second = serial(event, sheets[1])
    scanned(event, sheets[0], [inked(1, "?", Tier.ASKED), *written(*ORDERS)[1:]], "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    scanned(event, sheets[1], written(*HOLDS), "b")

    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=second)

    assert orders(event) == HOLDS


def test_a_ruling_follows_its_row_where_a_sheet_with_a_lower_serial_comes_in_later(
    event: Event, sheets: list[str]
) -> None:
    number = serial(event, sheets[0])
    scanned(event, sheets[1], [inked(1, "?", Tier.ASKED), *written(*HOLDS)[1:]], "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    scanned(event, sheets[0], written(*ORDERS), "b")

    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=number)

    assert orders(event) == ORDERS


def test_a_ruling_holds_while_its_sheet_counts(event: Event, sheets: list[str]) -> None:
    number = serial(event, sheets[0])
    scanned(event, sheets[0], [inked(1, "?", Tier.ASKED), *written(*ORDERS)[1:]], "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    ruled = ["F LON - ENG", *ORDERS[1:]]
    assert orders(event) == ruled

    scanned(event, sheets[1], written(*HOLDS), "b")
    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=number)

    assert orders(event) == ruled


def test_a_ruling_on_a_row_is_not_one_on_a_line_that_is_typed_later(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [inked(1, "?", Tier.ASKED), *written(*ORDERS)[1:]], "a")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")

    type_lines(event, ENGLAND, HOLDS, by="Tess")

    assert orders(event) == HOLDS


def test_a_sheet_that_comes_in_after_typed_lines_is_asked(event: Event, sheets: list[str]) -> None:
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    assert asked(event) == []

    scanned(event, sheets[0], written(*ORDERS), "a")

    (text,) = asked(event)
    assert text.startswith(f"{sheets[0]} came in after Tess typed lines on {AT}")
    with pytest.raises(Stopped, match="came in after Tess typed lines"):
        publish(event, "1", "Tess")

    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert (england(event).state, asked(event)) == (SheetState.IN, [])
    assert orders(event) == ORDERS, "nor is the ruling on a typed line one on a row"


def test_new_ink_on_a_sheet_that_the_typing_laid_aside_is_asked(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [inked(row, "", Tier.BLANK) for row in (1, 2, 3)], "a")
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    assert asked(event) == []
    scanned(event, sheets[0], written(*ORDERS), "b")
    assert "came in after Tess typed lines" in asked(event)[0]


def test_a_later_sheet_with_writing_outside_its_rows_alone_is_asked(event: Event, sheets: list[str]) -> None:
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    blank = [inked(row, "", Tier.BLANK) for row in (1, 2, 3)]
    scanned(event, sheets[0], blank, "a")
    assert asked(event) == []
    scanned(event, sheets[1], blank, "b", outside=(BELOW,))
    assert len(asked(event)) == 1


def test_a_sheet_that_the_typing_laid_aside_does_not_come_back_with_a_later_one(
    event: Event, sheets: list[str]
) -> None:
    scanned(event, sheets[0], written(ORDERS[0]), "a")
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    scanned(event, sheets[1], written("F EDI H", "A LVP H"), "b")
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert "F LON - NTH" not in orders(event)


def test_new_writing_outside_the_rows_is_asked_though_some_was_accepted(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a", outside=(ABOVE,))
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    scanned(event, sheets[0], written(*ORDERS), "b", outside=(ABOVE,))
    assert asked(event) == []
    scanned(event, sheets[0], written(*ORDERS), "c", outside=(ABOVE, BELOW))
    assert "left of row 15" in asked(event)[0]


@pytest.mark.parametrize("decision", [SheetDecision.NO_ORDERS, SheetDecision.REFUSED])
def test_writing_outside_the_rows_of_a_sheet_that_does_not_count_is_asked(
    event: Event, sheets: list[str], decision: SheetDecision
) -> None:
    blank = [inked(row, "", Tier.BLANK) for row in (1, 2, 3)]
    scanned(event, sheets[0], blank, "a")
    rule_sheet(event, ENGLAND, decision, by="Tess")
    scanned(event, sheets[0], blank, "b", outside=(BELOW,))
    assert "with other ink" in asked(event)[0]


def test_a_sheet_with_nothing_in_its_rows_and_something_beside_them_came_after_a_ruling(
    event: Event, sheets: list[str]
) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    rule_sheet(event, ENGLAND, SheetDecision.NO_ORDERS, by="Tess")
    scanned(event, sheets[1], [inked(row, "", Tier.BLANK) for row in (1, 2, 3)], "b", outside=(BELOW,))
    assert f"{sheets[1]} came in after" in asked(event)[0]


def test_a_refused_sheet_whose_doubtful_row_is_written_plainly_since_is_asked(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [inked(1, "?", Tier.ASKED), *written(*ORDERS)[1:]], "a")
    rule_sheet(event, ENGLAND, SheetDecision.REFUSED, by="Tess")
    scanned(event, sheets[0], written(*ORDERS), "b")
    assert "with other ink" in asked(event)[0]


def test_a_page_that_counts_is_not_put_aside(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    page = find_page(event, "a" * 64, 1)
    with pytest.raises(Stopped, match=f"counts as {sheets[0]}"):
        set_page_aside(event, page, "Tess", "")
    publish(event, "1", "Tess")
    assert set_page_aside(event, page, "Tess", "").said == PageSetAside(sha256="a" * 64, page=1, why="")


def test_nothing_is_published_where_a_sheet_comes_in_while_the_board_is_adjudicated(
    event: Event, sheets: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")

    def meanwhile(*given: Any) -> Resolution:
        scanned(event, sheets[1], written("F EDI H"), "b")
        return adjudicate(*given)

    monkeypatch.setattr("pipeline.desk.publish.publish.adjudicate", meanwhile)
    with pytest.raises(Stopped, match="something came in while this was adjudicated") as stopped:
        publish(event, "1", "Tess")

    assert stopped.value.code == 3
    assert not list(read_facts(event.facts, "published"))
    assert SheetState.TWO is england(event).state


def test_a_board_is_published_though_something_else_comes_in_while_it_is_adjudicated(
    event: Event, sheets: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")

    def meanwhile(*given: Any) -> Resolution:
        append_fact(event.facts, "scan received", {"sha256": "c" * 64, "name": "c.jpg", "path": "c.jpg"}, "scan")
        return adjudicate(*given)

    monkeypatch.setattr("pipeline.desk.publish.publish.adjudicate", meanwhile)
    publish(event, "1", "Tess")

    assert len(list(read_facts(event.facts, "published"))) == 1
