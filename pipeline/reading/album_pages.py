"""Debug pictures of one page: outlines, tints and words on it, and the band of words above a picture."""

import io
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from textwrap import wrap

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from pipeline.ink import Box, InkReading
from pipeline.paper.sheet_layout import Form
from pipeline.reading.dewarp import find_bars
from pipeline.reading.identify import BySlot, Identified, NotOurs, Unclear, all_markers
from pipeline.reading.marks import PIXELS_PER_MM, Marks, Points, Warp, find_codes, find_markers, fit
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage
from pipeline.reading.transcribe import Laid, MarksSought, NotLaid, SheetsParted
from pipeline.words.speech import sentence

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
    """What a colour means, the same in every picture; colour-blind people can tell them apart, too."""

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
        self.outline(_corners_px(box), pen, label, width)

    def tint(self, box: Box, pen: AlbumPen) -> None:
        """Lay a colour over a box of the sheet."""
        left, top, right, bottom = (round(edge * PIXELS_PER_MM * self.scale) for edge in _edges_of(box))
        pixels = np.asarray(self.picture).copy()
        here = pixels[max(0, top) : bottom, max(0, left) : right].astype(np.float32)
        pixels[max(0, top) : bottom, max(0, left) : right] = here * (1 - COLOUR_DEPTH) + np.array(pen.value) * (
            COLOUR_DEPTH
        )
        self.replace_pixels(pixels)

    def stain(self, mask: Mask, pen: AlbumPen) -> None:
        """Colour pixels of the picture as it was given."""
        small = mask.astype(np.float32)
        if self.scale < 1:
            size = self.picture.size
            small = cv2.resize(small, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        depth = np.minimum(1.0, 1.6 * small)[..., None]
        pixels = np.asarray(self.picture).astype(np.float32)
        self.replace_pixels((pixels * (1 - depth) + np.array(pen.value) * depth).astype(np.uint8))

    def replace_pixels(self, pixels: Colours) -> None:
        """Go on with other pixels."""
        self.picture = Image.fromarray(pixels)
        self.draw = ImageDraw.Draw(self.picture)

    def word(self, left: float, top: float, text: str, pen: AlbumPen) -> None:
        """Write a word on white, where it can be read on any ground."""
        font = drawn_letters(LETTER_PX)
        left = min(max(0.0, left), max(0.0, self.picture.width - font.getlength(text) - 4))
        top = min(max(0.0, top), self.picture.height - LETTER_PX - 4.0)
        place = (left, top, left + font.getlength(text) + 4, top + LETTER_PX + 4)
        self.draw.rectangle(place, fill=(255, 255, 255))
        self.draw.text((left + 2, top), text, font=font, fill=pen.value)


@lru_cache(maxsize=8)
def drawn_letters(size: int) -> FreeTypeFont:
    """The letters that come with Pillow."""
    font = ImageFont.load_default(size)
    assert isinstance(font, FreeTypeFont)
    return font


def _edges_of(box: Box) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a box, in mm."""
    return box.left, box.top, box.left + box.width, box.top + box.height


def _corners_px(box: Box) -> Points:
    """The corners of a box on a sheet laid straight, in its pixels."""
    left, top, right, bottom = _edges_of(box)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64) * PIXELS_PER_MM


def label_picture(picture: Image.Image, title: str, texts: Sequence[str]) -> bytes:
    """Put a picture under its name and what it says, as a PNG."""
    large, small = drawn_letters(LETTER_PX + 5), drawn_letters(LETTER_PX - 2)
    wide = max(picture.width, 560)
    letter = small.getlength("average letters") / len("average letters")
    lines = [line for text in texts for line in wrap(text, max(20, int((wide - 2 * MARGIN_PX) / letter)))]
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


# Data of one page's stages: the labelled pictures, and what was seen and read on each row.


class StagePicture(Struct, frozen=True):
    """One stage of a page."""

    name: str  # of its file: "01-marks"
    title: str
    texts: tuple[str, ...]  # what is to be seen, in words
    png: bytes


class ReaderSaid(Struct, frozen=True):
    """What one reader alone read in a row."""

    letters: InkReading  # with nothing expected
    line: InkReading | None  # the likeliest of what may be written there


class RowSeen(Struct, frozen=True):
    """One row as it was seen; what it means is not known here."""

    number: int
    crop: bytes  # PNG: the row with half of its neighbours, nothing painted out
    ink: bytes  # PNG: the ink that counts, and what was taken out
    first: ReaderSaid | None = None  # None: there was nothing to read, or a reader that cannot say
    further: tuple[ReaderSaid, ...] = ()  # the readers after it, as far as they looked


# The first stages: which codes and markers were found on the picture as it came, and where several sheets lie.

CLOCKWISE = ("top left", "top right", "bottom right", "bottom left")


def picture_of_marks(stage: MarksSought) -> StagePicture:
    """Show the codes and corner markers."""
    found = stage.found
    if isinstance(found, Identified | BySlot):
        grey, marks = found.grey, found.marks
    else:
        grey = stage.page.grey
        marks = Marks(find_codes(grey), find_markers(grey, all_markers(stage.layouts)))
    canvas = Canvas(grey)
    _draw_marks(canvas, marks)
    captions = (_count_marks(marks), *(f"the code reads {text[:60]}" for text in marks.texts))
    if isinstance(found, Identified):
        places = zip(CLOCKWISE, found.layout.marker_ids, strict=True)
        lost = [where for where, number in places if number not in marks.markers]
        captions += (f"not found: the marker {', '.join(lost)}",) if lost else ()
        captions += ("the picture was mirrored, and is turned round here",) if grey is not stage.page.grey else ()
    if isinstance(found, NotOurs | Unclear):
        captions += (found.text,)
    return StagePicture(
        "01-marks", "1. Marks found", captions, label_picture(canvas.picture, "1. Marks found", captions)
    )


def _draw_marks(canvas: Canvas, marks: Marks) -> None:
    """Outline codes and markers."""
    for code in marks.codes:
        canvas.outline(code.corners, AlbumPen.FOUND, "code")
    for number, corners in marks.markers.items():
        canvas.outline(corners, AlbumPen.FOUND, f"marker {number}")


def _count_marks(marks: Marks) -> str:
    """Count the marks.

    >>> _count_marks(Marks((), {}))
    'no code and no corner marker found'
    """
    codes, markers = len(marks.codes), len(marks.markers)
    if not codes and not markers:
        return "no code and no corner marker found"
    return f"found: {codes} of 2 codes, {markers} of 4 corner markers"


def picture_of_sheets(stage: SheetsParted) -> StagePicture:
    """Show where several sheets lie on one picture."""
    canvas = Canvas(stage.page.grey)
    size = np.array(stage.page.grey.shape[::-1], np.float64)
    for number, quad in enumerate(stage.quads, start=1):
        canvas.outline(np.asarray(quad) * size, AlbumPen.FOUND, f"part {number}")
    captions = (f"{len(stage.quads)} sheets on one picture: each is cut out and read as a page of its own",)
    title = "2. Several sheets"
    return StagePicture("02-sheets", title, captions, label_picture(canvas.picture, title, captions))


# The second stage: registration (the sheet laid straight by its homography), its residual, or why it failed.

NAME = "02-registered"
LAID, NOT_LAID = "2. Laid straight", "2. Not laid straight"


def picture_of_laid(stage: Laid) -> StagePicture:
    """Show a sheet that lies straight, with the places of its marks and bars as they were printed."""
    straight = stage.straight
    canvas = Canvas(straight.flat)
    for box in (*straight.form.markers, *straight.form.codes):
        canvas.box(box, AlbumPen.FOUND)
    _draw_bars(canvas, straight.flat, straight.form)
    captions = (_describe_registration(straight), *map(sentence, straight.warnings))
    return StagePicture(NAME, LAID, captions, label_picture(canvas.picture, LAID, captions))


def _describe_registration(straight: RegisteredPage) -> str:
    """Say how a sheet was laid straight."""
    turned = f"turned by {straight.turned} degrees, " if straight.turned else ""
    return (
        f"scanned at about {straight.dpi:.0f} dpi; {turned}the print lies {straight.residual_mm:.2f} mm off its places"
    )


def _draw_bars(canvas: Canvas, flat: Grey, form: Form) -> int:
    """Outline where the bars beside the rows were printed, found or not, and count those that were not."""
    offsets = find_bars(flat, form).offsets
    lost = 0
    for pair, places in zip(form.bars, offsets, strict=True):
        for bar, offset in zip(pair, places, strict=True):
            is_found = bool(np.isfinite(offset).all())
            lost += not is_found
            canvas.box(_wider(bar), AlbumPen.FOUND if is_found else AlbumPen.DOUBT)
    return lost


RIM_MM = 0.8  # between a bar and the frame around it, so that both are seen


def _wider(bar: Box) -> Box:
    """A box a little larger all round, to be drawn round what is in it."""
    return Box(bar.left - RIM_MM, bar.top - RIM_MM, bar.width + 2 * RIM_MM, bar.height + 2 * RIM_MM)


def picture_of_not_laid(stage: NotLaid) -> StagePicture:
    """Show how far registration got: the sheet by its markers, or only the markers."""
    found, form = stage.found, stage.layout.form
    fitted = fit(found.marks, stage.layout.marker_ids, form)
    texts: tuple[str, ...] = (f"why not: {stage.straight.why}", _count_marks(found.marks))
    if fitted is None:
        canvas = Canvas(found.grey)
        _draw_marks(canvas, found.marks)
        return StagePicture(NAME, NOT_LAID, texts, label_picture(canvas.picture, NOT_LAID, texts))
    flat = Warp.flat(fitted.perspective, form.width, form.height).picture(found.grey)
    canvas = Canvas(flat)
    for number, box in zip(stage.layout.marker_ids, form.markers, strict=True):
        canvas.box(box, AlbumPen.FOUND if number in found.marks.markers else AlbumPen.DOUBT)
    lost, bars = _draw_bars(canvas, flat, form), sum(len(pair) for pair in form.bars)
    texts += (f"tried as {stage.layout.sheet}: {bars - lost} of {bars} bars beside the rows are near their places",)
    return StagePicture(NAME, NOT_LAID, texts, label_picture(canvas.picture, NOT_LAID, texts))
