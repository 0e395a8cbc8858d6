"""Where the pictures of rows are kept. They can be made again from the scans, so they lie in ``out/``."""

SHORT = 16  # letters of a scan's hash in the names of its pictures


def crop_path(sha256: str, page: int, row: int) -> str:
    """Name the picture of one row of one scanned page, relative to the event's folder.

    >>> crop_path("ab" * 32, 2, 5)
    'out/crops/abababababababab-p2-r5.png'
    """
    return f"out/crops/{sha256[:SHORT]}-p{page}-r{row}.png"


def page_path(sha256: str, page: int) -> str:
    """Name the picture of one whole page, put upright."""
    return f"out/crops/{sha256[:SHORT]}-p{page}.jpg"


def hand_path(sha256: str, page: int, reader: str) -> str:
    """Name the file with what a reader saw in the rows of one page, for the hand to be learnt from."""
    return f"out/hands/{sha256[:SHORT]}-p{page}-{reader}.npz"
