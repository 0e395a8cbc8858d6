"""The Teams sheet: members' scores added up, places, and what decided a tie; the workings stand on another."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from pipeline.scoring.awards import TeamRow, team_contender
from pipeline.scoring.results import format_decimal
from pipeline.scoring.rules import TeamCount, TeamRules
from pipeline.scoring.score import Scored
from pipeline.scoring.standings_in_words import list_rounds
from pipeline.scoring.tally import Counted
from pipeline.scoring.tiebreaks import FieldOfPlayers
from pipeline.words.names import name_order
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import AccountGame, Accounts, GameSlot, Person, is_kept
from pipeline.workbook.input_sheets import HEAD_ROW
from pipeline.workbook.ranking_columns import Ranked, Ranking
from pipeline.workbook.steps import Contest, Steps
from pipeline.workbook.workings_sheet import PLACE_DECIDED, WorkingColumns

SHEET, WORKINGS = "Teams", "Team workings"
SPARE_ROWS = 3
NOBODY = 100000  # above every player's number
MEMBER = 100  # a slot's number: member times this, plus the round


class TeamColumns(Struct, frozen=True):
    """Where the workings stand."""

    name: xl.BookColumn
    members: Sequence[xl.BookColumn]  # numbers of players
    shares: Sequence[xl.BookColumn]  # what each brings
    total: xl.BookColumn
    ranked: Ranked


class TeamsSheet(Struct):
    page: xl.Page
    working: xl.Page
    scored: Scored
    rules: TeamRules
    steps: Steps  # of the players' ranking
    workings: WorkingColumns

    def fill(self, title: str) -> tuple[xl.BookColumn, xl.BookColumn, Ranked]:
        """Fill both; returns the names, the totals and the ranking."""
        self.working.is_wide = self.working.landscape = True
        self.working.freeze, self.working.beside = f"B{HEAD_ROW + 1}", "A:A"
        self.working.put(1, 1, to_say("Team workings"), xl.TITLE)
        self.working.put(
            2, 1, wording("A team's players are those who have its name on the Players sheet."), xl.SUBTITLE
        )
        rows = sorted(self.scored.teams, key=lambda row: name_order(row.team.name))
        grid = xl.Grid(self.working, HEAD_ROW, len(rows) + SPARE_ROWS)
        padded: list[TeamRow | None] = [*rows, *[None] * SPARE_ROWS]
        name = grid.add(to_say("Team"), [row.team.name if row else None for row in padded], xl.ENTRY, 26)
        members = self.add_members(grid, padded, name)
        accounts = self.accounts(grid, padded, members)
        shares = [self.add_share(accounts, padded, nth) for nth in range(1, self.size + 1)]
        total = self.add_total(accounts, padded)
        ranked = self.rank(accounts, padded, name, members, total)
        columns = TeamColumns(name, members, shares, total, ranked)
        self.fill_front(title, dict(zip(grid.rows, padded, strict=True)), columns)
        return name, total, ranked

    @property
    def size(self) -> int:
        """Room for so many members."""
        return max([self.rules.size, *(len(row.team.members) for row in self.scored.teams)])

    def numbers(self, row: TeamRow | None) -> list[int]:
        """The numbers of a team's members, ascending; 0 for an empty place."""
        known = self.steps.games_sheet.event.numbers
        numbers = sorted(known[name] for name in row.team.members) if row else []
        return [*numbers, *[0] * (self.size - len(numbers))]

    def add_members(self, grid: xl.Grid, rows: Sequence[TeamRow | None], name: xl.BookColumn) -> list[xl.BookColumn]:
        """The members' numbers, by the team's name on the Players sheet."""
        team, number = self.steps.players.team.there, self.steps.players.number.there
        columns = []
        for nth in range(1, self.size + 1):
            contents: list[xl.Content] = []
            for at_row, row in zip(grid.rows, rows, strict=True):
                own = f"EXACT({team},{name.cell(at_row)})"
                member = f"SUMPRODUCT(SMALL({own}*{number}+(1-{own})*{NOBODY},{nth}))"
                few = f'OR({name.cell(at_row)}="",{nth}>ROWS({number}))'
                formula = f"IF({few},0,IF({member}<{NOBODY},{member},0))"
                contents.append(xl.LiveFormula(formula, self.numbers(row)[nth - 1]))
            columns.append(grid.add(wording("Member {number}", number=nth), contents, xl.WHOLE, 9))
        return columns

    def accounts(self, grid: xl.Grid, rows: Sequence[TeamRow | None], members: Sequence[xl.BookColumn]) -> Accounts:
        """Each team as an account of its members' games in the team rounds."""
        of_player = self.workings.accounts
        sources = [slot for slot in of_player.slots if slot.round in self.rules.rounds]
        slots = {
            GameSlot(nth * MEMBER + source.round, source.nth): (nth, source)
            for nth in range(1, self.size + 1)
            for source in sources
        }
        people = tuple(self.team_as_person(at_row, row, slots) for at_row, row in zip(grid.rows, rows, strict=True))
        accounts = Accounts(grid, tuple(slots), people, self.steps.games, self.scored.rules, label=_team_name)
        for slot, (nth, source) in slots.items():
            there = of_player.block("row")[of_player.slots.index(source)]
            contents = [self.looked_up(p, members[nth - 1], there, slot, is_row=True) for p in people]
            accounts.add("row", to_say("Row"), slot, contents)
        for slot, (nth, source) in slots.items():
            there = of_player.block("all")[of_player.slots.index(source)]
            contents = [self.looked_up(p, members[nth - 1], there, slot, is_row=False) for p in people]
            accounts.add("score", to_say("Score"), slot, contents, is_score=True)
        for slot, (nth, _) in slots.items():
            own = [other for other, (member, _) in slots.items() if member == nth]
            contents = [
                xl.LiveFormula(self.kept_formula(accounts, slot, own, p.row), int(is_kept(p, slot))) for p in people
            ]
            accounts.add("kept", to_say("Counts"), slot, contents)
        accounts.blocks["weight"] = accounts.blocks["kept"]
        return accounts

    def looked_up(
        self, person: Person, member: xl.BookColumn, there: xl.BookColumn, slot: GameSlot, *, is_row: bool
    ) -> xl.LiveFormula:
        """A member's game in the player's own row of Workings."""
        placed = person.slots.get(slot)
        none = "0" if is_row else '""'
        value: xl.Value = 0 if is_row else ""
        if placed and placed.seat.game:
            value = placed.seat.row - HEAD_ROW if is_row else placed.seat.game.score
            if not is_row and placed.counted is None:
                value = ""
        cell = member.cell(person.row)
        return xl.LiveFormula(f"IF({cell}=0,{none},INDEX({there.there},{cell}))", value)

    def team_as_person(self, at_row: int, row: TeamRow | None, slots: dict[GameSlot, tuple[int, GameSlot]]) -> Person:
        """A team's games, each in its slot; of a member's games perhaps only the best counts."""
        account_games: dict[GameSlot, AccountGame] = {}
        shares = {share.player: share for share in row.shares} if row else {}
        for slot, (nth, source) in slots.items():
            number = self.numbers(row)[nth - 1]
            person = self.workings.accounts.people[number - 1] if number else None
            placed = person.slots.get(source) if person else None
            if person is None or placed is None or placed.seat.game is None:
                continue
            counted = None
            if is_kept(person, source):
                counts = placed.seat.game in shares[person.name].games
                counted = Counted(placed.seat.game, Fraction(int(counts)), is_dropped=not counts)
            account_games[slot] = AccountGame(placed.seat, counted, is_final=False)
        return Person(at_row, 0, row.team.name if row else "", None, account_games)

    def kept_formula(self, accounts: Accounts, slot: GameSlot, own: Sequence[GameSlot], row: int) -> str:
        """Every game of the team rounds counts, or each member's best."""
        score = accounts.block("score")[accounts.slots.index(slot)].cell(row)
        if self.rules.count is TeamCount.ALL:
            return f"IF(ISNUMBER({score}),1,0)"
        conditions = [f"{score}=MAX({accounts.cells('score', row, own)})"]
        if earlier := own[: own.index(slot)]:
            conditions.append(f"COUNTIF({accounts.cells('score', row, earlier)},{score})=0")
        return f"IF(ISNUMBER({score}),IF(AND({','.join(conditions)}),1,0),0)"

    def add_share(self, accounts: Accounts, rows: Sequence[TeamRow | None], nth: int) -> xl.BookColumn:
        """What one member brings."""
        own = [index for index, slot in enumerate(accounts.slots) if slot.round // MEMBER == nth]
        contents: list[xl.Content] = []
        for person, row in zip(accounts.people, rows, strict=True):
            pairs = [(accounts.block("kept")[index], accounts.block("score")[index]) for index in own]
            terms = [f"{kept.cell(person.row)}*N({score.cell(person.row)})" for kept, score in pairs]
            contents.append(xl.LiveFormula(xl.sum_terms(terms), self.share_of(row, nth)))
        return accounts.grid.add(
            wording("Points {number}", number=nth), contents, xl.points(self.scored.rules.decimals), 10
        )

    def share_of(self, row: TeamRow | None, nth: int) -> Fraction:
        """The engine's points of the member in a place."""
        number = self.numbers(row)[nth - 1]
        if row is None or not number:
            return Fraction()
        name = self.workings.accounts.people[number - 1].name
        return next(share.points for share in row.shares if share.player == name)

    def add_total(self, accounts: Accounts, rows: Sequence[TeamRow | None]) -> xl.BookColumn:
        contents: list[xl.Content] = []
        for person, row in zip(accounts.people, rows, strict=True):
            pairs = zip(accounts.block("kept"), accounts.block("score"), strict=True)
            terms = [f"{kept.cell(person.row)}*N({score.cell(person.row)})" for kept, score in pairs]
            contents.append(xl.LiveFormula(xl.key(xl.sum_terms(terms)), row.total if row else 0))
        return accounts.grid.add(to_say("Total"), contents, xl.points(self.scored.rules.decimals).but(bold=True), 11)

    def rank(
        self,
        accounts: Accounts,
        rows: Sequence[TeamRow | None],
        name: xl.BookColumn,
        members: Sequence[xl.BookColumn],
        total: xl.BookColumn,
    ) -> Ranked:
        """Places by total, then by the tie-breaks for teams."""
        grid = accounts.grid
        tallies = {person.name: person.tally for person in self.workings.accounts.people if person.tally}
        contenders = {
            at_row: team_contender(row.team, row.shares, tallies)
            for at_row, row in zip(grid.rows, rows, strict=True)
            if row
        }

        def of_members(head: str, column: xl.BookColumn, values: dict[int, Fraction]) -> xl.BookColumn:
            contents: list[xl.Content] = []
            for at_row in grid.rows:
                terms = [f"IF({m.cell(at_row)}=0,0,INDEX({column.there},{m.cell(at_row)}))" for m in members]
                contents.append(xl.LiveFormula(xl.sum_terms(terms), values.get(at_row, Fraction())))
            return grid.add(head, contents, xl.points(self.scored.rules.decimals), 10)

        overall = {at_row: one.overall for at_row, one in contenders.items()}
        everything = {at_row: one.everything for at_row, one in contenders.items()}
        eligible = grid.add(
            to_say("Takes part"),
            [
                xl.LiveFormula(f'IF({name.cell(at_row)}="",0,1)', int(row is not None))
                for at_row, row in zip(grid.rows, rows, strict=True)
            ],
            xl.WHOLE,
            8,
        )
        steps = Steps(
            accounts=accounts,
            games_sheet=self.steps.games_sheet,
            games=self.steps.games,
            game_accounts=None,
            players=self.steps.players,
            results=self.steps.results,
            event=self.steps.event,
            final=None,
            total=of_members(to_say("Members' totals"), self.workings.total, overall),
            contest=Contest.TEAMS,
            everything=of_members(to_say("All their games"), self.workings.everything, everything),
            keys=self.steps.keys,
        )
        chain = self.scored.rules.ties.teams
        steps.prepare(chain)
        among = FieldOfPlayers(lots=self.scored.event.lots)
        return Ranking.of(grid, name, contenders, among, steps.chain(chain)).fill(eligible, total, PLACE_DECIDED)

    def fill_front(self, title: str, rows: Mapping[int, TeamRow | None], columns: TeamColumns) -> None:
        """The list to hang up, by place. ``rows`` are the engine's, by row of the workings."""
        page = self.page
        page.put(1, 1, to_say("Teams"), xl.TITLE)
        says = page.speech.says
        best = to_say("{title}, {far}: each member's best game of {rounds}.")
        counted = best if self.rules.count is TeamCount.BEST else to_say("{title}, {far}: all games of {rounds}.")
        far, rounds = says(str(self.scored.progress)), list_rounds(self.rules.rounds, page.speech)
        page.put(2, 1, says(counted, title=title, far=far, rounds=rounds), xl.SUBTITLE)
        heads = [
            "Place",
            "",
            "Team",
            *(wording("Member {number}", number=n) for n in range(1, self.size + 1)),
            "Total",
            "Decided by",
        ]
        page.row(HEAD_ROW, 1, [head or None for head in heads], xl.HEAD)
        page.put(HEAD_ROW, 3, to_say("Team"), xl.HEAD_LEFT)
        last = len(heads)
        page.put(HEAD_ROW, last + 2, to_say("Row"), xl.HEAD)
        places = columns.ranked.places
        order = sorted((row for row, team in rows.items() if team), key=lambda row: (places[row], row))
        for nth in range(1, len(rows) + 1):
            at_row = order[nth - 1] if nth <= len(order) else None
            self.line(HEAD_ROW + nth, nth, (at_row, rows[at_row]) if at_row else (None, None), columns)
        page.widths |= dict(enumerate((8, 2.5, 24, *[22] * self.size, 11, 34, 2, 6), start=1))
        first, end = HEAD_ROW + 1, HEAD_ROW + len(rows)
        page.mark(f"A{first}:{xl.at(end, last)}", f"AND(ISNUMBER($A{first}),$A{first}=1)", fill=xl.GOLD)
        page.freeze, page.repeat, page.landscape = f"D{first}", f"{HEAD_ROW}:{HEAD_ROW}", True
        page.area = f"A1:{xl.at(HEAD_ROW + max(len(order), 1), last)}"

    def line(self, row: int, nth: int, team: tuple[int | None, TeamRow | None], columns: TeamColumns) -> None:
        """One team. ``team`` is the engine's: its row of the workings, and what it has there."""
        page, (at_row, row_of_team) = self.page, team
        last = 5 + self.size
        place, name, index = columns.ranked.place.there, columns.name, f"${xl.at(row, last + 2)}"
        sorted_by = f"({place}=0)*{NOBODY * 1000}+{place}*1000+ROW({place})-{name.first - 1}"
        nth_row = f"MOD(SUMPRODUCT(SMALL({sorted_by},{nth})),1000)"
        live = xl.LiveFormula(
            f'IF(COUNTIF({place},">0")<{nth},"",{nth_row})', at_row - name.first + 1 if at_row else ""
        )
        page.put(row, last + 2, live, xl.QUIET)

        def show(column: int, formula: str, value: xl.Value, look: xl.Look) -> None:
            page.put(row, column, xl.LiveFormula(f'IF({index}="","",{formula})', value), look)

        own = f"INDEX({place},{index})"
        show(1, own, row_of_team.place if row_of_team else "", xl.CENTRED.but(bold=True, size=12))
        show(2, f'IF(COUNTIF({place},{own})>1,"=","")', "=" if row_of_team and row_of_team.is_tied else "", xl.CENTRED)
        show(
            3,
            f"INDEX({name.there},{index})",
            row_of_team.team.name if row_of_team else "",
            xl.TEXT.but(bold=True, size=12),
        )
        numbers = self.numbers(row_of_team)
        for offset, member in enumerate(columns.members):
            number, decimals = f"INDEX({member.there},{index})", self.scored.rules.decimals
            share = xl.as_shown(f"INDEX({columns.shares[offset].there},{index})", decimals)
            who = self.workings.accounts.people[numbers[offset] - 1].name if numbers[offset] else ""
            share_of_member = page.speech.number(format_decimal(self.share_of(row_of_team, offset + 1), decimals))
            words = f"{who} {share_of_member}" if who else ""
            name_of_member = f"INDEX({self.workings.name.there},{number})"
            show(4 + offset, f'IF({number}=0,"",{name_of_member}&" "&{share})', words, xl.TEXT)
        bold = xl.points(self.scored.rules.decimals).but(bold=True, fill=xl.PALE if row_of_team else "")
        show(last - 1, f"INDEX({columns.total.there},{index})", row_of_team.total if row_of_team else "", bold)
        decision = row_of_team.decision if row_of_team else None
        words = decision.in_words(page.speech) if decision else ""
        show(last, f"INDEX({columns.ranked.decided_by.there},{index})", words, xl.QUIET.but(size=10, wrap=True))


def _team_name(slot: GameSlot) -> str:
    """Name a slot of a team.

    >>> _team_name(GameSlot(203, 1))
    'M2 R3'
    """
    member, number = divmod(slot.round, MEMBER)
    if slot.nth == 1:
        return wording("M{member} R{round}", member=member, round=number)
    return wording("M{member} R{round} board {board}", member=member, round=number, board=slot.nth)
