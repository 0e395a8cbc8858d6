"""Orders that were typed onto a sheet: what the reader of hands is unsure of, Tesseract may read, and both must agree.

A hand sets no two letters at the same height, and makes no letter twice alike. Type does both; by that it is told from
writing, without being read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import InkReading, Note, Tier, surest_first
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.pieces import pieces
from pipeline.reading.rows.recogniser import Crop, EngineFailed, RowReading, Vocabulary, VocabularyLine
from pipeline.reading.typed.spelling_match import folded, in_words, is_spelling
from pipeline.reading.typed.tesseract_call import SeenByTesseract, see, tesseract_version

BEYOND = 0.45  # of a typed letter's height: brackets and tails reach less far
STRANGE = re.compile(r"[^\w()/>→–—., -]|_")  # what no order is spelled with: A VIE - BUD ?
LEAST_CONFIDENCE = 0.60  # of the least certain word, at both looks
CAPITAL_PIXELS = 30  # Tesseract's own advice for the height of capitals
LEAST_LETTERS = 5  # fewer may stand level by chance
LEVEL = 0.045  # of the tallest letter's height: how far from a level a letter of type may end; a pixel at least
LEVELS = 0.9  # share of the letters that must stand on one of two lines and end at one of three heights
MOST_ROWS = 2 / 3  # of a sheet whose letters must be level
TWIN = 0.95  # correlation of two letters that are the same piece of type
TWINS = 0.65  # share of a sheet's letters that must have one: of ten rows of type 0.76 and more, of hands 0.26 and less
ENOUGH = 150  # letters of a sheet that are looked at for twins
AROUND = 2  # pixels
QUARTER = 25  # percent of the letters: capitals that stand on the line are more, and accents and tails are fewer
BOLD = 1.3  # times the height that Tesseract wants, for its second look at wider strokes
BOLD_BLUR_PX = 1.2  # standard deviation: what is blurred and cut at one level again is so much wider
TYPED_INK = 190  # grey level: darker is type on paper of 250
FEW_PIXELS = 2  # of a line: a speck is no part of a letter
SCALES = (0.5, 2.5)  # least and most that a row is made larger
FRAME_PX = (20, 12)  # across and down
DIGITS = 9  # of a confidence
TALL = 0.45  # of the tallest letter's height: what is lower is a dot or a hyphen, and has no level


@dataclass(frozen=True, slots=True)
class Letters:
    """The pieces of ink of a row that are as tall as letters: left, top, width and height of each, in pixels."""

    grey: Grey
    boxes: NDArray[np.int32]

    def shapes(self) -> Iterator[Grey]:
        """Cut the letters out, with a little paper around."""
        framed = with_paper(self.grey)
        for left, top, width, height in self.boxes.tolist():
            yield framed[top : top + height + 2 * AROUND, left : left + width + 2 * AROUND]


def letters(grey: Grey) -> Letters:
    """Find the letters of a row."""
    _, black = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    _, sizes, _ = pieces(black.astype(np.uint8, copy=False))
    boxes = sizes[1:, :4]
    return Letters(grey, boxes[boxes[:, 3] >= TALL * boxes[:, 3].max(initial=1)])


def is_level(row: Letters) -> bool:
    """Say whether the letters of a row stand and end at a few heights, as those of type do."""
    count = len(row.boxes)
    if count < LEAST_LETTERS:
        return False
    left, top, width, height = row.boxes.T.astype(float)
    middles, bottoms = left + width / 2, top + height
    within = max(1.0, LEVEL * float(height.max()))
    down, along = np.subtract.outer(bottoms, bottoms), np.subtract.outer(middles, middles)
    apart = np.abs(along) > 1
    slope = float(np.median(down[apart] / along[apart])) if apart.any() else 0.0
    stand, end = on_levels(bottoms - slope * middles, within, 2), on_levels(top - slope * middles, within, 3)
    return min(stand, end) >= LEVELS * count


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
    """Read a typed sheet: what was mended by hand is asked, and Tesseract looks at what the net is unsure of.

    It settles the rows that it reads as the net did. Where it is not installed, or fails, they stay asked.
    """
    if not is_typed_sheet(crops):
        return list(answers)
    found = [mended(answer) if is_mended(crop) else answer for crop, answer in zip(crops, answers, strict=True)]
    wanted = [number for number, answer in enumerate(found) if is_doubted(answer) and is_typed(crops[number])]
    if not wanted or tesseract_version() is None:
        return found
    pictures = [picture for number in wanted for picture in (plain(crops[number].grey), bold(crops[number].grey))]
    try:
        seen = see(pictures)
    except EngineFailed:
        return found
    for number, one, other in zip(wanted, seen[::2], seen[1::2], strict=True):
        found[number] = settled(answers[number], one, other, vocabulary)
    return found


def is_mended(crop: Crop) -> bool:
    """Say whether ink stands above or below the letters of a typed row: somebody wrote there what is meant instead."""
    boxes = letters(crop.grey).boxes
    if not len(boxes):
        return False
    tops, bottoms = boxes[:, 1], boxes[:, 1] + boxes[:, 3]
    top, bottom = float(np.percentile(tops, QUARTER)), float(np.percentile(bottoms, 100 - QUARTER))
    beyond = BEYOND * (bottom - top)
    return float(tops.min()) < top - beyond or float(bottoms.max()) > bottom + beyond


def mended(answer: RowReading) -> RowReading:
    """Ask a row, however sure its letters are."""
    return replace(answer, tier=Tier.ASKED, notes=(*answer.notes, Note.MENDED))


def is_doubted(answer: RowReading) -> bool:
    """Say whether a row is asked only because its letters are not sure."""
    return answer.tier is Tier.ASKED and bool(answer.readings) and not answer.notes


def is_typed(crop: Crop) -> bool:
    """Say whether a row of a typed sheet may itself be typed: it is a line, and level."""
    return not crop.parts and is_level(letters(crop.grey))


def is_typed_sheet(crops: Sequence[Crop]) -> bool:
    """Say whether the rows of a sheet are typed: most of them level, and most of their letters there twice."""
    rows = [letters(crop.grey) for crop in crops]
    return sum(map(is_level, rows)) >= MOST_ROWS * len(rows) and share_of_twins(rows) >= TWINS


def share_of_twins(rows: Sequence[Letters]) -> float:
    """Measure how many letters are there twice, as only type has them."""
    shapes = [shape for row in rows for shape in row.shapes()][:ENOUGH]
    twins = sum(
        any(is_twin(one, other) for number, other in enumerate(shapes) if number != own)
        for own, one in enumerate(shapes)
    )
    return twins / max(1, len(shapes))


def is_twin(one: Grey, other: Grey) -> bool:
    """Say whether two letters are the same piece of type."""
    if max(abs(a - b) for a, b in zip(one.shape, other.shape, strict=True)) > 1:
        return False
    return float(cv2.matchTemplate(with_paper(other), one, cv2.TM_CCOEFF_NORMED).max()) > TWIN


def with_paper(grey: Grey) -> Grey:
    """Put a little of the paper that is there around a picture."""
    return np.pad(grey, AROUND, mode="edge")


def settled(answer: RowReading, one: SeenByTesseract, other: SeenByTesseract, vocabulary: Vocabulary) -> RowReading:
    """Take a row as read where Tesseract reads one line at both looks, one that the net proposes; else ask."""
    text, confidence = folded(one.text), min(one.confidence, other.confidence)
    if not text:
        return answer
    is_plain = STRANGE.search(one.text + other.text) is None
    if is_plain and text == folded(other.text) and confidence >= LEAST_CONFIDENCE:
        meant = [line for line in vocabulary.lines if is_spelling(text, line)]
        if len(meant) == 1 and meant == best_of(answer, vocabulary):
            read = InkReading((in_words(text, meant[0]) or one.text).upper(), round(confidence, 3))
            return RowReading(with_others(read, answer), Tier.MARKED, (Note.TYPED,))
    return replace(answer, readings=with_others(InkReading(one.text.upper(), round(confidence, 3)), answer))


def with_others(read: InkReading, answer: RowReading) -> tuple[InkReading, ...]:
    """Put what Tesseract read among the readings of the net: they share what Tesseract is not sure of."""
    left = 1 - read.confidence
    others = (replace(other, confidence=round(other.confidence * left, DIGITS)) for other in answer.readings)
    return surest_first([read, *others])


def best_of(answer: RowReading, vocabulary: Vocabulary) -> list[VocabularyLine]:
    """The line that the net proposes first; none where it proposes none. What it read freely is no proposal."""
    texts = [folded(reading.text) for reading in answer.readings]
    found = ([line for line in vocabulary.lines if is_spelling(text, line)] for text in texts)
    return next(filter(None, found), [])


def plain(grey: Grey) -> Grey:
    """The row as it is, at the size Tesseract likes."""
    return framed(scaled(grey))


def bold(grey: Grey) -> Grey:
    """The row in black and white, its strokes a little wider."""
    soft = cv2.GaussianBlur(scaled(grey, BOLD), (0, 0), BOLD_BLUR_PX).astype(np.uint8, copy=False)
    _, black = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return framed(black.astype(np.uint8, copy=False))


def scaled(grey: Grey, further: float = 1.0) -> Grey:
    """Bring the letters to the height Tesseract was trained at."""
    ink = np.flatnonzero((grey < TYPED_INK).sum(axis=1) > FEW_PIXELS)
    height = float(ink[-1] - ink[0] + 1) if len(ink) else CAPITAL_PIXELS
    scale = float(np.clip(CAPITAL_PIXELS / height, *SCALES)) * further
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def framed(grey: Grey) -> Grey:
    """Put white around, without which Tesseract misses the first letter."""
    return cv2.copyMakeBorder(
        grey, FRAME_PX[1], FRAME_PX[1], FRAME_PX[0], FRAME_PX[0], cv2.BORDER_CONSTANT, value=255
    ).astype(np.uint8, copy=False)
