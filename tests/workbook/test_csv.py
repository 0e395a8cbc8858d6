"""A CSV file runs nothing, whatever a name says, and whichever separator a spreadsheet program expects."""

import csv
from fractions import Fraction
from io import StringIO

import pytest

from pipeline.workbook.csv_text import write_csv

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
PAYLOADS = [
    template.format(sign)
    for sign in SIGNS
    for template in (
        "{}1+1",
        " {}1+1",
        "\t{}1",
        "\r{}1",
        "Bob;{}cmd|'/C calc'!A1",
        "Bob; {}1",
        "Bob\t{}1",
        "Bob,{}1",
        "Bob|{}1",
        'Bob;"{}1"',
        "Bob\n{}1",
    )
]


def cells(text: str, separator: str, quotes: str) -> list[str]:
    """All cells, as a program reads them that expects this separator."""
    if quotes:
        return [cell for row in csv.reader(StringIO(text, newline=""), delimiter=separator) for cell in row]
    return [cell for row in text.splitlines() for cell in row.split(separator)]


@pytest.mark.parametrize("has_semicolons", [False, True])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("quotes", ['"', ""])
def test_no_cell_begins_with_a_sign_of_a_formula(separator: str, quotes: str, *, has_semicolons: bool) -> None:
    for payload in PAYLOADS:
        text = write_csv([["Ada", payload, "Bo"]], has_semicolons=has_semicolons).decode("utf-8-sig")
        begins = {cell.strip(' \t\r\n"')[:1] for cell in cells(text, separator, quotes)}
        assert not begins & set(SIGNS), (payload, text)


def test_every_field_is_quoted_and_names_stay_as_they_are() -> None:
    line = ["Ek, Bo", "O'Neill", "-", 3, Fraction(1, 2), None]
    assert write_csv([line]).decode("utf-8-sig") == '"Ek, Bo","O\'Neill","-","3","0.5",""\r\n'
    assert write_csv([line], has_semicolons=True).decode("utf-8-sig") == '"Ek, Bo";"O\'Neill";"-";"3";"0,5";""\r\n'


@pytest.mark.parametrize("has_semicolons", [False, True])
@pytest.mark.parametrize("number", ["-7", "-7.5", "-7,5"])
def test_a_negative_number_stays_a_number(number: str, *, has_semicolons: bool) -> None:
    """Tables for other programs hold their numbers as text; a penalty may take more than somebody scored."""
    assert write_csv([[number]], has_semicolons=has_semicolons).decode("utf-8-sig") == f'"{number}"\r\n'
