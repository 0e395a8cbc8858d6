"""What is printed on a sheet for people, read as type where its codes are gone: its id and its heading."""

import re
from collections.abc import Sequence
from string import ascii_letters, digits

import cv2
import numpy as np

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form
from pipeline.paper.sheet.sheet_id import ALPHABET, SheetId
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.warp import PIXELS_PER_MM
from pipeline.reading.rows.recogniser import EngineFailed
from pipeline.reading.rows.rows import part
from pipeline.reading.typed.tesseract_call import see, tesseract_version

PRINT = 128  # grey level: darker is print on a blank sheet
AROUND_MM = 1.5  # around a word: a sheet that was laid by its print alone may be half a mm off


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


def has_heading_of(flat: Grey, blank: Grey, form: Form) -> bool:
    """Say whether the heading of a straight sheet reads, letter for letter, as that of a blank one does."""
    places = [place for place in (print_in(blank, line) for line in form.heading) if place is not None]
    read = words([part(sheet, place) for sheet in (flat, blank) for place in places])
    seen, wanted = read[: len(places)], read[len(places) :]
    return bool(wanted) and all(wanted) and seen == wanted


def power_in(flat: Grey, form: Form) -> str:
    """Read the first line of the heading of a straight sheet, in capitals: a power; nothing where it cannot be read."""
    read = words([part(flat, line) for line in form.heading[:1]])
    return read[0].upper() if read else ""


def words(lines: Sequence[Grey]) -> list[str]:
    """Read lines of type, letters and digits only; nothing where Tesseract is not installed, or fails."""
    if tesseract_version() is None:
        return []
    try:
        seen = see([larger(line, 2) for line in lines], ascii_letters + digits)
    except EngineFailed:
        return []
    return [re.sub("[^a-z0-9]", "", each.text.lower()) for each in seen]


def print_in(blank: Grey, line: Box) -> Box | None:
    """The part of a line of type that has print on it, with a little around it; None where it has none."""
    columns = np.flatnonzero((part(blank, line) < PRINT).any(axis=0))
    if len(columns) == 0:
        return None
    first, last = (float(column) / PIXELS_PER_MM for column in columns[[0, -1]])
    return Box(line.left + first - AROUND_MM, line.top, last - first + 2 * AROUND_MM, line.height)


def larger(part: Grey, times: int) -> Grey:
    """A larger picture of a line of type."""
    return cv2.resize(part, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC).astype(np.uint8, copy=False)
