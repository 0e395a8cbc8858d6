"""The printed id of a sheet whose codes are gone, read as type."""

import cv2
import numpy as np

from pipeline.ink import Box
from pipeline.reading.picture import Grey
from pipeline.reading.recogniser import EngineFailed
from pipeline.reading.tesseract_call import see, tesseract_version
from pipeline.reading.warp import PIXELS_PER_MM
from pipeline.tournament.sheet_id import ALPHABET, SheetId


def read_printed_id(flat: Grey, box: Box) -> str | None:
    """Read the id; None unless two pictures of it read the same and its check character is right."""
    if tesseract_version() is None:
        return None
    left, top = round(box.left * PIXELS_PER_MM), round(box.top * PIXELS_PER_MM)
    part = flat[top : top + round(box.height * PIXELS_PER_MM), left : left + round(box.width * PIXELS_PER_MM)]
    try:
        first, second = see([larger(part, 2), larger(part, 3)], ALPHABET + "-")
    except EngineFailed:
        return None
    text = first.text.replace(" ", "")
    if text != second.text.replace(" ", ""):
        return None
    try:
        return str(SheetId.read(text))
    except ValueError:
        return None


def larger(part: Grey, times: int) -> Grey:
    """A larger picture of the id."""
    return cv2.resize(part, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC).astype(np.uint8, copy=False)
