"""What the rules and their commentary claim in general, looked at over every way to share 34 centres."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import pytest

from pipeline.scoring.results import Counts, _half_up
from pipeline.scoring.system import System, part_points
from scoring.played import DRAWS, board, distributions, points, rules

ALL = tuple(distributions())


def untied(counts: Sequence[int], place: int) -> bool:
    """Whether the power at a place, counted from 1, is alone on its count."""
    return counts.count(counts[place - 1]) == 1


@cache  # several claims are about the same boards
def paid(system: System, counts: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(points(system, counts))


def table(counts: tuple[int, ...]) -> tuple[Fraction, ...]:
    return paid(rules("edc2023").system, counts)


@pytest.fixture(scope="module")
def tables() -> dict[tuple[int, ...], tuple[Fraction, ...]]:
    return {counts: table(counts) for counts in ALL}


Tables = dict[tuple[int, ...], tuple[Fraction, ...]]


def test_there_are_2486_boards_without_a_solo() -> None:
    assert len(ALL) == DRAWS


@pytest.mark.parametrize("tournament", ["weaselmoot", "edc1996", "wdc2008"])
def test_a_game_without_a_solo_hands_out_a_hundred_points(tournament: str) -> None:
    system = rules(tournament).system
    assert all(sum(paid(system, counts)) == 100 for counts in ALL)


def test_the_edc_1996_hundred_needs_the_dead_to_share_third_place() -> None:
    assert points(rules("edc1996").system, (17, 17, 0, 0, 0, 0, 0))[2:] == [1 + Fraction(7, 5)] * 5


def test_a_sole_win_at_edc_2023_is_worth_43_and_the_survivors(tables: Tables) -> None:
    wins = {counts: scores[0] for counts, scores in tables.items() if untied(counts, 1)}
    assert all(score == 43 + sum(1 for c in counts if c) for counts, score in wins.items())
    assert max(wins.values()) == 50
    assert min(wins.values()) == 46
    assert {sum(1 for c in counts if c) for counts, score in wins.items() if score == 46} == {3}


def test_places_at_edc_2023_have_closed_forms(tables: Tables) -> None:
    for counts, scores in tables.items():
        alive = sum(1 for c in counts if c)
        if untied(counts, 1) and untied(counts, 2):
            assert scores[1] == 40 - counts[0] + alive
            if untied(counts, 3):
                assert scores[2] == 37 - counts[0] - counts[1] + alive


def test_a_sole_win_beats_every_second_place_of_its_board_by_a_lot(tables: Tables) -> None:
    best_second = max(scores[1] for counts, scores in tables.items() if untied(counts, 1))
    assert best_second == 40 < min(scores[0] for counts, scores in tables.items() if untied(counts, 1))


def test_the_extremes_that_edc_2023_names_are_the_true_ones(tables: Tables) -> None:
    sole_second = [scores[1] for counts, scores in tables.items() if untied(counts, 1) and untied(counts, 2)]
    assert [max(sole_second), min(sole_second)] == [40, 26]
    assert table((7, 6, 5, 5, 5, 5, 1))[1] == 6 + 21 + 7 + 6
    assert table((17, 16, 1, 0, 0, 0, 0))[1] == 16 + 1 + 3 + 6
    third = [s[2] for c, s in tables.items() if untied(c, 1) and untied(c, 2) and untied(c, 3)]
    assert max(third) == 31 == table((7, 6, 5, 4, 4, 4, 4))[2]
    fourth = [s[3] for c, s in tables.items() if c[2] > c[3] and untied(c, 4)]
    assert max(fourth) == 24 == table((6, 6, 6, 5, 4, 4, 3))[3]
    two = [s[0] for c, s in tables.items() if c.count(c[0]) == 2]
    assert (max(two), min(two)) == (Fraction("42.5"), Fraction("26.5"))
    three = [s[0] for c, s in tables.items() if c.count(c[0]) == 3]
    assert [max(three), min(three)] == [35, 22]


@pytest.mark.parametrize(
    ("tied", "score", "broken", "gain"),
    [
        ((6, 6, 5, 5, 4, 4, 4), "42.5", (7, 5, 5, 5, 4, 4, 4), "7.5"),
        ((10, 10, 4, 4, 3, 2, 1), "38.5", (11, 9, 4, 4, 3, 2, 1), "11.5"),
        ((17, 17, 0, 0, 0, 0, 0), "26.5", (18, 16, 0, 0, 0, 0, 0), "73.5"),
        ((6, 6, 6, 5, 4, 4, 3), "35", (7, 6, 5, 5, 4, 4, 3), "15"),
        ((11, 11, 11, 1, 0, 0, 0), "22", (12, 11, 10, 1, 0, 0, 0), "25"),
    ],
)
def test_what_breaking_a_tie_at_the_top_is_worth(
    tied: tuple[int, ...], score: str, broken: tuple[int, ...], gain: str
) -> None:
    assert table(tied)[0] == Fraction(score)
    assert table(broken)[0] - table(tied)[0] == Fraction(gain)


def test_three_at_ten_share_six_each_and_the_next_gets_fourth() -> None:
    system = rules("edc2023").system
    counts = Counts(board((10, 10, 10, 4, 0, 0, 0)))
    places = [part_points(system, counts, power)["places"] for power in counts.centres]
    assert places == [6, 6, 6, 1, 0, 0, 0]


def test_eliminating_somebody_costs_a_point_for_everybody_and_two_for_the_victim() -> None:
    before, after = table((12, 10, 6, 4, 1, 1, 0)), table((12, 10, 6, 5, 1, 0, 0))
    assert before[0] - after[0] == before[1] - after[1] == 1
    assert before[5] - after[5] == 2


def test_the_rules_are_wrong_that_sixteen_makes_a_second_place_worse_than_the_best_third(tables: Tables) -> None:
    """The second place is 47 less the sum of the first's centres and the eliminated: equal to 31 at 16 (EDC23 C)."""
    equal, worse = 0, 0
    for counts, scores in tables.items():
        if untied(counts, 1) and untied(counts, 2) and counts[1] > counts[2]:
            lost = counts[0] + counts.count(0)
            assert scores[1] == 47 - lost
            equal += lost == 16
            worse += lost > 16
            assert (scores[1] < 31) == (lost >= 17)
    assert equal == 164
    assert worse
    assert table((16, 13, 1, 1, 1, 1, 1))[1] == 31


def test_a_shared_second_place_may_bring_less_than_the_26_that_is_called_the_least() -> None:
    shared = [
        scores[1]
        for counts, scores in ((counts, table(counts)) for counts in ALL)
        if untied(counts, 1) and not untied(counts, 2)
    ]
    assert min(shared) == table((16, 3, 3, 3, 3, 3, 3))[1] == Fraction(35, 3)
    assert _half_up(min(shared), 2) == Fraction("11.67")


def test_neutral_centres_break_the_named_extremes() -> None:
    assert table((17, 16, 0, 0, 0, 0, 0))[0] == 45  # one neutral, two survivors
    assert table((3, 2, 1, 1, 1, 1, 1))[1] == 44  # twenty-four neutral


def test_equal_scores_are_worth_more_with_every_round_played() -> None:
    """The rules say that three rounds are the most optimal; by their own weights four are always better (EDC23 D)."""
    weights, bonus = rules("edc2023").totals.weights, rules("edc2023").bonuses.participation
    assert bonus is not None
    sums = [sum(weights.of(n)) for n in (1, 2, 3, 4)]
    assert sums == [Fraction("1.1"), Fraction("2.1"), Fraction("2.5"), Fraction("2.8")]
    added = [bonus.each_round * n if n >= bonus.from_rounds else 0 for n in (1, 2, 3, 4)]
    assert added == [0, 2, 3, 4]
    for score in range(101):
        worth = [score * weight + extra for weight, extra in zip(sums, added, strict=True)]
        assert worth == sorted(worth)
        assert worth[3] > worth[2]


def test_wdc_2008_gives_the_dead_between_two_and_four_points_by_its_own_formula() -> None:
    system = rules("wdc2008").system
    dead = [paid(system, counts)[6] for counts in ALL if counts[6] == 0]
    assert _half_up(min(dead), 2) == Fraction("1.94")
    assert _half_up(max(dead), 2) == Fraction("3.62")


def test_equal_scores_on_the_wdc_2008_top_board_mean_equal_centres() -> None:
    for counts in ALL:
        scores = paid(rules("wdc2008").system, counts)
        assert len(set(scores)) == len(set(counts))


def test_detour_totals_stray_three_thousandths_from_a_hundred() -> None:
    system = rules("nzdc1999").system
    sums = [sum(_half_up(score, 3) for score in paid(system, counts)) for counts in ALL]
    assert (min(sums), max(sums)) == (Fraction("99.997"), Fraction("100.003"))


def test_binary_rounding_would_be_wrong_on_162_detour_seats_117_counting_equal_powers_once() -> None:
    seats, scores = 0, 0
    for counts in ALL:
        board_scores = paid(rules("nzdc1999").system, counts)
        wrong = [score for score in board_scores if _half_up(score, 3) != Fraction(str(round(float(score), 3)))]
        seats += len(wrong)
        scores += len(set(wrong))
    assert [seats, scores] == [162, 117]


def test_weasel_dice_end_the_game_with_the_chances_that_are_printed() -> None:
    chances = [_half_up(Fraction(100 * sum(die + m >= 7 for die in range(1, 7)), 6), 0) for m in (1, 3, 5)]
    assert chances == [17, 50, 83]


def test_rule_20_of_nzdc_1999_cannot_be_met_by_a_full_field() -> None:
    for players in (7, 14, 28, 70):
        seats = 3 * players * Fraction(3, 7)
        assert seats - players == Fraction(2 * players, 7)
