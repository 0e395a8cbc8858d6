"""What few tournaments have: each as a block that combines with all others, worked by hand."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from workbook.events import Wishes, invent

from pipeline.board import Power
from pipeline.rules.load import load_tournament
from pipeline.rules.rules_check import check_rules
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.awards import Group, Held
from pipeline.scoring.results import Board, Bonus, ScoreRuling, Seat
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import Scored, score
from scoring.played import board, event, order, totals

SAMPLES = sorted((Path(__file__).parents[3] / "samples/tournaments").glob("*.toml"))
CENTRES = {"parts": [{"give": "centres"}], "solo": {"winner": 100}}
CHART = (12, 9, 6, 4, 3, 0, 0)
LEVEL = (10, 10, 5, 5, 4, 0, 0)


def rules(totals: dict[str, Any], scoring: dict[str, Any] | None = None, **tables: Any) -> ScoringRules:
    return read_scoring({"scoring": scoring or CENTRES, "totals": {"rounds": 3, **totals}, **tables}, "rare")


def scored(ruled: ScoringRules, *boards: Board, **notes: Any) -> Scored:
    return score(event(*boards, **notes), ruled)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_each_written_tournament_is_read_without_a_fault_and_scores_a_whole_event(path: Path) -> None:
    assert not check_rules(path.read_text("utf-8"), path).faults
    found = load_tournament(path).scoring
    many = found.totals.rounds
    ran = score(invent(3, Wishes(players=28, rounds=many, final=found.final is not None)), found)
    assert ran.progress.is_over
    assert len(ran.standings.rows) > 20
    assert all(award.winners for award in ran.awards)


def test_there_are_twelve_of_them() -> None:
    assert len(SAMPLES) == 12


def test_scores_are_multiplied_by_their_round_and_by_the_size_of_their_table() -> None:
    ruled = rules({"round_weights": ["2/3", 1], "size_weights": {"6": "6/7"}})
    one = scored(ruled, board(CHART, players="ABCDEFG"), board(CHART, number=2, players="ABCDE-G"))
    assert totals(one)["A"] == Fraction(2, 3) * 12 + Fraction(6, 7) * 12
    assert totals(one)["F"] == 0
    ran = scored(ruled, board(CHART, number=3, players="ABCDEFG"))
    assert totals(ran)["B"] == 9  # no weight is written for the third round


@pytest.mark.parametrize(
    ("weights", "score"), [({"round_weights": ["1/2", 1]}, 6), ({"size_weights": {"7": "1/3"}}, 4), ({}, 12)]
)
def test_scores_are_multiplied_by_one_of_the_two_alone(weights: dict[str, Any], score: int) -> None:
    assert totals(scored(rules(weights), board(CHART, players="ABCDEFG")))["A"] == score


def test_centres_after_an_earlier_year_are_points() -> None:
    parts = [{"give": "centres", "year": 1905}, {"give": "centres", "year": 1907, "each": 2}]
    ruled = rules({}, {"parts": parts, "solo": {"winner": 100}})
    years = {1905: LEVEL, 1907: CHART}
    one = scored(ruled, board(CHART, players="ABCDEFG", years=years))
    assert totals(one)["A"] == 10 + 24
    assert totals(one)["E"] == 4 + 6
    assert not [doubt for doubt in one.doubts if doubt.code in ("years unrecorded", "score guessed")]
    missing = scored(ruled, board(CHART, players="ABCDEFG", years={1907: CHART}))
    assert [doubt.code for doubt in missing.doubts] == ["years unrecorded"]
    early = scored(ruled, board(LEVEL, players="ABCDEFG", years={1905: LEVEL}))
    assert [doubt.code for doubt in early.doubts] == ["score guessed"]
    assert totals(early)["A"] == 10 + 20


def test_who_stands_down_gets_so_many_points() -> None:
    ruled = rules({"bonuses": {"withdrawal": {"points": 10}}})
    one = scored(ruled, board(CHART, players="ABCDEFG"), bonuses=(Bonus(player="Z", kind="withdrawal", round=1),))
    assert totals(one)["Z"] == 10


def test_opponents_are_those_of_all_games_of_a_player() -> None:
    ruled = rules({}, ties={"players": ["opponents"]})
    level = scored(
        ruled,
        board((10, 10, 14, 0, 0, 0, 0), players="ABCDEFG"),
        board((0, 0, 17, 14, 3, 0, 0), number=2, players="AHIJKLM"),
    )
    assert totals(level)["J"] == totals(level)["C"] == 14
    found = {name: place for place, name in order(level)}
    assert found["J"] < found["C"]  # J met I with 17, A with 10 and K with 3; C met A and B with 10 each
    assert found["A"] < found["B"]  # A met J and I besides


def test_a_second_ranking_makes_a_title_of_its_own() -> None:
    ruled = load_tournament(next(path for path in SAMPLES if path.stem == "wdc2012")).scoring
    one = score(invent(5, Wishes(players=28, rounds=5, final=True)), ruled)
    titles = {award.title: award for award in one.awards}
    assert next(iter(titles)) == "world champion"
    alpha, best = titles["Alpha Weasel"], max(t.contender.total for t in one.titles[1].ranking)
    assert (alpha.group, alpha.held) == (Group.TITLES, Held.GIVEN)
    assert alpha.value == best
    unfinished = scored(ruled, board(CHART, players="ABCDEFG"))
    assert [a.held for a in unfinished.awards if a.group is Group.TITLES] == [Held.LEADS, Held.LEADS]


def test_places_that_are_no_names_are_refused_beside_a_title_too() -> None:
    text = (
        '[scoring]\nsystem = "carnage"\n[totals]\nrounds = 2\n[awards]\nplaces = 3\n[[awards.titles]]\ntitle = "alpha"'
    )
    assert "awards.places" in str(check_rules(text, Path("a.toml")).faults[0])


def test_a_pool_grows_with_the_years_that_were_played() -> None:
    ruled = rules({}, {**CENTRES, "pool": 34, "pool_each_year": 17, "pool_after": 1905})
    one = scored(ruled, board(CHART, players="ABCDEFG", years=dict.fromkeys(range(1901, 1908), CHART)))
    assert totals(one)["A"] == 24  # 34 and twice 17: two points a centre
    unknown = scored(ruled, board(CHART, players="ABCDEFG"))
    assert totals(unknown)["A"] == 12
    assert [doubt.code for doubt in unknown.doubts] == ["years unrecorded"]


def test_a_league_has_as_many_rounds_as_are_played_and_is_never_over() -> None:
    ruled = rules({"rounds": "any"})
    one = scored(ruled, *(board(CHART, number=number, players="ABCDEFG") for number in range(1, 13)))
    assert totals(one)["A"] == 144
    assert not one.doubts
    assert str(one.progress) == "after round 12"
    assert {award.held for award in one.awards} == {Held.LEADS}
    text = '[scoring]\nsystem = "carnage"\n[totals]\nrounds = "any"\ntwo_boards = "chosen"'
    assert "a league has no last one" in str(check_rules(text, Path("a.toml")).faults[0])


def test_board_winners_sit_down_at_the_final_table_before_all_others() -> None:
    final = {"round": 2, "seats": 3, "qualifying_rounds": [1], "champion": "table", "winners_first": True}
    boards = (
        board((9, 8, 7, 6, 4, 0, 0), players="ABCDEFG"),
        board((17, 16, 1, 0, 0, 0, 0), name="B", players="HIJKLMN"),
        board((15, 15, 4, 0, 0, 0, 0), name="C", players="OPQRSTU"),
    )
    one = scored(rules({"final": final}), *boards)
    assert one.qualification is not None
    assert one.qualification.finalists == ("H", "A", "I")  # O and P share a top, which wins no board
    without = scored(rules({"final": {**final, "winners_first": False}}), *boards)
    assert without.qualification is not None
    assert without.qualification.finalists == ("H", "I")  # O and P are level for the last seat


BESIDE: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    "difference": ({"by": "difference"}, {"A": 2, "H": -2}),
    "quotient": ({"by": "quotient", "mean": 50}, {"A": 60, "H": 40}),
    "places": ({"by": "places", "bonuses": [10, 6]}, {"A": 10, "H": 6}),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_score_is_set_against_those_of_the_same_power_on_other_boards(name: str) -> None:
    how, expected = BESIDE[name]
    boards = (board(CHART, players="ABCDEFG"), board((8, 9, 6, 4, 3, 4, 0), name="B", players="HIJKLMN"))
    found = totals(scored(rules({}, {**CENTRES, "compared": how}), *boards))
    assert {key: found[key] for key in expected} == expected
    assert found["B"] == found["I"]


def test_a_seat_that_nobody_scores_for_is_compared_with_none() -> None:
    first, second = board(CHART, players="ABCDEFG"), board((8, 9, 6, 4, 3, 4, 0), name="B", players="HIJKLMN")
    seats = {**second.seats, Power.AUSTRIA: Seat(player="H", instead_of="Z", arrived=5)}
    how = {**CENTRES, "compared": {"by": "difference"}, "replaced": "nobody"}
    found = totals(scored(rules({}, how), first, replace(second, seats=seats)))
    assert found["A"] == found["H"] == 0  # the 12 are compared with themselves
    assert found["C"] == found["J"] == 0


def test_comparison_is_within_a_round_unless_the_rules_say_the_event() -> None:
    boards = (board(CHART, players="ABCDEFG"), board((8, 9, 6, 4, 3, 4, 0), number=2, players="HIJKLMN"))
    alone = totals(scored(rules({}, {**CENTRES, "compared": {"by": "difference"}}), *boards))
    assert set(alone.values()) == {0}
    whole = totals(scored(rules({}, {**CENTRES, "compared": {"by": "difference", "in": "event"}}), *boards))
    assert whole["A"] == 2


@pytest.mark.parametrize("name", BESIDE)
def test_what_is_taken_of_a_comparison_is_in_doubt_until_a_paragraph_of_the_rules_is_named(name: str) -> None:
    how, _ = BESIDE[name]
    boards = (board(LEVEL, players="ABCDEFG"), board((10, 9, 7, 5, 1, 1, 1), name="B", players="HIJKLMN"))
    [taken] = scored(rules({}, {**CENTRES, "compared": how}), *boards).doubts
    assert (taken.code, taken.where) == ("comparison guessed", "standings")
    assert f'"{name}"' in taken.text
    assert "name their paragraph as 'rule' in [scoring.compared]" in taken.text
    assert not scored(rules({}, {**CENTRES, "compared": {**how, "rule": "C 3"}}), *boards).doubts
    by = {**how, "by": {"value": name, "rule": "C 3"}}
    assert not scored(rules({}, {**CENTRES, "compared": by}), *boards).doubts
    why = {**how, "why": "we always did"}
    assert len(scored(rules({}, {**CENTRES, "compared": why}), *boards).doubts) == 1
    assert not scored(rules({}, {**CENTRES, "compared": how})).doubts  # nothing is compared yet


def test_a_multiple_of_a_mean_that_is_nought_or_less_is_in_doubt() -> None:
    how = {"by": "quotient", "rule": "C 3"}
    dead = board(CHART, players="ABCDEFG")  # nobody who played Russia or Turkey has a centre
    [none] = scored(rules({}, {**CENTRES, "compared": how}), dead).doubts
    assert (none.code, none.where) == ("score guessed", "round 1, A")
    assert "the mean of RUSSIA and TURKEY is not above 0" in none.text
    alive = board((10, 9, 7, 5, 1, 1, 1), name="B", players="HIJKLMN")
    assert not scored(rules({}, {**CENTRES, "compared": how}), dead, alive).doubts
    ruling = ScoreRuling(Fraction(3), "looked at")
    seats = {power: replace(s, ruling=None if dead.centres[power] else ruling) for power, s in dead.seats.items()}
    assert not scored(rules({}, {**CENTRES, "compared": how}), replace(dead, seats=seats)).doubts


def test_wins_go_before_points() -> None:
    ruled = rules({"wins_first": True}, {**CENTRES, "solo": {"winner": 1}})
    one = scored(ruled, board((18, 16, 0, 0, 0, 0, 0), players="ABCDEFG"), board(CHART, number=2, players="BHIJKLM"))
    assert totals(one)["A"] < totals(one)["B"]
    assert order(one)[:2] == [(1, "A"), (2, "B")]


def test_the_best_of_a_power_goes_by_centres_and_not_on_the_top_board_where_the_rules_say_so() -> None:
    awards = {"power_by": "centres", "power_final": False}
    final = {"round": 2, "qualifying_rounds": [1], "champion": "table"}
    solo = (18, 3, 3, 3, 3, 4, 0)
    boards = (
        board(CHART, players="ABCDEFG"),
        board((11, 9, 6, 4, 3, 0, 1), name="B", players="HIJKLMN"),
        board(solo, number=2, players="ABCDEFG", is_final=True),
    )
    one = scored(rules({"final": final}, awards=awards), *boards)
    assert [best.players for best in one.powers][:1] == [("A",)]
    assert one.powers[0].games[0].round == 1
    assert one.powers[0].games[0].centres == 12
