"""How large a file says that its picture is: the one thing that tells a shrunk print from a coarse scan."""

import warnings
from pathlib import Path

from PIL import Image

from pipeline.reading.files.limits import MM_PER_INCH, Unreadable
from pipeline.reading.files.pages import PageImage
from pipeline.reading.files.picture import BROKEN, open_picture

LEAST_DPI, MOST_DPI = 97, 2400  # 72 and 96 are written by telephones and screens, which measure nothing


def stated_mm(path: Path, page: PageImage, shape: tuple[int, ...]) -> tuple[float, float] | None:
    """Width and height in mm that a file states for one of its pages; None where it states none.

    ``shape`` is that of the page's picture, upright: a file may state the sides of a picture that is stored lying.
    """
    try:
        found = page.stated_mm or picture_mm(path, page.number)
    except (Unreadable, *BROKEN):
        return None
    if found is None:
        return None
    height, width = shape[:2]
    return found if (width > height) == (found[0] > found[1]) else found[::-1]


def picture_mm(path: Path, number: int) -> tuple[float, float] | None:
    """The size of a picture by its own resolution."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large pictures; nothing is decoded here
        with open_picture(path) as picture:
            if picture.format != "MPO":
                picture.seek(number - 1)
            across, down = stated_dpi(picture)
            width, height = picture.size
    if not all(LEAST_DPI <= dpi <= MOST_DPI for dpi in (across, down)):
        return None
    return width / across * MM_PER_INCH, height / down * MM_PER_INCH


def stated_dpi(picture: Image.Image) -> tuple[float, float]:
    """The resolution in a picture's own words, across and down; nothing where there is none."""
    across, down = picture.info.get("dpi", (0, 0))
    return float(across), float(down)
