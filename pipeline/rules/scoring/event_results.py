"""Read an event's results, as ``ordersheets score`` takes them, into an `EventResults`."""

from collections.abc import Mapping
from typing import Any

from pipeline.problems import Stopped
from pipeline.rules.scoring.board_results import read_boards
from pipeline.rules.scoring.noted_results import (
    read_ballots,
    read_board_games,
    read_bonuses,
    read_honours,
    read_lots,
    read_penalties,
    read_players,
    read_teams,
    read_withdrawals,
)
from pipeline.rules.scoring.result_values import Facts
from pipeline.scoring.results.results import Board, Bonus, Entrant, EventResults, Team
from pipeline.scoring.totals.rules import ChoiceOfBoards, ScoringRules, TwoBoards

KEYS = (
    "id",
    "tournament",
    "players",
    "rounds",
    "penalties",
    "bonuses",
    "teams",
    "votes",
    "board_games",
    "awards",
    "lots",
    "withdrawals",
)


def read_results(document: Mapping[str, Any], rules: ScoringRules) -> EventResults:
    """Read the results of an event, or stop with every fault (`Stopped`)."""
    facts = Facts()
    facts.misspelt(document, KEYS, "")
    if "rounds" not in document:
        facts.fault("rounds", "missing; give a list of rounds with their boards")
    roster = tuple(read_players(facts, document.get("players"), rules))
    facts.names = dict.fromkeys(player.name for player in roster)
    listed = tuple(read_boards(facts, document.get("rounds"), rules))
    boards = tuple(one.board for one in listed if one.has_result)
    withdrawn = tuple(read_withdrawals(facts, document, rules))
    players = everybody(roster, tuple(one.board for one in listed), withdrawn)
    facts.names = dict.fromkeys(players)
    event = EventResults(
        boards=tuple(sorted(boards, key=lambda board: board.round)),
        players=players,
        penalties=tuple(read_penalties(facts, document.get("penalties"), rules)),
        bonuses=(*withdrawn, *read_bonuses(facts, document.get("bonuses"), rules)),
        teams=tuple(read_teams(facts, document.get("teams"))) or teams_of(document.get("players")),
        ballots=read_ballots(facts, document.get("votes"), rules.votes),
        board_games=tuple(read_board_games(facts, document.get("board_games"), rules.board_games)),
        honours=tuple(read_honours(facts, document.get("awards"))),
        lots=tuple(read_lots(facts, document.get("lots"))),
        going_on=frozenset(one.board.spot for one in listed if one.goes_on),
    )
    check_withdrawals(facts, event)
    check_choices(facts, event, rules)
    if facts.problems:
        raise Stopped(dict.fromkeys(facts.problems))
    return event


def everybody(
    roster: tuple[Entrant, ...], boards: tuple[Board, ...], withdrawn: tuple[Bonus, ...]
) -> dict[str, Entrant]:
    """Everyone in the roster, at a board, or withdrawn from one."""
    found = {player.name: player for player in roster}
    for board in boards:
        for seat in board.seats.values():
            for name in (seat.player, seat.instead_of):
                if name:
                    found.setdefault(name, Entrant(name=name))
    for bonus in withdrawn:
        found.setdefault(bonus.player, Entrant(name=bonus.player))
    return found


def teams_of(players: object) -> tuple[Team, ...]:
    """Make the teams that the roster names, where no list of teams is given."""
    members: dict[str, list[str]] = {}
    for one in players if isinstance(players, list) else []:
        if isinstance(one, Mapping) and one.get("team"):
            members.setdefault(str(one["team"]), []).append(str(one.get("name", "")))
    return tuple(Team(name=team, members=tuple(names)) for team, names in members.items())


def check_withdrawals(facts: Facts, event: EventResults) -> None:
    """Nobody plays a round that he withdrew from (EDC23 D)."""
    for bonus in event.bonuses:
        if bonus.kind != "withdrawal" or bonus.round is None:
            continue
        for board in event.boards:
            sitting = [seat.player for seat in board.seats.values()]
            if board.round == bonus.round and bonus.player in sitting:
                text = f"{bonus.player} withdrew from round {bonus.round} but plays on {board.name}"
                facts.fault("bonuses", text)


def check_choices(facts: Facts, event: EventResults, rules: ScoringRules) -> None:
    """A choice between two boards of a round counts, or is refused (EDC23 D)."""
    enough = min(rounds_to_choose(one) for one in (rules, *(reading.rules for reading in rules.readings)))
    for player in event.players.values():
        sat = [(b.round, b.name) for b in event.boards if player.name in (s.player for s in b.seats.values())]
        rounds = len({number for number, _ in sat})
        for number, name in player.chosen.items():
            mine = [board for played, board in sat if played == number]
            if name not in mine:
                text = f"{player.name} chose board {name!r} of round {number} but did not play on it"
            elif rules.totals.two_boards is not TwoBoards.CHOSEN:
                said = rules.totals.two_boards.value
                text = f"nobody chooses which of two boards counts by these rules ({said!r}); leave 'chosen' out"
            elif len(mine) < 2:
                text = f"{player.name} played one board in round {number}; there is nothing to choose"
            elif rounds < enough:
                text = (
                    f"{player.name} has played {rounds} of the {enough} rounds after which one of two boards is "
                    "chosen; until then both count, so leave 'chosen' out"
                )
            else:
                continue
            facts.fault("players", text)


def rounds_to_choose(rules: ScoringRules) -> int:
    """After how many rounds played one of two boards is chosen, by one reading of the rules."""
    if rules.final and rules.final.two_boards is ChoiceOfBoards.BEFORE_THE_FINAL:
        return len(rules.final.qualifying_rounds)
    return rules.totals.rounds
