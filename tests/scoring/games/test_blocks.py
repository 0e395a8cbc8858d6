"""The building blocks one by one, on boards that one can count on one's fingers."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pipeline.problems import Stopped
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.score import score
from pipeline.scoring.system import System
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
