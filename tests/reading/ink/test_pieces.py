"""Pieces of ink are the same with short numbers and with long ones."""

import cv2
import numpy as np

from pipeline.reading.strokes import pieces


def test_pieces_have_the_numbers_that_opencv_gives_them_and_never_too_few_numbers() -> None:
    rng = np.random.default_rng(1)
    alone = np.zeros((700, 700), np.uint8)
    alone[::2, ::2] = 1  # 122,500 pieces: more than numbers of 16 bits
    for mask, kind in (((rng.random((120, 900)) < 0.3).astype(np.uint8), np.uint16), (alone, np.int32)):
        labels, sizes, middles = pieces(mask)
        _, wanted, wanted_sizes, wanted_middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
        assert labels.dtype == kind
        assert (labels == wanted).all()
        assert (sizes == wanted_sizes).all()
        assert np.array_equal(middles, wanted_middles)
