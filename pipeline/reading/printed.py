"""The printed id of a sheet whose codes are gone, read as type."""

import cv2
import numpy as np

from pipeline.reading.picture import Grey
from pipeline.reading.recogniser import EngineFailed
from pipeline.reading.tesseract_call import see, tesseract_version
from pipeline.tournament.sheet_id import ALPHABET, SheetId


def read_printed_id(part: Grey) -> str | None:
    """Read the id; None unless two pictures of it read the same and its check character is right."""
    if tesseract_version() is None:
        return None
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
