"""The picture of a row that a person looks at: white paper, whatever lay on it, and all the ink."""

import cv2
import numpy as np

from pipeline.ink import Box
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.register import part
from pipeline.reading.rows import cut_row_picture

ROW = Box(20, 40, 150, 9)


def photographed() -> Grey:
    """A sheet in a telephone's picture: grey paper, darker to one side, with a stroke across the row."""
    height, width = round(120 * PIXELS_PER_MM), round(200 * PIXELS_PER_MM)
    shadow = np.linspace(205, 110, width)[None, :] * np.ones((height, 1))
    page: Grey = shadow.astype(np.uint8)
    down = round(44 * PIXELS_PER_MM)
    cv2.line(page, (round(30 * PIXELS_PER_MM), down), (round(160 * PIXELS_PER_MM), down), (45,), 4)
    return page


def test_the_paper_of_a_telephones_picture_is_white_and_its_ink_stays() -> None:
    page = photographed()
    assert np.median(part(page, ROW)) < 180
    seen = np.asarray(cv2.imdecode(np.frombuffer(cut_row_picture(page, ROW), np.uint8), cv2.IMREAD_GRAYSCALE), np.uint8)
    assert np.percentile(seen, 10) > 235, "nine tenths are paper, and white"
    middle = seen[seen.shape[0] // 2 - 20 : seen.shape[0] // 2 + 20, 100:-100]
    assert (middle.min(axis=0) < 150).mean() > 0.95, "the stroke is there from end to end"
