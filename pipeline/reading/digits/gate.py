"""When a number in boxes is taken as read: how likely it must be against everything else that could stand there."""

import tomllib
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class DigitGate:
    """How sure the net must be."""

    accepted: float  # log odds of the number against everything else, from which it is taken as read
    measured: str  # the digits, the people and the result that set it


def load_digit_gate() -> DigitGate:
    """Load the gate that ships with the program."""
    values = tomllib.loads((resources.files(__package__) / "gate.toml").read_text("utf-8"))
    return DigitGate(float(values["accepted"]), str(values["measured"]))
