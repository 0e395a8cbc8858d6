"""How totals are made, and what is in doubt, in words for the wall."""

from typing import Any

import pytest

from pipeline.rules.scoring import read_scoring
from pipeline.scoring.doubts import CentresMissing
from pipeline.scoring.stakes import Stake, WeighedDoubt, doubts_in_short, level_so_far_in_short
from pipeline.scoring.standings_in_words import how_it_counts

FINAL = {"round": 3, "qualifying_rounds": [1, 2], "qualifying_weights": [1]}
BEST = {"players": 2, "after": [1, 2], "round": 3, "times": "3/2"}
IN_FULL = "From best to worst: all in full."
TOTAL = "Total: the scores as they count, and ± (bonuses less penalties)"
COUNTED: list[tuple[dict[str, Any], str, str]] = [  # of the first line, and a line below the two that always stand
    ({}, IN_FULL, ""),
    ({"weights": [1, "1/2"]}, "From best to worst: ×1, ×0.5.", ""),
    ({"weights": {"value": [[1], [1, 1]], "rule": "X 4"}}, "worst: 1 game ×1; 2 games ×1, ×1 (X 4).", ""),
    ({"groups": [{"rounds": [1, 2], "weights": [1]}, {"rounds": [3], "counted": False}]},
     "From best to worst: rounds 1, 2 ×1; round 3 not at all.", ""),
    ({"final": {**FINAL, "total": "qualifying plus final", "champion": "table"}},
     "all in full; for finalists ×1, and the final in full.",
     "Where a final table is played, whoever wins it is first, whatever others have."),
    ({"final": {**FINAL, "champion": "total"}}, IN_FULL,
     "Where a final table is played, whoever has the best total of those on it is first, whatever others have."),
    ({"round_weights": [1, "1/2"]}, IN_FULL, "Scores are multiplied by their round: ×1, ×1/2."),
    ({"round_weights": [1], "size_weights": {"6": "6/7", "5": 2}}, IN_FULL,
     "Scores are multiplied by their round: ×1; by who sat at the table: 5 players ×2, 6 players ×6/7."),
    ({"for_the_best": [BEST]}, IN_FULL,
     "Round 3 counts ×1.5 for the best 2 after rounds 1, 2, and for all who are level with the last of them."),
    ({"for_the_best": [{**BEST, "after": [2], "weights": [1]}]}, IN_FULL,
     "Round 3 counts ×1.5 for the best 2 after round 2 (from best to worst ×1), and for all who are level with the "
     "last of them."),
    ({"wins_first": True}, IN_FULL, "Who has won more games outright is ahead, whatever the points."),
]  # fmt: skip


@pytest.mark.parametrize(("totals", "weights", "more"), COUNTED)
def test_the_wall_says_how_scores_make_a_total(totals: dict[str, Any], weights: str, more: str) -> None:
    points = {"scoring": {"parts": [{"give": "centres"}]}, "totals": {"rounds": 3, **totals}}
    first, total, *others = how_it_counts(read_scoring(points, "x"))
    assert first.endswith(f" {weights}")
    assert (total, others) == (f"{TOTAL}.", [more] if more else [])


def weighed(*stakes: Stake, level: int = 0) -> list[WeighedDoubt]:
    doubt = CentresMissing(spot=(1, "A"), found=28, total=34)
    waiting = [WeighedDoubt(doubt, Stake.TITLE, is_level_so_far=True)] * level
    return [*waiting, *(WeighedDoubt(doubt, stake) for stake in stakes)]


@pytest.mark.parametrize(
    ("doubts", "said"),
    [
        (weighed(), "nothing is in doubt"),
        (weighed(level=2), "nothing is to be decided yet"),
        (weighed(Stake.NOTHING), "1 doubt"),
        (weighed(Stake.NOTHING, Stake.PLACE, Stake.PLACE, level=1), "3 doubts, 2 decide a place"),
        (weighed(Stake.PLACE, Stake.NOTHING, Stake.TITLE), "3 doubts, 1 decides a title"),
    ],
)
def test_doubts_are_counted_by_the_most_that_they_decide(doubts: list[WeighedDoubt], said: str) -> None:
    assert doubts_in_short(doubts) == said
    level = sum(one.is_level_so_far for one in doubts)
    assert level_so_far_in_short(doubts).partition(": ")[2].partition(",")[0] == (str(level) if level else "")
