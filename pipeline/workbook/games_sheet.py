"""The Games sheet: how each seat's score is made, one row a seat, the same rows as in Results."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import asdict, replace

from pipeline.board import Power
from pipeline.scoring import system
from pipeline.scoring.parts import Part
from pipeline.scoring.results import Counts, Ending, Spot, sum_points
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.seat_cells import SeatCells
from pipeline.scoring.tribute import Tribute
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.game_formula import SystemFormula, rounding_formula
from pipeline.workbook.input_sheets import BOARD, CENTRES, HEAD_ROW, PLAYER, POWER, ROUND, PlayerColumns, ResultColumns
from pipeline.workbook.seats import Config, ScoredEvent, SeatRow

SHEET = "Games"
WORTH_NOTHING = (Ending.ABANDONED, Ending.CONCEDED)
SLOT_PER_PLAYER, SLOT_PER_ROUND = 1000, 10  # a game's key: player 7, round 2, second board is 7022


class _CountColumns(Struct, frozen=True):
    """Where a game's seat and its counts stand."""

    player: xl.BookColumn  # number; 0: nobody scores with it
    round: xl.BookColumn
    power: xl.BookColumn
    centres: xl.BookColumn
    done: xl.BookColumn  # 1 when the whole board has its counts
    above: xl.BookColumn  # how many powers of the board have more centres
    equal: xl.BookColumn  # how many have as many, itself among them


class GameColumns(_CountColumns, frozen=True):
    """Where a game's workings stand."""

    outcome: xl.BookColumn  # 4 win, 3 draw, 2 elimination, 1 loss, 0 abandoned
    score: xl.BookColumn  # empty while the board is not done
    slot: xl.BookColumn  # key of the player's game, 0 while there is none


class GameList(Struct):
    """One row a game, to which other sheets add columns."""

    grid: xl.Grid
    event: ScoredEvent


class GamesSheet(GameList):
    results: ResultColumns
    formulas: Sequence[SystemFormula]  # that of the event, and of boards with a scoring of their own
    rules: ScoringRules
    config: Config

    def fill(self, players: PlayerColumns, decimals: int) -> GameColumns:
        """Fill the columns up to the score and the player's key."""
        grid, seats = self.grid, self.event.seats
        counted = self.add_counts(players)
        centres, done = counted.centres, counted.done
        cells = [self.cells(seat, centres, counted.above, counted.equal) for seat in seats]
        raw = self.add_points(cells, done)
        solo = grid.add(to_say("Solo"), [self.is_solo(seat, done, centres) for seat in seats], xl.WHOLE, 6)
        void = grid.add(to_say("Void"), [self.is_void(seat, solo) for seat in seats], xl.WHOLE, 6)
        outcome = grid.add(
            to_say("Outcome"), [_outcome_of(seat, done, solo, void, centres) for seat in seats], xl.WHOLE, 9
        )
        unrounded = [
            self.unrounded_score(seat, at, raw, solo, void, done) for seat, at in zip(seats, cells, strict=True)
        ]
        before = grid.add(to_say("Before rounding"), unrounded, xl.points(6), 12)
        on_board = [self.score(seat, before, done) for seat in seats]
        head = to_say("On board") if self.rules.system.compared or self.rules.totals.coefficients else to_say("Score")
        score = grid.add(head, on_board, xl.points(decimals), 10)
        if self.rules.system.compared:
            score = self.compare_score(self.rules.system.compared, score, counted, void)
        if self.rules.totals.coefficients:
            score = self.multiply_score(score, counted)
        keys = [self.slot(seat, counted) for seat in seats]
        slot = grid.add(to_say("Key"), keys, xl.WHOLE, 9)
        self.count_unknown_leavers(players)
        return GameColumns(**asdict(counted), outcome=outcome, score=score, slot=slot)

    def add_counts(self, players: PlayerColumns) -> _CountColumns:
        """Add who played which power at which board, and how the power's centres compare with the others'."""
        grid, seats = self.grid, self.event.seats
        player = grid.add(to_say("Player no"), [self.number(seat, players) for seat in seats], xl.WHOLE, 8)
        round_ = grid.add(
            to_say("Round"), [self.copy_value(seat, ROUND, seat.board.round) for seat in seats], xl.WHOLE, 7
        )
        grid.add(to_say("Board"), [self.copy_value(seat, BOARD, seat.board.name) for seat in seats], xl.CENTRED, 8)
        names = [self.copy_value(seat, POWER, grid.page.speech.power(seat.power)) for seat in seats]
        power = grid.add(to_say("Power"), names, xl.CENTRED, 10)
        counts = [self.copy_value(seat, CENTRES, seat.game.centres if seat.game else "") for seat in seats]
        centres = grid.add(to_say("Centres"), counts, xl.WHOLE, 8)
        done = grid.add(to_say("Done"), [_is_done(seat, centres) for seat in seats], xl.WHOLE, 6)
        higher = [_count_powers_formula(seat, done, centres, ">", "above") for seat in seats]
        above = grid.add(to_say("Above"), higher, xl.WHOLE, 7)
        as_high = [_count_powers_formula(seat, done, centres, "", "equal") for seat in seats]
        equal = grid.add(to_say("Equal"), as_high, xl.WHOLE, 7)
        return _CountColumns(player, round_, power, centres, done, above, equal)

    def add_points(self, cells: list[SeatCells], done: xl.BookColumn) -> xl.BookColumn:
        """Add what each building block of the scoring gives, their sum, and what is left of it after a tribute."""
        grid, seats = self.grid, self.event.seats
        given = [
            system.part_points(scoring, _counts_of(seat, scoring), seat.power) if seat.game else {}
            for seat in seats
            for scoring in [self.formula_of(seat).system]
        ]
        points_at = list(zip(cells, given, strict=True))
        parts = {
            formula.mark: [self.add_part(part, formula, points_at, done) for part in formula.system.parts]
            for formula in self.formulas
        }
        sums = [sum_points(points_given.values()) for points_given in given]
        formulas = [xl.sum_terms([part.cell(seat.row) for part in parts[self.formula_of(seat).mark]]) for seat in seats]
        raw = grid.add(to_say("Sum"), [*map(xl.LiveFormula, formulas, sums)], xl.AMOUNT, 9)
        return self.after_tribute(raw, cells, sums, done)

    def formula_of(self, seat: SeatRow) -> SystemFormula:
        scoring = self.rules.system_of(seat.board)
        return next(formula for formula in self.formulas if formula.system is scoring)

    def add_part(
        self,
        part: Part,
        formula: SystemFormula,
        points_at: Sequence[tuple[SeatCells, Mapping[str, Fraction]]],
        done: xl.BookColumn,
    ) -> xl.BookColumn:
        """Add what a building block gives on the boards of its system; ``points_at``: every seat's cells and points."""
        column: list[xl.Content] = [
            xl.LiveFormula(f"IF({done.cell(seat.row)}=1,{part.give_formula(at)},0)", given.get(part.name, 0))
            if self.formula_of(seat) is formula
            else 0
            for seat, (at, given) in zip(self.event.seats, points_at, strict=True)
        ]
        return self.grid.add(part.name_in(self.grid.page.speech).capitalize(), column, xl.AMOUNT, 10)

    def number(self, seat: SeatRow, players: PlayerColumns) -> xl.LiveFormula:
        """The player's number, found by the exact name."""
        return self.number_of(self.results.column(PLAYER).far(seat.row), seat.seat.player, players)

    def number_of(self, cell: str, name: str | None, players: PlayerColumns) -> xl.LiveFormula:
        formula = f'IF({cell}="",0,{xl.exact_match(players.name, players.number, cell)})'
        return xl.LiveFormula(formula, self.event.numbers.get(name or "", 0))

    def count_unknown_leavers(self, players: PlayerColumns) -> None:
        """Let the Checks sheet count who stands under Instead of and is, letter by letter, no player."""
        before = self.results.column_named("Instead of")
        numbers = [self.number_of(before.far(seat.row), seat.seat.instead_of, players) for seat in self.event.seats]
        number = self.grid.add(to_say("Before no"), numbers, xl.WHOLE, 8)
        self.grid.page.count_unread(f'SUMPRODUCT(({before.there}<>"")*({number.there}=0))')

    def copy_value(self, seat: SeatRow, column: int, value: xl.Content) -> xl.LiveFormula:
        """Repeat what Results says."""
        there = self.results.column(column).far(seat.row)
        return xl.LiveFormula(
            f'IF({there}="","",{there})', value if not isinstance(value, xl.LiveFormula) else value.value
        )

    def cells(self, seat: SeatRow, centres: xl.BookColumn, above: xl.BookColumn, equal: xl.BookColumn) -> SeatCells:
        """The cells this seat's score is computed from."""
        years = tuple(
            (
                year,
                self.results.year(year).far(seat.row),
                "Results!" + self.results.year(year).rows(seat.first, seat.last),
            )
            for year in self.results.years
        )
        out = self.results.column_named("Left out")
        return SeatCells(
            centres=centres.cell(seat.row),
            board=centres.rows(seat.first, seat.last),
            total=self.results.column_named("In play").far(seat.first),
            above=above.cell(seat.row),
            equal=equal.cell(seat.row),
            years=years,
            powers=seat.powers,
            needed=self.formula_of(seat).centres_needed(self.results.column_named("In play").far(seat.first)),
            left_out=(out.far(seat.row), "Results!" + out.rows(seat.first, seat.last)),
        )

    def after_tribute(
        self, raw: xl.BookColumn, cells: list[SeatCells], sums: list[Fraction], done: xl.BookColumn
    ) -> xl.BookColumn:
        """What everybody pays to the top, and the points after that; the sum itself where there is no tribute."""
        seats = self.event.seats
        if not any(formula.tribute for formula in self.formulas):
            return raw
        own = {(seat.board.spot, seat.power): value for seat, value in zip(seats, sums, strict=True)}
        due: list[xl.Content] = []
        after: list[Fraction] = []
        for seat, at, value in zip(seats, cells, sums, strict=True):
            formula = self.formula_of(seat).tribute
            if formula is None:
                due.append(0)
                after.append(value)
                continue
            paid, left = _tribute_of(seat, formula.tribute, own, self.formula_of(seat).system)
            due.append(xl.LiveFormula(f"IF({done.cell(seat.row)}=1,{formula.paid(raw.cell(seat.row), at)},0)", paid))
            after.append(left)
        paid_column = self.grid.add(to_say("Tribute"), due, xl.AMOUNT, 9)
        contents: list[xl.Content] = []
        for seat, at, points_left in zip(seats, cells, after, strict=True):
            row, block = seat.row, paid_column.rows(seat.first, seat.last)
            formula = self.formula_of(seat).tribute
            settled = raw.cell(row)
            if formula is not None:
                settled = formula.after_tribute(raw.cell(row), paid_column.cell(row), block, at)
            contents.append(xl.LiveFormula(f"IF({done.cell(row)}=1,{settled},0)", points_left))
        return self.grid.add(to_say("After tribute"), contents, xl.AMOUNT, 11)

    def is_solo(self, seat: SeatRow, done: xl.BookColumn, centres: xl.BookColumn) -> xl.LiveFormula:
        """Whether somebody won the game outright."""
        block = centres.rows(seat.first, seat.last)
        needed = self.formula_of(seat).centres_needed(self.results.column_named("In play").far(seat.first))
        won = self.formula_of(seat).system.solo.soloist(seat.board) is not None if seat.game else False
        alone = f"COUNTIF({block},MAX({block}))=1"
        return xl.LiveFormula(f"IF(AND({done.cell(seat.row)}=1,MAX({block})>={needed},{alone}),1,0)", int(won))

    def is_void(self, seat: SeatRow, solo: xl.BookColumn) -> xl.Content:
        """Whether the game ended in a way that is worth nothing."""
        if not self.formula_of(seat).voids:
            return 0
        ended = self.results.column_named("Ended").far(seat.first)
        ends = [self.grid.page.word(ending) for ending in WORTH_NOTHING]
        formula = f"IF(AND({solo.cell(seat.row)}=0,OR({ended}={ends[0]},{ended}={ends[1]})),1,0)"
        is_void = seat.game is not None and seat.game.outcome is system.Outcome.ABANDONED
        waits = seat.game is None and seat.board.ended in WORTH_NOTHING
        return xl.LiveFormula(formula, int(is_void or waits))

    def unrounded_score(
        self,
        seat: SeatRow,
        cells: SeatCells,
        raw: xl.BookColumn,
        solo: xl.BookColumn,
        void: xl.BookColumn,
        done: xl.BookColumn,
    ) -> xl.LiveFormula:
        """The score by the solo rule or by the parts, before rounding."""
        own = raw.cell(seat.row)
        scoring = self.formula_of(seat)
        won = scoring.solo_points(own, cells)
        after_solo = f"IF({cells.centres}=MAX({cells.board}),{won},{scoring.left_by_solo(own, cells)})"
        drawn = scoring.drawn_points(own, raw.rows(seat.first, seat.last), cells)
        game = f"IF({solo.cell(seat.row)}=1,{after_solo},IF({void.cell(seat.row)}=1,0,{drawn}))"
        return xl.LiveFormula(f"IF({done.cell(seat.row)}=1,{game},0)", seat.game.unrounded if seat.game else 0)

    def score(self, seat: SeatRow, before: xl.BookColumn, done: xl.BookColumn) -> xl.LiveFormula:
        """What counts in the end; nothing to see while the board is not done."""
        formula = self.formula_of(seat).counted_score(
            before.cell(seat.row),
            ruling=self.results.column_named("Ruling").far(seat.row),
            instead_of=self.results.column_named("Instead of").far(seat.row),
            arrived=self.results.column_named("Arrived").far(seat.row),
        )
        return xl.LiveFormula(f'IF({done.cell(seat.row)}=1,{formula},"")', seat.game.on_board if seat.game else "")

    def compare_score(
        self, how: system.Comparison, score: xl.BookColumn, counted: _CountColumns, void: xl.BookColumn
    ) -> xl.BookColumn:
        """Each score beside those of the same power on other boards."""
        power, round_, done = counted.power, counted.round, counted.done
        scoring, seats, look = self.rules.system, self.event.seats, xl.points(self.rules.decimals)
        taking = [self.takes_part(seat, score, void, done) for seat in seats]
        own = self.grid.add(to_say("Compared"), taking, look, 10)
        if how.by is system.ComparedBy.QUOTIENT:
            self.config.number("Compared_mean", how.mean, to_say("Beside the same power: the mean is worth"), COMPARED)
        if how.by is system.ComparedBy.PLACES:
            self.config.running(
                "Compared_places", how.bonuses, to_say("Beside the same power: points of places"), COMPARED
            )
        games = {(g.board.spot, g.power): g.score for g in self.beside_others}
        contents: list[xl.Content] = []
        for seat in seats:
            mine = own.cell(seat.row)
            among = f"({power.here}={power.cell(seat.row)})"
            only = f"{power.here},{power.cell(seat.row)}"
            if how.within is system.ComparedIn.ROUND:
                among += f"*({round_.here}={round_.cell(seat.row)})"
                only += f",{round_.here},{round_.cell(seat.row)}"
            worth = _worth_beside(how, mine, own.here, among, f"AVERAGEIFS({own.here},{only})")
            formula = f"IF(ISNUMBER({mine}),{rounding_formula(worth, scoring.rounding)},{score.cell(seat.row)})"
            value = games[seat.board.spot, seat.power] if seat.game else ""
            contents.append(xl.LiveFormula(f'IF({done.cell(seat.row)}=1,{formula},"")', value))
        head = to_say("Beside others") if self.rules.totals.coefficients else to_say("Score")
        return self.grid.add(head, contents, look, 10)

    @property
    def beside_others(self) -> Sequence[system.PlayerGame]:
        """The engine's games after they were compared, and before anything is multiplied."""
        on_board = [replace(seat.game, score=seat.game.on_board) for seat in self.event.seats if seat.game]
        return system.compare_games(on_board, self.rules.system)

    def takes_part(
        self, seat: SeatRow, score: xl.BookColumn, void: xl.BookColumn, done: xl.BookColumn
    ) -> xl.LiveFormula:
        """Whether a score is compared with others: not if it was ruled on, of a void game, or of a replaced player."""
        out = [f"{done.cell(seat.row)}=0", f"{void.cell(seat.row)}=1"]
        out.append(f"ISNUMBER({self.results.column_named('Ruling').far(seat.row)})")
        if self.rules.system.replacement is system.Replacement.NOBODY:
            gone, arrived = (self.results.column_named(head).far(seat.row) for head in ("Instead of", "Arrived"))
            out.append(f'AND({gone}<>"",{arrived}<>1)')
        is_in = seat.game is not None and system.is_compared(seat.game, self.rules.system)
        value: xl.Value = seat.game.on_board if seat.game and is_in else ""
        return xl.LiveFormula(f'IF(OR({",".join(out)}),"",{score.cell(seat.row)})', value)

    def multiply_score(self, score: xl.BookColumn, counted: _CountColumns) -> xl.BookColumn:
        """Write the formula of a score times its round weight and table weight (`round_weights`, `size_weights`)."""
        totals = self.rules.totals
        self.config.section(to_say("Coefficients of scores"))
        if totals.round_weights:
            label = to_say("Scores of round 1, 2, ... are multiplied by")
            self.config.numbers("Round_weights", totals.round_weights, label, "totals.round_weights")
        for size, weight in sorted(totals.size_weights.items()):
            label = wording("Scores at a table of {count:player|players}", count=size)
            self.config.number(f"Size_weight_{size}", weight, label, "totals.size_weights")
        contents: list[xl.Content] = []
        for seat in self.event.seats:
            factors = [score.cell(seat.row)]
            if listed := len(totals.round_weights):
                number = counted.round.cell(seat.row)
                factors.append(f"IF({number}<={listed},INDEX(Round_weights,1,MIN({number},{listed})),1)")
            if totals.size_weights:
                sitting, by_size = f'COUNTIF({counted.player.rows(seat.first, seat.last)},">0")', "1"
                for size in sorted(totals.size_weights):
                    by_size = f"IF({sitting}={size},Size_weight_{size},{by_size})"
                factors.append(by_size)
            times = rounding_formula("*".join(factors), self.rules.system.rounding)
            formula = f"IF(ISNUMBER({self.results.column_named('Ruling').far(seat.row)}),{factors[0]},{times})"
            value: xl.Value = seat.game.score if seat.game else ""
            contents.append(xl.LiveFormula(f'IF({counted.done.cell(seat.row)}=1,{formula},"")', value))
        return self.grid.add(to_say("Score"), contents, xl.points(self.rules.decimals), 10)

    def slot(self, seat: SeatRow, counted: _CountColumns) -> xl.LiveFormula:
        """The key of the player's game: number, round, and which of the boards in that round."""
        player, round_, done = counted.player, counted.round, counted.done
        number, own_round = player.cell(seat.row), round_.cell(seat.row)
        upto = (player.rows(player.first, seat.row), round_.rows(round_.first, seat.row))
        earlier = f"SUMPRODUCT(({upto[0]}={number})*({upto[1]}={own_round})*({done.rows(done.first, seat.row)}=1))"
        formula = (
            f"IF(AND({number}>0,{done.cell(seat.row)}=1),"
            f"{number}*{SLOT_PER_PLAYER}+{own_round}*{SLOT_PER_ROUND}+{earlier},0)"
        )
        return xl.LiveFormula(formula, self.slot_value(seat))

    def slot_value(self, seat: SeatRow) -> int:
        """The same key, from the event."""
        name = seat.seat.player
        if not name or seat.game is None:
            return 0
        same = [s for s in self.event.of(name) if s.game and s.board.round == seat.board.round and s.row <= seat.row]
        return self.event.numbers[name] * SLOT_PER_PLAYER + seat.board.round * SLOT_PER_ROUND + len(same)


COMPARED = "scoring.compared"  # the setting


def _worth_beside(how: system.Comparison, own: str, scores: str, among: str, mean: str) -> str:
    """What a score is worth beside those of its power."""
    match how.by:
        case system.ComparedBy.DIFFERENCE:
            return f"{own}-{mean}"
        case system.ComparedBy.QUOTIENT:
            return f"IF({mean}=0,0,Compared_mean*{own}/{mean})"
        case system.ComparedBy.PLACES:
            last = len(how.bonuses)
            above, equal = (f"SUMPRODUCT({among}*ISNUMBER({scores})*({scores}{sign}{own}))" for sign in (">", "="))
            upto = f"INDEX(Compared_places_sums,1,MIN({above}+{equal},{last})+1)"
            return f"({upto}-INDEX(Compared_places_sums,1,MIN({above},{last})+1))/{equal}"


def games_sheet(
    page: xl.Page, event: ScoredEvent, results: ResultColumns, rules: ScoringRules, config: Config
) -> GamesSheet:
    page.put(1, 1, to_say("Games"), xl.TITLE)
    page.put(
        2,
        1,
        wording("How each score is made. Nothing to type here: the rows follow the Results sheet."),
        xl.NOTE.but(wrap=False),
    )
    page.is_wide = True
    page.beside = "A:D"
    page.freeze, page.repeat, page.landscape = (
        f"E{HEAD_ROW + 1}",
        f"{HEAD_ROW}:{HEAD_ROW}",
        True,
    )
    formulas = SystemFormula.enter_all(rules, config)
    return GamesSheet(xl.Grid(page, HEAD_ROW, len(event.seats)), event, results, formulas, rules, config)


def _counts_of(seat: SeatRow, scoring: system.System) -> Counts:
    return Counts(seat.board, soloist=scoring.solo.soloist(seat.board))


def _tribute_of(
    seat: SeatRow, tribute: Tribute, own: Mapping[tuple[Spot, Power], Fraction], scoring: system.System
) -> tuple[Fraction, Fraction]:
    """What the engine says a seat pays, and has after that."""
    if seat.game is None:
        return Fraction(), Fraction()
    counts = _counts_of(seat, scoring)
    given = {power: own[seat.board.spot, power] for power in seat.board.powers}
    return tribute.paid(counts, seat.power, given[seat.power]), tribute.after_tribute(counts, given)[seat.power]


def _is_done(seat: SeatRow, centres: xl.BookColumn) -> xl.LiveFormula:
    """Whether every power of the board has its count."""
    block = centres.rows(seat.first, seat.last)
    return xl.LiveFormula(f"IF(COUNT({block})={seat.powers},1,0)", int(seat.game is not None))


def _count_powers_formula(
    seat: SeatRow, done: xl.BookColumn, centres: xl.BookColumn, sign: str, which: str
) -> xl.LiveFormula:
    """Powers of the board with more centres, or with as many."""
    block, own = centres.rows(seat.first, seat.last), centres.cell(seat.row)
    wanted = f'"{sign}"&{own}' if sign else own
    value = getattr(seat.game, which) if seat.game else 0
    return xl.LiveFormula(f"IF({done.cell(seat.row)}=1,COUNTIF({block},{wanted}),0)", value)


def _outcome_of(
    seat: SeatRow, done: xl.BookColumn, solo: xl.BookColumn, void: xl.BookColumn, centres: xl.BookColumn
) -> xl.LiveFormula:
    """What became of the power: 4 win, 3 draw, 2 elimination, 1 loss, 0 abandoned."""
    own, row, most = centres.cell(seat.row), seat.row, f"MAX({centres.rows(seat.first, seat.last)})"
    drawn = f"IF({void.cell(row)}=1,0,IF({own}>0,3,2))"
    formula = f"IF({done.cell(row)}=1,IF({solo.cell(row)}=1,IF({own}={most},4,1),{drawn}),0)"
    return xl.LiveFormula(formula, seat.game.outcome.standing if seat.game else 0)


# What tie-breaks for the best powers look at beside each game: the opponents' totals, the margin in centres.


def add_opponents(
    sheet: GameList, games: GameColumns, total: xl.BookColumn, totals: Mapping[int, Fraction]
) -> xl.BookColumn:
    """Add the opponents' tournament totals, added up. ``totals`` are the engine's, of who sits in each row."""
    own: list[xl.Content] = []
    for seat in sheet.event.seats:
        number = games.player.cell(seat.row)
        own.append(xl.LiveFormula(f"IF({number}=0,0,INDEX({total.there},{number}))", totals[seat.row]))
    column = sheet.grid.add(to_say("Player's total"), own, xl.points(3), 10)
    sums: list[xl.Content] = []
    for seat in sheet.event.seats:
        everybody = sum_points(totals[row] for row in range(seat.first, seat.last + 1))
        formula = f"SUM({column.rows(seat.first, seat.last)})-{column.cell(seat.row)}"
        sums.append(xl.LiveFormula(formula, everybody - totals[seat.row]))
    return sheet.grid.add(to_say("Opponents"), sums, xl.points(3), 11)


def add_margin(sheet: GameList, games: GameColumns) -> xl.BookColumn:
    """Add the own centres less the most of any other power."""
    contents: list[xl.Content] = []
    for seat in sheet.event.seats:
        block, own = games.centres.rows(seat.first, seat.last), games.centres.cell(seat.row)
        other = f"IF(AND({own}=MAX({block}),COUNTIF({block},{own})=1),LARGE({block},2),MAX({block}))"
        value = 0
        if seat.game:
            value = seat.game.centres - max(n for power, n in seat.board.centres.items() if power is not seat.power)
        contents.append(xl.LiveFormula(f"IF({games.done.cell(seat.row)}=1,{own}-{other},0)", value))
    return sheet.grid.add(to_say("Centre margin"), contents, xl.WHOLE, 8)
