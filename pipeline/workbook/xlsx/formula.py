"""Pieces of formulas that spreadsheet programs of the last twenty years compute: no dynamic arrays, no XLOOKUP.

Numbers that decide a place are compared when they are rounded to nine decimals: binary fractions of equal scores may
differ in the fifteenth digit, and a tie decided by that would be a scandal.
"""

from collections.abc import Sequence
from fractions import Fraction

from pipeline.problems import Stopped, stop
from pipeline.workbook.xlsx.address import BookColumn

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


def added(terms: Sequence[str]) -> str:
    """Add terms up; nothing is 0."""
    return "+".join(terms) or "0"


def said(text: str) -> str:
    """Write text into a formula.

    >>> print(said('the "top" board'))
    "the ""top"" board"
    """
    return '"' + text.replace('"', '""') + '"'


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
    """What a rules file asks for and no formula can say: told to the director, who gets no workbook that is wrong."""
    return stop(f"{text}; the scores are right, only the workbook cannot compute them: choose another one", "workbook")
