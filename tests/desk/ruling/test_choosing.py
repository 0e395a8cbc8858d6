"""UnevenChoice is between sheets that claim the same rows: the other part of a power's orders stays where it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from facts_as_kept import append_fact

from desk.beginnings import copied
from desk.came import ENGLAND, asked, england, orders, scanned, serial
from desk.cup import clock, inked, printed, sheets_of, spring
from pipeline.board import Power, Step
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.ruling.rulings import rule_sheet, type_lines, undo_ruling
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import InkLine
from pipeline.ledger.events import SheetRuled
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write_position

UNITS = ["F LON", "A LVP", "F EDI", "F NTH", "A WAL", "A YOR", "F ENG", "F IRI", "A CLY", "F NWG"]
HOLD, MOVE, OTHER, AWAY = "F LON H", "F LON - WAL", "F LON S F ENG", "F ENG - MAO"


def ten_of_england(folder: Path) -> None:
    """England has ten units, and two sheets of each of two parts beside the one that was printed before."""
    with open_event(printed(folder), clock) as event:
        position = write_position(find_game(event, "1").position)
        position["units"] = {Power.ENGLAND: UNITS}
        append_fact(event.facts, "position set", {"board": "1.1", "position": position}, "Tess")
        for _ in range(2):
            print_round(event, 1, wish=PrintWish(for_beginners=True))


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with open_event(copied(ten_of_england, tmp_path / "cup"), clock) as opened:
        yield opened


@pytest.fixture
def papers(event: Event) -> list[str]:
    """England's sheets of two parts: the first, its copy, the second, its copy."""
    of = printed_sheets(event)
    new = sheets_of(event, ENGLAND)[1:]
    assert [of[sheet].request.part for sheet in new] == [1, 2, 1, 2]
    return sorted(new, key=lambda sheet: of[sheet].request.part)


def first_part(order: str = HOLD) -> list[InkLine]:
    """The rows of a first part: one order, and the next five units hold."""
    return [inked(row, text) for row, text in enumerate([order, *(f"{unit} H" for unit in UNITS[1:6])], start=1)]


def second_part(order: str = "F ENG H") -> list[InkLine]:
    """The rows of a second part, which go on where the first ends."""
    return [inked(row, text) for row, text in enumerate([order, *(f"{unit} H" for unit in UNITS[7:])], start=7)]


def choose(event: Event, sheet: str) -> Fact[SheetRuled]:
    """The director says that a sheet counts."""
    return rule_sheet(event, ENGLAND, SheetDecision.CHOSEN, by="Tess", serial=serial(event, sheet))


def written_in_doubt(event: Event) -> set[str]:
    """The orders of the two units to which the sheets give different ones."""
    return {order for order in orders(event) if order.startswith(("F LON", "F ENG"))}


def test_of_two_parts_that_came_twice_each_is_chosen_by_itself(event: Event, papers: list[str]) -> None:
    first, copy, second, again = papers
    for sheet, lines, scan in zip(
        papers, (first_part(), first_part(MOVE), second_part(), second_part(AWAY)), "abcd", strict=True
    ):
        scanned(event, sheet, lines, scan)

    choose(event, first)
    (text,) = asked(event)
    assert text.startswith(f"two sheets are in, {second} and {again}; "), "the choice between the others is left"
    last = choose(event, again)

    assert (asked(event), written_in_doubt(event)) == ([], {HOLD, AWAY})

    undo_ruling(event, last, "Tess")
    assert "two sheets are in" in asked(event)[0]
    choose(event, copy)
    choose(event, second)
    assert (asked(event), written_in_doubt(event)) == ([], {MOVE, "F ENG H"})


def test_a_part_that_comes_in_after_the_choice_is_asked(event: Event, papers: list[str]) -> None:
    first, copy, second, _ = papers
    scanned(event, first, first_part(), "a")
    scanned(event, copy, first_part(MOVE), "b")
    choose(event, first)
    scanned(event, second, second_part(), "c")
    assert f"{second} came in after Tess ruled 'chosen'" in asked(event)[0]
    choose(event, first)
    assert (asked(event), len(orders(event))) == ([], 10)


def test_an_earlier_choice_does_not_lay_aside_what_it_has_not_seen(event: Event, papers: list[str]) -> None:
    first, copy, second, again = papers
    scanned(event, first, first_part(), "a")
    scanned(event, copy, first_part(MOVE), "b")
    choose(event, first)
    scanned(event, copy, first_part(OTHER), "c")
    scanned(event, second, second_part(), "d")
    scanned(event, again, second_part(), "e")

    choose(event, second)

    assert asked(event)[0].startswith(f"two sheets are in, {first} and {copy}; ")


def test_what_was_chosen_before_lines_were_typed_is_not_chosen_after(event: Event, papers: list[str]) -> None:
    first, copy, second, _ = papers
    scanned(event, first, first_part(), "a")
    scanned(event, copy, first_part(MOVE), "b")
    scanned(event, second, second_part(), "c")
    choose(event, first)
    type_lines(event, ENGLAND, ["F LON H"], by="Tess")
    choose(event, second)
    assert asked(event)[0].startswith(f"two sheets are in, {first} and {copy}; ")


def test_a_pad_that_is_chosen_lays_aside_every_part_that_has_rows_of_the_same_number(
    event: Event, papers: list[str]
) -> None:
    print_round(event, 1, wish=PrintWish(pads=1, kinds=(Step.MOVEMENT,)))
    (pad,) = (
        sheet
        for sheet, each in printed_sheets(event).items()
        if each.request.is_pad and each.request.power is Power.ENGLAND
    )
    scanned(event, papers[0], first_part(MOVE), "a")
    scanned(event, papers[2], second_part(AWAY), "b")
    scanned(event, pad, [inked(row, f"{unit} H") for row, unit in enumerate(UNITS, start=1)], "c", ticks="spring 1901")
    both = f"two sheets are in, {papers[0]} and {pad}"
    assert asked(event) == [f"{both}; two sheets came together: the director rules (WM VI.2.g)"], "no word of its ticks"

    choose(event, pad)

    assert (asked(event), orders(event)) == ([], [f"{unit} H" for unit in UNITS])


@pytest.mark.parametrize("how", [SheetDecision.ACCEPTED, SheetDecision.ALL_UNSIGNED, SheetDecision.CHOSEN])
def test_an_unsigned_part_beside_the_chosen_one_is_asked_and_what_was_laid_aside_stays_aside(
    event: Event, papers: list[str], how: SheetDecision
) -> None:
    first, copy, second, _ = papers
    scanned(event, first, first_part(), "a")
    scanned(event, copy, first_part(MOVE), "b")
    scanned(event, second, second_part(), "c", signed=False)

    choose(event, copy)
    (text,) = asked(event)
    assert text.startswith(
        f"no signature on {second}: accept it, accept all that are not signed, or refuse it; the sheet is not signed"
    )

    if how is SheetDecision.CHOSEN:
        choose(event, second)
    else:
        rule_sheet(event, ENGLAND, how, by="Tess")
    assert (asked(event), england(event).is_open) == ([], False)
    assert sorted(orders(event)) == sorted([MOVE, *(f"{unit} H" for unit in UNITS[1:])])


def test_a_chosen_sheet_that_is_not_signed_is_chosen_as_it_is(event: Event, papers: list[str]) -> None:
    scanned(event, papers[0], first_part(), "a")
    scanned(event, papers[1], first_part(MOVE), "b", signed=False)
    scanned(event, papers[2], second_part(), "c")
    choose(event, papers[1])
    assert asked(event) == []


def test_an_unsigned_part_beside_the_chosen_one_is_refused_with_the_rest(event: Event, papers: list[str]) -> None:
    scanned(event, papers[0], first_part(), "a")
    scanned(event, papers[1], first_part(MOVE), "b")
    scanned(event, papers[2], second_part(), "c", signed=False)
    choose(event, papers[1])
    rule_sheet(event, ENGLAND, SheetDecision.REFUSED, by="Tess")
    assert (asked(event), orders(event)) == ([], [])


@pytest.mark.parametrize("is_seen", [True, False])
def test_to_accept_what_came_after_a_choice_is_to_accept_all_that_lies_there(
    event: Event, papers: list[str], is_seen: bool
) -> None:
    first, copy, second, again = papers
    scanned(event, first, first_part(), "a")
    scanned(event, copy, first_part(MOVE), "b")
    scanned(event, second, second_part(), "c", signed=False)
    choose(event, copy)
    if is_seen:
        scanned(event, again, second_part(AWAY), "d")
        assert f"{again} came in after Tess ruled 'chosen'" in asked(event)[0]
    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    if not is_seen:
        scanned(event, again, second_part(AWAY), "d")
        assert f"{again} came in after Tess ruled 'accepted'" in asked(event)[0]
        rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")
    rows = {(row.ground.sheet, row.ink) for row in england(event).rows if row.line}
    assert {sheet for sheet, _ in rows} == {serial(event, sheet) for sheet in papers}


def test_where_the_chosen_sheet_turns_out_to_be_another_powers_only_what_was_chosen_later_counts(
    event: Event, papers: list[str]
) -> None:
    first, copy, second, _ = papers
    for sheet, lines, scan in zip(
        (first, copy, second), (first_part(), first_part(MOVE), second_part()), "abc", strict=True
    ):
        scanned(event, sheet, lines, scan)
    choose(event, copy)
    choose(event, second)
    assert written_in_doubt(event) == {MOVE, "F ENG H"}
    (france, *_) = sheets_of(event, spring(Power.FRANCE))

    append_fact(event.facts, "page identified", {"sha256": "b" * 64, "page": 1, "sheet": france}, "Tess")

    assert (written_in_doubt(event), england(event).is_open) == ({"F ENG H"}, True)


def test_to_accept_what_lies_there_ends_the_choice_of_a_sheet_that_has_gone(event: Event, papers: list[str]) -> None:
    first, copy, *_ = papers
    scanned(event, first, first_part(), "a")
    scanned(event, copy, first_part(MOVE), "b")
    choose(event, copy)
    (france, *_) = sheets_of(event, spring(Power.FRANCE))
    append_fact(event.facts, "page identified", {"sha256": "b" * 64, "page": 1, "sheet": france}, "Tess")
    assert written_in_doubt(event) == set()

    rule_sheet(event, ENGLAND, SheetDecision.ACCEPTED, by="Tess")

    assert written_in_doubt(event) == {HOLD}
