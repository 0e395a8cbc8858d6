"""Practice: the invented players of a sample event write on their printed sheets, and a scanner scans them."""

from collections.abc import Mapping
from pathlib import Path
from zlib import crc32

from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.desk.sheets.printing import Printed
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet_layout import Layout
from pipeline.problems import stop
from pipeline.rehearsal.rehearse import InventedScript
from pipeline.rehearsal.simulated_scans import Writer, rows_for, write_and_scan

SEASONS = 99  # more than anybody practises


def fill_in(event: Event, board: str, folder: Path) -> tuple[Path, ...]:
    """Let everybody on a board whose sheet is missing write on it; the scans are left in a folder.

    Who writes what is made up from the event's code, the same each time it is asked.
    """
    game = find_game(event, board)
    script = InventedScript(event, crc32(event.details.code.encode()), SEASONS, types=False)
    writers: dict[str, Writer] = {}
    papers = _papers_of(event, game)
    for power, pages in papers.items():
        if (sheet := script.sheet(game, power)) is None:
            continue
        lines = rows_for(sheet.lines, [each.page.form for each in pages], event.tournament.abbreviations)
        for each in pages:
            here = [field.row for field in each.page.form.rows if field.row is not None and field.row in lines]
            writers[str(each.id)] = Writer(
                hand=sheet.hand,
                player=game.seating.players[power],
                lines={row: sheet.lines[lines[row] - 1] for row in here},
                slips={row: sheet.slips[lines[row]] for row in here if lines[row] in sheet.slips},
            )
    wanted = [each for pages in papers.values() for each in pages]
    if not wanted:
        raise stop("no printed sheet is missing; print what comes next", f"board {game.name}")
    files: list[Path] = []
    for fact in sorted({each.fact for each in wanted}):
        mine = [each for each in wanted if each.fact == fact]
        pdf = print_sheets((each.request for each in mine), mine[0].template)
        printed = Printed(pdf, Layout(tuple(each.page for each in mine)))
        seed = crc32(f"{event.details.code} {game.name} {game.position.phase} {fact}".encode())
        files += write_and_scan(printed, writers.get, folder / str(fact), seed)
    return tuple(files)


def _papers_of(event: Event, game: Game) -> Mapping[Power, list[PrintedSheet]]:
    """The newest sheets, by power, of those that are missing; each part once, and no spare ones."""
    missing = {rows.power for rows in Desk.of(event).board(game) if rows.state is SheetState.MISSING}
    newest: dict[tuple[Power, int], PrintedSheet] = {}
    for each in printed_sheets(event).values():
        if each.turn == Turn(game.name, game.position.phase, each.request.power) and not each.request.is_pad:
            key, before = (each.request.power, each.request.part), newest.get((each.request.power, each.request.part))
            if each.request.power in missing and (before is None or each.fact > before.fact):
                newest[key] = each
    papers: dict[Power, list[PrintedSheet]] = {}
    for (power, _), each in newest.items():
        papers.setdefault(power, []).append(each)
    return papers
