"""Random positions and orders for what must always be true, dense enough that units meet."""

from hypothesis import strategies as st

from pipeline.board import Map, Phase, Position, Power, Unit, standard_map
from pipeline.judge.adjudicate import _unit_orders
from pipeline.judge.legality import field_of, ground_of
from pipeline.judge.rulebook import DATC
from pipeline.orders import Hold, Order

Orders = dict[Power, list[Order]]
SPRING = Phase.read("S1901M")


def all_units(board: Map) -> list[Unit]:
    ground = ground_of(board)
    return [*ground.armies.values(), *ground.fleets.values()]


def places_near(board: Map, seas: int) -> list[Unit]:
    """The units of a corner of the map, so that few of them already crowd it."""
    corner = [*board.provinces][seas % len(board.provinces)]
    near = {corner, *board.neighbours[corner]}
    near |= {other for code in near for other in board.neighbours[code]}
    return [unit for unit in all_units(board) if unit.province in near]


@st.composite
def battles(draw: st.DrawFn, units: int = 14, powers: int = 4) -> tuple[Position, Orders]:
    """Draw a movement phase: units of a few powers in a corner of the map, each with an order one could think of."""
    board = standard_map()
    choice = places_near(board, draw(st.integers(0, 74)))
    placed = draw(st.lists(st.sampled_from(choice), min_size=2, max_size=units, unique_by=lambda unit: unit.province))
    owners = draw(st.lists(st.sampled_from(list(Power)[:powers]), min_size=len(placed), max_size=len(placed)))
    owned: dict[Power, list[Unit]] = {}
    for unit, owner in zip(placed, owners, strict=True):
        owned.setdefault(owner, []).append(unit)
    position = Position(phase=SPRING, units={p: tuple(us) for p, us in owned.items()}, centres={})
    field = field_of(ground_of(board), position, DATC)
    orders: Orders = {}
    for number, (power, unit) in enumerate(zip(field.powers, field.units, strict=True)):
        thinkable = [order for order in _unit_orders(field, number) if not isinstance(order, Hold)]
        orders.setdefault(power, []).append(draw(st.sampled_from(thinkable)) if thinkable else Hold(unit))
    return position, orders
