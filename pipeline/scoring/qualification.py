"""Who sits on the final table, and in which order they choose; and where two readings of a rule would seat others."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from pipeline.scoring import rules as scoring_rules
from pipeline.scoring.doubts import Want
from pipeline.scoring.progress import rounds_played_out
from pipeline.scoring.ranking import Placed, may_rank, rank_contenders, seat_contender
from pipeline.scoring.results import EventResults
from pipeline.scoring.system import PlayerGame
from pipeline.scoring.tally import Tally, qualifying_stage, tallies
from pipeline.scoring.tiebreaks import FieldOfPlayers
from pipeline.words.speech import write_count


class Qualification(Struct, frozen=True, kw_only=True):
    """The ranking after the qualifying rounds, and what follows from it."""

    accounts: Mapping[str, Tally]  # of the qualifying rounds, by name
    ranking: tuple[Placed, ...]
    positive: int  # players with a strictly positive result
    is_held: bool  # whether there are enough of them for a final table
    finalists: tuple[str, ...]  # who is sure of a seat, best first
    undecided: tuple[str, ...]  # who is level for the last seats
    seats: int  # that are left for the undecided
    want: Want | None  # the fact that would seat them
    is_settled: bool  # whether its rounds are over
    choosing: tuple[str, ...]  # who picks a place in the order of choosing, first to last


def qualification(
    event: EventResults,
    games: Sequence[PlayerGame],
    rules: scoring_rules.ScoringRules,
    known: Mapping[str, Tally] | None = None,
) -> Qualification | None:
    """The best of the qualifying rounds play the final table (EDC23 B; EDC96; WDC08 4).

    None until each has a board, or gets none any more.
    """
    final = rules.final
    if not final or not set(final.qualifying_rounds) <= {*event.rounds, *rounds_played_out(event, rules)}:
        return None
    accounts = tallies(event, games, rules, qualifying_stage(rules, final), known=known)
    contenders = [seat_contender(tally, final) for tally in accounts.values() if may_rank(tally) and tally.games]
    totals = {name: tally.total for name, tally in accounts.items()}
    ranking = rank_contenders(contenders, rules.ties.qualifying, FieldOfPlayers(totals=totals, lots=event.lots))
    results = {
        name: tally.weighted if final.positive is scoring_rules.Positive.BOARDS else tally.total
        for name, tally in accounts.items()
    }
    positive = sum(1 for one in ranking if results[one.contender.name] > 0)
    is_held = positive >= final.at_least_positive
    finalists, undecided = _fill_final_seats(ranking, final) if is_held else ((), ())
    return Qualification(
        accounts=accounts,
        ranking=ranking,
        positive=positive,
        is_held=is_held,
        finalists=finalists,
        undecided=undecided,
        seats=final.seats - len(finalists) if undecided else 0,
        want=next((one.want for one in ranking if one.contender.name in undecided), None),
        is_settled=not {number for number, _ in event.going_on} & set(final.qualifying_rounds),
        choosing=tuple(reversed(finalists))
        if final.choosing is scoring_rules.ChoosingRule.SLOTS and not undecided
        else (),
    )


def _fill_final_seats(ranking: Sequence[Placed], final: scoring_rules.Final) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Fill the seats from the top; who shares a place that does not fit is undecided."""
    finalists: list[str] = []
    for one in ranking:
        level = [other.contender.name for other in ranking if other.place == one.place]
        if one.place - 1 + len(level) <= final.seats:
            finalists.append(one.contender.name)
        elif one.place <= final.seats:
            return tuple(finalists), tuple(level)
        else:
            break
    return tuple(finalists), ()


class DifferingReading(Struct, frozen=True, kw_only=True):
    """A second reading that leads to another final table than the one that is taken."""

    reading: scoring_rules.SecondReading
    taken: Qualification
    other: Qualification

    @property
    def only_taken(self) -> tuple[str, ...]:
        """Who is at the final table, or level for it, by the reading that is taken alone."""
        return tuple(name for name in _possible_finalists(self.taken) if name not in _possible_finalists(self.other))

    @property
    def only_other(self) -> tuple[str, ...]:
        """Who would be by the other reading alone."""
        return tuple(name for name in _possible_finalists(self.other) if name not in _possible_finalists(self.taken))

    def __str__(self) -> str:
        one, source = self.reading, self.reading.source
        return (
            f"two readings of {source.rule} differ here: by {one.value!r}, which the rules file takes ({one.path}), "
            f"{_describe_reading(self.taken)}; by {one.otherwise!r} {_describe_reading(self.other)}; {source.why}"
        )


def find_differing_readings(
    event: EventResults, games: Sequence[PlayerGame], rules: scoring_rules.ScoringRules
) -> Iterator[DifferingReading]:
    """The second readings that would change the final table of this event, until it is seated."""
    taken = qualification(event, games, rules)
    if taken is None or not rules.final or event.finals:
        return
    in_order = rules.final.choosing is scoring_rules.ChoosingRule.SLOTS  # who is ranked lower chooses earlier (EDC23 B)
    for reading in rules.readings:
        other = qualification(event, games, reading.rules)
        if other is not None and _table_seats(other, in_order=in_order) != _table_seats(taken, in_order=in_order):
            yield DifferingReading(reading=reading, taken=taken, other=other)


def _table_seats(qualified: Qualification, *, in_order: bool) -> tuple[object, ...]:
    """What of a qualification matters at the table."""
    sure = qualified.finalists if in_order else frozenset(qualified.finalists)
    return qualified.is_held, sure, frozenset(qualified.undecided)


def _possible_finalists(qualified: Qualification) -> tuple[str, ...]:
    """Who is at the final table, or level for its last seats."""
    return (*qualified.finalists, *qualified.undecided)


def _describe_reading(qualified: Qualification) -> str:
    if not qualified.is_held:
        have = write_count(qualified.positive, "player has", "players have")
        return f"there is no final table, {have} a strictly positive result"
    level = f", and {', '.join(qualified.undecided)} are level for the last seats" if qualified.undecided else ""
    return f"the final table is {', '.join(qualified.finalists)}{level}"
