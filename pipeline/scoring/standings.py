"""Who is ahead: the ranking of an event, the champion first where a final table decides."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.problems import Problem
from pipeline.scoring.counting import ask
from pipeline.scoring.ranking import Decision, Placed, placed
from pipeline.scoring.results import EventResults
from pipeline.scoring.rules import Chain, ChampionBy, Final, ScoringRules
from pipeline.scoring.system import Game
from pipeline.scoring.tally import Tally, tallies, whole_event
from pipeline.scoring.tiebreaks import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the standings."""

    place: int
    is_tied: bool  # somebody else has the same place
    player: str
    total: Fraction
    decision: Decision | None  # which tie-break put the player here; None: the total alone
    is_champion: bool
    tally: Tally  # how the total came about


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The ranking of an event."""

    rows: tuple[Row, ...]
    unranked: tuple[Tally, ...]  # scored, never ranked: the director, who was excluded
    champions: tuple[str, ...]  # winners of the final table; several only while their tie is not decided
    doubts: tuple[Problem, ...]  # what the director must still say

    @property
    def totals(self) -> Mapping[str, Fraction]:
        """Everybody's total, by name."""
        accounts = [*(row.tally for row in self.rows), *self.unranked]
        return {tally.player.name: tally.total for tally in accounts}


def standings(event: EventResults, games: Sequence[Game], rules: ScoringRules) -> Standings:
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
    among = Field(totals={name: tally.total for name, tally in accounts.items()}, lots=event.lots)
    rest = placed(
        [tally.contender() for name, tally in ranked.items() if name not in champions],
        rules.ties.players,
        among,
        first=len(champions) + 1,
    )
    rows = [row(one, ranked[one.contender.name], is_champion=True) for one in first]
    rows += [row(one, ranked[one.contender.name], is_champion=False) for one in rest]
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
    return placed(contenders, chain, Field(lots=event.lots))


def row(one: Placed, tally: Tally, *, is_champion: bool) -> Row:
    """One line, from a place and an account."""
    return Row(
        place=one.place,
        is_tied=one.is_tied,
        player=one.contender.name,
        total=tally.total,
        decision=one.decision,
        is_champion=is_champion,
        tally=tally,
    )


def open_ties(rows: Iterable[Row], rules: ScoringRules) -> list[Problem]:
    """Ties for an honoured place that end in a lot, and those that leave two champions, wait for the director."""
    found = []
    by_place: dict[int, list[Row]] = {}
    for one in rows:
        by_place.setdefault(one.place, []).append(one)
    honoured = max(len(rules.awards.places), rules.awards.named)
    draws_lots = any(tiebreak.name == "lot" for tiebreak in rules.ties.players)
    for place, level in by_place.items():
        if len(level) < 2:
            continue
        names = ", ".join(one.player for one in level)
        if level[0].is_champion:
            found.append(ask(f"{names} are level; what decides is not recorded", "final table"))
        elif draws_lots and place <= honoured:
            found.append(ask(f"{names} are level; draw their names and enter the order as lots", f"place {place}"))
    return found
