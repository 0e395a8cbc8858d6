"""A phase published, read out, corrected, explained, checked."""

DOOR = (
    "big_clock",
    "check",
    "correct",
    "dutchmen",
    "explain",
    "finding_seats",
    "public_book",
    "public_record",
    "publish",
    "read_out",
    "reading_order",
)
