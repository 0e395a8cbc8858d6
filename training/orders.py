"""Positions of real games, and what may be written in them: the vocabulary that the product draws from `interpret`."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from pipeline.board import Position, Power, Step, standard_map
from pipeline.desk.hands.vocabulary import others_of, words_of
from pipeline.judge.adjudicate import adjudicate
from pipeline.orders import NotAnOrder, Order, read_order, read_position
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


def seats(step: Step = Step.MOVEMENT) -> Iterator[Seat]:
    """Go through the phases of one step in the real games."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    orders = {(row["game"], row["phase"]): row["orders"] for row in rows}
    for row in rows:
        if row["phase"].endswith(Step.MOVEMENT if step is Step.RETREATS else step):
            found = {"phase": row["phase"], "units": row["units_before"], "centers": row["centers"]}
            position = read_position(found, BOARD)
            given = row["orders"]
            if step is Step.RETREATS:  # where a unit may go the games do not say: the judge does
                position = after(position, given)
                given = orders.get((row["game"], str(position.phase)), {})
            flees = {each.power for each in position.dislodged if each.retreats}
            for power in Power:
                ordered = given.get(str(power)) or ()
                if position.phase.step is step and (power in flees if step is Step.RETREATS else ordered):
                    yield Seat(row["game"], position, power, tuple(ordered))


def after(position: Position, given: Mapping[str, Sequence[str]]) -> Position:
    """The position that real orders led to."""
    orders: dict[Power, list[Order]] = {}
    for name, texts in given.items():
        for text in texts or ():
            try:
                orders.setdefault(Power(name), []).append(read_order(text))
            except NotAnOrder:
                continue
    return adjudicate(BOARD, position, orders, TOURNAMENT.rulebook).after


class Admissible(Struct, frozen=True):
    """What one power may write in one position, and what each line of it means."""

    vocabulary: Vocabulary
    orders: tuple[Order | None, ...]  # by line


def admissible(position: Position, power: Power) -> Admissible:
    """Spell every legal order of a power."""
    return Admissible(*words_of(power, position, TOURNAMENT, OTHERS))
