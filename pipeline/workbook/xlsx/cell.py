"""What a cell of a workbook is about: the row it stands in, as text."""

import re
from dataclasses import dataclass
from io import BytesIO
from zipfile import BadZipFile

from openpyxl import load_workbook

from pipeline.problems import stop
from pipeline.rules.toml.table import did_you_mean

REFERENCE = re.compile(r"(?P<sheet>[^!]+)!\$?(?P<column>[A-Za-z]{1,3})\$?(?P<row>\d{1,7})")


@dataclass(frozen=True, slots=True)
class CellRow:
    """The row of a cell."""

    sheet: str
    values: tuple[str, ...]  # from the first column on; "" where a cell is empty


def is_reference(text: str) -> bool:
    """Say whether a text names a cell.

    >>> is_reference("Orders!E12"), is_reference("'Best powers'!$B$4"), is_reference("1 S1901M A VIE")
    (True, True, False)
    """
    return REFERENCE.fullmatch(text.strip()) is not None


def row_of(data: bytes, reference: str) -> CellRow:
    """Read the row that a cell stands in, with the values the workbook was written with."""
    found = REFERENCE.fullmatch(reference.strip())
    if found is None:
        raise stop("expected a sheet and a cell, such as Orders!E12", reference)
    try:
        book = load_workbook(BytesIO(data), data_only=True)
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise stop(f"not a workbook that can be opened: {error}", reference) from error
    sheet = found["sheet"].strip("'")
    if sheet not in book.sheetnames:
        names = tuple(book.sheetnames)
        raise stop(f"no sheet {sheet!r}{did_you_mean(sheet, names) or '; sheets are ' + ', '.join(names)}", reference)
    cells = next(book[sheet].iter_rows(min_row=int(found["row"]), max_row=int(found["row"]), values_only=True), ())
    return CellRow(sheet, tuple("" if value is None else str(value) for value in cells))
