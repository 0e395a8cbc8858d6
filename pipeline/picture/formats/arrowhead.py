"""The two parts of an arrow: both back ends draw the same."""

from math import hypot

from pipeline.picture.commands import Spot

BROAD = 0.42  # of its length: half the width of a head


def head(points: tuple[Spot, ...], size: float) -> tuple[Spot, Spot, Spot]:
    """Give the head's tip and its two back corners.

    >>> head(((0, 0), (10, 0)), 5)
    ((10, 0), (5.0, 2.1), (5.0, -2.1))
    """
    (x0, y0), (x1, y1) = points[-2], points[-1]
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length * size, (y1 - y0) / length * size
    back = (x1 - dx, y1 - dy)
    return (x1, y1), (back[0] - dy * BROAD, back[1] + dx * BROAD), (back[0] + dy * BROAD, back[1] - dx * BROAD)


def shaft(points: tuple[Spot, ...], size: float) -> tuple[Spot, ...]:
    """Give the line that ends inside the head."""
    (x0, y0), (x1, y1) = points[-2], points[-1]
    length = hypot(x1 - x0, y1 - y0) or 1.0
    part = min(0.8 * size / length, 1.0)
    return (*points[:-1], (x1 - (x1 - x0) * part, y1 - (y1 - y0) * part))
