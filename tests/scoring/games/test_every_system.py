"""What is true of every scoring system, on boards at random: sums, equals, and what another centre is worth."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.rules.load import load_systems
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.results import Board, Ending, Rounding, RoundingWay, Seat
from pipeline.scoring.system import Abandoned, System, score_board

SYSTEMS = load_systems()
POWERS = tuple(Power)
SEEDS = st.integers(0, 2**32)
# what is handed out on a board without a solo and without neutral centres, before rounding
HANDED_OUT = {
    "c-diplo-100": 100, "c-diplo-73": 100, "c-diplo-80": 80, "c-diplo-argir": 99, "carnage": 28034,
    "carnage-centre-count": 45028, "carnage-dead-equal": 28034, "detour09": 100, "detour98f": 100, "dixie": 590,
    "draw-size": 100, "duct-tape": 134, "duct-tape-by-year": 134, "half-tribute": 100, "manorcon-v2": 100,
    "masters": 97, "solo-or-bust": 0, "squares-wdc2008": 100, "sum-of-squares": 100, "tribute": 100,
}  # fmt: skip
# where taking a centre may cost points: why, the counts before, and from which to which place a centre goes
COSTS = {
    "detour09": ("three who share a place have more together than four", (16, 4, 4, 4, 4, 2, 0), 4, 0),
    "detour98f": ("as in detour09", (16, 4, 4, 4, 4, 2, 0), 4, 0),
    "french-2022": ("a survivor less is a point less for everybody", (17, 15, 1, 1, 0, 0, 0), 3, 1),
    "omg": ("who is eliminated pays the leader no more", (16, 12, 5, 1, 0, 0, 0), 3, 0),
    "tribute": ("who is eliminated pays the leader no more", (16, 15, 2, 1, 0, 0, 0), 3, 0),
}


@cache
def exact(name: str) -> System:
    """A system without its rounding."""
    rules = read_scoring({"scoring": SYSTEMS[name].scoring, "totals": {"rounds": 1}}, name)
    return replace(rules.system, rounding=Rounding(RoundingWay.NOT_AT_ALL))


def board(counts: Sequence[int], years: Sequence[Sequence[int]] = (), left_out: Sequence[bool] = ()) -> Board:
    """A board of 34 centres; ``years`` are those before the last, 1907."""
    recorded = {1907 - len(years) + number: dict(zip(POWERS, row, strict=True)) for number, row in enumerate(years)}
    return Board(
        round=1,
        name="A",
        seats={power: Seat(player=power.title()) for power in POWERS},
        centres=dict(zip(POWERS, counts, strict=True)),
        years={**recorded, 1907: dict(zip(POWERS, counts, strict=True))},
        unowned=34 - sum(counts),
        left_out=frozenset(power for power, out in zip(POWERS, left_out, strict=False) if out),
    )


def scores(system: System, one: Board) -> list[Fraction]:
    return [game.score for game in score_board(one, system)]


def shared_out(random: Random, centres: int = 34, most: int = 17) -> list[int]:
    """Centres at random, close together or far apart, nobody with a solo."""
    while True:
        weights = [random.random() ** random.choice((0.2, 1, 3)) for _ in POWERS]
        counts = [int(centres * weight / sum(weights)) for weight in weights]
        counts[random.randrange(7)] += centres - sum(counts)
        if max(counts) <= most:
            return counts


@pytest.mark.parametrize("name", HANDED_OUT)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_as_much_is_handed_out_on_every_board(name: str, seed: int) -> None:
    counts = shared_out(Random(seed))

    assert sum(scores(exact(name), board(counts, [counts]))) == HANDED_OUT[name]


@pytest.mark.parametrize("name", SYSTEMS)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_powers_that_did_as_well_get_as_much_whoever_they_are(name: str, seed: int) -> None:
    """The scores go with what a power did when the powers change places, with years, draws and neutral centres."""
    random = Random(seed)
    counts = shared_out(random, random.choice((34, 34, 30)), most=random.choice((17, 34)))
    counts[1] = counts[0] if random.random() < 0.5 and counts[0] * 2 + sum(counts[2:]) <= 34 else counts[1]
    years = [[random.choice((0, 2, 5)) for _ in POWERS] for _ in range(random.choice((0, 3, 6)))]
    left_out = [count > 0 and random.random() < 0.2 for count in counts]
    order = random.sample(range(7), 7)
    system = exact(name)

    paid = scores(system, board(counts, years, left_out))
    moved = [[row[place] for place in order] for row in years]
    again = scores(system, board([counts[p] for p in order], moved, [left_out[p] for p in order]))
    assert again == [paid[place] for place in order]


@pytest.mark.parametrize("name", SYSTEMS)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_who_has_more_centres_never_has_fewer_points_and_who_has_as_many_has_as_many(name: str, seed: int) -> None:
    counts = sorted(shared_out(Random(seed), most=34), reverse=True)
    paid = scores(exact(name), board(counts, [counts]))

    for place in range(6):
        assert paid[place] >= paid[place + 1]
        assert counts[place] > counts[place + 1] or paid[place] == paid[place + 1]


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name not in COSTS])
@settings(max_examples=15)
@given(seed=SEEDS)
def test_taking_a_centre_from_somebody_never_costs_points(name: str, seed: int) -> None:
    random = Random(seed)
    counts = shared_out(random)
    takers = [place for place, count in enumerate(counts) if 0 < count < 17]
    assume(takers and sum(map(bool, counts)) > 1)  # else nobody can take a centre from anybody
    taker = random.choice(takers)
    victim = random.choice([place for place, count in enumerate(counts) if count and place != taker])
    system = exact(name)

    assert after_taking(system, counts, victim, taker) >= scores(system, board(counts, [counts]))[taker]


def after_taking(system: System, counts: Sequence[int], victim: int, taker: int) -> Fraction:
    """The score of who has taken a centre from another."""
    after = [count + (place == taker) - (place == victim) for place, count in enumerate(counts)]
    return scores(system, board(after, [counts]))[taker]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_game_that_was_given_up_is_worth_nothing_to_anybody_where_the_rules_say_so(name: str) -> None:
    system = replace(exact(name), abandoned=Abandoned.ZERO)
    for counts in ((12, 9, 6, 4, 3, 0, 0), (20, 14, 0, 0, 0, 0, 0)):
        for ended in (Ending.ABANDONED, Ending.CONCEDED):
            paid = scores(system, replace(board(counts), ended=ended))
            is_won = system.solo.soloist(board(counts)) is not None
            assert paid == (scores(system, board(counts)) if is_won else [0] * 7), (counts, ended)


@pytest.mark.parametrize("name", COSTS)
def test_where_taking_a_centre_may_cost_points_it_does(name: str) -> None:
    _, counts, victim, taker = COSTS[name]
    system = exact(name)

    assert after_taking(system, counts, victim, taker) < scores(system, board(counts, [counts]))[taker]
