"""Every setting that names rounds, or weighs games, is refused where no event can have them, and nowhere else."""

from typing import Any

import pytest
from rules.test_mangled_files import changed

from pipeline.rules.scoring import misfits, read_scoring

SCORING = {"parts": [{"give": "centres"}], "solo": {"winner": 100}}
BEST = {"after": [1, 2], "weights": [1, 1], "round": 3}
FINAL = {"round": 4, "qualifying_rounds": [1, 2, 3], "qualifying_weights": [1, 1, 1]}
PLAIN: dict[str, Any] = {
    "scoring": SCORING,
    "totals": {
        "rounds": 4, "two_boards": "ask", "weights": [1, 1, 1, 1], "round_weights": [1, 1, 1, 0], "final": FINAL,
        "most_games": {"rounds": [1, 2], "games": 1}, "for_the_best": [{**BEST, "players": 2, "times": 2}],
        "pools": [{**BEST, "name": "Top", "seats": 7}], "bonuses": {"preregistration": {"points": 1, "rounds": [1]}},
    },
    "teams": {"size": 3, "rounds": [1, 2], "apart": [3]},
    "awards": {"titles": [{"title": "a", "weights": [1] * 4}, {"title": "b", "rounds": [1, 2], "weights": [1, 1]}]},
}  # fmt: skip
GROUPS = [{"rounds": [1], "weights": [1]}, {"rounds": [2, 3, 4], "weights": [1, 1, 1]}]
GROUPED: dict[str, Any] = {
    "scoring": SCORING,
    "totals": {"rounds": 4, "two_boards": "ask", "groups": GROUPS, "final": {**FINAL, "total": "like everybody"}},
}


def told(path: str, value: object, two_boards: str = "ask") -> list[tuple[str, str]]:
    """What does not fit where the setting at a path is another."""
    whole = changed(GROUPED if "group" in path else PLAIN, ("totals", "two_boards"), two_boards, gone=False)
    keys = tuple(int(key) if key.isdecimal() else key for key in path.removeprefix("grouped ").split("."))
    return list(misfits(read_scoring(changed(whole, keys, value, gone=False), "x")))


def said(path: str) -> str:
    """A path as faults have it: "teams.0" as "teams[0]"."""
    return "".join(f"[{key}]" if key.isdecimal() else f".{key}" for key in path.split(".")).lstrip(".")


ROUNDS = {
    "totals.most_games.rounds": [2, 9], "totals.for_the_best.0.round": 9, "totals.pools.0.round": 9,
    "totals.bonuses.preregistration.rounds": [1, 9], "totals.final.round": 9, "teams.rounds": [4, 9],
    "totals.final.qualifying_rounds": [1, 2, 3, 9], "teams.apart": [9], "awards.titles.1.rounds": [0, 4],
    "totals.groups.1.rounds": [2, 3, 4, 5, 6, 7, 8, 9],
}  # fmt: skip


@pytest.mark.parametrize("path", ROUNDS)
def test_a_round_that_is_not_played_is_told_wherever_it_is_named(path: str) -> None:
    named = {"totals.groups.1.rounds": "5, 6, 7, 8, 9", "awards.titles.1.rounds": "0"}.get(path, "9")
    assert told(path, ROUNDS[path]) == [(said(path), f"round {named} is not played; there are rounds 1 to 4")]


WEIGHTS = {
    "totals.weights": 4, "awards.titles.0.weights": 4, "awards.titles.1.weights": 2, "totals.groups.1.weights": 3,
    "totals.final.qualifying_weights": 3, "totals.for_the_best.0.weights": 2, "totals.pools.0.weights": 2,
}  # fmt: skip


@pytest.mark.parametrize("path", WEIGHTS)
def test_there_are_no_more_weights_than_games_unless_a_player_may_have_two_a_round(path: str) -> None:
    games, at = WEIGHTS[path], said(path)
    more = f"{games + 1} weights, but {games} rounds; leave out the last, or say two_boards = 'both'"
    rows = [[1] * n for n in range(1, games + 1)]
    longer = [*rows[:-1], [1] * (games + 1)]
    several = (f"{at}[0]", "2 weights for 1 game; leave out the last")
    for value, misfit in (
        ([1] * games, None),
        (rows, None),
        ([1] * (games + 1), (at, more)),
        (longer, (f"{at}[{games - 1}]", more)),
        ([*rows, [1]], (at, f"rows for up to {games + 1} games, but {games} rounds; leave out the last")),
    ):
        assert told(path, value) == ([misfit] if misfit else [])
        assert told(path, value, "both") == []
    assert told(path, [[1, 1], *rows[1:]]) == told(path, [[1, 1], *rows[1:]], "both") == [several]


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        ("totals.round_weights", [1] * 5, "5 weights, but 4 rounds; leave out the last"),
        ("totals.round_weights", [0] * 4, "no round counts: all weights are 0; give one at least another weight"),
        ("totals.final.qualifying_rounds", [1, 2, 4], "round 4 is not before the final table of round 4; leave it out"),
        ("grouped totals.final.total", "qualifying plus final", "[[totals.groups]] says already how rounds are added"),
    ],
)
def test_what_else_cannot_be_of_rounds(path: str, value: object, text: str) -> None:
    [(where, found)] = told(path, value)
    assert (where, found.startswith(text)) == (path.removeprefix("grouped "), True)


def test_what_fits_is_told_nothing() -> None:
    for fitting in (PLAIN, GROUPED):
        assert list(misfits(read_scoring(fitting, "x"))) == []
    assert told("totals.round_weights", [0, 0, 0]) == []
