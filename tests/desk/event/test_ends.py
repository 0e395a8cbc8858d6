"""A game ends as the rules say, whoever says so: by command, by vote, by a solo; and an end can be taken back."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import run
from facts_as_kept import append_fact, read_facts
from workbook.office import values

from desk.cup import CENTRES, NAMES, clock, seated
from desk.moot import drawn
from pipeline.board import Phase, Power, Step, starting_position
from pipeline.desk.event.ending import end_game, end_games, over, over_words, undo_end, votes_held
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import Special, seat_round
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted, hold_vote, record_veto, undo_vote
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import apply_correction, propose_correction, publish
from pipeline.desk.results.results import event_results, scored_event
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.desk.review.orders_shown import status
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.desk.sheets.unfiled_pages import late_sheets
from pipeline.journal.acts import undo_all
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.ledger import body_of
from pipeline.ledger.parts import Ballot
from pipeline.orders import write_position
from pipeline.problems import Stopped
from pipeline.rules.game_end import Moment
from pipeline.scoring.doubts import SoloUnfounded
from pipeline.scoring.results import Ending


def at(event: Event, phase: str, **more: Any) -> None:
    """Take the game over at a phase: as it began, or with other units and centres."""
    value: dict[str, Any] = dict(write_position(starting_position(event.board))) | {"phase": phase} | more
    append_fact(event.facts, "position set", {"board": "1.1", "position": value}, "Tess")


def cup_at(folder: Path, tournament: str, phase: str) -> Path:
    """An event of a tournament whose board is at a phase."""
    cup = seated(folder / "cup", tournament=tournament)
    with open_event(cup, clock) as event:
        at(event, phase)
    return cup


def play(event: Event, **lines: list[str]) -> None:
    """Type everybody's lines, a hold for every unit that has none, and publish."""
    game = find_game(event, "1")
    for power, units in game.position.units.items():
        mine = lines.get(power.lower(), [])
        held = [f"{unit} H" for unit in units if not any(line.startswith(str(unit)) for line in mine)]
        written = [*mine, *held] if game.position.phase.step is Step.MOVEMENT else ["WAIVE"]
        type_lines(event, Turn("1.1", game.position.phase, power), written, by="Tess")
    publish(event, "1", "Tess")


# ---- what is refused, and what a reason overrules -------------------------------------------------------------------


def test_a_solo_with_four_centres_in_the_first_year_is_refused_even_with_a_reason(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "F1901M")
    for why in ([], ["--why", "I say so"]):
        said = run("end", cup, "--board", "1", "--how", "solo", *why, code=2)
        assert said == "1.1: a solo takes 18 centres, and nobody owns more than 4 (WM VIII.1)"
    with open_event(cup, clock) as event:
        assert not list(read_facts(event.facts, "game ended"))


@pytest.mark.parametrize("tournament", ["nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008"])
def test_a_draw_is_not_voted_by_saying_so(tmp_path: Path, tournament: str) -> None:
    cup = cup_at(tmp_path, tournament, "S1905M")
    said = run("end", cup, "--board", "1", "--how", "vote", "--why", "they shook hands", code=2)
    assert "no draw was voted on this board; hold the vote, or enter its count" in said


def test_time_in_the_middle_of_the_fall_retreats_waits_for_them_under_nz99_13(tmp_path: Path) -> None:
    """The count before the retreats was paid; NZ99 13 wants that after them, and no builds."""
    cup = seated(tmp_path / "cup", tournament="nzdc1999")
    with open_event(cup, clock) as event:
        units = {"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["A TRI"], "TURKEY": ["F CON"]}
        owned = {"ITALY": ["VEN"], "AUSTRIA": ["TRI", "VIE"], "TURKEY": ["CON"]}
        at(event, "F1903M", units=units, centers=owned, dislodged=[])
        play(event, italy=["A VEN - TRI", "A TYR S A VEN - TRI"])
        assert str(find_game(event, "1").position.phase) == "F1903R"
    said = run("end", cup, "--board", "1", "--how", "time", code=3)
    assert said == (
        "1.1: the count after the Fall retreats is the result; publish Fall 1903 retreats first (NZ99 13); "
        "to end it so all the same, say why"
    )
    with open_event(cup, clock) as event:
        type_lines(event, Turn("1.1", find_game(event, "1").position.phase, Power.AUSTRIA), ["A TRI r Vie"], by="Tess")
        publish(event, "1", "Tess")
    said = run("end", cup, "--board", "1", "--how", "time")
    assert "overruled" not in said
    with open_event(cup, clock) as event:
        assert event_results(event).boards[0].centres[Power.ITALY] == 2


def test_the_moves_of_a_fall_are_not_thrown_away_for_a_retreat_that_is_still_due(tmp_path: Path) -> None:
    """Under WM an interrupted year does not count; the solo of a Fall whose moves were read out went with it."""
    cup = seated(tmp_path / "cup", tournament="weaselmoot")
    with open_event(cup, clock) as event:
        units = {"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["A TRI"]}
        at(event, "F1903M", units=units, centers={"ITALY": CENTRES, "AUSTRIA": ["TRI", "VIE"]}, dislodged=[])
        play(event, italy=["A VEN - TRI", "A TYR S A VEN - TRI"])
    due = "the moves of Fall 1903 are published and its retreats are not; publish Fall 1903 retreats first"
    said = run("end", cup, "--board", "1", "--how", "time", code=3)
    assert said == f"1.1: {due} (WM VIII.1, VIII.2); to end it so all the same, say why"
    with open_event(cup, clock) as event:
        type_lines(event, Turn("1.1", find_game(event, "1").position.phase, Power.AUSTRIA), ["A TRI r Vie"], by="Tess")
        publish(event, "1", "Tess")
        assert find_game(event, "1").ending == Ending.SOLO


def test_time_in_a_year_that_the_tournament_does_not_allow_is_refused_and_a_reason_stands_on_the_wall(
    tmp_path: Path,
) -> None:
    cup = cup_at(tmp_path, "edc1996", "W1904A")
    said = run("end", cup, "--board", "1", "--how", "time", code=3)
    assert said.startswith("1.1: the game is played to the end of 1908; 1904 is the last that is over (EDC96 10)")
    said = run("end", cup, "--board", "1", "--how", "time", "--by", "Tess", "--why", "the hall closes")
    assert "overruled  by the director's word, though the last year was not over (EDC96 10): the hall closes" in said
    with open_event(cup, clock) as event:
        fact = next(iter(read_facts(event.facts, "game ended")))
        assert fact.body["overruled"] == [{"ground": "not the last year", "rule": "EDC96 10"}]
        (board,) = event_results(event).boards
        assert [(each.rule, each.why, each.by) for each in board.overruled] == [("EDC96 10", "the hall closes", "Tess")]
        cells = values(write_standings(event).data).items()
        words = [value for (sheet, _), value in cells if sheet == "Boards" and "director's word" in str(value)]
        assert words == [
            "Ended by the director's word, though the last year was not over (EDC96 10): the hall closes (Tess)"
        ]
    told = run("standings", str(cup), "-o", str(tmp_path / "s.xlsx"))
    assert "round 1, board 1: ended by the director's word, though the last year was not over (EDC96 10)" in told


def test_what_the_rules_allow_ends_without_a_reason(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "F1906M")
    said = run("end", cup, "--board", "1", "--how", "time")
    assert "that of the last completed Fall; the year that is interrupted does not count (WM VIII.1, VIII.2)" in said
    assert "overruled" not in said
    assert "the game is over already: time" in run("end", cup, "--board", "1", "--how", "time", code=2)


def test_a_concession_is_offered_and_each_tournament_says_whether_it_is_allowed(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "nzdc1999", "W1905A")
    said = run("end", cup, "--board", "1", "--how", "conceded", code=3)
    assert "the rules do not allow conceding a game (NZ99 13)" in said
    run("end", cup, "--board", "1", "--how", "conceded", "--why", "all seven wish it")
    with open_event(cup, clock) as event:
        assert event_results(event).boards[0].ended is Ending.CONCEDED


def test_stagnation_counts_the_years_without_a_centre_changing_hands(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    with open_event(cup, clock) as event:
        units, owned = {"ITALY": ["A VEN"], "AUSTRIA": ["A VIE"]}, {"ITALY": ["VEN"], "AUSTRIA": ["VIE"]}
        at(event, "F1908M", units=units, centers=owned, dislodged=[])
        for _ in range(6):  # to the end of 1911
            play(event)
        assert str(find_game(event, "1").position.phase) == "F1911M"
    said = run("end", cup, "--board", "1", "--how", "stagnation", code=3)
    assert "3 years from 1909 on must pass without a centre changing hands, and 2 did (WM VIII.5)" in said
    with open_event(cup, clock) as event:
        play(event)
    run("end", cup, "--board", "1", "--how", "stagnation")


def test_a_year_in_which_a_centre_changed_hands_breaks_the_stagnation(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    with open_event(cup, clock) as event:
        units, owned = {"ITALY": ["A VEN"], "AUSTRIA": ["A VIE"]}, {"ITALY": ["VEN"], "AUSTRIA": ["VIE"]}
        at(event, "F1908M", units=units, centers=owned, dislodged=[])
        for lines in ([], [], [], [], ["A VEN - TRI"], [], []):
            play(event, italy=lines if str(find_game(event, "1").position.phase) == "F1910M" else [])
        play(event)
        assert str(find_game(event, "1").position.phase) == "W1911A"
    assert "and 1 did (WM VIII.5)" in run("end", cup, "--board", "1", "--how", "stagnation", code=3)


# ---- the last year --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tournament", "year", "rule"),
    [("edc2023", 1907, "EDC23 B"), ("edc1996", 1908, "EDC96 10"), ("wdc2008", 1907, "WDC08 4")],
)
def test_after_the_last_year_nobody_writes_and_the_status_says_that_the_board_is_to_be_ended(
    tmp_path: Path, tournament: str, year: int, rule: str
) -> None:
    cup = seated(tmp_path / "cup", tournament=tournament)
    with open_event(cup, clock) as event:
        units, owned = {"ITALY": ["A VEN"], "AUSTRIA": ["A VIE"]}, {"ITALY": ["VEN", "ROM"], "AUSTRIA": ["VIE"]}
        at(event, f"F{year}M", units=units, centers=owned, dislodged=[])
        assert over(event, find_game(event, "1")) is None
        play(event)
        game = find_game(event, "1")
        assert str(game.position.phase) == f"W{year}A"  # Italy could build
        board = status(event)["boards"][0]
        assert (board["powers"], board["ready"]) == ({}, False)
        assert (board["to_end"]["how"], board["to_end"]["year"], board["to_end"]["rule"]) == ("last year", year, rule)
        assert over_words(event, game) == f"{year} was the last year ({rule})"
        with pytest.raises(Stopped, match=f"{year} was the last year"):
            print_round(event, 1)
        with pytest.raises(Stopped, match=f"{year} was the last year"):
            publish(event, "1", "Tess")
        assert not list(late_sheets(event, {"1.1": game}, sheets_in(event)))
    assert f"to be ended: {year} was the last year ({rule}); end the game: end --how last-year" in run("status", cup)
    run("end", cup, "--board", "1", "--how", "last-year")
    with open_event(cup, clock) as event:
        assert status(event)["boards"][0]["to_end"] is None
        assert event_results(event).boards[0].ended is Ending.LAST_YEAR


def test_the_top_board_of_wdc08_plays_two_years_longer(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup", tournament="wdc2008")
    with open_event(cup, clock) as event:
        seat_round(event, 4, {"1": NAMES}, by="Tess", special=Special(final="1"))
        for phase, ended in (("W1907A", False), ("W1909A", True)):
            value = dict(write_position(starting_position(event.board))) | {"phase": phase}
            append_fact(event.facts, "position set", {"board": "4.1", "position": value}, "Tess")
            assert (over(event, find_game(event, "4.1")) is not None) is ended


# ---- taking an end back ----------------------------------------------------------------------------------------------


def test_an_end_is_taken_back_by_a_fact_and_the_game_goes_on(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "S1906M")
    assert "the game goes on" in run("end", cup, "--board", "1", "--undo", code=2)
    run("end", cup, "--board", "1", "--how", "time")
    assert "goes on with Spring 1906" in run("end", cup, "--board", "1", "--undo", "--by", "Tess")
    with open_event(cup, clock) as event:
        assert [fact.kind for fact in read_facts(event.facts)][-2:] == ["game ended", "end undone"]
        assert len(status(event)["boards"][0]["powers"]) == 7
        assert event_results(event).boards == ()
    assert "say --how it ended, or --undo" in run("end", cup, "--board", "1", code=2)


def test_setting_a_position_is_no_way_round_the_end_of_a_game(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "S1906M")
    run("end", cup, "--board", "1", "--how", "time")
    said = run("position", cup, "1", "--off", "A VIE", code=2)
    assert "the game is over: time; take its end back first ('end --undo')" in said


def test_no_sheet_is_ruled_on_after_the_end_of_a_game(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "S1906M")
    run("end", cup, "--board", "1", "--how", "time")
    for decision in ("accepted", "no orders", "late"):
        said = run("rule", cup, "--board", "1", "--power", "ITALY", "--sheet", decision, code=2)
        assert "the game is over (time); to correct a published phase, name it with --phase" in said


def test_an_end_on_which_the_next_round_rests_wants_a_reason_to_be_taken_back(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "S1906M")
    run("end", cup, "--board", "1", "--how", "time")
    with open_event(cup, clock) as event:
        seat_round(event, 2, {"1": NAMES}, by="Tess")
    said = run("end", cup, "--board", "1.1", "--undo", code=3)
    assert "round 2 was drawn since from standings with this result" in said
    run("end", cup, "--board", "1.1", "--undo", "--why", "the wrong board")


def test_a_correction_names_the_draw_that_rests_on_the_result_which_it_changes(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "F1905M")
    with open_event(cup, clock) as event:
        play(event, italy=["A VEN - TYR"])
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess")
        seat_round(event, 2, {"1": NAMES}, by="Tess")
    correct: list[str | Path] = ["correct", cup, "--board", "1.1", "--phase", "F1905M"]
    assert "was drawn since" not in run(*correct)
    held = ["--type", "A VEN H", "--type", "A ROM H", "--type", "F NAP H"]
    run("rule", cup, "--board", "1.1", "--power", "ITALY", "--phase", "F1905M", *held)
    assert "round 2 was drawn since from standings with this result" in run(*correct)


def test_a_typed_result_on_which_the_next_round_rests_wants_a_reason_to_be_replaced(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    enter: list[str | Path] = ["enter", cup, "result", "1.1", "time", "--year"]
    run(*enter, "1901 A5 E4 F5 G5 I5 R6 T4")
    with open_event(cup, clock) as event:
        seat_round(event, 2, {"1": NAMES}, by="Tess")
    assert "this was entered before" in run(*enter, "1901 A5 E4 F5 G5 I5 R6 T4")
    said = run(*enter, "1901 A6 E4 F5 G5 I5 R5 T4", code=3)
    assert "round 2 was drawn since from standings with this result; to enter it all the same, say why" in said
    run(*enter, "1901 A6 E4 F5 G5 I5 R5 T4", "--why", "a slip")


def test_a_solo_is_not_taken_back_while_the_centres_say_it(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    with open_event(cup, clock) as event:
        set_up_solo(event)
        play(event, italy=["A APU - ROM"])
        with pytest.raises(Stopped, match="the centre counts make it a solo; correct the phase that is wrong"):
            undo_end(event, find_game(event, "1"), by="Tess", why="no")


def set_up_solo(event: Event) -> None:
    """Italy has seventeen centres, and an army beside the eighteenth."""
    units = {"ITALY": [*(f"A {town}" for town in CENTRES), "A APU"], "AUSTRIA": ["A MOS"]}
    at(event, "F1905M", units=units, centers={"ITALY": CENTRES, "AUSTRIA": ["MOS"]}, dislodged=[])


def test_a_correction_leaves_a_game_ended_and_calls_a_solo_anew(tmp_path: Path) -> None:
    """What was published again came back to life: the game was over, and its result was gone."""
    cup = seated(tmp_path / "cup")
    with open_event(cup, clock) as event:
        at(event, "F1905M")
        play(event, italy=["A VEN - TYR"])
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess")
        fall = Turn("1.1", find_game(event, "1").played[0].phase, Power.ITALY)
        type_lines(event, fall, ["A VEN H", "A ROM H", "F NAP H"], by="Tess")
        apply_correction(
            event,
            propose_correction(event, find_game(event, "1"), "F1905M", deadline_passed=False),
            by="Tess",
            why="misread",
        )
        assert find_game(event, "1").ending == "time"
        assert len(event_results(event).boards) == 1


def test_a_correction_after_which_a_winter_is_played_before_the_end_says_that_the_game_goes_on(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "nzdc1999", "F1901M")
    with open_event(cup, clock) as event:
        play(event)
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess")
        end = find_game(event, "1").end
        assert end is not None
        assert end.phase == Phase.read("S1902M")
        fall = Turn("1.1", Phase.read("F1901M"), Power.TURKEY)
        type_lines(event, fall, ["A CON - BUL", "A SMY H", "F ANK H"], by="Tess")
    said = run("correct", cup, "--board", "1", "--phase", "F1901M", "--apply", "--why", "misread")
    assert "the game (over: time) goes on with Winter 1901 adjustments; end it anew when it is over" in said
    with open_event(cup, clock) as event:
        assert find_game(event, "1").ending is None


def test_a_correction_that_makes_or_unmakes_a_solo_is_followed(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    with open_event(cup, clock) as event:
        set_up_solo(event)
        play(event, italy=["A APU - ROM"])
        assert find_game(event, "1").ending == "solo"
        fall = find_game(event, "1").played[0].phase
        for lines, ended in ((["A APU H"], None), (["A APU - ROM"], "solo")):
            type_lines(event, Turn("1.1", fall, Power.ITALY), [*lines, *(f"A {town} H" for town in CENTRES)], by="Tess")
            proposal = propose_correction(event, find_game(event, "1"), str(fall), deadline_passed=True)
            assert (proposal.goes_on is not None) is (ended is None)
            apply_correction(event, proposal, by="Tess", why="ink")
            assert find_game(event, "1").ending == ended


def test_an_end_that_nothing_bears_out_is_found_by_check_and_doubted_by_the_standings(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1902M")
    with open_event(cup, clock) as event:
        append_fact(event.facts, "game ended", {"board": "1.1", "phase": "S1902M", "how": "solo", "why": ""}, "Tess")
        assert [doubt for doubt in scored_event(event).doubts if isinstance(doubt, SoloUnfounded)] == [
            SoloUnfounded(spot=(1, "1"))
        ]
    said = run("check", cup, code=1)
    assert "1.1: ended as solo, and a solo takes 18 centres, and nobody owns more than 4 (EDC23 C)" in said


def test_check_is_content_with_an_end_that_the_director_overruled(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1903M")
    run("end", cup, "--board", "1", "--how", "time", "--why", "the hall closes")
    assert "everything is in order" in run("check", cup)


# ---- votes ----------------------------------------------------------------------------------------------------------


def votes(cup: Path, *arguments: str, code: int = 0) -> str:
    return run("vote", cup, "--board", "1", "--by", "Tess", *arguments, code=code)


def test_an_open_veto_is_a_vote_in_edc23_and_its_asker_may_not_ask_again(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1904M")
    said = votes(cup, "--asked-by", "FRANCE", "--vetoed")  # no slips were printed, and none are needed
    assert "objected to openly: the game goes on" in said
    with open_event(cup, clock) as event:
        fact = next(iter(read_facts(event.facts, "vote held")))
        assert (fact.body["vetoed"], fact.body["carried"], fact.body["asked_by"]) == (True, False, "FRANCE")
    again = votes(cup, "--asked-by", "FRANCE", "--yes", "7", "--no", "0", code=2)
    assert "a player may ask for 1 in a game (EDC23 E)" in again
    assert "there was a vote this season (EDC23 E)" in again
    other = votes(cup, "--asked-by", "ITALY", "--yes", "7", "--no", "0", code=2)
    assert "there was a vote this season (EDC23 E)" in other


def test_a_vote_of_before_a_correction_that_brings_a_power_back_ends_nothing_and_uses_nothing_up(
    tmp_path: Path,
) -> None:
    cup = seated(tmp_path / "cup", tournament="nzdc1999")
    asked = ("--asked-by", "AUSTRIA", "--all-agree")
    with open_event(cup, clock) as event:
        units = {"ITALY": ["A VEN"], "AUSTRIA": ["A TYR", "A TRI"], "TURKEY": ["F CON"]}
        owned = {"ITALY": ["VEN"], "AUSTRIA": ["TRI", "VIE"], "TURKEY": ["CON"]}
        at(event, "F1903M", units=units, centers=owned, dislodged=[])
        play(event, austria=["A TYR - VEN", "A TRI S A TYR - VEN"])
        type_lines(event, Turn("1.1", Phase.read("F1903R"), Power.ITALY), ["A VEN D"], by="Tess")
        publish(event, "1", "Tess")
        play(event)
    assert "carried: the game is over" in votes(cup, *asked, "--yes", "2", "--no", "0")
    with open_event(cup, clock) as event:
        fall = Turn("1.1", Phase.read("F1903M"), Power.AUSTRIA)
        type_lines(event, fall, ["A TYR H", "A TRI H"], by="Tess")
    said = run("correct", cup, "--board", "1", "--phase", "F1903M", "--apply", "--why", "misread")
    assert "the game (over: vote) goes on with Spring 1904; end it anew when it is over" in said
    assert "without a vote on its end: ITALY" in said
    with open_event(cup, clock) as event, pytest.raises(Stopped, match="goes on; there is no end to take back"):
        undo_end(event, find_game(event, "1"), by="Tess")
    assert "no draw was voted on this board" in run("end", cup, "--board", "1", "--how", "vote", code=2)
    assert "expected 3 votes" in votes(cup, *asked, "--yes", "2", "--no", "0", code=2)
    assert "carried: the game is over" in votes(cup, *asked, "--yes", "3", "--no", "0")
    assert "everything is in order" in run("check", cup)
    votes(cup, "--undo")
    with open_event(cup, clock) as event:
        (first,) = votes_held(event, "1.1")
        assert first.said.yes == 2
        corrected = [fact.number for fact in event.facts.select(PhasePublished) if fact.said.why]
        with event.facts.trial():
            undo_all(event, corrected, by="Tess", why="it was right")
            assert find_game(event, "1").ending == "vote"
            assert not [each for each in check_event(event) if "vote" in each.text]
        undo_vote(event, find_game(event, "1"), by="Tess")  # the first one, which ended nothing any more
        undo_all(event, corrected, by="Tess", why="it was right")
        assert (find_game(event, "1").ending, votes_held(event, "1.1")) == (None, [])


def test_a_vote_is_taken_back_and_a_game_that_ended_otherwise_stays_over(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1904M")
    votes(cup, "--asked-by", "FRANCE", "--vetoed")
    run("end", cup, "--board", "1", "--how", "abandoned", "--why", "all have left", "--by", "Tess")
    assert "the game stays over (abandoned)" in votes(cup, "--undo")


def test_an_open_veto_in_the_first_year_is_written_down_though_no_count_could_be_the_result(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1901M")
    assert "objected to openly: the game goes on" in votes(cup, "--asked-by", "FRANCE", "--vetoed")
    again = votes(cup, "--asked-by", "FRANCE", "--yes", "7", "--no", "0", code=2)
    assert "a player may ask for 1 in a game (EDC23 E)" in again


def test_a_veto_at_the_weasel_moot_makes_it_no_vote_at_all(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "S1904M")
    votes(cup, "--asked-by", "FRANCE", "--vetoed")
    assert "not carried" in votes(cup, "--asked-by", "FRANCE", "--yes", "6", "--no", "1", "--ruled")
    assert "there was a vote this season" in votes(cup, "--asked-by", "FRANCE", "--vetoed", code=2)


def test_where_no_open_objection_counts_none_is_written_down(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "wdc2008", "S1904M")
    said = votes(cup, "--asked-by", "FRANCE", "--moment", "between phases", "--vetoed", code=2)
    assert "an open objection ends no request here" in said
    assert "WDC08 11.5" in said


def test_who_is_not_there_has_not_abandoned_the_game(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "S1904M")
    asked = ("--asked-by", "FRANCE", "--yes", "6", "--no", "0")
    assert "no vote is held without this player (WM VIII.3.c)" in votes(cup, *asked, "--absent", "1", code=2)
    assert "carried: the game is over" in votes(cup, *asked, "--gone", "1")  # he is considered to vote for it
    with open_event(cup, clock) as event:
        fact = next(iter(read_facts(event.facts, "vote held")))
        assert (fact.body["yes"], fact.body["gone"], fact.body["absent"]) == (7, 1, 0)


def test_where_the_rules_are_silent_the_director_says_how_an_absent_player_votes(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1904M")
    asked = ("--asked-by", "FRANCE", "--yes", "6", "--no", "0", "--absent", "1")
    assert "say it (--absent-votes)" in votes(cup, *asked, code=2)
    assert "not carried" in votes(cup, *asked, "--absent-votes", "no")


def test_the_moment_of_a_vote_is_the_boards_own(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "wdc2008", "W1904A")
    asked = ("--asked-by", "FRANCE", "--yes", "7", "--no", "0")
    said = votes(cup, *asked, "--moment", "between phases", code=2)
    assert (
        "Winter 1904 adjustments is open, so the board is not at 'between phases'; publish what is over first" in said
    )
    refused = votes(cup, *asked, code=2)
    held = "votes are held at the end of a phase, after retreats and adjustments"
    assert f"{held}; the board is at 'aftermath' (WDC08 11.5)" in refused


def test_in_the_adjustments_edc23_votes_again(tmp_path: Path) -> None:
    """EDC23 E: not during the reading of Fall orders and retreats, which goes on until the adjustments phase."""
    cup = cup_at(tmp_path, "edc2023", "W1904A")
    assert "carried: the game is over" in votes(cup, "--asked-by", "FRANCE", "--yes", "7", "--no", "0")


def test_a_vote_that_was_entered_wrongly_is_taken_back_with_the_end_it_made(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1904M")
    votes(cup, "--asked-by", "FRANCE", "--yes", "7", "--no", "0")
    votes(cup, "--undo")
    with open_event(cup, clock) as event:
        assert find_game(event, "1").ending is None
        assert [fact.kind for fact in read_facts(event.facts)][-2:] == ["end undone", "vote undone"]
    assert "not carried" in votes(cup, "--asked-by", "FRANCE", "--yes", "6", "--no", "1")
    votes(cup, "--undo")
    assert "carried: the game is over" in votes(cup, "--asked-by", "FRANCE", "--yes", "7", "--no", "0")
    assert "goes on" in run("end", cup, "--board", "1", "--undo")  # takes the vote back too
    assert "no vote was held" in votes(cup, "--undo", code=2)


@pytest.mark.parametrize(
    ("tournament", "rule"),
    [("nzdc1999", "NZ99 13"), ("weaselmoot", "WM VIII.2.a, VIII.3.c"), ("wdc2008", "WDC08 11.5")],
)
def test_who_is_eliminated_asks_for_no_vote(tmp_path: Path, tournament: str, rule: str) -> None:
    cup = seated(tmp_path / "cup", tournament=tournament)
    with open_event(cup, clock) as event:
        start = starting_position(event.board)
        owned = {str(power): list(start.centres[power]) for power in Power if power is not Power.TURKEY}
        at(event, "S1905M", centers=owned)
    asked = ("--yes", "6", "--no", "0", "--all-agree")
    moment = ("--moment", "between phases") if tournament == "wdc2008" else ()
    said = votes(cup, "--asked-by", "TURKEY", *asked, *moment, code=2)
    assert f"who asks for the vote has no centre any more ({rule})" in said
    assert "carried: the game is over" in votes(cup, "--asked-by", "FRANCE", *asked, *moment)


def test_where_the_rules_do_not_say_who_asks_the_director_does(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup", tournament="edc2023")
    with open_event(cup, clock) as event:
        at(event, "S1905M", centers={"FRANCE": ["PAR"], "ITALY": ["ROM"]}, units={"FRANCE": ["A PAR"]})
    asked = ("--asked-by", "TURKEY", "--yes", "2", "--no", "0")
    assert "may a player without a centre ask for a vote? (EDC23 E)" in votes(cup, *asked, code=2)
    assert "carried: the game is over" in votes(cup, *asked, "--ruled")


def test_a_newcomer_at_a_seat_has_asked_for_no_vote(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1904M")
    votes(cup, "--asked-by", "FRANCE", "--yes", "6", "--no", "1")
    with open_event(cup, clock) as event:
        at(event, "F1904M")
        body = {"board": "1.1", "power": "FRANCE", "phase": "F1904M", "player": 1, "before": 3, "why": ""}
        append_fact(event.facts, "player replaced", body, "Tess")
    assert "carried" in votes(cup, "--asked-by", "FRANCE", "--yes", "7", "--no", "0")


def test_a_vote_and_its_count_say_the_same_by_both_ways(tmp_path: Path) -> None:
    """The ballots of the browser and the count of the command write the same fact."""
    bodies = []
    for number in (1, 2):
        cup = cup_at(tmp_path / str(number), "edc2023", "S1904M")
        with open_event(cup, clock) as event:
            game, asking, says = find_game(event, "1"), Asking(power=Power.ITALY, moment=Moment.NEGOTIATION), Says()
            ballots = dict.fromkeys(Power, Ballot.YES) | {Power.TURKEY: Ballot.NO}
            if number == 1:
                fact = hold_vote(event, game, asking, ballots, says, by="Tess")
            else:
                fact = hold_counted(event, game, asking, Count(yes=6, no=1), says, by="Tess")
            bodies.append(json.dumps(body_of(fact.said), sort_keys=True))
    assert bodies[0] == bodies[1]


def test_a_veto_against_a_vote_that_the_rules_forbid_anyway_is_not_written_down(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc2023", "S1907M")
    with open_event(cup, clock) as event, pytest.raises(Stopped, match="no votes in the last year"):
        record_veto(event, find_game(event, "1"), Asking(power=Power.ITALY), Says(), by="Tess")


def test_a_solo_is_in_the_same_transaction_as_its_phase_and_one_that_is_not_called_is_found(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        set_up_solo(event)
        play(event, italy=["A APU - ROM"])
        facts = list(read_facts(event.facts))
    assert [fact.kind for fact in facts[-2:]] == ["published", "game ended"]
    cup = seated(tmp_path / "uncalled")
    with open_event(cup, clock) as event:
        for fact in facts[event.facts.last_number() : -1]:
            append_fact(event.facts, fact.kind, fact.body, fact.by)
        assert find_game(event, "1").ending is None
    assert "1.1: solo" in run("check", str(cup), code=1)


def test_what_stands_against_ending_several_games_names_the_board_of_each(tmp_path: Path) -> None:
    with open_event(drawn(tmp_path / "moot", tournament="edc2023"), clock) as event:
        boards = [find_game(event, name) for name in ("1.1", "1.2")]
        with pytest.raises(Stopped) as refused:
            end_games(event, boards, Ending.TIME, by="Tess", why="")
        assert {problem.text.partition(":")[0] for problem in refused.value.problems} == {"board 1.1", "board 1.2"}
        end_games(event, boards, Ending.TIME, by="Tess", why="the hall closes")
        with pytest.raises(Stopped, match=r"board 1\.1: the game is over already: time.*board 1\.2: the game is over"):
            end_games(event, [find_game(event, each.name) for each in boards], Ending.TIME, by="Tess", why="again")
