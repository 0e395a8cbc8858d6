"""The Standings sheet, the front: places, names, every score with what it counts, totals, and what decided a tie."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import attrgetter

from msgspec import Struct

from pipeline.scoring.ranking import StandingsRow
from pipeline.scoring.score import Scored
from pipeline.scoring.stakes import Stake, WeighedDoubt, doubts_in_short, level_so_far_in_short, list_due
from pipeline.scoring.standings_in_words import (
    NOT_RANKED,
    OUT,
    amended_places,
    decided_by,
    how_it_counts,
    interim_note,
    overruled_ends,
)
from pipeline.words.speech import IN_ENGLISH, Speech, to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import GameSlot, Person, is_kept, weight_of
from pipeline.workbook.games_sheet import GameColumns
from pipeline.workbook.input_sheets import ResultColumns
from pipeline.workbook.workings_sheet import ORDER, WorkingColumns

# The Doubts sheet: what the director must still decide; doubts that decide a title come first.

DOUBTS_SHEET = "Doubts"
DOUBTS_HEAD_ROW = 4
ON_FRONT = 5  # doubts that stand on the front, too
A_LINE = 70  # characters


TO_DECIDE = to_say("What the director must still decide, as the program found it")
ASSUMED = to_say("Until the director decides, the standings use the numbers that the program assumed")


def fill_doubts(page: xl.Page, doubts: Sequence[WeighedDoubt]) -> None:
    page.put(1, 1, to_say("Doubts"), xl.TITLE)
    says = page.speech.says
    in_few_words = doubts_in_short(doubts, page.speech)
    said = says(ASSUMED) if list_due(doubts) else f"{in_few_words[:1].upper()}{in_few_words[1:]}"
    told = (f"{part}." for part in (says(TO_DECIDE), said, level_so_far_in_short(doubts, page.speech)) if part)
    page.put(2, 1, " ".join(told), xl.SUBTITLE)
    page.row(DOUBTS_HEAD_ROW, 1, (to_say("Decides"), to_say("Titles"), to_say("Where"), to_say("What")), xl.HEAD_LEFT)
    page.put(DOUBTS_HEAD_ROW, 1, to_say("Decides"), xl.HEAD)
    for row, one in enumerate(sorted(doubts, key=attrgetter("is_level_so_far")), start=DOUBTS_HEAD_ROW + 1):
        page.put(row, 1, wording(one.stake), xl.CENTRED.but(bold=True, upright="top"))
        where, what = one.doubt.where_in(page.speech), one.doubt.in_words(page.speech)
        titles = _join_titles(one, page.speech)
        page.row(row, 2, (titles, where, what), xl.WRAPPED)
        lines = max(len(titles) // 36, len(where) // 26, len(what) // A_LINE)
        page.heights[row] = 16.0 * (1 + lines)
    last = DOUBTS_HEAD_ROW + max(len(doubts), 1)
    cells, own = f"A{DOUBTS_HEAD_ROW + 1}:A{last}", f"$A{DOUBTS_HEAD_ROW + 1}"
    page.mark(cells, f"{own}={page.word(Stake.TITLE)}", fill=xl.RED)
    page.mark(cells, f"{own}={page.word(Stake.PLACE)}", fill=xl.AMBER)
    page.widths |= {1: 11, 2: 38, 3: 28, 4: A_LINE}
    page.freeze, page.repeat, page.landscape = f"A{DOUBTS_HEAD_ROW + 1}", f"{DOUBTS_HEAD_ROW}:{DOUBTS_HEAD_ROW}", True
    page.area = f"A1:{xl.at(last, 4)}"


def in_short(doubts: Sequence[WeighedDoubt], speech: Speech) -> str:
    """Say how many doubts are to be settled now, for the cell that is green without any; then empty."""
    if not list_due(doubts):
        return ""
    return speech.says("{doubts}: see {sheet}", doubts=doubts_in_short(doubts, speech), sheet=speech.says(DOUBTS_SHEET))


def _join_titles(one: WeighedDoubt, speech: Speech) -> str:
    return ", ".join(map(speech.says, one.titles))


def _foremost(doubts: Sequence[WeighedDoubt], speech: Speech) -> list[str]:
    """The doubts that decide something, in words; the first few."""
    deciding = [one for one in doubts if one.stake is not Stake.NOTHING]
    lines = [doubt_in_words(one, speech) for one in deciding[:ON_FRONT]]
    if more := len(deciding) - ON_FRONT:
        further = to_say("... and {count:more doubt|more doubts} about what decides something: see {sheet}")
        lines += [speech.says(further, count=more, sheet=speech.says(DOUBTS_SHEET))] if more > 0 else []
    return lines


def doubt_in_words(one: WeighedDoubt, speech: Speech = IN_ENGLISH) -> str:
    """Say one doubt in a line: what hangs on it, where to look, what was found."""
    where, what = one.doubt.where_in(speech), one.doubt.in_words(speech)
    if one.stake is Stake.NOTHING:
        return speech.says(IN_DOUBT_EARLY if one.is_early else IN_DOUBT_NOW, where=where, what=what)
    decides = _join_titles(one, speech) or speech.says(one.stake)
    return speech.says("In doubt, decides {decides}: {where}: {what}", decides=decides, where=where, what=what)


IN_DOUBT_EARLY = to_say("In doubt, but what is still to be played may settle it: {where}: {what}")
IN_DOUBT_NOW = to_say("In doubt, but no title and no place hangs on it now: {where}: {what}")


SHEET = "Standings"
FIRST_HEADS = (to_say("Place"), "", to_say("Player"))
HEAD_ROW = 5
DECIDED_BY = 44  # characters: the width of the last column, above which the verdict stands
VERDICT, REASON = 38, 56  # letters on a line of it: of the verdict, which is larger and bold, and of a reason
SIGN = xl.CENTRED.but(size=9, colour=xl.GREY, form='"×"General')
BESIDE = xl.SIGNED_AMOUNT.but(colour="595959")  # bonuses less penalties


def begin_line(
    page: xl.Page, row: int, last: int, order: xl.BookColumn, nth: int, person: Person | None
) -> tuple[str, Callable[[int, str, xl.Content, xl.Look], None]]:
    """Put the number of the nth player beside a line; returns its cell, and what fills the line where he is there."""
    number = f"${xl.at(row, last + 2)}"
    found_by = f'IF(COUNT({order.there})<{nth},"",MOD(SMALL({order.there},{nth}),{ORDER}))'
    page.put(row, last + 2, xl.LiveFormula(found_by, person.number if person else ""), xl.QUIET)

    def show(column: int, formula: str, value: xl.Content, look: xl.Look) -> None:
        shown = value.value if isinstance(value, xl.LiveFormula) else value
        page.put(row, column, xl.LiveFormula(f'IF({number}="","",{formula})', shown), look)

    return number, show


class StandingsSheet(Struct):
    page: xl.Page
    scored: Scored
    workings: WorkingColumns
    teams: xl.BookColumn | None  # each player's team, where there is a team competition
    verdict: xl.LiveFormula  # of the checks and doubts
    fine: str  # what it says where nothing is wrong, as a formula has it
    title: xl.LiveFormula  # who has the first title, or leads for it
    doubts: Sequence[WeighedDoubt]
    label: Callable[[GameSlot], str] = attrgetter("name")  # the name of a slot in its heading
    notes: Sequence[str] = ()  # below the list, behind how scores make a total

    def fill(self, title: str) -> None:
        page, people, heads, says = self.page, self.in_order(), self.heads(), self.page.speech.says
        last = len(heads)
        page.put(1, 1, title, xl.TITLE)
        page.put(2, 1, self.scored.rules.name, xl.SUBTITLE)
        far = says(str(self.scored.progress))
        page.put(3, 1, says("Standings {far}", far=far), xl.SUBTITLE.but(italic=False, bold=True))
        page.put(4, 1, self.title, xl.TEXT.but(bold=True, size=12, line=""))
        page.merge(3, last, last, self.verdict, xl.VERDICT.but(wrap=True))
        for column, head in enumerate(heads, start=1):
            page.put(
                HEAD_ROW, column, head or None, xl.HEAD_LEFT if head in ("Player", "Team", "Decided by") else xl.HEAD
            )
        page.put(HEAD_ROW, last + 2, to_say("No."), xl.HEAD)
        for index in range(len(self.workings.accounts.people)):
            self.line(HEAD_ROW + 1 + index, index + 1, people[index] if index < len(people) else None, last)
        self.set_up(last)

    def heads(self) -> list[str]:
        team = [to_say("Team")] if self.teams else []
        games = [head for slot in self.workings.accounts.visible_slots for head in (self.label(slot), "×")]
        return [*FIRST_HEADS, *team, *games, "±", to_say("Total"), to_say("Decided by")]

    def in_order(self) -> list[Person]:
        """Who is listed, by place and then by name; before a game is over nobody."""
        taking = [person for person in self.workings.accounts.people if person.tally and self.scored.games]
        places = {row.player: row.place for row in self.scored.standings.rows}
        return sorted(taking, key=lambda person: (places.get(person.name, ORDER), person.number))

    def line(self, row: int, nth: int, person: Person | None, last: int) -> None:
        outcome, works = self.workings.outcome, self.workings
        number, show = begin_line(self.page, row, last, outcome.order, nth, person)
        standing = next((r for r in self.scored.standings.rows if person and r.player == person.name), None)
        own = f"INDEX({outcome.place.there},{number})"
        place: xl.Content = standing.place if standing else ("–" if person else "")
        show(1, f'IF({own}=0,"–",{own})', place, xl.CENTRED.but(bold=True, size=12))
        tied = "=" if standing and standing.is_tied else ""
        show(2, f'IF(AND({own}>0,COUNTIF({outcome.place.there},{own})>1),"=","")', tied, xl.CENTRED)
        name = person.name if person else ""
        show(3, f"INDEX({works.name.there},{number})", name, xl.TEXT.but(bold=True, size=12))
        column = 4
        if self.teams:
            team = f"INDEX({self.teams.there},{number})"
            show(column, f'IF({team}="","",{team})', self.team_of(person), xl.TEXT)
            column += 1
        for slot in self.workings.accounts.visible_slots:
            (score, value), (sign, counts) = self.score(slot, number, person), self.sign(slot, number, person)
            show(column, score, value, xl.points(self.scored.rules.decimals))
            show(column + 1, sign, counts, SIGN)
            column += 2
        beside = person.tally.exact - person.tally.weighted if person and person.tally else ""
        show(column, f"INDEX({works.beside.there},{number})", beside, BESIDE)
        total = person.tally.total if person and person.tally else ""
        bold = xl.points(self.scored.rules.decimals).but(bold=True, size=12, fill=xl.PALE)
        show(column + 1, f"INDEX({works.total.there},{number})", total, bold)
        words, value = self.deciding_words(number, own, person, standing)
        show(column + 2, words, value, xl.QUIET.but(size=10, align="left", wrap=True, indent=1))
        self.page.heights[row] = 17 if len(str(value)) <= REASON else 30

    def deciding_words(
        self, number: str, place: str, person: Person | None, standing: StandingsRow | None
    ) -> tuple[str, xl.Content]:
        """What put the player there, where it was not the total alone."""
        words = f"INDEX({self.workings.outcome.decided_by.there},{number})"
        speech = self.page.speech
        unranked = speech.says(NOT_RANKED) if person else ""
        value = decided_by(standing, self.scored, speech) if standing else unranked
        return f"IF({place}=0,{self.page.word(NOT_RANKED)},{words})", value

    def team_of(self, person: Person | None) -> str:
        if person is None:
            return ""
        return next((team.name for team in self.scored.event.teams if person.name in team.members), "")

    def score(self, slot: GameSlot, player: str, person: Person | None) -> tuple[str, xl.Content]:
        """The score of a game, whether it counts or not; nothing for who sat out."""
        accounts = self.workings.accounts
        placed = person.slots.get(slot) if person else None
        game = placed.seat.game if placed else None
        there = accounts.block("score")[accounts.slots.index(slot)].there
        return f"INDEX({there},{player})", game.score if game else ""

    def sign(self, slot: GameSlot, player: str, person: Person | None) -> tuple[str, xl.Content]:
        """What a score is multiplied with; nothing where it counts in full."""
        accounts = self.workings.accounts
        index = accounts.slots.index(slot)
        row, kept, weight = (f"INDEX({accounts.block(b)[index].there},{player})" for b in ("row", "kept", "weight"))
        formula = f'IF({row}=0,"",IF(OR({kept}=0,{weight}=0),{self.page.word(OUT)},IF({weight}=1,"",{weight})))'
        if person is None or slot not in person.slots:
            return formula, ""
        counts = weight_of(person, slot) if is_kept(person, slot) else Fraction()
        return formula, "" if counts == 1 else counts or wording(OUT)

    def set_up(self, last: int) -> None:
        """Widths, colours and print."""
        page, first = self.page, HEAD_ROW + 1
        end = HEAD_ROW + max(len(self.workings.accounts.people), 1)
        team = [18] if self.teams else []
        games = [size for _ in self.workings.accounts.visible_slots for size in (8.5, 4.5)]
        widths = [7, 2.5, 25, *team, *games, 9, 10, DECIDED_BY, 2, 6]
        page.widths |= dict(enumerate(widths, start=1))
        lines = 1 + any(slot.nth > 1 for slot in self.workings.accounts.visible_slots)  # "R2 board 2"
        verdict = -(-len(str(self.verdict.value)) // VERDICT)
        page.heights |= {1: 28, 3: 16 * verdict, HEAD_ROW: 4 + 16.0 * lines}
        rows = f"A{first}:{xl.at(end, last)}"
        page.mark(rows, f"AND(ISNUMBER($A{first}),$A{first}=1)", fill=xl.GOLD)
        page.mark(rows, f"AND(ISNUMBER($A{first}),$A{first}<=3)", fill=xl.AMBER)
        for index in range(len(self.workings.accounts.visible_slots)):
            column = 4 + len(team) + 2 * index
            sign = f"${xl.at(first, column + 1)}"
            cells = f"{xl.at(first, column)}:{xl.at(end, column)}"
            page.mark(cells, f"{sign}={page.word(OUT)}", colour="A6A6A6")
        cell = xl.fixed_cell(3, last)
        page.mark(xl.at(3, last), f"{cell}={self.fine}", fill=xl.GREEN, colour=xl.DARK_GREEN)
        page.mark(xl.at(3, last), f"{cell}<>{self.fine}", fill=xl.RED, colour=xl.DARK_RED)
        speech, scored = page.speech, self.scored
        ended, amended = overruled_ends(scored.event, speech), amended_places(scored, speech)
        open_now = [*_foremost(self.doubts, speech), *ended, *amended]
        foot = [*open_now, *interim_note(scored, speech), *how_it_counts(scored.rules, speech), *self.notes]
        for row, words in enumerate(foot, start=end + 2):
            page.merge(row, 1, last, words, xl.NOTE.but(colour="000000") if row < end + 2 + len(open_now) else xl.NOTE)
            page.heights[row] = 15.0 * -(-len(words) // int(sum(widths) * 1.1))
        page.freeze, page.repeat = f"D{first}", f"{HEAD_ROW}:{HEAD_ROW}"
        page.area = f"A1:{xl.at(end + 1 + len(foot), last)}"
        page.landscape = True


# The Rounds sheet: for each player, by name, where he sat in each round and what it brought.

ROUNDS_SHEET = "Rounds"
ROUNDS_HEAD_ROW = 5
EACH = 2  # columns a game: where, with power and centres; score


class RoundsSheet(Struct):
    page: xl.Page
    scored: Scored
    workings: WorkingColumns
    games: GameColumns
    results: ResultColumns

    def fill(self, title: str) -> None:
        page, people, slots = self.page, self.workings.accounts.people, self.workings.accounts.visible_slots
        says = page.speech.says
        page.put(1, 1, to_say("Rounds"), xl.TITLE)
        subtitle = says("{title}: every player's games, by name: board, power and centres, points.", title=title)
        page.put(2, 1, subtitle, xl.SUBTITLE)
        page.put(ROUNDS_HEAD_ROW, 1, to_say("Player"), xl.HEAD_LEFT)
        page.widths[1] = 26
        total = 2 + EACH * len(slots)
        for index, slot in enumerate(slots):
            first = 2 + EACH * index
            name = says("Round {round}", round=slot.round)
            name += "" if slot.nth == 1 else ", " + says("board {board}", board=slot.nth)
            page.merge(ROUNDS_HEAD_ROW - 1, first, first + EACH - 1, name, xl.HEAD)
            page.row(ROUNDS_HEAD_ROW, first, (to_say("Board"), to_say("Points")), xl.HEAD)
            page.widths |= dict(zip(range(first, first + EACH), (16, 9), strict=True))
            for person in people:
                self.game(person, slot, ROUNDS_HEAD_ROW + person.number, first)
        page.put(ROUNDS_HEAD_ROW, total, to_say("Total"), xl.HEAD)
        page.widths[total] = 11
        look = xl.points(self.scored.rules.decimals).but(bold=True, fill=xl.PALE)
        for person in people:
            row = ROUNDS_HEAD_ROW + person.number
            page.put(row, 1, xl.LiveFormula(self.workings.name.far(person.row), person.name), xl.TEXT.but(bold=True))
            points_in_all = person.tally.total if person.tally else ""
            rounds = self.workings.base.rounds.far(person.row)
            shown = xl.LiveFormula(
                f'IF({rounds}=0,"",{self.workings.total.far(person.row)})', points_in_all if person.slots else ""
            )
            page.put(row, total, shown, look)
        self.set_up(total)

    def game(self, person: Person, slot: GameSlot, row: int, column: int) -> None:
        accounts, page = self.workings.accounts, self.page
        index = accounts.slots.index(slot)
        place = accounts.block("row")[index].far(person.row)
        placed = person.slots.get(slot)
        game = placed.seat.game if placed else None

        def look_up(there: xl.BookColumn) -> str:
            return f"INDEX({there.there},{place})"

        board, words = "", ""
        if game:
            board, words = game.board.name, f" {page.speech.power(game.power)} {game.centres}"
        seat = f'{look_up(self.results.column(2))}&" "&{look_up(self.games.power)}&" "&{look_up(self.games.centres)}'
        page.put(
            row,
            column,
            xl.LiveFormula(f'IF({place}=0,"",{seat})', f"{board}{words}"),
            xl.TEXT.but(line="lh", align="left", indent=1),
        )
        score = xl.LiveFormula(
            f'IF({place}=0,"",{accounts.block("score")[index].far(person.row)})', game.score if game else ""
        )
        page.put(row, column + 1, score, xl.points(self.scored.rules.decimals))

    def set_up(self, total: int) -> None:
        page, first = self.page, ROUNDS_HEAD_ROW + 1
        last = ROUNDS_HEAD_ROW + max(len(self.workings.accounts.people), 1)
        page.freeze, page.repeat, page.landscape = f"B{first}", f"{ROUNDS_HEAD_ROW - 1}:{ROUNDS_HEAD_ROW}", True
        page.area = f"A1:{xl.at(last, total)}"
