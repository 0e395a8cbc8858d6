"""Retreats and adjustments: what is listed as legal, what is removed first, and what a refused order is told."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.positions import all_units
from pipeline.board import Dislodged, Kind, Phase, Position, Power, Terrain, Unit, standard_map
from pipeline.judge.adjudicate import adjudicate, legal_orders, why_illegal
from pipeline.judge.adjustments import COUNTRYSIDE, NOWHERE, _distance, removed_first
from pipeline.judge.outcome import Word
from pipeline.judge.rulebook import EDITIONS, Garbled, rulebook
from pipeline.judge.winter import after_fall
from pipeline.orders import Build, Disband, Retreat, Waive

BOARD = standard_map()
UNITS = all_units(BOARD)


@st.composite
def winters(draw: st.DrawFn) -> Position:
    """Draw a winter: units anywhere, and centres to anybody."""
    powers = list(Power)[:3]
    placed = draw(st.lists(st.sampled_from(UNITS), max_size=12, unique_by=lambda unit: unit.province))
    centres = draw(st.lists(st.sampled_from(BOARD.centres), max_size=18, unique=True))
    return Position(
        phase=Phase.read("W1905A"),
        units={power: tuple(placed[n :: len(powers)]) for n, power in enumerate(powers)},
        centres={power: tuple(sorted(centres[n :: len(powers)])) for n, power in enumerate(powers)},
    )


@settings(max_examples=30, deadline=None)
@given(winters())
def test_what_is_listed_as_legal_in_winter_is_legal(position: Position) -> None:
    for power in position.units:
        for order in legal_orders(BOARD, position, power):
            [result, *_] = adjudicate(BOARD, position, {power: [order]}, EDITIONS["datc"]).results
            assert (result.order, result.outcome.result) == (order, Word.SUCCEEDS)
            assert why_illegal(BOARD, position, power, order) is None


def test_every_land_that_is_no_centre_belongs_to_a_home_country_but_two() -> None:
    """As the borders of the map colour them: North Africa and Albania are nobody's."""
    lands = {code for code, each in BOARD.provinces.items() if each.terrain is not Terrain.SEA and not each.is_centre}
    owned = [code for codes in COUNTRYSIDE.values() for code in codes]
    assert Counter(owned) == Counter(lands - {"NAF", "ALB"} - {"SWI"})


@pytest.mark.parametrize("power", Power)
def test_a_unit_in_its_home_country_is_the_last_to_be_removed(power: Power) -> None:
    """4.D.8: distances are those from the home country, its provinces without a centre included."""
    beside = {land for home in BOARD.homes[power] for land in BOARD.reach(Kind.ARMY, home)}
    abroad = sorted(land for land in beside - {*COUNTRYSIDE[power], *BOARD.homes[power]} if "/" not in land)
    for place in COUNTRYSIDE[power]:
        units = tuple(Unit(Kind.ARMY, land) for land in (place, *abroad))
        position = Position(phase=Phase.read("W1901A"), units={power: units}, centres={power: ()})
        assert removed_first(BOARD, position, power, rulebook("2000"))[-1][0] == units[0], (power, place)


def test_a_unit_from_which_no_way_leads_anywhere_is_the_farthest() -> None:
    """Such as one of a power that owns nothing, where the distance is that from what it owns."""
    assert _distance(BOARD, Unit(Kind.ARMY, "VIE"), frozenset(), EDITIONS["datc"]) == NOWHERE
    assert _distance(BOARD, Unit(Kind.ARMY, "VIE"), frozenset({"VIE"}), EDITIONS["datc"]) == 0


def test_of_units_equally_far_the_first_by_the_names_of_provinces_goes_first() -> None:
    """4.D.8: Naples comes before North Africa, whose code NAF comes before NAP; both are four from Munich."""
    units = (Unit(Kind.ARMY, "NAF"), Unit(Kind.ARMY, "NAP"))
    homes = BOARD.homes[Power.GERMANY]
    position = Position(phase=Phase.read("W1901A"), units={Power.GERMANY: units}, centres={Power.GERMANY: homes})
    found = removed_first(BOARD, position, Power.GERMANY, EDITIONS["datc"])
    assert [(unit.place, "4 from the nearest" in why) for unit, why in found] == [("NAP", True), ("NAF", True)]


def test_a_power_without_a_unit_and_a_centre_has_no_build_to_waive() -> None:
    position = Position(phase=Phase.read("W1905A"), units={}, centres={})
    [result] = adjudicate(BOARD, position, {Power.TURKEY: [Waive()]}, EDITIONS["datc"]).results
    assert (result.outcome.result, str(result.reason)) == (Word.ILLEGAL, "there is no build to waive")


@pytest.mark.parametrize("due", [1, -1])
def test_a_province_that_is_not_on_the_map_is_said_to_be_none(due: int) -> None:
    """Whether something is to be built or to be removed."""
    units = {Power.TURKEY: (Unit(Kind.ARMY, "BER"),) * (due < 0)}
    position = Position(phase=Phase.read("W1905A"), units=units, centres={Power.TURKEY: ("ANK",) * (due > 0)})
    nowhere = Unit(Kind.ARMY, "XYZ")
    order = Build(nowhere) if due > 0 else Disband(nowhere)
    result = adjudicate(BOARD, position, {Power.TURKEY: [order]}, EDITIONS["datc"]).results[0]
    assert (result.outcome.result, str(result.reason)) == (Word.INVALID, "'XYZ' is not a province of this map")


def test_every_retreat_that_was_not_ordered_is_a_result() -> None:
    driven = tuple(
        Dislodged(power=power, unit=Unit(Kind.ARMY, place), by="MUN", retreats=("PRU",))
        for power, place in ((Power.GERMANY, "BER"), (Power.TURKEY, "KIE"), (Power.TURKEY, "BUR"))
    )
    position = Position(phase=Phase.read("S1905R"), units={}, centres={}, dislodged=driven)
    found = adjudicate(BOARD, position, {Power.TURKEY: [Disband(driven[2].unit)]}, EDITIONS["datc"])
    assert [(each.power, each.order, str(each.reason)) for each in found.results] == [
        (Power.TURKEY, Disband(driven[2].unit), "disbands"),
        (Power.GERMANY, Disband(driven[0].unit), "disbands: no retreat was ordered"),
        (Power.TURKEY, Disband(driven[1].unit), "disbands: no retreat was ordered"),
    ]


def test_a_position_without_centres_is_none_to_count_after_fall() -> None:
    position = Position(phase=Phase.read("W1905A"), units={Power.TURKEY: (Unit(Kind.ARMY, "ANK"),)}, centres={})
    assert after_fall(BOARD, position) is position
    counted = after_fall(BOARD, replace(position, centres={Power.TURKEY: ("CON",)}))
    assert counted.centres == {Power.TURKEY: ("ANK", "CON")}
    assert str(counted.phase) == "W1905A"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("XYZ", "'XYZ' is not a province of this map"),
        ("SWI", "SWI is not open to A KIE: open are BER (DATC 6.H.5)"),
        ("HOL", "HOL is not open to A KIE: open are BER (DATC 6.H.5)"),
    ],
)
def test_a_retreat_that_is_not_open_is_told_what_is(place: str, reason: str) -> None:
    driven = Dislodged(power=Power.TURKEY, unit=Unit(Kind.ARMY, "KIE"), by="MUN", retreats=("BER",))
    position = Position(phase=Phase.read("S1905R"), units={}, centres={}, dislodged=(driven,))
    order = Retreat(driven.unit, place)
    [result] = adjudicate(BOARD, position, {Power.TURKEY: [order]}, EDITIONS["datc"]).results
    assert str(result.reason) == reason


@pytest.mark.parametrize(
    ("open_to", "place", "reason"),
    [
        (("SPA/NC", "SPA/SC"), "SPA/SC", "retreats"),
        (("SPA/NC", "SPA/SC"), "SPA", "SPA has two coasts open, and none is named (DATC 4.B.1)"),
        (("SPA/NC",), "SPA/SC", "SPA/SC is not open to F POR: open are SPA/NC (DATC 4.B.3)"),
        (("SPA/NC",), "SPA", "retreats"),
    ],
)
def test_a_fleet_retreats_to_the_coast_that_is_named_or_the_only_one(
    open_to: tuple[str, ...], place: str, reason: str
) -> None:
    driven = Dislodged(power=Power.TURKEY, unit=Unit(Kind.FLEET, "POR"), by="MAO", retreats=open_to)
    position = Position(phase=Phase.read("S1905R"), units={}, centres={}, dislodged=(driven,))
    found = adjudicate(BOARD, position, {Power.TURKEY: [Retreat(driven.unit, place)]}, EDITIONS["datc"])
    arrived = place if "/" in place else open_to[0]
    assert str(found.results[0].reason) == reason
    assert found.after.units.get(Power.TURKEY, ()) == ((Unit(Kind.FLEET, arrived),) if reason == "retreats" else ())


def test_the_only_open_coast_must_be_named_where_the_rules_say_so() -> None:
    driven = Dislodged(power=Power.TURKEY, unit=Unit(Kind.FLEET, "POR"), by="MAO", retreats=("SPA/NC",))
    position = Position(phase=Phase.read("S1905R"), units={}, centres={}, dislodged=(driven,))
    strict = replace(EDITIONS["datc"], only_coast_omitted=Garbled.ILLEGAL)
    [result] = adjudicate(BOARD, position, {Power.TURKEY: [Retreat(driven.unit, "SPA")]}, strict).results
    assert str(result.reason) == "the coast of SPA is missing (DATC 4.B.2)"


@pytest.mark.parametrize(("due", "case"), [(1, "6.I.7"), (-1, "6.J.2")])
def test_an_order_that_is_repeated_in_winter_is_one_too_many(due: int, case: str) -> None:
    unit = Unit(Kind.ARMY, "ANK")
    units, owned = ({}, ("ANK",)) if due > 0 else ({Power.TURKEY: (unit,)}, ())
    position = Position(phase=Phase.read("W1905A"), units=units, centres={Power.TURKEY: owned})
    order = Build(unit) if due > 0 else Disband(unit)
    _, again = adjudicate(BOARD, position, {Power.TURKEY: [order, order]}, EDITIONS["datc"]).results
    assert str(again.reason).endswith(f"is ordered already (DATC {case})")
