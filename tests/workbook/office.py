"""What is done with our workbooks: a real spreadsheet program computes them anew.

The program is LibreOffice, in a profile that is thrown away.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from warnings import catch_warnings, simplefilter
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import load_workbook
from openpyxl.xml.constants import ARC_WORKBOOK, SHEET_MAIN_NS

from pipeline.workbook.page import at

# Without OOXMLRecalcMode=0 LibreOffice shows the values in the file and computes nothing.
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>{locale}</value></prop></item>
</oor:items>
"""
LOCALES = ("en-GB", "de-DE", "fr-FR", "pl-PL")  # with other signs for decimals and thousands

EVERY_SHEET = "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,true,true,false,false,false,-1"  # numbers in full
COMMA = re.compile(r"(?<=\d),(?=\d)")
SAVED_VALUE = re.compile(rb"</f><v(?: />|>[^<]*</v>)")
FIELD = re.compile(r'(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n)')

MAIN = f"{{{SHEET_MAIN_NS}}}"
Cells = dict[tuple[str, str], object]  # (sheet title, "B4") -> value


def find_office() -> str:
    """Where LibreOffice is; a test without it is skipped."""
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if not found:
        pytest.skip("LibreOffice is not installed: apt-get install libreoffice-calc")
    return found


def recalculate(books: Mapping[str, bytes], folder: Path, locale: str = LOCALES[0]) -> dict[str, Cells]:
    """Open and compute every workbook in one run, on a computer set to a locale; gives the values of all cells."""
    made = run({name: untitled(data) for name, data in books.items()}, folder, EVERY_SHEET, locale)
    found: dict[str, Cells] = {}
    for name, data in books.items():
        found[name] = {
            (title, place): value
            for title in titles(data)
            for place, value in cells_of((made / f"{name}-{title}.csv").read_text("utf-8"))
        }
    return found


def convert(books: Mapping[str, bytes], folder: Path, to: str) -> dict[str, bytes]:
    """Save every workbook anew, in one run of the program."""
    made = run(books, folder, to)
    return {name: (made / f"{name}.{to}").read_bytes() for name in books}


def run(books: Mapping[str, bytes], folder: Path, to: str, locale: str = LOCALES[0]) -> Path:
    """Let the program open, compute and save every workbook; gives the folder with what it made."""
    settings = folder / "profile" / "user"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "registrymodifications.xcu").write_text(ALWAYS_RECALCULATE.format(locale=locale), "utf-8")
    given, made = folder / "given", folder / "made"
    for place in (given, made):
        place.mkdir(exist_ok=True)
    for name, data in books.items():
        (given / f"{name}.xlsx").write_bytes(data)
    profile = (folder / "profile").as_uri()
    options = ["--headless", f"-env:UserInstallation={profile}", "--convert-to", to, "--outdir", str(made)]
    files = [str(given / f"{name}.xlsx") for name in books]
    subprocess.run([find_office(), *options, *files], check=True, capture_output=True, timeout=3600)
    return made


def in_gnumeric(data: bytes, folder: Path) -> Cells:
    """Let Gnumeric, a second program with functions of its own, compute a workbook; what was saved is taken out."""
    program = shutil.which("ssconvert")
    if not program:
        pytest.skip("Gnumeric is not installed: apt-get install gnumeric")
    given, made = folder / "given.xlsx", folder / "made.xlsx"
    with ZipFile(BytesIO(data)) as before, ZipFile(given, "w", ZIP_DEFLATED, compresslevel=1) as after:
        for name in before.namelist():
            after.writestr(name, SAVED_VALUE.sub(b"</f>", before.read(name)))
    subprocess.run([program, "--recalc", str(given), str(made)], check=True, capture_output=True, timeout=600)
    with catch_warnings():
        simplefilter("ignore")  # Gnumeric names no style as the usual one
        book = load_workbook(made, data_only=True)
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value not in (None, "")
    }


def untitled(data: bytes) -> bytes:
    """Take out which rows and columns are printed on every page: no value depends on them.

    LibreOffice 7.4 needs twice as long to open a workbook of fourteen sheets that name such rows.
    """
    out = BytesIO()
    with ZipFile(BytesIO(data)) as before, ZipFile(out, "w", ZIP_DEFLATED, compresslevel=1) as after:
        for name in before.namelist():
            part = before.read(name)
            if name == ARC_WORKBOOK:
                book = ElementTree.fromstring(part)
                for names in book.findall(f"{MAIN}definedNames"):
                    for one in [one for one in names if one.get("name") == "_xlnm.Print_Titles"]:
                        names.remove(one)
                part = ElementTree.tostring(book)
            after.writestr(name, part)
    return out.getvalue()


def cells_of(tabbed: str) -> Iterator[tuple[str, object]]:
    r"""Read the cells of a sheet that have a value; what stands in quotes is text, all else is none.

    >>> list(cells_of('"a ""b"" c"\t\t0,5\n"TRUE"\tTRUE\t#N/A\n\t12\t"two\nlines"\n'))
    [('A1', 'a "b" c'), ('C1', 0.5), ('A2', 'TRUE'), ('B2', True), ('C2', '#N/A'), ('B3', 12.0), ('C3', 'two\nlines')]
    """
    row, column = 1, 1
    for found in FIELD.finditer(tabbed):
        text, bare, end = found.groups()
        if text:
            yield at(row, column), text.replace('""', '"')
        elif bare:
            yield at(row, column), bare_value(bare)
        row, column = (row, column + 1) if end == "\t" else (row + 1, 1)


def bare_value(written: str) -> object:
    """A number with the decimal sign of any locale, whether something is true, or what went wrong."""
    if written in ("TRUE", "FALSE"):
        return written == "TRUE"
    try:
        return float(written.replace(",", "."))
    except ValueError:
        return written


def values(data: bytes) -> Cells:
    """Read the values of all cells that have one, as a program that does not calculate sees them."""
    return {place: value for place, (_, value) in cells_in(data).items() if value not in (None, "")}


def formulas(data: bytes) -> set[tuple[str, str]]:
    """List the cells that hold a formula."""
    return {place for place, (has_formula, _) in cells_in(data).items() if has_formula}


@lru_cache(maxsize=32)
def cells_in(data: bytes) -> Mapping[tuple[str, str], tuple[bool, object]]:
    """Read whether each cell holds a formula, and its value; sheets lie in the file in the order of their tabs."""
    found = {}
    with ZipFile(BytesIO(data)) as parts:
        for number, title in enumerate(titles(data), start=1):
            for cell in ElementTree.fromstring(parts.read(f"xl/worksheets/sheet{number}.xml")).iter(f"{MAIN}c"):
                found[title, cell.attrib["r"]] = (cell.find(f"{MAIN}f") is not None, value_of(cell))
    return found


def titles(data: bytes) -> list[str]:
    """The sheets of a workbook, in the order of their tabs."""
    with ZipFile(BytesIO(data)) as parts:
        return [sheet.attrib["name"] for sheet in ElementTree.fromstring(parts.read(ARC_WORKBOOK)).iter(f"{MAIN}sheet")]


def value_of(cell: ElementTree.Element) -> object:
    """The value of a cell by its kind (ECMA-376 18.18.11); our workbooks keep no list of texts beside the sheets."""
    kind, written = cell.get("t", "n"), cell.findtext(f"{MAIN}v")
    if kind == "inlineStr":
        return "".join(text.text or "" for text in cell.iter(f"{MAIN}t")).replace("_x005F_", "_")
    if kind in ("str", "e") or written is None:
        return written and written.replace("_x005F_", "_")
    if kind == "b":
        return written == "1"
    assert kind == "n", kind
    return float(written)


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
    """Compare two cell values; a whole number and the float of it are the same, and so are decimal signs in texts."""
    if isinstance(ours, str) and isinstance(theirs, str):
        return COMMA.sub(".", ours) == COMMA.sub(".", theirs)
    if isinstance(ours, int | float) and isinstance(theirs, int | float) and not isinstance(ours, bool):
        return abs(ours - theirs) <= tolerance
    return ours == theirs
