"""Standings in words: what decided a place, why somebody has a title, and how scores make a total."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from pipeline.scoring import awards, ranking
from pipeline.scoring.awards import Award
from pipeline.scoring.progress import FinalState, ResultsState
from pipeline.scoring.results import EventResults, RoundingWay, decimal, format_decimal
from pipeline.scoring.rules import ChampionBy, FinalTotal, ForTheBest, RoundGroup, ScoringRules, Until, Weights
from pipeline.scoring.score import Scored
from pipeline.words.speech import IN_ENGLISH, Speech, to_say, write_count

ON_TABLE = {  # while the table plays, when it is over, and while its best players are level
    ranking.Won.TABLE: (
        to_say("leads the final table with {score}"),
        to_say("won the final table with {score}"),
        to_say("level on the final table with {score}"),
    ),
    ranking.Won.TOTAL: (
        to_say("best total of the final table so far"),
        to_say("best total of the final table"),
        to_say("level for the best total of the final table"),
    ),
}
VOTE_DECIMALS = 2  # of a mean of votes, and of board-game points


def decided_by(row: ranking.StandingsRow, scored: Scored, speech: Speech = IN_ENGLISH) -> str:
    """Say what put a player into a place, empty where it was the total alone."""
    reason = row.decision.in_words(speech) if row.decision else ""
    if row.won is None:
        return reason
    final = row.tally.final
    points = speech.number(format_decimal(final.score, scored.rules.decimals)) if final else ""
    table = speech.says(on_table(row.won, scored, is_level=len(scored.standings.champions) > 1), score=points)
    return f"{table}; {reason}" if reason else table


def on_table(won: ranking.Won, scored: Scored, *, is_level: bool) -> str:
    """Say how somebody is first of the final table, by its score, for which there is a place, or by the total."""
    is_over = scored.progress.final in (FinalState.OVER, FinalState.NONE)
    return ON_TABLE[won][2 if is_level else int(is_over)]


FIRST_ON_TABLE = {
    ChampionBy.TABLE: to_say("Where a final table is played, whoever wins it is first, whatever others have."),
    ChampionBy.TOTAL: to_say(
        "Where a final table is played, whoever has the best total of those on it is first, whatever others have."
    ),
}
INTERIM = {
    Until.OVER: to_say("Interim results: an error that is found is corrected, until the last game is over"),
    Until.PUBLISHED: to_say(
        "Interim results: an error that is found is corrected, until the director publishes them as final"
    ),
}
WINS_FIRST = to_say("Who has won more games outright is ahead, whatever the points.")


def how_it_counts(rules: ScoringRules, speech: Speech = IN_ENGLISH) -> tuple[str, ...]:
    """Say how scores make a total, for players who read the list on the wall."""
    says = speech.says
    signs = says("× beside a score: how much of it counts; no ×: all of it; {out}: nothing.", out=says(OUT))
    lines = [f"{signs} {weights_in_words(rules, speech)}"]
    truncated = rules.totals.rounding.how is RoundingWay.TRUNCATE
    lines.append(says(TOTAL_TRUNCATED if truncated else TOTAL))
    if rules.totals.coefficients:
        lines.append(says("Scores are multiplied {how}.", how="; ".join(_coefficients_in_words(rules, speech))))
    lines += (_for_the_best_in_words(best, speech) for best in rules.totals.for_the_best)
    if rules.totals.wins_first:
        lines.append(says(WINS_FIRST))
    if rules.final:
        lines.append(says(FIRST_ON_TABLE[rules.final.champion]))
    return tuple(lines)


OUT = to_say("out")  # stands beside a score that does not count
TOTAL = to_say("Total: the scores as they count, and ± (bonuses less penalties).")
TOTAL_TRUNCATED = to_say(
    "Total: the scores as they count, and ± (bonuses less penalties), and what follows the point is dropped."
)


def _coefficients_in_words(rules: ScoringRules, speech: Speech) -> Iterator[str]:
    rounds = ", ".join(f"×{speech.number(str(weight))}" for weight in rules.totals.round_weights)
    sizes = ", ".join(
        f"{speech.says('{count:player|players}', count=size)} ×{speech.number(str(weight))}"
        for size, weight in sorted(rules.totals.size_weights.items())
    )
    if rounds:
        yield speech.says("by their round: {weights}", weights=rounds)
    if sizes:
        yield speech.says("by who sat at the table: {weights}", weights=sizes)


def weights_in_words(rules: ScoringRules, speech: Speech = IN_ENGLISH) -> str:
    """Say with which weights games count, from best to worst, and how a finalist's games count."""
    listed = list_weights(rules.totals.weights, speech)
    source = rules.sources.get("totals.weights")
    rule = f" ({source.rule})" if source and source.rule else ""
    final = rules.final
    if rules.totals.groups:
        listed = "; ".join(_list_group(group, speech) for group in rules.totals.groups)
    elif final and final.total is FinalTotal.QUALIFYING_PLUS_FINAL:
        weights = list_weights(final.qualifying_weights, speech)
        listed += "; " + speech.says("for finalists {weights}, and the final in full", weights=weights)
    return speech.says("From best to worst: {weights}{rule}.", weights=listed, rule=rule)


def _list_group(group: RoundGroup, speech: Speech = IN_ENGLISH) -> str:
    """Say with which weights the games of a group of rounds count.

    >>> from fractions import Fraction
    >>> _list_group(RoundGroup(rounds=(1, 2, 3), weights=Weights(((Fraction(1), Fraction(1)),))))
    'rounds 1, 2, 3 ×1, ×1'
    """
    counted = list_weights(group.weights, speech) if group.counted else speech.says("not at all")
    return f"{list_rounds(group.rounds, speech)} {counted}"


def list_rounds(rounds: Sequence[int], speech: Speech = IN_ENGLISH) -> str:
    """Name rounds in a sentence.

    >>> list_rounds((1, 2)), list_rounds((4,))
    ('rounds 1, 2', 'round 4')
    """
    if len(rounds) == 1:
        return speech.says("round {round}", round=rounds[0])
    return speech.says("rounds {rounds}", rounds=", ".join(map(str, rounds)))


def _for_the_best_in_words(best: ForTheBest, speech: Speech) -> str:
    counted = ""
    if best.weights.rows:
        weights = list_weights(best.weights, speech)
        counted = speech.says(" (from best to worst {weights})", weights=weights)
    return speech.says(
        "Round {round} counts ×{times} for the best {players} after {rounds}{counted}, and for all who are level with "
        "the last of them.",
        round=best.round,
        times=speech.number(decimal(best.times, 3)),
        players=best.players,
        rounds=list_rounds(best.after, speech),
        counted=counted,
    )


def list_weights(weights: Weights, speech: Speech = IN_ENGLISH) -> str:
    """List weights; a row for each number of games where they differ by it.

    >>> from fractions import Fraction
    >>> list_weights(Weights(((Fraction(1), Fraction(1), Fraction(1, 2)),)))
    '×1, ×1, ×0.5'
    >>> list_weights(Weights(((Fraction(1),), (Fraction(1), Fraction(1, 2)))))
    '1 game ×1; 2 games ×1, ×0.5'
    """
    if not weights.rows:
        return speech.says("all in full")
    rows = [", ".join(f"×{speech.number(decimal(weight, 3))}" for weight in row) for row in weights.rows]
    if len(rows) == 1:
        return rows[0]
    return "; ".join(f"{speech.says('{count:game|games}', count=n)} {row}" for n, row in enumerate(rows, start=1))


def interim_note(scored: Scored, speech: Speech = IN_ENGLISH) -> tuple[str, ...]:
    """Say that results are interim, and until when, for players who read the list on the wall."""
    interim = scored.rules.interim
    if interim is None or scored.progress.results is not ResultsState.INTERIM:
        return ()
    source = scored.rules.sources.get("interim.until")
    rule = f" ({source.rule})" if source and source.rule else ""
    return (f"{speech.says(INTERIM[interim.until])}{rule}.",)


def places_shown(scored: Scored) -> Mapping[str, tuple[str, str]]:
    """Place and total of every player, as they are shown."""
    return {
        row.player: (row.place_shown, format_decimal(row.total, scored.rules.decimals)) for row in scored.standings.rows
    }


def players_amended(scored: Scored) -> tuple[str, ...]:
    """Whose place or total differs from the results that were published as final, which stand."""
    published = scored.event.published
    if published is None or scored.progress.results is not ResultsState.FINAL:
        return ()
    now = places_shown(scored)
    every = dict.fromkeys((*published.places, *now))
    return tuple(player for player in every if published.places.get(player) != now.get(player))


def amended_places(scored: Scored, speech: Speech = IN_ENGLISH) -> tuple[str, ...]:
    """What differs from the results that were published as final, which stand."""
    published, now = scored.event.published, places_shown(scored)
    if published is None:
        return ()
    return tuple(
        speech.says(
            "{player}: published as final on {at}: {then}; worked out now: {now}",
            player=player,
            at=published.at,
            then=_place_in_words(published.places.get(player), speech),
            now=_place_in_words(now.get(player), speech),
        )
        for player in players_amended(scored)
    )


def _place_in_words(place: tuple[str, str] | None, speech: Speech) -> str:
    if place is None:
        return speech.says(NOT_RANKED)
    points = speech.says("{points:point|points}", points=speech.number(place[1]))
    return speech.says("place {place}, {points}", place=place[0], points=points)


NOT_RANKED = to_say("not ranked")


def overruled_ends(event: EventResults, speech: Speech = IN_ENGLISH) -> tuple[str, ...]:
    """Say which games the director ended although the rules do not provide for it, and why."""
    return tuple(
        speech.says(
            "Round {round}, board {board}: ended ({how}) by the director's word, though {what} ({rule}): {why} ({by})",
            round=board.round,
            board=board.name,
            how=speech.says(board.ended),
            what=speech.says(overruled.text),
            rule=overruled.rule,
            why=overruled.why,
            by=overruled.by,
        )
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
