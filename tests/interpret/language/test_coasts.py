"""Two coasts are no coast: the second is never taken for another place."""

from typing import Any

import pytest

from pipeline.cli.judge import interpret_sheet

ALL = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
UNITS = {
    "FRANCE": ["F MAO", "F POR", "F GAS", "A MAR", "F SPA/NC"],
    "RUSSIA": ["F STP/SC", "A FIN", "F NWY", "F BOT"],
    "TURKEY": ["F CON", "F BLA", "F AEG"],
}
TWO = (
    "nc/sc", "nc sc", "(nc/sc)", "(nc) (sc)", "(nc), sc", "nc, sc", "nc or sc", "nc and sc", "(nc or sc)", "NC & SC",
    "nc+sc", "/nc/sc", "north coast / south coast", "north/south coast", "north or south coast", "n/s", "(n/s)",
    "(n)(s)", "both coasts", "either coast", "any coast", "nc oder sc", "cn ou cs", "sc / nc", "nc / Spa sc",
    "nc, or sc", "nc; sc",
)  # fmt: skip
IN_FRONT = ("NC/SC Spa", "NC or SC Spa", "north or south coast of Spain", "NC Spa sc", "nc/sc of Spa", "nc Spa/sc")


def entries(name: str, power: str, *lines: str, phase: str = "S1902M", **more: Any) -> dict[str, Any]:
    taken = {"SPA"} if any(" Spa" in line for line in lines) else set()
    units = {p: [unit for unit in own if unit[2:5] not in taken] for p, own in UNITS.items()}
    asked = {"tournament": name, "power": power, "phase": phase, "units": units, "lines": list(lines), **more}
    return interpret_sheet(asked)


def assert_no_coast(found: dict[str, Any], province: str) -> None:
    assert not [order for order in found["orders"] if f"{province}/" in order.partition(" - ")[2]], found["entries"]
    assert all(entry["status"] != "clear" for entry in found["entries"]), found["entries"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("coasts", TWO)
def test_two_coasts_of_a_move(name: str, coasts: str) -> None:
    found = entries(name, "FRANCE", f"F MAO - Spa {coasts}".replace("Spa /", "Spa/"))

    assert_no_coast(found, "SPA")
    assert {order for order in found["orders"] if order.startswith("F MAO")} <= {"F MAO H"}
    assert all({"F MAO - SPA/NC", "F MAO - SPA/SC"} <= set(e["candidates"]) for e in found["entries"][:1])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("rest", ["nc?", "(?)", "nc or Spa sc", "nc not sc", "which coast?"])
def test_what_else_may_be_said_of_a_coast_is_not_passed_over(name: str, rest: str) -> None:
    assert_no_coast(entries(name, "FRANCE", f"F MAO - Spa {rest}"), "SPA")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("words", IN_FRONT)
def test_two_coasts_of_a_move_in_front(name: str, words: str) -> None:
    assert_no_coast(entries(name, "FRANCE", f"F MAO - {words}"), "SPA")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("coasts", TWO)
def test_two_coasts_in_a_support_are_good_for_either_or_for_none(name: str, coasts: str) -> None:
    found = entries(name, "FRANCE", f"A Mar S F MAO - Spa {coasts}".replace("Spa /", "Spa/"))

    if name == "weaselmoot":  # without a coast the support is good for either (WM VI.3.c)
        assert found["orders"][0] == "A MAR S F MAO - SPA"
        assert [entry["status"] for entry in found["entries"]] == ["clear"]
    else:
        assert_no_coast(found, "SPA")
    assert not [order for order in found["orders"] if order.startswith("F MAO -")]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("coasts", ["sc / nc", "nc/sc", "(nc or sc)", "nc, sc", "either coast"])
@pytest.mark.parametrize("form", ["Build F StP {}", "F StP {} B", "+ F StP({})", "F StP {}"])
def test_two_coasts_of_a_build(name: str, coasts: str, form: str) -> None:
    units = {"RUSSIA": ["A FIN"]}
    centers = {"RUSSIA": ["STP", "MOS", "WAR"]}
    asked = {"tournament": name, "power": "RUSSIA", "phase": "W1902A", "units": units, "centers": centers}
    found = interpret_sheet({**asked, "lines": [form.format(coasts), "A Mos B"]})

    assert found["orders"] == ["A MOS B"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("coasts", ["nc/sc", "(nc) or (sc)", "sc, nc"])
def test_two_coasts_of_a_retreat(name: str, coasts: str) -> None:
    retreats = ["SPA/NC", "SPA/SC", "IRI"]
    driven = [{"power": "FRANCE", "unit": "F MAO", "from": "ENG", "retreats": retreats}]
    asked = {"tournament": name, "power": "FRANCE", "phase": "S1902R", "units": {}, "dislodged": driven}
    found = interpret_sheet({**asked, "lines": [f"F MAO - Spa {coasts}"]})

    assert_no_coast(found, "SPA")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("line", ["F Gas - Spa nc/sc", "F Gas - Spa sc or nc"])
def test_two_coasts_of_which_one_can_be_reached_are_asked_about(name: str, line: str) -> None:
    found = entries(name, "FRANCE", line)["entries"][0]

    assert found["status"] == ("ambiguous" if name == "nzdc1999" else "ask")  # NZ99 16: the coast must be written


@pytest.mark.parametrize("name", ALL)
def test_the_same_coast_twice_is_one_coast(name: str) -> None:
    for line in ("F MAO - Spa nc (nc)", "F MAO - NC Spa nc", "F MAO - Spa (north coast) nc", "F MAO - Spa nc / Spa nc"):
        assert entries(name, "FRANCE", line)["entries"][0]["order"] == "F MAO - SPA/NC", line


def test_north_and_east_are_one_coast_where_the_table_says_so() -> None:
    assert entries("edc2023", "TURKEY", "F Con - Bul cn/ce")["orders"] == ["F CON - BUL/EC"]
    assert_no_coast(entries("edc2023", "TURKEY", "F Con - Bul n/s"), "BUL")


@pytest.mark.parametrize("name", ALL)
def test_what_follows_one_coast_is_read_as_before(name: str) -> None:
    assert entries(name, "FRANCE", "F MAO - Spa nc, F Por H")["orders"] == ["F MAO - SPA/NC", "F POR H"]
    assert entries(name, "RUSSIA", "F StP sc S F Bot")["orders"] == ["F STP/SC S F BOT"]
    assert entries(name, "RUSSIA", "F StP (sc) - Fin; A Fin - StP")["orders"] == ["F STP/SC - FIN", "A FIN - STP"]


@pytest.mark.parametrize("name", ALL)
def test_two_coasts_of_the_ordered_unit_are_not_its_coast(name: str) -> None:
    found = interpret_sheet({"tournament": name, "power": "FRANCE", "phase": "S1902M", "units": UNITS,
                    "lines": ["F Spa nc/sc - Por"]})["entries"][0]  # fmt: skip

    assert found["status"] in {"ask", "illegal", "ambiguous"}
