"""What every measurement with real ink begins and ends with."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import cv2

from training.orders import GAMES
from training.strokes import HANDWRITING


def has_real_ink() -> bool:
    """Whether real strokes and games lie beside this checkout; where they do not, it says that nothing is measured."""
    found = HANDWRITING.is_dir() and GAMES.is_file()
    if not found:
        print(f"skipped: no real strokes and games in {HANDWRITING.parent}")
    return found


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep OpenCV to one core, and say in the end how many seconds of it were spent."""
    cv2.setNumThreads(1)
    begun = time.process_time()
    yield
    print(f"{time.process_time() - begun:.0f} s of one core")
