"""Which orders fit together: supports with what they support, convoys with their army, routes with their fleets."""

from dataclasses import dataclass, field

from pipeline.board.map import Kind
from pipeline.judge.field import Battlefield
from pipeline.judge.ground import convoy_routes
from pipeline.judge.movement.battle import Battle
from pipeline.judge.movement.intents import Intents
from pipeline.judge.outcome.movement_reasons import IN_DISORDER, NOT_TO_BE_SUPPORTED, Unconvoyed, Unmatched
from pipeline.judge.outcome.outcome import Outcome
from pipeline.judge.refusal import landing
from pipeline.judge.rulebook.choices import AdjacentConvoy, Impossible, LandFallback, NamedRoute
from pipeline.orders.order import Convoy, Move, Order, Support
from pipeline.words.wording import wording


@dataclass(slots=True, eq=False)
class BattleLine:
    """The orders drawn up against each other, and those that already failed for want of a match."""

    battle: Battle
    lands: dict[int, str]  # mover -> the place it would stand in
    convoys: dict[int, list[int]]  # army -> fleets that were ordered to carry it where it was ordered to go
    unmatched: dict[int, Outcome] = field(default_factory=dict)
    moves: list[int] = field(default_factory=list)
    supports: list[int] = field(default_factory=list)
    convoyed: list[int] = field(default_factory=list)


def draw_up(ground_field: Battlefield, intents: Intents, walkers: frozenset[int]) -> BattleLine:
    """Match every order with the others. ``walkers`` are armies that walk after all, their convoy having failed."""
    orders = intents.orders
    line = BattleLine(Battle(ground_field), {}, {})
    supports = []
    for number, order in enumerate(orders):
        if isinstance(order, Move):
            place = landing(ground_field, number, order)
            line.lands[number] = place if isinstance(place, str) else ""
        elif isinstance(order, Support):
            supports.append(number)
        elif isinstance(order, Convoy):
            match_convoy(line, number, order, orders)
    for number in line.lands:
        place_move(line, number, orders, walkers)
    if intents.refused:
        place_impossible(line, intents)
    for number in supports:
        match_support(line, number, intents)
    return line


def match_convoy(line: BattleLine, number: int, order: Convoy, orders: list[Order]) -> None:
    """A convoy is good if its army was ordered to go there (DATC 6.D.27)."""
    battle = line.battle
    army = battle.at[order.of.place[:3]]
    move = orders[army]
    if isinstance(move, Move) and move.to[:3] == order.to[:3]:
        line.convoys.setdefault(army, []).append(number)
        battle.convoying.add(battle.provinces[number])
    else:
        line.unmatched[number] = Unmatched(move)


def place_move(line: BattleLine, number: int, orders: list[Order], walkers: frozenset[int]) -> None:
    """Send a unit over land or over sea."""
    battle, order = line.battle, orders[number]
    assert isinstance(order, Move)
    target = order.to[:3]
    battle.goal[number] = target
    unit, walks_of = battle.field.units[number], battle.field.ground.walks
    if unit.kind is Kind.ARMY and number not in walkers:
        walks = target in walks_of[unit.place]
        if not walks or ((order.via or number in line.convoys) and goes_by_sea(line, number, order, orders)):
            routes = routes_of(line, number, order)
            if routes or not walks or battle.rules.land_fallback is LandFallback.NEVER:
                battle.routes[number] = routes
                if not routes:
                    line.unmatched[number] = unconvoyed(line, number, order)
                    battle.arrives[number] = battle.won[number] = False
                    if battle.rules.unconvoyed_army_holds:
                        battle.goal[number] = None
                    return
                battle.arrives[number] = None
                line.convoyed.append(number)
    battle.attackers.setdefault(target, []).append(number)
    line.moves.append(number)


def goes_by_sea(line: BattleLine, number: int, order: Move, orders: list[Order]) -> bool:
    """An army that could walk goes by sea if its owner meant it to, as the rulebook understands that (DATC 4.A.3)."""
    battle = line.battle
    rule = battle.rules.adjacent_convoy
    if order.via or rule is AdjacentConvoy.TAGGED:
        return order.via
    fleets = line.convoys.get(number, [])
    opposite = battle.at.get(order.to[:3])
    crossing = orders[opposite] if opposite is not None else None
    swaps = isinstance(crossing, Move) and crossing.to[:3] == battle.provinces[number]
    own = any(battle.powers[fleet] is battle.powers[number] for fleet in fleets)
    match rule:
        case AdjacentConvoy.OWN_FLEET:
            return own
        case AdjacentConvoy.INTENT:
            return own or (swaps and opposite is not None and battle.powers[opposite] is battle.powers[number])
        case AdjacentConvoy.OPPOSED:
            return swaps and bool(routes_of(line, number, order))
        case _:
            return bool(routes_of(line, number, order))


def routes_of(line: BattleLine, number: int, order: Move) -> list[tuple[int, ...]]:
    """List the routes that were ordered for an army, each a row of fleets (DATC 4.A.1, 4.A.6; WM VI.1.a)."""
    battle, rules = line.battle, line.battle.rules
    fleets = {battle.provinces[fleet]: fleet for fleet in line.convoys.get(number, ())}
    if not fleets:
        return []
    if order.route and rules.named_route is not NamedRoute.IGNORED:
        return [tuple(fleets[sea] for sea in order.route)] if all(sea in fleets for sea in order.route) else []
    if rules.named_route is NamedRoute.REQUIRED:
        return []
    seas = convoy_routes(battle.field.ground, battle.provinces[number], order.to[:3], frozenset(fleets))
    routes = [tuple(fleets[sea] for sea in route) for route in seas]
    if rules.own_fleets_first:
        power = battle.powers[number]
        own = [route for route in routes if all(battle.powers[fleet] is power for fleet in route)]
        return own or routes
    return routes


def unconvoyed(line: BattleLine, number: int, order: Move) -> Unconvoyed:
    """Say what the convoy lacked."""
    rules = line.battle.rules
    if order.route and rules.named_route is not NamedRoute.IGNORED:
        return Unconvoyed(wording("the route named, {route}, was not ordered", route=" - ".join(order.route)))
    if rules.named_route is NamedRoute.REQUIRED:
        return Unconvoyed(wording("the order names no route"))
    if line.convoys.get(number):
        return Unconvoyed(wording("the fleets ordered to carry it make no whole route"))
    return Unconvoyed(wording("no fleet was ordered to carry it"))


def place_impossible(line: BattleLine, intents: Intents) -> None:
    """In the old practice an impossible move still counts as trying to move (DATC 4.E.1, 6.D.28)."""
    battle = line.battle
    if battle.rules.impossible_orders is Impossible.MOVE:
        for number, order in intents.refused.items():
            if isinstance(order, Move):
                battle.goal[number] = order.to[:3]
                battle.routes[number] = []
                battle.arrives[number] = battle.won[number] = False


def match_support(line: BattleLine, number: int, intents: Intents) -> None:
    """A support is good if its unit does what is supported (DATC 6.D.7, 6.D.9, 6.B.9)."""
    battle, order = line.battle, intents.orders[number]
    assert isinstance(order, Support)
    other = battle.at[order.of.place[:3]]
    mismatch = hold_mismatch(battle, other, intents) if order.to is None else move_mismatch(line, other, order, intents)
    if mismatch is not None:
        line.unmatched[number] = mismatch
        return
    battle.into[number] = battle.provinces[other] if order.to is None else order.to[:3]
    battle.backing[other].append(number)
    line.supports.append(number)


def hold_mismatch(battle: Battle, other: int, intents: Intents) -> Unmatched | None:
    """A unit that moves is not supported to hold, whether or not it gets away (DATC 6.D.7)."""
    if battle.goal[other] is not None:
        return Unmatched(intents.refused.get(other, intents.orders[other]))
    if other in intents.refused and battle.rules.impossible_orders is Impossible.UNSUPPORTED:
        return Unmatched(intents.refused[other], NOT_TO_BE_SUPPORTED)
    if other in intents.idle and not battle.rules.disorder_supported and battle.powers[other] in intents.silent:
        return Unmatched(intents.orders[other], IN_DISORDER)
    return None


def move_mismatch(line: BattleLine, other: int, order: Support, intents: Intents) -> Unmatched | None:
    """A support is for the move that was ordered, and for its coast if it names one (DATC 6.B.9)."""
    move = intents.orders[other]
    wanted = order.to or ""
    if not isinstance(move, Move) or move.to[:3] != wanted[:3] or line.battle.goal[other] is None:
        return Unmatched(move)
    reach = line.battle.field.ground.sails.get(line.battle.field.units[other].place, frozenset())
    names_coast = len(wanted) > 3 and line.battle.field.units[other].kind is Kind.FLEET
    return Unmatched(move) if names_coast and wanted in reach and wanted != line.lands[other] else None
