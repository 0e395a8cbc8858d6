"""Adjudicate one movement phase: settle the battle, then say the result of every order and its reason."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Dislodged, Kind, Map, Position, Power, Season, Unit, province_of
from pipeline.judge import outcome as outcomes
from pipeline.judge.battle import Battle
from pipeline.judge.chosen_orders import ChosenOrders, HandedIn, choose_orders
from pipeline.judge.circles import Circles
from pipeline.judge.legality import NOT_NOW, Battlefield, convoy_routes, field_of, ground_of, is_army, landing
from pipeline.judge.rulebook import AdjacentConvoy, Impossible, LandFallback, NamedRoute, Rulebook
from pipeline.judge.winter import after_fall
from pipeline.orders import Convoy, Move, Order, Support
from pipeline.words.speech import wording

# Which orders fit together: supports with what they support, convoys with their army, routes with their fleets.


class BattleLine(Struct, eq=False):
    """The orders of a phase, each matched with those that it depends on, and those that nothing matches."""

    battle: Battle
    lands: dict[int, str]  # mover -> the place it would stand in
    convoys: dict[int, list[int]]  # army -> fleets that were ordered to carry it where it was ordered to go
    unmatched: dict[int, outcomes.OrderOutcome] = field(default_factory=dict)
    moves: list[int] = field(default_factory=list)
    supports: list[int] = field(default_factory=list)
    convoyed: list[int] = field(default_factory=list)


def _match_orders(ground_field: Battlefield, chosen: ChosenOrders, walkers: frozenset[int]) -> BattleLine:
    """Match every order with the others. ``walkers`` are armies that walk after all, their convoy having failed."""
    orders = chosen.orders
    line = BattleLine(Battle(ground_field), {}, {})
    supports = []
    for number, order in enumerate(orders):
        if isinstance(order, Move):
            place = landing(ground_field, number, order)
            line.lands[number] = place if isinstance(place, str) else ""
        elif isinstance(order, Support):
            supports.append(number)
        elif isinstance(order, Convoy):
            _match_convoy(line, number, order, orders)
    for number in line.lands:
        _place_move(line, number, orders, walkers)
    if chosen.refused:
        _place_impossible(line, chosen)
    for number in supports:
        _match_support(line, number, chosen)
    return line


def _match_convoy(line: BattleLine, number: int, order: Convoy, orders: list[Order]) -> None:
    """A convoy is good if its army was ordered to go there (DATC 6.D.27)."""
    battle = line.battle
    army = battle.at[order.of.province]
    move = orders[army]
    if isinstance(move, Move) and province_of(move.to) == province_of(order.to):
        line.convoys.setdefault(army, []).append(number)
        battle.convoying.add(battle.provinces[number])
    else:
        line.unmatched[number] = outcomes.Unmatched(move)


def _place_move(line: BattleLine, number: int, orders: list[Order], walkers: frozenset[int]) -> None:
    """Send a unit over land or over sea."""
    battle, order = line.battle, orders[number]
    assert isinstance(order, Move)
    target = province_of(order.to)
    battle.goal[number] = target
    unit, walks_of = battle.field.units[number], battle.field.ground.walks
    if unit.kind is Kind.ARMY and number not in walkers:
        walks = target in walks_of[unit.place]
        if not walks or ((order.via or number in line.convoys) and _goes_by_sea(line, number, order, orders)):
            routes = _routes_of(line, number, order)
            if routes or not walks or battle.rules.land_fallback is LandFallback.NEVER:
                battle.routes[number] = routes
                if not routes:
                    line.unmatched[number] = _missing_convoy(line, number, order)
                    battle.arrives[number] = battle.won[number] = False
                    if battle.rules.unconvoyed_army_holds:
                        battle.goal[number] = None
                    return
                battle.arrives[number] = None
                line.convoyed.append(number)
    battle.attackers.setdefault(target, []).append(number)
    line.moves.append(number)


def _goes_by_sea(line: BattleLine, number: int, order: Move, orders: list[Order]) -> bool:
    """An army that could walk goes by sea if its owner meant it to, as the rulebook understands that (DATC 4.A.3)."""
    battle = line.battle
    rule = battle.rules.adjacent_convoy
    if order.via or rule is AdjacentConvoy.TAGGED:
        return order.via
    fleets = line.convoys.get(number, [])
    opposite = battle.at.get(province_of(order.to))
    crossing = orders[opposite] if opposite is not None else None
    swaps = isinstance(crossing, Move) and province_of(crossing.to) == battle.provinces[number]
    own = any(battle.powers[fleet] is battle.powers[number] for fleet in fleets)
    match rule:
        case AdjacentConvoy.OWN_FLEET:
            return own
        case AdjacentConvoy.INTENT:
            return own or (swaps and opposite is not None and battle.powers[opposite] is battle.powers[number])
        case AdjacentConvoy.OPPOSED:
            return swaps and bool(_routes_of(line, number, order))
        case _:
            return bool(_routes_of(line, number, order))


def _routes_of(line: BattleLine, number: int, order: Move) -> list[tuple[int, ...]]:
    """List the routes that were ordered for an army, each a row of fleets (DATC 4.A.1, 4.A.6; WM VI.1.a)."""
    battle, rules = line.battle, line.battle.rules
    fleets = {battle.provinces[fleet]: fleet for fleet in line.convoys.get(number, ())}
    if not fleets:
        return []
    if order.route and rules.named_route is not NamedRoute.IGNORED:
        return [tuple(fleets[sea] for sea in order.route)] if all(sea in fleets for sea in order.route) else []
    if rules.named_route is NamedRoute.REQUIRED:
        return []
    seas = convoy_routes(battle.field.ground, battle.provinces[number], province_of(order.to), frozenset(fleets))
    routes = [tuple(fleets[sea] for sea in route) for route in seas]
    if rules.own_fleets_first:
        power = battle.powers[number]
        own = [route for route in routes if all(battle.powers[fleet] is power for fleet in route)]
        return own or routes
    return routes


def _missing_convoy(line: BattleLine, number: int, order: Move) -> outcomes.Unconvoyed:
    rules = line.battle.rules
    if order.route and rules.named_route is not NamedRoute.IGNORED:
        return outcomes.Unconvoyed(wording("the route named, {route}, was not ordered", route=" - ".join(order.route)))
    if rules.named_route is NamedRoute.REQUIRED:
        return outcomes.Unconvoyed(wording("the order names no route"))
    if line.convoys.get(number):
        return outcomes.Unconvoyed(wording("the fleets ordered to carry it make no whole route"))
    return outcomes.Unconvoyed(wording("no fleet was ordered to carry it"))


def _place_impossible(line: BattleLine, chosen: ChosenOrders) -> None:
    """In the old practice an impossible move still counts as trying to move (DATC 4.E.1, 6.D.28)."""
    battle = line.battle
    if battle.rules.impossible_orders is Impossible.MOVE:
        for number, order in chosen.refused.items():
            if isinstance(order, Move):
                battle.goal[number] = province_of(order.to)
                battle.routes[number] = []
                battle.arrives[number] = battle.won[number] = False


def _match_support(line: BattleLine, number: int, chosen: ChosenOrders) -> None:
    """A support is good if its unit does what is supported (DATC 6.D.7, 6.D.9, 6.B.9)."""
    battle, order = line.battle, chosen.orders[number]
    assert isinstance(order, Support)
    other = battle.at[order.of.province]
    mismatch = _hold_mismatch(battle, other, chosen) if order.to is None else _move_mismatch(line, other, order, chosen)
    if mismatch is not None:
        line.unmatched[number] = mismatch
        return
    battle.into[number] = battle.provinces[other] if order.to is None else province_of(order.to)
    battle.backing[other].append(number)
    line.supports.append(number)


def _hold_mismatch(battle: Battle, other: int, chosen: ChosenOrders) -> outcomes.Unmatched | None:
    """A unit that moves is not supported to hold, whether or not it gets away (DATC 6.D.7)."""
    if battle.goal[other] is not None:
        return outcomes.Unmatched(chosen.refused.get(other, chosen.orders[other]))
    if other in chosen.refused and battle.rules.impossible_orders is Impossible.UNSUPPORTED:
        return outcomes.Unmatched(chosen.refused[other], outcomes.NOT_TO_BE_SUPPORTED)
    if not battle.rules.disorder_supported and battle.powers[other] in chosen.silent:
        return outcomes.Unmatched(chosen.orders[other], outcomes.IN_DISORDER)
    return None


def _move_mismatch(line: BattleLine, other: int, order: Support, chosen: ChosenOrders) -> outcomes.Unmatched | None:
    """A support is for the move that was ordered, and for its coast if it names one (DATC 6.B.9)."""
    move = chosen.orders[other]
    wanted = order.to or ""
    if not isinstance(move, Move) or province_of(move.to) != province_of(wanted) or line.battle.goal[other] is None:
        return outcomes.Unmatched(move)
    reach = line.battle.field.ground.sails.get(line.battle.field.units[other].place, frozenset())
    names_coast = "/" in wanted and line.battle.field.units[other].kind is Kind.FLEET
    return outcomes.Unmatched(move) if names_coast and wanted in reach and wanted != line.lands[other] else None


# Why each order of a settled battle did what it did, and which orders decided it.

GIVEN, STANDS, MOVED = outcomes.Given(), outcomes.Stands(), outcomes.Moved()
CARRIES, NOT_USED = outcomes.Available(carries=True), outcomes.Available(carries=False)


class Reasons(Struct, eq=False):
    """Reads the reasons off a settled battle."""

    line: BattleLine
    chosen: ChosenOrders
    fates: Mapping[int, int]  # unit dislodged -> the attacker

    def attack_on(self, number: int) -> Order | None:
        """Name the attack that drove a unit out, if one did."""
        attacker = self.fates.get(number)
        return None if attacker is None else self.chosen.orders[attacker]

    def outcome(self, number: int) -> outcomes.OrderOutcome:
        """Give the reason of the order that a unit carried out."""
        unmatched = self.line.unmatched.get(number)
        if unmatched is not None:
            return unmatched
        order = self.chosen.orders[number]
        if isinstance(order, Move):
            return self.of_move(number)
        if isinstance(order, Support):
            return self.of_given(number, order) if self.line.battle.given[number] else self.of_cut(number)
        if isinstance(order, Convoy):
            return self.of_convoy(number, order)
        return STANDS

    def orders_of(self, numbers: Iterable[int]) -> tuple[Order, ...]:
        """Give the orders of some units."""
        return tuple(self.chosen.orders[number] for number in sorted(numbers))

    def of_move(self, mover: int) -> outcomes.OrderOutcome:
        """A move got through, or something kept it out."""
        battle = self.line.battle
        if battle.won[mover]:
            holder = battle.at.get(battle.goal[mover] or "")
            return outcomes.Moved(self.chosen.orders[holder]) if holder is not None and holder in self.fates else MOVED
        if battle.arrives[mover] is False:
            return self.of_lost_convoy(mover)
        if mover in battle.halted:
            return outcomes.Halted(self.orders_of(battle.halted[mover]), battle.paradox_rule)
        return self.of_resistance(mover)

    def of_lost_convoy(self, army: int) -> outcomes.OrderOutcome:
        """A convoy fails with its fleets: dislodged, or taken out by a paradox rule."""
        battle, orders = self.line.battle, self.chosen.orders
        fleets = sorted({fleet for route in battle.routes[army] for fleet in route})
        struck = tuple(orders[fleet] for fleet in fleets if fleet in battle.struck)
        if struck:
            return outcomes.ConvoyParadox(struck, battle.paradox_rule)
        return outcomes.ConvoyBroken(tuple((orders[f], orders[self.fates[f]]) for f in fleets if f in self.fates))

    def of_resistance(self, mover: int) -> outcomes.OrderOutcome:
        """Why a move failed: the strongest unit that held the place, or wanted the same place."""
        battle, orders = self.line.battle, self.chosen.orders
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
                return outcomes.OwnUnit(orders[holder])
            if (
                battle.spares_own
                and mover in battle.routes
                and not battle.ask_foreign_ride(mover, battle.powers[holder])
            ):
                return outcomes.OwnConvoy(orders[holder])
            resistance = battle.strength(holder)[0] if facing or battle.goal[holder] is None else 1
            if resistance >= most:
                return (outcomes.Faced if facing else outcomes.Withstood)(orders[holder], strength, resistance)
        return outcomes.Bounced(orders[-rival], strength, most)

    def of_given(self, supporter: int, order: Support) -> outcomes.OrderOutcome:
        """A support counts, but not against a unit of its own power that stays where the attack goes (DATC 6.D.12)."""
        battle = self.line.battle
        holder = None if order.to is None else battle.at.get(province_of(order.to))
        if holder is None or battle.powers[holder] is not battle.powers[supporter] or battle.won[holder]:
            return GIVEN
        return outcomes.Given(self.chosen.orders[holder])

    def of_cut(self, supporter: int) -> outcomes.OrderOutcome:
        """A support was cut by an attack from elsewhere, or fell with its unit."""
        battle = self.line.battle
        attacker = next((n for n in battle.cutters(supporter)), None)
        if attacker is not None:
            return outcomes.Cut(self.chosen.orders[attacker])
        return outcomes.Overrun(self.chosen.orders[self.fates[supporter]])

    def of_convoy(self, fleet: int, order: Convoy) -> outcomes.OrderOutcome:
        """A convoy is there to be used unless its fleet is dislodged, or part of a paradox."""
        attack = self.attack_on(fleet)
        if attack is not None:
            return outcomes.Disrupted(attack)
        if fleet in self.line.battle.struck:
            battle = self.line.battle
            return outcomes.DisruptedByParadox(self.orders_of(battle.struck[fleet]), battle.paradox_rule)
        return CARRIES if self.carries(fleet, order) else NOT_USED

    def carries(self, fleet: int, order: Convoy) -> bool:
        """Say whether the army arrived, and could have come by this fleet."""
        battle = self.line.battle
        army = battle.at[order.of.province]
        if army not in battle.routes or not battle.arrives[army]:
            return False
        return any(fleet in route and battle.ask_route(route) for route in battle.routes[army])


Fates = dict[int, int]  # unit dislodged -> the attacker


def adjudicate_movement(
    board: Map, position: Position, orders: Mapping[Power, Sequence[Order]], rules: Rulebook
) -> outcomes.Resolution:
    """All orders are carried out at the same moment; powers and units without orders hold."""
    battlefield = field_of(ground_of(board), position, rules)
    chosen = choose_orders(battlefield, orders)
    line = _fight(battlefield, chosen)
    fates = _dislodgements(line)
    results = tuple(_results_of(battlefield, chosen, line, fates))
    return outcomes.Resolution(
        position.phase,
        results,
        _position_after_movement(board, position, battlefield, line, fates, _lost_powers(battlefield, chosen)),
    )


def _fight(battlefield: Battlefield, chosen: ChosenOrders) -> BattleLine:
    """Settle every question; armies whose convoy failed may have to be sent over land (DATC 4.A.3)."""
    walkers: frozenset[int] = frozenset()
    while True:
        line = _match_orders(battlefield, chosen, walkers)
        convoyed = tuple(line.convoyed)
        if not line.battle.settle(line.moves, line.supports, line.convoyed):
            Circles(line.battle, line.moves, line.supports, line.convoyed).settle()
        if battlefield.rules.land_fallback is not LandFallback.ALWAYS:
            return line
        walks, goal = battlefield.ground.walks, line.battle.goal
        late = {n for n in convoyed if line.battle.arrives[n] is False and goal[n] in walks[battlefield.units[n].place]}
        if not late:
            return line
        walkers |= late


def _dislodgements(line: BattleLine) -> Fates:
    """A unit is dislodged if an attack on it won and it did not get away."""
    battle = line.battle
    fates: Fates = {}
    for number, target in enumerate(battle.goal):
        if target is not None and battle.won[number]:
            holder = battle.at.get(target)
            if holder is not None and not battle.won[holder]:
                fates[holder] = number
    return fates


def _results_of(
    battlefield: Battlefield, chosen: ChosenOrders, line: BattleLine, fates: Fates
) -> list[outcomes.Result]:
    """Give every order its reason, in the order in which they were written; then the units that had none."""
    reasons = Reasons(line, chosen, fates)
    results = [_result_of(entered, reasons) for entered in chosen.written]
    for number in sorted(chosen.idle):
        order, attack = chosen.orders[number], reasons.attack_on(number)
        is_lost = attack is not None and battlefield.powers[number] in _lost_powers(battlefield, chosen)
        outcome = reasons.outcome(number)
        results.append(
            outcomes.Result(battlefield.powers[number], order, outcome, attack, written=False, is_lost=is_lost)
        )
    return results


def _lost_powers(battlefield: Battlefield, chosen: ChosenOrders) -> frozenset[Power]:
    """The powers in civil disorder, where their dislodged units are disbanded: they ordered nothing at all."""
    return frozenset() if battlefield.rules.disorder_retreats else frozenset(chosen.silent)


def _result_of(entered: HandedIn, reasons: Reasons) -> outcomes.Result:
    """Give one order its reason."""
    if entered.number is None:
        return outcomes.Result(entered.power, entered.order, entered.refusal or NOT_NOW)
    attack = reasons.attack_on(entered.number)
    outcome = entered.refusal or reasons.outcome(entered.number)
    return outcomes.Result(entered.power, entered.order, outcome, attack)


def _position_after_movement(
    board: Map, position: Position, battlefield: Battlefield, line: BattleLine, fates: Fates, lost: frozenset[Power]
) -> Position:
    """The position after movement, with the legal retreats of dislodged units; those of a lost power have none."""
    ground, battle = battlefield.ground, line.battle
    units: dict[Power, list[Unit]] = {power: [] for power in position.units}
    for number, unit in enumerate(battlefield.units):
        if number not in fates:
            moved = ground.unit(unit.kind, line.lands[number]) if battle.won[number] else None
            units[battlefield.powers[number]].append(moved or unit)
    driven = (_find_legal_retreats(battlefield, line, unit, attacker) for unit, attacker in sorted(fates.items()))
    dislodged = tuple(replace(each, retreats=()) if each.power in lost else each for each in driven)
    # a unit without a legal retreat is destroyed: nobody has a choice
    retreats = any(each.retreats for each in dislodged)
    after = Position(
        phase=position.phase.following(retreats=retreats),
        units={power: tuple(sorted(owned, key=lambda unit: (unit.kind, unit.place))) for power, owned in units.items()},
        centres=position.centres,
        dislodged=dislodged,
    )
    return after_fall(board, after) if position.phase.season is Season.FALL and not retreats else after


def _find_legal_retreats(battlefield: Battlefield, line: BattleLine, number: int, attacker: int) -> Dislodged:
    """The legal retreats of a unit: adjacent, empty, without a standoff, not where the attack came from (DATC 6.H)."""
    battle, ground, unit = line.battle, battlefield.ground, battlefield.units[number]
    came_from = battle.provinces[attacker]
    by_sea = attacker in battle.routes and battlefield.rules.retreat_to_convoyed_attacker
    reach = ground.walks if is_army(unit) else ground.sails
    retreats = sorted(
        place
        for place in reach[unit.place]
        if _is_open_for_retreat(line, province_of(place)) and (by_sea or province_of(place) != came_from)
    )
    return Dislodged(battlefield.powers[number], unit, came_from, tuple(retreats))


def _is_open_for_retreat(line: BattleLine, province: str) -> bool:
    """A province is open for retreats if it is empty and there was no standoff in it (DATC 6.H.6)."""
    battle = line.battle
    stander = battle.at.get(province)
    if stander is not None and not battle.won[stander]:
        return False
    return not any(battle.prevention(n)[1] for n in battle.attackers.get(province, ()))
