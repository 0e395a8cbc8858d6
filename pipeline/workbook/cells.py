"""Where a cell is: columns by letter, ranges with and without dollars, on this sheet and from another."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache

from msgspec import Struct, field

from pipeline.problems import Problem, Stopped, Weight, stop

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


def fixed_cell(row: int, column: int) -> str:
    """Name a cell that does not move: ``$C$5``."""
    return f"${letter(column)}${row}"


def across(row: int, first: int, last: int) -> str:
    """Name the cells of one row: ``C5:G5``."""
    return f"{at(row, first)}:{at(row, last)}"


@lru_cache(maxsize=4096)
def column_range(column: int, first: int, last: int) -> str:
    """Name the cells of one column, fixed: ``$C$5:$C$11``."""
    return f"{fixed_cell(first, column)}:{fixed_cell(last, column)}"


@lru_cache(maxsize=4096)
def _column_elsewhere(sheet: str, column: int, first: int, last: int) -> str:
    """Name the cells of one column as other sheets do: ``Results!$C$5:$C$11``."""
    return f"{quote_sheet(sheet)}!{column_range(column, first, last)}"


class BookColumn(Struct, frozen=True):
    """One column of a list on a sheet: its whole range, and its cell in one row."""

    sheet: str  # the fixed ASCII title, which never needs quotes
    number: int  # 1 is A
    first: int  # row
    last: int  # row

    @property
    def here(self) -> str:
        """The range as formulas on the same sheet name it."""
        return column_range(self.number, self.first, self.last)

    @property
    def there(self) -> str:
        """The range as formulas on other sheets name it.

        >>> BookColumn("Results", 3, 5, 11).there
        'Results!$C$5:$C$11'
        """
        return _column_elsewhere(self.sheet, self.number, self.first, self.last)

    def cell(self, row: int) -> str:
        """The cell in one row, on the same sheet; the column is fixed."""
        return f"${letter(self.number)}{row}"

    def far(self, row: int) -> str:
        """The cell in one row, as formulas on other sheets name it."""
        return f"{quote_sheet(self.sheet)}!{self.cell(row)}"

    def rows(self, first: int, last: int) -> str:
        """Some rows of the column, on the same sheet."""
        return column_range(self.number, first, last)


@cache
def quote_sheet(sheet: str) -> str:
    """Quote a sheet title where a formula needs it.

    >>> quote_sheet("Results"), quote_sheet("Best powers")
    ('Results', "'Best powers'")
    """
    return sheet if sheet.isalnum() else f"'{sheet}'"


def is_reference(text: str) -> bool:
    """Say whether a text names a cell.

    >>> is_reference("Orders!E12"), is_reference("'Best powers'!$B$4"), is_reference("1 S1901M A VIE")
    (True, True, False)
    """
    return REFERENCE.fullmatch(text.strip()) is not None


# Pieces of formulas that spreadsheet programs of the last twenty years compute: no dynamic arrays, no XLOOKUP.
#
# Numbers that decide a place are compared when they are rounded to nine decimals: binary fractions of equal scores may
# differ in the fifteenth digit, and a tie decided by that would be a scandal.

KEY_DECIMALS = 9


def literal(number: int | Fraction) -> str:
    """Write a number into a formula.

    >>> literal(Fraction(1, 2)), literal(Fraction(1, 3)), literal(4)
    ('0.5', '(1/3)', '4')
    """
    number = Fraction(number)
    if number.denominator == 1:
        return str(number.numerator)
    short = repr(float(number))
    return short if Fraction(short) == number else f"({number.numerator}/{number.denominator})"


def key(formula: str) -> str:
    """Round what is compared."""
    return f"ROUND({formula},{KEY_DECIMALS})"


def sum_terms(terms: Sequence[str]) -> str:
    """Add terms up; nothing is 0."""
    return "+".join(terms) or "0"


LONGEST_QUOTE = 255  # characters between quotes in a formula, Excel's own limit


def quote_text(text: str) -> str:
    """Write text into a formula; a long one in pieces.

    >>> print(quote_text('the "top" board'))
    "the ""top"" board"
    >>> quote_text("a" * 256).count("&")
    1
    """
    pieces = [text[start : start + LONGEST_QUOTE] for start in range(0, len(text), LONGEST_QUOTE)] or [""]
    quoted = "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)
    return quoted if len(pieces) == 1 else f"({quoted})"


def as_shown(number: str, decimals: int) -> str:
    """Write a number as text with its decimals, and with the decimal sign of the reader's computer.

    TEXT would read its format by the computer's language: "0.000" is a whole number where the dot separates thousands.

    >>> as_shown("A1", 2)
    'FIXED(ROUND(A1,2),2,TRUE)'
    """
    return f"FIXED(ROUND({number},{decimals}),{decimals},TRUE)"


def unless_zero(cell: str, formula: str) -> str:
    """Compute a formula unless a cell is 0, which stays 0.

    MATCH is there for LibreOffice 7.4: it computes long columns of equal formulas in threads, and then now and then
    reports circular references (Err:522) where there are none; formulas with MATCH it leaves out of that.

    >>> unless_zero("$A5", "$A5+1")
    'IF(ISNUMBER(MATCH(0,$A5,0)),0,$A5+1)'
    """
    return f"IF(ISNUMBER(MATCH(0,{cell},0)),0,{formula})"


def exact_match(names: BookColumn, numbers: BookColumn, name: str) -> str:
    """Look a name up letter by letter. MATCH would read "*" and "?" in a name as wildcards."""
    return f"SUMPRODUCT(EXACT({names.there},{name})*{numbers.there})"


def all_of(conditions: Sequence[str]) -> str:
    """Join conditions; one stands alone.

    >>> all_of(["A1>0"]), all_of(["A1>0", "B1=2"])
    ('A1>0', 'AND(A1>0,B1=2)')
    """
    return conditions[0] if len(conditions) == 1 else f"AND({','.join(conditions)})"


def unwritable(text: str) -> Stopped:
    """A rule that no formula can express; the director gets this message instead of a wrong workbook."""
    return stop(f"{text}; the scores are right, only the workbook cannot compute them: choose another one", "workbook")


# Text that is safe in a cell: no character XML forbids, nothing that a spreadsheet program takes for a formula.

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2
LONGEST = 32767  # characters in a cell, Excel's own limit
BEGINS_A_FORMULA = frozenset("=+-@'\t\r\n")


def is_clean(text: str) -> bool:
    """Say whether a cell holds the text as it is; nothing that can be printed is forbidden by XML."""
    return text.isprintable() and len(text) <= LONGEST


class Losses(Struct):
    """What could not be written as it was given: collected while the sheets are made, shown at the end."""

    found: list[Problem] = field(default_factory=list)

    def clean(self, text: str, where: str) -> str:
        r"""Leave out what a cell cannot hold, and say so.

        >>> losses = Losses()
        >>> losses.clean("Bob\x07", "Players!B4")
        'Bob'
        >>> print(*losses.found)
        notes  Players!B4: 'Bob\x07' holds 1 character that no workbook can; it is left out (U+0007)
        """
        if is_clean(text):
            return text
        text = text.replace("\r\n", "\n").replace("\r", "\n")  # XML 1.0, 2.11: what reads it knows one end of a line
        bad = FORBIDDEN.findall(text)
        if bad:
            named = ", ".join(f"U+{ord(c):04X}" for c in sorted(set(bad)))
            many = (
                "1 character that no workbook can; it is"
                if len(bad) == 1
                else f"{len(bad)} that no workbook can; they are"
            )
            self.note(f"{text[:40]!r} holds {many} left out ({named})", where)
            text = FORBIDDEN.sub("", text)
        if len(text) > LONGEST:
            self.note(f"{len(text)} characters, a cell holds {LONGEST}; the rest is left out", where)
            text = text[:LONGEST]
        return text

    def note(self, text: str, where: str) -> None:
        """Note one loss."""
        self.found.append(Problem(Weight.NOTES, text, where))


def looks_like_a_formula(text: str) -> bool:
    """Say whether a spreadsheet program would take typed text for a formula: such cells get a quote prefix.

    >>> [looks_like_a_formula(name) for name in ("=1+1", "-Bob", "@SUM", "Bob", "+1-555", "'tis")]
    [True, True, True, False, True, True]
    """
    return text[:1] in BEGINS_A_FORMULA
