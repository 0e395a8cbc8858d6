"""Flying Dutchmen: units on a board to which a player is not entitled, and which of them the rules take off.

The program lets nobody build too many and takes off what is not disbanded. Such a unit is there only where somebody
set the position by hand, as it stood on the table (WM VII.3.a).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.board.map import Kind, Power
from pipeline.board.position import Phase, Position, Season, Step, Unit
from pipeline.desk.event.ending import goes_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.publish.origins import Ordered, Origin, PutOnBoard, Unordered, origins
from pipeline.judge.removal import removed_first
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.conduct_rules import Dutchman, DutchmanLimit
from pipeline.rules.reading_rules import LostSheet
from pipeline.rules.toml.table import did_you_mean

Goes = tuple[Unit, str]  # a unit that comes off, and why this one


def dutchmen(event: Event, game: Game) -> Iterator[Problem]:
    """Every power on a board with more units than it is entitled to now: what the rules say, and what they take off.

    It is told, and nothing waits for it: a unit leaves the board only by the director's word.
    """
    conduct = event.tournament.conduct
    rule, limit = conduct.dutchman, conduct.dutchman_limit
    for power, too_many in surplus(game.position).items():
        units = "1 unit" if too_many == 1 else f"{too_many} units"
        said = [
            f"{units} more than centres; {power} is not entitled to so many",
            f"{rule.value.meaning} ({rule.source})",
        ]
        if rule.value is not Dutchman.ASK:
            said.append(f"limit: {limit.value.meaning} ({limit.source})")
        if is_too_late(game.position.phase, limit.value):
            said.append("the Fall orders are read; now the count of this Fall puts it right")
        else:
            goes = off_first(event, game, power, too_many)
            said += [f"{unit} comes off: {why}" for unit, why in goes or ()]
            if goes is None:
                lost = event.tournament.adjustments.too_many_builds_sheet_lost
                said.append(f"which of them it was, no sheet says: {lost.value.meaning} ({lost.source})")
            options = " ".join(f'--off "{unit}"' for unit, _ in goes or ()) or "--off UNIT"
            said.append(f"what goes is taken off by 'ordersheets position EVENT {game.name} {options}'")
        yield Problem(Weight.NOTES, "; ".join(said), f"{game.name} {power}")


def all_dutchmen(event: Event) -> Iterator[Problem]:
    """The same on every board that is still played."""
    for game in games(event).values():
        if goes_on(event, game):
            yield from dutchmen(event, game)


def surplus(position: Position) -> dict[Power, int]:
    """How many units each power has too many; in an adjustment phase none, for there they are disbanded as a rule.

    Between two winters nobody's centres change, and dislodged units are still units. A position that keeps no count of
    centres says nothing about who is entitled to what.
    """
    if position.phase.step is Step.ADJUSTMENTS or not position.centres:
        return {}
    dislodged = [each.power for each in position.dislodged]
    found = {
        power: len(units) + dislodged.count(power) - len(position.centres.get(power, ()))
        for power, units in position.units.items()
    }
    return {power: count for power, count in found.items() if count > 0}


def is_too_late(phase: Phase, limit: DutchmanLimit) -> bool:
    """Once the Fall orders are read nothing is removed any more: the count of that Fall puts it right (WM VII.3.b)."""
    is_read = phase.season is Season.FALL and phase.step is Step.RETREATS
    return limit is DutchmanLimit.NEXT_FALL_DEADLINE and is_read


def off_first(event: Event, game: Game, power: Power, too_many: int) -> tuple[Goes, ...] | None:
    """The units that come off, none where the director rules; None where he chooses among builds without a sheet."""
    rule = event.tournament.conduct.dutchman.value
    if rule is Dutchman.ASK:
        return ()
    known = placed_or_built(event, game, power, too_many) if rule is Dutchman.BUILDS_BACK else ()
    if known is None:
        return None
    rules = event.tournament.rulebook
    taken = {unit for unit, _ in known}
    others = [goes for goes in removed_first(game.map, game.position, power, rules) if goes[0] not in taken]
    return (*known, *others)[:too_many]


def placed_or_built(event: Event, game: Game, power: Power, too_many: int) -> tuple[Goes, ...] | None:
    """What is known to be the surplus: what somebody put there, else last winter's builds, the lowest written first.

    Where the order sheet is not there to be looked at, the rules have an order of their own (WM VII.3.d, e).
    """
    came: dict[Unit, Origin] = {unit: origin for (who, unit), origin in origins(event, game).items() if who is power}
    placed = tuple(unit for unit, origin in came.items() if isinstance(origin, PutOnBoard))
    if 0 < len(placed) <= too_many:
        return tuple((unit, "it was put there, and nobody ordered it") for unit in placed)
    winter = game.position.phase.year - 1
    ordered = {unit: each.place for unit, each in came.items() if isinstance(each, Ordered) and each.year == winter}
    lost = [unit for unit, each in came.items() if isinstance(each, Unordered) and each.year == winter]
    if ordered or not lost:
        lowest_first = sorted(ordered, key=lambda unit: -ordered[unit])
        return tuple((unit, "the lowest of the builds on its sheet that are left") for unit in lowest_first)
    if len(lost) > too_many and event.tournament.adjustments.too_many_builds_sheet_lost.value is LostSheet.ASK:
        return None
    names = {unit: game.map.provinces[unit.province].name for unit in lost}
    lost.sort(key=lambda unit: (unit.kind is not Kind.FLEET, names[unit]))
    return tuple((unit, "it was built last winter, and its sheet is not there") for unit in lost)


def without(position: Position, texts: Sequence[str]) -> Position:
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
