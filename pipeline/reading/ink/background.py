"""Paper made white: shadows, coffee and yellow paper go, ink keeps its depth against what is around it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.warp import PIXELS_PER_MM

WHITE = 250  # not 255: what is a little brighter than the paper around it must not be cut off
STEP = 2  # the paper is measured on a picture so much smaller: a quarter of a mm a pixel
STROKE_MM = 1.3  # felt pens draw 0.9; the rim of a coffee stain is wider
COARSE_STEP = 8
SHADOW_MM = 12.0  # nothing written is dark over so much
BLOT = 0.42  # of the brightness around: darker than any shadow's edge or coffee
DARKEST = 30


def on_white(part: Grey, smaller: int = 1) -> Grey:
    """Even out the paper of one part of a sheet, or of a picture of it that is so many times smaller (1 or 2).

    What is wider than any stroke is paper; but what is much darker than the paper at large is a blot, and stays one.
    """
    at_large = closed(part, COARSE_STEP // smaller, SHADOW_MM, smaller)
    near = closed(part, STEP // smaller, STROKE_MM, smaller)
    no_blot = cv2.resize(at_large, near.shape[::-1], interpolation=cv2.INTER_LINEAR) * BLOT
    paper = cv2.blur(np.maximum(near, no_blot), (5, 5)).astype(np.uint8)
    wide = cv2.resize(paper, part.shape[::-1], interpolation=cv2.INTER_LINEAR)
    white: Grey = cv2.divide(part, np.maximum(wide, DARKEST), scale=WHITE).astype(np.uint8, copy=False)
    return white


def closed(part: Grey, step: int, side_mm: float, smaller: int) -> NDArray[np.uint8]:
    """Take out whatever is dark and narrower than this, on a picture that is ``step`` times smaller again."""
    small = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    side = round(side_mm * PIXELS_PER_MM / (step * smaller)) | 1
    return cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)).astype(np.uint8, copy=False)
