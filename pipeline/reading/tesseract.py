"""Tesseract as a recogniser. It was made for type: of handwriting it accepts little, and only what cannot be other."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pipeline.ink import Reading, Tier
from pipeline.reading.likeness import folded, in_words, is_nearly, is_one_slip_away, is_spelling
from pipeline.reading.picture import Grey
from pipeline.reading.recogniser import Crop, Line, NoRecogniser, Recogniser, RowReading, Vocabulary, asked
from pipeline.reading.tesseract_call import Seen, see, tesseract_version

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-()/>"
LEAST_CONFIDENCE = 0.60  # of the least certain word, in both pictures; docs/sheets.md has the measurement
LEAST_LENGTH = 5  # folded: "avieh"; of shorter texts too many differ by one letter
BOXES = "this reader reads free lines, not boxes"
CAPITAL_PIXELS = 30  # Tesseract's own advice for the height of capitals


@dataclass(frozen=True, slots=True)
class Tesseract:
    """Reads each row from two different pictures of it, and believes what both say alike."""

    name: str

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[RowReading]:
        """Read rows, two pictures each, all in one call; rows of boxes are asked."""
        lines = [crop.grey for crop in crops if not crop.parts]
        seen = see([picture for grey in lines for picture in (plain(grey), bold(grey))], LETTERS)
        answers = (judged(one, other, vocabulary) for one, other in zip(seen[::2], seen[1::2], strict=True))
        return [asked(BOXES) if crop.parts else next(answers) for crop in crops]


def best_recogniser() -> Recogniser:
    """Tesseract where it is installed; otherwise nothing is read, and every inked row is asked."""
    version = tesseract_version()
    return NoRecogniser() if version is None else Tesseract(f"tesseract {version}")


def plain(grey: Grey) -> Grey:
    """The row as it is, at the size Tesseract likes."""
    return framed(scaled(grey))


def bold(grey: Grey) -> Grey:
    """The row in black and white, its strokes a little wider."""
    soft = cv2.GaussianBlur(scaled(grey, 1.3), (0, 0), 1.2).astype(np.uint8, copy=False)
    _, black = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return framed(black.astype(np.uint8, copy=False))


def scaled(grey: Grey, further: float = 1.0) -> Grey:
    """Bring the writing to the height Tesseract was trained at."""
    ink = np.flatnonzero((grey < 190).sum(axis=1) > 2)
    height = float(ink[-1] - ink[0] + 1) if len(ink) else CAPITAL_PIXELS
    scale = float(np.clip(CAPITAL_PIXELS / height, 0.5, 2.5)) * further
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def framed(grey: Grey) -> Grey:
    """Put white around, without which Tesseract misses the first letter."""
    return cv2.copyMakeBorder(grey, 12, 12, 20, 20, cv2.BORDER_CONSTANT, value=255).astype(np.uint8, copy=False)


def judged(one: Seen, other: Seen, vocabulary: Vocabulary) -> RowReading:
    """Accept a row only where both pictures say the same, surely, and nothing else that may be written is near it."""
    confidence = min(one.confidence, other.confidence)
    readings = tuple(Reading(seen.text, round(seen.confidence, 3)) for seen in dict.fromkeys((one, other)) if seen.text)
    text = folded(one.text)
    agreed = text == folded(other.text) and len(text) >= LEAST_LENGTH and confidence >= LEAST_CONFIDENCE
    meant = line_that_stands_alone(text, vocabulary) if agreed else None
    if meant is None:
        return RowReading(readings, Tier.ASKED)
    in_full = Reading(in_words(text, meant) or one.text, round(confidence, 3))
    return RowReading((in_full, *readings), Tier.ACCEPTED)


def line_that_stands_alone(text: str, vocabulary: Vocabulary) -> Line | None:
    """Find the line that a text is a spelling of, if it is nearly no other thing that anybody could write.

    `Vocabulary.others` may have the same words as the lines: there only what is one letter away counts.
    """
    meant = [line for line in vocabulary.lines if is_spelling(text, line)]
    rest = (line for line in vocabulary.lines if line not in meant)
    if not meant or any(is_nearly(text, line) for line in rest):
        return None
    return None if any(is_one_slip_away(text, line) for line in vocabulary.others) else meant[0]
