"""Why each order of a settled battle did what it did, and which orders decided it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.judge.movement.intents import Intents
from pipeline.judge.movement.matching import BattleLine
from pipeline.judge.outcome.movement_reasons import (
    Available,
    Bounced,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Disrupted,
    Faced,
    Given,
    Halted,
    Moved,
    Overrun,
    OwnConvoy,
    OwnUnit,
    Stands,
    Struck,
    Withstood,
)
from pipeline.judge.outcome.outcome import Outcome
from pipeline.orders.order import Convoy, Move, Order, Support

GIVEN, STANDS, MOVED = Given(), Stands(), Moved()
CARRIES, NOT_USED = Available(carries=True), Available(carries=False)


@dataclass(slots=True, eq=False)
class Reasons:
    """Reads the reasons off a settled battle."""

    line: BattleLine
    intents: Intents
    fates: Mapping[int, int]  # unit dislodged -> the attacker

    def attack_on(self, number: int) -> Order | None:
        """Name the attack that drove a unit out, if one did."""
        attacker = self.fates.get(number)
        return None if attacker is None else self.intents.orders[attacker]

    def outcome(self, number: int) -> Outcome:
        """Give the reason of the order that a unit carried out."""
        unmatched = self.line.unmatched.get(number)
        if unmatched is not None:
            return unmatched
        order = self.intents.orders[number]
        if isinstance(order, Move):
            return self.of_move(number)
        if isinstance(order, Support):
            return self.of_given(number, order) if self.line.battle.given[number] else self.of_cut(number)
        if isinstance(order, Convoy):
            return self.of_convoy(number, order)
        return STANDS

    def named(self, numbers: Iterable[int]) -> tuple[Order, ...]:
        """Give the orders of some units."""
        return tuple(self.intents.orders[number] for number in sorted(numbers))

    def of_move(self, mover: int) -> Outcome:
        """A move got through, or something kept it out."""
        battle = self.line.battle
        if battle.won[mover]:
            holder = battle.at.get(battle.goal[mover] or "")
            return Moved(self.intents.orders[holder]) if holder is not None and holder in self.fates else MOVED
        if battle.arrives[mover] is False:
            return self.of_lost_convoy(mover)
        if mover in battle.halted:
            return Halted(self.named(battle.halted[mover]), battle.paradox_rule)
        return self.of_resistance(mover)

    def of_lost_convoy(self, army: int) -> Outcome:
        """A convoy fails with its fleets: dislodged, or taken out by a paradox rule."""
        battle, orders = self.line.battle, self.intents.orders
        fleets = sorted({fleet for route in battle.routes[army] for fleet in route})
        struck = tuple(orders[fleet] for fleet in fleets if fleet in battle.struck)
        if struck:
            return ConvoyParadox(struck, battle.paradox_rule)
        return ConvoyBroken(tuple((orders[f], orders[self.fates[f]]) for f in fleets if f in self.fates))

    def of_resistance(self, mover: int) -> Outcome:
        """A move was kept out by the strongest of those who stood in its way or wanted the same."""
        battle, orders = self.line.battle, self.intents.orders
        target = battle.goal[mover] or ""
        holder = battle.at.get(target)
        facing = holder is not None and battle.head_to_head(mover, holder)
        if holder is not None and battle.won[holder] and not facing:
            holder = None
        foe = None if holder is None else battle.powers[holder]
        strength = battle.strength(mover, foe)[0]
        rivals = [(battle.prevention(n)[0], -n) for n in battle.attackers[target] if n != mover]
        most, rival = max(rivals, default=(0, 0))
        if holder is not None:
            if foe is battle.powers[mover]:
                return OwnUnit(orders[holder])
            if (
                battle.spares_own
                and mover in battle.routes
                and not battle.ask_foreign_ride(mover, battle.powers[holder])
            ):
                return OwnConvoy(orders[holder])
            resistance = battle.strength(holder)[0] if facing or battle.goal[holder] is None else 1
            if resistance >= strength and resistance >= most:
                return (Faced if facing else Withstood)(orders[holder], strength, resistance)
        return Bounced(orders[-rival], strength, most)

    def of_given(self, supporter: int, order: Support) -> Outcome:
        """A support counts, but not against a unit of its own power that stays where the attack goes (DATC 6.D.12)."""
        battle = self.line.battle
        holder = None if order.to is None else battle.at.get(order.to[:3])
        if holder is None or battle.powers[holder] is not battle.powers[supporter] or battle.won[holder]:
            return GIVEN
        return Given(self.intents.orders[holder])

    def of_cut(self, supporter: int) -> Outcome:
        """A support was cut by an attack from elsewhere, or fell with its unit."""
        battle = self.line.battle
        attacker = next((n for n in battle.cutters(supporter)), None)
        if attacker is not None:
            return Cut(self.intents.orders[attacker])
        return Overrun(self.intents.orders[self.fates[supporter]])

    def of_convoy(self, fleet: int, order: Convoy) -> Outcome:
        """A convoy is there to be used unless its fleet is dislodged, or part of a paradox."""
        attack = self.attack_on(fleet)
        if attack is not None:
            return Disrupted(attack)
        if fleet in self.line.battle.struck:
            battle = self.line.battle
            return Struck(self.named(battle.struck[fleet]), battle.paradox_rule)
        return CARRIES if self.carries(fleet, order) else NOT_USED

    def carries(self, fleet: int, order: Convoy) -> bool:
        """Say whether the army arrived, and could have come by this fleet."""
        battle = self.line.battle
        army = battle.at[order.of.place[:3]]
        if army not in battle.routes or not battle.arrives[army]:
            return False
        return any(fleet in route and battle.ask_route(route) for route in battle.routes[army])
