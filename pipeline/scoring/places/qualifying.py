"""Who sits on the final table, and in which order they choose."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.scoring.games.system import PlayerGame
from pipeline.scoring.places.standings import may_rank
from pipeline.scoring.results.doubts import Want
from pipeline.scoring.results.results import EventResults
from pipeline.scoring.totals.ranking import Placed, placed
from pipeline.scoring.totals.rules import ChoosingRule, Final, Positive, ScoringRules
from pipeline.scoring.totals.tally import qualifying, tallies
from pipeline.scoring.totals.tiebreaks import FieldOfPlayers


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualification:
    """The ranking after the qualifying rounds, and what follows from it."""

    ranking: tuple[Placed, ...]
    positive: int  # players with a strictly positive result
    is_held: bool  # whether there are enough of them for a final table
    finalists: tuple[str, ...]  # who is sure of a seat, best first
    undecided: tuple[str, ...]  # who is level for the last seats
    seats: int  # that are left for the undecided
    want: Want | None  # the fact that would seat them
    is_settled: bool  # whether its rounds are over
    choosing: tuple[str, ...]  # who picks a place in the order of choosing, first to last


def qualification(event: EventResults, games: Sequence[PlayerGame], rules: ScoringRules) -> Qualification | None:
    """The best of the qualifying rounds play the final table (EDC23 B; EDC96; WDC08 4); None before they are over."""
    final = rules.final
    if not final or not set(final.qualifying_rounds) <= set(event.rounds):
        return None
    accounts = tallies(event, games, rules, qualifying(rules, final))
    contenders = [tally.contender() for tally in accounts.values() if may_rank(tally) and tally.games]
    ranking = placed(contenders, rules.ties.qualifying, FieldOfPlayers(lots=event.lots))
    results = {
        name: tally.weighted if final.positive is Positive.BOARDS else tally.total for name, tally in accounts.items()
    }
    positive = sum(1 for one in ranking if results[one.contender.name] > 0)
    is_held = positive >= final.at_least_positive
    finalists, undecided = seated(ranking, final) if is_held else ((), ())
    return Qualification(
        ranking=ranking,
        positive=positive,
        is_held=is_held,
        finalists=finalists,
        undecided=undecided,
        seats=final.seats - len(finalists) if undecided else 0,
        want=next((one.want for one in ranking if one.contender.name in undecided), None),
        is_settled=not {number for number, _ in event.going_on} & set(final.qualifying_rounds),
        choosing=tuple(reversed(finalists)) if final.choosing is ChoosingRule.SLOTS and not undecided else (),
    )


def seated(ranking: Sequence[Placed], final: Final) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Fill the seats from the top; who shares a place that does not fit is undecided."""
    finalists: list[str] = []
    for one in ranking:
        level = [other.contender.name for other in ranking if other.place == one.place]
        if one.place - 1 + len(level) <= final.seats:
            finalists.append(one.contender.name)
        elif one.place <= final.seats:
            return tuple(finalists), tuple(level)
    return tuple(finalists), ()
