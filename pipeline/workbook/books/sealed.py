"""The sealed workbook: what everybody in the hall has seen, and nothing from which places or points follow (NZ99 23).

It has no formulas, no inputs and no hidden sheets; rows stand by name, by board and by time. Whoever has the file has
nothing to open. At the ceremony the program writes the workbook anew.
"""

from collections.abc import Sequence, Set

from pipeline.board.map import Power
from pipeline.scoring.results.results import Board, EventResults, Spot
from pipeline.workbook.fronts.boards_sheet import A_PAGE
from pipeline.workbook.fronts.log_sheets import ORDERS, RULINGS, OrderLine, RulingLine, orders_sheet, rulings_sheet
from pipeline.workbook.xlsx.address import at
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import Page
from pipeline.workbook.xlsx.styles import CENTRED, HEAD, HEAD_LEFT, SECTION, SUBTITLE, TEXT, TITLE, WHOLE
from pipeline.workbook.xlsx.text import Losses

WORDS = "Sealed until the awards: players by name, without places or points."
PLAYERS, BOARDS, TEAMS = "Standings", "Boards", "Teams"
HEAD_ROW = 5


def sealed_pages(
    event: EventResults,
    title: str,
    to_come: Sequence[Board],
    orders: Sequence[OrderLine],
    rulings: Sequence[RulingLine],
    losses: Losses,
) -> list[Page]:
    """Make the pages; of the event only who sat where, the counts on the boards, and the teams are looked at."""
    boards = sorted([*event.boards, *to_come], key=lambda board: board.round)
    over = {board.spot for board in event.boards} - event.going_on
    pages = [players_page(event, boards, title, losses), boards_page(boards, over, title, losses)]
    if event.teams:
        pages.append(teams_page(event, title, losses))
    logs = [Page(ORDERS, losses), Page(RULINGS, losses)]
    orders_sheet(logs[0], orders)
    rulings_sheet(logs[1], rulings)
    return [*pages, *logs]


def players_page(event: EventResults, boards: Sequence[Board], title: str, losses: Losses) -> Page:
    """Who plays, by name, and where each sat."""
    page = Page(PLAYERS, losses, landscape=True, freeze=f"B{HEAD_ROW + 1}", repeat=f"{HEAD_ROW}:{HEAD_ROW}")
    page.put(1, 1, title, TITLE)
    page.put(3, 1, WORDS, SUBTITLE.but(italic=False, bold=True))
    seats: dict[str, dict[int, list[str]]] = {name: {} for name in event.players}
    for board in boards:
        for power, seat in board.seats.items():
            if seat.player:
                own = seats.setdefault(seat.player, {})
                own.setdefault(board.round, []).append(f"{board.name} {power.capitalize()}")
    rounds = sorted({board.round for board in boards})
    page.row(HEAD_ROW, 1, ("Player", *(f"Round {number}" for number in rounds)), HEAD)
    page.put(HEAD_ROW, 1, "Player", HEAD_LEFT)
    for row, (name, sat) in enumerate(sorted(seats.items()), start=HEAD_ROW + 1):
        page.put(row, 1, name, TEXT.but(bold=True, size=12))
        page.row(row, 2, (", ".join(sat.get(number, ())) for number in rounds), TEXT)
    page.widths |= {1: 30} | dict.fromkeys(range(2, 2 + len(rounds)), 18)
    page.area = f"A1:{at(HEAD_ROW + max(len(seats), 1), 1 + len(rounds))}"
    return page


def boards_page(boards: Sequence[Board], over: Set[Spot], title: str, losses: Losses) -> Page:
    """Centres year by year, as the boards show them; powers in the order in which they are always listed."""
    page = Page(BOARDS, losses, repeat="1:2")
    page.put(1, 1, "Boards", TITLE)
    page.put(2, 1, f"{title}: supply centres after each Fall, and at the end.", SUBTITLE)
    years = sorted({year for board in boards for year in board.years})
    row, end = 4, 3 + len(years)
    for number, board in enumerate(boards):
        if number and number % A_PAGE == 0:
            page.breaks.append(row - 1)
        page.merge(row, 1, end, f"Round {board.round}, board {board.name}", SECTION)
        page.row(row + 1, 1, ("Power", "Player", *years, "End"), HEAD)
        for offset, power in enumerate(board.powers, start=2):
            page.put(row + offset, 1, power.capitalize(), TEXT.but(bold=True))
            page.put(row + offset, 2, board.seats[power].player, TEXT)
            page.row(row + offset, 3, (owned(board, power, year) for year in years), WHOLE)
            page.put(row + offset, end, board.centres[power] if board.spot in over else None, WHOLE.but(bold=True))
        row += len(board.powers) + 3
    page.widths |= {1: 11, 2: 28} | dict.fromkeys(range(3, end + 1), 7)
    page.area = f"A1:{at(max(row - 2, 4), end)}"
    return page


def owned(board: Board, power: Power, year: int) -> int | None:
    """Count one power's centres after a year, nothing where it is not recorded."""
    return board.owned(power, year) if year in board.years else None


def teams_page(event: EventResults, title: str, losses: Losses) -> Page:
    """The teams by name, their members by name."""
    page = Page(TEAMS, losses)
    page.put(1, 1, "Teams", TITLE)
    page.put(2, 1, f"{title}: teams by name.", SUBTITLE)
    teams = sorted(event.teams, key=lambda team: team.name)
    grid = Grid(page, HEAD_ROW, len(teams))
    grid.add("Team", [team.name for team in teams], TEXT.but(bold=True), 26)
    for nth in range(max((len(team.members) for team in teams), default=0)):
        names = [sorted(team.members)[nth] if nth < len(team.members) else None for team in teams]
        grid.add(f"Member {nth + 1}", names, CENTRED, 24)
    page.area = f"A1:{at(grid.last, max(grid.column - 1, 1))}"
    return page
