"""Whether JBIG2 data is whole (ITU-T T.88). PDFium takes data that it cannot follow for an empty page."""

import struct

# T.88 7.3: the kinds of segments that there are, of which a PDF embeds all but the last four
KINDS = frozenset({0, 4, 6, 7, 16, 20, 22, 23, 36, 38, 39, 40, 42, 43, 48, 49, 50, 51, 52, 53, 62})
PAGE, ENDS = 48, (49, 51)  # how large the page is; the end of the page, of the file
OF_ITS_OWN_LENGTH = 0xFFFFFFFF  # T.88 7.2.7: a region that ends when its rows do
SHORTEST = 11  # bytes of a segment's head; what is left after the last segment and is shorter is nothing


def is_whole(data: bytes) -> bool:
    """Say whether segment follows upon segment to the end, and one of them is a page."""
    place, has_page = 0, False
    while len(data) - place >= SHORTEST:
        try:
            kind, start, length = head_of(data, place)
        except struct.error:
            return False
        if kind not in KINDS:
            return False
        has_page |= kind == PAGE
        if has_page and (kind in ENDS or length == OF_ITS_OWN_LENGTH):
            return True
        place = start + length
    return has_page and place <= len(data)


def head_of(data: bytes, place: int) -> tuple[int, int, int]:
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
