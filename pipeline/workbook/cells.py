"""Reading a list from a sheet: its heads found by name, each cell checked, every fault with its sheet and cell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from pipeline.problems import Problem, Weight, stop
from pipeline.workbook.address import at

HEADS_WITHIN = 12  # rows: the heads of a list stand below a title, not far from the top


def open_book(data: bytes, where: str) -> Workbook:
    """Open an XLSX file with its formulas, not their values; anything else stops (`Stopped`)."""
    try:
        return load_workbook(BytesIO(data))
    except (BadZipFile, InvalidFileException, KeyError, ValueError, OSError) as error:
        raise stop(f"not a workbook ({error}); save it as .xlsx", where) from error


@dataclass(slots=True)
class SheetList:
    """One list on a sheet."""

    sheet: Worksheet
    head_row: int
    columns: Mapping[str, int]  # head in lower case -> column
    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def find(cls, sheet: Worksheet, wanted: Sequence[str]) -> "SheetList | None":
        """Find the row that holds all of some heads."""
        for row in sheet.iter_rows(min_row=1, max_row=HEADS_WITHIN):
            heads: dict[str, int] = {}
            for cell in row:
                if cell.value is not None and cell.data_type != "f":
                    heads.setdefault(str(cell.value).strip().lower(), int(cell.column or 0))
            if set(wanted) <= heads.keys():
                return cls(sheet, int(row[0].row or 0), heads)
        return None

    def rows(self, *wanted: str) -> Iterator[int]:
        """The rows below the heads in which one of some columns is filled."""
        columns = [self.columns[head] for head in wanted if head in self.columns]
        for row in range(self.head_row + 1, self.sheet.max_row + 1):
            if any(self.sheet.cell(row, column).value not in (None, "") for column in columns):
                yield row

    def where(self, row: int, head: str) -> str:
        """Name a cell."""
        return f"{self.sheet.title}!{at(row, self.columns.get(head, 1))}"

    def fault(self, row: int, head: str, text: str) -> None:
        """Note a fault."""
        self.problems.append(Problem(Weight.STOPS, text, self.where(row, head)))

    def value(self, row: int, head: str) -> object:
        """What stands in an input cell; a formula there is refused."""
        if head not in self.columns:
            return None
        cell = self.sheet.cell(row, self.columns[head])
        if not isinstance(cell, Cell):  # the hidden part of a merged cell
            return None
        if cell.data_type == "f":
            self.fault(row, head, f"the formula {str(cell.value)[:60]!r} in an input cell; type the value itself")
            return None
        return None if cell.value == "" else cell.value

    def text(self, row: int, head: str) -> str:
        """A word, empty where there is none; whole numbers are read as they look."""
        value = self.value(row, head)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value)

    def yes(self, row: int, head: str) -> bool:
        """A yes, or nothing."""
        word = self.text(row, head).strip().lower()
        if word not in ("yes", "no", ""):
            self.fault(row, head, f"found {word!r}; wanted yes, or nothing")
        return word == "yes"
