"""Who stands where in one movement phase: every unit has a number, and is looked up by its province."""

from dataclasses import dataclass

from pipeline.board.map import Kind, Power
from pipeline.board.position import Position, Unit
from pipeline.judge.ground import Ground
from pipeline.judge.rulebook.rulebook import Rulebook


@dataclass(slots=True, eq=False)
class Battlefield:
    """All units of a phase before anything happens."""

    ground: Ground
    rules: Rulebook
    powers: list[Power]  # by number
    units: list[Unit]  # by number
    at: dict[str, int]  # province -> number
    afloat: frozenset[str]  # seas with a fleet in them


def field_of(ground: Ground, position: Position, rules: Rulebook) -> Battlefield:
    """Number the units of a position."""
    powers: list[Power] = []
    units: list[Unit] = []
    at: dict[str, int] = {}
    for power, owned in position.units.items():
        for unit in owned:
            at[unit.place[:3]] = len(units)
            powers.append(power)
            units.append(unit)
    return Battlefield(ground, rules, powers, units, at, ground.seas.intersection(at))


def is_army(unit: Unit) -> bool:
    """Say whether a unit is an army."""
    return unit.kind is Kind.ARMY
