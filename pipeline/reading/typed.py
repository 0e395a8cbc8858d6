"""Orders that were typed onto a sheet: what the reader of hands is unsure of, Tesseract may read, and both must agree.

A hand sets no two letters at the same height. Type does, and that is how it is told from writing, without reading it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Reading, Tier
from pipeline.reading.likeness import folded, in_words, is_spelling
from pipeline.reading.picture import Grey
from pipeline.reading.recogniser import Crop, EngineFailed, RowReading, Vocabulary
from pipeline.reading.tesseract_call import Seen, see, tesseract_version

TYPED = "typed: read by Tesseract too"
STRANGE = re.compile(r"[^\w()/>→–—., -]|_")  # what no order is spelled with: A VIE - BUD ?
LEAST_CONFIDENCE = 0.60  # of the least certain word, at both looks
CAPITAL_PIXELS = 30  # Tesseract's own advice for the height of capitals
LEAST_LETTERS = 5  # fewer may stand level by chance
LEVEL = 0.045  # of the tallest letter's height: how far from a level a letter of type may end; a pixel at least
LEVELS = 0.9  # share of the letters that must stand on one line and end at two heights
MOST_ROWS = 2 / 3  # of a sheet that must look typed
TALL = 0.45  # of the tallest letter's height: what is lower is a dot or a hyphen, and has no level


@dataclass(frozen=True, slots=True)
class Extents:
    """Where the letters of a row begin and end, in pixels; a letter is a piece of ink and what stands over it."""

    middles: NDArray[np.float64]
    tops: NDArray[np.float64]
    bottoms: NDArray[np.float64]


def extents(grey: Grey) -> Extents:
    """Measure the letters of a row."""
    _, black = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    count, _, stats, _ = cv2.connectedComponentsWithStats(black.astype(np.uint8, copy=False), connectivity=8)
    boxes = stats[1:count, :4].astype(float)
    tall = boxes[boxes[:, 3] >= TALL * boxes[:, 3].max(initial=1.0)]
    return Extents(tall[:, 0] + tall[:, 2] / 2, tall[:, 1], tall[:, 1] + tall[:, 3])


def is_typed(grey: Grey) -> bool:
    """Say whether the letters of a row stand and end at a few heights, as those of type do."""
    found = extents(grey)
    count = len(found.middles)
    if count < LEAST_LETTERS:
        return False
    within = max(1.0, LEVEL * float((found.bottoms - found.tops).max()))
    slopes = np.subtract.outer(found.bottoms, found.bottoms), np.subtract.outer(found.middles, found.middles)
    apart = np.abs(slopes[1]) > 1
    slope = float(np.median(slopes[0][apart] / slopes[1][apart])) if apart.any() else 0.0
    bottoms = found.bottoms - slope * found.middles
    tops = found.tops - slope * found.middles
    return on_levels(bottoms, within, 2) >= LEVELS * count and on_levels(tops, within, 3) >= LEVELS * count


def on_levels(places: NDArray[np.float64], within: float, most: int) -> int:
    """Count the places that are at one of a few levels, each where most of those left are."""
    left, found = places, 0
    for _ in range(most):
        if not len(left):
            break
        near = np.abs(np.subtract.outer(left, left)) <= within
        level = near[int(near.sum(1).argmax())]
        found += int(level.sum())
        left = left[~level]
    return found


def read_typed(crops: Sequence[Crop], answers: Sequence[RowReading], vocabulary: Vocabulary) -> list[RowReading]:
    """Let Tesseract look at the rows of a typed sheet that are asked; it settles those that it reads as the net did.

    Where Tesseract is not installed, or fails, nothing changes.
    """
    found = list(answers)
    wanted = [number for number, answer in enumerate(answers) if is_doubted(answer) and not crops[number].parts]
    if not wanted or not is_typed_sheet(crops) or tesseract_version() is None:
        return found
    pictures = [picture for number in wanted for picture in (plain(crops[number].grey), bold(crops[number].grey))]
    try:
        seen = see(pictures)
    except EngineFailed:
        return found
    for number, one, other in zip(wanted, seen[::2], seen[1::2], strict=True):
        found[number] = settled(answers[number], one, other, vocabulary)
    return found


def is_doubted(answer: RowReading) -> bool:
    """Say whether a row is asked only because its letters are not sure."""
    return answer.tier is Tier.ASKED and bool(answer.readings) and not answer.notes


def is_typed_sheet(crops: Sequence[Crop]) -> bool:
    """Say whether most rows of a sheet are typed: of one hand's rows now and then one looks so, never most."""
    return sum(is_typed(crop.grey) for crop in crops) >= MOST_ROWS * len(crops)


def settled(answer: RowReading, one: Seen, other: Seen, vocabulary: Vocabulary) -> RowReading:
    """Take a row as read where Tesseract reads one line at both looks, one that the net proposes; else ask."""
    text, confidence = folded(one.text), min(one.confidence, other.confidence)
    if not text:
        return answer
    is_plain = STRANGE.search(one.text + other.text) is None
    if is_plain and text == folded(other.text) and confidence >= LEAST_CONFIDENCE:
        meant = [line for line in vocabulary.lines if is_spelling(text, line)]
        if len(meant) == 1 and any(is_spelling(folded(reading.text), meant[0]) for reading in answer.readings):
            read = Reading((in_words(text, meant[0]) or one.text).upper(), round(confidence, 3))
            return RowReading((read, *answer.readings), Tier.MARKED, (TYPED,))
    return replace(answer, readings=(Reading(one.text.upper(), round(confidence, 3)), *answer.readings))


def plain(grey: Grey) -> Grey:
    """The row as it is, at the size Tesseract likes."""
    return framed(scaled(grey))


def bold(grey: Grey) -> Grey:
    """The row in black and white, its strokes a little wider."""
    soft = cv2.GaussianBlur(scaled(grey, 1.3), (0, 0), 1.2).astype(np.uint8, copy=False)
    _, black = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return framed(black.astype(np.uint8, copy=False))


def scaled(grey: Grey, further: float = 1.0) -> Grey:
    """Bring the letters to the height Tesseract was trained at."""
    ink = np.flatnonzero((grey < 190).sum(axis=1) > 2)
    height = float(ink[-1] - ink[0] + 1) if len(ink) else CAPITAL_PIXELS
    scale = float(np.clip(CAPITAL_PIXELS / height, 0.5, 2.5)) * further
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def framed(grey: Grey) -> Grey:
    """Put white around, without which Tesseract misses the first letter."""
    return cv2.copyMakeBorder(grey, 12, 12, 20, 20, cv2.BORDER_CONSTANT, value=255).astype(np.uint8, copy=False)
