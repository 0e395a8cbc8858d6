"""What may end a game, now, in each of the five tournaments: as a rules lawyer asks it."""

from functools import lru_cache
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.board import Phase, Power, Step
from pipeline.rules.game_end import EndGround, Force, GameNow, Moment, end_bars, soloist, years_over
from pipeline.rules.load import load_tournament
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import Tournament
from pipeline.scoring.results import Ending
from pipeline.scoring.system import Abandoned
from pipeline.words.speech import speech_of

FIVE = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
LEVEL = dict(zip(Power, (5, 5, 5, 5, 5, 5, 4), strict=True))
SOLO = dict(zip(Power, (18, 4, 4, 4, 4, 0, 0), strict=True))
STALEMATE = dict(zip(Power, (17, 17, 0, 0, 0, 0, 0), strict=True))


@lru_cache
def rules(name: str) -> Tournament:
    return load_tournament(name)


def now(phase: str, **more: object) -> GameNow:
    return replace(GameNow(phase=Phase.read(phase), centres=LEVEL, total=34), **more)  # by name


def found(name: str, how: Ending, state: GameNow) -> str:
    """What stands against an end: ``-`` nothing, ``!`` nothing lifts it, ``?`` the rules are silent, with the rule."""
    tournament = rules(name)
    source = tournament.scoring.sources.get("scoring.abandoned")
    worth: Setting[Abandoned] = Setting(tournament.scoring.system.abandoned, source.rule if source else "")
    signs = {Force.BOARD: "!", Force.RULE: "", Force.SILENT: "?"}
    marks = [f"{signs[bar.force]}{bar.ground} {bar.rule}" for bar in end_bars(how, state, tournament.ending, worth)]
    return "; ".join(marks) or "-"


def asked(how: Ending, state: GameNow) -> list[str]:
    return [found(name, how, state) for name in FIVE]


SILENT = "the rules are silent"


@pytest.mark.parametrize("phase", ["S1901M", "S1901R", "F1901M", "F1901R"])
def test_before_the_first_fall_is_over_nothing_can_be_counted(phase: str) -> None:
    assert asked(Ending.TIME, now(phase)) == [
        "no count NZ99 13",
        "no count WM VIII.1, VIII.2",
        "not the last year EDC23 B; no count EDC23 C",
        "not the last year EDC96 10; no count EDC96 10",
        "not the last year WDC08 4; no count WDC08 11.3, 11.5",
    ]


def test_time_is_called_at_any_deadline_where_no_last_year_is_fixed_and_else_when_it_is_over() -> None:
    assert asked(Ending.TIME, now("W1904A")) == [
        "-",
        "-",
        "not the last year EDC23 B",
        "not the last year EDC96 10",
        "not the last year WDC08 4",
    ]
    assert asked(Ending.TIME, now("S1908M"))[2:] == ["-", "not the last year EDC96 10", "-"]
    assert asked(Ending.TIME, now("S1909M"))[2:] == ["past the last year EDC23 B", "-", "past the last year WDC08 4"]


def test_where_the_last_completed_fall_counts_one_is_completed_whose_moves_are_published() -> None:
    assert found("weaselmoot", Ending.TIME, now("F1903M")) == "-"
    assert found("weaselmoot", Ending.TIME, now("F1903R")) == "no count WM VIII.1, VIII.2"


@pytest.mark.parametrize("phase", ["F1903M", "F1903R"])
def test_in_the_middle_of_a_fall_nz99_wants_the_count_after_its_retreats(phase: str) -> None:
    assert found("nzdc1999", Ending.TIME, now(phase)) == "no count NZ99 13"
    assert found("nzdc1999", Ending.VOTE, now(phase, has_voted=True)) == "-"  # a voted draw: the last completed Fall


@pytest.mark.parametrize("phase", ["W1903A", "S1904M", "S1904R"])
def test_after_the_fall_retreats_nz99_counts_and_nobody_builds(phase: str) -> None:
    assert found("nzdc1999", Ending.TIME, now(phase)) == "-"


def test_a_solo_is_what_the_centres_say_and_no_word_makes_one() -> None:
    assert asked(Ending.SOLO, now("S1902M")) == [
        "!no solo NZ99 13",
        "!no solo WM VIII.1",
        "!no solo EDC23 C",
        "!no solo EDC96 10",
        "!no solo WDC08 13",
    ]
    assert asked(Ending.SOLO, now("W1905A", centres=SOLO)) == ["-"] * 5
    for how in Ending:
        if how not in (Ending.SOLO, Ending.UNSTATED):
            marks = asked(how, now("W1908A", centres=SOLO, has_voted=True))
            assert all(mark.startswith("!is a solo ") for mark in marks), how


def test_sixteen_centres_win_alone_where_six_play_with_thirty_one() -> None:
    six = {power: 3 for power in Power if power is not Power.TURKEY} | {Power.AUSTRIA: 16}
    state = now("W1905A", centres=six, total=31)
    assert [soloist(state, rules(name).ending) for name in ("edc2023", "edc1996")] == [Power.AUSTRIA, None]


def test_a_draw_is_voted_and_never_said() -> None:
    assert [mark[:8] for mark in asked(Ending.VOTE, now("W1905A"))] == ["!no vote"] * 5
    assert asked(Ending.VOTE, now("W1905A", has_voted=True)) == ["-"] * 5
    assert asked(Ending.VOTE, now("W1905A", has_voted=True, centres=STALEMATE)) == ["-"] * 5


def test_whether_a_game_may_be_conceded_each_tournament_says() -> None:
    assert asked(Ending.CONCEDED, now("W1905A")) == [
        "conceded NZ99 13",
        "conceded WM VIII.1",
        f"?conceded {SILENT}",
        "conceded EDC96 10",
        f"?conceded {SILENT}",
    ]


@pytest.mark.parametrize(("needed", "bars"), [(None, []), (5, []), (6, ["conceded"]), ("ask", ["conceded"])])
def test_a_game_is_conceded_only_once_somebody_owns_as_many_centres_as_the_rules_want(
    needed: Any, bars: list[str]
) -> None:
    """At Dixiecon; nobody owns more than five here."""
    ending = replace(
        rules("weaselmoot").ending,
        concession=Setting(YesNo.YES, "DIXIE 1"),
        concession_centres=Setting(None if needed == "ask" else needed, "DIXIE 2", left_open=needed == "ask"),
    )
    worth: Setting[Abandoned] = Setting(Abandoned.ZERO, "")
    stopped = list(end_bars(Ending.CONCEDED, now("W1904A"), ending, worth))

    assert [str(bar.ground) for bar in stopped] == bars


def test_the_last_year_ends_a_game_where_there_is_one_and_when_it_is_over() -> None:
    early = asked(Ending.LAST_YEAR, now("F1907R"))
    assert [mark.split(" ", 1)[0] for mark in early] == ["!not"] * 5
    assert asked(Ending.LAST_YEAR, now("W1907A"))[2:] == ["-", "!not the last year EDC96 10", "-"]
    assert asked(Ending.LAST_YEAR, now("W1908A", is_final=True))[2:] == [
        "past the last year EDC23 B",
        "-",
        "!not the last year WDC08 4",  # the top board plays to 1909
    ]
    assert found("wdc2008", Ending.LAST_YEAR, now("W1909A", is_final=True)) == "-"


def test_stagnation_is_three_years_after_1908_at_the_weasel_moot_and_nowhere_else() -> None:
    still = now("W1911A", still_years=3)
    assert found("weaselmoot", Ending.STAGNATION, still) == "-"
    for state in (now("W1910A", still_years=9), now("W1911A", still_years=2), now("W1907A", still_years=7)):
        assert found("weaselmoot", Ending.STAGNATION, state) == "no stagnation WM VIII.5"
    others = [found(name, Ending.STAGNATION, still) for name in FIVE if name != "weaselmoot"]
    assert [mark.partition(" ")[0] for mark in others] == ["!no"] * 4


def test_the_dice_end_a_round_only_after_they_fell_and_on_boards_that_have_played_that_year() -> None:
    assert found("weaselmoot", Ending.DICE, now("W1909A")) == "!no dice WM VIII.4"
    assert found("weaselmoot", Ending.DICE, now("F1909M", dice_ended=1909)) == "!no dice WM VIII.4"
    assert found("weaselmoot", Ending.DICE, now("W1909A", dice_ended=1909)) == "-"
    assert found("nzdc1999", Ending.DICE, now("W1909A", dice_ended=1909)) == "!no dice NZ99 13"


def test_abandoning_a_game_always_wants_a_reason() -> None:
    assert asked(Ending.ABANDONED, now("S1905M")) == [
        "abandoned NZ99 13",
        "abandoned WM VIII.2",
        f"?abandoned {SILENT}",
        f"?abandoned {SILENT}",
        f"?abandoned {SILENT}",
    ]


def test_a_game_that_nobody_says_the_end_of_is_not_over() -> None:
    assert all(mark.startswith("!") for mark in asked(Ending.UNSTATED, now("W1905A")))


def test_no_further_year_is_played_after_the_last_after_a_solo_and_after_the_dice() -> None:
    def over(name: str, state: GameNow) -> str | None:
        why = years_over(state, rules(name).ending)
        return f"{why.how} {why.year} {why.rule}" if why else None

    assert [over(name, now("F1907R")) for name in FIVE] == [None] * 5
    assert [over(name, now("W1907A")) for name in FIVE] == [
        None,
        None,
        "last year 1907 EDC23 B",
        None,
        "last year 1907 WDC08 4",
    ]
    assert over("edc1996", now("S1909M")) == "last year 1908 EDC96 10"
    assert over("wdc2008", now("W1907A", is_final=True)) is None
    assert over("weaselmoot", now("W1909A", dice_ended=1909)) == "dice 1909 WM VIII.4"
    assert over("weaselmoot", now("F1909M", dice_ended=1909)) is None
    assert over("nzdc1999", now("S1906M", centres=SOLO)) == "solo 1905 NZ99 13"


@pytest.mark.parametrize(("said", "force"), [(YesNo.YES, Force.BOARD), (YesNo.NO, None), ("ask", Force.SILENT)])
def test_of_a_vote_held_elsewhere_the_director_says_whether_it_was_a_stalemate(said: Any, force: Force | None) -> None:
    ending = rules("weaselmoot").ending
    setting = Setting(YesNo.NO if said == "ask" else said, "X 3", left_open=said == "ask")
    ending = replace(ending, vote=replace(ending.vote, stalemate=setting))
    worth: Setting[Abandoned] = Setting(Abandoned.ZERO, "")
    for is_stalemate in (False, True):
        game = now("W1905A", was_elsewhere=True, has_voted=True, is_stalemate=is_stalemate)
        bars = [each for each in end_bars(Ending.VOTE, game, ending, worth) if each.ground is EndGround.NO_STALEMATE]
        assert [each.force for each in bars] == ([] if is_stalemate or force is None else [force])


def test_of_a_game_played_elsewhere_a_vote_is_looked_at_by_its_year() -> None:
    def elsewhere(year: int) -> GameNow:
        return now(f"W{year}A", was_elsewhere=True, has_voted=True)

    assert [found("weaselmoot", Ending.VOTE, elsewhere(year)) for year in (1902, 1903)] == [
        "vote year WM VIII.3.a",
        "-",
    ]
    assert [found("edc2023", Ending.VOTE, elsewhere(year)) for year in (1906, 1907)] == ["-", "vote year EDC23 E"]


def test_every_ground_has_words_for_the_wall_in_every_language() -> None:
    assert all(
        speech_of(code).says(ground.in_words) != ground.in_words for ground in EndGround for code in ("de", "fr")
    )


def test_what_a_board_is_doing_where_nobody_says_it_fits_the_phase_that_is_open() -> None:
    assert {step: Moment.of(step) for step in Step} == {
        Step.MOVEMENT: Moment.NEGOTIATION,
        Step.RETREATS: Moment.AFTERMATH,
        Step.ADJUSTMENTS: Moment.AFTERMATH,
    }
    assert {step: [moment for moment in Moment if moment.fits(step)] for step in Step} == {
        Step.MOVEMENT: [Moment.NEGOTIATION, Moment.READING, Moment.BETWEEN],
        Step.RETREATS: [Moment.READING, Moment.AFTERMATH],
        Step.ADJUSTMENTS: [Moment.READING, Moment.AFTERMATH],
    }
