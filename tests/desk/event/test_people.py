"""Players have numbers: who is renamed keeps all that is his, old facts are read, and nobody is split in two."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import run
from facts_as_kept import read_facts

from desk.cup import NAMES, clock, seated
from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk import players
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game, seatings
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import tables_of
from pipeline.desk.event.seating import seat_round
from pipeline.desk.results.results import scored_event
from pipeline.draw.field import RoundDecisions
from pipeline.draw.roster import Player
from pipeline.ledger.ledger import Ledger
from pipeline.problems import Stopped
from pipeline.scoring.results import Ending


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    return seated(tmp_path / "cup")


def edit(cup: Path, old: str, new: str) -> None:
    """Edit the event's file by hand."""
    path = cup / "event.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def standings(cup: Path) -> list[str]:
    """End the game if nobody has, and name everybody in the standings."""
    with open_event(cup, clock) as event:
        if not find_game(event, "1").ending:
            end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="the test says so")
        return sorted(row.player for row in scored_event(event).standings.rows)


def test_a_new_event_numbers_its_players_in_the_order_of_the_roster(cup: Path) -> None:
    with open_event(cup, clock) as event:
        assert [(player.number, player.name) for player in event.players] == list(enumerate(NAMES.values(), start=1))
        body = next(iter(read_facts(event.facts, "seated"))).body
        assert body["boards"][0]["players"] == {str(power): number for number, power in enumerate(NAMES, start=1)}
        assert body["names"] == {str(number): name for number, name in enumerate(NAMES.values(), start=1)}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Emily Clarke UK", "behind the name the country 'UK', it seems; is the name 'Emily Clarke'?"),
        ("Ada and Ben Lund", "two names, it seems; add each of them alone: Ada Lund, Ben Lund"),
        ("TBA", "stands for a player to come"),
    ],
)
def test_who_is_added_by_what_looks_like_no_name_is_asked_about(name: str, told: str, cup: Path) -> None:
    assert f"{name!r}: {told}; --sure takes it as it stands" in run("players", cup, "--add", name, code=2)
    assert f"{name} is player" in run("players", cup, "--add", name, "--sure")


def test_a_name_changed_by_hand_in_the_file_is_a_rename(cup: Path) -> None:
    with open_event(cup, clock) as event:
        before = seatings(event)["1.1"].players[Power.FRANCE]
    edit(cup, 'name = "Cem"', 'name = "Cem Yıldız"')
    with open_event(cup, clock) as event:
        assert (before, seatings(event)["1.1"].players[Power.FRANCE]) == ("Cem", "Cem Yıldız")
    assert standings(cup) == sorted(["Cem Yıldız", *(name for name in NAMES.values() if name != "Cem")])


def test_who_has_played_is_not_taken_out_of_the_file_in_silence(cup: Path) -> None:
    edit(cup, 'name = "Cem"\nnumber = 3\n', 'name = "Zoe"\n')
    said = run("status", cup, code=2)
    assert "round 1: 'Cem' is no longer on the roster; put the entry back into event.toml with number = 3" in said
    assert "players EVENT --rename 'Cem'" in said
    assert "Zoe" in run("players", cup)  # the list still shows who there is
    assert "Cem is now Zoe" in run("players", cup, "--rename", "Cem", "Zoe")
    with open_event(cup, clock) as event:
        assert seatings(event)["1.1"].players[Power.FRANCE] == "Zoe"
        assert len(event.players) == 7


@pytest.mark.parametrize(
    ("name", "number", "change"),
    [("Zoe", 8, ('name = "Gil"', 'name = "Zoe"\nnumber = 8\n\n[[players]]\nname = "Gil"')),
     ("Ada", 1, ('name = "Ada"\nnumber = 1\n', 'name = "Ada"\n'))],
    ids=["in the file", "in facts"],
)  # fmt: skip
def test_who_has_another_number_is_nobody_else_unless_the_file_says_so(
    name: str, number: int, change: tuple[str, str], cup: Path
) -> None:
    edit(cup, 'name = "Cem"\nnumber = 3\n', 'name = "Hal"\n')
    edit(cup, *change)
    said = run("players", cup, "--rename", "Cem", name, code=2)
    assert f"'{name}' is player {number}, and 'Cem' was player 3" in said
    assert f"write number = 3 into the entry of '{name}'" in said


def test_a_rename_by_command_holds_for_all_that_was_and_the_file_may_stay_as_it_is(cup: Path) -> None:
    run("players", cup, "--rename", "Cem", "Cem Yıldız", "--by", "Tess", "--why", "married")
    run("players", cup, "--rename", "Cem Yıldız", "Cemal")
    assert 'name = "Cem"' in (cup / "event.toml").read_text("utf-8")
    found = json.loads(run("players", cup, "--json"))
    cem = next(each for each in found if each["number"] == 3)
    assert (cem["name"], cem["once"], cem["boards"]) == ("Cemal", ["Cem", "Cem Yıldız"], ["1.1 FRANCE"])
    assert "Cemal" in standings(cup)
    assert "Cemal: place" in run("explain", cup, "cem")
    edit(cup, 'name = "Cem"', 'name = "Cem Y."')  # the file is the newer word now
    assert "Cem Y." in standings(cup)


def test_all_who_are_unknown_are_told_at_once(cup: Path) -> None:
    edit(cup, 'name = "Cem"\nnumber = 3', 'name = "Cim"\nnumber = 8')
    edit(cup, 'name = "Bo"\nnumber = 2', 'name = "Bob"\nnumber = 9')
    said = run("status", cup, code=2)
    assert said.count("is no longer on the roster") == 2


def test_a_name_is_never_given_to_two_people(cup: Path) -> None:
    run("players", cup, "--rename", "Cem", "Cemal")
    for arguments in (["--rename", "Bo", "ada"], ["--add", "Cem"], ["--add", "bo"], ["--rename", "Bo", "Cem"]):
        assert "add an initial" in run("players", cup, *arguments, code=2)
    assert "nobody on the roster is called 'Cen'" in run("players", cup, "--rename", "Cen", "X", code=2)
    edit(cup, 'name = "Bo"', 'name = "Cem"')  # what the file said of another, who is called Cemal now
    edit(cup, 'name = "Cem"\nnumber = 3', 'name = "Cemal"\nnumber = 3')
    assert "player 2 has the former name of player 3, now 'Cemal'" in run("status", cup, code=2)


def test_a_number_stands_once_and_is_never_given_again(cup: Path) -> None:
    edit(cup, "number = 3", "number = 2")
    assert "number 2 stands twice, for 'Bo' and 'Cem'" in run("players", cup, code=2)
    edit(cup, 'name = "Cem"\nnumber = 2', 'name = "Cem"\nnumber = 3')
    run("players", cup, "--add", "Hal", "--distance", "0")
    edit(cup, 'name = "Gil"\nnumber = 7\n', 'name = "Gil"\nnumber = 7\n\n[[players]]\nname = "Ivy"\n')
    found = {each["name"]: each["number"] for each in json.loads(run("players", cup, "--json"))}
    assert (found["Hal"], found["Ivy"]) == (8, 9)
    assert "Jo is player 10" in run("players", cup, "--add", "Jo")
    with open_event(cup, clock) as event:
        assert next(player for player in event.players if player.name == "Hal").distance_km == 0
        seat_round(event, 2, {"1": NAMES | {Power.FRANCE: "Ivy"}}, by="Tess")
        assert seatings(event)["2.1"].players[Power.FRANCE] == "Ivy"
    assert {each["name"]: each["number"] for each in json.loads(run("players", cup, "--json"))}["Ivy"] == 9


def test_who_was_written_into_the_file_keeps_his_number_when_others_follow(cup: Path) -> None:
    text = (cup / "event.toml").read_text("utf-8")
    (cup / "event.toml").write_text(text + '\n[[players]]\nname = "Ivy"\n', "utf-8")
    with open_event(cup, clock) as event:
        seat_round(event, 2, {"1": NAMES | {Power.FRANCE: "Ivy"}}, by="Tess")
    edit(cup, '[[players]]\nname = "Ivy"', '[[players]]\nname = "Hal"\n\n[[players]]\nname = "Ivy"')
    with open_event(cup, clock) as event:
        assert {player.name: player.number for player in event.players if player.number > 7} == {"Ivy": 8, "Hal": 9}  # type: ignore[operator]  # everybody has one


@pytest.mark.parametrize(("name", "number"), [("Ivy", ""), ("Ivy", "number = 8\n"), ("Ivy Ek", "number = 8\n")])
def test_who_came_by_command_and_is_then_written_into_the_file_is_one_player(cup: Path, name: str, number: str) -> None:
    run("players", cup, "--add", "Ivy", "--by", "Tess")
    text = (cup / "event.toml").read_text("utf-8")
    (cup / "event.toml").write_text(f'{text}\n[[players]]\nname = "{name}"\n{number}', "utf-8")
    with open_event(cup, clock) as event:
        assert [(player.name, player.number) for player in event.players][7:] == [(name, 8)]


def test_who_has_left_is_drawn_no_more_until_he_is_back(tmp_path: Path) -> None:
    details = Details(name="X", code="ABCD", tournament="weaselmoot")
    players = [Player(name=f"P{number}") for number in range(1, 9)]
    make_event_folder(tmp_path / "cup", details, players, clock)
    run("players", tmp_path / "cup", "--left", "P3", "--why", "the last train")
    assert "'P3' has left already" in run("players", tmp_path / "cup", "--left", "P3", code=2)

    def here(event: Event) -> set[str]:
        drawn = draw_round(event, Request(round=1, seed=1, decisions=RoundDecisions()))
        return {name for board in drawn.boards.values() for name in board.values()}

    with open_event(tmp_path / "cup", clock) as event:
        assert here(event) == {player.name for player in players} - {"P3"}
    run("players", tmp_path / "cup", "--back", "P3")
    run("players", tmp_path / "cup", "--left", "P4")
    with open_event(tmp_path / "cup", clock) as event:
        assert here(event) == {player.name for player in players} - {"P4"}


def test_who_leaves_a_game_is_told_the_rule_of_the_tournament(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup", tournament="edc1996")
    said = run("players", str(cup), "--left", "Cem")
    assert "and is excluded: left board 1.1 before its end (EDC96 12)" in said
    with open_event(cup, clock) as event:
        end_game(event, find_game(event, "1.1"), Ending.ABANDONED, by="Tess", why="all went home")
    said = run("players", str(cup), "--left", "Dag")
    assert "is excluded" not in said, "his game was over"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(("Ada Lund", "Lund, Ada"), ("Björn Ek", "Bjorn Ek"), ("Björn Ek", "EK,  bjorn"), ("Jo O’Neill", "jo oneill")),
        *(("Ada Lund", "\u0410d\u0430 Lund"), ("Eva Kor", "\u0395va \u041aor")),  # Cyrillic and Greek letters
    ],
)
def test_a_name_that_is_on_the_list_otherwise_written_is_no_new_player(tmp_path: Path, first: str, second: str) -> None:
    cup = seated(tmp_path / "cup")
    with open_event(cup, clock) as event:
        players.add_player(event, first, {}, by="Tess")
        count = len(event.people.players)
        with pytest.raises(Stopped, match=f"is that {first}, who is on the list. .*initial"):
            players.add_player(event, second, {}, by="Tess")
        with pytest.raises(Stopped, match=f"is that {first}, who is on the list"):
            players.rename(event, "Cem", second, by="Tess")
        players.rename(event, first, second, by="Tess")  # his own name may be written otherwise
        with pytest.raises(Stopped, match="is that"):
            players.add_player(event, first, {}, by="Tess")
        assert len(event.people.players) == count
    said = CliRunner().invoke(group, ["players", str(cup), "--add", first])
    assert isinstance(said.exception, Stopped)
    assert CliRunner().invoke(group, ["players", str(cup), "--add", f"{first.replace(' ', ' Q. ')}"]).exit_code == 0


def test_a_family_name_that_is_typed_first_is_turned_as_in_a_list_of_players(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    assert "Ada Lund is player 8" in run("players", cup, "--add", " Lund,  Ada")
    assert "Cem is now Jos\u00e9 Ek" in run("players", cup, "--rename", "Cem", "Ek, Jose\u0301")
    run("players", cup, "--add", "Lee Ek, Jr.")
    with open_event(cup, clock) as event:
        names = {player.name: player.family_name for player in event.people.players}
    assert {"Ada Lund", "Jos\u00e9 Ek", "Lee Ek, Jr."} <= set(names)
    assert names["Ada Lund"] == "Lund"


def test_two_commands_at_once_give_two_people_two_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, real = seated(tmp_path / "cup"), tables_of

    def add(name: str) -> None:
        with open_event(folder, clock) as event:
            players.add_player(event, name, {}, by="Tess")

    other = threading.Thread(target=add, args=("Hal",))

    def looks(facts: Ledger) -> Any:
        if other.ident is None:
            other.start()
            other.join(0.5)
        return real(facts)

    monkeypatch.setattr(players, "tables_of", looks)
    add("Ivy")
    other.join()
    with open_event(folder, clock) as event:
        numbers = [player.number for player in event.players]
    assert len(set(numbers)) == len(numbers) == 9


def test_what_the_file_says_counts_once_it_is_read_again(cup: Path) -> None:
    with open_event(cup, clock) as event:
        first = event.people.names[0]
        edit(cup, f'name = "{first}"', f'name = "{first}"\nclub = "Owls"')
        assert not any(player.club for player in event.people.players)
        event.read_file()
        assert [player.club for player in event.people.players if player.name == first] == ["Owls"]
