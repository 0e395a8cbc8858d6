"""What is written on sheets where nothing is to be filled in, in words."""

from pipeline.desk.sheets_in import SheetIn
from pipeline.ink import Box
from pipeline.tournament.sheet_layout import Form


def outside(sheets: tuple[SheetIn, ...]) -> tuple[str, ...]:
    """What is written outside the rows of sheets: one text, or none."""
    found = ((place_of(box, s.printed.page.form), s.printed.request.id) for s in sheets for box in s.outside)
    many = len(sheets) > 1
    places = dict.fromkeys(f"{place} on {id_}" if many else place for place, id_ in found)
    return (f"something is written outside the rows: {', '.join(places)}",) if places else ()


def place_of(box: Box, form: Form) -> str:
    """Name a place outside the rows: above or below them, or beside which of them."""
    first, last = form.rows[0].box, form.rows[-1].box
    middle = box.top + box.height / 2
    if middle < first.top:
        return "above the rows"
    if middle > last.top + last.height:
        return "below the rows"
    row = min(form.rows, key=lambda field: abs(field.box.top + field.box.height / 2 - middle))
    side = "left" if box.left + box.width / 2 < first.left + first.width / 2 else "right"
    return f"{side} of row {row.row}"
