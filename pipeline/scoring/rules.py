"""Everything a tournament's rules say about scores: one typed value, every choice a named field."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.scoring.numbers import (
    MOST_ROUNDS,
    Decimals,
    Derived,
    Factor,
    Instead,
    Needed,
    NoLess,
    Once,
    PeopleCount,
    Points,
    Range,
    RoundNumber,
    Share,
    Some,
)
from pipeline.scoring.results import AS_IT_IS, Board, Ending, Rounding, YearNumber
from pipeline.scoring.system import System
from pipeline.scoring.tiebreaks import Tiebreak
from pipeline.words.speech import Choice, to_say, write_count

Chain = tuple[Tiebreak, ...]  # asked in this order until nobody is tied
Faults = Iterator[tuple[str, str]]  # what the fields of a class cannot be together: the key, and what to write
NO_WORD = re.compile(r'["*?~<>={}]|^\s*$')  # signs that a spreadsheet takes for something else


class Weights(Struct, frozen=True):
    """Games sorted from best to worst count with these weights, by how many were played (EDC23 D1; EDC96; Weasel XII).

    A weight of 0 drops a game: with (1, 1, 0) the worst of three does not count.

    >>> half = Fraction(1, 2)
    >>> Weights(((Fraction(1), Fraction(1), half),)).of(4)
    (Fraction(1, 1), Fraction(1, 1), Fraction(1, 2), Fraction(0, 1))
    >>> Weights().of(2)
    (Fraction(1, 1), Fraction(1, 1))
    """

    rows: tuple[tuple[Factor, ...], ...] = ()  # for 1, 2, ... games; the last for more; no row: all count in full

    SHORT: ClassVar[tuple[str, ...]] = ("all", "[1, 1]", '[1, 1, "1/2"]')  # the two best, and half of the third, too

    @staticmethod
    def spell_out(value: object) -> object:
        """``"all"``, one list for everybody, or a list of lists for 1, 2, 3 ... games."""
        if value == "all":
            return {"rows": []}
        if not isinstance(value, list) or not value:
            raise ValueError(f"expected 'all', a list of weights, or lists for 1, 2, 3 ... games; found {value!r}")
        return {"rows": value if all(isinstance(row, list) for row in value) else [value]}

    def faults(self) -> Faults:
        for row in self.rows:
            if not any(row):
                weights = f"[{', '.join(map(str, row))}]"
                yield "rows", f"no game counts with the weights {weights}; give one of them more than 0"

    def of(self, games: int) -> tuple[Fraction, ...]:
        """One weight for each of so many games."""
        if not self.rows:
            return (Fraction(1),) * games
        row = self.rows[min(games, len(self.rows)) - 1] if games else ()
        return (row + (Fraction(),) * games)[:games]


class TwoBoards(Choice):
    """What counts of two boards played in one round."""

    ASK = "ask", "both, and the director is asked"
    BOTH = "both", "both"
    HIGHER = "higher", "the better one; the other not even for awards (WM III.7)"
    CHOSEN = "chosen", "both, until there are more games than rounds: then the player's choice (EDC23 D)"


class MostGames(Struct, frozen=True):
    """At most so many games in these rounds (EDC96: three of the first four)."""

    rounds: Annotated[tuple[int, ...], Once(), Needed("the rounds in which games are limited", "[1, 2, 3]")]
    games: RoundNumber


NOTHING = Weights(((Fraction(),),))


class RoundGroup(Struct, frozen=True, kw_only=True):
    """Rounds whose games are sorted by themselves, each group with weights of its own (WDC 2025: two of three)."""

    rounds: Annotated[tuple[int, ...], Once(), Needed("rounds that follow one another", "[1, 2, 3]")]
    weights: Weights = Weights()
    counted: bool = True  # else no game of these rounds counts for the total (UKNDC 2025: the round of the top boards)

    @property
    def table(self) -> Weights:
        """The weights, or none where its games do not count."""
        return self.weights if self.counted else NOTHING

    def faults(self) -> Faults:
        if self.weights.rows and not self.counted:
            yield "weights", "no game of these rounds counts; leave this out, or 'counted'"
        if list(self.rounds) != list(range(min(self.rounds), max(self.rounds) + 1)):
            yield "rounds", f"expected rounds that follow one another, such as [1, 2, 3], found {list(self.rounds)}"


class ForTheBest(Struct, frozen=True, kw_only=True):
    """Games of a round that count more, or less, for the best of the rounds before it (WDC 2025: the best 21)."""

    players: Annotated[int, Range(1, 999)]  # so many; who shares the last place is one of them
    after: Annotated[tuple[int, ...], Once(), Needed("the rounds that say who they are", "[1, 2, 3]")]
    weights: Weights = Weights()  # of the games in these rounds, from best to worst
    round: RoundNumber
    times: Factor  # what their games of that round are multiplied by, in the total alone
    ties: Annotated[Chain, Derived()] = ()

    def faults(self) -> Faults:
        if late := [number for number in self.after if number >= self.round]:
            yield "after", f"round {', '.join(map(str, late))} is not before round {self.round}; leave it out"


class Pool(Struct, frozen=True, kw_only=True):
    """Boards of a round at which the best of the rounds before it play among themselves (WDC 2025; UKNDC 2025)."""

    name: str  # players see it beside the board
    round: RoundNumber
    seats: Annotated[int, Range(2, 999)]  # of whole boards; who declines or is not there is replaced by the next
    after: Annotated[tuple[int, ...], Once(), Needed("the rounds that say who plays there", "[1, 2, 3]")]
    weights: Weights = Weights()  # of the games in these rounds, from best to worst
    ties: Annotated[Chain, Derived()] = ()  # then a lot decides
    last_year: YearNumber | None = None  # of its boards; None: that of all others
    times: str = ""  # when it plays, such as "Sunday 10:00 to 15:00"; players see it beside the name
    system: Annotated[System | None, Derived()] = None  # its own scoring; None: that of all others

    def faults(self) -> Faults:
        if NO_WORD.search(self.name):
            yield "name", f"expected a name without signs, found {self.name!r}"
        if late := [number for number in self.after if number >= self.round]:
            yield "after", f"round {', '.join(map(str, late))} is not before round {self.round}; leave it out"


OPEN = "any"  # rounds of a league
SEATS = Range(1, len(Power))


class Totals(Struct, frozen=True, kw_only=True):
    """How games become a tournament total."""

    rounds: Annotated[int, Range(1, MOST_ROUNDS), Instead(OPEN, 0)]  # 0: a league, which has as many as are played
    weights: Weights = Weights()
    round_weights: tuple[Factor, ...] = ()  # every score of round 1, 2, ... is multiplied by these (France 2025)
    size_weights: Mapping[int, Factor] = field(default_factory=dict)  # and by these, by how many players sat there
    wins_first: bool = False  # who has more wins is ahead, whatever the points (Windy City's tiers)
    two_boards: TwoBoards = TwoBoards.ASK
    rounding: Rounding = AS_IT_IS  # of the total, bonuses and penalties included
    most_games: MostGames | None = None
    groups: tuple[RoundGroup, ...] = ()  # instead of `weights`
    for_the_best: tuple[ForTheBest, ...] = ()
    pools: tuple[Pool, ...] = ()  # of one round: the first takes the best, behind a final table

    def faults(self) -> Faults:
        for size in self.size_weights:
            if not SEATS.has(size):
                yield f"size_weights.{size}", f"expected a number of players from 1 to {SEATS.most}"
        for number, pool in enumerate(self.pools):
            if any(other.name == pool.name for other in self.pools[:number]):
                yield f"pools[{number}].name", f"there is a pool {pool.name!r} already; write each name once"
        yield from self._group_faults()

    def _group_faults(self) -> Faults:
        """What cannot be of groups of rounds: every round is in one of them, and nothing else gives weights."""
        if not self.groups:
            return
        if self.weights.rows:
            yield "weights", "each of the groups has weights of its own; leave this out"
        if self.two_boards is TwoBoards.CHOSEN:
            yield (
                "two_boards",
                "with groups, expected 'higher', 'both' or 'ask': a choice is of one board of all rounds",
            )
        if not any(group.counted for group in self.groups):
            yield "groups", "no round counts; leave 'counted' out of one of them"
        named = [number for group in self.groups for number in group.rounds]
        for number in sorted({number for number in named if named.count(number) > 1}):
            yield "groups", f"round {number} is in two groups; leave it in one"
        if not self.rounds:
            yield "groups", "a league has as many rounds as are played; give 'rounds' a number, or leave the groups out"
        elif lacking := [number for number in range(1, self.rounds + 1) if number not in named]:
            yield "groups", f"round {', '.join(map(str, lacking))} is in no group; write one for it, too"

    @property
    def coefficients(self) -> bool:
        """Whether scores are multiplied by their round or the size of their table."""
        return bool(self.round_weights or self.size_weights)

    def coefficient(self, board: Board) -> Fraction:
        """What every score of a board is multiplied by."""
        by_round = self.round_weights[board.round - 1] if board.round <= len(self.round_weights) else Fraction(1)
        players = sum(seat.player is not None for seat in board.seats.values())
        return by_round * self.size_weights.get(players, Fraction(1))


class FinalTotal(Choice):
    """How a finalist's total is made."""

    LIKE_EVERYBODY = "like everybody", "as that of everybody else"
    QUALIFYING_PLUS_FINAL = "qualifying plus final", "the total before the final table, and its score (EDC96)"


class ChampionBy(Choice):
    """Who of the finalists is the champion."""

    TABLE = "table", "the winner of the final table (EDC23 B; WDC08 4)"
    TOTAL = "total", "the best total among the finalists (EDC96)"


class Positive(Choice):
    """Which result must be above zero where so many players must have one (EDC23 B)."""

    TOTAL = "total", "the total, with bonuses and penalties"
    BOARDS = "boards", "what the boards brought, with their weights"


class ChoiceOfBoards(Choice):
    """When somebody who played two boards in one round must have chosen the one that counts (EDC23 D)."""

    AT_THE_END = "at the end", "by the end; until then both count, for the final table too"
    BEFORE_THE_FINAL = "before the final", "before the final table, by whoever has played all rounds before it"


class ChoosingRule(Choice):
    """How the finalists come to their powers."""

    NOT_STATED = "not stated", "the rules do not say; the draw gives them"
    SLOTS = "slots", "each picks a turn to choose, lowest ranked first; then they choose powers in turn (EDC23 B)"


class Final(Struct, frozen=True, kw_only=True):
    """The final table: who is on it, and what it decides (EDC23 B; EDC96; WDC08 4)."""

    round: RoundNumber
    seats: Annotated[int, SEATS] = len(Power)
    winners_first: bool = False  # who was alone at the top of a board sits down before all others
    qualifying_rounds: Annotated[
        tuple[int, ...], Once(), Needed("the rounds before it that one qualifies in", "[1, 2, 3]")
    ]
    qualifying_weights: Weights = Weights()
    at_least_positive: PeopleCount = (
        0  # so many players must have a positive result, else there is no final table (EDC23 B)
    )
    positive: Positive = Positive.TOTAL
    two_boards: ChoiceOfBoards = ChoiceOfBoards.AT_THE_END
    total: FinalTotal = FinalTotal.LIKE_EVERYBODY
    champion: ChampionBy = ChampionBy.TABLE
    choosing: ChoosingRule = ChoosingRule.NOT_STATED
    moves_up: bool = False  # who declines, or is not there, is replaced by the next (WDC 2018)
    system: Annotated[System | None, Derived()] = None  # its own scoring (WDC 2023: centres); None: that of all boards


class Participation(Struct, frozen=True, kw_only=True):
    """Points for each round played, from so many rounds on (EDC23 D3)."""

    each_round: Some = Fraction(1)
    from_rounds: RoundNumber


class Preregistration(Struct, frozen=True, kw_only=True):
    """Points for having announced and played certain rounds (EDC23 D3, G)."""

    points: Some = Fraction(1)
    rounds: Annotated[tuple[int, ...], Once(), Needed("the rounds that are to be announced and played", "[1, 2, 3]")]


class Withdrawal(Struct, frozen=True):
    """Who withdraws on request gets the lowest score that a part of the round's scores do not pass (EDC23 D).

    Nearest rank: of N scores ascending, the one at place N·part rounded up. Or it is worth a number (Carnage 2009).
    """

    part: Share = Fraction()  # one third: the first tercile
    points: Some | None = None  # so many, whatever the scores are

    SHORT: ClassVar[tuple[str, ...]] = ("1/3",)

    @staticmethod
    def spell_out(value: object) -> object:
        """``"1/3"`` is short for ``{ part = "1/3" }``."""
        return value if isinstance(value, Mapping) else {"part": value}

    def faults(self) -> Faults:
        if not self.part and self.points is None:
            yield "points", "missing; write what sitting out is worth, such as 10"


class Bonuses(Struct, frozen=True, kw_only=True):
    """Points that no board gives."""

    participation: Participation | None = None
    preregistration: Preregistration | None = None
    final_share: Factor = Fraction()  # of the weighted sum, for being on the final table (EDC23 D3)
    final_victory: NoLess = Fraction()  # for winning it (EDC23 D3)
    withdrawal: Withdrawal | None = None


class Loses(Choice):
    """What goes with a penalty besides its points."""

    NOTHING = to_say("nothing"), "nothing else"
    BONUSES = to_say("bonuses"), "all bonuses, but those in `keeps`"
    EVERYTHING = to_say("everything"), "all positive points"


class PenaltyRule(Struct, frozen=True, kw_only=True):
    """What a kind of penalty costs (EDC23 D4)."""

    kind: str
    points: NoLess | None = None
    loses: Loses = Loses.NOTHING
    keeps: tuple[str, ...] = ()  # kinds of bonus that are kept although bonuses are lost

    @property
    def cost(self) -> Fraction:
        """The points that are taken away."""
        return self.points or Fraction()

    def faults(self) -> Faults:
        if NO_WORD.search(self.kind):
            yield "kind", f"expected a word for what is punished, without signs, found {self.kind!r}"
        if self.points is None and self.loses is Loses.NOTHING:
            yield "points", "missing; write what is taken away, or what it 'loses'"


class TeamCount(Choice):
    """Which scores a member brings into the team."""

    ALL = "all", "every score of the team rounds (NZ99 26; WDC08 15.2)"
    BEST = "best", "the best single one (EDC96)"


Members = Annotated[int, Range(1, 99)]


class TeamRules(Struct, frozen=True, kw_only=True):
    """The team competition (NZ99 26; EDC96; WDC08 15.2)."""

    size: Members  # at most
    least: Members = 1  # members at least (EDC96 and WDC08 15.2: as many as at most)
    rounds: Annotated[tuple[int, ...], Once(), Needed("the rounds that count for teams", "[1, 2, 3]")]
    count: TeamCount = TeamCount.ALL
    apart: tuple[int, ...] = ()  # rounds in which team-mates may not meet
    per_country: Members | None = None
    title: str = "team champions"

    def faults(self) -> Faults:
        if self.least > self.size:
            yield (
                "least",
                f"a team of {self.size} never has {write_count(self.least, 'member')}; write {self.size} or fewer",
            )


class RatingRules(Struct, frozen=True, kw_only=True):
    """Grades that players give each other (EDC96, Best Negotiator and Best Tactician)."""

    points: Annotated[Mapping[str, Points], Needed("the points of each grade, the best first", "{ A = 3, B = 1 }")]
    titles: Annotated[Mapping[str, str], Needed("the title of each skill", "{ tactics = 'best tactician' }")]
    least_games: Annotated[int, Range(0, 99)] = 0

    @property
    def top(self) -> str:
        """The best grade."""
        return next(iter(self.points))


class BoardGameTies(Choice):
    """What players get who are tied in a board game."""

    LOWER = "lower", "the points of the lowest place that they span"  # as NZ99 B 1.5 does with powers
    AVERAGE = "average", "the mean of the points of the places that they span"


class BoardGameRules(Struct, frozen=True, kw_only=True):
    """The board-games competition (NZ99 27)."""

    weights: Annotated[Mapping[str, Factor], Needed("the weight of each game", "{ Shark = 4.5 }")]
    points: Annotated[
        Mapping[int, tuple[Points, ...]], Needed("the points of each place by the number of players", "{ 2 = [6, 2] }")
    ]
    ties: BoardGameTies = BoardGameTies.LOWER
    title: str = "board-games champion"

    def faults(self) -> Faults:
        for size, row in self.points.items():
            if not len(row) == size > 1:
                yield f"points.{size}", f"expected points for as many places as players, found {len(row)}"


class Ties(Struct, frozen=True, kw_only=True):
    """The chains of tie-breaks; what stays tied shares its place."""

    players: Chain = ()
    qualifying: Chain = ()  # for the last seat of the final table
    final: Chain = ()  # for the champion
    teams: Chain = ()
    powers: Chain = ()  # for the best player of a power
    votes: Chain = ()


class PowerBy(Choice):
    """By what somebody is the best player of a power."""

    SCORE = "score", "the score of the game"
    CENTRES = "centres", "the centres at its end"


class TitleRules(Struct, frozen=True, kw_only=True):
    """A title that another ranking makes, beside the first (WDC 2012: best three of five, the top board included)."""

    title: str
    # none: all
    rounds: Annotated[tuple[int, ...], Needed("the rounds that count for it, or leave the key out: then all do")] = ()
    weights: Weights = Weights()  # of the games from best to worst
    ties: Annotated[Chain, Derived()] = ()

    def faults(self) -> Faults:
        if NO_WORD.search(self.title):
            yield "title", f"expected a title without signs, found {self.title!r}"


class AwardRules(Struct, frozen=True, kw_only=True):
    """Which places and performances are honoured."""

    places: tuple[str, ...] = ("champion",)  # titles of places 1, 2, ...
    named: PeopleCount = 0  # further places read out without an award, down to this one (Weasel XI.1)
    power: str = "best {power}"  # title of the best player of a power; empty: not awarded
    power_by: PowerBy = PowerBy.SCORE
    power_final: bool = True  # whether games on the final table may win it
    titles: tuple[TitleRules, ...] = ()

    def faults(self) -> Faults:
        if any(brace in self.power.replace("{power}", "") for brace in "{}"):
            yield "power", f"only {{power}} may stand in braces, found {self.power!r}"
        names = [title.title for title in self.titles]
        for number, name in enumerate(names):
            if name in names[:number] or name in self.places:
                yield f"titles[{number}].title", f"there is a title {name!r} already; write each once"


class Until(Choice):
    """Until when results are interim, so that errors are corrected and places amended."""

    OVER = "over", "until the last game is over"
    PUBLISHED = "published", "until the director publishes them as final"


class StandingsMoment(Struct, frozen=True):
    """When standings are made: after a round, or after a Fall within it.

    >>> str(StandingsMoment(2)), str(StandingsMoment(3, 1904))
    ('2', '3:1904')
    """

    round: RoundNumber
    year: YearNumber | None = None  # after its Fall; None: after the round

    SHORT: ClassVar[tuple[str, ...]] = ("2", '"3:1904"')

    @staticmethod
    def spell_out(value: object) -> Mapping[str, int]:
        """``2`` is the end of round 2, ``"3:1904"`` the Fall of 1904 in round 3.

        >>> StandingsMoment.spell_out("3:1904")
        {'round': 3, 'year': 1904}
        """
        match = re.fullmatch(r"(\d{1,4})(?::(\d{4}))?", str(value).strip())
        if match is None:
            raise ValueError(f"expected a round, such as 2, or a round and a year, such as '3:1904', found {value!r}")
        return {"round": int(match[1])} | ({"year": int(match[2])} if match[2] else {})

    def __str__(self) -> str:
        return f"{self.round}" + (f":{self.year}" if self.year else "")


class InterimRules(Struct, frozen=True, kw_only=True):
    """Interim results (Weasel XI.4)."""

    until: Until = Until.OVER
    moments: tuple[StandingsMoment, ...] = ()  # at which standings are shown, and at no other; none: always


class RuleSource(Struct, frozen=True):
    """Where a setting comes from: the rule, and how it was read where it can be read in two ways."""

    rule: str
    why: str = ""
    otherwise: object = None  # the other way, as it is written in the rules file; None: it is not written


class EndingsKnown(Struct, frozen=True, kw_only=True):
    """What the rules on the end of a game say against a result: endings that they do not have, and draws of some."""

    missing: Mapping[Ending, str] = field(default_factory=dict)  # each with the rule that says so
    missing_at_final: Mapping[Ending, str] = field(default_factory=dict)
    all_survivors: str = ""  # the rule by which every survivor is in a draw; empty: no rule says so

    def rule_against(self, board: Board) -> str:
        """The rule by which no game ends as this one is said to have ended; empty where nothing is against it."""
        return (self.missing_at_final if board.is_final else self.missing).get(board.ended, "")


class ScoringRules(Struct, frozen=True, kw_only=True):
    """All that one tournament's rules say about scores."""

    name: str
    system: System
    totals: Totals
    final: Final | None = None
    bonuses: Bonuses = Bonuses()
    penalties: tuple[PenaltyRule, ...] = ()
    ties: Ties = Ties()
    teams: TeamRules | None = None
    votes: RatingRules | None = None
    board_games: BoardGameRules | None = None
    awards: AwardRules = AwardRules()
    decimals: Decimals = 3  # shown to people; ranks are made on exact values
    endings: EndingsKnown = EndingsKnown()
    is_sealed: bool = False  # places are not shown before the ceremony (NZ99 23)
    interim: InterimRules | None = None  # None: the rules do not speak of interim results
    sources: Mapping[str, RuleSource] = field(default_factory=dict)  # "totals.weights" -> where it comes from
    readings: tuple["SecondReading", ...] = ()  # settings that can be read in two ways, each with the other one

    def system_of(self, board: Board) -> System:
        """The scoring system of a board."""
        return self.system_at(is_final=board.is_final, pool=board.pool)

    def system_at(self, *, is_final: bool, pool: str) -> System:
        """The scoring system of the final table, of the boards of a pool, or of all others."""
        own_system = self.final.system if is_final and self.final else None
        if pool and own_system is None:
            own_system = next((each.system for each in self.totals.pools if each.name == pool), None)
        return own_system or self.system

    def describe_pool(self, name: str) -> str:
        """The name of a pool, with the times of its own; empty for no pool."""
        times = next((pool.times for pool in self.totals.pools if pool.name == name), "")
        return f"{name} ({times})" if times else name

    @property
    def systems(self) -> tuple[System, ...]:
        """The scoring system of the event, and those of its final table and its pools that have their own."""
        own = (self.final.system if self.final else None, *(pool.system for pool in self.totals.pools))
        return self.system, *(system for system in own if system)


class SecondReading(Struct, frozen=True, kw_only=True):
    """A setting that can be read in two ways, and the rules as they are with the other one."""

    path: str  # "totals.final.positive"
    value: str  # as it is read, in the words of the rules file
    otherwise: str
    source: RuleSource
    rules: ScoringRules
