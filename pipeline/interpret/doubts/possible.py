"""What cannot be done: the judge says so and why; here it only gets its name among the doubts."""

from pipeline.board.map import Kind, Power, province_of
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.judge.field import Battlefield
from pipeline.judge.refusal import refusal
from pipeline.orders.order import Convoy, Move, Order, Support


def hindrance(field: Battlefield, power: Power, order: Order) -> Found | None:
    """An order that cannot be carried out, whatever the others order, is impossible (DATC 4.E.1)."""
    why = refusal(field, power, order)
    return None if why is None else Found.of(name_of(field, order), why=why)


def name_of(field: Battlefield, order: Order) -> Doubt:
    """Name the kind of impossibility."""
    match order:
        case Move():
            return name_of_move(field, order)
        case Support(_, of, _) | Convoy(_, of, _) if of.province not in field.at:
            return Doubt.NOTHING_THERE
        case Support(unit, of, to):
            if province_of(to or of.place) in {unit.province, of.province} and (to or of.province == unit.province):
                return Doubt.TO_ITSELF
            return Doubt.CANNOT_STAND if is_closed(field, to or of.place) else Doubt.NOT_ADJACENT
        case Convoy(unit, of, to):
            if unit.place not in field.ground.seas or of.kind is not Kind.ARMY:
                return Doubt.NO_CARRIER
            return Doubt.TO_ITSELF if province_of(to) == of.province else Doubt.NO_ROUTE
        case _:
            return Doubt.WRONG_PHASE


def name_of_move(field: Battlefield, order: Move) -> Doubt:
    """Name what is wrong with a move."""
    ground, to = field.ground, province_of(order.to)
    if to == order.unit.province:
        return Doubt.TO_ITSELF
    if order.unit.kind is Kind.FLEET:
        if order.via:
            return Doubt.NO_CARRIER
        inland = to not in ground.seas and to not in ground.coastal
        return Doubt.CANNOT_STAND if inland or is_closed(field, to) else Doubt.NOT_ADJACENT
    if to in ground.seas or is_closed(field, to):
        return Doubt.CANNOT_STAND
    return Doubt.NO_ROUTE if to in ground.coastal and order.unit.place in ground.coastal else Doubt.NOT_ADJACENT


def is_closed(field: Battlefield, place: str) -> bool:
    """Say whether a place is drawn on the map and never entered: Switzerland."""
    return province_of(place) not in field.ground.board.provinces
