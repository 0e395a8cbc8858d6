"""Each kind of note as it may be typed: the fact that comes of it, field by field, or all that is said against it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from facts_as_kept import append_fact

from desk.cup import clock
from pipeline.board import Power, starting_position
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.results.notes import (
    ADDED_UP,
    enter_note,
    entered_in_words,
    facts_of,
    note_in_words,
    notes_in_force,
    take_note_back,
)
from pipeline.draw.roster import Player
from pipeline.ledger.events import Seated
from pipeline.ledger.ledger import body_of, standing
from pipeline.orders import write_position
from pipeline.problems import ExitCode, Stopped
from pipeline.scoring.results import Ending

PEOPLE = [f"P{number:02}" for number in range(1, 18)]
ROWS = json.loads((Path(__file__).parent / "note_kinds.json").read_text("utf-8"))


def put(event: Event, board: str, phase: str, gone: tuple[Power, ...] = ()) -> None:
    """Set a board's position: the first one, at a later phase, and some powers are eliminated."""
    position = write_position(starting_position(event.board)) | {"phase": phase}
    for part in ("units", "centers"):
        position[part] = {power: own for power, own in position[part].items() if power not in gone}
    append_fact(event.facts, "position set", {"board": board, "position": position}, "Tess")


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    """Board 1.1 has come to F1903, without Turkey, and its Italy has changed hands; P01 has two boards of round 2."""
    folder = tmp_path_factory.mktemp("notes") / "cup"
    details = Details(name="Cup", code="TEST", tournament="edc2023")
    make_event_folder(folder, details, [Player(name=n) for n in PEOPLE], clock)
    with open_event(folder, clock) as event:
        first, second = (dict(zip(Power, PEOPLE[start:][:7], strict=True)) for start in (0, 7))
        seat_round(event, 1, {"1": first, "2": second}, by="Tess")
        seat_round(event, 2, {"1": first, "2": second | {Power.TURKEY: "P01"}}, by="Tess")
        put(event, "1.1", "F1903M", (Power.TURKEY,))
        seat = {"board": "1.1", "power": "ITALY", "player": "P15", "phase": "F1902"}
        enter_note(event, "substitute", seat, by="Tess", why="ill")
        bonus = {"player": "P16", "kind": "withdrawal", "round": "1"}
        enter_note(event, "bonus", bonus, by="Tess", why="made place")
        end_game(event, find_game(event, "2.1"), Ending.TIME, by="Tess", why="all went home")
        enter_note(event, "lot", {"players": ["P01", "P02", "P03"]}, by="Tess")
        yield event


def told(event: Event, word: str, typed: dict[str, Any]) -> dict[str, Any] | list[str]:
    try:
        *seated, said = facts_of(event, word, typed, typed.get("why", "so it was"), "Tess")
    except Stopped as stopped:
        is_asked = stopped.code is ExitCode.RULE_FIRST
        return [("? " if is_asked else "! ") + f"{each.where}: {each.text}" for each in stopped.problems]
    found: dict[str, Any] = {"is": said.KIND} | body_of(said)
    if not isinstance(said, Seated):
        found["words"] = note_in_words(event, said)
    for before in seated:
        assert isinstance(before, Seated)
        found["seated"] = body_of(before.boards[-1])
    if isinstance(said, Seated):
        stood = [*standing(event.facts, Seated)][said.round - 1].said.boards if said.round < 3 else ()
        assert said.boards[:-1] == stood
        found = {"is": said.KIND, "round": said.round, "boards": body_of(said.boards[-1]), "notes": [*said.notes]}
    return {key: value for key, value in found.items() if key not in ("why", "names")}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["note"])
def test_a_note_is_the_fact_that_was_meant_or_all_that_is_wrong_is_said(event: Event, row: dict[str, Any]) -> None:
    word, *_ = row["note"].split(maxsplit=1)
    assert told(event, word, row["typed"]) == row["told"]


GOOD = [row for row in ROWS if isinstance(row["told"], dict)]


@pytest.mark.parametrize("row", GOOD, ids=lambda row: row["note"])
def test_a_note_is_written_once_is_listed_and_is_taken_back_once(event: Event, row: dict[str, Any]) -> None:
    word, *_ = row["note"].split(maxsplit=1)
    why = row["typed"].get("why", "so it was")
    with event.facts.trial():
        before = notes_in_force(event)
        fact = enter_note(event, word, row["typed"], by="Tess", why=why)
        newest = event.facts.last_number()
        if row["typed"].get("kind") == "withdrawal":
            with pytest.raises(Stopped, match=f"has it already \\(number {fact.number} of the journal\\)"):
                enter_note(event, word, row["typed"], by="Tess", why=why)
        else:
            assert enter_note(event, word, row["typed"], by="Tess", why=f" {why} ").number == fact.number
        assert event.facts.last_number() == newest, "it is in force already"
        (kept,) = [note for note in notes_in_force(event) if note not in before]
        told = kept.as_json()
        assert (told["number"], told["by"], told["kind"]) == (fact.number, "Tess", fact.said.KIND)
        if isinstance(fact.said, Seated):
            assert (told["in_journal"], why in told["words"]) == (True, True)
            with pytest.raises(Stopped, match="is taken back in the journal"):
                take_note_back(event, fact.number, by="Tess", why="misread")
            return
        assert (told["in_journal"], told["why"], told["words"]) == (False, why, row["told"]["words"])
        undone = take_note_back(event, fact.number, by="Tess", why="misread")
        assert take_note_back(event, fact.number, by="Tess", why="misread").number == undone.number
        assert [note for note in notes_in_force(event) if note not in before] == []
        assert [note.fact.number for note in before if note not in notes_in_force(event)] == []
        for by, reason in (("Bob", "misread"), ("Tess", "another")):
            with pytest.raises(Stopped, match="no note in force has this number"):
                take_note_back(event, fact.number, by=by, why=reason)
        assert event.facts.last_number() == undone.number


@pytest.mark.parametrize("row", GOOD, ids=lambda row: row["note"])
def test_of_two_notes_about_the_same_both_add_up_or_the_newer_is_listed_alone_and_says_so(
    event: Event, row: dict[str, Any]
) -> None:
    word, *_ = row["note"].split(maxsplit=1)
    with event.facts.trial():
        first = enter_note(event, word, row["typed"], by="Tess", why="so it was")
        newest = event.facts.last_number()
        try:
            second = enter_note(event, word, row["typed"], by="Tess", why="no, for this reason")
        except Stopped:  # a seat or a round that is so already
            second = first
        listed, adds_up = [note.fact.number for note in notes_in_force(event)], isinstance(first.said, ADDED_UP[:-1])
        replaces = f"it replaces number {first.number}, which counts no more"
        assert (replaces in entered_in_words(event, second, newest)) is (first.number not in listed)
        assert (first.number in listed) is (second.number == first.number or adds_up)
        if first.number not in listed:
            with pytest.raises(Stopped, match=f"replaced it; undo number {second.number} of the journal first"):
                take_note_back(event, first.number, by="Tess", why="misread")
            take_note_back(event, second.number, by="Tess", why="misread")
            assert first.number in [note.fact.number for note in notes_in_force(event)]


def test_a_note_that_a_later_draw_or_an_edit_of_the_file_replaced_is_listed_no_more(tmp_path: Path) -> None:
    roster = [Player(name=name) for name in PEOPLE]
    folder = tmp_path / "cup"
    make_event_folder(folder, Details(name="Cup", code="TEST", tournament="edc2023"), roster, clock)
    with open_event(folder, clock) as event:
        seats = dict(zip(Power, PEOPLE[:7], strict=True))
        seat_round(event, 1, {"1": seats}, by="Tess")
        enter_note(event, "swap", {"player": "P01", "other": "P02"}, by="Tess", why="they asked")
        enter_note(event, "club", {"player": "P03", "club": "Owls"}, by="Tess")
        assert len(notes_in_force(event)) == 2
        seat_round(event, 1, {"1": seats | {Power.AUSTRIA: "P09"}}, by="Tess")
        assert [note.fact.said.KIND for note in notes_in_force(event)] == ["player noted"]
    file = folder / "event.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace('name = "P03"', 'name = "P03"\nclub = "Rooks"'), "utf-8")
    assert file.read_text("utf-8") != text
    with open_event(folder, clock) as event:
        assert notes_in_force(event) == ()
