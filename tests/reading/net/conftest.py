"""The net that ships."""

import cv2
import pytest

from pipeline.reading.handwriting.engine import NetRecogniser


@pytest.fixture(scope="session")
def reader() -> NetRecogniser:
    """The net with its own thresholds, as it reads where nothing is known of a hand."""
    cv2.setNumThreads(1)
    return NetRecogniser()
