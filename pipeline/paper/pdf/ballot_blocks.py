"""Blocks for units on paper: the instruction, an example that is filled in, and the boxes with their words."""

from pipeline.board.position import Step
from pipeline.paper.layout.ballot_layout import GREY, base_in, frame
from pipeline.paper.layout.cell_layout import CAPITAL, MM_PER_PT, text_width
from pipeline.paper.layout.paper_layout import rounded
from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.paper.pdf.canvas import BOLD, REGULAR, Paper
from pipeline.paper.sheet.ballot_rows import BallotRows
from pipeline.paper.sheet.sheet import SheetRequest, SheetTemplate
from pipeline.paper.sheet.template_words import TICKED

BETWEEN_MM = 2.6  # from one part of an example to the next
CROSS_MM = 0.45
NUMBER_MM = 1.4  # from a row's number to the row


def print_ballot(paper: Paper, request: SheetRequest, template: SheetTemplate, page: PageLayout) -> None:
    """Print what stands above the rows and in them."""
    ballot, head = template.ballot_rows, template.header
    how, example = instructions(ballot, request)
    paper.text(head.left, ballot.how_y, how, font=BOLD, size=ballot.how_pt, within=ballot.right - head.left)
    print_example(paper, ballot, head.left, example)
    for row in () if page.form.parting is None else page.form.parting.rows:
        size = template.rows.number_pt
        base = base_in(ballot, row, row.lines[0], size)
        paper.text_before(ballot.left - NUMBER_MM, base, str(row.number), font=REGULAR, size=size, grey=GREY)
    for edge in page.form.edges:
        paper.stippled(edge, ballot.dot)
    for type_ in page.form.parted.type:
        paper.type(type_)
    for cell in page.form.cells:
        for type_ in cell.words:
            paper.type(type_)


def instructions(ballot: BallotRows, request: SheetRequest) -> tuple[str, tuple[str, ...]]:
    """The one line that tells what to do, and the example for it."""
    match request.phase.step:
        case Step.MOVEMENT:
            return ballot.movement, ballot.movement_example
        case Step.RETREATS:
            return ballot.retreats, ballot.retreats_example
        case Step.ADJUSTMENTS:
            is_removal = not any(choices.goes for choices in request.targets)
            how = ballot.removals if is_removal else ballot.builds
            return how.format(due=request.due), ballot.removals_example if is_removal else ballot.builds_example


def print_example(paper: Paper, ballot: BallotRows, left: float, parts: tuple[str, ...]) -> None:
    """Print an example on one line."""
    side, points, base = ballot.example_tick, ballot.small_pt + 1, ballot.example_y
    for part in parts:
        is_ticked, word = part.startswith(TICKED), part.removeprefix(TICKED)
        if is_ticked:
            box = rounded(left, base - CAPITAL * points * MM_PER_PT / 2 - side / 2, side, side)
            for edge in frame(ballot, box):
                paper.stippled(edge, ballot.dot)
            paper.cross(box, line_mm=CROSS_MM)
            left += side + ballot.gap
        is_name = is_ticked or word.isupper()
        paper.text(left, base, word, font=BOLD if is_name else REGULAR, size=points, grey=0.0 if is_name else GREY)
        left += text_width(word) * points * MM_PER_PT + BETWEEN_MM
