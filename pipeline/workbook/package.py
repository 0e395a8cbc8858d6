"""Write pages as one XLSX file: openpyxl makes the frame, we write the rows with formula and value together.

openpyxl writes formulas without their values, and then phones, previews and pandas show blanks; so the saved package is
opened again and each sheet's empty row data is filled by us. Nothing in the result depends on the clock.
"""

import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from operator import itemgetter
from typing import Any
from warnings import catch_warnings, simplefilter
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from msgspec import Struct, field
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.utils.cell import column_index_from_string
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter
from openpyxl.xml.constants import ARC_CORE, DCTERMS_NS, SHEET_MAIN_NS

from pipeline.problems import Problem, Weight, stop
from pipeline.rules.table import did_you_mean
from pipeline.words.speech import write_count
from pipeline.workbook import page as xl

NO_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a ZIP file can name
LONGEST_FOOT = 100  # characters of an event's name: Excel takes 255 in all, and each & twice
WIDEST = 190  # characters that one sheet of paper holds side by side, where a page goes over several
PAPER_NUMBERS = {"A4": 9, "A5": 11, "LETTER": 1}  # of the format (ECMA-376 18.3.1.63)
WIDEST_BY_TEXT = 75.0  # characters: a column is made no wider than this for what stands in it


def pack(pages: Sequence[xl.Page], names: Mapping[str, str], footer: str, paper: str) -> bytes:
    """Make the file. ``names`` are the named cells: name -> absolute reference."""
    book = Workbook()
    book.remove(book.worksheets[0])
    book.calculation.fullCalcOnLoad = True
    book.properties.creator = "ordersheets"
    tabs = Tabs({page.title: page.name for page in pages if page.title != page.name})
    for name, reference in names.items():
        book.defined_names[name] = DefinedName(name, attr_text=tabs.write(reference))
    styles: dict[xl.Look, int] = {}  # the number of each look in the book's table
    for page in pages:
        _write_tabs_in_charts(page, tabs)
        frame(book, page, footer, styles, paper)
    return with_rows(save(book), pages, styles, tabs)


_QUOTED_OR_TAB = re.compile(r"""("(?:[^"]|"")*")|(?:'([^']+)'|\b([A-Za-z]+))!""")


class Tabs(Struct, frozen=True):
    """What stands on the tabs of sheets whose title, by which formulas name them while they are made, is another."""

    names: Mapping[str, str]  # by the title

    def write(self, formula: str) -> str:
        r"""Write the formula with the names of the tabs; what stands in quotes is text.

        >>> print(Tabs({"Results": "Ergebnisse", "Best powers": "Beste Mächte"}).write(
        ...     "Results!$A$1&\"Results!\"&'Best powers'!B2"
        ... ))
        'Ergebnisse'!$A$1&"Results!"&'Beste Mächte'!B2
        """
        return _QUOTED_OR_TAB.sub(self._replace, formula) if self.names and "!" in formula else formula

    def _replace(self, quoted_or_tab: re.Match[str]) -> str:
        title = quoted_or_tab[2] or quoted_or_tab[3]
        return quoted_or_tab[0] if title not in self.names else f"'{self.names[title]}'!"


NO_TABS = Tabs({})


def _write_tabs_in_charts(page: xl.Page, tabs: Tabs) -> None:
    """Let the charts of a page look at the sheets by what stands on their tabs."""
    for chart, _ in page.charts:
        for series in chart.series:
            for source in (series.val, series.cat, series.tx):
                reference = source and (getattr(source, "numRef", None) or source.strRef)
                if reference:
                    reference.f = tabs.write(reference.f)


class _UndatedZip(ZipFile):
    """A ZIP file whose entries have no date: the clock may be set before 1980, which a ZIP file cannot name."""

    def writestr(self, zinfo_or_arcname: str | ZipInfo, *given: Any, **more: Any) -> None:
        """Write an entry."""
        entry = zinfo_or_arcname
        super().writestr(ZipInfo(entry, NO_DATE) if isinstance(entry, str) else entry, *given, **more)


def save(book: Workbook) -> bytes:
    """The file of a workbook, whatever the clock says."""
    out = BytesIO()
    with _UndatedZip(out, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        ExcelWriter(book, archive).write_data()
    return out.getvalue()


def frame(book: Workbook, page: xl.Page, footer: str, styles: dict[xl.Look, int], paper: str) -> None:
    """Make one sheet without its cells, and add to the styles those looks on it that are new."""
    sheet = book.create_sheet(page.name)
    _widen_columns(page)
    for column, width in page.widths.items():
        sheet.column_dimensions[xl.letter(column)].width = width
    for area in page.merged:
        sheet.merged_cells.add(area)
    if page.freeze:
        sheet.freeze_panes = page.freeze
    if page.filtered:
        sheet.auto_filter.ref = page.filtered
    if page.hidden:
        sheet.sheet_state = "hidden"
    if page.tab:
        sheet.sheet_properties.tabColor = page.tab
    for rule in page.validations:
        sheet.add_data_validation(rule)
    for cells, mark in page.marks:
        sheet.conditional_formatting.add(cells, mark)
    for chart, place in page.charts:
        sheet.add_chart(chart, place)
    _set_up_print(sheet, page, footer, paper)
    lock = sheet.protection  # against slips, without a password; columns may be widened and lists filtered
    lock.sheet = True
    lock.formatColumns = lock.formatRows = lock.autoFilter = False  # False: allowed
    lock.objects = lock.scenarios = True
    _add_styles(page, sheet, styles)


def _widen_columns(page: xl.Page) -> None:
    """Widen columns until what stands in them is whole.

    A text ends where the next cell is filled, and a number that has no room is shown as ###.
    """
    for line in page.cells.values():
        for column, (content, look) in line.items():
            text = content.value if isinstance(content, xl.LiveFormula) else content
            if look.form in xl.TO_THE_END and isinstance(text, int | float | Fraction):
                text = f"{round(float(text), xl.TO_THE_END[look.form]):+}"
            if column in page.widths and isinstance(text, str) and look.line == xl.TEXT.line and not look.wrap:
                wide = 2 + len(text) * (1.1 if look.bold else 1.0) * look.size / 11
                page.widths[column] = max(page.widths[column], min(wide, WIDEST_BY_TEXT))


def _add_styles(page: xl.Page, sheet: Worksheet, styles: dict[xl.Look, int]) -> None:
    """Enter the looks of a sheet's cells; a cell that looks like the one above it, as most do, is skipped."""
    looks: set[xl.Look] = set()
    above: dict[int, xl.Look] = {}
    for row in page.cells.values():
        for column, (_, look) in row.items():
            if above.get(column) is not look:
                above[column] = look
                looks.add(look)
    for look in sorted(looks - styles.keys(), key=repr):
        styles[look] = xl.register(look, sheet)


def _set_up_print(sheet: Worksheet, page: xl.Page, footer: str, paper: str) -> None:
    """The event's paper, as wide as it is, the headings on every page, event and page number at the foot."""
    sheet.page_setup.paperSize = PAPER_NUMBERS[paper]
    sheet.page_setup.orientation = "landscape" if page.landscape else "portrait"
    sheets = -(-int(sum(page.widths.values())) // WIDEST) if page.is_wide else 1
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = sheets, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_options.horizontalCentered = True
    margins = sheet.page_margins
    margins.left = margins.right = 0.5  # inches
    margins.top, margins.bottom = 0.5, 0.7
    foot = sheet.oddFooter
    assert foot is not None  # every sheet has one
    event = footer[:LONGEST_FOOT].replace("&", "&&")
    foot.left.text, foot.center.text, foot.right.text = event, "&P / &N", page.name
    if page.repeat:
        sheet.print_title_rows = page.repeat
    if page.beside:
        sheet.print_title_cols = page.beside
    if page.area:
        sheet.print_area = page.area
    for row in page.breaks:
        sheet.row_breaks.append(Break(id=row))
    sheet.sheet_view.showGridLines = False


def with_rows(saved: bytes, pages: Sequence[xl.Page], styles: Mapping[xl.Look, int], tabs: Tabs = NO_TABS) -> bytes:
    """Put the rows of every sheet into the saved file, and remove its dates."""
    sheets = {f"xl/worksheets/sheet{number}.xml": page for number, page in enumerate(pages, start=1)}  # as saved
    out = BytesIO()
    with ZipFile(BytesIO(saved)) as before, ZipFile(out, "w", ZIP_DEFLATED) as after:
        for name in before.namelist():
            data = before.read(name)
            if name in sheets:
                data = _fill_sheet(data, sheets[name], styles, tabs)
            elif name == ARC_CORE:
                data = _remove_dates(data)
            entry = ZipInfo(name, NO_DATE)
            entry.compress_type = ZIP_DEFLATED
            after.writestr(entry, data, compresslevel=1)
    return out.getvalue()


def _fill_sheet(frame_xml: bytes, page: xl.Page, style: Mapping[xl.Look, int], tabs: Tabs) -> bytes:
    """Fill the frame of one sheet with its rows, and say how far they reach."""
    sheet = ElementTree.fromstring(frame_xml)
    for part in sheet.iter():  # one name space for the whole sheet, without a prefix on every cell
        part.tag = part.tag.removeprefix(f"{{{SHEET_MAIN_NS}}}")
    sheet.set("xmlns", SHEET_MAIN_NS)
    _sheet_element(sheet, "dimension").set("ref", _reach(page))
    _sheet_element(sheet, "sheetData").clear()
    before, _, after = ElementTree.tostring(sheet, "unicode").partition("<sheetData />")
    return "".join((before, "<sheetData>", *_rows_of(page, style, tabs), "</sheetData>", after)).encode("utf-8")


def _sheet_element(sheet: Element, name: str) -> Element:
    """The one element of a name inside a sheet; openpyxl writes it on every one."""
    element = sheet.find(name)
    assert element is not None, name
    return element


def _reach(page: xl.Page) -> str:
    """The range of all cells of a sheet."""
    last_row = max(page.cells, default=1)
    last_column = max((column for row in page.cells.values() for column in row), default=1)
    return f"A1:{xl.at(last_row, last_column)}"


def _remove_dates(properties: bytes) -> bytes:
    """Remove the dates of creation and change from the properties of the file."""
    core = ElementTree.fromstring(properties)
    for name in ("created", "modified"):
        for date in core.findall(f"{{{DCTERMS_NS}}}{name}"):
            core.remove(date)
    return ElementTree.tostring(core, "unicode").encode("utf-8")


def _rows_of(page: xl.Page, style: Mapping[xl.Look, int], tabs: Tabs) -> Iterator[str]:
    """Write the rows of a sheet; text, for a tree of elements takes four times as long."""
    letters: dict[int, str] = {}
    above: dict[int, xl.Look] = {}  # by column: how the cell above looks
    styles: dict[int, int] = {}  # and the number of that style
    for number in sorted(page.cells.keys() | page.heights.keys()):
        height = f' ht="{page.heights[number]}" customHeight="1"' if number in page.heights else ""
        cells = page.cells.get(number)
        if not cells:
            yield f'<row r="{number}"{height} />'
            continue
        yield f'<row r="{number}"{height}>'
        for column, (content, look) in sorted(cells.items(), key=_FIRST):
            if above.get(column) is not look:
                letters[column], above[column], styles[column] = xl.letter(column), look, style[look]
            yield _cell(f"{letters[column]}{number}", content, styles[column], tabs)
        yield "</row>"


_FIRST = itemgetter(0)
_CODE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # ECMA-376 22.9.2.19: so a file writes a character by its number


def _escape_text(text: str) -> str:
    """Write text so that a spreadsheet program shows it as it is.

    >>> _escape_text("Tom & _x000D_")
    'Tom &amp; _x005F_x000D_'
    """
    return escape(_CODE.sub("_x005F_", text) if "_x" in text else text)


def _cell(ref: str, content: xl.Content, style: int, tabs: Tabs = NO_TABS) -> str:
    """Write one cell.

    >>> _cell("A1", xl.LiveFormula("B1*2", Fraction(7, 2)), 3)
    '<c r="A1" s="3"><f>B1*2</f><v>3.5</v></c>'
    >>> _cell("A1", "=1+1", 0)
    '<c r="A1" s="0" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>'
    >>> _cell("A1", None, 2), _cell("B2", 4, 2)
    ('<c r="A1" s="2" />', '<c r="B2" s="2"><v>4</v></c>')
    """
    if isinstance(content, xl.LiveFormula):
        formula, result = tabs.write(content.formula), content.value
        if "<" in formula or ">" in formula or "&" in formula:
            formula = escape(formula)
        over_lists = f' t="array" ref="{ref}"' if "SUMPRODUCT(" in formula else ""
        if type(result) is int:  # most are
            return f'<c r="{ref}" s="{style}"><f{over_lists}>{formula}</f><v>{result}</v></c>'
        kind, text = _cell_value_text(result)
        value = f"<v>{text}</v>" if text else "<v />"
        return f'<c r="{ref}" s="{style}"{kind}><f{over_lists}>{formula}</f>{value}</c>'
    if content is None:
        return f'<c r="{ref}" s="{style}" />'
    if isinstance(content, str):
        text = f'<t xml:space="preserve">{_escape_text(content)}</t>' if content else '<t xml:space="preserve" />'
        return f'<c r="{ref}" s="{style}" t="inlineStr"><is>{text}</is></c>'
    kind, text = _cell_value_text(content)
    return f'<c r="{ref}" s="{style}"{kind}><v>{text}</v></c>'


def _cell_value_text(value: xl.Value) -> tuple[str, str]:
    """Write a value as the file keeps it: its type, which a number has none of, and its text.

    >>> [_cell_value_text(value) for value in (Fraction(1, 2), True, "a", Fraction(4), None)]
    [('', '0.5'), (' t="b"', '1'), (' t="str"', 'a'), ('', '4'), (' t="str"', '')]
    """
    if type(value) is int:
        return "", str(value)
    if type(value) is Fraction:
        above, below = value.as_integer_ratio()
        return "", str(above) if below == 1 else repr(above / below)
    if value is None or value == "":
        return ' t="str"', ""
    if isinstance(value, str):
        return ' t="str"', _escape_text(value)
    if isinstance(value, bool):
        return ' t="b"', str(int(value))
    return "", repr(value)


# Reading a list from a sheet: its columns found by their headings, each cell checked, every fault with sheet and cell.

LARGEST = 100 << 20  # bytes, unpacked; the workbook of 210 players has 6 MB
MOST_ROWS, MOST_COLUMNS = 20_000, 1000  # a sheet that is filled to its last cell has 1,048,576 rows and 16,384 columns
MOST_CELLS = 500_000  # that somebody wrote into; opening so many takes ten seconds
SHEETS, ROW, CELL = "xl/worksheets/", re.compile(rb"<(?:\w+:)?row\b"), re.compile(rb"<(?:\w+:)?c\b")
BROKEN = (  # what the library raises on a file that is damaged or not a workbook
    BadZipFile, InvalidFileException, ParseError, zlib.error, struct.error, KeyError, IndexError, ValueError, TypeError,
    AttributeError, OSError, EOFError, NotImplementedError, OverflowError, RuntimeError,
)  # fmt: skip
HEADS_WITHIN = 12  # rows: the headings of a list stand below a title, not far from the top


def open_book(data: bytes, where: str) -> Workbook:
    """Open an XLSX file with its formulas, not their values; anything else stops (`Stopped`)."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > LARGEST:
            raise stop(f"{size >> 20} MB when it is unpacked, far more than a list of ours; write a new one", where)
        _check_count(data, where)
        with catch_warnings():
            simplefilter("ignore")  # what the library leaves out, such as pictures, is not read anyway
            book = load_workbook(BytesIO(data))
    except BROKEN as error:
        raise stop(f"not a workbook ({error}); save it as .xlsx", where) from error
    for sheet in book.worksheets:
        if sheet.max_row > MOST_ROWS or sheet.max_column > MOST_COLUMNS:
            size_of = f"{write_count(sheet.max_row, 'row')} and {write_count(sheet.max_column, 'column')}"
            raise stop(f"{size_of}; take away the empty ones below and beside the list", f"{where} {sheet.title}")
    return book


def _check_count(data: bytes, where: str) -> None:
    """Stop where there are more rows or cells than a list has, before the library reads each of them."""
    with ZipFile(BytesIO(data)) as archive:
        for part in archive.namelist():
            if part.startswith(SHEETS) and part.endswith(".xml"):
                text = archive.read(part)
                rows, cells = (sum(1 for _ in tag.finditer(text)) for tag in (ROW, CELL))
                if rows > MOST_ROWS or cells > MOST_CELLS:
                    size = f"{write_count(f'{rows:,}', 'row')} and {write_count(f'{cells:,}', 'cell')}"
                    raise stop(f"{size}; take away the empty ones below and beside the list", where)


class SheetList(Struct):
    sheet: Worksheet
    head_row: int
    columns: Mapping[str, int]  # head in lower case -> column
    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def find(cls, sheet: Worksheet, wanted: Sequence[str]) -> "SheetList | None":
        """Find the row that holds all the headings that are wanted."""
        for row in sheet.iter_rows(min_row=1, max_row=HEADS_WITHIN):
            heads: dict[str, int] = {}
            for cell in row:
                if cell.value is not None and cell.data_type != "f":
                    heads.setdefault(str(cell.value).strip().lower(), int(cell.column or 0))
            if set(wanted) <= heads.keys():
                return cls(sheet, int(row[0].row or 0), heads)
        return None

    def rows(self, *wanted: str) -> Iterator[int]:
        """The rows below the headings in which one of some columns is filled."""
        columns = [self.columns[head] for head in wanted if head in self.columns]
        for row in range(self.head_row + 1, self.sheet.max_row + 1):
            if any(self.sheet.cell(row, column).value not in (None, "") for column in columns):
                yield row

    def where(self, row: int, head: str) -> str:
        return f"{self.sheet.title}!{xl.at(row, self.columns.get(head, 1))}"

    def fault(self, row: int, head: str, text: str) -> None:
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
        """The text of a cell, empty where there is none; a whole number is written without a point."""
        value = self.value(row, head)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value)


def was_saved_elsewhere(data: bytes) -> bool:
    """Whether a spreadsheet program has saved a workbook: such a file says by whom or when, or has no such part."""
    try:
        with ZipFile(BytesIO(data)) as package:
            return ARC_CORE not in package.namelist() or b"modified" in package.read(ARC_CORE).lower()
    except BROKEN:
        return False


# What a cell of a workbook is about: the row it stands in, as text.

REFERENCE = re.compile(r"(?P<sheet>[^!]+)!\$?(?P<column>[A-Za-z]{1,3})\$?(?P<row>\d{1,7})")


def row_of(data: bytes, reference: str, names: Mapping[str, str], example: str) -> tuple[str, tuple[str, ...]]:
    """Read the row that a cell stands in, with the values the workbook was written with; "" is empty.

    ``names`` are the names of the tabs, by the titles of their sheets: a reference may have either, and the title is
    returned with the row. ``example`` is the title of a sheet that errors name. `Stopped` where there is no such cell.
    """
    match = REFERENCE.fullmatch(reference.strip())
    if match is None:
        raise stop(f"expected a sheet and a cell, such as {names[example]}!E12", reference)
    try:
        book = load_workbook(BytesIO(data), data_only=True)
    except BROKEN as error:
        raise stop(f"not a workbook that can be opened: {error}", reference) from error
    asked = match["sheet"].strip("'")
    sheet = asked if asked in book.sheetnames else names.get(asked, asked)
    if sheet not in book.sheetnames:
        tabs = tuple(book.sheetnames)
        raise stop(f"no sheet {asked!r}{did_you_mean(asked, tabs) or '; sheets are ' + ', '.join(tabs)}", reference)
    row, last_row, last_column = int(match["row"]), book[sheet].max_row, book[sheet].max_column
    if not 1 <= row <= last_row or column_index_from_string(match["column"].upper()) > last_column:
        raise stop(f"no such cell; the last one of this sheet is {xl.letter(last_column)}{last_row}", reference)
    cells = next(book[sheet].iter_rows(min_row=row, max_row=row, values_only=True), ())
    title = next(title for title, name in names.items() if name == sheet)
    return title, tuple("" if value is None else str(value) for value in cells)
