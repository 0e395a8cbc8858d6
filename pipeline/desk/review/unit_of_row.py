"""The own unit that a row is about whatever stands on it: printed in front of it, or the one that no row orders."""

from pipeline.board.position import Unit
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import Row
from pipeline.desk.sheets.expected import lines_due
from pipeline.desk.sheets.printed_units import in_words


def unit_of_row(desk: Desk, game: Game, turn: Turn, row: Row) -> Unit | None:
    """The unit of a row; None where the row is free for any."""
    if row.line:
        return printed_unit(desk, game, turn, row.line)
    due = lines_due(game.map, game.position, turn.power)
    return next((unit for unit in due if unit is not None and unit.province == row.unit), None)


def printed_unit(desk: Desk, game: Game, turn: Turn, line: int) -> Unit | None:
    """The unit that is printed in the row that has a number now; None where none is."""
    ground = next((row.ground for row in desk.counted(turn).lines if row.line == line), None)
    sheets = (sheet for sheet in desk.sheets.get(turn, ()) if ground is not None and sheet.serial == ground.sheet)
    printed = next((sheet.printed.page.form.unit_of(ground.row) for sheet in sheets if ground is not None), "")
    due, words = lines_due(game.map, game.position, turn.power), desk.event.tournament.abbreviations
    return next((unit for unit in due if unit is not None and in_words(unit, words) == printed), None)
