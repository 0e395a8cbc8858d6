"""What a game counts for in its player's account, beside the game; and where tied players met."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.workbook.games.games_sheet import SLOT_PER_ROUND, GameColumns, GamesSheet
from pipeline.workbook.inputs.seats import SeatRow
from pipeline.workbook.workings.account_columns import Accounts
from pipeline.workbook.workings.accounts import Person, Slot, is_kept, weight_of
from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.formula import unless_zero
from pipeline.workbook.xlsx.page import Content, LiveFormula
from pipeline.workbook.xlsx.styles import SMALL, WHOLE, points


@dataclass(frozen=True, slots=True)
class GameAccounts:
    """Where it stands on the Games sheet."""

    kept: BookColumn  # 1 where the game belongs to the account
    weight: BookColumn
    weights: Mapping[int, Fraction]  # the engine's, by row


def add_game_accounts(sheet: GamesSheet, games: GameColumns, accounts: Accounts) -> GameAccounts:
    """Look both up in the player's row of Workings."""
    rounds = ",".join(str(number) for number in sheet.event.rounds)
    slots = own_slots(accounts.people)
    boards = len(accounts.of_round(sheet.event.rounds[0]))
    kept: list[Content] = []
    weights: list[Content] = []
    values: dict[int, Fraction] = {}
    for seat in sheet.event.seats:
        key, player = games.slot.cell(seat.row), games.player.cell(seat.row)
        nth_round = f"MATCH({games.round.cell(seat.row)},{{{rounds}}},0)"
        column = f"({nth_round}-1)*{boards}+MOD({key},{SLOT_PER_ROUND})"
        found = slots.get(seat.row)
        kept.append(LiveFormula(looked_up(accounts, "kept", key, player, column), int(is_kept(*found)) if found else 0))
        values[seat.row] = weight_of(*found) if found else Fraction()
        weights.append(LiveFormula(looked_up(accounts, "weight", key, player, column), values[seat.row]))
    return GameAccounts(
        sheet.grid.add("Kept", kept, WHOLE, 7),
        sheet.grid.add("Weight", weights, WHOLE.but(form="General"), 8),
        values,
    )


def looked_up(accounts: Accounts, block: str, key: str, player: str, column: str) -> str:
    """Something of the player's account in the game's slot, 0 for a game without a player."""
    first, last = accounts.block(block)[0].there, accounts.block(block)[-1].here
    area = f"{first.partition(':')[0]}:{last.rpartition(':')[2]}"
    return unless_zero(key, f"INDEX({area},{player},{column})")


def own_slots(people: Sequence[Person]) -> dict[int, tuple[Person, Slot]]:
    """Each game's player and slot, by the game's row."""
    return {placed.seat.row: (person, slot) for person in people for slot, placed in person.slots.items()}


@dataclass(slots=True)
class Meetings:
    """Games in which somebody met another of those he is level with so far."""

    sheet: GamesSheet
    games: GameColumns
    seats: GameAccounts
    score: BookColumn | None = None  # of such a game, 0 of every other

    def begin(self, places: BookColumn, values: Mapping[int, int]) -> None:
        """Look at the places so far. ``values`` are the engine's, by row of Workings."""
        rows = self.sheet.event.seats
        sitting = {seat.row: self.place_of(seat, places, values) for seat in rows}
        numbers = self.games.player
        contents: list[Content] = []
        for seat in rows:
            number = numbers.cell(seat.row)
            contents.append(LiveFormula(unless_zero(number, f"INDEX({places.there},{number})"), sitting[seat.row]))
        place = self.sheet.grid.add("Place so far", contents, SMALL, 8)
        scores: list[Content] = []
        for seat in rows:
            own, number = place.cell(seat.row), numbers.cell(seat.row)
            block = place.rows(seat.first, seat.last), numbers.rows(seat.first, seat.last)
            others = f"SUMPRODUCT(({block[0]}={own})*({block[1]}<>{number}))"
            counts = f"AND({self.seats.weight.cell(seat.row)}<>0,{others}>0)"
            formula = unless_zero(own, f"IF({counts},{self.games.score.cell(seat.row)},0)")
            scores.append(LiveFormula(formula, self.met_score(seat, sitting)))
        self.score = self.sheet.grid.add("Met score", scores, points(6), 11)

    def place_of(self, seat: SeatRow, places: BookColumn, values: Mapping[int, int]) -> int:
        """The engine's place so far of who sits there; 0 for nobody who is ranked."""
        number = self.sheet.event.numbers.get(seat.seat.player or "", 0)
        return values.get(places.first + number - 1, 0) if number else 0

    def met_score(self, seat: SeatRow, sitting: Mapping[int, int]) -> Fraction:
        """The score of a game in which the player met one he is level with, else 0."""
        own = sitting[seat.row]
        weight = self.seats.weights.get(seat.row, Fraction())
        others = [row for row in range(seat.first, seat.last + 1) if row != seat.row and sitting[row] == own]
        return seat.game.score if seat.game and own and weight and others else Fraction()
