"""The net itself, run by OpenCV: a normalised row in, a distribution over the letters for every four columns out."""

from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES, SYMBOLS
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.normalise import ROWS, Ink

COLUMNS_PER_FRAME = 4
WIDTH_STEP = 16  # columns; widths are rounded up, as they were in training
WEIGHTS = "rows.onnx"


def shipped_weights() -> Path:
    """Say where the weights of the package are."""
    return Path(str(resources.files(__package__) / "weights" / WEIGHTS))


class Network:
    """The loaded net. One thread at a time: OpenCV keeps the row it is working on inside."""

    def __init__(self, weights: Path | None = None) -> None:
        self.net: Any = cv2.dnn.readNetFromONNX(str(weights or shipped_weights()))

    def frames(self, ink: Ink) -> Frames:
        """Read a normalised row (`normalise`): frames by classes, every frame summing to one."""
        columns = ink.shape[1]
        wide = np.zeros((1, 1, ROWS, (columns + WIDTH_STEP - 1) // WIDTH_STEP * WIDTH_STEP), np.float32)
        wide[0, 0, :, :columns] = ink
        self.net.setInput(wide)
        scores = self.net.forward().reshape(CLASSES, -1)[:, : (columns + COLUMNS_PER_FRAME - 1) // COLUMNS_PER_FRAME]
        raised = np.exp((scores - scores.max(0)).T.astype(np.float64))
        return np.asarray(raised / raised.sum(1, keepdims=True))


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
