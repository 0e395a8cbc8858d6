"""The last part of Workings: the champion, where a final table makes one, then all places and what decided them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pipeline.scoring.places.score import Scored
from pipeline.scoring.places.standings import StandingsRow, may_rank, won_by
from pipeline.scoring.places.words import decided_by, on_table
from pipeline.scoring.totals.extras import FINAL_VICTORY
from pipeline.scoring.totals.rules import ChampionBy, ScoringRules
from pipeline.scoring.totals.tiebreaks import Contender, FieldOfPlayers
from pipeline.workbook.workings.accounts import Person
from pipeline.workbook.workings.extra_columns import Extras, is_forfeited
from pipeline.workbook.workings.ranking_columns import Ranked, Ranking
from pipeline.workbook.workings.steps import Steps
from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.formula import as_shown, said
from pipeline.workbook.xlsx.page import Content, LiveFormula
from pipeline.workbook.xlsx.styles import TEXT, WHOLE, points

NOT_RANKED = 9999  # stands for the place of who is scored and has none
ORDER = 10000  # the list is sorted by place times this, plus the player's number


@dataclass(frozen=True, slots=True)
class OutcomeColumns:
    """Where the outcome stands."""

    place: BookColumn  # 0 for who is not ranked
    order: BookColumn  # sorts the list; empty for who takes no part
    decided_by: BookColumn
    champion: BookColumn | None  # 1 for the winner of the final table
    title: Ranked | None  # the finalists in the order that makes the champion


@dataclass(slots=True)
class PlaceColumns:
    """The columns while they are being made."""

    scored: Scored
    steps: Steps
    name: BookColumn
    ranked: BookColumn
    champion: BookColumn | None = None  # 1 for the winner of the final table; several while their tie is not decided
    title: Ranked | None = None
    on_final: BookColumn | None = None  # the score on the final table, where that makes the champion

    @property
    def people(self) -> Sequence[Person]:
        """The rows."""
        return self.steps.accounts.people

    def add_champion(self) -> None:
        """The winner of the final table, by the table's score or by the totals, and its own tie-breaks."""
        rules, grid = self.scored.rules, self.steps.accounts.grid
        by_table = rules.final is not None and rules.final.champion is ChampionBy.TABLE
        contenders = {p.row: self.finalist(p, by_table=by_table) for p in self.people if self.is_finalist(p)}
        final = self.steps.final
        eligible: list[Content] = [
            LiveFormula(
                f"IF(AND({self.ranked.cell(p.row)}=1,{final.cell(p.row) if final else 0}>0),1,0)",
                int(p.row in contenders),
            )
            for p in self.people
        ]
        finalist = grid.add("Finalist", eligible, WHOLE, 8)
        self.on_final = self.add_final_score() if by_table else None
        total = self.on_final or self.steps.total
        ranking = Ranking.of(
            grid, self.name, contenders, FieldOfPlayers(lots=self.scored.event.lots), self.steps.chain(rules.ties.final)
        )
        rows = {row.player: row for row in self.scored.standings.rows if row.is_champion}
        self.title = ranking.fill(finalist, total, "Title")
        contents: list[Content] = [
            LiveFormula(f"IF({self.title.place.cell(p.row)}=1,1,0)", int(p.name in rows)) for p in self.people
        ]
        self.champion = grid.add("Champion", contents, WHOLE, 9)

    def is_finalist(self, person: Person) -> bool:
        """Whether the player may win the final table."""
        return person.plays_final and person.tally is not None and may_rank(person.tally)

    def finalist(self, person: Person, *, by_table: bool) -> Contender:
        """A finalist as the tie-breaks for the title see it: before the title's own bonus."""
        tally = person.tally
        if tally is None or tally.final is None:
            raise ValueError(f"{person.name} was not on the final table")
        before = before_victory(person, self.scored.rules)
        return replace(tally.contender(tally.final.score if by_table else before), overall=before)

    def add_final_score(self) -> BookColumn:
        """The score on the final table."""
        contents: list[Content] = []
        for person in self.people:
            final = person.tally.final if person.tally else None
            formula = f"ROUND({self.steps.of_final(person.row, self.steps.games.score)},9)"
            contents.append(LiveFormula(formula, final.score if final else 0))
        return self.steps.accounts.grid.add("On final", contents, points(self.scored.rules.decimals), 10)

    def add_victory(self, extras: Extras, name: str) -> BookColumn:
        """The bonus for winning the final table, once it is won by one player."""
        champion = self.champion
        if champion is None:
            raise ValueError("no final table")

        def formula(person: Person) -> str:
            won = f"AND({champion.cell(person.row)}=1,COUNTIF({champion.here},1)=1)"
            losing = extras.penalties.loses_all(extras.number(person))
            return f"IF({won},{f'IF({losing}>0,0,{name})' if losing else name},0)"

        return extras.add("Title", FINAL_VICTORY, formula)

    def add_places(self, taking_part: BookColumn) -> OutcomeColumns:
        """Everybody else by total and tie-breaks behind the champion; then the order of the list."""
        grid, rules = self.steps.accounts.grid, self.scored.rules
        rows = {row.player: row for row in self.scored.standings.rows}
        contenders = {
            p.row: p.tally.contender()
            for p in self.people
            if p.tally and may_rank(p.tally) and not rows[p.name].is_champion
        }
        eligible = self.add_rest(contenders) if self.champion else self.ranked
        among = FieldOfPlayers(totals=self.scored.standings.totals, lots=self.scored.event.lots)
        ranking = Ranking.of(grid, self.name, contenders, among, self.steps.chain(rules.ties.players))
        rest = ranking.fill(eligible, self.steps.total, "Place")
        place = grid.add("Place", [self.place(p, rest, rows) for p in self.people], WHOLE.but(bold=True), 7)
        order = grid.add("Order", [self.order(p, place, taking_part, rows) for p in self.people], WHOLE, 10)
        decided = grid.add("Decided by", [self.decided(p, rest, rows) for p in self.people], TEXT, 44)
        return OutcomeColumns(place, order, decided, self.champion, self.title)

    def add_rest(self, contenders: dict[int, Contender]) -> BookColumn:
        """Who is ranked behind the champion."""
        champion = self.champion or self.ranked
        contents: list[Content] = [
            LiveFormula(
                f"IF(AND({self.ranked.cell(p.row)}=1,{champion.cell(p.row)}=0),1,0)",
                int(p.row in contenders),
            )
            for p in self.people
        ]
        return self.steps.accounts.grid.add("Others", contents, WHOLE, 8)

    def place(self, person: Person, rest: Ranked, rows: dict[str, StandingsRow]) -> LiveFormula:
        """The place: champions first, the others behind them."""
        own = rest.place.cell(person.row)
        formula = own
        if self.champion:
            behind = f"IF({own}=0,0,{own}+SUM({self.champion.here}))"
            formula = f"IF({self.champion.cell(person.row)}=1,1,{behind})"
        return LiveFormula(formula, rows[person.name].place if person.name in rows else 0)

    def order(
        self, person: Person, place: BookColumn, taking_part: BookColumn, rows: dict[str, StandingsRow]
    ) -> LiveFormula:
        """What the list is sorted by: the place, then the name; who is not ranked comes last."""
        own, number = place.cell(person.row), self.steps.accounts.number_cell(person.row)
        ranked = f"{own}*{ORDER}+{number}"
        last = f'IF({taking_part.cell(person.row)}=1,{NOT_RANKED * ORDER}+{number},"")'
        value: int | str = ""
        if person.tally:
            value = (rows[person.name].place if person.name in rows else NOT_RANKED) * ORDER + person.number
        return LiveFormula(f"IF({own}>0,{ranked},{last})", value)

    def decided(self, person: Person, rest: Ranked, rows: dict[str, StandingsRow]) -> LiveFormula:
        """The words: the title's for a champion, the ranking's for the others."""
        row = rows.get(person.name)
        formula = rest.decided_by.cell(person.row)
        if self.champion and self.title:
            title = self.title.decided_by.cell(person.row)
            table = self.on_table(person.row, self.champion)
            formula = f'IF({self.champion.cell(person.row)}=1,{table}&IF({title}="","","; "&{title}),{formula})'
        return LiveFormula(formula, decided_by(row, self.scored) if row else "")

    def on_table(self, row: int, champion: BookColumn) -> str:
        """How somebody is first of the final table, by its score or by the total, as a formula."""
        won, decimals = won_by(self.scored.rules.final), self.scored.rules.decimals
        score = f"&{as_shown(self.on_final.cell(row), decimals)}" if self.on_final else ""
        words = [said(on_table(won, self.scored, is_level=is_level)) for is_level in (True, False)]
        return f"IF(COUNTIF({champion.here},1)>1,{words[0]},{words[1]}){score}"


def before_victory(person: Person, rules: ScoringRules) -> Fraction:
    """The engine's total before the bonus for winning the final table."""
    tally = person.tally
    if tally is None:
        return Fraction()
    bonus = next((extra.points for extra in tally.extras if extra.kind == FINAL_VICTORY), Fraction())
    stated = any(extra.kind == FINAL_VICTORY and extra.why != "won the final table" for extra in tally.extras)
    counted = Fraction() if stated or is_forfeited(tally) else bonus
    return rules.totals.rounding(tally.exact - counted)
