"""Tribute: what all others pay to the leader of a board out of their own points."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, assert_never

from msgspec import Struct

from pipeline.board import Power
from pipeline.scoring.numbers import Derived, Share, Some
from pipeline.scoring.parts import Part
from pipeline.scoring.results import CentreCount, Counts, sum_points

PointsOfPower = Mapping[Power, Fraction]


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


class Tribute(Struct, frozen=True, kw_only=True):
    """Points that go from everybody to who has the most centres (Fogel 2020)."""

    due: Due
    each: Some = Fraction(1)
    above: CentreCount = 0  # with `Due.ABOVE`: the number of centres above which tribute is due
    payers: Payers = Payers.SURVIVORS
    most: Share | None = None  # the largest share of his own points that a payer pays
    most_of: str = ""  # the block whose points the share ``most`` is of instead (Tribute: of the share of the pot)
    limit: Annotated[Part | None, Derived()] = None  # that block
    shared: Kept = Kept.ALL

    def faults(self) -> Iterator[tuple[str, str]]:
        """What cannot be of its fields together: the key, and what to write."""
        if self.most_of and self.most is None:
            yield "most", "missing; write which part of the block's points is paid at most, such as 1"
        if self.above and self.due is not Due.ABOVE:
            yield "above", f"it belongs to due = {Due.ABOVE.value!r}; here tribute is due for {self.due.value!r}"

    def after_tribute(self, counts: Counts, points: PointsOfPower) -> dict[Power, Fraction]:
        """Everybody's points after the tribute; who shares the top pays nothing."""
        paid = {power: self.paid(counts, power, points[power]) for power in points}
        lost = counts.toppers if self.shared is Kept.PART else 1
        each = sum_points(paid.values()) / (counts.toppers * lost)
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
        return min(owed, self.most * (self.limit.give(counts, power) if self.limit else own))

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
