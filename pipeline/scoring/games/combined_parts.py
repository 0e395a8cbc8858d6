"""Building blocks made of others: one that only some powers get, and the largest of several."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import assert_never

from pipeline.board.map import Power
from pipeline.scoring.games.counts import Counts
from pipeline.scoring.games.parts import Part


class To(StrEnum):
    """Whom a building block is kept for."""

    EVERYBODY = "everybody"
    SURVIVORS = "survivors"  # who owns a centre at the end
    ELIMINATED = "eliminated"  # who does not
    LEADERS = "leaders"  # who has the most centres, alone or not
    SOLE_LEADER = "sole leader"  # who has more centres than everybody else


@dataclass(frozen=True, slots=True)
class Only:
    """A building block that some powers get and the others do not (Whipping: 2 points a centre to the sole leader)."""

    part: Part
    to: To

    @property
    def name(self) -> str:
        """The name of what is given."""
        return self.part.name

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The block's points for those it is kept for."""
        return self.part.points(counts, power) if self.is_for(counts, power) else Fraction()

    def is_for(self, counts: Counts, power: Power) -> bool:
        """Whether the power is one of them."""
        owned = counts.centres[power]
        match self.to:
            case To.EVERYBODY:
                return True
            case To.SURVIVORS:
                return owned > 0
            case To.ELIMINATED:
                return owned == 0
            case To.LEADERS:
                return owned == counts.top
            case To.SOLE_LEADER:
                return owned == counts.top and counts.toppers == 1
            case _:
                assert_never(self.to)


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest of what several blocks would give (Haight, after a solo: centres or years, whichever is more)."""

    parts: tuple[Part, ...]
    name: str = "largest"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The largest of them."""
        return max(part.points(counts, power) for part in self.parts)
