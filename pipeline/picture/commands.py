"""What a picture is made of: commands that every back end knows, in drawing units from the top-left corner."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

Spot = tuple[float, float]  # x to the right, y down


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle: what of a drawing is shown, or the room that something takes."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    @classmethod
    def around(cls, middle: Spot, width: float, height: float) -> "Frame":
        """The rectangle of a size about its middle."""
        return cls(middle[0] - width / 2, middle[1] - height / 2, width, height)

    @classmethod
    def of(cls, spots: Iterator[Spot] | tuple[Spot, ...], margin: float = 0) -> "Frame":
        """The smallest rectangle that holds some spots, and a margin.

        >>> Frame.of(((3, 4), (13, 9)), margin=1)
        Frame(left=2, top=3, width=12, height=7)
        """
        across, down = zip(*spots, strict=True)
        left, top = min(across) - margin, min(down) - margin
        return cls(left, top, max(across) + margin - left, max(down) + margin - top)

    def meets(self, other: "Frame") -> bool:
        """Say whether two overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True, eq=False)
class Outline:
    """Lines that are drawn again and again, such as a province's outline; a back end may keep what it makes of one."""

    lines: tuple[tuple[Spot, ...], ...]
    is_closed: bool
    bounds: Frame


@dataclass(frozen=True, slots=True)
class PictureInk:
    """How a line is drawn."""

    colour: str  # "#rrggbb"
    width: float  # drawing units
    dash: tuple[float, ...] = ()  # drawing units drawn, left out, drawn …


@dataclass(frozen=True, slots=True)
class Hatch:
    """Lines laid over a fill, so that it can be told from others in grey print."""

    colour: str
    angle: int  # degrees from the horizontal, clockwise
    gap: float  # drawing units from one line to the next
    width: float
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Area:
    """A path of the board, filled or drawn."""

    path: Outline
    fill: str | None = None
    hatch: Hatch | None = None
    ink: PictureInk | None = None


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed figure."""

    points: tuple[Spot, ...]
    fill: str | None = None
    ink: PictureInk | None = None
    hatch: Hatch | None = None


@dataclass(frozen=True, slots=True)
class Polyline:
    """A line through points."""

    points: tuple[Spot, ...]
    ink: PictureInk


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line with a head at its last point."""

    points: tuple[Spot, ...]
    ink: PictureInk
    head: float  # drawing units, its length
    rim: str | None = None  # a lighter edge along the line, so that crossing arrows can be told apart


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle."""

    middle: Spot
    radius: float
    fill: str | None = None
    ink: PictureInk | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; the spot is where its letters stand: at its left end, middle or right end."""

    spot: Spot
    text: str
    size: float  # drawing units
    colour: str
    align: float = 0.5  # 0 left, 0.5 middle, 1 right
    is_bold: bool = False
    halo: str | None = None  # colour of a rim round the letters


Command = Area | Polygon | Polyline | Arrow | Circle | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished picture: what to draw, in order, and the part of the plane that is shown."""

    frame: Frame
    commands: tuple[Command, ...]
    title: str

    def cropped(self, frame: Frame) -> "Drawing":
        """Show only a part, and forget what lies wholly outside it."""
        return replace(self, frame=frame, commands=tuple(c for c in self.commands if bounds(c).meets(frame)))


def bounds(command: Command) -> Frame:
    """Give a rectangle that holds all that a command draws; for text, a generous one."""
    match command:
        case Area(path):
            return path.bounds
        case Polygon(points):
            return Frame.of(points, margin=5)
        case Polyline(points, ink):
            return Frame.of(points, margin=ink.width)
        case Arrow(points, _, head):
            return Frame.of(points, margin=head)
        case Circle(middle, radius):
            return Frame.around(middle, 2 * radius + 5, 2 * radius + 5)
        case Text(spot, text, size):
            return Frame.around(spot, 2 * len(text) * size, 3 * size)
        case _:
            assert_never(command)
