"""What a PDF draws."""

import re
import zlib


def strokes(pdf: bytes) -> bytes:
    """What the pages draw, without what the PDF library writes about itself."""
    begins = re.finditer(rb"/Length (\d+)\s*>>\s*stream\r?\n", pdf)
    return b"".join(zlib.decompress(pdf[begin.end() : begin.end() + int(begin[1])]) for begin in begins)
