"""The Players sheet: who plays, numbered by name; the other sheets know a player by that number."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.scoring.results.results import EventResults
from pipeline.scoring.totals.rules import ScoringRules
from pipeline.workbook.inputs.seats import ScoredEvent
from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import Page
from pipeline.workbook.xlsx.styles import ENTRY, ENTRY_NUMBER, NOTE, TITLE, WHOLE

SHEET = "Players"
HEAD_ROW = 4
YES = '"yes"'
PLAYER_NAMES = "Player_names"  # named, because old programs refuse another sheet's range in a choice


DRAWING = 1000  # lots of the second drawing are numbered from here: those of two drawings say nothing of each other


@dataclass(frozen=True, slots=True)
class PlayerColumns:
    """Where things about players stand."""

    number: BookColumn
    name: BookColumn
    team: BookColumn
    plays_as_director: BookColumn
    excluded: BookColumn
    distance: BookColumn
    lot: BookColumn
    announced: tuple[tuple[int, BookColumn], ...]  # round -> "yes" where the player announced it the day before


def players_sheet(page: Page, event: ScoredEvent, results: EventResults, rules: ScoringRules) -> PlayerColumns:
    """Make the sheet."""
    page.put(1, 1, "Players", TITLE)
    page.put(2, 1, "Yellow cells may be changed. A new name in Results must stand here too.", NOTE.but(wrap=False))
    teams = {member: team.name for team in results.teams for member in team.members}
    lots = {
        name: DRAWING * before + place
        for before, drawing in enumerate(results.lots)
        for place, name in enumerate(drawing, start=1)
    }
    grid = Grid(page, HEAD_ROW, len(event.players))
    columns = PlayerColumns(
        number=grid.add("No", list(range(1, len(event.players) + 1)), WHOLE, 5),
        name=grid.add("Name", [player.name for player in event.players], ENTRY, 30),
        team=grid.add("Team", [teams.get(player.name) for player in event.players], ENTRY, 22),
        plays_as_director=grid.add("TD plays", [yes(player.is_director) for player in event.players], ENTRY_NUMBER, 8),
        excluded=grid.add("Excluded", [yes(player.is_excluded) for player in event.players], ENTRY_NUMBER, 9),
        distance=grid.add("Distance (km)", [player.distance_km for player in event.players], ENTRY_NUMBER, 10),
        lot=grid.add("Lot drawn", [lots.get(player.name) for player in event.players], ENTRY_NUMBER, 8),
        announced=announced(grid, event, rules),
    )
    yes_or_nothing = (columns.plays_as_director, columns.excluded, *(column for _, column in columns.announced))
    page.allow_list([plain(column) for column in yes_or_nothing], YES, "yes or nothing", "write yes, or leave it empty")
    page.allow_whole([plain(columns.distance)], 0, 99999, "Kilometres")
    page.allow_whole([plain(columns.lot)], 1, 99999, "Lot")
    page.freeze, page.repeat = f"C{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}"
    return columns


def announced(grid: Grid, event: ScoredEvent, rules: ScoringRules) -> tuple[tuple[int, BookColumn], ...]:
    """One column for each round whose announcement brings points."""
    bonus = rules.bonuses.preregistration
    rounds: Sequence[int] = bonus.rounds if bonus else ()
    return tuple(
        (
            number,
            grid.add(f"Announced R{number}", [yes(number in p.preregistered) for p in event.players], ENTRY_NUMBER, 11),
        )
        for number in rounds
    )


def yes(is_so: bool) -> str | None:
    """Write a yes, or nothing."""
    return "yes" if is_so else None


def plain(column: BookColumn) -> str:
    """The range of a column without dollars or sheet, as validations want it."""
    return column.here.replace("$", "")
