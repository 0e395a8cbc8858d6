"""Debug pictures: an album records how the pages of one file are read, with a labelled picture of every stage.

Nothing here affects the reading: if a picture cannot be drawn, that is noted in the album.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, assert_never

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from pipeline.ink import PARTS, Box, InkLine, InkReading, Tier, Transcription
from pipeline.paper import sheet_layout
from pipeline.reading.album_pages import (
    LETTER_PX,
    MARGIN_PX,
    AlbumPen,
    Canvas,
    Mask,
    ReaderSaid,
    RowSeen,
    StagePicture,
    drawn_letters,
    label_picture,
    picture_of_laid,
    picture_of_marks,
    picture_of_not_laid,
    picture_of_sheets,
    png,
)
from pipeline.reading.band import pixels
from pipeline.reading.boxes import band_of, edge_dots, is_shaken
from pipeline.reading.hand_reader import Alone, HandReader, each_alone
from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.network import Ink
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import AFTER_FIRST, Crop, Sure
from pipeline.reading.register import RegisteredPage, part
from pipeline.reading.rows import RowInk, field_ink, row_picture
from pipeline.reading.strokes import FRAME_MM, TickMark, ink_parts, on_white, ticked_boxes
from pipeline.reading.transcribe import AnswersRead, Laid, MarksSought, NotLaid, RowsCut, RowsRead, SheetsParted, Stage
from pipeline.words.speech import sentence

# The third and the fourth stage: the rows that are cut out, and the ink in them, separated from the print.

ROWS, INK = "3. Rows cut out", "4. Ink found"


class CutAnswer(Struct, frozen=True, eq=False):
    """One row or field: the ink that counts, and the ink that was taken out."""

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


def _cut_of(flat: Grey, form: sheet_layout.Form, field: sheet_layout.Field) -> CutAnswer:
    """Cut one field out again, as the reader did, and keep the masks."""
    is_boxed = bool(form.cells) and field.row is not None
    if is_boxed:
        own = band_of(flat, form, field, edge_dots(form), shaken=is_shaken(flat, form)).own.mask
    else:
        own = field_ink(flat, form, field).own.mask
    left, top, right, bottom = pixels(field, form, flat.shape)
    grey = on_white(flat[top:bottom, left:right])
    return CutAnswer(grey, own, ink_parts(grey).mask & ~own, left, top)


def _picture_of_rows(stage: RowsCut) -> StagePicture:
    """Show where each row is looked for, and what was seen there at a glance."""
    form, flat = stage.straight.form, stage.straight.flat
    canvas = Canvas(flat, pale=True)
    fields = {field.row: field for field in form.rows}
    for row in stage.rows:
        pen = _pen_of(row)
        left, top, right, bottom = pixels(fields[row.number], form, flat.shape)
        canvas.box(_in_mm(left, top, right, bottom), AlbumPen.EMPTY, width=1)
        for cell in form.cells_of(row.number):
            pen_of_cell = _pen_of_box(row, cell.name)
            if pen_of_cell is not AlbumPen.EMPTY:
                canvas.tint(cell.box, pen_of_cell)
            canvas.box(cell.box, pen_of_cell, width=1)
        canvas.box(row.box, pen)
    inked = [row for row in stage.rows if not row.is_blank]
    captions = [f"{len(inked)} of {len(stage.rows)} rows have ink (blue), the others are empty (grey)"]
    captions += [
        f"row {row.number} (vermilion): {', '.join(map(sentence, row.notes))}" for row in stage.rows if row.notes
    ]
    captions += ["boxes in blue are ticked or written in, in vermilion doubtful"] if form.cells else []
    return StagePicture("03-rows", ROWS, tuple(captions), label_picture(canvas.picture, ROWS, captions))


def _pen_of(row: RowInk) -> AlbumPen:
    """The colour of a row."""
    if row.notes or row.is_struck:
        return AlbumPen.DOUBT
    return AlbumPen.EMPTY if row.is_blank else AlbumPen.FOUND


def _pen_of_box(row: RowInk, name: str) -> AlbumPen:
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


def _in_mm(left: int, top: int, right: int, bottom: int) -> Box:
    """A part of the sheet as a box."""
    return Box(*(edge / PIXELS_PER_MM for edge in (left, top, right - left, bottom - top)))


def _picture_of_ink(stage: RowsRead) -> StagePicture:
    """Show which ink counts, which was taken out, and what stands outside the rows."""
    flat, form = stage.straight.flat, stage.straight.form
    canvas = Canvas(flat, pale=True)
    own, gone = (np.zeros(flat.shape, np.bool_) for _ in range(2))
    for field in (*form.rows, *filter(None, [form.field("signature")])):
        _cut_of(flat, form, field).laid_on(own, gone)
    canvas.stain(gone & ~own, AlbumPen.PRINT)
    canvas.stain(own, AlbumPen.INK)
    for box in stage.transcription.outside:
        canvas.box(box, AlbumPen.DOUBT, "outside the rows")
    names = ticked_boxes(stage.straight)
    for tick in form.ticks:
        canvas.box(tick.box, AlbumPen.FOUND if tick.name in names else AlbumPen.EMPTY)
    captions = tuple(_ink_in_words(stage.transcription, stage.straight))
    return StagePicture("04-ink", INK, captions, label_picture(canvas.picture, INK, captions))


def _ink_in_words(read: Transcription, straight: RegisteredPage) -> Iterator[str]:
    yield "blue is a person's ink and counts; orange was printed, or hangs in from a neighbour, and is taken out"
    if read.signed is not None:
        yield "signed" if read.signed else "not signed"
    if straight.form.ticks:
        yield f"ticked at the head: {', '.join(sorted(read.ticks)) or 'nothing'}"
    if read.outside:
        yield f"something is written outside the rows, in {len(read.outside)} places"


def _rows_seen(stage: RowsRead) -> Iterator[RowSeen]:
    """Show each row that has ink, or of which something was noted, by itself."""
    flat, form = stage.straight.flat, stage.straight.form
    fields = {field.row: field for field in form.rows}
    for row in stage.rows:
        if not row.is_blank or row.notes:
            yield RowSeen(row.number, row_picture(flat, row.box), _cut_of(flat, form, fields[row.number]).picture)


# The fifth stage: what the readers were shown of each row, and what each of them read there.

FIRST = "first"
READERS = "5. What the readers saw"
WIDE_PX = 1180
STRIP_PX = 44  # height of what a net is shown; it sees 40 or 48 rows of pixels
CROP_PX = 80  # height of a row as it was scanned, with room above and below
TIERS: Mapping[Tier, str] = {
    Tier.ACCEPTED: "accepted: passed the absolute test",
    Tier.MARKED: "marked: passed, worth a glance",
    Tier.ASKED: "asked: a person must say what is written",
    Tier.BLANK: "blank",
}


class Strip(Struct, frozen=True, eq=False):
    """One line of the picture: words, and below them what they are about."""

    text: str
    pen: AlbumPen = AlbumPen.WORDS
    grey: Grey | None = None
    tall: int = STRIP_PX

    @property
    def height(self) -> int:
        """How much room it takes, in pixels."""
        return LETTER_PX + 8 + (0 if self.grey is None else self.tall + 4)


def _looks_of(stage: RowsRead) -> dict[int, tuple[Alone, ...]]:
    """What each reader made of the rows, by their numbers; nothing where the engine cannot say."""
    inked = [row.number for row in stage.rows if not row.is_blank]
    if not isinstance(stage.engine, HandReader) or len(stage.engine.seen) != len(inked):
        return {}
    found = zip(inked, each_alone(stage.engine, stage.vocabulary), strict=True)
    return {number: looks for number, looks in found if looks}


def _with_readers(seen: RowSeen, looks: tuple[Alone, ...]) -> RowSeen:
    """Add what the readers said to what was seen of a row."""
    if not looks:
        return seen
    first, *further = map(_reader_said, looks)
    return replace(seen, first=first, further=tuple(further))


def _reader_said(alone: Alone) -> ReaderSaid:
    """What one reader said, without what it was shown."""
    return ReaderSaid(alone.letters, alone.line)


def _picture_of_looks(stage: RowsRead, looks: Mapping[int, tuple[Alone, ...]]) -> StagePicture:
    """Show every inked row as the readers saw it, with their letters, their best lines, and the verdict."""
    lines = {line.number: line for line in stage.transcription.lines}
    strips = [
        strip
        for row in stage.rows
        if not row.is_blank
        for strip in _strips_of(lines[row.number], row.crop, looks.get(row.number, ()))
    ]
    captions = [f"{sum(not row.is_blank for row in stage.rows)} rows read by {stage.transcription.reader}"]
    captions += _looked_at(looks.values()) if looks else []
    captions += ["nothing is written in the rows"] if not strips else []
    return StagePicture("05-readers", READERS, tuple(captions), label_picture(_stack_strips(strips), READERS, captions))


def _looked_at(looks: Collection[tuple[Alone, ...]]) -> Iterator[str]:
    """Say at how many rows each reader after the first looked."""
    for number, name in enumerate(AFTER_FIRST, start=1):
        count = sum(len(row) > number for row in looks)
        yield f"the {name} reader looked at {count} of them, where those before it were not sure"


def _strips_of(line: InkLine, crop: Crop, looks: tuple[Alone, ...]) -> Iterator[Strip]:
    """One row: its ink, what each reader saw and said, and the verdict."""
    sure = [part.text for part in crop.parts if isinstance(part, Sure) and part.text]
    certain = f"; ticked or printed, so certain (black below): {' | '.join(sure)}" if sure else ""
    yield Strip(f"row {line.number}: its ink, cleaned{certain}", grey=crop.grey, tall=CROP_PX)
    for name, alone in zip((FIRST, *AFTER_FIRST), looks, strict=False):
        best = "" if alone.line is None else f";   best line: {_quote_reading(alone.line)}"
        yield Strip(f"the {name} reader is shown this, and sees letters: {_quote_reading(alone.letters)}{best}",
                    grey=_net_input_picture(alone.ink))  # fmt: skip
    notes = f" ({', '.join(map(sentence, line.notes))})" if line.notes else ""
    best = _quote_reading(line.readings[0]) if line.readings else "nothing legible"
    pen = AlbumPen.DOUBT if line.tier is Tier.ASKED else AlbumPen.FOUND
    yield Strip(f"together: {best};   {TIERS[line.tier]}{notes}", pen)


def _quote_reading(reading: InkReading) -> str:
    """A reading with its confidence.

    >>> _quote_reading(InkReading("A VIE - GAL", 0.9876))
    'A VIE - GAL (98.8 %)'
    """
    return f"{reading.text or 'nothing'} ({reading.confidence:.1%})".replace("%", " %")


def _net_input_picture(ink: Ink) -> Grey:
    """What a net is shown, dark on white."""
    return (255 - 255 * np.clip(ink, 0, 1)).astype(np.uint8)


def _stack_strips(strips: Sequence[Strip]) -> Image.Image:
    """Lay strips one under another."""
    whole = Image.new("RGB", (WIDE_PX, max(1, sum(strip.height for strip in strips) + MARGIN_PX)), (255, 255, 255))
    draw = ImageDraw.Draw(whole)
    top = 0
    for strip in strips:
        if strip.text.startswith("row "):
            draw.line((0, top + 2, WIDE_PX, top + 2), fill=AlbumPen.EMPTY.value)
        draw.text((MARGIN_PX, top + 5), strip.text, font=drawn_letters(LETTER_PX - 3), fill=strip.pen.value)
        if strip.grey is not None:
            whole.paste(_fit_strip(strip.grey, strip.tall), (MARGIN_PX, top + LETTER_PX + 8))
        top += strip.height
    return whole


def _fit_strip(grey: Grey, tall: int) -> Image.Image:
    """Make a strip so high, and no wider than the picture."""
    picture = Image.fromarray(grey).convert("RGB")
    scale = min(tall / picture.height, (WIDE_PX - 2 * MARGIN_PX) / picture.width)
    return picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))


# The later stages of a form: the fields that it asks for, the ink in them, and what was read.

FIELDS = "3. Fields cut out"
PENS: Mapping[Tier, AlbumPen] = {
    Tier.BLANK: AlbumPen.EMPTY,
    Tier.ASKED: AlbumPen.DOUBT,
    Tier.MARKED: AlbumPen.FOUND,
    Tier.ACCEPTED: AlbumPen.FOUND,
}


def _pictures_of_form(stage: AnswersRead) -> Iterator[StagePicture]:
    """Show a form's fields, its ink, and what was read."""
    lines = {line.number: line for line in stage.transcription.lines}
    cuts = {answer.number: _cuts_of(stage, answer) for answer in stage.layout.answers}
    yield _picture_of_fields(stage, lines)
    yield _picture_of_answers(stage, [cut for each in cuts.values() for cut in each])
    strips = [strip for answer in stage.layout.answers for strip in _answer_strips(stage, answer, lines[answer.number])]
    captions = (f"fields that are filled in: {len(strips)} of {len(lines)}",)
    yield StagePicture("05-answers", READERS, captions, label_picture(_stack_strips(strips), READERS, captions))


def _picture_of_fields(stage: AnswersRead, lines: Mapping[int, InkLine]) -> StagePicture:
    canvas = Canvas(stage.straight.flat, pale=True)
    for answer in stage.layout.answers:
        for box in sheet_layout.answer_boxes(answer):
            canvas.box(box, PENS[lines[answer.number].tier])
    captions = ("blue: filled in and read; vermilion: a person is asked; grey: empty",)
    return StagePicture("03-fields", FIELDS, captions, label_picture(canvas.picture, FIELDS, captions))


def _picture_of_answers(stage: AnswersRead, cuts: list[CutAnswer]) -> StagePicture:
    """Show the ink of the fields."""
    flat = stage.straight.flat
    canvas = Canvas(flat, pale=True)
    own, gone = (np.zeros(flat.shape, np.bool_) for _ in range(2))
    for cut in cuts:
        cut.laid_on(own, gone)
    canvas.stain(gone & ~own, AlbumPen.PRINT)
    canvas.stain(own, AlbumPen.INK)
    captions = ("blue is a person's ink; orange was printed, and is taken out",)
    return StagePicture("04-ink", INK, captions, label_picture(canvas.picture, INK, captions))


def _cuts_of(stage: AnswersRead, answer: sheet_layout.Answer) -> list[CutAnswer]:
    """Cut the fields of an answer out, and find the ink within the frames."""
    flat = stage.straight.flat
    match answer:
        case sheet_layout.TextAnswer() | sheet_layout.SignatureAnswer():
            return [_cut_of(flat, stage.straight.form, sheet_layout.Field(answer.name, None, answer.box))]
        case _:
            return [_cut_of_box(flat, box) for box in answer.boxes]


def _cut_of_box(flat: Grey, box: Box) -> CutAnswer:
    """Cut one printed box out; what is on its frame is print."""
    grey = on_white(part(flat, box, FRAME_MM))
    inked, edge = ink_parts(grey).mask, round(2 * FRAME_MM * PIXELS_PER_MM)
    inside = np.zeros(inked.shape, np.bool_)
    inside[edge:-edge, edge:-edge] = True
    left, top = (max(0, round((start - FRAME_MM) * PIXELS_PER_MM)) for start in (box.left, box.top))
    return CutAnswer(grey, inked & inside, inked & ~inside, left, top)


def _answer_strips(stage: AnswersRead, answer: sheet_layout.Answer, line: InkLine) -> Iterator[Strip]:
    """One answer that was filled in: its picture, and what was read."""
    if line.tier is Tier.BLANK:
        return
    read = " or ".join(_quote_reading(reading) for reading in line.readings[:3]) or "there"
    notes = f" ({', '.join(map(sentence, line.notes))})" if line.notes else ""
    yield Strip(
        f"row {line.number}, {answer.name}: {read};   {TIERS[line.tier]}{notes}",
        PENS[line.tier],
        part(stage.straight.flat, sheet_layout.place_of(answer), 1.0),
    )


def _answers_seen(stage: AnswersRead) -> Iterator[RowSeen]:
    """Show each field that is filled in by itself."""
    for answer, line in zip(stage.layout.answers, stage.transcription.lines, strict=True):
        if line.tier is not Tier.BLANK:
            cuts = _cuts_of(stage, answer)
            yield RowSeen(
                line.number, row_picture(stage.straight.flat, sheet_layout.place_of(answer)), _boxes_in_a_row(cuts)
            )


def _boxes_in_a_row(cuts: list[CutAnswer]) -> bytes:
    """The ink of the boxes of one answer, from the left."""
    height, width = max(len(cut.own) for cut in cuts), sum(cut.own.shape[1] for cut in cuts)
    canvas = Canvas(np.full((height, width), 255, np.uint8))
    own, gone = (np.zeros((height, width), np.bool_) for _ in range(2))
    left = 0
    for cut in cuts:
        here = (slice(0, len(cut.own)), slice(left, left + cut.own.shape[1]))
        own[here], gone[here] = cut.own, cut.gone
        left += cut.own.shape[1]
    canvas.stain(gone, AlbumPen.PRINT)
    canvas.stain(own, AlbumPen.INK)
    return png(canvas.picture)


LEAF = "leaf.json"  # in a page's folder: the names and captions of its pictures
# Errors of drawing: a library that rejects a picture, a full disk. The page is read all the same.
NOT_DRAWN = (cv2.error, ValueError, LookupError, ArithmeticError, RuntimeError, OSError, MemoryError)


def folder_of_page(folder: Path, number: int) -> Path:
    """Name the folder of one page of a file.

    >>> folder_of_page(Path("scan"), 2_000_003).as_posix()
    'scan/page-3-part-2'
    """
    part, page = divmod(number, PARTS)
    return folder / (f"page-{page}-part-{part}" if part else f"page-{page}")


class Album(Struct, frozen=True):
    """Keeps the pictures of one file's pages."""

    folder: Path

    def __call__(self, stage: Stage) -> None:
        """Draw a stage, and keep it."""
        folder = folder_of_page(self.folder, stage.number)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            leaf = {} if isinstance(stage, MarksSought) else read_leaf(folder)
            (folder / LEAF).write_text(json.dumps(_add_stage(leaf, stage, folder), indent=1), "utf-8")
        except NOT_DRAWN as fault:
            note(folder, f"{type(stage).__name__}: {type(fault).__name__}: {fault}")


def _add_stage(leaf: Mapping[str, Any], stage: Stage, folder: Path) -> dict[str, Any]:
    """Write a stage's pictures into the folder, and add what they say to the page's leaf."""
    pictures, rows = list(leaf.get("stages", [])), list(leaf.get("rows", []))
    new_pictures, new_rows = _draw_stage(stage)
    for picture in new_pictures:
        name = f"{picture.name}.png"
        (folder / name).write_bytes(picture.png)
        kept = {"picture": name, "title": picture.title, "told": list(picture.texts)}
        pictures = [each for each in pictures if each["picture"] != name] + [kept]
    for row in new_rows:
        crop, ink = (f"row-{row.number:02}-{what}.png" for what in ("crop", "ink"))
        (folder / crop).write_bytes(row.crop)
        (folder / ink).write_bytes(row.ink)
        rows.append(
            {
                "number": row.number,
                "crop": crop,
                "ink": ink,
                "readers": [*map(_said_as_json, (row.first, *row.further))],
            }
        )
    return {"stages": pictures, "rows": rows, "faults": list(leaf.get("faults", []))}


def _draw_stage(stage: Stage) -> tuple[list[StagePicture], list[RowSeen]]:
    """Draw a stage; once its rows are read, each of them by itself as well."""
    match stage:
        case MarksSought():
            return [picture_of_marks(stage)], []
        case SheetsParted():
            return [picture_of_sheets(stage)], []
        case NotLaid():
            return [picture_of_not_laid(stage)], []
        case Laid():
            return [picture_of_laid(stage)], []
        case RowsCut():
            return [_picture_of_rows(stage)], []
        case RowsRead():
            looks = _looks_of(stage)
            pictures = [_picture_of_ink(stage), _picture_of_looks(stage, looks)]
            return pictures, [_with_readers(row, looks.get(row.number, ())) for row in _rows_seen(stage)]
        case AnswersRead():
            return list(_pictures_of_form(stage)), list(_answers_seen(stage))
        case _:
            assert_never(stage)


def _said_as_json(reader: ReaderSaid | None) -> dict[str, Any] | None:
    if reader is None:
        return None
    return {"letters": reading(reader.letters), "line": None if reader.line is None else reading(reader.line)}


def reading(one: InkReading) -> dict[str, Any]:
    return {"text": one.text, "confidence": one.confidence}


def read_leaf(folder: Path) -> dict[str, Any]:
    """Read a page's `leaf.json`; empty if it is missing or damaged."""
    try:
        leaf = json.loads((folder / LEAF).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return leaf if isinstance(leaf, dict) else {}


def note(folder: Path, fault: str) -> None:
    """Note in the page's `leaf.json` that something could not be drawn; a failure to write it is ignored."""
    try:
        leaf = read_leaf(folder)
        leaf["faults"] = [*leaf.get("faults", []), fault]
        (folder / LEAF).write_text(json.dumps(leaf, indent=1), "utf-8")
    except (OSError, ValueError):
        return
