"""Judge one phase, whichever it is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from pipeline.board import Kind, Map, Position, Power, Step, Unit, province_of
from pipeline.judge.adjustments import adjudicate_adjustments, adjustment_orders, adjustment_refusal
from pipeline.judge.legality import Battlefield, convoy_routes, field_of, ground_of, refusal
from pipeline.judge.movement import adjudicate_movement
from pipeline.judge.outcome import Failed, Illegal, Invalid, Resolution
from pipeline.judge.retreats import adjudicate_retreats, retreat_orders, retreat_refusal
from pipeline.judge.rulebook import DATC, Rulebook
from pipeline.orders import Convoy, Hold, Move, Order, Support


def adjudicate(board: Map, position: Position, orders: Mapping[Power, Sequence[Order]], rules: Rulebook) -> Resolution:
    """Adjudicate one phase. Orders that a player leaves out are filled in by the rules.

    >>> from pipeline.board import starting_position
    >>> from pipeline.board import standard_map
    >>> from pipeline.judge.rulebook import DATC
    >>> from pipeline.orders import read_order
    >>> start = starting_position(standard_map())
    >>> resolution = adjudicate(standard_map(), start, {Power.AUSTRIA: [read_order("A VIE - TYR")],
    ...                                                 Power.ITALY: [read_order("A VEN - TYR")]}, DATC)
    >>> print(resolution.results[0].reason)
    bounces 1:1 with A VEN - TYR
    """
    match position.phase.step:
        case Step.MOVEMENT:
            return adjudicate_movement(board, position, orders, rules)
        case Step.RETREATS:
            return adjudicate_retreats(board, position, orders, rules)
        case Step.ADJUSTMENTS:
            return adjudicate_adjustments(board, position, orders, rules)
        case step:
            assert_never(step)


# What a power may order in a position, and why an order is not among it: for whoever reads or enters orders.


def legal_orders(board: Map, position: Position, power: Power, rules: Rulebook = DATC) -> tuple[Order, ...]:
    """List every order of a power that some orders of the others could make work (DATC 4.E.1).

    A move that could go by land or by sea is listed both ways; a support of a fleet's move to one of two coasts is
    listed with either coast and without.

    >>> from pipeline.board import starting_position
    >>> from pipeline.board import standard_map
    >>> from pipeline.orders import write
    >>> start = starting_position(standard_map())
    >>> [write(order) for order in legal_orders(standard_map(), start, Power.ENGLAND)][:4]
    ['A LVP H', 'A LVP - CLY', 'A LVP - EDI', 'A LVP - WAL']
    """
    match position.phase.step:
        case Step.RETREATS:
            return tuple(retreat_orders(position, power))
        case Step.ADJUSTMENTS:
            return tuple(adjustment_orders(board, position, power, rules))
        case _:
            field = field_of(ground_of(board), position, rules)
            own = [n for n, owner in enumerate(field.powers) if owner is power]
            return tuple(order for n in own for order in _unit_orders(field, n) if refusal(field, power, order) is None)


def find_carriers(board: Map, position: Position, power: Power) -> frozenset[Unit]:
    """The fleets of a power to which `legal_orders` gives a convoy under the rules of the DATC."""
    if position.phase.step is not Step.MOVEMENT:
        return frozenset()
    field = field_of(ground_of(board), position, DATC)
    convoys = (order for unit in position.units.get(power, ()) for order in _unit_convoys(field, unit))
    return frozenset(order.unit for order in convoys if refusal(field, power, order) is None)


def why_illegal(
    board: Map, position: Position, power: Power, order: Order, rules: Rulebook = DATC
) -> Illegal | Invalid | Failed | None:
    """Say what makes one order impossible, taken by itself; nothing if it is legal."""
    match position.phase.step:
        case Step.RETREATS:
            return retreat_refusal(board, position, power, order, rules)
        case Step.ADJUSTMENTS:
            return adjustment_refusal(board, position, power, order, rules)
        case _:
            return refusal(field_of(ground_of(board), position, rules), power, order)


def _unit_orders(field: Battlefield, number: int) -> Iterator[Order]:
    """List candidate orders for one unit; the caller removes the illegal ones."""
    unit = field.units[number]
    targets = _list_goals(field, unit)
    yield Hold(unit)
    for place, via in targets:
        yield Move(unit, place, via)
    reach = {province_of(place) for place, via in targets if field.ground.reaches(unit, province_of(place))}
    for other in field.units:
        if other is not unit:
            if other.province in reach:
                yield Support(unit, other)
            goals = {place for place, via in _list_goals(field, other) if province_of(place) in reach and not via}
            # both coasts, and the province without one
            yield from (Support(unit, other, to) for to in sorted(goals | {province_of(place) for place in goals}))
    yield from _unit_convoys(field, unit)


def _unit_convoys(field: Battlefield, fleet: Unit) -> Iterator[Convoy]:
    """List candidate convoys for one unit: none unless it is a fleet at sea."""
    if fleet.place in field.ground.seas:
        ports = sorted(_ports_around(field, fleet.place))
        for army in field.units:
            if army.kind is Kind.ARMY and army.province in ports:
                yield from (Convoy(fleet, army, to) for to in ports if to != army.place)


def _ports_around(field: Battlefield, sea: str) -> frozenset[str]:
    """Name the coasts beside a fleet at sea, and beside all fleets that lie in one chain with it."""
    shores, chain, more = field.ground.shores, {sea}, {sea}
    while more:
        more = {place for last in more for place in shores[last] & field.afloat} - chain
        chain |= more
    return frozenset(coast for coast in field.ground.coastal if not chain.isdisjoint(shores[coast]))


def _list_goals(field: Battlefield, unit: Unit) -> list[tuple[str, bool]]:
    """List where a unit can go, each with whether a convoy has to be asked for."""
    ground = field.ground
    if unit.kind is Kind.FLEET:
        return [(place, False) for place in sorted(ground.sails[unit.place])]
    walks = ground.walks[unit.place]
    goals = [(place, False) for place in sorted(walks)]
    if unit.place in ground.coastal and ground.shores[unit.place] & field.afloat:
        for to in sorted(ground.coastal):
            if convoy_routes(ground, unit.place, to, field.afloat):
                goals.append((to, to in walks))
    return goals
