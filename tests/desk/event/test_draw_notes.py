"""Who is in a draw that leaves survivors out is entered, where the rules pay by it, and counts in every sum."""

from fractions import Fraction
from pathlib import Path

import pytest
from commands import run
from facts_as_kept import read_facts
from web.conftest import SEATS, Browser

from desk.cup import NAMES, clock
from desk.results.test_notes import at
from pipeline.board import Phase, Power
from pipeline.desk.event.ending import end_game, undo_end
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import notes_in_force
from pipeline.desk.results.results import event_results, scored_event
from pipeline.desk.ruling.rulings import rule_sheet, type_lines
from pipeline.desk.sheets.printed import expected_units
from pipeline.draw.roster import Player
from pipeline.ledger.parts import SheetDecision
from pipeline.scoring.results import Ending
from pipeline.web.server import open_office

SYSTEM = """
[scoring]
system = "{name}"

[totals]
rounds = 4
"""


def cup_under(folder: Path, name: str) -> Path:
    """A board under rules of which only the scoring system is said."""
    folder.mkdir(exist_ok=True)
    rules = folder / "rules.toml"
    rules.write_text(SYSTEM.format(name=name), "utf-8")
    details = Details(name="Test Cup", code="TEST", tournament=str(rules))
    make_event_folder(folder / "cup", details, [Player(name=name) for name in NAMES.values()], clock)
    with open_event(folder / "cup", clock) as event:
        seat_round(event, 1, {"1": NAMES}, by="Tess")
    return folder / "cup"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    return cup_under(tmp_path, "draw-size")


def voted(cup: Path) -> None:
    """All seven live, and a draw is agreed."""
    with open_event(cup, clock) as event:
        at(event, "1.1", "S1905M")
    run("vote", cup, "--board", "1.1", "--asked-by", "france", "--yes", "7", "--no", "0", "--ruled", "--why", "agreed")


def scores(cup: Path) -> dict[Power, Fraction]:
    with open_event(cup, clock) as event:
        return {game.power: game.score for game in scored_event(event).games}


def test_who_is_left_out_of_a_draw_gets_nothing_of_it(cup: Path) -> None:
    voted(cup)
    assert scores(cup)[Power.TURKEY] == Fraction(100, 7)
    run("enter", cup, "draw", "1.1", "A", "ENGLAND", "f", "--why", "as they agreed")
    found = scores(cup)
    assert [found[power] for power in (Power.AUSTRIA, Power.FRANCE, Power.TURKEY)] == [Fraction(100, 3)] * 2 + [0]
    with open_event(cup, clock) as event:
        (note,) = notes_in_force(event)
        assert [board.left_out for board in event_results(event).boards] == [
            frozenset({Power.GERMANY, Power.ITALY, Power.RUSSIA, Power.TURKEY})
        ]
    run("enter", cup, "undo", str(note.fact.number))
    assert scores(cup)[Power.TURKEY] == Fraction(100, 7)


def test_a_draw_is_of_a_game_that_was_voted_or_agreed(cup: Path) -> None:
    assert "it is not over" in run("enter", cup, "draw", "1.1", "A", code=2)
    with open_event(cup, clock) as event:
        at(event, "1.1", "S1908M")
        end_game(event, find_game(event, "1.1"), Ending.TIME, by="Tess", why="late")
    assert "it ended by time" in run("enter", cup, "draw", "1.1", "A", code=2)


def test_only_survivors_are_in_a_draw_and_all_faults_are_told_at_once(cup: Path) -> None:
    run("enter", cup, "result", "1.1", "vote", "--year", "1907 A12 E12 F10", "--why", "played upstairs")
    said = run("enter", cup, "draw", "1.1", "A", "I", "T", code=2)
    assert [line.split(" has ")[0] for line in said.splitlines()] == ["draw powers: ITALY", "draw powers: TURKEY"]
    assert "unknown power 'ITALIA'; did you mean 'ITALY'?" in run("enter", cup, "draw", "1.1", "Italia", code=2)


def test_rules_that_look_at_no_draw_take_none(tmp_path: Path) -> None:
    cup = cup_under(tmp_path, "sum-of-squares")
    voted(cup)
    assert "do not depend on who is in a draw" in run("enter", cup, "draw", "1.1", "A", "E", code=2)


def test_a_draw_goes_with_the_end_that_it_is_of(cup: Path) -> None:
    voted(cup)
    run("enter", cup, "draw", "1.1", "A")
    with open_event(cup, clock) as event:
        undo_end(event, find_game(event, "1.1"), by="Tess", why="they play on")
        assert notes_in_force(event) == ()
    voted(cup)
    assert scores(cup)[Power.TURKEY] == Fraction(100, 7)


@pytest.mark.parametrize("undo", ["end", "journal"])
def test_with_its_end_every_note_on_a_draw_goes_and_the_same_can_be_noted_of_the_next(cup: Path, undo: str) -> None:
    voted(cup)
    for powers in ("AE", "A", "AF"):
        run("enter", cup, "draw", "1.1", *powers, "--by", "Tess")
    with open_event(cup, clock) as event:
        end = find_game(event, "1.1").end
        assert end is not None
    run(*(["end", cup, "--board", "1.1", "--undo"] if undo == "end" else ["undo", cup, end.fact.number]))
    with open_event(cup, clock) as event:
        assert notes_in_force(event) == ()
    voted(cup)
    assert "is in force already" not in run("enter", cup, "draw", "1.1", "A", "E", "--by", "Tess")
    found = scores(cup)
    assert [found[power] for power in (Power.ENGLAND, Power.TURKEY)] == [50, 0]


def test_a_draw_that_is_voted_anew_after_a_correction_has_not_the_powers_of_the_first(cup: Path) -> None:
    ask = ["vote", str(cup), "--board", "1.1", "--asked-by", "france"]
    carried = [*ask, "--yes", "7", "--no", "0", "--ruled", "--why", "agreed"]
    with open_event(cup, clock) as event:
        at(event, "1.1", "F1901M")
        publish_holds(event)
    run(*carried)
    run("enter", cup, "draw", "1.1", "A", "E")
    with open_event(cup, clock) as event:
        fall = Turn("1.1", Phase.read("F1901M"), Power.TURKEY)
        type_lines(event, fall, ["A CON - BUL", "A SMY H", "F ANK H"], by="Tess")
    run("correct", cup, "--board", "1.1", "--phase", "F1901M", "--apply")
    with open_event(cup, clock) as event:
        publish_holds(event)
        assert find_game(event, "1.1").position.phase == Phase.read("S1902M")
    run(*ask, "--undo")
    run(*carried)
    assert set(scores(cup).values()) == {Fraction(100, 7)}


def publish_holds(event: Event) -> None:
    """Publish the phase that is open; nobody writes anything."""
    game = find_game(event, "1.1")
    for power in expected_units(game.map, game.position):
        rule_sheet(event, Turn("1.1", game.position.phase, power), SheetDecision.NO_ORDERS, by="Tess")
    publish(event, "1.1", "Tess")


def test_a_result_with_a_draw_is_changed_after_its_draw_is_taken_back(cup: Path) -> None:
    result: list[str | Path] = [
        "enter",
        cup,
        "result",
        "1.1",
        "vote",
        "--year",
        "1907 A12 E12 F10",
        "--why",
        "upstairs",
    ]
    run(*result)
    run("enter", cup, "draw", "1.1", "A", "E")
    with open_event(cup, clock) as event:
        typed, drawn = (note.fact.number for note in notes_in_force(event))
    undo: list[str | Path] = ["enter", cup, "undo", str(typed)]
    for command in (result, undo):
        assert f"undo number {drawn} of the journal first" in run(*command, code=2)
    run("enter", cup, "undo", str(drawn))
    run("enter", cup, "undo", str(typed))


def test_a_draw_that_carries_the_end_of_the_event_wants_a_reason_to_be_taken_back(cup: Path) -> None:
    run("enter", cup, "result", "1.1", "vote", "--year", "1907 A12 E12 F10", "--why", "upstairs")
    run("enter", cup, "draw", "1.1", "A", "E")
    run("enter", cup, "early-end", "--why", "storm")
    with open_event(cup, clock) as event:
        drawn = notes_in_force(event)[1].fact.number
    undo: list[str | Path] = ["enter", cup, "undo", str(drawn)]
    for command in (undo, ["undo", cup, str(drawn)]):
        assert "an early end of the event was entered since" in run(*command, code=3)
    run(*undo, "--why", "France is in it")


def test_the_page_writes_the_same_draw_as_the_command(tmp_path: Path) -> None:
    page, command = cup_under(tmp_path / "page", "draw-size"), cup_under(tmp_path / "command", "draw-size")
    for cup in (page, command):
        voted(cup)
    run("enter", command, "draw", "1.1", "A", "ENGLAND", "--by", "Tess", "--why", "agreed")
    with open_office(page, SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        values = {"board": "1.1", "powers": "england, a"}
        body = {"what": "draw", "values": values, "why": "agreed"}
        answer = tess.client.post("/api/notes/enter", json=body, headers={"X-Token": tess.token})
        assert answer.status_code == 200, answer.text
        (theirs,) = [(fact.by, fact.body) for fact in read_facts(office.office.event.facts, "draw entered")]
    with open_event(command, clock) as event:
        assert [(fact.by, fact.body) for fact in read_facts(event.facts, "draw entered")] == [theirs]


def test_where_a_draw_includes_all_survivors_none_is_left_out(tmp_path: Path) -> None:
    cup = cup_under(tmp_path, "draw-size")
    (rules,) = (cup / "rules").glob("*.toml")
    all_in = '[ending.vote]\nincludes_all_survivors = { value = "yes", rule = "RULES 7" }\n'
    rules.write_text(rules.read_text("utf-8") + all_in, "utf-8")
    voted(cup)
    said = run("enter", cup, "draw", "1.1", "A", "E", "F", "G", "I", "R", code=2)
    assert said == "draw powers: a draw includes all survivors (RULES 7), and TURKEY would be left out"
    run("enter", cup, "draw", "1.1", "A", "E", "F", "G", "I", "R", "T")
