"""One movement phase, judged."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.board.map import Map, Power
from pipeline.board.position import Dislodged, Position, Season, Unit
from pipeline.judge.counting import after_fall
from pipeline.judge.field import Battlefield, field_of, is_army
from pipeline.judge.ground import ground_of
from pipeline.judge.movement.circles import Circles
from pipeline.judge.movement.intents import HandedIn, Intents, intents_of
from pipeline.judge.movement.matching import BattleLine, draw_up
from pipeline.judge.movement.reasons import Reasons
from pipeline.judge.outcome.outcome import Resolution, Result
from pipeline.judge.refusal import NOT_NOW
from pipeline.judge.rulebook.choices import LandFallback
from pipeline.judge.rulebook.rulebook import Rulebook
from pipeline.orders.order import Order

Fates = dict[int, int]  # unit dislodged -> the attacker


def adjudicate_movement(
    board: Map, position: Position, orders: Mapping[Power, Sequence[Order]], rules: Rulebook
) -> Resolution:
    """All orders are carried out at the same moment; powers and units without orders hold."""
    field = field_of(ground_of(board), position, rules)
    intents = intents_of(field, orders)
    line = fight(field, intents)
    fates = dislodgements(line)
    results = tuple(results_of(field, intents, line, fates))
    return Resolution(
        position.phase, results, aftermath(board, position, field, line, fates, lost_powers(field, intents))
    )


def fight(field: Battlefield, intents: Intents) -> BattleLine:
    """Settle every question; armies whose convoy failed may have to be sent over land (DATC 4.A.3)."""
    walkers: frozenset[int] = frozenset()
    while True:
        line = draw_up(field, intents, walkers)
        convoyed = tuple(line.convoyed)
        if not line.battle.settle(line.moves, line.supports, line.convoyed):
            Circles(line.battle, line.moves, line.supports, line.convoyed).settle()
        if field.rules.land_fallback is not LandFallback.ALWAYS:
            return line
        late = {n for n in convoyed if line.battle.arrives[n] is False and can_walk(field, n, line)}
        if not late:
            return line
        walkers |= late


def can_walk(field: Battlefield, number: int, line: BattleLine) -> bool:
    """Say whether an army borders its target."""
    return line.battle.goal[number] in field.ground.walks[field.units[number].place]


def dislodgements(line: BattleLine) -> Fates:
    """A unit is dislodged if an attack on it won and it did not get away."""
    battle = line.battle
    fates: Fates = {}
    for number, target in enumerate(battle.goal):
        if target is not None and battle.won[number]:
            holder = battle.at.get(target)
            if holder is not None and not battle.won[holder]:
                fates[holder] = number
    return fates


def results_of(field: Battlefield, intents: Intents, line: BattleLine, fates: Fates) -> list[Result]:
    """Give every order its reason, in the order in which they were written; then the units that had none."""
    reasons = Reasons(line, intents, fates)
    results = [result_of(one, intents, reasons) for one in intents.written]
    for number in sorted(intents.idle):
        order, attack = intents.orders[number], reasons.attack_on(number)
        is_lost = attack is not None and field.powers[number] in lost_powers(field, intents)
        outcome = reasons.outcome(number)
        results.append(Result(field.powers[number], order, outcome, attack, written=False, is_lost=is_lost))
    return results


def lost_powers(field: Battlefield, intents: Intents) -> frozenset[Power]:
    """The powers in civil disorder, where their dislodged units are disbanded: they ordered nothing at all."""
    return frozenset() if field.rules.disorder_retreats else frozenset(intents.silent)


def result_of(one: HandedIn, intents: Intents, reasons: Reasons) -> Result:
    """Give one order its reason."""
    if one.number is None:
        return Result(one.power, one.order, one.refusal or NOT_NOW)
    attack = reasons.attack_on(one.number)
    outcome = one.refusal or reasons.outcome(one.number)
    return Result(one.power, one.order, outcome, attack)


def aftermath(
    board: Map, position: Position, field: Battlefield, line: BattleLine, fates: Fates, lost: frozenset[Power]
) -> Position:
    """Put every unit where it ended, and say where the dislodged may go; those of a lost power go nowhere."""
    ground, battle = field.ground, line.battle
    units: dict[Power, list[Unit]] = {power: [] for power in position.units}
    for number, unit in enumerate(field.units):
        if number not in fates:
            moved = ground.unit(unit.kind, line.lands[number]) if battle.won[number] else None
            units[field.powers[number]].append(moved or unit)
    driven = (driven_out(field, line, unit, attacker) for unit, attacker in sorted(fates.items()))
    dislodged = tuple(replace(each, retreats=()) if each.power in lost else each for each in driven)
    retreats = any(each.retreats for each in dislodged)  # a unit with nowhere to go is destroyed: nobody has a choice
    after = Position(
        phase=position.phase.following(retreats=retreats),
        units={power: tuple(sorted(owned, key=by_kind_and_place)) for power, owned in units.items()},
        centres=position.centres,
        dislodged=dislodged,
    )
    return after_fall(board, after) if position.phase.season is Season.FALL and not retreats else after


def by_kind_and_place(unit: Unit) -> tuple[str, str]:
    """Armies first, then by place: the order in which units are listed."""
    return unit.kind, unit.place


def driven_out(field: Battlefield, line: BattleLine, number: int, attacker: int) -> Dislodged:
    """A dislodged unit goes next door, where nobody stands or fought, and not where the attack came from (DATC 6.H)."""
    battle, ground, unit = line.battle, field.ground, field.units[number]
    came_from = battle.provinces[attacker]
    by_sea = attacker in battle.routes and field.rules.retreat_to_convoyed_attacker
    reach = ground.walks if is_army(unit) else ground.sails
    retreats = sorted(
        place for place in reach[unit.place] if is_open(line, place[:3]) and (by_sea or place[:3] != came_from)
    )
    return Dislodged(field.powers[number], unit, came_from, tuple(retreats))


def is_open(line: BattleLine, province: str) -> bool:
    """A province is open for retreats if it is empty and no attack on it was beaten off by another (DATC 6.H.6)."""
    battle = line.battle
    stander = battle.at.get(province)
    if stander is not None and not battle.won[stander]:
        return False
    return not any(battle.won[n] or battle.prevention(n)[1] for n in battle.attackers.get(province, ()))
