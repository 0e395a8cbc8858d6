"""The building blocks one by one, on boards that one can count on one's fingers."""

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.score import score
from pipeline.scoring.system import System, looks_at_years
from scoring.played import board, counted, doubts, event

Block = Mapping[str, Any]
SPREAD = (12, 9, 6, 4, 3, 0, 0)
LEVEL = (10, 10, 5, 5, 4, 0, 0)
YEARS = {  # the sixth power was eliminated in 1903, the seventh in 1902
    1901: (5, 5, 5, 5, 5, 5, 4),
    1902: (7, 8, 6, 5, 5, 3, 0),
    1903: (9, 9, 6, 5, 5, 0, 0),
    1904: SPREAD,
}


def system(*parts: Block, **scoring: Any) -> System:
    """A system of some blocks; a soloist gets 100."""
    tables = {"solo": {"centres": 18, "winner": 100}} | scoring | {"parts": list(parts)}
    return read_scoring({"scoring": tables, "totals": {"rounds": 3}}, "blocks").system


def paid(counts: Sequence[int], *parts: Block, years: Mapping[int, Sequence[int]] | None = None, **scoring: Any) -> str:
    """What each power of a board gets, in the order of the counts."""
    return " ".join(str(points) for points in counted(system(*parts, **scoring), counts, years=years))


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        ({"give": "centres", "above": 5}, "7 4 1 0 0 0 0"),
        ({"give": "table", "points": [0, 5, 9, 12, 14, 16, 18], "beyond": 1}, "24 21 18 14 12 0 0"),
        ({"give": "table", "points": [0, 21, 21, 30]}, "30 30 30 30 30 0 0"),
        ({"give": "pot", "points": 100}, "20 20 20 20 20 0 0"),
        ({"give": "beaten powers", "each": 11}, "66 55 44 33 22 0 0"),
        ({"give": "margins"}, "50 32 17 9 6 0 0"),
        ({"give": "top", "bonuses": [9, 3, 1]}, "9 0 0 0 0 0 0"),
        ({"give": "near top", "points": 12, "shares": [3, 2, 1]}, "12 0 0 0 0 0 0"),
        ({"give": "distance", "ahead": [4, 6, 10], "behind": [4, 2, 1]}, "10 1 0 0 0 0 0"),
        ({"give": "centres", "to": "sole leader"}, "12 0 0 0 0 0 0"),
        ({"give": "flat", "each": 5, "to": "survivors"}, "5 5 5 5 5 0 0"),
        ({"give": "flat", "each": 5, "to": "eliminated"}, "0 0 0 0 0 5 5"),
        ({"give": "largest", "of": [{"give": "centres", "each": 2}, {"give": "flat", "each": 9}]}, "24 18 12 9 9 9 9"),
    ],
)
def test_a_block_pays_this_on_a_board_of_12_9_6_4_3_0_0(block: Block, wanted: str) -> None:
    assert paid(SPREAD, block) == wanted


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        ({"give": "top", "bonuses": [9, 3, 1]}, "3 3 0 0 0 0 0"),
        ({"give": "top", "bonuses": [9]}, "0 0 0 0 0 0 0"),
        ({"give": "flat", "to": "leaders"}, "1 1 0 0 0 0 0"),
        ({"give": "flat", "to": "sole leader"}, "0 0 0 0 0 0 0"),
        ({"give": "near top", "points": 12, "shares": [3, 2, 1]}, "6 6 0 0 0 0 0"),
        ({"give": "distance", "ahead": [4, 6], "behind": []}, "4 4 0 0 0 0 0"),
        ({"give": "beaten powers"}, "5 5 3 3 2 0 0"),
        ({"give": "places", "bonuses": [7, 6, 5, 4], "shared": "lower"}, "6 6 4 4 0 0 0"),
        ({"give": "places", "bonuses": [7, 6, 5, 4], "pairs": [0, 9, 0, 1]}, "9 9 1 1 0 0 0"),
    ],
)
def test_a_block_pays_this_where_two_share_the_top_and_two_the_third_place(block: Block, wanted: str) -> None:
    assert paid(LEVEL, block) == wanted


def test_three_who_share_a_place_may_get_other_than_two_who_do() -> None:
    block = {"give": "places", "bonuses": [50, 40, 30, 20, 10], "shared": "lower", "pairs": [0, 44, 33, 22, 11]}
    assert paid((10, 6, 6, 6, 3, 3, 0), block) == "50 20 20 20 0 0 0"
    assert paid((10, 6, 6, 6, 3, 3, 0), block | {"groups": block["pairs"]}) == "50 22 22 22 0 0 0"


def test_a_pot_near_the_top_goes_by_shares() -> None:
    bangkok = {"give": "near top", "points": 12, "shares": [3, 2, 1]}
    assert paid((12, 11, 10, 1, 0, 0, 0), bangkok) == "6 4 2 0 0 0 0"
    assert paid((12, 12, 10, 0, 0, 0, 0), bangkok) == "36/7 36/7 12/7 0 0 0 0"


def test_years_are_whole_ones_or_counted_with_that_of_the_elimination() -> None:
    dead = {"give": "years", "to": "eliminated"}
    assert paid(SPREAD, dead, years=YEARS) == "0 0 0 0 0 2 1"
    assert paid(SPREAD, dead | {"begun": True}, years=YEARS) == "0 0 0 0 0 3 2"
    assert paid(SPREAD, {"give": "flat"}, years=YEARS, eliminated="2 per year") == "1 1 1 1 1 4 2"
    assert paid(SPREAD, {"give": "flat"}, years=YEARS, eliminated="2 per year begun") == "1 1 1 1 1 6 4"


def test_who_is_alive_at_a_solo_was_eliminated_by_it() -> None:
    solo = {1901: (5, 5, 5, 5, 5, 5, 4), 1902: (10, 8, 6, 5, 5, 0, 0), 1903: (18, 6, 5, 5, 0, 0, 0)}
    others: list[Block] = [{"give": "years"}]
    rule = {"centres": 18, "winner": 50, "others": others}
    assert paid(solo[1903], {"give": "flat"}, years=solo, solo=rule) == "50 2 2 2 2 1 1"
    begun = rule | {"others": [{"give": "years", "begun": True}]}
    assert paid(solo[1903], {"give": "flat"}, years=solo, solo=begun) == "50 3 3 3 3 2 2"


def test_a_solo_leaves_the_others_a_part_of_the_formula_or_blocks() -> None:
    counts = (20, 6, 4, 4, 0, 0, 0)
    centres = {"give": "centres", "each": 2}
    half = {"centres": 18, "winner": "formula", "factor": "3/2", "others": "formula", "others_factor": "1/2"}
    assert paid(counts, centres, solo=half) == "60 6 4 4 0 0 0"
    both = {"centres": 18, "winner": 9, "others": [{"give": "survival", "points": 5}, {"give": "centres"}]}
    assert paid(counts, centres, solo=both) == "9 11 9 9 0 0 0"


def test_the_eliminated_are_level_or_stand_by_their_year() -> None:
    places = {"give": "places", "bonuses": [7, 6, 5, 4, 3, 2, 1]}
    assert paid(SPREAD, places, years=YEARS) == "7 6 5 4 3 3/2 3/2"
    assert paid(SPREAD, places | {"order": "elimination"}, years=YEARS) == "7 6 5 4 3 2 1"
    assert paid(SPREAD, {"give": "beaten powers", "order": "elimination"}, years=YEARS) == "6 5 4 3 2 1 0"


def test_level_powers_go_back_to_the_years_before_until_they_differ() -> None:
    years = {1901: (5, 4, 3, 4, 4, 3, 4), 1902: (6, 6, 3, 5, 5, 3, 0), 1903: (8, 8, 8, 5, 5, 0, 0)}
    places = {"give": "places", "bonuses": [7, 6, 5, 4, 3, 2, 1], "order": "earlier years"}
    assert paid((8, 8, 8, 5, 5, 0, 0), places, years=years) == "7 6 5 7/2 7/2 2 1"


def test_a_pool_may_leave_the_eliminated_out_of_its_sum() -> None:
    squares = {"give": "polynomial", "coefficients": [10, 0, 1]}
    everybody = paid((17, 17, 0, 0, 0, 0, 0), squares, pool=100, eliminated="nothing")
    survivors = paid((17, 17, 0, 0, 0, 0, 0), squares, pool=100, eliminated="nothing", pool_of="survivors")
    assert everybody.split()[:2] == [str(Fraction(100 * 299, 648))] * 2
    assert survivors.split()[:2] == ["50", "50"]


CENTRES = {"give": "centres"}


@pytest.mark.parametrize(
    ("counts", "tribute", "wanted"),
    [
        (SPREAD, {"due": "above", "above": 6}, "36 3 0 -2 -3 0 0"),
        (SPREAD, {"due": "above", "above": 6, "most": 1}, "31 3 0 0 0 0 0"),
        (SPREAD, {"due": "lead", "most": "1/2"}, "43/2 6 3 2 3/2 0 0"),
        (SPREAD, {"due": "behind", "payers": "everybody"}, "62 6 0 -4 -6 -12 -12"),
        (LEVEL, {"due": "lead"}, "10 10 5 5 4 0 0"),
        (LEVEL, {"due": "behind"}, "18 18 0 0 -2 0 0"),
        (LEVEL, {"due": "behind", "shared": "part"}, "14 14 0 0 -2 0 0"),
        ((14, 4, 4, 4, 4, 4, 0), {"due": "above", "above": 15}, "14 4 4 4 4 4 0"),
    ],
)
def test_tribute_is_paid_to_the_top(counts: Sequence[int], tribute: Block, wanted: str) -> None:
    assert paid(counts, CENTRES, tribute=tribute) == wanted


def test_who_was_left_out_of_the_draw_shares_no_pot_and_stands_below_it() -> None:
    out = frozenset({Power.GERMANY, Power.ITALY})
    drawn = {"give": "pot", "points": 60}
    dixie = {"give": "places", "bonuses": [270, 70, 50, 34, 20, 10, 0], "order": "draw"}
    found = counted(system(drawn), SPREAD, left_out=out, years=YEARS)
    assert [str(points) for points in found] == ["20", "20", "20", "0", "0", "0", "0"]
    found = counted(system(dixie), SPREAD, left_out=out, years=YEARS)
    assert [str(points) for points in found] == ["130", "130", "130", "34", "20", "10", "0"]


def test_two_blocks_of_a_kind_both_count() -> None:
    waves = ({"give": "near top", "points": 420, "shares": shares} for shares in ([1], [1, 1], [1, 1, 1]))
    assert paid((12, 11, 10, 1, 0, 0, 0), *waves) == "770 350 140 0 0 0 0"
    assert paid(SPREAD, CENTRES, CENTRES) == "24 18 12 8 6 0 0"


def test_the_director_is_asked_for_years_that_decide_points_and_are_not_recorded() -> None:
    places = {"give": "places", "bonuses": [3, 2, 1], "order": "elimination"}
    rules = read_scoring({"scoring": {"parts": [places]}, "totals": {"rounds": 3}}, "by year")
    gap = {year: YEARS[year] for year in (1901, 1904)}
    stale = {year: YEARS[year] for year in (1901, 1902, 1903)}
    asked = [doubts(score(event(board(SPREAD, years=years)), rules)) for years in (None, gap, stale, YEARS)]
    assert "no year's counts are recorded" in asked[0][0]
    assert "the counts of 1902, 1903 are not recorded" in asked[1][0]
    assert "the counts of 1903 are not those at the end" in asked[2][0]
    assert asked[3] == []
    assert doubts(score(event(board((10, 8, 6, 4, 3, 2, 1))), rules)) == []  # nobody was eliminated


@pytest.mark.parametrize(
    ("scoring", "where", "says"),
    [
        ({"pool": 100, "tribute": {"due": "lead"}}, "x scoring.tribute", "a block 'lead' instead"),
        ({"tribute": {"due": "lead"}, "solo": {}}, "x scoring.solo.winner", "give 'winner' in points"),
        ({"tribute": {}}, "x scoring.tribute.due", "expected one of above, lead, behind"),
        ({"tribute": {"due": "lead", "above": 6}}, "x scoring.tribute.above", "belongs to due = 'above'"),
        ({"pool_of": "survivors"}, "x scoring.pool_of", "there is no pool"),
        ({"pool": 1, "solo": {"winner": "formula"}}, "x scoring.solo.winner", "no shares of the pool"),
        ({"solo": {"winner": 1, "factor": 2}}, "x scoring.solo.factor", "write winner = 'formula'"),
        ({"solo": {"winner": 1, "others_factor": 2}}, "x scoring.solo.others_factor", "write others = 'formula'"),
    ],
)
def test_what_cannot_be_combined_is_told_with_what_comes_nearest(scoring: Block, where: str, says: str) -> None:
    solo = {"centres": 18, "winner": 100}
    tables = {"scoring": {"parts": [CENTRES], "solo": solo} | dict(scoring), "totals": {"rounds": 1}}
    with pytest.raises(Stopped) as stopped:
        read_scoring(tables, "x")
    [problem] = stopped.value.problems
    assert problem.where == where
    assert says in problem.text


@pytest.mark.parametrize(
    ("block", "key"),
    [
        ({"give": "table"}, "points"),
        ({"give": "pot"}, "points"),
        ({"give": "top"}, "bonuses"),
        ({"give": "near top", "shares": [1]}, "points"),
        ({"give": "near top", "points": 3}, "shares"),
        ({"give": "near top", "points": 3, "shares": [0, 1]}, "shares[0]"),
        ({"give": "distance"}, "ahead"),
        ({"give": "largest", "of": [{"give": "flat"}]}, "of"),
        ({"give": "flat", "to": "leader"}, "to"),
        ({"give": "places", "bonuses": [1], "order": "age"}, "order"),
    ],
)
def test_a_block_without_what_it_needs_is_refused_by_its_key(block: Block, key: str) -> None:
    with pytest.raises(Stopped) as stopped:
        system(block)
    assert f"blocks scoring.parts[0].{key}" in {problem.where for problem in stopped.value.problems}


def test_a_block_inside_others_may_look_at_the_years() -> None:
    years, centres = {"give": "years"}, {"give": "centres"}
    assert looks_at_years(system({"give": "largest", "of": [centres, years]}))
    assert looks_at_years(system({"give": "largest", "of": [years, centres]}))
    assert not looks_at_years(system({"give": "largest", "of": [centres, {"give": "flat", "each": 9}]}))


def test_who_stands_where_does_not_depend_on_the_power() -> None:
    made = system({"give": "places", "bonuses": [7, 6, 5, 4, 3, 2, 1], "order": "elimination"}, {"give": "margins"})
    straight = counted(made, SPREAD, years=YEARS)
    for seats in itertools.islice(itertools.permutations(range(7)), 0, 5040, 97):
        years = {year: [counts[seat] for seat in seats] for year, counts in YEARS.items()}
        assert counted(made, years[1904], years=years) == [straight[seat] for seat in seats]


def test_only_so_many_years_count() -> None:
    most = {"give": "years", "each": 10, "begun": True, "most": 3}
    assert paid(SPREAD, most, years=YEARS) == "30 30 30 30 30 30 20"


def test_points_by_the_size_of_the_draw_stop_where_the_list_does() -> None:
    sizes = {"give": "draw", "points": [46, 22, 10, 4, 1]}
    assert paid(SPREAD, sizes) == "1 1 1 1 1 0 0"
    assert paid((17, 17, 0, 0, 0, 0, 0), sizes) == "22 22 0 0 0 0 0"
    assert paid((12, 9, 6, 4, 2, 1, 0), sizes) == "0 0 0 0 0 0 0"
