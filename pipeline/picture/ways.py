"""The ways that orders take over the board: from unit to unit, and through the fleets of a convoy."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import dist, hypot

from pipeline.board.map import Kind, Map, province_of
from pipeline.board.position import Unit
from pipeline.orders.order import Convoy, Move, Order
from pipeline.picture.commands import Spot
from pipeline.picture.geometry import standard_geometry
from pipeline.picture.look import UNIT

CLEAR = 4.0  # drawing units between a line and the unit it leaves or reaches
LEAST = 24.0  # what is to be seen of a way
ASIDE = 7.0  # how far an arrow keeps to its right where another comes the other way

Way = tuple[Spot, ...]


def stand(place: str) -> Spot:
    """Where a unit in a place is drawn; a province without its coast is its middle."""
    return standard_geometry().units[place]


def goal(board: Map, unit: Unit, to: str) -> Spot:
    """Where an order to go to a place ends: on the one coast a fleet can reach, if it named none."""
    if unit.kind is Kind.FLEET and to in board.provinces:
        reached = [place for place in board.fleet_borders.get(unit.place, ()) if province_of(place) == to]
        if len(reached) == 1:
            return stand(reached[0])
    return stand(to if to in standard_geometry().units else province_of(to))


def trimmed(way: Way, *, full: bool) -> Way:
    """Cut a way off at the units it begins and ends at; ``full`` says whether a unit stands at its end.

    Between two units that nearly touch it begins in the first, which is drawn over it, and keeps a length to be seen.
    """
    last = edge(way[-1], way[-2], CLEAR) if full else short(way[-1], way[-2])
    first = edge(way[0], way[1], CLEAR)
    if len(way) == 2 and dist(first, last) < LEAST:
        first, last = way[0], edge(way[-1], way[-2], 1) if full else last
    return (first, *way[1:-1], last)


def edge(spot: Spot, towards: Spot, clear: float = CLEAR) -> Spot:
    """Find where a line leaves the room of a unit."""
    dx, dy = towards[0] - spot[0], towards[1] - spot[1]
    across, down = UNIT[0] / 2 + clear, UNIT[1] / 2 + clear
    part = min(across / abs(dx) if dx else 1.0, down / abs(dy) if dy else 1.0, 0.49)
    return spot[0] + dx * part, spot[1] + dy * part


def short(spot: Spot, towards: Spot) -> Spot:
    """Stop just before a spot."""
    dx, dy = towards[0] - spot[0], towards[1] - spot[1]
    part = CLEAR / max(hypot(dx, dy), CLEAR)
    return spot[0] + dx * part, spot[1] + dy * part


def aside(way: Way) -> Way:
    """Move a way to its right."""
    (x0, y0), (x1, y1) = way[0], way[-1]
    length = max(hypot(x1 - x0, y1 - y0), 1.0)
    right = (-(y1 - y0) / length * ASIDE, (x1 - x0) / length * ASIDE)
    return tuple((x + right[0], y + right[1]) for x, y in way)


def along(way: Way, part: float) -> Spot:
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


def move_ways(board: Map, orders: Iterable[Order]) -> Mapping[Move, Way]:
    """Lay out all moves of a phase, from the middle of one unit to where it wants to be."""
    given = tuple(orders)
    moves = [order for order in given if isinstance(order, Move) and order.unit.place in standard_geometry().units]
    pairs = {(m.unit.province, province_of(m.to)) for m in moves}
    found = {}
    for move in moves:
        through = fleets(board, move, given)
        way = (stand(move.unit.place), *(stand(sea) for sea in through), goal(board, move.unit, move.to))
        met = (province_of(move.to), move.unit.province) in pairs
        found[move] = aside(way) if met and not through else way
    return found


def fleets(board: Map, move: Move, orders: Iterable[Order]) -> tuple[str, ...]:
    """Name the seas that a convoyed army crosses; none where it goes by land."""
    if move.unit.kind is Kind.FLEET:
        return ()
    if move.route:
        return tuple(sea for sea in move.route if sea in standard_geometry().units)
    if not move.via and province_of(move.to) in board.army_borders.get(move.unit.place, ()):
        return ()
    seas = {order.unit.place for order in orders if isinstance(order, Convoy) and carries(order, move)}
    return next(routes(board, move, seas), ())


def carries(order: Convoy, move: Move) -> bool:
    """Say whether a convoy order is about this move."""
    return order.of.province == move.unit.province and province_of(order.to) == province_of(move.to)


def routes(board: Map, move: Move, seas: set[str]) -> Iterator[tuple[str, ...]]:
    """Find ways over these seas, the shortest first."""
    start, end = move.unit.province, province_of(move.to)
    waiting: deque[tuple[str, ...]] = deque((sea,) for sea in sorted(seas) if touches(board, sea, start))
    while waiting:
        way = waiting.popleft()
        if touches(board, way[-1], end):
            yield way
        waiting.extend((*way, sea) for sea in sorted(seas & board.fleet_borders[way[-1]]) if sea not in way)


def touches(board: Map, sea: str, province: str) -> bool:
    """Say whether a sea washes a province."""
    return any(province_of(place) == province for place in board.fleet_borders.get(sea, ()))
