"""Rounds without repeated meetings, by geometry, where a search hardly finds them.

Seven players at each of q boards, q a prime power of seven or more: everybody is a point (x, y), x one of seven
columns, y one of q rows. In round m the points of each line y = m·x + b sit at one board. Two points share one line
at most, so in q rounds nobody meets anybody twice (the transversal design of the affine plane of order q; for q = 7
the social golfers' classic, 49 players). A search finds such rounds by itself for ten boards and more.
"""

from collections.abc import Mapping, Sequence
from math import exp
from random import Random

from pipeline.draw.search import BodiesInSeats

ORDERS = (7, 8, 9)  # boards for which the search alone leaves repeats (benchmarks/draw.py)
MapPoints = Mapping[str, tuple[int, int]]


def _times(a: int, b: int, order: int) -> int:
    """Multiply in the finite field GF(``order``).

    >>> _times(3, 5, 7), _times(2, 4, 8), _times(3, 3, 9)
    (1, 3, 2)
    """
    if order == 8:
        product = 0
        for bit in range(3):
            if b >> bit & 1:
                product ^= a << bit
        for bit in (4, 3):
            if product >> bit & 1:
                product ^= 0b1011 << (bit - 3)
        return product
    if order == 9:  # a + 3·b stands for a + b·i with i² = -1
        (d, c), (f, e) = divmod(a, 3), divmod(b, 3)
        return (c * e - d * f) % 3 + 3 * ((c * f + d * e) % 3)
    return a * b % order


def _plus(a: int, b: int, order: int) -> int:
    """Add in the finite field GF(``order``).

    >>> _plus(3, 5, 7), _plus(3, 5, 8), _plus(4, 8, 9)
    (1, 6, 0)
    """
    if order == 8:
        return a ^ b
    if order == 9:
        return (a + b) % 3 + (a // 3 + b // 3) % 3 * 3
    return (a + b) % order


def new_points(boards: Sequence[Sequence[str]]) -> dict[str, tuple[int, int]]:
    """Make the boards of a first round the lines of slope 0; the column of a player is the place of his power.

    >>> new_points([["Ann", "Bob"], ["Cat", "Dan"]])
    {'Ann': (0, 0), 'Bob': (1, 0), 'Cat': (0, 1), 'Dan': (1, 1)}
    """
    points: dict[str, tuple[int, int]] = {}
    for row, board in enumerate(boards):
        for column, name in enumerate(board):
            points.setdefault(name, (column, row))
    return points


def given_points(bodies: Sequence[str], points: MapPoints, order: int, rng: Random) -> list[tuple[int, int]]:
    """Give every body a point: its own, or, for a newcomer and a second seat, one that is free."""
    free = {(column, row) for column in range(len(bodies) // order) for row in range(order)}
    given: dict[int, tuple[int, int]] = {}
    for body, name in enumerate(bodies):
        if name in points and points[name] in free:
            given[body] = points[name]
            free.remove(points[name])
    left = sorted(free)
    rng.shuffle(left)
    return [given[body] if body in given else left.pop() for body in range(len(bodies))]


def seat_lines(given: Sequence[tuple[int, int]], slope: int, order: int, shift: int = 0) -> BodiesInSeats:
    """Seat all bodies along the lines of one slope, each with the power so many places after its column.

    Columns and shifts make a Latin square: with another shift in every round nobody has a power twice.

    >>> seat_lines([(0, 0), (1, 0), (0, 1), (1, 1)], 1, 2, shift=1)
    [3, 0, 1, 2]
    """
    width = len(given) // order
    seats = [0] * len(given)
    for body, (column, row) in enumerate(given):
        board = _plus(row, _times(slope, column, order), order)
        seats[board * width + (column + shift) % width] = body
    return seats


APART_STEPS = 60_000  # of the search for such points: a tenth of a second


def points_apart(
    pairs: Mapping[int, Sequence[tuple[int, int]]],
    start: Sequence[tuple[int, int]],
    order: int,
    rng: Random,
    *,
    stay: bool,
) -> list[tuple[int, int]]:
    """Give the bodies points so that as few ``pairs`` as possible lie on one line; ``pairs`` are given by slope.

    ``start`` has a point for each body; with ``stay`` nobody leaves his row, whose boards are played already.
    """
    at = list(start)
    near: dict[int, list[tuple[int, int]]] = {}
    for slope, bodies in pairs.items():
        for a, b in bodies:
            near.setdefault(a, []).append((b, slope))
            near.setdefault(b, []).append((a, slope))
    line = {
        (point, slope): _plus(point[1], _times(slope, point[0], order), order) for point in start for slope in pairs
    }

    def breaks(body: int) -> int:
        own = at[body]
        return sum(line[own, slope] == line[at[other], slope] for other, slope in near.get(body, ()))

    bound, everybody = sorted(near), range(len(at))
    mates = {body: [each for each in everybody if not stay or start[each][1] == start[body][1]] for body in bound}
    cost, heat = sum(map(breaks, bound)) // 2, 1.0
    for _ in range(APART_STEPS):
        if not cost:
            break
        heat = max(heat * 0.9998, 0.15)
        i = rng.choice(bound)
        j = rng.choice(mates[i])
        before = breaks(i) + breaks(j)
        at[i], at[j] = at[j], at[i]
        added = breaks(i) + breaks(j) - before
        if added <= 0 or rng.random() < exp(-added / heat):
            cost += added
        else:
            at[i], at[j] = at[j], at[i]
    return at
