"""How a game ends: whether a draw may be voted on now, whether the dice end it, and which count is the result."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pipeline.board.position import Season, Step
from pipeline.rules.event_rules import CountedCentres, DiceRules, EndingRules, Per, Proposal, VoteRules, VoteTime
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.toml.setting import Setting


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


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteAsked:
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


@dataclass(frozen=True, slots=True)
class Objection:
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
        (out_of_time(asked, vote.time.value), vote.time, f"votes are held {vote.time.value.meaning}"),
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
    return (*against, *open_questions(asked, rules))


def out_of_time(asked: VoteAsked, allowed: VoteTime) -> bool:
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


def open_questions(asked: VoteAsked, rules: EndingRules) -> tuple[Objection, ...]:
    """List what the rules do not say and this request turns on."""
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
    return tuple(Objection(text, setting.rule, asks=True) for turns, setting, text in checks if turns and setting.asks)


def knows_veto(rules: VoteRules) -> bool:
    """Whether a player's open objection ends a request (WM VIII.3.a; EDC23 E)."""
    return rules.proposal.value in (Proposal.ONE_ASKS, Proposal.ONE_ASKS_OPENLY)


def veto_is_a_vote(rules: VoteRules) -> bool:
    """Whether an open objection is a vote, deemed negative (EDC23 E), or makes it none at all (WM VIII.3.a).

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


def result_count(ended: EndedBy, season: Season, rules: EndingRules) -> Setting[CountedCentres]:
    """Say which count of centres is the result of a game that nobody won alone.

    >>> from pipeline.rules.load import load_tournament
    >>> nz = load_tournament("nzdc1999").ending
    >>> [str(result_count(EndedBy.TIME, season, nz).value) for season in (Season.FALL, Season.SPRING)]
    ['fall_retreats', 'last_fall']
    """
    if ended is EndedBy.VOTE:
        return rules.vote.counted
    return rules.counted_in_spring if season is Season.SPRING else rules.counted_in_fall
