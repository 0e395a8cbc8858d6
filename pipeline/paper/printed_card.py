"""The read-out card: what happened on one board in one phase, on half a page, to be read aloud and kept there."""

from io import BytesIO

from msgspec import Struct
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pipeline.paper.lettering import BOLD, REGULAR, draw_text, new_canvas, paper_points, width_in_points, wrap_text
from pipeline.words.speech import IN_ENGLISH, Speech

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
        y = _draw_section(canvas, card, heading, lines, y)
    y -= LEADING / 2
    for note in card.notes:
        for part in _wrap_printed(note, REGULAR, card.width - 2 * MARGIN):
            y = _make_room(canvas, card, y)
            draw_text(canvas, MARGIN, y, part, REGULAR, BODY)
            y -= LEADING
    _draw_foot(canvas, card)
    canvas.save()
    return paper.getvalue()


def _write_card_head(canvas: Canvas, card: Card) -> float:
    """Write the heading of a page and return where the lines begin."""
    board = card.speech.says("Board {board}   {phase}", board=card.board, phase=card.phase)
    draw_text(canvas, MARGIN, card.height - MARGIN - 10, board, BOLD, 15)
    draw_text(canvas, MARGIN, card.height - MARGIN - 22, card.title, REGULAR, BODY)
    canvas.line(MARGIN, card.height - MARGIN - 27, card.width - MARGIN, card.height - MARGIN - 27)
    return card.height - MARGIN - 40


def _draw_section(canvas: Canvas, card: Card, heading: str, lines: tuple[CardLine, ...], y: float) -> float:
    """Write one power's orders; a page never ends between a power's name and its first order."""
    y = _make_room(canvas, card, y, lines=3)
    draw_text(canvas, MARGIN, y, heading, BOLD, BODY + 0.5)
    y -= LEADING
    left = MARGIN + 48 * float(mm)
    for line in lines:
        font = REGULAR if line.good else BOLD
        outcome = _wrap_printed(line.outcome, font, card.width - MARGIN - left)
        order = _wrap_printed(line.order, REGULAR, 43 * float(mm))  # ends before the outcome
        for number in range(max(len(outcome), len(order))):
            y = _make_room(canvas, card, y)
            if number < len(order):
                draw_text(canvas, MARGIN + 3 * float(mm), y, order[number], REGULAR, BODY)
            if number < len(outcome):
                draw_text(canvas, left, y, outcome[number], font, BODY)
            y -= LEADING
    return y - 2


def _make_room(canvas: Canvas, card: Card, y: float, lines: int = 1) -> float:
    """Begin another page where fewer than so many lines fit; returns where the next line stands."""
    if y - lines * LEADING > MARGIN + 8:
        return y
    _draw_foot(canvas, card)
    canvas.showPage()
    return _write_card_head(canvas, card)


def _draw_foot(canvas: Canvas, card: Card) -> None:
    page = card.speech.says("page {number}", number=canvas.getPageNumber())
    draw_text(canvas, MARGIN, MARGIN - 6, card.foot, REGULAR, 6.5)
    draw_text(canvas, card.width - MARGIN, MARGIN - 6, page, REGULAR, 6.5, 1.0)


def _wrap_printed(text: str, font: str, width: float) -> list[str]:
    return wrap_text(text, width, lambda line: width_in_points(line, font, BODY))
