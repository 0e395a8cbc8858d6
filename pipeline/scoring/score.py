"""Everything that follows from an event's results under a tournament's rules."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring import awards, doubts, ranking, system
from pipeline.scoring.awards import Award, BestPower, BoardGameRow, Graded, TeamRow
from pipeline.scoring.doubts import ScoringDoubt
from pipeline.scoring.parts import Centres, Part, SurvivalUntil
from pipeline.scoring.results import Board, Ending, EventResults, RoundingWay, Seat, Spot, decimal, format_decimal
from pipeline.scoring.rules import ChampionBy, FinalTotal, ForTheBest, RoundGroup, ScoringRules, Until, Weights
from pipeline.scoring.tally import WITHDRAWAL, Tally
from pipeline.words.speech import IN_ENGLISH, Speech, to_say, wording, write_count


class Scored(Struct, frozen=True, kw_only=True):
    """The scores of an event, and all that is made of them."""

    event: EventResults
    rules: ScoringRules
    games: tuple[system.PlayerGame, ...]  # every seat of every board, in the order of the boards
    standings: ranking.Standings
    qualification: ranking.Qualification | None  # who is on the final table; None before that is known, or without one
    titles: tuple[ranking.TitleRanking, ...]  # the rankings that make further titles
    teams: tuple[TeamRow, ...]
    powers: tuple[BestPower, ...]
    grades: tuple[Graded, ...]
    board_games: tuple[BoardGameRow, ...]
    awards: tuple[Award, ...]  # those that are not due say who leads
    progress: ranking.Progress
    doubts: tuple[ScoringDoubt, ...]  # what the director must still say, and what is against the rules
    readings: tuple[ranking.Differing, ...] = ()  # second readings that would change the final table


def score(event: EventResults, rules: ScoringRules) -> Scored:
    """Score boards, add games up, rank players and teams, give awards.

    Every number comes from the results and the rules; nothing is cached.
    """
    games = _score_boards(event.boards, rules)
    return replace(_score_games(event, games, rules), readings=tuple(ranking.differing(event, games, rules)))


def _score_boards(boards: Sequence[Board], rules: ScoringRules) -> tuple[system.PlayerGame, ...]:
    """Every seat of every board gets its score: on the board, beside the same power elsewhere, by its round."""
    on_board = [game for board in boards for game in system.score_board(board, rules.system_of(board))]
    games = system.compare_games(on_board, rules.system)
    if not rules.totals.coefficients:
        return games
    worth = {
        (game.board.spot, game.power): game.score * rules.totals.coefficient(game.board)
        for game in games
        if game.board.seats[game.power].ruling is None
    }
    return system.with_scores(games, worth, rules.system.rounding)


def scores_by_year(board: Board, rules: ScoringRules) -> dict[int, dict[Power, Fraction]]:
    """What a board would have paid if it had ended after each Fall."""
    by_year: dict[int, dict[Power, Fraction]] = {}
    for year in sorted(board.years):
        years = {each: counts for each, counts in board.years.items() if each <= year}
        then = replace(board, centres=board.years[year], years=years, ended=Ending.TIME)
        by_year[year] = {game.power: game.score for game in _score_boards((then,), rules)}
    return by_year


def score_again(event: EventResults, scored: Scored) -> Scored:
    """Score an event again in which little has changed; unchanged boards and accounts are not computed again.

    Doubts and second readings are left out.
    """
    if scored.rules.system.compared or scored.rules.totals.coefficients:  # then a score depends on other boards, too
        return _score_games(event, _score_boards(event.boards, scored.rules), scored.rules, scored)
    known: dict[Spot, list[system.PlayerGame]] = {}
    for game in scored.games:
        known.setdefault(game.board.spot, []).append(game)
    games: list[system.PlayerGame] = []
    for board in event.boards:
        before = [game for game in known.get(board.spot, []) if game.board is board]
        games += before or system.score_board(board, scored.rules.system_of(board))
    return _score_games(event, tuple(games), scored.rules, scored)


def _may_accounts_differ(event: EventResults, before: EventResults, rules: ScoringRules) -> bool:
    """Whether a player's account may have changed although his games have not: by bonuses, penalties or players."""
    is_same = (event.players, event.bonuses, event.penalties) == (before.players, before.bonuses, before.penalties)
    if rules.totals.for_the_best:
        return True  # whose games count more depends on those of others
    return not is_same or any(bonus.kind == WITHDRAWAL for bonus in event.bonuses)  # worth a part of others' scores


def _is_same_before_final(games: Sequence[system.PlayerGame], before: Scored) -> bool:
    """Whether the games that decide who is on the final table are those of the event that is scored again."""
    rounds = before.rules.final.qualifying_rounds if before.rules.final else ()
    now, then = ([game for game in each if game.board.round in rounds] for each in (games, before.games))
    return len(now) == len(then) and all(a is b for a, b in zip(now, then, strict=True))


class _KeptAccounts(Struct, frozen=True):
    """What an event that is scored again has kept of its last result."""

    accounts: Mapping[str, Tally] = {}
    qualifying: Mapping[str, Tally] = {}  # accounts of the qualifying rounds alone
    qualified: ranking.Qualification | None = None  # None: who is on the final table must be found again


def _keep_accounts(
    event: EventResults, games: Sequence[system.PlayerGame], rules: ScoringRules, before: Scored
) -> _KeptAccounts:
    """Keep the accounts that cannot have changed but by a player's own games."""
    if _may_accounts_differ(event, before.event, rules):
        return _KeptAccounts()
    first = before.standings.champions  # their totals include the points of the final table
    return _KeptAccounts(
        accounts={tally.player.name: tally for tally in before.standings.tallies if tally.player.name not in first},
        qualifying=before.qualification.accounts if before.qualification else {},
        qualified=before.qualification if _is_same_before_final(games, before) else None,
    )


def _score_games(
    event: EventResults, games: tuple[system.PlayerGame, ...], rules: ScoringRules, before: Scored | None = None
) -> Scored:
    """Everything that follows from the scores of all games; ``before``: the last result, if scored again."""
    kept = _keep_accounts(event, games, rules, before) if before else _KeptAccounts()
    ranked = ranking.rank_players(event, games, rules, kept.accounts)
    accounts = {tally.player.name: tally for tally in ranked.tallies}
    qualified = kept.qualified or ranking.qualification(event, games, rules, kept.qualifying)
    progress = ranking.Progress.of(event, rules, is_final_held=qualified is None or qualified.is_held)
    teams, team_doubts = awards.team_standings(event, accounts, rules)
    powers = awards.best_powers(event, accounts, rules)
    grades = awards.rank_by_grades(event, accounts, rules)
    board_games, sheet_doubts = awards.board_game_standings(event, rules)
    titles = ranking.title_rankings(event, games, rules)
    done = awards.Achievements(
        rows=ranked.rows, titles=titles, powers=powers, teams=teams, grades=grades, board_games=board_games
    )
    every_doubt: tuple[ScoringDoubt, ...] = ()
    if before is None:
        every_doubt = (
            *_game_doubts(event, games, rules),
            *ranked.doubts,
            *_final_doubts(event, rules, qualified, progress),
            *team_doubts,
            *_level_doubts(powers, titles),
            *sheet_doubts,
        )
    return Scored(
        event=event,
        rules=rules,
        games=games,
        standings=ranked,
        qualification=qualified,
        titles=titles,
        teams=teams,
        powers=powers,
        grades=grades,
        board_games=board_games,
        awards=awards.awards(event, done, rules, progress),
        progress=progress,
        doubts=every_doubt,
    )


def _game_doubts(
    event: EventResults, games: tuple[system.PlayerGame, ...], rules: ScoringRules
) -> Iterator[ScoringDoubt]:
    """What the director must say about single games: their ends, their years, and what the system guesses."""
    is_ruled = any(
        source.rule and (path == "scoring.compared" or path.startswith("scoring.compared."))
        for path, source in rules.sources.items()
    )
    yield from _board_doubts(event.boards, rules)
    yield from _guess_doubts(games, rules)
    yield from system.comparison_doubts(games, rules.system, has_rule=is_ruled)
    for board in event.boards:
        yield from system.year_doubts(board, rules.system_of(board))


def _level_doubts(powers: Sequence[BestPower], titles: Sequence[ranking.TitleRanking]) -> Iterator[ScoringDoubt]:
    """An award that ends in a lot, or in the director's discretion, waits for him (Weasel XI.2; WDC08 16.3)."""
    for best in powers:
        if best.want:
            yield doubts.PowerLevel(power=best.power, players=best.want.tied, want=best.want)
    for title in titles:
        if title.first and (want := title.first[0].want):
            yield doubts.TitleLevel(title=title.rules.title, players=want.tied, want=want)


def _board_doubts(boards: Sequence[Board], rules: ScoringRules) -> Iterator[ScoringDoubt]:
    """What the rules leave to the director on single boards (Weasel III.8; NZ99 5; EDC96 12)."""
    for board in boards:
        spot, scoring = board.spot, rules.system_of(board)
        gone = board.ended in (Ending.ABANDONED, Ending.CONCEDED)
        if gone and scoring.abandoned is system.Abandoned.ASK and not scoring.solo.soloist(board):
            yield doubts.GameAbandoned(spot=spot, ending=board.ended)
        if board.ended is Ending.SOLO and not scoring.solo.soloist(board):
            yield doubts.SoloUnfounded(spot=spot)
        yield from _ending_doubts(board, rules)
        if (winner := scoring.solo.soloist(board)) and (stated := _stated_end_but_solo(board)):
            yield doubts.SoloDenied(spot=spot, ending=stated, power=winner, owned=board.centres[winner])
        if len(level := scoring.solo.winners(board)) > 1:
            yield doubts.SoloShared(spot=spot, powers=level)
        if rules.totals.rounds and board.round > rules.totals.rounds:
            yield doubts.RoundTooLate(spot=spot, rounds=rules.totals.rounds)
        if board.is_final and not rules.final:
            yield doubts.FinalUnknown(spot=spot)
        yield from system.contradictions(spot, board.years, board.centres, scoring.solo.centres_needed(board.total))
        yield from _count_doubts(board, rules)
        yield from _seat_doubts(board, boards, rules)


def _ending_doubts(board: Board, rules: ScoringRules) -> Iterator[ScoringDoubt]:
    """An end that the rules do not have, unless it is a solo or the director has overruled them."""
    if rules.system_of(board).solo.soloist(board):
        return
    if (rule := rules.endings.rule_against(board)) and not board.overruled:
        is_worthless = rules.system.abandoned is system.Abandoned.ZERO
        yield doubts.EndingUnknown(spot=board.spot, ending=board.ended, rule=rule, is_worthless=is_worthless)
    if board.left_out and rules.endings.all_survivors:
        out = tuple(power for power in Power if power in board.left_out)
        yield doubts.DrawOfSome(spot=board.spot, left_out=out, rule=rules.endings.all_survivors)


def _stated_end_but_solo(board: Board) -> str:
    """How the result says that the game ended, in words; empty if it says nothing, or a solo."""
    if board.left_out or board.says_draw:
        return wording("a draw")
    return "" if board.ended in (Ending.SOLO, Ending.UNSTATED) else wording(board.ended)


def _seat_doubts(board: Board, boards: Sequence[Board], rules: ScoringRules) -> Iterator[ScoringDoubt]:
    """What the rules leave to the director on single seats: replacements, and shares of who came late (EDC23 D)."""
    for power, seat in board.seats.items():
        if seat.ruling:
            continue
        if _is_replacement_open(seat, rules.system.replacement):
            yield doubts.SeatReplaced(spot=board.spot, power=power)
        asks_for_share = rules.system.late_seasons and rules.system.late_of is system.LateOf.ASK
        if asks_for_share and _is_share_open(board, seat, boards):
            yield doubts.LateShareOpen(spot=board.spot, power=power)


def _is_replacement_open(seat: Seat, rule: system.Replacement) -> bool:
    """Whether the rules do not say who scores: of a replacement, or of who came late to a seat that nobody had.

    Where a newcomer scores, a seat that was left and that nobody took has none.
    """
    came_late = seat.replaced_player is None and seat.arrived is not None and seat.arrived > 1
    match rule:
        case system.Replacement.ASK:
            return seat.replaced_player is not None or came_late
        case system.Replacement.NOBODY:
            return came_late
        case system.Replacement.NEWCOMER:
            return seat.replaced_player is not None and seat.player is None


def _is_share_open(board: Board, seat: Seat, boards: Sequence[Board]) -> bool:
    """Whether a late share is in question: only who relieves somebody on two boards has one by the rules (EDC23 D).

    Who took over from such a player before the first orders were published may still have come after the game began.
    """
    if seat.player is None or seat.is_arrival_noted or not (seat.relieved or seat.arrived):
        return False
    others = [other for other in boards if other.round == board.round and other is not board]
    names = {name for other in others for sits in other.seats.values() for name in (sits.player, sits.instead_of)}
    return bool(seat.relieved) or seat.instead_of is None or seat.instead_of not in names


def _guess_doubts(games: Sequence[system.PlayerGame], rules: ScoringRules) -> Iterator[doubts.ScoreGuessed]:
    """The doubts where the scores of a board depend on a guess about its system."""
    if not any(each.guesses for each in rules.systems):
        return
    for spot, seats in groupby(games, lambda game: game.board.spot):
        of_board = list(seats)
        scoring = rules.system_of(of_board[0].board)
        for guess in system.guesses_about(scoring, of_board):
            yield doubts.ScoreGuessed(spot=spot, system=scoring.name, why=guess.why)


def _count_doubts(board: Board, rules: ScoringRules) -> Iterator[ScoringDoubt]:
    """Centres that nobody counted, at the end or after a year that brings points (NZ99 B 1.2)."""
    spot, counted, scoring = board.spot, sum(board.centres.values()), rules.system_of(board)
    if counted + (board.unowned or 0) != board.total:
        yield doubts.CentresMissing(spot=spot, found=counted + (board.unowned or 0), total=board.total)
    if scoring.solo.soloist(board) or system.is_void(board, scoring):
        return
    for part in system.every_part(scoring):
        unknown = [power for power in board.powers if _is_unknown(part, board, power)]
        if isinstance(part, SurvivalUntil) and unknown:
            yield doubts.YearMissing(spot=spot, year=part.year, powers=tuple(unknown))
        if isinstance(part, Centres) and part.year is not None and part.year not in board.years:
            if board.years and max(board.years) < part.year and dict(board.years[max(board.years)]) == board.centres:
                why = f"the game ended before {part.year}: the centres at its end are taken for those of that year"
                yield doubts.ScoreGuessed(spot=spot, system=scoring.name, why=why)
            else:
                yield doubts.YearsUnrecorded(spot=spot, gaps=(part.year,))


def _is_unknown(part: Part, board: Board, power: Power) -> bool:
    """Whether nobody can say if a power lived through a year: it is dead, and the year is not recorded (NZ99 B 1.2).

    Who owned a centre later was alive; who owned none in an earlier year was dead; a game that ended before that
    year, with the counts of its last recorded one, has a rule of its own.
    """
    if not isinstance(part, SurvivalUntil) or board.centres[power] or part.year in board.years:
        return False
    last = max(board.years, default=part.year)
    if last < part.year and all(board.count_owned(each, last) == owned for each, owned in board.centres.items()):
        return False
    lived_later = any(board.count_owned(power, year) for year in board.years if year > part.year)
    dead_before = any(not board.count_owned(power, year) for year in board.years if year < part.year)
    return not lived_later and not dead_before


def _final_doubts(
    event: EventResults, rules: ScoringRules, qualified: ranking.Qualification | None, progress: ranking.Progress
) -> Iterator[ScoringDoubt]:
    """The final table is played once, in its round, by those who qualified for it."""
    final = rules.final
    if not final:
        return
    if progress.final is ranking.FinalState.NOT_MARKED:
        yield doubts.FinalNotMarked(round=final.round)
    if qualified and qualified.undecided and not event.finals and progress.final is not ranking.FinalState.NONE:
        yield doubts.LastSeatsOpen(players=qualified.undecided, seats=qualified.seats, want=qualified.want)
    for board in event.finals:
        spot = board.spot
        if board.round != final.round:
            yield doubts.FinalInOtherRound(spot=spot, round=final.round)
        names = {seat.player for seat in board.seats.values() if seat.player}
        if qualified and qualified.is_held:
            may_sit = {*qualified.finalists, *qualified.undecided}
            if final.moves_up:  # the next take the seats of those who decline
                may_sit |= {one.contender.name for one in qualified.ranking}
            yield from (doubts.NotQualified(spot=spot, player=name) for name in sorted(names - may_sit))
        elif qualified:
            yield doubts.FinalNotHeld(spot=spot, positive=qualified.positive, needed=final.at_least_positive)
    if len(event.finals) > 1:
        yield doubts.SeveralFinals(spots=tuple(board.spot for board in event.finals))


# Standings in words: what decided a place, why somebody has a title. Every sentence is made from the tie-break that
# decided.

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
    is_over = scored.progress.final in (ranking.FinalState.OVER, ranking.FinalState.NONE)
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
    if interim is None or scored.progress.results is not ranking.ResultsState.INTERIM:
        return ()
    source = scored.rules.sources.get("interim.until")
    rule = f" ({source.rule})" if source and source.rule else ""
    return (f"{speech.says(INTERIM[interim.until])}{rule}.",)


def places_shown(scored: Scored) -> Mapping[str, tuple[str, str]]:
    """Place and total of every player, as they are shown."""
    return {
        row.player: (f"{row.place}{'=' if row.is_tied else ''}", format_decimal(row.total, scored.rules.decimals))
        for row in scored.standings.rows
    }


def players_amended(scored: Scored) -> tuple[str, ...]:
    """Whose place or total differs from the results that were published as final, which stand."""
    published = scored.event.published
    if published is None or scored.progress.results is not ranking.ResultsState.FINAL:
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
