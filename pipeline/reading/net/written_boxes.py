"""A row of boxes seen as one line: what the net sees of the written boxes, and certainty for what was ticked between.

What is written is seen together, as if it stood on one line: small letters stay small beside large ones. Its frames are
then cut at the boxes' edges, and the frames of what is certain are put between, in the order of the line. The same
lattice, evidence and gate judge the whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES, STRUCK, bare
from pipeline.reading.net.lattice import SURELY_BLANK, Frames
from pipeline.reading.net.network import Features, Head, Network
from pipeline.reading.net.normalise import Grey, Ink, NormalCanvas, lay
from pipeline.reading.rows.recogniser import Crop, Inked, KeptRow, Sure

CERTAIN = 1 - 1e-9  # not quite 1: a line without the sign is as good as impossible, and still has a likelihood
BETWEEN = 3  # frames of bare paper between two parts: as wide as what is read as the space between two words
ROOM = 24  # frames of paper at the end: few boxes have few frames, and a line needs one for each letter to be weighed
NEARLY = 1 - 1e-5  # that this paper is bare: a letter that is not there costs 15 (log)
TO_BE_READ, NEARLY_BLANK = -1, -2
NO_INK = np.zeros((0, 0), np.float32)  # what is only weighed, or teaches, needs no picture

Classes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One row as the net saw it, before anything is expected of it."""

    ink: Ink
    features: Features
    known: Classes | None = None  # by frame of a row of boxes: its class if that is certain, or one of the two above
    again: "Seen | None" = None  # as the next reader's net saw it, where it looked
    tails: tuple[tuple[float, float], ...] = ()  # columns of the ink between which something hangs down out of the row

    def frames(self, head: Head) -> Frames:
        """Turn features into frames: distributions over the classes, certain where a box is ticked."""
        if self.known is None:
            return with_room(head.frames(self.features))
        read = self.known == TO_BE_READ
        found = np.full((len(read), CLASSES), (1 - CERTAIN) / (CLASSES - 1))
        sure = np.flatnonzero(self.known >= 0)
        found[sure, self.known[sure]] = CERTAIN
        found[self.known == NEARLY_BLANK] = (1 - NEARLY) / (CLASSES - 1)
        found[self.known == NEARLY_BLANK, BLANK] = NEARLY
        if read.any():  # a row may be all printed and ticked
            found[read] = head.frames(self.features[read])
        return found

    @property
    def is_written(self) -> bool:
        """Whether something is to be read: a row of boxes may be all ticked and printed."""
        return self.known is None or bool((self.known == TO_BE_READ).any())

    @property
    def packed(self) -> NDArray[np.float16]:
        """The row without its ink, small enough to be kept for every sheet of an event.

        A row of boxes has a column more than features: what is certain of each frame.
        """
        columns = self.features if self.known is None else np.column_stack([self.features, self.known])
        return columns.astype(np.float16)

    @property
    def views(self) -> "list[Seen]":
        """The row as each reader saw it, as far as they looked."""
        return [self, *(self.again.views if self.again is not None else ())]

    def then(self, further: "Sequence[Seen]") -> "Seen":
        """The row with what more readers saw, who looked after those that have."""
        again = self.again.then(further) if self.again is not None else chained(further)
        return replace(self, again=again)

    @property
    def kept(self) -> KeptRow:
        """What is kept of the row, of all readers."""
        first, *further = (view.packed for view in self.views)
        return KeptRow(first, tuple(further))

    @classmethod
    def unpacked(cls, packed: NDArray[np.float16], features: int) -> "Seen":
        """Make a row again of what was kept, seen by a net of so many features."""
        columns = packed.astype(np.float64)
        if columns.shape[1] == features:
            return cls(NO_INK, columns)
        return cls(NO_INK, columns[:, :-1], columns[:, -1].astype(np.int64))


def chained(views: Sequence[Seen]) -> Seen | None:
    """Join what one reader after the other saw of a row; None where nobody looked."""
    return views[0].then(views[1:]) if views else None


def look(crop: Crop, network: Network) -> Seen | None:
    """See one row, free or of boxes, with one net; None where there is no ink."""
    if crop.parts:
        return see_parts(crop, network)
    laid = lay(crop.grey, network.canvas)
    if laid is None:
        return None
    tails = tuple((laid.column(first), laid.column(last)) for first, last in crop.tails)
    return Seen(laid.ink, network.features(laid.ink), tails=tails)


def with_room(frames: Frames) -> Frames:
    """Give a row with next to no writing the room that a line needs to be weighed, and found not to be there."""
    if np.count_nonzero(frames[:, BLANK] <= SURELY_BLANK) >= ROOM:
        return frames
    bare_paper = np.full((ROOM, CLASSES), (1 - NEARLY) / (CLASSES - 1))
    bare_paper[:, BLANK] = NEARLY
    return np.concatenate([frames, bare_paper])


def see_parts(crop: Crop, network: Network) -> Seen:
    """See a row of boxes. Ink in which the net sees no writing is taken for ink that was struck out: it is asked."""
    written = iter(see_written([part.grey for part in crop.parts if isinstance(part, Inked)], network))
    canvas = network.canvas
    found: list[Seen] = []
    for part in crop.parts:
        found.append(certain(part.text, canvas) if isinstance(part, Sure) else next(written))
        found.append(paper(BETWEEN, BLANK, canvas))
    return joined([*found, paper(ROOM, NEARLY_BLANK, canvas)], canvas)


def see_written(greys: Sequence[Grey], network: Network) -> list[Seen]:
    """See what stands in the boxes of a row side by side, and cut it into boxes again, in the paper between them."""
    if not greys:
        return []
    height = max(len(grey) for grey in greys)
    line = [np.pad(grey, ((0, height - len(grey)), (0, 0)), constant_values=255) for grey in greys]
    canvas = network.canvas
    laid = lay(np.concatenate(line, axis=1), canvas)
    if laid is None:
        return [certain(STRUCK, canvas)] * len(greys)
    features, each = network.features(laid.ink), canvas.columns_per_frame
    ends = np.cumsum([grey.shape[1] for grey in greys])[:-1]
    cuts = [round(laid.column(float(end)) / each) for end in ends]
    bounds = pairwise([0, *(min(max(cut, 0), len(features)) for cut in cuts), len(features)])
    return [Seen(laid.ink[:, start * each : stop * each], features[start:stop]) for start, stop in bounds]


def certain(text: str, canvas: NormalCanvas) -> Seen:
    """Make what is seen of a text that is certain: each letter, and a blank after it."""
    known = np.full(2 * len(bare(text)), BLANK)
    known[::2] = [CLASS_OF[letter] for letter in bare(text)]
    ink = np.ones((canvas.rows, len(known) * canvas.columns_per_frame), np.float32)
    return Seen(ink, np.zeros((len(known), 0)), known)


def paper(frames: int, known: int, canvas: NormalCanvas) -> Seen:
    """Make what is seen of bare paper."""
    ink = np.zeros((canvas.rows, frames * canvas.columns_per_frame), np.float32)
    return Seen(ink, np.zeros((frames, 0)), np.full(frames, known))


def joined(parts: Sequence[Seen], canvas: NormalCanvas) -> Seen:
    """Lay parts one after the other, each ink as wide as its frames."""
    width = max(part.features.shape[1] for part in parts)
    inks, features, known = [], [], []
    for part in parts:
        count = len(part.features)
        inks.append(np.pad(part.ink, ((0, 0), (0, count * canvas.columns_per_frame - part.ink.shape[1]))))
        features.append(np.pad(part.features, ((0, 0), (0, width - part.features.shape[1]))))
        known.append(np.full(count, TO_BE_READ) if part.known is None else part.known)
    return Seen(np.concatenate(inks, axis=1), np.concatenate(features), np.concatenate(known))
