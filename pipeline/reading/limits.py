"""Limits of picture sizes, checks of fax and JBIG2 data, and the error for an unreadable picture.

Kept apart so that no image library is loaded.
"""

import struct

MM_PER_INCH = 25.4
MOST_BYTES = 700_000_000  # of a picture while it is opened; A4 at 1200 dpi has 139 million pixels
FLAT = 5  # bytes for each pixel while most pictures are opened: four as it is decoded, and one of grey
LONGEST_SIDE = 5000  # A4 at 430 dpi; finer than a pen's line needs


class Unreadable(Exception):
    """A picture that cannot be opened: what was found, and how to mend it."""


def check_size(width: int, height: int, bytes_each: int = FLAT) -> None:
    """Refuse a picture that is too large to be decoded, by the bytes that a pixel takes meanwhile."""
    if width * height * bytes_each > MOST_BYTES:
        raise Unreadable(f"the picture has {width} × {height} pixels; scan at 200 to 300 dpi")


# Whether fax data (ITU-T T.4, T.6) is there at all: decoders take what they cannot follow for white, silently.


def has_rows(data: bytes, rows: int) -> bool:
    """Say whether the data is enough for so many rows: each row, an empty one too, has at least one bit set."""
    return int.from_bytes(data).bit_count() >= rows


# Whether JBIG2 data is whole (ITU-T T.88). PDFium takes data that it cannot follow for an empty page.

# T.88 7.3: the kinds of segments that there are
KINDS = frozenset({0, 4, 6, 7, 16, 20, 22, 23, 36, 38, 39, 40, 42, 43, 48, 49, 50, 51, 52, 53, 62})
PAGE, ENDS = 48, (49, 51)  # kinds of segments: what page this is; its end and the end of the file
OF_ITS_OWN_LENGTH = 0xFFFFFFFF  # T.88 7.2.7: a region that ends when its rows do
SHORTEST = 11  # bytes of a segment's head; shorter remains after the last segment are ignored


def is_whole(data: bytes) -> bool:
    """Say whether segment follows upon segment to the end, and one of them is a page."""
    place, has_page = 0, False
    while len(data) - place >= SHORTEST:
        try:
            kind, start, length = _head_of(data, place)
        except struct.error:
            return False
        if kind not in KINDS:
            return False
        has_page |= kind == PAGE
        if has_page and (kind in ENDS or length == OF_ITS_OWN_LENGTH):
            return True
        place = start + length
    return has_page and place <= len(data)


def _head_of(data: bytes, place: int) -> tuple[int, int, int]:
    """Read a segment's head: its kind, where its data begins, and how long it is (T.88 7.2)."""
    number, flags, referred = struct.unpack_from(">IBB", data, place)
    place += 5
    count = referred >> 5
    if count == 7:  # many: a long count, and a bit for each
        (count,) = struct.unpack_from(">I", data, place)
        count &= 0x1FFFFFFF
        place += 4 + (count + 8) // 8
    else:
        place += 1
    place += count * (1 if number <= 256 else 2 if number <= 65536 else 4)
    place += 4 if flags & 0x40 else 1  # the page that it stands on
    (length,) = struct.unpack_from(">I", data, place)
    return flags & 0x3F, place + 4, length
