"""Small battles of which each turns on one word of the rules; what happens to every order, worked out by hand."""

import pytest

from pipeline.cli.judge import judge

Orders = dict[str, list[str]]

LANDING = {
    "ENGLAND": ["A YOR - BEL", "F NTH C A YOR - BEL", "F ENG S A YOR - BEL"],
    "GERMANY": ["A BEL H", "F HEL - NTH"],
}
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
    "of two orders each the last ones count (DATC 4.D.3)": (
        {"4.D.3": "b"},
        {"ITALY": ["A VEN - TRI", "A VEN - TYR", "A ROM - TUS", "A ROM - APU"]},
        "illegal succeeds illegal succeeds",
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
        power: list(dict.fromkeys(" ".join(text.split()[:2]) for text in given)) for power, given in orders.items()
    }
    told = judge({"rules": rules, "phase": "S1901M", "units": units, "orders": orders})
    assert " ".join(each["result"] for each in told["results"]) == results
