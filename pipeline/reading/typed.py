"""Typed sheets: rows that the handwriting reader is unsure of are read by Tesseract, and both must agree.

Type is told from handwriting before it is read: typed letters stand at one height, and the same letter looks the same.
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import pytesseract
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.ink import InkLine, InkReading, Note, Tier, surest_first
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import Crop, EngineFailed, Vocabulary, VocabularyLine
from pipeline.reading.strokes import pieces

# One call of Tesseract for many pictures: starting it costs more than reading a line.

SECONDS = 60  # for one call; a sheet takes two


class SeenByTesseract(Struct, frozen=True):
    """What Tesseract made of one picture."""

    text: str
    confidence: float  # 0..1, of its least certain word


@cache
def tesseract_version() -> str | None:
    """Find out which Tesseract is installed; None where there is none."""
    if shutil.which(pytesseract.pytesseract.tesseract_cmd) is None:
        return None
    try:
        return str(pytesseract.get_tesseract_version())
    except (pytesseract.TesseractError, pytesseract.TesseractNotFoundError, OSError, SystemExit):
        return None


def see(pictures: Sequence[Grey], letters: str = "") -> list[SeenByTesseract]:
    """Read pictures of one line each, printed with these letters; with any, where none are named."""
    if not pictures:
        return []
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # its threads cost more than they gain on single lines
    only = f" -c tessedit_char_whitelist='{letters}'" if letters else ""
    config = f"--psm 7 --dpi 300{only} -c load_system_dawg=0 -c load_freq_dawg=0"
    try:
        with TemporaryDirectory(prefix="ordersheets-") as folder:
            paths = [Path(folder) / f"{number}.png" for number in range(len(pictures))]
            for path, picture in zip(paths, pictures, strict=True):
                cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            listing = Path(folder) / "pictures.txt"
            listing.write_text("\n".join(map(str, paths)), "utf-8")
            words = pytesseract.image_to_data(
                str(listing), lang="eng", config=config, timeout=SECONDS, output_type=pytesseract.Output.DICT
            )
    except (pytesseract.TesseractError, pytesseract.TesseractNotFoundError, RuntimeError, OSError) as error:
        raise EngineFailed(str(error)) from error
    return _group_words(words, len(pictures))


def _group_words(words: dict[str, list[object]], count: int) -> list[SeenByTesseract]:
    """Put the words of each picture together."""
    texts: list[list[str]] = [[] for _ in range(count)]
    least = [1.0] * count
    for page, text, confidence in zip(words["page_num"], words["text"], words["conf"], strict=True):
        number = int(str(page)) - 1
        if str(text).strip() and 0 <= number < count:
            texts[number].append(str(text).strip())
            least[number] = min(least[number], max(0.0, float(str(confidence)) / 100))
    return [SeenByTesseract(" ".join(t), c if t else 0.0) for t, c in zip(texts, least, strict=True)]


# Whether a text is a spelling of a line of the vocabulary.

ARROWS = re.compile(r"[-–—→>=~]+")  # what people draw between two places
MEANINGLESS = re.compile(r"[^a-z0-9()/-]")


def _fold_text(text: str) -> str:
    """Reduce a text to what counts: no case, no spaces, every arrow a hyphen.

    >>> _fold_text("A Vie -> Boh."), _fold_text("F STP (NC) – Nwy")
    ('avie-boh', 'fstp(nc)-nwy')
    """
    return MEANINGLESS.sub("", ARROWS.sub("-", text.lower()))


def _is_spelling(text: str, line: VocabularyLine) -> bool:
    """Say whether a folded text is one of a line's spellings.

    >>> line = VocabularyLine((("A", "Army", ""), ("Vie", "Vienna"), ("-", "to"), ("Boh",)))
    >>> _is_spelling("vienna-boh", line), _is_spelling("vie-bo", line)
    (True, False)
    """
    places = {0}
    for slot in line.slots:
        places = {place + len(word) for word in _spellings(slot) for place in places if text.startswith(word, place)}
        if not places:
            return False
    return len(text) in places


def _split_words(text: str, line: VocabularyLine) -> str | None:
    """Split a folded text into the words of a line, as its slots have them; None if it is no spelling of the line.

    >>> line = VocabularyLine((("A", "Army", ""), ("Vie", "Vienna"), ("-", "to"), ("Boh",)))
    >>> _split_words("vienna-boh", line), _split_words("vie-bo", line)
    ('Vienna - Boh', None)
    """
    if not line.slots:
        return "" if not text else None
    rest = VocabularyLine(line.slots[1:])
    for word in line.slots[0]:
        if text.startswith(_fold_text(word)):
            after = _split_words(text[len(_fold_text(word)) :], rest)
            if after is not None:
                return f"{word} {after}".strip()
    return None


def _spellings(slot: tuple[str, ...]) -> tuple[str, ...]:
    """The folded ways to write one part of a line."""
    return tuple(dict.fromkeys(_fold_text(word) for word in slot))


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


class Letters(Struct, frozen=True):
    """The pieces of ink of a row that are as tall as letters: left, top, width and height of each, in pixels."""

    grey: Grey
    boxes: NDArray[np.int32]

    def shapes(self) -> Iterator[Grey]:
        """Cut the letters out, with a little paper around."""
        framed = _with_paper(self.grey)
        for left, top, width, height in self.boxes.tolist():
            yield framed[top : top + height + 2 * AROUND, left : left + width + 2 * AROUND]


def _find_letters(grey: Grey) -> Letters:
    _, black = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    _, sizes, _ = pieces(black.astype(np.uint8, copy=False))
    boxes = sizes[1:, :4]
    return Letters(grey, boxes[boxes[:, 3] >= TALL * boxes[:, 3].max(initial=1)])


def _is_level(row: Letters) -> bool:
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
    stand, end = _on_levels(bottoms - slope * middles, within, 2), _on_levels(top - slope * middles, within, 3)
    return min(stand, end) >= LEVELS * count


def _on_levels(places: NDArray[np.float64], within: float, most: int) -> int:
    """Count the places that are at one of a few levels, each where most of those left are."""
    left, right = places, 0
    for _ in range(most):
        if not len(left):
            break
        near = np.abs(np.subtract.outer(left, left)) <= within
        level = near[int(near.sum(1).argmax())]
        right += int(level.sum())
        left = left[~level]
    return right


def read_typed(crops: Sequence[Crop], answers: Sequence[InkLine], vocabulary: Vocabulary) -> list[InkLine]:
    """Read a typed sheet: what was mended by hand is asked, and Tesseract looks at what the net is unsure of.

    It settles the rows that it reads as the net did. Where it is not installed, or fails, they stay asked.
    """
    if not _is_typed_sheet(crops):
        return list(answers)
    readings = [_ask_row(answer) if _is_mended(crop) else answer for crop, answer in zip(crops, answers, strict=True)]
    wanted = [number for number, answer in enumerate(readings) if _is_doubted(answer) and _is_typed(crops[number])]
    if not wanted or tesseract_version() is None:
        return readings
    pictures = [
        picture
        for number in wanted
        for picture in (_add_white_frame(_scale_to_tesseract(crops[number].grey)), bold(crops[number].grey))
    ]
    try:
        seen = see(pictures)
    except EngineFailed:
        return readings
    for number, one, other in zip(wanted, seen[::2], seen[1::2], strict=True):
        readings[number] = _agree_with_tesseract(answers[number], one, other, vocabulary)
    return readings


def _is_mended(crop: Crop) -> bool:
    """Say whether ink stands above or below the letters of a typed row: somebody wrote there what is meant instead."""
    boxes = _find_letters(crop.grey).boxes
    if not len(boxes):
        return False
    tops, bottoms = boxes[:, 1], boxes[:, 1] + boxes[:, 3]
    top, bottom = float(np.percentile(tops, QUARTER)), float(np.percentile(bottoms, 100 - QUARTER))
    beyond = BEYOND * (bottom - top)
    return float(tops.min()) < top - beyond or float(bottoms.max()) > bottom + beyond


def _ask_row(answer: InkLine) -> InkLine:
    """Ask a row, however sure its letters are."""
    return replace(answer, tier=Tier.ASKED, notes=(*answer.notes, Note.MENDED))


def _is_doubted(answer: InkLine) -> bool:
    """Say whether a row is asked only because its letters are not sure."""
    return answer.tier is Tier.ASKED and bool(answer.readings) and not answer.notes


def _is_typed(crop: Crop) -> bool:
    """Say whether a row of a typed sheet may itself be typed: it is a free line, and level."""
    return not crop.parts and _is_level(_find_letters(crop.grey))


def _is_typed_sheet(crops: Sequence[Crop]) -> bool:
    """Say whether the rows of a sheet are typed: most of them level, and most of their letters there twice."""
    rows = [_find_letters(crop.grey) for crop in crops]
    return sum(map(_is_level, rows)) >= MOST_ROWS * len(rows) and _share_of_twins(rows) >= TWINS


def _share_of_twins(rows: Sequence[Letters]) -> float:
    """Measure how many letters are there twice, as only type has them."""
    shapes = [shape for row in rows for shape in row.shapes()][:ENOUGH]
    twins = sum(
        any(_is_twin(one, other) for number, other in enumerate(shapes) if number != own)
        for own, one in enumerate(shapes)
    )
    return twins / max(1, len(shapes))


def _is_twin(one: Grey, other: Grey) -> bool:
    """Say whether two letters are the same piece of type."""
    if max(abs(a - b) for a, b in zip(one.shape, other.shape, strict=True)) > 1:
        return False
    return float(cv2.matchTemplate(_with_paper(other), one, cv2.TM_CCOEFF_NORMED).max()) > TWIN


def _with_paper(grey: Grey) -> Grey:
    """Put a little of the paper that is there around a picture."""
    return np.pad(grey, AROUND, mode="edge")


def _agree_with_tesseract(
    answer: InkLine, one: SeenByTesseract, other: SeenByTesseract, vocabulary: Vocabulary
) -> InkLine:
    """Take a row as read where Tesseract reads one line at both looks, one that the net proposes; else ask."""
    text, confidence = _fold_text(one.text), min(one.confidence, other.confidence)
    if not text:
        return answer
    is_plain = STRANGE.search(one.text + other.text) is None
    if is_plain and text == _fold_text(other.text) and confidence >= LEAST_CONFIDENCE:
        meant = [line for line in vocabulary.lines if _is_spelling(text, line)]
        if len(meant) == 1 and meant == _best_of(answer, vocabulary):
            read = InkReading((_split_words(text, meant[0]) or one.text).upper(), round(confidence, 3))
            return InkLine.without_place(_with_others(read, answer), Tier.MARKED, (Note.TYPED,))
    return replace(answer, readings=_with_others(InkReading(one.text.upper(), round(confidence, 3)), answer))


def _with_others(read: InkReading, answer: InkLine) -> tuple[InkReading, ...]:
    """Put what Tesseract read among the readings of the net: they share what Tesseract is not sure of."""
    left = 1 - read.confidence
    others = (replace(other, confidence=round(other.confidence * left, DIGITS)) for other in answer.readings)
    return surest_first([read, *others])


def _best_of(answer: InkLine, vocabulary: Vocabulary) -> list[VocabularyLine]:
    """The line that the net proposes first; none where it proposes none. What it read freely is no proposal."""
    texts = [_fold_text(reading.text) for reading in answer.readings]
    spelled = ([line for line in vocabulary.lines if _is_spelling(text, line)] for text in texts)
    return next(filter(None, spelled), [])


def bold(grey: Grey) -> Grey:
    """The row in black and white, its strokes a little wider."""
    soft = cv2.GaussianBlur(_scale_to_tesseract(grey, BOLD), (0, 0), BOLD_BLUR_PX).astype(np.uint8, copy=False)
    _, black = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return _add_white_frame(black.astype(np.uint8, copy=False))


def _scale_to_tesseract(grey: Grey, further: float = 1.0) -> Grey:
    """Bring the letters to the height Tesseract was trained at."""
    ink = np.flatnonzero((grey < TYPED_INK).sum(axis=1) > FEW_PIXELS)
    height = float(ink[-1] - ink[0] + 1) if len(ink) else CAPITAL_PIXELS
    scale = float(np.clip(CAPITAL_PIXELS / height, *SCALES)) * further
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _add_white_frame(grey: Grey) -> Grey:
    """Put white around, without which Tesseract misses the first letter."""
    return cv2.copyMakeBorder(
        grey, FRAME_PX[1], FRAME_PX[1], FRAME_PX[0], FRAME_PX[0], cv2.BORDER_CONSTANT, value=255
    ).astype(np.uint8, copy=False)
