"""The orders of the three kinds of phase. Powers stand beside orders, not in them."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, assert_never

from msgspec import Struct

from pipeline.board import Dislodged, Kind, Map, Phase, Position, Power, Unit, province_of
from pipeline.problems import Problem, Stopped, Weight


class Hold(Struct, frozen=True):
    """Stay."""

    unit: Unit


class Move(Struct, frozen=True):
    """Go, or attack."""

    unit: Unit
    to: str  # place; a province alone where no coast was written
    via: bool = False  # a convoy was asked for
    route: tuple[str, ...] = ()  # seas named in the order, first to last; implies that a convoy is intended


class Support(Struct, frozen=True):
    """Lend one strength to another unit: to its move to ``to``, or to its staying where ``to`` is None."""

    unit: Unit
    of: Unit
    to: str | None = None


class Convoy(Struct, frozen=True):
    """Carry an army over this fleet's sea."""

    unit: Unit
    of: Unit
    to: str


class Retreat(Struct, frozen=True):
    """A dislodged unit goes to a place."""

    unit: Unit
    to: str


class Disband(Struct, frozen=True):
    """A unit leaves the board, in retreats or in adjustments."""

    unit: Unit


class Build(Struct, frozen=True):
    """A new unit in a home supply centre."""

    unit: Unit


class Waive(Struct, frozen=True):
    """A build not made."""


Order = Hold | Move | Support | Convoy | Retreat | Disband | Build | Waive


def units_of(orders: Iterable[Order]) -> frozenset[str]:
    """The provinces of the units that orders are for; a waived build is for none."""
    return frozenset(order.unit.province for order in orders if not isinstance(order, Waive))


# The canonical notation of files, exports and the judge: ``read_order(write(order)) == order`` for every order.
#
# What players write is in no such notation; `pipeline/interpret/` reads it.

PLACE = r"[A-Z]{3}(?:/(?:NC|SC|EC|WC))?"
UNIT = rf"([AF]) ({PLACE})"
HOLD = re.compile(rf"{UNIT} H")
MOVE = re.compile(rf"{UNIT}((?: - {PLACE})+)( VIA)?")
SUPPORT = re.compile(rf"{UNIT} S {UNIT}(?: - ({PLACE}))?(?: H)?")
CONVOY = re.compile(rf"{UNIT} C {UNIT} - ({PLACE})")
RETREAT = re.compile(rf"{UNIT} R ({PLACE})")
DISBAND = re.compile(rf"{UNIT} D|(?:DISBAND|REMOVE) {UNIT}")
BUILD = re.compile(rf"{UNIT} B|BUILD {UNIT}")
UNITS = 1000  # so many are kept in memory, by their texts; the standard map has 120


class NotAnOrder(ValueError):
    """Text that the canonical notation does not know."""


def write(order: Order) -> str:
    """Write an order in canonical notation.

    >>> write(Support(Unit(Kind.ARMY, "MUN"), Unit(Kind.FLEET, "KIE"), "BER"))
    'A MUN S F KIE - BER'
    """
    match order:
        case Hold(unit):
            return f"{unit} H"
        case Move(unit, to, via, route):
            return " - ".join([str(unit), *route, to]) + (" VIA" if via and not route else "")
        case Support(unit, of, None):
            return f"{unit} S {of}"
        case Support(unit, of, to):
            return f"{unit} S {of} - {to}"
        case Convoy(unit, of, to):
            return f"{unit} C {of} - {to}"
        case Retreat(unit, to):
            return f"{unit} R {to}"
        case Disband(unit):
            return f"{unit} D"
        case Build(unit):
            return f"{unit} B"
        case Waive():
            return "WAIVE"
        case _:
            assert_never(order)


def read_order(text: str) -> Order:
    """Read canonical text; anything else is `NotAnOrder` with what was found.

    >>> read_order("A MUN S F KIE - BER")
    Support(unit=Unit(kind=<Kind.ARMY: 'A'>, place='MUN'), of=Unit(kind=<Kind.FLEET: 'F'>, place='KIE'), to='BER')
    >>> read_order("A WAL - IRI - MAO - NAF").route
    ('IRI', 'MAO')
    >>> read_order("BUILD F STP/NC")
    Build(unit=Unit(kind=<Kind.FLEET: 'F'>, place='STP/NC'))
    """
    if match := MOVE.fullmatch(text):
        *route, to = match[3].removeprefix(" - ").split(" - ")
        return Move(_make_unit(match[1], match[2]), to, bool(match[4] or route), tuple(route))
    if match := HOLD.fullmatch(text):
        return Hold(_make_unit(match[1], match[2]))
    if match := SUPPORT.fullmatch(text):
        return Support(_make_unit(match[1], match[2]), _make_unit(match[3], match[4]), match[5])
    if match := CONVOY.fullmatch(text):
        return Convoy(_make_unit(match[1], match[2]), _make_unit(match[3], match[4]), match[5])
    return _read_aftermath(text)


def _read_aftermath(text: str) -> Order:
    """Read the orders of retreats and adjustments."""
    if match := RETREAT.fullmatch(text):
        return Retreat(_make_unit(match[1], match[2]), match[3])
    if match := DISBAND.fullmatch(text):
        return Disband(_make_unit(match[1] or match[3], match[2] or match[4]))
    if match := BUILD.fullmatch(text):
        return Build(_make_unit(match[1] or match[3], match[2] or match[4]))
    if text == "WAIVE":
        return Waive()
    raise NotAnOrder(f"{text!r} is not an order in canonical notation, such as 'A VIE - BOH' or 'F ADR C A TRI - APU'")


def _make_unit(kind: str, place: str) -> Unit:
    """Make a unit of two pieces of text that the patterns have already checked."""
    return Unit(Kind(kind), place)


@lru_cache(maxsize=UNITS)
def read_unit(text: str) -> Unit:
    """Read ``A VIE``; anything else is `NotAnOrder`.

    >>> read_unit("F STP/SC")
    Unit(kind=<Kind.FLEET: 'F'>, place='STP/SC')
    """
    match = re.fullmatch(UNIT, text)
    if not match:
        raise NotAnOrder(f"{text!r} is not a unit, such as 'A VIE' or 'F STP/SC'")
    return _make_unit(match[1], match[2])


# Positions as JSON (``units``, ``centers``, ``dislodged``), read and written, with all faults reported at once.


def write_position(position: Position) -> dict[str, Any]:
    """Write a position as JSON; `read_position` reads it back."""
    return {
        "phase": str(position.phase),
        "units": {power: [str(u) for u in sorted(units)] for power, units in position.units.items()},
        "centers": {power: sorted(centres) for power, centres in position.centres.items()},
        "dislodged": [
            {"power": d.power, "unit": str(d.unit), "from": d.by, "retreats": list(d.retreats)}
            for d in position.dislodged
        ],
    }


def read_position(value: Mapping[str, Any], board: Map) -> Position:
    """Read a position, or stop with everything that is wrong with it.

    Refused are unknown powers and provinces, armies at sea, fleets inland or without their coast, two units in one
    province and a centre with two owners. Where ``centers`` is left out, every power owns its home centres.
    """
    reader = PositionReader(board)
    phase = reader.phase(value.get("phase"))
    if "units" not in value:
        reader.fault("missing: an object of powers, each with a list of units", "units")
    units = {power: reader.units(texts, f"units {power}") for power, texts in reader.powers(value, "units")}
    centres = {power: reader.centres(codes, f"centers {power}") for power, codes in reader.powers(value, "centers")}
    if "centers" not in value:
        centres = {power: board.homes[power] for power in board.start}
    dislodged = tuple(reader.read_dislodged(value.get("dislodged", [])))
    reader.twice(
        [(u.province, f"{u} of {power}") for power, us in units.items() for u in us], "two units stand in", "units"
    )
    reader.twice([(c, str(power)) for power, owned in centres.items() for c in owned], "two powers own", "centers")
    if reader.problems or phase is None:
        raise Stopped(reader.problems)
    return Position(phase=phase, units=units, centres=centres, dislodged=dislodged)


class PositionReader:
    """Reads the parts of one position and collects what is wrong with them."""

    def __init__(self, board: Map) -> None:
        self.board = board
        self.problems: list[Problem] = []

    def fault(self, text: str, where: str) -> None:
        """Note one fault."""
        self.problems.append(Problem(Weight.STOPS, text, where))

    def phase(self, text: object) -> Phase | None:
        try:
            return Phase.read(str(text))
        except ValueError as error:
            self.fault(str(error), "phase")
            return None

    def powers(self, value: Mapping[str, Any], key: str) -> Iterable[tuple[Power, list[str]]]:
        """Go through an object that has a list of texts for each power."""
        table = value.get(key, {})
        if not isinstance(table, Mapping):
            self.fault(f"expected an object of powers, found {type(table).__name__}", key)
            return
        for name, texts in table.items():
            power = self.power(name, key)
            if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
                self.fault("expected a list of texts", f"{key} {name}")
            elif power is not None:
                yield power, texts

    def power(self, name: object, where: str) -> Power | None:
        try:
            return Power(str(name))
        except ValueError:
            self.fault(f"unknown power {name!r}; powers are {', '.join(Power)}", where)
            return None

    def unit(self, text: str, where: str) -> Unit | None:
        try:
            unit = read_unit(text)
        except NotAnOrder as error:
            self.fault(str(error), where)
            return None
        if unit.province not in self.board.provinces:
            self.fault(f"unknown province {unit.province}", where)
        elif not self.board.can_stand(unit.kind, unit.place):
            coasts = " or ".join(self.board.provinces[unit.province].coasts)
            hint = f"; name the coast, {coasts}" if coasts and unit.place == unit.province else ""
            self.fault(f"{unit} cannot stand there{hint}", where)
        else:
            return unit
        return None

    def units(self, texts: list[str], where: str) -> tuple[Unit, ...]:
        """Read a power's units."""
        return tuple(sorted(unit for text in texts if (unit := self.unit(text, where))))

    def centres(self, codes: list[str], where: str) -> tuple[str, ...]:
        """Read a power's supply centres."""
        for code in codes:
            if code not in self.board.centres:
                self.fault(f"{code!r} is not a supply centre", where)
        return tuple(sorted(code for code in codes if code in self.board.centres))

    def read_dislodged(self, values: object) -> Iterable[Dislodged]:
        if not isinstance(values, list):
            self.fault(f"expected a list, found {type(values).__name__}", "dislodged")
            return
        for number, value in enumerate(values):
            where = f"dislodged[{number}]"
            if not isinstance(value, Mapping):
                self.fault(f"expected an object, found {type(value).__name__}", where)
                continue
            power = self.power(value.get("power"), where)
            unit = self.unit(str(value.get("unit")), where)
            by, retreats = str(value.get("from", "")), value.get("retreats", [])
            if by and province_of(by) not in self.board.provinces:
                self.fault(f"'from': unknown province {by!r}", where)
            if not isinstance(retreats, list) or not all(self.is_place(place) for place in retreats):
                self.fault(f"'retreats': expected a list of places, found {retreats!r}", where)
            elif power is not None and unit is not None:
                yield Dislodged(power, unit, by, tuple(retreats))

    def is_place(self, text: object) -> bool:
        """Say whether a unit of some kind can stand there."""
        return isinstance(text, str) and (text in self.board.army_borders or text in self.board.fleet_borders)

    def twice(self, claims: list[tuple[str, str]], words: str, where: str) -> None:
        """Note every province that is claimed twice; a claim is a province and whose it is."""
        first: dict[str, str] = {}
        for code, who in claims:
            if first.get(code) == who:
                self.fault(f"{code} stands twice, for {who}", where)
            elif code in first:
                self.fault(f"{words} {code}: {first[code]} and {who}", where)
            first.setdefault(code, who)
