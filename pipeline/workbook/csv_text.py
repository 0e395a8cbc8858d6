"""Tables as CSV that runs nothing, whatever names say, and in whichever program they are opened."""

import csv
import re
from collections.abc import Iterable
from fractions import Fraction
from io import StringIO

from pipeline.scoring.results import decimal

SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"  # East Asian programs take wide ones, too
BEGINS = re.compile(rf"\A(?:['\t\r\n]|[\s\"]*[{SIGNS}])(?=.)", re.DOTALL)
BEGINS_INSIDE = re.compile(rf"([,;|\t\r\n])(?=[\s\"]*[{SIGNS}].)", re.DOTALL)  # where another separator is expected

NUMBER = re.compile(r"-[0-9]+(?:[.,][0-9]+)?")  # runs nothing, and other programs want it as it is


def _guard(text: str) -> str:
    """Put a ' before what a spreadsheet would take for a formula, also behind what it may take for a separator.

    >>> [_guard(text) for text in ("=1+1", " \uff1d1", "Bob;=A1", "Bob", "-", "Ek, Bo", "-7.5")]
    ["'=1+1", "' \uff1d1", "Bob;'=A1", 'Bob', '-', 'Ek, Bo', '-7.5']
    """
    if NUMBER.fullmatch(text):
        return text
    guarded = BEGINS_INSIDE.sub(r"\1'", text)
    return f"'{guarded}" if BEGINS.match(text) else guarded


def _as_text(value: object) -> str:
    """Write one value; numbers are exact, or have six decimals.

    >>> _as_text(Fraction(1, 3)), _as_text("=1+1"), _as_text(None)
    ('0.333333', "'=1+1", '')
    """
    match value:
        case str():
            return _guard(value)
        case Fraction() | int():
            return decimal(Fraction(value))
        case _:
            return "" if value is None else str(value)


def write_csv(lines: Iterable[Iterable[object]], *, has_semicolons: bool = False) -> bytes:
    """Lines as CSV: UTF-8 with a byte order mark for Excel, every field in quotes.

    With ``has_semicolons`` these are between fields, and commas in numbers, as spreadsheets of many countries expect.
    """
    out = StringIO()
    writer = csv.writer(out, delimiter=";" if has_semicolons else ",", quoting=csv.QUOTE_ALL)
    for line in lines:
        texts = ((value, _as_text(value)) for value in line)
        writer.writerow(
            text.replace(".", ",") if has_semicolons and not isinstance(value, str) else text for value, text in texts
        )
    return out.getvalue().encode("utf-8-sig")
