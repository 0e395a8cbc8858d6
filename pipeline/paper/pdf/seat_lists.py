"""The seats of a round to hang up: by board, and by player; large enough to be read by several people at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.pagesizes import A4, A5, LETTER
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from pipeline.paper.pdf.canvas import BOLD, REGULAR, printable

SIZES = {"A4": A4, "A5": A5, "LETTER": LETTER}
MARGIN = 14 * float(mm)
GAP = 10 * float(mm)  # between two columns
COLUMNS = 2
HEAD, LINE = 20.0, 19.0  # points: the head of a page, and between two lines
BODY = 13.0  # points; a name that is too long for its place is set smaller
SMALLEST = 7.0


@dataclass(frozen=True, slots=True)
class SeatBlock:
    """Lines that stay together, such as a board; each line has a left part and a right part."""

    heading: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SeatPart:
    """What begins on a page of its own: the seats by board, the seats by player."""

    title: str
    blocks: tuple[SeatBlock, ...]


def print_seats(parts: Sequence[SeatPart], paper: str, title: str) -> bytes:
    """Print all parts; the same seats give the same bytes. ``paper`` is A4, A5 or LETTER; ``title`` is the file's."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=SIZES[paper], invariant=1, pageCompression=1)
    canvas.setCreator("ordersheets")
    canvas.setTitle(title)
    for part in parts:
        lay(canvas, part, *map(float, SIZES[paper]))
    canvas.save()
    return file.getvalue()


def lay(canvas: Canvas, part: SeatPart, width: float, height: float) -> None:
    """Fill columns from the top, page after page."""
    wide = (width - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    top, low = height - MARGIN - 2 * HEAD, MARGIN
    column, y = 0, top
    head(canvas, part.title, height)
    for block in part.blocks:
        tall = LINE * (len(block.lines) + bool(block.heading) + bool(block.heading) * 0.5)
        if y - tall < low and y < top:
            column, y = column + 1, top
            if column == COLUMNS:
                canvas.showPage()
                head(canvas, part.title, height)
                column = 0
        left = MARGIN + column * (wide + GAP)
        if block.heading:
            y -= LINE
            text(canvas, BOLD, (left, y), block.heading, wide)
        for name, where in block.lines:
            y -= LINE
            line(canvas, (left, y), name, where, wide)
        y -= LINE * 0.5 if block.heading else 0
    canvas.showPage()


def head(canvas: Canvas, title: str, height: float) -> None:
    """Write the head of a page."""
    canvas.setFont(BOLD, HEAD)
    canvas.drawString(MARGIN, height - MARGIN - HEAD, printable(title))


def line(canvas: Canvas, at: tuple[float, float], name: str, where: str, wide: float) -> None:
    """Write one line: what is looked for on the left, what is found on the right."""
    left, y = at
    canvas.setStrokeGray(0.8)
    canvas.line(left, y - 5, left + wide, y - 5)
    text(canvas, REGULAR, (left, y), name, wide * 0.56)
    text(canvas, BOLD, (left + wide * 0.6, y), where, wide * 0.4)


def text(canvas: Canvas, font: str, at: tuple[float, float], words: str, wide: float) -> None:
    """Write words into a width, smaller where they are too long."""
    words = printable(words)
    size = BODY
    while size > SMALLEST and stringWidth(words, font, size) > wide:
        size -= 0.5
    canvas.setFont(font, size)
    canvas.drawString(*at, words)
