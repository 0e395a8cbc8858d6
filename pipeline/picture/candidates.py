"""The readings of one doubtful row on the map: ghosts of the orders, each with the number of its key."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from pipeline.board.map import Map
from pipeline.board.position import Position
from pipeline.orders.order import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from pipeline.picture.commands import Arrow, Circle, Command, Frame, Ink, Line, Spot
from pipeline.picture.geometry import standard_geometry
from pipeline.picture.look import BLACK, PAPER, UNIT
from pipeline.picture.orders import Layers, leaving, stand_of
from pipeline.picture.symbols import badge, ring
from pipeline.picture.ways import Way, along, edge, goal, trimmed

GHOST = Ink("#6a1b9a", 4.6)  # no order that was given looks like this
GHOST_DOTS = Ink("#6a1b9a", 3.4, (3, 4))
NUMBER = 12.0  # radius of a number
PARTS = (0.62, 0.45, 0.78, 0.3, 0.9, 0.15)  # of a way: where its number may stand, the best first


def draw_ghosts(board: Map, position: Position, candidates: Sequence[Order], layers: Layers) -> None:
    """Draw all readings, and their numbers, which cover no unit and not one another."""
    taken = [Frame.around(stand_of(unit), *UNIT) for _, unit in position.all_units()]
    for number, order in enumerate(candidates, start=1):
        way = way_of(board, position, order)
        if way is None:
            continue
        layers.ways += ghost(order, way)
        spot = free(way, taken)
        taken.append(Frame.around(spot, 2 * NUMBER, 2 * NUMBER))
        layers.signs += badge(spot, str(number), fill=GHOST.colour, ink=PAPER, radius=NUMBER)


def way_of(board: Map, position: Position, order: Order) -> Way | None:
    """Where an order is drawn: a way, or round the unit; a waived build has no place."""
    full = frozenset(unit.province for _, unit in position.all_units())
    match order:
        case Waive():
            return None
        case Move(unit, to) | Retreat(unit, to):
            return trimmed((leaving(position, unit), goal(board, unit, to)), full=to[:3] in full)
        case Convoy(unit, of, to) | Support(unit, of, str(to)):
            helped = trimmed((stand_of(of), goal(board, of, to)), full=to[:3] in full)
            end = along(helped, 0.55)
            return edge(stand_of(unit), end), end
        case Support(unit, of):
            return edge(stand_of(unit), stand_of(of)), edge(stand_of(of), stand_of(unit))
        case Hold(unit) | Build(unit) | Disband(unit):
            x, y = leaving(position, unit)
            return (x - 33, y + 27), (x, y + 29), (x + 33, y + 27)
        case _:
            assert_never(order)


def ghost(order: Order, way: Way) -> Iterator[Command]:
    """Draw one reading."""
    match order:
        case Move() | Retreat():
            yield Arrow(way, GHOST, 14, rim=PAPER)
        case Support(unit, of, to) | Convoy(unit, of, to):
            if to is not None:
                helped = trimmed((stand_of(of), stand_of_place(to)), full=False)
                yield Arrow(helped, Ink(BLACK, 2.2, (5, 4)), 10, rim=PAPER)
            yield from (Line(way, Ink(PAPER, 7)), Line(way, GHOST_DOTS), Circle(way[-1], 5, GHOST.colour))
        case Hold(unit) | Build(unit) | Disband(unit):
            yield ring(stand_of(unit), GHOST_DOTS, 8)
        case Waive():
            pass


def stand_of_place(place: str) -> Spot:
    """Where a place is, its coast known or not."""
    known = standard_geometry().units
    return known[place if place in known else place[:3]]


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
