"""Who owns what after a Fall, and how many units each power has too many or too few."""

from collections.abc import Mapping

from msgspec.structs import replace

from pipeline.board import Map, Phase, Position, Power, Season, Step


def after_fall(board: Map, position: Position) -> Position:
    """A centre belongs to whoever stands in it after Fall, else to whoever had it; no winter if all are in balance.

    A position without centres is returned unchanged.
    """
    if not position.centres:
        return position
    counted = replace(position, centres=_count_captures(board, position))
    if any(balances(counted).values()):
        return counted
    return replace(counted, phase=Phase(position.phase.year + 1, Season.SPRING, Step.MOVEMENT))


def _count_captures(board: Map, position: Position) -> Mapping[Power, tuple[str, ...]]:
    """Give every centre to the power whose unit stands in it."""
    taken = {unit.province: power for power, units in position.units.items() for unit in units}
    owners = {centre: power for power, centres in position.centres.items() for centre in centres}
    powers = {*position.centres, *position.units}
    new: dict[Power, list[str]] = {power: [] for power in Power if power in powers}
    for centre in board.centres:
        owner = taken.get(centre, owners.get(centre))
        if owner is not None:
            new[owner].append(centre)
    return {power: tuple(centres) for power, centres in new.items()}


def balances(position: Position) -> dict[Power, int]:
    """Count builds (above zero) and removals (below) each power is due (EDC23 R8: only the balance counts)."""
    powers = {*position.centres, *position.units}
    return {
        power: len(position.centres.get(power, ())) - len(position.units.get(power, ()))
        for power in Power
        if power in powers
    }
