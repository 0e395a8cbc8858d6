"""The pictures of sheets and rows on a page: where something stands in them, with the player's name covered."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from pipeline.desk.event.people import Turn
from pipeline.desk.review import queue
from pipeline.desk.ruling.rows import Row, RowScan
from pipeline.desk.sheets.sheets_in import SheetIn, crop_path, page_path
from pipeline.ink import Box, InkLine, Note, Transcription, box_around
from pipeline.ledger.files import local_time
from pipeline.reading.recogniser import VIEW_MM
from pipeline.web.office import Office
from pipeline.words.speech import Message


def picture_url(crop: str | None) -> str | None:
    return f"/picture/{PurePosixPath(crop).name}" if crop else None


def sheet_picture(office: Office, turn: Turn, row: Row | None) -> dict[str, Any] | None:
    """The whole sheet a row stands on, with the row's place on it in percent."""
    sheets = office.live.sheets(turn)
    for sheet in sheets:
        if row is None or len(sheets) == 1 or _line_of_row(row, sheet) is not None:
            return picture_view(sheet, row)
    return None


def _line_of_row(row: Row | None, sheet: SheetIn) -> InkLine | None:
    """Where a row stands on a sheet, if it does: its picture tells, since two sheets have the same printed numbers."""
    scan = sheet.scans[-1]
    if row is None or row.crop is None:
        return None
    return next((x for x in sheet.lines if crop_path(scan.scan_sha256, scan.page, x.number) == row.crop), None)


def picture_view(sheet: SheetIn, row: Row | None = None, *, is_about_signature: bool = False) -> dict[str, Any]:
    """A sheet's picture, with a row outlined, or else what is written outside the rows.

    The player's name is covered, and the signature too unless that is the question.
    """
    line = _line_of_row(row, sheet)
    box = line.box if line else box_around(sheet.outside) if row is None and sheet.outside else None
    hidden = ("player",) if is_about_signature else ("player", "signature")
    return _scan_picture(sheet, sheet.scans[-1], box, hidden)


def scan_pictures(office: Office, turn: Turn, row: Row) -> Iterator[dict[str, Any]]:
    """Every scan of the sheet of a row, where they differ on it."""
    for sheet in office.live.sheets(turn) if row.scans else ():
        if sheet.serial == row.ground.sheet:
            for number, (scan, shown) in enumerate(zip(sheet.scans, row.scans, strict=True), start=1):
                picture = _scan_picture(sheet, scan, shown.line.box, ("player", "signature"))
                yield picture | {"words": scan_in_words(number, shown)}


def scan_in_words(number: int, scan: RowScan) -> str:
    return f"{queue.name_scan(number)} · {local_time(scan.at)}"


def _scan_picture(sheet: SheetIn, scan: Transcription, box: Box | None, hidden: tuple[str, ...]) -> dict[str, Any]:
    """One scan of a sheet with a place outlined, and some fields covered."""
    form = sheet.printed.page.form
    return {
        "url": picture_url(page_path(scan.scan_sha256, scan.page)),
        "box": _in_percent(box, form.width, form.height),
        "covers": [_in_percent(field.box, form.width, form.height) for field in form.fields if field.name in hidden],
    }


def _in_percent(box: Box | None, width_mm: float, height_mm: float) -> list[float] | None:
    """A place on a page in percent of the page: left, top, width, height."""
    if box is None:
        return None
    return [
        round(100 * part / whole, 2)
        for part, whole in (
            (box.left, width_mm),
            (box.top, height_mm),
            (box.width, width_mm),
            (box.height, height_mm),
        )
    ]


WHOLE = frozenset(  # notes of ink that may be anywhere in a row
    {
        Note.STRUCK_OUT,
        Note.PARTLY_STRUCK,
        Note.MORE,
        Note.LEAVES_ROW,
        Note.FAINT_INK,
        Note.HIDDEN,
        Note.LINE_THROUGH,
        Note.BESIDE,
        Note.ACROSS,
        Note.TOO_LITTLE,
        Note.TWO_TICKS,
        Note.UNSURE_TICK,
    }
)


def lines_in_picture(office: Office, turn: Turn, row: Row) -> list[dict[str, Any]]:
    """The lines of a row in its picture from the top down, each with its boxes, in percent of the picture.

    A place is left, top, width, height. The page leaves out those in which nothing is written; a row with something
    on its paper that may be in none of its boxes is one line.
    """
    seen = {note.code if isinstance(note, Message) else note for note in row.notes}
    for sheet in office.live.sheets(turn):
        if (line := _line_of_row(row, sheet)) is None:
            continue
        form, boxes = sheet.printed.page.form, dict[Box, list[Box]]()
        for cell in form.cells_of(line.number) if WHOLE.isdisjoint(seen) else ():
            boxes.setdefault(cell.line, []).append(cell.box)
        left, top = max(0.0, line.box.left - VIEW_MM), max(0.0, line.box.top - VIEW_MM)
        width = min(form.width, line.box.left + line.box.width + VIEW_MM) - left
        height = min(form.height, line.box.top + line.box.height + VIEW_MM) - top
        return [
            {
                "place": _in_percent(_move_box(place, left, top), width, height),
                "boxes": [_in_percent(_move_box(box, left, top), width, height) for box in inside],
            }
            for place, inside in sorted((boxes or {line.box: []}).items(), key=lambda each: each[0].top)
        ]
    return []


def _move_box(box: Box, left: float, top: float) -> Box:
    """A box of the sheet in a picture that has this corner on the sheet."""
    return Box(box.left - left, box.top - top, box.width, box.height)
