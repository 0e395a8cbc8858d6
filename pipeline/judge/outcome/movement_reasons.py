"""The reasons of movement: who got through, who kept whom out, what was cut and what was lost at sea."""

from dataclasses import dataclass
from typing import ClassVar

from pipeline.judge.outcome.reason import Reason, Word
from pipeline.orders.notation import write
from pipeline.orders.order import Order
from pipeline.words.wording import wording

WAS_ORDERED = wording("its unit was ordered")
NOT_TO_BE_SUPPORTED = wording("not to be supported, its unit's order is illegal:")
IN_DISORDER = wording("its unit is in civil disorder:")


@dataclass(frozen=True, slots=True)
class Moved(Reason):
    """The way was free, or was made free."""

    result: ClassVar[Word] = Word.SUCCEEDS
    dislodges: Order | None = None  # the order of the unit driven out

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.dislodges,) if self.dislodges else ()

    def __str__(self) -> str:
        return wording("dislodges {order}", order=write(self.dislodges)) if self.dislodges else wording("moves")


@dataclass(frozen=True, slots=True)
class Bounced(Reason):
    """Another unit wanted the same province with no less strength."""

    result: ClassVar[Word] = Word.FAILS
    rival: Order
    strength: int
    rival_strength: int

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.rival,)

    def __str__(self) -> str:
        how = {"strength": self.strength, "against": self.rival_strength}
        return wording("bounces {strength}:{against} with {order}", **how, order=write(self.rival))


@dataclass(frozen=True, slots=True)
class Withstood(Reason):
    """The unit attacked stayed, with no less strength."""

    result: ClassVar[Word] = Word.FAILS
    holder: Order
    strength: int
    holder_strength: int

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.holder,)

    def __str__(self) -> str:
        how = {"strength": self.strength, "against": self.holder_strength}
        return wording("fails {strength}:{against} against {order}", **how, order=write(self.holder))


@dataclass(frozen=True, slots=True)
class Faced(Reason):
    """The unit attacked came the other way over the same border, with no less strength."""

    result: ClassVar[Word] = Word.FAILS
    rival: Order
    strength: int
    rival_strength: int

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.rival,)

    def __str__(self) -> str:
        how = {"strength": self.strength, "against": self.rival_strength}
        return wording("fails {strength}:{against} head-to-head with {order}", **how, order=write(self.rival))


@dataclass(frozen=True, slots=True)
class OwnUnit(Reason):
    """No power may dislodge its own unit (DATC 6.D.10)."""

    result: ClassVar[Word] = Word.FAILS
    holder: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.holder,)

    def __str__(self) -> str:
        return wording("may not dislodge its own unit: {order}", order=write(self.holder))


@dataclass(frozen=True, slots=True)
class OwnConvoy(Reason):
    """By this tournament's rule no fleet brings an army that dislodges a unit of the fleet's own power (NZ99 14)."""

    result: ClassVar[Word] = Word.FAILS
    holder: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.holder,)

    def __str__(self) -> str:
        return wording("may not dislodge a unit of the power that convoys it: {order}", order=write(self.holder))


@dataclass(frozen=True, slots=True)
class ConvoyBroken(Reason):
    """Every route was lost: each of these fleets was dislodged by the attack beside it."""

    result: ClassVar[Word] = Word.FAILS
    lost: tuple[tuple[Order, Order], ...]  # the fleet's order, the attack

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return tuple(attack for _, attack in self.lost)

    def __str__(self) -> str:
        lost = tuple(
            wording("{unit} dislodged by {order}", unit=unit_of(fleet), order=write(attack))
            for fleet, attack in self.lost
        )
        return wording("no convoy: {why}", why=lost)


@dataclass(frozen=True, slots=True)
class ConvoyParadox(Reason):
    """The convoy decides over itself; the paradox rule takes these fleets out of it (DATC 4.A.2)."""

    result: ClassVar[Word] = Word.FAILS
    fleets: tuple[Order, ...]
    rule: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return self.fleets

    def __str__(self) -> str:
        fleets = tuple(map(unit_of, self.fleets))
        return wording("no convoy: {fleets} part of a convoy paradox ({rule})", fleets=fleets, rule=self.rule)


@dataclass(frozen=True, slots=True)
class Halted(Reason):
    """The paradox rule makes this move fail (DATC 4.A.2 d, NZ99 14)."""

    result: ClassVar[Word] = Word.FAILS
    armies: tuple[Order, ...]
    rule: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return self.armies

    def __str__(self) -> str:
        armies = tuple(map(write, self.armies))
        return wording("fails: part of a convoy paradox with {armies} ({rule})", armies=armies, rule=self.rule)


@dataclass(frozen=True, slots=True)
class Unconvoyed(Reason):
    """No fleets were ordered to carry it; it tried to move all the same (DATC 6.D.8)."""

    result: ClassVar[Word] = Word.INVALID
    wanted: str  # what was missing

    def __str__(self) -> str:
        return wording("no convoy: {why}", why=self.wanted)


@dataclass(frozen=True, slots=True)
class Given(Reason):
    """The support counted; only not towards dislodging a unit of the supporter's own power (DATC 6.D.12)."""

    result: ClassVar[Word] = Word.GIVEN
    against: Order | None = None  # the own unit that stands in the way of what is supported

    def __str__(self) -> str:
        if self.against is None:
            return wording("counts")
        return wording("does not count against its own unit, {order}", order=write(self.against))


@dataclass(frozen=True, slots=True)
class Cut(Reason):
    """The supporter was attacked, not from where the support went (DATC 6.D.2)."""

    result: ClassVar[Word] = Word.CUT
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return wording("cut by {order}", order=write(self.attack))


@dataclass(frozen=True, slots=True)
class Overrun(Reason):
    """The supporter was dislodged from where its support went (DATC 6.D.17)."""

    result: ClassVar[Word] = Word.CUT
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return wording("cut: dislodged by {order}", order=write(self.attack))


@dataclass(frozen=True, slots=True)
class Unmatched(Reason):
    """The unit supported or convoyed did something else."""

    result: ClassVar[Word] = Word.INVALID
    did: Order
    why: str = WAS_ORDERED

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.did,)

    def __str__(self) -> str:
        return wording("{why} {order}", why=self.why, order=write(self.did))


@dataclass(frozen=True, slots=True)
class Available(Reason):
    """The fleet was there to carry the army, whether or not it was used."""

    result: ClassVar[Word] = Word.AVAILABLE
    carries: bool

    def __str__(self) -> str:
        return wording("carries the army") if self.carries else wording("ready, and not used")


@dataclass(frozen=True, slots=True)
class Disrupted(Reason):
    """The convoying fleet was dislodged."""

    result: ClassVar[Word] = Word.DISRUPTED
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return wording("dislodged by {order}", order=write(self.attack))


@dataclass(frozen=True, slots=True)
class Struck(Reason):
    """The convoying fleet was part of a paradox, and does not convoy (DATC 4.A.2 f)."""

    result: ClassVar[Word] = Word.DISRUPTED
    armies: tuple[Order, ...]
    rule: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return self.armies

    def __str__(self) -> str:
        armies = tuple(map(write, self.armies))
        return wording("part of a convoy paradox with {armies} ({rule})", armies=armies, rule=self.rule)


@dataclass(frozen=True, slots=True)
class Stands(Reason):
    """The unit was ordered to stay."""

    result: ClassVar[Word] = Word.STANDS

    def __str__(self) -> str:
        return wording("stands")


def unit_of(order: Order) -> str:
    """Write only the unit of an order."""
    return " ".join(write(order).split()[:2])
