"""Read a list of players out of a workbook of Excel or LibreOffice.

The values of its cells, merged cells filled down, hidden rows and rows that are struck through reported.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from io import BytesIO
from xml.etree import ElementTree

from msgspec import Struct
from msgspec.structs import replace
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from pipeline.draw import list_as_read, list_headings, roster_list
from pipeline.draw.roster import ListPlace
from pipeline.problems import Problem, Weight, stop
from pipeline.words.names import fold_name

LARGEST_UNPACKED = 100_000_000
OLD_EXCEL = bytes.fromhex("d0cf11e0a1b11ae1")
LOCKED = "it has a password; open it, and save it without"
OURS = "Players"  # the sheet of our own workbook that is a roster


class _Extent(Struct):
    """How large one sheet of a workbook is, and what is special in it, read before the sheet itself is loaded."""

    rows: int = 0
    columns: int = 0
    hidden: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()  # rows with a cell that is struck through
    uncalculated: tuple[str, ...] = ()  # cells with a formula and no value
    merged: tuple[tuple[int, int, int, int], ...] = ()  # first row, first column, last row, last column, from 0


def read_roster_workbook(
    content: bytes, name: str, choices: list_as_read.RosterChoices | None = None
) -> list_as_read.ReadRoster:
    """Read the list out of a workbook; where several sheets hold players, which of them is asked."""
    choices = choices or list_as_read.RosterChoices()
    extents = _measure_sheets(content, name)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(content))
        sheets = {title: _cells_of(book.get_sheet_by_name(title), extents.get(title)) for title in book.sheet_names}
    except (CalamineError, OSError, ValueError) as error:
        raise _unreadable(content, error, name) from error
    filled = {title: rows for title, rows in sheets.items() if any(any(row) for row in rows)}
    if unknown := [title for title in choices.sheets if title not in filled]:
        titles = ", ".join(map(repr, filled))
        raise stop(f"no sheet with a list is called {unknown[0][:40]!r}; there are {titles}", name)
    with_players = _sheets_with_players(filled, choices)
    chosen = choices.sheets or with_players[:1]
    read = _read_sheets({title: filled[title] for title in chosen}, name, choices, extents)
    problems = list(read.problems)
    if left := [title for title in filled if title not in chosen and title not in with_players]:
        problems.append(Problem(Weight.NOTES, f"not read: the sheets {', '.join(map(repr, left))}"[:200], name))
    if len(with_players) > 1 and not choices.sheets:
        titles = " and ".join(map(repr, with_players))
        problems.append(Problem(Weight.ASKS, f"the sheets {titles} all hold names: which are to be read?", name))
    return replace(read, problems=tuple(problems), sheets=() if choices.sheets else with_players)


def _sheets_with_players(filled: Mapping[str, list[list[str]]], choices: list_as_read.RosterChoices) -> tuple[str, ...]:
    """The sheets that have a column for names; all, if none has; only our own Players sheet where it is there."""
    heads = {title: list_headings.find_headings(rows, choices) for title, rows in filled.items()}
    if (head := heads.get(OURS)) is not None and list_headings.UNUSED[1] in map(fold_name, filled[OURS][head]):
        return (OURS,)
    return tuple(title for title, head in heads.items() if head is not None) or tuple(filled)


def _read_sheets(
    sheets: Mapping[str, list[list[str]]],
    name: str,
    choices: list_as_read.RosterChoices,
    extents: Mapping[str, _Extent],
) -> list_as_read.ReadRoster:
    """Read one sheet, or several below each other."""
    where = f"{name} {next(iter(sheets))}" if len(sheets) == 1 else name

    def line_of(title: str, row: int) -> ListPlace:
        return row if len(sheets) == 1 else f"{row} of {title}"

    rows: list[list[str]] = []
    lines: list[ListPlace] = []
    struck: set[ListPlace] = set()
    hidden: list[ListPlace] = []
    problems: list[Problem] = []
    for title, cells in sheets.items():
        extent = extents.get(title, _Extent())
        if extent.uncalculated:
            missing = ", ".join(extent.uncalculated[:20])
            text = f"formulas without a value in {missing}: open the file, let it calculate, and save it again"
            return list_as_read.ReadRoster((), (Problem(Weight.STOPS, text, f"{name} {title}"),))
        rows += cells
        lines += [line_of(title, row) for row in range(1, len(cells) + 1)]
        struck |= {line_of(title, row) for row in extent.struck}
        hidden += [line_of(title, row) for row in extent.hidden]
        if title not in extents:
            text = "hidden rows and rows that are struck through cannot be seen in such a file, and all are read"
            problems.append(Problem(Weight.NOTES, f"{text}; if there are some, save it as .xlsx", f"{name} {title}"))
    if hidden:
        text = f"hidden in the sheet, and read all the same: row {list_as_read.list_lines(hidden)}"
        problems.append(Problem(Weight.NOTES, text, where))
    read = roster_list.read_roster_list(rows, where, choices, lines=lines, struck=struck)
    return replace(read, problems=(*problems, *read.problems))


def _unreadable(content: bytes, error: Exception, name: str) -> Exception:
    """Say why a file is no workbook that can be read: it has a password, or is something else."""
    is_locked = "EncryptedPackage".encode("utf-16-le") in content or b":encryption-data" in content
    if is_locked or "password" in str(error).lower():
        return stop(LOCKED, name)
    if "WordDocument".encode("utf-16-le") in content:
        return stop(list_as_read.say_no_list("a document of Word"), name)
    return stop(f"not a workbook that can be read ({error}); save it as .xlsx or .csv", name)


def _cells_of(sheet: CalamineSheet, extent: _Extent | None) -> list[list[str]]:
    """The cells of a sheet as text, from its first row and column."""
    rows = [
        [_cell_text(value) for value in row]
        for row in sheet.to_python(skip_empty_area=False, nrows=roster_list.MOST_ROWS + 1)
    ]
    spans = [(top, left, bottom, right) for (top, left), (bottom, right) in sheet.merged_cell_ranges or ()]
    for top, left, bottom, right in spans or (extent.merged if extent else ()):
        if right != left:
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
            _refuse_other_archives(archive, name)
            if "content.xml" in archive.namelist():
                return _measure_ods(archive, name)
            struck = _struck_in_excel(archive)
            return {
                title: _measure_xlsx(archive, path, struck, f"{name} {title}") for title, path in _sheet_paths(archive)
            }
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, OSError, ValueError, zlib.error) as error:
        raise _unreadable(content, error, name) from error


def _refuse_other_archives(archive: zipfile.ZipFile, name: str) -> None:
    """Stop where an archive is no workbook, or where what is in it has a password."""
    parts = archive.namelist()
    if "META-INF/manifest.xml" in parts and b":encryption-data" in archive.read("META-INF/manifest.xml"):
        raise stop(LOCKED, name)
    kinds = {"word/": "a document of Word", "ppt/": "slides", "Index/": "a file of Numbers or Pages"}
    for begin, kind in kinds.items():
        if any(part.startswith(begin) for part in parts):
            raise stop(list_as_read.say_no_list(kind), name)


class _StruckInExcel(Struct, frozen=True):
    """The numbers of the formats, and of the texts, that are struck through."""

    formats: frozenset[str]
    texts: frozenset[str]


def _struck_in_excel(archive: zipfile.ZipFile) -> _StruckInExcel:
    """Find the cell formats and the shared texts that are struck through."""
    formats: list[str] = []
    if "xl/styles.xml" in archive.namelist():
        styles = ElementTree.fromstring(archive.read("xl/styles.xml"))
        parts = {_tag(part): list(part) for part in styles}
        fonts = [_is_struck(font) for font in parts.get("fonts", [])]
        used = [int(form.get("fontId", "0")) for form in parts.get("cellXfs", [])]
        formats = [str(number) for number, font in enumerate(used) if font < len(fonts) and fonts[font]]
    texts: list[str] = []
    if "xl/sharedStrings.xml" in archive.namelist():
        listed = ElementTree.fromstring(archive.read("xl/sharedStrings.xml"))
        texts = [str(number) for number, text in enumerate(listed) if _has_only_struck_runs(text)]
    return _StruckInExcel(frozenset(formats), frozenset(texts))


def _is_struck(font: ElementTree.Element) -> bool:
    """Whether the properties of a font or of a run of letters strike it through."""
    return any(_tag(each) == "strike" and each.get("val", "1") not in ("0", "false") for each in font)


def _has_only_struck_runs(text: ElementTree.Element) -> bool:
    runs = [run for run in text if _tag(run) == "r"]
    return bool(runs) and all(any(_tag(part) == "rPr" and _is_struck(part) for part in run) for run in runs)


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


def _measure_xlsx(archive: zipfile.ZipFile, path: str, struck: _StruckInExcel, where: str) -> _Extent:
    """How far the cells with a value reach, and which rows are hidden or struck through."""
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
                if len(each) and row not in extent.struck[-1:] and _is_cell_struck(each, struck):
                    extent.struck += (row,)
                if len(each):
                    extent.rows, extent.columns = max(extent.rows, row), max(extent.columns, column)
                    _refuse_large(extent, where)
            elif event == "end" and tag == "row":
                each.clear()
    extent.hidden = tuple(number for number in hidden if number <= extent.rows)
    return extent


def _is_cell_struck(cell: ElementTree.Element, struck: _StruckInExcel) -> bool:
    if cell.get("s", "0") in struck.formats:
        return True
    if cell.get("t") == "s":
        return any(_tag(part) == "v" and part.text in struck.texts for part in cell)
    return any(_tag(part) == "is" and _has_only_struck_runs(part) for part in cell)


def _measure_ods(archive: zipfile.ZipFile, name: str) -> dict[str, _Extent]:
    """As `_measure_xlsx`, of every sheet of an OpenDocument workbook; merged cells too: the library leaves them out."""
    extents: dict[str, _Extent] = {}
    extent, row, title = _Extent(), 0, ""
    struck: set[str] = set()
    with archive.open("content.xml") as part:
        for event, each in ElementTree.iterparse(part, events=("start", "end")):
            tag = _tag(each)
            struck |= {_attribute(each, "name", "")} if event == "end" and _strikes_through(each) else set()
            if event == "start" and tag == "table":
                title = next((value for key, value in each.items() if key.endswith("}name")), "")
                extents[title] = extent = _Extent()
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
                    styles = {_attribute(part, "style-name", "") for part in each.iter() if "".join(part.itertext())}
                    extent.struck += (row + 1,) if styles & struck else ()
                    if _attribute(each, "visibility", "visible") != "visible":
                        extent.hidden += tuple(range(row + 1, row + repeated + 1))
                row += repeated
                each.clear()
    return extents


def _strikes_through(style: ElementTree.Element) -> bool:
    """Whether an element is a style of OpenDocument that strikes its text through."""
    if _tag(style) != "style":
        return False
    lines = (_attribute(part, "text-line-through-style", "none") for part in style if _tag(part) == "text-properties")
    return any(line != "none" for line in lines)


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
