"""The board's shape, read once from ``standard.geometry``: outlines, borders, and where everything stands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from pipeline.picture.commands import Frame, Outline, Spot

EDGE, OUT, LAKE = "EDGE", "OUT", "LAKE"  # areas that are no provinces: see the head of the file


@dataclass(frozen=True, slots=True)
class Border:
    """A line that has one area on each side."""

    left: str
    right: str
    points: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Geometry:
    """Everything in the file, in drawing units."""

    width: float
    height: float
    borders: tuple[Border, ...]
    rings: Mapping[str, tuple[tuple[int, ...], ...]]  # area -> outlines; borders from 1, negative if walked backwards
    outlines: Mapping[str, Outline]  # area -> all its outlines
    units: Mapping[str, Spot]  # place, coasts too -> the middle of a unit
    names: Mapping[str, Spot]  # province -> the middle of its name
    marks: Mapping[str, Spot]  # province -> its supply centre
    driven_out: Mapping[str, Spot]  # province -> where a unit dislodged there is shown beside the one that came

    @property
    def frame(self) -> Frame:
        """The whole map."""
        return Frame(0, 0, self.width, self.height)


@dataclass(slots=True)
class Lines:
    """The lines of the file, sorted."""

    size: tuple[float, float] = (0, 0)
    borders: list[Border] = field(default_factory=list)
    rings: dict[str, list[tuple[int, ...]]] = field(default_factory=dict)
    spots: dict[str, dict[str, Spot]] = field(default_factory=dict)


def read_geometry(text: str) -> Geometry:
    """Read the file; its head says what the lines mean."""
    lines = sorted_lines(text)
    outlines = {area: outline(rings, lines.borders) for area, rings in lines.rings.items()}
    return Geometry(
        *lines.size,
        tuple(lines.borders),
        {area: tuple(rings) for area, rings in lines.rings.items()},
        outlines,
        units=lines.spots["unit"],
        names=lines.spots["name"],
        marks=lines.spots["mark"],
        driven_out=lines.spots["driven-out"],
    )


def sorted_lines(text: str) -> Lines:
    """Read line after line."""
    found = Lines()
    for line in text.splitlines():
        match line.split():
            case ["size", width, height]:
                found.size = (float(width), float(height))
            case ["arc", left, right, *steps]:
                found.borders.append(Border(left, right, tuple(walked(steps))))
            case ["ring", area, *numbers]:
                found.rings.setdefault(area, []).append(tuple(int(number) for number in numbers))
            case ["at", place, what, spot]:
                found.spots.setdefault(what, {})[place] = next(iter(walked([spot])))
            case []:
                pass
            case [word, *_] if not word.startswith("#"):
                raise ValueError(f"standard.geometry: unknown line {line[:40]!r}")
    return found


def walked(steps: list[str]) -> Iterable[Spot]:
    """Add up steps in tenths of a unit.

    >>> list(walked(["15,20", "-5,10"]))
    [(1.5, 2.0), (1.0, 3.0)]
    """
    x = y = 0
    for step in steps:
        across, _, down = step.partition(",")
        x, y = x + int(across), y + int(down)
        yield x / 10, y / 10


def outline(rings: list[tuple[int, ...]], borders: list[Border]) -> Outline:
    """Join borders to closed lines."""
    lines = []
    for ring in rings:
        points: list[Spot] = []
        for number in ring:
            part = borders[abs(number) - 1].points
            points += (part if number > 0 else part[::-1])[:-1]
        lines.append(tuple(points))
    return Outline(tuple(lines), is_closed=True, bounds=Frame.of(tuple(p for line in lines for p in line)))


@cache
def standard_geometry() -> Geometry:
    """The shape of the standard map, and so of the variants that are played on it."""
    return read_geometry(files("pipeline.picture").joinpath("standard.geometry").read_text("utf-8"))
