"""Small battles of which each turns on one word of the rules; what happens to every order, worked out by hand."""

import pytest

from pipeline.board import Phase, Position, Power, standard_map
from pipeline.cli.judge import judge
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.rulebook import rulebook
from pipeline.orders import read_order, read_unit, write

Orders = dict[str, list[str]]

LANDING = {
    "ENGLAND": ["A YOR - BEL", "F NTH C A YOR - BEL", "F ENG S A YOR - BEL"],
    "GERMANY": ["A BEL H", "F HEL - NTH"],
}
TWO_WAYS = {
    "FRANCE": ["A BEL - LON", "F ENG C A BEL - LON", "F NTH C A BEL - LON"],
    "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
}
BY_TWO_WAYS = {"ENGLAND": ["A LON - ENG - BEL", "A LON - NTH - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"]}
BATTLES: dict[str, tuple[object, Orders, str]] = {
    "a fleet that is attacked in vain carries the army all the same (NZ99 14)": (
        "nzdc1999", LANDING, "succeeds available given stands fails",
    ),
    "an army has no coast, so that a support cannot miss it (DATC 4.B.6)": (
        "datc", {"FRANCE": ["A GAS - SPA", "F MAO S A GAS - SPA/NC"]}, "succeeds given",
    ),
    "a fleet has one, and a support for the other is for nothing (DATC 6.B.9)": (
        "datc", {"FRANCE": ["F POR - SPA/SC", "F MAO S F POR - SPA/NC"]}, "succeeds invalid",
    ),
    "no support goes with an army that no fleet carries, where such an army is said to hold": (
        {"unconvoyed_army_holds": True},
        {"ENGLAND": ["A YOR - BEL", "F NTH H", "F ENG S A YOR - BEL"]},
        "invalid stands invalid",
    ),
    "a route of own fleets alone shuts out one that a foreign fleet is part of (WM VI.1.a)": (
        "weaselmoot",
        {
            "ENGLAND": ["A LVP - BRE", "F IRI C A LVP - BRE", "F ENG C A LVP - BRE", "F NAO C A LVP - BRE"],
            "FRANCE": ["F MAO C A LVP - BRE"],
            "GERMANY": ["F BEL - ENG", "F PIC S F BEL - ENG"],
        },
        "fails available disrupted available available succeeds given",
    ),
    "an army that may come over the sea that is attacked spares the support, whichever way it comes (DATC 4.A.2 a)": (
        {"4.A.2": "a"}, TWO_WAYS, "fails disrupted available given succeeds",
    ),
    "an army that may come over the sea that is attacked spares the support, whichever way it comes (DATC 4.A.2 e)": (
        {"4.A.2": "e"}, TWO_WAYS, "fails disrupted available given succeeds",
    ),
    "an army that can come over another sea cuts the support (DATC 4.A.2 c)": (
        {"4.A.2": "c"}, TWO_WAYS, "fails available available cut fails",
    ),
    "an army that swaps with nobody walks, where it goes by convoy only to swap (DATC 4.A.3 a)": (
        {"adjacent_convoy": "opposed"},
        {"ENGLAND": ["A LON - YOR", "F NTH C A LON - YOR"], "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"]},
        "succeeds disrupted succeeds given",
    ),
    "nor does it swap with a unit that goes elsewhere (DATC 4.A.3 a)": (
        {"adjacent_convoy": "opposed"},
        {
            "ENGLAND": ["A LON - YOR", "F NTH C A LON - YOR"],
            "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"],
            "FRANCE": ["A YOR - EDI"],
        },
        "succeeds disrupted succeeds given succeeds",
    ),
    "of two that swap by sea neither dislodged the other, so that each still keeps a third out (DATC 4.A.7 a)": (
        {"4.A.7": "a"},
        {
            "ENGLAND": ["A NWY - SWE", "F SKA C A NWY - SWE", "F BAL S A NWY - SWE"],
            "RUSSIA": ["A SWE - NWY", "A FIN - SWE"],
        },
        "succeeds available given succeeds fails",
    ),
    "of two orders each the last ones count (DATC 4.D.3)": (
        {"4.D.3": "b"},
        {"ITALY": ["A VEN - TRI", "A VEN - TYR", "A ROM - TUS", "A ROM - APU"]},
        "illegal succeeds illegal succeeds",
    ),
    "an order that is written again below another is the last one (DATC 4.D.3)": (
        {"4.D.3": "b"},
        {"ITALY": ["A VEN - TRI", "A VEN - TYR", "A VEN - TRI"], "FRANCE": ["A PAR H", "A PAR H", "A PAR - PIC"]},
        "succeeds illegal succeeds illegal illegal succeeds",
    ),
    "and not one of them counts where contradictory orders do not (DATC 4.D.3)": (
        {"4.D.3": "c"},
        {"ITALY": ["A VEN - TRI", "A VEN - TYR", "A VEN - TRI"], "FRANCE": ["A PAR H", "A PAR H", "A PAR - PIC"]},
        "illegal illegal illegal illegal illegal illegal",
    ),
    "an impossible order that is written twice, once with the wrong letter, is one order, and denies support (4.C.2)": (
        {"impossible_orders": "unsupported", "several_orders": "none"},
        {"AUSTRIA": ["A VIE - LON", "F VIE - LON", "A BUD S A VIE"]},
        "illegal illegal invalid",
    ),
    "an army that names two ways has one order where no way binds (DATC 4.A.6)": (
        {"named_route": "ignored", "several_orders": "none"}, BY_TWO_WAYS, "succeeds succeeds available available",
    ),
    "and two orders where a way binds (DATC 4.A.6)": (
        {"named_route": "binding", "several_orders": "none"}, BY_TWO_WAYS, "illegal illegal invalid invalid",
    ),
    "taken back from the bottom, two orders leave the first (WM VII.3.d)": (
        {"several_orders": "bottom-up"},
        {"ITALY": ["A VEN - TRI", "A VEN - TYR"]},
        "succeeds illegal",
    ),
    "whose attack on an army that swaps with him fails keeps others out as ever (DATC 4.A.7)": (
        {"4.A.7": "a"},
        {
            "ENGLAND": ["A NWY - SWE VIA", "F SKA C A NWY - SWE", "F DEN S A NWY - SWE"],
            "GERMANY": ["A FIN - SWE", "F BOT S A FIN - SWE"],
            "RUSSIA": ["A SWE - NWY"],
            "TURKEY": ["F BAR - NWY"],
        },
        "fails available given fails given fails fails",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BATTLES)
def test_a_rare_battle_ends_as_the_rules_say(name: str) -> None:
    rules, orders, results = BATTLES[name]
    units = {
        power: [*{text[2:5]: " ".join(text.split()[:2]) for text in reversed(given)}.values()]
        for power, given in orders.items()
    }  # as the first of its orders names it
    told = judge({"rules": rules, "phase": "S1901M", "units": units, "orders": orders})
    assert " ".join(each["result"] for each in told["results"]) == results


@pytest.mark.parametrize(("ordered", "is_lost"), [([], True), (["A VIE H"], False)])
def test_a_unit_is_lost_with_its_power_only_if_that_ordered_nothing_at_all(ordered: list[str], is_lost: bool) -> None:
    """Civil disorder by the rulebook of 1971: Trieste is driven out; Budapest stays where it is."""
    units = {Power.AUSTRIA: ["A TRI", "A VIE", "A BUD"], Power.ITALY: ["A VEN", "A TYR"]}
    orders = {Power.AUSTRIA: ordered, Power.ITALY: ["A VEN - TRI", "A TYR S A VEN - TRI"]}
    position = Position(
        phase=Phase.read("S1901M"),
        units={power: tuple(map(read_unit, texts)) for power, texts in units.items()},
        centres={},
    )
    read = {power: [read_order(text) for text in texts] for power, texts in orders.items()}
    judged = adjudicate(standard_map(), position, read, rulebook("1971"))
    lost = {write(each.order): each.is_lost for each in judged.results if not each.written}
    assert (lost["A TRI H"], lost["A BUD H"]) == (is_lost, False)
