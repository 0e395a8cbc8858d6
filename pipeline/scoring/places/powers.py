"""The best player of each power."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pipeline.board.map import Power
from pipeline.scoring.games.system import Outcome, PlayerGame
from pipeline.scoring.places.standings import may_rank
from pipeline.scoring.results.doubts import Want
from pipeline.scoring.results.results import EventResults
from pipeline.scoring.totals.ranking import RankDecision, placed
from pipeline.scoring.totals.rules import ScoringRules
from pipeline.scoring.totals.tally import Tally
from pipeline.scoring.totals.tiebreaks import Contender, FieldOfPlayers


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPower:
    """Who played a power best: one name, or several who could not be told apart."""

    power: Power
    players: tuple[str, ...]
    games: tuple[PlayerGame, ...]  # the winning games
    score: Fraction
    decision: RankDecision | None
    want: Want | None  # a fact that a tie-break misses


def best_powers(event: EventResults, accounts: Mapping[str, Tally], rules: ScoringRules) -> tuple[BestPower, ...]:
    """The best single score with a power wins its award (NZ99 B 4; Weasel XI.2; EDC23 B; EDC96; WDC08 16.3).

    The director's games and a second board that was dropped do not count (Weasel III.6, III.7), nor does a game that
    brought nothing.
    """
    if not rules.awards.power:
        return ()
    among = FieldOfPlayers(totals={name: tally.total for name, tally in accounts.items()}, lots=event.lots)
    found = []
    for power in Power:
        contenders = [candidate(tally, game) for tally, game in games_with(power, accounts.values())]
        leaders = [one for one in placed(contenders, rules.ties.powers, among) if one.place == 1]
        if leaders and leaders[0].contender.total > 0:
            found.append(
                BestPower(
                    power=power,
                    players=tuple(dict.fromkeys(one.contender.name for one in leaders)),
                    games=tuple(one.contender.games[0] for one in leaders),
                    score=leaders[0].contender.total,
                    decision=leaders[0].decision,
                    want=leaders[0].want,
                )
            )
    return tuple(found)


def games_with(power: Power, accounts: Iterable[Tally]) -> Iterable[tuple[Tally, PlayerGame]]:
    """All games with a power that may win its award."""
    for tally in accounts:
        for one in tally.games:
            may_win = may_rank(tally) and not one.is_dropped and one.game.outcome is not Outcome.ABANDONED
            if may_win and one.game.power is power:
                yield tally, one.game


def candidate(tally: Tally, game: PlayerGame) -> Contender:
    """One game as tie-breaks see it."""
    return Contender(name=tally.player.name, total=game.score, games=(game,), counted=(game,), overall=tally.total)
