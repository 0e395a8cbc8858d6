"""Whether fax data (ITU-T T.4, T.6) is there at all: decoders take what they cannot follow for white, silently."""


def has_rows(data: bytes, rows: int) -> bool:
    """Say whether the data can be so many rows: every code, also that of an empty row, has at least one bit set."""
    return int.from_bytes(data).bit_count() >= rows
