"""The Boards sheet: centres year by year, one block a board; and the Charts sheet."""

from collections.abc import Set

from msgspec import Struct
from openpyxl.chart import BarChart, LineChart, Series
from openpyxl.chart.data_source import StrRef
from openpyxl.chart.series import SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties

from pipeline.board import Power
from pipeline.scoring.results import AS_IT_IS, Board, Ending, Overruled, sum_points
from pipeline.scoring.score import Scored, scores_by_year
from pipeline.words.speech import Speech, to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import Person, weight_of
from pipeline.workbook.games_sheet import GameColumns
from pipeline.workbook.input_sheets import BOARD, PLAYER, ResultColumns
from pipeline.workbook.seats import ScoredEvent, SeatRow
from pipeline.workbook.workings_sheet import ORDER, WorkingColumns

SHEET = "Boards"
FIRST_ROW = 4
A_PAGE = 5  # boards on one printed page
POWER, END, PLACE = xl.TEXT.but(bold=True), xl.WHOLE.but(bold=True), xl.CENTRED.but(colour=xl.GREY)
FIXED = 2  # columns before the years: power, player


class BoardsSheet(Struct):
    page: xl.Page
    scored: Scored
    event: ScoredEvent
    results: ResultColumns
    games: GameColumns
    row: int = FIRST_ROW

    def fill(self, title: str) -> None:
        page = self.page
        page.put(1, 1, to_say("Boards"), xl.TITLE)
        subtitle = page.speech.says("{title}: supply centres after each Fall, and at the end.", title=title)
        page.put(2, 1, subtitle, xl.SUBTITLE)
        on_page, round_before = 0, 0
        for number, seats in enumerate(self.event.boards()):
            if number and (on_page == A_PAGE or seats[0].board.round != round_before):
                page.breaks.append(self.row - 1)
                on_page = 0
            self.block(seats)
            on_page, round_before = on_page + 1, seats[0].board.round
        page.widths |= {1: 11, 2: 26} | dict.fromkeys(range(3, 3 + len(self.event.years)), 6)
        page.widths |= {self.end: 7, self.end + 1: 7, self.end + 2: 10}
        page.freeze, page.repeat = "C4", "1:2"
        page.area = f"A1:{xl.at(max(self.row - 1, FIRST_ROW), self.end + 2)}"

    @property
    def end(self) -> int:
        """The column of the counts at the end."""
        return FIXED + len(self.event.years) + 1

    def block(self, seats: tuple[SeatRow, ...]) -> None:
        page, first = self.page, seats[0]
        name = self.results.column(BOARD).far(first.row)
        says = page.speech.says
        pool = f"{first.board.pool}, " if first.board.pool else ""
        begins = f"{says('Round {round}', round=first.board.round)}, {pool}{says('board {board}', board='')}"
        how_ended, not_over = _how_ended(first.board, page.speech), f"   {says('not finished')}"
        done, goes_on = xl.quote_text(how_ended), xl.quote_text(not_over)
        is_over = bool(first.game) and first.board.spot not in self.scored.event.going_on
        end = f"IF({self.games.done.far(first.row)}=1,{done if is_over else goes_on},{goes_on})"
        words = xl.LiveFormula(
            f"{xl.quote_text(begins)}&{name}&{end}",
            f"{begins}{first.board.name}{how_ended if is_over else not_over}",
        )
        page.merge(self.row, 1, self.end + 2, words, xl.SECTION)
        heads: tuple[xl.Content, ...] = (
            to_say("Power"), to_say("Player"), *self.event.years, to_say("End"), to_say("Place"), to_say("Score"),
        )  # fmt: skip
        page.row(self.row + 1, 1, heads, xl.HEAD)
        page.row(self.row + 1, 1, (to_say("Power"), to_say("Player")), xl.HEAD_LEFT)
        for offset, seat in enumerate(seats, start=self.row + 2):
            self.line(offset, seat)
        last = self.row + 1 + len(seats)
        for number, overruled in enumerate(seats[0].board.overruled, start=1):
            page.merge(last + number, 1, self.end + 2, self.overruled_end(overruled), xl.SUBTITLE)
        counts = f"{xl.fixed_cell(self.row + 2, self.end)}:{xl.fixed_cell(last, self.end)}"
        own = f"${xl.at(self.row + 2, self.end)}"
        cells = f"{xl.at(self.row + 2, 1)}:{xl.at(last, self.end + 2)}"
        page.mark(cells, f"AND(COUNT({counts})>0,{own}=MAX({counts}))", fill=xl.GOLD)
        page.mark(cells, f"AND(ISNUMBER({own}),{own}=0)", colour="999999")
        self.row = last + 2 + len(seats[0].board.overruled)

    def overruled_end(self, overruled: Overruled) -> str:
        return self.page.speech.says(
            "Ended by the director's word, though {what} ({rule}): {why} ({by})",
            what=self.page.speech.says(overruled.text),
            rule=overruled.rule,
            why=overruled.why,
            by=overruled.by,
        )

    def line(self, row: int, seat: SeatRow) -> None:
        page, game = self.page, seat.game
        page.put(row, 1, page.speech.power(seat.power), POWER)
        page.put(row, 2, _copy_cell(self.results.column(PLAYER).far(seat.row), seat.seat.player), xl.TEXT)
        for offset, year in enumerate(self.event.years):
            owned = seat.board.count_owned(seat.power, year) if year in seat.board.years else None
            page.put(row, FIXED + 1 + offset, _copy_cell(self.results.year(year).far(seat.row), owned), xl.WHOLE)
        centres = _copy_cell(self.games.centres.far(seat.row), game.centres if game else None)
        page.put(row, self.end, centres, END)
        done, above = self.games.done.far(seat.row), self.games.above.far(seat.row)
        shared = f'IF({self.games.equal.far(seat.row)}>1,"=","")'
        tied = "=" if game and game.equal > 1 else ""
        place = xl.LiveFormula(f'IF({done}=1,{above}+1&{shared},"")', f"{game.place}{tied}" if game else "")
        page.put(row, self.end + 1, place, PLACE)
        score = xl.LiveFormula(f'IF({done}=1,{self.games.score.far(seat.row)},"")', game.score if game else "")
        page.put(row, self.end + 2, score, xl.points(self.scored.rules.decimals))


def _how_ended(board: Board, speech: Speech) -> str:
    """Say how a game ended; by which ruling, where the rules do not provide for it, stands below the board."""
    return "" if board.ended is Ending.UNSTATED else f"   {speech.says('ended: {how}', how=speech.says(board.ended))}"


def _copy_cell(there: str, value: xl.Content) -> xl.LiveFormula:
    """Show what another cell holds, nothing for an empty one."""
    shown = "" if value is None or isinstance(value, xl.LiveFormula) else value
    return xl.LiveFormula(f'IF({there}="","",{there})', shown)


# The Charts sheet: the race for the first places, and how the centres of one board went, chosen from a list.

CHARTS_SHEET = "Charts"
SHOWN = 8  # players in the race
COLOURS = ("1F77B4", "D62728", "2CA02C", "FF7F0E", "9467BD", "8C564B", "17BECF", "7F7F7F")
POWER_COLOURS = {
    Power.AUSTRIA: "C8402F",
    Power.ENGLAND: "27408B",
    Power.FRANCE: "63B8E8",
    Power.GERMANY: "3A3A3A",
    Power.ITALY: "3C9D4E",
    Power.RUSSIA: "C9C2D6",
    Power.TURKEY: "F2C230",
}
RACE_ROW, BOARD_ROW = 4, 39  # heads of the first two tables
CHART_ROWS = 22  # what a chart covers
SCORES_ROW = BOARD_ROW + len(Power) + CHART_ROWS + 6  # head of the third
ACROSS = 11  # columns that a chart covers
CHOICE = 6  # the column in which a board is chosen
BOARDS = 40  # the column with the names of all boards, far to the right
HEIGHT_CM, WIDTH_CM = 11, 23


class ChartsSheet(Struct):
    page: xl.Page
    scored: Scored
    event: ScoredEvent
    results: ResultColumns
    workings: WorkingColumns

    def fill(self, title: str) -> None:
        page = self.page
        page.put(1, 1, to_say("Charts"), xl.TITLE)
        page.put(2, 1, title, xl.SUBTITLE)
        self.race()
        self.board()
        self.scores()
        page.widths |= {1: 28, 2: 9} | dict.fromkeys(range(3, 3 + len(self.event.years)), 9) | {BOARDS: 12}
        page.landscape = True
        page.area = (
            f"A1:{xl.at(RACE_ROW + SHOWN + 2 + CHART_ROWS, ACROSS)}"  # the race: on paper no board can be chosen
        )

    @property
    def rounds_played(self) -> Set[int]:
        """The rounds of which a game counts."""
        return {game.round for game in self.scored.games if game.player is not None}

    def race(self) -> None:
        """Points from boards after each round, for the first places."""
        page, rounds = self.page, self.event.rounds
        page.put(RACE_ROW - 1, 1, to_say("The race: points from boards, as they count in the end"), xl.SECTION)
        page.row(
            RACE_ROW, 1, (to_say("Player"), to_say("No."), *(wording("R{round}", round=n) for n in rounds)), xl.HEAD
        )
        page.put(RACE_ROW, 1, to_say("Player"), xl.HEAD_LEFT)
        places = {row.player: row.place for row in self.scored.standings.rows}
        ranked = [person for person in self.workings.accounts.people if person.name in places]
        ranked.sort(key=lambda person: (places[person.name], person.number))
        for nth in range(1, SHOWN + 1):
            self.runner(RACE_ROW + nth, nth, ranked[nth - 1] if nth <= len(ranked) else None)
        chart = LineChart()
        last = 2 + len(rounds)
        played = sum(number <= max(self.rounds_played, default=0) for number in rounds)
        for nth in range(1, min(SHOWN, len(ranked)) + 1) if played else ():  # a row without a player would run along 0
            row = RACE_ROW + nth
            line = Series(
                f"{CHARTS_SHEET}!{xl.fixed_cell(row, 3)}:{xl.fixed_cell(row, 2 + played)}"
            )  # a round that was not played would be drawn as 0
            line.tx = SeriesLabel(strRef=StrRef(f=f"{CHARTS_SHEET}!{xl.fixed_cell(row, 1)}"))
            line.graphicalProperties.line.solidFill = COLOURS[nth - 1]
            line.graphicalProperties.line.width = 28000  # EMU, about 2 points
            line.smooth = False
            line.marker.symbol, line.marker.size = "circle", 6
            line.marker.graphicalProperties = GraphicalProperties(solidFill=COLOURS[nth - 1])
            chart.series.append(line)
        self.place_chart(
            chart,
            f"{CHARTS_SHEET}!{xl.fixed_cell(RACE_ROW, 3)}:{xl.fixed_cell(RACE_ROW, last)}",
            RACE_ROW + SHOWN + 2,
            to_say("The race"),
        )

    def runner(self, row: int, nth: int, person: Person | None) -> None:
        """One player's points after each round."""
        page, number = self.page, f"$B{row}"
        outcome = self.workings.outcome
        ranks = f'COUNTIF({outcome.place.there},">0")'
        runner_number = xl.LiveFormula(
            f'IF({ranks}<{nth},"",MOD(SMALL({outcome.order.there},{nth}),{ORDER}))', person.number if person else ""
        )
        page.put(row, 2, runner_number, xl.QUIET.but(align="center"))
        name = f'IF({number}="","",INDEX({self.workings.name.there},{number}))'
        page.put(row, 1, xl.LiveFormula(name, person.name if person else ""), xl.TEXT)
        for offset, until in enumerate(self.event.rounds):
            played = f"COUNT({self.workings.accounts.there('score', self.workings.accounts.of_round(until))})>0"
            formula = f'IF({played},{self.sum_until(until, number)},"")'
            value = self.sum_of(person, until) if person and until in self.rounds_played else ""
            page.put(row, 3 + offset, xl.LiveFormula(f'IF({number}="","",{formula})', value), xl.points(self.decimals))

    @property
    def decimals(self) -> int:
        """Decimals of the race: its points are not rounded, where totals drop what follows the point (EDC23 D1)."""
        rules = self.scored.rules
        return max(rules.decimals, 0 if rules.totals.rounding == AS_IT_IS else 1)

    def sum_until(self, until: int, number: str) -> str:
        """A player's weighted games up to a round."""
        accounts = self.workings.accounts
        pairs = zip(accounts.slots, accounts.block("weight"), accounts.block("score"), strict=True)
        terms = [
            f"N(INDEX({weight.there},{number}))*N(INDEX({score.there},{number}))"
            for slot, weight, score in pairs
            if slot.round <= until
        ]
        return xl.sum_terms(terms)

    def sum_of(self, person: Person, until: int) -> xl.Value:
        """The same sum by the engine."""
        games = [(slot, placed.seat.game) for slot, placed in person.slots.items() if slot.round <= until]
        return sum_points(weight_of(person, slot) * game.score for slot, game in games if game)

    def board(self) -> None:
        """Centres by year on the board that is chosen."""
        page, boards = self.page, [seats[0] for seats in self.event.boards()]
        names = xl.BookColumn(CHARTS_SHEET, BOARDS, 2, 1 + max(len(boards), 1))
        page.put(1, BOARDS, to_say("Boards"), xl.HEAD)
        page.put(1, BOARDS + 1, to_say("Row"), xl.HEAD)
        for row, seat in enumerate(boards, start=2):
            page.put(row, BOARDS, _label(seat), xl.CENTRED)
            page.put(row, BOARDS + 1, seat.row - self.results.column(1).first, xl.CENTRED)
        first = next((seat for seat in boards if seat.board.years), boards[0] if boards else None)
        chosen = xl.fixed_cell(BOARD_ROW - 1, CHOICE)
        page.put(BOARD_ROW - 1, 1, to_say("Supply centres, year by year. Choose a board:"), xl.SECTION)
        page.put(BOARD_ROW - 1, CHOICE, _label(first) if first else None, xl.ENTRY.but(align="center", bold=True))
        page.allow_list(
            [xl.at(BOARD_ROW - 1, CHOICE)], names.here, to_say("Board"), to_say("one of the boards in the list")
        )
        page.row(BOARD_ROW, 1, (to_say("Power"), None, *self.event.years), xl.HEAD)
        page.put(BOARD_ROW, 1, to_say("Power"), xl.HEAD_LEFT)
        starts = xl.BookColumn(CHARTS_SHEET, BOARDS + 1, names.first, names.last)
        start = f"INDEX({starts.here},MATCH({chosen},{names.here},0))"
        for nth, power in enumerate(Power, start=1):
            self.power(BOARD_ROW + nth, power, start, first)
        chart = BarChart()
        chart.grouping, chart.overlap, chart.gapWidth = "percentStacked", 100, 40
        last = 2 + len(self.event.years)
        for nth, power in enumerate(Power, start=1):
            row = BOARD_ROW + nth
            bars = Series(f"{CHARTS_SHEET}!{xl.fixed_cell(row, 3)}:{xl.fixed_cell(row, last)}")
            bars.tx = SeriesLabel(strRef=StrRef(f=f"{CHARTS_SHEET}!{xl.fixed_cell(row, 1)}"))
            bars.graphicalProperties = GraphicalProperties(solidFill=POWER_COLOURS[power])
            chart.series.append(bars)
        years = f"{CHARTS_SHEET}!{xl.fixed_cell(BOARD_ROW, 3)}:{xl.fixed_cell(BOARD_ROW, last)}"
        self.place_chart(chart, years, BOARD_ROW + len(Power) + 2, to_say("Supply centres by year"))

    def power(self, row: int, power: Power, start: str, seat: SeatRow | None) -> None:
        """One power's centres on the chosen board, found by its name among the seven rows."""
        page, board = self.page, seat.board if seat else None
        page.put(row, 1, page.speech.power(power), xl.TEXT)
        there = self.results.column(3)
        first = f"INDEX({there.there},1+{start})"
        block = f"{first}:INDEX({there.there},MIN(7+{start},ROWS({there.there})))"
        index = f"{start}+MATCH({xl.quote_text(page.speech.power(power))},{block},0)"
        for offset, year in enumerate(self.event.years):
            cells = self.results.year(year).there
            name = f"INDEX({cells},{index})"
            value: xl.Value = ""
            if board and year in board.years and power in board.seats:
                value = board.count_owned(power, year)
            page.put(row, 3 + offset, xl.LiveFormula(f'IFERROR(IF({name}="","",{name}),"")', value), xl.WHOLE)

    def scores(self) -> None:
        """What the chosen board would have paid if it had ended after each Fall, as the program works it out."""
        page, years, boards = self.page, self.event.years, [seats[0] for seats in self.event.boards()]
        paid = {_label(seat): scores_by_year(seat.board, self.scored.rules) for seat in boards}
        rows = [(name, year, by_year[year]) for name, by_year in paid.items() for year in by_year]
        keys = xl.BookColumn(CHARTS_SHEET, BOARDS + 2, 2, 1 + max(len(rows), 1))
        page.row(1, BOARDS + 2, (to_say("Year of a board"), *map(page.speech.power, Power)), xl.HEAD)
        for row, (name, year, scores) in enumerate(rows, start=2):
            page.put(row, BOARDS + 2, f"{name} {year}", xl.CENTRED)
            for nth, power in enumerate(Power, start=3):
                page.put(row, BOARDS + nth, scores.get(power), xl.points(self.decimals))
        first = next((seat for seat in boards if seat.board.years), None)
        shown = paid[_label(first)] if first else {}
        page.put(SCORES_ROW - 1, 1, to_say("Score of the chosen board, if it had ended in that year"), xl.SECTION)
        page.row(SCORES_ROW, 1, (to_say("Year"), *map(page.speech.power, Power)), xl.HEAD)
        chosen = xl.BookColumn(CHARTS_SHEET, CHOICE, 1, 1).cell(BOARD_ROW - 1)
        for row, year in enumerate(years, start=SCORES_ROW + 1):
            page.put(row, 1, year, xl.WHOLE)
            for nth, power in enumerate(Power, start=1):
                column = xl.BookColumn(CHARTS_SHEET, BOARDS + 2 + nth, keys.first, keys.last)
                by_year = f'INDEX({column.here},MATCH({chosen}&" "&$A{row},{keys.here},0))'
                formula = f'IFERROR(IF({by_year}="","",{by_year}),"")'
                value = xl.LiveFormula(formula, shown.get(year, {}).get(power, ""))
                page.put(row, 1 + nth, value, xl.points(self.decimals))
        last = SCORES_ROW + max(len(years), 1)
        chart = BarChart()
        for nth, power in enumerate(Power, start=1):
            column = xl.BookColumn(CHARTS_SHEET, 1 + nth, SCORES_ROW + 1, last)
            bars = Series(column.there)
            bars.tx = SeriesLabel(strRef=StrRef(f=xl.BookColumn(CHARTS_SHEET, 1 + nth, SCORES_ROW, SCORES_ROW).there))
            bars.graphicalProperties = GraphicalProperties(solidFill=POWER_COLOURS[power])
            chart.series.append(bars)
        heads = xl.BookColumn(CHARTS_SHEET, 1, SCORES_ROW + 1, last).there
        self.place_chart(chart, heads, last + 2, to_say("Score, if it had ended in that year"))
        chart.y_axis.number_format = "General"

    def place_chart(self, chart: LineChart | BarChart, heads: str, row: int, title: str) -> None:
        """Set up a chart and put it below its table."""
        chart.set_categories(heads)
        chart.title, chart.height, chart.width = self.page.speech.says(title), HEIGHT_CM, WIDTH_CM
        chart.y_axis.number_format, chart.y_axis.majorGridlines = "0" if isinstance(chart, LineChart) else "0%", None
        chart.x_axis.delete = chart.y_axis.delete = False
        self.page.charts.append((chart, f"A{row}"))


def _label(seat: SeatRow) -> str:
    """Name a board in the list."""
    return f"R{seat.board.round} {seat.board.name}"
