"""Tie-breaks: each in its turn, with the numbers that decided; what stays level shares a place."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.cli.score import _scoring_rules_of
from pipeline.rules.scoring import HIGHEST, NEEDS, SIMPLE
from pipeline.scoring import tiebreaks
from pipeline.scoring.doubts import NotedFact
from pipeline.scoring.results import Board, Ending, Entrant
from pipeline.scoring.score import Scored, score
from scoring.played import board, doubts, event, order, ruled, scored, totals, why


def test_equal_totals_without_a_rule_for_them_share_the_better_place() -> None:
    one = scored("edc2023", ruled(1, {"ann": 30, "bob": 40, "cat": 30, "dan": 10}))
    assert order(one) == [(1, "bob"), (2, "ann"), (2, "cat"), (4, "dan")]
    assert [row.is_tied for row in one.standings.rows] == [False, True, True, False]
    assert why(one, "ann") is None


def test_a_total_that_stands_alone_is_decided_by_nothing_else() -> None:
    one = scored("wdc2008", ruled(1, {"ann": 30, "bob": 40}))
    assert why(one, "ann") is None


def test_most_wins_come_first_in_new_zealand() -> None:
    boards = [
        board((18, 16, 0, 0, 0, 0, 0), players="ab"),
        ruled(2, {"bob": 50, "a": 0}),
        ruled(3, {"bob": 60, "a": 0}),
    ]
    one = scored("nzdc1999", *boards)
    assert totals(one)["a"] == totals(one)["bob"] == 110
    assert order(one)[:2] == [(1, "a"), (2, "bob")]
    assert why(one, "a") == "most wins: 1 against 0 (bob)"
    assert why(one, "bob") == "most wins: 0 against 1 (a)"


def test_then_most_draws_which_the_eliminated_are_not_part_of() -> None:
    first = board((17, 17, 0, 0, 0, 0, 0), players="-----ab", years={1905: (17, 15, 0, 0, 0, 0, 2)})
    assert totals(scored("nzdc1999", first))["b"] > 0  # eliminated after 1905: one point of the raw scores
    one = scored("nzdc1999", ruled(1, {"ann": 20}), ruled(1, {"bob": 10}, name="B"), ruled(2, {"bob": 10}))
    assert order(one) == [(1, "bob"), (2, "ann")]
    assert why(one, "ann") == "most draws: 1 against 2 (bob)"


def test_an_abandoned_game_is_no_draw() -> None:
    gone = replace(ruled(2, {"bob": 0}), ended=Ending.ABANDONED)
    one = scored("nzdc1999", ruled(1, {"ann": 20}), ruled(1, {"bob": 20}, name="B"), gone)
    assert why(one, "bob") == "second-best game: outcome: abandoned against not played (ann)"


def test_then_the_better_best_game_by_points() -> None:
    boards = [ruled(1, {"ann": 30, "bob": 20}), ruled(2, {"ann": 10, "bob": 20})]
    one = scored("nzdc1999", *boards)
    assert order(one) == [(1, "ann"), (2, "bob")]
    assert why(one, "ann") == "best game: points: 30 against 20 (bob)"


def test_a_sole_place_beats_a_shared_one_and_fewer_sharers_beat_more() -> None:
    """Equal points by ruling, so that only the position can tell the games apart (NZ99 B 4.3)."""
    boards = []
    for name, player, counts in (
        ("A", "ann", (10, 8, 6, 4, 3, 2, 1)),
        ("B", "bob", (8, 8, 8, 4, 3, 2, 1)),
        ("C", "cat", (9, 9, 6, 4, 3, 2, 1)),
    ):
        seat = ruled(1, {player: 20}, name=name)
        boards.append(replace(seat, centres=dict(zip(Power, counts, strict=True))))
    one = scored("nzdc1999", *boards)
    assert order(one) == [(1, "ann"), (2, "cat"), (3, "bob")]
    assert why(one, "ann") == "best game: position: place 1 against place 1 shared by 2 (cat)"
    assert why(one, "bob") == "best game: position: place 1 shared by 3 against place 1 shared by 2 (cat)"


def eliminated(name: str, player: str, fall: dict[int, int]) -> Board:
    """A board on which one player is out, having owned so many centres in these years."""
    seat = ruled(1, {player: 20}, name=name)
    centres = dict(zip(Power, (0, 12, 11, 11, 0, 0, 0), strict=True))
    years = {year: {Power.AUSTRIA: owned, Power.ENGLAND: 5} for year, owned in fall.items()}
    return replace(seat, centres=centres, years=years)


def test_of_two_eliminated_the_one_who_lived_longer_is_ahead_then_the_one_with_more_in_the_last_year() -> None:
    longer = [eliminated("A", "ann", {1901: 3, 1902: 1, 1903: 0}), eliminated("B", "bob", {1901: 5, 1902: 0, 1903: 0})]
    one = scored("nzdc1999", *longer)
    assert order(one) == [(1, "ann"), (2, "bob")]
    assert why(one, "ann") == "best game: survival: 1902 against 1901 (bob)"
    more = [eliminated("A", "ann", {1901: 3, 1902: 1, 1903: 0}), eliminated("B", "bob", {1901: 3, 1902: 2, 1903: 0})]
    two = scored("nzdc1999", *more)
    assert order(two) == [(1, "bob"), (2, "ann")]
    assert why(two, "bob") == "best game: survival: 2 against 1 (ann)"


def test_then_the_margin_over_who_finished_first_and_so_on_down() -> None:
    near = ruled(1, {"top": 40, "ann": 20})
    far = ruled(1, {"toq": 50, "bob": 20}, name="B")
    one = scored("nzdc1999", near, far)
    assert order(one)[2:] == [(3, "ann"), (4, "bob")]
    assert why(one, "ann") == "best game: margin over the others: -20 against -30 (bob)"


def test_the_second_best_game_decides_when_the_best_are_alike() -> None:
    def three(letters: tuple[str, str, str], scores: tuple[int, int, int]) -> list[Board]:
        return [
            ruled(number, {"ann" if letter == "a" else "bob": points}, name=f"{letter}{number}")
            for number, (letter, points) in enumerate(zip(letters, scores, strict=True), start=1)
        ]

    boards = [*three(("a", "a", "a"), (30, 20, 10)), *three(("b", "b", "b"), (30, 15, 15))]
    one = scored("nzdc1999", *boards)
    assert order(one) == [(1, "ann"), (2, "bob")]
    assert why(one, "bob") == "second-best game: points: 15 against 20 (ann)"


def test_what_the_new_zealand_chain_cannot_split_finished_equal() -> None:
    one = scored("nzdc1999", ruled(1, {"ann": 20}), ruled(1, {"bob": 20}, name="B"))
    assert [(row.place, row.is_tied) for row in one.standings.rows] == [(1, True), (1, True)]


def test_the_weasel_moot_looks_at_the_highest_game_first() -> None:
    one = scored("weaselmoot", ruled(1, {"ann": 30, "bob": 20}), ruled(2, {"ann": 10, "bob": 20}))
    assert why(one, "ann") == "highest game: 30 against 20 (bob)"


def test_scores_that_look_alike_are_shown_with_more_decimals() -> None:
    boards = [ruled(1, {"ann": "30.00004", "bob": 30}), ruled(2, {"ann": 20, "bob": "20.00004"})]
    assert why(scored("weaselmoot", *boards), "ann") == "highest game: 30.00004 against 30 (bob)"


def test_a_year_on_the_final_table_separates_those_who_were_on_it_and_of_whom_it_is_recorded() -> None:
    counts = (10, 9, 5, 4, 3, 2, 1)
    final = board(counts, players="abcdefg", years={1904: counts, 1906: counts}, is_final=True)
    games = {game.player: game for game in scored("wdc2008", final).games}
    a, b, away = (tiebreaks.Contender(name=name, total=Fraction(), games=(), final=games.get(name)) for name in "abz")
    nobody = tiebreaks.FieldOfPlayers()
    elsewhere = replace(games["b"], board=replace(games["b"].board, years={1906: games["b"].board.years[1906]}))
    assert tiebreaks.CentresInYear(1904).keys([a, replace(b, final=elsewhere)], nobody) == [(), ()]
    assert tiebreaks.CentresInYear(1904).keys([a, b], nobody) == [(Fraction(10),), (Fraction(9),)]
    assert tiebreaks.CentresInYear(1904).keys([a, away], nobody) == [(), ()]
    assert tiebreaks.CentresInYear(1905).keys([a, b], nobody) == [(), ()]
    assert tiebreaks.CentresInYear(1904).missing([a, b], nobody) is None
    assert tiebreaks.CentresInYear(1905).missing([a, b], nobody) == (NotedFact.COUNTS, ("a", "b"))
    assert tiebreaks.CentresInYear(1905).missing([a, away], nobody) is None
    assert tiebreaks.CentresInYear(1907).missing([a, b], nobody) is None  # not played


def test_nobody_is_asked_who_chose_his_power_last_who_was_not_on_the_final_table() -> None:
    away = tiebreaks.Contender(name="ann", total=Fraction(), games=())
    assert tiebreaks.ChoseLast().missing([away], tiebreaks.FieldOfPlayers()) is None


def test_a_dropped_game_breaks_no_tie_at_the_weasel_moot() -> None:
    boards = [ruled(1, {"ann": 20, "bob": 20}), ruled(2, {"ann": 20, "bob": 20}), ruled(3, {"ann": 20, "bob": 20})]
    low = scored("weaselmoot", *boards, ruled(4, {"ann": 10}))
    assert [row.is_tied for row in low.standings.rows] == [True, True]


def test_a_dropped_game_breaks_a_tie_where_the_rules_say_so() -> None:
    boards = [ruled(1, {"ann": 20, "bob": 20}), ruled(2, {"ann": 20, "bob": 20}), ruled(3, {"ann": 20, "bob": 20})]
    settings = {"base": "weaselmoot", "ties": {"players": ["fourth-highest game"], "dropped_games_break_ties": True}}
    low = score(event(*boards, ruled(4, {"ann": 10})), _scoring_rules_of(settings))
    assert [(row.player, row.is_tied) for row in low.standings.rows] == [("ann", False), ("bob", False)]


def test_then_the_games_in_which_the_tied_opposed_each_other() -> None:
    apart = [
        ruled(2, {"ann": 20}),
        ruled(2, {"bob": 10}, name="B"),
        ruled(3, {"ann": 10}),
        ruled(3, {"bob": 20}, name="B"),
    ]
    met = scored("weaselmoot", ruled(1, {"ann": 5, "bob": 5}), *apart)
    assert [row.is_tied for row in met.standings.rows] == [True, True]
    best = scored(
        "weaselmoot",
        ruled(1, {"ann": 15, "bob": 5}),
        ruled(2, {"ann": 20}),
        ruled(2, {"bob": 20}, name="B"),
        ruled(3, {"bob": 10}),
    )
    assert why(best, "ann") == "best meeting: 15 against 5 (bob)"


def test_then_the_sum_of_those_games() -> None:
    one = scored(
        "weaselmoot",
        ruled(1, {"ann": 20, "bob": 10}),
        ruled(2, {"ann": 5, "bob": 20}),
        ruled(3, {"bob": 0}),
        ruled(3, {"ann": 5}, name="B"),
    )
    assert why(one, "bob") == "sum of meetings: 30 against 25 (ann)"


def test_of_three_tied_a_meeting_with_any_other_of_them_counts() -> None:
    boards = [
        ruled(1, {"ann": 20, "bob": 10}),
        ruled(1, {"cat": 20}, name="B"),
        ruled(2, {"ann": 10}),
        ruled(2, {"bob": 20}, name="B"),
        ruled(2, {"cat": 10}, name="C"),
    ]
    one = scored("weaselmoot", *boards)
    assert totals(one) == {"ann": 30, "bob": 30, "cat": 30}
    assert order(one) == [(1, "ann"), (2, "bob"), (3, "cat")]
    assert why(one, "ann") == "best meeting: 20 against 10 (bob)"
    assert why(one, "cat") == "best meeting: 0 against 10 (bob)"


def test_who_was_separated_before_is_no_longer_one_of_the_tied() -> None:
    boards = [ruled(1, {"ann": 20, "bob": 15}), ruled(1, {"cat": 20}, name="B")]
    boards += [ruled(2, {name: points}, name=name) for name, points in (("ann", 10), ("bob", 15), ("cat", 10))]
    one = scored("weaselmoot", *boards)
    assert order(one) == [(1, "ann"), (1, "cat"), (3, "bob")]
    assert why(one, "bob") == "highest game: 15 against 20 (ann)"


def test_then_the_longest_way_home_and_then_the_lot() -> None:
    level = [ruled(1, {"ann": 20}), ruled(1, {"bob": 20}, name="B")]
    homes = [Entrant(name="ann", distance_km=10), Entrant(name="bob", distance_km=900)]
    far = scored("weaselmoot", *level, players=homes)
    assert why(far, "bob") == "distance: 900 against 10 (ann)"
    unknown = scored("weaselmoot", *level, players=homes[:1])
    assert [row.is_tied for row in unknown.standings.rows] == [True, True]
    assert doubts(unknown)[0] == "place 1: ann and bob are level; enter the distance from home of bob"
    skipped = scored("weaselmoot", *level, players=homes[:1], lots=(("bob", "ann"),))
    assert order(skipped) == [(1, "bob"), (2, "ann")]
    assert doubts(skipped) == doubts(unknown)[:1]  # the lot comes after the distance, and decides nothing before it
    near = [Entrant(name=name, distance_km=10) for name in ("ann", "bob")]
    undrawn = scored("weaselmoot", *level, players=near)
    assert (
        doubts(undrawn)[0]
        == "place 1: ann and bob are level; draw the names of ann and bob and enter the order as lots"
    )
    drawn = scored("weaselmoot", *level, players=near, lots=(("bob", "ann"),))
    assert order(drawn) == [(1, "bob"), (2, "ann")]
    assert doubts(drawn) == []


def test_wdc_2008_compares_the_highest_then_the_second_highest_then_all_games() -> None:
    def two(first: dict[str, int], second: dict[str, int], third: dict[str, int], fourth: dict[str, int]) -> Scored:
        return scored("wdc2008", *(ruled(n, s) for n, s in enumerate((first, second, third, fourth), start=1)))

    highest = two({"a": 30, "b": 25}, {"a": 10, "b": 20}, {"a": 10, "b": 5}, {})
    assert why(highest, "a") == "highest game: 30 against 25 (b)"
    second = two({"a": 30, "b": 30}, {"a": 15, "b": 10}, {"a": 5, "b": 10}, {})
    assert why(second, "b") == "second-highest game: 10 against 15 (a)"
    all_four = two({"a": 30, "b": 30}, {"a": 15, "b": 15}, {"a": 5, "b": 5}, {"a": 4, "b": 3})
    assert why(all_four, "a") == "all games: 54 against 53 (b)"


def test_a_game_that_was_not_played_is_below_one_that_brought_nothing() -> None:
    one = scored("wdc2008", ruled(1, {"ann": 30, "bob": 30}), ruled(2, {"ann": 0}))
    assert why(one, "bob") == "second-highest game: not played against 0 (ann)"


@pytest.mark.parametrize("tournament", ["nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008"])
def test_places_count_everybody_ahead(tournament: str) -> None:
    boards = [ruled(n, {f"p{k}": (k * n) % 3 * 10 for k in range(7)}) for n in (1, 2, 3)]
    one = scored(tournament, *boards)
    for row in one.standings.rows:
        assert row.place == 1 + sum(other.place < row.place for other in one.standings.rows)
        assert row.is_tied == (sum(other.place == row.place for other in one.standings.rows) > 1)
    ranked = [row.total for row in one.standings.rows]
    assert ranked == sorted(ranked, reverse=True)


def test_equal_totals_are_equal_fractions_not_nearly_equal_ones() -> None:
    third = Fraction(1, 3)
    one = scored("wdc2008", ruled(1, {"ann": third, "bob": Fraction("0.333333")}))
    assert order(one) == [(1, "ann"), (2, "bob")]
    assert why(one, "ann") is None


def test_the_table_at_the_top_names_every_tie_break_there_is() -> None:
    rows = {line[:26].strip() for line in str(tiebreaks.__doc__).splitlines() if line[26:].strip()}
    assert {*SIMPLE, *HIGHEST, *NEEDS} <= rows


def test_only_ties_for_places_that_are_honoured_wait_for_the_lot() -> None:
    boards = [ruled(1, {f"p{n}": 50 - n for n in range(7)}), ruled(1, {"y": 1}, name="B"), ruled(1, {"z": 1}, name="C")]
    one = scored("weaselmoot", *boards)
    assert order(one)[-2:] == [(8, "y"), (8, "z")]
    assert doubts(one) == []
