"""The sheets a director types into: Players, Results, Bonuses and Penalties."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from pipeline.scoring.extras import WITHDRAWAL, charge, kinds_by_rule, lowest_part
from pipeline.scoring.results import STANDARD_CENTRES, Bonus, Ending, EventResults, Penalty
from pipeline.scoring.rules import Loses, PenaltyRule, ScoringRules
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.seats import ScoredEvent, SeatRow

# The Players sheet: who plays, numbered by name; the other sheets know a player by that number.

PLAYERS_SHEET = "Players"
PLAYERS_HEAD_ROW = 4
YES = to_say("yes")
BOTH = to_say("both")  # under Counts: both boards of a round count, by the director's word
NAME_OR_NOTHING = to_say("a name of the Players sheet, or nothing")
YES_OR_NOTHING = to_say("yes or nothing"), to_say("write yes, or leave it empty")  # an error's title and its text
PLAYER_NAMES = "Player_names"  # a named range, because old programs refuse another sheet's range in a drop-down


DRAWING = 1000  # lots of the second drawing are numbered from here; lots of different drawings are not comparable


class PlayerColumns(Struct, frozen=True):
    """Where things about players stand."""

    number: xl.BookColumn
    name: xl.BookColumn
    team: xl.BookColumn
    plays_as_director: xl.BookColumn
    excluded: xl.BookColumn
    distance: xl.BookColumn
    lot: xl.BookColumn
    announced: tuple[tuple[int, xl.BookColumn], ...]  # round -> "yes" where the player announced it the day before


def _width_of_names(event: ScoredEvent, least: float) -> float:
    """How wide a column is in which the names of all players are whole."""
    return max((least, *(2.0 + len(player.name) for player in event.players)))


def players_sheet(page: xl.Page, event: ScoredEvent, results: EventResults, rules: ScoringRules) -> PlayerColumns:
    page.put(1, 1, to_say("Players"), xl.TITLE)
    page.put(
        2,
        1,
        wording("Yellow cells may be changed. A new name in Results must stand here too."),
        xl.NOTE.but(wrap=False),
    )
    teams = {member: team.name for team in results.teams for member in team.members}
    lots = {
        name: DRAWING * before + place
        for before, drawing in enumerate(results.lots)
        for place, name in enumerate(drawing, start=1)
    }
    grid = xl.Grid(page, PLAYERS_HEAD_ROW, len(event.players))
    columns = PlayerColumns(
        number=grid.add(to_say("No"), list(range(1, len(event.players) + 1)), xl.WHOLE, 5),
        name=grid.add(to_say("Name"), [player.name for player in event.players], xl.ENTRY, _width_of_names(event, 30)),
        team=grid.add(to_say("Team"), [teams.get(player.name) for player in event.players], xl.ENTRY, 22),
        plays_as_director=grid.add(
            to_say("TD plays"), [_yes(player.is_director) for player in event.players], xl.ENTRY_NUMBER, 8
        ),
        excluded=grid.add(
            to_say("Excluded"), [_yes(player.is_excluded) for player in event.players], xl.ENTRY_NUMBER, 9
        ),
        distance=grid.add(
            to_say("Distance (km)"), [player.distance_km for player in event.players], xl.ENTRY_NUMBER, 10
        ),
        lot=grid.add(to_say("Lot drawn"), [lots.get(player.name) for player in event.players], xl.ENTRY_NUMBER, 8),
        announced=_announcement_columns(grid, event, rules),
    )
    yes_or_nothing = (columns.plays_as_director, columns.excluded, *(column for _, column in columns.announced))
    page.allow_list([range_of(column) for column in yes_or_nothing], page.word(YES), *YES_OR_NOTHING)
    page.allow_whole([range_of(columns.distance)], 0, 99999, to_say("Kilometres"))
    page.allow_whole([range_of(columns.lot)], 1, 99999, to_say("Lot"))
    page.count_no_words([YES], *yes_or_nothing)
    page.count_no_numbers(columns.distance, columns.lot)
    page.freeze, page.repeat = f"C{PLAYERS_HEAD_ROW + 1}", f"{PLAYERS_HEAD_ROW}:{PLAYERS_HEAD_ROW}"
    return columns


def _announcement_columns(
    grid: xl.Grid, event: ScoredEvent, rules: ScoringRules
) -> tuple[tuple[int, xl.BookColumn], ...]:
    """One column for each round whose announcement brings points."""
    bonus = rules.bonuses.preregistration
    rounds: Sequence[int] = bonus.rounds if bonus else ()
    return tuple(
        (
            number,
            grid.add(
                wording("Announced R{round}", round=number),
                [_yes(number in p.preregistered) for p in event.players],
                xl.ENTRY_NUMBER,
                11,
            ),
        )
        for number in rounds
    )


def _yes(is_so: bool) -> str | None:
    return wording(YES) if is_so else None


def range_of(column: xl.BookColumn) -> str:
    """The range of a column without dollars or sheet, as validations want it."""
    return column.here.replace("$", "")


# The Results sheet: one row for each seat; values of the whole board are in the board's first row.

SHEET = "Results"
HEAD_ROW = 4
FIRST_ROW = HEAD_ROW + 1
ROUND, BOARD, POWER, PLAYER, CENTRES, SCORE, YEARS = range(1, 8)
AFTER_YEARS = (
    to_say("Ended"), to_say("Final"), to_say("In play"), to_say("Unowned"), to_say("Instead of"), to_say("Arrived"),
    to_say("Counts"), to_say("Chose"), to_say("Ruling"), to_say("Why"), to_say("Left out"),
)  # fmt: skip
_AFTER = {head: number for number, head in enumerate(AFTER_YEARS)}
ENDINGS = tuple(ending.value for ending in Ending)
WIDTHS = (7, 8, 11, 26, 9, 11)
BOARD_INPUTS = 4  # the first of AFTER_YEARS, which are said once a board


class SeatLooks:
    """How the cells of a row look; a strong line stands above each board."""

    def __init__(self, line: str) -> None:
        boxed = line + "blr"
        self.centred, self.power = xl.CENTRED.but(line="h" + line), xl.TEXT.but(line="h" + line, bold=True)
        self.player, self.centres = xl.ENTRY.but(line=boxed), xl.ENTRY_NUMBER.but(bold=True, line=boxed)
        self.year = xl.ENTRY_NUMBER.but(size=9, colour="595959", line=boxed)
        self.line = line

    def score(self, decimals: int) -> xl.Look:
        return xl.points(decimals).but(line="h" + self.line)


OPENING, FOLLOWING = SeatLooks("T"), SeatLooks("")


@lru_cache(maxsize=256)
def _result_column(number: int, last: int) -> xl.BookColumn:
    """One column of the list that ends in a row."""
    return xl.BookColumn(SHEET, number, FIRST_ROW, last)


class ResultColumns(Struct, frozen=True):
    """Where the inputs of a seat stand; the other sheets use the same rows."""

    last: int  # row
    years: tuple[int, ...]

    def column(self, number: int) -> xl.BookColumn:
        return _result_column(number, max(self.last, FIRST_ROW))

    def column_named(self, head: str) -> xl.BookColumn:
        """A column after the years."""
        return self.column(YEARS + len(self.years) + _AFTER[head])

    def year(self, year: int) -> xl.BookColumn:
        """The centres after the Fall of a year."""
        return self.column(YEARS + year - self.years[0])  # no year is left out


def result_columns(event: ScoredEvent) -> ResultColumns:
    """Plan the sheet; it is filled when the scores are known."""
    return ResultColumns(event.seats[-1].row if event.seats else FIRST_ROW, event.years)


def fill_results(
    page: xl.Page, event: ScoredEvent, columns: ResultColumns, score: xl.BookColumn, decimals: int
) -> None:
    """Fill the sheet; ``score`` is the column that computes."""
    page.put(1, 1, to_say("Results"), xl.TITLE)
    hint = wording(
        "Type over yellow cells; scores, totals and places follow. Grey: how the game stood after each Fall."
    )
    page.put(2, 1, hint, xl.SUBTITLE)
    heads: tuple[xl.Content, ...] = (
        to_say("Round"),
        to_say("Board"),
        to_say("Power"),
        to_say("Player"),
        to_say("Centres"),
        to_say("Score"),
        *columns.years,
        *AFTER_YEARS,
    )
    page.row(HEAD_ROW, 1, heads, xl.HEAD)
    for seat in event.seats:
        done = f'IF({score.far(seat.row)}="","",{score.far(seat.row)})'
        shown = xl.LiveFormula(done, seat.game.score if seat.game else "")
        _fill_seat_cells(page, event, columns, seat, shown, decimals)
    widths = (*WIDTHS, *[5.5] * len(columns.years), 11, 6, 7, 9, 20, 8, 7, 7, 8, 30, 9)
    page.widths |= dict(enumerate(widths, start=1))
    page.widths[PLAYER] = _width_of_names(event, WIDTHS[PLAYER - 1])
    _limit_cells(page, event, columns)
    _colour_faults(page, event, columns)
    page.breaks = _page_breaks(event)
    page.freeze, page.repeat, page.landscape = f"E{FIRST_ROW}", f"{HEAD_ROW}:{HEAD_ROW}", True
    page.area = f"A1:{xl.letter(YEARS + len(columns.years) - 1)}{columns.last}"


def _fill_seat_cells(
    page: xl.Page, event: ScoredEvent, columns: ResultColumns, seat: SeatRow, score: xl.LiveFormula, decimals: int
) -> None:
    look = OPENING if seat.opens_board else FOLLOWING
    name = page.speech.power(seat.power)
    page.row(seat.row, ROUND, (seat.board.round, seat.board.name), look.centred)
    page.put(seat.row, POWER, name, look.power)
    page.put(seat.row, PLAYER, seat.seat.player, look.player)
    page.put(seat.row, CENTRES, seat.game.centres if seat.game else None, look.centres)
    page.put(seat.row, SCORE, score, look.score(decimals))
    page.row(seat.row, YEARS, (_centres_in_year(seat, year) for year in columns.years), look.year)
    page.row(seat.row, YEARS + len(columns.years), _after_years(seat, event), xl.ENTRY_NUMBER.but(form="General"))
    page.put(seat.row, columns.column_named("Why").number, seat.seat.ruling.why if seat.seat.ruling else None, xl.ENTRY)
    page.put(seat.row, columns.column_named("Instead of").number, seat.seat.instead_of, xl.ENTRY)
    if not seat.opens_board:
        page.row(seat.row, YEARS + len(columns.years), [None] * BOARD_INPUTS, xl.PLAIN)


def _centres_in_year(seat: SeatRow, year: int) -> int | None:
    """The centres after a year, nothing where it is not recorded."""
    return seat.board.count_owned(seat.power, year) if year in seat.board.years else None


def _after_years(seat: SeatRow, event: ScoredEvent) -> tuple[xl.Content, ...]:
    """What is said beside the counts, in the order of `AFTER_YEARS`."""
    board, sits = seat.board, seat.seat
    unowned = board.unowned if seat.game else None
    counts = _yes(event.is_chosen(seat)) or (wording(BOTH) if event.is_both(seat) else None)
    chose = board.chose.index(sits.player) + 1 if sits.player in board.chose else None
    ruling = sits.ruling.score if sits.ruling else None
    final, out = _yes(board.is_final), _yes(seat.power in board.left_out)
    return (wording(board.ended), final, board.total, unowned, None, sits.arrived, counts, chose, ruling, None, out)


def _limit_cells(page: xl.Page, event: ScoredEvent, columns: ResultColumns) -> None:
    """Say what the input cells take."""
    if not event.seats:
        return
    rows = (FIRST_ROW, columns.last)

    def cells(first: int, last: int) -> list[str]:
        return [f"{xl.at(rows[0], first)}:{xl.at(rows[1], last)}"]

    last_year = YEARS + len(columns.years) - 1
    page.allow_list(cells(PLAYER, PLAYER), PLAYER_NAMES, to_say("Player"), NAME_OR_NOTHING)
    page.allow_whole(cells(CENTRES, CENTRES) + cells(YEARS, last_year), 0, 34, to_say("Centres"))
    opening = [seat.row for seat in event.seats if seat.opens_board]

    def once(head: str) -> list[str]:
        return [xl.at(row, columns.column_named(head).number) for row in opening]

    def all_rows(head: str) -> list[str]:
        return cells(columns.column_named(head).number, columns.column_named(head).number)

    endings = [page.speech.says(ending) for ending in ENDINGS]
    one_of = page.speech.says("one of: {words}", words=", ".join(endings))
    page.allow_list(once("Ended"), xl.quote_text(",".join(endings)), to_say("Ended"), one_of)
    page.allow_list(
        [*once("Final"), *all_rows("Left out")],
        page.word(YES),
        *YES_OR_NOTHING,
    )
    words = to_say("yes at the board that counts, both where both do, or nothing")
    yes_or_both = xl.quote_text(",".join(map(page.speech.says, (YES, BOTH))))
    page.allow_list(all_rows("Counts"), yes_or_both, to_say("Counts"), words)
    page.allow_whole([*once("In play"), *once("Unowned")], 0, 34, to_say("Centres"))
    page.allow_whole(all_rows("Arrived"), 1, 99, to_say("Season of arrival"))
    page.allow_whole(all_rows("Chose"), 1, 7, to_say("Order of choosing"))
    page.count_no_words(ENDINGS, columns.column_named("Ended"))
    page.count_no_words([YES], columns.column_named("Final"), columns.column_named("Left out"))
    page.count_no_words([YES, BOTH], columns.column_named("Counts"))
    first, last = columns.year(columns.years[0]).there, columns.year(columns.years[-1]).there
    years = f"{first.partition(':')[0]}:{last.rpartition(':')[2]}"
    of_boards = (columns.column_named(head).there for head in ("In play", "Unowned"))
    page.count_no_wholes(STANDARD_CENTRES, columns.column(CENTRES).there, years, *of_boards)
    page.count_no_numbers(*map(columns.column_named, ("Arrived", "Chose", "Ruling")))


def _colour_faults(page: xl.Page, event: ScoredEvent, columns: ResultColumns) -> None:
    """Show at once what cannot be right: a board whose centres do not add up, a name that nobody has."""
    total, unowned = columns.column_named("In play").number, columns.column_named("Unowned").number
    for seat in event.seats:
        if seat.opens_board:
            block = f"${xl.letter(CENTRES)}${seat.row}:${xl.letter(CENTRES)}${seat.last}"
            cells = f"{xl.at(seat.row, CENTRES)}:{xl.at(seat.last, CENTRES)}"
            whole = f"SUM({block})+${xl.letter(unowned)}${seat.row}<>${xl.letter(total)}${seat.row}"
            page.mark(cells, f"AND(COUNT({block})={seat.powers},{whole})", fill=xl.RED)
            page.mark(cells, f"AND(COUNT({block})>0,COUNT({block})<{seat.powers})", fill=xl.AMBER)


def _page_breaks(event: ScoredEvent) -> list[int]:
    """A new page begins with a new round."""
    return [
        seat.row - 1
        for before, seat in zip(event.seats, event.seats[1:], strict=False)
        if before.board.round != seat.board.round
    ]


# The Bonuses and Penalties sheets: one row for each thing a director notes, a few empty rows for the next ones.

BONUSES, PENALTIES = "Bonuses", "Penalties"
BOOK_HEAD_ROW = 4
SPARE_ROWS = 12  # for what happens after the workbook is written
NUMBER = ">-1E+99"  # a criterion that every number meets and an empty cell does not
FREE = xl.AMOUNT.but(form="0.00####;-0.00####;")  # empty if it is nothing
NUMBER_OF = xl.WHOLE.but(form=xl.HIDES_ZERO)


class PenaltyColumns(Struct, frozen=True):
    """Where penalties stand."""

    player: xl.BookColumn  # number
    kind: xl.BookColumn
    charge: xl.BookColumn  # points taken, positive
    round: xl.BookColumn
    rules: tuple[PenaltyRule, ...]

    def loses_bonus(self, number: str, kind: str) -> str:
        """Count a player's penalties that take a bonus of a kind away; empty where none can."""
        taking = [rule for rule in self.rules if rule.loses is Loses.BONUSES and kind not in rule.keeps]
        return "+".join(self.count(number, rule) for rule in taking)

    def loses_all(self, number: str) -> str:
        """Count a player's penalties that take all positive points away; empty where none can."""
        return "+".join(self.count(number, rule) for rule in self.rules if rule.loses is Loses.EVERYTHING)

    def loses_kept(self, number: str, kind_cell: str) -> str:
        """The same as `loses_bonus`, for a kind that stands in a cell."""
        terms = []
        for rule in self.rules:
            if rule.loses is Loses.BONUSES:
                kept = ",".join(f'{kind_cell}="{kind}"' for kind in rule.keeps)
                unless = f"*(1-OR({kept}))" if kept else ""
                terms.append(f"{self.count(number, rule)}{unless}")
        return "+".join(terms)

    def count(self, number: str, rule: PenaltyRule) -> str:
        """Count a player's penalties of one kind."""
        return f'COUNTIFS({self.player.there},{number},{self.kind.there},"{rule.kind}")'


class BonusColumns(Struct, frozen=True):
    """Where bonuses stand."""

    player: xl.BookColumn  # number
    kind: xl.BookColumn
    points: xl.BookColumn  # as stated, empty where the rules compute it
    counts: xl.BookColumn  # what is added
    round: xl.BookColumn
    worth: xl.BookColumn  # before penalties take it away

    def count_stated(self, number: str, kind: str) -> str:
        """Count a player's bonuses of a kind that are stated in points."""
        of_player = f"{self.player.there},{number},{self.kind.there}"
        return f'COUNTIFS({of_player},"{kind}",{self.points.there},"{NUMBER}")'

    def count_noted(self, number: str, kind: str) -> str:
        """Count a player's bonuses of a kind, stated in points or not."""
        return f'COUNTIFS({self.player.there},{number},{self.kind.there},"{kind}")'


def penalties_sheet(
    page: xl.Page, results: EventResults, rules: ScoringRules, players: PlayerColumns, numbers: Mapping[str, int]
) -> PenaltyColumns:
    """Make the sheet: the log of deductions, and beside it what the rules charge."""
    entries: list[Penalty | None] = [*results.penalties, *[None] * SPARE_ROWS]
    page.put(1, 1, to_say("Penalties"), xl.TITLE)
    page.put(
        2, 1, wording("Points empty: what the rules charge for the kind. Add new ones in the yellow rows."), xl.SUBTITLE
    )
    grid = xl.Grid(page, BOOK_HEAD_ROW, len(entries))
    name = grid.add(to_say("Player"), [one.player if one else None for one in entries], xl.ENTRY, 26)
    kind = grid.add(to_say("Kind"), [one.kind if one else None for one in entries], xl.ENTRY, 22)
    stated = grid.add(
        to_say("Points"), [one.points if one else None for one in entries], xl.ENTRY_NUMBER.but(form="General"), 8
    )
    times = grid.add(to_say("Times"), [one.times if one else None for one in entries], xl.ENTRY_NUMBER, 7)
    round_ = grid.add(to_say("Round"), [one.round if one else None for one in entries], xl.ENTRY_NUMBER, 7)
    grid.add(to_say("Reason"), [one.reason if one else None for one in entries], xl.ENTRY, 40)
    number = grid.add(
        to_say("Player no"),
        [_number_formula(name, row, players, one, numbers) for row, one in zip(grid.rows, entries, strict=True)],
        NUMBER_OF,
        8,
    )
    kinds = _rule_table(page, rules, grid.column + 2)
    charged = []
    for row, one in zip(grid.rows, entries, strict=True):
        known = f"MATCH({kind.cell(row)},{kinds[0].here},0)"
        by_rule = f"IF(ISNUMBER({known}),INDEX({kinds[1].here},{known}),0)" if rules.penalties else "0"
        each = f"IF(ISNUMBER({stated.cell(row)}),{stated.cell(row)},{by_rule})"
        often = f'IF({times.cell(row)}="",1,{times.cell(row)})'
        value = -charge(one, rules.penalties).points if one else Fraction()
        charged.append(xl.LiveFormula(f"IF({number.cell(row)}=0,0,{each}*{often})", value))
    charge_column = grid.add(to_say("Taken"), charged, FREE, 9)
    _limit_column(page, name)
    page.allow_list([range_of(kind)], kinds[0].here, to_say("Kind"), to_say("one of the rules' kinds"))
    page.validations[-1].showErrorMessage = False  # the director may write a word of their own
    page.count_no_numbers(stated, times, round_, kinds[1])
    unpriced = f"(1-ISNUMBER({stated.there}))*{_is_not_in(kind.there, kinds[0].there)}"
    prices = {rule.kind for rule in rules.penalties}
    unpriced_now = sum(one.points is None and one.kind not in prices for one in results.penalties)
    add_nobodys(page, number, (name, kind, stated, times, round_))
    page.count_unread(f"SUMPRODUCT(({number.there}>0)*{unpriced})", unpriced_now)
    page.freeze, page.repeat, page.landscape = f"A{BOOK_HEAD_ROW + 1}", f"{BOOK_HEAD_ROW}:{BOOK_HEAD_ROW}", True
    page.area = f"A1:{xl.at(grid.last, kinds[0].number + 2)}"
    return PenaltyColumns(number, kind, charge_column, round_, rules.penalties)


def _rule_table(page: xl.Page, rules: ScoringRules, column: int) -> tuple[xl.BookColumn, xl.BookColumn]:
    """What the rules charge, kind by kind."""
    page.row(BOOK_HEAD_ROW, column, (to_say("Kind in the rules"), to_say("Points"), to_say("And loses")), xl.HEAD)
    for row, rule in enumerate(rules.penalties, start=BOOK_HEAD_ROW + 1):
        loses = page.speech.says(rule.loses)
        if rule.keeps:
            loses = page.speech.says("{what}, but not {kinds}", what=loses, kinds=", ".join(rule.keeps))
        page.put(row, column, rule.kind, xl.TEXT)
        page.put(row, column + 1, rule.cost, xl.ENTRY_NUMBER.but(form="General"))
        page.put(row, column + 2, loses, xl.TEXT)
    page.widths |= {column - 1: 3, column: 24, column + 1: 8, column + 2: 30}
    last = BOOK_HEAD_ROW + max(len(rules.penalties), 1)
    kinds, points = (xl.BookColumn(page.title, column + n, BOOK_HEAD_ROW + 1, last) for n in (0, 1))
    return kinds, points


def bonuses_sheet(
    page: xl.Page,
    results: EventResults,
    rules: ScoringRules,
    players: PlayerColumns,
    numbers: Mapping[str, int],
    lost: PenaltyColumns,
    rounds: Sequence[tuple[int, str, Sequence[Fraction]]],
) -> BonusColumns:
    """Make the sheet. ``rounds`` are the scores of each round: number, cells, and values."""
    entries: list[Bonus | None] = [*results.bonuses, *[None] * SPARE_ROWS]
    page.put(1, 1, to_say("Bonuses"), xl.TITLE)
    page.put(
        2,
        1,
        wording("Points empty: what the rules give for the kind. Participation and the like are computed in Workings."),
        xl.SUBTITLE,
    )
    grid = xl.Grid(page, BOOK_HEAD_ROW, len(entries))
    name = grid.add(to_say("Player"), [one.player if one else None for one in entries], xl.ENTRY, 26)
    kind = grid.add(to_say("Kind"), [one.kind if one else None for one in entries], xl.ENTRY, 20)
    stated = grid.add(
        to_say("Points"), [one.points if one else None for one in entries], xl.ENTRY_NUMBER.but(form="General"), 8
    )
    round_ = grid.add(to_say("Round"), [one.round if one else None for one in entries], xl.ENTRY_NUMBER, 7)
    grid.add(to_say("Reason"), [one.reason if one else None for one in entries], xl.ENTRY, 40)
    number = grid.add(
        to_say("Player no"),
        [_number_formula(name, row, players, one, numbers) for row, one in zip(grid.rows, entries, strict=True)],
        NUMBER_OF,
        8,
    )
    worths = _withdrawal_table(page, rules, grid.column + 3, rounds)
    worth = Worth(results, rules, number, kind, stated, round_, worths, {n: scores for n, _, scores in rounds})
    contents = [worth.of(row, one) for row, one in zip(grid.rows, entries, strict=True)]
    given = grid.add(to_say("Worth"), contents, FREE, 9)
    counted: list[xl.Content] = []
    for row, one, content in zip(grid.rows, entries, contents, strict=True):
        losing = lost.loses_kept(number.cell(row), kind.cell(row))
        value = content.value if one and not is_lost(one, results, rules) else 0
        counted.append(xl.LiveFormula(f"IF({losing}>0,0,{given.cell(row)})" if losing else given.cell(row), value))
    counts = grid.add(to_say("Counts"), counted, FREE, 9)
    _limit_column(page, name)
    page.count_no_numbers(stated, round_)
    add_nobodys(page, number, (name, kind, stated, round_))
    kinds, rule = kinds_by_rule(rules.bonuses), rules.bonuses.withdrawal
    worthless = "*".join(f'({kind.there}<>"{each}")' for each in kinds) or "1"
    of_round = {number for number, _, _ in rounds} if rule and rule.points is None else None
    if worths and of_round is not None:  # a withdrawal is worth a part of its round
        worthless += f'+({kind.there}="{WITHDRAWAL}")*{_is_not_in(round_.there, worths[0].there)}'
    worthless_now = sum(
        one.kind not in kinds or (one.kind == WITHDRAWAL and of_round is not None and one.round not in of_round)
        for one in results.bonuses
        if one.points is None
    )
    page.count_unread(f"SUMPRODUCT(({number.there}>0)*(1-ISNUMBER({stated.there}))*({worthless}))", worthless_now)
    page.freeze, page.repeat, page.landscape = f"A{BOOK_HEAD_ROW + 1}", f"{BOOK_HEAD_ROW}:{BOOK_HEAD_ROW}", True
    page.area = f"A1:{xl.at(grid.last, worths[1].number if worths else counts.number)}"
    return BonusColumns(number, kind, stated, counts, round_, given)


class Worth(Struct, frozen=True):
    """What a bonus is worth before penalties take it away."""

    results: EventResults
    rules: ScoringRules
    number: xl.BookColumn
    kind: xl.BookColumn
    stated: xl.BookColumn
    round: xl.BookColumn
    worths: tuple[xl.BookColumn, xl.BookColumn] | None  # rounds, and what a withdrawal from each is worth
    scores: Mapping[int, Sequence[Fraction]]

    def of(self, row: int, one: Bonus | None) -> xl.LiveFormula:
        number, kind, stated = self.number.cell(row), self.kind.cell(row), self.stated.cell(row)
        computed = "0"
        if self.worths:
            own = f'COUNTIFS({self.number.here},{number},{self.kind.here},"{WITHDRAWAL}",{self.stated.here},"{NUMBER}")'
            index = f"MATCH({self.round.cell(row)},{self.worths[0].here},0)"
            known = f"IF(ISNUMBER({index}),INDEX({self.worths[1].here},{index}),0)"
            rule = self.rules.bonuses.withdrawal
            known = known if rule is None or rule.points is None else xl.literal(rule.points)
            computed = f'IF(AND({kind}="{WITHDRAWAL}",{own}=0),{known},0)'
        return xl.LiveFormula(f"IF({number}=0,0,IF(ISNUMBER({stated}),{stated},{computed}))", self.value(one))

    def value(self, one: Bonus | None) -> Fraction:
        """What a bonus is worth by the engine."""
        if one is None or one.points is not None:
            return one.points if one and one.points is not None else Fraction()
        rule = self.rules.bonuses.withdrawal
        others = [b for b in self.results.bonuses if b.player == one.player and b.kind == one.kind]
        if one.kind != WITHDRAWAL or not rule or any(other.points is not None for other in others):
            return Fraction()
        if rule.points is not None:
            return rule.points
        return lowest_part(self.scores.get(one.round or 0, ()), rule.part)


def _withdrawal_table(
    page: xl.Page, rules: ScoringRules, column: int, rounds: Sequence[tuple[int, str, Sequence[Fraction]]]
) -> tuple[xl.BookColumn, xl.BookColumn] | None:
    """What a withdrawal from each round is worth: a quantile of the round's scores, such as the lowest third."""
    rule = rules.bonuses.withdrawal
    if not rule:
        return None
    page.row(BOOK_HEAD_ROW, column, (to_say("Round"), to_say("Withdrawal")), xl.HEAD)
    page.widths |= {column - 1: 3, column: 8, column + 1: 12}
    for row, (number, cells, scores) in enumerate(rounds, start=BOOK_HEAD_ROW + 1):
        page.put(row, column, number, xl.WHOLE)
        if rule.points is not None:
            page.put(row, column + 1, rule.points, FREE)
            continue
        place = f"MAX(ROUNDUP(ROUND(COUNT({cells})*{xl.literal(rule.part)},9),0),1)"
        worth = f"IF(COUNT({cells})=0,0,SMALL({cells},{place}))"
        page.put(row, column + 1, xl.LiveFormula(worth, lowest_part(scores, rule.part)), FREE)
    last = BOOK_HEAD_ROW + len(rounds)
    return xl.BookColumn(page.title, column, BOOK_HEAD_ROW + 1, last), xl.BookColumn(
        page.title, column + 1, BOOK_HEAD_ROW + 1, last
    )


def is_lost(bonus: Bonus, results: EventResults, rules: ScoringRules) -> bool:
    """Whether a penalty of the player takes this bonus away."""
    kinds = {penalty.kind for penalty in results.penalties if penalty.player == bonus.player}
    taking = [rule for rule in rules.penalties if rule.kind in kinds and rule.loses is Loses.BONUSES]
    return any(bonus.kind not in rule.keeps for rule in taking)


def _number_formula(
    name: xl.BookColumn, row: int, players: PlayerColumns, one: Bonus | Penalty | None, numbers: Mapping[str, int]
) -> xl.LiveFormula:
    """The number of the player named in a row, 0 for none."""
    player = xl.exact_match(players.name, players.number, name.cell(row))
    return xl.LiveFormula(f'IF({name.cell(row)}="",0,{player})', numbers.get(one.player, 0) if one else 0)


def _limit_column(page: xl.Page, name: xl.BookColumn) -> None:
    """Let the director choose a name."""
    page.allow_list([range_of(name)], PLAYER_NAMES, to_say("Player"), NAME_OR_NOTHING)


def _is_not_in(cells: str, listed: str) -> str:
    """Say of each cell with 1 that its value is not listed."""
    return f"(1-ISNUMBER(MATCH({cells},{listed},0)))"


def add_nobodys(page: xl.Page, number: xl.BookColumn, inputs: Sequence[xl.BookColumn]) -> None:
    """Add to what is not read the rows of no player in which something is typed."""
    typed = "+".join(f'({column.there}<>"")' for column in inputs)
    page.count_unread(f"SUMPRODUCT((({typed})>0)*({number.there}=0))")
