"""Pages to hang up, before they are printed or written into a workbook: a title, a table, and notes below it."""

from msgspec import Struct


class WallColumn(Struct, frozen=True, kw_only=True):
    """A column of a table."""

    head: str
    is_number: bool = False  # at the right edge of its column
    is_long: bool = False  # may be broken into lines; every other column is as wide as its longest text
    is_key: bool = False  # stands on every part of a table that is too wide for one page


class WallRow(Struct, frozen=True):
    """A row of a table; the first place is printed on a grey ground."""

    cells: tuple[str, ...]
    is_first: bool = False
    is_heading: bool = False  # its first cell names the rows below it


class WallLine(Struct, frozen=True):
    """A line of a chart: a name, and its value after each step that was played."""

    name: str
    values: tuple[float, ...]


class WallChart(Struct, frozen=True):
    """Lines over steps, such as the points of players after each round."""

    steps: tuple[str, ...]
    lines: tuple[WallLine, ...]


class WallPage(Struct, frozen=True, kw_only=True):
    """One table to hang up; printed on as many pages as it needs."""

    name: str  # of its sheet in a workbook
    title: str
    subtitle: str = ""
    columns: tuple[WallColumn, ...]
    rows: tuple[WallRow, ...]
    notes: tuple[str, ...] = ()
    chart: WallChart | None = None
