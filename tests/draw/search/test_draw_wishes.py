"""Which wishes hold: those of the rules in their order, and the director's where the rules are silent."""

import pytest

from draw.draw_room import names
from pipeline.draw.task import Answers, fill_open_settings, matter_within, wishes_of
from pipeline.problems import Stopped
from pipeline.rules.load import load_tournament
from pipeline.rules.tournament import Aim, Wish

EVERY = frozenset(Aim)


def aims(tournament: str, matters: frozenset[Aim], answers: Answers | None = None) -> list[tuple[str, str]]:
    found = wishes_of(load_tournament(tournament).draw, answers or Answers(), matters)
    return [(str(each.aim), str(each.wish)) for each in found.wished]


def test_each_tournaments_wishes_stand_in_its_order() -> None:
    families = Answers(wishes={Aim.FAMILIES_APART: Wish.NO})
    assert aims("nzdc1999", EVERY, families) == [
        ("same_power_once", "must"),
        ("teams_apart", "must"),
        ("power_groups_kept", "should"),
        ("new_opponents", "should"),
        ("trios_apart", "should"),
    ]
    assert aims("weaselmoot", EVERY) == [
        ("same_power_once", "must"),
        ("families_apart", "should"),
        ("new_opponents", "should"),
    ]
    assert aims("edc2023", EVERY, families) == [
        ("same_power_once", "should"),
        ("new_opponents", "should"),
        ("best_together", "should"),
    ]
    assert aims("edc1996", EVERY, families) == [
        ("teams_apart", "must"),
        ("same_power_once", "should"),
        ("new_opponents", "should"),
    ]


def test_what_does_not_matter_in_a_round_is_not_asked() -> None:
    assert aims("wdc2008", frozenset()) == []


def test_where_the_rules_are_silent_every_question_is_asked_at_once() -> None:
    with pytest.raises(Stopped) as caught:
        aims("wdc2008", frozenset({Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS}))
    assert caught.value.code == 3
    assert [problem.where for problem in caught.value.problems] == [
        "draw.same_power_once",
        "draw.new_opponents",
        "draw.meetings_most",
    ]
    assert "--wish same_power_once=must, =should or =no" in caught.value.problems[0].text


def test_the_director_answers_in_his_order_and_what_must_be_comes_first() -> None:
    said = {Aim.NEW_OPPONENTS: Wish.SHOULD, Aim.SAME_POWER_ONCE: Wish.SHOULD, Aim.TRIOS_APART: Wish.MUST}
    answers = Answers(wishes=said, has_limit=True, meetings_most=2)
    matters = frozenset({Aim.NEW_OPPONENTS, Aim.SAME_POWER_ONCE, Aim.TRIOS_APART})
    assert aims("wdc2008", matters, answers) == [
        ("trios_apart", "must"),
        ("new_opponents", "should"),
        ("same_power_once", "should"),
    ]
    found = wishes_of(load_tournament("wdc2008").draw, answers, matters)
    assert (found.meetings_most, found.meetings_rule) == (2, "the director")


def test_a_later_word_goes_before_an_earlier_one() -> None:
    first = Answers(wishes={Aim.NEW_OPPONENTS: Wish.NO, Aim.TRIOS_APART: Wish.MUST}, has_limit=True, meetings_most=2)
    later = first.with_later(Answers(wishes={Aim.NEW_OPPONENTS: Wish.MUST}))
    assert later.wishes == {Aim.NEW_OPPONENTS: Wish.MUST, Aim.TRIOS_APART: Wish.MUST}
    assert later.meetings_most == 2


def test_another_tournaments_rules_fill_what_is_open_and_nothing_else() -> None:
    vienna, zealand = load_tournament("wdc2008").draw, load_tournament("nzdc1999").draw
    both = fill_open_settings(vienna, zealand)
    assert both.new_opponents == zealand.new_opponents
    assert both.binding == vienna.binding


@pytest.mark.parametrize(("doubled", "matters"), [(0, False), (1, False), (2, True)])
def test_new_opponents_matter_within_a_round_when_two_play_on_two_boards(doubled: int, matters: bool) -> None:
    bodies = (*names(20), *names(doubled))
    found = matter_within(load_tournament("nzdc1999").draw, Answers(), bodies)
    assert (Aim.NEW_OPPONENTS in found) == matters
