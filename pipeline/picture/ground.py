"""The board itself: water, land, borders, names, and the supply centres in their owners' colours."""

from collections.abc import Iterator
from functools import cache

from pipeline.board.map import Map, Terrain
from pipeline.board.position import Position
from pipeline.picture.commands import Area, Circle, Command, Frame, Outline, PictureInk, Polygon, Text
from pipeline.picture.geometry import EDGE, LAKE, OUT, Border, Geometry, standard_geometry
from pipeline.picture.look import (
    BLACK,
    CLOSED,
    COAST_LINE,
    COATS,
    LAND,
    LAND_LINE,
    MARK,
    NAME_SIZE,
    PAPER,
    SEA,
    SEA_LINE,
    SEA_NAME,
)
from pipeline.words.speech import Speech

CAPITAL = 0.36  # of the size: half the height of a capital letter


def ground(board: Map, position: Position) -> Iterator[Command]:
    """Everything that lies under the orders: areas and borders."""
    shape = standard_geometry()
    yield from areas(board, position, shape)
    coasts, land, sea = borders(board)
    yield Area(sea, ink=SEA_LINE)
    yield Area(land, ink=LAND_LINE)
    yield Area(coasts, ink=COAST_LINE)


def names(board: Map, speech: Speech) -> Iterator[Command]:
    """The provinces by their words and the supply centres: over the ways of orders, so that they can be read."""
    shape = standard_geometry()
    for code in board.centres:
        yield from centre(shape.marks[code])
    for code, spot in shape.names.items():
        is_sea = board.provinces[code].terrain is Terrain.SEA
        low = (spot[0], spot[1] + CAPITAL * NAME_SIZE)
        colour, halo = (SEA_NAME, SEA) if is_sea else (BLACK, PAPER)
        yield Text(low, speech.order(code), NAME_SIZE, colour, is_bold=not is_sea, halo=halo)


def areas(board: Map, position: Position, shape: Geometry) -> Iterator[Command]:
    """Fill every area: seas first, then the land, owned centres with their hatching."""
    owners = {centre: power for power, owned in position.centres.items() for centre in owned}
    land = [code for code, p in board.provinces.items() if p.terrain is not Terrain.SEA]
    for code, path in shape.outlines.items():
        if code == LAKE or (code in board.provinces and code not in land):
            yield Area(path, SEA)
        elif code == OUT or code in board.impossible:
            yield Area(path, CLOSED)
    for code in land:
        coat = COATS[owners[code]] if code in owners else None
        yield Area(shape.outlines[code], coat.fill if coat else LAND, coat.hatch if coat else None)


def centre(spot: tuple[float, float]) -> Iterator[Command]:
    """Mark a supply centre: a ring with a dot, as on the printed board."""
    yield Circle(spot, MARK, PAPER, PictureInk(BLACK, 1.6))
    yield Circle(spot, MARK / 3, BLACK)


@cache
def borders(board: Map) -> tuple[Outline, Outline, Outline]:
    """Sort the borders: coasts, between two lands, between two seas."""
    shape = standard_geometry()
    water = {LAKE, *(code for code, p in board.provinces.items() if p.terrain is Terrain.SEA)}
    sorts: tuple[list[Border], list[Border], list[Border]] = ([], [], [])  # by how many sides are water
    for border in shape.borders:
        if EDGE not in (border.left, border.right):
            sorts[(border.left in water) + (border.right in water)].append(border)
    land, coasts, sea = (Outline(tuple(b.points for b in some), is_closed=False, bounds=shape.frame) for some in sorts)
    return coasts, land, sea


def frame_line(frame: Frame) -> Command:
    """Draw the edge of the map."""
    corners = (
        (frame.left, frame.top),
        (frame.right, frame.top),
        (frame.right, frame.bottom),
        (frame.left, frame.bottom),
    )
    return Polygon(corners, ink=COAST_LINE)
