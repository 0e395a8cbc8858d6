"""The Awards sheet: what is read out at the ceremony, in that order, kept up to date by formulas."""

from collections.abc import Sequence, Set
from fractions import Fraction

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.scoring.awards import Award, Held, ballot_contender, may_win, mean
from pipeline.scoring.results import RatingBallot, format_decimal
from pipeline.scoring.rules import RatingRules
from pipeline.scoring.score import Scored
from pipeline.scoring.standings_in_words import decided_by
from pipeline.scoring.tiebreaks import FieldOfPlayers, Overall, Tiebreak, TopGrades
from pipeline.words.names import name_order
from pipeline.words.speech import Speech, to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import Person
from pipeline.workbook.input_sheets import HEAD_ROW, NAME_OR_NOTHING, PLAYER_NAMES, add_nobodys, range_of
from pipeline.workbook.ranking_columns import Ranked, Ranking, StepFormula
from pipeline.workbook.seats import Config
from pipeline.workbook.standings_sheet import DOUBTS_SHEET as DOUBTS
from pipeline.workbook.workings_sheet import TITLE_DECIDED, WorkingColumns

SHEET = "Awards"
AWARDS_HEAD_ROW = 4
FAR = 100000  # above every row of a list
POINTS = to_say("{points:point|points}")
WHERE = to_say("round {round} board {board}")
SPARE_ROWS = 4  # for awards the director thinks of
IN_DOUBT = to_say("in doubt, see {sheet}")
LEVEL = to_say("level, see {sheet}")


class WonAward(Struct, frozen=True):
    """A ranking whose first place is an award: a team's, a title's."""

    title: str
    names: xl.BookColumn
    total: xl.BookColumn
    ranked: Ranked
    winners: tuple[str, ...]  # as `pipeline.scoring` finds them
    points: Fraction
    decision: str
    decimals: int


class AwardsSheet(Struct):
    page: xl.Page
    scored: Scored
    workings: WorkingColumns
    doubted: Set[str]  # titles that hang on a doubt
    powers: Sequence[int] = ()  # rows of the Best powers sheet, in the order of the powers
    others: list[WonAward] = field(default_factory=list)
    row: int = AWARDS_HEAD_ROW + 1

    def fill(self, title: str) -> None:
        page = self.page
        page.put(1, 1, to_say("Awards"), xl.TITLE)
        says, far = page.speech.says, str(self.scored.progress)
        subtitle = says("{title}, {far}. Whoever stands under Who has the award.", title=title, far=says(far))
        page.put(2, 1, subtitle, xl.SUBTITLE)
        page.row(AWARDS_HEAD_ROW, 1, (to_say("Award"), to_say("Who"), to_say("Why")), xl.HEAD_LEFT)
        self.places()
        if self.powers:
            self.section(to_say("Powers"))
            for number, power in zip(self.powers, Power, strict=True):
                self.power(number, power)
        if self.others:
            self.section(to_say("Titles"))
        for won in self.others:
            self.line(won.title, *self.winners(won))
        self.section(to_say("Special awards"))
        for honour in self.scored.event.honours:
            self.entry(honour.award, honour.player, honour.why)
        last = max(self.row - 1, AWARDS_HEAD_ROW + 1)
        for _ in range(SPARE_ROWS):
            self.entry(None, None, None)
        page.widths |= {1: 34, 2: 40, 3: 70}
        page.landscape, page.repeat = True, f"{AWARDS_HEAD_ROW}:{AWARDS_HEAD_ROW}"
        page.area = f"A1:{xl.at(last, 3)}"

    def held(self, title: str) -> Held:
        """How a title is held, as `pipeline.scoring` says; where nobody has it, as the progress of the event says."""
        held = next((award.held for award in self.scored.awards if award.title == title), None)
        return held or (Held.GIVEN if self.scored.progress.is_over else Held.LEADS)

    def section(self, title: str) -> None:
        """Begin a group."""
        self.page.row(self.row, 1, (title, None, None), xl.SECTION)
        self.row += 1

    def line(self, title: str, who: xl.LiveFormula, why: xl.LiveFormula) -> None:
        """One award: its holder by name; somebody who only leads for it is in the reasons."""
        page, held, value = self.page, self.held(title), why.value
        before = f"{self.see_doubts(IN_DOUBT)}: " if title in self.doubted and held is Held.GIVEN else ""
        page.put(self.row, 1, page.speech.says(title), xl.TEXT)
        if held is Held.GIVEN:
            page.put(self.row, 2, who, xl.TEXT.but(bold=True, size=12, wrap=True))
            why = xl.LiveFormula(
                f'IF({why.formula}="","",{xl.quote_text(before)}&{why.formula})', f"{before}{value}" if value else ""
            )
        else:
            page.put(self.row, 2, None, xl.TEXT)
            begins = self.not_given(held)
            words = f'{xl.quote_text(begins)}&{who.formula}&", "&{why.formula}'
            why = xl.LiveFormula(f'IF({why.formula}="","",{words})', f"{begins}{who.value}, {value}" if value else "")
        page.put(self.row, 3, why, xl.QUIET.but(wrap=True))
        lines = -(-len(str(why.value)) // 68)
        page.heights[self.row] = max(22, 16.0 * lines)
        self.row += 1

    def not_given(self, held: Held) -> str:
        """The words before a name that say: this player does not have the title yet."""
        says = self.page.speech.says
        return f"{self.see_doubts(LEVEL) if held is Held.LEVEL else says(str(self.scored.progress))}: "

    def see_doubts(self, words: str) -> str:
        return self.page.speech.says(words, sheet=self.page.speech.says(DOUBTS))

    def first_title(self) -> xl.LiveFormula:
        says = self.page.speech.says
        title = self.scored.rules.awards.places[0] if self.scored.rules.awards.places else to_say("first")
        names = self.join_names([row.player for row in self.scored.standings.rows if row.place == 1])
        who, held = self.names_on(self.workings.name, self.workings.outcome.place, 1), self.held(title)
        before = f"{says(title)}: "
        if held is Held.LEADS:
            before = says("Leads {far}: ", far=says(str(self.scored.progress)))
        elif held is Held.LEVEL:
            before = self.not_given(held)
            before = f"{before[:1].upper()}{before[1:]}"
        after = f" ({self.see_doubts(IN_DOUBT)})" if title in self.doubted and held is Held.GIVEN else ""
        sentence = f"{xl.quote_text(before)}&{who}&{xl.quote_text(after)}"
        formula = f'IF(COUNTIF({self.workings.outcome.place.there},1)=0,"",{sentence})'
        return xl.LiveFormula(formula, f"{before}{names}{after}" if names else "")

    def entry(self, *contents: str | None) -> None:
        """An award that the director writes down."""
        self.page.row(self.row, 1, contents, xl.ENTRY)
        self.row += 1

    def places(self) -> None:
        """The first places, those with a title and those that are only named."""
        self.section(to_say("Places"))
        rules, outcome = self.scored.rules, self.workings.outcome
        last = max(len(rules.awards.places), rules.awards.named)
        for place in range(1, last + 1):
            level = [row for row in self.scored.standings.rows if row.place == place]
            titled = place <= len(rules.awards.places)
            title = rules.awards.places[place - 1] if titled else wording("named for place {place}", place=place)
            who = xl.LiveFormula(
                self.names_on(self.workings.name, outcome.place, place),
                self.join_names([row.player for row in level]),
            )
            first = f"MATCH({place},{outcome.place.there},0)"
            decided = f"INDEX({outcome.decided_by.there},{first})"
            points = self.points_formula(f"INDEX({self.workings.total.there},{first})", rules.decimals)
            words = f'{points}&IF({decided}="","","; "&{decided})'
            award = next((a for a in self.scored.awards if level and a.row is level[0]), None)
            value = self.reason(award) if award else ""
            self.line(title, who, xl.LiveFormula(f'IFERROR({words},"")', value))
        if self.held(rules.awards.places[0] if rules.awards.places else "") is Held.GIVEN:
            self.page.mark(f"A{AWARDS_HEAD_ROW + 2}:C{AWARDS_HEAD_ROW + 2}", "TRUE", fill=xl.GOLD)

    def reason(self, award: Award) -> str:
        """Why somebody has a place, by the engine."""
        scored, speech = self.scored, self.page.speech
        decided = decided_by(award.row, scored, speech) if award.row else ""
        return "; ".join(filter(None, (self.points(award.value, scored.rules.decimals), decided)))

    def points(self, value: Fraction, decimals: int) -> str:
        speech = self.page.speech
        return speech.says(POINTS, points=speech.number(format_decimal(value, decimals)))

    def points_formula(self, number: str, decimals: int) -> str:
        """The same as a formula; French has the singular below two."""
        shown, speech = xl.as_shown(number, decimals), self.page.speech
        is_one = f"ABS(ROUND({number},{decimals}))<2" if speech.code == "fr" else f'{shown}="1"'
        one, several = (xl.quote_text(speech.says(POINTS, points=count)[len(count) :]) for count in ("1", "2"))
        return f"{shown}&IF({is_one},{one},{several})"

    def names_on(self, names: xl.BookColumn, places: xl.BookColumn, place: int) -> str:
        return _names_on_place(names, places, place, self.page.speech)

    def join_names(self, names: Sequence[str]) -> str:
        return xl.join_names(names, self.page.speech)

    def power(self, row: int, power: Power) -> None:
        rules = self.scored.rules
        one = next((one for one in self.scored.powers if one.power is power), None)
        sheet = "'Best powers'!"
        says, speech = self.page.speech.says, self.page.speech
        names = self.join_names(one.players) if one else ""
        score, decided = f"{sheet}$C${row}", f"{sheet}$G${row}"
        place = xl.write_sentence(speech, WHERE, round=f"{sheet}$E${row}", board=f"{sheet}$F${row}")
        words = f'{self.points_formula(score, rules.decimals)}&", "&{place}&IF({decided}="","","; "&{decided})'
        value = ""
        if one:
            game = one.games[0]
            where = says(WHERE, round=game.round, board=game.board.name)
            value = f"{self.points(one.score, rules.decimals)}, {where}"
            value += f"; {one.decision.in_words(speech)}" if one.decision else ""
        who = xl.LiveFormula(f"{sheet}$B${row}", names)
        title = wording(rules.awards.power, power=power.capitalize())
        self.line(title, who, xl.LiveFormula(f'IF({score}="","",{words})', value))

    def winners(self, won: WonAward) -> tuple[xl.LiveFormula, xl.LiveFormula]:
        """First place of a ranking."""
        first = f"MATCH(1,{won.ranked.place.there},0)"
        decided = f"INDEX({won.ranked.decided_by.there},{first})"
        words = (
            f"{self.points_formula(f'INDEX({won.total.there},{first})', won.decimals)}"
            f'&IF({decided}="","","; "&{decided})'
        )
        value = self.points(won.points, won.decimals) + (f"; {won.decision}" if won.decision else "")
        why = xl.LiveFormula(f'IFERROR({words},"")', value if won.winners else "")
        return xl.LiveFormula(self.names_on(won.names, won.ranked.place, 1), self.join_names(won.winners)), why


def _names_on_place(names: xl.BookColumn, places: xl.BookColumn, place: int, speech: Speech) -> str:
    """The names on one place, with commas between; the first three and how many more."""
    level = f"({places.there}={place})"
    rows = f"(ROW({places.there})-{places.first - 1})"
    count = f"COUNTIF({places.there},{place})"
    parts = []
    for nth in range(1, xl.SHOWN + 1):
        number = f"SUMPRODUCT(SMALL({level}*{rows}+(1-{level})*{FAR},{nth}))"
        comma = "" if nth == 1 else '", "&'
        parts.append(f'IF({count}<{nth},"",{comma}INDEX({names.there},{number}))')
    more = xl.write_sentence(speech, xl.AND_MORE, count=f"({count}-{xl.SHOWN})")
    return "&".join(parts) + f'&IF({count}>{xl.SHOWN},{more},"")'


# The Votes sheets: grades that players gave each other, one sheet a skill, with means, places and what decided.

VOTES_SHEET = "Votes"  # and a number
VOTES_SPARE_ROWS = 10
DECIMALS = 2


class VotesSheet(Struct):
    """One skill's sheet while it is being made."""

    page: xl.Page
    scored: Scored
    rules: RatingRules
    workings: WorkingColumns
    skill: str

    def fill(self, names: Sequence[str]) -> WonAward:
        """Fill it; ``names`` are the cells in Config with the points of each grade."""
        title = self.rules.titles[self.skill]
        says = self.page.speech.says
        self.page.put(1, 1, says("Votes: {skill}", skill=self.skill), xl.TITLE)
        hint = says("{title}. Type how often each grade was given; the mean decides.", title=says(title))
        self.page.put(2, 1, hint, xl.SUBTITLE)
        known = {ballot.player: ballot for ballot in self.scored.event.ballots if ballot.skill == self.skill}
        graded = (known[name] for name in sorted(known, key=name_order))
        ballots: list[RatingBallot | None] = [*graded, *[None] * VOTES_SPARE_ROWS]
        grid = xl.Grid(self.page, HEAD_ROW, len(ballots))
        player = grid.add(to_say("Player"), [ballot.player if ballot else None for ballot in ballots], xl.ENTRY, 28)
        self.page.allow_list([range_of(player)], PLAYER_NAMES, to_say("Player"), NAME_OR_NOTHING)
        grades = [
            grid.add(grade, [ballot.grades.get(grade) if ballot else None for ballot in ballots], xl.ENTRY_NUMBER, 7)
            for grade in self.rules.points
        ]
        number = self.add_number(grid, player, ballots)
        self.page.count_no_numbers(*grades)
        add_nobodys(self.page, number, (player, *grades))
        votes = grid.add(
            to_say("Votes"),
            [self.votes(row, grades, b) for row, b in zip(grid.rows, ballots, strict=True)],
            xl.WHOLE,
            7,
        )
        means = [self.mean(row, grades, votes, names, b) for row, b in zip(grid.rows, ballots, strict=True)]
        average = grid.add(to_say("Mean"), means, xl.points(DECIMALS).but(bold=True), 9)
        eligible = self.add_eligible(grid, number, votes, ballots)
        contenders = {
            row: ballot_contender(person.tally, ballot, self.rules)
            for row, ballot in zip(grid.rows, ballots, strict=True)
            if ballot and (person := self.person(ballot)) and person.tally and self.may_win(ballot)
        }
        steps = [self.step(tiebreak, number, grades) for tiebreak in self.scored.rules.ties.votes]
        among = FieldOfPlayers(lots=self.scored.event.lots)
        ranked = Ranking.of(grid, player, contenders, among, steps).fill(eligible, average, TITLE_DECIDED)
        self.page.mark(
            xl.across(grid.first, 1, grid.column - 1).partition(":")[0] + f":C{grid.last}",
            f"{ranked.place.cell(grid.first)}=1",
            fill=xl.GOLD,
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
            decision=decision.in_words(self.page.speech) if decision else "",
            decimals=DECIMALS,
        )

    def person(self, ballot: RatingBallot) -> Person | None:
        """The row of Workings of who was graded."""
        persons = [person for person in self.workings.accounts.people if person.name == ballot.player]
        return persons[0] if persons else None

    def may_win(self, ballot: RatingBallot) -> bool:
        """Whether the engine ranks the player."""
        person = self.person(ballot)
        graded = sum(ballot.grades.values()) > 0
        return person is not None and person.tally is not None and graded and may_win(person.tally, self.rules)

    def add_number(self, grid: xl.Grid, player: xl.BookColumn, ballots: Sequence[RatingBallot | None]) -> xl.BookColumn:
        names, numbers = self.workings.steps.players.name, self.workings.steps.players.number
        contents: list[xl.Content] = []
        for row, ballot in zip(grid.rows, ballots, strict=True):
            person = self.person(ballot) if ballot else None
            number = xl.exact_match(names, numbers, player.cell(row))
            contents.append(xl.LiveFormula(f'IF({player.cell(row)}="",0,{number})', person.number if person else 0))
        return grid.add(to_say("Player no"), contents, xl.WHOLE, 8)

    def votes(self, row: int, grades: Sequence[xl.BookColumn], ballot: RatingBallot | None) -> xl.LiveFormula:
        """How many votes the player got."""
        cells = xl.across(row, grades[0].number, grades[-1].number)
        return xl.LiveFormula(f"SUM({cells})", sum(ballot.grades.values()) if ballot else 0)

    def mean(
        self,
        row: int,
        grades: Sequence[xl.BookColumn],
        votes: xl.BookColumn,
        names: Sequence[str],
        ballot: RatingBallot | None,
    ) -> xl.LiveFormula:
        """The points of all votes, divided by their number."""
        worth = xl.sum_terms([f"{name}*N({grade.cell(row)})" for name, grade in zip(names, grades, strict=True)])
        value = mean(ballot, self.rules) if ballot and sum(ballot.grades.values()) else Fraction()
        return xl.LiveFormula(xl.unless_zero(votes.cell(row), f"({worth})/{votes.cell(row)}"), value)

    def add_eligible(
        self, grid: xl.Grid, number: xl.BookColumn, votes: xl.BookColumn, ballots: Sequence[RatingBallot | None]
    ) -> xl.BookColumn:
        """Who may win: ranked, graded, and in enough games."""
        accounts, ranked = self.workings.accounts, self.workings.ranked
        contents: list[xl.Content] = []
        for row, ballot in zip(grid.rows, ballots, strict=True):
            own = number.cell(row)
            played = xl.sum_terms([f"(INDEX({column.there},{own})>0)*1" for column in accounts.block("row")])
            enough = f"IF({played}>={self.rules.least_games},INDEX({ranked.there},{own}),0)"
            formula = f"IF({own}=0,0,IF({votes.cell(row)}=0,0,{enough}))"
            contents.append(xl.LiveFormula(formula, int(ballot is not None and self.may_win(ballot))))
        return grid.add(to_say("May win"), contents, xl.WHOLE, 7)

    def step(self, tiebreak: Tiebreak, number: xl.BookColumn, grades: Sequence[xl.BookColumn]) -> StepFormula:
        """One tie-break between graded players."""
        match tiebreak:
            case TopGrades():
                return StepFormula(tiebreak, 1, lambda row, _e, _p: f"N({grades[0].cell(row)})")
            case Overall():
                total = self.workings.total
                return StepFormula(tiebreak, 1, lambda row, _e, _p: f"INDEX({total.there},{number.cell(row)})")
            case _:
                raise xl.unwritable(f"no formula for the tie-break {tiebreak.name!r} between graded players")


def enter_grades(config: Config, rules: RatingRules) -> list[str]:
    config.section(to_say("Votes"))
    return [
        config.number(f"Grade_{number}", worth, wording("Points of a grade {grade}", grade=grade), "awards.votes")
        for number, (grade, worth) in enumerate(rules.points.items(), start=1)
    ]
