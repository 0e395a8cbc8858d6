"""When a number in boxes is taken as read: how likely it must be against everything else that could stand there."""

from dataclasses import dataclass
from importlib import resources

import numpy as np

from pipeline.problems import Stopped
from pipeline.reading.digits.net import OTHER, Floats
from pipeline.rules.toml.table import Table, read_toml_text


@dataclass(frozen=True, slots=True)
class DigitGate:
    """How sure the net must be."""

    accepted: float  # log odds of the number against everything else, from which it is taken as read
    spoilt: float  # times: how much rarer what is no digit is in a box than among the pictures the net learnt from
    measured: str  # the digits, the people and the result that set it

    def weighed(self, chances: Floats) -> Floats:
        """Weigh what the net says with how rare it is that something else than a digit stands in a box."""
        found = chances.copy()
        found[:, OTHER] *= self.spoilt
        return np.asarray(found / found.sum(1, keepdims=True))


def load_digit_gate() -> DigitGate:
    """Load the gate that ships with the program."""
    return read_digit_gate((resources.files(__package__) / "gate.toml").read_text("utf-8"), "gate.toml")


def read_digit_gate(text: str, where: str) -> DigitGate:
    """Read a gate; all that is wrong with the file at once."""
    table = Table(read_toml_text(text), where, between=" ")
    gate = DigitGate(
        accepted=table.need("accepted", float, 0.0),
        spoilt=table.need("spoilt", float, 1.0),
        measured=table.need("measured", str, ""),
    )
    if gate.spoilt <= 0:
        table.fault("spoilt", f"{gate.spoilt} times; wanted more than 0")
    if problems := table.finish():
        raise Stopped(problems)
    return gate
