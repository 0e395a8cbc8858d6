"""A code that was shaken while the shutter was open, made sharp again by what the shake did to the corner markers.

What a marker looks like is known to the last square. So the shake is the one that, laid over the printed markers, gives
the markers in the picture; it is then taken out of the codes (Wiener 1949, Richardson 1972 and Lucy 1974). A code that
reads after that is right or does not read at all: its own correction of errors sees to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.marks import read_code_closely
from pipeline.reading.registration.match import best_match
from pipeline.reading.registration.warp import PIXELS_PER_MM

Shades = NDArray[np.float32]

LENGTHS = (6.0, 9.0, 12.0, 14.0)  # pixels of a shake: 0.8 to 1.8 mm; a code whose squares are 0.6 mm reads below that
TURNS = 16  # directions that are tried, half a turn in all
SOFT = 0.8  # pixels: the lens
REACH = 9  # pixels a shake goes each way
AROUND_MM = 1.5  # a shaken marker's place is known no better
ALIKE = 0.93  # markers under the right shake are 0.98 to 1.00 alike, under a wrong one 0.70
SURELY = 0.97  # 12 shaken pages lie the same with 0.87 to 0.99 (benchmarks/constants.py)
DOTS_GONE = 7.0  # pixels: the dots are 9.4 apart
EDGE = 20  # pixels added around a picture, or its edges ring
NOISE = 0.003  # against the picture, for Wiener's filter
ROUNDS = (20, 60)  # of Richardson's and Lucy's
NO_INK, FULL_INK = 5, 97  # percentiles of a code's picture: its paper, and its print
LONGER = (-2, -1, 0, 1)  # pixels, tried around the best of LENGTHS: half the way to the next
ASIDE = (-0.1, 0.0, 0.1)  # radians, tried around the best of TURNS, which are 0.2 apart
FINER = 8  # times, to draw squares that do not end on pixels


@dataclass(frozen=True, slots=True)
class Shake:
    """How far the picture moved while it was taken."""

    kernel: Shades
    length: float  # pixels at `FLAT_DPI`
    alike: float  # how well it explains the markers, -1..1


def read_shaken_code(flat: Grey, form: Form, marker_ids: Sequence[int], around_mm: float) -> frozenset[str]:
    """Read the codes of a shaken sheet; nothing where no shake explains its markers."""
    shake = find_shake(flat, form, marker_ids)
    if shake is None or shake.alike < ALIKE:
        return frozenset()
    read = set[str]()
    for box in form.codes:
        text = next(filter(None, map(read_code_closely, sharpened(cut(flat, box, around_mm), shake.kernel))), None)
        read |= {text} if text else set()
    return frozenset(read)


def is_shaken(flat: Grey, form: Form, marker_ids: Sequence[int]) -> bool:
    """Say whether a picture is so shaken that its dots run into one another."""
    shake = find_shake(flat, form, marker_ids)
    return shake is not None and shake.alike >= SURELY and shake.length >= DOTS_GONE


def find_shake(flat: Grey, form: Form, marker_ids: Sequence[int]) -> Shake | None:
    """Find the shake that makes the printed markers those of the picture; None where no marker is whole."""
    seen = [
        (cut(flat, box, AROUND_MM), printed_marker(number, box))
        for number, box in zip(marker_ids, form.markers, strict=True)
    ]
    whole = [(there, print_) for there, print_ in seen if min(there.shape) > max(print_.shape)]
    if not whole:
        return None
    turns = np.arange(TURNS) * np.pi / TURNS
    rough = max((explains(whole, kernel(length, turn)), length, turn) for length in LENGTHS for turn in turns)
    _, length, turn = rough
    near = [(length + more, turn + aside) for more in LONGER for aside in ASIDE]
    alike, best_length, best_turn = max((explains(whole, kernel(*each)), *each) for each in near)
    return Shake(kernel(best_length, best_turn), best_length, alike)


def explains(seen: Sequence[tuple[Grey, Shades]], shake: Shades) -> float:
    """How alike the printed markers are to those of the picture, once they are shaken."""
    found = []
    for there, print_ in seen:
        blurred = cv2.filter2D(print_, -1, shake, borderType=cv2.BORDER_REPLICATE)
        found.append(best_match(there.astype(np.float32), np.asarray(blurred, np.float32))[1])
    return float(np.median(found))


def kernel(length: float, turn: float) -> Shades:
    """Draw a shake: a line of this length, in pixels, at this turn, in radians."""
    side = 2 * REACH + 1
    fine = np.zeros((side * FINER, side * FINER), np.float32)
    middle, half = (side * FINER - 1) / 2, length * FINER / 2
    ends = [
        tuple(round(16 * (middle + sign * half * part)) for part in (np.cos(turn), np.sin(turn))) for sign in (-1, 1)
    ]
    cv2.line(fine, ends[0], ends[1], (1.0,), FINER, cv2.LINE_AA, 4)
    small = cv2.GaussianBlur(cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA), (0, 0), SOFT)
    return np.asarray(small / small.sum(), np.float32)


def printed_marker(number: int, box: Box) -> Shades:
    """Draw a marker as it is printed, with a square of white around it."""
    whole = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000)
    side = round(box.width * PIXELS_PER_MM * FINER)
    sharp = cv2.aruco.generateImageMarker(whole, number, side)
    white = round(AROUND_MM / 2 * PIXELS_PER_MM) * FINER
    drawn = cv2.copyMakeBorder(sharp, white, white, white, white, cv2.BORDER_CONSTANT, value=(255,))
    return np.asarray(cv2.resize(drawn, None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA), np.float32)


def cut(flat: Grey, box: Box, around_mm: float) -> Grey:
    """Cut a box out of a straight sheet with what is around it."""
    left, top = (max(0, round((edge - around_mm) * PIXELS_PER_MM)) for edge in (box.left, box.top))
    right = round((box.left + box.width + around_mm) * PIXELS_PER_MM)
    bottom = round((box.top + box.height + around_mm) * PIXELS_PER_MM)
    return flat[top:bottom, left:right]


def sharpened(part: Grey, shake: Shades) -> Iterator[Grey]:
    """Take a shake out of a picture, in ways of which one may do where another does not."""
    ink = np.pad(255 - part.astype(np.float32), EDGE, mode="edge")
    yield as_paper(filtered(ink, shake))
    ink = np.maximum(ink - np.percentile(ink, NO_INK), 1)
    guess = np.full_like(ink, ink.mean())
    for turn in range(1, max(ROUNDS) + 1):
        again = np.maximum(cv2.filter2D(guess, -1, shake), 1e-3)
        guess = guess * np.asarray(cv2.filter2D(ink / again, -1, shake[::-1, ::-1]), np.float32)
        if turn in ROUNDS:
            yield as_paper(guess * np.float32(255 / np.percentile(guess, FULL_INK)))


def filtered(ink: Shades, shake: Shades) -> Shades:
    """Divide by a shake where it left something to divide (Wiener's filter)."""
    wide = np.zeros_like(ink)
    wide[: shake.shape[0], : shake.shape[1]] = shake
    wide = np.roll(wide, (-(shake.shape[0] // 2), -(shake.shape[1] // 2)), (0, 1))
    spectrum = np.fft.rfft2(wide)
    found = np.fft.irfft2(np.fft.rfft2(ink) * np.conj(spectrum) / (np.abs(spectrum) ** 2 + NOISE), ink.shape)
    return np.asarray(found, np.float32)


def as_paper(ink: Shades) -> Grey:
    """Turn ink back into a picture of paper."""
    inner = ink[EDGE:-EDGE, EDGE:-EDGE]
    return np.asarray(255 - np.clip(inner, 0, 255), np.uint8)
