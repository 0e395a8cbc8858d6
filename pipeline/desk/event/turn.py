"""One power's turn to write in one phase of one game: what sheets, rows and rulings belong to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.board.map import Power
from pipeline.board.position import Phase


@dataclass(frozen=True, slots=True)
class Turn:
    """A board, a phase and a power.

    >>> print(Turn("1.2", Phase.read("S1901M"), Power.ITALY))
    1.2 S1901M ITALY
    """

    board: str  # full name: round and board
    phase: Phase
    power: Power

    def __str__(self) -> str:
        return f"{self.board} {self.phase} {self.power}"

    def as_body(self) -> dict[str, str]:
        """Write the turn as part of the body of a fact."""
        return {"board": self.board, "phase": str(self.phase), "power": str(self.power)}

    @classmethod
    def of_body(cls, body: Mapping[str, Any]) -> "Turn":
        """Read the turn of a fact."""
        return cls(body["board"], Phase.read(body["phase"]), Power(body["power"]))
