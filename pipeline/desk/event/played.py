"""A phase that was published, and what became of its orders: it is judged again only where something is another.

The position after it follows from its orders; it stands in its fact, too. That it follows is confirmed once, under
these rules, with this map and this judge. As long as all of them are as they were it is taken from there, and the phase
is judged again only when somebody asks for its results.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import resources
from pathlib import Path

from pipeline.board.map import Map, Power
from pipeline.board.position import Phase, Position, Season
from pipeline.board.standard import MAPS
from pipeline.desk.event.event import Event
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome.outcome import Resolution
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.ledger import Fact
from pipeline.orders.notation import read
from pipeline.orders.order import Order
from pipeline.orders.positions import read_position, write_position
from pipeline.problems import Stopped

JUDGE = ("judge", "orders", "board")  # the rooms from which an outcome follows
ORDERS = 10_000  # that are kept in memory as they were read: the same are given again and again


class JudgedPhase:
    """The resolution of a phase, worked out when somebody asks: few ask for that of a phase long past."""

    def __init__(self, work_out: Callable[[], Resolution]) -> None:
        self.work_out = work_out

    @cached_property
    def resolution(self) -> Resolution:
        """What became of the orders, and the position after."""
        return self.work_out()


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One phase that was published."""

    fact: Fact[PhasePublished]
    before: Position
    orders: Mapping[Power, tuple[Order, ...]]
    after: Position
    judged: JudgedPhase = field(compare=False)  # it follows from the others

    @property
    def resolution(self) -> Resolution:
        """What became of the orders."""
        return self.judged.resolution

    @property
    def phase(self) -> Phase:
        """The phase that was played."""
        return self.before.phase

    @property
    def ends_a_fall(self) -> bool:
        """Whether centres changed hands with it: after Fall movement or, where there were any, Fall retreats."""
        return self.phase.season is Season.FALL and self.after.phase.season is not Season.FALL


def played(event: Event, map_name: str, before: Position, fact: Fact[PhasePublished]) -> Played:
    """Play a phase that was published, from the position before it."""
    board, rules = MAPS[map_name](), event.tournament.rulebook
    orders = {power: tuple(map(read_order, texts)) for power, texts in fact.said.orders.items()}
    judged = JudgedPhase(lambda: adjudicate(board, before, orders, rules))
    after = position_after(event, map_name, before, fact.said, judged)
    return Played(fact=fact, before=before, orders=orders, after=after, judged=judged)


def position_after(
    event: Event, map_name: str, before: Position, said: PhasePublished, judged: JudgedPhase
) -> Position:
    """The position that follows from a phase; taken from its fact where it was confirmed that it follows."""
    board = MAPS[map_name]()
    given = [map_name, write_position(before), said.orders, said.after]
    rests_on = f"{judge_as_it_is()}\n{event.tournament.rulebook!r}\n{json.dumps(given, sort_keys=True)}"
    if rests_on in event.confirmed:
        return read_position(said.after, board)
    found = judged.resolution.after
    if is_written(said.after, found, board):
        event.confirmed.add(rests_on)
    return found


def is_written(written: Mapping[str, object], found: Position, board: Map) -> bool:
    """Whether a position is what a fact says, so that it is read from there as it was found."""
    try:
        return written == write_position(found) and read_position(written, board) == found
    except Stopped:  # an older edition, or another map, wrote what is no position here
        return False


@cache
def judge_as_it_is() -> str:
    """The program that judges, by what is in its files, and what runs it."""
    return f"{sys.version} {contents_of(Path(str(resources.files('pipeline'))) / room for room in JUDGE)}"


def contents_of(rooms: Iterable[Path]) -> str:
    """A checksum of all code in some folders: a file of the same size and time may hold another judge."""
    found = hashlib.sha256()
    for file in sorted(file for room in rooms for file in room.rglob("*") if is_code(file)):
        found.update(f"{file.name} {file.stat().st_size}\n".encode())
        found.update(file.read_bytes())
    return found.hexdigest()


def is_code(file: Path) -> bool:
    """Whether a file is a part of the program; what Python makes of it is not."""
    return "__pycache__" not in file.parts and file.is_file()


read_order = lru_cache(maxsize=ORDERS)(read)
