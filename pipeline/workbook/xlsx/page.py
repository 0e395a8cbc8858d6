"""One sheet while it is being made: cells with their looks, and everything around them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from openpyxl.chart import BarChart, LineChart
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.worksheet.datavalidation import DataValidation

from pipeline.workbook.xlsx.address import at
from pipeline.workbook.xlsx.styles import PLAIN, Look
from pipeline.workbook.xlsx.text import Losses, looks_like_a_formula


class MissingCell(Enum):
    """No value: what the function NA says, which charts leave out."""

    NOT_AVAILABLE = "#N/A"


NOTHING = MissingCell.NOT_AVAILABLE
Value = str | int | float | Fraction | bool | MissingCell | None


@dataclass(frozen=True, slots=True)
class LiveFormula:
    """A formula, and what our own engine says it comes to: programs that do not calculate show that."""

    formula: str  # without the leading "="
    value: Value


Content = Value | LiveFormula


@dataclass(slots=True)
class Page:
    """One sheet. Titles are fixed ASCII of at most 31 characters, so that formulas and other programs find them."""

    title: str
    losses: Losses
    cells: dict[int, dict[int, tuple[Content, Look]]] = field(default_factory=dict)  # by row, then column
    widths: dict[int, float] = field(default_factory=dict)  # column -> characters
    heights: dict[int, float] = field(default_factory=dict)  # row -> points
    merged: list[str] = field(default_factory=list)
    freeze: str = ""  # the first cell that scrolls
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
        """Fill one cell. Text is cleaned of what no cell can hold and is never a formula."""
        if isinstance(content, str):
            content = self.losses.clean(content, f"{self.title}!{at(row, column)}")
            if looks_like_a_formula(content):
                look = look.but(quoted=True)
        self.cells.setdefault(row, {})[column] = (content, look)

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
        """Colour cells while a formula is true; it is written for the first of them."""
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
        for ref in cells:
            rule.add(ref)
        self.validations.append(rule)
