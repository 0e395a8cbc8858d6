"""What the engine says of each player's games, slot by slot: the values that stand beside the formulas of Workings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.totals.counting import Counted
from pipeline.scoring.totals.rules import FinalTotal, ScoringRules
from pipeline.scoring.totals.tally import Tally
from pipeline.workbook.games.games_sheet import SLOT_PER_ROUND
from pipeline.workbook.inputs.seats import ScoredEvent, SeatRow


@dataclass(frozen=True, slots=True)
class Slot:
    """Room for one game of a player: the first, second, ... board of a round."""

    round: int
    nth: int

    @property
    def key(self) -> int:
        """What it adds to the player's part of a game's key."""
        return self.round * SLOT_PER_ROUND + self.nth

    @property
    def name(self) -> str:
        """What heads call it.

        >>> Slot(2, 1).name, Slot(2, 2).name
        ('R2', 'R2 board 2')
        """
        return f"R{self.round}" + ("" if self.nth == 1 else f" board {self.nth}")


@dataclass(frozen=True, slots=True)
class AccountGame:
    """A slot's game in one player's account, as the engine has it."""

    seat: SeatRow
    counted: Counted | None  # None: it is no part of the account
    is_final: bool  # it counts in full beside the qualifying games


@dataclass(frozen=True, slots=True)
class Person:
    """One row of Workings: what the engine says of the player."""

    row: int
    number: int
    name: str
    tally: Tally | None  # None: has neither played nor bonus nor penalty
    slots: Mapping[Slot, AccountGame]

    @property
    def plays_final(self) -> bool:
        """Whether the player was on the final table."""
        return self.tally is not None and self.tally.is_finalist


def shown_slots(people: Sequence[Person], slots: Sequence[Slot]) -> Sequence[Slot]:
    """The first board of every round, and further ones where somebody played them."""
    used = {slot for person in people for slot in person.slots}
    return [slot for slot in slots if slot.nth == 1 or slot in used]


def is_kept(person: Person, slot: Slot) -> bool:
    """Whether the engine has the game in the account."""
    placed = person.slots.get(slot)
    return placed is not None and placed.counted is not None and not placed.counted.is_dropped


def weight_of(person: Person, slot: Slot) -> Fraction:
    """The engine's weight of a game."""
    placed = person.slots.get(slot)
    return placed.counted.weight if placed and placed.counted else Fraction()


def ranked(person: Person) -> list[Slot]:
    """The kept games that are sorted from best to worst, best first."""
    kept = [slot for slot, placed in person.slots.items() if is_kept(person, slot) and not placed.is_final]
    return sorted(kept, key=lambda slot: (-score_in(person, slot), slot.round, slot.nth))


def score_in(person: Person, slot: Slot) -> Fraction:
    """The engine's score of a game that was played."""
    game = person.slots[slot].seat.game
    return game.score if game else Fraction()


def order_of(person: Person, slot: Slot) -> int:
    """Which best of the kept games it is; 0 for none of them."""
    order = ranked(person)
    return order.index(slot) + 1 if slot in order else 0


def people(event: ScoredEvent, tallies: Mapping[str, Tally], rules: ScoringRules, first_row: int) -> tuple[Person, ...]:
    """Every player's row, with the engine's account of each game."""
    adds_final = rules.final is not None and rules.final.total is FinalTotal.QUALIFYING_PLUS_FINAL
    found = []
    for number, player in enumerate(event.players, start=1):
        tally = tallies.get(player.name)
        slots = slots_of(event, player.name, tally, adds_final=adds_final)
        found.append(Person(first_row + number - 1, number, player.name, tally, slots))
    return tuple(found)


def slots_of(event: ScoredEvent, name: str, tally: Tally | None, *, adds_final: bool) -> dict[Slot, AccountGame]:
    """One player's games, each in its slot."""
    seats = [seat for seat in event.of(name) if seat.game]
    by_board = {id(one.game.board): one for one in tally.games} if tally else {}
    final = tally.final if tally and adds_final else None
    counts: dict[int, int] = {}
    slots = {}
    for seat in seats:
        number = seat.board.round
        counts[number] = counts.get(number, 0) + 1
        is_final = final is not None and final.board is seat.board
        slots[Slot(number, counts[number])] = AccountGame(seat, by_board.get(id(seat.board)), is_final)
    return slots
