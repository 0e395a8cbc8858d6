"""Forms as PDF, as many on a page as it holds: board sheets, slips, ballots, entries; the same bytes every time."""

from collections.abc import Iterable

from pipeline.ink import Box
from pipeline.paper import form
from pipeline.paper.canvas import Paper, file_title
from pipeline.paper.lettering import BOLD, FIXED, REGULAR
from pipeline.paper.printed_sheet import FRAME_MM, print_frame
from pipeline.paper.sheet_layout import Answer, ChoiceAnswer, NumberAnswer, PageLayout
from pipeline.paper.target_layout import GREY, ID_MM

CUT_MM = 4.0  # length of the marks where the paper is cut
LABEL_GAP_MM = 1.2  # between a box and its word
HEADING_PT = 8.5


def print_forms(requests: Iterable[form.FormRequest], template: form.FormTemplate, page: form.Imposed) -> bytes:
    """Print forms in their order, filling each page of paper."""
    waiting = list(requests)
    title = file_title(template.title, waiting[0].title if waiting else "")
    paper = Paper(page.width, page.height, title=title, language=template.language)
    for first in range(0, len(waiting), len(page.places)):
        for request, (left, top) in zip(waiting[first:], page.places, strict=False):
            with paper.shift_origin(left, top):
                _print_form(paper, request, template)
        if page.is_cut:
            _print_cuts(paper, template, page)
        paper.next_page()
    return paper.bytes()


def _print_form(paper: Paper, request: form.FormRequest, template: form.FormTemplate) -> None:
    page = form.place_form(request, template)
    print_frame(paper, page)
    _print_head(paper, request, template, page)
    for remark in template.remarks:
        room = template.width - template.markers.margin - template.bars.width - 1 - remark.left
        paper.text(remark.left, remark.y, remark.text, font=REGULAR, size=remark.pt, grey=GREY, within=room)
    for block in template.blocks:
        _print_block(paper, request, template, block)
    for answer in page.answers:
        _print_answer(paper, answer)


def _print_head(paper: Paper, request: form.FormRequest, template: form.FormTemplate, page: PageLayout) -> None:
    """Print what the form is, what it is about, and its id."""
    head = template.head
    room = head.right - head.left
    paper.text(head.left, head.title_y, template.title, font=BOLD, size=head.title_pt, within=room)
    paper.text(head.left, head.about_y, request.about, font=BOLD, size=head.about_pt, within=room)
    paper.text(head.left, head.id_y, page.sheet, font=FIXED, size=head.id_pt)
    beside = max(room - ID_MM, 10.0)
    paper.text_before(head.right, head.id_y, request.title, font=REGULAR, size=HEADING_PT, grey=GREY, within=beside)


def _print_block(paper: Paper, request: form.FormRequest, template: form.FormTemplate, block: form.Block) -> None:
    """Print the words around a block: what its rows are, and what belongs in its columns."""
    for row, item in enumerate(form.block_rows(block, request.lists)):
        line = block.top + (row + 1) * block.pitch - template.guide_above - 1.4
        size = block.label_pt
        paper.text(block.label_left, line, item.label, font=BOLD, size=size, within=block.label_width)
    for column in block.columns:
        if column.heading:
            paper.text(column.left, block.heading_y, column.heading, font=REGULAR, size=HEADING_PT, grey=GREY)
        if isinstance(column, form.NumberColumn) and column.per:
            for place, other in enumerate(request.lists[column.per]):
                left = column.left + place * column.step
                paper.text(left, block.heading_y, other.label, font=BOLD, size=HEADING_PT, within=column.step - 3)
        if isinstance(column, form.ChoiceColumn):
            _print_words_of(paper, request, template, block, column)


def _print_words_of(
    paper: Paper, request: form.FormRequest, template: form.FormTemplate, block: form.Block, column: form.ChoiceColumn
) -> None:
    """Print the word beside each box to tick."""
    words = column.labels or column.choices or tuple(item.label for item in request.lists[column.per])
    room = column.step - template.boxes.tick - LABEL_GAP_MM - 0.6
    page = form.place_form(request, template)
    size = template.boxes.label_pt
    rows = {f"{item.name} {column.name}".strip() for item in form.block_rows(block, request.lists)}
    for answer in page.answers:
        if isinstance(answer, ChoiceAnswer) and answer.name in rows:
            for word, box in zip(words, answer.boxes, strict=True):
                left = box.right + LABEL_GAP_MM
                paper.text(left, box.top + 0.72 * box.height, word, font=BOLD, size=size, within=room)


def _print_answer(paper: Paper, answer: Answer) -> None:
    """Print the boxes of an answer; words and signatures have the dotted line of their row."""
    match answer:
        case NumberAnswer() | ChoiceAnswer():
            for box in answer.boxes:
                paper.frame(box, line_mm=FRAME_MM, grey=GREY)
        case _:
            pass


def _print_cuts(paper: Paper, template: form.FormTemplate, page: form.Imposed) -> None:
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
