"""A sheet to write on."""

import pypdfium2

from pipeline.board import Phase, Power
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet import SheetRequest
from pipeline.paper.sheet_layout import PageLayout, layout
from pipeline.paper.sheet_rows import Choices, Design
from pipeline.pen.laying import Picture
from pipeline.small_files import data_folder

DPI = 150


def printed(units: tuple[str, ...] = ()) -> tuple[Picture, PageLayout]:
    """Austria's first sheet at `DPI`, and where everything is on it: blocks of these units, or free lines."""
    template = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    request = SheetRequest(
        event="WM26",
        serial=42,
        title="Weasel Moot",
        round=1,
        board="2",
        slot=3,
        power=Power.AUSTRIA,
        phase=Phase.read("S1901M"),
        design=Design.TARGETS if units else Design.LINE,
        units=units,
        targets=tuple(Choices(()) for _ in units),
    )
    with pypdfium2.PdfDocument(print_sheets([request], template)) as document:
        page: Picture = document[0].render(scale=DPI / 72, grayscale=True).to_numpy().copy()
    return page.reshape(page.shape[:2]), layout([request], template).pages[0]
