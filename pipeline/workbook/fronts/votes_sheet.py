"""The Votes sheets: grades that players gave each other, one sheet a skill, with means, places and what decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.places.score import Scored
from pipeline.scoring.places.votes import contender, may_win, mean
from pipeline.scoring.results.results import RatingBallot
from pipeline.scoring.totals.rules import RatingRules
from pipeline.scoring.totals.tiebreaks import FieldOfPlayers, Overall, Tiebreak, TopGrades
from pipeline.workbook.fronts.awards_sheet import WonAward
from pipeline.workbook.inputs.config import Config
from pipeline.workbook.inputs.players_sheet import PLAYER_NAMES, plain
from pipeline.workbook.inputs.results_sheet import HEAD_ROW
from pipeline.workbook.workings.accounts import Person
from pipeline.workbook.workings.ranking_columns import Ranking, StepFormula
from pipeline.workbook.workings.workings_sheet import WorkingColumns
from pipeline.workbook.xlsx.address import BookColumn, across
from pipeline.workbook.xlsx.formula import added, exact_match, unless_zero, unwritable
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import ENTRY, ENTRY_NUMBER, GOLD, SUBTITLE, TITLE, WHOLE, points

SHEET = "Votes"  # and a number
SPARE_ROWS = 10
DECIMALS = 2


@dataclass(slots=True)
class VotesSheet:
    """One skill's sheet while it is being made."""

    page: Page
    scored: Scored
    rules: RatingRules
    workings: WorkingColumns
    skill: str

    def fill(self, names: Sequence[str]) -> WonAward:
        """Fill it; ``names`` are the cells in Config with the points of each grade."""
        title = self.rules.titles[self.skill]
        self.page.put(1, 1, f"Votes: {self.skill}", TITLE)
        self.page.put(2, 1, f"{title}. Type how often each grade was given; the mean decides.", SUBTITLE)
        known = {ballot.player: ballot for ballot in self.scored.event.ballots if ballot.skill == self.skill}
        ballots: list[RatingBallot | None] = [*(known[name] for name in sorted(known)), *[None] * SPARE_ROWS]
        grid = Grid(self.page, HEAD_ROW, len(ballots))
        player = grid.add("Player", [ballot.player if ballot else None for ballot in ballots], ENTRY, 28)
        self.page.allow_list([plain(player)], PLAYER_NAMES, "Player", "a name of the Players sheet, or nothing")
        grades = [
            grid.add(grade, [ballot.grades.get(grade) if ballot else None for ballot in ballots], ENTRY_NUMBER, 7)
            for grade in self.rules.points
        ]
        number = self.add_number(grid, player, ballots)
        votes = grid.add(
            "Votes", [self.votes(row, grades, b) for row, b in zip(grid.rows, ballots, strict=True)], WHOLE, 7
        )
        means = [self.mean(row, grades, votes, names, b) for row, b in zip(grid.rows, ballots, strict=True)]
        average = grid.add("Mean", means, points(DECIMALS).but(bold=True), 9)
        eligible = self.add_eligible(grid, number, votes, ballots)
        contenders = {
            row: contender(person.tally, ballot, self.rules)
            for row, ballot in zip(grid.rows, ballots, strict=True)
            if ballot and (person := self.person(ballot)) and person.tally and self.may_win(ballot)
        }
        steps = [self.step(grid, tiebreak, number, grades, ballots) for tiebreak in self.scored.rules.ties.votes]
        among = FieldOfPlayers(lots=self.scored.event.lots)
        ranked = Ranking.of(grid, player, contenders, among, steps).fill(eligible, average, "Title")
        self.page.mark(
            across(grid.first, 1, grid.column - 1).partition(":")[0] + f":C{grid.last}",
            f"{ranked.place.cell(grid.first)}=1",
            fill=GOLD,
        )
        self.page.freeze, self.page.repeat, self.page.landscape = f"B{grid.first}", f"{HEAD_ROW}:{HEAD_ROW}", True
        first = [one for one in self.scored.grades if one.skill == self.skill and one.place == 1]
        decision = first[0].decision if first else None
        return WonAward(
            title=title,
            names=player,
            total=average,
            ranked=ranked,
            winners=tuple(one.player for one in first),
            points=first[0].mean if first else Fraction(),
            decision=str(decision) if decision else "",
            decimals=DECIMALS,
        )

    def person(self, ballot: RatingBallot) -> Person | None:
        """The row of Workings of who was graded."""
        found = [person for person in self.workings.accounts.people if person.name == ballot.player]
        return found[0] if found else None

    def may_win(self, ballot: RatingBallot) -> bool:
        """Whether the engine ranks the player."""
        person = self.person(ballot)
        graded = sum(ballot.grades.values()) > 0
        return person is not None and person.tally is not None and graded and may_win(person.tally, self.rules)

    def add_number(self, grid: Grid, player: BookColumn, ballots: Sequence[RatingBallot | None]) -> BookColumn:
        """The player's number."""
        names, numbers = self.workings.steps.players.name, self.workings.steps.players.number
        contents: list[Content] = []
        for row, ballot in zip(grid.rows, ballots, strict=True):
            person = self.person(ballot) if ballot else None
            found = exact_match(names, numbers, player.cell(row))
            contents.append(LiveFormula(f'IF({player.cell(row)}="",0,{found})', person.number if person else 0))
        return grid.add("Player no", contents, WHOLE, 8)

    def votes(self, row: int, grades: Sequence[BookColumn], ballot: RatingBallot | None) -> LiveFormula:
        """How many votes the player got."""
        cells = across(row, grades[0].number, grades[-1].number)
        return LiveFormula(f"SUM({cells})", sum(ballot.grades.values()) if ballot else 0)

    def mean(
        self,
        row: int,
        grades: Sequence[BookColumn],
        votes: BookColumn,
        names: Sequence[str],
        ballot: RatingBallot | None,
    ) -> LiveFormula:
        """The points of all votes, divided by their number."""
        worth = added([f"{name}*N({grade.cell(row)})" for name, grade in zip(names, grades, strict=True)])
        value = mean(ballot, self.rules) if ballot and sum(ballot.grades.values()) else Fraction()
        return LiveFormula(unless_zero(votes.cell(row), f"({worth})/{votes.cell(row)}"), value)

    def add_eligible(
        self, grid: Grid, number: BookColumn, votes: BookColumn, ballots: Sequence[RatingBallot | None]
    ) -> BookColumn:
        """Who may win: ranked, graded, and in enough games."""
        accounts, ranked = self.workings.accounts, self.workings.ranked
        contents: list[Content] = []
        for row, ballot in zip(grid.rows, ballots, strict=True):
            own = number.cell(row)
            played = added([f"(INDEX({column.there},{own})>0)" for column in accounts.block("row")])
            enough = f"IF({played}>={self.rules.least_games},INDEX({ranked.there},{own}),0)"
            formula = f"IF({own}=0,0,IF({votes.cell(row)}=0,0,{enough}))"
            contents.append(LiveFormula(formula, int(ballot is not None and self.may_win(ballot))))
        return grid.add("May win", contents, WHOLE, 7)

    def step(
        self,
        grid: Grid,
        tiebreak: Tiebreak,
        number: BookColumn,
        grades: Sequence[BookColumn],
        ballots: Sequence[RatingBallot | None],
    ) -> StepFormula:
        """One tie-break between graded players."""
        match tiebreak:
            case TopGrades():
                return StepFormula(tiebreak, 1, lambda row, _e, _p: f"N({grades[0].cell(row)})")
            case Overall():
                total = self.workings.total
                return StepFormula(tiebreak, 1, lambda row, _e, _p: f"INDEX({total.there},{number.cell(row)})")
            case _:
                raise unwritable(f"no formula for the tie-break {tiebreak.name!r} between graded players")


def enter_grades(config: Config, rules: RatingRules) -> list[str]:
    """Enter the points of each grade into Config."""
    config.section("Votes")
    return [
        config.number(f"Grade_{number}", worth, f"Points of a grade {grade}", "awards.votes")
        for number, (grade, worth) in enumerate(rules.points.items(), start=1)
    ]
