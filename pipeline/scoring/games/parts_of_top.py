"""Building blocks that look at the highest count on the board, and at how near to it a power is."""

from dataclasses import dataclass
from fractions import Fraction

from pipeline.board.map import Power
from pipeline.scoring.games.counts import Counts


@dataclass(frozen=True, slots=True)
class Top:
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


@dataclass(frozen=True, slots=True)
class NearTop:
    """A pot is shared out among those at the top, one centre below it, two, ..., by shares (Bangkok 2020: 3, 2, 1).

    With the shares 1, 1 it is shared equally by all within one centre of the top (Bangkok 2022).
    """

    pot: Fraction
    shares: tuple[Fraction, ...]  # at the top, one centre below it, ...
    name: str = "near top"

    def points(self, counts: Counts, power: Power) -> Fraction:
        """The power's part of the pot."""
        all_shares = sum((self.share(counts, other) for other in counts.centres), Fraction())
        return self.pot * self.share(counts, power) / all_shares if all_shares else Fraction()

    def share(self, counts: Counts, power: Power) -> Fraction:
        """How many shares a power has."""
        behind = counts.top - counts.centres[power]
        return self.shares[behind] if behind < len(self.shares) else Fraction()


@dataclass(frozen=True, slots=True)
class FromTop:
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
