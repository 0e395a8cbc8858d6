"""Leagues at random: every way to give points, weights, ties and names that look like something else."""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

from pipeline.rules.league_file import TIES
from pipeline.scoring.league import (
    EventWorth,
    FallingPoints,
    League,
    LeagueEvent,
    LeagueResult,
    LinearPoints,
    ListedPoints,
    PointsByTotal,
    PointsRule,
    SharedPlace,
)
from pipeline.scoring.results import AS_IT_IS, Rounding, RoundingWay
from pipeline.scoring.rules import AwardRules, Chain, ScoringRules, Ties, Totals, Weights
from pipeline.scoring.system import System
from workbook.events import invent_names

WEIGHTS = (
    Weights(),
    Weights(((Fraction(1), Fraction(1)),)),
    Weights(((Fraction(1), Fraction(1, 2), Fraction(1, 3)),)),
    Weights(((Fraction(1, 2),), (Fraction(1), Fraction(1, 2)), (Fraction(1), Fraction(1), Fraction(1, 2)))),
)


def invent_league(seed: int) -> League:
    """Make a league; the same seed makes the same."""
    dice = random.Random(f"league {seed}")
    names = invent_names(dice, dice.randint(4, 24), 0.2)
    points = {kind: _invent_points(dice) for kind in ("A", "B", "C")[: dice.randint(1, 3)]}
    joined = {f"{name} (2)": name for name in names if dice.random() < 0.15}
    other = {name: second for second, name in joined.items()}
    events = tuple(
        _invent_event(dice, f"Event {n}", dice.choice(list(points)), names, other)
        for n in range(1, dice.randint(1, 9) + 1)
    )
    steps = dice.sample(list(TIES), dice.randint(0, len(TIES)))
    ties: Chain = tuple(step for name in steps for step in TIES[name])
    rounding = dice.choice((AS_IT_IS, Rounding(RoundingWay.HALF_UP, 0), Rounding(RoundingWay.TRUNCATE, 0)))
    drawn = dice.sample(names, len(names)) if dice.random() < 0.5 else []
    return League(
        name=f"League {seed}",
        source="nowhere",
        rules=ScoringRules(
            name=f"League {seed}",
            system=System(parts=()),
            totals=Totals(rounds=len(events), weights=dice.choice(WEIGHTS), rounding=rounding),
            ties=Ties(players=ties),
            awards=AwardRules(power=""),
        ),
        points=points,
        events=events,
        persons=joined,
        least_events=dice.choice((1, 1, 2, 3)),
        lots=(tuple(drawn),) if drawn else (),
    )


def _invent_points(dice: random.Random) -> PointsRule:
    shared = dice.choice(list(SharedPlace))
    worth = dice.choice(
        (
            EventWorth(points=Fraction(dice.randint(1, 500))),
            EventWorth(
                each_board=Fraction(10), rounds=dice.choice((None, 3, 4)), most=dice.choice((None, Fraction(90)))
            ),
        )
    )
    return dice.choice(
        (
            PointsByTotal(factor=Fraction(dice.choice(("1", "1/3", "2")))),
            LinearPoints(shared=shared, worth=worth),
            FallingPoints(
                shared=shared,
                worth=worth,
                each=Fraction(9, 10),
                scoring=dice.choice((Fraction(1), Fraction(1, 2), Fraction(1, 3))),
                least=Fraction(dice.choice((0, 5))),
            ),
            ListedPoints(shared=shared, listed=tuple(map(Fraction, (25, 18, 15, 12, 10))), others=Fraction(1)),
        )
    )


def _invent_event(
    dice: random.Random, name: str, kind: str, names: Sequence[str], other: Mapping[str, str]
) -> LeagueEvent:
    """An event of some of the players, some of them under their second name, some places shared."""
    playing = dice.sample(names, dice.randint(1, len(names)))
    totals = sorted((Fraction(dice.randint(0, 30), dice.choice((1, 2, 3))) for _ in playing), reverse=True)
    results = []
    for each, total in zip(playing, totals, strict=True):
        called = other[each] if each in other and dice.random() < 0.5 else each
        results.append(LeagueResult(called, totals.index(total) + 1, total))
    dice.shuffle(results)
    return LeagueEvent(name=name, kind=kind, results=tuple(results), boards=tuple(dice.randint(1, 5) for _ in range(4)))
