"""A net, run by ONNX Runtime: a normalised row in, a distribution over the letters for every few columns out."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from msgspec import Struct
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as failures

from pipeline.reading.alphabet import BLANK, CLASS_OF, SYMBOLS
from pipeline.reading.lattice import Frames
from pipeline.reading.pages import Grey

# A grey crop of one row becomes a net's input: ink 0..1 on some rows of pixels, every hand at about the same size.
#
# The same code makes the net's training pictures, so that rows look the same in training and in use.

MOST_WIDE = 52.0  # ink heights: an order of 60 wide letters; more is not one line of writing
STRIP = 64  # columns over which the paper's own brightness is one number
# The nets were trained with these values: changing one requires training them again.
PEAK = 99.9  # percentile of the ink that counts as the darkest
LOOKED_AT = 60_000  # about so many pixels are sampled to find the darkest; a larger row is subsampled
STROKE = 0.4  # share of the darkest ink from which a pixel counts as the middle of a stroke
FULL = 75  # percentile of the middles of strokes that is shown as ink 1
PAPER = 85  # percentile of a strip: its bare paper
INKED = 0.35  # of full ink, where the extent of the writing is measured
RULE = 41  # columns: a flat run as long is what is left of a printed rule, and must not stretch the writing
LEAST_COLUMNS = 60  # of a row in which such runs are looked for
LEAST_INK = 10  # pixels: fewer are no writing
OUTER = 0.03  # of the ink above and below, which is loops and tails
LEAST_HEIGHT = 10.0  # rows that writing is taken to have
BESIDE = 4  # columns of the crop on either side of the writing
LEAST_WIDE = 24  # columns of the net's input
REDUCED = 0.75  # below this scale the row is softened first
SOFTEN = 0.45  # pixels of the input: how much it is softened, standard deviation
FAINTEST = 12.0  # grey levels between paper and ink below which there is no ink to speak of

Ink = NDArray[np.float32]


class NormalCanvas(Struct, frozen=True):
    """The size of a net's input rows, and their scaling."""

    rows: int  # pixels
    ink_rows: float  # the middle 94 % of the ink spans so many of the rows: capitals with room for loops below
    margin: int  # columns of paper at both ends
    columns_per_frame: int
    width_step: int  # columns; widths are rounded up, as they were in training
    paper: float = 0.0  # what the net is shown for bare paper
    ink: float = 1.0  # and for the darkest ink


OURS = NormalCanvas(
    rows=40, ink_rows=27.0, margin=6, columns_per_frame=4, width_step=16
)  # the net that `training` made
BORROWED = NormalCanvas(
    48, ink_rows=33.6, margin=10, columns_per_frame=8, width_step=8, paper=1.0, ink=-1.0
)  # the second and the third


class Framing(Struct, frozen=True):
    """How the ink is laid into the rows; training varies it, reading does not."""

    stretch: float = 1.0  # of the size
    shift: float = 0.0  # of the centre, in ink heights


AS_WRITTEN = Framing()


def _darkness(grey: Grey) -> tuple[Ink, float]:
    """Measure the ink above the paper, 0..1, and how dark the darkest strokes are in grey levels."""
    paper = _paper_brightness(grey)
    ink = np.clip(paper[None, :] - grey, 0, None).astype(np.float32)
    sample = ink[:: 1 + ink.size // LOOKED_AT]
    peak = float(_percentile(sample.ravel(), PEAK))
    strokes = ink[ink > max(FAINTEST, STROKE * peak)]
    full = max(FAINTEST, float(_percentile(strokes, FULL))) if strokes.size else FAINTEST
    return np.minimum(ink / full, 1), float(peak)


def _paper_brightness(grey: Grey) -> Ink:
    """Estimate the brightness of the bare paper in each column, from strips."""
    width = grey.shape[1]
    starts = range(0, max(1, width - STRIP // 2), STRIP)
    whole, lines = width // STRIP, grey[::2]
    levels = [float(_percentile(lines[:, s:].ravel(), PAPER)) for s in starts[whole:]]
    if whole:  # the others are as wide as each other, and measured at once
        strips = lines[:, : whole * STRIP].reshape(len(lines), whole, STRIP).transpose(1, 0, 2)
        levels = [*_percentile(strips.reshape(whole, -1), PAPER).tolist(), *levels]
    middles = [min(s + STRIP / 2, width) for s in starts]
    return np.asarray(np.interp(np.arange(width), middles, levels), np.float32)


def _percentile(values: NDArray[Any], share: float) -> NDArray[Any]:
    """As ``np.percentile`` along the last axis, to the last digit, in half the time."""
    at = (values.shape[-1] - 1) * (share / 100)
    low = int(at)
    high, part = min(low + 1, values.shape[-1] - 1), at - low
    ordered = np.partition(values, (low, high))
    one, other = ordered[..., low], ordered[..., high]
    apart = other - one
    return np.asarray(one + apart * part if part < 0.5 else other - apart * (1 - part))


def _extent(ink: Ink) -> tuple[float, float, int, int] | None:
    """Find the writing: centre and height of its middle 94 % in rows, first and last column; None without ink."""
    mask = (ink > INKED).astype(np.uint8)
    if mask.shape[1] > LEAST_COLUMNS:
        runs = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((1, RULE), np.uint8))
        mask = np.where(cv2.dilate(runs, np.ones((3, 1), np.uint8)) > 0, 0, mask)
    total = np.cumsum(mask.sum(1))
    if total[-1] < LEAST_INK:
        return None
    top = int(np.searchsorted(total, OUTER * total[-1]))
    bottom = int(np.searchsorted(total, (1 - OUTER) * total[-1])) + 1
    columns = np.flatnonzero(mask.any(0))
    return (top + bottom) / 2, max(LEAST_HEIGHT, bottom - top), int(columns[0]), int(columns[-1])


class LaidInk(Struct, frozen=True, eq=False):
    """The net's input, and how it was made of the crop."""

    ink: Ink
    left: int  # the crop's column that the input begins with, after its margin
    scale: float
    margin: int  # columns

    def column(self, column: float) -> float:
        """The column of the input that a column of the crop maps to."""
        return self.margin + (column - self.left) * self.scale

    def column_of_crop(self, column: float) -> float:
        """The column of the crop that a column of the input comes from."""
        return (column - self.margin) / self.scale + self.left


def normalise(grey: Grey, canvas: NormalCanvas = OURS, framing: Framing = AS_WRITTEN) -> Ink | None:
    """Make a net's input, its rows by any number of columns; None where there is no ink."""
    laid = lay(grey, canvas, framing)
    return None if laid is None else laid.ink


def lay(grey: Grey, canvas: NormalCanvas, framing: Framing = AS_WRITTEN) -> LaidInk | None:
    """Make a net's input, and say how it was made."""
    ink = find_ink(grey)
    return None if ink is None else lay_ink(ink, canvas, framing)


class FoundInk(Struct, frozen=True, eq=False):
    """The ink of a row and where the writing is; the same for every canvas."""

    ink: Ink  # of the crop, 0..1
    centre: float  # of the middle 94 % of the writing, rows
    height: float  # of the middle 94 % of the writing, rows
    first: int  # column with ink
    last: int


def find_ink(grey: Grey) -> FoundInk | None:
    """Measure the ink of a row; None where there is none."""
    ink, peak = _darkness(grey)
    place = _extent(ink) if peak > FAINTEST else None
    return None if place is None else FoundInk(ink, *place)


def lay_ink(measured: FoundInk, canvas: NormalCanvas, framing: Framing = AS_WRITTEN) -> LaidInk:
    """Lay measured ink on a net's canvas."""
    ink, height = measured.ink, measured.height
    scale, margin = canvas.ink_rows / (height * framing.stretch), canvas.margin
    left = max(0, measured.first - BESIDE)
    wide = (measured.last + 1 + BESIDE - left) * scale + 2 * margin
    columns = int(np.clip(wide, LEAST_WIDE, MOST_WIDE * canvas.ink_rows))
    if scale < REDUCED:
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), SOFTEN / scale), np.float32)
    middle = measured.centre + framing.shift * height
    warp = np.array([[scale, 0, margin - left * scale], [0, scale, canvas.rows / 2 - middle * scale]], np.float32)
    laid = cv2.warpAffine(ink, warp, (columns, canvas.rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return LaidInk(np.asarray(laid, np.float32), left, scale, margin)


WEIGHTS = "rows.onnx"

Features = NDArray[np.float64]  # frames by features


def shipped_weights() -> Path:
    return Path(str(resources.files(__package__) / "weights" / WEIGHTS))


def head_beside(weights: Path) -> Path:
    """Say where the last layer is that belongs to a file of weights."""
    return weights.with_suffix(".npz")


class Head(Struct, frozen=True, eq=False):
    """The last layer: weights of the features for each class. It is small, so that it can be fitted to a hand."""

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


class NetFailed(Exception):
    """ONNX Runtime cannot load a net, or cannot run it."""


# they have no class of their own above them
_FAILURES = tuple(each for each in vars(failures).values() if isinstance(each, type) and issubclass(each, Exception))
onnxruntime.disable_telemetry_events()  # nothing leaves this machine; only under Windows there is any


class Network:
    """A loaded net without its last layer.

    Raises OSError where the weights are missing, `NetFailed` where they are no net.
    """

    def __init__(self, weights: Path | None = None, canvas: NormalCanvas = OURS) -> None:
        wish = onnxruntime.SessionOptions()
        wish.intra_op_num_threads = 1  # as in every helper: the rounding of sums depends on the number of threads
        net = (weights or shipped_weights()).read_bytes()
        cv2.setNumThreads(1)
        with _telling_failures():
            self.session = onnxruntime.InferenceSession(net, wish, providers=["CPUExecutionProvider"])
        self.canvas = canvas

    def features(self, ink: Ink) -> Features:
        """Compute the features of a normalised row (`normalise`): frames by features."""
        canvas, columns = self.canvas, ink.shape[1]
        width = -(-columns // canvas.width_step) * canvas.width_step
        wide = np.full((1, 1, canvas.rows, width), canvas.paper, np.float32)
        wide[0, 0, :, :columns] = canvas.paper + (canvas.ink - canvas.paper) * ink
        with _telling_failures():
            (seen,) = self.session.run(None, {self.session.get_inputs()[0].name: wide})
        count = -(-columns // canvas.columns_per_frame)
        return np.asarray(seen.reshape(seen.shape[1], -1)[:, :count].T, np.float64)


@contextmanager
def _telling_failures() -> Iterator[None]:
    try:
        yield
    except _FAILURES as failed:
        raise NetFailed(str(failed)) from failed


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
