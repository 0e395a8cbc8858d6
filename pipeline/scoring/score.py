"""Everything that follows from an event's results under a tournament's rules."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring import awards, ranking, system
from pipeline.scoring.awards import Award, BestPower, BoardGameRow, Graded, TeamRow
from pipeline.scoring.doubts import ScoringDoubt
from pipeline.scoring.extras import WITHDRAWAL
from pipeline.scoring.find_doubts import final_doubts, game_doubts, level_doubts
from pipeline.scoring.progress import Progress
from pipeline.scoring.qualification import DifferingReading, Qualification, find_differing_readings, qualification
from pipeline.scoring.results import Board, Ending, EventResults, Spot
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.tally import Tally


class Scored(Struct, frozen=True, kw_only=True):
    """The scores of an event, and all that is made of them."""

    event: EventResults
    rules: ScoringRules
    games: tuple[system.PlayerGame, ...]  # every seat of every board, in the order of the boards
    standings: ranking.Standings
    qualification: Qualification | None  # who is on the final table; None before that is known, or without one
    titles: tuple[ranking.TitleRanking, ...]  # the rankings that make further titles
    teams: tuple[TeamRow, ...]
    powers: tuple[BestPower, ...]
    grades: tuple[Graded, ...]
    board_games: tuple[BoardGameRow, ...]
    awards: tuple[Award, ...]  # those that are not due say who leads
    progress: Progress
    doubts: tuple[ScoringDoubt, ...]  # what the director must still say, and what is against the rules
    readings: tuple[DifferingReading, ...] = ()  # second readings that would change the final table


def score(event: EventResults, rules: ScoringRules) -> Scored:
    """Score boards, add games up, rank players and teams, give awards.

    Every number comes from the results and the rules; nothing is cached.
    """
    games = _score_boards(event.boards, rules)
    return replace(_score_games(event, games, rules), readings=tuple(find_differing_readings(event, games, rules)))


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
    qualified: Qualification | None = None  # None: who is on the final table must be found again


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
    qualified = kept.qualified or qualification(event, games, rules, kept.qualifying)
    progress = Progress.of(event, rules, is_final_held=qualified is None or qualified.is_held)
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
            *game_doubts(event, games, rules),
            *ranked.doubts,
            *final_doubts(event, rules, qualified, progress),
            *team_doubts,
            *level_doubts(powers, titles),
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
