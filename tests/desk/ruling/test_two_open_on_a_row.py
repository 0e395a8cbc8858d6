"""A row may hold two orders that are both asked: settling the one keeps the other in the queue, as it was asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from facts_as_kept import append_fact
from msgspec.structs import replace

from desk.came import ENGLAND, england, orders, scanned, written
from desk.cup import clock, hand_in_all, inked, printed, seated, sheets_of
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.review.queue import ReviewItem, queue, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import rule_by_number
from pipeline.desk.ruling.row_reader import _ask_double_rulings
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, undo_ruling
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import Tier
from pipeline.ledger.events import Decision
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import NOTHING_LEFT, Source
from pipeline.orders import write, write_position
from pipeline.paper.sheet_rows import Design

BOTH = "F LON - MUN; F EDI - ROM"  # neither can be: the rules are asked about both


@pytest.fixture(params=["weaselmoot", "edc2023"])  # the rules say that it holds; the director rules
def event(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Event]:
    """An event under rules that decide on an impossible order, or leave it to the director."""
    with open_event(printed(tmp_path / "cup", request.param), clock) as opened:
        yield opened


def in_queue(event: Event, decision: RowDecision, ink: str) -> Fact[Decision]:
    """Settle what is asked about an order on a row."""
    return settle_doubt(event, doubt_on(event, ink), decision, "Tess")


def by_number(event: Event, decision: RowDecision, _: str) -> Fact[Decision]:
    """Rule as the command line does."""
    return rule_by_number(event, ENGLAND, 1, decision, "Tess")


def doubt_on(event: Event, ink: str) -> ReviewItem:
    """What is asked about an order."""
    return next(doubt for doubt in queue(event, "1") if doubt.turn == ENGLAND and doubt.row and doubt.row.ink == ink)


def waiting(event: Event) -> list[Row]:
    """England's rows that wait."""
    return [row for row in england(event).rows if row.needs_director]


def inks(event: Event) -> list[str]:
    """What waits of England, as it is written."""
    return [row.ink for row in waiting(event)]


def handed_in(event: Event, *lines: str) -> None:
    """England's sheet comes in with these rows."""
    scanned(event, sheets_of(event, ENGLAND)[0], written(*lines), "a")


@pytest.mark.parametrize("rule", [in_queue, by_number])
@pytest.mark.parametrize(
    ("first", "order"), [("F LON - MUN", "F LON - NTH"), ("F EDI - ROM", "F EDI - NWG"), ("F EDI - ROM", "F EDI H")]
)
def test_settling_one_of_two_keeps_the_other_as_it_was_asked(
    event: Event, rule: Callable[[Event, RowDecision, str], Fact[Decision]], first: str, order: str
) -> None:
    handed_in(event, BOTH, "A LVP - YOR")
    before = {row.ink: row for row in waiting(event)}
    assert list(before) == ["F LON - MUN", "F EDI - ROM"]

    rule(event, RowDecision(order=order), first)

    (left,) = waiting(event)
    was = before[left.ink]
    assert left.ink != first
    assert (left.status, left.reason, left.candidates) == (was.status, was.reason, was.candidates)
    assert {row.source for row in england(event).rows if row.ink != left.ink and row.line == 1} == {Source.RULED}

    last = RowDecision(order=f"{left.ink[:5]} H")
    rule(event, last, left.ink)
    assert not england(event).is_open
    assert set(orders(event)) == {order, f"{left.ink[:5]} H", "A LVP - YOR"}


def test_of_three_each_is_asked_until_it_is_settled_and_what_is_clear_stands(event: Event) -> None:
    handed_in(event, "A LVP - YOR; F LON - MUN; F KIE hello; F EDI - ROM")
    in_queue(event, RowDecision(order="F LON H"), "F LON - MUN")
    assert inks(event) == ["F KIE hello", "F EDI - ROM"]
    in_queue(event, RowDecision(order=NOTHING), "F KIE hello")
    assert inks(event) == ["F EDI - ROM"]
    in_queue(event, RowDecision(order=NOTHING), "F EDI - ROM")
    assert [write(row.order) for row in england(event).rows if row.line and row.order] == ["A LVP - YOR", "F LON H"]
    assert not waiting(event), "that the unit holds was said with the answer"
    assert without_order(event) == ["F EDI"]


def without_order(event: Event) -> list[str]:
    """The units that no row orders."""
    return [row.reason.split(" has no order")[0] for row in england(event).rows if row.line == 0]


def test_nothing_on_both_leaves_two_units_without_an_order(event: Event) -> None:
    handed_in(event, BOTH, "A LVP - YOR")
    in_queue(event, RowDecision(order=NOTHING), "F LON - MUN")
    assert inks(event) == ["F EDI - ROM"]
    in_queue(event, RowDecision(order=NOTHING), "F EDI - ROM")
    assert (waiting(event), sorted(without_order(event))) == ([], ["F EDI", "F LON"])


def test_what_is_taken_back_is_asked_again_with_the_other(event: Event) -> None:
    handed_in(event, BOTH, "A LVP - YOR")
    first = in_queue(event, RowDecision(order="F LON H"), "F LON - MUN")
    second = in_queue(event, RowDecision(order="F EDI H"), "F EDI - ROM")
    undo_ruling(event, second, "Tess")
    assert inks(event) == ["F EDI - ROM"]
    undo_ruling(event, first, "Tess")
    assert inks(event) == ["F LON - MUN", "F EDI - ROM"]


def test_what_a_person_read_on_a_row_is_asked_part_by_part_too(event: Event) -> None:
    scanned(event, sheets_of(event, ENGLAND)[0], [inked(1, "?", Tier.ASKED), inked(2, "A LVP - YOR")], "a")
    in_queue(event, RowDecision(text="F LON; F EDI - ROM please; F LON - NTH"), "?")
    asked = inks(event)
    for number, ink in enumerate(asked, start=1):
        decision = take_the_rule(doubt_on(event, ink)) or RowDecision(order=f"{ink[:5]} H")
        in_queue(event, decision, ink)
        assert inks(event) == asked[number:]
    assert {order.split()[1] for order in orders(event)} == {"LON", "EDI", "LVP"}


def test_a_unit_that_is_ordered_twice_on_a_row_is_one_question(event: Event) -> None:
    handed_in(event, "F LON - NTH; F LON - ENG", "A LVP - YOR", "F EDI H")
    in_queue(event, RowDecision(order="F LON - ENG"), inks(event)[0])
    assert not england(event).is_open
    assert "F LON - ENG" in orders(event)


def test_words_without_a_unit_are_settled_with_the_row_by_its_number(event: Event) -> None:
    handed_in(event, "F LON H; hello", "A LVP - YOR", "F EDI H")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON H"), "Tess")
    assert not england(event).is_open


def test_the_whole_row_is_settled_by_what_is_said_of_the_whole_row(event: Event) -> None:
    handed_in(event, BOTH, "A LVP - YOR")
    rule_by_number(event, ENGLAND, 1, RowDecision(order="F LON H; nothing"), "Tess")
    assert [row.line for row in waiting(event)] == [0]


def test_the_queue_asks_one_after_the_other(event: Event) -> None:
    hand_in_all(event, but=ENGLAND.power)
    handed_in(event, BOTH, "A LVP - YOR")
    for order in ("F LON - NTH", "F EDI - NWG"):
        settle_doubt(event, next(queue(event)), RowDecision(order=order), "Tess")
    assert list(queue(event)) == []
    assert set(orders(event)) == {"F LON - NTH", "F EDI - NWG", "A LVP - YOR"}


@contextmanager
def at_the_channel(folder: Path) -> Iterator[Event]:
    """Two fleets and an army, where orders may be taken from other orders."""
    with open_event(seated(folder / "cup", tournament="edc2023"), clock) as event:
        position = write_position(find_game(event, "1").position)
        position["units"] = {**position["units"], ENGLAND.power: ["F ENG", "A YOR", "F NTH"]}
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        print_round(event, 1, wish=PrintWish(design=Design.LINE))
        yield event


def test_two_orders_that_one_support_implies_are_each_asked(tmp_path: Path) -> None:
    with at_the_channel(tmp_path) as event:
        handed_in(event, "F ENG S A YOR - BEL")
        # R11 completes for orders that are written: the convoy for a move that is itself completed has no order yet
        assert [row.order and write(row.order) for row in waiting(event)] == ["A YOR - BEL", None]
        settle_doubt(
            event, ReviewItem(ENGLAND, waiting(event)[1], None), RowDecision(order="F NTH C A YOR - BEL"), "Tess"
        )
        assert [row.order and write(row.order) for row in waiting(event)] == ["A YOR - BEL"]
        settle_doubt(event, ReviewItem(ENGLAND, waiting(event)[0], None), RowDecision(order="A YOR - BEL"), "Tess")
        assert not england(event).is_open
        assert orders(event) == ["F ENG S A YOR - BEL", "F NTH C A YOR - BEL", "A YOR - BEL"]


def test_what_is_left_open_stays_so_whatever_the_other_rows_say_now(tmp_path: Path) -> None:
    with at_the_channel(tmp_path) as event:
        sheet = sheets_of(event, ENGLAND)[0]
        scanned(event, sheet, [inked(1, "F ENG S A YOR - BEL; F KIE hello"), inked(2, "?")], "a")
        settle_doubt(event, doubt_on(event, "F KIE hello"), RowDecision(order=NOTHING), "Tess")
        assert len(waiting(event)) >= 3
        settle_doubt(event, doubt_on(event, "?"), RowDecision(order="A YOR H"), "Tess")
        assert "this was asked when another order on the row was settled" in [row.reason for row in waiting(event)]
        while asked := waiting(event):
            order = "F ENG S A YOR - BEL" if asked[0].unit == "ENG" else NOTHING
            decision = RowDecision(order=order, without=() if order != NOTHING else asked[0].without)
            settle_doubt(event, ReviewItem(ENGLAND, asked[0], None), decision, "Tess")
        assert orders(event) == ["F ENG S A YOR - BEL", "A YOR H"]


def test_an_order_that_another_ruling_contradicts_is_beside_the_others_of_its_row_and_not_left_open(
    event: Event,
) -> None:
    handed_in(event, BOTH, "A LVP - YOR")
    in_queue(event, RowDecision(order="F LON - NTH"), "F LON - MUN")
    in_queue(event, RowDecision(order="F EDI - NWG"), "F EDI - ROM")
    rule_by_number(event, ENGLAND, 2, RowDecision(order="F LON - ENG"), "Tess")
    assert [write(row.order) for row in waiting(event) if row.order] == ["F LON - NTH", "F LON - ENG"]
    (edinburgh,) = (row for row in england(event).rows if row.order and write(row.order) == "F EDI - NWG")
    assert (tuple(map(write, edinburgh.beside)), edinburgh.left) == (("F LON - NTH",), NOTHING_LEFT)


@pytest.mark.parametrize("order", ["F LON H", "F LON - NTH", "F LON - ENG", None])
def test_what_a_ruling_orders_is_offered_once_to_a_row_that_orders_its_unit_too(
    event: Event, order: str | None
) -> None:
    handed_in(event, "F LON - ENG", "F LON - NTH", "A LVP - YOR")
    rule_by_number(event, ENGLAND, 3, RowDecision(order="F LON H"), "Tess")
    first, second, ruled = (row for row in england(event).rows if row.line)
    given = {write(each): each for row in (first, second, ruled) for each in (row.order, *row.candidates) if each}
    settled = replace(first, source=Source.DEFAULT, order=given[order] if order else None)
    (asked, _) = _ask_double_rulings((settled, ruled))
    offered = dict.fromkeys(["F LON H", *([order] if order else []), "F LON - ENG"])
    assert tuple(each and write(each) for each in asked.candidates) == tuple(offered)


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("F LON - MUN", "F EDI H", "A LVP H"), [["LON"], [], []]),
        (("F LON - MUN", "F EDI - ROM"), [["LON"], ["EDI"]]),
        (("F LON - MUN", "F LON - ROM", "F EDI - ROM"), [[], [], ["EDI"]]),
    ],
)
def test_that_a_unit_holds_is_said_with_the_one_row_that_waits_for_it(
    tmp_path: Path, lines: tuple[str, ...], left: list[list[str]]
) -> None:
    """Where two rows may order it, neither answer leaves it without an order."""
    with open_event(printed(tmp_path / "cup", "edc2023"), clock) as opened:
        handed_in(opened, *lines)
        assert [[alone.unit for alone in row.leaves] for row in england(opened).rows if row.line] == left
