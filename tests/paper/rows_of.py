"""Sheets of blocks for tests: what is asked for, what is printed, and where everything is on it."""

import cv2
import numpy as np
import pypdfium2
from msgspec.structs import replace

from pipeline.board import Kind, Phase, Position, Power, Unit, standard_map
from pipeline.desk.sheets.printed import blocks
from pipeline.ink import Box
from pipeline.orders import read_unit
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.paper.sheet import SheetRequest, SheetTemplate, slot_of
from pipeline.paper.sheet_layout import Form, layout
from pipeline.paper.sheet_rows import Design
from pipeline.rules.load import load_tournament
from pipeline.small_files import data_folder

PAPERS = ("a4", "a5", "letter", "half_letter")
UNITS = ("A PAR", "F STP/NC", "F NTH", "F MAO")


def text_of(paper: str) -> str:
    return (data_folder("templates/sheets") / f"{paper}.toml").read_text("utf-8")


def template(paper: str = "a4") -> SheetTemplate:
    return read_template(text_of(paper), f"{paper}.toml")


def request(phase: str = "S1901M", **other: object) -> SheetRequest:
    plain = SheetRequest(
        event="WM26",
        serial=42,
        title="Weasel Moot 2026",
        round=1,
        board="1",
        slot=slot_of(0, Power.FRANCE),
        power=Power.FRANCE,
        phase=Phase.read(phase),
    )
    return replace(plain, **other)  # one test's fields


def position(phase: str, units: tuple[str, ...] = UNITS) -> Position:
    mine = tuple(map(read_unit, units))
    owned = {Power.FRANCE: mine, Power.GERMANY: (Unit(Kind.ARMY, "RUH"),)}
    return Position(phase=Phase.read(phase), units=owned, centres={})


def targets(
    phase: str = "S1901M", units: tuple[str, ...] = UNITS, tournament: str = "weaselmoot", **other: object
) -> SheetRequest:
    here = position("S1901M", units)
    words = load_tournament(tournament).abbreviations
    found = blocks(standard_map(), here, Power.FRANCE, words)
    names, choices = tuple(name for name, _ in found), tuple(each for _, each in found)
    if not phase.endswith("M"):  # nobody is helped
        choices = tuple(replace(each, helps=()) for each in choices)
    return request(phase, design=Design.TARGETS, units=names, targets=choices, **other)


def form_of(wanted: SheetRequest, paper: SheetTemplate | str = "a4") -> Form:
    return layout([wanted], template(paper) if isinstance(paper, str) else paper).pages[0].form


def apart(one: Box, other: Box) -> bool:
    return (
        one.left + one.width <= other.left
        or other.left + other.width <= one.left
        or one.top + one.height <= other.top
        or other.top + other.height <= one.top
    )


def picture(wanted: SheetRequest, paper: SheetTemplate, dpi: int) -> np.ndarray:
    with pypdfium2.PdfDocument(print_sheets([wanted], paper)) as document:
        image: np.ndarray = document[0].render(scale=dpi / 72, grayscale=True).to_numpy()
    return image.reshape(image.shape[:2]).copy()


def check_print(wanted: SheetRequest, paper: SheetTemplate) -> None:
    """Nothing but dots, dashes, and letters in their places is printed in a row."""
    form, dpi = form_of(wanted, paper), 300
    image = picture(wanted, paper, dpi)
    per_mm = dpi / 25.4

    def part(box: Box) -> np.ndarray:
        rows = slice(round(box.top * per_mm), round((box.top + box.height) * per_mm))
        found: np.ndarray = image[rows, round(box.left * per_mm) : round((box.left + box.width) * per_mm)]
        return found

    for box in form.box_layout.printed:
        assert part(box).min() < 160, box  # something is printed there
        part(box)[:] = 255
    longest = max([0.35, *(edge.dash + 0.15 for edge in form.edges)])
    for row in form.rows:
        _, _, sizes, _ = cv2.connectedComponentsWithStats((part(row.box) < 160).astype(np.uint8))
        assert len(sizes) > 50  # the dots
        assert sizes[1:, [cv2.CC_STAT_HEIGHT, cv2.CC_STAT_WIDTH]].max() <= longest * per_mm


def check_markers(wanted: SheetRequest, paper: SheetTemplate) -> None:
    """No word comes near a marker."""
    image = picture(wanted, paper, dpi := 200)
    for box in form_of(wanted, paper).markers:
        edges = (box.left - 0.8, box.top - 0.8, box.left + box.width + 0.8, box.top + box.height + 0.8)
        left, top, right, bottom = (round(edge * dpi / 25.4) for edge in edges)
        around = image[top:bottom, left:right].copy()
        around[4:-4, 4:-4] = 255
        assert around.min() == 255
