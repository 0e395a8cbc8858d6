"""The canonical notation, exact both ways: ``read(write(order)) == order`` for every order.

Fuzziness belongs to ``interpret``. This is the notation of files, exports and the judge (CONTRACT, Notation).
"""

import re
from functools import lru_cache
from typing import assert_never

from pipeline.board.map import Kind
from pipeline.board.position import Unit
from pipeline.orders.order import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive

PLACE = r"[A-Z]{3}(?:/(?:NC|SC|EC|WC))?"
UNIT = rf"([AF]) ({PLACE})"
HOLD = re.compile(rf"{UNIT} H")
MOVE = re.compile(rf"{UNIT}((?: - {PLACE})+)( VIA)?")
SUPPORT = re.compile(rf"{UNIT} S {UNIT}(?: - ({PLACE}))?(?: H)?")
CONVOY = re.compile(rf"{UNIT} C {UNIT} - ({PLACE})")
RETREAT = re.compile(rf"{UNIT} R ({PLACE})")
DISBAND = re.compile(rf"{UNIT} D|(?:DISBAND|REMOVE) {UNIT}")
BUILD = re.compile(rf"{UNIT} B|BUILD {UNIT}")
UNITS = 1000  # as texts, that are kept in memory: a map has some two hundred


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


def read(text: str) -> Order:
    """Read canonical text; anything else is `NotAnOrder` with what was found.

    >>> read("A MUN S F KIE - BER")
    Support(unit=Unit(kind=<Kind.ARMY: 'A'>, place='MUN'), of=Unit(kind=<Kind.FLEET: 'F'>, place='KIE'), to='BER')
    >>> read("A WAL - IRI - MAO - NAF").route
    ('IRI', 'MAO')
    >>> read("BUILD F STP/NC")
    Build(unit=Unit(kind=<Kind.FLEET: 'F'>, place='STP/NC'))
    """
    if found := MOVE.fullmatch(text):
        *route, to = found[3].removeprefix(" - ").split(" - ")
        return Move(unit(found[1], found[2]), to, bool(found[4] or route), tuple(route))
    if found := HOLD.fullmatch(text):
        return Hold(unit(found[1], found[2]))
    if found := SUPPORT.fullmatch(text):
        return Support(unit(found[1], found[2]), unit(found[3], found[4]), found[5])
    if found := CONVOY.fullmatch(text):
        return Convoy(unit(found[1], found[2]), unit(found[3], found[4]), found[5])
    return read_aftermath(text)


def read_aftermath(text: str) -> Order:
    """Read the orders of retreats and adjustments."""
    if found := RETREAT.fullmatch(text):
        return Retreat(unit(found[1], found[2]), found[3])
    if found := DISBAND.fullmatch(text):
        return Disband(unit(found[1] or found[3], found[2] or found[4]))
    if found := BUILD.fullmatch(text):
        return Build(unit(found[1] or found[3], found[2] or found[4]))
    if text == "WAIVE":
        return Waive()
    raise NotAnOrder(f"{text!r} is not an order in canonical notation, such as 'A VIE - BOH' or 'F ADR C A TRI - APU'")


def unit(kind: str, place: str) -> Unit:
    """Make a unit of two pieces of text that the patterns have already checked."""
    return Unit(Kind(kind), place)


@lru_cache(maxsize=UNITS)
def read_unit(text: str) -> Unit:
    """Read ``A VIE``; anything else is `NotAnOrder`.

    >>> read_unit("F STP/SC")
    Unit(kind=<Kind.FLEET: 'F'>, place='STP/SC')
    """
    found = re.fullmatch(UNIT, text)
    if not found:
        raise NotAnOrder(f"{text!r} is not a unit, such as 'A VIE' or 'F STP/SC'")
    return unit(found[1], found[2])
