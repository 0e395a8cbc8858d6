"""The rim of a stain, such as a cup's ring, that runs through a row: it is no stroke, and the row need not be asked.

Where paper is made white (`strokes.on_white`), what is dark and wider than any pen's stroke counts as paper; of a rim
with soft edges a thin, pale line is left. It lies on a wide dark band, which tells it from a stroke.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.strokes import (
    INK_AREA_MM2,
    LEAST_CONTRAST,
    STEP,
    STROKE_MM,
    WHITE,
    close_morphologically,
    pieces,
    square,
)

RIM_MM = 7.0  # no rim is wider, but what it encloses is
LEAST_DARK, MOST_DARK = 18.0, 130.0  # grey levels of the band against what is around: darker ones may be a felt pen's
LONG_MM = 6.0  # in the strip of a row, at whose upper or lower edge it ends
OF_BAND, OF_PEN = 0.8, 0.5  # how dark its line is at most, of the band's darkness and of the row's own strokes'


def without_rims(white: Grey, part: Grey) -> Grey:
    """Take rims out of the strip of a row, which was made white from ``part``.

    Only those that run out of the strip, and whose line is much paler than what is written beside them.
    """
    near = close_morphologically(part, STEP, STROKE_MM)
    around = cv2.morphologyEx(near, cv2.MORPH_CLOSE, square(round(RIM_MM * PIXELS_PER_MM / STEP) | 1))
    band = WHITE - cv2.divide(near, np.maximum(around, 1), scale=WHITE).astype(np.int16)
    where = _rims_among(band)
    if not where.any():
        return white
    size = white.shape[::-1]
    on_rim = cv2.resize(cv2.dilate(where.astype(np.uint8), square(3)), size, interpolation=cv2.INTER_NEAREST) > 0
    darkness = cv2.resize(cv2.dilate(band.astype(np.float32), square(3)), size, interpolation=cv2.INTER_LINEAR)
    depth = WHITE - white.astype(np.float32)
    strokes = depth[~on_rim & (depth > LEAST_CONTRAST)]
    if len(strokes) < INK_AREA_MM2 * PIXELS_PER_MM**2:  # there is nothing to compare it with
        return white
    found = white.copy()
    found[on_rim & (depth < np.minimum(OF_BAND * darkness, OF_PEN * float(np.median(strokes))))] = WHITE
    return found


def _rims_among(band: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Where there are wide dark bands that end at the upper or the lower edge of a strip."""
    labels, sizes, _ = pieces((band >= LEAST_DARK).astype(np.uint8))
    tops, bottoms = sizes[:, cv2.CC_STAT_TOP], sizes[:, cv2.CC_STAT_TOP] + sizes[:, cv2.CC_STAT_HEIGHT]
    long = np.maximum(sizes[:, cv2.CC_STAT_WIDTH], sizes[:, cv2.CC_STAT_HEIGHT]) * STEP / PIXELS_PER_MM
    is_rim = (long >= LONG_MM) & ((tops == 0) | (bottoms == len(band)))
    is_rim[0] = False  # the paper
    for number in np.flatnonzero(is_rim):
        is_rim[number] = float(np.percentile(band[labels == number], 90)) <= MOST_DARK
    return np.asarray(is_rim[labels])
