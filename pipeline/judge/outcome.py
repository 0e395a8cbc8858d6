"""What became of each order of a phase: one reason, which names the orders that decided it.

Each reason is a class of its own: ``outcome.result`` is the word for it, ``str(outcome)`` the sentence.
"""

from enum import StrEnum
from typing import ClassVar

from msgspec import Struct

from pipeline.board import Phase, Position, Power
from pipeline.orders import Order, write
from pipeline.words.speech import to_say, wording

# What every reason has: one word for the result, the orders that decided it, and a sentence.


class Word(StrEnum):
    """What became of an order, in one word (DATC 4.E.2)."""

    SUCCEEDS = to_say("succeeds")
    FAILS = to_say("fails")
    GIVEN = to_say("given")  # a support
    CUT = to_say("cut")  # a support
    STANDS = to_say("stands")  # a hold
    AVAILABLE = to_say("available")  # a convoy
    DISRUPTED = to_say("disrupted")  # a convoy
    ILLEGAL = to_say("illegal")  # not possible, whatever the others ordered
    INVALID = to_say("invalid")  # possible, but not matched by the others' orders; or not understood
    AUTOMATIC = to_say("automatic")  # nobody ordered it: the rules did


class Reason(Struct, frozen=True):
    """One reason why an order did what it did. Success follows from its class (``result``) and is not stored."""

    result: ClassVar[Word]
    says: ClassVar[str]  # the sentence, with places for its data

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()


class _Stated(Reason, frozen=True):
    """A reason that no order decided: a sentence, and perhaps the rule."""

    why: str
    rule: str = ""

    def __str__(self) -> str:
        return wording("{why} ({rule})", why=self.why, rule=self.rule) if self.rule else self.why


class _ByOrder(Reason, frozen=True):
    """A reason that one order decided."""

    order: Order

    @property
    def by(self) -> tuple[Order, ...]:
        return (self.order,)

    def __str__(self) -> str:
        return wording(self.says, order=write(self.order))


class _ByStrength(Reason, frozen=True):
    """A rival who was no weaker."""

    result = Word.FAILS
    rival: Order
    strength: int
    rival_strength: int

    @property
    def by(self) -> tuple[Order, ...]:
        return (self.rival,)

    def __str__(self) -> str:
        how = {"strength": self.strength, "against": self.rival_strength}
        return wording(self.says, **how, order=write(self.rival))


class _InParadox(Reason, frozen=True):
    """A convoy paradox that these orders are part of, and the rule that resolves it."""

    orders: tuple[Order, ...]
    rule: str

    @property
    def by(self) -> tuple[Order, ...]:
        return self.orders

    def __str__(self) -> str:
        armies = tuple(map(write, self.orders))
        return wording(self.says, armies=armies, fleets=tuple(map(_write_unit, self.orders)), rule=self.rule)


# The reasons that need no battle: what cannot be, what was not understood, and what retreats and winters bring.


class Illegal(_Stated, frozen=True):
    """The order was understood and is not possible here."""

    result = Word.ILLEGAL


class Invalid(_Stated, frozen=True):
    """The order was not understood: the notation or the map does not know it."""

    result = Word.INVALID


class Done(_Stated, frozen=True):
    """A retreat, a disbanding, a build or a waiver that took place."""

    result = Word.SUCCEEDS


class Failed(_Stated, frozen=True):
    """A build without its coast (DATC 6.B.14), or a fleet ordered as if it lay on the other coast (6.B.11)."""

    result = Word.FAILS


class Automatic(_Stated, frozen=True):
    """Nobody ordered this; the rules did it."""

    result = Word.AUTOMATIC


class Clashed(Reason, frozen=True):
    """Units that retreat to one province all disband (DATC 6.H.7)."""

    result = Word.FAILS
    others: tuple[Order, ...]

    @property
    def by(self) -> tuple[Order, ...]:
        return self.others

    def __str__(self) -> str:
        return wording("disbands: meets {orders}", orders=tuple(map(write, self.others)))


# The reasons of movement: who got through, who kept whom out, what was cut and what was lost at sea.

WAS_ORDERED = wording("its unit was ordered")
NOT_TO_BE_SUPPORTED = wording("not to be supported, its unit's order is illegal:")
IN_DISORDER = wording("its unit is in civil disorder:")


class Moved(Reason, frozen=True):
    """The way was free, or was made free."""

    result = Word.SUCCEEDS
    dislodges: Order | None = None  # the order of the unit driven out

    @property
    def by(self) -> tuple[Order, ...]:
        return (self.dislodges,) if self.dislodges else ()

    def __str__(self) -> str:
        return wording("dislodges {order}", order=write(self.dislodges)) if self.dislodges else wording("moves")


class Bounced(_ByStrength, frozen=True):
    """Another unit wanted the same province with no less strength."""

    says = to_say("bounces {strength}:{against} with {order}")


class Withstood(_ByStrength, frozen=True):
    """The unit attacked stayed, with no less strength."""

    says = to_say("fails {strength}:{against} against {order}")


class Faced(_ByStrength, frozen=True):
    """The unit attacked came the other way over the same border, with no less strength."""

    says = to_say("fails {strength}:{against} head-to-head with {order}")


class OwnUnit(_ByOrder, frozen=True):
    """No power may dislodge its own unit (DATC 6.D.10)."""

    result, says = Word.FAILS, to_say("may not dislodge its own unit: {order}")


class OwnConvoy(_ByOrder, frozen=True):
    """By this tournament's rule no fleet brings an army that dislodges a unit of the fleet's own power (NZ99 14)."""

    result, says = Word.FAILS, to_say("may not dislodge a unit of the power that convoys it: {order}")


class ConvoyBroken(Reason, frozen=True):
    """Every route was lost: each of these fleets was dislodged by the attack beside it."""

    result = Word.FAILS
    lost: tuple[tuple[Order, Order], ...]  # the fleet's order, the attack

    @property
    def by(self) -> tuple[Order, ...]:
        return tuple(attack for _, attack in self.lost)

    def __str__(self) -> str:
        lost = tuple(
            wording("{unit} dislodged by {order}", unit=_write_unit(fleet), order=write(attack))
            for fleet, attack in self.lost
        )
        return wording("no convoy: {why}", why=lost)


class ConvoyParadox(_InParadox, frozen=True):
    """The convoy decides over itself; the paradox rule takes these fleets out of it (DATC 4.A.2)."""

    result, says = Word.FAILS, to_say("no convoy: {fleets} part of a convoy paradox ({rule})")


class Halted(_InParadox, frozen=True):
    """The paradox rule makes this move fail (DATC 4.A.2 d, NZ99 14)."""

    result, says = Word.FAILS, to_say("fails: part of a convoy paradox with {armies} ({rule})")


class Unconvoyed(Reason, frozen=True):
    """No fleets were ordered to carry the army the whole way, or on the way that the rules want (DATC 6.D.8)."""

    result = Word.INVALID
    wanted: str  # what was missing

    def __str__(self) -> str:
        return wording("no convoy: {why}", why=self.wanted)


class Given(Reason, frozen=True):
    """The support counted, except towards dislodging a unit of the supporter's own power (DATC 6.D.12)."""

    result = Word.GIVEN
    against: Order | None = None  # the own unit that stands in the way of what is supported

    def __str__(self) -> str:
        if self.against is None:
            return wording("counts")
        return wording("does not count against its own unit, {order}", order=write(self.against))


class Cut(_ByOrder, frozen=True):
    """The supporter was attacked, not from where the support went (DATC 6.D.2)."""

    result, says = Word.CUT, to_say("cut by {order}")


class Overrun(_ByOrder, frozen=True):
    """The supporter was dislodged from where its support went (DATC 6.D.17)."""

    result, says = Word.CUT, to_say("cut: dislodged by {order}")


class Unmatched(_ByOrder, frozen=True):
    """The unit supported or convoyed did something else."""

    result = Word.INVALID
    why: str = WAS_ORDERED

    def __str__(self) -> str:
        return wording("{why} {order}", why=self.why, order=write(self.order))


class Available(Reason, frozen=True):
    """The fleet was there to carry the army, whether or not it was used."""

    result = Word.AVAILABLE
    carries: bool

    def __str__(self) -> str:
        return wording("carries the army") if self.carries else wording("ready, and not used")


class Disrupted(_ByOrder, frozen=True):
    """The convoying fleet was dislodged."""

    result, says = Word.DISRUPTED, to_say("dislodged by {order}")


class DisruptedByParadox(_InParadox, frozen=True):
    """The convoying fleet was part of a paradox, and does not convoy (DATC 4.A.2 f)."""

    result, says = Word.DISRUPTED, to_say("part of a convoy paradox with {armies} ({rule})")


class Stands(Reason, frozen=True):
    """The unit was ordered to stay."""

    result = Word.STANDS

    def __str__(self) -> str:
        return wording("stands")


def _write_unit(order: Order) -> str:
    return " ".join(write(order).split()[:2])


OrderOutcome = (
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
    | DisruptedByParadox
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
    outcome: OrderOutcome
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
