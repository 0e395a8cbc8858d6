"""What stands in front of rows of boxes: the units of the open phase, and where each of them can go."""

from pipeline.board.map import Map, Power
from pipeline.board.position import Position, Step, Unit
from pipeline.tournament.abbreviations import Abbreviations
from pipeline.tournament.target_rows import Target, Targets


def printed_units(position: Position, power: Power, step: Step) -> tuple[Unit, ...]:
    """List the units that a power orders or retreats, in the order of the position; what is built has no name yet."""
    match step:
        case Step.MOVEMENT:
            return tuple(position.units.get(power, ()))
        case Step.RETREATS:
            return tuple(each.unit for each in position.dislodged if each.power is power)
        case _:
            return ()


def targets_of(board: Map, units: tuple[Unit, ...], words: Abbreviations) -> Targets:
    """List the places that each unit can go to without a convoy; whether it may now is for the judge."""
    return tuple(
        tuple(Target(place, words.plain_word(place)) for place in sorted(board.reach(unit.kind, unit.place)))
        for unit in units
    )
