"""A number in boxes, one digit a box: the exact likelihood of every number that may stand there, or a question."""

import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import product

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.ink import Box, InkLine, InkReading, Note, Noted, NoteMessage, Tier
from pipeline.paper.sheet_layout import Form, NumberAnswer, place_of
from pipeline.problems import Stopped
from pipeline.reading import strokes
from pipeline.reading.lattice import Floats
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.network import Ink
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage
from pipeline.rules.table import Table, read_toml_text

# The shape of one digit, as the net is shown it: a histogram of oriented gradients (HOG) in a grid of cells, the same
# for every size and pen.
#
# The same code makes the training pictures (`training/digits.py`), so that the net sees nothing new in use.

SIDE = 36  # pixels of the picture a digit is laid into
SPAN = 26.0  # of these its longer side takes up: the rest is room for slant
GRID = 6  # cells along each side
DIRECTIONS = 8  # an edge and its opposite are two
FEATURES = GRID * GRID * DIRECTIONS + 2  # and how wide and how high it is
FAINTEST = 20.0  # grey levels between paper and ink below which there is no ink
INKED = 0.35  # share of full ink from which a pixel counts where the extent of the ink is measured
LEAST_PIXELS = 6  # least pixels of ink of a digit
# The net was trained with these values: changing one requires training it again.
PAPER = 90  # percentile of a box: its bare paper
STROKE = 0.4  # share of the darkest ink from which a pixel counts as the middle of a stroke
FULL = 60  # percentile of the middles of strokes that is full ink, 1
REDUCED = 0.8  # below this scale a box is softened first
SOFTEN = 0.4  # pixels of the picture: how much it is softened, standard deviation
EVEN = 0.8  # pixels of blur in the end, standard deviation

DigitShape = NDArray[np.float32]


def shape_of(grey: Grey) -> DigitShape | None:
    """Describe the ink of one box (paper white, no frame) as `FEATURES` numbers; None where there is none.

    >>> shape_of(np.full((50, 40), 250, np.uint8)) is None
    True
    """
    ink = _digit_ink(grey)
    if ink is None:
        return None
    rows, columns = np.nonzero(ink > INKED)
    if len(rows) < LEAST_PIXELS:
        return None
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    height, width = float(bottom - top), float(right - left)
    laid = _laid_out(ink, (float(left + right) / 2, float(top + bottom) / 2), SPAN / max(height, width))
    relation = [width / max(height, width), height / max(height, width)]
    return np.concatenate([_directions(laid), np.array(relation, np.float32)])


def _digit_ink(grey: Grey) -> Ink | None:
    """Measure the ink, 0 to 1: pencil and felt pen come out alike."""
    ink = np.clip(float(np.percentile(grey, PAPER)) - grey.astype(np.float32), 0, None)
    peak = float(ink.max(initial=0.0))
    if peak < FAINTEST:
        return None
    inked = ink[ink > STROKE * peak]
    full = max(FAINTEST, float(np.percentile(inked, FULL)))
    return np.asarray(np.minimum(ink / full, 1), np.float32)


def _laid_out(ink: Ink, middle: tuple[float, float], scale: float) -> Ink:
    """Lay the ink into the middle of the picture at one size."""
    if scale < REDUCED:
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), SOFTEN / scale), np.float32)
    across, down = middle
    warp = np.array([[scale, 0, SIDE / 2 - across * scale], [0, scale, SIDE / 2 - down * scale]], np.float32)
    laid = cv2.warpAffine(ink, warp, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.GaussianBlur(laid, (0, 0), EVEN), np.float32)


def _directions(laid: Ink) -> DigitShape:
    """Sum the edges by direction in each cell of the grid; neighbours share what lies between them."""
    across, down = cv2.Sobel(laid, cv2.CV_32F, 1, 0), cv2.Sobel(laid, cv2.CV_32F, 0, 1)
    strength = np.hypot(across, down)
    turn = (np.arctan2(down, across) / (2 * np.pi) * DIRECTIONS) % DIRECTIONS
    lower = np.floor(turn).astype(int) % DIRECTIONS
    share = turn - np.floor(turn)
    planes = np.zeros((DIRECTIONS, SIDE, SIDE), np.float32)
    for number in range(DIRECTIONS):
        planes[number] = strength * (
            np.where(lower == number, 1 - share, 0) + np.where((lower + 1) % DIRECTIONS == number, share, 0)
        )
    step = SIDE // GRID
    places = np.arange(GRID) * step + step // 2
    cells = [cv2.GaussianBlur(plane, (0, 0), step / 2)[np.ix_(places, places)].ravel() for plane in planes]
    return np.sqrt(np.concatenate(cells)).astype(np.float32)


# The net that reads one digit: two layers over the shape, for ten digits and for anything else.


DIGITS = "0123456789"
OTHER = len(DIGITS)  # the class of everything that is no digit: letters, struck or overwritten digits, scrawl
WEIGHTS = "digits.npz"


class DigitNet(Struct, frozen=True, eq=False):
    """The weights of the net."""

    middle: NDArray[np.float32]  # by feature: what is subtracted before anything else
    spread: NDArray[np.float32]  # by feature: what it is divided by
    first: NDArray[np.float32]  # features by hidden
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]  # hidden by classes
    second_bias: NDArray[np.float32]

    def chances(self, shapes: Sequence[DigitShape]) -> Floats:
        """The probability (softmax) of each class for each of some shapes: shapes by classes, each row sums to one."""
        seen = (np.stack(shapes) - self.middle) / self.spread
        hidden = np.maximum(seen @ self.first + self.first_bias, 0)
        scores = (hidden @ self.second + self.second_bias).astype(np.float64)
        raised = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(raised / raised.sum(1, keepdims=True))


def _load_digit_net() -> DigitNet:
    """Load the net that ships with the program."""
    with np.load(str(resources.files(__package__) / "weights" / WEIGHTS)) as kept:
        return DigitNet(**{name: kept[name].astype(np.float32) for name in DigitNet.__annotations__})


# When a number in boxes is accepted: its least odds against everything else that could stand there.


class DigitGate(Struct, frozen=True):
    """How sure the net must be."""

    accepted: float  # log odds of the number against everything else, from which it is taken as read
    spoilt: float  # prior: how much rarer non-digits are in boxes than in the training pictures
    measured: str  # the digits, the people and the result that set it

    def weigh_chances(self, chances: Floats) -> Floats:
        """Correct the net's probabilities by the prior of non-digits."""
        weighed = chances.copy()
        weighed[:, OTHER] *= self.spoilt
        return np.asarray(weighed / weighed.sum(1, keepdims=True))


def _load_digit_gate() -> DigitGate:
    """Load the gate that ships with the program."""
    return _read_digit_gate((resources.files(__package__) / "digits.toml").read_text("utf-8"), "digits.toml")


def _read_digit_gate(text: str, where: str) -> DigitGate:
    """Read a gate; all that is wrong with the file at once."""
    table = Table(read_toml_text(text), where, between=" ")
    gate = DigitGate(
        accepted=table.need("accepted", float, 0.0),
        spoilt=table.need("spoilt", float, 1.0),
        measured=table.need("measured", str, ""),
    )
    if gate.spoilt <= 0:
        table.fault("spoilt", f"found {gate.spoilt}; wanted more than 0")
    if problems := table.finish():
        raise Stopped(problems)
    return gate


AROUND_MM = 1.5  # of paper around a box that is looked at
FRAME_MM = 0.45  # the frame, and how far it may lie off: 0.1 mm is the worst of a clean scan
RING_MM = (0.45, 1.0)  # outside the frame: ink here has left the box; the next box begins 1.2 mm further on or more
GUIDE_MM = 0.5  # above and below a dotted line, where its dots are no ink
LEFT_MM2 = 0.2  # ink outside the frame from which it has left the box: half a millimetre of a stroke
NOISE_STEP = 5  # pixels between two that are looked at
SMALLEST = 1e-12  # smallest probability, so that odds stay finite
MARGIN = 12  # pixels of white around the ink that the net is shown
WRONG_SUM = 0.1  # prior share of rows whose numbers do not add up
SUMS = 25  # about so many sums are equally likely where the numbers need not add up
OFFERED = 3  # numbers that a person is offered


class WhitePage(Struct, frozen=True):
    """A form laid straight, its paper made white."""

    grey: Grey
    form: Form
    noise: float  # grey levels of the paper, one standard deviation

    @classmethod
    def of(cls, page: RegisteredPage) -> "WhitePage":
        """Whiten a page. Its noise is measured on the whole page: half of a box written with a felt pen may be ink."""
        grey = strokes.on_white(page.flat)
        return cls(grey, page.form, noise_of(grey))


class BoxInk(Struct, frozen=True):
    """The ink of one box."""

    grey: Grey  # inside of the frame, paper white, nothing but ink
    is_blank: bool
    leaves: bool


class NumberReader(Struct, frozen=True, eq=False):
    """Reads numbers."""

    net: DigitNet
    gate: DigitGate

    def read(self, white: WhitePage, answer: NumberAnswer) -> InkLine:
        """Read one number, accepted only if it is certain."""
        seen = self.rank_number(white, answer)
        return self.judge_number(answer, seen) if isinstance(seen, tuple) else seen

    def read_row(self, white: WhitePage, answers: Sequence[NumberAnswer]) -> list[InkLine]:
        """Read the numbers of a row whose sum is known.

        A correct sum is evidence for each of them, no proof: people add up wrongly, too.
        """
        seen = [self.rank_number(white, answer) for answer in answers]
        counted = [each if isinstance(each, tuple) else NOUGHT for each in seen]
        if all(isinstance(each, tuple) or each.tier is Tier.BLANK for each in seen):
            counted = _weigh_sum(counted, answers[0].together)
        return [
            self.judge_number(answer, number) if isinstance(each, tuple) else each
            for answer, each, number in zip(answers, seen, counted, strict=True)
        ]

    def rank_number(self, white: WhitePage, answer: NumberAnswer) -> InkLine | tuple[InkReading, ...]:
        """Rank every number that may stand there; or say why none can be read."""
        inks = [_box_ink(white, box) for box in answer.boxes]
        if all(ink.is_blank for ink in inks):
            if any(ink.leaves for ink in inks):
                return _unread_number(answer, (), Note.LEAVES_BOX)
            return InkLine(number=answer.number, box=place_of(answer), readings=(), tier=Tier.BLANK)
        notes = _structural_notes(inks)
        shapes = [shape_of(ink.grey) for ink in inks if not ink.is_blank]
        seen = [shape for shape in shapes if shape is not None]
        readings = _rank_numbers(self.gate.weigh_chances(self.net.chances(seen))) if len(seen) == len(shapes) else ()
        return _unread_number(answer, readings, *notes) if not readings or notes else readings

    def judge_number(self, answer: NumberAnswer, readings: tuple[InkReading, ...]) -> InkLine:
        """Take the likeliest number as read, or ask."""
        best = readings[0]
        if not answer.least <= int(best.text) <= answer.most:
            return _unread_number(
                answer, readings, NoteMessage.of(Note.OUT_OF_RANGE, least=answer.least, most=answer.most)
            )
        if log_odds(best.confidence) < self.gate.accepted:
            return _unread_number(answer, tuple(r for r in readings if answer.least <= int(r.text) <= answer.most))
        return InkLine(number=answer.number, box=place_of(answer), readings=readings[:1], tier=Tier.ACCEPTED)


@cache
def shipped_reader() -> NumberReader:
    """The reader that ships with the program."""
    return NumberReader(_load_digit_net(), _load_digit_gate())


NOUGHT = (InkReading("0", 1.0),)  # what an empty box counts for in a sum


def _weigh_sum(numbers: Sequence[tuple[InkReading, ...]], together: int) -> list[tuple[InkReading, ...]]:
    """Weigh each number's candidates by the sum of the others.

    >>> six_or_eight = (InkReading("6", 0.5), InkReading("8", 0.5))
    >>> found = _weigh_sum([six_or_eight, (InkReading("26", 1.0),)], 34)
    >>> [(one.text, round(one.confidence, 3)) for one in found[0]]
    [('8', 0.996), ('6', 0.004)]
    """
    chances = []
    for readings in numbers:
        row = np.zeros(together + 1)
        for each in readings:
            if int(each.text) <= together:
                row[int(each.text)] += each.confidence
        chances.append(row)
    ranked = []
    for place, readings in enumerate(numbers):
        rest = np.zeros(together + 1)
        rest[0] = 1.0
        for other, row in enumerate(chances):
            if other != place:
                rest = np.convolve(rest, row)[: together + 1]
        right = np.array([rest[together - n] if (n := int(each.text)) <= together else 0.0 for each in readings])
        weights = WRONG_SUM + (1 - WRONG_SUM) * SUMS * right
        before = np.array([each.confidence for each in readings])
        else_ = max(0.0, 1 - float(before.sum())) * WRONG_SUM
        after = before * weights / (float(before @ weights) + else_)
        weighed = [InkReading(each.text, float(chance)) for each, chance in zip(readings, after, strict=True)]
        ranked.append(tuple(sorted(weighed, key=lambda one: (-one.confidence, one.text))))
    return ranked


def _unread_number(answer: NumberAnswer, readings: tuple[InkReading, ...], *notes: Noted) -> InkLine:
    """A number that a person must read."""
    return InkLine(
        number=answer.number, box=place_of(answer), readings=readings[:OFFERED], tier=Tier.ASKED, notes=notes
    )


def log_odds(chance: float) -> float:
    """The log odds of a chance.

    >>> log_odds(0.5), round(log_odds(0.99), 1)
    (0.0, 4.6)
    """
    kept = min(max(chance, SMALLEST), 1 - SMALLEST)
    return math.log(kept / (1 - kept))


def _structural_notes(inks: list[BoxInk]) -> tuple[Note, ...]:
    """Notes that need no reading: ink leaves a box, or an empty box lies between two digits."""
    notes = [Note.LEAVES_BOX] if any(ink.leaves for ink in inks) else []
    written = [place for place, ink in enumerate(inks) if not ink.is_blank]
    if written[-1] - written[0] + 1 > len(written):
        notes.append(Note.GAP)
    return tuple(notes)


def _rank_numbers(chances: Floats) -> tuple[InkReading, ...]:
    """Every number of the likeliest digits of each box, the likeliest first, with its exact probability.

    Boxes are independent: the probability of a number is the product of its digits'. All together are below 1: the
    rest belongs to everything else that can stand in a box.
    """
    likely = [np.argsort(-row[: len(DIGITS)]).tolist() for row in chances]
    numbers: dict[str, float] = {}
    for digits in product(*(places[: len(DIGITS) // len(likely)] for places in likely)):
        chance = math.prod(float(chances[place, digit]) for place, digit in enumerate(digits))
        text = str(int("".join(DIGITS[digit] for digit in digits)))
        numbers[text] = numbers.get(text, 0.0) + chance
    return tuple(
        InkReading(text, chance) for text, chance in sorted(numbers.items(), key=lambda one: (-one[1], one[0]))
    )


def _box_ink(white: WhitePage, box: Box) -> BoxInk:
    """Cut the inside of one box out, and say whether there is ink in it, and whether ink leaves it."""
    left, top = (max(0.0, edge - AROUND_MM) for edge in (box.left, box.top))
    around = _part_of(white.grey, box, AROUND_MM)
    here = Box(box.left - left, box.top - top, box.width, box.height)
    inside, is_blank = clean_box(_part_of(around, here, -FRAME_MM), white.noise)
    ring = _box_mask(around.shape, here, RING_MM[1]) & ~_box_mask(around.shape, here, RING_MM[0])
    dark = (around < strokes.WHITE - 2 * strokes.LEAST_CONTRAST) & ring & ~_on_guides(around.shape, white.form, top)
    leaves = float(dark.sum()) / PIXELS_PER_MM**2 >= LEFT_MM2
    return BoxInk(inside, is_blank, leaves)


def noise_of(grey: Grey) -> float:
    """How much the paper of a whole form varies, in grey levels."""
    soft = cv2.GaussianBlur(grey, (0, 0), strokes.SOFT_PX).astype(np.uint8, copy=False)
    return strokes.grain(soft[::NOISE_STEP, ::NOISE_STEP])


def _box_parts(inside: Grey, noise: float) -> strokes.Parts:
    """Find the pieces of ink in a box, as `strokes.ink_parts` does in a row."""
    soft = cv2.GaussianBlur(inside, (0, 0), strokes.SOFT_PX)
    labels, sizes, middles = strokes.pieces(
        (soft < strokes.inked_below(noise, strokes.LEAST_CONTRAST)).astype(np.uint8)
    )
    parts = strokes.Parts(labels, sizes, middles, np.arange(len(sizes)) > 0)  # the first is the paper
    return parts.without(parts.longest <= strokes.SPECK_MM * PIXELS_PER_MM)


def clean_box(inside: Grey, noise: float) -> tuple[Grey, bool]:
    """Take everything out of a box but its ink, and put white around it; and say whether the box is blank.

    The net learns from pictures that were cleaned by this same code.
    """
    parts = _box_parts(inside, noise)
    page = np.full([side + 2 * MARGIN for side in inside.shape], strokes.WHITE, np.uint8)
    near = (
        cv2.dilate(parts.mask.astype(np.uint8), strokes.square(5)) > 0
    )  # a speck beside it would make the digit small
    page[MARGIN:-MARGIN, MARGIN:-MARGIN][near] = inside[near]
    return page, not strokes.has_ink(parts)


def _part_of(white: Grey, box: Box, around_mm: float) -> Grey:
    """Cut a box out, grown or shrunk by so much."""
    rows, columns = _box_pixels(box, around_mm)
    return white[rows, columns]


def _box_pixels(box: Box, around_mm: float) -> tuple[slice, slice]:
    """The pixels of a box grown or shrunk by so much."""
    top, left = (max(0, round((edge - around_mm) * PIXELS_PER_MM)) for edge in (box.top, box.left))
    bottom = round((box.top + box.height + around_mm) * PIXELS_PER_MM)
    right = round((box.left + box.width + around_mm) * PIXELS_PER_MM)
    return slice(top, bottom), slice(left, right)


def _box_mask(shape: tuple[int, ...], box: Box, around_mm: float) -> NDArray[np.bool_]:
    """Which pixels lie in a box grown by so much."""
    mask = np.zeros(shape, bool)
    mask[_box_pixels(box, around_mm)] = True
    return mask


def _on_guides(shape: tuple[int, ...], form: Form, top: float) -> NDArray[np.bool_]:
    """Which pixels lie on a dotted line."""
    mask = np.zeros(shape, bool)
    for guide in form.guides:
        first, last = ((guide.y - top + side) * PIXELS_PER_MM for side in (-GUIDE_MM, GUIDE_MM))
        if last > 0 and first < shape[0]:
            mask[max(0, round(first)) : round(last)] = True
    return mask
