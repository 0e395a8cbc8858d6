"""The shape of one digit, as the net is shown it: the directions of its edges in a grid, whatever its size and pen.

The same code makes the training pictures (`training/digits.py`), so that the net sees nothing new in use.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.files.picture import Grey

SIDE = 36  # pixels of the picture a digit is laid into
SPAN = 26.0  # of these its longer side takes up: the rest is room for slant
GRID = 6  # cells along each side
DIRECTIONS = 8  # an edge and its opposite are two
FEATURES = GRID * GRID * DIRECTIONS + 2
FAINTEST = 20.0  # grey levels between paper and ink below which there is no ink
INKED = 0.35  # of the darkest strokes: what counts as ink where its extent is measured
LEAST_PIXELS = 6

Ink = NDArray[np.float32]
Shape = NDArray[np.float32]


def shape_of(grey: Grey) -> Shape | None:
    """Describe the ink of one box (paper white, no frame) as `FEATURES` numbers; None where there is none.

    >>> shape_of(np.full((50, 40), 250, np.uint8)) is None
    True
    """
    ink = darkness(grey)
    if ink is None:
        return None
    rows, columns = np.nonzero(ink > INKED)
    if len(rows) < LEAST_PIXELS:
        return None
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    height, width = float(bottom - top), float(right - left)
    laid = laid_out(ink, (float(left + right) / 2, float(top + bottom) / 2), SPAN / max(height, width))
    relation = [width / max(height, width), height / max(height, width)]
    return np.concatenate([directions(laid), np.array(relation, np.float32)])


def darkness(grey: Grey) -> Ink | None:
    """Measure the ink, 0 to 1: pencil and felt pen come out alike."""
    ink = np.clip(float(np.percentile(grey, 90)) - grey.astype(np.float32), 0, None)
    peak = float(ink.max(initial=0.0))
    if peak < FAINTEST:
        return None
    strokes = ink[ink > 0.4 * peak]
    full = max(FAINTEST, float(np.percentile(strokes, 60)))
    return np.asarray(np.minimum(ink / full, 1), np.float32)


def laid_out(ink: Ink, middle: tuple[float, float], scale: float) -> Ink:
    """Lay the ink into the middle of the picture at one size."""
    if scale < 0.8:
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.4 / scale), np.float32)
    across, down = middle
    warp = np.array([[scale, 0, SIDE / 2 - across * scale], [0, scale, SIDE / 2 - down * scale]], np.float32)
    laid = cv2.warpAffine(ink, warp, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.GaussianBlur(laid, (0, 0), 0.8), np.float32)


def directions(laid: Ink) -> Shape:
    """Sum the edges by direction in each cell of the grid; neighbours share what lies between them."""
    across, down = cv2.Sobel(laid, cv2.CV_32F, 1, 0), cv2.Sobel(laid, cv2.CV_32F, 0, 1)
    strength = np.hypot(across, down)
    turn = (np.arctan2(down, across) / (2 * np.pi) * DIRECTIONS) % DIRECTIONS
    lower = np.floor(turn).astype(int) % DIRECTIONS
    share = turn - np.floor(turn)
    planes = np.zeros((DIRECTIONS, SIDE, SIDE), np.float32)
    for number in range(DIRECTIONS):
        planes[number] = strength * (
            np.where(lower == number, 1 - share, 0) + np.where((lower + 1) % DIRECTIONS == number, share, 0)
        )
    step = SIDE // GRID
    places = np.arange(GRID) * step + step // 2
    cells = [cv2.GaussianBlur(plane, (0, 0), step / 2)[np.ix_(places, places)].ravel() for plane in planes]
    return np.sqrt(np.concatenate(cells)).astype(np.float32)
