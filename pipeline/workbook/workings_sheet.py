"""The Workings sheet: from each player's games to the place, one row a player, to be read from left to right."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pipeline.scoring.extras import FINAL_VICTORY
from pipeline.scoring.ranking import (
    BestSoFar,
    StandingsRow,
    TitleRanking,
    may_rank,
    player_contender,
    seat_contender,
    won_by,
)
from pipeline.scoring.rules import Chain, ChampionBy, Final, ScoringRules, TwoBoards, Weights
from pipeline.scoring.score import Scored
from pipeline.scoring.standings_in_words import decided_by, on_table
from pipeline.scoring.tally import (
    Stage,
    best_stage,
    qualifying_stage,
    tallies,
    title_stage,
    weighted_rounds,
    whole_event,
)
from pipeline.scoring.tiebreaks import Contender, FieldOfPlayers
from pipeline.words.speech import Speech, to_say, wording
from pipeline.workbook import extra_columns
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import Accounts, GameSlot, Person, WeightedSlots, enter_weights, people
from pipeline.workbook.better_game import add_game_accounts
from pipeline.workbook.game_formula import rounding_formula
from pipeline.workbook.games_sheet import GameColumns, GameList
from pipeline.workbook.input_sheets import YES, PlayerColumns, ResultColumns, bonuses_sheet, penalties_sheet
from pipeline.workbook.ranking_columns import Ranked, Ranking
from pipeline.workbook.seats import Config
from pipeline.workbook.steps import Steps

# The last part of Workings: the champion, where a final table makes one, then all places and what decided them.

NOT_RANKED = 9999  # the place of players who are scored and not ranked
ORDER = 10000  # the list is sorted by place times this, plus the player's number


class OutcomeColumns(Struct, frozen=True):
    place: xl.BookColumn  # 0 for who is not ranked
    order: xl.BookColumn  # sorts the list; empty for who takes no part
    decided_by: xl.BookColumn
    title: Ranked | None  # the finalists in the order that makes the champion


class PlaceColumns(Struct):
    scored: Scored
    steps: Steps
    name: xl.BookColumn
    ranked: xl.BookColumn
    champion: xl.BookColumn | None = None  # 1 for the winner of the final table; several while their tie is not decided
    title: Ranked | None = None
    on_final: xl.BookColumn | None = None  # the score on the final table, where that makes the champion

    @property
    def speech(self) -> Speech:
        return self.steps.accounts.grid.page.speech

    @property
    def people(self) -> Sequence[Person]:
        return self.steps.accounts.people

    def add_champion(self) -> None:
        """The winner of the final table, by the table's score or by the totals, and its own tie-breaks."""
        rules, grid = self.scored.rules, self.steps.accounts.grid
        by_table = rules.final is not None and rules.final.champion is ChampionBy.TABLE
        contenders = {p.row: self.finalist(p, by_table=by_table) for p in self.people if self.is_finalist(p)}
        final = self.steps.final
        eligible: list[xl.Content] = [
            xl.LiveFormula(
                f"IF(AND({self.ranked.cell(p.row)}=1,{final.cell(p.row) if final else 0}>0),1,0)",
                int(p.row in contenders),
            )
            for p in self.people
        ]
        finalist = grid.add(to_say("Finalist"), eligible, xl.WHOLE, 8)
        self.on_final = self.add_final_score() if by_table else None
        total = self.on_final or self.steps.total
        ranking = Ranking.of(
            grid, self.name, contenders, FieldOfPlayers(lots=self.scored.event.lots), self.steps.chain(rules.ties.final)
        )
        rows = {row.player: row for row in self.scored.standings.rows if row.is_champion}
        self.title = ranking.fill(finalist, total, TITLE_DECIDED)
        contents: list[xl.Content] = [
            xl.LiveFormula(f"IF({self.title.place.cell(p.row)}=1,1,0)", int(p.name in rows)) for p in self.people
        ]
        self.champion = grid.add(to_say("Champion"), contents, xl.WHOLE, 9)

    def is_finalist(self, person: Person) -> bool:
        """Whether the player may win the final table."""
        return person.plays_final and person.tally is not None and may_rank(person.tally)

    def finalist(self, person: Person, *, by_table: bool) -> Contender:
        """A finalist as the tie-breaks for the title see it: before the title's own bonus."""
        tally = person.tally
        if tally is None or tally.final is None:
            raise ValueError(f"{person.name} was not on the final table")
        before = _before_victory(person, self.scored.rules)
        return replace(tally.contender(tally.final.score if by_table else before), overall=before)

    def add_final_score(self) -> xl.BookColumn:
        contents: list[xl.Content] = []
        for person in self.people:
            final = person.tally.final if person.tally else None
            formula = f"ROUND({self.steps.of_final(person.row, self.steps.games.score)},9)"
            contents.append(xl.LiveFormula(formula, final.score if final else 0))
        return self.steps.accounts.grid.add(to_say("On final"), contents, xl.points(self.scored.rules.decimals), 10)

    def add_victory(self, extras: extra_columns.Extras, name: str) -> xl.BookColumn:
        """The bonus for winning the final table, once it is won by one player."""
        champion = self.champion
        if champion is None:
            raise ValueError("no final table")

        def formula(person: Person) -> str:
            won = f"AND({champion.cell(person.row)}=1,COUNTIF({champion.here},1)=1)"
            losing = extras.penalties.loses_all(extras.number(person))
            return f"IF({won},{f'IF({losing}>0,0,{name})' if losing else name},0)"

        return extras.add(to_say("Title"), FINAL_VICTORY, formula)

    def add_places(self, taking_part: xl.BookColumn) -> OutcomeColumns:
        """Everybody else by total and tie-breaks behind the champion; then the order of the list."""
        grid, rules = self.steps.accounts.grid, self.scored.rules
        rows = {row.player: row for row in self.scored.standings.rows}
        contenders = {
            p.row: player_contender(p.tally, rules)
            for p in self.people
            if p.tally and p.name in rows and not rows[p.name].is_champion
        }
        eligible = self.add_rest(contenders) if self.champion else self.ranked
        among = FieldOfPlayers(totals=self.scored.standings.totals, lots=self.scored.event.lots)
        ranking = Ranking.of(grid, self.name, contenders, among, self.steps.chain(rules.ties.players))
        wins = self.steps.accounts.add_wins() if rules.totals.wins_first else None
        rest = ranking.fill(eligible, self.steps.total, PLACE_DECIDED, wins)
        place = grid.add(to_say("Place"), [self.place(p, rest, rows) for p in self.people], xl.WHOLE.but(bold=True), 7)
        order = grid.add(
            to_say("Sequence"), [self.order(p, place, taking_part, rows) for p in self.people], xl.WHOLE, 10
        )
        decided = grid.add(to_say("Decided by"), [self.deciding_words(p, rest, rows) for p in self.people], xl.TEXT, 44)
        return OutcomeColumns(place, order, decided, self.title)

    def add_rest(self, contenders: dict[int, Contender]) -> xl.BookColumn:
        """Who is ranked behind the champion."""
        champion = self.champion or self.ranked
        contents: list[xl.Content] = [
            xl.LiveFormula(
                f"IF(AND({self.ranked.cell(p.row)}=1,{champion.cell(p.row)}=0),1,0)",
                int(p.row in contenders),
            )
            for p in self.people
        ]
        return self.steps.accounts.grid.add(to_say("Others"), contents, xl.WHOLE, 8)

    def place(self, person: Person, rest: Ranked, rows: dict[str, StandingsRow]) -> xl.LiveFormula:
        """The place: champions first, the others behind them."""
        own = rest.place.cell(person.row)
        formula = own
        if self.champion:
            behind = f"IF({own}=0,0,{own}+SUM({self.champion.here}))"
            formula = f"IF({self.champion.cell(person.row)}=1,1,{behind})"
        return xl.LiveFormula(formula, rows[person.name].place if person.name in rows else 0)

    def order(
        self, person: Person, place: xl.BookColumn, taking_part: xl.BookColumn, rows: dict[str, StandingsRow]
    ) -> xl.LiveFormula:
        """What the list is sorted by: the place, then the name; who is not ranked comes last."""
        own, number = place.cell(person.row), self.steps.accounts.number_cell(person.row)
        ranked = f"{own}*{ORDER}+{number}"
        last = f'IF({taking_part.cell(person.row)}=1,{NOT_RANKED * ORDER}+{number},"")'
        value: int | str = ""
        if person.tally and self.scored.games:
            value = (rows[person.name].place if person.name in rows else NOT_RANKED) * ORDER + person.number
        return xl.LiveFormula(f"IF({own}>0,{ranked},{last})", value)

    def deciding_words(self, person: Person, rest: Ranked, rows: dict[str, StandingsRow]) -> xl.LiveFormula:
        """The words for what decided: the final table's for a champion, the ranking's for the others."""
        row = rows.get(person.name)
        formula = rest.decided_by.cell(person.row)
        if self.champion and self.title:
            title = self.title.decided_by.cell(person.row)
            table = self.on_table(person.row, self.champion)
            formula = f'IF({self.champion.cell(person.row)}=1,{table}&IF({title}="","","; "&{title}),{formula})'
        return xl.LiveFormula(formula, decided_by(row, self.scored, self.speech) if row else "")

    def on_table(self, row: int, champion: xl.BookColumn) -> str:
        """How somebody is first of the final table, by its score or by the total, as a formula."""
        won, decimals = won_by(self.scored.rules.final), self.scored.rules.decimals
        score = xl.as_shown(self.on_final.cell(row), decimals) if self.on_final else ""
        level, alone = (
            xl.write_sentence(self.speech, on_table(won, self.scored, is_level=is_level), score=score)
            for is_level in (True, False)
        )
        return f"IF(COUNTIF({champion.here},1)>1,{level},{alone})"


def _before_victory(person: Person, rules: ScoringRules) -> Fraction:
    """The engine's total before the bonus for winning the final table."""
    tally = person.tally
    if tally is None:
        return Fraction()
    bonus = next((extra.points for extra in tally.extras if extra.kind == FINAL_VICTORY), Fraction())
    stated = any(extra.kind == FINAL_VICTORY and extra.why != "won the final table" for extra in tally.extras)
    counted = Fraction() if stated or extra_columns.is_forfeited(tally) else bonus
    return rules.totals.rounding(tally.exact - counted)


TITLE_DECIDED, PLACE_DECIDED = to_say("Title decided by"), to_say("Place decided by")
SHEET = "Workings"
HEAD_ROW = 4


class WorkingColumns(Struct, frozen=True):
    """Where the outcome stands."""

    accounts: Accounts
    base: extra_columns.Base
    name: xl.BookColumn
    total: xl.BookColumn
    beside: xl.BookColumn  # bonuses less penalties
    ranked: xl.BookColumn  # 1 for who may have a place
    everything: xl.BookColumn  # the sum of all games that are kept
    outcome: OutcomeColumns
    steps: Steps
    extras: extra_columns.Extras


class Workings(Struct):
    scored: Scored
    page: xl.Page
    games_sheet: GameList
    games: GameColumns
    results: ResultColumns
    players: PlayerColumns
    config: Config
    bonuses: xl.Page
    penalties: xl.Page

    def fill(self) -> WorkingColumns:
        """Make Workings, and with it the Bonuses and Penalties sheets."""
        rules, event = self.scored.rules, self.games_sheet.event
        self.page.is_wide = self.page.landscape = True
        self.page.freeze, self.page.repeat = f"C{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}"
        self.page.beside = "A:B"
        self.page.put(1, 1, to_say("Workings"), xl.TITLE)
        self.page.put(2, 1, wording("From games to places, left to right. Nothing to type here."), xl.SUBTITLE)
        grid = xl.Grid(self.page, HEAD_ROW, len(event.players))
        every_tally = [*(row.tally for row in self.scored.standings.rows), *self.scored.standings.unranked]
        tally_of = {tally.player.name: tally for tally in every_tally}
        persons = people(event, tally_of, rules, grid.first)
        accounts = Accounts(grid, _slots(self), persons, self.games, rules)
        shown = [xl.LiveFormula(self.players.name.far(one.row), one.name) for one in persons]
        grid.add(to_say("No"), [one.number for one in persons], xl.WHOLE, 5)
        name = grid.add(to_say("Player"), shown, xl.TEXT, 26)
        base = self.add_games(accounts)
        names = extra_columns.enter_bonuses(self.config, rules)
        extras = self.add_extras(accounts, base, names)
        taken, lost = extras.add_penalties()
        minus = [taken]
        plus = [base.weighted, *extras.columns, *([lost] if lost else [])]
        taking_part = grid.add(
            to_say("Takes part"), [self.takes_part(one, base, extras) for one in persons], xl.WHOLE, 8
        )
        ranked = grid.add(to_say("Ranked"), [self.may_rank(one, taking_part) for one in persons], xl.WHOLE, 8)
        total = self.add_total(grid, persons, plus, minus)
        seats = add_game_accounts(self.games_sheet, self.games, accounts)
        steps = Steps(
            accounts=accounts,
            games_sheet=self.games_sheet,
            games=self.games,
            game_accounts=seats,
            players=self.players,
            results=self.results,
            event=self.scored.event,
            final=base.final,
            total=total,
            nobodys=accounts.add_nobodys(name, self.results, self.scored.event),
        )
        steps.prepare(rules.ties.players, rules.ties.final if rules.final else ())
        sums = [
            xl.LiveFormula(f"SUM({accounts.cells('all', p.row)})", p.tally.contender().everything if p.tally else 0)
            for p in persons
        ]
        everything = grid.add(to_say("All games"), sums, xl.points(rules.decimals), 10)
        places = PlaceColumns(self.scored, steps, name, ranked)
        if base.final:
            places.add_champion()
            if rules.bonuses.final_victory:
                plus.append(places.add_victory(extras, names["victory"]))
                steps.total = self.add_total(grid, persons, plus, minus, "Total")
        beside = self.add_beside(grid, persons, plus[1:], minus)
        outcome = places.add_places(taking_part)
        return WorkingColumns(accounts, base, name, steps.total, beside, ranked, everything, outcome, steps, extras)

    def add_beside(
        self, grid: xl.Grid, persons: Sequence[Person], plus: Sequence[xl.BookColumn], minus: Sequence[xl.BookColumn]
    ) -> xl.BookColumn:
        """Add the column of bonuses less penalties."""
        contents: list[xl.Content] = []
        for one in persons:
            formula = xl.sum_terms([column.cell(one.row) for column in plus])
            taken = "".join(f"-{column.cell(one.row)}" for column in minus)
            contents.append(
                xl.LiveFormula(f"{formula}{taken}", one.tally.exact - one.tally.weighted if one.tally else 0)
            )
        return grid.add(to_say("Extras"), contents, xl.AMOUNT, 9)

    def add_total(
        self,
        grid: xl.Grid,
        persons: Sequence[Person],
        plus: Sequence[xl.BookColumn],
        minus: Sequence[xl.BookColumn],
        head: str = "",
    ) -> xl.BookColumn:
        """Boards and bonuses less penalties; without a head, as it is before the title's bonus is added."""
        rules = self.scored.rules
        first = bool(rules.bonuses.final_victory) and not head
        contents: list[xl.Content] = []
        for one in persons:
            value = _before_victory(one, rules) if first else one.tally.total if one.tally else Fraction()
            contents.append(xl.LiveFormula(extra_columns.total_formula(rules, one.row, plus, minus), value))
        look = xl.points(rules.decimals).but(bold=True)
        return grid.add(to_say("Before title") if first else to_say("Total"), contents, look, 11)

    def add_games(self, accounts: Accounts) -> extra_columns.Base:
        """The games, which of them count, their weights and their sum."""
        rules = self.scored.rules
        accounts.add_game_rows()
        rounds = accounts.add_rounds()
        final = self.add_final(accounts) if rules.final else None
        accounts.add_kept(rounds, final, self.results)
        self.config.section(to_say("Games that count"))
        accounts.add_order(self.weighted_slots(accounts), final)
        qualifying_weights = None
        if accounts.adds_final and rules.final:
            weights = rules.final.qualifying_weights
            qualifying_weights = enter_weights(
                self.config,
                "Qualifying_weights",
                to_say("Finalists' weights"),
                weights,
                "totals.final.qualifying_weights",
            )
        accounts.add_weights(final, qualifying_weights, self.raises(accounts))
        return extra_columns.Base(rounds, final, accounts.add_weighted())

    def weighted_slots(self, accounts: Accounts) -> list[WeightedSlots]:
        """The games that are sorted and weighted together: all, or those of each group of rounds."""
        totals, stage = self.scored.rules.totals, whole_event(self.scored.rules)
        if not totals.groups:
            weights = enter_weights(self.config, "Weights", to_say("Weights"), totals.weights, "totals.weights")
            return [WeightedSlots(accounts.slots, *weights)]
        by_number = []
        for rounds, weights_of in weighted_rounds(stage, self.games_sheet.event.rounds):
            number = next((n for n, group in enumerate(totals.groups) if rounds[0] in group.rounds), len(totals.groups))
            label = wording("Weights from round {round}", round=rounds[0])
            path = f"totals.groups[{number}].weights"
            weights = enter_weights(self.config, f"Weights_{number + 1}", label, weights_of, path)
            slots_of = tuple(slot for slot in accounts.slots if slot.round in rounds)
            by_number.append(WeightedSlots(slots_of, *weights))
        return by_number

    def raises(self, accounts: Accounts) -> dict[int, list[int]]:
        """The rounds that count more for the best so far, each with the numbers of the rankings that say who is."""
        raised: dict[int, list[int]] = {}
        for number in written_best(self.scored, accounts):
            best, path = self.scored.rules.totals.for_the_best[number - 1], _path_of_best(number)
            raised.setdefault(best.round, []).append(number)
            many = wording("Round {round} counts more: for so many", round=best.round)
            times = wording("Round {round} counts more: multiplied by", round=best.round)
            self.config.number(f"Best_{number}_players", Fraction(best.players), many, path)
            self.config.number(f"Best_{number}_times", best.times, times, path)
        return raised

    def add_final(self, accounts: Accounts) -> xl.BookColumn:
        """Where each player's game on the final table stands in the list of games."""
        flags, yes = [], self.page.word(YES)
        for seat in self.games_sheet.event.seats:
            final = self.results.column_named("Final").far(seat.first)
            number, done = self.games.player.cell(seat.row), self.games.done.cell(seat.row)
            own = self.games_sheet.event.numbers.get(seat.seat.player or "", 0)
            value = own if seat.board.is_final and seat.game else 0
            flags.append(xl.LiveFormula(f"IF(AND({final}={yes},{done}=1),{number},0)", value))
        column = self.games_sheet.grid.add(to_say("On final"), flags, xl.WHOLE, 7)
        contents = []
        for person in accounts.people:
            seats = [p.seat for p in person.slots.values() if p.seat.board.is_final]
            value = seats[0].row - HEAD_ROW if seats else 0
            index = f"MATCH({accounts.number_cell(person.row)},{column.there},0)"
            contents.append(xl.LiveFormula(f"IFERROR({index},0)", value))
        return accounts.grid.add(to_say("Final row"), contents, xl.WHOLE, 7)

    def add_extras(self, accounts: Accounts, base: extra_columns.Base, names: dict[str, str]) -> extra_columns.Extras:
        """Bonuses; their sheets are made on the way."""
        event, rules = self.games_sheet.event, self.scored.rules
        penalties = penalties_sheet(self.penalties, self.scored.event, rules, self.players, event.numbers)
        rounds = [
            (
                number,
                accounts.there("score", accounts.of_round(number)),
                [game.score for game in self.scored.games if game.round == number and game.player is not None],
            )
            for number in event.rounds
        ]
        bonuses = bonuses_sheet(self.bonuses, self.scored.event, rules, self.players, event.numbers, penalties, rounds)
        extras = extra_columns.Extras(
            accounts, rules, self.scored.event, self.players, bonuses, penalties, base, names, []
        )
        extras.fill()
        return extras

    def takes_part(self, person: Person, base: extra_columns.Base, extras: extra_columns.Extras) -> xl.LiveFormula:
        """1 for who has played, was replaced, or has a bonus or a penalty; before a game is over for nobody."""
        number, replaced = extras.number(person), self.results.column_named("Instead of")
        arrived = self.results.column_named("Arrived")
        conditions = [
            f"{base.rounds.cell(person.row)}>0",
            f"COUNTIF({extras.bonuses.player.there},{number})>0",
            f"COUNTIF({extras.penalties.player.there},{number})>0",
            f"SUMPRODUCT(EXACT({replaced.there},{self.players.name.far(person.row)})*({arrived.there}<>1)"
            f"*({self.games.done.there}=1))>0",
            *(
                f"{self.games.done.far(seat.row)}=1"
                for seat in self.games_sheet.event.seats
                if any(each.player == person.name for each in seat.seat.between)
            ),
        ]
        formula = f"IF(AND(SUM({self.games.done.there})>0,OR({','.join(conditions)})),1,0)"
        return xl.LiveFormula(formula, int(bool(self.scored.games) and person.tally is not None))

    def may_rank(self, person: Person, taking_part: xl.BookColumn) -> xl.LiveFormula:
        """The director and the excluded are scored and never ranked."""
        yes = self.page.word(YES)
        barred = f"{self.players.plays_as_director.far(person.row)}={yes},{self.players.excluded.far(person.row)}={yes}"
        value = int(bool(self.scored.games) and person.tally is not None and may_rank(person.tally))
        return xl.LiveFormula(f"IF(OR({taking_part.cell(person.row)}=0,{barred}),0,1)", value)


def _slots(workings: Workings) -> tuple[GameSlot, ...]:
    """Room for every player's games: one board a round, two where the rules speak of two."""
    event, rule = workings.games_sheet.event, workings.scored.rules.totals.two_boards
    boards = event.boards_a_round if rule is TwoBoards.ASK else max(2, event.boards_a_round)
    return tuple(GameSlot(number, nth) for number in event.rounds for nth in range(1, boards + 1))


def written_best(scored: Scored, accounts: Accounts) -> list[int]:
    """The numbers of the rankings for a round that counts more for the best, where it and one before it have boards."""
    played = {slot.round for slot in accounts.slots}
    return [
        number
        for number, best in enumerate(scored.rules.totals.for_the_best, start=1)
        if best.round in played and not played.isdisjoint(best.after)
    ]


# The sheets Final workings, Title workings and Best workings: the accounts of some rounds, from games to places.

FINAL_WORKINGS_SHEET = to_say("Final workings")
TITLE_WORKINGS = to_say("Title workings")
BEST_WORKINGS = to_say("Best workings")


class Qualifying(Struct, frozen=True):
    """Where the account of the qualifying rounds, or of a title's rounds, stands."""

    accounts: Accounts
    name: xl.BookColumn
    extras: xl.BookColumn
    total: xl.BookColumn
    order: xl.BookColumn  # sorts the list
    ranked: Ranked


class StageRanking(Struct, frozen=True, kw_only=True):
    """What a ranking by some rounds is made of."""

    about: str  # under the head of its sheet
    stage: Stage
    weights: tuple[str, str, str]  # their name in Config, their label, and their setting
    chain: Chain
    winners_first: bool  # whether who was alone at the top of a board is ahead
    contenders: Mapping[str, Contender]  # the engine's
    place: int = 0  # how many such rankings may come before it; 0: that for the final table
    name: str  # in headings of bonuses and penalties
    decided: str  # over the column that says by what

    @classmethod
    def of_final(cls, scored: Scored, final: Final) -> "StageRanking":
        """The ranking that decides who is on the final table."""
        stage = qualifying_stage(scored.rules, final)
        accounts = tallies(scored.event, scored.games, scored.rules, stage)
        may_sit = {name: tally for name, tally in accounts.items() if may_rank(tally) and tally.games}
        return cls(
            about=wording("The accounts of the qualifying rounds, as Workings has those of all rounds."),
            stage=stage,
            weights=("Qualifying_weights", to_say("Qualifying"), "totals.final.qualifying_weights"),
            chain=scored.rules.ties.qualifying,
            winners_first=final.winners_first,
            contenders={name: seat_contender(tally, final) for name, tally in may_sit.items()},
            name=to_say("before final"),
            decided=to_say("Seat decided by"),
        )

    @classmethod
    def of_title(cls, scored: Scored, title: TitleRanking, number: int) -> "StageRanking":
        """The ranking that makes a further title."""
        return cls(
            about=wording("The ranking for the title {title}, as Workings has the first one.", title=title.rules.title),
            stage=title_stage(scored.rules, title.rules),
            weights=(f"Title_{number}_weights", title.rules.title, f"awards.titles[{number - 1}].weights"),
            chain=title.rules.ties,
            winners_first=False,
            contenders={one.contender.name: one.contender for one in title.ranking},
            place=number,
            name=wording("for title {number}", number=number),
            decided=TITLE_DECIDED,
        )

    @classmethod
    def of_best(cls, scored: Scored, best: BestSoFar, number: int) -> "StageRanking":
        """The ranking that says for whom a later round counts more."""
        rules = best.rules
        return cls(
            about=wording(
                "Who is among the best {players} before round {round}, which counts more for them.",
                players=rules.players,
                round=rules.round,
            ),
            stage=best_stage(scored.rules, rules),
            weights=(
                f"Best_{number}_weights",
                wording("Before round {round}", round=rules.round),
                f"{_path_of_best(number)}.weights",
            ),
            chain=rules.ties,
            winners_first=False,
            contenders={one.contender.name: one.contender for one in best.ranking},
            place=len(scored.rules.awards.titles) + number,
            name=wording("for best {number}", number=number),
            decided=to_say("Best decided by"),
        )


def _path_of_best(number: int) -> str:
    return f"totals.for_the_best[{number - 1}]"


class FinalWorkings(Struct):
    """The sheet of a ranking by some rounds while it is being made: that for the final table, or for a title."""

    page: xl.Page
    scored: Scored
    asked: StageRanking
    workings: WorkingColumns
    config: Config
    bonuses: xl.Page
    penalties: xl.Page

    def fill(self) -> Qualifying:
        """Fill it: the account of every player in these rounds."""
        self.page.is_wide = self.page.landscape = True
        self.page.freeze, self.page.repeat, self.page.beside = f"C{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", "A:B"
        self.page.put(1, 1, self.page.name, xl.TITLE)
        self.page.put(2, 1, self.asked.about, xl.SUBTITLE)
        rules, of_all, stage = self.scored.rules, self.workings.accounts, self.asked.stage
        accounts_of = tallies(self.scored.event, self.scored.games, rules, stage)
        grid = xl.Grid(self.page, HEAD_ROW, len(of_all.people))
        persons = people(self.workings.steps.games_sheet.event, accounts_of, rules, grid.first)
        chosen = tuple(slot for slot in of_all.slots if stage.rounds is None or slot.round in stage.rounds)
        chooses = replace(rules, totals=replace(rules.totals, rounds=stage.chooses_after))
        accounts = Accounts(grid, chosen, persons, self.workings.steps.games, chooses)
        grid.add(to_say("No"), [one.number for one in persons], xl.WHOLE, 5)
        name = grid.add(
            to_say("Player"), [xl.LiveFormula(self.workings.name.far(p.row), p.name) for p in persons], xl.TEXT, 26
        )
        for slot in chosen:
            there = of_all.block("row")[of_all.slots.index(slot)]
            accounts.add(
                "row",
                "Row",
                slot,
                [xl.LiveFormula(there.far(p.row), accounts.find_row(p, slot).value) for p in persons],
            )
        for slot in chosen:
            there = of_all.block("score")[of_all.slots.index(slot)]
            contents = [xl.LiveFormula(there.far(p.row), accounts.score(p, slot).value) for p in persons]
            accounts.add("score", to_say("Score"), slot, contents, is_score=True)
        rounds = accounts.add_rounds()
        accounts.add_kept(rounds, None, self.workings.steps.results)
        accounts.add_order([WeightedSlots(chosen, *self.weights(accounts))], None)
        accounts.add_weights(None)
        weighted = accounts.add_weighted()
        extras = self.add_extras(accounts, extra_columns.Base(rounds, None, weighted))
        total = self.add_total(accounts, weighted, extras)
        ranked = self.rank(accounts, name, rounds, total)
        order: list[xl.Content] = [
            xl.LiveFormula(
                f'IF({ranked.place.cell(p.row)}=0,"",{ranked.place.cell(p.row)}*{ORDER}+{accounts.number_cell(p.row)})',
                ranked.places[p.row] * ORDER + p.number if p.row in ranked.places else "",
            )
            for p in persons
        ]
        return Qualifying(accounts, name, extras, total, grid.add(to_say("Sequence"), order, xl.WHOLE, 10), ranked)

    def weights(self, accounts: Accounts) -> tuple[str, Weights]:
        """The table of weights on Config; Workings has entered it where finalists' totals need it, too."""
        name, label, setting = self.asked.weights
        if accounts.adds_final and self.asked.place == 0:
            return name, self.asked.stage.weights
        return enter_weights(self.config, name, label, self.asked.stage.weights, setting)

    def add_extras(self, accounts: Accounts, base: extra_columns.Base) -> xl.BookColumn:
        """Bonuses less penalties of these rounds."""
        whole, event, rules = self.workings.extras, self.scored.event, self.scored.rules
        stage = self.asked.stage
        of = extra_columns.StageColumns(stage, self.asked.place, self.asked.name)
        penalties = extra_columns.stage_penalties(self.penalties, whole.penalties, event, of)
        bonuses = extra_columns.stage_bonuses(self.bonuses, whole.bonuses, penalties, event, rules, of)
        own = replace(
            whole, accounts=accounts, results=extra_columns.within(event, stage), bonuses=bonuses, penalties=penalties,
            base=base, columns=[],
        )  # fmt: skip
        own.fill()
        taken, lost = own.add_penalties()
        contents: list[xl.Content] = []
        for person in accounts.people:
            plus = xl.sum_terms([column.cell(person.row) for column in (*own.columns, *([lost] if lost else []))])
            tally = person.tally
            value = tally.exact - tally.weighted if tally else Fraction()
            contents.append(xl.LiveFormula(f"{plus}-{taken.cell(person.row)}", value))
        return accounts.grid.add(to_say("Extras"), contents, xl.AMOUNT, 9)

    def add_total(self, accounts: Accounts, weighted: xl.BookColumn, extras: xl.BookColumn) -> xl.BookColumn:
        """Board scores, bonuses and penalties, rounded as the rules say."""
        rounding, contents = self.scored.rules.totals.rounding, []
        for person in accounts.people:
            formula = rounding_formula(f"({weighted.cell(person.row)}+{extras.cell(person.row)})", rounding)
            contents.append(xl.LiveFormula(formula, person.tally.total if person.tally else 0))
        return accounts.grid.add(to_say("Total"), contents, xl.points(self.scored.rules.decimals).but(bold=True), 11)

    def rank(
        self,
        accounts: Accounts,
        name: xl.BookColumn,
        rounds: xl.BookColumn,
        total: xl.BookColumn,
    ) -> Ranked:
        """Places by the totals, then by the tie-breaks for the last seat or for the title."""
        asked = self.asked
        may_sit = {p.row: one for p in accounts.people if (one := asked.contenders.get(p.name))}
        flags: list[xl.Content] = [
            xl.LiveFormula(
                f"IF(AND({self.workings.ranked.far(p.row)}=1,{rounds.cell(p.row)}>0),1,0)", int(p.row in may_sit)
            )
            for p in accounts.people
        ]
        eligible = accounts.grid.add(to_say("Ranked"), flags, xl.WHOLE, 8)
        of_all = self.workings.steps
        steps = Steps(
            accounts=accounts,
            games_sheet=of_all.games_sheet,
            games=of_all.games,
            game_accounts=None,
            players=of_all.players,
            results=of_all.results,
            event=self.scored.event,
            final=None,
            total=total,
            keys=of_all.keys,
            nobodys=accounts.add_nobodys(name, of_all.results, self.scored.event, asked.stage.rounds),
        )
        steps.prepare(asked.chain)
        totals = {person.name: person.tally.total for person in accounts.people if person.tally}
        among = FieldOfPlayers(totals=totals, lots=self.scored.event.lots)
        won = accounts.add_boards_won() if asked.winners_first else None
        ranking = Ranking.of(accounts.grid, name, may_sit, among, steps.chain(asked.chain))
        return ranking.fill(eligible, total, asked.decided, won)
