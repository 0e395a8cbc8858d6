"""What the program's own scoring gives each player for each game: the values beside the formulas of Workings."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from operator import attrgetter

from msgspec import Struct, field

from pipeline.scoring.results import EventResults
from pipeline.scoring.rules import FinalTotal, ScoringRules, TwoBoards, Weights
from pipeline.scoring.system import Replacement
from pipeline.scoring.tally import Counted, Tally
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.games_sheet import SLOT_PER_PLAYER, SLOT_PER_ROUND, GameColumns
from pipeline.workbook.input_sheets import PLAYER, YES, ResultColumns
from pipeline.workbook.seats import Config, ScoredEvent, SeatRow


class GameSlot(Struct, frozen=True):
    """One game of a player, as a place in the table: the first, second, ... board of a round."""

    round: int
    nth: int

    @property
    def key(self) -> int:
        """The offset of this slot in a game's key, which is the player's part plus it."""
        return self.round * SLOT_PER_ROUND + self.nth

    @property
    def name(self) -> str:
        """Its name in column headings.

        >>> GameSlot(2, 1).name, GameSlot(2, 2).name
        ('R2', 'R2 board 2')
        """
        if self.nth == 1:
            return wording("R{round}", round=self.round)
        return wording("R{round} board {board}", round=self.round, board=self.nth)


class WeightedSlots(Struct, frozen=True):
    """Slots, side by side, whose games are sorted together, from best to worst, and weighted by one table."""

    slots: tuple[GameSlot, ...]
    name: str  # of the table on Config
    weights: Weights


class AccountGame(Struct, frozen=True):
    """A slot's game in one player's account, as the engine has it."""

    seat: SeatRow
    counted: Counted | None  # None: it is no part of the account
    is_final: bool  # it counts in full beside the qualifying games


class Person(Struct, frozen=True):
    """One row of Workings: what the program's own scoring gives the player."""

    row: int
    number: int
    name: str
    tally: Tally | None  # None: no game, no bonus and no penalty
    slots: Mapping[GameSlot, AccountGame]

    @property
    def plays_final(self) -> bool:
        """Whether the player was on the final table."""
        return self.tally is not None and self.tally.is_finalist


def is_kept(person: Person, slot: GameSlot) -> bool:
    """Whether the engine has the game in the account."""
    placed = person.slots.get(slot)
    return placed is not None and placed.counted is not None and not placed.counted.is_dropped


def weight_of(person: Person, slot: GameSlot) -> Fraction:
    """The engine's weight of a game."""
    placed = person.slots.get(slot)
    return placed.counted.weight if placed and placed.counted else Fraction()


def _sorted_slots(person: Person) -> list[GameSlot]:
    """The kept games that are sorted from best to worst, best first."""
    kept = [slot for slot, placed in person.slots.items() if is_kept(person, slot) and not placed.is_final]
    games = {slot: person.slots[slot].seat.game for slot in kept}
    return sorted(kept, key=lambda slot: (-(game.score if (game := games[slot]) else 0), slot.round, slot.nth))


def people(event: ScoredEvent, tallies: Mapping[str, Tally], rules: ScoringRules, first_row: int) -> tuple[Person, ...]:
    """Every player's row, with the engine's account of each game."""
    adds_final = rules.final is not None and rules.final.total is FinalTotal.QUALIFYING_PLUS_FINAL
    persons = []
    for number, player in enumerate(event.players, start=1):
        tally = tallies.get(player.name)
        slots = _slots_of(event, player.name, tally, adds_final=adds_final)
        persons.append(Person(first_row + number - 1, number, player.name, tally, slots))
    return tuple(persons)


def _slots_of(event: ScoredEvent, name: str, tally: Tally | None, *, adds_final: bool) -> dict[GameSlot, AccountGame]:
    """One player's games, each in its slot."""
    seats = [seat for seat in event.of(name) if seat.game]
    by_board = {one.game.board.spot: one for one in tally.games} if tally else {}
    final = tally.final if tally and adds_final else None
    counts: dict[int, int] = {}
    slots = {}
    for seat in seats:
        number = seat.board.round
        counts[number] = counts.get(number, 0) + 1
        is_final = final is not None and final.board is seat.board
        slots[GameSlot(number, counts[number])] = AccountGame(seat, by_board.get(seat.board.spot), is_final)
    return slots


# The first part of Workings: each player's games side by side, which of them count, with which weight.

INDEX_WIDTH, SCORE_WIDTH = 6.5, 9.5


class Accounts(Struct, dict=True):
    """The columns while they are being made, and where they stand."""

    grid: xl.Grid
    slots: tuple[GameSlot, ...]
    people: tuple[Person, ...]
    games: GameColumns
    rules: ScoringRules
    blocks: dict[str, list[xl.BookColumn]] = field(default_factory=dict)  # one column a slot
    sorted_slots: list[tuple[WeightedSlots, xl.BookColumn]] = field(
        default_factory=list
    )  # each with its count of games
    label: Callable[[GameSlot], str] = attrgetter("name")  # the name of a slot in column headings

    @cached_property
    def visible_slots(self) -> Sequence[GameSlot]:
        """The slots that lists show: the first board of every round, and further ones where somebody played them."""
        used = {slot for person in self.people for slot in person.slots}
        return [slot for slot in self.slots if slot.nth == 1 or slot in used]

    def block(self, name: str) -> list[xl.BookColumn]:
        return self.blocks[name]

    def cells(self, name: str, row: int, slots: Sequence[GameSlot] = ()) -> str:
        """The cells of one player in one block, or in some neighbouring slots of it."""
        first, last = self._ends(name, slots)
        return xl.across(row, first.number, last.number)

    def _ends(self, name: str, slots: Sequence[GameSlot]) -> tuple[xl.BookColumn, xl.BookColumn]:
        """The first and the last column of some neighbouring slots of one block, or of all."""
        columns = self.blocks[name]
        if not slots:
            return columns[0], columns[-1]
        return columns[self.slots.index(slots[0])], columns[self.slots.index(slots[-1])]

    def area(self, name: str, slots: Sequence[GameSlot] = ()) -> str:
        """The cells of all players in some neighbouring slots of one block."""
        first, last = self._ends(name, slots)
        return (
            f"{xl.column_range(first.number, first.first, first.last).partition(':')[0]}:{last.here.rpartition(':')[2]}"
        )

    def there(self, name: str, slots: Sequence[GameSlot]) -> str:
        """The same area as other sheets name it."""
        return f"{xl.quote_sheet(self.grid.page.title)}!{self.area(name, slots)}"

    def of_round(self, number: int) -> list[GameSlot]:
        return [slot for slot in self.slots if slot.round == number]

    @property
    def adds_final(self) -> bool:
        """Whether a finalist's last game counts in full beside the qualifying ones (EDC96)."""
        final = self.rules.final
        return final is not None and final.total is FinalTotal.QUALIFYING_PLUS_FINAL

    def add(
        self, block: str, head: str, slot: GameSlot, contents: Sequence[xl.Content], *, is_score: bool = False
    ) -> None:
        """Fill the column of one slot."""
        says = self.grid.page.speech.says
        name = f"{says(head)} {says(self.label(slot))}".strip()
        look = xl.points(self.rules.decimals) if is_score else xl.WHOLE.but(form="General")  # a weight may be a half
        column = self.grid.add(name, contents, look, SCORE_WIDTH if is_score else INDEX_WIDTH)
        self.blocks.setdefault(block, []).append(column)

    def add_game_rows(self) -> None:
        """The row of each game in the list of games, and its score."""
        for slot in self.slots:
            self.add("row", to_say("Row"), slot, [self.find_row(person, slot) for person in self.people])
        for slot in self.slots:
            self.add(
                "score", to_say("Score"), slot, [self.score(person, slot) for person in self.people], is_score=True
            )

    def find_row(self, person: Person, slot: GameSlot) -> xl.LiveFormula:
        """Where a player's game stands in the list of games, 0 for none."""
        key = f"{self.number_cell(person.row)}*{SLOT_PER_PLAYER}+{slot.key}"
        placed = person.slots.get(slot)
        value = placed.seat.row - self.games.slot.first + 1 if placed else 0
        return xl.LiveFormula(f"IFERROR(MATCH({key},{self.games.slot.there},0),0)", value)

    def number_cell(self, row: int) -> str:
        """The player's number, which is in the first column."""
        return f"$A{row}"

    def score(self, person: Person, slot: GameSlot) -> xl.LiveFormula:
        """The game's score, nothing where there is none."""
        index = self.block("row")[self.slots.index(slot)].cell(person.row)
        placed = person.slots.get(slot)
        game = placed.seat.game if placed else None
        return xl.LiveFormula(f'IF({index}=0,"",INDEX({self.games.score.there},{index}))', game.score if game else "")

    def add_rounds(self) -> xl.BookColumn:
        firsts = [slot for slot in self.slots if slot.nth == 1]
        columns = [self.block("row")[self.slots.index(slot)] for slot in firsts]
        contents = [
            xl.LiveFormula(
                xl.sum_terms([f"({column.cell(person.row)}>0)*1" for column in columns]),  # of one round alone, no TRUE
                sum(slot in person.slots for slot in firsts),
            )
            for person in self.people
        ]
        return self.grid.add(to_say("Rounds"), contents, xl.WHOLE, 8)

    def add_nobodys(
        self, name: xl.BookColumn, results: ResultColumns, event: EventResults, rounds: frozenset[int] | None = None
    ) -> xl.BookColumn | None:
        """How many games a player gave up whose points go to nobody, in some rounds or all; None if they do not.

        The sheet of results names whose seat it was at first; those who came between are counted beside it.
        """
        if self.rules.system.replacement is not Replacement.NOBODY:
            return None
        before, arrived = (results.column_named(head).there for head in ("Instead of", "Arrived"))
        now = results.column(PLAYER).there
        within = f"*({_one_of_numbers(self.games.round.there, rounds)})" if rounds is not None else ""
        boards = [board for board in event.boards if rounds is None or board.round in rounds]
        between = Counter(
            name
            for board in boards
            for seat in board.seats.values()
            for name in seat.leavers
            if name != seat.instead_of
        )
        contents = [
            xl.LiveFormula(
                f"SUMPRODUCT(EXACT({before},{name.cell(person.row)})*(1-EXACT({now},{name.cell(person.row)}))"
                f"*({arrived}<>1)*({self.games.done.there}=1){within})"
                + (f"+{between[person.name]}" if between[person.name] else ""),
                person.tally.nobodys if person.tally else 0,
            )
            for person in self.people
        ]
        return self.grid.add(to_say("Given up"), contents, xl.WHOLE, 8)

    def add_wins(self) -> xl.BookColumn:
        """How many kept games the player has won outright."""
        return self.add_counted("Wins", [(self.games.outcome, 4)], attrgetter("wins"))

    def add_boards_won(self) -> xl.BookColumn:
        """1 for a player who was alone at the top of a board."""
        return self.add_counted(
            "Won a board",
            [(self.games.above, 0), (self.games.equal, 1)],
            lambda tally: int(tally.boards_won > 0),
            most=1,
        )

    def add_counted(
        self,
        head: str,
        wanted: Sequence[tuple[xl.BookColumn, int]],
        value: Callable[[Tally], int],
        most: int = 0,
    ) -> xl.BookColumn:
        """How many kept games have certain values on the Games sheet, at most ``most``."""
        contents: list[xl.Content] = []
        for person in self.people:
            terms = []
            for kept, index in zip(self.block("kept"), self.block("row"), strict=True):
                row = index.cell(person.row)
                tests = [f"INDEX({column.there},{row})={number}" for column, number in wanted]
                terms.append(f"IF({kept.cell(person.row)}=1,IF({xl.all_of(tests)},1,0),0)")
            formula = xl.sum_terms(terms) if not most else f"MIN({xl.sum_terms(terms)},{most})"
            contents.append(xl.LiveFormula(formula, value(person.tally) if person.tally else 0))
        return self.grid.add(head, contents, xl.WHOLE, 7)

    def add_kept(self, rounds: xl.BookColumn, final: xl.BookColumn | None, results: ResultColumns) -> None:
        """Whether each game belongs to the account at all."""
        for slot in self.slots:
            contents = [
                xl.LiveFormula(self.kept_formula(slot, person.row, rounds, final, results), int(is_kept(person, slot)))
                for person in self.people
            ]
            self.add("kept", to_say("Kept"), slot, contents)

    def kept_formula(
        self, slot: GameSlot, row: int, rounds: xl.BookColumn, final: xl.BookColumn | None, results: ResultColumns
    ) -> str:
        """A game is kept unless the other board of its round counts, or it is no part of a finalist's total."""
        index = self.block("row")[self.slots.index(slot)].cell(row)
        conditions = [f"{index}>0"]
        if second := self.second_board(slot, row, rounds, results):
            conditions.append(second)
        kept = f"IF({xl.all_of(conditions)},1,0)"
        if final is None or not self.adds_final or self.rules.final is None:
            return kept
        if slot.round not in self.rules.final.qualifying_rounds:
            kept = f"IF({final.cell(row)}>0,0,{kept})"
        return f"IF({xl.all_of([f'{index}>0', f'{index}={final.cell(row)}'])},1,{kept})"

    def second_board(self, slot: GameSlot, row: int, rounds: xl.BookColumn, results: ResultColumns) -> str:
        """Whether this one of several boards in a round is the one that counts; empty where all do."""
        others = self.of_round(slot.round)
        rule = self.rules.totals.two_boards
        if len(others) < 2 or rule is TwoBoards.BOTH:
            return ""
        if rule is TwoBoards.ASK:
            return self.chosen(slot, row, others, "TRUE", results)
        scores = self.cells("score", row, others)
        own = self.block("score")[self.slots.index(slot)].cell(row)
        best = [f"{own}=MAX({scores})"]
        if slot.nth > 1:
            best.append(f"COUNTIF({self.cells('score', row, others[: slot.nth - 1])},{own})=0")
        if rule is TwoBoards.HIGHER:
            return xl.all_of(best)
        chosen = self.chosen(slot, row, others, xl.all_of(best), results)
        return f"IF({rounds.cell(row)}={self.rules.totals.rounds},{chosen},TRUE)"

    def chosen(self, slot: GameSlot, row: int, others: Sequence[GameSlot], best: str, results: ResultColumns) -> str:
        """Whether the player chose this board; ``best`` where no choice is noted."""
        counts = results.column_named("Counts")
        marks = []
        for other in others:
            index = self.block("row")[self.slots.index(other)].cell(row)
            marks.append(f"IF({index}=0,FALSE,INDEX({counts.there},{index})={self.grid.page.word(YES)})")
        own = marks[slot.nth - 1]
        earlier = f"AND({own},NOT({_one_of(marks[: slot.nth - 1])}))" if slot.nth > 1 else own
        return f"IF({_one_of(marks)},{earlier},{best})"

    def add_order(self, parts: Sequence[WeightedSlots], final: xl.BookColumn | None) -> None:
        """The rank of each kept game among those that are sorted together, 1 for the best, and how many there are."""
        counts = []
        for part in parts:
            ordered = [
                (person, [slot for slot in _sorted_slots(person) if slot in part.slots]) for person in self.people
            ]
            for slot in part.slots:
                contents = [
                    xl.LiveFormula(
                        self.order_formula(slot, part.slots, person.row, final),
                        order.index(slot) + 1 if slot in order else 0,
                    )
                    for person, order in ordered
                ]
                self.add("order", to_say("Best no"), slot, contents)
            counts.append([(person.row, len(order)) for person, order in ordered])
        for part, of_people in zip(parts, counts, strict=True):
            count: list[xl.Content] = [
                xl.LiveFormula(f'COUNTIF({self.cells("order", row, part.slots)},">0")', games)
                for row, games in of_people
            ]
            head = "Games" if len(parts) == 1 else f"Games {part.slots[0].name} on"
            self.sorted_slots.append((part, self.grid.add(head, count, xl.WHOLE, 7)))

    def order_formula(self, slot: GameSlot, among: Sequence[GameSlot], row: int, final: xl.BookColumn | None) -> str:
        """One more than the kept games with a higher score, and the earlier ones with the same."""
        index, before = self.slots.index(slot), among[: among.index(slot)]
        own, score = self.block("kept")[index].cell(row), self.block("score")[index].cell(row)
        kept, scores = self.cells("kept", row, among), self.cells("score", row, among)
        in_row = f"{own}=0"
        others = f"({kept}=1)"
        if self.adds_final and final is not None:
            rows = self.cells("row", row, among)
            in_row = f"OR({own}=0,{self.block('row')[index].cell(row)}={final.cell(row)})"
            others = f"({kept}=1)*({rows}<>{final.cell(row)})"
        formula = f"1+SUMPRODUCT({others}*({scores}>{score}))"
        if before:
            earlier = others.replace(kept, self.cells("kept", row, before))
            if self.adds_final:
                earlier = earlier.replace(self.cells("row", row, among), self.cells("row", row, before))
            formula += f"+SUMPRODUCT({earlier}*({self.cells('score', row, before)}={score}))"
        return f"IF({in_row},0,{formula})"

    def add_weights(
        self,
        final: xl.BookColumn | None,
        qualifying: tuple[str, Weights] | None = None,
        raises: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        """The weight of each game: by how many were played, and by its rank among them.

        ``raises``: rounds that count more for the best, each with the numbers of the rankings that say who is.
        """
        for part, games in self.sorted_slots:
            for slot in part.slots:
                index = self.slots.index(slot)
                contents: list[xl.Content] = []
                for person in self.people:
                    order = self.block("order")[index].cell(person.row)
                    formula = _weight_formula(part.name, part.weights, games.cell(person.row), order)
                    if qualifying and final is not None:
                        last, row = final.cell(person.row), self.block("row")[index].cell(person.row)
                        by_rank = _weight_formula(*qualifying, games.cell(person.row), order)
                        formula = f"IF({last}=0,{formula},IF({row}={last},1,{by_rank}))"
                    for number in raises.get(slot.round, ()) if raises else ():
                        formula += f"*{self.raise_formula(number, person.row)}"
                    contents.append(xl.LiveFormula(formula, weight_of(person, slot)))
                self.add("weight", to_say("Weight"), slot, contents)

    def raise_formula(self, number: int, row: int) -> str:
        """What the games of one of the best so far count for, by a ranking on a sheet of its own; 1 for others."""
        place = f"INDEX(Best_{number},{self.number_cell(row)})"
        return f"IF(AND({place}>0,{place}<=Best_{number}_players),Best_{number}_times,1)"

    def add_weighted(self) -> xl.BookColumn:
        """The weighted sum of the games."""
        contents = []
        for person in self.people:
            pairs = zip(self.block("weight"), self.block("score"), strict=True)
            formula = xl.sum_terms(
                [f"{weight.cell(person.row)}*N({score.cell(person.row)})" for weight, score in pairs]
            )
            contents.append(xl.LiveFormula(formula, person.tally.weighted if person.tally else 0))
        return self.grid.add(to_say("Boards"), contents, xl.AMOUNT, 11)

    def add_scores(self, block: str, head: str, flag: str) -> None:
        """The scores of the games that a flag marks, and nothing for the others."""
        for slot in self.slots:
            index = self.slots.index(slot)
            contents = []
            for person in self.people:
                mark, score = self.block(flag)[index].cell(person.row), self.block("score")[index].cell(person.row)
                placed = person.slots.get(slot)
                marked = weight_of(person, slot) != 0 if flag == "weight" else is_kept(person, slot)
                value: xl.Content = placed.seat.game.score if placed and placed.seat.game and marked else ""
                contents.append(
                    xl.LiveFormula(f'IF({mark}=0,"",{score})', value if not isinstance(value, xl.LiveFormula) else "")
                )
            self.add(block, head, slot, contents, is_score=True)


def _one_of(conditions: Sequence[str]) -> str:
    """Join conditions of which one is enough."""
    return conditions[0] if len(conditions) == 1 else f"OR({','.join(conditions)})"


def _weight_formula(name: str, weights: Weights, games: str, order: str) -> str:
    """The formula of a game's weight, looked up in the rules' table (best games first).

    Without one every game counts in full.
    """
    if not weights.rows:
        return f"IF({order}=0,0,1)"
    width = max(len(row) for row in weights.rows)
    row = f"MIN({games},{len(weights.rows)})"
    return f"IF(OR({order}=0,{order}>{width}),0,INDEX({name},{row},{order}))"


def enter_weights(config: Config, name: str, label: str, weights: Weights, rule: str) -> tuple[str, Weights]:
    if not weights.rows:
        return name, weights
    last = len(weights.rows)
    says, label = config.page.speech.says, config.page.speech.says(label)
    labels = [
        *(says("{label}, {count:game|games} played", label=label, count=n) for n in range(1, last)),
        says("{label}, {count} or more games played", label=label, count=last),
    ]
    return config.table(name, weights.rows, labels, rule), weights


def _one_of_numbers(cells: str, numbers: Iterable[int]) -> str:
    """A formula that is not 0 where a cell has one of some numbers."""
    return "+".join(f"({cells}={number})" for number in sorted(numbers)) or "0"
