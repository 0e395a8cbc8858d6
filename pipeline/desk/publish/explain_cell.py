"""Tell what a cell of the workbook is about: the order of its row, or the player whose row it is."""

from dataclasses import dataclass

from pipeline.desk.event.event import Event
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.problems import stop
from pipeline.workbook.fronts.log_sheets import ORDERS
from pipeline.workbook.xlsx.cell import row_of


@dataclass(frozen=True, slots=True)
class AboutCell:
    """What a cell is about."""

    told: str  # the cell, and what stands in its row
    question: str  # what to explain instead: an order, or a player's name


def about(event: Event, reference: str) -> AboutCell:
    """Read a cell of the workbook as it is written now."""
    row = row_of(write_standings(event, sealed=False).data, reference)
    if row.sheet == ORDERS and len(row.values) > 4 and row.values[2] and row.values[4]:
        number, board, phase, _, order, *_ = row.values
        return AboutCell(f"{reference}: {order}", f"{number}.{board} {phase} {' '.join(order.split()[:2])}")
    names = {player.name for player in event.players}
    player = next((value for value in row.values if value in names), None)
    if player is None:
        raise stop("this row is about no order and no player; try one of Orders, Standings, Results", reference)
    return AboutCell(f"{reference}: {' | '.join(value for value in row.values if value)}", player)
