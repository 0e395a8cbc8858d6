"""What a printed page shows: its words, and whether a bar or the frame of a box is where the layout says."""

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.sheet_layout import ChoiceAnswer, Form, NumberAnswer, PageLayout

DPI = 200
PER_MM = DPI / 25.4
EDGE_MM = 0.3

Picture = NDArray[np.uint8]


def picture(pdf: bytes, dpi: int = DPI, page: int = 0) -> Picture:
    with pypdfium2.PdfDocument(pdf) as document:
        found = document[page].render(scale=dpi / 72, grayscale=True).to_numpy()
        return np.asarray(found.reshape(found.shape[:2]), np.uint8).copy()


def words(pdf: bytes, page: int = 0) -> str:
    """All words of a page, with one blank between two."""
    with pypdfium2.PdfDocument(pdf) as document:
        return " ".join(document[page].get_textpage().get_text_range().split())


def not_printed(found: Picture, page: PageLayout) -> list[Box]:
    """The bars, boxes to tick and boxes for digits of a layout that are not printed where it says."""
    form = page.form
    bars = [bar for pair in form.bars for bar in pair]
    return [bar for bar in bars if _part(found, bar).max() > 60] + [
        box for box in _framed(form, page) if not _has_frame(found, box)
    ]


def _framed(form: Form, page: PageLayout) -> list[Box]:
    cells = [cell for row in form.rows for cell in form.cells_of(row.row or 0) if cell.box.width < 6]
    numbers = [box for answer in page.answers if isinstance(answer, NumberAnswer) for box in answer.boxes]
    choices = [box for answer in page.answers if isinstance(answer, ChoiceAnswer) for box in answer.boxes]
    return [*(tick.box for tick in form.ticks), *(cell.box for cell in cells), *numbers, *choices]


def _part(found: Picture, box: Box, grow: float = -EDGE_MM) -> Picture:
    rows = slice(round((box.top - grow) * PER_MM), round((box.top + box.height + grow) * PER_MM))
    return found[rows, round((box.left - grow) * PER_MM) : round((box.left + box.width + grow) * PER_MM)]


def _has_frame(found: Picture, box: Box) -> bool:
    """Whether each edge of a box is a line, or a row of dots or dashes, from end to end."""
    part, edge = _part(found, box, EDGE_MM), round(2 * EDGE_MM * PER_MM)
    sides = (part[:edge].min(axis=0), part[-edge:].min(axis=0), part[:, :edge].min(axis=1), part[:, -edge:].min(axis=1))
    return all((half < 200).mean() > 0.2 for side in sides for half in np.array_split(side, 2))
