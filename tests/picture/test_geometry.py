"""The drawing is the map: what touches on paper is what borders in the game, and nothing covers anything."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import dist, hypot
from pathlib import Path

import pytest

from pipeline.board import Map, Terrain, province_of, standard_map
from pipeline.ink import Box
from pipeline.picture import geometry
from pipeline.picture.geometry import EDGE, LAKE, OUT, Border, Geometry, standard_geometry
from pipeline.picture.orders import width_of
from pipeline.picture.shapes import MARK, NAME_SIZE, UNIT, Point

SWISS = {"BUR", "MAR", "MUN", "PIE", "TYR"}  # the rulebook's map
SHORTEST = 8.0  # drawing units, 0.8 mm on A5: a border that can be seen

BOARD = standard_map()
SHAPE = standard_geometry()
FILE = Path(geometry.__file__).with_name("standard.geometry")
SEAS = {code for code, p in BOARD.provinces.items() if p.terrain is Terrain.SEA}
SHORES = {code for code, p in BOARD.provinces.items() if p.terrain is Terrain.COAST}


def length(border: Border) -> float:
    return sum(dist(a, b) for a, b in zip(border.points, border.points[1:], strict=False))


def drawn_borders() -> dict[frozenset[str], float]:
    """How long the border of every pair of areas is drawn."""
    found: dict[frozenset[str], float] = defaultdict(float)
    for border in SHAPE.borders:
        if not {EDGE, OUT, LAKE} & {border.left, border.right}:
            found[frozenset((border.left, border.right))] += length(border)
    return found


def wanted_borders() -> set[frozenset[str]]:
    wanted = {frozenset((code, other)) for code, others in BOARD.neighbours.items() for other in others}
    return wanted | {frozenset(("SWI", other)) for other in SWISS}


def corners() -> dict[Point, set[str]]:
    """The areas that meet at the ends of borders."""
    found: dict[Point, set[str]] = defaultdict(set)
    for border in SHAPE.borders:
        for end in (border.points[0], border.points[-1]):
            found[end] |= {border.left, border.right}
    return found


def area_of(points: tuple[Point, ...]) -> float:
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True)) / 2


def is_inside(spot: Point, area: str) -> bool:
    x, y = spot
    odd = False
    for line in SHAPE.outlines[area].lines:
        for (x0, y0), (x1, y1) in zip(line, line[1:] + line[:1], strict=True):
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                odd = not odd
    return odd


def test_every_border_of_the_game_is_drawn_and_no_other() -> None:
    assert set(drawn_borders()) == wanted_borders()


def test_the_map_has_206_borders_and_switzerlands_five() -> None:
    assert len(wanted_borders()) == 206 + 5


def test_every_border_is_long_enough_to_be_seen() -> None:
    assert {tuple(sorted(pair)): length for pair, length in drawn_borders().items() if length < SHORTEST} == {}


def test_coasts_meet_at_the_sea_exactly_where_fleets_may_pass() -> None:
    wanted = {
        frozenset((province_of(a), province_of(b)))
        for a, others in BOARD.fleet_borders.items()
        for b in others
        if province_of(a) in SHORES and province_of(b) in SHORES
    }
    drawn = {
        frozenset(pair)
        for areas in corners().values()
        if areas & (SEAS | {LAKE})
        for pair in combinations(sorted(areas & SHORES), 2)
    }
    assert drawn == wanted


def test_never_do_four_areas_meet_in_a_point() -> None:
    assert {spot: areas for spot, areas in corners().items() if len(areas) > 3} == {}


def test_the_areas_fill_the_paper_without_gap_or_overlap() -> None:
    total = sum(area_of(line) for path in SHAPE.outlines.values() for line in path.lines)
    assert abs(total) == pytest.approx(SHAPE.width * SHAPE.height, abs=1)
    rings = [line.split()[2:] for line in FILE.read_text("utf-8").splitlines() if line.startswith("ring ")]
    sides = [int(number) for ring in rings for number in ring]  # a border by its number, negative if walked backwards
    for number, border in enumerate(SHAPE.borders, start=1):
        expected = sorted({number, -number}) if EDGE not in (border.left, border.right) else None
        found = sorted(n for n in sides if abs(n) == number)
        assert found == expected if expected else len(found) == 1, (number, border.left, border.right)


def crossings(lines: list[tuple[Point, Point]]) -> Iterator[tuple[tuple[Point, Point], tuple[Point, Point]]]:
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, ((x0, y0), (x1, y1)) in enumerate(lines):
        for column in range(int(min(x0, x1) // 20), int(max(x0, x1) // 20) + 1):
            for row in range(int(min(y0, y1) // 20), int(max(y0, y1) // 20) + 1):
                cells[column, row].append(number)
    for numbers in cells.values():
        for one, other in combinations(numbers, 2):
            if crosses(lines[one], lines[other]):
                yield lines[one], lines[other]


def crosses(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    (a, b), (c, d) = one, other

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def test_no_border_crosses_another() -> None:
    lines = [
        pair
        for border in SHAPE.borders
        if EDGE not in (border.left, border.right)
        for pair in zip(border.points, border.points[1:], strict=False)
    ]
    assert list(crossings(lines)) == []


def test_the_straits_are_water_that_belongs_to_nobody() -> None:
    marmara = [b for b in SHAPE.borders if LAKE in (b.left, b.right) and "CON" in (b.left, b.right)]
    assert marmara
    assert all({b.left, b.right} == {LAKE, "CON"} for b in marmara)


def name_frame(code: str) -> Box:
    is_bold = code not in SEAS
    return Box.around(SHAPE.names[code], width_of(code, NAME_SIZE, is_bold=is_bold), NAME_SIZE * 0.72)


def full_board() -> dict[str, Box]:
    """Every name, every supply centre, a unit in every province and one dislodged beside each."""
    found = {f"{code} name": name_frame(code) for code in BOARD.provinces}
    found |= {f"{code} unit": Box.around(SHAPE.units[code], *UNIT) for code in BOARD.provinces}
    found |= {f"{code} dislodged": Box.around(SHAPE.driven_out[code], *UNIT) for code in BOARD.provinces}
    return found | {f"{code} centre": Box.around(SHAPE.marks[code], 2 * MARK, 2 * MARK) for code in BOARD.centres}


def test_nothing_covers_anything_even_with_all_75_provinces_occupied_twice() -> None:
    board = full_board()
    assert [(a, b) for a, b in combinations(board, 2) if board[a].meets(board[b])] == []


def test_fleets_on_the_two_coasts_cover_nothing_but_what_cannot_be_there_with_them() -> None:
    board = full_board()
    places = [place for code in BOARD.provinces for place in BOARD.provinces[code].coasts]
    frames = {place: Box.around(SHAPE.units[place], *UNIT) for place in places}
    alone = {place: {f"{province_of(place)} unit", f"{province_of(place)} dislodged"} for place in places}
    assert [
        (place, other) for place in places for other in board.keys() - alone[place] if frames[place].meets(board[other])
    ] == []
    assert [(a, b) for a, b in combinations(places, 2) if frames[a].meets(frames[b])] == []


def test_all_is_on_the_paper() -> None:
    for what, frame in full_board().items():
        assert frame.left > 0, what
        assert frame.top > 0, what
        assert frame.right < SHAPE.width, what
        assert frame.bottom < SHAPE.height, what


@pytest.mark.parametrize("place", sorted(SHAPE.units))
def test_a_unit_stands_in_its_province(place: str) -> None:
    assert is_inside(SHAPE.units[place], province_of(place))


@pytest.mark.parametrize("code", BOARD.centres)
def test_a_supply_centre_is_drawn_in_its_province(code: str) -> None:
    assert is_inside(SHAPE.marks[code], code)


def shore(board: Map, shape: Geometry, place: str) -> list[Point]:
    """The water's edge of one coast: where a sea is off both coasts, what ends at this coast's own neighbours."""
    code, own = province_of(place), {province_of(other) for other in board.fleet_borders[place]}
    meeting = corners()
    found: list[Point] = []
    for border in shape.borders:
        beside = {border.left, border.right}
        if code in beside and beside & SEAS:
            beside |= meeting[border.points[0]] | meeting[border.points[-1]]
            if beside - {code, EDGE, OUT} <= own:
                found += border.points
    return found


@pytest.mark.parametrize("place", ["BUL/EC", "BUL/SC", "SPA/NC", "SPA/SC", "STP/NC", "STP/SC"])
def test_a_coast_is_washed_by_its_own_seas_and_a_fleet_on_it_lies_by_them(place: str) -> None:
    code = province_of(place)
    own = shore(BOARD, SHAPE, place)
    others = [spot for other in BOARD.provinces[code].coasts if other != place for spot in shore(BOARD, SHAPE, other)]
    x, y = SHAPE.units[place]
    nearest = min(hypot(x - sx, y - sy) for sx, sy in own)
    assert nearest < 30
    assert nearest < min(hypot(x - sx, y - sy) for sx, sy in others)


@pytest.mark.parametrize("place", ["BUL/EC", "BUL/SC", "SPA/NC", "SPA/SC", "STP/NC", "STP/SC"])
def test_every_shore_of_a_province_with_two_coasts_belongs_to_one_of_them(place: str) -> None:
    code = province_of(place)
    claimed = {spot for coast in BOARD.provinces[code].coasts for spot in shore(BOARD, SHAPE, coast)}
    for border in SHAPE.borders:
        if code in (border.left, border.right) and {border.left, border.right} & SEAS:
            assert set(border.points) <= claimed
    assert {s for s in SEAS if frozenset((s, code)) in drawn_borders()} == {
        other for coast in BOARD.provinces[code].coasts for other in BOARD.fleet_borders[coast] if other in SEAS
    }
