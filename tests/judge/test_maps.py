"""The Sandard variant: six powers, Turkey one neutral centre, Rumania none (EDC23 B)."""

from pipeline.board import Phase, Position, Power, _sandard_map, standard_map, starting_position
from pipeline.judge.adjudicate import adjudicate, legal_orders
from pipeline.judge.rulebook import DATC, rulebook
from pipeline.orders import read_order, read_unit, write


def test_six_powers_begin_and_turkey_has_no_unit() -> None:
    start = starting_position(_sandard_map())

    assert set(start.units) == set(Power) - {Power.TURKEY}
    assert Power.TURKEY not in start.centres
    assert sum(map(len, start.centres.values())) == 19


def test_constantinople_is_neutral_and_can_be_taken() -> None:
    fall = Position(
        phase=Phase.read("F1901M"),
        units={Power.RUSSIA: (read_unit("F BLA"), read_unit("A RUM"), read_unit("A ARM"))},
        centres={Power.RUSSIA: ("SEV", "MOS")},
    )
    orders = {Power.RUSSIA: [read_order("F BLA - CON"), read_order("A ARM - ANK")]}
    after = adjudicate(_sandard_map(), fall, orders, DATC).after

    assert after.centres == {Power.RUSSIA: ("CON", "MOS", "SEV")}
    assert str(after.phase) == "S1902M"
    assert adjudicate(standard_map(), fall, orders, DATC).after.centres == {
        Power.RUSSIA: ("ANK", "CON", "MOS", "RUM", "SEV")
    }


def test_nobody_builds_in_what_was_turkey() -> None:
    winter = Position(
        phase=Phase.read("W1902A"), units={Power.RUSSIA: ()}, centres={Power.RUSSIA: ("CON", "SEV"), Power.TURKEY: ()}
    )

    builds = [write(order) for order in legal_orders(_sandard_map(), winter, Power.RUSSIA)]
    assert builds == ["A SEV B", "F SEV B", "WAIVE"]


def test_a_power_that_is_not_in_the_game_cannot_order() -> None:
    start = starting_position(_sandard_map())
    [result] = adjudicate(_sandard_map(), start, {Power.TURKEY: [read_order("A CON - BUL")]}, DATC).results[:1]

    assert result.reason == "there is no unit in CON"


def test_first_year_builds_are_imposed_on_the_variant_too() -> None:
    winter = Position(
        phase=Phase.read("W1901A"),
        units={Power.ITALY: (read_unit("A TUN"),)},
        centres={Power.ITALY: ("NAP", "ROM", "TUN", "VEN")},
    )
    after = adjudicate(_sandard_map(), winter, {}, rulebook("datc")).after
    imposed = adjudicate(_sandard_map(), winter, {}, rulebook({"imposed_builds": 2})).after

    assert [str(unit) for unit in after.units[Power.ITALY]] == ["A TUN"]
    assert [str(unit) for unit in imposed.units[Power.ITALY]] == ["A ROM", "A TUN", "F NAP"]
