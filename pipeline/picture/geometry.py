"""The board's shape, read once from ``standard.geometry``: outlines, borders, and where everything stands."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from math import dist, hypot

from msgspec import Struct

from pipeline.board import Kind, Map, Position, Terrain, Unit, province_of
from pipeline.ink import Box
from pipeline.orders import Convoy, Move, Order
from pipeline.picture import shapes
from pipeline.words.speech import Speech

EDGE, OUT, LAKE = "EDGE", "OUT", "LAKE"  # areas that are no provinces: see the head of the file


class Border(Struct, frozen=True):
    """A line that has one area on each side."""

    left: str
    right: str
    points: tuple[shapes.Point, ...]


class Geometry(Struct, frozen=True):
    """Everything in the file, in drawing units."""

    width: float
    height: float
    borders: tuple[Border, ...]
    outlines: Mapping[str, shapes.Outline]  # area -> all its outlines
    units: Mapping[str, shapes.Point]  # place, coasts too -> the middle of a unit
    names: Mapping[str, shapes.Point]  # province -> the middle of its name
    marks: Mapping[str, shapes.Point]  # province -> its supply centre
    driven_out: Mapping[str, shapes.Point]  # province -> where a unit dislodged there is shown beside the one that came

    @property
    def frame(self) -> Box:
        return Box(0, 0, self.width, self.height)


def _read_geometry(text: str) -> Geometry:
    """Read the file, line after line; its head says what the lines mean."""
    size: tuple[float, float] = (0, 0)
    borders: list[Border] = []
    rings: dict[str, list[tuple[int, ...]]] = {}  # area -> outlines; borders from 1, negative if walked backwards
    spots: dict[str, dict[str, shapes.Point]] = {}
    for line in text.splitlines():
        match line.split():
            case ["size", width, height]:
                size = (float(width), float(height))
            case ["arc", left, right, *steps]:
                borders.append(Border(left, right, tuple(_sum_steps(steps))))
            case ["ring", area, *numbers]:
                rings.setdefault(area, []).append(tuple(int(number) for number in numbers))
            case ["at", place, what, spot]:
                spots.setdefault(what, {})[place] = next(iter(_sum_steps([spot])))
            case []:
                pass
            case [word, *_] if not word.startswith("#"):
                raise ValueError(f"standard.geometry: unknown line {line[:40]!r}")
    return Geometry(
        *size,
        tuple(borders),
        {area: _outline(ways, borders) for area, ways in rings.items()},
        units=spots["unit"],
        names=spots["name"],
        marks=spots["mark"],
        driven_out=spots["driven-out"],
    )


def _sum_steps(steps: list[str]) -> Iterable[shapes.Point]:
    """Add up steps in tenths of a unit.

    >>> list(_sum_steps(["15,20", "-5,10"]))
    [(1.5, 2.0), (1.0, 3.0)]
    """
    x = y = 0
    for step in steps:
        across, _, down = step.partition(",")
        x, y = x + int(across), y + int(down)
        yield x / 10, y / 10


def _outline(rings: list[tuple[int, ...]], borders: list[Border]) -> shapes.Outline:
    """Join borders to closed lines."""
    lines = []
    for ring in rings:
        points: list[shapes.Point] = []
        for number in ring:
            part = borders[abs(number) - 1].points
            points += (part if number > 0 else part[::-1])[:-1]
        lines.append(tuple(points))
    return shapes.Outline(tuple(lines), is_closed=True, bounds=Box.of(tuple(p for line in lines for p in line)))


@cache
def standard_geometry() -> Geometry:
    """The shape of the standard map, and so of the variants that are played on it."""
    return _read_geometry(files("pipeline.picture").joinpath("standard.geometry").read_text("utf-8"))


# The board itself: water, land, borders, names, and the supply centres in their owners' colours.

CAPITAL = 0.36  # of the size: half the height of a capital letter


def draw_ground(board: Map, position: Position) -> Iterator[shapes.DrawCommand]:
    """Everything that lies under the orders: areas and borders."""
    shape = standard_geometry()
    yield from _areas(board, position, shape)
    coasts, land, sea = _sort_borders(board)
    yield shapes.Area(sea, ink=shapes.SEA_LINE)
    yield shapes.Area(land, ink=shapes.LAND_LINE)
    yield shapes.Area(coasts, ink=shapes.COAST_LINE)


def province_names(board: Map, speech: Speech) -> Iterator[shapes.DrawCommand]:
    """The provinces' abbreviations and the supply centres: over the ways of orders, so that they can be read."""
    shape = standard_geometry()
    for code in board.centres:
        yield from mark_centre(shape.marks[code])
    for code, spot in shape.names.items():
        is_sea = board.provinces[code].terrain is Terrain.SEA
        low = (spot[0], spot[1] + CAPITAL * shapes.NAME_SIZE)
        colour, halo = (shapes.SEA_NAME, shapes.SEA) if is_sea else (shapes.BLACK, shapes.PAPER)
        yield shapes.Text(low, speech.order(code), shapes.NAME_SIZE, colour, is_bold=not is_sea, halo=halo)


def _areas(board: Map, position: Position, shape: Geometry) -> Iterator[shapes.DrawCommand]:
    """Fill every area: seas first, then the land, owned centres with their hatching."""
    owners = {centre: power for power, owned in position.centres.items() for centre in owned}
    land = [code for code, p in board.provinces.items() if p.terrain is not Terrain.SEA]
    for code, path in shape.outlines.items():
        if code == LAKE or (code in board.provinces and code not in land):
            yield shapes.Area(path, shapes.SEA)
        elif code == OUT or code in board.impossible:
            yield shapes.Area(path, shapes.CLOSED)
    for code in land:
        coat = shapes.COATS[owners[code]] if code in owners else None
        yield shapes.Area(shape.outlines[code], coat.fill if coat else shapes.LAND, coat.hatch if coat else None)


def mark_centre(spot: tuple[float, float]) -> Iterator[shapes.DrawCommand]:
    """Mark a supply centre: a ring with a dot, as on the printed board."""
    yield shapes.Circle(spot, shapes.MARK, shapes.PAPER, shapes.PictureInk(shapes.BLACK, 1.6))
    yield shapes.Circle(spot, shapes.MARK / 3, shapes.BLACK)


@lru_cache(maxsize=8)  # maps: a back end keeps what it makes of these outlines
def _sort_borders(board: Map) -> tuple[shapes.Outline, shapes.Outline, shapes.Outline]:
    """Sort the borders: coasts, between two lands, between two seas."""
    shape = standard_geometry()
    water = {LAKE, *(code for code, p in board.provinces.items() if p.terrain is Terrain.SEA)}
    sorts: tuple[list[Border], list[Border], list[Border]] = ([], [], [])  # by how many sides are water
    for border in shape.borders:
        if EDGE not in (border.left, border.right):
            sorts[(border.left in water) + (border.right in water)].append(border)
    land, coasts, sea = (
        shapes.Outline(tuple(b.points for b in some), is_closed=False, bounds=shape.frame) for some in sorts
    )
    return coasts, land, sea


def frame_line(frame: Box) -> shapes.DrawCommand:
    """Draw the edge of the map."""
    corners = (
        (frame.left, frame.top),
        (frame.right, frame.top),
        (frame.right, frame.bottom),
        (frame.left, frame.bottom),
    )
    return shapes.Polygon(corners, ink=shapes.COAST_LINE)


# The ways that orders take over the board: from unit to unit, and through the fleets of a convoy.

CLEAR = 4.0  # drawing units between a line and the unit it leaves or reaches
LEAST = 24.0  # drawing units: a way shorter than this begins in the middle of its unit
ASIDE = 7.0  # how far an arrow keeps to its right where another comes the other way

PolygonPath = tuple[shapes.Point, ...]


def stand(place: str) -> shapes.Point:
    """Where a unit in a place is drawn; a province without its coast is its middle."""
    return standard_geometry().units[place]


def find_goal(board: Map, unit: Unit, to: str) -> shapes.Point:
    """Where an order to go to a place ends: on the one coast a fleet can reach, if it named none."""
    if unit.kind is Kind.FLEET and to in board.provinces:
        reached = [place for place in board.fleet_borders.get(unit.place, ()) if province_of(place) == to]
        if len(reached) == 1:
            return stand(reached[0])
    return stand(to if to in standard_geometry().units else province_of(to))


def trim_way(way: PolygonPath, *, full: bool) -> PolygonPath:
    """Cut a way off at the units it begins and ends at; ``full`` says whether a unit stands at its end.

    Between two units that nearly touch it begins in the middle of the first, which is drawn over it, to be long enough.
    """
    last = edge(way[-1], way[-2], CLEAR) if full else _short(way[-1], way[-2])
    first = edge(way[0], way[1], CLEAR)
    if len(way) == 2 and dist(first, last) < LEAST:
        first, last = way[0], edge(way[-1], way[-2], 1) if full else last
    return (first, *way[1:-1], last)


def edge(spot: shapes.Point, towards: shapes.Point, clear: float = CLEAR) -> shapes.Point:
    """Find where a line leaves the room of a unit."""
    dx, dy = towards[0] - spot[0], towards[1] - spot[1]
    across, down = shapes.UNIT[0] / 2 + clear, shapes.UNIT[1] / 2 + clear
    part = min(across / abs(dx) if dx else 1.0, down / abs(dy) if dy else 1.0, 0.49)
    return spot[0] + dx * part, spot[1] + dy * part


def _short(spot: shapes.Point, towards: shapes.Point) -> shapes.Point:
    """Stop just before a spot."""
    dx, dy = towards[0] - spot[0], towards[1] - spot[1]
    part = CLEAR / max(hypot(dx, dy), CLEAR)
    return spot[0] + dx * part, spot[1] + dy * part


def _move_aside(way: PolygonPath) -> PolygonPath:
    (x0, y0), (x1, y1) = way[0], way[-1]
    length = max(hypot(x1 - x0, y1 - y0), 1.0)
    right = (-(y1 - y0) / length * ASIDE, (x1 - x0) / length * ASIDE)
    return tuple((x + right[0], y + right[1]) for x, y in way)


def along(way: PolygonPath, part: float) -> shapes.Point:
    """Find the spot at a part of a way's length.

    >>> along(((0, 0), (10, 0), (10, 10)), 0.75)
    (10.0, 5.0)
    """
    lengths = [hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(way)]
    left = sum(lengths) * part
    for length, ((x0, y0), (x1, y1)) in zip(lengths, pairwise(way), strict=True):
        if left <= length and length:
            return x0 + (x1 - x0) * left / length, y0 + (y1 - y0) * left / length
        left -= length
    return way[-1]


def move_ways(board: Map, orders: Iterable[Order]) -> Mapping[Move, PolygonPath]:
    """Lay out all moves of a phase, from the middle of one unit to where it wants to be."""
    given = tuple(orders)
    moves = [order for order in given if isinstance(order, Move) and order.unit.place in standard_geometry().units]
    pairs = {(m.unit.province, province_of(m.to)) for m in moves}
    polygon_paths = {}
    for move in moves:
        through = _fleets(board, move, given)
        way = (stand(move.unit.place), *(stand(sea) for sea in through), find_goal(board, move.unit, move.to))
        met = (province_of(move.to), move.unit.province) in pairs
        polygon_paths[move] = _move_aside(way) if met and not through else way
    return polygon_paths


def _fleets(board: Map, move: Move, orders: Iterable[Order]) -> tuple[str, ...]:
    """Name the seas that a convoyed army crosses; none where it goes by land."""
    if move.unit.kind is Kind.FLEET:
        return ()
    if move.route:
        return tuple(sea for sea in move.route if sea in standard_geometry().units)
    if not move.via and province_of(move.to) in board.army_borders.get(move.unit.place, ()):
        return ()
    goal = province_of(move.to)
    seas = {
        order.unit.place
        for order in orders
        if isinstance(order, Convoy) and order.of.province == move.unit.province and province_of(order.to) == goal
    }
    return next(_convoy_routes(board, move, seas), ())


def _convoy_routes(board: Map, move: Move, seas: set[str]) -> Iterator[tuple[str, ...]]:
    """Find ways over these seas, the shortest first."""
    start, end = move.unit.province, province_of(move.to)
    waiting: deque[tuple[str, ...]] = deque((sea,) for sea in sorted(seas) if _touches(board, sea, start))
    while waiting:
        way = waiting.popleft()
        if _touches(board, way[-1], end):
            yield way
        waiting.extend((*way, sea) for sea in sorted(seas & board.fleet_borders[way[-1]]) if sea not in way)


def _touches(board: Map, sea: str, province: str) -> bool:
    return any(province_of(place) == province for place in board.fleet_borders.get(sea, ()))
