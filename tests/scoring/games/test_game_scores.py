"""What one game is worth: the seeds' own examples, reference values, and what is true of every board."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pipeline.board import Power
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.parts import Unreached
from pipeline.scoring.results import Ending, Rounding, RoundingWay, ScoreRuling, Seat, _half_up, exact
from pipeline.scoring.system import Outcome, score_board
from scoring.played import board, counted, points, rules

SYSTEM_OF = {
    "sum_of_squares": "weaselmoot",
    "edc4": "edc1996",
    "edc2023_untruncated": "edc2023",
    "detour98f": "nzdc1999",
    "modified_squares_WDC2008_literal": "wdc2008",
}


def fractions(*texts: str | int) -> list[Fraction]:
    return [Fraction(text) for text in texts]


def test_every_reference_vector_is_met_to_its_last_digit(shared: Path) -> None:
    vectors: list[dict[str, Any]] = json.loads((shared / "data/scoring_vectors.json").read_text("utf-8"))
    assert len(vectors) > 20
    for vector in vectors:
        system = rules(SYSTEM_OF[vector["system"]]).system
        alive = json.loads(vector["source"].partition("= ")[2] or "null")
        years = {1905: alive} if alive else None
        found = (points if "untruncated" in vector["system"] else counted)(
            system, vector["centres_AEFGIRT"], years=years
        )
        wanted = [Fraction(str(score)) for score in vector["scores"]]
        decimals = max(len(str(score).partition(".")[2]) for score in vector["scores"])
        assert [_half_up(score, decimals) for score in found] == wanted, vector["source"]


@pytest.mark.parametrize(
    ("tournament", "winner", "loser"),
    [("nzdc1999", 110, 0), ("weaselmoot", 100, 0), ("edc2023", 100, 0), ("edc1996", 73, 1), ("wdc2008", 75, 0)],
)
def test_a_solo_takes_what_its_tournament_says(tournament: str, winner: int, loser: int) -> None:
    for counts in ((18, 16, 0, 0, 0, 0, 0), (24, 4, 3, 2, 1, 0, 0), (34, 0, 0, 0, 0, 0, 0)):
        scores = counted(rules(tournament).system, counts)
        assert scores[0] == winner
        assert set(scores[1:]) == {loser}


def test_survival_to_1905_is_told_from_survival_to_the_end() -> None:
    system = rules("nzdc1999").system
    held = (12, 9, 6, 4, 2, 1, 0)
    wanted = fractions("36.207", "24.138", "17.241", "12.069", "8.621", "1.724", 0)
    assert counted(system, (12, 9, 6, 4, 3, 0, 0), years={1905: held}) == wanted
    assert counted(system, (10, 10, 5, 4, 3, 2, 0), years={1905: (5, 5, 5, 5, 5, 5, 4)}) == fractions(
        "26.786", "26.786", "16.071", "12.5", "8.929", "7.143", "1.786"
    )


def test_who_owned_a_centre_after_1905_survived_it_even_if_that_year_was_not_noted() -> None:
    system = rules("nzdc1999").system
    later = counted(system, (12, 9, 6, 4, 3, 0, 0), years={1906: (12, 9, 6, 4, 2, 1, 0)})
    assert later == counted(system, (12, 9, 6, 4, 3, 0, 0), years={1905: (12, 9, 6, 4, 2, 1, 0)})
    out = {1906: (12, 9, 6, 4, 2, 1, 0), 1907: (12, 9, 6, 4, 3, 0, 0)}
    assert counted(system, (12, 9, 6, 4, 3, 0, 0), years=out) == later


def test_a_game_that_ends_before_1905_is_a_setting() -> None:
    short = {1904: (12, 9, 6, 4, 3, 0, 0)}
    system = rules("nzdc1999").system
    survival = next(part for part in system.parts if part.name == "survival until")
    assert getattr(survival, "unreached") is Unreached.SURVIVORS  # noqa: B009 - the part's own field
    assert counted(system, (12, 9, 6, 4, 3, 0, 0), years=short) == counted(system, (12, 9, 6, 4, 3, 0, 0))
    nobody = detour(unreached="nobody")
    wanted = [Fraction(100 * raw, 52) for raw in (20, 13, 9, 6, 4, 0, 0)]
    assert points(nobody, (12, 9, 6, 4, 3, 0, 0), years=short) == wanted


def detour(unreached: str) -> Any:
    parts = [
        {"give": "centres"},
        {"give": "survival until", "year": 1905, "unreached": unreached},
        {"give": "survival"},
        {"give": "lead"},
        {"give": "places", "bonuses": [4, 3, 2, 1], "shared": "lower"},
    ]
    return read_scoring({"scoring": {"parts": parts, "pool": 100}, "totals": {"rounds": 3}}, "detour").system


def test_rounding_is_half_up_where_binary_numbers_are_not() -> None:
    seventh = counted(rules("nzdc1999").system, (12, 5, 4, 4, 3, 3, 3))[4]
    assert seventh == Fraction("7.813")
    assert round(100 * 5 / 64, 3) == 7.812


@pytest.mark.parametrize(
    ("way", "value", "rounded"),
    [
        ("truncate", "21.57", "21.5"),
        ("truncate", "-21.57", "-21.5"),
        ("half-even", "0.25", "0.2"),
        ("half-even", "0.35", "0.4"),
        ("half-up", "0.25", "0.3"),
        ("not at all", "0.25", "0.25"),
    ],
)
def test_a_score_is_rounded_to_one_decimal(way: str, value: str, rounded: str) -> None:
    assert Rounding(RoundingWay(way), 1)(Fraction(value)) == Fraction(rounded)


def test_a_number_has_forty_characters_at_most() -> None:
    assert exact("0." + "1" * 38) == Fraction("0." + "1" * 38)
    for long in ("0." + "1" * 39, 10**40):
        with pytest.raises(ValueError, match=r"characters|too large"):
            exact(long)


def test_an_abandoned_game_is_worth_nothing_where_the_rules_say_so() -> None:
    for ending in (Ending.ABANDONED, Ending.CONCEDED):
        assert set(counted(rules("nzdc1999").system, (17, 17, 0, 0, 0, 0, 0), ended=ending)) == {0}
    gone = score_board(board((12, 9, 6, 4, 3, 0, 0), ended=Ending.ABANDONED), rules("nzdc1999").system)
    assert {game.outcome for game in gone} == {Outcome.ABANDONED}
    solo = counted(rules("nzdc1999").system, (18, 16, 0, 0, 0, 0, 0), ended=Ending.ABANDONED)
    assert solo[0] == 110
    squares = rules("weaselmoot").system
    assert counted(squares, (17, 17, 0, 0, 0, 0, 0), ended=Ending.ABANDONED)[0] == 50


def test_a_win_a_draw_an_elimination_and_a_loss_are_told_apart() -> None:
    system = rules("nzdc1999").system
    drawn = [game.outcome for game in score_board(board((17, 17, 0, 0, 0, 0, 0)), system)]
    assert drawn == [Outcome.DRAW] * 2 + [Outcome.ELIMINATION] * 5
    won = [game.outcome for game in score_board(board((18, 16, 0, 0, 0, 0, 0)), system)]
    assert won == [Outcome.WIN] + [Outcome.LOSS] * 6


def test_eliminated_powers_score_by_the_setting() -> None:
    years = {1901: (5, 5, 5, 5, 5, 5, 4), 1902: (8, 7, 7, 6, 6, 0, 0), 1903: (12, 9, 6, 4, 2, 1, 0)}
    counts = (12, 9, 6, 4, 3, 0, 0)
    literal = points(rules("wdc2008").system, counts, years=years)
    for setting, sixth, seventh in (("nothing", 0, 0), ("0.1 per year", Fraction(2, 10), Fraction(1, 10))):
        parts = [{"give": "polynomial", "coefficients": [16, 4, 1]}]
        scoring = {"parts": parts, "pool": 100, "eliminated": setting}
        changed = read_scoring({"scoring": scoring, "totals": {"rounds": 4}}, setting)
        found = points(changed.system, counts, years=years)
        assert found[:5] == literal[:5]  # the dead stay in the denominator
        assert found[5:] == [sixth, seventh]


def test_sandard_has_six_powers_and_thirty_one_centres() -> None:
    system = rules("edc2023").system
    assert points(system, (10, 6, 5, 4, 4, 2))[0] == 46
    assert points(system, (16, 5, 5, 5, 0, 0)) == fractions(92, 0, 0, 0, 0, 0)
    assert points(system, (15, 6, 5, 3, 1, 1))[0] == 46


def test_a_late_arrival_scores_its_share_truncated_after_multiplying() -> None:
    played = board((7, 6, 5, 5, 5, 5, 1))
    seats = dict(played.seats)
    seats[Power.AUSTRIA] = Seat(player="late", instead_of="early", arrived=5)
    late = board((7, 6, 5, 5, 5, 5, 1), players="abcdefg")
    moved = type(late)(round=1, name="A", seats=seats, centres=late.centres)
    scores = {game.power: game.score for game in score_board(moved, rules("edc2023").system)}
    assert scores[Power.AUSTRIA] == int(Fraction(50 * 9, 14))
    assert int(Fraction(42 * 9, 14)) == 27
    assert [rules("edc2023").system.late_share(n) for n in (1, 14, 15)] == fractions("13/14", 0, 0)


def test_a_replaced_seat_brings_nobody_points_at_wdc_2008_but_stays_in_the_sum() -> None:
    whole = score_board(board((12, 9, 6, 4, 3, 0, 0)), rules("wdc2008").system)
    seats = dict(whole[0].board.seats) | {Power.AUSTRIA: Seat(player="new", instead_of="old")}
    changed = type(whole[0].board)(round=1, name="A", seats=seats, centres=whole[0].board.centres)
    scores = score_board(changed, rules("wdc2008").system)
    assert scores[0].score == 0
    assert [game.score for game in scores[1:]] == [game.score for game in whole[1:]]
    assert "no points to either" in scores[0].remarks[0]


def test_a_ruling_stands_above_the_formula_and_leaves_the_others_alone() -> None:
    whole = score_board(board((12, 9, 6, 4, 3, 0, 0)), rules("nzdc1999").system)
    helped = Seat(player="x", ruling=ScoreRuling(Fraction(0), "outside assistance"))
    seats = dict(whole[0].board.seats) | {Power.ENGLAND: helped}
    changed = type(whole[0].board)(round=1, name="A", seats=seats, centres=whole[0].board.centres)
    scores = score_board(changed, rules("nzdc1999").system)
    assert scores[1].score == 0
    assert "outside assistance" in scores[1].remarks[0]
    assert [g.score for g in scores if g.power is not Power.ENGLAND] == [
        g.score for g in whole if g.power is not Power.ENGLAND
    ]
