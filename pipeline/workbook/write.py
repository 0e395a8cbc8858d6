"""An event's workbook: everything that can be computed stands as a formula, with our own engine's value beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.problems import Problem
from pipeline.scoring.results import Board
from pipeline.scoring.score import Scored
from pipeline.workbook.config import SHEET as CONFIG
from pipeline.workbook.config import Config
from pipeline.workbook.games_sheet import SHEET as GAMES
from pipeline.workbook.games_sheet import games_sheet
from pipeline.workbook.ledger_sheets import BONUSES, PENALTIES
from pipeline.workbook.package import pack
from pipeline.workbook.page import Page
from pipeline.workbook.players_sheet import PLAYER_NAMES, players_sheet
from pipeline.workbook.players_sheet import SHEET as PLAYERS
from pipeline.workbook.results_sheet import FIRST_ROW, result_columns, results_sheet
from pipeline.workbook.results_sheet import SHEET as RESULTS
from pipeline.workbook.seats import event
from pipeline.workbook.text import Losses
from pipeline.workbook.workings_sheet import SHEET as WORKINGS
from pipeline.workbook.workings_sheet import Workings


@dataclass(frozen=True, slots=True)
class Written:
    """A workbook as bytes, and what could not be written as it was given."""

    data: bytes
    problems: tuple[Problem, ...]


def write_workbook(scored: Scored, *, title: str, to_come: Sequence[Board] = ()) -> Written:
    """Make the workbook."""
    losses = Losses()
    rules = scored.rules
    sheets = {name: Page(name, losses) for name in (RESULTS, PLAYERS, WORKINGS, GAMES, BONUSES, PENALTIES, CONFIG)}
    config = Config(sheets[CONFIG])
    rows = event(scored.event, rules, to_come, FIRST_ROW)
    results = result_columns(rows)
    players = players_sheet(sheets[PLAYERS], rows, scored.event, rules)
    config.names[PLAYER_NAMES] = players.name.there
    games = games_sheet(sheets[GAMES], rows, results, rules.system, config)
    columns = games.fill(players, rules.decimals)
    Workings(
        scored, sheets[WORKINGS], games, columns, results, players, config, sheets[BONUSES], sheets[PENALTIES]
    ).fill()
    results_sheet(sheets[RESULTS], rows, results, columns.score, rules.decimals)
    config.finish(title, rules.name)
    return Written(pack(list(sheets.values()), config.names, title), tuple(losses.found))
