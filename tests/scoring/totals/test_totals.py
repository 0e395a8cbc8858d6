"""How games become a total: weights, two boards, bonuses, penalties, withdrawals."""

from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring.extras import PREREGISTRATION, WITHDRAWAL
from pipeline.scoring.results import Bonus, Entrant, Penalty, Seat
from pipeline.scoring.score import score
from scoring.played import board, doubts, event, rounds, ruled, rules, scored, totals

SCORES = st.sampled_from([0, 3, 5, 12, 24, 26, 38, 42, 46, 50, 100])


@pytest.mark.parametrize(
    ("tournament", "scores", "total"),
    [
        ("nzdc1999", (30, None, 20), "50"),
        ("nzdc1999", (30, "10.125", 20), "60.125"),
        ("weaselmoot", (10, 40, 30), "80"),
        ("weaselmoot", (10, 40, 30, 20), "90"),  # a fourth round: the best three
        ("wdc2008", (10, 40, 30, 20), "90"),
        ("wdc2008", (None, "33.5", None, None), "33.5"),
        ("edc1996", (20, 50, 10), "75"),
        ("edc1996", (20, 50, None, 10, 30), "95"),  # not on the final table: 50 + 30 + 20/2 + 10/2
        ("edc1996", (None, 50, None, 10, None), "60"),
        ("edc2023", (40, None, None, None), "44"),
        ("edc2023", (None, 50, 40, None), "97"),  # 55 + 40 + 2 for two rounds
        ("edc2023", (50, 40, 30, None), "108"),  # 50 + 40 + 15 + 3
        ("edc2023", (20, 50, 40, 30), "113"),  # 50 + 36 + 15 + 8 + 4
        ("edc2023", (21, 21, 21, None), "55"),  # 21 + 21 + 10.5 + 3 = 55.5, truncated
    ],
)
def test_games_are_weighted_as_each_tournament_says(tournament: str, scores: tuple[object, ...], total: str) -> None:
    assert totals(scored(tournament, *rounds("ann", *scores)))["ann"] == Fraction(total)


@given(
    scores=st.lists(SCORES, min_size=1, max_size=4),
    spots=st.permutations([1, 2, 3, 4]),
    is_announced=st.booleans(),
    costs=st.lists(st.sampled_from(["late", "contesting", "absence"]), max_size=3),
    withdrawal=st.sampled_from([None, 7, 11]),
)
def test_an_edc_2023_total_follows_its_section_d(
    scores: list[int], spots: list[int], is_announced: bool, costs: list[str], withdrawal: int | None
) -> None:
    """The sum is written here once more, the way section D says it."""
    played = sorted(spots[: len(scores)])
    boards = [ruled(number, {"ann": points}) for number, points in zip(played, scores, strict=True)]
    penalties = tuple(Penalty(player="ann", kind=kind) for kind in costs)
    given_bonus = (Bonus(player="ann", kind=WITHDRAWAL, points=Fraction(withdrawal)),) if withdrawal else ()
    ann = Entrant(name="ann", preregistered=frozenset({1, 4} if is_announced else ()))
    one = scored("edc2023", *boards, players=[ann], penalties=penalties, bonuses=given_bonus)
    table = {1: (110,), 2: (110, 100), 3: (100, 100, 50), 4: (100, 90, 50, 40)}[len(scores)]
    weighted = sum(Fraction(w, 100) * s for w, s in zip(table, sorted(scores, reverse=True), strict=True))
    bonus = len(scores) if len(scores) >= 2 else 0
    bonus += 1 if is_announced and {1, 4} <= set(played) else 0
    if "absence" in costs:
        bonus = 0
    price = {"late": 1, "contesting": 5, "absence": 15}
    whole = weighted + bonus + (withdrawal or 0) - sum(price[kind] for kind in costs)
    assert totals(one)["ann"] == int(whole)  # int() truncates towards zero
    assert one.standings.rows[0].tally.exact == whole


def test_two_scores_that_truncate_alike_are_equal() -> None:
    seats = {"ann": "21.5", "bob": "21.33"}
    boards = [ruled(1, seats), ruled(2, seats), ruled(3, {"ann": 0, "bob": 0})]
    one = scored("edc2023", *boards)
    assert [(row.place, row.is_tied) for row in one.standings.rows] == [(1, True), (1, True)]


def test_only_the_higher_of_two_boards_in_a_round_counts_at_the_weasel_moot() -> None:
    boards = [ruled(1, {"ann": 30}), ruled(1, {"ann": 10}, name="B"), ruled(2, {"ann": 20}), ruled(3, {"ann": 15})]
    one = scored("weaselmoot", *boards)
    assert totals(one)["ann"] == 65
    dropped = [game.game.board.name for game in one.standings.rows[0].tally.games if game.is_dropped]
    assert dropped == ["B"]


def test_the_dropped_board_wins_no_award_for_its_power_either() -> None:
    first = board((12, 0, 3, 6, 9, 0, 4), players="a")
    second = board((12, 4, 4, 4, 4, 3, 3), players="-a", name="B")
    one = scored("weaselmoot", first, second)
    assert [best.power for best in one.powers] == [Power.AUSTRIA]


def test_two_boards_both_count_at_edc_2023_until_all_rounds_were_played() -> None:
    boards = [ruled(1, {"ann": 30}), ruled(1, {"ann": 20}, name="B"), ruled(2, {"ann": 10})]
    one = scored("edc2023", *boards)
    assert totals(one)["ann"] == 30 + 20 + 5 + 2  # three games, two rounds
    assert doubts(one) == []


def test_with_all_rounds_played_the_player_chooses_which_of_two_boards_counts() -> None:
    boards = [ruled(1, {"ann": 30}), ruled(1, {"ann": 20}, name="B"), *rounds("ann", None, 10, 10, 10)]
    unchosen = scored("edc2023", *boards)
    assert totals(unchosen)["ann"] == 30 + 9 + 5 + 4 + 4
    assert doubts(unchosen) == [
        "ann, round 1: no choice of board is noted; the higher one, A, counts until the player chooses"
    ]
    chooser = Entrant(name="ann", chosen={1: "B"})
    chosen = scored("edc2023", *boards, players=[chooser])
    assert totals(chosen)["ann"] == 20 + 9 + 5 + 4 + 4
    assert doubts(chosen) == []


def test_where_the_rules_are_silent_on_two_boards_both_count_and_the_director_is_asked() -> None:
    one = scored("wdc2008", ruled(1, {"ann": 30}), ruled(1, {"ann": 20}, name="B"))
    assert totals(one)["ann"] == 50
    assert doubts(one) == ["ann, round 1: two boards in one round; the rules do not say what counts, so both do"]


def test_where_the_rules_are_silent_on_two_boards_the_director_may_say_which_counts() -> None:
    boards = [ruled(1, {"ann": 30}), ruled(1, {"ann": 20}, name="B")]
    said = scored("wdc2008", *boards, players=[Entrant(name="ann", chosen={1: "B"})])
    assert totals(said)["ann"] == 20
    assert doubts(said) == []


def test_the_final_table_brings_no_bonus_where_the_rules_have_none() -> None:
    one = scored("edc1996", *rounds("ann", 9, 9, 9), ruled(5, {"ann": 20}, is_final=True))
    assert next(row.tally.extras for row in one.standings.rows if row.player == "ann") == ()


@pytest.mark.parametrize("players", [3, 7, 8, 14, 21])
def test_a_withdrawal_is_worth_the_first_tercile_of_its_round(players: int) -> None:
    scores = [(number * 13) % 50 for number in range(players)]
    names = [f"p{number}" for number in range(players)]
    boards = [
        ruled(1, dict(zip(names[start : start + 7], scores[start : start + 7], strict=True)), name=str(start))
        for start in range(0, players, 7)
    ]
    later = ruled(2, {"ann": 20})
    one = scored("edc2023", *boards, later, bonuses=(Bonus(player="ann", kind=WITHDRAWAL, round=1),))
    tercile = sorted(scores)[ceil(players / 3) - 1]
    assert totals(one)["ann"] == 22 + tercile  # no participation bonus: the withdrawal is not a round played
    assert one.standings.totals["ann"] == 22 + tercile


def test_who_withdrew_and_never_played_still_stands_in_the_list() -> None:
    one = scored("edc2023", ruled(1, {"ann": 20}), bonuses=(Bonus(player="bob", kind=WITHDRAWAL, round=1),))
    assert totals(one) == {"ann": 22, "bob": 20}


def test_an_absence_takes_the_bonuses_but_not_the_withdrawal() -> None:
    boards = rounds("ann", 20, 20, None, 20)
    ann = Entrant(name="ann", preregistered=frozenset({1, 4}))
    before = scored("edc2023", *boards, players=[ann])
    assert totals(before)["ann"] == 50 + 3 + 1
    notes: dict[str, Any] = {
        "penalties": (Penalty(player="ann", kind="absence", round=3),),
        "bonuses": (Bonus(player="ann", kind=WITHDRAWAL, points=Fraction(9)),),
    }
    after = scored("edc2023", *boards, players=[ann], **notes)
    assert totals(after)["ann"] == 50 + 9 - 15
    kinds = {extra.kind: extra.points for extra in after.standings.rows[0].tally.extras}
    assert kinds == {"participation": 0, PREREGISTRATION: 0, WITHDRAWAL: 9, "absence": -15}
    fine = Penalty(player="ann", kind="own word", points=Fraction(2))
    fined = scored("edc2023", *boards, players=[ann], **{**notes, "penalties": (fine, *notes["penalties"])})
    assert totals(fined)["ann"] == 50 + 9 - 15 - 2  # whichever penalty is noted first


def test_misconduct_takes_all_positive_points_and_leaves_the_penalties() -> None:
    notes = (Penalty(player="ann", kind="late", times=3), Penalty(player="ann", kind="conduct", reason="cheating"))
    one = scored("edc2023", *rounds("ann", 20, 20, 20), penalties=notes)
    assert totals(one)["ann"] == -3
    assert [extra.why for extra in one.standings.rows[0].tally.extras][-1] == "cheating"


def test_misconduct_leaves_what_was_taken_off_by_a_bonus_below_nothing() -> None:
    """A bonus that the director states below zero is no positive point, so nothing of it is given back (EDC23 D4)."""
    notes = {
        "penalties": (Penalty(player="ann", kind="conduct", reason="cheating"),),
        "bonuses": (Bonus(player="ann", kind="own word", points=Fraction(-4)),),
    }
    assert totals(scored("edc2023", *rounds("ann", 20, 20, 20), **notes))["ann"] == -4


@pytest.mark.parametrize(
    ("noted", "why"),
    [
        (Penalty(player="ann", kind="late"), ""),
        (Penalty(player="ann", kind="late", times=2), "2 times"),
        (Penalty(player="ann", kind="late", reason="overslept", round=2, times=3), "overslept, round 2, 3 times"),
    ],
)
def test_a_penalty_says_why_when_and_how_often(noted: Penalty, why: str) -> None:
    charged = scored("edc2023", *rounds("ann", 20, 20), penalties=(noted,)).standings.rows[0].tally.extras[-1]
    assert (charged.points, charged.why) == (Fraction(-noted.times), why)


def test_two_misconducts_do_not_take_the_points_twice() -> None:
    twice = tuple(Penalty(player="ann", kind="conduct") for _ in range(2))
    assert totals(scored("edc2023", *rounds("ann", 20, 20), penalties=twice))["ann"] == 0


def test_the_director_may_deduct_any_points_anywhere() -> None:
    fine = (Penalty(player="ann", kind="persistently late", points=Fraction(5)),)
    for tournament in ("nzdc1999", "wdc2008", "weaselmoot"):
        assert totals(scored(tournament, *rounds("ann", 20, 20), penalties=fine))["ann"] == 35


def test_points_that_the_director_states_for_a_bonus_replace_the_computed_ones() -> None:
    stated = (Bonus(player="ann", kind="participation", points=Fraction(1)),)
    assert totals(scored("edc2023", *rounds("ann", 20, 20), bonuses=stated))["ann"] == 42 + 1


def test_the_director_plays_without_a_rank_and_his_centres_stay_on_the_board() -> None:
    played = board((12, 4, 4, 4, 4, 3, 3), players="tbcdefg")
    one = score(event(played, players=[Entrant(name="t", is_director=True)]), rules("weaselmoot"))
    assert [row.player for row in one.standings.rows] == ["b", "c", "d", "e", "f", "g"]
    assert totals(one)["b"] == Fraction(1600, 226)
    assert [tally.player.name for tally in one.standings.unranked] == ["t"]
    assert Power.AUSTRIA not in [best.power for best in one.powers]


def test_a_position_nobody_scores_with_shares_in_the_board_but_not_in_the_list() -> None:
    one = scored("nzdc1999", board((12, 9, 6, 4, 3, 0, 0), players="-bcdefg"))
    assert len(one.standings.rows) == 6
    assert totals(one)["b"] == Fraction("24.561")  # raw 14 of 57: the seventh power is taken not to have seen 1905


def test_who_was_replaced_at_wdc_2008_is_listed_with_nothing() -> None:
    played = board((12, 9, 6, 4, 3, 0, 0), players="abcdefg")
    seats = dict(played.seats) | {Power.AUSTRIA: Seat(player="new", instead_of="old")}
    one = scored("wdc2008", replace(played, seats=seats))
    assert totals(one)["old"] == totals(one)["new"] == 0


def test_an_excluded_player_is_scored_but_not_ranked() -> None:
    one = scored("edc1996", ruled(1, {"ann": 50, "bob": 20}), players=[Entrant(name="ann", is_excluded=True)])
    assert [row.player for row in one.standings.rows] == ["bob"]


def test_a_fourth_game_in_the_first_four_rounds_is_asked_about_at_edc_1996() -> None:
    one = scored("edc1996", *rounds("ann", 10, 20, 30, 40))
    assert doubts(one) == ["ann: 4 games in rounds 1, 2, 3, 4; the rules allow 3"]


def test_every_game_says_what_it_brings_to_the_total() -> None:
    one = scored("edc2023", *rounds("ann", 20, 50, 40, 30))
    account = one.standings.rows[0].tally
    assert [(game.why, game.weight, game.points) for game in account.games] == [
        ("4th best of 4", Fraction(2, 5), Fraction(8)),
        ("best of 4", Fraction(1), Fraction(50)),
        ("2nd best of 4", Fraction(9, 10), Fraction(36)),
        ("3rd best of 4", Fraction(1, 2), Fraction(15)),
    ]
    assert account.weighted == 109


def test_volunteers_of_edc_2023_are_asked_once_and_for_one_thing() -> None:
    boards = [
        ruled(1, {"ann": 1}),
        ruled(1, {"ann": 2}, name="B"),
        ruled(2, {"ann": 3}),
        ruled(2, {"ann": 4}, name="B"),
    ]
    notes = tuple(Bonus(player="ann", kind=WITHDRAWAL, points=Fraction(1), round=number) for number in (3, 4))
    assert doubts(scored("edc2023", *boards, bonuses=notes)) == [
        "ann: 2 rounds on two boards; the rules allow one",
        "ann: 2 withdrawals; the rules allow one",
        "ann: two boards in one round and a withdrawal exclude each other",
    ]


def test_where_every_board_counts_nobody_is_asked_about_rounds_on_two_boards() -> None:
    """One of two boards is chosen by the rules of EDC 2023; by Weasel Moot's all count."""
    games = iter(range(1, 5))
    twice = [ruled(number, {"ann": next(games)}, name=name) for number in (1, 2) for name in "AB"]
    assert doubts(scored("weaselmoot", *twice)) == []
