"""Final tables: who qualifies, who is champion, and what it changes for everybody else."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring.results import Board, Bonus, Entrant, Penalty
from pipeline.scoring.score import Scored
from pipeline.scoring.standings_in_words import how_it_counts
from scoring.played import board, doubts, order, ruled, rules, scored, totals, why

SEVEN = "abcdefg"


def final(number: int, counts: Sequence[int], players: str = SEVEN, **more: object) -> Board:
    return replace(
        board(counts, number=number, players=players, name="top"), is_final=True, **more
    )  # fields of a board


def warm_up(*scores: dict[str, int]) -> list[Board]:
    return [ruled(number, given) for number, given in enumerate(scores, start=1)]


def field_of(size: int, rounds: Sequence[int]) -> list[Board]:
    """A full field whose first seven are far ahead of the others."""
    names = [f"p{n:02}" for n in range(size - 7)]
    boards = []
    for number in rounds:
        boards.append(ruled(number, {name: 40 - k for k, name in enumerate(SEVEN)}, name="top"))
        for start in range(0, len(names), 7):
            scores = {name: 3 + k for k, name in enumerate(names[start : start + 7])}
            boards.append(ruled(number, scores, name=f"t{start}"))
    return boards


# --- EDC 2023 --------------------------------------------------------------------------------------------------------


def test_the_winner_of_the_final_wins_the_tournament_whatever_the_others_have() -> None:
    boards = [*warm_up({"a": 50, "b": 10}, {"a": 50, "b": 10}, {"a": 50, "b": 10}), final(4, (5, 12, 6, 5, 3, 2, 1))]
    one = scored("edc2023", *boards)
    assert order(one)[0] == (1, "b")
    assert one.standings.rows[0].is_champion
    b = one.standings.rows[0].tally
    assert [(extra.kind, extra.points) for extra in b.extras] == [
        ("participation", Fraction(4)),
        ("final table", Fraction(15, 100) * b.weighted),
        ("final victory", Fraction(1000)),
    ]
    assert b.weighted == 50 + 9 + 5 + 4


def test_fifteen_percent_are_of_the_weighted_sum_and_truncated_with_the_whole() -> None:
    one = scored("edc2023", *warm_up({"c": 37}, {"c": 31}, {"c": 20}), final(4, (5, 12, 6, 5, 3, 2, 1)))
    weighted = 37 + Fraction("31.5") + Fraction("15.5") + 8  # 35 points on the final table are his second best
    assert totals(one)["c"] == int(weighted * Fraction("1.15") + 4)


def test_a_tie_for_first_goes_to_who_chose_the_power_last() -> None:
    tied = (12, 12, 4, 3, 2, 1, 0)
    open_one = scored("edc2023", *warm_up({"a": 1}), final(4, tied))
    assert [(row.player, row.place, row.is_tied) for row in open_one.standings.rows[:2]] == [
        ("a", 1, True),
        ("b", 1, True),
    ]
    assert "final table: a and b are level; enter the order in which the final table chose its powers" in doubts(
        open_one
    )
    assert totals(open_one)["a"] < 1000
    chosen = scored("edc2023", *warm_up({"a": 1}), final(4, tied, chose=tuple("gfedcba")))
    assert order(chosen)[:2] == [(1, "a"), (2, "b")]
    assert why(chosen, "a") == "chose last: 7 against 6 (b)"
    assert totals(chosen)["a"] > 1000


def test_a_final_table_needs_twenty_eight_positive_results() -> None:
    small = scored("edc2023", *field_of(27, (1, 2, 3)))
    assert small.qualification is not None
    assert not small.qualification.is_held
    assert small.qualification.positive == 27
    assert small.qualification.finalists == ()
    large = scored("edc2023", *field_of(28, (1, 2, 3)))
    assert large.qualification is not None
    assert large.qualification.is_held
    assert large.qualification.finalists == tuple(SEVEN)
    assert large.qualification.choosing == tuple(reversed(SEVEN))  # the lowest ranked picks a place first


def test_who_has_exactly_nothing_is_not_positive() -> None:
    whole = scored("edc2023", *field_of(28, (1, 2, 3))).qualification
    assert whole is not None
    last = whole.ranking[-1].contender
    fine = Penalty(player=last.name, kind="contesting", points=last.total)
    fined = scored("edc2023", *field_of(28, (1, 2, 3)), penalties=(fine,)).qualification
    assert fined is not None
    assert fined.ranking[-1].contender.total == 0
    assert [fined.positive, fined.is_held] == [27, False]


def test_the_bonus_for_pre_registration_needs_rounds_one_and_four() -> None:
    ann = Entrant(name="ann", preregistered=frozenset({1, 4}))
    both = scored("edc2023", ruled(1, {"ann": 10}), ruled(4, {"ann": 10}), players=[ann])
    assert totals(both)["ann"] == 21 + 2 + 1
    first_only = scored("edc2023", ruled(1, {"ann": 10}), ruled(2, {"ann": 10}), players=[ann])
    assert totals(first_only)["ann"] == 21 + 2
    noted = scored(
        "edc2023", ruled(1, {"ann": 10}), ruled(4, {"ann": 10}), bonuses=(Bonus(player="ann", kind="preregistration"),)
    )
    assert totals(noted)["ann"] == 21 + 2 + 1


def test_qualification_for_the_final_is_by_best_table_then_second_then_travel() -> None:
    def level(first: dict[str, int], second: dict[str, int], km: int = 0) -> Scored:
        boards = [*field_of(28, (1, 2, 3))]
        for number, given in ((1, first), (2, second)):
            boards.append(ruled(number, given, name="extra"))
        return scored("edc2023", *boards, players=[Entrant(name="y", distance_km=km), Entrant(name="z", distance_km=5)])

    same_table = level({"y": 90, "z": 80}, {"y": 50, "z": 61}, 0)
    assert same_table.qualification is not None
    both = [p for p in same_table.qualification.ranking if p.contender.name in "yz"]
    assert [p.contender.total for p in both] == [151, 151]
    assert str(both[0].decision) == "highest game: 90 against 80 (z)"
    far = level({"y": 90, "z": 90}, {"y": 50, "z": 50}, 300)
    assert far.qualification is not None
    first = next(p for p in far.qualification.ranking if p.contender.name == "y")
    assert str(first.decision) == "distance: 300 against 5 (z)"


# --- EDC IV, 1996 -----------------------------------------------------------------------------------------------------


def test_a_finalist_of_1996_adds_the_final_in_full_to_his_intermediate_score() -> None:
    boards = [*warm_up({"a": 50, "x": 50}, {"a": 20, "x": 20}, {"a": 10, "x": 10})]
    top = final(5, (3, 11, 8, 8, 3, 1, 0))
    one = scored("edc1996", *boards, top, ruled(5, {"x": 4}))
    assert totals(one)["a"] == 50 + 20 + 5 + 4  # 4 = 3 centres + 1, the worst game counts in full
    assert totals(one)["x"] == 50 + 20 + 5 + 2


@pytest.mark.parametrize(("number", "qualifies"), [(2, False), (5, True)])
def test_a_penalty_of_the_last_round_costs_nobody_his_seat_at_the_final_table(number: int, qualifies: bool) -> None:
    fine = Penalty(player="h", kind="contesting", points=Fraction(60), round=number)
    boards = warm_up(*[dict.fromkeys("abcdf", 30)] * 4)
    boards += [ruled(n, dict.fromkeys("ghi", 40 + n), name="B") for n in (1, 2, 3, 4)]
    one = scored("edc1996", *boards, penalties=(fine,))
    assert one.qualification is not None
    assert ("h" in one.qualification.finalists) == qualifies


def test_the_director_does_not_qualify_whatever_he_scores() -> None:
    one = scored("edc1996", *warm_up(*[{"td": 70, "a": 10}] * 4), players=[Entrant(name="td", is_director=True)])
    assert one.qualification is not None
    assert "a" in one.qualification.finalists + one.qualification.undecided
    assert "td" not in one.qualification.finalists


def test_how_a_finalist_of_1996_is_scored_is_told_on_the_wall() -> None:
    told = how_it_counts(rules("edc1996"))[0]
    assert "; for finalists ×1, ×1, ×0.5, and the final in full" in told
    assert "finalists" not in how_it_counts(rules("edc2023"))[0]


def test_another_board_beside_the_final_of_1996_brings_a_finalist_nothing() -> None:
    boards = [*warm_up({"b": 10}), final(5, (3, 11, 8, 8, 3, 1, 0))]
    beside = scored("edc1996", *boards, ruled(5, {"b": 40}, name="beside"))
    assert totals(beside)["b"] == totals(scored("edc1996", *boards))["b"]


def test_the_champion_of_1996_is_the_best_of_the_finalists_and_others_may_be_second() -> None:
    boards = warm_up({"x": 73, "a": 10}, {"x": 73, "b": 30}, {"x": 73, "b": 30})
    one = scored("edc1996", *boards, final(5, (3, 11, 8, 8, 3, 1, 0)))
    assert totals(one)["x"] > totals(one)["b"]
    assert order(one)[:2] == [(1, "b"), (2, "x")]
    assert [row.is_champion for row in one.standings.rows[:2]] == [True, False]


def test_finalists_level_in_1996_are_split_by_the_final_and_then_by_the_power() -> None:
    by_result = scored("edc1996", *warm_up({"a": 20, "b": 13}), final(5, (3, 11, 8, 8, 3, 1, 0)))
    assert totals(by_result)["b"] == 13 + 50
    leveled = scored("edc1996", *warm_up({"b": 10, "c": 10}), final(5, (3, 11, 11, 6, 2, 1, 0)))
    assert totals(leveled)["b"] == totals(leveled)["c"]
    # b has England, c France: England comes before France
    assert order(leveled)[:2] == [(1, "b"), (2, "c")]
    assert why(leveled, "b") == "power order: ENGLAND against FRANCE (c)"
    better_final = scored("edc1996", *warm_up({"b": 10, "a": 56}), final(5, (3, 11, 8, 8, 3, 1, 0)))
    assert totals(better_final)["a"] == totals(better_final)["b"] == 60
    assert order(better_final)[0] == (1, "b")
    assert why(better_final, "b") == "final score: 50 against 4 (a)"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AUSTRIA", "GERMANY"),
        ("GERMANY", "ITALY"),
        ("ITALY", "RUSSIA"),
        ("RUSSIA", "TURKEY"),
        ("TURKEY", "ENGLAND"),
        ("ENGLAND", "FRANCE"),
    ],
)
def test_the_order_of_powers_in_1996_is_a_g_i_r_t_e_f(better: str, worse: str) -> None:
    names = dict(zip(Power, SEVEN, strict=True))
    counts = [11 if power in (better, worse) else 2 for power in Power]
    one = scored("edc1996", *warm_up({"z": 1}), final(5, counts))
    assert order(one)[0] == (1, names[Power(better)])


def test_a_finalist_and_another_level_in_1996_share_their_place() -> None:
    one = scored("edc1996", *warm_up({"x": 4, "b": 5}), final(5, (3, 11, 8, 8, 3, 1, 0)))
    assert totals(one)["x"] == totals(one)["a"] == 4
    level = [row for row in one.standings.rows if row.total == 4]
    assert {row.player for row in level} >= {"x", "a"}
    assert all(row.is_tied for row in level)


def test_the_seventh_seat_of_1996_goes_by_the_highest_game_then_by_round_four_or_three() -> None:
    boards = [ruled(n, {"y": y, "z": z}, name="B") for n, y, z in ((2, 30, 20), (3, 10, 20))]
    boards += [ruled(1, {"q": 1}), ruled(4, {"r": 1})]
    high = scored("edc1996", *boards)
    assert high.qualification is not None
    first = next(p for p in high.qualification.ranking if p.contender.name == "y")
    assert str(first.decision) == "highest game: 30 against 20 (z)"
    boards = [ruled(1, {"y": 30, "z": 20}), ruled(3, {"z": 30}), ruled(4, {"y": 20}), ruled(2, {"q": 1})]
    latest = scored("edc1996", *boards)
    assert latest.qualification is not None
    z = next(p for p in latest.qualification.ranking if p.contender.name == "z")
    assert str(z.decision) == "latest round: 30 against 20 (y)"  # z did not play round 4: round 3 is looked at


# --- WDC 2008 --------------------------------------------------------------------------------------------------------


def test_the_winner_of_the_top_board_is_champion_and_everybody_else_ranks_by_the_best_three() -> None:
    boards = [*warm_up({"a": 60, "b": 1}, {"a": 60, "b": 1}, {"a": 60, "b": 1}), final(4, (4, 12, 6, 5, 4, 2, 1))]
    one = scored("wdc2008", *boards)
    assert order(one)[:2] == [(1, "b"), (2, "a")]
    assert totals(one)["a"] == 180
    c, d = totals(one)["c"], totals(one)["d"]
    assert order(one)[2:4] == ([(3, "c"), (4, "d")] if c > d else [(3, "d"), (4, "c")])


def test_the_top_board_is_split_by_centres_year_by_year_back_from_the_last() -> None:
    years = {1907: (9, 8, 5, 5, 4, 2, 1), 1908: (10, 10, 5, 4, 3, 1, 1), 1909: (12, 12, 4, 3, 2, 1, 0)}
    top = replace(
        final(4, (12, 12, 4, 3, 2, 1, 0)),
        years={year: dict(zip(Power, counts, strict=True)) for year, counts in years.items()},
    )
    one = scored("wdc2008", *warm_up({"b": 60}), top)
    assert order(one)[0] == (1, "a")
    assert why(one, "a") == "centres in 1907: 9 against 8 (b)"
    short = scored("wdc2008", *warm_up({"b": 60}), replace(top, years={1907: top.years[1909]}))
    assert order(short)[0] == (1, "b")
    assert "best of: " in str(why(short, "b"))


def test_the_first_criterion_of_the_top_board_is_vacuous() -> None:
    top = final(4, (12, 12, 4, 3, 2, 1, 0))
    assert len({game.score for game in scored("wdc2008", top).games if game.centres == 12}) == 1


def test_seven_qualify_for_the_top_board_by_all_their_results() -> None:
    names = "abcdefgh"
    boards = [ruled(n, {name: 50 - k for k, name in enumerate(names[:7])}) for n in (1, 2, 3)]
    boards += [ruled(n, {"h": 45}, name="B") for n in (1, 2, 3)]
    one = scored("wdc2008", *boards)
    assert one.qualification is not None
    assert (one.qualification.undecided, one.qualification.seats) == ((), 0)  # no seat is open
    assert set(one.qualification.finalists) == set("abcdehf")  # h and f are level for 6th, g is out
    assert one.qualification.choosing == ()


def test_who_is_level_for_the_last_seat_is_undecided() -> None:
    boards = [ruled(n, dict.fromkeys("abcdef", 20) | {"g": 10}) for n in (1, 2, 3)]
    boards += [ruled(n, {"h": 10}, name="B") for n in (1, 2, 3)]
    one = scored("wdc2008", *boards)
    assert one.qualification is not None
    assert one.qualification.finalists == tuple("abcdef")
    assert (one.qualification.undecided, one.qualification.seats) == (("g", "h"), 1)


def test_a_stranger_on_the_final_table_is_asked_about() -> None:
    boards = [ruled(n, {name: 50 - k for k, name in enumerate(SEVEN)}) for n in (1, 2, 3)]
    one = scored("wdc2008", *boards, final(4, (12, 9, 6, 4, 3, 0, 0), "abcdefz"))
    assert "round 4, top: z did not qualify for the final table" in doubts(one)


def test_a_final_table_where_the_rules_have_none_is_asked_about_and_counts_like_any_board() -> None:
    one = scored("weaselmoot", final(3, (12, 9, 6, 4, 3, 0, 0)))
    assert (
        doubts(one)[0] == "round 3, top: marked as the final table, but the rules have none; it counts like any board"
    )
    assert one.standings.champions == ()
