"""What leaves the workbook: the sheets to pin up, without formulas, and the list of places as CSV."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from itertools import pairwise, takewhile

from openpyxl.utils.cell import coordinate_to_tuple

from pipeline.scoring.results.exact import decimal
from pipeline.workbook.xlsx.page import Content, LiveFormula, MissingCell, Page, Value
from pipeline.workbook.xlsx.styles import PLAIN, Look
from pipeline.workbook.xlsx.text import looks_like_a_formula

NOWHERE: tuple[Content, Look] = (None, PLAIN)


def pinned(page: Page) -> Page:
    """A sheet with its values alone: it needs none of the sheets that are not printed."""
    cells = {row: {column: valued(cell) for column, cell in line.items()} for row, line in page.cells.items()}
    return replace(page, cells=cells, validations=[])


def valued(cell: tuple[Content, Look]) -> tuple[Content, Look]:
    """A cell with its value in place of its formula."""
    content, look = cell
    value = value_of(content)
    return (value, look.but(quoted=True) if isinstance(value, str) and looks_like_a_formula(value) else look)


def value_of(content: Content) -> Value:
    """What a cell shows; nothing where there is no value, which charts leave out."""
    value = content.value if isinstance(content, LiveFormula) else content
    return None if isinstance(value, MissingCell) else value


def as_csv(page: Page) -> bytes:
    """The list of a Standings sheet, its heads first: from the row of heads down, without what is above and below.

    Text that a spreadsheet program would take for a formula has a ' before it.
    """
    head, (last, width) = int(page.repeat.partition(":")[0]), coordinate_to_tuple(page.area.partition(":")[2])
    lines = [
        [value_of(page.cells.get(row, {}).get(n, NOWHERE)[0]) for n in range(1, width + 1)]
        for row in range(head, last + 1)
    ]
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(heads(lines[0]))
    writer.writerows(map(as_text, line) for line in takewhile(lambda line: line[0] not in (None, ""), lines[1:]))
    return out.getvalue().encode("utf-8-sig")


def heads(line: Sequence[Value]) -> Iterator[str]:
    """Name every column: the sign beside a score after the score, the sign of a shared place by what it says."""
    for before, own in pairwise([None, *line]):
        yield f"{before} ×" if own == "×" else str(own or "Shared")


def as_text(value: Value) -> str:
    """Write one value; numbers are exact, or have six decimals.

    >>> as_text(Fraction(1, 3)), as_text("=1+1"), as_text(None)
    ('0.333333', "'=1+1", '')
    """
    match value:
        case str():
            return f"'{value}" if looks_like_a_formula(value) and len(value) > 1 else value
        case Fraction() | int():
            return decimal(Fraction(value))
        case _:
            return "" if value is None else str(value)
