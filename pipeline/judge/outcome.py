"""What became of each order of a phase: one reason, which names the orders that decided it.

Each reason is a class of its own: ``outcome.result`` is the word for it, ``str(outcome)`` the sentence.
"""

from enum import StrEnum
from typing import ClassVar

from msgspec import Struct

from pipeline.board.map import Power
from pipeline.board.position import Phase, Position
from pipeline.orders import Order, write
from pipeline.words.speech import wording

# --------------------
# What every reason has: one word for the result, the orders that decided it, and a sentence.


class Word(StrEnum):
    """What became of an order, in one word (DATC 4.E.2)."""

    SUCCEEDS = "succeeds"
    FAILS = "fails"
    GIVEN = "given"  # a support
    CUT = "cut"  # a support
    STANDS = "stands"  # a hold
    AVAILABLE = "available"  # a convoy
    DISRUPTED = "disrupted"  # a convoy
    ILLEGAL = "illegal"  # not possible, whatever the others ordered
    INVALID = "invalid"  # possible, but not matched by the others' orders; or not understood
    AUTOMATIC = "automatic"  # nobody ordered it: the rules did


class Reason:
    """One reason why an order did what it did. Success is never stored: it is what the reason says (``result``)."""

    __slots__ = ()
    result: ClassVar[Word]

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()


# --------------------
# The reasons that need no battle: what cannot be, what was not understood, and what retreats and winters bring.


class Illegal(Struct, Reason, frozen=True):
    """The order was understood and is not possible here."""

    result: ClassVar[Word] = Word.ILLEGAL
    why: str
    rule: str = ""

    def __str__(self) -> str:
        return wording("{why} ({rule})", why=self.why, rule=self.rule) if self.rule else self.why


class Invalid(Struct, Reason, frozen=True):
    """The order was not understood: the notation or the map does not know it."""

    result: ClassVar[Word] = Word.INVALID
    why: str

    def __str__(self) -> str:
        return self.why


class Done(Struct, Reason, frozen=True):
    """A retreat, a disbanding, a build or a waiver that took place."""

    result: ClassVar[Word] = Word.SUCCEEDS
    what: str  # "retreats", "built", "removed"

    def __str__(self) -> str:
        return self.what


class Clashed(Struct, Reason, frozen=True):
    """Units that retreat to one province all disband (DATC 6.H.7)."""

    result: ClassVar[Word] = Word.FAILS
    others: tuple[Order, ...]

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return self.others

    def __str__(self) -> str:
        return wording("disbands: meets {orders}", orders=tuple(map(write, self.others)))


class Failed(Struct, Reason, frozen=True):
    """A build that lacks what it needs (DATC 6.B.14)."""

    result: ClassVar[Word] = Word.FAILS
    why: str
    rule: str = ""

    def __str__(self) -> str:
        return wording("{why} ({rule})", why=self.why, rule=self.rule) if self.rule else self.why


class Automatic(Struct, Reason, frozen=True):
    """Nobody ordered this; the rules did it."""

    result: ClassVar[Word] = Word.AUTOMATIC
    why: str

    def __str__(self) -> str:
        return self.why


# --------------------
# The reasons of movement: who got through, who kept whom out, what was cut and what was lost at sea.

WAS_ORDERED = wording("its unit was ordered")
NOT_TO_BE_SUPPORTED = wording("not to be supported, its unit's order is illegal:")
IN_DISORDER = wording("its unit is in civil disorder:")


class Moved(Struct, Reason, frozen=True):
    """The way was free, or was made free."""

    result: ClassVar[Word] = Word.SUCCEEDS
    dislodges: Order | None = None  # the order of the unit driven out

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.dislodges,) if self.dislodges else ()

    def __str__(self) -> str:
        return wording("dislodges {order}", order=write(self.dislodges)) if self.dislodges else wording("moves")


class Bounced(Struct, Reason, frozen=True):
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


class Withstood(Struct, Reason, frozen=True):
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


class Faced(Struct, Reason, frozen=True):
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


class OwnUnit(Struct, Reason, frozen=True):
    """No power may dislodge its own unit (DATC 6.D.10)."""

    result: ClassVar[Word] = Word.FAILS
    holder: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.holder,)

    def __str__(self) -> str:
        return wording("may not dislodge its own unit: {order}", order=write(self.holder))


class OwnConvoy(Struct, Reason, frozen=True):
    """By this tournament's rule no fleet brings an army that dislodges a unit of the fleet's own power (NZ99 14)."""

    result: ClassVar[Word] = Word.FAILS
    holder: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.holder,)

    def __str__(self) -> str:
        return wording("may not dislodge a unit of the power that convoys it: {order}", order=write(self.holder))


class ConvoyBroken(Struct, Reason, frozen=True):
    """Every route was lost: each of these fleets was dislodged by the attack beside it."""

    result: ClassVar[Word] = Word.FAILS
    lost: tuple[tuple[Order, Order], ...]  # the fleet's order, the attack

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return tuple(attack for _, attack in self.lost)

    def __str__(self) -> str:
        lost = tuple(
            wording("{unit} dislodged by {order}", unit=_unit_of(fleet), order=write(attack))
            for fleet, attack in self.lost
        )
        return wording("no convoy: {why}", why=lost)


class ConvoyParadox(Struct, Reason, frozen=True):
    """The convoy decides over itself; the paradox rule takes these fleets out of it (DATC 4.A.2)."""

    result: ClassVar[Word] = Word.FAILS
    fleets: tuple[Order, ...]
    rule: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return self.fleets

    def __str__(self) -> str:
        fleets = tuple(map(_unit_of, self.fleets))
        return wording("no convoy: {fleets} part of a convoy paradox ({rule})", fleets=fleets, rule=self.rule)


class Halted(Struct, Reason, frozen=True):
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


class Unconvoyed(Struct, Reason, frozen=True):
    """No fleets were ordered to carry it; it tried to move all the same (DATC 6.D.8)."""

    result: ClassVar[Word] = Word.INVALID
    wanted: str  # what was missing

    def __str__(self) -> str:
        return wording("no convoy: {why}", why=self.wanted)


class Given(Struct, Reason, frozen=True):
    """The support counted; only not towards dislodging a unit of the supporter's own power (DATC 6.D.12)."""

    result: ClassVar[Word] = Word.GIVEN
    against: Order | None = None  # the own unit that stands in the way of what is supported

    def __str__(self) -> str:
        if self.against is None:
            return wording("counts")
        return wording("does not count against its own unit, {order}", order=write(self.against))


class Cut(Struct, Reason, frozen=True):
    """The supporter was attacked, not from where the support went (DATC 6.D.2)."""

    result: ClassVar[Word] = Word.CUT
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return wording("cut by {order}", order=write(self.attack))


class Overrun(Struct, Reason, frozen=True):
    """The supporter was dislodged from where its support went (DATC 6.D.17)."""

    result: ClassVar[Word] = Word.CUT
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return wording("cut: dislodged by {order}", order=write(self.attack))


class Unmatched(Struct, Reason, frozen=True):
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


class Available(Struct, Reason, frozen=True):
    """The fleet was there to carry the army, whether or not it was used."""

    result: ClassVar[Word] = Word.AVAILABLE
    carries: bool

    def __str__(self) -> str:
        return wording("carries the army") if self.carries else wording("ready, and not used")


class Disrupted(Struct, Reason, frozen=True):
    """The convoying fleet was dislodged."""

    result: ClassVar[Word] = Word.DISRUPTED
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return wording("dislodged by {order}", order=write(self.attack))


class Struck(Struct, Reason, frozen=True):
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


class Stands(Struct, Reason, frozen=True):
    """The unit was ordered to stay."""

    result: ClassVar[Word] = Word.STANDS

    def __str__(self) -> str:
        return wording("stands")


def _unit_of(order: Order) -> str:
    return " ".join(write(order).split()[:2])


__all__ = ["Outcome", "Resolution", "Result", "Word"]

Outcome = (
    Moved
    | Bounced
    | Withstood
    | Faced
    | OwnUnit
    | OwnConvoy
    | ConvoyBroken
    | ConvoyParadox
    | Halted
    | Unconvoyed
    | Given
    | Cut
    | Overrun
    | Unmatched
    | Available
    | Disrupted
    | Struck
    | Stands
    | Illegal
    | Invalid
    | Done
    | Clashed
    | Failed
    | Automatic
)


class Result(Struct, frozen=True):
    """One order and what became of it."""

    power: Power
    order: Order
    outcome: Outcome
    dislodged_by: Order | None = None  # the attack that drove the unit out, whatever its own order was
    written: bool = True  # False: nobody wrote this order, the unit held (movement)
    is_lost: bool = False  # dislodged, and disbanded: its power is in civil disorder

    @property
    def reason(self) -> str:
        """The whole sentence, the unit's own fate included.

        >>> from pipeline.orders import read_order
        >>> Result(Power.ITALY, read_order("A VEN H"), Stands(), dislodged_by=read_order("A TRI - VEN")).reason
        'stands, dislodged by A TRI - VEN'
        """
        own = str(self.outcome)
        if self.dislodged_by is None or isinstance(self.outcome, Overrun | Disrupted):
            return own
        driven = {"own": own, "order": write(self.dislodged_by)}
        if self.is_lost:
            return wording("{own}, dislodged by {order}, and disbanded in civil disorder", **driven)
        return wording("{own}, dislodged by {order}", **driven)

    @property
    def by(self) -> tuple[Order, ...]:
        """Every order that decided over this one."""
        if self.dislodged_by is None or self.dislodged_by in self.outcome.by:
            return self.outcome.by
        return (*self.outcome.by, self.dislodged_by)


class Resolution(Struct, frozen=True):
    """One phase, judged: each order's result, and the position that the next phase starts from."""

    phase: Phase
    results: tuple[Result, ...]
    after: Position
