"""Paper made white: shadows, coffee and yellow paper go, ink keeps its depth against what is around it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.warp import PIXELS_PER_MM

LEVELS = 256  # of grey
WHITE = 250  # not 255: what is a little brighter than the paper around it must not be cut off
STEP = 2  # the paper is measured on a picture so much smaller: a quarter of a mm a pixel
STROKE_MM = 1.3  # felt pens draw 0.9; the rim of a coffee stain is wider
COARSE_STEP = 8  # pixels of a sheet in one of the picture that shadows are measured on: 1 mm
SHADOW_MM = 12.0  # nothing written is dark over so much
BLOT = 0.42  # of the brightness around: darker than any shadow's edge or coffee
DARKEST = 30  # grey level that paper is taken for at least: without light there is nothing to be evened out
SIGMA_OF_MEDIAN = 1.48  # standard deviations in a median deviation, where grain is normal: 1 / 0.6745
SOFT_PX = 0.9  # blur, standard deviation: a sensor's grain is no ink
NOISES = 6  # standard deviations of the paper's own noise: of the 4 million pixels of a sheet no grain reaches ink


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


def grain(sample: NDArray[np.uint8]) -> float:
    """How much paper varies, in grey levels, one standard deviation; ink on less than half of it does not matter."""
    counts, levels = np.bincount(sample.ravel(), minlength=LEVELS), np.arange(LEVELS)
    off = np.abs(levels - median_of(levels, counts))
    nearest = np.argsort(off)
    return SIGMA_OF_MEDIAN * median_of(off[nearest], counts[nearest])


def median_of(values: NDArray[np.int64] | NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """The median of values, each there so many times, the least first.

    >>> median_of(np.array([10, 20, 30]), np.array([1, 2, 1])), median_of(np.array([10, 20, 30]), np.array([2, 0, 2]))
    (20.0, 20.0)
    """
    ends = np.cumsum(counts)
    low, high = np.searchsorted(ends, [(ends[-1] - 1) // 2, ends[-1] // 2], "right")
    return float(values[low] + values[high]) / 2


def inked_below(noise: float, least: float) -> float:
    """The grey level below which something is ink on white paper: by so much, and by more than its noise."""
    return WHITE - max(least, NOISES * noise)


def closed(part: Grey, step: int, side_mm: float, smaller: int) -> NDArray[np.uint8]:
    """Take out whatever is dark and narrower than this, on a picture that is ``step`` times smaller again."""
    small = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    side = round(side_mm * PIXELS_PER_MM / (step * smaller)) | 1
    return cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)).astype(np.uint8, copy=False)
