"""Rows with the truth beside them, for calibration and for the benchmark: what is written, by whom, in which position.

Most are legal orders from positions of real games. The others are what stops a reader from correcting players: illegal
destinations, near misses, wrong units, misspellings, free text.
"""

import random
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Kind, Position, Power, Unit
from pipeline.judge.adjudicate import legal_orders, why_illegal
from pipeline.orders import Build, Convoy, Disband, Hold, Move, NotAnOrder, Order, Retreat, Support, Waive, read_order
from training import beside, texts
from training.orders import BOARD, TABLE, Seat

ROWS_A_SEAT = 8  # about a sheet's
MOST_TRIES = 1000
BESIDE = "ink beside"  # signs that no order has: in the text, or on its letters
KINDS = ("illegal destination", "near miss", "wrong unit", "misspelling", "free text", BESIDE)
LOOK_ALIKE = "look-alike"  # a misspelling whose one wrong letter looks like the right one: the hardest to see
SLIPS = ("misspelling", LOOK_ALIKE)


class Case(Struct, frozen=True):
    """One row to be written."""

    position: Position
    power: Power
    text: str
    kind: str  # "legal", one of KINDS, or LOOK_ALIKE
    order: Order | None  # what it means, where it is legal
    mark: str = ""  # what is drawn on its letters (`beside.MARKS`), or above them


def name_of(place: str, way: texts.Habit, rng: random.Random) -> str:
    """Write a place as one player does."""
    row = TABLE.rows[place[:3]]
    draw = rng.random()
    if draw < way.prefers_names:
        word = row.name
    elif draw > 0.88:
        word = rng.choice(row.accepted)
    else:
        word = row.code
    coast = rng.choice(("({})", "/{}", " {}")).format(place[4:].lower()) if len(place) > 3 else ""
    return way(word) + (coast.upper() if way.case is str.upper else coast)


def text_of(order: Order, way: texts.Habit, rng: random.Random) -> str:
    """Write an order as one player does."""

    def unit(of: Unit, *, letter: bool = True) -> str:
        return (of.kind.value + way.after_unit if letter else "") + name_of(of.place, way, rng)

    def verb(*forms: str) -> str:
        return way(rng.choices(forms, (8, *(1 for _ in forms[1:])))[0])

    letter = way.after_unit != ""  # a player who writes AVie writes S Vie
    match order:
        case Hold(me):
            return f"{unit(me)} {verb('H', 'Hold', 'Holds')}"
        case Move(me, to, via):
            return unit(me) + way.dash + name_of(to, way, rng) + (" via convoy" if via else "")
        case Support(me, of, None):
            return f"{unit(me)} {verb('S', 'Sup', 'Supports')} {unit(of, letter=letter)}"
        case Support(me, of, str(to)):
            verbed = f"{unit(me)} {verb('S', 'Sup', 'Supports')} {unit(of, letter=letter)}"
            return verbed + way.dash + name_of(to, way, rng)
        case Convoy(me, of, to):
            return (
                f"{unit(me)} {verb('C', 'Conv', 'Convoys')} {unit(of, letter=letter)}{way.dash}{name_of(to, way, rng)}"
            )
        case Retreat(me, to):
            between = f" {verb('R', 'Retreats to')} " if rng.random() < 0.4 else way.dash
            return unit(me) + between + name_of(to, way, rng)
        case Build(me) | Disband(me):
            signs = ("B", "Build", "Builds") if isinstance(order, Build) else ("D", "Disband", "Remove")
            sign = way(rng.choice(signs))
            return f"{sign} {unit(me)}" if rng.random() < 0.5 else f"{unit(me)} {sign}"
        case _:
            return way("Waive")


def written_by(rng: random.Random) -> texts.Habit:
    """Draw a player's habits; every order needs its dash here."""
    way = texts.habit(rng)
    return replace(way, dash=way.dash if way.dash.strip() else " - ")


def legal_case(seat: Seat, rng: random.Random) -> Case:
    """Write an order really given, or another legal one."""
    possible = legal_orders(BOARD, seat.position, seat.power)
    given = [order for order in map(read_or_none, seat.ordered) if order in possible]
    order = rng.choice(given) if given and rng.random() < 0.7 else rng.choice(possible)
    assert order is not None
    return Case(seat.position, seat.power, text_of(order, written_by(rng), rng), "legal", order)


def read_or_none(text: str) -> Order | None:
    """Read canonical text, if it is that."""
    try:
        return read_order(text)
    except NotAnOrder:
        return None


def misorder(seat: Seat, kind: str, rng: random.Random) -> Case:
    """Write what is not admissible here."""
    way = written_by(rng)
    if kind == "free text":
        return Case(seat.position, seat.power, rng.choice((texts.prose, texts.nonsense))(rng), kind, None)
    if kind in SLIPS:
        legal = legal_case(seat, rng)
        spoil = texts.mistaken if kind == LOOK_ALIKE else texts.slipped
        return replace(legal, text=spoil(legal.text, rng), kind=kind)
    if kind == BESIDE:
        legal = legal_case(seat, rng)
        found = beside.marked(legal.text, rng)
        return replace(legal, text=found.text, kind=kind, order=None, mark=found.mark)
    for _ in range(MOST_TRIES):
        order = spoilt(legal_case(seat, rng).order, seat, kind, rng)
        if order is not None and why_illegal(BOARD, seat.position, seat.power, order) is not None:
            return Case(seat.position, seat.power, text_of(order, way, rng), kind, None)
    return misorder(seat, "free text", rng)  # who can only waive has no place to be wrong about


def spoilt(order: Order | None, seat: Seat, kind: str, rng: random.Random) -> Order | None:
    """Make one thing of a legal order wrong."""
    if order is None or isinstance(order, Waive):
        return None
    if kind == "wrong unit":
        if rng.random() < 0.5:
            return replace(order, unit=other_kind(order.unit))
        others = [unit for power, unit in seat.position.all_units() if power is not seat.power]
        return replace(order, unit=rng.choice(others))
    if isinstance(order, Hold):
        return None
    place = order.unit.place if isinstance(order, Build | Disband) else order.to
    if not place:
        return None
    near = kind == "near miss"
    codes = [code for code in BOARD.provinces if code != place[:3] and (not near or alike(code, place[:3]))]
    if not codes:
        return None
    other = rng.choice(codes)
    if isinstance(order, Build | Disband):
        return replace(order, unit=replace(order.unit, place=other))
    return replace(order, to=other)


def other_kind(unit: Unit) -> Unit:
    """Write A for F."""
    return replace(unit, kind=Kind.FLEET if unit.kind is Kind.ARMY else Kind.ARMY)


def alike(code: str, other: str) -> bool:
    """Whether two codes share two of three letters in place."""
    return sum(a == b for a, b in zip(code, other, strict=True)) == 2


def cases(
    seats: Sequence[Seat], share_of_misorders: float, seed: int, kinds: Sequence[str] = (*KINDS, LOOK_ALIKE)
) -> Iterator[Case]:
    """Draw rows, without end; those of one seat stand together."""
    rng = random.Random(seed)
    while True:
        seat = rng.choice(seats)
        if not legal_orders(BOARD, seat.position, seat.power):
            continue
        for _ in range(ROWS_A_SEAT):
            spoil = rng.random() < share_of_misorders
            yield misorder(seat, rng.choice(kinds), rng) if spoil else legal_case(seat, rng)
