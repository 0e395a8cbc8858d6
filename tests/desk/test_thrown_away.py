"""What is kept so that nothing is worked out twice may be thrown away, damaged or old: every answer is the same."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sampled import slow_after

from desk.beginnings import copied
from desk.cup import clock, hand_in, hand_in_all, inked, seated
from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.explain import check_event, explain_question
from pipeline.desk.publish.publish import apply_correction, propose_correction, publish
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.orders_shown import board_orders, status
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import type_lines, undo_ruling
from pipeline.desk.sheets.printing import print_round
from pipeline.ink import Tier
from pipeline.ledger.events import GameEnded, LedgerEvent, PhasePublished, SeatsTold
from pipeline.problems import Stopped
from pipeline.scoring.results import Ending

READER = "kept/reader.json"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A board of which two phases are published, and the third is open."""
    return copied(two_phases, tmp_path / "cup")


def two_phases(folder: Path) -> None:
    """Play them in a new folder."""
    with open_event(seated(folder), clock) as event:
        print_round(event, 1)
        hand_in_all(event)
        publish(event, "1", "Tess")
        position = find_game(event, "1").position
        for power, units in position.units.items():
            type_lines(event, Turn("1.1", position.phase, power), [f"{unit} H" for unit in units], by="Tess")
        publish(event, "1", "Tess")
        status(event)


def answers(folder: Path) -> dict[str, Any]:
    """What an event says, to every kind of question."""
    with open_event(folder, clock) as event:
        live = LiveDesk(event)
        return {
            "status": status(event),
            "orders": board_orders(event, find_game(event, "1")),
            "check": [problem.text for problem in check_event(event)],
            "explain": list(explain_question(event, "1 S1901M A VIE")),
            "standings": write_standings(event, running=True).data,
            "games": games(event),
            "live": live.games,
            "results": [played.resolution for game in games(event).values() for played in game.played],
        }


def damaged(path: Path) -> None:
    path.write_bytes(b"\xff\x00" + path.read_bytes()[7:-7])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def turned_round(path: Path) -> None:
    path.write_bytes(path.read_bytes()[::-1])


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", slow_after(2, [Path.unlink, damaged, emptied, turned_round, made_a_folder]))
def test_every_answer_is_the_same_without_what_was_kept(cup: Path, spoil: Callable[[Path], None]) -> None:
    before = answers(cup)
    assert (cup / READER).is_file()
    spoil(cup / READER)
    assert answers(cup) == before
    assert answers(cup) == before


def test_the_position_is_the_judge_s_whatever_a_fact_says_of_it(cup: Path) -> None:
    with open_event(cup, clock) as event:
        *_, last = event.facts.select(PhasePublished)
        wrong = replace(last.said, after={**last.said.after, "units": {}}, why="a test")
        event.facts.write(wrong, "Tess")
        assert games(event)["1.1"].position.units


def test_a_correction_is_judged_and_what_was_taken_back_counts_no_more(cup: Path) -> None:
    first = answers(cup)
    with open_event(cup, clock) as event:
        turn = Turn("1.1", games(event)["1.1"].played[-1].phase, Power.ITALY)
        game = find_game(event, "1")
        holds = [f"{unit} H" for unit in game.played[-1].before.units[Power.ITALY]]
        typed = type_lines(event, turn, ["A TYR - MUN", *holds[1:]], by="Tess")
        apply_correction(
            event, propose_correction(event, game, "F1901M", deadline_passed=False), by="Tess", why="misread"
        )
        undo_ruling(event, typed, "Tess")
    before = answers(cup)
    assert before["status"] != first["status"] or before["games"] != first["games"]
    assert answers(cup) == before


def test_where_nothing_can_be_written_everything_is_answered(cup: Path) -> None:
    before = answers(cup)
    made_a_folder(cup / READER)
    assert answers(cup) == before


def test_a_fact_of_any_kind_that_is_damaged_stops_though_everything_is_kept(cup: Path) -> None:
    with closing(sqlite3.connect(cup / "event.db")) as connection:
        connection.execute("DROP TRIGGER facts_never_change")
        connection.execute("UPDATE facts SET body = replace(body, 'serial', 'seriam') WHERE kind = 'sheets printed'")
        connection.commit()
    with open_event(cup, clock) as event, pytest.raises(Stopped, match="is not what was written down"):
        games(event)


def test_what_is_rolled_back_is_remembered_by_nobody(cup: Path) -> None:
    with open_event(cup, clock) as event:
        before, known = games(event), list(event.facts.select(LedgerEvent))
        with pytest.raises(RuntimeError, match="after all"), event.facts.transaction():
            end(event)
            assert games(event)["1.1"].ending == "time"
            assert len(list(event.facts.select(GameEnded))) == 1
            raise RuntimeError("not after all")
        assert games(event) == before
        assert list(event.facts.select(LedgerEvent)) == known
        event.facts.write(SeatsTold(round=1), "Tess")  # it has the number of the one that was rolled back
        assert games(event) == before
        assert not list(event.facts.select(GameEnded))
        end(event)
        assert games(event)["1.1"].ending == "time"
        assert len(list(event.facts.select(LedgerEvent))) == len(known) + 2


def test_what_sqlite_rolls_back_by_itself_is_remembered_by_nobody(cup: Path) -> None:
    with open_event(cup, clock) as event:
        with pytest.raises(Stopped, match="could not write"), event.facts.transaction():
            end(event)
            assert games(event)["1.1"].ending == "time"
            event.facts.connection.execute("ROLLBACK")  # as a full disk makes it do
            event.facts.connection.execute("UPDATE facts SET by = 'nobody'")
        assert games(event)["1.1"].ending is None
        assert not list(event.facts.select(GameEnded))


def end(event: Event) -> None:
    """Call time on the board."""
    said = GameEnded(board="1.1", phase=Phase.read("S1902M"), how=Ending.TIME, why="", overruled=())
    event.facts.write(said, "Tess")


def test_a_fact_that_another_program_writes_is_seen(cup: Path) -> None:
    with open_event(cup, clock) as event, open_event(cup, clock) as other:
        assert games(event)["1.1"].ending is None
        assert not list(event.facts.select(GameEnded))
        end(other)
        assert games(event)["1.1"].ending == "time"
        (ended,) = event.facts.select(GameEnded)
        assert list(event.facts.select(GameEnded, after=ended.number - 1)) == [ended]
        assert not list(event.facts.select(GameEnded, after=ended.number))


def test_the_rows_that_wait_are_the_same_whether_or_not_their_meanings_are_offered(cup: Path) -> None:
    with open_event(cup, clock) as event:
        game = find_game(event, "1")
        print_round(event, 1)
        asked = [inked(1, "A VIE - GAL", Tier.ASKED), inked(2, "A BUD - SER"), inked(3, "F TRI - ALB", Tier.ASKED)]
        hand_in(event, Turn("1.1", game.position.phase, Power.AUSTRIA), asked)
        offered, plain = (Desk.of(event, offers=each).board(game) for each in (True, False))
        assert [[row.needs_director for row in power.rows] for power in offered] == [
            [row.needs_director for row in power.rows] for power in plain
        ]
        assert any(row.needs_director for power in plain for row in power.rows)
