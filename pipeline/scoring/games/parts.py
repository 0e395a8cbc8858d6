"""The building blocks of a scoring system: each gives every power of one board some points.

block (in a rules file)   gives                                                                  module
centres                   points for each centre owned, or for each above a number               here
table                     points by centre count, as they stand in a list                        parts_by_count
polynomial                a + b·c + c²·d ... of the centres                                      here
flat                      the same to everybody                                                  here
survivors                 points for each power still alive, to everybody                        here
survival                  points for owning a centre at the end                                  here
survival until            points for owning a centre after the Fall of a year                    here
years                     points for each year lived                                             parts_by_count
pot                       points that all who are in the draw share                              parts_by_count
draw                      points by how many are in the draw                                     parts_by_count
beaten centres            points for each centre of the powers with strictly fewer               here
beaten powers             points for each power that stands strictly lower                       parts_by_count
margins                   points for each centre more than each power below has                  parts_by_count
neutral centres           points for each centre nobody owns                                     here
lead                      the sole leader's margin over the second                               here
top                       points by how many share the highest count                             parts_of_top
near top                  a pot shared by those at the top and a few centres below               parts_of_top
distance                  points by the centres ahead of, or behind, the best of the others      parts_of_top
places                    bonuses by rank; equal powers average them, or take the lower place    here
largest                   the largest of what several blocks would give                          combined_parts

Every block may be kept for some: the survivors, the eliminated, the leaders, the sole leader (`combined_parts.Only`).

A new way of scoring is one more of these: the class here, its ``give`` in `rules/scoring/blocks.py`, its formula in
`workbook/games/part_formula.py`. A new chain of tie-breaks needs none of it: a rules file says it.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Protocol

from pipeline.board.map import Power
from pipeline.scoring.games.counts import Counts, StandBy


class Part(Protocol):
    """One building block."""

    @property
    def name(self) -> str:
        """What the workbook and the explanation call it."""

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Give one power its points."""


@dataclass(frozen=True, slots=True)
class Centres:
    """Each centre owned at the end is worth points (NZ99 B 1.1; EDC96; EDC23 C)."""

    each: Fraction = Fraction(1)
    above: int = 0  # only those above so many: the fourteenth and later ones of 13 (Maxonian)
    name: str = "centres"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for each centre."""
        return self.each * max(counts.centres[power] - self.above, 0)


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Points grow with powers of the centre count: c², or c² + 4c + 16 (Weasel XII; WDC08 14.2)."""

    coefficients: tuple[Fraction, ...]  # of 1, c, c², ...
    name: str = "polynomial"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The value of the polynomial at the power's centres."""
        owned = counts.centres[power]
        return sum((factor * owned**n for n, factor in enumerate(self.coefficients)), Fraction())


@dataclass(frozen=True, slots=True)
class Flat:
    """Everybody gets the same, the eliminated too (EDC96: the 1 in S = R + C + 1)."""

    each: Fraction = Fraction(1)
    name: str = "flat"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The same to all."""
        return self.each


@dataclass(frozen=True, slots=True)
class Survivors:
    """Everybody, eliminated or not, gets points for each power still alive (EDC23 C)."""

    each: Fraction = Fraction(1)
    name: str = "survivors"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for each survivor on the board."""
        return self.each * counts.survivors


@dataclass(frozen=True, slots=True)
class Survival:
    """Owning a centre at the end is worth points; units do not matter (NZ99 B 1.3)."""

    award: Fraction = Fraction(1)
    name: str = "survival"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for being alive."""
        return self.award if counts.centres[power] else Fraction()


class Unreached(StrEnum):
    """Who counts as having survived a year that the game did not reach, or whose centres were not recorded."""

    SURVIVORS = "survivors"  # those alive at the end: it keeps games comparable
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class SurvivalUntil:
    """Owning a centre after the adjustments of a year is worth points, eliminated later or not (NZ99 B 1.2)."""

    year: int
    award: Fraction = Fraction(1)
    unreached: Unreached = Unreached.SURVIVORS
    name: str = "survival until"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for having been alive then; whoever owns a centre later was not eliminated before."""
        alive_at_end = counts.centres[power] > 0
        if self.year in counts.board.years:
            lived = counts.board.owned(power, self.year) > 0
        elif any(year > self.year for year in counts.board.years):
            lived = alive_at_end or any(counts.board.owned(power, y) for y in counts.board.years if y > self.year)
        elif counts.board.years:
            lived = alive_at_end and self.unreached is Unreached.SURVIVORS
        else:
            lived = alive_at_end
        return self.award if lived else Fraction()


@dataclass(frozen=True, slots=True)
class BeatenCentres:
    """Each centre of the powers with strictly fewer centres is worth points (EDC23 C)."""

    each: Fraction = Fraction(1)
    name: str = "beaten centres"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the centres of the powers below."""
        return self.each * counts.beaten(power)


@dataclass(frozen=True, slots=True)
class NeutralCentres:
    """Each centre that stayed neutral is worth points to everybody (EDC23 C)."""

    each: Fraction = Fraction(1)
    name: str = "neutral centres"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the neutral centres."""
        return self.each * counts.neutral


@dataclass(frozen=True, slots=True)
class Lead:
    """The outright leader gets the margin over the second; shared, nobody gets it (NZ99 B 1.4)."""

    each: Fraction = Fraction(1)
    name: str = "lead"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the margin."""
        return self.each * counts.margin(power)


class Shared(StrEnum):
    """What equal powers get of the bonuses for the places they span."""

    AVERAGE = "average"  # (EDC96; EDC23 C)
    LOWER = "lower"  # the bonus of the lowest of these places (NZ99 B 1.5)


@dataclass(frozen=True, slots=True)
class Places:
    """The first places bring a bonus; equal powers share by the tournament's rule (EDC96; EDC23 C; NZ99 B 1.5).

    ``pairs`` and ``groups`` are bonuses by the lowest place spanned, for two who share and for three or more, where a
    system names them (Ranked Classic); an empty list leaves it to ``shared``.
    """

    bonuses: tuple[Fraction, ...]  # for place 1, 2, ...; nothing below
    shared: Shared
    order: StandBy = StandBy.CENTRES
    pairs: tuple[Fraction, ...] = ()
    groups: tuple[Fraction, ...] = ()
    name: str = "places"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The bonus of the place, or the power's share of several."""
        above, equal = counts.above(power, self.order), counts.equal(power, self.order)
        named = self.pairs if equal == 2 else self.groups if equal > 2 else ()
        lowest = above + equal
        if named or self.shared is Shared.LOWER:
            return at_place(named or self.bonuses, lowest)
        return sum(self.bonuses[above:lowest], Fraction()) / equal


def at_place(bonuses: tuple[Fraction, ...], place: int) -> Fraction:
    """The bonus of one place, nothing below the last that has one."""
    return bonuses[place - 1] if place <= len(bonuses) else Fraction()
