"""All the ways in which the orders of a power may be written: a vocabulary for whoever reads the ink.

To an engine it is text with weights, not provinces. A word that is listed for two provinces is a spelling of both, and
a coast that is left out is a spelling of both coasts: so such texts tie, and stop by themselves.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from pipeline.board.map import Kind, Map, Power, province_of
from pipeline.board.position import Position, Unit
from pipeline.board.standard import MAPS
from pipeline.judge.legality import legal_orders
from pipeline.orders.order import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from pipeline.rules.reading_rules import BuildLetter, Followed
from pipeline.rules.tournament import Tournament
from pipeline.rules.words.abbreviations import Abbreviations, Sign, fold

KindAndUnit = tuple[str, Unit | None]
Slot = tuple[str, ...]  # ways to write one part of a line; "" where it may be left out

# Shares of the orders of 2,950 phases of games between people: the reader is told what is common, and no more
SHARES: dict[str, float] = {"move": 0.60, "support": 0.29, "hold": 0.08, "convoy": 0.02, "via": 0.01}
RARE = 0.05  # of a form that few people use ("D A Tyr" for "A Tyr D"), against the usual one


@dataclass(frozen=True, slots=True)
class Spelling:
    """One order and one form of writing it: a choice for each part of the line, in turn."""

    order: Order | None  # None: a form that this power cannot use here, to be told apart and never chosen
    slots: tuple[Slot, ...]
    weight: float  # how likely against the others of the sheet; not a probability

    def texts(self) -> Iterator[str]:
        """Write it in every way."""
        for words in product(*self.slots):
            yield " ".join(word for word in words if word)


def spellings(power: Power, position: Position, tournament: Tournament) -> Iterator[Spelling]:
    """Every legal order of a power, in every form that the tournament's table and rules accept."""
    speller = Speller(MAPS[tournament.map](), tournament)
    orders = legal_orders(speller.board, position, power, tournament.rulebook)
    alike = Counter(map(kind_and_unit, orders))
    for order in orders:
        weight = weight_of(order, alike)
        for rank, slots in enumerate(speller.forms(order)):
            yield Spelling(order, slots, weight * (RARE if rank else 1.0))


def other_forms(tournament: Tournament) -> Iterator[Spelling]:
    """The forms of all movement orders with any place for any place: what is not legal here, and may be written."""
    speller = Speller(MAPS[tournament.map](), tournament)
    board = speller.board
    anywhere = tuple(sorted({word for code in board.provinces for word in speller.words_for(code)}))
    coast = ("", *sorted({word for words in speller.table.coasts.values() for word in words}))
    letter = ("", *speller.sign(Sign.ARMY), *speller.sign(Sign.FLEET))
    unit: tuple[Slot, ...] = (letter, anywhere, coast)
    to: tuple[Slot, ...] = (speller.sign(Sign.MOVE), anywhere, coast)
    support, convoy = (speller.sign(Sign.SUPPORT),), (speller.sign(Sign.CONVOY),)
    way = ("", *speller.sign(Sign.VIA))
    helped = ((*unit, *support, *unit), (*unit, *support, *unit, *to), (*unit, *convoy, *unit, *to))
    for slots in ((*unit, speller.sign(Sign.HOLD)), (*unit, *to, way), *helped):
        yield Spelling(None, slots, 1.0)


def weight_of(order: Order, alike: Mapping[KindAndUnit, int]) -> float:
    """Share a kind's part of all orders among the orders of that kind that the unit has."""
    if isinstance(order, Waive | Build | Retreat | Disband):
        return 1.0
    return SHARES[kind_of(order)] / alike[kind_and_unit(order)]


def kind_and_unit(order: Order) -> KindAndUnit:
    """What orders share their weight: those of one kind that one unit has."""
    return kind_of(order), unit_of(order)


def kind_of(order: Order) -> str:
    """Name the kind of a movement order."""
    match order:
        case Move(_, _, via, _):
            return "via" if via else "move"
        case Support():
            return "support"
        case Convoy():
            return "convoy"
        case _:
            return "hold"


def unit_of(order: Order) -> Unit | None:
    """Name the unit of an order."""
    return None if isinstance(order, Waive) else order.unit


class Speller:
    """One tournament's words, slot by slot."""

    def __init__(self, board: Map, tournament: Tournament) -> None:
        self.board = board
        self.rules = tournament
        self.table: Abbreviations = tournament.abbreviations
        self.known: dict[str, Slot] = {}  # by province

    def forms(self, order: Order) -> Iterator[tuple[Slot, ...]]:
        """The usual form of an order first."""
        match order:
            case Hold(unit):
                yield (*self.unit(unit), self.sign(Sign.HOLD))
            case Move(unit, to, via, _):
                yield (*self.unit(unit), self.sign(Sign.MOVE), *self.place(to), *self.way(unit, to, via=via))
            case Support(unit, of, None):
                yield (*self.unit(unit), self.sign(Sign.SUPPORT), *self.unit(of), ("", *self.sign(Sign.HOLD)))
            case Support(unit, of, to):
                assert to is not None
                yield (*self.unit(unit), self.sign(Sign.SUPPORT), *self.unit(of), self.sign(Sign.MOVE), *self.place(to))
            case Convoy(unit, of, to):
                yield (*self.unit(unit), self.sign(Sign.CONVOY), *self.unit(of), self.sign(Sign.MOVE), *self.place(to))
            case Retreat(unit, to):
                between = tuple(dict.fromkeys((*self.sign(Sign.RETREAT), *self.sign(Sign.MOVE))))
                yield (*self.unit(unit), between, *self.place(to))
            case Disband(unit):
                signs = self.sign(Sign.DISBAND)
                yield (*self.unit(unit), tuple(sign for sign in signs if fold(sign)))
                yield (signs, *self.unit(unit, letter=True))
            case Build(unit):
                yield (*self.unit(unit, letter=self.needs_letter(unit)), self.sign(Sign.BUILD))
                yield (self.sign(Sign.BUILD), *self.unit(unit, letter=self.needs_letter(unit)))
            case Waive():
                yield (self.sign(Sign.WAIVE),)

    def needs_letter(self, unit: Unit) -> bool:
        """Say whether a build must say army or fleet (row 13)."""
        inland = unit.province not in {province_of(place) for place in self.board.fleet_borders}
        return not inland or self.rules.adjustments.build_letter.value is not BuildLetter.COAST

    def unit(self, unit: Unit, *, letter: bool = False) -> tuple[Slot, ...]:
        """Letter and place; the letter may be left out where the rules say so."""
        words = self.sign(Sign.ARMY if unit.kind is Kind.ARMY else Sign.FLEET)
        optional = not letter and self.rules.reading.letter_missing.value is Followed.FOLLOWED
        return (("", *words) if optional else words, *self.place(unit.place))

    def place(self, place: str) -> tuple[Slot, ...]:
        """The words for a place; a coast may be left out, which is a spelling of the other coast too."""
        words = self.words_for(province_of(place))
        return (words, ("", *self.table.coasts.get(place, ()))) if "/" in place else (words,)

    def way(self, unit: Unit, to: str, *, via: bool) -> tuple[Slot, ...]:
        """The words for a convoy: needed where the land route is not meant, and as good as none where there is none."""
        if via:
            return (self.sign(Sign.VIA),)
        by_land = unit.kind is Kind.FLEET or to in self.board.reach(unit.kind, unit.place)
        return () if by_land else (("", *self.sign(Sign.VIA)),)

    def words_for(self, code: str) -> Slot:
        """Every listed word for a province, words that are listed for others too among them."""
        if code not in self.known:
            row = self.table.rows.get(code)
            listed = dict.fromkeys((*row.accepted, row.name) if row is not None else ())
            shared = (word for word, codes in self.table.words.items() if code in codes and len(codes) > 1)
            self.known[code] = tuple(dict.fromkeys((*listed, *shared))) or (code,)
        return self.known[code]

    def sign(self, sign: Sign) -> Slot:
        """The words for one part of an order."""
        return tuple(self.table.signs.get(sign, ()))
