"""What is wrong with a picture that could be read all the same: the next one may be better."""

from enum import StrEnum


class PictureFault(StrEnum):
    """One kind of fault; `pipeline.words` has a sentence for each."""

    MARKERS_LOST = "MARKERS_LOST"  # of lost: so many of the four corner markers
    BARS_LOST = "BARS_LOST"  # of share, 0..1
    COARSE = "COARSE"  # of dpi
    ONE_BIT = "ONE_BIT"
    LINE_DOWN = "LINE_DOWN"  # of at_mm, from the left edge of the scan
    LINES_DOWN = "LINES_DOWN"  # of count: too many to name
    ROWS_HIDDEN = "ROWS_HIDDEN"  # of rows
    IN_WORDS = "IN_WORDS"  # of text: an older event says it so, and no code is known for it


RETAKE = frozenset({PictureFault.MARKERS_LOST, PictureFault.ROWS_HIDDEN})  # a better picture of the paper mends these
