"""What each unit was told to do, once the illegal and the superfluous orders are set aside (DATC 4.D.3, 4.E.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.judge.field import Battlefield
from pipeline.judge.outcome.verdicts import Illegal, Invalid
from pipeline.judge.refusal import NOT_NOW, Refusal, refusal
from pipeline.judge.rulebook.choices import Impossible, Several
from pipeline.orders.notation import write
from pipeline.orders.order import Hold, Order, Waive
from pipeline.words.wording import wording


@dataclass(slots=True, eq=False)
class HandedIn:
    """One order as it was handed in."""

    power: Power
    order: Order
    number: int | None  # the unit, where it is there and the writer's
    refusal: Refusal | None


@dataclass(slots=True, eq=False)
class Intents:
    """All that was written, and the one order of each unit that counts."""

    written: list[HandedIn]
    orders: list[Order]  # by number; a hold where nothing counts
    refused: dict[int, Order]  # units whose order is impossible, where that has an effect, and that order
    idle: set[int]  # units that nobody ordered anything
    silent: set[Power]  # powers that ordered nothing at all


def intents_of(field: Battlefield, orders: Mapping[Power, Sequence[Order]]) -> Intents:
    """Sort the orders by unit."""
    written: list[HandedIn] = []
    chosen: list[HandedIn | None] = [None] * len(field.units)
    again: dict[int, list[HandedIn]] = {}
    illegal_counts = field.rules.impossible_orders is not Impossible.IGNORED
    for power, given in orders.items():
        for order in given:
            no = refusal(field, power, order)
            number = None if no is NOT_NOW or isinstance(order, Waive) else field.at.get(order.unit.place[:3])
            if number is not None and field.powers[number] is not power:
                number = None
            one = HandedIn(power, order, number, no)
            written.append(one)
            if number is None or isinstance(no, Invalid) or (no is not None and not illegal_counts):
                continue
            first = chosen[number]
            if first is None:
                chosen[number] = one
            elif first.order != order:
                again.setdefault(number, [first]).append(one)
    for number, several in again.items():
        chosen[number] = settle_several(several, field.rules.several_orders)
    return gather(field, written, chosen)


def settle_several(several: list[HandedIn], rule: Several) -> HandedIn | None:
    """Of several orders for one unit the first counts, or the last, or none (DATC 4.D.3)."""
    counts = {Several.FIRST: several[0], Several.LAST: several[-1]}.get(rule)
    for one in several:
        if counts is None:
            one.refusal = one.refusal or Illegal(wording("the unit has several orders: it holds"), "DATC 4.D.3")
        elif one.order != counts.order:
            one.refusal = one.refusal or Illegal(
                wording("the unit has another order, {order}", order=write(counts.order)), "DATC 4.D.3"
            )
    return counts


def gather(field: Battlefield, written: list[HandedIn], chosen: list[HandedIn | None]) -> Intents:
    """Give each unit the order that counts."""
    orders: list[Order] = []
    refused: dict[int, Order] = {}
    for number, one in enumerate(chosen):
        if one is None or one.refusal is not None:
            orders.append(Hold(field.units[number]))
            if one is not None:
                refused[number] = one.order
        else:
            orders.append(one.order)
    ordered = {one.number for one in written}
    idle = {number for number in range(len(chosen)) if number not in ordered}
    return Intents(written, orders, refused, idle, set(field.powers) - {one.power for one in written})
