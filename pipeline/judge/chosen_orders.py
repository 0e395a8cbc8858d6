"""Which order of each unit counts: one of several, an impossible one, or none, and then the unit holds."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power, province_of
from pipeline.judge.legality import NOT_NOW, Battlefield, Refusal, meant_order, refusal
from pipeline.judge.outcome import Illegal, Invalid
from pipeline.judge.rulebook import Impossible, Several
from pipeline.orders import Hold, Move, Order, Waive, write
from pipeline.words.speech import wording


class HandedIn(Struct, eq=False):
    """One order that a power wrote."""

    power: Power
    order: Order
    number: int | None  # the unit's number, if it exists and belongs to the writer
    refusal: Refusal | None


class ChosenOrders(Struct, eq=False):
    """All that was written, and the one order of each unit that counts."""

    written: list[HandedIn]
    orders: list[Order]  # by number; a hold where nothing counts
    refused: dict[int, Order]  # units whose order counts although it is impossible, and that order
    idle: set[int]  # units without any order
    silent: set[Power]  # powers that ordered nothing at all


def _routes_named(orders: Mapping[Power, Sequence[Order]]) -> frozenset[tuple[str, str, str]]:
    """Every sea of a route that an army's order names, with where the army stands and where it goes."""
    return frozenset(
        (sea, order.unit.place, province_of(order.to))
        for given in orders.values()
        for order in given
        if isinstance(order, Move)
        for sea in order.route
    )


def choose_orders(field: Battlefield, orders: Mapping[Power, Sequence[Order]]) -> ChosenOrders:
    """Find the order of each unit that counts (DATC 4.D.3, 4.E.1); the others are refused."""
    written: list[HandedIn] = []
    chosen: list[HandedIn | None] = [None] * len(field.units)
    again: dict[int, list[HandedIn]] = {}
    illegal_counts = field.rules.impossible_orders is not Impossible.IGNORED
    field = replace(field, named=_routes_named(orders))
    for power, given in orders.items():
        for order in given:
            why_not = refusal(field, power, order)
            number = None if why_not is NOT_NOW or isinstance(order, Waive) else field.at.get(order.unit.province)
            if number is not None and field.powers[number] is not power:
                number = None
            entered = HandedIn(power, order, number, why_not)
            written.append(entered)
            if number is None or isinstance(why_not, Invalid) or (why_not is not None and not illegal_counts):
                continue
            first = chosen[number]
            if first is None:
                chosen[number] = entered
            else:
                again.setdefault(number, [first]).append(entered)
    for number, several in again.items():
        meant = [meant_order(field, number, each.order) for each in several]
        if any(order != meant[0] for order in meant):
            chosen[number] = _settle_several(several, meant, field.rules.several_orders)
    return _gather_orders(field, written, chosen)


def _settle_several(several: list[HandedIn], meant: list[Order], rule: Several) -> HandedIn | None:
    """Of several orders for one unit the first counts, or the last, or none (DATC 4.D.3)."""
    counts = rule.pick(several)
    for each, order in zip(several, meant, strict=True):
        if counts is None:
            each.refusal = each.refusal or Illegal(wording("the unit has several orders: it holds"), "DATC 4.D.3")
        elif order != meant[several.index(counts)]:
            each.refusal = each.refusal or Illegal(
                wording("the unit has another order, {order}", order=write(counts.order)), "DATC 4.D.3"
            )
    return counts


def _gather_orders(field: Battlefield, written: list[HandedIn], chosen: list[HandedIn | None]) -> ChosenOrders:
    """Give each unit the order that counts."""
    orders: list[Order] = []
    refused: dict[int, Order] = {}
    for number, counts in enumerate(chosen):
        if counts is None or counts.refusal is not None:
            orders.append(Hold(field.units[number]))
            if counts is not None:
                refused[number] = counts.order
        else:
            orders.append(counts.order)
    ordered = {each.number for each in written}
    idle = {number for number in range(len(chosen)) if number not in ordered}
    return ChosenOrders(written, orders, refused, idle, set(field.powers) - {each.power for each in written})
