"""A row of boxes as a player fills it: which are ticked, what is written into which, and the line that this says."""

import random
from collections.abc import Callable, Collection, Iterator, Mapping

from pipeline.board import Kind, Step, Unit
from pipeline.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from pipeline.paper.sheet_rows import GROUPS, TickBox
from training import texts
from training.orders import BOARD

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


def target_boxes_of(order: Order, name_of: NameOf, named: Collection[str]) -> Boxes:  # noqa: C901
    """Fill a row of targets for an order; a place or a unit that has no box there is written."""

    def going(place: str, who: Unit | None = None) -> Boxes:
        near = BOARD.reach(who.kind, who.place) if who else ()
        same = [name for name in named if name == place or (who and name[:3] == place[:3])]
        box = next((name for name in same if name in near), same[0] if same else None)
        return {box: TICKED} if box else {"to": name_of(place)}

    def helped(unit: Unit) -> Boxes:
        box = f"of {unit.place}"
        return {box: TICKED} if box in named else {"of": name_of(unit.place)}

    match order:
        case Hold():
            return {"H": TICKED}
        case Move(me, to, via):
            goes = going(to)
            return {"via": TICKED} | goes if me.kind is Kind.ARMY and (via or "to" in goes) else goes
        case Support(_, of, None):
            return {"S": TICKED} | helped(of)
        case Support(_, of, str() as to):
            return {"S": TICKED} | helped(of) | going(to, of)
        case Convoy(_, of, to):
            return {"C": TICKED} | helped(of) | going(to, of)
        case Retreat(_, to):
            return going(to)
        case Build(me):
            return {str(me): TICKED}
        case Disband():
            return {"D": TICKED}
        case _:
            return {"waive": TICKED}


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


def target_line_of(boxes: Mapping[str, str], unit: str, named: Mapping[str, str]) -> str:
    """The line that a row of targets says; ``named`` has what stands over the box of each place and unit.

    >>> target_line_of({"S": "", "of": "Bud", "GAL": ""}, "A VIE", {"BOH": "BOH", "GAL": "GAL"})
    'A VIE S Bud - GAL'
    >>> target_line_of({"S": "", "of BUD": "", "GAL": ""}, "A VIE", {"GAL": "GAL", "of BUD": "A BUD"})
    'A VIE S A BUD - GAL'
    >>> target_line_of({"via": "", "to": "Bre"}, "A LON", {}), target_line_of({"MAR": ""}, "A GAS", {"MAR": "MARS"})
    ('A LON - Bre VIA', 'A GAS - MARS')
    """
    if "waive" in boxes:
        return "WAIVE"
    if built := [word for name, word in named.items() if name in boxes and word.endswith(" B")]:
        return built[0]
    signs = [name for name in ("H", "D", "S", "C") if name in boxes]
    helped = [word for name, word in named.items() if name.startswith("of ") and name in boxes]
    no_coast = "C" in signs or any(word.startswith("A ") for word in helped)
    ticked = [word for name, word in named.items() if not name.startswith("of ") and name in boxes]
    whom = [*helped, *([boxes["of"]] if "of" in boxes else [])]
    goes = [word.split("/")[0] if no_coast else word for word in ticked] or ([boxes["to"]] if "to" in boxes else [])
    dash = ["-"] if goes else []
    return " ".join([unit, *signs, *whom, *dash, *goes, *(["VIA"] if "via" in boxes else [])])


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
