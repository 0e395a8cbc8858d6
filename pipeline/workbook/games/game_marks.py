"""What tie-breaks for the best powers look at beside each game: the opponents' totals, the margin in centres."""

from collections.abc import Mapping
from fractions import Fraction

from pipeline.workbook.games.games_sheet import GameColumns, GamesSheet
from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.page import Content, LiveFormula
from pipeline.workbook.xlsx.styles import WHOLE, points


def add_opponents(
    sheet: GamesSheet, games: GameColumns, total: BookColumn, totals: Mapping[int, Fraction]
) -> BookColumn:
    """Add the opponents' tournament totals, added up. ``totals`` are the engine's, of who sits in each row."""
    own: list[Content] = []
    for seat in sheet.event.seats:
        number = games.player.cell(seat.row)
        own.append(LiveFormula(f"IF({number}=0,0,INDEX({total.there},{number}))", totals[seat.row]))
    column = sheet.grid.add("Player's total", own, points(3), 10)
    sums: list[Content] = []
    for seat in sheet.event.seats:
        everybody = sum((totals[row] for row in range(seat.first, seat.last + 1)), Fraction())
        formula = f"SUM({column.rows(seat.first, seat.last)})-{column.cell(seat.row)}"
        sums.append(LiveFormula(formula, everybody - totals[seat.row]))
    return sheet.grid.add("Opponents", sums, points(3), 11)


def add_margin(sheet: GamesSheet, games: GameColumns) -> BookColumn:
    """Add the own centres less the most of any other power."""
    contents: list[Content] = []
    for seat in sheet.event.seats:
        block, own = games.centres.rows(seat.first, seat.last), games.centres.cell(seat.row)
        other = f"IF(AND({own}=MAX({block}),COUNTIF({block},{own})=1),LARGE({block},2),MAX({block}))"
        value = 0
        if seat.game:
            value = seat.game.centres - max(n for power, n in seat.board.centres.items() if power is not seat.power)
        contents.append(LiveFormula(f"IF({games.done.cell(seat.row)}=1,{own}-{other},0)", value))
    return sheet.grid.add("Centre margin", contents, WHOLE, 8)
