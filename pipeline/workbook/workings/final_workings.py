"""The Final workings sheet: the accounts of the qualifying rounds, from games to places, left to right."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from pipeline.scoring.places.score import Scored
from pipeline.scoring.places.standings import may_rank
from pipeline.scoring.totals.rules import Final, Weights
from pipeline.scoring.totals.tally import Tally, qualifying, tallies
from pipeline.scoring.totals.tiebreaks import FieldOfPlayers
from pipeline.workbook.games.game_formula import rounded
from pipeline.workbook.inputs.config import Config
from pipeline.workbook.workings.account_columns import Accounts, enter_weights
from pipeline.workbook.workings.accounts import people
from pipeline.workbook.workings.extra_columns import Base
from pipeline.workbook.workings.places import ORDER
from pipeline.workbook.workings.ranking_columns import Ranked, Ranking
from pipeline.workbook.workings.stage_extras import stage_bonuses, stage_penalties, within
from pipeline.workbook.workings.steps import Steps
from pipeline.workbook.workings.workings_sheet import HEAD_ROW, WorkingColumns
from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.formula import added
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import SUBTITLE, TEXT, TITLE, WHOLE, points

SHEET = "Final workings"


@dataclass(frozen=True, slots=True)
class Qualifying:
    """Where the account of the qualifying rounds stands."""

    accounts: Accounts
    name: BookColumn
    extras: BookColumn
    total: BookColumn
    order: BookColumn  # sorts the list
    ranked: Ranked


@dataclass(slots=True)
class FinalWorkings:
    """The sheet while it is being made."""

    page: Page
    scored: Scored
    final: Final
    workings: WorkingColumns
    config: Config
    bonuses: Page
    penalties: Page

    def fill(self) -> Qualifying:
        """Fill it: the account of every player in the qualifying rounds."""
        self.page.is_wide = self.page.landscape = True
        self.page.freeze, self.page.repeat, self.page.beside = f"C{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", "A:B"
        self.page.put(1, 1, "Final workings", TITLE)
        self.page.put(2, 1, "The accounts of the qualifying rounds, as Workings has those of all rounds.", SUBTITLE)
        rules, of_all = self.scored.rules, self.workings.accounts
        accounts_of = tallies(self.scored.event, self.scored.games, rules, qualifying(rules, self.final))
        grid = Grid(self.page, HEAD_ROW, len(of_all.people))
        persons = people(self.workings.steps.games_sheet.event, accounts_of, rules, grid.first)
        slots = tuple(slot for slot in of_all.slots if slot.round in self.final.qualifying_rounds)
        accounts = Accounts(grid, slots, persons, self.workings.steps.games, rules)
        grid.add("No", [one.number for one in persons], WHOLE, 5)
        name = grid.add("Player", [LiveFormula(self.workings.name.far(p.row), p.name) for p in persons], TEXT, 26)
        for slot in slots:
            there = of_all.block("row")[of_all.slots.index(slot)]
            accounts.add(
                "row", "Row", slot, [LiveFormula(there.far(p.row), accounts.found(p, slot).value) for p in persons]
            )
        for slot in slots:
            there = of_all.block("score")[of_all.slots.index(slot)]
            contents = [LiveFormula(there.far(p.row), accounts.score(p, slot).value) for p in persons]
            accounts.add("score", "Score", slot, contents, is_score=True)
        rounds = accounts.add_rounds()
        accounts.add_kept(rounds, None, self.workings.steps.results)
        games = accounts.add_order(None)
        accounts.add_weights({"all": self.weights(accounts)}, None, games)
        weighted = accounts.add_weighted()
        extras = self.add_extras(accounts, Base(rounds, None, weighted))
        total = self.add_total(accounts, weighted, extras)
        ranked = self.rank(accounts, name, rounds, total, accounts_of)
        order: list[Content] = [
            LiveFormula(
                f'IF({ranked.place.cell(p.row)}=0,"",{ranked.place.cell(p.row)}*{ORDER}+{accounts.number_cell(p.row)})',
                ranked.places[p.row] * ORDER + p.number if p.row in ranked.places else "",
            )
            for p in persons
        ]
        return Qualifying(accounts, name, extras, total, grid.add("Order", order, WHOLE, 10), ranked)

    def weights(self, accounts: Accounts) -> tuple[str, Weights]:
        """The table of weights on Config; Workings has entered it where finalists' totals need it, too."""
        weights = self.final.qualifying_weights
        if accounts.adds_final:
            return "Qualifying_weights", weights
        return enter_weights(
            self.config, "Qualifying_weights", "Qualifying", weights, "totals.final.qualifying_weights"
        )

    def add_extras(self, accounts: Accounts, base: Base) -> BookColumn:
        """Bonuses less penalties of the qualifying rounds."""
        whole, event, rules = self.workings.extras, self.scored.event, self.scored.rules
        stage = qualifying(rules, self.final)
        penalties = stage_penalties(self.penalties, whole.penalties, event, stage)
        bonuses = stage_bonuses(self.bonuses, whole.bonuses, penalties, event, rules, stage)
        own = replace(
            whole, accounts=accounts, results=within(event, stage), bonuses=bonuses, penalties=penalties, base=base,
            columns=[],
        )  # fmt: skip
        own.fill()
        taken, lost = own.add_penalties()
        contents: list[Content] = []
        for person in accounts.people:
            plus = added([column.cell(person.row) for column in (*own.columns, *([lost] if lost else []))])
            tally = person.tally
            value = tally.exact - tally.weighted if tally else Fraction()
            contents.append(LiveFormula(f"{plus}-{taken.cell(person.row)}", value))
        return accounts.grid.add("Extras", contents, points(2), 9)

    def add_total(self, accounts: Accounts, weighted: BookColumn, extras: BookColumn) -> BookColumn:
        """Boards and what stands beside them, rounded as the rules say."""
        rounding, contents = self.scored.rules.totals.rounding, []
        for person in accounts.people:
            formula = rounded(f"({weighted.cell(person.row)}+{extras.cell(person.row)})", rounding)
            contents.append(LiveFormula(formula, person.tally.total if person.tally else 0))
        return accounts.grid.add("Total", contents, points(self.scored.rules.decimals).but(bold=True), 11)

    def rank(
        self,
        accounts: Accounts,
        name: BookColumn,
        rounds: BookColumn,
        total: BookColumn,
        accounts_of: Mapping[str, Tally],
    ) -> Ranked:
        """Places by the totals, then by the tie-breaks for the last seat."""
        may_sit = {p.row: t for p in accounts.people if (t := accounts_of.get(p.name)) and may_rank(t) and t.games}
        flags: list[Content] = [
            LiveFormula(
                f"IF(AND({self.workings.ranked.far(p.row)}=1,{rounds.cell(p.row)}>0),1,0)", int(p.row in may_sit)
            )
            for p in accounts.people
        ]
        eligible = accounts.grid.add("Ranked", flags, WHOLE, 8)
        of_all = self.workings.steps
        steps = Steps(
            accounts=accounts,
            games_sheet=of_all.games_sheet,
            games=of_all.games,
            seats=None,
            players=of_all.players,
            results=of_all.results,
            event=self.scored.event,
            final=None,
            total=total,
            keys=of_all.keys,
        )
        chain = self.scored.rules.ties.qualifying
        steps.prepare(chain)
        contenders = {row: tally.contender() for row, tally in may_sit.items()}
        among = FieldOfPlayers(lots=self.scored.event.lots)
        return Ranking.of(accounts.grid, name, contenders, among, steps.chain(chain)).fill(eligible, total, "Seat")
