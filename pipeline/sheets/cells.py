"""The second row design on paper: dotted boxes with a letter over each, and words over the first row."""

from pipeline.sheets.paper import Paper
from pipeline.tournament.cell_layout import head_base, head_places, label_base
from pipeline.tournament.field_rows import GROUPS, TickBox
from pipeline.tournament.sheet import SheetRequest, SheetTemplate
from pipeline.tournament.sheet_layout import PageLayout

REGULAR, BOLD = "Helvetica", "Helvetica-Bold"
GREY = 0.35  # as the other words that are read, but not first


def print_cells(paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout) -> None:
    """Print the boxes of all rows, where the sheet has any."""
    if not page.form.cells:
        return
    for edge in page.form.edges:
        paper.stippled(edge, template.guide.dot)
    labels = {column.name: column.label for column in ticks_of(request)}
    for cell in page.form.cells:
        if cell.name in labels:
            middle = cell.box.left + cell.box.width / 2
            size = template.boxes.label_pt
            paper.text_round(middle, label_base(cell.box), labels[cell.name], font=BOLD, size=size, grey=GREY)
    first = page.form.rows[0].box
    words = template.boxes.heads(request.phase.step)
    for (left, room), word in zip(head_places(template, request.phase.step, first), words, strict=True):
        size = template.boxes.head_pt
        paper.text(left, head_base(first, template.rows), word, font=REGULAR, size=size, grey=GREY, within=room)


def ticks_of(request: SheetRequest) -> list[TickBox]:
    """List the boxes to tick of a row."""
    return [column for group in GROUPS[request.phase.step] for column in group if isinstance(column, TickBox)]
