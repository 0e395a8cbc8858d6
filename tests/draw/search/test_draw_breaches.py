"""What the director reads under a draw, of boards of three: every breach, and what no draw could avoid."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest

import pipeline.draw.draw_round as drawing
from draw.boards_of_three import FIRST, SECOND, SIX, A, E, F, a_round, pair, seat, wishes
from pipeline.draw.draw_round import _breaches, _least_repeats, _list_limits, draw_seats, spread_pairs
from pipeline.draw.prices import Prices
from pipeline.draw.search import NEARLY
from pipeline.draw.task import Breach, Task
from pipeline.rules.tournament import Aim, Wish


def told(asked: Task, *boards: str) -> list[str]:
    """The breaches in words."""
    return [f"{'/'.join(each.who)}: {each}" for each in _breaches(asked, seat(*boards))]


def unmet(aim: Aim, count: int) -> list[Breach]:
    """So many breaches of a wish."""
    return [Breach(wish=Wish.SHOULD, rule="", aim=str(aim), who=(), text="") for _ in range(count)]


def test_every_breach_is_named_with_its_rule_and_those_of_a_limit_come_first() -> None:
    aims = (Aim.TRIOS_APART, Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS)
    found = wishes(*aims, must=aims[1:2], meetings_most=2, meetings_rule="rule 9")
    assert told(a_round(found, FIRST, SECOND), "Ann Bob Dan", "Eve Cat Fay") == [
        "Ann/Bob: Ann and Bob meet for the 3rd time; at most 2 are allowed (must not be: rule 9)",
        "Eve/Fay: Eve and Fay meet for the 3rd time; at most 2 are allowed (must not be: rule 9)",
        "Ann/Bob/Dan: Ann, Bob and Dan meet again, as in round 2 (should not be: rule trios_apart)",
        "Cat/Eve/Fay: Cat, Eve and Fay meet again, as in round 2 (should not be: rule trios_apart)",
        "Ann: Ann plays Austria again, as in round 1 (must not be: rule same_power_once)",
        "Bob: Bob plays England again, as in round 1 (must not be: rule same_power_once)",
        "Dan: Dan plays France again, as in round 2 (must not be: rule same_power_once)",
        "Fay: Fay plays France again, as in rounds 1 and 2 (must not be: rule same_power_once)",
        "Ann/Bob: Ann and Bob meet for the 3rd time (should not be: rule new_opponents)",
        "Ann/Dan: Ann and Dan meet for the 2nd time (allowed: rule new_opponents)",
        "Bob/Dan: Bob and Dan meet for the 2nd time (allowed: rule new_opponents)",
        "Cat/Eve: Cat and Eve meet for the 2nd time (allowed: rule new_opponents)",
        "Cat/Fay: Cat and Fay meet for the 2nd time (allowed: rule new_opponents)",
        "Eve/Fay: Eve and Fay meet for the 3rd time (should not be: rule new_opponents)",
    ]


def test_a_second_meeting_is_no_more_allowed_than_the_rules_say() -> None:
    firm = wishes(Aim.NEW_OPPONENTS, must=[Aim.NEW_OPPONENTS], meetings_most=2)
    second = "Ann/Bob: Ann and Bob meet for the 2nd time"
    assert told(a_round(firm, FIRST[:1]), "Ann Bob Dan") == [f"{second} (must not be: rule new_opponents)"]
    open_ = wishes(Aim.NEW_OPPONENTS)
    assert told(a_round(open_, FIRST[:1]), "Ann Bob Dan") == [f"{second} (should not be: rule new_opponents)"]


def test_what_happens_on_two_boards_of_the_round_is_named() -> None:
    found = wishes(Aim.NEW_OPPONENTS, Aim.TRIOS_APART, Aim.SAME_POWER_ONCE)
    again = "meet for the 2nd time, on two boards of this round (should not be: rule new_opponents)"
    assert told(a_round(found), "Ann Bob Cat", "Ann Cat Bob", "Dan Eve Fay") == [
        f"Ann/Bob: Ann and Bob {again}",
        f"Ann/Cat: Ann and Cat {again}",
        f"Bob/Cat: Bob and Cat {again}",
        "Ann/Bob/Cat: Ann, Bob and Cat meet on two boards of this round (should not be: rule trios_apart)",
        "Ann: Ann plays Austria on two boards (should not be: rule same_power_once)",
    ]
    powers = wishes(Aim.SAME_POWER_ONCE)
    assert told(a_round(powers), "Ann Bob Cat", "Ann Bob Dan", "Ann Eve Fay") == [
        "Ann: Ann plays Austria on 3 boards (should not be: rule same_power_once)",
        "Bob: Bob plays England on two boards (should not be: rule same_power_once)",
    ]


def test_who_meets_again_on_one_board_is_not_said_to_do_so_on_two() -> None:
    found = wishes(Aim.NEW_OPPONENTS)
    assert told(a_round(found, FIRST), "Ann Bob Dan", "Ann Eve Cat") == [
        "Ann/Bob: Ann and Bob meet for the 2nd time (should not be: rule new_opponents)",
        "Ann/Cat: Ann and Cat meet for the 2nd time (should not be: rule new_opponents)",
    ]


def test_groups_families_teams_and_the_best_are_named() -> None:
    found = wishes(Aim.POWER_GROUPS, Aim.BEST_TOGETHER, Aim.FAMILIES_APART, Aim.TEAMS_APART, groups=((A,), (E, F)))
    asked = a_round(
        found,
        FIRST,
        SECOND,
        together=(("Cat", "Dan", "Ann"), ("Ann", "Eve"), ("Bob", "Fay")),
        families=frozenset({pair("Eve Bob"), pair("Ann Cat")}),
        mates=frozenset({pair("Fay Dan"), pair("Ann Cat")}),
    )
    assert told(asked, "Fay Cat Dan", "Ann Eve Bob") == [
        "Eve: Eve plays England, a further power of England and France (should not be: rule power_groups_kept)",
        "Bob/Fay: Bob and Fay, among the best of the last round, have not met and sit apart"
        " (should not be: rule best_together)",
        "Bob/Eve: Bob and Eve are to be kept apart and sit together (should not be: rule families_apart)",
        "Dan/Fay: Dan and Fay are of one team and sit together (should not be: rule teams_apart)",
    ]


# What no draw of the round could avoid.


def test_the_fewest_repeats_are_of_the_round_that_gives_most_of_those_who_are_here() -> None:
    free, twice, thrice = wishes(), wishes(meetings_most=2), wishes(meetings_most=3)
    of_one, of_both = (
        f": the players of each board of {rounds} sit down at 2 boards" for rounds in ("round 1", "rounds 1 and 2")
    )
    assert _least_repeats(a_round(free)) == (0, "")
    assert _least_repeats(a_round(free, FIRST)) == (2, of_one)
    later = ("Ann Dan Eve", "Bob Cat Zoe")  # Zoe has gone: Bob and Cat alone need not meet again
    assert _least_repeats(a_round(free, FIRST, later)) == (2, of_one)
    assert _least_repeats(a_round(twice, FIRST, later)) == (3, of_both)
    assert _least_repeats(a_round(thrice, FIRST, later)) == (2, of_one)
    assert _least_repeats(a_round(free, later, FIRST)) == (2, of_one.replace("1", "2"))
    assert _least_repeats(a_round(free, ("Ann Bob Cat", "Dan Yan Zoe"), later)) == (1, of_one)


def test_the_fewest_repeats_are_of_those_on_two_boards_where_these_are_more() -> None:
    twice = ("Ann", "Bob", "Cat")
    why = ": 3 players sit on two of the 2 boards each"
    assert _least_repeats(a_round(wishes(), bodies=twice * 2)) == (3, why)
    assert _least_repeats(a_round(wishes(), FIRST[:1], bodies=twice * 2)) == (3, why)
    assert _least_repeats(a_round(wishes(), bodies=(*twice, *twice, "Dan", "Eve", "Fay"))) == (0, "")
    why = ": 2 players sit on two of the 2 boards each"
    two = (*twice[:2] * 2, "Cat", "Dan")
    assert _least_repeats(a_round(wishes(), bodies=two)) == (1, why)
    assert _least_repeats(a_round(wishes(), FIRST[:1], bodies=two))[1].startswith(": the players of each board")


def test_players_spread_over_boards_make_as_few_pairs_as_can_be() -> None:
    assert [spread_pairs(count, 3) for count in range(11)] == [0, 0, 0, 0, 1, 2, 3, 5, 7, 9, 12]
    assert spread_pairs(7, 1) == 21


def test_a_note_says_how_many_repeats_are_proved() -> None:
    why = "the players of each board of round 1 sit down at 2 boards"
    free = a_round(wishes(Aim.NEW_OPPONENTS), FIRST)
    again = f"2 pairs meet again; no draw of this round has fewer than 2: {why}"
    assert _list_limits(free, [], unmet(Aim.NEW_OPPONENTS, 2)) == (again,)
    more = f"3 pairs meet again; no better draw was found; it is proved only that none has fewer than 2: {why}"
    assert _list_limits(free, [], unmet(Aim.NEW_OPPONENTS, 3)) == (more,)
    one = a_round(wishes(Aim.NEW_OPPONENTS), FIRST[:1])
    assert _list_limits(one, [], unmet(Aim.NEW_OPPONENTS, 1)) == (
        f"1 pair meets again; no draw of this round has fewer than 1: {why}",
    )
    nobody = a_round(wishes(Aim.NEW_OPPONENTS), ("Ann Yan Zoe",), ("Ann Bob Zoe",))
    assert _list_limits(nobody, [], unmet(Aim.NEW_OPPONENTS, 1)) == ("1 pair meets again; no better draw was found",)
    assert _list_limits(free, [], ()) == ()


def test_a_note_says_how_many_powers_again_are_proved() -> None:
    """As before, Ann and Fay have their powers; with the powers moved on, Bob and Eve stay in their group."""
    powers, kept = Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS
    both = a_round(wishes(powers, kept, groups=((A,), (E, F))), FIRST)
    rotated, as_before = [1, 2, 0, 1, 2, 0], [0, 2, 1, 1, 0, 2]
    assert _list_limits(both, as_before, unmet(powers, 2)) == (
        "2 players have a power again; no draw of this round has fewer than 2",
    )
    assert _list_limits(both, rotated, unmet(powers, 1)) == (
        "1 player has a power again; no better draw was found; it is proved only that none has fewer than 0",
    )
    assert _list_limits(both, rotated, unmet(kept, 3)) == (
        "3 players have a group again; the best share of powers leaves 2",
    )
    groups = a_round(wishes(kept, groups=((A,), (E, F))), FIRST)
    assert _list_limits(groups, rotated, unmet(kept, 2)) == (
        "2 players have a group again; no draw of this round has fewer than 2",
    )
    assert _list_limits(both, rotated, ()) == ()


# The search may stop early only where nothing is cheaper, and finds what is cheapest among few seats.

PLAIN = a_round(wishes(Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS), FIRST)
SEARCHED = {
    "a first round": a_round(wishes(Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS)),
    "a second round": PLAIN,
    "a third round in which nobody may meet thrice": a_round(
        wishes(Aim.NEW_OPPONENTS, meetings_most=2), FIRST, ("Ann Bob Dan", "Cat Eve Fay")
    ),
    "the best together": a_round(
        wishes(Aim.BEST_TOGETHER, Aim.NEW_OPPONENTS, Aim.SAME_POWER_ONCE), FIRST, together=(("Ann", "Dan", "Eve"),)
    ),
    "families and trios": a_round(
        wishes(Aim.TRIOS_APART, Aim.FAMILIES_APART), FIRST, families=frozenset({pair("Ann Dan"), pair("Bob Eve")})
    ),
    "groups, with one on two boards": a_round(
        wishes(Aim.POWER_GROUPS, Aim.SAME_POWER_ONCE, groups=((A,), (E, F))),
        FIRST,
        bodies=("Ann", "Ann", "Bob", "Cat", "Dan", "Eve"),
    ),
    "an empty chair": a_round(wishes(Aim.SAME_POWER_ONCE), FIRST, bodies=SIX[:5], empty=(F,)),
}


@pytest.mark.parametrize("asked", SEARCHED.values(), ids=SEARCHED)
def test_the_cheapest_of_all_seats_are_found(asked: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two boards of three, all 360 ways are tried; the search must not stop before it has one of the cheapest."""
    searched: list[tuple[float, float, float]] = []

    def search(task: Task, costs: Prices, places: Sequence[int], floor: float, rng: Random) -> drawing.SeatsFound:
        found = as_it_is(task, costs, places, floor, rng)
        ways = ([0, *others] for others in permutations(range(1, 6)))
        turned = ([*way[turn:3], *way[:turn], *way[3:]] for way in ways for turn in range(3))
        searched.append((floor, min(drawing._at_work(task, costs, [way]).cost() for way in turned), found.cost))
        return found

    as_it_is = drawing._search
    monkeypatch.setattr(drawing, "_search", search)
    monkeypatch.setattr(drawing, "STEPS", 2_000)
    draw_seats(asked, 1)
    [(floor, least, cost)] = searched
    assert cost == pytest.approx(least)
    assert floor <= least + NEARLY
