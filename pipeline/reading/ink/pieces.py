"""What holds together in a picture of ink: its pieces, each with a number of its own."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.files.picture import Grey

Labels = NDArray[np.uint16] | NDArray[np.int32]  # by pixel: its piece; the paper is piece 0

MOST_SHORT = 2**16 - 1  # numbers that have 16 bits, without the paper's


def pieces(mask: Grey) -> tuple[Labels, NDArray[np.int32], NDArray[np.float64]]:
    """Find the pieces of a mask: their labels, OpenCV's sizes of each, and their middles.

    OpenCV finds the same with numbers of 16 and of 32 bits, and takes a third of the time with the shorter ones.
    """
    begun = np.count_nonzero(mask[:, :1]) + np.count_nonzero(
        mask[:, 1:] > mask[:, :-1]
    )  # strips: a piece has one or more
    is_small = begun < MOST_SHORT
    kind = cv2.CV_16U if is_small else cv2.CV_32S
    _, labels, sizes, middles = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=kind)
    found: Labels = np.asarray(labels, np.uint16) if is_small else np.asarray(labels, np.int32)
    return found, np.asarray(sizes, np.int32), np.asarray(middles, np.float64)
