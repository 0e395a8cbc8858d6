"""A row of boxes as a player fills it: which are ticked, what is written into which, and the line that this says."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping

from pipeline.board.map import Kind
from pipeline.board.position import Step, Unit
from pipeline.orders.order import Convoy, Hold, Move, Order, Support
from pipeline.tournament.field_rows import GROUPS, TickBox
from training import texts

TICKED = ""
Boxes = dict[str, str]  # by the name of the box: a place, or nothing where it is ticked
NameOf = Callable[[str], str]


def boxes_of(order: Order, name_of: NameOf, *, unit_printed: bool) -> Boxes:
    """Fill a row for an order of a movement phase; a unit that is printed is not written again."""
    match order:
        case Hold(me):
            return own(me, name_of, unit_printed) | {"H": TICKED}
        case Move(me, to, via):
            return own(me, name_of, unit_printed) | {"-": TICKED, "to": name_of(to)} | ({"via": TICKED} if via else {})
        case Support(me, of, to):
            found = own(me, name_of, unit_printed) | {"S": TICKED} | other(of, name_of)
            return found | ({"to": name_of(to)} if to else {})
        case Convoy(me, of, to):
            return own(me, name_of, unit_printed) | {"C": TICKED} | other(of, name_of) | {"to": name_of(to)}
        case _:
            raise ValueError(f"{order} is not an order of a movement phase")


def target_boxes_of(order: Order, name_of: NameOf, targets: Iterable[str]) -> Boxes:
    """Fill a row of targets for an order of a movement phase; a place that has no box there is written."""

    def going(place: str) -> Boxes:
        box = next((name for name in targets if name == place or (by_province and name[:3] == place[:3])), None)
        return {box: TICKED} if box else {"to": name_of(place)}

    by_province = isinstance(order, Convoy) or (isinstance(order, Support) and order.to is None)
    match order:
        case Hold():
            return {"H": TICKED}
        case Move(me, to, via):
            goes = going(to)
            return {"via": TICKED} | goes if me.kind is Kind.ARMY and (via or "to" in goes) else goes
        case Support(_, of, None):
            goes = going(of.place)
            return {"S": TICKED} | ({"of": goes["to"]} if "to" in goes else goes)
        case Support(_, of, str() as to):
            return {"S": TICKED, "of": name_of(of.place)} | going(to)
        case Convoy(_, of, to):
            return {"C": TICKED, "of": name_of(of.place)} | going(to)
        case _:
            raise ValueError(f"{order} is not an order of a movement phase")


def own(unit: Unit, name_of: NameOf, printed: bool) -> Boxes:
    """Fill the boxes of the unit."""
    return {} if printed else {letter(unit): TICKED, "unit": name_of(unit.place)}


def other(unit: Unit, name_of: NameOf) -> Boxes:
    """Fill the boxes of the other unit."""
    return {f"of {letter(unit)}": TICKED, "of": name_of(unit.place)}


def letter(unit: Unit) -> str:
    """A or F."""
    return "A" if unit.kind is Kind.ARMY else "F"


def misspelt(boxes: Boxes, rng: random.Random) -> Boxes:
    """Slip in one of the places."""
    places = [name for name, text in boxes.items() if text]
    if not places:
        return boxes
    which = rng.choice(places)
    return boxes | {which: texts.slipped(boxes[which], rng)}


def senseless(boxes: Boxes, rng: random.Random) -> Boxes:
    """Write words into the place boxes that are no places."""
    return {name: text and rng.choice(texts.OTHER_WORDS) for name, text in boxes.items()}


def line_of(boxes: Mapping[str, str], unit: str = "") -> str:
    """The line that a row of boxes says, as the rules read it.

    >>> line_of({"A": "", "unit": "Vie", "S": "", "of A": "", "of": "Bud", "to": "Gal"})
    'A Vie S A Bud - Gal'
    >>> line_of({"-": "", "to": "Boh"}, "A VIE")
    'A VIE - Boh'
    """
    return " ".join([unit, *words(boxes)] if unit else words(boxes))


def target_line_of(boxes: Mapping[str, str], unit: str, targets: Mapping[str, str]) -> str:
    """The line that a row of targets says; ``targets`` has what stands over each place's box.

    >>> target_line_of({"S": "", "of": "Bud", "GAL": ""}, "A VIE", {"BOH": "BOH", "GAL": "GAL"})
    'A VIE S Bud - GAL'
    >>> target_line_of({"via": "", "to": "Bre"}, "A LON", {}), target_line_of({"MAR": ""}, "A GAS", {"MAR": "MARS"})
    ('A LON - Bre VIA', 'A GAS - MARS')
    """
    signs = [name for name in ("H", "S", "C") if name in boxes]
    by_province = "C" in signs or ("S" in signs and "of" not in boxes)
    ticked = [word.split("/")[0] if by_province else word for place, word in targets.items() if place in boxes]
    places = [boxes["of"]] if "of" in boxes else []
    goes = ticked or ([boxes["to"]] if "to" in boxes else [])
    dash = ["-"] if goes and (places or not signs) else []
    return " ".join([unit, *signs, *places, *dash, *goes, *(["VIA"] if "via" in boxes else [])])


def words(boxes: Mapping[str, str]) -> Iterator[str]:
    """The words of a row, from the left; between two places stands a dash."""
    for column in (column for group in GROUPS[Step.MOVEMENT] for column in group):
        name = column.name
        if name not in boxes:
            continue
        if isinstance(column, TickBox):
            yield column.text
        elif name == "to" and "of" in boxes:
            yield f"- {boxes[name]}"
        else:
            yield boxes[name]
