"""The readers after the first: nets learnt elsewhere, each of which looks where those before it are not sure.

Without a reader's file, or with an OpenCV that cannot run it, everything works with those before it, which ask more.
"""

import copy
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from pipeline.reading.net.hand import FURTHER, Known, fitted
from pipeline.reading.net.network import Network, load_head, shipped_weights
from pipeline.reading.net.normalise import BORROWED
from pipeline.reading.net.written_boxes import Seen, look
from pipeline.reading.rows.recogniser import AFTER_FIRST, Crop

CANNOT_RUN = (cv2.error, OSError)


class FurtherReader:
    """Sees rows in its own way; what is expected of them is the same. One thread at a time."""

    def __init__(self, weights: Path) -> None:
        self.weights = weights
        self.network = Network(self.weights, BORROWED)
        self.head = load_head(self.weights)
        self.digest = hashlib.sha256(self.weights.read_bytes()).hexdigest()[:8]
        self.network.features(np.zeros((BORROWED.rows, BORROWED.width_step), np.float32))  # it loads; does it run?

    def look(self, crop: Crop) -> Seen | None:
        """See one row; None where there is no ink."""
        return look(crop, self.network)

    def taught_by(self, known: Sequence[Known]) -> "FurtherReader":
        """Make a reader for one hand of rows as this one has seen them."""
        other = copy.copy(self)
        other.head = fitted(self.head, known, FURTHER)
        return other


def taught_further(readers: Sequence[FurtherReader], known: Sequence[Known]) -> tuple[FurtherReader, ...]:
    """Teach each reader of those known rows at which it has looked, too."""
    found, rows = [], known
    for reader in readers:
        rows = [replace(row, row=row.row.again) for row in rows if row.row.again is not None]
        found.append(reader.taught_by(rows))
    return tuple(found)


def weights_of(name: str) -> Path:
    """Say where the weights of one of these readers are."""
    return shipped_weights().with_name(f"{name}.onnx")


def further_readers() -> tuple[FurtherReader, ...]:
    """The readers that ship with the program, up to the first that is not there or cannot be run."""
    found: list[FurtherReader] = []
    for name in AFTER_FIRST:
        try:
            found.append(FurtherReader(weights_of(name)))
        except CANNOT_RUN:
            break
    return tuple(found)


def why_missing(name: str) -> str:
    """Say why one of these readers is not here, or does not look; nothing where it does."""
    for before in AFTER_FIRST[: AFTER_FIRST.index(name)]:
        if why_missing(before):
            return f"it looks after the {before} reader, which is missing"
    weights = weights_of(name)
    try:
        FurtherReader(weights)
    except cv2.error:
        return f"OpenCV {cv2.__version__} cannot run {weights.name}; install a newer one"
    except OSError as error:
        return f"{weights} cannot be read ({error.strerror or error}); install again"
    return ""
