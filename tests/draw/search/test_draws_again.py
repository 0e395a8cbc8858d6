"""A draw whose seed was called can be made again by anybody: these were made, and any machine makes them again.

Where a change of the search is meant to draw otherwise, the new seats are written here, and `benchmarks/draw.py`
says that they are as good.
"""

from collections.abc import Mapping
from hashlib import sha256

import pytest

from draw.draw_room import POWERS, in_a_row, names, past, task, wishing
from pipeline.board import Power
from pipeline.draw.draw_round import draw_seats
from pipeline.draw.task import Draw, PastBoard, Task
from pipeline.rules.tournament import Aim

ALL = wishing(
    Aim.SAME_POWER_ONCE,
    Aim.TEAMS_APART,
    Aim.POWER_GROUPS,
    Aim.NEW_OPPONENTS,
    Aim.TRIOS_APART,
    Aim.FAMILIES_APART,
    Aim.BEST_TOGETHER,
    meetings_most=2,
    groups=(POWERS[1:4], POWERS[5:], (POWERS[0], POWERS[4])),
)
FEW = wishing(Aim.SAME_POWER_ONCE, Aim.FAMILIES_APART, Aim.NEW_OPPONENTS, Aim.BEST_TOGETHER)


def couples(count: int, apart: int) -> frozenset[frozenset[str]]:
    """Everybody with the player so many places after him, for every third."""
    found = names(count)
    return frozenset(frozenset((found[k], found[(k + apart) % count])) for k in range(0, count, 3))


def rows(count: int, rounds: int) -> list[PastBoard]:
    """Rounds that were played: in a row, then in rows of every second, third … player."""
    players = names(count)
    turns = [tuple(name for start in range(step) for name in players[start::step]) for step in range(1, rounds + 1)]
    return [board for number, turned in enumerate(turns, 1) for board in in_a_row(number, turned)]


def drawn_after_lines(count: int) -> Task:
    """A second round after a first one that was drawn, with two newcomers and the best together."""
    first = draw_seats(task(count, FEW, families=couples(count, 1), rounds_after=2), 1)
    best = tuple(board[Power.FRANCE] for board in first.boards[:3])
    here = ("Zoe", "Yan", *names(count)[2:])
    more = {"points": first.points, "together": (best,), "families": couples(count, 1), "rounds_after": 1}
    return task(count, FEW, past(1, first.boards), bodies=here, **more)


MADE: Mapping[str, tuple[Task, str]] = {
    "a first round of four boards": (task(28, ALL, mates=couples(28, 1), families=couples(28, 2)), "da4593229d78"),
    "a second of three rounds of four boards": (
        task(
            28, ALL, rows(28, 1), mates=couples(28, 3), mates_after=(couples(28, 2),), families=couples(28, 5),
            together=(("P01", "P08", "P15"),), rounds_after=1,
        ),
        "29c1ae62813d",
    ),
    "a last round of five boards": (task(35, ALL, rows(35, 2), families=couples(35, 1)), "0a5decdbb397"),
    "some on two boards": (
        task(28, ALL, rows(28, 1), bodies=(*names(24), *names(4)), families=couples(24, 7), rounds_after=1),
        "12dacb595858",
    ),
    "two boards of six": (task(28, FEW, rows(21, 1), bodies=names(26), empty=(Power.TURKEY,) * 2), "0bb81fdccea0"),
    "a first round of seven boards by lines": (
        task(49, FEW, families=couples(49, 1), mates_after=(frozenset(),) * 2, rounds_after=2), "69ae19448c9a",
    ),
    "a second round of eight boards by lines": (task(56, FEW, rows(56, 1), families=couples(56, 3)), "bfc17e672488"),
    "a second round of seven boards by lines, with newcomers": (drawn_after_lines(49), "955bdae08dd6"),
    "a third of four rounds of seven boards": (task(49, FEW, rows(49, 2), rounds_after=1), "9e0049f5851f"),
    "a third of four rounds of eight boards": (
        task(56, FEW, rows(56, 2), families=couples(56, 3), rounds_after=1), "ec12ec5f5356",
    ),
    "one board": (task(7, ALL, rows(7, 1)), "c5080fb6ba74"),
}  # fmt: skip


def hash_of(drawn: Draw) -> str:
    """A short hash of the boards, and of the points for rounds to come."""
    told = [[f"{power} {name}" for power, name in board.items()] for board in drawn.boards]
    return sha256(repr((told, sorted(drawn.points.items()))).encode()).hexdigest()[:12]


@pytest.mark.parametrize(("asked", "made"), MADE.values(), ids=MADE)
def test_a_draw_is_made_again(asked: Task, made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.draw.draw_round.AHEAD", 100)
    monkeypatch.setattr("pipeline.draw.draw_round.STEPS", 3_000)
    assert hash_of(draw_seats(asked, 7)) == made
