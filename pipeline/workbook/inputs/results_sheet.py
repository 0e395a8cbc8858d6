"""The Results sheet, the input: one row a seat; what is said of the whole board stands in its first row."""

from dataclasses import dataclass
from functools import cache

from pipeline.scoring.results.results import Ending
from pipeline.workbook.inputs.players_sheet import PLAYER_NAMES
from pipeline.workbook.inputs.seats import ScoredEvent, SeatRow
from pipeline.workbook.xlsx.address import BookColumn, at, letter
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import (
    AMBER,
    CENTRED,
    ENTRY,
    ENTRY_NUMBER,
    HEAD,
    PLAIN,
    RED,
    SUBTITLE,
    TEXT,
    TITLE,
    Look,
    points,
)

SHEET = "Results"
HEAD_ROW = 4
FIRST_ROW = HEAD_ROW + 1
ROUND, BOARD, POWER, PLAYER, CENTRES, SCORE, YEARS = range(1, 8)
AFTER_YEARS = (
    "Ended", "Final", "In play", "Unowned", "Instead of", "Arrived", "Counts", "Chose", "Ruling", "Why", "Left out",
)  # fmt: skip
ENDINGS = tuple(ending.value for ending in Ending)
WIDTHS = (7, 8, 11, 26, 9, 11)
BOARD_INPUTS = 4  # the first of AFTER_YEARS, which are said once a board


class SeatLooks:
    """How the cells of a row look; a strong line stands above each board."""

    def __init__(self, line: str) -> None:
        boxed = line + "blr"
        self.centred, self.power = CENTRED.but(line="h" + line), TEXT.but(line="h" + line, bold=True)
        self.player, self.centres = ENTRY.but(line=boxed), ENTRY_NUMBER.but(bold=True, line=boxed)
        self.year = ENTRY_NUMBER.but(size=9, colour="595959", line=boxed)
        self.line = line

    def score(self, decimals: int) -> Look:
        """The look of a score."""
        return row_score(decimals, "h" + self.line)


@cache
def row_score(decimals: int, line: str) -> Look:
    """The look of a score, made once."""
    return points(decimals).but(line=line)


OPENING, FOLLOWING = SeatLooks("T"), SeatLooks("")


@dataclass(frozen=True, slots=True)
class ResultColumns:
    """Where the inputs of a seat stand; the other sheets use the same rows."""

    last: int  # row
    years: tuple[int, ...]

    def column(self, number: int) -> BookColumn:
        """One column of the list."""
        return BookColumn(SHEET, number, FIRST_ROW, max(self.last, FIRST_ROW))

    def named(self, head: str) -> BookColumn:
        """A column after the years."""
        return self.column(YEARS + len(self.years) + AFTER_YEARS.index(head))

    def year(self, year: int) -> BookColumn:
        """The centres after the Fall of a year."""
        return self.column(YEARS + self.years.index(year))


def result_columns(event: ScoredEvent) -> ResultColumns:
    """Plan the sheet; it is filled when the scores are known."""
    return ResultColumns(event.seats[-1].row if event.seats else FIRST_ROW, event.years)


def results_sheet(page: Page, event: ScoredEvent, columns: ResultColumns, score: BookColumn, decimals: int) -> None:
    """Fill the sheet; ``score`` is the column that computes."""
    page.put(1, 1, "Results", TITLE)
    hint = "Type over yellow cells; scores, totals and places follow. Grey: how the game stood after each Fall."
    page.put(2, 1, hint, SUBTITLE)
    heads: tuple[Content, ...] = ("Round", "Board", "Power", "Player", "Centres", "Score", *columns.years, *AFTER_YEARS)
    page.row(HEAD_ROW, 1, heads, HEAD)
    for seat in event.seats:
        done = f'IF({score.far(seat.row)}="","",{score.far(seat.row)})'
        shown = LiveFormula(done, seat.game.score if seat.game else "")
        seat_cells(page, event, columns, seat, shown, decimals)
    widths = (*WIDTHS, *[5.5] * len(columns.years), 11, 6, 7, 9, 20, 8, 7, 7, 8, 30, 9)
    page.widths |= dict(enumerate(widths, start=1))
    limits(page, event, columns)
    colours(page, event, columns)
    page.breaks = page_breaks(event)
    page.freeze, page.repeat, page.landscape = f"E{FIRST_ROW}", f"{HEAD_ROW}:{HEAD_ROW}", True
    page.area = f"A1:{letter(YEARS + len(columns.years) - 1)}{columns.last}"


def seat_cells(
    page: Page, event: ScoredEvent, columns: ResultColumns, seat: SeatRow, score: LiveFormula, decimals: int
) -> None:
    """Fill one row."""
    look = OPENING if seat.opens_board else FOLLOWING
    name = seat.power.capitalize()
    page.row(seat.row, ROUND, (seat.board.round, seat.board.name), look.centred)
    page.put(seat.row, POWER, name, look.power)
    page.put(seat.row, PLAYER, seat.seat.player, look.player)
    page.put(seat.row, CENTRES, seat.game.centres if seat.game else None, look.centres)
    page.put(seat.row, SCORE, score, look.score(decimals))
    page.row(seat.row, YEARS, (owned(seat, year) for year in columns.years), look.year)
    page.row(seat.row, YEARS + len(columns.years), after_years(seat, event), ENTRY_NUMBER)
    page.put(seat.row, columns.named("Why").number, seat.seat.ruling.why if seat.seat.ruling else None, ENTRY)
    page.put(seat.row, columns.named("Instead of").number, seat.seat.instead_of, ENTRY)
    if not seat.opens_board:
        page.row(seat.row, YEARS + len(columns.years), [None] * BOARD_INPUTS, PLAIN)


def owned(seat: SeatRow, year: int) -> int | None:
    """The centres after a year, nothing where it is not recorded."""
    return seat.board.owned(seat.power, year) if year in seat.board.years else None


def after_years(seat: SeatRow, event: ScoredEvent) -> tuple[Content, ...]:
    """What is said beside the counts, in the order of `AFTER_YEARS`."""
    board, sits = seat.board, seat.seat
    unowned = board.unowned if seat.game else None
    counts = "yes" if event.is_chosen(seat) else None
    chose = board.chose.index(sits.player) + 1 if sits.player in board.chose else None
    ruling = sits.ruling.score if sits.ruling else None
    final = "yes" if board.is_final else None
    out = "yes" if seat.power in board.left_out else None
    return (board.ended.value, final, board.total, unowned, None, sits.arrived, counts, chose, ruling, None, out)


def limits(page: Page, event: ScoredEvent, columns: ResultColumns) -> None:
    """Say what the input cells take."""
    if not event.seats:
        return
    rows = (FIRST_ROW, columns.last)

    def cells(first: int, last: int) -> list[str]:
        return [f"{at(rows[0], first)}:{at(rows[1], last)}"]

    last_year = YEARS + len(columns.years) - 1
    page.allow_list(cells(PLAYER, PLAYER), PLAYER_NAMES, "Player", "a name of the Players sheet, or nothing")
    page.allow_whole(cells(CENTRES, CENTRES) + cells(YEARS, last_year), 0, 34, "Centres")
    opening = [seat.row for seat in event.seats if seat.opens_board]

    def once(head: str) -> list[str]:
        return [at(row, columns.named(head).number) for row in opening]

    def all_rows(head: str) -> list[str]:
        return cells(columns.named(head).number, columns.named(head).number)

    page.allow_list(once("Ended"), f'"{",".join(ENDINGS)}"', "Ended", f"one of: {', '.join(ENDINGS)}")
    page.allow_list(
        [*once("Final"), *all_rows("Counts"), *all_rows("Left out")],
        '"yes"',
        "yes or nothing",
        "write yes, or leave it empty",
    )
    page.allow_whole([*once("In play"), *once("Unowned")], 0, 34, "Centres")
    page.allow_whole(all_rows("Arrived"), 1, 99, "Season of arrival")
    page.allow_whole(all_rows("Chose"), 1, 7, "Order of choosing")


def colours(page: Page, event: ScoredEvent, columns: ResultColumns) -> None:
    """Show at once what cannot be right: a board whose centres do not add up, a name that nobody has."""
    total, unowned = columns.named("In play").number, columns.named("Unowned").number
    for seat in event.seats:
        if seat.opens_board:
            block = f"${letter(CENTRES)}${seat.row}:${letter(CENTRES)}${seat.last}"
            cells = f"{at(seat.row, CENTRES)}:{at(seat.last, CENTRES)}"
            whole = f"SUM({block})+${letter(unowned)}${seat.row}<>${letter(total)}${seat.row}"
            page.mark(cells, f"AND(COUNT({block})={seat.powers},{whole})", fill=RED)
            page.mark(cells, f"AND(COUNT({block})>0,COUNT({block})<{seat.powers})", fill=AMBER)


def page_breaks(event: ScoredEvent) -> list[int]:
    """A new page begins with a new round."""
    return [
        seat.row - 1
        for before, seat in zip(event.seats, event.seats[1:], strict=False)
        if before.board.round != seat.board.round
    ]
