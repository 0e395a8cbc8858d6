"""The Orders and Rulings sheets: what was ordered and what came of it, and what the director ruled; plain rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.workbook.xlsx.address import at
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import Content, Page
from pipeline.workbook.xlsx.styles import AMBER, CENTRED, RED, SUBTITLE, TEXT, TITLE, WRAPPED

ORDERS, RULINGS = "Orders", "Rulings"
HEAD_ROW = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLine:
    """One order with its result and reason."""

    round: int
    board: str
    phase: str  # "S1901M"
    power: str
    order: str  # canonical, or as it was written where it has no meaning
    result: str  # "succeeds", "fails", ...
    reason: str
    ruled: bool = False  # a person decided what it means


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingLine:
    """One ruling of the director."""

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


def orders_sheet(page: Page, orders: Sequence[OrderLine]) -> None:
    """List every order."""
    page.put(1, 1, "Orders", TITLE)
    page.put(2, 1, "Every order as it was adjudicated, with its result and the reason; the buttons filter.", SUBTITLE)
    grid = Grid(page, HEAD_ROW, len(orders))
    grid.add("Round", [one.round for one in orders], CENTRED, 7)
    grid.add("Board", [one.board for one in orders], CENTRED, 8)
    grid.add("Phase", [one.phase for one in orders], CENTRED, 9)
    grid.add("Power", [one.power.capitalize() for one in orders], TEXT, 11)
    grid.add("Order", [one.order for one in orders], TEXT.but(bold=True), 30)
    result = grid.add("Result", [one.result for one in orders], CENTRED, 11)
    grid.add("Reason", [one.reason for one in orders], WRAPPED, 62)
    ruled: list[Content] = ["ruled" if one.ruled else None for one in orders]
    grid.add("Ruled", ruled, CENTRED, 8)
    finish(page, grid)
    cells, own = f"F{HEAD_ROW + 1}:F{grid.last}", result.cell(grid.first)
    page.mark(cells, f'OR({own}="illegal",{own}="invalid")', fill=RED)
    page.mark(cells, f'OR({own}="fails",{own}="cut",{own}="disrupted")', fill=AMBER)


def rulings_sheet(page: Page, rulings: Sequence[RulingLine]) -> None:
    """List every ruling."""
    page.put(1, 1, "Rulings", TITLE)
    page.put(2, 1, "What the director ruled, under which rule and why.", SUBTITLE)
    grid = Grid(page, HEAD_ROW, len(rulings))
    grid.add("When", [one.when for one in rulings], CENTRED, 17)
    grid.add("Round", [one.round for one in rulings], CENTRED, 7)
    grid.add("Board", [one.board for one in rulings], CENTRED, 8)
    grid.add("Phase", [one.phase for one in rulings], CENTRED, 9)
    grid.add("Power", [one.power.capitalize() for one in rulings], TEXT, 11)
    grid.add("Written", [one.written for one in rulings], TEXT, 24)
    grid.add("Ruled as", [one.ruling for one in rulings], TEXT.but(bold=True), 24)
    grid.add("Rule", [one.rule for one in rulings], CENTRED, 12)
    grid.add("By", [one.by for one in rulings], TEXT, 16)
    grid.add("Why", [one.why for one in rulings], WRAPPED, 44)
    finish(page, grid)


def finish(page: Page, grid: Grid) -> None:
    """Filters, heads on every page, landscape; a list without rows is hidden."""
    page.hidden = grid.length == 0
    page.filtered = f"A{HEAD_ROW}:{at(grid.last, grid.column - 1)}"
    page.freeze, page.repeat, page.landscape = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", True
