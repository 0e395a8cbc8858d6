"""One picture as grey values: whatever a scanner or a telephone saves, upright, 8 bit, of a size one can work with."""

import os
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageSequence, UnidentifiedImageError
from PIL.TiffImagePlugin import TiffImageFile

from pipeline.reading.files.fax import has_rows
from pipeline.reading.files.limits import LONGEST_SIDE, MOST_PIXELS, Unreadable, check_size

Grey = NDArray[np.uint8]

Image.MAX_IMAGE_PIXELS = None  # Pillow speaks of attacks; `decode` measures first, and says how to mend it

# What Pillow raises on files that are cut short or made up; each has been seen on one.
BROKEN = (
    OSError,
    EOFError,
    SyntaxError,
    ValueError,
    LookupError,
    TypeError,
    ArithmeticError,
    MemoryError,
    struct.error,
)
KINDS = {b"II*\0": "TIFF", b"MM\0*": "TIFF", b"\xff\xd8": "JPEG", b"\x89PNG": "PNG"}  # by how they begin
FAXES = ("group3", "group4", "tiff_ccitt")
MOST_FAX_BYTES = 1 << 24  # A4 at 600 dpi has 4 MB before it is packed
ROWS, STRIPS, STRIPS_BYTES = 257, 273, 279  # tags of a TIFF: how many rows it has, and where they lie
TELEPHONES = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1", b"ftypavif")
LEAST_SIDE = 200  # A5 at 35 dpi
EXIF_ORIENTATION = 0x0112
# how to turn the stored rows so that the picture stands as it was taken (EXIF 2.32, tag 274)
TURNS = {
    2: (None, 1),
    3: (cv2.ROTATE_180, None),
    4: (None, 0),
    5: (cv2.ROTATE_90_CLOCKWISE, 1),
    6: (cv2.ROTATE_90_CLOCKWISE, None),
    7: (cv2.ROTATE_90_COUNTERCLOCKWISE, 1),
    8: (cv2.ROTATE_90_COUNTERCLOCKWISE, None),
}


def open_picture(path: Path) -> Image.Image:
    """Open a picture without decoding it; `Unreadable` where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of odd tags
            return Image.open(path, formats=("JPEG", "PNG", "TIFF"))
    except UnidentifiedImageError as unknown:  # it names the file as it is kept, which no director knows
        raise Unreadable(why_not(path)) from unknown
    except BROKEN as broken:
        raise Unreadable(f"not a picture that can be opened ({broken}); save it as pdf, tiff, jpeg or png") from broken


def why_not(path: Path) -> str:
    """Say why a file is no picture that can be opened, by how it begins."""
    with path.open("rb") as file:
        start = file.read(12)
    if start[4:12] in TELEPHONES:
        return "a picture as telephones keep it (HEIC); set the camera to 'most compatible', or save it as jpeg"
    kind = next((kind for begins, kind in KINDS.items() if start.startswith(begins)), None)
    if kind is not None:
        return f"the {kind} is cut short or damaged; scan it again"
    return "not a picture that can be opened; save it as pdf, tiff, jpeg or png"


def frames(path: Path) -> Iterator[Grey | Unreadable]:
    """Read the pages of a picture file one at a time; a page that is broken does not hold up the next."""
    with open_picture(path) as picture:
        turning = ImageSequence.Iterator(picture)
        while True:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    frame = next(turning)
            except StopIteration:
                return
            except BROKEN as broken:
                yield Unreadable(f"the file ends before this page does ({broken}); scan it again")
                return
            try:
                yield decode(frame)
            except Unreadable as unreadable:
                yield unreadable
            if picture.format == "MPO":
                return  # a telephone's second frame is a thumbnail or a depth map


def frame_count(path: Path) -> int:
    """Count the pages of a picture file, without decoding them."""
    with open_picture(path) as picture:
        return 1 if picture.format == "MPO" else int(getattr(picture, "n_frames", 1))


def decode(picture: Image.Image) -> Grey:
    """Decode one picture to grey."""
    width, height = picture.size
    if picture.format in ("JPEG", "MPO") and not is_heavy(picture):
        halves = max(1, max(width, height) // LONGEST_SIDE)
        picture.draft("L", (width // halves, height // halves))
        width, height = picture.size
    check_size(width, height)
    if min(width, height) < LEAST_SIDE:
        raise Unreadable(f"the picture has only {width} × {height} pixels; scan at 200 to 300 dpi")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            turn, flip = TURNS.get(picture.getexif().get(EXIF_ORIENTATION, 1), (None, None))
            grey = shrunk(to_grey(picture))
        if is_lost_fax(picture):
            raise ValueError("most of its rows are missing")
    except BROKEN as broken:
        raise Unreadable(f"the picture is damaged ({broken}); scan it again") from broken
    if turn is not None:
        grey = cv2.rotate(grey, turn).astype(np.uint8, copy=False)
    if flip is not None:
        grey = cv2.flip(grey, flip).astype(np.uint8, copy=False)
    return grey


def is_lost_fax(picture: Image.Image) -> bool:
    """Say whether most of the rows of a fax, kept as TIFF, are missing."""
    if not isinstance(picture, TiffImageFile) or picture.info.get("compression") not in FAXES:
        return False
    tags, data = picture.tag_v2, bytearray()
    with Path(os.fsdecode(picture.filename)).open("rb") as file:
        for place, count in zip(tags.get(STRIPS, ()), tags.get(STRIPS_BYTES, ()), strict=False):
            file.seek(place)
            data += file.read(min(count, MOST_FAX_BYTES - len(data)))
    return STRIPS in tags and not has_rows(bytes(data), tags[ROWS])


def is_heavy(picture: Image.Image) -> bool:
    """Say whether decoding needs the whole picture in memory, however small it is wanted: a progressive JPEG does."""
    width, height = picture.size
    return "progressive" in picture.info and width * height > MOST_PIXELS


def to_grey(picture: Image.Image) -> Grey:
    """Bring every kind of pixel to 8 bits of grey; what is transparent is paper."""
    if picture.mode.startswith(("I", "F")):
        return eight_bits(np.asarray(picture))
    if picture.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in picture.info:
        paper = Image.new("RGBA", picture.size, "white")
        paper.alpha_composite(picture.convert("RGBA"))
        return np.asarray(paper.convert("L"))
    if picture.mode in ("CMYK", "LAB", "HSV"):
        picture = picture.convert("RGB")
    return np.asarray(picture.convert("L"))


def eight_bits(deep: NDArray[np.generic]) -> Grey:
    """Bring 16 and 32 bit grey to 8: over the full range of 16 bits, or the picture's own where that is larger."""
    values = np.nan_to_num(deep.astype(np.float32))
    top = float(values.max())
    full = 1.0 if 0 < top <= 1 else 255.0 if top <= 255 else 65535.0 if top <= 65535 else top
    grey: Grey = np.clip(values * (255 / full), 0, 255).astype(np.uint8)
    return grey


def shrunk(grey: Grey) -> Grey:
    """Make a picture smaller where it is finer than reading needs."""
    longest = max(grey.shape)
    if longest <= LONGEST_SIDE:
        return np.ascontiguousarray(grey)
    scale = LONGEST_SIDE / longest
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
