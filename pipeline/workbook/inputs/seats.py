"""The rows of an event: one a seat, the seats of a board below one another; and the players, numbered by name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.scoring.games.parts import SurvivalUntil
from pipeline.scoring.games.system import PlayerGame, score_board
from pipeline.scoring.games.year_counts import every_part
from pipeline.scoring.results.results import FIRST_YEAR, Board, Entrant, EventResults, Seat
from pipeline.scoring.totals.rules import ScoringRules
from pipeline.scoring.totals.tiebreaks import CentresInYear

LEAST_YEARS = 8  # 1901 to 1908, the longest game any of the five tournaments plans but for WDC08's top board


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat, where it stands on the sheets, and its game if that is over."""

    row: int
    first: int  # the first row of its board
    last: int  # the last
    board: Board
    power: Power
    seat: Seat
    game: PlayerGame | None  # None: not played to an end yet

    @property
    def opens_board(self) -> bool:
        """Whether it is the row that carries what is said of the whole board."""
        return self.row == self.first

    @property
    def powers(self) -> int:
        """How many powers the game has."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class ScoredEvent:
    """Everything the sheets are made from, in the order of their rows."""

    players: tuple[Entrant, ...]  # by name: who shares a place stands in this order
    seats: tuple[SeatRow, ...]
    years: tuple[int, ...]
    rounds: tuple[int, ...]
    boards_a_round: int  # the most boards one player sits on in one round
    numbers: Mapping[str, int]  # of each player
    by_player: Mapping[str, Sequence[SeatRow]]  # a player's seats in the order of the rows

    def is_chosen(self, seat: SeatRow) -> bool:
        """Say whether the player chose this one of two boards in the round."""
        name = seat.seat.player
        number = self.numbers.get(name, 0) if name else 0
        return number > 0 and self.players[number - 1].chosen.get(seat.board.round) == seat.board.name

    def boards(self) -> Iterator[tuple[SeatRow, ...]]:
        """The seats board by board."""
        start = 0
        while start < len(self.seats):
            size = self.seats[start].powers
            yield self.seats[start : start + size]
            start += size

    def of(self, name: str) -> Sequence[SeatRow]:
        """A player's seats in the order of the rows."""
        return self.by_player.get(name, ())


def event(results: EventResults, rules: ScoringRules, to_come: Sequence[Board], first_row: int) -> ScoredEvent:
    """Number the players and lay the seats out; ``to_come`` are boards that are drawn and not over."""
    finished = {id(board): {game.power: game for game in score_board(board, rules.system)} for board in results.boards}
    boards = sorted([*results.boards, *to_come], key=lambda board: board.round)
    seats: list[SeatRow] = []
    row = first_row
    for board in boards:
        last = row + len(board.powers) - 1
        games = finished.get(id(board), {})
        for offset, power in enumerate(board.powers):
            seats.append(SeatRow(row + offset, row, last, board, power, board.seats[power], games.get(power)))
        row = last + 1
    names = everyone(results, seats)
    players = tuple(results.players.get(name, Entrant(name=name)) for name in sorted(names))
    played = {board.round for board in boards} | set(range(1, rules.totals.rounds + 1))
    most = most_boards(seats)
    numbers = {player.name: number for number, player in enumerate(players, start=1)}
    by_player: dict[str, list[SeatRow]] = {}
    for seat in seats:
        if seat.seat.player:
            by_player.setdefault(seat.seat.player, []).append(seat)
    years = recorded_years(boards, rules)
    return ScoredEvent(players, tuple(seats), years, tuple(sorted(played)), most, numbers, by_player)


def everyone(results: EventResults, seats: Sequence[SeatRow]) -> set[str]:
    """All names of an event: registered, seated, replaced, on a team, with a bonus or a penalty."""
    seated = {name for seat in seats for name in (seat.seat.player, seat.seat.instead_of) if name}
    noted = {one.player for one in results.bonuses} | {one.player for one in results.penalties}
    members = {member for team in results.teams for member in team.members}
    graded = {ballot.player for ballot in results.ballots}
    return seated | noted | graded | members | results.players.keys()


def recorded_years(boards: Sequence[Board], rules: ScoringRules) -> tuple[int, ...]:
    """The years with a column: what is recorded, what the rules ask for, and the usual length of a game."""
    years = {year for board in boards for year in board.years}
    ties = rules.ties
    chains = (ties.players, ties.qualifying, ties.final, ties.teams, ties.powers)
    years |= {step.year for chain in chains for step in chain if isinstance(step, CentresInYear)}
    years |= {part.year for part in every_part(rules.system) if isinstance(part, SurvivalUntil)}
    first, last = min(years | {FIRST_YEAR}), max(years | {FIRST_YEAR + LEAST_YEARS - 1})
    return tuple(range(first, last + 1))


def most_boards(seats: Sequence[SeatRow]) -> int:
    """The most boards one player sits on in one round."""
    counts: dict[tuple[str, int], int] = {}
    for seat in seats:
        if seat.seat.player:
            place = (seat.seat.player, seat.board.round)
            counts[place] = counts.get(place, 0) + 1
    return max(counts.values(), default=1)
