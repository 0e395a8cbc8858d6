"""Choose the engine that reads handwriting."""

from pipeline.reading.net.engine import NetRecogniser
from pipeline.reading.recogniser import Recogniser


def best_recogniser() -> Recogniser:
    """The handwriting net that ships with the program."""
    return NetRecogniser()
