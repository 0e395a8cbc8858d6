"""Results are interim until the director publishes them as final (WM XI.4), and stand from then on."""

import csv
from io import BytesIO
from pathlib import Path

import pytest
from commands import run
from facts_as_kept import append_fact
from openpyxl import load_workbook
from web.conftest import SEATS, Browser

from desk.beginnings import copied
from desk.cup import NAMES, clock
from pipeline.board import starting_position
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.event.ending import event_over_since, final_results
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.players import tell_seats
from pipeline.desk.publish.public_record import public_record
from pipeline.desk.results.early_end import describe_early_end, scored_if_ended
from pipeline.desk.results.final_results import publish_results
from pipeline.desk.results.notes import enter_note, notes_in_force, take_note_back
from pipeline.desk.results.results import scored_event
from pipeline.desk.results.standings_workbook import write_standings, write_wall
from pipeline.draw.roster import Player
from pipeline.journal.acts import undo_fact
from pipeline.journal.lines import journal
from pipeline.ledger.events import ResultEntered
from pipeline.ledger.ledger import standing
from pipeline.orders import write_position
from pipeline.problems import Stopped
from pipeline.scoring.doubts import LastSeatsOpen
from pipeline.scoring.standings_in_words import amended_places, places_shown
from pipeline.web.server import open_office
from pipeline.words.speech import sentence

MOMENTS = '\n[interim]\nuntil = { value = "published", rule = "WM XI.4" }\nmoments = [1, "2:1903"]\n'


def cup_of(folder: Path, rounds: int = 3, tournament: str = "weaselmoot") -> Path:
    return copied(seat_rounds, folder / "cup", tournament, rounds)


def seat_rounds(folder: Path, tournament: str, rounds: int) -> None:
    """One board in each round, the powers the same."""
    make_event_folder(
        folder, Details(name="Moot", code="TEST", tournament=tournament), list(map(player, NAMES.values())), clock
    )
    with open_event(folder, clock) as event:
        for number in range(1, rounds + 1):
            seat_round(event, number, {"1": NAMES}, by="Tess")


def player(name: str) -> Player:
    return Player(name=name)


def result(event: Event, number: int, *years: str, why: str = "upstairs") -> None:
    values = {"board": f"{number}.1", "ended": "time", "years": "\n".join(years)}
    enter_note(event, "result", values, by="Tess", why=why)


def all_over(event: Event) -> None:
    """Three rounds, the same result in each."""
    for number in (1, 2, 3):
        result(event, number, "1907 A10 E7 F6 G4 I4 R2 T1")


def test_final_are_results_of_an_event_that_is_over_and_has_nothing_in_doubt(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path), clock) as event:
        result(event, 1, "1907 A10 E7 F6 G4 I4 R2 T1")
        with pytest.raises(
            Stopped,
            match="the event is during round 3 of 3, round 2 going on, interim; results are final when it is over",
        ):
            publish_results(event, by="Tess")
        for number in (2, 3):
            result(event, number, "1907 A10 E7 F6 G4 I4 R2 T1")
        assert str(scored_event(event).progress) == "after round 3 of 3, interim"
        fact = publish_results(event, by="Tess", why="all looked at it")
        assert fact.said.places[0][:2] == ("1", 1)
        assert str(scored_event(event).progress) == "after round 3 of 3, final"
        assert publish_results(event, by="Tess") == fact, "nothing new is written down"
        assert "the results were published as final" in {sentence(line.what) for line in journal(event)}


def test_an_event_that_ends_before_its_last_round_is_over_with_the_games_that_were_played(tmp_path: Path) -> None:
    """The hall is closed after round 2 of 3: nothing is edited in the rules, and everything can be taken back."""
    cup = cup_of(tmp_path, rounds=2)
    with open_event(cup, clock) as event:
        result(event, 1, "1907 A10 E7 F6 G4 I4 R2 T1")
        with pytest.raises(Stopped, match=r"board 2\.1: this game goes on; end it first"):
            enter_note(event, "early-end", {}, by="Tess", why="storm")
        result(event, 2, "1907 A10 E7 F6 G4 I4 R2 T1")
        would = places_shown(scored_if_ended(event))
        assert describe_early_end(event) == ("round 3 is not played. From best to worst: ×1, ×1 (WM XII).",)
    told = run("enter", cup, "early-end", "--why", "storm")
    assert "round 3 is not played" in told
    assert "it is in force already, as number" in run("enter", cup, "early-end", "--why", "storm")
    with open_event(cup, clock) as event:
        assert str(scored_event(event).progress) == "after round 2 of 3, ended early, interim"
        assert places_shown(scored_event(event)) == would
        with pytest.raises(Stopped, match=r"the event ended after round 2; take that note \(number \d+\) back first"):
            draw_round(event, Request(round=3, seed=1))
        with pytest.raises(Stopped, match=r"ended after round 2 \(number \d+ of the journal\); take that back before"):
            enter_note(event, "early-end", {}, by="Tess", why="flood")
        publish_results(event, by="Tess", why="agreed")
        assert "final" in str(scored_event(event).progress)
        (note,) = (each for each in notes_in_force(event) if each.fact.said.KIND == "event ended early")
        early = note.fact.number
        for take_back in (take_note_back, undo_fact):
            with pytest.raises(Stopped, match="published as final"):
                take_back(event, early, by="Tess")
        take_note_back(event, early, by="Tess", why="the hall is open again")
        assert str(scored_event(event).progress) == "after round 2 of 3, interim"
        seat_round(event, 3, {"1": NAMES}, by="Tess")
        result(event, 3, "1907 A10 E7 F6 G4 I4 R2 T1")
        assert final_results(event) is None  # what was published before round 3 is not its result
        assert list(event_over_since(event, 0)) == [], "and nobody is asked about it"
        assert "interim" in str(scored_event(event).progress)


def test_a_result_that_is_entered_anew_was_not_published(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path), clock) as event:
        all_over(event)
        publish_results(event, by="Tess", why="agreed")
        newest = standing(event.facts, ResultEntered)[-1].number
        undo_fact(event, newest, by="Tess", why="another board")
        result(event, 3, "1907 A1 E16 F6 G4 I4 R2 T1")
        assert final_results(event) is None
        assert "interim" in str(scored_event(event).progress)


@pytest.mark.parametrize(
    ("tournament", "played", "said"),
    [
        ("edc2023", 3, "the final table (EDC23 B): round 4 is not played"),
        ("edc2023", 3, "the bonus for preregistration (EDC23 D3, G): round 4 is not played"),
        ("edc1996", 3, "who qualifies for the final table (EDC96 scoring of the tournament): round 4 is not played"),
        ("nzdc1999", 2, "the scores of teams (NZ99 26): round 3 is not played"),
        ("wdc2008", 3, "Without a final table the places are those of the totals"),
    ],
)
def test_what_the_rules_say_of_a_round_that_is_not_played_is_told_before(
    tmp_path: Path, tournament: str, played: int, said: str
) -> None:
    with open_event(cup_of(tmp_path, rounds=played, tournament=tournament), clock) as event:
        for number in range(1, played + 1):
            result(event, number, "1907 A10 E7 F6 G4 I4 R2 T1")
        assert said in describe_early_end(event)
        scored = scored_if_ended(event)
        assert scored.progress.is_over and not scored.standings.champions
        assert not any(isinstance(doubt, LastSeatsOpen) for doubt in scored.doubts)


def test_where_the_rules_do_not_speak_of_it_nothing_is_published_as_final(tmp_path: Path) -> None:
    missing = pytest.raises(Stopped, match=r"write the table \[interim\] into your rules")
    with open_event(cup_of(tmp_path, tournament="nzdc1999"), clock) as event, missing:
        publish_results(event, by="Tess")


def test_an_error_found_before_amends_the_places_and_one_found_later_is_told(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path), clock) as event:
        all_over(event)
        result(event, 3, "1907 A7 E10 F6 G4 I4 R2 T1", why="the sheet was misread")
        publish_results(event, by="Tess", why="as read")
        assert not amended_places(scored_event(event))
        result(event, 3, "1907 A1 E10 F6 G4 I4 R2 T7", why="and this, too")
        told = amended_places(scored_event(event))
        assert any(line.startswith("Ada: published as final on ") and "worked out now: place" in line for line in told)
        assert told[0] in front(BytesIO(write_standings(event).data))
        wall = front(BytesIO(write_wall(event, as_pdf=False)))
        assert "The results that were published as final stand; they differ for Ada" in wall
        with pytest.raises(Stopped, match=r"they were published as final on .*; to publish others, say why"):
            publish_results(event, by="Tess")
        publish_results(event, by="Tess", why="all agreed")
        assert not amended_places(scored_event(event))


def test_what_is_entered_after_results_were_published_as_final_wants_a_reason_at_every_door(tmp_path: Path) -> None:
    cup, lot = cup_of(tmp_path), {"players": "Ada\nBo"}
    asked = r"published as final before \(number \d+\); to enter it all the same, say why"
    with open_event(cup, clock) as event:
        all_over(event)
        known = enter_note(event, "lot", {"players": "Cem\nDag"}, by="Tess")
        publish_results(event, by="Tess", why="all looked at it")
        assert enter_note(event, "lot", {"players": "Cem\nDag"}, by="Tess") == known, "what stands already asks nothing"
        for what, typed in (("lot", lot), ("preregistered", {"player": "Ada", "rounds": "1 2 3"})):
            with pytest.raises(Stopped, match=asked):
                enter_note(event, what, typed, by="Tess")
        newest = event.facts.newest()
    assert "to enter it all the same, say why" in run("enter", cup, "lot", "Ada", "Bo", code=3)
    with open_office(cup, SEATS) as opened:
        tess = Browser(opened, "Tess")
        answer = tess.client.post(
            "/api/notes/enter", json={"what": "lot", "values": lot}, headers={"X-Token": tess.token}
        )
        assert "published as final before" in answer.text, answer.text
        assert opened.office.event.facts.newest() == newest
        enter_note(opened.office.event, "lot", lot, by="Tess", why="drawn again")


def test_results_that_come_in_after_an_early_end_ask_nothing_twice(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path, rounds=2), clock) as event:
        for number in (1, 2):
            result(event, number, "1907 A10 E7 F6 G4 I4 R2 T1")
        enter_note(event, "early-end", {}, by="Tess", why="storm")
        enter_note(event, "lot", {"players": "Ada\nBo"}, by="Tess")


def front(path: Path | BytesIO) -> str:
    sheet = load_workbook(path)["Standings"]
    return " | ".join(str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value)


def test_the_command_writes_the_standings_of_a_moment_and_marks_them(tmp_path: Path) -> None:
    cup, book = cup_of(tmp_path), tmp_path / "s.xlsx"
    with open_event(cup, clock) as event:
        result(event, 1, "1907 A10 E7 F6 G4 I4 R2 T1")
        result(event, 2, "1903 A5 E5 F5 G5 I5 R5 T4", "1907 A1 E7 F6 G4 I4 R2 T10")
    run("standings", cup, "-o", book, "--at", "1")
    assert "Standings after round 1 of 3, interim" in front(book)
    run("standings", cup, "-o", tmp_path / "s.csv", "--at", "1")
    run("standings", cup, "-o", book, "--at", "2:1903")
    assert "Standings during round 2 of 3, after Fall 1903, interim" in front(book)
    assert "Interim results: an error that is found is corrected, until the director publishes them" in front(book)
    run("standings", cup, "-o", book, "--wall", "--at", "2:1903")
    assert "During round 2 of 3, after Fall 1903, interim" in front(book)
    assert "Interim results: an error that is found is corrected, until the director publishes them" in front(book)
    with (tmp_path / "s.csv").open(encoding="utf-8-sig") as file:
        assert len(list(csv.reader(file))) == 8
    for wrong, said in {
        "3": "3 has not come: some of its boards are not that far",
        "3:1901": "3:1901 has not come",
        "soon": "expected a round, such as 2, or a round and a year, such as '3:1904', found 'soon'; or 'rules'",
        "3:1066": "--at: expected 1901 to",
        "rules": "the rules name none (interim.moments)",
    }.items():
        assert said in run("standings", cup, "-o", book, "--at", wrong, code=2)
    assert "--at says by itself which games count" in run(
        "standings", cup, "-o", book, "--at", "1", "--running", code=2
    )


def test_results_are_not_final_where_the_file_that_says_so_cannot_be_written(tmp_path: Path) -> None:
    cup = cup_of(tmp_path)
    with open_event(cup, clock) as event:
        all_over(event)
    run("standings", cup, "-o", tmp_path / "nowhere" / "final.xlsx", "--final", "--why", "looked at", code=4)
    with open_event(cup, clock) as event:
        assert str(scored_event(event).progress) == "after round 3 of 3, interim"


def test_the_command_and_the_page_publish_the_results_as_final(tmp_path: Path) -> None:
    cup, book = cup_of(tmp_path), tmp_path / "s.xlsx"
    with open_event(cup, clock) as event:
        all_over(event)
    assert "the results are final" in run("standings", cup, "-o", book, "--final", "--why", "looked at")
    assert "Standings after round 3 of 3, final" in front(book)
    with open_office(cup, SEATS) as opened:
        tess = Browser(opened, "Tess")
        shown = tess.client.get("/api/tables").json()
        assert (bool(shown["final"]["at"]), shown["standings_after"]) == (True, "after round 3 of 3, final")
        answer = tess.client.post("/api/tables/final", json={"why": "again"}, headers={"X-Token": tess.token})
        assert answer.status_code == 200
        anna = Browser(opened, "Anna")
        assert anna.client.post("/api/tables/final", json={}, headers={"X-Token": anna.token}).status_code == 403


def test_results_that_somebody_has_changed_since_the_page_was_shown_are_not_published_as_final(tmp_path: Path) -> None:
    cup = cup_of(tmp_path)
    with open_event(cup, clock) as event:
        all_over(event)
    with open_office(cup, SEATS) as opened:
        tess = Browser(opened, "Tess")
        shown = tess.client.get("/api/tables").json()["shown"]
        penalty = {"player": "Ada", "kind": "conduct", "points": "90"}
        enter_note(opened.office.event, "penalty", penalty, by="Anna", why="fought")
        said = {"why": "looked at it", "shown": shown}
        answer = tess.client.post("/api/tables/final", json=said, headers={"X-Token": tess.token})
        assert answer.status_code == 409, answer.text
        (changed,) = answer.json()["changed"]
        assert changed["was"][0].startswith("1. Ada: ")
        assert not changed["now"][0].startswith("1. Ada: ")
        assert final_results(opened.office.event) is None


def test_players_see_the_standings_of_the_moments_that_the_rules_name_and_no_others(tmp_path: Path) -> None:
    cup = cup_of(tmp_path)
    rules = cup / "rules.toml"
    text = (Path(__file__).parents[3] / "templates/rules/weaselmoot.toml").read_text("utf-8")
    rules.write_text(text[: text.index("[interim]")] + MOMENTS, "utf-8")
    file = cup / "event.toml"
    file.write_text(file.read_text("utf-8").replace('tournament = "weaselmoot"', 'tournament = "rules.toml"'), "utf-8")

    def seen(event: Event) -> tuple[str, int]:
        places = public_record(event, games(event), are_open=True).places
        assert places is not None
        assert places.now == ()
        return places.after, len(places.rows)

    with open_event(cup, clock) as event:
        assert seen(event) == ("before round 1 of 3, interim", 0)
        result(event, 1, "1907 A10 E7 F6 G4 I4 R2 T1")
        assert seen(event) == ("after round 1 of 3, interim", 7)
        result(event, 2, "1903 A5 E5 F5 G5 I5 R5 T4", "1907 A1 E7 F6 G4 I4 R2 T10")
        assert seen(event) == ("during round 2 of 3, after Fall 1903, interim", 7)
        result(event, 3, "1907 A10 E7 F6 G4 I4 R2 T1")
        assert seen(event) == ("after round 3 of 3, interim", 7), "the event is over"


def test_players_see_how_it_stands_where_the_rules_name_no_moments(tmp_path: Path) -> None:
    with open_event(cup_of(tmp_path), clock) as event:
        tell_seats(event, 1, by="Tess")
        value = dict(write_position(starting_position(event.board))) | {"phase": "S1902M"}
        append_fact(event.facts, "position set", {"board": "1.1", "position": value}, "Tess")
        places = public_record(event, games(event), are_open=True).places
        assert places is not None
        assert (len(places.rows), len(places.now)) == (0, 7)
