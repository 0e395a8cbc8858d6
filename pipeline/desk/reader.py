"""Choose the engine that reads handwriting."""

from pipeline.reading.recogniser import Recogniser
from pipeline.reading.tesseract import best_recogniser as tesseract_or_none


def best_recogniser() -> Recogniser:
    """The best engine on this machine."""
    return tesseract_or_none()
