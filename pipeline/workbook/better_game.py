"""Comparing games by formulas: the numbers of NZ99 B 4 for every game, and each player's best, second-best, ... one."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from pipeline.scoring import tiebreaks
from pipeline.scoring.system import PlayerGame
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import Accounts, GameSlot, Person, is_kept, weight_of
from pipeline.workbook.games_sheet import SLOT_PER_ROUND, GameColumns, GameList
from pipeline.workbook.input_sheets import HEAD_ROW, ResultColumns
from pipeline.workbook.seats import SeatRow

MARGINS = 7  # against the 1st to the 7th on the board
WIDTHS: dict[Callable[[PlayerGame], tiebreaks.Key], int] = {
    tiebreaks.outcome_key: 1,
    tiebreaks.points_key: 1,
    tiebreaks.position_key: 2,
    tiebreaks.survival_key: 2,
    tiebreaks.margins_key: MARGINS,
}
FEWER = -(10**9)  # below every margin: a board with fewer powers


class GameKeys(Struct, frozen=True):
    """Where the numbers that compare games stand, in the order of NZ99 B 4."""

    columns: tuple[xl.BookColumn, ...]  # outcome, points, position (2), survival (2), margins (7)
    eliminated: xl.BookColumn  # 1 where the power was eliminated and its years are recorded

    def of(self, step: object) -> tuple[xl.BookColumn, ...]:
        start = 0
        for name, width in WIDTHS.items():
            if name is step:
                return self.columns[start : start + width]
            start += width
        raise xl.unwritable(f"no formula for the comparison {step!r}")

    def row(self, index: str) -> str:
        """All numbers of the game in one row of the list."""
        first, last = self.columns[0], self.columns[-1]
        return f"INDEX({first.there},{index}):INDEX({last.there},{index})"


def add_game_keys(sheet: GameList, games: GameColumns, results: ResultColumns) -> GameKeys:
    grid, seats = sheet.grid, sheet.event.seats

    def add(head: str, contents: Sequence[xl.Content]) -> xl.BookColumn:
        return grid.add(head, contents, xl.SMALL, 9)

    finish = add(to_say("Finish"), [_finish_of(seat, games) for seat in seats])
    outcome = add(
        to_say("Outcome key"),
        [xl.LiveFormula(games.outcome.cell(s.row), s.game.outcome.standing if s.game else 0) for s in seats],
    )
    score = [
        xl.LiveFormula(
            f"IF({games.done.cell(s.row)}=1,{xl.key(games.score.cell(s.row))},0)", s.game.score if s.game else 0
        )
        for s in seats
    ]
    scored = grid.add(to_say("Points key"), score, xl.points(6), 12)
    above = add(
        to_say("Above key"),
        [xl.LiveFormula(f"-{games.above.cell(s.row)}-1", -(s.game.above if s.game else 0) - 1) for s in seats],
    )
    equal = add(
        to_say("Equal key"),
        [xl.LiveFormula(f"-{games.equal.cell(s.row)}", -(s.game.equal if s.game else 0)) for s in seats],
    )
    survived = [_survival(seat, results, games) for seat in seats]
    last_year = add(to_say("Last year key"), [pair[0] for pair in survived])
    last_count = add(to_say("Last count key"), [pair[1] for pair in survived])
    margins = []
    by_engine = [tiebreaks.margins_key(seat.game) if seat.game else () for seat in seats]
    for nth in range(1, MARGINS + 1):
        contents = [
            _margin(seat, nth, games, finish, scored, known) for seat, known in zip(seats, by_engine, strict=True)
        ]
        margins.append(grid.add(wording("Margin {number}", number=nth), contents, xl.points(3), 9))
    eliminated = add(to_say("Eliminated"), [_was_eliminated(seat, results, games) for seat in seats])
    return GameKeys((outcome, scored, above, equal, last_year, last_count, *margins), eliminated)


def _finish_of(seat: SeatRow, games: GameColumns) -> xl.LiveFormula:
    """The order on the board: by centres, then by score, then as they are listed."""
    own, row = games.centres.cell(seat.row), seat.row
    centres = games.centres.rows(seat.first, seat.last)
    scores, score = games.score.rows(seat.first, seat.last), games.score.cell(row)
    formula = f'1+COUNTIF({centres},">"&{own})+SUMPRODUCT(({centres}={own})*({scores}>{score}))'
    if row > seat.first:
        before = games.centres.rows(seat.first, row - 1), games.score.rows(seat.first, row - 1)
        formula += f"+SUMPRODUCT(({before[0]}={own})*({before[1]}={score}))"
    return xl.LiveFormula(f"IF({games.done.cell(row)}=1,{formula},0)", _finish_value(seat))


def _finish_value(seat: SeatRow) -> int:
    """The same, by the engine's scores."""
    if seat.game is None:
        return 0
    board, scores = seat.board, seat.game.scores
    order = sorted(board.powers, key=lambda power: (-board.centres[power], -scores[power], board.powers.index(power)))
    return order.index(seat.power) + 1


def _survival(seat: SeatRow, results: ResultColumns, games: GameColumns) -> tuple[xl.LiveFormula, xl.LiveFormula]:
    """The last year with a centre, and how many there were; -1 where the power was not eliminated."""
    first, last = results.years[0], results.years[-1]
    cells = xl.across(seat.row, results.year(first).number, results.year(last).number)
    start, end = (xl.fixed_cell(HEAD_ROW, results.year(year).number) for year in (first, last))
    years = f"Results!{start}:{end}"
    lived = f"SUMPRODUCT(MAX((Results!{cells}>0)*{years}))"
    dead = f"AND({games.done.cell(seat.row)}=1,{games.centres.cell(seat.row)}=0)"
    game = seat.game if seat.game and seat.game.is_eliminated else None
    year, count = tiebreaks.survival_key(game) if game else (Fraction(-1), Fraction(-1))
    centres = f"IF({lived}=0,0,SUMIF({years},{lived},Results!{cells}))"
    return xl.LiveFormula(f"IF({dead},{lived},-1)", year), xl.LiveFormula(f"IF({dead},{centres},-1)", count)


def _margin(
    seat: SeatRow,
    nth: int,
    games: GameColumns,
    finish: xl.BookColumn,
    scored: xl.BookColumn,
    by_engine: Sequence[Fraction],
) -> xl.LiveFormula:
    """The own score less that of who finished nth, 0 for one who was eliminated."""
    if nth > seat.powers:
        return xl.LiveFormula(f"IF({games.done.cell(seat.row)}=1,{FEWER},0)", FEWER if seat.game else 0)
    orders = finish.rows(seat.first, seat.last)
    alive = f"({games.centres.rows(seat.first, seat.last)}>0)"
    theirs = f"SUMPRODUCT(({orders}={nth})*{alive}*{scored.rows(seat.first, seat.last)})"
    value = by_engine[nth - 1] if by_engine else Fraction()
    own = scored.cell(seat.row)
    return xl.LiveFormula(f"IF({games.done.cell(seat.row)}=1,ROUND({own}-{theirs},{xl.KEY_DECIMALS}),0)", value)


def _was_eliminated(seat: SeatRow, results: ResultColumns, games: GameColumns) -> xl.LiveFormula:
    """Whether the power had no centre at the end, on a board whose years are recorded."""
    first, last = results.year(results.years[0]), results.year(results.years[-1])
    block = f"Results!{xl.fixed_cell(seat.first, first.number)}:{xl.fixed_cell(seat.last, last.number)}"
    dead = f"AND({games.done.cell(seat.row)}=1,{games.centres.cell(seat.row)}=0,COUNT({block})>0)"
    value = seat.game is not None and seat.game.is_eliminated and bool(seat.board.years)
    return xl.LiveFormula(f"IF({dead},1,0)", int(value))


class BestGames(Struct, frozen=True):
    """Each player's games from best to worst, by the engine, and where the nth best stands in the list of games."""

    orders: Mapping[int, Sequence[GameSlot]]  # by row
    columns: Sequence[xl.BookColumn]  # for the best, second-best, ... game; 0 for none

    def nth(self, person: Person, nth: int) -> SeatRow | None:
        order = self.orders[person.row]
        return person.slots[order[nth - 1]].seat if len(order) >= nth else None


def add_best_games(accounts: Accounts, keys: GameKeys, count: int) -> BestGames:
    """Add to Workings where each player's best, second-best, ... game stands."""
    orders = {person.row: _best_slots(person) for person in accounts.people}
    for slot in accounts.slots:
        contents: list[xl.Content] = []
        for person in accounts.people:
            contents.append(
                xl.LiveFormula(
                    _preference(accounts, keys, slot, person.row), _preference_value(orders[person.row], slot)
                )
            )
        accounts.add("preference", to_say("Better no"), slot, contents)
    best = []
    for nth in range(1, count + 1):
        contents = []
        for person in accounts.people:
            places, rows = accounts.cells("preference", person.row), accounts.cells("row", person.row)
            formula = f"SUMPRODUCT(({places}={nth})*{rows})"
            contents.append(xl.LiveFormula(formula, _index_of(person, orders[person.row], nth)))
        best.append(accounts.grid.add(wording("Game {number}", number=nth), contents, xl.WHOLE, 7))
    return BestGames(orders, best)


def _preference(accounts: Accounts, keys: GameKeys, slot: GameSlot, row: int) -> str:
    """The rank of a game among its player's games; equal ones in the order of play."""
    index = accounts.slots.index(slot)
    rows, kept = accounts.block("row"), accounts.block("kept")
    own = rows[index].cell(row)
    terms = ["1"]
    for other in range(len(accounts.slots)):
        if other == index:
            continue
        theirs = rows[other].cell(row)
        signs = ",".join(str(2 ** (len(keys.columns) - 1 - n)) for n in range(len(keys.columns)))
        difference = f"SUMPRODUCT(SIGN(ROUND(({keys.row(theirs)})-({keys.row(own)}),{xl.KEY_DECIMALS}))*{{{signs}}})"
        level = f"{difference}>=0" if other < index else f"{difference}>0"
        terms.append(f"IF({kept[other].cell(row)}=1,IF({level},1,0),0)")
    return f"IF({kept[index].cell(row)}=0,0,{xl.sum_terms(terms)})"


def _best_slots(person: Person) -> list[GameSlot]:
    """A player's kept games, best first, by the engine's order."""
    kept = {slot: placed.seat.game for slot, placed in person.slots.items() if is_kept(person, slot)}
    games: list[PlayerGame] = [game for game in kept.values() if game]
    if len(games) < 2:
        return list(kept)
    order = [(game.board.spot, game.power) for game in tiebreaks.better_first(games)]
    places = {slot: order.index((game.board.spot, game.power)) for slot, game in kept.items() if game}
    return sorted(kept, key=places.__getitem__)


def _preference_value(order: Sequence[GameSlot], slot: GameSlot) -> int:
    """Which better of the player's games it is; 0 for none."""
    return order.index(slot) + 1 if slot in order else 0


def _index_of(person: Person, order: Sequence[GameSlot], nth: int) -> int:
    """Where the nth best game stands in the list of games."""
    return person.slots[order[nth - 1]].seat.row - HEAD_ROW if len(order) >= nth else 0


# What a game counts for in its player's account, beside the game; and where tied players met.


class GameAccounts(Struct, frozen=True):
    """Where it stands on the Games sheet."""

    kept: xl.BookColumn  # 1 where the game belongs to the account
    weight: xl.BookColumn
    weights: Mapping[int, Fraction]  # the engine's, by row


def add_game_accounts(sheet: GameList, games: GameColumns, accounts: Accounts) -> GameAccounts:
    """Look both up in the player's row of Workings."""
    rounds = ",".join(str(number) for number in sheet.event.rounds)
    slots = {placed.seat.row: (person, slot) for person in accounts.people for slot, placed in person.slots.items()}
    boards = len(accounts.of_round(sheet.event.rounds[0]))
    kept: list[xl.Content] = []
    weights: list[xl.Content] = []
    values: dict[int, Fraction] = {}
    for seat in sheet.event.seats:
        key, player = games.slot.cell(seat.row), games.player.cell(seat.row)
        nth_round = f"MATCH({games.round.cell(seat.row)},{{{rounds}}},0)"
        column = f"({nth_round}-1)*{boards}+MOD({key},{SLOT_PER_ROUND})"
        mine = slots.get(seat.row)
        kept.append(
            xl.LiveFormula(_looked_up(accounts, "kept", key, player, column), int(is_kept(*mine)) if mine else 0)
        )
        values[seat.row] = weight_of(*mine) if mine else Fraction()
        weights.append(xl.LiveFormula(_looked_up(accounts, "weight", key, player, column), values[seat.row]))
    return GameAccounts(
        sheet.grid.add(to_say("Kept"), kept, xl.WHOLE, 7),
        sheet.grid.add(to_say("Weight"), weights, xl.WHOLE.but(form="General"), 8),
        values,
    )


def _looked_up(accounts: Accounts, block: str, key: str, player: str, column: str) -> str:
    """Something of the player's account in the game's slot, 0 for a game without a player."""
    first, last = accounts.block(block)[0].there, accounts.block(block)[-1].here
    area = f"{first.partition(':')[0]}:{last.rpartition(':')[2]}"
    return xl.unless_zero(key, f"INDEX({area},{player},{column})")


class Meetings(Struct):
    """Games between players who are tied so far."""

    sheet: GameList
    games: GameColumns
    seats: GameAccounts
    score: xl.BookColumn | None = None  # of such a game, 0 of every other

    def begin(self, places: xl.BookColumn, values: Mapping[int, int]) -> None:
        """Look at the places so far. ``values`` are the engine's, by row of Workings."""
        rows = self.sheet.event.seats
        sitting = {seat.row: self.place_of(seat, places, values) for seat in rows}
        numbers = self.games.player
        contents: list[xl.Content] = []
        for seat in rows:
            number = numbers.cell(seat.row)
            contents.append(
                xl.LiveFormula(xl.unless_zero(number, f"INDEX({places.there},{number})"), sitting[seat.row])
            )
        place = self.sheet.grid.add(to_say("Place so far"), contents, xl.SMALL, 8)
        scores: list[xl.Content] = []
        for seat in rows:
            own, number = place.cell(seat.row), numbers.cell(seat.row)
            block = place.rows(seat.first, seat.last), numbers.rows(seat.first, seat.last)
            others = f"SUMPRODUCT(({block[0]}={own})*({block[1]}<>{number}))"
            counts = f"AND({self.seats.weight.cell(seat.row)}<>0,{others}>0)"
            formula = xl.unless_zero(own, f"IF({counts},{self.games.score.cell(seat.row)},0)")
            scores.append(xl.LiveFormula(formula, self.met_score(seat, sitting)))
        self.score = self.sheet.grid.add(to_say("Met score"), scores, xl.points(6), 11)

    def place_of(self, seat: SeatRow, places: xl.BookColumn, values: Mapping[int, int]) -> int:
        """The engine's place so far of who sits there; 0 for nobody who is ranked."""
        number = self.sheet.event.numbers.get(seat.seat.player or "", 0)
        return values.get(places.first + number - 1, 0) if number else 0

    def met_score(self, seat: SeatRow, sitting: Mapping[int, int]) -> Fraction:
        """The score of a game against a player with the same place so far, else 0."""
        own = sitting[seat.row]
        weight = self.seats.weights.get(seat.row, Fraction())
        others = [row for row in range(seat.first, seat.last + 1) if row != seat.row and sitting[row] == own]
        return seat.game.score if seat.game and own and weight and others else Fraction()
