"""Tribute: what all others pay to the leader of a board out of their own points."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import assert_never

from pipeline.board.map import Power
from pipeline.scoring.games.counts import Counts
from pipeline.scoring.games.parts import Part

Points = Mapping[Power, Fraction]


class Due(StrEnum):
    """What tribute is due for."""

    ABOVE = "above"  # each centre that the top has above a number (Tribute: above 6)
    LEAD = "lead"  # each centre between the top and the second highest count (Open Mind the Gap)
    BEHIND = "behind"  # each centre that the payer is behind the top (OpenTribute)


class Payers(StrEnum):
    """Who pays."""

    SURVIVORS = "survivors"  # who is in the draw and not at the top
    EVERYBODY = "everybody"  # the eliminated too (OpenTribute)


class Kept(StrEnum):
    """What becomes of the tribute when several share the top."""

    ALL = "all"  # they share all of it equally
    PART = "part"  # of n, each gets an n-th of an n-th; the rest is lost (OpenTribute)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tribute:
    """Points that go from everybody to who has the most centres (Fogel 2020)."""

    due: Due
    each: Fraction = Fraction(1)
    above: int = 0  # with `Due.ABOVE`
    payers: Payers = Payers.SURVIVORS
    most: Fraction | None = None  # of the payer's own points, at most this part
    most_of: Part | None = None  # and of these points only (Tribute: of the share of the pot)
    shared: Kept = Kept.ALL

    def settled(self, counts: Counts, points: Points) -> dict[Power, Fraction]:
        """Everybody's points after the tribute; who shares the top pays nothing."""
        paid = {power: self.paid(counts, power, points[power]) for power in points}
        lost = counts.toppers if self.shared is Kept.PART else 1
        each = sum(paid.values(), Fraction()) / (counts.toppers * lost)
        return {
            power: own + (each if counts.centres[power] == counts.top else -paid[power])
            for power, own in points.items()
        }

    def paid(self, counts: Counts, power: Power, own: Fraction) -> Fraction:
        """What one power pays out of its own points."""
        pays = self.payers is Payers.EVERYBODY or counts.is_in_draw(power)
        if not pays or counts.centres[power] == counts.top:
            return Fraction()
        owed = self.each * self.centres(counts, power)
        if self.most is None:
            return owed
        return min(owed, self.most * (self.most_of.points(counts, power) if self.most_of else own))

    def centres(self, counts: Counts, power: Power) -> int:
        """The centres that tribute is due for."""
        match self.due:
            case Due.ABOVE:
                return max(counts.top - self.above, 0)
            case Due.LEAD:
                return counts.top - counts.second
            case Due.BEHIND:
                return counts.top - counts.centres[power]
            case _:
                assert_never(self.due)
