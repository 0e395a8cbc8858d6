"""Whether a game may end in some way now: every condition, with the setting it stands in and its rule.

The command, the page, a vote that is carried, a solo and the dice all ask here. A condition that does not hold is an
`EndBar`. Some bars follow from the board and cannot be lifted; others the director may overrule with a public reason.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, assert_never

from msgspec import Struct

from pipeline.board import Phase, Power, Season, Step
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import CountedCentres, DiceRules, EndingRules, Per, Proposal, VoteRules, VoteTime
from pipeline.scoring.results import Ending
from pipeline.scoring.system import Abandoned
from pipeline.words.speech import to_say, write_count

# How a game ends: whether a draw may be voted on now, whether the dice end it, and which count is the result.


class Moment(StrEnum):
    """What a board is doing when somebody asks for a vote."""

    NEGOTIATION = "negotiation"
    READING = "reading"  # from the first order read
    AFTERMATH = "aftermath"  # retreats and adjustments are being played
    BETWEEN = "between phases"  # after retreats and adjustments, before the next negotiation

    def fits(self, step: Step) -> bool:
        """Whether a board can be doing this while such a phase is open."""
        return self is Moment.READING or (self is Moment.AFTERMATH) is (step is not Step.MOVEMENT)

    @classmethod
    def of(cls, step: Step) -> "Moment":
        """What a board is doing while such a phase is open, where nobody says it."""
        return cls.NEGOTIATION if step is Step.MOVEMENT else cls.AFTERMATH


class VoteAsked(Struct, frozen=True, kw_only=True):
    """A request to vote on ending a game, and all that rules may make it depend on."""

    year: int
    season: Season  # the movement season being played
    moment: Moment
    is_last_year: bool
    votes_this_season: int
    asked_before: int  # votes that the same player has asked for in this game
    all_agree_to_vote: bool = False
    vetoed_openly: bool = False
    is_stalemate: bool = False
    asker_is_out: bool = False  # who asks has no centre any more
    adjusting: bool = False  # retreats are over, and builds and disbands are being written


class Objection(Struct, frozen=True):
    """One thing that stands against a vote now."""

    text: str
    rule: str
    asks: bool = False  # the rules are silent here: the director decides


def objections(asked: VoteAsked, rules: EndingRules) -> tuple[Objection, ...]:
    """List everything that stands against holding a draw vote now; nothing: it is held."""
    vote = rules.vote
    first = vote.from_year.value
    most = vote.per_player.value
    checks: list[tuple[bool, Setting[Any], str]] = [
        (first is not None and asked.year < first, vote.from_year, f"no votes before {first}"),
        (asked.is_last_year and vote.last_year.value is YesNo.NO, vote.last_year, "no votes in the last year"),
        (
            _out_of_time(asked, vote.time.value),
            vote.time,
            f"votes are held {vote.time.value.meaning}; the board is at {asked.moment.value!r}",
        ),
        (
            asked.votes_this_season > 0 and vote.per.value is Per.SEASON,
            vote.per,
            "there was a vote this season",
        ),
        (most is not None and asked.asked_before >= most, vote.per_player, f"a player may ask for {most} in a game"),
        (
            not asked.all_agree_to_vote and vote.proposal.value is Proposal.ALL_AGREE,
            vote.proposal,
            "not every surviving player agrees to a vote",
        ),
        (
            asked.vetoed_openly and knows_veto(vote),
            vote.proposal,
            "a player objects openly",
        ),
        (not asked.is_stalemate and vote.stalemate.value is YesNo.YES, vote.stalemate, "the position is no stalemate"),
        (
            asked.asker_is_out and vote.eliminated_asks.value is YesNo.NO,
            vote.eliminated_asks,
            "who asks for the vote has no centre any more",
        ),
    ]
    against = [Objection(text, setting.rule) for applies, setting, text in checks if applies]
    return (*against, *_list_unregulated(asked, rules))


def _out_of_time(asked: VoteAsked, allowed: VoteTime) -> bool:
    """Say whether a vote is asked for at a moment at which none is held."""
    match allowed:
        case VoteTime.NEGOTIATION:
            return asked.moment is not Moment.NEGOTIATION
        case VoteTime.AFTER_PHASE:
            return asked.moment is not Moment.BETWEEN
        case VoteTime.NOT_FALL_READING:
            is_read = asked.moment in (Moment.READING, Moment.AFTERMATH)
            return asked.season is Season.FALL and is_read and not asked.adjusting
        case _:
            return False


def _list_unregulated(asked: VoteAsked, rules: EndingRules) -> tuple[Objection, ...]:
    """List the questions that this request raises and the rules do not answer."""
    vote = rules.vote
    checks: list[tuple[bool, Setting[Any], str]] = [
        (True, vote.from_year, "from which year on may a vote be held?"),
        (asked.is_last_year, vote.last_year, "may a vote be held in the last year?"),
        (asked.moment is not Moment.NEGOTIATION, vote.time, "may a vote be held at this moment?"),
        (asked.votes_this_season > 0, vote.per, "may there be a second vote in a season?"),
        (asked.asked_before > 0, vote.per_player, "may the same player ask again?"),
        (asked.asker_is_out, vote.eliminated_asks, "may a player without a centre ask for a vote?"),
        (not asked.all_agree_to_vote, vote.proposal, "what does it take before a vote is held?"),
        (not asked.is_stalemate, vote.stalemate, "must the position be a stalemate?"),
        (True, vote.carried_by, "what carries the draw?"),
    ]
    return tuple(
        Objection(text, setting.rule, asks=True) for arises, setting, text in checks if arises and setting.asks
    )


def knows_veto(rules: VoteRules) -> bool:
    """Whether a player's open objection ends a request (WM VIII.3.a; EDC23 E)."""
    return rules.proposal.value in (Proposal.ONE_ASKS, Proposal.ONE_ASKS_OPENLY)


def veto_is_a_vote(rules: VoteRules) -> bool:
    """Whether an open objection counts as a vote that was lost (EDC23 E), or means that no vote was held (WM VIII.3.a).

    >>> from pipeline.rules.load import load_tournament
    >>> [veto_is_a_vote(load_tournament(name).ending.vote) for name in ("edc2023", "weaselmoot")]
    [True, False]
    """
    return rules.proposal.value is Proposal.ONE_ASKS_OPENLY


def dice_end_the_game(roll: int, die: int, rules: DiceRules) -> bool | None:
    """Say whether the die ends a game after a Fall of the last years; None where the rules have no dice.

    >>> from pipeline.rules.load import load_tournament
    >>> dice = load_tournament("weaselmoot").ending.dice
    >>> [dice_end_the_game(1, die, dice) for die in (5, 6)], dice_end_the_game(9, 1, dice)
    ([False, True], True)
    """
    if not rules.added.value or rules.ends_at.value is None:
        return None
    added = rules.added.value[min(roll, len(rules.added.value)) - 1]  # the last step holds for every later roll
    return die + added >= rules.ends_at.value


class EndedBy(StrEnum):
    """Why a game stopped, where it was not won alone."""

    TIME = "time"  # the director called it, or the last year is over
    VOTE = "vote"


def _result_count(ended: EndedBy, season: Season, rules: EndingRules) -> Setting[CountedCentres]:
    """Say which count of centres is the result of a game that nobody won alone.

    >>> from pipeline.rules.load import load_tournament
    >>> nz = load_tournament("nzdc1999").ending
    >>> [str(_result_count(EndedBy.TIME, season, nz).value) for season in (Season.FALL, Season.SPRING)]
    ['fall_retreats', 'last_fall']
    """
    if ended is EndedBy.VOTE:
        return rules.vote.counted
    return rules.counted_in_spring if season is Season.SPRING else rules.counted_in_fall


FIRST_YEAR = 1901


class Force(StrEnum):
    """Whether a director may overrule a bar."""

    BOARD = "board"  # it follows from the board or the facts: nobody can overrule it
    RULE = "rule"  # the rules say no; the director may overrule them, and says why
    SILENT = "silent"  # the rules do not say: the director decides, and says why


class EndGround(StrEnum):
    """What does not hold; the code that a fact keeps."""

    IS_SOLO = "is a solo"  # somebody has won alone, whatever else is said
    NO_SOLO = "no solo"
    NO_VOTE = "no vote"
    VOTE_YEAR = "vote year"  # a vote in a year in which none is held
    NO_STALEMATE = "no stalemate"
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
        """What a director overruled, as it is shown with the standings."""
        return MEANINGS[self]


MEANINGS = {
    EndGround.IS_SOLO: to_say("it is a solo"),
    EndGround.NO_SOLO: to_say("there is no solo"),
    EndGround.NO_VOTE: to_say("no draw was voted"),
    EndGround.VOTE_YEAR: to_say("no draw is voted in that year"),
    EndGround.NO_STALEMATE: to_say("the rules do not say whether the position must be a stalemate"),
    EndGround.CONCEDED: to_say("the rules do not provide for conceding a game"),
    EndGround.NOT_LAST_YEAR: to_say("the last year was not over"),
    EndGround.PAST_LAST_YEAR: to_say("years were played after the last"),
    EndGround.NO_COUNT: to_say("the count that the rules want had not been made"),
    EndGround.WHICH_COUNT: to_say("the rules do not say which count is the result"),
    EndGround.NO_STAGNATION: to_say("centres changed hands"),
    EndGround.NO_DICE: to_say("the dice had not ended the round"),
    EndGround.ABANDONED: to_say("the rules do not provide for abandoning a game"),
}


class EndBar(Struct, frozen=True):
    """One condition that does not hold."""

    ground: EndGround
    text: str
    rule: str  # "NZ99 13", or that the rules are silent
    force: Force = Force.RULE

    @property
    def is_firm(self) -> bool:
        """Whether the director cannot overrule it."""
        return self.force is Force.BOARD

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})"


class GameNow(Struct, frozen=True, kw_only=True):
    """All that an ending may depend on."""

    phase: Phase  # the one that is open
    centres: Mapping[Power, int]  # as the last completed Fall left them
    total: int  # supply centres on the map
    is_final: bool = False
    pool_last_year: Setting[int | None] | None = None  # of its pool, where that has one of its own
    has_voted: bool = False  # a draw was voted, and the vote stands
    is_stalemate: bool = False  # the director says so, of a draw that was voted elsewhere
    dice_ended: int | None = None  # the year after which the dice ended the round
    still_years: int = 0  # years in a row, up to now, without a centre changing hands
    was_elsewhere: bool = False  # played without the program: its counts are all that is known

    @property
    def last_count(self) -> int | None:
        """The last year whose Fall was played to its end, retreats included; None before the first."""
        return self.phase.last_count


class Over(Struct, frozen=True):
    """A game of which no further year is played: it is to be ended."""

    how: Ending
    year: int
    rule: str


def end_bars(how: Ending, now: GameNow, rules: EndingRules, worth: Setting[Abandoned]) -> tuple[EndBar, ...]:
    """List everything that stands against a game ending so, now; nothing: it ends.

    ``worth`` is what the tournament gives for an abandoned game.
    """
    return (*_bars_by_solo(how, now, rules), *_own_bars(how, now, rules, worth), *_count_bars(how, now, rules))


def _bars_by_solo(how: Ending, now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """If a power owns enough centres after a Fall, the game is a solo, and no other ending is allowed."""
    winner = soloist(now, rules)
    if winner is not None and how is not Ending.SOLO:
        text = f"{winner} owns {write_count(now.centres[winner], 'centre')}: the game is a solo"
        yield EndBar(EndGround.IS_SOLO, text, rules.solo_centres.source, Force.BOARD)


def _own_bars(how: Ending, now: GameNow, rules: EndingRules, worth: Setting[Abandoned]) -> Iterator[EndBar]:
    """What stands against one way to end a game."""
    match how:
        case Ending.SOLO:
            yield from _solo_bars(now, rules)
        case Ending.VOTE:
            yield from _vote_bars(now, rules)
        case Ending.CONCEDED:
            yield from _concession_bars(now, rules)
        case Ending.TIME:
            yield from _time_bars(now, rules)
        case Ending.LAST_YEAR:
            yield from _last_year_bars(now, rules)
        case Ending.STAGNATION:
            yield from _stagnation_bars(now, rules)
        case Ending.DICE:
            yield from _dice_bars(now, rules)
        case Ending.ABANDONED:
            yield from _abandoned_bars(worth)
        case Ending.UNSTATED:
            text = "the result does not say how the game ended"
            yield EndBar(EndGround.WHICH_COUNT, text, "every result must say it", Force.BOARD)
        case _:
            assert_never(how)


def soloist(now: GameNow, rules: EndingRules) -> Power | None:
    """The power that owns enough centres at the end of a Fall (NZ99 13; WM VIII.1; EDC23 C; EDC96 10; WDC08 13)."""
    needed = _centres_needed(now, rules)
    return next((power for power, owned in now.centres.items() if owned >= needed), None)


def _centres_needed(now: GameNow, rules: EndingRules) -> int:
    """How many centres win alone; where the rules give no number, more than half (EDC23 C)."""
    return rules.solo_centres.value or now.total // 2 + 1


def _solo_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """A game ends in a solo only if a power owns enough centres."""
    if soloist(now, rules) is None:
        most = max(now.centres.values(), default=0)
        text = f"a solo takes {write_count(_centres_needed(now, rules), 'centre')}, and nobody owns more than {most}"
        yield EndBar(EndGround.NO_SOLO, text, rules.solo_centres.source, Force.BOARD)


def _vote_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """A draw is voted; of a game played elsewhere the year can be looked at, and the director says what else he saw."""
    vote = rules.vote
    if not now.has_voted:
        text = "no draw was voted on this board; hold the vote, or enter its count"
        yield EndBar(EndGround.NO_VOTE, text, vote.carried_by.source, Force.BOARD)
    first, last = vote.from_year.value, last_year(now, rules)
    if not now.was_elsewhere or now.last_count is None:
        return
    if not now.is_stalemate and vote.stalemate.value is YesNo.YES:
        text = "a draw is voted in a stalemate only; if the position is one, say so (stalemate)"
        yield EndBar(EndGround.NO_STALEMATE, text, vote.stalemate.source, Force.BOARD)
    elif not now.is_stalemate and vote.stalemate.asks:
        text = "must the position be a stalemate?"
        yield EndBar(EndGround.NO_STALEMATE, text, vote.stalemate.source, Force.SILENT)
    if first is not None and now.last_count + 1 < first:
        yield EndBar(EndGround.VOTE_YEAR, f"a draw is voted from {first} on", vote.from_year.source)
    if last.value is not None and now.last_count >= last.value and vote.last_year.value is YesNo.NO:
        yield EndBar(EndGround.VOTE_YEAR, "no draw is voted in the last year", vote.last_year.source)


def _concession_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """A game is conceded where the rules allow it, and only once a power owns enough centres (Dixiecon)."""
    setting = rules.concession
    if setting.asks:
        yield EndBar(EndGround.CONCEDED, "may a game be conceded?", setting.source, Force.SILENT)
    elif setting.value is not YesNo.YES:
        yield EndBar(EndGround.CONCEDED, "the rules do not allow conceding a game", setting.source)
        return
    needed, most = rules.concession_centres, max(now.centres.values(), default=0)
    if needed.asks:
        yield EndBar(EndGround.CONCEDED, "how many centres must the winner own?", needed.source, Force.SILENT)
    elif needed.value is not None and most < needed.value:
        text = (
            f"a game is conceded to a power with {write_count(needed.value, 'centre')}, and nobody owns more than "
            f"{most}"
        )
        yield EndBar(EndGround.CONCEDED, text, needed.source)


def last_year(now: GameNow, rules: EndingRules) -> Setting[int | None]:
    """The setting that fixes the last year of a board."""
    return now.pool_last_year or (rules.last_year_top_board if now.is_final else rules.last_year)


def _time_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """Where the last year is fixed, time is called when it is over; elsewhere when the director calls it."""
    last = last_year(now, rules)
    if last.value is not None and (now.last_count or 0) < last.value:
        done = f"{now.last_count} is the last that is over" if now.last_count else "no year is over"
        yield EndBar(EndGround.NOT_LAST_YEAR, f"the game is played to the end of {last.value}; {done}", last.source)
    yield from _past_last_year(now, last)


def _past_last_year(now: GameNow, last: Setting[int | None]) -> Iterator[EndBar]:
    """No year is counted after the last."""
    if last.value is not None and (now.last_count or 0) > last.value:
        text = f"{last.value} is the last year, and {now.last_count} would be the result"
        yield EndBar(EndGround.PAST_LAST_YEAR, text, last.source)


def _last_year_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """The last year is over, where there is one."""
    last = last_year(now, rules)
    if last.value is None:
        yield EndBar(EndGround.NOT_LAST_YEAR, "the rules fix no last year; call time", last.source, Force.BOARD)
    elif (now.last_count or 0) < last.value:
        text = f"the last year is {last.value}, and it is not over"
        yield EndBar(EndGround.NOT_LAST_YEAR, text, last.source, Force.BOARD)
    yield from _past_last_year(now, last)


def _stagnation_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """So many years in a row without a centre changing hands, all after a certain year (WM VIII.5).

    If centres changed hands only within an alliance, the director overrules this bar and says so in his reason.
    """
    wanted, after = rules.stagnation_years, rules.stagnation_after
    if wanted.asks:
        yield EndBar(EndGround.NO_STAGNATION, "may a game end by stagnation?", wanted.source, Force.SILENT)
        return
    if wanted.value is None:
        text = "the rules end no game for stagnation; call time"
        yield EndBar(EndGround.NO_STAGNATION, text, wanted.source, Force.BOARD)
        return
    first = (after.value or FIRST_YEAR - 1) + 1
    late = max(0, (now.last_count or 0) - first + 1)
    still = min(now.still_years, late)
    if still < wanted.value:
        text = (
            f"{write_count(wanted.value, 'year')} from {first} on must pass without a centre changing hands, "
            f"and {still} did"
        )
        yield EndBar(EndGround.NO_STAGNATION, text, wanted.source)


def _dice_bars(now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
    """The dice ended the round, and the board has played the year after whose Fall they were rolled (WM VIII.4)."""
    dice = rules.dice
    if not dice.added.value:
        yield EndBar(EndGround.NO_DICE, "the rules end no game by dice", dice.added.source, Force.BOARD)
    elif now.dice_ended is None:
        yield EndBar(EndGround.NO_DICE, "the dice have not ended this round", dice.added.source, Force.BOARD)
    elif (now.last_count or 0) < now.dice_ended:
        text = f"the dice ended the round after {now.dice_ended}, and this board has not finished that year"
        yield EndBar(EndGround.NO_DICE, text, dice.added.source, Force.BOARD)


def _abandoned_bars(worth: Setting[Abandoned]) -> Iterator[EndBar]:
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
    return _result_count(EndedBy.VOTE if how is Ending.VOTE else EndedBy.TIME, now.phase.season, rules)


def _count_bars(how: Ending, now: GameNow, rules: EndingRules) -> Iterator[EndBar]:
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
    elif how is not Ending.VOTE and now.phase.season is Season.FALL and now.phase.step is Step.RETREATS:
        fall = Phase(now.phase.year, Season.FALL, Step.MOVEMENT)
        text = (
            f"the moves of {fall.in_words} are published and its retreats are not; publish {now.phase.in_words} first"
        )
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
