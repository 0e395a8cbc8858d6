"""What is written on sheets where nothing is to be filled in."""

from pipeline.desk.sheets.sheet_reasons import OutsidePlace, SheetReason
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form
from pipeline.words import Told


def outside(sheets: tuple[SheetIn, ...]) -> tuple[Told, ...]:
    """What is written outside the rows of sheets: one thing to tell, or none."""
    many = len(sheets) > 1
    places = tuple(
        dict.fromkeys(
            place_of(box, sheet.printed.page.form, (str(sheet.printed.id),) if many else ())
            for sheet in sheets
            for box in sheet.outside
        )
    )
    return (Told.of(SheetReason.OUTSIDE, places=places),) if places else ()


def place_of(box: Box, form: Form, on: tuple[str, ...]) -> Told:
    """Name a place outside the rows: above or below them, or beside which of them."""
    first, last = form.rows[0].box, form.rows[-1].box
    middle = box.top + box.height / 2
    if middle < first.top:
        return Told.of(OutsidePlace.ABOVE, on=on)
    if middle > last.top + last.height:
        return Told.of(OutsidePlace.BELOW, on=on)
    row = min(form.rows, key=lambda field: abs(field.box.top + field.box.height / 2 - middle))
    is_left = box.left + box.width / 2 < first.left + first.width / 2
    return Told.of(OutsidePlace.LEFT if is_left else OutsidePlace.RIGHT, row=row.row, on=on)
