"""What is well written in the tables about points and cannot work: rounds that there are not, ties nobody can break."""

from collections.abc import Iterator, Sequence

from pipeline.scoring.totals.rules import Chain, ScoringRules, TwoBoards, Weights
from pipeline.scoring.totals.tiebreaks import CentresInYear, ChoseLast, FinalScore, PowerOrder, TopGrades

Misfit = tuple[str, str]  # the path of a setting, and what is wrong with it and what would work
ON_THE_FINAL = (FinalScore, PowerOrder, ChoseLast, CentresInYear)


def misfits(rules: ScoringRules) -> Iterator[Misfit]:
    """List what does not fit together, each with its setting, the reason, and the nearest that works."""
    rounds = rules.totals.rounds
    yield from weight_misfits("totals.weights", rules.totals.weights, rounds, rules.totals.two_boards)
    yield from final_misfits(rules)
    if rules.totals.most_games:
        yield from strange_rounds("totals.most_games.rounds", rules.totals.most_games.rounds, rounds)
    if rules.teams:
        yield from strange_rounds("teams.rounds", rules.teams.rounds, rounds)
        yield from strange_rounds("teams.apart", rules.teams.apart, rounds)
    if rules.bonuses.preregistration:
        yield from strange_rounds("totals.bonuses.preregistration.rounds", rules.bonuses.preregistration.rounds, rounds)
    yield from tie_misfits(rules)


def weight_misfits(path: str, weights: Weights, rounds: int, two_boards: TwoBoards) -> Iterator[Misfit]:
    """Weights that no game can have: more of them than games are played."""
    more = two_boards in (TwoBoards.BOTH, TwoBoards.CHOSEN)  # then a player may have more games than rounds
    several = len(weights.rows) > 1
    for number, row in enumerate(weights.rows, start=1):
        played = number if several else rounds
        if several and len(row) > played and number < len(weights.rows):
            yield f"{path}[{number - 1}]", f"{len(row)} weights where {number} games are played; leave out the last"
        elif len(row) > rounds and not more:
            text = f"{len(row)} weights, but {rounds} rounds; leave out the last, or say two_boards = 'both'"
            yield f"{path}[{number - 1}]" if several else path, text
    if several and len(weights.rows) > rounds and not more:
        yield path, f"rows for up to {len(weights.rows)} games, but {rounds} rounds; leave out the last"


def strange_rounds(path: str, named: Sequence[int], rounds: int) -> Iterator[Misfit]:
    """Rounds that are not played."""
    if strange := [number for number in named if not 1 <= number <= rounds]:
        yield path, f"round {', '.join(map(str, strange))} is not played; there are rounds 1 to {rounds}"


def final_misfits(rules: ScoringRules) -> Iterator[Misfit]:
    """A final table in a round that is not played, or that one qualifies for in it or after it."""
    final, rounds = rules.final, rules.totals.rounds
    if final is None:
        return
    yield from strange_rounds("totals.final.round", (final.round,), rounds)
    yield from strange_rounds("totals.final.qualifying_rounds", final.qualifying_rounds, rounds)
    if late := [number for number in final.qualifying_rounds if final.round <= number <= rounds]:
        text = f"round {', '.join(map(str, late))} is not before the final table of round {final.round}; leave it out"
        yield "totals.final.qualifying_rounds", text
    yield from weight_misfits(
        "totals.final.qualifying_weights",
        final.qualifying_weights,
        max(len(final.qualifying_rounds), 1),
        rules.totals.two_boards,
    )


def tie_misfits(rules: ScoringRules) -> Iterator[Misfit]:
    """Chains for what the event does not have, and tie-breaks by what nobody enters."""
    ties = rules.ties
    for key, chain, there, table in (
        ("qualifying", ties.qualifying, rules.final, "[totals.final]"),
        ("final", ties.final, rules.final, "[totals.final]"),
        ("teams", ties.teams, rules.teams, "[teams]"),
        ("votes", ties.votes, rules.votes, "[awards.votes]"),
    ):
        if chain and there is None:
            yield f"ties.{key}", f"there is no {table}; leave this out, or write that table"
    chains: tuple[tuple[str, Chain], ...] = (
        ("players", ties.players),
        ("qualifying", ties.qualifying),
        ("teams", ties.teams),
        ("powers", ties.powers),
    )
    for key, chain in chains:
        for step in chain:
            if isinstance(step, ON_THE_FINAL) and rules.final is None:
                text = f"{step.name!r} separates nobody without [totals.final]; take 'highest game', or write it"
                yield f"ties.{key}", text
            if isinstance(step, TopGrades):
                yield f"ties.{key}", f"{step.name!r} counts grades, which only ties.votes has; take 'highest game'"
