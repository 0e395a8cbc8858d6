"""Pages into the bytes of one XLSX file: openpyxl makes the frame, we write the rows with formula and value together.

openpyxl writes formulas without their values, and then phones, previews and pandas show blanks; so the saved package is
opened again and each sheet's empty row data is replaced by ours. Nothing in the result depends on the clock.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.header_footer import HeaderFooterItem, _HeaderFooterPart
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from pipeline.workbook.address import at, letter
from pipeline.workbook.look import register
from pipeline.workbook.page import Content, Live, Missing, Page, Value
from pipeline.workbook.text import xml

EMPTY_ROWS = re.compile(r"<sheetData\s*/>|<sheetData>.*?</sheetData>", re.DOTALL)
DIMENSION = re.compile(r'<dimension ref="[^"]*"\s*/>')
DATES = re.compile(r"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>")
NO_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a ZIP file can name
WIDEST = 190  # characters that one sheet of paper holds side by side, where a page goes over several
A4 = 9  # paper size number of the format


def pack(pages: Sequence[Page], names: Mapping[str, str], footer: str) -> bytes:
    """Make the file. ``names`` are the named cells: name -> absolute reference."""
    book = Workbook()
    book.remove(book.worksheets[0])
    book.calculation.fullCalcOnLoad = True
    book.properties.creator = "ordersheets"
    for name, reference in names.items():
        book.defined_names[name] = DefinedName(name, attr_text=reference)
    rows = [sheet_data(page, frame(book, page, footer)) for page in pages]
    saved = BytesIO()
    book.save(saved)
    return patch(saved.getvalue(), [(page, data) for page, data in zip(pages, rows, strict=True)])


def frame(book: Workbook, page: Page, footer: str) -> dict[int, int]:
    """Make one sheet without its cells; gives the style number of each look on it, by the look's id."""
    sheet = book.create_sheet(page.title)
    for column, width in page.widths.items():
        sheet.column_dimensions[letter(column)].width = width
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
    set_up_print(sheet, page, footer)
    protect(sheet)
    shared = {id(look): look for row in page.cells.values() for _, look in row.values()}
    numbers = {look: register(look, sheet) for look in sorted(set(shared.values()), key=repr)}
    return {key: numbers[look] for key, look in shared.items()}


def set_up_print(sheet: Worksheet, page: Page, footer: str) -> None:
    """A4, as wide as the paper, the heads on every page, event and page number at the foot."""
    sheet.page_setup.paperSize = A4
    sheet.page_setup.orientation = "landscape" if page.landscape else "portrait"
    sheets = -(-int(sum(page.widths.values())) // WIDEST) if page.is_wide else 1
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = sheets, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_options.horizontalCentered = True
    margins = sheet.page_margins
    margins.left = margins.right = 0.5  # inches
    margins.top, margins.bottom = 0.5, 0.7
    sheet.HeaderFooter.oddFooter = HeaderFooterItem(
        left=_HeaderFooterPart(footer.replace("&", "&&")),
        center=_HeaderFooterPart("&P / &N"),
        right=_HeaderFooterPart(page.title),
    )
    if page.repeat:
        sheet.print_title_rows = page.repeat
    if page.beside:
        sheet.print_title_cols = page.beside
    if page.area:
        sheet.print_area = page.area
    for row in page.breaks:
        sheet.row_breaks.append(Break(id=row))
    sheet.sheet_view.showGridLines = False


def protect(sheet: Worksheet) -> None:
    """Lock the formulas against slips, without a password; columns may be widened and lists filtered."""
    lock = sheet.protection
    lock.sheet = True
    lock.formatColumns = lock.formatRows = lock.autoFilter = False  # False: allowed
    lock.objects = lock.scenarios = True


def sheet_data(page: Page, style: Mapping[int, int]) -> str:
    """Write the rows of one sheet."""
    lines = []
    for number in sorted(page.cells.keys() | page.heights.keys()):
        height = f' ht="{page.heights[number]}" customHeight="1"' if number in page.heights else ""
        cells = "".join(
            cell(at(number, column), content, style[id(look)])
            for column, (content, look) in sorted(page.cells.get(number, {}).items())
        )
        lines.append(f'<row r="{number}"{height}>{cells}</row>')
    return f"<sheetData>{''.join(lines)}</sheetData>"


def cell(ref: str, content: Content, style: int) -> str:
    """Write one cell.

    >>> cell("A1", Live("B1*2", Fraction(7, 2)), 3)
    '<c r="A1" s="3"><f>B1*2</f><v>3.5</v></c>'
    >>> cell("A1", "=1+1", 0)
    '<c r="A1" s="0" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>'
    """
    if isinstance(content, Live):
        kind, value = cached(content.value)
        return f'<c r="{ref}" s="{style}"{kind}><f>{xml(content.formula)}</f><v>{value}</v></c>'
    if content is None:
        return f'<c r="{ref}" s="{style}"/>'
    if isinstance(content, str):
        return f'<c r="{ref}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{xml(content)}</t></is></c>'
    kind, value = cached(content)
    return f'<c r="{ref}" s="{style}"{kind}><v>{value}</v></c>'


def cached(value: Value) -> tuple[str, str]:
    """Write a value as the file keeps it: the type attribute and the text.

    >>> cached(Fraction(1, 2)), cached(True), cached("a"), cached(Fraction(4)), cached(None)
    (('', '0.5'), (' t="b"', '1'), (' t="str"', 'a'), ('', '4'), (' t="str"', ''))
    """
    if value is None or isinstance(value, str):
        return ' t="str"', xml(value or "")
    if isinstance(value, Missing):
        return ' t="e"', value.value
    if isinstance(value, bool):
        return ' t="b"', str(int(value))
    if isinstance(value, Fraction):
        value = value.numerator if value.denominator == 1 else float(value)
    return "", repr(value)


def patch(saved: bytes, pages: Sequence[tuple[Page, str]]) -> bytes:
    """Put the rows into the saved file."""
    out = BytesIO()
    with ZipFile(BytesIO(saved)) as before, ZipFile(out, "w", ZIP_DEFLATED, compresslevel=3) as after:
        for name in before.namelist():
            data = before.read(name)
            found = re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", name)
            if found:
                data = fill(data.decode("utf-8"), *pages[int(found[1]) - 1]).encode("utf-8")
            elif name == "docProps/core.xml":
                data = DATES.sub("", data.decode("utf-8")).encode("utf-8")
            entry = ZipInfo(name, NO_DATE)
            entry.compress_type = ZIP_DEFLATED
            after.writestr(entry, data)
    return out.getvalue()


def fill(frame_xml: str, page: Page, data: str) -> str:
    """Replace the empty row data of one sheet and say how far the cells reach."""
    last_row = max(page.cells, default=1)
    last_column = max((column for row in page.cells.values() for column in row), default=1)
    reach = f'<dimension ref="A1:{at(last_row, last_column)}"/>'
    framed = DIMENSION.sub(reach, frame_xml, count=1)
    return EMPTY_ROWS.sub(lambda _: data, framed, count=1)
