"""A drawing as SVG, just as large as the drawing, or as PDF to print."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from io import BytesIO
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import assert_never

from reportlab import rl_config
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from pipeline.ink import Box
from pipeline.paper.lettering import BOLD, REGULAR, new_canvas, paper_points, write_text
from pipeline.picture import shapes
from pipeline.picture.orders import width_of
from pipeline.words.speech import ENGLISH

# The two parts of an arrow: both back ends draw the same.

BROAD = 0.42  # of its length: half the width of a head


def _arrow_head(points: tuple[shapes.Point, ...], size: float) -> tuple[shapes.Point, shapes.Point, shapes.Point]:
    """Give the head's tip and its two back corners.

    >>> _arrow_head(((0, 0), (10, 0)), 5)
    ((10, 0), (5.0, 2.1), (5.0, -2.1))
    """
    (x0, y0), (x1, y1) = points[-2], points[-1]
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length * size, (y1 - y0) / length * size
    back = (x1 - dx, y1 - dy)
    return (x1, y1), (back[0] - dy * BROAD, back[1] + dx * BROAD), (back[0] + dy * BROAD, back[1] - dx * BROAD)


def _shaft(points: tuple[shapes.Point, ...], size: float) -> tuple[shapes.Point, ...]:
    """Give the line that ends inside the head."""
    (x0, y0), (x1, y1) = points[-2], points[-1]
    length = hypot(x1 - x0, y1 - y0) or 1.0
    part = min(0.8 * size / length, 1.0)
    return (*points[:-1], (x1 - (x1 - x0) * part, y1 - (y1 - y0) * part))


# A drawing as SVG: a string that stands in a page as it is, with no style sheet, font or script of its own.

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
ALIGN = {0: "start", 0.5: "middle", 1: "end"}


def as_svg(drawing: shapes.Drawing) -> str:
    """Write a drawing as SVG. The same drawing gives the same text."""
    frame = drawing.frame
    used = (command.hatch for command in drawing.commands if isinstance(command, shapes.Area | shapes.Polygon))
    hatches = {hatch: f"hatch{hatch.angle}-{hatch.colour[1:]}" for hatch in used if hatch}
    box = f"{_decimal(frame.left)} {_decimal(frame.top)} {_decimal(frame.width)} {_decimal(frame.height)}"
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" font-family="{FONT}">',
            f"<title>{escape(drawing.title)}</title>",
            "<defs>" + "".join(_pattern(hatch, name) for hatch, name in hatches.items()) + "</defs>" if hatches else "",
            *(element for command in drawing.commands for element in _elements(command, hatches)),
            "</svg>",
        ]
    )


def _elements(command: shapes.DrawCommand, hatches: dict[shapes.Hatch, str]) -> Iterator[str]:
    match command:
        case shapes.Area(path, fill, hatch, ink):
            yield f'<path d="{_svg_data(path)}"{_paint(fill, ink)}/>'
            if hatch:
                yield f'<path d="{_svg_data(path)}" fill="url(#{hatches[hatch]})" fill-rule="evenodd"/>'
        case shapes.Polygon(points, fill, ink, hatch):
            yield f'<path d="{_svg_line(points)}Z"{_paint(fill, ink)}/>'
            if hatch:
                yield f'<path d="{_svg_line(points)}Z" fill="url(#{hatches[hatch]})"/>'
        case shapes.Polyline(points, ink):
            yield f'<path d="{_svg_line(points)}"{_paint(None, ink)}/>'
        case shapes.Arrow(points, ink, size, rim):
            way, tip = _shaft(points, size), _arrow_head(points, size)
            if rim:
                yield f'<path d="{_svg_line(way)}"{_paint(None, shapes.PictureInk(rim, ink.width + 3))}/>'
                yield f'<path d="{_svg_line(tip)}Z"{_paint(rim, shapes.PictureInk(rim, 3))}/>'
            yield f'<path d="{_svg_line(way)}"{_paint(None, ink)}/><path d="{_svg_line(tip)}Z" fill="{ink.colour}"/>'
        case shapes.Circle(middle, radius, fill, ink):
            spot = f'cx="{_decimal(middle[0])}" cy="{_decimal(middle[1])}" r="{_decimal(radius)}"'
            yield f"<circle {spot}{_paint(fill, ink)}/>"
        case shapes.Text():
            yield _svg_text(command)
        case _:
            assert_never(command)


def _svg_text(command: shapes.Text) -> str:
    """Write a line of text, as long as it is in print: the reader's machine may have wider letters."""
    long = width_of(command.text, command.size, is_bold=command.is_bold)
    rim = (
        f' stroke="{command.halo}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
        if command.halo
        else ""
    )
    return (
        f'<text x="{_decimal(command.spot[0])}" y="{_decimal(command.spot[1])}" font-size="{_decimal(command.size)}"'
        f"{' font-weight=' + chr(34) + 'bold' + chr(34) if command.is_bold else ''}"
        f' text-anchor="{ALIGN[command.align]}" textLength="{_decimal(long)}" lengthAdjust="spacingAndGlyphs"'
        f' fill="{command.colour}"{rim}>{escape(command.text)}</text>'
    )


def _paint(fill: str | None, ink: shapes.PictureInk | None) -> str:
    """Write how something is filled and drawn."""
    attributes = f' fill="{fill or "none"}"' + (' fill-rule="evenodd"' if fill else "")
    if ink:
        attributes += f' stroke="{ink.colour}" stroke-width="{_decimal(ink.width)}" stroke-linejoin="round"'
        if ink.dash:
            attributes += f' stroke-dasharray="{" ".join(map(_decimal, ink.dash))}"'
    return attributes


def _pattern(hatch: shapes.Hatch, name: str) -> str:
    """Define a hatching: one stretch of line, laid side by side and turned."""
    length = sum(hatch.dash) or hatch.gap
    drawn = hatch.dash[0] if hatch.dash else length
    return (
        f'<pattern id="{name}" patternUnits="userSpaceOnUse" width="{_decimal(length)}" height="{_decimal(hatch.gap)}"'
        f' patternTransform="rotate({hatch.angle})"><path d="M0 {_decimal(hatch.gap / 2)}h{_decimal(drawn)}"'
        f' stroke="{hatch.colour}" stroke-width="{_decimal(hatch.width)}"/></pattern>'
    )


@lru_cache(maxsize=256)  # the board has some 80 paths; each is written once
def _svg_data(path: shapes.Outline) -> str:
    return "".join(_svg_steps(line) + ("Z" if path.is_closed else "") for line in path.lines)


def _svg_steps(points: tuple[shapes.Point, ...]) -> str:
    """Write a line of the board, which is kept in tenths, step by step: that is half as long.

    >>> _svg_steps(((1.5, 2.0), (1.0, 3.0), (1.0, 2.9)))
    'M1.5 2l-.5 1 0-.1'
    """
    steps = [(round(x1 - x0, 1), round(y1 - y0, 1)) for (x0, y0), (x1, y1) in pairwise(points)]
    words = "".join(f" {dx:g} {dy:g}" for dx, dy in steps).replace(" 0.", " .").replace("-0.", "-.").replace(" -", "-")
    return f"M{_decimal(points[0][0])} {_decimal(points[0][1])}l{words.removeprefix(' ')}"


def _svg_line(points: tuple[shapes.Point, ...]) -> str:
    return "M" + "L".join(f"{_decimal(x)} {_decimal(y)}" for x, y in points)


def _decimal(value: float) -> str:
    """Write a number, to a hundredth of a drawing unit.

    >>> _decimal(3.0), _decimal(2.345678)
    ('3', '2.35')
    """
    return f"{round(value, 2):g}"


MARGIN = 5 * mm  # most printers leave as much white
rl_config.useA85 = 0  # binary streams: as ASCII85 they are a quarter larger and slower


def as_pdf(drawing: shapes.Drawing, paper: str = "A4", language: str = ENGLISH) -> bytes:
    """Print a drawing on one page across. The same drawing gives the same bytes."""
    frame, page = drawing.frame, paper_points(paper, is_landscape=True)
    scale = min((page[0] - 2 * MARGIN) / frame.width, (page[1] - 2 * MARGIN) / frame.height)
    file = BytesIO()
    canvas = new_canvas(file, page, drawing.title, language)
    left, top = (page[0] - frame.width * scale) / 2, (page[1] + frame.height * scale) / 2
    canvas.transform(scale, 0, 0, -scale, left - frame.left * scale, top + frame.top * scale)
    CanvasPen(canvas).draw(drawing)
    canvas.save()
    return file.getvalue()


class CanvasPen:
    """Draws commands on a canvas whose y runs down, as in the drawing."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def draw(self, drawing: shapes.Drawing) -> None:
        """Draw everything, and nothing outside the frame."""
        frame = drawing.frame
        edge = self.canvas.beginPath()
        edge.rect(frame.left, frame.top, frame.width, frame.height)
        self.canvas.clipPath(edge, stroke=0, fill=0)
        self.canvas.setLineJoin(1)
        for command in drawing.commands:
            self.command(command)

    def command(self, command: shapes.DrawCommand) -> None:
        match command:
            case shapes.Area(path, fill, hatch, ink):
                self.figure(_path_as_pdf(path), path.bounds, fill, hatch, ink)
            case shapes.Polygon(points, fill, ink, hatch):
                self.figure(_code([points], closed=True), Box.of(points), fill, hatch, ink)
            case shapes.Polyline(points, ink):
                self.figure(_code([points], closed=False), None, None, None, ink)
            case shapes.Arrow(points, ink, size, rim):
                way, tip = _code([_shaft(points, size)], closed=False), _code([_arrow_head(points, size)], closed=True)
                if rim:
                    self.figure(way, None, None, None, shapes.PictureInk(rim, ink.width + 3))
                    self.figure(tip, None, rim, None, shapes.PictureInk(rim, 3))
                self.figure(way, None, None, None, ink)
                self.figure(tip, None, ink.colour, None, None)
            case shapes.Circle(middle, radius, fill, ink):
                self.paint(fill, ink)
                self.canvas.circle(*middle, radius, stroke=int(ink is not None), fill=int(fill is not None))
            case shapes.Text():
                self.text(command)
            case _:
                assert_never(command)

    def figure(
        self,
        path: str,
        bounds: Box | None,
        fill: str | None,
        hatch: shapes.Hatch | None,
        ink: shapes.PictureInk | None,
    ) -> None:
        if fill:
            self.paint(fill, None)
            self.canvas.drawPath(PDFPathObject([path]), stroke=0, fill=1, fillMode=FILL_EVEN_ODD)
        if hatch and bounds:
            self.canvas.saveState()
            self.canvas.clipPath(PDFPathObject([path]), stroke=0, fill=0, fillMode=FILL_EVEN_ODD)
            self.paint(None, shapes.PictureInk(hatch.colour, hatch.width, hatch.dash))
            self.canvas.drawPath(PDFPathObject([_hatching(hatch, bounds)]), stroke=1, fill=0)
            self.canvas.restoreState()
        if ink:
            self.paint(None, ink)
            self.canvas.drawPath(PDFPathObject([path]), stroke=1, fill=0)

    def paint(self, fill: str | None, ink: shapes.PictureInk | None) -> None:
        if fill:
            self.canvas.setFillColorRGB(*_rgb(fill))
        if ink:
            self.canvas.setStrokeColorRGB(*_rgb(ink.colour))
            self.canvas.setLineWidth(ink.width)
            self.canvas.setDash(list(ink.dash))

    def text(self, command: shapes.Text) -> None:
        """Write a line, the right way up; its rim first."""
        canvas, words = self.canvas, command.text
        left = command.spot[0] - command.align * width_of(words, command.size, is_bold=command.is_bold)
        line = canvas.beginText()
        line.setTextTransform(1, 0, 0, -1, left, command.spot[1])
        font = BOLD if command.is_bold else REGULAR
        if command.halo:
            self.paint(None, shapes.PictureInk(command.halo, 3))
            rim = canvas.beginText()
            rim.setTextTransform(1, 0, 0, -1, left, command.spot[1])
            rim.setTextRenderMode(1)
            write_text(rim, words, font, command.size)
            rim.setTextRenderMode(0)
            canvas.drawText(rim)
        line.setFillColorRGB(*_rgb(command.colour))
        write_text(line, words, font, command.size)
        canvas.drawText(line)


@lru_cache(maxsize=64)
def _rgb(colour: str) -> tuple[float, float, float]:
    """Read a colour.

    >>> _rgb("#ff0033")
    (1.0, 0.0, 0.2)
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


@lru_cache(maxsize=256)  # the board has some 80 paths; each is written once
def _path_as_pdf(path: shapes.Outline) -> str:
    """Write a path of the board as PDF path operators."""
    return _code(path.lines, closed=path.is_closed)


def _code(lines: Sequence[Sequence[shapes.Point]], *, closed: bool) -> str:
    """Write lines as PDF path operators."""
    parts = []
    for points in lines:
        first, *rest = (f"{_decimal(x)} {_decimal(y)}" for x, y in points)
        parts.append(f"{first} m {' l '.join(rest)} l{' h' if closed else ''}")
    return " ".join(parts)


@lru_cache(maxsize=256)
def _hatching(hatch: shapes.Hatch, bounds: Box) -> str:
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
    return _code(lines, closed=False)
