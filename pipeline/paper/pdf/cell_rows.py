"""Rows of boxes on paper: dotted boxes with letters over those to tick, and words over the first row."""

from pipeline.paper.layout.cell_layout import head_base, label_base, label_pt
from pipeline.paper.layout.row_layout import head_places
from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.paper.pdf.canvas import BOLD, REGULAR, Paper
from pipeline.paper.sheet.field_rows import TickBox
from pipeline.paper.sheet.sheet import SheetRequest, SheetTemplate

GREY = 0.35  # as the other words that are read, but not first


def print_cells(paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout) -> None:
    """Print the boxes of all rows, where the sheet has any."""
    if not page.form.cells:
        return
    for edge in page.form.edges:
        paper.stippled(edge, template.guide.dot)
    for cell in page.form.cells:
        if isinstance(cell.column, TickBox):
            middle, size = cell.box.left + cell.box.width / 2, label_pt(template, cell.column)
            paper.text_round(middle, label_base(cell.box), cell.column.label, font=BOLD, size=size, grey=GREY)
    first, step = page.form.rows[0], request.phase.step
    targets = request.targets if page.form.has_targets(first.row or 0) else ()
    words = (template.target_rows if targets else template.boxes).heads(step)
    places = head_places(template, step, first.box, request.units, targets)
    for (left, room), word in zip(places, words, strict=True):
        size = template.boxes.head_pt
        paper.text(left, head_base(first.box, template.rows), word, font=REGULAR, size=size, grey=GREY, within=room)
