"""What few tournaments have: each as a block that combines with all others, worked by hand."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from workbook.events import Wishes, invent

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.rules.load import load_tournament
from pipeline.rules.rules_check import check_rules
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.awards import Held
from pipeline.scoring.results import Board, Bonus, ScoreRuling, Seat
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import Scored, score
from pipeline.scoring.system import Replacement, is_compared
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


def test_there_are_fifteen_of_them() -> None:
    assert len(SAMPLES) == 15


GROUPS = [{"rounds": [1, 2], "weights": [1]}, {"rounds": [3]}]
BEST = {"players": 2, "after": [1, 2], "weights": [1], "round": 3, "times": "150 %"}
LAST = board(CHART, number=3, players="ABCDEFG")


def test_who_moves_up_to_the_final_table_is_no_doubt() -> None:
    final = {"round": 3, "qualifying_rounds": [1], "seats": 6}
    boards = (
        board((12, 9, 6, 4, 2, 1, 0), players="ABCDEFG"),
        replace(board((10, 9, 6, 4, 3, 2, 0), number=3, players="ABCDEG-"), is_final=True),
    )
    codes = {
        moves_up: [doubt.code for doubt in scored(rules({"final": {**final, "moves_up": moves_up}}), *boards).doubts]
        for moves_up in (False, True)
    }
    assert codes == {False: ["not qualified"], True: []}


def test_a_final_table_that_counts_in_full_counts_for_another_title_like_any_other_board() -> None:
    final = {"round": 3, "qualifying_rounds": [1], "champion": "table", "total": "qualifying plus final"}
    ruled = rules({"final": final}, awards={"titles": [{"title": "best game", "weights": [1]}]})
    one = scored(ruled, board(CHART, players="BACDEFG"), replace(LAST, is_final=True))
    assert totals(one)["A"] == 9 + 12
    [title] = one.titles
    assert {each.contender.name: each.contender.total for each in title.ranking}["A"] == 12


def test_a_round_counts_more_for_the_best_before_it_and_in_the_total_alone() -> None:
    ruled = rules({"groups": GROUPS, "for_the_best": [BEST]}, ties={"players": ["highest game"]})
    boards = (board(CHART, players="BACDEFG"), board(CHART, number=2, players="CBADEFG"), LAST)
    found = scored(ruled, *boards)
    # after two rounds Bob and Cat have 12, Ann 9: they are the best two
    assert [totals(found)[name] for name in "ABC"] == [9 + 12, 12 + Fraction(3, 2) * 9, 12 + Fraction(3, 2) * 6]
    # Ann and Cat have 21 each, and 12 in their highest game: Cat's 9 does not become more for the tie-break
    assert [(row.player, row.place) for row in found.standings.rows[:3]] == [("B", 1), ("A", 2), ("C", 2)]
    [game] = [one for tally in found.standings.tallies for one in tally.games if tally.player.name == "B"][2:]
    assert game.game.score == 9
    assert game.weight == Fraction(3, 2)
    assert "best so far" in game.why


@pytest.mark.parametrize("last", [2, 3])
def test_two_rounds_may_count_more_for_the_best_and_one_of_them_twice(last: int) -> None:
    blocks = [{**BEST, "after": [1], "round": number, "times": 2} for number in (2, last)]
    boards = (board(CHART, players="ABCDEFG"), board(CHART, number=2, players="ABCDEFG"), LAST)
    found = totals(scored(rules({"for_the_best": blocks}), *boards))
    assert found["A"] == 12 + (2 * 12 + 2 * 12 if last == 3 else 4 * 12 + 12)
    assert found["C"] == 3 * 6


def test_wdc_2025_counts_the_best_two_of_three_and_half_as_much_again_of_the_fourth_for_the_best_21() -> None:
    """Three boards a round with 10 to 70 points: of 23 players after three rounds all but 1 and 8 are the best 21."""
    ruled = load_tournament(next(path for path in SAMPLES if path.stem == "wdc2025")).scoring
    first = (range(1, 8), range(8, 15), range(15, 22))
    rounds = (
        first,
        first,
        (range(1, 8), range(9, 16), range(17, 24)),
        (range(24, 17, -1), range(17, 10, -1), range(10, 3, -1)),
    )
    boards = [
        ruled_board(number, {str(who): points for who, points in zip(players, range(10, 80, 10), strict=True)}, str(n))
        for number, of_round in enumerate(rounds, start=1)
        for n, players in enumerate(of_round)
    ]
    found = totals(scored(ruled, *boards))
    half = Fraction(3, 2)
    assert [found[name] for name in ("7", "15", "16", "22", "23")] == [
        70 + 70 + half * 40, 70 + 10 + half * 30, 20 + 20 + half * 20, 60 + half * 30, 70 + half * 20
    ]  # fmt: skip
    assert [found[name] for name in ("1", "8", "24")] == [10 + 10, 10 + 10 + 30, 10]


def ruled_board(number: int, points: dict[str, int], name: str) -> Board:
    """A board of which the director has ruled every score."""
    made = board(CHART, number=number, players="A------", name=name)
    seats = {
        power: Seat(player=who, ruling=ScoreRuling(Fraction(score), ""))
        for power, (who, score) in zip(Power, points.items(), strict=True)
    }
    return replace(made, seats=seats)


def test_all_who_are_level_for_the_last_of_the_best_are_among_them_and_the_director_is_asked() -> None:
    boards = (board(LEVEL, players="ABCDEFG"), board(LEVEL, number=2, players="ABCDEFG"), LAST)
    ruled = rules({"for_the_best": [{**BEST, "players": 1}]})
    found = scored(ruled, *boards)
    assert [totals(found)[name] for name in "AB"] == [20 + 18, 20 + Fraction(27, 2)]
    [asked] = [doubt for doubt in found.doubts if doubt.code == "best level"]
    assert asked.text.startswith("A and B are level for the last of the 1 whose games count ×1.5")
    assert not scored(ruled, *boards[:2]).doubts  # the round has not begun
    parted = rules({"for_the_best": [{**BEST, "players": 1, "ties": ["lot"]}]})
    one = scored(parted, *boards, lots=(("B", "A"),))
    assert not one.doubts
    assert [totals(one)[name] for name in "AB"] == [20 + 12, 20 + Fraction(27, 2)]


POOL = {"name": "Top", "round": 3, "seats": 7, "after": [1]}


@pytest.mark.parametrize(
    ("totals", "path", "text"),
    [
        ({"groups": GROUPS[:1]}, "totals.groups", "round 3 is in no group; write one for it, too"),
        ({"groups": [*GROUPS, {"rounds": [2]}]}, "totals.groups", "round 2 is in two groups; leave it in one"),
        ({"groups": GROUPS, "weights": [1]}, "totals.weights", "each of the groups has weights of its own"),
        ({"groups": [{"rounds": [1, 3]}, {"rounds": [2]}]}, "totals.groups[0].rounds", "that follow one another"),
        ({"groups": GROUPS, "two_boards": "chosen"}, "totals.two_boards", "a choice is of one board of all rounds"),
        ({"groups": [{"rounds": [1, 2, 3], "counted": False}]}, "totals.groups", "no round counts"),
        ({"groups": [{**GROUPS[0], "counted": False}, GROUPS[1]]}, "totals.groups[0].weights", "no game of these"),
        ({"groups": GROUPS, "rounds": "any"}, "totals.groups", "a league has as many rounds as are played"),
        ({"for_the_best": [{**BEST, "after": [1, 3]}]}, "totals.for_the_best[0].after", "3 is not before round 3"),
        ({"for_the_best": [{"players": 21}]}, "totals.for_the_best[0].times", "missing"),
        ({"for_the_best": [{**BEST, "ties": ["x"]}]}, "totals.for_the_best[0].ties[0]", "'x' is no tie-break"),
        ({"pools": [POOL] * 3}, "totals.pools[2].name", "there is a pool 'Top' already"),
        ({"pools": [{**POOL, "name": "*"}]}, "totals.pools[0].name", "expected a name without signs, found '*'"),
        ({"size_weights": {"6": 1, "8": 1, "0": 1}}, "totals.size_weights.0", "expected a number of players from 1"),
        ({"bonuses": {"withdrawal": {}}}, "totals.bonuses.withdrawal.points", "missing; write what sitting out"),
        ({"penalties": [{"kind": "*", "points": 1}]}, "totals.penalties[0].kind", "without signs, found '*'"),
        ({"awards": {"titles": [{"title": "*"}]}}, "awards.titles[0].title", "without signs, found '*'"),
        ({"awards": {"titles": [{"title": "a"}] * 3}}, "awards.titles[2].title", "there is a title 'a' already"),
        (
            {"awards": {"board_games": {"weights": {"Go": 1}, "points": {"2": [2, 1], "3": [2, 1], "1": [1]}}}},
            "awards.board_games.points.1", "as many places as players, found 1",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_of_totals_and_awards_is_refused_with_its_key(
    totals: dict[str, Any], path: str, text: str
) -> None:
    awards = totals.get("awards", {})
    with pytest.raises(Stopped) as stopped:
        rules({key: value for key, value in totals.items() if key != "awards"}, awards=awards)
    assert any(problem.where == f"rare {path}" and text in problem.text for problem in stopped.value.problems)


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


def test_places_that_are_no_names_are_refused_beside_a_title_too() -> None:
    text = (
        '[scoring]\nsystem = "carnage"\n[totals]\nrounds = 2\n[awards]\nplaces = 3\n[[awards.titles]]\ntitle = "alpha"'
    )
    assert "awards.places" in str(check_rules(text, Path("a.toml")).faults[0])


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


@pytest.mark.parametrize("rule", Replacement)
def test_who_took_a_seat_over_is_compared_with_others_unless_nobody_scores_there(rule: Replacement) -> None:
    whole = board((12, 9, 6, 4, 3, 0, 0), players="abcdefg")
    seats = dict(whole.seats) | {Power.AUSTRIA: Seat(player="z", instead_of="a", arrived=5)}
    games = score(event(replace(whole, seats=seats)), rules({})).games
    own = replace(rules({}).system, replacement=rule)
    compared = {game.power: is_compared(game, own) for game in games}
    assert compared == {power: power is not Power.AUSTRIA or rule is not Replacement.NOBODY for power in Power}
