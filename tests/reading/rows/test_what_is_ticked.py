"""What is ticked in a row is one order, or it is told whether that is too much or too little."""

from itertools import product

import pytest

from pipeline.ink import Note
from pipeline.paper.sheet_rows import BuildBox, HelpedBox, TargetBox
from pipeline.reading.ticked import TargetInk

GOES = tuple(TargetBox(place, place, place, "-", place) for place in ("BUR", "PIC"))
HELPS = tuple(HelpedBox(f"of {place}", place, place, place) for place in ("MAR", "BRE"))
ORDERS = {  # a sign, and how many places and how many helped units make an order of it
    "H": {(0, 0)},
    "D": {(0, 0)},
    "waive": {(0, 0)},
    "": {(1, 0)},
    "via": {(1, 0)},
    "S": {(0, 1), (1, 1)},
    "C": {(1, 1)},
}


@pytest.mark.parametrize("sign", ORDERS)
def test_one_sign_with_its_places_and_units_is_an_order_and_nothing_else(sign: str) -> None:
    for goes, whom in product(range(3), range(3)):
        ink = TargetInk(frozenset(filter(None, [sign])), GOES[:goes], HELPS[:whom], {})
        if not sign and not goes:
            told: tuple[Note, ...] = (Note.NO_SIGN,)
        elif max(goes, whom) > 1:
            told = (Note.TWO_TICKS,)
        elif (goes, whom) in ORDERS[sign]:
            told = ()
        else:
            fits = any(goes <= places and whom <= units for places, units in ORDERS[sign])
            told = (Note.TOO_LITTLE if fits else Note.TOO_MUCH,)
        assert ink.doubts == told, (goes, whom)


def test_two_signs_or_two_builds_are_asked() -> None:
    builds = tuple(BuildBox(unit, f"{unit} B", unit[0]) for unit in ("A MOS", "F SEV"))
    assert TargetInk(frozenset("HS"), (), (), {}).doubts == (Note.TWO_TICKS,)
    assert [TargetInk(frozenset(), (), (), {}, builds[:n]).doubts for n in (1, 2)] == [(), (Note.TWO_TICKS,)]
