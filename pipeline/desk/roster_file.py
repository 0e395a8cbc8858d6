"""Open a list of players as programs save it: a workbook of Excel or LibreOffice, or text in whatever encoding."""

import csv
import errno
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from io import BytesIO, StringIO
from pathlib import Path
from xml.etree import ElementTree

from msgspec import Struct
from msgspec.structs import replace
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from pipeline.draw import roster_list
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.table import read_named

LARGEST = 20_000_000  # bytes; the roster of 200 players has some ten thousand
LARGEST_UNPACKED = 100_000_000
WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
OLD_EXCEL = bytes.fromhex("d0cf11e0a1b11ae1")
SEPARATORS = ",;\t|"
BEGINNING = 20_000  # letters of a list that are looked at for the sign between its columns


def read_roster_file(path: Path, choices: roster_list.RosterChoices | None = None) -> roster_list.ReadRoster:
    """Read a roster, or stop with all its faults; returns the players and notes."""
    try:
        content = read_named(path, LARGEST)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise stop(f"this is no roster: {error.strerror}", str(path)) from error
        raise stop(f"cannot read the roster: {error.strerror or error}", str(path)) from error
    read = read_roster_bytes(content, path.name, choices)
    if set(read.alike) - set(read.same):
        text = "of names that look alike: --merge NAME joins the entries of one person, --both NAME keeps two people"
        read = replace(read, problems=(*read.problems, Problem(Weight.STOPS, text, path.name)))
    return check_roster(read, path.name)


def check_roster(read: roster_list.ReadRoster, name: str) -> roster_list.ReadRoster:
    """Stop with all the faults of a roster, or where it names nobody."""
    if stops := tuple(p for p in read.problems if p.weight is Weight.STOPS):
        raise Stopped(stops)
    if not read.players:
        raise stop("the roster names nobody; give one player a row", name)
    return read


def read_roster_bytes(
    content: bytes, name: str, choices: roster_list.RosterChoices | None = None
) -> roster_list.ReadRoster:
    """Read a file that is here already, whatever its name ends with: its first bytes say whether it is a workbook."""
    if content.startswith((b"PK\x03\x04", OLD_EXCEL)) or name.lower().endswith(WORKBOOKS):
        return _read_workbook(content, name, choices)
    text, notes = _decode_text(content, name)
    read = read_roster_text(text, name, choices)
    return replace(read, problems=(*notes, *read.problems))


def read_roster_text(text: str, name: str, choices: roster_list.RosterChoices | None = None) -> roster_list.ReadRoster:
    r"""Read a list that is pasted or typed, or was saved as text: with , ; | or a tab between columns, or names alone.

    >>> read = read_roster_text("sep=;\nName;Team\nAna Silva;Owls\nBo Ek;\n", "players.csv")
    >>> [player.name for player in read.players], read.players[0].team, read.problems
    (['Ana Silva', 'Bo Ek'], 'Owls', ())
    """
    text = text.removeprefix("\ufeff")
    begin, _, rest = text.partition("\n")
    named = re.fullmatch(r"(?i)\"?sep=(.)\"?\r?", begin)
    text, skipped = (rest, 1) if named else (text, 0)
    separator = named[1] if named else _find_separator(text)
    rows: list[Sequence[str]] = []
    lines: list[int] = []
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for row in reader:
            rows.append(row)
            lines.append(line + skipped)
            line = reader.line_num + 1
            if len(rows) > roster_list.MOST_ROWS * 2 or len(row) > roster_list.MOST_COLUMNS * 2:  # enough to refuse it
                break
    except csv.Error as error:
        mend = 'close it, or write "" for a quote inside quotes; the rows from here on were not read'
        fault = f"a quote that is not closed, or closed too early ({error}); {mend}"
        read = (
            roster_list.read_roster_list(rows, name, choices, lines=lines)
            if len(rows) > 1
            else roster_list.ReadRoster((), ())
        )
        broken = Problem(Weight.STOPS, fault, f"{name} row {line + skipped}")
        return replace(read, problems=(*read.problems, broken))
    return roster_list.read_roster_list(rows, name, choices, lines=lines)


def _find_separator(text: str) -> str:
    """The sign between columns: the one that stands in most of the first lines, and there most often."""
    first = [line for line in text[:BEGINNING].splitlines()[: roster_list.HEADING_WITHIN * 2] if line.strip()]
    return max(
        SEPARATORS,
        key=lambda sign: (sum(sign in line for line in first), sum(map(len, (line.split(sign) for line in first)))),
    )


def _decode_text(content: bytes, name: str) -> tuple[str, tuple[Problem, ...]]:
    """Decode as UTF-8, as UTF-16 (Excel's "Unicode text"), or as the Windows encoding that older programs write."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace"), ()
    for encoding, zeros in (("utf-16-le", content[1:400:2]), ("utf-16-be", content[:400:2])):
        if len(zeros) > 4 and zeros.count(0) * 2 > len(zeros):
            return content.decode(encoding, errors="replace"), ()
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        text = "not saved as UTF-8: read as Windows' western letters; look over the names with accents"
        return content.decode("cp1252", errors="replace"), (Problem(Weight.NOTES, text, name),)


# A workbook: the values of its cells, merged cells filled down, hidden rows reported.


class _Extent(Struct):
    """How large one sheet of a workbook is, and what is special in it, read before the sheet itself is loaded."""

    rows: int = 0
    columns: int = 0
    hidden: tuple[int, ...] = ()
    uncalculated: tuple[str, ...] = ()  # cells with a formula and no value
    merged: tuple[tuple[int, int, int, int], ...] = ()  # first row, first column, last row, last column, from 0


def _read_workbook(content: bytes, name: str, choices: roster_list.RosterChoices | None) -> roster_list.ReadRoster:
    """Read the list out of a workbook: our Players sheet, or the first that has a column for names."""
    extents = _measure_sheets(content, name)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(content))
        named = sorted(book.sheet_names, key=lambda title: title != "Players")
        sheets = {title: _cells_of(book.get_sheet_by_name(title), extents.get(title)) for title in named}
    except (CalamineError, OSError, ValueError) as error:
        raise stop(f"not a workbook that can be read ({error}); save it as .xlsx or .csv", name) from error
    filled = {title: rows for title, rows in sheets.items() if any(any(row) for row in rows)}
    title = next(
        (title for title, rows in filled.items() if roster_list.find_headings(rows, choices) is not None),
        next(iter(filled), ""),
    )
    where = f"{name} {title}" if title else name
    read = roster_list.read_roster_list(filled.get(title, []), where, choices)
    extent = extents.get(title, _Extent())
    hidden = extent.hidden
    if extent.uncalculated:
        cells = ", ".join(extent.uncalculated[:20])
        text = f"formulas without a value in {cells}: open the file, let it calculate, and save it again"
        return roster_list.ReadRoster((), (Problem(Weight.STOPS, text, where),), read.columns)
    text = ""
    if hidden:
        numbers = ", ".join(map(str, hidden[:20])) + (" …" if len(hidden) > 20 else "")
        text = f"hidden in the sheet, and read all the same: row {numbers}"
    elif title and title not in extents:
        text = "whether a row is hidden cannot be seen in such a file, and all are read; if some are, save it as .xlsx"
    note = (Problem(Weight.NOTES, text, where),) if text else ()
    return replace(read, problems=(*note, *read.problems))


def _cells_of(sheet: CalamineSheet, extent: _Extent | None) -> list[list[str]]:
    """The cells of a sheet as text, from its first row and column."""
    rows = [
        [_cell_text(value) for value in row]
        for row in sheet.to_python(skip_empty_area=False, nrows=roster_list.MOST_ROWS + 1)
    ]
    spans = [(top, left, bottom, right) for (top, left), (bottom, right) in sheet.merged_cell_ranges or ()]
    for top, left, bottom, right in spans or (extent.merged if extent else ()):
        if bottom == top or right != left:
            continue  # a title across columns says nothing of the rows below
        for row in rows[top + 1 : bottom + 1]:
            if left < len(row) and not row[left]:
                row[left] = rows[top][left]
    return rows


def _cell_text(value: str | float | bool | date | time | datetime | timedelta) -> str:
    """A value as somebody would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _measure_sheets(content: bytes, name: str) -> dict[str, _Extent]:
    """The extent of every sheet, by title; nothing for formats that are no archive. A sheet too large stops."""
    if not content.startswith(b"PK"):
        return {}
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            size = sum(part.file_size for part in archive.infolist())
            if size > LARGEST_UNPACKED:
                raise stop(f"{size >> 20} MB when it is unpacked; this is no list of players", name)
            if "content.xml" in archive.namelist():
                return _measure_ods(archive, name)
            return {title: _measure_xlsx(archive, path, f"{name} {title}") for title, path in _sheet_paths(archive)}
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, OSError, ValueError, zlib.error) as error:
        raise stop(f"not a workbook that can be read ({error}); save it as .xlsx or .csv", name) from error


def _sheet_paths(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The title of each sheet of an Excel workbook, and the part that holds it."""
    if "xl/workbook.xml" not in archive.namelist():
        return
    parts = {
        each.get("Id"): each.get("Target", "").removeprefix("/xl/")
        for each in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    }
    for each in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter():
        if _tag(each) == "sheet":
            related = next((value for key, value in each.items() if key.endswith("}id")), "")
            path = f"xl/{parts.get(related, '')}"
            if path in archive.namelist():
                yield each.get("name", ""), path


def _measure_xlsx(archive: zipfile.ZipFile, path: str, where: str) -> _Extent:
    """How far the cells with a value reach, and which rows are hidden."""
    extent, row, column, hidden = _Extent(), 0, 0, []
    with archive.open(path) as part:
        for event, each in ElementTree.iterparse(part, events=("start", "end")):
            tag = _tag(each)
            if event == "start" and tag == "row":
                row, column = int(each.get("r", row + 1)), 0
                if each.get("hidden") in ("1", "true"):
                    hidden.append(row)
            elif event == "end" and tag == "c":
                letters = re.match("[A-Z]+", each.get("r", ""))
                column = _column_number(letters[0]) if letters else column + 1
                parts = {_tag(inside): inside.text for inside in each}
                if "f" in parts and not parts.get("v"):
                    extent.uncalculated += (each.get("r", f"row {row}"),)
                if len(each):
                    extent.rows, extent.columns = max(extent.rows, row), max(extent.columns, column)
                    _refuse_large(extent, where)
            elif event == "end" and tag == "row":
                each.clear()
    extent.hidden = tuple(number for number in hidden if number <= extent.rows)
    return extent


def _measure_ods(archive: zipfile.ZipFile, name: str) -> dict[str, _Extent]:
    """As `_measure_xlsx`, of every sheet of an OpenDocument workbook; merged cells too: the library leaves them out."""
    found: dict[str, _Extent] = {}
    extent, row, title = _Extent(), 0, ""
    with archive.open("content.xml") as part:
        for event, each in ElementTree.iterparse(part, events=("start", "end")):
            tag = _tag(each)
            if event == "start" and tag == "table":
                title = next((value for key, value in each.items() if key.endswith("}name")), "")
                found[title] = extent = _Extent()
                row = 0
            elif event == "end" and tag == "table-row":
                repeated, column, filled = int(_attribute(each, "number-rows-repeated", "1")), 0, 0
                for cell in each:
                    wide = int(_attribute(cell, "number-columns-repeated", "1"))
                    if _attribute(cell, "value-type", "") or len(cell):
                        filled = column + wide
                        tall = int(_attribute(cell, "number-rows-spanned", "1"))
                        if tall > 1:
                            across = int(_attribute(cell, "number-columns-spanned", "1"))
                            extent.merged += ((row, column, row + tall - 1, column + across - 1),)
                    column += wide
                if filled:
                    extent.rows, extent.columns = row + repeated, max(extent.columns, filled)
                    _refuse_large(extent, f"{name} {title}")
                    if _attribute(each, "visibility", "visible") != "visible":
                        extent.hidden += tuple(range(row + 1, row + repeated + 1))
                row += repeated
                each.clear()
    return found


def _column_number(letters: str) -> int:
    """The number of a column.

    >>> _column_number("A"), _column_number("AB"), _column_number("XFD")
    (1, 28, 16384)
    """
    number = 0
    for letter in letters[:4]:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _refuse_large(extent: _Extent, where: str) -> None:
    """Stop if a sheet is too large for a roster, before it is loaded."""
    if extent.rows > roster_list.MOST_ROWS or extent.columns > roster_list.MOST_COLUMNS:
        most = f"no roster has more than {roster_list.MOST_ROWS} rows and {roster_list.MOST_COLUMNS} columns"
        raise stop(
            f"row {extent.rows}, column {extent.columns} is filled; {most}: choose the list of the players", where
        )


def _tag(element: ElementTree.Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def _attribute(element: ElementTree.Element, name: str, otherwise: str) -> str:
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), otherwise)
