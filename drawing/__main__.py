"""``python -m drawing countries-50m.json``: make ``pipeline/picture/standard.geometry`` again.

The file comes from the npm package world-atlas (``npm pack world-atlas@2.0.2``). Whether what is drawn is the map, the
tests say (tests/picture).
"""

import sys
from pathlib import Path

import numpy as np

from drawing.anchors import UNIT, Box, Ground, Placing, by_the_shore
from drawing.atlas import Atlas
from drawing.globe import Points
from drawing.label import Seeds, label
from drawing.trace import Arc, trace
from drawing.write import geometry
from pipeline.board import Map, Terrain, province_of, standard_map

HERE = Path(__file__).parent
ROUNDS = 3  # of placing; the third changes next to nothing


def main() -> None:
    """Draw, place, write."""
    board, seeds = standard_map(), Seeds.read(HERE / "seeds.toml")
    names = seeds.names
    labels = label(Atlas.read(Path(sys.argv[1])), seeds)
    arcs = trace(labels)
    areas = {name: number for number, name in enumerate(names) if name in board.provinces}
    seas = frozenset(p.code for p in board.provinces.values() if p.terrain is Terrain.SEA)
    ground = Ground(labels, areas, seas)
    placed = Placing(ground, frozenset(board.centres)).place_all(ROUNDS)
    for code, province in board.provinces.items():
        others = [box for name, anchors in placed.items() for box in anchors.still(own=name == code)]
        for coast in province.coasts:
            own, not_own = shores(arcs, names, board, coast)
            goals = np.array([placed[province_of(place)].unit for place in sorted(board.fleet_borders[coast])])
            placed[code].coasts[coast] = spot = by_the_shore(ground.depth(code), own, not_own, goals, others)
            others.append(Box.round(spot, UNIT))
    (HERE.parent / "pipeline" / "picture" / "standard.geometry").write_text(geometry(arcs, names, placed), "utf-8")


def shores(arcs: list[Arc], names: tuple[str, ...], board: Map, coast: str) -> tuple[Points, Points]:
    """Find the water's edge of one coast, and that of the province's other coast.

    Where a sea is off both coasts (MAO and Spain), a stretch belongs to the coast that borders on what it ends at.
    """
    code = province_of(coast)
    own: list[Points] = []
    others: list[Points] = []
    for arc in arcs:
        beside = {names[number] for number in (arc.left, arc.right) if number >= 0}
        if code in beside and len(beside) == 2:
            beside |= ends(arc, arcs, names)
            for other in board.provinces[code].coasts:
                if beside - {code} <= {province_of(place) for place in board.fleet_borders[other]}:
                    (own if other == coast else others).append(arc.points)
    return np.concatenate(own), np.concatenate(others)


def ends(arc: Arc, arcs: list[Arc], names: tuple[str, ...]) -> set[str]:
    """Name the areas that meet at the ends of an arc."""
    corners = {tuple(arc.points[0]), tuple(arc.points[-1])}
    meeting = [one for one in arcs if corners & {tuple(one.points[0]), tuple(one.points[-1])}]
    return {names[number] for one in meeting for number in (one.left, one.right) if number >= 0}


if __name__ == "__main__":
    main()
