"""A symmetric position stays symmetric: on a map that is its own mirror image, mirrored orders mirror their results."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.board import Kind, Map, Phase, Position, Power, Unit, _read_map
from pipeline.judge.adjudicate import _unit_orders, adjudicate
from pipeline.judge.legality import field_of, ground_of
from pipeline.judge.rulebook import DATC, EDITIONS, Rulebook
from pipeline.orders import Convoy, Hold, Move, Order, Support

# Left of the middle everything begins with L, right of it with R; what begins with M is its own mirror image.
MIRROR = _read_map(
    """
provinces
  LCA coast Left Cape
  LCB coast Left Bay
  LCC coast Left Cliff
  LND land  Left Land
  LSE sea   Left Sea
  MCO coast Middle Coast
  MLA land  Middle Land
  MSE sea   Middle Sea
  RCA coast Right Cape
  RCB coast Right Bay
  RCC coast Right Cliff
  RND land  Right Land
  RSE sea   Right Sea
armies
  LCA LCB LND
  LCB LCA LCC LND
  LCC LCB LND MCO MLA
  LND LCA LCB LCC MLA
  MCO LCC RCC MLA
  MLA LCC LND MCO RCC RND
  RCA RCB RND
  RCB RCA RCC RND
  RCC RCB RND MCO MLA
  RND RCA RCB RCC MLA
fleets
  LCA LCB LSE
  LCB LCA LCC LSE MSE
  LCC LCB MCO MSE
  LSE LCA LCB MSE
  MCO LCC RCC MSE
  MSE LCB LCC LSE MCO RCB RCC RSE
  RCA RCB RSE
  RCB RCA RCC RSE MSE
  RCC RCB MCO MSE
  RSE RCA RCB MSE
""",
    "mirror",
)
POWERS = {
    Power.ENGLAND: Power.FRANCE,
    Power.FRANCE: Power.ENGLAND,
    Power.ITALY: Power.TURKEY,
    Power.TURKEY: Power.ITALY,
}
Orders = dict[Power, list[Order]]


def mirrored(place: str) -> str:
    return {"L": "R", "R": "L"}.get(place[0], place[0]) + place[1:]


def mirror_unit(unit: Unit) -> Unit:
    return Unit(unit.kind, mirrored(unit.place))


def mirror_order(order: Order) -> Order:
    match order:
        case Move(unit, to, via):
            return Move(mirror_unit(unit), mirrored(to), via)
        case Support(unit, of, to):
            return Support(mirror_unit(unit), mirror_unit(of), None if to is None else mirrored(to))
        case Convoy(unit, of, to):
            return Convoy(mirror_unit(unit), mirror_unit(of), mirrored(to))
        case _:
            assert isinstance(order, Hold)
            return Hold(mirror_unit(order.unit))


def places(board: Map) -> list[Unit]:
    """Units of the left half; nothing stands on the axis, where one unit would have to belong to two powers."""
    armies = [Unit(Kind.ARMY, code) for code in board.army_borders if code.startswith("L")]
    return armies + [Unit(Kind.FLEET, code) for code in board.fleet_borders if code.startswith("L")]


@st.composite
def symmetric_battles(draw: st.DrawFn) -> tuple[Position, Orders]:
    left = draw(st.lists(st.sampled_from(places(MIRROR)), min_size=2, max_size=5, unique_by=lambda unit: unit.province))
    owners = draw(st.lists(st.sampled_from(list(POWERS)), min_size=len(left), max_size=len(left)))
    units: dict[Power, list[Unit]] = {}
    for unit, owner in zip(left, owners, strict=True):
        units.setdefault(owner, []).append(unit)
        units.setdefault(POWERS[owner], []).append(mirror_unit(unit))
    position = Position(
        phase=Phase.read("S1901M"), units={power: tuple(owned) for power, owned in units.items()}, centres={}
    )
    field = field_of(ground_of(MIRROR), position, DATC)
    orders: Orders = {}
    for unit, owner in zip(left, owners, strict=True):
        order = draw(st.sampled_from(list(_unit_orders(field, field.at[unit.province]))))
        orders.setdefault(owner, []).append(order)
        orders.setdefault(POWERS[owner], []).append(mirror_order(order))
    return position, orders


@settings(max_examples=40, deadline=None)
@given(symmetric_battles(), st.sampled_from([*EDITIONS.values()]))
def test_a_symmetric_position_stays_symmetric(battle: tuple[Position, Orders], rules: Rulebook) -> None:
    after = adjudicate(MIRROR, *battle, rules).after

    for power, other in POWERS.items():
        assert sorted(map(mirror_unit, after.units.get(power, ()))) == sorted(after.units.get(other, ()))
        driven = {each.unit: each.retreats for each in after.dislodged if each.power is power}
        assert {mirror_unit(unit): {mirrored(place) for place in places} for unit, places in driven.items()} == {
            each.unit: set(each.retreats) for each in after.dislodged if each.power is other
        }
