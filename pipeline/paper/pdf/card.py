"""The read-out card: what happened on one board in one phase, A5, to be read aloud and laid on the table."""

from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.pagesizes import A5
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from pipeline.paper.pdf.canvas import printable
from pipeline.words.speech import IN_ENGLISH, Speech

WIDTH, HEIGHT = float(A5[0]), float(A5[1])
MARGIN = 10.0 * float(mm)
LEADING = 10.5  # points between two lines
BODY = 8.5  # points


@dataclass(frozen=True, slots=True)
class CardLine:
    """One order and what became of it."""

    order: str
    outcome: str  # the reason, with its culprit
    good: bool  # False: shown in bold, since people listen for what failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Everything on one card, as text."""

    title: str  # the event's name
    board: str
    phase: str  # "Spring 1901"
    sections: tuple[tuple[str, tuple[CardLine, ...]], ...]  # in the tournament's reading order: power, its orders
    notes: tuple[str, ...]  # dislodged units with their retreats; builds and disbands to come
    foot: str  # who published it, and when
    speech: Speech = IN_ENGLISH  # of what the card says beside all that


def print_card(card: Card) -> bytes:
    """Print one card; the same card gives the same bytes."""
    paper = BytesIO()
    canvas = Canvas(paper, pagesize=A5, invariant=1, pageCompression=1)
    canvas.setTitle(
        card.speech.says("{event} board {board} {phase}", event=card.title, board=card.board, phase=card.phase)
    )
    y = head(canvas, card)
    for heading, lines in card.sections:
        y = section(canvas, card, heading, lines, y)
    y -= LEADING / 2
    for note in card.notes:
        for part in wrapped(note, "Helvetica", BODY, WIDTH - 2 * MARGIN):
            y = room(canvas, card, y)
            canvas.setFont("Helvetica", BODY)
            canvas.drawString(MARGIN, y, part)
            y -= LEADING
    foot(canvas, card)
    canvas.save()
    return paper.getvalue()


def head(canvas: Canvas, card: Card) -> float:
    """Write the head of a page and give back where the lines begin."""
    canvas.setFont("Helvetica-Bold", 15)
    canvas.drawString(
        MARGIN, HEIGHT - MARGIN - 10, card.speech.says("Board {board}   {phase}", board=card.board, phase=card.phase)
    )
    canvas.setFont("Helvetica", BODY)
    canvas.drawString(MARGIN, HEIGHT - MARGIN - 22, printable(card.title))
    canvas.line(MARGIN, HEIGHT - MARGIN - 27, WIDTH - MARGIN, HEIGHT - MARGIN - 27)
    return HEIGHT - MARGIN - 40


def section(canvas: Canvas, card: Card, heading: str, lines: tuple[CardLine, ...], y: float) -> float:
    """Write one power's orders; a power is never parted from its first order by the end of a page."""
    y = room(canvas, card, y, lines=3)
    canvas.setFont("Helvetica-Bold", BODY + 0.5)
    canvas.drawString(MARGIN, y, printable(heading))
    y -= LEADING
    left = MARGIN + 48 * float(mm)
    for line in lines:
        font = "Helvetica" if line.good else "Helvetica-Bold"
        outcome = wrapped(line.outcome, font, BODY, WIDTH - MARGIN - left)
        order = wrapped(line.order, "Helvetica", BODY, 45 * float(mm))
        for number in range(max(len(outcome), len(order))):
            y = room(canvas, card, y)
            canvas.setFont("Helvetica", BODY)
            canvas.drawString(MARGIN + 3 * float(mm), y, order[number] if number < len(order) else "")
            canvas.setFont(font, BODY)
            canvas.drawString(left, y, outcome[number] if number < len(outcome) else "")
            y -= LEADING
    return y - 2


def room(canvas: Canvas, card: Card, y: float, lines: int = 1) -> float:
    """Begin another page where fewer than so many lines fit."""
    if y - lines * LEADING > MARGIN + 8:
        return y
    foot(canvas, card)
    canvas.showPage()
    return head(canvas, card)


def foot(canvas: Canvas, card: Card) -> None:
    """Write the foot of a page."""
    canvas.setFont("Helvetica", 6.5)
    canvas.drawString(MARGIN, MARGIN - 6, printable(card.foot))
    canvas.drawRightString(WIDTH - MARGIN, MARGIN - 6, card.speech.says("page {number}", number=canvas.getPageNumber()))


def wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    """Break a text into lines that fit; a word that is too long stays whole.

    >>> wrapped("bounces 1:1 with A VEN - TYR", "Helvetica", 8.5, 70)
    ['bounces 1:1 with', 'A VEN - TYR']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and stringWidth(longer, font, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
