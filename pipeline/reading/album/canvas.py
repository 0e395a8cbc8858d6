"""Drawing for the eye: outlines, tints and words on a page, and the band of words above a picture."""

import io
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from textwrap import wrap

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from pipeline.ink import Box
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.marks import Points
from pipeline.reading.registration.warp import PIXELS_PER_MM

Colours = NDArray[np.uint8]  # height by width by red, green and blue
Mask = NDArray[np.bool_]

PAGE_SIDE = (
    1240  # px of a page's longest side: half a screen's width when it is shown whole, and its rows still legible
)
LINE_PX = 3
LETTER_PX = 19
MARGIN_PX = 12
SHADES = 64  # colours of a picture: outlines and tints on grey paper need no more, and it is half as large
QUICK = 3  # of PNG's nine levels: the best takes 25 times as long and saves a sixth
PALE = 0.55  # how much of the paper's own grey is left under what is drawn
COLOUR_DEPTH = 0.45  # of a tint


class AlbumPen(Enum):
    """What a colour says, in every picture the same. Told apart by people who see no red and green, too."""

    FOUND = (0, 114, 178)  # blue: there, as it should be
    EMPTY = (150, 150, 150)  # grey: nothing is here
    DOUBT = (213, 94, 0)  # vermilion: lost, in doubt, or in the wrong place
    PRINT = (230, 159, 0)  # orange: printed, and taken out
    INK = (0, 60, 160)  # dark blue: a person's ink
    WORDS = (30, 30, 30)


class Canvas:
    """A grey picture that can be drawn on in colours; places are in pixels of the picture as it was given."""

    def __init__(self, grey: Grey, *, pale: bool = False, side: int = PAGE_SIDE) -> None:
        self.scale = min(1.0, side / max(grey.shape))
        small = grey
        if self.scale < 1:
            small = cv2.resize(grey, None, fx=self.scale, fy=self.scale, interpolation=cv2.INTER_AREA).astype(np.uint8)
        if pale:
            small = (255 - (255 - small.astype(np.float32)) * PALE).astype(np.uint8)
        self.picture = Image.fromarray(np.repeat(small[..., None], 3, axis=2))
        self.draw = ImageDraw.Draw(self.picture)

    def outline(self, corners: Points, pen: AlbumPen, label: str = "", width: int = LINE_PX) -> None:
        """Draw round something with any corners, with a word at its first."""
        points = [(float(x) * self.scale, float(y) * self.scale) for x, y in corners]
        self.draw.line([*points, points[0]], fill=pen.value, width=width, joint="curve")
        if label:
            left, top = min(x for x, _ in points), min(y for _, y in points)
            self.word(left, top - LETTER_PX - 2, label, pen)

    def box(self, box: Box, pen: AlbumPen, label: str = "", width: int = LINE_PX) -> None:
        """Draw round a box of the sheet, in mm, on a sheet laid straight."""
        self.outline(corners_px(box), pen, label, width)

    def tint(self, box: Box, pen: AlbumPen) -> None:
        """Lay a colour over a box of the sheet."""
        left, top, right, bottom = (round(edge * PIXELS_PER_MM * self.scale) for edge in edges_of(box))
        pixels = np.asarray(self.picture).copy()
        here = pixels[max(0, top) : bottom, max(0, left) : right].astype(np.float32)
        pixels[max(0, top) : bottom, max(0, left) : right] = here * (1 - COLOUR_DEPTH) + np.array(pen.value) * (
            COLOUR_DEPTH
        )
        self.replaced(pixels)

    def stain(self, mask: Mask, pen: AlbumPen) -> None:
        """Colour pixels of the picture as it was given."""
        small = mask.astype(np.float32)
        if self.scale < 1:
            size = self.picture.size
            small = cv2.resize(small, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        depth = np.minimum(1.0, 1.6 * small)[..., None]
        pixels = np.asarray(self.picture).astype(np.float32)
        self.replaced((pixels * (1 - depth) + np.array(pen.value) * depth).astype(np.uint8))

    def replaced(self, pixels: Colours) -> None:
        """Go on with other pixels."""
        self.picture = Image.fromarray(pixels)
        self.draw = ImageDraw.Draw(self.picture)

    def word(self, left: float, top: float, text: str, pen: AlbumPen) -> None:
        """Write a word on white, where it can be read on any ground."""
        font = letters(LETTER_PX)
        left = min(max(0.0, left), max(0.0, self.picture.width - font.getlength(text) - 4))
        top = min(max(0.0, top), self.picture.height - LETTER_PX - 4.0)
        place = (left, top, left + font.getlength(text) + 4, top + LETTER_PX + 4)
        self.draw.rectangle(place, fill=(255, 255, 255))
        self.draw.text((left + 2, top), text, font=font, fill=pen.value)


@lru_cache(maxsize=8)
def letters(size: int) -> FreeTypeFont:
    """The letters that come with Pillow."""
    font = ImageFont.load_default(size)
    assert isinstance(font, FreeTypeFont)
    return font


def edges_of(box: Box) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a box, in mm."""
    return box.left, box.top, box.left + box.width, box.top + box.height


def corners_px(box: Box) -> Points:
    """The corners of a box on a sheet laid straight, in its pixels."""
    left, top, right, bottom = edges_of(box)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64) * PIXELS_PER_MM


def labelled(picture: Image.Image, title: str, told: Sequence[str]) -> bytes:
    """Put a picture under its name and what it says, as a PNG."""
    large, small = letters(LETTER_PX + 5), letters(LETTER_PX - 2)
    wide = max(picture.width, 560)
    letter = small.getlength("average letters") / len("average letters")
    lines = [line for text in told for line in wrap(text, max(20, int((wide - 2 * MARGIN_PX) / letter)))]
    head = 2 * MARGIN_PX + LETTER_PX + 10 + (LETTER_PX + 4) * len(lines)
    whole = Image.new("RGB", (wide, head + picture.height), (255, 255, 255))
    draw = ImageDraw.Draw(whole)
    draw.text((MARGIN_PX, MARGIN_PX), title, font=large, fill=AlbumPen.WORDS.value)
    for number, line in enumerate(lines):
        top = MARGIN_PX + LETTER_PX + 12 + (LETTER_PX + 4) * number
        draw.text((MARGIN_PX, top), line, font=small, fill=AlbumPen.WORDS.value)
    draw.line((0, head - 1, wide, head - 1), fill=AlbumPen.EMPTY.value)
    whole.paste(picture, (0, head))
    return png(whole)


def png(picture: Image.Image) -> bytes:
    """Pack a picture for the screen."""
    packed = io.BytesIO()
    picture.convert("RGB").quantize(SHADES, dither=Image.Dither.NONE).save(packed, "PNG", compress_level=QUICK)
    return packed.getvalue()
