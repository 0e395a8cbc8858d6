"""The third and the fourth stage: the rows that are cut out, and the ink that was told from the print in them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.ink import Box, Transcription
from pipeline.paper.layout.sheet_layout import Field, Form
from pipeline.reading.album.canvas import AlbumPen, Canvas, Mask, labelled, png
from pipeline.reading.album.leaf import RowSeen, StagePicture
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import on_white
from pipeline.reading.ink.band import pixels
from pipeline.reading.ink.boxed_band import band_of, edge_dots
from pipeline.reading.ink.strokes import ink_parts
from pipeline.reading.ink.tick_marks import TickMark
from pipeline.reading.ink.ticks import ticked
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.registration.warp import PIXELS_PER_MM
from pipeline.reading.rows.rows import RowInk, field_ink, view
from pipeline.reading.transcription.stages import RowsCut, RowsRead
from pipeline.words import sentence

ROWS, INK = "3. Rows cut out", "4. Ink found"


@dataclass(frozen=True, slots=True, eq=False)
class CutAnswer:
    """One field as its ink was looked for: what counts, and what was taken out."""

    grey: Grey  # as it came, its paper made white
    own: Mask
    gone: Mask  # ink too, but printed, or a neighbour's
    left: int  # px, on the sheet
    top: int

    @property
    def picture(self) -> bytes:
        """The ink in colours on white, as a PNG."""
        canvas = Canvas(np.full(self.grey.shape, 255, np.uint8))
        canvas.stain(self.gone, AlbumPen.PRINT)
        canvas.stain(self.own, AlbumPen.INK)
        return png(canvas.picture)

    def laid_on(self, own: Mask, gone: Mask) -> None:
        """Add it to the masks of the whole sheet."""
        height, width = self.own.shape
        here = (slice(self.top, self.top + height), slice(self.left, self.left + width))
        own[here] |= self.own
        gone[here] |= self.gone


def cut_of(flat: Grey, form: Form, field: Field) -> CutAnswer:
    """Cut one field out again, as the reader did, and keep the masks."""
    is_boxed = bool(form.cells) and field.row is not None
    found = band_of(flat, form, field, edge_dots(form)) if is_boxed else field_ink(flat, form, field)
    left, top, right, bottom = pixels(field, form, flat.shape)
    grey = on_white(flat[top:bottom, left:right])
    own = found.own.mask
    return CutAnswer(grey, own, ink_parts(grey).mask & ~own, left, top)


def picture_of_rows(stage: RowsCut) -> StagePicture:
    """Show where each row is looked for, and what was seen there at a glance."""
    form, flat = stage.straight.form, stage.straight.flat
    canvas = Canvas(flat, pale=True)
    fields = {field.row: field for field in form.rows}
    for row in stage.rows:
        pen = pen_of(row)
        left, top, right, bottom = pixels(fields[row.number], form, flat.shape)
        canvas.box(in_mm(left, top, right, bottom), AlbumPen.EMPTY, width=1)
        for cell in form.cells_of(row.number):
            pen_of_cell = pen_of_box(row, cell.name)
            if pen_of_cell is not AlbumPen.EMPTY:
                canvas.tint(cell.box, pen_of_cell)
            canvas.box(cell.box, pen_of_cell, width=1)
        canvas.box(row.box, pen)
    inked = [row for row in stage.rows if not row.is_blank]
    told = [f"{len(inked)} of {len(stage.rows)} rows have ink (blue), the others are empty (grey)"]
    told += [f"row {row.number} (vermilion): {', '.join(map(sentence, row.notes))}" for row in stage.rows if row.notes]
    told += ["boxes in blue are ticked or written in, in vermilion doubtful"] if form.cells else []
    return StagePicture("03-rows", ROWS, tuple(told), labelled(canvas.picture, ROWS, told))


def pen_of(row: RowInk) -> AlbumPen:
    """The colour of a row."""
    if row.notes or row.is_struck:
        return AlbumPen.DOUBT
    return AlbumPen.EMPTY if row.is_blank else AlbumPen.FOUND


def pen_of_box(row: RowInk, name: str) -> AlbumPen:
    """The colour of one box of a row."""
    if row.boxed is None:
        return AlbumPen.EMPTY
    if name in row.boxed.written:
        return AlbumPen.FOUND
    match row.boxed.marks.get(name, TickMark.EMPTY):
        case TickMark.TICKED:
            return AlbumPen.FOUND
        case TickMark.EMPTY:
            return AlbumPen.EMPTY
        case _:
            return AlbumPen.DOUBT


def in_mm(left: int, top: int, right: int, bottom: int) -> Box:
    """A part of the sheet as a box."""
    return Box(*(edge / PIXELS_PER_MM for edge in (left, top, right - left, bottom - top)))


def picture_of_ink(stage: RowsRead) -> StagePicture:
    """Show which ink counts, which was taken out, and what stands outside the rows."""
    flat, form = stage.straight.flat, stage.straight.form
    canvas = Canvas(flat, pale=True)
    own, gone = (np.zeros(flat.shape, np.bool_) for _ in range(2))
    for field in (*form.rows, *filter(None, [form.field("signature")])):
        cut_of(flat, form, field).laid_on(own, gone)
    canvas.stain(gone & ~own, AlbumPen.PRINT)
    canvas.stain(own, AlbumPen.INK)
    for box in stage.transcription.outside:
        canvas.box(box, AlbumPen.DOUBT, "outside the rows")
    names = ticked(stage.straight)
    for tick in form.ticks:
        canvas.box(tick.box, AlbumPen.FOUND if tick.name in names else AlbumPen.EMPTY)
    told = tuple(in_words(stage.transcription, stage.straight))
    return StagePicture("04-ink", INK, told, labelled(canvas.picture, INK, told))


def in_words(read: Transcription, straight: RegisteredPage) -> Iterator[str]:
    """Say what was found of ink."""
    yield "blue is a person's ink and counts; orange was printed, or hangs in from a neighbour, and is taken out"
    if read.signed is not None:
        yield "signed" if read.signed else "not signed"
    if straight.form.ticks:
        yield f"ticked at the head: {', '.join(sorted(read.ticks)) or 'nothing'}"
    if read.outside:
        yield f"something is written outside the rows, in {len(read.outside)} places"


def rows_seen(stage: RowsRead) -> Iterator[RowSeen]:
    """Show each row that has ink, or of which something was noted, by itself."""
    flat, form = stage.straight.flat, stage.straight.form
    fields = {field.row: field for field in form.rows}
    for row in stage.rows:
        if not row.is_blank or row.notes:
            yield RowSeen(row.number, view(flat, row.box), cut_of(flat, form, fields[row.number]).picture)
