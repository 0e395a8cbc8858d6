"""Write the geometry file: arcs, the rings they make, and where things stand."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from drawing.anchors import Anchors, Spot
from drawing.globe import MAP_SIZE
from drawing.trace import EDGE, Arc, rings

HEAD = """\
# The board as a drawing: outlines, and where names, units and supply centres stand. Made by 'python -m drawing'.
# Source: coastlines and countries of Natural Earth 1:50m (public domain), by way of the npm package world-atlas 2.0.2
# (ISC); the borders of the game were laid by hand for this project (drawing/seeds.toml). Licence: MIT, as the rest.
#
# size WIDTH HEIGHT             drawing units; all else is in tenths of one, from the top-left corner
# arc LEFT RIGHT x,y dx,dy ...  a line between two areas; EDGE is off the paper, OUT land and LAKE water never entered
# ring AREA arcs ...            an outline: arcs numbered from 1 in the order of the file, negative if walked backwards
# at PLACE unit|name|mark|driven-out x,y
"""


def geometry(arcs: Sequence[Arc], names: Sequence[str], anchors: Mapping[str, Anchors]) -> str:
    """Write everything down."""
    lines = [HEAD, f"size {MAP_SIZE[0]} {MAP_SIZE[1]}"]
    lines += [f"arc {named(arc.left, names)} {named(arc.right, names)} {deltas(arc)}" for arc in arcs]
    for number, name in enumerate(names):
        lines += [f"ring {name} " + " ".join(map(str, ring)) for ring in rings(list(arcs), number)]
    for code, found in anchors.items():
        lines += spots(code, found)
    return "\n".join(lines) + "\n"


def named(number: int, names: Sequence[str]) -> str:
    """Name an area."""
    return "EDGE" if number == EDGE else names[number]


def deltas(arc: Arc) -> str:
    """Write a line's first point, and how it goes on."""
    tenths = np.round(arc.points * 10).astype(int)
    steps = [tenths[0], *np.diff(tenths, axis=0)]
    return " ".join(f"{x},{y}" for x, y in steps)


def spots(code: str, anchors: Anchors) -> Iterable[str]:
    """Write where the things of one province stand."""
    yield f"at {code} unit {tenths(anchors.unit)}"
    yield f"at {code} name {tenths(anchors.name)}"
    yield f"at {code} driven-out {tenths(anchors.driven_out)}"
    if anchors.mark:
        yield f"at {code} mark {tenths(anchors.mark)}"
    for place, spot in sorted(anchors.coasts.items()):
        yield f"at {place} unit {tenths(spot)}"


def tenths(spot: Spot) -> str:
    """Write a spot."""
    return f"{round(spot[0] * 10)},{round(spot[1] * 10)}"
