"""Ink that a reading leaves out: each stroke of a row belongs to a sign of what was read there, or the row is asked.

The nets that read take everything for letters, and a likely line has no place for a stroke that is none: a slash
through a dash, a ring, a word above the line. So a small net looks at the picture of the row, at what the first reader
makes of it (its features) and at where the signs of the text lie, and says of every few columns whether there is ink
that is none of them. It was taught with marks of many kinds on rows, and with texts that lack a letter
(`training/unread.py`); it names nothing.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.reading.alphabet import CLASS_OF, spelling
from pipeline.reading.free import laid_along
from pipeline.reading.lattice import Floats, Frames
from pipeline.reading.network import (
    OURS,
    Features,
    FoundInk,
    Network,
    NormalCanvas,
    head_beside,
    lay_ink,
    shipped_weights,
)

# Its frames are the first reader's; above and below the letters there is more room
CANVAS = NormalCanvas(rows=56, ink_rows=27.0, margin=6, columns_per_frame=4, width_step=16)
WEIGHTS = "unread.onnx"
NO_SIGN = 0  # of a frame in which no sign of the text begins; the others have their sign's class

UNTAUGHT = "+"  # a sign of winters, which the net was taught as a mark: nothing is said of its ink
BEFORE, BEHIND = 8, 2  # frames: how far before its own that ink may begin, and how far before the next sign's it ends

Signs = NDArray[np.int64]  # by frame


class Layer(Struct, frozen=True, eq=False):
    """A convolution along the frames."""

    kernel: Floats  # taps by features by features of the result
    bias: Floats
    apart: int  # frames from one tap to the next

    def over(self, frames: Floats) -> Floats:
        """Apply it; before the first frame and behind the last there is nothing."""
        taps, room = len(self.kernel), self.apart * (len(self.kernel) // 2)
        wide = np.pad(frames, ((room, room), (0, 0)))
        parts = [wide[tap * self.apart : tap * self.apart + len(frames)] for tap in range(taps)]
        return np.asarray(np.concatenate(parts, axis=1) @ self.kernel.reshape(-1, self.kernel.shape[2]) + self.bias)


class UnreadInk:
    """The net, and the layers that weigh what it sees."""

    def __init__(self, weights: Path | None = None) -> None:
        path = weights or shipped_weights().with_name(WEIGHTS)
        self.network = Network(path, CANVAS)
        with np.load(head_beside(path)) as kept:
            self.signs = kept["signs"].astype(np.float64)
            self.layers = [
                Layer(kept[f"kernel{number}"].astype(np.float64), kept[f"bias{number}"].astype(np.float64), apart)
                for number, apart in enumerate(kept["apart"].tolist())
            ]

    def odds(self, ink: FoundInk, read: Features, text: str, frames: Frames) -> float:
        """The log odds that a row has ink that belongs to no sign of its text.

        ``read``: the first reader's features, and ``frames`` what it makes of them.
        """
        seen = self.network.features(lay_ink(ink, CANVAS).ink)
        signs = _lay_signs(text, frames, len(seen))
        return float(np.logaddexp.reduce(self.weigh_frames(seen, read, signs)[_is_taught(signs)]))

    def weigh_frames(self, seen: Floats, read: Features, signs: Signs) -> Floats:
        """The log odds of each frame, of what this net and the first reader see there."""
        first, *between, last = self.layers
        hidden = np.maximum(first.over(np.column_stack([seen, read, self.signs[signs]])), 0)
        for layer in between:
            hidden = hidden + np.maximum(layer.over(hidden), 0)
        return np.asarray(last.over(hidden)[:, 0])


def signs_in_crop(text: str, frames: Frames, ink: FoundInk) -> list[tuple[str, float]]:
    """The signs of a text, each with the column of the crop in which the first reader sees it."""
    laid = lay_ink(ink, OURS)
    signs = laid_along(spelling(text), frames)
    return [(sign, laid.column_of_crop((frame + 0.5) * OURS.columns_per_frame)) for sign, frame in signs]


def _lay_signs(text: str, frames: Frames, count: int) -> Signs:
    """Lay the signs of a text along so many frames: each where it begins, two never in one frame."""
    laid: Signs = np.full(count, NO_SIGN)
    for sign, frame in laid_along(spelling(text), frames):
        set_sign(laid, frame, sign)
    return laid


def _is_taught(signs: Signs) -> NDArray[np.bool_]:
    """By frame: whether no sign lies there that the net was not taught."""
    taught = np.ones(len(signs), np.bool_)
    begins = np.flatnonzero(signs != NO_SIGN).tolist()
    for at, ends in pairwise([*begins, len(signs) + BEHIND]):
        if signs[at] == CLASS_OF[UNTAUGHT]:
            taught[max(0, at - BEFORE) : max(at + 1, ends - BEHIND)] = False
    return taught


def set_sign(signs: Signs, frame: int, sign: str) -> None:
    """Put a sign into a frame, or the next that is free."""
    free = np.flatnonzero(signs[frame:] == NO_SIGN)
    if len(free):
        signs[frame + free[0]] = CLASS_OF[sign]
