"""What is always true of a movement phase, whatever was ordered."""

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.positions import SPRING, Orders, all_units, battles, places_near
from pipeline.board import Position, Power, Unit, standard_map
from pipeline.judge.adjudicate import adjudicate, find_carriers, legal_orders, why_illegal
from pipeline.judge.chosen_orders import choose_orders
from pipeline.judge.legality import field_of, ground_of
from pipeline.judge.movement import _fight
from pipeline.judge.outcome import Resolution, Word
from pipeline.judge.rulebook import DATC, EDITIONS, Rulebook
from pipeline.orders import Convoy, Hold, Move, Order, Support, Waive, read_order, write

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
def test_orders_survive_their_notation(battle: Battle, rules: Rulebook) -> None:
    for each in judge(battle, rules).results:
        assert read_order(write(each.order)) == each.order


@QUICK
@given(battles(), RULES)
def test_every_failure_names_its_culprit(battle: Battle, rules: Rulebook) -> None:
    for each in judge(battle, rules).results:
        if each.outcome.result in (Word.FAILS, Word.CUT, Word.DISRUPTED):
            assert each.by, each.reason


@QUICK
@given(battles(), RULES)
def test_every_answer_follows_from_the_others(battle: Battle, rules: Rulebook) -> None:
    """Whoever knows all other answers of a battle can say each of them: none is only what was left."""
    position, orders = battle
    field = field_of(ground_of(BOARD), position, rules)
    fought = _fight(field, choose_orders(field, orders)).battle
    moves = [mover for mover, goal in enumerate(fought.goal) if goal]
    supports = [supporter for supporter, into in enumerate(fought.into) if into]
    carried = [army for army, routes in fought.routes.items() if routes]

    assert {mover: fought.ask_move(mover) for mover in moves} == {mover: fought.won[mover] for mover in moves}
    assert {each: fought.ask_support(each) for each in supports} == {each: fought.given[each] for each in supports}
    assert {army: fought.ask_arrival(army) for army in carried} == {army: fought.arrives[army] for army in carried}


PROVINCES = sorted(BOARD.provinces)
PLACES = sorted({*PROVINCES, *(unit.place for unit in UNITS)})


def parts(order: Order) -> tuple[object, ...]:
    """An order without coasts, and however an army goes."""
    return type(order), getattr(order, "unit", None), getattr(order, "of", None), (getattr(order, "to", None) or "")[:3]


@settings(max_examples=8, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(PROVINCES))
def test_every_order_that_is_possible_is_listed(random: Random, corner: str) -> None:
    near = places_near(BOARD, [*BOARD.provinces].index(corner))
    random.shuffle(near)
    units = tuple({unit.province: unit for unit in near}.values())[:8]
    position = Position(phase=SPRING, units={Power.ITALY: units[:3], Power.FRANCE: units[3:]}, centres={})
    every: list[Order] = [Move(unit, place) for unit in units[:3] for place in PLACES]
    for unit, of in product(units[:3], units):
        every += [Hold(unit), Support(unit, of)]
        every += [made(unit, of, place) for place in PLACES for made in (Support, Convoy)]
    possible = {parts(each) for each in every if why_illegal(BOARD, position, Power.ITALY, each) is None}
    listed = legal_orders(BOARD, position, Power.ITALY)
    assert ({parts(each) for each in listed}, len({*listed})) == (possible, len(listed))
    carriers = {each.unit for each in listed if isinstance(each, Convoy)}
    assert find_carriers(BOARD, position, Power.ITALY) == carriers
    assert all(why_illegal(BOARD, position, Power.ITALY, each) is None for each in listed)


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


@QUICK
@given(battles(), st.integers(0, 6), RULES)
def test_a_unit_that_only_others_ordered_has_its_line(battle: Battle, others: int, rules: Rulebook) -> None:
    """What a power writes for a foreign unit is told, and so is what becomes of that unit."""
    position, orders = battle
    powers = list(orders)
    turned = {power: orders[powers[(n + others) % len(powers)]] for n, power in enumerate(powers)}
    results = judge((position, turned), rules).results
    told = {(result.power, result.order.unit.province) for result in results if not isinstance(result.order, Waive)}

    assert {(power, unit.province) for power, unit in position.all_units()} <= told
