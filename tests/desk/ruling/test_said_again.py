"""The same act said again: it stands, nothing was changed since, so nothing is written down, at every door."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import run
from web.conftest import SEATS, Browser

from desk.beginnings import copied
from desk.cup import OPENINGS, clock, hand_in, inked, seated, spring
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.players import add_player
from pipeline.desk.results.notes import enter_note, notes_in_force, take_note_back
from pipeline.desk.ruling.desk import rule_by_number, rule_without_order
from pipeline.desk.ruling.rulings import RowDecision, stacks, type_lines, undo_ruling
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import Tier
from pipeline.ledger.events import Decision, LedgerEvent, NoteEntered
from pipeline.paper.sheet_rows import Design
from pipeline.web.server import open_office

AUSTRIA, ITALY = spring(Power.AUSTRIA), spring(Power.ITALY)
STANDS = "in force already, as number"
ROW = ("--power", "AUSTRIA", "--line", "1")
ACTS = (
    (*ROW, "--order", "A VIE - GAL", "--why", "seen"),
    (*ROW, "--text", "A Vie - Gal"),
    (*ROW, "--order", "nothing"),
    ("--power", "AUSTRIA", "--line", "0", "--order", "A VIE H"),
    ("--power", "ITALY", "--sheet", "no orders"),
    ("--power", "AUSTRIA", "--sheet", "late"),
    ("--power", "ITALY", "--type", "A Ven - Tyr", "--type", "A Rom H", "--type", "F Nap - Ion"),
)
NOTES = (
    ("penalty", "Ada", "late", "--points", "3", "--why", "ten minutes"),
    ("bonus", "Ada", "gift", "--points", "1", "--why", "cake"),
    ("excluded", "Ada", "--why", "cheated"),
    ("award", "Best tie", "Ada"),
    ("distance", "Ada", "300"),
    ("lot", "Ada", "Bo"),
    ("score", "1.1", "ITALY", "20", "--why", "called home"),
)


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """One row of Austria waits, Italy's sheet is missing, the other sheets are clear."""
    return copied(hand_in_most, tmp_path / "cup")


def hand_in_most(folder: Path) -> None:
    with open_event(seated(folder), clock) as event:
        print_round(event, 1, wish=PrintWish(design=Design.LINE))
        for number, (power, written) in enumerate(OPENINGS.items()):
            if power not in (Power.AUSTRIA, Power.ITALY):
                hand_in(event, spring(power), [inked(n, t) for n, t in enumerate(written, 1)], sha256=f"{number:064d}")
        lines = [inked(1, "A VIE - GAL", Tier.ASKED), inked(2, "A BUD - SER"), inked(3, "F TRI - ALB")]
        hand_in(event, AUSTRIA, lines, sha256="f" * 64)


@pytest.fixture
def event(cup: Path) -> Iterator[Event]:
    """The same, opened."""
    with open_event(cup, clock) as event:
        yield event


def facts(cup: Path) -> int:
    """How many facts there are."""
    with open_event(cup, clock) as event:
        return event.facts.last_number()


def rule(cup: Path, *words: str, by: str = "Tess") -> str:
    """Rule at the command."""
    return run("rule", str(cup), "--board", "1", *words, "--by", by)


@pytest.mark.parametrize("words", ACTS, ids=lambda words: " ".join(words[1:4]))
def test_a_ruling_that_is_said_again_writes_nothing_and_somebody_elses_word_or_another_reason_does(
    cup: Path, words: tuple[str, ...]
) -> None:
    first = rule(cup, *words)
    assert "in the journal" in first
    assert STANDS not in first
    before = facts(cup)
    again = rule(cup, *words)
    assert STANDS in again
    assert facts(cup) == before
    assert again.splitlines()[1:] == first.splitlines()[1:]  # what stands now is told all the same
    assert STANDS not in rule(cup, *words, by="Anna")
    without_why = words[: words.index("--why")] if "--why" in words else words
    if "--type" not in words:  # typed lines have no reason
        assert STANDS not in rule(cup, *without_why, "--why", "another", by="Anna")
    assert facts(cup) > before


def test_what_was_ruled_otherwise_or_taken_back_since_is_written_again(event: Event) -> None:
    first = rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess")
    assert rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess") == first
    other = rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE H"), "Tess")
    again = rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess")
    assert first.number < other.number < again.number
    undo_ruling(event, again, "Tess")
    undo_ruling(event, other, "Tess")
    assert rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess") == first  # it stands again
    undo_ruling(event, first, "Tess")
    assert rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess").number > again.number


def test_a_row_of_which_another_scan_came_is_ruled_again(event: Event) -> None:
    first = rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess")
    lines = [inked(1, "A VIE - TRI", Tier.ASKED), inked(2, "A BUD - SER"), inked(3, "F TRI - ALB")]
    hand_in(event, AUSTRIA, lines, sha256="e" * 64)
    again = rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess")
    assert again.number > first.number
    assert rule_by_number(event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess") == again


def test_typed_lines_are_typed_again_once_a_sheet_came_or_was_ruled_on_since(cup: Path) -> None:
    words = ("--power", "ITALY", "--type", "A Ven H", "--type", "A Rom H", "--type", "F Nap H")
    rule(cup, *words)
    assert STANDS in rule(cup, *words)
    with open_event(cup, clock) as event:
        hand_in(event, ITALY, [inked(1, "A VEN - TYR")], sha256="d" * 64)
    assert STANDS not in rule(cup, *words)
    assert STANDS in rule(cup, *words)
    rule(cup, "--power", "ITALY", "--sheet", "no orders")
    assert STANDS not in rule(cup, *words)


def test_a_sheet_is_ruled_on_again_once_another_came_or_lines_were_typed_since(cup: Path) -> None:
    words = ("--power", "ITALY", "--sheet", "no orders")
    rule(cup, *words)
    assert STANDS in rule(cup, *words)
    rule(cup, "--power", "ITALY", "--type", "A Ven H")
    assert STANDS not in rule(cup, *words)
    assert STANDS in rule(cup, *words)
    with open_event(cup, clock) as event:
        hand_in(event, ITALY, [inked(1, "A VEN - TYR")], sha256="d" * 64)
    assert STANDS not in rule(cup, *words)


def test_no_order_of_units_without_a_row_is_said_twice_and_written_once(event: Event) -> None:
    hand_in(event, ITALY, [inked(1, "A VEN - TYR")], sha256="c" * 64)
    first = rule_without_order(event, ITALY, "he said so", "Tess")
    assert len(first) == 2
    assert rule_without_order(event, ITALY, "he said so", "Tess") == first


@pytest.mark.parametrize("words", NOTES, ids=lambda words: words[0])
def test_a_note_that_is_said_again_at_the_command_writes_nothing_and_says_so(cup: Path, words: tuple[str, ...]) -> None:
    assert STANDS not in run("enter", str(cup), *words, "--by", "Tess")
    before = facts(cup)
    assert STANDS in run("enter", str(cup), *words, "--by", "Tess")
    assert facts(cup) == before
    assert STANDS not in run("enter", str(cup), *words, "--by", "Anna")
    assert facts(cup) == before + 1


def test_a_second_penalty_is_another_reason_and_one_that_was_taken_back_is_entered_anew(event: Event) -> None:
    typed = {"player": "Ada", "kind": "late", "points": "3"}
    first = enter_note(event, "penalty", typed, by="Tess", why="round 1")
    assert enter_note(event, "penalty", {**typed, "player": "Bo"}, by="Tess", why="round 1").number > first.number
    assert enter_note(event, "penalty", typed, by="Tess", why="round 1") == first
    assert enter_note(event, "penalty", typed, by="Tess", why="round 2").number > first.number
    take_note_back(event, first.number, by="Tess")
    assert enter_note(event, "penalty", typed, by="Tess", why="round 1").number > first.number


def test_a_note_that_another_replaced_is_entered_again(event: Event) -> None:
    near, far = ({"player": "Ada", "km": km} for km in ("300", "400"))
    first = enter_note(event, "distance", near, by="Tess")
    enter_note(event, "distance", far, by="Tess")
    again = enter_note(event, "distance", near, by="Tess")
    assert again.number > first.number
    assert enter_note(event, "distance", near, by="Tess") == again


TAKES_OVER = ("substitute", "1.1", "ITALY", "Hal", "S1901M", "--why", "called home")


def test_a_seat_that_is_taken_over_again_by_the_same_person_is_taken_over_once(cup: Path) -> None:
    run("players", str(cup), "--add", "Hal", "--by", "Tess")
    assert STANDS not in run("enter", str(cup), *TAKES_OVER, "--by", "Tess")
    before = facts(cup)
    assert STANDS in run("enter", str(cup), *TAKES_OVER, "--by", "Tess")
    assert facts(cup) == before
    for words in ((*TAKES_OVER, "--by", "Anna"), (*TAKES_OVER[:-1], "he is ill", "--by", "Tess")):
        assert "plays ITALY on board" in run("enter", str(cup), *words, code=2)
    assert facts(cup) == before


def test_a_seat_that_was_taken_over_and_left_since_is_no_more_taken_over(event: Event) -> None:
    typed = {"board": "1.1", "power": "ITALY", "phase": "S1901M"}
    add_player(event, "Hal", {}, by="Tess")
    hal, nobody = ({**typed, "player": player} for player in ("Hal", "nobody"))
    first = enter_note(event, "substitute", hal, by="Tess", why="called home")
    other = enter_note(
        event, "substitute", {**hal, "power": "TURKEY", "player": "nobody"}, by="Tess", why="called home"
    )
    assert enter_note(event, "substitute", hal, by="Tess", why="called home") == first
    take_note_back(event, first.number, by="Tess")
    left = enter_note(event, "substitute", nobody, by="Tess", why="called home")
    assert left.number > other.number
    assert enter_note(event, "substitute", nobody, by="Tess", why="called home") == left
    take_note_back(event, left.number, by="Tess")
    again = enter_note(event, "substitute", hal, by="Tess", why="called home")
    assert again.number > left.number


def test_a_note_that_is_taken_back_again_is_taken_back_once(cup: Path) -> None:
    run("enter", str(cup), *NOTES[0], "--by", "Tess")
    number = str(facts(cup))
    words = ("undo", number, "--why", "it was not so", "--by")
    assert "of the journal is taken back: number" in run("enter", str(cup), *words, "Tess")
    before = facts(cup)
    assert STANDS in run("enter", str(cup), *words, "Tess")
    for others in ((*words, "Anna"), ("undo", number, "--by", "Tess"), ("undo", "1", "--by", "Tess")):
        assert "no note in force has this number" in run("enter", str(cup), *others, code=2)
    assert facts(cup) == before


def test_a_result_that_is_taken_back_again_is_taken_back_once_and_the_one_before_it_counts_again(event: Event) -> None:
    typed = {"board": "1.1", "ended": "time", "years": ["1901 A5 E4 F5 G5 I5 R6 T4"]}
    first = enter_note(event, "result", typed, by="Tess", why="played elsewhere")
    second = enter_note(event, "result", typed | {"years": ["1901 A6 E4 F5 G5 I5 R6 T3"]}, by="Tess", why="misread")
    assert notes_in_force(event)[-1].fact == second
    back = take_note_back(event, second.number, by="Tess")
    assert take_note_back(event, second.number, by="Tess") == back
    assert (end := find_game(event, "1.1").end) and end.fact == first
    assert notes_in_force(event)[-1].fact == first
    take_note_back(event, first.number, by="Tess")
    assert not find_game(event, "1.1").ending


def test_what_somebody_else_took_back_is_not_taken_back_again_instead_of_the_decision_before_it(event: Event) -> None:
    first, second = (type_lines(event, ITALY, [line], by="Ann") for line in ("A VEN H", "A ROM H"))
    undo_ruling(event, second, "Tess")
    log = list(event.facts.everything())
    assert [[fact.number for fact in facts] for facts in (*stacks(log, "Ann"), *stacks(log, "Tess"))] == [
        [first.number],
        [],
        [],
        [],
    ]


@pytest.mark.parametrize("key", [("type", {"values": ["A Ven - Tyr", "A Rom H", "F Nap - Ion"]}), ("sheet of", {})])
def test_a_key_that_is_pressed_again_on_the_page_writes_nothing_and_says_so(
    cup: Path, key: tuple[str, dict[str, Any]]
) -> None:
    do, values = key
    with open_office(cup, SEATS, is_lan=True, clock=lambda: 1e6) as office:
        tess = Browser(office, "Tess")
        tess.look()
        first = tess.press(do, token=str(ITALY), value="no orders", **values)
        before = list(office.office.event.facts.select(LedgerEvent))
        again = tess.press(do, token=str(ITALY), value="no orders", **values)
        assert STANDS not in first["told"]
        assert STANDS in again["told"]
        assert list(office.office.event.facts.select(LedgerEvent)) == before
        assert len(list(office.office.event.facts.select(Decision))) == 1


def test_a_note_that_is_entered_again_on_the_page_writes_nothing_and_says_so(cup: Path) -> None:
    body = {"what": "penalty", "values": {"player": "Ada", "kind": "late", "points": "3"}, "why": "ten minutes"}
    with open_office(cup, SEATS, is_lan=True, clock=lambda: 1e6) as office:
        tess = Browser(office, "Tess")
        first, again = (
            tess.client.post("/api/notes/enter", json=body, headers={"X-Token": tess.token}).json() for _ in range(2)
        )
        assert first["number"] == again["number"]
        assert (STANDS in first["said"], STANDS in again["said"]) == (False, True)
        assert len(list(office.office.event.facts.select(NoteEntered))) == 1
