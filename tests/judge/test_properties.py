"""What is always true of a movement phase, whatever was ordered."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.brute_force import Table
from judge.positions import SPRING, Orders, all_units, battles
from pipeline.board import Position, Power, Unit, standard_map
from pipeline.judge.adjudicate import adjudicate, legal_orders, why_illegal
from pipeline.judge.legality import ground_of
from pipeline.judge.outcome import Resolution, Word
from pipeline.judge.rulebook import DATC, EDITIONS, Rulebook
from pipeline.orders import Convoy, Disband, Hold, Move, Order, Retreat, Support, read_order, write

BOARD = standard_map()
UNITS = all_units(BOARD)
Battle = tuple[Position, Orders]
RULES = st.sampled_from([*EDITIONS.values()])
QUICK = settings(max_examples=30, deadline=None)


def judge(battle: Battle, rules: Rulebook = DATC) -> Resolution:
    return adjudicate(BOARD, *battle, rules)


def standing(resolution: Resolution) -> list[Unit]:
    return [unit for _, unit in resolution.after.all_units()]


@QUICK
@given(battles(), RULES)
def test_no_two_units_end_in_one_province(battle: Battle, rules: Rulebook) -> None:
    provinces = [unit.province for unit in standing(judge(battle, rules))]

    assert len(provinces) == len(set(provinces))


@QUICK
@given(battles(), RULES)
def test_movement_neither_makes_nor_loses_units(battle: Battle, rules: Rulebook) -> None:
    resolution = judge(battle, rules)

    before = sorted((power, unit.kind) for power, unit in battle[0].all_units())
    stayed = [(power, unit.kind) for power, unit in resolution.after.all_units()]
    driven = [(each.power, each.unit.kind) for each in resolution.after.dislodged]
    assert sorted(stayed + driven) == before


@QUICK
@given(battles(), st.randoms(use_true_random=False), RULES)
def test_the_order_in_which_orders_are_given_never_matters(battle: Battle, random: Random, rules: Rulebook) -> None:
    position, orders = battle
    powers = random.sample(list(orders), len(orders))
    shuffled = {power: random.sample(orders[power], len(orders[power])) for power in powers}
    units = {
        power: tuple(random.sample(position.units[power], len(position.units[power]))) for power in reversed(powers)
    }
    one = judge(battle, rules)
    other = judge((replace(position, units=units), shuffled), rules)

    assert one.after.units == other.after.units
    assert sorted(map(str, one.after.dislodged)) == sorted(map(str, other.after.dislodged))
    assert words(one) == words(other)


def words(resolution: Resolution) -> list[tuple[str, str, str]]:
    return sorted((each.power, write(each.order), str(each.outcome.result)) for each in resolution.results)


@QUICK
@given(battles(), st.permutations(list(Power)), RULES)
def test_powers_are_treated_alike(battle: Battle, renamed: list[Power], rules: Rulebook) -> None:
    position, orders = battle
    names = dict(zip(Power, renamed, strict=True))
    units = {names[power]: owned for power, owned in position.units.items()}
    other = judge((replace(position, units=units), {names[power]: given for power, given in orders.items()}), rules)

    assert other.after.units == {names[power]: owned for power, owned in judge(battle, rules).after.units.items()}


@QUICK
@given(battles(), RULES)
def test_judging_twice_gives_the_same(battle: Battle, rules: Rulebook) -> None:
    assert judge(battle, rules) == judge(battle, rules)


@QUICK
@given(battles(), RULES)
def test_every_retreat_offered_is_legal_and_open(battle: Battle, rules: Rulebook) -> None:
    after = judge(battle, rules).after
    ground, occupied = ground_of(BOARD), {unit.province for _, unit in after.all_units()}

    for each in after.dislodged:
        for place in each.retreats:
            assert ground.reaches(each.unit, place[:3])
            assert BOARD.can_stand(each.unit.kind, place)
            assert place[:3] not in occupied
            retreats = replace(after, phase=after.phase.following(retreats=True)) if after.phase.step == "M" else after
            [result] = adjudicate(BOARD, retreats, {each.power: [Retreat(each.unit, place)]}, rules).results[:1]
            assert result.outcome.result is Word.SUCCEEDS


@QUICK
@given(battles(), RULES)
def test_orders_survive_their_notation(battle: Battle, rules: Rulebook) -> None:
    for each in judge(battle, rules).results:
        assert read_order(write(each.order)) == each.order


@QUICK
@given(battles(), RULES)
def test_a_result_says_what_happened_on_the_board(battle: Battle, rules: Rulebook) -> None:
    resolution = judge(battle, rules)
    stands = {(power, unit.province) for power, unit in resolution.after.all_units()}
    driven = {(each.power, each.unit.province) for each in resolution.after.dislodged}

    for each in resolution.results:
        assert not isinstance(each.order, Retreat | Disband)
        here = (each.power, each.order.unit.province)  # type: ignore[union-attr]
        assert (here in driven) == (each.dislodged_by is not None)
        if isinstance(each.order, Move) and each.outcome.result is Word.SUCCEEDS:
            assert (each.power, each.order.to[:3]) in stands
        elif here not in driven:
            assert here in stands


@QUICK
@given(battles(), RULES)
def test_every_failure_names_its_culprit(battle: Battle, rules: Rulebook) -> None:
    for each in judge(battle, rules).results:
        if each.outcome.result in (Word.FAILS, Word.CUT, Word.DISRUPTED):
            assert each.by, each.reason


@settings(max_examples=60, deadline=None)
@given(battles(units=9, powers=3))
def test_a_second_plain_judge_agrees(battle: Battle) -> None:
    position, orders = battle
    legal = {
        power: [o for o in given if why_illegal(BOARD, position, power, o) is None] for power, given in orders.items()
    }
    if any(len(legal[power]) < len(orders[power]) for power in orders):
        position, legal = without_illegal(position, legal)
    table = Table(ground_of(BOARD), position, legal)
    solutions = list(table.solutions())
    resolution = judge((position, legal))
    won = {
        each.order.unit.province
        for each in resolution.results
        if isinstance(each.order, Move) and each.outcome.result is Word.SUCCEEDS
    }
    if len(solutions) == 1:
        assert won == solutions[0]
    elif not any(isinstance(order, Convoy) for given in legal.values() for order in given):
        assert won == max(solutions, key=len)  # units that move round in a circle all move


def without_illegal(position: Position, legal: Orders) -> Battle:
    """Let the units whose order is impossible hold, as the rules say."""
    ordered = {order.unit.province for given in legal.values() for order in given}  # type: ignore[union-attr]
    full = {power: list(given) for power, given in legal.items()}
    for power, unit in position.all_units():
        if unit.province not in ordered:
            full.setdefault(power, []).append(Hold(unit))
    return position, full


@settings(max_examples=30, deadline=None)
@given(battles())
def test_legal_orders_are_never_refused(battle: Battle) -> None:
    position, _ = battle
    for power in position.units:
        given = legal_orders(BOARD, position, power)

        assert len(given) == len(set(given))
        assert {order.unit for order in given if isinstance(order, Hold)} == set(position.units[power])
        for order in given:
            [result, *_] = judge((position, {power: [order]})).results
            assert result.outcome.result is not Word.ILLEGAL


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False), RULES)
def test_a_crowded_board_of_nonsense_is_judged(random: Random, rules: Rulebook) -> None:
    placed = {unit.province: unit for unit in random.sample(UNITS, len(UNITS))}
    units: dict[Power, list[Unit]] = {}
    for unit in placed.values():
        units.setdefault(random.choice(list(Power)), []).append(unit)
    position = Position(phase=SPRING, units={power: tuple(owned) for power, owned in units.items()}, centres={})
    places = [*BOARD.army_borders, *BOARD.fleet_borders]
    orders: Orders = {power: [] for power in units}
    for power, owned in units.items():
        for unit in owned:
            other, to = random.choice(list(placed.values())), random.choice(places)
            near = random.choice(sorted(BOARD.reach(unit.kind, unit.place)))
            thinkable: list[Order] = [
                Move(unit, near),
                Move(unit, to, True),
                Support(unit, other, near),
                Support(unit, other),
                Convoy(unit, other, to),
            ]
            orders[power].append(random.choice(thinkable))
    resolution = judge((position, orders), rules)

    assert len(placed) == 75
    assert len({unit.province for unit in standing(resolution)}) == len(standing(resolution))
    assert len(standing(resolution)) + len(resolution.after.dislodged) == len(placed)
