"""Why an order did what it did. Each class is one reason, and names the orders that decided it.

Success is never stored: it is what the reason says (``outcome.result``). ``str(outcome)`` is the sentence for people.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from pipeline.board.map import Power
from pipeline.board.position import Phase, Position
from pipeline.orders.notation import write
from pipeline.orders.order import Order


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


@dataclass(frozen=True, slots=True)
class Moved:
    """The way was free, or was made free."""

    result: ClassVar[Word] = Word.SUCCEEDS
    dislodges: Order | None = None  # the order of the unit driven out

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.dislodges,) if self.dislodges else ()

    def __str__(self) -> str:
        return f"dislodges {write(self.dislodges)}" if self.dislodges else "moves"


@dataclass(frozen=True, slots=True)
class Bounced:
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
        return f"bounces {self.strength}:{self.rival_strength} with {write(self.rival)}"


@dataclass(frozen=True, slots=True)
class Withstood:
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
        return f"fails {self.strength}:{self.holder_strength} against {write(self.holder)}"


@dataclass(frozen=True, slots=True)
class Faced:
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
        return f"fails {self.strength}:{self.rival_strength} head-to-head with {write(self.rival)}"


@dataclass(frozen=True, slots=True)
class OwnUnit:
    """No power may dislodge its own unit (DATC 6.D.10)."""

    result: ClassVar[Word] = Word.FAILS
    holder: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.holder,)

    def __str__(self) -> str:
        return f"may not dislodge its own unit: {write(self.holder)}"


@dataclass(frozen=True, slots=True)
class ConvoyBroken:
    """Every route was lost: each of these fleets was dislodged by the attack beside it."""

    result: ClassVar[Word] = Word.FAILS
    lost: tuple[tuple[Order, Order], ...]  # the fleet's order, the attack

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return tuple(attack for _, attack in self.lost)

    def __str__(self) -> str:
        return "no convoy: " + ", ".join(
            f"{unit_of(fleet)} dislodged by {write(attack)}" for fleet, attack in self.lost
        )


@dataclass(frozen=True, slots=True)
class ConvoyParadox:
    """The convoy decides over itself; the paradox rule takes these fleets out of it (DATC 4.A.2)."""

    result: ClassVar[Word] = Word.FAILS
    fleets: tuple[Order, ...]
    rule: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return self.fleets

    def __str__(self) -> str:
        return f"no convoy: {', '.join(unit_of(f) for f in self.fleets)} part of a convoy paradox ({self.rule})"


@dataclass(frozen=True, slots=True)
class Halted:
    """The paradox rule makes this move fail (DATC 4.A.2 d, NZ99 14)."""

    result: ClassVar[Word] = Word.FAILS
    rule: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return f"fails: part of a convoy paradox ({self.rule})"


@dataclass(frozen=True, slots=True)
class Unconvoyed:
    """No fleets were ordered to carry it; it tried to move all the same (DATC 6.D.8)."""

    result: ClassVar[Word] = Word.INVALID
    wanted: str  # what was missing

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return f"no convoy: {self.wanted}"


@dataclass(frozen=True, slots=True)
class Given:
    """The support counted."""

    result: ClassVar[Word] = Word.GIVEN

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return "given"


@dataclass(frozen=True, slots=True)
class Cut:
    """The supporter was attacked, not from where the support went (DATC 6.D.2)."""

    result: ClassVar[Word] = Word.CUT
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return f"cut by {write(self.attack)}"


@dataclass(frozen=True, slots=True)
class Overrun:
    """The supporter was dislodged from where its support went (DATC 6.D.17)."""

    result: ClassVar[Word] = Word.CUT
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return f"cut: dislodged by {write(self.attack)}"


@dataclass(frozen=True, slots=True)
class Unmatched:
    """The unit supported or convoyed did something else."""

    result: ClassVar[Word] = Word.INVALID
    did: Order
    why: str = "its unit was ordered"

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.did,)

    def __str__(self) -> str:
        return f"{self.why} {write(self.did)}"


@dataclass(frozen=True, slots=True)
class Available:
    """The fleet was there to carry the army, whether or not it was used."""

    result: ClassVar[Word] = Word.AVAILABLE

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return "available"


@dataclass(frozen=True, slots=True)
class Disrupted:
    """The convoying fleet was dislodged."""

    result: ClassVar[Word] = Word.DISRUPTED
    attack: Order

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return (self.attack,)

    def __str__(self) -> str:
        return f"dislodged by {write(self.attack)}"


@dataclass(frozen=True, slots=True)
class Struck:
    """The convoying fleet was part of a paradox, and does not convoy (DATC 4.A.2 f)."""

    result: ClassVar[Word] = Word.DISRUPTED
    rule: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return f"part of a convoy paradox ({self.rule})"


@dataclass(frozen=True, slots=True)
class Stands:
    """The unit was ordered to stay."""

    result: ClassVar[Word] = Word.STANDS

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return "stands"


@dataclass(frozen=True, slots=True)
class Illegal:
    """The order was understood and is not possible here."""

    result: ClassVar[Word] = Word.ILLEGAL
    why: str
    rule: str = ""

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return f"{self.why} ({self.rule})" if self.rule else self.why


@dataclass(frozen=True, slots=True)
class Invalid:
    """The order was not understood: the notation or the map does not know it."""

    result: ClassVar[Word] = Word.INVALID
    why: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return self.why


@dataclass(frozen=True, slots=True)
class Done:
    """A retreat, a disbanding, a build or a waiver that took place."""

    result: ClassVar[Word] = Word.SUCCEEDS
    what: str  # "retreats", "built", "removed"

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True)
class Clashed:
    """Units that retreat to one province all disband (DATC 6.H.7)."""

    result: ClassVar[Word] = Word.FAILS
    others: tuple[Order, ...]

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return self.others

    def __str__(self) -> str:
        return f"disbands: meets {', '.join(write(other) for other in self.others)}"


@dataclass(frozen=True, slots=True)
class Failed:
    """A build that lacks what it needs (DATC 6.B.14)."""

    result: ClassVar[Word] = Word.FAILS
    why: str
    rule: str = ""

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return f"{self.why} ({self.rule})" if self.rule else self.why


@dataclass(frozen=True, slots=True)
class Automatic:
    """Nobody ordered this; the rules did it."""

    result: ClassVar[Word] = Word.AUTOMATIC
    why: str

    @property
    def by(self) -> tuple[Order, ...]:
        """The orders that decided it."""
        return ()

    def __str__(self) -> str:
        return self.why


Outcome = (
    Moved
    | Bounced
    | Withstood
    | Faced
    | OwnUnit
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


@dataclass(frozen=True, slots=True)
class Result:
    """One order and what became of it."""

    power: Power
    order: Order
    outcome: Outcome
    dislodged_by: Order | None = None  # the attack that drove the unit out, whatever its own order was
    written: bool = True  # False: nobody wrote this order, the unit held (movement)

    @property
    def reason(self) -> str:
        """The whole sentence, the unit's own fate included.

        >>> from pipeline.orders.notation import read
        >>> Result(Power.ITALY, read("A VEN H"), Stands(), dislodged_by=read("A TRI - VEN")).reason
        'stands, dislodged by A TRI - VEN'
        """
        if self.dislodged_by is None or isinstance(self.outcome, Overrun | Disrupted):
            return str(self.outcome)
        return f"{self.outcome}, dislodged by {write(self.dislodged_by)}"

    @property
    def by(self) -> tuple[Order, ...]:
        """Every order that decided over this one."""
        if self.dislodged_by is None or self.dislodged_by in self.outcome.by:
            return self.outcome.by
        return (*self.outcome.by, self.dislodged_by)


@dataclass(frozen=True, slots=True)
class Resolution:
    """One phase, judged: each order's result, and the position that the next phase starts from."""

    phase: Phase
    results: tuple[Result, ...]
    after: Position


def unit_of(order: Order) -> str:
    """Write only the unit of an order."""
    return " ".join(write(order).split()[:2])
