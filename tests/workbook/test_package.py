"""What any program finds in the file: values beside formulas, text that stays text, locked cells, no clock."""

from contextlib import nullcontext
from fractions import Fraction
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from pipeline.problems import Stopped
from pipeline.workbook import package
from pipeline.workbook.package import pack
from pipeline.workbook.page import ENTRY_NUMBER, TITLE, LiveFormula, Losses, Page, points
from workbook.office import MAIN

HOSTILE = (
    '=HYPERLINK("http://x","win")', "=1+1", "+1-555", "-Bob", "@SUM(A1)", "\t=1+1", " =1+1", "'=1", "#REF!", "#N/A",
    "TRUE", "001", "1e5", "1/2", "Ærø Ünï", "李雷", "👑 King", "a\nb", "<b>&", "=", "{=1}", '"quoted"', "  spaced  ",
)  # fmt: skip


def page_of(*contents: object) -> Page:
    page = Page("Names", Losses())
    for row, content in enumerate(contents, start=1):
        page.put(row, 1, content)  # type: ignore[arg-type] # any content
    return page


def test_a_formula_has_its_value_beside_it() -> None:
    data = pack([page_of(7, LiveFormula("A1/2", Fraction(7, 2)))], {}, "", "A4")
    assert load_workbook(BytesIO(data))["Names"]["A2"].value == "=A1/2"
    assert load_workbook(BytesIO(data), data_only=True)["Names"]["A2"].value == 3.5


def test_names_that_look_like_formulas_stay_text() -> None:
    sheet = load_workbook(BytesIO(pack([page_of(*HOSTILE)], {}, "", "A4")))["Names"]
    assert tuple(sheet.cell(row, 1).value for row in range(1, len(HOSTILE) + 1)) == HOSTILE
    assert {sheet.cell(row, 1).data_type for row in range(1, len(HOSTILE) + 1)} == {"s"}


def test_a_name_like_a_formula_stays_text_when_it_is_edited() -> None:
    sheet = load_workbook(BytesIO(pack([page_of("=1+1", "Bob")], {}, "", "A4")))["Names"]
    assert [bool(sheet.cell(row, 1).quotePrefix) for row in (1, 2)] == [True, False]


@pytest.mark.parametrize("bad", ["\x00", "\x0b", "\x1f", "\ud800", "\ufffe"])
def test_a_character_that_xml_forbids_is_left_out_and_reported(bad: str) -> None:
    losses = Losses()
    page = Page("Names", losses)
    page.put(4, 2, f"Bo{bad}b")
    assert load_workbook(BytesIO(pack([page], {}, "", "A4")))["Names"]["B4"].value == "Bob"
    [problem] = losses.found
    assert problem.where == "Names!B4"
    assert f"U+{ord(bad):04X}" in problem.text


def test_text_longer_than_a_cell_is_cut_and_reported() -> None:
    losses = Losses()
    page = Page("Names", losses)
    page.put(1, 1, "x" * 40000)
    assert len(load_workbook(BytesIO(pack([page], {}, "", "A4")))["Names"]["A1"].value) == 32767
    assert [str(p) for p in losses.found] == [
        "notes  Names!A1: 40000 characters, a cell holds 32767; the rest is left out"
    ]


@pytest.mark.parametrize(
    ("rows", "columns", "is_read"), [(3, 2, True), (2, 3, True), (4, 1, False), (1, 4, False), (3, 3, False)]
)
def test_a_sheet_is_opened_up_to_its_limits(
    monkeypatch: pytest.MonkeyPatch, rows: int, columns: int, is_read: bool
) -> None:
    page = page_of()
    for place in range(rows * columns):
        page.put(1 + place // columns, 1 + place % columns, place)
    data = pack([page], {}, "", "A4")
    for limit, most in {"MOST_ROWS": 3, "MOST_COLUMNS": 3, "MOST_CELLS": 6}.items():
        monkeypatch.setattr(package, limit, most)
    with nullcontext() if is_read else pytest.raises(Stopped, match="take away the empty ones"):
        assert package.open_book(data, "list.xlsx")["Names"].max_column == columns


def test_a_book_is_opened_up_to_the_size_that_it_has_when_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pack([page_of(1)], {}, "", "A4")
    with ZipFile(BytesIO(data)) as parts:
        size = sum(part.file_size for part in parts.infolist())
    monkeypatch.setattr(package, "LARGEST", size)
    assert package.open_book(data, "list.xlsx").sheetnames == ["Names"]
    monkeypatch.setattr(package, "LARGEST", size - 1)
    with pytest.raises(Stopped, match="when it is unpacked"):
        package.open_book(data, "list.xlsx")


def test_what_the_library_does_not_know_in_a_list_is_left_out_without_a_word() -> None:
    book = BytesIO()
    with ZipFile(BytesIO(pack([page_of("Ada")], {}, "", "A4"))) as written, ZipFile(book, "w") as other:
        for name in written.namelist():
            known, more = b"</worksheet>", b'<extLst><ext uri="{0}"/></extLst></worksheet>'
            other.writestr(name, written.read(name).replace(known, more))
    with pytest.warns(UserWarning, match="not supported"):
        load_workbook(book)
    assert package.open_book(book.getvalue(), "x.xlsx")["Names"]["A1"].value == "Ada"


def test_inputs_are_unlocked_and_the_rest_is_locked() -> None:
    page = page_of()
    page.put(1, 1, "Title", TITLE)
    page.put(2, 1, 7, ENTRY_NUMBER)
    page.put(3, 1, LiveFormula("A2", 7), points(3))
    sheet = load_workbook(BytesIO(pack([page], {}, "", "A4")))["Names"]
    assert sheet.protection.sheet
    assert [sheet.cell(row, 1).protection.locked for row in (1, 2, 3)] == [True, False, True]


def test_the_same_pages_make_the_same_bytes() -> None:
    assert pack([page_of(1)], {"One": "Names!$A$1"}, "Cup", "A4") == pack(
        [page_of(1)], {"One": "Names!$A$1"}, "Cup", "A4"
    )


def test_the_program_is_told_to_calculate_when_it_opens_the_file() -> None:
    assert load_workbook(BytesIO(pack([page_of(1)], {}, "", "A4"))).calculation.fullCalcOnLoad


def test_an_ampersand_in_the_footer_is_printed() -> None:
    sheet = load_workbook(BytesIO(pack([page_of(1)], {}, "Cups & saucers", "A4")))["Names"]
    assert sheet.oddFooter is not None
    assert sheet.oddFooter.left.text == "Cups && saucers"


@pytest.mark.parametrize("name", ["T" * 400, "&" * 400])
def test_the_foot_of_a_page_is_no_longer_than_excel_takes(name: str) -> None:
    with ZipFile(BytesIO(pack([page_of(1)], {}, name, "A4"))) as parts:
        sheet = ElementTree.fromstring(parts.read("xl/worksheets/sheet1.xml"))
    assert [len(foot.text or "") <= 255 for foot in sheet.iter(f"{MAIN}oddFooter")] == [True]


def test_every_end_of_a_line_is_the_one_that_cells_know() -> None:
    contents = ("a\r\nb", "\rc", LiveFormula('"d"&"\r\ne"', "d\r\ne"))
    data = pack([page_of(*contents)], {}, "", "A4")
    plain = load_workbook(BytesIO(data), data_only=True)["Names"]
    assert [plain.cell(row, 1).value for row in (1, 2, 3)] == ["a\nb", "\nc", "d\ne"]
    assert load_workbook(BytesIO(data))["Names"]["A2"].quotePrefix


def test_the_cells_stand_in_the_one_name_space_of_their_sheet() -> None:
    """Readers that look for ``<c>`` as text, and they exist, find it."""
    page = page_of("<Ana>", LiveFormula('"<"&"&"', "<&"))
    page.heights[1] = 30
    with ZipFile(BytesIO(pack([page], {}, "", "A4"))) as parts:
        written = parts.read("xl/worksheets/sheet1.xml").decode()
    assert '<dimension ref="A1:A2" />' in written
    assert (
        '<sheetData><row r="1" ht="30" customHeight="1"><c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">'
        '&lt;Ana&gt;</t></is></c></row><row r="2"><c r="A2" s="1" t="str"><f>"&lt;"&amp;"&amp;"</f><v>&lt;&amp;</v></c>'
        "</row></sheetData>"
    ) in written


def test_the_file_does_not_say_when_it_was_made() -> None:
    with ZipFile(BytesIO(pack([page_of(1)], {}, "", "A4"))) as parts:
        core = parts.read("docProps/core.xml").decode()
        assert {entry.date_time for entry in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert "ordersheets" in core
    assert "dcterms:created" not in core
    assert "dcterms:modified" not in core
