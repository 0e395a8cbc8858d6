"""The sheets and forms of an event as they were printed: what a page without a mark is compared with."""

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from pipeline.desk.event.event import Event
from pipeline.desk.forms.printed_forms import printed_forms
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.paper.form.form_paper import Imposed
from pipeline.paper.pdf.printed_form import print_forms
from pipeline.paper.pdf.printed_sheet import print_sheets
from pipeline.reading.registration.warp import FLAT_DPI


def draw_blank(event: Event, sheet: str) -> NDArray[np.uint8]:
    """Draw a sheet or a form as the printer did, from the fact of its printing; a `KeyError` where there is none."""
    with pypdfium2.PdfDocument(printed_again(event, sheet)) as document:
        drawn = document[0].render(scale=FLAT_DPI / 72, grayscale=True).to_numpy()
    return np.ascontiguousarray(drawn.reshape(drawn.shape[:2]), np.uint8)


def printed_again(event: Event, sheet: str) -> bytes:
    """Print one sheet or form again: the same bytes for the same request."""
    if found := printed_sheets(event).get(sheet):
        return print_sheets([found.request], found.template)
    form = printed_forms(event)[sheet]
    alone = Imposed(form.template.width, form.template.height, ((0.0, 0.0),))
    return print_forms([form.request], form.template, alone)
