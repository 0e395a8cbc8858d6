"""The sheets and forms of an event as they were printed: what a page without a mark is compared with."""

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from pipeline.desk.event.event import Event
from pipeline.desk.forms.printed_forms import as_requested as form_from
from pipeline.desk.forms.printed_forms import template_of
from pipeline.desk.sheets.printed import as_requested as sheet_from
from pipeline.ledger.events import FormsPrinted, SheetsPrinted
from pipeline.paper.form.form_paper import Imposed
from pipeline.paper.pdf.printed_form import print_forms
from pipeline.paper.pdf.printed_sheet import print_sheets
from pipeline.paper.sheet.load_sheet import read_template
from pipeline.reading.registration.warp import FLAT_DPI


def draw_blank(event: Event, sheet: str) -> NDArray[np.uint8]:
    """Draw a sheet or a form as the printer did, from the fact of its printing; a `KeyError` where there is none."""
    with pypdfium2.PdfDocument(printed_again(event, sheet)) as document:
        drawn = document[0].render(scale=FLAT_DPI / 72, grayscale=True).to_numpy()
    return np.ascontiguousarray(drawn.reshape(drawn.shape[:2]), np.uint8)


def printed_again(event: Event, sheet: str) -> bytes:
    """Print one sheet or form again: the same bytes for the same request."""
    code = event.details.code
    for fact in event.facts.told(SheetsPrinted):
        for request in (sheet_from(code, printed) for printed in fact.said.sheets):
            if str(request.id) == sheet:
                return print_sheets([request], read_template(fact.said.template, f"fact {fact.number} template"))
    for printing in event.facts.told(FormsPrinted):
        template = template_of(printing.said.template)
        for form in (form_from(code, printed) for printed in printing.said.forms):
            if str(form.id) == sheet:
                alone = Imposed(template.width, template.height, ((0.0, 0.0),))
                return print_forms([form], template, alone)
    raise KeyError(sheet)
