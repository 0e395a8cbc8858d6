"""The readers after the first: nets learnt elsewhere, each of which looks where those before it are not sure.

Without a reader's file, or with an OpenCV that cannot run it, everything works with those before it, which ask more.
"""

import copy
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from pipeline.reading.net.hand import FURTHER, Known, fitted
from pipeline.reading.net.network import Head, Network, load_head, shipped_weights
from pipeline.reading.net.normalise import BORROWED
from pipeline.reading.net.written_boxes import Seen, look
from pipeline.reading.rows.recogniser import AFTER_FIRST, Crop, EngineFailed

CANNOT_RUN = (cv2.error, OSError)


class FurtherReader:
    """Sees rows in its own way; what is expected of them is the same. One thread at a time."""

    def __init__(self, weights: Path) -> None:
        self.weights = weights
        self.network = Network(self.weights, BORROWED)
        self.learnt = load_head(self.weights)
        self.lessons: Callable[[], Sequence[Known]] | None = None  # what is still to be learnt
        self.digest = hashlib.sha256(self.weights.read_bytes()).hexdigest()[:8]
        self.network.features(np.zeros((BORROWED.rows, BORROWED.width_step), np.float32))  # it loads; does it run?

    @property
    def head(self) -> Head:
        """Its last layer. What there is to learn it learns when it is first needed: for many rows that is never."""
        self.learn()
        return self.learnt

    def learn(self) -> None:
        """Learn what there is to learn, and let go of the rows."""
        if self.lessons is not None:
            self.learnt, self.lessons = fitted(self.learnt, self.lessons(), FURTHER), None

    def look(self, crop: Crop) -> Seen | None:
        """See one row; None where there is no ink."""
        return look(crop, self.network)

    def taught_by(self, known: Callable[[], Sequence[Known]]) -> "FurtherReader":
        """Make a reader for one hand of rows as this one has seen them, which are asked for when it is to read."""
        other = copy.copy(self)
        other.learnt, other.lessons = self.head, known
        return other


class Lessons:
    """Rows of one hand whose text is known, and who has looked at them."""

    def __init__(self, readers: Sequence[FurtherReader], known: Sequence[Known]) -> None:
        self.readers, self.known = readers, list(known)

    def seen_by(self, number: int) -> list[Known]:
        """Take the rows as one of the readers has seen them; of what it has not seen it looks at the pictures."""
        readers = self.readers[: number + 1]
        self.known = [replace(one, row=look_further(readers, one.row, one.crop)) for one in self.known]
        views = [(one, one.row.views[1:]) for one in self.known]
        return [replace(one, row=seen[number]) for one, seen in views if len(seen) > number]


def taught_further(readers: Sequence[FurtherReader], known: Sequence[Known]) -> tuple[FurtherReader, ...]:
    """Teach each reader of those known rows at which it has looked, or can.

    Where there are no pictures nobody has to look: all learn at once, and the rows need not be kept for it.
    """
    lessons = Lessons(readers, known)
    found = tuple(reader.taught_by(partial(lessons.seen_by, number)) for number, reader in enumerate(readers))
    if all(one.crop is None for one in known):
        for reader in found:
            reader.learn()
    return found


def look_further(readers: Sequence[FurtherReader], row: Seen, crop: Crop | None) -> Seen:
    """Let some readers see a row as well, if they have not. Of a row that was kept there may be no picture."""
    eager = readers[len(row.views) - 1 :]
    if crop is None or not eager:
        return row
    looked: list[Seen] = []
    for reader in eager:
        if (view := seen_safely(partial(reader.look, crop))) is None:
            break  # who sees no ink says nothing, and those after it are not asked
        looked.append(view)
    return row.then(looked)


def seen_safely(see: Callable[[], Seen | None]) -> Seen | None:
    """See a row; `EngineFailed` where OpenCV cannot run the net."""
    try:
        return see()
    except cv2.error as failed:
        raise EngineFailed(str(failed)) from failed


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
