"""The second reader: a net learnt elsewhere, on other writing, that looks at a row where the first is not sure.

Without its file, or with an OpenCV that cannot run it, everything works with the first reader alone, which asks more.
"""

import copy
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from pipeline.reading.net.hand import SECOND, Known, fitted
from pipeline.reading.net.network import Network, load_head, shipped_weights
from pipeline.reading.net.normalise import BORROWED
from pipeline.reading.net.written_boxes import Seen, look
from pipeline.reading.rows.recogniser import Crop

WEIGHTS = "second.onnx"
CANNOT_RUN = (cv2.error, OSError)


class SecondReader:
    """Sees rows in its own way; what is expected of them is the same. One thread at a time."""

    def __init__(self, weights: Path | None = None) -> None:
        self.weights = weights or second_weights()
        self.network = Network(self.weights, BORROWED)
        self.head = load_head(self.weights)
        self.digest = hashlib.sha256(self.weights.read_bytes()).hexdigest()[:8]
        self.network.features(np.zeros((BORROWED.rows, BORROWED.width_step), np.float32))  # it loads; does it run?

    def look(self, crop: Crop) -> Seen | None:
        """See one row; None where there is no ink."""
        return look(crop, self.network)

    def taught_by(self, known: Sequence[Known]) -> "SecondReader":
        """Make a reader for one hand of the known rows at which this one has looked, too."""
        other = copy.copy(self)
        looked = [replace(row, row=row.row.again) for row in known if row.row.again is not None]
        other.head = fitted(self.head, looked, SECOND)
        return other


def second_weights() -> Path:
    """Say where the weights of the second reader are."""
    return shipped_weights().with_name(WEIGHTS)


def second_reader() -> SecondReader | None:
    """The second reader that ships with the program; None where it is not there, or cannot be run."""
    try:
        return SecondReader()
    except CANNOT_RUN:
        return None


def why_missing() -> str:
    """Say why there is no second reader here; nothing where there is one."""
    try:
        SecondReader()
    except cv2.error:
        return f"OpenCV {cv2.__version__} cannot run {second_weights().name}; install a newer one"
    except OSError as error:
        return f"{second_weights()} cannot be read ({error.strerror or error}); install again"
    return ""
