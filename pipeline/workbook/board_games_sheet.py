"""The Board games sheet: one row a player of each game, points by place and weight, and the places they add up to."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from pipeline.scoring.awards import game_points
from pipeline.scoring.results import BoardGame
from pipeline.scoring.rules import BoardGameRules, BoardGameTies
from pipeline.scoring.score import Scored
from pipeline.scoring.tiebreaks import Contender, FieldOfPlayers
from pipeline.words.names import name_order
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.awards_sheet import WonAward
from pipeline.workbook.input_sheets import HEAD_ROW, YES, range_of
from pipeline.workbook.ranking_columns import Ranking
from pipeline.workbook.seats import Config
from pipeline.workbook.workings_sheet import PLACE_DECIDED

SHEET = "Board games"
NO = to_say("no")
SPARE_ROWS, SPARE_PLAYERS = 24, 8
DECIMALS = 2
TABLE = "Board_game_points"


class BoardGameLine(Struct, frozen=True):
    number: int  # of the game
    game: BoardGame
    place: int
    player: str


class BoardGamesSheet(Struct):
    page: xl.Page
    scored: Scored
    rules: BoardGameRules

    def fill(self) -> WonAward:
        page = self.page
        page.put(1, 1, to_say("Board games"), xl.TITLE)
        hint = wording(
            "One row for each player of a game; equal places are ties. Sheets that are not signed do not count."
        )
        page.put(2, 1, hint, xl.SUBTITLE)
        lines: list[BoardGameLine | None] = [*self.lines(), *[None] * SPARE_ROWS]
        grid = xl.Grid(page, HEAD_ROW, len(lines))
        number = grid.add(to_say("Game no"), [one.number if one else None for one in lines], xl.ENTRY_NUMBER, 8)
        game = grid.add(to_say("Game"), [one.game.game if one else None for one in lines], xl.ENTRY, 24)
        place = grid.add(to_say("Place"), [one.place if one else None for one in lines], xl.ENTRY_NUMBER, 7)
        player = grid.add(to_say("Player"), [one.player if one else None for one in lines], xl.ENTRY, 26)
        signed = grid.add(
            to_say("Signed"),
            [wording(YES if one.game.is_signed else NO) if one else None for one in lines],
            xl.ENTRY_NUMBER,
            8,
        )
        yes_or_no = xl.quote_text(",".join(map(page.speech.says, (YES, NO))))
        page.allow_list([range_of(signed)], yes_or_no, to_say("Signed"), to_say("yes or no"))
        names, weights = self.weights_table(grid.column + 12)
        page.allow_list([range_of(game)], names.here, to_say("Game"), to_say("one of the listed games"))
        page.count_no_words([YES, NO], signed)
        page.count_no_numbers(number, place, weights)
        won = self.add_points(grid, lines, (number, game, place, player, signed), (names, weights))
        return self.add_places(grid.column + 1, player, won)

    def lines(self) -> list[BoardGameLine]:
        """The engine's games, player by player; a place is one more than those ahead."""
        board_game_lines = []
        for number, game in enumerate(self.scored.event.board_games, start=1):
            place = 1
            for level in game.places:
                board_game_lines += [BoardGameLine(number, game, place, name) for name in level]
                place += len(level)
        return board_game_lines

    def weights_table(self, column: int) -> tuple[xl.BookColumn, xl.BookColumn]:
        page, games = self.page, list(self.rules.weights.items())
        page.row(HEAD_ROW, column, (to_say("Listed game"), to_say("Weight")), xl.HEAD)
        for row, (name, weight) in enumerate(games, start=HEAD_ROW + 1):
            page.put(row, column, name, xl.TEXT)
            page.put(row, column + 1, weight, xl.ENTRY_NUMBER.but(form="General"))
        page.widths |= {column: 24, column + 1: 8}
        last = HEAD_ROW + max(len(games), 1)
        return xl.BookColumn(SHEET, column, HEAD_ROW + 1, last), xl.BookColumn(SHEET, column + 1, HEAD_ROW + 1, last)

    def add_points(
        self,
        grid: xl.Grid,
        lines: Sequence[BoardGameLine | None],
        inputs: Sequence[xl.BookColumn],
        table: tuple[xl.BookColumn, xl.BookColumn],
    ) -> xl.BookColumn:
        """Points of the place among so many players, times the weight of the game."""
        number, game, place, _, signed = inputs
        least = min(self.rules.points)
        contents: list[xl.Content] = []
        for row, one in zip(grid.rows, lines, strict=True):
            own, at_place = number.cell(row), place.cell(row)
            of_game = f"{number.here},{own}"
            players, level = f"COUNTIFS({of_game})", f"COUNTIFS({of_game},{place.here},{at_place})"
            ahead = f'COUNTIFS({of_game},{place.here},"<"&{at_place})'
            given = self.shared_points(f"{players}-{least - 1}", ahead, level)
            weight = f"INDEX({table[1].here},MATCH({game.cell(row)},{table[0].here},0))"
            counts = f"AND(ISNUMBER({own}),{signed.cell(row)}={self.page.word(YES)})"
            value = game_points(one.game, self.rules)[one.player] if one and one.game.is_signed else Fraction()
            contents.append(xl.LiveFormula(f"IF({counts},IFERROR({given}*{weight},0),0)", value))
        return grid.add(to_say("Points"), contents, xl.points(DECIMALS).but(form="0.00;-0.00;"), 9)

    def shared_points(self, row: str, ahead: str, level: str) -> str:
        """What the table gives; the tied take the lowest of their places, or its average."""
        if self.rules.ties is BoardGameTies.LOWER:
            return f"INDEX({TABLE},{row},{ahead}+{level})"
        return f"SUM(INDEX({TABLE},{row},{ahead}+1):INDEX({TABLE},{row},{ahead}+{level}))/{level}"

    def add_places(self, column: int, player: xl.BookColumn, won: xl.BookColumn) -> WonAward:
        """What each player's games add up to, and the places."""
        rows = sorted(self.scored.board_games, key=lambda one: name_order(one.player))
        page = self.page
        page.widths[column - 1] = 3
        grid = xl.Grid(page, HEAD_ROW, len(rows) + SPARE_PLAYERS, column)
        padded = [*rows, *[None] * SPARE_PLAYERS]
        name = grid.add(to_say("Competitor"), [one.player if one else None for one in padded], xl.ENTRY, 26)
        sums: list[xl.Content] = []
        played: list[xl.Content] = []
        for row, one in zip(grid.rows, padded, strict=True):
            mine = f"EXACT({player.here},{name.cell(row)})"
            total = f'IF({name.cell(row)}="",0,SUMPRODUCT({mine}*{won.here}))'
            sums.append(xl.LiveFormula(xl.key(total), one.points if one else 0))
            played.append(
                xl.LiveFormula(f'IF({name.cell(row)}="",0,IF(SUMPRODUCT({mine}*1)>0,1,0))', int(one is not None))
            )
        total_column = grid.add(to_say("Total"), sums, xl.points(DECIMALS).but(bold=True), 9)
        eligible = grid.add(to_say("Plays"), played, xl.WHOLE, 6)
        contenders = {
            row: Contender(name=one.player, total=one.points, games=())
            for row, one in zip(grid.rows, padded, strict=True)
            if one
        }
        ranked = Ranking.of(grid, name, contenders, FieldOfPlayers(), ()).fill(eligible, total_column, PLACE_DECIDED)
        cells = f"{xl.at(grid.first, column)}:{xl.at(grid.last, column + 1)}"
        page.mark(cells, f"{ranked.place.cell(grid.first)}=1", fill=xl.GOLD)
        page.freeze, page.repeat, page.landscape = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", True
        first = [one for one in self.scored.board_games if one.place == 1]
        return WonAward(
            title=self.rules.title,
            names=name,
            total=total_column,
            ranked=ranked,
            winners=tuple(one.player for one in first),
            points=first[0].points if first else Fraction(),
            decision="",
            decimals=DECIMALS,
        )


def enter_points(config: Config, rules: BoardGameRules) -> None:
    """Enter the points by place into Config, one row for each number of players from the least on."""
    config.section(to_say("Board games"))
    counts = range(min(rules.points), max(rules.points) + 1)
    rows = [rules.points.get(count, ()) or (Fraction(),) for count in counts]
    config.table(
        TABLE,
        rows,
        [wording("Points by place, {count:player|players}", count=count) for count in counts],
        "awards.board_games",
    )


# The Orders and Rulings sheets: what was ordered and what came of it, and what the director ruled; plain rows.

ORDERS, RULINGS = "Orders", "Rulings"
LOG_HEAD_ROW = 4


class OrderLine(Struct, frozen=True, kw_only=True):
    """One order with its result and reason."""

    round: int
    board: str
    phase: str  # "S1901M"
    power: str
    order: str  # canonical, or as it was written where it has no meaning
    result: str  # "succeeds", "fails", ...
    reason: str
    ruled: bool = False  # a person decided what it means


class RulingLine(Struct, frozen=True, kw_only=True):
    when: str
    round: int
    board: str
    phase: str
    power: str
    written: str  # what stands on the paper
    ruling: str  # what it was ruled to mean
    rule: str  # "EDC96 8"
    by: str
    why: str


def fill_orders(page: xl.Page, orders: Sequence[OrderLine]) -> None:
    page.put(1, 1, to_say("Orders"), xl.TITLE)
    page.put(
        2,
        1,
        wording("Every order as it was adjudicated, with its result and the reason; the buttons filter."),
        xl.SUBTITLE,
    )
    grid = xl.Grid(page, LOG_HEAD_ROW, len(orders))
    grid.add(to_say("Round"), [one.round for one in orders], xl.CENTRED, 7)
    grid.add(to_say("Board"), [one.board for one in orders], xl.CENTRED, 8)
    grid.add(to_say("Phase"), [one.phase for one in orders], xl.CENTRED, 9)
    grid.add(to_say("Power"), [page.speech.power(one.power) for one in orders], xl.TEXT, 11)
    grid.add(to_say("Order"), [one.order for one in orders], xl.TEXT.but(bold=True), 30)
    result = grid.add(to_say("Result"), [wording(one.result) if one.result else None for one in orders], xl.CENTRED, 11)
    grid.add(to_say("Reason"), [one.reason for one in orders], xl.WRAPPED, 62)
    ruled: list[xl.Content] = [wording("ruled") if one.ruled else None for one in orders]
    grid.add(to_say("Ruled"), ruled, xl.CENTRED, 8)
    _finish(page, grid)
    cells, own = f"F{LOG_HEAD_ROW + 1}:F{grid.last}", result.cell(grid.first)
    page.mark(cells, _one_of(page, own, ("illegal", "invalid")), fill=xl.RED)
    page.mark(cells, _one_of(page, own, ("fails", "cut", "disrupted")), fill=xl.AMBER)


def _one_of(page: xl.Page, cell: str, results: Sequence[str]) -> str:
    return f"OR({','.join(f'{cell}={page.word(result)}' for result in results)})"


def fill_rulings(page: xl.Page, rulings: Sequence[RulingLine]) -> None:
    page.put(1, 1, to_say("Rulings"), xl.TITLE)
    page.put(2, 1, wording("What the director ruled, under which rule and why."), xl.SUBTITLE)
    grid = xl.Grid(page, LOG_HEAD_ROW, len(rulings))
    grid.add(to_say("When"), [one.when for one in rulings], xl.CENTRED, 17)
    grid.add(to_say("Round"), [one.round for one in rulings], xl.CENTRED, 7)
    grid.add(to_say("Board"), [one.board for one in rulings], xl.CENTRED, 8)
    grid.add(to_say("Phase"), [one.phase for one in rulings], xl.CENTRED, 9)
    grid.add(to_say("Power"), [page.speech.power(one.power) for one in rulings], xl.TEXT, 11)
    grid.add(to_say("Written"), [one.written for one in rulings], xl.TEXT, 24)
    grid.add(to_say("Ruled as"), [one.ruling for one in rulings], xl.TEXT.but(bold=True), 24)
    grid.add(to_say("Rule"), [one.rule for one in rulings], xl.CENTRED, 12)
    grid.add(to_say("By"), [one.by for one in rulings], xl.TEXT, 16)
    grid.add(to_say("Why"), [one.why for one in rulings], xl.WRAPPED, 44)
    _finish(page, grid)


def _finish(page: xl.Page, grid: xl.Grid) -> None:
    """Filters, headings on every page, landscape; a list without rows is hidden."""
    page.hidden = grid.length == 0
    page.filtered = f"A{LOG_HEAD_ROW}:{xl.at(grid.last, grid.column - 1)}"
    page.freeze, page.repeat, page.landscape = f"A{LOG_HEAD_ROW + 1}", f"{LOG_HEAD_ROW}:{LOG_HEAD_ROW}", True
