"""Who is ahead: the ranking of an event, the champion first where a final table decides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from pipeline.scoring.games.system import PlayerGame
from pipeline.scoring.results.doubts import FinalLevel, PlaceLevel, ScoringDoubt, Want
from pipeline.scoring.results.results import EventResults
from pipeline.scoring.totals.ranking import Placed, RankDecision, placed
from pipeline.scoring.totals.rules import Chain, ChampionBy, Final, ScoringRules
from pipeline.scoring.totals.tally import Tally, tallies, whole_event
from pipeline.scoring.totals.tiebreaks import FieldOfPlayers


class Won(Enum):
    """By what somebody is ahead of all who may be champion."""

    TABLE = "table"  # the score on the final table (EDC23 B; WDC08 4)
    TOTAL = "total"  # the best total among the finalists (EDC96)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
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
    def is_champion(self) -> bool:
        """Whether the player is first of the final table, and so of the standings."""
        return self.won is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The ranking of an event."""

    rows: tuple[StandingsRow, ...]
    unranked: tuple[Tally, ...]  # scored, never ranked: the director, who was excluded
    champions: tuple[str, ...]  # winners of the final table; several only while their tie is not decided
    doubts: tuple[ScoringDoubt, ...]  # what the director must still say

    @property
    def totals(self) -> Mapping[str, Fraction]:
        """Everybody's total, by name."""
        accounts = [*(row.tally for row in self.rows), *self.unranked]
        return {tally.player.name: tally.total for tally in accounts}


def standings(event: EventResults, games: Sequence[PlayerGame], rules: ScoringRules) -> Standings:
    """The champion is first, everybody else by total and tie-breaks; unresolved ties share a place."""
    stage = whole_event(rules)
    accounts = tallies(event, games, rules, stage)
    leaders = final_leaders(rules.final, accounts, rules.ties.final, event)
    champion = leaders[0].contender.name if leaders and not leaders[0].is_tied else None
    if champion and rules.bonuses.final_victory:
        accounts = tallies(event, games, rules, stage, champion)
    ranked = {name: tally for name, tally in accounts.items() if may_rank(tally)}
    first = [leader for leader in leaders if leader.place == 1]
    champions = [leader.contender.name for leader in first]
    among = FieldOfPlayers(totals={name: tally.total for name, tally in accounts.items()}, lots=event.lots)
    rest = placed(
        [tally.contender() for name, tally in ranked.items() if name not in champions],
        rules.ties.players,
        among,
        first=len(champions) + 1,
    )
    rows = [row(one, ranked[one.contender.name], won_by(rules.final)) for one in first]
    rows += [row(one, ranked[one.contender.name], None) for one in rest]
    return Standings(
        rows=tuple(rows),
        unranked=tuple(tally for tally in accounts.values() if not may_rank(tally)),
        champions=tuple(champions),
        doubts=(*(doubt for tally in accounts.values() for doubt in tally.doubts), *open_ties(rows, rules)),
    )


def may_rank(tally: Tally) -> bool:
    """The director's own games do not count, and the excluded are out (Weasel III.6; EDC96 12; NZ99 24)."""
    return not (tally.player.is_director or tally.player.is_excluded)


def final_leaders(
    final: Final | None, accounts: Mapping[str, Tally], chain: Chain, event: EventResults
) -> tuple[Placed, ...]:
    """The finalists in the order that makes the champion (EDC23 B; EDC96; WDC08 4, 16.1)."""
    if not final:
        return ()
    finalists = [tally for tally in accounts.values() if tally.final and may_rank(tally)]
    contenders = [
        tally.contender(tally.final.score if final.champion is ChampionBy.TABLE and tally.final else None)
        for tally in finalists
    ]
    return placed(contenders, chain, FieldOfPlayers(lots=event.lots))


def won_by(final: Final | None) -> Won:
    """Say what puts a finalist first."""
    return Won.TABLE if final and final.champion is ChampionBy.TABLE else Won.TOTAL


def row(one: Placed, tally: Tally, won: Won | None) -> StandingsRow:
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


def open_ties(rows: Iterable[StandingsRow], rules: ScoringRules) -> Iterator[ScoringDoubt]:
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
