"""One board's centres, counted in the ways in which scoring systems count them; and in which order its powers stand."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from pipeline.board.map import Power
from pipeline.scoring.results import Board


class StandBy(StrEnum):
    """What puts the powers of a board into an order; powers that it leaves level share their places."""

    CENTRES = "centres"  # equal counts are level, and so are all that were eliminated (EDC96; EDC23 C; NZ99 B 1.5)
    ELIMINATION = "elimination"  # of the eliminated, who was eliminated in a later year stands higher (Carnage)
    EARLIER_YEARS = "earlier years"  # equal counts go back to the year before, and so on (Spirecon 2025; Maxonian)
    DRAW = "draw"  # whoever is in the draw is level at the top, the others as by elimination (Dixiecon)


class Counts(Struct, frozen=True, dict=True, weakref=True):
    """One board's centres, counted in the ways scoring systems count them."""

    board: Board
    everyone_survived: bool = False  # a soloist may score as if all were alive (EDC23 C)
    soloist: Power | None = None  # who won outright

    @property
    def centres(self) -> Mapping[Power, int]:
        """Centres at the end, for every power of the game."""
        return self.board.centres

    @cached_property
    def alive(self) -> int:
        """Powers that own a centre at the end, and their number only."""
        return sum(1 for owned in self.centres.values() if owned)

    @property
    def survivors(self) -> int:
        """Powers that own a centre at the end, or count as if they did."""
        return len(self.centres) if self.everyone_survived else self.alive

    @cached_property
    def neutral(self) -> int:
        """Centres nobody owns."""
        return self.board.total - sum(self.centres.values())

    @cached_property
    def top(self) -> int:
        """The highest count on the board."""
        return max(self.centres.values())

    @cached_property
    def second(self) -> int:
        """The second highest count; the highest once more where it is shared."""
        return sorted(self.centres.values(), reverse=True)[1]

    @cached_property
    def toppers(self) -> int:
        """Powers that share the highest count."""
        return sum(1 for owned in self.centres.values() if owned == self.top)

    def above(self, power: Power, order: StandBy = StandBy.CENTRES) -> int:
        """Powers that stand strictly higher: with more centres, unless another order is asked for."""
        standings = self._standings(order)
        own = standings[power]
        return sum(1 for other in standings.values() if other > own)

    def equal(self, power: Power, order: StandBy = StandBy.CENTRES) -> int:
        """Powers that stand level, the power itself included: with as many centres, unless another order is asked."""
        standings = self._standings(order)
        return list(standings.values()).count(standings[power])

    def _standings(self, order: StandBy) -> Mapping[Power, tuple[int, ...]]:
        """How high every power stands, worked out once."""
        found = self._by_order.get(order)
        if found is None:
            found = self._by_order[order] = {power: self.standing(power, order) for power in self.centres}
        return found

    @cached_property
    def _by_order(self) -> dict[StandBy, Mapping[Power, tuple[int, ...]]]:
        return {}

    def standing(self, power: Power, order: StandBy) -> tuple[int, ...]:
        """How high a power stands; these are compared number by number."""
        owned = self.centres[power]
        match order:
            case StandBy.CENTRES:
                return (owned,)
            case StandBy.ELIMINATION:
                return (owned, 0 if owned else self.years_lived(power))
            case StandBy.EARLIER_YEARS:
                return (
                    owned,
                    *(self.board.count_owned(power, year) for year in sorted(self.board.years, reverse=True)),
                )
            case StandBy.DRAW:
                return (1,) if self.is_in_draw(power) else (0, owned, 0 if owned else self.years_lived(power))

    def is_in_draw(self, power: Power) -> bool:
        """Whether a power shares the draw: every survivor of a game without a solo, unless some were left out."""
        return self.soloist is None and self.centres[power] > 0 and power not in self.board.left_out

    def years_lived(self, power: Power) -> int:
        """Whole years that a power lived: recorded years that it ended with a centre, but for the game's last.

        Who still owns a centre in that last year counts as eliminated in it, which matters after a solo (ManorCon).
        """
        with_centre = sum(1 for year in self.board.years if self.board.count_owned(power, year))
        return max(with_centre - (self.centres[power] > 0), 0)

    def below(self, power: Power) -> int:
        """Powers with strictly fewer centres."""
        return len(self.centres) - self.above(power) - self.equal(power)

    def beaten(self, power: Power) -> int:
        """Centres of the powers with strictly fewer centres."""
        own = self.centres[power]
        return sum(owned for owned in self.centres.values() if owned < own)

    def margin(self, power: Power) -> int:
        """The sole leader's centres above the second highest count; 0 for everybody else."""
        return self.top - self.second if self.centres[power] == self.top else 0

    def distance(self, power: Power) -> int:
        """Centres ahead of the best of all others, 0 for who shares the top; negative: behind the top."""
        return self.margin(power) if self.centres[power] == self.top else self.centres[power] - self.top
