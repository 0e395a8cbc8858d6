"""What may be an order is never held in silence, nor is an order followed that a line may not be."""

import pytest

from pipeline.cli.judge import interpret_sheet
from pipeline.rules.load import tournament_ids

UNITS = {
    "GERMANY": ["A MUN", "A RUH", "A BER", "F KIE"],
    "ENGLAND": ["F IRI", "F MAO", "A LVP"],
    "RUSSIA": ["A FIN", "F STP/SC", "F RUM"],
    "TURKEY": ["A BUL", "F BLA"],
    "AUSTRIA": ["A SER", "F TRI"],
}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("power", "lines"),
    [
        *(("GERMANY", [f"A Mun {word}"]) for word in ("down", "west", "north", "forward", "nearest", "vorwärts")),
        *(("GERMANY", [f"A Mun {word}"]) for word in ("repeats", "wiederholt", "répète")),  # the order of last season
        *(("GERMANY", ["A Mun - Bur", f"A Ruh {words}"]) for words in ("unterstützt dies", "hilft dabei")),
        *(("GERMANY", ["i. A Mun - Bur", f"ii. A Ruh S {number}"]) for number in ("i.", "I")),  # the line above
        *(("GERMANY", [line]) for line in ("A Mun - Bur - Bur", "A Mun = Munich - Bur")),  # written twice
        ("GERMANY", ["A Ber - Mun - Boh"]),  # two orders
        ("GERMANY", ["A Mun - Bur", "A Mun -"]),  # begun, and begun again
        *(
            ("GERMANY", [line]) for line in ("A Mun - Bur (Ruh)", "A Mun - Bur, Ruh", "A Mun - Bur & Ruh")
        ),  # it may help
        *(("TURKEY", [*above, "F Bla S"]) for above in (["A Bul, Rum"], ["A Bul - Rum", "F Bla S"])),  # open; twice
        ("RUSSIA", ["A Fin - Swe, StP S"]),
        *(("GERMANY", [line]) for line in ("A Mun/Ruh S A Ber - Sil", "Kie/Den Mun/Bur")),  # both; a stroke for a dash
        *(("TURKEY", [*above, line]) for above, line in (([], "F Bla Bul Rum"), (["A Bul - Rum"], "F Bla S Rum"))),
        ("GERMANY", ["Mun  Ber  Kie"]),  # the first row of a table
        *(("ENGLAND", [f"F Mao - {cut}"]) for cut in ("N. Atl. Oc", "W. Med. Se")),
        *(("ENGLAND", ["A Lvp - Naf", line]) for line in ("F Iri C Lvp - Mao", "F Mao C Iri - Naf")),  # step by step
        *(("TURKEY", [line]) for line in ("S A Bul - Rum", "S: A Bul - Rum", "S F Bla - Con")),  # S is the spring
        *(
            ("ENGLAND", ["F Iri & A Lvp:", *below]) for below in (["- Mao H"], ["- Mid-Atlantic Ocean", "H"])
        ),  # their goal
        *(("ENGLAND", [line]) for line in ("F Iri - Mid-. Ocea", "F Mid-. Ocea - Por")),  # one name
        ("GERMANY", ["Mun S by Ber - Sil"]),  # who supports whom
        ("RUSSIA", ["F StP S move to Fin by Fleet Bot"]),  # S is no coast
        ("AUSTRIA", ["A Ser S T H"]),  # Turkey's army, or Trieste
        ("GERMANY", ["Ber, Mun -> Pru, Tyr"]),  # each to its own
        *(("GERMANY", [f"A Ruh S {words}", "A Mun - Bur"]) for words in ("the", "my", "German")),  # broken off
        *(("GERMANY", [f"A Ruh S {words}", "Mun - Bur"]) for words in ("A", "army of", "the army in")),
        *(("GERMANY", lines) for lines in (["A Ruh - Bur", "A Mun,"], ["A Ruh - Bur S", "A Mun"])),
        *(("GERMANY", ["A Mun", f"a {goal}"]) for goal in ("Ber", "Berlino", "Bur")),  # "a" is "to" in Italian
        *(("GERMANY", [*above, "A Ruh |"]) for above in (["A Mun |", "  | - Bur"], ["A Mun | - Bur"])),  # a brace
        *(("GERMANY", ["Bur", arrow, "A Ruh"]) for arrow in "↑|"),
        *(("ENGLAND", [f"F Mao - {spain}"]) for spain in ("sSpa", "nSpa", "SSpain")),  # the coast stands in front
        *(("GERMANY", [line]) for line in ("F K|E - Den", "A Ber - S|L", "F K|e S A Ber")),  # a stroke for a letter
        *(("GERMANY", [f"A Mun - Bur{no} Sil"]) for no in (" no,", ", no,", ", sorry,")),
    ],
)
def test_a_line_that_may_be_an_order_is_asked(tournament: str, power: str, lines: list[str]) -> None:
    sheet = {"tournament": tournament, "power": power, "phase": "S1902M", "units": UNITS, "lines": lines}
    entries = interpret_sheet(sheet)["entries"]
    last = max(entry["line"] for entry in entries)
    assert {entry["status"].value for entry in entries if entry["line"] == last} == {"ask"}
