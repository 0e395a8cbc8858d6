"""The pages to hang up as a workbook: what stands where, and that it looks as on the printed page."""

from io import BytesIO

import pytest
from openpyxl import load_workbook

from pipeline.paper.wall_page import WallColumn, WallPage, WallRow
from pipeline.workbook.page import GOLD
from pipeline.workbook.wall_book import LONG, write_wall_book

COLUMNS = (
    WallColumn(head="Player", is_key=True),
    WallColumn(head="Points", is_number=True),
    WallColumn(head="Why", is_long=True),
)
ROWS = (
    WallRow(("Pool", "", ""), is_heading=True),
    WallRow(("Ann", "12", "first"), is_first=True),
    WallRow(("Maximilian Ek", "9", "x" * 100 + "\ny")),
)


def page(columns: tuple[WallColumn, ...] = COLUMNS, rows: tuple[WallRow, ...] = ROWS) -> WallPage:
    return WallPage(
        name="N" * 40, title="Cup", subtitle="after 1", columns=columns, rows=rows, notes=("one", "two " * 60)
    )


def test_every_cell_stands_where_it_is_printed_and_looks_so() -> None:
    [sheet] = load_workbook(BytesIO(write_wall_book([page()], "Cup", "A4"))).worksheets
    told = {cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row if cell.value not in (None, "")}
    assert told == {
        "A1": "Cup", "A2": "after 1", "A4": "Player", "B4": "Points", "C4": "Why", "A5": "Pool",
        "A6": "Ann", "B6": "12", "C6": "first", "A7": "Maximilian Ek", "B7": "9", "C7": ROWS[2].cells[2],
        "A9": "one", "A10": "two " * 60,
    }  # fmt: skip
    assert sheet.title == "N" * 31
    assert [sheet[place].alignment.horizontal for place in ("A4", "B4", "A7", "B7", "C7")] == [
        "left", "center", "left", "right", "left",
    ]  # fmt: skip
    assert [bool(sheet[place].font.bold) for place in ("A7", "B7", "C7", "A5")] == [True, False, False, True]
    assert [bool(sheet[place].alignment.wrap_text) for place in ("A7", "B7", "C7")] == [False, False, True]
    golden = [place for place in told if str(sheet[place].fill.fgColor.rgb).endswith(GOLD)]
    assert golden == ["A6", "B6", "C6"]
    widths = [sheet.column_dimensions[letter].width for letter in "ABC"]
    assert widths[0] > len("Maximilian Ek") > len("Points") < widths[1] < widths[0] < widths[2]
    assert widths[2] == pytest.approx(LONG, abs=1)
    assert sheet.row_dimensions[7].height == 4 * sheet.row_dimensions[6].height, "a hundred letters are three lines"
    assert sheet.row_dimensions[10].height > 2 * sheet.row_dimensions[9].height, "a long note is not written over"
    assert (sheet.freeze_panes, sheet.print_title_rows) == ("A5", "$4:$4")


@pytest.mark.parametrize(("columns", "lies"), [(4, "portrait"), (5, "landscape")])
def test_a_wide_table_is_printed_across(columns: int, lies: str) -> None:
    wide = page(tuple(WallColumn(head=str(n)) for n in range(columns)), (WallRow(("x",) * columns),))
    [sheet] = load_workbook(BytesIO(write_wall_book([wide], "Cup", "A4"))).worksheets
    assert sheet.page_setup.orientation == lies
