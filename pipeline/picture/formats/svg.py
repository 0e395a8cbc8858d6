"""A drawing as SVG: a string that stands in a page as it is, with no style sheet, font or script of its own."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import assert_never

from pipeline.picture.commands import (
    Area,
    Arrow,
    Circle,
    Command,
    Drawing,
    Hatch,
    Outline,
    PictureInk,
    Polygon,
    Polyline,
    Spot,
    Text,
)
from pipeline.picture.formats.arrowhead import head, shaft
from pipeline.picture.measure import width_of

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
ALIGN = {0: "start", 0.5: "middle", 1: "end"}


def as_svg(drawing: Drawing) -> str:
    """Write a drawing as SVG. The same drawing gives the same text."""
    frame = drawing.frame
    hatches = {hatch: f"hatch{hatch.angle}-{hatch.colour[1:]}" for hatch in map(hatch_of, drawing.commands) if hatch}
    box = f"{number(frame.left)} {number(frame.top)} {number(frame.width)} {number(frame.height)}"
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" font-family="{FONT}">',
            f"<title>{escape(drawing.title)}</title>",
            "<defs>" + "".join(pattern(hatch, name) for hatch, name in hatches.items()) + "</defs>" if hatches else "",
            *(element for command in drawing.commands for element in elements(command, hatches)),
            "</svg>",
        ]
    )


def hatch_of(command: Command) -> Hatch | None:
    """Give the lines that a command fills with, if it does."""
    return command.hatch if isinstance(command, Area | Polygon) else None


def elements(command: Command, hatches: dict[Hatch, str]) -> Iterator[str]:
    """Write one command."""
    match command:
        case Area(path, fill, hatch, ink):
            yield f'<path d="{data(path)}"{paint(fill, ink)}/>'
            if hatch:
                yield f'<path d="{data(path)}" fill="url(#{hatches[hatch]})" fill-rule="evenodd"/>'
        case Polygon(points, fill, ink, hatch):
            yield f'<path d="{joined(points)}Z"{paint(fill, ink)}/>'
            if hatch:
                yield f'<path d="{joined(points)}Z" fill="url(#{hatches[hatch]})"/>'
        case Polyline(points, ink):
            yield f'<path d="{joined(points)}"{paint(None, ink)}/>'
        case Arrow(points, ink, size, rim):
            way, tip = shaft(points, size), head(points, size)
            if rim:
                yield f'<path d="{joined(way)}"{paint(None, PictureInk(rim, ink.width + 3))}/>'
                yield f'<path d="{joined(tip)}Z"{paint(rim, PictureInk(rim, 3))}/>'
            yield f'<path d="{joined(way)}"{paint(None, ink)}/><path d="{joined(tip)}Z" fill="{ink.colour}"/>'
        case Circle(middle, radius, fill, ink):
            spot = f'cx="{number(middle[0])}" cy="{number(middle[1])}" r="{number(radius)}"'
            yield f"<circle {spot}{paint(fill, ink)}/>"
        case Text():
            yield text(command)
        case _:
            assert_never(command)


def text(command: Text) -> str:
    """Write a line of text, as long as it is in print: the reader's machine may have wider letters."""
    long = width_of(command.text, command.size, is_bold=command.is_bold)
    rim = (
        f' stroke="{command.halo}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
        if command.halo
        else ""
    )
    return (
        f'<text x="{number(command.spot[0])}" y="{number(command.spot[1])}" font-size="{number(command.size)}"'
        f"{' font-weight=' + chr(34) + 'bold' + chr(34) if command.is_bold else ''}"
        f' text-anchor="{ALIGN[command.align]}" textLength="{number(long)}" lengthAdjust="spacingAndGlyphs"'
        f' fill="{command.colour}"{rim}>{escape(command.text)}</text>'
    )


def paint(fill: str | None, ink: PictureInk | None) -> str:
    """Write how something is filled and drawn."""
    found = f' fill="{fill or "none"}"' + (' fill-rule="evenodd"' if fill else "")
    if ink:
        found += f' stroke="{ink.colour}" stroke-width="{number(ink.width)}" stroke-linejoin="round"'
        if ink.dash:
            found += f' stroke-dasharray="{" ".join(map(number, ink.dash))}"'
    return found


def pattern(hatch: Hatch, name: str) -> str:
    """Define a hatching: one stretch of line, laid side by side and turned."""
    length = sum(hatch.dash) or hatch.gap
    drawn = hatch.dash[0] if hatch.dash else length
    return (
        f'<pattern id="{name}" patternUnits="userSpaceOnUse" width="{number(length)}" height="{number(hatch.gap)}"'
        f' patternTransform="rotate({hatch.angle})"><path d="M0 {number(hatch.gap / 2)}h{number(drawn)}"'
        f' stroke="{hatch.colour}" stroke-width="{number(hatch.width)}"/></pattern>'
    )


@lru_cache(maxsize=256)  # the board has some 80 paths; each is written once
def data(path: Outline) -> str:
    """Write a path of the board."""
    return "".join(stepped(line) + ("Z" if path.is_closed else "") for line in path.lines)


def stepped(points: tuple[Spot, ...]) -> str:
    """Write a line of the board, which is kept in tenths, step by step: that is half as long.

    >>> stepped(((1.5, 2.0), (1.0, 3.0), (1.0, 2.9)))
    'M1.5 2l-.5 1 0-.1'
    """
    steps = [(round(x1 - x0, 1), round(y1 - y0, 1)) for (x0, y0), (x1, y1) in pairwise(points)]
    words = "".join(f" {dx:g} {dy:g}" for dx, dy in steps).replace(" 0.", " .").replace("-0.", "-.").replace(" -", "-")
    return f"M{number(points[0][0])} {number(points[0][1])}l{words.removeprefix(' ')}"


def joined(points: tuple[Spot, ...]) -> str:
    """Write a line through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def number(value: float) -> str:
    """Write a number, to a hundredth of a drawing unit.

    >>> number(3.0), number(2.345678)
    ('3', '2.35')
    """
    return f"{round(value, 2):g}"
