"""The pages to hang up as a workbook, for whoever wants to change them before they are printed."""

from collections.abc import Sequence

from pipeline.paper.wall_page import WallPage
from pipeline.workbook import page as xl
from pipeline.workbook.package import pack

HEAD_ROW = 4
LONG = 44.0  # characters: a column whose texts are broken into lines
LONGEST_TITLE = 31  # letters of a sheet's name


def write_wall_book(pages: Sequence[WallPage], title: str, paper: str) -> bytes:
    """Write one sheet a page; text only, as it is printed."""
    return pack([_sheet_of(page) for page in pages], {}, title, paper)


def _sheet_of(page: WallPage) -> xl.Page:
    sheet = xl.Page(page.name[:LONGEST_TITLE], xl.Losses(), landscape=len(page.columns) > 4)
    sheet.put(1, 1, page.title, xl.TITLE)
    sheet.put(2, 1, page.subtitle, xl.SUBTITLE)
    looks = [
        xl.TEXT.but(
            bold=column.is_key,
            wrap=column.is_long,
            size=12,
            upright="top",
            align="right" if column.is_number else "left",
        )
        for column in page.columns
    ]
    for at, column in enumerate(page.columns, start=1):
        sheet.put(HEAD_ROW, at, column.head, xl.HEAD if column.is_number else xl.HEAD_LEFT)
        sheet.widths[at] = LONG if column.is_long else 2 + max(len(column.head), *_lengths(page, at - 1), 4) * 1.15
    row = HEAD_ROW
    for row, line in enumerate(page.rows, start=HEAD_ROW + 1):
        if line.is_heading:
            sheet.put(row, 1, line.cells[0], xl.SECTION)
            continue
        for at, (text, look) in enumerate(zip(line.cells, looks, strict=True), start=1):
            sheet.put(row, at, text, look.but(fill=xl.GOLD) if line.is_first else look)
        long = [text for text, column in zip(line.cells, page.columns, strict=True) if column.is_long]
        sheet.heights[row] = 17.0 * max((_lines_of(text, LONG) for text in long), default=1)
    across = sum(sheet.widths.values())
    for note in page.notes:
        row += 1
        sheet.merge(row + 1, 1, len(page.columns), note, xl.NOTE)
        sheet.heights[row + 1] = 14.0 * _lines_of(note, 0.9 * across)  # other fonts are wider
    sheet.freeze, sheet.repeat = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}"
    return sheet


def _lengths(page: WallPage, place: int) -> list[int]:
    return [len(row.cells[place]) for row in page.rows if not row.is_heading]


def _lines_of(text: str, width: float) -> int:
    return sum(1 + int(len(part) // width) for part in text.split("\n"))
