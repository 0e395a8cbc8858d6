"""The Workings sheet: from each player's games to the place, one row a player, to be read from left to right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.places.score import Scored
from pipeline.scoring.places.standings import may_rank
from pipeline.scoring.totals.rules import TwoBoards
from pipeline.scoring.totals.tally import Tally
from pipeline.workbook.games.games_sheet import GameColumns, GamesSheet
from pipeline.workbook.inputs.config import Config
from pipeline.workbook.inputs.ledger_sheets import bonuses_sheet, penalties_sheet
from pipeline.workbook.inputs.players_sheet import PlayerColumns
from pipeline.workbook.inputs.results_sheet import ResultColumns
from pipeline.workbook.workings.account_columns import Accounts, enter_weights
from pipeline.workbook.workings.accounts import Person, Slot, people
from pipeline.workbook.workings.extra_columns import Base, Extras, enter_bonuses, total_formula
from pipeline.workbook.workings.game_accounts import add_game_accounts
from pipeline.workbook.workings.places import OutcomeColumns, PlaceColumns, before_victory
from pipeline.workbook.workings.steps import Steps
from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.formula import added
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import SUBTITLE, TEXT, TITLE, WHOLE, points

SHEET = "Workings"
HEAD_ROW = 4


@dataclass(frozen=True, slots=True)
class WorkingColumns:
    """Where the outcome stands."""

    accounts: Accounts
    base: Base
    name: BookColumn
    total: BookColumn
    beside: BookColumn  # bonuses less penalties
    ranked: BookColumn  # 1 for who may have a place
    everything: BookColumn  # the sum of all games that are kept
    outcome: OutcomeColumns
    steps: Steps
    extras: Extras


@dataclass(slots=True)
class Workings:
    """The sheet while it is being made."""

    scored: Scored
    page: Page
    games_sheet: GamesSheet
    games: GameColumns
    results: ResultColumns
    players: PlayerColumns
    config: Config
    bonuses: Page
    penalties: Page

    def fill(self) -> WorkingColumns:
        """Make Workings, and with it the Bonuses and Penalties sheets."""
        rules, event = self.scored.rules, self.games_sheet.event
        self.page.is_wide = self.page.landscape = True
        self.page.freeze, self.page.repeat = f"C{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}"
        self.page.beside = "A:B"
        self.page.put(1, 1, "Workings", TITLE)
        self.page.put(2, 1, "From games to places, left to right. Nothing to type here.", SUBTITLE)
        grid = Grid(self.page, HEAD_ROW, len(event.players))
        tallies = all_tallies(self.scored)
        persons = people(event, tallies, rules, grid.first)
        accounts = Accounts(grid, slots(self), persons, self.games, rules)
        shown = [LiveFormula(self.players.name.far(one.row), one.name) for one in persons]
        grid.add("No", [one.number for one in persons], WHOLE, 5)
        name = grid.add("Player", shown, TEXT, 26)
        base = self.add_games(accounts)
        names = enter_bonuses(self.config, rules)
        extras = self.add_extras(accounts, base, names)
        taken, lost = extras.add_penalties()
        minus = [taken]
        plus = [base.weighted, *extras.columns, *([lost] if lost else [])]
        taking_part = grid.add("Takes part", [self.takes_part(one, base, extras) for one in persons], WHOLE, 8)
        ranked = grid.add("Ranked", [self.may_rank(one, taking_part) for one in persons], WHOLE, 8)
        total = self.add_total(grid, persons, plus, minus)
        seats = add_game_accounts(self.games_sheet, self.games, accounts)
        steps = Steps(
            accounts=accounts,
            games_sheet=self.games_sheet,
            games=self.games,
            seats=seats,
            players=self.players,
            results=self.results,
            event=self.scored.event,
            final=base.final,
            total=total,
        )
        steps.prepare(rules.ties.players, rules.ties.final if rules.final else ())
        sums = [
            LiveFormula(f"SUM({accounts.cells('all', p.row)})", p.tally.contender().everything if p.tally else 0)
            for p in persons
        ]
        everything = grid.add("All games", sums, points(rules.decimals), 10)
        places = PlaceColumns(self.scored, steps, name, ranked)
        if base.final:
            places.add_champion()
            if rules.bonuses.final_victory:
                plus.append(places.add_victory(extras, names["victory"]))
                steps.total = self.add_total(grid, persons, plus, minus, "Total")
        beside = self.add_beside(grid, persons, plus[1:], minus)
        outcome = places.add_places(taking_part)
        return WorkingColumns(accounts, base, name, steps.total, beside, ranked, everything, outcome, steps, extras)

    def add_beside(
        self, grid: Grid, persons: Sequence[Person], plus: Sequence[BookColumn], minus: Sequence[BookColumn]
    ) -> BookColumn:
        """What stands beside the boards: bonuses less penalties."""
        contents: list[Content] = []
        for one in persons:
            formula = added([column.cell(one.row) for column in plus])
            taken = "".join(f"-{column.cell(one.row)}" for column in minus)
            contents.append(LiveFormula(f"{formula}{taken}", one.tally.exact - one.tally.weighted if one.tally else 0))
        return grid.add("Extras", contents, points(2), 9)

    def add_total(
        self,
        grid: Grid,
        persons: Sequence[Person],
        plus: Sequence[BookColumn],
        minus: Sequence[BookColumn],
        head: str = "",
    ) -> BookColumn:
        """Boards and bonuses less penalties; without a head, as it is before the title's bonus is added."""
        rules = self.scored.rules
        first = bool(rules.bonuses.final_victory) and not head
        contents: list[Content] = []
        for one in persons:
            value = before_victory(one, rules) if first else one.tally.total if one.tally else Fraction()
            contents.append(LiveFormula(total_formula(rules, one.row, plus, minus), value))
        look = points(rules.decimals).but(bold=True)
        return grid.add("Before title" if first else "Total", contents, look, 11)

    def add_games(self, accounts: Accounts) -> Base:
        """The games, which of them count, their weights and their sum."""
        rules = self.scored.rules
        accounts.add_found()
        rounds = accounts.add_rounds()
        final = self.add_final(accounts) if rules.final else None
        accounts.add_kept(rounds, final, self.results)
        games = accounts.add_order(final)
        self.config.section("Games that count")
        names = {"all": enter_weights(self.config, "Weights", "Weights", rules.totals.weights, "totals.weights")}
        if accounts.adds_final and rules.final:
            weights = rules.final.qualifying_weights
            names["qualifying"] = enter_weights(
                self.config, "Qualifying_weights", "Finalists' weights", weights, "totals.final.qualifying_weights"
            )
        accounts.add_weights(names, final, games)
        return Base(rounds, final, accounts.add_weighted())

    def add_final(self, accounts: Accounts) -> BookColumn:
        """Where each player's game on the final table stands in the list of games."""
        flags = []
        for seat in self.games_sheet.event.seats:
            final = self.results.named("Final").far(seat.first)
            number, done = self.games.player.cell(seat.row), self.games.done.cell(seat.row)
            own = self.games_sheet.event.numbers.get(seat.seat.player or "", 0)
            value = own if seat.board.is_final and seat.game else 0
            flags.append(LiveFormula(f'IF(AND({final}="yes",{done}=1),{number},0)', value))
        column = self.games_sheet.grid.add("On final", flags, WHOLE, 7)
        contents = []
        for person in accounts.people:
            seats = [p.seat for p in person.slots.values() if p.seat.board.is_final]
            value = seats[0].row - HEAD_ROW if seats else 0
            found = f"MATCH({accounts.number_cell(person.row)},{column.there},0)"
            contents.append(LiveFormula(f"IFERROR({found},0)", value))
        return accounts.grid.add("Final row", contents, WHOLE, 7)

    def add_extras(self, accounts: Accounts, base: Base, names: dict[str, str]) -> Extras:
        """Bonuses; their sheets are made on the way."""
        event, rules = self.games_sheet.event, self.scored.rules
        penalties = penalties_sheet(self.penalties, self.scored.event, rules, self.players, event.numbers)
        rounds = [
            (
                number,
                accounts.there("score", accounts.of_round(number)),
                [game.score for game in self.scored.games if game.round == number and game.player is not None],
            )
            for number in event.rounds
        ]
        bonuses = bonuses_sheet(self.bonuses, self.scored.event, rules, self.players, event.numbers, penalties, rounds)
        extras = Extras(accounts, rules, self.scored.event, self.players, bonuses, penalties, base, names, [])
        extras.fill()
        return extras

    def takes_part(self, person: Person, base: Base, extras: Extras) -> LiveFormula:
        """1 for who has played, was replaced, or has a bonus or a penalty."""
        number, replaced = extras.number(person), self.results.named("Instead of")
        arrived = self.results.named("Arrived")
        conditions = [
            f"{base.rounds.cell(person.row)}>0",
            f"COUNTIF({extras.bonuses.player.there},{number})>0",
            f"COUNTIF({extras.penalties.player.there},{number})>0",
            f"SUMPRODUCT(EXACT({replaced.there},{self.players.name.far(person.row)})*({arrived.there}<>1)"
            f"*({self.games.done.there}=1))>0",
        ]
        return LiveFormula(f"IF(OR({','.join(conditions)}),1,0)", int(person.tally is not None))

    def may_rank(self, person: Person, taking_part: BookColumn) -> LiveFormula:
        """The director and the excluded are scored and never ranked."""
        barred = f'{self.players.plays_as_director.far(person.row)}="yes",{self.players.excluded.far(person.row)}="yes"'
        value = int(person.tally is not None and may_rank(person.tally))
        return LiveFormula(f"IF(OR({taking_part.cell(person.row)}=0,{barred}),0,1)", value)


def slots(workings: Workings) -> tuple[Slot, ...]:
    """Room for every player's games: one board a round, two where the rules speak of two."""
    event, rule = workings.games_sheet.event, workings.scored.rules.totals.two_boards
    boards = event.boards_a_round if rule is TwoBoards.ASK else max(2, event.boards_a_round)
    return tuple(Slot(number, nth) for number in event.rounds for nth in range(1, boards + 1))


def all_tallies(scored: Scored) -> Mapping[str, Tally]:
    """Everybody's account, ranked or not."""
    found = [*(row.tally for row in scored.standings.rows), *scored.standings.unranked]
    return {tally.player.name: tally for tally in found}
