"""A round as it was drawn: its boards, its notes, and who is not on them; not yet written down, or read back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.board.map import Power
from pipeline.desk.draw.drawing_facts import read_answers
from pipeline.desk.draw.finalists import FinalTable
from pipeline.desk.event.lots import Lot, read_lot, write_lot
from pipeline.draw.field import NAMED, Reason, Turnout
from pipeline.draw.wishes import Answers


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

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts, and for the fact that is kept."""
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
            "lots": [write_lot(lot) for lot in self.lots],
            "finalists": list(table.players) if table else [],
            "choosing": list(table.choosing) if table else [],
            "waits": self.waits,
            "notes": list(self.notes),
            "broken": list(self.broken),
        }


def as_rows(reasons: tuple[Reason, ...]) -> list[dict[str, str]]:
    """Write who stands down, or plays twice, and why."""
    return [{"player": each.name, "why": each.why, "way": each.way} for each in reasons]


def from_rows(rows: list[dict[str, str]]) -> tuple[Reason, ...]:
    """Read it back; earlier editions did not say in which way."""
    return tuple(Reason(each["player"], each["why"], each.get("way", NAMED)) for each in rows)


def with_table(round_number: int, table: FinalTable, stands: Mapping[str, Any]) -> Drawn:
    """Add the final table to a round that is seated already and perhaps being played."""
    boards = {
        str(board["board"]): {Power(power): str(name) for power, name in board["players"].items()}
        for board in stands["boards"]
    }
    name = str(len(boards) + 1)
    kept = stands["draw"]
    return Drawn(
        round=round_number,
        seed=int(kept["seed"]),
        boards={**boards, name: {power: who for who, power in table.powers}},
        maps={str(board["board"]): str(board["map"]) for board in stands["boards"] if "map" in board},
        notes=(*stands["notes"], *(note for note in table.notes if note not in stands["notes"])),
        turnout=Turnout(
            bodies=(),
            six=int(kept.get("six", 0)),
            aside=from_rows(kept["aside"]),
            sent=from_rows(kept.get("sent", [])),
            out=from_rows(kept["out"]),
            twice=from_rows(kept["twice"]),
            plays=from_rows(kept.get("plays", [])),
        ),
        why=str(kept.get("why", "")),
        lots=tuple(read_lot(body) for body in kept.get("lots", ())),
        final=name,
        table=table,
        answers=read_answers(kept["decided"]),
        points={who: (point[0], point[1]) for who, point in kept["points"].items()},
    )
