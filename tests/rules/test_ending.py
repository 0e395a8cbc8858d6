"""When a draw may be voted on, in each tournament (row 31 of the catalogue), and when the dice end a game."""

import pytest
from msgspec.structs import replace

from pipeline.board import Season
from pipeline.rules.game_end import EndedBy, Moment, VoteAsked, _result_count, dice_end_the_game, objections
from pipeline.rules.load import load_tournament

FIVE = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
PLAIN = VoteAsked(
    year=1905,
    season=Season.SPRING,
    moment=Moment.NEGOTIATION,
    is_last_year=False,
    votes_this_season=0,
    asked_before=0,
    all_agree_to_vote=True,
    is_stalemate=True,
)
BETWEEN = replace(PLAIN, moment=Moment.BETWEEN)

# what is asked, then NZ99, WM, EDC23, EDC96, WDC08: the rule against it, "-" for a vote, "ask" for the director
CASES = [
    (PLAIN, "- | - | - | - | WDC08 11.5"),
    (BETWEEN, "- | WM VIII.3.a | - | ask | -"),
    (replace(BETWEEN, year=1903), "- | WM VIII.3.a | - | ask | -"),
    (replace(PLAIN, all_agree_to_vote=False), "NZ99 13 | - | - | - | WDC08 11.5"),
    (replace(BETWEEN, vetoed_openly=True), "- | WM VIII.3.a | EDC23 E | ask | -"),
    (replace(BETWEEN, is_stalemate=False), "- | WM VIII.3.a | - | EDC96 10 | -"),
    (replace(BETWEEN, votes_this_season=1), "NZ99 13 | WM VIII.3.a | EDC23 E | ask | -"),
    (replace(BETWEEN, asked_before=1), "- | WM VIII.3.a | EDC23 E | ask | WDC08 11.5"),
    (replace(BETWEEN, is_last_year=True), "- | WM VIII.3.a | EDC23 E | ask | -"),
    (replace(BETWEEN, asker_is_out=True), "NZ99 13 | WM VIII.3.a | ask | ask | WDC08 11.5"),
    (replace(PLAIN, asker_is_out=True), "NZ99 13 | WM VIII.2.a, VIII.3.c | ask | ask | WDC08 11.5"),
    (replace(PLAIN, season=Season.FALL, moment=Moment.READING), "- | WM VIII.3.a | EDC23 E | ask | WDC08 11.5"),
]


@pytest.mark.parametrize(("asked", "expected"), CASES)
def test_when_a_draw_may_be_voted_on(asked: VoteAsked, expected: str) -> None:
    found = [objections(asked, load_tournament(name).ending) for name in FIVE]
    first = [next(iter(against), None) for against in found]

    assert " | ".join("-" if o is None else "ask" if o.asks else o.rule for o in first) == expected


@pytest.mark.parametrize(
    ("name", "text", "are_refused"),
    [
        ("weaselmoot", "no votes before 1904", [(PLAIN, "year", year, year < 1904) for year in range(1901, 1908)]),
        ("weaselmoot", "there was a vote this season", [(PLAIN, "votes_this_season", n, n > 0) for n in range(3)]),
        ("edc2023", "a player may ask for 1 in a game", [(BETWEEN, "asked_before", n, n > 0) for n in range(3)]),
    ],
)
def test_a_limit_of_votes_binds_from_its_number_on(
    name: str, text: str, are_refused: list[tuple[VoteAsked, str, int, bool]]
) -> None:
    rules = load_tournament(name).ending

    for asked, key, value, is_refused in are_refused:
        against = objections(replace(asked, **{key: value}), rules)
        assert (text in [o.text for o in against]) == is_refused, (key, value)


def test_what_the_rules_do_not_say_of_votes_is_asked() -> None:
    rules = load_tournament("weaselmoot").ending
    unsaid = replace(rules, vote=replace(rules.vote, from_year=replace(rules.vote.from_year, left_open=True)))

    assert "from which year on may a vote be held?" in [o.text for o in objections(PLAIN, unsaid) if o.asks]


def test_the_dice_of_weasel_moot_end_a_game_in_1_3_and_5_of_6_rolls_and_surely_at_the_fourth() -> None:
    dice = load_tournament("weaselmoot").ending.dice
    ends = [sum(dice_end_the_game(roll, die, dice) or 0 for die in range(1, 7)) for roll in (1, 2, 3, 4, 5)]

    assert ends == [1, 3, 5, 6, 6]


def test_no_other_tournament_throws_dice() -> None:
    others = [load_tournament(name).ending.dice for name in FIVE if name != "weaselmoot"]

    assert [dice_end_the_game(1, 6, dice) for dice in others] == [None] * 4


def test_a_drawn_or_timed_game_counts_what_the_rules_say() -> None:
    found = [
        [str(_result_count(how, season, load_tournament(name).ending).value) for name in FIVE]
        for how, season in ((EndedBy.TIME, Season.FALL), (EndedBy.TIME, Season.SPRING), (EndedBy.VOTE, Season.FALL))
    ]

    assert found == [
        ["fall_retreats", "last_fall", "last_adjustment", "last_fall", "last_recorded"],
        ["last_fall", "last_fall", "last_adjustment", "last_fall", "last_recorded"],
        ["last_fall", "last_fall", "last_adjustment", "last_fall", "last_recorded"],
    ]
