"""The director's choice at the draw: made by options, a fact with who and why; drawn openly where it is by lot."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from facts_as_kept import KeptFact, append_fact, read_facts

from draw.draw_room import begun, clock, event_of, names, play, seated
from pipeline.board import FIRST_PHASE, Power
from pipeline.cli.draw import draw_command
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.drawn_round import records_of, standings_before
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import games, seated_rounds, seatings
from pipeline.desk.event.lots import _order_of, lots
from pipeline.desk.results.results import event_results, scored_event
from pipeline.draw.field import RoundDecisions
from pipeline.draw.offers import OfferWay, Uneven
from pipeline.draw.roster import Player
from pipeline.ledger.events import SheetsPrinted
from pipeline.ledger.ledger import body_of
from pipeline.paper.sheet import SheetRequest
from pipeline.problems import Stopped
from pipeline.small_files import data_folder


def travelled(count: int) -> list[Player]:
    return [Player(name=name, distance_km=10 * n) for n, name in enumerate(names(count), start=1)]


def drawn_by(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(draw_command, [str(folder / "cup"), "--round", "1", "--seed", "1", *words])


def newest(event: Event) -> KeptFact:
    return list(read_facts(event.facts, "seated"))[-1]


def kept(event: Event) -> dict[str, Any]:
    """The newest draw of the first round, with names."""
    return body_of(seated_rounds(event)[1].said)


def problem(result: Result, code: int = 3) -> str:
    assert isinstance(result.exception, Stopped)
    assert result.exception.code == code
    return result.exception.problems[0].text


def printed(round_number: int) -> SheetsPrinted:
    """A sheet of a round."""
    sheet = SheetRequest(
        serial=round_number,
        title="Cup",
        round=round_number,
        board="1",
        slot=0,
        power=Power.ITALY,
        phase=FIRST_PHASE,
        player="P01",
    )
    template = (data_folder("templates/sheets") / "a4.toml").read_text("utf-8")
    return SheetsPrinted(template=template, pads=0, sheets=(sheet,))


def test_the_draw_stops_and_writes_nothing_down(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc2023", travelled(13)) as event:
        result = drawn_by(tmp_path, "--json")
        assert isinstance(result.exception, Uneven)
        told = json.loads(result.output)
        assert (told["seated"], told["over"], told["short"], told["rule"]) == (False, 6, 1, "EDC23 B, D, F")
        assert [offer["way"] for offer in told["offers"]] == ["double", "sandard", "volunteers", "leave-out"]
        assert [fact.kind for fact in read_facts(event.facts)] == ["players numbered"]


def test_what_was_chosen_is_a_fact_with_who_and_why(tmp_path: Path) -> None:
    with event_of(tmp_path, "weaselmoot", travelled(13)) as event:
        assert "to do it all the same, say why with --why" in problem(drawn_by(tmp_path, "--six", "1"))
        result = drawn_by(tmp_path, "--six", "1", "--why", "all thirteen came by plane", "--by", "Tess")
        assert result.exit_code == 0, result.output
        assert "board 1.2  sandard" in result.output
        assert "the director's reason: all thirteen came by plane" in result.output
        fact = newest(event)
        assert (fact.by, fact.body["draw"]["why"], fact.body["draw"]["six"]) == (
            "Tess",
            "all thirteen came by plane",
            1,
        )


def test_who_is_sent_away_gets_no_bonus_and_may_still_withdraw(tmp_path: Path) -> None:
    players = [*travelled(14), Player(name="Near", distance_km=1, stands_aside=True)]
    players[3] = Player(name="P04", distance_km=1000, stands_aside=True)
    with event_of(tmp_path, "edc2023", players) as event:
        # P04 is willing and comes first
        seated(
            event, 1, decisions=RoundDecisions(sent=("Near",), why="nobody else may wait")
        )  # P04 is willing and comes first
        play(event, 1)
        assert [each["player"] for each in kept(event)["draw"]["sent"]] == ["Near"]
        assert not event_results(event).bonuses
        assert "Near" not in scored_event(event).standings.totals
        records = records_of(event, 2, standings_before(event, 2))
        assert (records["Near"].sent, records["Near"].aside) == (1, 0)
        second = seated(event, 2, decisions=RoundDecisions(aside=("Near",)))
        play(event, 2)
        assert [each.name for each in second.turnout.aside] == ["Near"]
        (bonus,) = event_results(event).bonuses
        assert (bonus.player, bonus.kind, bonus.round) == ("Near", "withdrawal", 2)
        with pytest.raises(Stopped, match="Near has withdrawn already") as caught:
            seated(event, 3, decisions=RoundDecisions(aside=("Near",)))
        assert caught.value.code == 3


def test_a_lot_is_sealed_then_drawn_with_a_called_word_and_anybody_can_check_it(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", travelled(15)) as event:
        told = problem(drawn_by(tmp_path, "--take", "lot"))
        (sealed,) = read_facts(event.facts, "lot sealed")
        assert told.startswith("1 of 15 by lot: P01, P02, ")
        assert sealed.body["hash"] in told
        assert "seed" not in sealed.body
        assert not seatings(event)
        assert problem(drawn_by(tmp_path, "--take", "lot")) == told  # it waits: no second seed is tried
        result = drawn_by(tmp_path, "--take", "lot", "--word", "Plum ", "--by", "Tess")
        assert result.exit_code == 0, result.output
        (drawn,) = read_facts(event.facts, "lot drawn")
        assert hashlib.sha256(drawn.body["seed"].encode()).hexdigest() == sealed.body["hash"]
        called = [drawn.body["names"][str(number)] for number in drawn.body["order"]]
        assert called == list(_order_of(drawn.body["seed"], "plum", names(15)))
        assert kept(event)["draw"]["sent"][0]["player"] == called[0]
        assert [lot["order"] for lot in kept(event)["draw"]["lots"]] == [called]
        assert any(drawn.body["seed"] in note for note in newest(event).body["notes"])
        assert drawn_by(tmp_path, "--take", "lot").exit_code == 0  # the same lot stands, whatever is drawn anew
        assert len(lots(event)) == 1


def test_a_lot_among_other_people_is_another_lot(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", travelled(16)) as event:
        drawn_by(tmp_path, "--take", "lot", "--absent", "P16")
        problem(drawn_by(tmp_path, "--take", "lot", "--absent", "P01"))
        assert [lot.people[0] for lot in lots(event)] == ["P01", "P02"]


def test_a_word_that_no_lot_waits_for_is_refused_and_nothing_is_seated(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", travelled(14)) as event:
        result = drawn_by(tmp_path, "--word", "plum")
        assert isinstance(result.exception, Stopped)
        assert result.exception.problems[0].where == "--word"
        assert not seatings(event)


def test_no_lot_is_drawn_in_a_dry_run(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", travelled(15)) as event:
        assert "leave --dry-run out" in problem(drawn_by(tmp_path, "--take", "lot", "--dry-run"))
        assert [fact.kind for fact in read_facts(event.facts)] == ["players numbered"]


def test_a_lost_seed_is_said(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", travelled(15)):
        drawn_by(tmp_path, "--take", "lot")
        for path in (tmp_path / "cup").glob("claims.db*"):
            path.unlink()
        assert "the sealed seed is lost" in problem(drawn_by(tmp_path, "--take", "lot", "--word", "plum"))


def test_a_seed_that_is_not_the_one_of_which_the_hash_was_shown_draws_nothing(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", travelled(15)):
        drawn_by(tmp_path, "--take", "lot")
        with closing(sqlite3.connect(tmp_path / "cup/claims.db")) as claims:
            claims.execute("UPDATE secrets SET value = value || 'a'")
            claims.commit()
        assert "the sealed seed is lost" in problem(drawn_by(tmp_path, "--take", "lot", "--word", "plum"))


@pytest.mark.parametrize("damage", ["scribbled", "a page of it", "a table's name"])
def test_of_damaged_claims_it_is_said_that_sealed_lots_are_in_them(tmp_path: Path, damage: str) -> None:
    with event_of(tmp_path, "edc1996", travelled(15)):
        drawn_by(tmp_path, "--take", "lot")
        file = tmp_path / "cup/claims.db"
        data = file.read_bytes()
        page = data.index(b"lot 1 ") // 4096
        hurt = {
            "scribbled": b"no database" * 900,
            "a page of it": data[: page * 4096] + b"\xff" * 4096 + data[(page + 1) * 4096 :],
            "a table's name": data.replace(b"CREATE TABLE secrets", b"CREATE TABLE secret\xd5"),
        }
        file.write_bytes(hurt[damage])
        said = problem(drawn_by(tmp_path, "--take", "lot", "--word", "plum"), code=2)
        assert "nothing else is in it" not in said
        assert "lots and dice that were sealed in it" in said
        file.rename(file.with_name("claims-damaged.db"))
        assert "draw paper lots" in problem(drawn_by(tmp_path, "--take", "lot", "--word", "plum"))


def test_the_order_of_a_lot_is_fair() -> None:
    first = [_order_of(f"seed {n}", "plum", ("Ann", "Bob", "Cem"))[0] for n in range(3000)]
    assert all(900 < first.count(name) < 1100 for name in ("Ann", "Bob", "Cem"))


def test_a_mixed_round_knows_the_map_of_each_board(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc2023", travelled(13)) as event:
        drawn = seated(event, 1, take=(OfferWay.VARIANT,))
        assert [len(board) for board in drawn.boards.values()] == [7, 6]
        found = games(event)
        assert [found[name].map_name for name in ("1.1", "1.2")] == ["standard", "sandard"]
        assert len(found["1.1"].position.units) == 7
        assert Power.TURKEY not in found["1.2"].position.units
        assert [len(found[name].map.centres) for name in ("1.1", "1.2")] == [34, 31]
        assert newest(event).body["boards"][1]["map"] == "sandard"


def test_a_round_drawn_before_boards_had_maps_is_read_as_it_was(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc2023", travelled(12), map_name="sandard") as event:
        drawn = draw_round(event, Request(round=1, seed=1))
        boards = [
            {"board": name, "players": {str(power): who for power, who in board.items()}}
            for name, board in drawn.boards.items()
        ]
        append_fact(event.facts, "seated", {"round": 1, "boards": boards, "notes": []}, "Tess")
        assert {game.map_name for game in games(event).values()} == {"sandard"}
    with open_event(tmp_path / "cup", clock) as event:
        assert len(games(event)) == 2


def test_a_mixed_round_that_is_played_keeps_its_maps(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc2023", travelled(13)) as event:
        seated(event, 1, take=(OfferWay.VARIANT,))
        event.facts.write(begun(event, "1.1"), "Tess")
        with pytest.raises(Stopped, match="round 1: is being played; its seats cannot change any more"):
            seated(event, 1, seed=2, decisions=RoundDecisions(twice=("P01",)))
        seated(event, 1, take=(OfferWay.VARIANT,))  # the very same seats may be written down again


def test_four_rounds_with_people_who_come_and_go(tmp_path: Path) -> None:
    players = [*travelled(26), Player(name="Dbl", two_boards=True, distance_km=9, keep_apart=("P01",))]
    with event_of(tmp_path, "weaselmoot", players) as event:
        first = seated(event, 1, take=(OfferWay.DOUBLE,))
        assert sum("Dbl" in board.values() for board in first.boards.values()) == 2
        assert not any({"Dbl", "P01"} <= set(board.values()) for board in first.boards.values())
        play(event, 1)
        late = seated(event, 2, decisions=RoundDecisions(absent=names(6)))
        assert sorted(len(board) for board in late.boards.values()) == [7, 7, 7]
        play(event, 2)
        third = seated(event, 3, decisions=RoundDecisions(twice=("P03", "Dbl"), absent=("P26",)))
        assert not third.broken
        assert [len(board) for board in third.boards.values()] == [7, 7, 7, 7]


def test_edc23_brings_sandard_and_full_boards_through_four_rounds(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc2023", travelled(20)) as event:
        for number in (1, 2, 3, 4):
            drawn = seated(event, number, take=(OfferWay.VARIANT,))
            assert [len(board) for board in drawn.boards.values()] == [7, 7, 6]
            play(event, number)
        had = [(name, power) for s in seatings(event).values() for power, name in s.players.items()]
        assert len(had) == len(set(had)) == 80  # nobody has a power twice
        totals = {board.name: board.total for board in event_results(event).boards if board.round == 4}
        assert totals == {"1": 34, "2": 34, "3": 31}


def test_a_round_whose_sheets_are_printed_is_drawn_again_only_where_that_is_said(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc2023", travelled(14)) as event:
        seated(event, 1)
        event.facts.write(printed(2), "printing")
        draw_round(event, Request(round=1, seed=2))
        event.facts.write(printed(1), "printing")
        with pytest.raises(Stopped, match="round 1: is drawn, and its sheets were printed") as stopped:
            draw_round(event, Request(round=1, seed=2))
        assert stopped.value.code == 3
        drawn = draw_round(event, Request(round=1, seed=2, again=True))
        assert any(note.startswith("void by this draw") for note in drawn.notes)


@pytest.mark.parametrize(("tournament", "is_said"), [("edc2023", True), ("weaselmoot", False)])
def test_a_roster_without_beginners_is_noted_where_they_are_read_first(
    tmp_path: Path, tournament: str, is_said: bool
) -> None:
    with event_of(tmp_path, tournament, travelled(7)) as event:
        notes = draw_round(event, Request(round=1, seed=1)).notes
        assert any(note.startswith("no player is a beginner (roster, column 'beginner')") for note in notes) == is_said


def test_a_dry_run_takes_no_word(tmp_path: Path) -> None:
    with event_of(tmp_path, "edc1996", travelled(15)) as event:
        drawn_by(tmp_path, "--take", "lot")
        result = drawn_by(tmp_path, "--take", "lot", "--word", "plum", "--dry-run")
        assert isinstance(result.exception, Stopped)
        assert result.exception.problems[0].where == "--word"
        assert not list(read_facts(event.facts, "lot drawn"))
