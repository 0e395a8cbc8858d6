"""What each breach of a wish costs in the search: a scale on which one higher wish outweighs many lower ones."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from pipeline.board import Power
from pipeline.draw.task import Pair, Task
from pipeline.rules.tournament import Aim

STEP = 20.0  # one breach outweighs twenty of the next lower wish; steeper scales freeze the annealing at once
# A fourth meeting counts as four repeats. Without this the fewest repeats are reached by couples who meet in every
# round: 28 players and 4 rounds allow 36, all of them by twelve couples (the affine plane of order 4, points doubled).
FOURTH = 3

Matrix = list[list[float]]


class Prices(Struct, frozen=True, kw_only=True):
    """The cost of everything a seating can break."""

    meeting: tuple[float, ...]  # of one more meeting, by how often the two have met before
    pairs: tuple[Matrix, ...]  # of two bodies at one board, for this round and each planned one, meetings apart
    met: list[list[int]]  # how often two bodies have met in earlier rounds
    powers: Matrix  # of a body with a power, by the power's place
    twins: Mapping[int, tuple[int, ...]]  # the bodies of somebody who plays on several boards, each with the others
    again: Mapping[int, Matrix]  # what the powers of two bodies of one person add, by the powers' places
    trio: float  # of three players who meet again
    rewards: float  # the most that can be gained by putting wanted players together
    repeat: float  # of the first meeting again; the search starts from it
    cold: float  # the least price there is


def price_breaches(task: Task) -> Prices:
    """Put a price on every breach from the wishes in their order of importance."""
    wished = task.wishes.wished
    scale = {each.aim: STEP**place for place, each in enumerate(reversed(wished))}
    met = task.met()
    repeat = scale.get(Aim.NEW_OPPONENTS, 0.0)
    cap, over = task.wishes.meetings_most, (STEP ** len(task.wishes.wished))
    rounds = task.rounds_after + 1
    seats = max(Counter(task.bodies).values())  # of one person in this round
    most = max(met.values(), default=0) + rounds + seats * seats
    meeting = tuple(
        0.0 if k == 0 else repeat * (1 if k < FOURTH else 4) + (over if cap is not None and k >= cap else 0.0)
        for k in range(most + 1)
    )
    return Prices(
        meeting=meeting,
        pairs=tuple(_pair_prices(task, scale, met, later) for later in range(rounds)),
        met=[[met[frozenset((a, b))] if a != b else 0 for b in task.bodies] for a in task.bodies],
        powers=_power_prices(task, scale),
        twins=_twins(task.bodies),
        again=_twin_prices(task, scale),
        trio=scale.get(Aim.TRIOS_APART, 0.0),
        rewards=len(wanted_together(task, met)) * scale.get(Aim.BEST_TOGETHER, 0.0),
        repeat=repeat,
        cold=min(scale.values(), default=1.0),
    )


def _twins(bodies: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Find the other bodies of everybody who has several.

    >>> _twins(("Ann", "Bob", "Ann"))
    {0: (2,), 2: (0,)}
    """
    same: dict[str, list[int]] = {}
    for body, name in enumerate(bodies):
        same.setdefault(name, []).append(body)
    return {body: tuple(b for b in alike if b != body) for alike in same.values() if len(alike) > 1 for body in alike}


def never_price(task: Task) -> float:
    """The price of what is forbidden: somebody twice at one board, two empty seats, or a wrong empty seat.

    It is that of two recorders at one board, too, and of two who stay at tables of their own.
    """
    return STEP ** (len(task.wishes.wished) + 1)


def _pair_prices(task: Task, scale: Mapping[Aim, float], met: Counter[Pair], later: int) -> Matrix:
    """The price of any two bodies at one board, in this round (``later`` 0) or in one that follows."""
    mates = task.mates if later == 0 else task.mates_after[later - 1] if later <= len(task.mates_after) else frozenset()
    of_pair: Counter[Pair] = Counter()
    for aim, pairs in ((Aim.TEAMS_APART, mates), (Aim.FAMILIES_APART, task.families)):
        for pair in pairs:
            of_pair[pair] += scale.get(aim, 0)  # type: ignore[assignment]  # a Counter of floats
    if later == 0:
        for pair in wanted_together(task, met):
            of_pair[pair] -= scale.get(Aim.BEST_TOGETHER, 0)  # type: ignore[assignment]
    never = never_price(task)
    never_meet = [group for group in (task.chairs.keys(), task.tables.keys(), task.recorders) if group]
    return [
        [
            0.0
            if i == j
            else never
            if a == b or any(a in group and b in group for group in never_meet)
            else float(of_pair[frozenset((a, b))])
            for j, b in enumerate(task.bodies)
        ]
        for i, a in enumerate(task.bodies)
    ]


def wanted_together(task: Task, met: Counter[Pair]) -> Sequence[Pair]:
    """Pairs wanted at one board: the best of a round who have not met (EDC23 E)."""
    pairs = (frozenset(pair) for group in task.together for pair in combinations(group, 2))
    return [pair for pair in pairs if not met[pair]]


def _power_prices(task: Task, scale: Mapping[Aim, float]) -> Matrix:
    """The price of each power for each body, from what the body has played before: the same power twice costs most."""
    played = task.count_powers()
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


def _twin_prices(task: Task, scale: Mapping[Aim, float]) -> dict[int, Matrix]:
    """For each body of somebody who has several: what its power and that of another one cost beside their own prices.

    Groups that are taken in the better order may cost less together than each by itself.
    """
    played, grouped = task.count_powers(), scale.get(Aim.POWER_GROUPS, 0.0)
    same = scale.get(Aim.SAME_POWER_ONCE, 0.0)

    def price(name: str, a: Power, b: Power) -> float:
        both = sum(turns for _, turns in group_turns_of(played, name, (a, b), task))
        alone = sum(group_turns(played, name, power, task) for power in (a, b))
        return same * (a is b) + grouped * (both - alone)

    return {
        body: [[price(task.bodies[body], a, b) for b in task.powers] for a in task.powers]
        for body in _twins(task.bodies)
    }


def group_turns_of(
    played: Counter[tuple[str, Power]], name: str, powers: Sequence[Power], task: Task
) -> Iterator[tuple[Power, int]]:
    """`group_turns` of each power of somebody in one round, as if he had them one after another in the best order."""
    played, left = played.copy(), list(powers)
    while left:
        power = min(left, key=lambda each: group_turns(played, name, each, task))
        yield power, group_turns(played, name, power, task)
        played[name, power] += 1
        left.remove(power)


def group_turns(played: Counter[tuple[str, Power]], name: str, power: Power, task: Task) -> int:
    """How many more turns somebody has had in the groups of a power than in the group he played least (NZ99 20)."""
    turns = [sum(played[name, each] for each in group) for group in task.wishes.groups]
    least = min(turns, default=0)
    return sum(turn - least for turn, group in zip(turns, task.wishes.groups, strict=True) if power in group)
