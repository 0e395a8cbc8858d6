"""One sheet while it is being made: cells with their looks, and everything around them."""

from collections.abc import Iterable, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache

from msgspec import Struct, field
from msgspec.structs import replace
from openpyxl.cell import Cell
from openpyxl.chart import BarChart, LineChart
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from pipeline.workbook.cells import BookColumn, Losses, at, is_clean, looks_like_a_formula

# How a cell looks: few colours, one meaning each. What a director may change is yellow and unlocked.

NAVY, WHITE, GREY, PALE, INPUT = "1F3864", "FFFFFF", "7F7F7F", "EEF2F8", "FFF9DB"
GREEN, RED, AMBER, GOLD = "C6EFCE", "FFC7CE", "FFEB9C", "FFE699"
DARK_GREEN, DARK_RED = "006100", "9C0006"
LINE = "BFC7D5"
FONT = "Calibri"


class Look(Struct, frozen=True):
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
        return replace(self, **changes)  # fields are checked by the constructor


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
    """A number of points with fixed decimals, so that the digits of a column are aligned.

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
    cell.border = _border(look.line)
    cell.protection = Protection(locked=not look.may_change)
    if look.quoted:
        cell.quotePrefix = 1
    return int(cell.style_id)


def _border(sides: str) -> Border:
    """Draw lines on the named sides, as `Look.line` says."""
    thin, hair, none = Side("thin", color=LINE), Side("hair", color=LINE), Side()
    return Border(
        left=thin if "l" in sides else none,
        right=thin if "r" in sides else none,
        top=Side("medium", color=NAVY) if "T" in sides else thin if "t" in sides else none,
        bottom=hair if "h" in sides else thin if "b" in sides else none,
    )


class MissingCell(Enum):
    """No value: what the function NA says, which charts leave out."""

    NOT_AVAILABLE = "#N/A"


NOTHING = MissingCell.NOT_AVAILABLE
Value = str | int | float | Fraction | bool | MissingCell | None


class LiveFormula(Struct, frozen=True):
    """A formula, and what our own engine says it comes to: programs that do not calculate show that."""

    formula: str  # without the leading "="
    value: Value


Content = Value | LiveFormula


class Page(Struct):
    """One sheet. Titles are fixed ASCII of at most 31 characters, so that formulas and other programs find them."""

    title: str
    losses: Losses
    cells: dict[int, dict[int, tuple[Content, Look]]] = field(default_factory=dict)  # by row, then column
    widths: dict[int, float] = field(default_factory=dict)  # column -> characters
    heights: dict[int, float] = field(default_factory=dict)  # row -> points
    merged: list[str] = field(default_factory=list)
    freeze: str = ""  # the first cell that scrolls (freeze panes)
    repeat: str = ""  # the rows printed on every page: "4:4"
    beside: str = ""  # the columns printed on every page: "A:B"
    area: str = ""  # what is printed; empty: everything
    landscape: bool = False
    is_wide: bool = False  # printed on several sheets side by side, so that one can read it
    hidden: bool = False
    tab: str = ""  # colour of the tab
    filtered: str = ""  # the range with filter buttons
    breaks: list[int] = field(default_factory=list)  # a new printed page begins after these rows
    validations: list[DataValidation] = field(default_factory=list)
    marks: list[tuple[str, Rule]] = field(default_factory=list)
    charts: list[tuple[BarChart | LineChart, str]] = field(default_factory=list)

    def put(self, row: int, column: int, content: Content, look: Look = PLAIN) -> None:
        """Fill one cell. Text is cleaned, and no formula even if it begins with "=" (no formula injection)."""
        if isinstance(content, str):
            if not is_clean(content):
                content = self.losses.clean(content, f"{self.title}!{at(row, column)}")
            if looks_like_a_formula(content):
                look = look.but(quoted=True)
        line = self.cells.get(row)
        if line is None:
            self.cells[row] = line = {}
        line[column] = (content, look)

    def row(self, row: int, column: int, contents: Iterable[Content], look: Look = PLAIN) -> None:
        """Fill cells side by side, all in one look."""
        for offset, content in enumerate(contents):
            self.put(row, column + offset, content, look)

    def merge(self, row: int, first: int, last: int, content: Content, look: Look = PLAIN) -> None:
        """Fill cells of one row that are joined into one."""
        self.put(row, first, content, look)
        for column in range(first + 1, last + 1):
            self.put(row, column, None, look)
        if last > first:
            self.merged.append(f"{at(row, first)}:{at(row, last)}")

    def mark(self, cells: str, when: str, *, fill: str = "", colour: str = "", bold: bool = False) -> None:
        """Conditional formatting: colour cells while a formula is true; it is written for the first of them."""
        paint = PatternFill(bgColor=fill, fill_type="solid") if fill else None
        font = Font(color=colour or None, bold=bold or None) if colour or bold else None
        look = DifferentialStyle(font=font, fill=paint)
        self.marks.append((cells, Rule(type="expression", dxf=look, formula=[when])))

    def allow_whole(self, cells: Sequence[str], least: int, most: int, title: str) -> None:
        """Let input cells take whole numbers in a range, or nothing."""
        rule = DataValidation(
            type="whole", operator="between", formula1=str(least), formula2=str(most), allow_blank=True
        )
        self.refuse(rule, title, f"a whole number from {least} to {most}, or nothing", cells)

    def allow_list(self, cells: Sequence[str], source: str, title: str, message: str) -> None:
        """Let input cells take one of a list: a range, or quoted words with commas between."""
        self.refuse(DataValidation(type="list", formula1=source, allow_blank=True), title, message, cells)

    def refuse(self, rule: DataValidation, title: str, message: str, cells: Sequence[str]) -> None:
        """Show what is wanted where an entry breaks a rule."""
        rule.showErrorMessage, rule.errorTitle, rule.error = True, title, message
        rule.sqref = " ".join(cells)  # one by one, each would be looked for among all the others
        self.validations.append(rule)


# A list on a sheet, made column by column: one head, then one cell a row.

HEAD_POINTS = 31  # two lines of text


class Grid(Struct):
    """A list while it is being made."""

    page: Page
    head_row: int
    length: int  # rows below the head; a list without rows keeps one, so that its ranges exist
    column: int = 1  # the next one to fill

    @property
    def first(self) -> int:
        """The first row below the head."""
        return self.head_row + 1

    @property
    def last(self) -> int:
        """The last row."""
        return self.head_row + max(self.length, 1)

    @property
    def rows(self) -> range:
        """The rows that hold something."""
        return range(self.first, self.first + self.length)

    def next_column(self, offset: int = 0) -> BookColumn:
        """The column that comes next (or a few later), for formulas that look at the whole of it."""
        return BookColumn(self.page.title, self.column + offset, self.first, self.last)

    def add(self, head: str, contents: Sequence[Content], look: Look = WHOLE, width: float = 9) -> BookColumn:
        """Fill the next column."""
        made = self.next_column()
        self.page.put(self.head_row, self.column, head, HEAD)
        self.page.heights.setdefault(self.head_row, HEAD_POINTS)
        for row, content in zip(self.rows, contents, strict=True):
            self.page.put(row, self.column, content, look)
        self.page.widths[self.column] = width
        self.column += 1
        return made
