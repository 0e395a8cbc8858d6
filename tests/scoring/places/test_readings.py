"""Where a rule can be read in two ways both stand in the file, and the director is told where they differ."""

from typing import Any

import pytest

from pipeline.problems import Stopped
from pipeline.rules.load import load_tournament
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.qualification import DifferingReading
from pipeline.scoring.results import Board, Entrant, Penalty
from pipeline.scoring.score import Scored
from scoring.places.test_finals import SEVEN, field_of, final
from scoring.played import ruled, rules, scored


def difference(one: Scored, path: str) -> DifferingReading | None:
    return next((each for each in one.readings if each.reading.path == path), None)


def test_the_files_say_both_readings_and_why() -> None:
    edc23 = {each.path: (each.value, each.otherwise) for each in read_scoring(changed(), "edc2023").readings}
    assert edc23 == {
        "totals.final.positive": ("total", "boards"),
        "totals.final.two_boards": ("at the end", "before the final"),
        "ties.qualifying": ("highest game, second-highest game, distance, lot", "distance, lot"),
    }
    assert [each.path for each in rules("wdc2008").readings] == ["ties.qualifying"]
    for name in ("edc2023", "wdc2008"):
        assert all(each.source.why and each.source.rule for each in rules(name).readings)


def test_nothing_is_told_where_both_readings_seat_the_same_people() -> None:
    assert not scored("edc2023", *field_of(35, (1, 2, 3))).readings


def nothing_on_the_boards(rounds: int) -> list[Board]:
    """Twenty-seven with points, and one who has played and brought nothing home."""
    return [*field_of(27, (1, 2, 3)), *(ruled(number, {"zero": 0}, name="z") for number in range(1, rounds + 1))]


def test_twenty_eight_positive_results_by_the_total_or_by_the_boards() -> None:
    one = scored("edc2023", *nothing_on_the_boards(2))  # two rounds played bring two points of participation
    assert one.qualification is not None
    assert (one.qualification.positive, one.qualification.is_held) == (28, True)
    found = difference(one, "totals.final.positive")
    assert found is not None
    assert (found.taken.is_held, found.other.is_held, found.other.positive) == (True, False, 27)
    assert str(found).startswith(
        "two readings of EDC23 B differ here: by 'total', which the rules file takes (totals.final.positive), "
        "the final table is a, b, c, d, e, f, g; by 'boards' there is no final table, 27 players have a strictly "
    )
    assert difference(scored("edc2023", *nothing_on_the_boards(1)), "totals.final.positive") is None  # nothing by both


def test_a_penalty_that_costs_the_twenty_eighth_positive_result_is_told() -> None:
    boards = field_of(28, (1, 2, 3))
    whole = scored("edc2023", *boards).qualification
    assert whole is not None
    last = whole.ranking[-1].contender
    fine = Penalty(player=last.name, kind="contesting", points=last.total)
    found = difference(scored("edc2023", *boards, penalties=(fine,)), "totals.final.positive")
    assert found is not None
    assert (found.taken.is_held, found.other.is_held) == (False, True)
    assert found.only_other == tuple(SEVEN)


def test_two_tables_before_the_final_count_both_or_the_chosen_one() -> None:
    boards = [*field_of(35, (1, 2, 3)), ruled(2, {"p00": 50}, name="x"), ruled(2, {"p00": 50}, name="y")]
    boards = [board for board in boards if not (board.round == 2 and board.name == "t0")]
    one = scored("edc2023", *boards)
    found = difference(one, "totals.final.two_boards")
    assert found is not None
    assert found.only_taken == ("p00",)  # 50 + 50 and half of 3; with one of the two 50 + 3 and half of 3
    assert found.only_other == ("g",)
    chooses = scored("edc2023", *boards, players=[Entrant(name="p00", chosen={2: "x"})])
    assert difference(chooses, "totals.final.two_boards") is not None
    half = [board for board in boards if not (board.round == 1 and board.name == "t0")]
    assert difference(scored("edc2023", *half), "totals.final.two_boards") is None  # he has not played all rounds


def test_a_tie_for_the_last_seat_by_the_journey_or_by_the_best_table() -> None:
    boards = [board for board in field_of(35, (1, 2, 3)) if board.name != "top"]
    boards += [ruled(n, {name: 90 - k for k, name in enumerate("abcdef")}, name="top") for n in (1, 2, 3)]
    for number, given in enumerate(({"y": 50, "z": 46}, {"y": 40, "z": 44}, {"y": 0, "z": 0}), start=1):
        boards.append(ruled(number, given, name="extra"))
    near, far = Entrant(name="y", distance_km=5), Entrant(name="z", distance_km=900)
    found = difference(scored("edc2023", *boards, players=[near, far]), "ties.qualifying")
    assert found is not None
    assert (found.only_taken, found.only_other) == (("y",), ("z",))
    near, far = Entrant(name="y", distance_km=900), Entrant(name="z", distance_km=5)
    assert difference(scored("edc2023", *boards, players=[near, far]), "ties.qualifying") is None


def test_a_tie_for_the_top_board_of_wdc08_that_its_rules_do_not_mention() -> None:
    boards = [ruled(n, {name: 40 - k for k, name in enumerate("abcdef")}, name="top") for n in (1, 2, 3)]
    boards += [
        ruled(1, {"y": 30, "z": 20}, name="x"),
        ruled(2, {"y": 10, "z": 20}, name="x"),
        ruled(3, {"p": 1}, name="x"),
    ]
    found = difference(scored("wdc2008", *boards), "ties.qualifying")
    assert found is not None
    assert found.taken.finalists[-1] == "y"
    assert set(found.other.undecided) == {"y", "z"}
    assert found.only_other == ("z",)


def test_once_the_final_is_played_nothing_is_told_any_more() -> None:
    boards = [*nothing_on_the_boards(2), final(4, (5, 12, 6, 5, 3, 2, 1))]
    assert not scored("edc2023", *boards).readings


def changed(**settings: object) -> dict[str, Any]:
    tables: dict[str, Any] = {key: dict(value) for key, value in load_tournament("edc2023").points.items()}
    tables["totals"] = {**tables["totals"], "final": {**tables["totals"]["final"], **settings}}
    return tables


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"positive": {"value": "total", "otherwise": "bords", "rule": "X 1", "why": "so"}},
         "mine.toml totals.final.positive.otherwise: 'bords' is not one of total, boards"),
        ({"positive": {"value": "total", "otherwise": "boards", "rule": "X 1"}},
         "mine.toml totals.final.positive: two readings need a 'why'"),
    ],
)  # fmt: skip
def test_a_second_reading_is_checked_like_the_first(settings: dict[str, object], told: str) -> None:
    with pytest.raises(Stopped) as caught:
        read_scoring(changed(**settings), "mine.toml")
    assert told in str(caught.value)


def test_a_second_reading_of_anything_else_is_refused() -> None:
    tables = changed()
    tables["totals"] = {**tables["totals"], "rounds": {"value": 4, "otherwise": 5, "rule": "X 1", "why": "so"}}
    with pytest.raises(
        Stopped, match=r"totals\.rounds\.otherwise: expected in totals\.final\. or ties\.qualifying only"
    ):
        read_scoring(tables, "mine.toml")
