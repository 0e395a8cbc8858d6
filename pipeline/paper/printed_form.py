"""Forms as PDF, as many on a page as it holds: board sheets, slips, ballots, entries; the same bytes every time."""

from collections.abc import Iterable
from io import BytesIO

from msgspec import Struct
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pipeline.ink import Box
from pipeline.paper import deck_layout, form
from pipeline.paper.canvas import Paper, code_squares, file_title, marker_squares
from pipeline.paper.lettering import (
    BOLD,
    FIXED,
    REGULAR,
    draw_text,
    new_canvas,
    paper_points,
    width_in_points,
    wrap_text,
)
from pipeline.paper.printed_sheet import FRAME_MM, print_frame, print_sheet
from pipeline.paper.sheet import SheetTemplate
from pipeline.paper.sheet_layout import Answer, ChoiceAnswer, NumberAnswer, PageLayout
from pipeline.paper.target_layout import GREY, ID_MM
from pipeline.words.speech import ENGLISH, IN_ENGLISH, Speech

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


# The test deck as PDF: a page to measure, and a page to write on.

HOW = (
    "1  Print both pages on the printer of the event, at 100 %, on the paper of the event.",
    "2  Lay a ruler on the two lines: they must be 100 mm long.",
    "3  Fill in page 2, then scan both pages as the sheets will be scanned.",
    "4  ordersheets testdeck --check SCAN… says what is wrong, and how to mend it.",
)


def print_deck(template: SheetTemplate) -> bytes:
    """Print both pages for one kind of paper; the same bytes every time."""
    paper = Paper(template.width, template.height, title="Test deck", language=ENGLISH)
    _print_measured(paper, template, deck_layout.measure_page(template))
    print_sheet(
        paper,
        deck_layout.written_request(template),
        deck_layout.written_template(template),
        deck_layout.written_page(template),
    )
    return paper.bytes()


def _print_measured(paper: Paper, template: SheetTemplate, deck: deck_layout.MeasurePage) -> None:
    page, head = deck.page, template.header
    for number, box in zip(page.marker_ids, page.form.markers, strict=True):
        paper.squares(marker_squares(number), box)
    for box in page.form.codes:
        paper.squares(code_squares(page.sheet), box)
    paper.text(head.left, head.power_y, "TEST DECK", font=BOLD, size=head.power_pt)
    paper.text(head.left, head.game_y, f"Printer and scanner  ·  {template.name}", font=BOLD, size=head.game_pt)
    paper.text(head.left, head.id_y, page.sheet, font=FIXED, size=head.id_pt)
    for band in (*deck.bands, *deck.rulers, *(box for blocks in deck.steps.values() for box in blocks.values())):
        paper.bar(band)
    for grey, patch in zip(deck_layout.GREYS, deck.patches, strict=True):
        paper.patch(patch, grey=grey)
        label = f"{1 - grey:.0%}"
        paper.text(patch.left, patch.bottom + 4.0, label, font=REGULAR, size=head.label_pt, grey=GREY)
    across = deck.rulers[0]
    for end in (across.left, across.right):
        paper.bar(type(across)(end - 0.1, across.top - 2.0, 0.2, 4.0))
    down = deck.rulers[1]
    for end in (down.top, down.bottom):
        paper.bar(type(down)(down.left - 2.0, end - 0.1, 4.0, 0.2))
    y = across.top + 6.0
    paper.text(
        across.left,
        y,
        f"{deck_layout.RULER_MM:g} mm, and so is the line down",
        font=REGULAR,
        size=head.label_pt,
        grey=GREY,
    )
    for number, sentence in enumerate(HOW):
        room = deck.rulers[1].left - 4.0 - head.left
        line = y + 10.0 + number * 1.6 * template.foot.leading
        paper.text(head.left, line, sentence, font=REGULAR, size=template.foot.how_pt + 1, within=room)
    paper.next_page()


# The read-out card: what happened on one board in one phase, on half a page, to be read aloud and laid on the table.

MARGIN = 10.0 * float(mm)
LEADING = 10.5  # points between two lines
BODY = 8.5  # points


class CardLine(Struct, frozen=True):
    """One order and what became of it."""

    order: str
    outcome: str  # the reason, with its culprit
    good: bool  # False: shown in bold, since people listen for what failed


class Card(Struct, frozen=True, kw_only=True):
    """Everything on one card, as text."""

    title: str  # the event's name
    board: str
    phase: str  # "Spring 1901"
    sections: tuple[tuple[str, tuple[CardLine, ...]], ...]  # in the tournament's reading order: power, its orders
    notes: tuple[str, ...]  # dislodged units with their retreats; builds and disbands to come
    foot: str  # who published it, and when
    speech: Speech = IN_ENGLISH  # of what the card says beside all that
    paper: str = "A4"  # of the event; the card has half of it

    @property
    def width(self) -> float:
        """In points; A5 is the half of A4."""
        return paper_points("LETTER")[1] / 2 if self.paper == "LETTER" else paper_points("A5")[0]

    @property
    def height(self) -> float:
        """In points."""
        return paper_points("LETTER")[0] if self.paper == "LETTER" else paper_points("A5")[1]


def print_card(card: Card) -> bytes:
    """Print one card; the same card gives the same bytes."""
    paper = BytesIO()
    title = card.speech.says("{event} board {board} {phase}", event=card.title, board=card.board, phase=card.phase)
    canvas = new_canvas(paper, (card.width, card.height), title, card.speech.code)
    y = _write_card_head(canvas, card)
    for heading, lines in card.sections:
        y = section(canvas, card, heading, lines, y)
    y -= LEADING / 2
    for note in card.notes:
        for part in _wrap_printed(note, REGULAR, card.width - 2 * MARGIN):
            y = room(canvas, card, y)
            draw_text(canvas, MARGIN, y, part, REGULAR, BODY)
            y -= LEADING
    foot(canvas, card)
    canvas.save()
    return paper.getvalue()


def _write_card_head(canvas: Canvas, card: Card) -> float:
    """Write the heading of a page and return where the lines begin."""
    board = card.speech.says("Board {board}   {phase}", board=card.board, phase=card.phase)
    draw_text(canvas, MARGIN, card.height - MARGIN - 10, board, BOLD, 15)
    draw_text(canvas, MARGIN, card.height - MARGIN - 22, card.title, REGULAR, BODY)
    canvas.line(MARGIN, card.height - MARGIN - 27, card.width - MARGIN, card.height - MARGIN - 27)
    return card.height - MARGIN - 40


def section(canvas: Canvas, card: Card, heading: str, lines: tuple[CardLine, ...], y: float) -> float:
    """Write one power's orders; a page never ends between a power's name and its first order."""
    y = room(canvas, card, y, lines=3)
    draw_text(canvas, MARGIN, y, heading, BOLD, BODY + 0.5)
    y -= LEADING
    left = MARGIN + 48 * float(mm)
    for line in lines:
        font = REGULAR if line.good else BOLD
        outcome = _wrap_printed(line.outcome, font, card.width - MARGIN - left)
        order = _wrap_printed(line.order, REGULAR, 45 * float(mm))
        for number in range(max(len(outcome), len(order))):
            y = room(canvas, card, y)
            if number < len(order):
                draw_text(canvas, MARGIN + 3 * float(mm), y, order[number], REGULAR, BODY)
            if number < len(outcome):
                draw_text(canvas, left, y, outcome[number], font, BODY)
            y -= LEADING
    return y - 2


def room(canvas: Canvas, card: Card, y: float, lines: int = 1) -> float:
    """Begin another page where fewer than so many lines fit; returns where the next line stands."""
    if y - lines * LEADING > MARGIN + 8:
        return y
    foot(canvas, card)
    canvas.showPage()
    return _write_card_head(canvas, card)


def foot(canvas: Canvas, card: Card) -> None:
    page = card.speech.says("page {number}", number=canvas.getPageNumber())
    draw_text(canvas, MARGIN, MARGIN - 6, card.foot, REGULAR, 6.5)
    draw_text(canvas, card.width - MARGIN, MARGIN - 6, page, REGULAR, 6.5, 1.0)


def _wrap_printed(text: str, font: str, width: float) -> list[str]:
    return wrap_text(text, width, lambda line: width_in_points(line, font, BODY))
