"""The Checks sheet: what cannot be right, and what is worth knowing; the front shows one green or red cell of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from pipeline.board import Power, standard_map
from pipeline.scoring.results import FIRST_YEAR, STANDARD_CENTRES
from pipeline.scoring.rules import TwoBoards
from pipeline.scoring.score import Scored
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.games_sheet import GameColumns, GamesSheet
from pipeline.workbook.input_sheets import BOTH, PLAYER, YES, ResultColumns
from pipeline.workbook.seats import SeatRow
from pipeline.workbook.workings_sheet import WorkingColumns

# What the checks count: marks beside the games, and keys that occur twice where something is repeated.

BIG = 10000  # more than there are players
MOST_POWERS = 7


class CheckMark(Struct, frozen=True):
    """A formula that counts faults, and how many the engine (the program's own scoring) finds."""

    formula: str
    found: int


class CheckMarks(Struct):
    """What is counted, from the Games and Results sheets."""

    sheet: GamesSheet
    games: GameColumns
    results: ResultColumns

    @property
    def seats(self) -> Sequence[SeatRow]:
        return self.sheet.event.seats

    def board_marks(self, head: str, mark: Callable[[SeatRow], xl.LiveFormula]) -> CheckMark:
        """Mark the first row of each board; 0 in the others."""
        contents: list[xl.Content] = [mark(seat) if seat.opens_board else 0 for seat in self.seats]
        return self.count_marks(head, contents)

    def seat_marks(self, head: str, mark: Callable[[SeatRow], xl.LiveFormula]) -> CheckMark:
        return self.count_marks(head, [mark(seat) for seat in self.seats])

    def count_marks(self, head: str, contents: Sequence[xl.Content]) -> CheckMark:
        """Add a column of marks to the Games sheet and count it."""
        column = self.sheet.grid.add(head, contents, xl.SMALL, 7)
        count = sum(content.value == 1 for content in contents if isinstance(content, xl.LiveFormula))
        return CheckMark(f"SUM({column.there})", count)

    def wrong_sum(self) -> CheckMark:
        """Boards whose centres do not add up."""
        total, unowned = self.results.column_named("In play"), self.results.column_named("Unowned")

        def mark(seat: SeatRow) -> xl.LiveFormula:
            block = self.games.centres.rows(seat.first, seat.last)
            spare = unowned.far(seat.row)
            wrong = f"OR({spare}<0,SUM({block})+{spare}<>{total.far(seat.row)})"
            counted = sum(seat.board.centres.values()) + (seat.board.unowned or 0)
            value = seat.game is not None and counted != seat.board.total
            return xl.LiveFormula(f"IF({self.games.done.cell(seat.row)}=1,IF({wrong},1,0),0)", int(value))

        return self.board_marks(to_say("Sum wrong"), mark)

    def two_solos(self) -> CheckMark:
        """Boards with two powers over half of the centres."""

        def mark(seat: SeatRow) -> xl.LiveFormula:
            block, total = (
                self.games.centres.rows(seat.first, seat.last),
                self.results.column_named("In play").far(seat.row),
            )
            over = sum(count > seat.board.total // 2 for count in seat.board.centres.values()) if seat.game else 0
            return xl.LiveFormula(f'IF(COUNTIF({block},">"&INT({total}/2))>1,1,0)', int(over > 1))

        return self.board_marks(to_say("Two solos"), mark)

    def powers(self) -> CheckMark:
        """Boards without all powers, or with one twice."""

        def mark(seat: SeatRow) -> xl.LiveFormula:
            block = self.games.power.rows(seat.first, seat.last)
            total = self.results.column_named("In play").far(seat.row)
            different = f"SUMPRODUCT(1/COUNTIF({block},{block}))"
            wanted = f"IF({total}=31,6,7)"
            value = int(seat.powers != (6 if seat.board.total == 31 else 7))
            return xl.LiveFormula(f"IF(ROUND({different},0)<>{wanted},1,0)", value)

        return self.board_marks(to_say("Powers wrong"), mark)

    def half_done(self) -> CheckMark:
        """Boards with some counts but not all."""

        def mark(seat: SeatRow) -> xl.LiveFormula:
            block = self.games.centres.rows(seat.first, seat.last)
            return xl.LiveFormula(f"IF(AND(COUNT({block})>0,{self.games.done.cell(seat.row)}=0),1,0)", 0)

        return self.board_marks(to_say("Half done"), mark)

    def last_year(self) -> CheckMark:
        """Seats whose count at the end is not that of the last recorded year."""
        first, last = (self.results.year(year).number for year in (self.results.years[0], self.results.years[-1]))

        def mark(seat: SeatRow) -> xl.LiveFormula:
            own = f"Results!{xl.fixed_cell(seat.row, first)}:{xl.fixed_cell(seat.row, last)}"
            place = f"(COLUMN({own})-{first - 1})"
            ended = f"INDEX({own},1,SUMPRODUCT(MAX(ISNUMBER({own})*{place})))"
            differs = f"IF(COUNT({own})=0,FALSE,{ended}<>{self.games.centres.cell(seat.row)})"
            recorded = max((y for y in seat.board.years if y in self.results.years), default=None)
            value = seat.game is not None and recorded is not None
            value = value and seat.board.count_owned(seat.power, recorded or 0) != seat.board.centres[seat.power]
            return xl.LiveFormula(f"IF({self.games.done.cell(seat.row)}=0,0,IF({differs},1,0))", int(value))

        return self.seat_marks(to_say("Last year"), mark)

    def impossible_years(self) -> CheckMark:
        """Seats with a solo before the end, a centre after a year without any, or more than all units could take."""
        first, last = (self.results.year(year).number for year in (self.results.years[0], self.results.years[-1]))
        total = self.results.column_named("In play")

        def mark(seat: SeatRow) -> xl.LiveFormula:
            own, end = (
                f"Results!{xl.fixed_cell(seat.row, first)}:{xl.fixed_cell(seat.row, last)}",
                self.games.centres.cell(seat.row),
            )
            columns = f"(COLUMN({own})-{first - 1})"
            at_last = f"INDEX({own},1,MAX(1,SUMPRODUCT(MAX(ISNUMBER({own})*{columns}))))"
            formula = self.sheet.formula_of(seat)
            wins = formula.centres_needed(total.far(seat.first))
            solos = f'COUNTIF({own},">="&{wins})>IF(AND({at_last}={end},{end}>={wins}),1,0)'
            back = f"SUMPRODUCT(MAX(({own}>0)*{columns}))>IFERROR(MATCH(0,{own},0),{BIG})"
            wrong = f"OR({solos},{back},AND({end}>0,COUNTIF({own},0)>0),{self.won_too_many(seat, first, last)})"
            value = seat.game is not None and _is_impossible(seat, formula.system.solo.centres_needed(seat.board.total))
            return xl.LiveFormula(f"IF({self.games.done.cell(seat.row)}=0,0,IF({wrong},1,0))", int(value))

        return self.seat_marks(to_say("Years wrong"), mark)

    def won_too_many(self, seat: SeatRow, first: int, last: int) -> str:
        """Whether a count is more than twice as many as a year before, four times as many as two years before, etc.

        Nobody has more units than he had centres, and a unit takes one centre a year.
        """
        tests = [
            f"SUMPRODUCT(ISNUMBER({before})*ISNUMBER({after})*({after}>{2**years}*{before}))>0"
            for years in range(1, last - first + 1)
            for before in [f"Results!{xl.fixed_cell(seat.row, first)}:{xl.fixed_cell(seat.row, last - years)}"]
            for after in [f"Results!{xl.fixed_cell(seat.row, first + years)}:{xl.fixed_cell(seat.row, last)}"]
        ]
        russia = self.sheet.grid.page.word(Power.RUSSIA.title())
        homes = f"IF({self.games.power.cell(seat.row)}={russia},4,3)"
        for column, year in enumerate(self.results.years, start=first):
            most = 2 ** (year - FIRST_YEAR + 1)
            if 3 * most < STANDARD_CENTRES:
                tests.append(f"SUM(Results!{xl.fixed_cell(seat.row, column)})>{most}*{homes}")
        return f"OR({','.join(tests)})" if tests else "FALSE"

    def lost_centres(self) -> CheckMark:
        """Boards on which all together own fewer than after an earlier year: what is owned stays somebody's."""
        first = self.results.year(self.results.years[0]).number

        def mark(seat: SeatRow) -> xl.LiveFormula:
            blocks = [
                f"Results!{xl.fixed_cell(seat.first, first + at)}:{xl.fixed_cell(seat.last, first + at)}"
                for at in range(len(self.results.years))
            ]
            ends = self.games.centres.rows(seat.first, seat.last)
            begun = sum(len(standard_map().homes[power]) for power in seat.board.powers)
            sums = [f"SUM({block})" for block in blocks]
            tests = [f"SUM({ends})<MAX({','.join(sums)})"]
            tests += [
                f"AND(COUNT({block})>0,SUM({block})<MAX({','.join((str(begun), *sums[:at]))}))"
                for at, block in enumerate(blocks)
            ]
            years = sorted(year for year in seat.board.years if year in self.results.years)
            owned = [begun, *(sum(seat.board.years[year].values()) for year in years)] if years else []
            owned += [sum(seat.board.centres.values())]
            value = seat.game is not None and any(then < before for before, then in pairwise(owned))
            return xl.LiveFormula(f"IF({self.games.done.cell(seat.row)}=0,0,IF(OR({','.join(tests)}),1,0))", int(value))

        return self.board_marks(to_say("Centres lost"), mark)

    def unknown_names(self) -> CheckMark:
        """Seats with a name that no player has."""
        names = self.results.column(PLAYER)
        return CheckMark(f'SUMPRODUCT(({names.there}<>"")*({self.games.player.there}=0))', 0)

    def twice_here(self) -> CheckMark:
        """Players who sit twice on one board: every such seat."""

        def mark(seat: SeatRow) -> xl.LiveFormula:
            block, own = self.games.player.rows(seat.first, seat.last), self.games.player.cell(seat.row)
            names = [sits.player for sits in seat.board.seats.values()]
            value = seat.seat.player is not None and names.count(seat.seat.player) > 1
            return xl.LiveFormula(f"IF(AND({own}>0,COUNTIF({block},{own})>1),1,0)", int(value))

        return self.seat_marks(to_say("Twice here"), mark)

    def two_boards(self) -> CheckMark:
        """Seats beyond a player's first in a round."""
        return self.again(to_say("Round key"), lambda seat: seat.board.round, "{row}", self.games.round)

    def open_boards(self) -> CheckMark:
        """Second seats of a player in a round without a word on which counts."""
        event = self.sheet.event
        said_of = {(player.name, number) for player in event.players for number in (*player.chosen, *player.both)}
        counts, people, rounds = self.results.column_named("Counts"), self.games.player, self.games.round
        yes, both = self.sheet.grid.page.word(YES), self.sheet.grid.page.word(BOTH)
        seen: Counter[tuple[str, int]] = Counter()

        def mark(seat: SeatRow) -> xl.LiveFormula:
            own, number = people.cell(seat.row), rounds.cell(seat.row)
            upto, whose = people.rows(people.first, seat.row), rounds.rows(rounds.first, seat.row)
            above = f"SUMPRODUCT(({upto}={own})*({whose}={number}))"
            is_said = f"(({counts.there}={yes})+({counts.there}={both})>0)"
            said = f"SUMPRODUCT(({people.here}={own})*({rounds.here}={number})*{is_said})"
            name = seat.seat.player or ""
            key = (name, seat.board.round)
            seen[key] += bool(event.numbers.get(name))
            value = seen[key] > 1 and key not in said_of
            return xl.LiveFormula(f"IF({own}=0,0,IF(AND({above}>1,{said}=0),1,0))", int(value))

        return self.seat_marks(to_say("Board open"), mark)

    def same_power(self) -> CheckMark:
        """Seats beyond a player's first as a power."""
        order = list(Power)
        return self.again(
            to_say("Power key"),
            lambda seat: order.index(seat.power) + 1,
            f"MATCH({{row}},{{{{{self.sheet.grid.page.list_powers(Power)}}}}},0)",
            self.games.power,
        )

    def again(self, head: str, of: Callable[[SeatRow], int], written: str, column: xl.BookColumn) -> CheckMark:
        """Count seats that repeat something of their player, such as the power: keys that occur twice."""
        keys: list[xl.Content] = []
        seen: Counter[int] = Counter()
        for seat in self.seats:
            number = self.sheet.event.numbers.get(seat.seat.player or "", 0)
            own = self.games.player.cell(seat.row)
            what = written.format(row=column.cell(seat.row))
            value: int | str = number * 1000 + of(seat) if number else ""
            if number:
                seen[number * 1000 + of(seat)] += 1
            keys.append(xl.LiveFormula(f'IF({own}=0,"",{own}*1000+{what})', value))
        made = self.sheet.grid.add(head, keys, xl.SMALL, 8)
        return CheckMark(_repeats(made.there), sum(seen.values()) - len(seen))

    def pairs(self, allowed: int) -> CheckMark:
        """Meetings of pairs beyond those that are allowed: every seat's pairs with the seats below it on its board."""
        columns: list[list[xl.Content]] = [[] for _ in range(MOST_POWERS - 1)]
        seen: Counter[int] = Counter()
        rows = {seat.row: seat for seat in self.seats}
        numbers = self.sheet.event.numbers
        for seat in self.seats:
            own = self.games.player.cell(seat.row)
            ours = numbers.get(seat.seat.player or "", 0)
            for below, contents in enumerate(columns, start=1):
                if seat.row + below > seat.last:
                    contents.append(None)
                    continue
                other = self.games.player.cell(seat.row + below)
                theirs = numbers.get(rows[seat.row + below].seat.player or "", 0)
                met = ours > 0 and theirs > 0
                key = min(ours, theirs) * BIG + max(ours, theirs)
                if met:
                    seen[key] += 1
                pair = f"MIN({own},{other})*{BIG}+MAX({own},{other})"
                contents.append(xl.LiveFormula(f'IF(OR({own}=0,{other}=0),"",{pair})', key if met else ""))
        made = [
            self.sheet.grid.add(wording("Pair {number}", number=n), contents, xl.SMALL, 9)
            for n, contents in enumerate(columns, start=1)
        ]
        area = f"{made[0].there.partition(':')[0]}:{made[-1].there.rpartition(':')[2]}"
        return CheckMark(_repeats(area, allowed), sum(max(0, times - allowed) for times in seen.values()))


def _is_impossible(seat: SeatRow, wins: int) -> bool:
    """Whether a seat's counts say a solo before the end, a centre after a year without any, or too many in a year."""
    board, end = seat.board, seat.board.centres[seat.power]
    rows = [(year, board.count_owned(seat.power, year)) for year in sorted(board.years)]
    counts = [owned for _, owned in rows]
    if rows:
        rows.insert(0, (FIRST_YEAR - 1, len(standard_map().homes[seat.power])))
    if any(then > owned * 2 ** (later - year) for (year, owned), (later, then) in pairwise(rows)):
        return True
    at_end = bool(counts) and counts[-1] == end >= wins
    later = counts[counts.index(0) :] if 0 in counts else []
    return sum(owned >= wins for owned in counts) > at_end or any(later) or (bool(later) and end > 0)


def _repeats(cells: str, allowed: int = 1) -> str:
    """Count numbers beyond so many times; FREQUENCY gives each different number its count, its copies none.

    LibreOffice has no FREQUENCY of cells without a number.

    >>> print(_repeats("A1:A9"))
    IF(COUNT(A1:A9)=0,0,COUNT(A1:A9)-SUMPRODUCT((FREQUENCY(A1:A9,A1:A9)>0)*1))
    """
    within = "".join(f"-SUMPRODUCT((FREQUENCY({cells},{cells})>{times})*1)" for times in range(allowed))
    return f"IF(COUNT({cells})=0,0,COUNT({cells}){within})"


SHEET = "Checks"
PASS = to_say("All checks pass")
OK, LOOK, NOTE = to_say("OK"), to_say("LOOK"), to_say("NOTE")
HEAD_ROW = 4
WORDS, COUNT, STATE, HOW = 1, 2, 3, 4  # columns of the list of checks
ENGINE = 6  # the first column of the list of totals
A_LETTER = 0.9  # of a column's width, at most, in the fonts that stand in for Calibri
SAME = "0.000001"  # points; a smaller difference is a rounding error of binary fractions
COUNT_AGAIN = to_say("count again; centres that nobody owns are entered under Unowned in Results")
END_COUNT = to_say("correct Centres or the year; they may differ where a Spring deadline ended the game")
CHANGED = to_say("an input was changed after the program wrote this file: enter the change in the program too")
NOT_READ = to_say("write numbers with your computer's decimal sign, and words and names as the lists have them")
SEE_DRAW = to_say("see the draw")
TO_LOOK_AT = to_say("{count} to look at: see {sheet}")


class ChecksSheet(Struct, kw_only=True):
    """The list of checks; what is checked of an event or a league alone is added by `check_results`."""

    page: xl.Page
    scored: Scored
    workings: WorkingColumns
    in_doubt: str  # the doubts in short, empty without any
    unread: CheckMark  # entries that mean nothing where they stand
    row: int = HEAD_ROW + 1
    wrong: int = 0  # checks that say LOOK by the engine's own data

    def fill(self) -> xl.LiveFormula:
        """Fill it; returns the sentence for the front."""
        page = self.page
        page.put(1, 1, to_say("Checks"), xl.TITLE)
        page.put(
            2,
            1,
            wording("LOOK must be put right; NOTE is for the director to know and turns nothing red."),
            xl.SUBTITLE,
        )
        page.row(
            HEAD_ROW, 1, (to_say("What is checked"), to_say("Found"), to_say("State"), to_say("How to mend")), xl.HEAD
        )
        page.put(HEAD_ROW, WORDS, to_say("What is checked"), xl.HEAD_LEFT)
        self.entries()
        self.check_results()
        self.against_engine()
        self.colours()
        page.widths |= {WORDS: self.room(WORDS), COUNT: 9, STATE: 9, HOW: self.room(HOW), ENGINE - 1: 3}
        page.freeze, page.repeat, page.landscape = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", True
        page.area = f"A1:{xl.at(self.row - 1, HOW)}"
        failed = f"COUNTIF({SHEET}!{xl.column_range(STATE, HEAD_ROW + 1, self.row - 1)},{page.word(LOOK)})"
        look = page.speech.says(TO_LOOK_AT, count=self.wrong, sheet=page.name)
        words = "; ".join(part for part in (look if self.wrong else "", self.in_doubt) if part)
        beside = f"; {self.in_doubt}" if self.in_doubt else ""
        to_look_at = xl.write_sentence(page.speech, TO_LOOK_AT, count=failed, sheet=xl.quote_text(page.name))
        passes = page.speech.says(PASS)
        fine = xl.quote_text(self.in_doubt or passes)
        return xl.LiveFormula(f"IF({failed}=0,{fine},{to_look_at}&{xl.quote_text(beside)})", words or passes)

    def room(self, column: int) -> float:
        """How wide a column of texts is, by the longest of them in the page's language."""
        texts = (line[column][0] for row, line in self.page.cells.items() if row > HEAD_ROW and column in line)
        return 2 + A_LETTER * max(len(text) for text in texts if isinstance(text, str))

    def section(self, title: str) -> None:
        """Begin a group of checks."""
        self.page.row(self.row, 1, (title, None, None, None), xl.SECTION)
        self.row += 1

    def check(self, words: str, mark: CheckMark, how: str, *, must: bool = True) -> None:
        """One line: how many faults a formula counts. What must not be says LOOK, what may be says NOTE.

        If the formula gives an error value, it says LOOK in either case.
        """
        bad = LOOK if must else NOTE
        self.wrong += must and mark.found > 0
        page, row = self.page, self.row
        page.put(row, WORDS, page.speech.says(words), xl.TEXT)
        page.put(row, COUNT, xl.LiveFormula(mark.formula, mark.found), xl.WHOLE)
        count = xl.at(row, COUNT)
        formula = f"IF(ISNUMBER({count}),IF({count}=0,{page.word(OK)},{page.word(bad)}),{page.word(LOOK)})"
        state = xl.LiveFormula(formula, wording(bad if mark.found else OK))
        page.put(row, STATE, state, xl.CENTRED.but(bold=True))
        page.put(row, HOW, page.speech.says(how), xl.NOTE.but(upright="center", line="h", wrap=False))
        self.row += 1

    def entries(self) -> None:
        """What was typed and would pass without a word: it changes no total."""
        self.section(to_say("Yellow cells"))
        words = to_say("Entries that are not read: no number, no word of the list, no player, or without points")
        self.check(words, self.unread, NOT_READ)

    def check_results(self) -> None:
        """Check what can be wrong with the results."""
        raise NotImplementedError

    def against_engine(self) -> None:
        """The program's totals and places against the formulas'."""
        self.section(to_say("Program and formulas"))
        people = self.workings.accounts.people
        rows = {row.player: row for row in self.scored.standings.rows}
        grid = xl.Grid(self.page, HEAD_ROW, len(people), ENGINE)
        grid.add(to_say("Player"), [one.name for one in people], xl.TEXT, 26)
        look = xl.points(self.scored.rules.decimals)
        totals = [one.tally.total if one.tally else 0 for one in people]
        engine = grid.add(to_say("Program's total"), totals, look, 11)
        there = self.workings.total
        formula = grid.add(
            to_say("Formula"),
            [xl.LiveFormula(there.far(p.row), t) for p, t in zip(people, totals, strict=True)],
            look,
            11,
        )
        places = [rows[one.name].place if one.name in rows else 0 for one in people]
        engine_place = grid.add(to_say("Program's place"), places, xl.WHOLE, 9)
        place = self.workings.outcome.place
        live = [xl.LiveFormula(place.far(p.row), v) for p, v in zip(people, places, strict=True)]
        formula_place = grid.add(to_say("Formula"), live, xl.WHOLE, 9)
        differ = f"SUMPRODUCT((ABS({engine.here}-{formula.here})>{SAME})*1)"
        self.check(to_say("Totals that are not the program's"), CheckMark(differ, 0), CHANGED)
        differ = f"SUMPRODUCT(({engine_place.here}<>{formula_place.here})*1)"
        self.check(to_say("Places that are not the program's"), CheckMark(differ, 0), CHANGED)

    def colours(self) -> None:
        """Green, yellow, red."""
        first = xl.at(HEAD_ROW + 1, STATE)
        cells = f"{first}:{xl.at(self.row - 1, STATE)}"
        for word, fill, colour in (
            (OK, xl.GREEN, xl.DARK_GREEN),
            (LOOK, xl.RED, xl.DARK_RED),
            (NOTE, xl.AMBER, "7F6000"),
        ):
            self.page.mark(cells, f"${first}={self.page.word(word)}", fill=fill, colour=colour)


def count_all_unread(pages: Iterable[xl.Page]) -> CheckMark:
    """What was typed on some pages and means nothing there."""
    counts = [each for page in pages for each in page.unread]
    return CheckMark("+".join(each.formula for each in counts), sum(int(each.value or 0) for each in counts))


class EventChecks(ChecksSheet, kw_only=True):
    """The checks of an event: its boards, its players, and who meets whom."""

    marks: CheckMarks
    meetings: int | None  # how often two players may meet; None: the rules do not say

    def check_results(self) -> None:
        self.boards()
        self.people()
        self.met_again()

    def boards(self) -> None:
        marks = self.marks
        self.section(to_say("Boards"))
        self.check(to_say("Boards whose centres do not add up to 34 (31 in Sandard)"), marks.wrong_sum(), COUNT_AGAIN)
        self.check(
            to_say("Boards with two powers over half of the centres"),
            marks.two_solos(),
            to_say("correct Centres in Results"),
        )
        self.check(
            to_say("Boards without seven powers (six in Sandard)"),
            marks.powers(),
            to_say("every power needs its row in Results"),
        )
        missing = to_say("enter the missing centres; a power without any has 0")
        self.check(to_say("Boards with some counts but not all"), marks.half_done(), missing)
        self.check(
            to_say("Seats whose end count is not that of the last year"), marks.last_year(), END_COUNT, must=False
        )
        words = to_say(
            "Seats with a solo before the end, a centre after a year without any, or a gain that no year allows"
        )
        never = to_say("correct the years in Results: such a game cannot have been played")
        self.check(words, marks.impossible_years(), never)
        self.check(to_say("Boards with fewer centres owned than after an earlier year"), marks.lost_centres(), never)

    def people(self) -> None:
        """Names and seats."""
        marks = self.marks
        self.section(to_say("Players"))
        unknown = to_say("choose the name from the list, or add it to Players")
        self.check(to_say("Seats with a name that is not in Players"), marks.unknown_names(), unknown)
        self.check(to_say("Players twice on one board"), marks.twice_here(), to_say("one of the two names is wrong"))
        allowed = self.scored.rules.totals.two_boards is not TwoBoards.ASK
        known = to_say("the rules say which of two boards counts")
        how = (
            known
            if allowed
            else to_say("one name is wrong, or two boards were played: the rules do not say what counts")
        )
        check = marks.two_boards() if allowed else marks.open_boards()
        self.check(to_say("Players on two boards in one round"), check, how, must=not allowed)
        self.check(to_say("Players with a second game as the same power"), marks.same_power(), SEE_DRAW, must=False)

    def met_again(self) -> None:
        """Opponents met before, or oftener than the rules allow."""
        self.section(to_say("Opponents"))
        if self.meetings is None:
            self.check(to_say("Pairs of players that meet again"), self.marks.pairs(1), SEE_DRAW, must=False)
        else:
            words = wording(
                "Pairs of players that meet more than {count:time|times}, as often as the rules allow",
                count=self.meetings,
            )
            self.check(words, self.marks.pairs(self.meetings), SEE_DRAW, must=False)
