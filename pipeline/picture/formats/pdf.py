"""A drawing as PDF, with ReportLab: A4 or A5 landscape to print, or just as large as the drawing."""

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from io import BytesIO
from math import cos, hypot, radians, sin
from typing import assert_never

from reportlab import rl_config
from reportlab.lib.pagesizes import A4, A5, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from pipeline.picture.commands import (
    Area,
    Arrow,
    Circle,
    Command,
    Drawing,
    Frame,
    Hatch,
    Outline,
    PictureInk,
    Polygon,
    Polyline,
    Spot,
    Text,
)
from pipeline.picture.formats.arrowhead import head, shaft
from pipeline.picture.formats.svg import number
from pipeline.picture.measure import font_name, width_of

MARGIN = 5 * mm  # most printers leave as much white
rl_config.useA85 = 0  # streams as they are: as text they take a quarter more room, and longer


class PaperSize(Enum):
    """The sizes to print on, in points, broad side down; None: no page, only the drawing."""

    A4 = landscape(A4)
    A5 = landscape(A5)
    NONE = None


def as_pdf(drawing: Drawing, paper: PaperSize = PaperSize.A4) -> bytes:
    """Print a drawing on one page. The same drawing gives the same bytes."""
    frame = drawing.frame
    if paper.value is None:
        page, scale = (frame.width, frame.height), 1.0
    else:
        page = paper.value
        scale = min((page[0] - 2 * MARGIN) / frame.width, (page[1] - 2 * MARGIN) / frame.height)
    file = BytesIO()
    canvas = Canvas(file, pagesize=page, invariant=1, pageCompression=1)
    canvas.setTitle(drawing.title)
    canvas.setCreator("ordersheets")
    left, top = (page[0] - frame.width * scale) / 2, (page[1] + frame.height * scale) / 2
    canvas.transform(scale, 0, 0, -scale, left - frame.left * scale, top + frame.top * scale)
    CanvasPen(canvas).draw(drawing)
    canvas.save()
    return file.getvalue()


class CanvasPen:
    """Draws commands on a canvas whose y runs down, as in the drawing."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def draw(self, drawing: Drawing) -> None:
        """Draw everything, and nothing outside the frame."""
        frame = drawing.frame
        edge = self.canvas.beginPath()
        edge.rect(frame.left, frame.top, frame.width, frame.height)
        self.canvas.clipPath(edge, stroke=0, fill=0)
        self.canvas.setLineJoin(1)
        for command in drawing.commands:
            self.command(command)

    def command(self, command: Command) -> None:
        """Draw one command."""
        match command:
            case Area(path, fill, hatch, ink):
                self.figure(data(path), path.bounds, fill, hatch, ink)
            case Polygon(points, fill, ink, hatch):
                self.figure(code([points], closed=True), Frame.of(points), fill, hatch, ink)
            case Polyline(points, ink):
                self.figure(code([points], closed=False), None, None, None, ink)
            case Arrow(points, ink, size, rim):
                way, tip = code([shaft(points, size)], closed=False), code([head(points, size)], closed=True)
                if rim:
                    self.figure(way, None, None, None, PictureInk(rim, ink.width + 3))
                    self.figure(tip, None, rim, None, PictureInk(rim, 3))
                self.figure(way, None, None, None, ink)
                self.figure(tip, None, ink.colour, None, None)
            case Circle(middle, radius, fill, ink):
                self.paint(fill, ink)
                self.canvas.circle(*middle, radius, stroke=int(ink is not None), fill=int(fill is not None))
            case Text():
                self.text(command)
            case _:
                assert_never(command)

    def figure(
        self, path: str, bounds: Frame | None, fill: str | None, hatch: Hatch | None, ink: PictureInk | None
    ) -> None:
        """Fill, hatch and draw one figure."""
        if fill:
            self.paint(fill, None)
            self.canvas.drawPath(PDFPathObject([path]), stroke=0, fill=1, fillMode=FILL_EVEN_ODD)
        if hatch and bounds:
            self.canvas.saveState()
            self.canvas.clipPath(PDFPathObject([path]), stroke=0, fill=0, fillMode=FILL_EVEN_ODD)
            self.paint(None, PictureInk(hatch.colour, hatch.width, hatch.dash))
            self.canvas.drawPath(PDFPathObject([hatching(hatch, bounds)]), stroke=1, fill=0)
            self.canvas.restoreState()
        if ink:
            self.paint(None, ink)
            self.canvas.drawPath(PDFPathObject([path]), stroke=1, fill=0)

    def paint(self, fill: str | None, ink: PictureInk | None) -> None:
        """Take a colour and a pen."""
        if fill:
            self.canvas.setFillColorRGB(*rgb(fill))
        if ink:
            self.canvas.setStrokeColorRGB(*rgb(ink.colour))
            self.canvas.setLineWidth(ink.width)
            self.canvas.setDash(list(ink.dash))

    def text(self, command: Text) -> None:
        """Write a line, the right way up; its rim first."""
        canvas, words = self.canvas, command.text
        left = command.spot[0] - command.align * width_of(words, command.size, is_bold=command.is_bold)
        line = canvas.beginText()
        line.setTextTransform(1, 0, 0, -1, left, command.spot[1])
        line.setFont(font_name(is_bold=command.is_bold), command.size)
        if command.halo:
            self.paint(None, PictureInk(command.halo, 3))
            rim = canvas.beginText()
            rim.setTextTransform(1, 0, 0, -1, left, command.spot[1])
            rim.setFont(font_name(is_bold=command.is_bold), command.size)
            rim.setTextRenderMode(1)
            rim.textOut(words)
            rim.setTextRenderMode(0)
            canvas.drawText(rim)
        line.setFillColorRGB(*rgb(command.colour))
        line.textOut(words)
        canvas.drawText(line)


@lru_cache(maxsize=64)
def rgb(colour: str) -> tuple[float, float, float]:
    """Read a colour.

    >>> rgb("#ff0033")
    (1.0, 0.0, 0.2)
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


@lru_cache(maxsize=256)  # the board has some 80 paths; each is written once
def data(path: Outline) -> str:
    """Write a path of the board in the words of PDF."""
    return code(path.lines, closed=path.is_closed)


def code(lines: Sequence[Sequence[Spot]], *, closed: bool) -> str:
    """Write lines in the words of PDF."""
    parts = []
    for points in lines:
        first, *rest = (f"{number(x)} {number(y)}" for x, y in points)
        parts.append(f"{first} m {' l '.join(rest)} l{' h' if closed else ''}")
    return " ".join(parts)


@lru_cache(maxsize=256)
def hatching(hatch: Hatch, bounds: Frame) -> str:
    """Write the lines that cover a rectangle, in step with those of every other rectangle."""
    along = (cos(radians(hatch.angle)), sin(radians(hatch.angle)))
    across = (-along[1], along[0])
    middle = (bounds.left + bounds.width / 2, bounds.top + bounds.height / 2)
    reach = hypot(bounds.width, bounds.height) / 2
    length = sum(hatch.dash) or 1.0
    start = (middle[0] * along[0] + middle[1] * along[1] - reach) // length * length
    first = int((middle[0] * across[0] + middle[1] * across[1] - reach) // hatch.gap)
    lines = []
    for step in range(first, first + int(2 * reach / hatch.gap) + 2):
        away = (step + 0.5) * hatch.gap
        x, y = along[0] * start + across[0] * away, along[1] * start + across[1] * away
        more = 2 * reach + length
        lines.append(((x, y), (x + along[0] * more, y + along[1] * more)))
    return code(lines, closed=False)
