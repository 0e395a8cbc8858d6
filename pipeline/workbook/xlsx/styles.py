"""How a cell looks: few colours, one meaning each. What a director may change is yellow and unlocked."""

from dataclasses import dataclass, replace
from functools import cache

from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.worksheet.worksheet import Worksheet

NAVY, WHITE, GREY, PALE, INPUT = "1F3864", "FFFFFF", "7F7F7F", "EEF2F8", "FFF9DB"
GREEN, RED, AMBER, GOLD = "C6EFCE", "FFC7CE", "FFEB9C", "FFE699"
DARK_GREEN, DARK_RED = "006100", "9C0006"
LINE = "BFC7D5"
FONT = "Calibri"


@dataclass(frozen=True, slots=True)
class Look:
    """One way for a cell to look."""

    bold: bool = False
    italic: bool = False
    size: int = 11  # points
    colour: str = "000000"
    fill: str = ""  # empty: none
    form: str = "General"  # number format
    align: str = "general"
    upright: str = "center"
    wrap: bool = False
    line: str = ""  # of "tblr", the sides with a thin line; "h" is a hair line below, "T" a strong one on top
    indent: int = 0
    may_change: bool = False  # an input: unlocked
    quoted: bool = False  # text that would be taken for a formula when it is edited

    def but(self, **changes: object) -> "Look":
        """Make a look that differs in a few things."""
        return replace(self, **changes)  # type: ignore[arg-type] # fields are checked by the constructor


PLAIN = Look()
TITLE = Look(bold=True, size=18, colour=NAVY)
SUBTITLE = Look(colour=GREY, italic=True)
HEAD = Look(bold=True, colour=WHITE, fill=NAVY, align="center", wrap=True, line="b")
HEAD_LEFT = HEAD.but(align="left")
SECTION = Look(bold=True, size=12, colour=NAVY, line="b")
TEXT = Look(line="h")
CENTRED = TEXT.but(align="center")
WHOLE = TEXT.but(align="center", form="0")
SMALL = WHOLE.but(size=9)
QUIET = TEXT.but(colour=GREY)
NOTE = Look(colour=GREY, wrap=True, upright="top")
WRAPPED = TEXT.but(wrap=True, upright="top")
ENTRY = Look(fill=INPUT, line="tblr", may_change=True)
ENTRY_NUMBER = ENTRY.but(align="center", form="0")
HIDES_ZERO = "0;-0;"  # number formats that leave an empty row empty
VERDICT = Look(bold=True, size=12, align="center", line="tblr")


@cache
def points(decimals: int, base: Look = TEXT) -> Look:
    """A number of points with its decimals; numbers stand under one another.

    >>> points(3).form, points(0).form
    ('0.000', '0')
    """
    return base.but(form="0." + "0" * decimals if decimals else "0", align="right")


def register(look: Look, sheet: Worksheet) -> int:
    """Enter a look into the workbook's style table and give its number there."""
    cell = Cell(sheet, row=1, column=1)
    cell.font = Font(name=FONT, size=look.size, bold=look.bold, italic=look.italic, color=look.colour)
    if look.fill:
        cell.fill = PatternFill("solid", fgColor=look.fill)
    cell.number_format = look.form
    cell.alignment = Alignment(horizontal=look.align, vertical=look.upright, wrap_text=look.wrap, indent=look.indent)
    cell.border = border(look.line)
    cell.protection = Protection(locked=not look.may_change)
    if look.quoted:
        cell.quotePrefix = 1
    return int(cell.style_id)


def border(sides: str) -> Border:
    """Draw lines on the named sides, as `Look.line` says."""
    thin, hair, none = Side("thin", color=LINE), Side("hair", color=LINE), Side()
    return Border(
        left=thin if "l" in sides else none,
        right=thin if "r" in sides else none,
        top=Side("medium", color=NAVY) if "T" in sides else thin if "t" in sides else none,
        bottom=hair if "h" in sides else thin if "b" in sides else none,
    )
