"""Who stays at a table, who records, and who is kept apart at every event."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from draw.draw_room import event_of, names, past, seated, task, wishing
from pipeline.desk.event.apart import keep_pairs_apart
from pipeline.desk.players import add_player
from pipeline.desk.roster_file import read_roster_text
from pipeline.draw.draw_round import draw_seats
from pipeline.draw.list_as_read import RosterChoices
from pipeline.draw.roster import Player
from pipeline.draw.task import PastBoard
from pipeline.problems import Stopped
from pipeline.rules.tournament import Aim

USUAL = wishing(Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS)


def crowd(count: int) -> list[Player]:
    """So many players."""
    return [Player(name=name) for name in names(count)]


def rounds_of(count: int, rounds: int, **more: object) -> list[PastBoard]:
    """All boards of a tournament, each round drawn after those before it."""
    played: list[PastBoard] = []
    points: dict[str, tuple[int, int]] = {}
    for number in range(1, rounds + 1):
        after = rounds - number
        plan = {"rounds_after": after, "mates_after": (frozenset(),) * after, "points": points}
        drawn = draw_seats(task(count, USUAL, played, **plan, **more), number)
        assert not drawn.broken
        points = dict(drawn.points)
        played += past(number, drawn.boards)
    return played


@pytest.mark.parametrize("count", [21, 28, 49, 56])
@pytest.mark.parametrize("recorders", [2, 3, 10])
def test_recorders_are_spread_over_the_boards_of_every_round_as_well_as_can_be(count: int, recorders: int) -> None:
    record = frozenset(names(count)[:recorders])
    boards = count // 7
    for board in rounds_of(count, 3, recorders=record):
        most = -(-recorders // boards)
        assert recorders // boards <= len(board.everybody & record) <= most


@pytest.mark.parametrize("count", [14, 28, 49])
def test_who_stay_at_tables_of_their_own_never_meet(count: int) -> None:
    stay = {"P01": "1", "P02": "2"}
    for board in rounds_of(count, 4, tables=stay):
        assert not stay.keys() <= board.everybody


def test_recorders_cost_no_meeting_that_need_not_be() -> None:
    plain, spread = (
        Counter(pair for board in rounds_of(49, 4, **more) for pair in combinations(sorted(board.everybody), 2))
        for more in ({}, {"recorders": frozenset(names(49)[:7])})
    )
    assert sum(times - 1 for times in spread.values()) == sum(times - 1 for times in plain.values()) == 0


def test_the_board_of_somebody_who_stays_at_a_table_has_its_name_in_every_round(tmp_path: Path) -> None:
    players = [*crowd(19), Player(name="Wheel", stays_at="7"), Player(name="Crutch", stays_at="2")]
    with event_of(tmp_path, "weaselmoot", players) as event:
        for number in (1, 2, 3):
            boards = seated(event, number).boards
            assert list(boards) == ["1", "2", "7"]
            assert "Wheel" in boards["7"].values()
            assert "Crutch" in boards["2"].values()


def test_two_who_stay_at_one_table_are_refused_before_the_draw(tmp_path: Path) -> None:
    players = [*crowd(12), Player(name="Ann", stays_at="2"), Player(name="Bob", stays_at="2")]
    with (
        event_of(tmp_path, "weaselmoot", players) as event,
        pytest.raises(Stopped, match="Ann and Bob stay at board 2, and would meet in every round; give one another"),
    ):
        seated(event, 1)


def test_more_of_them_than_boards_are_said_to_be_broken() -> None:
    drawn = draw_seats(task(7, USUAL, tables={"P01": "1", "P02": "2"}), 1)
    [breach] = drawn.broken
    assert (
        str(breach) == "P01 and P02 sit together, and stay at boards 1 and 2 (must not be: roster, column 'stays_at')"
    )


def test_the_list_of_players_says_who_stays_and_who_records() -> None:
    read = read_roster_text("name,stays_at,recorder\nAna,3,\nBo,,yes\n", "players.csv", RosterChoices())
    assert [(p.stays_at, p.recorder) for p in read.players] == [("3", False), ("", True)]


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of those who are kept apart at every event."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    path = tmp_path / "own" / "ordersheets" / "apart.txt"
    path.parent.mkdir(parents=True)
    return path


def test_a_file_of_ones_own_keeps_people_apart_at_every_event(apart: Path, tmp_path: Path) -> None:
    players = [Player(name=name) for name in ("José Núñez", "Bo Ek", "Cy Day", "Dee")]
    assert keep_pairs_apart(players) == (tuple(players), ())
    apart.write_text("# couples\njose nunez; BO EK\nCy Day, Eve, Dee  # since 2019\nEve; Bo Ek\n", "utf-8")
    kept, notes = keep_pairs_apart(players)
    assert [p.keep_apart for p in kept] == [("Bo Ek",), ("José Núñez",), ("Dee",), ("Cy Day",)]
    assert [note.text for note in notes] == [
        "kept apart at every event: José Núñez, Bo Ek",
        "kept apart at every event: Cy Day, Dee",
    ]
    assert notes[0].where.endswith("apart.txt line 2")
    with event_of(tmp_path, "weaselmoot", [*crowd(6), Player(name="Bo Ek")]) as event:
        add_player(event, "Eve", {}, by="Tess")  # who comes later is kept apart, too
        assert {p.name: p.keep_apart for p in event.players}["Eve"] == ("Bo Ek",)


def test_a_file_that_cannot_be_read_stops_nothing_and_says_so(apart: Path) -> None:
    apart.write_bytes(b"\xff\xfe\x00")
    kept, [note] = keep_pairs_apart([Player(name="Ann")])
    assert kept == (Player(name="Ann"),)
    assert "enter the pairs as 'keep_apart'" in note.text
