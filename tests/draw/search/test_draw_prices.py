"""What each breach costs the search, on boards of three: the more important wish outweighs the others."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from draw.boards_of_three import FIRST, SECOND, SIX, THREE, A, E, F, a_round, pair, wishes
from pipeline.draw.prices import _power_prices, _twin_prices, group_turns, price_breaches, wanted_together
from pipeline.draw.search import Doubles
from pipeline.draw.task import Answers, Breach, matter_within, wishes_of
from pipeline.rules.load import load_tournament
from pipeline.rules.tournament import Aim, Wish

GROUPS = ((A,), (E, F))


def test_the_first_wish_costs_twenty_times_the_next() -> None:
    found = price_breaches(
        a_round(
            wishes(Aim.TRIOS_APART, Aim.NEW_OPPONENTS, Aim.BEST_TOGETHER),
            FIRST,
            together=(("Ann", "Bob", "Dan"), ("Eve", "Cat")),
        )
    )
    assert (found.trio, found.repeat, found.cold) == (400, 20, 1)
    assert found.rewards == 3  # Ann and Dan, Bob and Dan, Eve and Cat; Ann and Bob have met
    nothing = price_breaches(a_round(wishes()))
    assert (nothing.trio, nothing.repeat, nothing.cold, nothing.rewards) == (0, 0, 1, 0)


def test_a_meeting_costs_more_from_the_limit_on_and_from_the_fourth_on() -> None:
    found = price_breaches(
        a_round(wishes(Aim.NEW_OPPONENTS, Aim.TRIOS_APART, meetings_most=2), FIRST, SECOND, rounds_after=1)
    )
    assert found.meeting == (0, 20, 420, 480, 480, 480)  # two meetings before, two rounds, and one to spare
    twice = price_breaches(a_round(wishes(Aim.NEW_OPPONENTS), bodies=(*SIX[:3], *SIX[:3])))
    assert found.met[0][1] == 2
    assert len(twice.meeting) == 1 + 1 + 4  # two on two boards each may meet four times, whoever their bodies are
    assert twice.meeting == (0, 1, 1, 4, 4, 4)
    assert price_breaches(a_round(wishes(Aim.NEW_OPPONENTS), bodies=("Ann", *SIX[:5]))).meeting == twice.meeting
    assert twice.met == [[0] * 6] * 6
    forbidden = price_breaches(a_round(wishes(meetings_most=1)))
    assert forbidden.meeting == (0, 1, 1)


def test_each_pair_costs_what_its_wishes_say_in_each_round() -> None:
    asked = a_round(
        wishes(Aim.FAMILIES_APART, Aim.TEAMS_APART, Aim.BEST_TOGETHER),
        FIRST,
        mates=frozenset({pair("Ann Bob"), pair("Dan Eve")}),
        families=frozenset({pair("Ann Bob")}),
        together=(("Ann", "Dan", "Bob"),),
        rounds_after=3,
        mates_after=(frozenset({pair("Eve Fay")}), frozenset({pair("Cat Dan")})),
    )
    now, after, then, last = (
        {frozenset((a, b)): matrix[i][j] for (i, a), (j, b) in combinations(enumerate(SIX), 2) if matrix[i][j]}
        for matrix in price_breaches(asked).pairs
    )
    assert now == {pair("Ann Bob"): 420, pair("Dan Eve"): 20, pair("Ann Dan"): -1, pair("Bob Dan"): -1}
    assert after == {pair("Ann Bob"): 400, pair("Eve Fay"): 20}
    assert then == {pair("Ann Bob"): 400, pair("Cat Dan"): 20}
    assert last == {pair("Ann Bob"): 400}


def test_what_is_not_wished_costs_nothing() -> None:
    together, mates, families = (("Ann", "Dan"),), frozenset({pair("Ann Bob")}), frozenset({pair("Cat Dan")})
    asked = a_round(wishes(Aim.NEW_OPPONENTS), together=together, mates=mates, families=families)
    assert price_breaches(asked).pairs == ([[0] * 6] * 6,)


def test_nobody_sits_twice_at_a_board_and_no_board_has_two_empty_chairs() -> None:
    asked = a_round(wishes(Aim.NEW_OPPONENTS), bodies=SIX[:4], empty=(F, E))
    assert asked.boards == 2
    seats = ("Ann", "Ann", "Bob", "Cat", *asked.chairs)
    asked = a_round(asked.wishes, bodies=seats, empty=(F, E))
    found = price_breaches(asked)
    never = {frozenset((i, j)) for i, j in combinations(range(6), 2) if found.pairs[0][i][j] == 400}
    assert never == {frozenset({0, 1}), frozenset({4, 5})}
    assert not any(found.pairs[0][i][i] for i in range(6))
    assert found.powers[4:] == [[400, 400, 0], [400, 0, 400]]
    assert found.powers[:4] == [[0, 0, 0]] * 4
    assert asked.boards == 2


def test_a_power_costs_as_often_as_it_was_played_and_a_group_as_it_is_ahead() -> None:
    asked = a_round(wishes(Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS, groups=GROUPS), FIRST, SECOND)
    scale = {Aim.SAME_POWER_ONCE: 20.0, Aim.POWER_GROUPS: 1.0}
    found = dict(zip(SIX, _power_prices(asked, scale), strict=True))
    assert found["Ann"] == [20, 20, 0]  # Austria and England, one of each group
    assert found["Eve"] == [0, 42, 2]  # England twice
    assert found["Cat"] == [20, 0, 20]
    assert price_breaches(asked).powers == list(found.values())
    assert price_breaches(a_round(wishes(Aim.SAME_POWER_ONCE), FIRST)).powers[0] == [1, 0, 0]
    assert price_breaches(a_round(wishes(), FIRST)).powers[0] == [0, 0, 0]


def test_a_group_counts_from_the_one_played_least() -> None:
    asked = a_round(wishes(groups=GROUPS))
    played = Counter({("Ann", A): 1, ("Ann", E): 2, ("Ann", F): 1})
    assert [group_turns(played, "Ann", power, asked) for power in THREE] == [0, 2, 2]
    assert group_turns(played, "Ann", A, a_round(wishes())) == 0


def test_two_seats_of_one_player_cost_the_power_twice_and_the_groups_in_the_better_order() -> None:
    asked = a_round(wishes(groups=GROUPS), FIRST, bodies=("Ann", "Bob", "Ann", "Cat", "Dan", "Eve"))
    same = _twin_prices(asked, {Aim.SAME_POWER_ONCE: 20.0})
    assert same == {body: [[20, 0, 0], [0, 20, 0], [0, 0, 20]] for body in (0, 2)}
    # Ann has had Austria: it costs 1 by itself, but nothing after England or France
    groups = _twin_prices(asked, {Aim.POWER_GROUPS: 1.0})
    assert groups == {body: [[1, -1, -1], [-1, 0, 0], [-1, 0, 0]] for body in (0, 2)}
    assert price_breaches(asked).twins == {0: (2,), 2: (0,)}


def test_wanted_together_are_those_of_a_group_who_have_not_met() -> None:
    asked = a_round(wishes(), FIRST, together=(("Ann", "Bob", "Dan"), ("Eve", "Cat")))
    assert wanted_together(asked, asked.met()) == [pair("Ann Dan"), pair("Bob Dan"), pair("Cat Eve")]


# Which wishes hold for whoever plays on several boards.


@pytest.mark.parametrize(
    ("seats", "aims"),
    [
        ("Ann Bob Cat", set()),
        ("Ann Ann Bob", {Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS}),
        ("Ann Ann Bob Bob Cat", {Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS, Aim.NEW_OPPONENTS}),
        ("Ann Ann Bob Bob Cat Cat", {Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS, Aim.NEW_OPPONENTS, Aim.TRIOS_APART}),
    ],
)
def test_wishes_that_matter_within_a_round(seats: str, aims: set[Aim]) -> None:
    assert matter_within(load_tournament("nzdc1999").draw, Answers(), seats.split()) == aims


def test_where_the_rules_are_silent_wishes_matter_within_a_round_once_the_director_has_said_so() -> None:
    rules = load_tournament("wdc2008").draw
    bodies = ("Ann", "Ann", "Bob", "Bob", "Cat", "Cat")
    decided = {Aim.POWER_GROUPS}  # there are none
    assert matter_within(rules, Answers(), bodies) == decided
    said = {Aim.NEW_OPPONENTS: Wish.SHOULD, Aim.TRIOS_APART: Wish.NO}
    # not yet new opponents: how often they may meet is not said
    assert matter_within(rules, Answers(wishes=said), bodies) == {*decided, Aim.TRIOS_APART}
    limited = Answers(wishes=said, has_limit=True)
    assert matter_within(rules, limited, bodies) == {*decided, Aim.TRIOS_APART, Aim.NEW_OPPONENTS}
    assert matter_within(rules, Answers(has_limit=True), bodies) == decided


def test_only_what_matters_and_is_wished_holds_and_says_whose_word_it_is() -> None:
    rules = load_tournament("nzdc1999").draw
    said = Answers(wishes={Aim.TRIOS_APART: Wish.MUST, Aim.NEW_OPPONENTS: Wish.NO})
    matters = {Aim.TRIOS_APART, Aim.NEW_OPPONENTS, Aim.SAME_POWER_ONCE}
    found = wishes_of(rules, said, matters)
    assert [(each.aim, each.wish, each.rule) for each in found.wished] == [
        (Aim.SAME_POWER_ONCE, Wish.MUST, rules.same_power_once.source),
        (Aim.TRIOS_APART, Wish.MUST, "the director"),
    ]
    assert (found.meetings_most, found.meetings_rule) == (rules.meetings_most.value, rules.meetings_most.source)
    assert found.groups == rules.power_groups.value
    assert found.find(Aim.TRIOS_APART) == found.wished[1]
    assert found.find(Aim.NEW_OPPONENTS) is None


def test_a_limit_that_the_director_lifts_is_lifted() -> None:
    lifted = Answers(has_limit=True, meetings_most=2).with_later(Answers(has_limit=True))
    found = wishes_of(load_tournament("nzdc1999").draw, lifted, set())
    assert (found.meetings_most, found.meetings_rule) == (None, "the director")


def test_a_breach_says_whether_it_must_should_or_may_be() -> None:
    must = Breach(wish=Wish.MUST, rule="rule 1", aim="", who=(), text="they meet")
    should = Breach(wish=Wish.SHOULD, rule="rule 1", aim="", who=(), text="they meet")
    assert str(must) == "they meet (must not be: rule 1)"
    assert str(should) == "they meet (should not be: rule 1)"


@pytest.mark.parametrize("aims", [(Aim.NEW_OPPONENTS,), (Aim.TRIOS_APART, Aim.NEW_OPPONENTS), (Aim.TRIOS_APART,)])
def test_what_a_swap_adds_is_what_the_seating_costs_more_behind_it(aims: tuple[Aim, ...]) -> None:
    dice = Random(11)
    bodies = (*SIX[:4], *SIX[:4], *SIX[:4])
    found = price_breaches(a_round(wishes(*aims), FIRST, bodies=bodies))
    for _ in range(200):
        seats = dice.sample(range(len(bodies)), len(bodies))
        i, j = dice.sample(range(len(bodies)), 2)
        before = Doubles(found, seats, len(THREE))
        here, there = (seats[body] // len(THREE) for body in (i, j))
        seats[i], seats[j] = seats[j], seats[i]
        added = Doubles(found, seats, len(THREE)).cost() - before.cost()
        if here != there:
            assert before.change(i, j, here, there) == pytest.approx(added)
