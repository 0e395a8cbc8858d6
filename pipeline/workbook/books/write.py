"""An event's workbook: everything that can be computed stands as a formula, with our own engine's value beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import assert_never

from pipeline.problems import Problem
from pipeline.scoring.places.score import Scored
from pipeline.scoring.places.stakes import Stake, WeighedDoubt, weighed
from pipeline.scoring.results.results import Board
from pipeline.workbook.books.pinned import as_csv, pinned
from pipeline.workbook.books.sealed import sealed_pages
from pipeline.workbook.fronts import (
    awards_sheet,
    board_games_sheet,
    boards_sheet,
    charts_sheet,
    checks_sheet,
    doubts_sheet,
    final_sheet,
    log_sheets,
    powers_sheet,
    rounds_sheet,
    standings_sheet,
    teams_sheet,
    votes_sheet,
)
from pipeline.workbook.fronts.awards_sheet import AwardsSheet, WonAward
from pipeline.workbook.fronts.board_games_sheet import BoardGamesSheet, enter_points
from pipeline.workbook.fronts.boards_sheet import BoardsSheet
from pipeline.workbook.fronts.charts_sheet import ChartsSheet
from pipeline.workbook.fronts.check_marks import CheckMarks
from pipeline.workbook.fronts.checks_sheet import ChecksSheet
from pipeline.workbook.fronts.final_sheet import FinalSheet
from pipeline.workbook.fronts.log_sheets import OrderLine, RulingLine
from pipeline.workbook.fronts.powers_sheet import PowersSheet
from pipeline.workbook.fronts.rounds_sheet import RoundsSheet
from pipeline.workbook.fronts.standings_sheet import StandingsSheet
from pipeline.workbook.fronts.teams_sheet import TeamsSheet
from pipeline.workbook.fronts.votes_sheet import VotesSheet, enter_grades
from pipeline.workbook.games import games_sheet
from pipeline.workbook.games.games_sheet import GameColumns, GamesSheet
from pipeline.workbook.inputs import config, ledger_sheets, players_sheet, results_sheet
from pipeline.workbook.inputs.config import Config
from pipeline.workbook.inputs.players_sheet import PLAYER_NAMES, PlayerColumns
from pipeline.workbook.inputs.results_sheet import FIRST_ROW, ResultColumns, result_columns
from pipeline.workbook.inputs.seats import ScoredEvent, event
from pipeline.workbook.workings import final_workings, workings_sheet
from pipeline.workbook.workings.final_workings import FinalWorkings
from pipeline.workbook.workings.workings_sheet import WorkingColumns, Workings
from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.package import pack
from pipeline.workbook.xlsx.page import Page
from pipeline.workbook.xlsx.text import Losses

# In the order of the tabs: what is shown, what is typed, how it comes about, what was ordered.
TOLD = (
    standings_sheet.SHEET, final_sheet.SHEET, rounds_sheet.SHEET, boards_sheet.SHEET, charts_sheet.SHEET,
    teams_sheet.SHEET, powers_sheet.SHEET, awards_sheet.SHEET, doubts_sheet.SHEET,
)  # fmt: skip
WALL = (  # of these one pins up: Rounds has the centres of every board, Awards the best powers with what decided them
    standings_sheet.SHEET, final_sheet.SHEET, rounds_sheet.SHEET, charts_sheet.SHEET, teams_sheet.SHEET,
    awards_sheet.SHEET, doubts_sheet.SHEET,
)  # fmt: skip
INPUTS = (results_sheet.SHEET, players_sheet.SHEET, ledger_sheets.PENALTIES, ledger_sheets.BONUSES, config.SHEET)
FILE = (
    checks_sheet.SHEET, workings_sheet.SHEET, games_sheet.SHEET, final_workings.SHEET, teams_sheet.WORKINGS,
    powers_sheet.WORKINGS, log_sheets.ORDERS, log_sheets.RULINGS,
)  # fmt: skip
SHOWN, INPUT, WORKING = "1F3864", "FFC000", "A6A6A6"  # colours of the tabs


class WorkbookForm(Enum):
    """What is written of the standings."""

    BOOK = auto()  # the workbook, with everything
    WALL = auto()  # a workbook of the sheets to pin up alone, with values in place of formulas
    LIST = auto()  # the list of places as CSV


@dataclass(frozen=True, slots=True)
class WrittenWorkbook:
    """A workbook, what could not be written as it was given, and the doubts, what decides a title first."""

    pages: tuple[Page, ...]
    names: Mapping[str, str]  # of cells: name -> absolute reference
    title: str
    problems: tuple[Problem, ...]
    doubts: tuple[WeighedDoubt, ...]
    is_sealed: bool

    @property
    def data(self) -> bytes:
        """The whole workbook as a file."""
        return self.in_form(WorkbookForm.BOOK)

    def is_pinned(self, page: Page) -> bool:
        """Whether a sheet is for the wall; the others are for the file."""
        return page.title in WALL and (page.title != doubts_sheet.SHEET or bool(self.doubts))

    def in_form(self, form: WorkbookForm) -> bytes:
        """What is wanted of it as a file."""
        match form:
            case WorkbookForm.BOOK:
                return pack(self.pages, self.names, self.title)
            case WorkbookForm.WALL:
                return pack([pinned(page) for page in self.pages if self.is_pinned(page)], {}, self.title)
            case WorkbookForm.LIST:
                return as_csv(next(page for page in self.pages if page.title == standings_sheet.SHEET))
            case _:
                assert_never(form)


@dataclass(slots=True)
class Book:
    """The pages of one workbook while they are being made."""

    scored: Scored
    title: str
    losses: Losses
    pages: dict[str, Page]
    config: Config
    rows: ScoredEvent
    results: ResultColumns
    doubts: Sequence[WeighedDoubt]

    def inputs(self) -> tuple[PlayerColumns, GamesSheet, GameColumns, WorkingColumns]:
        """Players, games and workings: what everything else looks at."""
        rules = self.scored.rules
        players = players_sheet.players_sheet(self.pages[players_sheet.SHEET], self.rows, self.scored.event, rules)
        self.config.names[PLAYER_NAMES] = players.name.there
        games = games_sheet.games_sheet(
            self.pages[games_sheet.SHEET], self.rows, self.results, rules.system, self.config
        )
        columns = games.fill(players, rules.decimals)
        workings = Workings(
            scored=self.scored,
            page=self.pages[workings_sheet.SHEET],
            games_sheet=games,
            games=columns,
            results=self.results,
            players=players,
            config=self.config,
            bonuses=self.pages[ledger_sheets.BONUSES],
            penalties=self.pages[ledger_sheets.PENALTIES],
        ).fill()
        return players, games, columns, workings

    def fill(self, orders: Sequence[OrderLine], rulings: Sequence[RulingLine], meetings: int | None) -> None:
        """Make every page."""
        scored, pages, doubts = self.scored, self.pages, self.doubts
        players, games, columns, workings = self.inputs()
        self.add_final(workings)
        doubted = {title for one in doubts if one.stake is Stake.TITLE for title in one.titles}
        awards = AwardsSheet(pages[awards_sheet.SHEET], scored, workings, doubted)
        team = players.team if self.add_teams(workings, awards) else None
        self.add_powers(workings, awards)
        self.add_votes(workings, awards)
        self.add_board_games(awards)
        marks = CheckMarks(games, columns, self.results)
        in_short = doubts_sheet.in_short(doubts)
        verdict = ChecksSheet(pages[checks_sheet.SHEET], scored, marks, workings, in_short, meetings).fill()
        first = awards.first_title()
        StandingsSheet(pages[standings_sheet.SHEET], scored, workings, team, verdict, first, doubts).fill(self.title)
        RoundsSheet(pages[rounds_sheet.SHEET], scored, workings, columns, self.results).fill(self.title)
        BoardsSheet(pages[boards_sheet.SHEET], scored, self.rows, self.results, columns).fill(self.title)
        ChartsSheet(pages[charts_sheet.SHEET], scored, self.rows, self.results, workings).fill(self.title)
        awards.fill(self.title)
        doubts_sheet.doubts_sheet(pages[doubts_sheet.SHEET], doubts)
        score: BookColumn = columns.score
        results_sheet.results_sheet(pages[results_sheet.SHEET], self.rows, self.results, score, scored.rules.decimals)
        log_sheets.orders_sheet(pages[log_sheets.ORDERS], orders)
        log_sheets.rulings_sheet(pages[log_sheets.RULINGS], rulings)
        self.config.finish(self.title, scored.rules.name)

    def add_final(self, workings: WorkingColumns) -> None:
        """Who qualified for the final table, where there is one and its rounds have results."""
        final, qualified = self.scored.rules.final, self.scored.qualification
        if not final or not qualified or not final_sheet.is_written(self.scored, self.losses):
            for name in (final_sheet.SHEET, final_workings.SHEET):
                del self.pages[name]
            return
        page, working = self.pages[final_sheet.SHEET], self.pages[final_workings.SHEET]
        ledgers = self.pages[ledger_sheets.BONUSES], self.pages[ledger_sheets.PENALTIES]
        found = FinalWorkings(working, self.scored, final, workings, self.config, *ledgers).fill()
        FinalSheet(page, self.scored, final, qualified, workings, found).fill(self.title)

    def add_teams(self, workings: WorkingColumns, awards: AwardsSheet) -> bool:
        """The team competition, where there is one."""
        rules = self.scored.rules
        if not rules.teams or not self.scored.event.teams:
            for name in (teams_sheet.SHEET, teams_sheet.WORKINGS):
                del self.pages[name]
            return False
        pages = self.pages[teams_sheet.SHEET], self.pages[teams_sheet.WORKINGS]
        sheet = TeamsSheet(*pages, self.scored, rules.teams, workings.steps, workings)
        team_names, total, ranked = sheet.fill(self.title)
        first = [row for row in self.scored.teams if row.place == 1]
        awards.others.append(
            WonAward(
                title=rules.teams.title,
                names=team_names,
                total=total,
                ranked=ranked,
                winners=tuple(row.team.name for row in first),
                points=first[0].total,
                decision=str(first[0].decision) if first[0].decision else "",
                decimals=rules.decimals,
            )
        )
        return True

    def add_votes(self, workings: WorkingColumns, awards: AwardsSheet) -> None:
        """The grades that players gave each other, where there are such titles."""
        rules = self.scored.rules.votes
        if not rules:
            return
        cells = enter_grades(self.config, rules)
        for number, skill in enumerate(rules.titles, start=1):
            page = self.pages[f"{votes_sheet.SHEET} {number}"]
            awards.others.append(VotesSheet(page, self.scored, rules, workings, skill).fill(cells))

    def add_board_games(self, awards: AwardsSheet) -> None:
        """The board-games competition, where there is one."""
        rules = self.scored.rules.board_games
        if rules:
            enter_points(self.config, rules)
            awards.others.append(BoardGamesSheet(self.pages[board_games_sheet.SHEET], self.scored, rules).fill())

    def add_powers(self, workings: WorkingColumns, awards: AwardsSheet) -> None:
        """The best players of the powers, where they are honoured."""
        names = powers_sheet.SHEET, powers_sheet.WORKINGS
        if not self.scored.rules.awards.power:
            for name in names:
                del self.pages[name]
            return
        front, working = (self.pages[name] for name in names)
        awards.powers = PowersSheet(front, working, self.scored, workings.steps, workings).fill(self.title)


def names_of(scored: Scored) -> tuple[str, ...]:
    """The sheets of this event, in their order: some only where the rules ask for them."""
    skills = len(scored.rules.votes.titles) if scored.rules.votes else 0
    votes = tuple(f"{votes_sheet.SHEET} {number}" for number in range(1, skills + 1))
    games = (board_games_sheet.SHEET,) if scored.rules.board_games else ()
    inputs = tuple(name for name in INPUTS if name != config.SHEET)
    return (*TOLD, *inputs, *votes, *games, config.SHEET, *FILE)


def write_workbook(
    scored: Scored,
    *,
    title: str,
    orders: Sequence[OrderLine] = (),
    rulings: Sequence[RulingLine] = (),
    to_come: Sequence[Board] = (),
    sealed: bool | None = None,
    meetings: int | None = None,
) -> WrittenWorkbook:
    """Make the workbook of an event.

    ``to_come`` are boards that are drawn and not over: their rows wait for counts. ``sealed`` leaves out everything
    from which places or points follow, until the awards; None does what the rules say (NZ99 23). ``meetings`` is how
    often two players may meet, where the rules say so.
    """
    losses, doubts = Losses(), tuple(weighed(scored))
    is_sealed = scored.rules.is_sealed if sealed is None else sealed
    if is_sealed:
        pages, names = sealed_pages(scored.event, title, to_come, orders, rulings, losses), dict[str, str]()
    else:
        by_name = {name: Page(name, losses, tab=tab_of(name)) for name in names_of(scored)}
        settings = Config(by_name[config.SHEET], scored.rules.sources)
        rows = event(scored.event, scored.rules, to_come, FIRST_ROW)
        Book(scored, title, losses, by_name, settings, rows, result_columns(rows), doubts).fill(
            orders, rulings, meetings
        )
        pages, names = list(by_name.values()), settings.names
    return WrittenWorkbook(tuple(pages), names, title, tuple(losses.found), doubts, is_sealed)


def is_contest(name: str) -> bool:
    """Whether a sheet is the input of a title beside the ranking: its places stand on it too."""
    return name.startswith(votes_sheet.SHEET) or name == board_games_sheet.SHEET


def tab_of(name: str) -> str:
    """The colour of a sheet's tab: what is shown, what is typed, how it comes about."""
    if name in INPUTS or is_contest(name):
        return INPUT
    return WORKING if name in FILE else SHOWN
