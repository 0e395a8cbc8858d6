"""A round as it was drawn: its boards, its notes, and who is not on them; not yet written down, or read back."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from pipeline.board.map import Power
from pipeline.desk.draw.drawing_facts import read_answers, write_answers
from pipeline.desk.draw.finalists import FinalTable
from pipeline.desk.event.lots import Lot, read_lot, write_lot
from pipeline.draw.players.field import NAMED, NamedReason, Turnout
from pipeline.draw.search.wishes import Answers
from pipeline.ledger.events import Seated
from pipeline.ledger.ledger import body_of
from pipeline.ledger.parts import BoardSeated, DrawTold, LotTold, NotSeated


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A round as it was drawn, not yet written down."""

    round: int
    seed: int
    boards: Mapping[str, Mapping[Power, str]]
    maps: Mapping[str, str] = field(default_factory=dict)  # board -> its map, where it is not the event's
    notes: tuple[str, ...]
    broken: tuple[str, ...] = ()  # what the rules forbid and no draw was found without
    turnout: Turnout
    why: str = ""  # the director's reason for what the rules do not offer
    lots: tuple[Lot, ...] = ()  # that decided who plays
    final: str | None = None  # the board that is the final table
    table: FinalTable | None = None  # who is on it, and whether powers are still to be chosen
    answers: Answers = field(default_factory=Answers)
    points: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    as_of: int = field(default=0, compare=False)  # the newest fact when it was drawn

    @property
    def waits(self) -> bool:
        """Whether the final table is still to be seated: its players have not chosen."""
        return self.table is not None and self.final is None

    @property
    def told(self) -> DrawTold:
        """How the seats came about, as it is written down with them."""
        table, seats = self.table, self.turnout
        return DrawTold(
            seed=self.seed,
            aside=as_told(seats.aside),
            sent=as_told(seats.sent),
            out=as_told(seats.out),
            twice=as_told(seats.twice),
            plays=as_told(seats.plays),
            six=seats.six,
            why=self.why,
            lots=tuple(write_lot(lot, LotTold) for lot in self.lots),
            finalists=table.players if table else (),
            choosing=table.choosing if table else (),
            waits=self.waits,
            broken=self.broken,
            decided=write_answers(self.answers),
            points=dict(self.points.items()),
            chose=tuple(name for name, _ in table.powers) if table else (),
        )

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts."""
        table, seats = self.table, self.turnout
        return {
            "round": self.round,
            "seed": self.seed,
            "boards": [
                {"board": name, "final": name == self.final, "players": {str(p): who for p, who in players.items()}}
                | ({"map": self.maps[name]} if name in self.maps else {})
                for name, players in self.boards.items()
            ],
            "aside": as_rows(seats.aside),
            "sent": as_rows(seats.sent),
            "out": as_rows(seats.out),
            "twice": as_rows(seats.twice),
            "plays": as_rows(seats.plays),
            "six": seats.six,
            "why": self.why,
            "lots": [body_of(write_lot(lot, LotTold)) for lot in self.lots],
            "finalists": list(table.players) if table else [],
            "choosing": list(table.choosing) if table else [],
            "waits": self.waits,
            "notes": list(self.notes),
            "broken": list(self.broken),
        }


def as_rows(reasons: tuple[NamedReason, ...]) -> list[dict[str, str]]:
    """Write who stands down, or plays twice, and why."""
    return [{"player": each.name, "why": each.why, "way": each.way} for each in reasons]


def as_told(reasons: tuple[NamedReason, ...]) -> tuple[NotSeated, ...]:
    """Write them down."""
    return tuple(NotSeated(each.name, each.why, each.way) for each in reasons)


def from_told(told: tuple[NotSeated, ...]) -> tuple[NamedReason, ...]:
    """Read them back; earlier editions did not say in which way."""
    return tuple(NamedReason(str(each.player), each.why, each.way or NAMED) for each in told)


def free_names(taken: Container[str]) -> Iterator[str]:
    """The numbers that no board of a round has for its name."""
    return (str(number) for number in count(1) if str(number) not in taken)


def beside(fixed: Mapping[str, BoardSeated], places: Mapping[str, int], drawn: Drawn) -> Drawn:
    """The boards that the director has set, at the places that they have, and the drawn ones around them."""
    boards: dict[str, Mapping[Power, str]] = {}
    left = dict(drawn.boards)
    for name in sorted(fixed, key=lambda each: places[each]):
        while left and len(boards) < places[name]:
            first = next(iter(left))
            boards[first] = left.pop(first)
        boards[name] = {power: str(who) for power, who in fixed[name].players.items()}
    stays = tuple(f"board {drawn.round}.{name} was set by hand and stays as it is" for name in fixed)
    maps = {name: board.map for name, board in fixed.items() if board.map is not None}
    return replace(drawn, boards={**boards, **left}, maps={**drawn.maps, **maps}, notes=(*drawn.notes, *stays))


def with_table(round_number: int, table: FinalTable, stands: Seated) -> Drawn:
    """Add the final table to a round that is seated already and perhaps being played."""
    boards = {board.board: {power: str(name) for power, name in board.players.items()} for board in stands.boards}
    name = next(free_names(boards))
    kept = stands.draw or DrawTold()
    return Drawn(
        round=round_number,
        seed=kept.seed,
        boards={**boards, name: {power: who for who, power in table.powers}},
        maps={board.board: board.map for board in stands.boards if board.map is not None},
        notes=(*stands.notes, *(note for note in table.notes if note not in stands.notes)),
        turnout=Turnout(
            bodies=(),
            six=kept.six,
            aside=from_told(kept.aside),
            sent=from_told(kept.sent),
            out=from_told(kept.out),
            twice=from_told(kept.twice),
            plays=from_told(kept.plays),
        ),
        why=kept.why,
        lots=tuple(map(read_lot, kept.lots)),
        final=name,
        table=table,
        answers=read_answers(kept.decided),
        points={str(who): point for who, point in kept.points.items()},
    )
