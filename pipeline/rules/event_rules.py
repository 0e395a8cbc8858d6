"""When games end, how long a phase lasts, who sits where: tables ``[ending]``, ``[clock]``, ``[draw]``, ``[judge]``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pipeline.board.map import Power
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.toml.setting import Asks, Choice, Setting


class CountedCentres(Choice):
    """Which supply centre count is a game's result."""

    ASK = "ask", "the director rules"
    LAST_FALL = "last_fall", "that of the last completed Fall; the year that is interrupted does not count"
    LAST_RECORDED = "last_recorded", "the last that was recorded, after Fall moves, retreats and adjustments"
    LAST_ADJUSTMENT = "last_adjustment", "that of the last adjustments"
    FALL_RETREATS = "fall_retreats", "that after the Fall retreats; builds are not made"


class Announced(Choice):
    """Who knows beforehand when a round ends."""

    ASK = "ask", "the director rules"
    SECRET = "secret", "only the director"
    KNOWN = "known", "everybody"


class Per(Choice):
    """How often a draw vote may be held."""

    ASK = "ask", "the director rules"
    SEASON = "season", "once a season (Spring or Fall)"
    ANY = "any", "as often as it is asked for"


class Majority(Choice):
    """What carries a draw."""

    ASK = "ask", "the director rules"
    UNANIMOUS = "unanimous", "every power that has a centre"


class Absent(Choice):
    """How somebody votes who is not there, or has abandoned the game."""

    ASK = "ask", "the director rules"
    YES = "yes", "for every proposal"
    MUST_VOTE = "must_vote", "he must vote; the vote waits for him"


class VoteTime(Choice):
    """When a draw vote is held."""

    ASK = "ask", "the director rules"
    ANY = "any", "at any time"
    NEGOTIATION = "negotiation", "in negotiation time; the clock does not stop"
    AFTER_PHASE = "after_phase", "at the end of a phase, after retreats and adjustments"
    NOT_FALL_READING = "not_fall_reading", "at any time but between the first Fall order read and the adjustments"


class Proposal(Choice):
    """What it takes before a vote is held at all."""

    ASK = "ask", "the director rules"
    ALL_AGREE = "all_agree", "every surviving player agrees to hold it, which is no vote for the draw"
    ONE_ASKS = "one_asks", "one player asks for it; an open veto before it begins ends it"
    REQUEST = "request", "one player asks the director for it"
    ONE_ASKS_OPENLY = "one_asks_openly", "one player asks for it; anybody's open objection counts as a No"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRules:
    """Table ``[ending.vote]``: draw votes."""

    proposal: Annotated[Setting[Proposal], Asks("31", "what does it take before a vote is held?")]
    stalemate: Annotated[Setting[YesNo], Asks("31", "must the position be a stalemate?")]
    from_year: Annotated[Setting[int | None], Asks("31", "first year in which a vote may be held")]
    last_year: Annotated[Setting[YesNo], Asks("31", "may a vote be held in the last year?")]
    time: Annotated[Setting[VoteTime], Asks("31", "when is a vote held?")]
    per: Annotated[Setting[Per], Asks("31", "how often may a vote be held?")]
    per_player: Annotated[Setting[int | None], Asks("31", "how many votes may one player ask for in a game?")]
    eliminated_asks: Annotated[Setting[YesNo], Asks("31", "may a player without a centre ask for a vote?")]
    secret: Annotated[Setting[YesNo], Asks("31", "is the vote secret?")]
    carried_by: Annotated[Setting[Majority], Asks("31", "what carries the draw?")]
    absent: Annotated[Setting[Absent], Asks("31", "how does a player vote who is not there?")]
    abandoned: Annotated[Setting[Absent], Asks("31", "how does a player vote who has abandoned the game?")]
    asker_says_yes: Annotated[Setting[YesNo], Asks("31", "does the player who asked for the vote vote for the draw?")]
    includes_all_survivors: Annotated[Setting[YesNo], Asks("31", "does a draw include all survivors?")]
    counted: Annotated[Setting[CountedCentres], Asks("31", "which count is the result?")]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRules:
    """Table ``[ending.dice]``: a die after each Fall of the last years, and what is added to each roll."""

    added: Annotated[Setting[tuple[int, ...]], Asks("end", "what is added to the first roll, the second, …")]
    ends_at: Annotated[Setting[int | None], Asks("end", "the sum at which no more years are played")]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingRules:
    """Table ``[ending]``: how a game ends and which count is its result."""

    last_year: Annotated[Setting[int | None], Asks("end", "the last year that is played, where it is fixed")]
    last_year_top_board: Annotated[
        Setting[int | None], Asks("end", "the last year of the final table, where it is fixed")
    ]
    call_time: Annotated[Setting[Announced], Asks("end", "who knows when the director will end a round?")]
    round_times: Annotated[Setting[str | None], Asks("end", "when does each round begin and end?")]
    solo_centres: Annotated[Setting[int | None], Asks("end", "centres that win alone; none written: more than half")]
    concession: Annotated[Setting[YesNo], Asks("end", "may a game be conceded to one player as won?")]
    counted_in_fall: Annotated[
        Setting[CountedCentres], Asks("end", "the game is ended at a Fall deadline: which count is the result?")
    ]
    counted_in_spring: Annotated[
        Setting[CountedCentres], Asks("end", "the game is ended at a Spring deadline: which count is the result?")
    ]
    stagnation_years: Annotated[
        Setting[int | None],
        Asks("end", "years without a centre changing hands after which the director may end a game"),
    ]
    stagnation_after: Annotated[Setting[int | None], Asks("end", "the year after which such years are counted")]
    vote: VoteRules
    dice: DiceRules


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonParts:
    """Seconds of one movement season, part by part; 0 where a part has no time of its own."""

    negotiation: int
    writing: int = 0
    reading: int = 0

    def __str__(self) -> str:
        return " + ".join(
            f"{part // 60}:{part % 60:02}" for part in (self.negotiation, self.writing, self.reading) if part
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The clock of the years from some year on: one of the tables ``[[clock.years]]``."""

    from_year: int
    spring: SeasonParts
    fall: SeasonParts
    rule: str

    def __str__(self) -> str:
        return f"from {self.from_year} Spring {self.spring}, Fall {self.fall}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRules:
    """Table ``[clock]``: seconds for each part of a season, by year."""

    years: tuple[Span, ...]  # by first year
    retreats: Annotated[Setting[int | None], Asks("clock", "seconds for retreats, where they have a time of their own")]
    winter: Annotated[
        Setting[int | None], Asks("clock", "seconds for adjustments, where they have a time of their own")
    ]
    runs_on: Annotated[Setting[YesNo], Asks("clock", "does the clock run on through retreats, adjustments and votes?")]
    faster: Annotated[Setting[YesNo], Asks("clock", "may a board play faster if all agree?")]

    def at(self, year: int) -> Span | None:
        """Find the clock of a year; none where the rules have none for it."""
        return next((span for span in reversed(self.years) if span.from_year <= year), None)


class Wish(Choice):
    """How strongly a wish for the draw is held."""

    ASK = "ask", "the director rules"
    NO = "no", "not wished"
    MUST = "must", "never broken while any draw can keep it"
    SHOULD = "should", "broken as seldom as can be, and every breach reported"


class Aim(Choice):
    """A wish for the draw, by name, so that wishes can be put in order."""

    SAME_POWER_ONCE = "same_power_once", "nobody plays the same power twice"
    POWER_GROUPS = "power_groups_kept", "everybody plays one power of each group"
    TEAMS_APART = "teams_apart", "team mates play apart"
    FAMILIES_APART = "families_apart", "members of a family play apart"
    NEW_OPPONENTS = "new_opponents", "players meet new opponents"
    TRIOS_APART = "trios_apart", "no three players meet twice"
    BEST_TOGETHER = "best_together", "the best of each part of a round meet in the next"


class StandDown(Choice):
    """What the rules offer when players are not a multiple of seven; the director chooses."""

    ASK = "ask", "the director rules"
    DOUBLE = "double", "volunteers play on two boards"
    DIRECTOR_PLAYS = "director_plays", "the director plays, for no score"
    VOLUNTEERS = "volunteers", "volunteers stand aside"
    LOCAL_BOARD = "local_board_members", "local members of the club's board are left out"
    LOCAL_CLUB = "local_club_members", "local members of the club are left out"
    LOCAL = "local_non_members", "other local players are left out"
    TRAVELLERS = "travellers", "travellers are left out"
    LOWEST_RANKED = "lowest_ranked", "the lowest ranked are left out"
    NEAREST = "nearest", "in the first round, and among equals, those who travelled least are left out"
    VARIANT = "variant", "six play without Turkey (Sandard)"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRules:
    """Table ``[draw]``: who plays whom, as which power. Final tables: ``[totals.final]``; teams: ``[teams]``."""

    new_opponents: Annotated[Setting[Wish], Asks("draw", "players should meet new opponents")]
    meetings_most: Annotated[Setting[int | None], Asks("draw", "how often two players may meet at most")]
    trios_apart: Annotated[Setting[Wish], Asks("draw", "no three players meet twice")]
    same_power_once: Annotated[Setting[Wish], Asks("draw", "nobody plays the same power twice")]
    power_groups: Annotated[
        Setting[tuple[tuple[Power, ...], ...]], Asks("draw", "groups of powers, of each of which a player gets one")
    ]
    power_groups_kept: Annotated[Setting[Wish], Asks("draw", "everybody plays one power of each group")]
    families_apart: Annotated[Setting[Wish], Asks("draw", "members of a family, and the like, play apart")]
    teams_apart: Annotated[Setting[Wish], Asks("draw", "team mates play apart in the rounds of table [teams]")]
    best_together: Annotated[
        Setting[Wish], Asks("draw", "the best of each part of a round meet in the next, if they have not met")
    ]
    order: Annotated[Setting[tuple[Aim, ...]], Asks("draw", "which wishes go before which, most important first?")]
    binding: Annotated[Setting[YesNo], Asks("draw", "is a draw binding once it is published?")]
    uneven: Annotated[
        Setting[tuple[StandDown, ...]],
        Asks("draw", "what the rules offer when seven do not divide; who is left out, in this order"),
    ]
    director_boards: Annotated[
        Setting[int | None], Asks("draw", "on how many boards of a round the director may play to fill them")
    ]
    rounds_most: Annotated[
        Setting[int | None], Asks("draw", "how many of the rounds before the last one player may play")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRules:
    """Table ``[judge]``: an edition of the rulebook, and the choices that this tournament makes differently."""

    edition: Setting[str]
    choices: Mapping[str, Setting[Any]]  # field of the judge's rulebook -> what it is set to
