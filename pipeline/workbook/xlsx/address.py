"""Where a cell is: columns by letter, ranges with and without dollars, on this sheet and from another."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

REFERENCE = re.compile(r"(?P<sheet>[^!]+)!\$?(?P<column>[A-Za-z]{1,3})\$?(?P<row>\d{1,7})")


@cache
def letter(column: int) -> str:
    """Name a column; 1 is A.

    >>> letter(1), letter(26), letter(27), letter(703)
    ('A', 'Z', 'AA', 'AAA')
    """
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def at(row: int, column: int) -> str:
    """Name a cell that moves when its formula is copied: ``C5``."""
    return f"{letter(column)}{row}"


def fixed(row: int, column: int) -> str:
    """Name a cell that does not move: ``$C$5``."""
    return f"${letter(column)}${row}"


def across(row: int, first: int, last: int) -> str:
    """Name the cells of one row: ``C5:G5``."""
    return f"{at(row, first)}:{at(row, last)}"


@lru_cache(maxsize=4096)
def down(column: int, first: int, last: int) -> str:
    """Name the cells of one column, fixed: ``$C$5:$C$11``."""
    return f"{fixed(first, column)}:{fixed(last, column)}"


@dataclass(frozen=True, slots=True)
class BookColumn:
    """One column of a list on a sheet: its whole range, and its cell in one row."""

    sheet: str  # the fixed ASCII title, which never needs quotes
    number: int  # 1 is A
    first: int  # row
    last: int  # row

    @property
    def here(self) -> str:
        """The range as formulas on the same sheet name it."""
        return down(self.number, self.first, self.last)

    @property
    def there(self) -> str:
        """The range as formulas on other sheets name it.

        >>> BookColumn("Results", 3, 5, 11).there
        'Results!$C$5:$C$11'
        """
        return f"{quoted(self.sheet)}!{self.here}"

    def cell(self, row: int) -> str:
        """The cell in one row, on the same sheet; the column is fixed."""
        return f"${letter(self.number)}{row}"

    def far(self, row: int) -> str:
        """The cell in one row, as formulas on other sheets name it."""
        return f"{quoted(self.sheet)}!{self.cell(row)}"

    def rows(self, first: int, last: int) -> str:
        """Some rows of the column, on the same sheet."""
        return down(self.number, first, last)


def quoted(sheet: str) -> str:
    """Quote a sheet title where a formula needs it.

    >>> quoted("Results"), quoted("Best powers")
    ('Results', "'Best powers'")
    """
    return sheet if sheet.isalnum() else f"'{sheet}'"


def is_reference(text: str) -> bool:
    """Say whether a text names a cell.

    >>> is_reference("Orders!E12"), is_reference("'Best powers'!$B$4"), is_reference("1 S1901M A VIE")
    (True, True, False)
    """
    return REFERENCE.fullmatch(text.strip()) is not None
