"""Boards and events for the tests: counts in the order Austria, England, France, Germany, Italy, Russia, Turkey."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from pipeline.board import Power
from pipeline.rules.load import load_tournament
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.results import SANDARD_CENTRES, Board, Entrant, EventResults, ScoreRuling, Seat
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import Scored, score
from pipeline.scoring.system import System, score_board

TOURNAMENTS = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
SIX = tuple(power for power in Power if power is not Power.TURKEY)


@cache
def rules(tournament: str) -> ScoringRules:
    """The scoring rules that come with the program."""
    return read_scoring(load_tournament(tournament).points, tournament)


def board(
    counts: Sequence[int],
    *,
    number: int = 1,
    name: str = "A",
    players: str = "",
    years: Mapping[int, Sequence[int]] | None = None,
    **more: Any,
) -> Board:
    """One board; ``players`` has one letter for each seat, ``-`` for nobody."""
    powers = tuple(Power) if len(counts) == 7 else SIX
    names = [None if letter == "-" else letter for letter in players.ljust(len(powers), "-")]
    return Board(
        round=number,
        name=name,
        seats={power: Seat(player=player) for power, player in zip(powers, names, strict=True)},
        centres=dict(zip(powers, counts, strict=True)),
        years={year: dict(zip(powers, owned, strict=True)) for year, owned in (years or {}).items()},
        **more,
    )


def event(*boards: Board, players: Sequence[Entrant] = (), **notes: Any) -> EventResults:
    """One event; everybody on a board is registered."""
    names = {seat.player for one in boards for seat in one.seats.values() if seat.player}
    everybody = {name: Entrant(name=name) for name in sorted(names)} | {player.name: player for player in players}
    return EventResults(boards=boards, players=everybody, **notes)


def scored(tournament: str, *boards: Board, **notes: Any) -> Scored:
    """An event scored under a tournament's own rules."""
    return score(event(*boards, **notes), rules(tournament))


def points(system: System, counts: Sequence[int], **more: Any) -> list[Fraction]:
    """What each seat of a board gets before rounding."""
    if len(counts) == 6:
        more.setdefault("total", SANDARD_CENTRES)
    return [game.unrounded for game in score_board(board(counts, **more), system)]


def counted(system: System, counts: Sequence[int], **more: Any) -> list[Fraction]:
    """What each seat of a board gets."""
    return [game.score for game in score_board(board(counts, **more), system)]


def totals(one: Scored) -> dict[str, Fraction]:
    """Everybody's total."""
    return {row.player: row.total for row in one.standings.rows}


def order(one: Scored) -> list[tuple[int, str]]:
    """Places and players from the top."""
    return [(row.place, row.player) for row in one.standings.rows]


def why(one: Scored, player: str) -> str | None:
    """What decided a player's place among equal totals."""
    decision = next(row.decision for row in one.standings.rows if row.player == player)
    return str(decision) if decision else None


def doubts(one: Scored) -> list[str]:
    """What the director is asked, in words."""
    return [f"{doubt.where}: {doubt.text}" for doubt in one.doubts]


def distributions(total: int = 34, powers: int = 7, most: int = 17) -> Iterator[tuple[int, ...]]:
    """Every way to share centres among powers, highest first."""
    if powers == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        if first * powers < total:
            return
        for rest in distributions(total - first, powers - 1, first):
            yield first, *rest


def ruled(number: int, scores: Mapping[str, object], *, name: str = "A", **more: Any) -> Board:
    """A board whose scores are given: each player has a power, in order, and the score of a ruling."""
    seats = {power: Seat(player=None) for power in Power}
    for power, (player, given) in zip(Power, scores.items(), strict=False):
        seats[power] = Seat(player=player, ruling=ScoreRuling(Fraction(str(given)), "test"))
    centres = dict(zip(Power, (10, 8, 6, 4, 3, 2, 1), strict=True))
    return Board(round=number, name=name, seats=seats, centres=centres, **more)


def rounds(player: str, *scores: object) -> list[Board]:
    """One board a round for one player; None for a round not played."""
    return [ruled(number, {player: s}, name=player) for number, s in enumerate(scores, start=1) if s is not None]
