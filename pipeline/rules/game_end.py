"""May this game end so, now? Every condition of the five tournaments, with the setting it stands in and its rule.

The knowledge of all doors: the command, the page, a vote that is carried, a solo that is called, the dice. What does
not hold is a `EndBar`: some bars are the board itself, and no word lifts them; others a director may overrule, with a
reason that stands on the wall.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from pipeline.board.map import Power
from pipeline.board.position import Phase, Season
from pipeline.rules.end_conditions import EndedBy, result_count
from pipeline.rules.event_rules import CountedCentres, EndingRules
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.toml.setting import Setting
from pipeline.scoring.games.system import Abandoned
from pipeline.scoring.results.results import Ending

FIRST_YEAR = 1901


class Force(StrEnum):
    """How hard a bar is."""

    BOARD = "board"  # the board or the facts say otherwise: no reason lifts it
    RULE = "rule"  # the rules say no; the director may overrule them, and says why
    SILENT = "silent"  # the rules do not say: the director decides, and says why


class EndGround(StrEnum):
    """What does not hold; the code that a fact keeps."""

    IS_SOLO = "is a solo"  # somebody has won alone, whatever else is said
    NO_SOLO = "no solo"
    NO_VOTE = "no vote"
    VOTE_YEAR = "vote year"  # a vote in a year in which none is held
    CONCEDED = "conceded"
    NOT_LAST_YEAR = "not the last year"
    PAST_LAST_YEAR = "past the last year"
    NO_COUNT = "no count"  # the count that is the result does not exist yet
    WHICH_COUNT = "which count"
    NO_STAGNATION = "no stagnation"
    NO_DICE = "no dice"
    ABANDONED = "abandoned"

    @property
    def in_words(self) -> str:
        """What a director overruled, as it stands on the wall."""
        return MEANINGS[self]


MEANINGS = {
    EndGround.IS_SOLO: "a power has won alone",
    EndGround.NO_SOLO: "no power has won alone",
    EndGround.NO_VOTE: "no draw was voted",
    EndGround.VOTE_YEAR: "no draw is voted in that year",
    EndGround.CONCEDED: "the rules do not provide for conceding a game",
    EndGround.NOT_LAST_YEAR: "the last year was not over",
    EndGround.PAST_LAST_YEAR: "years were played after the last",
    EndGround.NO_COUNT: "the count that the rules want had not been made",
    EndGround.WHICH_COUNT: "the rules do not say which count is the result",
    EndGround.NO_STAGNATION: "centres changed hands",
    EndGround.NO_DICE: "the dice had not ended the round",
    EndGround.ABANDONED: "the rules do not provide for abandoning a game",
}


@dataclass(frozen=True, slots=True)
class EndBar:
    """One condition that does not hold."""

    ground: EndGround
    text: str
    rule: str  # "NZ99 13", or that the rules are silent
    force: Force = Force.RULE

    @property
    def is_firm(self) -> bool:
        """Whether no reason lifts it."""
        return self.force is Force.BOARD

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameNow:
    """All that an ending may depend on."""

    phase: Phase  # the one that is open
    centres: Mapping[Power, int]  # as the last completed Fall left them
    total: int  # supply centres on the map
    is_final: bool = False
    has_voted: bool = False  # a draw was voted, and the vote stands
    dice_ended: int | None = None  # the year after which the dice ended the round
    still_years: int = 0  # years in a row, up to now, without a centre changing hands
    was_elsewhere: bool = False  # played without the program: its counts are all that is known

    @property
    def last_count(self) -> int | None:
        """The last year whose Fall was played to its end, retreats included; None before the first."""
        return self.phase.last_count


@dataclass(frozen=True, slots=True)
class Over:
    """A game of which no further year is played: it is to be ended."""

    how: Ending
    year: int
    rule: str


def bars(how: Ending, now: GameNow, rules: EndingRules, worth: Setting[Abandoned]) -> tuple[EndBar, ...]:
    """List everything that stands against a game ending so, now; nothing: it ends.

    ``worth`` is what the tournament gives for an abandoned game.
    """
    return (*not_alone(how, now, rules), *own_bars(how, now, rules, worth), *count_bars(how, now, rules))


def not_alone(how: Ending, now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """A power with enough centres at the end of a Fall has won alone, and nobody else ends the game."""
    winner = soloist(now, rules)
    if winner is not None and how is not Ending.SOLO:
        text = f"{winner} owns {now.centres[winner]} centres: the game is a solo"
        yield EndBar(EndGround.IS_SOLO, text, rules.solo_centres.source, Force.BOARD)


def own_bars(how: Ending, now: GameNow, rules: EndingRules, worth: Setting[Abandoned]) -> Iterator[EndBar]:
    """What stands against one way to end a game."""
    match how:
        case Ending.SOLO:
            yield from solo_bars(now, rules)
        case Ending.VOTE:
            yield from vote_bars(now, rules)
        case Ending.CONCEDED:
            yield from concession_bars(rules)
        case Ending.TIME:
            yield from time_bars(now, rules)
        case Ending.LAST_YEAR:
            yield from last_year_bars(now, rules)
        case Ending.STAGNATION:
            yield from stagnation_bars(now, rules)
        case Ending.DICE:
            yield from dice_bars(now, rules)
        case Ending.ABANDONED:
            yield from abandoned_bars(worth)
        case Ending.UNSTATED:
            yield EndBar(EndGround.WHICH_COUNT, "nobody says how the game ended", "every result says it", Force.BOARD)
        case _:
            assert_never(how)


def soloist(now: GameNow, rules: EndingRules) -> Power | None:
    """The power that owns enough centres at the end of a Fall (NZ99 13; WM VIII.1; EDC23 C; EDC96 10; WDC08 13)."""
    needed = centres_needed(now, rules)
    return next((power for power, owned in now.centres.items() if owned >= needed), None)


def centres_needed(now: GameNow, rules: EndingRules) -> int:
    """How many centres win alone; where the rules give no number, more than half (EDC23 C)."""
    return rules.solo_centres.value or now.total // 2 + 1


def solo_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """A solo is what the centres say."""
    if soloist(now, rules) is None:
        most = max(now.centres.values(), default=0)
        text = f"a solo takes {centres_needed(now, rules)} centres, and nobody owns more than {most}"
        yield EndBar(EndGround.NO_SOLO, text, rules.solo_centres.source, Force.BOARD)


def vote_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """A draw is voted; of a game played elsewhere the year is all that can be looked at."""
    vote = rules.vote
    if not now.has_voted:
        text = "no draw was voted on this board; hold the vote, or enter its count"
        yield EndBar(EndGround.NO_VOTE, text, vote.carried_by.source, Force.BOARD)
    first, last = vote.from_year.value, last_year(now, rules)
    if not now.was_elsewhere or now.last_count is None:
        return
    if first is not None and now.last_count + 1 < first:
        yield EndBar(EndGround.VOTE_YEAR, f"a draw is voted from {first} on", vote.from_year.source)
    if last.value is not None and now.last_count >= last.value and vote.last_year.value is YesNo.NO:
        yield EndBar(EndGround.VOTE_YEAR, "no draw is voted in the last year", vote.last_year.source)


def concession_bars(rules: EndingRules) -> Iterator[EndBar]:
    """A game is conceded where the rules allow it."""
    setting = rules.concession
    if setting.asks:
        yield EndBar(EndGround.CONCEDED, "may a game be conceded?", setting.source, Force.SILENT)
    elif setting.value is not YesNo.YES:
        yield EndBar(EndGround.CONCEDED, "no game is conceded", setting.source)


def last_year(now: GameNow, rules: EndingRules) -> Setting[int | None]:
    """The setting that fixes the last year of a board."""
    return rules.last_year_top_board if now.is_final else rules.last_year


def time_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """Where the last year is fixed, time is called when it is over; elsewhere when the director calls it."""
    last = last_year(now, rules)
    if last.value is not None and (now.last_count or 0) < last.value:
        done = f"{now.last_count} is the last that is over" if now.last_count else "no year is over"
        yield EndBar(EndGround.NOT_LAST_YEAR, f"the game is played to the end of {last.value}; {done}", last.source)
    yield from past_last_year(now, last)


def past_last_year(now: GameNow, last: Setting[int | None]) -> Iterator[EndBar]:
    """No year is counted after the last."""
    if last.value is not None and (now.last_count or 0) > last.value:
        text = f"{last.value} is the last year, and {now.last_count} would be the result"
        yield EndBar(EndGround.PAST_LAST_YEAR, text, last.source)


def last_year_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """The last year is over, where there is one."""
    last = last_year(now, rules)
    if last.value is None:
        yield EndBar(EndGround.NOT_LAST_YEAR, "the rules fix no last year; call time", last.source, Force.BOARD)
    elif (now.last_count or 0) < last.value:
        text = f"the last year is {last.value}, and it is not over"
        yield EndBar(EndGround.NOT_LAST_YEAR, text, last.source, Force.BOARD)
    yield from past_last_year(now, last)


def stagnation_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """So many years in a row without a centre changing hands, all after a certain year (WM VIII.5).

    Centres that change hands within an alliance are the director's to tell: he overrules this, and says so.
    """
    wanted, after = rules.stagnation_years, rules.stagnation_after
    if wanted.asks:
        yield EndBar(EndGround.NO_STAGNATION, "may a game end because nothing changes?", wanted.source, Force.SILENT)
        return
    if wanted.value is None:
        text = "no game ends because nothing changes; call time"
        yield EndBar(EndGround.NO_STAGNATION, text, wanted.source, Force.BOARD)
        return
    first = (after.value or FIRST_YEAR - 1) + 1
    late = max(0, (now.last_count or 0) - first + 1)
    still = min(now.still_years, late)
    if still < wanted.value:
        text = f"{wanted.value} years from {first} on must pass without a centre changing hands, and {still} did"
        yield EndBar(EndGround.NO_STAGNATION, text, wanted.source)


def dice_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """The dice ended the round, and the board has played the year after whose Fall they were rolled (WM VIII.4)."""
    dice = rules.dice
    if not dice.added.value:
        yield EndBar(EndGround.NO_DICE, "no game ends by dice", dice.added.source, Force.BOARD)
    elif now.dice_ended is None:
        yield EndBar(EndGround.NO_DICE, "the dice have not ended this round", dice.added.source, Force.BOARD)
    elif (now.last_count or 0) < now.dice_ended:
        text = f"the dice ended the round after {now.dice_ended}, and here it is not over"
        yield EndBar(EndGround.NO_DICE, text, dice.added.source, Force.BOARD)


def abandoned_bars(worth: Setting[Abandoned]) -> Iterator[EndBar]:
    """A game that is abandoned ends outside the rules (NZ99 13): the director always says why."""
    match worth.value:
        case Abandoned.ZERO:
            yield EndBar(EndGround.ABANDONED, "an abandoned game gives nobody a point", worth.source)
        case Abandoned.SCORED:
            yield EndBar(EndGround.ABANDONED, "no game is abandoned; its last count would be scored", worth.source)
        case Abandoned.ASK:
            yield EndBar(EndGround.ABANDONED, "what is an abandoned game worth?", worth.source, Force.SILENT)
        case _:
            assert_never(worth.value)


def count_of(how: Ending, now: GameNow, rules: EndingRules) -> Setting[CountedCentres]:
    """Which count is the result of a game that ends so, now."""
    return result_count(EndedBy.VOTE if how is Ending.VOTE else EndedBy.TIME, now.phase.season, rules)


def count_bars(how: Ending, now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """The count that is the result exists (NZ99 13: at a Fall deadline that after the Fall retreats)."""
    if how is Ending.SOLO:
        return
    setting = count_of(how, now, rules)
    if setting.asks:
        yield EndBar(EndGround.WHICH_COUNT, "which count is the result?", setting.source, Force.SILENT)
    if now.last_count is None:
        text = "no Fall has been played to its end, so there is no count"
        yield EndBar(EndGround.NO_COUNT, text, setting.source)
    elif setting.value is CountedCentres.FALL_RETREATS and now.phase.season is Season.FALL:
        text = f"the count after the Fall retreats is the result; publish {now.phase.in_words} first"
        yield EndBar(EndGround.NO_COUNT, text, setting.source)


def years_over(now: GameNow, rules: EndingRules) -> Over | None:
    """Why no further year of a game is played, if none is: it was won, the dice fell, or the last year is over."""
    if soloist(now, rules) is not None:
        return Over(Ending.SOLO, now.last_count or FIRST_YEAR, rules.solo_centres.source)
    done, last = now.last_count or 0, last_year(now, rules)
    if last.value is not None and done >= last.value:
        return Over(Ending.LAST_YEAR, last.value, last.source)
    if now.dice_ended is not None and done >= now.dice_ended:
        return Over(Ending.DICE, now.dice_ended, rules.dice.added.source)
    return None
