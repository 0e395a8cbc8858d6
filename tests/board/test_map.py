"""The map is the rulebook's, and every map can be one."""

import pytest

from pipeline.board import MAPS, Kind, Phase, Power, Terrain, _sandard_map, province_of, standard_map, starting_position


def test_the_standard_map_counts_as_the_rulebook_does() -> None:
    board = standard_map()
    terrain = [p.terrain for p in board.provinces.values()]

    assert len(terrain) == 75
    assert (terrain.count(Terrain.SEA), terrain.count(Terrain.LAND), terrain.count(Terrain.COAST)) == (19, 14, 42)
    assert len(board.centres) == 34
    assert {p: len(h) for p, h in board.homes.items()} == {p: 4 if p is Power.RUSSIA else 3 for p in Power}
    assert [p.code for p in board.provinces.values() if p.coasts] == ["BUL", "SPA", "STP"]
    assert dict(board.impossible) == {"SWI": "Switzerland"}
    borders = sum(len(near) for near in board.neighbours.values()) // 2
    assert borders == 206, "the 211 borders that are drawn, less the five of Switzerland"


def test_fleets_know_coasts_and_armies_know_land() -> None:
    board = standard_map()

    assert board.reach(Kind.FLEET, "CON") == {"AEG", "ANK", "BLA", "BUL/EC", "BUL/SC", "SMY"}
    assert board.reach(Kind.FLEET, "SPA/NC") == {"GAS", "MAO", "POR"}
    assert board.reaches(Kind.FLEET, "MAO", "SPA")
    assert not board.reaches(Kind.FLEET, "ROM", "VEN"), "Rome and Venice touch by land only"
    assert "SWI" not in board.neighbours["MUN"]


@pytest.mark.parametrize("name", MAPS)
def test_borders_are_known_on_both_sides_and_fit_the_terrain(name: str) -> None:
    board = MAPS[name]()
    for borders in (board.army_borders, board.fleet_borders):
        assert [(a, b) for a, near in borders.items() for b in near if a not in borders.get(b, ())] == []
    assert {province_of(place) for place in (*board.army_borders, *board.fleet_borders)} == set(board.provinces)
    for code, province in board.provinces.items():
        by_fleet = any(province_of(place) == code for place in board.fleet_borders)
        assert (code in board.army_borders, by_fleet) == (
            province.terrain is not Terrain.SEA,
            province.terrain is not Terrain.LAND,
        ), code
    assert all(board.can_stand(kind, place) for units in board.start.values() for kind, place in units)


def test_the_sandard_variant_has_six_powers_and_31_centres() -> None:
    board = _sandard_map()

    assert len(board.centres) == 31
    assert Power.TURKEY not in starting_position(board).units
    assert board.provinces["CON"].is_centre
    assert board.provinces["CON"].home is None


@pytest.mark.parametrize(
    ("phase", "retreats", "following"),
    [
        ("S1901M", False, "F1901M"),
        ("S1901M", True, "S1901R"),
        ("S1901R", False, "F1901M"),
        ("F1901M", False, "W1901A"),
        ("F1901M", True, "F1901R"),
        ("F1901R", False, "W1901A"),
        ("W1901A", False, "S1902M"),
    ],
)
def test_phases_follow_one_another(phase: str, retreats: bool, following: str) -> None:
    assert str(Phase.read(phase).following(retreats=retreats)) == following
    assert Phase.read(phase).sort_key < Phase.read(following).sort_key


@pytest.mark.parametrize("text", ["", "S1901", "W1901M", "s1901m", "S1901A", "S19011M"])
def test_what_is_not_a_phase_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a phase"):
        Phase.read(text)


def test_print_draws_every_unit() -> None:
    drawn = str(starting_position(standard_map()))

    for mark in ("aA/VIE", "aF/TRI", "eF/LON", "fF/BRE", "gA/MUN", "iF/NAP", "rF/STP/sc", "tF/ANK"):
        assert mark in drawn
    assert drawn.startswith("Spring 1901")
