"""What a system pays by the centre count alone, over many boards: the facts behind its picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice

from pipeline.board.map import Power
from pipeline.scoring.games.system import System, score_board
from pipeline.scoring.results.results import STANDARD_CENTRES, Board, Seat

MOST = 17  # centres without a solo
EVERY = 10  # of the 2,486 ways to share 34 centres among seven powers without a solo, each tenth is looked at


@dataclass(frozen=True, slots=True)
class Pay:
    """What a power with so many centres gets, over all boards that were looked at."""

    centres: int
    least: Fraction
    mean: Fraction
    most: Fraction


def pay_by_count(system: System) -> tuple[Pay, ...]:
    """The least, the mean and the most that each count of centres brings without a solo."""
    found: dict[int, list[Fraction]] = {owned: [] for owned in range(MOST + 1)}
    for one in boards():
        for game in score_board(one, system):
            found[game.centres].append(game.score)
    return tuple(
        Pay(owned, min(scores), sum(scores, Fraction()) / len(scores), max(scores))
        for owned, scores in found.items()
        if scores
    )


@cache
def boards() -> tuple[Board, ...]:
    """The boards that are looked at; every system is asked about the same."""
    return tuple(map(board, islice(shared_out(STANDARD_CENTRES, len(Power), MOST), 0, None, EVERY)))


def board(counts: tuple[int, ...]) -> Board:
    """A board that ended with these counts, in its seventh year; nothing is known of the years before."""
    powers = tuple(Power)
    centres = dict(zip(powers, counts, strict=True))
    return Board(
        round=1, name="A", seats={power: Seat(player=None) for power in powers}, centres=centres, years={1907: centres}
    )


def shared_out(total: int, powers: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to share centres among powers, highest first.

    >>> list(shared_out(4, 3, 2))
    [(2, 2, 0), (2, 1, 1)]
    """
    if powers == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        if first * powers < total:
            return
        for rest in shared_out(total - first, powers - 1, first):
            yield first, *rest
