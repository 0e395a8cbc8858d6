"""The further readers: nets trained separately, each used where those before it are not sure.

If a reader's file is missing, or cannot be run, the readers before it do the work and ask more.
"""

import copy
import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnxruntime
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.reading import network
from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES, STRUCK, bare, spelling
from pipeline.reading.lattice import SURELY_BLANK, Floats, Frames
from pipeline.reading.recogniser import AFTER_FIRST, Crop, EngineFailed, Inked, KeptRow, Sure

# A row of boxes seen as one line: what the net sees of the written boxes, and certainty for what was ticked between.
#
# All that is written in the boxes is shown to the net as one line, so that small letters stay small beside large ones.
# The net's frames are then cut at the boxes' edges, and frames for what is certain (ticks and printed units) are put
# between them, in the order of the line. The whole is judged like any other row.

CERTAIN = 1 - 1e-9  # not quite 1: a line without the sign is as good as impossible, and still has a likelihood
BETWEEN = 3  # frames of bare paper between two parts: as wide as what is read as the space between two words
ROOM = 24  # frames of paper added at the end: a row of few boxes needs at least one frame for each letter
NEARLY = 1 - 1e-5  # probability that this paper is empty: an absent letter costs 15 (log)
TO_BE_READ, NEARLY_BLANK = -1, -2
NO_INK = np.zeros((0, 0), np.float32)  # rows that are only weighed, or used for learning, need no picture

Classes = NDArray[np.int64]


class Seen(Struct, frozen=True, eq=False):
    """One row as the net saw it: its features, before any vocabulary."""

    ink: network.Ink
    features: network.Features
    box_frames: Classes | None = None  # by frame of a row of boxes: its class if certain, or TO_BE_READ or NEARLY_BLANK
    again: "Seen | None" = None  # as the next reader's net saw it, where it looked
    tails: tuple[tuple[float, float], ...] = ()  # columns of the ink between which something hangs down out of the row
    found: network.FoundInk | None = None  # of a free row that was just looked at: the same for the next reader

    def frames(self, head: network.Head) -> Frames:
        """Turn features into frames: distributions over the classes, certain where a box is ticked."""
        if self.box_frames is None:
            return _with_room(head.frames(self.features))
        read = self.box_frames == TO_BE_READ
        distributions = np.full((len(read), CLASSES), (1 - CERTAIN) / (CLASSES - 1))
        sure = np.flatnonzero(self.box_frames >= 0)
        distributions[sure, self.box_frames[sure]] = CERTAIN
        distributions[self.box_frames == NEARLY_BLANK] = (1 - NEARLY) / (CLASSES - 1)
        distributions[self.box_frames == NEARLY_BLANK, BLANK] = NEARLY
        if read.any():  # a row may be all printed and ticked
            distributions[read] = head.frames(self.features[read])
        return distributions

    @property
    def is_written(self) -> bool:
        """Whether something is to be read: a row of boxes may be all ticked and printed."""
        return self.box_frames is None or bool((self.box_frames == TO_BE_READ).any())

    @property
    def pack_row(self) -> NDArray[np.float16]:
        """The row without its ink, small enough to be kept for every sheet of an event.

        A row of boxes has a column more than features: what is certain of each frame.
        """
        columns = self.features if self.box_frames is None else np.column_stack([self.features, self.box_frames])
        return columns.astype(np.float16)

    @property
    def views(self) -> "list[Seen]":
        """The row as each reader saw it, as far as they looked."""
        return [self, *(self.again.views if self.again is not None else ())]

    def then(self, further: "Sequence[Seen]") -> "Seen":
        """The row with what more readers saw, who looked after those that have."""
        again = self.again.then(further) if self.again is not None else _join_views(further)
        return replace(self, again=again)

    @property
    def as_kept(self) -> KeptRow:
        """What is kept of the row, of all readers."""
        first, *further = (view.pack_row for view in self.views)
        return KeptRow(first, tuple(further))

    @classmethod
    def unpack(cls, packed: NDArray[np.float16], features: int) -> "Seen":
        """Restore a row from stored features of a net with so many features."""
        columns = packed.astype(np.float64)
        if columns.shape[1] == features:
            return cls(NO_INK, columns)
        return cls(NO_INK, columns[:, :-1], columns[:, -1].astype(np.int64))


def _join_views(views: Sequence[Seen]) -> Seen | None:
    """Join the features that the readers computed for a row; None if none did."""
    return views[0].then(views[1:]) if views else None


def look(crop: Crop, net: network.Network, before: network.FoundInk | None = None) -> Seen | None:
    """See one row, free or of boxes, with one net; None where there is no ink. ``before``: the ink, if it was found."""
    if crop.parts:
        return _see_parts(crop, net)
    ink = before or network.find_ink(crop.grey)
    if ink is None:
        return None
    laid = network.lay_ink(ink, net.canvas)
    tails = tuple((laid.column(first), laid.column(last)) for first, last in crop.tails)
    return Seen(laid.ink, net.features(laid.ink), tails=tails, found=ink)


def _with_room(frames: Frames) -> Frames:
    """Pad a row with almost no writing by empty frames, so that whole lines can be compared with it."""
    if np.count_nonzero(frames[:, BLANK] <= SURELY_BLANK) >= ROOM:
        return frames
    bare_paper = np.full((ROOM, CLASSES), (1 - NEARLY) / (CLASSES - 1))
    bare_paper[:, BLANK] = NEARLY
    return np.concatenate([frames, bare_paper])


def _see_parts(crop: Crop, net: network.Network) -> Seen:
    """See a row of boxes. Ink in which the net sees no writing is taken for ink that was struck out: it is asked."""
    written = iter(_see_written([part for part in crop.parts if isinstance(part, Inked)], net))
    canvas = net.canvas
    seen: list[Seen] = []
    for part in crop.parts:
        seen.append(_certain(part.text, canvas) if isinstance(part, Sure) else next(written))
        seen.append(paper(BETWEEN, BLANK, canvas))
    return _join_parts([*seen, paper(ROOM, NEARLY_BLANK, canvas)], canvas)


def _see_written(parts: Sequence[Inked], net: network.Network) -> list[Seen]:
    """See what stands in the boxes of a row side by side, and cut it into boxes again, in the paper between them."""
    if not parts:
        return []
    greys = [part.grey for part in parts]
    height = max(len(grey) for grey in greys)
    line = [np.pad(grey, ((0, height - len(grey)), (0, 0)), constant_values=255) for grey in greys]
    canvas = net.canvas
    laid = network.lay(np.concatenate(line, axis=1), canvas)
    if laid is None:
        return [_certain(STRUCK, canvas)] * len(greys)
    features, width = net.features(laid.ink), canvas.columns_per_frame
    begins = [0, *np.cumsum([grey.shape[1] for grey in greys]).tolist()]
    cuts = [round(laid.column(end) / width) for end in begins[1:-1]]
    bounds = pairwise([0, *(min(max(cut, 0), len(features)) for cut in cuts), len(features)])
    seen: list[Seen] = []
    for part, begin, (start, stop) in zip(parts, begins[:-1], bounds, strict=True):
        places = [[laid.column(begin + column) - start * width for column in tail] for tail in part.tails]
        tails = tuple((first, last) for first, last in places)
        seen.append(Seen(laid.ink[:, start * width : stop * width], features[start:stop], tails=tails))
    return seen


def _certain(text: str, canvas: network.NormalCanvas) -> Seen:
    """Make what is seen of a text that is certain: each letter, and a blank after it."""
    classes = np.full(2 * len(bare(text)), BLANK)
    classes[::2] = [CLASS_OF[letter] for letter in bare(text)]
    ink = np.ones((canvas.rows, len(classes) * canvas.columns_per_frame), np.float32)
    return Seen(ink, np.zeros((len(classes), 0)), classes)


def paper(frames: int, kind: int, canvas: network.NormalCanvas) -> Seen:
    """Make what is seen of bare paper; ``kind`` is BLANK, or NEARLY_BLANK."""
    ink = np.zeros((canvas.rows, frames * canvas.columns_per_frame), np.float32)
    return Seen(ink, np.zeros((frames, 0)), np.full(frames, kind))


def _join_parts(parts: Sequence[Seen], canvas: network.NormalCanvas) -> Seen:
    """Lay parts one after the other, each ink as wide as its frames."""
    width = max(part.features.shape[1] for part in parts)
    inks, features, box_frames = [], [], []
    tails: list[tuple[float, float]] = []
    before = 0  # columns
    for part in parts:
        count = len(part.features)
        inks.append(np.pad(part.ink, ((0, 0), (0, count * canvas.columns_per_frame - part.ink.shape[1]))))
        features.append(np.pad(part.features, ((0, 0), (0, width - part.features.shape[1]))))
        box_frames.append(np.full(count, TO_BE_READ) if part.box_frames is None else part.box_frames)
        tails += [(before + first, before + last) for first, last in part.tails]
        before += count * canvas.columns_per_frame
    return Seen(np.concatenate(inks, axis=1), np.concatenate(features), np.concatenate(box_frames), tails=tuple(tails))


# Adaptation to a writer: the last layer is fitted to rows whose text is known, and nothing else changes.
#
# A text that the director confirmed or corrected shows which letters stand where on its row (over all alignments of the
# text with the frames, weighted by likelihood). The last layer is fitted to that, and regularised towards the original
# one, so that a few rows change it little. The net itself is never trained during an event.

STEPS = 40  # 100 steps give no better result
KEPT, TAKEN = 0.9, 0.1  # Adam's beta 1, and 1 minus it
KEPT_SQUARE, TAKEN_SQUARE = 0.99, 0.01  # beta 2, and 1 minus it; Adam's paper has 0.999, for more steps
LEAST_STEEP = 1e-8  # added to the slope's size so that nothing is divided by 0, as in Adam's paper
SETTLED = 0.001  # error of a probability below which a frame is ignored
# A text whose log likelihood is lower is not what is written on the row: the readers do not learn from it. Of 341
# asked rows 99 % are above -21 with their true text
LEAST_LIKELY = -25.0
# This bound applies where a person chose an order and did not say how it is spelled: of 341 asked rows 60 % are above
# it, of 30 misspelt ones none
LEAST_CHOSEN = -5.0


class Pace(Struct, frozen=True):
    """How fast a layer learns."""

    hold: float  # strength of the regularisation towards the original layer: it counts as so many frames of evidence
    rate: float  # of one step


FIRST = Pace(hold=3.0, rate=0.02)  # hold 3 to 100 tried on the hands the gate is fitted on
# The further readers' features are 3.6 times as large, so their layers' weights are smaller and need a stronger hold.
# On 14 hands (fit half), after a sample, a hold of 3, 10 and 40 asks 14.7, 14.1 and 13.3 % of legal rows
FURTHER = Pace(hold=40.0, rate=0.005)


class Known(Struct, frozen=True, eq=False):
    """One row of a hand whose text is known."""

    row: Seen
    text: str  # as it was written, not as it was meant
    is_certain: bool = True  # False: the meaning is certain, the spelling is the reader's guess
    crop: Crop | None = None  # its picture, for those readers to learn from that have not looked


def _alignment(frames: Frames, text: str) -> tuple[Frames, float]:
    """Share every frame among the classes of a text, over all alignments; and the text's log likelihood.

    The forward-backward algorithm (Graves et al. 2006, section 4.1), in probabilities scaled frame by frame.
    """
    path = np.full(2 * len(text) + 1, BLANK)
    path[1::2] = [CLASS_OF[letter] for letter in text]
    leaps = np.zeros(len(path), bool)  # over a blank, to another letter
    leaps[2:] = (path[2:] != BLANK) & (path[2:] != path[:-2])
    shown = frames[:, path]
    forward, log_likelihood = _forward_pass(shown, leaps)
    turned = np.concatenate([[False, False], leaps[::-1][:-2]])
    backward, _ = _forward_pass(shown[::-1, ::-1], turned)
    share = forward * backward[::-1, ::-1] / np.maximum(shown, 1e-300)
    share /= np.maximum(share.sum(1, keepdims=True), 1e-300)
    by_class = np.zeros_like(frames)
    np.add.at(by_class.T, path, share.T)
    return by_class, log_likelihood


def _forward_pass(shown: Frames, leaps: NDArray[np.bool_]) -> tuple[Floats, float]:
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


def fit_head(head: network.Head, known: Sequence[Known], pace: Pace = FIRST) -> network.Head:
    """Fit the last layer to the known rows of one hand; without any it stays what it is."""
    taught: list[tuple[network.Features, Frames]] = []
    for row in known:
        lesson = _lesson_of(head, row)
        if lesson is not None:
            taught.append(lesson)
    if not taught:
        return head
    features = np.concatenate([features for features, _ in taught])
    wanted = np.concatenate([wanted for _, wanted in taught])
    unsettled = np.abs(head.frames(features) - wanted).max(1) > SETTLED
    return _descend_slope(head, features[unsettled], wanted[unsettled], pace)


def _lesson_of(head: network.Head, known: Known) -> tuple[network.Features, Frames] | None:
    """Say which letters stand in which frames of a row; None where its text cannot stand there.

    Of a row of boxes only what was written teaches. Ticked and printed parts teach nothing; they have no
    brackets, even where the typed text has some.
    """
    boxes = known.row.box_frames
    text = spelling(known.text) if boxes is None else bare(known.text)
    if not text or STRUCK in text or len(known.row.features) < len(text):
        return None
    frames = head.frames(known.row.features) if boxes is None else known.row.frames(head)
    wanted, likelihood = _alignment(frames, text)
    if likelihood <= (LEAST_LIKELY if known.is_certain else LEAST_CHOSEN):
        return None
    if boxes is None:
        return known.row.features, wanted
    written = boxes == TO_BE_READ
    return (known.row.features[written], wanted[written]) if written.any() else None


def _descend_slope(head: network.Head, features: network.Features, wanted: Frames, pace: Pace) -> network.Head:
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
    return network.Head(layer[:, :-1], layer[:, -1])


class FurtherReader:
    """A further net; it uses the same vocabulary."""

    def __init__(self, weights: Path) -> None:
        self.weights = weights
        self.network = network.Network(self.weights, network.BORROWED)
        self.learnt = network.load_head(self.weights)
        self.lessons: Callable[[], Sequence[Known]] | None = None  # what is still to be learnt
        self.digest = hashlib.sha256(self.weights.read_bytes()).hexdigest()[:8]
        self.network.features(
            np.zeros((network.BORROWED.rows, network.BORROWED.width_step), np.float32)
        )  # it loads; does it run?

    @property
    def head(self) -> network.Head:
        """Its last layer, fitted when it is first needed."""
        self.learn()
        return self.learnt

    def learn(self) -> None:
        """Fit the last layer to the lessons, and release them."""
        if self.lessons is not None:
            self.learnt, self.lessons = fit_head(self.learnt, self.lessons(), FURTHER), None

    def look(self, crop: Crop, before: network.FoundInk | None = None) -> Seen | None:
        """See one row, whose ink may have been found before; None where there is no ink."""
        return look(crop, self.network, before)

    def taught_by(self, known: Callable[[], Sequence[Known]]) -> "FurtherReader":
        """Make a reader that learns a hand from rows as this one saw them; ``known`` is called when it first reads."""
        other = copy.copy(self)
        other.learnt, other.lessons = self.head, known
        return other


class Lessons:
    """The known rows of one hand, and which readers have seen them."""

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

    Without pictures all readers learn at once, and the rows need not be stored.
    """
    lessons = Lessons(readers, known)
    taught = tuple(reader.taught_by(partial(lessons.seen_by, number)) for number, reader in enumerate(readers))
    if all(one.crop is None for one in known):
        for reader in taught:
            reader.learn()
    return taught


def look_further(readers: Sequence[FurtherReader], row: Seen, crop: Crop | None) -> Seen:
    """Let some readers see a row as well, if they have not. Of a row that was kept there may be no picture."""
    remaining = readers[len(row.views) - 1 :]
    if crop is None or not remaining:
        return row
    looked: list[Seen] = []
    for reader in remaining:
        if (view := seen_safely(partial(reader.look, crop, row.found))) is None:
            break  # a reader that sees no ink ends the sequence
        looked.append(view)
    return row.then(looked)


def seen_safely(see: Callable[[], Seen | None]) -> Seen | None:
    """See a row; `EngineFailed` where the net cannot be run."""
    try:
        return see()
    except network.NetFailed as failed:
        raise EngineFailed(str(failed)) from failed


def weights_of(name: str) -> Path:
    """Say where the weights of one of these readers are."""
    return network.shipped_weights().with_name(f"{name}.onnx")


def further_readers() -> tuple[FurtherReader, ...]:
    """The readers that ship with the program, up to the first that is not there or cannot be run."""
    readers: list[FurtherReader] = []
    for name in AFTER_FIRST:
        try:
            readers.append(FurtherReader(weights_of(name)))
        except (network.NetFailed, OSError):
            break
    return tuple(readers)


def why_missing(name: str) -> str:
    """Say why one of these readers is not here, or does not look; nothing where it does."""
    for before in AFTER_FIRST[: AFTER_FIRST.index(name)]:
        if why_missing(before):
            return f"it looks after the {before} reader, which is missing"
    weights = weights_of(name)
    try:
        FurtherReader(weights)
    except network.NetFailed:
        return f"ONNX Runtime {onnxruntime.__version__} cannot run {weights.name}; install a newer one"
    except OSError as error:
        return f"{weights} cannot be read ({error.strerror or error}); install again"
    return ""
