"""Flying Dutchmen: units on a board to which a player is not entitled, and which of them the rules take off.

The program allows no build too many, and removes units that a power must disband and does not. So a surplus unit comes
only from a position that somebody set by hand (WM VII.3.a).
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import (
    FIRST_PHASE,
    Dislodged,
    Kind,
    Map,
    Phase,
    Position,
    Power,
    Season,
    Step,
    Unit,
    province_of,
    starting_position,
)
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, Played, apply_fact
from pipeline.desk.ruling.desk import Desk
from pipeline.judge.adjustments import removed_first
from pipeline.judge.outcome import Moved
from pipeline.judge.retreats import RETREATED
from pipeline.ledger.events import Decision, OnGame, PhasePublished, PositionSet
from pipeline.ledger.ledger import Fact, standing
from pipeline.orders import Build, Move, Retreat, write_position
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.conduct import Dutchman, DutchmanLimit
from pipeline.rules.reading_rules import LostSheet
from pipeline.rules.table import did_you_mean
from pipeline.words.speech import write_count

# The origin of each unit on a board, followed from fact to fact: an order, or a position set by hand.


class Origin(Struct, frozen=True):
    """How a unit came; without a year it was put on the board between two phases, where nobody can have ordered it."""

    year: int | None = None  # in whose winter it was built
    # among the builds of its power, 0 at the top of the sheet; None if the position after that winter was set by hand
    place: int | None = None


Origins = Mapping[tuple[Power, Unit], Origin]


def _origins(event: Event, game: Game) -> Origins:
    """Find the origin of every unit that came to a board since its game, or its first position, began."""
    now = Game(seating=game.seating, position=starting_position(game.map))
    came: Origins = {}
    began: dict[str, Origins] = {}  # the origins when each phase began, for corrections
    for fact in standing(event.facts, OnGame):
        if not isinstance(fact.said, PhasePublished | PositionSet) or fact.said.board != game.name:
            continue
        before, now = now.position, apply_fact(now, fact, event)
        if isinstance(fact.said, PositionSet):
            came = _origins_after_setting(came, before, now.position)
        else:
            played = now.played[-1]
            if played.phase != before.phase:
                came = began[str(played.phase)]
            began[str(played.phase)] = came
            came = _carry_origins(came, played)
    return came


def _carry_origins(came: Origins, played: Played) -> dict[tuple[Power, Unit], Origin]:
    """Carry origins through a phase: units go where their orders took them, and new ones are built."""
    after = played.after
    origins: dict[tuple[Power, Unit], Origin] = {}
    went = {
        (result.power, result.order.unit): province_of(result.order.to)
        for result in played.resolution.results
        if (isinstance(result.order, Move) and isinstance(result.outcome, Moved))
        or (isinstance(result.order, Retreat) and result.outcome == RETREATED)
    }
    dislodged = {(each.power, each.unit) for each in after.dislodged}
    for (power, unit), origin in came.items():
        province = went.get((power, unit), unit.province)
        stands = [each for each in after.units.get(power, ()) if (each.kind, each.province) == (unit.kind, province)]
        for now in [unit] if (power, unit) in dislodged else stands:
            origins[power, now] = origin
    for power, orders in played.orders.items():
        built = [order.unit for order in orders if isinstance(order, Build)]
        for place, unit in enumerate(built):
            if unit in after.units.get(power, ()):
                origins[power, unit] = Origin(played.phase.year, place)
    return origins


def _origins_after_setting(came: Origins, before: Position, after: Position) -> dict[tuple[Power, Unit], Origin]:
    """Known units keep their origin; new ones were built in the winter between, or put there.

    If more than one phase lies between the positions, the origin of a new unit is unknown.
    """
    is_winter = before.phase.step is Step.ADJUSTMENTS
    is_next = after.phase == before.phase.following(retreats=False)
    new: Origin | None = None
    if before.phase == after.phase:
        new = Origin()
    elif is_winter and is_next:
        new = Origin(before.phase.year)
    origins: dict[tuple[Power, Unit], Origin] = {}
    for power, units in after.units.items():
        for unit in units:
            stood = unit in before.units.get(power, ())
            origin = came.get((power, unit)) if stood else new
            if origin is not None:
                origins[power, unit] = origin
    return origins


UnitRemoval = tuple[Unit, str]  # a unit that is removed, and why this one


def dutchmen(event: Event, game: Game) -> Iterator[Problem]:
    """Report every power on a board that has too many units: what the rules say, and which units they remove.

    Nothing is removed here; the director does that with ``ordersheets position``.
    """
    conduct = event.tournament.conduct
    rule, limit = conduct.dutchman, conduct.dutchman_limit
    for power, too_many in _surplus(game.position).items():
        parts = [
            f"{write_count(too_many, 'unit')} more than centres; {power} is not entitled to so many",
            f"{rule.value.meaning} ({rule.source})",
        ]
        if rule.value is not Dutchman.ASK:
            parts.append(f"limit: {limit.value.meaning} ({limit.source})")
        if _is_too_late(game.position.phase, limit.value):
            parts.append("the Fall orders are read; the adjustments of this Fall now remove the surplus")
        else:
            removals = _units_to_remove(event, game, power, too_many)
            parts += [f"{unit} comes off: {why}" for unit, why in removals or ()]
            if removals is None:
                lost = event.tournament.adjustments.too_many_builds_sheet_lost
                parts.append(f"no sheet says which build it was: {lost.value.meaning} ({lost.source})")
            options = " ".join(f'--off "{unit}"' for unit, _ in removals or ()) or "--off UNIT"
            parts.append(f"take it off with 'ordersheets position EVENT {game.name} {options}'")
        yield Problem(Weight.NOTES, "; ".join(parts), f"{game.name} {power}")


def _surplus(position: Position) -> dict[Power, int]:
    """Count each power's surplus units; none in an adjustment phase, in which surplus units are disbanded anyway.

    Centres do not change between two winters, and dislodged units are counted. Without known centres no surplus is
    known.
    """
    if position.phase.step is Step.ADJUSTMENTS or not position.centres:
        return {}
    dislodged = [each.power for each in position.dislodged]
    surplus = {
        power: len(units) + dislodged.count(power) - len(position.centres.get(power, ()))
        for power, units in position.units.items()
    }
    return {power: count for power, count in surplus.items() if count > 0}


def _is_too_late(phase: Phase, limit: DutchmanLimit) -> bool:
    """Whether the Fall orders are read: the adjustments of that Fall then remove the surplus (WM VII.3.b)."""
    is_read = phase.season is Season.FALL and phase.step is Step.RETREATS
    return limit is DutchmanLimit.NEXT_FALL_DEADLINE and is_read


def _units_to_remove(event: Event, game: Game, power: Power, too_many: int) -> tuple[UnitRemoval, ...] | None:
    """The units that are removed; empty if the director rules, None if he must choose among builds without a sheet."""
    rule = event.tournament.conduct.dutchman.value
    if rule is Dutchman.ASK:
        return ()
    known = _placed_or_built(event, game, power, too_many) if rule is Dutchman.BUILDS_BACK else ()
    if known is None:
        return None
    rules = event.tournament.rulebook
    taken = {unit for unit, _ in known}
    others = [each for each in removed_first(game.map, game.position, power, rules) if each[0] not in taken]
    return (*known, *others)[:too_many]


def _placed_or_built(event: Event, game: Game, power: Power, too_many: int) -> tuple[UnitRemoval, ...] | None:
    """Find the known surplus: units that somebody put there, else last winter's builds, the lowest written first.

    For builds whose order sheet is missing, the rules name another order (WM VII.3.d, e).
    """
    came: dict[Unit, Origin] = {unit: origin for (who, unit), origin in _origins(event, game).items() if who is power}
    placed = tuple(unit for unit, origin in came.items() if origin.year is None)
    if 0 < len(placed) <= too_many:
        return tuple((unit, "it was put there without an order") for unit in placed)
    winter = game.position.phase.year - 1
    built = {unit: each.place for unit, each in came.items() if each.year == winter}
    ordered = {unit: place for unit, place in built.items() if place is not None}
    lost = [unit for unit, place in built.items() if place is None]
    if ordered or not lost:
        lowest_first = sorted(ordered, key=lambda unit: -ordered[unit])
        return tuple((unit, "the lowest of the builds on its sheet that are left") for unit in lowest_first)
    if len(lost) > too_many and event.tournament.adjustments.too_many_builds_sheet_lost.value is LostSheet.ASK:
        return None
    names = {unit: game.map.provinces[unit.province].name for unit in lost}
    lost.sort(key=lambda unit: (unit.kind is not Kind.FLEET, names[unit]))
    return tuple((unit, "it was built last winter, and its sheet is missing") for unit in lost)


def take_units_off(position: Position, texts: Sequence[str]) -> Position:
    """The position after these units were taken off, standing or dislodged, or stop with those that are not there."""
    there = {str(unit) for _, unit in position.all_units()} | {str(each.unit) for each in position.dislodged}
    if missing := [text for text in texts if text not in there]:
        raise Stopped(
            Problem(Weight.STOPS, f"no such unit is on the board{did_you_mean(text, tuple(there))}", text)
            for text in missing
        )
    return replace(
        position,
        units={power: tuple(u for u in units if str(u) not in texts) for power, units in position.units.items()},
        dislodged=tuple(each for each in position.dislodged if str(each.unit) not in texts),
    )


def _wrong_retreats(board: Map, position: Position) -> Iterator[Problem]:
    """Dislodged units outside a retreat phase would be lost; one that goes to an occupied province would share it."""
    if position.dislodged and position.phase.step is not Step.RETREATS:
        text = f"units are dislodged in a retreat phase only; this is {position.phase.in_words}"
        yield Problem(Weight.STOPS, text, "dislodged")
    taken = {unit.province for _, unit in position.all_units()}
    for number, each in enumerate(position.dislodged):
        borders = board.army_borders if each.unit.kind is Kind.ARMY else board.fleet_borders
        for place in each.retreats:
            if place not in borders[each.unit.place]:
                yield Problem(Weight.STOPS, f"{each.unit} does not border {place}", f"dislodged[{number}]")
            elif province_of(place) in taken:
                yield Problem(Weight.STOPS, f"{each.unit}: {place} is occupied", f"dislodged[{number}]")


def retreats_to_write(board: Map, position: Position, driven: Dislodged) -> str:
    """What to write where nobody said where a dislodged unit may go: which places were contested is not known."""
    taken = {province_of(driven.by), *(unit.province for _, unit in position.all_units())}
    borders = board.army_borders if driven.unit.kind is Kind.ARMY else board.fleet_borders
    free = [place for place in sorted(borders[driven.unit.place]) if province_of(place) not in taken]
    if not free:
        return f"{driven.unit} has nowhere to go: write []"
    listed = json.dumps(free)
    return f"{driven.unit} could go to {', '.join(free)}: write {listed} without what was contested"


def _doubtful(position: Position, before: Position) -> Iterator[str]:
    """What no game leads to, though a board may be set so: nothing on it, or a unit that nobody dislodged.

    The unit that dislodged another may have been taken off since.
    """
    for what, owned in (("unit", position.units), ("centre", position.centres)):
        if not any(owned.values()):
            yield f"no power has a {what}"
    for each in position.dislodged:
        if position.at(each.unit.place) is None and each.unit not in {known.unit for known in before.dislodged}:
            yield f"{each.unit} is dislodged, and nobody stands in {each.unit.province}"


def set_position(event: Event, game: Game, position: Position, by: str, why: str = "") -> Fact[PositionSet]:
    """Set a board by hand.

    Stop where its game is over, where published phases would be lost with it, before Spring 1901, or where no unit can
    retreat as it says.
    To leave phases out of a game that is played here needs a reason, and so does a board that no game leads to.
    """
    if game.ending:
        raise stop(f"the game is over: {game.ending}; take its end back first ('end --undo')", game.name)
    if game.played and position.phase.sort_key <= game.played[-1].phase.sort_key:
        last = game.played[-1]
        text = f"{last.phase.in_words} is published (number {last.fact.number} of the journal)"
        raise stop(f"{text}; correct it, or take it back before the board is set so far back", game.name)
    if position.phase.sort_key < FIRST_PHASE.sort_key:
        raise stop(f"games begin with {FIRST_PHASE.in_words}; this is {position.phase.in_words}", game.name)
    if wrong := tuple(_wrong_retreats(game.map, position)):
        raise Stopped(wrong)
    doubts = [*_doubtful(position, game.position), *filter(None, [_phases_left_out(event, game, position)])]
    if doubts and not why.strip():
        text = f"{'; '.join(doubts)}; to set the board so all the same, say why"
        raise Stopped((Problem(Weight.ASKS, text, game.name),), ExitCode.RULE_FIRST)
    return event.facts.write(PositionSet(board=game.name, position=write_position(position), why=why.strip()), by)


def _phases_left_out(event: Event, game: Game, position: Position) -> str:
    """What a position leaves out that is set beyond the open phase; empty of a game that begins here in the middle.

    It begins with the first position that is set, unless something was ruled on before.
    """
    opened, wanted = game.position.phase, position.phase
    begun = {fact.said.board for fact in standing(event.facts, OnGame)}
    begun |= {fact.said.board for fact in standing(event.facts, Decision)}
    has_orders = Desk.of(event, offers=False).has_orders(game)
    if wanted.sort_key <= opened.sort_key or not (has_orders or game.name in begun):
        return ""
    orders = ", with the orders that are in" if has_orders else ""
    return f"{opened.in_words} is open{orders}, and would not be played: the board would stand at {wanted.in_words}"
