"""What is done with our workbooks: a real spreadsheet program computes them anew, and somebody edits them.

The program is LibreOffice, in a profile that is thrown away.
"""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

# Without OOXMLRecalcMode=0 LibreOffice shows the values in the file and computes nothing.
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""

Cells = dict[tuple[str, str], object]  # (sheet title, "B4") -> value


def find_office() -> str:
    """Where LibreOffice is; a test without it is skipped."""
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if not found:
        pytest.skip("LibreOffice is not installed: apt-get install libreoffice-calc")
    return found


def recalculate(books: Mapping[str, bytes], folder: Path) -> dict[str, Cells]:
    """Open, compute and save every workbook in one run; gives the values of all cells."""
    return {name: values(data) for name, data in convert(books, folder, "xlsx:Calc MS Excel 2007 XML").items()}


def convert(books: Mapping[str, bytes], folder: Path, to: str) -> dict[str, bytes]:
    """Save every workbook anew, in one run of the program."""
    settings = folder / "profile" / "user"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "registrymodifications.xcu").write_text(ALWAYS_RECALCULATE, "utf-8")
    given, made = folder / "given", folder / "made"
    for place in (given, made):
        place.mkdir(exist_ok=True)
    for name, data in books.items():
        (given / f"{name}.xlsx").write_bytes(data)
    profile = (folder / "profile").as_uri()
    options = ["--headless", f"-env:UserInstallation={profile}", "--convert-to", to, "--outdir", str(made)]
    files = [str(given / f"{name}.xlsx") for name in books]
    subprocess.run([find_office(), *options, *files], check=True, capture_output=True, timeout=3600)
    suffix = to.partition(":")[0]
    return {name: (made / f"{name}.{suffix}").read_bytes() for name in books}


def edited(data: bytes, edit: Callable[[Workbook], None]) -> bytes:
    """A workbook after somebody changed something in it; what was computed before is gone."""
    book = load_workbook(BytesIO(data))
    edit(book)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def values(data: bytes) -> Cells:
    """Read the values of all cells that have one, as a program that does not calculate sees them."""
    book = load_workbook(BytesIO(data), data_only=True)
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value not in (None, "")
    }


def formulas(data: bytes) -> set[tuple[str, str]]:
    """List the cells that hold a formula."""
    book = load_workbook(BytesIO(data))
    return {
        (sheet.title, cell.coordinate)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }


def differences(written: bytes, recalculated: Cells, tolerance: float = 1e-9) -> list[str]:
    """List the formula cells whose computed value is not the one our engine put beside the formula."""
    cached = values(written)
    found = []
    for place in sorted(formulas(written)):
        ours, theirs = cached.get(place), recalculated.get(place)
        if not same(ours, theirs, tolerance):
            found.append(f"{place[0]}!{place[1]}: engine {ours!r}, spreadsheet {theirs!r}")
    return found


def same(ours: object, theirs: object, tolerance: float) -> bool:
    """Compare two cell values; a whole number and the float of it are the same."""
    if isinstance(ours, int | float) and isinstance(theirs, int | float) and not isinstance(ours, bool):
        return abs(ours - theirs) <= tolerance
    return ours == theirs
