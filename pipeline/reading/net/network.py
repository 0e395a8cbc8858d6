"""A net, run by OpenCV: a normalised row in, a distribution over the letters for every few columns out."""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, SYMBOLS
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.normalise import OURS, Ink, NormalCanvas

WEIGHTS = "rows.onnx"

Features = NDArray[np.float64]  # frames by features


def shipped_weights() -> Path:
    """Say where the weights of the package are."""
    return Path(str(resources.files(__package__) / "weights" / WEIGHTS))


def head_beside(weights: Path) -> Path:
    """Say where the last layer is that belongs to a file of weights."""
    return weights.with_suffix(".npz")


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The last layer: what features speak for which class. Small, so that one can be fitted to a hand."""

    kernel: NDArray[np.float64]  # classes by features
    bias: NDArray[np.float64]  # by class

    def frames(self, features: Features) -> Frames:
        """Turn features into frames: distributions over the classes, each summing to one."""
        scores = features @ self.kernel.T + self.bias
        raised = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(raised / raised.sum(1, keepdims=True))


def load_head(weights: Path | None = None) -> Head:
    """Load the last layer beside a file of weights."""
    with np.load(head_beside(weights or shipped_weights())) as kept:
        return Head(kept["kernel"].astype(np.float64), kept["bias"].astype(np.float64))


class Network:
    """A loaded net without its last layer. One thread at a time: OpenCV keeps the row it is working on inside."""

    def __init__(self, weights: Path | None = None, canvas: NormalCanvas = OURS) -> None:
        path = weights or shipped_weights()
        with path.open("rb"):  # what is not there is told as such; OpenCV would tell it as its own failure
            self.net: Any = cv2.dnn.readNetFromONNX(str(path))
        self.canvas = canvas

    def features(self, ink: Ink) -> Features:
        """See a normalised row (`normalise`): frames by features."""
        canvas, columns = self.canvas, ink.shape[1]
        width = -(-columns // canvas.width_step) * canvas.width_step
        wide = np.full((1, 1, canvas.rows, width), canvas.paper, np.float32)
        wide[0, 0, :, :columns] = canvas.paper + (canvas.ink - canvas.paper) * ink
        self.net.setInput(wide)
        seen = self.net.forward()
        count = -(-columns // canvas.columns_per_frame)
        return np.asarray(seen.reshape(seen.shape[1], -1)[:, :count].T, np.float64)


def without(frames: Frames, symbols: str) -> Frames:
    """Rule some symbols out: what is left is the likelihood given that they were not written."""
    left = frames.copy()
    left[:, [CLASS_OF[symbol] for symbol in symbols]] = 0.0
    return np.asarray(left / left.sum(1, keepdims=True))


def best_letters(frames: Frames) -> list[tuple[str, int]]:
    """Read freely: the best class of each frame, repeats merged, blanks left out; each letter with its frame."""
    best = frames.argmax(1).tolist()
    pairs = enumerate(zip([BLANK, *best], best, strict=False))
    return [(SYMBOLS[now - 1], frame) for frame, (before, now) in pairs if now not in (before, BLANK)]
