"""The rows of an event: one a seat, the seats of a board below one another; and the players, numbered by name."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.scoring.results import FIRST_YEAR, Board, Entrant, EventResults, Seat, Spot, sum_points
from pipeline.scoring.rules import RuleSource, ScoringRules
from pipeline.scoring.system import PlayerGame, every_part
from pipeline.scoring.tiebreaks import CentresInYear
from pipeline.words.names import name_order
from pipeline.words.speech import to_say
from pipeline.workbook import page as xl

LEAST_YEARS = 8  # 1901 to 1908, the longest game any of the five tournaments plans but for WDC08's top board


class SeatRow(Struct, frozen=True):
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
        """Whether it is the row with the cells about the whole board."""
        return self.row == self.first

    @property
    def powers(self) -> int:
        return self.last - self.first + 1


class ScoredEvent(Struct, frozen=True):
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

    def is_both(self, seat: SeatRow) -> bool:
        """Say whether the director said that both of a player's boards in the round count."""
        number = self.numbers.get(seat.seat.player or "", 0)
        return number > 0 and seat.board.round in self.players[number - 1].both

    def boards(self) -> Iterator[tuple[SeatRow, ...]]:
        start = 0
        while start < len(self.seats):
            size = self.seats[start].powers
            yield self.seats[start : start + size]
            start += size

    def of(self, name: str) -> Sequence[SeatRow]:
        """A player's seats in the order of the rows."""
        return self.by_player.get(name, ())


def event(
    results: EventResults,
    rules: ScoringRules,
    scored: Sequence[PlayerGame],
    to_come: Sequence[Board],
    first_row: int,
) -> ScoredEvent:
    """Number the players and lay the seats out; ``to_come`` are boards that are drawn and not over."""
    finished: dict[Spot, dict[Power, PlayerGame]] = {}
    for game in scored:
        finished.setdefault(game.board.spot, {})[game.power] = game
    boards = sorted([*results.boards, *to_come], key=lambda board: board.round)
    seats: list[SeatRow] = []
    row = first_row
    for board in boards:
        last = row + len(board.powers) - 1
        games = finished.get(board.spot, {})
        for offset, power in enumerate(board.powers):
            seats.append(SeatRow(row + offset, row, last, board, power, board.seats[power], games.get(power)))
        row = last + 1
    names = _everyone(results, seats)
    players = tuple(results.players.get(name, Entrant(name=name)) for name in sorted(names, key=name_order))
    played = {board.round for board in boards} | set(range(1, max(rules.totals.rounds, 1) + 1))
    most = _most_boards(seats)
    numbers = {player.name: number for number, player in enumerate(players, start=1)}
    by_player: dict[str, list[SeatRow]] = {}
    for seat in seats:
        if seat.seat.player:
            by_player.setdefault(seat.seat.player, []).append(seat)
    years = _recorded_years(boards, rules)
    return ScoredEvent(players, tuple(seats), years, tuple(sorted(played)), most, numbers, by_player)


def _everyone(results: EventResults, seats: Sequence[SeatRow]) -> set[str]:
    """All names of an event: registered, seated, replaced, on a team, with a bonus or a penalty."""
    seated = {name for seat in seats for name in (seat.seat.player, seat.seat.instead_of) if name}
    seated |= {name for seat in seats for name in seat.seat.former_players}
    noted = {one.player for one in results.bonuses} | {one.player for one in results.penalties}
    members = {member for team in results.teams for member in team.members}
    graded = {ballot.player for ballot in results.ballots}
    return seated | noted | graded | members | results.players.keys()


def _recorded_years(boards: Sequence[Board], rules: ScoringRules) -> tuple[int, ...]:
    """The years with a column: what is recorded, what the rules ask for, and the usual length of a game."""
    years = {year for board in boards for year in board.years}
    ties = rules.ties
    titles = (title.ties for title in rules.awards.titles)
    chains = (ties.players, ties.qualifying, ties.final, ties.teams, ties.powers, *titles)
    years |= {step.year for chain in chains for step in chain if isinstance(step, CentresInYear)}
    years |= {part.year_column for each in rules.systems for part in every_part(each) if part.year_column is not None}
    first, last = min(years | {FIRST_YEAR}), max(years | {FIRST_YEAR + LEAST_YEARS - 1})
    return tuple(range(first, last + 1))


def _most_boards(seats: Sequence[SeatRow]) -> int:
    """The most boards one player sits on in one round."""
    counts: dict[tuple[str, int], int] = {}
    for seat in seats:
        if seat.seat.player:
            place = (seat.seat.player, seat.board.round)
            counts[place] = counts.get(place, 0) + 1
    return max(counts.values(), default=1)


# The Config sheet: every number of the rules, a named cell that formulas use and the director may change.

SHEET = to_say("Config")
ADDED_UP = to_say("added up from the first place on")
FIRST_ROW, LABEL, NAME, RULE, VALUE = 5, 1, 2, 3, 4  # rows and columns
NUMBER = xl.ENTRY.but(align="center")

Number = int | Fraction


class Config(Struct):
    """The sheet while it is being made: ask for a named cell, get the name to write in a formula."""

    page: xl.Page
    sources: Mapping[str, RuleSource] = field(default_factory=dict)  # setting -> the rule it comes from
    names: dict[str, str] = field(default_factory=dict)  # name -> absolute reference
    row: int = FIRST_ROW

    def section(self, title: str) -> None:
        """Begin a group of settings."""
        self.row += self.row > FIRST_ROW
        for column in range(LABEL, VALUE + 8):
            self.page.put(self.row, column, title if column == LABEL else None, xl.SECTION)
        self.row += 1

    def number(self, name: str, value: Number | None, label: str, rule: str = "") -> str:
        """Enter one number; returns its name. None leaves the cell empty. ``rule`` is the setting in the rules file."""
        return self.values(name, [value], label, rule, NUMBER)

    def numbers(self, name: str, values: Sequence[Number], label: str, rule: str = "") -> str:
        """Enter a list of numbers side by side; the name is the whole list, for INDEX.

        A list of one takes in the empty cell beside it: Gnumeric's INDEX finds nothing in a single cell.
        """
        first, last = xl.fixed_cell(self.row, VALUE), xl.fixed_cell(self.row, VALUE + max(len(values), 2) - 1)
        self.values(name, values, label, rule, NUMBER)
        self.names[name] = f"{SHEET}!{first}:{last}"
        return name

    def running(self, name: str, values: Sequence[Number], label: str, rule: str = "") -> str:
        """Enter a list and, below it, its running sums from 0 on; returns the name of the running sums."""
        self.numbers(name, values, label, rule)
        inputs = self.row - 1
        sums: list[xl.Content] = [0]
        for k in range(1, len(values) + 1):
            total = sum_points(values[:k])
            sums.append(
                xl.LiveFormula(f"SUM({xl.fixed_cell(inputs, VALUE)}:{xl.fixed_cell(inputs, VALUE + k - 1)})", total)
            )
        sums += [xl.LiveFormula(f"{xl.fixed_cell(self.row, VALUE + len(values))}", sum_points(values))] * (
            8 - len(sums)
        )
        return self.values(f"{name}_sums", sums, f"    {self.page.speech.says(ADDED_UP)}", "", xl.CENTRED)

    def table(self, name: str, rows: Sequence[Sequence[Number]], labels: Sequence[str], rule: str = "") -> str:
        """Enter a table of numbers; the name is the whole of it, for INDEX with row and column."""
        first, width = self.row, max(len(row) for row in rows)
        for label, row in zip(labels, rows, strict=True):
            self.line([*row, *[0] * (width - len(row))], label, "", rule, NUMBER)
        self.page.put(first, NAME, name, xl.QUIET)
        self.names[name] = (
            f"{SHEET}!{xl.fixed_cell(first, VALUE)}:{xl.fixed_cell(self.row - 1, VALUE + max(width, 2) - 1)}"
        )
        return name

    def values(self, name: str, contents: Sequence[xl.Content], label: str, rule: str, look: xl.Look) -> str:
        """Enter cells under a name."""
        last = f":{xl.fixed_cell(self.row, VALUE + len(contents) - 1)}" if len(contents) > 1 else ""
        self.names[name] = f"{SHEET}!{xl.fixed_cell(self.row, VALUE)}{last}"
        self.line(contents, label, name, rule, look)
        return name

    def line(self, contents: Sequence[xl.Content], label: str, name: str, rule: str, look: xl.Look) -> None:
        self.page.put(self.row, LABEL, self.page.speech.says(label), xl.TEXT)
        self.page.put(self.row, NAME, name or None, xl.QUIET)
        source = self.sources.get(rule)
        self.page.put(self.row, RULE, source.rule if source else None, xl.QUIET)
        self.page.row(self.row, VALUE, contents, look)
        self.row += 1

    def finish(self, event_name: str, tournament: str) -> xl.Page:
        """Write the headings and set the sheet up for printing."""
        page = self.page
        page.put(1, 1, page.speech.says("Config: {event}", event=event_name), xl.TITLE)
        page.merge(
            2,
            1,
            VALUE + 7,
            page.speech.says(
                "The numbers that the formulas use, from the rules of {tournament}. Yellow cells may be changed.",
                tournament=tournament,
            ),
            xl.NOTE,
        )
        page.row(4, LABEL, (to_say("Setting"), to_say("Name in formulas"), to_say("Rule")), xl.HEAD_LEFT)
        page.merge(4, VALUE, VALUE + 7, to_say("Value"), xl.HEAD)
        page.widths |= {LABEL: 46, NAME: 24, RULE: 34} | dict.fromkeys(range(VALUE, VALUE + 8), 9)
        page.freeze, page.repeat, page.landscape = "A5", "4:4", True
        return page
