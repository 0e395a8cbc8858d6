"""Who must write what in a phase."""

from pipeline.board.map import Map, Power
from pipeline.board.position import Position, Step, Unit


def expected_units(board: Map, position: Position) -> dict[Power, int]:
    """Count, for each power with something to write, the units it must order, retreat, build or disband.

    Of a dislodged unit with nowhere to go, or in civil disorder, there is nothing to write.
    """
    match position.phase.step:
        case Step.MOVEMENT:
            counts = {power: len(units) for power, units in position.units.items()}
        case Step.RETREATS:
            counts = {power: sum(d.power is power and bool(d.retreats) for d in position.dislodged) for power in Power}
        case _:
            counts = {power: abs(count) for power, count in entitlements(board, position).items()}
    return {power: counts[power] for power in Power if counts.get(power)}


def lines_due(board: Map, position: Position, power: Power) -> tuple[Unit | None, ...]:
    """A line for each order that a power owes: its unit, or None where the order itself says which unit it is about."""
    match position.phase.step:
        case Step.MOVEMENT:
            return tuple(position.units.get(power, ()))
        case Step.RETREATS:
            return tuple(each.unit for each in position.dislodged if each.power is power)
        case Step.ADJUSTMENTS:
            return (None,) * abs(entitlements(board, position).get(power, 0))


def entitlements(board: Map, position: Position) -> dict[Power, int]:
    """What each power may build (more than 0) or must disband (less than 0).

    Centres less units; no more builds than there are home centres, owned and free, to build in.
    """
    occupied = {unit.province for _, unit in position.all_units()}
    counts = {}
    for power in (p for p in Power if p in position.units or p in position.centres):
        owned = position.centres.get(power, ())
        free = sum(home in owned and home not in occupied for home in board.homes[power])
        counts[power] = min(len(owned) - len(position.units.get(power, ())), free)
    return counts
