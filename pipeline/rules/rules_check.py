"""Look a rules file through: every fault with its line, what is worth knowing, and what some boards would pay."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.board.map import Power
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.load import read_tournament
from pipeline.rules.scoring.fit import misfits
from pipeline.rules.toml.line_numbers import line_of, lines_of
from pipeline.rules.toml.table import read_toml_text
from pipeline.rules.tournament import Tournament
from pipeline.scoring.games.system import System, score_board
from pipeline.scoring.games.year_counts import looks_at_years
from pipeline.scoring.results.exact import shown
from pipeline.scoring.results.results import Board, Seat
from pipeline.scoring.totals.rules import ScoringRules
from pipeline.scoring.totals.tiebreaks import Distance, TieLot

Counts = tuple[int, ...]
TYPICAL: Mapping[int, Counts] = {  # after each Fall; two are eliminated, in 1904 and in 1906
    1901: (5, 5, 5, 5, 5, 4, 4),
    1902: (6, 6, 5, 5, 5, 4, 3),
    1903: (7, 7, 6, 5, 4, 4, 1),
    1904: (8, 8, 6, 5, 4, 3, 0),
    1905: (10, 8, 6, 4, 4, 2, 0),
    1906: (11, 9, 6, 4, 4, 0, 0),
    1907: (12, 9, 6, 4, 3, 0, 0),
}
SHARED: Mapping[int, Counts] = {
    1901: (5, 5, 4, 5, 5, 5, 4),
    1902: (7, 8, 5, 5, 5, 4, 0),
    1903: (9, 9, 5, 5, 5, 1, 0),
    1904: (10, 10, 5, 5, 4, 0, 0),
}
SOLO: Mapping[int, Counts] = {
    1901: (5, 5, 5, 5, 4, 5, 4),
    1902: (8, 7, 5, 5, 4, 5, 0),
    1903: (13, 7, 6, 5, 3, 0, 0),
    1904: (18, 8, 5, 3, 0, 0, 0),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a file, and where."""

    line: int | None
    path: str  # "scoring.parts[1].each"
    text: str

    def __str__(self) -> str:
        place = f"line {self.line}, {self.path}" if self.line else self.path
        return f"{place}: {self.text}"


@dataclass(frozen=True, slots=True)
class CheckedRules:
    """What a look at a rules file finds."""

    faults: tuple[Fault, ...]  # in the order of the file
    notes: tuple[str, ...]  # what is worth knowing, and hinders nothing
    tournament: Tournament | None  # None: the file cannot be read


def check_rules(text: str, path: Path) -> CheckedRules:
    """Look through the text of a rules file that stands, or would stand, at ``path``."""
    try:
        values = read_toml_text(text)
    except ValueError as error:
        return CheckedRules((Fault(None, path.name, f"not TOML: {error}"),), (), None)
    lines = lines_of(text)
    try:
        tournament = read_tournament(values, path)
    except Stopped as stopped:
        return CheckedRules(placed(stopped.problems, path.name, lines), (), None)
    strange = [Problem(Weight.STOPS, what, f"{path.name} {where}") for where, what in misfits(tournament.scoring)]
    return CheckedRules(placed(strange, path.name, lines), tuple(notes(tournament, values)), tournament)


def placed(problems: Iterable[Problem], name: str, lines: Mapping[str, int]) -> tuple[Fault, ...]:
    """Give faults their lines, and the order of the file."""
    found = []
    for problem in problems:
        where = problem.where.removeprefix(name).strip() or name
        line = line_of(lines, where) or line_of(lines, f"tournament.{where}")  # a table of abbreviations says its name
        found.append(Fault(line, where, problem.text))
    return tuple(sorted(dict.fromkeys(found), key=lambda fault: (fault.line or 0, fault.path)))


def notes(tournament: Tournament, values: Mapping[str, Any]) -> Iterator[str]:
    """What the director has to do, or may have overlooked."""
    rules = tournament.scoring
    if not values.get("scoring", {}).get("solo") and rules.system.solo.winner is None:
        yield "no [scoring.solo]: a soloist gets the sum of the blocks like everybody, and the others nothing"
    if looks_at_years(rules.system):
        yield "points depend on who was eliminated when: a board that is entered by hand needs every year's counts"
    chains = (rules.ties.players, rules.ties.qualifying, rules.ties.final, rules.ties.powers)
    steps = [step for chain in chains for step in chain]
    if any(isinstance(step, Distance) for step in steps):
        yield "the tie-break 'distance' needs a column 'distance km' in the roster"
    if any(isinstance(step, TieLot) for step in steps):
        yield "the tie-break 'lot' is drawn by you: enter the order of the names"
    if not rules.ties.players:
        yield "no tie-break for players: equal totals share a place"
    asks = len(tournament.unsettled())
    yield f"you are asked on {asks} switches: ordersheets rules FILE --open"


@dataclass(frozen=True, slots=True)
class Payment:
    """What a board pays, for people."""

    title: str
    centres: Counts
    scores: tuple[str, ...]


def payments(rules: ScoringRules) -> tuple[Payment, ...]:
    """What three boards would pay: one with a leader, one with two, and a solo."""
    boards = (("12-9-6-4-3-0-0", TYPICAL), ("two at the top", SHARED), ("a solo", SOLO))
    return tuple(payment(title, years, rules.system, rules.decimals) for title, years in boards)


def payment(title: str, years: Mapping[int, Counts], system: System, decimals: int) -> Payment:
    """What one board pays."""
    games = score_board(board_of(years), system)
    return Payment(title, years[max(years)], tuple(shown(game.score, decimals) for game in games))


def board_of(years: Mapping[int, Counts]) -> Board:
    """A board with these counts after each Fall, and nobody's name on it."""
    charted = {year: dict(zip(Power, counts, strict=True)) for year, counts in years.items()}
    seats = {power: Seat(player=None) for power in Power}
    return Board(round=1, name="A", seats=seats, centres=charted[max(charted)], years=charted)
