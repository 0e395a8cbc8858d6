"""An order on several rows, or torn by a stroke, is followed whole or asked about: never a part of it."""

from collections.abc import Sequence

import pytest

from pipeline.cli.judge import interpret_sheet
from pipeline.rules.load import tournament_ids

UNITS = {
    "AUSTRIA": ["A VIE", "A BUD", "F TRI", "A SER"],
    "ITALY": ["A TYR"],
    "FRANCE": ["F MAO", "A GAS"],
    "TURKEY": ["F CON", "F BLA"],
    "GERMANY": ["A MUN", "A RUH"],
}
POWER = {"A GAS": "FRANCE", "F MAO": "FRANCE", "F CON": "TURKEY", "A MUN": "GERMANY", "A RUH": "GERMANY"}


def read_orders(tournament: str, power: str, lines: Sequence[str]) -> list[str]:
    sheet = {"tournament": tournament, "power": power, "phase": "S1902M", "units": UNITS, "lines": [*lines]}
    reply = interpret_sheet(sheet)
    settled = [each["order"] for each in reply["entries"] if each["status"].value != "ask" and each["order"]]
    return sorted({*reply["orders"], *settled})


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("end", ["1", "_", " ...", " &", " (cont.)", "*", " /", " ⤵", " army of"])
@pytest.mark.parametrize("ahead", ["", "* ", "– "])
def test_the_move_that_a_torn_support_helps_is_no_order_by_itself(tournament: str, end: str, ahead: str) -> None:
    support = "A Bud S" if end == " &" else "A Bud S A"
    letter = "A " if end in {" &", " army of"} else ""
    orders = read_orders(tournament, "AUSTRIA", [support + end, f"{ahead}{letter}Vie - Gal"])
    assert orders in ([], ["A BUD S A VIE - GAL"], ["A BUD S A VIE - GAL", "A VIE - GAL"])


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("stroke", "|/_~;")
@pytest.mark.parametrize("word", ["G{}as - Par", "Ga{}s - Par", "Gas - P{}ar", "Gas - Pa{}r"])
def test_a_stroke_inside_a_name_neither_holds_nor_moves_another_way(tournament: str, stroke: str, word: str) -> None:
    orders = read_orders(tournament, "FRANCE", [f"A {word.format(stroke)}"])
    assert orders in ([], ["A GAS - PAR"])


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("unit", "lines"),
    [
        ("A VIE", ["A Vie", "A Bud", "- Gal", "S A Vie - Gal"]),  # two columns
        ("A VIE", ["A Vie", "A Bud", "F Tri", "- Gal", "- Rum", "- Alb"]),
        ("A VIE", ["A Vie -", "F Tri - Alb", "Gal"]),  # another order between
        ("F TRI", ["F Tri S A Tyrolia", "A Vie - Gal", "- Ven"]),
        ("F CON", ["F Con - Bul", "F Bla H", "ec"]),
        *(("A VIE", ["A Vie", "A Bud", f"{sign} - Gal"]) for sign in ("]", "〃", "both")),  # one goal for both
        *(("A VIE", ["A Vie", f"A Bud {word} - Gal"]) for word in ("〃", "ebenso", "ditto")),
        *(("A VIE", [f"A Vie {word}", "A Bud - Gal"]) for word in ("they", "these", "etc", "both", "beide")),
        *(("A BUD", [f"A Vie {words}", "A Bud - Gal"]) for words in ("instead of", "rather than", "- Gal or")),
        ("A MUN", ["A Mun >", "A Ruh > Bur"]),
        ("F CON", ["F Con - Bul via BLA"]),
        ("F CON", ["F Con - Bul on Black Sea"]),
        ("F MAO", ["F Mao - Spai|n"]),
    ],
)
def test_a_unit_whose_order_may_stand_elsewhere_is_not_settled(tournament: str, unit: str, lines: list[str]) -> None:
    orders = read_orders(tournament, POWER.get(unit, "AUSTRIA"), lines)
    assert not [each for each in orders if each.startswith(unit)]


UNITS_ABROAD = {"ENGLAND": ["F NTH", "F ENG", "A YOR", "A HOL"], "RUSSIA": ["A UKR", "A WAR"], "FRANCE": ["F LYO"]}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("power", "lines"),
    [
        ("ENGLAND", ["F Nth S\tA Yor", "A Hol - Bel | - Edi"]),  # halves of two orders side by side
        ("ENGLAND", ["F Nth C A", "F Eng - Bre", "Yor - Bel"]),  # another order between
        ("RUSSIA", ["A Ukr S A W", "ar - Gal"]),  # a word is broken
        ("FRANCE", ["F Gulf of ->", "Lyon S F Mao - Wes"]),
    ],
)
def test_no_row_that_may_be_a_part_of_another_order_is_settled(tournament: str, power: str, lines: list[str]) -> None:
    sheet = {"tournament": tournament, "power": power, "phase": "S1902M", "units": UNITS_ABROAD, "lines": lines}
    reply = interpret_sheet(sheet)
    assert [entry["order"] for entry in reply["entries"] if entry["order"]] == []


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_blank_row_above_a_signature_is_no_line(tournament: str) -> None:
    sheet = {"tournament": tournament, "power": "RUSSIA", "phase": "S1902M", "units": UNITS_ABROAD}
    reply = interpret_sheet({**sheet, "lines": ["Russia", "", "A War - Gal", "signed Anna"]})
    assert reply["orders"] == ["A WAR - GAL"]
