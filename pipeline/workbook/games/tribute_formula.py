"""The tribute as formulas: what a seat pays to the top, and what its points are after that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from pipeline.scoring.games.tribute import Due, Kept, Payers, Tribute
from pipeline.workbook.games.part_formula import PartFormula
from pipeline.workbook.games.seat_cells import SeatCells
from pipeline.workbook.inputs.config import Config

RULE = "scoring.tribute"


@dataclass(frozen=True, slots=True)
class TributeFormula:
    """A tribute whose numbers stand in named cells."""

    tribute: Tribute
    each: str
    above: str  # "" where it is not due above a number
    most: str  # "" where nothing limits it
    most_of: PartFormula | None  # the block that is limited by; None: all of one's points

    @classmethod
    def enter(cls, tribute: Tribute, parts: Sequence[PartFormula], config: Config) -> "TributeFormula":
        """Enter its numbers into Config."""
        each = config.number("Tribute_each", tribute.each, f"Tribute: points a centre ({tribute.due})", RULE)
        above = most = ""
        if tribute.due is Due.ABOVE:
            above = config.number("Tribute_above", tribute.above, "Tribute: due above so many centres", RULE)
        if tribute.most is not None:
            most = config.number("Tribute_most", tribute.most, "Tribute: at most this part of one's points", RULE)
        of = next((each for each in parts if each.part is tribute.most_of), None)
        return cls(tribute, each, above, most, of)

    def paid(self, raw: str, seat: SeatCells) -> str:
        """What one seat pays out of its points."""
        owed = f"{self.each}*{self.centres(seat)}"
        if self.most:
            owed = f"MIN({owed},{self.most}*{self.most_of.write(seat) if self.most_of else raw})"
        if self.tribute.payers is Payers.SURVIVORS:
            owed = f"IF({seat.in_draw},{owed},0)"
        return f"IF({seat.above}=0,0,{owed})"

    def centres(self, seat: SeatCells) -> str:
        """The centres that tribute is due for."""
        top = f"MAX({seat.board})"
        match self.tribute.due:
            case Due.ABOVE:
                return f"MAX({top}-{self.above},0)"
            case Due.LEAD:
                return f"({top}-LARGE({seat.board},2))"
            case Due.BEHIND:
                return f"({top}-{seat.centres})"
            case _:
                assert_never(self.tribute.due)

    def settled(self, raw: str, paid: str, all_paid: str, seat: SeatCells) -> str:
        """The points after the tribute: the top's with its part of it, everybody else's without what was paid."""
        sharers = f"{seat.equal}^2" if self.tribute.shared is Kept.PART else seat.equal
        return f"IF({seat.above}=0,{raw}+SUM({all_paid})/{sharers},{raw}-{paid})"
