"""The sheets and forms of an event as they were printed: what a page without a mark is compared with."""

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from pipeline.desk.event.event import Event
from pipeline.desk.forms.printed_forms import printed_forms
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.paper.form.form_paper import Imposed
from pipeline.paper.pdf.printed_form import print_forms
from pipeline.paper.pdf.printed_sheet import print_heading, print_sheets
from pipeline.reading.registration.warp import FLAT_DPI

POINTS_PER_MM = 72 / 25.4


def draw_blank(event: Event, sheet: str) -> NDArray[np.uint8]:
    """Draw a sheet or a form as the printer did, from the fact of its printing; a `KeyError` where there is none."""
    return drawn(printed_again(event, sheet))


def draw_heading(event: Event, sheet: str) -> NDArray[np.uint8]:
    """Draw what is printed above the rows of a sheet, down to the fields of its header; a form is drawn whole."""
    if (found := printed_sheets(event).get(sheet)) is None:
        return draw_blank(event, sheet)
    header = found.template.header
    return drawn(print_heading(found.request, found.template), header.fields_top + header.fields_height)


def drawn(pdf: bytes, down_to_mm: float = 0.0) -> NDArray[np.uint8]:
    """Draw the one page of a file, or the upper part of it."""
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0]
        below = page.get_height() - down_to_mm * POINTS_PER_MM if down_to_mm else 0.0
        picture = page.render(scale=FLAT_DPI / 72, grayscale=True, crop=(0, below, 0, 0)).to_numpy()
    return np.ascontiguousarray(picture.reshape(picture.shape[:2]), np.uint8)


def printed_again(event: Event, sheet: str) -> bytes:
    """Print one sheet or form again: the same bytes for the same request."""
    if found := printed_sheets(event).get(sheet):
        return print_sheets([found.request], found.template)
    form = printed_forms(event)[sheet]
    alone = Imposed(form.template.width, form.template.height, ((0.0, 0.0),))
    return print_forms([form.request], form.template, alone)
