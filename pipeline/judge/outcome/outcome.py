"""What became of each order of a phase: one reason, which names the orders that decided it.

Each reason is a class of its own, in ``clashes`` or in ``verdicts``; ``outcome.result`` is the word for it,
``str(outcome)`` the sentence.
"""

from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.board.position import Phase, Position
from pipeline.judge.outcome.movement_reasons import (
    Available,
    Bounced,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Disrupted,
    Faced,
    Given,
    Halted,
    Moved,
    Overrun,
    OwnConvoy,
    OwnUnit,
    Stands,
    Struck,
    Unconvoyed,
    Unmatched,
    Withstood,
)
from pipeline.judge.outcome.reason import Word
from pipeline.judge.outcome.verdicts import Automatic, Clashed, Done, Failed, Illegal, Invalid
from pipeline.orders.notation import write
from pipeline.orders.order import Order
from pipeline.words.wording import wording

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


@dataclass(frozen=True, slots=True)
class Result:
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

        >>> from pipeline.orders.notation import read
        >>> Result(Power.ITALY, read("A VEN H"), Stands(), dislodged_by=read("A TRI - VEN")).reason
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


@dataclass(frozen=True, slots=True)
class Resolution:
    """One phase, judged: each order's result, and the position that the next phase starts from."""

    phase: Phase
    results: tuple[Result, ...]
    after: Position
