"""Putting contenders in order: by total, then down the chain of tie-breaks; what stays tied shares a place."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring import rules as scoring_rules
from pipeline.scoring.doubts import BestLevel, FinalLevel, PlaceLevel, ScoringDoubt, Want
from pipeline.scoring.results import EventResults
from pipeline.scoring.system import PlayerGame
from pipeline.scoring.tally import Raised, Tally, best_stage, tallies, title_stage, whole_event
from pipeline.scoring.tiebreaks import Contender, FieldOfPlayers, Key, Tiebreak
from pipeline.words.names import name_order
from pipeline.words.speech import IN_ENGLISH, Speech, to_say

POWER_NAMES = frozenset(map(str, Power))
DECISION = to_say("{tiebreak}: {own} against {other} ({name})")


def name_tiebreak(name: str, speech: Speech) -> str:
    """Name a tie-break in a language, with what it compares behind a colon.

    >>> name_tiebreak("centres in 1905", Speech("de"))
    'Zentren 1905'
    """
    return ": ".join(_name_part(part, speech) for part in name.split(": "))


def _name_part(part: str, speech: Speech) -> str:
    words, _, year = part.rpartition(" ")
    return speech.says("centres in {year}", year=year) if words == "centres in" else speech.says(part)


def _say_key(key: str, speech: Speech) -> str:
    if key in POWER_NAMES:
        return speech.power(key).upper()
    return speech.says(key) if any(map(str.isalpha, key)) else speech.number(key)


class RankDecision(Struct, frozen=True):
    """Which tie-break separated somebody from the neighbour with the same total, and with which keys."""

    tiebreak: Tiebreak
    own: Key
    other: Key
    against: str  # the neighbour: the one just ahead, or, for the first of the tied, the one just behind

    @property
    def by(self) -> str:
        """The tie-break's name."""
        return self.tiebreak.name

    @property
    def numbers(self) -> tuple[str, str]:
        """Both keys as people read them, the own one first."""
        return self.tiebreak.show(self.own, self.other)

    def __str__(self) -> str:
        return self.in_words(IN_ENGLISH)

    def in_words(self, speech: Speech) -> str:
        """Say it in a language; the neighbour's name stays as it is."""
        own, other = (_say_key(key, speech) for key in self.numbers)
        tiebreak = name_tiebreak(self.by, speech)
        return speech.says(DECISION, tiebreak=tiebreak, own=own, other=other, name=self.against)


class Placed(Struct, frozen=True):
    """A contender's place, and what decided it."""

    place: int
    is_tied: bool  # somebody else has the same place
    contender: Contender
    decision: RankDecision | None  # None: the total alone put it there
    want: Want | None  # the first tie-break that would have needed a fact that is not noted


class Break(Struct, frozen=True):
    """Where a tie-break cut a group of tied contenders in two."""

    tiebreak: Tiebreak
    above: Key
    below: Key


class Separation(Struct):
    """How players with equal totals were ranked."""

    groups: list[list[Contender]] = field(default_factory=list)  # from the first on
    breaks: list[Break] = field(default_factory=list)  # between two groups stands what cut them apart
    wants: dict[str, Want] = field(default_factory=dict)  # by name, the first of each

    def add(self, inner: "Separation") -> None:
        """Append a group of the tied that later tie-breaks have separated further."""
        self.groups += inner.groups
        self.breaks += inner.breaks
        self.wants |= inner.wants


def rank_contenders(
    contenders: Sequence[Contender], chain: scoring_rules.Chain, among: FieldOfPlayers, first: int = 1
) -> tuple[Placed, ...]:
    """Higher totals are ahead; equal ones go down the chain together; the unresolved share the better place."""
    placed: list[Placed] = []
    # floats are compared faster than exact numbers, in the same order; where two floats are equal, the exact decide
    keyed = [((one.ahead, float(one.total), one.total), one) for one in contenders]
    keyed.sort(key=itemgetter(0), reverse=True)
    for _, level in groupby(keyed, key=itemgetter(0)):
        separation = _separate_tied(
            sorted((one for _, one in level), key=lambda one: name_order(one.name)), chain, among
        )
        for index, group in enumerate(separation.groups):
            place = first + len(placed)
            placed += [
                Placed(place, len(group) > 1, one, _decision(index, separation), separation.wants.get(one.name))
                for one in group
            ]
    return tuple(placed)


def _separate_tied(tied: Sequence[Contender], chain: scoring_rules.Chain, among: FieldOfPlayers) -> Separation:
    """Each tie-break sees those whom the ones before it left tied."""
    separation = Separation()
    if len(tied) < 2 or not chain:
        separation.groups.append(list(tied))
        return separation
    tiebreak, *rest = chain
    keys = tiebreak.keys(tied, among)
    ordered = sorted(zip(keys, range(len(tied)), strict=True), key=lambda pair: (pair[0], -pair[1]), reverse=True)
    last: Key | None = None
    for key, members in groupby(ordered, key=lambda pair: pair[0]):
        if last is not None:
            separation.breaks.append(Break(tiebreak, last, key))
        separation.add(_separate_tied([tied[index] for _, index in members], tuple(rest), among))
        last = key
    names = tuple(dict.fromkeys(one.name for one in tied))  # two games of one player may be level, for an award
    if len(names) > 1 and (lack := tiebreak.missing(tied, among)):
        want = Want(tiebreak.name, lack[0], names, tuple(dict.fromkeys(lack[1])))
        separation.wants |= dict.fromkeys(want.tied, want)
    return separation


def _decision(index: int, separation: Separation) -> RankDecision | None:
    """Say what cut a group from the one ahead of it, or, for the first, from the one behind."""
    if not separation.breaks:
        return None
    if index:
        cut = separation.breaks[index - 1]
        return RankDecision(cut.tiebreak, cut.below, cut.above, separation.groups[index - 1][0].name)
    cut = separation.breaks[0]
    return RankDecision(cut.tiebreak, cut.above, cut.below, separation.groups[1][0].name)


# Who is ahead: the ranking of an event, the champion first where a final table decides.


class Won(Enum):
    """By what somebody is ahead of all who may be champion."""

    TABLE = "table"  # the score on the final table (EDC23 B; WDC08 4)
    TOTAL = "total"  # the best total among the finalists (EDC96)


class StandingsRow(Struct, frozen=True, kw_only=True):
    """One line of the standings."""

    place: int
    is_tied: bool  # somebody else has the same place
    player: str
    total: Fraction
    decision: RankDecision | None  # which tie-break put the player here; None: the total alone
    want: Want | None  # a fact that a tie-break misses
    won: Won | None  # by what the player is first of the final table; None: is not
    tally: Tally  # how the total came about

    @property
    def place_shown(self) -> str:
        """The place as lists show it: "2=" where it is shared."""
        return f"{self.place}{'=' if self.is_tied else ''}"

    @property
    def is_champion(self) -> bool:
        """Whether the player is first of the final table, and so of the standings."""
        return self.won is not None


class Standings(Struct, frozen=True, kw_only=True):
    """The ranking of an event."""

    rows: tuple[StandingsRow, ...]
    unranked: tuple[Tally, ...]  # the director, and who was excluded; before a game is over everybody with a bonus
    champions: tuple[str, ...]  # winners of the final table; several only while their tie is not decided
    doubts: tuple[ScoringDoubt, ...]  # what the director must still say
    best: "tuple[BestSoFar, ...]" = ()  # who was among the best when a round began that counts more for them

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Everybody's account, the ranked in their order."""
        return *(row.tally for row in self.rows), *self.unranked

    @property
    def totals(self) -> Mapping[str, Fraction]:
        """Everybody's total, by name."""
        return {tally.player.name: tally.total for tally in self.tallies}


def rank_players(
    event: EventResults,
    games: Sequence[PlayerGame],
    rules: scoring_rules.ScoringRules,
    known: Mapping[str, Tally] | None = None,
) -> Standings:
    """The champion is first, everybody else by total and tie-breaks; unresolved ties share a place.

    Before a game is over nobody has a place: a bonus that was noted before stands for a score of its round (EDC23 D2),
    and the others have none to be compared with.
    """
    best = _best_so_far(event, games, rules)
    stage = replace(whole_event(rules), raised=_raised_by_name(best))
    accounts = tallies(event, games, rules, stage, known=known)
    leaders = _final_leaders(rules.final, accounts, rules.ties.final, event)
    champion = leaders[0].contender.name if leaders and not leaders[0].is_tied else None
    if champion and rules.bonuses.final_victory:
        others = {name: tally for name, tally in accounts.items() if name != champion}
        accounts = tallies(event, games, rules, stage, champion, known=others)
    ranked = {name: tally for name, tally in accounts.items() if games and may_rank(tally)}
    first = [leader for leader in leaders if leader.place == 1]
    champions = [leader.contender.name for leader in first]
    among = FieldOfPlayers(totals={name: tally.total for name, tally in accounts.items()}, lots=event.lots)
    rest = rank_contenders(
        [player_contender(tally, rules) for name, tally in ranked.items() if name not in champions],
        rules.ties.players,
        among,
        first=len(champions) + 1,
    )
    rows = [_standings_row(one, ranked[one.contender.name], won_by(rules.final)) for one in first]
    rows += [_standings_row(one, ranked[one.contender.name], None) for one in rest]
    return Standings(
        rows=tuple(rows),
        unranked=tuple(tally for name, tally in accounts.items() if name not in ranked),
        champions=tuple(champions),
        doubts=(
            *(doubt for tally in accounts.values() for doubt in tally.doubts),
            *_open_ties(rows, rules),
            *(doubt for one in best for doubt in one.doubts),
        ),
        best=best,
    )


def player_contender(tally: Tally, rules: scoring_rules.ScoringRules) -> Contender:
    """A player as the ranking sees him: where wins go before points, with his wins."""
    one = tally.contender()
    return replace(one, ahead=tally.wins) if rules.totals.wins_first else one


def seat_contender(tally: Tally, final: scoring_rules.Final) -> Contender:
    """A player as the ranking for the final table sees him: where board winners sit down first, with that."""
    one = tally.contender()
    return replace(one, ahead=1) if final.winners_first and tally.boards_won else one


def may_rank(tally: Tally) -> bool:
    """The director's own games do not count, and the excluded are out (Weasel III.6; EDC96 12; NZ99 24)."""
    return not (tally.player.is_director or tally.player.is_excluded)


def _final_leaders(
    final: scoring_rules.Final | None, accounts: Mapping[str, Tally], chain: scoring_rules.Chain, event: EventResults
) -> tuple[Placed, ...]:
    """The finalists in the order that makes the champion (EDC23 B; EDC96; WDC08 4, 16.1)."""
    if not final:
        return ()
    finalists = [tally for tally in accounts.values() if tally.final and may_rank(tally)]
    contenders = [
        tally.contender(tally.final.score if final.champion is scoring_rules.ChampionBy.TABLE and tally.final else None)
        for tally in finalists
    ]
    return rank_contenders(contenders, chain, FieldOfPlayers(lots=event.lots))


def won_by(final: scoring_rules.Final | None) -> Won:
    """Say what puts a finalist first."""
    return Won.TABLE if final and final.champion is scoring_rules.ChampionBy.TABLE else Won.TOTAL


def _standings_row(one: Placed, tally: Tally, won: Won | None) -> StandingsRow:
    """One line, from a place and an account."""
    return StandingsRow(
        place=one.place,
        is_tied=one.is_tied,
        player=one.contender.name,
        total=tally.total,
        decision=one.decision,
        want=one.want,
        won=won,
        tally=tally,
    )


def _open_ties(rows: Iterable[StandingsRow], rules: scoring_rules.ScoringRules) -> Iterator[ScoringDoubt]:
    """A tie for an honoured place, or for the title, of which a fact is not noted waits for the director."""
    honoured = max(len(rules.awards.places), rules.awards.named)
    asked: set[Want] = set()
    for one in rows:
        if one.want is None or one.want in asked:
            continue
        asked.add(one.want)
        if one.is_champion:
            yield FinalLevel(players=one.want.tied, want=one.want)
        elif one.place <= honoured:
            yield PlaceLevel(place=one.place, players=one.want.tied, want=one.want)


class BestSoFar(Struct, frozen=True, kw_only=True):
    """Who is among the best after some rounds, so that a later round counts more for them (WDC 2025)."""

    rules: scoring_rules.ForTheBest
    ranking: tuple[Placed, ...]
    has_begun: bool  # whether the round that counts more has games

    @property
    def names(self) -> tuple[str, ...]:
        """Those who are; all who share the last place are among them."""
        return tuple(one.contender.name for one in self.ranking if one.place <= self.rules.players)

    @property
    def doubts(self) -> Iterator[ScoringDoubt]:
        """More players than the rules say, because some are level for the last place."""
        if self.has_begun and len(self.names) > self.rules.players:
            last = max(one.place for one in self.ranking if one.place <= self.rules.players)
            level = tuple(one.contender.name for one in self.ranking if one.place == last)
            yield BestLevel(round=self.rules.round, players=level, most=self.rules.players, times=self.rules.times)


def _best_so_far(
    event: EventResults, games: Sequence[PlayerGame], rules: scoring_rules.ScoringRules
) -> tuple[BestSoFar, ...]:
    """Rank all who may have a place by the rounds before each round that counts more for the best."""
    leaders = []
    for best in rules.totals.for_the_best:
        ranking = rank_before(event, games, rules, best)
        has_begun = any(game.round == best.round for game in games)
        leaders.append(BestSoFar(rules=best, ranking=ranking, has_begun=has_begun))
    return tuple(leaders)


def rank_before(
    event: EventResults,
    games: Sequence[PlayerGame],
    rules: scoring_rules.ScoringRules,
    block: scoring_rules.ForTheBest | scoring_rules.Pool,
) -> tuple[Placed, ...]:
    """Rank all who may have a place by the rounds, weights and tie-breaks that a block names."""
    return _rank_stage(event, tallies(event, games, rules, best_stage(rules, block)), block.ties)


def _rank_stage(event: EventResults, accounts: Mapping[str, Tally], ties: scoring_rules.Chain) -> tuple[Placed, ...]:
    """Rank all who may have a place and have a game that counts in some accounts."""
    contenders = [tally.contender() for tally in accounts.values() if may_rank(tally) and tally.games]
    among = FieldOfPlayers(totals={name: tally.total for name, tally in accounts.items()}, lots=event.lots)
    return rank_contenders(contenders, ties, among)


def _raised_by_name(leaders: Iterable[BestSoFar]) -> dict[str, Raised]:
    """By what the weights of everybody's games are multiplied, by name and round."""
    raised: dict[str, dict[int, Fraction]] = {}
    for best in leaders:
        for name in best.names:
            of_player = raised.setdefault(name, {})
            of_player[best.rules.round] = of_player.get(best.rules.round, Fraction(1)) * best.rules.times
    return dict(raised)


class TitleRanking(Struct, frozen=True, kw_only=True):
    """A ranking beside the first, which makes a title of its own (WDC 2012)."""

    rules: scoring_rules.TitleRules
    ranking: tuple[Placed, ...]

    @property
    def first(self) -> tuple[Placed, ...]:
        return tuple(one for one in self.ranking if one.place == 1)


def title_rankings(
    event: EventResults, games: Sequence[PlayerGame], rules: scoring_rules.ScoringRules
) -> tuple[TitleRanking, ...]:
    """Rank all who may have a place by the rounds, weights and ties of each further title."""
    stages = ((title, tallies(event, games, rules, title_stage(rules, title))) for title in rules.awards.titles)
    return tuple(TitleRanking(rules=title, ranking=_rank_stage(event, each, title.ties)) for title, each in stages)
