"""The Checks sheet: what cannot be right, and what is worth knowing; the front shows one green or red cell of it."""

from dataclasses import dataclass

from pipeline.scoring.places.score import Scored
from pipeline.scoring.totals.rules import TwoBoards
from pipeline.workbook.fronts.check_marks import CheckMark, CheckMarks
from pipeline.workbook.workings.workings_sheet import WorkingColumns
from pipeline.workbook.xlsx.address import at, down
from pipeline.workbook.xlsx.formula import said
from pipeline.workbook.xlsx.grid import Grid
from pipeline.workbook.xlsx.page import LiveFormula, Page
from pipeline.workbook.xlsx.styles import (
    AMBER,
    CENTRED,
    DARK_GREEN,
    DARK_RED,
    GREEN,
    HEAD,
    HEAD_LEFT,
    NOTE,
    RED,
    SECTION,
    SUBTITLE,
    TEXT,
    TITLE,
    WHOLE,
    points,
)

SHEET = "Checks"
PASS = "All checks pass"
HEAD_ROW = 4
WORDS, COUNT, STATE, HOW = 1, 2, 3, 4  # columns of the list of checks
ENGINE = 6  # the first column of the list of totals
SAME = "0.000001"  # points; a difference below is one of binary fractions
COUNT_AGAIN = "count again; centres that nobody owns are entered under Unowned in Results"
END_COUNT = "correct Centres or the year; they may differ where a Spring deadline ended the game"
CHANGED = "an input was changed after the program wrote this file: enter the change in the program too"


@dataclass(slots=True)
class ChecksSheet:
    """The sheet while it is being made."""

    page: Page
    scored: Scored
    marks: CheckMarks
    workings: WorkingColumns
    in_doubt: str  # the doubts in short, empty without any
    meetings: int | None  # how often two players may meet; None: the rules do not say
    row: int = HEAD_ROW + 1
    wrong: int = 0  # checks that say LOOK by the engine's own data

    def fill(self) -> LiveFormula:
        """Fill it; gives the sentence for the front."""
        page = self.page
        page.put(1, 1, "Checks", TITLE)
        page.put(2, 1, "LOOK must be put right; NOTE is for the director to know and turns nothing red.", SUBTITLE)
        page.row(HEAD_ROW, 1, ("What is checked", "Found", "State", "How to mend"), HEAD)
        page.put(HEAD_ROW, WORDS, "What is checked", HEAD_LEFT)
        self.boards()
        self.people()
        self.met_again()
        self.against_engine()
        self.colours()
        page.widths |= {WORDS: 58, COUNT: 9, STATE: 9, HOW: 84, ENGINE - 1: 3}
        page.freeze, page.repeat, page.landscape = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", True
        page.area = f"A1:{at(self.row - 1, HOW)}"
        failed = f'COUNTIF({SHEET}!{down(STATE, HEAD_ROW + 1, self.row - 1)},"LOOK")'
        look = f"{self.wrong} to look at: see {SHEET}"
        words = "; ".join(part for part in (look if self.wrong else "", self.in_doubt) if part)
        beside = f"; {self.in_doubt}" if self.in_doubt else ""
        fails = f'{failed}&" to look at: see {SHEET}"&{said(beside)}'
        return LiveFormula(f"IF({failed}=0,{said(self.in_doubt or PASS)},{fails})", words or PASS)

    def section(self, title: str) -> None:
        """Begin a group of checks."""
        self.page.row(self.row, 1, (title, None, None, None), SECTION)
        self.row += 1

    def check(self, words: str, mark: CheckMark, how: str, *, must: bool = True) -> None:
        """One line: how many faults a formula counts. What must not be says LOOK, what may be says NOTE.

        A count that is an error says LOOK in either case.
        """
        bad = "LOOK" if must else "NOTE"
        self.wrong += must and mark.found > 0
        page, row = self.page, self.row
        page.put(row, WORDS, words, TEXT)
        page.put(row, COUNT, LiveFormula(mark.formula, mark.found), WHOLE)
        count = at(row, COUNT)
        state = LiveFormula(f'IF(ISNUMBER({count}),IF({count}=0,"OK","{bad}"),"LOOK")', bad if mark.found else "OK")
        page.put(row, STATE, state, CENTRED.but(bold=True))
        page.put(row, HOW, how, NOTE.but(upright="center", line="h", wrap=False))
        self.row += 1

    def boards(self) -> None:
        """The counts of each board."""
        marks = self.marks
        self.section("Boards")
        self.check("Boards whose centres do not add up to 34 (31 in Sandard)", marks.wrong_sum(), COUNT_AGAIN)
        self.check("Boards with two powers over half of the centres", marks.two_solos(), "correct Centres in Results")
        self.check(
            "Boards without seven powers (six in Sandard)", marks.powers(), "every power needs its row in Results"
        )
        missing = "enter the missing centres; a power without any has 0"
        self.check("Boards with some counts but not all", marks.half_done(), missing)
        self.check("Seats whose end count is not that of the last year", marks.last_year(), END_COUNT, must=False)
        words = "Seats with a solo before the end, or a centre after a year without any"
        self.check(words, marks.impossible_years(), "correct the years in Results: such a game cannot have been played")

    def people(self) -> None:
        """Names and seats."""
        marks = self.marks
        self.section("Players")
        unknown = "choose the name from the list, or add it to Players"
        self.check("Seats with a name that is not in Players", marks.unknown_names(), unknown)
        self.check("Players twice on one board", marks.twice_here(), "one of the two names is wrong")
        allowed = self.scored.rules.totals.two_boards is not TwoBoards.ASK
        known = "the rules say which of two boards counts"
        how = known if allowed else "one name is wrong, or two boards were played: the rules do not say what counts"
        self.check("Players on two boards in one round", marks.two_boards(), how, must=not allowed)
        self.check("Players with a second game as the same power", marks.same_power(), "see the draw", must=False)

    def met_again(self) -> None:
        """Opponents met before, or oftener than the rules allow."""
        self.section("Opponents")
        if self.meetings is None:
            self.check("Pairs of players that meet again", self.marks.pairs(1), "see the draw", must=False)
        else:
            words = f"Pairs of players that meet more than {self.meetings} times, as often as the rules allow"
            self.check(words, self.marks.pairs(self.meetings), "see the draw", must=False)

    def against_engine(self) -> None:
        """The program's totals and places against the formulas'."""
        self.section("Program and formulas")
        people = self.workings.accounts.people
        rows = {row.player: row for row in self.scored.standings.rows}
        grid = Grid(self.page, HEAD_ROW, len(people), ENGINE)
        grid.add("Player", [one.name for one in people], TEXT, 26)
        look = points(self.scored.rules.decimals)
        totals = [one.tally.total if one.tally else 0 for one in people]
        engine = grid.add("Program's total", totals, look, 11)
        there = self.workings.total
        formula = grid.add(
            "Formula", [LiveFormula(there.far(p.row), t) for p, t in zip(people, totals, strict=True)], look, 11
        )
        places = [rows[one.name].place if one.name in rows else 0 for one in people]
        engine_place = grid.add("Program's place", places, WHOLE, 9)
        place = self.workings.outcome.place
        live = [LiveFormula(place.far(p.row), v) for p, v in zip(people, places, strict=True)]
        formula_place = grid.add("Formula", live, WHOLE, 9)
        differ = f"SUMPRODUCT((ABS({engine.here}-{formula.here})>{SAME})*1)"
        self.check("Totals that are not the program's", CheckMark(differ, 0), CHANGED)
        differ = f"SUMPRODUCT(({engine_place.here}<>{formula_place.here})*1)"
        self.check("Places that are not the program's", CheckMark(differ, 0), CHANGED)

    def colours(self) -> None:
        """Green, yellow, red."""
        first = at(HEAD_ROW + 1, STATE)
        cells = f"{first}:{at(self.row - 1, STATE)}"
        for word, fill, colour in (("OK", GREEN, DARK_GREEN), ("LOOK", RED, DARK_RED), ("NOTE", AMBER, "7F6000")):
            self.page.mark(cells, f'${first}="{word}"', fill=fill, colour=colour)
