"""An event's workbook: everything that can be computed stands as a formula, with our own engine's value beside it."""

from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import pairwise, takewhile

from msgspec import Struct
from msgspec.structs import replace
from openpyxl.utils.cell import coordinate_to_tuple

from pipeline.board import Power
from pipeline.problems import Problem, Stopped
from pipeline.rules.rules_check import TYPICAL, Fault, make_board
from pipeline.scoring.results import Board, Entrant, EventResults, Seat, Spot
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import Scored, score
from pipeline.scoring.stakes import Stake, WeighedDoubt, weigh_doubts
from pipeline.words.names import name_order
from pipeline.words.speech import IN_ENGLISH, Speech, to_say, wording
from pipeline.workbook import (
    awards_sheet,
    board_games_sheet,
    boards_sheet,
    checks_sheet,
    final_sheet,
    games_sheet,
    input_sheets,
    powers_sheet,
    seats,
    standings_sheet,
    teams_sheet,
    workings_sheet,
)
from pipeline.workbook import page as xl
from pipeline.workbook.awards_sheet import AwardsSheet, VotesSheet, WonAward, enter_grades
from pipeline.workbook.boards_sheet import A_PAGE, BoardsSheet, ChartsSheet
from pipeline.workbook.checks_sheet import CheckMarks, EventChecks, count_all_unread
from pipeline.workbook.csv_text import write_csv
from pipeline.workbook.final_sheet import FinalSheet
from pipeline.workbook.games_sheet import GameColumns, GamesSheet
from pipeline.workbook.input_sheets import FIRST_ROW, PLAYER_NAMES, PlayerColumns, ResultColumns, result_columns
from pipeline.workbook.package import pack
from pipeline.workbook.powers_sheet import PowersSheet
from pipeline.workbook.seats import Config, ScoredEvent, event
from pipeline.workbook.standings_sheet import RoundsSheet, StandingsSheet
from pipeline.workbook.teams_sheet import TeamsSheet
from pipeline.workbook.workings_sheet import FinalWorkings, StageRanking, WorkingColumns, Workings

# What leaves the workbook: the list of places as CSV.

NOWHERE: tuple[xl.Content, xl.Look] = (None, xl.PLAIN)


def _value_of(content: xl.Content) -> xl.Value:
    """What a cell shows."""
    return content.value if isinstance(content, xl.LiveFormula) else content


def _as_csv(page: xl.Page, waiting: Sequence[str], *, has_semicolons: bool) -> bytes:
    """The list of a Standings sheet, its heads first: from the row of heads down, without what is above and below."""
    head, (last, width) = int(page.repeat.partition(":")[0]), coordinate_to_tuple(page.area.partition(":")[2])
    lines = [
        [_value_of(page.cells.get(row, {}).get(n, NOWHERE)[0]) for n in range(1, width + 1)]
        for row in range(head, last + 1)
    ]
    listed = takewhile(lambda line: line[0] not in (None, ""), lines[1:])
    heads = list(_heads(lines[0], page.speech.says("Shared")))
    rest = [None] * (len(heads) - len(standings_sheet.FIRST_HEADS))
    unplaced = [["–", None, name, *rest] for name in waiting]
    return write_csv((heads, *listed, *unplaced), has_semicolons=has_semicolons)


def _heads(line: Sequence[xl.Value], shared: str) -> Iterator[str]:
    """Name every column: that of a weight ("×") after its score, as in "R1 ×", and that without a head ``shared``."""
    for before, own in pairwise([None, *line]):
        yield f"{before} ×" if own == "×" else str(own or shared)


# The sealed workbook: what everybody in the hall has seen, and nothing from which places or points follow (NZ99 23).
#
# It has no formulas, no inputs and no hidden sheets; rows stand by name, by board and by time. Whoever has the file has
# nothing to open. At the ceremony the program writes the workbook anew.

WORDS = to_say("Sealed until the awards: players by name, without places or points.")
PLAYERS, BOARDS, TEAMS = "Standings", "Boards", "Teams"
HEAD_ROW = 5


def _sealed_pages(
    results: EventResults,
    title: str,
    to_come: Sequence[Board],
    orders: Sequence[board_games_sheet.OrderLine],
    rulings: Sequence[board_games_sheet.RulingLine],
    losses: xl.Losses,
    speech: Speech,
) -> list[xl.Page]:
    """Make the pages; of the event only who sat where, the counts on the boards, and the teams are looked at."""
    boards = sorted([*results.boards, *to_come], key=lambda board: board.round)
    over = {board.spot for board in results.boards} - results.going_on
    pages = [_players_page(results, boards, title, losses, speech), _boards_page(boards, over, title, losses, speech)]
    if results.teams:
        pages.append(_teams_page(results, title, losses, speech))
    logs = [xl.Page(board_games_sheet.ORDERS, losses, speech), xl.Page(board_games_sheet.RULINGS, losses, speech)]
    board_games_sheet.fill_orders(logs[0], orders)
    board_games_sheet.fill_rulings(logs[1], rulings)
    return [*pages, *logs]


def _players_page(
    results: EventResults, boards: Sequence[Board], title: str, losses: xl.Losses, speech: Speech
) -> xl.Page:
    """Who plays, by name, and where each sat."""
    page = xl.Page(PLAYERS, losses, speech, landscape=True, freeze=f"B{HEAD_ROW + 1}", repeat=f"{HEAD_ROW}:{HEAD_ROW}")
    page.put(1, 1, title, xl.TITLE)
    page.put(3, 1, speech.says(WORDS), xl.SUBTITLE.but(italic=False, bold=True))
    seats_of: dict[str, dict[int, list[str]]] = {name: {} for name in results.players}
    for board in boards:
        for power, seat in board.seats.items():
            if seat.player:
                own = seats_of.setdefault(seat.player, {})
                own.setdefault(board.round, []).append(f"{board.name} {speech.power(power)}")
    rounds = sorted({board.round for board in boards})
    page.row(HEAD_ROW, 1, (to_say("Player"), *(wording("Round {round}", round=number) for number in rounds)), xl.HEAD)
    page.put(HEAD_ROW, 1, to_say("Player"), xl.HEAD_LEFT)
    for row, (name, sat) in enumerate(
        sorted(seats_of.items(), key=lambda each: name_order(each[0])), start=HEAD_ROW + 1
    ):
        page.put(row, 1, name, xl.TEXT.but(bold=True, size=12))
        page.row(row, 2, (", ".join(sat.get(number, ())) for number in rounds), xl.TEXT)
    page.widths |= {1: 30} | dict.fromkeys(range(2, 2 + len(rounds)), 18)
    page.area = f"A1:{xl.at(HEAD_ROW + max(len(seats_of), 1), 1 + len(rounds))}"
    return page


def _boards_page(boards: Sequence[Board], over: Set[Spot], title: str, losses: xl.Losses, speech: Speech) -> xl.Page:
    """Centres year by year, as the boards show them; powers in the order in which they are always listed."""
    page = xl.Page(BOARDS, losses, speech, repeat="1:2")
    page.put(1, 1, to_say("Boards"), xl.TITLE)
    subtitle = speech.says("{title}: supply centres after each Fall, and at the end.", title=title)
    page.put(2, 1, subtitle, xl.SUBTITLE)
    years = sorted({year for board in boards for year in board.years})
    row, end = 4, 3 + len(years)
    for number, board in enumerate(boards):
        if number and number % A_PAGE == 0:
            page.breaks.append(row - 1)
        place = speech.says("Round {round}", round=board.round), speech.says("board {board}", board=board.name)
        page.merge(row, 1, end, ", ".join(place), xl.SECTION)
        page.row(row + 1, 1, (to_say("Power"), to_say("Player"), *years, to_say("End")), xl.HEAD)
        for offset, power in enumerate(board.powers, start=2):
            page.put(row + offset, 1, speech.power(power), xl.TEXT.but(bold=True))
            page.put(row + offset, 2, board.seats[power].player, xl.TEXT)
            owned = (board.count_owned(power, year) if year in board.years else None for year in years)
            page.row(row + offset, 3, owned, xl.WHOLE)
            page.put(row + offset, end, board.centres[power] if board.spot in over else None, xl.WHOLE.but(bold=True))
        row += len(board.powers) + 3
    page.widths |= {1: 11, 2: 28} | dict.fromkeys(range(3, end + 1), 7)
    page.area = f"A1:{xl.at(max(row - 2, 4), end)}"
    return page


def _teams_page(results: EventResults, title: str, losses: xl.Losses, speech: Speech) -> xl.Page:
    """The teams by name, their members by name."""
    page = xl.Page(TEAMS, losses, speech)
    page.put(1, 1, to_say("Teams"), xl.TITLE)
    page.put(2, 1, speech.says("{title}: teams by name.", title=title), xl.SUBTITLE)
    teams = sorted(results.teams, key=lambda team: name_order(team.name))
    grid = xl.Grid(page, HEAD_ROW, len(teams))
    grid.add(to_say("Team"), [team.name for team in teams], xl.TEXT.but(bold=True), 26)
    for nth in range(max((len(team.members) for team in teams), default=0)):
        names = [sorted(team.members, key=name_order)[nth] if nth < len(team.members) else None for team in teams]
        grid.add(wording("Member {number}", number=nth + 1), names, xl.CENTRED, 24)
    page.area = f"A1:{xl.at(grid.last, max(grid.column - 1, 1))}"
    return page


# In the order of the tabs: what is shown, what is typed, the workings, what was ordered.
SHOWN_SHEETS = (
    standings_sheet.SHEET, final_sheet.SHEET, standings_sheet.ROUNDS_SHEET, boards_sheet.SHEET,
    boards_sheet.CHARTS_SHEET, teams_sheet.SHEET, powers_sheet.SHEET, awards_sheet.SHEET, standings_sheet.DOUBTS_SHEET,
)  # fmt: skip
INPUT_SHEETS = (
    input_sheets.SHEET,
    input_sheets.PLAYERS_SHEET,
    input_sheets.PENALTIES,
    input_sheets.BONUSES,
    seats.SHEET,
)
WORKING_SHEETS = (
    checks_sheet.SHEET, workings_sheet.SHEET, games_sheet.SHEET, workings_sheet.FINAL_WORKINGS_SHEET,
    teams_sheet.WORKINGS, powers_sheet.WORKINGS, board_games_sheet.ORDERS, board_games_sheet.RULINGS,
)  # fmt: skip
SHOWN, INPUT, WORKING = "1F3864", "FFC000", "A6A6A6"  # colours of the tabs


class WrittenWorkbook(Struct, frozen=True):
    """A workbook, what could not be written as it was given, and the doubts: those that decide a title come first."""

    pages: tuple[xl.Page, ...]
    names: Mapping[str, str]  # of cells: name -> absolute reference
    title: str
    problems: tuple[Problem, ...]
    doubts: tuple[WeighedDoubt, ...]
    is_sealed: bool
    paper: str = "A4"  # on which it is printed; or A5, or LETTER
    waiting: tuple[str, ...] = ()  # who has not played yet; the list of places has them last

    @property
    def data(self) -> bytes:
        """The workbook, with everything."""
        return pack(self.pages, self.names, self.title, self.paper)

    def with_waiting(self, names: Sequence[str]) -> "WrittenWorkbook":
        """The workbook with those who have not played yet below its standings; a sealed one has no places to miss."""
        if self.is_sealed or not names:
            return self
        page = next(page for page in self.pages if page.title == standings_sheet.SHEET)
        last, width = coordinate_to_tuple(page.area.partition(":")[2])
        listed = ", ".join(names)
        words = page.speech.says("Not in these standings yet ({count}): {names}.", count=len(names), names=listed)
        page.merge(last + 1, 1, width, words, xl.NOTE.but(colour="000000"))
        page.heights[last + 1] = 15.0 * -(-len(words) // 100)
        page.area = f"A1:{xl.at(last + 1, width)}"
        return replace(self, waiting=tuple(names))

    def as_csv(self, *, has_semicolons: bool = False) -> bytes:
        """The list of places."""
        page = next(page for page in self.pages if page.title == standings_sheet.SHEET)
        return _as_csv(page, self.waiting, has_semicolons=has_semicolons)


class Book(Struct):
    """The pages of one workbook while they are being made."""

    scored: Scored
    title: str
    losses: xl.Losses
    pages: dict[str, xl.Page]
    config: Config
    rows: ScoredEvent
    results: ResultColumns
    doubts: Sequence[WeighedDoubt]

    def inputs(self) -> tuple[PlayerColumns, GamesSheet, GameColumns, WorkingColumns]:
        """Players, games and workings: what everything else looks at."""
        rules = self.scored.rules
        players = input_sheets.players_sheet(
            self.pages[input_sheets.PLAYERS_SHEET], self.rows, self.scored.event, rules
        )
        self.config.names[PLAYER_NAMES] = players.name.there
        games = games_sheet.games_sheet(self.pages[games_sheet.SHEET], self.rows, self.results, rules, self.config)
        columns = games.fill(players, rules.decimals)
        workings = Workings(
            scored=self.scored,
            page=self.pages[workings_sheet.SHEET],
            games_sheet=games,
            games=columns,
            results=self.results,
            players=players,
            config=self.config,
            bonuses=self.pages[input_sheets.BONUSES],
            penalties=self.pages[input_sheets.PENALTIES],
        ).fill()
        return players, games, columns, workings

    def fill(
        self,
        orders: Sequence[board_games_sheet.OrderLine],
        rulings: Sequence[board_games_sheet.RulingLine],
        meetings: int | None,
    ) -> None:
        """Make every page."""
        scored, pages, doubts = self.scored, self.pages, self.doubts
        players, games, columns, workings = self.inputs()
        self.add_final(workings)
        doubted = {title for one in doubts if one.stake is Stake.TITLE for title in one.titles}
        awards = AwardsSheet(pages[awards_sheet.SHEET], scored, workings, doubted)
        team = players.team if self.add_teams(workings, awards) else None
        self.add_powers(workings, awards)
        self.add_titles(workings, awards)
        self.add_best(workings)
        self.add_votes(workings, awards)
        self.add_board_games(awards)
        score_column: xl.BookColumn = columns.score
        input_sheets.fill_results(
            pages[input_sheets.SHEET], self.rows, self.results, score_column, scored.rules.decimals
        )
        marks = CheckMarks(games, columns, self.results)
        standings, speech = pages[standings_sheet.SHEET], pages[standings_sheet.SHEET].speech
        in_short = standings_sheet.in_short(doubts, speech)
        verdict = EventChecks(
            page=pages[checks_sheet.SHEET],
            scored=scored,
            workings=workings,
            in_doubt=in_short,
            unread=count_all_unread(pages.values()),
            marks=marks,
            meetings=meetings,
        ).fill()
        first, fine = awards.first_title(), standings.word(checks_sheet.PASS)
        StandingsSheet(standings, scored, workings, team, verdict, fine, first, doubts).fill(self.title)
        RoundsSheet(pages[standings_sheet.ROUNDS_SHEET], scored, workings, columns, self.results).fill(self.title)
        BoardsSheet(pages[boards_sheet.SHEET], scored, self.rows, self.results, columns).fill(self.title)
        ChartsSheet(pages[boards_sheet.CHARTS_SHEET], scored, self.rows, self.results, workings).fill(self.title)
        awards.fill(self.title)
        standings_sheet.fill_doubts(pages[standings_sheet.DOUBTS_SHEET], doubts)
        board_games_sheet.fill_orders(pages[board_games_sheet.ORDERS], orders)
        board_games_sheet.fill_rulings(pages[board_games_sheet.RULINGS], rulings)
        self.config.finish(self.title, scored.rules.name)

    def add_final(self, workings: WorkingColumns) -> None:
        """Who qualified for the final table, where there is one and its rounds have results."""
        final, qualified = self.scored.rules.final, self.scored.qualification
        if not final or not qualified or not final_sheet.is_written(self.scored, self.losses):
            for name in (final_sheet.SHEET, workings_sheet.FINAL_WORKINGS_SHEET):
                del self.pages[name]
            return
        page, working = self.pages[final_sheet.SHEET], self.pages[workings_sheet.FINAL_WORKINGS_SHEET]
        ledgers = self.pages[input_sheets.BONUSES], self.pages[input_sheets.PENALTIES]
        asked = StageRanking.of_final(self.scored, final)
        sheet = FinalWorkings(working, self.scored, asked, workings, self.config, *ledgers).fill()
        FinalSheet(page, self.scored, final, qualified, workings, sheet).fill(self.title)

    def add_teams(self, workings: WorkingColumns, awards: AwardsSheet) -> bool:
        """The teams, where there are any and one of their rounds has begun; says whether they are written."""
        rules = self.scored.rules
        played = {slot.round for slot in workings.accounts.slots}
        if not rules.teams or not self.scored.event.teams or played.isdisjoint(rules.teams.rounds):
            for name in (teams_sheet.SHEET, teams_sheet.WORKINGS):
                del self.pages[name]
            return False
        pages = self.pages[teams_sheet.SHEET], self.pages[teams_sheet.WORKINGS]
        speech = pages[0].speech
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
                decision=first[0].decision.in_words(speech) if first[0].decision else "",
                decimals=rules.decimals,
            )
        )
        return True

    def add_titles(self, workings: WorkingColumns, awards: AwardsSheet) -> None:
        """The rankings that make further titles, each with a sheet of its own."""
        ledgers = self.pages[input_sheets.BONUSES], self.pages[input_sheets.PENALTIES]
        played = {slot.round for slot in workings.accounts.slots}
        for number, title in enumerate(self.scored.titles, start=1):
            if title.rules.rounds and played.isdisjoint(title.rules.rounds):
                del self.pages[_title_sheet(number)]  # none of its rounds has begun
                continue
            page, asked = self.pages[_title_sheet(number)], StageRanking.of_title(self.scored, title, number)
            sheet = FinalWorkings(page, self.scored, asked, workings, self.config, *ledgers).fill()
            first = title.first
            awards.others.append(
                WonAward(
                    title=title.rules.title,
                    names=sheet.name,
                    total=sheet.total,
                    ranked=sheet.ranked,
                    winners=tuple(one.contender.name for one in first),
                    points=first[0].contender.total if first else Fraction(),
                    decision=first[0].decision.in_words(page.speech) if first and first[0].decision else "",
                    decimals=self.scored.rules.decimals,
                )
            )

    def add_best(self, workings: WorkingColumns) -> None:
        """Who is among the best before a round that counts more for them, each ranking with a sheet of its own."""
        ledgers = self.pages[input_sheets.BONUSES], self.pages[input_sheets.PENALTIES]
        written = workings_sheet.written_best(self.scored, workings.accounts)
        for number, best in enumerate(self.scored.standings.best, start=1):
            name = f"{workings_sheet.BEST_WORKINGS} {number}"
            if number not in written:
                del self.pages[name]
                continue
            asked = StageRanking.of_best(self.scored, best, number)
            sheet = FinalWorkings(self.pages[name], self.scored, asked, workings, self.config, *ledgers).fill()
            self.config.names[f"Best_{number}"] = sheet.ranked.place.there

    def add_votes(self, workings: WorkingColumns, awards: AwardsSheet) -> None:
        """The grades that players gave each other, where there are such titles."""
        rules = self.scored.rules.votes
        if not rules:
            return
        cells = enter_grades(self.config, rules)
        for number, skill in enumerate(rules.titles, start=1):
            page = self.pages[f"{awards_sheet.VOTES_SHEET} {number}"]
            awards.others.append(VotesSheet(page, self.scored, rules, workings, skill).fill(cells))

    def add_board_games(self, awards: AwardsSheet) -> None:
        rules = self.scored.rules.board_games
        if rules:
            board_games_sheet.enter_points(self.config, rules)
            awards.others.append(
                board_games_sheet.BoardGamesSheet(self.pages[board_games_sheet.SHEET], self.scored, rules).fill()
            )

    def add_powers(self, workings: WorkingColumns, awards: AwardsSheet) -> None:
        """The best players of the powers, where they are honoured."""
        names = powers_sheet.SHEET, powers_sheet.WORKINGS
        if not self.scored.rules.awards.power:
            for name in names:
                del self.pages[name]
            return
        front, working = (self.pages[name] for name in names)
        awards.powers = PowersSheet(front, working, self.scored, workings.steps, workings).fill(self.title)


def _names_of(scored: Scored) -> tuple[str, ...]:
    """The sheets of this event, in their order: some only where the rules ask for them."""
    skills = len(scored.rules.votes.titles) if scored.rules.votes else 0
    votes = tuple(f"{awards_sheet.VOTES_SHEET} {number}" for number in range(1, skills + 1))
    games = (board_games_sheet.SHEET,) if scored.rules.board_games else ()
    inputs = tuple(name for name in INPUT_SHEETS if name != seats.SHEET)
    titles = tuple(_title_sheet(number) for number in range(1, len(scored.rules.awards.titles) + 1))
    best = (f"{workings_sheet.BEST_WORKINGS} {n}" for n in range(1, len(scored.rules.totals.for_the_best) + 1))
    return (*SHOWN_SHEETS, *inputs, *votes, *games, seats.SHEET, *WORKING_SHEETS, *titles, *best)


def _title_sheet(number: int) -> str:
    """The sheet of the ranking that makes a further title."""
    return f"{workings_sheet.TITLE_WORKINGS} {number}"


def write_workbook(  # noqa: PLR0913 - callers name each
    scored: Scored,
    *,
    title: str,
    orders: Sequence[board_games_sheet.OrderLine] = (),
    rulings: Sequence[board_games_sheet.RulingLine] = (),
    to_come: Sequence[Board] = (),
    sealed: bool | None = None,
    meetings: int | None = None,
    speech: Speech = IN_ENGLISH,
) -> WrittenWorkbook:
    """Make the workbook of an event.

    ``to_come`` are boards that are drawn and not over: their rows wait for counts. ``sealed`` leaves out everything
    from which places or points follow, until the awards; None does what the rules say (NZ99 23). ``meetings`` is how
    often two players may meet, where the rules say so. ``speech`` is the language of all that stands in it.
    """
    losses, doubts = xl.Losses(), tuple(weigh_doubts(scored))
    is_sealed = scored.rules.is_sealed if sealed is None else sealed
    if is_sealed:
        pages, names = _sealed_pages(scored.event, title, to_come, orders, rulings, losses, speech), dict[str, str]()
    else:
        by_name = {name: xl.Page(name, losses, speech, tab=_tab_of(name)) for name in _names_of(scored)}
        settings = Config(by_name[seats.SHEET], scored.rules.sources)
        rows = event(scored.event, scored.rules, scored.games, to_come, FIRST_ROW)
        Book(scored, title, losses, by_name, settings, rows, result_columns(rows), doubts).fill(
            orders, rulings, meetings
        )
        pages, names = list(by_name.values()), settings.names
    return WrittenWorkbook(tuple(pages), names, title, tuple(losses.found), doubts, is_sealed)


def _tab_of(name: str) -> str:
    """The colour of a sheet's tab: shown, typed, or workings."""
    if name in (*INPUT_SHEETS, board_games_sheet.SHEET) or name.startswith(awards_sheet.VOTES_SHEET):
        return INPUT
    many = (workings_sheet.TITLE_WORKINGS, workings_sheet.BEST_WORKINGS)
    return WORKING if name in WORKING_SHEETS or name.startswith(many) else SHOWN


def unwritable(rules: ScoringRules) -> tuple[Fault, ...]:
    """What the rules ask for that the workbook cannot compute."""
    names = dict(zip(Power, "ABCDEFG", strict=True))
    board = replace(make_board(TYPICAL), seats={power: Seat(player=name) for power, name in names.items()})
    results = EventResults(boards=(board,), players={name: Entrant(name=name) for name in names.values()})
    try:
        write_workbook(score(results, rules), title="check")
    except Stopped as stopped:
        return tuple(Fault(None, problem.where, problem.text) for problem in stopped.problems)
    return ()
