"""A ruling on a sheet is on the sheets that were in when it was made: what comes in after it is asked anew."""

import pytest

from desk.cup import OPENINGS, hand_in_all, hand_in_sheet, inked, sheets_of, spring
from pipeline.board.map import Power
from pipeline.desk.desk import Desk
from pipeline.desk.event import Event
from pipeline.desk.games import find_game
from pipeline.desk.live import LiveDesk
from pipeline.desk.play import publish
from pipeline.desk.printing import print_round, printed_sheets
from pipeline.desk.rows import PowerRows
from pipeline.desk.rulings import RowDecision, SheetDecision, rule_row, rule_sheet, type_lines
from pipeline.desk.sheet_state import SheetState
from pipeline.ink import InkLine, Tier
from pipeline.orders.notation import write
from pipeline.problems import Stopped, Weight

ENGLAND = spring(Power.ENGLAND)
ORDERS = OPENINGS[Power.ENGLAND]
HOLDS = ["F LON H", "F EDI H", "A LVP H"]
AT = "2026-01-02T09:00:00+00:00"


@pytest.fixture
def sheets(event: Event) -> list[str]:
    """England's sheets, three of them; everybody else's orders are in."""
    hand_in_all(event, but=Power.ENGLAND)
    for _ in range(2):
        print_round(event, 1, None, None, 0)
    return sheets_of(event, ENGLAND)


def written(*orders: str) -> list[InkLine]:
    return [inked(row, order) for row, order in enumerate(orders, start=1)]


def scanned(event: Event, sheet: str, lines: list[InkLine], scan: str, *, signed: bool = True) -> None:
    hand_in_sheet(event, sheet, lines, scan * 64, signed=signed)


def england(event: Event) -> PowerRows:
    """England as the desk has it, which is how the desk in memory has it too."""
    found = Desk.of(event).power(find_game(event, "1"), Power.ENGLAND)
    live = LiveDesk(event)
    assert live.power(live.games["1.1"], Power.ENGLAND) == found
    return found


def asked(event: Event) -> list[str]:
    return [problem.text for problem in england(event).problems if problem.weight is Weight.ASKS]


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
    serial = printed_sheets(event)[sheets[0]].request.id.serial if decision is SheetDecision.CHOSEN else None
    scanned(event, sheets[0], written(ORDERS[0]), "a", signed=False)
    rule_sheet(event, ENGLAND, decision, by="Tess", serial=serial)

    scanned(event, sheets[1], written("F EDI H", "A LVP H"), "b")

    which = "" if serial is None else f" for sheet {serial}"
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
    assert [write(order) for order in england(event).orders] == ORDERS


@pytest.mark.parametrize("decision", list(SheetDecision))
def test_the_same_sheet_scanned_again_after_a_ruling_changes_nothing(
    event: Event, sheets: list[str], decision: SheetDecision
) -> None:
    scanned(event, sheets[0], written(*ORDERS), "a")
    serial = printed_sheets(event)[sheets[0]].request.id.serial if decision is SheetDecision.CHOSEN else None
    rule_sheet(event, ENGLAND, decision, by="Tess", serial=serial)
    before = england(event)

    scanned(event, sheets[0], [inked(1, ORDERS[0], Tier.ASKED), *written(*ORDERS)[1:]], "b")

    after = england(event)
    assert (after.state, after.problems, after.orders) == (before.state, before.problems, before.orders)


def test_a_sheet_laid_aside_and_then_written_on_is_asked(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [inked(1, "", Tier.BLANK)], "a")
    rule_sheet(event, ENGLAND, SheetDecision.NO_ORDERS, by="Tess")
    assert asked(event) == []

    scanned(event, sheets[0], written(ORDERS[0]), "b")

    news = f"{sheets[0]} was scanned again after Tess ruled 'no orders' on {AT}, and now shows other ink; rule again"
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
    (read,) = (fact.body for fact in event.facts.read("page read") if fact.body["sha256"] == "a" * 64)
    shows = read["transcription"] | {"sheet_id": sheets[1], "scan_sha256": "b" * 64}
    stray = {"sha256": "b" * 64, "page": 1, "tray": "doubtful", "text": "", "transcription": shows}
    event.facts.append("page read", stray, "test")
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert asked(event) == []
    word = {"sha256": "b" * 64, "page": 1, "sheet": sheets[1]}

    event.facts.append("page identified", word, "Tess")

    (text,) = asked(event)
    assert f"{sheets[1]} came in after Tess ruled 'accepted'" in text
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    event.facts.append("page identified", word, "Tess")
    assert asked(event) == [], "said twice is no news"


def test_a_ruling_on_a_row_is_not_one_on_another_sheets_row_of_the_same_number(event: Event, sheets: list[str]) -> None:
    """Tess ruled on row 1 of the first sheet; then he handed in another, and she chose that."""
    second = printed_sheets(event)[sheets[1]].request.id.serial
    scanned(event, sheets[0], [inked(1, "?", Tier.ASKED), *written(*ORDERS)[1:]], "a")
    rule_row(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    scanned(event, sheets[1], written(*HOLDS), "b")

    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=second)

    assert [write(order) for order in england(event).orders] == HOLDS


def test_a_ruling_follows_its_row_where_a_sheet_with_a_lower_serial_comes_in_later(
    event: Event, sheets: list[str]
) -> None:
    serial = printed_sheets(event)[sheets[0]].request.id.serial
    scanned(event, sheets[1], [inked(1, "?", Tier.ASKED), *written(*HOLDS)[1:]], "a")
    rule_row(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    scanned(event, sheets[0], written(*ORDERS), "b")

    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=serial)

    assert [write(order) for order in england(event).orders] == ORDERS


def test_a_ruling_holds_while_its_sheet_counts(event: Event, sheets: list[str]) -> None:
    serial = printed_sheets(event)[sheets[0]].request.id.serial
    scanned(event, sheets[0], [inked(1, "?", Tier.ASKED), *written(*ORDERS)[1:]], "a")
    rule_row(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    ruled = ["F LON - ENG", *ORDERS[1:]]
    assert [write(order) for order in england(event).orders] == ruled

    scanned(event, sheets[1], written(*HOLDS), "b")
    rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=serial)

    assert [write(order) for order in england(event).orders] == ruled


def test_a_ruling_on_a_row_is_not_one_on_a_line_that_is_typed_later(event: Event, sheets: list[str]) -> None:
    scanned(event, sheets[0], [inked(1, "?", Tier.ASKED), *written(*ORDERS)[1:]], "a")
    rule_row(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")

    type_lines(event, ENGLAND, HOLDS, by="Tess")

    assert [write(order) for order in england(event).orders] == HOLDS


def test_a_sheet_that_comes_in_after_typed_lines_is_asked(event: Event, sheets: list[str]) -> None:
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    rule_row(event, ENGLAND, 1, RowDecision(order="F LON - ENG"), "Tess")
    assert asked(event) == []

    scanned(event, sheets[0], written(*ORDERS), "a")

    (text,) = asked(event)
    assert text.startswith(f"{sheets[0]} came in after Tess typed lines on {AT}")
    with pytest.raises(Stopped, match="came in after Tess typed lines"):
        publish(event, "1", "Tess")

    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    assert (england(event).state, asked(event)) == (SheetState.IN, [])
    assert [write(order) for order in england(event).orders] == ORDERS, "nor is the ruling on a typed line one on a row"


@pytest.mark.parametrize("again", ["refused", "typed"])
def test_typed_lines_stand_where_the_later_sheet_is_refused_or_they_are_typed_again(
    event: Event, sheets: list[str], again: str
) -> None:
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    scanned(event, sheets[0], written(*ORDERS), "a")
    if again == "refused":
        rule_sheet(event, ENGLAND, SheetDecision.REFUSED, by="Tess")
    else:
        type_lines(event, ENGLAND, HOLDS, by="Tess")

    assert (england(event).state, asked(event)) == (SheetState.TYPED, [])
    assert [write(order) for order in england(event).orders] == HOLDS
