"""What a PDF draws."""

import re
import zlib
from base64 import a85decode


def strokes(pdf: bytes) -> bytes:
    """What the pages draw, without what the PDF library writes about itself."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    return b"".join(zlib.decompress(a85decode(b"<~" + stream.strip(), adobe=True)) for stream in streams)
