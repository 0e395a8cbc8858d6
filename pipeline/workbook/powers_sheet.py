"""The Best powers sheet: who played each power best, by score and then by the tie-breaks of that award."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from pipeline.board import Power
from pipeline.scoring.awards import power_measure
from pipeline.scoring.ranking import may_rank
from pipeline.scoring.rules import PowerBy
from pipeline.scoring.score import Scored
from pipeline.scoring.system import Outcome
from pipeline.scoring.tally import Counted
from pipeline.scoring.tiebreaks import Contender, FieldOfPlayers
from pipeline.words.speech import Speech, to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import AccountGame, Accounts, GameSlot, Person
from pipeline.workbook.games_sheet import add_margin, add_opponents
from pipeline.workbook.input_sheets import BOARD, HEAD_ROW, YES
from pipeline.workbook.ranking_columns import Ranked, Ranking
from pipeline.workbook.seats import SeatRow
from pipeline.workbook.steps import Contest, Steps
from pipeline.workbook.workings_sheet import WorkingColumns

AWARD_DECIDED = to_say("Award decided by")
SHEET, WORKINGS = "Best powers", "Power workings"
SPARE_ROWS = 14  # games that may become level with the best when a count is corrected
OF_POWER, OF_PLAYER = 10**9, 10**5  # a candidate's key: power, then player's number, then row
ONLY = GameSlot(0, 1)


class PowersSheet(Struct):
    page: xl.Page
    working: xl.Page
    scored: Scored
    steps: Steps  # of the players' ranking
    workings: WorkingColumns

    def fill(self, title: str) -> list[int]:
        """Fill the list of candidates and the Best powers sheet; returns that sheet's rows, one a power."""
        candidates = self.candidates()
        keys = self.add_keys(candidates)
        self.working.is_wide = self.working.landscape = True
        self.working.freeze, self.working.beside = f"F{HEAD_ROW + 1}", "A:E"
        self.working.put(1, 1, to_say("Power workings"), xl.TITLE)
        self.working.put(
            2, 1, wording("The highest score with each power, and who reached it. Nothing to type here."), xl.SUBTITLE
        )
        grid = xl.Grid(self.working, HEAD_ROW, len(candidates) + SPARE_ROWS)
        rows: list[SeatRow | None] = [*candidates, *[None] * SPARE_ROWS]
        written = [
            xl.LiveFormula(f"IF(COUNT({keys.there})<{n},0,SMALL({keys.there},{n}))", self.key(seat) if seat else 0)
            for n, seat in enumerate(rows, start=1)
        ]
        candidate = grid.add(to_say("Candidate"), written, xl.WHOLE, 13)

        def number(head: str, formula: str, values: Sequence[xl.Content]) -> xl.BookColumn:
            contents = [
                xl.LiveFormula(
                    f"IF({candidate.cell(row)}=0,0,{formula.format(key=candidate.cell(row))})",
                    value if not isinstance(value, xl.LiveFormula) else 0,
                )
                for row, value in zip(grid.rows, values, strict=True)
            ]
            return grid.add(head, contents, xl.WHOLE, 9)

        powers = list(Power)
        power = number(
            to_say("Power no"), f"INT({{key}}/{OF_POWER})", [powers.index(s.power) + 1 if s else 0 for s in rows]
        )
        player = number(
            to_say("Player no"), f"INT(MOD({{key}},{OF_POWER})/{OF_PLAYER})", [self.number(s) if s else 0 for s in rows]
        )
        index = number(to_say("Row"), f"MOD({{key}},{OF_PLAYER})", [s.row - HEAD_ROW if s else 0 for s in rows])
        names = [
            xl.LiveFormula(
                f'IF({player.cell(row)}=0,"",INDEX({self.workings.name.there},{player.cell(row)}))',
                s.seat.player if s else "",
            )
            for row, s in zip(grid.rows, rows, strict=True)
        ]
        name = grid.add(to_say("Player"), names, xl.TEXT, 26)
        ranked = self.rank(grid, rows, index, player, power, name)
        winner = self.add_winners(grid, ranked, rows, power, player)
        return self.fill_front(title, winner, name, index, ranked)

    def candidates(self) -> list[SeatRow]:
        """The games with the highest score of each power, by the engine, in the order of the list."""
        seat_rows: dict[Power, list[SeatRow]] = {}
        for seat in self.steps.games_sheet.event.seats:
            if self.may_win(seat):
                seat_rows.setdefault(seat.power, []).append(seat)
        best: list[SeatRow] = []
        for games in seat_rows.values():
            top = max(self.measure(seat) for seat in games)
            best += [seat for seat in games if self.measure(seat) == top and top > 0]
        return sorted(best, key=self.key)

    def measure(self, seat: SeatRow) -> Fraction:
        """The number by which a game wins its power's award: its score or its centres."""
        return power_measure(seat.game, self.scored.rules.awards) if seat.game else Fraction()

    def may_win(self, seat: SeatRow) -> bool:
        """Whether a game may win its power's award."""
        counted = self.counted_game(seat)
        person = self.person(seat)
        allowed = person is not None and person.tally is not None and may_rank(person.tally)
        abandoned = seat.game is not None and seat.game.outcome is Outcome.ABANDONED
        if seat.board.is_final and not self.scored.rules.awards.power_final:
            return False
        return allowed and counted is not None and not counted.is_dropped and not abandoned

    def person(self, seat: SeatRow) -> Person | None:
        number = self.number(seat)
        return self.workings.accounts.people[number - 1] if number else None

    def number(self, seat: SeatRow) -> int:
        """The player's number, 0 for nobody."""
        return self.steps.games_sheet.event.numbers.get(seat.seat.player or "", 0)

    def counted_game(self, seat: SeatRow) -> Counted | None:
        """The game in its player's account."""
        person = self.person(seat)
        placed = [one for one in person.slots.values() if one.seat is seat] if person else []
        return placed[0].counted if placed else None

    def key(self, seat: SeatRow) -> int:
        """What the list of candidates is sorted by."""
        return (list(Power).index(seat.power) + 1) * OF_POWER + self.number(seat) * OF_PLAYER + seat.row - HEAD_ROW

    def add_keys(self, candidates: Sequence[SeatRow]) -> xl.BookColumn:
        """Mark on the Games sheet which games may win, then those with the highest score of their power."""
        steps, sheet = self.steps, self.steps.games_sheet
        games, seats = steps.games, sheet.event.seats
        ranked = self.workings.ranked
        kept = steps.game_accounts.kept if steps.game_accounts else games.done
        rules, final = self.scored.rules.awards, steps.results.column_named("Final")

        def bars(seat: SeatRow) -> str:
            return "" if rules.power_final else f",{final.far(seat.first)}<>{self.page.word(YES)}"

        may = [
            xl.LiveFormula(
                f"IF({kept.cell(s.row)}=1,IF(AND({games.outcome.cell(s.row)}>0,INDEX({ranked.there},{games.player.cell(s.row)})=1{bars(s)}),1,0),0)",
                int(self.may_win(s)),
            )
            for s in seats
        ]
        may_win = sheet.grid.add(to_say("May win"), may, xl.SMALL, 7)
        measure = games.score if rules.power_by is PowerBy.SCORE else games.centres
        scores = [
            xl.LiveFormula(
                f"IF({may_win.cell(s.row)}=1,{xl.key(measure.cell(s.row))},0)",
                self.measure(s) if self.may_win(s) else 0,
            )
            for s in seats
        ]
        score = sheet.grid.add(to_say("Award score"), scores, xl.points(6), 11)
        names = sheet.grid.page.list_powers(Power)
        chosen = {seat.row for seat in candidates}
        contents: list[xl.Content] = []
        for seat in seats:
            own, power = score.cell(seat.row), games.power.cell(seat.row)
            best = f"SUMPRODUCT(MAX(({games.power.here}={power})*{score.here}))"
            number = f"{games.player.cell(seat.row)}*{OF_PLAYER}+{seat.row - HEAD_ROW}"
            which = f"MATCH({power},{{{names}}},0)*{OF_POWER}+{number}"
            formula = f'IF({own}<=0,"",IF({own}={best},{which},""))'
            contents.append(xl.LiveFormula(formula, self.key(seat) if seat.row in chosen else ""))
        return sheet.grid.add(to_say("Candidate"), contents, xl.SMALL, 13)

    def rank(
        self,
        grid: xl.Grid,
        rows: Sequence[SeatRow | None],
        index: xl.BookColumn,
        player: xl.BookColumn,
        power: xl.BookColumn,
        name: xl.BookColumn,
    ) -> Ranked:
        """The tie-breaks among the candidates of each power."""
        both = list(zip(grid.rows, rows, strict=True))
        is_in = [xl.LiveFormula(f"IF({index.cell(r)}=0,0,1)", int(s is not None)) for r, s in both]
        eligible = grid.add(to_say("In"), is_in, xl.WHOLE, 5)
        powers = list(Power)
        groups = [xl.LiveFormula(f"-{power.cell(r)}", -(powers.index(s.power) + 1) if s else 0) for r, s in both]
        level = grid.add(to_say("Group"), groups, xl.WHOLE, 7)
        accounts = self.accounts(grid, rows, index)
        total = self.workings.total
        overall = [
            xl.LiveFormula(
                f"IF({index.cell(r)}=0,0,INDEX({total.there},{player.cell(r)}))", self.overall(s) if s else 0
            )
            for r, s in both
        ]
        sheet = self.steps.games_sheet
        totals = {seat.row: self.overall(seat) for seat in sheet.event.seats}
        steps = Steps(
            accounts=accounts,
            games_sheet=sheet,
            games=self.steps.games,
            game_accounts=None,
            players=self.steps.players,
            results=self.steps.results,
            event=self.steps.event,
            final=None,
            total=grid.add(to_say("Total"), overall, xl.points(self.scored.rules.decimals), 10),
            contest=Contest.GAMES,
            player=player,
            keys=self.steps.keys,
            opponents=add_opponents(sheet, self.steps.games, self.workings.total, totals),
            margin=add_margin(sheet, self.steps.games),
        )
        chain = self.scored.rules.ties.powers
        steps.prepare(chain)
        contenders = {row: self.contender(seat) for row, seat in both if seat}
        among = FieldOfPlayers(totals=self.scored.standings.totals, lots=self.scored.event.lots)
        return Ranking.of(grid, name, contenders, among, steps.chain(chain)).fill(eligible, level, AWARD_DECIDED)

    def accounts(self, grid: xl.Grid, rows: Sequence[SeatRow | None], index: xl.BookColumn) -> Accounts:
        """Each candidate as an account of one game."""
        people = []
        for row, seat in zip(grid.rows, rows, strict=True):
            game = seat.game if seat else None
            placed = {ONLY: AccountGame(seat, Counted(game, Fraction(1)), is_final=False)} if seat and game else {}
            people.append(Person(row, 0, (seat.seat.player if seat else "") or "", None, placed))
        accounts = Accounts(grid, (ONLY,), tuple(people), self.steps.games, self.scored.rules, label=lambda _: "")
        accounts.blocks["row"] = [index]
        score = [
            xl.LiveFormula(
                f'IF({index.cell(p.row)}=0,"",INDEX({self.steps.games.score.there},{index.cell(p.row)}))',
                (s.game.score if s.game else Fraction()) if s else "",
            )
            for p, s in zip(people, rows, strict=True)
        ]
        accounts.blocks["score"] = [grid.add(to_say("Score"), score, xl.points(self.scored.rules.decimals), 10)]
        kept = grid.add(
            to_say("Kept"),
            [xl.LiveFormula(f"IF({index.cell(p.row)}=0,0,1)", int(bool(p.slots))) for p in people],
            xl.WHOLE,
            6,
        )
        accounts.blocks["kept"] = accounts.blocks["weight"] = [kept]
        return accounts

    def contender(self, seat: SeatRow) -> Contender:
        """A candidate as the tie-breaks see it; those of one power are level."""
        if seat.game is None:
            raise ValueError("a game that is not over")
        group = -Fraction(list(Power).index(seat.power) + 1)
        one = (seat.game,)
        return Contender(name=seat.seat.player or "", total=group, games=one, counted=one, overall=self.overall(seat))

    def overall(self, seat: SeatRow) -> Fraction:
        """The tournament total of who sat there."""
        person = self.person(seat)
        return person.tally.total if person and person.tally else Fraction()

    def add_winners(
        self, grid: xl.Grid, ranked: Ranked, rows: Sequence[SeatRow | None], power: xl.BookColumn, player: xl.BookColumn
    ) -> xl.BookColumn:
        """Number the winners of each power: power times a hundred plus 1, 2, 3; a player's second game counts once."""
        group = grid.next_column()
        first = ranked.first_places
        contents: list[xl.Content] = []
        counts: dict[Power, list[str]] = {}
        for row, seat in zip(grid.rows, rows, strict=True):
            won = f"AND({ranked.place.cell(row)}>0,{ranked.place.cell(row)}={first.cell(row)})"
            before_power, before_player = power.rows(grid.head_row, row - 1), player.rows(grid.head_row, row - 1)
            numbers = group.rows(grid.head_row, row - 1)
            again = f'COUNTIFS({before_power},{power.cell(row)},{before_player},{player.cell(row)},{numbers},">0")>0'
            nth = f'COUNTIFS({before_power},{power.cell(row)},{numbers},">0")+1'
            formula = f"IF({won},IF({again},0,{power.cell(row)}*100+{nth}),0)"
            value = 0
            if seat and ranked.places[row] == ranked.by_total[row]:
                names = counts.setdefault(seat.power, [])
                if seat.seat.player not in names:
                    names.append(seat.seat.player or "")
                    value = (list(Power).index(seat.power) + 1) * 100 + len(names)
            contents.append(xl.LiveFormula(formula, value))
        return grid.add(to_say("Winner"), contents, xl.WHOLE, 8)

    def fill_front(
        self, title: str, winner: xl.BookColumn, name: xl.BookColumn, index: xl.BookColumn, ranked: Ranked
    ) -> list[int]:
        """The Best powers sheet: power, who, score, where, and what decided."""
        page, games, results = self.page, self.steps.games, self.steps.results
        page.put(1, 1, to_say("Best powers"), xl.TITLE)
        what = (
            to_say("{title}: the highest score with each power, {far}.")
            if self.scored.rules.awards.power_by is PowerBy.SCORE
            else to_say("{title}: the most centres with each power, {far}.")
        )
        says = page.speech.says
        page.put(2, 1, says(what, title=title, far=says(str(self.scored.progress))), xl.SUBTITLE)
        page.row(
            HEAD_ROW,
            1,
            (
                to_say("Power"),
                to_say("Player"),
                to_say("Score"),
                to_say("Centres"),
                to_say("Round"),
                to_say("Board"),
                to_say("Decided by"),
            ),
            xl.HEAD,
        )
        page.row(HEAD_ROW, 1, (to_say("Power"), to_say("Player")), xl.HEAD_LEFT)
        by_power = {one.power: one for one in self.scored.powers}
        cells = []
        for number, power in enumerate(Power, start=1):
            row = HEAD_ROW + number
            one = by_power.get(power)
            first = f"MATCH({number * 100 + 1},{winner.there},0)"
            names = _winners(number, winner, name, page.speech)
            shown = xl.join_names(one.players if one else (), page.speech)
            page.put(row, 1, page.speech.power(power), xl.TEXT.but(bold=True, size=12))
            page.put(row, 2, xl.LiveFormula(names, shown), xl.TEXT.but(bold=True, size=12, wrap=True))
            game = one.games[0] if one else None
            values: list[tuple[xl.BookColumn, xl.Value]] = [
                (games.score, game.score if game else ""),
                (games.centres, game.centres if game else ""),
                (games.round, game.round if game else ""),
                (results.column(BOARD), game.board.name if game else ""),
            ]
            for offset, (column, value) in enumerate(values):
                look = xl.points(self.scored.rules.decimals) if offset == 0 else xl.CENTRED
                looked_up = f'IFERROR(INDEX({column.there},INDEX({index.there},{first})),"")'
                page.put(row, 3 + offset, xl.LiveFormula(looked_up, value), look)
            why = f'IFERROR(INDEX({ranked.decided_by.there},{first}),"")'
            words = one.decision.in_words(page.speech) if one and one.decision else ""
            page.put(row, 7, xl.LiveFormula(why, words), xl.QUIET.but(wrap=True))
            page.heights[row] = 30
            cells.append(row)
        page.widths |= dict(enumerate((12, 34, 10, 9, 8, 9, 52), start=1))
        page.landscape, page.area = True, f"A1:{xl.at(HEAD_ROW + len(Power), 7)}"
        return cells


def _winners(number: int, winner: xl.BookColumn, name: xl.BookColumn, speech: Speech) -> str:
    """The names of a power's winners, with commas between; the first three and how many more."""
    parts = []
    for nth in range(1, xl.SHOWN + 1):
        number_of_winner = f"INDEX({name.there},MATCH({number * 100 + nth},{winner.there},0))"
        parts.append(f'IFERROR({"" if nth == 1 else chr(34) + ", " + chr(34) + "&"}{number_of_winner},"")')
    count = f'COUNTIFS({winner.there},">{number * 100}",{winner.there},"<{number * 100 + 100}")'
    more = xl.write_sentence(speech, xl.AND_MORE, count=f"({count}-{xl.SHOWN})")
    return "&".join(parts) + f'&IF({count}>{xl.SHOWN},{more},"")'
