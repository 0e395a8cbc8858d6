"""Standings in words: what decided a place, why somebody has a title. Every sentence is made from the key that did."""

from typing import assert_never

from pipeline.scoring.places.awards import Award, Group
from pipeline.scoring.places.score import Scored
from pipeline.scoring.places.standings import StandingsRow, Won
from pipeline.scoring.results.exact import RoundingWay, decimal, shown
from pipeline.scoring.results.results import EventResults
from pipeline.scoring.totals.progress import FinalState
from pipeline.scoring.totals.ranking import RankDecision
from pipeline.scoring.totals.rules import ChampionBy, FinalTotal, ScoringRules, Weights

ON_TABLE = {  # while it goes on, when it is over, and while nothing tells the first of it apart
    Won.TABLE: ("leads the final table with ", "won the final table with ", "level on the final table with "),
    Won.TOTAL: (
        "best total of the final table so far",
        "best total of the final table",
        "level for the best total of the final table",
    ),
}
VOTE_DECIMALS = 2  # of a mean of votes, and of board-game points


def decided_by(row: StandingsRow, scored: Scored) -> str:
    """Say what put a player into a place, empty where it was the total alone."""
    told = str(row.decision) if row.decision else ""
    if row.won is None:
        return told
    table = on_table(row.won, scored, is_level=len(scored.standings.champions) > 1)
    if row.won is Won.TABLE and row.tally.final:
        table += shown(row.tally.final.score, scored.rules.decimals)
    return f"{table}; {told}" if told else table


def on_table(won: Won, scored: Scored, *, is_level: bool) -> str:
    """Say how somebody is first of the final table, by its score, which follows, or by the total."""
    is_over = scored.progress.final in (FinalState.OVER, FinalState.NONE)
    return ON_TABLE[won][2 if is_level else int(is_over)]


def how_it_counts(rules: ScoringRules) -> tuple[str, ...]:
    """Say how scores make a total, for who stands before the list."""
    lines = [f"× beside a score: it counts so much; no sign: in full; out: not at all. {weights_in_words(rules)}"]
    truncated = rules.totals.rounding.how is RoundingWay.TRUNCATE
    total = "Total: the scores as they count, and ± (bonuses less penalties)"
    lines.append(f"{total}, and what follows the point is dropped." if truncated else f"{total}.")
    if rules.final:
        first = {ChampionBy.TABLE: "wins it", ChampionBy.TOTAL: "has the best total of those on it"}
        lines.append(
            f"Where a final table is played, first is who {first[rules.final.champion]}, whatever others have."
        )
    return tuple(lines)


def weights_in_words(rules: ScoringRules) -> str:
    """Say with which weights games count, from best to worst, and of a finalist what else."""
    found = told_weights(rules.totals.weights)
    source = rules.sources.get("totals.weights")
    rule = f" ({source.rule})" if source and source.rule else ""
    final = rules.final
    if final and final.total is FinalTotal.QUALIFYING_PLUS_FINAL:
        found += f"; of who is on the final table {told_weights(final.qualifying_weights)}, and the final in full"
    return f"From best to worst: {found}{rule}."


def told_weights(weights: Weights) -> str:
    """List weights; a row for each number of games where they differ by it.

    >>> from fractions import Fraction
    >>> told_weights(Weights(((Fraction(1), Fraction(1), Fraction(1, 2)),)))
    '×1, ×1, ×0.5'
    >>> told_weights(Weights(((Fraction(1),), (Fraction(1), Fraction(1, 2)))))
    '1 game ×1; 2 games ×1, ×0.5'
    """
    if not weights.rows:
        return "all in full"
    rows = [", ".join(f"×{decimal(weight, 3)}" for weight in row) for row in weights.rows]
    if len(rows) == 1:
        return rows[0]
    return "; ".join(f"{n} game{'s' if n > 1 else ''} {row}" for n, row in enumerate(rows, start=1))


def overruled_ends(event: EventResults) -> tuple[str, ...]:
    """Say which games the director ended although the rules do not provide for it, and why."""
    return tuple(
        f"Round {board.round}, board {board.name}: ended ({board.ended}) {overruled}"
        for board in event.boards
        for overruled in board.overruled
    )


def reason(award: Award, scored: Scored) -> str:
    """Say why somebody has a title, or leads for it."""
    decimals = scored.rules.decimals
    told = f"; {award.decision}" if award.decision else ""
    match award.group:
        case Group.PLACES:
            told = f"; {words}" if award.row and (words := decided_by(award.row, scored)) else ""
            return f"{shown(award.value, decimals)} points{told}"
        case Group.POWERS:
            seats = ", ".join(f"round {game.round} {game.board.name}" for game in award.games)
            return f"{shown(award.value, decimals)} points in {seats}{told}"
        case Group.VOTES:
            return f"{shown(award.value, VOTE_DECIMALS)} of {award.votes} votes{told}"
        case Group.TEAMS:
            return f"{shown(award.value, decimals)} points{told}"
        case Group.BOARD_GAMES:
            return f"{shown(award.value, VOTE_DECIMALS)} points"
        case Group.SPECIAL:
            return award.why
        case _:
            assert_never(award.group)


def decided_with(decision: RankDecision | None) -> str | None:
    """Say with which numbers a tie-break decided, and against whom."""
    if decision is None:
        return None
    own, other = decision.numbers
    return f"{own} against {other} ({decision.against})"
