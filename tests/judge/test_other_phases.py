"""What is always true of retreats and adjustments, whatever was ordered."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.positions import Orders, all_units, battles
from pipeline.board import Dislodged, Kind, Phase, Position, Power, Step, Terrain, Unit, standard_map
from pipeline.judge.adjudicate import adjudicate, legal_orders, why_illegal
from pipeline.judge.adjustments import COUNTRYSIDE, NOWHERE, distance, removed_first
from pipeline.judge.outcome import Result, Word
from pipeline.judge.retreats import after_fall, balances
from pipeline.judge.rulebook import EDITIONS, Rulebook, rulebook
from pipeline.orders import Build, Disband, Order, Retreat, Waive

BOARD = standard_map()
UNITS = all_units(BOARD)
QUICK = settings(max_examples=30, deadline=None)
RULES = st.sampled_from(
    [
        *EDITIONS.values(),
        rulebook({"too_many_builds": "last", "too_many_removals": "none", "two_builds_in_one_place": "none"}),
        rulebook({"removal_spares_centres": True, "imposed_builds": 2, "4.D.8": "b", "waiving": False}),
    ]
)


@st.composite
def winters(draw: st.DrawFn) -> tuple[Position, Orders]:
    """Draw a winter: units anywhere, centres to anybody, and orders right and wrong."""
    powers = list(Power)[:3]
    placed = draw(st.lists(st.sampled_from(UNITS), max_size=12, unique_by=lambda unit: unit.province))
    units = {power: tuple(placed[n :: len(powers)]) for n, power in enumerate(powers)}
    centres = draw(st.lists(st.sampled_from(BOARD.centres), max_size=18, unique=True))
    owned = {power: tuple(sorted(centres[n :: len(powers)])) for n, power in enumerate(powers)}
    position = Position(phase=Phase.read(draw(st.sampled_from(["W1901A", "W1905A"]))), units=units, centres=owned)
    orders = {power: draw(st.lists(st.sampled_from(thinkable(position, power)), max_size=5)) for power in powers}
    return position, orders


def thinkable(position: Position, power: Power) -> Sequence[Order]:
    homes = [unit for unit in UNITS if unit.province in BOARD.homes[power]]
    return [*map(Build, homes), *map(Disband, position.units[power]), Disband(Unit(UNITS[0].kind, "MOS")), Waive()]


@QUICK
@given(winters(), RULES)
def test_after_winter_no_power_has_more_units_than_centres(winter: tuple[Position, Orders], rules: Rulebook) -> None:
    after = adjudicate(BOARD, *winter, rules).after
    provinces = [unit.province for _, unit in after.all_units()]

    assert all(due >= 0 for due in balances(after).values())
    assert len(provinces) == len(set(provinces))
    assert str(after.phase) in ("S1902M", "S1906M")


@QUICK
@given(winters(), RULES)
def test_builds_and_removals_are_what_the_results_say(winter: tuple[Position, Orders], rules: Rulebook) -> None:
    position, orders = winter
    resolution = adjudicate(BOARD, position, orders, rules)

    for power, before in position.units.items():
        done = [each for each in resolution.results if each.power is power and took_place(each)]
        built = [each.order.unit for each in done if isinstance(each.order, Build)]
        gone = [each.order.unit for each in done if isinstance(each.order, Disband)]
        after = resolution.after.units[power]
        assert len(after) == len(before) + len(built) - len(gone)
        assert {unit.province for unit in after} == ({u.province for u in before} | {u.province for u in built}) - {
            u.province for u in gone
        }


def took_place(result: Result) -> bool:
    return result.outcome.result in (Word.SUCCEEDS, Word.AUTOMATIC)


@QUICK
@given(winters(), st.permutations(list(Power)[:3]), RULES)
def test_the_order_of_powers_never_matters_in_winter(
    winter: tuple[Position, Orders], powers: list[Power], rules: Rulebook
) -> None:
    position, orders = winter
    turned = {power: orders[power] for power in powers}

    assert adjudicate(BOARD, position, turned, rules).after == adjudicate(BOARD, position, orders, rules).after


@QUICK
@given(winters())
def test_what_is_listed_as_legal_in_winter_is_legal(winter: tuple[Position, Orders]) -> None:
    position, _ = winter
    for power in position.units:
        for order in legal_orders(BOARD, position, power):
            [result, *_] = adjudicate(BOARD, position, {power: [order]}, EDITIONS["datc"]).results
            assert (result.order, result.outcome.result) == (order, Word.SUCCEEDS)
            assert why_illegal(BOARD, position, power, order) is None


@settings(max_examples=40, deadline=None)
@given(battles(units=16, powers=3), st.data(), RULES)
def test_nobody_retreats_onto_another(battle: tuple[Position, Orders], data: st.DataObject, rules: Rulebook) -> None:
    after = adjudicate(BOARD, *battle, rules).after
    if after.phase.step is not Step.RETREATS:
        return
    orders: Orders = {}
    for each in after.dislodged:
        choices = [order for order in legal_orders(BOARD, after, each.power) if order_of(order) == each.unit]
        orders.setdefault(each.power, []).append(data.draw(st.sampled_from(choices)))
    resolution = adjudicate(BOARD, after, orders, rules)
    provinces = [unit.province for _, unit in resolution.after.all_units()]
    fled = [each for each in resolution.results if isinstance(each.order, Retreat) and took_place(each)]

    assert len(provinces) == len(set(provinces))
    assert len(provinces) == len(list(after.all_units())) + len(fled)
    assert all(each.outcome.result in (Word.SUCCEEDS, Word.FAILS) for each in resolution.results)
    assert not resolution.after.dislodged


def order_of(order: Order) -> Unit | None:
    return None if isinstance(order, Waive) else order.unit


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
    assert distance(BOARD, Unit(Kind.ARMY, "VIE"), frozenset(), EDITIONS["datc"]) == NOWHERE
    assert distance(BOARD, Unit(Kind.ARMY, "VIE"), frozenset({"VIE"}), EDITIONS["datc"]) == 0


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


def test_a_power_that_lost_all_its_units_builds_anew() -> None:
    unit = Unit(Kind.ARMY, "BER")
    position = Position(phase=Phase.read("W1905A"), units={}, centres={Power.GERMANY: BOARD.homes[Power.GERMANY]})
    after = adjudicate(BOARD, position, {Power.GERMANY: [Build(unit)]}, EDITIONS["datc"]).after
    assert after.units == {Power.GERMANY: (unit,)}


def test_a_power_without_centres_loses_its_last_unit() -> None:
    position = Position(phase=Phase.read("W1905A"), units={Power.TURKEY: (Unit(Kind.ARMY, "BER"),)}, centres={})
    assert adjudicate(BOARD, position, {}, EDITIONS["datc"]).after.units == {Power.TURKEY: ()}


@pytest.mark.parametrize("due", [1, -1])
def test_a_province_that_is_not_on_the_map_is_said_to_be_none(due: int) -> None:
    """Whether something is to be built or to be removed."""
    units = {Power.TURKEY: (Unit(Kind.ARMY, "BER"),) * (due < 0)}
    position = Position(phase=Phase.read("W1905A"), units=units, centres={Power.TURKEY: ("ANK",) * (due > 0)})
    nowhere = Unit(Kind.ARMY, "XYZ")
    order = Build(nowhere) if due > 0 else Disband(nowhere)
    result = adjudicate(BOARD, position, {Power.TURKEY: [order]}, EDITIONS["datc"]).results[0]
    assert (result.outcome.result, str(result.reason)) == (Word.INVALID, "'XYZ' is not a province of this map")


@pytest.mark.parametrize(("choice", "letter", "is_taken"), [("a", "A", True), ("a", "F", False), ("b", "F", True)])
def test_a_wrong_letter_is_followed_where_the_rules_ignore_it(choice: str, letter: str, is_taken: bool) -> None:
    """4.C.2: Turkey's army in Berlin is removed in winter, or retreats; else Kiel goes, and it disbands."""
    rules, army = rulebook({"4.C.2": choice}), Unit(Kind.ARMY, "BER")
    written = Unit(Kind.ARMY if letter == "A" else Kind.FLEET, "BER")
    kiel, prussia = Unit(Kind.ARMY, "KIE"), Unit(Kind.ARMY, "PRU")

    units, centres = {Power.TURKEY: (army, kiel)}, {Power.TURKEY: ("ANK",)}
    winter = Position(phase=Phase.read("W1905A"), units=units, centres=centres)
    found = adjudicate(BOARD, winter, {Power.TURKEY: [Disband(written)]}, rules)
    assert found.after.units == {Power.TURKEY: (kiel if is_taken else army,)}
    assert (found.results[0].outcome.result is Word.SUCCEEDS) is is_taken

    driven = Dislodged(power=Power.TURKEY, unit=army, by="MUN", retreats=("PRU",))
    retreat = Position(phase=Phase.read("S1905R"), units={Power.TURKEY: ()}, centres={}, dislodged=(driven,))
    found = adjudicate(BOARD, retreat, {Power.TURKEY: [Retreat(written, "PRU")]}, rules)
    assert found.after.units == {Power.TURKEY: (prussia,) if is_taken else ()}
    assert (found.results[0].outcome.result is Word.SUCCEEDS) is is_taken


@pytest.mark.parametrize(
    ("rule", "orders", "kept"),
    [
        ("none", ("BRE", "MAR"), ("BRE", "MAR")),  # no more than are due
        ("none", ("BRE", "MAR", "PAR"), ()),
        ("first", ("BRE", "MAR", "PAR"), ("BRE", "MAR")),
        ("last", ("BRE", "MAR", "PAR"), ("MAR", "PAR")),
        ("last", ("BRE",), ("BRE",)),
    ],
)
def test_of_builds_that_are_too_many_none_or_the_first_or_the_last_count(
    rule: str, orders: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    owned = {Power.FRANCE: ("BRE", "MAR", "PAR", "SPA", "POR")}
    units = {Power.FRANCE: (Unit(Kind.ARMY, "SPA"), Unit(Kind.ARMY, "POR"), Unit(Kind.ARMY, "BUR"))}
    position = Position(phase=Phase.read("W1901A"), units=units, centres=owned)
    builds: Orders = {Power.FRANCE: [Build(Unit(Kind.ARMY, name)) for name in orders]}
    after = adjudicate(BOARD, position, builds, rulebook({"too_many_builds": rule})).after
    assert {unit.province for unit in after.units[Power.FRANCE]} - {"SPA", "POR", "BUR"} == set(kept)


def test_of_two_builds_in_one_place_neither_counts_where_the_rules_say_so() -> None:
    homes = BOARD.homes[Power.GERMANY]
    position = Position(phase=Phase.read("W1905A"), units={}, centres={Power.GERMANY: (*homes, "DEN", "HOL")})
    twice = [Build(Unit(kind, place)) for place in ("BER", "KIE") for kind in (Kind.ARMY, Kind.FLEET)]
    munich = Unit(Kind.ARMY, "MUN")
    rules = rulebook({"two_builds_in_one_place": "none"})
    found = adjudicate(BOARD, position, {Power.GERMANY: [*twice, Build(munich)]}, rules)
    assert found.after.units == {Power.GERMANY: (munich,)}


def test_a_build_is_imposed_in_place_of_one_that_may_not_be_waived() -> None:
    homes = BOARD.homes[Power.GERMANY]
    position = Position(phase=Phase.read("W1901A"), units={}, centres={Power.GERMANY: homes})
    for may_waive, imposed in ((True, 1), (False, 2)):
        rules = rulebook({"imposed_builds": 2, "waiving": may_waive})
        after = adjudicate(BOARD, position, {Power.GERMANY: [Waive()]}, rules).after
        assert len(after.units.get(Power.GERMANY, ())) == imposed


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


def test_there_is_no_winter_where_all_are_in_balance() -> None:
    position = Position(
        phase=Phase.read("W1905A"), units={Power.TURKEY: (Unit(Kind.ARMY, "ANK"),)}, centres={Power.GERMANY: ("ANK",)}
    )
    counted = after_fall(BOARD, position)
    assert counted.centres == {Power.GERMANY: (), Power.TURKEY: ("ANK",)}
    assert str(counted.phase) == "S1906M"


@pytest.mark.parametrize(("step", "owner"), [("S1905R", Power.GERMANY), ("F1905R", Power.TURKEY)])
def test_who_retreats_into_a_centre_in_fall_takes_it(step: str, owner: Power) -> None:
    driven = Dislodged(power=Power.TURKEY, unit=Unit(Kind.ARMY, "KIE"), by="MUN", retreats=("BER",))
    centres = {Power.GERMANY: ("BER",), Power.TURKEY: ()}
    position = Position(phase=Phase.read(step), units={}, centres=centres, dislodged=(driven,))
    after = adjudicate(BOARD, position, {Power.TURKEY: [Retreat(driven.unit, "BER")]}, EDITIONS["datc"]).after
    assert after.centres[owner] == ("BER",)


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


def test_an_army_retreats_to_a_province_of_which_a_coast_is_named() -> None:
    driven = Dislodged(power=Power.TURKEY, unit=Unit(Kind.ARMY, "POR"), by="MAO", retreats=("SPA",))
    position = Position(phase=Phase.read("S1905R"), units={}, centres={}, dislodged=(driven,))
    order = Retreat(driven.unit, "SPA/SC")
    after = adjudicate(BOARD, position, {Power.TURKEY: [order]}, EDITIONS["datc"]).after
    assert after.units == {Power.TURKEY: (Unit(Kind.ARMY, "SPA"),)}
