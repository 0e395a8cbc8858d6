"""Tie-breaks between players as formulas, one for each of `pipeline.scoring.tiebreaks` that players may have."""

from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.scoring import tiebreaks
from pipeline.scoring.results import Board, EventResults
from pipeline.scoring.rules import Chain
from pipeline.scoring.system import Outcome, PlayerGame
from pipeline.words.speech import to_say, wording
from pipeline.workbook import better_game
from pipeline.workbook.accounts import Accounts, Person
from pipeline.workbook.games_sheet import GameColumns, GameList, add_opponents
from pipeline.workbook.input_sheets import DRAWING, PlayerColumns, ResultColumns
from pipeline.workbook.page import SMALL, BookColumn, LiveFormula, sum_terms, unwritable
from pipeline.workbook.ranking_columns import NOT_PLAYED, Said, StepFormula


class Contest(Enum):
    """Who is ranked."""

    PLAYERS = "players"
    GAMES = "games"  # single games, for the best player of a power
    TEAMS = "teams"


class Steps(Struct):
    """What the tie-breaks are computed from."""

    accounts: Accounts
    games_sheet: GameList
    games: GameColumns
    game_accounts: better_game.GameAccounts | None  # which games count for which player; None if not between players
    players: PlayerColumns
    results: ResultColumns
    event: EventResults
    final: BookColumn | None  # where the player's game on the final table stands, 0 for none
    total: BookColumn
    contest: Contest = Contest.PLAYERS
    player: BookColumn | None = None  # for games: the number of the player
    everything: BookColumn | None = None  # the sum of all games, where the slots do not hold them all
    opponents: BookColumn | None = None  # for games: the opponents' totals, on the Games sheet
    margin: BookColumn | None = None  # for games: centres above the best other power, on the Games sheet
    keys: better_game.GameKeys | None = None
    best: better_game.BestGames | None = None
    key_cache: dict[tuple[object, ...], tiebreaks.Key] = field(default_factory=dict)  # the keys of games
    flags: dict[str, BookColumn] = field(default_factory=dict)
    nobodys: BookColumn | None = None  # how many games the player gave up whose points go to nobody

    def prepare(self, *chains: Chain) -> None:
        """Add the columns that several tie-breaks share, as far as these chains need them."""
        every = [step for chain in chains for step in chain]
        if any(isinstance(step, tiebreaks.HighestGame) and not step.dropped_too for step in every):
            self.accounts.add_scores("counted", "Counts", "weight")
        self.accounts.add_scores("all", to_say("Kept score"), "kept")
        nths = [step.nth for step in every if isinstance(step, tiebreaks.GameStep)]
        if nths:
            self.keys = self.keys or better_game.add_game_keys(self.games_sheet, self.games, self.results)
            self.best = better_game.add_best_games(self.accounts, self.keys, max(nths))

    def chain(self, chain: Chain) -> list[StepFormula]:
        return [self.step(tiebreak) for tiebreak in chain]

    def step(self, tiebreak: tiebreaks.Tiebreak) -> StepFormula:  # noqa: C901, PLR0911, PLR0912 - one line for each tie-break
        match tiebreak:
            case tiebreaks.MostWins():
                return self.outcomes(tiebreak, Outcome.WIN)
            case tiebreaks.MostDraws():
                return self.outcomes(tiebreak, Outcome.DRAW)
            case tiebreaks.HighestGame():
                return self.highest_game(tiebreak)
            case tiebreaks.GameStep():
                return self.nth_best_games(tiebreak)
            case tiebreaks.BestMeeting():
                return self.meeting(tiebreak, "SUMPRODUCT(MAX(({players}={own})*{scores}))")
            case tiebreaks.SumOfMeetings():
                return self.meeting(tiebreak, "SUMIF({players},{own},{scores})")
            case tiebreaks.Distance():
                return self.distance(tiebreak)
            case tiebreaks.TieLot():
                return self.lot(tiebreak)
            case tiebreaks.LatestRound():
                return self.latest_round(tiebreak)
            case tiebreaks.FinalScore():
                return self.on_final(tiebreak, lambda row: self.of_final(row, self.games.score))
            case tiebreaks.PowerOrder():
                return self.power_order(tiebreak)
            case tiebreaks.ChoseLast() | tiebreaks.CentresInYear() if self.contest is not Contest.PLAYERS:
                return self.nothing(tiebreak)
            case tiebreaks.ChoseLast():
                return self.chose_last(tiebreak)
            case tiebreaks.CentresInYear():
                return self.centres_in_year(tiebreak)
            case tiebreaks.Overall():
                return StepFormula(tiebreak, 1, lambda row, _element, _places: self.total.cell(row))
            case tiebreaks.AllGames():
                return self.all_games(tiebreak)
            case tiebreaks.CentreMargin() if self.margin:
                return self.of_game(tiebreak, self.margin)
            case tiebreaks.Opponents() if self.opponents:
                return self.of_game(tiebreak, self.opponents)
            case tiebreaks.Opponents() if self.contest is Contest.PLAYERS:
                return self.of_opponents(tiebreak)
            case _:
                raise unwritable(f"no formula for the tie-break {tiebreak.name!r} between players")

    def outcomes(self, tiebreak: tiebreaks.Tiebreak, outcome: Outcome) -> StepFormula:
        """How many kept games ended in one way."""

        def write(row: int, _element: int, _places: BookColumn) -> str:
            pairs = zip(self.accounts.block("kept"), self.accounts.block("row"), strict=True)
            there = self.games.outcome.there
            terms = [
                f"IF({kept.cell(row)}=1,IF(INDEX({there},{index.cell(row)})={outcome.standing},1,0),0)"
                for kept, index in pairs
            ]
            return sum_terms(terms)

        return StepFormula(tiebreak, 1, write)

    def highest_game(self, tiebreak: tiebreaks.HighestGame) -> StepFormula:
        """The nth highest score of the games that count, or of all."""
        block, nth = "all" if tiebreak.dropped_too else "counted", tiebreak.nth

        def write(row: int, _element: int, _places: BookColumn) -> str:
            cells = self.accounts.cells(block, row)
            plain = f"IF(COUNT({cells})>={nth},LARGE({cells},{nth}),{NOT_PLAYED})"
            if self.nobodys is None:
                return plain
            # each of them is a game of 0 points, and stands behind all that are not below 0
            own, above = self.nobodys.cell(row), f'COUNTIF({cells},">=0")'
            lower = f"IF(COUNT({cells})+{own}>={nth},LARGE({cells},{nth}-{own}),{NOT_PLAYED})"
            return f"IF({own}=0,{plain},IF({above}>={nth},LARGE({cells},{nth}),IF({above}+{own}>={nth},0,{lower})))"

        return StepFormula(tiebreak, 1, write)

    def nth_best_games(self, tiebreak: tiebreaks.GameStep) -> StepFormula:
        """One step of comparing the nth best games."""
        if self.keys is None or self.best is None:
            raise TypeError("the chain was not prepared")
        games = self.best
        columns, best = self.keys.of(tiebreak.key), games.columns[tiebreak.nth - 1]

        def write(row: int, element: int, _places: BookColumn) -> str:
            missing = NOT_PLAYED if element == 0 else "0"
            return f"IF({best.cell(row)}=0,{missing},INDEX({columns[element].there},{best.cell(row)}))"

        applies = self.eliminated_column(tiebreak, best, self.keys.eliminated) if tiebreak.only_eliminated else None

        def values(rows: Sequence[int]) -> Sequence[tiebreaks.Key]:
            people = [self.accounts.people[row - self.accounts.grid.first] for row in rows]
            nth_games = [seat.game if (seat := games.nth(person, tiebreak.nth)) else None for person in people]
            if tiebreak.only_eliminated and not all(g and g.is_eliminated and g.board.years for g in nth_games):
                return [()] * len(rows)
            return [self.number_of(tiebreak, game) if game else (tiebreaks.UNPLAYED,) for game in nth_games]

        return StepFormula(
            tiebreak, better_game.WIDTHS[tiebreak.key], write, applies, _tiebreak_wording(tiebreak), values=values
        )

    def number_of(self, tiebreak: tiebreaks.GameStep, game: PlayerGame) -> tiebreaks.Key:
        """What a step compares of a game."""
        place = (tiebreak.key, game.board.spot, game.power)
        if place not in self.key_cache:
            self.key_cache[place] = tiebreak.key(game)
        return self.key_cache[place]

    def eliminated_column(self, tiebreak: tiebreaks.GameStep, best: BookColumn, eliminated: BookColumn) -> BookColumn:
        """The column that is 1 if the power was eliminated in the player's nth best game."""

        def cell(person: Person) -> LiveFormula:
            index = best.cell(person.row)
            seat = self.best.nth(person, tiebreak.nth) if self.best else None
            applies = seat is not None and seat.game is not None and seat.game.is_eliminated and seat.board.years
            return LiveFormula(f"IF({index}=0,0,INDEX({eliminated.there},{index}))", int(bool(applies)))

        return self.flag(wording("Eliminated {number}", number=tiebreak.nth), cell)

    def meeting(self, tiebreak: tiebreaks.Tiebreak, formula: str) -> StepFormula:
        """A formula over the scores of the games in which tied players met."""
        if self.game_accounts is None:
            raise unwritable(f"{tiebreak.name!r} is a tie-break between players, and stands elsewhere in the rules")
        meetings = better_game.Meetings(self.games_sheet, self.games, self.game_accounts)

        def write(row: int, _element: int, _places: BookColumn) -> str:
            scores = meetings.score.there if meetings.score else "0"
            players, own = self.games.player.there, self.accounts.number_cell(row)
            return formula.format(players=players, own=own, scores=scores)

        return StepFormula(tiebreak, 1, write, begin=meetings.begin)

    def nothing(self, tiebreak: tiebreaks.Tiebreak) -> StepFormula:
        """A tie-break that applies to nobody in this contest."""
        return StepFormula(tiebreak, 1, lambda _row, _e, _p: "0")

    def distance(self, tiebreak: tiebreaks.Distance) -> StepFormula:
        """Kilometres from home; they separate nobody while one of the tied has none."""
        if self.contest is not Contest.PLAYERS:
            return self.nothing(tiebreak)
        column = self.players.distance

        def cell(person: Person) -> LiveFormula:
            player = self.event.players.get(person.name)
            known = player is not None and player.distance_km is not None
            return LiveFormula(f"IF(ISNUMBER({column.far(person.row)}),1,0)", int(known))

        applies = self.flag(to_say("Distance known"), cell)
        return StepFormula(tiebreak, 1, lambda row, _e, _p: f"N({column.far(row)})", applies)

    def lot(self, tiebreak: tiebreaks.TieLot) -> StepFormula:
        """Who was drawn first; it separates nobody while they were not all drawn together."""
        if self.contest is Contest.TEAMS:
            return self.nothing(tiebreak)

        def lot_of(row: int) -> str:
            if self.player is None:
                return self.players.lot.far(row)
            return f"INDEX({self.players.lot.there},MAX({self.player.cell(row)},1))"

        def cell(person: Person) -> LiveFormula:
            known = f"IF(ISNUMBER({lot_of(person.row)}),INT(({lot_of(person.row)}-1)/{DRAWING})+1,0)"
            formula = f"IF({self.player.cell(person.row)}=0,0,{known})" if self.player else known
            drawings = [number for number, lot in enumerate(self.event.lots, start=1) if person.name in lot]
            return LiveFormula(formula, drawings[0] if drawings else 0)

        applies = self.flag(to_say("Lot drawn"), cell)

        def write(row: int, _element: int, _places: BookColumn) -> str:
            return f"-(MOD(N({lot_of(row)})-1,{DRAWING})+1)"

        return StepFormula(tiebreak, 1, write, applies, (Said.DRAWN,))

    def all_games(self, tiebreak: tiebreaks.AllGames) -> StepFormula:
        """Everything added up."""
        if self.contest is Contest.GAMES:
            return self.nothing(tiebreak)
        everything = self.everything
        if everything:
            return StepFormula(tiebreak, 1, lambda row, _e, _p: everything.cell(row))
        return StepFormula(tiebreak, 1, lambda row, _e, _p: f"SUM({self.accounts.cells('all', row)})")

    def of_game(self, tiebreak: tiebreaks.Tiebreak, column: BookColumn) -> StepFormula:
        """The value that a column gives for the game."""
        index = self.accounts.block("row")[0]

        def write(row: int, _element: int, _places: BookColumn) -> str:
            return f"IF({index.cell(row)}=0,0,INDEX({column.there},{index.cell(row)}))"

        return StepFormula(tiebreak, 1, write)

    def of_opponents(self, tiebreak: tiebreaks.Opponents) -> StepFormula:
        """The totals of all opponents of all kept games, added up."""
        totals = {person.name: person.tally.total if person.tally else Fraction() for person in self.accounts.people}
        seats = self.games_sheet.event.seats
        by_row = {seat.row: totals.get(seat.seat.player or "", Fraction()) for seat in seats}
        column = add_opponents(self.games_sheet, self.games, self.total, by_row)

        def write(row: int, _element: int, _places: BookColumn) -> str:
            pairs = list(zip(self.accounts.block("kept"), self.accounts.block("row"), strict=True))
            there = column.there
            terms = [f"IF({kept.cell(row)}=1,INDEX({there},{index.cell(row)}),0)" for kept, index in pairs]
            return f"IF({sum_terms([kept.cell(row) for kept, _ in pairs])}=0,{NOT_PLAYED},{sum_terms(terms)})"

        return StepFormula(tiebreak, 1, write)

    def latest_round(self, tiebreak: tiebreaks.LatestRound) -> StepFormula:
        """The best score in the first of some rounds that was played."""

        def write(row: int, _element: int, _places: BookColumn) -> str:
            formula = NOT_PLAYED
            for number in reversed(tiebreak.rounds):
                if slots := self.accounts.of_round(number):
                    cells = self.accounts.cells("all", row, slots)
                    formula = f"IF(COUNT({cells})>0,MAX({cells}),{formula})"
            return formula

        return StepFormula(tiebreak, 1, write)

    def on_final(self, tiebreak: tiebreaks.Tiebreak, write: Callable[[int], str]) -> StepFormula:
        """A value that separates only players of the final table."""
        if self.contest is not Contest.PLAYERS:
            return self.nothing(tiebreak)
        return StepFormula(tiebreak, 1, lambda row, _e, _p: write(row), self.finalists())

    def power_order(self, tiebreak: tiebreaks.PowerOrder) -> StepFormula:
        """The place of the power in a given order, negative so that the first is highest."""
        names = self.accounts.grid.page.list_powers(tiebreak.order)

        def write(row: int) -> str:
            index = self.final.cell(row) if self.final else "0"
            power = f"INDEX({self.games.power.there},{index})"
            return f"IF({index}=0,0,1-MATCH({power},{{{names}}},0))"

        return replace(self.on_final(tiebreak, write), says=(Said.POWER,), powers=tiebreak.order)

    def chose_last(self, tiebreak: tiebreaks.ChoseLast) -> StepFormula:
        """The place in the order of choosing; it separates nobody while it is not recorded."""
        chose = self.results.column_named("Chose")
        return self.recorded_on_final(tiebreak, to_say("Chose"), chose, lambda board, name: name in board.chose)

    def centres_in_year(self, tiebreak: tiebreaks.CentresInYear) -> StepFormula:
        """Centres on the final table after a year; it separates nobody where the year was not played."""
        year = tiebreak.year
        return self.recorded_on_final(
            tiebreak, wording("Played {year}", year=year), self.results.year(year), lambda board, _: year in board.years
        )

    def recorded_on_final(
        self,
        tiebreak: tiebreaks.Tiebreak,
        head: str,
        column: BookColumn,
        is_recorded: Callable[[Board, str], bool],
    ) -> StepFormula:
        """A number of the final table; it separates nobody where it is not recorded of each of the tied."""

        def cell(person: Person) -> LiveFormula:
            final = person.tally.final if person.tally else None
            known = final is not None and is_recorded(final.board, person.name)
            index = self.final.cell(person.row) if self.final else "0"
            return LiveFormula(f"IF({index}=0,0,IF(ISNUMBER(INDEX({column.there},{index})),1,0))", int(known))

        return StepFormula(tiebreak, 1, lambda row, _e, _p: self.of_final(row, column), self.flag(head, cell))

    def of_final(self, row: int, column: BookColumn) -> str:
        """The value that a column gives for the player's game on the final table; 0 if he has none."""
        index = self.final.cell(row) if self.final else "0"
        return f"IF({index}=0,0,N(INDEX({column.there},{index})))"

    def flag(self, name: str, cell: Callable[[Person], LiveFormula]) -> BookColumn:
        """The column that is 1 or more where a tie-break applies to the player."""
        if name not in self.flags:
            contents = [cell(person) for person in self.accounts.people]
            self.flags[name] = self.accounts.grid.add(name, contents, SMALL, 7)
        return self.flags[name]

    def finalists(self) -> BookColumn:
        """Who was on the final table."""

        def cell(person: Person) -> LiveFormula:
            index = self.final.cell(person.row) if self.final else "0"
            return LiveFormula(f"IF({index}>0,1,0)", int(person.plays_final))

        return self.flag(to_say("On final"), cell)


def _tiebreak_wording(tiebreak: tiebreaks.GameStep) -> tuple[Said, ...]:
    """How the numbers of one step are said."""
    if tiebreak.key is tiebreaks.outcome_key:
        return (Said.OUTCOME,)
    if tiebreak.key is tiebreaks.position_key:
        return Said.PLACE, Said.SHARERS
    return (Said.NUMBER,) * better_game.WIDTHS[tiebreak.key]
