"""What several views show: a turn, a row in one line, a sheet with the player's name covered."""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any

from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.rows import Row
from pipeline.desk.sheets.crops import crop_path, page_path
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ink import Box
from pipeline.orders.notation import write
from pipeline.web.office.office import Office
from pipeline.web.review.words import SIGNS, in_words


def turn_view(turn: Turn) -> dict[str, Any]:
    """Name a turn."""
    return {"board": turn.board, "phase": turn.phase.in_words, "power": turn.power.title(), "turn": str(turn)}


def brief(office: Office, row: Row) -> dict[str, Any]:
    """A row in one line."""
    return {
        "line": row.line,
        "ink": row.ink,
        "order": write(row.order) if row.order else None,
        "words": in_words(row.order, office.event.board) if row.order else "no order",
        "source": str(row.source),
        "sign": SIGNS[row.source],
        "why": row.reason if row.order is None else "",
    }


def quotes_of(office: Office, settings: Iterable[str]) -> list[dict[str, str]]:
    """What the tournament's rules say under settings, each with its number; nothing for a doubt of the reader."""
    return [{"rule": quote.rule, "text": quote.text} for quote in office.event.tournament.quotes(settings)]


def picture_url(crop: str | None) -> str | None:
    """Where a picture is served."""
    return f"/picture/{PurePosixPath(crop).name}" if crop else None


def sheet_picture(office: Office, turn: Turn, row: Row | None) -> dict[str, Any] | None:
    """The whole sheet a row stands on, with the row's place on it in parts of a hundred."""
    sheets = office.live.sheets(turn)
    for sheet in sheets:
        if row is None or len(sheets) == 1 or place_of(row, sheet) is not None:
            return picture_of(sheet, row)
    return None


def place_of(row: Row | None, sheet: SheetIn) -> Box | None:
    """Where a row stands on a sheet, if it does: its picture tells, since two sheets have the same printed numbers."""
    scan = sheet.scans[-1]
    if row is None or row.crop is None:
        return None
    return next((x.box for x in sheet.lines if crop_path(scan.scan_sha256, scan.page, x.number) == row.crop), None)


def picture_of(sheet: SheetIn, row: Row | None = None, *, is_about_signature: bool = False) -> dict[str, Any]:
    """A sheet's picture, with a row outlined, or else what is written outside the rows.

    The player's name is covered, and the signature too unless that is the question.
    """
    form, scan = sheet.printed.page.form, sheet.scans[-1]
    box = place_of(row, sheet) if row is not None else around(sheet.outside)
    hidden = ("player",) if is_about_signature else ("player", "signature")
    return {
        "url": picture_url(page_path(scan.scan_sha256, scan.page)),
        "box": in_percent(box, form.width, form.height),
        "covers": [in_percent(field.box, form.width, form.height) for field in form.fields if field.name in hidden],
    }


def around(boxes: Sequence[Box]) -> Box | None:
    """The box around some others, which is outlined on the picture."""
    if not boxes:
        return None
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    right, low = max(box.left + box.width for box in boxes), max(box.top + box.height for box in boxes)
    return Box(left, top, right - left, low - top)


def in_percent(box: Box | None, width_mm: float, height_mm: float) -> list[float] | None:
    """A place on a page in parts of a hundred: left, top, width, height."""
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
