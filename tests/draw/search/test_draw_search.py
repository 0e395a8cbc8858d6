"""What the draw is made of: exact assignment, geometry, and a search that never loses count."""

from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draw.boards_of_three import FIRST, a_round, wishes
from draw.draw_room import POWERS, in_a_row, names, task, wishing
from pipeline.draw.affine_plane import ORDERS, _plus, _times, given_points, new_points, seat_lines
from pipeline.draw.draw_round import (
    SeatsFound,
    _board_powers,
    _cheapest_powers,
    _field_powers,
    _first_lines,
    _first_points,
    _is_clean,
    _least_powers,
    _search,
)
from pipeline.draw.prices import price_breaches
from pipeline.draw.search import Search
from pipeline.draw.task import chair
from pipeline.rules.tournament import Aim

COSTS = st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=4, max_size=4)


@settings(deadline=None)
@given(COSTS)
def test_board_powers_are_the_cheapest_of_all(costs: list[list[int]]) -> None:
    who, cost = _board_powers(costs)
    cheapest = min(sum(costs[body][power] for power, body in enumerate(way)) for way in permutations(range(4)))
    assert cost == sum(costs[body][power] for power, body in enumerate(who)) == cheapest


@settings(deadline=None)
@given(COSTS, COSTS)
def test_field_powers_are_the_cheapest_of_all(first: list[list[int]], second: list[list[int]]) -> None:
    costs = [[float(price) for price in row[:2]] for row in first + second][:6]
    places, cost = _field_powers(costs, 3)
    ways = (way for way in permutations((0, 0, 0, 1, 1, 1)))
    assert sorted(places) == [0, 0, 0, 1, 1, 1]
    assert cost == sum(row[place] for row, place in zip(costs, places, strict=True))
    assert cost == min(sum(row[place] for row, place in zip(costs, way, strict=True)) for way in set(ways))


@pytest.mark.parametrize("order", ORDERS)
def test_orders_are_fields(order: int) -> None:
    every = range(order)
    assert all(_times(a, b, order) == _times(b, a, order) for a in every for b in every)
    assert all(sorted(_plus(a, b, order) for b in every) == list(every) for a in every)
    assert all(sorted(_times(a, b, order) for b in every) == list(every) for a in every if a)
    for a in every:
        for b in every:
            for c in every:
                product = _times(a, _plus(b, c, order), order)
                assert product == _plus(_times(a, b, order), _times(a, c, order), order)


@pytest.mark.parametrize("order", ORDERS)
def test_nobody_meets_twice_along_the_lines(order: int) -> None:
    bodies = names(7 * order)
    points = new_points([bodies[start : start + 7] for start in range(0, len(bodies), 7)])
    found = given_points(bodies, points, order, Random(1))
    met = set()
    for slope in range(order):
        seats = seat_lines(found, slope, order, shift=slope)
        for start in range(0, len(seats), 7):
            for pair in combinations(sorted(seats[start : start + 7]), 2):
                assert pair not in met
                met.add(pair)
    assert len(met) == order * order * 21


def test_a_newcomer_takes_the_point_that_is_free() -> None:
    bodies = names(49)
    points = new_points([bodies[start : start + 7] for start in range(0, 49, 7)])
    twice = given_points((*bodies[:-1], bodies[0]), points, 7, Random(1))
    assert twice[0] == points[bodies[0]]  # his second seat gets the point that is left
    assert sorted(twice) == sorted(points.values())
    found = given_points(("Zoe", *bodies[1:]), points, 7, Random(1))
    assert found[0] == points["P01"]
    assert found[1:] == [points[name] for name in bodies[1:]]


@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 10_000), st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20), st.integers(0, 20)), max_size=40)
)
def test_the_search_knows_what_every_swap_adds(seed: int, swaps: list[tuple[int, int, int]]) -> None:
    aims = (Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS, Aim.NEW_OPPONENTS, Aim.TRIOS_APART, Aim.FAMILIES_APART)
    wishes = wishing(*aims, Aim.BEST_TOGETHER, groups=(POWERS[1:4], POWERS[5:], (POWERS[0], POWERS[4])))
    bodies = (*names(16), "P01", "P02", "P03", "P02", "P01")  # three of them on several boards
    rounds = [*in_a_row(1, names(21)), *in_a_row(2, names(21)[::-1])]
    asked = task(
        21,
        wishes,
        rounds,
        bodies=bodies,
        families=frozenset({frozenset({"P03", "P04"})}),
        together=(("P01", "P08", "P15"),),
        rounds_after=2,
    )
    rng = Random(seed)
    starts = [rng.sample(range(21), 21) for _ in range(3)]
    past = [frozenset(k for k, board in enumerate(rounds) if name in board.players.values()) for name in bodies]
    seating = Search(price_breaches(asked), 7, starts, past)
    cost = seating.cost()
    for number, i, j in swaps:
        if i != j:
            cost += seating.change(number, i, j)
            seating.swap(number, i, j)
            assert seating.cost() == pytest.approx(cost)


def test_the_cheapest_seats_of_all_tries_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one step a try, each is as good as its lot."""
    asked = task(28, wishing(Aim.NEW_OPPONENTS), in_a_row(1, names(28)))
    costs = price_breaches(asked)
    tried: list[float] = []

    def annealed(one: Search, rng: Random, _steps: int, floor: float) -> list[list[int]]:
        seats = anneal(one, rng, 1, floor)
        tried.append(Search(costs, 7, seats).cost())
        return seats

    anneal = Search.anneal
    monkeypatch.setattr(Search, "anneal", annealed)
    differing = 0
    for seed in range(6):
        tried.clear()
        found = _search(asked, costs, _field_powers(costs.powers, 4)[0], 0.0, Random(seed))
        assert found.cost == min(tried)
        differing += len(set(tried)) > 1
    assert differing


def test_two_people_on_the_same_two_boards_meet_once_more_and_then_once_more() -> None:
    """Each of their meetings in this round costs what it would if it came after the ones before."""
    bodies = (*names(12), "P01", "P02")
    asked = task(14, wishing(Aim.NEW_OPPONENTS, meetings_most=2), in_a_row(1, names(14)), bodies=bodies)
    costs = price_breaches(asked)
    here, there = [0, 1, 7, 8, 9, 10, 11], [12, 13, 2, 3, 4, 5, 6]
    assert costs.meeting[2] > costs.meeting[1] > costs.meeting[0]
    for seats in ([*here, *there], [*there, *here]):
        times = {frozenset(pair): 0 for pair in combinations(names(14), 2)}
        for pair in [pair for board in (seats[:7], seats[7:]) for pair in combinations(board, 2)]:
            times[frozenset(bodies[body] for body in pair)] += 1
        met = {pair: int(max(pair) <= "P07" or min(pair) > "P07") for pair in times}  # at a board of the first round
        expected = sum(costs.meeting[met[pair] + more] for pair, count in times.items() for more in range(count))
        assert Search(costs, 7, [seats]).cost() == pytest.approx(expected)


def test_who_plays_twice_is_given_two_powers() -> None:
    """Whichever power the first of his seats has, the other has none of its price."""
    bodies = (*names(12), "P01", "P02")
    costs = price_breaches(task(14, wishing(Aim.SAME_POWER_ONCE), bodies=bodies))
    for power in range(7):
        here, there = [1, 2, 3, 4, 5, 6], [13, 7, 8, 9, 10, 11]
        seats = [*here[:power], 0, *here[power:], *there[:power], 12, *there[power:]]
        given = _cheapest_powers(seats, costs, 7)
        for one, other in ((0, 12), (1, 13)):
            assert given[0].index(one) != given[1].index(other)


def test_lines_begin_with_a_first_round_of_as_many_boards() -> None:
    first = in_a_row(1, names(49))
    wishes = wishing(Aim.NEW_OPPONENTS)
    assert len(_first_points(task(49, wishes, first))) == 49
    assert _first_points(task(49, wishes, [*first, *in_a_row(2, names(49))])) == {}
    assert _first_points(task(49, wishes, first[:5])) == {}


def test_a_first_round_is_seated_along_lines_only_where_they_keep_somebody_apart() -> None:
    apart = {"families": frozenset({frozenset({"P01", "P02"})})}

    def lines(seats: int, **more: object) -> object:
        asked = task(seats, wishing(Aim.FAMILIES_APART), (), **more)
        return _first_lines(asked, price_breaches(asked), Random(1))

    assert isinstance(lines(49, **apart), SeatsFound)
    assert isinstance(lines(49, mates=apart["families"], mates_after=(frozenset(),)), SeatsFound)
    assert isinstance(lines(49, mates_after=(apart["families"],)), SeatsFound)
    assert lines(49) is None
    assert lines(42, **apart) is None
    assert lines(49, bodies=(*names(48), "P01"), **apart) is None
    assert lines(49, bodies=(*names(48), chair(0)), empty=(POWERS[6],), **apart) is None


def test_a_plan_is_clean_though_those_who_should_meet_do_not() -> None:
    """Nobody has the power again that he had; Ann and Dan are not together, for which a plan is not given up."""
    asked = a_round(wishes(Aim.SAME_POWER_ONCE, Aim.BEST_TOGETHER), FIRST, together=(("Ann", "Dan"),))
    assert asked.bodies[:3] == ("Ann", "Bob", "Cat")
    assert _is_clean(asked, [2, 0, 1, 5, 3, 4])
    assert not _is_clean(asked, [0, 1, 2, 3, 4, 5])
    assert not _is_clean(asked, [2, 1, 0, 5, 3, 4])  # Bob has England again


def test_the_least_breaches_are_never_fewer_than_none() -> None:
    groups = (POWERS[1:4], POWERS[5:], (POWERS[0], POWERS[4]))
    wishes = wishing(Aim.POWER_GROUPS, groups=groups)
    assert _least_powers(task(7, wishes), range(7), Aim.POWER_GROUPS) == 0
    doubled = task(7, wishes, bodies=(*names(6), "P01"))
    assert _least_powers(doubled, range(7), Aim.POWER_GROUPS) == 0
    again = task(7, wishes, in_a_row(1, names(7)))
    assert _least_powers(again, range(7), Aim.POWER_GROUPS) == 7
