"""What a picture is made of: commands that every back end knows, in drawing units from the top-left corner."""

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.ink import Box

Point = tuple[float, float]  # x to the right, y down


class Outline(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """Lines that are drawn again and again, such as a province's outline; a back end may keep what it makes of one."""

    lines: tuple[tuple[Point, ...], ...]
    is_closed: bool
    bounds: Box


class PictureInk(Struct, frozen=True):
    """How a line is drawn."""

    colour: str  # "#rrggbb"
    width: float  # drawing units
    dash: tuple[float, ...] = ()  # drawing units drawn, left out, drawn …


class Hatch(Struct, frozen=True):
    """Lines laid over a fill, so that it can be told from others in grey print."""

    colour: str
    angle: int  # degrees from the horizontal, clockwise
    gap: float  # drawing units from one line to the next
    width: float
    dash: tuple[float, ...] = ()


class Area(Struct, frozen=True):
    """A path of the board, filled or drawn."""

    path: Outline
    fill: str | None = None
    hatch: Hatch | None = None
    ink: PictureInk | None = None


class Polygon(Struct, frozen=True):
    """A closed figure."""

    points: tuple[Point, ...]
    fill: str | None = None
    ink: PictureInk | None = None
    hatch: Hatch | None = None


class Polyline(Struct, frozen=True):
    """A line through points."""

    points: tuple[Point, ...]
    ink: PictureInk


class Arrow(Struct, frozen=True):
    """A line with a head at its last point."""

    points: tuple[Point, ...]
    ink: PictureInk
    head: float  # drawing units, its length
    rim: str | None = None  # a lighter edge along the line, so that crossing arrows can be told apart


class Circle(Struct, frozen=True):
    middle: Point
    radius: float
    fill: str | None = None
    ink: PictureInk | None = None


class Text(Struct, frozen=True):
    """One line of text; the spot is where its letters stand: at its left end, middle or right end."""

    spot: Point
    text: str
    size: float  # drawing units
    colour: str
    align: float = 0.5  # 0 left, 0.5 middle, 1 right
    is_bold: bool = False
    halo: str | None = None  # colour of a rim round the letters


DrawCommand = Area | Polygon | Polyline | Arrow | Circle | Text


class Drawing(Struct, frozen=True):
    """A finished picture: what to draw, in order, and the part of the plane that is shown."""

    frame: Box
    commands: tuple[DrawCommand, ...]
    title: str

    def crop(self, frame: Box) -> "Drawing":
        """Show only a part, and forget what lies wholly outside it."""
        return replace(self, frame=frame, commands=tuple(c for c in self.commands if _bounds(c).meets(frame)))


def _bounds(command: DrawCommand) -> Box:
    """Give a rectangle that holds all that a command draws; for text, a generous one."""
    match command:
        case Area(path):
            return path.bounds
        case Polygon(points):
            return Box.of(points, margin=5)
        case Polyline(points, ink):
            return Box.of(points, margin=ink.width)
        case Arrow(points, _, head):
            return Box.of(points, margin=head)
        case Circle(middle, radius):
            return Box.around(middle, 2 * radius + 5, 2 * radius + 5)
        case Text(spot, text, size):
            return Box.around(spot, 2 * len(text) * size, 3 * size)
        case _:
            assert_never(command)


# Colours and sizes. Seven powers must be told apart in colour, by colour-blind eyes, in grey print and on a projector.
#
# So nothing is said by colour alone: units carry their power's letters, and each power's centres have a hatching of
# their own. The colours are those of Okabe and Ito (https://jfly.uni-koeln.de/color/), darkened where white letters
# stand on them; Germany's is grey.

SEA = "#dfecf5"
LAND = "#fbf7ec"
CLOSED = "#8f887b"  # land that is never entered
PAPER = "#ffffff"
BLACK = "#111111"
GREY = "#5b5b5b"
RED = "#b3121d"  # what failed; always dashed or crossed as well
WAKE = "#7fb2d6"  # the way of a convoy

COAST_LINE = PictureInk("#45525c", 1.6)
LAND_LINE = PictureInk("#6f6a60", 1.1)
SEA_LINE = PictureInk("#8fa9bb", 1.1)

UNIT = (38.0, 26.0)  # drawing units: width and height of an army and of a fleet
NAME_SIZE = 17.0  # drawing units; 5.1 points on A5, 7.3 on A4
SEA_NAME = "#33566e"
MARK = 6.2  # radius of a supply centre


class Coat(Struct, frozen=True):
    """How one power is shown."""

    body: str  # its units
    ink: str  # letters on them
    fill: str  # its centres
    hatch: Hatch | None  # the lines over its centres


COATS = {
    Power.AUSTRIA: Coat("#b84300", "#ffffff", "#f0b48f", Hatch("#d98a5c", 0, 8, 1.5)),
    Power.ENGLAND: Coat("#00528f", "#ffffff", "#9dc3e3", Hatch("#6296c2", 135, 8, 1.5)),
    Power.FRANCE: Coat("#56b4e9", "#000000", "#cfeafa", Hatch("#8ac6e8", 45, 13, 1.3)),
    Power.GERMANY: Coat("#3d3d3d", "#ffffff", "#adadad", None),
    Power.ITALY: Coat("#00735a", "#ffffff", "#9dd3bf", Hatch("#5fae94", 90, 8, 1.5)),
    Power.RUSSIA: Coat("#d58fb9", "#000000", "#f3dbe9", Hatch("#c787ad", 0, 9, 2.2, (2.2, 6.8))),
    Power.TURKEY: Coat("#f0e442", "#000000", "#fbf6b4", Hatch("#cdbf2e", 90, 11, 1.3, (5, 6))),
}


# The same drawing on a dark page: each of its colours has another there, and nothing else changes.
#
# Powers keep their colours and hatchings, darker; letters on units stay as they are. A reader that knows nothing of
# dark pages, and every printer, has the drawing as it is.

GHOST = "#6a1b9a"  # as `draw.draw_candidates` draws what somebody may have meant
TINTS = {  # of centres, and the hatching over them
    Power.AUSTRIA: ("#6b3417", "#8f4d27"),
    Power.ENGLAND: ("#1d4467", "#2f6596"),
    Power.FRANCE: ("#28566f", "#3d7d9d"),
    Power.GERMANY: ("#565b60", ""),
    Power.ITALY: ("#15513f", "#22745b"),
    Power.RUSSIA: ("#68405a", "#8d5a78"),
    Power.TURKEY: ("#575213", "#827a21"),
}
DARK: Mapping[str, str] = {
    SEA: "#14202a",
    LAND: "#333a41",
    CLOSED: "#1d2125",
    PAPER: "#1b2127",
    BLACK: "#f2f5f7",
    GREY: "#b4bfc8",
    RED: "#e5484d",
    WAKE: "#3d6b8c",
    COAST_LINE.colour: "#93a1ad",
    LAND_LINE.colour: "#79828a",
    SEA_LINE.colour: "#3a566a",
    SEA_NAME: "#9cc3de",
    GHOST: "#b46ee0",
    **{COATS[power].fill: fill for power, (fill, _) in TINTS.items()},
    **{hatch.colour: TINTS[power][1] for power in TINTS if (hatch := COATS[power].hatch)},
}


def in_either_look(svg: str) -> str:
    """Let a drawing be dark where its reader's page is; white letters stay white, on units and on red."""
    rules = "".join(
        f'{"" if light != PAPER else ":not(text)"}[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}'
        for light, dark in DARK.items()
        if light in svg
    )
    return svg.replace("</title>", f"</title><style>@media (prefers-color-scheme:dark){{{rules}}}</style>", 1)
