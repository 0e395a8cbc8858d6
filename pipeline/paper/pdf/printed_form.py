"""Forms as PDF, as many on a page as it holds: board sheets, slips, ballots, entries; the same bytes every time."""

from collections.abc import Iterable

from pipeline.ink import Box
from pipeline.paper.form.form import Block, ChoiceColumn, FormRequest, FormTemplate, NumberColumn
from pipeline.paper.form.form_layout import place_form, rows_of
from pipeline.paper.form.form_paper import Imposed
from pipeline.paper.layout.answers import Answer, ChoiceAnswer, NumberAnswer
from pipeline.paper.layout.paper_layout import ID_MM
from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.paper.pdf.canvas import BOLD, REGULAR, Paper
from pipeline.paper.pdf.printed_sheet import FIXED, FRAME_MM, GREY, print_frame

CUT_MM = 4.0  # length of the marks where the paper is cut
LABEL_GAP_MM = 1.2  # between a box and its word
HEADING_PT = 8.5


def print_forms(requests: Iterable[FormRequest], template: FormTemplate, page: Imposed) -> bytes:
    """Print forms in their order, filling each page of paper."""
    paper = Paper(page.width, page.height)
    waiting = list(requests)
    for first in range(0, len(waiting), len(page.places)):
        for request, (left, top) in zip(waiting[first:], page.places, strict=False):
            with paper.shifted(left, top):
                print_form(paper, request, template)
        if page.is_cut:
            print_cuts(paper, template, page)
        paper.next_page()
    return paper.bytes()


def print_form(paper: Paper, request: FormRequest, template: FormTemplate) -> None:
    """Print one form."""
    page = place_form(request, template)
    print_frame(paper, page)
    print_head(paper, request, template, page)
    for remark in template.remarks:
        room = template.width - template.markers.margin - template.bars.width - 1 - remark.left
        paper.text(remark.left, remark.y, remark.text, font=REGULAR, size=remark.pt, grey=GREY, within=room)
    for block in template.blocks:
        print_block(paper, request, template, block)
    for answer in page.answers:
        print_answer(paper, answer)


def print_head(paper: Paper, request: FormRequest, template: FormTemplate, page: PageLayout) -> None:
    """Print what the form is, what it is about, and its id."""
    head = template.head
    room = head.right - head.left
    paper.text(head.left, head.title_y, template.title, font=BOLD, size=head.title_pt, within=room)
    paper.text(head.left, head.about_y, request.about, font=BOLD, size=head.about_pt, within=room)
    paper.text(head.left, head.id_y, page.sheet, font=FIXED, size=head.id_pt)
    beside = max(room - ID_MM, 10.0)
    paper.text_before(head.right, head.id_y, request.title, font=REGULAR, size=HEADING_PT, grey=GREY, within=beside)


def print_block(paper: Paper, request: FormRequest, template: FormTemplate, block: Block) -> None:
    """Print the words around a block: what its rows are, and what belongs in its columns."""
    for row, item in enumerate(rows_of(block, request.lists)):
        line = block.top + (row + 1) * block.pitch - template.guide_above - 1.4
        size = block.label_pt
        paper.text(block.label_left, line, item.label, font=BOLD, size=size, within=block.label_width)
    for column in block.columns:
        if column.heading:
            paper.text(column.left, block.heading_y, column.heading, font=REGULAR, size=HEADING_PT, grey=GREY)
        if isinstance(column, NumberColumn) and column.per:
            for place, other in enumerate(request.lists[column.per]):
                left = column.left + place * column.step
                paper.text(left, block.heading_y, other.label, font=BOLD, size=HEADING_PT, within=column.step - 3)
        if isinstance(column, ChoiceColumn):
            print_words_of(paper, request, template, block, column)


def print_words_of(
    paper: Paper, request: FormRequest, template: FormTemplate, block: Block, column: ChoiceColumn
) -> None:
    """Print the word beside each box to tick."""
    words = column.labels or tuple(item.label for item in request.lists[column.per])
    room = column.step - template.boxes.tick - LABEL_GAP_MM - 0.6
    page = place_form(request, template)
    size = template.boxes.label_pt
    rows = {f"{item.name} {column.name}".strip() for item in rows_of(block, request.lists)}
    for answer in page.answers:
        if isinstance(answer, ChoiceAnswer) and answer.name in rows:
            for word, box in zip(words, answer.boxes, strict=True):
                left = box.left + box.width + LABEL_GAP_MM
                paper.text(left, box.top + 0.72 * box.height, word, font=BOLD, size=size, within=room)


def print_answer(paper: Paper, answer: Answer) -> None:
    """Print the boxes of an answer; words and signatures have the dotted line of their row."""
    match answer:
        case NumberAnswer() | ChoiceAnswer():
            for box in answer.boxes:
                paper.frame(box, line_mm=FRAME_MM, grey=GREY)
        case _:
            pass


def print_cuts(paper: Paper, template: FormTemplate, page: Imposed) -> None:
    """Mark where the paper is cut, at its edges only: a line across would be read as ink."""
    columns = sorted({left for left, _ in page.places} | {left + template.width for left, _ in page.places})
    rows = sorted({top for _, top in page.places} | {top + template.height for _, top in page.places})
    long, thin = CUT_MM, 0.1
    for x in columns:
        for y in (rows[0] - long, rows[-1]):
            paper.bar(Box(x - thin / 2, max(y, 0.0), thin, long))
    for y in rows:
        for x in (columns[0] - long, columns[-1]):
            paper.bar(Box(max(x, 0.0), y - thin / 2, long, thin))
