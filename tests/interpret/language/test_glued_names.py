"""A unit's letter written to a name, or to the sign before it, is a word of its own."""

import pytest
from sampled import slow_after

from interpret.drawing import BOARD, tournament
from pipeline.board import Kind, Phase, Position, Power, Unit
from pipeline.interpret.interpret import interpret
from pipeline.interpret.tokens import tokenize, unglue
from pipeline.interpret.verdict import Line, Status

LISTED = {"stpetersburg", "englishchannel", "spain", "tri", "northsea", "adriaticsea", "paysbas"}
KNOWN = {"a", "f", "s", "north", "sea", "spain", "tri", "channel", "petersburg", "adriatic"}


def parted(line: str) -> list[str]:
    """The words of a line, where some places are listed."""
    return [token.text for token in unglue(tokenize(line), KNOWN.__contains__, LISTED.__contains__)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("AST PETERSBURG - Nwy", ["A", "ST", "PETERSBURG", "-", "Nwy"]),
        ("fSt. Petersburg-Bot", ["f", "St", "Petersburg", "-", "Bot"]),
        ("fEnglish Channel S London", ["f", "English", "Channel", "S", "London"]),
        ("FNorth Sea H", ["F", "North", "Sea", "H"]),
        ("ATri - Spain", ["A", "Tri", "-", "Spain"]),
        ("APAyS-BAS - LON", ["A", "PAyS", "-", "BAS", "-", "LON"]),
    ],
)
def test_a_letter_written_to_a_name_is_parted_from_it(line: str, words: list[str]) -> None:
    assert parted(line) == words


@pytest.mark.parametrize(
    "line", ["Adriatic Sea H", "AEnglish - Channel", "ANorth -Sea - X", "ASt Peter", "A St Petersburg", "Fst"]
)
def test_what_is_no_listed_name_behind_its_first_letter_stays_together(line: str) -> None:
    assert parted(line) == [token.text for token in tokenize(line)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("A Tri SA Spain", ["A", "Tri", "S", "A", "Spain"]),
        ("F Tri sf North Sea", ["F", "Tri", "s", "f", "North", "Sea"]),
        ("A Tri SASpain", ["A", "Tri", "SASpain"]),
        ("A TriS A Spain", ["A", "Tri", "S", "A", "Spain"]),
        ("ATriS Spain", ["A", "Tri", "S", "Spain"]),
    ],
)
def test_a_sign_and_the_letter_of_the_unit_behind_it_are_parted(line: str, words: list[str]) -> None:
    assert parted(line) == words


@pytest.mark.parametrize(
    "line",
    [
        "A Tri SA",
        "A Tri SA - Spain",
        "A Tri SA London",
        "A Tri AF Spain",
        "A Tri HA Spain",
        "A TRIS A Spain",
        "F - TriS",
    ],
)
def test_without_a_place_behind_it_or_a_sign_in_it_a_word_of_two_letters_stays_together(line: str) -> None:
    assert parted(line) == [token.text for token in tokenize(line)]


SERBIA = Position(
    phase=Phase.read("F1902M"),
    units={Power.AUSTRIA: (Unit(Kind.ARMY, "SER"), Unit(Kind.ARMY, "BUL"), Unit(Kind.FLEET, "GRE"))},
    centres={power: BOARD.homes[power] for power in Power},
)


@pytest.mark.parametrize("name", ["edc1996", "edc2023", "nzdc1999", "wdc2008", "weaselmoot"])
@pytest.mark.parametrize(
    ("together", "apart"),
    [
        ("A SER  SA BUL - RUM", "A SER S A BUL - RUM"),
        ("A SerS A Bul - Rum", "A Ser S A Bul - Rum"),
        ("A Ser sf Gre - Alb", "A Ser s f Gre - Alb"),
        ("A Ser SF Bul - Rum", "A Ser S F Bul - Rum"),  # a wrong letter is a wrong letter
        ("A Ser SA Lon - Yor", "A Ser S A Lon - Yor"),  # and what cannot be helped cannot
        ("A SerC A Bul - Rum", "A Ser C A Bul - Rum"),
    ],
)
def test_what_is_written_together_means_what_it_means_apart(name: str, together: str, apart: str) -> None:
    one, other = (interpret([Line(1, text)], Power.AUSTRIA, SERBIA, tournament(name)) for text in (together, apart))
    assert one.orders == other.orders
    assert [entry.status for entry in one.entries] == [entry.status for entry in other.entries]


@pytest.mark.parametrize("name", ["edc1996", "edc2023", "nzdc1999", "wdc2008", "weaselmoot"])
def test_an_s_behind_the_place_a_fleet_goes_to_is_its_coast_and_no_sign(name: str) -> None:
    """Never is it passed over: "F Gas - SpaS" would go to the north coast."""
    sheets = (
        interpret([Line(1, f"F Gre - {text}")], Power.AUSTRIA, SERBIA, tournament(name)) for text in ("BulS", "Bul sc")
    )
    one, other = ([(entry.order, entry.status) for entry in sheet.entries] for sheet in sheets)
    assert one == other


@pytest.mark.parametrize("together", ["ATyr - Vie", "ATYR-VIE"])
def test_what_is_too_short_for_a_name_is_a_letter_and_a_place(together: str) -> None:
    """EDC23 G lists Alpes Tyroliennes, which may be cut to A. Tyroliennes, and Tyr for two provinces."""
    position = Position(
        phase=Phase.read("F1901M"),
        units={Power.AUSTRIA: (Unit(Kind.ARMY, "TYR"),)},
        centres={power: BOARD.homes[power] for power in Power},
    )
    one, other = (
        interpret([Line(1, text)], Power.AUSTRIA, position, tournament("edc2023")) for text in (together, "A Tyr - Vie")
    )
    assert one.orders == other.orders
    assert [(entry.order, entry.status) for entry in one.entries] == [
        (entry.order, entry.status) for entry in other.entries
    ]
    assert one.entries[0].order is not None


COASTS = Position(
    phase=Phase.read("F1902M"),
    units={
        Power.FRANCE: (
            Unit(Kind.ARMY, "SPA"),
            Unit(Kind.FLEET, "BUL/EC"),
            Unit(Kind.FLEET, "STP/NC"),
            Unit(Kind.FLEET, "WES"),
            Unit(Kind.FLEET, "EAS"),
        )
    },
    centres={power: BOARD.homes[power] for power in Power},
)


@pytest.mark.parametrize("name", slow_after(2, ["edc1996", "weaselmoot", "edc2023", "nzdc1999", "wdc2008"]))
@pytest.mark.parametrize("unit", ["A Spain", "F Bulgaria", "F St. Petersburg", "F Wes C A Spain", "F Wes S A Spain"])
@pytest.mark.parametrize("dash", ["->", "-"])
def test_a_move_means_the_same_with_and_without_spaces_around_its_dash(name: str, unit: str, dash: str) -> None:
    """The first word of North Africa, or of East Med, is no coast of the place before the dash; one alone may be."""
    rules = tournament(name)
    words = [word for row in rules.abbreviations.rows.values() for word in (row.name, *row.accepted)]
    directions = [word for word in words if word[:1].lower() in "nsew" and (dash, word.lower()) != ("-", "east")]
    others = [word for word in words if word not in directions and word.lower() != "east"]
    for place in directions[:: 1 if unit == "F Bulgaria" else 6] + others[::27]:
        tight, wide = (
            interpret([Line(1, f"{unit}{sign}{place}")], Power.FRANCE, COASTS, rules).entries
            for sign in (dash, f" {dash} ")
        )
        assert [(entry.order, entry.status) for entry in tight] == [(entry.order, entry.status) for entry in wide], (
            f"{unit}{dash}{place}"
        )


@pytest.mark.parametrize("together", ["FemeD - ION", "FemedH"])
def test_a_capital_at_the_end_is_a_sign_only_where_it_is_no_letter_of_the_place(together: str) -> None:
    apart = {"FemeD - ION": "F emed - Ion"}.get(together, "F emed H")
    one, other = (
        interpret([Line(1, text)], Power.FRANCE, COASTS, tournament("nzdc1999")).entries for text in (together, apart)
    )
    assert [(entry.order, entry.status) for entry in one] == [(entry.order, entry.status) for entry in other]
    assert one[0].order is not None
    assert one[0].status is Status.CLEAR
