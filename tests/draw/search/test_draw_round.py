"""A round as it is drawn: everybody seated, wishes kept in their order, and every breach named."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draw.draw_room import POWERS, in_a_row, names, pairs, past, task, wishing
from pipeline.board import Power
from pipeline.draw.draw_round import draw_seats
from pipeline.draw.prices import group_turns_of
from pipeline.draw.task import Draw, PastBoard, Task, Wishes
from pipeline.problems import Stopped
from pipeline.rules.tournament import Aim

USUAL = wishing(Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS)
ZEALAND = wishing(  # the wishes of NZ99 19, 20
    Aim.SAME_POWER_ONCE,
    Aim.POWER_GROUPS,
    Aim.NEW_OPPONENTS,
    Aim.TRIOS_APART,
    must=(Aim.SAME_POWER_ONCE,),
    meetings_most=2,
    meetings_rule="NZ99 19",
    groups=((Power.ENGLAND, Power.FRANCE, Power.GERMANY), (Power.RUSSIA, Power.TURKEY), (Power.AUSTRIA, Power.ITALY)),
)


def tournament(count: int, rounds: int, wishes: Wishes) -> list[Draw]:
    """Draw all rounds of a tournament, one after another."""
    played: list[PastBoard] = []
    drawn: list[Draw] = []
    points: Mapping[str, tuple[int, int]] = {}
    for number in range(1, rounds + 1):
        drawn.append(draw_seats(task(count, wishes, played, rounds_after=rounds - number, points=points), number))
        points = drawn[-1].points
        played += past(number, drawn[-1].boards)
    return drawn


def meetings(drawn: list[Draw]) -> Counter[frozenset[str]]:
    """How often any two players met."""
    return Counter(pair for each in drawn for pair in pairs(each.boards))


def powers_again(drawn: list[Draw]) -> int:
    """How often somebody had a power again."""
    seats = Counter((name, power) for each in drawn for board in each.boards for power, name in board.items())
    return sum(count - 1 for count in seats.values())


TEAMS = frozenset(
    frozenset(pair) for first in range(0, 48, 4) for pair in combinations(names(49)[first : first + 4], 2)
)
APART = wishing(Aim.SAME_POWER_ONCE, Aim.TEAMS_APART, Aim.NEW_OPPONENTS)


@pytest.mark.parametrize("drawn_by_hand", [False, True])
def test_49_players_in_teams_of_four_play_four_rounds_without_a_repeat(drawn_by_hand: bool) -> None:
    played: list[PastBoard] = []
    points: Mapping[str, tuple[int, int]] = {}
    for number in range(1, 5):
        more = {"mates": TEAMS, "mates_after": (TEAMS,) * (4 - number), "rounds_after": 4 - number, "points": points}
        drawn = draw_seats(task(49, APART, played, **more), number)
        points = {} if drawn_by_hand and number == 1 else drawn.points
        if drawn_by_hand and number == 1:  # the same boards, with powers that nobody planned
            drawn = Draw(boards=tuple(dict(zip(POWERS, sorted(board.values()), strict=True)) for board in drawn.boards))
        else:
            assert drawn.breaches == ()
        played += past(number, drawn.boards)


@settings(max_examples=10, deadline=None)
@given(boards=st.integers(1, 4), seed=st.integers(0, 1000), again=st.integers(0, 2))
def test_everybody_sits_once_and_the_seed_decides(boards: int, seed: int, again: int) -> None:
    players = names(7 * boards)
    rounds = [board for number in range(again) for board in in_a_row(number + 1, players)]
    asked = task(7 * boards, USUAL, rounds)
    drawn = draw_seats(asked, seed)
    assert draw_seats(asked, seed) == drawn
    assert sorted(name for board in drawn.boards for name in board.values()) == sorted(players)
    assert all(tuple(board) == POWERS for board in drawn.boards)


def test_another_seed_draws_otherwise() -> None:
    assert draw_seats(task(28, USUAL), 1).boards != draw_seats(task(28, USUAL), 2).boards


@pytest.mark.parametrize(("count", "rounds"), [(49, 5), (56, 4), (63, 5), (77, 3)])
def test_nobody_meets_twice_where_that_can_be(count: int, rounds: int) -> None:
    drawn = tournament(count, rounds, USUAL)
    assert max(meetings(drawn).values()) == 1
    assert powers_again(drawn) == 0
    assert not any(each.breaches for each in drawn)


@pytest.mark.slow
def test_140_players_in_five_rounds_meet_once_and_have_five_powers() -> None:
    drawn = tournament(140, 5, USUAL)
    assert max(meetings(drawn).values()) == 1
    assert powers_again(drawn) == 0


def test_withdrawals_and_late_arrivals_leave_the_geometry_mended() -> None:
    first, second = tournament(49, 2, USUAL)
    played = [*past(1, first.boards), *past(2, second.boards)]
    here = (*names(49)[2:], "Late One", "Late Two")
    third = draw_seats(task(49, USUAL, played, bodies=here, points=second.points), 3)
    assert not third.breaches


def test_a_team_mate_or_relative_who_stays_away_is_kept_apart_from_nobody() -> None:
    away = frozenset({frozenset({"Abe", "P01"}), frozenset({"P02", "Zoe"})})  # one name before those here, one behind
    here = frozenset({frozenset({"P03", "P04"})})
    wishes = wishing(Aim.TEAMS_APART, Aim.FAMILIES_APART)
    alone = draw_seats(task(49, wishes, mates=here, families=here, mates_after=(here,), rounds_after=1), 1)
    asked = task(49, wishes, mates=here | away, families=here | away, mates_after=(here | away,), rounds_after=1)
    assert draw_seats(asked, 1).boards == alone.boards


def test_of_two_wishes_the_more_important_is_kept() -> None:
    rounds = in_a_row(1, names(14))
    family = frozenset({frozenset({"P01", "P08"})})
    for first, second in ((Aim.FAMILIES_APART, Aim.BEST_TOGETHER), (Aim.BEST_TOGETHER, Aim.FAMILIES_APART)):
        asked = task(14, wishing(first, second), rounds, families=family, together=(("P01", "P08"),))
        assert [each.aim for each in draw_seats(asked, 1).breaches] == [str(second)]


FIRM = wishing(Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS, must=(Aim.SAME_POWER_ONCE,))  # as in WM III.3, III.4


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "doubled", "before"), [(21, 2, 1), (21, 2, 2), (28, 3, 2), (49, 3, 1), (56, 2, 1)])
def test_later_rounds_give_nobody_a_power_on_two_boards(seats: int, doubled: int, before: int) -> None:
    played: list[PastBoard] = []
    points: Mapping[str, tuple[int, int]] = {}
    for number in range(1, before + 1):
        drawn = draw_seats(task(seats, FIRM, played, rounds_after=3 - number, points=points), number)
        points, played = drawn.points, [*played, *past(number, drawn.boards)]
    bodies = (*names(seats - doubled), *names(doubled))
    for seed in range(2):
        drawn = draw_seats(task(seats, FIRM, played, bodies=bodies, rounds_after=1, points=points), seed)
        assert not drawn.broken
        twice = [tuple(sorted(pair)) for pair, times in meetings([drawn]).items() if times > 1]
        assert {*twice} <= {each.who for each in drawn.breaches if each.aim == "new_opponents"}
        assert not twice or seats < 49  # with few boards another repeat may cost as much
        had = Counter((n, p) for board in (*drawn.boards, *(b.players for b in played)) for p, n in board.items())
        assert max(had.values()) == 1


def test_a_third_and_a_fourth_game_in_one_round_may_be_of_any_group_but_the_one_that_is_missing() -> None:
    """One of each of three groups: who has had two takes the third first, and then any."""
    rounds = [*in_a_row(1, names(14)), *past(2, [dict(zip(POWERS[3:] + POWERS[:3], names(7), strict=True))])]
    counted = task(14, ZEALAND, rounds).count_powers()
    turns = group_turns_of(counted, "P01", (Power.ENGLAND, Power.RUSSIA), task(14, ZEALAND))
    assert list(turns) == [(Power.RUSSIA, 0), (Power.ENGLAND, 0)]


def test_a_field_that_is_no_multiple_of_seven_is_refused() -> None:
    with pytest.raises(Stopped, match="8 seats taken; expected a multiple of 7"):
        draw_seats(Task(powers=POWERS, bodies=names(8), wishes=USUAL), 1)


def test_what_a_limit_would_spare_is_not_proved_of_a_draw_that_breaks_it() -> None:
    """Seven who have met twice meet again: that is 21 pairs, not 21 for each of the two rounds."""
    drawn = draw_seats(task(7, ZEALAND, [*in_a_row(1, names(7)), *in_a_row(2, names(7))]), 1)
    why = "the players of each board of round 1 sit down at 1 board"
    assert drawn.notes[0] == f"21 pairs meet again; no draw of this round has fewer than 21: {why}"


def test_what_must_be_kept_is_not_given_up_for_a_round_to_come() -> None:
    """Three boards of seven teams cannot meet twice at most in four rounds; in the second, team mates can be apart."""
    teams = names(21)
    mates = frozenset(frozenset(pair) for n in range(7) for pair in combinations(teams[n::7], 2))
    aims = (Aim.TEAMS_APART, Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS)
    wishes = wishing(*aims, must=aims[:2], meetings_most=2)
    drawn = draw_seats(task(21, wishes, in_a_row(1, teams), mates=mates, mates_after=(mates,) * 2, rounds_after=2), 3)
    assert not drawn.broken
