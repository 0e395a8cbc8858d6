"""Interim results: the standings after a round or at a moment of a round, and until when they are interim (WM XI.4)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.interim import at_moment, moments_reached
from pipeline.scoring.results import Between, Bonus, Ending, EventResults, FinalResults, Penalty, Seat
from pipeline.scoring.rules import InterimRules, StandingsMoment, Until
from pipeline.scoring.score import score
from pipeline.scoring.standings_in_words import interim_note
from scoring.played import board, event, rules

UNTIL = {str(each): each for each in Until}
THEN, NOW = (8, 6, 5, 5, 4, 3, 3), (12, 6, 5, 5, 3, 3, 0)
SQUARES = {
    "scoring": {"system": "squares", "pool": 100, "parts": [{"give": "polynomial", "coefficients": [0, 0, 1]}]},
    "totals": {"rounds": 3},
}


def three_rounds() -> EventResults:
    """Two rounds are over; of the third one board is over after 1903, the other goes on after 1905."""
    first = board((10, 6, 5, 4, 4, 3, 2), players="abcdefg", ended=Ending.TIME)
    second = board((4, 10, 6, 5, 4, 3, 2), number=2, players="abcdefg", ended=Ending.TIME)
    over = board(THEN, number=3, players="abcdefg", years={1902: THEN, 1903: THEN}, ended=Ending.VOTE)
    on = board(NOW, number=3, name="B", players="hijklmn", years={1903: THEN, 1904: THEN, 1905: NOW})
    return event(
        first,
        second,
        over,
        on,
        going_on=frozenset({on.spot}),
        penalties=(
            Penalty(player="a", kind="late", points=Fraction(1), round=3),
            Penalty(player="b", kind="x", points=Fraction(2)),
        ),
        bonuses=(Bonus(player="a", kind="hat", points=Fraction(5), round=1),),
    )


def test_after_a_round_later_rounds_and_what_is_of_them_are_not_there() -> None:
    then = at_moment(three_rounds(), StandingsMoment(1))
    assert [one.spot for one in then.boards] == [(1, "A")]
    assert ([one.player for one in then.penalties], len(then.bonuses), then.going_on) == (["b"], 1, frozenset())
    assert str(score(then, rules("weaselmoot")).progress) == "after round 1 of 3, interim"


def test_at_a_moment_of_a_round_every_board_counts_as_it_stood() -> None:
    then = at_moment(three_rounds(), StandingsMoment(3, 1904))
    over, on = then.boards[2:]
    assert (over.ended, max(over.years)) == (Ending.VOTE, 1903)
    assert (tuple(on.centres.values()), max(on.years), on.unowned) == (THEN, 1904, 0)
    assert str(score(then, rules("weaselmoot")).progress) == "during round 3 of 3, after Fall 1904, interim"
    before = at_moment(three_rounds(), StandingsMoment(3, 1902))
    assert [one.spot for one in before.boards] == [(1, "A"), (2, "A"), (3, "A")], "the other has no count of 1902"
    assert before.going_on == {(3, "A"), (3, "B")}


def test_of_two_who_took_a_seat_one_after_the_other_each_has_it_in_his_time() -> None:
    whole = three_rounds()
    on = whole.boards[3]
    twice = Seat(player="new", instead_of="l", between=(Between("brief", 7),), arrived=9)
    late = replace(whole, boards=(*whole.boards[:3], replace(on, seats={**on.seats, Power.ITALY: twice})))
    for year, sat, left in ((1903, "l", ()), (1904, "brief", ("l",)), (1905, "new", ("l", "brief"))):
        seat = at_moment(late, StandingsMoment(3, year)).boards[3].seats[Power.ITALY]
        assert (seat.player, seat.former_players) == (sat, left)


@pytest.mark.parametrize(
    ("text", "has_come"),
    [("1", True), ("2", True), ("3", False), ("3:1903", True), ("3:1905", True), ("3:1906", False)],
)
def test_a_moment_has_come_when_no_board_of_its_round_is_behind(text: str, has_come: bool) -> None:
    moment = StandingsMoment(**StandingsMoment.spell_out(text))
    assert bool(list(moments_reached(three_rounds(), [moment]))) == has_come
    whole = three_rounds()
    uncounted = replace(whole, going_on=whole.going_on | {(3, "C")})
    assert bool(list(moments_reached(uncounted, [moment]))) == (has_come and moment.round < 3)


@pytest.mark.parametrize(
    ("until", "are_final", "words"),
    [
        ("published", False, "after round 3 of 3, interim"),
        ("published", True, "after round 3 of 3, final"),
        ("over", False, "after round 3 of 3, final"),
    ],
)
def test_results_are_interim_until_the_rules_say_that_they_are_final(until: str, are_final: bool, words: str) -> None:
    over = replace(three_rounds(), going_on=frozenset(), published=FinalResults("Sunday", {}) if are_final else None)
    found = score(over, replace(rules("weaselmoot"), interim=InterimRules(until=UNTIL[until])))
    assert str(found.progress) == words
    assert bool(interim_note(found)) == words.endswith("interim")


def test_weasel_moot_says_on_the_wall_until_when() -> None:
    found = score(replace(three_rounds(), going_on=frozenset()), rules("weaselmoot"))
    assert interim_note(found) == (
        "Interim results: an error that is found is corrected, until the director publishes them as final (WM XI.4).",
    )
    assert not interim_note(score(three_rounds(), rules("nzdc1999"))), "where no rule speaks of it, nothing is said"


def test_moments_that_are_none_are_faults_with_their_key() -> None:
    with pytest.raises(Stopped) as told:
        read_scoring(SQUARES | {"interim": {"moments": [1, "3:04", "x"], "until": "soon"}}, "mine.toml")
    assert {problem.where for problem in told.value.problems} == {
        "mine.toml interim.moments[1]",
        "mine.toml interim.moments[2]",
        "mine.toml interim.until",
    }
    interim = read_scoring(SQUARES | {"interim": {"moments": [1, "3:1904"]}}, "mine.toml").interim
    assert interim == InterimRules(moments=(StandingsMoment(1), StandingsMoment(3, 1904)))


@pytest.mark.parametrize("year", range(1901, 1907))
def test_in_each_year_a_board_is_what_was_counted_until_then_and_over_once_its_last_count_is(year: int) -> None:
    whole = three_rounds()
    then = {one.spot: one for one in at_moment(whole, StandingsMoment(3, year)).boards}
    for one in whole.boards[2:]:
        counted = {number: counts for number, counts in one.years.items() if number <= year}
        if not counted:
            assert one.spot not in then
            continue
        found, is_over = then[one.spot], one.spot not in whole.going_on and counted == dict(one.years)
        assert (found.years, found.centres) == (counted, counted[max(counted)])
        assert found.ended == (one.ended if is_over else Ending.UNSTATED)
    assert then.keys() >= {(1, "A"), (2, "A")}
