"""One power's turn to write in one phase of one game: what sheets, rows and rulings belong to."""

from dataclasses import dataclass, replace

from pipeline.board.map import Power
from pipeline.board.position import Phase
from pipeline.ledger.events import OnTurn


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
        return " ".join((self.board, str(self.phase), self.power))

    def at(self, phase: Phase) -> "Turn":
        """The same power's turn in a phase."""
        return self if phase == self.phase else replace(self, phase=phase)

    @classmethod
    def of(cls, said: OnTurn) -> "Turn":
        """The turn that something was said about."""
        return cls(said.board, said.phase, said.power)
