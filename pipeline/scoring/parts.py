"""The building blocks of a scoring system: each gives every power of one board some points.

block (in a rules file)   gives
centres                   points for each centre owned, at the end or after a year
table                     points by centre count, from a list
polynomial                a + b·c + d·c² ... of the centres: sum-of-squares systems
flat                      the same to everybody
survivors                 points for each power still alive, to everybody
survival                  points for owning a centre at the end
survival until            points for owning a centre after the Fall of a year
years                     points for each year lived
pot                       points that all who are in the draw share
draw                      points by how many are in the draw
beaten centres            points for each centre of the powers with strictly fewer
beaten powers             points for each power that stands strictly lower
margins                   points for each centre more than each power below has
neutral centres           points for each centre nobody owns
lead                      the sole leader's margin over the second
top                       points by how many share the highest count
near top                  a pot shared by those at the top and a few centres below
distance                  points by the centres ahead of, or behind, the best of the others
places                    bonuses by rank; equal powers average them, or take the lower place
largest                   the largest of what several blocks would give

Every block may be kept for some: the survivors, the eliminated, the leaders, the sole leader (`Only`).

A new way of scoring is one more of these: the class here, its ``give`` in `rules/blocks.py`, its formula in
`workbook/game_formula.py`. A new chain of tie-breaks needs none of it: a rules file says it.
"""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Protocol, assert_never

from msgspec import Struct

from pipeline.board import Power
from pipeline.scoring.results import Counts, StandBy, sum_points


class Part(Protocol):
    """One building block."""

    @property
    def name(self) -> str:
        """What the workbook and the explanation call it."""

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Give one power its points."""


class Centres(Struct, frozen=True):
    """Each centre owned at the end is worth points (NZ99 B 1.1; EDC96; EDC23 C), or after an earlier year (Milano)."""

    each: Fraction = Fraction(1)
    above: int = 0  # only centres above this number: with 13, the fourteenth and later ones (Maxonian)
    year: int | None = None  # those after its Fall; where that is not recorded, those at the end, which is a doubt
    name: str = "centres"

    def points(self, counts: Counts, power: Power) -> Fraction:
        board = counts.board
        owned = board.count_owned(power, self.year) if self.year in board.years and self.year else counts.centres[power]
        return self.each * max(owned - self.above, 0)


class Polynomial(Struct, frozen=True):
    """Sum of squares and the like: a polynomial of the centre count, c² or c² + 4c + 16 (Weasel XII; WDC08 14.2)."""

    coefficients: tuple[Fraction, ...]  # of 1, c, c², ...
    name: str = "polynomial"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The value of the polynomial at the power's centres."""
        owned = counts.centres[power]
        return sum_points(factor * owned**n for n, factor in enumerate(self.coefficients) if factor)


class Flat(Struct, frozen=True):
    """Everybody gets the same, the eliminated too (EDC96: the 1 in S = R + C + 1)."""

    each: Fraction = Fraction(1)
    name: str = "flat"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The same to all."""
        return self.each


class Survivors(Struct, frozen=True):
    """Everybody, eliminated or not, gets points for each power still alive (EDC23 C)."""

    each: Fraction = Fraction(1)
    name: str = "survivors"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for each survivor on the board."""
        return self.each * counts.survivors


class Survival(Struct, frozen=True):
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


class SurvivalUntil(Struct, frozen=True):
    """Owning a centre after the adjustments of a year is worth points, eliminated later or not (NZ99 B 1.2)."""

    year: int
    award: Fraction = Fraction(1)
    unreached: Unreached = Unreached.SURVIVORS
    name: str = "survival until"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for having been alive then; whoever owns a centre later was not eliminated before."""
        alive_at_end = counts.centres[power] > 0
        if self.year in counts.board.years:
            lived = counts.board.count_owned(power, self.year) > 0
        elif any(year > self.year for year in counts.board.years):
            lived = alive_at_end or any(counts.board.count_owned(power, y) for y in counts.board.years if y > self.year)
        elif counts.board.years:
            lived = alive_at_end and self.unreached is Unreached.SURVIVORS
        else:
            lived = alive_at_end
        return self.award if lived else Fraction()


class BeatenCentres(Struct, frozen=True):
    """Each centre of the powers with strictly fewer centres is worth points (EDC23 C)."""

    each: Fraction = Fraction(1)
    name: str = "beaten centres"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the centres of the powers below."""
        return self.each * counts.beaten(power)


class NeutralCentres(Struct, frozen=True):
    """Each centre that stayed neutral is worth points to everybody (EDC23 C)."""

    each: Fraction = Fraction(1)
    name: str = "neutral centres"

    def points(self, counts: Counts, power: Power) -> Fraction:
        return self.each * counts.neutral


class Lead(Struct, frozen=True):
    """The outright leader gets the margin over the second; shared, nobody gets it (NZ99 B 1.4)."""

    each: Fraction = Fraction(1)
    name: str = "lead"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the margin."""
        return self.each * counts.margin(power)


class Shared(StrEnum):
    """What equal (tied) powers get of the bonuses for the places they span."""

    AVERAGE = "average"  # (EDC96; EDC23 C)
    LOWER = "lower"  # the bonus of the lowest of these places (NZ99 B 1.5)


class Places(Struct, frozen=True):
    """The first places bring a bonus; tied powers share by the tournament's rule (EDC96; EDC23 C; NZ99 B 1.5).

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
        if named or equal == 1 or self.shared is Shared.LOWER:
            bonuses = named or self.bonuses
            return bonuses[lowest - 1] if lowest <= len(bonuses) else Fraction()  # none below the last that has one
        return sum_points(self.bonuses[above:lowest]) / equal


# Building blocks that look at a power's own centres and years, and at those it has left behind.


class CentreTable(Struct, frozen=True):
    """A list says what no centre, one, two, ... are worth; every centre beyond it adds the same (Namur: 5, 9, 12 ...).

    >>> namur = CentreTable(tuple(map(Fraction, (0, 5, 9, 12, 14, 16, 18))), beyond=Fraction(1))
    >>> [str(namur.of(owned)) for owned in (0, 3, 6, 8)]
    ['0', '12', '18', '20']
    """

    list: tuple[Fraction, ...]  # of 0, 1, 2, ... centres
    beyond: Fraction = Fraction()  # for each centre more than the list has
    name: str = "table"

    def of(self, owned: int) -> Fraction:
        """What so many centres are worth."""
        last = len(self.list) - 1
        return self.list[min(owned, last)] + self.beyond * max(owned - last, 0)

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The list's entry for the centres owned."""
        return self.of(counts.centres[power])


class Years(Struct, frozen=True):
    """Each year lived is worth points: whole years, or the one of the elimination too (ManorCon; Whipping)."""

    each: Fraction = Fraction(1)
    begun: bool = False  # the year of the elimination counts as well: out in 1905 is five years, not four
    most: int | None = None  # so many years at most (Bangkok 2022: six)
    name: str = "years"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for each year lived, with ``begun`` one more, and at most ``most``."""
        years = counts.years_lived(power) + self.begun
        return self.each * (years if self.most is None else min(years, self.most))


class Pot(Struct, frozen=True):
    """All who are in the draw share a pot equally (Calhamer's draw; Tribute's 66 points)."""

    pot: Fraction
    name: str = "pot"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """An equal share, nothing for who is not in the draw."""
        sharing = sum(1 for other in counts.centres if counts.is_in_draw(other))
        return self.pot / sharing if counts.is_in_draw(power) else Fraction()


class DrawSize(Struct, frozen=True):
    """Who is in the draw gets points by how many are in it (Boardgaming Championships: 22 each for two)."""

    sizes: tuple[Fraction, ...]  # for each power in a draw of one, of two, of three, ...; nothing where more are in it
    name: str = "draw"

    def points(self, counts: Counts, power: Power) -> Fraction:
        sharing = sum(1 for other in counts.centres if counts.is_in_draw(other))
        counted = counts.is_in_draw(power) and sharing <= len(self.sizes)
        return self.sizes[sharing - 1] if counted else Fraction()


class BeatenPowers(Struct, frozen=True):
    """Each power that stands strictly lower is worth points (Haight)."""

    each: Fraction = Fraction(1)
    order: StandBy = StandBy.CENTRES
    name: str = "beaten powers"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the powers below."""
        below = len(counts.centres) - counts.above(power, self.order) - counts.equal(power, self.order)
        return self.each * below


class Margins(Struct, frozen=True):
    """Each centre more than a power below has is worth points, power by power (Vulcan)."""

    each: Fraction = Fraction(1)
    name: str = "margins"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the margins over all powers with fewer centres, the eliminated among them."""
        return self.each * (counts.centres[power] * counts.below(power) - counts.beaten(power))


# Building blocks that look at the highest count on the board, and at how near to it a power is.


class Top(Struct, frozen=True):
    """Who has the most centres gets a bonus that depends on how many share it (Base 3: 9 alone, 3 for two).

    Nothing is divided: the list says what each of them gets.
    """

    bonuses: tuple[Fraction, ...]  # alone, shared by two, by three ...; nothing for more than are listed
    name: str = "top"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The bonus for so many at the top."""
        if counts.centres[power] < counts.top or counts.toppers > len(self.bonuses):
            return Fraction()
        return self.bonuses[counts.toppers - 1]


class NearTop(Struct, frozen=True):
    """A pot is shared out among those at the top, one centre below it, two, ..., by shares (Bangkok 2020: 3, 2, 1).

    With the shares 1, 1 it is shared equally by all within one centre of the top (Bangkok 2022).
    """

    pot: Fraction
    shares: tuple[Fraction, ...]  # at the top, one centre below it, ...
    name: str = "near top"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The power's part of the pot."""
        all_shares = sum_points(self.share(counts, other) for other in counts.centres)
        return self.pot * self.share(counts, power) / all_shares if all_shares else Fraction()

    def share(self, counts: Counts, power: Power) -> Fraction:
        """How many shares a power has."""
        behind = counts.top - counts.centres[power]
        return self.shares[behind] if behind < len(self.shares) else Fraction()


class FromTop(Struct, frozen=True):
    """A bonus by the centres that a power is ahead of the best of the others, or behind the top (Bangkok Pike)."""

    ahead: tuple[Fraction, ...]  # sharing the top, 1 centre ahead, 2, ...; the last for every larger lead
    behind: tuple[Fraction, ...] = ()  # 1 centre behind the top, 2, ...; nothing farther back
    name: str = "distance"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The bonus for the distance."""
        distance = counts.distance(power)
        if distance >= 0:
            return self.ahead[min(distance, len(self.ahead) - 1)]
        return self.behind[-distance - 1] if -distance <= len(self.behind) else Fraction()


# Building blocks made of others: one that only some powers get, and the largest of several.


class To(StrEnum):
    """Whom a building block is kept for."""

    EVERYBODY = "everybody"
    SURVIVORS = "survivors"  # who owns a centre at the end
    ELIMINATED = "eliminated"  # who does not
    LEADERS = "leaders"  # who has the most centres, alone or not
    SOLE_LEADER = "sole leader"  # who has more centres than everybody else


class Only(Struct, frozen=True):
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


class Largest(Struct, frozen=True):
    """The largest of what several blocks would give (Haight, after a solo: centres or years, whichever is more)."""

    parts: tuple[Part, ...]
    name: str = "largest"

    def points(self, counts: Counts, power: Power) -> Fraction:
        return max(part.points(counts, power) for part in self.parts)


# Tribute: what all others pay to the leader of a board out of their own points.

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


class Tribute(Struct, frozen=True, kw_only=True):
    """Points that go from everybody to who has the most centres (Fogel 2020)."""

    due: Due
    each: Fraction = Fraction(1)
    above: int = 0  # with `Due.ABOVE`: the number of centres above which tribute is due
    payers: Payers = Payers.SURVIVORS
    most: Fraction | None = None  # the largest share of his own points that a payer pays
    most_of: Part | None = None  # the share ``most`` is of these points instead (Tribute: of the share of the pot)
    shared: Kept = Kept.ALL

    def after_tribute(self, counts: Counts, points: Points) -> dict[Power, Fraction]:
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
