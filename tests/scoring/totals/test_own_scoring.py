"""A final table and pools with a scoring of their own."""

from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.rules.load import load_systems
from pipeline.rules.scoring import read_scoring
from pipeline.rules.systems import with_system
from pipeline.scoring.results import Board
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from scoring.played import board, event

CENTRES = {"parts": [{"give": "centres"}], "solo": {"winner": 100}}
SQUARES = {"parts": [{"give": "polynomial", "coefficients": [0, 0, 1]}], "solo": {"winner": 900}}
FINAL = {"round": 3, "qualifying_rounds": [1, 2], "champion": "table"}
POOL = {"name": "Second board", "round": 3, "seats": 7, "after": [1, 2]}
CHART = (12, 9, 6, 4, 3, 0, 0)
OF_ALL_BOARDS = {  # settings of [scoring] that the boards of a pool share with all others
    "abandoned": "zero", "compared": {"by": "difference"}, "late_of": "anybody", "late_seasons": 9,
    "replaced": "newcomer", "sandard": True,
}  # fmt: skip


def rules(totals: dict[str, Any], scoring: dict[str, Any] | None = None) -> ScoringRules:
    tables = {"scoring": scoring or CENTRES, "totals": {"rounds": 3, **totals}}
    return read_scoring(with_system(tables, load_systems, "own"), "own")


def scores_of(ruled: ScoringRules, played: Board) -> list[int]:
    games = score(event(played), ruled).games
    return [int(next(game.score for game in games if game.power is power)) for power in Power]


def test_a_pool_and_a_final_table_score_by_their_own_systems_and_the_rest_by_the_events() -> None:
    ruled = rules({"final": {**FINAL, "scoring": "carnage"}, "pools": [{**POOL, "scoring": SQUARES}]})
    plain = board(CHART, number=3, players="ABCDEFG")
    assert scores_of(ruled, plain) == [12, 9, 6, 4, 3, 0, 0]
    assert scores_of(ruled, replace(plain, pool="Second board")) == [144, 81, 36, 16, 9, 0, 0]
    assert scores_of(ruled, replace(plain, is_final=True))[:3] == [7012, 6009, 5006]
    assert scores_of(ruled, replace(plain, pool="unknown")) == [12, 9, 6, 4, 3, 0, 0]


def test_enough_centres_win_a_pools_game_by_its_own_rule() -> None:
    ruled = rules({"pools": [{**POOL, "scoring": {**SQUARES, "solo": {"centres": 12, "winner": 900}}}]})
    level = replace(board(CHART, number=3, players="ABCDEFG"), pool="Second board")
    assert scores_of(ruled, level) == [900, 0, 0, 0, 0, 0, 0]
    assert scores_of(ruled, replace(level, pool="")) == [12, 9, 6, 4, 3, 0, 0]


@pytest.mark.parametrize(
    ("totals", "scoring", "path", "text"),
    [
        ({"pools": [{**POOL, "scoring": "carnege"}]}, None, "totals.pools[0].scoring.system", "did you mean 'carnage'"),
        ({"final": {**FINAL, "scoring": "x"}}, None, "totals.final.scoring.system", "no system 'x'"),
        ({"final": {**FINAL, "scoring": {"pool": 9}}}, None, "totals.final.scoring.parts", "at least one block"),
        *(
            (
                {"pools": [{**POOL, "scoring": {**SQUARES, key: value}}]},
                None, f"totals.pools[0].scoring.{key}", "holds for all boards of the event",
            )
            for key, value in OF_ALL_BOARDS.items()
        ),
        (
            {"pools": [{**POOL, "scoring": SQUARES}]},
            {**CENTRES, "compared": {"by": "difference"}}, "totals.pools[0].scoring", "scores are compared with those",
        ),
        (
            {"pools": [{**POOL, "scoring": {**SQUARES, "tribute": {"due": "lead", "most_of": "pot"}}}]},
            None, "totals.pools[0].scoring.tribute.most_of", "no block 'pot'; there are polynomial",
        ),
    ],
)  # fmt: skip
def test_an_own_scoring_that_cannot_be_is_refused_with_its_key(
    totals: dict[str, Any], scoring: dict[str, Any] | None, path: str, text: str
) -> None:
    with pytest.raises(Stopped) as stopped:
        rules(totals, scoring)
    assert any(problem.where == f"own {path}" and text in problem.text for problem in stopped.value.problems)
