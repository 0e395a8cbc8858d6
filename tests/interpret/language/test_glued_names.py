"""A unit's letter written to the first word of a name of several is a letter and a name."""

import pytest

from pipeline.interpret.language.tokens import cut, unglue

LISTED = {"stpetersburg", "englishchannel", "spain", "tri", "northsea", "adriaticsea", "paysbas"}
KNOWN = {"a", "f", "s", "north", "sea", "spain", "tri", "channel", "petersburg", "adriatic"}


def parted(line: str) -> list[str]:
    """The words of a line, where some places are listed."""
    return [token.text for token in unglue(cut(line), KNOWN.__contains__, LISTED.__contains__)]


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
    assert parted(line) == [token.text for token in cut(line)]
