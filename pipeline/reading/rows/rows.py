"""The ink of each row: cut out of the straight sheet, cleaned of what was printed, and measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2

from pipeline.ink import Box, InkLine, InkReading, Note, Noted, Tier, surest_first
from pipeline.paper.layout.sheet_layout import Field, Form
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import on_white
from pipeline.reading.ink.band import (
    TAIL_MM,
    begins_below,
    drawn_by_pen,
    goes_beyond,
    guides_of,
    is_crossed,
    lies_beyond,
    notes,
    pixels,
    seen_above,
    stretch,
    trimmed,
)
from pipeline.reading.ink.boxes import BoxedInk, boxed_rows
from pipeline.reading.ink.hidden import hidden_rows
from pipeline.reading.ink.line_notes import SPOILS
from pipeline.reading.ink.strokes import (
    FromAbove,
    Parts,
    has_ink,
    has_line_through,
    ink_parts,
    is_struck,
    own_parts,
    without_dots,
)
from pipeline.reading.ink.tails import Tail, hanging, hanging_into, hung_into
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.registration.warp import PIXELS_PER_MM
from pipeline.reading.rows.boxed_line import crop_of, offers_of
from pipeline.reading.rows.recogniser import Crop, RowReading, Sure

# a PNG's lines as they are, in a third of the time: IMWRITE_PNG_FILTER and its NONE, of which OpenCV before 4.11
# has no names; it filters
UNFILTERED = (19, 8)
VIEW_MM = 6.0  # half of each neighbour, for the eye


@dataclass(frozen=True, slots=True)
class RowInk:
    """One row as it was found on the paper."""

    number: int
    box: Box
    crop: Crop
    is_blank: bool
    is_struck: bool
    notes: tuple[Noted, ...]
    may_be_letters: bool = False  # that touch, and only seem struck out: a reader that is sure of them says so
    is_hung_into: bool = False  # all that leaves it is what tails of the row above run into
    offers: tuple[str, ...] = ()  # orders that its ticks could be, where a person is asked which count
    boxed: BoxedInk | None = None  # what is in its boxes, where it has any


@dataclass(frozen=True, slots=True, eq=False)
class FieldInk:
    """The paper of one field, cleaned of what was printed."""

    grey: Grey
    own: Parts  # the ink that belongs to it
    left: int  # px, on the sheet
    top: int
    upper: int  # px, in ``grey``
    lower: int
    baseline: int
    tails: tuple[Tail, ...] = ()  # that leave the field below, if nothing else leaves it

    def claims(self, parts: Parts, left: int, top: int) -> FromAbove:
        """Which pieces of another crop, with this corner on the sheet, are of what leaves this row."""
        corner = (left - self.left, top - self.top)
        return hanging_into(parts, corner, self.own, (self.upper, self.lower), self.tails)

    def runs_into(self, below: "FieldInk") -> bool:
        """Whether all that leaves the row below is of tails of this one, and leaves it above."""
        drawn = drawn_by_pen(below.own)
        if goes_beyond(drawn.mask[below.upper :], 0, below.lower - below.upper, TAIL_MM):
            return False
        if lies_beyond(drawn, below.upper, below.lower):
            return False
        corner = (below.left - self.left, below.top - self.top)
        return hung_into(drawn, corner, below.upper, self.own, self.tails)


def rows(page: RegisteredPage) -> tuple[RowInk, ...]:
    """Cut out all rows of a sheet, be they free lines or boxes, and note those that are hidden."""
    if page.form.cells:
        boxed = zip(page.form.rows, boxed_rows(page), strict=True)
        found = [row_of_boxes(ink, page.form, field) for field, ink in boxed]
    else:
        found = free_lines(page)
    hidden = hidden_rows(page)
    return tuple(replace(row, notes=(*row.notes, Note.HIDDEN)) if row.number in hidden else row for row in found)


def free_lines(page: RegisteredPage) -> list[RowInk]:
    """Cut out the rows of free lines, from the top: what leaves a row below is its own, and is told there."""
    found: list[RowInk] = []
    above = None
    for field in page.form.rows:
        ink = field_ink(page.flat, page.form, field, above)
        found.append(replace(seen_in(page, field, ink), is_hung_into=above is not None and above.runs_into(ink)))
        above = ink
    return found


def row_of_boxes(ink: BoxedInk, form: Form, field: Field) -> RowInk:
    """Put together what was found in the boxes of a row."""
    number = field.row or 0
    if ink.is_blank:
        crop = Crop(ink.grey, ink.baseline)
        return RowInk(number, field.box, crop, is_blank=True, is_struck=False, notes=(), boxed=ink)
    crop, doubts = crop_of(ink, form, number)
    offers = offers_of(ink, form, number) if doubts else ()
    notes = (*ink.notes, *doubts)
    return RowInk(
        number,
        field.box,
        crop,
        is_blank=False,
        is_struck=ink.is_struck,
        notes=notes,
        offers=offers,
        boxed=ink,
    )


def field_has_ink(page: RegisteredPage, name: str) -> bool | None:
    """Say whether somebody wrote into a field of the header; None where the sheet has no such field."""
    field = page.form.field(name)
    return None if field is None else not row_ink(page, field).is_blank


def field_ink(flat: Grey, form: Form, field: Field, above: FieldInk | None = None) -> FieldInk:
    """Cut out one field and clean it of what was printed, and of what hangs in from the row above."""
    left, top, right, bottom = pixels(field, form, flat.shape)
    grey = on_white(flat[top:bottom, left:right])
    parts = ink_parts(grey)
    guides = guides_of(form, field)
    for guide in guides:
        parts = without_dots(grey, parts, guide, left, top)
    upper = round(field.box.top * PIXELS_PER_MM) - top
    lower = round((field.box.top + field.box.height) * PIXELS_PER_MM) - top
    claimed = None if above is None else above.claims(parts, left, top)
    own = own_parts(grey, parts, upper, lower, seen_above(form, field, top), claimed, begins_below(form, field, top))
    baseline = round(guides[-1].y * PIXELS_PER_MM - 0.5) - top if guides else lower
    found = hanging(flat, own, (left, top), upper, lower) if field.row is not None else ()
    return FieldInk(grey, own, left, top, upper, lower, baseline, found)


def row_ink(page: RegisteredPage, field: Field) -> RowInk:
    """Cut out one field, clean it, and say what can be seen."""
    return seen_in(page, field, field_ink(page.flat, page.form, field))


def seen_in(page: RegisteredPage, field: Field, ink: FieldInk) -> RowInk:
    """Say what can be seen in a field that was cut out."""
    number, grey, own = field.row or 0, ink.grey, ink.own
    if not has_ink(own):
        return RowInk(number, field.box, Crop(grey, ink.baseline), is_blank=True, is_struck=False, notes=())
    struck = is_struck(own)
    crossed = (Note.LINE_THROUGH,) if is_crossed(own, page.lines, ink.left, ink.top) else ()
    first, _ = stretch(own)
    tails_in_crop = tuple((tail.first - first, tail.last - first) for tail in ink.tails)
    return RowInk(
        number,
        field.box,
        Crop(trimmed(grey, own), ink.baseline, tails=tails_in_crop),
        is_blank=False,
        is_struck=struck,
        notes=(*notes(grey, own, own, ink.upper, ink.lower, struck=struck), *crossed),
        may_be_letters=struck and not has_line_through(own),
    )


def part(flat: Grey, box: Box, around_mm: float = 0.0) -> Grey:
    """Cut a box out of a straight sheet."""
    left, top = (max(0, round((edge - around_mm) * PIXELS_PER_MM)) for edge in (box.left, box.top))
    right = round((box.left + box.width + around_mm) * PIXELS_PER_MM)
    bottom = round((box.top + box.height + around_mm) * PIXELS_PER_MM)
    return flat[top:bottom, left:right]


def view(flat: Grey, box: Box) -> bytes:
    """The row as a PNG for the eye, with half of its neighbours, on white paper; no ink is painted out.

    The whole page stays as it came, with its shadows and stains.
    """
    # 16 shades are enough for the eye; a sensor's grain would make the file ten times as large
    shades = (on_white(part(flat, box, VIEW_MM)) & 0xF0) | 0x08
    packed = [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE, *UNFILTERED]
    _, png = cv2.imencode(".png", shades, packed)
    return png.tobytes()


def ink_lines(rows: Sequence[RowInk], answers: Mapping[int, RowReading]) -> tuple[InkLine, ...]:
    """Put together what was seen of all rows and what the engine made of those with ink, by their numbers."""
    found = []
    above: RowReading | None = None
    for row in rows:
        answer = answers.get(row.number)
        found.append(ink_line(row, answer, hung_into=row.is_hung_into and above is not None and above.tails_read))
        above = answer
    return tuple(found)


def ink_line(row: RowInk, answer: RowReading | None, *, hung_into: bool = False) -> InkLine:
    """Put together what was seen of a row and what the engine made of it.

    ``hung_into``: all that leaves it is of letters that were read on the row above.
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
        readings=with_offers(answer.readings, row),
        tier=Tier.ASKED if spoilt else answer.tier,
        notes=(*seen, *answer.notes),
    )


def with_offers(readings: Sequence[InkReading], row: RowInk) -> tuple[InkReading, ...]:
    """Put the orders that the ticks of a row could be among what was read of it: the surest first, each text once.

    Of offers that are alike the ones with most ticks are first, and the share of each is the same. What is ticked
    without doubt is written in words, as they are printed.
    """
    if not row.offers:
        return tuple(readings)
    certain = " ".join(part.text for part in row.crop.parts if isinstance(part, Sure))
    share = round(1 / (1 + len(row.offers)), 3)
    found = {text: InkReading(text, share) for text in row.offers}
    for reading in readings:
        text = certain if reading.text == certain.replace(" ", "") else reading.text
        told = replace(reading, text=text)
        found[text] = max(found.get(text, told), told, key=lambda each: each.confidence)
    return surest_first(found.values())
