"""How large a picture may be, and what is said of one that cannot be opened; known without loading what opens it."""

MM_PER_INCH = 25.4
MOST_PIXELS = 160_000_000  # A4 at 1200 dpi has 139 million; one such page in memory is enough
LONGEST_SIDE = 5000  # A4 at 430 dpi; finer than a pen's line needs


class Unreadable(Exception):
    """A picture that cannot be opened: what was found, and how to mend it."""


def check_size(width: int, height: int) -> None:
    """Refuse a picture that is too large to be decoded."""
    if width * height > MOST_PIXELS:
        raise Unreadable(f"the picture has {width} × {height} pixels; scan at 200 to 300 dpi")
