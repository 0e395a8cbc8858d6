"""A printed page, filled in one real hand and scanned: what a feeder or a telephone leaves in the folder."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pypdfium2
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.damaged.kinds import PRESETS
from benchmarks.damaged.scans import scan
from benchmarks.whole_sheets.damaged import KINDS, TOOLS, with_back
from benchmarks.whole_sheets.people import InHand, writable, write
from benchmarks.whole_sheets.players import OVERWRITTEN, STRUCK, WrittenRow
from benchmarks.whole_sheets.ticking import tick
from pipeline.desk.forms.form_printing import PrintedForms
from pipeline.paper.sheet_layout import PageLayout, TextAnswer
from pipeline.pen.filling import FieldMark, FieldPlace, Signature, fill
from pipeline.pen.hand import Hand, pick_pen
from pipeline.pen.scanner import Scan
from pipeline.pen.writing import strike
from pipeline.reading.limits import MM_PER_INCH
from pipeline.reading.pages import Grey

Rng = np.random.Generator

PENS = {"ballpoint": 0.55, "gel": 0.17, "pencil": 0.18, "felt": 0.10}
SCANS = {"clean": 0.58, "office": 0.32, "phone": 0.10}
DPI = {150: 0.2, 200: 0.45, 300: 0.35}
PHONE_DPI = 200  # of a page that fills the picture: 8 megapixels have 250
CAPITALS_MM = (2.6, 4.8)  # what people write on a line; the composer's own range is 2.5 to 5.0
THICKEST = 0.16  # of the capitals' height: with a felt pen people write larger (the composer's own bound)


class Manner(Struct, frozen=True):
    """How one sheet is written and scanned."""

    writer: str
    pen: str
    cap_mm: float
    scan: str  # a preset of benchmarks.damaged.kinds
    dpi: int
    seed: int

    @classmethod
    def of(cls, writer: str, rng: Rng) -> "Manner":
        """Draw a manner."""
        kind = str(rng.choice(list(SCANS), p=list(SCANS.values())))
        dpi = PHONE_DPI if kind == "phone" else int(rng.choice(list(DPI), p=list(DPI.values())))
        pen = str(rng.choice(list(PENS), p=list(PENS.values())))
        return cls(writer, pen, float(rng.uniform(*CAPITALS_MM)), kind, dpi, int(rng.integers(2**31)))

    def again(self, season: int) -> "Manner":
        """The same hand and pen in another season; how it is scanned is that day's luck."""
        if season == 1:
            return self
        later = Manner.of(self.writer, np.random.default_rng([self.seed, season]))
        return replace(later, pen=self.pen, cap_mm=self.cap_mm)


Case = Callable[[str], str]  # how somebody writes a word: in capitals, say
MarksBy = Callable[[Manner, Hand, Rng], dict[FieldPlace, FieldMark]]


def written_and_scanned(
    document: pypdfium2.PdfDocument, number: int, page: PageLayout, rows: Sequence[WrittenRow], manner: Manner
) -> tuple[Scan, frozenset[int]]:
    """Fill one page of a PDF and scan it; beside it the lines with a letter that is seen as another."""
    others: set[int] = set()
    back = (number + 1) % len(document)
    fills = partial(marks, page, rows, others)
    scan = filled_and_scanned(
        rendered(document, number, manner.dpi), page, manner, fills, lambda: rendered(document, back, manner.dpi)
    )
    return scan, frozenset(others)


def copied_and_scanned(printed: PrintedForms, case: Case, manner: Manner) -> Scan:
    """Cut a writing sample out of its paper, fill it but for lines that the hand has no letters for, and scan it."""
    (page,), (left, top) = printed.pages, printed.imposed.places[0]
    with pypdfium2.PdfDocument(printed.pdf) as document:
        paper = rendered(document, 0, manner.dpi)
    size, per_mm = page.form, manner.dpi / MM_PER_INCH
    across, down = (
        slice(round(start * per_mm), round((start + length) * per_mm))
        for start, length in ((left, size.width), (top, size.height))
    )
    form = np.ascontiguousarray(paper[down, across])

    def copies(manner: Manner, hand: Hand, rng: Rng) -> dict[FieldPlace, FieldMark]:
        lines = ((answer.name, answer.copies) for answer in page.answers if isinstance(answer, TextAnswer))
        texts = [(name, writable(manner.writer, case(copied))) for name, copied in lines]
        return {(name, None): in_hand(text, manner, rng, is_overwritten=False) for name, text in texts if text}

    return filled_and_scanned(form, page, manner, copies)


def rendered(document: pypdfium2.PdfDocument, number: int, dpi: int) -> Grey:
    """Print one page of a PDF."""
    paper = document[number].render(scale=dpi / 72, grayscale=True).to_numpy()
    return np.ascontiguousarray(paper.reshape(paper.shape[:2]))


def filled_and_scanned(
    blank: Grey, page: PageLayout, manner: Manner, marks_by: MarksBy, back_of: Callable[[], Grey] | None = None
) -> Scan:
    """Fill a sheet of paper with somebody's marks and scan it, damaged as its manner says."""
    kind = KINDS.get(manner.scan) or TOOLS.get(manner.scan)
    rng = np.random.default_rng(manner.seed)
    pen = pick_pen(rng, manner.pen)
    hand = replace(Hand.from_seed(manner.seed), pen=replace(pen, width_mm=min(pen.width_mm, THICKEST * manner.cap_mm)))
    blank = kind.print_(blank, rng, manner.dpi) if kind else blank
    write = kind.write if kind else fill
    filled = write(blank, page.as_json(), marks_by(manner, hand, rng), hand, rng)
    size = (page.form.width, page.form.height)
    if kind is None:
        return scan(filled, PRESETS[manner.scan], rng, page_dpi=manner.dpi, size_mm=size)
    paper = kind.paper(np.asarray(filled, np.uint8), rng, manner.dpi)
    if kind.shows_back and back_of is not None:
        paper = with_back(paper, back_of(), rng)
    found = scan(paper, kind.on_the_way, rng, page_dpi=manner.dpi, size_mm=size)
    return replace(found, image=kind.picture(np.asarray(found.image, np.uint8), rng, manner.dpi))


def marks(
    page: PageLayout, rows: Sequence[WrittenRow], others: set[int], manner: Manner, hand: Hand, rng: Rng
) -> dict[FieldPlace, FieldMark]:
    """What stands where; the lines are put into ``others`` that have a letter which is seen as another."""
    found: dict[FieldPlace, FieldMark] = {("signature", None): Signature(manner.writer.replace("-", " "))}
    here = {field.row for field in page.form.rows}
    for row in rows:
        if row.line in here:
            line: FieldPlace = ("order", row.line)
            own = boxed(row, manner, rng) if row.boxes else {line: on_line(row, manner, hand, rng)}
            if any(isinstance(mark, InHand) and mark.has_another for mark in own.values()):
                others.add(row.line)
            found |= own
    return found


def on_line(row: WrittenRow, manner: Manner, hand: Hand, rng: Rng) -> FieldMark:
    """Write one row on its line."""
    written = in_hand(row.text, manner, rng, is_overwritten=row.kind == OVERWRITTEN, mark=row.mark)
    if row.kind != STRUCK:
        return written
    left, _, right, _ = written.extent
    return written.also(*strike(left, right, written.height_mm, hand, rng))


def boxed(row: WrittenRow, manner: Manner, rng: Rng) -> dict[FieldPlace, FieldMark]:
    """Fill one row of boxes; what is written over is the last of its places."""
    places = [name for name, text in row.boxes if text]
    return {
        (name, row.line): in_hand(text, manner, rng, is_overwritten=row.kind == OVERWRITTEN and name == places[-1])
        if text
        else tick(manner.writer, rng)
        for name, text in row.boxes
    }


def in_hand(text: str, manner: Manner, rng: Rng, *, is_overwritten: bool, mark: str = "") -> InHand:
    """Write a text; one of its letters may have been another first, and a mark may lie on it."""
    inked = sum(letter != " " for letter in text)
    over = int(rng.integers(inked)) if is_overwritten else None
    return write(text, manner.writer, manner.cap_mm, rng, over=over, mark=mark)
