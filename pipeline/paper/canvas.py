"""One page to draw on, in millimetres from its top-left corner; ReportLab makes the PDF."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO

import segno
from reportlab import rl_config
from reportlab.lib.rl_accel import fp_str
from reportlab.lib.units import mm
from reportlab.pdfgen.pathobject import PDFPathObject

from pipeline.ink import Box
from pipeline.paper.lettering import BOLD, REGULAR, draw_text, new_canvas, width_in_points, write_text
from pipeline.paper.sheet_layout import Guide
from pipeline.paper.sheet_rows import Stippled, Type

# What machines read on a sheet, as squares: the corner markers and the QR code. True is black.

Squares = tuple[tuple[bool, ...], ...]

MARKER_BITS = 5  # DICT_5X5_1000: 5 by 5 bits inside a black border of one


@cache
def _marker_words() -> tuple[int, ...]:
    """The 1000 markers of DICT_5X5_1000, 25 bits each, first row first, a set bit white."""
    text = files("pipeline.paper").joinpath("markers.txt").read_text("ascii")
    return tuple(int(word, 16) for word in text.split())


def marker_squares(number: int) -> Squares:
    r"""Draw one corner marker, its black border included.

    >>> print(*("".join(" #"[black] for black in row) for row in marker_squares(7)), sep="\n")
    #######
    ##   ##
    ### ###
    ### # #
    ####  #
    ## #  #
    #######
    """
    word = _marker_words()[number]
    inside = [
        tuple(not word >> (MARKER_BITS * (MARKER_BITS - 1 - row) + MARKER_BITS - 1 - column) & 1 for column in range(5))
        for row in range(MARKER_BITS)
    ]
    edge = (True,) * (MARKER_BITS + 2)
    return (edge, *((True, *row, True) for row in inside), edge)


@lru_cache(maxsize=256)  # a sheet has its code more than once; 5 kB each
def code_squares(text: str) -> Squares:
    """Draw a QR code: version 2, level Q, so that all sheets of an event have squares of one size."""
    code = segno.make(text, version=2, error="q", mode="alphanumeric", boost_error=False)
    return tuple(tuple(bool(square) for square in row) for row in code.matrix)


def live_squares(text: str) -> Squares:
    """Draw the QR code for telephones, as large as its text needs: level M, in capitals."""
    code = segno.make(text, error="m", mode="alphanumeric", micro=False, boost_error=False)
    return tuple(tuple(bool(square) for square in row) for row in code.matrix)


def black_runs(row: tuple[bool, ...]) -> Iterator[tuple[int, int]]:
    """Find the black stretches of one row: first square and length.

    >>> list(black_runs((True, True, False, True)))
    [(0, 2), (3, 1)]
    """
    start = None
    for column, black in enumerate((*row, False)):
        if black and start is None:
            start = column
        elif not black and start is not None:
            yield start, column - start
            start = None


ROUNDING_MM = 1e-6  # text fitted exactly may be this much too wide by rounding
OVERLAP = 1.002  # squares that only touch show hair lines between them on some printers
rl_config.useA85 = 0  # binary streams: as ASCII85 they are a quarter larger and take a quarter of the time


def file_title(kind: str, event: str) -> str:
    """The title of a file: what it is, and of which event.

    >>> file_title("Ballot", "Cup"), file_title("Ballot", "")
    ('Ballot · Cup', 'Ballot')
    """
    return f"{kind} · {event}" if event else kind


class Paper:
    """A PDF being drawn, page after page; the same strokes give the same bytes."""

    def __init__(self, width: float, height: float, *, title: str, language: str) -> None:
        self.width = width
        self.height = height
        self.beside = 1  # so many pages on one paper, which is cut
        self.drawn = 0  # on this paper
        self.file = BytesIO()
        self.canvas = new_canvas(self.file, (width * mm, height * mm), title, language)

    def begin_size(self, width: float, height: float, *, beside: int) -> None:
        """End the paper that is begun; the next pages are of another size, ``beside`` of them on one paper."""
        self._end_paper()
        self.width, self.height, self.beside = width, height, beside
        self.canvas.setPageSize((beside * width * mm, height * mm))

    def squares(self, squares: Squares, box: Box) -> None:
        """Draw a marker or a code into a box."""
        side = box.width / len(squares)
        self._fill(
            Box(box.left + first * side, box.top + number * side, length * side, side * OVERLAP)
            for number, row in enumerate(squares)
            for first, length in black_runs(row)
        )

    def bar(self, box: Box) -> None:
        """Draw a black bar."""
        self._fill([box])

    def patch(self, box: Box, *, grey: float) -> None:
        """Fill a box with grey: 0 is black, 1 is white."""
        self._fill([box], grey)

    def frame(self, box: Box, *, line_mm: float, grey: float) -> None:
        """Draw the outline of a box."""
        self.canvas.saveState()
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(line_mm * mm)
        y = (self.height - box.top - box.height) * mm
        self.canvas.rect(box.left * mm, y, box.width * mm, box.height * mm)
        self.canvas.restoreState()

    def guide(self, guide: Guide) -> None:
        """Draw a dotted line with square dashes: dashes of length 0 look different on each printer."""
        start, end, y = guide.left - guide.dot / 2, guide.dots[-1] + guide.dot / 2, self.height - guide.y
        self._dashes((start, y), (end, y), dot=guide.dot, dash=guide.dot, pitch=guide.pitch)

    def draw_dotted_edge(self, edge: Stippled, dot: float) -> None:
        """Draw the dotted edge of a box, as a guide is drawn; ``dot`` is how thick."""
        dash = max(edge.dash, dot)
        (left, top), (right, bottom) = edge.ends
        across, down = (0.0, dash / 2) if edge.is_upright else (dash / 2, 0.0)
        start = (left - across, self.height - top + down)
        end = (right + across, self.height - bottom - down)
        self._dashes(start, end, dot=dot, dash=dash, pitch=edge.pitch)

    def text(
        self, x: float, y: float, text: str, *, font: str, size: float, grey: float = 0.0, within: float = 0.0
    ) -> None:
        """Write a line with its baseline at ``y``; made smaller, then cut, to stay ``within`` so many mm."""
        shown, size = _fit_text(text, font, size, within)
        self.canvas.setFillGray(grey)
        draw_text(self.canvas, x * mm, (self.height - y) * mm, shown, font, size)

    def text_before(
        self, x: float, y: float, text: str, *, font: str, size: float, grey: float = 0.0, within: float = 0.0
    ) -> None:
        """Write a line that ends at ``x``."""
        shown, size = _fit_text(text, font, size, within)
        self.canvas.setFillGray(grey)
        draw_text(self.canvas, x * mm, (self.height - y) * mm, shown, font, size, 1.0)

    def type(self, type_: Type) -> None:
        """Set a line of type."""
        self.canvas.setFillGray(type_.grey)
        line = self.canvas.beginText(type_.left * mm, (self.height - type_.base) * mm)
        line.setHorizScale(100 * type_.squeeze)
        write_text(line, type_.text, BOLD if type_.is_bold else REGULAR, type_.points)
        self.canvas.drawText(line)

    def cross(self, box: Box, *, line_mm: float) -> None:
        self.canvas.saveState()
        self.canvas.setStrokeGray(0)
        self.canvas.setLineWidth(line_mm * mm)
        self.canvas.setLineCap(1)
        left, right = box.left * mm, box.right * mm
        upper, lower = (self.height - box.top) * mm, (self.height - box.top - box.height) * mm
        self.canvas.line(left, upper, right, lower)
        self.canvas.line(left, lower, right, upper)
        self.canvas.restoreState()

    @contextmanager
    def shift_origin(self, left: float, top: float) -> Iterator[None]:
        """Draw as if the page began here: a form among several on one paper."""
        self.canvas.saveState()
        self.canvas.translate(left * mm, -top * mm)
        yield
        self.canvas.restoreState()

    def next_page(self) -> None:
        """End this page; the next one is on a paper of its own, or beside it."""
        self.drawn += 1
        if self.drawn < self.beside:
            self.canvas.translate(self.width * mm, 0)
        else:
            self._end_paper()

    def _end_paper(self) -> None:
        if self.drawn:
            self.canvas.showPage()
        self.drawn = 0

    def bytes(self) -> bytes:
        """End the file."""
        self._end_paper()
        self.canvas.save()
        return self.file.getvalue()

    def _fill(self, boxes: Iterable[Box], grey: float = 0.0) -> None:
        lows = ((box, self.height - box.top - box.height) for box in boxes)
        outlines = (_words(box.left, low, box.width, box.height) + " re" for box, low in lows)
        self.canvas.setFillGray(grey)
        self.canvas.drawPath(PDFPathObject(["n", *outlines]), stroke=0, fill=1)

    def _dashes(
        self, start: tuple[float, float], end: tuple[float, float], *, dot: float, dash: float, pitch: float
    ) -> None:
        """Draw a black dashed line, ``dot`` thick, between two places, in mm from the left and from below."""
        line = f"n {_words(*start)} m {_words(*end)} l S"
        self.canvas.addLiteral(f"q\n0 G\n{_words(dot)} w\n[{_words(dash, pitch - dash)}] 0 d\n{line}\nQ")


def _words(*lengths: float) -> str:
    """Format lengths in mm as PDF operands.

    >>> _words(210, 0.16)
    '595.2756 .453543'
    """
    return " ".join(map(_format_length, lengths))


@lru_cache(maxsize=4096)
def _format_length(length: float) -> str:
    """Format a length as ReportLab does; cached, because it is slow and a sheet has few different lengths."""
    return str(fp_str(length * mm))


def _fit_text(text: str, font: str, size: float, within: float) -> tuple[str, float]:
    """Make a text fit a width in mm (0: any): down to two thirds of its size, then without its end.

    >>> _fit_text("Weasel Moot", REGULAR, 8, 60), _fit_text("A very long name indeed", REGULAR, 9, 20)
    (('Weasel Moot', 8), ('A very long name i…', 6.0))
    """
    width = width_in_points(text, font, size) / mm
    if not within or width <= within:
        return text, size
    small = max(size * within / width, size * 2 / 3)
    while width_in_points(text, font, small) / mm > within + ROUNDING_MM and len(text) > 1:
        text = text.rstrip("…")[:-1] + "…"
    return text, small
