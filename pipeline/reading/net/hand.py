"""A hand comes back every season: the last layer learns it from rows whose text is known, and nothing else changes.

What the director confirmed or corrected says which letters stand where on those rows (all alignments of the text with
the frames, weighed by their likelihood). The last layer is moved towards that and held back towards where it was: a
few rows move it little. There is no training of the net at the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.reading.net.alphabet import BLANK, CLASS_OF, STRUCK, bare, spelling
from pipeline.reading.net.lattice import Floats, Frames
from pipeline.reading.net.network import Features, Head
from pipeline.reading.net.written_boxes import TO_BE_READ, Seen
from pipeline.reading.rows.recogniser import Crop

STEPS = 40  # 100 teach no more
KEPT, TAKEN = 0.9, 0.1  # of the slope from step to step (Adam), and ...
KEPT_SQUARE, TAKEN_SQUARE = 0.99, 0.01  # ... of its square; the paper has 0.999, for more steps
LEAST_STEEP = 1e-8  # as in the paper
SETTLED = 0.001  # of a probability: a frame that is read as it should be teaches nothing
# Log likelihood below which a text is not what stands on the row: it teaches nothing. Of 341 plain rows that were asked
# 99 in 100 are above -21 with the text that stands there
LEAST_LIKELY = -25.0
# The same where a person chose an order and did not say how it is spelled: of 30 misspelt rows none is above it with
# the text that was meant, of 341 plain rows that were asked six in ten are
LEAST_CHOSEN = -5.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a layer learns."""

    hold: float  # how strongly it is held where it was, in frames
    rate: float  # of one step


FIRST = Pace(hold=3.0, rate=0.02)  # hold 3 to 100 tried on the hands the gate is fitted on
# The features of the readers after it are 3.6 times as large, and their layers as small. Tried on 14 hands that the
# gate is fitted on, after a sample: 3, 10 and 40 ask 14.7, 14.1 and 13.3 % of legal rows; the first's alone 14.3 %
FURTHER = Pace(hold=40.0, rate=0.005)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """One row of a hand whose text is known."""

    row: Seen
    text: str  # as it was written, not as it was meant
    is_certain: bool = True  # False: the meaning is certain, and the spelling is the reader's own
    crop: Crop | None = None  # its picture, for those readers to learn from that have not looked


def alignment(frames: Frames, text: str) -> tuple[Frames, float]:
    """Share every frame among the classes of a text, over all alignments; and the text's log likelihood.

    The forward-backward algorithm (Graves et al. 2006, section 4.1), in probabilities scaled frame by frame.
    """
    path = np.full(2 * len(text) + 1, BLANK)
    path[1::2] = [CLASS_OF[letter] for letter in text]
    leaps = np.zeros(len(path), bool)  # over a blank, to another letter
    leaps[2:] = (path[2:] != BLANK) & (path[2:] != path[:-2])
    shown = frames[:, path]
    forward, log_likelihood = swept(shown, leaps)
    turned = np.concatenate([[False, False], leaps[::-1][:-2]]) if len(path) > 1 else leaps
    backward, _ = swept(shown[::-1, ::-1], turned)
    share = forward * backward[::-1, ::-1] / np.maximum(shown, 1e-300)
    share /= np.maximum(share.sum(1, keepdims=True), 1e-300)
    by_class = np.zeros_like(frames)
    np.add.at(by_class.T, path, share.T)
    return by_class, log_likelihood


def swept(shown: Frames, leaps: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Run along the frames: the share each place of the path holds after each frame, and the log likelihood."""
    held = np.zeros_like(shown)
    here = np.zeros(shown.shape[1])
    here[:2] = 1.0
    log_scale = 0.0
    for number, frame in enumerate(shown):
        come = here.copy()
        if number:
            come[1:] += here[:-1]
            come[2:] += np.where(leaps[2:], here[:-2], 0.0)
        here = come * frame
        total = float(here.sum())
        if total <= 0:
            return held, -np.inf
        here /= total
        log_scale += float(np.log(total))
        held[number] = here
    with np.errstate(divide="ignore"):
        return held, float(np.log(here[-2:].sum())) + log_scale


def fitted(head: Head, known: Sequence[Known], pace: Pace = FIRST) -> Head:
    """Fit the last layer to the known rows of one hand; without any it stays what it is."""
    taught: list[tuple[Features, Frames]] = []
    for row in known:
        lesson = lesson_of(head, row)
        if lesson is not None:
            taught.append(lesson)
    if not taught:
        return head
    features = np.concatenate([features for features, _ in taught])
    wanted = np.concatenate([wanted for _, wanted in taught])
    unsettled = np.abs(head.frames(features) - wanted).max(1) > SETTLED
    return descended(head, features[unsettled], wanted[unsettled], pace)


def lesson_of(head: Head, known: Known) -> tuple[Features, Frames] | None:
    """Say which letters stand in which frames of a row; None where its text cannot stand there.

    Of a row of boxes only what was written teaches. What is ticked or printed there has no brackets, whatever is typed.
    """
    boxes = known.row.known
    text = spelling(known.text) if boxes is None else bare(known.text)
    if not text or STRUCK in text or len(known.row.features) < len(text):
        return None
    frames = head.frames(known.row.features) if boxes is None else known.row.frames(head)
    wanted, likelihood = alignment(frames, text)
    if likelihood <= (LEAST_LIKELY if known.is_certain else LEAST_CHOSEN):
        return None
    if boxes is None:
        return known.row.features, wanted
    written = boxes == TO_BE_READ
    return (known.row.features[written], wanted[written]) if written.any() else None


def descended(head: Head, features: Features, wanted: Frames, pace: Pace) -> Head:
    """Move the layer down the slope of cross-entropy and of its distance from where it was (Adam, Kingma & Ba 2015)."""
    columns = np.column_stack([features, np.ones(len(features))])
    start = np.column_stack([head.kernel, head.bias])
    layer = start.copy()
    slow, square = np.zeros_like(layer), np.zeros_like(layer)
    for step in range(1, STEPS + 1):
        scores = columns @ layer.T
        raised = np.exp(scores - scores.max(1, keepdims=True))
        frames = raised / raised.sum(1, keepdims=True)
        slope = (frames - wanted).T @ columns + pace.hold * (layer - start)
        slow = KEPT * slow + TAKEN * slope
        square = KEPT_SQUARE * square + TAKEN_SQUARE * slope**2
        steep = np.sqrt(square / (1 - KEPT_SQUARE**step)) + LEAST_STEEP
        layer = layer - pace.rate * (slow / (1 - KEPT**step)) / steep
    return Head(layer[:, :-1], layer[:, -1])
