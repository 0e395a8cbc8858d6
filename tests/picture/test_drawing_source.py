"""What the board's geometry is made from."""

from pathlib import Path

import numpy as np

from drawing.label import Seeds
from drawing.trace import EDGE, rings, trace
from pipeline.board import Terrain, standard_map

SEEDS = Seeds.read(Path(__file__).parents[2] / "drawing" / "seeds.toml")
BOARD = standard_map()


def test_every_province_has_its_points_on_land_or_at_sea() -> None:
    seas = {code for code, p in BOARD.provinces.items() if p.terrain is Terrain.SEA}
    assert set(SEEDS.sea) == seas | {"LAKE"}
    assert set(SEEDS.land) == set(BOARD.provinces) - seas | set(BOARD.impossible) | {"OUT"}


def test_every_land_province_lies_in_some_country() -> None:
    shared = {code for codes in SEEDS.countries.values() for code in codes.split()}
    assert shared == set(SEEDS.land)


def test_three_areas_are_traced_with_the_lines_they_share() -> None:
    labels = np.zeros((8, 8), np.int32)
    labels[:, 4:] = 1
    labels[5:, :] = 2
    arcs = trace(labels)
    assert sorted(tuple(sorted((a.left, a.right))) for a in arcs) == [
        (EDGE, 0),
        (EDGE, 1),
        (EDGE, 2),
        (0, 1),
        (0, 2),
        (1, 2),
    ]
    assert [len(rings(arcs, area)) for area in (0, 1, 2)] == [1, 1, 1]
    meeting = [tuple(end) for a in arcs if EDGE not in (a.left, a.right) for end in (a.points[0], a.points[-1])]
    assert meeting.count((2.0, 2.5)) == 3


def test_an_island_is_a_ring_of_its_own_and_a_hole_in_its_sea() -> None:
    labels = np.zeros((30, 30), np.int32)
    labels[8:20, 9:22] = 1
    arcs = trace(labels)
    assert [len(rings(arcs, area)) for area in (0, 1)] == [2, 1]
