"""Sheets printed by the project, written by its pen, and a picture of each."""

from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np
import pypdfium2
from msgspec import Struct

from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import scan
from pipeline.board import Phase, Power
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet import SheetRequest, SheetTemplate, slot_of
from pipeline.paper.sheet_layout import PageLayout, layout
from pipeline.pen.filling import FieldMark, fill
from pipeline.pen.hand import Hand
from pipeline.reading.identify import Identified, identify
from pipeline.reading.pages import Grey
from pipeline.reading.register import RegisteredPage, register
from pipeline.reading.rows import RowInk, cut_rows

EVENT = "WM26"
ORDERS = ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO", "A PIC H", "F ENG C A LON - BEL")


@lru_cache(maxsize=64)
def layout_of(request: SheetRequest, template: SheetTemplate) -> PageLayout:
    """Say where everything is on a sheet; many tests write on the same one."""
    return layout([request], template).pages[0]


@lru_cache(maxsize=32)  # 4 MB each
def picture_of(request: SheetRequest, template: SheetTemplate, dpi: int) -> Grey:
    """Print a sheet and look at it; many tests write on the same one."""
    with pypdfium2.PdfDocument(print_sheets([request], template)) as document:
        picture = document[0].render(scale=dpi / 72, grayscale=True).to_numpy()
    return np.asarray(picture.reshape(picture.shape[:2]), np.uint8)


class Bench(Struct, frozen=True):
    """A printer, a pen and a scanner."""

    template: SheetTemplate

    def request(
        self, serial: int, power: Power = Power.FRANCE, phase: str = "S1901M", event: str = EVENT
    ) -> SheetRequest:
        """Ask for one sheet of board 1."""
        return SheetRequest(
            event=event,
            serial=serial,
            title="Weasel Moot 2026",
            round=1,
            board="1",
            slot=slot_of(0, power),
            power=power,
            phase=Phase.read(phase),
        )

    def layout(self, request: SheetRequest) -> PageLayout:
        """Say where everything is on a sheet."""
        return layout_of(request, self.template)

    def printed(self, request: SheetRequest, dpi: int = 200) -> Grey:
        """Print a sheet and look at it."""
        return picture_of(request, self.template, dpi).copy()

    def written(
        self, request: SheetRequest, marks: Mapping[int, FieldMark], seed: int = 1, *, signed: bool = True
    ) -> Grey:
        """Print a sheet and write into its rows."""
        places: dict[tuple[str, int | None], FieldMark] = {("order", row): mark for row, mark in marks.items()}
        if signed:
            places["signature", None] = "Ann Lee"
        page = self.layout(request).as_json()
        hand = Hand.from_seed(seed, neatness=0.8)
        return fill(self.printed(request), page, places, hand, np.random.default_rng(seed))

    def scanned(self, page: Grey, damages: str, seed: int = 1, dpi: int | None = None) -> Grey:
        """Scan a page with everything that happens to it."""
        found = scan(page, read_damages(damages), np.random.default_rng(seed), page_dpi=200, dpi=dpi).image
        return found if found.ndim == 2 else cv2.cvtColor(found, cv2.COLOR_BGR2GRAY).astype(np.uint8)


def rows_of(bench: Bench, grey: Grey) -> tuple[RowInk, ...]:
    layout = bench.layout(bench.request(1))
    shown = identify(grey, {layout.sheet: layout}, EVENT)
    assert isinstance(shown, Identified)
    page = register(shown.grey, shown.marks, layout.marker_ids, layout.form)
    assert isinstance(page, RegisteredPage)
    return cut_rows(page)
