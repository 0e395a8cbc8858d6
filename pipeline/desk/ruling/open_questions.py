"""What a ruling on one order of a row leaves open: the other orders on it that the director is still asked about."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One order on a row that waits."""

    ink: str  # its piece of the row; of an order that is taken from another one, that one's
    unit: str  # the province of the own unit that it is about; empty where none is named

    def is_of(self, ink: str, unit: str) -> bool:
        """Whether this was asked of an order; which unit that is about may depend on the other rows.

        >>> Asked("- BEL", "").is_of("- BEL", "YOR"), Asked("A BUD - ROM", "BUD").is_of("A VIE - ROM", "VIE")
        (True, False)
        """
        return self.ink == ink and (self.unit == unit or "" in (self.unit, unit))


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """What is still asked of a row of which something was settled: the same questions, as if nothing had been."""

    text: str = ""  # all that is read on the row
    asked: tuple[Asked, ...] = ()

    def settled(self, units: Collection[str], alike: Asked | None = None) -> "LeftOpen":
        """What is left where these units are settled, and with a question all that are like it."""
        return LeftOpen(self.text, tuple(each for each in self.asked if each.unit not in units and each != alike))

    def as_body(self) -> dict[str, Any]:
        """Write it for a fact."""
        return {"text": self.text, "asked": [{"ink": each.ink, "unit": each.unit} for each in self.asked]}

    @classmethod
    def of_body(cls, body: dict[str, Any]) -> "LeftOpen":
        """Read it back."""
        return cls(body["text"], tuple(Asked(each["ink"], each["unit"]) for each in body["asked"]))


NOTHING_LEFT = LeftOpen()
