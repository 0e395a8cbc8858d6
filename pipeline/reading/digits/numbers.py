"""A number in boxes, one digit a box: the exact likelihood of every number that may stand there, or a question."""

import math
from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box, InkLine, InkReading, Note, Noted, Tier
from pipeline.paper.layout.answers import NumberAnswer, place_of
from pipeline.paper.layout.sheet_layout import Form
from pipeline.reading.digits.gate import DigitGate, load_digit_gate
from pipeline.reading.digits.net import DIGITS, DigitNet, Floats, load_digit_net
from pipeline.reading.digits.shape import shape_of
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import SOFT_PX, WHITE, grain, inked_below, on_white
from pipeline.reading.ink.pieces import pieces
from pipeline.reading.ink.strokes import LEAST_CONTRAST, SPECK_MM, Parts, has_ink, square
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.registration.warp import PIXELS_PER_MM
from pipeline.words.told import Told

AROUND_MM = 1.5  # of paper around a box that is looked at
FRAME_MM = 0.45  # the frame, and how far it may lie off: 0.1 mm is the worst of a clean scan
RING_MM = (0.45, 1.0)  # outside the frame: ink here has left the box; the next box begins 1.2 mm further on or more
GUIDE_MM = 0.5  # above and below a dotted line, where its dots are no ink
LEFT_MM2 = 0.2  # half a millimetre of a pen's stroke
NOISE_STEP = 5  # pixels between two that are looked at
SMALLEST = 1e-12  # chance that is told from none: odds stay finite
MARGIN = 12  # pixels of white around the ink that the net is shown
OFFERED = 3  # numbers that a person is offered
LIKELY = 12  # classes of one digit that are looked at together with those of its neighbours


@dataclass(frozen=True, slots=True)
class WhitePage:
    """A form laid straight, its paper made white."""

    grey: Grey
    form: Form
    noise: float  # grey levels of the paper, one standard deviation

    @classmethod
    def of(cls, page: RegisteredPage) -> "WhitePage":
        """Whiten a page; what the paper's own noise is, the page says, since in a box of a felt pen half may be ink."""
        grey = on_white(page.flat)
        return cls(grey, page.form, noise_of(grey))


@dataclass(frozen=True, slots=True)
class BoxInk:
    """The ink of one box."""

    grey: Grey  # inside of the frame, paper white, nothing but ink
    is_blank: bool
    leaves: bool


@dataclass(frozen=True, slots=True, eq=False)
class NumberReader:
    """Reads numbers."""

    net: DigitNet
    gate: DigitGate

    def read(self, white: WhitePage, answer: NumberAnswer) -> InkLine:
        """Read one number; nothing is taken that is not surely this number."""
        inks = [box_ink(white, box) for box in answer.boxes]
        if all(ink.is_blank for ink in inks):
            if any(ink.leaves for ink in inks):
                return asked(answer, (), Note.LEAVES_BOX)
            return InkLine(number=answer.number, box=place_of(answer), readings=(), tier=Tier.BLANK)
        notes = structural_notes(inks)
        shapes = [shape_of(ink.grey) for ink in inks if not ink.is_blank]
        seen = [shape for shape in shapes if shape is not None]
        readings = ranked(self.gate.weighed(self.net.chances(seen))) if len(seen) == len(shapes) else ()
        if not readings or notes:
            return asked(answer, readings, *notes)
        best = readings[0]
        if not answer.least <= int(best.text) <= answer.most:
            return asked(answer, readings, Told.of(Note.OUT_OF_RANGE, least=answer.least, most=answer.most))
        if log_odds(best.confidence) < self.gate.accepted:
            return asked(answer, tuple(r for r in readings if answer.least <= int(r.text) <= answer.most))
        return InkLine(number=answer.number, box=place_of(answer), readings=readings[:1], tier=Tier.ACCEPTED)


@cache
def shipped_reader() -> NumberReader:
    """The reader that ships with the program."""
    return NumberReader(load_digit_net(), load_digit_gate())


def asked(answer: NumberAnswer, readings: tuple[InkReading, ...], *notes: Noted) -> InkLine:
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


def structural_notes(inks: list[BoxInk]) -> tuple[Note, ...]:
    """What can be said before any digit is read."""
    found = [Note.LEAVES_BOX] if any(ink.leaves for ink in inks) else []
    written = [place for place, ink in enumerate(inks) if not ink.is_blank]
    if written[-1] - written[0] + 1 > len(written):
        found.append(Note.GAP)
    return tuple(found)


def ranked(chances: Floats) -> tuple[InkReading, ...]:
    """Every number that these digits may be, the likeliest first, with its exact probability among all there is.

    Boxes are independent: the probability of a number is the product of its digits'; what is missing from one is
    everything else that can stand in a box.
    """
    likely = [np.argsort(-row[: len(DIGITS)])[:LIKELY].tolist() for row in chances]
    numbers: dict[str, float] = {}
    for digits in product(*(places[: max(2, 10 // len(likely))] for places in likely)):
        chance = math.prod(float(chances[place, digit]) for place, digit in enumerate(digits))
        text = str(int("".join(DIGITS[digit] for digit in digits)))
        numbers[text] = numbers.get(text, 0.0) + chance
    return tuple(
        InkReading(text, chance) for text, chance in sorted(numbers.items(), key=lambda one: (-one[1], one[0]))
    )


def box_ink(white: WhitePage, box: Box) -> BoxInk:
    """Cut the inside of one box out, and say whether there is ink in it, and whether ink leaves it."""
    left, top = (max(0.0, edge - AROUND_MM) for edge in (box.left, box.top))
    around = part_of(white.grey, box, AROUND_MM)
    here = Box(box.left - left, box.top - top, box.width, box.height)
    inside, is_blank = cleaned(part_of(around, here, -FRAME_MM), white.noise)
    ring = within(around.shape, here, RING_MM[1]) & ~within(around.shape, here, RING_MM[0])
    dark = (around < WHITE - 2 * LEAST_CONTRAST) & ring & ~on_guides(around.shape, white.form, top)
    leaves = float(dark.sum()) / PIXELS_PER_MM**2 >= LEFT_MM2
    return BoxInk(inside, is_blank, leaves)


def noise_of(grey: Grey) -> float:
    """How much the paper of a whole form varies, in grey levels."""
    soft = cv2.GaussianBlur(grey, (0, 0), SOFT_PX).astype(np.uint8, copy=False)
    return grain(soft[::NOISE_STEP, ::NOISE_STEP])


def box_parts(inside: Grey, noise: float) -> Parts:
    """Find the pieces of ink in a box, as `strokes.ink_parts` does in a row."""
    soft = cv2.GaussianBlur(inside, (0, 0), SOFT_PX)
    labels, sizes, middles = pieces((soft < inked_below(noise, LEAST_CONTRAST)).astype(np.uint8))
    found = Parts(labels, sizes, middles, np.arange(len(sizes)) > 0)  # the first is the paper
    return found.without(found.longest <= SPECK_MM * PIXELS_PER_MM)


def cleaned(inside: Grey, noise: float) -> tuple[Grey, bool]:
    """Take everything out of a box but its ink, and put white around it; whether there is none.

    The net learns from pictures that were cleaned by this same code.
    """
    parts = box_parts(inside, noise)
    page = np.full([side + 2 * MARGIN for side in inside.shape], WHITE, np.uint8)
    near = cv2.dilate(parts.mask.astype(np.uint8), square(5)) > 0  # a speck beside it would make the digit small
    page[MARGIN:-MARGIN, MARGIN:-MARGIN][near] = inside[near]
    return page, not has_ink(parts)


def part_of(white: Grey, box: Box, around_mm: float) -> Grey:
    """Cut a box out, grown or shrunk by so much."""
    rows, columns = spans(box, around_mm)
    return white[rows, columns]


def spans(box: Box, around_mm: float) -> tuple[slice, slice]:
    """The pixels of a box grown or shrunk by so much."""
    top, left = (max(0, round((edge - around_mm) * PIXELS_PER_MM)) for edge in (box.top, box.left))
    bottom = round((box.top + box.height + around_mm) * PIXELS_PER_MM)
    right = round((box.left + box.width + around_mm) * PIXELS_PER_MM)
    return slice(top, bottom), slice(left, right)


def within(shape: tuple[int, ...], box: Box, around_mm: float) -> NDArray[np.bool_]:
    """Which pixels lie in a box grown by so much."""
    mask = np.zeros(shape, bool)
    mask[spans(box, around_mm)] = True
    return mask


def on_guides(shape: tuple[int, ...], form: Form, top: float) -> NDArray[np.bool_]:
    """Which pixels lie on a dotted line."""
    mask = np.zeros(shape, bool)
    for guide in form.guides:
        first, last = ((guide.y - top + side) * PIXELS_PER_MM for side in (-GUIDE_MM, GUIDE_MM))
        if last > 0 and first < shape[0]:
            mask[max(0, round(first)) : round(last)] = True
    return mask
