"""The rows of a sheet laid straight: the ink of each is cut out, cleaned of what was printed, and measured.

A row of boxes becomes a line (`ticked`); what the engine reads of a row's ink is joined with what was seen of it.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from pipeline.ink import SPOILS, Box, InkLine, InkReading, Note, Noted, PictureFault, Tier, surest_first
from pipeline.paper import sheet_layout
from pipeline.paper.sheet_rows import TargetBox
from pipeline.reading import band, recogniser, strokes
from pipeline.reading.boxes import BoxedInk, boxed_rows
from pipeline.reading.covered_boxes import rows_with_covered_boxes
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.register import SOFT_EDGE, RegisteredPage, behind, part
from pipeline.reading.tails import Tail, comes_from_above, find_tails, find_tails_from_above
from pipeline.reading.ticked import compose_crop, offer_orders

THROUGH = 0.6  # of a row's height: a broad mark runs through it
LONG_MM, LONG_IN_PRINT_MM = 5.0, 15.0  # of a broad mark; the names printed in rows of boxes, smeared, are 10 mm long
POOR = frozenset({PictureFault.TOO_LIGHT, PictureFault.TOO_DARK, PictureFault.ONE_BIT, PictureFault.COARSE})
SURELY_INK_MM2 = 0.4  # the darkest of a row: its ink, however little there is

# IMWRITE_PNG_FILTER and its NONE, in a third of the time; OpenCV before 4.11 has no such names, and ignores them
UNFILTERED = (19, 8)


class RowInk(Struct, frozen=True):
    """One row as it was found on the paper."""

    number: int
    box: Box
    crop: recogniser.Crop
    is_blank: bool
    notes: tuple[Noted, ...]
    may_be_letters: bool = False  # touching letters may look struck out; the reader decides
    is_hung_into: bool = False  # all ink that leaves it above belongs to tails of the row above
    offers: tuple[str, ...] = ()  # orders that its ticks could be, where a person is asked which count


class FieldInk(Struct, frozen=True, eq=False):
    """The paper of one field, cleaned of what was printed."""

    grey: Grey
    own: strokes.Parts  # the ink that belongs to it
    left: int  # px, on the sheet
    top: int
    upper: int  # px, in ``grey``
    lower: int
    tails: tuple[Tail, ...] = ()  # that leave the field at its bottom, if nothing else does

    def claims(self, parts: strokes.Parts, left: int, top: int) -> strokes.FromAbove:
        """The pieces of another crop (with this corner on the sheet) that belong to ink leaving this row."""
        corner = (left - self.left, top - self.top)
        return find_tails_from_above(parts, corner, self.own, (self.upper, self.lower), self.tails)

    def runs_into(self, below: "FieldInk") -> bool:
        """Whether all ink that leaves the row below at its top belongs to tails of this row."""
        drawn = band.drawn_by_pen(below.own)
        if band.goes_beyond(drawn.mask[below.upper :], 0, below.lower - below.upper, band.TAIL_MM):
            return False
        if band.lies_beyond(drawn, below.upper, below.lower):
            return False
        corner = (below.left - self.left, below.top - self.top)
        return comes_from_above(drawn, corner, below.upper, self.own, self.tails)


def cut_rows(page: RegisteredPage) -> tuple[RowInk, ...]:
    """Cut out all rows of a sheet, be they free lines or boxes, and note those that are hidden."""
    if page.form.cells:
        boxed = zip(page.form.rows, boxed_rows(page), strict=True)
        inks = [_row_of_boxes(ink, page.form, field) for field, ink in boxed]
    else:
        inks = _free_lines(page)
    hidden = band.hidden_rows(page) | rows_with_covered_boxes(page)
    if POOR.intersection(faults := {fault.code for fault in page.warnings}):
        hidden |= _perhaps_lost(inks, page.form, too_light=PictureFault.TOO_LIGHT in faults)
    if page.through:
        hidden |= _hidden_by_back(inks, behind(page.through) + SOFT_EDGE)
    long_mm = LONG_IN_PRINT_MM if page.form.cells else LONG_MM
    broad = strokes.find_broad_marks(page.flat, long_mm)
    noted = (replace(row, notes=(*row.notes, Note.MORE)) if _is_marked(row, broad, long_mm) else row for row in inks)
    return tuple(replace(row, notes=(*row.notes, Note.HIDDEN)) if row.number in hidden else row for row in noted)


def _is_marked(row: RowInk, broad: Grey, long_mm: float) -> bool:
    """Whether a broad marker's stroke lies on a row that is not empty: through it, or along it."""
    if row.is_blank or Note.MORE in row.notes:
        return False
    seen = part(broad, row.box)
    across = seen.any(axis=0).sum() / PIXELS_PER_MM
    return bool(seen.any(axis=1).mean() >= THROUGH or across >= long_mm)


def _perhaps_lost(inks: Sequence[RowInk], form: sheet_layout.Form, *, too_light: bool) -> frozenset[int]:
    """Name the rows that look empty and may not be, where the picture is poor.

    Of rows of boxes, those of units that can move; of free lines, the one below the last, if thin strokes are lost.
    """
    empty = [row.number for row in inks if row.is_blank]
    if form.cells:
        waits = [n for n in empty if any(isinstance(cell.column, TargetBox) for cell in form.cells_of(n))]
        return frozenset(waits)
    last = max((row.number for row in inks if not row.is_blank), default=0)
    return frozenset([number for number in empty if number > last][:1] if too_light else ())


def _hidden_by_back(inks: Sequence[RowInk], least: float) -> frozenset[int]:
    """Name the rows whose ink is hardly darker than what shines through; all, where no row has ink."""
    few = round(SURELY_INK_MM2 * PIXELS_PER_MM**2)
    darkest = {row.number: np.partition(row.crop.grey.ravel(), few)[few] for row in inks if not row.is_blank}
    seen = {number: 1 - float(level) / strokes.WHITE for number, level in darkest.items()}
    if not seen:
        return frozenset(row.number for row in inks)
    return frozenset(number for number, dark in seen.items() if dark < least)


def _free_lines(page: RegisteredPage) -> list[RowInk]:
    """Cut out the rows of free lines, from the top, because ink that leaves a row at its bottom belongs to it."""
    lines: list[RowInk] = []
    above = None
    for field in page.form.rows:
        ink = field_ink(page.flat, page.form, field, above)
        lines.append(replace(_seen_in(page, field, ink), is_hung_into=above is not None and above.runs_into(ink)))
        above = ink
    return lines


def _row_of_boxes(ink: BoxedInk, form: sheet_layout.Form, field: sheet_layout.Field) -> RowInk:
    """Put together what was found in the boxes of a row."""
    number = field.row or 0
    if ink.is_blank:
        crop = recogniser.Crop(ink.grey)
        return RowInk(number, field.box, crop, is_blank=True, notes=())
    crop, doubts = compose_crop(ink, form, number)
    offers = offer_orders(ink, form, number) if doubts else ()
    notes = (*ink.notes, *doubts)
    return RowInk(
        number,
        field.box,
        crop,
        is_blank=False,
        notes=notes,
        offers=offers,
    )


def field_has_ink(page: RegisteredPage, name: str) -> bool | None:
    """Say whether somebody wrote into a field of the header; None where the sheet has no such field."""
    field = page.form.field(name)
    return None if field is None else not see_field(page, field).is_blank


def field_ink(
    flat: Grey, form: sheet_layout.Form, field: sheet_layout.Field, above: FieldInk | None = None
) -> FieldInk:
    """Cut out one field and clean it of what was printed, and of what hangs in from the row above."""
    left, top, right, bottom = band.field_edges(field, form, flat.shape)
    grey = strokes.on_white(flat[top:bottom, left:right])
    parts = strokes.ink_parts(grey)
    for guide in band.guides_of(form, field):
        parts = strokes.without_dots(grey, parts, guide, left, top)
    upper = round(field.box.top * PIXELS_PER_MM) - top
    lower = round((field.box.top + field.box.height) * PIXELS_PER_MM) - top
    claimed = None if above is None else above.claims(parts, left, top)
    own = strokes.own_parts(
        grey,
        parts,
        upper,
        lower,
        band.reach_of_row_above(form, field, top),
        claimed,
        band.start_of_row_below(form, field, top),
    )
    tails = find_tails(flat, own, (left, top), upper, lower) if field.row is not None else ()
    return FieldInk(grey, own, left, top, upper, lower, tails)


def see_field(page: RegisteredPage, field: sheet_layout.Field) -> RowInk:
    """Cut out one field, clean it, and say what can be seen."""
    return _seen_in(page, field, field_ink(page.flat, page.form, field))


def _seen_in(page: RegisteredPage, field: sheet_layout.Field, ink: FieldInk) -> RowInk:
    """Say what can be seen in a field that was cut out."""
    number, grey, own = field.row or 0, ink.grey, ink.own
    if not strokes.has_ink(own):
        return RowInk(number, field.box, recogniser.Crop(grey), is_blank=True, notes=())
    struck = strokes.is_struck(own)
    crossed = (Note.LINE_THROUGH,) if band.touches_scanner_line(own, page.lines, ink.left, ink.top) else ()
    first, _ = band.inked_stretch(own)
    tails_in_crop = tuple((tail.first - first, tail.last - first) for tail in ink.tails)
    return RowInk(
        number,
        field.box,
        recogniser.Crop(band.trim_paper(grey, own), tails=tails_in_crop),
        is_blank=False,
        notes=(*band.paper_notes(grey, own, own, ink.upper, ink.lower, struck=struck), *crossed),
        may_be_letters=struck and not strokes.has_line_through(own),
    )


def cut_row_picture(flat: Grey, box: Box) -> bytes:
    """The row as a PNG for the eye, with half of its neighbours, on white paper; no ink is painted out.

    A picture of the whole page, in contrast, keeps its shadows and stains.
    """
    # 16 shades are enough for the eye; a sensor's grain would make the file ten times as large
    shades = (strokes.on_white(part(flat, box, recogniser.VIEW_MM)) & 0xF0) | 0x08
    packed = [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE, *UNFILTERED]
    _, png = cv2.imencode(".png", shades, packed)
    return png.tobytes()


def ink_lines(inks: Sequence[RowInk], answers: Mapping[int, InkLine]) -> tuple[InkLine, ...]:
    """Put together what was seen of all rows and what the engine made of those with ink, by their numbers."""
    lines = []
    above: InkLine | None = None
    for row in inks:
        answer = answers.get(row.number)
        hung_into = row.is_hung_into and above is not None and above.tails_read is True
        lines.append(_ink_line(row, answer, hung_into=hung_into))
        above = answer
    return tuple(lines)


def _ink_line(row: RowInk, answer: InkLine | None, *, hung_into: bool = False) -> InkLine:
    """Put together what was seen of a row and what the engine made of it.

    ``hung_into``: all ink that leaves it above belongs to letters read on the row above.
    """
    if answer is None:
        tier = Tier.ASKED if Note.HIDDEN in row.notes else Tier.BLANK
        return InkLine(number=row.number, box=row.box, readings=(), tier=tier, notes=row.notes)
    explained = {Note.LEAVES_ROW} if answer.tails_read or hung_into else set()
    if row.may_be_letters and answer.tier is Tier.ACCEPTED:
        explained.add(Note.STRUCK_OUT)
    seen = tuple(note for note in row.notes if note not in explained)
    spoilt = SPOILS.intersection(seen)
    return InkLine(
        number=row.number,
        box=row.box,
        readings=_with_offers(answer.readings, row),
        tier=Tier.ASKED if spoilt else answer.tier,
        notes=(*seen, *answer.notes),
    )


def _with_offers(readings: Sequence[InkReading], row: RowInk) -> tuple[InkReading, ...]:
    """Put the orders that the ticks of a row could be among what was read of it: the surest first, each text once.

    Of offers that are alike the ones with most ticks are first, and the share of each is the same. What is ticked
    without doubt is written in words, as they are printed.
    """
    if not row.offers:
        return tuple(readings)
    certain = " ".join(piece.text for piece in row.crop.parts if isinstance(piece, recogniser.Sure))
    share = round(1 / (1 + len(row.offers)), 3)
    by_text = {text: InkReading(text, share) for text in row.offers}
    for reading in readings:
        text = certain if reading.text == certain.replace(" ", "") else reading.text
        respelt = replace(reading, text=text)
        by_text[text] = max(by_text.get(text, respelt), respelt, key=lambda each: each.confidence)
    return surest_first(by_text.values())
