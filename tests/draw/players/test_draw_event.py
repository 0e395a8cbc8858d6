"""Rounds of an event drawn one after another: what is kept, who comes and goes, and the final table."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from desk.beginnings import copied
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace

from draw.draw_room import POWERS, begun, clock, event_of, names, play, seated
from pipeline.board import Power
from pipeline.cli.draw import draw_command
from pipeline.cli.standings import standings_command
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import boards_in_play, draw_round
from pipeline.desk.drawn_round import Drawn
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import games, seated_rounds, seatings
from pipeline.desk.event.lots import lots
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import scored_event
from pipeline.draw.field import RoundDecisions
from pipeline.draw.offers import OfferWay
from pipeline.draw.roster import Player
from pipeline.draw.task import Answers
from pipeline.ledger.ledger import body_of
from pipeline.problems import Stopped
from pipeline.rules.tournament import Aim, Wish
from pipeline.scoring.results import Ending

HOSTILE = ("=Fox()", "O'Neill; DROP", "Zoë d'Œuvre", "李 小龍", "a=b=FRANCE", "-Ann", "x" * 200)


SILENT = Answers(  # what the rules of WDC08 leave open and those of EDC96 too, or is wanted in every round
    wishes={
        Aim.SAME_POWER_ONCE: Wish.MUST,
        Aim.NEW_OPPONENTS: Wish.SHOULD,
        Aim.TRIOS_APART: Wish.NO,
        Aim.BEST_TOGETHER: Wish.NO,
    },
    has_limit=True,
)


def crowd(count: int) -> list[Player]:
    return [Player(name=name) for name in names(count)]


def bodies(drawn: Drawn) -> list[str]:
    return sorted(name for board in drawn.boards.values() for name in board.values())


def kept(event: Event, number: int) -> dict[str, Any]:
    return body_of(seated_rounds(event)[number].said)


def test_a_draw_is_kept_with_its_seed_and_can_be_made_again(tmp_path: Path) -> None:
    with event_of(tmp_path, "weaselmoot", crowd(21)) as event:
        first = seated(event, 1, seed=5)
        second = seated(event, 2, seed=6)
        assert replace(draw_round(event, Request(round=1, seed=5)), as_of=first.as_of) == first
        assert replace(draw_round(event, Request(round=2, seed=6)), as_of=second.as_of) == second
        body = kept(event, 2)
        assert body["notes"] == list(second.notes)
        assert body["notes"][0] == "drawn with seed 6"
        assert body["draw"]["seed"] == 6
        assert {name: dict(s.players) for name, s in seatings(event).items() if s.round == 2} == {
            f"2.{name}": dict(players) for name, players in second.boards.items()
        }
        repeats = [note for note in second.notes if "meet for the 2nd time" in note]
        assert len(repeats) == 15  # three boards of seven share three boards: 5 pairs at each at least
        assert not [note for note in second.notes if "again, as in" in note]


def test_people_come_and_go_between_rounds(tmp_path: Path) -> None:
    players = [*crowd(22), Player(name="Vol", stands_aside=True)]
    with event_of(tmp_path, "weaselmoot", players) as event:
        first = seated(event, 1, decisions=RoundDecisions(absent=("P22",)), take=(OfferWay.VOLUNTEERS,))
        assert [each.name for each in first.turnout.aside] == ["Vol"]
        second = seated(event, 2, decisions=RoundDecisions(absent=("P01", "P02")))
        assert bodies(second) == sorted([*names(22)[2:], "Vol"])
        assert not second.broken
        third = seated(
            event, 3, decisions=RoundDecisions(absent=("P03",)), take=(OfferWay.VOLUNTEERS,)
        )  # he has stood aside once
        assert [each.name for each in third.turnout.aside] == ["Vol"]
        assert "P01" in bodies(third)


def test_a_league_draws_round_after_round_from_those_who_come(tmp_path: Path) -> None:
    rules = tmp_path / "league.toml"
    rules.write_text('[scoring]\nsystem = "carnage"\n[totals]\nrounds = "any"\n', "utf-8")
    with event_of(tmp_path, str(rules), crowd(14)) as event:
        for number in range(1, 23):
            away = names(14)[:7] if number % 2 else ()
            drawn = seated(event, number, decisions=RoundDecisions(absent=away)) if away else seated(event, number)
            assert len(drawn.boards) == (1 if away else 2)
            assert boards_in_play(event, number + 1, games(event).values()) == (), "its boards wait for no others"
            play(event, number)
        scored = scored_event(event)
        assert not scored.progress.is_over
        assert str(scored.progress) == "after round 22"
        with pytest.raises(Stopped, match="no round 100"):
            draw_round(event, Request(round=100, seed=1))


@pytest.mark.parametrize("tournament", ["nzdc1999", "weaselmoot", "edc2023", "edc1996"])
def test_hostile_names_are_only_names(tmp_path: Path, tournament: str) -> None:
    players = [*crowd(7), *(Player(name=name) for name in HOSTILE)]
    with event_of(tmp_path, tournament, players) as event:
        for number in (1, 2):
            drawn = seated(event, number)
            assert bodies(drawn) == sorted([*names(7), *HOSTILE])


def test_team_mates_of_edc96_never_meet_in_rounds_one_to_four(tmp_path: Path) -> None:
    players = [Player(name=name, team=f"T{n % 7}") for n, name in enumerate(names(28))]
    teams = {player.name: player.team for player in players}
    with event_of(tmp_path, "edc1996", players) as event:
        for number in (1, 2):
            drawn = seated(event, number)
            assert all(len({teams[name] for name in board.values()}) == 7 for board in drawn.boards.values())


def test_edc96_lets_nobody_play_four_of_the_first_four_rounds(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", crowd(14)) as event:
        for number in (1, 2):
            seated(event, number)
        seated(event, 3, decisions=RoundDecisions(absent=names(14)[7:]))
        fourth = draw_round(event, Request(round=4, seed=1))
        assert bodies(fourth) == list(names(14)[7:])
        assert [each.name for each in fourth.turnout.out] == list(names(7))


def test_families_are_asked_about_where_the_rules_are_silent(tmp_path: Path) -> None:
    players = [*crowd(12), Player(name="Ma", keep_apart=("Pa",)), Player(name="Pa")]
    with event_of(tmp_path, "nzdc1999", players) as event:
        with pytest.raises(Stopped, match="--wish families_apart=must") as caught:
            seated(event, 1)
        assert caught.value.code == 3
    result = drawn_by(tmp_path, "--round", "1", "--wish", "families_apart=must", "--json")
    boards = [set(board["players"].values()) for board in json.loads(result.output)["boards"]]
    assert not any({"Ma", "Pa"} <= board for board in boards)
    result = drawn_by(tmp_path, "--round", "2", "--json")  # what he decided holds for the next round too
    assert result.exit_code == 0


def test_who_stands_down_and_what_is_wished_is_asked_at_once(tmp_path: Path) -> None:
    with event_of(tmp_path, "wdc2008", crowd(15)) as event:
        seated(event, 1, decisions=RoundDecisions(absent=("P15",)))
        with pytest.raises(Stopped) as caught:
            seated(event, 2)
        assert {problem.where for problem in caught.value.problems} == {
            "draw.uneven",
            "draw.same_power_once",
            "draw.new_opponents",
            "draw.meetings_most",
            "draw.trios_apart",
        }


def drawn_by(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(draw_command, [str(folder / "cup"), *words])


def test_a_round_that_waits_for_no_one_is_told_in_words_and_as_json(tmp_path: Path) -> None:
    with event_of(tmp_path, "weaselmoot", crowd(7)) as event:
        result = drawn_by(tmp_path, "--round", "1", "--seed", "9", "--dry-run")
        assert result.output.startswith("board 1.1\n  AUSTRIA  P")
        assert result.output.endswith("drawn with seed 9\n")
        assert not seatings(event)
        found = json.loads(drawn_by(tmp_path, "--round", "1", "--seed", "9", "--json").output)
        assert found["seated"]
        assert found["seed"] == 9
        assert found["boards"][0]["players"] == dict(seatings(event)["1.1"].players)


def test_what_must_not_be_is_not_seated_unless_the_director_says_so(tmp_path: Path) -> None:
    with event_of(tmp_path, "weaselmoot", crowd(7)) as event:
        seated(event, 1)
        family = ("--wish", "new_opponents=must")  # one board: they meet again, whatever is drawn
        result = drawn_by(tmp_path, "--round", "2", *family)
        assert isinstance(result.exception, Stopped)
        assert result.exception.code == 3
        assert len(seatings(event)) == 1
        assert drawn_by(tmp_path, "--round", "2", *family, "--even-so").exit_code == 0
        assert len(seatings(event)) == 2


def test_a_published_draw_of_wdc08_is_binding(tmp_path: Path) -> None:
    with event_of(tmp_path, "wdc2008", crowd(14)) as event:
        seated(event, 1)
        with pytest.raises(Stopped, match=r"binding \(WDC08 10\)"):
            seated(event, 1)
        seated(event, 1, again=True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--round", "9"), "no round 9; there are 3"),
        (("--round", "1", "--wish", "new_oponents=must"), "unknown wish 'new_oponents'; did you mean 'new_opponents'?"),
        (("--round", "1", "--wish", "new_opponents=yes"), "expected new_opponents=must"),
        (("--round", "1", "--meetings-most", "0"), "expected a whole number from 1, or none, found '0'"),
        (("--round", "1", "--final", "Ann=PRUSSIA"), "expected NAME=POWER"),
        (("--round", "1", "--absent", "Zoe"), "nobody on the roster is called 'Zoe'"),
        (("--round", "1", "--finalist", "P01"), "round 1 has no final table"),
        (("--round", "1", "--like", "nowhere"), "nowhere"),
    ],
)
def test_wrong_words_are_told(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    with event_of(tmp_path, "weaselmoot", crowd(7)):
        result = drawn_by(tmp_path, *words)
    assert isinstance(result.exception, Stopped)
    assert told in str(result.exception)


def three_rounds(event: Event) -> None:
    for number in (1, 2, 3):
        seated(event, number)
        play(event, number)


def with_28_played(folder: Path) -> None:
    with event_of(folder.parent, "edc2023", crowd(28)) as event:  # which calls it "cup", too
        three_rounds(event)


@contextmanager
def three_of_28(folder: Path) -> Iterator[Event]:
    """An event of 28 under EDC23 after three rounds."""
    with open_event(copied(with_28_played, folder / "cup"), clock) as event:
        yield event


def test_edc23s_finalists_choose_and_their_board_is_added(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc2023", crowd(28)) as event:
        for number in (1, 2):
            seated(event, number)
            play(event, number)
        seated(event, 3)
        with pytest.raises(Stopped, match=r"these go on: 3\.1, 3\.2, 3\.3, 3\.4"):
            seated(event, 4)
        play(event, 3)
        finalists = sure_of_a_seat(event)
        drawn = seated(event, 4, finalists=finalists)
        assert drawn.waits
        assert len(drawn.boards) == 3
        table = drawn.table
        assert table is not None
        assert table.choosing == tuple(reversed(table.players))
        assert not set(table.players) & set(bodies(drawn))
        with pytest.raises(Stopped) as caught:
            seated(event, 4, finalists=finalists, chosen=((table.players[0], Power.FRANCE),) * 2)
        assert "FRANCE is taken twice" in [problem.text for problem in caught.value.problems]
        event.facts.write(begun(event, "4.1"), "Tess")  # the others play already
        chosen = tuple(zip(table.choosing, POWERS, strict=True))
        done = seated(event, 4, finalists=finalists, chosen=chosen)
        assert {name: done.boards[name] for name in drawn.boards} == drawn.boards
        assert seatings(event)["4.4"].is_final
        assert seatings(event)["4.4"].players == {power: name for name, power in chosen}
        assert kept(event, 4)["draw"]["chose"] == list(table.choosing)


def test_a_round_that_is_being_played_keeps_its_seats(tmp_path: Path) -> None:
    with event_of(tmp_path, "weaselmoot", crowd(14)) as event:
        seated(event, 1)
        event.facts.write(begun(event, "1.1"), "Tess")
        with pytest.raises(Stopped, match="round 1: is being played; its seats cannot change any more"):
            seated(event, 1, seed=2)


def sure_of_a_seat(event: Event) -> tuple[str, ...]:
    """Name as many as the standings leave open, from those who are level."""
    try:
        draw_round(event, Request(round=4, seed=1))
    except Stopped as stopped:
        text = stopped.problems[0].text
        count = int(text.split("name ")[1].split()[0])
        return tuple(text.split("next in the standings: ")[1].partition(")")[0].split(", ")[:count])
    return ()


def test_wdc08s_top_board_is_the_seven_best_with_powers_drawn(tmp_path: Path) -> None:
    with event_of(tmp_path, "wdc2008", crowd(21)) as event:
        for number in (1, 2, 3):
            seated(event, number, like="edc1996", answers=SILENT)
            play(event, number)
        drawn = seated(event, 4, finalists=sure_of_a_seat(event))
        table = drawn.table
        assert table is not None
        assert drawn.final == "3"
        assert sorted(drawn.boards["3"].values()) == sorted(table.players)
        assert any("the rules do not say how the final table comes to its powers" in note for note in drawn.notes)
        had = {(name, p) for s in seatings(event).values() if s.round < 4 for p, name in s.players.items()}
        again = [(name, power) for power, name in drawn.boards["3"].items() if (name, power) in had]
        assert [power for _, power in again] == [Power.AUSTRIA]  # who is best here has had Austria, all seven of them
        assert any(note.startswith(f"{again[0][0]} plays Austria again") for note in drawn.notes)
        assert seatings(event)["4.3"].is_final


def test_without_28_results_edc23_has_no_final_table(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc2023", crowd(14)) as event:
        three_rounds(event)
        drawn = seated(event, 4)
        assert drawn.table is None
        assert len(drawn.boards) == 2
        assert "no final table: 14 players have a strictly positive result, 28 are needed (EDC23 B)" in drawn.notes


def test_a_later_round_that_was_drawn_before_is_named(tmp_path: Path) -> None:
    with event_of(tmp_path, "weaselmoot", crowd(14)) as event:
        assert "round 1 is not drawn yet" in seated(event, 2).notes
        drawn = seated(event, 1)
        assert draw_round(event, Request(round=1, seed=1)).notes == drawn.notes, "it is the same draw when repeated"
    (note,) = (note for note in drawn.notes if "round 2" in note)
    assert note == "round 2 was drawn before this draw, and takes no account of it; draw it again if it has not begun"


@pytest.mark.parametrize(("players", "is_held"), [(14, True), (20, True), (21, False)])
def test_a_round_that_too_few_may_still_play_is_no_gap_before_the_final_table(
    players: int, is_held: bool, tmp_path: Path
) -> None:
    """EDC96: who has played three of the first four rounds plays no fourth; fourteen play rounds 1 to 3."""
    with event_of(tmp_path, "edc1996", crowd(players)) as event:
        decisions = RoundDecisions(absent=names(players)[14:])
        for number in (1, 2, 3):
            seated(event, number, decisions=decisions)
            play(event, number)
        if is_held:
            table = seated(event, 5, decisions=decisions).table
            assert table is not None
            assert len(table.players) == 7
            assert set(table.players) <= set(names(players)[:14])
            assert scored_event(event).progress.over == {1, 2, 3, 4}
        else:  # seven of them may play round 4
            with pytest.raises(Stopped, match=r"these have no board: 4; .* rules without them"):
                seated(event, 5)


def test_a_lot_decides_among_those_who_are_level_for_the_last_seats(tmp_path: Path) -> None:
    players = [Player(name=name, distance_km=100) for name in names(28)]
    with event_of(tmp_path, "edc2023", players) as event:
        three_rounds(event)
        result = drawn_by(tmp_path, "--round", "4", "--final-lot", "--seed", "1")
        assert isinstance(result.exception, Stopped)
        (sealed,) = read_facts(event.facts, "lot sealed")
        assert sealed.body["about"] == "final"
        result = drawn_by(tmp_path, "--round", "4", "--final-lot", "--seed", "1", "--word", "plum")
        assert result.exit_code == 0, result.output
        (drawn,) = read_facts(event.facts, "lot drawn")
        table = kept(event, 4)["draw"]["finalists"]
        (lot,) = lots(event)
        assert drawn.body["among"] == [event.people.number_of(name, "") for name in lot.people]
        among = [name for name in table if name in lot.people]
        assert len(table) == 7
        assert 0 < len(among) < len(lot.people)
        assert among == list(lot.order[: len(among)])
        assert kept(event, 4)["draw"]["lots"] == [body_of(lot)]
        qualified = scored_event(event).qualification
        assert qualified is not None
        assert list(qualified.finalists) == table  # the standings know of the lot
        assert drawn_by(tmp_path, "--round", "4", "--final-lot", "--seed", "1").exit_code == 0  # it stands
        choices = [word for name, power in zip(table, POWERS, strict=True) for word in ("--final", f"{name}={power}")]
        assert drawn_by(tmp_path, "--round", "4", *choices).exit_code == 0  # who plays need not be said again
        assert list(seatings(event)["4.4"].players.values()) == table
        wrong = drawn_by(tmp_path, "--round", "3", "--final-lot")
        assert isinstance(wrong.exception, Stopped)
        assert "round 3 has no final table" in str(wrong.exception)


def test_no_lot_is_drawn_while_a_journey_that_decides_before_it_is_unknown(tmp_path: Path) -> None:
    with three_of_28(tmp_path) as event:
        result = drawn_by(tmp_path, "--round", "4", "--final-lot")
        assert isinstance(result.exception, Stopped)
        assert "the longer journey goes before the lot, and it is not known of" in str(result.exception)
        assert not list(read_facts(event.facts, "lot sealed"))


def test_the_draw_and_the_standings_tell_where_two_readings_differ(tmp_path: Path) -> None:
    with three_of_28(tmp_path) as event:
        for name, game in games(event).items():  # P28 had nothing on any board: the two points are for coming
            if "P28" in game.seating.players.values():
                lost(event, name, "P28")
        taken = scored_event(event).qualification
        assert taken is not None
        assert (taken.positive, taken.is_held) == (28, True)
        told = "by 'boards' there is no final table"
        notes = draw_round(event, Request(round=4, seed=1, finalists=sure_of_a_seat(event))).notes
        assert any(told in note for note in notes)
        words = [str(event.folder), "-o", str(tmp_path / "standings.xlsx")]
        assert told in CliRunner().invoke(standings_command, words).output


def lost(event: Event, name: str, player: str) -> None:
    """Give a game a solo winner who is not the player: he has nothing from it."""
    game = games(event)[name]
    mine = next(power for power, who in game.seating.players.items() if who == player)
    winner = next(power for power in POWERS if power is not mine)
    position = {"phase": "S1908M", "units": {}, "centers": {str(winner): sorted(game.map.centres)[:18]}}
    append_fact(event.facts, "position set", {"board": name, "position": position}, "Tess")
    end_game(event, games(event)[name], Ending.SOLO, by="Tess")


def test_an_absent_finalist_is_asked_about(tmp_path: Path) -> None:
    with three_of_28(tmp_path) as event:
        finalists = sure_of_a_seat(event)
        table = draw_round(event, Request(round=4, seed=1, finalists=finalists)).table
        assert table is not None
        gone = table.players[0]
        with pytest.raises(Stopped, match=f"{gone} qualified and is absent, and the rules do not say who moves up"):
            draw_round(event, Request(round=4, seed=1, decisions=RoundDecisions(absent=(gone,))))


def test_who_left_in_mid_game_has_had_that_power_and_met_the_others(tmp_path: Path) -> None:
    """WM III.4: nobody is assigned the same power twice."""
    with event_of(tmp_path, "weaselmoot", crowd(8)) as event:
        first = seated(event, 1, decisions=RoundDecisions(aside=("P08",)))
        play(event, 1)
        seat = {"board": "1.1", "power": "AUSTRIA", "player": "P08", "phase": "S1902"}
        enter_note(event, "substitute", seat, by="Tess", why="ill")
        leaver = first.boards["1"][Power.AUSTRIA]
        stays = first.boards["1"][Power.TURKEY]
        for seed in range(12):
            again = draw_round(event, Request(round=2, seed=seed, decisions=RoundDecisions(aside=(stays,))))
            assert again.boards["1"][Power.AUSTRIA] not in (leaver, "P08")
            met = [note.split(" meet ")[0] for note in again.notes if " meet for the 2nd time" in note]
            assert f"{leaver} and P08" not in met
            assert len(met) == 20  # each of seven has met the other six, but for those two
