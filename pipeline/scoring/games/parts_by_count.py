"""Building blocks that look at a power's own centres and years, and at those it has left behind."""

from dataclasses import dataclass
from fractions import Fraction

from pipeline.board.map import Power
from pipeline.scoring.games.counts import Counts, StandBy


@dataclass(frozen=True, slots=True)
class CentreTable:
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


@dataclass(frozen=True, slots=True)
class Years:
    """Each year lived is worth points: whole years, or the one of the elimination too (ManorCon; Whipping)."""

    each: Fraction = Fraction(1)
    begun: bool = False  # the year of the elimination counts as well: out in 1905 is five years, not four
    most: int | None = None  # so many years at most (Bangkok 2022: six)
    name: str = "years"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for each year; the last year of who is alive in it is one that has begun."""
        years = counts.lived(power) + self.begun
        return self.each * (years if self.most is None else min(years, self.most))


@dataclass(frozen=True, slots=True)
class Pot:
    """All who are in the draw share a pot equally (Calhamer's draw; Tribute's 66 points)."""

    pot: Fraction
    name: str = "pot"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """An equal share, nothing for who is not in the draw."""
        sharing = sum(1 for other in counts.centres if counts.is_in_draw(other))
        return self.pot / sharing if counts.is_in_draw(power) else Fraction()


@dataclass(frozen=True, slots=True)
class DrawSize:
    """Who is in the draw gets points by how many are in it (Boardgaming Championships: 22 each for two)."""

    sizes: tuple[Fraction, ...]  # each alone, of two, of three, ...; nothing where more are in it
    name: str = "draw"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The points of a draw of this size."""
        sharing = sum(1 for other in counts.centres if counts.is_in_draw(other))
        counted = counts.is_in_draw(power) and sharing <= len(self.sizes)
        return self.sizes[sharing - 1] if counted else Fraction()


@dataclass(frozen=True, slots=True)
class BeatenPowers:
    """Each power that stands strictly lower is worth points (Haight)."""

    each: Fraction = Fraction(1)
    order: StandBy = StandBy.CENTRES
    name: str = "beaten powers"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the powers below."""
        below = len(counts.centres) - counts.above(power, self.order) - counts.equal(power, self.order)
        return self.each * below


@dataclass(frozen=True, slots=True)
class Margins:
    """Each centre more than a power below has is worth points, power by power (Vulcan)."""

    each: Fraction = Fraction(1)
    name: str = "margins"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """Points for the margins over all powers with fewer centres, the eliminated among them."""
        return self.each * (counts.centres[power] * counts.below(power) - counts.beaten(power))
