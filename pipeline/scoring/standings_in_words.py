"""Standings in words: what decided a place, why somebody has a title, and how scores make a total."""

from collections.abc import Mapping
from typing import assert_never

from pipeline.scoring import awards, ranking
from pipeline.scoring.awards import Award
from pipeline.scoring.progress import FinalState, ResultsState
from pipeline.scoring.results import EventResults, RoundingWay, decimal, format_decimal
from pipeline.scoring.rules import ChampionBy, FinalTotal, ForTheBest, RoundGroup, ScoringRules, Weights
from pipeline.scoring.score import Scored
from pipeline.words.speech import write_count

ON_TABLE = {  # while the table plays, when it is over, and while its best players are level
    ranking.Won.TABLE: ("leads the final table with ", "won the final table with ", "level on the final table with "),
    ranking.Won.TOTAL: (
        "best total of the final table so far",
        "best total of the final table",
        "level for the best total of the final table",
    ),
}
VOTE_DECIMALS = 2  # of a mean of votes, and of board-game points


def decided_by(row: ranking.StandingsRow, scored: Scored) -> str:
    """Say what put a player into a place, empty where it was the total alone."""
    reason = str(row.decision) if row.decision else ""
    if row.won is None:
        return reason
    table = on_table(row.won, scored, is_level=len(scored.standings.champions) > 1)
    if row.won is ranking.Won.TABLE and row.tally.final:
        table += format_decimal(row.tally.final.score, scored.rules.decimals)
    return f"{table}; {reason}" if reason else table


def on_table(won: ranking.Won, scored: Scored, *, is_level: bool) -> str:
    """Say how somebody is first of the final table, by its score, which follows, or by the total."""
    is_over = scored.progress.final in (FinalState.OVER, FinalState.NONE)
    return ON_TABLE[won][2 if is_level else int(is_over)]


def how_it_counts(rules: ScoringRules) -> tuple[str, ...]:
    """Say how scores make a total, for players who read the list on the wall."""
    lines = [f"× beside a score: how much of it counts; no ×: all of it; out: nothing. {weights_in_words(rules)}"]
    truncated = rules.totals.rounding.how is RoundingWay.TRUNCATE
    total = "Total: the scores as they count, and ± (bonuses less penalties)"
    lines.append(f"{total}, and what follows the point is dropped." if truncated else f"{total}.")
    if rules.totals.coefficients:
        lines.append(f"Scores are multiplied {_coefficients_in_words(rules)}.")
    lines += map(_for_the_best_in_words, rules.totals.for_the_best)
    if rules.totals.wins_first:
        lines.append("Who has won more games outright is ahead, whatever the points.")
    if rules.final:
        first = {ChampionBy.TABLE: "wins it", ChampionBy.TOTAL: "has the best total of those on it"}
        lines.append(
            f"Where a final table is played, whoever {first[rules.final.champion]} is first, whatever others have."
        )
    return tuple(lines)


def _coefficients_in_words(rules: ScoringRules) -> str:
    rounds = ", ".join(f"×{weight}" for weight in rules.totals.round_weights)
    sizes = ", ".join(
        f"{write_count(size, 'player')} ×{weight}" for size, weight in sorted(rules.totals.size_weights.items())
    )
    by_round = f"by their round: {rounds}" if rounds else ""
    return "; ".join(part for part in (by_round, f"by who sat at the table: {sizes}" if sizes else "") if part)


def weights_in_words(rules: ScoringRules) -> str:
    """Say with which weights games count, from best to worst, and how a finalist's games count."""
    listed = list_weights(rules.totals.weights)
    source = rules.sources.get("totals.weights")
    rule = f" ({source.rule})" if source and source.rule else ""
    if rules.totals.groups:
        return f"From best to worst: {'; '.join(_list_group(group) for group in rules.totals.groups)}{rule}."
    final = rules.final
    if final and final.total is FinalTotal.QUALIFYING_PLUS_FINAL:
        listed += f"; for finalists {list_weights(final.qualifying_weights)}, and the final in full"
    return f"From best to worst: {listed}{rule}."


def _list_group(group: RoundGroup) -> str:
    """Say with which weights the games of a group of rounds count.

    >>> from fractions import Fraction
    >>> _list_group(RoundGroup(rounds=(1, 2, 3), weights=Weights(((Fraction(1), Fraction(1)),))))
    'rounds 1, 2, 3 ×1, ×1'
    """
    many = "s" if len(group.rounds) > 1 else ""
    counted = list_weights(group.weights) if group.counted else "not at all"
    return f"round{many} {', '.join(map(str, group.rounds))} {counted}"


def _for_the_best_in_words(best: ForTheBest) -> str:
    rounds = f"round{'s' if len(best.after) > 1 else ''} {', '.join(map(str, best.after))}"
    counted = "" if not best.weights.rows else f" (from best to worst {list_weights(best.weights)})"
    return (
        f"Round {best.round} counts ×{decimal(best.times, 3)} for the best {best.players} after {rounds}{counted}, "
        "and for all who are level with the last of them."
    )


def list_weights(weights: Weights) -> str:
    """List weights; a row for each number of games where they differ by it.

    >>> from fractions import Fraction
    >>> list_weights(Weights(((Fraction(1), Fraction(1), Fraction(1, 2)),)))
    '×1, ×1, ×0.5'
    >>> list_weights(Weights(((Fraction(1),), (Fraction(1), Fraction(1, 2)))))
    '1 game ×1; 2 games ×1, ×0.5'
    """
    if not weights.rows:
        return "all in full"
    rows = [", ".join(f"×{decimal(weight, 3)}" for weight in row) for row in weights.rows]
    if len(rows) == 1:
        return rows[0]
    return "; ".join(f"{n} game{'s' if n > 1 else ''} {row}" for n, row in enumerate(rows, start=1))


def interim_note(scored: Scored) -> tuple[str, ...]:
    """Say that results are interim, and until when, for players who read the list on the wall."""
    interim = scored.rules.interim
    if interim is None or scored.progress.results is not ResultsState.INTERIM:
        return ()
    source = scored.rules.sources.get("interim.until")
    rule = f" ({source.rule})" if source and source.rule else ""
    return (f"Interim results: an error that is found is corrected, {interim.until.meaning}{rule}.",)


def places_shown(scored: Scored) -> Mapping[str, tuple[str, str]]:
    """Place and total of every player, as they are shown."""
    return {
        row.player: (f"{row.place}{'=' if row.is_tied else ''}", format_decimal(row.total, scored.rules.decimals))
        for row in scored.standings.rows
    }


def players_amended(scored: Scored) -> tuple[str, ...]:
    """Whose place or total differs from the results that were published as final, which stand."""
    published = scored.event.published
    if published is None or scored.progress.results is not ResultsState.FINAL:
        return ()
    now = places_shown(scored)
    every = dict.fromkeys((*published.places, *now))
    return tuple(player for player in every if published.places.get(player) != now.get(player))


def amended_places(scored: Scored) -> tuple[str, ...]:
    """What differs from the results that were published as final, which stand."""
    published, now = scored.event.published, places_shown(scored)
    if published is None:
        return ()
    return tuple(
        f"{player}: published as final on {published.at}: {_place_in_words(published.places.get(player))};"
        f" worked out now: {_place_in_words(now.get(player))}"
        for player in players_amended(scored)
    )


def _place_in_words(place: tuple[str, str] | None) -> str:
    return f"place {place[0]}, {write_count(place[1], 'point')}" if place else "not ranked"


def overruled_ends(event: EventResults) -> tuple[str, ...]:
    """Say which games the director ended although the rules do not provide for it, and why."""
    return tuple(
        f"Round {board.round}, board {board.name}: ended ({board.ended}) {overruled}"
        for board in event.boards
        for overruled in board.overruled
    )


def award_reason(award: Award, scored: Scored) -> str:
    """Say why somebody has a title, or leads for it."""
    decimals = scored.rules.decimals
    reason = f"; {award.decision}" if award.decision else ""
    match award.group:
        case awards.Group.PLACES:
            reason = f"; {words}" if award.row and (words := decided_by(award.row, scored)) else ""
            return f"{write_count(format_decimal(award.value, decimals), 'point')}{reason}"
        case awards.Group.POWERS:
            seats = " and ".join(f"round {game.round}, board {game.board.name}" for game in award.games)
            return f"{write_count(format_decimal(award.value, decimals), 'point')} in {seats}{reason}"
        case awards.Group.VOTES:
            return f"{format_decimal(award.value, VOTE_DECIMALS)} of {write_count(award.votes, 'vote')}{reason}"
        case awards.Group.TEAMS:
            return f"{write_count(format_decimal(award.value, decimals), 'point')}{reason}"
        case awards.Group.TITLES:
            return f"{write_count(format_decimal(award.value, decimals), 'point')}{reason}"
        case awards.Group.BOARD_GAMES:
            return f"{write_count(format_decimal(award.value, VOTE_DECIMALS), 'point')}"
        case awards.Group.SPECIAL:
            return award.why
        case _:
            assert_never(award.group)


def decided_with(decision: ranking.RankDecision | None) -> str | None:
    """Say with which numbers a tie-break decided, and against whom."""
    if decision is None:
        return None
    own, other = decision.numbers
    return f"{own} against {other} ({decision.against})"
