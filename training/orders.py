"""The orders one power may give in a position, and what people write for them: the lines a row is read against here.

The product draws its vocabulary from `pipeline.interpret`; this stands in its place where a net is calibrated without
an event: one English table, plain order forms.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.board.map import Kind, Power
from pipeline.board.position import Position, Unit
from pipeline.board.standard import standard_map
from pipeline.orders.order import Convoy, Hold, Move, Order, Support
from pipeline.orders.positions import read_position
from pipeline.reading.recogniser import Line, Slot, Vocabulary
from pipeline.tournament.load import load_tournament

GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "real_games.jsonl.gz"
BOARD = standard_map()
VIA: Slot = ("", "via convoy", "by convoy", "via")
TABLE = load_tournament("weaselmoot").abbreviations
HOLDS, SUPPORTS, CONVOYS = ("H", "Hold", "Holds"), ("S", "Sup", "Supp", "Support", "Supports"), ("C", "Conv", "Convoys")
DASH = ("-", "to")


@dataclass(frozen=True, slots=True)
class Seat:
    """One power in one position, and what its player really ordered."""

    game: str
    position: Position
    power: Power
    ordered: tuple[str, ...]  # canonical


def seats() -> Iterator[Seat]:
    """Go through the movement phases of the real games."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            if not row["phase"].endswith("M"):
                continue
            found = {"phase": row["phase"], "units": row["units_before"], "centers": row["centers"]}
            position = read_position(found, BOARD)
            for name, orders in row["orders"].items():
                if orders:
                    yield Seat(row["game"], position, Power(name), tuple(orders))


@cache
def place_words(place: str) -> tuple[Slot, ...]:
    """List what people write for a place, then for its coast, which may be left out."""
    row = TABLE.rows[place[:3]]
    words = (row.code.title(), *row.accepted, row.name)
    return (words,) if len(place) == 3 else (words, coast_words(place))


def coast_words(place: str) -> Slot:
    """List the ways to write a coast, and not to."""
    words = [place[4:].lower(), *(word for word in TABLE.coasts[place] if len(word) > 2)]
    return ("", *(form for word in words for form in (f"({word})", f"/{word}", word)))


def unit_words(unit: Unit, *, may_lack_letter: bool = False) -> tuple[Slot, ...]:
    """Spell a unit: its letter, then its place."""
    letter = (unit.kind.value, "Army" if unit.kind is Kind.ARMY else "Fleet")
    return (("", *letter) if may_lack_letter else letter), *place_words(unit.place)


def slots(order: Order) -> tuple[Slot, ...]:
    """Spell an order of a movement phase."""
    match order:
        case Hold(unit):
            return (*unit_words(unit), HOLDS)
        case Move(unit, to, via):
            return (*unit_words(unit), DASH, *place_words(to), *((VIA,) if via else ()))
        case Support(unit, of, None):
            return (*unit_words(unit), SUPPORTS, *unit_words(of, may_lack_letter=True), ("", *HOLDS))
        case Support(unit, of, str(to)):
            return (*unit_words(unit), SUPPORTS, *unit_words(of, may_lack_letter=True), DASH, *place_words(to))
        case Convoy(unit, of, to):
            return (*unit_words(unit), CONVOYS, *unit_words(of, may_lack_letter=True), DASH, *place_words(to))
        case _:
            raise ValueError(f"{order} is not an order of a movement phase")


def grammar() -> tuple[Line, ...]:
    """Spell every order of the same forms over all places, whoever stands where."""
    words = tuple(sorted({word for code in BOARD.provinces for word in place_words(code)[0]}))
    coasts = tuple(sorted({word for place in TABLE.coasts for word in coast_words(place)}))
    letter: Slot = ("A", "Army", "F", "Fleet")
    place = (words, coasts)
    me, other = (letter, *place), (("", *letter), *place)
    return (
        Line((*me, HOLDS)),
        Line((*me, DASH, *place, VIA)),
        Line((*me, SUPPORTS, *other, ("", *HOLDS))),
        Line((*me, SUPPORTS, *other, DASH, *place)),
        Line((*me, CONVOYS, *other, DASH, *place)),
    )


GRAMMAR = grammar()


def vocabulary(orders: Sequence[Order]) -> Vocabulary:
    """Make the vocabulary of one power in one position."""
    return Vocabulary(tuple(Line(slots(order)) for order in orders), GRAMMAR)
