"""Reading a list from a sheet: its heads found by name, each cell checked, every fault with its sheet and cell."""

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from warnings import catch_warnings, simplefilter
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from openpyxl import load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from pipeline.problems import Problem, Weight, stop
from pipeline.workbook.xlsx.address import at

LARGEST = 100 << 20  # bytes, unpacked; the workbook of 210 players has 6 MB
MOST_ROWS, MOST_COLUMNS = 20_000, 1000  # with a word in the last cell of a sheet there are 1,048,576 and 16,384
BROKEN = (  # what the library raises on a file that is damaged, or made by nobody's program
    BadZipFile, InvalidFileException, ParseError, zlib.error, struct.error, KeyError, IndexError, ValueError, TypeError,
    AttributeError, OSError, EOFError, NotImplementedError, OverflowError, RuntimeError,
)  # fmt: skip
HEADS_WITHIN = 12  # rows: the heads of a list stand below a title, not far from the top


def open_book(data: bytes, where: str) -> Workbook:
    """Open an XLSX file with its formulas, not their values; anything else stops (`Stopped`)."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > LARGEST:
            raise stop(f"{size >> 20} MB when it is unpacked; this is no list, write a new one", where)
        with catch_warnings():
            simplefilter("ignore")  # what the library leaves out, such as pictures, is not read anyway
            book = load_workbook(BytesIO(data))
    except BROKEN as error:
        raise stop(f"not a workbook ({error}); save it as .xlsx", where) from error
    for sheet in book.worksheets:
        if sheet.max_row > MOST_ROWS or sheet.max_column > MOST_COLUMNS:
            size_of = f"{sheet.max_row} rows and {sheet.max_column} columns"
            raise stop(f"{size_of}; take away the empty ones below and beside the list", f"{where} {sheet.title}")
    return book


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
