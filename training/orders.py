"""Positions of real games, and what may be written in them: the vocabulary that the product draws from `interpret`."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from pipeline.board.map import Power, standard_map
from pipeline.board.position import Position
from pipeline.desk.hands.reader import others_of, words_of
from pipeline.orders import Order, read_position
from pipeline.reading.recogniser import Vocabulary
from pipeline.rules.load import load_tournament

GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "real_games.jsonl.gz"
BOARD = standard_map()
TOURNAMENT = load_tournament("weaselmoot")  # the English table alone
TABLE = TOURNAMENT.abbreviations
OTHERS = others_of(TOURNAMENT)


class Seat(Struct, frozen=True):
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


class Admissible(Struct, frozen=True):
    """What one power may write in one position, and what each line of it means."""

    vocabulary: Vocabulary
    orders: tuple[Order | None, ...]  # by line


def admissible(position: Position, power: Power) -> Admissible:
    """Spell every legal order of a power."""
    return Admissible(*words_of(power, position, TOURNAMENT, OTHERS))
