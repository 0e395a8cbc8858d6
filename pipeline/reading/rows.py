"""What is written on a straight sheet: the ink of each row, the boxes that are ticked, and the answers on a form.

Ink is cut out, cleaned of what was printed, and measured. A row of boxes becomes a line, as if it had been written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice, product

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from pipeline.ink import SPOILS, Box, InkLine, InkReading, Note, Noted, PictureFault, Tier, surest_first
from pipeline.paper import sheet_layout
from pipeline.paper.sheet_rows import BoxColumn, BuildBox, HelpedBox, NamedBox, TargetBox, TickBox
from pipeline.reading import band, recogniser, strokes
from pipeline.reading.boxes import BoxedInk, boxed_rows
from pipeline.reading.covered_boxes import rows_with_covered_boxes
from pipeline.reading.digits import WhitePage, shipped_reader
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.register import SOFT_EDGE, RegisteredPage, behind, part
from pipeline.reading.tails import Tail, comes_from_above, find_tails, find_tails_from_above

# A row of targets as a line: which place and which unit are ticked, beside which sign, and what is written.

THROUGH = 0.6  # of a row's height: a broad mark runs through it
LONG_MM, LONG_IN_PRINT_MM = 5.0, 15.0  # of a broad mark; the names printed in rows of boxes, smeared, are 10 mm long
POOR = frozenset({PictureFault.TOO_LIGHT, PictureFault.TOO_DARK, PictureFault.ONE_BIT, PictureFault.COARSE})
SURELY_INK_MM2 = 0.4  # the darkest of a row: its ink, however little there is
HELPS = frozenset({"S", "C"})
BoxPart = recogniser.Sure | recogniser.Inked


class TargetInk(Struct, frozen=True):
    """What is ticked and written in a row of targets."""

    signs: frozenset[str]
    targets: tuple[TargetBox, ...]
    helped: tuple[HelpedBox, ...]
    written: Mapping[str, recogniser.Inked]  # by box
    builds: tuple[BuildBox, ...] = ()

    @classmethod
    def of(cls, columns: Iterable[BoxColumn], ticked: Set[str], written: Mapping[str, recogniser.Inked]) -> "TargetInk":
        """Sort the boxes that are ticked by what they are."""
        ticked_boxes = [column for column in columns if column.name in ticked and isinstance(column, TickBox)]
        return cls(
            frozenset(box.name for box in ticked_boxes if not isinstance(box, NamedBox)),
            tuple(box for box in ticked_boxes if isinstance(box, TargetBox)),
            tuple(box for box in ticked_boxes if isinstance(box, HelpedBox)),
            written,
            tuple(box for box in ticked_boxes if isinstance(box, BuildBox)),
        )

    @property
    def is_to_hold(self) -> bool:
        """Whether the unit that is helped is to stay: no place is named, or the one where it stands."""
        stands = [box.name[:3] for box in self.targets] == [box.place[:3] for box in self.helped]
        return "to" not in self.written and (not self.targets or stands)

    def parts(self, unit: str) -> Iterator[BoxPart]:
        """Join the filled boxes in the order of a line.

        If they make no order, all of them. A ticked box's coast counts for fleets only.
        """
        if unit and not self.builds:  # a build names its unit
            yield recogniser.Sure(unit)
        yield from (recogniser.Sure(box.text) for box in self.builds)
        yield from map(recogniser.Sure, sorted(self.signs & HELPS))
        yield from (recogniser.Sure(box.text) for box in self.helped)
        yield from (self.written[name] for name in ("of",) if name in self.written)
        if not (self.signs == {"S"} and self.is_to_hold):
            yield from self.going(unit)
        yield from (recogniser.Sure(sign.upper()) for sign in sorted(self.signs - HELPS))

    def going(self, unit: str) -> Iterator[BoxPart]:
        """Where it goes, or the unit that it helps."""
        if self.targets or "to" in self.written:
            yield recogniser.Sure(self.targets[0].goes if self.targets else "-")
        is_army = any(box.is_army for box in self.helped) if self.signs & HELPS else unit.startswith("A ")
        no_coast = "C" in self.signs or is_army
        yield from (recogniser.Sure(box.province if no_coast else box.text) for box in self.targets)
        yield from (self.written[name] for name in ("to",) if name in self.written)

    def orders(self, unit: str) -> Iterator[str]:
        """Name the orders that the row could be if not all of its ticks counted, those with most ticks first."""
        if self.written:  # nobody knows yet what it says
            return
        some = product(
            [frozenset[str](), *(frozenset({sign}) for sign in sorted(self.signs))],
            [(), *((box,) for box in self.targets)],
            [(), *((box,) for box in self.helped)],
            [(), *((box,) for box in self.builds)],
        )
        inks = [TargetInk(signs, targets, helped, {}, builds) for signs, targets, helped, builds in some]
        inks.sort(key=lambda row: -len(row.signs) - len(row.targets) - len(row.helped) - len(row.builds))
        for row in inks:
            if not row.doubts:
                yield " ".join(piece.text for piece in row.parts(unit) if isinstance(piece, recogniser.Sure))

    @property
    def doubts(self) -> tuple[Note, ...]:
        """All that keeps the row from being one order."""
        goes, whom = len(self.targets) + ("to" in self.written), len(self.helped) + ("of" in self.written)
        if not self.signs and not self.targets and not self.builds:
            return (Note.NO_SIGN,)
        if max(len(self.signs), len(self.targets), len(self.helped), len(self.builds)) > 1:
            return (Note.TWO_TICKS,)
        if self.builds:
            return ()
        most, least = FILLINGS[next(iter(self.signs), "-")]
        if goes > most[0] or whom > most[1]:
            return (Note.TOO_MUCH,)
        return (Note.TOO_LITTLE,) if goes < least[0] or whom < least[1] else ()


# For each sign: how many places and how many helped units at most, and at least. A move has no sign, for its place says
# it; a place that is written can be reached by convoy only, so "via" must be ticked.
FILLINGS: Mapping[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "H": ((0, 0), (0, 0)),
    "D": ((0, 0), (0, 0)),
    "waive": ((0, 0), (0, 0)),
    "-": ((1, 0), (1, 0)),
    "via": ((1, 0), (1, 0)),
    "S": ((1, 1), (0, 1)),
    "C": ((1, 1), (1, 1)),
}


# A row of boxes as a line: what is ticked is certain, what is written is read, and what does not fit is asked.

EITHER = (("A", "F"), ("of A", "of F"))  # one of each pair at most
UNIT = frozenset({"A", "F", "unit"})
MOST_OFFERS = 4  # beside what the reader makes of the row; the director has nine keys


class Filling(Struct, frozen=True):
    """Which boxes an order of one kind fills, beside its unit's and its sign's."""

    needed: frozenset[str] = frozenset()
    one_of: frozenset[str] = frozenset()  # just one of these
    allowed: frozenset[str] = frozenset()

    def wrong_filling(self, filled: frozenset[str]) -> Note | None:
        """Say what is wrong with the boxes that are filled."""
        if filled - self.needed - self.one_of - self.allowed or len(filled & self.one_of) > 1:
            return Note.TOO_MUCH
        return Note.TOO_LITTLE if self.needed - filled or (self.one_of and not filled & self.one_of) else None


# The target of a move has no other place to be mistaken for: people also write it into the box beside the ticks.
# A support or convoy written whole into the middle box is read as it stands there.
BOX_FILLINGS: Mapping[str, Filling] = {
    "H": Filling(),
    "-": Filling(one_of=frozenset({"of", "to"}), allowed=frozenset({"via"})),
    "S": Filling(needed=frozenset({"of"}), allowed=frozenset({"of A", "of F", "to"})),
    "C": Filling(needed=frozenset({"of"}), allowed=frozenset({"of A", "of F", "to"})),
    "R": Filling(needed=frozenset({"to"})),
    "B": Filling(),
    "D": Filling(),
    "waive": Filling(),
}


def _crop_of(ink: BoxedInk, form: sheet_layout.Form, number: int) -> tuple[recogniser.Crop, tuple[Note, ...]]:
    """Put a row of boxes together as a line, and name what must be asked about it."""
    ticked = frozenset(name for name, mark in ink.marks.items() if mark is strokes.TickMark.TICKED)
    if form.has_targets(number):
        row = TargetInk.of((cell.column for cell in form.cells_of(number)), ticked, ink.written)
        unsure = (Note.UNSURE_TICK,) if strokes.TickMark.UNSURE in ink.marks.values() else ()
        return recogniser.Crop(ink.grey, tuple(row.parts(form.unit_of(number)))), unsure + row.doubts
    parts: list[recogniser.Sure | recogniser.Inked] = []
    for cell in form.cells_of(number):
        if isinstance(cell.column, TickBox):
            parts += [recogniser.Sure(cell.column.text)] if cell.name in ticked else []
        elif cell.name in ink.written:
            is_target = cell.name == "to" and "of" in ink.written
            parts += [recogniser.Sure("-"), ink.written["to"]] if is_target else [ink.written[cell.name]]
    return recogniser.Crop(ink.grey, tuple(parts) or (recogniser.Sure(""),)), _doubts_of(ink, ticked)


def _offers_of(ink: BoxedInk, form: sheet_layout.Form, number: int) -> tuple[str, ...]:
    """Name some orders that a row of targets about which a person is asked could be, by its ticks."""
    if not form.has_targets(number):
        return ()
    marked = frozenset(name for name, mark in ink.marks.items() if mark is not strokes.TickMark.EMPTY)
    row = TargetInk.of((cell.column for cell in form.cells_of(number)), marked, ink.written)
    return tuple(islice(row.orders(form.unit_of(number)), MOST_OFFERS))


def _doubts_of(ink: BoxedInk, ticked: frozenset[str]) -> tuple[Note, ...]:
    """Find all that keeps a free row of a sheet of blocks from being one order."""
    signs = ticked & BOX_FILLINGS.keys()
    filled = ticked | ink.written.keys()
    doubts = [Note.UNSURE_TICK] if strokes.TickMark.UNSURE in ink.marks.values() else []
    if len(signs) > 1 or any(ticked.issuperset(pair) for pair in EITHER):
        doubts.append(Note.TWO_TICKS)
    if not signs:
        doubts.append(Note.NO_SIGN)
    if signs == {"waive"}:
        doubts += [Note.TOO_MUCH] if filled != signs else []
        return tuple(doubts)
    if "unit" not in filled:
        doubts.append(Note.NO_UNIT)
    if len(signs) == 1:
        fault = BOX_FILLINGS[next(iter(signs))].wrong_filling(filled - UNIT - signs)
        doubts += [fault] if fault else []
    return tuple(doubts)


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
    is_in_light: bool = False  # dots of its lines may be lost, and no tick is


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


def rows(page: RegisteredPage) -> tuple[RowInk, ...]:
    """Cut out all rows of a sheet, be they free lines or boxes, and note those that are hidden."""
    if page.form.cells:
        boxed = zip(page.form.rows, boxed_rows(page), strict=True)
        inks = [_row_of_boxes(ink, page.form, field) for field, ink in boxed]
    else:
        inks = _free_lines(page)
    in_light = frozenset(row.number for row in inks if row.is_in_light)
    hidden = (band.hidden_rows(page) - in_light) | rows_with_covered_boxes(page)
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
        return RowInk(number, field.box, crop, is_blank=True, notes=(), is_in_light=ink.is_in_light)
    crop, doubts = _crop_of(ink, form, number)
    offers = _offers_of(ink, form, number) if doubts else ()
    notes = (*ink.notes, *doubts)
    return RowInk(
        number,
        field.box,
        crop,
        is_blank=False,
        notes=notes,
        offers=offers,
        is_in_light=ink.is_in_light,
    )


def field_has_ink(page: RegisteredPage, name: str) -> bool | None:
    """Say whether somebody wrote into a field of the header; None where the sheet has no such field."""
    field = page.form.field(name)
    return None if field is None else not _row_ink(page, field).is_blank


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


def _row_ink(page: RegisteredPage, field: sheet_layout.Field) -> RowInk:
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


def row_picture(flat: Grey, box: Box) -> bytes:
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


# What is written on a form laid straight: numbers, ticks, words and signatures, each as a line with its tier.

CLEAN = 0.015  # of a box: with less ink there is no mark; dirt has 0.01
NOT_THE_WHOLE = (Note.STRUCK_OUT, Note.LEAVES_ROW, Note.LINE_THROUGH)  # with such a note a line is no copy
SURE = 0.035  # of a box: from here on there is a mark; a tick of a thin pen has 0.06


class WordsRead(Struct, frozen=True):
    """What an engine made of the lines for words, by their numbers."""

    inks: Mapping[int, RowInk]
    readings: Mapping[int, InkLine]  # of those that it was asked about
    seen: Mapping[int, recogniser.KeptRow]  # what it saw in lines that were to be copied


def read_answers(
    page: RegisteredPage,
    answers: tuple[sheet_layout.Answer, ...],
    engine: recogniser.Recogniser,
    vocabulary: recogniser.Vocabulary,
) -> tuple[tuple[InkLine, ...], Mapping[int, recogniser.KeptRow]]:
    """Read everything that a form asks for; and what was seen in the lines that were to be copied.

    Other words are for a person; names come with the engine's reading.
    """
    words = _read_words(page, answers, engine, vocabulary)
    white = WhitePage.of(page)
    numbers = _read_numbers(white, answers)
    return tuple(_read_answer(page, numbers, answer, words) for answer in answers), words.seen


def _read_numbers(white: WhitePage, answers: Sequence[sheet_layout.Answer]) -> dict[int, InkLine]:
    """Read the numbers in boxes, those of a row together where it is known what they come to."""
    by_number, together = {}, dict[str, list[sheet_layout.NumberAnswer]]()
    for answer in answers:
        if isinstance(answer, sheet_layout.NumberAnswer) and answer.together:
            together.setdefault(answer.name.split()[0], []).append(answer)
        elif isinstance(answer, sheet_layout.NumberAnswer):
            by_number[answer.number] = shipped_reader().read(white, answer)
    for row in together.values():
        by_number |= {line.number: line for line in shipped_reader().read_row(white, row)}
    return by_number


def _read_words(
    page: RegisteredPage,
    answers: tuple[sheet_layout.Answer, ...],
    engine: recogniser.Recogniser,
    vocabulary: recogniser.Vocabulary,
) -> WordsRead:
    """Ask the engine about the lines for words: whose name it is, or whether it is what was to be copied."""
    asked = [answer for answer in answers if isinstance(answer, sheet_layout.TextAnswer)]
    inks = {answer.number: _ink_of(page, answer) for answer in asked}
    names = {each.number: inks[each.number] for each in asked if each.is_player and not inks[each.number].is_blank}
    read = recogniser.read_safely(engine, [ink.crop for ink in names.values()], vocabulary) if vocabulary.lines else []
    readings = {
        number: InkLine.without_place(line.readings, Tier.ASKED) for number, line in zip(names, read, strict=False)
    }
    copies = {each.number: each.copies for each in asked if each.copies and not inks[each.number].is_blank}
    compared = recogniser.compare_safely(engine, [inks[number].crop for number in copies], list(copies.values()))
    comparisons = dict(zip(copies, compared, strict=False))
    seen = {number: each.kept for number, each in comparisons.items() if each.kept is not None}
    return WordsRead(inks, readings | {number: each.reading for number, each in comparisons.items()}, seen)


def _text_line(answer: sheet_layout.TextAnswer, words: WordsRead) -> InkLine:
    """A line for words: a person says what they are, but for those that are what was to be copied."""
    ink, reading = words.inks[answer.number], words.readings.get(answer.number)
    if ink.is_blank:
        return InkLine(number=answer.number, box=answer.box, readings=(), tier=Tier.BLANK, notes=ink.notes)
    if reading is None:
        return InkLine(number=answer.number, box=answer.box, readings=(), tier=Tier.ASKED, notes=ink.notes)
    notes = tuple(dict.fromkeys((*ink.notes, *reading.notes)))
    is_spoilt = any(note in NOT_THE_WHOLE for note in ink.notes)
    tier = Tier.ASKED if is_spoilt or reading.tier is not Tier.ACCEPTED else Tier.ACCEPTED
    return InkLine(number=answer.number, box=answer.box, readings=reading.readings, tier=tier, notes=notes)


def _read_answer(
    page: RegisteredPage,
    numbers: Mapping[int, InkLine],
    answer: sheet_layout.Answer,
    words: WordsRead,
) -> InkLine:
    match answer:
        case sheet_layout.NumberAnswer():
            return _asked_if_lined(page, answer, numbers[answer.number])
        case sheet_layout.ChoiceAnswer():
            read_alone = _read_choice(answer, [strokes.ink_share(page, box) for box in answer.boxes])
            if all(strokes.has_frame(page, box) for box in answer.boxes):
                return _asked_if_lined(page, answer, read_alone)
            return replace(read_alone, tier=Tier.ASKED, notes=(*read_alone.notes, Note.HIDDEN_BOX))
        case sheet_layout.TextAnswer():
            return _text_line(answer, words)
        case sheet_layout.SignatureAnswer():
            is_blank = _ink_of(page, answer).is_blank
            tier = Tier.BLANK if is_blank else Tier.ACCEPTED
            return InkLine(number=answer.number, box=answer.box, readings=(), tier=tier)


def _asked_if_lined(
    page: RegisteredPage, answer: sheet_layout.NumberAnswer | sheet_layout.ChoiceAnswer, line: InkLine
) -> InkLine:
    """Ask about an answer out of whose boxes a line of the scanner was taken: a digit may have gone with it."""
    lines = page.lines
    if (
        lines is None
        or line.tier is Tier.BLANK
        or not any((part(lines, b) < band.TAKEN_OUT).any() for b in answer.boxes)
    ):
        return line
    return replace(line, tier=Tier.ASKED, notes=(*line.notes, Note.LINE_THROUGH))


def _ink_of(page: RegisteredPage, answer: sheet_layout.TextAnswer | sheet_layout.SignatureAnswer) -> RowInk:
    """The ink on a line for words."""
    return _row_ink(page, sheet_layout.Field(answer.name, None, answer.box))


def _read_choice(answer: sheet_layout.ChoiceAnswer, shares: list[float]) -> InkLine:
    """One sure tick and clean boxes beside it are a choice; no mark at all is none; everything else is asked.

    >>> from pipeline.ink import Box
    >>> vote = sheet_layout.ChoiceAnswer("vote", 1, ("yes", "no"), (Box(0, 0, 8, 8), Box(50, 0, 8, 8)))
    >>> [_read_choice(vote, shares).tier.value for shares in ([0.08, 0.0], [0.0, 0.0], [0.08, 0.09], [0.02, 0.0])]
    ['accepted', 'blank', 'asked', 'asked']
    """
    marked = [(share, choice) for share, choice in zip(shares, answer.choices, strict=True) if share >= CLEAN]
    readings = tuple(InkReading(choice, min(1.0, share / SURE)) for share, choice in marked)
    notes: tuple[Note, ...] = (Note.TWO_CHOICES if len(marked) > 1 else Note.FAINT_TICK,)
    tier = Tier.ASKED
    if not marked:
        tier, notes = Tier.BLANK, ()
    elif len(marked) == 1 and marked[0][0] >= SURE:
        tier, notes = Tier.ACCEPTED, ()
    box = sheet_layout.place_of(answer)
    return InkLine(number=answer.number, box=box, readings=readings, tier=tier, notes=notes)


def pictures(
    page: RegisteredPage, answers: tuple[sheet_layout.Answer, ...], lines: tuple[InkLine, ...]
) -> dict[int, bytes]:
    """The pictures of everything that was written, with the paper around it."""
    return {
        answer.number: row_picture(page.flat, sheet_layout.place_of(answer))
        for answer, line in zip(answers, lines, strict=True)
        if line.tier is not Tier.BLANK
    }
