"""Which units come off when a power orders too few removals (DATC 4.D.8)."""

from collections.abc import Callable, Iterable, Mapping

from pipeline.board.map import Kind, Map, Power
from pipeline.board.position import Position, Unit
from pipeline.judge.rulebook.choices import FarFrom, RemovalDistance
from pipeline.judge.rulebook.rulebook import Rulebook
from pipeline.words.wording import wording

NOWHERE = 99  # steps to what cannot be reached; more than any way on the map

# provinces of each home country that hold no centre, as the borders of the map colour them (rulebook 2000, map)
COUNTRYSIDE: Mapping[Power, tuple[str, ...]] = {
    Power.AUSTRIA: ("BOH", "GAL", "TYR"),
    Power.ENGLAND: ("CLY", "WAL", "YOR"),
    Power.FRANCE: ("BUR", "GAS", "PIC"),
    Power.GERMANY: ("PRU", "RUH", "SIL"),
    Power.ITALY: ("APU", "PIE", "TUS"),
    Power.RUSSIA: ("FIN", "LVN", "UKR"),
    Power.TURKEY: ("ARM", "SYR"),
}


def removed_first(board: Map, position: Position, power: Power, rules: Rulebook) -> list[tuple[Unit, str]]:
    """The unit farthest away goes first, then fleets before armies, then by the list of provinces.

    Some tournaments spare, of units equally far, those that stand on a centre (WDC08 12.3).
    """
    targets = goals(board, position, power, rules)
    ranks = {code: rank for rank, code in enumerate(rules.removal_list or by_name(board))}
    steps = {unit: distance(board, unit, targets, rules) for unit in position.units.get(power, ())}

    def key(unit: Unit) -> tuple[int, bool, bool, int, str]:
        spared = rules.removal_spares_centres and board.provinces[unit.province].is_centre
        return -steps[unit], spared, unit.kind is not Kind.FLEET, ranks.get(unit.province, NOWHERE), unit.place

    return [(unit, reason(steps[unit], rules)) for unit in sorted(steps, key=key)]


def reason(steps: int, rules: Rulebook) -> str:
    """Say how far a unit is."""
    place = {
        FarFrom.HOME: wording("home centre"),
        FarFrom.COUNTRY: wording("home country"),
        FarFrom.OWNED: wording("owned centre"),
    }[rules.removal_far_from]
    if steps >= NOWHERE:
        return wording("removed: out of reach of any {place} (DATC 4.D.8)", place=place)
    return wording("removed: {steps} from the nearest {place} (DATC 4.D.8)", steps=steps, place=place)


def by_name(board: Map) -> list[str]:
    """List the provinces by their English names."""
    return sorted(board.provinces, key=lambda code: board.provinces[code].name)


def goals(board: Map, position: Position, power: Power, rules: Rulebook) -> frozenset[str]:
    """From where the distance is counted."""
    match rules.removal_far_from:
        case FarFrom.HOME:
            return frozenset(board.homes[power])
        case FarFrom.COUNTRY:
            return frozenset((*board.homes[power], *COUNTRYSIDE[power]))
        case _:
            return frozenset(position.centres.get(power, ()))


def distance(board: Map, unit: Unit, targets: frozenset[str], rules: Rulebook) -> int:
    """Count the steps to the nearest of the targets: by provinces that touch, or fleets by their own moves."""
    if rules.removal_steps is RemovalDistance.MOVES and unit.kind is Kind.FLEET:
        return steps_to(unit.place, targets, lambda place: board.fleet_borders.get(place, frozenset()))
    return steps_to(unit.province, targets, lambda place: board.neighbours[place])


def steps_to(start: str, targets: frozenset[str], borders: Callable[[str], Iterable[str]]) -> int:
    """Count the steps of the shortest way."""
    seen, edge, steps = {start}, [start], 0
    while edge:
        if any(place[:3] in targets for place in edge):
            return steps
        edge = sorted({near for place in edge for near in borders(place)} - seen)
        seen.update(edge)
        steps += 1
    return NOWHERE
