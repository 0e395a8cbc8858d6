"""The readings of one doubtful row on the map: ghosts of the orders, each with the number of its key."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from pipeline.board.map import Kind, Map
from pipeline.board.position import Position
from pipeline.orders.order import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from pipeline.picture.commands import Arrow, Circle, Command, Frame, PictureInk, Polygon, Polyline, Spot
from pipeline.picture.look import BLACK, PAPER, UNIT
from pipeline.picture.orders import MEETING, Layers, leaving, stand_of
from pipeline.picture.symbols import badge, ring, shape
from pipeline.picture.ways import Way, along, edge, goal, trimmed

GHOST = PictureInk("#6a1b9a", 4.6)  # no order that was given looks like this
GHOST_DOTS = PictureInk("#6a1b9a", 3.4, (3, 4))
NUMBER = 12.0  # radius of a number
BOW = 0.3  # of its length: how far the middle of a bent line is drawn aside
TIP = 14.0  # room for the head of an arrow
PARTS = (0.62, 0.45, 0.78, 0.3, 0.9, 0.15)  # of a way: where its number may stand, the best first


def draw_ghosts(board: Map, position: Position, candidates: Sequence[Order | None], layers: Layers) -> None:
    """Draw all readings, and their numbers, which cover no unit, no end of a way and not one another.

    None is not drawn, and has its number all the same.
    """
    taken = [Frame.around(stand_of(unit), *UNIT) for _, unit in position.all_units()]
    ways = [None if order is None else ghost(board, position, order, layers) for order in candidates]
    taken += [Frame.around(way[-1], TIP, TIP) for way in ways if way is not None and len(way) == 2]
    for number, way in enumerate(ways, start=1):
        if way is not None:
            spot = free(way, taken)
            taken.append(Frame.around(spot, 2 * NUMBER, 2 * NUMBER))
            layers.signs += badge(spot, str(number), fill=GHOST.colour, ink=PAPER, radius=NUMBER)


def ghost(board: Map, position: Position, order: Order, layers: Layers) -> Way | None:
    """Draw one reading, and give the way that its number may stand on; a build waived is nowhere."""
    full = frozenset(unit.province for _, unit in position.all_units())
    match order:
        case Waive():
            return None
        case Move(unit, to) | Retreat(unit, to):
            way = trimmed((leaving(position, unit), goal(board, unit, to)), full=to[:3] in full)
            layers.ways.append(Arrow(way, GHOST, 14, rim=PAPER))
            return way
        case Convoy(unit, of, to) | Support(unit, of, str(to)):
            helped = trimmed((stand_of(of), goal(board, of, to)), full=to[:3] in full)
            layers.helps.append(Arrow(helped, PictureInk(BLACK, 2.2, (5, 4)), 10, rim=PAPER))
            return dots(stand_of(unit), along(helped, MEETING), layers)
        case Support(unit, of):
            return dots(stand_of(unit), edge(stand_of(of), stand_of(unit)), layers)
        case Build(unit):
            x, y = stand_of(unit)
            beside = (x - UNIT[0] * 0.6, y) if unit.kind is Kind.ARMY else (x + UNIT[0] * 0.6, y)
            layers.signs.append(Polygon(shape(unit.kind, beside, 2), PAPER, PictureInk(GHOST.colour, 3)))
            return (beside, beside, beside)
        case Hold(unit) | Disband(unit):
            spot = leaving(position, unit)
            layers.signs += struck(spot) if isinstance(order, Disband) else (ring(spot, GHOST_DOTS, 8),)
            return below(spot)
        case _:
            assert_never(order)


def dots(start: Spot, end: Spot, layers: Layers) -> Way:
    """Draw a support or a convoy, bent a little, so that it does not lie on a move of the same unit."""
    way = bowed(edge(start, end), end)
    layers.helps += [Polyline(way, PictureInk(PAPER, 7)), Polyline(way, GHOST_DOTS)]
    layers.dots.append(Circle(end, 5, GHOST.colour))
    return way


def bowed(start: Spot, end: Spot) -> Way:
    """Bend a line to its right."""
    across, down = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + across / 2 - down * BOW, start[1] + down / 2 + across * BOW)
    return tuple(
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * middle[0] + t**2 * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * middle[1] + t**2 * end[1],
        )
        for t in (0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1)
    )


def struck(spot: Spot) -> Iterator[Command]:
    """Strike a unit through."""
    x, y = spot
    across, down = UNIT[0] / 2 + 4, UNIT[1] / 2 + 4
    for colour, width in ((PAPER, 6.0), (GHOST.colour, 3.4)):
        yield Polyline(((x - across, y + down), (x + across, y - down)), PictureInk(colour, width))


def below(spot: Spot) -> Way:
    """Where the number of an order that goes nowhere may stand: under its unit, the middle first."""
    x, y = spot
    return (x - 33, y + 27), (x + 9, y + 29), (x + 33, y + 27)


def free(way: Way, taken: Sequence[Frame]) -> Spot:
    """Find room for a number along a way."""
    spots = [along(way, part) for part in PARTS]
    rooms = [Frame.around(spot, 2 * NUMBER, 2 * NUMBER) for spot in spots]
    return next((s for s, room in zip(spots, rooms, strict=True) if not any(room.meets(t) for t in taken)), spots[0])


def places_of(order: Order) -> tuple[str, ...]:
    """Every place that an order names."""
    match order:
        case Waive():
            return ()
        case Move(unit, to) | Retreat(unit, to):
            return unit.place, to
        case Convoy(unit, of, to) | Support(unit, of, str(to)):
            return unit.place, of.place, to
        case Support(unit, of):
            return unit.place, of.place
        case Hold(unit) | Build(unit) | Disband(unit):
            return (unit.place,)
        case _:
            assert_never(order)
