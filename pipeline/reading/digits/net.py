"""The net that reads one digit: two layers over the shape, for ten digits and for anything else."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.reading.digits.shape import Shape

Floats = NDArray[np.float64]

DIGITS = "0123456789"
OTHER = len(DIGITS)  # the class of everything that is no digit: letters, struck or overwritten digits, scrawl
WEIGHTS = "digits.npz"


@dataclass(frozen=True, slots=True, eq=False)
class DigitNet:
    """The weights of the net."""

    middle: NDArray[np.float32]  # by feature: what is subtracted before anything else
    spread: NDArray[np.float32]  # by feature: what it is divided by
    first: NDArray[np.float32]  # features by hidden
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]  # hidden by classes
    second_bias: NDArray[np.float32]

    def chances(self, shapes: Sequence[Shape]) -> Floats:
        """Give the probability of each class for each shape: shapes by classes, each row sums to one."""
        if not shapes:
            return np.zeros((0, OTHER + 1))
        seen = (np.stack(shapes) - self.middle) / self.spread
        hidden = np.maximum(seen @ self.first + self.first_bias, 0)
        scores = (hidden @ self.second + self.second_bias).astype(np.float64)
        raised = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(raised / raised.sum(1, keepdims=True))


def shipped_weights() -> Path:
    """Say where the weights of the package are."""
    return Path(str(resources.files(__package__) / WEIGHTS))


def load_digit_net(weights: Path | None = None) -> DigitNet:
    """Load the net that ships with the program, or another."""
    with np.load(weights or shipped_weights()) as kept:
        return DigitNet(**{name: kept[name].astype(np.float32) for name in DigitNet.__annotations__})
