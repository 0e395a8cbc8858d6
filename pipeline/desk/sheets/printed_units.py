"""What stands in front of rows of boxes: the units of the open phase, where each can go, and whom it can help.

In winter: the home centres that are free, with what may be built there, or the units that may be disbanded.
"""

from collections.abc import Iterable, Iterator

from pipeline.board.map import Kind, Map, Power, province_of
from pipeline.board.position import Position, Step, Unit
from pipeline.desk.sheets.expected import entitlements
from pipeline.judge.legality import legal_orders
from pipeline.orders.order import Build
from pipeline.paper.sheet.target_rows import Choices, Target, Targets
from pipeline.rules.words.abbreviations import Abbreviations

NO_CHOICES = Choices(())

Block = tuple[str, Choices]  # what is printed in a row of targets, nothing for a build that is waived; and its boxes


def blocks(board: Map, position: Position, power: Power, words: Abbreviations) -> tuple[Block, ...]:
    """List what a power has rows of targets for in the phase that is open."""
    if position.phase.step is Step.ADJUSTMENTS:
        due = entitlements(board, position).get(power, 0)
        if due < 0:
            return tuple((in_words(unit, words), NO_CHOICES) for unit in position.units.get(power, ()))
        return (*builds(board, position, power, words), *(("", NO_CHOICES) for _ in range(due)))
    units = printed_units(position, power, position.phase.step)
    names = (in_words(unit, words) for unit in units)
    return tuple(zip(names, targets_of(board, position, units, words), strict=True))


def builds(board: Map, position: Position, power: Power, words: Abbreviations) -> Iterator[Block]:
    """List the home centres of a power that are free, and the units that may be built in each."""
    possible = [each.unit for each in legal_orders(board, position, power) if isinstance(each, Build)]
    for home in dict.fromkeys(unit.province for unit in possible):
        choices = (Target(str(unit), in_words(unit, words)) for unit in possible if unit.province == home)
        yield words.plain_word(home), Choices(tuple(choices))


def printed_units(position: Position, power: Power, step: Step) -> tuple[Unit, ...]:
    """List the units that a power orders or retreats, in the order of the position; what is built has no name yet."""
    match step:
        case Step.MOVEMENT:
            return tuple(position.units.get(power, ()))
        case Step.RETREATS:
            return tuple(each.unit for each in position.dislodged if each.power is power)
        case _:
            return ()


def targets_of(board: Map, position: Position, units: tuple[Unit, ...], words: Abbreviations) -> Targets:
    """List the places that each unit can go to without a convoy, and the units that it can help there or to stay.

    Whether it may is for the judge: nothing here knows more than the map and who stands where.
    """
    found = []
    for unit in units:
        others = tuple(helped(board, position, unit)) if position.phase.step is Step.MOVEMENT else ()
        places = sorted({*board.reach(unit.kind, unit.place), *coasts(board, unit, others)})
        goes = tuple(Target(place, words.plain_word(place)) for place in places)
        found.append(Choices(goes, tuple(Target(other.place, in_words(other, words)) for other in others)))
    return tuple(found)


def coasts(board: Map, unit: Unit, others: Iterable[Unit]) -> Iterator[str]:
    """List the coasts on which an army can support a fleet: some tournaments want them named in the support, too."""
    near = provinces(board.reach(unit.kind, unit.place)) if unit.kind is Kind.ARMY else frozenset()
    fleets = (other for other in others if other.kind is Kind.FLEET)
    for place in (place for fleet in fleets for place in board.reach(fleet.kind, fleet.place)):
        if place != province_of(place) and province_of(place) in near:
            yield place


def in_words(unit: Unit, words: Abbreviations) -> str:
    """Name a unit as it is printed.

    >>> from pipeline.board.map import Kind
    >>> from pipeline.rules.load import load_tournament
    >>> in_words(Unit(Kind.ARMY, "MAR"), load_tournament("edc2023").abbreviations)
    'A MARS'
    """
    return f"{unit.kind} {words.plain_word(unit.place)}"


def helped(board: Map, position: Position, unit: Unit) -> Iterator[Unit]:
    """List the units that this one can support without a convoy, the likeliest first: its own power's, and the nearest.

    An army that a fleet can carry stands where it could be supported, or is written.
    """
    mine = next((units for units in position.units.values() if unit in units), ())
    here = provinces(board.reach(unit.kind, unit.place))
    found = []
    for other in (each for units in position.units.values() for each in units if each != unit):
        stands = province_of(other.place) in here
        common = len(here & provinces(board.reach(other.kind, other.place)))
        if stands or common:
            found.append((other not in mine, -common - stands, other.place, other))
    yield from (other for *_, other in sorted(found, key=lambda each: each[:3]))


def provinces(places: Iterable[str]) -> frozenset[str]:
    """Leave the coasts out."""
    return frozenset(map(province_of, places))
