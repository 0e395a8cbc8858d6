"""Everything that follows from an event's results under a tournament's rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.problems import Problem
from pipeline.scoring.awards import Achievements, Award, awards
from pipeline.scoring.board_games import BoardGameRow, board_game_standings
from pipeline.scoring.counting import ask
from pipeline.scoring.missing_years import year_doubts
from pipeline.scoring.powers import BestPower, best_powers
from pipeline.scoring.qualifying import Qualification, qualification
from pipeline.scoring.readings import Differing, differing
from pipeline.scoring.results import Board, Ending, EventResults
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.standings import Standings, standings
from pipeline.scoring.system import Abandoned, Game, Replacement, score_board
from pipeline.scoring.teams import TeamRow, team_standings
from pipeline.scoring.votes import Graded, graded


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The scores of an event, and all that is made of them."""

    event: EventResults
    rules: ScoringRules
    games: tuple[Game, ...]  # every seat of every board, in the order of the boards
    standings: Standings
    qualification: Qualification | None  # who is on the final table; None before that is known, or without one
    teams: tuple[TeamRow, ...]
    powers: tuple[BestPower, ...]
    grades: tuple[Graded, ...]
    board_games: tuple[BoardGameRow, ...]
    awards: tuple[Award, ...]
    doubts: tuple[Problem, ...]  # what the director must still say, and what is against the rules
    readings: tuple[Differing, ...] = ()  # second readings that would change the final table


def score(event: EventResults, rules: ScoringRules) -> Scored:
    """Boards are scored, games added up, players and teams ranked, awards given.

    Every number comes from the results and the rules; nothing is kept from one call to the next.
    """
    games = tuple(game for board in event.boards for game in score_board(board, rules.system))
    ranking = standings(event, games, rules)
    accounts = {tally.player.name: tally for tally in (*(row.tally for row in ranking.rows), *ranking.unranked)}
    qualified = qualification(event, games, rules)
    teams, team_doubts = team_standings(event, accounts, rules)
    powers = best_powers(event, accounts, rules)
    grades = graded(event, accounts, rules)
    board_games, sheet_doubts = board_game_standings(event, rules)
    done = Achievements(rows=ranking.rows, powers=powers, teams=teams, grades=grades, board_games=board_games)
    return Scored(
        event=event,
        rules=rules,
        games=games,
        standings=ranking,
        qualification=qualified,
        teams=teams,
        powers=powers,
        grades=grades,
        board_games=board_games,
        awards=awards(event, done, rules),
        doubts=(
            *board_doubts(event.boards, rules),
            *year_doubts(event.boards, rules.system),
            *ranking.doubts,
            *final_doubts(event, rules, qualified),
            *team_doubts,
            *level_powers(powers, rules),
            *sheet_doubts,
        ),
        readings=tuple(differing(event, games, rules)),
    )


def board_doubts(boards: Sequence[Board], rules: ScoringRules) -> Iterator[Problem]:
    """What the rules leave to the director on single boards (Weasel III.8; NZ99 5; EDC96 12)."""
    for board in boards:
        where = f"round {board.round}, {board.name}"
        gone = board.ended in (Ending.ABANDONED, Ending.CONCEDED)
        if gone and rules.system.abandoned is Abandoned.ASK and not rules.system.solo.soloist(board):
            yield ask(f"{board.ended}; the rules do not say what it is worth, so its last counts are scored", where)
        if board.ended is Ending.SOLO and not rules.system.solo.soloist(board):
            yield ask("a solo is said, and nobody owns enough centres; it is scored by its counts", where)
        if board.round > rules.totals.rounds:
            yield ask(f"the rules have {rules.totals.rounds} rounds; its games count like the others", where)
        if board.is_final and not rules.final:
            yield ask("marked as the final table, but the rules have none; it counts like any board", where)
        for power, seat in board.seats.items():
            replaced = seat.instead_of is not None or seat.arrived is not None
            if replaced and not seat.ruling and rules.system.replacement is Replacement.ASK:
                yield ask("a replacement; the rules leave the score to the director", f"{where}, {power}")


def final_doubts(event: EventResults, rules: ScoringRules, qualified: Qualification | None) -> Iterator[Problem]:
    """The final table is played once, in its round, by those who qualified for it."""
    if not rules.final:
        return
    for board in event.finals:
        where = f"round {board.round}, {board.name}"
        if board.round != rules.final.round:
            yield ask(f"the final table is played in round {rules.final.round}", where)
        names = {seat.player for seat in board.seats.values() if seat.player}
        if qualified and qualified.is_held and not qualified.undecided:
            for name in sorted(names - set(qualified.finalists)):
                yield ask(f"{name} did not qualify for the final table", where)
        elif qualified and not qualified.is_held:
            yield ask(f"{qualified.positive} players have a positive result; a final table needs more", where)
    if len(event.finals) > 1:
        yield ask(f"{len(event.finals)} boards are marked as the final table", "final table")


def level_powers(powers: Sequence[BestPower], rules: ScoringRules) -> Iterator[Problem]:
    """An award that ends in a lot, or in the director's discretion, waits for him (Weasel XI.2; WDC08 16.3)."""
    if not any(tiebreak.name == "lot" for tiebreak in rules.ties.powers):
        return
    for best in powers:
        if len(best.players) > 1:
            yield ask(f"{', '.join(best.players)} are level; enter their order as lots", f"best {best.power}")
