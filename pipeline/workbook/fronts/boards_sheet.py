"""The Boards sheet: centres year by year, one block a board, as it hangs on the wall."""

from dataclasses import dataclass

from pipeline.scoring.places.score import Scored
from pipeline.scoring.results.results import Board, Ending
from pipeline.workbook.games.games_sheet import GameColumns
from pipeline.workbook.inputs.results_sheet import BOARD, PLAYER, ResultColumns
from pipeline.workbook.inputs.seats import ScoredEvent, SeatRow
from pipeline.workbook.xlsx.address import at, fixed
from pipeline.workbook.xlsx.formula import said
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import (
    CENTRED,
    GOLD,
    GREY,
    HEAD,
    HEAD_LEFT,
    SECTION,
    SUBTITLE,
    TEXT,
    TITLE,
    WHOLE,
    points,
)

SHEET = "Boards"
FIRST_ROW = 4
A_PAGE = 5  # boards on one printed page
NOT_OVER = "   not finished"
POWER, END, PLACE = TEXT.but(bold=True), WHOLE.but(bold=True), CENTRED.but(colour=GREY)
FIXED = 2  # columns before the years: power, player


@dataclass(slots=True)
class BoardsSheet:
    """The sheet while it is being made."""

    page: Page
    scored: Scored
    event: ScoredEvent
    results: ResultColumns
    games: GameColumns
    row: int = FIRST_ROW

    def fill(self, title: str) -> None:
        """Fill it."""
        page = self.page
        page.put(1, 1, "Boards", TITLE)
        page.put(2, 1, f"{title}: supply centres after each Fall, and at the end.", SUBTITLE)
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
        page.area = f"A1:{at(max(self.row - 1, FIRST_ROW), self.end + 2)}"

    @property
    def end(self) -> int:
        """The column of the counts at the end."""
        return FIXED + len(self.event.years) + 1

    def block(self, seats: tuple[SeatRow, ...]) -> None:
        """One board."""
        page, first = self.page, seats[0]
        name = self.results.column(BOARD).far(first.row)
        begins, done, goes_on = f"Round {first.board.round}, board ", said(how_ended(first.board)), said(NOT_OVER)
        is_over = bool(first.game) and first.board.spot not in self.scored.event.going_on
        words = LiveFormula(
            f"{said(begins)}&{name}&IF({self.games.done.far(first.row)}=1,{done if is_over else goes_on},{goes_on})",
            f"{begins}{first.board.name}{how_ended(first.board) if is_over else NOT_OVER}",
        )
        page.merge(self.row, 1, self.end + 2, words, SECTION)
        heads: tuple[Content, ...] = ("Power", "Player", *self.event.years, "End", "Place", "Score")
        page.row(self.row + 1, 1, heads, HEAD)
        page.row(self.row + 1, 1, ("Power", "Player"), HEAD_LEFT)
        for offset, seat in enumerate(seats, start=self.row + 2):
            self.line(offset, seat)
        last = self.row + 1 + len(seats)
        for number, overruled in enumerate(seats[0].board.overruled, start=1):
            page.merge(last + number, 1, self.end + 2, f"Ended {overruled}", SUBTITLE)
        counts = f"{fixed(self.row + 2, self.end)}:{fixed(last, self.end)}"
        own = f"${at(self.row + 2, self.end)}"
        cells = f"{at(self.row + 2, 1)}:{at(last, self.end + 2)}"
        page.mark(cells, f"AND(COUNT({counts})>0,{own}=MAX({counts}))", fill=GOLD)
        page.mark(cells, f"AND(ISNUMBER({own}),{own}=0)", colour="999999")
        self.row = last + 2 + len(seats[0].board.overruled)

    def line(self, row: int, seat: SeatRow) -> None:
        """One power."""
        page, game = self.page, seat.game
        page.put(row, 1, seat.power.capitalize(), POWER)
        page.put(row, 2, copied(self.results.column(PLAYER).far(seat.row), seat.seat.player), TEXT)
        for offset, year in enumerate(self.event.years):
            owned = seat.board.owned(seat.power, year) if year in seat.board.years else None
            page.put(row, FIXED + 1 + offset, copied(self.results.year(year).far(seat.row), owned), WHOLE)
        centres = copied(self.games.centres.far(seat.row), game.centres if game else None)
        page.put(row, self.end, centres, END)
        done, above = self.games.done.far(seat.row), self.games.above.far(seat.row)
        shared = f'IF({self.games.equal.far(seat.row)}>1,"=","")'
        tied = "=" if game and game.equal > 1 else ""
        place = LiveFormula(f'IF({done}=1,{above}+1&{shared},"")', f"{game.place}{tied}" if game else "")
        page.put(row, self.end + 1, place, PLACE)
        score = LiveFormula(f'IF({done}=1,{self.games.score.far(seat.row)},"")', game.score if game else "")
        page.put(row, self.end + 2, score, points(self.scored.rules.decimals))


def how_ended(board: Board) -> str:
    """Say how a game ended; by which ruling, where the rules do not provide for it, stands below the board."""
    return "" if board.ended is Ending.UNSTATED else f"   ended: {board.ended}"


def copied(there: str, value: Content) -> LiveFormula:
    """Show what another cell holds, nothing for an empty one."""
    shown = "" if value is None or isinstance(value, LiveFormula) else value
    return LiveFormula(f'IF({there}="","",{there})', shown)
