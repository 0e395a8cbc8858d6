"""What each breach of a wish costs in the search: a scale on which one higher wish outweighs many lower ones."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pipeline.board.map import Power
from pipeline.draw.search.task import Pair, Task
from pipeline.rules.event_rules import Aim

STEP = 20.0  # one breach outweighs twenty of the next lower wish; steeper, and the search freezes before it has begun
# A fourth meeting counts as four repeats. Without this the fewest repeats are reached by couples who meet in every
# round: 28 players and 4 rounds allow 36, all of them by twelve couples (the affine plane of order 4, points doubled).
FOURTH = 3

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """The cost of everything a seating can break."""

    meeting: tuple[float, ...]  # of one more meeting, by how often the two have met before
    pairs: tuple[Matrix, ...]  # of two bodies at one board, for this round and each planned one, meetings apart
    met: list[list[int]]  # how often two bodies have met in earlier rounds
    powers: Matrix  # of a body with a power, by the power's place
    twins: Mapping[int, tuple[int, ...]]  # the bodies of somebody who plays on several boards, each with the others
    same_again: float  # of one person with the same power on two boards of this round
    trio: float  # of three players who meet again
    rewards: float  # what is gained at most where players are wanted together
    repeat: float  # of the first meeting again; the search starts from it
    cold: float  # the least price there is


def prices(task: Task) -> Prices:
    """Put a price on every breach, from the wishes in their order of importance."""
    scale = scale_of(task)
    met = task.met()
    repeat = scale.get(Aim.NEW_OPPONENTS, 0.0)
    cap, over = task.wishes.meetings_most, scale_of_cap(task)
    rounds = task.rounds_after + 1
    most = max(met.values(), default=0) + rounds
    meeting = tuple(
        0.0 if k == 0 else repeat * (1 if k < FOURTH else 4) + (over if cap is not None and k >= cap else 0.0)
        for k in range(most + 1)
    )
    return Prices(
        meeting=meeting,
        pairs=tuple(pair_prices(task, scale, met, later) for later in range(rounds)),
        met=[[met[frozenset((a, b))] if a != b else 0 for b in task.bodies] for a in task.bodies],
        powers=power_prices(task, scale),
        twins=twins(task.bodies),
        same_again=scale.get(Aim.SAME_POWER_ONCE, 0.0),
        trio=scale.get(Aim.TRIOS_APART, 0.0),
        rewards=len(wanted_together(task, met)) * scale.get(Aim.BEST_TOGETHER, 0.0),
        repeat=repeat,
        cold=min(scale.values(), default=1.0),
    )


def twins(bodies: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Find the other bodies of everybody who has several.

    >>> twins(("Ann", "Bob", "Ann"))
    {0: (2,), 2: (0,)}
    """
    same: dict[str, list[int]] = {}
    for body, name in enumerate(bodies):
        same.setdefault(name, []).append(body)
    return {body: tuple(b for b in found if b != body) for found in same.values() if len(found) > 1 for body in found}


def scale_of(task: Task) -> Mapping[Aim, float]:
    """The price of one breach of each wish: the last costs 1, the one before it `STEP` times as much, and so on."""
    wished = task.wishes.wished
    return {each.aim: STEP**place for place, each in enumerate(reversed(wished))}


def scale_of_cap(task: Task) -> float:
    """The price of a meeting that the rules forbid: above every wish."""
    return STEP ** len(task.wishes.wished)


def never_price(task: Task) -> float:
    """The price of what is never done: somebody twice at one board, or two empty seats, or one of another power."""
    return STEP ** (len(task.wishes.wished) + 1)


def pair_prices(task: Task, scale: Mapping[Aim, float], met: Counter[Pair], later: int) -> Matrix:
    """The price of any two bodies at one board, in this round (``later`` 0) or in one that follows."""
    mates = task.mates if later == 0 else task.mates_after[later - 1] if later <= len(task.mates_after) else frozenset()
    of_pair: Counter[Pair] = Counter()
    for aim, pairs in ((Aim.TEAMS_APART, mates), (Aim.FAMILIES_APART, task.families)):
        for pair in pairs:
            of_pair[pair] += scale.get(aim, 0)  # type: ignore[assignment]  # a Counter of floats
    if later == 0:
        for pair in wanted_together(task, met):
            of_pair[pair] -= scale.get(Aim.BEST_TOGETHER, 0)  # type: ignore[assignment]
    never, chairs = never_price(task), task.chairs
    return [
        [
            0.0 if i == j else never if a == b or {a, b} <= chairs.keys() else float(of_pair[frozenset((a, b))])
            for j, b in enumerate(task.bodies)
        ]
        for i, a in enumerate(task.bodies)
    ]


def wanted_together(task: Task, met: Counter[Pair]) -> Sequence[Pair]:
    """Pairs wanted at one board: the best of a round who have not met (EDC23 E)."""
    pairs = (frozenset(pair) for group in task.together for pair in combinations(group, 2))
    return [pair for pair in pairs if not met[pair]]


def power_prices(task: Task, scale: Mapping[Aim, float]) -> Matrix:
    """The price of each power for each body, from what the body has played before."""
    played = task.played()
    again, grouped = scale.get(Aim.SAME_POWER_ONCE, 0.0), scale.get(Aim.POWER_GROUPS, 0.0)
    never, chairs = never_price(task), task.chairs
    return [
        [
            (0.0 if chairs[name] is power else never)
            if name in chairs
            else again * played[name, power] + grouped * group_turns(played, name, power, task)
            for power in task.powers
        ]
        for name in task.bodies
    ]


def group_turns(played: Counter[tuple[str, Power]], name: str, power: Power, task: Task) -> int:
    """How much oftener than the group played least somebody has played the groups of a power (NZ99 20)."""
    turns = [sum(played[name, each] for each in group) for group in task.wishes.groups]
    least = min(turns, default=0)
    return sum(turn - least for turn, group in zip(turns, task.wishes.groups, strict=True) if power in group)
