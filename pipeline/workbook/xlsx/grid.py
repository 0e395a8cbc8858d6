"""A list on a sheet, made column by column: one head, then one cell a row."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.workbook.xlsx.address import BookColumn
from pipeline.workbook.xlsx.page import Content, Page
from pipeline.workbook.xlsx.styles import HEAD, WHOLE, Look

HEAD_POINTS = 31  # two lines of text


@dataclass(slots=True)
class Grid:
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

    def planned(self, offset: int = 0) -> BookColumn:
        """The column that comes next (or a few later), for formulas that look at the whole of it."""
        return BookColumn(self.page.title, self.column + offset, self.first, self.last)

    def add(self, head: str, contents: Sequence[Content], look: Look = WHOLE, width: float = 9) -> BookColumn:
        """Fill the next column."""
        made = self.planned()
        self.page.put(self.head_row, self.column, head, HEAD)
        self.page.heights.setdefault(self.head_row, HEAD_POINTS)
        for row, content in zip(self.rows, contents, strict=True):
            self.page.put(row, self.column, content, look)
        self.page.widths[self.column] = width
        self.column += 1
        return made
