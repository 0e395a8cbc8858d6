"""A phase published, read out, corrected, explained, checked."""

DOOR = ("big_clock", "check", "correct", "explain", "publish", "read_out", "reading_order")
