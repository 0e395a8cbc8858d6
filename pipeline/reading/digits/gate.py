"""When a number in boxes is taken as read: how likely it must be against everything else that could stand there."""

import tomllib
from dataclasses import dataclass
from importlib import resources

import numpy as np

from pipeline.reading.digits.net import OTHER, Floats


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
    values = tomllib.loads((resources.files(__package__) / "gate.toml").read_text("utf-8"))
    return DigitGate(float(values["accepted"]), float(values["spoilt"]), str(values["measured"]))
