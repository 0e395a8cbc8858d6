"""The building blocks of a scoring system: each gives every power of one board some points.

block (in a rules file)   gives                                                                  used by
centres                   points for each centre owned                                           all but squares
polynomial                a + b·c + c²·d ... of the centres                                      squares
flat                      the same to everybody                                                  EDC96
survivors                 points for each power still alive, to everybody                        EDC23
survival                  points for owning a centre at the end                                  NZ99
survival until            points for owning a centre after the Fall of a year                    NZ99
beaten centres            points for each centre of the powers with strictly fewer               EDC23
neutral centres           points for each centre nobody owns                                     EDC23
lead                      the sole leader's margin over the second                               NZ99
places                    bonuses by rank; equal powers average them, or take the lower place    EDC96, EDC23, NZ99
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from pipeline.board.map import Power
from pipeline.scoring.results import Board


@dataclass(frozen=True)
class Counts:
    """One board's centres, counted in the ways scoring systems count them."""

    board: Board
    everyone_survived: bool = False  # a soloist may score as if all were alive (EDC23 C)

    @cached_property
    def centres(self) -> Mapping[Power, int]:
        """Centres at the end, for every power of the game."""
        return self.board.centres

    @cached_property
    def survivors(self) -> int:
        """Powers that own a centre at the end."""
        alive = sum(1 for owned in self.centres.values() if owned)
        return len(self.centres) if self.everyone_survived else alive

    @cached_property
    def neutral(self) -> int:
        """Centres nobody owns."""
        return self.board.total - sum(self.centres.values())

    def above(self, power: Power) -> int:
        """Powers with strictly more centres."""
        own = self.centres[power]
        return sum(1 for owned in self.centres.values() if owned > own)

    def equal(self, power: Power) -> int:
        """Powers with the same number of centres, the power itself included."""
        own = self.centres[power]
        return sum(1 for owned in self.centres.values() if owned == own)

    def beaten(self, power: Power) -> int:
        """Centres of the powers with strictly fewer centres."""
        own = self.centres[power]
        return sum(owned for owned in self.centres.values() if owned < own)

    def margin(self, power: Power) -> int:
        """The sole leader's centres above the second highest count; 0 for everybody else."""
        first, second, *_ = sorted(self.centres.values(), reverse=True)
        return first - second if self.centres[power] == first else 0


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
    name: str = "centres"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for each centre."""
        return self.each * counts.centres[power]


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
    """The first places bring a bonus; equal powers share by the tournament's rule (EDC96; EDC23 C; NZ99 B 1.5)."""

    bonuses: tuple[Fraction, ...]  # for place 1, 2, ...; nothing below
    shared: Shared
    name: str = "places"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The bonus of the place, or the power's share of several."""
        above, equal = counts.above(power), counts.equal(power)
        match self.shared:
            case Shared.AVERAGE:
                return sum(self.bonuses[above : above + equal], Fraction()) / equal
            case Shared.LOWER:
                lowest = above + equal
                return self.bonuses[lowest - 1] if lowest <= len(self.bonuses) else Fraction()
